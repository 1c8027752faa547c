/* C11's memory for the models, as far as C11's orders matter: locations with histories, threads with views.
 *
 * Each location keeps every value that was ever stored to it, in modification order. Each thread has a view: for each location the
 * oldest value that the thread may still read. A load may read any value from there on, so a thread can run on stale values.
 *
 *   load     relaxed: raises the view of this location to the value read. acquire: also takes over the view that the value carries.
 *            seq_cst: also cannot read anything older than the last seq_cst store to this location.
 *   store    appends a value. release: the value carries the thread's view. relaxed: it carries only itself.
 *   rmw      reads the newest value and appends the next one, which also carries what the value read carried (release sequence).
 *   lock     carries a view from unlock to lock.
 *   plain    memory that is not atomic: a thread that does not see the newest store races, and the model fails.
 *
 * Limits: a load never reads a value that is stored later (load buffering): a model lets a load move behind a relaxed
 * read-modify-write where that matters (NOT_RELEASE). Stores of two threads to one location are appended in the order in which they
 * are executed. seq_cst operations take effect in the order in which they are executed. Fences are not modelled; the code has none.
 */
#include <assert.h>
#include <stdlib.h>

enum { C11_MSGS = 12, C11_NEVER = 15 };
enum { C11_RELAXED, C11_ACQUIRE, C11_RELEASE, C11_ACQ_REL, C11_SEQ_CST }; /* as in c11.pml */

struct c11 {
    unsigned char n[C11_LOCS];  /* values in the history */
    unsigned char sc[C11_LOCS]; /* the last value that a seq_cst operation stored */
    unsigned char val[C11_LOCS][C11_MSGS];
    unsigned long long carried[C11_LOCS][C11_MSGS]; /* views: 4 bits for each location */
    unsigned long long view[C11_THREADS];
    unsigned long long lock_view[2];
};

static unsigned c11_at(unsigned long long view, int loc)
{
    return (unsigned)(view >> (4 * loc)) & 15u;
}

static unsigned long long c11_raise(unsigned long long view, int loc, unsigned at)
{
    return c11_at(view, loc) >= at ? view : (view & ~(15ull << (4 * loc))) | (unsigned long long)at << (4 * loc);
}

static unsigned long long c11_join(unsigned long long a, unsigned long long b)
{
    for (int loc = 0; loc < C11_LOCS; loc++)
        a = c11_raise(a, loc, c11_at(b, loc));
    return a;
}

static int c11_acquires(int order)
{
    return order == C11_ACQUIRE || order == C11_ACQ_REL || order == C11_SEQ_CST;
}
static int c11_releases(int order)
{
    return order == C11_RELEASE || order == C11_ACQ_REL || order == C11_SEQ_CST;
}

/* ORDERS: a digit for each name; BROKEN: a number, 0 for none. */
static void c11_set(unsigned char *order, unsigned char *broken)
{
    const char *orders = getenv("ORDERS"), *variant = getenv("BROKEN");
    for (int i = 0; i <= C11_SEQ_CST; i++)
        order[i] = (unsigned char)i;
    for (int i = 0; orders && orders[i]; i++)
        order[C11_SEQ_CST + 1 + i] = (unsigned char)(orders[i] - '0');
    *broken = (unsigned char)(variant ? atoi(variant) : 0);
}

static void c11_init(struct c11 *c)
{
    for (int loc = 0; loc < C11_LOCS; loc++)
        c->n[loc] = 1; /* the first value is 0, and every thread sees it */
}

static unsigned long long c11_lower(unsigned long long view, int loc, unsigned by)
{
    unsigned at = c11_at(view, loc);
    if (at == C11_NEVER)
        return view;
    return (view & ~(15ull << (4 * loc))) | (unsigned long long)(at > by ? at - by : 0) << (4 * loc);
}

/* Removes values that no thread can read any more from the history, so that a loop returns to its first state. */
static void c11_forget(struct c11 *c, int loc)
{
    unsigned by = C11_NEVER;
    for (int t = 0; t < C11_THREADS; t++)
        if (c11_at(c->view[t], loc) < by)
            by = c11_at(c->view[t], loc);
    if (by == 0 || by == C11_NEVER)
        return;
    for (unsigned i = 0; i < C11_MSGS; i++) {
        c->val[loc][i] = i + by < c->n[loc] ? c->val[loc][i + by] : 0;
        c->carried[loc][i] = i + by < c->n[loc] ? c->carried[loc][i + by] : 0;
    }
    c->n[loc] -= by;
    c->sc[loc] = c->sc[loc] > by ? c->sc[loc] - by : 0;
    for (int l = 0; l < C11_LOCS; l++)
        for (unsigned i = 0; i < c->n[l]; i++)
            c->carried[l][i] = c11_lower(c->carried[l][i], loc, by);
    for (int t = 0; t < C11_THREADS; t++)
        c->view[t] = c11_lower(c->view[t], loc, by);
    for (int k = 0; k < 2; k++)
        c->lock_view[k] = c11_lower(c->lock_view[k], loc, by);
}

static void c11_forget_all(struct c11 *c)
{
    for (int loc = 0; loc < C11_LOCS; loc++)
        c11_forget(c, loc);
}

static void c11_append(struct c11 *c, int t, int loc, int order, int val, unsigned long long carries)
{
    unsigned at = c->n[loc]++;
    assert(at < C11_MSGS);
    c->view[t] = c11_raise(c->view[t], loc, at);
    c->val[loc][at] = (unsigned char)val;
    c->carried[loc][at] = c11_raise(c11_releases(order) ? c11_join(carries, c->view[t]) : carries, loc, at);
    if (order == C11_SEQ_CST)
        c->sc[loc] = (unsigned char)at;
}

static unsigned c11_oldest(const struct c11 *c, int t, int loc, int order)
{
    unsigned at = c11_at(c->view[t], loc);
    return order == C11_SEQ_CST && c->sc[loc] > at ? c->sc[loc] : at;
}

static int c11_load(struct c11 *c, int t, int loc, int order, unsigned at)
{
    int val = c->val[loc][at];
    c->view[t] = c11_raise(c->view[t], loc, at);
    if (c11_acquires(order))
        c->view[t] = c11_join(c->view[t], c->carried[loc][at]);
    return val;
}

static int c11_newest(const struct c11 *c, int loc)
{
    return c->val[loc][c->n[loc] - 1];
}

/* Reads the newest value and appends `val`. Returns the value read. */
static int c11_rmw(struct c11 *c, int t, int loc, int order, int val)
{
    unsigned at = c->n[loc] - 1u;
    unsigned long long carries = c->carried[loc][at];
    int old = c11_load(c, t, loc, order, at);
    c11_append(c, t, loc, order, val, carries);
    return old;
}

static int c11_sees_newest(const struct c11 *c, int t, int loc)
{
    return c11_at(c->view[t], loc) + 1u == c->n[loc];
}

/* A thread that reads nothing more keeps no value alive. */
static void c11_end(struct c11 *c, int t)
{
    c->view[t] = ~0ull;
}
