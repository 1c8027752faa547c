/* Adds up the lines of --events in a simple way, apart from the code under test. */
#ifndef GMPSCOPE_TESTS_TALLY_H
#define GMPSCOPE_TESTS_TALLY_H

#include "t.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GS = 4096, SYSTEM = 2048, PS = 64, PROGRAMS = 16 };
enum { NONE, RUNNABLE, RUNNING, OTHER };
enum { STOPPED = -2 }; /* in place of a P */

/* ---- the lines ---- */

struct line {
    int64_t time;
    long m, p; /* -1: none */
    char name[64], fields[256];
};

static inline bool read_line(const char **at, struct line *l)
{
    int used = 0;
    if (!**at)
        return false;
    *l = (struct line){.m = -1, .p = -1};
    l->time = strtoll(*at, (char **)at, 10);
    if (sscanf(*at, " M%ld%n", &l->m, &used) == 1)
        *at += used;
    if (sscanf(*at, " P%ld%n", &l->p, &used) == 1)
        *at += used;
    CHECK(sscanf(*at, " %31s%n", l->name, &used) == 1);
    *at += used;
    size_t n = strcspn(*at, "\n");
    snprintf(l->fields, sizeof l->fields, "%.*s ", (int)n, *at);
    *at += n + 1;
    return true;
}

/* Returns the field's text, "" if the event has none; valid until the next call. */
static inline const char *field(const struct line *l, const char *name)
{
    static char value[64];
    char key[40];
    snprintf(key, sizeof key, " %s=", name);
    const char *at = strstr(l->fields, key);
    value[0] = '\0';
    if (at)
        CHECK(sscanf(at + strlen(key), "%63s", value) == 1);
    return value;
}

static inline long long number(const struct line *l, const char *name)
{
    return atoll(field(l, name));
}

static inline bool is(const struct line *l, const char *name)
{
    return strcmp(l->name, name) == 0;
}

/* ---- adding up ---- */

struct timer_set {
    int64_t when;
    long heap;
    uint32_t g;
    char what[8];
    bool gone;
};

struct tally {
    int64_t now, ran_on[PS];
    uint64_t events, rounds, ended, created;
    uint32_t np;
    struct {
        int state, fn;
        int64_t since, ran, waited, longest;
        long p;
    } g[GS];
    struct {
        char name[64];
        uint64_t gs;
        int64_t ran, waited;
        uint32_t waiter;
    } fn[PROGRAMS];
    int nfn;
    int64_t wait[65536];
    int nwaits;
    uint64_t steals[PS][PS], tries[PS][PS], gs, all_steals, all_tries;
    long thief, victim; /* of the last steal */
    struct timer_set timer[4096];
    int ntimers;
    int64_t polls[PS], delay[PS]; /* by M: since when, 0: it does not */
    int64_t io_since[GS];         /* by G: since when it waits for the network, 0: it does not */
};

static inline uint32_t slot(uint32_t g)
{
    uint32_t at = g > 1000000 ? g - 1000000 + SYSTEM : g;
    CHECK(at < GS);
    return at;
}

static inline uint32_t id_of(uint32_t at)
{
    return at > SYSTEM ? at - SYSTEM + 1000000 : at;
}

static inline void waited(struct tally *t, uint32_t at, int64_t ns)
{
    int fn = t->g[at].fn;
    CHECK(t->nwaits < 65536);
    t->wait[t->nwaits++] = ns;
    if (ns > t->fn[fn].waited) {
        t->fn[fn].waited = ns;
        t->fn[fn].waiter = id_of(at);
    }
}

/* Ends what the G did and begins something else. */
static inline void enter(struct tally *t, uint32_t at, int state, int64_t now, long p)
{
    int64_t ns = now - t->g[at].since;
    if (t->g[at].state == RUNNING) {
        t->g[at].ran += ns;
        t->fn[t->g[at].fn].ran += ns;
        if (t->g[at].p >= 0)
            t->ran_on[t->g[at].p] += ns;
    }
    if (t->g[at].state == RUNNABLE) {
        t->g[at].waited += ns;
        t->g[at].longest = ns > t->g[at].longest ? ns : t->g[at].longest;
        waited(t, at, ns);
    }
    t->g[at].state = state;
    t->g[at].since = now;
    t->g[at].p = p;
}

static inline int program(struct tally *t, const char *name, bool system)
{
    int i = 0;
    name = system ? "runtime" : name;
    while (i < t->nfn && strcmp(t->fn[i].name, name) != 0)
        i++;
    CHECK(i < PROGRAMS);
    if (i == t->nfn)
        snprintf(t->fn[t->nfn++].name, sizeof t->fn->name, "%s", name);
    return i;
}

static inline void add_g(struct tally *t, const struct line *l)
{
    uint32_t g = (uint32_t)number(l, "g");
    bool back = is(l, "syscall_exit");
    if (!g)
        return;
    uint32_t at = slot(g);
    if (is(l, "go_create")) {
        t->g[at].fn = program(t, field(l, "fn"), g > 1000000);
        t->fn[t->g[at].fn].gs++;
        t->created += g < 1000000;
        enter(t, at, RUNNABLE, l->time, -1);
    } else if (is(l, "g_ready") || is(l, "g_yield") || is(l, "g_preempt") || (back && !strcmp(field(l, "how"), "no_p"))) {
        enter(t, at, RUNNABLE, l->time, -1);
        t->io_since[at] = 0;
    } else if (is(l, "g_start") || back) {
        enter(t, at, RUNNING, l->time, l->p);
    } else if (is(l, "g_park") || is(l, "g_end") || is(l, "syscall_enter") || is(l, "syscall_block")) {
        enter(t, at, OTHER, l->time, -1);
        t->ended += is(l, "g_end") && g < 1000000;
        t->io_since[at] = !strcmp(field(l, "reason"), "io_wait") ? l->time : 0;
    }
    t->rounds += is(l, "g_start");
}

/* A P whose M stops the world does not count as running until the world starts again. */
static inline void add_stop(struct tally *t, const struct line *l)
{
    for (uint32_t at = 0; at < GS; at++) {
        if (t->g[at].state != RUNNING)
            continue;
        if (is(l, "p_gcstop") && t->g[at].p == l->p)
            enter(t, at, RUNNING, l->time, STOPPED);
        else if (is(l, "procresize") && t->g[at].p == STOPPED)
            enter(t, at, RUNNING, l->time, l->p);
    }
}

static inline void add_steal(struct tally *t, const struct line *l)
{
    if (is(l, "steal_try")) {
        t->tries[l->p][number(l, "victim")]++;
        t->all_tries++;
    }
    if (!is(l, "steal"))
        return;
    t->thief = number(l, "thief");
    t->victim = number(l, "victim");
    t->steals[t->thief][t->victim]++;
    t->all_steals++;
    t->gs += (uint64_t)number(l, "n");
}

static inline void add_timer(struct tally *t, const struct line *l)
{
    struct timer_set x = {.when = number(l, "when"), .heap = l->p < 0 ? 0 : l->p, .g = (uint32_t)number(l, "g")};
    snprintf(x.what, sizeof x.what, "%.7s", field(l, "what"));
    if (is(l, "timer_add"))
        t->timer[t->ntimers++] = x;
    if (!is(l, "timer_fire"))
        return;
    x.heap = l->p < 0 ? 0 : number(l, "heap");
    for (int i = 0; i < t->ntimers; i++) {
        struct timer_set *k = &t->timer[i];
        if (!k->gone && k->when == x.when && k->heap == x.heap && k->g == x.g && !strcmp(k->what, x.what)) {
            k->gone = true;
            return;
        }
    }
    t_fail(__FILE__, __LINE__, "a timer fires that was not set");
}

static inline void add_poll(struct tally *t, const struct line *l)
{
    if (is(l, "netpoll_wait")) {
        t->polls[l->m] = l->time;
        t->delay[l->m] = number(l, "delay");
    }
    if (is(l, "netpoll_ready"))
        t->polls[l->m] = 0;
}

/* Adds up the first n lines, and what still lasts at the time of the last one. */
static inline struct tally *tally_of(const char *lines, uint64_t n)
{
    struct tally *t = calloc(1, sizeof *t);
    struct line l;
    CHECK(t);
    while (t->events < n && read_line(&lines, &l)) {
        t->events++;
        t->now = l.time > t->now ? l.time : t->now;
        t->rounds += is(&l, "m_park");
        if (is(&l, "procresize") && number(&l, "new") > t->np && l.p >= 0)
            t->np = (uint32_t)number(&l, "new");
        add_g(t, &l);
        add_stop(t, &l);
        add_steal(t, &l);
        add_timer(t, &l);
        add_poll(t, &l);
    }
    for (uint32_t at = 0; at < GS; at++)
        if (t->g[at].state != NONE)
            enter(t, at, t->g[at].state, t->now, t->g[at].p);
    return t;
}

#endif
