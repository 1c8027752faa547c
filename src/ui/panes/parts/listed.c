/* Which events have a sentence in a list, and which rows the newest sentence names.
 *
 * A wakep() that finds no idle P is three events: reserve, set needspinning, give back. They come with each new G while all Ps are busy. One
 * sentence stands for the three, so that they do not fill the list. A sentence that was shown never disappears, so the first two wait until
 * the M's next event says how the wakep() ended.
 */
#include "ui/panes/panes.h"

#include <stdio.h>

static bool is(const struct view *v, int i, uint8_t kind)
{
    return i >= 0 && i < v->nev && v->ev[i].ev.kind == kind;
}

static bool is_core(const struct session_event *e)
{
    return ev_desc[e->ev.kind].level == EV_CORE;
}

/* The same M's core event before (by -1) or after (by 1) event i; out of range if there is none. */
static int neighbour(const struct view *v, int i, int by)
{
    if (i < 0 || i >= v->nev)
        return -1;
    uint32_t m = v->ev[i].m;
    do
        i += by;
    while (i >= 0 && i < v->nev && (v->ev[i].m != m || !is_core(&v->ev[i])));
    return i;
}

/* Is event i the needspinning between a wakep() and its end? At the beginning of the list the wakep() may be out of sight. */
static bool between(const struct view *v, int i)
{
    int before = neighbour(v, i, -1);
    return is(v, i, EV_NEEDSPINNING) && (before < 0 || is(v, before, EV_WAKEP));
}

/* Is event i the end of a wakep() without an idle P, whose sentence stands for all its events? */
static bool woke_nobody(const struct view *v, int i)
{
    return is(v, i, EV_SPIN_STOP) && v->ev[i].ev.c == SPIN_STOP_NO_IDLE_P && between(v, neighbour(v, i, -1));
}

/* Returns the event that says how the wakep() of event i ended: the length of the list if it is not known yet, -1 if event i is not one of the
 * first two of three. */
static int end_of(const struct view *v, int i)
{
    bool first = is(v, i, EV_WAKEP);
    if (!first && !between(v, i))
        return -1;
    int next = neighbour(v, i, 1);
    return first && between(v, next) ? neighbour(v, next, 1) : next;
}

bool event_is_open(const struct view *v, int i)
{
    return is_core(&v->ev[i]) && end_of(v, i) >= v->nev;
}

static bool waits_for_its_end(const struct view *v, int i)
{
    int end = end_of(v, i);
    return end >= v->nev || (end >= 0 && woke_nobody(v, end));
}

bool event_listed(const struct view *v, int i)
{
    return is_core(&v->ev[i]) && !waits_for_its_end(v, i);
}

int newest_listed(const struct view *v)
{
    int i = v->nev - 1;
    while (i >= 0 && !event_listed(v, i))
        i--;
    return i;
}

int event_now(const struct view *v)
{
    int i = v->nev - 1;
    return i >= 0 && v->st.paused && !is_core(&v->ev[i]) ? i : newest_listed(v);
}

bool event_names(const struct session_event *e, uint32_t tag)
{
    uint32_t id = thing_id(tag);
    enum ev_ftype type = thing_kind(tag) == THING_P ? FT_P : thing_kind(tag) == THING_M ? FT_M : FT_G;
    if ((type == FT_M && e->m == id) || (type == FT_P && e->ev.p == id) || (type == FT_G && e->ev.g == id))
        return true;
    for (const struct ev_field *f = ev_desc[e->ev.kind].field; f->name; f++)
        if (f->type == type && ev_value(&e->ev, e->m, f) == (int64_t)id)
            return true;
    return false;
}

const char *listed_sentence(const struct view *v, int i, char buf[SENTENCE_BYTES])
{
    return woke_nobody(v, i) ? tx(v->lang, TX_NOBODY_WOKEN) : sentence_of(v, &v->ev[i], buf);
}

const char *spawns_sentence(const struct view *v, const struct session_event *e, struct spawn_told told, char buf[SENTENCE_BYTES])
{
    char first[EV_G_NAME], last[EV_G_NAME], fn[64];
    const struct ev_field *f = ev_field(e->ev.kind, "fn", 2);
    event_value(v->md, f, ev_value(&e->ev, e->m, f), NULL, 0, fn, sizeof fn);
    snprintf(buf, SENTENCE_BYTES, tx(v->lang, TX_SPAWNS), e->ev.a, ev_g_name(told.first, first), ev_g_name(e->ev.g, last), fn, told.n);
    return buf;
}

/* Appends a part of the sentence that is about thing `id`; EV_NONE: it is not known yet. */
static int boot_part(const struct view *v, enum text_id text, uint32_t id, char buf[SENTENCE_BYTES], int n)
{
    return id == EV_NONE ? n : n + snprintf(buf + n, SENTENCE_BYTES - (size_t)n, tx(v->lang, text), id);
}

const char *boot_sentence(const struct view *v, struct boot boot, char buf[SENTENCE_BYTES])
{
    int n = boot_part(v, TX_BOOT, boot.first, buf, 0);
    n = boot_part(v, TX_BOOT_PROCS, boot.procs ? boot.procs : EV_NONE, buf, n);
    n = boot_part(v, TX_BOOT_SYSMON, boot.sysmon, buf, n);
    n = boot_part(v, TX_BOOT_MAIN, boot.runs_main, buf, n);
    snprintf(buf + n, SENTENCE_BYTES - (size_t)n, "%s", tx(v->lang, TX_BOOT_END));
    return buf;
}
