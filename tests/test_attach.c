/* gmpscope attach: what it reads out of a Go program is what the program prints about itself. tests/go/attach has the programs: each brings itself into a
 * state that cannot change, and Go's own GODEBUG=schedtrace,scheddetail prints that state, by other code than ours, from inside of the process. */
#include "attach/layout.h"
#include "attaching.h"

#include <ctype.h>

/* --- what is compared -------------------------------------------------------------------------------------------------------------- */

enum { PS = 16, MS = 64, GS = 2000 };
struct state {
    struct {
        int status;
        long m, tick, n, next, ring[256];
    } p[PS];
    struct {
        bool there, idle, spinning;
        long p, curg;
    } m[MS];
    struct {
        bool there;
        int status; /* Go's numbers */
        long m;
        char reason[40], fn[80];
    } g[GS];
    long np, nglobq, npidle, nmidle, globq[GS], pidle[PS], midle[MS];
};

/* Returns where the value of a key is in this line, NULL: nowhere. */
static const char *of_key(const char *line, const char *key)
{
    char name[40];
    snprintf(name, sizeof name, " %s=", key);
    const char *at = strstr(line, name);
    return at && at < line + strcspn(line, "\n") ? at + strlen(name) : NULL;
}

static long value(const char *line, const char *key)
{
    const char *at = of_key(line, key);
    return at && isdigit((unsigned char)*at) ? strtol(at, NULL, 10) : -1;
}

static void word(const char *line, const char *key, char *to, size_t n)
{
    const char *at = of_key(line, key);
    snprintf(to, n, "%.*s", at ? (int)strcspn(at, " \n") : 0, at ? at : "");
}

static bool is_true(const char *line, const char *key)
{
    const char *at = of_key(line, key);
    return at && !strncmp(at, "true", 4);
}

/* Go's words for a reason as ours: "force gc (idle)" is force_gc_idle. */
static void as_ours(const char *from, char *to, size_t size)
{
    size_t n = 0;
    for (int deep = 1; *from && n + 1 < size; from++) {
        deep += *from == '(' ? 1 : *from == ')' ? -1 : 0;
        if (!deep)
            break;
        if (isalnum((unsigned char)*from))
            to[n++] = (char)tolower((unsigned char)*from);
        else if (n && to[n - 1] != '_')
            to[n++] = '_';
    }
    while (n && to[n - 1] == '_')
        n--;
    to[n] = '\0';
    if (!strcmp(to, "gomaxprocs_updater_idle")) /* the only one that has another name in our table */
        snprintf(to, size, "update_gomaxprocs_idle");
}

/* Reads the last SCHED block of Go's text that is whole. Returns false if there is none yet. */
static bool read_go(const char *text, struct state *s)
{
    const char *last = NULL, *at = text, *end;
    for (const char *next; (next = strstr(at, "SCHED ")); at = next + 1)
        if (strstr(next + 1, "SCHED "))
            last = next;
    memset(s, 0, sizeof *s);
    if (!last)
        return false;
    s->np = value(last, "gomaxprocs");
    s->npidle = value(last, "idleprocs");
    s->nmidle = value(last, "idlethreads");
    s->nglobq = value(last, "runqueue");
    end = strstr(last + 1, "SCHED ");
    for (const char *line = strchr(last, '\n') + 1; line < end; line = strchr(line, '\n') + 1) {
        char kind = line[2];
        long id = strtol(line + 3, NULL, 10);
        if (line[0] != ' ')
            continue;
        if (kind == 'P' && id < PS) {
            s->p[id].status = (int)value(line, "status");
            s->p[id].m = value(line, "m");
            s->p[id].tick = value(line, "schedtick");
            s->p[id].n = value(line, "runqsize");
        } else if (kind == 'M' && id < MS) {
            s->m[id].there = true;
            s->m[id].p = value(line, "p");
            s->m[id].curg = value(line, "curg");
            s->m[id].spinning = is_true(line, "spinning");
            s->m[id].idle = is_true(line, "blocked");
        } else if (kind == 'G' && id < GS) {
            s->g[id].status = (int)value(line, "status");
            s->g[id].there = s->g[id].status != 6 && s->g[id].status != 11; /* dead; that of an extra M */
            s->g[id].m = value(line, "m");
            if (s->g[id].status == 4)
                as_ours(strchr(line, '(') + 1, s->g[id].reason, sizeof s->g[id].reason);
        }
    }
    return true;
}

static void read_list(const char **line, long n, long *to)
{
    for (long i = 0; i < n; i += 4) {
        *line = strchr(*line, '\n') + 1;
        static const char *const names[] = {"a", "b", "c", "d"};
        HAS(*line, "look_in");
        for (long k = 0; k < 4 && i + k < n; k++)
            to[i + k] = value(*line, names[k]);
    }
}

static int named(const char *s, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(s, names[i]))
            return i;
    t_fail(__FILE__, __LINE__, "state %s", s);
    return -1;
}

/* Reads the events of the first look. */
static void read_ours(const char *text, struct state *s)
{
    static const char *const p_states[] = {"idle", "running", "syscall", "gcstop", "dead", NULL},
                             *const g_states[] = {"-", "runnable", "running", "syscall", "waiting", NULL};
    char state[40];
    memset(s, 0, sizeof *s);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        char kind[20];
        const char *at = strstr(line, " look"), *p = strstr(line, " P");
        if (!at || at > strchr(line, '\n'))
            continue;
        snprintf(kind, sizeof kind, "%.*s", (int)strcspn(at + 1, " "), at + 1);
        long of = p && p < at ? strtol(p + 2, NULL, 10) : 0;
        word(line, "state", state, sizeof state);
        if (!strcmp(kind, "look")) {
            s->np = value(line, "ps");
            break;
        }
        if (!strcmp(kind, "look_p")) {
            CHECK(of < PS);
            s->p[of].status = named(state, p_states);
            s->p[of].m = value(line, "m");
            s->p[of].tick = value(line, "tick");
            s->p[of].next = value(line, "runnext");
        } else if (!strcmp(kind, "look_m")) {
            long id = strtol(strstr(line, "M") + 1, NULL, 10);
            CHECK(id < MS);
            s->m[id].there = true;
            s->m[id].p = value(line, "p");
            s->m[id].curg = value(line, "curg");
            s->m[id].idle = !strcmp(state, "idle");
            s->m[id].spinning = !strcmp(state, "spinning");
        } else if (!strcmp(kind, "look_g")) {
            long id = value(line, "g");
            CHECK(id > 0 && id < GS);
            s->g[id].there = true;
            s->g[id].status = named(state, g_states);
            s->g[id].m = value(line, "m");
            word(line, "fn", s->g[id].fn, sizeof s->g[id].fn);
            word(line, "reason", s->g[id].reason, sizeof s->g[id].reason);
        } else if (!strcmp(kind, "look_queue")) {
            char what[20];
            long n = value(line, "n");
            word(line, "what", what, sizeof what);
            if (!strcmp(what, "runq")) {
                CHECK(n <= 256);
                s->p[of].n = n;
                read_list(&line, n, s->p[of].ring);
            } else if (!strcmp(what, "globq")) {
                s->nglobq = n;
                read_list(&line, n, s->globq);
            } else if (!strcmp(what, "idle_p")) {
                s->npidle = n;
                read_list(&line, n, s->pidle);
            } else {
                CHECK_STR(what, "idle_m");
                s->nmidle = n;
                read_list(&line, n, s->midle);
            }
        }
    }
}

static void compare(const struct state *go, const struct state *we)
{
    CHECK_INT(we->np, go->np);
    CHECK_INT(we->npidle, go->npidle);
    CHECK_INT(we->nmidle, go->nmidle);
    CHECK_INT(we->nglobq, go->nglobq);
    for (long i = 0; i < go->np; i++) {
        CHECK_INT(we->p[i].status, go->p[i].status);
        CHECK_INT(we->p[i].m, go->p[i].m);
        CHECK_INT(we->p[i].tick, go->p[i].tick);
        CHECK_INT(we->p[i].n, go->p[i].n);
    }
    for (long i = 0; i < GS; i++) {
        if (we->g[i].there != go->g[i].there || (go->g[i].there && we->g[i].status != go->g[i].status))
            t_fail(__FILE__, __LINE__, "G%ld: state %d, Go says %d", i, we->g[i].status, go->g[i].status);
        if (go->g[i].there && go->g[i].status == 4)
            CHECK_STR(we->g[i].reason, go->g[i].reason);
        if (go->g[i].there && (go->g[i].status == 2 || go->g[i].status == 3))
            CHECK_INT(we->g[i].m, go->g[i].m);
    }
    for (long i = 0; i < MS; i++) {
        if (!we->m[i].there) { /* M1 of a cgo program is for threads of C: no thread has it, and it says that it has a G that is dead */
            CHECK(!go->m[i].there || (!go->m[i].idle && go->m[i].p < 0 && go->m[i].curg > 0 && !go->g[go->m[i].curg].there));
            continue;
        }
        CHECK(go->m[i].there);
        CHECK_INT(we->m[i].p, go->m[i].p);
        CHECK_INT(we->m[i].curg, go->m[i].curg);
        CHECK_INT(we->m[i].idle, go->m[i].idle);
        CHECK_INT(we->m[i].spinning, go->m[i].spinning);
    }
    for (long i = 0; i < we->npidle; i++)
        CHECK_INT(go->p[we->pidle[i]].status, 0);
    for (long i = 0; i < we->nmidle; i++)
        CHECK(go->m[we->midle[i]].idle);
}

/* Looks at the program in a mode, and compares that with what Go prints: the same before and after the look, so it was so at the look. */
static void look_at(const char *path, const char *mode, const char *arg, bool no_stop, struct state *we)
{
    enum { TRIES = 50 };
    static struct state before, after;
    bool same = false;
    setenv("GODEBUG", "asyncpreemptoff=1,schedtrace=100,scheddetail=1", 1);
    for (int i = 0; i < TRIES && !same; i++) {
        struct running it = starts(path, mode, arg);
        wait_for(it.out, "ready");
        moment(500 + 100 * i); /* its threads go to sleep */
        bool printed = read_go(slurp(it.err, NULL), &before);
        struct result r = no_stop ? ATTACH(it.pid, "--events", "--limit=50ms", "--no-stop") : ATTACH(it.pid, "--events", "--limit=50ms");
        HAS(r.out, " look n=1 ");
        read_ours(r.out, we);
        moment(250);
        read_go(slurp(it.err, NULL), &after);
        end(&it);
        /* on a busy machine 10 ms may pass before G1 has made its workers: then it is preempted, and they run */
        same = printed && !memcmp(&before, &after, sizeof before) && !has_in(it.out, "a worker ran");
    }
    CHECK(same);
    unsetenv("GODEBUG");
    compare(&after, we);
}

static struct state seen;

/* The workers are made in this order: the n-th one has the n-th smallest number that a worker has. */
static void check_queue(const struct state *s, const char *fn, long n)
{
    long worker[GS], k = 0, p = s->p[0].next ? 0 : 1, overflow = n > 257 ? 128 : 0;
    for (long i = 0; i < GS; i++)
        if (s->g[i].there && !strcmp(s->g[i].fn, fn))
            worker[k++] = i;
    CHECK_INT(k, n);
    CHECK_INT(s->p[p].next, worker[n - 1]);
    CHECK_INT(s->p[!p].next, 0);
    CHECK_INT(s->p[!p].n, 0);
    /* the 258th one finds the ring full: the older half of it goes to the global queue, and after it the one that was in runnext */
    CHECK_INT(s->nglobq, overflow ? overflow + 1 : 0);
    for (long i = 0; i < overflow; i++)
        CHECK_INT(s->globq[i], worker[i]);
    if (overflow)
        CHECK_INT(s->globq[overflow], worker[256]);
    CHECK_INT(s->p[p].n, n - 1 - s->nglobq);
    for (long i = 0, w = overflow; i < s->p[p].n; i++, w++) {
        w += overflow && w == 256;
        CHECK_INT(s->p[p].ring[i], worker[w]);
    }
}

static void queues_of(int build)
{
    need_go();
    need_ptrace();
    const char *path = built(&builds[build]);
    static const long sizes[] = {1, 100, 257, 300};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        look_at(path, "queue", number(sizes[i]), false, &seen);
        check_queue(&seen, "main.worker", sizes[i]);
    }
    look_at(path, "queue", "300", true, &seen);
    check_queue(&seen, "main.worker", 300);
}

TEST(queues_of_a_plain_program)
{
    queues_of(PLAIN);
}

TEST(queues_of_a_stripped_program)
{
    queues_of(STRIPPED);
}

TEST(queues_of_a_stripped_program_with_cgo)
{
    queues_of(CGO);
}

TEST(queues_of_a_position_independent_program)
{
    queues_of(PIE);
}

static long starting_with(const struct state *s, const char *fn, int status)
{
    long n = 0;
    for (long i = 0; i < GS; i++)
        n += s->g[i].there && s->g[i].status == status && !strncmp(s->g[i].fn, fn, strlen(fn));
    return n;
}

TEST(idle_ps_and_ms_waits_and_calls)
{
    need_go();
    need_ptrace();
    for (int i = PLAIN; i < BUILDS; i++) {
        const char *path = built(&builds[i]);
        look_at(path, "idle", "0", false, &seen);
        CHECK_INT(seen.np, 4);
        CHECK_INT(seen.npidle, 3);
        CHECK(seen.nmidle > 0);
        look_at(path, "waits", "20", false, &seen);
        CHECK_INT(seen.npidle, seen.np);
        CHECK_INT(starting_with(&seen, "main.waits", 4), 20); /* the compiler starts them by a wrapper, main.waits.gowrap1 */
        look_at(path, "threads", "6", false, &seen);
        CHECK_INT(starting_with(&seen, "main.threads", 3), 6);
    }
}

/* The offsets of this Go's release, from the DWARF of a program: the first field is the release, one byte, and all others are two. */
TEST(the_layout_is_that_of_the_installed_go)
{
    need_go();
    char line[2000];
    snprintf(line, sizeof line, "go run '%s/tests/go/layouts/measure.go' '%s'", SOURCE_DIR, built(&builds[PLAIN]));
    struct result *r = shell(line);
    CHECK_STR(r->err, "");
    char *at = r->out;
    const struct go_layout *l = go_layout((int)strtol(at, &at, 10));
    CHECK(l);
    for (const uint16_t *is = &l->g_m; is <= &l->s_runqsize; is++)
        CHECK_INT(*is, strtol(at, &at, 10));
    CHECK_STR(at, "\n");
}
