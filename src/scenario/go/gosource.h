/* A scenario as Go source: what the files of this folder share.
 *
 *   program.c     the file: head, declarations, functions, helpers; which of them are needed
 *   operations.c  operations to statements
 *   library.c     those that are one call of Go's library
 *   printing.c    what is printed
 *   expr.c        expressions, spaced as gofmt spaces them
 *   names.c       names of the scenario to names of Go
 *   head.c        the fixed parts of every program, in Go
 *   listing.c     the same functions without the fixed parts, for the screen
 *
 * Functions are written twice. The first pass only collects facts: which variables are read (Go rejects unread variables), which ones
 * only one loop uses, and which helpers and packages are needed. Its text is discarded. */
#ifndef GMPSCOPE_SCENARIO_GOSOURCE_H
#define GMPSCOPE_SCENARIO_GOSOURCE_H

#include "scenario/scenario_internal.h"
#include <stdio.h>

/* Parts of the program that are written only when something uses them. */
enum go_part {
    GO_RUNTIME = 1,
    GO_SYNC = 2,
    GO_TIME = 4,
    GO_COMPUTE = 8,
    GO_TIGHT = 16,
    GO_SYSCALL = 32,
    GO_B2I = 64,
    GO_ZERO = 128,
    GO_DEBUG = 256,
    GO_GOID = 512,
    GO_PRINT = 1024,
    GO_OS = 2048,
    GO_SOCKET = 4096,
    GO_TIMER = 8192,
    GO_ATOMIC = 16384,
    GO_NOW = 32768,
    GO_RAND = 65536,
    GO_CONTEXT = 131072,
    GO_ERR = 262144
};

struct go_var {
    const char *name, *go;
    uint32_t writes, reads, loop_reads;  /* loop_reads: reads inside the only loop that sets it */
    bool param, loop, channel, captured; /* loop: declared by its loop; channel: it holds one; captured: read in a deferred list */
};

/* Where an operation (its verb's place in the file) or, without a line, the next program begins in the functions: a byte offset. */
struct go_mark {
    unsigned line, col;
    long at;
};

struct gosrc {
    const struct scenario *sc;
    struct arena a;
    struct diag *d;
    void *spare; /* memory for expr.c when the arena is exhausted */
    FILE *out;   /* the functions; the text around them is written later */
    unsigned parts;
    uint32_t gomaxprocs;
    enum rt_generation generation; /* the Go that it is written for */
    bool learning, oom;
    bool listing;             /* for people only: nothing is refused, and main does only what the scenario says */
    VEC(struct go_mark) mark; /* of a listing */
    bool goids;               /* some program prints goid: all Gs get their number */
    bool *reads_i;            /* of each program */
    int indent;
    const char **global[NS_COUNT]; /* names in Go, in the order of scenario.names */
    const char **cancel;           /* the same of the functions that cancel contexts */
    struct names taken;            /* package-level names of ours in Go */
    /* of the function being written */
    struct go_var var[MAX_VARIABLES];
    unsigned nvars;
    const char *counter, *end; /* names for loops without a variable */
    unsigned label, nlabels;   /* of the loop being written, 0: it has none; so many are in the function */
    bool returns, inside;      /* the function has a result; the operation is inside of a list that is a function of its own */
    bool breaks, selects;      /* something breaks out of that loop; a select is inside of it, around the operation being written */
    const struct yop *y;
    const struct ynode *node, *key; /* the operation being written, and its verb */
    int names;                      /* of its row in ops.def, as `go` */
    const char *go;
};

/* head.c */
struct go_helper {
    unsigned part;
    uint32_t generations; /* bits 1 << GO…: those that have this text of it */
    const char *text;
};
extern const struct go_helper go_helpers[];
extern const size_t go_helper_count;

/* program.c: what both kinds of output share. spare: expr.c's memory. False: out of memory. */
bool gosrc_init(struct gosrc *s, const struct scenario *sc, enum rt_generation gen, uint32_t gomaxprocs, struct diag *d);
void gosrc_fini(struct gosrc *s);
void go_declare_objects(struct gosrc *s, FILE *f);
void go_write_functions(struct gosrc *s, const struct ynode *root, FILE *f);

/* names.c */
void go_names(struct gosrc *s);
const char *go_global(const struct gosrc *s, int names, const char *name);
bool go_declares(const struct gosrc *s, int names, const char *name);
bool go_carries_channels(struct gosrc *s, const char *channel); /* the values of this channel, or variable, are channels */
int go_program(const struct gosrc *s, const char *name);
/* The variables of a program: i, params, and what its operations set. */
void go_function_names(struct gosrc *s, const struct ygoroutine *y);
struct go_var *go_find_var(struct gosrc *s, const char *name, size_t len);
bool go_has_shared(const struct gosrc *s, const char *name, size_t len);

/* expr.c: an expression as Go, in the arena. depth: gofmt's, 2 where several stand next to each other. */
const char *go_int(struct gosrc *s, const char *text, int depth);
const char *go_bool(struct gosrc *s, const char *text, bool negate);
void *go_spare(struct arena *a);
/* Returns whether it is a constant, and its value. */
bool go_constant(struct gosrc *s, const char *text, int64_t *value);

/* printing.c */
void go_indent(struct gosrc *s, int depth);
void go_line(struct gosrc *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void go_refuse(struct gosrc *s, const struct ynode *at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
const char *go_text(struct gosrc *s, char *made); /* "" without memory, which is noted */
#define PRINTED(s, ...) go_text(s, arena_printf(&(s)->a, __VA_ARGS__))
const char *go_duration(struct gosrc *s, const char *text, const char *blank);
/* The variable that `as` or `set` names, if something reads it; NAME or NAME[EXPR] as Go; the same of a channel, a variable that holds
 * one, or nil. */
const char *go_assigned(struct gosrc *s, const char *name);
const char *go_object(struct gosrc *s, int kind, const char *text);
const char *go_cancel(struct gosrc *s, const char *context); /* the function that cancels it */
bool go_is_context(struct gosrc *s, const char *text);
const char *go_channel(struct gosrc *s, const char *text);
/* Writes a call that returns a bool, and its result as an integer. */
bool go_asked(struct gosrc *s, const struct yop *y, const char *call);
bool write_print(struct gosrc *s, const struct yop *y);
bool write_panic(struct gosrc *s, const struct yop *y);

/* library.c */
bool write_add(struct gosrc *s, const struct yop *y);
bool write_method(struct gosrc *s, const struct yop *y);
bool write_result(struct gosrc *s, const struct yop *y);
bool write_len(struct gosrc *s, const struct yop *y);
bool write_atomic(struct gosrc *s, const struct yop *y);
bool write_now(struct gosrc *s, const struct yop *y);
bool write_context(struct gosrc *s, const struct yop *y);
bool write_cancel(struct gosrc *s, const struct yop *y);
bool write_err(struct gosrc *s, const struct yop *y);
bool write_rand(struct gosrc *s, const struct yop *y);
bool write_io(struct gosrc *s, const struct yop *y);
bool write_runtime(struct gosrc *s, const struct yop *y);
bool write_gomaxprocs(struct gosrc *s, const struct yop *y);

/* operations.c. Marks that the output is here; a listing only. key NULL: at the next program. */
void go_mark(struct gosrc *s, const struct ynode *key);
/* True: control never reaches its end, so nothing may follow (Go's vet). */
bool go_block(struct gosrc *s, const struct yop *y, unsigned n, const struct ynode *list);

#endif
