"""`clew property`: specification patterns listed, chosen, explained, tested and audited."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from clew.cli import status
from clew.cli.console import Console
from clew.cli.output import write_answer
from clew.core.diagnostics import NOWHERE, InputError, Span
from clew.logic import formulas as f
from clew.logic.parse import parse_ltl
from clew.logic.patterns import catalogue
from clew.logic.patterns.audit import READINGS, Audit, audit, compare, search_difference
from clew.logic.patterns.choice import Meaning
from clew.logic.patterns.properties import NESTED, Pattern, Property, Reading, Scope, entry, letter
from clew.logic.patterns.text import any_condition, parse_property, pattern_formula, words
from clew.logic.patterns.traces import show_trace
from clew.logic.stutter import is_stutter_invariant

SCHEMA = "clew.property/1"
PLACE = Span("<property>", 1)


def run(arguments: Namespace, console: Console) -> int:
    actions = {
        "list": _list, "choose": _choose, "explain": _explain, "formula": _formula, "test": _test, "audit": _audit
    }  # fmt: skip
    return actions[arguments.action](arguments, console)


def _reading(arguments: Namespace) -> Reading:
    chosen = set(arguments.readings)
    if {"nested", "outermost"} <= chosen:
        raise InputError.at(NOWHERE, "two-readings", "--reading nested and --reading outermost exclude each other")
    return Reading("outermost" in chosen, "strict-response" in chosen, "strict-precedence" in chosen)


def _properties(arguments: Namespace, dialect: str) -> list[Property]:
    """The property of the command line, or all of the catalogue."""
    if arguments.text is not None:
        return [parse_property(arguments.text, any_condition, PLACE)]
    return [entry(pattern, scope) for pattern, scope in catalogue.entries(dialect)]


def _formula_of(arguments: Namespace, prop: Property, dialect: str) -> f.Formula:
    reading = _reading(arguments)
    if arguments.text is not None:
        return pattern_formula(arguments.text, dialect, any_condition, reading, PLACE)
    return catalogue.formula(dialect, prop, reading)


# list


def _list(arguments: Namespace, console: Console) -> int:
    from clew.logic.patterns.syntaxes import mathematical

    dialect = arguments.dialect or "ours"
    reading = _reading(arguments)
    found = [
        (pattern, scope, catalogue.formula(dialect, entry(pattern, scope), reading))
        for pattern, scope in catalogue.entries(dialect)
    ]
    if arguments.json:
        items = [{**_what(p, s), "formula": str(x), "math": mathematical(x)} for p, s, x in found]
        console.print_json({"schema": SCHEMA, "action": "list", "dialect": dialect, "formulas": items})
        return status.HOLDS
    previous = None
    for pattern, scope, formula in found:
        if pattern is not previous:
            console.print(console.style.paint(pattern.value, "bold"))
            previous = pattern
        console.print(f"  {scope.value:<12} {mathematical(formula)}")
    console.print(f"{len(found)} formulas ({dialect})")
    return status.HOLDS


def _what(pattern: Pattern, scope: Scope) -> dict[str, Any]:
    return {"pattern": pattern.value, "scope": scope.value}


# choose

FEW = 6


def _choose(arguments: Namespace, console: Console) -> int:
    from clew.cli.choosing import Dialogue

    if arguments.text is None:
        hint = "for example: clew property choose 'locked, moving, doors_open'"
        raise InputError.at(NOWHERE, "no-propositions", "name what the property speaks about", hint)
    dialogue = Dialogue(arguments.text, console, quiet=arguments.json)
    left = [_chosen(meaning) for meaning in dialogue.run()]
    if arguments.json:
        console.print_json({"schema": SCHEMA, "action": "choose", "asked": dialogue.asked, "left": left})
    elif len(left) == 1:
        _print_chosen(left[0], console)
    else:
        console.print(f"{len(left)} meanings are left" + (", among them:" if len(left) > FEW else ":"))
        for item in left[:FEW]:
            console.print(f"  {item['property']}{_unusual(item['reading'])}")
    return status.HOLDS if len(left) == 1 else status.UNKNOWN


def _print_chosen(item: dict[str, Any], console: Console) -> None:
    console.print(console.style.paint(item["property"], "bold") + _unusual(item["reading"]))
    console.print(item["sentence"])
    if item["same"]:
        console.print(f"the same: {'; '.join(item['same'])}")
    usual = item["reading"] == str(NESTED)
    option = f"--pattern '{item['property']}'" if usual else f"--ltl '{item['formula']}'"
    console.print(f"\n  clew check {option} MODEL")


def _chosen(meaning: Meaning) -> dict[str, Any]:
    from clew.logic.patterns.explain import sentence

    prop, reading = meaning.prop, meaning.reading
    return {
        "property": words(prop),
        "reading": str(reading),
        "sentence": sentence(prop, reading),
        "formula": str(catalogue.formula("ours", prop, reading)),
        "same": [words(p) for p, r in meaning.others if r == NESTED],
    }


def _unusual(reading: str) -> str:
    return "" if reading == str(NESTED) else f"  (reading: {reading})"


# explain


def _explain(arguments: Namespace, console: Console) -> int:
    from clew.logic.patterns.explain import samples, sentence
    from clew.logic.patterns.syntaxes import mathematical
    from clew.report.timeline import timeline_svg, timeline_text

    dialect = arguments.dialect or "ours"
    reading = _reading(arguments)
    items, pictures = [], []
    for prop in _properties(arguments, dialect):
        formula = _formula_of(arguments, prop, dialect)
        try:
            good, bad = samples(prop, reading)
        except ValueError as error:
            raise InputError.at(PLACE, "too-many-atoms", str(error)) from None
        said = words(prop)
        item: dict[str, Any] = {"property": said, "sentence": sentence(prop, reading), "formula": str(formula)}
        lines = [console.style.paint(said, "bold"), sentence(prop, reading), f"formula   {mathematical(formula)}"]
        for title, key, sample in (("allowed", "accepting", good), ("forbidden", "rejecting", bad)):
            if sample is None:
                lines.append(f"{title}: there is no such run")
                continue
            item[key] = show_trace(sample.trace)
            pictures.append((f"{title}: {said}", sample))
            lines += [f"{title}:", *(f"  {line}" for line in timeline_text(sample).splitlines())]
        items.append(item)
        if not arguments.json:
            console.print("\n".join([*lines, ""]))
    if arguments.json:
        console.print_json({"schema": SCHEMA, "action": "explain", "dialect": dialect, "properties": items})
    if arguments.output:
        write_answer(timeline_svg(pictures), arguments.output, console)
    return status.HOLDS


# formula


def _formula(arguments: Namespace, console: Console) -> int:
    from clew.logic.patterns.syntaxes import SYNTAXES, written

    dialect = arguments.dialect or "ours"
    syntax = arguments.to or "clew"
    if arguments.model is not None and not (arguments.advice and arguments.text):
        raise InputError.at(NOWHERE, "no-advice", "--model is for --advice on a property of the model")
    if syntax not in (*SYNTAXES, "all"):
        hint = f"--to {', '.join(SYNTAXES)} or all"
        raise InputError.at(NOWHERE, "unknown-syntax", f"unknown syntax '{syntax}'", hint)
    reading = _reading(arguments)
    items = []
    for prop in _properties(arguments, dialect):
        formula = _formula_of(arguments, prop, dialect)
        forms = {s: written(formula, s, prop, reading) for s in (SYNTAXES if syntax == "all" else (syntax,))}
        invariant = is_stutter_invariant(formula, by_syntax=False)
        item: dict[str, Any] = {"property": words(prop), "forms": forms, "stutter_invariant": invariant}
        if arguments.advice:
            item["alternatives"] = _alternatives(arguments, prop, reading)
        items.append(item)
        if not arguments.json:
            _print_formula(item, syntax, console)
    if arguments.json:
        console.print_json({"schema": SCHEMA, "action": "formula", "dialect": dialect, "properties": items})
    return status.HOLDS


def _print_formula(item: dict[str, Any], syntax: str, console: Console) -> None:
    console.print(console.style.paint(item["property"], "bold"))
    for name, text in item["forms"].items():
        shown = "there is none" if text is None else text
        if syntax != "all":
            console.print(shown)
        else:
            console.print(f"  {name + ':':<7} {shown}" if "\n" not in shown else f"  {name}:\n{shown}")
    if item["stutter_invariant"]:
        console.print("  stutter-invariant: repeating a state never matters (checked by automata)")
    else:
        console.print("  not stutter-invariant: it counts states, so partial-order reduction does not apply")
    for other in item.get("alternatives", ()):
        same = "same meaning" if other["same"] else "another meaning"
        console.print(
            f"  {', '.join(other['dialects'])} ({same}): {other['math']}\n    automaton of the negation: "
            f"{other['states']} states, {other['edges']} edges; reduced {other['reduced_states']} states, "
            f"{other['reduced_edges']} edges"
        )
        if product := other.get("product"):
            so_far = "" if product["complete"] else ", not all of it"
            console.print(
                f"    product with the model: {product['states']:,} states, {product['transitions']:,} transitions"
                f"{so_far}; {product['verdict']}"
            )


def _alternatives(arguments: Namespace, prop: Property, reading: Reading) -> list[dict[str, Any]]:
    from dataclasses import asdict

    from clew.cli.product_sizes import product_size
    from clew.logic.patterns.advice import alternatives
    from clew.logic.patterns.syntaxes import mathematical

    items = []
    for found in alternatives(prop, reading):
        item = {
            "dialects": list(found.dialects),
            "formula": str(found.formula),
            "math": mathematical(found.formula),
            "same": found.same,
            **asdict(found.size),
        }
        if arguments.model is not None:
            item["product"] = product_size(arguments.model, dict(arguments.defines), found.formula)
        items.append(item)
    return items


# test


def _test(arguments: Namespace, console: Console) -> int:
    from clew.logic.patterns.bed import SpinError, promela
    from clew.logic.patterns.testing import RUNNERS, questions, run, suite

    dialect = arguments.dialect or "ours"
    reading = _reading(arguments)
    if arguments.to not in (None, "promela"):
        raise InputError.at(NOWHERE, "unknown-syntax", f"tests cannot be written as '{arguments.to}'", "--to promela")
    chosen = [(p.pattern, p.scope) for p in _properties(arguments, dialect)]
    strangers = [p.value for p, s in chosen if (p, s) not in catalogue.entries(dialect)]
    if strangers:
        raise InputError.at(PLACE, "not-in-dialect", f"{dialect} has no {strangers[0]}")
    if arguments.mutants:
        return _mutants(arguments, chosen, dialect, reading, console)
    cases = suite(arguments.suite, dialect, chosen, reading)
    if not cases:
        hint = "the figures are about --dialect sps and --dialect prospec"
        raise InputError.at(NOWHERE, "no-cases", f"suite {arguments.suite} has no cases for {dialect}", hint)
    if arguments.to:
        console.print(promela(questions(cases, dialect, reading)).rstrip())
        return status.HOLDS
    try:
        outcomes = run(cases, dialect, RUNNERS[arguments.runner], reading)
    except SpinError as error:
        raise InputError.at(NOWHERE, "spin", str(error), "--runner definition needs no other tool") from None
    passed = sum(o.passed for o in outcomes)
    if arguments.json:
        items = [
            {
                "name": o.case.name,
                **_what(o.case.pattern, o.case.scope),
                "trace": show_trace(o.case.trace),
                "intervals": o.intervals,
                "expected": o.case.expected,
                "actual": o.actual,
                "passed": o.passed,
                "printed": o.answered,
                "note": o.case.note,
            }
            for o in outcomes
        ]
        console.print_json(
            {"schema": SCHEMA, "action": "test", "suite": arguments.suite, "dialect": dialect,
             "runner": arguments.runner, "passed": passed, "cases": items}
        )  # fmt: skip
        return status.HOLDS if passed == len(outcomes) else status.VIOLATED
    everything = arguments.verbose or arguments.suite != "generated"
    for o in outcomes:
        if o.passed and not everything:
            continue
        mark = console.style.paint("pass", "green") if o.passed else console.style.paint("FAIL", "red")
        answers = f"expected {_valid(o.case.expected):<9}  got {_valid(o.actual):<9}"
        if o.answered is not None:
            answers += f"  printed {_valid(o.answered):<9}"
        where = f"{o.case.pattern.value} {o.case.scope.value}"
        interval = "interval" if o.intervals else "no interval"
        console.print(
            f"{mark}  {o.case.name:<8} {where:<28} {answers} {interval:<11}  {show_trace(o.case.trace)}"
            + (f"   ({o.case.note})" if o.case.note else "")
        )
    console.print(f"{passed} of {len(outcomes)} cases passed ({arguments.suite}, {dialect})")
    return status.HOLDS if passed == len(outcomes) else status.VIOLATED


def _valid(value: bool) -> str:
    return "valid" if value else "not valid"


def _mutants(
    arguments: Namespace, chosen: list[tuple[Pattern, Scope]], dialect: str, reading: Reading, console: Console
) -> int:
    from clew.logic.patterns.cases import generate
    from clew.logic.patterns.mutants import score

    noticed = same = 0
    missed = []
    for pattern, scope in chosen:
        found = score(catalogue.formula(dialect, entry(pattern, scope), reading), generate(pattern, scope, reading))
        noticed += found.noticed
        same += found.equivalent
        missed += [{**_what(pattern, scope), "mistake": name, "formula": str(wrong)} for name, wrong in found.missed]
    total = noticed + len(missed)
    if arguments.json:
        console.print_json(
            {"schema": SCHEMA, "action": "mutants", "dialect": dialect, "noticed": noticed, "equivalent": same,
             "missed": missed}
        )  # fmt: skip
    else:
        for m in missed:
            console.print(f"missed  {m['pattern']} {m['scope']}: {m['mistake']}: {m['formula']}")
        share = f" ({100 * noticed / total:.1f} %)" if total else ""
        console.print(f"{noticed} of {total} wrong formulas noticed{share}; {same} more mean the same as before")
    return status.HOLDS if not missed else status.VIOLATED


# audit


def _audit(arguments: Namespace, console: Console) -> int:
    if arguments.text is not None:
        return _audit_one(arguments, console)
    if arguments.formula is not None:
        raise InputError.at(NOWHERE, "no-property", "--formula needs a property to compare it with")
    dialects = [arguments.dialect] if arguments.dialect else list(catalogue.DIALECTS)
    audits = []
    for dialect in dialects:
        for reading in (_reading(arguments),) if arguments.readings else READINGS[dialect]:
            found = audit(dialect, reading)
            audits.append(found)
            if not arguments.json:
                _print_audit(found, console)
    if arguments.json:
        console.print_json({"schema": SCHEMA, "action": "audit", "audits": [_audit_json(a) for a in audits]})
    whole = all(a.agreeing == len(a.findings) for a in audits)
    return status.HOLDS if whole else status.VIOLATED


def _print_audit(found: Audit, console: Console) -> None:
    total = len(found.findings)
    console.print(
        console.style.paint(f"{found.dialect}, reading {found.reading}: verified {found.agreeing} of {total}", "bold")
    )
    for x in found.findings:
        if x.result.agrees:
            continue
        assert x.result.witness is not None
        kind = "too weak" if x.result.allows else "too strong"
        if x.result.allows and x.result.forbids:
            kind = "both ways"
        why = "right under the nested reading" if x.only_reading else "wrong under the nested reading, too"
        if found.reading == NESTED:
            why = ""
        if x.needs_several_openings:
            why += ("; " if why else "") + "shows only if L comes more than once"
        note = f"  ({why})" if why else ""
        console.print(
            f"  {x.pattern.value:<17} {x.scope.value:<12} {kind:<10} differs on {show_trace(x.result.witness)}{note}"
        )
    if found.agreeing_with_one_opening != found.agreeing:
        console.print(
            f"  on runs with at most one L in scope after, as in the case study of 2005: "
            f"{found.agreeing_with_one_opening} of {total}"
        )
    console.print("  evidence: languages compared with the automaton of the intervals, both inclusions")


def _audit_json(found: Audit) -> dict[str, Any]:
    return {
        "dialect": found.dialect,
        "reading": str(found.reading),
        "verified": found.agreeing,
        "verified_with_one_opening": found.agreeing_with_one_opening,
        "formulas": [
            {
                **_what(x.pattern, x.scope),
                "formula": str(x.result.formula),
                "agrees": x.result.agrees,
                "too_weak": x.result.allows,
                "too_strong": x.result.forbids,
                "witness": None if x.result.witness is None else show_trace(x.result.witness),
                "only_reading": x.only_reading,
                "needs_several_openings": x.needs_several_openings,
            }
            for x in found.findings
        ],
    }


def _audit_one(arguments: Namespace, console: Console) -> int:
    """A formula, or those of the catalogues, for one property."""
    prop = parse_property(arguments.text, any_condition, PLACE)
    reading = _reading(arguments)
    if arguments.formula is not None:
        formula = parse_ltl(arguments.formula, any_condition)
        strangers = [a.text for a in f.atoms(formula) if a not in prop.atoms()]
        if strangers:
            message = f"the formula speaks about {', '.join(strangers)}, the property does not"
            raise InputError.at(Span("<formula>", 1), "other-atoms", message)
        candidates = [("your formula", formula)]
    else:
        dialects = [arguments.dialect] if arguments.dialect else list(catalogue.DIALECTS)
        candidates = []
        for dialect in dialects:
            if (prop.pattern, prop.scope) in catalogue.entries(dialect):
                pattern_formula(arguments.text, "ours", any_condition, reading, PLACE)  # refuses what has no meaning
                naive = prop.spans_states and dialect != "ours"
                name = f"{dialect}, naive substitution" if naive else dialect
                candidates.append((name, catalogue.formula(dialect, prop, reading, naive=True)))
    simple = all(isinstance(operand, f.Atom) for _, operand in prop.operands) and len(
        {operand for _, operand in prop.operands}
    ) == len(prop.operands)
    items = []
    for name, formula in candidates:
        try:
            items.append(_one_result(name, formula, prop, reading, simple))
        except ValueError as error:
            raise InputError.at(PLACE, "too-many-atoms", str(error)) from None
    if arguments.json:
        console.print_json({"schema": SCHEMA, "action": "audit", "property": words(prop), "formulas": items})
    else:
        console.print(console.style.paint(words(prop), "bold"))
        for item in items:
            verdict = "agrees" if item["agrees"] else f"differs on {item['witness']}"
            console.print(f"  {item['name']}: {verdict}\n    {item['formula']}\n    evidence: {item['evidence']}")
    return status.HOLDS if all(i["agrees"] for i in items) else status.VIOLATED


def _one_result(name: str, formula: f.Formula, prop: Property, reading: Reading, simple: bool) -> dict[str, Any]:
    """Propositions that are different atoms stand for any others, so that the letters can be compared by automata."""
    if simple:
        atoms = {letter(role): o for role, o in prop.operands if isinstance(o, f.Atom)}
        letters = {atom: role for role, atom in atoms.items()}
        abstract = f.replace_atoms(formula, lambda atom: letters[atom])
        result = compare(abstract, prop.pattern, prop.scope, reading)
        agrees, evidence = result.agrees, "automata, both inclusions"
        witness = None
        if result.witness is not None:
            prefix, cycle = ([frozenset(atoms[a] for a in held) for held in part] for part in result.witness)
            witness = tuple(prefix), tuple(cycle)
    else:
        search = search_difference(formula, prop, reading)
        agrees, witness = search.witness is None, search.witness
        evidence = f"all {search.words:,} runs of up to {search.longest} states, the last or more repeated for ever"
    return {
        "name": name,
        "formula": str(formula),
        "agrees": agrees,
        "witness": None if witness is None else show_trace(witness),
        "evidence": evidence,
    }
