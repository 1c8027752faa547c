/* A search runs on the screen's own thread, because nothing else can be done before its result is known. So it looks for keys itself. A
 * search that is over soon shows nothing and takes no keys: they belong to what comes after it. */
#include "ui/history_search.h"
#include "base/wall.h"
#include "ui/term/keycodes.h"

#include <stdio.h>

enum { QUIET_MS = 300, FRAME_MS = 100 };

static void show_progress(struct ui *u, uint64_t at)
{
    struct rect row = {0, u->h - 1, u->w, 1};
    char text[200];
    snprintf(text, sizeof text, tx(u->lang, TX_SEARCHING), (unsigned long long)at, (unsigned long long)u->run->st.newest);
    canvas_hline(&u->canvas, row, 0, row.y, u->w, ROLE_plain, ' ');
    canvas_text(&u->canvas, row, 1, row.y, ROLE_sentence_now, text);
    screen_show(u->screen, &u->canvas);
}

bool history_search_goes_on(void *ctx, uint64_t at)
{
    struct ui *u = ctx;
    struct searching *s = &u->searching;
    int64_t now = wall_ms();
    s->since = s->since ? s->since : now;
    s->at = at;
    if (now - s->since < QUIET_MS)
        return true;
    uint32_t code = screen_key(u->screen);
    s->ended = code && code != KEY_CODE_MOUSE;
    if (!s->ended && now - s->shown >= FRAME_MS && !screen_behind(u->screen)) {
        s->shown = now;
        show_progress(u, at);
    }
    return !s->ended;
}
