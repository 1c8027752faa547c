/* What libcyaml loads a scenario file into, and the schema that yaml_check and libcyaml share. Optional fields are
 * pointers. Only the tree knows whether an empty list was present. */
#ifndef GMPSCOPE_SCENARIO_SCHEMA_H
#define GMPSCOPE_SCENARIO_SCHEMA_H

#include "base/run_names.h"
#include <cyaml/cyaml.h>
#include <stdbool.h>
#include <stdint.h>

struct ytext {
    char *en, *zh;
};
struct yalias {
    char *name;
    int *generation;
};
struct ychannel {
    char *name;
    uint32_t *buffer, *count;
    int *of; /* what its values are: TYPE_… */
};
struct ynamed {
    char *name;
    uint32_t *count;
};
struct ycond {
    char *name, *mutex;
    uint32_t *count;
};
enum { TYPE_CHANNEL = 1 };
struct yparam {
    char *name;
    int *type; /* NULL: an integer */
};
struct ywithout {
    int *disable;
    unsigned disable_count;
    uint32_t *fails;
    unsigned fails_count;
};

struct yscheduler {
    uint32_t *gomaxprocs, *runq_size, *max_threads, *start_tick;
    int *generation, *mode, *boot, *module;
    uint64_t *seed;
    bool *async_preempt, *randomize;
    char *preempt_slice;
    struct ywithout *without;
    unsigned without_count;
    int *disable, *enable;
    unsigned disable_count, enable_count;
};

/* One operation: every key is optional here; ops.def says which belong together. */
#define MEMBER_EXPR(m) char *m;
#define MEMBER_DUR(m) char *m;
#define MEMBER_NAME(m) char *m;
#define MEMBER_VAR(m) char *m;
#define MEMBER_TEXT(m) char *m;
#define MEMBER_FLAG(m) bool *m;
#define MEMBER_EXPRS(m) \
    char **m; \
    unsigned m##_count;
#define MEMBER_OPS(m) \
    struct yop *m; \
    unsigned m##_count;
struct yop {
#define KEY(key, member, kind) MEMBER_##kind(member)
#include "scenario/ops.def"
};

struct ygoroutine {
    char *name;
    struct yparam *params;
    unsigned params_count;
    struct yop *do_;
    unsigned do__count;
};

struct ychoice {
    struct ytext *text, *because;
    char *value, *is;
};
struct yask {
    struct ytext *question, *because;
    struct ychoice *choices;
    unsigned choices_count;
    char *answer, *can;
    int *stalls; /* "no" */
    bool *scored;
};
enum { LESSON_ANY = 31, PROCS_ANY = 2147483647 }; /* the word `any` */
enum { OR_NEWER = GENERATIONS };                  /* added to a generation: this one and all newer ones, as in "go1.20+" */

#define PROCS_ANY_TEXT "2147483647"
struct ylesson {
    char *on, *at;                           /* the same; a YAML 1.1 reader takes "on" for a boolean */
    int *generation, *disable, *hide, *mode; /* hide: indices of scenario_pane_word() */
    uint32_t *procs;
    unsigned generation_count, disable_count, procs_count, hide_count;
    struct ytext *say, *notes;
    char **facts, **constants;
    unsigned facts_count, constants_count;
    bool *pause;
    struct yask *ask;
};

struct yexpect {
    char **prints, **prints_sorted, **sequence;
    unsigned prints_count, prints_sorted_count, sequence_count;
    char *counter, *event, *may, *must, *never, *within;
    int *ends, *mode, *stalls, *generation;
    unsigned generation_count;
    uint64_t *min, *max, *equals, *times, *seed, *races, *leaks;
};

struct yvary {
    char *name;
    char **values;
    unsigned values_count;
};

struct ycompare {
    char *left, *right;
};

struct yscenario {
    char *name, *next;
    struct ytext *title, *summary, *watch;
    int *topic, *path;
    unsigned path_count;
    uint32_t *order;
    struct yalias *aliases;
    char **constants;
    unsigned aliases_count, constants_count;
    struct ycompare *compare;
    struct yvary *vary; /* read from the tree, before it is loaded (vary.c) */
    unsigned vary_count;
    struct yscheduler *scheduler;
    struct ychannel *channels;
    unsigned channels_count;
    struct ynamed *conns, *mutexes, *rwmutexes, *waitgroups, *onces, *contexts;
    char **shared;
    unsigned conns_count, mutexes_count, rwmutexes_count, waitgroups_count, onces_count, contexts_count, shared_count;
    struct ycond *conds;
    unsigned conds_count;
    char *source, *test, **args;
    unsigned args_count;
    struct ygoroutine *goroutines;
    unsigned goroutines_count;
    struct ylesson *lesson;
    unsigned lesson_count;
    struct yexpect *expect;
    unsigned expect_count;
};

extern const cyaml_schema_value_t scenario_schema;
extern const cyaml_schema_value_t *const scenario_operation_schema;
/* Returns true if this is the map of an operation. */
bool scenario_is_operation(const cyaml_schema_value_t *v);
/* Returns true if this is an entry of `vary`: NAME: VALUES in files. */
bool scenario_is_vary(const cyaml_schema_value_t *v);
/* Returns true if this is the map of a choice, which may be written as its text alone. */
bool scenario_is_choice(const cyaml_schema_value_t *v);
/* Returns true if this is a number of Ps for which a text holds, which may be the word `any`. */
bool scenario_is_procs(const cyaml_schema_value_t *v);
/* Returns the key whose value may stand for the whole map: its first, if that is a string and the only required one; else NULL. */
const char *scenario_short_form(const cyaml_schema_value_t *v);

/* The operations' keys and verbs, in the table's order. */
enum key_kind { KIND_EXPR, KIND_DUR, KIND_NAME, KIND_VAR, KIND_TEXT, KIND_FLAG, KIND_EXPRS, KIND_OPS };
#define VERB_MODS 4
struct verb {
    const char *key;
    const char *mod[VERB_MODS]; /* up to the first NULL */
};
extern const struct verb scenario_verbs[];
struct ynode;
const struct verb *verb_find(const char *key);          /* NULL: no verb */
bool verb_takes(const struct verb *v, const char *key); /* key is the verb itself or one of its modifiers */
/* Is this key a modifier of another verb of the same operation (the go of an after, the after of a timer)? */
bool verb_modifies(const struct ynode *operation, const struct verb *v);
const struct verb *verb_of(const struct ynode *operation); /* the first that modifies none; NULL: none */

/* Finds the nth list of operations inside of a loaded one. False: there are no more. node: its map, or NULL; then out->list is NULL, too. A list that is absent is empty. */
struct yops {
    const struct yop *v;
    unsigned n;
    const char *key;
    const struct ynode *list;
};
bool yop_inside(const struct yop *y, const struct ynode *node, unsigned nth, struct yops *out);
const char *yop_as(const struct yop *y); /* the variable that `as` names; NULL: none, or it names a timer */

#endif
