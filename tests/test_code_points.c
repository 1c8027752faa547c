/* Each code point, and each escape that YAML has, goes through the reader of scenarios: as it is and escaped, in texts, comments and keys. It is
 * accepted, or refused with its place; it is never called a lack of the machine. */
#include "base/diag.h"
#include "base/text.h"
#include "scenario/scenario.h"
#include "t.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH = 512 };

struct form {
    const char *name, *before, *after, *format; /* format NULL: the code point itself in UTF-8 */
};
static const struct form forms[] = {
    {"as it is, quoted", "      - print: \"a", "b\"\n", NULL},
    {"as it is, plain", "      - print: a", "b\n", NULL},
    {"as it is, folded", "      - print: >\n          a", "b\n", NULL},
    {"in a comment", "      - yield: 1 # a", "b\n", NULL},
    {"\\u", "      - print: \"a", "b\"\n", "\\u%04x"},
    {"\\U", "      - print: \"a", "b\"\n", "\\U%08x"},
    {"\\x", "      - print: \"a", "b\"\n", "\\x%02x"},
};

static char text[100000];
static size_t used;

static void begin(void)
{
    used = (size_t)sprintf(text, "name: t\ngoroutines:\n  - name: main\n    do:\n");
}

static void add(const struct form *f, uint32_t cp)
{
    used += (size_t)sprintf(text + used, "%s", f->before);
    if (f->format)
        used += (size_t)sprintf(text + used, f->format, (unsigned)cp);
    else if (cp >= 0xd800 && cp < 0xe000) /* UTF-8 has no surrogates */
        used += (size_t)sprintf(text + used, "%c%c%c", 0xe0 | (cp >> 12), 0x80 | (cp >> 6 & 0x3f), 0x80 | (cp & 0x3f));
    else
        used += (size_t)utf8_put(cp, text + used);
    used += (size_t)sprintf(text + used, "%s", f->after);
}

/* Loads the text. Returns the number of mistakes; line: of the first. */
static int load(unsigned *line, char *message, size_t size)
{
    static char path[600];
    struct diag d;
    if (!path[0])
        snprintf(path, sizeof path, "%s/f.yaml", t_tmpdir());
    FILE *f = fopen(path, "w");
    CHECK(f && fwrite(text, 1, used, f) == used && fclose(f) == 0);
    diag_init(&d, path);
    struct scenario *sc = scenario_load(path, &d);
    int count = d.count;
    CHECK((sc == NULL) == (count > 0));
    *line = d.kept ? d.item[0].line : 0;
    snprintf(message, size, "%s", d.lack ? strerror(d.lack) : d.kept ? d.item[0].text : "");
    if (d.lack)
        *line = 0;
    scenario_free(sc);
    diag_fini(&d);
    return count;
}

/* Returns whether it is accepted. */
static bool judge(const struct form *f, uint32_t cp)
{
    unsigned line;
    char message[200];
    begin();
    add(f, cp);
    int count = load(&line, message, sizeof message);
    if (count && line < 5)
        t_fail(__FILE__, __LINE__, "U+%04X, %s: line %u: %s", (unsigned)cp, f->name, line, message);
    return count == 0;
}

/* Returns how many of the code points [from, to) are accepted. Most are, so many are tried in one file first. */
static uint32_t judge_all(const struct form *f, uint32_t from, uint32_t to)
{
    unsigned line;
    char message[200];
    uint32_t good = 0;
    for (uint32_t first = from, n; first < to; first += n) {
        n = to - first < BATCH ? to - first : BATCH;
        begin();
        for (uint32_t i = 0; i < n; i++)
            add(f, first + i);
        if (load(&line, message, sizeof message) == 0) {
            good += n;
            continue;
        }
        bool all_alike = first > 0x110000 || (first > 0xd800 && first < 0xde00);
        for (uint32_t i = 0; i < n; i += all_alike ? 61 : 1)
            good += judge(f, first + i);
    }
    return good;
}

TEST(each_code_point_as_it_is)
{
    CHECK(judge_all(&forms[0], 1, 0x110000) > 0x10f000);
    for (int i = 1; i < 4; i++) {
        CHECK(judge_all(&forms[i], 1, 0x10400) > 0xf000);
        for (uint32_t end = 0x20000; end <= 0x110000; end += 0x10000)
            CHECK_INT(judge_all(&forms[i], end - 0x100, end), 0x100);
    }
}

TEST(each_code_point_escaped)
{
    CHECK(judge_all(&forms[4], 0, 0x10000) > 0xf000);
    CHECK(judge_all(&forms[5], 0, 0x110800) > 0x10f000);
    CHECK_INT(judge_all(&forms[5], 0x110000, 0x110800), 0);
    CHECK(judge_all(&forms[6], 0, 0x100) > 0x80);
}

/* A backslash and any character. */
TEST(each_escape_of_one_character)
{
    for (uint32_t cp = 1; cp < 0x300; cp++) {
        struct form f = {"after a backslash", "      - print: \"a\\", "b00000000\"\n", NULL};
        judge(&f, cp);
    }
    for (const char *s = "\\uffffffff \\U00110000 \\ud83d\\ude00 \\u12 \\x1 \\U1234567 \\uzzzz"; *s;
         s += strcspn(s, " ") + (strchr(s, ' ') != NULL)) {
        unsigned line;
        char message[200];
        begin();
        used += (size_t)sprintf(text + used, "      - print: \"%.*s\"\n", (int)strcspn(s, " "), s);
        if (load(&line, message, sizeof message) && line != 5)
            t_fail(__FILE__, __LINE__, "%s: line %u: %s", s, line, message);
    }
}

/* In a key, in a name and in a text with both languages. */
TEST(each_kind_of_code_point_in_other_places)
{
    static const char *const places[] = {
        "\"a%sb\": 1\nname: t\ngoroutines: [{name: main}]\n", "name: \"a%sb\"\ngoroutines: [{name: main}]\n",
        "name: t\ntitle: {en: \"%s\", zh: \"%s\"}\ngoroutines: [{name: \"main%s\"}]\n",
        "name: t\nchannels: [\"%s\"]\ngoroutines: [{name: main, do: [{send: \"%s\"}]}]\n"};
    static const char *const escapes[] = {
        "\\0",     "\\u0001", "\\u0085",     "\\u00a0",     "\\u200b",      "\\u2028",      "\\ufeff", "\\ufffe",
        "\\uffff", "\\ud800", "\\U0001fffe", "\\U0010ffff", "\xef\xbf\xbe", "\xef\xbb\xbf", "\x7f",    "\xc2\x80"};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
            unsigned line;
            char message[200];
            used = (size_t)sprintf(text, places[p], escapes[i], escapes[i], escapes[i]);
            if (load(&line, message, sizeof message) && line == 0)
                t_fail(__FILE__, __LINE__, "%s: %s", text, message);
        }
}
