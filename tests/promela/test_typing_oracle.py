"""Inference against independent code: canonical text against unfoldings of random types, the solver against a naive
one that saturates equations, and accepted random models against messages that are really sent."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from clew.core.registry import LoadOptions
from clew.frontends.promela.language import LANGUAGE
from clew.frontends.promela.parser import parse_text
from clew.frontends.promela.typing.infer import infer
from clew.frontends.promela.typing.nodes import CHAN, MTYPE, RECORD, TUPLE, Node
from clew.frontends.promela.typing.notation import Notation, parse_type

QUICK = settings(max_examples=60)
Shape = list[list[int]]  # channel number to the fields of its messages: a channel, or -1 for byte, -2 for mtype


def shapes() -> st.SearchStrategy[Shape]:
    fields = st.integers(1, 5).flatmap(
        lambda n: st.lists(st.lists(st.integers(-2, n - 1), min_size=1, max_size=3), min_size=n, max_size=n)
    )
    return fields


def graph(shape: Shape, copies: int) -> list[Node]:
    """The channels of a shape; each is there several times, and references go round the copies: an unfolding."""
    size = len(shape)
    channels = [Node(CHAN) for _ in range(size * copies)]
    for number, channel in enumerate(channels):
        copy = number // size
        slots = [
            channels[(copy + 1) % copies * size + field]
            if field >= 0
            else Node(RECORD, "byte")
            if field == -1
            else Node(MTYPE)
            for field in shape[number % size]
        ]
        channel.args = (Node(TUPLE, "", slots),)
    return channels


def equal_by_unfolding(shape: Shape, a: int, b: int, depth: int) -> bool:
    """The definition: no path tells the two apart."""
    if depth == 0 or a == b:
        return True
    if a < 0 or b < 0 or len(shape[a]) != len(shape[b]):
        return False
    return all(equal_by_unfolding(shape, x, y, depth - 1) for x, y in zip(shape[a], shape[b], strict=True))


@QUICK
@given(shapes(), st.integers(1, 4))
def test_all_unfoldings_of_a_type_are_written_alike(shape: Shape, copies: int) -> None:
    plain, unfolded = graph(shape, 1), graph(shape, copies)
    notation = Notation([*plain, *unfolded])
    for number, channel in enumerate(unfolded):
        assert notation.text(channel) == notation.text(plain[number % len(shape)])


@QUICK
@given(shapes())
def test_types_are_written_alike_only_if_they_are_equal(shape: Shape) -> None:
    channels = graph(shape, 1)
    notation = Notation(channels)
    for a in range(len(shape)):
        for b in range(a):
            same = equal_by_unfolding(shape, a, b, len(shape) + 1)
            assert (notation.text(channels[a]) == notation.text(channels[b])) == same


@QUICK
@given(shapes())
def test_what_is_written_reads_as_the_same_type(shape: Shape) -> None:
    channels = graph(shape, 1)
    notation = Notation(channels)
    for channel in channels:
        text = notation.text(channel)
        if "…" not in text:
            again = parse_type(text)
            assert Notation([again]).text(again) == text
            assert Notation([again, channel]).number(again) == Notation([again, channel]).number(channel)


def test_the_paper_spells_one_type_in_three_ways() -> None:
    for text in ("mu X.chan{chan{X,bit},bit}", "chan mu X.{chan X,bit}", "mu X.chan{X,bit}"):
        node = parse_type(text)
        assert Notation([node]).text(node) == "mu X.chan{X,bit}"


# --- random models --------------------------------------------------------------------------------------------------

VALUES = ("1", "red", "g0", "g1", "l0", "l1")
CHANNELS = ("g0", "g1", "l0", "l1")


@st.composite
def models(draw: st.DrawFn) -> tuple[list[list[str]], list[tuple[str, str, tuple[str, ...]]]]:
    """Layouts of two global channels, and statements of one process with two undeclared ones: sends and copies."""
    layouts = draw(
        st.lists(st.lists(st.sampled_from(("byte", "mtype", "chan")), min_size=1, max_size=2), min_size=2, max_size=2)
    )
    statement = st.one_of(
        st.tuples(
            st.just("send"),
            st.sampled_from(CHANNELS),
            st.lists(st.sampled_from(VALUES), min_size=1, max_size=2).map(tuple),
        ),
        st.tuples(st.just("copy"), st.sampled_from(("l0", "l1")), st.sampled_from(CHANNELS).map(lambda c: (c,))),
    )
    return layouts, draw(st.lists(statement, min_size=1, max_size=5))


def text_of(layouts: list[list[str]], statements: list[tuple[str, str, tuple[str, ...]]]) -> str:
    lines = ["mtype = { red };", *(f"chan g{i} = [4] of {{ {', '.join(f)} }};" for i, f in enumerate(layouts))]
    lines.append("active proctype P() { chan l0, l1;")
    lines += [f"{c} = {args[0]};" if kind == "copy" else f"{c}!{','.join(args)};" for kind, c, args in statements]
    return "\n".join([*lines, "skip }"])


def naive_accepts(layouts: list[list[str]], statements: list[tuple[str, str, tuple[str, ...]]]) -> bool:
    """Saturation: paths from channels (name, then slot numbers) in equivalence classes, to a depth beyond which nothing
    new comes; the model is well typed if no class has two kinds or two lengths."""
    facts: dict[tuple[object, ...], set[object]] = {}
    equations: list[tuple[tuple[object, ...], tuple[object, ...]]] = []
    for number, fields in enumerate(layouts):
        facts.setdefault((f"g{number}",), set()).add(("chan", len(fields)))
        for slot, field in enumerate(fields):
            facts.setdefault((f"g{number}", slot), set()).add("chan" if field == "chan" else field)
    for kind, channel, args in statements:
        if kind == "copy":
            equations.append(((channel,), (args[0],)))
            continue
        facts.setdefault((channel,), set()).add(("chan", len(args)))
        for slot, value in enumerate(args):
            if value in CHANNELS:
                facts.setdefault((channel, slot), set()).add("chan")
                equations.append(((channel, slot), (value,)))
            else:
                facts.setdefault((channel, slot), set()).add("mtype" if value == "red" else "byte")
    depth = 5
    paths = [(c, *rest) for c in CHANNELS for length in range(depth) for rest in _slot_paths(length)]
    leader = {path: path for path in paths}

    def find(path: tuple[object, ...]) -> tuple[object, ...]:
        while leader[path] != path:
            path = leader[path]
        return path

    changed = True
    while changed:
        changed = False
        pairs = list(equations)
        classes: dict[tuple[object, ...], list[tuple[object, ...]]] = {}
        for path in paths:
            classes.setdefault(find(path), []).append(path)
        for members in classes.values():
            pairs += [((*members[0], slot), (*other, slot)) for other in members[1:] for slot in (0, 1)]
        for a, b in pairs:
            if a in leader and b in leader and find(a) != find(b):
                leader[find(a)] = find(b)
                changed = True
    kinds: dict[tuple[object, ...], set[object]] = {}
    for path, known in facts.items():
        kinds.setdefault(find(path), set()).update(known)
    for known in kinds.values():
        plain = {fact[0] if isinstance(fact, tuple) else fact for fact in known}
        lengths = {fact[1] for fact in known if isinstance(fact, tuple)}
        if len(plain) > 1 or len(lengths) > 1:
            return False
    return True


def _slot_paths(length: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for _ in range(length):
        found = [(*path, slot) for path in found for slot in (0, 1)]
    return found


@settings(max_examples=150)
@given(models())
def test_the_solver_accepts_what_saturation_accepts(
    model: tuple[list[list[str]], list[tuple[str, str, tuple[str, ...]]]],
) -> None:
    text = text_of(*model)
    errors = [d for d in infer(parse_text(text, "m.pml")).diagnostics if d.severity.value == "error"]
    assert (not errors) == naive_accepts(*model), text


@settings(max_examples=100)
@given(models())
def test_no_message_of_an_accepted_model_has_another_layout(
    model: tuple[list[list[str]], list[tuple[str, str, tuple[str, ...]]]],
) -> None:
    """Runs the statements on values that carry their kind; channels that are not initialised end the run."""
    layouts, statements = model
    text = text_of(layouts, statements)
    LANGUAGE.lint("m.pml", text, LoadOptions())
    if any(d.severity.value == "error" for d in infer(parse_text(text, "m.pml")).diagnostics):
        return
    holds: dict[str, str | None] = {"g0": "g0", "g1": "g1", "l0": None, "l1": None}
    for kind, channel, args in statements:
        if kind == "copy":
            holds[channel] = holds[args[0]]
            continue
        real = holds[channel]
        if real is None:
            return
        kinds = ["byte" if value == "1" else "mtype" if value == "red" else "chan" for value in args]
        assert kinds == layouts[int(real[1])], text
