"""Where labels of edges go: beside the line, up or down, to its left or across it where something is there already."""

from __future__ import annotations

from collections.abc import Iterable

from clew.report.graphs.layout import Box

HEIGHT = 11.0
CHARACTER = 6.05  # of the small font of edges
MANY = 400  # labels: beyond that, nobody reads them and looking for room takes long
_STEPS = (0, -1, 1, -2, 2, -3, 3)

Rectangle = tuple[float, float, float, float]  # left, top, right, bottom


class Places:
    """What is taken: boxes of nodes, and labels as they are placed."""

    def __init__(self, boxes: Iterable[Box], labels: int) -> None:
        self.crowded = labels > MANY
        self._taken: list[Rectangle] = [
            (box.x - box.width / 2, box.y - box.height / 2, box.x + box.width / 2, box.y + box.height / 2)
            for box in boxes
        ]

    def place(self, text: str, x: float, y: float) -> tuple[float, float]:
        """The nearest free place to (x, y), where a text begins; (x, y) if there is none."""
        if self.crowded:
            return x, y
        width = CHARACTER * len(text)
        for left in (x, x - width - 8, x - width / 2):
            for step in _STEPS:
                base = y + step * HEIGHT
                label = (left, base - HEIGHT + 2, left + width, base + 2)
                if left >= 0 and label[1] >= 0 and not any(_overlap(label, other) for other in self._taken):
                    self._taken.append(label)
                    return left, base
        return x, y


def _overlap(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
