/* Text for people: durations, UTF-8 and its width on a terminal, language. */
#ifndef GMPSCOPE_BASE_TEXT_H
#define GMPSCOPE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdint.h>

enum lang { LANG_EN, LANG_ZH };
#define LANGS 2
struct text { const char *in[LANGS]; };                   /* in[LANG_ZH] may be NULL: then en */
static inline const char *text_in(const struct text *t, enum lang l)
{
    return l < LANGS && t->in[l] ? t->in[l] : t->in[LANG_EN];
}
enum lang lang_from_env(void);                            /* LC_ALL, LC_MESSAGES, LANG; zh* is Chinese */

/* A Go duration ("300us", "1.5ms", "2s", "1h2m", "0"; also µs) to ns. False: not one, or out of int64. No sign. */
bool duration_parse(const char *s, size_t len, int64_t *ns);
/* ns as people read it, keeping three digits: "0", "812 ns", "1.204 ms", "40 µs", "2 s". Returns buf. */
char *duration_text(int64_t ns, char *buf, size_t size);

/* Next code point of s[0..len), its bytes in *n; 0xfffd and 1 byte for an invalid one. len > 0. */
uint32_t utf8_next(const char *s, size_t len, size_t *n);
int utf8_put(uint32_t cp, char out[4]);                   /* bytes written */
bool utf8_valid(const char *s, size_t len);
/* Columns of a code point on a terminal: 0 combining, 1, 2 wide; control characters count 1 (drawn as "?"). */
int cp_width(uint32_t cp);
int text_width(const char *s);

/* Closes a stream that writes into memory. Returns false if not all that was written is there: memory was lacking. */
bool text_close(FILE *f);

#endif
