"""A failing run made as short as possible: the fewest actions of the tester after which the implementation fails.

Shorter runs are executed anew against the implementation. First pieces are left out (Zeller and Hildebrandt,
*Simplifying and isolating failure-inducing input*, 2002); then all shorter sequences that the model allows are tried,
shortest first, as long as the budget lasts. If it does, no shorter sequence fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.core.records import record
from clew.testing.actions import Action, TestedModel
from clew.testing.conformance import Plan, Tested, follower, run_once
from clew.testing.steppers import Stepper

BUDGET = 300  # executions


@record
class Minimal:
    """`is_shortest`: every shorter sequence was tried and passes."""

    run: Tested
    executions: int
    is_shortest: bool


def minimised(model: TestedModel, stepper: Stepper, failing: Tested, plan: Plan, budget: int = BUDGET) -> Minimal:
    return _Minimiser(model, stepper, plan, budget).best(failing)


class _Minimiser:
    def __init__(self, model: TestedModel, stepper: Stepper, plan: Plan, budget: int) -> None:
        self.model = model
        self.stepper = stepper
        self.plan = plan
        self.budget = budget
        self.executions = 0

    def best(self, failing: Tested) -> Minimal:
        best = self._run(failing.taken) or failing
        size = max(len(best.taken) // 2, 1)
        while size >= 1 and self.executions < self.budget:
            shorter = next(filter(None, (self._run(rest) for rest in _without(best.taken, size))), None)
            if shorter is not None:
                best = shorter
                size = min(size, max(len(best.taken) // 2, 1))
            elif size == 1:
                break
            else:
                size //= 2
        for length in range(len(best.taken)):
            for actions in self._sequences(length):
                if self.executions >= self.budget:
                    return Minimal(best, self.executions, False)
                shorter = self._run(actions)
                if shorter is not None:
                    return Minimal(shorter, self.executions, True)
        return Minimal(best, self.executions, True)

    def _run(self, actions: Sequence[Action]) -> Tested | None:
        """The run that takes these actions, if it takes no more of them and fails."""
        if self.executions >= self.budget:
            return None
        self.executions += 1
        run = run_once(self.model, self.stepper, follower([str(action) for action in actions]), self.plan)
        return run if not run.passed and len(run.taken) <= len(actions) else None

    def _sequences(self, length: int) -> Iterator[tuple[Action, ...]]:
        """What the tester can do in so many actions if the implementation does what the model allows."""
        found: dict[tuple[Action, ...], None] = {}
        waiting = [(self.model.start(), tuple[Action, ...]())]
        seen = set()
        while waiting:
            state, actions = waiting.pop(0)
            if len(actions) == length:
                if actions not in found:
                    found[actions] = None
                    yield actions
                continue
            for offer in self.model.offers(state):
                after = self.model.after(state, offer)
                taken = actions if offer.observable else (*actions, offer.action)
                key = (self.model.space.key(after), taken)
                if key not in seen:
                    seen.add(key)
                    waiting.append((after, taken))


def _without(actions: Sequence[Action], size: int) -> Iterator[tuple[Action, ...]]:
    for start in range(0, len(actions), size):
        yield (*actions[:start], *actions[start + size :])
