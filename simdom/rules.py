"""The rules of a round and of a match, as data: a tuple of small integers, each a toggle.

`Rules` is what the compiled engine reads. Each toggle is declared once, here, with its meaning,
who says so, and what is allowed; the command line, the TOML presets and the documentation ask
`TOGGLES`. Sources S0 to S4 are the rule pages listed in ``docs/rules.md``.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from numbers import Integral
from typing import Annotated, Any, NamedTuple, TypeVar, get_args, get_type_hints

from simdom.errors import RulesError, UsageError, check_choice
from simdom.tiles import tile_count
from simdom.toggles import (
    BlockScore,
    BlockTie,
    BlockWinner,
    Boneyard,
    Capicua,
    DominoScore,
    LaterLead,
    NamedMissing,
    NoDouble,
    Opening,
    OthersPoints,
    Overshoot,
    PipSteps,
    Teams,
    TieLead,
    Toggle,
    Value,
)

__all__ = [
    "RULES_VERSION",
    "TEAMS",
    "TOGGLES",
    "BlockScore",
    "BlockTie",
    "Boneyard",
    "BlockWinner",
    "Capicua",
    "DominoScore",
    "LaterLead",
    "NamedMissing",
    "NoDouble",
    "Opening",
    "OthersPoints",
    "Overshoot",
    "PipSteps",
    "Rules",
    "Teams",
    "TieLead",
    "Toggle",
    "accepted_deals",
    "Value",
    "check_rules",
    "parse_toggle",
    "rules_to_dict",
    "side_of_seat",
]

T = TypeVar("T", int, Any)

RULES_VERSION = 1
"""Moves when the same rules, strategies and seed give another round; never for speed."""

PAIRED_PLAYERS = 4
TEAMS = 2

RAREST_DEAL = Fraction(1, 1000)
"""Rules under which fewer deals than this are accepted are refused."""


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
    teams: Annotated[
        Teams, Toggle("Who plays with whom.", "pairs: every partnership game", enum=Teams)
    ] = Teams.NONE
    block_winner: Annotated[
        BlockWinner,
        Toggle("What is compared in a block of teams.", "PCA; GP, FED", enum=BlockWinner),
    ] = BlockWinner.LIGHTEST_HAND
    domino_score: Annotated[
        DominoScore,
        Toggle(
            "What playing one's last tile scores.",
            "nearly all; DOM, FED; JAM, BRA",
            enum=DominoScore,
        ),
    ] = DominoScore.OPPONENTS
    flat_points: Annotated[
        int, Toggle("Points of a flat score.", "1: JAM, MTQ, BRA; 20: EVC", 1, 1000)
    ] = 1
    block_bonus: Annotated[
        int, Toggle("Points added to what the winner of a block scores.", "100: RPR", 0, 1000)
    ] = 0
    named_double: Annotated[
        int,
        Toggle(
            "The double that opening=named_double asks for: 6 is 6-6.", "6: GP, JAM, DOM", 0, 18
        ),
    ] = 6
    named_missing: Annotated[
        NamedMissing,
        Toggle(
            "What happens if nobody was dealt the named double.", "EVC is silent", enum=NamedMissing
        ),
    ] = NamedMissing.NEXT_DOUBLE
    capicua: Annotated[
        Capicua,
        Toggle("What counts as going out on both ends.", "DOM, HAI; SACI, LIB", enum=Capicua),
    ] = Capicua.NONE
    capicua_points: Annotated[
        int, Toggle("Points added for going out on both ends.", "25: DOM; 100: SACI", 0, 1000)
    ] = 0
    crossed_points: Annotated[
        int,
        Toggle("Points added for going out with a double that fits both ends.", "BRA", 0, 1000),
    ] = 0
    double_out_points: Annotated[
        int, Toggle("Points added for going out with any double.", "BRA", 0, 1000)
    ] = 0
    blank_out_points: Annotated[
        int, Toggle("Points added for going out with 0-0.", "25: DOM; 100: SACI", 0, 1000)
    ] = 0
    pass_round_points: Annotated[
        int,
        Toggle(
            "Points for a seat that plays, sees all others pass, and plays again.",
            "25: DOM, DOL",
            0,
            1000,
        ),
    ] = 0
    pip_steps: Annotated[
        PipSteps,
        Toggle("How pips become points.", "15: a Puerto Rico program; 21: LIB", enum=PipSteps),
    ] = PipSteps.NONE
    later_lead: Annotated[
        LaterLead,
        Toggle("Who leads the later rounds of a match.", "S0; S4; PCA; GP; SACI", enum=LaterLead),
    ] = LaterLead.AFRESH
    tie_lead: Annotated[
        TieLead,
        Toggle("Who leads after a round that nobody won.", "S0; ESW", enum=TieLead),
    ] = TieLead.AFRESH
    overshoot: Annotated[
        Overshoot,
        Toggle(
            "What becomes of points past the target.", "exact: fives and threes", enum=Overshoot
        ),
    ] = Overshoot.COUNTS
    others_points: Annotated[
        OthersPoints,
        Toggle(
            "What a round won does to the others' points.",
            "reset: JAM, six-love",
            enum=OthersPoints,
        ),
    ] = OthersPoints.KEPT
    early_bonus: Annotated[
        int,
        Toggle(
            "Points added for winning the first round of a match; less in each of the early ones.",
            "100: SACI, RPR, MZZ",
            0,
            1000,
        ),
    ] = 0
    early_rounds: Annotated[
        int,
        Toggle("Rounds in which the early bonus shrinks to nothing, evenly.", "4: SACI", 1, 100),
    ] = 4

    @property
    def sides(self) -> int:
        """Sides that win and keep points of their own: seats, or pairs of them."""
        return self.players if self.teams == Teams.NONE else TEAMS

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
    _check_together(rules)
    accepted = accepted_deals(rules)
    if accepted < RAREST_DEAL:
        how_rare = f"1 deal in {float(1 / accepted):,.0f}" if accepted else "no deal at all"
        raise RulesError(
            f"misdeal={rules.misdeal} and no_double={rules.no_double.name.lower()} accept "
            f"{how_rare}; at least 1 in {1 / RAREST_DEAL} must be playable"
        )
    return rules


def _check_together(rules: Rules) -> None:
    """Return if toggles that need each other agree.

    Raises:
        RulesError: teams of another number than four seats; a named double that the set has not;
            a bonus without its points.
    """
    if rules.teams == Teams.PAIRS and rules.players != PAIRED_PLAYERS:
        raise RulesError(f"teams=pairs needs {PAIRED_PLAYERS} players, not {rules.players}")
    if rules.opening == Opening.NAMED_DOUBLE and rules.named_double > rules.max_pip:
        raise RulesError(
            f"named_double={rules.named_double} is not in double-{rules.max_pip}: "
            f"set it to {rules.max_pip} or less"
        )
    if rules.capicua != Capicua.NONE and not rules.capicua_points:
        raise RulesError(
            f"capicua={rules.capicua.name.lower()} has no value: set capicua_points, 1 to 1000"
        )


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
    if rules.no_double == NoDouble.REDEAL and asks_for_double(rules):
        ways.pop(0, None)
    deals = 1
    for hand in range(rules.players):
        deals *= comb(rules.tiles - hand * rules.deal, rules.deal)
    return Fraction(sum(ways.values()), deals)


def side_of_seat(rules: Rules, seat: T) -> T:
    """The side that a seat plays for; of an array of seats, each one's."""
    return seat if rules.teams == Teams.NONE else seat % TEAMS


def asks_for_double(rules: Rules) -> bool:
    """Whether nobody may have a double that the opening asks for, so that ``no_double`` counts."""
    if rules.opening == Opening.NAMED_DOUBLE:
        return rules.named_missing == NamedMissing.NEXT_DOUBLE
    return rules.opening in (Opening.HIGHEST_DOUBLE, Opening.HOLDER_LEADS_ANY)


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
