"""The ways in which a question can be decided, each as options of `clew check`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from clew.core.engines import HUNTS, Limits
from clew.core.stores import LOSSY
from clew.host.checking import CheckOptions

SAFETY = frozenset({"assertion", "deadlock", "runtime-error", "invariant", "reach"})
TEMPORAL = frozenset({"ltl", "never", "acceptance", "progress", "pattern"})


@dataclass(frozen=True, slots=True)
class Way:
    """`counts`: what it explores is all there is, so that its number of states is that of all others that count."""

    name: str
    kinds: frozenset[str]
    options: dict[str, Any] = field(default_factory=dict)
    counts: bool = False

    @property
    def workers(self) -> int:
        return int(self.options.get("workers", 1))

    def asked(self, properties: tuple[str, ...], limits: Limits, fair: Any) -> CheckOptions:
        hunting = self.options.get("search") in HUNTS
        given = {"reduce": "none", "limits": Limits(seconds=0.3) if hunting else limits, **self.options}
        return CheckOptions(properties=properties, keep_going=not hunting, fair=fair, seed=1, **given)


def _native(name: str, kinds: frozenset[str], counts: bool = False, **options: Any) -> Way:
    return Way(f"native {name}", kinds, {"engine": "native", **options}, counts)


WAYS = (
    Way("reference", SAFETY | TEMPORAL | {"trace", "ctl"}, {"engine": "reference"}, counts=True),
    Way("reference, depth-first", SAFETY, {"engine": "reference", "search": "dfs"}, counts=True),
    *(
        _native(f"{search}, {store}, {workers} worker(s)", SAFETY, True, search=search, store=store, workers=workers)
        for search in ("bfs", "dfs")
        for store in ("table", "tree")
        for workers in (1, 2)
    ),
    *(_native(f"{search}, reduced", SAFETY, search=search, reduce="por", workers=1) for search in ("bfs", "dfs")),
    _native("bfs, reduced, 2 workers", SAFETY, reduce="por", workers=2),
    *(_native(store, SAFETY, store=f"{store}:memory=1M", workers=1) for store in LOSSY),
    *(_native(search, SAFETY, search=search, workers=1) for search in HUNTS),
    *(
        _native(f"{algorithm}", TEMPORAL, algorithm=algorithm, workers=1)
        for algorithm in ("sweep", "cou99", "cvwy90", "se05", "gv04", "tau03")
    ),
    *(_native(f"{algorithm}, 2 workers", TEMPORAL, algorithm=algorithm, workers=2) for algorithm in ("sweep", "ufscc")),
    _native("cou99, reduced", TEMPORAL, algorithm="cou99", reduce="por", workers=1),
    Way("symbolic", SAFETY | {"ctl"}, {"engine": "symbolic"}, counts=True),
    Way("smt", SAFETY, {"engine": "smt"}),
    Way("reference, up to isomorphism", SAFETY, {"engine": "reference", "reduce": "symmetry"}),
)
