/* The program's output, and how it ends: by return, panic, fatal error, or a lack of resources. */
#include "runtime/sched/proc.h"
#include "runtime/sync/fdmutex.h"
#include <stdio.h>
#include <string.h>

/* Has main returned, so that the program has ended (rt_config.linger)? */
static bool lingers(const struct m *m)
{
    return atomic_load_explicit(&m->sched->lingers, memory_order_relaxed); /* in lockstep, who runs next knows what was before */
}

/* code: of os.Exit, else 0. */
static void end(struct m *m, int how, int code, int fatal_kind, const char *text)
{
    struct sched *s = m->sched;
    int none = 0;
    if (lingers(m)) {
        how = ENDED_MAIN_RETURNED;
        code = 0;
        text = NULL;
    }
    /* acq_rel: pairs with rt_ended() */
    if (!atomic_compare_exchange_strong_explicit(&s->ended, &none, how + 1, memory_order_acq_rel, memory_order_relaxed))
        return;
    if (how == ENDED_DEADLOCK)
        emit(m, ev_of(m, EV_DEADLOCK, 0, 0, 0, 0, 0));
    if (text) {
        size_t len = strnlen(text, EV_TEXT_MAX);
        emit_text(m, ev_of(m, EV_FATAL, goid(curg(m)), 0, (uint32_t)fatal_kind, 0, (uint32_t)len), text, len);
    }
    uint32_t out = atomic_fetch_add_explicit(&s->outseq, 1, memory_order_relaxed) + 1; /* this number alone orders output */
    emit(m, ev_of(m, EV_PROGRAM_END, goid(curg(m)), (uint32_t)how, out, (uint32_t)code, 0));
    conductor_course_ends(m->w);
}

/* Logs the end of the program, once: later calls do nothing. No locks held. */
void program_end(struct m *m, int how, int fatal_kind, const char *text)
{
    end(m, how, 0, fatal_kind, text);
}

#define PANIC_WRITES 16 /* of a panic and one goroutine */
#define LINE_BYTES 40u  /* of a printed line, in addition to its text: claims keep it to the end of the run */

/* Prints a line. A scenario's print is defined as neither a scheduling nor a preemption point. In Go most calls are preemption points;
 * exported programs print with functions that are not (scenario/go/head.c). */
void rt_print(const char *text, size_t len)
{
    struct m *m = getm();
    if (lingers(m))
        return;
    if (len > EV_TEXT_MAX)
        len = EV_TEXT_MAX;
    memory_need(m, MEMORY_OUTPUT, len + LINE_BYTES);
    uint32_t out = atomic_fetch_add_explicit(&m->sched->outseq, 1, memory_order_relaxed) + 1; /* as above */
    emit_text(m, ev_of(m, EV_PRINT, goid(curg(m)), out, 0, 0, (uint32_t)len), text, len);
    conductor_gate(m->w);
}

/* Returns how many bytes the next event of this output has; *line: a newline follows, which is not in it. */
static size_t next_piece(const char *s, size_t n, bool *line)
{
    const char *end = memchr(s, '\n', n);
    size_t len = end ? (size_t)(end - s) : n;
    *line = end && len <= EV_TEXT_MAX;
    return len < EV_TEXT_MAX ? len : EV_TEXT_MAX;
}

/* One write of Go's is never broken into by another G's, so its events get their numbers in the output together. With rt_config.calls it is a system
 * call that takes time, as in Go: others run meanwhile, and sysmon may retake the P; and a G that writes to the same file parks until this write is over
 * (internal/poll's FD.Write), but not one that uses the builtin print. Else it is a step like others. */
void rt_write(int fd, bool file, const char *s, size_t n)
{
    struct m *m = getm();
    struct fdmutex *mu = file && m->sched->cfg.calls ? &m->sched->outputs[fd == 2] : NULL;
    uint32_t pieces = 0;
    bool line;
    for (size_t at = 0; at < n; pieces++)
        at += next_piece(s + at, n - at, &line) + line;
    if (!pieces || lingers(m))
        return;
    if (mu) {
        fd_lock(mu, 0);
        m = getm();
    }
    memory_need(m, MEMORY_OUTPUT, n + (size_t)pieces * LINE_BYTES);
    int64_t ns = conductor_call_ns(m->w);
    if (ns) {
        entersyscall(m, CALL_SYSCALL, false);
        conductor_call(m->w, ns);
        pieces = lingers(m) ? 0 : pieces; /* main has returned meanwhile */
    }
    uint32_t out = atomic_fetch_add_explicit(&m->sched->outseq, pieces, memory_order_relaxed) + 1; /* as above */
    for (size_t at = 0, len; at < n && pieces; at += len + line) {
        len = next_piece(s + at, n - at, &line);
        emit_text(m, ev_of(m, EV_PRINT, goid(curg(m)), out++, (line ? 0 : PRINT_PART) | (fd == 2 ? PRINT_STDERR : 0), 0, (uint32_t)len),
                  s + at, len);
    }
    if (ns) {
        conductor_call(m->w, ns / 4);
        exitsyscall(m);
    } else {
        conductor_gate(m->w);
    }
    if (mu) {
        fd_unlock(mu);
        conductor_gate(getm()->w);
    }
}

void rt_exit(int code)
{
    struct m *m = getm();
    end(m, ENDED_EXIT, code & 255, 0, NULL);
    stand_still(m);
}

void rt_endless(void)
{
    struct m *m = getm();
    program_end(m, ENDED_ENDLESS, 0, NULL);
    stand_still(m);
}

bool rt_alone(void)
{
    const struct m *m = getm();
    const struct sched *s = m->sched;
    /* relaxed, all: the baton orders them */
    bool alone = !atomic_load_explicit(&s->netpollwaiters, memory_order_relaxed) && !gc_marking(s);
    for (uint32_t i = 0; i < gomaxprocs(s) && alone; i++) {
        const struct p *pp = &s->allp[i];
        const struct m *of = atomic_load_explicit(&pp->m, memory_order_relaxed);
        alone = !atomic_load_explicit(&pp->timer0when, memory_order_relaxed) && (pstatus(pp) == P_IDLE || of == m || (of && of->spinning));
    }
    for (const struct m *of = atomic_load_explicit(&s->allm, memory_order_relaxed); of && alone; of = of->alllink)
        alone = !of->firing;
    for (const struct g *gp = s->allgs; gp && alone; gp = gp->allnext) {
        uint32_t status = atomic_load_explicit(&gp->status, memory_order_relaxed);
        alone = gp == curg(m) || status == G_WAITING || status == G_DEAD || status == G_IDLE;
    }
    return alone;
}

void rt_on_panic(void (*fn)(void *ctx, const char *text), void *ctx)
{
    struct g *gp = getg();
    gp->on_panic = fn;
    gp->on_panic_ctx = ctx;
}

/* Go's main waits when it returns while another G prints its panic. */
void await_panic(struct m *m)
{
    while (atomic_load_explicit(&m->sched->panicking, memory_order_relaxed))
        conductor_block(m->w, 1000000);
}

void fatalpanic(const char *text)
{
    struct m *m = getm();
    struct g *gp = curg(m);
    if (gp && gp->on_panic)
        gp->on_panic(gp->on_panic_ctx, text);
    int64_t ns = conductor_call_ns(m->w);
    if (ns) { /* Go writes its text in many small writes, and keeps its P; others go on, but main's return and another panic wait for it */
        if (atomic_exchange_explicit(&m->sched->panicking, true, memory_order_relaxed)) /* relaxed, both: only in lockstep */
            await_panic(m);
        conductor_block(m->w, PANIC_WRITES * ns);
    }
    program_end(m, ENDED_PANIC, FATAL_PANIC, text);
    stand_still(m);
}

void fatalerror(const char *text)
{
    struct m *m = getm();
    program_end(m, ENDED_FATAL, FATAL_FATAL, text);
    stand_still(m);
}

/* Ends the run because the system refuses something that the runtime needs. Neither the program nor the runtime is at fault, so no event
 * is logged and no claim is judged. m keeps the locks that it holds, as in throw(). Only the first lack is reported. Does not return. */
void lack(struct m *m, const char *what, int err)
{
    struct sched *s = m->sched;
    char words[80];
    /* relaxed: only decides which M is first */
    if (!atomic_exchange_explicit(&s->lacking, true, memory_order_relaxed)) {
        snprintf(s->lackbuf, sizeof s->lackbuf, err ? "%s: %s" : "%s", what, strerror_r(err, words, sizeof words));
        /* release: the text; pairs with acquire in rt_lack_text() */
        atomic_store_explicit(&s->lacktext, s->lackbuf, memory_order_release);
    }
    for (;;)
        conductor_usleep(m->w, 1000000000);
}

void rt_panic(const char *text)
{
    fatalpanic(text);
}

void rt_fatal(const char *text)
{
    fatalerror(text);
}
