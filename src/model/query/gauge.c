/* Gauges: what a condition can ask about the state. One table; a name is parsed once and its gauge read many times. */
#include "base/diag.h"
#include "model/model_internal.h"
#include "model/query/pattern.h"

#include <stdio.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* in pattern_texts.def; tests/test_pattern.c compares the languages */

#define NOT_NOW INT64_MAX

struct word {
    const char *name;
    int64_t value;
};

/* A gauge of the whole scheduler (subject 0), of a P, a G or an M. Caller of read(): the P, G or M exists. */
struct gauge_def {
    char subject;
    const char *name;
    enum gauge_type type;
    int64_t (*read)(const struct model *md, uint32_t id); /* for GT_DUR: the time it counts from; NOT_NOW: it does not grow */
    const struct word *words;                             /* GT_WORD; ends with NULL */
    enum ev_ftype wordtype;                               /* GT_WORD without words: an enumerated type of the events */
    enum model_what what;                                 /* what must be known */
};

static const struct word p_words[] = {
    {"idle", P_IDLE}, {"running", P_RUNNING}, {"syscall", P_SYSCALL}, {"gcstop", P_GCSTOP}, {"dead", P_DEAD}, {NULL, 0}};
static const struct word g_words[] = {
    {"idle", G_IDLE}, {"runnable", G_RUNNABLE}, {"running", G_RUNNING}, {"syscall", G_SYSCALL}, {"waiting", G_WAITING}, {"dead", G_DEAD},
    {NULL, 0}};
static const struct word m_words[] = {
    {"running", MD_RUN},
    {"spinning", MD_SPIN},
    {"idle", MD_IDLE},
    {"syscall", MD_SYSCALL},
    {"netpoll", MD_NETPOLL},
    {"scheduling", MD_SCHED},
    {"sysmon", MD_SYSMON},
    {"locked", MD_LOCKED},
    {"template", MD_TEMPLATE},
    {"exited", MD_EXITED},
    {NULL, 0}};

#define GAUGE(name, value) \
    static int64_t name(const struct model *md, uint32_t id) \
    { \
        (void)id; \
        return value; \
    }
GAUGE(p_runq, md->p[id].tail - md->p[id].head)
GAUGE(p_runnext, md->p[id].runnext)
GAUGE(p_tick, md->p[id].schedtick)
GAUGE(p_state, md->p[id].status)

static int64_t or_none(uint32_t id)
{
    return id == EV_NONE ? -1 : (int64_t)id;
}

GAUGE(p_m, or_none(md->p[id].m))
GAUGE(p_head, md->p[id].head)
GAUGE(p_tail, md->p[id].tail)
GAUGE(p_timers, md->p[id].ntimers)
GAUGE(g_state, model_g(md, id)->status)

/* Returns since when the G is runnable. */
static int64_t g_runnable(const struct model *md, uint32_t id)
{
    const struct model_g *g = model_g(md, id);
    return g->status == G_RUNNABLE ? g->since : NOT_NOW;
}

GAUGE(g_reason, model_g(md, id)->reason)
GAUGE(m_state, model_m_doing(md, id))
GAUGE(m_p, or_none(md->m[id].p))
GAUGE(m_curg, md->m[id].curg)
GAUGE(m_spinning, md->m[id].spinning)
GAUGE(m_blocked, md->m[id].blocked)
GAUGE(all_globq, md->globq.n)
GAUGE(all_runnable, md->count_g[G_RUNNABLE])
GAUGE(all_running, md->count_g[G_RUNNING])
GAUGE(all_spinning, md->nmspinning)
GAUGE(all_idle_p, md->npidle)
GAUGE(all_idle_m, md->idlem.n)
GAUGE(all_needspinning, md->needspinning)

static const struct gauge_def defs[] = {
    {'p', "runq", GT_INT, p_runq, NULL, FT_NONE, KNOW_P_LEN},
    {'p', "runnext", GT_G, p_runnext, NULL, FT_NONE, KNOW_P_RUNNEXT},
    {'p', "tick", GT_INT, p_tick, NULL, FT_NONE, KNOW_P_TICK},
    {'p', "state", GT_WORD, p_state, p_words, FT_NONE, KNOW_P_STATE},
    {'p', "m", GT_M, p_m, NULL, FT_NONE, KNOW_P_M},
    {'p', "head", GT_INT, p_head, NULL, FT_NONE, KNOW_P_HEAD},
    {'p', "tail", GT_INT, p_tail, NULL, FT_NONE, KNOW_P_TAIL},
    {'p', "timers", GT_INT, p_timers, NULL, FT_NONE, KNOW_P_TIMERS},
    {'g', "state", GT_WORD, g_state, g_words, FT_NONE, KNOW_G_STATE},
    {'g', "runnable", GT_DUR, g_runnable, NULL, FT_NONE, KNOW_G_SINCE},
    {'g', "reason", GT_WORD, g_reason, NULL, FT_REASON, KNOW_G_REASON},
    {'m', "state", GT_WORD, m_state, m_words, FT_NONE, KNOW_M_STATE},
    {'m', "p", GT_P, m_p, NULL, FT_NONE, KNOW_M_P},
    {'m', "g", GT_G, m_curg, NULL, FT_NONE, KNOW_M_G},
    {'m', "spinning", GT_BOOL, m_spinning, NULL, FT_NONE, KNOW_M_STATE},
    {'m', "blocked", GT_BOOL, m_blocked, NULL, FT_NONE, KNOW_M_STATE},
    {0, "globq", GT_INT, all_globq, NULL, FT_NONE, KNOW_GLOBQ_LEN},
    {0, "runnable", GT_INT, all_runnable, NULL, FT_NONE, KNOW_BEFORE},
    {0, "running", GT_INT, all_running, NULL, FT_NONE, KNOW_BEFORE},
    {0, "spinning", GT_INT, all_spinning, NULL, FT_NONE, KNOW_SPINNING},
    {0, "idle_p", GT_INT, all_idle_p, NULL, FT_NONE, KNOW_IDLE_P_N},
    {0, "idle_m", GT_INT, all_idle_m, NULL, FT_NONE, KNOW_IDLE_M},
    {0, "needspinning", GT_BOOL, all_needspinning, NULL, FT_NONE, KNOW_BEFORE},
};
#define NDEFS (sizeof defs / sizeof *defs)

static const struct gauge_def *find_def(char subject, const char *name, size_t len)
{
    for (size_t i = 0; i < NDEFS; i++)
        if (defs[i].subject == subject && strlen(defs[i].name) == len && memcmp(defs[i].name, name, len) == 0)
            return &defs[i];
    return NULL;
}

static bool number_of(const char *s, size_t len, uint32_t *id)
{
    uint64_t n = 0;
    size_t i = 0;
    for (; i < len && s[i] >= '0' && s[i] <= '9' && n <= UINT32_MAX; i++)
        n = n * 10 + (uint64_t)(s[i] - '0');
    *id = (uint32_t)n;
    return len && i == len && n <= UINT32_MAX;
}

/* "p12." or "gs1." -> subject and id; returns what follows the point, or NULL. */
static const char *subject_of(const char *name, size_t len, char *subject, uint32_t *id)
{
    const char *point = memchr(name, '.', len);
    size_t n = point ? (size_t)(point - name) : 0;
    if (n < 2)
        return NULL;
    *subject = (char)(name[0] | 0x20); /* accepts P0 and p0 */
    bool g = *subject == 'g' && ev_g_id(name, n, id);
    bool pm = (*subject == 'p' || *subject == 'm') && number_of(name + 1, n - 1, id);
    return g || pm ? point + 1 : NULL;
}

bool gauge_parse(const char *name, size_t len, struct gauge *g, enum lang lang, char *err, size_t errsize)
{
    char subject = 0;
    const char *what = subject_of(name, len, &subject, &g->id);
    if (what) {
        len -= (size_t)(what - name);
    } else {
        what = name;
        subject = 0;
        g->id = 0;
    }
    g->def = find_def(subject, what, len);
    if (g->def)
        return true;
    const char *words[NDEFS];
    size_t n = 0;
    char word[64];
    for (size_t i = 0; i < NDEFS; i++)
        if (defs[i].subject == subject)
            words[n++] = defs[i].name;
    snprintf(word, sizeof word, "%.*s", (int)(len < 60 ? len : 60), what);
    const char *near = diag_nearest(word, words, n);
    if (!subject && counter_index(word) >= 0)
        snprintf(err, errsize, pattern_text(lang, PATTERN_IS_COUNTER), word, word);
    else if (near)
        snprintf(err, errsize, pattern_text(lang, PATTERN_NO_GAUGE_NEAR), word, near);
    else if (subject)
        snprintf(err, errsize, pattern_text(lang, PATTERN_NO_GAUGE_OF), subject - 0x20, word, words[0], words[1]);
    else
        snprintf(err, errsize, pattern_text(lang, PATTERN_NO_GAUGE), word);
    return false;
}

static bool is_there(const struct model *md, const struct gauge *g)
{
    if (g->def->subject == 'p')
        return g->id < md->np;
    if (g->def->subject == 'g')
        return model_g(md, g->id) != NULL;
    return g->def->subject != 'm' || (g->id < md->nm && md->m[g->id].started);
}

/* Its value comes from the replay of the queues (replay.c). */
bool gauge_is_replayed(const struct model *md, const struct gauge *g)
{
    return md->replays && (g->def->what == KNOW_P_LEN || g->def->what == KNOW_P_RUNNEXT || g->def->what == KNOW_GLOBQ_LEN);
}

enum model_what gauge_needs(const struct gauge *g)
{
    return g->def->what;
}

bool gauge_read(const struct model *md, const struct gauge *g, int64_t now, int64_t *value)
{
    if (!is_there(md, g) || model_knows(md, g->def->what, g->id) == KNOWN_NOT)
        return false;
    *value = g->def->read(md, g->id);
    if (g->def->type == GT_DUR)
        *value = now > *value ? now - *value : 0;
    return true;
}

bool gauge_since(const struct model *md, const struct gauge *g, int64_t *since)
{
    if (g->def->type != GT_DUR || !is_there(md, g) || model_knows(md, g->def->what, g->id) == KNOWN_NOT)
        return false;
    *since = g->def->read(md, g->id);
    return *since != NOT_NOW;
}

const char *gauge_name(int i, char *subject)
{
    if (i < 0 || (size_t)i >= NDEFS)
        return NULL;
    *subject = defs[i].subject;
    return defs[i].name;
}

enum gauge_type gauge_type(const struct gauge *g)
{
    return g->def->type;
}

const char *gauge_word(const struct gauge *g, int n, int64_t *value)
{
    if (g->def->type != GT_WORD)
        return NULL;
    *value = g->def->words ? g->def->words[n].value : n;
    return g->def->words ? g->def->words[n].name : ev_word(g->def->wordtype, n);
}

bool model_gauge(const struct model *md, const char *name, int64_t *value)
{
    struct gauge g;
    char err[128];
    return gauge_parse(name, strlen(name), &g, LANG_EN, err, sizeof err) && gauge_read(md, &g, md->time, value);
}

int64_t gauge_p(const struct gauge *g)
{
    return g->def->subject == 'p' ? (int64_t)g->id : -1;
}

bool gauge_of_p(const struct gauge *g)
{
    return g->def->subject == 'p' || strcmp(g->def->name, "idle_p") == 0;
}
