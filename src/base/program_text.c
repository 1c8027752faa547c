#include "base/program_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool program_place(const struct program_text *t, uint32_t line, char *buf, size_t size)
{
    uint32_t i = t ? t->nfiles : 0;
    while (i > 0 && t->file[i - 1].first > line)
        i--;
    if (i == 0 || line >= t->nlines)
        return false;
    const char *slash = strrchr(t->file[i - 1].name, '/');
    snprintf(buf, size, "%s:%u", slash ? slash + 1 : t->file[i - 1].name, line - t->file[i - 1].first + 1);
    return true;
}

void program_text_free(struct program_text *t)
{
    if (!t)
        return;
    free(t->text);
    free(t->line);
    free(t->file);
    free(t->op);
    free(t->fn);
    free(t);
}
