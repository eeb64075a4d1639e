"""What is printed is defined: every field of the JSON objects, and every number with words around it in the text.

Fields come from the schema files, which outputs are held against elsewhere (`test_json_schemas`). Numbers in text are
found in the source: f-strings that format a number, or have a value before a noun in the plural, and labels beside a
number in a tuple. What cannot be found so: a number given as plain `{x}` with no such noun behind it.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.core.certificates import Certificate, certificate_json
from clew.core.engines import Progress
from clew.host.samples import samples_json
from clew.report.documents.html import FIGURES
from clew.report.documents.plots import plots

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SOURCES = ROOT / "src" / "clew"
SCHEMAS = {path.name.removesuffix(".schema.json"): path for path in SOURCES.glob("report/schema/*.schema.json")}

# --- JSON


BETWEEN_SERVER_AND_PAGE = {"clew.view/1", "clew.states/1"}  # no command prints them


def part(page: str, heading: str) -> str:
    """A section with those below it."""
    text = (DOCS / page).read_text("utf-8")
    start = re.search(rf"^(#+) {re.escape(heading)}.*$", text, re.MULTILINE)
    assert start, f"{page} has no section {heading}"
    rest = text[start.end() :]
    end = re.search(rf"^#{{1,{len(start[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def row(name: str) -> str:
    """The line of the table of commands."""
    return next(line for line in (DOCS / "json.md").read_text("utf-8").splitlines() if f"`clew.{name}/1`" in line)


def json_part(name: str) -> str:
    return part("json.md", f"`clew.{name}/1`")


def cells(text: str, within: list[str]) -> str:
    """What a table defines: the first cells of its rows; of an object in it, the row of that."""
    rows = [line for line in text.partition("\n#")[0].splitlines() if line.startswith("| ")]
    if within:
        return "\n".join(line for line in rows if within[0] in names(line.split(" | ")[0]))
    return "\n".join(line.split(" | ")[0] for line in rows)


def definitions(name: str, path: tuple[str, ...]) -> str:
    """The text that has to define what is inside the object at this path."""
    match (name, *path):
        case ("result", "options" | "statistics" as inner, *within):
            return cells(part("json.md", f"`{inner}`"), within)
        case ("result", "properties", *within):
            return cells(part("json.md", "`properties[]`"), within)
        case ("result", "warnings", *_):
            return json_part("diagnostics")
        case ("result" | "estimate", "omission" | "$omission", *within):
            return cells(part("engines/stores.md", "What is reported"), within)
        case ("estimate", *_):
            return part("engines/stores.md", "`clew estimate`")
        case ("test" | "tests", *_):
            return (DOCS / "testing.md").read_text("utf-8").rpartition("`--json` gives")[2].partition("\n\n")[0]
        case ("conversion" | "doctor", *_):
            return row(name)
        case ("saved", *_):
            return json_part("progress")
    return json_part(name)


def fields(shape: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The path of every field."""
    for name, inner in shape.get("properties", {}).items():
        yield (*path, name)
        yield from fields(inner, (*path, name))
    for key in ("items", "additionalProperties"):
        if isinstance(shape.get(key), dict):
            yield from fields(shape[key], path)
    for inner in shape.get("anyOf", ()):
        yield from fields(inner, path)
    for name, inner in shape.get("$defs", {}).items():
        yield from fields(inner, (f"${name}",))


def names(text: str) -> set[str]:
    """Those that stand by themselves in the type of code, or in quotation marks there."""
    spans = re.findall(r"`([^`\n]+)`", text)
    alone = {span.removesuffix("[]") for span in spans}
    return alone | {name for span in spans for name in re.findall(r'"(\w+)"', span)}


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_field_is_defined_where_its_object_is(name: str) -> None:
    shape = json.loads(SCHEMAS[name].read_text("utf-8"))
    told = [path for path in fields(shape) if path[-1] != "schema"]
    assert [path for path in told if path[-1] not in names(definitions(name, path[:-1]))] == []


def test_every_kind_of_object_is_on_the_page() -> None:
    texts = [path.read_text("utf-8") for path in SOURCES.rglob("*.py")]
    kinds = {kind for text in texts for kind in re.findall(r'"(clew\.\w+/\d+)"', text)}
    assert {"clew.result/1", "clew.progress/1", "clew.certificate/1"} <= kinds
    assert kinds - names((DOCS / "json.md").read_text("utf-8")) == BETWEEN_SERVER_AND_PAGE


def test_every_field_of_what_a_run_keeps_is_defined() -> None:
    """There are no schema files for these."""
    proof = Certificate("smt", "induction", ("x.0",), steps=2, proves=(("deadlock", "deadlock"),))
    kept = {"certificate": certificate_json(proof), "samples": samples_json([Progress(1, 2, 3, 4, 0.5, 6, 7, 8)])}
    for kind, told in kept.items():
        where = json_part("certificate") if kind == "certificate" else part("json.md", "Runs") + json_part("progress")
        inner = {name for one in told.get("samples", ()) for name in one}
        assert {*told, *inner} - {"schema"} - names(where) == set(), kind


# --- text

WRITERS = {  # what a function makes of a number
    "number": "N", "plural": "N", "_plural": "N", "seconds": "TIME", "size": "SIZE", "len": "N", "_short": "N",
    "_rounded": "N", "_size": "N", "sum": "N", "round": "N", "length_of": "N steps", "length_text": "N steps",
    "_length": "N steps",
}  # fmt: skip
ELSEWHERE = (  # messages about the input (docs/diagnostics.md), drawings, programs that are made, other formats
    "frontends/", "editor/", "core/interpreter/", "core/lowering/", "report/graphs/svg.py", "report/relations.py",
    "report/chart_text.py", "report/documents/plots.py", "explicit/events.py", "explicit/expressions.py",
    "explicit/handshakes.py", "explicit/statements.py", "explicit/traced.py", "explicit/reduction/tables.py",
    "explicit/cluster/partition.py", "smt/encoding.py", "logic/hoa.py", "logic/hoa_reader.py", "logic/patterns/bed.py",
)  # fmt: skip
VERBS = {  # a value before one of these is a name, not a number
    "accepts", "announced", "appears", "belongs", "comes", "differs", "does", "fields", "has", "is", "leads", "misses",
    "names", "needs", "properties", "refuses", "replays", "responds", "says", "stands", "takes", "unless",
}  # fmt: skip
BOUNDS = {  # of what is accepted, in messages that refuse more
    "a choice of more than N steps", "the formula has more than N atoms",
    "a composite proposition has at most N parts",
}  # fmt: skip
FIGURE = re.compile(r"\b(N|TIME|SIZE)\b")
EVERY_FIGURE = {
    re.sub(r"\s+", " ", span) for span in re.findall(r"`([^`\n]+)`", (DOCS / "figures.md").read_text("utf-8"))
}


def called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    match node.func:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
    return ""


def written(node: ast.expr) -> str:
    """What a call writes: `N states`; nothing if it writes no number."""
    figure = WRITERS.get(called(node), "")
    if isinstance(node, ast.Call) and called(node) in ("plural", "_plural"):
        match node.args:
            case [_, ast.Constant(str(noun))]:
                return f"N {noun}s"
    return figure


def template(node: ast.JoinedStr) -> str:
    """The text with N for a number and … for anything else."""
    found = ""
    for value in node.values:
        match value:
            case ast.Constant(text):
                found += str(text)
            case ast.FormattedValue(inner, _, spec):
                how = "".join(str(c.value) for c in getattr(spec, "values", ()) if isinstance(c, ast.Constant))
                is_number = how[:1] not in ("<", ">") and re.search(r"[,.]\d*[a-z]?$", how)
                found += "N" if is_number else written(inner) or "…"
    return re.sub(r"… (?=([a-z]+s)\b)", lambda m: m[0] if m[1] in VERBS else "N ", found)


def pieces(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The pieces of text with a figure in them, and labels of figures, with their lines."""
    left_out: set[ast.AST] = set()
    for node in ast.walk(tree):
        is_writer = isinstance(node, ast.FunctionDef) and WRITERS.get(node.name) in ("N", "TIME", "SIZE")
        if is_writer or isinstance(node, ast.Raise):
            left_out.update(ast.walk(node))
        elif isinstance(node, ast.JoinedStr) and node not in left_out:
            left_out.update(inner for inner in ast.walk(node) if inner is not node)
            yield from ((node.lineno, piece) for piece in re.split(r"…|\n", template(node)) if FIGURE.search(piece))
        elif isinstance(node, ast.Call) and called(node) in ("plural", "_plural") and node not in left_out:
            yield node.lineno, written(node)
        elif isinstance(node, ast.Tuple) and any(
            written(n) for e in node.elts for n in ast.walk(e) if isinstance(n, ast.expr)
        ):
            match node.elts[0]:
                case ast.Constant(str(label)) if not label.startswith("-"):
                    yield node.lineno, label


def is_defined(piece: str) -> bool:
    text = re.sub(r'</?\w+>?|="N"|[\s"]+', " ", piece)  # without tags; an attribute has its name as label
    words = re.sub(" +", " ", text).strip(" .,;:()<>=")
    return not re.search("[a-z%/]", words) or words in BOUNDS or any(words in span for span in EVERY_FIGURE)


SHOWN = [path for path in sorted(SOURCES.rglob("*.py")) if not str(path.relative_to(SOURCES)).startswith(ELSEWHERE)]


def test_every_number_in_the_text_is_defined() -> None:
    found = [
        f"{path.relative_to(SOURCES)}:{line}: {piece}"
        for path in SHOWN
        for line, piece in pieces(ast.parse(path.read_text("utf-8")))
        if not is_defined(piece)
    ]
    assert found == []


def test_every_label_of_a_report_is_defined() -> None:
    reports = names(part("figures.md", "Reports")) | names(part("figures.md", "Searches"))
    course = plots([Progress(n, n, n, n, float(n), n) for n in range(1, 9)])
    assert len(course) == 5
    assert {plot.title for plot in course} - reports == set()
    assert set(FIGURES) - names(part("json.md", "`statistics`")) == set()


def test_every_figure_of_a_check_in_the_explorer_is_defined() -> None:
    script = (SOURCES / "report" / "page" / "check_panel.js").read_text("utf-8")
    labels = set(re.findall(r'new LineChart\("([^"]+)"', script)) | set(re.findall(r'counted\(\S+, "(\w+)"\)', script))
    assert {"states per second", "transitions"} <= labels
    rows = re.findall(r"^\| ([^|]+) \|", part("explorer.md", "Checks"), re.MULTILINE)
    assert labels - {word.strip() for cell in rows for word in cell.split(",")} == set()


def test_a_number_that_is_new_is_found() -> None:
    source = """say(f"hunted in {n:,} caves; {plural(n, 'bat')}, {m} owls"); row = "moles", number(m)"""
    found = {piece for _, piece in pieces(ast.parse(source)) if not is_defined(piece)}
    assert found == {"hunted in N caves; N bats, N owls", "moles"}
