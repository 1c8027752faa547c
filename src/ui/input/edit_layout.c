/* Editing the layout while it is shown: :split, :pane, :resize, :write-layout, and the file that changes on disk.
 *
 * Edits go into a copy, so the loaded layout can be shown again. Each command places the panes for itself: several may come between two
 * frames. */
#include "ui/input/edit_layout.h"

#include "ui/input/commands.h"
#include "ui/input/requests.h"

#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

/* The pane with the focus: where it is and its number in the layout. */
struct focus {
    struct layout *layout; /* NULL: none has the focus, or memory ran out */
    struct layout_pane pane;
};

static struct focus focused(struct ui *u)
{
    struct layout_pane pane[PANES_MAX];
    struct focus f = {.layout = NULL};
    const struct layout *shown = layouts_pick(&u->layouts, u->w, u->h);
    int n = shown ? layout_solve(shown, u->w, u->h, pane, PANES_MAX) : 0, at = select_pane(&u->select, pane, n);
    if (at < 0) {
        command_fail(u, 0, tx(u->lang, TX_WRONG_FOCUS));
        return f;
    }
    f.pane = pane[at];
    f.layout = layouts_edit(&u->layouts, shown);
    return f;
}

/* The focus stays at this place of the layout, whatever pane is there now. */
static void keep_focus(struct ui *u, const struct focus *f)
{
    struct layout_pane pane[PANES_MAX];
    int n = layout_solve(f->layout, u->w, u->h, pane, PANES_MAX);
    for (int i = 0; i < n; i++)
        if (pane[i].leaf == f->pane.leaf)
            select_focus(&u->select, pane, i);
    u->fallback.l = NULL;
    u->placed.stale = true;
}

bool layout_do_split(struct ui *u, const char *arg)
{
    char text[96];
    int split = 0;
    while (split < LAYOUT_SPLITS && strcmp(layout_split_name[split], arg) != 0)
        split++;
    if (split == LAYOUT_SPLITS)
        return command_fail(u, 0, tx(u->lang, TX_WRONG_SPLIT));
    struct focus f = focused(u);
    snprintf(text, sizeof text, tx(u->lang, TX_WRONG_SPLIT_MANY), LAYOUT_PANES_MAX);
    if (!f.layout)
        return false;
    if (!layout_divide(f.layout, f.pane.leaf, (enum layout_split)split))
        return command_fail(u, 0, text);
    keep_focus(u, &f);
    return true;
}

bool layout_do_pane(struct ui *u, const char *arg)
{
    const char *names[PANES];
    int kind = 0;
    for (int i = 0; i < PANES; i++)
        names[i] = pane_name(i);
    while (kind < PANES && strcmp(names[kind], arg) != 0)
        kind++;
    if (kind == PANES)
        return command_fail_name(u, TX_WRONG_PANE, arg, names, PANES);
    if (!u->screen) {
        u->says = kind + 1;
        return true;
    }
    struct focus f = focused(u);
    if (!f.layout)
        return false;
    layout_replace(f.layout, f.pane.leaf, kind, &pane_kinds);
    keep_focus(u, &f);
    return true;
}

bool layout_do_resize(struct ui *u, const char *arg)
{
    char *end;
    long by = strtol(arg, &end, 10);
    if (!strchr("+-", arg[0]) || end == arg || *end || by < -1000 || by > 1000)
        return command_fail(u, 0, tx(u->lang, TX_WRONG_RESIZE));
    struct focus f = focused(u);
    if (!f.layout)
        return false;
    if (!layout_resize(f.layout, f.pane.leaf, u->w, u->h, (int)by, &pane_kinds))
        return command_fail(u, 0, tx(u->lang, TX_WRONG_RESIZE_ROOM));
    keep_focus(u, &f);
    return true;
}

/* ---- files ---- */

/* A file that is there may only be replaced if it is a layout, so that a slip of the finger destroys nothing. */
static bool may_replace(const char *path)
{
    struct diag d;
    if (access(path, F_OK) != 0)
        return true;
    diag_init(&d, path);
    struct layout *old = layout_load(path, &pane_kinds, &d);
    diag_fini(&d);
    layout_free(old);
    return old != NULL;
}

/* The name of a layout file is that of its layout, if it can be one. */
static void name_for(const char *path, const struct layout *l, char *name, size_t size)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    snprintf(name, size, "%.*s", (int)(dot && dot > base ? (size_t)(dot - base) : strlen(base)), base);
    if (!layout_name_valid(name))
        snprintf(name, size, "%s", layout_name(l));
}

bool layout_do_write(struct ui *u, const char *arg)
{
    char name[LAYOUT_NAME_MAX], text[256];
    const struct layout *shown = layouts_pick(&u->layouts, u->w, u->h);
    if (!shown)
        return true; /* no key works then */
    if (!may_replace(arg)) {
        snprintf(text, sizeof text, tx(u->lang, TX_WRONG_LAYOUT_FILE), arg);
        return command_fail(u, 0, text);
    }
    name_for(arg, shown, name, sizeof name);
    int err = layout_save(shown, name, &pane_kinds, arg);
    if (err) {
        snprintf(text, sizeof text, tx(u->lang, TX_NOTE_NOT_WRITTEN), arg, strerror(err));
        return command_fail(u, 0, text);
    }
    if (!layout_path(shown) && shown == u->layouts.requested)
        layout_held_by(u->layouts.requested, arg);
    ui_note(u, tx(u->lang, TX_NOTE_WRITTEN), arg);
    return true;
}

/* ---- a file that changes ---- */

int layout_watch(const struct ui *u)
{
    char folder[4096];
    const char *path = u->cfg->layout_path, *slash = strrchr(path, '/');
    if (!u->cfg->layout_asked)
        return -1;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd >= 0 && inotify_add_watch(fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO) < 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Reads what has happened in the folder. Returns true if the file is concerned. */
static bool file_has_changed(int fd, const char *path)
{
    _Alignas(struct inotify_event) char bytes[4096];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    bool changed = false;
    for (ssize_t n; (n = read(fd, bytes, sizeof bytes)) > 0;)
        for (char *at = bytes; at < bytes + n;) {
            const struct inotify_event *e = (const struct inotify_event *)(const void *)at;
            changed |= e->len && strcmp(e->name, name) == 0;
            at += sizeof *e + e->len;
        }
    return changed;
}

void layout_file_changed(struct ui *u, int fd)
{
    struct diag d;
    const char *path = u->cfg->layout_path;
    if (!file_has_changed(fd, path))
        return;
    diag_init(&d, path);
    if (layouts_reload(&u->layouts, path, &d)) {
        ui_show_layout(u);
        ui_note(u, tx(u->lang, TX_NOTE_LAYOUT_AGAIN), path);
    } else if (d.kept) {
        ui_note(u, "%s:%u:%u: %s", path, d.item[0].line, d.item[0].col, d.item[0].text);
    }
    diag_fini(&d);
    u->loop.dirty = true;
}
