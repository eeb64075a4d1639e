"""Programs as trees: what the generator builds, what is printed, what the shrinker cuts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class Node:
    """A statement. `kind` is `leaf` (text in `head`), `block` (`head` is empty, `atomic`, `d_step` or the head of a
    `for`), `if`, `do` (each part is an option) or `unless` (two parts)."""

    kind: str
    head: str = ""
    parts: list[list[Node]] = field(default_factory=list)
    label: str = ""


@dataclass(slots=True)
class Process:
    """A proctype or `init`: everything before the brace, declarations at the top, statements."""

    header: str
    declarations: list[str]
    body: list[Node]


@dataclass(slots=True)
class Inline:
    """An inline definition."""

    header: str
    body: list[Node]


@dataclass(slots=True)
class Program:
    """A whole model and the names of the features it was made to exercise."""

    declarations: list[str]
    inlines: list[Inline]
    processes: list[Process]
    features: frozenset[str] = frozenset()

    def text(self) -> str:
        """The model as Promela."""
        lines = [line if line.startswith("#") else f"{line};" for line in self.declarations]
        for inline in self.inlines:
            lines += [f"{inline.header} {{", *_sequence(inline.body, 1), "}"]
        for process in self.processes:
            lines.append(f"{process.header} {{")
            lines += [f"\t{declaration};" for declaration in process.declarations]
            lines += [*_sequence(process.body, 1), "}"]
        return "\n".join(lines) + "\n"


def leaf(text: str) -> Node:
    return Node("leaf", text)


def _sequence(body: list[Node], depth: int) -> Iterator[str]:
    """The lines of a sequence; statements are separated by semicolons."""
    if not body:
        yield "\t" * depth + "skip"
    for position, node in enumerate(body):
        lines = _statement(node, depth)
        if position + 1 < len(body):
            lines[-1] += ";"
        yield from lines


def _statement(node: Node, depth: int) -> list[str]:
    tab = "\t" * depth
    match node.kind:
        case "leaf":
            lines = [tab + node.head]
        case "block":
            lines = [f"{tab}{node.head} {{".replace("\t {", "\t{"), *_sequence(node.parts[0], depth + 1), f"{tab}}}"]
        case "if" | "do":
            lines = [tab + node.kind]
            for option in node.parts:
                first, *rest = _sequence(option, depth + 1)
                lines += [f"{tab}:: {first.lstrip()}", *rest]
            lines.append(tab + ("fi" if node.kind == "if" else "od"))
        case "unless":
            body, escape = (list(_sequence(part, depth + 1)) for part in node.parts)
            lines = [f"{tab}{{", *body, f"{tab}}} unless {{", *escape, f"{tab}}}"]
        case other:
            raise ValueError(f"no such kind of statement: {other}")
    if node.label:
        lines[0] = f"{tab}{node.label}: {lines[0].lstrip()}"
    return lines
