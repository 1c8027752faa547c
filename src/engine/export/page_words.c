/* See page_words.h. Runs have few different sentences, if the numbers in them are left out. */
#include "engine/export/page_words.h"
#include "base/hash.h"
#include <stdlib.h>
#include <string.h>

/* ---- texts under numbers ---- */

static uint32_t *slot_of(struct page_words *w, const char *text, size_t len)
{
    uint32_t i = (uint32_t)hash_bytes(text, len) & (w->slots - 1);
    for (; w->slot[i]; i = (i + 1) & (w->slots - 1)) {
        const struct page_word *at = &w->word.v[w->slot[i] - 1];
        if (at->len == len && !memcmp(at->text, text, len))
            break;
    }
    return &w->slot[i];
}

static bool grow(struct page_words *w)
{
    uint32_t *old = w->slot, slots = w->slots ? w->slots * 2 : 256;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    w->slot = slot;
    w->slots = slots;
    for (uint32_t i = 0; i < w->word.n; i++)
        *slot_of(w, w->word.v[i].text, w->word.v[i].len) = i + 1;
    free(old);
    return true;
}

uint32_t page_word(struct page_words *w, const char *text, size_t len)
{
    if (w->word.n * 2 >= w->slots && !grow(w))
        return PAGE_NO_WORD;
    uint32_t *slot = slot_of(w, text, len);
    if (*slot)
        return *slot - 1;
    struct page_word made = {arena_strndup(&w->arena, text, len), len};
    if (!made.text || !vec_push(&w->word, made))
        return PAGE_NO_WORD;
    *slot = (uint32_t)w->word.n;
    return *slot - 1;
}

void page_words_fini(struct page_words *w)
{
    arena_fini(&w->arena);
    vec_free(&w->word);
    free(w->slot);
    *w = (struct page_words){.slot = NULL};
}

/* ---- sentences ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns the hole of a number, which a form before this one may have made: each of those is used once in a form. -1: there are too many. */
static int hole_of(struct page_sentence *s, uint64_t number, uint64_t *used)
{
    uint32_t i = 0;
    while (i < s->n && (s->number[i] != number || *used >> i & 1))
        i++;
    if (i == PAGE_NUMBERS)
        return -1;
    if (i == s->n)
        s->number[s->n++] = number;
    *used |= UINT64_C(1) << i;
    return (int)i;
}

/* Appends a form. A number with a leading zero, or a very long one, remains text. */
static void add_form(struct page_sentence *s, const char *text, size_t len)
{
    enum { DIGITS = 15 };
    uint64_t used = 0;
    char shown[VISIBLE_BYTES];
    for (size_t i = 0, n = 0, took; i < len && s->len + VISIBLE_BYTES + DIGITS + 4 < sizeof s->text; i += n) {
        uint64_t number = 0;
        for (n = 0; i + n < len && is_digit(text[i + n]); n++)
            number = n < DIGITS ? number * 10 + (uint64_t)(text[i + n] - '0') : 0;
        int hole = n && n <= DIGITS && (text[i] != '0' || n == 1) ? hole_of(s, number, &used) : -1;
        if (hole >= 0) {
            s->text[s->len++] = PAGE_HOLE;
            s->text[s->len++] = (char)(PAGE_FIRST_HOLE + hole + (PAGE_FIRST_HOLE + hole >= '\n'));
            continue;
        }
        took = n ? 0 : visible_next(text, i, len, &n, shown);
        size_t fits = sizeof s->text - 4 - s->len, copied = took ? took : n < fits ? n : fits;
        memcpy(s->text + s->len, took ? shown : text + i, copied);
        s->len += copied;
    }
    s->text[s->len++] = '\n';
}

static void add_word(struct page_sentence *s, const char *word)
{
    s->len += (size_t)snprintf(s->text + s->len, PAGE_SENTENCE, "%s\n", word ? word : "");
}

/* Returns the line from the name of the event on. */
static const char *from_name(const char *line, const char *name)
{
    const char *at = strstr(line, name);
    return at ? at : line;
}

void page_sentence(struct page_sentence *s, const struct merged_event *at)
{
    char text[PAGE_SENTENCE - 64];
    s->len = s->n = 0;
    add_word(s, ev_desc[at->e->kind].name);
    add_word(s, event_go(at->md, at->e));
    for (int lang = 0; lang < LANGS; lang++) {
        event_sentence(at->md, at->m, at->e, at->text, at->len, (enum lang)lang, text, sizeof text);
        add_form(s, text, strlen(text));
    }
    event_line(at->md, at->m, at->e, at->text, at->len, text, sizeof text);
    const char *line = from_name(text, ev_desc[at->e->kind].name);
    add_form(s, line, strlen(line));
}

static void put_text(const char *text, size_t len, bool *comma, FILE *out)
{
    char copy[PAGE_FORMS * PAGE_SENTENCE];
    if (!len)
        return;
    memcpy(copy, text, len);
    copy[len] = '\0';
    fputs(*comma ? "," : "", out);
    json_string(copy, out);
    *comma = true;
}

static void put_form(const char *text, size_t len, FILE *out)
{
    bool comma = false;
    size_t from = 0;
    fputc('[', out);
    for (size_t i = 0; i < len; i++)
        if (text[i] == PAGE_HOLE) {
            int hole = text[i + 1] - (text[i + 1] > '\n') - PAGE_FIRST_HOLE;
            put_text(text + from, i - from, &comma, out);
            fprintf(out, "%s%d", comma ? "," : "", hole);
            comma = true;
            from = i + 2;
            i++;
        }
    put_text(text + from, len - from, &comma, out);
    fputc(']', out);
}

void page_sentence_json(const struct page_word *w, FILE *out)
{
    const char *at = w->text, *end = w->text + w->len;
    fputc('[', out);
    for (int part = 0; at < end; part++) {
        size_t len = (size_t)((const char *)memchr(at, '\n', (size_t)(end - at)) - at);
        bool comma = false;
        fputs(part ? "," : "", out);
        if (part >= 2)
            put_form(at, len, out);
        else if (len)
            put_text(at, len, &comma, out);
        else
            fputs("\"\"", out);
        at += len + 1;
    }
    fputc(']', out);
}
