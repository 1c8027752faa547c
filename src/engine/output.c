/* See output.h. */
#include "engine/output.h"
#include "base/text.h"
#include <errno.h>
#include <unistd.h>

static void write_bytes(struct engine *e, const char *s, size_t n)
{
    if (n && fwrite(s, 1, n, e->cfg.stream) != n && !e->write_error)
        e->write_error = errno ? errno : EIO;
}

static void write_visible(struct engine *e, const char *s, size_t len)
{
    char out[VISIBLE_BYTES];
    for (size_t i = 0, n; i < len; i += n) {
        size_t bytes = visible_next(s, i, len, &n, out);
        write_bytes(e, out, bytes);
    }
}

/* Writes a line. n: its length, which may exceed the buffer. */
static void write_line(struct engine *e, const char *line, int n)
{
    write_bytes(e, line, n < OUTPUT_LINE ? (size_t)n : OUTPUT_LINE - 1);
    write_bytes(e, "\n", 1);
}

void output_event(struct engine *e, enum engine_out out, const struct merged_event *at)
{
    int n = 0;
    switch (out) {
    case OUT_NONE:
        return;
    case OUT_PROGRAM:
        if (at->e->kind != EV_PRINT)
            return;
        (e->cfg.visible ? write_visible : write_bytes)(e, at->text, at->len);
        if (!(at->e->b & PRINT_PART))
            write_bytes(e, "\n", 1);
        return;
    case OUT_EVENTS:
        n = event_line(e->model, at->m, at->e, at->text, at->len, e->line, OUTPUT_LINE);
        break;
    case OUT_SENTENCES:
        n = event_sentence(e->model, at->m, at->e, at->text, at->len, e->cfg.lang, e->line, OUTPUT_LINE);
        break;
    }
    write_line(e, e->line, n);
}

/* Go's stdout is not buffered: in a file that has both, all is in order. A program whose stderr is closed continues. */
static void write_stderr(struct engine *e, const struct merged_event *at)
{
    engine_flush(e);
    if (isatty(fileno(e->cfg.err)))
        visible_write(e->cfg.err, at->text, at->len);
    else if (at->len)
        fwrite(at->text, 1, at->len, e->cfg.err);
    if (!(at->e->b & PRINT_PART))
        fputc('\n', e->cfg.err);
}

static bool write_event(void *ctx, const struct merged_event *at)
{
    struct engine *e = ctx;
    bool to_stderr = at->e->kind == EV_PRINT && at->e->b & PRINT_STDERR;
    if (to_stderr && e->cfg.err)
        write_stderr(e, at);
    if (!to_stderr || e->cfg.out != OUT_PROGRAM)
        output_event(e, e->cfg.out, at);
    return true;
}

struct reader output_reader(struct engine *e)
{
    static const bool prints[EV_KINDS] = {[EV_PRINT] = true};
    if (e->cfg.out == OUT_PROGRAM || e->cfg.out == OUT_NONE)
        return (struct reader){.ctx = e, .kinds = prints, .event = write_event};
    return (struct reader){.ctx = e, .needs = READS_DETAILS | READS_EACH | READS_STATES, .event = write_event};
}

void engine_flush(struct engine *e)
{
    if (e->cfg.stream && e->cfg.out != OUT_NONE && fflush(e->cfg.stream) && !e->write_error)
        e->write_error = errno ? errno : EIO;
}

void output_instant(struct engine *e, const char *pattern, int64_t at)
{
    int n;
    if (e->cfg.out == OUT_NONE)
        return;
    if (e->cfg.out == OUT_SENTENCES)
        n = moment_sentence(at, pattern, e->cfg.lang, e->line, OUTPUT_LINE);
    else
        n = moment_line(at, pattern, e->line, OUTPUT_LINE);
    write_line(e, e->line, n);
}
