/* The help screen: every key of the table, and what the state letters mean. */
#include "ui/keys.h"
#include "ui/panes.h"
#include "ui/ui.h"

enum { WIDTH = 66, NAME_W = 10 };

static void fill(struct canvas *c, struct rect r)
{
    for (int y = r.y; y < r.y + r.h; y++)
        canvas_hline(c, r, r.x, y, r.w, ROLE_plain, ' ');
}

static int draw_keys(struct canvas *c, struct rect in, enum lang lang, int y)
{
    for (int i = 0; i < nkeys; i++, y++) {
        canvas_right(c, in, in.x + NAME_W - 1, y, ROLE_key, keys[i].name);
        canvas_text(c, in, in.x + NAME_W + 2, y, ROLE_plain, tx(lang, keys[i].help));
    }
    return y;
}

static void draw_legend(struct canvas *c, struct rect in, enum lang lang, int y)
{
    for (int i = 0; i < nletters; i++, y++) {
        canvas_put(c, in, in.x + NAME_W - 1, y, letters[i].role, (uint32_t)letters[i].letter);
        canvas_text(c, in, in.x + NAME_W + 2, y, ROLE_plain, tx(lang, letters[i].meaning));
    }
    canvas_put(c, in, in.x + NAME_W - 1, y, ROLE_changed, '*');
    canvas_text(c, in, in.x + NAME_W + 2, y++, ROLE_plain, tx(lang, TX_LEGEND_STAR));
    canvas_right(c, in, in.x + NAME_W - 1, y, ROLE_heading, tx(lang, TX_COL_TICK));
    canvas_text(c, in, in.x + NAME_W + 2, y, ROLE_plain, tx(lang, TX_LEGEND_61));
}

/* In the middle, as large as it needs; on a low screen the keys come first. */
void help_draw(struct canvas *c, enum lang lang)
{
    int w = c->w < WIDTH ? c->w : WIDTH, need = nkeys + nletters + 6, h = c->h < need ? c->h : need;
    struct rect r = {(c->w - w) / 2, (c->h - h) / 2, w, h};
    fill(c, r);
    struct rect in = canvas_box(c, r, ROLE_focus, tx(lang, TX_HELP));
    canvas_right(c, r, r.x + r.w - 3, r.y + r.h - 1, ROLE_dim, tx(lang, TX_HELP_CLOSE));
    int y = draw_keys(c, in, lang, in.y);
    draw_legend(c, in, lang, y + 1);
}
