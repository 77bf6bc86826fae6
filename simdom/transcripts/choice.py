"""Rules to judge a transcript by: its own, or those that whoever asks has chosen."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from simdom.counts import check_whole
from simdom.errors import UsageError
from simdom.rules import Rules, rules_from_dict
from simdom.transcripts.transcript import NO_VARIANT
from simdom.variants import HIGHEST_TARGET, as_variant, load_variant, variant_names

__all__ = ["Choice"]


@dataclass(frozen=True)
class Choice:
    """Rules to judge by that whoever asks has chosen.

    Attributes:
        variant: a preset's name or the path of a TOML file, which takes the place of what the
            transcript says of its rules; None for that.
        overrides: toggles that are then changed.
        target: points that win the match; None for what the transcript or the variant says.
    """

    variant: str | None = None
    overrides: Mapping[str, object] = field(default_factory=dict)
    target: int | None = None

    def rules(
        self, variant: str | None, changes: Mapping[str, object], players: int | None
    ) -> tuple[str, Rules]:
        """The variant's name and the checked rules, given what a transcript says.

        Raises:
            UsageError: no variant is named, or there is none of that name; as `Variant.rules`.
            RulesError: rules under which no round can be played.
        """
        if self.variant is not None:
            loaded = as_variant(self.variant)
            name = loaded.name if loaded.name in variant_names() else NO_VARIANT
            return name, loaded.rules(players, self.overrides)
        changes = {**changes, **self.overrides}
        if variant is None:
            raise UsageError("no variant is named: write `variant NAME`, or give --variant")
        if variant == NO_VARIANT:
            given = {} if players is None else {"players": players}
            return variant, rules_from_dict({**given, **changes})
        return variant, load_variant(variant).rules(players, changes)

    def points_to_win(self, rules: Rules, written: int | None) -> int | None:
        """The points that win the match; None leaves them to the transcript's variant."""
        if self.target is not None:
            return check_whole("target", self.target, 1, HIGHEST_TARGET)
        if written is not None or self.variant is None:
            return written
        return as_variant(self.variant).target(rules.players)
