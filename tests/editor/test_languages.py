"""What each language tells an editor about its texts, without the protocol."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.core.outline import FormattedLanguage, Outline, OutlinedLanguage, RenamingLanguage
from clew.core.registry import LANGUAGES, LoadOptions, language_of, load_language
from clew.editor.documents import Document, study
from clew.frontends.promela.language import LANGUAGE as PROMELA
from clew.frontends.promela.lexer import tokenize
from clew.frontends.promela.outline import outline_of
from clew.frontends.promela.parser import parse_text
from clew.frontends.promela.renaming import difference
from clew.frontends.promela.typing.infer import infer

EXAMPLES = Path(__file__).parents[2] / "examples"
MODELS = sorted([*EXAMPLES.glob("*/*.pml"), *EXAMPLES.glob("*/*.rel"), *EXAMPLES.glob("*/*.py")])


def named(outline: Outline, name: str, owner: str = "") -> list[tuple[int, int]]:
    """Where the name of this owner is declared and used."""
    (number,) = [n for n, d in enumerate(outline.definitions) if (d.name, d.owner) == (name, owner)]
    return [(span.line, span.column) for span in outline.places(number)]


def renamed(text: str, old: str, new: str, owner: str = "") -> str:
    """What Promela says about a text in which every place of a name was replaced."""
    outline = outline_of("m.pml", text)
    lines = text.split("\n")
    for line, column in sorted(named(outline, old, owner), reverse=True):
        at = lines[line - 1]
        lines[line - 1] = at[: column - 1] + new + at[column - 1 + len(old) :]
    return PROMELA.renamed("m.pml", text, "\n".join(lines), old, new, LoadOptions())


@pytest.mark.parametrize("entry", LANGUAGES, ids=lambda entry: entry.name)
def test_every_language_has_an_outline(entry: object) -> None:
    assert isinstance(load_language(entry), OutlinedLanguage)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_every_use_is_the_name_of_what_it_means(path: Path) -> None:
    text = path.read_text()
    language = load_language(language_of(str(path), text))
    assert isinstance(language, OutlinedLanguage)
    outline = language.outline(str(path), text, LoadOptions())
    lines = text.split("\n")
    assert outline.definitions
    for span, number in outline.uses:
        written = lines[span.line - 1][span.column - 1 : span.column - 1 + span.length]
        assert written == outline.definitions[number].name


@pytest.mark.parametrize("path", [p for p in MODELS if p.suffix == ".pml"], ids=lambda path: path.name)
def test_the_outline_agrees_with_the_parser_about_types(path: Path) -> None:
    """Every declared name that inference knows is declared at the same place here."""
    text = path.read_text()
    table = PROMELA.types(str(path), text, LoadOptions())
    mine = {(d.span.line, d.span.column, d.name) for d in outline_of(str(path), text).definitions}
    wanted = {(n.span.line, n.span.column, n.name) for n in table.names if n.role in ("variable", "parameter", "field")}
    assert wanted <= mine


@pytest.mark.parametrize("path", [p for p in MODELS if p.suffix == ".pml"], ids=lambda path: path.name)
def test_laying_out_moves_white_space_only(path: Path) -> None:
    text = path.read_text()
    assert isinstance(PROMELA, FormattedLanguage)
    after = PROMELA.formatted(text)
    assert [(t.text, t.line) for t in tokenize(text, "") if t.newline] == [
        (t.text, t.line) for t in tokenize(after, "") if t.newline
    ]
    assert PROMELA.formatted(after) == after


def test_names_are_found_in_a_text_with_errors() -> None:
    text = "byte x;\nactive proctype P() { byte y; if :: x = y \nactive proctype Q() { x++ }\n"
    outline = outline_of("m.pml", text)
    assert named(outline, "x") == [(1, 6), (2, 37), (3, 23)]
    assert [d.name for d in outline.definitions if not d.owner] == ["x", "P", "Q"]


def test_a_local_hides_a_global_from_its_declaration_on() -> None:
    outline = outline_of("m.pml", "byte x;\nactive proctype P() {\n  x = 1;\n  { byte x; x = 2 }\n  x = 3\n}\n")
    assert named(outline, "x") == [(1, 6), (3, 3), (5, 3)]
    assert named(outline, "x", "P") == [(4, 10), (4, 13)]


def test_macros_labels_remote_names_and_fields() -> None:
    text = """\
#define CRITICAL (P[0]@cs && shared.n == LIMIT)
#define LIMIT 3
typedef T { byte n };
T shared;
active proctype P() { byte n; cs: shared.n = n; goto cs }
ltl safe { [] !(CRITICAL || P[0]:n > LIMIT) }
"""
    outline = outline_of("m.pml", text)
    assert named(outline, "CRITICAL") == [(1, 9), (6, 17)]
    assert named(outline, "LIMIT") == [(1, 42), (2, 9), (6, 38)]
    assert named(outline, "cs", "P") == [(1, 24), (5, 31), (5, 54)]
    assert named(outline, "n", "T") == [(1, 37), (3, 18), (5, 42)]
    assert named(outline, "n", "P") == [(5, 28), (5, 46), (6, 34)]


def test_a_rename_that_keeps_the_model_is_accepted() -> None:
    assert isinstance(PROMELA, RenamingLanguage)
    text = "byte x;\nactive proctype P() { byte y; y = x; x = y }\nltl p { [] (x < 2) }\n"
    assert renamed(text, "x", "shared") == ""
    assert renamed(text, "y", "mine", "P") == ""
    assert renamed(text, "P", "Worker") == ""


def test_a_rename_into_a_name_that_is_used_there_is_refused() -> None:
    text = "active proctype P() { byte x; { byte y; y = x } }\n"
    assert "already means something" in renamed(text, "y", "x", "P")
    assert "already means something" in renamed("byte x;\ninit { byte y; y = x }\n", "y", "x", "init")


def test_a_rename_is_judged_by_what_names_mean() -> None:
    """One declaration would take the place of the other: the trees are alike, the meaning is not."""
    before = parse_text("active proctype P() { byte x; { byte y; y = x } }\n", "m.pml")
    after = parse_text("active proctype P() { byte x; { byte x; x = x } }\n", "m.pml")
    assert "already means something" in difference(before, infer(before), after, "y", "x")
    other = parse_text("active proctype P() { byte x; { byte z; z = x } }\n", "m.pml")
    assert difference(before, infer(before), other, "y", "z") == ""


def test_a_rename_is_refused_where_c_mentions_the_name() -> None:
    assert renamed("byte x;\ninit { c_code { now.x = 1; } }\n", "x", "y") == "embedded C mentions 'x'"


def test_a_model_in_python_is_not_run_while_it_is_typed(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    text = f"from clew.model import *\nopen({str(mark)!r}, 'w')\nx = (\n"
    found = study(Document(str(tmp_path / "m.py"), text, 1), LoadOptions())
    assert [d.code for d in found.diagnostics] == ["syntax"]
    study(Document(str(tmp_path / "m.py"), text.replace("x = (", "x = 1"), 1), LoadOptions())
    assert not mark.exists()


def test_other_programs_in_python_are_left_alone() -> None:
    assert Document("m.py", "print(1)\n", 1, "python").language is None


def test_a_relational_model_has_diagnostics_and_symbols() -> None:
    text = (EXAMPLES / "relational" / "garbage_collector.rel").read_text()
    document = Document("g.rel", text, 1)
    assert [d for d in study(document, LoadOptions()).diagnostics if d.severity.value == "error"] == []
    names = [d.name for d in document.outline(LoadOptions()).definitions]
    assert names == ["N", "Cell", "roots", "free", "marked", "points", "link", "cut", "collect"]
    wrong = Document("g.rel", text.replace("marked", "mark", 1), 1)
    assert {d.code for d in study(wrong, LoadOptions()).diagnostics} == {"relational-name"}
