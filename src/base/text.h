/* Text for people: durations, UTF-8 and its width on a terminal, safe display of untrusted text, languages. */
#ifndef GMPSCOPE_BASE_TEXT_H
#define GMPSCOPE_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum lang { LANG_EN, LANG_ZH };
#define LANGS 2
extern const char *const lang_name[LANGS]; /* "en", "zh" */
struct text {
    const char *in[LANGS];
}; /* a text that is missing (NULL) is shown in English, which is required */
static inline const char *text_in(const struct text *t, enum lang l)
{
    return l < LANGS && t->in[l] ? t->in[l] : t->in[LANG_EN];
}
/* Sets *l to the language that LC_ALL, LC_MESSAGES or LANG names, zh* or en*. Returns false, with *l English, if they name neither. */
bool lang_from_env(enum lang *l);
/* Takes the encoding of text from the environment, and nothing else: numbers keep their point. Where the locale asks for UTF-8 but this machine
 * lacks it, takes UTF-8 from another locale. */
void locale_start(void);
bool locale_utf8(void); /* Is the encoding UTF-8? */

/* Parses a Go duration without a sign ("300us", "1.5ms", "2s", "1h2m", "0"; also µs) to ns. Returns false if s is not one or does not fit. */
bool duration_parse(const char *s, size_t len, int64_t *ns);
/* Writes ns for people, with up to three digits after the point: "0", "812 ns", "1.204 ms", "40 µs", "2 s". Returns buf. */
char *duration_text(int64_t ns, char *buf, size_t size);
/* Writes a number of bytes, such as "512 MiB" or "1.5 GiB". Returns: buf. */
char *size_text(uint64_t bytes, char *buf, size_t size);

/* Returns the first code point of s[0..len), len > 0; *n: its bytes. An invalid byte is 0xfffd with *n 1. */
uint32_t utf8_next(const char *s, size_t len, size_t *n);
int utf8_put(uint32_t cp, char out[4]); /* returns the bytes written */
bool utf8_valid(const char *s, size_t len);
/* Returns the columns of a code point on a terminal: 0 combining, 1, 2 wide. An unsafe one has 1, because it is shown as "?". */
int cp_width(uint32_t cp);
int text_width(const char *s);

/* Opens a stream that writes into memory. NULL: memory ran out. Use this instead of open_memstream(), whose stream keeps no error: if memory runs
 * out in the middle, a part of the text is missing, and neither ferror() nor fclose() says so. */
FILE *text_open(char **text, size_t *len);
/* Closes it. *text, NUL-terminated, is the caller's, who frees it. Returns false if memory ran out, so the text is incomplete. */
bool text_close(FILE *f);

/* Writes a JSON string. Bytes that are not UTF-8 become U+FFFD, so that the output is always valid. */
void json_string(const char *s, FILE *out);

/* Untrusted text (from a file, a command line, a program's print) reaches a terminal only through the functions below, or as a cell of a
 * canvas, which shows "?" for each unsafe character. */

/* True if a terminal obeys cp instead of showing it, if cp breaks or reorders the line, or if nothing shows that it is there: C0, DEL, C1, the
 * bidirectional controls, the line separator and the paragraph separator, the zero width space, the byte order mark and what else Unicode calls
 * default ignorable. False for joiners, variation selectors and tags: emoji and some scripts are written with them. */
bool cp_unsafe(uint32_t cp);
#define VISIBLE_BYTES 12
/* Takes the character at s[i] of s[0..len), i < len, and writes it to out in a form that a terminal shows: \n \t \r, \x1b (C0, DEL and
 * bytes that are not UTF-8), \u202e \U000e0001 (other unsafe characters, and joiners, variation selectors and tags where no emoji and no
 * script has them), all others as they are. Returns the number of bytes written; *n: the number of bytes taken. */
size_t visible_next(const char *s, size_t i, size_t len, size_t *n, char out[VISIBLE_BYTES]);
void visible_write(FILE *f, const char *s, size_t len);
/* Formats one line, makes its unsafe characters visible (newlines too), writes it and a newline. If memory runs out a long line is cut. */
void visible_line(FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void visible_vline(FILE *f, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

#endif
