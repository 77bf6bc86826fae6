"""Pictures: what is drawn, that the same result gives the same bytes, and that files are whole."""

import errno
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import matplotlib as mpl
import pytest
from PIL import Image

from samples import DRAW, Round, result_of
from simdom import files
from simdom.errors import RunError, UsageError
from simdom.plots.run import draw_run, figure_of_run, plot_run
from simdom.plots.style import FORMATS, check_plot_path, render_figure
from simdom.rules import BlockScore, Boneyard, Opening, Rules

PNG = b"\x89PNG\r\n\x1a\n"


def axes_of(result):
    """The panels, by their titles up to the colon."""
    figure = figure_of_run(result)
    panels = [axes for part in figure.subfigs for axes in part.axes]
    return {axes.get_title(loc="left").split(":")[0]: axes for axes in panels}


# --- what is drawn --------------------------------------------------------------------------


def test_three_panels_with_axes_in_words_and_units():
    panels = axes_of(result_of())
    assert {name: (axes.get_xlabel(), axes.get_ylabel()) for name, axes in panels.items()} == {
        "How rounds end": ("share of rounds (%)", ""),
        "Points": ("points awarded in a round", "share of rounds (%)"),
        "Length": ("tiles on the line when the round ends", "share of rounds (%)"),
    }
    assert panels["Points"].get_title(loc="left") == "Points: mean 11.15 ± 0.06"
    assert panels["Length"].get_title(loc="left") == "Length: mean 13.360 ± 0.023"


def test_ends_are_shares_with_their_intervals():
    axes = axes_of(result_of())["How rounds end"]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == ["domino", "blocked", "tied, of all rounds (dark)"]
    domino, blocked_bar, tied = axes.patches
    assert [bar.get_width() for bar in axes.patches] == pytest.approx([80, 20, 1])
    assert tied.get_y() == blocked_bar.get_y() != domino.get_y()
    assert tied.get_x() + tied.get_width() == pytest.approx(blocked_bar.get_width())
    assert [text.get_text() for text in axes.texts] == [
        "80.0% ± 0.8",
        "20.0% ± 0.8",
        "1.00% (0.82 to 1.22)",
    ]
    assert axes.get_xlim() == (0, 100)
    blocked = result_of().estimate("blocked_rate")
    whiskers = [errors.get_segments()[0][:, 0] for errors in axes.collections]
    assert list(whiskers[1]) == pytest.approx([100 * blocked.low, 100 * blocked.high])


def test_bars_stand_over_their_values_and_add_up():
    axes = axes_of(result_of())["Points"]
    middles = {bar.get_x() + bar.get_width() / 2: bar.get_height() for bar in axes.patches}
    assert middles == pytest.approx({0: 1, 5: 4, 10: 60, 12: 20, 17: 15})


def test_wide_distributions_are_drawn_in_steps():
    rules = Rules(max_pip=18, players=14, deal=9, boneyard=Boneyard.DRAW, reserve=2)
    rounds = [Round(1, 0, (0,) + (5 + k,) * 13) for k in range(0, 200, 3)]
    axes = axes_of(result_of(rounds, rules))["Points"]
    assert axes.get_xlabel() == "points awarded in a round, in steps of 50"
    first = axes.patches[0]
    assert first.get_x() + first.get_width() / 2 == 50 + 24.5  # 65 is from 50 to 99
    assert sum(bar.get_height() for bar in axes.patches) == pytest.approx(100)


def test_bars_are_as_wide_however_many_rounds_were_played():
    few = axes_of(result_of([Round(1, 0, (0, 10)), Round(1, 0, (0, 12))]))
    many = axes_of(result_of([Round(10**6, 0, (0, k)) for k in range(1, 150)]))
    for panel in ("Points", "Length"):
        assert few[panel].get_xlabel().split("\n")[0] == many[panel].get_xlabel().split("\n")[0]
        widths = [axes[panel].patches[0].get_width() for axes in (few, many)]
        assert widths[0] == pytest.approx(widths[1])


def test_tails_that_nobody_would_see_are_left_out_and_named():
    rounds = [
        Round(4, 0, (0, 1), plays=7),
        Round(9990, 0, (0, 30), plays=13),
        Round(1, 0, (0, 70), plays=20),
        Round(5, 0, (0, 99), plays=13),
    ]
    points, plays = (axes_of(result_of(rounds))[name] for name in ("Points", "Length"))
    assert points.get_xlabel() == (
        "points awarded in a round\n(not drawn: 0.04% below 30, 0.05% above 70)"
    )
    assert [bar.get_x() + bar.get_width() / 2 for bar in points.patches] == [30, 70]
    assert points.get_xlim() == (29, 71)
    assert plays.get_xlabel().endswith("ends\n(not drawn: 0.04% below 13, 0.01% above 13)")


def test_who_wins_is_drawn_if_strategies_differ():
    mixed = result_of(strategies=("normal", "random"))
    axes = axes_of(mixed)["Who wins, by seat"]
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        "Seat 0, normal",
        "Seat 1, random",
    ]
    assert [bar.get_width() for bar in axes.patches] == pytest.approx([75, 24])
    assert [text.get_text() for text in axes.texts] == ["75.0% ± 0.9", "24.0% ± 0.8"]
    assert axes.get_xlabel() == "share of rounds (%)"
    assert "Who wins, by seat" not in axes_of(result_of())
    first = DRAW._replace(opening=Opening.FIRST_SEAT)
    unfair = axes_of(result_of(rules=first, strategies=("normal", "random")))
    assert "Seat 0 always leads" in unfair["Who wins, by seat"].get_xlabel()


def test_the_title_says_what_was_changed():
    rules = DRAW._replace(reserve=0, block_score=BlockScore.OTHERS)
    figure = figure_of_run(result_of(rules=rules))
    title = " ".join(figure.get_suptitle().split())
    assert title == "pagat-draw, reserve 0, block_score others, 2 players, strategy random"
    assert "pagat-draw with reserve 0, block_score others" in figure.get_supxlabel()


def test_small_print_says_what_was_run():
    figure = figure_of_run(result_of(asked=50_000, strategies=("normal", "random")))
    assert figure.get_suptitle() == "pagat-draw, 2 players, strategies normal, random"
    small = figure.get_supxlabel()
    for fact in ("pagat-draw", "normal, random", "10,000 rounds", "50,000 asked", "seed 1", "95%"):
        assert fact in small
    assert "simdom 0." in small
    assert small.endswith("\nsimdom run --variant pagat-draw -n 1e4 --seed 1")


def test_long_names_are_kept_within_the_picture():
    rules = Rules(max_pip=9, players=9, deal=5)
    result = result_of(
        [Round(9, 0, (0,) + (3,) * 8)],
        rules,
        strategies=("doubles-first",) * 8 + ("accompanied",),
        command="simdom run " + "--set blank_pips=1 " * 30,
    )
    figure = figure_of_run(result)
    assert figure.get_suptitle().endswith("…")
    width, height = figure.get_size_inches() * figure.dpi
    figure.draw_without_rendering()
    for text in figure.texts:
        box = text.get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= width
        assert box.y1 <= height


def test_one_round_can_be_drawn_and_none_cannot():
    panels = axes_of(result_of([Round(1, None, (7, 7), blocked=True)]))
    assert panels["Points"].get_title(loc="left") == "Points: mean 0 (one round)"
    assert all(tick == int(tick) for tick in panels["Points"].get_xticks())
    with pytest.raises(UsageError, match="no round was played"):
        draw_run(result_of([]))


# --- the same bytes -------------------------------------------------------------------------


def test_same_result_same_bytes():
    here = [draw_run(result_of(), file_format) for file_format in FORMATS]
    assert draw_run(result_of()) == here[0]
    assert draw_run(result_of(seed=2)) != here[0]
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from samples import result_of\n"
        "from simdom.plots.run import draw_run\nfrom simdom.plots.style import FORMATS\n"
        "for file_format in FORMATS:\n"
        "    sys.stdout.buffer.write(draw_run(result_of(), file_format))\n"
    )
    elsewhere = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": "7", "SOURCE_DATE_EPOCH": "1"},
    )
    assert elsewhere.stdout == b"".join(here)


def test_two_threads_that_draw_at_once_draw_the_same():
    """matplotlib's settings are the process's: whoever came second would be left without."""
    first, second = result_of(), result_of(seed=2)
    one_by_one = [draw_run(first, "svg"), draw_run(second, "svg")]
    began = threading.Event()

    def make_second():
        began.set()
        return figure_of_run(second)

    with ThreadPoolExecutor(1) as other:
        others = []

        def make_first():
            others.append(other.submit(render_figure, make_second, "svg"))
            draw_run(first, "svg")  # long enough for the other to begin, if nothing keeps it out
            assert not began.is_set()
            return figure_of_run(first)

        assert render_figure(make_first, "svg") == one_by_one[0]
        assert others[0].result() == one_by_one[1]


def test_files_do_not_say_when_or_by_what_they_were_made(tmp_path):
    plot_run(result_of(), tmp_path / "run.png")
    with Image.open(tmp_path / "run.png") as image:
        assert set(image.info) == {"dpi"}
        assert image.size == (1350, 900)
    svg = draw_run(result_of(), "svg")
    assert not any(word in svg for word in (b"dc:date", b"dc:creator", b"Matplotlib v"))
    pdf = draw_run(result_of(), "pdf")
    assert not any(word in pdf for word in (b"CreationDate", b"Producer", b"Creator"))


def test_settings_of_the_user_neither_matter_nor_change():
    plain = draw_run(result_of())
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "savefig.dpi": 50}):
        before = dict(mpl.rcParams)
        assert draw_run(result_of()) == plain
        assert dict(mpl.rcParams) == before


def test_no_window_system_is_touched():
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import simdom.plots.run\n"
        "assert 'matplotlib' not in sys.modules\n"
        "from samples import result_of\n"
        "simdom.plots.run.draw_run(result_of())\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# --- files ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "begins"), [("a.png", PNG), ("a.SVG", b"<?xml"), ("a.b.pdf", b"%PDF")]
)
def test_the_suffix_is_the_format(tmp_path, name, begins):
    plot_run(result_of(), str(tmp_path / name))
    assert (tmp_path / name).read_bytes().startswith(begins)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("run.jpg", "unknown plot format 'jpg': choose from png, svg, pdf"),
        ("run.pngg", "did you mean 'png'"),
        ("run", r"run has no suffix: choose one of \.png, \.svg, \.pdf"),
        ("folder.png/file/run.png", "run.png cannot be made: .*file is a file"),
        ("folder.png", "folder.png is a folder: name a file"),
    ],
)
def test_a_path_that_cannot_be_is_known_before_the_run(tmp_path, name, complaint):
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "folder.png" / "file").touch()
    for attempt in (check_plot_path, lambda path: plot_run(result_of(), path)):
        with pytest.raises(UsageError, match=complaint) as error:
            attempt(tmp_path / name)
        assert "\n" not in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.png"]


def test_folders_are_made_as_for_a_result(tmp_path):
    path = tmp_path / "a" / "b" / "run.png"
    check_plot_path(path)
    assert not (tmp_path / "a").exists()
    plot_run(result_of(), path)
    assert path.read_bytes().startswith(PNG)


def test_an_unknown_format_is_refused():
    with pytest.raises(UsageError, match="choose from png, svg, pdf"):
        draw_run(result_of(), "gif")


def test_a_folder_without_leave_to_write_is_known_before_the_run(tmp_path, monkeypatch):
    def refuse(path, *_args, **_options):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(UsageError, match=r"run\.png cannot be written: Permission denied"):
        check_plot_path(tmp_path / "run.png")


def test_a_full_disk_leaves_the_old_picture(tmp_path, monkeypatch):
    path = tmp_path / "run.png"
    path.write_bytes(b"old")

    def full(_handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(RunError, match=r"run\.png cannot be written: No space left on device"):
        plot_run(result_of(), path)
    with pytest.raises(RunError, match=r"new\.png cannot be written"):
        plot_run(result_of(), tmp_path / "a" / "b" / "new.png")
    assert path.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["run.png"]


def test_a_picture_in_the_way_is_replaced(tmp_path):
    path = tmp_path / "run.png"
    path.write_bytes(b"old")
    plot_run(result_of(), path)
    assert path.read_bytes() == draw_run(result_of())


def test_a_picture_is_saved_with_its_result(tmp_path):
    result_of().save(tmp_path / "run", plot=draw_run(result_of()))
    assert (tmp_path / "run" / "plot.png").read_bytes().startswith(PNG)
