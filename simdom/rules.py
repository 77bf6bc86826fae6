"""The rules of one round, as data: a tuple of small integers, each a toggle.

`Rules` is what the compiled engine reads. Each toggle is declared once, here, with its meaning,
who says so, and what is allowed; the command line, the TOML presets and the documentation ask
`TOGGLES`. Sources S0 to S4 are the rule pages listed in ``docs/rules.md``.
"""

from collections.abc import Mapping
from enum import IntEnum
from fractions import Fraction
from math import comb
from numbers import Integral
from typing import Annotated, Any, NamedTuple, Self, get_args, get_type_hints

from simdom.errors import RulesError, UsageError, check_choice
from simdom.tiles import tile_count

__all__ = [
    "RULES_VERSION",
    "TOGGLES",
    "BlockScore",
    "BlockTie",
    "Boneyard",
    "NoDouble",
    "Opening",
    "Rules",
    "Toggle",
    "accepted_deals",
    "Value",
    "check_rules",
    "parse_toggle",
    "rules_to_dict",
]

RULES_VERSION = 1
"""Moves when the same rules, strategies and seed give another round; never for speed."""

RAREST_DEAL = Fraction(1, 1000)
"""Rules under which fewer deals than this are accepted are refused."""


class Value(IntEnum):
    """A value of a toggle: the integer that the engine reads, and what it means, in words.

    Attributes:
        doc: one sentence; the command line and ``docs/rules.md`` show it.
    """

    doc: str

    def __new__(cls, number: int, doc: str = "") -> Self:
        """``doc`` is there when the value is declared; ``Boneyard(1)`` only looks it up."""
        value = int.__new__(cls, number)
        value._value_ = number
        value.doc = doc
        return value


class Boneyard(Value):
    """What a seat does that cannot play."""

    BLOCK = 0, "It passes; the boneyard is never drawn."
    DRAW = 1, "It draws until a tile fits, which it must play; it passes when nothing may be drawn."
    DRAW_ONE_PLAY = 2, "It draws one tile and plays it if it fits, else passes."
    DRAW_ONE_PASS = 3, "It draws one tile and its turn is over."


class Opening(Value):
    """Who leads the round, and with what."""

    HIGHEST_DOUBLE = 0, "The holder of the highest double leads that double."
    HOLDER_LEADS_ANY = 1, "The holder of the highest double leads any tile."
    LOT = 2, "A seat drawn by lot leads any tile."
    FIRST_SEAT = 3, "Seat 0 leads any tile."


class NoDouble(Value):
    """What happens when the opening asks for a double and nobody was dealt one."""

    HEAVIEST_TILE = 0, "The heaviest tile takes its place; of equal totals, the higher end."
    REDEAL = 1, "All tiles are dealt again."


class BlockScore(Value):
    """What the winner of a blocked round scores."""

    MINUS_OWN = 0, "The pips of the others, minus its own."
    OTHERS = 1, "The pips of the others."
    ALL_HANDS = 2, "The pips of all hands, its own included."
    DIFFERENCE = 3, "From each other seat, that seat's pips minus its own."


class BlockTie(Value):
    """Who wins a blocked round when several seats hold the fewest pips."""

    VOID = 0, "Nobody; nothing is scored."
    OPENER = 1, "The opener if it is one of them, else nobody."
    LIGHTEST_TILE = 2, "The one of them with the lightest single tile; if those tie too, nobody."
    SPLIT = 3, "Nobody wins, and they share what the block scores."


class Toggle(NamedTuple):
    """What is allowed for one toggle, what it means, and who says so."""

    doc: str
    source: str
    lowest: int = 0
    highest: int = 0
    enum: type[Value] | None = None

    @property
    def values(self) -> list[str]:
        """The names of an enumerated toggle's values, as people write them."""
        return [member.name.lower() for member in self.enum or ()]

    @property
    def allowed(self) -> str:
        """What may be written, in words."""
        if self.enum is not None:
            return ", ".join(self.values)
        return f"a whole number from {self.lowest} to {self.highest}"


class Rules(NamedTuple):
    """The rules of one round. Plain integers throughout, so that compiled code can read it."""

    max_pip: Annotated[
        int, Toggle("Highest number on a tile: 6 plays with the double-6 set.", "S3", 1, 18)
    ] = 6
    players: Annotated[
        int, Toggle("Seats at the table.", "S3: 2 to 4 on double-6, up to 14 on double-18", 2, 14)
    ] = 2
    deal: Annotated[
        int, Toggle("Tiles that each seat is dealt.", "all sources; they differ", 1, 95)
    ] = 7
    boneyard: Annotated[
        Boneyard, Toggle("What a seat does that cannot play.", "S0 to S4", enum=Boneyard)
    ] = Boneyard.BLOCK
    reserve: Annotated[
        int, Toggle("Boneyard tiles that are never drawn.", "2: S3; 0: S0, S1, S2, S4", 0, 188)
    ] = 0
    opening: Annotated[
        Opening, Toggle("Who leads the round, and with what.", "S0 to S4, pagat", enum=Opening)
    ] = Opening.HIGHEST_DOUBLE
    no_double: Annotated[
        NoDouble,
        Toggle("What replaces the highest double if nobody has one.", "S0, S1, S3", enum=NoDouble),
    ] = NoDouble.HEAVIEST_TILE
    misdeal: Annotated[
        int,
        Toggle(
            "Deal again when any hand has at least this many doubles; 0 never does.",
            "5: pagat's Cuban page; 4: Brazil",
            0,
            19,
        ),
    ] = 0
    block_score: Annotated[
        BlockScore,
        Toggle("What the winner of a blocked round scores.", "S0 to S4", enum=BlockScore),
    ] = BlockScore.MINUS_OWN
    block_tie: Annotated[
        BlockTie,
        Toggle("Who wins a block when the fewest pips are tied.", "S0, S3, S4", enum=BlockTie),
    ] = BlockTie.VOID
    double_blank_pips: Annotated[
        int, Toggle("Pips that 0-0 counts in a hand.", "0: all; 50: quoted by S3", 0, 100)
    ] = 0
    blank_pips: Annotated[
        int,
        Toggle(
            "Pips that the blank of any other tile counts in a hand.",
            "0: all; 25: quoted by S3",
            0,
            100,
        ),
    ] = 0

    @property
    def tiles(self) -> int:
        """Tiles of the set."""
        return tile_count(self.max_pip)

    @property
    def boneyard_size(self) -> int:
        """Tiles that are not dealt, the reserve included."""
        return self.tiles - self.players * self.deal


def _declared_toggles() -> dict[str, Toggle]:
    hints = get_type_hints(Rules, include_extras=True)
    return {name: get_args(hints[name])[1] for name in Rules._fields}


TOGGLES: dict[str, Toggle] = _declared_toggles()
"""Every toggle of `Rules`, in the order of its fields."""


def parse_toggle(name: str, value: object) -> int:
    """The integer that ``Rules`` holds for toggle ``name`` set to ``value``.

    Args:
        name: a field of `Rules`.
        value: a whole number, or the name of an enumerated value, or either as text.

    Raises:
        UsageError: no such toggle; not a value of it; out of its range.
    """
    toggle = TOGGLES[check_choice("toggle", name, TOGGLES)]
    if toggle.enum is not None:
        # Not a bool, nor a value of another toggle, though both are integers too.
        if isinstance(value, int) and type(value) in (int, toggle.enum):
            check_choice(f"value of {name}", str(int(value)), [str(int(v)) for v in toggle.enum])
            return toggle.enum(value)
        text = str(value).strip().lower().replace("-", "_")
        return toggle.enum[check_choice(f"value of {name}", text, toggle.values).upper()]
    number = _whole_number(value)
    if number is None or not toggle.lowest <= number <= toggle.highest:
        raise UsageError(f"{name} must be {toggle.allowed}, not {value!r}")
    return number


_MOST_DIGITS = 18  # no toggle has more, and Python refuses to read thousands


def _whole_number(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, Integral):
        return int(value)
    text = str(value).strip()
    digits = text.removeprefix("-")
    plain = digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS
    return int(text) if isinstance(value, str) and plain else None


def check_rules(rules: Rules) -> Rules:
    """Return ``rules`` with every toggle as its own type, if a round can be played under them.

    Raises:
        UsageError: a toggle is out of its range.
        RulesError: more tiles are dealt than the set has; the reserve is larger than the
            boneyard; the misdeal and no-double rules accept (almost) no deal.
    """
    rules = Rules._make(parse_toggle(name, value) for name, value in rules._asdict().items())
    dealt = rules.players * rules.deal
    if dealt > rules.tiles:
        raise RulesError(
            f"{rules.players} players × {rules.deal} tiles = {dealt}, "
            f"but double-{rules.max_pip} has {rules.tiles}"
        )
    if rules.reserve > rules.boneyard_size:
        raise RulesError(
            f"reserve {rules.reserve} is more than the boneyard: {rules.tiles} tiles of "
            f"double-{rules.max_pip} - {rules.players} × {rules.deal} dealt = "
            f"{rules.boneyard_size}; set reserve to {rules.boneyard_size} or less"
        )
    accepted = accepted_deals(rules)
    if accepted < RAREST_DEAL:
        how_rare = f"1 deal in {float(1 / accepted):,.0f}" if accepted else "no deal at all"
        raise RulesError(
            f"misdeal={rules.misdeal} and no_double={rules.no_double.name.lower()} accept "
            f"{how_rare}; at least 1 in {1 / RAREST_DEAL} must be playable"
        )
    return rules


def accepted_deals(rules: Rules) -> Fraction:
    """The share of deals that are played rather than dealt again, exactly.

    Counts the ways to give the doubles to the hands, hand by hand, by how many doubles are left.
    """
    doubles = rules.max_pip + 1
    others = rules.tiles - doubles
    most = rules.misdeal - 1 if rules.misdeal else rules.deal
    ways = {0: 1}  # doubles dealt so far -> ways to fill the hands so far
    for hand in range(rules.players):
        filled: dict[int, int] = {}
        for used, count in ways.items():
            plain_left = others - (hand * rules.deal - used)
            for k in range(min(most, rules.deal, doubles - used) + 1):
                ways_here = comb(doubles - used, k) * comb(plain_left, rules.deal - k)
                if ways_here:  # a hand that cannot be filled must not lead to the next one
                    filled[used + k] = filled.get(used + k, 0) + count * ways_here
        ways = filled
    if rules.no_double == NoDouble.REDEAL and rules.opening in _OPENINGS_BY_DOUBLE:
        ways.pop(0, None)
    deals = 1
    for hand in range(rules.players):
        deals *= comb(rules.tiles - hand * rules.deal, rules.deal)
    return Fraction(sum(ways.values()), deals)


_OPENINGS_BY_DOUBLE = (Opening.HIGHEST_DOUBLE, Opening.HOLDER_LEADS_ANY)


def rules_to_dict(rules: Rules) -> dict[str, int | str]:
    """The rules as people write them: numbers, and enumerated values by name."""
    plain: dict[str, int | str] = {}
    for name, value in rules._asdict().items():
        enum = TOGGLES[name].enum
        plain[name] = int(value) if enum is None else enum(value).name.lower()
    return plain


def rules_from_dict(values: Mapping[str, Any]) -> Rules:
    """Checked rules from what people write; a toggle that is not named keeps its default.

    Raises:
        UsageError: an unknown toggle or value.
        RulesError: rules under which no round can be played.
    """
    toggles = Rules()._asdict()
    toggles |= {name: parse_toggle(name, value) for name, value in values.items()}
    return check_rules(Rules._make(toggles.values()))
