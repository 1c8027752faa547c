/* What each M is about to try, as a line for people (eventlog/intent.def): from what the runtime says about the M and from its last
 * event. Only while the world is stopped and all that was logged is folded. */
#include "engine/intent.h"
#include <string.h>

struct after { uint8_t kind; enum ev_ftype type; const char *word, *in[LANGS]; };

static const struct after special[] = {
#define AT(...)
#define AFTER(...)
#define AFTER_IF(event, type, word, en, zh) {EV_##event, type, word, {en, zh}},
#include "eventlog/intent.def"
#undef AFTER
#undef AFTER_IF
};
static const char *const after[EV_KINDS][LANGS] = {
#define AFTER(event, en, zh) [EV_##event] = {en, zh},
#define AFTER_IF(...)
#include "eventlog/intent.def"
#undef AT
#undef AFTER
};
static const char *const at[INTENT_COUNT][LANGS] = {
#define AT(id, en, zh) [INTENT_##id] = {en, zh},
#define AFTER(...)
#include "eventlog/intent.def"
};

static bool has_word(const struct ev *e, const struct after *a)
{
    const struct ev_desc *d = &ev_desc[e->kind];
    for (int f = 0; f < EV_FIELDS && d->field[f].name; f++) {
        const char *word = d->field[f].type == a->type ? ev_word(a->type, ev_value(e, 0, &d->field[f])) : NULL;
        if (word && !strcmp(word, a->word))
            return true;
    }
    return false;
}

const char *next_after(const struct ev *e, enum lang lang)
{
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (special[i].kind == e->kind && has_word(e, &special[i]))
            return special[i].in[lang];
    return e->kind < EV_KINDS ? after[e->kind][lang] : NULL;
}

static bool is_of(void *ctx, const struct history_event *e)
{
    return e->m == *(const uint32_t *)ctx && e->ev.kind != EV_TIME_JUMP; /* that one is about all: whoever rests last tells it */
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

/* {op} and {lock} become what they stand for. An {op} that there is none of goes with the ": " before it. */
static void put_rest(const char *text, const char *op, const char *lock, char *buf, size_t size)
{
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
    if (*text) { /* cut: between characters */
        while (n && ((unsigned char)buf[n - 1] & 0xc0) == 0x80)
            n--;
        n -= n && (unsigned char)buf[n - 1] >= 0xc0;
    }
    buf[n] = '\0';
}

void engine_next(const struct engine *e, uint32_t m, enum lang lang, char *buf, size_t size)
{
    struct rt_next next;
    char half[NEXT_MAX], op[NEXT_MAX] = "";
    struct ev ev = {.kind = EV_G_START};
    const char *template = "";
    buf[0] = '\0';
    if (!engine_intent(e, m, &next))
        return;
    if (next.arg)
        scenario_op(next.arg, op, sizeof op);
    if (next.what != INTENT_EVENT) {
        ev.g = next.g;
        ev.p = (uint16_t)next.p;
        template = at[next.what][lang];
    } else if (last_event(e, m, &ev)) {
        template = next_after(&ev, lang);
    }
    if (!template)
        return;
    event_say(e->model, m, &ev, NULL, 0, template, (int)lang, half, sizeof half);
    put_rest(half, op, ev_say(FT_LOCK, next.lock, (int)lang), buf, size);
}
