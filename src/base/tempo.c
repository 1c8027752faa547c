/* See tempo.h. */
#include "base/tempo.h"

#include <stdlib.h>
#include <string.h>

static const double rates[] = {0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, INFINITY};
static const double factors[] = {0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, INFINITY};

bool tempo_parse(const char *s, struct tempo *out)
{
    char *end;
    *out = TEMPO_AUTO;
    if (!strcmp(s, "auto"))
        return true;
    *out = TEMPO_MAX;
    if (!strcmp(s, "max"))
        return true;
    out->rate = strtod(s, &end);
    return end != s && !*end && out->rate >= 0.01 && out->rate <= 1e6;
}

void tempo_print(struct tempo t, FILE *out)
{
    if (isinf(t.rate))
        fputs("max", out);
    else if (t.automatic)
        fputs("auto", out);
    else
        fprintf(out, "%g", t.rate);
}

struct tempo tempo_next(struct tempo t, int up)
{
    const double *scale = t.automatic ? factors : rates;
    size_t n = t.automatic ? sizeof factors / sizeof *factors : sizeof rates / sizeof *rates, i = up > 0 ? 0 : n - 1;
    while (i < n && (up > 0 ? scale[i] <= t.rate : scale[i] >= t.rate))
        i += up > 0 ? 1 : (size_t)-1; /* below 0 it wraps, which ends the loop */
    t.rate = i < n ? scale[i] : t.rate;
    return t;
}

enum { SPEED_MOST = 1000, SPEED_LEAST = 1000000 }; /* the largest num, the largest den */

/* Reads a number from 1 to max. Returns the end, NULL: there is none. */
static const char *read_part(const char *s, uint32_t max, uint32_t *out)
{
    uint64_t n = 0;
    const char *at = s;
    for (; *at >= '0' && *at <= '9' && n <= max; at++)
        n = n * 10 + (uint64_t)(*at - '0');
    *out = (uint32_t)n;
    return at > s && n >= 1 && n <= max ? at : NULL;
}

bool speed_parse(const char *s, struct speed *out)
{
    *out = SPEED_REAL;
    const char *at = read_part(s, SPEED_MOST, &out->num);
    if (at && *at == '/')
        at = read_part(at + 1, SPEED_LEAST, &out->den);
    return at && !*at;
}

struct speed speed_next(struct speed s, int up)
{
    uint32_t den = up > 0 ? SPEED_LEAST : 1;
    while (up > 0 ? den > 1 && (uint64_t)s.num * den >= s.den : den < SPEED_LEAST && (uint64_t)s.num * den <= s.den)
        den = up > 0 ? den / 10 : den * 10;
    bool beyond = up > 0 ? (uint64_t)s.num * den >= s.den : (uint64_t)s.num * den <= s.den;
    return beyond ? s : (struct speed){1, den};
}
