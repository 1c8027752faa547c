/* Where the runtime keeps its Ps, Ms and Gs. A stripped file has no symbols, but it has the names and the code of its functions, and code names a variable
 * by its distance from the instruction's end. So each variable is among those that one function names, and the only one of which what must hold holds:
 *
 *   allm   mcommoninit   the head of a list of Ms by alllink that ends with M0; the G of each M's scheduler has that M
 *   sched  mcommoninit   it takes the address of sched.lock; the lists of idle Ps and Ms have members of those kinds and the lengths that it counts
 *   allp   procresize    a slice of Ps that are numbered from 0
 *   allgs  allgadd       a slice of Gs whose first one is goroutine 1. The next ones need not ascend: each P takes 16 numbers at a time
 *
 * These are functions that the compiler never inlines: they are large, and in all releases from go1.20 to go1.27 the same ones name these variables.
 * The program runs meanwhile, so a read may be torn: then it is tried again. The first look, which is of one instant, checks all of it together.
 *
 * Rejected: a search of all data for what looks like these variables. It found copies (an M has one of allp), needed a read for each word that may be
 * a pointer, and took seconds in a program of 30 MB of data. */
#include "attach/attach_internal.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PS_MOST = 1024, MS_MOST = 20000, TRIES = 20, CODE_MOST = 1 << 16, STATUS_MOST = 11, SCAN = 0x1000 };
enum { MCOMMONINIT, PROCRESIZE, ALLGADD, FUNCTIONS };
static const char *const function_name[FUNCTIONS] = {"runtime.mcommoninit", "runtime.procresize", "runtime.allgadd"};

struct search {
    const struct target *t;
    const struct go_layout *l;
    VEC(uint64_t) named[FUNCTIONS]; /* addresses of variables that the code of the function names, ascending; some are chance */
    uint64_t p[PS_MOST], np;
    uint64_t *m, nm, last; /* last: the highest number of an M */
};

static bool is_pointer(uint64_t v)
{
    return v >= 0x10000 && v < UINT64_C(1) << 47 && v % 8 == 0;
}

static bool is_in(const uint64_t *v, uint64_t n, uint64_t x)
{
    for (uint64_t i = 0; i < n; i++)
        if (v[i] == x)
            return true;
    return false;
}

/* --- what code names ------------------------------------------------------------------------------------------------------------ */

static bool is_data(const struct search *s, const struct go_exe *exe, uint64_t at)
{
    for (uint32_t i = 0; i < exe->nsegment; i++) {
        const struct exe_segment *g = &exe->segment[i];
        uint64_t from = g->at + s->t->bias;
        if (g->writable && at >= from && at - from < g->mem && g->mem - (at - from) >= 24)
            return true;
    }
    return false;
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The distance is in the last 4 bytes of an instruction that has no constant. Where instructions begin is not known, so each 4 bytes are tried. */
static bool read_code(struct search *s, const struct go_exe *exe)
{
    struct stretch code[FUNCTIONS];
    uint8_t v[CODE_MOST];
    if (!target_functions(s->t, function_name, FUNCTIONS, code))
        return false;
    for (int f = 0; f < FUNCTIONS; f++) {
        if (code[f].n > CODE_MOST || !target_read(s->t->pid, code[f].from, v, code[f].n))
            return false;
        for (uint64_t i = 0; i + 4 <= code[f].n; i++) {
            uint64_t at = code[f].from + i + 4 + (uint64_t)(int64_t)(int32_t)half_at(v, i);
            if (at % 8 == 0 && is_data(s, exe, at) && !is_in(s->named[f].v, s->named[f].n, at) && !vec_push(&s->named[f], at))
                return false;
        }
        if (s->named[f].n)
            qsort(s->named[f].v, s->named[f].n, sizeof *s->named[f].v, ascending);
    }
    return true;
}

/* --- what must hold ----------------------------------------------------------------------------------------------------------- */

/* Reads the list of Ms from `at` on into s->m. */
static bool are_ms(struct search *s, uint64_t at)
{
    uint8_t head[M_BYTES];
    uint64_t id = 1, g0_m;
    s->nm = s->last = 0;
    for (; at; at = word_at(head, s->l->m_alllink)) {
        if (s->nm == MS_MOST || !is_pointer(at) || !target_read(s->t->pid, at, head, sizeof head))
            return false;
        id = word_at(head, s->l->m_id);
        uint64_t g0 = word_at(head, s->l->m_g0);
        if (id > MS_MOST || !is_pointer(g0) || !target_read(s->t->pid, g0 + s->l->g_m, &g0_m, 8) || g0_m != at)
            return false;
        s->last = id > s->last ? id : s->last;
        s->m[s->nm++] = at;
    }
    return s->nm && id == 0;
}

static bool are_ps(struct search *s, uint64_t ptr, uint64_t len)
{
    uint8_t head[128];
    if (!target_read(s->t->pid, ptr, s->p, len * 8))
        return false;
    for (uint64_t i = 0; i < len; i++)
        if (!is_pointer(s->p[i]) || !target_read(s->t->pid, s->p[i], head, sizeof head) || half_at(head, P_ID) != i ||
            half_at(head, P_STATUS) > 4)
            return false;
    s->np = len;
    return true;
}

static bool are_gs(const struct search *s, uint64_t ptr, uint64_t len)
{
    uint64_t g[4], id[4];
    uint32_t status;
    size_t n = len < 4 ? (size_t)len : 4;
    if (!target_read(s->t->pid, ptr, g, n * 8))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!is_pointer(g[i]) || !target_read(s->t->pid, g[i] + s->l->g_goid, &id[i], 8) || id[i] == 0 || is_in(id, i, id[i]) ||
            !target_read(s->t->pid, g[i] + s->l->g_status, &status, 4) || (status & ~(uint32_t)SCAN) > STATUS_MOST)
            return false;
    return id[0] == 1;
}

/* Walks a list by the word at `link`. Returns true if it has n members, all of v. */
static bool list_has(const struct search *s, uint64_t at, uint64_t link, uint32_t n, const uint64_t *v, uint64_t nv)
{
    for (; at && n && is_in(v, nv, at); n--)
        if (!target_read(s->t->pid, at + link, &at, 8))
            return false;
    return !at && !n;
}

static bool is_sched(const struct search *s, uint64_t at)
{
    uint8_t v[S_BYTES];
    const struct go_layout *l = s->l;
    if (!target_read(s->t->pid, at, v, sizeof v))
        return false;
    uint32_t nmidle = half_at(v, l->s_nmidle), npidle = half_at(v, l->s_npidle);
    uint64_t next = word_at(v, l->s_mnext);
    return next > s->last && next <= s->last + MS_MOST && half_at(v, l->s_maxmcount) != 0 && half_at(v, l->s_maxmcount) <= INT32_MAX &&
           half_at(v, l->s_needspinning) <= 1 && half_at(v, l->s_nmspinning) <= s->np && nmidle <= s->nm && npidle <= s->np &&
           !word_at(v, l->s_runq) == !word_at(v, l->s_runq + 8u) && list_has(s, word_at(v, l->s_midle), l->m_next, nmidle, s->m, s->nm) &&
           list_has(s, word_at(v, l->s_pidle), P_LINK, npidle, s->p, s->np);
}

/* --- all of them ------------------------------------------------------------------------------------------------------------------ */

typedef bool is_there(struct search *s, uint64_t at);

static bool allm_at(struct search *s, uint64_t at)
{
    uint64_t first;
    return target_read(s->t->pid, at, &first, 8) && is_pointer(first) && are_ms(s, first);
}

/* A function that makes a slice longer names its pointer, length and capacity. */
static bool read_slice(const struct search *s, int f, uint64_t at, uint64_t v[3])
{
    return is_in(s->named[f].v, s->named[f].n, at + 8) && is_in(s->named[f].v, s->named[f].n, at + 16) &&
           target_read(s->t->pid, at, v, 24) && is_pointer(v[0]) && v[1] && v[1] <= v[2] && v[2] <= INT32_MAX;
}

static bool allp_at(struct search *s, uint64_t at)
{
    uint64_t v[3];
    return read_slice(s, PROCRESIZE, at, v) && v[1] <= PS_MOST && are_ps(s, v[0], v[1]);
}

static bool allgs_at(struct search *s, uint64_t at)
{
    uint64_t v[3];
    return read_slice(s, ALLGADD, at, v) && are_gs(s, v[0], v[1]);
}

static bool sched_at(struct search *s, uint64_t at)
{
    return is_sched(s, at);
}

/* Returns the only address that function f names, less `before`, of which `is` holds; 0: there is none, or several. */
static uint64_t only(struct search *s, int f, uint64_t before, is_there *is)
{
    uint64_t found = 0;
    int n = 0;
    for (size_t i = 0; i < s->named[f].n; i++)
        if (is(s, s->named[f].v[i] - before)) {
            found = s->named[f].v[i] - before;
            n++;
        }
    return n == 1 ? found : 0;
}

/* Returns the name of what was not found, NULL: all was. */
static const char *find_all(struct search *s, struct found *out)
{
    if (!(out->allm = only(s, MCOMMONINIT, 0, allm_at)) || !allm_at(s, out->allm))
        return "runtime.allm";
    if (!(out->allp = only(s, PROCRESIZE, 0, allp_at)) || !allp_at(s, out->allp))
        return "runtime.allp";
    if (!(out->sched = only(s, MCOMMONINIT, s->l->s_lock, sched_at)))
        return "runtime.sched";
    return (out->allgs = only(s, ALLGADD, 0, allgs_at)) ? NULL : "runtime.allgs";
}

bool locate(const struct target *t, const struct go_exe *exe, const struct go_layout *l, struct found *out, char why[ATTACH_WHY])
{
    struct search s = {.t = t, .l = l, .m = malloc(MS_MOST * sizeof *s.m)};
    const char *lacks = s.m && read_code(&s, exe) ? find_all(&s, out) : "runtime.mcommoninit, procresize or allgadd";
    for (int i = 1; i < TRIES && lacks && s.m && s.named[ALLGADD].n; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        lacks = find_all(&s, out);
    }
    for (int f = 0; f < FUNCTIONS; f++)
        vec_free(&s.named[f]);
    free(s.m);
    if (lacks)
        WHY(t->lang, why, "%s was not found: the layout of this runtime (%s) is not the one that attach knows",
            "没有找到 %s：这个运行时（%s）的布局与 attach 所知的不同", lacks, exe->version);
    return !lacks;
}
