/* Parses and writes the text of a list of choices: choice.h. */
#include "base/choice.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHOICES_MAX 10000000u /* a few characters of a run length can ask for much memory */
#define ITEM_MAX 48           /* bytes of one item as text */

const char decision_kind_letter[DECIDE_KINDS] = {'m', 's', 'v', 'c', 'r', 't', 'w', 'd', 'o', 'k', 'z'};
const char *const decision_kind_name[DECIDE_KINDS] = {
    "next M", "steal order", "victim", "select case", "shuffle", "stall", "wake-up", "draw", "map order", "call's time", "late sleep"};
const int64_t stall_ns[STALL_CLASSES] = {0, 1000, 5000, 30000, 200000, 2000000, 15000000};

int64_t choice_time_ns(uint32_t class)
{
    static const int64_t first[TIME_OCTAVE] = {250, 297, 354, 420};
    return class ? first[(class - 1) % TIME_OCTAVE] << (class - 1) / TIME_OCTAVE : 0;
}

/* Reads decimal digits at *s. Returns false if there are none or their value is above max. */
static bool number(const char **s, uint64_t max, uint64_t *out)
{
    const char *p = *s;
    *out = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        unsigned digit = (unsigned)(*p - '0');
        if (*out > (max - digit) / 10)
            return false;
        *out = *out * 10 + digit;
    }
    bool any = p != *s;
    *s = p;
    return any;
}

static bool kind_at(const char **s, enum decision_kind *out)
{
    const char *at = **s ? memchr(decision_kind_letter, **s, DECIDE_KINDS) : NULL;
    if (!at)
        return false;
    *out = (enum decision_kind)(at - decision_kind_letter);
    ++*s;
    return true;
}

/* Reads one item. Returns NULL, or what was expected at *s. */
static const char *item(const char **s, struct choice *c, uint64_t *count)
{
    uint64_t pick;
    *count = 1;
    if (!number(s, UINT64_MAX / 2, &c->decision) || c->decision == 0)
        return "the number of a decision, from 1";
    if (!kind_at(s, &c->kind))
        return "m (next M), s (steal order), v (victim), c (select case), r (shuffle), t (stall), w (wake-up), d (draw), o (map order), k (a call's time) or z (late sleep)";
    if (!number(s, UINT32_MAX, &pick))
        return "the number of the pick";
    c->pick = (uint32_t)pick;
    if (**s == 'x' && (++*s, !number(s, CHOICES_MAX, count) || *count == 0))
        return "a count of decisions, from 1 to 10000000";
    return **s == ',' || !**s ? NULL : "a comma";
}

static const char *append(struct choices *out, struct choice c, uint64_t count)
{
    if (out->n && c.decision <= out->v[out->n - 1].decision)
        return "a later decision than the one before";
    if (out->n + count > CHOICES_MAX)
        return "fewer choices";
    for (; count; count--, c.decision++)
        if (!vec_push(out, c))
            return "more memory";
    return NULL;
}

const char *choices_parse(const char *text, struct choices *out, char *why, size_t size)
{
    const char *s = text, *wanted = NULL;
    while (*s && !wanted) {
        struct choice c;
        uint64_t count;
        const char *begin = s;
        wanted = item(&s, &c, &count);
        if (!wanted && (wanted = append(out, c, count)))
            s = begin;
        if (!wanted && *s == ',' && !*++s)
            wanted = "another choice";
    }
    if (!wanted)
        return NULL;
    snprintf(why, size, "column %zu: expected %s", (size_t)(s - text) + 1, wanted);
    return why;
}

/* Returns how many choices from i on are written as one item. */
static size_t run_length(const struct choices *c, size_t i)
{
    size_t n = 1;
    const struct choice *a = &c->v[i];
    while (i + n < c->n && a[n].decision == a->decision + n && a[n].kind == a->kind && a[n].pick == a->pick)
        n++;
    return n;
}

char *choices_text(const struct choices *c)
{
    VEC(char) out = {0};
    bool ok = true;
    for (size_t i = 0, n; ok && i < c->n; i += n) {
        char one[ITEM_MAX];
        n = run_length(c, i);
        int len = snprintf(one, sizeof one, "%s%" PRIu64 "%c%u", i ? "," : "", c->v[i].decision, decision_kind_letter[c->v[i].kind],
                           c->v[i].pick);
        if (n > 1)
            len += snprintf(one + len, sizeof one - (size_t)len, "x%zu", n);
        for (int k = 0; ok && k < len; k++)
            ok = vec_push(&out, one[k]);
    }
    if (ok && vec_push(&out, '\0'))
        return out.v;
    vec_free(&out);
    return NULL;
}

bool choices_copy(const struct choices *from, struct choices *to)
{
    for (size_t i = 0; i < from->n; i++)
        if (!vec_push(to, from->v[i])) {
            vec_free(to);
            return false;
        }
    return true;
}
