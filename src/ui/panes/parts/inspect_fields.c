/* The fields of a G, an M, a P and the scheduler, under the names that they have in the source of the run's generation.
 *
 * A field that no event reports has no row. The most important rows come first, because a low screen shows only those until the user scrolls. */
#include "ui/panes/parts/inspect.h"

#include <stdio.h>
#include <string.h>

enum { ANY = ALL_GENERATIONS, WITH_P = SINCE(GO1_4), SINCE_1_13 = SINCE(GO1_13) };

struct subject {
    const struct view *v;
    const struct model *md;
    uint32_t id;
    const struct model_g *g;
    const struct model_m *m;
    const struct model_p *p;
    unsigned gen;
    int preempt;
};

/* A row of a table. value: returns false if the field has no value now; it may write a meaning of its own. what: what the field says, for
 * whether that is known. */
#define ITSELF KNOW_WHATS /* it is as well known as the G, M or P itself */
struct row {
    unsigned generations;
    const char *name;
    enum text_id meaning;
    bool (*value)(const struct subject *s, struct field *f);
    enum model_what what;
};

/* ---- values ---- */

static void add_tag(struct field *f, char prefix, uint32_t id)
{
    if (f->ntags < FIELD_TAGS)
        f->tag[f->ntags++] = tag_of(prefix, id);
    else
        f->more++;
}

/* One G, M or P, or nil. */
static bool pointer(struct field *f, char prefix, uint32_t id)
{
    if (id == (prefix == 'G' ? 0 : EV_NONE))
        snprintf(f->value, sizeof f->value, "nil");
    else
        add_tag(f, prefix, id);
    return true;
}

static bool number(struct field *f, uint64_t n)
{
    snprintf(f->value, sizeof f->value, "%llu", (unsigned long long)n);
    return true;
}

static bool truth(struct field *f, bool is)
{
    snprintf(f->value, sizeof f->value, "%s", is ? "true" : "false");
    return true;
}

static bool list(struct field *f, char prefix, const uint32_t *id, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        add_tag(f, prefix, id[i]);
    if (!n)
        snprintf(f->value, sizeof f->value, "nil");
    return true;
}

/* The element after `id` in a list, as the link of `id` names it. Returns false if `id` is not in the list. */
static bool link_in(struct field *f, char prefix, uint32_t id, const uint32_t *of, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (of[i] == id)
            return pointer(f, prefix, i + 1 < n ? of[i + 1] : prefix == 'G' ? 0 : EV_NONE);
    return false;
}

static void meaning(const struct subject *s, struct field *f, enum text_id text)
{
    snprintf(f->meaning, sizeof f->meaning, "%s", tx(s->v->lang, text));
}

/* The function of a field that has its value in one place. */
#define FIELD(name, value) \
    static bool name(const struct subject *s, struct field *f) \
    { \
        return value; \
    }
/* ---- a G ---- */

static bool g_status(const struct subject *s, struct field *f)
{
    static const struct {
        const char *name;
        enum text_id meaning;
    } of[] = {[G_IDLE] = {"_Gidle", TX_IN_G_IDLE},          [G_RUNNABLE] = {"_Grunnable", TX_IN_G_RUNNABLE},
              [G_RUNNING] = {"_Grunning", TX_IN_G_RUNNING}, [G_SYSCALL] = {"_Gsyscall", TX_IN_G_SYSCALL},
              [G_WAITING] = {"_Gwaiting", TX_IN_G_WAITING}, [G_UNKNOWN] = {"_Gidle", TX_IN_G_IDLE},
              [G_DEAD] = {"_Gdead", TX_IN_G_DEAD}};
    uint8_t i = s->g->status < sizeof of / sizeof *of ? s->g->status : G_IDLE;
    snprintf(f->value, sizeof f->value, "%s",
             of[i].name + !!(s->gen & UNTIL(GO1_0))); /* the constants of the C source have no underscore */
    meaning(s, f, of[i].meaning);
    return true;
}

/* "for mutex mu", "to send on a channel: jobs", "for its timer". Go's reason for a semaphore does not name the kind of the object. */
static void reason_text(const struct subject *s, char *out, size_t size)
{
    struct ev_object o = ev_waits_for(s->g->reason, s->g->obj);
    enum lang lang = s->v->lang;
    const char *reason = ev_say(FT_REASON, s->g->reason, lang), *kind = object_kind_text(o.kind, lang);
    char name[OBJECT_NAME];
    bool lock = o.kind == OBJ_MUTEX || o.kind == OBJ_WRITERS;
    if (o.kind == OBJ_WRITERS)
        o.kind = OBJ_RWMUTEX; /* a writer waits for the mutex inside of it */
    if (lock || (s->g->reason == WAIT_REASON_SEMACQUIRE && o.kind != OBJ_NONE))
        snprintf(out, size, tx(lang, TX_F_WAITS_FOR), kind, model_object_name(s->md, o, name));
    else if (o.kind != OBJ_NONE)
        snprintf(out, size, "%s: %s", reason ? reason : "", model_object_name(s->md, o, name));
    else
        snprintf(out, size, "%s", reason ? reason : "");
}

static bool g_waitreason(const struct subject *s, struct field *f)
{
    const char *go = event_go_reason(s->md, s->g);
    char reason[OBJECT_NAME + 80];
    if (s->g->status != G_WAITING || !go)
        return false;
    reason_text(s, reason, sizeof reason);
    snprintf(f->value, sizeof f->value, "%s", go);
    snprintf(f->meaning, sizeof f->meaning, tx(s->v->lang, TX_IN_WAITREASON), reason);
    return true;
}

static bool g_waitsince(const struct subject *s, struct field *f)
{
    time_text(s->g->since, f->value, sizeof f->value);
    return s->g->status == G_WAITING;
}

FIELD(g_m, pointer(f, 'M', s->g->place == PLACE_RUNNING ? s->g->where : EV_NONE))

static bool g_schedlink(const struct subject *s, struct field *f)
{
    const uint32_t *q;
    uint32_t n = model_globq(s->md, &q);
    return s->g->place == PLACE_GLOBQ && link_in(f, 'G', s->id, q, n);
}

FIELD(g_preempt, (s->g->status == G_RUNNING || s->g->status == G_SYSCALL) && s->preempt >= 0 && truth(f, s->preempt))

static bool g_lockedm(const struct subject *s, struct field *f)
{
    for (uint32_t m = 0; m < model_nm(s->md); m++)
        if (model_m(s->md, m)->started && model_m(s->md, m)->lockedg == s->id)
            return pointer(f, 'M', m);
    return pointer(f, 'M', EV_NONE);
}

static bool g_timer(const struct subject *s, struct field *f)
{
    const struct snap_timer *t;
    for (uint32_t i = 0; s->g->reason == WAIT_REASON_SLEEP && i < model_heaps(s->md); i++)
        for (uint32_t n = model_heap(s->md, i, &t); n--;)
            if (t[n].g == s->id) {
                time_text(t[n].when, f->value, sizeof f->value);
                return true;
            }
    return false;
}

static bool is_remembered(const struct subject *s)
{
    return s->g->fn != MODEL_FORGOTTEN;
}

static bool g_startpc(const struct subject *s, struct field *f)
{
    snprintf(f->value, sizeof f->value, "%s", model_fn_name(s->md, s->id));
    return is_remembered(s);
}

static bool g_gopc(const struct subject *s, struct field *f)
{
    if (!is_remembered(s) || !s->g->by)
        return false;
    add_tag(f, 'G', s->g->by);
    snprintf(f->value, sizeof f->value, "%s", model_fn_name(s->md, s->g->by));
    return true;
}

FIELD(own_id, number(f, s->id))
FIELD(g_i, is_remembered(s) && !model_is_partial(s->md) && !ev_is_system_g(s->id) && number(f, s->g->i))

static const struct row g_rows[] = {
    {WITH_P, "atomicstatus", TX_NONE, g_status, KNOW_G_STATE},
    {UNTIL(GO1_0), "status", TX_NONE, g_status, KNOW_G_STATE},
    {ANY, "waitreason", TX_NONE, g_waitreason, KNOW_G_REASON},
    {SINCE_1_13, "timer", TX_IN_TIMER, g_timer, KNOW_BEFORE},
    {ANY, "m", TX_IN_G_M, g_m, KNOW_G_STATE},
    {ANY, "schedlink", TX_IN_G_SCHEDLINK, g_schedlink, KNOW_G_PLACE},
    {WITH_P, "waitsince", TX_IN_WAITSINCE, g_waitsince, KNOW_G_SINCE},
    {WITH_P, "preempt", TX_IN_PREEMPT, g_preempt, ITSELF},
    {SINCE_1_13, "startpc", TX_IN_STARTPC, g_startpc, KNOW_G_FN},
    {UNTIL(GO1_0), "entry", TX_IN_STARTPC, g_startpc, KNOW_G_FN},
    {ANY, "gopc", TX_IN_GOPC, g_gopc, ITSELF},
    {ANY, "lockedm", TX_IN_LOCKEDM, g_lockedm, KNOW_BEFORE},
    {ANY, "goid", TX_IN_GOID, own_id, ITSELF},
    {ANY, "i", TX_IN_I, g_i, KNOW_G_FN},
};

/* ---- an M ---- */

/* Before Go 1.12 an M kept its P in this field during a system call. */
FIELD(m_p, pointer(f, 'P', s->m->p == EV_NONE && (s->gen & BETWEEN(GO1_4, GO1_4)) ? s->m->oldp : s->m->p))
FIELD(m_curg, pointer(f, 'G', s->m->curg))
FIELD(m_spinning, truth(f, s->m->spinning))

static bool sleeps(const struct model_m *m)
{
    return m->blocked || m->idlelocked > 0;
}

/* sysmon sleeps on a note too, but the log does not say when. */
FIELD(m_blocked, !s->m->sysmon && truth(f, sleeps(s->m)))
FIELD(m_waitnextg, !s->m->sysmon && number(f, sleeps(s->m)))
FIELD(m_lockedg, pointer(f, 'G', s->m->lockedg))
FIELD(m_oldp, pointer(f, 'P', s->m->oldp))

static bool m_schedlink(const struct subject *s, struct field *f)
{
    const uint32_t *idle;
    uint32_t n = model_idlem(s->md, &idle);
    return link_in(f, 'M', s->id, idle, n);
}

static bool m_hand(const struct subject *s, struct field *f)
{
    f->name = tx(s->v->lang, TX_F_HAND);
    return s->m->transit_n && list(f, 'G', s->m->transit, s->m->transit_n);
}

static const struct row m_rows[] = {
    {WITH_P, "p", TX_IN_M_P, m_p, KNOW_M_P},
    {ANY, "curg", TX_IN_CURG, m_curg, KNOW_M_G},
    {WITH_P, "spinning", TX_IN_SPINNING, m_spinning, KNOW_M_STATE},
    {WITH_P, "blocked", TX_IN_BLOCKED, m_blocked, KNOW_M_STATE},
    {UNTIL(GO1_0), "waitnextg", TX_IN_WAITNEXTG, m_waitnextg, ITSELF},
    {ANY, NULL, TX_IN_HAND, m_hand, ITSELF},
    {SINCE_1_13, "oldp", TX_IN_OLDP, m_oldp, KNOW_M_P},
    {ANY, "lockedg", TX_IN_LOCKEDG, m_lockedg, KNOW_BEFORE},
    {ANY, "schedlink", TX_IN_M_SCHEDLINK, m_schedlink, ITSELF},
    {ANY, "id", TX_IN_GOID, own_id, ITSELF},
};

/* ---- a P ---- */

static bool p_status(const struct subject *s, struct field *f)
{
    static const struct {
        const char *name;
        enum text_id meaning;
    } of[] = {[P_IDLE] = {"_Pidle", TX_IN_P_IDLE},
              [P_RUNNING] = {"_Prunning", TX_IN_P_RUNNING},
              [P_SYSCALL] = {"_Psyscall", TX_IN_P_SYSCALL},
              [P_GCSTOP] = {"_Pgcstop", TX_IN_P_GCSTOP},
              [P_DEAD] = {"_Pdead", TX_IN_P_DEAD}};
    uint32_t i = s->p->status < sizeof of / sizeof *of ? s->p->status : P_IDLE;
    snprintf(f->value, sizeof f->value, "%s", of[i].name);
    meaning(s, f, i == P_RUNNING && model_p_in_call(s->md, s->id) ? TX_IN_P_WIRED : of[i].meaning);
    return true;
}

FIELD(p_m, pointer(f, 'M', s->p->m))
FIELD(p_runnext, !s->v->st.no_runnext && pointer(f, 'G', s->p->runnext))

static bool p_runq(const struct subject *s, struct field *f)
{
    uint32_t n = s->p->tail - s->p->head;
    for (uint32_t i = 0; i < n; i++)
        add_tag(f, 'G', s->p->ring[(s->p->head + i) % model_runq_size(s->md)]);
    if (!n)
        snprintf(f->value, sizeof f->value, "-");
    snprintf(f->meaning, sizeof f->meaning, tx(s->v->lang, TX_IN_RUNQ), n, model_runq_size(s->md));
    return true;
}

/* Head and tail only grow. Their remainders are the slots in the ring. */
static void slot_meaning(const struct subject *s, struct field *f, enum text_id text)
{
    snprintf(f->meaning, sizeof f->meaning, tx(s->v->lang, text), model_runq_size(s->md));
}

static bool p_runqhead(const struct subject *s, struct field *f)
{
    slot_meaning(s, f, TX_IN_RUNQHEAD);
    return number(f, s->p->head);
}

static bool p_runqtail(const struct subject *s, struct field *f)
{
    slot_meaning(s, f, TX_IN_RUNQTAIL);
    return number(f, s->p->tail);
}

FIELD(p_schedtick, number(f, s->p->schedtick))
FIELD(p_timers, number(f, s->p->ntimers))

static bool p_timer0(const struct subject *s, struct field *f)
{
    if (s->p->ntimers)
        time_text(s->p->timers[0].when, f->value, sizeof f->value);
    return s->p->ntimers;
}

static bool p_link(const struct subject *s, struct field *f)
{
    const uint32_t *idle;
    uint32_t n = model_idlep(s->md, &idle);
    return link_in(f, 'P', s->id, idle, n);
}

static const struct row p_rows[] = {
    {ANY, "status", TX_NONE, p_status, KNOW_P_STATE},
    {ANY, "m", TX_IN_P_M, p_m, KNOW_P_M},
    {SINCE_1_13, "runnext", TX_IN_RUNNEXT, p_runnext, KNOW_P_RUNNEXT},
    {ANY, "runq", TX_NONE, p_runq, KNOW_P_RUNQ},
    {ANY, "schedtick", TX_IN_SCHEDTICK, p_schedtick, KNOW_P_TICK},
    {ANY, "runqhead", TX_NONE, p_runqhead, KNOW_P_HEAD},
    {ANY, "runqtail", TX_NONE, p_runqtail, KNOW_P_TAIL},
    {SINCE(GO1_20), "numTimers", TX_IN_TIMERS, p_timers, KNOW_P_TIMERS},
    {SINCE(GO1_20), "timer0When", TX_IN_TIMER0, p_timer0, ITSELF},
    {ANY, "link", TX_IN_P_LINK, p_link, ITSELF},
    {ANY, "id", TX_IN_GOID, own_id, ITSELF},
};

/* ---- the scheduler ---- */

FIELD(s_gomaxprocs, number(f, model_np(s->md)))

static bool s_runq(const struct subject *s, struct field *f)
{
    const uint32_t *q;
    uint32_t n = model_globq(s->md, &q);
    return list(f, 'G', q, n);
}

FIELD(s_runqsize, number(f, model_globq(s->md, NULL)))

static bool s_pidle(const struct subject *s, struct field *f)
{
    const uint32_t *idle;
    uint32_t n = model_idlep(s->md, &idle);
    return list(f, 'P', idle, n);
}

FIELD(s_npidle, number(f, model_npidle(s->md)))

static bool s_midle(const struct subject *s, struct field *f)
{
    const uint32_t *idle;
    uint32_t n = model_idlem(s->md, &idle);
    return list(f, 'M', idle, n);
}

FIELD(s_nmidle, number(f, model_idlem(s->md, NULL)))
FIELD(s_nmspinning, number(f, model_nmspinning(s->md)))
FIELD(s_needspinning, number(f, model_needspinning(s->md)))
FIELD(s_gcwaiting, truth(f, model_world(s->md).state != WORLD_RUNS))

static const struct row s_rows[] = {
    {SINCE_1_13, "runq", TX_IN_S_RUNQ, s_runq, KNOW_GLOBQ},
    {BETWEEN(GO1_4, GO1_4), "runqhead", TX_IN_S_RUNQ, s_runq, KNOW_GLOBQ},
    {UNTIL(GO1_0), "ghead", TX_IN_S_RUNQ, s_runq, KNOW_GLOBQ},
    {WITH_P, "runqsize", TX_IN_S_RUNQSIZE, s_runqsize, KNOW_GLOBQ_LEN},
    {UNTIL(GO1_0), "gwait", TX_IN_S_RUNQSIZE, s_runqsize, KNOW_GLOBQ_LEN},
    {WITH_P, "pidle", TX_IN_S_PIDLE, s_pidle, KNOW_IDLE_P},
    {WITH_P, "npidle", TX_IN_S_NPIDLE, s_npidle, KNOW_IDLE_P_N},
    {WITH_P, "midle", TX_IN_S_MIDLE, s_midle, KNOW_IDLE_M},
    {WITH_P, "nmidle", TX_IN_S_NMIDLE, s_nmidle, KNOW_IDLE_M},
    {UNTIL(GO1_0), "mhead", TX_IN_S_MIDLE, s_midle, KNOW_IDLE_M},
    {UNTIL(GO1_0), "mwait", TX_IN_S_NMIDLE, s_nmidle, KNOW_IDLE_M},
    {WITH_P, "nmspinning", TX_IN_S_NMSPINNING, s_nmspinning, KNOW_SPINNING},
    {SINCE(GO1_20), "needspinning", TX_IN_S_NEEDSPINNING, s_needspinning, KNOW_BEFORE},
    {ANY, "gcwaiting", TX_IN_S_GCWAITING, s_gcwaiting, KNOW_BEFORE},
    {WITH_P, "gomaxprocs", TX_IN_S_GOMAXPROCS, s_gomaxprocs, KNOW_PS},
};

/* ---- what is not known ---- */

/* Replaces a value that is not known by "?", and marks one that is derived. */
static void mark_unknown(const struct subject *s, struct field *f, const struct row *row)
{
    enum model_known known = row->what == ITSELF ? KNOWN_FACT : model_knows(s->md, row->what, s->id);
    if (known == KNOWN_NOT) {
        f->ntags = f->more = 0;
        snprintf(f->value, sizeof f->value, "?");
        if (row->value != p_runq || model_knows(s->md, KNOW_P_LEN, s->id) == KNOWN_NOT) /* else it says how many Gs there are */
            meaning(s, f, TX_NOT_RECORDED_WHY);
    } else if (known == KNOWN_DERIVED && f->ntags) {
        meaning(s, f, TX_LEGEND_DERIVED);
    } else if (known == KNOWN_DERIVED) {
        memmove(f->value + 1, f->value, sizeof f->value - 1);
        f->value[0] = '~';
        f->value[sizeof f->value - 1] = '\0';
    }
}

/* ---- sheets ---- */

static void add_rows(struct sheet *to, const struct subject *s, const struct row *row, size_t n)
{
    for (size_t i = 0; i < n && to->n < FIELDS_MAX; i++) {
        struct field *f = &to->v[to->n];
        if (!(row[i].generations & s->gen))
            continue;
        *f = (struct field){.name = row[i].name};
        if (row[i].meaning != TX_NONE)
            meaning(s, f, row[i].meaning);
        bool has = row[i].value(s, f);
        if (has)
            mark_unknown(s, f, &row[i]);
        to->n += has;
    }
}

#define ADD_ROWS(to, s, rows) add_rows(to, s, rows, sizeof(rows) / sizeof *(rows))

void inspect_fields(struct sheet *to, const struct view *v, const struct model *md, uint32_t tag, int preempt)
{
    struct subject s = {.v = v, .md = md, .id = thing_id(tag), .gen = generation_of(v), .preempt = preempt};
    uint32_t kind = thing_kind(tag);
    to->n = 0;
    s.g = kind == THING_G ? model_g(md, s.id) : NULL;
    s.m = kind == THING_M && s.id < model_nm(md) && model_m(md, s.id)->started ? model_m(md, s.id) : NULL;
    s.p = kind == THING_P ? model_p(md, s.id) : NULL;
    if (s.g)
        ADD_ROWS(to, &s, g_rows);
    else if (s.m)
        ADD_ROWS(to, &s, m_rows);
    else if (s.p)
        ADD_ROWS(to, &s, p_rows);
    else if (!tag)
        ADD_ROWS(to, &s, s_rows);
}
