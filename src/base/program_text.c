#include "base/program_text.h"

#include <stdlib.h>

void program_text_free(struct program_text *t)
{
    if (!t)
        return;
    free(t->text);
    free(t->line);
    free(t->op);
    free(t->fn);
    free(t);
}
