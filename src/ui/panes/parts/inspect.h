/* What Inspect shows of a G, an M, a P or the scheduler: Go's fields with their values and meanings, and why the G, M or P is there. For
 * pane_inspect.c. */
#ifndef GMPSCOPE_UI_PANES_PARTS_INSPECT_H
#define GMPSCOPE_UI_PANES_PARTS_INSPECT_H

#include "ui/panes/panes.h"

enum { FIELDS_MAX = 20, FIELD_TAGS = 12, VALUE_BYTES = 64, MEANING_BYTES = 160, WHY_BYTES = 200 };

struct field {
    const char *name;                      /* from Go's source, or a word of the screen */
    uint32_t tag[FIELD_TAGS], ntags, more; /* the Gs, Ms or Ps that it names come first; `more` of them do not fit */
    char value[VALUE_BYTES];
    char meaning[MEANING_BYTES];
};

struct sheet {
    struct field v[FIELDS_MAX];
    int n;
};

/* Fills in the fields of the selected G, M or P in the state `md`; tag 0: those of the scheduler. A G, M or P that does not exist has no
 * fields. preempt: whether the G was asked to stop; -1: not known. */
void inspect_fields(struct sheet *s, const struct view *v, const struct model *md, uint32_t tag, int preempt);
/* Writes why a G, an M or a P is there, in one sentence. */
void inspect_why(const struct view *v, uint32_t tag, char *buf, size_t size);

#endif
