"""A person who plays as a strategy would: the answers are taken from a record of the engine."""

from simdom.playing.asking import Placement
from simdom.playing.table import Setup, Table
from simdom.strategies import parse_strategies


def setup_of(name, rules, strategies, seed, *, seat=0, target=None):
    """A table like a study's, with a person at ``seat``."""
    seats = list(parse_strategies(strategies, rules.players))
    seats[seat] = None
    return Setup(name, rules, tuple(seats), seed, target=target)


def follow(table, rounds_of_turns):
    """Answer every question with what stands in the record of that round, turn by turn."""
    while table.question is not None:
        turns = rounds_of_turns[len(table.rounds)]
        tile, number = turns[len(table.question.turns)]
        table.choose(Placement(tile, number))
    return table


def first_always(setup):
    """Answer every question with its first placement."""
    table = Table(setup)
    while table.question is not None:
        table.choose(table.question.placements[0])
    return table
