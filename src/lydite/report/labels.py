# SPDX-License-Identifier: Apache-2.0
"""Where the labels of points stand, chosen together. It imports numpy, as drawing does anyway.

Each label has some spots around its point; what makes it hard to read costs. As Christensen, Marks
and Shieber anneal (An Empirical Study of Algorithms for Point-Feature Label Placement, ACM
Transactions on Graphics 14(3), 1995), labels move one at a time, with less and less noise; but each
to the best of all its spots, so that a few sweeps do.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lydite.report.svg import LETTER

# Half the height of a label.
HALF = 7
# From here on a line leads to a label; nearer, no other point may be near enough to be meant.
FAR = 28
_CLEAR = 1.15
# Which end of a label stands at its point, how far to a side, how far up.
_SPOTS = [
    (anchor, dx, dy)
    for dy in (0, 14, -14, 28, -28, -42, 42, -56, 56, -70, 70, -84, 84)
    for anchor, dx in (("left", 10.0), ("right", -10.0), ("center", 0.0))
    if anchor != "center" or dy
]
SHARE = {"left": 0.0, "right": 1.0, "center": 0.5}
_MARK = 6
# What it costs to be left away, to be over a later point's label or a point that is not pale, to
# push an earlier point's label from its spot, to be read as another point's, and to be crossed by a
# line; of points under it and its line some are as bad as many. A label far away costs 2 at most.
_LEFT_AWAY, _OVER, _PUSHED, _MISREAD, _CROSSED, _ENOUGH = 8.0, 20.0, 3.0, 2.0, 1.0, 2
_MOVES, _FEWEST, _MOST = 3_000, 10, 60

_Spot = tuple[float, float]
_Array = NDArray[np.float64]
# Meets nothing, and crosses nothing.
_NOWHERE = (np.nan,) * 4


class Place(NamedTuple):
    """Offset of a label from its point, and which end of it stands there."""

    offset: _Spot
    anchor: str

    @property
    def has_line(self) -> bool:
        return abs(self.offset[1]) >= FAR


def place(
    texts: Sequence[str], centres: Sequence[_Spot], pale: Sequence[bool], size: _Spot
) -> list[Place | None]:
    """Put a label beside each point that has one, in an area that begins at (0, 0); None where that
    would hide more than it tells: of crowded points the first ones, which are drawn under the
    others.

    A label avoids pale points and may be over them; it is over no other point and no other label.
    """
    labelled = [index for index, text in enumerate(texts) if text]
    if not labelled:
        return [None] * len(texts)
    at = np.array([centres[index] for index in labelled])
    widths = np.array([len(texts[index]) * LETTER for index in labelled])
    boxes = _boxes(at, widths)
    lines = np.stack(
        [(boxes[..., 0] + boxes[..., 2]) / 2, (boxes[..., 1] + boxes[..., 3]) / 2,
         np.broadcast_to(at[:, :1], boxes.shape[:2]), np.broadcast_to(at[:, 1:], boxes.shape[:2])],
        axis=-1,
    )  # fmt: skip
    lines[:, [abs(dy) < FAR for *_, dy in _SPOTS]] = _NOWHERE
    every, is_pale = np.array(centres), np.array(pale)
    alone = np.stack(
        [_alone(*one, every, at, is_pale, size) for one in zip(boxes, lines, at, strict=True)]
    )
    # One more way for each: to be nowhere.
    nowhere = np.full((len(at), 1, 4), _NOWHERE)
    boxes, lines = (np.concatenate([of, nowhere], axis=1) for of in (boxes, lines))
    away = np.full((len(at), 1), _LEFT_AWAY)
    chosen = _anneal(boxes, lines, np.concatenate([alone, away], axis=1))
    places: list[Place | None] = [None] * len(texts)
    for index, way in zip(labelled, chosen, strict=True):
        if way < len(_SPOTS):
            anchor, dx, dy = _SPOTS[way]
            places[index] = Place((dx, float(dy)), anchor)
    return places


def _boxes(at: _Array, widths: _Array) -> _Array:
    """Give (label, spot, left low right high)."""
    begin = np.array([dx for _, dx, _ in _SPOTS])
    left = at[:, :1] + begin - widths[:, None] * np.array([SHARE[end] for end, *_ in _SPOTS])
    middle = at[:, 1:] + np.array([dy for *_, dy in _SPOTS])
    return np.stack([left, middle - HALF, left + widths[:, None], middle + HALF], axis=-1)


def _alone(
    boxes: _Array, lines: _Array, own: _Array, centres: _Array, named: _Array,
    pale: NDArray[np.bool_], size: _Spot,
) -> _Array:  # fmt: skip
    """Give what each spot of one label costs, whatever the other labels do."""
    marks = np.concatenate([centres - _MARK, centres + _MARK], axis=1)
    met = _meet(boxes[:, None], marks)
    cost = np.array([abs(dy) / 42 for *_, dy in _SPOTS])
    cost += np.minimum((met & pale).sum(axis=1), _ENOUGH)
    cost += _OVER * ((met & ~pale).any(axis=1) | (boxes[:, :2] < 0).any(axis=1))
    cost += 2 * ((boxes[:, 2] > size[0] + 50) | (boxes[:, 3] > size[1]))
    # Its own mark is where its line ends.
    crossed = _crosses(lines[:, None], marks) & ~pale & (centres != own).any(axis=1)
    cost += _CROSSED * np.minimum(crossed.sum(axis=1), _ENOUGH)
    others = named[(named != own).any(axis=1)]
    nearest = _squares(boxes[:, None], others).min(axis=1, initial=np.inf)
    is_misread = nearest < _CLEAR**2 * _squares(boxes, own)
    cost += _MISREAD * (is_misread & np.isnan(lines[:, 0]))
    return np.asarray(cost)


def _anneal(boxes: _Array, lines: _Array, alone: _Array) -> list[int]:
    """Give the way chosen for each label; the last way of each is to be nowhere.

    The same everywhere: nothing but sums, products and comparisons decides.
    """
    count, ways = alone.shape
    # A letter apart, else two labels of a row could be read as one.
    wide = boxes + np.array([-LETTER, 0, LETTER, 0])
    chosen = [ways - 1] * count
    here, there, drawn = boxes[:, -1].copy(), wide[:, -1].copy(), lines[:, -1].copy()
    source = random.Random(1)
    sweeps = min(_MOST, max(_FEWEST, _MOVES // count))
    for sweep in range(sweeps):
        noise = 3 * max(0.0, 1 - (sweep + 1) / (sweeps - 3))
        # Who is pushed moves behind who pushes, so that none is left over another.
        for label in reversed(range(count)):
            here[label], there[label], drawn[label] = _NOWHERE, _NOWHERE, _NOWHERE
            met = _meet(boxes[label, :, None], there)
            cost = alone[label] + _OVER * met[:, label:].sum(axis=1)
            cost += _PUSHED * met[:, :label].sum(axis=1)
            cost += _CROSSED * _crosses(lines[label, :, None], here).sum(axis=1)
            cost += _CROSSED * _crosses(drawn, boxes[label, :, None]).sum(axis=1)
            if noise:
                cost += noise * np.array([source.random() for _ in range(ways)])
            way = chosen[label] = int(cost.argmin())
            here[label], there[label] = boxes[label, way], wide[label, way]
            drawn[label] = lines[label, way]
    return chosen


def _meet(one: _Array, other: _Array) -> NDArray[np.bool_]:
    ends = (one[..., :2] < other[..., 2:]) & (other[..., :2] < one[..., 2:])
    return np.asarray(ends[..., 0] & ends[..., 1])


def _squares(box: _Array, point: _Array) -> _Array:
    """Give squares of distances."""
    beside = np.maximum(np.maximum(box[..., :2] - point, point - box[..., 2:]), 0)
    return np.asarray((beside * beside).sum(axis=-1))


def _crosses(line: _Array, box: _Array) -> NDArray[np.bool_]:
    """Say which lines pass through a box: where they are between both pairs of its sides at once.
    A line of NaN passes through none.
    """
    begin, along = line[..., :2], line[..., 2:] - line[..., :2]
    along = np.where(along == 0, 1e-9, along)
    one, other = (box[..., :2] - begin) / along, (box[..., 2:] - begin) / along
    enters = np.maximum(np.minimum(one, other).max(axis=-1), 0)
    leaves = np.minimum(np.maximum(one, other).min(axis=-1), 1)
    return np.asarray(enters < leaves)
