/* See decision_rows.h. */
#include "session/decision_rows.h"
#include "engine/intent.h"
#include <stdlib.h>
#include <string.h>

#define ORDER_SHOWN 24u /* Ps of a steal order: a line has room for no more */

static void refuse(struct session_decision *out, enum refusal why)
{
    out->state = CHOICE_REFUSED;
    for (int l = 0; l < LANGS; l++)
        snprintf(out->head[l], sizeof out->head[l], "%s", text_in(&refusal_text[why], (enum lang)l));
}

static struct session_pick *add_row(struct session_decision *out, const struct decision *d, uint32_t pick)
{
    struct session_pick *row = &out->row[out->n++];
    *row = (struct session_pick){.pick = pick, .seeds = pick == d->seeds, .now = pick == d->pick};
    return row;
}

/* A format takes the number of the decision and the M that decides, in this order; it may ignore the last or both. */
static void say_head(struct session_decision *out, const struct text *format, const struct decision *d)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    for (int l = 0; l < LANGS; l++)
        snprintf(out->head[l], sizeof out->head[l], text_in(format, (enum lang)l), (unsigned long long)d->number, d->m);
#pragma GCC diagnostic pop
}

/* --- which M goes next -------------------------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

enum { STALLS_LISTED = 3 };

/* Lists for how long the M that is about to go may lose its CPU instead: longer than a thief waits, than sysmon sleeps, than a time slice. */
static void list_stalls(struct session_decision *out, const struct decision *d)
{
    static const uint32_t class[STALLS_LISTED] = {2, 3, 6};
    static const struct text stall = {{"M%u loses its CPU for %s", "M%u 失去 CPU，持续 %s"}};
    for (size_t i = 0; i < STALLS_LISTED && out->n < PICKS_MAX; i++) {
        char time[32];
        struct session_pick *row = add_row(out, d, choice_stall(d->pick, class[i]));
        duration_text(stall_ns[class[i]], time, sizeof time);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        for (int l = 0; l < LANGS; l++)
            snprintf(row->text[l], sizeof row->text[l], text_in(&stall, (enum lang)l), d->pick, time);
#pragma GCC diagnostic pop
    }
}

/* Lists the ready Ms. Two rows are always listed, however many Ms there are: the seed's pick, and what happens without a choice. */
static void list_ms(struct engine *e, const struct decision *d, struct session_decision *out)
{
    uint32_t *id = calloc(d->n + 1, sizeof *id);
    uint32_t n = id ? engine_decides(e)->ready(e->source, id, d->n) : 0;
    if (id)
        qsort(id, n, sizeof *id, by_id);
    for (uint32_t i = 0; i < n; i++) {
        bool must = id[i] == d->seeds || id[i] == d->pick;
        if (!must && out->n >= PICKS_MAX - 2)
            continue;
        struct session_pick *row = add_row(out, d, id[i]);
        for (int l = 0; l < LANGS; l++) {
            int head = snprintf(row->text[l], sizeof row->text[l], "M%u ", id[i]);
            engine_next(e, id[i], (enum lang)l, row->text[l] + head, sizeof row->text[l] - (size_t)head);
        }
    }
    free(id);
    if (d->number)
        list_stalls(out, d);
    static const struct text many = {{"Decision %llu: which M goes next?", "第 %llu 次决定：下一步由哪个 M 走？"}};
    static const struct text single = {{"Only one M can continue.", "只有一个 M 能继续。"}};
    say_head(out, d->number ? &many : &single, d);
}

/* --- other outcomes ------------------------------------------------------------------------------------------------- */

enum { OUTCOME = 160 };

/* Writes a steal order without the thief's own P: "P2 P0 P3". */
static void say_order(const struct engine *e, uint32_t m, uint32_t pick, char buf[OUTCOME])
{
    uint32_t p[ORDER_SHOWN + 1];
    const struct source_ops *by = e->source->ops;
    uint32_t all = by->steal_order ? by->steal_order(e->source, pick, p, ORDER_SHOWN + 1) : 0;
    struct intent who = {.p = EV_NO_P};
    size_t n = 0;
    engine_intent(e, m, &who);
    for (uint32_t i = 0; i < all && i < ORDER_SHOWN && n < OUTCOME; i++)
        if (p[i] != who.p)
            n += (size_t)snprintf(buf + n, OUTCOME - n, "%sP%u", n ? " " : "", p[i]);
    if (all > ORDER_SHOWN && n < OUTCOME)
        snprintf(buf + n, OUTCOME - n, " …");
}

static void say_case(const struct engine *e, uint32_t m, uint32_t pick, char buf[OUTCOME])
{
    int n = snprintf(buf, OUTCOME, "%u", pick + 1);
    char op[NEXT_MAX - 16]; /* the rest is for the number and the colon */
    if (engine_op(e, m, (int)pick, op, sizeof op))
        snprintf(buf + n, OUTCOME - (size_t)n, ": %s", op);
}

static void say_outcome(const struct engine *e, const struct decision *d, uint32_t pick, char buf[OUTCOME])
{
    buf[0] = '\0';
    if (d->kind == DECIDE_STEAL)
        say_order(e, d->m, pick, buf);
    else if (d->kind == DECIDE_VICTIM)
        snprintf(buf, OUTCOME, "P%u", pick);
    else if (d->kind == DECIDE_SELECT)
        say_case(e, d->m, pick, buf);
    else
        snprintf(buf, OUTCOME, "%u", pick + (d->kind != DECIDE_DRAW));
}

/* Returns the row with this text, or NULL. Orders that differ only in the place of the thief itself have the same text and share a row. */
static struct session_pick *same_row(struct session_decision *out, const char *text)
{
    for (int i = 0; i < out->n; i++)
        if (!strcmp(out->row[i].text[LANG_EN], text))
            return &out->row[i];
    return NULL;
}

static const struct text heads[DECIDE_KINDS] = {
    [DECIDE_STEAL] = {{"Decision %llu: in which order does M%u try the other Ps?", "第 %llu 次决定：M%u 按什么顺序查看其他 P？"}},
    [DECIDE_VICTIM] = {{"Decision %llu: which P does M%u try?", "第 %llu 次决定：M%u 查看哪个 P？"}},
    [DECIDE_SELECT] = {{"Decision %llu: which case does the select on M%u try first?", "第 %llu 次决定：M%u 上的 select 先看哪个分支？"}},
    [DECIDE_SHUFFLE] = {{"Decision %llu: how does M%u shuffle?", "第 %llu 次决定：M%u 如何打乱？"}},
    [DECIDE_DRAW] = {{"Decision %llu: which random number does the G on M%u draw?", "第 %llu 次决定：M%u 上的 G 抽到哪个随机数？"}},
    [DECIDE_ORDER] = {{"Decision %llu: with which entry does the loop over the map on M%u begin?",
                       "第 %llu 次决定：M%u 上的循环从 map 的第几项开始？"}},
};

static void list_outcomes(const struct engine *e, const struct decision *d, struct session_decision *out)
{
    for (uint32_t pick = 0; pick < d->n; pick++) {
        char text[OUTCOME];
        bool must = pick == d->seeds || pick == d->pick;
        if (!must && (pick >= 4 * PICKS_MAX || out->n >= PICKS_MAX - 2))
            continue;
        say_outcome(e, d, pick, text);
        struct session_pick *row = same_row(out, text);
        if (!row)
            row = add_row(out, d, pick);
        else if (must)
            *row = (struct session_pick){.pick = pick, .seeds = row->seeds || pick == d->seeds, .now = row->now || pick == d->pick};
        for (int l = 0; l < LANGS; l++)
            memcpy(row->text[l], text, sizeof text);
    }
    say_head(out, &heads[d->kind], d);
}

static enum refusal refusal(const struct engine *e, struct decision *d)
{
    enum refusal why = engine_refuses(e, CAN_DECIDE);
    if (!why && engine_over(e))
        why = REFUSED_OVER;
    if (!why && !engine_decision(e, d)) /* a live run that rests has one, except where a breakpoint at a line holds it */
        why = REFUSED_AT_LINE;
    return why ? why : engine_pending(e) ? REFUSED_PENDING : REFUSED_NOT;
}

void decision_rows(struct engine *e, struct session_decision *out)
{
    struct decision d;
    *out = (struct session_decision){.state = CHOICE_READY, .id = out->id, .serial = out->serial, .at = e->events};
    enum refusal why = refusal(e, &d);
    if (why)
        refuse(out, why);
    else if (d.kind == DECIDE_M)
        list_ms(e, &d, out);
    else
        list_outcomes(e, &d, out);
    bool may_stall = out->state == CHOICE_READY && d.kind == DECIDE_M && d.number;
    out->all = out->state == CHOICE_READY ? d.n + (may_stall ? STALLS_LISTED : 0) : 0;
}
