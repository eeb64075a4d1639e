"""What holds for whole sequences of elements: redundant skips, atomicity, escapes."""

from __future__ import annotations

from clew.frontends.promela.elements import Element, Sequence


def drop_redundant_skips(sequence: Sequence) -> None:
    """In an option, a run of unlabelled skips and prints keeps its prints, its first element, and a skip at the end."""
    previous: Element | None = None
    run = 0
    element = sequence.first
    while element is not None:
        following = element.next
        if element.kind == "basic" and element.is_skip and not element.labels:
            run += 1
            inner = element is not sequence.first and element is not sequence.last
            if run > 1 and element.form != "print" and inner and previous is not None:
                previous.next = following
                element = following
                continue
        else:
            run = 0
        previous = element
        if element is sequence.last:
            return
        element = following


def make_atomic(sequence: Sequence, deterministic: bool) -> None:
    """Marks all elements of an atomic or d_step sequence; only the last statement gives up control."""
    _mark_atomic(sequence, deterministic)
    last = sequence.last
    assert last is not None
    if last.kind in ("plain", "atomic") and last.inner is not None:
        make_atomic(last.inner, deterministic)
    elif last.kind == "unless":
        make_atomic(last.options[0], deterministic)
    else:
        last.in_atomic = False
        last.ends_atomic = True


def _mark_atomic(sequence: Sequence, deterministic: bool) -> None:
    for element in sequence:
        element.in_atomic = True
        element.in_dstep = element.in_dstep or deterministic
        if element.kind == "atomic" or (element.kind == "d_step" and deterministic):
            element.kind = "plain"
        if element.kind == "plain" and element.inner is not None:
            _mark_atomic(element.inner, deterministic)
        for option in element.options:
            _mark_atomic(option, deterministic)


def attach_escape(body: Sequence, escape: Sequence) -> None:
    """Every statement of the body can be left through the escape; of a d_step only its entry."""
    for element in body:
        _attach_to(element, escape)
        if element is body.extent:
            return


def _attach_to(element: Element, escape: Sequence) -> None:
    if escape in element.escapes:
        return
    for inner in element.escapes:
        attach_escape(inner, escape)
    element.escapes.insert(0, escape)
    match element.kind:
        case "unless":
            attach_escape(element.options[0], escape)
        case "if" | "do":
            for option in element.options:
                attach_escape(option, escape)
        case "d_step":
            assert element.inner is not None and element.inner.first is not None
            _attach_to(element.inner.first, escape)
        case "atomic" | "plain":
            assert element.inner is not None
            attach_escape(element.inner, escape)
        case _:
            pass
