/* The structure of Go's execution traces. Version 1 (Go 1.11 to 1.21) is in go_old.h. Version 2 (Go 1.22 and newer): a header, then generations of about a second. A generation has batches, each of
 * one thread, and tables of the strings and stacks that its events name, which may come last. So a generation is indexed before its events are read.
 *
 * internal/trace of Go's source is the reference: batch.go, generation.go, tracev2/events.go. The file may be a stranger's: it trusts no number in it,
 * and keeps of it, at most, the tables and the index of one generation and a batch of each thread. */
#ifndef GMPSCOPE_TRACE_GO_GO_FILE_H
#define GMPSCOPE_TRACE_GO_GO_FILE_H

#include "base/arena.h"
#include "base/feed.h"
#include "trace/go/id_table.h"

enum { GO_TEXT = 200, GO_BATCH_MOST = 1 << 16, GO_HEADER = 16, GO_ARGS = 5, GO_FRAMES = 5, GO_OLD_FRAMES = 1000, GO_SECOND = 22 };
#define GO_NO_THREAD UINT64_MAX

enum go_kind {
#define GO(name, args) GO_##name,
#include "trace/go/go_events.def"
    GO_KINDS,
    GO_EXPERIMENTS = 128, /* from this number on: events of experiments, whose arguments `go_experiment_args` counts */
    GO_EXPERIMENTS_END = 137,
};
extern const int8_t go_args[GO_KINDS], go_experiment_args[GO_EXPERIMENTS_END - GO_EXPERIMENTS];

struct go_batch {
    uint64_t m, time, at; /* at: where its events are in the file */
    uint32_t size;
};

enum go_state {
    GO_WHOLE,
    GO_CUT,     /* it ends in the middle */
    GO_DAMAGED, /* it says what cannot be */
};

/* When a G came back from a system call: its event comes later, when the G runs. */
struct old_exit {
    uint64_t ticks, g;
};
/* The index of a file of version 1. */
struct old_index {
    VEC(uint64_t) places; /* of batches: the stream in the upper 16 bits, below it where the batch is; sorted */
    VEC(struct old_exit) exits;
    uint64_t *first_m;   /* the first thread of each P; GO_NO_THREAD: none */
    enum go_state state; /* of the whole file */
    char wrong[GO_TEXT];
};

struct go_file {
    int fd;
    uint64_t size, at; /* where the next batch begins */
    int minor;         /* of the Go version in its header: 11, 19, 21; from GO_SECOND on it has version 2 */
    enum go_state state;
    bool lacks;        /* memory ran out */
    struct feed *feed; /* what still comes; NULL: nothing does */
    bool grows;        /* more may come than `size` */
    bool waits;        /* the last call returned false because the rest of a generation has not come yet */
    int64_t came,
        whole; /* wall ns, with a feed: when its last batch was there; when the last batch of the generation was that is read now */
    char wrong[GO_TEXT];   /* DAMAGED: what cannot be */
    uint8_t *window;       /* bytes of the file, which begin at from */
    uint64_t from, nbytes; /* nbytes of them are valid */

    struct old_index *old; /* of version 1; it has one generation */
    uint64_t samples;      /* of a CPU profile, in version 1 */
    bool no_clock;         /* it does not say how long a tick is */

    /* the generation that was read last */
    uint64_t generation, freq, freq_before;
    bool begun;                      /* a part of it is read; the rest is still to come */
    bool incomplete;                 /* the file ends before it does */
    VEC(struct go_batch) batches;    /* of events, by thread; those of one thread in their order */
    struct id_table strings, stacks; /* to places in `text`, `frame` */
    VEC(char) text;                  /* each ends with a zero byte */
    VEC(uint64_t) frame; /* GO_FRAMES of each stack: the functions on top, last that in which it begins; ids of strings, 0: not known */
};

/* Opens the header. Takes the descriptor of a regular file, also if it fails. Returns NULL and writes what is wrong; *foreign: it has another form.
 * feed: what the file gets its bytes from, and must outlive it; NULL: it has all of them. */
struct go_file *go_file_open(int fd, struct feed *feed, char wrong[GO_TEXT], bool *foreign);
void go_file_free(struct go_file *f);
void go_file_rewind(struct go_file *f);
/* Reads the tables and the index of the next generation. Returns false at the end of what can be read, or (f->waits) if it has not come yet: then another
 * call reads on. */
bool go_file_generation(struct go_file *f);
/* Reads bytes at a place. Returns false if the file does not have them. */
bool go_file_read(const struct go_file *f, uint8_t *out, size_t n, uint64_t at);
/* Adds to the tables. They return false and note what is wrong. add_stack moves *at past the numbers of the stack. */
bool go_file_add_string(struct go_file *f, uint64_t id, const uint8_t *bytes, size_t len);
bool go_file_add_stack(struct go_file *f, const uint8_t **at, const uint8_t *end, uint64_t frames_most);
bool go_file_add_clock(struct go_file *f, uint64_t freq);
/* Reads a batch's events into memory of GO_BATCH_MOST bytes. */
bool go_file_batch(struct go_file *f, const struct go_batch *b, uint8_t *out);
const char *go_file_string(const struct go_file *f, uint64_t id); /* "": it is not known */
const char *go_file_root(const struct go_file *f, uint64_t stack);
const char *go_file_top(const struct go_file *f, uint64_t stack, int i); /* its i-th function from the top, i < GO_FRAMES - 1 */
/* Notes what cannot be; the first of such notes stays. Returns false. */
bool go_file_damaged(struct go_file *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Reads a number of 7 bits a byte. Returns false if it does not end before `end`, or is too large. */
bool go_number(const uint8_t **at, const uint8_t *end, uint64_t *out);

#endif
