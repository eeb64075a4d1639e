"""Random well-typed models of few bits: relations of one to three columns, closures, primes, `bad`, loops, recursion,
foreach, division, quantified CTL."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

SETS = ("a", "b", "s")


class RandomModel:
    """Text of one model. Enumerations A (2 or 3 values) and B (2 values); variables so that a state has few bits."""

    def __init__(self, seed: int, most_bits: int = 8, rich: bool = False) -> None:
        self.random = Random(seed)
        self.rich = rich  # functions, do, for, parameters that are assigned to, temporal operators in sets
        self.functions = False  # whether they may be called here
        self.temporal = False  # whether sets may have temporal operators in them
        self.size = self.random.choice((2, 2, 3))
        self.bits = 0
        self.variables: dict[str, str] = {}  # name to kind
        self.depth = 0
        self.bound: list[tuple[str, str]] = []
        self._declare(most_bits)

    def _declare(self, most: int) -> None:
        n = self.size
        options = [
            ("set A", "s1", n, "setA"), ("A->A", "r", n * n, "relAA"), ("A->lone A", "f", n * n, "relAA"),
            ("A->one B", "g", 2 * n, "relAB"), ("A->B", "h", 2 * n, "relAB"), ("A", "x", 2, "A"), ("A", "y", 2, "A"),
            ("bool", "p", 1, "bool"), ("bool", "q", 1, "bool"), ("int(2)", "i", 2, "int"), ("int(2)", "j", 2, "int"),
            ("B->B->A", "t", 4 * n, "relBBA"), ("A->some B", "k", 2 * n, "relAB"),
        ]  # fmt: skip
        self.random.shuffle(options)
        self.lines = [f"enum A {{{n}}};", "enum B = {b1, b2};"]
        left = most
        for type_, name, bits, kind in options:
            if bits <= left:
                left -= bits
                self.bits += bits
                self.variables[name] = kind
                self.lines.append(f"{type_} {name};")

    # expressions

    def _some(self, kind: str) -> list[str]:
        return [n for n, k in [*self.variables.items(), *self.bound] if k == kind]

    def _variable(self, kind: str, primes: bool) -> str | None:
        names = self._some(kind)
        if not names:
            return None
        name = self.random.choice(names)
        return name + ("'" if primes and name in self.variables and self.random.random() < 0.5 else "")

    def scalar(self, kind: str, primes: bool = False) -> str:
        found = self._variable(kind, primes) if self.random.random() < 0.7 else None
        if found is not None:
            return found
        if kind == "A":
            return f"A{self.random.randint(1, self.size)}"
        if kind == "B":
            return self.random.choice(("b1", "b2"))
        return self.number(primes)

    def number(self, primes: bool = False, depth: int = 0) -> str:
        if depth < 2 and self.random.random() < 0.4:
            operator = self.random.choice(("+", "-", "*", "/", "+", "-"))
            return f"({self.number(primes, depth + 1)} {operator} {self.number(primes, depth + 1)})"
        return self._variable("int", primes) or str(self.random.randint(0, 3))

    def set_a(self, primes: bool = False, depth: int = 0) -> str:
        pick = self.random.random()
        if self.functions and depth < 2 and self.random.random() < 0.2:
            return f"of_({self.scalar('A', primes)})"
        if depth > 2 or pick < 0.35:
            return self.random.choice(
                [self._variable("setA", primes) or "A", self.scalar("A", primes), "A", "emptyset"][:3]
            )
        inner = lambda: self.set_a(primes, depth + 1)  # noqa: E731
        if pick < 0.6:
            return f"({inner()} {self.random.choice('+&-')} {inner()})"
        if pick < 0.9:
            return f"({inner()}.{self.rel_aa(primes, depth + 1)})"
        name = f"v{len(self.bound)}"
        over = inner()
        self.bound.append((name, "A"))
        body = self.formula(primes, 2, self.temporal)
        self.bound.pop()
        return f"{{{name}:{over} | {body}}}"

    def rel_aa(self, primes: bool = False, depth: int = 0) -> str:
        pick = self.random.random()
        known = self._variable("relAA", primes)
        if depth > 2 or pick < 0.4:
            return known or f"({self.set_a(primes, 3)}->{self.set_a(primes, 3)})"
        inner = lambda: self.rel_aa(primes, depth + 1)  # noqa: E731
        if pick < 0.6:
            return f"({inner()} {self.random.choice('+&-')} {inner()})"
        if pick < 0.9:
            return f"({self.random.choice('~^*')}{inner()})"
        other = self._variable("relAB", primes)
        return f"({other}.(~{self._variable('relAB', primes)}))" if other else f"({inner()}.{inner()})"

    def formula(self, primes: bool = False, depth: int = 0, temporal: bool = False) -> str:
        pick = self.random.random()
        inner = lambda: self.formula(primes, depth + 1, temporal)  # noqa: E731
        if depth < 3 and temporal and pick < 0.3:
            operator = self.random.choice(("AG", "AX", "AF", "EG", "EX", "EF", "AU", "EU"))
            if operator[1] == "U":
                return f"{operator[0]} [{inner()} U {inner()}]"
            return f"{operator} ({inner()})"
        if depth < 3 and pick < 0.5:
            return f"({inner()} {self.random.choice(('&&', '||', '=>'))} {inner()})"
        if depth < 3 and pick < 0.57:
            return f"!({inner()})"
        if depth < 3 and pick < 0.7:
            names = (
                [f"v{len(self.bound)}"]
                if self.random.random() < 0.7
                else [f"v{len(self.bound)}", f"w{len(self.bound)}"]
            )
            over = self.set_a(primes, 2)
            self.bound += [(name, "A") for name in names]
            body = inner()
            del self.bound[-len(names) :]
            return f"({self.random.choice(('all', 'some', 'one', 'no', 'lone'))} {', '.join(names)}:{over} | {body})"
        return self._atom(primes)

    def _atom(self, primes: bool) -> str:
        choices = [
            lambda: f"{self.set_a(primes, 1)} in {self.set_a(primes, 1)}",
            lambda: f"{self.set_a(primes, 1)} == {self.set_a(primes, 1)}",
            lambda: f"{self.random.choice(('some', 'no', 'one', 'lone'))} {self.rel_aa(primes, 1)}",
            lambda: f"{self.random.choice(('some', 'no', 'one', 'lone'))} {self.set_a(primes, 1)}",
            lambda: f"{self.rel_aa(primes, 1)} in {self.rel_aa(primes, 1)}",
            lambda: f"{self.set_a(primes, 2)} {self.random.choice(('<', '<=', '>', '>='))} {self.set_a(primes, 2)}",
            lambda: f"{self.scalar('A', primes)} != {self.scalar('A', primes)}",
            lambda: f"{self.number(primes)} {self.random.choice(('<', '==', '>=', '!='))} {self.number(primes)}",
        ]
        if self._some("int"):
            name = self.random.choice(self._some("int"))
            choices.append(lambda: f"{name} {self.random.choice(('<$', '>=$'))} {self.random.randint(0, 1)}")
        if self._some("relBBA"):
            choices.append(lambda: f"{self.scalar('B')}->{self.scalar('B')}->{self.scalar('A')} in t")
            choices.append(lambda: f"some b1.({self.scalar('B')}.t)")
        if self._some("bool"):
            choices += [lambda: self._variable("bool", primes) or "true"] * 2
        if not primes:
            choices.append(lambda: "bad")
        if self.functions:
            choices.append(lambda: f"is_({self.scalar('A', primes)})")
        return self.random.choice(choices)()

    # statements

    def statement(self, depth: int, calls: tuple[str, ...]) -> str:
        pick = self.random.random()
        inner = lambda: self.statement(depth + 1, calls)  # noqa: E731
        if depth < 2:
            if pick < 0.12:
                return f"{{ {inner()} {inner()} }}"
            if pick < 0.3:
                otherwise = f" else {inner()}" if self.random.random() < 0.5 else ""
                return f"if ({self.formula()}) {{ {inner()} }}{otherwise}"
            if pick < 0.36:
                return f"while ({self.formula(depth=2)}) {{ {inner()} }}"
            if pick < 0.44:
                name = f"e{len(self.bound)}"
                over = self.set_a(depth=2)
                self.bound.append((name, "A"))
                body = inner()
                self.bound.pop()
                return f"foreach {name}:{over} {{ {body} }}"
            if pick < 0.56 and calls:
                return f"{self.random.choice(calls)}({self.scalar('A')});"
        if self.rich and self.random.random() < 0.15:
            return self._rarer(inner) if depth < 2 else f"z := {self.scalar('A')};"
        if pick > 0.9:
            return f"({self.formula(primes=True)});"
        return self._assignment()

    def _rarer(self, inner: Callable[[], str]) -> str:
        match self.random.randrange(3):
            case 0:
                return f"do {{ {inner()} }} while ({self.formula(depth=2)});"
            case 1:
                return f"for ({self._assignment()} {self.formula(depth=2)}; {self._assignment()[:-1]}) {{ {inner()} }}"
            case _:
                return f"z := {self.set_a() if self.random.random() < 0.3 else self.scalar('A')};"

    def _assignment(self) -> str:
        name, kind = self.random.choice([*self.variables.items(), ("bad", "bool")])
        if self.random.random() < 0.02:
            return "bad := false;"
        match kind:
            case "setA":
                return f"{name} := {self.set_a()};"
            case "relAA":
                if self.random.random() < 0.5:
                    return f"{self.set_a(depth=2)}.{name} := {self.set_a()};"
                return f"{name} := {self.rel_aa()};"
            case "relAB":
                return f"{self.scalar('A')}.{name} := {self.random.choice(('b1', 'b2', 'B', 'emptyset'))};"
            case "relBBA":
                return f"{self.scalar('B')}.t := {self.scalar('B')}->{self.set_a(depth=2)};"
            case "A":
                return f"{name} := {self.set_a() if self.random.random() < 0.5 else self.scalar('A')};"
            case "bool":
                return f"{name} := ({self.formula(depth=1)});"
        return (
            f"{name} := {self.number()};"
            if self.random.random() < 0.7
            else f"{name}{self.random.choice(('++', '--'))};"
        )

    def text(self) -> str:
        lines = list(self.lines)
        if self.rich:
            self.bound = [("z", "A")]
            lines.append(f"set A of_(A z) {{ {self.set_a()} }}")
            lines.append(f"bool is_(A z) {{ {self.formula(depth=1)} }}")
            self.functions = True
        calls = {"one": ("one_", "two_", "own_"), "two": ("one_", "two_"), "own": ("own_",)}
        for name, called in calls.items():
            self.bound = [("z", "A")]
            body = " ".join(self.statement(0, called) for _ in range(self.random.randint(1, 2)))
            lines.append(f"void {name}_(A z) {{ {body} }}")
        for number in range(self.random.randint(1, 2)):
            self.bound = [("z", "A")]
            body = " ".join(self.statement(0, ("one_", "two_")) for _ in range(self.random.randint(1, 2)))
            lines.append(f"toplevel void top{number}(A z) {{ {body} }}")
        self.bound = []
        for _ in range(2):
            self.temporal = False
            start = self.formula(depth=1)
            self.temporal = self.rich
            claim = self.formula(temporal=True).replace("bad", self.random.choice(("bad", "loop", "bad")))
            lines.append(f"assert {start} => {claim};")
        return "\n".join(lines) + "\n"
