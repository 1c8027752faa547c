/* Connections in a scenario: declared one by one or as arrays; and their ends in operations: "c.a", "c[EXPR].b". */
#include "scenario/scenario_internal.h"
#include <string.h>
#include <sys/resource.h>

#define OTHER_DESCRIPTORS 64u /* descriptors that the program itself has open, and some spare ones */

uint32_t conn_count(const struct yscenario *y, unsigned i)
{
    return y->conns[i].count ? *y->conns[i].count : 1;
}

/* Each conn is two sockets. A lack of descriptors is reported at load time; once a run has started it is too late. */
void check_conns(struct compiler *c)
{
    const struct yscenario *y = c->sc->y;
    const struct ynode *list = yaml_get(c->root, "conns");
    struct rlimit r = {.rlim_max = RLIM_INFINITY};
    uint64_t n = 0, may;
    for (unsigned i = 0; i < y->conns_count; i++) {
        n += conn_count(y, i);
        if (conn_count(y, i) == 0)
            bad(c, yaml_get(list->item[i], "count"), 0, "count: expected 1 or more, got 0");
    }
    getrlimit(RLIMIT_NOFILE, &r);
    may = r.rlim_max > OTHER_DESCRIPTORS ? (r.rlim_max - OTHER_DESCRIPTORS) / 2 : 0;
    if (n > may)
        bad(c, yaml_key(c->root, "conns"), 0,
            "%llu conns need %llu descriptors; this process may have %llu (ulimit -Hn), enough for %llu conns", (unsigned long long)n,
            (unsigned long long)(2 * n), (unsigned long long)r.rlim_max, (unsigned long long)may);
}

/* Returns the length of the name in "NAME.a" or "NAME[EXPR].a"; 0: the text has neither form. *dot: the position of
 * the last dot. */
static size_t name_length(const char *s, size_t *dot)
{
    const char *last = strrchr(s, '.'), *bracket = strchr(s, '[');
    if (!last || last == s || bracket == s)
        return 0;
    *dot = (size_t)(last - s);
    if (!bracket)
        return *dot;
    return bracket < last && last[-1] == ']' ? (size_t)(bracket - s) : 0;
}

bool compile_end(struct compiler *c, const struct ynode *at, struct op *out)
{
    size_t dot = 0, len = name_length(at->text, &dot);
    if (len == 0) {
        bad(c, at, 0, "\"%s\" is not an end of a conn; write NAME.a or NAME.b", at->text);
        return false;
    }
    char *name = arena_strndup(c->a, at->text, len);
    int i = name ? names_resolve(c, NS_CONNS, at, name) : -1;
    if (i < 0)
        return false;
    const char *side = at->text + dot + 1;
    out->u.io.name = (uint32_t)i;
    out->u.io.side = side[0] == 'b';
    const struct yconn *y = &c->sc->y->conns[i];
    if ((side[0] != 'a' && side[0] != 'b') || side[1] != '\0')
        bad(c, at, dot + 1, "\"%s\" is not an end of a conn; its ends are a and b", side);
    else if (len < dot && !y->count)
        bad(c, at, len, "\"%s\" is a single conn; write \"%s%s\"", y->name, y->name, at->text + dot);
    else if (len < dot)
        return (out->u.io.at = compile_part(c, at, len + 1, dot - len - 2, false)) != NULL;
    else if (y->count)
        bad(c, at, 0, "\"%s\" is an array of conns; write \"%s[EXPR]%s\"", y->name, y->name, at->text + dot);
    else
        return true;
    return false;
}
