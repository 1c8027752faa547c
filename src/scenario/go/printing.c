/* What all writers use: lines, texts that are made, names, durations; and the texts that a program prints or panics with. */
#include "base/text.h"
#include "scenario/go/gosource.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void go_indent(struct gosrc *s, int depth)
{
    for (int i = 0; i < depth; i++)
        fputc('\t', s->out);
}

void go_line(struct gosrc *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    go_indent(s, s->indent);
    vfprintf(s->out, fmt, ap);
    fputc('\n', s->out);
    va_end(ap);
}

void go_refuse(struct gosrc *s, const struct ynode *at, const char *fmt, ...)
{
    va_list ap;
    char *text = NULL;
    va_start(ap, fmt);
    if (s->learning && s->d && vasprintf(&text, fmt, ap) >= 0)
        diag_add(s->d, at ? at->line : 0, at ? at->col : 0, "%s", text);
    va_end(ap);
    free(text);
}

const char *go_text(struct gosrc *s, char *made)
{
    s->oom |= !made;
    return made ? made : "";
}

/* Returns the variable that `as` or `set` names, if something reads it. */
const char *go_assigned(struct gosrc *s, const char *name)
{
    struct go_var *v = name ? go_find_var(s, name, strlen(name)) : NULL;
    if (!name)
        return NULL;
    if (!v)
        return go_global(s, NS_SHARED, name);
    return s->learning || v->reads ? v->go : NULL;
}

/* Returns the index as Go, "" of a name alone. */
static const char *index_of(struct gosrc *s, const char *text)
{
    const char *bracket = strchr(text, '[');
    return bracket ? PRINTED(s, "[%s]", go_int(s, PRINTED(s, "%.*s", (int)strlen(bracket) - 2, bracket + 1), 2)) : "";
}

const char *go_object(struct gosrc *s, int kind, const char *text)
{
    const char *name = PRINTED(s, "%.*s", (int)strcspn(text, "["), text);
    return PRINTED(s, "%s%s", go_global(s, kind, name), index_of(s, text));
}

const char *go_cancel(struct gosrc *s, const char *context)
{
    int i = names_find(&s->sc->names[NS_CONTEXTS], PRINTED(s, "%.*s", (int)strcspn(context, "["), context));
    return PRINTED(s, "%s%s", i < 0 ? "unknown" : s->cancel[i], index_of(s, context));
}

bool go_is_context(struct gosrc *s, const char *text)
{
    const char *name = PRINTED(s, "%.*s", (int)strcspn(text, "["), text);
    const struct go_var *v = go_find_var(s, text, strlen(text));
    return !(v && v->channel) && !go_declares(s, NS_CHANNELS, name) && go_declares(s, NS_CONTEXTS, name);
}

/* The same of a channel, a variable that holds one, or nil. */
const char *go_channel(struct gosrc *s, const char *text)
{
    struct go_var *v = go_find_var(s, text, strlen(text));
    if (!v || !v->channel)
        return strcmp(text, "nil") || go_declares(s, NS_CHANNELS, text) ? go_object(s, NS_CHANNELS, text) : text;
    v->reads++;
    return v->go;
}

/* Writes a call that returns a bool, and its result as an integer. */
bool go_asked(struct gosrc *s, const struct yop *y, const char *call)
{
    const char *var = go_assigned(s, y->as);
    if (var) {
        s->parts |= GO_B2I;
        go_line(s, "%s = b2i(%s)", var, call);
    } else {
        go_line(s, "%s", call);
    }
    return false;
}

/* Writes 1500us as 1500 * time.Microsecond; without the blanks as one argument of several. */
const char *go_duration(struct gosrc *s, const char *text, const char *blank)
{
    static const struct {
        int64_t ns;
        const char *name;
    } units[] = {
        {1000000000, "Second"},
        {1000000, "Millisecond"},
        {1000, "Microsecond"},
        {1, "Nanosecond"},
    };
    int64_t ns = 0;
    size_t u = 0;
    duration_parse(text, strlen(text), &ns);
    s->parts |= GO_TIME;
    while (ns % units[u].ns)
        u++;
    return ns == 0 ? "0" : PRINTED(s, "%lld%s*%stime.%s", (long long)(ns / units[u].ns), blank, blank, units[u].name);
}

/* Writes text in quotes, so that Go reads it back as the same bytes. */
static void write_quoted(FILE *f, const char *text, size_t len)
{
    fputc('"', f);
    for (size_t i = 0, n; i < len; i += n) {
        uint32_t cp = utf8_next(text + i, len - i, &n);
        bool hidden = cp_unsafe(cp) || (cp == 0xfffd && n == 1); /* Go also refuses a byte order mark in its source */
        if (cp == '"' || cp == '\\')
            fputc('\\', f);
        for (size_t k = 0; k < n; k++)
            if (hidden)
                fprintf(f, "\\x%02x", (unsigned char)text[i + k]);
            else
                fputc(text[i + k], f);
    }
    fputc('"', f);
}

bool write_panic(struct gosrc *s, const struct yop *y)
{
    go_indent(s, s->indent);
    fputs("panic(", s->out);
    write_quoted(s->out, y->panic, strlen(y->panic));
    fputs(")\n", s->out);
    return true;
}

/* Returns the length of the text up to a brace that begins a value. Copies it to `to`, with doubled braces made
 * single; a single closing brace stands for itself. */
static size_t text_piece(const char *p, char *to)
{
    size_t n = 0, i = 0;
    while (p[i] && (p[i] != '{' || p[i + 1] == '{')) {
        to[n++] = p[i];
        i += (p[i] == '{' || p[i] == '}') && p[i + 1] == p[i] ? 2 : 1;
    }
    to[n] = '\0';
    return i;
}

bool write_print(struct gosrc *s, const struct yop *y)
{
    const char *p = y->print, *end, *comma = "", *value;
    char *text = arena_alloc(&s->a, strlen(p) + 1);
    bool one_value = *p == '{' && p[1] != '{' && (end = strchr(p, '}')) && !end[1];
    s->oom |= !text;
    s->parts |= GO_PRINT;
    go_indent(s, s->indent);
    fputs("printLine(", s->out);
    while (text && *p) {
        p += text_piece(p, text);
        if (*text) {
            fprintf(s->out, "%stext(", comma);
            write_quoted(s->out, text, strlen(text));
            fputc(')', s->out);
            comma = ", ";
        }
        if (*p && (end = strchr(p, '}'))) {
            value = arena_strndup(&s->a, p + 1, (size_t)(end - p) - 1);
            s->oom |= !value;
            fprintf(s->out, "%snumber(%s)", comma, go_int(s, value ? value : "", one_value ? 1 : 2));
            comma = ", ";
            p = end + 1;
        }
    }
    fputs(")\n", s->out);
    return false;
}
