"""The C preprocessor: what it yields, and where its tokens say they are.

Expected texts were compared with `gcc -std=gnu99 -E -x c` (12.2).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.core.diagnostics import InputError
from clew.frontends.promela import macros
from clew.frontends.promela.preprocess import preprocess, read_source


def expanded(text: str, **options: object) -> str:
    """The tokens with a space between them, a line break as `|`."""
    tokens = preprocess(None, text, **options).tokens  # type: ignore[arg-type]
    return " ".join(("| " if t.newline else "") + t.text for t in tokens)[2:]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("#define N 3\nN+N", "3 + 3"),
        ("#define f(a,b) a-b\nf(1,2) f (3 , 4) f", "1 - 2 3 - 4 f"),
        ("#define f(a) a\nf((1,2))", "( 1 , 2 )"),
        ("#define f() x\nf() f( )", "x x"),
        ("#define a b\n#define b a\na b", "a b"),
        ("#define f(x) f(x)+1\nf(f(2))", "f ( f ( 2 ) + 1 ) + 1"),
        ("#define g f\n#define f(x) <x>\ng(1)", "< 1 >"),
        ("#define cat(a,b) a##b\ncat(x,1) cat(,y) cat(1,..)", "x1 y 1 .."),
        ("#define x1 9\n#define cat(a,b) a##b\ncat(x,1)", "9"),
        ('#define s(a) #a\ns(a  +  "b\\n") s()', '"a + \\"b\\\\n\\"" ""'),
        ("#define p(...) q(__VA_ARGS__)\np(1,2) p()", "q ( 1 , 2 ) q ( )"),
        ("#define p(f, ...) q(f, ##__VA_ARGS__)\np(1) p(1,2)", "q ( 1 ) q ( 1 , 2 )"),
        ("#define p(f, a...) q(f, ##a)\np(1) p(1,2,3)", "q ( 1 ) q ( 1 , 2 , 3 )"),
        ("#define N 3\n0..N 0 .. N N..4", "0 .. N 0 .. 3 3 .. 4"),
        ("linux unix", "1 1"),
        ("a // b\nc /* d\ne */ f", "a | c | f"),
        ("#define M a \\\n  b\nM c", "a b c"),
        ("a\\\nb c \\\n d;\\\ne", "ab | c | d ; e"),
        ("#define f(a,b) a b\nx f(1,\n2) y", "x 1 2 | y"),
        ("#define E\nE x E y", "x y"),
        ("__LINE__\n__LINE__ __FILE__", '1 | 2 "<text>"'),
        ("#define N 1\n#undef N\nN", "N"),
        ("it's\n#if 0\nit's\n#endif\nx", "it 's | x"),
    ],
)
def test_expansion(text: str, result: str) -> None:
    assert expanded(text) == result


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("1", True),
        ("0", False),
        ("X", False),
        ("defined X || defined(Y)", False),
        ("!defined X && 3 > 2", True),
        ("1 ? 0 : 1", False),
        ("0 && 1/0", False),
        ("-7 / 2 == -3 && -7 % 2 == -1", True),
        ("0x10 == 16 && 010 == 8 && 'a' == 97 && 1UL", True),
        ("(1 << 4 | 1) == 17 && ~0 == -1", True),
        ("__GNUC__ >= 3 && defined(__linux__)", True),
    ],
)
def test_conditions(condition: str, value: bool) -> None:
    assert expanded(f"#if {condition}\nyes\n#else\nno\n#endif") == ("yes" if value else "no")


def test_nested_conditionals_and_elif() -> None:
    text = "#ifdef A\n#if 1\na\n#endif\n#elif 0\nb\n#elif 1\nc\n#if 0\n#else\nd\n#endif\n#else\ne\n#endif"
    assert expanded(text) == "c | d"


def test_definitions_from_the_command_line() -> None:
    assert expanded("N F(2) linux", defines={"N": "7", "F(x)": "x+x"}, undefine=["linux"]) == "7 2 + 2 linux"


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("#error no", "#error no", 1, 2),
        ("x\n#if 1\ny", "#endif is missing", 2, 1),
        ("#endif", "#endif without #if", 1, 2),
        ("#if 1\n#else\n#else\n#endif", "#else after #else", 3, 2),
        ("#if 1/0\n#endif", "division by zero", 1, 2),
        ("#if\n#endif", "no expression", 1, 2),
        ("#if 1 +\n#endif", "ends too early", 1, 2),
        ("#include 3", "expects", 1, 2),
        ('#include "nowhere.h"', "'nowhere.h' not found", 1, 10),
        ("#nonsense", "invalid preprocessing directive", 1, 2),
        ("#define 3", "cannot be a macro name", 1, 9),
        ("#define f(a) #b", "followed by a macro parameter", 1, 14),
        ("#define f(a,a) a", "duplicate", 1, 13),
        ("#define f(a) a\n  f(1,2)", "takes 1 argument, but 2 given", 2, 3),
        ("#define f(a) a\nf(1", "unterminated argument list", 2, 1),
        ("x /* y", "unterminated comment", 1, 3),
        ("#pragma omp", "#pragma", 1, 2),
    ],
)
def test_errors_are_located(text: str, message: str, line: int, column: int) -> None:
    with pytest.raises(InputError) as caught:
        preprocess("m.pml", text)
    found = caught.value.diagnostics[0]
    assert message in found.message
    assert (found.span.file, found.span.line, found.span.column) == ("m.pml", line, column)
    assert found.code == "promela-preprocessor"


def positions(text: str) -> list[tuple[str, int, int, int]]:
    return [(t.text, t.line, t.column, t.length) for t in preprocess(None, text).tokens]


def test_tokens_know_their_place() -> None:
    assert positions("ab\n\t /* c */ x=1") == [("ab", 1, 1, 2), ("x", 2, 11, 1), ("=", 2, 12, 1), ("1", 2, 13, 1)]


def test_tokens_of_a_macro_are_at_its_use() -> None:
    text = "#define inner(x) x+1\n#define outer inner(2)\n  outer;"
    assert positions(text) == [("2", 3, 3, 5), ("+", 3, 3, 5), ("1", 3, 3, 5), (";", 3, 8, 1)]


def test_positions_behind_spliced_lines() -> None:
    assert positions("a \\\n  b\nc") == [("a", 1, 1, 1), ("b", 2, 3, 1), ("c", 3, 1, 1)]


def test_line_markers_move_positions() -> None:
    tokens = preprocess(None, 'a\n# 40 "other.pml"\nb').tokens
    assert [(t.text, t.file, t.line) for t in tokens] == [("a", "<text>", 1), ("b", "other.pml", 40)]


def test_includes_are_relative_to_the_including_file(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.h").write_text('#include "b.h"\na')
    (tmp_path / "sub" / "b.h").write_text("\nb")
    main = str(tmp_path / "m.pml")
    result = preprocess(main, '#include "sub/a.h"\nc')
    places = [(t.text, Path(t.file).name, t.line) for t in result.tokens]
    assert places == [("b", "b.h", 2), ("a", "a.h", 2), ("c", "m.pml", 2)]
    assert [Path(name).name for name, _ in result.files] == ["m.pml", "a.h", "b.h"]


def test_include_folders_are_searched(tmp_path: Path) -> None:
    (tmp_path / "x.h").write_text("x")
    text = '#include "x.h"\n#include <x.h>'
    assert expanded(text, include_dirs=[str(tmp_path)]) == "x | x"


def test_a_file_that_includes_itself_is_refused(tmp_path: Path) -> None:
    main = tmp_path / "m.pml"
    main.write_text('#include "m.pml"\n')
    with pytest.raises(InputError, match="nested too deeply"):
        preprocess(str(main), main.read_text())


def test_doubling_macros_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(macros, "MAX_EXPANSION", 10_000)
    text = "#define a0 x x\n" + "".join(f"#define a{i + 1} a{i} a{i}\n" for i in range(40)) + "a40"
    with pytest.raises(InputError, match="too large"):
        preprocess(None, text)


def test_files_that_are_not_utf8_are_read(tmp_path: Path) -> None:
    (tmp_path / "m.pml").write_bytes(b"/* \xe9 */ init { skip }")
    assert "init" in read_source(str(tmp_path / "m.pml"))


@pytest.mark.parametrize("name", ["missing.pml", ".", "nul\0byte"])
def test_unreadable_files_are_input_errors(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError) as caught:
        read_source(str(tmp_path) + "/" + name)
    assert caught.value.diagnostics[0].code == "promela-file"
