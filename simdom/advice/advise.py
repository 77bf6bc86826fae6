"""Advice to a seat in a round that goes on: what it may play, and what each placement is worth."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from simdom.advice.advice import Advice, Known, Option
from simdom.advice.knowing import Knowledge
from simdom.advice.standing import Standing, take_standing
from simdom.advice.worth import Worth, weigh_worth
from simdom.counts import check_whole
from simdom.engine.asides import Setting, set_scene
from simdom.engine.think import DECIDES
from simdom.errors import RunError, UsageError, check_choice
from simdom.estimate import check_confidence
from simdom.presets import naming
from simdom.rules import Opening
from simdom.simulate import DEFAULT_CONFIDENCE, MOST_SEED
from simdom.strategies import AIMS, MOST_SAMPLES, load_strategy
from simdom.tiles import tile_name
from simdom.transcripts.loading import load_transcript
from simdom.transcripts.transcript import Transcript

__all__ = ["advise", "check_other", "load_standing"]

STRATEGY = "sharp"
DEFAULT_SAMPLES = MOST_SAMPLES


def advise(
    transcript: Transcript | str | Path,
    seat: int,
    *,
    of: int | None = None,
    turn: int | None = None,
    samples: float = DEFAULT_SAMPLES,
    aim: str = AIMS[0],
    seed: int = 1,
    round_index: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
) -> Advice:
    """What a seat may do in its turn, what ``sharp`` makes of it, and what is known of the others.

    Only what the seat may know is used, whatever else the transcript says.

    Args:
        transcript: in progress: `simdom.load_transcript` reads it; or the path of its file.
        seat: whose turn it is, and who asks.
        of: the seat whose chance to answer stands in tables; the next one unless given.
        turn: the turn of the last round, from 1, that is asked about; the next one unless given.
        samples: worlds that are looked at, 1 to 10,000; all of them if there are no more.
        aim: what placements are ranked by, "points" won less lost or the chance to "win".
        seed: of the lots, 0 to 2**64 - 1.
        round_index: the lots are those of this round of a run with the seed.
        confidence: of the intervals, each alone.

    Raises:
        UsageError: as `take_standing`; it is another seat's turn; the file cannot be read; a value
            that is out of its range.
        RunError: the transcript is not legal; no deal agrees with it.
    """
    strategy = replace(
        load_strategy(STRATEGY),
        name=f"{STRATEGY}:samples={samples:g}" + (f":aim={aim}" if aim != AIMS[0] else ""),
        samples=check_whole("samples", samples, 1, MOST_SAMPLES),
        aim=check_choice("aim", aim, AIMS),
    )
    seed = check_whole("seed", seed, 0, MOST_SEED)
    round_index = check_whole("round", round_index, 0, MOST_SEED)
    confidence = check_confidence(confidence)
    standing, source = load_standing(transcript, seat, turn)
    of = check_other(standing, standing.others[0] if of is None else of)
    with naming(source or "the transcript"):
        _check_turn(standing)
    setting = set_scene(standing.scene, strategy)
    must = _must(standing)
    if must:
        worth, options = None, []
    else:
        worth = weigh_worth(setting, seed, round_index, confidence)
        options = _options(standing, worth)
    known, uncounted = _count(standing, setting, options)
    return Advice(
        standing=standing,
        strategy=strategy,
        options=tuple(options),
        must=must,
        worth=worth,
        known=known,
        uncounted=uncounted,
        of=of,
        seed=seed,
        round_index=round_index,
        confidence=confidence,
        source=source,
        turn=turn,
    )


def _count(
    standing: Standing, setting: Setting, options: Sequence[Option]
) -> tuple[Known | None, str]:
    """(what can be counted exactly, why it cannot)."""
    ends = standing.table.ends
    try:
        knowledge = Knowledge(standing, setting)
        return Known(
            worlds=knowledge.worlds,
            voids=knowledge.voids(),
            all_voids=knowledge.knows_all_voids,
            now=None if ends is None else _answers(standing, knowledge, ends),
            after=[_answers(standing, knowledge, option.ends_after(ends)) for option in options],
        ), ""
    except RunError as error:
        return None, str(error)


def _answers(
    standing: Standing, knowledge: Knowledge, ends: tuple[int, int]
) -> dict[int, Fraction]:
    """The chance of each other seat to hold a tile that fits, the next seat first."""
    return {seat: knowledge.chance_to_answer(seat, ends) for seat in standing.others}


def load_standing(
    transcript: Transcript | str | Path, seat: object, turn: object = None
) -> tuple[Standing, str]:
    """(how it stands for a seat, the file's name; empty if it is no file).

    Raises:
        UsageError, RunError: as `take_standing`, and the file cannot be read.
    """
    if isinstance(transcript, Transcript):
        return take_standing(transcript, seat, turn), ""
    source = str(transcript)
    loaded = load_transcript(source)
    with naming(source):
        return take_standing(loaded, seat, turn, source), source


def check_other(standing: Standing, of: object) -> int:
    """Return ``of`` if it is another seat than the one that asks.

    Raises:
        UsageError: it is not, or no seat.
    """
    seat = check_whole("of", of, 0, standing.rules.players - 1)
    if seat == standing.seat:
        raise UsageError(f"of must be another seat than {seat}, which knows its own hand")
    return seat


def _check_turn(standing: Standing) -> None:
    name = standing.name(standing.seat)
    if standing.to_move is None:
        raise UsageError(f"{name} cannot lead: it holds nothing that opens this round")
    if standing.to_move != standing.seat:
        raise UsageError(f"it is the turn of {standing.name(standing.to_move)}, not of {name}")


def _must(standing: Standing) -> str:
    """What the seat must do, as a transcript has it; empty if it has placements to choose from."""
    ends, scene = standing.table.ends, standing.scene
    if ends is None:
        is_told = scene.by_tile == DECIDES
        is_told = is_told and standing.rules.opening != Opening.HOLDER_LEADS_ANY
        return tile_name(scene.decider) if is_told else ""
    if standing.table.placements(standing.seat):
        return ""
    return "draw" if standing.may_draw else "pass"


def _options(standing: Standing, worth: Worth) -> list[Option]:
    """The placements, the best first; of equal ones the strategy's own, then in its order."""
    ends = standing.table.ends
    order = sorted(
        range(len(worth.placements)), key=lambda n: (-worth.values[n], n != worth.best, n)
    )
    return [
        Option(
            tile=worth.placements[n][0],
            on=None if ends is None else ends[worth.placements[n][1]],
            wins=worth.wins[n],
            points=worth.points[n],
            behind=worth.behind[n],
        )
        for n in order
    ]
