/* The small languages. The first byte chooses: p a pattern, e an expression, c a list of choices, d a duration, v
 * any text made visible, o a command line (one word per line). */
#include "base/choice.h"
#include "base/expr.h"
#include "base/text.h"
#include "cli/options.h"
#include "fuzz.h"
#include "model/query/pattern.h"
#include "model/query/query.h"

static void offer(void *ctx, const char *word)
{
    *(size_t *)ctx += strlen(word);
}

static void check_mistake(const char *s, const char *err, size_t pos)
{
    if (!err || pos > strlen(s))
        WRONG("refused at %zu of %zu: %s", pos, strlen(s), err ? err : "no reason");
}

static void match(const struct pattern *p)
{
    for (int kind = 0; kind < EV_KINDS; kind++) {
        struct ev e = {.kind = (uint8_t)kind, .g = 7, .a = 1, .b = UINT32_MAX, .p = (uint16_t)(kind % 3 ? kind : EV_NO_P)};
        pattern_event(p, 1, &e, "a \"text\"", 8);
    }
}

static void look(const struct pattern *p)
{
    struct model *md = model_new(&(struct model_config){.runq_size = 4});
    if (!md)
        WRONG("no model");
    pattern_state(p, md);
    pattern_state_at(p, md, 1000);
    pattern_change_after(p, md, 0);
    model_free(md);
}

static void try_pattern(char *s)
{
    static const char *const programs[] = {"main", "worker"};
    struct arena a = {0};
    const char *err = NULL;
    size_t pos = 0, n = 0;
    struct pattern *p = pattern_compile(&a, s, &err, &pos);
    if (!p)
        check_mistake(s, err, pos);
    if (p && !pattern_bind(p, &a, &(struct model_names){.fn = programs, .nfn = 2}, &err, &pos))
        check_mistake(s, err, pos);
    else if (p) {
        pattern_asks_for_p(p, &pos);
        pattern_names_p(p);
        (pattern_is_when(p) ? look : match)(p);
    }
    for (size_t at = 0; at <= strlen(s) && at < 200; at++)
        if (pattern_complete(s, at, offer, &n) > at)
            WRONG("the word that ends at %zu begins behind it", at);
    arena_fini(&a);
}

static void try_query(char *s)
{
    static const char *const programs[] = {"main", "worker"};
    struct arena a = {0};
    const char *err = NULL, *text;
    size_t pos = 0;
    struct query *q = query_compile(&a, s, &err, &pos);
    struct model *md = model_new(&(struct model_config){.runq_size = 4});
    if (!md)
        WRONG("no model");
    if (!q || !query_bind(q, &a, &(struct model_names){.fn = programs, .nfn = 2}, &err, &pos))
        check_mistake(s, err, pos);
    else {
        query_passes(q, md, 1000);
        query_value(q, md, &text);
        query_asks_for_p(q, &pos);
        query_reset(q);
        query_fini(q);
    }
    model_free(md);
    arena_fini(&a);
}

static int resolve(void *ctx, const char *name, size_t len)
{
    (void)ctx;
    return len == 1 && *name >= 'a' && *name <= 'd' ? *name - 'a' : -1;
}

static int64_t slot(void *ctx, int i)
{
    static const int64_t v[] = {0, -1, INT64_MIN, INT64_MAX};
    (void)ctx;
    return v[i & 3];
}

static void try_expr(char *s)
{
    struct arena a = {0};
    const char *err = NULL, *name = NULL;
    size_t pos = 0, len = 0;
    int64_t v, again;
    struct expr *x = expr_compile(&a, s, strlen(s), resolve, NULL, &err, &pos, &name, &len);
    if (!x && !name)
        check_mistake(s, err, pos);
    if (x && expr_constant(x, &v) && (expr_eval(x, slot, NULL, &again) != EXPR_OK || again != v))
        WRONG("a constant is %lld and %lld", (long long)v, (long long)again);
    if (x) {
        expr_eval(x, slot, NULL, &v);
        expr_divides_by_zero(x, &pos);
    }
    arena_fini(&a);
}

/* Checks that an accepted text is printed as a text with the same meaning. */
static void try_choices(char *s)
{
    struct choices c = {0}, again = {0};
    char why[200];
    if (!choices_parse(s, &c, why, sizeof why)) {
        char *text = choices_text(&c);
        const char *wrong = text ? choices_parse(text, &again, why, sizeof why) : "no text";
        if (wrong || again.n != c.n || (c.n && memcmp(again.v, c.v, c.n * sizeof *c.v)))
            WRONG("\"%s\": %s", text ? text : "", wrong ? wrong : "another list");
        free(text);
    }
    vec_free(&c);
    vec_free(&again);
}

static void try_duration(char *s)
{
    char text[64];
    int64_t ns;
    if (duration_parse(s, strlen(s), &ns) && (ns < 0 || !*duration_text(ns, text, sizeof text)))
        WRONG("%lld ns", (long long)ns);
}

/* Checks that the visible text is valid UTF-8, has no unsafe character, and leaves nothing out. */
static void try_visible(char *s)
{
    size_t len = strlen(s), width = 0;
    for (size_t i = 0, n; i < len; i += n) {
        char out[VISIBLE_BYTES];
        size_t bytes = visible_next(s, i, len, &n, out);
        if (!bytes || bytes > sizeof out || !n || !utf8_valid(out, bytes))
            WRONG("byte %zu", i);
        for (size_t k = 0, m; k < bytes; k += m)
            if (cp_unsafe(utf8_next(out + k, bytes - k, &m)))
                WRONG("byte %zu is not made visible", i);
        width += bytes;
    }
    if (width < len)
        WRONG("%zu of %zu", width, len);
}

static void try_options(char *s)
{
    static const enum command_bit commands[] = {CMD_RUN, CMD_CHECK, CMD_EXPLORE, CMD_COMPARE, CMD_LINT};
    char *argv[40];
    int argc = 0;
    struct options o;
    for (char *word = strtok(s, "\n"); word && argc < 40; word = strtok(NULL, "\n"))
        argv[argc++] = word;
    if (options_parse(&o, commands[argc % 5], argc, argv))
        options_settings(&o, "left", argc ? argv[0] : "");
    options_fini(&o);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    stderr = nowhere(); /* usage errors; libFuzzer and the sanitizers write to the descriptor */
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct {
        char letter;
        void (*try)(char *s);
    } language[] = {{'p', try_pattern},  {'q', try_query},   {'e', try_expr},   {'c', try_choices},
                    {'d', try_duration}, {'v', try_visible}, {'o', try_options}};
    char *s = size ? malloc(size) : NULL;
    if (!s)
        return 0;
    memcpy(s, data + 1, size - 1);
    s[size - 1] = '\0';
    for (size_t i = 0; i < sizeof language / sizeof *language; i++)
        if (data[0] == language[i].letter)
            language[i].try(s);
    free(s);
    return 0;
}
