"""The one style of every picture, and how a figure becomes a file.

The same result gives the same bytes, on any day. Colours are Okabe and Ito's, which the
colour-blind tell apart; no picture needs them to be read.
"""

import io
import textwrap
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simdom.errors import UsageError, check_choice
from simdom.files import check_file, write_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "BLACK",
    "COLOURS",
    "DARK_VERMILION",
    "FORMATS",
    "GREY",
    "MARKERS",
    "Picture",
    "SKY",
    "VERMILION",
    "check_plot_path",
    "render_figure",
    "style",
    "picture_of",
    "write_words",
]

# Without these a file would say when and by what it was made.
_NO_METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
FORMATS = tuple(_NO_METADATA)
"""Formats of pictures, by the suffix of the file."""

SKY, VERMILION, BLACK, GREY = "#56B4E9", "#D55E00", "#000000", "#595959"
DARK_VERMILION = "#7A3600"
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", BLACK)
"""Of things side by side, the dark ones first."""
MARKERS = "osD^v<>Pp*hX"
"""Of things side by side, told apart without their colours."""

_STYLE: dict[Any, Any] = {
    "text.parse_math": False,  # a dollar sign in a name is one
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.labelsize": 9,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",  # comes with matplotlib, so every machine has it
    "font.size": 9,
    "grid.color": "#D9D9D9",
    "grid.linewidth": 0.6,
    "pdf.fonttype": 42,
    "savefig.dpi": 150,
    "svg.hashsalt": "simdom",  # ids in the file would be random otherwise
    "xtick.color": GREY,
    "xtick.labelcolor": BLACK,
    "ytick.color": GREY,
    "ytick.labelcolor": BLACK,
}
_HEADLINE = 74  # characters that fit in a line
_HEADLINES = 2  # lines
_LINE = 165  # characters of small print that fit in a line


def check_plot_path(path: str | Path) -> str:
    """Return the format that ``path`` asks for; ask before a long run.

    Raises:
        UsageError: its suffix is no format; it is a folder; what is above it is a file or cannot
            be written to.
    """
    suffix = Path(path).suffix.lower().removeprefix(".")
    if not suffix:
        raise UsageError(f"{path} has no suffix: choose one of .{', .'.join(FORMATS)}")
    check_choice("plot format", suffix, FORMATS)
    check_file(Path(path))
    return suffix


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture that a notebook shows, and that can be saved."""

    make: Callable[[], "Figure"]

    def __repr__(self) -> str:
        return "<Picture>"

    def save(self, path: str | Path) -> None:
        """Draw it into a file, in the format of its suffix; one that is there is replaced.

        Raises:
            UsageError: as `check_plot_path`; there is nothing to draw.
            RunError: the file cannot be written; what was there before is still there.
        """
        write_file(Path(path), render_figure(self.make, check_plot_path(path)))

    def to_png(self) -> bytes:
        """The picture as the content of a PNG file."""
        return render_figure(self.make, "png")

    def _repr_png_(self) -> bytes:
        """The picture, as a notebook asks for it."""
        return self.to_png()


def picture_of(make: Callable[[], "Figure"], path: str | Path | None) -> Picture:
    """The picture of the figure that ``make`` makes, saved if there is a path.

    Raises:
        UsageError: as `check_plot_path`; or what ``make`` raises.
        RunError: the file cannot be written; what was there before is still there.
    """
    picture = Picture(make)
    if path is not None:
        picture.save(path)
    return picture


def render_figure(make: Callable[[], "Figure"], file_format: str) -> bytes:
    """The content of a file with the figure that ``make`` makes, in the one style.

    Raises:
        UsageError: no such format; or what ``make`` raises.
    """
    check_choice("plot format", file_format, FORMATS)
    with style():
        content = io.BytesIO()
        make().savefig(content, format=file_format, metadata=_NO_METADATA[file_format])
    return content.getvalue()


# matplotlib's settings and Python's warnings are the process's, so one thread draws at a time. A
# figure is made inside of what renders it: whoever holds the lock may take it again.
_DRAWING = threading.RLock()


@contextmanager
def style() -> Iterator[None]:
    """One style, whatever the user's own settings are; those are back afterwards.

    A thread that is in it keeps others out: they wait until it has drawn its picture.
    """
    import matplotlib as mpl

    with _DRAWING, mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        with warnings.catch_warnings():
            # A name in letters that the font lacks is drawn as boxes, without a word about it.
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
            yield


def write_words(figure: "Figure", title: str, small_print: Sequence[str]) -> None:
    """The headline above a picture, and below it what was run, wrapped."""
    headline = textwrap.fill(title, _HEADLINE, max_lines=_HEADLINES, placeholder=" …")
    figure.suptitle(headline, x=0.01, ha="left", fontsize=13, fontweight="bold")
    small = "\n".join(line for text in small_print for line in textwrap.wrap(text, _LINE))
    figure.supxlabel(small, x=0.01, ha="left", fontsize=7, color=GREY)
