"""Where the items of layers go from left to right: near what they are joined with, in order, without overlap."""

from __future__ import annotations

from collections.abc import Sequence

SWEEPS = 12


def across(rows: Sequence[Sequence[int]], joined: Sequence[tuple[int, int]], widths: Sequence[float]) -> list[float]:
    """The centre of each item. `rows`: the items of each layer in order; `joined`: pairs of items of different rows;
    `widths`: with the margins."""
    row_of = {item: number for number, row in enumerate(rows) for item in row}
    above: list[list[int]] = [[] for _ in widths]
    below: list[list[int]] = [[] for _ in widths]
    for one, other in joined:
        upper, lower = sorted((one, other), key=row_of.__getitem__)
        below[upper].append(lower)
        above[lower].append(upper)
    places = [0.0] * len(widths)
    for row in rows:
        _put(row, [0.0] * len(row), widths, places)
    for sweep in range(SWEEPS):
        near = above if sweep % 2 == 0 else below
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wanted = [_mean([places[n] for n in near[item]], places[item]) for item in row]
            _put(row, wanted, widths, places)
    return places


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _put(row: Sequence[int], wanted: Sequence[float], widths: Sequence[float], places: list[float]) -> None:
    """As near to what is wanted (in squares) as the order and the widths allow: items that would overlap become a block
    that stands at the mean of what its members want (pool adjacent violators)."""
    offset = 0.0
    blocks: list[tuple[float, int]] = []  # sum of what members want, less their offsets; how many they are
    offsets: list[float] = []
    for position, item in enumerate(row):
        if position:
            offset += (widths[row[position - 1]] + widths[item]) / 2
        offsets.append(offset)
        block = (wanted[position] - offset, 1)
        while blocks and blocks[-1][0] / blocks[-1][1] > block[0] / block[1]:
            before = blocks.pop()
            block = (before[0] + block[0], before[1] + block[1])
        blocks.append(block)
    position = 0
    for total, members in blocks:
        for _ in range(members):
            places[row[position]] = total / members + offsets[position]
            position += 1
