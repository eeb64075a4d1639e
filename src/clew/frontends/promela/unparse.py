"""Promela text of syntax nodes, as shown in traces, graphs and messages."""

from __future__ import annotations

from clew.frontends.promela import syntax as ast

_LEVELS = (
    ("->", "<->"),
    ("||",),
    ("&&",),
    ("U", "V", "W"),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_PRECEDENCE = {op: level for level, ops in enumerate(_LEVELS) for op in ops}


def expression(node: ast.Expr | ast.Eval, parent: int = -1) -> str:
    """The text of an expression, with the parentheses it needs below an operator of precedence `parent`."""
    match node:
        case ast.Number(_, text):
            return text
        case ast.Ref(name, index, field):
            text = name if index is None else f"{name}[{expression(index)}]"
            return text if field is None else f"{text}.{expression(field)}"
        case ast.Unary(op, operand):
            inner = expression(operand, len(_LEVELS))
            return f"{op} {inner}" if op in ("X", "[]", "<>") else f"{op}{inner}"
        case ast.Binary(op, left, right):
            level = _PRECEDENCE[op]
            text = f"{expression(left, level - 1)} {op} {expression(right, level)}"
            return f"({text})" if level <= parent else text
        case ast.Conditional(test, then, other):
            return f"({expression(test)} -> {expression(then)} : {expression(other)})"
        case ast.Run(name, args, _):
            return f"run {name}({_list(args)})"
        case ast.ChannelQuery(kind, channel):
            return f"{kind}({expression(channel)})"
        case ast.Poll(channel, args, anywhere):
            return f"{expression(channel)}{'??' if anywhere else '?'}[{_list(args)}]"
        case ast.ProcessQuery(kind, pid):
            return f"{kind}({expression(pid)})"
        case ast.Special(kind):
            return kind
        case ast.RemoteLabel(process, pid_or_none, label):
            return f"{process}{_index(pid_or_none)}@{label}"
        case ast.MessageEvent(kind, channel, args):
            return f"{expression(channel)}{'!' if kind == 'send' else '?'}{_list(args)}"
        case ast.LabelEvent(place):
            return f"reaches({expression(place)})"
        case ast.RemoteVar(process, pid_or_none, ref):
            return f"{process}{_index(pid_or_none)}:{expression(ref)}"
        case ast.CExpr(text):
            return f"c_expr {{{' '.join(text.split())}}}"
        case ast.Eval(value):
            return f"eval({expression(value)})"
        case _:
            raise TypeError(f"unknown expression {node!r}")


def statement(node: ast.Statement) -> str:
    """The text of a statement on one line; compound statements are abbreviated."""
    match node:
        case ast.Assign(target, _, "++" | "--" as form):
            return f"{expression(target)}{form}"
        case ast.Assign(target, value):
            return f"{expression(target)} = {expression(value)}"
        case ast.Send(channel, args, ordered):
            return f"{expression(channel)}{'!!' if ordered else '!'}{_list(args)}"
        case ast.Receive(channel, args, anywhere, keep):
            text = f"<{_list(args)}>" if keep else _list(args)
            return f"{expression(channel)}{'??' if anywhere else '?'}{text}"
        case ast.Condition(ast.Number(1, text)):
            return text if text in ("skip", "true") else f"({text})"
        case ast.Condition(value):
            text = expression(value)
            return text if isinstance(value, ast.Run) or (text.startswith("(") and text.endswith(")")) else f"({text})"
        case ast.Else():
            return "else"
        case ast.Assert(value):
            return f"assert({expression(value)})"
        case ast.Printf(fmt, args):
            quoted = fmt.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace('"', '\\"')
            return f'printf("{quoted}"{", " if args else ""}{_list(args)})'
        case ast.Printm(value):
            return f"printm({expression(value)})"
        case ast.SetPriority(pid, value):
            return f"set_priority({expression(pid)}, {expression(value)})"
        case ast.CCode(text):
            return f"c_code {{{' '.join(text.split())}}}"
        case ast.Goto(label):
            return f"goto {label}"
        case ast.Break():
            return "break"
        case ast.Labelled(label, inner):
            return f"{label}: {statement(inner) if inner is not None else 'skip'}"
        case ast.If():
            return "if … fi"
        case ast.Do():
            return "do … od"
        case ast.ForRange(index, low, high):
            return f"for ({expression(index)} : {expression(low)} .. {expression(high)})"
        case ast.ForIn(index, container):
            return f"for ({expression(index)} in {expression(container)})"
        case ast.Select(index, low, high):
            return f"select ({expression(index)} : {expression(low)} .. {expression(high)})"
        case ast.Block("d_step"):
            return "d_step { … }"
        case ast.Block("atomic"):
            return "atomic { … }"
        case ast.Block():
            return "{ … }"
        case ast.Unless(body, escape):
            return f"{statement(body)} unless {statement(escape)}"
        case _:
            raise TypeError(f"unknown statement {node!r}")


def _list(args: tuple[ast.Expr | ast.Eval, ...] | tuple[ast.ReceiveArg, ...]) -> str:
    return ",".join(expression(a) for a in args)


def _index(pid: ast.Expr | None) -> str:
    return "" if pid is None else f"[{expression(pid)}]"
