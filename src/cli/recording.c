/* Run files: what is written into one, and the scenario and settings that come out of it. The settings are words of the command line, so a recording is
 * replayed as `run` would run it, with another source of events. A file may be a stranger's: only options that are settings of a run count in it. */
#include "cli/capture.h"
#include "cli/foreign.h"
#include "cli/repro_command.h"
#include "engine/source_file.h"
#include "lab/gmpscope/policy.h"
#include "trace/go/go_trace.h"
#include "trace/run_file.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MOST 256

/* --- recording --------------------------------------------------------------------------------------------------------------- */

/* The settings of the run itself: a run may be another than its command line asked for (check, another seed, another mode). */
static struct options settings_of(const struct engine *e, const struct options *o)
{
    const struct rt_config *rt = &e->cfg.rt;
    uint32_t own = scenario_info(e->cfg.scenario)->disable;
    struct options s = *o;
    s.has_mode = s.has_generation = true;
    s.mode = rt->mode;
    s.generation = rt->generation;
    s.fine = rt->fine;
    s.way = rt->way;
    s.still = rt->still;
    s.stalls = rt->stalls;
    s.calm = rt->calm;
    s.strict = e->cfg.strict;
    s.procs = e->cfg.procs_asked ? rt->gomaxprocs : 0;
    s.disable = rt->disable & ~own;
    s.enable = (own & ~rt->disable) | rt->enable;
    return s;
}

bool command_record(struct engine *e, const struct options *o, const struct record_asked *asked, char *err, size_t size)
{
    char *words = NULL, why[RUN_ERROR + 200];
    struct record_to to = {.path = asked->path, .name = o->nargs ? o->args[0] : "", .replace = asked->replace, .lang = asked->lang};
    const struct options s = settings_of(e, o);
    FILE *out = open_memstream(&words, &to.len);
    if (out)
        repro_settings(&s, e->cfg.rt.seed, out);
    if (out && e->cfg.rt.policy)
        fprintf(out, "--policy-name%c%s%c", 0, e->cfg.rt.policy->name, 0); /* a recording loads no code */
    char *choices = e->cfg.rt.choices ? choices_text(e->cfg.rt.choices) : NULL;
    if (out && choices && *choices)
        fprintf(out, "--choices%c%s%c", 0, choices, 0);
    free(choices);
    for (uint32_t i = 0; out && !e->cfg.live && i < e->breaks.n; i++)
        fprintf(out, "--break%c%s%c", 0, e->breaks.v[i]->text, 0); /* it ends the run */
    bool good = out && fclose(out) == 0;
    to.settings = words;
    good = good ? engine_record(e, &to, why, sizeof why) : (snprintf(why, sizeof why, "%s", strerror(ENOMEM)), false);
    free(words);
    if (!good)
        snprintf(err, size, asked->lang == LANG_ZH ? "无法记录：%s" : "cannot record: %s", why);
    return good;
}

bool command_record_session(const struct session_config *c, struct engine *e, const char *path, bool replace, enum lang lang, char *err,
                            size_t size)
{
    return command_record(e, c->settings, &(struct record_asked){path, replace, lang}, err, size);
}

int command_record_end(struct engine *e, int code)
{
    struct recording_status r = engine_recording(e);
    char *path = r.path ? strdup(r.path) : NULL;
    uint64_t kept = r.events;
    int error = engine_record_end(e);
    if (error)
        visible_line(stderr, "gmpscope: %s: %s; the recording ends after event %llu", path ? path : "the recording", strerror(error),
                     (unsigned long long)kept);
    free(path);
    return error && !code ? 2 : code;
}

/* --- replaying --------------------------------------------------------------------------------------------------------------- */

static int bad_file(const char *path, const char *what)
{
    visible_line(stderr, "gmpscope: %s: %s", path, what);
    return 2;
}

/* Splits the settings into words, behind the n that are there. Returns how many there are then; -1: too many. */
static int split(const struct run_text *settings, char **word, int n)
{
    for (size_t at = 0; at < settings->len; at += strlen(settings->text + at) + 1) {
        if (n == WORDS_MOST)
            return -1;
        word[n++] = (char *)(uintptr_t)settings->text + at;
    }
    return n;
}

/* Reads the settings alone, with the options that a recording may have. Returns: NULL, or what is wrong with them, in the buffer. */
static const char *check_settings(int n, char **word, char *buf, size_t size)
{
    struct options o;
    char said[2000];
    struct capture c = capture_begin();
    bool good = options_parse(&o, CMD_RECORDED, n, word) && !o.nargs;
    capture_end(c, said, sizeof said);
    options_fini(&o);
    if (good)
        return NULL;
    capture_first_line(said, buf, size);
    return buf;
}

static struct scenario *load(struct options *o, const char *file, const struct run_head *head)
{
    const struct run_text *text = run_head_get(head, HEAD_TEXT), *path = run_head_get(head, HEAD_PATH),
                          *name = run_head_get(head, HEAD_NAME);
    struct diag d;
    char err[200];
    if (!text || !path || !name)
        return bad_file(file, "the recording has no scenario"), NULL;
    const char *kept = arena_strndup(&o->arena, path->text, path->len);
    diag_init(&d, kept ? kept : file);
    struct scenario *sc = kept ? scenario_open(&(struct scenario_from){.path = kept, .text = text->text, .len = text->len}, &d) : NULL;
    if (!sc)
        bad_file(file, d.lack || !kept ? strerror(ENOMEM) : "the scenario in the recording has mistakes");
    diag_fini(&d);
    if (sc && name->len)
        scenario_called(sc, name->text);
    if (!sc || command_fix(sc, o, err, sizeof err))
        return sc;
    bad_file(file, err);
    scenario_free(sc);
    return NULL;
}

bool command_recorded(const struct engine *e, const struct options *o, unsigned needs)
{
    static const struct text no_places = {
        {"the recording has no events about the operations of programs (g_op)", "记录中没有关于程序操作的事件（g_op）"}};
    static const struct text no_details = {{"the recording has only core events, no detail events", "记录中只有核心事件，没有细节事件"}};
    bool places = needs & READS_PLACES && e->cfg.info.places != PLACES_EVENTS, details = needs & READS_DETAILS && !e->details;
    if (o->recording && (places || details))
        bad_file(o->recording, (places ? &no_places : &no_details)->in[o->lang]);
    return !o->recording || (!places && !details);
}

/* Returns how far a file reaches that was cut, NULL if it is whole. */
static const char *cut_text_of(struct options *o, const char *path, const struct run_reader *r)
{
    static const struct text cut = {{"the recording is incomplete", "记录不完整"}}, damaged = {{"the recording is damaged", "记录已损坏"}};
    enum run_state state = run_reader_state(r);
    const char *what = (state == RUN_CUT ? &cut : &damaged)->in[o->lang];
    if (state == RUN_WHOLE)
        return NULL;
    return arena_printf(&o->arena, o->lang == LANG_ZH ? "%s：%s，到事件 %llu 为止" : "%s: %s; it ends at event %llu", path, what,
                        (unsigned long long)run_reader_events(r));
}

bool command_foreign(struct foreign *f)
{
    char why[RUN_ERROR];
    const char *slash = strrchr(f->path, '/');
    struct run_reader *r = run_reader_open(f->path, why);
    bool is = r && recorded_info_read(r, slash && slash[1] ? slash + 1 : f->path, &f->o->arena, &f->info);
    f->cut = is ? cut_text_of(f->o, f->path, r) : NULL;
    run_reader_free(r);
    return is;
}

struct scenario *command_recording(struct options *asked, int nth, enum command_bit command, int argc, char **argv, struct options *o)
{
    char why[RUN_ERROR], *word[WORDS_MOST];
    const char *path = asked->args[nth], *wrong = NULL;
    struct recorded_how how;
    struct scenario *sc = NULL;
    struct run_reader *r = run_reader_open(path, why);
    const struct run_text *settings = r ? run_head_get(run_reader_head(r), HEAD_SETTINGS) : NULL;
    int n = settings && recorded_how_read(run_reader_head(r), &how) ? split(settings, word, 0) : -1;
    options_default(o);
    if (!r)
        wrong = go_trace_is(path) ? "it is an execution trace of Go; gmpscope import shows it" : why;
    else if (n < 0)
        wrong = "the recording does not say how its run was made";
    else
        wrong = check_settings(n, word, why, sizeof why);
    if (wrong) {
        bad_file(path, wrong);
        run_reader_free(r);
        return NULL;
    }
    n = split(settings, word, 0);
    char **all = arena_alloc(&asked->arena, sizeof *all * (size_t)(n + argc + 1)); /* the settings of the file, then what is asked for */
    for (int i = 0; all && i < n; i++)
        all[i] = arena_strndup(&asked->arena, word[i], strlen(word[i]));
    if (all)
        memcpy(all + n, argv, (size_t)argc * sizeof *argv);
    if (asked->arena.lacking) {
        usage_error("%s", strerror(ENOMEM));
    } else if (options_parse(o, command | CMD_RECORDED, n + argc, all)) {
        o->recording = path;
        o->recorded = how;
        sc = load(o, path, run_reader_head(r));
        o->cut = cut_text_of(o, path, r);
    }
    run_reader_free(r);
    return sc;
}
