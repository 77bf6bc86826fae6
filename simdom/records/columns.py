"""The columns of a records file: their names and types, and how rows become them.

A type is as small as it may be for sums over the seats not to overflow: programs add columns of
one type in that type, and many of them wrap around silently.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from simdom.engine.matches import ROUND_INDICES
from simdom.engine.recorded import FIELDS
from simdom.engine.tally import most_passes, most_points, set_pips
from simdom.rules import NamedMissing, Opening, Rules
from simdom.tiles import tile_id, tile_name

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from simdom.records.playing import Rows

__all__ = ["schema_of", "table_of"]

_FLAGS = ("no_double", "first_reply_stuck")
_ENDS = ("domino", "blocked")

_FIELD_OF = {
    "winner": "winner",
    "points": "points",
    "points_minus_own": "minus_own",
    "points_others": "others",
    "points_all_hands": "all_hands",
    "plays": "plays",
    "draws": "draws",
    "passes": "passes",
    "opener": "opener",
    "no_double": "no_double",
    "first_reply_stuck": "stuck",
}
"""Columns that are fields as they are."""


def schema_of(rules: Rules, *, matches: bool) -> "pa.Schema":
    """Names and types of the columns, in their order.

    Args:
        rules: of the rounds.
        matches: whether they belong to matches.
    """
    import pyarrow as pa

    count = _integer(max(most_passes(rules), 2 * rules.tiles))
    points = _integer(rules.players * max(most_points(rules), set_pips(rules)))
    tile = pa.dictionary(pa.int16(), pa.string())
    seats = range(rules.players)
    types: dict[str, pa.DataType] = {
        **({"match": pa.int64(), "match_round": pa.int16()} if matches else {}),
        "round": pa.int64(),
        "opener": pa.int8(),
        "opening_tile": tile,
        "lead_tile": tile,
        "end": pa.dictionary(pa.int8(), pa.string()),
        "winner": pa.int8(),
        "points": points,
        "points_minus_own": points,
        "points_others": points,
        "points_all_hands": points,
        "plays": count,
        "draws": count,
        "passes": count,
        "boneyard_left": count,
        "redeals": pa.int32(),
        **dict.fromkeys(_FLAGS, pa.bool_()),
        **{f"pips_{seat}": points for seat in seats},
        **{f"points_{seat}": points for seat in seats},
    }
    return pa.schema(
        [pa.field(name, kind, nullable=name == "lead_tile") for name, kind in types.items()]
    )


def _integer(highest: int) -> "pa.DataType":
    import pyarrow as pa

    return pa.int16() if highest <= np.iinfo(np.int16).max else pa.int32()


def table_of(rows: "Rows", rules: Rules, schema: "pa.Schema") -> "pa.Table":
    """Rows as a table of this schema.

    Args:
        rows: as they were played.
        rules: that they were played by.
        schema: `schema_of` these rules.
    """
    import pyarrow as pa

    of: dict[str, NDArray[Any]] = dict(zip(FIELDS, rows.fields, strict=False))
    by_seat = rows.fields[len(FIELDS) :]
    numbers = {
        **_numbering(rows),
        **{name: of[field] for name, field in _FIELD_OF.items()},
        "boneyard_left": rules.boneyard_size - of["draws"],
        "redeals": rows.redeals,
        **{f"pips_{seat}": by_seat[seat] for seat in range(rules.players)},
        **{f"points_{seat}": by_seat[rules.players + seat] for seat in range(rules.players)},
    }
    arrays: dict[str, pa.Array] = {
        name: pa.array(values.astype(schema.field(name).type.to_pandas_dtype(), copy=False))
        for name, values in numbers.items()
    }
    tiles = pa.array([tile_name(tile) for tile in range(rules.tiles)])
    led = of["opening_tile"].astype(np.int16, copy=False)
    free = ~_is_lead_forced(rules, led, of["led_freely"])
    arrays["opening_tile"] = pa.DictionaryArray.from_arrays(pa.array(led), tiles)
    arrays["lead_tile"] = pa.DictionaryArray.from_arrays(pa.array(led, mask=free), tiles)
    blocked = pa.array(of["blocked"].astype(np.int8))
    arrays["end"] = pa.DictionaryArray.from_arrays(blocked, pa.array(_ENDS))
    return pa.Table.from_arrays([arrays[name] for name in schema.names], schema=schema)


def _numbering(rows: "Rows") -> "dict[str, NDArray[np.int64]]":
    """The number of each round, and of its match if there is one."""
    at = np.arange(rows.rounds, dtype=np.int64)
    if rows.lengths is None:
        return {"round": rows.first + at}
    lengths = rows.lengths.astype(np.int64)
    matches = np.repeat(rows.first + np.arange(lengths.size), lengths)
    inside = at - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return {"match": matches, "match_round": inside, "round": matches * ROUND_INDICES + inside}


def _is_lead_forced(
    rules: Rules, led: "NDArray[np.int16]", led_freely: "NDArray[Any]"
) -> "NDArray[np.bool_]":
    """For each round, whether the opening rule named the tile that was led."""
    by_rule: NDArray[np.bool_] = led_freely == 0
    if rules.opening == Opening.HIGHEST_DOUBLE:
        return by_rule
    if rules.opening == Opening.NAMED_DOUBLE:
        if rules.named_missing == NamedMissing.NEXT_DOUBLE:
            return by_rule
        # Whoever was dealt it had to lead it; if nobody was, nobody can have led it.
        named = tile_id(rules.named_double, rules.named_double)
        by_rule &= led == named
        return by_rule
    return np.zeros(led.size, np.bool_)
