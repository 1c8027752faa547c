/* Go's execution traces, version 1 (Go 1.11 to 1.21): one sequence of events, in batches of one P each. A batch has no length, and the strings, the stacks
 * and the clock may come last, so the file is read once from beginning to end: the index has where the batches of each P are.
 *
 * internal/trace/parser.go and order.go of Go 1.19 are the reference, and internal/trace/tracev1.go of Go 1.26 for what the events are in version 2. */
#ifndef GMPSCOPE_TRACE_GO_GO_OLD_H
#define GMPSCOPE_TRACE_GO_GO_OLD_H

#include "trace/go/go_order.h"

enum go_old_kind {
#define OLD(name, args) OLD_##name,
#include "trace/go/go_old.def"
    OLD_KINDS,
};
enum { OLD_ARGS = 5, OLD_WINDOW = 1 << 16, OLD_NO_P = GO_PS_MOST, OLD_STREAMS };

struct old_event {
    uint64_t arg[OLD_ARGS]; /* of events with a time: without it */
    uint64_t place, time;   /* place: in the file; time: since the event before */
    uint8_t kind;
    const uint8_t *bytes; /* of a string, n of them; of a stack: its numbers */
    size_t n;
};

/* Reads events from a place of the file on. */
struct old_reader {
    struct go_file *f;
    uint64_t from, end; /* from: the place of bytes[0] */
    size_t i, n;        /* the next byte; how many there are */
    uint8_t bytes[OLD_WINDOW];
};
enum old_read { OLD_READ, OLD_END, OLD_CUT, OLD_BAD };
void old_read_at(struct old_reader *r, struct go_file *f, uint64_t place, uint64_t end);
enum old_read old_read(struct old_reader *r, struct old_event *e);
uint32_t old_stream(uint64_t p); /* of a batch's P; OLD_STREAMS: it cannot be */

/* Words that version 1 has as numbers. They are strings of the file, too. */
enum old_word {
    OLD_FOREVER,
    OLD_PREEMPTED,
    OLD_GOSCHED,
    OLD_SLEEP,
    OLD_CHAN_SEND,
    OLD_CHAN_RECEIVE,
    OLD_NETWORK,
    OLD_SYNC,
    OLD_COND,
    OLD_SELECT,
    OLD_ASSIST,
    OLD_STW_UNKNOWN,
    OLD_STW_MARK,
    OLD_STW_SWEEP,
    OLD_STW_GOMAXPROCS,
    OLD_STW_USER,
    OLD_WORDS
};
#define OLD_WORD(word) (UINT64_MAX - 1 - (word))

/* Reads the whole file into f->old, f's strings, stacks and frequency. Returns false if memory ran out. */
bool go_old_index(struct go_file *f);

/* The order of a trace of version 1, as events of version 2 (go_order.h). */
bool go_old_order(struct go_order *o, struct go_event *e);
void go_old_order_free(struct go_old *old);

#endif
