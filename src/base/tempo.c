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
