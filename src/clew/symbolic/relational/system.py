"""A relational program as a symbolic Kripke structure: states, steps, images, and how often they were needed.

Sets of states are diagrams over the present bits and `loop`; the state `loop` has every other bit 0. Steps are
disjunctively partitioned: one part for each top-level procedure and choice of its arguments. A part changes few bits,
so that an image quantifies and renames only those; variables that no part changes have no next copy in any image.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product

from clew.core.records import record
from clew.core.relational import program as p
from clew.core.relational.encode import Value
from clew.core.relational.explicit import Place
from clew.core.relational.expressions import Global, Local
from clew.core.relational.sorts import Rel, Scalar, Type, tuples
from clew.symbolic.relational.compiler import Compiler
from clew.symbolic.relational.diagrams import Algebra, Diagram
from clew.symbolic.relational.layout import Layout, types_in
from clew.symbolic.relational.meaning import Meaning
from clew.symbolic.relational.ordering import ordered

Atoms = int | frozenset[tuple[int, ...]]


@record(eq=False)
class Part:
    """A top-level procedure with its arguments."""

    procedure: p.Procedure
    arguments: tuple[Atoms, ...]
    meaning: Meaning
    diverges: Diagram
    sticks: Diagram


@dataclass(slots=True)
class Options:
    """`partitioned`: one part per procedure and arguments, else one for all. `everything`: procedures are compiled for
    all inputs."""

    order: str = "static"
    sift: bool = False
    partitioned: bool = True
    everything: bool = False
    memory: int | None = None
    library: str = "oxidd"


@dataclass(slots=True)
class System:
    program: p.RelationalProgram
    layout: Layout
    compiler: Compiler
    parts: tuple[Part, ...]
    universe: Diagram  # well-formed states, without `loop`
    loop_state: Diagram
    sticks: Diagram
    iterations: Counter[str] = field(default_factory=Counter)
    watch: Callable[[], None] = lambda: None

    def after(self, states: Diagram) -> Diagram:
        """Everything that one step leads to."""
        return self._image(states, self.parts)

    def _image(self, states: Diagram, parts: tuple[Part, ...]) -> Diagram:
        normal = states & ~self.layout.loop
        found = states & self.layout.loop
        for part in parts:
            found |= self.after_part(part, normal)
        return found

    def after_part(self, part: Part, states: Diagram) -> Diagram:
        """The results of one part; `states` without `loop`."""
        found = self.compiler.meanings.after(part.meaning, states) & ~self.layout.loop
        if part.diverges & states != self.layout.bdd.false:
            found |= self.loop_state
        return found

    def before(self, states: Diagram) -> Diagram:
        """Every state with a step into the set."""
        loop = self.loop_state & states != self.layout.bdd.false
        normal = states & ~self.layout.loop
        found = self.loop_state if loop else self.layout.bdd.false
        for part in self.parts:
            found |= self.before_part(part, normal, loop)
        return found

    def before_part(self, part: Part, normal: Diagram, loop: bool) -> Diagram:
        found = self.compiler.meanings.before(part.meaning, normal)
        return (found | part.diverges if loop else found) & ~self.layout.loop

    def reachable(self, start: Diagram, within: Diagram | None = None) -> Diagram:
        """All states that can be reached; each part adds to what the one before it found."""
        found, before = start, self.layout.bdd.false
        while found != before:
            self.watch()
            self.iterations["reach"] += 1
            before = found
            for part in self.parts:
                found |= self.after_part(part, found & ~self.layout.loop)
        return found

    def layers(self, start: Diagram) -> list[Diagram]:
        """The states at each distance."""
        found, layers = start, [start]
        while True:
            self.watch()
            fresh = self.after(layers[-1]) & ~found
            if fresh == self.layout.bdd.false:
                return layers
            layers.append(fresh)
            found |= fresh

    def count(self, states: Diagram) -> int:
        """How many states are in the set."""
        bits = self.layout.state_bits
        normal = self.layout.bdd.compose({0: self.layout.bdd.false}, states)
        spare = 1 + 3 * len(self.layout.order) - len(bits)
        found = self.layout.bdd.diagrams.count(normal, 1 + 3 * len(self.layout.order)) >> spare
        return found + (1 if self.loop_state & states != self.layout.bdd.false else 0)

    def pick(self, states: Diagram) -> dict[str, Atoms] | None:
        """One state of the set, the variables with their values; None for `loop`, which is taken last."""
        normal = states & ~self.layout.loop
        if normal == self.layout.bdd.false:
            return None
        found: dict[int, bool] = self.layout.bdd.diagrams.pick(normal) or {}
        values: dict[str, Atoms] = {}
        for owner, bits in self.layout.bits.items():
            if isinstance(owner, str):
                true = [bit.place for bit in bits if found.get(bit.present)]
                if isinstance(self.layout.types[owner], Rel):
                    values[owner] = frozenset(place for place in true if isinstance(place, tuple))
                else:
                    values[owner] = sum(1 << place for place in true if isinstance(place, int))
        return values

    def state(self, values: dict[str, Atoms] | None) -> Diagram:
        """The set that holds one state."""
        if values is None:
            return self.loop_state
        found = ~self.layout.loop
        for bit in reversed(self.layout.state_bits):
            assert isinstance(bit.owner, str)
            value = values[bit.owner]
            true = bit.place in value if isinstance(value, frozenset) else bool(value >> bit.place & 1)  # type: ignore[operator]
            variable = self.layout.bdd.var(bit.present)
            found &= variable if true else ~variable
        return found

    def pick_state(self, states: Diagram) -> Place:
        """One state of a set that is not empty."""
        values = self.pick(states)
        if values is None:
            return None
        return (*(values[v.name] for v in self.program.variables), values[p.BAD])

    def single(self, place: Place) -> Diagram:
        if place is None:
            return self.loop_state
        names = [*(v.name for v in self.program.variables), p.BAD]
        return self.state(dict(zip(names, place, strict=True)))

    def look_up(self, variable: Global) -> Value[Diagram]:
        """The value of a state variable in a formula."""
        if variable.name == p.LOOP:
            return (self.layout.loop,)
        return self.layout.value(variable.name)


def build(program: p.RelationalProgram, options: Options, watch: Callable[[], None] = lambda: None) -> System:
    types = types_in(program)
    order = ordered(program, types, options.order)
    bdd = Algebra(options.memory, "cudd" if options.sift else options.library, 3 * len(order))
    layout = Layout(bdd, types, order)
    compiler = Compiler(program, layout, options.everything, watch)
    parts = tuple(_part(compiler, procedure, given) for procedure in program.toplevel for given in _choices(procedure))
    if options.sift:
        bdd.diagrams.sift()
    if not options.partitioned and parts:
        parts = (_joined(compiler, parts),)
    zeros = layout.loop
    for bit in reversed(layout.state_bits):
        zeros &= ~bdd.var(bit.present)
    sticks = bdd.false
    for part in parts:
        sticks |= part.sticks
    universe = compiler.universe & ~layout.loop
    return System(program, layout, compiler, parts, universe, zeros, sticks & ~layout.loop, watch=watch)


def _choices(procedure: p.Procedure) -> list[tuple[Atoms, ...]]:
    """All arguments that a procedure can be called with."""
    return list(product(*(values_of(parameter.type) for parameter in procedure.parameters)))


def values_of(type_: Type) -> list[Atoms]:
    """Every value of a type; for relations, that is every set of tuples."""
    if isinstance(type_, Scalar):
        return list(range(type_.sort.size))
    found: list[frozenset[tuple[int, ...]]] = [frozenset()]
    for one in tuples(type_.columns):
        found += [known | {one} for known in found]
    return list(found)


def _part(compiler: Compiler, procedure: p.Procedure, arguments: tuple[Atoms, ...]) -> Part:
    given = dict[int, Value[Diagram]]()
    assigned = p.assigned_locals(procedure.body)
    pre, entering = compiler.universe & ~compiler.layout.loop, list[tuple[Local, Value[Diagram]]]()
    for parameter, argument in zip(procedure.parameters, arguments, strict=True):
        value = _constant(compiler, parameter.type, argument)
        if parameter in assigned:
            entering.append((parameter, value))
            given.update(compiler.layout.locals_([parameter]))
        else:
            given[parameter.number] = value
    return Part(procedure, arguments, *compiler.top_level(procedure, given, entering, pre))


def _constant(compiler: Compiler, type_: Type, value: Atoms) -> Value[Diagram]:
    if isinstance(value, frozenset):
        return dict.fromkeys(sorted(value), compiler.bdd.true)
    assert isinstance(type_, Scalar)
    return compiler.encoder.circuits.constant(value, type_.sort.bits)


def _joined(compiler: Compiler, parts: tuple[Part, ...]) -> Part:
    """All parts as one relation: the baseline without partition."""
    diverges, sticks = compiler.bdd.false, compiler.bdd.false
    for part in parts:
        diverges |= part.diverges
        sticks |= part.sticks
    meaning = compiler.meanings.any_of(part.meaning for part in parts)
    return Part(parts[0].procedure, (), meaning, diverges, sticks)
