"""Labels and gotos for generated programs, put in once the statements stand."""

from __future__ import annotations

from collections.abc import Iterator

from .program import Node, leaf
from .random_expressions import INT_TYPES, Scope, condition


def add_labels_and_gotos(body: list[Node], labels: list[str], scope: Scope) -> None:
    """Give each name of `labels` a place in `body`; let jumps to the plain ones appear before or behind it.

    A jump back leaves every atomic sequence, so that no cycle stays inside one (Spin would walk it for ever).
    """
    for name in labels:
        places = [(sequence, position) for sequence, position in _places(body) if not sequence[position].label]
        if not places:
            body.append(leaf("skip"))
            places = [(body, len(body) - 1)]
        sequence, position = scope.rng.choice(places)
        sequence[position].label = name
        if name.startswith("L") and scope.has("goto"):
            _jump(body, name, scope)
    if scope.has("goto") and scope.has("goto_into_atomic"):
        _jump_into_atomic(body, scope)


def _places(body: list[Node]) -> Iterator[tuple[list[Node], int]]:
    """Top-level statements that may carry a label and be jumped to: no declarations, no d_steps."""
    for position, node in enumerate(body):
        if not _is_declaration(node) and node.head != "d_step":
            yield body, position


def _is_declaration(node: Node) -> bool:
    return node.kind == "leaf" and node.head.split(" ")[0] in (*INT_TYPES, "mtype", "chan")


def _jump(body: list[Node], name: str, scope: Scope) -> None:
    """One or two gotos to a label on the top level, as the end of an option or under a condition of their own."""
    for _ in range(scope.rng.choice((1, 1, 2))):
        choices = [node for node in body if node.kind in ("if", "do")]
        options = [option for node in choices for option in node.parts if not _ends_control(option)]
        if options and scope.chance(0.5):
            scope.rng.choice(options).append(leaf(f"goto {name}"))
        else:
            guarded = [leaf(f"({condition(scope)})"), leaf(f"goto {name}")]
            other = [leaf("else")] if scope.has("else") and scope.chance(0.6) else [leaf(f"({condition(scope)})")]
            body.insert(scope.rng.randrange(1, len(body) + 1), Node("if", parts=[guarded, other]))


def _ends_control(option: list[Node]) -> bool:
    return option[-1].head == "break" or option[-1].head.startswith("goto") or option[-1].head == "else"


def _jump_into_atomic(body: list[Node], scope: Scope) -> None:
    """A jump forward to a statement inside an atomic sequence that has no loop in it."""
    for position, node in enumerate(body):
        if node.kind == "block" and node.head == "atomic" and len(node.parts[0]) > 1 and position > 0:
            target = scope.rng.choice(node.parts[0][1:])
            if target.label or target.head == "d_step" or _is_declaration(target):
                continue
            target.label = f"into{position}"
            guarded = [leaf(f"({condition(scope)})"), leaf(f"goto into{position}")]
            body.insert(
                scope.rng.randrange(position),
                Node("if", parts=[guarded, [leaf("else" if scope.has("else") else "skip")]]),
            )
            return
