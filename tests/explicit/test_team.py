"""Meetings of workers, with their order in time arranged by the test."""

from __future__ import annotations

import subprocess

from clew.explicit.program import RUNTIME
from clew.host.compiler import build
from tests.explicit.native import QUICK, needs_compiler

pytestmark = needs_compiler

LATE = r"""
#include <pthread.h>
#include <stdatomic.h>
#include <sched.h>

static atomic_int waits, met_again;
static _Thread_local int me, locks;

/* Worker 1 gets the lock back, after it has waited in a meeting, only when the other one has met again. */
static int arranged_lock(pthread_mutex_t *lock)
{
    if (me == 1 && ++locks == 2) {
        waits = 1;
        while (!met_again) sched_yield();
    }
    return pthread_mutex_lock(lock);
}
#define pthread_mutex_lock arranged_lock
#include "team.h"
#undef pthread_mutex_lock

static void next_level(int number, int over)
{
    (void)number;
    if (over) team.active = 1;
}

static int over_for_the_late_one;

static void *late(void *unused)
{
    me = 1;
    over_for_the_late_one = meet(1, 1);
    return unused;
}

int main(void)
{
    pthread_t other;
    team_open(2, next_level);
    team.active = 2;
    pthread_create(&other, NULL, late, NULL);
    while (!waits) sched_yield();
    int over = meet(0, 1);                        /* both are at the end: from now on worker 0 is alone */
    int again = meet(0, 0);
    met_again = 1;
    pthread_join(other, NULL);
    printf("%d %d %d", over, again, over_for_the_late_one);
    return 0;
}
"""


def test_a_worker_that_wakes_up_late_learns_of_its_own_meeting() -> None:
    """A worker that took a later meeting for its own ended the next level before all of it was expanded."""
    program = build(LATE, RUNTIME, (*QUICK, "-pthread", "-w"))
    assert subprocess.run([str(program)], capture_output=True, text=True, timeout=60, check=True).stdout == "1 0 1"
