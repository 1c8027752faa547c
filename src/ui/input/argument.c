/* What a person writes after a command's name: numbers, and mistakes. */
#include "ui/input/commands.h"
#include "ui/input/ui.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool command_number(const char *s, uint64_t *n)
{
    char *end;
    errno = 0; /* ERANGE: it is too large */
    *n = strtoull(s, &end, 10);
    return *s >= '0' && *s <= '9' && !*end && !errno;
}

bool command_fail(struct ui *u, int at, const char *what)
{
    prompt_fail(&u->command.prompt, u->command.arg_at + at, what);
    return false;
}

/* The first names that fit, and "…" if there are more. */
static void list_names(const char *const *names, size_t n, char *buf, size_t size)
{
    size_t at = 0, i = 0;
    buf[0] = '\0';
    for (; i < n && at + strlen(names[i]) + sizeof ",  …" <= size; i++)
        at += (size_t)snprintf(buf + at, size - at, "%s%s", i ? ", " : "", names[i]);
    if (i < n && at)
        snprintf(buf + at, size - at, " …");
}

bool command_fail_name(struct ui *u, enum text_id what, const char *arg, const char *const *names, size_t n)
{
    char text[256], list[40];
    const char *near = diag_nearest(arg, names, n);
    size_t at = (size_t)snprintf(text, sizeof text, tx(u->lang, what), arg);
    list_names(names, n, list, sizeof list);
    if (at < sizeof text && (near || list[0]))
        snprintf(text + at, sizeof text - at, tx(u->lang, near ? TX_NEAREST : TX_THERE_ARE), near ? near : list);
    return command_fail(u, 0, text);
}
