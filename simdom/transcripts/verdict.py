"""What the referee says, in lines of text."""

from collections.abc import Iterator

from simdom.rules import BlockScore, Teams
from simdom.settling import Settled
from simdom.transcripts.judging import JudgedRound, Problem
from simdom.transcripts.referee import Report, told_scores

__all__ = ["tell_report"]


def tell_report(report: Report) -> str:
    """The report as people read it; it ends with a line break."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    number = len(report.problems)
    wrong = "1 problem" if number == 1 else f"{number} problems"
    yield "legal" if report.is_legal else f"not legal: {wrong}"
    for problem in report.problems:
        yield from _tell_problem(report, problem)
    for number, judged in enumerate(report.rounds):
        label = f"round {report.transcript.rounds[number].number}: " if report.is_match else ""
        for line in _tell_round(report, judged):
            yield f"{label}{line}"
    if report.is_match:
        yield _tell_match(report)


def _tell_problem(report: Report, problem: Problem) -> Iterator[str]:
    where = f"line {problem.line}"
    if not problem.line:
        where = "the round" if problem.turn is None else f"turn {problem.turn + 1}"
    if report.is_match:
        where += f", round {report.transcript.rounds[problem.round].number}"
    yield f"  {where}: {problem.message} [{problem.rule}]"
    if problem.allowed:
        yield f"    allowed: {'; '.join(problem.allowed)}"


def _tell_round(report: Report, judged: JudgedRound) -> Iterator[str]:
    transcript, table = report.transcript, judged.table
    if judged.end is None:
        if table.seat is not None and not judged.problems:
            ends = " and ".join(map(str, table.ends or ()))
            yield f"not over: it is the turn of {transcript.name_of(table.seat)}, on {ends}"
        elif not judged.problems:
            yield "not over: nobody has led"
        else:
            yield "not judged to its end"
        return
    if judged.winner is None:
        yield f"{judged.end}: who wins is not known without {_join(judged.unknown)}"
        return
    who = "nobody wins" if judged.winner == -1 else f"{transcript.name_of(judged.winner)} wins"
    if judged.settled is None:
        yield f"{judged.end}: {who}; what it scores is not known without {_join(judged.unknown)}"
        return
    pips = ", ".join(
        f"{pips} to {transcript.name_of(seat)}" for seat, pips in enumerate(judged.settled.pips)
    )
    yield f"{judged.end}: {who}; pips left are {pips}"
    yield _tell_scores(report, judged.settled)


def _tell_scores(report: Report, settled: Settled) -> str:
    """Such as ``minus_own: 23 to seat 0; others: 29; all_hands: 35``."""
    block_score = report.transcript.rules.block_score
    own = BlockScore(block_score).name.lower()
    gained = [
        f"{points} to {report.transcript.name_of(seat)}"
        for seat, points in enumerate(settled.gained)
        if points
    ]
    first = f"{own}: {', '.join(gained) or 'nothing to anybody'}"
    others = [
        f"{name}: {points}"
        for name, points in told_scores(block_score, settled).items()
        if name != own and points != settled.points
    ]
    return "; ".join([first, *others])


def _tell_match(report: Report) -> str:
    is_team = report.transcript.rules.teams == Teams.PAIRS
    sides = "team" if is_team else "seat"
    if report.score is None:
        return "match: the score is not known"
    score = ", ".join(f"{points} to {sides} {side}" for side, points in enumerate(report.score))
    target = "" if report.target is None else f" of {report.target} points"
    if report.match_winner is None:
        return f"match{target}: {score}"
    return f"match{target}: {score}; {sides} {report.match_winner} has won"


def _join(words: list[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
