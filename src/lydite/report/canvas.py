# SPDX-License-Identifier: Apache-2.0
"""Empty axes of matplotlib, with settings of ours alone. It takes half a second to import."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal

import matplotlib
from matplotlib import colors
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from lydite.report.svg import FONT, GRID, INK, PLAIN, SOFT

_SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "lydite",
    "svg.fonttype": "none",
    "text.parse_math": False,  # a dollar in a name is a dollar
    "font.size": FONT,
    "text.color": INK,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.linewidth": 1.0,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.minor.size": 0,
    "ytick.minor.size": 0,
    "grid.color": GRID,
    "grid.linewidth": 1.0,
}


@dataclass(frozen=True, slots=True)
class _Also:
    """What is drawn beside what stands in a page."""

    form: Literal["png", "svg"]
    title: str
    key: Sequence[tuple[str, str, str]]
    files: list[bytes] = field(default_factory=list)


_also: ContextVar[_Also | None] = ContextVar("also", default=None)
# Dots of a picture for a unit of the drawing.
_SCALE = 2
_METADATA: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}


@contextlib.contextmanager
def also(
    form: Literal["png", "svg"], title: str, key: Sequence[tuple[str, str, str]]
) -> Iterator[list[bytes]]:
    """Have what is drawn in the block as files of their own, too: with their colours, on white.

    Parameters
    ----------
    key : sequence of (str, str, str)
        Name, colour and shape of each series.
    """
    wanted = _Also(form, title, key)
    token = _also.set(wanted)
    try:
        yield wanted.files
    finally:
        _also.reset(token)


def _picture(figure: Figure, wanted: _Also) -> bytes:
    """Give a figure that has been drawn as a file of its own."""
    [made] = figure.axes
    # Title and key stand beyond the drawing, where surely nothing is.
    begin = made.get_position().x0
    figure.text(begin, 1, wanted.title, fontsize=FONT + 1, color=INK, va="bottom")
    _recolour(figure)
    figure.patch.set_facecolor("white")
    figure.patch.set_alpha(1)
    if wanted.key:
        marks = [
            Line2D([], [], ls="", marker=shape, color=PLAIN.get(colour, colour), label=name)
            for name, colour, shape in wanted.key
        ]
        made.legend(
            handles=marks,
            loc="upper center",
            bbox_to_anchor=(0.5, 0),
            bbox_transform=figure.transFigure,
            ncols=min(len(marks), 4),
            frameon=False,
            fontsize=FONT - 1,
            labelcolor=PLAIN[INK],
        )
    if wanted.form == "png":
        FigureCanvasAgg(figure)
    out = io.BytesIO()
    # A renderer of dots knows no fonts of a browser: it has its own.
    figure.savefig(
        out,
        format=wanted.form,
        dpi=72 * _SCALE,
        metadata=_METADATA[wanted.form],
        bbox_inches="tight",
        pad_inches=0.1,
    )
    return out.getvalue()


def _recolour(figure: Figure) -> None:
    """Give all that is drawn the colours that stand for the variables of a page."""
    artists = figure.findobj()
    # What leads from a text to its point is none of the children that are found.
    artists += [leader for one in artists if (leader := getattr(one, "arrow_patch", None))]
    for artist in artists:
        for name in ("color", "markeredgecolor", "markerfacecolor", "edgecolor", "facecolor"):
            get, put = getattr(artist, f"get_{name}", None), getattr(artist, f"set_{name}", None)
            if get is None or put is None:
                continue
            # Collections and the like have several colours, and none of ours.
            with contextlib.suppress(ValueError, TypeError):
                known = PLAIN.get(colors.to_hex(get()))
                if known is not None:
                    put(known)


@contextlib.contextmanager
def axes(
    whole: tuple[float, float], *, left: float, right: float, top: float, bottom: float
) -> Iterator[tuple[Axes, io.StringIO]]:
    """Give axes with room on their four sides; the SVG is there after the block.

    Parameters
    ----------
    whole : tuple of float
        Width and height with that room, all in units of the drawing.
    """
    width, height = whole
    out = io.StringIO()
    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        # The browser has its own fonts.
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        # A unit is a point, of which 72 make an inch.
        figure = Figure(figsize=(width / 72, height / 72), dpi=72)
        FigureCanvasSVG(figure)
        place = (left / width, bottom / height)
        size = ((width - left - right) / width, (height - top - bottom) / height)
        made = figure.add_axes((*place, *size))
        made.patch.set_alpha(0)
        figure.patch.set_alpha(0)
        made.spines[["top", "right"]].set_visible(False)
        made.set_axisbelow(True)
        yield made, out
        figure.savefig(out, format="svg", metadata=_METADATA["svg"])
        if (wanted := _also.get()) is not None:
            wanted.files.append(_picture(figure, wanted))
