"""One round as a JSON document of schema ``simdom.round/1``, in both directions."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from simdom.errors import UsageError
from simdom.presets import Document, dotted, naming
from simdom.rules import TOGGLES, Rules, rules_from_dict, rules_to_dict
from simdom.tiles import tile_name
from simdom.transcripts.choice import Choice
from simdom.transcripts.phrases import (
    ENDS,
    check_apart,
    check_choice_of_words,
    check_name,
    parse_tile_or_unknown,
)
from simdom.transcripts.transcript import (
    NO_VARIANT,
    Ending,
    Tiles,
    Transcript,
    WrittenRound,
    WrittenTurn,
)
from simdom.variants import variant_names

__all__ = ["SCHEMA", "parse_round", "round_to_dict"]

SCHEMA = "simdom.round/1"


Seat = Annotated[int, Field(ge=0, le=13)]
Number = Annotated[int, Field(ge=0, le=18)]
Count = Annotated[int, Field(ge=0, le=10**9)]


class _Turn(Document):
    seat: Seat
    draws: list[str | None] = Field(default=[])
    tile: str | None = None
    on: Number | None = None
    ends: tuple[Number, Number] | None = None
    is_pass: bool = Field(default=False, alias="pass")


class _Round(Document):
    """What a document may say; some of it is there to be read, and judges nothing."""

    schema_name: Literal["simdom.round/1"] = Field(alias="schema")
    rules: dict[str, Count | str]
    hands: list[list[str | None] | None]
    boneyard: list[str | None] | None = None
    turns: list[_Turn]
    end: str | None = None
    winner: Seat | None = None
    pips: tuple[Count, ...] | None = None
    scores: dict[str, Count] | None = None
    points: Count | None = None
    leader: Seat | None = None
    variant: str = NO_VARIANT
    names: list[str | None] = Field(default=[])
    simdom: str = ""
    strategies: list[str] = Field(default=[])
    seed: int = 0
    match: int = 0
    round: int = 0
    redeals: int = 0
    gained: list[int] = Field(default=[])


def round_to_dict(transcript: Transcript, number: int = 0) -> dict[str, Any]:
    """The document of round ``number`` of a transcript; what is not known is None.

    Where a round is not over, and where nothing is said of its end, ``end`` is None.
    """
    written = transcript.rounds[number]
    said = written.ending
    boneyard = written.boneyard
    if boneyard is None and transcript.rules.boneyard_size == 0:
        boneyard = ()
    optional = {
        "leader": written.leader,
        "names": list(transcript.names) or None,
    }
    return {
        "schema": SCHEMA,
        "variant": transcript.variant,
        "rules": rules_to_dict(transcript.rules),
        **{key: value for key, value in optional.items() if value is not None},
        "hands": [_names(hand) for hand in written.hands],
        "boneyard": _names(boneyard),
        "turns": [_turn_to_dict(turn) for turn in written.turns],
        "end": said and said.end,
        **(_ending_to_dict(said) if said else {}),
    }


def _turn_to_dict(turn: WrittenTurn) -> dict[str, Any]:
    if turn.tile is None:
        return {"seat": turn.seat, "draws": _names(turn.draws), "pass": True}
    ends = {} if turn.ends is None else {"ends": list(turn.ends)}
    return {
        "seat": turn.seat,
        "draws": _names(turn.draws),
        "tile": tile_name(turn.tile),
        "on": turn.on,
        **ends,
    }


def _ending_to_dict(said: Ending) -> dict[str, Any]:
    document: dict[str, Any] = {}
    if said.winner is not None:
        document["winner"] = None if said.winner < 0 else said.winner
    if said.pips is not None:
        document["pips"] = list(said.pips)
    if said.scores is not None:
        document["scores"] = dict(said.scores)
    if said.points is not None:
        document["points"] = said.points
    return document


def _names(tiles: Sequence[int | None] | None) -> list[str | None] | None:
    if tiles is None:
        return None
    return [None if tile is None else tile_name(tile) for tile in tiles]


def parse_round(content: bytes | str, choice: Choice | None = None) -> Transcript:
    """The transcript of one round that a JSON document is.

    Args:
        content: of the form that ``docs/transcripts.md`` describes; bytes in UTF-8.
        choice: rules to judge by instead of its own.

    Raises:
        UsageError: it is no JSON, or no document of `SCHEMA`; a tile that the set does not have, or
            that is dealt twice; a hand of the wrong size; a seat that is not at the table.
        RulesError: rules under which no round can be played.
    """
    try:
        document = _Round.model_validate_json(content)
    except ValidationError as error:
        raise UsageError(_first_problem(error)) from None
    choice = choice or Choice()
    with naming("rules"):
        variant, rules = _rules_of(document, choice)
    written = WrittenRound(
        hands=tuple(_read_hands(rules, document.hands)),
        boneyard=_read_boneyard(rules, document.boneyard),
        turns=tuple(_read_turn(rules, turn, at) for at, turn in enumerate(document.turns)),
        ending=_read_ending(rules, document),
        leader=None if document.leader is None else _seat(rules, document.leader, "leader"),
    )
    places = [(f"hand {seat}", hand or ()) for seat, hand in enumerate(written.hands)]
    check_apart([*places, ("the boneyard", written.boneyard or ())])
    if len(document.names) > rules.players:
        raise UsageError(f"names: {len(document.names)} of them for {rules.players} seats")
    names = tuple(None if name is None else check_name(name) for name in document.names)
    return Transcript(variant, rules, (written,), names=names, is_text=False)


def _rules_of(document: _Round, choice: Choice) -> tuple[str, Rules]:
    if choice.variant is not None:
        players = document.rules.get("players")
        return choice.rules(None, {}, players if isinstance(players, int) else None)
    variant = document.variant if document.variant in variant_names() else NO_VARIANT
    return variant, rules_from_dict({**document.rules, **choice.overrides})


def _read_hands(rules: Rules, hands: list[list[str | None] | None]) -> list[Tiles | None]:
    if len(hands) != rules.players:
        raise UsageError(f"hands: there are {len(hands)}, and {rules.players} seats")
    return [
        None if hand is None else _read_tiles(rules, hand, f"hands.{seat}", rules.deal)
        for seat, hand in enumerate(hands)
    ]


def _read_boneyard(rules: Rules, tiles: list[str | None] | None) -> Tiles | None:
    if tiles is None:
        return None
    return _read_tiles(rules, tiles, "boneyard", rules.boneyard_size) or None


def _read_tiles(rules: Rules, names: list[str | None], key: str, size: int) -> Tiles:
    if len(names) != size:
        raise UsageError(f"{key}: it has {len(names)} tiles, and the rules give it {size}")
    return tuple(_read_tile(rules, name, key) for name in names)


def _read_tile(rules: Rules, name: str | None, key: str) -> int | None:
    if name is None:
        return None
    with naming(key):
        return parse_tile_or_unknown(rules, name)


def _read_turn(rules: Rules, turn: _Turn, at: int) -> WrittenTurn:
    key = f"turns.{at}"
    if turn.is_pass == (turn.tile is not None):
        raise UsageError(f'{key}: a turn has either a "tile" or "pass": true')
    return WrittenTurn(
        _seat(rules, turn.seat, f"{key}.seat"),
        tuple(_read_tile(rules, name, f"{key}.draws") for name in turn.draws),
        tile=_read_tile(rules, turn.tile, f"{key}.tile"),
        on=turn.on,
        ends=turn.ends,
    )


def _seat(rules: Rules, seat: int, key: str) -> int:
    if not 0 <= seat < rules.players:
        raise UsageError(f"{key}: there is no seat {seat}: the seats are 0 to {rules.players - 1}")
    return seat


def _read_ending(rules: Rules, document: _Round) -> Ending | None:
    if document.end is None:
        return None
    winner = document.winner
    if winner is not None:
        winner = _seat(rules, winner, "winner")
    elif "winner" in document.model_fields_set:
        winner = -1  # null: nobody
    for name in document.scores or ():
        with naming("scores"):
            check_choice_of_words("way to score", name, TOGGLES["block_score"].values)
    return Ending(
        check_choice_of_words("end", document.end, ENDS),
        winner=winner,
        points=document.points,
        pips=document.pips,
        scores=document.scores,
    )


def _first_problem(error: ValidationError) -> str:
    problem = error.errors(include_url=False)[0]
    if problem["type"] == "json_invalid":
        return f"is not JSON: {problem['ctx']['error']}" if "ctx" in problem else "is not JSON"
    where = dotted(*map(str, problem["loc"]))
    return f"{where}: {problem['msg'][:1].lower()}{problem['msg'][1:]}"
