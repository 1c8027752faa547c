/* A live session for tests, like the one behind the screen. */
#ifndef GMPSCOPE_TESTS_LIVE_H
#define GMPSCOPE_TESTS_LIVE_H

#include "cli/commands.h"
#include "load.h"

#include <poll.h>
#include <unistd.h>

/* Never ends by itself. */
static const char endless_text[] =
    "name: endless\n"
    "scheduler: {gomaxprocs: 2}\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: other}, {loop: forever, do: [{compute: 2us}, {yield: 1}]}]\n"
    "  - name: other\n"
    "    do: [{loop: forever, do: [{sleep: 10us}]}]\n";

struct live {
    struct scenario *sc;
    struct options o;
    struct session *s;
};

/* The session borrows the options, so they must stay in place. */
static inline void live(struct live *out, const char *text, const char *args[], int n)
{
    char err[200];
    CHECK(options_parse(&out->o, CMD_RUN, n, (char **)args));
    out->sc = load(t_file("live.yaml", text));
    struct session_config c = command_session(out->sc, &out->o);
    if (!(out->s = session_new(&c, err, sizeof err)))
        t_fail(__FILE__, __LINE__, "%s", err);
}
#define LIVE(l, text, ...) \
    struct live l; \
    live(&l, text, (const char *[]){__VA_ARGS__}, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))

static inline void close_live(struct live *l)
{
    session_free(l->s);
    scenario_free(l->sc);
    options_fini(&l->o);
}

static inline struct session_status status(struct live *l)
{
    struct session_status st;
    session_ops.status(l->s, &st);
    return st;
}

/* Returns the reason of the stop in words, valid until the next call. */
static inline const char *stop_text(const struct session_status *st)
{
    static char words[STOP_TEXT];
    stop_words(&st->stop, LANG_EN, words, sizeof words);
    return words;
}

static inline const char *stopped_at(struct live *l)
{
    struct session_status st = status(l);
    return stop_text(&st);
}

/* Sleeps until something has changed, as the UI does. A run that has failed does nothing more, so it is not waited
 * for. */
static inline void wait_change(struct live *l)
{
    uint64_t n;
    struct pollfd p = {.fd = session_ops.wake_fd(l->s), .events = POLLIN};
    if (poll(&p, 1, 20) > 0 && read(p.fd, &n, sizeof n) < 0)
        t_fail(__FILE__, __LINE__, "eventfd");
    struct session_status st = status(l);
    if (st.failed)
        t_fail(__FILE__, __LINE__, "the run has failed: %s", stop_text(&st));
}

static inline void wait_events(struct live *l, uint64_t n)
{
    while (status(l).events < n && !status(l).ended)
        wait_change(l);
}

static inline void wait_end(struct live *l)
{
    while (!status(l).ended)
        wait_change(l);
}

#endif
