/* What the files of attach/ share. */
#ifndef GMPSCOPE_ATTACH_ATTACH_INTERNAL_H
#define GMPSCOPE_ATTACH_ATTACH_INTERNAL_H

#include "attach/attach.h"
#include "attach/layout.h"
#include "base/arena.h"

#define WHY(lang, why, en, zh, ...) snprintf(why, ATTACH_WHY, (lang) == LANG_ZH ? zh : en, __VA_ARGS__)

/* ---- elf.c */
enum { EXE_SEGMENTS = 16, EXE_TABLES = 8, EXE_VERSION = 40 };
struct exe_segment {
    uint64_t at, mem, off, file; /* address, bytes in memory, offset and bytes in the file */
    bool writable;
};
struct go_exe {
    char version[EXE_VERSION];
    int minor;
    bool dynamic; /* it may be loaded anywhere: addresses are relative */
    uint32_t nsegment, ntable;
    struct exe_segment segment[EXE_SEGMENTS];
    uint64_t table[EXE_TABLES]; /* addresses where a function table may begin */
};

/* ---- target.c */
struct target {
    pid_t pid;
    enum lang lang;
    uint64_t bias; /* of its addresses */
    uint64_t text, funcnametab, pclntable, nftab;
    uint64_t nfuncname, npcln;
    uint32_t *ftab; /* pairs: offset of the entry from `text`, offset in pclntable */
    char *names[ATTACH_FNS];
    uint64_t entry[ATTACH_FNS]; /* of the function with this name */
    uint32_t nnames;
};
struct piece { /* of memory */
    uint64_t from;
    void *to;
    size_t n;
};
bool target_read(pid_t pid, uint64_t from, void *to, size_t n);
/* Reads all pieces, in as few calls as possible. Returns false if one of them cannot be read. */
bool target_read_all(pid_t pid, const struct piece *v, size_t n);
bool target_open(struct target *t, const struct go_exe *exe, char why[ATTACH_WHY]);
void target_close(struct target *t);
/* Returns the number of the function that begins at pc, new if necessary; EV_NONE: there is none, or too many were asked for. */
uint32_t target_fn(struct target *t, uint64_t pc);
struct stretch { /* of code */
    uint64_t from, n;
};
/* Finds the code of up to four functions by their names. Returns false if one is not there. */
bool target_functions(const struct target *t, const char *const *names, size_t n, struct stretch *out);

/* ---- locate.c */
struct found { /* addresses */
    uint64_t allp, sched, allgs, allm;
};
bool locate(const struct target *t, const struct go_exe *exe, const struct go_layout *l, struct found *out, char why[ATTACH_WHY]);

/* ---- stop.c */
struct stopped_thread {
    pid_t tid;
    int signal; /* to deliver when it goes on */
    enum { THREAD_SEIZED, THREAD_STOPPED, THREAD_GONE } state;
};
struct stopper {
    pid_t pid;
    int tasks;    /* descriptor of /proc/PID/task */
    int64_t from; /* when the first thread was asked to stop, CLOCK_MONOTONIC ns */
    VEC(struct stopped_thread) threads;
};
enum stop_result { STOP_OK, STOP_GONE, STOP_REFUSED, STOP_SLOW };
bool stop_open(struct stopper *s, pid_t pid);
/* Stops all threads. *error: errno of a refusal. On any other result than STOP_OK nothing is stopped. */
enum stop_result stop_all(struct stopper *s, int *error);
void stop_let_go(struct stopper *s);
void stop_close(struct stopper *s);

/* ---- look.c */
struct memory; /* what one look has read */
struct memory *memory_new(void);
const char *memory_wrong(const struct memory *k); /* why the last look was torn */
void memory_free(struct memory *k);               /* NULL: does nothing */
struct attach {
    struct target target;
    struct go_exe exe;
    const struct go_layout *l;
    struct found at;
    struct stopper stopper;
    bool no_stop;
    char path[512];
    uint64_t inode, device;
    struct attach_told told;
    struct memory *memory;
    struct snapshot s;
    struct number *numbers; /* of the Gs of the last look, by goid */
    size_t nnumbers;
    uint32_t next_number;
};

static inline uint64_t word_at(const void *p, size_t at)
{
    uint64_t v;
    __builtin_memcpy(&v, (const char *)p + at, sizeof v);
    return v;
}
static inline uint32_t half_at(const void *p, size_t at)
{
    uint32_t v;
    __builtin_memcpy(&v, (const char *)p + at, sizeof v);
    return v;
}

#endif
