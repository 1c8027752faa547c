/* While a run plays, each picture is compared with the one before it, if there are few events between them. A stop is compared with the
 * stop before it. So a step, a round, a long run to a breakpoint and a step back all end with marks on what they changed.
 *
 * On the way from one stop to the next (paused, but not still) the base is the newest stop. The first stop has none before it and keeps
 * the marks of the last picture.
 */
#include "ui/panes/parts/diff_base.h"

enum { MARKED_EVENTS = 12 };

static void put(struct shown_state *at, struct shown_state next)
{
    model_free(at->md);
    *at = next;
}

static uint64_t number(const struct shown_state *s)
{
    return s->md ? model_events(s->md) : 0;
}

static uint64_t distance(const struct shown_state *a, const struct shown_state *b)
{
    return number(a) < number(b) ? number(b) - number(a) : number(a) - number(b);
}

static void remember(struct diff_base *s)
{
    if (s->here.md && number(&s->here) == number(&s->shown))
        return;
    put(&s->last, s->here);
    s->here = (struct shown_state){model_clone(s->shown.md), s->shown.lines};
}

void diff_base_show(struct diff_base *s, struct shown_state next, bool running, bool still)
{
    if (s->shown.md && distance(&s->shown, &next)) {
        s->many = distance(&s->shown, &next) > MARKED_EVENTS;
        put(&s->before, s->shown);
        s->shown = next;
    } else {
        put(&s->shown, next);
    }
    s->running = running;
    if (!running && still)
        remember(s);
}

void diff_base_leave(struct diff_base *s)
{
    if (!s->running && s->shown.md)
        remember(s);
}

struct shown_state diff_base_base(const struct diff_base *s)
{
    struct shown_state none = {0};
    const struct shown_state *base = number(&s->here) == number(&s->shown) ? &s->last : &s->here;
    if (!s->running) /* nothing is marked at the first stop: which frames came before it depends on the clock */
        return *base;
    return s->many ? none : s->before;
}

void diff_base_fini(struct diff_base *s)
{
    struct shown_state none = {0};
    put(&s->shown, none);
    put(&s->before, none);
    put(&s->here, none);
    put(&s->last, none);
}
