/* The tables generated from events.def, words.def and variants.def, and look-ups by name in them.
 *
 * Look-ups by name scan: they run when a pattern is compiled or a text is written, never for each event. ev_value() runs for each
 * event that a pattern or a pane reads, so it only shifts and masks.
 */
#include "eventlog/events.h"

#include <stdio.h>
#include <string.h>

#define F(name, type, word, shift, bits) F_IF(0, name, type, word, shift, bits)
#define F_IF(only, name, type, word, shift, bits) \
    { \
        name, type, W_##word, shift, bits, only \
    }
#define EVENT(id, name, level, traits, go, meaning, en, zh, next_en, next_zh, ...) \
    [EV_##id] = {name, go, meaning, {{en, zh}}, {{next_en, next_zh}}, EV_##level, {__VA_ARGS__}},
const struct ev_desc ev_desc[EV_KINDS] = {
#include "eventlog/events.def"
};
#undef EVENT
#undef F
#undef F_IF

enum ev_weight ev_weight(int kind)
{
    static const uint8_t weights[EV_KINDS] = {
#define WEIGHT(id, weight) [EV_##id] = WEIGHT_##weight,
#include "eventlog/weights.def"
#undef WEIGHT
    };
    return (enum ev_weight)weights[kind];
}

struct word {
    const char *word;
    struct text in;
    const char *go;
};
#define ENUM(type, tag) static const struct word words_##type[] = {
#define WORD(id, word, ...) {word, {{__VA_ARGS__}}, NULL},
#define REASON(id, word, go, ...) {word, {{__VA_ARGS__}}, go},
#define END_ENUM \
    } \
    ;
#include "eventlog/words.def"

static const struct {
    const struct word *word;
    int n;
} enums[] = {
/* by enum ev_ftype */
#define ENUM(type, tag) [type] = {words_##type, sizeof words_##type / sizeof *words_##type},
#define WORD(id, word, ...)
#define END_ENUM
#include "eventlog/words.def"
};

/* The fields that every event has in addition to its own. */
static const struct ev_field common[] = {
    {"m", FT_M, W_M, 0, 32, 0},
    {"p", FT_P, W_P, 0, 16, 0},
    {"g", FT_G, W_G, 0, 32, 0},
    {"time", FT_TIME, W_TIME, 0, 64, 0},
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
    if (len == 0) /* sequence numbers have the name "" and cannot be asked for */
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
    case W_A:
        return e->a;
    case W_B:
        return e->b;
    case W_C:
        return e->c;
    case W_D:
        return e->d;
    case W_G:
        return e->g;
    case W_P:
        return e->p;
    default:
        return m;
    }
}

int64_t ev_value(const struct ev *e, uint32_t m, const struct ev_field *f)
{
    switch (f->word) {
    case W_CD:
        return ev_cd(e);
    case W_LATE:
        return (int64_t)((uint64_t)e->time - (uint64_t)ev_cd(e));
    case W_TIME:
        return e->time;
    default:
        break;
    }
    uint64_t v = (uint64_t)word32(e, m, f->word) >> f->shift & (((uint64_t)1 << f->bits) - 1);
    if (f->type == FT_SIGNED)
        return (int32_t)(uint32_t)v;
    if (f->type == FT_P && f->bits == 16 && v == EV_NO_P)
        return EV_NONE; /* readers see one "no P", whatever its width in the record */
    return (int64_t)v;
}

static struct ev_object mutex_object(uint32_t obj)
{
    return obj > EV_WRITERS ? (struct ev_object){OBJ_WRITERS, obj - EV_WRITERS} : (struct ev_object){OBJ_MUTEX, obj};
}

struct ev_object ev_waits_for(uint32_t reason, uint32_t obj)
{
    if (obj == 0)
        return (struct ev_object){OBJ_NONE, 0};
    switch (reason) {
    case WAIT_REASON_CHAN_RECEIVE:
    case WAIT_REASON_CHAN_SEND:
        return (struct ev_object){OBJ_CHAN, obj};
    case WAIT_REASON_MUTEX_LOCK:
        return mutex_object(obj);
    case WAIT_REASON_RWMUTEX_RLOCK:
    case WAIT_REASON_RWMUTEX_LOCK:
        return (struct ev_object){OBJ_RWMUTEX, obj};
    case WAIT_REASON_COND_WAIT:
        return (struct ev_object){OBJ_COND, obj};
    case WAIT_REASON_IO_WAIT:
        return (struct ev_object){OBJ_CONN, obj};
    case WAIT_REASON_SEMACQUIRE:
    case WAIT_REASON_WAITGROUP_WAIT:
        return obj > EV_FD_MUTEX ? (struct ev_object){OBJ_CONN, obj - EV_FD_MUTEX} : (struct ev_object){OBJ_WAITGROUP, obj};
    default:
        return (struct ev_object){OBJ_NONE, 0};
    }
}

struct ev_object ev_object(const struct ev *e)
{
    switch (e->kind) {
    case EV_G_PARK:
        return ev_waits_for(e->b & 0xffff, e->c);
    case EV_CHAN_OP:
    case EV_TIMER_OP:
    case EV_SELECT_CASE:
        return (struct ev_object){OBJ_CHAN, e->a};
    case EV_MUTEX_OP:
        return mutex_object(e->a);
    case EV_RWMUTEX_OP:
        return (struct ev_object){OBJ_RWMUTEX, e->a};
    case EV_WAITGROUP_OP:
        return (struct ev_object){OBJ_WAITGROUP, e->a};
    case EV_CONN_OP:
        return (struct ev_object){OBJ_CONN, e->a};
    default:
        return (struct ev_object){OBJ_NONE, 0};
    }
}

int ev_words(enum ev_ftype type)
{
    return (size_t)type < sizeof enums / sizeof *enums ? enums[type].n : 0;
}

static const struct word *find_word(enum ev_ftype type, int64_t v)
{
    return v >= 0 && v < ev_words(type) ? &enums[type].word[v] : NULL;
}

const char *ev_word(enum ev_ftype type, int64_t v)
{
    const struct word *w = find_word(type, v);
    return w ? w->word : NULL;
}

const char *ev_say(enum ev_ftype type, int64_t v, enum lang lang)
{
    const struct word *w = find_word(type, v);
    return w ? text_in(&w->in, lang) : NULL;
}

/* An older version waits for fewer different things. words.def has the words of the newest. */
const char *ev_go_reason(uint32_t reason, uint32_t obj, unsigned generation)
{
    if (reason == WAIT_REASON_SEMACQUIRE && obj && ev_waits_for(reason, obj).kind == OBJ_WAITGROUP && generation & SINCE(GO1_24))
        reason = WAIT_REASON_WAITGROUP_WAIT;
    bool lock = reason == WAIT_REASON_MUTEX_LOCK || reason == WAIT_REASON_RWMUTEX_RLOCK || reason == WAIT_REASON_RWMUTEX_LOCK;
    if (lock && !(generation & SINCE(GO1_20)))
        reason = WAIT_REASON_SEMACQUIRE;
    if (reason == WAIT_REASON_COND_WAIT && generation & UNTIL(GO1_4)) /* a Cond had a semaphore until 1.5 */
        reason = WAIT_REASON_SEMACQUIRE;
    if (reason == WAIT_REASON_IO_WAIT && generation & UNTIL(GO1_0)) /* for the answer of the poll server */
        reason = WAIT_REASON_CHAN_RECEIVE;
    const struct word *w = find_word(FT_REASON, reason);
    return w ? w->go : NULL;
}

int64_t ev_word_value(enum ev_ftype type, const char *s, size_t len)
{
    for (int i = 0; i < ev_words(type); i++)
        if (is_word(enums[type].word[i].word, s, len))
            return i;
    return -1;
}

/* ---- variants of an event (variants.def) ---- */

enum test_kind { TEST_NONE, TEST_IS, TEST_NOT, TEST_SAME, TEST_IN };
struct test {
    enum test_kind kind;
    const char *field, *other;
    int64_t value;
};
struct variant {
    uint8_t kind;
    struct test test[2];
    struct text text;
}; /* text: in each language, or the function */

#define IS(field, value) \
    { \
        TEST_IS, field, NULL, value \
    }
#define NOT(field, value) \
    { \
        TEST_NOT, field, NULL, value \
    }
#define SAME(field, other) \
    { \
        TEST_SAME, field, other, 0 \
    }
#define IN(generations) \
    { \
        TEST_IN, NULL, NULL, generations \
    }
static const struct variant sentences[] = {
#define SENTENCE(event, tests, ...) {EV_##event, tests, {{__VA_ARGS__}}},
#include "eventlog/variants.def"
};
static const struct variant intents[] = {
#define INTENT(event, tests, ...) {EV_##event, tests, {{__VA_ARGS__}}},
#include "eventlog/variants.def"
};
static const struct variant functions[] = {
#define GO(event, tests, function) {EV_##event, tests, {{function}}},
#include "eventlog/variants.def"
};

static int64_t field_value(const struct ev *e, const char *field)
{
    const struct ev_field *f = ev_field(e->kind, field, strlen(field));
    return f && ev_has(e, f) ? ev_value(e, 0, f) : 0;
}

static bool test_holds(const struct test *t, const struct ev *e, unsigned gen)
{
    switch (t->kind) {
    case TEST_IS:
        return field_value(e, t->field) == t->value;
    case TEST_NOT:
        return field_value(e, t->field) != t->value;
    case TEST_SAME:
        return field_value(e, t->field) == field_value(e, t->other);
    case TEST_IN:
        return (gen & (unsigned)t->value) != 0;
    default:
        return true;
    }
}

static const struct variant *choose_variant(const struct variant *v, size_t n, const struct ev *e, unsigned gen)
{
    for (const struct variant *end = v + n; v < end; v++)
        if (v->kind == e->kind && test_holds(&v->test[0], e, gen) && test_holds(&v->test[1], e, gen))
            return v;
    return NULL;
}

const char *ev_sentence(const struct ev *e, unsigned gen, enum lang lang)
{
    if (e->kind >= EV_KINDS)
        return "?";
    const struct variant *v = choose_variant(sentences, sizeof sentences / sizeof *sentences, e, gen);
    return text_in(v ? &v->text : &ev_desc[e->kind].say, lang);
}

const char *ev_intent(const struct ev *e, unsigned gen, enum lang lang)
{
    if (e->kind >= EV_KINDS)
        return "";
    const struct variant *v = choose_variant(intents, sizeof intents / sizeof *intents, e, gen);
    return text_in(v ? &v->text : &ev_desc[e->kind].intent, lang);
}

const char *ev_go(const struct ev *e, unsigned gen)
{
    if (e->kind >= EV_KINDS)
        return "?";
    const struct variant *v = choose_variant(functions, sizeof functions / sizeof *functions, e, gen);
    return v ? v->text.in[0] : ev_desc[e->kind].go;
}

const char *ev_system_label(uint32_t fn)
{
    static const char *const label[] = {
#define X(id, label) [id] = label,
        EV_SYSTEM_LABELS(X)
#undef X
    };
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
