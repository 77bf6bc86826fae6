"""The random streams in Python's own integers, which never wrap round unless told to.

The other side of `simdom.engine.streams`, and of the shuffle in `simdom.engine.deal`.
"""

from typing import TypeVar

Item = TypeVar("Item")

WORD = 2**64
GOLDEN = 0x9E3779B97F4A7C15
SHUFFLE, CHOICE = 0, 1


def mix(z: int) -> int:
    """SplitMix64's finaliser."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


def stream_key(seed: int, stream: int, index: int) -> int:
    """The key of one stream of the round with number ``index``."""
    key = mix(mix((seed + GOLDEN) % WORD) ^ stream)
    return mix((key + (index + 1) * GOLDEN) % WORD)


def word(key: int, i: int) -> int:
    """Word ``i`` of the stream with ``key``."""
    return mix((key + (i + 1) * GOLDEN) % WORD)


class Chance:
    """The upper 56 bits of a word as a fraction that bounded numbers are taken from."""

    def __init__(self, bits: int) -> None:
        self.x = bits >> 8

    def draw(self, n: int) -> int:
        """A number below ``n``; what is left of the fraction serves the next one."""
        y = self.x * n
        self.x = y % 2**56
        return y // 2**56


def draws_per_word(tiles: int) -> int:
    """Positions of a shuffle that one word serves with a bias below 1e-8."""
    m = 1
    while tiles ** (m + 1) * 10**8 <= 2**56:
        m += 1
    return m


def shuffled(deck: list[Item], key: int, attempt: int) -> list[Item]:
    """Fisher-Yates from the front."""
    deck = list(deck)
    m = draws_per_word(len(deck))
    for i in range(len(deck)):
        if i % m == 0:
            chance = Chance(word(key, attempt * 256 + i // m))
        j = i + chance.draw(len(deck) - i)
        deck[i], deck[j] = deck[j], deck[i]
    return deck
