"""Statement merging and dead-variable resets on the elements of a body (sheet 35, sections 1.2 and 2.2).

Both look at the graph in which every element is a node: its edges lead to the control location reached by executing
it, into the options or the inside of a compound element, and into its escapes.
"""

from __future__ import annotations

from clew.core import types
from clew.core.expressions import Const, Variable
from clew.core.statements import Assign
from clew.frontends.promela.basic import BasicStatements
from clew.frontends.promela.elements import Element, find_state, option_start

Edge = tuple[Element | None, Element | None]  # where to (None: nowhere), by executing what (None: an escape)
Graph = dict[Element, list[Edge]]

FOLLOWER_FORMS = frozenset({"assign", "declare", "print", "assert"})


def control_graph(elements: list[Element]) -> Graph:
    """The edges of each element, escapes first."""
    return {element: _edges(element) for element in elements}


def _edges(element: Element) -> list[Edge]:
    if element.kind == "unless":
        return []
    if element.options:
        starts = [option_start(option.first) for option in element.options if option.first is not None]
        return [(start, element) for start in reversed(starts) if not start.constant_false or start.escapes]
    if element.inner is not None:
        assert element.inner.first is not None
        return [(option_start(element.inner.first), element)]
    edges: list[Edge] = [(successor(element), element)]
    if element.kind not in ("goto", "dot"):
        for escape in element.escapes:
            assert escape.first is not None
            edges.insert(0, (option_start(escape.first), None))
    return edges


def successor(element: Element) -> Element | None:
    """The location reached by executing this element alone."""
    following = element.jump if element.kind == "goto" else element.next
    return None if following is None else find_state(following, element.in_atomic)


# --- dead variables -----------------------------------------------------------------------------------------------


def mark_dead_variables(graph: Graph) -> None:
    """Fills in `dead`: locals that the element mentions and no path behind it reads before writing."""
    bits: dict[Variable, int] = {}
    for element in graph:
        for variable in (*element.reads, *element.writes):
            if _candidate(variable):
                bits.setdefault(variable, 1 << len(bits))
    if not bits:
        return
    live = _liveness(graph, bits)
    for element, edges in graph.items():
        for target, step in edges:
            if step is not element or element.kind != "basic":
                continue
            live_behind = live[target] if target is not None else 0
            element.dead = [v for v in _resettable(element) if v in bits and not bits[v] & live_behind]


def _candidate(variable: Variable) -> bool:
    return (
        variable.owner is not None
        and types.is_scalar(variable.type)
        and not isinstance(variable.type, types.ChannelRef)
    )


def _resettable(element: Element) -> list[Variable]:
    """The variables this kind of statement may reset: written ones, and those read by conditions and receives."""
    found: list[Variable] = []
    match element.statement:
        case Assign(_, Const(0)):
            pass
        case _:
            found.extend(element.writes)
    if element.form in ("condition", "run", "receive"):
        found.extend(v for v in element.reads if v not in found)
    return found


def _liveness(graph: Graph, bits: dict[Variable, int]) -> dict[Element, int]:
    """Backward fixpoint: the candidates that may be read from an element on before being written."""
    reads = {e: _mask(e.reads, bits) for e in graph}
    writes = {e: _mask(e.writes, bits) for e in graph}
    live = dict.fromkeys(graph, 0)
    predecessors: dict[Element, list[Element]] = {e: [] for e in graph}
    for element, edges in graph.items():
        for target, _ in edges:
            if target is not None:
                predecessors[target].append(element)
    work = list(graph)
    waiting = set(work)
    while work:
        element = work.pop()
        waiting.discard(element)
        value = 0
        for target, step in graph[element]:
            behind = live[target] if target is not None else 0
            value |= behind if step is not element else reads[element] | (behind & ~writes[element])
        if value != live[element]:
            live[element] = value
            for predecessor in predecessors[element]:
                if predecessor not in waiting:
                    waiting.add(predecessor)
                    work.append(predecessor)
    return live


def _mask(variables: tuple[Variable, ...], bits: dict[Variable, int]) -> int:
    mask = 0
    for variable in variables:
        mask |= bits.get(variable, 0)
    return mask


# --- merging ------------------------------------------------------------------------------------------------------


def merge(graph: Graph, basic: BasicStatements, sends_may_start: bool) -> None:
    """Finds chains of statements that are one step. `sends_may_start`: no handshake channel in the whole model."""
    for element in graph:
        if element.statement is not None:
            element.global_reference = basic.global_reference(element.statement)
    for edges in graph.values():
        for target, step in edges:
            if step is None or step.chain_target is not None or target is None:
                continue
            if not _follower(edges):
                continue
            if not _follower(graph.get(target, [])):
                step.single_target = target
                continue
            _build_chain(graph, edges)
    for edges in graph.values():
        for target, step in edges:
            if step is None or step.chain_target is not None or target is None:
                continue
            starter = step.form in ("condition", "receive") or (step.form == "send" and sends_may_start)
            if starter and step.kind == "basic" and _may_absorb(edges, step):
                following = graph.get(target, [])
                head = following[0][1] if following else None
                if head is not None:
                    step.start_target = head.chain_target or head.single_target


def _follower(edges: list[Edge]) -> bool:
    """Whether the only way on from here is a statement that never blocks and concerns this process alone."""
    if len(edges) != 1 or edges[0][1] is None:
        return False
    step = edges[0][1]
    if step.escapes or step.remotely_referenced or step.labels or step.kind not in ("goto", "dot", "basic"):
        return False
    if step.kind == "basic" and step.form not in FOLLOWER_FORMS:
        return False
    return step.in_atomic or step.ends_atomic or not step.global_reference


def _may_absorb(edges: list[Edge], step: Element) -> bool:
    if len(edges) != 1 or step.escapes or step.remotely_referenced:
        return False
    return step.in_atomic or step.ends_atomic or not step.global_reference


def _build_chain(graph: Graph, edges: list[Edge]) -> None:
    chain: list[tuple[Element, Element]] = []
    members: set[Element] = set()
    behind: Element | None = None
    while True:
        target, step = edges[0] if edges else (None, None)
        if step is not None and step.chain_target is not None:
            behind = step.chain_target
            break
        if not _follower(edges) or step is None or target is None or step in members:
            break
        chain.append((step, target))
        members.add(step)
        edges = graph.get(target, [])
    for step, target in reversed(chain):
        behind = behind or target
        step.chain_target = behind
