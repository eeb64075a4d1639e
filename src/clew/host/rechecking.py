"""Verdicts checked again by other code than what reached them: certificates by another decision procedure, the rest by
another engine, on the model as it was saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from clew.core.certificates import Certificate, Damaged, Rechecker, certificate_from_json
from clew.core.diagnostics import InputError, Span
from clew.core.engines import Limits, Request, Unavailable
from clew.core.properties import Property
from clew.core.records import record
from clew.core.registry import LoadedModel, load_engine
from clew.host.runs import Run, read_json

Outcome = Literal["confirmed", "refuted", "unknown"]
CHECKERS = {"symbolic": "smt", "smt": "symbolic"}  # who checks whose certificates
OTHERS = {  # who decides again what an engine has decided, without sharing its search
    "native": ("reference",),
    "reference": ("symbolic", "native"),
    "symbolic": ("reference",),
    "smt": ("symbolic", "reference"),
    "relational": ("enumerative",),
    "enumerative": ("relational",),
}


@record
class Rechecked:
    """`by`: what was done, and by whom; or why nothing came of it."""

    property: str
    verdict: str
    outcome: Outcome
    by: str


def certificates_in(run: Run) -> tuple[Certificate, ...]:
    """Raises InputError if one is damaged."""
    found = []
    for path in run.certificates():
        try:
            found.append(certificate_from_json(read_json(path)))
        except Damaged as error:
            raise InputError.at(Span(str(path), 0), "damaged-certificate", str(error)) from None
    return tuple(found)


def recheck_verdict(
    model: LoadedModel,
    asked: Property,
    verdict: str,
    engine: str,
    certificates: Sequence[Certificate],
    options: dict[str, Any],
    seconds: float,
) -> Rechecked:
    """A verdict that no trace shows. `options`: those of the run that have an influence on what a verdict means."""
    proof = next((c for c in certificates if (asked.name, asked.kind) in c.proves), None)
    if proof is not None:
        found = _proof(model, asked, verdict, proof, seconds)
        if found is not None:
            return found
    reasons = []
    for name in OTHERS.get(engine, ()):
        other = load_engine(name)
        request = Request(model.view, (asked,), limits=Limits(seconds=seconds), options=options)
        reason = other.refuses(request)
        if reason is None:
            try:
                (decision,) = other.run(request).decisions
            except Unavailable as error:
                reason = str(error)
            else:
                if decision.verdict != "unknown":
                    same = decision.verdict == verdict
                    outcome: Outcome = "confirmed" if same else "refuted"
                    return Rechecked(asked.name, verdict, outcome, f"decided again: {name}, {decision.evidence.text}")
                reason = decision.reason
        reasons.append(f"{name}: {reason}")
    return Rechecked(asked.name, verdict, "unknown", "; ".join(reasons) or "no other engine decides it")


def _proof(model: LoadedModel, asked: Property, verdict: str, proof: Certificate, seconds: float) -> Rechecked | None:
    """None if whoever should check the certificate cannot."""
    checker = load_engine(CHECKERS[proof.maker]) if proof.maker in CHECKERS else None
    if checker is None or not isinstance(checker, Rechecker):
        return None
    try:
        found = checker.recheck(model.view, proof, asked.kind, seconds)
    except Damaged as error:
        raise InputError.at(Span("certificate.json", 0), "damaged-certificate", str(error)) from None
    if found.confirmed == "unknown":
        return None
    outcome: Outcome = "confirmed" if found.confirmed == "yes" else "refuted"
    return Rechecked(asked.name, verdict, outcome, f"{proof.text}: {found.reason}")
