/* :about: the title and the summary of the run, whole. A narrow screen cuts both in the row above the keys. */
#include "ui/boxes/boxes.h"

#include "ui/panes/parts/wrap.h"

enum { WIDTH = 76, EDGES = 2, MARGINS = 4 };

static void draw(struct ui *u)
{
    struct canvas *c = &u->canvas;
    const struct session_status *st = &u->run->st;
    const char *title = text_in(&st->title, u->lang), *summary = text_in(&st->summary, u->lang), *name = st->name ? st->name : "";
    int w = c->w < WIDTH ? c->w : WIDTH, titles = wrap_lines(title, w - MARGINS), rows = titles + 1 + wrap_lines(summary, w - MARGINS);
    int h = rows + EDGES < c->h ? rows + EDGES : c->h;
    struct rect in = box_frame(c, (struct rect){(c->w - w) / 2, box_y(u, h), w, h}, name, tx(u->lang, TX_HELP_CLOSE));
    wrap_draw(c, (struct rect){in.x + 1, in.y, w - MARGINS, in.h}, ROLE_sentence_now, title);
    wrap_draw(c, (struct rect){in.x + 1, in.y + titles + 1, w - MARGINS, in.h - titles - 1}, ROLE_sentence, summary);
}

const struct box_ops box_about = {.draw = draw};
