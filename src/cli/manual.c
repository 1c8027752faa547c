/* See manual.h: the two forms of a page. */
#include "cli/manual.h"
#include "base/text.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 78, INDENT = 2, ITEM_INDENT = 6, NARROW_INDENT = 16 };

/* mdoc gives a meaning to a backslash, to a dot or a quote that begins a line, and to a hyphen. */
static void put_mdoc(FILE *out, const char *s, size_t n, bool begins_line)
{
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '\\')
            fputs("\\e", out);
        else if (begins_line && i == 0 && (s[i] == '.' || s[i] == '\''))
            fprintf(out, "\\&%c", s[i]);
        else if (s[i] == '-')
            fputs("\\-", out);
        else if (s[i] == '(' && s[i + 1] == ')')
            fputs("(\\&", out); /* schedule() is a name, not a macro */
        else
            fputc(s[i], out);
    }
}

static bool begins_sentence(const char *s)
{
    return isupper((unsigned char)*s) || *s == '`';
}

/* How many bytes n bytes of text take with their escapes. */
static size_t mdoc_bytes(const char *s, size_t n)
{
    size_t bytes = n;
    for (size_t i = 0; i < n; i++)
        bytes += s[i] == '`' ? 2 : s[i] == '-' || s[i] == '\\';
    return bytes;
}

/* Writes text for mdoc, which expects each sentence to begin a line. Lines are short, and code is bold. */
static void mdoc_text(FILE *out, const char *s)
{
    bool bold = false;
    size_t x = 0;
    while (*s) {
        size_t n = strcspn(s, " ");
        if (x && x + mdoc_bytes(s, n) > COLUMNS - 12) {
            fputc('\n', out);
            x = 0;
        }
        if (x)
            fputc(' ', out);
        for (size_t i = 0; i < n; i++) {
            if (s[i] == '`') {
                fputs(bold ? "\\fR" : "\\fB", out);
                bold = !bold;
            } else {
                put_mdoc(out, s + i, 1, x == 0 && i == 0);
            }
        }
        bool ends = n && strchr(".?", s[n - 1]) && !bold && begins_sentence(s + n + (s[n] == ' '));
        x += mdoc_bytes(s, n) + 1;
        s += n;
        s += strspn(s, " ");
        if (ends && *s) {
            fputc('\n', out);
            x = 0;
        }
    }
    fputc('\n', out);
}

/* Writes words between margins; x columns are already used. Backquotes stay, because they mark code. */
static void plain_text(FILE *out, const char *s, int indent, int x)
{
    while (*s) {
        size_t n = strcspn(s, " ");
        char word[400];
        snprintf(word, sizeof word, "%.*s", (int)n, s);
        int w = text_width(word);
        if (x && x + 1 + w > COLUMNS) {
            fputc('\n', out);
            x = 0;
        }
        x += fprintf(out, "%*s", x == 0 ? indent : x < indent ? indent - x : 1, "") + w;
        fputs(word, out);
        s += n;
        s += strspn(s, " ");
    }
    fputc('\n', out);
}

static void end_list(struct manual *m)
{
    if (m->in_list && m->form == MANUAL_MDOC)
        fputs(".El\n", m->out);
    m->in_list = false;
}

void manual_begin(struct manual *m, const char *name, int section, const char *what)
{
    if (m->form == MANUAL_TEXT)
        fprintf(m->out, "%s: %s\n", name, what);
    if (m->form != MANUAL_MDOC)
        return;
    fprintf(m->out, ".Dd %s\n.Dt ", GMPSCOPE_DATE);
    for (const char *s = name; *s; s++)
        fputc(toupper((unsigned char)*s), m->out);
    fprintf(m->out, " %d\n.Os\n.Sh NAME\n.Nm %s\n.Nd %s\n", section, name, what);
}

void manual_section(struct manual *m, const char *title)
{
    end_list(m);
    static const char *const before[] = {[MANUAL_TEXT] = "\n", [MANUAL_MDOC] = ".Sh ", [MANUAL_MARKDOWN] = "\n### "};
    fprintf(m->out, "%s%s\n%s", before[m->form], title, m->form == MANUAL_MARKDOWN ? "\n" : "");
}

void manual_paragraph(struct manual *m)
{
    end_list(m);
    fputs(m->form == MANUAL_MDOC ? ".Pp\n" : "\n", m->out);
}

__attribute__((format(printf, 2, 0))) static char *text_of(struct manual *m, const char *fmt, va_list ap)
{
    char *text = NULL;
    if (vasprintf(&text, fmt, ap) >= 0)
        return text;
    m->lacks = true;
    return NULL;
}

void manual_text(struct manual *m, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = text_of(m, fmt, ap);
    va_end(ap);
    end_list(m);
    if (text && m->form == MANUAL_MDOC)
        mdoc_text(m->out, text);
    else if (text)
        plain_text(m->out, text, m->form == MANUAL_TEXT ? INDENT : 0, 0);
    free(text);
}

static void mdoc_item(struct manual *m, const char *term, const char *text)
{
    if (!m->in_list)
        fputs(".Bl -tag -width Ds\n", m->out);
    fputs(".It Sy \"\\&", m->out);
    for (const char *s = term; *s; s++)
        if (*s == '"')
            fputs("\\(dq", m->out);
        else
            put_mdoc(m->out, s, 1, false);
    fputs("\"\n", m->out);
    mdoc_text(m->out, text);
}

static void plain_item(struct manual *m, const char *term, const char *text)
{
    bool same = m->narrow && text_width(term) < NARROW_INDENT - INDENT - 1;
    int x = fprintf(m->out, "%*s", INDENT, "") + text_width(term);
    fprintf(m->out, "%s%s", term, same ? "" : "\n");
    plain_text(m->out, text, m->narrow ? NARROW_INDENT : ITEM_INDENT, same ? x : 0);
}

void manual_item(struct manual *m, const char *term, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = text_of(m, fmt, ap);
    va_end(ap);
    if (!text)
        return;
    if (m->form == MANUAL_MDOC)
        mdoc_item(m, term, text);
    else if (m->form == MANUAL_MARKDOWN)
        fprintf(m->out, "- `%s`: %s\n", term, text);
    else
        plain_item(m, term, text);
    m->in_list = true;
    free(text);
}

void manual_example(struct manual *m, const char *lines)
{
    static const struct {
        const char *begin, *end;
    } around[] = {
        [MANUAL_TEXT] = {"", ""}, [MANUAL_MDOC] = {".Bd -literal -offset indent\n", ".Ed\n"}, [MANUAL_MARKDOWN] = {"```yaml\n", "```\n"}};
    int indent = m->form == MANUAL_TEXT ? ITEM_INDENT + INDENT : m->form == MANUAL_MARKDOWN && m->in_list ? 2 : 0;
    const char *gap = m->form == MANUAL_TEXT && !m->in_list ? "\n" : "";
    fprintf(m->out, "%s%*s%s", gap, m->form == MANUAL_MARKDOWN ? indent : 0, "", around[m->form].begin);
    for (size_t n; *lines; lines += n + (lines[n] == '\n')) {
        n = strcspn(lines, "\n");
        fprintf(m->out, "%*s", indent, "");
        if (m->form == MANUAL_MDOC)
            put_mdoc(m->out, lines, n, true);
        else
            fprintf(m->out, "%.*s", (int)n, lines);
        fputc('\n', m->out);
    }
    fprintf(m->out, "%*s%s%s", m->form == MANUAL_MARKDOWN ? indent : 0, "", around[m->form].end, gap);
}

void manual_end(struct manual *m)
{
    end_list(m);
}
