/* See page_state.h. */
#include "engine/export/page_state.h"
#include <stdlib.h>
#include <string.h>

#define ID(prefix, name) prefix##name,
#define X(name) ID(SCHED_, name)
enum { PAGE_SCHED_CELLS(X) SCHED_CELLS };
enum { PAGE_SCHED_LISTS(X) SCHED_LISTS };
#undef X
#define X(name) ID(P_, name)
enum { PAGE_P_CELLS(X) P_CELLS };
enum { PAGE_P_LISTS(X) P_LISTS };
#undef X
#define X(name) ID(M_, name)
enum { PAGE_M_CELLS(X) M_CELLS };
enum { PAGE_M_LISTS(X) M_LISTS };
#undef X
_Static_assert((int)SCHED_CELLS <= (int)PAGE_OF_SCOPE && (int)P_CELLS <= (int)PAGE_OF_SCOPE && (int)M_CELLS <= (int)PAGE_OF_SCOPE,
               "a scope has room for its cells");

enum { CHANGE_CELL, CHANGE_LIST, CHANGE_G, CHANGE_OTHER };
enum { OTHER_PRINT = 1, OTHER_MOVE };
enum { UNKNOWN = -1, ALL_GS_AGAIN = 4096 };

/* ---- what is written ---- */

static void put(struct page_state *s, uint64_t n)
{
    s->lacks |= !export_varint(&s->ops, n);
}

static void put_signed(struct page_state *s, int64_t n)
{
    put(s, (uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}

static void begin_change(struct page_state *s, uint64_t number, unsigned what)
{
    s->nops++;
    put(s, number << 2 | what);
}

static size_t number_of(enum page_scope scope, uint32_t index, unsigned place)
{
    return ((size_t)index * PAGE_SCOPES + scope) * PAGE_OF_SCOPE + place;
}

static void touch(struct page_state *s, uint64_t g)
{
    s->lacks |= g && !vec_push(&s->touched, (uint32_t)g);
}

static void set(struct page_state *s, size_t number, int64_t value)
{
    while (s->cell.n <= number)
        if (!vec_push(&s->cell, 0)) {
            s->lacks = true;
            return;
        }
    if (s->cell.v[number] == value)
        return;
    s->cell.v[number] = value;
    begin_change(s, number, CHANGE_CELL);
    put_signed(s, value);
}

/* A cell with a G: that G, and the one before, may have changed. */
static void set_g(struct page_state *s, size_t number, int64_t g)
{
    int64_t was = number < s->cell.n ? s->cell.v[number] : 0;
    if (was == g)
        return;
    touch(s, was > 0 ? (uint64_t)was : 0);
    touch(s, g > 0 ? (uint64_t)g : 0);
    set(s, number, g);
}

static bool list_room(struct page_list *l, size_t n)
{
    if (n <= l->cap)
        return true;
    size_t cap = n < 8 ? 8 : n * 2;
    uint64_t *v = realloc(l->v, cap * sizeof *v);
    if (v) {
        l->v = v;
        l->cap = cap;
    }
    return v;
}

static void add(struct page_state *s, uint64_t id)
{
    s->lacks |= !vec_push(&s->scratch, id);
}

/* Writes how the list becomes what was added since the last call: one stretch is replaced. gs: it is a list of Gs. */
static void set_list(struct page_state *s, size_t number, bool gs)
{
    static const struct page_list none = {0};
    const size_t n = s->scratch.n;
    const uint64_t *v = s->scratch.v;
    s->scratch.n = 0;
    while (s->list.n <= number)
        if (!vec_push(&s->list, none)) {
            s->lacks = true;
            return;
        }
    struct page_list *l = &s->list.v[number];
    size_t same = 0, after = 0, most = n < l->n ? n : l->n;
    while (same < most && l->v[same] == v[same])
        same++;
    if (same == n && same == l->n)
        return;
    while (after < most - same && l->v[l->n - 1 - after] == v[n - 1 - after])
        after++;
    if (!list_room(l, n)) {
        s->lacks = true;
        return;
    }
    begin_change(s, number, CHANGE_LIST);
    put(s, same);
    put(s, l->n - same - after);
    put(s, n - same - after);
    for (size_t i = same; i < n - after; i++)
        put(s, v[i]);
    for (size_t i = same; gs && i < l->n - after; i++)
        touch(s, l->v[i]);
    for (size_t i = same; gs && i < n - after; i++)
        touch(s, v[i]);
    if (n)
        memcpy(l->v, v, n * sizeof *v);
    l->n = n;
}

/* ---- the parts of a state ---- */

static int64_t plus_1(uint32_t id, enum model_known known)
{
    return known == KNOWN_NOT ? UNKNOWN : id == EV_NONE ? 0 : (int64_t)id + 1;
}

static int64_t if_known(int64_t value, enum model_known known)
{
    return known == KNOWN_NOT ? UNKNOWN : value;
}

static void take_p(struct page_state *s, const struct model *md, uint32_t p)
{
    const struct model_p *pp = model_p(md, p);
    const struct model_m *mm = pp->m != EV_NONE ? model_m(md, pp->m) : NULL;
    enum model_known ring = model_knows(md, KNOW_P_RUNQ, p);
    uint32_t n = pp->tail - pp->head, size = model_runq_size(md);
    bool runs = mm && mm->p == p && (model_m_doing(md, pp->m) == MD_RUN || model_m_doing(md, pp->m) == MD_SYSCALL);
    set(s, number_of(PAGE_P, p, P_status), if_known(pp->status, model_knows(md, KNOW_P_STATE, p)));
    set(s, number_of(PAGE_P, p, P_m), plus_1(pp->m, model_knows(md, KNOW_P_M, p)));
    set_g(s, number_of(PAGE_P, p, P_g), runs ? mm->curg : 0);
    set_g(s, number_of(PAGE_P, p, P_next), if_known(pp->runnext, model_knows(md, KNOW_P_RUNNEXT, p)));
    set(s, number_of(PAGE_P, p, P_len), if_known(n, model_knows(md, KNOW_P_LEN, p)));
    set(s, number_of(PAGE_P, p, P_tick), if_known(pp->schedtick, model_knows(md, KNOW_P_TICK, p)));
    set(s, number_of(PAGE_P, p, P_known), ring);
    set(s, number_of(PAGE_P, p, P_timers), if_known(pp->ntimers, model_knows(md, KNOW_P_TIMERS, p)));
    for (uint32_t i = 0; ring != KNOWN_NOT && size && i < n && i < size; i++)
        add(s, pp->ring[(pp->head + i) % size]);
    set_list(s, number_of(PAGE_P, p, P_ring), true);
}

static uint32_t line_of(const struct page_state *s, const struct model *md, uint32_t g)
{
    uint32_t op;
    const struct program_text *t = s->info->program;
    bool has = g && t && model_g_op(md, g, &op) && op < t->nops && t->op[op] < t->nlines;
    return has ? t->op[op] + 1 : 0;
}

static void add_step(struct page_state *s, const struct search_step *step)
{
    if (step->event)
        add(s, step->event);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The steps of its last search for a G are events. */
static void take_search(struct page_state *s, const struct model *md, uint32_t m)
{
    const struct model_search *search = model_search(md, m);
    for (int i = 0; search && i < SEARCH_STAGES; i++)
        add_step(s, &search->stage[i]);
    for (int i = 0; search && i < SEARCH_RECHECKS; i++)
        add_step(s, &search->recheck[i]);
    for (uint32_t i = 0; search && i < search->tries && i < SEARCH_TRIES; i++)
        add_step(s, &search->try[(search->tries - 1 - i) % SEARCH_TRIES]);
    if (search) {
        add_step(s, &search->took);
        qsort(s->scratch.v, s->scratch.n, sizeof *s->scratch.v, by_number);
    }
    set_list(s, number_of(PAGE_M, m, M_search), false);
}

static void take_m(struct page_state *s, const struct model *md, uint32_t m)
{
    const struct model_m *mm = model_m(md, m);
    if (!mm)
        return;
    set(s, number_of(PAGE_M, m, M_doing), model_m_doing(md, m));
    set(s, number_of(PAGE_M, m, M_p), mm->started ? plus_1(mm->p, model_knows(md, KNOW_M_P, m)) : 0);
    set_g(s, number_of(PAGE_M, m, M_g), if_known(mm->curg, model_knows(md, KNOW_M_G, m)));
    set(s, number_of(PAGE_M, m, M_line), line_of(s, md, mm->curg));
    set(s, number_of(PAGE_M, m, M_oldp), mm->started ? plus_1(mm->oldp, KNOWN_FACT) : 0);
    set(s, number_of(PAGE_M, m, M_locked), mm->lockedg);
    for (uint32_t i = 0; i < mm->transit_n; i++)
        add(s, mm->transit[i]);
    set_list(s, number_of(PAGE_M, m, M_hand), true);
    take_search(s, md, m);
}

static void take_ids(struct page_state *s, const uint32_t *v, uint32_t n, unsigned place, bool gs)
{
    for (uint32_t i = 0; i < n && i < PAGE_GLOBQ_SHOWN; i++)
        add(s, v[i]);
    set_list(s, number_of(PAGE_SCHED, 0, place), gs);
}

static void take_sched(struct page_state *s, const struct model *md)
{
    const uint32_t *ids;
    uint32_t n = model_globq(md, &ids);
    bool known = model_knows(md, KNOW_GLOBQ, 0) != KNOWN_NOT;
    const struct model_world world = model_world(md);
    const struct {
        unsigned cell;
        int64_t value;
    } cells[] = {
        {SCHED_ps, model_np(md)},
        {SCHED_ms, model_nm(md)},
        {SCHED_globq, if_known(n, model_knows(md, KNOW_GLOBQ_LEN, 0))},
        {SCHED_spinning, if_known(model_nmspinning(md), model_knows(md, KNOW_SPINNING, 0))},
        {SCHED_needspinning, model_needspinning(md)},
        {SCHED_idle, if_known(model_npidle(md), model_knows(md, KNOW_IDLE_P_N, 0))},
        {SCHED_world, world.state},
        {SCHED_gc, world.phase},
        {SCHED_running, model_count_g(md, G_RUNNING)},
        {SCHED_runnable, model_count_g(md, G_RUNNABLE)},
        {SCHED_waiting, model_count_g(md, G_WAITING)},
        {SCHED_calls, model_count_g(md, G_SYSCALL)},
    };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        set(s, number_of(PAGE_SCHED, 0, cells[i].cell), cells[i].value);
    take_ids(s, ids, known ? n : 0, SCHED_globq_gs, true);
    n = model_idlep(md, &ids);
    take_ids(s, ids, n, SCHED_idle_p, false);
    n = model_idlem(md, &ids);
    take_ids(s, ids, n, SCHED_idle_m, false);
}

/* ---- Gs ---- */

/* The number of a text with one form a language. */
static uint32_t text_number(struct page_state *s, const char *en, const char *zh)
{
    char both[512];
    int n = snprintf(both, sizeof both, "%s\n%s", en ? en : "", zh ? zh : en ? en : "");
    uint32_t word = page_word(s->texts, both, n < (int)sizeof both ? (size_t)n : sizeof both - 1);
    s->lacks |= word == PAGE_NO_WORD;
    return word;
}

/* Why it waits, and for which object. */
static uint32_t reason_of(struct page_state *s, const struct model *md, const struct model_g *g)
{
    char text[LANGS][200], object[OBJECT_NAME];
    struct ev_object o = ev_waits_for(g->reason, g->obj);
    if (g->status != G_WAITING || model_knows(md, KNOW_G_REASON, g->id) == KNOWN_NOT)
        return text_number(s, "", NULL);
    for (int lang = 0; lang < LANGS; lang++) {
        const char *why = ev_say(FT_REASON, g->reason, (enum lang)lang);
        bool named = o.kind != OBJ_NONE && model_object_name(md, o, object)[0];
        snprintf(text[lang], sizeof text[lang], named ? "%s (%s)" : "%s", why ? why : "", object);
    }
    return text_number(s, text[LANG_EN], text[LANG_ZH]);
}

static struct page_g *g_of(struct page_state *s, uint32_t id, bool *made)
{
    const uint32_t *at = id_find(&s->g_of, id);
    struct page_g none = {.id = id, .status = UINT32_MAX};
    *made = !at;
    if (at)
        return &s->g.v[*at];
    if (id_put(&s->g_of, id, (uint32_t)s->g.n) && vec_push(&s->g, none))
        return &s->g.v[s->g.n - 1];
    s->lacks = true;
    return NULL;
}

static void take_g(struct page_state *s, const struct model *md, uint32_t id)
{
    bool made;
    const struct model_g *g = model_g(md, id);
    struct page_g *was = g && !s->lacks ? g_of(s, id, &made) : NULL;
    if (!was)
        return;
    struct page_g now = {id, model_knows(md, KNOW_G_STATE, id) == KNOWN_NOT ? G_UNKNOWN : g->status, reason_of(s, md, g),
                         g->status == G_RUNNING ? 0 : line_of(s, md, id)}; /* the line of a G that runs is its M's */
    if (now.status == was->status && now.reason == was->reason && now.line == was->line)
        return;
    *was = now;
    begin_change(s, id, CHANGE_G);
    put(s, (uint64_t)now.status << 1 | made);
    put(s, now.reason);
    put(s, now.line);
    if (made) {
        put(s, text_number(s, model_fn_name(md, id), NULL));
        put(s, model_knows(md, KNOW_G_BY, id) == KNOWN_NOT ? 0 : g->by);
    }
}

static void take_all_gs(struct page_state *s, const struct model *md)
{
    for (size_t i = 0; i < s->g.n; i++)
        take_g(s, md, s->g.v[i].id);
    for (uint32_t g = 0; (g = model_next_live(md, g)) && !s->lacks;)
        take_g(s, md, g);
}

/* Most Gs do not change by an event. Those that may are the ones that it is about and those that have moved. */
static void take_gs(struct page_state *s, const struct model *md, const struct merged_event *at)
{
    if (at)
        touch(s, at->e->g);
    for (size_t i = 0; i < s->touched.n; i++)
        take_g(s, md, s->touched.v[i]);
    s->touched.n = 0;
    if (!at || s->looks++ % ALL_GS_AGAIN == 0 || ev_has_trait(at->e->kind, EV_SEEN))
        take_all_gs(s, md);
}

/* ---- events ---- */

static void take_print(struct page_state *s, const struct merged_event *at)
{
    char text[EV_TEXT_MAX * VISIBLE_BYTES], *end = text;
    for (size_t i = 0, n; i < at->len && end < text + sizeof text - VISIBLE_BYTES; i += n)
        end += visible_next(at->text, i, at->len, &n, end);
    uint32_t word = page_word(s->texts, text, (size_t)(end - text));
    s->lacks |= word == PAGE_NO_WORD;
    begin_change(s, OTHER_PRINT, CHANGE_OTHER);
    put(s, word);
    put(s, at->e->b & (PRINT_STDERR | PRINT_PART));
}

static void take_move(struct page_state *s, enum page_move what, uint64_t from, uint64_t to, uint64_t n)
{
    begin_change(s, OTHER_MOVE, CHANGE_OTHER);
    put(s, what);
    put(s, from);
    put(s, to);
    put(s, n);
}

static void take_event(struct page_state *s, const struct merged_event *at)
{
    const struct ev *e = at->e;
    uint64_t p = e->p == EV_NO_P ? 0 : e->p + UINT64_C(1);
    if (e->kind == EV_PRINT)
        take_print(s, at);
    else if (e->kind == EV_STEAL) /* a runnext that is stolen counts as one */
        take_move(s, MOVE_STEAL, (e->a & 0xffff) + UINT64_C(1), p, e->b >> 1 ? e->b >> 1 : 1);
    else if (e->kind == EV_RUNQ_OVERFLOW)
        take_move(s, MOVE_OVERFLOW, p, 0, e->a);
    else if (e->kind == EV_GLOBQ_GET && p && e->a)
        take_move(s, MOVE_GLOBQ_GET, 0, p, e->a);
    else if (e->kind == EV_M_WAKE && e->d != EV_NO_P)
        take_move(s, MOVE_WAKE, p, (e->d & 0xffff) + UINT64_C(1), 1);
}

static void take(struct page_state *s, const struct model *md, const struct merged_event *at)
{
    for (uint32_t p = 0; p < model_np(md); p++)
        take_p(s, md, p);
    for (uint32_t m = 0; m < model_nm(md); m++)
        take_m(s, md, m);
    take_sched(s, md);
    take_gs(s, md, at);
}

bool page_state_event(struct page_state *s, const struct merged_event *at)
{
    take_event(s, at);
    take(s, at->md, at);
    return !s->lacks;
}

bool page_state_whole(struct page_state *s, const struct model *md)
{
    take(s, md, NULL);
    return !s->lacks;
}

void page_state_written(struct page_state *s)
{
    s->ops.n = 0;
    s->nops = 0;
}

void page_state_fini(struct page_state *s)
{
    for (size_t i = 0; i < s->list.n; i++)
        free(s->list.v[i].v);
    vec_free(&s->cell);
    vec_free(&s->list);
    vec_free(&s->g);
    id_fini(&s->g_of);
    vec_free(&s->scratch);
    vec_free(&s->touched);
    free(s->ops.v);
}

static void names(FILE *out, const char *scope, const char *const *name, size_t n)
{
    fprintf(out, "%s\"%s\":[", strcmp(scope, "sched") ? "," : "", scope);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s\"%s\"", i ? "," : "", name[i]);
    fputc(']', out);
}

void page_state_names(FILE *out)
{
#define X(name) #name,
    static const char *const cells[PAGE_SCOPES][PAGE_OF_SCOPE] = {{PAGE_SCHED_CELLS(X)}, {PAGE_P_CELLS(X)}, {PAGE_M_CELLS(X)}};
    static const char *const lists[PAGE_SCOPES][PAGE_OF_SCOPE] = {{PAGE_SCHED_LISTS(X)}, {PAGE_P_LISTS(X)}, {PAGE_M_LISTS(X)}};
#undef X
    static const char *const scope[PAGE_SCOPES] = {"sched", "p", "m"};
    static const size_t ncells[PAGE_SCOPES] = {SCHED_CELLS, P_CELLS, M_CELLS}, nlists[PAGE_SCOPES] = {SCHED_LISTS, P_LISTS, M_LISTS};
    fputs("\"cells\":{", out);
    for (int i = 0; i < PAGE_SCOPES; i++)
        names(out, scope[i], cells[i], ncells[i]);
    fputs("},\"lists\":{", out);
    for (int i = 0; i < PAGE_SCOPES; i++)
        names(out, scope[i], lists[i], nlists[i]);
    fputc('}', out);
}
