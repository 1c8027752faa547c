/* The run file: all events of a run, and what is needed to understand them. The writer appends while the run continues; the reader offers the
 * events again. The history's temporary file is a run file, too.
 *
 * FORMAT, version 1. All numbers are little-endian. A file is 16 bytes of signature, then chunks, one directly after the other:
 *
 *   signature   8 bytes  89 47 4d 50 0d 0a 1a 0a (0x89 "GMP" CR LF ^Z LF)
 *               u32      the version of the format
 *               u32      0
 *   chunk       u32      tag: four letters, the first one in the lowest byte
 *               u32      bytes of the body, at most 32 MiB
 *               u64      checksum: XXH64 of the body, with the seed tag + bytes * 2^32
 *               ...      the body
 *
 * The chunks, in this order. A reader skips a tag that it does not know if its first letter is a small one, and refuses the file otherwise.
 *
 *   HEAD        once     a list: what the run was. See "names" below
 *   EVTS        any      a piece of a segment: events, and the places that Gs reached between them
 *               u64      the number of its first event; the first event of a run has number 1
 *               u32      how many events of its segment precede it; 0: a segment begins
 *               u32      how many events it has; it may have only places
 *               u32      bytes of its packed events
 *               u32      bytes of its places, which follow the events
 *   TAIL        once     the end of a complete file
 *               u64      how many events the file has
 *               u32      how many segments it has
 *               u32      0
 *               16 bytes for each segment: u64 where its first chunk begins, u64 its first event
 *               ...      a list: how the run ended
 *   DONE        once     u64: where TAIL begins. It is the end of the file, so that a reader finds the index without reading all chunks
 *
 * A list is a sequence of pairs of a name and a value: u32 bytes of the name, the name, u32 bytes of the value, the value. Names may repeat.
 *
 * A segment has at most 65,536 events. It is the unit of random access: the first byte of its events can be unpacked without anything before it.
 * Its pieces are the stretches in which it was written: a writer that is about to wait (or has not written for a second) writes the piece that it has.
 * The bytes of the pieces, one after the other, are the bytes of the segment. No piece ends within a record or a place.
 * trace/pack.c describes the records of events and trace/segment.h the places. The guesses of the records begin from zeros in each block of
 * 4,096 events of a segment, and no record crosses the end of a block.
 *
 * NAMES in HEAD. The writer adds the first two itself:
 *   format.events   the table of events, as text: a line for each kind in the order of its number, then a line for each enumeration of words.
 *                   A reader with another table cannot fold these events, and refuses the file
 *   format.block    4096
 * engine/recorder.h has the others (the scenario's text, the settings), those of TAIL, and what a place of G 0 means.
 *
 * The time of an event is from 0 to 2^62 - 1 ns.
 *
 * DAMAGE. A file without DONE was cut: its writer was killed, or the disk was full. A reader walks the chunks from the first one and uses all up to the
 * first that is not whole. A chunk whose checksum is wrong ends what can be read, wherever it is. A reader trusts no number before it has compared it
 * with the size of the file, and allocates no more than a chunk and a block.
 *
 * Rejected: one stream without segments (a reader must then fold all of a run to see its end); a general compressor (ten times as slow); CRC-32C
 * (slower than XXH64 where there is no instruction for it); segments that are overwritten as they grow (a kill in between loses them).
 */
#ifndef GMPSCOPE_TRACE_RUN_FILE_H
#define GMPSCOPE_TRACE_RUN_FILE_H

#include "base/arena.h"
#include "trace/pack.h"

enum {
    RUN_VERSION = 1,
    RUN_ERROR = 400,
    RUN_PIECE = 4 << 20, /* bytes after which a piece is written */
    RUN_SEGMENT = 16384, /* events in a segment, as the writer makes them */
};
extern const uint8_t run_magic[8]; /* the first bytes of a run file */

/* ---- lists of named texts: the head of a file, and what it says about its end ---- */

struct run_text {
    const char *name; /* ends with a zero byte */
    const char *text; /* len bytes, then a zero byte */
    size_t len;
};
/* Begins as zeros. */
struct run_head {
    VEC(struct run_text) list;
    struct arena memory; /* of names and texts */
};
void run_head_fini(struct run_head *h);
/* Adds a copy of the text. Returns false if memory ran out. */
bool run_head_put(struct run_head *h, const char *name, const char *text, size_t len);
/* Returns the first text of this name, NULL if there is none. */
const struct run_text *run_head_get(const struct run_head *h, const char *name);

/* ---- the writer ----
 *
 * Not thread-safe. No call fails loudly: after an error (disk full, I/O error, file removed, memory) the writer takes no more events, what was
 * written stays readable, and run_writer_error() says what happened. The process must ignore SIGXFSZ. */

struct run_writer;

/* Creates the file; one that exists is emptied. path: NULL for a file without a name in TMPDIR. Returns NULL and writes an error message if that
 * is impossible. */
struct run_writer *run_writer_new(const char *path, const struct run_head *head, char error[RUN_ERROR]);
/* Adds n events of one M and one time. text: of the only one; NULL: none. Returns false after an error. */
bool run_writer_add(struct run_writer *w, uint32_t m, const struct ev *e, uint32_t n, const char *text, size_t len);
/* Adds a place: G g has reached operation op after the last event. */
bool run_writer_place(struct run_writer *w, uint32_t g, uint32_t op);
/* Writes what was added since the last write. To be called about once a second, and whenever the run rests, so that a kill loses little. Each
 * call that finds something new costs some 40 bytes. */
bool run_writer_flush(struct run_writer *w);
/* Writes the rest and the index. end: how the run ended, NULL: nothing is known. The writer then takes no more events. */
bool run_writer_end(struct run_writer *w, const struct run_head *end);
uint64_t run_writer_bytes(const struct run_writer *w);  /* the size of the file */
uint64_t run_writer_events(const struct run_writer *w); /* events that were added */
uint64_t run_writer_kept(const struct run_writer *w);   /* events that are in the file */
int run_writer_error(const struct run_writer *w);       /* an errno, 0: none. ENOENT: the file was removed */
bool run_writer_takes(const struct run_writer *w);      /* false: it has failed, or has ended */
void run_writer_free(struct run_writer *w);             /* without run_writer_end() the file stays a cut one; NULL: does nothing */

/* The history packs its segments itself (trace/segment.h), and hands the bytes over. A writer that gets these takes no events of its own. */
struct packed_segment {
    uint64_t first; /* number of its first event */
    uint32_t n;     /* events */
    const uint8_t *events, *places;
    size_t nevents, nplaces; /* bytes */
};
/* What of a segment is in the file. Begins as zeros. */
struct run_written {
    uint64_t at, bytes; /* its chunks; bytes 0: none */
    uint32_t n;
    size_t nevents, nplaces;
};
/* Writes what the segment has and the file lacks. A segment must be whole in the file before the next one begins. Returns false after an error. A
 * file without a name may be tried again. */
bool run_writer_append(struct run_writer *w, const struct packed_segment *s, struct run_written *done);
/* Reads a segment back: its events, PACK_BEHIND more bytes, its places. *buffer (NULL or malloc'd memory of *cap bytes) grows as needed. Returns
 * false if it is not as it was written, or memory ran out. */
bool run_writer_read(const struct run_writer *w, const struct run_written *done, uint8_t **buffer, size_t *cap);
/* Gives the space of a segment back, where the file system can. Only for a file without a name. */
void run_writer_forget(struct run_writer *w, const struct run_written *done);

/* ---- the reader ---- */

struct run_reader;

/* Returns NULL and writes one line about what is wrong, without the path: no such file, no run file, of another version, of another table of events,
 * cut or damaged in its head. A file that is damaged behind it has the events before that place, perhaps none. */
struct run_reader *run_reader_open(const char *path, char error[RUN_ERROR]);
void run_reader_free(struct run_reader *r); /* NULL: does nothing */
const struct run_head *run_reader_head(const struct run_reader *r);
/* Returns what the writer said at the end, NULL if the file has no end. */
const struct run_head *run_reader_end(const struct run_reader *r);

enum run_state {
    RUN_WHOLE,
    RUN_CUT,     /* the end is missing: its writer was killed or could not write, or it still writes */
    RUN_DAMAGED, /* a chunk is not as it was written, or is not what it says. A file with an index shows this only when the chunk is read */
};
enum run_state run_reader_state(const struct run_reader *r);
uint64_t run_reader_events(const struct run_reader *r); /* events that can be read, as far as is known */

enum run_item { RUN_EVENT, RUN_PLACE, RUN_END, RUN_LACK }; /* RUN_LACK: memory ran out */
struct run_event {
    uint64_t number; /* of a place: the event that it belongs to */
    uint32_t m;
    const struct ev *ev; /* ev, text: valid until the next call */
    const char *text;    /* not NUL-terminated; NULL: none */
    size_t len;
    uint32_t g, op; /* of a place */
};
/* Reads on. RUN_END: all readable events were read; run_reader_state() says whether they are all. */
enum run_item run_reader_next(struct run_reader *r, struct run_event *out);
/* Goes to an event, from 1 on: the next item is the first place that belongs to it, or the event. Number events + 1 is the end. Returns false if
 * there is no such event. Costs the unpacking of a segment. */
bool run_reader_seek(struct run_reader *r, uint64_t number);

/* A segment of RUN_SEGMENT events that was read to its last event. */
struct run_passed {
    uint64_t first;
    struct run_written in_file;
    uint32_t block_at[RUN_SEGMENT / BLOCK + 1]; /* where its blocks begin in its packed events, and their end */
};
/* Returns the segment that begins with this event; NULL: it was not read to its end, or has another size. */
const struct run_passed *run_reader_passed(const struct run_reader *r, uint64_t first);
/* As run_writer_read(). */
bool run_reader_read(const struct run_reader *r, const struct run_written *done, uint8_t **buffer, size_t *cap);

#endif
