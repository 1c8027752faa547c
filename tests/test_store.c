/* The file of the history where the system interrupts transfers or makes only a part of them: whatever it does, the same events come back. */
#include "load.h"
#include "model/history/history.h"
#include "whole.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* How the transfers below go. They take the places of the C library's in this program. */
static enum { WHOLE, INTERRUPTED, SHORT, BOTH, NOTHING } way;
static _Atomic unsigned calls;

/* Returns how many of n bytes to transfer; -1: a signal came before the first. */
static ssize_t allowed(size_t n)
{
    unsigned k = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed); /* relaxed: only a number */
    if (way == INTERRUPTED || way == BOTH)
        if (k % 3 != 2) {
            errno = EINTR;
            return -1;
        }
    return way == NOTHING ? 0 : (way == SHORT || way == BOTH) && n > 1 ? (ssize_t)(n / 2 + 1) : (ssize_t)n;
}

ssize_t pread(int fd, void *buf, size_t n, off_t at)
{
    ssize_t some = allowed(n);
    return some <= 0 ? some : syscall(SYS_pread64, fd, buf, some, at);
}

ssize_t pwrite(int fd, const void *buf, size_t n, off_t at)
{
    ssize_t some = allowed(n);
    return some <= 0 ? some : syscall(SYS_pwrite64, fd, buf, some, at);
}

/* The same events in a history whose records are in the file, except the newest. */
static struct history *in_file(struct history *log)
{
    struct model *md = NULL;
    struct history_event e;
    CHECK(history_move(log, &md, 0));
    struct history *h = history_new(md, &(struct history_config){.budget = HISTORY_LEAST, .segment = 256});
    CHECK(h);
    for (uint64_t n = 1; history_get(log, n, &e); n++) {
        CHECK_INT(model_offer(md, e.m, &e.ev, e.text, e.len), OFFER_APPLIED);
        CHECK(history_add(h, md, e.m, &e.ev, e.text, e.len));
    }
    model_free(md);
    return h;
}

static struct engine *run(struct scenario **sc)
{
    *sc = load(SOURCE_DIR "/scenarios/whatif-recheck.yaml");
    return run_scenario(*sc, MODE_LOCKSTEP, 12000);
}

TEST(interrupted_transfers_move_every_byte)
{
    struct scenario *sc;
    struct engine *e = run(&sc);
    for (way = WHOLE; way <= BOTH; way++) {
        unsigned before = atomic_load_explicit(&calls, memory_order_relaxed); /* relaxed: this thread's own */
        struct history *h = in_file(e->history);
        struct history_event a, b;
        CHECK_INT(history_oldest(h), 0);
        CHECK(!history_file_fails(h));
        for (uint64_t n = history_events(h); n; n -= n > 7 ? 7 : n) {
            CHECK(history_get(h, n, &a) && history_get(e->history, n, &b));
            CHECK(a.m == b.m && a.len == b.len && !memcmp(&a.ev, &b.ev, sizeof a.ev));
            CHECK(!a.len || !memcmp(a.text, b.text, a.len));
        }
        CHECK(atomic_load_explicit(&calls, memory_order_relaxed) > before + 20); /* relaxed: as above */
        history_free(h);
    }
    way = WHOLE;
    engine_free(e);
    scenario_free(sc);
}

/* A transfer of no byte would never end if it were repeated. */
TEST(a_file_that_takes_nothing_fails)
{
    struct scenario *sc;
    struct engine *e = run(&sc);
    struct history_event got;
    way = NOTHING;
    struct history *h = in_file(e->history);
    CHECK(history_file_fails(h) && history_oldest(h) > 0);
    way = WHOLE;
    CHECK(!history_get(h, 1, &got) && history_get(h, history_events(h), &got));
    history_free(h);
    h = in_file(e->history);
    way = NOTHING;
    CHECK(!history_get(h, 1, &got)); /* it cannot be read back */
    way = WHOLE;
    CHECK(history_get(h, 1, &got));
    history_free(h);
    engine_free(e);
    scenario_free(sc);
}
