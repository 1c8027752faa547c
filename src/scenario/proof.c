/* The numbers that a lesson's texts state, and what proves them. A number is written in digits ("4", "x3"), as the name of a G ("G3") or as a
 * word ("three Gs", "三个"). What is no plain count is left out: "one", "half", ordinals and compounds such as "ten thousand" state nothing. */
#include "scenario/scenario_internal.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Takes the next number or actor off *s: "4", "2.5", "G3", "x3", "four"; a comma between digits is left out. Other names that end in digits
 * (go1.20, v2), versions of Go (1.14) and numbers of issues (#27707) state nothing. */
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
        bool g = at - word == 1 && strchr("GMP", *word), times = at - word == 1 && *word == 'x';
        bool plain = times || (word == at && (word == begin || (word[-1] != '#' && word[-1] != '.')));
        n = g ? 1 : 0;
        memcpy(out, word, n);
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

static bool is_actor(const char *token)
{
    return strchr("GMP", *token);
}

/* An actor is named in patterns and queries by its number. */
static bool proves(const char *text, const char *token)
{
    return text && (text_has(text, token) || (is_actor(token) && text_has(text, token + 1)));
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

/* Returns true if the claim is about such a run. */
static bool applies(const struct yexpect *x, const struct rt_config *rt)
{
    return scenario_narrow(x->generation, x->generation_count) >> rt->generation & 1 && (!x->mode || *x->mode == (int)rt->mode) &&
           (!x->seed || *x->seed == rt->seed);
}

/* What the scenario asserts of every run with its own Ps and mechanisms. */
static bool claims_prove(const struct lesson_case *c, const char *token)
{
    const struct yscenario *y = c->sc->y;
    const struct rt_config of = scenario_config(c->sc);
    bool own = c->rt->gomaxprocs == of.gomaxprocs && rt_same_rules(c->rt, &of);
    for (unsigned i = 0; own && i < y->expect_count; i++) {
        const struct yexpect *x = &y->expect[i];
        if (!applies(x, c->rt))
            continue;
        if (proves(x->event, token) || proves(x->within, token) || number_is(x->equals, token) || number_is(x->times, token) ||
            number_is(x->min, token) || number_is(x->max, token) || any_proves(x->prints, x->prints_count, token) ||
            any_proves(x->prints_sorted, x->prints_sorted_count, token) || any_proves(x->sequence, x->sequence_count, token))
            return true;
    }
    return false;
}

static bool settings_prove(const struct lesson_case *c, const char *token)
{
    uint64_t procs = c->rt->gomaxprocs, size = c->rt->runq_size;
    return number_is(&procs, token) || number_is(&size, token) || !strcmp(token, "G1") || (procs == 1 && !strcmp(token, "P0"));
}

/* A wrong choice proves nothing. */
static bool ask_proves(const struct lesson_case *c, const struct yask *ask, const char *token)
{
    return ask && (proves(c->right, token) || proves(ask->answer, token));
}

/* A small number counts Gs, Ps, Ms or steps, so it may be another one in a run with other settings. */
static bool is_small(const char *token)
{
    enum { LARGEST_WORD = 12 };
    return is_actor(token) || (strtod(token, NULL) <= LARGEST_WORD && !strchr(token, '.'));
}

/* A small number that the whole file calls a rule is one only for the file's own settings; one that holds elsewhere belongs to its entry. */
static bool proved(const struct lesson_case *c, const char *token)
{
    const struct ylesson *l = &c->sc->y->lesson[c->entry];
    bool own = scenario_entry_is_for(c->sc, c->entry, c->rt);
    if (own && (*token == 'M' || *token == 'P'))
        return true; /* their numbers follow from the settings */
    own |= !is_small(token);
    return proves(lesson_on(l), token) || any_proves(l->facts, l->facts_count, token) ||
           any_proves(l->constants, l->constants_count, token) ||
           (own && any_proves(c->sc->y->constants, c->sc->y->constants_count, token)) || ask_proves(c, l->ask, token) ||
           claims_prove(c, token) || settings_prove(c, token);
}

struct stated {
    const struct lesson_case *c;
    bool asks; /* the text is the question */
    char *buf;
    size_t size;
};

/* Returns true if a question names a choice here, as "two or three?" does. Such a question states none of them. */
static bool offers(const struct lesson_case *c, const char *text, const char *behind, const char *token)
{
    enum { NEAR = 14 };
    const struct yask *ask = c->sc->y->lesson[c->entry].ask;
    char near[NEAR + 1];
    size_t len = behind - text < NEAR ? (size_t)(behind - text) : NEAR;
    memcpy(near, behind - len, len);
    near[len] = '\0';
    bool named = !strncmp(behind, " or ", 4) || !strncmp(behind, "还是", sizeof "还是" - 1) || strstr(near, " or ") || strstr(near, "还是");
    for (unsigned k = 0; named && k < ask->choices_count; k++)
        if ((ask->choices[k].text && proves(ask->choices[k].text->en, token)))
            return true;
    return false;
}

static void note(const struct stated *st, const char *token)
{
    size_t at = strlen(st->buf);
    if (!text_has(st->buf, token))
        snprintf(st->buf + at, st->size - at, "%s%s", at ? ", " : "", token);
}

/* Returns true if this is a number of Ps, which no rule can make true. */
static bool counts_ps(const char *behind)
{
    behind += *behind == ' ';
    return (*behind == 'P' && !is_letter(behind[1 + (behind[1] == 's')])) || !strncmp(behind, "个 P", sizeof "个 P" - 1);
}

static bool is_proved(const struct lesson_case *c, const char *token, const char *behind)
{
    bool ps = counts_ps(behind) && c->rt->gomaxprocs != scenario_own_settings(c->sc).gomaxprocs;
    return ps ? settings_prove(c, token) || any_proves(c->sc->y->lesson[c->entry].facts, c->sc->y->lesson[c->entry].facts_count, token)
              : proved(c, token) || is_given(c->sc, token, behind);
}

/* What queries fill in needs no proof: it is left out. */
static void read_text(const struct stated *st, const char *text)
{
    char token[40];
    size_t skip = 0, len;
    const char *whole = text;
    while (text && *text) {
        const char *q = lesson_query(text, &skip, &len), *end = q ? q - 1 : text + strlen(text);
        for (const char *s = text; next_token(&s, text, token, sizeof token) && s <= end;)
            if (!is_proved(st->c, token, s) && !(st->asks && offers(st->c, whole, s, token)))
                note(st, token);
        text = q ? q + skip : end;
    }
}

static void read_both(const struct stated *st, const struct ytext *t)
{
    read_text(st, t ? t->en : NULL);
    read_text(st, t ? t->zh : NULL);
}

bool scenario_unproved(const struct lesson_case *c, char *buf, size_t size)
{
    const struct ylesson *l = &c->sc->y->lesson[c->entry];
    struct stated st = {.c = c, .buf = buf, .size = size};
    *buf = '\0';
    read_both(&st, l->say);
    if (!l->ask)
        return *buf;
    st.asks = true;
    read_both(&st, l->ask->question);
    st.asks = false;
    read_both(&st, l->ask->because);
    for (unsigned k = 0; k < l->ask->choices_count; k++)
        read_both(&st, l->ask->choices[k].because);
    return *buf;
}
