/* The scenario's names as Go names. A scenario has a namespace for each kind of thing and allows "-" in names. Go
 * has one namespace for the package, which also holds its keywords, its own functions and our helpers. Variables of
 * a function differ from the package's names as well, so that none hides another. */
#include "scenario/go/gosource.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const reserved[] = {
    "break",      "case",       "chan",       "const",      "continue",     "default",    "defer",        "else",      "fallthrough",
    "for",        "func",       "go",         "goto",       "if",           "import",     "interface",    "map",       "package",
    "range",      "return",     "select",     "struct",     "switch",       "type",       "var",          "any",       "append",
    "bool",       "byte",       "cap",        "close",      "comparable",   "complex",    "complex128",   "complex64", "copy",
    "delete",     "error",      "false",      "float32",    "float64",      "imag",       "init",         "int",       "int16",
    "int32",      "int64",      "int8",       "iota",       "len",          "main",       "make",         "max",       "min",
    "clear",      "new",        "nil",        "panic",      "print",        "println",    "real",         "recover",   "rune",
    "string",     "true",       "uint",       "uint16",     "uint32",       "uint64",     "uint8",        "uintptr",   "_",
    "atomic",     "debug",      "rand",       "context",    "errorNumber",  "os",         "runtime",      "strconv",   "strings",
    "sync",       "syscall",    "time",       "unsafe",     "b2i",          "compute",    "computeTight", "goid",      "mapOutput",
    "newGoid",    "lastGoid",   "openOutput", "output",     "outputEnd",    "outputSize", "nanotime",     "newPair",   "number",
    "part",       "printLine",  "readBytes",  "runAgain",   "runtimeTimer", "sendAfter",  "sendTime",     "settings",  "showOutput",
    "startTimer", "systemCall", "text",       "writeBytes", "zero",         "received",   "open",         "begin",
};

static bool is_taken(const struct gosrc *s, const char *go)
{
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (!strcmp(reserved[i], go))
            return true;
    if (names_find(&s->taken, go) >= 0)
        return true;
    for (unsigned i = 0; i < s->nvars; i++)
        if (s->var[i].go && !strcmp(s->var[i].go, go))
            return true;
    return false;
}

/* "big-worker" is bigWorker, "2nd" is g2nd. */
static char *camel(struct gosrc *s, const char *name)
{
    char *go = arena_printf(&s->a, "%s%s", isdigit((unsigned char)*name) ? "g" : "", name), *to = go;
    bool up = false;
    if (!go)
        return NULL;
    for (const char *p = go; *p; p++) {
        if (*p == '-' || *p == '_') {
            up = to > go;
            continue;
        }
        *to++ = up ? (char)toupper((unsigned char)*p) : *p;
        up = false;
    }
    if (isdigit((unsigned char)*go) || to == go) /* from "-2" or "--" */
        return arena_printf(&s->a, "g%.*s", (int)(to - go), go);
    *to = '\0';
    return go;
}

/* Returns a free name like this one: with the word for its kind appended, then with numbers. */
static const char *free_name(struct gosrc *s, const char *name, const char *kind)
{
    const char *base = camel(s, name), *go = base;
    for (unsigned n = 1; go && is_taken(s, go); n++)
        go = n == 1 ? arena_printf(&s->a, "%s%s", base, kind) : arena_printf(&s->a, "%s%s%u", base, kind, n);
    s->oom |= !go;
    return go ? go : "oom";
}

void go_names(struct gosrc *s)
{
    static const char *const word[NS_COUNT] = {"Func", "Chan", "Mutex", "RWMutex", "Group", "Cond", "Once", "Context", "Conn", "Shared"};
    unsigned all = 0;
    for (int k = 0; k < NS_COUNT; k++)
        all += s->sc->names[k].n * (k == NS_CONTEXTS ? 2 : 1);
    s->oom |= !names_init(&s->taken, &s->a, all);
    for (int k = 0; k < NS_COUNT && !s->oom; k++) {
        const struct names *l = &s->sc->names[k];
        s->global[k] = arena_alloc(&s->a, (l->n + 1) * sizeof *s->global[k]);
        for (unsigned i = 0; s->global[k] && !s->oom && i < l->n; i++) {
            s->global[k][i] = free_name(s, l->v[i], word[k]);
            names_add(&s->taken, s->global[k][i]);
        }
        s->oom |= !s->global[k];
    }
    const struct names *contexts = &s->sc->names[NS_CONTEXTS];
    s->cancel = arena_alloc(&s->a, (contexts->n + 1) * sizeof *s->cancel);
    for (unsigned i = 0; s->cancel && !s->oom && i < contexts->n; i++) {
        const char *name = arena_printf(&s->a, "cancel-%s", contexts->v[i]);
        s->oom |= !name;
        s->cancel[i] = name ? free_name(s, name, "Func") : "";
        names_add(&s->taken, s->cancel[i]);
    }
    s->oom |= !s->cancel;
}

const char *go_global(const struct gosrc *s, int names, const char *name)
{
    int i = s->global[names] ? names_find(&s->sc->names[names], name) : -1;
    return i < 0 ? "unknown" : s->global[names][i];
}

bool go_declares(const struct gosrc *s, int names, const char *name)
{
    return names_find(&s->sc->names[names], name) >= 0;
}

bool go_carries_channels(struct gosrc *s, const char *channel)
{
    char name[80];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(channel, "["), channel);
    struct go_var *v = go_find_var(s, channel, strlen(channel));
    int i = v && v->channel ? -1 : names_find(&s->sc->names[NS_CHANNELS], name);
    return i >= 0 && s->sc->y->channels[i].of;
}

int go_program(const struct gosrc *s, const char *name)
{
    return names_find(&s->sc->names[NS_PROGRAMS], name);
}

bool go_has_shared(const struct gosrc *s, const char *name, size_t len)
{
    const struct yscenario *y = s->sc->y;
    for (unsigned i = 0; i < y->shared_count; i++)
        if (strlen(y->shared[i]) == len && !memcmp(y->shared[i], name, len))
            return true;
    return false;
}

/* ---- variables ---- */

struct go_var *go_find_var(struct gosrc *s, const char *name, size_t len)
{
    for (unsigned i = 0; i < s->nvars; i++)
        if (strlen(s->var[i].name) == len && !memcmp(s->var[i].name, name, len))
            return &s->var[i];
    return NULL;
}

static struct go_var *add_var(struct gosrc *s, const char *name)
{
    struct go_var *v = go_find_var(s, name, strlen(name));
    if (v || s->nvars == MAX_VARIABLES)
        return v;
    s->var[s->nvars] = (struct go_var){.name = name};
    s->var[s->nvars].go = free_name(s, name, "Var");
    return &s->var[s->nvars++];
}

static void collect_set(struct gosrc *s, const char *name)
{
    if (!name || go_has_shared(s, name, strlen(name)))
        return;
    struct go_var *v = add_var(s, name);
    if (v)
        v->writes++;
}

static void collect(struct gosrc *s, const struct yop *y, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        collect_set(s, yop_as(&y[i]));
        collect_set(s, y[i].set);
        collect_set(s, y[i].ok);
        collect_set(s, y[i].now);
        collect_set(s, y[i].rand);
        struct yops in;
        for (unsigned k = 0; yop_inside(&y[i], NULL, k, &in); k++)
            collect(s, in.v, in.n);
    }
}

static bool is_channel(struct gosrc *s, const char *text)
{
    char name[80];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "["), text);
    struct go_var *v = go_find_var(s, text, strlen(text));
    if (v)
        return v->channel;
    return !strcmp(text, "nil") || (!go_has_shared(s, name, strlen(name)) && go_declares(s, NS_CHANNELS, name));
}

/* As find_channels() of values.c, which has found the mistakes. */
static bool find_channels(struct gosrc *s, const struct yop *y, unsigned n)
{
    bool more = false;
    struct yops in;
    for (unsigned i = 0; i < n; i++) {
        const char *from = y[i].recv ? y[i].recv : y[i].range;
        const char *name = y[i].set && y[i].to && is_channel(s, y[i].to) ? y[i].set : from && go_carries_channels(s, from) ? y[i].as : NULL;
        struct go_var *v = name ? go_find_var(s, name, strlen(name)) : NULL;
        if (v && v != s->var && !v->channel)
            more = v->channel = true;
        for (unsigned k = 0; yop_inside(&y[i], NULL, k, &in); k++)
            more |= find_channels(s, in.v, in.n);
    }
    return more;
}

void go_function_names(struct gosrc *s, const struct ygoroutine *y)
{
    s->nvars = 0;
    struct go_var *v = add_var(s, "i");
    v->param = true;
    for (unsigned i = 0; i < y->params_count; i++)
        if ((v = add_var(s, y->params[i].name))) {
            v->param = true;
            v->channel = y->params[i].type;
        }
    collect(s, y->do_, y->do__count);
    while (find_channels(s, y->do_, y->do__count))
        ;
    s->counter = free_name(s, "n", "th");
    s->end = free_name(s, "end", "Of");
}
