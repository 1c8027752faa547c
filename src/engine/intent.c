/* What each M is about to try, as a line of text: from the intent that the runtime set, else from the M's last event. Only while the
 * world is stopped and every logged event is folded. */
#include "engine/intent.h"
#include "base/variables.h"
#include <string.h>

static const struct text at[INTENT_COUNT] = {
#define AT(id, ...) [INTENT_##id] = {{__VA_ARGS__}},
#include "eventlog/intent.def"
};

static bool is_of(void *ctx, const struct history_event *e)
{
    return e->m == *(const uint32_t *)ctx && e->ev.kind != EV_TIME_JUMP && e->ev.kind != EV_M_STALL; /* not what this M did */
}

static bool last_event(const struct engine *e, uint32_t m, struct ev *out)
{
    struct history_event h;
    uint64_t n = e->history ? history_find(e->history, history_events(e->history), -1, is_of, &m) : 0;
    if (!n || !history_get(e->history, n, &h))
        return false;
    *out = h.ev;
    return true;
}

struct rest {
    const char *op, *lock;
};

/* Replaces {op} and {lock}. Without an operation, the ": " before {op} goes, too. */
static void put_rest(const char *text, const struct rest *r, char *buf, size_t size)
{
    const char *op = r->op, *lock = r->lock;
    size_t n = 0;
    buf[0] = '\0';
    while (*text && n + 1 < size) {
        bool colon = !*op && (!strncmp(text, ": {op}", 6) || !strncmp(text, "：{op}", 7));
        bool is_op = !strncmp(text, "{op}", 4), is_lock = !strncmp(text, "{lock}", 6);
        if (is_op || is_lock || colon)
            n += (size_t)snprintf(buf + n, size - n, "%s", colon ? "" : is_op ? op : lock);
        else
            buf[n++] = *text;
        text += colon ? strcspn(text, "}") + 1 : is_op ? 4 : is_lock ? 6 : 1;
    }
    if (n >= size)
        n = size - 1;
    if (*text) { /* it did not fit: cut it between characters */
        while (n && ((unsigned char)buf[n - 1] & 0xc0) == 0x80)
            n--;
        n -= n && (unsigned char)buf[n - 1] >= 0xc0;
    }
    buf[n] = '\0';
}

bool engine_intent(const struct engine *e, uint32_t m, struct intent *out)
{
    return e->source->ops->intent && e->source->ops->intent(e->source, m, out);
}

uint32_t engine_line(const struct engine *e, const struct model *md, uint32_t g)
{
    const struct program_text *t = e->cfg.info.programs.text;
    const struct model_g *mg = md ? model_g(md, g) : NULL;
    uint32_t op;
    if (!t || !mg || mg->status == G_DEAD || !model_g_op(md, g, &op) || op >= t->nops)
        return UINT32_MAX;
    return t->op[op];
}

void engine_variables(const struct engine *e, uint32_t g, uint32_t line, uint64_t lines, struct variables *out)
{
    *out = (struct variables){.is = VARIABLES_NONE};
    if (line == UINT32_MAX)
        return;
    bool known = e->source->ops->variables && e->source->ops->variables(e->source, g, line, false, out);
    if (!known || out->lines_run != (lines ? lines : out->lines))
        *out = (struct variables){.is = VARIABLES_UNKNOWN, .lines = out->lines, .lines_run = out->lines_run};
}

bool engine_line_reached(struct engine *e, uint32_t g)
{
    struct line_ahead *a = e->ahead;
    struct variables v = {.is = VARIABLES_NONE};
    if (!a || a->g != g)
        return false;
    bool known = e->source->ops->variables(e->source, g, a->line, true, &v);
    if (known && v.lines_run == a->lines)
        *a->out = v;
    return v.lines_run >= a->lines;
}

bool engine_op(const struct engine *e, uint32_t m, int nth, char *buf, size_t size)
{
    struct intent who;
    uint32_t op;
    const struct program_text *t = e->cfg.info.program;
    bool of_go = t && t->nfiles; /* its operations are the interpreter's; people know the line */
    if (e->source->ops->op && !of_go)
        return e->source->ops->op(e->source, m, nth, buf, size);
    if (nth >= 0 || !t || !engine_intent(e, m, &who) || !model_g_op(e->model, who.g, &op) || op >= t->nops || t->op[op] >= t->nlines)
        return false;
    const char *line = t->line[t->op[op]];
    snprintf(buf, size, "%s", line + strspn(line, "\t"));
    return true;
}

void engine_next(const struct engine *e, uint32_t m, enum lang lang, char *buf, size_t size)
{
    struct intent next;
    char half[NEXT_MAX], op[NEXT_MAX] = "";
    struct ev ev = {.kind = EV_G_START};
    const char *template = "";
    buf[0] = '\0';
    if (!engine_intent(e, m, &next))
        return;
    if (!engine_op(e, m, -1, op, sizeof op))
        op[0] = '\0';
    if (next.what != INTENT_EVENT) {
        ev.g = next.g;
        ev.p = (uint16_t)next.p;
        template = text_in(&at[next.what], lang);
    } else if (last_event(e, m, &ev)) {
        template = ev_intent(&ev, 1u << e->cfg.info.generation, lang);
    }
    if (!template)
        return;
    event_say(e->model, m, &ev, NULL, 0, template, lang, half, sizeof half);
    put_rest(half, &(struct rest){op, ev_say(FT_LOCK, next.lock, lang)}, buf, size);
}
