/* See findings.h. */
#include "cli/findings.h"
#include "base/text.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const exploration_end_name[] = {"seeds", "failures", "time", "interrupted", "error", "all", "bound"};

uint64_t exploration_seed(const struct exploration *s, uint64_t job)
{
    return s->seed + s->part - 1 + job * s->of;
}

uint64_t exploration_jobs(const struct exploration *s)
{
    return s->seeds < s->part ? 0 : (s->seeds - s->part) / s->of + 1;
}

/* Returns true if two failures differ only in their numbers; they are then of one kind. */
static bool alike(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        while (*a >= '0' && *a <= '9' && a[1] >= '0' && a[1] <= '9')
            a++;
        while (*b >= '0' && *b <= '9' && b[1] >= '0' && b[1] <= '9')
            b++;
        bool digits = *a >= '0' && *a <= '9' && *b >= '0' && *b <= '9';
        if (*a != *b && !digits)
            return false;
    }
    return *a == *b;
}

static void count_kind(struct findings *f, const struct failure *one)
{
    uint32_t i = 0;
    while (i < f->kinds && !alike(f->kind[i].why, one->why))
        i++;
    if (i == FINDINGS_KINDS)
        return;
    if (i == f->kinds) {
        f->kind[f->kinds++] = (struct failure_kind){.first = one->seed, .code = one->code};
        snprintf(f->kind[i].why, sizeof f->kind[i].why, "%s", one->why);
    }
    f->kind[i].n++;
}

static void json_failure(const struct failure *one, bool first, FILE *out)
{
    fprintf(out, "%s{\"seed\":%" PRIu64 ",\"exit\":%d,\"why\":", first ? "" : ",", one->seed, one->code);
    json_string(one->why, out);
    fputs(",\"replay\":", out);
    json_string(one->replay, out);
    fputc('}', out);
}

void findings_failure(struct findings *f, const struct failure *one, bool json, FILE *out)
{
    f->failed++;
    count_kind(f, one);
    if (f->failed == 1)
        f->first = strdup(one->replay); /* without memory there is one line less */
    if (json)
        json_failure(one, f->failed == 1, out);
    else if (f->all || f->failed <= FINDINGS_SHOWN)
        visible_line(out, "%s   # %s", one->replay, one->why);
}

/* What says which part this is and of what; parts are put together only if the rest of it is the same. */
static void json_part(const struct exploration *s, FILE *out)
{
    fprintf(out,
            ",\"seeds\":%" PRIu64 ",\"part\":%u,\"of\":%u,\"version\":\"%s\",\"scenario_hash\":\"%016" PRIx64
            "\",\"assumed_procs\":%u,\"command\":",
            s->seeds, s->part, s->of, s->version, s->scenario_hash, s->assumed_procs);
    json_string(s->command, out);
    if (s->tally) {
        fputs(",\"query\":", out);
        json_string(s->tally, out);
    }
}

void findings_begin(const struct findings *f, bool json, FILE *out)
{
    const struct exploration *s = &f->what;
    if (!json)
        return;
    fputs("{\"scenario\":", out);
    json_string(s->scenario, out);
    fprintf(out, ",\"generation\":\"%s\",\"gomaxprocs\":%u,\"fine\":%s,\"seed\":%" PRIu64, generation_name[s->generation], s->gomaxprocs,
            s->fine ? "true" : "false", s->seed);
    if (s->is_part)
        json_part(s, out);
    fputs(",\"failures\":[", out);
}

/* Prints the number of runs that did not fail but prove nothing: they were cut short or not judged. */
static void print_unproved(const struct findings *f, FILE *out)
{
    if (f->cut)
        fprintf(out, ", %" PRIu64 " cut by the limit, not judged", f->cut);
    if (f->cut && f->cut == f->done)
        fputs(" (none finished)", out);
    if (f->unjudged)
        fprintf(out, ", claims of %" PRIu64 " not judged: they assume %u Ps", f->unjudged, f->what.assumed_procs);
}

/* Prints the command that shows the first failure on the screen: the replay with a screen, which stops at the failure. */
static void print_opening(const char *replay, FILE *out)
{
    static const char headless[] = " --headless --seed ";
    const char *at = NULL;
    for (const char *next = replay; (next = strstr(next, headless)); next++)
        at = next; /* the name of the scenario may have the same text */
    if (at)
        visible_line(out, "on the screen, at the failure: %.*s --seed %s --tempo max", (int)(at - replay), replay,
                     at + sizeof headless - 1);
}

/* Prints what the search varied, and what it did not: the absence of a failure is no proof for that. */
static void print_scope(const struct exploration *s, FILE *out)
{
    char stalls[64] = "";
    if (s->stalls)
        snprintf(stalls, sizeof stalls, ", stalls up to %u, late wake-ups", s->stalls);
    fprintf(out, "varied: the next M, random choices%s%s; not: %s%sthe kernel, the memory order\n", s->fine ? ", points inside steps" : "",
            stalls, s->fine ? "" : "points inside steps (--coarse), ", s->stalls ? "" : "stalls (--stalls 0), ");
}

static void print_text(const struct findings *f, FILE *out)
{
    static const char *const how[] = {
        "",
        ", which is enough (--failures)",
        " (time limit reached; how many seeds fit depends on the machine)",
        ", interrupted",
        ", stopped by an error",
        "; all schedules tried",
        "; stopped, this is no proof"};
    if (!f->all && f->failed > FINDINGS_SHOWN)
        fprintf(out, "%" PRIu64 " more with --all\n", f->failed - FINDINGS_SHOWN);
    fprintf(out, "%s: %" PRIu64 " schedules in %.1f s by %u process%s, %" PRIu64 " events: %" PRIu64 " failed", f->what.scenario, f->done,
            (double)f->wall_ns / 1e9, f->processes, f->processes == 1 ? "" : "es", f->events, f->failed);
    print_unproved(f, out);
    fprintf(out, "%s\n", how[f->end]);
    for (uint32_t i = 0; i < f->kinds; i++)
        visible_line(out, "%8" PRIu64 " x  exit %d, first with seed %" PRIu64 ": %s", f->kind[i].n, f->kind[i].code, f->kind[i].first,
                     f->kind[i].why);
    if (f->what.tally)
        tally_print(&f->tally, f->what.tally, f->what.stalls, out);
    if (f->first)
        print_opening(f->first, out);
    if (!f->what.tree)
        print_scope(&f->what, out);
}

static void json_kinds(const struct findings *f, FILE *out)
{
    for (uint32_t i = 0; i < f->kinds; i++) {
        fprintf(out, "%s{\"exit\":%d,\"times\":%" PRIu64 ",\"first_seed\":%" PRIu64 ",\"why\":", i ? "," : "", f->kind[i].code,
                f->kind[i].n, f->kind[i].first);
        json_string(f->kind[i].why, out);
        fputc('}', out);
    }
}

static void print_json(const struct findings *f, FILE *out)
{
    fputs("],\"kinds\":[", out);
    json_kinds(f, out);
    if (f->what.tally) {
        fputs("],\"tally\":[", out);
        tally_json(&f->tally, out);
    }
    fprintf(out,
            "],\"ended\":\"%s\",\"schedules\":%" PRIu64 ",\"events\":%" PRIu64 ",\"failed\":%" PRIu64 ",\"cut\":%" PRIu64
            ",\"unjudged\":%" PRIu64 ",\"processes\":%u,\"wall_ns\":%" PRId64 ",\"stalls\":%u}\n",
            exploration_end_name[f->end], f->done, f->events, f->failed, f->cut, f->unjudged, f->processes, f->wall_ns, f->what.stalls);
}

void findings_end(struct findings *f, bool json, FILE *out)
{
    tally_sort(&f->tally);
    (json ? print_json : print_text)(f, out);
}

void findings_fini(struct findings *f)
{
    tally_fini(&f->tally);
    free(f->first);
}
