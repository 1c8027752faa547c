/* The scenario module's internals: the compiled scenario, what the compiler and the lint share, the interpreter's
 * frames.
 *
 *   bytes ─ yaml_parse ─ normalise ─ yaml_check ─ yaml_load ─► struct yscenario ─ lint, compile ─► struct scenario
 *
 * The tree (positions) and the loaded structs (values) are walked in parallel: lists have the same order in both. */
#ifndef GMPSCOPE_SCENARIO_SCENARIO_INTERNAL_H
#define GMPSCOPE_SCENARIO_SCENARIO_INTERNAL_H

#include "base/expr.h"
#include "base/yaml/yaml.h"
#include "model/query/modal.h"
#include "runtime/runtime.h"
#include "scenario/scenario.h"
#include "scenario/schema.h"
#include <stdatomic.h>

#define MAX_GOROUTINES 10000000u /* a larger constant number of Gs is refused at load */
#define MAX_VARIABLES 256u       /* of one program */
#define TIMER_VARIABLES 5u       /* those of a G that a timer with a name starts: G_ROOM */
#define MAX_BUFFER 1000000u      /* of a channel */
#define MAX_LOST 16u             /* more than the file format has keys */
#define MAX_CLAIMS 64u           /* scenario_without returns claims as bits */

/* ---- the compiled program: immutable after load, shared by all runs ---- */

/* Slots of expressions: a G's variables from 0, then these. */
enum { SLOT_SHARED = 1 << 16, SLOT_GOID = 1 << 17, SLOT_P, SLOT_M };

struct op;
struct frame;
struct block {
    struct op *op;
    uint32_t n;
};
/* What an operation works with: of the n objects from number `first` on (from 0) the one that e says, the first without e. n 0: the value of e; of a
 * channel that a variable holds, its id, 0 for nil. */
struct operand {
    struct expr *e;
    uint32_t first, n;
};
/* One case of a select: a send or a receive, then its body. */
struct selcase {
    struct operand chan, value;
    const char *what;
    bool send;
    int var, ok;
    struct block body;
};
/* A part of a print: fixed text, then (e not NULL) a value. */
struct piece {
    const char *text;
    uint32_t len;
    struct expr *e;
};

struct op {
    void (*exec)(struct frame *f, const struct op *op);
    uint32_t line, col;      /* of its verb */
    uint32_t number;         /* among all operations of the file, from 0, an operation before those inside of it */
    const char *verb, *what; /* as in the file; what: its plain value or NULL */
    union {
        struct {
            int64_t ns;
            bool flag;
        } time; /* compute, sleep, syscall */
        struct {
            uint32_t prog, nargs;
            struct expr *count;
            struct operand *arg;
            const struct program *callee; /* call: prog itself */
            int var;
        } go; /* count NULL: one G and no loop; call: var */
        struct {
            int64_t ns;
            uint32_t prog;
            struct operand chan;
            int var;
            bool own; /* it makes the timer whose channel it is */
        } timer;      /* after: prog; timer, ticker, stop, reset: chan; stop, reset: var */
        struct {
            struct piece *piece;
            uint32_t n;
        } print;
        struct {
            struct operand context, parent;
            int64_t timeout;
            int var;
            bool has_parent, has_timeout;
        } context; /* context, cancel, err */
        struct {
            struct operand mutex;
            struct block body, finish; /* finish: what runs at the end of the body, also of one that panics */
        } once;
        struct {
            struct expr *n;
            int var;
            struct block body;
        } loop; /* n NULL: forever (yield, return: n alone; recover: var alone; rand: n and var; defer: body); var -1: none */
        struct {
            struct expr *cond;
            struct block then, otherwise;
        } branch;
        struct {
            int var;
            struct operand to;
        } set;
        struct {
            struct operand obj, value; /* value without e: the default */
            int var, ok;               /* -1: none */
            struct block body;
        } obj; /* channels, mutexes, waitgroups */
        struct {
            struct selcase *v;
            uint32_t n;
            struct block *otherwise;
        } select; /* otherwise NULL: no default */
        struct {
            struct operand conn;
            uint32_t side;
            struct expr *bytes;
        } io; /* write, read */
        struct {
            int var, as;
            struct expr *n, *to, *old;
        } atomic;         /* n: Add; old: CompareAndSwap; to: Store, Swap; none: Load */
        const char *text; /* panic */
    } u;
};

/* Returns the nth list of operations inside of op, in the order of their numbers. NULL: it has no more. */
const struct block *op_inside(const struct op *op, uint32_t nth);

struct program {
    const char *name;
    uint32_t nparams, nvars; /* variable 0 is i, then the params */
    uint32_t room;           /* variables of itself and, behind them, of what it calls */
    uint32_t ncases;         /* of the largest select in these */
    bool returns;            /* it returns a number */
    bool called, defers;     /* it is called by another one; it has deferred operations */
    struct block body;
};

enum claim_kind {
    CLAIM_PRINTS,
    CLAIM_PRINTS_SORTED,
    CLAIM_COUNTER,
    CLAIM_EVENT,
    CLAIM_NEVER,
    CLAIM_SEQUENCE,
    CLAIM_ENDS,
    CLAIM_WITHIN,
    CLAIM_RACES,
    CLAIM_LEAKS,
    CLAIM_MODAL, /* about all schedules: model/query/modal.h */
    CLAIM_KINDS
};
struct claim {
    enum claim_kind kind;
    unsigned line, col;
    const char *text; /* the pattern or the counter's name, for messages */
    char **lines;     /* prints, and the sequence's patterns as text */
    unsigned nlines;
    int counter, end;
    uint64_t min, max;
    struct pattern **pattern; /* event, never: one, as in some of modal; sequence: nlines */
    struct modal modal;
    int64_t within;
    int mode; /* -1: both */
    bool has_seed;
    bool no_stalls; /* it is not judged in a run with stalls */
    uint64_t seed;
    uint32_t gens; /* generations to which it applies: bits by enum rt_generation */
};

struct facts {
    struct scenario_fact *v;
    uint32_t n;
};
struct without {
    uint32_t disable;
    uint64_t fails;
};
/* A feature that not every generation has, and where it is used: an operation (lacks[]), a switch, or a pattern on
 * P. In a claim it counts only for the generations to which the claim applies. */
enum use_kind { USE_VERB, USE_P, USE_BOOT, USE_DISABLE, USE_WITHOUT, USE_ENABLE };
struct use {
    struct use *next;
    enum use_kind of;
    int what; /* place in lacks[], or DIS_… */
    uint32_t gens;
    unsigned line, col;
};

/* An operation makes a context of `child`, with one of `parent` as its parent or with a timeout. */
struct descent {
    struct descent *next;
    struct operand child, parent;
};

/* A number that the seed draws (vary.c). */
#define VARY_MAX 16
struct vary_range {
    int64_t low, high;
};
struct vary {
    const char *name;
    struct vary_range *range;
    uint32_t nranges;
    uint64_t total; /* values in all ranges */
    int64_t value;
};
/* What is drawn from a scenario; of the one that was loaded. */
struct draws {
    _Atomic(struct scenario *) first; /* a list by `next`; only ever grows */
    bool is_fixed[VARY_MAX];
    int64_t fixed[VARY_MAX];
};

/* What is known of a Go program besides its form. */
struct scenario_go {
    enum rt_generation generation, module; /* of the Go that would build it; module: 0, or the older one of its go.mod */
    enum run_boot boot;
    const char *version, **args;
    uint32_t nargs;
};

/* The kinds of things that a scenario declares; those from channels to conns are objects. */
enum {
    NS_NONE = -1,
    NS_PROGRAMS,
    NS_CHANNELS,
    NS_MUTEXES,
    NS_RWMUTEXES,
    NS_WAITGROUPS,
    NS_CONDS,
    NS_ONCES,
    NS_CONTEXTS,
    NS_CONNS,
    NS_SHARED,
    NS_COUNT
};

struct scenario {
    struct arena a;
    struct yscenario *y;      /* owns the names and texts that the rest points to */
    const struct ynode *root; /* its positions in the file */
    struct scenario_info info;
    const struct names *names; /* what it declares, by NS_… */
    struct vary *vary;         /* `nvary` names, with the values of this scenario */
    uint32_t nvary;
    struct draws *draws;
    const struct scenario *base; /* the scenario that was loaded, NULL: this one */
    struct scenario *next;       /* drawn from the same base */
    const char *bytes, *alias;   /* the file; the alias by which it was asked for, NULL: none */
    size_t len;
    const struct scenario_from *from; /* while it is loaded */
    bool is_program;                  /* there is no file but the Go program */
    struct form *form;                /* of a Go program; NULL: the programs are operations. Of the scenario that was loaded */
    const struct scenario_go *go;     /* the same */
    const char *packed;               /* `packed_len` bytes: the text of a Go program (source.c); NULL: bytes */
    size_t packed_len;
    struct program *prog;
    uint32_t nprog, main, nops;
    const struct flow *flow; /* of the programs */
    bool defers;             /* some program does */
    struct descent *descent; /* the children of contexts, and those with a timeout: a list each, with how many it has */
    struct descent *timed;
    uint32_t ndescents, ntimed;
    bool asks_for_places; /* a pattern in it is about g_op events */
    struct claim *claim;
    struct use *use;
    struct without *without;
    struct facts *facts;                    /* by entry of the lesson */
    uint32_t *cond_mutex;                   /* by cond: its mutex */
    uint32_t *chan_buffer;                  /* by channel */
    uint32_t first_timer;                   /* names of channels from here on are those of timers (own_timers.c) */
    uint32_t first_timer_chan;              /* the channel of the first of them */
    struct operand passed;                  /* channels that variables may hold are among these */
    uint32_t *first[NS_COUNT];              /* of kinds of objects, by name: its first object; last, how many there are */
    uint8_t *own;                           /* by name of a channel: OWN_…, what makes it */
    uint32_t *own_prog;                     /* the same: what the timer starts */
    _Atomic(struct program_text *) program; /* NULL until scenario_program() has made it */
};

/* ---- loading ---- */

/* Declared names of one kind. suspect: a declaration had a mistake, so an unknown name may be the one it declares. */
struct names {
    const char *what, *list;
    const char **v;
    unsigned n;
    bool suspect;
    uint32_t *slot, mask;
};

struct compiler {
    struct arena *a;
    struct diag *d;
    struct scenario *sc;
    const struct ynode *root;
    struct names ns[NS_COUNT];
    const char *lost[MAX_LOST]; /* keys of the whole file that salvage() has cut out */
    unsigned nlost;
    uint32_t gens; /* generations to which the code being compiled applies: bits */
    /* of the program being compiled */
    struct program *prog;
    const char *var[MAX_VARIABLES];
    bool holds_channel[MAX_VARIABLES]; /* each variable: it does, and never a number */
    unsigned nvars;
    bool vars_suspect;
    unsigned loops;                                       /* around the operation being compiled */
    enum inside { IN_PROGRAM, IN_DEFER, IN_ONCE } inside; /* the list that it belongs to runs as a function of its own */
};

/* own_timers.c: before yaml_check */
enum { OWN_NONE, OWN_TIMER, OWN_TICKER, OWN_FUNC };
void own_timers_declare(struct compiler *c, struct ynode *root);
void own_timers_kinds(struct compiler *c); /* once names are declared */

/* tree.c: before and after yaml_check */
void tree_normalise(struct arena *a, struct ynode **root);
/* Returns what to write instead of a word of Go or of another language at that place (advice.c); NULL: nothing is known. */
const char *scenario_advice(const char *place, const char *word);
bool tree_salvage(struct compiler *c, struct ynode *root); /* false: nothing is left that could be loaded */
bool tree_damaged(const struct ynode *n);
bool tree_lost_variables(const struct ynode *n);                /* salvage() may have cut out a name that it sets */
bool tree_lost_list(const struct compiler *c, const char *key); /* salvage() cut out this list, or one with a misspelt key */

/* vary.c, in the order of their calls: lists NAME: VALUES in a form for the schema; reads them; sets the values, or (NULL) draws them from the
 * file's own seed; puts them into the tree. */
void vary_normalise(struct arena *a, struct ynode *root);
void vary_read(struct compiler *c);
void vary_set(struct compiler *c, const int64_t *values);
void vary_fill(struct compiler *c, struct ynode *root);
int64_t vary_value(const struct vary *v, uint64_t nth); /* of all ranges */
/* Each name has a stream of its own, so that a name more, or one that is fixed, does not change the others. */
int64_t vary_draw(const struct vary *v, uint64_t seed);
bool vary_has(const struct scenario *sc, const char *name);
/* load.c. Fills in sc from its bytes; values: of the names that vary; NULL: drawn from the file's own seed. Returns whether it has no mistakes. */
bool scenario_load_well(struct scenario *sc, const int64_t *values, struct diag *d);
/* Compiles the same file with these values. NULL: a mistake, in d. */
struct scenario *scenario_with(const struct scenario *base, const int64_t *values, struct diag *d);
void scenario_drop(struct scenario *sc); /* frees it alone */

/* source.c: runs the front end on `source`, and adds its functions as programs; gives them their operations. */
void source_expand(struct compiler *c, struct ynode *root);
const char *source_scenario(struct arena *a, const char *path, size_t *len); /* the file of a Go program that has none */
bool source_is_bare(const char *bytes, size_t len);                          /* this is what source_scenario() wrote */
/* Takes apart the text of a Go program. Returns: false if it is not one. Mistakes are in d. */
bool source_unpack(struct scenario *sc, const char *text, size_t len, struct diag *d);
void source_programs(struct compiler *c);

/* objects.c. The two that return false lack memory. */
bool check_objects(struct compiler *c); /* once names are declared */
bool name_objects(struct compiler *c);
bool object_is_array(const struct scenario *sc, int kind, unsigned i); /* the i-th name */
uint32_t object_count(const struct scenario *sc, int kind, unsigned i);
uint32_t object_total(const struct scenario *sc, int kind);
uint32_t mutex_total(const struct scenario *sc); /* of those that are declared and those inside of onces and contexts */
uint32_t chan_total(const struct scenario *sc);  /* the same, of channels */
/* Compiles NAME or NAME[EXPR], the first len bytes of at's text; the rest belongs to what a message says to write. False: reported. */
bool compile_object(struct compiler *c, int kind, const struct ynode *at, size_t len, struct operand *out);
/* Compiles a channel, a variable that holds one, or, as a value, nil. */
bool compile_channel(struct compiler *c, const struct ynode *at, bool value, struct operand *out);
bool is_context(const struct compiler *c, const struct operand *channel);   /* it is that of a context */
bool is_own_timer(const struct compiler *c, const struct operand *channel); /* or of a timer */
void note_descent(struct compiler *c, struct descent **list, uint32_t *n, const struct op *op);
bool compile_end(struct compiler *c, const struct ynode *at, struct op *out); /* NAME.a, NAME[EXPR].b */

/* symbols.c: mistakes and names. `off` is a byte offset in at's text. */
void bad(struct compiler *c, const struct ynode *at, size_t off, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Adds to the last mistake at that place the words that would be valid instead of `word`. */
void offer(struct compiler *c, const struct ynode *at, size_t off, const char *word, const char *const *words, size_t n);
bool name_valid(const char *s);
bool variable_valid(const char *s);
bool names_init(struct names *ns, struct arena *a, unsigned n); /* room for n; false: out of memory */
void names_add(struct names *ns, const char *name);
int names_find(const struct names *ns, const char *name);
int names_resolve(struct compiler *c, int ns, const struct ynode *at, const char *name); /* -1: reported */
bool compile_duration(struct compiler *c, const struct ynode *at, const char *s, int64_t *ns);
struct pattern *compile_pattern(struct compiler *c, const struct ynode *at, const char *s);
/* values.c: expressions and print templates with the current program's variables */
bool variables_collect(struct compiler *c, const struct ygoroutine *y, const struct ynode *node);
int variable_slot(struct compiler *c, const struct ynode *at, const char *name); /* to be written; -1: reported */
bool variable_known(struct compiler *c, const char *name);
bool variable_holds_channel(const struct compiler *c, const char *name);
/* Reports a variable that is to get a channel and holds numbers, or the reverse. */
bool variable_takes(struct compiler *c, const struct ynode *at, int slot, bool channel);
struct expr *compile_expr(struct compiler *c, const struct ynode *at);
struct expr *compile_variable(struct compiler *c, const struct ynode *at); /* that holds a channel */
struct expr *compile_part(struct compiler *c, const struct ynode *at, size_t off, size_t len,
                          bool print); /* of its text; print: goid, p, m are known */
bool compile_template(struct compiler *c, const struct ynode *at, struct op *out);

/* generation_support.c: features that not every generation has */
void use_verb(struct compiler *c, const struct ynode *key, const char *verb);
void use_switch(struct compiler *c, const struct ynode *at, int which, enum use_kind how); /* DIS_… */
void use_p(struct compiler *c, const struct ynode *at, size_t off);                        /* a pattern on P */
void use_boot(struct compiler *c, const struct ynode *at);                                 /* Gs of the runtime before main */

/* lint.c: everything except programs; lesson.c: lessons; claims.c: expectations; compile.c: programs;
 * spawn_limits.c: how many Gs */
bool lint_scenario(struct compiler *c);
void lint_lessons(struct compiler *c);
const char *lesson_on(const struct ylesson *l); /* its pattern, as written */
struct text lang_text(const struct ytext *t);   /* NULL: "" */
/* holds.c: does such a run have the file's own Ps, mechanisms and generation, or does the entry name what it has instead? */
bool scenario_entry_is_for(const struct scenario *sc, uint32_t i, const struct rt_config *rt);
struct modal;
/* Checks X of "may: X" (model/query/modal.h). */
void compile_what(struct compiler *c, const struct ynode *at, const char *s, struct modal *m);
/* The generations that a list below `generation` names: bits. An empty list names all. */
uint32_t scenario_narrow(const int *list, unsigned n);
void compile_claims(struct compiler *c);
void compile_programs(struct compiler *c);
void lint_spawns(struct compiler *c);
void lint_calls(struct compiler *c);          /* call_limits.c */
void lint_making(struct compiler *c);         /* made.c */
void scenario_make_flow(struct scenario *sc); /* flow.c. Without memory there is none, and sc->a.lacking says so */

/* ---- running (interp.c) ---- */

enum leave { LEAVE_NOTHING, LEAVE_TURN, LEAVE_LOOP, LEAVE_PROGRAM }; /* what the operation that was done last ends */
struct frame {
    struct scenario_run *run;
    const struct program *prog;
    struct start *start;
    int64_t *var;          /* in start.var */
    struct rt_case *cases; /* of the select being done: too many for a G's stack */
    struct unwinding *unwinding;
    struct deferred *deferred; /* the newest */
    int64_t result;
    enum leave leave;
    uint32_t once; /* the mutex of the once whose body it is */
    bool no_p;     /* a value asked for the P in a generation without Ps */
};
/* A G's program and variables. The G that its creator makes gets a copy (rt_go_copy). One block of memory for each G. */
struct start {
    struct scenario_run *run;
    uint32_t prog, base; /* base: where the variables of the call under way begin */
    const struct op *at; /* the operation that the G is in or reaches next; read when stopped; NULL at first */
    int64_t var[];       /* program.room */
};

struct deferred {
    const struct block *list;
    struct deferred *next;
};
/* The panics of a G, and where they go. */
struct unwinding {
    struct place *place; /* the innermost; NULL: no program that defers is under way */
    struct panic *panic; /* the newest; NULL: none */
};

struct scenario_run {
    const struct scenario *sc;
    struct sched *sched;
    struct hchan **chan;
    struct mutex **mutex;         /* those of the onces and contexts follow */
    struct handle *_Atomic *func; /* by channel: the timer of that name, which has a function instead */
    atomic_bool *done;            /* of the once with that mutex: its body has run */
    struct waitgroup **waitgroup;
    struct conn **conn;
    struct rwmutex **rwmutex;
    struct cond **cond;
    struct context *context; /* by number */
    enum rt_generation generation;
    bool races;              /* accesses of shared variables, and what orders them, are noted */
    bool places;             /* of which operations Gs have reached is recorded */
    _Atomic int64_t *shared; /* relaxed: a race is intended, undefined behaviour is not */
    struct start *main;
    struct vm *vm;      /* of a Go program */
    const void **first; /* the first operation of each of its functions */
};

/* contexts.c. Makes a context; parent: number + 1, 0 for the background; ns -1: without a timeout. */
struct context *contexts_new(const struct scenario *sc); /* NULL: out of memory */
void context_make(struct scenario_run *r, uint32_t i, uint32_t parent, int64_t ns, uint32_t line);
void context_cancel(struct scenario_run *r, uint32_t i);
int64_t context_err(struct scenario_run *r, uint32_t i); /* 0: none, 1: Canceled, 2: DeadlineExceeded */
struct hchan *context_done(struct scenario_run *r, uint32_t i);
void nil_pointer(void); /* Go's panic */

/* calls.c: deferred operations, panics. Runs what may defer: a program, or the body of a once. */
void run_deferring(struct frame *f, const struct block *body, void (*run)(struct frame *f, const struct block *b));
bool recover_panic(struct unwinding *u); /* false: there is none to recover */
void raise_panic(struct unwinding *u, const char *text, bool goexit);

void interp_main(void *arg); /* an rt_fn; arg is a struct start */
/* Writes the text that the print which the G is in or reaches next writes at this place. Returns false if a value has none (division by
 * zero). Caller: only while the run is stopped. */
bool interp_text(const struct start *g, struct scenario_place place, char text[EV_TEXT_MAX + 1]);
/* Returns the start data of a new G, to be released by free(). NULL: out of memory. */
struct start *interp_start(struct scenario_run *run, uint32_t prog, int64_t i);

typedef void op_exec(struct frame *f, const struct op *op);
#define VERB(verb, ...) op_exec exec_##verb;
#include "scenario/ops.def"
op_exec exec_once_end;

#endif
