"""Random transition systems whose steps choose inside: parameters, any value, one of several blocks. Can a state that
is wrong be reached? By every engine that decides it."""

from __future__ import annotations

from random import Random

from clew.core.engines import Limits, Request
from clew.core.expressions import Binary, Const, Expr, Ref, Variable
from clew.core.procedures import Choose, Claim, Command, Pick
from clew.core.properties import Property, Violation
from clew.core.registry import load_engine
from clew.core.statements import Assign, Guard
from clew.core.transition_system import Action, Interleave, TransitionSystem
from clew.core.types import Int

ENGINES = ("reference", "symbolic", "smt")
WRONG = Violation("assertion", "wrong")
SMALL = Int("small", 2)
X, Y = Variable("x", SMALL, 0), Variable("y", SMALL, 1)
PARAMETER = Variable("p", SMALL, 0, "a")


def is_(variable: Variable, value: int) -> Expr:
    return Binary("==", Ref(variable), Const(value))


def never(x: int, y: int) -> Claim:
    return Claim(Binary("||", Binary("!=", Ref(X), Const(x)), Binary("!=", Ref(Y), Const(y))), WRONG)


def system(*actions: Action) -> TransitionSystem:
    return TransitionSystem("choices", (X, Y), 2, Interleave(actions), Binary("&&", is_(X, 0), is_(Y, 0)))


def random_system(random: Random) -> TransitionSystem:
    def value(known: list[Variable]) -> Expr:
        one = Ref(random.choice(known)) if random.random() < 0.8 else Const(random.randrange(4))
        return Binary(random.choice("+-"), one, Const(random.randrange(4))) if random.random() < 0.4 else one

    def command(known: list[Variable], depth: int = 0) -> Command:
        target = Ref(random.choice((X, Y)))
        match random.randrange(6 if depth < 2 else 4):
            case 0:
                return Guard(Binary(random.choice(("!=", "<")), value(known), value(known)))
            case 1 | 2:
                return Assign(target, value(known))
            case 3:
                return Pick((target,))
            case _:
                sides = ((command(known, depth + 1),), (command(known, depth + 1),))
                return Choose(sides)

    actions = []
    for name in "ab"[: random.randint(1, 2)]:
        parameters = (Variable("p", SMALL, 0, name),) if random.random() < 0.6 else ()
        known = [X, Y, *parameters]
        body = [command(known) for _ in range(random.randint(1, 4))]
        actions.append(Action(name, (*body, never(random.randrange(4), random.randrange(4))), parameters))
    return system(*actions)


def verdict(view: TransitionSystem, engine: str) -> str:
    request = Request(view, (Property("assertions", "assertion", ""),), limits=Limits(seconds=600))
    return load_engine(engine).run(request).decisions[0].verdict


def compare(seed: int) -> tuple[str, ...]:
    """What each engine says."""
    view = random_system(Random(seed))
    return tuple(verdict(view, engine) for engine in ENGINES)
