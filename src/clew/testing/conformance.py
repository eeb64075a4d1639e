"""Tests an implementation against a model while both run.

The implementation must accept every action of the tester that the model enables; the model must accept every action
that the implementation takes by itself (alternating refinement). A run that fails is made shorter, see `minimise`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from clew.core.records import record
from clew.frontends.modelprogram.space import State
from clew.testing.actions import Action, Offer, TestedModel
from clew.testing.steppers import Stepper, TooSlow, within

LONGEST_END = 100  # cleanup actions before a run that does not come to an end fails


@record
class Plan:
    """How to test. `strategy`: random, coverage (what was taken least often), or suite (the `cases`)."""

    runs: int = 20
    steps: int = 30
    seed: int = 0
    timeout: float = 2.0
    strategy: str = "random"
    cases: tuple[tuple[str, ...], ...] = ()


@record
class Tested:
    """One run. `actions`: all that happened, with those of the implementation marked; `reason` empty: it passed."""

    seed: int
    actions: tuple[tuple[Action, bool], ...]
    reason: str = ""

    @property
    def passed(self) -> bool:
        return not self.reason

    @property
    def taken(self) -> tuple[Action, ...]:
        """What the tester did."""
        return tuple(action for action, observed in self.actions if not observed)


class Failed(Exception):
    """The implementation does not do what the model says."""


Choose = Callable[[State, list[Offer]], Offer | None]
"""The next action of the tester; None: it wants to end."""


@dataclass(slots=True)
class Session:
    """One run against an implementation."""

    model: TestedModel
    stepper: Stepper
    timeout: float
    state: State
    actions: list[tuple[Action, bool]] = field(default_factory=list)

    def reset(self) -> None:
        self._call(self.stepper.reset, "reset")

    def see(self, seconds: float = 0.0) -> bool:
        """Looks for what the implementation did by itself. Raises Failed if the model does not allow it."""
        action = self._call(lambda: self.stepper.observe(seconds), "observe", seconds)
        if action is None:
            return False
        self._observed(action)
        return True

    def take(self, offer: Offer) -> None:
        """Takes an action of the tester. Raises Failed."""
        self.actions.append((offer.action, False))
        after = self.model.after(self.state, offer)
        answer = self._call(lambda: self.stepper.do(offer.action), str(offer.action))
        self.state = after
        if answer is not None:
            self._observed(answer)

    def _observed(self, action: Action) -> None:
        allowed = [offer for offer in self.model.offers(self.state) if offer.observable]
        offer = next((offer for offer in allowed if offer.action == action), None)
        self.actions.append((action if offer is None else offer.action, True))
        if offer is None:
            expected = " or ".join(str(other.action) for other in allowed) or "nothing"
            raise Failed(f"the implementation did {action}; the model expects {expected}")
        self.state = self.model.after(self.state, offer)

    def _call(self, work: Callable[[], Action | None], what: str, more: float = 0.0) -> Action | None:
        try:
            answer: Action | None = within(self.timeout + more, work)
        except TooSlow as error:
            raise Failed(f"{what}: {error}") from None
        except Exception as error:
            raise Failed(f"{what}: {type(error).__name__}: {error}") from None
        return answer


def run_once(model: TestedModel, stepper: Stepper, choose: Choose, plan: Plan, seed: int = 0) -> Tested:
    """One run, until the tester wants to end and the model accepts, or the implementation fails."""
    session = Session(model, stepper, plan.timeout, model.start())
    try:
        session.reset()
        _go(session, choose, plan)
    except Failed as failure:
        return Tested(seed, tuple(session.actions), str(failure))
    return Tested(seed, tuple(session.actions))


def _go(session: Session, choose: Choose, plan: Plan) -> None:
    model, ending = session.model, 0
    while True:
        while session.see():
            pass
        offers = model.offers(session.state)
        own = [offer for offer in offers if not offer.observable]
        offer = choose(session.state, own) if own and not ending else None
        if offer is not None:
            session.take(offer)
            continue
        ending += 1
        if model.accepts(session.state):
            return
        if any(other.observable for other in offers):
            if not session.see(plan.timeout):
                expected = " or ".join(str(other.action) for other in offers if other.observable)
                raise Failed(f"nothing happened within {plan.timeout:g} s; the model expects {expected}")
        else:
            cleanup = next((other for other in own if other.cleanup), None)
            if cleanup is None or ending > LONGEST_END:
                raise Failed("the run does not come to an accepting state")
            session.take(cleanup)


# --- strategies


def chooser(model: TestedModel, plan: Plan, seed: int, taken: dict[Hashable, int]) -> Choose:
    """At random, or what was taken least often in this state (`taken`, over all runs)."""
    chance = random.Random(seed)
    left = [plan.steps]

    def choose(state: State, offers: list[Offer]) -> Offer | None:
        if left[0] <= 0:
            return None
        left[0] -= 1
        if plan.strategy != "coverage":
            return chance.choice(offers)
        key = model.space.key(state)
        counts = [taken.get((key, offer.move), 0) for offer in offers]
        offer = chance.choice([o for o, count in zip(offers, counts, strict=True) if count == min(counts)])
        taken[key, offer.move] = taken.get((key, offer.move), 0) + 1
        return offer

    return choose


def follower(texts: Sequence[str]) -> Choose:
    """The actions of a test case, by their texts; those of the implementation come by themselves."""
    left = list(texts)

    def choose(state: State, offers: list[Offer]) -> Offer | None:
        while left:
            text = left.pop(0)
            offer = next((offer for offer in offers if str(offer.action) == text), None)
            if offer is not None:
                return offer
        return None

    return choose


def run_all(model: TestedModel, stepper: Stepper, plan: Plan) -> list[Tested]:
    """All runs that were asked for, up to the first that fails."""
    found: list[Tested] = []
    taken: dict[Hashable, int] = {}
    count = len(plan.cases) if plan.strategy == "suite" else plan.runs
    for number in range(count):
        seed = plan.seed + number
        choose = follower(plan.cases[number]) if plan.strategy == "suite" else chooser(model, plan, seed, taken)
        found.append(run_once(model, stepper, choose, plan, seed))
        if not found[-1].passed:
            break
    return found
