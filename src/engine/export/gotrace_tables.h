/* The tables of a Go execution trace: its strings, and its stacks. A text or a stack that is used again has the same number. */
#ifndef GMPSCOPE_ENGINE_EXPORT_GOTRACE_TABLES_H
#define GMPSCOPE_ENGINE_EXPORT_GOTRACE_TABLES_H

#include "engine/export/export.h"
#include "model/run_info.h"
#include "trace/go/go_file.h"

struct gotrace_frame {
    uint32_t fn, file, line;
};
/* A stack: the operation, and, if that is in another function, the function with which the G began. */
struct gotrace_frames {
    uint32_t inner, outer; /* numbers of frames, from 1; outer 0: none */
};

struct gotrace_tables {
    const struct run_info *info;
    struct id_table string_of, frame_of, stack_of;
    VEC(char *) strings; /* the first has the number 1; so have the others */
    VEC(struct gotrace_frame) frames;
    VEC(struct gotrace_frames) stacks;
    uint32_t sched, gosched, preempted, file;
    bool lacks;
};

enum gotrace_mark { MARK_STEAL, MARK_BATCH, MARK_KICK, MARK_OVERFLOW };

bool gotrace_tables_init(struct gotrace_tables *t, const struct run_info *info);
void gotrace_tables_fini(struct gotrace_tables *t);
/* Each returns a number of a string or a stack; 0 if memory ran out (lacks), or if no stack is known. */
uint32_t gotrace_reason(struct gotrace_tables *t, uint32_t reason);
uint32_t gotrace_stw(struct gotrace_tables *t, uint32_t why, enum gc_phase_kind phase);
uint32_t gotrace_mark(struct gotrace_tables *t, enum gotrace_mark what, uint32_t a, uint32_t b);
uint32_t gotrace_stack(struct gotrace_tables *t, const struct model *md, uint32_t g); /* where the G is */
uint32_t gotrace_root(struct gotrace_tables *t, uint32_t fn);                         /* where a new G begins */
/* Writes a stack as numbers: its own, how many frames it has, and of each the place, the function, the file and the line. Returns how many. */
enum { GOTRACE_STACK = 2 + 2 * 4 };
int gotrace_stack_numbers(const struct gotrace_tables *t, size_t i, uint64_t *v);
/* Fills `data` with the next batch of strings (which 0) or stacks (1); *from: the next row. False: there is none. */
bool gotrace_table(struct gotrace_tables *t, int which, size_t *from, struct export_buf *data);

#endif
