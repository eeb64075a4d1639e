"""A log on three nodes: a leader is elected by a majority, copies its log, and commits what a majority has.

expect: holds
states: 493
classes: 98

Nodes vote only for a candidate whose log is at least as good as theirs; `-D CAREFUL=False` drops that, and a committed
entry is lost.
"""

from clew.model import Abstract, Map, Sequence, accepting, action, guard, invariant, parameter, state_filter

TERMS = parameter("TERMS", 2)
ENTRIES = parameter("ENTRIES", 2)
CAREFUL = parameter("CAREFUL", True)


class Node(Abstract):
    N1, N2, N3 = range(3)


term = 0
leader = None
logs = Map((node, Sequence()) for node in Node)  # each entry is the term it was made in
committed = Sequence()


def quality(log):
    return (log[-1] if log else 0, len(log))


def majority(nodes):
    return 2 * len(nodes) > len(Node)


@action
def Elect(node: Node):
    global leader, term
    leader, term = node, term + 1


@guard("Elect")
def _(node):
    voters = [other for other in Node if not CAREFUL or quality(logs[other]) <= quality(logs[node])]
    return node is not leader and majority(voters)


@action
def Append():
    global logs
    logs = logs.set(leader, logs[leader].add(term))


@guard("Append")
def _():
    return leader is not None and len(logs[leader]) < ENTRIES


@action
def Copy(node: Node):
    global logs
    logs = logs.set(node, logs[leader])


@guard("Copy")
def _(node):
    return leader is not None and logs[node] != logs[leader]


@action
def Commit():
    global committed
    committed = logs[leader]


@guard("Commit")
def _():
    """Entries of its own term only: older ones may be on a majority and still be lost."""
    if leader is None or not logs[leader] or committed == logs[leader] or logs[leader][-1] != term:
        return False
    return majority([node for node in Node if logs[node] == logs[leader]])


@invariant
def nothing_committed_is_lost():
    return leader is None or logs[leader][: len(committed)] == committed


@state_filter
def few_terms():
    return term <= TERMS


@accepting
def any_time():
    return True
