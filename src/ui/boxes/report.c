/* :wait: a report as rows with a cursor. Its first row is the title. Enter goes to the event of a row. */
#include "ui/boxes/boxes.h"

#include "ui/input/reports.h"
#include "ui/input/requests.h"
#include "ui/panes/parts/event_list.h"
#include "ui/panes/parts/scroll.h"
#include "ui/panes/parts/wrap.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 110, EDGES = 2, MARGIN = 1, FULL_MOST = 3 };

static int rows_of(const struct report_box *b)
{
    return b->rows.row.n ? (int)b->rows.row.n - 1 : 0;
}

static bool key(struct ui *u, uint32_t code)
{
    struct report_box *b = &u->box.report;
    int by = scroll_key(code), clicked;
    report_fetch(u); /* the key may be typed before the first picture */
    b->row = b->row > 1 ? b->row : 1;
    if (by) {
        b->row = 1 + scroll_to(b->row - 1, by, b->room, rows_of(b));
        return true;
    }
    if (code == KEY_CODE_CLICK && (clicked = (int)box_clicked(u)) > 0) {
        if (clicked == b->row)
            report_go(u);
        b->row = clicked;
        return true;
    }
    if (code == KEY_RETURN) {
        report_go(u);
        return true;
    }
    if (code < 128 && code && strchr("sSnNbBgG", (int)code)) /* they move through the run while the box stays open */
        return false;
    ui_open(u, BOX_NONE);
    return code == KEY_ESCAPE || code == KEY_CODE_CLICK;
}

/* Writes what the box has instead of rows, or below them. */
static void progress_text(const struct ui *u, const struct report_box *b, char *buf, size_t size)
{
    buf[0] = '\0';
    if (b->gone)
        snprintf(buf, size, "%s", tx(u->lang, TX_REPORT_GONE));
    else if (report_goes_on(u) || !b->report)
        snprintf(buf, size, tx(u->lang, TX_REPORT_READS), (unsigned long long)b->at, (unsigned long long)b->shown);
    else if (report_is_empty(b->report))
        snprintf(buf, size, "%s", tx(u->lang, TX_REPORT_EMPTY));
    else if (b->oldest)
        snprintf(buf, size, tx(u->lang, TX_REPORT_PARTLY), (unsigned long long)b->oldest + 1);
}

static void draw_row(struct ui *u, struct rect in, int y, int i)
{
    const struct report_box *b = &u->box.report;
    const struct report_row *row = &b->rows.row.v[i];
    char line[REPORT_LINE];
    enum role role = i == b->row ? ROLE_sentence_now : row->depth ? ROLE_sentence : ROLE_number;
    box_row(&u->canvas, in, y, (uint32_t)i);
    canvas_text(&u->canvas, in, in.x, y, role, i == b->row ? "▶" : " ");
    if (i == b->row)
        canvas_cursor(&u->canvas, in.x, y, false);
    list_text(&u->canvas, in, in.x + 1, y, in.w - 2, role, report_line(row, line));
    u->canvas.tag = 0;
}

static void draw(struct ui *u)
{
    struct report_box *b = &u->box.report;
    struct canvas *c = &u->canvas;
    char state[160], line[REPORT_LINE];
    int n = rows_of(b), w = c->w < WIDTH ? c->w : WIDTH, full = 0;
    progress_text(u, b, state, sizeof state);
    bool shown = !*state || b->oldest;
    n = shown && !b->gone ? n : 0;
    b->row = b->row > n ? n : b->row < 1 && n ? 1 : b->row;
    const char *chosen = n ? report_line(&b->rows.row.v[b->row], line) : "";
    if (text_width(chosen) > w - EDGES - 2) /* it does not fit: the whole of it is below the rows */
        full = wrap_lines(b->rows.row.v[b->row].text, w - EDGES - 2);
    full = full < FULL_MOST ? full : FULL_MOST;
    int more = full + (*state != '\0'), most = c->h - EDGES - 1, rows = n + more < most ? n + more : most;
    struct rect r = {(c->w - w) / 2, box_y(u, rows + EDGES), w, rows + EDGES};
    struct rect in = box_frame(c, r, n ? b->rows.row.v[0].text : tx(u->lang, TX_REPORT), tx(u->lang, TX_REPORT_KEYS));
    b->room = in.h - more > 0 ? in.h - more : 1;
    b->top = scroll_top(b->top, b->row - 1, b->room, n);
    for (int i = 0; i < b->room && b->top + i < n; i++)
        draw_row(u, in, in.y + i, 1 + b->top + i);
    int y = in.y + (n < b->room ? n : b->room);
    if (full)
        wrap_draw(c, (struct rect){in.x + 1, y, in.w - 2, full}, ROLE_dim, b->rows.row.v[b->row].text);
    if (*state)
        list_text(c, in, in.x + 1, n ? y + full : in.y, in.w - 2, ROLE_dim, state);
}

const struct box_ops box_report = {.fetch = report_fetch, .key = key, .draw = draw};
