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

#define RUN_GENERATIONS(X) X(GO1_20, "go1.20") X(GO1_13, "go1.13") X(GO1_4, "go1.4") X(GO1_0, "go1.0")
enum rt_generation {
#define X(id, name) id,
    RUN_GENERATIONS(X)
#undef X
        GENERATIONS
};

extern const char *const mode_name[MODES];
extern const char *const generation_name[GENERATIONS];

#endif
