/* See go_file.h. */
#include "trace/go/go_file.h"
#include "base/wall.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WINDOW = 1 << 18,
    BATCH_HEAD = 2 + 4 * 10, /* the most bytes before the events of a batch */
    STRING_MOST = 1024,
    FRAMES_MOST = 128,
    TABLE_MOST = 1 << 27, /* bytes of the strings, and number of stacks, of a generation */
};
#define FREQ_MOST UINT64_C(18000000000) /* so that a second in its units times 10^9 is a 64-bit number */

const int8_t go_args[GO_KINDS] = {
#define GO(name, args) [GO_##name] = args,
#include "trace/go/go_events.def"
};
const int8_t go_experiment_args[] = {3, 3, 1, 3, 2, 1, 3, 2, 1}; /* spans, objects, stacks: each, allocated, freed */

bool go_file_damaged(struct go_file *f, const char *fmt, ...)
{
    va_list ap;
    if (f->state == GO_DAMAGED)
        return false;
    f->state = GO_DAMAGED;
    va_start(ap, fmt);
    vsnprintf(f->wrong, sizeof f->wrong, fmt, ap);
    va_end(ap);
    return false;
}

static bool lacks(struct go_file *f)
{
    f->lacks = true;
    return false;
}

bool go_number(const uint8_t **at, const uint8_t *end, uint64_t *out)
{
    uint64_t v = 0;
    for (int shift = 0; *at < end && shift < 64; shift += 7) {
        uint8_t byte = *(*at)++;
        if (shift == 63 && byte > 1)
            return false;
        v |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            *out = v;
            return true;
        }
    }
    return false;
}

/* ---- bytes ---- */

bool go_file_read(const struct go_file *f, uint8_t *out, size_t n, uint64_t at)
{
    while (n) {
        ssize_t got = pread(f->fd, out, n, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        out += got;
        at += (uint64_t)got;
        n -= (size_t)got;
    }
    return true;
}

/* Returns the bytes at a place, *n of them: as many as asked for, unless the file ends before. NULL: it cannot be read. */
static const uint8_t *bytes_at(struct go_file *f, uint64_t at, size_t *n)
{
    *n = at >= f->size ? 0 : f->size - at < *n ? (size_t)(f->size - at) : *n;
    if (at < f->from || at + *n > f->from + f->nbytes) {
        uint64_t more = f->size - at < WINDOW ? f->size - at : WINDOW;
        f->from = at;
        f->nbytes = 0;
        if (*n && !go_file_read(f, f->window, (size_t)more, at))
            return NULL;
        f->nbytes = *n ? more : 0;
    }
    return f->window + (at - f->from);
}

bool go_file_batch(struct go_file *f, const struct go_batch *b, uint8_t *out)
{
    return go_file_read(f, out, b->size, b->at) ||
           go_file_damaged(f, "it cannot be read: %s", errno ? strerror(errno) : "it became shorter");
}

/* ---- tables ---- */

bool go_file_add_string(struct go_file *f, uint64_t id, const uint8_t *bytes, size_t len)
{
    if (id_find(&f->strings, id) || f->text.n + len > TABLE_MOST)
        return go_file_damaged(f, "string %llu is there twice, or there are too many", (unsigned long long)id);
    if (!id_put(&f->strings, id, (uint32_t)f->text.n))
        return lacks(f);
    for (size_t i = 0; i <= len; i++)
        if (!vec_push(&f->text, i < len ? (char)bytes[i] : 0))
            return lacks(f);
    return true;
}

static bool add_string(struct go_file *f, const uint8_t **at, const uint8_t *end)
{
    uint64_t id, len;
    if (!go_number(at, end, &id) || !go_number(at, end, &len) || len > STRING_MOST || len > (uint64_t)(end - *at))
        return go_file_damaged(f, "a string is not whole");
    *at += len;
    return go_file_add_string(f, id, *at - len, (size_t)len);
}

bool go_file_add_stack(struct go_file *f, const uint8_t **at, const uint8_t *end, uint64_t frames_most)
{
    uint64_t id, n, fn[GO_FRAMES] = {0};
    if (!go_number(at, end, &id) || !go_number(at, end, &n) || n > frames_most)
        return go_file_damaged(f, "a stack is not whole");
    for (uint64_t i = 0; i < n * 4; i++) { /* pc, function, file, line */
        uint64_t v;
        if (!go_number(at, end, &v))
            return go_file_damaged(f, "a stack is not whole");
        if (i % 4 == 1 && i / 4 < GO_FRAMES - 1)
            fn[i / 4] = v;
        if (i % 4 == 1 && n < FRAMES_MOST)
            fn[GO_FRAMES - 1] = v;
    }
    if (id_find(&f->stacks, id) || f->frame.n >= TABLE_MOST / 8)
        return go_file_damaged(f, "stack %llu is there twice, or there are too many", (unsigned long long)id);
    if (!id_put(&f->stacks, id, (uint32_t)f->frame.n))
        return lacks(f);
    for (int i = 0; i < GO_FRAMES; i++)
        if (!vec_push(&f->frame, fn[i]))
            return lacks(f);
    return true;
}

/* Skips the numbers of a CPU sample. */
static bool skip_sample(struct go_file *f, const uint8_t **at, const uint8_t *end)
{
    uint64_t v;
    for (int i = 0; i < 5; i++)
        if (!go_number(at, end, &v))
            return go_file_damaged(f, "a CPU sample is not whole");
    return true;
}

bool go_file_add_clock(struct go_file *f, uint64_t freq)
{
    if (f->freq || freq == 0 || freq > FREQ_MOST)
        return go_file_damaged(f, "it has two frequencies, or an impossible one");
    f->freq = freq;
    return true;
}

static bool add_sync(struct go_file *f, const uint8_t **at, const uint8_t *end, uint8_t kind)
{
    uint64_t v;
    for (int i = 0; i < (kind == GO_CLOCK_SNAPSHOT ? 4 : 1); i++)
        if (!go_number(at, end, &v))
            return go_file_damaged(f, "a clock is not whole");
    if (kind == GO_CLOCK_SNAPSHOT)
        return true;
    return go_file_add_clock(f, v);
}

/* Reads a table. Its first byte, `table`, says what it has. */
static bool add_table(struct go_file *f, const uint8_t *at, const uint8_t *end, uint8_t table)
{
    if (table != GO_FREQUENCY)
        at++;
    while (at < end && !f->lacks) {
        uint8_t kind = *at++;
        bool clock = kind == GO_FREQUENCY || kind == GO_CLOCK_SNAPSHOT;
        bool good = table == GO_STRINGS && kind == GO_STRING           ? add_string(f, &at, end)
                    : table == GO_STACKS && kind == GO_STACK           ? go_file_add_stack(f, &at, end, FRAMES_MOST)
                    : table == GO_CPU_SAMPLES && kind == GO_CPU_SAMPLE ? skip_sample(f, &at, end)
                    : table == GO_SYNC || table == GO_FREQUENCY
                        ? clock && add_sync(f, &at, end, kind)
                        : false;
        if (!good)
            return go_file_damaged(f, "a table has an event %u", kind);
    }
    return !f->lacks;
}

const char *go_file_string(const struct go_file *f, uint64_t id)
{
    const uint32_t *at = id_find(&f->strings, id);
    return at ? f->text.v + *at : "";
}

const char *go_file_root(const struct go_file *f, uint64_t stack)
{
    const uint32_t *at = id_find(&f->stacks, stack);
    return at ? go_file_string(f, f->frame.v[*at + GO_FRAMES - 1]) : "";
}

const char *go_file_top(const struct go_file *f, uint64_t stack, int i)
{
    const uint32_t *at = id_find(&f->stacks, stack);
    return at ? go_file_string(f, f->frame.v[*at + (uint32_t)i]) : "";
}

/* ---- batches ---- */

struct head {
    bool end, experiment;
    uint64_t generation;
    struct go_batch batch;
};

enum more { MORE, AT_END, NO_MORE, LATER };

static enum more ends_here(struct go_file *f)
{
    if (f->grows)
        return LATER;
    f->state = GO_CUT;
    return NO_MORE;
}

/* Reads the head of the batch at f->at. NO_MORE: it is not whole, or damaged. LATER: it has not come yet. */
static enum more read_head(struct go_file *f, struct head *h)
{
    size_t n = BATCH_HEAD;
    const uint8_t *at = bytes_at(f, f->at, &n), *begin = at, *end = at ? at + n : at;
    uint64_t size = 0;
    *h = (struct head){.end = false};
    if (at == end)
        return f->grows ? LATER : AT_END;
    uint8_t kind = *at++;
    h->end = kind == GO_END_OF_GENERATION;
    h->experiment = kind == GO_EXPERIMENTAL_BATCH;
    if (!h->end && !h->experiment && kind != GO_EVENT_BATCH)
        return go_file_damaged(f, "where a batch should begin is a byte %u", kind), NO_MORE;
    at += h->experiment && at < end;
    bool whole = h->end || (go_number(&at, end, &h->generation) && go_number(&at, end, &h->batch.m) &&
                            go_number(&at, end, &h->batch.time) && go_number(&at, end, &size));
    if (!whole && n == BATCH_HEAD)
        return go_file_damaged(f, "the head of a batch is no batch's"), NO_MORE;
    if (!whole)
        return ends_here(f);
    if (!h->end && (h->generation == 0 || size > GO_BATCH_MOST))
        return go_file_damaged(f, "a batch has generation %llu and %llu bytes", (unsigned long long)h->generation,
                               (unsigned long long)size),
               NO_MORE;
    h->batch.at = f->at + (uint64_t)(at - begin);
    h->batch.size = (uint32_t)size;
    return f->size - h->batch.at < size ? ends_here(f) : MORE;
}

static bool is_table(const struct go_file *f, uint8_t first)
{
    return first == GO_STRINGS || first == GO_STACKS || first == GO_CPU_SAMPLES ||
           (f->minor < 25 ? first == GO_FREQUENCY : first == GO_SYNC);
}

static bool add_batch(struct go_file *f, const struct head *h)
{
    size_t n = h->batch.size;
    if (h->experiment || !n)
        return true;
    size_t one = 1;
    const uint8_t *at = bytes_at(f, h->batch.at, &one);
    uint8_t first = at ? *at : 0;
    if (at && is_table(f, first)) {
        at = bytes_at(f, h->batch.at, &n);
        return at ? add_table(f, at, at + n, first) : go_file_damaged(f, "it cannot be read: %s", strerror(errno));
    }
    return (at && vec_push(&f->batches, h->batch)) || lacks(f);
}

static int by_thread(const void *a, const void *b)
{
    const struct go_batch *x = a, *y = b;
    if (x->m != y->m)
        return x->m < y->m ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void clear_generation(struct go_file *f)
{
    f->generation = 0;
    f->incomplete = f->begun = false;
    f->batches.n = f->text.n = f->frame.n = 0;
    id_clear(&f->strings);
    id_clear(&f->stacks);
}

/* Sees how much there is. */
static void look(struct go_file *f)
{
    bool over = true;
    if (f->feed)
        f->size = feed_size(f->feed, &over);
    f->grows = !over;
}

/* Reads the batches of the generation as far as they are there. Returns how it ended: MORE: it is whole. */
static enum more read_batches(struct go_file *f)
{
    struct head h;
    enum more more;
    while ((more = read_head(f, &h)) == MORE) {
        if (f->generation && !h.end && h.generation != f->generation)
            break;
        f->at = h.batch.at + h.batch.size;
        if (h.end)
            break;
        f->generation = h.generation;
        f->came = f->feed ? wall_ns() : 0;
        if (!add_batch(f, &h))
            return NO_MORE;
    }
    return more;
}

bool go_file_generation(struct go_file *f)
{
    f->waits = false;
    if (f->state != GO_WHOLE || f->lacks)
        return false;
    if (!f->begun) {
        f->freq_before = f->freq;
        clear_generation(f);
        f->freq = 0;
        f->begun = true;
    }
    look(f);
    enum more more = read_batches(f);
    f->waits = more == LATER;
    if (f->waits)
        return false;
    f->begun = false;
    f->whole = f->came;
    if (!f->generation || f->lacks)
        return false;
    /* Since 1.26 a generation has an end. Without it, and where bytes are missing, tables may be missing, too. */
    f->incomplete = more == NO_MORE || (more == AT_END && f->minor >= 26);
    if (f->incomplete && f->state == GO_WHOLE)
        f->state = GO_CUT;
    if (!f->freq && f->incomplete)
        f->freq = f->freq_before;
    if (!f->freq)
        return f->incomplete ? false : go_file_damaged(f, "a generation has no frequency");
    if (f->batches.n)
        qsort(f->batches.v, f->batches.n, sizeof *f->batches.v, by_thread);
    return true;
}

/* ---- life ---- */

void go_file_rewind(struct go_file *f)
{
    f->state = GO_WHOLE;
    f->waits = false;
    f->wrong[0] = '\0';
    if (f->old) /* its index stays */
        return;
    f->at = GO_HEADER;
    f->freq = 0;
    clear_generation(f);
}

void go_file_free(struct go_file *f)
{
    if (!f)
        return;
    close(f->fd);
    free(f->window);
    vec_free(&f->batches);
    vec_free(&f->text);
    vec_free(&f->frame);
    id_fini(&f->strings);
    id_fini(&f->stacks);
    if (f->old) {
        vec_free(&f->old->places);
        vec_free(&f->old->exits);
        free(f->old->first_m);
        free(f->old);
    }
    free(f);
}

static bool open_header(struct go_file *f, char wrong[GO_TEXT], bool *foreign)
{
    struct stat st;
    char head[GO_HEADER + 1] = "";
    int end = 0;
    if (fstat(f->fd, &st) != 0)
        return snprintf(wrong, GO_TEXT, "%s", strerror(errno)), false;
    f->size = (uint64_t)st.st_size;
    look(f);
    *foreign = f->size < GO_HEADER || !go_file_read(f, (uint8_t *)head, GO_HEADER, 0) ||
               sscanf(head, "go 1.%2d trace%n", &f->minor, &end) != 1 || end != 13 || head[13] || head[14] || head[15];
    if (*foreign)
        return snprintf(wrong, GO_TEXT, "it is no execution trace of Go"), false;
    bool old = f->minor == 11 || f->minor == 19 || f->minor == 21; /* the versions that Go 1.11 to 1.21 write */
    if (!old && (f->minor < GO_SECOND || f->minor > 27))
        return snprintf(wrong, GO_TEXT, "it is a trace of Go 1.%d; traces of Go 1.11 to 1.27 can be read", f->minor), false;
    return true;
}

struct go_file *go_file_open(int fd, struct feed *feed, char wrong[GO_TEXT], bool *foreign)
{
    struct go_file *f = calloc(1, sizeof *f);
    *foreign = false;
    if (f) {
        f->fd = fd;
        f->feed = feed;
    } else {
        close(fd);
    }
    if (f && (f->window = malloc(WINDOW)) && open_header(f, wrong, foreign)) {
        go_file_rewind(f);
        return f;
    }
    if (!f || !f->window)
        snprintf(wrong, GO_TEXT, "%s", strerror(ENOMEM));
    go_file_free(f);
    return NULL;
}
