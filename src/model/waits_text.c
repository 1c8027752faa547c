/* See waits.h: a wait as a clause, in two languages. */
#include "base/program_text.h"
#include "base/text.h"
#include "model/model_internal.h"
#include "model/waits_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum waits_text_id {
#define SAY(id, ...) WT_##id,
#include "model/waits_texts.def"
#undef SAY
    WAITS_TEXTS
};

static const struct text table[WAITS_TEXTS] = {
#define SAY(id, ...) [WT_##id] = {{__VA_ARGS__}},
#include "model/waits_texts.def"
#undef SAY
};

__attribute__((format_arg(2))) static const char *text_of(enum waits_text_id id, const char *like, enum lang lang)
{
    (void)like; /* for the compiler, which checks the values against it */
    return text_in(&table[id], lang);
}

enum { CLAUSE_BYTES = 600 };

/* What is being written. */
struct clause {
    const struct waits *w;
    enum waits_names names;
    enum lang lang;
    char *buf;
    size_t size, n;
};

static void put(struct clause *c, const char *s)
{
    size_t len = strlen(s);
    while (len && c->n + len >= c->size) /* cut between characters */
        for (len--; len && ((unsigned char)s[len] & 0xc0) == 0x80; len--)
            ;
    memcpy(c->buf + c->n, s, len);
    c->n += len;
    c->buf[c->n] = '\0';
}

__attribute__((format(printf, 2, 3))) static void putf(struct clause *c, const char *fmt, ...)
{
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    put(c, text);
}

/* Puts a template whose only value is a name. {one|more}: more if `several`. */
static void put_named(struct clause *c, enum waits_text_id id, const char *name, bool several)
{
    for (const char *t = text_in(&table[id], c->lang); *t;) {
        const char *bar = *t == '{' ? strchr(t, '|') : NULL, *end = bar ? strchr(bar, '}') : NULL;
        if (end) {
            putf(c, "%.*s", (int)(several ? end - bar - 1 : bar - t - 1), several ? bar + 1 : t + 1);
            t = end + 1;
        } else if (!strncmp(t, "%s", 2)) {
            put(c, name);
            t += 2;
        } else {
            size_t len;
            utf8_next(t, strlen(t), &len);
            putf(c, "%.*s", (int)len, t);
            t += len;
        }
    }
}

/* ---- names ---- */

static const char *fn_of(const struct clause *c, uint32_t g)
{
    const struct model_g *mg = model_g(c->w->md, g);
    return mg ? model_fn(c->w->md, mg->fn) : "";
}

/* "G2", or its program. */
static void put_g(struct clause *c, uint32_t g)
{
    char name[EV_G_NAME];
    put(c, c->names == NAMES_PROGRAM ? fn_of(c, g) : ev_g_name(g, name));
}

/* Who waits, with its line. */
static void put_waiter(struct clause *c, const struct wait *at)
{
    const char *fn = fn_of(c, at->g);
    char place[PLACE_NAME];
    bool placed = at->line && model_g_place(c->w->md, at->g, place);
    if (placed && c->names == NAMES_PROGRAM)
        putf(c, text_of(WT_PROGRAM_PLACE, "%s%s", c->lang), fn, place);
    else if (placed)
        putf(c, text_of(WT_G_PLACE, "%u%s%s", c->lang), at->g, fn, place);
    else if (c->names == NAMES_PROGRAM && at->line)
        putf(c, text_of(WT_PROGRAM_LINE, "%s%u", c->lang), fn, at->line);
    else if (c->names == NAMES_PROGRAM)
        put(c, fn);
    else if (at->line)
        putf(c, text_of(WT_G_LINE, "%u%s%u", c->lang), at->g, fn, at->line);
    else
        putf(c, text_of(WT_G_ONLY, "%u%s", c->lang), at->g, fn);
}

/* An object by its name. Of those that a Go program makes at one place, which one it is differs from run to run. */
static const char *object_name(const struct clause *c, struct ev_object o, char buf[OBJECT_NAME])
{
    static const struct text kinds[OBJ_KINDS] = {
        [OBJ_CHAN] = {{"channel ", "通道 "}}, [OBJ_RWMUTEX] = {{"RWMutex ", "读写锁 "}}, [OBJ_WAITGROUP] = {{"WaitGroup ", "WaitGroup "}}};
    char number[OBJECT_NAME];
    model_object_name(c->w->md, o, buf);
    char *which = strrchr(buf, '#');
    if (which && c->names == NAMES_PROGRAM)
        *which = '\0';
    if (buf[0] >= '0' && buf[0] <= '9') {
        bool any = c->names == NAMES_PROGRAM && c->w->md->cfg.objects.made;
        snprintf(number, sizeof number, "%s", any ? "?" : buf);
        snprintf(buf, OBJECT_NAME, "%s%s", kinds[o.kind].in[LANG_EN] ? text_in(&kinds[o.kind], c->lang) : "", number);
    }
    return buf;
}

/* Writes the list of Gs that could end the wait. Returns true if the verb that follows is in the plural. */
static bool put_list(struct clause *c, const struct wait *at)
{
    const char *fn[WAITS_BY];
    uint32_t n = 0, shown = at->nby < WAITS_BY ? at->nby : WAITS_BY, g[WAITS_BY];
    for (uint32_t i = 0; i < shown; i++) { /* a program is named once */
        uint32_t k = 0;
        fn[n] = fn_of(c, at->by[i]);
        while (c->names == NAMES_PROGRAM && k < n && (at->by[i] == at->g || strcmp(fn[k], fn[n]) != 0))
            k++;
        if (c->names == NAMES_PROGRAM && k < n)
            continue;
        g[n++] = at->by[i];
    }
    uint32_t more = n + (at->nby > shown && c->names == NAMES_G), parts = more + at->later + at->finalizer;
    for (uint32_t i = 0; i < parts; i++) {
        put(c, i == 0 ? "" : text_in(&table[i + 1 == parts ? WT_AND : WT_COMMA], c->lang));
        if (i < n && g[i] == at->g)
            put(c, text_in(&table[WT_ITSELF], c->lang));
        else if (i < n)
            put_g(c, g[i]);
        else if (i < more)
            putf(c, text_of(WT_MORE, "%u", c->lang), at->nby - shown);
        else
            put(c, text_in(&table[i == more && at->later ? WT_LATER : WT_FINALIZER], c->lang));
    }
    return parts > 1 || (parts == 1 && at->later);
}

/* Puts ", from which only G2 receives". limits: the list has all that can, so "only" is true of one. */
static void put_by(struct clause *c, enum waits_text_id id, const struct wait *at, bool limits)
{
    char text[400], list[300];
    struct clause l = *c;
    l.buf = list;
    l.size = sizeof list;
    l.n = 0;
    list[0] = '\0';
    bool several = put_list(&l, at);
    const char *like = text_in(&table[several || !limits || at->finalizer ? WT_SEVERAL : WT_ONLY], c->lang);
    struct clause t = *c;
    t.buf = text;
    t.size = sizeof text;
    t.n = 0;
    text[0] = '\0';
    if (!l.n)
        put(&t, text_in(&table[WT_NO_G], c->lang));
    else
        for (const char *p = like; *p; p++)
            if (!strncmp(p, "%s", 2)) {
                put(&t, list);
                p++;
            } else {
                putf(&t, "%c", *p);
            }
    put_named(c, id, text, several);
}

/* ---- the clause ---- */

static void put_case(struct clause *c, uint32_t chan, bool send)
{
    char name[OBJECT_NAME];
    put(c, c->n ? ", " : "");
    put_named(c, send ? WT_CASE_SEND : WT_CASE_RECEIVE, object_name(c, (struct ev_object){OBJ_CHAN, chan}, name), false);
}

static void put_cases(struct clause *c, uint32_t node, const struct waits_reach *reach)
{
    const struct flow *f = c->w->flow;
    for (uint32_t k = node == FLOW_NONE ? FLOW_NONE : f->node[node].alt; k != FLOW_NONE; k = f->node[k].alt)
        put_case(c, f->node[k].id, f->node[k].kind == FLOW_SEND);
    for (uint32_t i = 0; reach && i < reach->ncases; i++)
        put_case(c, reach->cases[i].chan, reach->cases[i].send);
}

static enum waits_text_id head_of(const struct wait *at, const struct flow_node *n)
{
    switch (at->reason) {
    case WAIT_REASON_CHAN_RECEIVE:
        return WT_WAITS_RECEIVE;
    case WAIT_REASON_CHAN_SEND:
        return WT_WAITS_SEND;
    case WAIT_REASON_RWMUTEX_RLOCK:
        return WT_WAITS_RLOCK;
    case WAIT_REASON_RWMUTEX_LOCK:
        return WT_WAITS_WLOCK;
    case WAIT_REASON_COND_WAIT:
        return WT_WAITS_COND;
    case WAIT_REASON_SLEEP:
        return WT_WAITS_SLEEP;
    default:
        return at->object.kind == OBJ_WAITGROUP ? WT_WAITS_GROUP
               : at->object.kind == OBJ_CONN
                   ? (!n                     ? WT_WAITS_CONN
                      : n->kind == FLOW_READ ? WT_WAITS_READ
                                             : WT_WAITS_WRITE)
               : at->object.kind == OBJ_NONE  ? WT_WAITS_OTHER
               : at->object.kind == OBJ_MUTEX ? WT_WAITS_MUTEX
                                              : WT_WAITS_WLOCK;
    }
}

static void put_head(struct clause *c, const struct wait *at, uint32_t node)
{
    char name[OBJECT_NAME], cases[200];
    struct ev_object o = at->object.kind == OBJ_WRITERS ? (struct ev_object){OBJ_RWMUTEX, at->object.id} : at->object;
    const struct flow_node *n = node == FLOW_NONE ? NULL : &c->w->flow->node[node];
    const struct waits_reach *reach = waits_find(c->w, at->g)->reach;
    put(c, c->lang == LANG_EN ? " " : "");
    if (at->reason == WAIT_REASON_SELECT && (n || reach)) {
        struct clause l = *c;
        l.buf = cases;
        l.size = sizeof cases;
        l.n = 0;
        cases[0] = '\0';
        put_cases(&l, node, reach);
        put_named(c, WT_WAITS_SELECT, cases, false);
        return;
    }
    enum waits_text_id id = head_of(at, n);
    const char *what = id == WT_WAITS_OTHER ? ev_say(FT_REASON, at->reason, c->lang) : object_name(c, o, name);
    put_named(c, id, what ? what : "?", false);
    int32_t missing = at->object.kind == OBJ_WAITGROUP && c->w->recorded ? model_object(c->w->md, o).n : 0;
    snprintf(name, sizeof name, "%d", missing);
    if (missing > 0)
        put_named(c, WT_MISSING, name, missing > 1);
}

static enum waits_text_id tail_of(const struct wait *at, const struct flow_node *n)
{
    switch (at->object.kind) {
    case OBJ_CHAN:
        return at->reason == WAIT_REASON_CHAN_SEND ? WT_BY_RECEIVE
               : at->closes && at->sends           ? WT_BY_SEND_CLOSE
               : at->closes                        ? WT_BY_CLOSE
                                                   : WT_BY_SEND;
    case OBJ_WAITGROUP:
        return WT_BY_DONE;
    case OBJ_COND:
        return WT_BY_SIGNAL;
    case OBJ_CONN:
        return n && n->kind == FLOW_WRITE ? WT_BY_READ : WT_BY_WRITE;
    case OBJ_NONE:
        return WT_BY_SELECT;
    default:
        return WT_BY_UNLOCK;
    }
}

static void put_tail(struct clause *c, const struct wait *at, uint32_t node)
{
    const struct model_g *by = at->nby ? model_g(c->w->md, at->by[0]) : NULL;
    char name[OBJECT_NAME];
    if (!at->known)
        return;
    bool reads = at->object.kind == OBJ_RWMUTEX && at->reason == WAIT_REASON_RWMUTEX_LOCK;
    if (at->held && at->nby == 1 && at->by[0] == at->g)
        put(c, text_in(&table[reads ? WT_BY_READER_SELF : WT_BY_SELF], c->lang));
    else if (at->behind)
        put_by(c, WT_BY_BEHIND, at, false);
    else if (at->held && reads)
        put_by(c, WT_BY_READERS, at, false);
    else if (at->held && (!by || by->status == G_DEAD))
        put_by(c, WT_BY_ENDED, at, false);
    else if (at->held)
        put_by(c, WT_BY_HOLDER, at, false);
    else if (at->ticks)
        put_named(c, at->object.kind == OBJ_CHAN ? WT_BY_TIMER : WT_BY_TIMER_CASE,
                  object_name(c, (struct ev_object){OBJ_CHAN, at->ticks}, name), false);
    else
        put_by(c, tail_of(at, node == FLOW_NONE ? NULL : &c->w->flow->node[node]), at, true);
}

static void put_wait(struct clause *c, uint32_t g)
{
    struct wait at;
    if (!waits_of(c->w, g, &at))
        return;
    uint32_t node = waits_find(c->w, g)->node;
    put_waiter(c, &at);
    put_head(c, &at, node);
    put_tail(c, &at, node);
}

char *waits_say(const struct waits *w, uint32_t g, enum waits_names names, enum lang lang, char *buf, size_t size)
{
    struct clause c = {w, names, lang, buf, size, 0};
    const struct waits_g *at = waits_find(w, g);
    buf[0] = '\0';
    put_wait(&c, g);
    if (!c.n && at) {
        put_waiter(&c, &(struct wait){.g = g}); /* where it is, a recording does not know */
        put(&c, text_in(&table[WT_RUNS], lang));
    }
    return buf;
}

char *waits_say_place(const struct waits *w, uint32_t g, enum waits_names names, enum lang lang, char *buf, size_t size)
{
    struct clause c = {w, names, lang, buf, size, 0};
    const struct waits_g *at = waits_find(w, g);
    buf[0] = '\0';
    if (at)
        put_waiter(&c, &(struct wait){.g = g, .line = at->node == FLOW_NONE ? at->line : w->flow->node[at->node].line});
    return buf;
}

char *waits_say_left(const struct waits *w, uint32_t g, enum lang lang, char *buf, size_t size)
{
    char text[CLAUSE_BYTES];
    struct clause c = {w, NAMES_G, lang, buf, size, 0};
    buf[0] = '\0';
    put_named(&c, waits_find(w, g)->stuck ? WT_LEAKED : WT_LEFT, waits_say(w, g, NAMES_G, lang, text, sizeof text), false);
    return buf;
}

char *waits_say_circle(const struct waits *w, const struct wait_chain *chain, enum waits_names names, enum lang lang, char *buf,
                       size_t size)
{
    struct clause c = {w, names, lang, buf, size, 0};
    uint32_t from = chain->circle;
    buf[0] = '\0';
    for (uint32_t i = chain->circle; names == NAMES_PROGRAM && i < chain->n;
         i++) { /* it begins where its text does not depend on numbers */
        char a[400], b[400];
        if (strcmp(waits_say(w, chain->g[i], names, lang, a, sizeof a), waits_say(w, chain->g[from], names, lang, b, sizeof b)) < 0)
            from = i;
    }
    for (uint32_t i = 0, n = chain->n - chain->circle; i < n; i++) {
        put(&c, i ? text_in(&table[WT_SEMICOLON], lang) : "");
        put_wait(&c, chain->g[chain->circle + (from - chain->circle + i) % n]);
    }
    return buf;
}

char *waits_say_names(const struct wait_chain *chain, enum lang lang, char *buf, size_t size)
{
    char names[400], name[EV_G_NAME];
    struct clause c = {.buf = names, .size = sizeof names}, whole = {.lang = lang, .buf = buf, .size = size};
    uint32_t n = chain->n - chain->circle;
    names[0] = buf[0] = '\0';
    for (uint32_t i = 0; i < (n == 1 ? 1 : n + 1); i++)
        putf(&c, "%s%s", i ? " → " : "", ev_g_name(chain->g[chain->circle + i % n], name));
    put_named(&whole, n == 1 ? WT_SELF : WT_CIRCLE, names, false);
    return buf;
}

/* ---- all of them ---- */

enum { KIND_WAITS = 8 };

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

char *waits_kind(const struct waits *w, bool leaked, enum lang lang, char *buf, size_t size)
{
    char clause[KIND_WAITS][CLAUSE_BYTES], one[CLAUSE_BYTES];
    struct wait_chain circle;
    struct clause c = {w, NAMES_PROGRAM, lang, buf, size, 0};
    uint32_t n = 0;
    buf[0] = '\0';
    if (!leaked && waits_circle(w, &circle))
        return waits_say_circle(w, &circle, NAMES_PROGRAM, lang, buf, size);
    for (uint32_t g = 0, i; n < KIND_WAITS && (g = leaked ? waits_next_left(w, g, WAITS_LEAKED) : waits_next(w, g));) {
        waits_say(w, g, NAMES_PROGRAM, lang, one, sizeof one);
        for (i = 0; i < n && strcmp(clause[i], one) != 0; i++)
            ;
        if (i == n)
            snprintf(clause[n++], CLAUSE_BYTES, "%s", one);
    }
    qsort(clause, n, sizeof *clause, by_text);
    for (uint32_t i = 0; i < n; i++) {
        put(&c, i ? text_in(&table[WT_SEMICOLON], lang) : "");
        put(&c, clause[i]);
    }
    return buf;
}

enum { PRINTED = 24 };

void waits_print(const struct waits *w, enum lang lang, FILE *out)
{
    char text[1200];
    struct wait_chain circle;
    uint32_t n = 0;
    for (uint32_t g = 0; (g = waits_next(w, g));)
        if (n++ < PRINTED)
            visible_line(out, "  %s", waits_say(w, g, NAMES_G, lang, text, sizeof text));
    if (n > PRINTED)
        fprintf(out, text_of(WT_MORE_WAIT, "%u", lang), n - PRINTED);
    if (n > PRINTED)
        fputc('\n', out);
    if (waits_circle(w, &circle))
        visible_line(out, "  %s", waits_say_names(&circle, lang, text, sizeof text));
}
