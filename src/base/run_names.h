/* The names of modes and generations, which users type and files contain. These are the only tables of them. */
#ifndef GMPSCOPE_BASE_RUN_NAMES_H
#define GMPSCOPE_BASE_RUN_NAMES_H

#define RUN_MODES(X) X(MODE_LOCKSTEP, "lockstep") X(MODE_FREE, "free")
enum conductor_mode {
#define X(id, name) id,
    RUN_MODES(X)
#undef X
        MODES
};

/* How --fine decides which M goes next (conductor/fine.c; the last three: conductor/pace.c). MIXED: the seed draws one of the others. */
#define RUN_WAYS(X) \
    X(WAY_MIXED, "mixed") \
    X(WAY_UNIFORM, "uniform") \
    X(WAY_STICKY, "sticky") X(WAY_RANKED, "ranked") X(WAY_PARALLEL, "parallel") X(WAY_LOADED, "loaded") X(WAY_SINGLE, "single")
enum run_way {
#define X(id, name) id,
    RUN_WAYS(X)
#undef X
        WAYS_OF_RUNS
};

#define RUN_GENERATIONS(X) \
    X(GO1_27, "go1.27") \
    X(GO1_26, "go1.26") \
    X(GO1_25, "go1.25") \
    X(GO1_24, "go1.24") \
    X(GO1_23, "go1.23") X(GO1_22, "go1.22") X(GO1_21, "go1.21") X(GO1_20, "go1.20") X(GO1_13, "go1.13") X(GO1_4, "go1.4") X(GO1_0, "go1.0")
enum rt_generation {
#define X(id, name) id,
    RUN_GENERATIONS(X)
#undef X
        GENERATIONS
};

/* What has happened when main begins: nothing; or what the runtime starts for a Go program that prints with the builtin print only, that imports fmt
 * (and with it os), or that reaches package net. */
#define RUN_BOOTS(X) X(BOOT_BARE, "bare") X(BOOT_PRINT, "print") X(BOOT_FMT, "fmt") X(BOOT_NET, "net")
enum run_boot {
#define X(id, name) id,
    RUN_BOOTS(X)
#undef X
        BOOTS
};

#define DEFAULT_GENERATION GO1_20 /* of scenarios that name none */

/* Sets of generations, in bits 1 << GO…: from this one on; up to this one; both and those between them. The table begins with the newest. So a
 * new row belongs to each SINCE() of an older one, and no other module names a bit (tests/test_rules.c). */
#define ALL_GENERATIONS ((1u << GENERATIONS) - 1)
#define SINCE(first) ((2u << (first)) - 1)
#define UNTIL(last) (ALL_GENERATIONS & ~((1u << (last)) - 1))
#define BETWEEN(first, last) (SINCE(first) & UNTIL(last))

extern const char *const mode_name[MODES];
extern const char *const way_name[WAYS_OF_RUNS];
extern const char *const generation_name[GENERATIONS];
extern const char *const boot_name[BOOTS];

#endif
