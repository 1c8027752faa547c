/* The tables that events.def and EV_ENUMS generate, and look-ups by name in them.
 *
 * Look-ups are scans: they run when patterns are compiled and when people read, never for each event. ev_value runs for
 * each event that a pattern or a pane looks at, so it is a few shifts and no search.
 */
#include "eventlog/events.h"

#include <stdio.h>
#include <string.h>

#define F(name, type, word, shift, bits) {name, type, W_##word, shift, bits}
#define EVENT(id, name, level, go, meaning, en, zh, ...) \
    [EV_##id] = {name, go, meaning, {en, zh}, EV_##level, {__VA_ARGS__}},
const struct ev_desc ev_desc[EV_KINDS] = {
#include "eventlog/events.def"
};
#undef EVENT
#undef F

#define WORDS_MAX 24
struct ev_enum {
    enum ev_ftype type;
    const char *names[WORDS_MAX]; /* ends with NULL */
};
static const struct ev_enum enums[] = {
#define X(type, prefix, ...) {type, {__VA_ARGS__}},
    EV_ENUMS(X)
#undef X
};
#define X(type, prefix, ...) \
    _Static_assert(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *) < WORDS_MAX, "room for the closing NULL");
EV_ENUMS(X)
#undef X

/* What every event has beside its own fields. */
static const struct ev_field common[] = {
    {"m", FT_M, W_M, 0, 32},
    {"p", FT_P, W_P, 0, 16},
    {"g", FT_G, W_G, 0, 32},
    {"time", FT_TIME, W_TIME, 0, 64},
};

static bool is_word(const char *have, const char *s, size_t len)
{
    return strncmp(have, s, len) == 0 && have[len] == '\0';
}

int ev_kind(const char *name, size_t len)
{
    for (int kind = 0; kind < EV_KINDS; kind++)
        if (is_word(ev_desc[kind].name, name, len))
            return kind;
    return -1;
}

const struct ev_field *ev_field(int kind, const char *name, size_t len)
{
    if (len == 0) /* tickets have no name to be asked by */
        return NULL;
    if (kind >= 0 && kind < EV_KINDS) {
        const struct ev_field *f = ev_desc[kind].field;
        for (int i = 0; i < EV_FIELDS && f[i].name; i++)
            if (f[i].type != FT_NONE && is_word(f[i].name, name, len))
                return &f[i];
    }
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (is_word(common[i].name, name, len))
            return &common[i];
    return NULL;
}

static uint32_t word32(const struct ev *e, uint32_t m, enum ev_word word)
{
    switch (word) {
    case W_A: return e->a;
    case W_B: return e->b;
    case W_C: return e->c;
    case W_D: return e->d;
    case W_G: return e->g;
    case W_P: return e->p;
    default: return m;
    }
}

int64_t ev_value(const struct ev *e, uint32_t m, const struct ev_field *f)
{
    switch (f->word) {
    case W_CD: return ev_cd(e);
    case W_LATE: return (int64_t)((uint64_t)e->time - (uint64_t)ev_cd(e));
    case W_TIME: return e->time;
    default: break;
    }
    uint64_t v = (uint64_t)word32(e, m, f->word) >> f->shift & (((uint64_t)1 << f->bits) - 1);
    if (f->type == FT_P && f->bits == 16 && v == EV_NO_P)
        return EV_NONE; /* one "no P" for all readers, however many bits the record gave it */
    return (int64_t)v;
}

static const struct ev_enum *find_enum(enum ev_ftype type)
{
    for (size_t i = 0; i < sizeof enums / sizeof *enums; i++)
        if (enums[i].type == type)
            return &enums[i];
    return NULL;
}

int ev_words(enum ev_ftype type)
{
    const struct ev_enum *list = find_enum(type);
    int n = 0;
    while (list && list->names[n])
        n++;
    return n;
}

const char *ev_word(enum ev_ftype type, int64_t v)
{
    return v >= 0 && v < ev_words(type) ? find_enum(type)->names[v] : NULL;
}

const char *ev_say(enum ev_ftype type, int64_t v, int lang)
{
    static const struct { enum ev_ftype type; const char *word, *in[2]; } say[] = {
#define SAY(type, word, en, zh) {type, word, {en, zh}},
#include "eventlog/words.def"
    };
    const char *word = ev_word(type, v);
    for (size_t i = 0; word && i < sizeof say / sizeof *say; i++)
        if (say[i].type == type && strcmp(say[i].word, word) == 0)
            return say[i].in[lang != 0];
    return word;
}

/* ---- variants of an event (variants.def) ---- */

enum test_kind { TEST_NONE, TEST_IS, TEST_NOT, TEST_SAME, TEST_IN };
struct test { enum test_kind kind; const char *field, *other; int64_t value; };
struct variant { uint8_t kind; struct test test[2]; const char *text[2]; }; /* text: en and zh, or the function */

#define IS(field, value) {TEST_IS, field, NULL, value}
#define NOT(field, value) {TEST_NOT, field, NULL, value}
#define SAME(field, other) {TEST_SAME, field, other, 0}
#define IN(generations) {TEST_IN, NULL, NULL, generations}
static const struct variant sentences[] = {
#define SENTENCE(event, tests, en, zh) {EV_##event, tests, {en, zh}},
#include "eventlog/variants.def"
};
static const struct variant functions[] = {
#define GO(event, tests, function) {EV_##event, tests, {function, NULL}},
#include "eventlog/variants.def"
};

static int64_t value_of(const struct ev *e, const char *field)
{
    const struct ev_field *f = ev_field(e->kind, field, strlen(field));
    return f ? ev_value(e, 0, f) : 0;
}

static bool holds(const struct test *t, const struct ev *e, unsigned gen)
{
    switch (t->kind) {
    case TEST_IS: return value_of(e, t->field) == t->value;
    case TEST_NOT: return value_of(e, t->field) != t->value;
    case TEST_SAME: return value_of(e, t->field) == value_of(e, t->other);
    case TEST_IN: return (gen & (unsigned)t->value) != 0;
    default: return true;
    }
}

static const struct variant *choose(const struct variant *v, size_t n, const struct ev *e, unsigned gen)
{
    for (const struct variant *end = v + n; v < end; v++)
        if (v->kind == e->kind && holds(&v->test[0], e, gen) && holds(&v->test[1], e, gen))
            return v;
    return NULL;
}

const char *ev_sentence(const struct ev *e, unsigned gen, int lang)
{
    if (e->kind >= EV_KINDS)
        return "?";
    const struct variant *v = choose(sentences, sizeof sentences / sizeof *sentences, e, gen);
    return v ? v->text[lang != 0] : ev_desc[e->kind].say[lang != 0];
}

const char *ev_go(const struct ev *e, unsigned gen)
{
    if (e->kind >= EV_KINDS)
        return "?";
    const struct variant *v = choose(functions, sizeof functions / sizeof *functions, e, gen);
    return v ? v->text[0] : ev_desc[e->kind].go;
}

int64_t ev_word_value(enum ev_ftype type, const char *s, size_t len)
{
    const struct ev_enum *list = find_enum(type);
    for (int i = 0; list && list->names[i]; i++)
        if (is_word(list->names[i], s, len))
            return i;
    return -1;
}

const bool ev_unordered[EV_KINDS] = {[EV_HANDOFF] = true, [EV_NEWM_HANDOFF] = true, [EV_FIND_STAGE] = true,
    [EV_STEAL_TRY] = true, [EV_RECHECK] = true, [EV_TIMER_STEAL] = true, [EV_SYSMON_TICK] = true,
    [EV_PREEMPT_REQUEST] = true, [EV_LOCK_WAIT] = true, [EV_NETPOLL_BREAK] = true, [EV_GC_PHASE] = true,
    [EV_GC_WORKER] = true, [EV_GC_ASSIST] = true, [EV_SAFE_POINT] = true, [EV_TIME_JUMP] = true};

const char *ev_system_label(uint32_t fn)
{
    static const char *const label[] = {[SYSG_TIMERPROC] = "timerproc", [SYSG_GCWORKER] = "gcworker",
        [SYSG_FINALIZER] = "finalizer", [SYSG_TRACEREADER] = "tracereader", [SYSG_ENABLEUSER] = "enableuser",
        [SYSG_POLLSERVER] = "pollserver"};
    uint32_t i = fn - EV_SYSTEM_FN;
    return fn >= EV_SYSTEM_FN && i < sizeof label / sizeof *label ? label[i] : NULL;
}

int64_t ev_system_fn(const char *label)
{
    const char *l;
    for (uint32_t fn = EV_SYSTEM_FN; (l = ev_system_label(fn)); fn++)
        if (strcmp(l, label) == 0)
            return fn;
    return -1;
}

/* ---- names of Gs ---- */

const char *ev_g_name(uint32_t g, char buf[EV_G_NAME])
{
    bool system = ev_is_system_g(g);
    snprintf(buf, EV_G_NAME, system ? "Gs%u" : "G%u", system ? g - EV_SYSTEM_G + 1 : g);
    return buf;
}

bool ev_g_id(const char *name, size_t len, uint32_t *g)
{
    uint64_t n = 0;
    size_t i = len && (name[0] | 0x20) == 'g';
    bool system = i < len && (name[i] | 0x20) == 's';
    i += system;
    size_t from = i;
    for (; i < len && name[i] >= '0' && name[i] <= '9' && n <= UINT32_MAX; i++)
        n = n * 10 + (uint64_t)(name[i] - '0');
    if (i == from || i < len || n > UINT32_MAX || (system && (n == 0 || n > EV_SYSTEM_GS)))
        return false;
    *g = system ? EV_SYSTEM_G - 1 + (uint32_t)n : (uint32_t)n;
    return true;
}
