"""JUnit XML: a model is a test suite, a property a test case. See docs/reports.md and `schema/junit.xsd`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from clew.report.diagnostics import diagnostics_text
from clew.report.documents.material import Judged, Material
from clew.report.result_text import LIMITS
from clew.report.trace_text import TraceOptions, trace_text

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_READING = "the model can be read"


def junit(materials: Sequence[Material]) -> str:
    """Violated properties are failures. Undecided ones are errors, because a build that goes on after them would not
    know what it stands on; but where a search ended at a violation, the rest is skipped. A model that cannot be read is
    an error."""
    suites = [_suite(material) for material in materials]
    totals = [sum(column) for column in zip(*(counts for counts, _ in suites), strict=True)]
    body = "\n".join(text for _, text in suites)
    time = sum(_seconds(material) for material in materials)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="clew" {_counts(totals)} time="{time:.3f}">\n{body}\n</testsuites>\n'
    )


def _suite(material: Material) -> tuple[list[int], str]:
    """Numbers of tests, failures, errors and skipped ones, and the element."""
    properties = material.properties
    cases = [_case(material, one) for one in properties] if material.is_result else [_unread(material)]
    failures = sum(one.verdict == "violated" for one in properties)
    undecided = sum(one.verdict == "unknown" for one in properties)
    skipped = undecided if _ended_at_a_violation(material) else 0
    counts = [len(cases), failures, undecided - skipped + (not material.is_result), skipped]
    name, time = _attribute(material.model), _seconds(material)
    lines = [f'  <testsuite name={name} {_counts(counts)} time="{time:.3f}">']
    facts = list(_facts(material))
    if facts:
        lines.append("    <properties>")
        lines += [f"      <property name={_attribute(key)} value={_attribute(value)}/>" for key, value in facts]
        lines.append("    </properties>")
    lines += [*cases, "  </testsuite>"]
    return counts, "\n".join(lines)


def _case(material: Material, found: Judged) -> str:
    begin = f"    <testcase classname={_attribute(material.model)} name={_attribute(found.name)}"
    # A search decides all properties of a model together: its time is that of the suite.
    begin += ' time="0.000"'
    match found.verdict:
        case "violated":
            return (
                f"{begin}>\n{_trouble('failure', found.kind, found.reason, _shown(material, found))}\n    </testcase>"
            )
        case "unknown":
            limits = ", ".join(LIMITS.get(limit, limit) for limit in material.limits)
            text = f"{found.reason}\nstopped by {limits}" if limits else found.reason
            element = "skipped" if _ended_at_a_violation(material) else "error"
            return f"{begin}>\n{_trouble(element, 'unknown', found.reason or 'undecided', text)}\n    </testcase>"
    text = f"{found.evidence}\n{_shown(material, found)}" if found.trace is not None else found.evidence
    return f"{begin}>\n      <system-out>{_text(text)}</system-out>\n    </testcase>"


def _ended_at_a_violation(material: Material) -> bool:
    return material.verdict == "violated" and not material.limits


def _unread(material: Material) -> str:
    errors = material.errors
    kind = errors[0].code if errors else "error"
    message = errors[0].message if errors else "could not be judged"
    begin = f'    <testcase classname={_attribute(material.model)} name="{_READING}" time="0.000">'
    text = diagnostics_text(material.warnings, sources=material.sources)
    return f"{begin}\n{_trouble('error', kind, message, text)}\n    </testcase>"


def _shown(material: Material, found: Judged) -> str:
    if found.trace is None:
        return found.evidence
    return trace_text(found.trace, sources=material.sources, options=TraceOptions(witness=found.shows == "witness"))


def _trouble(element: str, kind: str, message: str, text: str) -> str:
    return f"      <{element} type={_attribute(kind)} message={_attribute(message)}>{_text(text)}</{element}>"


def _facts(material: Material) -> Iterator[tuple[str, str]]:
    if not material.is_result:
        return
    yield "language", str(material.answer["language"])
    yield "engine", str(material.answer["engine"])
    for name in ("states", "stored", "transitions", "depth", "peak_bytes", "complete"):
        if material.statistics[name] is not None:  # not counted by this engine
            yield name, str(material.statistics[name]).lower()
    if material.run:
        yield "run", material.run


def _seconds(material: Material) -> float:
    return float(material.statistics.get("seconds", 0.0))


def _counts(counts: Iterable[int]) -> str:
    names = ("tests", "failures", "errors", "skipped")
    return " ".join(f'{name}="{count}"' for name, count in zip(names, counts, strict=True))


def _attribute(text: str) -> str:
    return quoteattr(_legal(text), {"\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})


def _text(text: str) -> str:
    return escape(_legal(text))


def _legal(text: str) -> str:
    """XML has no place for most control characters."""
    return _NOT_IN_XML.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
