"""What a records file says of its run, as JSON under the key ``simdom`` of its metadata.

Versions of simdom whose headers have the same number behind the slash of `SCHEMA` read each
other's. A key or a toggle of the rules that this version does not know is refused: what it means
could change every round.
"""

from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from simdom.counts import MOST_ROUNDS
from simdom.document import StrategyDetail, check_strategies, first_problem
from simdom.engine.matches import MOST_ROUNDS_A_MATCH
from simdom.errors import UsageError
from simdom.formats import json_text
from simdom.presets import check_printable
from simdom.rules import rules_from_dict, rules_to_dict
from simdom.variants import HIGHEST_TARGET

if TYPE_CHECKING:
    from simdom.results import Result
    from simdom.rules import Rules

__all__ = ["KEY", "SCHEMA", "Header", "header_of", "parse_header"]

KEY = "simdom"
"""Of the file's metadata."""

Schema = Literal["simdom.records/1"]
SCHEMA: Schema = "simdom.records/1"


class Header(BaseModel):
    """The run that the rounds of a records file come from.

    ``first`` is the index of the first round in the file; where there are ``matches``, and their
    ``target``, it is the number of the first match. ``rounds`` are all those in the file.
    """

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    schema_: Schema = Field(alias="schema")
    simdom: str
    rules_version: int
    variant: str
    title: str
    rules: dict[str, int | str]
    strategies: list[str]
    strategy_details: dict[str, StrategyDetail]
    seed: int = Field(ge=0, le=2**64 - 1)
    first: int = Field(ge=0, le=MOST_ROUNDS)
    rounds: int = Field(ge=1, le=MOST_ROUNDS * MOST_ROUNDS_A_MATCH)
    matches: int | None = Field(default=None, ge=1, le=MOST_ROUNDS)
    target: int | None = Field(default=None, ge=1, le=HIGHEST_TARGET)
    command: str

    @model_validator(mode="after")
    def check(self) -> Self:
        """Return the header if its parts belong together."""
        try:
            texts = [self.simdom, self.variant, self.title, self.command]
            for text in [*texts, *self.strategies, *self.strategy_details]:
                check_printable(text)
            players = rules_from_dict(self.rules).players
            check_strategies(self.strategies, self.strategy_details, players)
        except UsageError as error:
            raise ValueError(str(error)) from None
        if (self.matches is None) != (self.target is None):
            raise ValueError("matches and target belong together")
        return self

    @property
    def checked_rules(self) -> "Rules":
        """The rules that the rounds were played by."""
        return rules_from_dict(self.rules)

    @property
    def details(self) -> dict[str, dict[str, Any]]:
        """What the strategies weigh, by name, as a result has it."""
        told = self.strategy_details.items()
        return {name: detail.model_dump(exclude_unset=True) for name, detail in told}

    def to_json(self) -> str:
        """The header as text; ``matches`` and ``target`` are left out where there are none."""
        return json_text(self.model_dump(by_alias=True, exclude_unset=True, exclude_none=True))


def header_of(result: "Result") -> Header:
    """The header for a file with all the rounds of a result."""
    return Header.model_validate(
        {
            "schema": SCHEMA,
            "simdom": result.version,
            "rules_version": result.rules_version,
            "variant": result.variant,
            "title": result.title,
            "rules": rules_to_dict(result.rules),
            "strategies": list(result.strategies),
            "strategy_details": result.strategy_details,
            "seed": result.seed,
            "first": result.first,
            "rounds": result.rounds,
            "matches": result.matches,
            "target": result.target,
            "command": result.command,
        }
    )


def parse_header(text: str | bytes) -> Header:
    """The header that a file has.

    Raises:
        UsageError: it is none, or its parts do not belong together.
    """
    try:
        return Header.model_validate_json(text)
    except ValidationError as error:
        raise UsageError(first_problem(error).replace("Value error, ", "")) from None
