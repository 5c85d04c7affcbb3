# SPDX-License-Identifier: Apache-2.0
"""Empty axes of matplotlib, with settings of ours alone. It takes half a second to import."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from lydite.report.svg import FONT, GRID, INK, SOFT

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
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
