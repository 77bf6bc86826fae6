"""A round of dominoes in plain lists, slow and obvious, to judge the compiled engine by.

Written from the rule text and from the description of the random streams, and it shares nothing
with the engine: of simdom it imports `Rules` and the enums that its fields hold. A tile is a
pair ``(low, high)``, a hand a list of tiles in the order in which they came. Who wins and what it
scores is in ``plain_scoring.py``, and a match of such rounds in ``plain_matches.py``.

`play_round` plays the round that the engine must play; `Table` is the game itself, without any
randomness, which ``exact_rounds.py`` walks through all rounds of a tiny set.

One thing cannot be promised bit for bit: with a temperature above zero a choice rests on
``math.exp``, and an ``exp`` that differs in the last bit moves a choice with a probability of
about 1e-9.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Protocol

from plain_scoring import Ended, Last, gained_by, scores_of, winner_of
from plain_streams import CHOICE, GOLDEN, SHUFFLE, WORD, Chance, mix, shuffled, stream_key, word
from plain_tiles import (
    Placement,
    Tile,
    counted_pips,
    ends_after,
    full_set,
    is_double,
    new_number,
    other_number,
    placements,
)
from simdom.rules import BlockScore, Boneyard, NamedMissing, NoDouble, Opening, Rules

# --- strategies -----------------------------------------------------------------------------


class Strategy(Protocol):
    """What a seat's strategy says: a weight for each feature, in the order of `features`."""

    @property
    def weights(self) -> Sequence[float]: ...
    @property
    def temperature(self) -> float: ...
    @property
    def ties(self) -> str: ...


class SamplingStrategy(Strategy, Protocol):
    """One that may sample: then a `Mind` decides."""

    @property
    def samples(self) -> int: ...
    @property
    def aim(self) -> str: ...


def features(placement: Placement, table: "Table", seat: int) -> list[int]:
    """All features but the random one, each counted tile by tile."""
    tile = placement[0]
    new_ends = ends_after(placement, table.ends)
    kept = [own for own in table.hands[seat] if own != tile]
    seen = {*table.hands[seat], *table.line}
    unseen = [t for t in full_set(table.rules.max_pip) if t not in seen]
    players = table.rules.players
    others = [hand for owner, hand in enumerate(table.hands) if owner != seat]

    def lacking(other: int) -> int:
        """Of the new ends, those that a seat certainly has nothing for."""
        return sum(
            number in table.lacks[other] or not any(number in t for t in unseen)
            for number in new_ends
        )

    return [
        counted_pips(tile, table.rules),
        int(is_double(tile)),
        max(tile),
        sum(1 for own in kept if new_ends[0] in own or new_ends[1] in own),
        sum(1 for own in kept if tile[0] in own or tile[1] in own),
        sum(1 for t in unseen if new_ends[0] in t or new_ends[1] in t),
        int(new_ends[0] == new_ends[1]),
        sum(1 for own in kept if new_number(placement, table.ends) in own),
        lacking((seat + 1) % players),
        lacking((seat + 2) % players) if players == 4 else 0,
        counted_pips(tile, table.rules) if min(map(len, others)) <= 2 else 0,
    ]


def choose(table: "Table", seat: int, strategy: Strategy, turn_word: int) -> Placement:
    """The placement that ``strategy`` makes, of those that ``seat`` has."""
    options = placements(table.hands[seat], table.ends)
    weights = [round(weight * 65536) for weight in strategy.weights]
    if not any(weights) and strategy.ties == "placements":
        return options[Chance(turn_word).draw(len(options))]
    ids = full_set(table.rules.max_pip)
    scores = []
    for tile, end in options:
        counts = features((tile, end), table, seat)
        score = sum(w * count for w, count in zip(weights, counts, strict=False))
        noise = mix((turn_word + (1 + end * 256 + ids.index(tile)) * GOLDEN) % WORD) >> 40
        scores.append(score + (weights[-1] * noise) // 2**24)
    if strategy.temperature > 0:
        return _choose_softly(options, scores, strategy, turn_word)
    best = [option for option, score in zip(options, scores, strict=True) if score == max(scores)]
    chance = Chance(turn_word)
    if strategy.ties == "placements":
        return best[chance.draw(len(best))]
    tiles = list(dict.fromkeys(tile for tile, _ in best))
    tile = tiles[chance.draw(len(tiles))]
    of_tile = [option for option in best if option[0] == tile]
    return of_tile[chance.draw(2)] if len(of_tile) == 2 else of_tile[0]


def _choose_softly(
    options: list[Placement], scores: list[int], strategy: Strategy, turn_word: int
) -> Placement:
    times = Counter(tile for tile, _ in options)
    shares = []
    for (tile, _), score in zip(options, scores, strict=True):
        share = math.floor(2**32 * math.exp((score - max(scores)) / 65536 / strategy.temperature))
        shares.append(share * 2 if strategy.ties == "tiles" and times[tile] == 1 else share)
    pick = math.floor((turn_word >> 11) * 2.0**-53 * sum(shares))
    for option, share in zip(options, shares, strict=True):
        if pick < share:
            return option
        pick -= share
    raise AssertionError("the pick lies below the sum of the shares")


# --- the game -------------------------------------------------------------------------------


@dataclass
class Turn:
    """One turn of a seat. A pass has no tile, end and number; a lead has no end and number."""

    seat: int
    draws: list[Tile]
    tile: Tile | None
    end: int | None
    number: int | None
    ends: tuple[int, int]


@dataclass
class Table:
    """A round in play: the rules of the game, without chance and without choice."""

    rules: Rules
    hands: list[list[Tile]]
    boneyard: list[Tile]
    seat: int
    ends: tuple[int, int] | None = None
    line: list[Tile] = field(default_factory=list)
    closing: int = 0
    ending: str | None = None
    lacks: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    last: Last | None = None
    pass_rounds: Counter[int] = field(default_factory=Counter)

    def copy(self) -> "Table":
        hands = [list(hand) for hand in self.hands]
        return Table(
            self.rules, hands, list(self.boneyard), self.seat, self.ends, list(self.line),
            self.closing, self.ending, deepcopy(self.lacks), self.last, Counter(self.pass_rounds),
        )  # fmt: skip

    def may_draw(self) -> bool:
        mode = self.rules.boneyard
        return mode != Boneyard.BLOCK and len(self.boneyard) > self.rules.reserve

    def options(self) -> list[Placement]:
        return placements(self.hands[self.seat], self.ends)

    def must_draw(self, drawn: int) -> bool:
        """Whether the seat draws now, after having drawn ``drawn`` tiles in this turn."""
        if not self.may_draw():
            return False
        if self.rules.boneyard == Boneyard.DRAW:
            return not self.options()
        return drawn == 0 and not self.options()

    def may_place(self, drawn: int) -> bool:
        """Whether the seat plays a tile, now that it draws no more."""
        if drawn and self.rules.boneyard == Boneyard.DRAW_ONE_PASS:
            return False
        return bool(self.options())

    def show(self, numbers: tuple[int, int], kept: int) -> None:
        """What all know once the seat could not play on ``numbers``, and of its draws kept so many.

        Of tiles that it drew and kept only this is known: had they fitted, they would have been
        played; and not even this where a drawn tile is never played at once.
        """
        if kept == 0:
            self.lacks[self.seat] |= set(numbers)
        elif self.rules.boneyard == Boneyard.DRAW_ONE_PASS:
            self.lacks[self.seat] = set()
        else:
            self.lacks[self.seat] = set(numbers)

    def draw(self, place: int = 0) -> Tile:
        """Take the tile at ``place`` of the boneyard: the first, but for the enumeration."""
        tile = self.boneyard.pop(place)
        self.hands[self.seat].append(tile)
        return tile

    def place(self, placement: Placement) -> None:
        if self.closing == self.rules.players - 1 and self.last and self.last.seat == self.seat:
            self.pass_rounds[self.seat] += 1
        self.last = self._as_last(placement)
        self.ends = ends_after(placement, self.ends)
        self.hands[self.seat].remove(placement[0])
        self.line.append(placement[0])
        self.closing = 0
        if not self.hands[self.seat]:
            self.ending = "domino"
        else:
            self._next_seat()

    def _as_last(self, placement: Placement) -> Last:
        tile, end = placement
        if self.ends is None:
            return Last(self.seat, *tile, None)
        fitted = self.ends[end]
        return Last(self.seat, fitted, other_number(tile, fitted), self.ends[1 - end])

    def pass_turn(self) -> None:
        if not self.may_draw() and not self.options():
            self.closing += 1
        if self.closing == self.rules.players:
            self.ending = "blocked"
        else:
            self._next_seat()

    def _next_seat(self) -> None:
        self.seat = (self.seat + 1) % self.rules.players

    def ended(self, opener: int) -> Ended:
        """The round as it lies on the table, now that it has ended."""
        assert self.last is not None
        times = [self.pass_rounds[seat] for seat in range(self.rules.players)]
        return Ended(self.rules, self.hands, opener, self.last, self.ending == "blocked", times)


def begin_turn(table: Table) -> tuple[list[Tile], bool]:
    """Draw as the rules say, and show what that shows: the tiles drawn, and whether one is played.

    The table is modified in place.
    """
    before = table.ends
    is_stuck = not table.options()
    draws: list[Tile] = []
    while table.must_draw(len(draws)):
        draws.append(table.draw())
    plays = table.may_place(len(draws))
    if is_stuck and before is not None:
        table.show(before, len(draws) - plays)
    return draws, plays


def opening_seat(hands: list[list[Tile]], named: int | None = None) -> tuple[int, Tile]:
    """The seat that holds the highest double, else the heaviest tile, and that tile.

    With a double ``named`` it is looked for first, then those below it, then from the highest.
    """
    held = [(tile, seat) for seat, hand in enumerate(hands) for tile in hand]
    doubles = [(tile, seat) for tile, seat in held if is_double(tile)]
    if doubles:
        tile, seat = max(doubles, key=lambda one: (named is None or one[0][0] <= named, one[0]))
    else:
        tile, seat = max(held, key=lambda one: (sum(one[0]), max(one[0])))
    return seat, tile


def has_named_only(rules: Rules) -> bool:
    """Whether no double but the named one opens, and a lot if that was not dealt."""
    return rules.opening == Opening.NAMED_DOUBLE and rules.named_missing == NamedMissing.LOT


def is_thrown_in(rules: Rules, hands: list[list[Tile]], leader: int | None = None) -> bool:
    """Whether a deal is not played but dealt again; a known ``leader`` needs no double."""
    doubles = [sum(1 for tile in hand if is_double(tile)) for hand in hands]
    if rules.misdeal > 0 and max(doubles) >= rules.misdeal:
        return True
    by_double = rules.opening in (
        Opening.HIGHEST_DOUBLE,
        Opening.HOLDER_LEADS_ANY,
        Opening.NAMED_DOUBLE,
    )
    by_double = by_double and leader is None and not has_named_only(rules)
    return by_double and rules.no_double == NoDouble.REDEAL and sum(doubles) == 0


# --- a round from the streams ---------------------------------------------------------------


@dataclass
class Story:
    """All that happened in a round."""

    deal: list[list[Tile]]
    boneyard: list[Tile]
    opener: int
    turns: list[Turn]
    ending: str
    last: Last
    winner: int | None
    hands_left: list[list[Tile]]
    boneyard_left: int
    pips: list[int]
    scores: dict[BlockScore, int]
    points: int
    pass_rounds: list[int]
    gained: list[int]
    plays: int
    draws: int
    passes: int
    redeals: int
    no_double: bool
    first_reply_stuck: bool
    dead_after_opening: bool


def dealt(
    rules: Rules, seed: int, index: int, leader: int | None = None
) -> tuple[list[list[Tile]], list[Tile], int]:
    """Hands, boneyard in drawing order, and how many deals were thrown in before."""
    key = stream_key(seed, SHUFFLE, index)
    attempt = 0
    while True:
        deck = shuffled(full_set(rules.max_pip), key, attempt)
        hands: list[list[Tile]] = [[] for _ in range(rules.players)]
        for k in range(rules.players * rules.deal):
            hands[k % rules.players].append(deck[k])
        if not is_thrown_in(rules, hands, leader):
            return hands, deck[rules.players * rules.deal :], attempt
        attempt += 1


class Mind(Protocol):
    """What decides for seats that sample: it is told all that everybody sees."""

    def opened(self, opener: int, decider: Tile | None, undealt: Tile | None) -> None:
        """The tile made the seat the opener, None if no tile decides; another was not dealt."""

    def could_not_play(self, seat: int, numbers: tuple[int, int], kept: int) -> None:
        """On ends of these numbers; it has drawn and kept so many tiles."""

    def played(self, seat: int, tile: Tile) -> None:
        """The seat played a tile that it did not draw in the same turn."""

    def decide(self, table: Table, seat: int, strategy: Any, counter: int) -> Placement:
        """What the seat plays; the turn's word is the counter mixed."""


def _opening(
    rules: Rules, hands: list[list[Tile]], key: int, leader: int | None
) -> tuple[int, Tile | None, Tile | None]:
    """Who opens, the tile that made it so, and a tile that is known not to have been dealt."""
    if leader is not None:
        return leader, None, None
    by_lot = Chance(word(key, 0)).draw(rules.players)
    if rules.opening == Opening.LOT:
        return by_lot, None, None
    if rules.opening == Opening.FIRST_SEAT:
        return 0, None, None
    if rules.opening != Opening.NAMED_DOUBLE:
        return *opening_seat(hands), None
    named = (rules.named_double, rules.named_double)
    if has_named_only(rules) and not any(named in hand for hand in hands):
        return by_lot, None, named
    return *opening_seat(hands, rules.named_double), None


def _decision(
    table: Table, strategy: Any, counter: int, forced: Tile | None, mind: Mind | None
) -> Placement:
    """What the seat plays, which has something to play."""
    may_lead_any = table.rules.opening == Opening.HOLDER_LEADS_ANY
    if table.ends is None and forced and not may_lead_any:
        return forced, 0
    if mind is not None and strategy.samples:
        return mind.decide(table, table.seat, strategy, counter)
    return choose(table, table.seat, strategy, mix(counter))


def play_round(
    rules: Rules,
    strategies: Sequence[Strategy],
    seed: int,
    index: int,
    leader: int | None = None,
    mind: Mind | None = None,
) -> Story:
    """Round ``index`` of ``seed``, each seat by its strategy.

    A ``leader`` leads any tile; without one the opening rule says who leads, and with what.
    With a ``mind``, see ``plain_mind.py``, seats that sample decide by it.
    """
    hands, boneyard, redeals = dealt(rules, seed, index, leader)
    key = stream_key(seed, CHOICE, index)
    opener, forced, undealt = _opening(rules, hands, key, leader)
    if mind is not None:
        mind.opened(opener, forced, undealt)
    table = Table(rules, [list(hand) for hand in hands], list(boneyard), opener)
    turns: list[Turn] = []
    stuck = False
    while table.ending is None:
        seat, before = table.seat, table.ends
        counter = (key + (len(turns) + 2) * GOLDEN) % WORD
        is_stuck = not table.options()
        draws, plays = begin_turn(table)
        if mind is not None and is_stuck and before is not None:
            mind.could_not_play(seat, before, len(draws) - plays)
        placement = _decision(table, strategies[seat], counter, forced, mind) if plays else None
        if placement is None:
            table.pass_turn()
        else:
            if mind is not None and not draws:
                mind.played(seat, placement[0])
            table.place(placement)
        assert table.ends is not None
        tile, end = placement or (None, None)
        if before is None or end is None:
            turns.append(Turn(seat, draws, tile, None, None, table.ends))
        else:
            turns.append(Turn(seat, draws, tile, end, before[end], table.ends))
        if len(turns) == 1:
            stuck = not placements(table.hands[(opener + 1) % rules.players], table.ends)
    ended = table.ended(opener)
    scores = scores_of(ended)
    return Story(
        deal=hands,
        boneyard=boneyard,
        opener=opener,
        turns=turns,
        ending=table.ending,
        last=ended.last,
        winner=winner_of(ended),
        hands_left=table.hands,
        boneyard_left=len(table.boneyard),
        pips=ended.pips,
        scores=scores,
        points=scores[BlockScore(rules.block_score)],
        pass_rounds=list(ended.pass_rounds),
        gained=gained_by(ended),
        plays=len(table.line),
        draws=sum(len(turn.draws) for turn in turns),
        passes=sum(1 for turn in turns if turn.tile is None),
        redeals=redeals,
        no_double=not any(is_double(tile) for hand in hands for tile in hand),
        first_reply_stuck=stuck,
        dead_after_opening=table.ending == "blocked" and len(table.line) == 1,
    )
