"""Other notations, sentences, timelines and advice."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from clew.logic import formulas as f
from clew.logic.ctl import is_ctl, parse_ctl
from clew.logic.parse import parse_ltl
from clew.logic.patterns import catalogue, oracle
from clew.logic.patterns.advice import alternatives
from clew.logic.patterns.branching import branching
from clew.logic.patterns.explain import samples, sentence
from clew.logic.patterns.mutants import equivalent
from clew.logic.patterns.properties import ENTRIES, NESTED, Pattern, Reading, Scope, entry
from clew.logic.patterns.syntaxes import SYNTAXES, written
from clew.logic.patterns.text import parse_property
from clew.logic.patterns.traces import show_states
from clew.logic.patterns.words import all_words, shapes
from clew.report.timeline import timeline_svg, timeline_text


def linear(formula: f.Formula) -> f.Formula:
    """Without path quantifiers: what a branching formula says of a system with one run."""
    if isinstance(formula, (f.ForAll, f.Exists)):
        return linear(formula.body)
    return f.with_children(formula, map(linear, formula.children)) if formula.children else formula


def test_branching_formulas_on_single_runs() -> None:
    for pattern, scope in ENTRIES:
        prop = entry(pattern, scope)
        found = branching(prop, NESTED)
        assert found is not None and is_ctl(found)
        assert parse_ctl(str(found)) is found
        for length, back in shapes(3):
            words = all_words(prop.atoms(), length, back)
            assert words.satisfying(linear(found)) == oracle.satisfying(prop, words), prop


def test_no_branching_formula_where_none_is_known() -> None:
    assert branching(entry(Pattern.RESPONSE, Scope.GLOBAL), Reading(strict_response=True)) is None
    assert branching(parse_property("absence of ConsecutiveC(a, b)"), NESTED) is None


def test_texts_read_back() -> None:
    """What other tools read is the same formula, also without their missing operators."""
    for pattern, scope in ENTRIES:
        prop = entry(pattern, scope)
        formula = catalogue.formula("ours", prop)
        small = f.replace_atoms(formula, lambda a: f.proposition(a.text.lower()))
        clew, spin, nusmv = (written(formula, s, prop) for s in ("clew", "spin", "nusmv"))
        assert clew is not None and spin is not None and nusmv is not None
        assert parse_ltl(clew) is formula
        assert parse_ltl(spin.removeprefix("ltl property {").removesuffix("}")) is small
        assert equivalent(parse_ltl(nusmv.removeprefix("LTLSPEC ")), small)


def test_every_syntax_is_there() -> None:
    prop = entry(Pattern.RESPONSE, Scope.AFTER_UNTIL)
    forms = {s: written(catalogue.formula("sps", prop), s, prop) for s in SYNTAXES}
    assert forms["psl"] == "assert always ((l && !r) -> ((p -> (!r until! (t && !r))) until r));"
    assert str(forms["never"]).startswith("never {") and "accept" in str(forms["never"])
    assert str(forms["hoa"]).startswith("HOA: v1")
    assert all(forms.values())
    with pytest.raises(KeyError):
        written(f.TRUE, "latin")


@pytest.mark.parametrize("reading", [NESTED, Reading(True, True, True)], ids=str)
def test_every_entry_is_explained(reading: Reading) -> None:
    said = set()
    for pattern, scope in ENTRIES:
        prop = entry(pattern, scope)
        said.add(sentence(prop, reading))
        good, bad = samples(prop, reading)
        assert good is not None and bad is not None
        assert oracle.holds(prop, good.trace, reading) and not oracle.holds(prop, bad.trace, reading)
        assert good.intervals and bad.intervals
        assert any(not fine for _, fine in bad.intervals)
        picture = ElementTree.fromstring(timeline_svg([("good", good), ("bad", bad)]))
        shaded = [e for e in picture if e.get("opacity") == "0.1"]
        assert len(shaded) == len(good.intervals) + len(bad.intervals)
    assert len(said) == (30 if not reading.strict_precedence else 25)  # precedence is strict anyway


def test_a_sentence() -> None:
    assert sentence(parse_property("existence of done after ConsecutiveC(req, ack)")) == (
        "From the first L on, if it comes, done is true at least once. The last state of L belongs to the interval. "
        "L stands for req and ack in consecutive states."
    )


def test_a_timeline() -> None:
    _, bad = samples(parse_property("T responds to P between L and R"))
    assert bad is not None
    assert timeline_text(bad).splitlines() == [
        "state     0  1  2  3  4  …",
        "          -  L  P  R  -",
        "interval     ┣━━━━┫ fails here",
    ]


def test_sample_runs_show_an_order() -> None:
    """What a property speaks about is in states of its own, but for a condition that has to be true in every state."""
    for pattern, scope in ENTRIES:
        for sample in samples(entry(pattern, scope)):
            assert sample is not None
            together = [letter for part in sample.trace for letter in part if len(letter) > 1]
            assert not together or (pattern, sample.holds) == (Pattern.UNIVERSALITY, True), (pattern, scope)
    good, _ = samples(entry(Pattern.PRECEDENCE, Scope.BETWEEN))
    assert good is not None and "  ".join(show_states(good.trace)) == "-  L  T  P  R"


def test_advice() -> None:
    """After L: SPS looks at every L, Prospec at the first; the same for absence, not for precedence."""
    ours, sps = alternatives(entry(Pattern.ABSENCE, Scope.AFTER))
    assert ours.dialects == ("prospec", "prospec-fixed", "ours") and sps.dialects == ("sps",)
    assert sps.same and sps.size.reduced_states == ours.size.reduced_states == 3
    different = [a for a in alternatives(entry(Pattern.PRECEDENCE, Scope.AFTER)) if not a.same]
    assert [a.dialects for a in different] == [("sps",)]
