/* The benchmark's consumer: a fold that knows only sequence numbers. Every number must be one more than the last of
 * its kind. An event that comes too early is offered again; an event that comes twice is an error. */
#include "bench.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define MAX_GOID (64u << 20)

struct ticket {
    uint8_t type, word;
}; /* enum ev_ftype, enum ev_word (W_A … W_D) */
static struct ticket tickets[EV_KINDS][3];
static uint32_t *g_seq; /* by goid; pages that no G needs are never touched */
static uint32_t p_seq[EV_MAX_P], heap_seq[EV_MAX_P], lock_seq, spin_seq, out_seq;
static char error[120];

bool consumer_init(void)
{
    for (int kind = 0; kind < EV_KINDS; kind++)
        for (int i = 0, n = 0; i < EV_FIELDS && ev_desc[kind].field[i].name; i++)
            if (EV_IS_SEQ(ev_desc[kind].field[i].type) && n < 3)
                tickets[kind][n++] = (struct ticket){(uint8_t)ev_desc[kind].field[i].type, (uint8_t)ev_desc[kind].field[i].word};
    g_seq = mmap(NULL, MAX_GOID * sizeof *g_seq, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return g_seq != MAP_FAILED;
}

static uint32_t word(const struct ev *e, uint8_t w)
{
    const uint32_t v[] = {e->a, e->b, e->c, e->d};
    return v[w];
}

/* Returns the counter to which this number belongs. NULL: the event has none this time (eventlog/README.md). */
static uint32_t *counter(const struct ev *e, uint8_t type, uint32_t t)
{
    switch (type) {
    case T_G:
        return &g_seq[e->g % MAX_GOID];
    case T_P:
        return t == 0 ? NULL : &p_seq[e->p % EV_MAX_P];
    case T_LOCK:
        return t == 0 ? NULL : &lock_seq;
    case T_SPIN:
        return &spin_seq;
    case T_TIMER:
        return &heap_seq[(e->kind == EV_TIMER_FIRE ? e->b & 0xffff : e->p) % EV_MAX_P];
    default:
        return &out_seq;
    }
}

static enum offer check(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)ctx, (void)text, (void)len;
    const struct ticket *t = tickets[e->kind];
    uint32_t step = e->kind != EV_RUNNEXT_GET; /* runnext_get has the G's current number */
    for (int i = 0; i < 3 && t[i].type; i++) {
        uint32_t v = word(e, t[i].word), *c = counter(e, t[i].type, v);
        if (!c || v == *c + step)
            continue;
        if ((int32_t)(v - *c) > 0)
            return OFFER_NOT_YET;
        snprintf(error, sizeof error, "M%u: %s g=%u: ticket %u after %u", m, ev_desc[e->kind].name, e->g, v, *c);
        return OFFER_BROKEN;
    }
    if (e->kind == EV_G_CREATE)
        g_seq[e->g % MAX_GOID] = 1;
    for (uint32_t p = 0; e->kind == EV_PROCRESIZE && p < e->b; p++)
        p_seq[p]++; /* procresize advances the sequence number of every P */
    for (int i = 0; i < 3 && t[i].type; i++) {
        uint32_t v = word(e, t[i].word), *c = counter(e, t[i].type, v);
        if (c)
            *c = v;
    }
    return OFFER_APPLIED;
}

int64_t consumer_turn(struct log *log)
{
    struct log_sink sink = {.offer = check};
    int64_t n, all = 0;
    while ((n = log_drain(log, LOG_BY_SEQUENCE, &sink, UINT64_MAX)) > 4096)
        all += n;
    return all + (n > 0 ? n : 0);
}

const char *consumer_error(void)
{
    return error[0] ? error : NULL;
}
