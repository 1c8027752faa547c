/* Arrows make steals visible.
 *
 * An arrow is drawn for at least 800 ms of watching, then fades in steps. Watching means that the run is running or has ended. While the
 * run is paused, an arrow does not change until the next stop, and each further stop fades it by one step. When steals come faster than
 * arrows disappear, most new ones are not drawn, because nobody would see an arrow that is removed early. They are counted instead
 * (`rate`), and the few that are drawn are a sample.
 */
#include "ui/panes/arrows.h"

static const int64_t stage_ms[ARROW_STAGES] = {800, 400, 400};
enum { RATE_WINDOW_MS = 1000, RATE_SHOWN = 8, MANY_MAX = 2 };

static void add(struct arrows *a, const struct ev *e)
{
    if (a->n >= (a->rate ? MANY_MAX : ARROWS_MAX))
        return;
    uint32_t n = e->b >> 1;
    a->v[a->n++] = (struct arrow){.from = e->a, .to = e->p, .n = n ? n : 1};
}

void arrows_events(struct arrows *a, const struct session_event *ev, int n)
{
    for (int i = 0; i < n; i++) {
        if (ev[i].number <= a->last)
            continue;
        a->last = ev[i].number;
        if (ev[i].ev.kind == EV_STEAL)
            add(a, &ev[i].ev);
    }
}

void arrows_jump(struct arrows *a, const struct session_event *ev, int n)
{
    int newest = n - 1;
    while (newest >= 0 && ev_desc[ev[newest].ev.kind].level != EV_CORE)
        newest--;
    *a = (struct arrows){.last = newest >= 0 ? ev[newest].number - 1 : 0};
    if (newest >= 0)
        arrows_events(a, ev + newest, n - newest);
}

static void drop_gone(struct arrows *a)
{
    int kept = 0;
    for (int i = 0; i < a->n; i++)
        if (a->v[i].stage < ARROW_STAGES)
            a->v[kept++] = a->v[i];
    a->n = kept;
}

static bool measure_rate(struct arrows *a, int64_t ms, uint64_t steals)
{
    a->rate_ms += ms;
    if (a->rate_ms < RATE_WINDOW_MS)
        return false;
    uint64_t before = a->rate, grown = steals > a->rate_steals ? steals - a->rate_steals : 0;
    a->rate = grown * 1000 / (uint64_t)a->rate_ms;
    a->rate = a->rate < RATE_SHOWN ? 0 : a->rate;
    a->rate_ms = 0;
    a->rate_steals = steals;
    return a->rate != before;
}

bool arrows_watch(struct arrows *a, int64_t ms, uint64_t steals)
{
    bool changed = measure_rate(a, ms, steals);
    for (int i = 0; i < a->n; i++) {
        struct arrow *w = &a->v[i];
        w->watched += ms;
        if (w->watched >= stage_ms[w->stage]) {
            w->watched = 0;
            w->stage++;
            changed = true;
        }
    }
    drop_gone(a);
    return changed;
}

void arrows_stop(struct arrows *a)
{
    for (int i = 0; i < a->n; i++) {
        a->v[i].stage++;
        a->v[i].watched = 0;
    }
    drop_gone(a);
    a->rate = 0;
}

int64_t arrows_next(const struct arrows *a)
{
    int64_t next = a->rate ? RATE_WINDOW_MS - a->rate_ms : -1;
    for (int i = 0; i < a->n; i++) {
        int64_t left = stage_ms[a->v[i].stage] - a->v[i].watched;
        if (next < 0 || left < next)
            next = left;
    }
    return next;
}

enum role arrow_role(const struct arrow *a)
{
    static const enum role role[ARROW_STAGES] = {ROLE_arrow, ROLE_arrow_fading, ROLE_arrow_old};
    return role[a->stage];
}

static bool overlap(const struct span *x, const struct span *y)
{
    return x->lane == y->lane && x->top <= y->bottom && y->top <= x->bottom;
}

int arrows_lanes(struct span *s, int n)
{
    int lanes = 0;
    for (int i = 0; i < n; i++) {
        s[i].lane = 0;
        for (int j = 0; j < i; j++)
            if (overlap(&s[i], &s[j])) {
                s[i].lane++;
                j = -1; /* the lane changed: compare with all again */
            }
        lanes = s[i].lane + 1 > lanes ? s[i].lane + 1 : lanes;
    }
    return lanes;
}
