/* See tour.h. */
#include "ui/tour.h"

#include "base/wall.h"
#include "ui/input/lesson_answers.h"
#include "ui/input/requests.h"
#include "ui/panes/parts/wrap.h"
#include "ui/term/keycodes.h"

#include <stdio.h>
#include <string.h>

enum { KEY_MS = 900, LETTER_MS = 60, LOOK_MS = 2500, TEXT_ROWS = 3, USUAL_WPM = 160 };

static const struct tour_step *step_of(const struct ui *u)
{
    const struct tour_scene *s = u->cfg->tour;
    return s && u->tour.at < s->n ? &s->step[u->tour.at] : NULL;
}

/* Scales a time to the speed of reading. */
static int64_t scaled(const struct ui *u, int ms)
{
    return (int64_t)ms * USUAL_WPM / (u->cfg->wpm ? u->cfg->wpm : USUAL_WPM);
}

static const char *text_of(const struct ui *u)
{
    const struct tour_step *s = step_of(u);
    return s ? text_in(&s->text, u->lang) : "";
}

/* When the next key or the next step is due. Letters of a command follow each other faster. */
static int64_t due(const struct ui *u)
{
    const struct tour_step *s = step_of(u);
    if (s->keys[u->tour.key])
        return u->tour.since + scaled(u, u->command.prompt.open ? LETTER_MS : KEY_MS);
    int64_t read = u->tour.begun + lesson_reading_ms(text_of(u), u->cfg->wpm), look = u->tour.since + scaled(u, LOOK_MS);
    return read > look ? read : look;
}

/* A key is for a run that rests, because it may need what the one before it asked for. */
static bool waits(const struct ui *u)
{
    const struct session_status *st = &u->run->st;
    bool choosing = u->box.kind == BOX_CHOOSE && u->box.choose.shown.state == CHOICE_MAKING;
    bool moves = *step_of(u)->keys && !st->still && !st->back && !st->ended;
    return choosing || moves || u->command.until[0] || !u->run->stops.shown.md;
}

int tour_due(const struct ui *u)
{
    if (!step_of(u) || u->tour.paused)
        return -1;
    int64_t left = due(u) - wall_ms();
    return waits(u) ? 20 : left > 0 ? (int)left : 0;
}

static uint32_t code_of(char c)
{
    return c == '\t' ? KEY_CODE_DOWN : c == '\r' ? KEY_RETURN : (uint32_t)(unsigned char)c;
}

static void next_step(struct ui *u)
{
    u->tour.at++;
    u->tour.key = 0;
    u->tour.begun = u->tour.since = wall_ms();
    u->loop.dirty = true;
    if (step_of(u))
        return;
    u->cfg->tour->finished = true;
    ui_leave(u, 0);
}

uint32_t tour_key(struct ui *u)
{
    const struct tour_step *s = step_of(u);
    if (!s || u->tour.paused)
        return 0;
    if (!u->tour.since)
        u->tour.begun = u->tour.since = wall_ms();
    if (waits(u) || wall_ms() < due(u))
        return 0;
    if (!s->keys[u->tour.key]) {
        next_step(u);
        return 0;
    }
    u->tour.since = wall_ms();
    return code_of(s->keys[u->tour.key++]);
}

/* Without a screen a command is a line, and a row of the box for decisions is its number. */
enum tour_read tour_read(struct ui *u, char *line, size_t size)
{
    const struct tour_step *s = step_of(u);
    if (s && u->tour.since && !s->keys[u->tour.key]) {
        next_step(u);
        u->tour.since = 0;
        s = step_of(u);
    }
    if (!s)
        return TOUR_OVER;
    if (!u->tour.since) {
        u->tour.since = wall_ms();
        snprintf(line, size, "%s", text_of(u));
        return TOUR_TEXT;
    }
    const char *keys = s->keys + u->tour.key;
    size_t rows = strspn(keys, "\t"), len = *keys == ':' ? strcspn(keys, "\r") : 1;
    if (rows)
        snprintf(line, size, "%zu", rows);
    else
        snprintf(line, size, "%.*s", (int)len, keys);
    len = rows ? rows : len;
    u->tour.key += (int)(len + (keys[len] == '\r'));
    return TOUR_LINE;
}

void tour_take(struct ui *u, uint32_t code)
{
    if (code == 'q' || code == KEY_CTRL('c')) {
        ui_leave(u, code == 'q' ? 0 : 130);
        return;
    }
    if (code == KEY_CODE_OTHER || code == KEY_CODE_MOUSE)
        return;
    u->tour.paused = !u->tour.paused;
    u->tour.begun = u->tour.since = wall_ms(); /* the text is read from its beginning */
    u->loop.dirty = true;
}

int tour_rows(const struct ui *u)
{
    return u->cfg->tour && (*text_of(u) || u->tour.paused) ? TEXT_ROWS + 2 : 0; /* without a text the picture has all rows */
}

void tour_draw(struct ui *u)
{
    char title[80];
    int rows = tour_rows(u);
    if (!rows)
        return;
    struct rect r = {0, u->canvas.h - rows, u->canvas.w, rows};
    snprintf(title, sizeof title, "%s", tx(u->lang, u->tour.paused ? TX_TOUR_PAUSED : TX_TOUR));
    struct rect in = canvas_box(&u->canvas, r, ROLE_focus, title);
    wrap_draw(&u->canvas, (struct rect){in.x + 1, in.y, in.w - 2, in.h}, ROLE_sentence_now, text_of(u));
}
