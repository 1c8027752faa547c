/* What panes share: frames, labels, letters, the choice of rows. */
#ifndef GMPSCOPE_UI_PANES_PANES_H
#define GMPSCOPE_UI_PANES_PANES_H

#include "model/history/spawns.h"
#include "ui/panes/pane.h"

/* Draws the inside of `processors` for a generation without Ps (pane_no_p.c). */
void pane_no_p(const struct view *v, struct canvas *c, struct rect in);
/* Draws the row that `threads` has for an M (pane_threads.c). */
void threads_row(const struct view *v, struct canvas *c, struct rect in, int y, uint32_t m);
/* Returns the M of the detail event that the run stopped at if neither `threads` nor `processors` has a row for it, else EV_NONE. */
uint32_t thread_apart(const struct view *v);

/* Does the key line in r have room for the view's note next to five keys? If so it shows both (pane_keys.c). */
bool keys_hold_note(const struct view *v, struct rect r);

enum { SENTENCE_BYTES = 160 };
struct sentence_cache *sentence_cache_new(void); /* free() it; NULL: out of memory */
/* Returns the event's sentence, from the view's cache or in buf. */
const char *sentence_of(const struct view *v, const struct session_event *e, char buf[SENTENCE_BYTES]);

/* Returns a pane below the others that says why the selected G does not run, or shows its life (pane_goroutine.c). */
struct layout_pane pane_docked(struct layout_rect rect, bool life);

/* ---- the lesson (pane_lesson.c) ---- */

/* Writes that a G waited next to an idle P in the run that has ended. Returns false if none did. */
bool lesson_lost_text(const struct session_lesson *l, enum lang lang, char *text, size_t size);
/* Has the run shown what decides the answer, up to the state shown or (ever) up to the present? */
bool lesson_run_answers(const struct session_lesson *l, const struct session_status *st, bool ever);
/* Is the right answer shown? It is after an answer, and once the run itself has shown it. */
bool lesson_shows_answer(const struct view *v);
/* Returns the rows inside of its frame that the pane needs for an entry in large letters: for its text, its question, and each answer. w: the columns
 * inside. 0: what needs more than `most` rows has small letters anyway. */
int lesson_rows_large(const struct view *v, const struct session_lesson *l, int w, int most);
/* Does a question wait for its answer? */
bool lesson_asks(const struct view *v);
/* True while a question waits that this pane would answer. */
bool lesson_hides(const struct view *v, enum pane_kind kind);

/* ---- the list of events (listed.c) ---- */

/* Has event i a sentence in the list? */
bool event_listed(const struct view *v, int i);
/* Is it not known yet whether event i will have one? */
bool event_is_open(const struct view *v, int i);
/* Returns the index of the newest event that has one, -1: none. */
int newest_listed(const struct view *v);
/* Returns the index of the event that the marks of rows are about, -1: none. At a stop at a detail event it is that one, else the newest that has a
 * sentence in the list. */
int event_now(const struct view *v);
/* Returns the sentence of event i in the list, from the view's cache or in buf. */
const char *listed_sentence(const struct view *v, int i, char buf[SENTENCE_BYTES]);
/* Writes the sentence of a start that tells earlier ones, too. */
const char *spawns_sentence(const struct view *v, const struct session_event *e, struct spawn_told told, char buf[SENTENCE_BYTES]);
/* Writes the sentence about the boot, as far as it is known. */
const char *boot_sentence(const struct view *v, struct boot boot, char buf[SENTENCE_BYTES]);
/* Does the event name the G, M or P with this tag? */
bool event_names(const struct session_event *e, uint32_t tag);

/* ---- shared by panes (draw.c) ---- */

/* Draws the frame of a pane: a box, or on a low screen a rule with the title. Returns the inside. */
struct rect pane_frame(struct canvas *c, const struct layout_pane *pane, const char *title);
struct rect pane_inside(const struct canvas *c, const struct layout_pane *pane);
struct rect pane_rect(const struct layout_pane *pane);
enum role g_role(uint32_t g);
int digits(uint64_t n);
/* Returns the bit of the run's generation (base/run_names.h), 0 if it is not known. */
unsigned generation_of(const struct view *v);
/* Return the columns of the widest label of a G, P or M ("G12"); at least 3 for Gs, 2 for the others. */
int g_width(const struct view *v);
int p_width(const struct view *v);
int m_width(const struct view *v);
/* The cells of a label have a tag (canvas.h) that says what it stands for. So keys and mouse can select it wherever it is drawn. */
enum { THING_NONE, THING_P, THING_M, THING_G, THING_SHIFT = 28, THING_MOST = (1 << THING_SHIFT) - 1 };
uint32_t tag_of(char prefix, uint32_t id);
static inline uint32_t thing_kind(uint32_t tag)
{
    return tag >> THING_SHIFT;
}
static inline uint32_t thing_id(uint32_t tag)
{
    return tag & THING_MOST;
}
/* "mutex": as columns and sentences of the screen name it. The mutex inside of an RWMutex is an RWMutex, too. */
const char *object_kind_text(enum ev_object_kind kind, enum lang lang);
/* Draws "G3" in its colour, with "*" after it if it is marked; 0 draws "-". Returns the next x. */
int draw_g(struct canvas *c, struct rect clip, int x, int y, uint32_t g, bool marked);
/* The same of a G in a queue. derived: the queue is derived, so the G is dim; the caller draws a "~" before the queue. */
struct queued {
    uint32_t g;
    bool marked, derived;
};
int draw_queued(struct canvas *c, struct rect clip, int x, int y, struct queued q);
/* Draws the "~" of a derived queue left of x; does nothing if the queue is a fact or unknown. Returns whether it is derived. */
bool draw_derived(const struct view *v, struct canvas *c, struct rect at, enum model_what what, uint32_t p);
/* Draws "P0" or "M1"; EV_NONE draws "-". Returns the next x. */
struct label {
    char prefix;
    uint32_t id;
    enum role role;
    bool marked;
};
int draw_label(struct canvas *c, struct rect clip, int x, int y, struct label l);
/* What the source of the events does not say is drawn as "?", a number that the model derived as "~5". */
enum { G_UNSEEN = (int)EV_NONE, ID_UNSEEN = (int)EV_NONE - 1 }; /* for draw_g(), and for the id of a label */
static inline bool not_known(const struct view *v, enum model_what what, uint32_t id)
{
    return model_knows(v->md, what, id) == KNOWN_NOT;
}
/* True if the run's source does not see everything. */
static inline bool is_partial(const struct view *v)
{
    return not_known(v, KNOW_BEFORE, 0);
}
static inline uint32_t g_in_queue(uint32_t g)
{
    return g ? g : (uint32_t)G_UNSEEN;
}
enum { KNOWN_TEXT = 24 };
const char *known_number(const struct view *v, enum model_what what, uint32_t id, uint64_t n, char buf[KNOWN_TEXT]);
/* The same for a number of Gs: in a partial model there may be more, which nobody has seen. */
const char *known_gs(const struct view *v, uint64_t n, char buf[KNOWN_TEXT]);
/* Draws "? not recorded by this source" in place of what a pane shows. */
void draw_not_recorded(const struct view *v, struct canvas *c, struct rect r);
/* Returns true if this G was in the global queue in the base of the marks, or if there is no base. */
bool was_in_globq(const struct view *v, uint32_t g);
/* Draws the name of a G's program, cut to the width of `at`. Returns the next x. */
int draw_name(const struct view *v, struct canvas *c, struct rect clip, struct rect at, uint32_t g);

/* State letters. The legend of the help screen is made from the same table. */
struct letter {
    char letter;
    enum role role;
    enum text_id meaning;
};
extern const struct letter letters[];
extern const int nletters;
struct letter p_letter(const struct view *v, uint32_t p);
/* Returns true if the P has no M and is not on the idle list, so that it is being handed over. */
bool p_in_hand(const struct view *v, uint32_t p);
/* Writes a time for a column, in the unit of duration_text(): to 1 ns below 10 ms, to 10 ns below 100 ms. In the first hours it has at most
 * TIME_TEXT_W columns. */
enum { TIME_TEXT_W = 11 };
const char *time_text(int64_t ns, char *buf, size_t size);
/* Writes a time with three decimals in the unit that time_text() chooses for `like`, so that neighbouring times share a unit. */
const char *time_text_like(int64_t ns, int64_t like, char *buf, size_t size);
struct letter m_letter(const struct view *v, uint32_t m);
/* Of the Gs in transit on an M, returns the one that the M runs next; 0: there is none. It is the first: of a batch from the global queue,
 * the M queues all others. */
uint32_t m_next_g(const struct model_m *mm);
/* Does the M that stops the world still wait for this P? */
bool p_must_stop(const struct view *v, uint32_t p);
/* Returns the M that left this P when it entered a system call, EV_NONE if none. */
uint32_t p_syscall_m(const struct view *v, uint32_t p);

/* Which rows of a list of Ps or Ms are shown if only `room` fit (rows.c). */
enum { ROWS_MAX = 256 };
struct row_gap {
    int line;
    uint32_t left_out; /* how many rows it stands for */
};
struct rows {
    int n;
    uint32_t id[ROWS_MAX];
    int line[ROWS_MAX];
    int lines, ngaps;
    struct row_gap gap[ROWS_MAX];
    uint32_t hidden; /* how many are not shown */
};
typedef bool row_test(const struct view *, uint32_t id);
/* A list of the Ps or Ms (kind: THING_P, THING_M) with ids below n that exist. */
struct row_list {
    uint32_t kind, n;
    row_test *exists;
};
void rows_choose(struct rows *r, const struct view *v, const struct row_list *l, int room);
/* With a line for each gap where rows are left out, unless what matters needs its room. */
void rows_choose_with_gaps(struct rows *r, const struct view *v, const struct row_list *l, int room);
/* Adds "+7" to a title if rows are hidden. */
void rows_title(const struct rows *r, char *title, size_t size);
/* Selects the next row, even a hidden one: by 1 down, -1 up. taken is false if no row of this kind is selected. */
struct pane_request rows_move(const struct view *v, const struct row_list *l, int by);
/* Returns the P that belongs to a tag: the P itself, the P of the M, or the P where the G runs or is queued. EV_NONE: none. */
uint32_t thing_p(const struct model *md, uint32_t tag);
/* Is it named by the newest sentence? Then its row is lit. */
bool row_is_lit(const struct view *v, uint32_t tag);
void draw_lit(struct canvas *c, struct rect in, int y);

/* Writes whether the run is running, paused and why, or ended and how, as the status line says it. */
void state_text(const struct view *v, char *buf, size_t size);
/* Writes the tempo, or the speed in free mode. */
const char *pace_text(const struct view *v, char *buf, size_t size);
/* Returns how a run ended (ENDED_…), in words. */
const char *end_text(enum lang lang, int how);

#endif
