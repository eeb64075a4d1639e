"""A chat room: what a member posts comes to every other member, and what one member posts comes in the order posted.

expect: holds
states: 38
classes: 23
"""

from clew.model import Domain, Instance, New, Sequence, Set, accepting, action, guard, invariant, parameter

MEMBERS = parameter("MEMBERS", 2)
POSTS = parameter("POSTS", 2)


class Member(Instance):
    posted = 0
    waiting = Sequence()  # what is on the way to it: who posted it, and which of the poster's posts it is
    heard = Sequence()


room = Set()


@action
def Enter(member: New(Member)):
    global room
    room = room.add(member)


@guard("Enter")
def _():
    return len(room) < MEMBERS


@action
def Post(member: Domain("room")):
    member.posted += 1
    for other in room:
        if other is not member:
            other.waiting = other.waiting.add((member, member.posted))


@guard("Post")
def _(member):
    return len(room) == MEMBERS and member.posted < POSTS


@action
def Deliver(member: Domain("room"), at: range(4)):
    post = member.waiting[at]
    member.heard = member.heard.add(post)
    member.waiting = Sequence(*(other for other in member.waiting if other != post))


@guard("Deliver")
def _(member, at):
    """Any post on the way, unless an earlier one of the same member is."""
    waiting = member.waiting
    return at < len(waiting) and all(waiting[earlier][0] is not waiting[at][0] for earlier in range(at))


@invariant
def in_the_order_posted():
    return all(
        [number for poster, number in member.heard if poster is other]
        == list(range(1, 1 + sum(1 for poster, _ in member.heard if poster is other)))
        for member in room
        for other in room
    )


@accepting
def everything_is_delivered():
    return all(not member.waiting for member in room)
