/* The run file (trace/run_file.h): what is read is what was written; a cut or changed file gives an exact prefix, or is refused. */
#include "base/prng.h"
#include "engine/engine.h"
#include "engine/record_thread.h"
#include "load.h"
#include "model/history/history.h"
#include "t.h"
#include "trace/run_format.h"
#include "whole.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a run as a list ---- */

struct item {
    bool place;
    uint32_t m, g, op;
    struct ev ev;
    char *text;
    size_t len;
};
struct items {
    struct item *v;
    uint32_t n, events;
};

static void add_item(struct items *l, const struct item *i)
{
    if ((l->n & (l->n - 1)) == 0) /* a power of two */
        l->v = realloc(l->v, (l->n ? 2 * l->n : 1) * sizeof *l->v);
    l->v[l->n++] = *i;
    l->events += !i->place;
}

static void free_items(struct items *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        free(l->v[i].text);
    free(l->v);
}

/* Events that a run might have: many that follow a pattern, some texts, some places. */
static struct items some_items(uint32_t events, uint64_t seed)
{
    struct items l = {0};
    struct prng r;
    struct item last = {.ev = {.kind = EV_RUNQ_PUT}};
    prng_seed(&r, seed, 1);
    while (l.events < events) {
        struct item i = last;
        if (prng_below(&r, 10) == 0) {
            i = (struct item){.place = true, .g = prng_below(&r, 100000), .op = prng_below(&r, 300)};
            add_item(&l, &i);
            continue;
        }
        i.ev.time += prng_below(&r, 3) ? 0 : prng_below(&r, 100000);
        i.ev.a++;
        if (prng_below(&r, 4) == 0) {
            i.ev.kind = (uint8_t)prng_below(&r, EV_KINDS);
            i.ev.g = prng_below(&r, UINT32_MAX);
            i.m = prng_below(&r, 8);
        }
        last = i;
        if (prng_below(&r, 20) == 0) {
            i.len = prng_below(&r, 40);
            i.text = calloc(1, i.len + 1);
            memset(i.text, 'x', i.len);
        }
        add_item(&l, &i);
    }
    return l;
}

static const char *temporary(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", t_tmpdir(), name);
    return path;
}

/* Writes items[from] … items[to - 1]. */
static void write_items(struct run_writer *w, const struct items *l, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        const struct item *x = &l->v[i];
        CHECK(x->place ? run_writer_place(w, x->g, x->op) : run_writer_add(w, x->m, &x->ev, 1, x->text, x->len));
    }
}

static struct run_writer *new_writer(const char *path)
{
    struct run_head head = {0};
    char error[RUN_ERROR];
    CHECK(run_head_put(&head, "scenario", "gomaxprocs: 2\0\n", 15));
    struct run_writer *w = run_writer_new(path, &head, error);
    if (!w)
        t_fail(__FILE__, __LINE__, "%s: %s", path ? path : "(no name)", error);
    run_head_fini(&head);
    return w;
}

/* Writes all items with a flush after every `step` of them, and the end. */
static void write_file(const char *path, const struct items *l, uint32_t step, bool end)
{
    struct run_writer *w = new_writer(path);
    struct run_head tail = {0};
    for (uint32_t i = 0; i < l->n; i += step) {
        write_items(w, l, i, i + step < l->n ? i + step : l->n);
        CHECK(run_writer_flush(w));
    }
    CHECK_INT(run_writer_events(w), l->events);
    CHECK_INT(run_writer_kept(w), l->events);
    CHECK(run_head_put(&tail, "exit", "0", 1));
    CHECK(!end || run_writer_end(w, &tail));
    struct stat st;
    CHECK(stat(path, &st) == 0);
    CHECK_INT((uint64_t)st.st_size, run_writer_bytes(w));
    run_writer_free(w);
    run_head_fini(&tail);
}

static struct run_reader *open_file(const char *path)
{
    char error[RUN_ERROR];
    struct run_reader *r = run_reader_open(path, error);
    if (!r)
        t_fail(__FILE__, __LINE__, "%s: %s", path, error);
    return r;
}

static void check_item(const struct item *is, enum run_item kind, const struct run_event *e, uint64_t number)
{
    CHECK_INT(kind, is->place ? RUN_PLACE : RUN_EVENT);
    CHECK_INT(e->number, number);
    if (is->place) {
        CHECK(e->g == is->g && e->op == is->op);
        return;
    }
    CHECK(e->m == is->m && memcmp(e->ev, &is->ev, sizeof is->ev) == 0 && e->len == is->len && (e->text != NULL) == (is->text != NULL));
    CHECK(!is->len || memcmp(e->text, is->text, is->len) == 0);
}

/* Reads from the list's item `from` on. Returns how many events precede the end. */
static uint64_t check_prefix(struct run_reader *r, const struct items *l, uint32_t from, uint64_t number)
{
    struct run_event e;
    enum run_item kind;
    uint32_t i = from;
    for (; (kind = run_reader_next(r, &e)) != RUN_END; i++) {
        CHECK(kind != RUN_LACK && i < l->n);
        check_item(&l->v[i], kind, &e, number);
        number += kind == RUN_EVENT;
    }
    CHECK_INT(run_reader_next(r, &e), RUN_END);
    CHECK_INT(run_reader_events(r), number - 1);
    return number - 1;
}

/* ---- whole files ---- */

static void check_round_trip(uint32_t events, uint32_t step, bool end)
{
    struct items l = some_items(events, events);
    const char *path = temporary("trip");
    write_file(path, &l, step, end);
    struct run_reader *r = open_file(path);
    CHECK_INT(run_reader_state(r), end ? RUN_WHOLE : RUN_CUT);
    CHECK_INT(run_reader_events(r), l.events);
    const struct run_text *t = run_head_get(run_reader_head(r), "scenario");
    CHECK(t && t->len == 15 && memcmp(t->text, "gomaxprocs: 2\0\n", 16) == 0);
    const struct run_head *tail = run_reader_end(r);
    CHECK((tail != NULL) == end);
    CHECK(!end || strcmp(run_head_get(tail, "exit")->text, "0") == 0);
    CHECK_INT(check_prefix(r, &l, 0, 1), l.events);
    CHECK_INT(run_reader_state(r), end ? RUN_WHOLE : RUN_CUT);
    run_reader_free(r);
    unlink(path);
    free_items(&l);
}

TEST_TIMED(a_run_comes_back_as_it_was_written, 120)
{
    static const uint32_t events[] = {0, 1, 2, 4095, 4096, 4097, 16383, 16384, 16385, 40000}, steps[] = {1, 7, 4096, UINT32_MAX / 2};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
            check_round_trip(events[i], steps[k], k % 2 || i % 2);
}

/* Events of one M and one time are packed together, and a record crosses blocks and segments. */
TEST(records_come_back_as_events)
{
    enum { TURNS = 3000, OF = 7 };
    const char *path = temporary("records");
    struct run_writer *w = new_writer(path);
    struct ev e[OF] = {{0}};
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        for (uint32_t i = 0; i < OF; i++)
            e[i] = (struct ev){.time = turn, .kind = EV_RUNQ_PUT, .g = turn, .a = i};
        CHECK(run_writer_add(w, 3, e, OF, NULL, 0));
    }
    CHECK(run_writer_end(w, NULL));
    CHECK(!run_writer_add(w, 3, e, 1, NULL, 0));
    uint64_t bytes = run_writer_bytes(w);
    run_writer_free(w);
    CHECK(bytes < TURNS * OF * 2 + 20000);
    struct run_reader *r = open_file(path);
    struct run_event got;
    for (uint32_t i = 0; i < TURNS * OF; i++) {
        CHECK_INT(run_reader_next(r, &got), RUN_EVENT);
        CHECK(got.m == 3 && got.ev->g == i / OF && got.ev->a == i % OF && got.ev->time == (int64_t)(i / OF) && !got.text);
    }
    CHECK_INT(run_reader_next(r, &got), RUN_END);
    run_reader_free(r);
    unlink(path);
}

TEST(the_reader_goes_to_any_event)
{
    struct items l = some_items(50000, 7);
    const char *path = temporary("seek");
    struct prng rand;
    uint32_t *at = calloc(l.events + 2, sizeof *at), n = 1; /* the first item that belongs to an event */
    for (uint32_t i = 0; i < l.n; i++)
        if (!l.v[i].place)
            at[++n] = i + 1;
    for (int end = 0; end < 2; end++) {
        write_file(path, &l, 1000, end);
        struct run_reader *r = open_file(path);
        prng_seed(&rand, 1, 1);
        for (int i = 0; i < 200; i++) {
            uint64_t number = i == 0 ? l.events + 1 : 1 + prng_below(&rand, l.events);
            CHECK(run_reader_seek(r, number));
            struct run_event e;
            for (uint32_t k = at[number], to = k + 10; k < to && k < l.n; k++) {
                check_item(&l.v[k], run_reader_next(r, &e), &e, number);
                number += !l.v[k].place;
            }
        }
        CHECK(!run_reader_seek(r, 0) && !run_reader_seek(r, l.events + 2));
        run_reader_free(r);
    }
    unlink(path);
    free(at);
    free_items(&l);
}

/* ---- the thread that writes ---- */

static void check_thread(uint32_t events, uint32_t flush)
{
    struct items l = some_items(events, events);
    const char *path = temporary("thread");
    struct record_thread *t = record_thread_new(new_writer(path));
    CHECK(t);
    for (uint32_t i = 0; i < l.n; i++) {
        const struct item *x = &l.v[i];
        if (x->place)
            record_thread_place(t, x->g, x->op);
        else
            record_thread_add(t, x->m, &x->ev, 1, x->text, x->len);
        if (i % flush == 0)
            record_thread_flush(t);
    }
    struct run_writer *w = record_thread_end(t);
    CHECK(run_writer_events(w) == l.events && run_writer_end(w, NULL));
    CHECK(record_thread_end(t) == w);
    record_thread_free(t);
    struct run_reader *r = open_file(path);
    CHECK_INT(check_prefix(r, &l, 0, 1), l.events);
    run_reader_free(r);
    unlink(path);
    free_items(&l);
}

TEST_TIMED(a_thread_writes_what_it_is_given, 120)
{
    check_thread(0, 1);
    check_thread(300, 7);
    check_thread(40000, UINT32_MAX);
    check_thread(200000, 3000);
}

/* ---- files that are not whole ---- */

struct image {
    uint8_t *v;
    size_t n;
};

static struct image read_image(const char *path)
{
    struct image im = {0};
    struct stat st;
    int fd = open(path, O_RDONLY);
    CHECK(fd >= 0 && fstat(fd, &st) == 0);
    im.n = (size_t)st.st_size;
    im.v = malloc(im.n);
    CHECK(read_all_at(fd, im.v, im.n, 0) == 0);
    close(fd);
    return im;
}

static void write_image(const char *path, const uint8_t *v, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(fd >= 0 && write_all_at(fd, v, n, 0) == 0);
    close(fd);
}

/* Returns how many events can be read; 0 if the file is refused, with a message of one line. */
static uint64_t readable(const char *path, const struct items *l, enum run_state *state)
{
    char error[RUN_ERROR] = "";
    struct run_reader *r = run_reader_open(path, error);
    *state = RUN_DAMAGED;
    if (!r) {
        CHECK(error[0] && !strchr(error, '\n'));
        return 0;
    }
    uint64_t n = check_prefix(r, l, 0, 1);
    *state = run_reader_state(r);
    run_reader_free(r);
    return n;
}

/* The next byte to try: each, but few within the table of events, which is most of a small file. */
static size_t next_byte(size_t i, size_t all)
{
    return i > 200 && i + 1500 < all ? i + 97 : i + 1;
}

TEST_TIMED(a_file_that_ends_anywhere_gives_its_whole_pieces, 120)
{
    struct items l = some_items(24, 3);
    const char *path = temporary("cut");
    enum run_state state;
    write_file(path, &l, 8, true);
    struct image im = read_image(path);
    uint64_t last = 0;
    for (size_t n = 0; n < im.n; n = next_byte(n, im.n)) {
        write_image(path, im.v, n);
        uint64_t events = readable(path, &l, &state);
        CHECK(events >= last && events <= l.events && state != RUN_WHOLE);
        last = events;
    }
    CHECK_INT(last, l.events);
    free(im.v);
    unlink(path);
    free_items(&l);
}

TEST_TIMED(a_changed_byte_gives_a_prefix_or_a_refusal, 300)
{
    struct items l = some_items(24, 4);
    const char *path = temporary("flip");
    enum run_state state;
    write_file(path, &l, 10, true);
    struct image im = read_image(path);
    for (size_t i = 0; i < im.n; i = next_byte(i, im.n))
        for (int bit = 0; bit < 8; bit += 7) {
            im.v[i] ^= (uint8_t)(1 << bit);
            write_image(path, im.v, im.n);
            uint64_t events = readable(path, &l, &state);
            CHECK(events <= l.events && state != RUN_WHOLE);
            im.v[i] ^= (uint8_t)(1 << bit);
        }
    free(im.v);
    unlink(path);
    free_items(&l);
}

static void expect_refusal(const char *path, const uint8_t *v, size_t n, const char *why)
{
    char error[RUN_ERROR] = "";
    write_image(path, v, n);
    struct run_reader *r = run_reader_open(path, error);
    if (r || !strstr(error, why))
        t_fail(__FILE__, __LINE__, "expected \"%s\", got \"%s\"", why, r ? "(it opens)" : error);
    unlink(path);
}

TEST(other_files_are_refused_with_their_reason)
{
    struct items l = some_items(5, 5);
    const char *path = temporary("other");
    char error[RUN_ERROR];
    write_file(path, &l, 10, true);
    struct image im = read_image(path);
    expect_refusal(path, im.v, 0, "it is empty");
    expect_refusal(path, (const uint8_t *)"gomaxprocs: 2\ndo: []\n", 21, "it is not a recording");
    expect_refusal(path, im.v, 20, "it ends before its first event");
    put32(im.v + 8, RUN_VERSION + 1);
    expect_refusal(path, im.v, im.n, "a newer gmpscope wrote it: its format is 2, expected 1");
    put32(im.v + 8, 0);
    expect_refusal(path, im.v, im.n, "an older gmpscope wrote it: its format is 0, expected 1");
    put32(im.v + 8, RUN_VERSION);
    struct chunk c = chunk_get(im.v + RUN_SIGNATURE);
    uint8_t *body = im.v + RUN_SIGNATURE + CHUNK_HEAD;
    body[30] ^= 1; /* a letter of the table of events */
    expect_refusal(path, im.v, im.n, "its head is damaged");
    chunk_put(im.v + RUN_SIGNATURE, c.tag, body, c.len);
    expect_refusal(path, im.v, im.n, "its table of events is not the one of this version");
    CHECK(!run_reader_open("/nonexistent", error) && strcmp(error, strerror(ENOENT)) == 0);
    CHECK(!run_reader_open("/", error) && strcmp(error, strerror(EISDIR)) == 0);
    CHECK(!run_reader_open("/dev/null", error) && strcmp(error, "it is not a regular file") == 0);
    CHECK(!run_writer_new("/nonexistent/a", NULL, error) && strcmp(error, strerror(ENOENT)) == 0);
    CHECK(!run_writer_new("/dev/null", NULL, error) && strcmp(error, "it is not a regular file") == 0);
    free(im.v);
    free_items(&l);
}

/* ---- the history records ---- */

/* Is the file's run the one of the history, up to `events`? */
static void check_same(const char *path, struct history *h, uint64_t events)
{
    struct run_reader *r = open_file(path);
    struct run_event e;
    enum run_item item;
    struct history_event is;
    CHECK_INT(run_reader_events(r), events);
    for (uint64_t n = 1; n <= events; n++) {
        while ((item = run_reader_next(r, &e)) == RUN_PLACE)
            ;
        CHECK_INT(item, RUN_EVENT);
        CHECK(history_get(h, n, &is) && e.number == n && e.m == is.m && e.len == is.len);
        CHECK(memcmp(e.ev, &is.ev, sizeof is.ev) == 0 && (!e.len || memcmp(e.text, is.text, e.len) == 0));
    }
    while (run_reader_next(r, &e) == RUN_PLACE)
        ;
    CHECK_INT(run_reader_next(r, &e), RUN_END);
    run_reader_free(r);
}

/* Records the history's run from event `from` on, with a flush after each `flush` events. */
static void record(struct history *log, uint64_t budget, uint64_t from, uint64_t flush)
{
    const char *path = temporary("recorded");
    struct model *md = NULL, *other = NULL;
    struct run_writer *before;
    struct history_event e;
    CHECK(history_move(log, &md, 0));
    struct history *h = history_new(md, &(struct history_config){.budget = budget, .segment = 256});
    for (uint64_t n = 1; history_get(log, n, &e); n++) {
        if (n - 1 == from)
            CHECK(history_record(h, new_writer(path), &before) && !before);
        CHECK_INT(model_offer(md, e.m, &e.ev, e.text, e.len), OFFER_APPLIED);
        CHECK(history_add(h, md, e.m, &e.ev, e.text, e.len));
        if (n > from && n % flush == 0) {
            CHECK(history_flush(h));
            CHECK_INT(run_writer_kept(history_recording(h)), n);
        }
    }
    CHECK(history_flush(h) && run_writer_end(history_recording(h), NULL));
    CHECK_INT(history_oldest(h), 0);
    CHECK((history_stats(h).spilled > 0) == (budget == HISTORY_LEAST));
    check_same(path, log, history_events(log));
    for (uint64_t n = 0; n <= history_events(h); n += 997)
        CHECK(history_move(h, &other, n));
    model_free(other);
    model_free(md);
    history_free(h);
    unlink(path);
}

TEST_TIMED(the_history_records_from_any_moment, 120)
{
    struct scenario *sc = load(SOURCE_DIR "/scenarios/whatif-recheck.yaml");
    struct engine *e = run_scenario(sc, MODE_LOCKSTEP, 12000);
    record(e->history, HISTORY_BUDGET, 0, 100);
    record(e->history, HISTORY_BUDGET, 5000, 257);
    record(e->history, HISTORY_LEAST, 0, 1000);
    record(e->history, HISTORY_LEAST, 7000, 100000);
    engine_free(e);
    scenario_free(sc);
}

/* ---- a G that computes for long ---- */

/* Reads the places before the next event. Returns how many there are; last[g]: of each G. */
static uint32_t read_places(struct run_reader *r, uint32_t last[4], enum run_item *then)
{
    struct run_event e;
    uint32_t n = 0;
    while ((*then = run_reader_next(r, &e)) == RUN_PLACE) {
        CHECK(e.g < 4);
        last[e.g] = e.op;
        n++;
    }
    return n;
}

/* Between two events only the last place of each G is kept, except what the file has already. Notes of no G all stay. */
TEST(few_places_are_kept_between_two_events)
{
    enum { MANY = 4000000 };
    const char *path = temporary("places");
    struct run_writer *w = new_writer(path);
    struct ev e = {.kind = EV_RUNQ_PUT};
    CHECK(run_writer_place(w, 0, 1) && run_writer_add(w, 0, &e, 1, NULL, 0));
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK(run_writer_place(w, 1 + i % 3, i));
        if (i == MANY / 2)
            CHECK(run_writer_place(w, 0, 0) && run_writer_place(w, 0, 1) && run_writer_flush(w));
    }
    CHECK(run_writer_add(w, 0, &e, 1, NULL, 0));
    for (uint32_t i = 0; i < 3; i++)
        CHECK(run_writer_place(w, 2, i));
    CHECK(run_writer_end(w, NULL));
    CHECK(run_writer_bytes(w) < 60000);
    run_writer_free(w);
    struct run_reader *r = open_file(path);
    uint32_t last[4] = {9, 9, 9, 9};
    enum run_item then;
    CHECK_INT(read_places(r, last, &then), 1);
    CHECK_INT(then, RUN_EVENT);
    CHECK(read_places(r, last, &then) < 500);
    CHECK_INT(then, RUN_EVENT);
    for (uint32_t i = MANY - 3; i < MANY; i++)
        CHECK_INT(last[1 + i % 3], i);
    CHECK_INT(last[0], 1);
    read_places(r, last, &then);
    CHECK_INT(then, RUN_END);
    CHECK_INT(last[2], 2);
    CHECK_INT(run_reader_state(r), RUN_WHOLE);
    run_reader_free(r);
    unlink(path);
}

/* ---- errors while writing ---- */

/* After a failed recording the history keeps its older events in a temporary file again, and can be recorded again. */
TEST_TIMED(the_history_outlives_its_recording, 120)
{
    struct scenario *sc = load(SOURCE_DIR "/scenarios/whatif-recheck.yaml");
    struct engine *run = run_scenario(sc, MODE_LOCKSTEP, 12000);
    char first[600], second[600];
    snprintf(first, sizeof first, "%s", temporary("first"));
    snprintf(second, sizeof second, "%s", temporary("second"));
    struct model *md = NULL, *other = NULL;
    struct run_writer *before;
    struct history_event e;
    struct rlimit limit;
    CHECK(history_move(run->history, &md, 0));
    struct history *h = history_new(md, &(struct history_config){.budget = HISTORY_LEAST, .segment = 256});
    CHECK(history_record(h, new_writer(first), &before));
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    uint64_t kept = 0, n = 1;
    for (; history_get(run->history, n, &e); n++) {
        struct rlimit least = {run_writer_bytes(history_recording(h)) + 100, limit.rlim_max};
        CHECK_INT(model_offer(md, e.m, &e.ev, e.text, e.len), OFFER_APPLIED);
        CHECK(history_add(h, md, e.m, &e.ev, e.text, e.len) && history_add_place(h, 1, (uint32_t)n));
        CHECK(history_flush(h) || n >= 4999);
        if (n == 4999)
            setrlimit(RLIMIT_FSIZE, &least);
        if (n == 5300) { /* the file fails in the middle of a segment */
            CHECK_INT(run_writer_error(history_recording(h)), EFBIG);
            setrlimit(RLIMIT_FSIZE, &limit);
            kept = run_writer_kept(history_recording(h));
        }
    }
    CHECK(kept >= 4999 && kept < 5300);
    CHECK(history_oldest(h) == 0 && !history_file_fails(h));
    CHECK(history_stats(h).spilled > 20);
    for (uint64_t to = history_events(h); to; to = to > 97 ? to - 97 : 0)
        CHECK(history_move(h, &other, to));
    CHECK(history_record(h, new_writer(second), &before) && before);
    CHECK(!run_writer_end(before, NULL));
    run_writer_free(before);
    CHECK(run_writer_end(history_recording(h), NULL));
    check_same(first, run->history, kept);
    check_same(second, run->history, history_events(h));
    model_free(other);
    model_free(md);
    history_free(h);
    engine_free(run);
    scenario_free(sc);
    unlink(first);
    unlink(second);
}

TEST(a_full_disk_ends_the_file_with_its_last_whole_piece)
{
    struct items l = some_items(20000, 6);
    const char *path = temporary("full");
    enum run_state state;
    struct run_writer *w = new_writer(path);
    struct rlimit least = {50000, RLIM_INFINITY}, before;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &least);
    uint32_t i = 0;
    bool added = true;
    for (; i < l.n && added; i++) {
        const struct item *x = &l.v[i];
        added = x->place ? run_writer_place(w, x->g, x->op) : run_writer_add(w, x->m, &x->ev, 1, x->text, x->len);
        added = added && (i % 100 || run_writer_flush(w));
    }
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(i < l.n && !run_writer_end(w, NULL));
    CHECK_INT(run_writer_error(w), EFBIG);
    uint64_t kept = run_writer_kept(w);
    run_writer_free(w);
    CHECK(kept > 0);
    CHECK_INT(readable(path, &l, &state), kept);
    CHECK_INT(state, RUN_CUT);
    unlink(path);
    free_items(&l);
}

TEST(a_removed_file_is_noticed)
{
    struct items l = some_items(100, 8);
    const char *path = temporary("gone");
    struct run_writer *w = new_writer(path);
    write_items(w, &l, 0, 50);
    CHECK(run_writer_flush(w));
    unlink(path);
    write_items(w, &l, 50, l.n);
    CHECK(!run_writer_flush(w));
    CHECK_INT(run_writer_error(w), ENOENT);
    CHECK(!run_writer_end(w, NULL));
    run_writer_free(w);
    w = new_writer(NULL);
    write_items(w, &l, 0, l.n);
    CHECK(run_writer_flush(w) && run_writer_end(w, NULL));
    run_writer_free(w);
    free_items(&l);
}

TEST(the_checksum_is_xxh64)
{
    CHECK(xxh64((const uint8_t *)"", 0, 0) == UINT64_C(0xef46db3751d8e999));
    CHECK(xxh64((const uint8_t *)"abc", 3, 0) == UINT64_C(0x44bc2cf5ad770999));
}
