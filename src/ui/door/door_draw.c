/* How the list looks: topics and titles on the left, what the chosen scenario shows on the right, keys below. */
#include "ui/door/door_internal.h"

#include "ui/panes/panes.h"
#include "ui/panes/parts/wrap.h"

#include <stdio.h>
#include <string.h>

enum {
    LIST_LEAST = 30,
    LIST_MOST = 60,
    PREVIEW_LEAST = 40,
    PICTURE_LEAST = 5,
    THREADS_LEAST = 5,
    HELP_W = 76,
    HELP_NAME_W = 16,
    TITLE_BYTES = 512
};

/* ---- the list ---- */

static void draw_heading(struct door_screen *s, struct rect row, const char *text)
{
    canvas_hline(&s->canvas, row, row.x, row.y, row.w, ROLE_border, 0x2500);
    int x = canvas_text(&s->canvas, row, row.x + 3, row.y, ROLE_title, text);
    canvas_put(&s->canvas, row, row.x + 2, row.y, ROLE_plain, ' ');
    canvas_put(&s->canvas, row, x, row.y, ROLE_plain, ' ');
}

static bool is_newcomer(const struct door *d)
{
    bool any = d->nrecent > 0;
    for (int i = 0; i < d->n; i++)
        any |= d->entry[i].played;
    return !any;
}

/* Writes the score of a lesson that was played, or where to begin. */
static const char *score_of(const struct door_screen *s, const struct door_entry *e, char *buf, size_t size)
{
    *buf = '\0';
    if (e->played && e->asked)
        snprintf(buf, size, "✓ %u/%u", e->right, e->asked);
    else if (e->played)
        snprintf(buf, size, "✓");
    else if (s->start >= 0 && e == &s->d->entry[s->start])
        snprintf(buf, size, "◀ %s", tx(s->lang, is_newcomer(s->d) ? TX_DOOR_START : TX_DOOR_CONTINUE));
    return buf;
}

/* Returns true if this is one of the last runs. */
static bool is_recent(const struct door_screen *s, int row)
{
    while (row > 0 && s->row[row].kind == ROW_ENTRY)
        row--;
    return s->row[row].kind == ROW_RECENT;
}

/* Writes the text of a row: the title. One of the last runs has the name first, which can be typed after `gmpscope run`. */
static const char *row_text(const struct door_screen *s, int row, char *buf, size_t size)
{
    const struct door_entry *e = &s->d->entry[s->row[row].at];
    const char *title = e->broken ? e->name : text_in(&e->title, s->lang);
    snprintf(buf, size, "%s%s%s", is_recent(s, row) && !e->broken ? e->name : "", is_recent(s, row) && !e->broken ? "  " : "", title);
    return buf;
}

static int title_width(const struct door_screen *s, const struct door_entry *e, int w)
{
    char score[40];
    int by = canvas_width(&s->canvas, score_of(s, e, score, sizeof score));
    return w - 3 - 1 - (by ? by + 1 : 0);
}

/* Sets s->more: the lines that the title of the chosen row needs after its first. */
static void measure(struct door_screen *s, int w)
{
    int i = door_chosen(s);
    const struct door_entry *e = i < 0 ? NULL : &s->d->entry[i];
    char text[TITLE_BYTES];
    int lines = e ? wrap_lines(row_text(s, s->at, text, sizeof text), title_width(s, e, w)) : 1;
    s->more = lines > 1 ? lines - 1 : 0;
}

static void draw_entry(struct door_screen *s, struct rect row, int i)
{
    const struct door_entry *e = &s->d->entry[s->row[i].at];
    char score[40], text[TITLE_BYTES];
    bool chosen = i == s->at;
    enum role role = e->broken ? ROLE_error : chosen ? ROLE_sentence_now : ROLE_plain;
    struct rect title = {row.x + 3, row.y, title_width(s, e, row.w), row.h};
    if (chosen)
        wrap_draw(&s->canvas, title, role, row_text(s, i, text, sizeof text));
    else
        canvas_text(&s->canvas, title, title.x, row.y, role, row_text(s, i, text, sizeof text));
    canvas_right(&s->canvas, row, row.x + row.w - 1, row.y, e->right < e->asked ? ROLE_dim : ROLE_running,
                 score_of(s, e, score, sizeof score));
    if (!chosen)
        return;
    canvas_cursor(&s->canvas, row.x, row.y, false);
    canvas_put(&s->canvas, row, row.x + 1, row.y, ROLE_focus, 0x25b6);
    for (int y = row.y; y < row.y + row.h; y++)
        for (int x = row.x; x < row.x + row.w && x < s->canvas.w; x++)
            s->canvas.cell[y * s->canvas.w + x].chosen = 1;
}

static void draw_row(struct door_screen *s, struct rect row, int i)
{
    if (s->row[i].kind == ROW_TOPIC)
        draw_heading(s, row, text_in(&s->d->topic[s->row[i].at], s->lang));
    else if (s->row[i].kind == ROW_RECENT)
        draw_heading(s, row, tx(s->lang, TX_DOOR_RECENT));
    else
        draw_entry(s, row, i);
}

static void scroll(struct door_screen *s, int h)
{
    bool below_heading = s->at > 0 && s->row[s->at - 1].kind != ROW_ENTRY;
    int first = s->at - below_heading;
    if (s->top > first)
        s->top = first;
    if (s->at + s->more >= s->top + h)
        s->top = s->at + s->more - h + 1;
    if (s->top + h > s->nrows + s->more)
        s->top = s->nrows + s->more - h;
    if (s->top < 0)
        s->top = 0;
}

static void draw_list(struct door_screen *s, struct rect r)
{
    s->list_h = r.h;
    s->list_w = r.w;
    measure(s, r.w);
    scroll(s, r.h);
    if (!s->nrows)
        canvas_text(&s->canvas, r, r.x + 1, r.y, ROLE_dim, tx(s->lang, TX_DOOR_NONE));
    for (int i = s->top, y = 0; i < s->nrows && y < r.h; i++) {
        int lines = i == s->at ? 1 + s->more : 1;
        lines = lines < r.h - y ? lines : r.h - y;
        draw_row(s, (struct rect){r.x, r.y + y, r.w, lines}, i);
        y += lines;
    }
}

/* ---- the chosen one ---- */

static struct rect below(struct rect r, int lines)
{
    lines = lines < r.h ? lines : r.h;
    return (struct rect){r.x, r.y + lines, r.w, r.h - lines};
}

/* Returns the rows that the processors need: a row for each and one for an arrow below it, a heading, the frame. */
static int rows_of(const struct door_picture *p)
{
    int n = p->st.no_p ? 4 : (int)model_np(p->md);
    return (n < 16 ? 2 * n : n) + 3;
}

static void draw_run(struct door_screen *s, const struct door_picture *p, struct rect r)
{
    /* nothing moves, so there are neither marks nor the queue of what is pending */
    struct view v = {.md = p->md, .st = p->st, .ev = &p->ev, .nev = p->ev.number != 0, .lang = s->lang, .answered = -1};
    char buf[SENTENCE_BYTES];
    const char *sentence = p->ev.number ? sentence_of(&v, &p->ev, buf) : "";
    int said = *sentence ? wrap_lines(sentence, r.w - 4) : 0, rows = rows_of(p), left = r.h - said;
    rows = rows < left ? rows : left;
    struct layout_pane pane[2] = {pane_standard(PANE_processors, (struct layout_rect){r.x, r.y, r.w, rows})};
    int n = 1, more = left - rows, threads = (int)model_nm(p->md) + 2;
    if (more >= THREADS_LEAST)
        pane[n++] = pane_standard(PANE_threads, (struct layout_rect){r.x, r.y + rows, r.w, more < threads ? more : threads});
    panes_draw(&v, &s->canvas, pane, n);
    int y = r.y + rows + (n > 1 ? pane[1].rect.h : 0);
    if (said)
        canvas_put(&s->canvas, r, r.x + 1, y, ROLE_focus, 0x25b6);
    wrap_draw(&s->canvas, (struct rect){r.x + 3, y, r.w - 4, said}, ROLE_sentence_now, sentence);
}

/* The last lines: what to watch, what comes next. Returns how many there are. */
static int watch_lines(const struct door_screen *s, const struct door_entry *e, char *watch, size_t size)
{
    const char *text = text_in(&e->watch, s->lang);
    *watch = '\0';
    if (*text)
        snprintf(watch, size, tx(s->lang, TX_DOOR_WATCH), text);
    return *watch != '\0';
}

/* Returns the name of what follows the entry: on the path that is shown, if it is on it. NULL: nothing does. */
static const char *next_of(const struct door_screen *s, int entry)
{
    const struct door_path *p = s->path < s->d->npaths ? &s->d->path[s->path] : NULL;
    for (int i = 0; p && i < p->n; i++)
        if (p->entry[i] == entry)
            return i + 1 < p->n ? s->d->entry[p->entry[i + 1]].name : NULL;
    return s->d->entry[entry].next;
}

/* Writes the generation, the number of Ps, and where the scenario leads. */
static void about(const struct door_screen *s, int entry, char *text, size_t size)
{
    const struct door_entry *e = &s->d->entry[entry];
    const char *next = next_of(s, entry);
    size_t n = (size_t)snprintf(text, size, "%s", e->generation);
    if (e->procs)
        n += (size_t)snprintf(text + n, size - n, tx(s->lang, e->procs == 1 ? TX_DOOR_P : TX_DOOR_PS), e->procs);
    n += (size_t)snprintf(text + n, size - n, "%s", e->lesson ? tx(s->lang, TX_DOOR_LESSON) : "");
    if (next)
        snprintf(text + n, size - n, tx(s->lang, TX_DOOR_NEXT), next);
}

static void draw_words(struct door_screen *s, int entry, struct rect *r)
{
    const struct door_entry *e = &s->d->entry[entry];
    char text[640];
    if (e->broken) {
        *r = below(*r, wrap_draw(&s->canvas, *r, ROLE_error, tx(s->lang, TX_DOOR_BROKEN)));
        return;
    }
    *r = below(*r, wrap_draw(&s->canvas, *r, ROLE_title, text_in(&e->title, s->lang)));
    if (*text_in(&e->summary, s->lang))
        *r = below(*r, wrap_draw(&s->canvas, *r, ROLE_plain, text_in(&e->summary, s->lang)));
    if (watch_lines(s, e, text, sizeof text))
        *r = below(*r, wrap_draw(&s->canvas, *r, ROLE_sentence, text));
    about(s, entry, text, sizeof text);
    *r = below(*r, wrap_draw(&s->canvas, *r, ROLE_dim, text));
    snprintf(text, sizeof text, "$ gmpscope %s %s", e->lesson ? "lesson" : "run", e->name);
    *r = below(*r, wrap_draw(&s->canvas, *r, ROLE_key, text));
}

static void draw_preview(struct door_screen *s, struct rect r)
{
    int i = door_chosen(s);
    if (i < 0)
        return;
    const struct door_entry *e = &s->d->entry[i];
    const struct door_picture *p = e->broken ? NULL : s->d->picture(s->d->ctx, i);
    struct rect in = canvas_box(&s->canvas, r, ROLE_border, e->name), words = {in.x + 1, in.y, in.w - 2, in.h};
    draw_words(s, i, &words);
    struct rect room = {in.x, words.y, in.w, words.h};
    if (p && room.h >= PICTURE_LEAST)
        draw_run(s, p, room);
}

/* ---- the frame ---- */

static void draw_head(struct door_screen *s)
{
    char text[300];
    int n = 0;
    struct rect row = {0, 0, s->canvas.w, 1};
    if (s->compare >= 0)
        snprintf(text, sizeof text, tx(s->lang, TX_DOOR_COMPARE), s->d->entry[s->compare].name);
    else
        n = snprintf(text, sizeof text, tx(s->lang, TX_DOOR_HEAD), s->d->n);
    if (s->compare < 0 && s->path < s->d->npaths) {
        const struct door_path *p = &s->d->path[s->path];
        int played = 0;
        for (int i = 0; i < p->n; i++)
            played += s->d->entry[p->entry[i]].played;
        snprintf(text + n, sizeof text - (size_t)n, tx(s->lang, TX_DOOR_PATH), text_in(&p->title, s->lang), played, p->n);
    }
    canvas_text(&s->canvas, row, 1, 0, s->compare >= 0 ? ROLE_paused : ROLE_title, text);
}

/* Returns what the key line calls the key; TX_NONE: it does not name it. */
static enum text_id label_now(const struct door_screen *s, const struct door_key *k)
{
    if (s->compare < 0)
        return k->label;
    switch (k->label) {
    case TX_DOOR_SHORT_RUN:
        return TX_DOOR_SHORT_WITH_THIS;
    case TX_DOOR_SHORT_COMPARE:
        return TX_DOOR_SHORT_SETTINGS;
    case TX_DOOR_SHORT_LESSON:
    case TX_DOOR_SHORT_PATH:
    case TX_DOOR_SHORT_EDIT:
        return TX_NONE;
    default:
        return k->label;
    }
}

static void draw_keys(struct door_screen *s, struct rect row)
{
    const struct door_key *k;
    int x = row.x + 1;
    for (int i = 0; (k = door_key(i)); i++) {
        enum text_id id = label_now(s, k);
        if (id == TX_NONE)
            continue;
        const char *label = tx(s->lang, id);
        if (x + text_width(k->name) + 1 + text_width(label) > row.w)
            return;
        x = canvas_text(&s->canvas, row, x, row.y, ROLE_key, k->name) + 1;
        x = canvas_text(&s->canvas, row, x, row.y, ROLE_key_text, label) + 2;
    }
}

static int help_lines(void)
{
    int n = 0;
    while (door_key(n))
        n++;
    return n;
}

int door_help_rows(const struct door_screen *s)
{
    return help_lines() < s->canvas.h - 2 ? help_lines() : s->canvas.h - 2;
}

static void draw_help(struct door_screen *s)
{
    struct canvas *c = &s->canvas;
    const struct door_key *k;
    int w = c->w < HELP_W ? c->w : HELP_W, h = door_help_rows(s) + 2;
    bool more = s->help_top + h - 2 < help_lines();
    struct rect r = {(c->w - w) / 2, (c->h - h) / 2, w, h};
    for (int y = r.y; y < r.y + r.h; y++)
        canvas_hline(c, r, r.x, y, r.w, ROLE_plain, ' ');
    struct rect in = canvas_box(c, r, ROLE_focus, tx(s->lang, TX_HELP));
    canvas_right(c, r, r.x + r.w - 3, r.y + r.h - 1, ROLE_dim, tx(s->lang, more ? TX_HELP_PAGES : TX_HELP_CLOSE));
    for (int i = 0; i < in.h && (k = door_key(s->help_top + i)); i++) {
        canvas_right(c, in, in.x + HELP_NAME_W, in.y + i, ROLE_key, k->name);
        canvas_text(c, in, in.x + HELP_NAME_W + 3, in.y + i, ROLE_plain, tx(s->lang, k->help));
    }
}

static void draw_bottom(struct door_screen *s)
{
    struct canvas *c = &s->canvas;
    struct rect row = {0, c->h - 1, c->w, 1};
    if (s->note[0])
        canvas_text(c, row, 1, row.y, ROLE_error, s->note);
    else
        draw_keys(s, row);
}

void door_draw(struct door_screen *s)
{
    struct canvas *c = &s->canvas;
    int hint = s->d->hint && c->h > 10 ? wrap_lines(tx(s->lang, TX_FIRST_HINT), c->w - 2) : 0, h = c->h - 2 - hint;
    int list = c->w / 2;
    list = list < LIST_LEAST ? LIST_LEAST : list > LIST_MOST ? LIST_MOST : list;
    bool beside = c->w - list >= PREVIEW_LEAST;
    canvas_clear(c);
    draw_head(s);
    draw_list(s, (struct rect){0, 1, beside ? list : c->w, h});
    if (beside)
        draw_preview(s, (struct rect){list + 1, 1, c->w - list - 1, h});
    if (hint)
        wrap_draw(c, (struct rect){1, 1 + h, c->w - 2, hint}, ROLE_sentence_now, tx(s->lang, TX_FIRST_HINT));
    draw_bottom(s);
    if (s->help)
        draw_help(s);
    prompt_draw(&s->prompt, c);
}
