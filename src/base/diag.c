/* Diagnostics are kept sorted by place. If there are more than `max`, those with the earliest places are kept. The same mistake at the same
 * place is reported once, because a node that several YAML aliases reach is checked several times. */
#include "base/diag.h"
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void diag_init(struct diag *d, const char *file)
{
    *d = (struct diag){.file = file, .max = DIAG_MAX};
}

static void free_item(struct diag_item *it)
{
    free(it->file);
    free(it->text);
    free(it->right);
}

void diag_fini(struct diag *d)
{
    for (int i = 0; i < d->kept; i++)
        free_item(&d->item[i]);
    free(d->item);
    diag_init(d, d->file);
}

__attribute__((format(printf, 1, 0))) static char *format(const char *fmt, va_list ap)
{
    char *text = NULL;
    if (vasprintf(&text, fmt, ap) < 0)
        return NULL;
    return text;
}

/* < 0: the item belongs before this place. Those of other files come after those of d->file. */
static int compare_place(const struct diag_item *it, const char *file, unsigned line, unsigned col)
{
    int by_file = strcmp(it->file ? it->file : "", file ? file : "");
    if (by_file)
        return by_file;
    return it->line != line ? (it->line < line ? -1 : 1) : it->col != col ? (it->col < col ? -1 : 1) : 0;
}

/* Returns the index for a new item of this place: after those of the same place. */
static int find_place(const struct diag *d, const char *file, unsigned line, unsigned col)
{
    int at = d->kept;
    while (at > 0 && compare_place(&d->item[at - 1], file, line, col) > 0)
        at--;
    return at;
}

static bool said_before(const struct diag *d, const struct diag_item *new)
{
    for (int i = 0; i < d->kept; i++)
        if (compare_place(&d->item[i], new->file, new->line, new->col) == 0 && strcmp(d->item[i].text, new->text) == 0)
            return true;
    return false;
}

static bool make_room(struct diag *d)
{
    if (d->kept < d->room)
        return true;
    int room = d->room ? 4 * d->room : DIAG_MAX;
    struct diag_item *item = realloc(d->item, (size_t)room * sizeof *item);
    if (!item)
        return false;
    d->item = item;
    d->room = room;
    return true;
}

static void add(struct diag *d, const char *file, unsigned line, unsigned col, char *text)
{
    char *in = file ? strdup(file) : NULL;
    int at = find_place(d, file, line, col);
    const struct diag_item new = {.file = in, .line = line, .col = col, .text = text};
    bool lacks = !text || (file && !in), twice = !lacks && said_before(d, &new);
    d->count += !lacks && !twice;
    if (!lacks && !twice && at < d->max && !(lacks = !make_room(d))) {
        if (d->kept == d->max)
            free_item(&d->item[--d->kept]);
        memmove(&d->item[at + 1], &d->item[at], (size_t)(d->kept++ - at) * sizeof d->item[0]);
        d->item[at] = new;
        return;
    }
    if (lacks)
        diag_lack(d, ENOMEM);
    free(in);
    free(text);
}

void diag_add(struct diag *d, unsigned line, unsigned col, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add(d, NULL, line, col, format(fmt, ap));
    va_end(ap);
}

void diag_add_in(struct diag *d, const char *file, unsigned line, unsigned col, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add(d, d->file && strcmp(file, d->file) == 0 ? NULL : file, line, col, format(fmt, ap));
    va_end(ap);
}

void diag_lack(struct diag *d, int err)
{
    d->count++;
    d->lack = d->lack ? d->lack : err;
}

static void put_head(const struct diag *d, const char *file, unsigned line, unsigned col, FILE *out)
{
    file = file ? file : d->file;
    fputs("gmpscope: ", out);
    if (file) {
        visible_write(out, file, strlen(file));
        if (line)
            fprintf(out, ":%u:%u", line, col);
        fputs(": ", out);
    }
}

/* Writes the allowed words below the mistake, as many as fit into a line of 100 columns. */
static void put_right(const char *words, FILE *out)
{
    enum { COLUMNS = 100 };
    int x = fprintf(out, "    allowed here:");
    for (size_t n; *words; words += n) {
        n = strcspn(words, " ");
        if (x + 1 + (int)n + (words[n] ? 2 : 0) > COLUMNS) {
            fputs(" …", out);
            break;
        }
        x += 1 + (int)n;
        fputc(' ', out);
        visible_write(out, words, n);
        n += words[n] == ' ';
    }
    fputc('\n', out);
}

void diag_print(const struct diag *d, FILE *out)
{
    if (d->lack) {
        put_head(d, NULL, 0, 0, out);
        fprintf(out, "cannot be read: %s\n", strerror(d->lack));
        return;
    }
    for (int i = 0; i < d->kept; i++) {
        put_head(d, d->item[i].file, d->item[i].line, d->item[i].col, out);
        visible_line(out, "%s", d->item[i].text ? d->item[i].text : "out of memory");
        if (d->item[i].right)
            put_right(d->item[i].right, out);
    }
    if (d->count > d->kept) {
        put_head(d, NULL, 0, 0, out);
        fprintf(out, "and %d more\n", d->count - d->kept);
    }
}

enum { WORD_MAX = 64, OFFERED = 200 }; /* more than one line holds */

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Returns the optimal string alignment distance (insert, delete, replace, swap neighbours), ignoring case. Both words have at most WORD_MAX bytes. */
static int osa(const char *a, int na, const char *b, int nb)
{
    int row[3][WORD_MAX + 1];
    int *before = row[0], *last = row[1], *now = row[2];
    for (int j = 0; j <= nb; j++)
        last[j] = j;
    for (int i = 1; i <= na; i++) {
        now[0] = i;
        for (int j = 1; j <= nb; j++) {
            int differ = lower(a[i - 1]) != lower(b[j - 1]);
            now[j] = least(least(last[j] + 1, now[j - 1] + 1), last[j - 1] + differ);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                now[j] = least(now[j], before[j - 2] + 1);
        }
        int *oldest = before;
        before = last, last = now, now = oldest;
    }
    return last[nb];
}

/* Returns the distance between two words, INT32_MAX if they are not near enough to suggest one for the other. */
static int near_by(const char *word, const char *other)
{
    size_t len = strlen(word), n = strlen(other);
    if (len > WORD_MAX || n > WORD_MAX)
        return INT32_MAX;
    int longer = (int)(len > n ? len : n), limit = longer < 3 ? 1 : (longer + 1) / 3;
    int distance = osa(word, (int)len, other, (int)n);
    if (len >= 3 && len < n && strncasecmp(word, other, len) == 0)
        return least(distance, limit); /* a beginning of a word is near, however much is missing */
    /* Short words must share at least one letter, or every two-letter word would be "near" every other. */
    return distance <= limit && distance < least((int)len, (int)n) ? distance : INT32_MAX;
}

const char *diag_nearest(const char *word, const char *const *words, size_t n)
{
    const char *best = NULL;
    int best_distance = INT32_MAX;
    for (size_t i = 0; i < n; i++) {
        int distance = near_by(word, words[i]);
        if (distance < best_distance) {
            best = words[i];
            best_distance = distance;
        }
    }
    return best;
}

/* Writes the words at this distance. Returns: how many there are. */
static size_t put_at_distance(FILE *out, int distance, const char *word, const char *const *words, size_t n, size_t before)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        if (near_by(word, words[i]) == distance)
            fprintf(out, "%s%s", before + found++ ? ", " : "", words[i]);
    return found;
}

void diag_offer(struct diag *d, unsigned line, unsigned col, const char *word, const char *const *words, size_t n)
{
    char *text = NULL;
    size_t size = 0, found = 0;
    int at = find_place(d, NULL, line, col) - 1;
    if (!d->offers || !n || at < 0 || d->item[at].line != line || d->item[at].col != col || d->item[at].right)
        return;
    FILE *out = text_open(&text, &size);
    if (!out) {
        diag_lack(d, ENOMEM);
        return;
    }
    size_t shown = n < OFFERED ? n : OFFERED;
    for (int distance = 0; distance <= (WORD_MAX + 1) / 3; distance++)
        found += put_at_distance(out, distance, word, words, shown, found);
    put_at_distance(out, INT32_MAX, word, words, shown, found);
    if (n > shown)
        fprintf(out, " and %zu more", n - shown);
    if (text_close(out)) {
        d->item[at].right = text;
    } else {
        diag_lack(d, ENOMEM);
        free(text);
    }
}

int usage_error(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs("gmpscope: ", stderr);
    visible_vline(stderr, fmt, ap);
    va_end(ap);
    return 2;
}
