"""Taking a round, or a whole match, out of a run."""

from collections.abc import Callable
from typing import Any, NamedTuple

from simdom._version import __version__
from simdom.counts import MOST_ROUNDS, check_whole
from simdom.errors import UsageError
from simdom.formats import json_text
from simdom.showing.finding import find_round, parse_wanted
from simdom.showing.runs import Run
from simdom.showing.svg import draw_line
from simdom.transcripts.recording import transcribe, transcribe_match
from simdom.transcripts.referee import judge
from simdom.transcripts.round_document import round_to_dict
from simdom.transcripts.transcript import Transcript
from simdom.transcripts.writing import write_transcript

__all__ = ["DEFAULT_ROUNDS", "Taken", "Which", "take"]

DEFAULT_ROUNDS = 100_000
"""Rounds that are looked through where nobody says how many."""


class Which(NamedTuple):
    """What is to be taken.

    Attributes:
        number: of the round, from 0, in the match if there is one. None for the first; in a match,
            for all.
        wanted: what round to look for instead, see `simdom.showing.finding`.
        rounds: to look through; None for those of the saved result, or `DEFAULT_ROUNDS`.
        match: number of the match, from 0; None for single rounds.
        leader: the seat that leads any tile; None for the opening rule.
    """

    number: int | None = None
    wanted: str | None = None
    rounds: int | None = None
    match: int | None = None
    leader: int | None = None


class Taken(NamedTuple):
    """A round, or the rounds of a match.

    Attributes:
        transcript: of it.
        run: that it comes from.
        heading: what it is, in a line.
        words: the options that take it out again.
        facts: what its document says besides the transcript.
    """

    transcript: Transcript
    run: Run
    heading: str
    words: list[str]
    facts: dict[str, Any]

    @property
    def is_match(self) -> bool:
        """Whether these are all rounds of a match."""
        return self.transcript.rounds[0].number is not None and "round" not in self.facts

    @property
    def lead(self) -> str:
        """How many play, and how."""
        rules, strategies = self.run.study.rules, self.run.study.strategies
        names = [one.name for one in strategies]
        play = names[0] if len(set(names)) == 1 else ", ".join(names)
        return (
            f"{rules.players} players, {rules.deal} tiles each of double-{rules.max_pip} ({play})"
        )

    def to_text(self) -> str:
        """The transcript."""
        return write_transcript(self.transcript)

    def to_json(self) -> str:
        """The document of a round.

        Raises:
            UsageError: this is a match.
        """
        document = round_to_dict(self._one_round())
        schema = document.pop("schema")
        strategies = [one.name for one in self.run.study.strategies]
        facts = {"strategies": strategies, "seed": self.run.study.seed, **self.facts}
        return json_text({"schema": schema, "simdom": __version__, **facts, **document})

    def drawing(self) -> str:
        """The final line, as the text of an SVG file.

        Raises:
            UsageError: this is a match.
        """
        table = judge(self._one_round()).rounds[0].table
        return draw_line(table.line, table.lead_at, self.heading)

    def _one_round(self) -> Transcript:
        if self.is_match:
            raise UsageError("a match has many rounds: name one with --round, the first is 0")
        return self.transcript


def take(run: Run, which: Which, progress: Callable[[int, int], None] | None = None) -> Taken:
    """Take a round or a match out of a run.

    Args:
        run: that it comes from.
        which: what to take.
        progress: called now and then while a round is looked for, with the rounds looked at and
            those there are.

    Raises:
        UsageError: two ways to say which round; a number that there is not; as `parse_wanted`.
        RunError: no round is wanted.
        StrategyError: a strategy that is a function failed, or answered with no placement.
    """
    if which.wanted is not None and (which.number, which.match, which.leader) != (None, None, None):
        raise UsageError("--find looks for a round: leave out --round, --match and --leader")
    if which.match is not None:
        return _take_from_match(run, which, which.match)
    if run.matches is not None:
        raise UsageError("the result is one of matches: name one with --match, the first is 0")
    rules = run.study.rules
    leader = which.leader
    if leader is not None:
        leader = check_whole("--leader", leader, 0, rules.players - 1)
    if which.wanted is None:
        most = MOST_ROUNDS if run.rounds is None else run.first + run.rounds - 1
        number = run.first if which.number is None else which.number
        index = check_whole("--round", number, run.first, most)
    else:
        rounds = which.rounds or run.rounds or DEFAULT_ROUNDS
        wanted = parse_wanted(which.wanted, rules)
        index = find_round(run.study, wanted, rounds, progress, first=run.first)
    transcript, redeals = transcribe(run.variant, run.study, index, leader)
    return Taken(
        transcript=transcript,
        run=run,
        heading=f"{run.variant}: round {index:,} of seed {run.study.seed}",
        words=["--round", str(index)] + ([] if leader is None else ["--leader", str(leader)]),
        facts={"round": index, "redeals": redeals},
    )


def _take_from_match(run: Run, which: Which, match: int) -> Taken:
    """All rounds of a match, or the one that is named."""
    if run.records is not None and run.matches is None:
        raise UsageError(f"{run.records} is of single rounds: name one with --round")
    most = MOST_ROUNDS if run.matches is None else run.first + run.matches - 1
    match = check_whole("--match", match, run.first, most)
    if which.leader is not None:
        raise UsageError("--leader is for single rounds: in a match, its rules say who leads")
    if run.target is None:
        raise UsageError(f"{run.variant} names no target for {run.study.rules.players} players")
    transcript = transcribe_match(run.variant, run.study, run.target, match)
    heading = f"{run.variant}: match {match:,} of seed {run.study.seed}, to {run.target} points"
    words = ["--match", str(match)]
    facts: dict[str, Any] = {"match": match}
    if which.number is not None:
        last = len(transcript.rounds) - 1
        index = check_whole("--round", which.number, 0, last)
        transcript = transcript.only(index)
        heading = f"{run.variant}: round {index} of match {match:,} of seed {run.study.seed}"
        words += ["--round", str(index)]
        facts |= {"round": index}
    return Taken(transcript, run, heading, words, facts)
