"""Clients and servers that share two channels (Couvreur, Duret-Lutz, Poitrenaud, SPIN 2005, table 3), as graphs.

A client is idle, requests, sends its number on `up`, waits until its number is at the head of `down`, takes it and is
idle again: four steps. A server takes a number from `up`, works, replies, sends the number on `down`. `up` has room for
a number of each client, `down` for one of each server. Asked is whether client 0 can wait and never be idle again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from clew.logic.marked_graphs import Arc, MarkedGraph

IDLE, REQUEST, SEND, WAIT = range(4)
TAKE, WORK, REPLY, ANSWER = range(4)
PUBLISHED_DEPTH = 4999
"""The published size of the product for three servers, 21394 states, is what remains of it when the system is not
searched deeper than this, which is half of the 10,000 steps at which Spin's verifier stops by default."""


class System(NamedTuple):
    clients: tuple[int, ...]
    servers: tuple[tuple[int, int], ...]  # place and number taken last
    up: tuple[int, ...] = ()
    down: tuple[int, ...] = ()


def moves(s: System) -> Iterator[tuple[int, System]]:
    """Moves of the processes: servers come after clients, and are asked first, as in Spin."""
    for n in reversed(range(len(s.servers))):
        place, number = s.servers[n]

        def server(place: int, number: int, n: int = n) -> tuple[tuple[int, int], ...]:
            return (*s.servers[:n], (place, number), *s.servers[n + 1 :])

        pid = len(s.clients) + n
        if place == TAKE and s.up:
            yield pid, s._replace(servers=server(WORK, s.up[0]), up=s.up[1:])
        elif place in (WORK, REPLY):
            yield pid, s._replace(servers=server(place + 1, number))
        elif place == ANSWER and len(s.down) < len(s.servers):
            yield pid, s._replace(servers=server(TAKE, number), down=(*s.down, number))
    for n in reversed(range(len(s.clients))):
        place = s.clients[n]

        def client(place: int, n: int = n) -> tuple[int, ...]:
            return (*s.clients[:n], place, *s.clients[n + 1 :])

        if place in (IDLE, REQUEST):
            yield n, s._replace(clients=client(place + 1))
        elif place == SEND and len(s.up) < len(s.clients):
            yield n, s._replace(clients=client(WAIT), up=(*s.up, n))
        elif place == WAIT and s.down and s.down[0] == n:
            yield n, s._replace(clients=client(IDLE), down=s.down[1:])


def system(clients: int, servers: int, deepest: int | None = None) -> list[tuple[System, list[tuple[int, int]]]]:
    """The reachable states, each with (process, number of the successor), the first one first.

    `deepest`: those a depth-first search finds that expands no state which it meets so many steps from the first.
    """
    first = System((IDLE,) * clients, ((TAKE, 0),) * servers)
    number = {first: 0}
    found: list[tuple[System, list[tuple[int, int]]]] = [(first, [])]
    path = [(0, moves(first))]
    while path:
        here, rest = path[-1]
        for pid, after in rest:
            if after not in number:
                number[after] = len(found)
                found.append((after, []))
                path.append((number[after], moves(after) if len(path) != deepest else iter(())))
                found[here][1].append((pid, number[after]))
                break
            found[here][1].append((pid, number[after]))
        else:
            path.pop()
    return found


def product(states: list[tuple[System, list[tuple[int, int]]]], fair: bool = False, eager: bool = True) -> MarkedGraph:
    """The product with the automaton of `F (client 0 waits and G it is not idle)`. `eager`: waiting is tried first."""
    processes = len(states[0][0].clients) + len(states[0][0].servers)
    number = {(0, 0): 0}
    pending = [(0, 0)]
    arcs: list[list[Arc]] = []
    for state, mode in pending:
        here, successors = states[state]
        place = here.clients[0]
        modes = [(0, 0)] if mode == 0 else []
        if (mode == 0 and place == WAIT) or (mode == 1 and place != IDLE):
            modes = [(1, mode), *modes] if eager else [*modes, (1, mode)]
        able = {pid for pid, _ in moves(here)}
        resting = sum(2 << pid for pid in range(processes) if pid not in able) if fair else 0
        found = []
        for pid, after in successors:
            for target, marks in modes:
                pair = after, target
                if pair not in number:
                    number[pair] = len(pending)
                    pending.append(pair)
                found.append(Arc(number[pair], marks | resting | (2 << pid if fair else 0)))
        arcs.append(found)
    return MarkedGraph(1 + processes if fair else 1, arcs)
