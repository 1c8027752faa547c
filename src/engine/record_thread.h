/* A thread that packs and writes a recording (trace/run_file.h), so that the thread that folds need not. The fold copies events into slabs and hands a
 * slab over when it is full. If the other thread lags behind by all slabs, the fold waits: then the rings fill up, and the Ms wait, as they do
 * for a slow terminal. Without a thread (none is left) the caller writes a full slab itself.
 *
 * Caller: one thread, the one that folds. What cannot be written is remembered by the writer, as always.
 */
#ifndef GMPSCOPE_ENGINE_RECORD_THREAD_H
#define GMPSCOPE_ENGINE_RECORD_THREAD_H

#include "trace/run_file.h"

struct record_thread;

/* Takes `to` over if it returns one. Returns NULL if memory ran out. */
struct record_thread *record_thread_new(struct run_writer *to);
/* As run_writer_add() and run_writer_place(). */
void record_thread_add(struct record_thread *t, uint32_t m, const struct ev *e, uint32_t n, const char *text, size_t len);
void record_thread_place(struct record_thread *t, uint32_t g, uint32_t op);
/* Hands over what there is, to be written at once. Does not wait for that. */
void record_thread_flush(struct record_thread *t);
/* Waits until all is written, and ends the thread. The writer stays. Without effect if it has ended. */
struct run_writer *record_thread_end(struct record_thread *t);
void record_thread_free(struct record_thread *t); /* the writer, too; NULL: does nothing */

#endif
