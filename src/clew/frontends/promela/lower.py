"""A whole Promela text to a `Network`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from clew.core import expressions as core
from clew.core import statements as stmt
from clew.core.diagnostics import DiagnosticBag, InputError, Span
from clew.core.foreign import data as foreign_data
from clew.core.near_names import did_you_mean
from clew.core.network import (
    ForeignDeclarations,
    Formula,
    Instance,
    MonitorProcess,
    Network,
    Step,
    Template,
)
from clew.core.records import record
from clew.frontends.promela import emit, optimise, unparse
from clew.frontends.promela import syntax as ast
from clew.frontends.promela.ample import Marks
from clew.frontends.promela.basic import BasicStatements
from clew.frontends.promela.c_variables import c_variables, names_in
from clew.frontends.promela.elements import Element
from clew.frontends.promela.features import Features, scan
from clew.frontends.promela.formulas import finished, temporal
from clew.frontends.promela.names import PREDEFINED, Frame, Names
from clew.frontends.promela.sequences import Body, build
from clew.frontends.promela.translate import Translator


@record
class Switches:
    """How steps are cut. The defaults are Spin's; `fine` is Spin with -o1 -o2 -o3.

    Spin takes some things on trust: that a subscript is not a global, that `local`, `xr` and `xs` are right, that a
    `hidden` variable does not matter. `sound` does not; it gives up Spin's counts where they rest on such trust.
    """

    merge_statements: bool = True
    reset_dead: bool = True
    hide_unread: bool = True
    sound: bool = False
    lossy_channels: bool = False  # spin -m
    inner_escapes_first: bool = False  # pan -J
    no_priorities: bool = False  # spin -o6
    ends_empty: bool = False  # pan -q
    marks_ample: bool = False  # says where Spin's reduction lets a process move alone
    pid_is_global: bool = False  # as in Spin before 4.2.3

    @classmethod
    def fine(cls) -> Switches:
        return cls(merge_statements=False, reset_dead=False, hide_unread=False)


SPIN_DEFAULT = Switches()


@dataclass(slots=True)
class Process:
    """A proctype, claim or trace automaton on its way to a template."""

    name: str
    span: Span
    parameters: tuple[core.Variable, ...]
    frame: Frame
    body: Body
    provided: core.Expr | None = None
    graph: emit.Control = field(default_factory=emit.Control)


@dataclass(slots=True)
class Lowered:
    """The network and what the linter wants to know about how it came about."""

    network: Network
    bag: DiagnosticBag
    names: Names
    features: Features
    processes: list[Process]


def lower(model: ast.Model, name: str, switches: Switches = SPIN_DEFAULT) -> Lowered:
    """Checks and translates a text. Raises InputError with everything found wrong."""
    return _Lowering(model, name, switches).run()


class _Lowering:
    def __init__(self, model: ast.Model, name: str, switches: Switches) -> None:
        self.model = model
        self.name = name
        self.switches = switches
        self.bag = DiagnosticBag()
        self.features = scan(model)
        self.names = Names(self.features, self.bag, switches.hide_unread, switches.sound)
        self.translate = Translator(self.names)
        self.basic = BasicStatements(
            self.names, self.translate, switches.lossy_channels, switches.sound, switches.pid_is_global
        )
        self.processes: list[Process] = []
        self.claims: list[tuple[str, Process]] = []
        self.instances: list[Instance] = []
        self.formulas: list[Formula] = []
        self.unnamed_formulas = 0
        self.foreign: tuple[
            list[tuple[str, Span]], list[tuple[str, Span]], list[tuple[bool, tuple[str, ...], Span]]
        ] = (
            [],
            [],
            [],
        )

    def run(self) -> Lowered:
        for unit in self.model.units:
            try:
                self._unit(unit)
            except InputError as error:
                self.bag.items.extend(error.diagnostics)
                self.names.leave_process()
        self._check_runs()
        if self.switches.no_priorities and self.features.priority_use is not None:
            self.bag.error(self.features.priority_use, "promela-priority", "there are no priorities with spin-o6")
        for use in self.translate.label_uses:
            self._protect_label(use.template, use.label, use.span)
        if not self.instances and not self.bag.errors:
            span = self.model.units[0].span if self.model.units else Span(self.name, 1)
            hint = "write 'active' before a proctype, or an init"
            self.bag.error(span, "promela-no-process", "there is no process to start", hint)
        self.bag.raise_if_errors()
        try:
            network = self._network()
            foreign_data(network)  # fails if it makes no sense
        except InputError as error:
            self.bag.items.extend(error.diagnostics)
            raise InputError(self.bag.items) from None
        return Lowered(network, self.bag, self.names, self.features, self.processes)

    # --- units ----------------------------------------------------------------------------------------------------

    def _unit(self, unit: ast.Unit) -> None:
        match unit:
            case ast.MtypeDecl():
                self.names.declare_mtype(unit)
            case ast.Typedef():
                self.names.declare_typedef(unit, self.translate)
            case ast.VarDecl():
                for item in unit.declarators:
                    self._check_unhidden(unit, item)
                    self.names.declare(unit, item, self.translate)
            case ast.Proctype():
                self._proctype(unit)
            case ast.Never(name, body, span, end):
                self._claim("never", name or f"never_{len(self.claims)}", body, span, end)
            case ast.TraceUnit(negated, body, span, end):
                if any(kind != "never" for kind, _ in self.claims):
                    self.bag.error(span, "promela-second-trace", "a model has at most one trace or notrace assertion")
                self._claim("notrace" if negated else "trace", "trace", body, span, end)
            case ast.Ltl(name):
                self._formula(name or f"ltl_{self.unnamed_formulas}", unit)
            case ast.CDecl(text, span):
                self.foreign[0].append((text, span))
            case ast.CCode(text, _, span):
                self.foreign[1].append((text, span))
            case ast.CState(track, strings, span):
                self.foreign[2].append((track, self._matched(track, strings, span), span))
            case ast.InlineDef():
                pass
            case ast.ExclusiveUse(kind, _, span):
                self.bag.error(span, "promela-exclusive", f"{kind} outside a process")
            case _:
                raise TypeError(f"unknown unit {unit!r}")

    def _matched(self, track: bool, strings: tuple[str, ...], span: Span) -> tuple[str, ...]:
        """What a `c_state` or `c_track` says; on trust only if Spin's counts are asked for."""
        if not track or len(strings) < 3 or strings[2] not in ("UnMatched", "unMatched", "StackOnly"):
            return strings
        effect = "so it is matched" if self.switches.sound else "states that differ only there are taken as one"
        self.bag.warning(span, "promela-unmatched", f"'{strings[0]}' may be read but is not matched: {effect}")
        return (strings[0], strings[1], "Matched") if self.switches.sound else strings

    def _untracked(self) -> tuple[str, ...]:
        """C variables that are part of no state, each with a warning."""
        declarations, code, states = self.foreign
        tracked = {name for track, strings, _ in states if track for name in names_in(strings[0])}
        hidden = [(f"{strings[0]};", span) for track, strings, span in states if not track and strings[1] == "Hidden"]
        found: dict[str, Span] = {}
        for text, span in (*declarations, *code, *hidden):
            for name in c_variables(text):
                if name not in tracked:
                    found.setdefault(name, span)
        for name, span in found.items():
            message = f"the C variable '{name}' is part of no state: states that differ only there are taken as one"
            hint = f'add c_track "&{name}" "sizeof({name})"'
            self.bag.warning(span, "promela-untracked", message, hint)
        return tuple(found)

    def _check_unhidden(self, unit: ast.VarDecl, item: ast.Declarator) -> None:
        if unit.visibility == "hidden" and item.name in self.features.read:
            effect = "so it is kept" if self.switches.sound else "states that differ only there are taken as one"
            message = f"'{item.name}' is hidden but read: {effect}"
            self.bag.warning(item.span, "promela-hidden-read", message, "remove 'hidden'")

    def _proctype(self, unit: ast.Proctype) -> None:
        taken = self.names.lookup(unit.name) is not None or unit.name in PREDEFINED
        if taken or unit.name in self.names.proctypes:
            self.bag.error(unit.span, "promela-redeclared", f"'{unit.name}' is already declared")
        self.names.proctypes[unit.name] = unit
        frame = self.names.enter_process(unit.name)
        parameters = []
        for group in unit.params:
            for item in group.declarators:
                if item.init is not None:
                    self.bag.error(item.span, "promela-parameter", "a parameter cannot have an initial value")
                if item.size is not None:
                    self.bag.error(item.span, "promela-parameter", f"parameter '{item.name}' cannot be an array")
                parameters.append(self.names.declare(group, item, self.translate))
        known = {v.name: v for v in frame.variables}
        self.translate.remote_frames[unit.name] = known
        provided = None if unit.provided is None else self.translate(unit.provided)
        body = build(self.names, self.translate, self.basic, unit.body, unit.end, claim=False)
        for variable in frame.variables:
            known.setdefault(variable.name, variable)
        if self.names.last_initialiser == "global" or self.switches.sound:
            self.basic.unsafe_to_run.add(unit.name)
        self.names.leave_process()
        self.processes.append(Process(unit.name, unit.span, tuple(parameters), frame, body, provided))
        for _ in range(self._active_count(unit)):
            self.instances.append(Instance(unit.name, (), unit.priority or 1))

    def _active_count(self, unit: ast.Proctype) -> int:
        if unit.active_name is None:
            return unit.active
        variable = self.names.global_names.get(unit.active_name)
        if variable is None:
            self.bag.error(unit.span, "promela-undeclared", f"undeclared variable '{unit.active_name}'")
            return 0
        if not isinstance(variable.initial, core.Const):
            self.bag.error(unit.span, "promela-active", f"'{unit.active_name}' needs a constant initial value here")
            return 0
        return variable.initial.value

    def _claim(self, kind: str, name: str, items: tuple[ast.Item, ...], span: Span, end: Span) -> None:
        frame = self.names.enter_process(name)
        self.translate.in_claim, self.translate.in_trace = True, kind != "never"
        body = build(self.names, self.translate, self.basic, items, end, claim=True)
        self.translate.in_claim = self.translate.in_trace = False
        self.names.leave_process()
        self.claims.append((kind, Process(name, span, (), frame, body)))

    def _formula(self, name: str, unit: ast.Ltl) -> None:
        self.translate.in_claim = True
        body = temporal(unit.formula, self.translate)
        self.translate.in_claim = False
        self.unnamed_formulas += name.startswith("ltl_")
        text = unit.text or unparse.expression(unit.formula)
        self.formulas.append(Formula(name, unit.logic, text, body, unit.span))

    # --- across units ---------------------------------------------------------------------------------------------

    def _check_runs(self) -> None:
        for run, count in self.basic.starts:
            unit = self.names.proctypes.get(run.name)
            if unit is None or run.name == ":init:":
                hint = did_you_mean(run.name, [name for name in self.names.proctypes if name != ":init:"])
                self.bag.error(run.span, "promela-undeclared", f"run of '{run.name}', which is no proctype", hint)
                continue
            process = next((p for p in self.processes if p.name == run.name), None)
            if process is None:
                continue
            expected = sum(_slots(v) for v in process.parameters)
            if count != expected:
                self.bag.error(
                    run.span, "promela-arguments", f"run {run.name}: {count} arguments given, {expected} expected"
                )

    def _protect_label(self, template: str, label: str, span: Span) -> None:
        """A label that another process looks at is a state of its own: no merging there, a goto gets a skip."""
        process = next((p for p in self.processes if p.name == template), None)
        if process is None:
            self.bag.error(span, "promela-undeclared", f"unknown proctype '{template}'")
            return
        found = [known.element for known in process.body.labels if known.name == label]
        if not found:
            self.bag.error(span, "promela-label", f"proctype {template} has no label '{label}'")
            return
        element = found[0]
        if element.kind == "goto":
            jump = Element("goto", element.span, element.text, len(process.body.elements) + 1)
            jump.jump, jump.next = element.jump, element.next
            jump.in_atomic, jump.ends_atomic, jump.in_dstep = element.in_atomic, element.ends_atomic, element.in_dstep
            process.body.elements.append(jump)
            element.kind, element.form, element.text = "basic", "condition", "skip"
            element.statement = stmt.Guard(core.TRUE, element.span)
            element.next, element.jump = jump, None
        element.remotely_referenced = True

    def _network(self) -> Network:
        declarations, code, states = self.foreign
        everything = [*self.processes, *(p for _, p in self.claims)]
        merging = self.switches.merge_statements and not self.features.provided and not self.features.remote_variable
        resets = self.switches.reset_dead and not self.features.foreign and not self.features.remote_variable
        for process in everything:
            graph = optimise.control_graph(process.body.elements)
            if resets:
                optimise.mark_dead_variables(graph)
            if merging:
                optimise.merge(graph, self.basic, sends_may_start=not self.features.handshake_channel)
        for process in everything:
            emit.settle_jumps(process.body)
            process.graph = emit.control(process.body, self.switches.inner_escapes_first)
        templates: list[Template] = []
        steps: list[Step] = []
        for process in everything:
            template = self._template(process, len(steps))
            templates.append(template)
            steps.extend(s for where in template.locations for choice in where.choices for s in choice)
        count = len(self.processes)
        kinds = [kind for kind, _ in self.claims]
        return Network(
            name=self.name,
            variables=tuple(self.names.globals.variables),
            frame=self.names.globals.size,
            templates=tuple(templates[:count]),
            instances=tuple(self.instances),
            monitors=tuple(
                MonitorProcess(kind, template)  # type: ignore[arg-type]
                for kind, template in zip(kinds, templates[count:], strict=True)
            ),
            formulas=tuple(
                replace(known, body=finished(known.body, self._condition, self._label_locations))
                for known in self.formulas
            ),
            foreign=ForeignDeclarations(tuple(declarations), tuple(code), tuple(states), self._untracked()),
            uses_priorities=self.features.priorities and not self.switches.no_priorities,
            ends_empty=self.switches.ends_empty,
            tracks_last="_last" in self.features.mentioned,
            warnings=tuple(self.bag.warnings),
            files=self.model.files,
            steps=tuple(steps),
        )

    def _template(self, process: Process, first_index: int) -> Template:
        claim = all(process is not p for p in self.processes)
        marks = None
        if self.switches.marks_ample and not claim and not self.features.provided:
            marks = Marks(self.basic)
            marks.read(process.body.sequence)
        alone = None if marks is None else marks.alone
        locations = emit.locations(process.name, process.graph, self._finish, first_index, claim, alone)
        provided = None if process.provided is None else self._condition(process.provided)
        return Template(
            name=process.name,
            parameters=process.parameters,
            variables=tuple(process.frame.variables),
            frame=process.frame.size,
            locations=locations,
            initial=0,
            provided=provided,
            span=process.span,
        )

    def _condition(self, value: core.Expr) -> core.Expr:
        guard = self._finish(stmt.Guard(value))
        assert isinstance(guard, stmt.Guard)
        return guard.value

    def _finish(self, statement: stmt.Statement) -> stmt.Statement:
        return emit.resolve_labels(statement, self._label_locations)

    def _label_locations(self, template: str, label: str) -> frozenset[int]:
        process = next(p for p in self.processes if p.name == template)
        found = [known.element for known in process.body.labels if known.name == label]
        number = process.graph.numbers.get(found[0])
        return frozenset() if number is None else frozenset({number})


def _slots(variable: core.Variable) -> int:
    from clew.core.types import slots

    return slots(variable.type)


def model_name(path: str) -> str:
    return Path(path).name
