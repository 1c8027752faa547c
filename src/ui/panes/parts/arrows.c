/* Arrows make moves visible.
 *
 * An arrow belongs to its event. It is drawn while its event is among the newest core events, and at a stop only if it came after the stop
 * before. So the same stop always shows the same arrows, however fast the run got there and however long a person looks at it.
 *
 * When steals come faster than anybody can follow, a number counts them as well.
 */
#include "ui/panes/parts/arrows.h"

enum { AGE_MAX = 8, FRESH = 2, FADING = 5, RATE_SHOWN = 8 };

static bool is_core(const struct session_event *e)
{
    return ev_desc[e->ev.kind].level == EV_CORE;
}

/* After a step back the stop before is later than what is shown: then only the newest core event counts. */
static uint64_t first_shown(const struct view *v)
{
    int newest = v->nev - 1;
    if (!v->st.paused || !v->base || v->diff.two)
        return 0;
    while (newest > 0 && !is_core(&v->ev[newest]))
        newest--;
    uint64_t stop = model_events(v->base);
    return stop < v->st.events || newest < 0 ? stop + 1 : v->ev[newest].number;
}

/* Did the M of event i give P p to a locked M right before? */
static bool gave_to_locked(const struct view *v, int i, uint32_t p)
{
    uint32_t m = v->ev[i].m;
    do
        i--;
    while (i >= 0 && (v->ev[i].m != m || !is_core(&v->ev[i])));
    return i >= 0 && v->ev[i].ev.kind == EV_M_WAKE_LOCKED && (v->ev[i].ev.c & 0xffff) == p;
}

/* Returns the M that has handed P p to M `to` before event i, EV_NONE if none has: the P was idle, or `to` had it before. */
static uint32_t giver_of(const struct view *v, int i, uint32_t p, uint32_t to)
{
    bool handed = false, retaken = false;
    while (--i >= 0) {
        const struct ev *e = &v->ev[i].ev;
        handed |= e->kind == EV_HANDOFF && e->p == p;
        retaken |= e->kind == EV_RETAKE && e->p == p;
        bool left = (e->kind == EV_P_RELEASE && e->p == p) || (retaken && e->kind == EV_SYSCALL_ENTER && e->p == p);
        if (left)
            return v->ev[i].m != to && (handed || gave_to_locked(v, i, p)) ? v->ev[i].m : EV_NONE;
        if ((e->kind == EV_P_IDLE || e->kind == EV_P_TAKE || e->kind == EV_P_ACQUIRE) && e->p == p)
            return EV_NONE;
    }
    return EV_NONE;
}

static bool handoff_of(const struct view *v, int i, uint32_t p, uint32_t to, int age, struct arrow *out)
{
    uint32_t giver = giver_of(v, i, p, to);
    if (giver != EV_NONE)
        *out = (struct arrow){ARROW_HANDOFF, p, p, to, age, giver};
    return giver != EV_NONE;
}

/* Returns false if event i is none that has an arrow. */
static bool arrow_of(const struct view *v, int i, int age, struct arrow *out)
{
    const struct ev *e = &v->ev[i].ev;
    uint32_t taken = e->b >> 1, waker = e->p == EV_NO_P ? e->d : e->p;
    switch (e->kind) {
    case EV_STEAL: /* a runnext that is stolen counts as one */
        *out = (struct arrow){ARROW_STEAL, e->a & 0xffff, e->p, taken ? taken : 1, age, 0};
        return true;
    case EV_RUNQ_OVERFLOW:
        *out = (struct arrow){ARROW_TO_GLOBQ, e->p, e->p, e->a, age, 0};
        return true;
    case EV_GLOBQ_GET:
        *out = (struct arrow){ARROW_FROM_GLOBQ, e->p, e->p, e->a, age, 0};
        return e->p != EV_NO_P && e->a > 0;
    case EV_M_WAKE:
        if (handoff_of(v, i, e->d, e->a, age, out))
            return true;
        *out = (struct arrow){ARROW_WAKE, waker, e->d, e->a, age, 0};
        return e->d != EV_NO_P;
    case EV_P_ACQUIRE:
        return handoff_of(v, i, e->p, v->ev[i].m, age, out);
    default:
        return false;
    }
}

int arrows_of(const struct view *v, struct arrow out[ARROWS_MAX])
{
    struct arrow newest_first[ARROWS_MAX];
    int n = 0, age = 0;
    uint64_t first = first_shown(v);
    for (int i = v->nev - 1; i >= 0 && age < AGE_MAX && n < ARROWS_MAX && v->ev[i].number >= first; i--) {
        n += arrow_of(v, i, age, &newest_first[n]);
        age += is_core(&v->ev[i]);
    }
    for (int i = 0; i < n; i++)
        out[i] = newest_first[n - 1 - i];
    return n;
}

/* Scenario time, so that the number does not depend on the machine. In lockstep it hardly passes, and a person can follow. */
uint64_t arrows_rate(const struct view *v)
{
    uint64_t steals = 0;
    if (v->st.lockstep || v->st.paused || v->st.ended || v->nev < 2)
        return 0;
    for (int i = 0; i < v->nev; i++)
        steals += v->ev[i].ev.kind == EV_STEAL;
    int64_t ns = v->ev[v->nev - 1].ev.time - v->ev[0].ev.time;
    uint64_t rate = ns > 0 ? steals * 1000000000 / (uint64_t)ns : 0;
    return steals > 1 && rate >= RATE_SHOWN ? rate : 0;
}

enum role arrow_role(const struct arrow *a)
{
    return a->age < FRESH ? ROLE_arrow : a->age < FADING ? ROLE_arrow_fading : ROLE_arrow_old;
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
