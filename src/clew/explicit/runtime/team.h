/* team.h: the workers of a search, and the meetings in which one of them does what needs all others to stand still.
 *
 *   team_open(size, business)    a team of `size` workers; `business` is what the last one to arrive at a meeting does
 *   team_run(work)               work(number) on a thread for each worker; the caller is number 0
 *   team_joins(number)           waits until the worker takes part; 0: the search is over
 *   team_for(work, each)         how many should take part in so much work, if a worker is worth while from `each` on: those
 *                                who sleep have to be woken, which takes a while
 *   team_ask(workers)            in a meeting, at its end: so many take part from now on
 *   meet(number, at_end)         waits for all who take part; returns whether all of them came because there was nothing
 *                                left to do (`at_end`)
 *   share(number, job)           inside a meeting: job(part, parts) by everybody
 *
 * A worker that wants a meeting sets `team.called` and comes; the others look at it when nothing of theirs is open.
 */
#ifndef CLEW_TEAM_H
#define CLEW_TEAM_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_WORKERS = 256, PATIENCE = 4000, WAKING = 4 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t  news;               /* for those who meet */
    pthread_cond_t  start;              /* for those who do not take part yet */
    int       size;                     /* workers there are */
    int       active;                   /* those who take part: 0 … active - 1 */
    int       asleep;                   /* of the others */
    int       arrived, ended, finished;
    int       over[MOST_WORKERS];       /* for each worker, whether all were at the end when it last met */
    uint32_t  meetings;                 /* held so far */
    int       called;
    void    (*business)(int number, int over);
    void    (*job)(int part, int parts);
    uint32_t  jobs;                     /* shared so far */
    int       busy;                     /* who have not done their part yet */
} team;

static inline int team_is_called(void) { return __atomic_load_n(&team.called, __ATOMIC_RELAXED); }
static inline void team_call(void) { __atomic_store_n(&team.called, 1, __ATOMIC_RELAXED); }

static inline void breathe(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Waits a moment without the lock, since most meetings are short; returns whether this one is over. */
static int team_idle(uint32_t meetings, uint32_t jobs)
{
    for (int i = 0; i < PATIENCE; i++) {
        if (__atomic_load_n(&team.meetings, __ATOMIC_ACQUIRE) != meetings) return 1;
        if (__atomic_load_n(&team.jobs, __ATOMIC_RELAXED) != jobs) return 0;
        breathe();
    }
    return 0;
}

/* The last one has come. */
static void team_holds(int number)
{
    int over = team.ended == team.active, active = team.active;
    for (int n = 0; n < active; n++) team.over[n] = over;
    __atomic_store_n(&team.called, 0, __ATOMIC_RELAXED);
    team.business(number, over);
    team.arrived = team.ended = 0;
    if (team.active > active || team.finished) pthread_cond_broadcast(&team.start);
    __atomic_add_fetch(&team.meetings, 1, __ATOMIC_RELEASE);
    if (active > 1) pthread_cond_broadcast(&team.news);
}

/* Sleeps until the meeting is over, unless there is something to do. */
static void team_waits(int number, uint32_t meetings, uint32_t jobs)
{
    while (meetings == team.meetings) {
        if (jobs == team.jobs) {
            pthread_cond_wait(&team.news, &team.lock);
            continue;
        }
        jobs = team.jobs;
        int parts = team.active;
        pthread_mutex_unlock(&team.lock);
        team.job(number, parts);
        pthread_mutex_lock(&team.lock);
        if (__atomic_sub_fetch(&team.busy, 1, __ATOMIC_RELEASE) == 0) pthread_cond_broadcast(&team.news);
    }
}

static int meet(int number, int at_end)
{
    pthread_mutex_lock(&team.lock);
    uint32_t meetings = team.meetings, jobs = team.jobs;
    team.ended += at_end;
    if (++team.arrived == team.active) team_holds(number);
    else {
        pthread_mutex_unlock(&team.lock);
        if (team_idle(meetings, jobs)) return team.over[number];
        pthread_mutex_lock(&team.lock);
        team_waits(number, meetings, jobs);
    }
    int over = team.over[number];       /* others may have met again since, if this one need not take part any more */
    pthread_mutex_unlock(&team.lock);
    return over;
}

static void share(int number, void (*job)(int part, int parts))
{
    if (team.active > 1) {
        team.job = job;
        team.busy = team.active - 1;
        __atomic_add_fetch(&team.jobs, 1, __ATOMIC_RELAXED);
        pthread_cond_broadcast(&team.news);
        pthread_mutex_unlock(&team.lock);
    }
    job(number, team.active);
    if (team.active > 1) {
        for (int i = 0; i < PATIENCE && __atomic_load_n(&team.busy, __ATOMIC_RELAXED); i++) breathe();
        pthread_mutex_lock(&team.lock);
        while (team.busy) pthread_cond_wait(&team.news, &team.lock);
    }
}

/* What has been decided for the workers is written before they are asked. */
static int team_is_asked(int number)
{
    return number < __atomic_load_n(&team.active, __ATOMIC_ACQUIRE) || __atomic_load_n(&team.finished, __ATOMIC_ACQUIRE);
}

static void team_ask(int workers) { __atomic_store_n(&team.active, workers, __ATOMIC_RELEASE); }

static int team_joins(int number)
{
    for (int i = 0; i < PATIENCE && !team_is_asked(number); i++) breathe();
    if (!team_is_asked(number)) {
        pthread_mutex_lock(&team.lock);
        while (!team_is_asked(number)) {
            team.asleep++;
            pthread_cond_wait(&team.start, &team.lock);
            team.asleep--;
        }
        pthread_mutex_unlock(&team.lock);
    }
    return !__atomic_load_n(&team.finished, __ATOMIC_ACQUIRE);
}

/* Inside a meeting. */
static int team_for(uint32_t work, uint32_t each)
{
    uint32_t all = (uint32_t)team.size, awake = all - (uint32_t)team.asleep, asked = work / (WAKING * each);
    uint32_t some = work / each < awake ? work / each : awake;
    if (asked > all) asked = all;
    if (asked < some) asked = some;
    return asked ? (int)asked : 1;
}

static void team_open(int size, void (*business)(int number, int over))
{
    pthread_mutex_init(&team.lock, NULL);
    pthread_cond_init(&team.news, NULL);
    pthread_cond_init(&team.start, NULL);
    team.size = size;
    team.active = 1;
    team.finished = team.arrived = team.ended = team.called = team.asleep = 0;
    team.business = business;
}

static void (*team_work)(int number);

static void *team_thread(void *number)
{
    team_work((int)(intptr_t)number);
    return NULL;
}

static void team_run(void (*work)(int number))
{
    pthread_t threads[MOST_WORKERS];
    pthread_attr_t attributes;
    team_work = work;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)64 << 20);
    for (int n = 1; n < team.size; n++)
        if (pthread_create(&threads[n], &attributes, team_thread, (void *)(intptr_t)n)) {
            team.size = n;                        /* fewer workers do it too */
            break;
        }
    pthread_attr_destroy(&attributes);
    work(0);
    for (int n = 1; n < team.size; n++) pthread_join(threads[n], NULL);
}

#endif
