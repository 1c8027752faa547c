/* See tally.h. */
#include "cli/tally.h"
#include "base/prng.h"
#include "cli/search_text.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

uint32_t exploration_stalls(uint32_t most, uint64_t seed)
{
    uint64_t x = seed, r = prng_splitmix(&x);
    return most && r % 3 ? 1 + (uint32_t)((r >> 32) % most) : 0;
}

static int compare(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

/* Returns the place of the value: where it is, or where it belongs. */
static size_t find(const struct tally *t, const char *value)
{
    size_t low = 0, high = t->row.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare(t->row.v[middle].value, value) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct tally_row *tally_add(struct tally *t, const char *value, uint64_t n, uint64_t seed)
{
    size_t at = find(t, value);
    if (at < t->row.n && !compare(t->row.v[at].value, value)) {
        struct tally_row *there = &t->row.v[at];
        there->n += n;
        if (seed < there->first) {
            there->first = seed;
            free(there->open);
            there->open = NULL;
        }
        return there;
    }
    struct tally_row row = {.value = value ? strdup(value) : NULL, .n = n, .first = seed};
    if ((value && !row.value) || !vec_push(&t->row, row)) {
        free(row.value);
        return NULL;
    }
    memmove(t->row.v + at + 1, t->row.v + at, (t->row.n - 1 - at) * sizeof row);
    t->row.v[at] = row;
    return &t->row.v[at];
}

static int by_times(const void *a, const void *b)
{
    const struct tally_row *x = a, *y = b;
    return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : compare(x->value, y->value);
}

void tally_sort(struct tally *t)
{
    if (t->row.n)
        qsort(t->row.v, t->row.n, sizeof *t->row.v, by_times);
}

void tally_print(const struct tally *t, const char *query, uint32_t most, enum lang lang, FILE *out)
{
    visible_line(out, "%s:", query);
    for (size_t i = 0; i < t->row.n; i++) {
        const struct tally_row *r = &t->row.v[i];
        char stalls[32] = "";
        if (exploration_stalls(most, r->first))
            snprintf(stalls, sizeof stalls, " --stalls %u", exploration_stalls(most, r->first));
        visible_line(out, search_format(ST_FIRST_WITH, "%" PRIu64 "%s%" PRIu64 "%s", lang), r->n,
                     r->value ? r->value : search_text(ST_NO_VALUE, lang), r->first, stalls);
    }
}

void tally_json(const struct tally *t, FILE *out)
{
    for (size_t i = 0; i < t->row.n; i++) {
        const struct tally_row *r = &t->row.v[i];
        fputs(i ? ",{\"value\":" : "{\"value\":", out);
        if (r->value)
            json_string(r->value, out);
        else
            fputs("null", out);
        fprintf(out, ",\"times\":%" PRIu64 ",\"first_seed\":%" PRIu64, r->n, r->first);
        if (r->open) {
            fputs(",\"open\":", out);
            json_string(r->open, out);
        }
        fputc('}', out);
    }
}

void tally_fini(struct tally *t)
{
    for (size_t i = 0; i < t->row.n; i++) {
        free(t->row.v[i].value);
        free(t->row.v[i].open);
    }
    vec_free(&t->row);
}
