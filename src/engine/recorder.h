/* Recording a run into a run file (trace/run_file.h), and what the file says of the run besides its events.
 *
 * The head has the scenario's text and the settings of the run, so a recording needs nothing else to be replayed: claims, lessons, programs and names
 * come from the text. The trailer says how the run ended, for what no event tells: a limit, a failed check, the audit. A file without a trailer was
 * cut; then the run is over behind its last event.
 */
#ifndef GMPSCOPE_ENGINE_RECORDER_H
#define GMPSCOPE_ENGINE_RECORDER_H

#include "model/stop.h"
#include "runtime/runtime.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct engine;
struct run_head;
struct run_reader;

/* Names in the head. */
#define HEAD_TEXT "scenario"     /* the bytes of the scenario's file */
#define HEAD_PATH "path"         /* of that file, for messages */
#define HEAD_NAME "name"         /* as it was asked for, which may be an alias; "" if it is the path */
#define HEAD_SETTINGS "settings" /* words of the command line, each with a NUL at its end */
#define HEAD_HOW "how"           /* struct recorded_how */
#define HEAD_INFO "info"         /* of a run without a scenario: lines with what struct run_info has */
#define HEAD_FN \
    "fn" /* of such a run: the name of a program, as often as it has programs. In the trailer, too, where they
                                * were not all known at its beginning */

/* How a run was recorded. */
struct recorded_how {
    bool details;           /* detail events, too */
    enum run_places places; /* where Gs were in their programs */
    int64_t limit;          /* as in engine_config */
    uint64_t max_events;
};
bool recorded_how_read(const struct run_head *head, struct recorded_how *out);

struct run_info;
struct arena;
/* Reads what runs, of a recording without a scenario. name: what the person knows it by. False: it has one, or memory ran out (arena). */
bool recorded_info_read(const struct run_reader *r, const char *name, struct arena *a, struct run_info *out);

/* How a run ended. */
struct recorded_end {
    int how;       /* ENDED_…; -1: it had not ended */
    int64_t time;  /* of the state at its end */
    uint64_t lost; /* events */
    bool departed; /* a person has decided in it, so it is not the run of its seed */
    bool lack;     /* it failed because the machine lacked something */
    int signal;    /* that interrupted it; 0: none */
    int64_t standstill;
    uint32_t died_at;              /* 1 + the operation at which its G died; 0: not known */
    uint64_t compared, mismatches; /* by the audit */
    char mistake[STOP_TEXT];       /* what was wrong with its choices; "": nothing */
    const char *races;             /* races_write(); NULL: it had none. As long as the source is open */
    char failure[1024];            /* why it could not continue; "": it could */
    const char *cut;               /* run_info.cut, where that is known only at the end; so for the next two */
    uint64_t cut_read, cut_size;
};
bool recorded_end_read(const struct run_head *trailer, struct recorded_end *out);

/* What the caller knows of the run. */
struct record_to {
    const char *path, *name;
    const char *settings; /* HEAD_SETTINGS */
    size_t len;
    bool replace;   /* an existing file, even if it is not a run file */
    enum lang lang; /* of err */
};
/* Returns true if the file begins as a recording does, of whatever version. */
bool recorded_is(const char *path);
/* Returns false, with the reason in err, if something that is no recording has the name. */
bool record_may(const struct record_to *to, char *err, size_t size);
/* Starts to record, from the first event on: what the history has is written now, the rest as it is folded. False: err says why not. */
bool engine_record(struct engine *e, const struct record_to *to, char *err, size_t size);
struct recording_status {
    const char *path;       /* NULL: nothing is recorded */
    uint64_t bytes, events; /* so far; once it has failed: what the file has */
    int error;              /* errno of a failed write: the file ends there; 0: none */
};
struct recording_status engine_recording(const struct engine *e);
/* Writes what was recorded: about once a second, or (now) all of it, because the run is about to rest. */
void recorder_tend(struct engine *e, bool now);
/* Notes the mode if it has changed. Caller: all events before the change were folded. */
void recorder_note_mode(struct engine *e);
/* Writes how the run ended, and closes the file. Returns 0 or the errno of the first write that failed. engine_free() does it otherwise. */
int engine_record_end(struct engine *e);
/* Does the same for a run that another one replaces, and says what its recording has. */
struct recorded {
    char name[256];  /* of the file, without its directory; "": the run was not recorded */
    uint64_t events; /* in the file */
    int error;       /* an errno; 0: the file has all of the run */
};
struct recorded engine_record_replaced(struct engine *e);

#endif
