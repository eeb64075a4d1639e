"""Positions in source text and the one family of messages about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from clew.core.records import record


@record
class Span:
    """A place in a source file: 1-based line and column, `length` characters on that line."""

    file: str
    line: int
    column: int = 1
    length: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line > 0 else self.file


NOWHERE = Span("<none>", 0, 0, 0)


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@record
class Diagnostic:
    """One message about a place in the input. `code` is stable and documented, `hint` says what to do."""

    severity: Severity
    code: str
    message: str
    span: Span
    hint: str = ""
    related: tuple[tuple[Span, str], ...] = ()

    def __str__(self) -> str:
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{self.span}: {self.severity.value}: {self.message}{hint}"


class InputError(Exception):
    """Bad input: carries the diagnostics that say what is wrong and where. Exit status 3, never a traceback."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(d) for d in self.diagnostics))

    @classmethod
    def at(cls, span: Span, code: str, message: str, hint: str = "") -> InputError:
        return cls([Diagnostic(Severity.ERROR, code, message, span, hint)])


@dataclass(slots=True)
class DiagnosticBag:
    """Collects diagnostics so that several errors can be shown at once."""

    items: list[Diagnostic] = field(default_factory=list)

    def error(self, span: Span, code: str, message: str, hint: str = "") -> None:
        self.items.append(Diagnostic(Severity.ERROR, code, message, span, hint))

    def warning(self, span: Span, code: str, message: str, hint: str = "") -> None:
        self.items.append(Diagnostic(Severity.WARNING, code, message, span, hint))

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self.items if d.severity is Severity.ERROR]

    @property
    def warnings(self) -> list[Diagnostic]:
        return [d for d in self.items if d.severity is Severity.WARNING]

    def raise_if_errors(self) -> None:
        if self.errors:
            raise InputError(self.items)
