/* Which rows of many Ps and Ms are shown: those that matter, in places that do not change. */
#include "story.h"
#include "ui/term/keycodes.h"

#include <ctype.h>

/* Returns the row of the picture that begins with the label, -1: none. */
static int row_at(const struct picture *p, const char *label)
{
    for (int i = 0; i < p->n; i++)
        for (int x = 1; x < 4 && (int)strlen(p->row[i]) > x; x++) {
            const char *at_ = strstr(p->row[i], label);
            if (at_ && at_ - p->row[i] < 8)
                return i;
        }
    return -1;
}

/* 64 Ps; the last event is a steal from P26 for P30. */
static struct story *far_steal(void)
{
    struct story *s = story_new(64, 8);
    spawn(s, 8);
    s->ev[s->n] = s->ev[s->n - 1];
    s->ev[s->n].number++;
    s->ev[s->n].m = 0;
    s->ev[s->n].ev = (struct ev){.kind = EV_STEAL, .p = 30, .g = 5, .a = 26, .b = 2};
    s->n++;
    return s;
}

/* Many Ps: the first ones keep their rows, what the newest sentence names has a row and a sign, and a strip has a cell for each. */
TEST(the_rows_that_the_newest_sentence_names_are_there_and_lit)
{
    struct story *s = far_steal();
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "Processors +55");
    HAS_ROW(&p, "▶P26");
    HAS_ROW(&p, "▶P30");
    for (int i = 0; i < 7; i++) {
        char label[20];
        snprintf(label, sizeof label, " P%d ", i);
        CHECK_INT(row_at(&p, label), 2 + i);
    }
    HAS_ROW(&p, "▆", "IIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIII");
    for (int x = 0; x < 64; x++)
        CHECK_INT(p.c.cell[(H - 2) * p.c.w + 2 + x].tag, tag_of('P', (uint32_t)x));
    picture_fini(&p);
    p = look(&v, at(PANE_processors, 60, 5)); /* two rows only */
    HAS_ROW(&p, "▶P26");
    HAS_ROW(&p, "▶P30");
    picture_fini(&p);
    story_free(s);
}

/* Returns the number of a line like " P7 " or "▶P26", -1: it is no row of a P. */
static int row_p(const char *row)
{
    const char *p = strchr(row, 'P');
    return p && p - row < 8 && isdigit((unsigned char)p[1]) ? atoi(p + 1) : -1;
}

/* Checks that the rows are in order, and that a line between them says how many are left out. Returns how many rows there are. */
static int check_gaps(const struct picture *p)
{
    int last = -1, left_out = 0, rows = 0;
    bool ends = p->n >= 12;
    for (int y = 1; y + 1 < p->n; y++) {
        const char *gap = strstr(p->row[y], "⋮ ");
        int id = row_p(p->row[y]);
        if (gap)
            left_out = atoi(gap + strlen("⋮ "));
        if (id < 0)
            continue;
        CHECK(id > last);
        CHECK(id == last + 1 + left_out || (rows == 0 && !ends));
        CHECK(left_out != 1); /* the row itself takes no more room */
        last = id;
        left_out = 0;
        rows++;
    }
    CHECK(!ends || last + 1 + left_out == 64);
    return rows;
}

TEST(rows_are_in_order_at_every_size_with_lines_for_the_gaps)
{
    struct story *s = far_steal();
    struct view v = view_of(s);
    for (int h = 6; h < 40; h++)
        for (uint32_t selected = 0; selected < 65; selected++) {
            v.selected = selected < 64 ? tag_of('P', selected) : 0;
            struct picture p = look(&v, at(PANE_processors, 80, h));
            char label[8];
            snprintf(label, sizeof label, "P%u ", selected);
            CHECK(h < 9 || check_gaps(&p) >= 2); /* below, three rows leave no room for two gaps */
            if (v.selected)
                HAS_ROW(&p, label);
            HAS_ROW(&p, "▶P26");
            HAS_ROW(&p, "▶P30");
            picture_fini(&p);
        }
    story_free(s);
}

/* Presses a key of the pane, with this selected; returns what is selected then. */
static uint32_t press_with(struct view *v, enum pane_kind kind, uint32_t selected, uint32_t code)
{
    struct canvas c;
    struct layout_pane pane = at(kind, W, H);
    CHECK(canvas_init(&c, W, 40));
    v->selected = selected;
    struct pane_request r = panes_key(v, &c, &pane, 0, code, &(struct pane_source){0});
    CHECK(r.taken);
    canvas_fini(&c);
    return r.select ? r.select : selected;
}

TEST(the_selected_row_is_always_there_and_keys_reach_every_row)
{
    struct story *s = far_steal();
    struct view v = view_of(s);
    uint32_t tag = tag_of('P', 0);
    for (uint32_t i = 1; i < 64; i++) {
        char label[8];
        tag = press_with(&v, PANE_processors, tag, i % 2 ? 'j' : KEY_CODE_WHEEL_DOWN);
        CHECK_INT(tag, tag_of('P', i));
        v.selected = tag;
        struct picture p = look(&v, at(PANE_processors, W, H));
        snprintf(label, sizeof label, "P%u ", i);
        HAS_ROW(&p, label);
        HAS_ROW(&p, "▶P26");
        picture_fini(&p);
    }
    CHECK_INT(press_with(&v, PANE_processors, tag, 'j'), tag);
    CHECK_INT(press_with(&v, PANE_processors, tag, 'k'), tag_of('P', 62));
    CHECK_INT(press_with(&v, PANE_threads, tag_of('M', 0), 'k'), tag_of('M', 0));
    v.selected = tag_of('P', 50); /* with one row, the selected P has it */
    struct picture p = look(&v, at(PANE_processors, 60, 3));
    HAS_ROW(&p, "P50");
    picture_fini(&p);
    story_free(s);
}

/* However little room there is, the rows that matter are there, and the title counts the others. */
TEST(folding_hides_no_row_that_matters)
{
    struct story *s = steal_half(2);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_processors, 60, 4)); /* rows for the thief and the victim, no header */
    HAS_ROW(&p, "P0 R M0");
    HAS_ROW(&p, "▶P1");
    CHECK(!anywhere(&p, "Processors +") && !anywhere(&p, "runq"));
    picture_fini(&p);
    p = look(&v, at(PANE_processors, 60, 3)); /* a row of a P, no header */
    HAS_ROW(&p, "Processors +1");
    HAS_ROW(&p, "▶P1", "R M2");
    CHECK(!anywhere(&p, "runq"));
    picture_fini(&p);
    p = look(&v, at(PANE_threads, 30, 3));
    HAS_ROW(&p, "Threads +1");
    HAS_ROW(&p, "▶M2");
    picture_fini(&p);
    p = look(&v, at(PANE_threads, 30, 4));
    CHECK(anywhere(&p, "M0") && !anywhere(&p, "Threads +"));
    picture_fini(&p);
    story_free(s);
}
