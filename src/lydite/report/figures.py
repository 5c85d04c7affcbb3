# SPDX-License-Identifier: Apache-2.0
"""Figures as SVG to stand inside a page, drawn by matplotlib.

Colours are variables of the page's style, so that light, dark and paper each have their own; texts
stay texts. Each mark has a title, which browsers show, and a link to the record behind it. The same
figure gives the same bytes: no date, no random name, no settings of the user, and places that do
not depend on how wide a font is here.
"""

from __future__ import annotations

import io
import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Literal

from lydite.base.units import digits
from lydite.report import scales, svg
from lydite.report.page import (
    Axis,
    Bar,
    Bars,
    Figure,
    Line,
    Lines,
    Page,
    Point,
    Scatter,
    Slope,
    Slopes,
    Strip,
    Strips,
    slug,
)
from lydite.report.svg import INK, LETTER, PAPER, SERIES, SOFT, Mark

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# A unit of the drawing is a pixel of a page that has room for it.
WIDTH = 640
_FORMS: tuple[Literal["png", "svg"], ...] = ("png", "svg")
_LEADER = {"arrowstyle": "-", "color": SOFT, "lw": 0.6, "shrinkA": 0, "shrinkB": 4}
_ROW = 26
# Letters of a label and of the title of an axis.
_LONGEST = 28
_LONGEST_TITLE = 50
_SHAPES = "os^DvP"
# The same shapes for the key in the text of a page.
SHAPES = "\u25cf\u25a0\u25b2\u25c6\u25bc\u271a"


def draw(figure: Figure, *, name: str) -> str:
    """Give a figure as an `svg` element.

    Parameters
    ----------
    name : str
        Of letters, digits and hyphens, and its own on the page: all ids begin with it.
    """
    kinds: dict[type, Callable[[Any], tuple[str, list[Mark]]]] = {
        Scatter: _scatter,
        Strips: _strips,
        Bars: _bars,
        Lines: _lines,
        Slopes: _slopes,
    }
    text, marks = kinds[type(figure)](figure)
    return svg.inline(text, name=name, title=figure.title, about=figure.about, marks=marks)


def picture(figure: Figure, form: Literal["png", "svg"]) -> bytes:
    """Give a figure as a file of its own, with its colours and a key of its series."""
    # Imported here: it takes half a second, and few commands draw.
    from lydite.report import canvas

    with canvas.also(form, figure.title, _key(figure)) as files:
        draw(figure, name="picture")
    return files[0]


def files(page: Page) -> Iterator[tuple[str, bytes]]:
    """Give each figure of a page as PNG and as SVG: the name of a file, and what is in it."""
    stems: Counter[str] = Counter()
    for figure in filter(is_drawable, page.figures):
        stem = slug(figure.title)
        stems[stem] += 1
        if stems[stem] > 1:
            stem = f"{stem}-{stems[stem]}"
        for form in _FORMS:
            yield f"{stem}.{form}", picture(figure, form)


def _key(figure: Figure) -> list[tuple[str, str, str]]:
    """Give name, colour and shape of each series, where there are several."""
    names = series(figure)
    return [(name, *_style(names, name)) for name in names] if len(names) > 1 else []


def series(figure: Figure) -> tuple[str, ...]:
    """Give the names of the series in the order of their colours and shapes; one has no key."""
    items: Sequence[Point | Strip | Bar | Line | Slope]
    if isinstance(figure, Scatter):
        items = _points(figure)
    elif isinstance(figure, Strips):
        items = [item for item in figure.strips if _values(figure.axis, item.values)]
    elif isinstance(figure, Bars):
        items = [item for item in figure.bars if math.isfinite(item.value)]
    elif isinstance(figure, Slopes):
        items = figure.slopes
    else:
        items = [item for item in figure.lines if _line(figure, item)]
    return tuple(dict.fromkeys(item.series for item in items))


def left_out(figure: Figure) -> tuple[str, ...]:
    """Give the labels of what cannot be drawn: without a finite figure, or not above 0 on an axis
    of equal ratios.
    """
    if isinstance(figure, Scatter):
        drawn = [item.label for item in _points(figure)]
        return tuple(item.label for item in figure.points if item.label not in drawn)
    if isinstance(figure, Lines):
        drawn = [item.label for item in figure.lines if _line(figure, item)]
        return tuple(item.label for item in figure.lines if item.label not in drawn)
    if isinstance(figure, Strips):
        return tuple(item.label for item in figure.strips if not _values(figure.axis, item.values))
    if isinstance(figure, Slopes):
        return ()
    return tuple(item.label for item in figure.bars if not math.isfinite(item.value))


def is_drawable(figure: Figure) -> bool:
    """Whether there is anything to be drawn."""
    kinds = ("points", "strips", "bars", "lines", "slopes")
    items = sum(len(getattr(figure, name, ())) for name in kinds)
    return items > len(left_out(figure))


def _fits(axis: Axis, value: float) -> bool:
    return math.isfinite(value) and (value > 0 or not axis.is_log)


def _values(axis: Axis, values: Sequence[float]) -> list[float]:
    return [value for value in values if _fits(axis, value)]


def _points(figure: Scatter) -> list[Point]:
    return [item for item in figure.points if _fits(figure.x, item.x) and _fits(figure.y, item.y)]


def _line(figure: Lines, line: Line) -> list[tuple[float, float]]:
    return [(x, y) for x, y in line.points if _fits(figure.x, x) and _fits(figure.y, y)]


def _cut(label: str, most: int = _LONGEST) -> str:
    return label if len(label) <= most else label[: most - 1] + "\u2026"


def _label_room(labels: Sequence[str]) -> float:
    return max((len(_cut(label)) for label in labels), default=0) * LETTER + 12


def _value(value: float, axis: Axis) -> str:
    return f"{digits(value, 4)} {axis.unit}".rstrip()


def _canvas(
    height: float, *, left: float, right: float, top: float = 28, bottom: float = 44
) -> AbstractContextManager[tuple[Axes, io.StringIO]]:
    """Give axes within `WIDTH` x height, as `canvas.axes` does."""
    # Imported here: it takes half a second, and few commands draw.
    from lydite.report import canvas

    return canvas.axes((WIDTH, height), left=left, right=right, top=top, bottom=bottom)


def _scale(
    axes: Axes, which: str, axis: Axis, ends: tuple[float, float], marks: Sequence[float] = ()
) -> None:
    """Set up an axis: its ends, its marks, its title."""
    is_x = which == "x"
    if axis.is_log:
        (axes.set_xscale if is_x else axes.set_yscale)("log")
    (axes.set_xlim if is_x else axes.set_ylim)(*ends)
    found = list(marks or scales.ticks(*ends, is_log=axis.is_log))
    drawn = axes.xaxis if is_x else axes.yaxis
    drawn.set_ticks(found, [scales.text(value) for value in found])
    drawn.set_ticks([], minor=True)
    drawn.grid(visible=True)
    (axes.set_xlabel if is_x else axes.set_ylabel)(_cut(axis.title, _LONGEST_TITLE))


def _style(names: Sequence[str], name: str) -> tuple[str, str]:
    """Give colour and shape of a series."""
    index = names.index(name)
    return SERIES[index % len(SERIES)], _SHAPES[index % len(_SHAPES)]


def _scatter(figure: Scatter) -> tuple[str, list[Mark]]:
    # Imported here: numpy is as slow to import as it is seldom needed.
    from lydite.report import labels

    points = _points(figure)
    height, left, right, top, bottom = 420, 66, 64, 40, 48
    x_ends = scales.span((p.x for p in points), is_log=figure.x.is_log, wide=0.15)
    y_ends = scales.span((p.y for p in points), is_log=figure.y.is_log, wide=0.15)
    marks: list[Mark] = []
    names = series(figure)
    with _canvas(height, left=left, right=right, top=top, bottom=bottom) as (axes, out):
        _scale(axes, "x", figure.x, x_ends)
        _scale(axes, "y", figure.y, y_ends)
        if figure.ratio is not None and figure.x.is_log and figure.y.is_log:
            _ratios(axes, figure.ratio.scale, figure.ratio.unit, x_ends, y_ends)
        size = (WIDTH - left - right, height - top - bottom)
        centres = [
            (_share(p.x, x_ends, figure.x) * size[0], _share(p.y, y_ends, figure.y) * size[1])
            for p in points
        ]
        pale = [p.series in figure.faint for p in points]
        places = labels.place([_cut(p.label) for p in points], centres, pale, size)
        if figure.steps:
            xs, ys = zip(*figure.steps, strict=True)
            axes.step(xs, ys, where="post", color=SOFT, lw=1.2)
        for index, (point, place) in enumerate(zip(points, places, strict=True)):
            colour, shape = _style(names, point.series)
            gid, is_faint = f"mark-{index}", point.series in figure.faint
            axes.plot(
                [point.x], [point.y], shape, color=colour, markersize=5 if is_faint else 9,
                alpha=0.35 if is_faint else 1, gid=gid, markeredgecolor=PAPER,
                markeredgewidth=0 if is_faint else 1, clip_on=False, zorder=2 if is_faint else 3,
            )  # fmt: skip
            if place is not None:
                axes.annotate(
                    _cut(point.label), (point.x, point.y), xytext=place.offset,
                    textcoords="offset points", ha=place.anchor, va="center",
                    arrowprops=_LEADER if place.has_line else None,
                )  # fmt: skip
            told = f"{_value(point.x, figure.x)}, {_value(point.y, figure.y)}"
            if figure.ratio is not None and point.x:
                ratio = digits(figure.ratio.scale * point.y / point.x, 4)
                told += f", {ratio} {figure.ratio.unit}"
            marks.append(Mark(gid, f"{point.label}: {told}", point.key))
    return out.getvalue(), marks


def _share(value: float, ends: tuple[float, float], axis: Axis) -> float:
    """Give where a value lies between the ends of its axis: 0 to 1."""
    change = math.log if axis.is_log else float
    low, high = change(ends[0]), change(ends[1])
    return (change(value) - low) / (high - low)


def _ratios(
    axes: Axes, scale: float, unit: str, x: tuple[float, float], y: tuple[float, float]
) -> None:
    """Draw lines of equal scale x y / x, with their figure where they leave the axes."""
    low, high = scale * y[0] / x[1], scale * y[1] / x[0]
    for value in scales.ticks(low, high, is_log=True, most=9):
        slope = value / scale
        begin = max(x[0], y[0] / slope)
        end = min(x[1], y[1] / slope)
        if begin >= end:
            continue
        axes.plot([begin, end], [slope * begin, slope * end], color=SOFT, lw=1, ls=(0, (4, 4)),
                  alpha=0.7)  # fmt: skip
        at_top = slope * x[1] > y[1]
        axes.annotate(
            scales.text(value), (end, slope * end), xytext=(0, 4) if at_top else (5, 0),
            textcoords="offset points", color=SOFT, annotation_clip=False,
            ha="center" if at_top else "left", va="bottom" if at_top else "center",
        )  # fmt: skip
    axes.annotate(
        _cut(unit, _LONGEST_TITLE), (1, 1), xytext=(58, 20), xycoords="axes fraction",
        textcoords="offset points", color=SOFT, ha="right", va="bottom", annotation_clip=False,
    )  # fmt: skip


def _strips(figure: Strips) -> tuple[str, list[Mark]]:
    strips = [item for item in figure.strips if _values(figure.axis, item.values)]
    values = [value for item in strips for value in _values(figure.axis, item.values)]
    ends = scales.span(values, is_log=figure.axis.is_log)
    left = _label_room([item.label for item in strips])
    names = series(figure)
    marks: list[Mark] = []
    height = len(strips) * _ROW * 1.4 + 88
    with _canvas(height, left=left, right=70) as (axes, out):
        _scale(axes, "x", figure.axis, ends)
        _rows(axes, [item.label for item in strips])
        axes.annotate(
            "median", (1, 1), xycoords="axes fraction", xytext=(8, 2), textcoords="offset points",
            color=SOFT, annotation_clip=False,
        )  # fmt: skip
        for row, strip in enumerate(strips):
            colour, shape = _style(names, strip.series)
            middle = statistics.median(_values(figure.axis, strip.values))
            axes.plot([middle, middle], [row - 0.34, row + 0.34], color=INK, lw=2)
            axes.annotate(
                digits(middle, 4), (1, row), xycoords=("axes fraction", "data"), xytext=(8, 0),
                textcoords="offset points", va="center", annotation_clip=False,
            )  # fmt: skip
            keys = strip.keys or ("",) * len(strip.values)
            pairs = [
                (v, k) for v, k in zip(strip.values, keys, strict=True) if _fits(figure.axis, v)
            ]
            for (value, key), shift in zip(
                pairs, _spread([v for v, _ in pairs], ends), strict=True
            ):
                gid = f"mark-{len(marks)}"
                axes.plot(
                    [value], [row + shift], shape, color=colour, markersize=8, gid=gid,
                    markeredgecolor=PAPER, markeredgewidth=1, clip_on=False,
                )  # fmt: skip
                marks.append(Mark(gid, f"{strip.label}: {_value(value, figure.axis)}", key))
    return out.getvalue(), marks


def _spread(values: Sequence[float], ends: tuple[float, float]) -> list[float]:
    """Move dots up and down, in rows of 1, where they would hide each other."""
    near = (ends[1] - ends[0]) / 60
    shifts, last, count = {}, -math.inf, 0
    for index in sorted(range(len(values)), key=lambda index: (values[index], index)):
        count = count + 1 if values[index] - last < near else 0
        last = values[index]
        shifts[index] = (0.0, 0.2, -0.2)[count % 3]
    return [shifts[index] for index in range(len(values))]


def _rows(axes: Axes, labels: Sequence[str]) -> None:
    """Name the rows, the first on top."""
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.yaxis.set_ticks(list(range(len(labels))), [_cut(label) for label in labels])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _bars(figure: Bars) -> tuple[str, list[Mark]]:
    bars = [item for item in figure.bars if math.isfinite(item.value)]
    totals: dict[str, float] = {}
    begins = []
    for bar in bars:
        begins.append(totals.get(bar.label, 0.0))
        totals[bar.label] = begins[-1] + bar.value
    reach = [value for b in bars for value in (b.low, b.high) if value is not None]
    high = max(*reach, *totals.values(), 0.0)
    low = min(*reach, *totals.values(), 0.0)
    ends = (low * 1.03, (high or 1.0) * 1.03)
    names, labels = series(figure), list(totals)
    marks: list[Mark] = []
    with _canvas(len(labels) * _ROW + 88, left=_label_room(labels), right=76) as (axes, out):
        _scale(axes, "x", Axis(figure.axis.label, figure.axis.unit), ends)
        _rows(axes, labels)
        for index, (bar, begin) in enumerate(zip(bars, begins, strict=True)):
            row = labels.index(bar.label)
            colour, _ = _style(names, bar.series)
            [drawn] = axes.barh([row], [bar.value], left=begin, height=0.62, color=colour)
            drawn.set_gid(f"mark-{index}")
            part = f", {bar.series}" if bar.value != totals[bar.label] else ""
            told = f"{bar.label}{part}: {_value(bar.value, figure.axis)}"
            if bar.low is not None and bar.high is not None:
                axes.plot([bar.low, bar.high], [row, row], color=INK, lw=1.5)
                told += f" ({digits(bar.low, 4)} to {digits(bar.high, 4)})"
            marks.append(Mark(f"mark-{index}", told, bar.key))
        for row, total in enumerate(totals.values()):
            axes.annotate(
                digits(total, 4), (1, row), xycoords=("axes fraction", "data"), xytext=(8, 0),
                textcoords="offset points", va="center", annotation_clip=False,
            )  # fmt: skip
    return out.getvalue(), marks


def _lines(figure: Lines) -> tuple[str, list[Mark]]:
    found = [(item, points) for item in figure.lines if (points := _line(figure, item))]
    x_values = [x for _, points in found for x, _ in points]
    x_ends = scales.span(x_values, is_log=figure.x.is_log, wide=0.04)
    y_ends = scales.span((y for _, ps in found for _, y in ps), is_log=figure.y.is_log)
    names = series(figure)
    marks: list[Mark] = []
    right = _label_room([item.label for item, _ in found]) + 8
    height = max(380, len(found) * 16 + 100)
    inside = height - 28 - 48
    lasts = [_share(points[-1][1], y_ends, figure.y) * inside for _, points in found]
    places = scales.apart(lasts, 15, 4, inside - 4)
    sizes = sorted(set(x_values))
    with _canvas(height, left=66, right=right, bottom=48) as (axes, out):
        _scale(axes, "x", figure.x, x_ends, sizes if len(sizes) <= 6 else ())
        _scale(axes, "y", figure.y, y_ends)
        for index, ((line, points), last, place) in enumerate(
            zip(found, lasts, places, strict=True)
        ):
            colour, shape = _style(names, line.series)
            dashes = "-" if names.index(line.series) % 2 == 0 else "--"
            axes.plot(
                [x for x, _ in points], [y for _, y in points], dashes, marker=shape,
                color=colour, lw=2, markersize=6, gid=f"mark-{index}", clip_on=False,
            )  # fmt: skip
            axes.annotate(
                _cut(line.label), points[-1], xytext=(20, place - last),
                textcoords="offset points", va="center", annotation_clip=False,
                arrowprops={"arrowstyle": "-", "color": SOFT, "lw": 0.8, "shrinkA": 0,
                            "shrinkB": 5, "relpos": (0, 0.5)},
            )  # fmt: skip
            told = "; ".join(f"{_value(y, figure.y)} at {_value(x, figure.x)}" for x, y in points)
            marks.append(Mark(f"mark-{index}", f"{line.label}: {told}", line.key))
    return out.getvalue(), marks


def _slopes(figure: Slopes) -> tuple[str, list[Mark]]:
    slopes = figure.slopes
    last = max(rank for item in slopes for rank in (item.before, item.after))
    names = series(figure)
    room = _label_room([f"{last} {item.label}" for item in slopes]) + 8
    marks: list[Mark] = []
    with _canvas(last * _ROW + 60, left=room, right=room, top=40, bottom=12) as (axes, out):
        axes.set_xlim(0, 1)
        axes.set_ylim(last + 0.5, 0.5)
        axes.xaxis.set_ticks([])
        axes.yaxis.set_ticks([])
        for spine in axes.spines.values():
            spine.set_visible(False)
        sides: tuple[tuple[float, Literal["right", "left"]], ...] = ((0, "right"), (1, "left"))
        for (x, side), head in zip(sides, figure.heads, strict=True):
            axes.annotate(
                _cut(head), (x, 1), xycoords="axes fraction", xytext=(0, 8),
                textcoords="offset points", color=SOFT, ha=side, annotation_clip=False,
            )  # fmt: skip
        for index, item in enumerate(slopes):
            colour, shape = _style(names, item.series)
            axes.plot(
                [0, 1], [item.before, item.after], marker=shape, color=colour, lw=2,
                markersize=6, gid=f"mark-{index}", clip_on=False,
            )  # fmt: skip
            for (x, side), rank in zip(sides, (item.before, item.after), strict=True):
                label = _cut(item.label)
                axes.annotate(
                    f"{label} {rank}" if side == "right" else f"{rank} {label}", (x, rank),
                    xytext=(-10 if side == "right" else 10, 0), textcoords="offset points",
                    ha=side, va="center", annotation_clip=False,
                )  # fmt: skip
            told = " and ".join(
                f"{rank} by {head}"
                for rank, head in zip((item.before, item.after), figure.heads, strict=True)
            )
            marks.append(Mark(f"mark-{index}", f"{item.label}: {told}", item.key))
    return out.getvalue(), marks
