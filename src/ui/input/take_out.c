/* What leaves the screen: the line that reproduces what is shown, a picture in a file, a text for the clipboard. And the way back: a run that opens
 * at an event. */
#include "ui/input/commands.h"
#include "base/text.h"
#include "ui/input/requests.h"
#include "ui/input/ui.h"
#include "ui/panes/panes.h"
#include "ui/term/picture.h"
#include "ui/term/screen.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Only such a layout has a name that another machine knows. */
static bool is_shipped(const struct ui *u, const struct layout *l)
{
    const char *path = layout_path(l), *dir = u->cfg->layout_dir;
    return path && dir && strncmp(path, dir, strlen(dir)) == 0;
}

/* Adds what the line needs to open at this instant: the event, the layout and the selection. */
static void add_instant(const struct ui *u, char *line, size_t size)
{
    size_t at = strlen(line);
    if (at < size)
        at += (size_t)snprintf(line + at, size - at, " --at %llu", (unsigned long long)u->run->st.events);
    if (u->screen && is_shipped(u, u->layouts.requested) && at < size)
        at += (size_t)snprintf(line + at, size - at, " --layout %s", layout_name(u->layouts.requested));
    if (u->select.tag && at < size)
        snprintf(line + at, size - at, " --select %c%u", "?pmg"[thing_kind(u->select.tag)], thing_id(u->select.tag));
}

bool take_share(struct ui *u, const char *arg)
{
    (void)arg;
    if (u->run->st.was_free) {
        ui_note_text(u, TX_SHARE_FREE);
    } else if (!u->ops->share(u->run->session, u->box.share, sizeof u->box.share)) {
        ui_note_text(u, TX_SHARE_PAUSE);
    } else {
        add_instant(u, u->box.share, sizeof u->box.share);
        ui_open(u, BOX_SHARE);
    }
    return true;
}

/* Without a name, the file is called as the scenario is. */
bool take_record(struct ui *u, const char *arg)
{
    char file[240], why[300];
    const struct session_status *st = &u->run->st;
    bool replace = *arg == '!';
    arg += replace;
    arg += strspn(arg, " ");
    if (*arg)
        snprintf(file, sizeof file, "%s", arg);
    else
        snprintf(file, sizeof file, "%s.run", st->name);
    const struct text *refusal = u->ops->refusal(u->run->session, CAN_RECORD);
    if (refusal)
        return command_fail(u, 0, refusal->in[u->lang]);
    if (u->ops->record(u->run->session, file, replace, u->lang, why, sizeof why))
        ui_note(u, tx(u->lang, st->over ? TX_NOTE_RECORDED : TX_NOTE_RECORDS), file);
    else
        return command_fail(u, 0, why);
    return true;
}

/* The picture is taken from the next frame, on which the command line is gone. */
bool take_picture(struct ui *u, const char *arg)
{
    if (!picture_named(arg) || strlen(arg) >= sizeof u->picture.path)
        return command_fail(u, 0, tx(u->lang, TX_WRONG_PICTURE));
    snprintf(u->picture.path, sizeof u->picture.path, "%s", arg);
    u->picture.at_stop = false;
    u->loop.dirty = true;
    return true;
}

bool take_picture_due(const struct ui *u)
{
    const struct session_status *st = &u->run->st;
    return u->picture.path[0] && (!u->picture.at_stop || st->ended || (st->paused && (st->still || st->back)));
}

int take_picture_now(struct ui *u)
{
    int err = picture_write(&u->canvas, u->theme, u->picture.path);
    if (err)
        ui_note(u, tx(u->lang, TX_NOTE_NOT_WRITTEN), u->picture.path, strerror(err));
    else
        ui_note(u, tx(u->lang, TX_NOTE_WRITTEN), u->picture.path);
    u->picture.path[0] = '\0';
    return err;
}

bool take_copy(struct ui *u, const char *arg)
{
    char text[sizeof u->box.share] = "";
    if (*arg && strcmp(arg, "share") != 0)
        return command_fail(u, 0, tx(u->lang, TX_WRONG_COPY));
    if (*arg) {
        if (!u->run->st.was_free && u->ops->share(u->run->session, text, sizeof text))
            add_instant(u, text, sizeof text);
        else
            ui_note_text(u, u->run->st.was_free ? TX_SHARE_FREE : TX_SHARE_PAUSE);
    } else {
        struct view v = ui_view(u, LEFT);
        char buf[SENTENCE_BYTES];
        if (v.nev)
            snprintf(text, sizeof text, "%s", sentence_of(&v, &v.ev[v.nev - 1], buf));
    }
    if (!text[0])
        return true;
    screen_copy(u->screen, text);
    ui_note(u, tx(u->lang, TX_NOTE_COPIED), text);
    return true;
}

void take_begin(struct ui *u)
{
    const struct ui_config *c = u->cfg;
    if (c->picture) {
        snprintf(u->picture.path, sizeof u->picture.path, "%s", c->picture);
        u->picture.at_stop = true;
    }
    if (c->select)
        u->select.tag = c->select;
    if (c->at)
        ui_until_event(u, c->at);
}
