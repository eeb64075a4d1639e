"""`ENGINE`: decides assertions of relational programs with decision diagrams; every run it shows is replayed by the
reference interpreter, which shares nothing with it.

The program says how bits are placed. Options: `partitioned`, `everything`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from clew.core.decisions import cut_short
from clew.core.engines import RELATIONAL_ONLY, Answer, Observer, Request, Unavailable, refused_of_relations
from clew.core.properties import Property, Violation
from clew.core.relational import expressions as x
from clew.core.relational.program import Assertion, RelationalProgram
from clew.core.relational.witnesses import Claim, confirmed_trace
from clew.core.results import Decision, Evidence, Statistics
from clew.logic.ctl_traces import length_text
from clew.solvers.bdd import Unavailable as Missing
from clew.solvers.bdd import full_is_memory_error
from clew.symbolic.relational.diagrams import Diagram
from clew.symbolic.relational.system import Options, System, build
from clew.symbolic.relational.verdicts import Case, Verdicts
from clew.symbolic.relational.witness import Explainer, Witness


class OutOfTime(Exception):
    """The limit on time was hit."""


class RelationalEngine:
    name = "relational"

    def refuses(self, request: Request) -> str | None:
        if not isinstance(request.view, RelationalProgram):
            return RELATIONAL_ONLY
        return refused_of_relations(request)

    def run(self, request: Request, observer: Observer | None = None) -> Answer:
        assert isinstance(request.view, RelationalProgram)
        work = _Work(request.view, request)
        try:
            with full_is_memory_error():
                return work.answer()
        except Missing as error:
            raise Unavailable(str(error)) from error
        except OutOfTime:
            return work.partial("time")
        except KeyboardInterrupt:
            return work.partial("interrupt")
        except MemoryError:
            return work.partial("memory")


class _Work:
    """One request, as far as it got."""

    def __init__(self, program: RelationalProgram, request: Request) -> None:
        self.program = program
        self.request = request
        self.started = time.perf_counter()
        self.decisions: list[Decision] = []
        self.notes: list[str] = []
        self.system: System | None = None
        self.reached = 0

    def answer(self) -> Answer:
        options = self.request.options
        chosen = Options(
            order=self.program.placing.order,
            sift=self.program.placing.sifted,
            partitioned=bool(options.get("partitioned", True)),
            everything=bool(options.get("everything", False)),
            memory=self.request.limits.memory,
        )
        self.system = build(self.program, chosen, self._watch())
        verdicts = Verdicts(self.system)
        if not self.request.properties:
            return self._counted(verdicts)
        by_name = {assertion.name: assertion for assertion in self.program.assertions}
        for asked in self.request.properties:
            self.decisions.append(self._decided(asked, by_name[asked.name], verdicts))
        self._note_figures()
        return Answer(tuple(self.decisions), self._statistics(True), (), tuple(self.notes))

    def _watch(self) -> Callable[[], None]:
        limit = self.request.limits.seconds

        def watch() -> None:
            if limit is not None and time.perf_counter() - self.started > limit:
                raise OutOfTime

        return watch

    def partial(self, limit: str) -> Answer:
        made = {decision.property for decision in self.decisions}
        none = Evidence("none", "")
        unknown = [
            Decision(asked, "unknown", cut_short([limit]), none)
            for asked in self.request.properties
            if asked not in made
        ]
        return Answer((*self.decisions, *unknown), self._statistics(False), (limit,), tuple(self.notes))

    # verdicts

    def _decided(self, asked: Property, assertion: Assertion, verdicts: Verdicts) -> Decision:
        assert self.system is not None
        looked_at = none = self.system.layout.bdd.false
        for case in verdicts.cases(assertion):
            looked_at |= case.start | case.reach
            stuck = self.system.sticks & case.reach
            if stuck != none and not self.program.switches.blocking and x.is_temporal(case.claim):
                return self._stuck(asked, case, stuck)
            fails = case.fails()
            if fails != none:
                return self._refuted(asked, assertion, case, fails)
        states = self.system.count(looked_at)
        self.reached = max(self.reached, states)
        return Decision(asked, "holds", "", Evidence("fixpoint", f"fixpoint over {states:,} states"))

    def _refuted(self, asked: Property, assertion: Assertion, case: Case, fails: Diagram) -> Decision:
        assert self.system is not None
        witness = Explainer(self.system, case.checker).refutation(case.claim, case.given, case.atoms, fails)
        count = self.system.count(fails)
        self.reached = max(self.reached, self.system.count(case.start | case.reach))
        reason = f"fails in {count:,} of {self.system.count(case.start):,} states"
        return self._shown(asked, Claim(assertion.formula), witness, reason, _hint(case, witness))

    def _stuck(self, asked: Property, case: Case, stuck: Diagram) -> Decision:
        assert self.system is not None
        path = Explainer(self.system, case.checker).run_to(case.start, stuck)
        reason = f"stuck: a declarative statement has no next state in {self.system.count(stuck):,} states"
        return self._shown(asked, Claim(None, stuck=True), Witness(path), reason, "")

    def _shown(self, asked: Property, claim: Claim, witness: Witness, reason: str, hint: str) -> Decision:
        assert self.system is not None
        said = [*witness.names, *witness.remarks, *([hint] if hint else [])]
        message = "; ".join([reason, *said])
        trace = confirmed_trace(self.program, witness.run, message, claim)
        violation = Violation("ctl", message, asked.span)
        return Decision(
            asked,
            "violated",
            message,
            Evidence("replayed-trace", f"replayed trace: {length_text(trace)}"),
            trace,
            violation,
        )

    # counts and figures

    def _counted(self, verdicts: Verdicts) -> Answer:
        """The states that can be reached from the antecedents of the assertions; without any, all states."""
        assert self.system is not None
        start = self.system.layout.bdd.false
        for assertion in self.program.assertions:
            for case in verdicts.cases(assertion):
                if x.is_temporal(case.claim):
                    start |= case.start
        if start == self.system.layout.bdd.false:
            start = self.system.universe
        layers = self.system.layers(start)
        found = self.system.layout.bdd.false
        for layer in layers:
            found |= layer
        self.reached = self.system.count(found)
        self._note_figures()
        return Answer((), self._statistics(True, len(layers) - 1), (), tuple(self.notes))

    def _note_figures(self) -> None:
        assert self.system is not None
        bdd, system = self.system.layout.bdd, self.system
        nodes = sum(bdd.size(part.meaning.relation) for part in system.parts)
        variables = 1 + 3 * len(system.layout.order)
        relations = "1 relation" if len(system.parts) == 1 else f"{len(system.parts)} relations"
        shown = f"diagrams: {variables:,} variables, {nodes:,} nodes in {relations}"
        self.notes.append(f"{shown}, {bdd.diagrams.peak_nodes():,} nodes at most")
        rounds = [f"{name} {count}" for name, count in sorted(system.iterations.items())]
        rounds += [f"{name} {summary.rounds}" for name, summary in sorted(system.compiler.summaries.items())]
        if rounds:
            self.notes.append(f"rounds of fixpoints: {', '.join(rounds)}")
        if any(part.diverges != bdd.false for part in system.parts):
            self.notes.append("some runs never end: they lead to the state loop")

    def _statistics(self, complete: bool, depth: int = 0) -> Statistics:
        seconds = time.perf_counter() - self.started
        memory = 0 if self.system is None else self.system.layout.bdd.diagrams.bytes()
        return Statistics(self.reached, self.reached, 0, depth, seconds, memory, 0.0, complete)


def _hint(case: Case, witness: Witness) -> str:
    """A claim that something happens at last, which fails by doing nothing for ever and in no other way."""
    turn = witness.turn
    if turn is None or turn != len(witness.states) - 2:
        return ""
    checker = case.checker
    bad = [n for n in x.nodes(case.claim) if isinstance(n, x.Temporal) and n.operator in ("AF", "AU")]
    if len(bad) != 1 or x.free_locals(bad[0]):
        return ""
    target = checker.where(bad[0].operands[-1], case.given)
    if checker.moving_for_ever(checker.care & ~target) & case.start == checker.bdd.false:
        return "it fails only by steps that change nothing, for ever: EF asks whether it can happen"
    return ""


ENGINE = RelationalEngine()
