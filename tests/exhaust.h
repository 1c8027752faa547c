/* For tests of --exhaust: the values of a query over all schedules. */
#ifndef GMPSCOPE_TESTS_EXHAUST_H
#define GMPSCOPE_TESTS_EXHAUST_H

#include "base/prng.h"
#include "shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* gmpscope COMMAND FILE REST */
static struct result *on(const char *command, const char *file, const char *rest)
{
    char line[1000];
    snprintf(line, sizeof line, "gmpscope %s '%s' %s", command, file, rest);
    return shell(line);
}

static struct prng rand_of;

/* Returns the values of a query over all schedules, without how often each came; "" if not all were tried. *schedules: how many there are. */
static void values(const char *file, const char *query, const char *options, char *out, size_t size, long *schedules)
{
    char rest[500];
    snprintf(rest, sizeof rest, "--exhaust --json --tally '%s' %s", query, options);
    const char *json = on("explore", file, rest)->out, *at = strstr(json, "\"tally\":["), *n = strstr(json, "\"schedules\":");
    char *one[100];
    size_t ones = 0, len = 0;
    out[0] = '\0';
    if (!at || !strstr(json, "\"ended\":\"all\""))
        return;
    *schedules = n ? atol(n + 12) : 0;
    while (ones < 100 && (at = strstr(at, "{\"value\":"))) {
        const char *end = strstr(at, ",\"times\"");
        one[ones++] = strndup(at, (size_t)(end - at));
        at = end;
    }
    for (size_t i = 0; i < ones; i++) /* in order */
        for (size_t k = i + 1; k < ones; k++)
            if (strcmp(one[i], one[k]) > 0) {
                char *swap = one[i];
                one[i] = one[k];
                one[k] = swap;
            }
    for (size_t i = 0; i < ones; i++) {
        len += len < size ? (size_t)snprintf(out + len, size - len, "%s\n", one[i]) : 0;
        free(one[i]);
    }
}

#endif
