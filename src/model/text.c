/* Events as text: the line of `--events` and the sentence for people. Both are generated from the table of events. */
#include "base/text.h"
#include "base/program_text.h"
#include "model/model_internal.h"
#include "model/waits_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Text that is cut to size; n counts the bytes needed. */
struct out {
    char *buf;
    size_t size, n;
};

static void append(struct out *o, const char *s, size_t len)
{
    if (o->n < o->size) {
        size_t room = o->size - o->n - 1;
        memcpy(o->buf + o->n, s, len < room ? len : room);
    }
    o->n += len;
}

static void append_text(struct out *o, const char *s)
{
    append(o, s, strlen(s));
}

__attribute__((format(printf, 2, 3))) static void append_format(struct out *o, const char *fmt, ...)
{
    char tmp[64]; /* numbers and ids only */
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(tmp, sizeof tmp, fmt, ap);
    va_end(ap);
    if (n > 0)
        append(o, tmp, (size_t)n < sizeof tmp ? (size_t)n : sizeof tmp - 1);
}

/* Ends the string, before a character that does not fit completely. */
static int finish(struct out *o)
{
    if (o->size == 0)
        return (int)o->n;
    size_t end = o->n < o->size ? o->n : o->size - 1;
    if (end < o->n)
        for (size_t k = end; k > 0 && end - k < 4; k--) {
            unsigned char c = (unsigned char)o->buf[k - 1];
            size_t len = c < 0x80 ? 1 : c < 0xc0 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
            if (len == 0)
                continue;
            if (k - 1 + len > end)
                end = k - 1;
            break;
        }
    o->buf[end] = '\0';
    return (int)o->n;
}

static const char *fn_name(const struct model *md, int64_t fn)
{
    const struct model_names *names = md ? &md->cfg.names : NULL;
    const char *label = ev_system_label((uint32_t)fn);
    if (md && md->cfg.lacks && (fn == EV_NONE || fn == FN_UNKNOWN))
        return "?";
    if (label)
        return label;
    return names && (uint64_t)fn < names->nfn ? names->fn[fn] : NULL;
}

static bool is_none(const struct ev_field *f, int64_t v)
{
    return ((f->type == FT_P || f->type == FT_M) && v == (int64_t)EV_NONE) || (f->type == FT_P && v == EV_NO_P);
}

/* ---- the line ---- */

/* Writes text in quotes, escaped so that the line stays one line and can be parsed. */
static void put_quoted(struct out *o, const char *s, size_t len)
{
    append_text(o, "\"");
    for (size_t i = 0, n; i < len; i += n) {
        char visible[VISIBLE_BYTES];
        size_t bytes = visible_next(s, i, len, &n, visible);
        if (s[i] == '"' || s[i] == '\\')
            append_text(o, "\\");
        append(o, visible, bytes);
    }
    append_text(o, "\"");
}

static void put_value(struct out *o, const struct model *md, const struct ev_field *f, int64_t v, const char *text, size_t len)
{
    const char *word = f->type == FT_FN ? fn_name(md, v) : ev_word(f->type, v);
    if (f->type == FT_TEXT)
        put_quoted(o, text, text ? len : 0);
    else if (is_none(f, v))
        append_text(o, "-");
    else if (word)
        append_text(o, word);
    else
        append_format(o, "%" PRId64, v);
}

int event_value(const struct model *md, const struct ev_field *f, int64_t v, const char *text, size_t len, char *buf, size_t size)
{
    struct out o = {buf, size, 0};
    put_value(&o, md, f, v, text, len);
    return finish(&o);
}

/* The name of an object that a program has made, as a pattern has it. */
static void put_object(struct out *o, const struct model *md, struct ev_object object)
{
    char name[OBJECT_NAME];
    model_object_name(md, object, name);
    if (name[strcspn(name, " \t=!<>|()\"")])
        put_quoted(o, name, strlen(name));
    else
        append_text(o, name);
}

int event_line(const struct model *md, uint32_t m, const struct ev *e, const char *text, size_t len, char *buf, size_t size)
{
    struct out o = {buf, size, 0};
    append_format(&o, "%" PRId64 " M%" PRIu32, e->time, m);
    if (e->p != EV_NO_P)
        append_format(&o, " P%u", e->p);
    if (e->kind >= EV_KINDS) {
        append_format(&o, " unknown_event_%u", e->kind);
        return finish(&o);
    }
    const struct ev_desc *d = &ev_desc[e->kind];
    bool last = ev_has_trait(e->kind, EV_G_LAST);
    append_text(&o, " ");
    append_text(&o, d->name);
    if (e->g && !last)
        append_format(&o, " g=%" PRIu32, e->g);
    for (int i = 0; i < EV_FIELDS && d->field[i].name; i++) {
        const struct ev_field *f = &d->field[i];
        bool absent = (f->type == FT_HOLDER || f->type == FT_TIMES || f->type == FT_OWN) && ev_value(e, m, f) == 0;
        if (f->name[0] == '\0' || f->type == FT_NONE || EV_IS_SEQ(f->type) || !ev_has(e, f) || absent)
            continue;
        append_text(&o, " ");
        append_text(&o, f->name);
        append_text(&o, "=");
        if (f->type == FT_OBJ && md && md->cfg.objects.made)
            put_object(&o, md, ev_object(e));
        else
            put_value(&o, md, f, ev_value(e, m, f), text, len);
    }
    if (e->g && last)
        append_format(&o, " g=%" PRIu32, e->g);
    return finish(&o);
}

int moment_line(int64_t time, const char *text, char *buf, size_t size)
{
    struct out o = {buf, size, 0};
    append_format(&o, "%" PRId64 " break pattern=", time);
    put_quoted(&o, text, strlen(text));
    return finish(&o);
}

/* ---- the sentence ---- */

static void put_visible(struct out *o, const char *s, size_t len)
{
    char visible[VISIBLE_BYTES];
    for (size_t i = 0, n; i < len; i += n) {
        size_t bytes = visible_next(s, i, len, &n, visible);
        append(o, visible, bytes);
    }
}

static void say_id(struct out *o, char letter, int64_t v)
{
    if (v == (int64_t)EV_NONE)
        append_text(o, "-");
    else
        append_format(o, "%c%" PRId64, letter, v);
}

/* G 0 is the runtime itself: it starts main, and its timers make Gs ready. */
static void say_g(struct out *o, int64_t v, enum lang lang)
{
    static const struct text runtime = {{"The runtime", "运行时"}}; /* occurs only at the start of a sentence */
    char name[EV_G_NAME];
    append_text(o, v ? ev_g_name((uint32_t)v, name) : text_in(&runtime, lang));
}

static void say_p(struct out *o, int64_t v, enum lang lang)
{
    static const struct text no_p = {{"no P", "（无 P）"}};
    if (v == EV_NO_P || v == (int64_t)EV_NONE)
        append_text(o, text_in(&no_p, lang));
    else
        say_id(o, 'P', v);
}

static void say_duration(struct out *o, int64_t ns, enum lang lang)
{
    static const struct text forever = {{"as long as it takes", "无限时间"}};
    char tmp[64];
    append_text(o, ns < 0 ? text_in(&forever, lang) : duration_text(ns, tmp, sizeof tmp));
}

struct saying {
    const struct model *md;
    uint32_t m;
    const struct ev *e;
    const char *text;
    size_t len;
    enum lang lang;
};

/* A semaphore is a WaitGroup's or a conn's: its sentence does not say of which kind. */
static void say_object(struct out *o, const struct saying *s)
{
    static const struct text conn = {{"conn ", "连接 "}};
    struct ev_object object = ev_object(s->e);
    char name[OBJECT_NAME];
    if (s->e->kind == EV_G_PARK && object.kind == OBJ_WAITGROUP)
        append_text(o, "WaitGroup ");
    if (s->e->kind == EV_G_PARK && s->e->c > EV_FD_MUTEX)
        append_text(o, text_in(&conn, s->lang));
    model_object_name(s->md, object, name);
    put_visible(o, name, strlen(name));
}

/* Writes the name of a timer's own channel. */
static void put_own(struct out *o, const struct model *md, int64_t chan, const char *lost)
{
    char name[OBJECT_NAME];
    const char *is = chan ? model_object_name(md, (struct ev_object){OBJ_CHAN, (uint32_t)chan}, name) : lost;
    put_visible(o, is, strlen(is));
}

/* Writes the place of an operation of a Go program. */
static bool op_place(const struct model *md, uint32_t op, char place[PLACE_NAME])
{
    const struct program_text *t = md ? md->cfg.names.text : NULL;
    return t && op < t->nops && program_place(t, t->op[op], place, PLACE_NAME);
}

bool model_g_place(const struct model *md, uint32_t g, char place[])
{
    uint32_t op;
    return model_g_op(md, g, &op) && op_place(md, op, place);
}

static void say_field(struct out *o, const struct saying *s, const struct ev_field *f)
{
    static const struct text no = {{"no", "否"}}, yes = {{"yes", "是"}}, another = {{"another G", "别的 G"}},
                             lost = {{"that no G can reach", "（程序已够不到）"}};
    int64_t v = ev_value(s->e, s->m, f);
    const struct ev_field *what;
    char name[EV_G_NAME], place[PLACE_NAME];
    if (s->e->kind == EV_G_OP && f->word == W_A && op_place(s->md, s->e->c, place)) {
        append_text(o, place);
        return;
    }
    const char *word = f->type == FT_FN ? fn_name(s->md, v) : ev_say(f->type, v, s->lang);
    switch (f->type) {
    case FT_G:
        what = v == 0 ? ev_field(s->e->kind, "what", 4) : NULL;
        word = what && what->type == FT_TIMER ? ev_say(FT_TIMER, ev_value(s->e, s->m, what), s->lang) : NULL;
        if (word)
            append_text(o, word); /* a timer without a G */
        else
            say_g(o, v, s->lang); /* or of no kind that there is: a stranger's */
        break;
    case FT_HOLDER: /* 0: it has just left */
        append_text(o, v ? ev_g_name((uint32_t)v, name) : text_in(&another, s->lang));
        break;
    case FT_OBJ:
        say_object(o, s);
        break;
    case FT_OWN:
        put_own(o, s->md, v, text_in(&lost, s->lang));
        break;
    case FT_SEEN:
        append_text(o, v ? ev_g_name((uint32_t)v, name) : "-");
        break;
    case FT_M:
        say_id(o, 'M', v);
        break;
    case FT_P:
        say_p(o, v, s->lang);
        break;
    case FT_TIME:
    case FT_DUR:
        say_duration(o, v, s->lang);
        break;
    case FT_BOOL:
        append_text(o, text_in(v ? &yes : &no, s->lang));
        break;
    case FT_TEXT:
        put_visible(o, s->text, s->text ? s->len : 0);
        break;
    default:
        if (word)
            append_text(o, word);
        else
            append_format(o, "%" PRId64, v);
    }
}

/* Does the text so far end with a wide character? Chinese has no blank after it. */
static bool ends_wide(const struct out *o)
{
    size_t n, at = o->n < o->size ? o->n : 0, from = at;
    while (from > 0 && at - from < 4 && (from == at || ((unsigned char)o->buf[from] & 0xc0) == 0x80))
        from--;
    return from < at && cp_width(utf8_next(o->buf + from, at - from, &n)) == 2;
}

/* Appends a blank and the words between `words` and `end` that fit the number before them: those before '|' for one, else those after. */
static void say_counted(struct out *o, const char *words, const char *end, bool one)
{
    const char *bar = memchr(words, '|', (size_t)(end - words));
    append_text(o, " ");
    append(o, one ? words : bar + 1, (size_t)((one ? bar : end) - (one ? words : bar + 1)));
}

int event_say(const struct model *md, uint32_t m, const struct ev *e, const char *text, size_t len, const char *at, enum lang lang,
              char *buf, size_t size)
{
    struct out o = {buf, size, 0};
    struct saying s = {md, m, e, text, len, lang};
    while (*at) {
        at += lang == LANG_ZH && *at == ' ' && ends_wide(&o);
        size_t plain = strcspn(at, "{");
        append(&o, at, plain);
        at += plain;
        size_t name = *at ? strcspn(at, "}") : 0;
        size_t field = name ? strcspn(at + 1, ":}") : 0;
        const struct ev_field *f = name && at[name] ? ev_field(e->kind, at + 1, field) : NULL;
        if (f) {
            say_field(&o, &s, f);
            if (field + 1 < name)
                say_counted(&o, at + field + 2, at + name, ev_value(e, m, f) == 1);
        } else
            append(&o, at, name + (*at && at[name] ? 1 : 0));
        at += name + (*at && at[name] ? 1 : 0);
    }
    return finish(&o);
}

/* Returns the run's generation as a set of one; without a model, the newest. */
static unsigned generation_of(const struct model *md)
{
    return md ? 1u << md->cfg.generation : SINCE(0);
}

int event_sentence(const struct model *md, uint32_t m, const struct ev *e, const char *text, size_t len, enum lang lang, char *buf,
                   size_t size)
{
    static const struct text reaches = {{"{g} reaches {line}.", "{g} 执行到 {line}。"}}; /* of a Go program */
    bool place = e->kind == EV_G_OP && md && md->cfg.names.text;
    return event_say(md, m, e, text, len, place ? text_in(&reaches, lang) : ev_sentence(e, generation_of(md), lang), lang, buf, size);
}

const char *event_go(const struct model *md, const struct ev *e)
{
    return ev_go(e, generation_of(md));
}

const char *event_go_reason(const struct model *md, const struct model_g *g)
{
    return ev_go_reason(g->reason, g->obj, generation_of(md));
}

int moment_sentence(int64_t time, const char *text, enum lang lang, char *buf, size_t size)
{
    static const struct text at = {{"At ", "到 "}}, holds = {{" ms it comes true: ", " ms 时条件成立："}}, end = {{".", "。"}};
    struct out o = {buf, size, 0};
    append_text(&o, text_in(&at, lang));
    append_format(&o, "%" PRId64 ".%06" PRId64, time / 1000000, time % 1000000); /* to the nanosecond: conditions on durations need it */
    append_text(&o, text_in(&holds, lang));
    put_visible(&o, text, strlen(text));
    append_text(&o, text_in(&end, lang));
    return finish(&o);
}
