"""The state space of a model program: captured states, enabled actions, their outcomes.

A state is taken down between actions only: the values of all state variables, and the fields of each object that is
alive. Objects that nothing refers to are forgotten, unless some action ranges over all of them; numbers of forgotten
objects are used again. Restoring a state, evaluating the guards and running a body are ordinary Python.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from clew.core.diagnostics import InputError, Span
from clew.core.properties import Violation
from clew.core.statespace import Outcome
from clew.core.traces import TraceState, TraceStep
from clew.frontends.modelprogram.elements import Element, Instance, ModelError, running
from clew.frontends.modelprogram.program import Program
from clew.frontends.modelprogram.symbols import Move, Symbol, prepared
from clew.frontends.modelprogram.terms import shown
from clew.frontends.modelprogram.values import order_of, parts_of

if TYPE_CHECKING:
    from clew.frontends.modelprogram.conditions import ModelLetters

SIMPLE = frozenset({int, bool, str, float, bytes, type(None)})


class Row:
    """An object with the values of its fields. There is only one row of one object with the same values."""

    __slots__ = ("element", "fields", "refs", "values", "words")

    def __init__(self, element: Instance, values: tuple[Any, ...], refs: tuple[Instance, ...]) -> None:
        self.element = element
        self.values = values
        self.refs = refs  # the objects that its fields refer to
        self.words: bytes | None = None  # for canonical keys, see `state_words`
        self.fields: dict[str, Any] = {**dict(zip(type(element)._fields, values, strict=True)), "_row": self}


Heap = tuple[tuple[Row, ...], ...]


class State(NamedTuple):
    """Values of the variables, and for each class its objects with their fields."""

    values: tuple[Any, ...]
    heap: Heap = ()


class ModelSpace:
    """See `core.statespace.StateSpace`. One at a time can be used of one program: its variables are the program's."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.names = _unique_names(program)
        self._holders = [(part.holder, part.variables) for part in program.parts if part.variables]
        self._readers = [(holder, itemgetter(*names), len(names) == 1) for holder, names in self._holders]
        self._classes = program.classes
        self._field_readers = [_reader(cls._fields) for cls in program.classes]
        self._ranged = [cls for cls in program.classes if cls in program.ranged]
        self._refs: dict[Any, tuple[Instance, ...]] = {}
        self._rows: dict[tuple[Instance, tuple[Any, ...]], Row] = {}
        self._read_fields = dict(zip(program.classes, self._field_readers, strict=True))
        self._filters = [test for part in program.parts for _, test in part.filters]
        self._invariants = [found for part in program.parts for found in part.invariants]
        self.goals: tuple[tuple[str, Callable[[], Any]], ...] = ()  # conditions that someone looks for
        self._accepting = [test for part in program.parts for test in part.accepting]
        self.symbols = [prepared(program, symbol) for symbol in program.symbols]
        self._by_name = {symbol.name: symbol for symbol in self.symbols}
        self._filtered: tuple[State | None, dict[Move, Outcome[State]], int] = (None, {}, 0)
        self.guard_calls = 0
        self._loaded: State | None = None
        self._held_by: tuple[tuple[Any, ...], frozenset[Instance]] = ((), frozenset())
        running.written[:] = [element for cls in self._classes for element in cls._live]
        self._loaded = self._first = self._capture(None)

    # --- the contract ---

    def initial(self) -> Iterable[State]:
        return (self._first,)

    def moves(self, state: State) -> Sequence[Move]:
        found = self._enabled(state)
        if not self._filters:
            return found
        outcomes = {move: self._take(state, move) for move in found}
        kept = {
            move: outcome for move, outcome in outcomes.items() if outcome.state is None or self._wanted(outcome.state)
        }
        self._filtered = (state, kept, len(outcomes) - len(kept))
        return list(kept)

    def fire(self, state: State, move: Move) -> Outcome[State]:
        if self._filtered[0] is state and move in self._filtered[1]:
            return self._filtered[1][move]
        return self._take(state, move)

    def key(self, state: State) -> Hashable:
        return state

    def transient(self, state: State) -> bool:
        return False

    def judge(self, state: State) -> tuple[Violation, ...]:
        """The invariants that are false in the state."""
        if not self._invariants and not self.goals:
            return ()
        self._restore(state)
        found = [
            Violation("invariant", f"invariant {name} is violated", span, name=name)
            for name, test, span in self._invariants
            if not self._ask(test, (), span)
        ]
        reached = [name for name, test in self.goals if self.asks(state, test)]
        return (*found, *(Violation("reach", f"{name} is reached", name=name) for name in reached))

    def stuck(self, state: State) -> Violation | None:
        if self._filtered[0] is state and self._filtered[2]:
            return None  # it could go on, only not inside the bounds
        if self._accepting and self.accepts(state):
            return None
        return Violation(
            "deadlock", "no action is enabled" + (", and the state is not accepting" if self._accepting else "")
        )

    def accepts(self, state: State) -> bool:
        """Whether a run may end here."""
        self._restore(state)
        return all(self._ask(test, (), Span(self.program.path, 1)) for test in self._accepting)

    def asks(self, state: State, test: Callable[[], Any]) -> bool:
        """Whether a condition over the variables of the model is true in the state."""
        self._restore(state)
        return self._ask(test, (), Span(self.program.path, 1))

    def letters(self, atoms: Sequence[object]) -> ModelLetters:
        """What an automaton beside the model reads."""
        from clew.frontends.modelprogram.conditions import ModelLetters

        return ModelLetters(self, atoms)

    def describe(self, state: State) -> TraceState:
        values = {name: shown(value) for name, value in zip(self.names, state.values, strict=True)}
        for cls, objects in zip(self._classes, state.heap, strict=True):
            for row in objects:
                for name, value in zip(cls._fields, row.values, strict=True):
                    values[f"{row.element._name()}.{name}"] = shown(value)
        return TraceState(values)

    def explain(self, state: State, move: Move, after: State | None) -> TraceStep:
        old = self.describe(state).values
        new = old if after is None else self.describe(after).values
        changes = {
            name: (old.get(name), new.get(name))
            for name in dict.fromkeys((*old, *new))
            if old.get(name) != new.get(name)
        }
        symbol = self._by_name[move.symbol]
        return TraceStep(0, "", self.symbols.index(symbol), symbol.span, self.text(move), changes=changes)

    def find(self, state: State, step: TraceStep) -> Move | None:
        return next((move for move in self.moves(state) if self.text(move) == step.text), None)

    def text(self, move: Move) -> str:
        return f"{move.symbol}({', '.join(map(shown, move.args))})"

    # --- capturing and restoring ---

    def _restore(self, state: State) -> None:
        loaded = self._loaded
        if state is loaded:
            return
        if loaded is None or loaded.values is not state.values:
            at = 0
            for holder, names in self._holders:
                holder.update(zip(names, state.values[at : at + len(names)], strict=True))
                at += len(names)
        for at, objects in enumerate(state.heap):
            before = () if loaded is None else loaded.heap[at]
            if objects is before:
                continue
            same = len(objects) == len(before) and loaded is not None
            for row, old in zip(objects, before, strict=False):
                if row is not old:
                    row.element.__dict__.update(row.fields)
                    if row.element is not old.element:
                        same = False
            if not same:
                live = self._classes[at]._live
                live.clear()
                for row in objects:
                    live[row.element] = None
                    if row.element._row is not row:
                        row.element.__dict__.update(row.fields)
        self._loaded = state

    def _values(self) -> tuple[Any, ...]:
        if len(self._readers) == 1:
            holder, read, single = self._readers[0]
            return (read(holder),) if single else read(holder)
        found: tuple[Any, ...] = ()
        for holder, read, single in self._readers:
            found += (read(holder),) if single else read(holder)
        return found

    def _capture(self, before: State | None) -> State:
        """The state as it is now; `before` has been checked already."""
        values = self._values()
        if before is None:
            for value in values:
                self._check(value)
            return State(values, self._heap(values))
        is_same = True
        for new, old in zip(values, before.values, strict=True):
            if new is not old:
                is_same = False
                if type(new) not in SIMPLE:
                    self._check(new)
        if not self._classes:
            return before if is_same else State(values)
        if not is_same:
            return State(values, self._heap(values))
        return State(before.values, self._changed_heap(before) or self._heap(values))

    def _changed_heap(self, before: State) -> Heap | None:
        """The objects that are alive if only fields were written. None if some were made, or if one may be given up: it
        was referred to, and no variable holds it."""
        changed = set()
        for cls, rows in zip(self._classes, before.heap, strict=True):
            if len(cls._live) != len(rows):
                return None
        for element in running.written:
            old = element._row
            self._renew(element)
            changed.add(type(element))
            if element._row.refs != old.refs:
                held = self._held(before)
                if any(ref not in held for ref in old.refs if ref not in element._row.refs):
                    return None
        running.written.clear()
        return tuple(
            [
                tuple([element._row for element in cls._live]) if cls in changed else rows
                for cls, rows in zip(self._classes, before.heap, strict=True)
            ]
        )

    def _held(self, state: State) -> frozenset[Instance]:
        """The objects that variables hold, and all of classes that an action ranges over."""
        if self._held_by[0] is not state.values:
            found = [ref for value in state.values if type(value) not in SIMPLE for ref in self._check(value)]
            self._held_by = (state.values, frozenset(found))
        held = self._held_by[1]
        for cls in self._ranged:
            held |= cls._live.keys()
        return held

    def _heap(self, values: tuple[Any, ...]) -> Heap:
        """The objects that are alive, with their fields; the others are given up."""
        for element in running.written:
            self._renew(element)
        running.written.clear()
        alive: dict[Instance, None] = {}
        todo: list[Instance] = []
        for wide in self._ranged:
            todo += wide._live
        for value in values:
            if type(value) not in SIMPLE:
                todo += self._check(value)
        while todo:
            element = todo.pop()
            if element not in alive:
                alive[element] = None
                todo += element._row.refs
        heap = []
        for cls in self._classes:
            live = cls._live
            rows = tuple([element._row for element in live if element in alive])
            if len(rows) != len(live):
                live.clear()
                live.update((row.element, None) for row in rows)
            heap.append(rows)
        return tuple(heap)

    def _renew(self, element: Instance) -> None:
        """Finds the row of an object that was made or written."""
        values = self._read_fields[type(element)](element.__dict__)
        try:
            row = self._rows.get((element, values))
        except TypeError:  # an unhashable value, which is found below
            row = None
        if row is None:
            refs = dict.fromkeys(ref for value in values if type(value) not in SIMPLE for ref in self._check(value))
            row = self._rows[element, values] = Row(element, values, tuple(refs))
        element.__dict__["_row"] = row

    def _check(self, value: Any) -> tuple[Instance, ...]:
        """The objects in a value. Raises ModelError if it is not one that a state can hold."""
        if isinstance(value, Element):
            return (value,) if isinstance(value, Instance) else ()
        try:
            known = self._refs.get(value)
        except TypeError:
            raise ModelError(f"a {_unhashable(value)} cannot be part of a state: it can change unseen") from None
        if known is not None:
            return known
        found: dict[Instance, None] = {}
        todo = [value]
        while todo:
            part = todo.pop()
            if type(part) in SIMPLE:
                continue
            if isinstance(part, Instance):
                found[part] = None
                continue
            if isinstance(part, Element):
                continue
            inside = list(parts_of(part))
            if not inside:
                try:
                    order_of(part)
                except TypeError as error:
                    raise ModelError(str(error)) from None
            todo += inside
        self._refs[value] = refs = tuple(found)
        return refs

    # --- actions ---

    def _enabled(self, state: State) -> list[Move]:
        self._restore(state)
        found: list[Move] = []
        symbol = self.symbols[0]
        running.now = True
        try:
            for symbol in self.symbols:
                self.guard_calls += symbol.enumerate(found)
        except ModelError as error:
            raise InputError.at(_place(error, self.program.path) or symbol.span, "model-error", str(error)) from None
        except Exception as error:
            raise self._error(error, f"{symbol.what_failed(error)} fails", symbol.span) from None
        finally:
            running.now = False
        self._must_be_unchanged(state)
        return found

    def _take(self, state: State, move: Move) -> Outcome[State]:
        self._restore(state)
        self._loaded = None
        symbol = self._by_name[move.symbol]
        running.now = True
        try:
            for cls in symbol.makes:
                cls()
            for body in symbol.bodies:
                body(*move.args)
        except AssertionError as error:
            self._give_up()
            return Outcome(None, (Violation("assertion", f"assertion failed in {_told(error, symbol)}", symbol.span),))
        except ModelError as error:
            raise InputError.at(_place(error, self.program.path) or symbol.span, "model-error", str(error)) from None
        except (Exception, SystemExit) as error:
            self._give_up()
            span = _place(error, self.program.path) or symbol.span
            return Outcome(
                None, (Violation("runtime-error", f"{type(error).__name__} in {_told(error, symbol)}", span),)
            )
        finally:
            running.now = False
        try:
            after = self._capture(state)
        except ModelError as error:
            raise InputError.at(symbol.span, "mutable-value", f"after action '{symbol.name}': {error}") from None
        self._loaded = after
        return Outcome(after)

    def _give_up(self) -> None:
        """Objects that a broken action has written look like no row."""
        for element in running.written:
            element.__dict__["_row"] = None
        running.written.clear()

    def _wanted(self, state: State) -> bool:
        self._restore(state)
        return all(self._ask(test, (), Span(self.program.path, 1)) for test in self._filters)

    def _ask(self, test: Callable[..., Any], args: tuple[Any, ...], span: Span) -> bool:
        """A condition of the model in the state that is loaded."""
        loaded = self._loaded
        running.now = True
        try:
            answer = bool(test(*args))
        except Exception as error:
            raise self._error(error, f"{getattr(test, '__name__', 'a condition')} fails", span) from None
        finally:
            running.now = False
        if loaded is not None:
            self._must_be_unchanged(loaded)
        return answer

    def _error(self, error: Exception, what: str, span: Span) -> InputError:
        if isinstance(error, InputError):
            return error
        place = _place(error, self.program.path) or span
        return InputError.at(place, "model-error", f"{what}: {type(error).__name__}: {error}")

    def _must_be_unchanged(self, state: State) -> None:
        """Guards and other conditions must not write."""
        if running.written:
            element = running.written[0]
            running.written.clear()
            self._loaded = None
            message = f"a condition writes a {type(element).__name__}; only actions may"
            raise InputError.at(self._writer(*type(element)._fields), "side-effect", message)
        for at, (now, before) in enumerate(zip(self._values(), state.values, strict=True)):
            if now is not before:
                self._loaded = None
                name = self.names[at]
                raise InputError.at(
                    self._writer(name.rpartition(".")[2]),
                    "side-effect",
                    f"a condition changes '{name}'; only actions may",
                )

    def _writer(self, *variables: str) -> Span:
        """Where a condition that assigns one of these variables or fields is written, as far as that can be told."""
        for part in self.program.parts:
            tests = [test for contribution in part.actions.values() for test, _ in contribution.guards]
            tests += [*part.accepting, *(test for _, test, _ in part.invariants), *(test for _, test in part.filters)]
            for test in tests:
                code = getattr(test, "__code__", None) or getattr(getattr(test, "__func__", None), "__code__", None)
                if code is not None and any(map(partial(_assigns, code), variables)):
                    return Span(self.program.path, code.co_firstlineno)
        return Span(self.program.path, 1)


def _unique_names(program: Program) -> tuple[str, ...]:
    """The names of the variables; where parts have the same, together with those of the parts."""
    count = Counter(name for part in program.parts for name in part.variables)
    return tuple(
        name if count[name] == 1 else f"{part.name}.{name}" for part in program.parts for name in part.variables
    )


def _assigns(code: Any, variable: str) -> bool:
    import dis

    return any(i.opname in ("STORE_GLOBAL", "STORE_ATTR") and i.argval == variable for i in dis.get_instructions(code))


def _reader(names: tuple[str, ...]) -> Callable[[dict[str, Any]], tuple[Any, ...]]:
    if not names:
        return lambda fields: ()
    if len(names) == 1:
        return lambda fields: (fields[names[0]],)
    return itemgetter(*names)


def _unhashable(value: Any) -> str:
    """The type of what makes a value unhashable."""
    for part in parts_of(value):
        try:
            hash(part)
        except TypeError:
            return _unhashable(part)
    return type(value).__name__


def _told(error: BaseException, symbol: Symbol) -> str:
    return f"{symbol.name}: {error}" if str(error) else symbol.name


def _place(error: BaseException, path: str) -> Span | None:
    """The innermost line of the model in a traceback."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return Span(path, lines[-1] or 1) if lines else None
