/* gmpscope explore: runs many seeds of one scenario in lockstep, on all CPUs, to find broken invariants and unmet claims. For each failure it prints
 * the command that replays it. With --shard it tries a part, and --merge puts parts together (merge.c). Child processes finish seeds in any order, but
 * the parent prints and counts a seed (towards --failures, too) only when all lower seeds are done. So the output depends only on the seeds, unless
 * the clock or a signal ends the search. */
#include "base/wall.h"
#include "cli/commands.h"
#include "cli/findings.h"
#include "cli/merge.h"
#include "cli/search.h"
#include "cli/search_one.h"
#include "cli/search_text.h"
#include "engine/worker_pool.h"
#include "engine/reorder_buffer.h"
#include "cli/repro_command.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEFAULT_SEEDS 10000u
#define DEFAULT_WALL_NS INT64_C(60000000000)
#define PLAIN_LINE_MS 5000 /* between two progress lines if stderr is not a terminal */
#define BAR 24

struct explorer {
    struct search_one one;     /* what each run is made of; one.first: the first failing seed, */
    const char *first_choices; /* with the choices of the run (--exhaust; else ""); NULL: they are lost */
    uint64_t seeds, enough;    /* to try; failures of each kind that end the search, UINT64_MAX: any number goes on */
    uint64_t came, found;      /* seeds so far, in any order; found: those that failed */
    struct reorder_buffer line;
    struct findings so_far;           /* in the order of the seeds: what is printed */
    int64_t began, until, said;       /* wall ms; until -1: no limit */
    bool tty, drawn, broken, stopped; /* broken: it cannot continue; stopped: --failures is reached */
    int code, write_error;
    enum exhaust_state tried; /* --exhaust: why it is over */
};

/* --tally; with --by-rule the values of the first search, by seed, and how those of the present one differ from them. */
struct seed_value {
    uint64_t seed;
    char value[256];
};
struct tally_asks {
    const char *query;
    VEC(struct seed_value) was;
    size_t at;               /* how many seeds the present search has tried */
    uint64_t other;          /* those with another value, */
    struct seed_value first; /* and the first of them; `before`: its value in the first search */
    const char *before;
    bool again;
};

/* The query's own numbers ({n}) are drawn from each seed, too. */
static bool tally_begin(void *ctx, const struct scenario *drawn, struct arena *a, struct reader *of, const char **err)
{
    const struct tally_asks *t = ctx;
    size_t pos;
    struct query *q = query_of(drawn, a, t->query, err, &pos);
    if (q)
        *of = query_reader(q);
    return q;
}

static void tally_fini_query(void *state)
{
    query_fini(state);
}

static void tally_note(const struct engine *e, void *state, struct outcome *out)
{
    const char *value = "";
    enum query_result r = query_value(state, engine_view(e), &value);
    size_t len = strlen(value);
    out->has_value = r == QUERY_VALUE;
    out->lacks = r == QUERY_LACKS || len >= sizeof out->value;
    if (out->lacks)
        search_first_line(out->why, sizeof out->why,
                          r == QUERY_LACKS ? strerror(ENOMEM) : "a value is too long to be counted; order() gives long ones");
    else
        memcpy(out->value, value, len + 1);
}

/* --- the report, in the parent ------------------------------------------------------------------------------------ */

static bool is_claim(const struct explorer *x)
{
    return x->one.asked && x->one.asked->report;
}

static void progress_text(const struct explorer *x, char *buf, size_t size)
{
    int64_t ms = wall_ms() - x->began;
    double rate = ms > 0 ? (double)x->came * 1000 / (double)ms : 0, by_seeds = -1, left;
    if (rate > 0 && x->seeds != UINT64_MAX)
        by_seeds = (double)(x->seeds - x->came) / rate;
    left = x->until >= 0 ? (double)(x->until - wall_ms()) / 1000 : by_seeds;
    if (by_seeds >= 0 && by_seeds < left)
        left = by_seeds;
    int n = snprintf(buf, size, "%" PRIu64, x->came);
    if (x->seeds != UINT64_MAX)
        n += snprintf(buf + n, size - (size_t)n, " of %" PRIu64, x->seeds);
    n += snprintf(buf + n, size - (size_t)n, x->one.tree || is_claim(x) ? " schedules" : " seeds");
    if (!is_claim(x))
        n += snprintf(buf + n, size - (size_t)n, ", %" PRIu64 " failed", x->found);
    n += snprintf(buf + n, size - (size_t)n, ", %.0f/s", rate);
    if (left >= 0)
        snprintf(buf + n, size - (size_t)n, ", %.0f s left", left + 0.5);
}

/* Returns how much of the search is done, from 0 to 1: by seeds or by time, whichever is further. */
static double part_done(const struct explorer *x)
{
    double seeds = x->seeds == UINT64_MAX ? 0 : (double)x->came / (double)x->seeds;
    double time = x->until < 0 ? 0 : (double)(wall_ms() - x->began) / (double)(x->until - x->began);
    double part = seeds > time ? seeds : time;
    return part > 1 ? 1 : part;
}

static int columns(void)
{
    struct winsize w;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col ? w.ws_col : 80;
}

/* Draws the bar on one line, with room for the ^C that the terminal echoes: a line that wraps cannot be overwritten. */
static void draw_bar(struct explorer *x)
{
    static const char full[] = "########################", empty[] = "........................";
    char text[160];
    progress_text(x, text, sizeof text);
    int width = columns() - 3, room = width - (int)strlen(text) - 3, bar = room > BAR ? BAR : room;
    int n = (int)(part_done(x) * bar);
    if (bar < 4)
        fprintf(stderr, "\r%.*s\033[K", width, text);
    else
        fprintf(stderr, "\r[%.*s%.*s] %s\033[K", n, full, bar - n, empty, text);
    x->drawn = true;
}

static void clear_bar(struct explorer *x)
{
    if (x->drawn)
        fputs("\r\033[K", stderr);
    x->drawn = false;
}

static void report_progress(struct explorer *x)
{
    char text[160];
    if (x->tty) {
        draw_bar(x);
    } else if (wall_ms() - x->said >= PLAIN_LINE_MS) {
        x->said = wall_ms();
        progress_text(x, text, sizeof text);
        fprintf(stderr, "gmpscope: %s\n", text);
    }
}

/* Reports why neither this seed nor the following ones can be judged. Returns: false. */
static bool cannot_go_on(struct explorer *x, const char *why)
{
    clear_bar(x);
    visible_line(stderr, "gmpscope: explore: %s", why);
    x->code = command_worse(x->code, 2);
    x->broken = true;
    return false;
}

/* Returns the command line that replays a seed, on the heap; NULL: memory ran out. */
static char *replay_of(const struct explorer *x, uint64_t seed, uint64_t events, const char *choices)
{
    char *line = NULL;
    size_t size;
    FILE *f = text_open(&line, &size);
    struct options with = search_tree_options(x->one.o, choices);
    with.stalls = exploration_stalls(x->one.o->stalls, seed);
    with.max_events = search_events(x->one.o, events);
    if (f)
        repro_command(&with, seed, f);
    vec_free(&with.choices);
    if (f && text_close(f))
        return line;
    free(line);
    return NULL;
}

struct counted {
    const struct explorer *x;
    const struct outcome *out;
};

static char *replay_counted(const void *ctx)
{
    const struct counted *run = ctx;
    const char *choices = search_tree_choices(run->x->one.tree, run->out);
    return choices ? replay_of(run->x, search_seed(&run->x->one, run->out->job), run->out->events, choices) : strdup(SEARCH_LOST);
}

static void report_failure(struct explorer *x, const struct outcome *out)
{
    uint64_t seed = search_seed(&x->one, out->job);
    char *replay = replay_counted(&(struct counted){x, out});
    const struct failure one = {seed, out->unit, out->kind, out->events, out->at, out->at_g, out->code, out->own, out->why, replay};
    clear_bar(x);
    if (replay && is_claim(x))
        visible_line(stderr, "gmpscope: %s   # %s", replay, out->why);
    else if (replay)
        findings_failure(&x->so_far, &one, x->one.o->json, stdout);
    else
        cannot_go_on(x, strerror(ENOMEM));
    free(replay);
    if (fflush(stdout) && !x->write_error)
        x->write_error = errno;
}

static void count(struct explorer *x, const struct outcome *out)
{
    struct findings *f = &x->so_far;
    f->done++;
    f->events += out->events;
    f->cut += out->cut;
    f->unjudged += out->unjudged;
    f->narrowed += out->narrowed;
    f->may |= out->may;
    f->met |= out->met;
    if (x->one.o->tally && !tally_add(&f->tally, out->has_value ? out->value : NULL, 1, search_seed(&x->one, out->job)))
        cannot_go_on(x, strerror(ENOMEM));
    if (!findings_unit(f, out->unit) ||
        !findings_races(f, out->races, search_seed(&x->one, out->job), &(struct replayer){replay_counted, &(struct counted){x, out}}))
        cannot_go_on(x, strerror(ENOMEM));
    if (out->code && !f->failed) {
        x->one.first = search_seed(&x->one, out->job);
        x->first_choices = search_tree_choices(x->one.tree, out);
    }
    if (out->code) {
        x->code = command_worse(x->code, out->code);
        report_failure(x, out);
    }
    const struct search_run run = {search_seed(&x->one, out->job), out->unit, search_tree_choices(x->one.tree, out)};
    bool enough = x->one.asked && x->one.asked->count && !x->one.asked->count(x->one.asked->ctx, out, &run);
    x->stopped = enough || (out->code && findings_enough(f, x->enough));
}

static void count_in_turn(struct explorer *x, bool gaps)
{
    struct outcome *out;
    while (!x->stopped && (out = reorder_buffer_take(&x->line, gaps))) {
        count(x, out);
        free(out);
    }
}

static bool seed_done(void *ctx, const struct outcome *out)
{
    struct explorer *x = ctx;
    char why[sizeof out->why + 40];
    snprintf(why, sizeof why, "seed %llu: %s", (unsigned long long)search_seed(&x->one, out->job), out->why);
    if (x->broken || out->lacks)
        return x->broken ? false : cannot_go_on(x, why);
    bool broken = x->one.tree && out->code == 4; /* also if the child is gone, with its tree */
    x->tried = broken ? EXHAUST_BROKEN : (enum exhaust_state)out->state;
    if (out->none)
        return false;
    x->came++;
    x->found += out->code != 0;
    if (!reorder_buffer_add(&x->line, out))
        return cannot_go_on(x, strerror(ENOMEM));
    count_in_turn(x, false);
    return !out->last && !broken && !x->stopped && !x->write_error;
}

static bool time_left(void *ctx)
{
    struct explorer *x = ctx;
    report_progress(x);
    return !signals_code() && (x->until < 0 || wall_ms() < x->until);
}

/* --- the command ------------------------------------------------------------------------------------------------ */

/* Endings that depend only on the seeds come first, because they are the same each time. */
static enum exploration_end ending(const struct explorer *x)
{
    if (x->one.tree && x->tried == EXHAUST_ALL_TRIED && !x->stopped)
        return EXPLORED_ALL;
    if (x->one.tree && x->tried > EXHAUST_ALL_TRIED)
        return EXPLORED_BOUND;
    if (x->stopped || x->so_far.done == x->seeds)
        return x->stopped ? EXPLORED_FAILURES : EXPLORED_SEEDS;
    return x->broken || x->write_error ? EXPLORED_ERROR : signals_code() ? EXPLORED_INTERRUPTED : EXPLORED_TIME;
}

static struct exploration what_is_searched(const struct scenario *sc, const struct options *o)
{
    const struct scenario_info *info = scenario_info(sc);
    struct rt_config rt = command_engine(sc, o).rt;
    return (struct exploration){
        .version = GMPSCOPE_VERSION,
        .scenario = info->name,
        .scenario_hash = info->text_hash,
        .tally = o->tally,
        .seed = rt.seed,
        .seeds = o->has_seeds                 ? o->seeds
                 : o->wall >= 0 || o->exhaust ? UINT64_MAX
                                              : DEFAULT_SEEDS,
        .gomaxprocs = rt.gomaxprocs,
        .assumed_procs = info->gomaxprocs,
        .part = o->part,
        .of = o->of,
        .generation = rt.generation,
        .fine = rt.fine,
        .way = rt.way,
        .stalls = rt.stalls,
        .tree = o->exhaust,
        .calm = o->calm,
        .calls = info->go,
        .is_part = o->shard};
}

static void try_seed(void *ctx, struct outcome *out)
{
    struct explorer *x = ctx;
    search_try(&x->one, out);
}

/* Tries the seeds. Returns: 0, or a negative errno if a child cannot be created or read from. */
static int try_all(struct explorer *x)
{
    struct worker_pool f = {
        .jobs = x->seeds,
        .children = x->one.tree ? 1 : x->one.o->jobs,
        .stuck_ms = STUCK_MS,
        .ctx = x,
        .work = try_seed,
        .done = seed_done,
        .tick = time_left};
    int err = worker_pool_run(&f);
    x->so_far.processes = worker_pool_children(&f);
    count_in_turn(x, true);
    reorder_buffer_fini(&x->line);
    clear_bar(x);
    return err;
}

/* --- --shrink ------------------------------------------------------------------------------------------------------ */

#define SHRINK_EVENTS 5000000u
#define SHRINK_GRACE_MS 2000 /* for a run to end */

/* What the child that reduces tells its parent, in shared memory. release and acquire, all: text and fails belong to the number that follows them. */
struct shrunk {
    _Atomic uint64_t runs, events; /* so far; of the best run, 0: none */
    _Atomic bool stop;             /* the parent wants it to end */
    bool fewest;                   /* read when the child has ended */
    size_t n;
    struct outcome fails; /* the failure that is reduced */
    char text[1 << 20];   /* the best choices; "": none, or too long */
};

struct shrinking {
    struct explorer *x;
    struct shrunk *out;
};

/* Two failures are the same if they differ only in their numbers. */
static bool same_failure(const struct outcome *a, const struct outcome *b)
{
    const char *s = a->why, *t = b->why;
    while (*s && *t) {
        s += strspn(s, "0123456789");
        t += strspn(t, "0123456789");
        if (*s != *t)
            return false;
        s += *s != '\0';
        t += *t != '\0';
    }
    return a->code == b->code && !*s && !*t;
}

static bool fails_again(void *ctx, struct shrink_try *t)
{
    struct shrinking *of = ctx;
    struct outcome out = {0};
    of->x->one.tries = t;
    of->x->one.recorded = t->seen;
    search_run_one(&of->x->one, &out);
    of->x->one.tries = NULL;
    of->x->one.recorded = NULL;
    t->events = out.events;
    atomic_fetch_add_explicit(&of->out->runs, 1, memory_order_release); /* pairs with wait_for_shrunk() */
    return !out.lacks && !out.none && same_failure(&out, &of->out->fails);
}

static bool shrink_stops(void *ctx)
{
    struct shrinking *of = ctx;
    return atomic_load_explicit(&of->out->stop, memory_order_acquire); /* pairs with wait_for_shrunk() */
}

static void keep_shrunk(void *ctx, const struct choices *best, uint64_t events)
{
    struct shrinking *of = ctx;
    char *text = choices_text(best);
    snprintf(of->out->text, sizeof of->out->text, "%s", text && strlen(text) < sizeof of->out->text ? text : "");
    free(text);
    of->out->n = best->n;
    atomic_store_explicit(&of->out->events, events, memory_order_release); /* pairs with report_shrunk() */
}

/* Runs the first failing seed again, and makes a list of all its decisions. */
static bool list_decisions(struct shrinking *of, struct choices *list)
{
    struct course k = {.records = true};
    of->x->one.recorded = &k;
    search_run_one(&of->x->one, &of->out->fails);
    of->x->one.recorded = NULL;
    bool good = of->out->fails.code && !k.lost && !k.too_large;
    bool stalled = exploration_stalls(of->x->one.o->stalls, of->x->one.first); /* stalls are decisions, too, and calm runs have none */
    for (size_t i = 0; i < k.step.n && good && !stalled; i++)
        good = vec_push(list, ((struct choice){.decision = i + 1, .kind = k.step.v[i].kind, .pick = k.step.v[i].pick}));
    vec_free(&k.step);
    return good;
}

/* In a child, since a run may crash or hang. */
static void shrink_in_child(struct explorer *x, struct shrunk *out)
{
    struct shrinking of = {.x = x, .out = out};
    struct shrink s = {.fails = fails_again, .stops = shrink_stops, .keeps = keep_shrunk, .ctx = &of, .most = SHRINK_EVENTS};
    struct choices list = {0};
    if (list_decisions(&of, &list))
        (void)shrink_choices(&s, &list);
    out->fewest = s.fewest;
    vec_free(&list);
}

static void shrink_progress(struct explorer *x, const struct shrunk *out)
{
    /* acquire, both: pair with fails_again() and keep_shrunk() */
    uint64_t runs = atomic_load_explicit(&out->runs, memory_order_acquire),
             events = atomic_load_explicit(&out->events, memory_order_acquire);
    char best[80] = "no failure yet";
    if (!x->tty && wall_ms() - x->said < PLAIN_LINE_MS)
        return;
    if (events)
        snprintf(best, sizeof best, "the best: %zu choice%s, %" PRIu64 " events", SCHEDULES(out->n), events);
    fprintf(stderr, "%sshrinking: %" PRIu64 " run%s, %s%s", x->tty ? "\r" : "gmpscope: ", SCHEDULES(runs), best, x->tty ? "\033[K" : "\n");
    x->drawn = x->tty;
    x->said = wall_ms();
}

/* Waits for the child. A signal, or the time, asks it to end; a run that does not end is killed. Returns why it was stopped; NULL: it was not. */
static const char *wait_for_shrunk(struct explorer *x, pid_t pid, struct shrunk *out, int *status)
{
    const char *why = NULL;
    int64_t began = wall_ms(), asked = 0;
    x->said = began;
    while (waitpid(pid, status, WNOHANG) == 0) {
        if (!why && (signals_code() || wall_ms() - began > STUCK_MS)) {
            why = search_text(signals_code() ? ST_SHRINK_SIGNAL : ST_SHRINK_STOPPED, x->one.o->lang);
            asked = wall_ms();
            atomic_store_explicit(&out->stop, true, memory_order_release); /* pairs with shrink_stops() */
        }
        if (why && wall_ms() - asked > SHRINK_GRACE_MS)
            kill(pid, SIGKILL);
        shrink_progress(x, out);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    clear_bar(x);
    return why ? why : !WIFEXITED(*status) || WEXITSTATUS(*status) ? search_text(ST_SHRINK_CRASH, x->one.o->lang) : NULL;
}

static void report_shrunk(const struct explorer *x, const struct shrunk *out, const char *why)
{
    enum lang lang = x->one.o->lang;
    uint64_t events = atomic_load_explicit(&out->events, memory_order_acquire); /* pairs with keep_shrunk() */
    if (!events) {
        printf(search_format(ST_NOT_SHRUNK, "%s", lang), why ? why : search_text(ST_NOT_CALM, lang));
        return;
    }
    struct options calm = search_tree_options(x->one.o, out->text);
    calm.calm = true;
    calm.stalls = 0;
    printf(search_format(ST_SHRUNK, "%zu%s%" PRIu64 "%s%" PRIu64 "%s%s%s%s", lang), SCHEDULES(out->n), events,
           out->fewest && !why ? search_text(ST_FEWEST, lang) : "", SCHEDULES(atomic_load_explicit(&out->runs, memory_order_acquire)),
           why ? search_text(ST_OPEN_BRACKET, lang) : "", why ? why : "", why ? search_text(ST_SO_FAR, lang) : "");
    repro_command(&calm, x->one.first, stdout);
    visible_line(stdout, "   # %s", out->fails.why);
    vec_free(&calm.choices);
}

static void shrink_failure(struct explorer *x)
{
    struct shrunk *out = mmap(NULL, sizeof *out, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int status = 0;
    fflush(NULL);
    pid_t pid = out == MAP_FAILED ? -1 : fork();
    if (pid == 0) {
        shrink_in_child(x, out);
        _exit(0);
    }
    if (pid < 0)
        printf(search_format(ST_NOT_SHRUNK, "%s", x->one.o->lang), strerror(errno));
    else
        report_shrunk(x, out, wait_for_shrunk(x, pid, out, &status));
    if (out != MAP_FAILED)
        munmap(out, sizeof *out);
}

/* The order of independent steps matters to what is about the order of events or the state between them. */
static bool search_reduces(const struct scenario *sc, const struct options *o, const struct search_asks *asked)
{
    bool judges = !asked || !asked->report; /* the scenario's own claims */
    return !o->every_order && !(asked && asked->sees_order) && !(judges && scenario_info(sc)->claims_order);
}

static int record_first(const struct explorer *x)
{
    if (!x->first_choices)
        return usage_error("cannot record: the choices of the first schedule that failed are lost");
    struct options with = search_tree_options(x->one.o, x->first_choices);
    int code = record_seed(x->one.sc, &with, x->one.first);
    vec_free(&with.choices);
    return code;
}

int search_run(const struct scenario *sc, const struct options *o, const struct search_asks *asked)
{
    bool reports = asked && asked->report;
    struct junit junit;
    if (!junit_begin(&junit, reports ? NULL : o->junit))
        return 2;
    int64_t wall = o->wall >= 0 ? o->wall : o->has_seeds || o->shard ? -1 : DEFAULT_WALL_NS;
    struct explorer x = {.one = {.o = o, .sc = sc, .asked = asked}, .began = wall_ms(), .tty = isatty(STDERR_FILENO)};
    x.so_far.what = what_is_searched(sc, o);
    x.so_far.what.reduced = search_reduces(sc, o, asked);
    x.one.what = &x.so_far.what;
    x.so_far.all = o->all;
    x.so_far.lang = o->lang;
    x.seeds = exploration_jobs(&x.so_far.what);
    x.enough = o->failures ? o->failures : UINT64_MAX;
    x.said = x.began;
    x.until = wall < 0 ? -1 : x.began + wall / 1000000;
    char *command = replay_of(&x, x.so_far.what.seed, 0, "");
    x.so_far.what.command = command ? command : "";
    struct search_tree tree;
    int err = !command ? -ENOMEM : o->exhaust ? search_tree_init(&tree, &x.so_far.what) : 0;
    x.one.tree = o->exhaust && !err ? &tree : NULL;
    signals_watch();
    if (!reports)
        findings_begin(&x.so_far, o->json, stdout);
    if (!err)
        err = try_all(&x);
    if (err) {
        char why[100];
        snprintf(why, sizeof why, "cannot create or read a child process: %s", strerror(-err));
        cannot_go_on(&x, why);
    }
    x.so_far.wall_ns = (wall_ms() - x.began) * 1000000;
    x.so_far.end = ending(&x);
    x.so_far.why = text_in(&exhaust_state_text[x.tried], o->lang);
    if (!reports)
        findings_end(&x.so_far, o->json, stdout);
    if (!reports)
        findings_junit(&x.so_far, &junit);
    else if (!x.code)
        x.code = asked->report(asked->ctx, &x.so_far, signals_code());
    if (o->exhaust && !o->json)
        search_tree_scope(o, x.so_far.what.reduced, stdout);
    if (o->shrink && x.so_far.failed && !signals_code())
        shrink_failure(&x);
    if (o->record && x.so_far.failed)
        x.code = command_worse(x.code, record_first(&x));
    if (x.one.tree)
        search_tree_fini(&tree);
    x.code = junit_end(&junit, x.code);
    findings_fini(&x.so_far);
    free(command);
    return output_finish(x.code ? x.code : signals_code(), x.write_error);
}

/* --- by rule ---------------------------------------------------------------------------------------------------------- */

static bool note_value(void *ctx, const struct outcome *out, const struct search_run *run)
{
    struct tally_asks *t = ctx;
    struct seed_value now = {.seed = run->seed};
    snprintf(now.value, sizeof now.value, "%s", out->has_value ? out->value : "none");
    if (!t->again)
        return vec_push(&t->was, now);
    if (t->at == t->was.n)
        return false;
    const struct seed_value *was = &t->was.v[t->at++];
    if (strcmp(now.value, was->value) != 0 && !t->other++) {
        t->first = now;
        t->before = was->value;
    }
    return true;
}

static int report_none(void *ctx, const struct findings *f, int signal)
{
    (void)ctx, (void)f;
    return signal;
}

/* Tries the seeds once more without each rule that the generation has and go1.20 has not, and prints in how many seeds the value is another. */
static int explore_by_rule(const struct scenario *sc, struct options *o, struct search_asks *asks)
{
    struct tally_asks *t = asks->ctx;
    const struct rt_config rt = command_engine(sc, o).rt;
    const uint32_t disable = o->disable, enable = o->enable, off = rt_off(&rt);
    const enum lang lang = o->lang;
    asks->count = note_value;
    const int code = search_run(sc, o, asks);
    int again = code; /* a seed that fails has a value, too: only bad input, lacks and signals end this */
    asks->report = report_none;
    t->again = true;
    for (int d = DIS_FIRST_RULE; d < DIS_COUNT && again != 2 && again <= 4; d++) {
        if (off >> d & 1)
            continue;
        o->disable = disable | 1u << d;
        o->enable = enable & ~(1u << d);
        t->at = 0;
        t->other = 0;
        again = search_run(sc, o, asks);
        if (t->other)
            visible_line(stdout, search_format(ST_WITHOUT_OTHER, "%s%" PRIu64 "%zu%" PRIu64 "%s%s", lang), rt_disable_name[d], t->other,
                         t->at, t->first.seed, t->first.value, t->before);
        else
            visible_line(stdout, search_format(ST_WITHOUT_SAME, "%s%zu", lang), rt_disable_name[d], t->at);
    }
    if (again != 2 && again <= 4 && !(~off >> DIS_FIRST_RULE & ((1u << (DIS_COUNT - DIS_FIRST_RULE)) - 1)))
        visible_line(stdout, search_format(ST_NO_RULES, "%s", lang), generation_name[rt.generation]);
    vec_free(&t->was);
    return again == 2 || again > 4 ? again : code;
}

static int explore_one(struct options *o)
{
    if (o->nargs != 1)
        return usage_error("explore takes one FILE or NAME, got %d; gmpscope list shows the names", o->nargs);
    struct scenario *sc = search_scenario(o);
    if (!sc)
        return 2;
    o->strict = o->disable || o->policy || scenario_info(sc)->disable || scenario_info(sc)->go_file;
    char err[300];
    bool good = true;
    if (o->record && !record_may(&(struct record_to){.path = o->record}, err, sizeof err)) {
        usage_error("cannot record: %s", err);
        good = false;
    }
    struct query *q = good && o->tally ? command_query(sc, o, "--tally: ", o->tally) : NULL;
    struct tally_asks asks = {.query = o->tally};
    struct search_asks tally = {.ctx = &asks, .begin = tally_begin, .note = tally_note, .fini = tally_fini_query};
    if (q) {
        tally.sees_order = query_sees_order(q);
        query_fini(q); /* it was only checked: each seed has its own */
    }
    int code = !good || (!q && o->tally) ? 2 : o->by_rule ? explore_by_rule(sc, o, &tally) : search_run(sc, o, o->tally ? &tally : NULL);
    scenario_free(sc);
    return code;
}

int cmd_explore(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_EXPLORE, argc, argv))
        code = o.help    ? command_help("explore FILE|NAME [options]", "run many seeds to find broken invariants and unmet expectations",
                                        CMD_EXPLORE)
               : o.merge ? cmd_merge(&o, NULL)
                         : explore_one(&o);
    options_fini(&o);
    return code;
}
