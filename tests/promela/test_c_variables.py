"""Which variables embedded C declares outside functions."""

from __future__ import annotations

import pytest

from clew.frontends.promela.c_variables import c_variables


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int ext;", ["ext"]),
        ("static int a[3] = {1, 2, 3}, *b = 0; double m[4][SIZE];", ["a", "b", "m"]),
        ("struct node { int v; struct node *next; }; struct node *first;", ["first"]),
        ("struct { int a; } one, two[2]; struct node;", ["one", "two"]),
        ("typedef struct { int x; } T; enum { A, B }; T t;", ["t"]),
        ("int f(int i); int g(void) { int inner = 1; { int x; } return inner; } int after;", ["after"]),
        ("int (*call)(int, char); unsigned u; long int n;", ["call", "u", "n"]),
        ("const int limit = 3; extern int other; const char *text;", ["text"]),
        ("#include <math.h>\n  \\#define X int y;\nchar c = ';', *s = \";\";", ["c", "s"]),
        ("", []),
    ],
)
def test_variables_at_file_level(text: str, expected: list[str]) -> None:
    assert c_variables(text) == expected
