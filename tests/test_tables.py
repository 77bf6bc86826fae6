"""What a person reads: complete, to the digits, within the width, with and without colour."""

import io
import re
import shlex

import pytest
from rich.console import Console

from samples import DRAW, WITHOUT_TEAMS, Round, result_of
from simdom._version import __version__
from simdom.errors import UsageError
from simdom.estimate import GROUPS
from simdom.rules import RULES_VERSION, BlockScore, Boneyard, NoDouble, Opening, Rules
from simdom.tables import RunTable, result_to_markdown

LONG = (
    "simdom run --variant pagat-draw -n 1e4 --players 2 --set 'boneyard=draw' "
    "--strategy normal,random --set reserve=2 --set block_score=others --seed 18446744073709551615"
)
ESCAPE = "\x1b["

UNSEEN = {"Who wins, by seat", "How close it is"}
"""Headings of what is alike by turn where all play alike, and of matches."""


def printed(result, metrics=None, width=80, **console):
    text = io.StringIO()
    Console(file=text, width=width, **console).print(RunTable(result, metrics))
    return text.getvalue()


def test_table_by_hand():
    figures = printed(result_of()).partition("95% interval")[2].partition("0.5 s on")[0]
    assert figures == (
        "      sd\n"
        "How rounds end\n"
        "  Blocked                               20.0%  ± 0.8\n"
        "  Tied, nobody wins                     1.00%  (0.82 to 1.22)\n"
        "\n"
        "Who wins, by turn\n"
        "  The opener                            75.0%  ± 0.9\n"
        "  2nd to play                           24.0%  ± 0.8\n"
        "\n"
        "What is scored\n"
        "  Points                                11.15  ± 0.06          2.97\n"
        "  Points if blocks score the others     11.76  ± 0.07          3.71\n"
        "  Points if blocks score all hands      12.37  ± 0.09          4.68\n"
        "  Pips left to the winner               0.616  ± 0.025         1.28\n"
        "\n"
        "How long it lasts\n"
        "  Tiles played                         13.360  ± 0.023         1.16\n"
        "  Tiles drawn                            4.40  ± 0.08          3.88\n"
        "  Passes                                0.680  ± 0.020         1.01\n"
        "  Boneyard left                          9.60  ± 0.08          3.88\n"
        "\n"
        "The deal\n"
        "  No double dealt                       0.30%  (0.21 to 0.43)\n"
        "  First reply is stuck                  12.0%  ± 0.7\n"
        "\n"
    )


def test_header_says_what_was_played():
    text = printed(result_of(), width=120)
    head = text.partition("How rounds end")[0]
    assert head.startswith("pagat-draw: ")
    for line in (
        "  Set           double-6; 2 players, 7 tiles each; boneyard of 14, 2 of them never drawn",
        "  Lead          The holder of the highest double leads that double.",
        "  Block scores  The pips of the others, minus its own.",
        "  Strategy      random",
        "  Rounds        10,000 from seed 1",
    ):
        assert line in head.splitlines()
    assert "Changed" not in head
    assert "Interrupted" not in head


def test_footer_says_how_fast_and_how_to_repeat_it():
    *_, speed, version, to_repeat, command = printed(result_of()).splitlines()
    assert speed == "0.5 s on 2 threads, 20,000 rounds a second"
    assert version == f"simdom {__version__}, rules version {RULES_VERSION}"
    assert to_repeat == "To repeat it:"
    assert command == result_of().command
    assert "0.5 s on 1 thread," in printed(result_of(threads=1))
    assert "1,235 s on" in printed(result_of(seconds=1234.6))
    assert "a second" not in printed(result_of(seconds=0.0))
    assert "To repeat it" not in printed(result_of(command=""))


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        (DRAW._replace(reserve=0), "Changed       reserve 0 (was 2)"),
        (
            DRAW._replace(block_score=BlockScore.OTHERS, misdeal=5),
            "Changed       misdeal 5 (was 0), block_score others (was minus_own)",
        ),
        (DRAW._replace(misdeal=5), "Misdeal       A hand with 5 or more doubles is thrown in."),
        (
            DRAW._replace(double_blank_pips=50),
            "Blanks        0-0 counts 50, any other blank 0.",
        ),
        (DRAW._replace(reserve=0), "double-6; 2 players, 7 tiles each; boneyard of 14\n"),
        (DRAW._replace(deal=14, reserve=0), "2 players, 14 tiles each; no boneyard\n"),
        (DRAW._replace(deal=1), "2 players, 1 tile each; boneyard of 26, 2 of them never drawn\n"),
        (DRAW._replace(deal=13), "2 players, 13 tiles each; boneyard of 2, never drawn\n"),
    ],
)
def test_header_says_what_was_changed(rules, line):
    assert line in printed(result_of(rules=rules), width=120)


def test_rules_without_effect_are_left_out():
    text = printed(result_of(rules=DRAW._replace(opening=Opening.LOT, no_double=NoDouble.REDEAL)))
    assert "No double  " not in text
    block = Rules(boneyard=Boneyard.BLOCK, reserve=2)
    assert "never drawn\n" not in printed(result_of([Round(9, 0, (0, 3))], block))


def test_a_number_of_players_that_the_preset_has_not():
    rules = Rules(max_pip=18, players=14, deal=9, boneyard=Boneyard.DRAW, reserve=2)
    result = result_of([Round(50, 3, (9,) * 14), Round(9, 13, (3,) * 14)], rules)
    text = printed(result)
    assert "max_pip 18 (was 6), players 14 (was 2), deal 9 (was 7)" in text
    assert [f"  {n}th to play" in text for n in range(4, 15)] == [True] * 11


def test_an_unknown_variant_is_shown_by_its_name_alone():
    assert printed(result_of(variant="mine")).startswith("mine\n")


def test_a_variant_of_ones_own_is_shown_by_its_title_and_not_as_a_changed_preset():
    text = printed(result_of(variant="pagat-draw.toml", title="At our table", rules=Rules()))
    assert text.startswith("pagat-draw.toml: At our table\n")
    assert "Changed" not in text


def test_a_strategy_of_ones_own_is_shown_by_its_weights():
    mine = {"weights": {"pips": 1.0, "double": 2.0}, "temperature": 0.0, "ties": "placements"}
    details = {"mine.toml": mine}
    alone = result_of(strategies=("mine.toml",) * 2, strategy_details=details)
    assert "  Strategy      mine.toml: pips 1, double 2\n" in printed(alone)
    assert "- Strategy: mine.toml: pips 1, double 2\n" in result_to_markdown(alone)
    mixed = printed(result_of(strategies=("mine.toml", "random"), strategy_details=details))
    assert "  Strategy      mine.toml, random, seat by seat; mine.toml: pips 1, double 2\n" in mixed


def test_whoever_compares_seats_is_told_that_one_always_leads():
    note = "Seat 0 always leads: swap the strategies to be fair."
    rules = DRAW._replace(opening=Opening.FIRST_SEAT)
    unfair = result_of(rules=rules, strategies=("normal", "random"))
    assert f"\n\n{note}\n\n" in printed(unfair)
    assert f"\n\n{note}\n\n" in result_to_markdown(unfair)
    assert note not in printed(unfair, ["points", "plays"])
    assert note in printed(unfair, ["table_seat_win_rate"])
    for fair in (result_of(rules=rules), result_of(strategies=("normal", "random"))):
        assert "always leads" not in printed(fair)


def test_mixed_strategies_are_shown_seat_by_seat():
    text = printed(result_of(strategies=("normal", "random")))
    assert "  Strategy      normal, random, seat by seat\n" in text
    assert (
        "Who wins, by seat\n"
        "  Seat 0, normal                        75.0%  ± 0.9\n"
        "  Seat 1, random                        24.0%  ± 0.8\n"
    ) in text


def test_an_interrupted_run_says_so():
    line = "Ended early: 10,000 of 50,000 rounds were played."
    assert f"\n{line}\n" in printed(result_of(asked=50_000))
    assert f"**{line}**" in result_to_markdown(result_of(asked=50_000))


def test_one_round():
    text = printed(result_of([Round(1, None, (7, 7), blocked=True)]))
    figures = [re.split(r"  +", line.strip()) for line in text.splitlines()]
    assert ["Blocked", "100%", "(20 to 100)"] in figures
    assert ["Pips left to the winner", "undefined"] in figures
    assert ["Tiles played", "13", "(one round)"] in figures
    assert "nan" not in text


def test_no_round_at_all():
    text = printed(result_of([], asked=50_000))
    assert "Ended early: 0 of 50,000 rounds were played." in text
    assert "nan" not in text


@pytest.mark.parametrize("width", [45, 60, 80, 100, 120, 200])
@pytest.mark.parametrize("strategies", [("random", "random"), ("doubles-first", "accompanied")])
def test_no_line_is_too_wide_or_trails(width, strategies):
    text = printed(result_of(strategies=strategies, command=LONG), width=width)
    for line in text.splitlines():
        assert len(line) <= width
        assert line == line.rstrip()


@pytest.mark.parametrize("width", [45, 60, 70])
def test_nothing_is_lost_on_a_narrow_terminal(width):
    result = result_of(command=LONG, title="At our table, as our grandparents played " * 3)
    wide, narrow = (
        printed(result, width=columns).replace("\\\n", " ").split() for columns in (109, width)
    )
    assert sorted(narrow) == sorted(wide)
    assert "sd" in narrow


def test_labels_get_lines_of_their_own_where_there_is_no_room():
    text = printed(result_of(), width=60)
    assert "    estimate  95% interval      sd\nHow rounds end\n  Blocked\n" in text
    assert "\n  Points\n       11.15  ± 0.06          2.97\n" in text


def test_the_sd_is_left_out_where_there_is_none():
    text = printed(result_of(), ["blocked_rate", "tie_rate"])
    assert re.search(r"^ +estimate  95% interval$", text, re.MULTILINE)
    assert "Blocked" in text


def test_a_single_metric_is_told_in_a_few_lines():
    text = printed(result_of(rules=DRAW._replace(reserve=0)), ["blocked_rate"])
    assert text == (
        "10,000 rounds of pagat-draw with reserve 0, 2 players (random), seed 1\n"
        "Blocked: 20.0% ± 0.8, 95% interval\n"
        "simdom run --variant pagat-draw -n 1e4 --seed 1\n"
    )
    by_seat = printed(result_of(command=""), ["seat_win_rate", "seat_win_rate"]).splitlines()
    assert by_seat[1:] == [
        "1st to play: 75.0% ± 0.9, 95% interval",
        "2nd to play: 24.0% ± 0.8, 95% interval",
    ]
    one = result_of([Round(1, None, (7, 7), blocked=True)])
    assert "Pips left to the winner: undefined\n" in printed(one, ["winner_pips"])


def test_a_wide_terminal_shows_the_names_of_the_metrics():
    wide, narrow = printed(result_of(), width=120), printed(result_of(), width=80)
    assert re.search(r"Tied, nobody wins .* tie_rate\n", wide)
    assert re.search(r"2nd to play .* seat_win_rate\[1\]\n", wide)
    assert "tie_rate" not in narrow


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_a_shell_reads_the_command_as_it_was(width):
    lines = printed(result_of(command=LONG), width=width).partition("To repeat it:\n")[2]
    assert shlex.split(lines.replace("\\\n", " ")) == shlex.split(LONG)
    assert all(line.endswith(" \\") for line in lines.splitlines()[:-1])


def test_a_command_that_no_shell_would_read_is_shown_as_it_is():
    assert printed(result_of(command="it's odd")).endswith("To repeat it:\nit's odd\n")


def test_a_comment_behind_the_command_stays_a_comment():
    made = f"{LONG}  # made in Python, not in a file: mine"
    for width in (40, 80):
        lines = printed(result_of(command=made), width=width).partition("To repeat it:\n")[2]
        assert shlex.split(lines.replace("\\\n", " "), comments=True) == shlex.split(LONG)
        assert "made in Python" in lines.replace("\n# ", " ")
    odd = "simdom run --variant 'a  # b.toml'"
    assert printed(result_of(command=odd)).endswith(f"\n{odd}\n")


def test_no_colour_in_a_pipe_or_with_no_color(monkeypatch):
    assert ESCAPE not in printed(result_of())
    coloured = printed(result_of(), force_terminal=True, color_system="truecolor")
    assert "36m" in coloured  # cyan, for the command
    monkeypatch.setenv("NO_COLOR", "1")
    plain = printed(result_of(), force_terminal=True)
    assert not re.search(r"\x1b\[[\d;]*3\d", plain)
    stripped = re.sub(r"\x1b\[[\d;]*m", "", coloured)
    assert stripped == printed(result_of())


def test_markup_in_a_name_is_text():
    assert printed(result_of(variant="[bold]x[/bold]")).startswith("[bold]x[/bold]\n")


def test_only_the_metrics_that_were_asked_for():
    text = printed(result_of(), ["redeal_rate", "table_seat_win_rate"])
    figures = text.partition("interval")[2].partition("0.5 s on")[0].split("\n")
    assert [line.split("  ")[1] for line in figures if line.startswith("  ")][-3:] == [
        "Seat 0, random",
        "Seat 1, random",
        "Deals thrown in",
    ]
    assert "Blocked  " not in text
    for name in WITHOUT_TEAMS:
        assert "95% interval" in printed(result_of(), [name])


def test_an_unknown_metric_is_refused_before_anything_is_printed():
    for make in (RunTable, result_to_markdown):
        with pytest.raises(UsageError, match=r"unknown metric 'block_rate'.*mean 'blocked_rate'"):
            make(result_of(), ["block_rate"])


def test_markdown_is_a_table_with_all_that_the_terminal_shows():
    text = result_to_markdown(result_of(command="simdom run | cat"))
    assert text.startswith("## pagat-draw: ")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in rows} == {5}
    headings = [row.split("**")[1] for row in rows if "**" in row]
    assert headings == [group for group in GROUPS if group not in UNSEEN]
    assert "| Points | 11.15 | ± 0.06 | 2.97 |" in rows
    assert "- Rounds: 10,000 from seed 1" in text
    assert text.endswith("```sh\nsimdom run | cat\n```\n")
    assert "```" not in result_to_markdown(result_of(command=""))
    one = result_to_markdown(result_of(strategies=("a|b", "c")), ["table_seat_win_rate"])
    assert "| Seat 0, a\\|b | 75.0% | ± 0.9 |  |" in one
