/* Texts that repeat, each kept once under a number, and the sentences of events, taken apart into their words and their numbers. */
#ifndef GMPSCOPE_ENGINE_EXPORT_PAGE_WORDS_H
#define GMPSCOPE_ENGINE_EXPORT_PAGE_WORDS_H

#include "base/arena.h"
#include "model/model.h"
#include "model/query/matcher.h"
#include <stdio.h>

struct page_words {
    struct arena arena;
    VEC(struct page_word {
        const char *text;
        size_t len;
    })
    word;
    uint32_t *slot, slots; /* a hash table of numbers plus 1; slots: 0 or a power of two */
};
#define PAGE_NO_WORD UINT32_MAX
/* Returns the number of the text; PAGE_NO_WORD: out of memory. */
uint32_t page_word(struct page_words *w, const char *text, size_t len);
void page_words_fini(struct page_words *w);

/* The forms of a sentence: in each language, and the line of --events without its time, M and P. In a form, PAGE_HOLE is followed by a byte that says
 * which of the numbers stands there. */
enum { PAGE_FORMS = LANGS + 1, PAGE_NUMBERS = 64, PAGE_SENTENCE = 4096 };
#define PAGE_HOLE '\x02'
#define PAGE_FIRST_HOLE 3
struct page_sentence {
    char text[PAGE_FORMS * PAGE_SENTENCE];
    size_t len;
    uint64_t number[PAGE_NUMBERS];
    uint32_t n;
};
/* Takes an event's sentence apart. Its forms end with '\n' each; before them are its kind and its Go function. */
void page_sentence(struct page_sentence *s, const struct merged_event *at);
/* Writes the text of such a sentence as JSON: [kind, Go function, form …]; a form is an array of texts and of indices of numbers. */
void page_sentence_json(const struct page_word *w, FILE *out);

#endif
