"""Syntax trees as short text, so that a test shows what it expects. Operators are bracketed, spans left out."""

from __future__ import annotations

from collections.abc import Iterable

from clew.frontends.promela import syntax as s


def joined(items: Iterable[object], separator: str = ", ") -> str:
    return separator.join(shape(item) for item in items)


def shape(node: object) -> str:
    match node:
        case s.Number(value, text):
            return text if text in ("true", "false", "skip") else str(value)
        case s.Ref(name, index, field):
            subscript = f"[{shape(index)}]" if index is not None else ""
            return name + subscript + (f".{shape(field)}" if field is not None else "")
        case s.Unary(op, operand):
            return f"({op} {shape(operand)})"
        case s.Binary(op, left, right):
            return f"({shape(left)} {op} {shape(right)})"
        case s.Conditional(test, then, other):
            return f"({shape(test)} -> {shape(then)} : {shape(other)})"
        case s.Run(name, args, priority):
            return f"run {name}({joined(args)})" + (f" priority {priority}" if priority is not None else "")
        case s.ChannelQuery(kind, channel):
            return f"{kind}({shape(channel)})"
        case s.ProcessQuery(kind, pid):
            return f"{kind}({shape(pid)})"
        case s.Poll(channel, args, anywhere):
            return f"{shape(channel)}{'??' if anywhere else '?'}[{joined(args)}]"
        case s.Special(kind):
            return kind
        case s.RemoteLabel(process, pid, label):
            return process + (f"[{shape(pid)}]" if pid is not None else "") + "@" + label
        case s.RemoteVar(process, pid, ref):
            return process + (f"[{shape(pid)}]" if pid is not None else "") + ":" + shape(ref)
        case s.CExpr(text, precondition):
            return f"c_expr[{precondition}]{{{text}}}"
        case s.Eval(value):
            return f"eval({shape(value)})"
        case s.ChannelInit(capacity, fields):
            return f"[{capacity}] of {{{', '.join(name for name, _ in fields)}}}"
        case s.ArrayInit(values):
            return "{" + joined(values) + "}"
        case s.Declarator(name, size, size_name, bits, init):
            text = name + (f"[{size}]" if size is not None else f"[{size_name}]" if size_name else "")
            return text + (f":{bits}" if bits is not None else "") + (f" = {shape(init)}" if init is not None else "")
        case s.VarDecl(visibility, kind, subtype, declarators):
            return f"{visibility} {kind}{':' + subtype if subtype else ''} {joined(declarators)}".strip()
        case s.MtypeDecl(subtype, names):
            return f"mtype{':' + subtype if subtype else ''} = {{{', '.join(name for name, _ in names)}}}"
        case s.ExclusiveUse(kind, channels):
            return f"{kind} {joined(channels)}"
        case s.Assign(target, value, form):
            return f"{shape(target)} = {shape(value)}" if form == "=" else f"{shape(target)}{form}"
        case s.Send(channel, args, is_sorted):
            return f"{shape(channel)}{'!!' if is_sorted else '!'}{joined(args)}"
        case s.Receive(channel, args, anywhere, keep):
            inner = f"<{joined(args)}>" if keep else joined(args)
            return f"{shape(channel)}{'??' if anywhere else '?'}{inner}"
        case s.Condition(value):
            return shape(value)
        case s.Else():
            return "else"
        case s.Break():
            return "break"
        case s.Goto(label):
            return f"goto {label}"
        case s.Assert(value):
            return f"assert {shape(value)}"
        case s.Printf(text, args):
            return f"printf({text!r}{''.join(', ' + shape(a) for a in args)})"
        case s.Printm(value):
            return f"printm({shape(value)})"
        case s.SetPriority(pid, value):
            return f"set_priority({shape(pid)}, {shape(value)})"
        case s.CCode(text, precondition):
            return f"c_code[{precondition}]{{{text}}}"
        case s.Labelled(label, statement):
            return f"{label}: {shape(statement) if statement is not None else ''}".strip()
        case s.Option(body):
            return ":: " + joined(body, "; ")
        case s.If(options):
            return f"if {joined(options, ' ')} fi"
        case s.Do(options):
            return f"do {joined(options, ' ')} od"
        case s.ForRange(index, low, high, body):
            return f"for ({shape(index)} : {shape(low)} .. {shape(high)}) {{ {joined(body, '; ')} }}"
        case s.ForIn(index, container, body):
            return f"for ({shape(index)} in {shape(container)}) {{ {joined(body, '; ')} }}"
        case s.Select(index, low, high, textual):
            return f"{'textual ' if textual else ''}select ({shape(index)} : {shape(low)} .. {shape(high)})"
        case s.Block(kind, body, name):
            head = {"plain": "", "inline": f"{name} "}.get(kind, f"{kind} ")
            return f"{head}{{ {joined(body, '; ')} }}"
        case s.Unless(body, escape):
            return f"{shape(body)} unless {shape(escape)}"
        case _:
            raise AssertionError(f"no shape for {node!r}")
