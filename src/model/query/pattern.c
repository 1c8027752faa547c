/* Compiles patterns from text to struct pattern, by recursive descent:
 *
 *   pattern = ( event { "|" event } | "when" or ) [ "xN" ]
 *   event   = NAME or glob { FIELD OP VALUE }
 *   or      = and { "or" and }      and = not { "and" not }      not = "not" not | "(" or ")" | GAUGE OP VALUE
 *
 * All names are resolved here, so that mistakes are reported with their position and matching compares no strings.
 */
#include "base/diag.h"
#include "base/text.h"
#include "model/query/pattern_internal.h"
#include <fnmatch.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* in pattern_texts.def; tests/test_pattern.c compares the languages */

#define DEPTH_MAX 64
#define WORDS_MAX 128

enum tok { TOK_END, TOK_WORD, TOK_TEXT, TOK_OP, TOK_BAR, TOK_OPEN, TOK_CLOSE };

struct parser {
    struct arena *a;
    enum lang lang;
    const char *s;
    size_t at; /* after the token */
    enum tok tok;
    size_t pos; /* of the token */
    char *word; /* TOK_WORD, TOK_TEXT: NUL-terminated, unquoted */
    size_t len;
    enum pat_op op;
    const char *err;
    size_t errpos;
    int depth;
};

/* The first mistake counts. Returns false. */
#define FORMAT(ps, id, ...) arena_printf((ps)->a, pattern_text((ps)->lang, PATTERN_##id), __VA_ARGS__)
#define FAIL_AT(ps, where, id, ...) fail_at(ps, where, FORMAT(ps, id, __VA_ARGS__))
#define FAIL_TEXT(ps, where, id) fail_at(ps, where, pattern_text((ps)->lang, PATTERN_##id))
static bool fail_at(struct parser *ps, size_t where, const char *text)
{
    if (!ps->err) {
        ps->err = text ? text : pattern_text(ps->lang, PATTERN_MEMORY);
        ps->errpos = where;
    }
    return false;
}

/* ---- tokens ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool take_op(struct parser *ps)
{
    const char *s = ps->s + ps->at;
    bool eq = s[0] && s[1] == '=';
    if (s[0] == '=')
        ps->op = OP_EQ;
    else if (s[0] == '!' && eq)
        ps->op = OP_NE;
    else if (s[0] == '<')
        ps->op = eq ? OP_LE : OP_LT;
    else if (s[0] == '>')
        ps->op = eq ? OP_GE : OP_GT;
    else
        return FAIL_TEXT(ps, ps->at, NOT_EQUAL);
    ps->at += s[0] == '!' || (s[0] != '=' && eq) || (s[0] == '=' && eq) ? 2 : 1; /* accepts "==" for "=" */
    ps->tok = TOK_OP;
    return true;
}

/* "…" with \" \\ \n \t \r */
static bool take_quoted(struct parser *ps)
{
    static const char from[] = "ntr\"\\", to[] = "\n\t\r\"\\";
    const char *s = ps->s + ps->at + 1;
    char *out = ps->word = arena_alloc(ps->a, strlen(s) + 1);
    if (!out)
        return fail_at(ps, ps->at, NULL);
    while (*s && *s != '"') {
        const char *esc = *s == '\\' && s[1] ? strchr(from, s[1]) : NULL;
        *out++ = esc ? to[esc - from] : *s;
        s += esc ? 2 : 1;
    }
    if (*s != '"')
        return FAIL_TEXT(ps, ps->at, QUOTE);
    ps->len = (size_t)(out - ps->word);
    ps->at = (size_t)(s + 1 - ps->s);
    ps->tok = TOK_TEXT;
    return true;
}

static bool take_word(struct parser *ps)
{
    size_t n = strcspn(ps->s + ps->at, " \t\r\n=!<>|()\"");
    ps->word = arena_strndup(ps->a, ps->s + ps->at, n);
    if (!ps->word)
        return fail_at(ps, ps->at, NULL);
    ps->len = n;
    ps->at += n;
    ps->tok = TOK_WORD;
    return true;
}

static bool next(struct parser *ps)
{
    while (is_space(ps->s[ps->at]))
        ps->at++;
    ps->pos = ps->at;
    switch (ps->s[ps->at]) {
    case '\0':
        ps->tok = TOK_END;
        return true;
    case '|':
    case '(':
    case ')':
        ps->tok = ps->s[ps->at] == '|' ? TOK_BAR : ps->s[ps->at] == '(' ? TOK_OPEN : TOK_CLOSE;
        ps->at++;
        return true;
    case '"':
        return take_quoted(ps);
    case '=':
    case '!':
    case '<':
    case '>':
        return take_op(ps);
    default:
        return take_word(ps);
    }
}

static bool is_word(const struct parser *ps, const char *word)
{
    return ps->tok == TOK_WORD && strcmp(ps->word, word) == 0;
}

/* True if an operator follows the current token. */
static bool op_follows(const struct parser *ps)
{
    const char *s = ps->s + ps->at;
    while (is_space(*s))
        s++;
    return *s && strchr("=!<>", *s);
}

/* True for "x3" at the end, as opposed to the field of a test. */
static bool is_times(const struct parser *ps)
{
    return ps->tok == TOK_WORD && ps->word[0] == 'x' && ps->len > 1 && strspn(ps->word + 1, "0123456789") == ps->len - 1 && !op_follows(ps);
}

/* ---- values ---- */

static bool parse_int(const char *s, size_t len, int64_t *v)
{
    bool minus = len > 1 && s[0] == '-';
    uint64_t n = 0, max = (uint64_t)INT64_MAX + minus;
    if (len == 0)
        return false;
    for (size_t i = minus; i < len; i++) {
        unsigned digit = (unsigned)(s[i] - '0');
        if (digit > 9 || n > (max - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *v = (int64_t)(minus ? 0 - n : n);
    return true;
}

static bool parse_bool(const char *s, size_t len, int64_t *v)
{
    if (strcmp(s, "true") == 0 || strcmp(s, "false") == 0) {
        *v = s[0] == 't';
        return true;
    }
    return parse_int(s, len, v);
}

static bool parse_time(const char *s, size_t len, int64_t *v)
{
    if (parse_int(s, len, v))
        return true;
    bool minus = len > 1 && s[0] == '-';
    if (!duration_parse(s + minus, len - minus, v))
        return false;
    if (minus)
        *v = -*v;
    return true;
}

/* "P1", "p1" or "1"; "-" and "none" for none. */
static bool parse_id(const char *s, size_t len, char letter, int64_t none, int64_t *v)
{
    if (strcmp(s, "-") == 0 || strcmp(s, "none") == 0) {
        *v = none;
        return true;
    }
    bool named = len > 1 && (s[0] | 0x20) == letter;
    return s[named] != '-' && parse_int(s + named, len - named, v);
}

static bool parse_g(const char *s, size_t len, int64_t *v)
{
    uint32_t g = 0;
    bool named = ev_g_id(s, len, &g);
    *v = g;
    return named || parse_id(s, len, 'g', 0, v);
}

static bool parse_value(enum ev_ftype type, const char *s, size_t len, int64_t *v)
{
    switch (type) {
    case FT_INT:
    case FT_SIGNED:
    case FT_TIMES:
    case FT_OWN:
        return parse_int(s, len, v);
    case FT_OBJ: /* any word: pattern_bind() knows the objects */
        if (!parse_int(s, len, v) || *v < 0)
            *v = -1;
        return true;
    case FT_BOOL:
        return parse_bool(s, len, v);
    case FT_G:
    case FT_SEEN:
    case FT_HOLDER:
        return parse_g(s, len, v);
    case FT_M:
        return parse_id(s, len, 'm', EV_NONE, v);
    case FT_P:
        return parse_id(s, len, 'p', EV_NONE, v);
    case FT_TIME:
    case FT_DUR:
        return parse_time(s, len, v);
    case FT_TEXT:
        return true;
    case FT_FN: /* any word: pattern_bind() knows the programs */
        if (!parse_int(s, len, v) || *v < 0)
            *v = -1;
        return true;
    default:
        *v = ev_word_value(type, s, len);
        return *v >= 0;
    }
}

bool pattern_type_has_order(enum ev_ftype type)
{
    return type != FT_TEXT && type != FT_FN && ev_words(type) == 0;
}

static bool op_fits(enum ev_ftype type, enum pat_op op)
{
    return op == OP_EQ || op == OP_NE || (pattern_type_has_order(type) && type != FT_OBJ);
}

static enum pattern_text_id what_fits(enum ev_ftype type)
{
    switch (type) {
    case FT_G:
    case FT_SEEN:
    case FT_HOLDER:
        return PATTERN_A_G;
    case FT_M:
        return PATTERN_AN_M;
    case FT_P:
        return PATTERN_A_P;
    case FT_TIME:
    case FT_DUR:
        return PATTERN_A_DURATION;
    case FT_BOOL:
        return PATTERN_A_BOOL;
    default:
        return PATTERN_A_NUMBER;
    }
}

/* ---- words for messages ---- */

struct words {
    const char *v[WORDS_MAX];
    size_t n;
};

static void words_add(struct words *w, const char *word)
{
    for (size_t i = 0; i < w->n; i++)
        if (strcmp(w->v[i], word) == 0)
            return;
    if (w->n < WORDS_MAX)
        w->v[w->n++] = word;
}

/* Reports "…; the nearest is "x"", or up to eight possible words. */
static bool fail_word(struct parser *ps, size_t where, const char *problem, const char *word, const struct words *w)
{
    const char *near = diag_nearest(word, w->v, w->n);
    if (near)
        return FAIL_AT(ps, where, NEAREST, problem, near);
    const char *list = "";
    for (size_t i = 0; i < w->n && list; i++) {
        if (i == 8)
            return FAIL_AT(ps, where, SOME, problem, list);
        list = arena_printf(ps->a, "%s%s%s", list, i ? ", " : "", w->v[i]);
    }
    return FAIL_AT(ps, where, ALL, problem, list && *list ? list : pattern_text(ps->lang, PATTERN_NONE));
}

#define kind_in(kinds, kind) (((kinds) >> (kind)&1) != 0)

static bool fail_event(struct parser *ps)
{
    struct words w = {.n = 0};
    for (int kind = 0; kind < EV_KINDS; kind++)
        words_add(&w, ev_desc[kind].name);
    words_add(&w, "when");
    return fail_word(ps, ps->pos, FORMAT(ps, NO_EVENT, ps->word), ps->word, &w);
}

static bool fail_field(struct parser *ps, const char *event, kindset kinds)
{
    const char joins[] = " and && & , ; or ", *join = strstr(joins, ps->word); /* what other languages put between conditions */
    struct words w = {.n = 0};
    if (join && join > joins && join[-1] == ' ' && join[ps->len] == ' ')
        return FAIL_AT(ps, ps->pos, JOINED, ps->word);
    for (int kind = 0; kind < EV_KINDS; kind++)
        for (int i = 0; kind_in(kinds, kind) && i < EV_FIELDS && ev_desc[kind].field[i].name; i++) {
            const struct ev_field *f = &ev_desc[kind].field[i];
            if (f->name[0] && f->type != FT_NONE)
                words_add(&w, f->name);
        }
    for (int i = 0; i < 4; i++)
        words_add(&w, (const char *[]){"m", "p", "g", "time"}[i]);
    return fail_word(ps, ps->pos, FORMAT(ps, NO_FIELD, event, ps->word), ps->word, &w);
}

/* Reports that the value (the current token) fits no field called `name`. */
static bool fail_value(struct parser *ps, const char *name, kindset kinds)
{
    struct words w = {.n = 0};
    enum ev_ftype type = FT_NONE;
    for (int kind = 0; kind < EV_KINDS; kind++) {
        const struct ev_field *f = kind_in(kinds, kind) ? ev_field(kind, name, strlen(name)) : NULL;
        if (f && (type == FT_NONE || ev_words(f->type)))
            type = f->type;
        for (int i = 0; f && i < ev_words(f->type); i++)
            words_add(&w, ev_word(f->type, i));
    }
    const char *problem = FORMAT(ps, NO_VALUE, ps->word, name);
    if (w.n)
        return fail_word(ps, ps->pos, problem, ps->word, &w);
    return FAIL_AT(ps, ps->pos, TAKES, problem, pattern_text(ps->lang, what_fits(type)));
}

/* ---- events ---- */

static kindset kinds_of(const char *name)
{
    kindset kinds = 0;
    bool glob = strpbrk(name, "*?[") != NULL;
    for (int kind = 0; kind < EV_KINDS; kind++)
        if (glob ? fnmatch(name, ev_desc[kind].name, 0) == 0 : strcmp(name, ev_desc[kind].name) == 0)
            kinds |= (kindset)1 << kind;
    return kinds;
}

static bool take_value(struct parser *ps)
{
    if (!next(ps))
        return false;
    if (ps->tok == TOK_WORD || ps->tok == TOK_TEXT)
        return true;
    return FAIL_TEXT(ps, ps->pos, VALUE_MISSING);
}

/* Parses the operator after a field's name. Leaves the value as the current token. */
static bool parse_op(struct parser *ps)
{
    const char *name = ps->word;
    if (!next(ps))
        return false;
    if (ps->tok != TOK_OP)
        return FAIL_AT(ps, ps->pos, OP_MISSING, name);
    return true;
}

static bool any_has_field(kindset kinds, const char *name)
{
    for (int kind = 0; kind < EV_KINDS; kind++)
        if (kind_in(kinds, kind) && ev_field(kind, name, strlen(name)))
            return true;
    return false;
}

static bool parse_test(struct parser *ps, const char *event, struct pat_event *e, struct pat_test **link)
{
    const char *name = ps->word;
    if (ps->tok != TOK_WORD)
        return FAIL_TEXT(ps, ps->pos, FIELD_MISSING);
    if (!any_has_field(e->kinds, name))
        return fail_field(ps, event, e->kinds);
    struct pat_test *t = arena_alloc(ps->a, sizeof *t);
    if (!t)
        return fail_at(ps, ps->pos, NULL);
    if (!parse_op(ps))
        return false;
    size_t op_pos = ps->pos;
    t->op = ps->op;
    if (!take_value(ps))
        return false;
    t->word = ps->word;
    t->word_len = ps->len;
    t->pos = ps->pos;
    bool op_bad = false;
    kindset left = 0; /* the kinds of events for which the test can hold */
    for (int kind = 0; kind < EV_KINDS; kind++) {
        const struct ev_field *f = kind_in(e->kinds, kind) ? ev_field(kind, name, strlen(name)) : NULL;
        int64_t v = 0;
        if (!f || !parse_value(f->type, ps->word, ps->len, &v))
            continue;
        if (!op_fits(f->type, t->op)) {
            op_bad = true;
            continue;
        }
        t->of[kind].field = f;
        t->of[kind].value = v;
        left |= (kindset)1 << kind;
    }
    if (!left && op_bad)
        return FAIL_AT(ps, op_pos, NO_ORDER, name);
    if (!left)
        return fail_value(ps, name, e->kinds);
    e->kinds = left;
    *link = t;
    return next(ps);
}

/* "main.go:12" */
static bool is_place(const char *s)
{
    const char *colon = strrchr(s, ':');
    return colon && colon - s > 3 && strncmp(colon - 3, ".go", 3) == 0 && colon[1] && colon[1 + strspn(colon + 1, "0123456789")] == '\0';
}

/* A place alone is an event, too: a G reaches this line. Returns the end of the list of tests. */
static struct pat_test **parse_place(struct parser *ps, struct pat_event *e)
{
    struct pat_test *t = arena_alloc(ps->a, sizeof *t);
    if (!t) {
        fail_at(ps, ps->pos, NULL);
        return NULL;
    }
    *t = (struct pat_test){.op = OP_EQ, .word = ps->word, .word_len = ps->len, .pos = ps->pos, .place = true};
    e->kinds = (kindset)1 << EV_G_OP;
    e->tests = t;
    return &t->next;
}

static bool parse_event(struct parser *ps, struct pat_event **out)
{
    struct pat_event *e = arena_alloc(ps->a, sizeof *e);
    if (!e)
        return fail_at(ps, ps->pos, NULL);
    if (ps->tok != TOK_WORD)
        return FAIL_TEXT(ps, ps->pos, EVENT_MISSING);
    const char *name = ps->word;
    struct pat_test **link = is_place(name) ? parse_place(ps, e) : &e->tests;
    if (link == &e->tests)
        e->kinds = kinds_of(name);
    if (!link)
        return false;
    if (!e->kinds)
        return fail_event(ps);
    if (!next(ps))
        return false;
    name = e->tests ? ev_desc[EV_G_OP].name : name;
    while (ps->tok != TOK_END && ps->tok != TOK_BAR && !is_times(ps)) {
        if (!parse_test(ps, name, e, link))
            return false;
        link = &(*link)->next;
    }
    *out = e;
    return true;
}

static bool parse_events(struct parser *ps, struct pat_event **link)
{
    for (;; link = &(*link)->next) {
        if (!parse_event(ps, link))
            return false;
        if (ps->tok != TOK_BAR)
            return true;
        if (!next(ps))
            return false;
    }
}

/* ---- conditions ---- */

static bool gauge_value(const struct gauge *g, const char *s, size_t len, int64_t *v)
{
    const char *word;
    switch (gauge_type(g)) {
    case GT_BOOL:
        return parse_bool(s, len, v);
    case GT_DUR:
        return parse_time(s, len, v);
    case GT_P:
        return parse_id(s, len, 'p', -1, v);
    case GT_M:
        return parse_id(s, len, 'm', -1, v);
    case GT_G:
        return parse_g(s, len, v);
    case GT_WORD:
        for (int i = 0; (word = gauge_word(g, i, v)) != NULL; i++)
            if (strcmp(word, s) == 0)
                return true;
        return false;
    default:
        return parse_int(s, len, v);
    }
}

static bool fail_gauge_value(struct parser *ps, const struct gauge *g, const char *name)
{
    static const enum ev_ftype like[] = {
        [GT_INT] = FT_INT, [GT_BOOL] = FT_BOOL, [GT_DUR] = FT_DUR, [GT_WORD] = FT_INT, [GT_P] = FT_P, [GT_M] = FT_M, [GT_G] = FT_G};
    struct words w = {.n = 0};
    const char *word, *problem = FORMAT(ps, NO_VALUE, ps->word, name);
    int64_t v;
    for (int i = 0; (word = gauge_word(g, i, &v)) != NULL; i++)
        words_add(&w, word);
    if (w.n)
        return fail_word(ps, ps->pos, problem, ps->word, &w);
    return FAIL_AT(ps, ps->pos, TAKES, problem, pattern_text(ps->lang, what_fits(like[gauge_type(g)])));
}

static struct pat_cond *new_cond(struct parser *ps, enum cond_kind kind, struct pat_cond *left, struct pat_cond *right)
{
    struct pat_cond *c = arena_alloc(ps->a, sizeof *c);
    if (!c) {
        fail_at(ps, ps->pos, NULL);
        return NULL;
    }
    c->kind = kind;
    c->left = left;
    c->right = right;
    return c;
}

static bool parse_gauge(struct parser *ps, struct pat_cond *c)
{
    char err[160];
    const char *name = ps->word;
    if (ps->tok != TOK_WORD)
        return FAIL_TEXT(ps, ps->pos, CONDITION_MISSING);
    if (!gauge_parse(ps->word, ps->len, &c->gauge, ps->lang, err, sizeof err))
        return fail_at(ps, ps->pos, arena_strndup(ps->a, err, strlen(err)));
    if (!parse_op(ps))
        return false;
    c->op = ps->op;
    if (gauge_type(&c->gauge) == GT_WORD && c->op != OP_EQ && c->op != OP_NE)
        return FAIL_AT(ps, ps->pos, NO_ORDER, name);
    if (!take_value(ps))
        return false;
    if (!gauge_value(&c->gauge, ps->word, ps->len, &c->value))
        return fail_gauge_value(ps, &c->gauge, name);
    return next(ps);
}

static struct pat_cond *parse_or(struct parser *ps);

static struct pat_cond *parse_group(struct parser *ps)
{
    size_t open = ps->pos;
    struct pat_cond *c = next(ps) ? parse_or(ps) : NULL;
    if (!c)
        return NULL;
    if (ps->tok != TOK_CLOSE) {
        FAIL_TEXT(ps, open, PARENTHESIS);
        return NULL;
    }
    return next(ps) ? c : NULL;
}

static struct pat_cond *parse_not(struct parser *ps)
{
    struct pat_cond *c = NULL;
    if (++ps->depth > DEPTH_MAX) {
        FAIL_AT(ps, ps->pos, DEEP, DEPTH_MAX);
        return NULL;
    }
    if (is_word(ps, "not") && !op_follows(ps)) {
        struct pat_cond *in = next(ps) ? parse_not(ps) : NULL;
        c = in ? new_cond(ps, COND_NOT, in, NULL) : NULL;
    } else if (ps->tok == TOK_OPEN) {
        c = parse_group(ps);
    } else {
        c = new_cond(ps, COND_TEST, NULL, NULL);
        if (c && !parse_gauge(ps, c))
            c = NULL;
    }
    ps->depth--;
    return c;
}

static struct pat_cond *parse_and(struct parser *ps)
{
    struct pat_cond *left = parse_not(ps);
    while (left && is_word(ps, "and")) {
        struct pat_cond *right = next(ps) ? parse_not(ps) : NULL;
        left = right ? new_cond(ps, COND_AND, left, right) : NULL;
    }
    return left;
}

static struct pat_cond *parse_or(struct parser *ps)
{
    struct pat_cond *left = parse_and(ps);
    while (left && is_word(ps, "or")) {
        struct pat_cond *right = next(ps) ? parse_and(ps) : NULL;
        left = right ? new_cond(ps, COND_OR, left, right) : NULL;
    }
    return left;
}

/* ---- the whole ---- */

static bool parse_times(struct parser *ps, uint64_t *times)
{
    int64_t n = 1;
    *times = 1;
    if (!is_times(ps))
        return true;
    if (!parse_int(ps->word + 1, ps->len - 1, &n) || n == 0)
        return FAIL_AT(ps, ps->pos, TIMES, ps->word);
    *times = (uint64_t)n;
    return next(ps);
}

static bool parse_pattern(struct parser *ps, struct pattern *p)
{
    bool when = is_word(ps, "when");
    if (ps->tok == TOK_END)
        return FAIL_TEXT(ps, ps->pos, EMPTY);
    if (when && !(next(ps) && (p->when = parse_or(ps))))
        return false;
    if (!when && !parse_events(ps, &p->events))
        return false;
    if (!parse_times(ps, &p->times))
        return false;
    if (ps->tok != TOK_END && when)
        return FAIL_TEXT(ps, ps->pos, AND_MISSING);
    if (ps->tok != TOK_END)
        return FAIL_TEXT(ps, ps->pos, TIMES_LAST);
    return true;
}

struct pattern *pattern_compile_in(struct arena *a, enum lang lang, const char *s, const char **err, size_t *pos)
{
    struct parser ps = {.a = a, .lang = lang, .s = s};
    struct pattern *p = arena_alloc(a, sizeof *p);
    if (!p)
        fail_at(&ps, 0, NULL);
    if (p && next(&ps) && parse_pattern(&ps, p))
        return p;
    *err = ps.err;
    *pos = ps.errpos;
    return NULL;
}
