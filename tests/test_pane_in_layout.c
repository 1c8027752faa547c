/* Each pane in each layout, at each size, in UTF-8 and in ASCII, from a fixed seed at a fixed event.
 *
 * A pane stands where the layout has it, else in the layout's largest place. tests/screens/in-PANE.txt has each picture once, with the names
 * of all layouts and sizes that show it: the title, then the inside without the frame. Below it are the rows that are not the same characters
 * in ASCII, each as it is there. UPDATE=1 rewrites the files; look at the difference before you commit it. */
#include "golden.h"
#include "live.h"
#include "story.h"

enum { AT_EVENT = 197, SIZES = 4, PLACES_MAX = 64, LINES = 8 };
static const int sizes[SIZES][2] = {{80, 24}, {100, 30}, {120, 40}, {200, 60}};
static const char *const layouts[] = {"classic", "code", "compact", "lesson", "projector", "queues", "search", "timeline"};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

/* ---- the run ---- */

struct shown {
    struct live l;
    struct view v;
    struct session_event ev[EVENTS_KEPT];
    char line[LINES][LINE_MAX_BYTES];
};

/* At the first steal of two Gs after G2 has ended, with a G selected that was stolen. */
static void show(struct shown *s)
{
    static const char *args[] = {"--tempo", "max"};
    int nlines = 0, nev = 0;
    char *text = read_file(SOURCE_DIR "/scenarios/steal-half.yaml");
    live(&s->l, text, args, 2);
    free(text);
    wait_end(&s->l);
    CHECK_INT(session_ops.rewind->goto_event(s->l.s, AT_EVENT), GOTO_DONE);
    while (status(&s->l).events != AT_EVENT)
        wait_change(&s->l);
    s->v = (struct view){.md = session_ops.view(s->l.s, s->ev, EVENTS_KEPT, &nev), .st = status(&s->l), .selected = tag_of('G', 4)};
    s->v.ev = s->ev;
    s->v.nev = nev;
    s->v.total_lines = session_ops.output(s->l.s, 0, s->line, LINES, &nlines);
    s->v.line = (const char(*)[LINE_MAX_BYTES])s->line;
    s->v.nlines = nlines;
    s->v.program = session_ops.program(s->l.s);
}

static void end_show(struct shown *s)
{
    model_free((struct model *)s->v.md);
    close_live(&s->l);
}

/* ---- one picture ---- */

static struct layout *load_layout(const char *name)
{
    char path[512];
    struct diag d;
    snprintf(path, sizeof path, "%s/layouts/%s.yaml", SOURCE_DIR, name);
    diag_init(&d, path);
    struct layout *l = layout_load(path, &pane_kinds, &d);
    CHECK(l);
    diag_fini(&d);
    return l;
}

static int area(const struct layout_pane *p)
{
    return p->rect.w * p->rect.h;
}

/* Returns the index of the pane of that kind. Where there is none it takes the largest place. */
static int place(struct layout *l, int kind, const int size[2], struct layout_pane *pane, int *n)
{
    int largest = 0;
    *n = layout_solve(l, size[0], size[1], pane, PLACES_MAX);
    for (int i = 0; i < *n; i++) {
        if (pane[i].kind == kind)
            return i;
        largest = area(&pane[i]) > area(&pane[largest]) ? i : largest;
    }
    layout_replace(l, pane[largest].leaf, kind, &pane_kinds);
    *n = layout_solve(l, size[0], size[1], pane, PLACES_MAX);
    CHECK_INT(pane[largest].kind, kind);
    return largest;
}

/* Appends the row without the blanks at its end and without the frame. */
static void add_row(const char *row, char *out)
{
    static const char *const sides[] = {"│", "|"};
    size_t n = strlen(row);
    for (int i = 0; i < 2; i++) {
        size_t side = strlen(sides[i]);
        if (n >= 2 * side && !strncmp(row, sides[i], side) && !strcmp(row + n - side, sides[i])) {
            row += side;
            n -= 2 * side;
        }
    }
    while (n && row[n - 1] == ' ')
        n--;
    sprintf(out + strlen(out), "%.*s\n", (int)n, row);
}

/* The title without the rest of its line. */
static void add_title(const char *row, char *out)
{
    static const char *const last[] = {"─", "╮", "-", "+"};
    size_t n = strlen(row);
    for (size_t i = 0; i < 4; i++) {
        size_t w = strlen(last[i]);
        if (n >= w && !strncmp(row + n - w, last[i], w)) {
            n -= w;
            i = (size_t)-1;
        }
    }
    while (n && row[n - 1] == ' ')
        n--;
    sprintf(out + strlen(out), "%.*s\n", (int)n, row);
}

/* The pane alone, in the upper left corner of the screen. */
static char *draw_pane(const struct shown *s, const struct layout_pane *at_, const int size[2], bool ascii)
{
    struct pane_states states = {0};
    struct layout_pane pane = *at_;
    struct view v = s->v;
    struct canvas c;
    struct pane_source from = {s->l.s, session_ops.search->query, session_ops.search->matches, NULL, NULL, NULL, NULL};
    v.states = &states;
    pane.rect.x = pane.rect.y = 0;
    CHECK(canvas_init(&c, size[0], size[1]));
    c.ascii = ascii;
    panes_prepare(&v, &c, &pane, 1, &from);
    panes_draw(&v, &c, &pane, 1);
    char *text = canvas_dump(&c);
    canvas_fini(&c);
    pane_states_fini(&states);
    return text;
}

/* The same characters in ASCII. */
static char *in_ascii(const char *row)
{
    struct canvas c;
    int w = text_width(row);
    CHECK(canvas_init(&c, w > 0 ? w : 1, 1));
    c.ascii = true;
    canvas_text(&c, (struct rect){0, 0, c.w, 1}, 0, 0, ROLE_plain, row);
    char *text = canvas_dump(&c);
    text[strcspn(text, "\n")] = '\0';
    canvas_fini(&c);
    return text;
}

static char *row_of(const char *text, int row)
{
    while (row-- && *text)
        text += strcspn(text, "\n") + (text[strcspn(text, "\n")] != '\0');
    char *copy = strdup(text);
    CHECK(copy);
    copy[strcspn(copy, "\n")] = '\0';
    return copy;
}

/* Appends the picture; equal rows after the first one are counted. */
static void add_picture(const char *text, int rows, bool framed, char *out)
{
    char last[1024] = "", now[1024];
    int more = 0;
    for (int i = 0; i < rows - framed; i++) {
        char *row = row_of(text, i);
        now[0] = '\0';
        if (i == 0 && framed)
            add_title(row, now);
        else
            add_row(row, now);
        free(row);
        bool same = i > 1 && !strcmp(now, last);
        more += same;
        if (!same || i == rows - framed - 1) {
            if (more)
                sprintf(out + strlen(out), "(%d more)\n", more);
            more = 0;
        }
        if (!same)
            strcat(out, now);
        strcpy(last, now);
    }
}

/* Appends the rows that are not the same characters in ASCII. */
static void add_ascii(const char *text, const char *ascii, int rows, char *out)
{
    for (int i = 0; i < rows; i++) {
        char *row = row_of(text, i), *shown = row_of(ascii, i), *want = in_ascii(row);
        if (strcmp(shown, want)) {
            sprintf(out + strlen(out), "ASCII %d ", i + 1);
            add_row(shown, out);
        }
        free(row);
        free(shown);
        free(want);
    }
}

/* ---- all pictures of a pane ---- */

struct seen {
    char *text, where[400];
} seen[LAYOUTS * SIZES];
static int nseen;

static void see(const char *layout, const int size[2], const struct layout_pane *p, const char *picture)
{
    char where[64];
    int i = 0;
    snprintf(where, sizeof where, "%s %dx%d", layout, size[0], size[1]);
    while (i < nseen && strcmp(seen[i].text, picture))
        i++;
    if (i == nseen) {
        seen[nseen++].text = strdup(picture);
        snprintf(seen[i].where, sizeof seen[i].where, "%dx%d: %s", p->rect.w, p->rect.h, where);
    } else {
        snprintf(seen[i].where + strlen(seen[i].where), sizeof seen[i].where - strlen(seen[i].where), ", %s", where);
    }
}

static void look_at(const struct shown *s, int kind, const char *layout, const int size[2])
{
    struct layout_pane pane[PLACES_MAX];
    struct layout *l = load_layout(layout);
    static char picture[TEXT_BYTES];
    int n, i = place(l, kind, size, pane, &n), rows = pane[i].rect.h;
    char *text = draw_pane(s, &pane[i], size, false), *ascii = draw_pane(s, &pane[i], size, true);
    bool framed = !strncmp(text, "╭", strlen("╭"));
    picture[0] = '\0';
    add_picture(text, rows, framed, picture);
    add_ascii(text, ascii, rows, picture);
    see(layout, size, &pane[i], picture);
    free(text);
    free(ascii);
    layout_free(l);
}

static void check_pane(const struct shown *s, int kind)
{
    char name[64], *out = calloc(1, TEXT_BYTES);
    CHECK(out);
    nseen = 0;
    for (int i = 0; i < LAYOUTS; i++)
        for (int k = 0; k < SIZES; k++)
            look_at(s, kind, layouts[i], sizes[k]);
    for (int i = 0; i < nseen; i++) {
        CHECK(strlen(out) + strlen(seen[i].text) + 500 < TEXT_BYTES);
        sprintf(out + strlen(out), "== %s ==\n%s", seen[i].where, seen[i].text);
        free(seen[i].text);
    }
    snprintf(name, sizeof name, "in-%s", pane_name(kind));
    check_screen(name, out);
    free(out);
}

/* The status and the keys have their row in each layout, so the golden screens of the layouts show them in all places. */
TEST(each_pane_in_each_layout_looks_as_it_did)
{
    static struct shown s;
    show(&s);
    for (int kind = 0; kind < PANES; kind++)
        if (kind != PANE_status && kind != PANE_keys)
            check_pane(&s, kind);
    end_show(&s);
}
