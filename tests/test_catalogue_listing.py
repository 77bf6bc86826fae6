"""A folder of results as a list: what is there, what is damaged, and what is nobody's."""

import os
import sys
from datetime import UTC, datetime

import pytest

from commands import names_in, one_line
from result_folders import DOCUMENTS, DRAW, MATCHES, checkpoint, content, write
from simdom.catalogue.exporting import export_results, what_of
from simdom.catalogue.finding import find_document
from simdom.catalogue.listing import _date_of, list_results
from simdom.catalogue.tidy import FIGURES, RESULTS, results_frame, tidy
from simdom.cli.results_sheets import list_sheet
from simdom.errors import UsageError


@pytest.fixture
def folder(tmp_path):
    """Results at several depths, and a sweep beside them."""
    root = tmp_path / "results"
    write(root / "draw" / "result.json", content(DRAW))
    write(root / "b" / "deep" / "er" / "result.json", content(MATCHES))
    write(root / "sweep.json", content("sweep-1-first.json"))
    return root


def told(entries):
    return [(entry.path, entry.kind) for entry in entries]


def test_documents_of_any_depth_are_listed_by_path(folder):
    assert told(list_results(folder)) == [
        ("b/deep/er", "match"),
        ("draw", "run"),
        ("sweep.json", "sweep"),
    ]
    assert told(list_results(folder / "draw")) == [(".", "run")]


def test_the_folder_need_not_be_named(folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    assert len(list_results()) == 3


def test_an_empty_folder_has_no_entries(tmp_path):
    assert list_results(tmp_path) == []


def test_a_missing_folder_and_a_file_are_refused(tmp_path):
    with pytest.raises(UsageError, match="nowhere is not there: name a folder"):
        list_results(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="is a file: name its folder"):
        list_results(write(tmp_path / "a.json", "{}"))
    with pytest.raises(UsageError, match="cannot be looked into"):
        list_results("a\0b")


def test_what_cannot_be_read_stops_nothing(folder):
    write(folder / "broken.json", '{"schema":')
    write(folder / "package.json", '{"name": "other"}')
    write(folder / "lost" / "result.json", "")
    (folder / "bytes.json").write_bytes(b"\xff\xfe")
    (folder / "junk.parquet").write_bytes(b"PAR1 and no more")
    entries = {entry.path: entry for entry in list_results(folder)}
    assert entries.keys() >= {"draw", "b/deep/er", "sweep.json"}
    lost = {path: entry.problem for path, entry in entries.items() if entry.saved is None}
    assert lost.keys() == {
        *("broken.json", "package.json", "lost/result.json", "bytes.json", "junk.parquet")
    }
    assert all(problem and "\n" not in problem for problem in lost.values())
    assert lost["package.json"] == "is no document of simdom: it names no schema"


def test_other_files_and_hidden_ones_are_passed_over(folder):
    write(folder / "notes.txt", "hello")
    write(folder / "draw" / "metrics.csv", "metric")
    write(folder / ".git" / "a.json", "{}")
    write(folder / ".draw.abc.part" / "result.json", "{")
    assert len(list_results(folder)) == 3


def test_links_lead_nowhere_twice(folder):
    (folder / "loop").symlink_to(folder)
    (folder / "b" / "up").symlink_to("..")
    (folder / "gone.json").symlink_to("nowhere")
    (folder / "same.json").symlink_to("sweep.json")
    entries = {entry.path: entry for entry in list_results(folder)}
    assert entries["loop"].problem == "is a link to a folder: list that one by itself"
    assert entries["b/up"].kind == "unreadable"
    assert entries["gone.json"].problem == "cannot be read: No such file or directory"
    assert entries["same.json"].kind == "sweep"
    assert len(entries) == 7


def test_a_link_to_itself(tmp_path):
    (tmp_path / "self.json").symlink_to("self.json")
    assert [entry.kind for entry in list_results(tmp_path)] == ["unreadable"]


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a.json")
    (entry,) = list_results(tmp_path)
    assert entry.problem == "is no regular file, but a pipe or a device"


def test_a_folder_called_like_a_document(folder):
    write(folder / "odd.json" / "result.json", content(DRAW))
    assert ("odd.json", "run") in told(list_results(folder))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look into everything")
def test_a_folder_that_may_not_be_looked_into(folder):
    shut = folder / "shut"
    shut.mkdir(mode=0)
    entries = {entry.path: entry for entry in list_results(folder)}
    assert entries["shut"].problem == "cannot be looked into: Permission denied"
    with pytest.raises(UsageError, match="cannot be looked into: Permission denied"):
        list_results(shut)


@pytest.mark.skipif(sys.platform != "linux", reason="names there are any bytes")
def test_names_of_any_bytes(tmp_path):
    write(tmp_path / "new\nline.json", content(DRAW))
    os.rename(  # noqa: PTH104 -- a path has no such bytes
        write(tmp_path / "x.json", content(DRAW)), os.fsencode(tmp_path) + b"/\xff.json"
    )
    entries = list_results(tmp_path)
    assert [entry.path for entry in entries] == ["\\xff.json", "new\nline.json"]
    assert "new\\nline.json" in export(tmp_path)


def export(folder):
    to = folder.parent / f"{folder.name}.md"
    export_results(folder, to=to)
    return to.read_text("utf-8")


def test_many_folders_one_in_the_other(tmp_path):
    deep = tmp_path.joinpath(*["d"] * 300)
    write(deep / "result.json", content(DRAW))
    assert [entry.path for entry in list_results(tmp_path)] == ["/".join(["d"] * 300)]


def test_time_and_size_are_those_of_the_files(folder):
    file = folder / "draw" / "result.json"
    write(folder / "draw" / "tally.json", checkpoint())
    os.utime(file, (1_700_000_000, 1_700_000_000))
    entry = list_results(folder / "draw")[0]
    assert entry.modified == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    assert entry.size == sum(part.stat().st_size for part in (folder / "draw").iterdir())
    assert entry.note == ""


def test_a_time_that_no_calendar_has():
    assert _date_of(2.0**60) is None


def test_a_run_that_is_not_finished(folder):
    write(folder / "half" / "checkpoint.json", checkpoint())
    write(folder / "half" / "tally.json", checkpoint())
    write(folder / "draw" / "checkpoint.json", checkpoint())
    entries = {entry.path: entry for entry in list_results(folder)}
    assert entries["half"].kind == "unfinished"
    assert entries["half"].note == (
        f"unfinished: 3,000,000 of 10,000,000 rounds; `simdom resume {folder}/half` goes on"
    )
    assert entries["draw"].kind == "run"
    assert entries["draw"].note == f"unfinished; `simdom resume {folder}/draw` goes on"


def test_a_folder_has_the_same_paths_however_it_is_spelled(folder, monkeypatch):
    expected = told(list_results(folder))
    monkeypatch.chdir(folder)
    for spelling in (".", "../results", "./", f"{folder}/draw/.."):
        assert told(list_results(spelling)) == expected


def test_no_run_goes_on_from_a_damaged_checkpoint(folder):
    write(folder / "half" / "checkpoint.json", checkpoint() | {"done": 5})
    write(folder / "cut" / "checkpoint.json", "{")
    write(folder / "draw" / "checkpoint.json", "{")
    entries = {entry.path: entry for entry in list_results(folder)}
    for path in ("half", "cut"):
        problem = entries[f"{path}/checkpoint.json"].problem
        assert problem.startswith("is no checkpoint: ")
        assert problem.endswith("it was cut short or changed")
    note = entries["draw"].note
    assert "cannot go on: checkpoint.json is no checkpoint: it was cut short" in note
    assert "simdom resume" not in note


def test_pieces_say_from_which_number_on_they_are(tmp_path):
    write(tmp_path / "two" / "result.json", content(DRAW) | {"first": 5000})
    write(tmp_path / "half" / "checkpoint.json", checkpoint(first=7000))
    half, two = list_results(tmp_path)
    assert (half.to_dict()["first"], two.to_dict()["first"]) == (7000, 5000)
    assert "from number 5,000 on" in what_of(two.saved)
    cells, _ = list_sheet(tmp_path, [two, half]).rows
    assert "from number 5,000 on" in cells[1]


def test_figures_that_were_exported_are_no_document(folder):
    pytest.importorskip("pyarrow")
    export_results(folder, to=folder / "figures.parquet")
    assert len(list_results(folder)) == 3
    assert find_document(folder).kind == "sweep"
    with pytest.raises(UsageError, match="is a table of figures"):
        find_document(folder / "figures.parquet")


def test_what_an_unfinished_run_counts(tmp_path):
    for kind, unit in (("match", "match"), ("duel", "deal"), ("compare", "round")):
        write(tmp_path / kind / "checkpoint.json", checkpoint(1, 2, kind, unit))
        (entry,) = list_results(tmp_path / kind)
        assert f"1 of 2 {unit}" in entry.note


def test_sums_without_their_result(tmp_path):
    tally = write(tmp_path / "tally.json", checkpoint())
    (entry,) = list_results(tmp_path)
    assert entry.note == "exact sums of 3,000,000 of 10,000,000 rounds, without the result"
    write(tmp_path / "result.json", content(DRAW))
    alone = find_document(tally)
    assert alone.kind == "sums"
    assert alone.note.endswith("of 10,000,000 rounds, beside result.json")


def test_an_interrupted_run_says_so(tmp_path):
    write(tmp_path / "result.json", content(DRAW) | {"asked": 5000, "partial": True})
    assert list_results(tmp_path)[0].note == "interrupted: 200 of 5,000 rounds"


def test_one_document_of_a_folder_or_file(folder):
    assert find_document(folder / "draw").kind == "run"
    assert find_document(folder / "sweep.json").kind == "sweep"
    assert find_document(folder).kind == "sweep"
    write(folder / "odds.json", content("odds-1-first.json"))
    with pytest.raises(UsageError, match=r"several documents: name one of odds.json, sweep.json"):
        find_document(folder)
    with pytest.raises(UsageError, match="holds no document"):
        find_document(folder / "b")
    with pytest.raises(UsageError) as error:
        find_document(write(folder / "bad.json", "{"))
    assert f"{folder / 'bad.json'} is no JSON" in one_line(error)


def test_tidy_has_a_row_for_each_figure():
    frame = tidy(DOCUMENTS)
    assert list(frame.columns) == list(FIGURES)
    draw = frame[frame.path == DRAW].set_index("metric")
    figures = content(DRAW)["metrics"]
    assert draw.loc["points", "estimate"] == figures["points"]["estimate"]
    assert draw.loc["blocked_rate", "count"] == figures["blocked_rate"]["count"]
    assert draw.loc["seat_win_rate", "seat"].tolist() == [0, 1]
    assert set(draw["trials"]) == {200}
    assert set(draw["seed"]) == {1}


def test_tidy_of_nothing_has_its_columns(tmp_path):
    assert tidy(tmp_path).empty
    assert dict(tidy(tmp_path).dtypes.astype(str)) == FIGURES


def test_seeds_and_counts_are_exact(tmp_path):
    most = 2**64 - 1
    write(tmp_path / "a.json", content("odds-1-first.json") | {"seed": most, "rounds": 10**17})
    row = results_frame(list_results(tmp_path)).iloc[0]
    assert int(row["seed"]) == most
    assert int(row["rounds"]) == 10**17


def test_results_have_a_row_for_each_document():
    frame = results_frame(list_results(DOCUMENTS))
    assert list(frame.columns) == list(RESULTS)
    assert len(frame) == len(names_in(DOCUMENTS))
    teams = frame[frame.path == "result-1-teams.json"].iloc[0]
    assert (teams["players"], teams["rounds"]) == (4, 200)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_an_export_is_read_back(folder, tmp_path, suffix):
    import pandas as pd

    to = tmp_path / f"figures.{suffix}"
    assert len(export_results(folder, to=to)) == 3
    read = pd.read_csv(to) if suffix == "csv" else pd.read_parquet(to)
    expected = tidy(folder)
    assert list(read.columns) == list(expected.columns)
    assert read["estimate"].tolist() == expected["estimate"].tolist()
    assert read["path"].tolist() == expected["path"].tolist()


def test_a_page_has_a_section_for_each_document(folder):
    write(folder / "broken|.json", "{")
    page = export(folder)
    assert "## draw\n" in page
    assert "| of | figure | estimate |" in page
    assert "|  | Blocked | 17% (11 to 23) |" in page
    assert "| reserve=0 | Points |" in page
    assert "It is no JSON" in page
    assert "seed 1; 95% intervals; simdom 0.1.0; rules version 1" in page


def test_exports_are_refused_before_anything_is_read(tmp_path):
    for to, complaint in (
        ("a", "has no suffix"),
        ("a.xlsx", "unknown file format 'xlsx'"),
        (".", "has no suffix"),
    ):
        with pytest.raises(UsageError, match=complaint):
            export_results(tmp_path / "nowhere", to=to)
    there = write(tmp_path / "a.csv", "mine")
    with pytest.raises(UsageError, match="is there already"):
        export_results(tmp_path, to=there)
    assert there.read_text() == "mine"
    export_results(tmp_path, to=there, overwrite=True)
    assert there.read_text().startswith("path,kind,")
