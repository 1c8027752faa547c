/* The process: its memory, and the names of its functions. */
#include "attach/attach_internal.h"
#include "eventlog/events.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { IOVS = 1024, NAME_MOST = 240 };
#define FUNCS_MOST (UINT64_C(1) << 23)
#define TABLE_MOST (UINT64_C(1) << 31)

bool target_read_all(pid_t pid, const struct piece *v, size_t n)
{
    struct iovec to[IOVS], from[IOVS];
    for (size_t i = 0; i < n;) {
        size_t k = 0, want = 0;
        for (; k < IOVS && i < n; k++, i++) {
            to[k] = (struct iovec){v[i].to, v[i].n};
            from[k] = (struct iovec){(void *)(uintptr_t)v[i].from, v[i].n};
            want += v[i].n;
        }
        ssize_t got = process_vm_readv(pid, to, k, from, k, 0);
        if (got < 0 || (size_t)got != want)
            return false;
    }
    return true;
}

bool target_read(pid_t pid, uint64_t from, void *to, size_t n)
{
    return target_read_all(pid, &(struct piece){from, to, n}, 1);
}

/* Where the first page of a file that may be loaded anywhere is. */
static bool find_bias(struct target *t, const struct go_exe *exe)
{
    char path[64], line[700], name[512];
    uint64_t from = 0;
    bool found = false;
    t->bias = 0;
    if (!exe->dynamic)
        return true;
    snprintf(path, sizeof path, "/proc/%d/exe", (int)t->pid);
    ssize_t n = readlink(path, name, sizeof name - 1); /* as maps has it, also if the file is gone, or is in another file system */
    name[n > 0 ? n : 0] = '\0';
    snprintf(path, sizeof path, "/proc/%d/maps", (int)t->pid);
    FILE *f = fopen(path, "re");
    while (f && n > 0 && !found && fgets(line, sizeof line, f)) {
        char *at = strchr(line, '/');
        if (at)
            at[strcspn(at, "\n")] = '\0';
        found = at && !strcmp(at, name) && sscanf(line, "%" SCNx64, &from) == 1;
    }
    if (f)
        fclose(f);
    t->bias = found && exe->nsegment ? from - (exe->segment[0].at & ~UINT64_C(0xfff)) : 0;
    return found;
}

static bool in_image(const struct target *t, const struct go_exe *exe, uint64_t at, uint64_t n)
{
    for (uint32_t i = 0; i < exe->nsegment; i++) {
        uint64_t from = exe->segment[i].at + t->bias;
        if (at >= from && at - from <= exe->segment[i].mem && n <= exe->segment[i].mem - (at - from))
            return true;
    }
    return false;
}

/* Is this the moduledata of the function table at `table`? Then t has what is in it. */
static bool take_moduledata(struct target *t, const struct go_exe *exe, const uint8_t *md, uint64_t table)
{
    uint64_t names = word_at(md, MD_FUNCNAMETAB), nnames = word_at(md, MD_FUNCNAMETAB + 8), pcln = word_at(md, MD_PCLNTABLE),
             npcln = word_at(md, MD_PCLNTABLE + 8), ftab = word_at(md, MD_FTAB), nftab = word_at(md, MD_FTAB + 8),
             minpc = word_at(md, MD_MINPC), maxpc = word_at(md, MD_MAXPC), text = word_at(md, MD_TEXT), nfunc;
    if (word_at(md, 0) != table || nftab < 2 || nftab > FUNCS_MOST || nnames > TABLE_MOST || npcln > TABLE_MOST || npcln < 8 ||
        maxpc <= minpc || text > minpc || !in_image(t, exe, names, nnames) || !in_image(t, exe, pcln, npcln) ||
        !in_image(t, exe, ftab, nftab * 8) || !in_image(t, exe, minpc, maxpc - minpc) ||
        !target_read(t->pid, table + 8, &nfunc, sizeof nfunc) || nfunc != nftab - 1)
        return false;
    uint32_t *v = malloc(nftab * 8);
    if (!v || !target_read(t->pid, ftab, v, nftab * 8) || text + v[0] != minpc)
        return free(v), false;
    for (uint64_t i = 1; i < nftab; i++)
        if (v[2 * i] < v[2 * i - 2])
            return free(v), false;
    t->text = text;
    t->funcnametab = names;
    t->nfuncname = nnames;
    t->pclntable = pcln;
    t->npcln = npcln;
    t->ftab = v;
    t->nftab = nftab;
    return true;
}

enum { CHUNK = 1 << 20 };

/* Searches a segment for the first word of moduledata, the address of the function table. */
static bool search_segment(struct target *t, const struct go_exe *exe, const struct exe_segment *g, uint8_t *buf)
{
    for (uint64_t at = 0; at < g->file; at += CHUNK - MD_BYTES) {
        size_t n = g->file - at < CHUNK ? (size_t)(g->file - at) : CHUNK;
        if (n < MD_BYTES || !target_read(t->pid, g->at + t->bias + at, buf, n))
            return false;
        for (size_t i = (size_t)(-(g->at + at) & 7); i + MD_BYTES <= n; i += 8)
            for (uint32_t k = 0; k < exe->ntable; k++)
                if (word_at(buf, i) == exe->table[k] + t->bias && take_moduledata(t, exe, buf + i, exe->table[k] + t->bias))
                    return true;
    }
    return false;
}

bool target_open(struct target *t, const struct go_exe *exe, char why[ATTACH_WHY])
{
    uint8_t *buf = malloc(CHUNK);
    bool found = false;
    if (!buf)
        return WHY(t->lang, why, "%s", "%s", strerror(ENOMEM)), false;
    for (int writable = 1; writable >= 0 && find_bias(t, exe) && !found; writable--)
        for (uint32_t i = 0; i < exe->nsegment && !found; i++)
            found = exe->segment[i].writable == writable && search_segment(t, exe, &exe->segment[i], buf);
    free(buf);
    if (!found)
        WHY(t->lang, why, "its function table (%s) is not as Go writes it", "它的函数表（%s）不是 Go 写的样子", exe->version);
    return found;
}

void target_close(struct target *t)
{
    for (uint32_t i = 0; i < t->nnames; i++)
        free(t->names[i]);
    free(t->ftab);
}

/* Writes the name of the function that begins at pc. Names are a stranger's text: they are shown like any. */
static bool read_name(const struct target *t, uint64_t pc, char name[NAME_MOST])
{
    uint64_t lo = 0, hi = t->nftab - 1, off = pc - t->text;
    uint32_t f[2];
    while (pc >= t->text && lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (t->ftab[2 * mid] < off)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (pc < t->text || lo >= t->nftab - 1 || t->ftab[2 * lo] != off || t->ftab[2 * lo + 1] > t->npcln - 8 ||
        !target_read(t->pid, t->pclntable + t->ftab[2 * lo + 1], f, sizeof f) || f[0] != off || f[1] >= t->nfuncname)
        return false;
    size_t n = t->nfuncname - f[1] < NAME_MOST - 1 ? (size_t)(t->nfuncname - f[1]) : NAME_MOST - 1;
    memset(name, 0, NAME_MOST);
    return target_read(t->pid, t->funcnametab + f[1], name, n) && name[0];
}

uint32_t target_fn(struct target *t, uint64_t pc)
{
    char name[NAME_MOST];
    for (uint32_t i = 0; i < t->nnames; i++)
        if (t->entry[i] == pc)
            return i;
    if (t->nnames == ATTACH_FNS || !read_name(t, pc, name) || !(t->names[t->nnames] = strdup(name)))
        return EV_NONE;
    t->entry[t->nnames] = pc;
    return t->nnames++;
}

/* Writes where in the table of names each name begins. Returns false if one is not there. */
static bool find_names(const struct target *t, const char *const *names, size_t n, uint32_t *at)
{
    char *v = malloc(t->nfuncname + 1);
    bool good = v && t->nfuncname && target_read(t->pid, t->funcnametab, v, t->nfuncname);
    for (size_t i = 0; good && i < n; i++) {
        size_t len = strlen(names[i]);
        const char *p = v, *end = v + t->nfuncname;
        for (; (p = memmem(p, (size_t)(end - p), names[i], len + 1)) && p > v && p[-1]; p++)
            ;
        good = p != NULL;
        at[i] = good ? (uint32_t)(p - v) : 0;
    }
    free(v);
    return good;
}

bool target_functions(const struct target *t, const char *const *names, size_t n, struct stretch *out)
{
    enum { BATCH = 1024 };
    struct piece piece[BATCH];
    uint32_t at[4], name[BATCH];
    size_t found = 0;
    if (n > sizeof at / sizeof *at || !find_names(t, names, n, at))
        return false;
    memset(out, 0, n * sizeof *out);
    for (uint64_t i = 0; i + 1 < t->nftab && found < n; i += BATCH) {
        size_t k = 0;
        for (; k < BATCH && i + k + 1 < t->nftab; k++) {
            if (t->ftab[2 * (i + k) + 1] > t->npcln - 8)
                return false;
            piece[k] = (struct piece){t->pclntable + t->ftab[2 * (i + k) + 1] + 4, &name[k], 4};
        }
        if (!target_read_all(t->pid, piece, k))
            return false;
        for (size_t j = 0; j < k; j++)
            for (size_t q = 0; q < n; q++)
                if (name[j] == at[q] && !out[q].n) {
                    uint32_t from = t->ftab[2 * (i + j)];
                    out[q] = (struct stretch){t->text + from, t->ftab[2 * (i + j) + 2] - from};
                    found++;
                }
    }
    return found == n;
}
