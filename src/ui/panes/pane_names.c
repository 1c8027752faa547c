/* The names of panes. The table of panes is above all panes; what a lesson hides is not. */
#include "ui/panes/pane.h"

const char *pane_name(int kind)
{
    static const char *const name[PANES] = {
#define PANE(name, title, columns, rows) [PANE_##name] = #name,
#include "ui/panes/panes.def"
#undef PANE
    };
    return name[kind];
}
