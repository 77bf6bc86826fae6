"""What is said of a reproduction, how it is kept, and what ``simdom reproduce`` prints."""

import csv
import io
import json
import shlex
import sys
from dataclasses import replace

import pytest
import typer
from typer.testing import CliRunner

from commands import in_process, names_in, one_line
from simdom import load_strategy
from simdom.cli.reproduce import reproduce
from simdom.errors import UsageError
from simdom.estimate import estimate_rate
from simdom.published.claims import STRATEGIES, claims
from simdom.published.judging import joint_confidence, judge
from simdom.published.reproduction import FILES, SCHEMA

MODULE = sys.modules["simdom.cli.reproduce"]  # whatever simdom.cli binds to its name
N = 10_000


@pytest.fixture(scope="module")
def found():
    return claims(rounds=60, strategies=["random", "normal"])


def with_figures(found, block, draw, n=N):
    """``found`` with counts of blocked rounds in Block and Draw, by strategy, of n rounds."""
    joint = joint_confidence(0.95, found.verdicts)
    figures = dict(found.figures)
    for claim, _ in found.claims.measured:
        counts = {"block": block, "draw": draw}.get(claim.id.split("-")[0])
        if counts is not None:
            figures[claim.id] = {
                name: judge(claim, estimate_rate(count, n), n, confidence=0.95, joint=joint)
                for name, count in counts.items()
            }
    return replace(found, figures=figures)


# --- sentences -------------------------------------------------------------------------------


def test_who_names_no_strategy_and_what_random_play_gives(found):
    told = with_figures(found, {"random": 6560}, {"random": 2020}).told()
    assert told[0] == (
        'S3 names no strategy for 61%, 19.2%, "roughly six in ten" and "fewer than two in ten".'
    )
    assert told[1] == (
        "Random play gives 65.6% ± 0.9 where 61% is published "
        "and 20.2% ± 0.8 where 19.2% is published."
    )


def test_who_meets_what(found):
    n = 10**7
    block = {"random": 6_560_000, "lightest": 6_110_000, "normal": 6_050_500}
    draw = {"random": 2_020_000, "lightest": 1_740_000, "normal": 1_950_000}
    strategies = tuple(load_strategy(name) for name in block)
    told = with_figures(replace(found, strategies=strategies), block, draw, n).told()
    assert (
        "61% (60.5% to 61.5%): met by lightest (61.100% ± 0.030); "
        "not settled for normal (60.505% ± 0.030)." in told
    )
    assert (
        "19.2% (19.15% to 19.25%): met by none of these three strategies; "
        "the nearest is normal (19.500% ± 0.025)." in told
    )
    assert (
        '"fewer than two in ten" (up to 20%): '
        "met by lightest (17.400% ± 0.024) and normal (19.500% ± 0.025)." in told
    )
    assert "Both 61% and 19.2%: met by none of these three strategies." in told
    two = replace(found, strategies=strategies[:2])
    told = with_figures(two, dict(list(block.items())[:2]), dict(list(draw.items())[:2]), n).told()
    assert "Both 61% and 19.2%: met by neither of these two strategies." in told
    alone = replace(found, strategies=strategies[:1])
    told = with_figures(alone, {"random": 6_560_000}, {"random": 2_020_000}, n).told()
    assert "Both 61% and 19.2%: met by none, of one strategy tried." in told


def test_nobody_is_nobody_of_those_played(found):
    told = with_figures(found, {"random": 6560}, {"random": 2500}).told()
    assert (
        "61% (60.5% to 61.5%): met by none of those played; the nearest is random (65.6% ± 0.9)."
        in told
    )
    assert "Both 61% and 19.2%: met by none of those played." in told


def test_who_meets_both(found):
    n = 10**7
    block = {"random": 6_560_000, "lightest": 6_110_000, "normal": 6_050_500}
    draw = {"random": 1_920_000, "lightest": 1_920_000, "normal": 1_920_000}
    told = with_figures(found, block, draw, n).told()
    assert "Both 61% and 19.2%: met by lightest; not settled for normal." in told


def test_no_sentence_is_fixed(found):
    told = [*with_figures(found, {"random": 6100}, {"normal": 2020}).told()]
    assert told[1] == "Random play gives 61.0% ± 1.0 where 61% is published."
    assert not any(each.startswith("Random play") for each in with_figures(found, {}, {}).told())


def test_a_source_that_names_its_strategy_and_what_is_counted(found):
    leader, some, none = found.told()[-3:]
    assert leader.startswith(
        "OpenSpiel names its strategy, random: 3.045 ± 0.030 (one standard error) is published and"
    )
    assert leader.endswith(" measured, not settled against 2.986 to 3.104.")
    assert some == "99.7%, counted exactly: 344/345, or 99.7101%, inside 99.65% to 99.75%."
    assert none == (
        '"roughly three in a thousand", counted exactly: 1/345, or 0.289855%, '
        "inside 0.25% to 0.35%."
    )


# --- tables and notes ------------------------------------------------------------------------


def test_a_table_for_each_question(found):
    many = with_figures(found, {"random": 6090, "normal": 6060}, {"normal": 2020})
    block, draw, leader, counted = many.tables()
    assert block.heading == "pagat-block, 2 players: Blocked"
    assert block.columns == ("strategy", "measured", "61%", '"roughly six in ten"')
    assert block.rows[0] == (
        "random",
        "60.9% ± 1.0",
        "not settled\nabout 58000 rounds",
        "inside",
    )
    assert [row[:2] for row in draw.rows] == [("random", "not played"), ("normal", "20.2% ± 0.8")]
    assert [row[0] for row in leader.rows] == ["random"]
    assert counted.rows[0] == ("99.7%", "344/345", "99.7101%", "inside")
    assert "61% by S3, which may stand for 60.5% to 61.5% (what rounds to 61%)." in block.lead[0]


def test_verdicts_that_do_not_stand_with_all_others_are_marked(found):
    n = 100_000
    many = with_figures(found, {"random": 60_900, "normal": 65_000}, {"normal": 20_000}, n)
    (random, normal), *_ = (table.rows for table in many.tables())
    assert (random[2], normal[2]) == ("inside (alone)", "outside")
    joint = joint_confidence(0.95, many.verdicts)
    sure = many.notes()[1]
    assert sure.startswith("Each interval is at 95% by itself. All 9 verdicts, but for those")
    assert f"at {100 * joint:.6g}%" in sure
    whole = with_figures(found, {"random": 65_000}, {"random": 25_000}, n)
    assert "All 9 verdicts are the same" in whole.notes()[1]
    assert "opener_net_points" in whole.notes()[3]


def test_one_verdict_needs_no_correction():
    one = claims(only="block-blocked", rounds=50, strategies="random")
    assert one.notes()[1:] == ["The interval is at 95%."]
    two = claims(only="block-blocked", rounds=50, strategies=["random", "normal"])
    assert "Both verdicts" in two.notes()[1]


def test_what_is_counted_is_not_said_to_be_played():
    exact = claims(only="no-double", rounds=1e4)
    assert exact.notes() == []
    assert exact.made.startswith("Counted exactly, no round was played; simdom 0.")
    assert list(exact.to_dict()["sources"]) == ["S3"]


def test_what_people_read(found):
    text = str(found)
    assert text.startswith("S3 names no strategy")
    assert found.made == (
        "60 rounds of each, seed 1; intervals at 95%; "
        f"simdom {found.version}, rules version {found.rules_version}"
    )
    assert text.endswith("simdom reproduce -n 60 --strategy random --strategy normal --seed 1")
    html = found._repr_html_()
    assert html.count("<table>") == 4
    assert found.command in html
    assert repr(found) == "<Reproduction of 7 claims: Published figures>"
    assert found.summary().endswith(f"{found.made}.")


# --- documents -------------------------------------------------------------------------------


def test_the_document(found):
    document = json.loads(found.to_json())
    assert document["schema"] == SCHEMA == "simdom.reproduction/1"
    by_id = {claim["id"]: claim for claim in document["claims"]}
    block = by_id["block-blocked"]
    assert (block["published"], block["low"], block["high"]) == (0.61, 0.605, 0.615)
    figure = block["strategies"]["random"]
    keys = {"estimate", "se", "low", "high", "count", "rounds"}
    assert set(figure) == {*keys, "verdict", "firm", "rounds_to_settle"}
    assert figure["count"] == round(60 * figure["estimate"])
    assert by_id["draw-roughly"]["low"] is None
    assert list(by_id["openspiel-opener"]["strategies"]) == ["random"]
    exact = by_id["some-double"]
    assert (exact["fraction"], exact["verdict"]) == ("344/345", "inside")
    assert exact["strategies"] == {}
    assert document["plane"] == {"x": "block-blocked", "y": "draw-blocked"}
    assert document["summary"] == found.told()
    assert (document["verdicts"], document["rounds"]) == (9, 60)
    assert not {"seconds", "threads"} & set(document)


def test_the_frame_and_the_csv(found):
    frame = found.to_frame()
    assert len(frame) == 4 * 2 + 1 + 2
    row = frame[(frame["claim"] == "draw-blocked") & (frame["strategy"] == "normal")].iloc[0]
    judged = found.figures["draw-blocked"]["normal"]
    assert row["estimate"] == judged.estimate.estimate
    assert (row["low"], row["high"]) == (judged.estimate.low, judged.estimate.high)
    assert (row["claim_low"], row["claim_high"]) == (0.1915, 0.1925)
    assert row["verdict"] == judged.verdict
    assert row["count"] == judged.estimate.count
    exact = frame[frame["claim"] == "no-double"].iloc[0]
    assert exact["estimate"] == exact["low"] == exact["high"] == 1 / 345
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert list(rows[0]) == list(frame.columns)
    assert len(rows) == len(frame)


def test_the_page(found):
    page = found.to_markdown("plane.svg")
    assert page.startswith("# Published figures\n\n- S3 names no strategy")
    assert "](plane.svg)\n" in page
    assert "plane.svg" not in found.to_markdown()
    assert '| strategy | measured | 61% | "roughly six in ten" |\n| --- |' in page
    assert "\n- S3: A page on how to play dominoes" in page
    assert page.endswith(f"```sh\n{found.command}\n```\n")


def test_it_is_kept_whole_and_the_same(found, tmp_path):
    folder = tmp_path / "a" / "published"
    found.save(folder)
    assert names_in(folder) == sorted(FILES)
    assert (folder / "claims.json").read_text("utf-8") == found.to_json()
    with pytest.raises(UsageError, match="already holds a result"):
        found.save(folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    claims(rounds=60, strategies=["random", "normal"], threads=1).save(folder, overwrite=True)
    assert before == {path.name: path.read_bytes() for path in folder.iterdir()}
    claims(only="no-double").save(folder, overwrite=True)
    assert names_in(folder) == ["claims.json", "claims.md"]


def test_nobody_s_files_are_replaced(found, tmp_path):
    (tmp_path / "claims.md").write_text("my own", encoding="utf-8")
    with pytest.raises(UsageError, match=r"holds other files \(claims\.md\)"):
        found.save(tmp_path, overwrite=True)


# --- the command -----------------------------------------------------------------------------


run = in_process(reproduce)
FEW = ("-n", "50", "--strategy", "random", "--strategy", "normal")


def test_the_table_fits_a_terminal():
    text = run(*FEW)
    *lines, command = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert command == "simdom reproduce -n 50 --strategy random --strategy normal --seed 1"
    flat = " ".join(text.split())
    for fact in (
        "S3 names no strategy for 61%",
        "Random play gives",
        "pagat-block, 2 players: Blocked",
        "Counted exactly",
        "50 rounds of each, seed 1; intervals at 95%; simdom 0.",
        "344/345",
        "OpenSpiel's block_dominoes",
    ):
        assert fact in flat


def test_every_format_is_that_of_the_library():
    expected = claims(rounds=50, strategies=["random", "normal"])
    assert run(*FEW, "--format", "json") == expected.to_json()
    assert run(*FEW, "--format", "csv") == expected.to_csv()
    assert run(*FEW, "--format", "markdown") == expected.to_markdown()


def test_eight_strategies_unless_asked_otherwise():
    document = json.loads(run("-n", "20", "--claim", "draw-blocked", "--format", "json"))
    assert tuple(document["claims"][0]["strategies"]) == STRATEGIES
    names = [strategy["name"] for strategy in document["strategies"]]
    assert len(names) == 8
    assert document["command"] == "simdom reproduce --claim draw-blocked -n 20 --seed 1"


def test_the_command_gives_the_same_again(tmp_path):
    file = tmp_path / "own claims.toml"
    file.write_text(
        'title = "Mine"\n[sources]\nhome = "Ours."\n[claims.mine]\nsays = "Ties"\n'
        'printed = "few"\npublished = 0.01\nhigh = 0.02\ninterval = "few"\nsource = "home"\n'
        'variant = "pagat-block"\nmetric = "tie_rate"\n',
        encoding="utf-8",
    )
    options = ("--claims", str(file), *FEW, "--seed", "3", "--confidence", "0.9")
    made = json.loads(run(*options, "--format", "json"))
    _, _, *arguments = shlex.split(made["command"])
    assert json.loads(run(*arguments, "--format", "json")) == made


def test_a_folder_and_a_picture_besides(tmp_path):
    out, plot = tmp_path / "out", tmp_path / "plane.png"
    run(*FEW, "--out", str(out), "--plot", str(plot), "-q")
    assert names_in(out) == sorted(FILES)
    assert plot.read_bytes().startswith(b"\x89PNG")
    before = (out / "claims.json").read_bytes()
    run(*FEW, "--out", str(out), "--overwrite", "--threads", "1", "-q")
    assert (out / "claims.json").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--format", "jsn"), "unknown format 'jsn'"),
        (("--claim", "block"), "unknown claim 'block'"),
        (("--claims", "none.toml"), r"^none\.toml: no such file$"),
        (("--strategy", "norml"), "unknown strategy 'norml'"),
        (("--plot", "plane.gif"), "unknown plot format 'gif'"),
        (("--claim", "no-double", "--plot", "a.png"), "of block-blocked and draw-blocked, so keep"),
        (("--strategy", "normal,random"), "is a strategy for each seat, but here one is played by"),
        (("--out", "out", "--plot", "out/a.png"), "which gets a plot of its own"),
    ],
)
def test_what_was_asked_wrongly(arguments, complaint, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=complaint) as error:
        run(*FEW, *arguments)
    assert error.value.exit_code == 2
    one_line(error)
    assert names_in(tmp_path) == []


def test_a_file_without_a_plane_is_told_how_to_get_one(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        'title = "Mine"\n[sources]\nhome = "Ours."\n[claims.mine]\nsays = "Ties"\n'
        'printed = "few"\npublished = 0.01\nhigh = 0.02\ninterval = "few"\nsource = "home"\n'
        'variant = "pagat-block"\nmetric = "tie_rate"\n',
        encoding="utf-8",
    )
    with pytest.raises(UsageError, match=r"add \[plane\] with x and y, the ids of two measured"):
        run("--claims", str(file), "--plot", str(tmp_path / "a.png"), *FEW)


def test_ctrl_c_prints_what_was_played_and_replaces_nothing_whole(monkeypatch, tmp_path):
    out = tmp_path / "out"
    run(*FEW, "--out", str(out), "-q")
    before = (out / "claims.json").read_bytes()

    class Interrupt(MODULE.ProgressBar):
        def __call__(self, done, _total):
            if done >= 50:
                raise KeyboardInterrupt

    monkeypatch.setattr(MODULE, "ProgressBar", Interrupt)
    app = typer.Typer(rich_markup_mode=None)
    app.command()(reproduce)
    new = tmp_path / "new"
    for folder in (out, new):
        again = [*FEW, "--out", str(folder), "--overwrite", "--plot", str(tmp_path / "plane.svg")]
        result = CliRunner().invoke(app, again)
        assert result.exit_code == 130
        assert "not played" in result.stdout
        notes = " ".join(result.stdout.split())
        assert "verdicts are there; these verdicts" in notes
        assert "All 9 verdicts" not in notes
        assert "interrupted" in result.stderr
    assert "Not saved in" not in result.stderr
    assert (out / "claims.json").read_bytes() == before
    assert json.loads((new / "claims.json").read_text("utf-8"))["partial"] is True
    assert not (tmp_path / "plane.svg").exists()
