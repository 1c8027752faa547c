/* A scenario file, loaded, linted, compiled. Its programs run on G stacks; its expectations are judged from the
 * events.
 *
 *   sc = scenario_load(path, &diag); run = scenario_run_new(sc, &cfg);
 * A loaded scenario is immutable and can be run many times, in many instances at once. */
#ifndef GMPSCOPE_SCENARIO_SCENARIO_H
#define GMPSCOPE_SCENARIO_SCENARIO_H

#include "base/diag.h"
#include "base/program_text.h"
#include "base/text.h"
#include "model/query/matcher.h"
#include "model/run_info.h"
#include "model/waits.h"
#include "runtime/runtime.h"

struct scenario;

/* Returns NULL on mistakes, which are in d (whose file is set to path). */
struct scenario *scenario_load(const char *path, struct diag *d);
/* How to check the settings of `compare`, in words of the command line. Both functions return NULL, or the reason why the settings are wrong, in a. */
struct scenario_settings {
    const char *(*word)(struct arena *a, const char *word); /* one setting, such as "procs=4" */
    /* All settings of both sides. sc: loaded from a file without other mistakes. */
    const char *(*side)(struct arena *a, const struct scenario *sc, const char *const settings[2], int side);
};
/* Where a scenario comes from. `settings`, if not NULL, also finds mistakes in the settings of `compare`. */
struct scenario_from {
    const char *path; /* a scenario's file; a Go program: its file or folder */
    const char *text; /* `len` bytes of scenario_text(), which a recording has: path is for messages only. NULL: the file is read */
    size_t len;
    const struct scenario_settings *settings;
    const char *test;        /* of a Go program: the test that it runs; NULL: main, or what the scenario says */
    const char *const *args; /* `nargs` arguments of a Go program; none: what the scenario says */
    uint32_t nargs;
};
struct scenario *scenario_open(const struct scenario_from *from, struct diag *d);
void scenario_free(struct scenario *sc);
/* Returns whether a path is a Go program: a file with that name, or a folder that has such files. */
bool scenario_is_program(const char *path);
/* Returns the bytes from which it can be loaded again, without its file and without Go; they live as long as the scenario. */
const char *scenario_text(const struct scenario *sc, size_t *len);

/* Returns the scenario that this seed draws: sc itself if it has no `vary`. It lives as long as the loaded one; the caller frees only that. Threads
 * may call it at once. Returns: NULL, with a message in err, if the scenario cannot be made. */
const struct scenario *scenario_drawn(const struct scenario *sc, uint64_t seed, char *err, size_t size);
/* Frees all scenarios that were drawn from a loaded one; nothing may use them any more. For many runs, each with a seed of its own. */
void scenario_forget(const struct scenario *sc);
/* Fixes a number that would be drawn: "n=6". Call it on the loaded scenario before it is drawn from. False, with a message: there is no such
 * number. */
bool scenario_fix(struct scenario *sc, const char *assignment, char *err, size_t size);
/* Returns the text with the drawn numbers in place of {NAME}, in the arena. NULL: out of memory. */
const char *scenario_fill(const struct scenario *sc, struct arena *a, const char *text);

/* Takes over the settings of the alias by which the scenario was asked for. Any other name changes nothing. Call it before the first run. */
void scenario_called(struct scenario *sc, const char *name);

/* Returns whether the generation has everything that the scenario uses. False: what it lacks is in d. scenario_load
 * checks the file's own generation. */
bool scenario_fits(const struct scenario *sc, enum rt_generation gen, struct diag *d);

enum scenario_topic {
#define TOPIC(id, word, en, zh) TOPIC_##id,
#include "scenario/topics.def"
#undef TOPIC
    TOPICS
};
const struct text *scenario_topic_title(enum scenario_topic t);

enum scenario_path {
#define PATH(id, ...) PATH_##id,
#include "scenario/paths.def"
#undef PATH
    PATHS
};
const char *scenario_path_word(enum scenario_path p);
const struct text *scenario_path_title(enum scenario_path p);
/* Returns the place of the topic on the path, from 0. */
uint32_t scenario_path_rank(enum scenario_path p, enum scenario_topic t);

struct scenario_info {
    const char *name, *path;
    struct text title, summary;
    struct text watch;         /* what to look at; "" if it does not say */
    enum scenario_topic topic; /* TOPICS: none */
    uint32_t order;            /* among those of its topic; UINT32_MAX: none */
    uint32_t paths;            /* bits by enum scenario_path */
    const char **aliases;      /* `naliases` earlier names */
    uint32_t naliases;
    const char *compare_left, *compare_right; /* settings of the runs to compare, NULL: none */
    const struct run_number *drawn;           /* `ndrawn` of them */
    uint32_t ndrawn;
    const char *next; /* the scenario to try afterwards; NULL: none */
    uint32_t gomaxprocs, runq_size, max_threads, start_tick;
    uint32_t op_procs; /* the largest number that an operation `gomaxprocs` asks for; a computed one:
                                       * UINT32_MAX; none: 0 */
    enum conductor_mode mode;
    enum rt_generation generation, module;
    enum run_boot boot;
    uint64_t seed, text_hash; /* text_hash: of scenario_text() */
    int64_t preempt_slice;
    bool async_preempt, randomize;
    uint32_t disable, enable;    /* DIS_ bits; enable: rules of newer generations */
    struct model_names programs; /* fn numbers */
    struct model_objects objects;
    uint32_t nexpect, nwithout, nlesson;
    const char *go;    /* the version of the Go that would build the Go program, "go1.26.8"; NULL: it is no Go program */
    const char *notes; /* about the Go program, one a line: where Go's compiler decides what a program sees; NULL: none */
    const char *test;  /* that the Go program runs; NULL: main */
    bool go_file;      /* no scenario is about the Go program: it claims that no G leaks and nothing races; run does not judge that */
    bool claims_order; /* a claim is about the order of events, or about the state between them */
};
const struct scenario_info *scenario_info(const struct scenario *sc);

/* The reference of the language (reference.def). */
enum reference_part { REFERENCE_FILE, REFERENCE_SETTING, REFERENCE_OPERATION, REFERENCE_CLAIM, REFERENCE_LESSON };
struct reference_entry {
    enum reference_part part;
    const char *key, *form, *text, *example;
};
/* Returns the entry with this number, from 0; NULL after the last. */
const struct reference_entry *scenario_reference(size_t i);

/* Writes the language as a JSON Schema. */
void scenario_json_schema(FILE *out);

/* Writes the scenario as a Go program with the same behaviour (go/program.c). gen: the Go that it is for; it has that one's language and settings.
 * gomaxprocs 0: the scenario's. False:
 * something in it has no equivalent in Go, reported in d with its place; out is untouched then. */
bool scenario_go_source(const struct scenario *sc, enum rt_generation gen, uint32_t gomaxprocs, FILE *out, struct diag *d);
/* Writes a Go program as a scenario. False: mistakes in d, such as the place of what a scenario cannot say. */
bool scenario_yaml_source(const struct scenario *sc, FILE *out, struct diag *d);

/* Returns the scenario's programs as Go for people (go/listing.c), made when it is first asked for. Every scenario has them. NULL: out of
 * memory. */
const struct program_text *scenario_program(const struct scenario *sc);

/* One run. cfg carries overrides from the command line (gomaxprocs, mode, seed, disable, hook, level …): start from
 * scenario_config(). */
struct rt_config scenario_config(const struct scenario *sc);
/* Describes a run with these settings. It has no program text and no places yet. */
struct run_info scenario_run_info(const struct scenario *sc, const struct rt_config *rt);
struct scenario_run;
/* Makes a runtime with the scenario's objects in it; main is not started yet (rt_start does that). NULL and errno on
 * failure. */
struct scenario_run *scenario_run_new(const struct scenario *sc, const struct rt_config *cfg);
struct sched *scenario_run_sched(struct scenario_run *r);
void scenario_run_free(struct scenario_run *r); /* includes rt_stop and rt_free */

/* Caller: only while the run is stopped. arg: the arg of a G (rt_next). scenario_op() writes the operation that the G
 * is in or reaches next, as in the file ("send jobs"), with the values that a text has at `place`; "" before its first. scenario_op_case() writes the nth case of
 * the select that the G is in ("recv done"); false: it is in no select. */
struct scenario_place {
    uint32_t g, m, p; /* p: EV_NO_P if there is none */
};
void scenario_op(const void *arg, struct scenario_place place, char *buf, size_t size);
bool scenario_op_number(const void *arg, uint32_t *op); /* its number among all operations (model_g_op); false: before its first */
/* The variables of a Go program's G that is at this line of the text (vm_variables). False: it is no Go program, or the G has moved on. */
struct variables;
bool scenario_variables(const void *arg, uint32_t line, struct variables *out);
/* Of a Go program, whose state is md (waits.h): the caller frees it. NULL: it is a scenario, or memory ran out. */
struct waits_reach *scenario_reach(struct scenario_run *r, const struct model *md, size_t *n);
/* Of a Go program: writes the calls of the G, or (made) where it was made, as Go's traceback does. by_g: the G that made it; 0: that is not written. */
void scenario_trace(const void *arg, bool made, uint32_t by_g, FILE *out);
bool scenario_op_case(const void *arg, uint32_t nth, char *buf, size_t size);

/* Returns whether Gs of the scenario share variables; the name of one, which this operation uses; where an operation is (ev_note). False: there is no
 * such operation. */
struct scenario_site {
    uint32_t line, col;
    const char *verb, *what; /* "send", "jobs"; what: "" if it has none */
    const char *file;        /* of a Go program, "main.go"; NULL: the scenario's own file */
};
bool scenario_shares(const struct scenario *sc);
#define SCENARIO_NAMELESS "memory" /* what a call of the library uses */
const char *scenario_shared_name(const struct scenario *sc, uint32_t i, uint32_t op);
bool scenario_site(const struct scenario *sc, uint32_t number, struct scenario_site *out);

/* `without` runs: index < info.nwithout; the DIS_ bits to switch off, and the expectations (0-based bits) that must
 * fail. */
void scenario_without(const struct scenario *sc, uint32_t index, uint32_t *disable, uint64_t *fails);

/* Returns how long a G of this program may compute, at most, before it has been through its program once (stretch.c); -1: not known. */
int64_t scenario_stretch(const struct scenario *sc, uint32_t program);

/* An entry of the lesson, index < info.nlesson. Texts are "" where it has none. */
enum { LESSON_CHOICES = 16, LESSON_PANES = 16 };
/* What an entry asserts about each run for which it holds: "count(steal) = 2". */
struct scenario_fact {
    const char *text, *query, *op, *value;
};
struct scenario_lesson {
    const char *on; /* a valid pattern, or "start" */
    struct text say, question, because;
    uint32_t nchoices, answer; /* nchoices 0: it asks nothing; answer: the index of the right choice, if query is NULL */
    const char *query;         /* its value is the English text of the right choice (model/query/query.h) */
    struct text choice[LESSON_CHOICES], choice_because[LESSON_CHOICES]; /* choice_because: said to those who chose it */
    struct text notes;                                                  /* for the teacher only */
    const char *choice_is[LESSON_CHOICES];                              /* the value for which it stands; NULL: its English text */
    const char *choice_query[LESSON_CHOICES];                           /* its value is the text; NULL: choice[] has it */
    const char *can;                  /* the question is whether some schedule has this (model/query/modal.h); NULL: another question */
    bool no_stalls;                   /* with `can`: a schedule without stalls */
    bool listed;                      /* choices are made from values of the run (engine/lesson/answers.h) */
    const struct scenario_fact *fact; /* `nfacts` of them */
    uint32_t nfacts;
    const char *hidden[LESSON_PANES]; /* `nhidden` panes are covered until the question is answered */
    uint32_t nhidden;
    bool stops;  /* the run stops here, so that a person can read it */
    bool chance; /* the answer is a matter of chance: it does not count in the score */
};
void scenario_lesson(const struct scenario *sc, uint32_t i, struct scenario_lesson *out);
/* Finds the next {QUERY} of a text: returns it, its length, and in *skip how far behind its beginning the text continues. NULL: none. */
const char *lesson_query(const char *text, size_t *skip, size_t *len);
/* An entry in a run with these settings. */
struct lesson_case {
    const struct scenario *sc;
    uint32_t entry;
    const struct rt_config *rt;
    const char *right; /* the English text of the right choice, NULL: there is none */
};
/* Writes the numbers, Gs, Ms and Ps (such as "4, G3") in the texts of an entry that nothing proves in such a run: the entry, the right choice, the claims
 * that apply, the settings. Returns: false if there are none. */
bool scenario_unproved(const struct lesson_case *c, char *buf, size_t size);
/* Writes the first mechanism that the texts of an entry name and that such a run lacks, unless the entry names such runs: `"runnext" (disabled)`.
 * Returns: false if there is none. */
bool scenario_lesson_misnames(const struct lesson_case *c, char *buf, size_t size);
/* Returns the pane that `hide` may name, from 0; NULL after the last. */
const char *scenario_pane_word(uint32_t i);
/* Says why a switch cannot be disabled, or enabled, in this generation. */
void scenario_lack_text(enum rt_generation gen, enum rt_disable d, bool enable, char *buf, size_t size);
/* Returns the settings for which the file is written, whatever alias it was loaded by. */
struct rt_config scenario_own_settings(const struct scenario *sc);
/* Writes the place of an entry: "FILE:LINE:COL". */
void scenario_lesson_place(const struct scenario *sc, uint32_t i, char *buf, size_t size);
/* Returns true if the entry is about runs with these settings. A missing key sets no condition for a text; for a question it means the file's own
 * settings. */
bool scenario_lesson_holds(const struct scenario *sc, uint32_t i, const struct rt_config *rt);
/* Returns true if a run with these settings shows the entry. It must hold, and with settings other than the file's own, nothing may contradict it. */
bool scenario_lesson_plays(const struct scenario *sc, uint32_t i, const struct rt_config *rt);
/* Returns true if a run with these settings shows fewer entries or questions than one with the file's own, in the same mode. questions: it shows
 * none. */
bool scenario_lesson_lacks(const struct scenario *sc, const struct rt_config *rt, bool *questions);

/* Expectations: the consumer feeds them each merged event; judged when the run is over. Printed lines are kept, too. */
/* Returns true if claim i is about all schedules, "may: X", and holds in this generation. Index < info.nexpect. no_stalls: it is about runs without
 * stalls. */
bool scenario_modal(const struct scenario *sc, uint32_t i, enum rt_generation gen, bool *no_stalls);
/* Returns such a claim as text. */
const char *scenario_claim_text(const struct scenario *sc, uint32_t i);

struct expect;
/* rt: claims apply by its mode, seed and generation; those of a Go file only if strict. sc NULL: there are no claims. lang: of the reasons why claims fail. */
struct expect *expect_new(const struct scenario *sc, const struct rt_config *rt, bool strict, enum lang lang);
void expect_free(struct expect *x);
bool expect_event(struct expect *x, const struct merged_event *at);         /* false: memory ran out for a printed line */
void expect_passes(struct expect *x, const struct model *md, int64_t time); /* before an event of this time */
/* Returns the kinds of events that expect_event() needs, [EV_KINDS]. */
const bool *expect_kinds(const struct expect *x);
/* True if a claim is about the state after each event. If not, expect_event() reads the event only. */
bool expect_sees_states(const struct expect *x);
/* Is a claim `may: when …` or `must: when …` among them? Then expect_passes() is needed, too. */
bool expect_sees_time(const struct expect *x);
/* Can a claim match detail events (find_stage, mutex_op …)? */
bool expect_sees_details(const struct expect *x);
/* Is a pattern of a claim or of the scenario's lesson about the operations that Gs reach (g_op)? */
bool expect_sees_places(const struct expect *x);
/* Returns whether a claim `ends: …` that applies to the run (mode, seed, generation) names this end (ENDED_…). Then that end is not a
 * failure. */
bool expect_this_end(const struct expect *x, int how);
bool expect_may_end(const struct expect *x, int how); /* only a `may` names this end: it is allowed, not wanted */
uint64_t expect_may(const struct expect *x);          /* bits of the claims `may: X` that apply; one run cannot refute them */
uint64_t expect_met(const struct expect *x);          /* after expect_finish(): those of them that this run shows */
/* Returns whether the claims are about a run with these Ps, switches, boot and module; strict: whatever is switched off, whatever boots. */
bool expect_about(const struct expect *x, const struct rt_config *rt, bool strict);
uint32_t expect_claims(const struct expect *x); /* how many there are */
/* The first data race in words, for expect_finish(), which is called next; "": none. */
void expect_first_race(struct expect *x, const char *text);
/* ended: ENDED_…. waits: who waits at the end, for the words of a claim; NULL: not known. Afterwards the figures below are final. Returns false if memory ran out; then they are
 * meaningless. */
bool expect_finish(struct expect *x, const struct model *md, int ended, const struct waits *waits);
uint32_t expect_passed(const struct expect *x);
uint32_t expect_failed(const struct expect *x);
bool expect_ok(const struct expect *x, uint32_t i);     /* i-th claim (0-based); claims that do not apply are ok
                                                            * and not counted */
bool expect_counts(const struct expect *x, uint32_t i); /* the claim applies to the run */
uint32_t expect_narrowed(const struct expect *x);       /* claims that a run with stalls does not judge */
/* Has a claim about data races failed? Its message has the first of them. */
bool expect_fails_by_races(const struct expect *x);
uint32_t expect_first_failed(const struct expect *x); /* the last claim if none failed; caller: there are claims */
/* Returns the event at which the i-th claim failed; 0: not before the end of the run. */
uint64_t expect_broken_at(const struct expect *x, uint32_t i);
/* *expected: how many the claim wants. */
bool expect_is_about_races(const struct expect *x, uint32_t i, uint32_t *expected);
bool expect_is_about_leaks(const struct expect *x, uint32_t i);
/* Why the i-th failed, one line with file:line:col of the claim ("" if it did not). */
const char *expect_why(const struct expect *x, uint32_t i);
/* The printed lines so far, in order. */
uint32_t expect_lines(const struct expect *x, const char *const **lines);
uint32_t expect_lines_at(const struct expect *x, uint64_t number); /* how many had begun after this event */

#endif
