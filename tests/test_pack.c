/* Packed events (trace/pack.h): what the history gives back is what it was given. */
#include "base/prng.h"
#include "engine/engine.h"
#include "load.h"
#include "model/history/history.h"
#include "t.h"
#include "trace/pack.h"

#include <stdlib.h>
#include <string.h>

/* ---- random records ---- */

struct input {
    struct ev ev[BLOCK];
    uint32_t m[BLOCK], n;
    bool has_text[BLOCK];
    size_t len[BLOCK];
};

static uint32_t any_word(struct prng *r, uint32_t last)
{
    static const uint32_t steps[] = {0, 1, UINT32_MAX, 127, 128, 32767, 32768, 0x7fffff, 0x800000, 0x7fffffff, 0x80000000};
    uint32_t k = prng_below(r, 14);
    return k < 11 ? last + steps[k] : k == 11 ? UINT32_MAX : k == 12 ? 0 : prng_below(r, UINT32_MAX);
}

static int64_t any_time(struct prng *r, int64_t last)
{
    static const int64_t times[] = {0, INT64_MIN, INT64_MAX, 1, -1, INT64_C(1) << 40};
    uint32_t k = prng_below(r, 40);
    return k < 6 ? times[k] : k < 20 ? last : last / 2 + (int64_t)any_word(r, 0);
}

static void change(struct ev *e, struct prng *r)
{
    e->kind = prng_below(r, 2) ? e->kind : (uint8_t)prng_below(r, EV_KINDS);
    e->p = prng_below(r, 3) ? e->p : (uint16_t)any_word(r, e->p);
    e->ncont = (uint8_t)(prng_below(r, 5) ? 0 : prng_below(r, 256));
    e->g = any_word(r, e->g);
    e->a = any_word(r, e->a);
    e->b = any_word(r, e->b);
    e->c = any_word(r, e->c);
    e->d = any_word(r, e->d);
}

/* Often as the last record: then the same words grow by the same steps. */
static void make_record(struct ev *e, uint32_t n, struct prng *r)
{
    bool steady = prng_below(r, 3);
    for (uint32_t i = 0; i < n; i++) {
        e[i].a += i;
        e[i].d += 3;
        if (!steady || prng_below(r, 20) == 0)
            change(&e[i], r);
    }
}

static char text_of(uint32_t i)
{
    return (char)('a' + i % 26);
}

static void pack_some(struct input *in, struct packer *p, uint8_t **to, const struct ev *e, uint32_t n, uint32_t m, struct prng *r)
{
    char text[EV_TEXT_MAX];
    memset(text, text_of(in->n), sizeof text);
    for (uint32_t some; n; e += some, n -= some) {
        bool has = n == 1 && prng_below(r, 4) == 0;
        size_t len = has ? prng_below(r, EV_TEXT_MAX + 1) : 0;
        uint8_t *from = *to;
        in->has_text[in->n] = has;
        in->len[in->n] = len;
        memset(text, text_of(in->n), sizeof text);
        some = pack_record(p, to, m, e, n, has ? text : NULL, len);
        CHECK(some >= 1 && some <= n && *to > from && (size_t)(*to - from) <= PACK_ROOM + len);
        for (uint32_t i = 0; i < some; i++, in->n++) {
            in->ev[in->n] = e[i];
            in->m[in->n] = m;
        }
    }
}

/* Returns the bytes. */
static size_t fill(struct input *in, uint8_t *to, struct prng *r)
{
    struct packer *p = calloc(1, sizeof *p);
    struct ev e[2 * PACKED_MOST] = {{0}};
    uint8_t *begin = to;
    uint32_t m = 0, most = 1 + prng_below(r, BLOCK);
    memset(in, 0, sizeof *in);
    while (in->n < most) {
        uint32_t n = prng_below(r, 3) ? 1 + prng_below(r, 2 * PACKED_MOST) : 1;
        int64_t time = any_time(r, e[0].time);
        n = n < most - in->n ? n : most - in->n;
        m = prng_below(r, 3) ? m : any_word(r, m);
        make_record(e, n, r);
        for (uint32_t i = 0; i < n; i++)
            e[i].time = time;
        pack_some(in, p, &to, e, n, m, r);
    }
    free(p);
    return (size_t)(to - begin);
}

static void check_block(const struct input *in, const struct block *b)
{
    CHECK_INT(b->n, in->n);
    for (uint32_t i = 0; i < in->n; i++) {
        CHECK(!memcmp(&b->ev[i], &in->ev[i], sizeof b->ev[i]) && b->m[i] == in->m[i] && (b->text_at[i] != NO_TEXT) == in->has_text[i]);
        if (!in->has_text[i])
            continue;
        CHECK_INT(b->text_len[i], in->len[i]);
        for (size_t k = 0; k < in->len[i]; k++)
            CHECK_INT(b->text[b->text_at[i] - 1 + k], text_of(i));
    }
}

TEST_TIMED(a_block_comes_back_as_it_was, 300)
{
    struct block *out = calloc(1, sizeof *out);
    struct input *in = calloc(1, sizeof *in);
    size_t room = BLOCK * (size_t)(PACK_ROOM + EV_TEXT_MAX);
    struct prng r;
    prng_seed(&r, 1, 1);
    for (long i = 0; i < t_count(60, 4000); i++) {
        uint8_t *packed = malloc(room);
        size_t bytes = fill(in, packed, &r);
        packed = realloc(packed, bytes + PACK_BEHIND); /* so that a sanitizer reports a read beyond it */
        block_clear(out);
        const uint8_t *part = unpack(out, packed, packed + bytes, in->n / 2);
        CHECK(part != NULL && unpack(out, part, packed + bytes, in->n) == packed + bytes);
        check_block(in, out);
        free(packed);
    }
    block_fini(out);
    free(out);
    free(in);
}

/* A record that is as guessed takes four bytes. */
TEST(a_steady_record_is_small)
{
    struct packer *p = calloc(1, sizeof *p);
    struct ev e[6] = {{0}};
    uint8_t packed[20 * PACK_ROOM], *to = packed, *last = packed;
    for (int turn = 0; turn < 20; turn++) {
        last = to;
        for (uint32_t i = 0; i < 6; i++)
            e[i] = (struct ev){
                .time = 300 * turn, .kind = (uint8_t)i, .p = 1, .g = 4 * (uint32_t)turn + 7, .a = 100 + 3 * (uint32_t)turn, .d = i};
        CHECK_INT(pack_record(p, &to, 0, e, 6, NULL, 0), 6);
    }
    CHECK_INT(to - last, 4);
    free(p);
}

/* ---- runs ---- */

enum { LONG = 20000 };
struct seen {
    struct history_event e[LONG];
    uint32_t n;
};

static bool note(void *ctx, const struct merged_event *at)
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
    return true;
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
    const struct reader watch = {.ctx = s, .needs = READS_EACH, .event = note, .lack = "cannot note the events"};
    struct engine_config c = {
        .scenario = sc,
        .rt = scenario_config(sc),
        .limit = INT64_C(10000000000),
        .max_events = LONG,
        .history = HISTORY_BUDGET,
        .readers = &watch,
        .nreaders = 1};
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
        if (is_tried(gen) && scenario_fits(sc, (enum rt_generation)gen, &d))
            check_run(sc, (enum rt_generation)gen, MODE_LOCKSTEP);
        diag_fini(&d);
    }
    check_run(sc, scenario_info(sc)->generation, MODE_FREE);
}

TEST_TIMED(the_history_gives_back_every_event_of_every_scenario, 600)
{
    each_scenario(check_shipped, NULL);
}
