/* See junit.h. */
#include "cli/junit.h"
#include "base/text.h"
#include "base/wall.h"
#include "cli/commands.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const element[JUNIT_RESULTS] = {NULL, "failure", "error", "skipped"};

/* Writes text as the value of an attribute, or as the content of an element (`lines`). XML has no form for control characters, so they are made visible. */
static void put_text(const char *s, bool lines, FILE *out)
{
    char shown[VISIBLE_BYTES];
    size_t len = strlen(s);
    for (size_t i = 0, n; i < len; i += n) {
        size_t bytes = visible_next(s, i, len, &n, shown);
        const char *name = *shown == '&' ? "&amp;" : *shown == '<' ? "&lt;" : *shown == '>' ? "&gt;" : *shown == '"' ? "&quot;" : NULL;
        uint32_t cp = utf8_next(s + i, len - i, &n);
        if (cp == 0xfffe || cp == 0xffff)
            fputs("\xef\xbf\xbd", out); /* XML has no such characters */
        else if (lines && s[i] == '\n')
            fputc('\n', out);
        else if (name)
            fputs(name, out);
        else
            fwrite(shown, 1, bytes, out);
    }
}

static void put_attribute(const char *name, const char *value, FILE *out)
{
    fprintf(out, " %s=\"", name);
    put_text(value, false, out);
    fputc('"', out);
}

static int cannot_write(const struct junit *j, int error)
{
    return usage_error("--junit: cannot write %s: %s", j->path, strerror(error));
}

bool junit_begin(struct junit *j, const char *path)
{
    *j = (struct junit){.path = path, .began = wall_ms()};
    FILE *f = path ? fopen(path, "a") : NULL;
    if (path && (!f || fclose(f)))
        return cannot_write(j, errno), false;
    j->cases = path ? text_open(&j->text, &j->size) : NULL;
    return !path || j->cases || (cannot_write(j, ENOMEM), false);
}

void junit_case(struct junit *j, const struct junit_case *c)
{
    if (!j->cases)
        return;
    j->n[c->result]++;
    fputs("    <testcase", j->cases);
    put_attribute("classname", c->suite, j->cases);
    put_attribute("name", c->name, j->cases);
    if (!element[c->result]) {
        fputs("/>\n", j->cases);
        return;
    }
    fprintf(j->cases, ">\n      <%s", element[c->result]);
    if (*c->type)
        put_attribute("type", c->type, j->cases);
    put_attribute("message", c->message, j->cases);
    fputc('>', j->cases);
    put_text(c->body, true, j->cases);
    fprintf(j->cases, "</%s>\n    </testcase>\n", element[c->result]);
}

/* The counts of a suite, or of all. */
static void put_counts(const struct junit *j, bool skipped, FILE *out)
{
    uint64_t all = 0;
    for (int i = 0; i < JUNIT_RESULTS; i++)
        all += j->n[i];
    fprintf(out, " name=\"gmpscope\" tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%" PRIu64 "\"", all, j->n[JUNIT_FAILED],
            j->n[JUNIT_ERROR]);
    if (skipped)
        fprintf(out, " skipped=\"%" PRIu64 "\"", j->n[JUNIT_SKIPPED]);
    fprintf(out, " time=\"%.3f\">\n", (double)(wall_ms() - j->began) / 1000);
}

int junit_end(struct junit *j, int code)
{
    if (!j->cases)
        return code;
    bool good = text_close(j->cases);
    FILE *out = good ? fopen(j->path, "w") : NULL;
    int error = good ? errno : ENOMEM;
    if (out) {
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
        put_counts(j, false, out);
        fputs("  <testsuite", out);
        put_counts(j, true, out);
        fputs(j->text, out);
        fputs("  </testsuite>\n</testsuites>\n", out);
        bool lost = ferror(out);
        error = fclose(out) ? errno : lost ? EIO : 0;
    }
    free(j->text);
    j->cases = NULL;
    if (!out || error)
        cannot_write(j, error);
    return (out && !error) || code == 4 ? code : 2;
}
