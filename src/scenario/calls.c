/* Deferred operations, and panics.
 *
 * A program that defers has a place to which a panic comes back (setjmp); frames without one are left out. The deferred operations run there, as a
 * function of their own would in Go that sees the same variables. A panic that is not recovered goes on to the next such place, and ends the run if
 * there is none. What the runtime finds (send on closed channel) comes by rt_on_panic(). */
#include "scenario/scenario_internal.h"
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

/* In memory of the G. */
struct panic {
    struct panic *below;
    struct place *at; /* where its deferred operations run; NULL: it has not come there yet */
    bool goexit, recovered;
    char text[];
};
struct place {
    jmp_buf back;
    struct place *outer;
};

static void write_panics(const struct panic *p, char *buf, size_t size)
{
    size_t n = 0;
    buf[0] = '\0';
    if (p->below && !p->below->goexit) {
        write_panics(p->below, buf, size);
        n = strlen(buf);
        n += (size_t)snprintf(buf + n, size - n, "%s\n\tpanic: ", p->below->recovered ? " [recovered]" : "");
    }
    if (n < size)
        snprintf(buf + n, size - n, "%s", p->text);
}

/* Continues with the newest panic at the next place, or ends the G or the run. */
static void unwind(struct unwinding *u)
{
    char text[EV_TEXT_MAX + 1];
    if (u->place)
        longjmp(u->place->back, 1);
    rt_on_panic(NULL, NULL);
    if (u->panic->goexit)
        rt_goexit();
    write_panics(u->panic, text, sizeof text);
    rt_panic(text);
}

void raise_panic(struct unwinding *u, const char *text, bool goexit)
{
    struct panic *p = rt_alloc(sizeof *p + strlen(text) + 1);
    *p = (struct panic){.below = u->panic, .goexit = goexit};
    memcpy(p->text, text, strlen(text) + 1);
    u->panic = p;
    unwind(u);
}

bool recover_panic(struct unwinding *u)
{
    struct panic *p = u->panic;
    bool recovers = p && p->at == u->place && !p->goexit && !p->recovered;
    if (recovers)
        p->recovered = true;
    return recovers;
}

/* Drops the panics that were recovered here. */
static void forget(struct unwinding *u, const struct place *at)
{
    if (!u->panic || u->panic->at != at || !u->panic->recovered)
        return;
    while (u->panic && u->panic->at == at && !u->panic->goexit)
        u->panic = u->panic->below;
}

void run_deferring(struct frame *f, const struct block *body, void (*run)(struct frame *f, const struct block *b))
{
    struct unwinding *u = f->unwinding;
    struct place at = {.outer = u->place};
    u->place = &at;
    if (setjmp(at.back) == 0)
        run(f, body);
    else
        u->panic->at = &at;
    u->place = &at;
    while (f->deferred) {
        const struct block *list = f->deferred->list;
        f->deferred = f->deferred->next;
        f->leave = LEAVE_NOTHING;
        f->start->base = (uint32_t)(f->var - f->start->var);
        run(f, list);
        forget(u, &at);
    }
    u->place = at.outer;
    if (u->panic && u->panic->at == &at)
        unwind(u);
}
