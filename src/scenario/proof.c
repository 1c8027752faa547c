/* The numbers that a lesson's texts state, and what proves them. A number is written in digits ("4", "x3"), as the name of a G ("G3") or as a
 * word ("three Gs", "三个"). What is no plain count is left out: "one", "half", ordinals and compounds such as "ten thousand" state nothing. */
#include "scenario/scenario_internal.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns the unit of time behind a number, as durations in programs have it; NULL: it has none. */
static const char *unit_of(const char *behind)
{
    static const struct {
        const char *text, *unit;
    } units[] = {{"ns", "ns"}, {"us", "us"}, {"µs", "us"}, {"ms", "ms"}, {"纳秒", "ns"}, {"微秒", "us"}, {"毫秒", "ms"}, {"秒", "s"}};
    behind += *behind == ' ';
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strncmp(behind, units[i].text, strlen(units[i].text)))
            return units[i].unit;
    return *behind == 's' && !is_letter(behind[1]) ? "s" : NULL;
}

/* Is this the number of a Go version? */
static bool is_version(const char *number, const char *behind)
{
    return number[0] == '1' && number[1] == '.' && !unit_of(behind);
}

/* A duration that the file gives to a program needs no proof: "compute: 500us" and "500 us". */
static bool is_given(const struct scenario *sc, const char *number, const char *behind)
{
    char word[60];
    const char *unit = unit_of(behind);
    size_t len = (size_t)snprintf(word, sizeof word, "%s%s", number, unit ? unit : "");
    for (const char *at = unit ? sc->bytes : NULL; at && (at = strstr(at, word)); at += len)
        if (at > sc->bytes && !is_digit(at[-1]) && at[-1] != '.' && !is_letter(at[len]))
            return true;
    return false;
}

static bool starts_with_one(const char *s, const char *const *words)
{
    while (*words && strncmp(s, *words, strlen(*words)) != 0)
        words++;
    return *words;
}

/* Returns the bytes of an English number word at s, 0: there is none. */
static size_t english_number(const char *s, const char *begin, int *value)
{
    static const char *const names[] = {"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"};
    static const char *const larger[] = {" hundred", " thousand", " million", NULL};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        *value = (int)i + 2;
        if ((s[0] | 0x20) != names[i][0] || strncmp(s + 1, names[i] + 1, n - 1) != 0)
            continue;
        if ((s == begin || (!is_letter(s[-1]) && s[-1] != '-')) && !is_letter(s[n]) && s[n] != '-')
            return starts_with_one(s + n, larger) ? 0 : n;
    }
    return 0;
}

/* The same for a Chinese one in front of a measure word. Behind another numeral it is a part of a larger number. */
static size_t chinese_number(const char *s, const char *begin, int *value)
{
    enum { BYTES = 3 };
    static const char *const names[] = {"两", "三", "四", "五", "六", "七", "八", "九", "十"};
    static const char *const before[] = {"第", "一", "二", "两", "三", "四", "五", "六", "七", "八", "九", "十", "几", "百", "千", NULL};
    static const char *const measure[] = {"个", "条", "次", "轮", NULL};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *value = (int)i + 2;
        if (!strncmp(s, names[i], BYTES))
            return (s - begin < BYTES || !starts_with_one(s - BYTES, before)) && starts_with_one(s + BYTES, measure) ? BYTES : 0;
    }
    return 0;
}

static size_t number_word(const char *s, const char *begin, char *out, size_t size)
{
    int value;
    size_t n = english_number(s, begin, &value);
    n = n ? n : chinese_number(s, begin, &value);
    if (n)
        snprintf(out, size, "%d", value);
    return n;
}

/* Takes the next number or G off *s: "4", "2.5", "G3", "x3", "four"; a comma between digits is left out. Names that end in digits (P0, go1.20,
 * v2), versions of Go (1.14) and numbers of issues (#27707) state nothing. */
static bool next_token(const char **s, const char *begin, char *out, size_t size)
{
    for (const char *at = *s; *at; at++) {
        const char *word = at;
        size_t n = number_word(at, begin, out, size);
        if (n) {
            *s = at + n;
            return true;
        }
        if (!is_digit(*at))
            continue;
        while (word > begin && (is_letter(word[-1]) || is_digit(word[-1]) || (word[-1] == '.' && word > begin + 1 && is_letter(word[-2]))))
            word--;
        bool g = at - word == 1 && *word == 'G', times = at - word == 1 && *word == 'x';
        bool plain = times || (word == at && (word == begin || (word[-1] != '#' && word[-1] != '.')));
        n = g ? 1 : 0;
        memcpy(out, "G", n);
        while (is_digit(*at) || ((*at == ',' || *at == '.') && is_digit(at[1]))) {
            if (*at != ',' && n + 1 < size)
                out[n++] = *at;
            at++;
        }
        out[n] = '\0';
        *s = at;
        if (g || (plain && !is_version(out, at)))
            return true;
        at--;
    }
    return false;
}

static bool text_has(const char *text, const char *token)
{
    char found[40];
    for (const char *s = text; s && next_token(&s, text, found, sizeof found);)
        if (!strcmp(found, token))
            return true;
    return false;
}

/* A G is named in patterns and queries by its number. */
static bool proves(const char *text, const char *token)
{
    return text && (text_has(text, token) || (*token == 'G' && text_has(text, token + 1)));
}

static bool any_proves(char *const *v, unsigned n, const char *token)
{
    for (unsigned i = 0; i < n; i++)
        if (proves(v[i], token))
            return true;
    return false;
}

static bool number_is(const uint64_t *v, const char *token)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, v ? *v : 0);
    return v && !strcmp(text, token);
}

/* What the scenario asserts of every run. */
static bool claims_prove(const struct yscenario *y, const char *token)
{
    for (unsigned i = 0; i < y->expect_count; i++) {
        const struct yexpect *x = &y->expect[i];
        if (proves(x->event, token) || proves(x->within, token) || number_is(x->equals, token) || number_is(x->times, token) ||
            number_is(x->min, token) || number_is(x->max, token) || any_proves(x->prints, x->prints_count, token) ||
            any_proves(x->prints_sorted, x->prints_sorted_count, token) || any_proves(x->sequence, x->sequence_count, token))
            return true;
    }
    return false;
}

static bool settings_prove(const struct scenario_info *info, const char *token)
{
    uint64_t procs = info->gomaxprocs, size = info->runq_size;
    return number_is(&procs, token) || number_is(&size, token) || !strcmp(token, "G1");
}

static bool ask_proves(const struct yask *ask, const char *token)
{
    for (unsigned i = 0; ask && i < ask->choices_count; i++)
        if ((ask->choices[i].text && proves(ask->choices[i].text->en, token)) || proves(ask->choices[i].value, token))
            return true;
    return ask && proves(ask->answer, token);
}

static bool proved(const struct scenario *sc, const struct ylesson *l, const char *token)
{
    return proves(lesson_on(l), token) || any_proves(l->facts, l->facts_count, token) ||
           any_proves(l->constants, l->constants_count, token) || any_proves(sc->y->constants, sc->y->constants_count, token) ||
           ask_proves(l->ask, token) || claims_prove(sc->y, token) || settings_prove(&sc->info, token);
}

struct stated {
    const struct scenario *sc;
    const struct ylesson *l;
    char *buf;
    size_t size;
};

static void note(const struct stated *st, const char *token)
{
    size_t at = strlen(st->buf);
    if (!text_has(st->buf, token))
        snprintf(st->buf + at, st->size - at, "%s%s", at ? ", " : "", token);
}

/* What queries fill in needs no proof: it is left out. */
static void read_text(const struct stated *st, const char *text)
{
    char token[40];
    size_t skip = 0, len;
    while (text && *text) {
        const char *q = lesson_query(text, &skip, &len), *end = q ? q - 1 : text + strlen(text);
        for (const char *s = text; next_token(&s, text, token, sizeof token) && s <= end;)
            if (!proved(st->sc, st->l, token) && !is_given(st->sc, token, s))
                note(st, token);
        text = q ? q + skip : end;
    }
}

static void read_both(const struct stated *st, const struct ytext *t)
{
    read_text(st, t ? t->en : NULL);
    read_text(st, t ? t->zh : NULL);
}

bool scenario_unproved(const struct scenario *sc, uint32_t i, char *buf, size_t size)
{
    const struct ylesson *l = &sc->y->lesson[i];
    const struct stated st = {sc, l, buf, size};
    *buf = '\0';
    read_both(&st, l->say);
    if (!l->ask)
        return *buf;
    read_both(&st, l->ask->question);
    read_both(&st, l->ask->because);
    for (unsigned k = 0; k < l->ask->choices_count; k++)
        read_both(&st, l->ask->choices[k].because);
    return *buf;
}
