"""Rounds one by one: a row for each, or the whole story of one."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from simdom.counts import MOST_ROUNDS, check_whole
from simdom.engine.kernels import Trace, list_rounds, record_round
from simdom.engine.scoring import NOBODY
from simdom.engine.tally import Outcome
from simdom.rules import Rules
from simdom.settling import settle_round
from simdom.simulate import Strategies, study_of
from simdom.tiles import tile_name
from simdom.variants import Variant, as_variant

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

__all__ = ["RoundTrace", "Turn", "simulate_rounds", "tell_round", "trace_round"]

MOST_ROWS = 10**8
_ROWS_AT_A_TIME = 100_000


class Turn(NamedTuple):
    """What one seat did in its turn.

    Attributes:
        seat: who.
        draws: ids of the tiles drawn, in order.
        tile: id of the tile placed, or None for a pass.
        end: 0 or 1, the end that it was placed on; None for a lead and a pass.
        number: the number that it was placed on; None for a lead and a pass.
        ends: the open ends after the turn.
    """

    seat: int
    draws: list[int]
    tile: int | None
    end: int | None
    number: int | None
    ends: tuple[int, int]

    def __str__(self) -> str:
        """The turn in words."""
        acts = [f"draws {_names(self.draws)}"] if self.draws else []
        if self.tile is None:
            return f"seat {self.seat} {', '.join([*acts, 'passes'])}"
        played = tile_name(self.tile)
        acts += [f"leads {played}" if self.end is None else f"plays {played} on {self.number}"]
        return f"seat {self.seat} {', '.join(acts)}; open ends {self.ends[0]} and {self.ends[1]}"


class RoundTrace(NamedTuple):
    """The story of one round; tiles are ids, see `simdom.tiles`.

    Attributes:
        hands: what each seat was dealt, in the order of dealing.
        boneyard: in the order of drawing, the reserve last.
        redeals: deals thrown in before this one.
        opener: the seat that led.
        turns: every turn, the lead first.
        end: "domino" or "blocked".
        winner: a seat, or None if nobody won.
        hands_left: what each seat still held, in the order in which it came.
        pips: what those hands count.
        scores: what each scoring awards the winner, by name; on a split, what the tied seats share.
        points: the one of them that the rules award.
        gained: points by seat.
    """

    hands: list[list[int]]
    boneyard: list[int]
    redeals: int
    opener: int
    turns: list[Turn]
    end: str
    winner: int | None
    hands_left: list[list[int]]
    pips: list[int]
    scores: dict[str, int]
    points: int
    gained: list[int]

    def __str__(self) -> str:
        """The round in words, a line a turn."""
        hands = [f"seat {seat} holds {_names(hand)}" for seat, hand in enumerate(self.hands)]
        boneyard = [f"the boneyard is {_names(self.boneyard)}"] if self.boneyard else []
        count = ", ".join(f"{pips} to seat {seat}" for seat, pips in enumerate(self.pips))
        wins = "nobody wins" if self.winner is None else f"seat {self.winner} wins"
        end = f"{self.end}: pips left are {count}; {wins}, {self.points} points are awarded"
        return "\n".join([*hands, *boneyard, *map(str, self.turns), end])


def _names(tiles: list[int]) -> str:
    return " ".join(tile_name(tile) for tile in tiles)


def simulate_rounds(
    variant: str | Variant | Rules = "pagat-draw",
    rounds: float = 1_000,
    *,
    start: int = 0,
    players: int | None = None,
    overrides: Mapping[str, object] | None = None,
    strategy: Strategies = "random",
    seed: int = 1,
) -> "DataFrame":
    """Play rounds and list them, one row a round.

    The rounds are those that `simdom.simulate.simulate` plays: round number i is the same in both.

    Args:
        variant: a preset's name, the path of a TOML file, a `Variant`, or `Rules`.
        rounds: how many, from 1 to 1e8; a row takes about 150 bytes.
        start: index of the first.
        players: seats at the table; None for the variant's own.
        overrides: toggles of `Rules` to change, such as ``{"reserve": 0}``.
        strategy: how all seats play, or one strategy for each seat.
        seed: 0 to 2**64 - 1.

    Returns:
        A DataFrame with the columns ``round``, ``opener`` (seat), ``opening_tile`` (such as
        "6-6"), ``end`` ("domino" or "blocked"), ``winner`` (seat, -1 for nobody), ``points``,
        ``points_minus_own``, ``points_others``, ``points_all_hands``, ``plays``, ``draws``,
        ``passes``, ``boneyard_left``, ``redeals``, ``no_double``, ``first_reply_stuck``, and
        ``pips_0``, ``pips_1``, ... left by seat of the table, and ``points_0``, ``points_1``, ...
        that each seat gained; seats that share a block gain equal shares, rounded down.

    Raises:
        UsageError: a value that cannot be used; the line names it and what is allowed.
        RulesError: rules under which no round can be played.

    >>> frame = simulate_rounds("pagat-block", 3, seed=7)
    >>> list(frame["round"])
    [0, 1, 2]
    """
    from pandas import Categorical, DataFrame, Index

    rounds = check_whole("rounds", rounds, 1, MOST_ROWS)
    start = check_whole("start", start, 0, MOST_ROUNDS)
    study = study_of(as_variant(variant).rules(players, overrides), strategy, seed)
    rules, stop = study.rules, start + rounds
    pieces = [
        list_rounds(study, at, min(at + _ROWS_AT_A_TIME, stop))
        for at in range(start, stop, _ROWS_AT_A_TIME)
    ]
    rows = np.concatenate(pieces)
    of: dict[str, NDArray[np.int64]] = dict(zip(Outcome._fields, rows.T, strict=False))
    pips, gained = np.split(rows.T[len(Outcome._fields) :], 2)
    names = [tile_name(tile) for tile in range(rules.tiles)]
    return DataFrame(
        {
            "round": np.arange(start, stop),
            "opener": of["opener"],
            "opening_tile": Categorical.from_codes(of["opening_tile"], Index(names)),
            "end": Categorical.from_codes(of["blocked"], Index(["domino", "blocked"])),
            "winner": of["winner"],
            "points": of["points"],
            "points_minus_own": of["minus_own"],
            "points_others": of["others"],
            "points_all_hands": of["all_hands"],
            "plays": of["plays"],
            "draws": of["draws"],
            "passes": of["passes"],
            "boneyard_left": rules.boneyard_size - of["draws"],
            "redeals": of["redeals"],
            "no_double": of["no_double"].astype(bool),
            "first_reply_stuck": of["stuck"].astype(bool),
            **{f"pips_{seat}": left for seat, left in enumerate(pips)},
            **{f"points_{seat}": points for seat, points in enumerate(gained)},
        }
    )


def trace_round(
    variant: str | Variant | Rules = "pagat-draw",
    index: int = 0,
    *,
    players: int | None = None,
    overrides: Mapping[str, object] | None = None,
    strategy: Strategies = "random",
    seed: int = 1,
) -> RoundTrace:
    """Play one round of a run again and tell its story; print it to read it.

    Args:
        variant: a preset's name, the path of a TOML file, a `Variant`, or `Rules`.
        index: which round of the run, from 0.
        players: seats at the table; None for the variant's own.
        overrides: toggles of `Rules` to change, such as ``{"reserve": 0}``.
        strategy: how all seats play, or one strategy for each seat.
        seed: 0 to 2**64 - 1.

    Raises:
        UsageError: a value that cannot be used; the line names it and what is allowed.
        RulesError: rules under which no round can be played.

    >>> print(trace_round("pagat-block", 11, overrides={"max_pip": 3, "deal": 3}))
    seat 0 holds 3-1 2-0 3-3
    seat 1 holds 2-2 3-2 1-0
    the boneyard is 0-0 2-1 1-1 3-0
    seat 0 leads 3-3; open ends 3 and 3
    seat 1 plays 3-2 on 3; open ends 2 and 3
    seat 0 plays 3-1 on 3; open ends 2 and 1
    seat 1 plays 1-0 on 1; open ends 2 and 0
    seat 0 plays 2-0 on 2; open ends 0 and 0
    domino: pips left are 0 to seat 0, 4 to seat 1; seat 0 wins, 4 points are awarded
    """
    index = check_whole("index", index, 0, MOST_ROUNDS)
    study = study_of(as_variant(variant).rules(players, overrides), strategy, seed)
    return tell_round(study.rules, record_round(study, index))


def tell_round(rules: Rules, trace: Trace) -> RoundTrace:
    """The story of a round that the engine has recorded under these rules."""
    dealt = rules.players * rules.deal
    deck = trace.deck.tolist()
    hands = [deck[seat : dealt : rules.players] for seat in range(rules.players)]
    turns, left = _tell_turns(trace.moves.tolist(), hands, deck[dealt:])
    outcome = trace.outcome
    settled = settle_round(
        rules,
        left,
        opener=outcome.opener,
        last=trace.last,
        is_blocked=bool(outcome.blocked),
        pass_rounds=trace.pass_rounds,
    )
    return RoundTrace(
        hands=hands,
        boneyard=deck[dealt:],
        redeals=outcome.redeals,
        opener=outcome.opener,
        turns=turns,
        end="blocked" if outcome.blocked else "domino",
        winner=None if outcome.winner == NOBODY else outcome.winner,
        hands_left=left,
        pips=trace.pips.tolist(),
        scores=settled.scores,
        points=outcome.points,
        gained=trace.gained.tolist(),
    )


def _tell_turns(
    moves: list[list[int]], hands: list[list[int]], boneyard: list[int]
) -> tuple[list[Turn], list[list[int]]]:
    """The turns in the words of `Turn`, and the hands after the last."""
    left = [list(hand) for hand in hands]
    turns: list[Turn] = []
    drawn = 0
    for seat, draws, tile, end, end_0, end_1 in moves:
        tiles = boneyard[drawn : drawn + draws]
        drawn += draws
        left[seat] += tiles
        if tile >= 0:
            left[seat].remove(tile)
        turns.append(
            Turn(
                seat,
                tiles,
                tile=tile if tile >= 0 else None,
                end=end if end >= 0 else None,
                number=turns[-1].ends[end] if end >= 0 else None,
                ends=(end_0, end_1),
            )
        )
    return turns, left
