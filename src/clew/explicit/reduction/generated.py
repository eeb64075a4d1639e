"""A reduction as part of a generated program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from clew.core.records import record
from clew.explicit.expressions import Expressions
from clew.explicit.layout import Layout
from clew.explicit.monitor import Watch
from clew.explicit.reduction.footprints import Footprints
from clew.explicit.reduction.tables import ample_tables, stubborn_tables

ProvisoName = Literal["stack", "visited", "queue", "queue-live", "chain", "none"]


@record
class Reduction:
    """Which reduction, and what keeps it from ignoring steps for ever (`runtime/reduce.h`)."""

    proviso: ProvisoName
    as_peer: bool = False  # the sets that the peer of the language would choose

    stores_inside: bool = False  # states inside indivisible sequences, too, as the peer does

    @property
    def is_sound(self) -> bool:
        """The peer takes some things on trust."""
        return self.proviso != "none" and not self.as_peer

    @property
    def is_repeatable(self) -> bool:
        """Whether several workers explore what one does: the order in which they come does not matter."""
        return self.proviso in ("chain", "none") and not self.as_peer

    def members(self, layout: Layout) -> list[str]:
        """What it adds to a state, in C."""
        if not self.stores_inside:
            return []
        fields = max((len(shape.fields) for shape in layout.shapes.values()), default=0)
        message = f"int32_t message[{max(fields, 1) + 1}];"
        return ["uint8_t control, offerer;", "uint16_t offer_step;", "uint8_t offering;", message]

    @property
    def constants(self) -> dict[str, int]:
        """What the runtime has to know beforehand."""
        return {
            "MODEL_REDUCES": 1,
            "REDUCES_AS_PEER": int(self.as_peer),
            "MODEL_STORES_INSIDE": int(self.stores_inside),
        }

    def tables(self, layout: Layout, expr: Expressions, watch: Watch | None) -> Iterator[str]:
        """What depends on the network."""
        yield "SHARED int model_part(sink *c, const state *s, int pid) { return expand_process(c, s, pid); }"
        yield ""
        if self.as_peer:
            yield from ample_tables(layout, expr)
            return
        seen = () if watch is None else watch.monitor.conditions
        yield from stubborn_tables(Footprints(layout.network, layout, expr, seen), layout, expr)
