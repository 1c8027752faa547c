/* The messages about a scenario, as `gmpscope lint` shows them, without the file. */
#ifndef GMPSCOPE_TESTS_MESSAGES_H
#define GMPSCOPE_TESTS_MESSAGES_H

#include "base/diag.h"
#include "scenario/scenario.h"
#include "t.h"
#include <stdio.h>
#include <stdlib.h>

/* Returns all messages of a file, or as many as are shown without a request for all, as "LINE:COL: text\n…"; "" if it is good. The caller frees
 * it. */
static inline char *messages_of(const char *path, bool all)
{
    struct diag d;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    diag_init(&d, path);
    if (all)
        d.max = DIAG_ALL;
    struct scenario *sc = scenario_load(path, &d);
    CHECK((sc == NULL) == (d.count > 0));
    for (int i = 0; i < d.kept; i++)
        fprintf(out, "%u:%u: %s\n", d.item[i].line, d.item[i].col, d.item[i].text);
    fclose(out);
    scenario_free(sc);
    diag_fini(&d);
    return text;
}

static inline void check_messages(const char *file, int line, const char *yaml, const char *want, bool all)
{
    char *got = messages_of(t_file("f.yaml", yaml), all);
    t_check_str(file, line, "the messages", got, want);
    free(got);
}
#define MESSAGES(yaml, want) check_messages(__FILE__, __LINE__, yaml, want, false)
#define ALL_MESSAGES(yaml, want) check_messages(__FILE__, __LINE__, yaml, want, true)

#endif
