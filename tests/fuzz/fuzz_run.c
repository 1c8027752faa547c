/* Reads run files and folds what they say. The first byte of an input says what the rest is:
 *
 *   0…127    a run of this number, recorded at the start, and changes of it, 8 bytes each
 *   128…191  the chunks of a file after its head: tag, length and body of each. The target adds the checksums
 *   192…255  a file, as it is
 *
 * Events that do not fit are left out, so that those after them are folded, too. The history takes the rest and is asked about it; the list of
 * slots takes them, and each pane draws the state at the end. */
#include "fuzz.h"

#include "engine/engine.h"
#include "model/model_internal.h"
#include "trace/run_format.h"
#include "ui/panes/panes.h"

#include <fcntl.h>

enum { EVENTS_MOST = 600, CHANGE = 8 };

/* ---- runs to change ---- */

static const char *const shipped[] = {
    "steal-half",    "net-echo",    "gc-assist",         "mutex-starving", "blocking-syscall", "lock-os-thread",
    "select-fair",   "timerproc",   "gomaxprocs-shrink", "syscall-1-0",    "disable-user",     "overflow",
    "preempt-tight", "locked-exit", "stop-the-world",    "deadlock"};
enum { RUNS_MOST = 16 };

struct base {
    struct scenario *scenario; /* info and cfg have names of it */
    struct run_info info;
    struct model_config cfg;
    uint32_t n;
    struct ev ev[EVENTS_MOST];
    uint32_t m[EVENTS_MOST];
};
static struct base *bases[RUNS_MOST];
static uint32_t nbases;

static bool note(void *ctx, const struct merged_event *at)
{
    struct base *b = ctx;
    if (b->n < EVENTS_MOST) {
        b->ev[b->n] = *at->e;
        b->m[b->n++] = at->m;
    }
    return true;
}

static void record(const char *path)
{
    struct base *b = calloc(1, sizeof *b);
    struct diag d;
    char err[200];
    diag_init(&d, path);
    b->scenario = scenario_load(path, &d);
    diag_fini(&d);
    if (!b->scenario) {
        free(b);
        return;
    }
    const struct reader watch = {
        .ctx = b, .needs = READS_EACH | READS_DETAILS | READS_PLACES, .event = note, .lack = "cannot note the events"};
    struct engine_config c = {
        .scenario = b->scenario,
        .rt = scenario_config(b->scenario),
        .limit = INT64_C(10000000000),
        .max_events = EVENTS_MOST,
        .readers = &watch,
        .nreaders = 1};
    c.rt.mode = MODE_LOCKSTEP;
    struct engine *e = engine_draw(&c, err, sizeof err) ? engine_new(&c, err, sizeof err) : NULL;
    if (!e)
        WRONG("%s: %s", path, err);
    engine_drive(e, &(struct drive){.audit = false});
    b->info = c.info;
    b->cfg = e->model->cfg;
    b->cfg.objects = b->info.objects;
    engine_free(e);
    bases[nbases++] = b;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/scenarios/%s.yaml", SOURCE_DIR, shipped[i]);
        record(path);
    }
    if (nbases < 4)
        WRONG("the shipped scenarios are not there");
    return 0;
}

/* ---- the three kinds of files ---- */

static void put_words(struct ev *e, uint32_t field, uint32_t v, uint32_t *m)
{
    uint32_t *const word[] = {&e->g, &e->a, &e->b, &e->c, &e->d};
    if (field < 5)
        *word[field] = v;
    else if (field == 5)
        e->p = (uint16_t)v;
    else if (field == 6)
        e->kind = (uint8_t)(v % EV_KINDS);
    else if (field == 7)
        e->time = (int64_t)((uint64_t)v << (v & 31));
    else
        *m = v;
}

/* A change: where (2 bytes), what to do with which field, an amount. */
static uint32_t change(const struct base *b, struct ev *ev, uint32_t *m, uint32_t n, const uint8_t *by)
{
    static const uint32_t values[] = {0, 1, 2, UINT32_MAX, UINT32_MAX - 1, 0x7fffffff, 0x80000000, 0xffff, 1024, 1000001, 2000001, 0x10000};
    uint32_t at = n ? (by[0] | (uint32_t)by[1] << 8) % n : 0, field = by[3] % 9, amount = get32(by + 4), to = amount % EVENTS_MOST;
    uint32_t other = amount % b->n;
    if (n == 0)
        return n;
    struct ev e = ev[at], o = b->ev[other];
    uint32_t old[] = {e.g, e.a, e.b, e.c, e.d, e.p, e.kind, 0, m[at]};
    switch (by[2] % 6) {
    case 0:
        put_words(&ev[at], field, values[amount % (sizeof values / sizeof *values)], &m[at]);
        return n;
    case 1:
        put_words(&ev[at], field, old[field] + (uint32_t)(int32_t)(int8_t)by[4], &m[at]);
        return n;
    case 2:
        put_words(&ev[at], field, amount, &m[at]);
        return n;
    case 3: /* leaves the event out */
        memmove(ev + at, ev + at + 1, (n - at - 1) * sizeof *ev);
        memmove(m + at, m + at + 1, (n - at - 1) * sizeof *m);
        return n - 1;
    case 4: /* one more, of anywhere */
        if (n == EVENTS_MOST)
            return n;
        memmove(ev + at + 1, ev + at, (n - at) * sizeof *ev);
        memmove(m + at + 1, m + at, (n - at) * sizeof *m);
        ev[at] = o;
        m[at] = b->m[other];
        return n + 1;
    default: /* to another place */
        to %= n;
        ev[at] = ev[to];
        ev[to] = e;
        return n;
    }
}

static void write_changed(const char *path, const struct base *b, const uint8_t *by, size_t size)
{
    static struct ev ev[EVENTS_MOST];
    static uint32_t m[EVENTS_MOST];
    char error[RUN_ERROR];
    uint32_t n = b->n;
    memcpy(ev, b->ev, n * sizeof *ev);
    memcpy(m, b->m, n * sizeof *m);
    for (; size >= CHANGE; by += CHANGE, size -= CHANGE)
        n = change(b, ev, m, n, by);
    struct run_writer *w = run_writer_new(path, NULL, error);
    if (!w)
        WRONG("%s", error);
    for (uint32_t i = 0; i < n; i++) {
        bool text = ev[i].kind == EV_PRINT && i % 2;
        if (!run_writer_add(w, m[i], &ev[i], 1, text ? "\x1b[2Jx" : NULL, text ? 5 : 0) ||
            (i % 8 == 0 && !run_writer_place(w, ev[i].a, ev[i].b)))
            WRONG("not written");
    }
    if (!run_writer_end(w, NULL))
        WRONG("not ended");
    run_writer_free(w);
}

static void write_chunks(const char *path, const uint8_t *from, size_t size)
{
    static uint8_t chunk[CHUNK_HEAD + (1 << 16)];
    char error[RUN_ERROR];
    struct run_writer *w = run_writer_new(path, NULL, error);
    if (!w)
        WRONG("%s", error);
    uint64_t at = run_writer_bytes(w);
    run_writer_free(w);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    while (size >= 8) {
        uint32_t tag = get32(from), len = get32(from + 4) & 0xffff;
        from += 8, size -= 8;
        len = len < size ? len : (uint32_t)size;
        memcpy(chunk + CHUNK_HEAD, from, len);
        chunk_put(chunk, tag, chunk + CHUNK_HEAD, len);
        if (write_all_at(fd, chunk, CHUNK_HEAD + len, at) != 0)
            WRONG("not written");
        at += CHUNK_HEAD + len;
        from += len, size -= len;
    }
    close(fd);
}

/* ---- what a reader does with it ---- */

static void ask_history(struct history *h, const struct model *now, const uint8_t *by, size_t size)
{
    struct history_bins bins;
    struct model *md = NULL;
    uint64_t n = history_events(h), next;
    if (history_bins_by_event(h, 0, n, 7, &bins))
        history_bins_free(&bins);
    if (history_bins_by_time(h, 0, model_time(now), 5, &bins))
        history_bins_free(&bins);
    for (size_t i = 0; i + 2 < size && i < 24; i += 3) {
        struct history_subject s = {.kind = (enum subject_kind)(by[i] % 4), .id = by[i + 1]};
        history_chain(h, &s, 1, n, 1);
        if (s.kind != SUBJECT_OBJECT)
            history_came(h, now, &s, 0, &next);
        if (!history_move(h, &md, by[i + 2] % (n + 1)) && history_oldest(h) == 0)
            WRONG("state %u cannot be reached", (unsigned)(by[i + 2] % (n + 1)));
    }
    if (!history_move(h, &md, n) || model_events(md) != n)
        WRONG("the last state cannot be reached");
    model_free(md);
}

static void ask_model(const struct model *md)
{
    struct snapshot snap = {0};
    struct model_waiter *w;
    char why[200];
    uint32_t n;
    int64_t p50, p99, max;
    model_check(md, why, sizeof why);
    if (model_snapshot(md, &snap))
        snapshot_fini(&snap);
    if (model_waiters(md, WAITERS_SHOWN, &w, &n))
        free(w);
    model_latency(md, &p50, &p99, &max);
    model_free(model_clone(md));
}

static void say(const struct model *md, const struct run_event *e)
{
    static char buf[4096];
    event_line(md, e->m, e->ev, e->text, e->len, buf, sizeof buf);
    event_sentence(md, e->m, e->ev, e->text, e->len, LANG_EN, buf, sizeof buf);
    event_sentence(md, e->m, e->ev, e->text, e->len, LANG_ZH, buf, sizeof buf);
}

/* ---- the screen ---- */

static struct history *asked;

static bool let_ask(struct session *s, session_ask *ask, void *ctx)
{
    (void)s;
    ask(asked, ctx);
    return true;
}

/* Draws each pane, with what the bytes select. */
static void draw_panes(const struct model *md, struct history *h, const struct base *b, const uint8_t *by, size_t size)
{
    static const char prefix[] = "PMG";
    struct session_event last = {.number = history_events(h)};
    struct history_event he;
    struct pane_source from = {.query = let_ask};
    struct canvas c;
    asked = h;
    bool some = last.number && history_get(h, last.number, &he);
    if (some)
        last = (struct session_event){.number = he.number, .m = he.m, .ev = he.ev};
    for (int kind = 0; kind < PANES; kind++) {
        struct pane_states states = {0};
        struct layout_pane pane = pane_standard((enum pane_kind)kind, (struct layout_rect){0, 0, 100, 30});
        struct view v = {
            .md = md,
            .st = {.name = "run",
                   .generation = generation_name[b->info.generation],
                   .lockstep = true,
                   .paused = true,
                   .events = last.number,
                   .time = model_time(md),
                   .newest_time = model_time(md)},
            .ev = &last,
            .nev = some,
            .lang = (enum lang)(kind % LANGS),
            .states = &states,
            .on_screen = 1u << kind,
            .selected = size > 1 ? tag_of(prefix[by[0] % 3], by[1]) : 0};
        if (!canvas_init(&c, 100, 30))
            WRONG("no canvas");
        panes_prepare(&v, &c, &pane, 1, &from);
        panes_draw(&v, &c, &pane, 1);
        pane_states_fini(&states);
        canvas_fini(&c);
    }
}

static void fold(struct run_reader *r, const struct base *b, const uint8_t *by, size_t size)
{
    struct model *md = model_new(&b->cfg);
    struct history *h = history_new(md, &(struct history_config){.budget = HISTORY_BUDGET, .segment = 256});
    struct slots slots = {0};
    struct reader list = slots_reader(&slots);
    struct run_event e;
    enum run_item item;
    uint64_t number = 0;
    while ((item = run_reader_next(r, &e)) <= RUN_PLACE) {
        if (item == RUN_PLACE) {
            if (!model_place(md, e.g, e.op) || !history_add_place(h, e.g, e.op))
                WRONG("a place needs too much memory");
            continue;
        }
        if (e.number != ++number)
            WRONG("event %llu after %llu", (unsigned long long)e.number, (unsigned long long)number - 1);
        enum offer answer = model_offer(md, e.m, e.ev, e.text, e.len);
        if (model_lacks_memory(md))
            WRONG("event %llu needs too much memory", (unsigned long long)e.number);
        if (answer != OFFER_APPLIED)
            continue;
        say(md, &e);
        if (list.kinds[e.ev->kind] && !list.event(list.ctx, &(struct merged_event){.md = md, .number = e.number, .m = e.m, .e = e.ev}))
            WRONG("event %llu needs too many slots", (unsigned long long)e.number);
        if (!history_add(h, md, e.m, e.ev, e.text, e.len))
            WRONG("the history does not take event %llu", (unsigned long long)e.number);
    }
    if (run_reader_next(r, &e) != RUN_END || run_reader_events(r) != number)
        WRONG("the end is not the end");
    ask_model(md);
    ask_history(h, md, by, size);
    draw_panes(md, h, b, by, size);
    slots_fini(&slots);
    history_free(h);
    model_free(md);
}

static char own_dir[] = "/tmp/fuzz-run-XXXXXX", own_path[sizeof own_dir + 8];

static void remove_own_file(void)
{
    unlink(own_path);
    rmdir(own_dir);
}

/* Returns the path of the file that a writer writes. It follows no link, and the path of as_file() is one. */
static const char *own_file(void)
{
    if (!own_path[0]) {
        if (!mkdtemp(own_dir))
            WRONG("no folder");
        snprintf(own_path, sizeof own_path, "%s/a.run", own_dir);
        atexit(remove_own_file);
    }
    return own_path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char error[RUN_ERROR] = "";
    if (size == 0)
        return 0;
    uint8_t kind = data[0];
    const struct base *b = bases[kind % nbases];
    const char *path = kind < 192 ? own_file() : as_file(data + 1, size - 1);
    if (kind < 128)
        write_changed(path, b, data + 1, size - 1);
    else if (kind < 192)
        write_chunks(path, data + 1, size - 1);
    struct run_reader *r = run_reader_open(path, error);
    if (!r && (!error[0] || strchr(error, '\n')))
        WRONG("refused without a reason");
    if (r) {
        uint64_t middle = run_reader_events(r) / 2 + 1;
        if (run_reader_seek(r, middle))
            run_reader_seek(r, 1);
        if (run_reader_seek(r, 1))
            fold(r, b, data + 1, size - 1);
    }
    run_reader_free(r);
    return 0;
}
