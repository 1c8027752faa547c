/* Packed events (model/pack.h): what the history gives back is what it was given. */
#include "base/prng.h"
#include "engine/engine.h"
#include "load.h"
#include "model/history.h"
#include "model/pack.h"
#include "t.h"

#include <stdlib.h>
#include <string.h>

/* ---- random blocks ---- */

static uint32_t any_word(struct prng *r, uint32_t last)
{
    static const uint32_t steps[] = {0, 1, UINT32_MAX, 127, 128, 32767, 32768, 0x7fffffff, 0x80000000};
    uint32_t k = prng_below(r, 12);
    return k < 9 ? last + steps[k] : k == 9 ? UINT32_MAX : k == 10 ? 0 : prng_below(r, UINT32_MAX);
}

static int64_t any_time(struct prng *r, int64_t last)
{
    static const int64_t times[] = {0, INT64_MIN, INT64_MAX, 1, -1, INT64_C(1) << 40};
    uint32_t k = prng_below(r, 40);
    return k < 6 ? times[k] : k < 20 ? last : last / 2 + (int64_t)any_word(r, 0);
}

static void add_any(struct block *b, struct prng *r, struct ev *e, uint32_t *m)
{
    char text[EV_TEXT_MAX];
    size_t len = prng_below(r, 8) ? 0 : prng_below(r, EV_TEXT_MAX + 1);
    memset(text, (int)('a' + b->n % 26), sizeof text);
    *m = prng_below(r, 3) ? *m : any_word(r, *m);
    e->time = any_time(r, e->time);
    e->kind = (uint8_t)prng_below(r, EV_KINDS);
    e->p = prng_below(r, 3) ? e->p : (uint16_t)any_word(r, e->p);
    e->ncont = (uint8_t)(prng_below(r, 5) ? 0 : prng_below(r, 256));
    e->g = any_word(r, e->g);
    e->a = any_word(r, e->a);
    e->b = any_word(r, e->b);
    e->c = any_word(r, e->c);
    e->d = any_word(r, e->d);
    CHECK(block_add(b, *m, e, len || prng_below(r, 9) == 0 ? text : NULL, len));
}

static void check_same(const struct block *a, const struct block *b)
{
    CHECK_INT(a->n, b->n);
    CHECK_INT(a->text_bytes, b->text_bytes);
    CHECK(!memcmp(a->ev, b->ev, a->n * sizeof *a->ev) && !memcmp(a->m, b->m, a->n * sizeof *a->m));
    for (uint32_t i = 0; i < a->n; i++)
        CHECK(a->text_at[i] == b->text_at[i] && (a->text_at[i] == NO_TEXT || a->text_len[i] == b->text_len[i]));
    CHECK(a->text_bytes == 0 || !memcmp(a->text, b->text, a->text_bytes));
}

TEST(a_block_comes_back_as_it_was)
{
    struct block *in = calloc(2, sizeof *in), *out = in + 1;
    struct prng r;
    prng_seed(&r, 1, 1);
    for (long i = 0; i < t_count(300, 20000); i++) {
        struct ev e = {0};
        uint32_t m = 0;
        block_clear(in);
        for (uint32_t n = 1 + prng_below(&r, BLOCK); n; n--)
            add_any(in, &r, &e, &m);
        size_t room = pack_room(in);
        uint8_t *packed = malloc(room);
        size_t bytes = pack(in, packed);
        CHECK(bytes <= room);
        packed = realloc(packed, bytes + PACK_BEHIND); /* so that a sanitizer reports a read beyond it */
        CHECK(unpack(out, packed, in->n));
        check_same(in, out);
        free(packed);
    }
    block_fini(in);
    block_fini(out);
    free(in);
}

/* ---- runs ---- */

enum { LONG = 20000 };
struct seen {
    struct history_event e[LONG];
    uint32_t n;
};

static void note(void *ctx, const struct merged_event *at)
{
    struct seen *s = ctx;
    CHECK(s->n < LONG);
    struct history_event *e = &s->e[s->n++];
    *e = (struct history_event){.number = at->number, .m = at->m, .ev = *at->e, .len = at->len};
    if (at->len) {
        char *text = malloc(at->len);
        memcpy(text, at->text, at->len);
        e->text = text;
    }
}

static void pass(void *ctx, const struct model *md, int64_t time)
{
    (void)ctx, (void)md, (void)time;
}

static void check_event(struct history *h, const struct history_event *want)
{
    struct history_event got;
    CHECK(history_get(h, want->number, &got));
    CHECK(got.number == want->number && got.m == want->m && got.len == want->len && !memcmp(&got.ev, &want->ev, sizeof got.ev));
    CHECK(!got.len || !memcmp(got.text, want->text, got.len));
}

/* In order, and from anywhere. */
static void check_history(struct history *h, const struct seen *s)
{
    struct prng r;
    prng_seed(&r, s->n, 1);
    CHECK_INT(history_events(h), s->n);
    for (uint32_t i = 0; i < s->n; i++)
        check_event(h, &s->e[i]);
    for (uint32_t i = 0; i < 200; i++)
        check_event(h, &s->e[prng_below(&r, s->n)]);
}

static void check_run(const struct scenario *sc, enum rt_generation gen, enum conductor_mode mode)
{
    char err[200];
    struct seen *s = calloc(1, sizeof *s);
    const struct engine_observer watch = {.ctx = s, .event = note, .passes = pass};
    struct engine_config c = {
        .scenario = sc,
        .rt = scenario_config(sc),
        .limit = INT64_C(10000000000),
        .max_events = LONG,
        .history = HISTORY_BUDGET,
        .observer = &watch};
    c.rt.mode = mode;
    c.rt.generation = gen;
    struct engine *e = engine_new(&c, err, sizeof err);
    CHECK(e);
    engine_drive(e, &(struct drive){.audit = false});
    CHECK(!engine_failed(e));
    check_history(e->history, s);
    engine_free(e);
    for (uint32_t i = 0; i < s->n; i++)
        free((char *)(uintptr_t)s->e[i].text);
    free(s);
}

static void check_shipped(const struct scenario *sc, const char *path, void *ctx)
{
    (void)ctx;
    for (int gen = 0; gen < GENERATIONS; gen++) {
        struct diag d;
        diag_init(&d, path);
        if (scenario_fits(sc, (enum rt_generation)gen, &d))
            check_run(sc, (enum rt_generation)gen, MODE_LOCKSTEP);
        diag_fini(&d);
    }
    check_run(sc, scenario_info(sc)->generation, MODE_FREE);
}

TEST_TIMED(the_history_gives_back_every_event_of_every_scenario, 600)
{
    each_scenario(check_shipped, NULL);
}
