/* A sentence that the narration has shown never disappears: it stays, or it grows. */
#include "live.h"

#include "ui/panes/panes.h"

#include <ctype.h>
#include <stdlib.h>

/* Such a pane is too narrow for other columns than the number and the sentence. */
enum { W = 62, H = 300, SENTENCE_X = 8, EVENTS = T_SANITIZED ? 150 : 450, TEXT = 2048 };

/* ---- the rows of the pane ---- */

struct sentences {
    char text[H][TEXT];
    int n;
};

struct shown {
    struct engine *e;
    struct session_event ev[EVENTS_KEPT];
    struct view v;
    struct pane_states states;
    struct canvas c;
};

static struct history *asked; /* of query(), which gets a session */

static bool query(struct session *s, session_ask *ask, void *ctx)
{
    (void)s;
    ask(asked, ctx);
    return true;
}

/* Shows the state after event n, as session_view() does. */
static void go_to(struct shown *s, uint64_t n)
{
    struct history_event e;
    s->v.st.events = n;
    s->v.nev = 0;
    for (uint64_t at = n > 1000 ? n - 1000 : 1; at <= n; at++) {
        if (!history_get(s->e->history, at, &e) || (at < n && ev_level_of[e.ev.kind] != EV_CORE))
            continue;
        if (s->v.nev == EVENTS_KEPT)
            memmove(s->ev, s->ev + 1, (size_t)--s->v.nev * sizeof *s->ev);
        s->ev[s->v.nev++] = (struct session_event){.number = at, .m = e.m, .ev = e.ev};
    }
}

/* A line without a number continues the sentence. */
static void read_line(struct sentences *r, const struct cell *row)
{
    char line[W * 4 + 1], *out = line;
    bool number = row[SENTENCE_X - 3].ch >= '0' && row[SENTENCE_X - 3].ch <= '9';
    for (int x = SENTENCE_X; x < W - 1; x++)
        if (row[x].width)
            out += utf8_put(row[x].ch ? row[x].ch : ' ', out);
    *out = '\0';
    if (number)
        r->text[r->n++][0] = '\0';
    if (r->n && line[strspn(line, " ")])
        snprintf(r->text[r->n - 1] + strlen(r->text[r->n - 1]), TEXT - strlen(r->text[r->n - 1]), "%s ", line);
}

static void read_rows(struct shown *s, struct sentences *r)
{
    struct layout_pane pane = pane_standard(PANE_narration, (struct layout_rect){0, 0, W, H});
    struct pane_source from = {.query = query};
    canvas_clear(&s->c);
    asked = s->e->history;
    panes_prepare(&s->v, &s->c, &pane, 1, &from);
    panes_draw(&s->v, &s->c, &pane, 1);
    r->n = 0;
    for (int y = 1; y < H - 1; y++)
        read_line(r, &s->c.cell[y * W]);
}

/* ---- is each row still there? ---- */

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

/* Reads the next word: letters, and the number that they end with. */
static const char *next_word(const char *at, char *word, long *number)
{
    int n = 0;
    while (*at && !in_word(*at))
        at++;
    const char *from = at;
    for (; in_word(*at) && n < 60; at++)
        word[n++] = *at;
    while (n && isdigit((unsigned char)word[n - 1]))
        n--;
    *number = isdigit((unsigned char)from[n]) ? atol(from + n) : -1;
    word[n] = '\0';
    return at > from ? at : NULL;
}

/* Does a row have all words of another one, in the same order? Only the last G of several, and how many they are, may have grown. */
static bool extends(const char *row, const char *old)
{
    char want[64], have[64] = "", before[64];
    long n, k = -1;
    while ((old = next_word(old, want, &n))) {
        bool found = false;
        while (!found) {
            strcpy(before, have);
            if (!(row = next_word(row, have, &k)))
                return false;
            found = !strcmp(want, have) && (k == n || (k > n && (!strcmp(before, "to") || !strcmp(before, "way"))));
        }
    }
    return true;
}

static void check_kept(const char *path, uint64_t n, const struct sentences *was, const struct sentences *now)
{
    for (int i = 0, k = 0; i < was->n; i++, k++) {
        while (k < now->n && !extends(now->text[k], was->text[i]))
            k++;
        if (k == now->n)
            t_fail(__FILE__, __LINE__, "%s, event %llu: \"%s\" has disappeared", path, (unsigned long long)n, was->text[i]);
    }
}

static void check_scenario(const struct scenario *sc, const char *path, void *ctx)
{
    struct sentences *rows = ctx;
    struct shown s = {0};
    struct options o;
    char err[200];
    bool ended;
    CHECK(options_parse(&o, CMD_RUN, 3, (char *[]){(char *)"--tempo=max", (char *)"--mode=lockstep", (char *)"--max-events=2000"}));
    struct session_config c = command_session(sc, &o);
    struct session *session = session_new(&c, err, sizeof err);
    CHECK(session && canvas_init(&s.c, W, H));
    struct session_status st;
    for (session_ops.status(session, &st); !st.ended && st.stop.kind != STOP_LIMIT; session_ops.status(session, &st))
        poll(&(struct pollfd){.fd = session_ops.wake_fd(session), .events = POLLIN}, 1, 5);
    s.e = session_stop(session, &ended);
    s.v = (struct view){.md = engine_view(s.e), .st = st, .ev = s.ev, .states = &s.states};
    s.v.st.paused = false;
    uint64_t last = history_events(s.e->history) < EVENTS ? history_events(s.e->history) : EVENTS;
    for (uint64_t n = 1; n <= last; n++) {
        go_to(&s, n);
        if (s.v.nev == EVENTS_KEPT) /* the oldest rows leave the list */
            break;
        read_rows(&s, &rows[n % 2]);
        if (n > 1)
            check_kept(strrchr(path, '/') + 1, n, &rows[(n - 1) % 2], &rows[n % 2]);
    }
    pane_states_fini(&s.states);
    canvas_fini(&s.c);
    session_free(session);
    options_fini(&o);
}

TEST(no_sentence_that_was_shown_disappears)
{
    struct sentences *rows = calloc(2, sizeof *rows);
    CHECK(rows);
    each_scenario(check_scenario, rows);
    free(rows);
}

TEST(a_row_extends_another_if_it_has_its_words)
{
    CHECK(extends("G1 starts G4 to G6 (worker) in the same way: 3 Gs.", "G1 starts G4 (worker)."));
    CHECK(extends("G1 starts G4 to G6 (worker) in the same way: 3 Gs.", "G1 starts G4 to G5 (worker) in the same way: 2 Gs."));
    CHECK(!extends("G1 starts 3 Gs in a row, from G4 to G6 (worker).", "G5 becomes P0's runnext and kicks G4 out."));
    CHECK(!extends("G1 starts G4 (worker).", "G1 starts G5 (worker)."));
}
