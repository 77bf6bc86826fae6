"""The random streams against published numbers and against Python's own integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plain_streams as plain
from decks import shuffled_decks
from evidence import check_counts
from oracle import full_set
from simdom.engine import streams
from simdom.engine.deal import draws_per_word
from simdom.engine.streams import U64
from simdom.rules import TOGGLES
from simdom.tiles import tile_count

WORDS = st.integers(0, 2**64 - 1)
SPLITMIX64_FROM_1234567 = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]
KEYS_OF_SEED_1 = [7982734928498899980, 2424468580836592839]  # round 0: shuffle, choice
SETS = range(TOGGLES["max_pip"].lowest, TOGGLES["max_pip"].highest + 1)


@pytest.fixture(autouse=True, scope="module")
def words_wrap_round():
    """Without the JIT, words are numpy's, which warn when they wrap round."""
    with np.errstate(over="ignore"):
        yield


def test_known_answers_of_splitmix64():
    """The reference program's first outputs; state s is our key, output i our word i."""
    words = [int(streams.word_at(U64(1234567), U64(i))) for i in range(5)]
    assert words == SPLITMIX64_FROM_1234567
    assert [plain.word(1234567, i) for i in range(5)] == SPLITMIX64_FROM_1234567


def test_mixing_zero_gives_zero():
    assert int(streams.mix(U64(0))) == 0


def test_known_keys():
    """The numbers on which every result of this version rests: they may never move."""
    assert [plain.stream_key(1, stream, 0) for stream in (0, 1)] == KEYS_OF_SEED_1
    keys = [int(streams.stream_key(U64(1), s, U64(0))) for s in (streams.SHUFFLE, streams.CHOICE)]
    assert keys == KEYS_OF_SEED_1


@given(WORDS, st.integers(0, 1), WORDS, WORDS)
def test_keys_and_words_are_plain_arithmetic(seed, stream, index, position):
    key = streams.stream_key(U64(seed), U64(stream), U64(index))
    mixed = streams.mix(U64(seed))
    drawn = streams.word_at(U64(key), U64(position))
    assert int(key) == plain.stream_key(seed, stream, index)
    assert int(mixed) == plain.mix(seed)
    assert int(drawn) == plain.word(int(key), position)


@given(WORDS, st.lists(st.integers(1, 255), min_size=1, max_size=8))
def test_bounded_numbers_are_plain_arithmetic(bits, bounds):
    fraction = U64(streams.fraction_of(U64(bits)))
    chance = plain.Chance(bits)
    for n in bounds:
        assert int(streams.draw_below(fraction, U64(n))) == chance.draw(n)
        fraction = U64(streams.fraction_after(fraction, U64(n)))
        assert int(fraction) == chance.x < 2**56


@given(WORDS)
def test_popcount(word):
    assert int(streams.popcount(U64(word))) == word.bit_count()


@pytest.mark.parametrize("max_pip", SETS)
def test_a_shuffle_is_biased_by_less_than_one_in_1e8(max_pip):
    """Each outcome of the draws of a word is right to within (bounds multiplied) / 2**56 of it."""
    tiles = tile_count(max_pip)
    m = draws_per_word(tiles)
    assert m == plain.draws_per_word(tiles)
    assert tiles**m / 2**56 <= 1e-8
    assert tiles ** (m + 1) / 2**56 > 1e-8


@pytest.mark.parametrize("attempt", [0, 3])
@pytest.mark.parametrize("max_pip", SETS)
def test_decks_are_plain_fisher_yates(max_pip, attempt):
    """Every position of the first decks of a seed."""
    tiles = full_set(max_pip)
    for index, deck in enumerate(shuffled_decks(max_pip, 5, 2**64 - 1, attempt)):
        key = plain.stream_key(2**64 - 1, plain.SHUFFLE, index)
        assert [tiles[tile] for tile in deck] == plain.shuffled(tiles, key, attempt)


@pytest.mark.parametrize("max_pip", SETS)
def test_a_shuffle_stays_within_the_words_of_its_attempt(max_pip):
    """Attempt a uses words 256 a, 256 a + 1, ...: a deck must need at most 256 of them."""
    tiles = tile_count(max_pip)
    assert -(-tiles // plain.draws_per_word(tiles)) <= 256


def test_streams_of_neighbouring_rounds_look_independent():
    """High and low bits of first words, and of their sums and differences, are uniform.

    Eight chi-square tests, false alarm 1e-6 each; fixed seed.
    """
    words = [
        [plain.word(plain.stream_key(7, stream, index), 0) for index in range(20_000)]
        for stream in (plain.SHUFFLE, plain.CHOICE)
    ]
    both = np.array(words, np.uint64)
    for values in (both[0], both[1], both[0] + both[1], np.diff(both[0])):
        counts = np.bincount((values >> U64(60)).astype(np.int64), minlength=16)
        check_counts(counts.tolist(), [1 / 16] * 16)
        counts = np.bincount((values & U64(15)).astype(np.int64), minlength=16)
        check_counts(counts.tolist(), [1 / 16] * 16)
