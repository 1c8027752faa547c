/* See recorder.h. Where there is a history, it packs the events anyway, and writes: the recording is its file. Otherwise the recorder is a reader, and a
 * thread of its own packs and writes. A place of no G says which mode the run is in from there on. A write that takes long lets the rings fill up, and
 * then the Ms wait, as they do for a slow terminal. After a failed write the run goes on without a recording. */
#include "engine/recorder.h"
#include "base/file.h"
#include "base/wall.h"
#include "engine/engine.h"
#include "engine/record_thread.h"
#include "engine/signals.h"
#include "trace/run_file.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FLUSH_NS INT64_C(1000000000) /* what a kill loses at most, besides what the fold is behind */

struct recorder {
    struct record_thread *thread; /* NULL: the history writes (history_record) */
    char *path;
    int64_t flushed; /* wall ns */
};

/* Returns the writer, when it has all that was recorded so far. */
static struct run_writer *writer_of(const struct engine *e)
{
    return e->recorder->thread ? record_thread_end(e->recorder->thread) : history_recording(e->history);
}

/* --- head and trailer: lines "NAME VALUE" ---------------------------------------------------------------------------------- */

static int64_t figure(const char *lines, const char *name)
{
    size_t len = strlen(name);
    for (; lines && *lines; lines = strchr(lines, '\n'), lines += lines != NULL)
        if (!strncmp(lines, name, len) && lines[len] == ' ')
            return strtoll(lines + len, NULL, 10);
    return 0;
}

bool recorded_how_read(const struct run_head *head, struct recorded_how *out)
{
    const struct run_text *t = run_head_get(head, HEAD_HOW);
    if (!t)
        return false;
    int64_t places = figure(t->text, "places");
    *out = (struct recorded_how){
        .details = figure(t->text, "details"), .limit = figure(t->text, "limit"), .max_events = (uint64_t)figure(t->text, "max_events")};
    out->places = places < 0 || places > PLACES_EVENTS ? PLACES_NONE : (enum run_places)places;
    return out->limit > 0 && out->max_events > 0;
}

static bool put_how(const struct engine *e, struct run_head *head)
{
    char text[200];
    int n = snprintf(text, sizeof text, "details %d\nplaces %d\nlimit %" PRId64 "\nmax_events %" PRId64 "\n", e->details,
                     (int)e->cfg.info.places, e->cfg.limit, e->cfg.max_events > INT64_MAX ? INT64_MAX : (int64_t)e->cfg.max_events);
    return run_head_put(head, HEAD_HOW, text, (size_t)n);
}

bool recorded_end_read(const struct run_head *trailer, struct recorded_end *out)
{
    const struct run_text *t = run_head_get(trailer, HEAD_HOW), *failure = run_head_get(trailer, "failure"),
                          *mistake = run_head_get(trailer, "mistake");
    if (!t)
        return false;
    int64_t how = figure(t->text, "how"), signal = figure(t->text, "signal");
    *out = (struct recorded_end){
        .how = how >= 0 && ev_word(FT_END_HOW, (int)how) ? (int)how : -1,
        .time = figure(t->text, "time"),
        .lost = (uint64_t)figure(t->text, "lost"),
        .departed = figure(t->text, "departed"),
        .lack = figure(t->text, "lack"),
        .signal = signal > 0 && signal < 65 ? (int)signal : 0,
        .standstill = figure(t->text, "standstill"),
        .died_at = (uint32_t)figure(t->text, "died_at"),
        .compared = (uint64_t)figure(t->text, "compared"),
        .mismatches = (uint64_t)figure(t->text, "mismatches")};
    const struct run_text *races = run_head_get(trailer, "races");
    out->races = races ? races->text : NULL;
    if (mistake)
        snprintf(out->mistake, sizeof out->mistake, "%s", mistake->text);
    if (failure)
        snprintf(out->failure, sizeof out->failure, "%s", failure->text);
    return true;
}

/* Adds the names of the programs that are known. */
static bool put_programs(const struct run_info *info, struct run_head *head)
{
    bool good = true;
    for (uint32_t i = 0; good && i < info->programs.nfn && info->programs.fn[i]; i++)
        good = run_head_put(head, HEAD_FN, info->programs.fn[i], strlen(info->programs.fn[i]));
    return good;
}

static bool put_races(const struct engine *e, struct run_head *trailer)
{
    char *text = NULL;
    size_t size;
    FILE *f = e->races.found ? text_open(&text, &size) : NULL;
    if (f)
        races_write(&e->races, f);
    bool good = !e->races.found || (f && text_close(f) && run_head_put(trailer, "races", text, size));
    free(text);
    return good;
}

static bool put_end(const struct engine *e, struct run_head *trailer)
{
    char text[400], mistake[STOP_TEXT];
    int signal = e->how == ENDED_INTERRUPTED && signals_code() > 128 ? signals_code() - 128 : 0;
    int n = snprintf(text, sizeof text,
                     "how %d\ntime %" PRId64 "\nlost %" PRIu64 "\ndeparted %d\nlack %d\nsignal %d\nstandstill %" PRId64
                     "\ncompared %" PRIu64 "\nmismatches %" PRIu64 "\ndied_at %" PRIu32 "\n",
                     e->how, model_time(engine_view(e)), engine_lost(e), engine_departed(e) || e->was.departed, e->lack, signal,
                     e->standstill, e->audit.compared, e->audit.mismatches, engine_died_at(e));
    return run_head_put(trailer, HEAD_HOW, text, (size_t)n) && put_races(e, trailer) &&
           (!e->cfg.info.programs.later || put_programs(&e->cfg.info, trailer)) &&
           (!engine_choices_mistake(e, mistake, sizeof mistake) || run_head_put(trailer, "mistake", mistake, strlen(mistake))) &&
           (!engine_failed(e) || run_head_put(trailer, "failure", e->failure, strlen(e->failure)));
}

/* --- the reader --------------------------------------------------------------------------------------------------------------- */

static bool record_event(void *ctx, const struct merged_event *at)
{
    record_thread_add(ctx, at->m, at->e, 1, at->text, at->len);
    return true; /* an error of the writer ends the recording, not the run */
}

static bool record_record(void *ctx, const struct model *md, uint32_t m, const struct ev *e, uint32_t n)
{
    (void)md;
    record_thread_add(ctx, m, e, n, NULL, 0);
    return true;
}

static bool record_place(void *ctx, uint32_t g, uint32_t op)
{
    record_thread_place(ctx, g, op);
    return true;
}

static bool record_end(void *ctx, const struct model *md, int how)
{
    (void)md, (void)how;
    record_thread_flush(ctx);
    return true;
}

void recorder_tend(struct engine *e, bool now)
{
    struct recorder *r = e->recorder;
    int64_t time = wall_ns();
    if (!now && time - r->flushed < FLUSH_NS)
        return;
    r->flushed = time;
    if (r->thread)
        record_thread_flush(r->thread);
    else
        history_flush(e->history);
}

void recorder_note_mode(struct engine *e)
{
    enum conductor_mode now = engine_mode(e);
    if (e->noted == now)
        return;
    e->noted = now;
    if (e->history)
        history_add_place(e->history, 0, (uint32_t)now);
    else if (e->recorder)
        record_thread_place(e->recorder->thread, 0, (uint32_t)now);
}

/* --- beginning and end ---------------------------------------------------------------------------------------------------------- */

bool recorded_is(const char *path)
{
    uint8_t begin[sizeof run_magic];
    FILE *f = file_open(path);
    bool is = f && fread(begin, sizeof begin, 1, f) == 1 && !memcmp(begin, run_magic, sizeof begin);
    if (f)
        fclose(f);
    return is;
}

bool record_may(const struct record_to *to, char *err, size_t size)
{
    struct stat st;
    bool zh = to->lang == LANG_ZH;
    if (lstat(to->path, &st) != 0)
        return true; /* the writer reports what is wrong with the path */
    if (!S_ISREG(st.st_mode))
        return snprintf(err, size, zh ? "%s：不是普通文件" : "%s: not a regular file", to->path), false;
    if (st.st_size && !to->replace && !recorded_is(to->path))
        return snprintf(err, size, zh ? "%s：文件已存在，且不是运行记录" : "%s: the file exists and is not a recording", to->path), false;
    return true;
}

/* Removes an older recording, so that a process that reads it keeps it. */
static bool make_way(const struct record_to *to, char *err, size_t size)
{
    if (!record_may(to, err, size))
        return false;
    if (unlink(to->path) == 0 || errno == ENOENT)
        return true;
    return snprintf(err, size, "%s: %s", to->path, strerror(errno)), false;
}

static bool put_info(const struct run_info *info, struct run_head *head)
{
    char text[300];
    int n = snprintf(text, sizeof text, "generation %d\nmode %d\nprocs %u\nlacks %u\n", (int)info->generation, (int)info->mode, info->procs,
                     info->lacks);
    return run_head_put(head, HEAD_INFO, text, (size_t)n) && put_programs(info, head);
}

bool recorded_info_read(const struct run_reader *r, const char *name, struct arena *a, struct run_info *out)
{
    const struct run_head *head = run_reader_head(r), *end = run_reader_end(r);
    const struct run_head *names = end && run_head_get(end, HEAD_FN) ? end : head;
    const struct run_text *t = run_head_get(head, HEAD_INFO);
    if (!t)
        return false;
    int64_t generation = figure(t->text, "generation");
    *out = (struct run_info){
        .name = name,
        .title = {{"A trace of a real Go program", "真实 Go 程序的跟踪"}},
        .summary = {{"A recording of what its tracer wrote. It has no queues: what is unknown is \"?\", and :ledger lists it.",
                     "跟踪器所写内容的记录。其中没有队列：未知之处显示 \"?\"，:ledger 列出全部。"}},
        .generation = generation >= 0 && generation < GENERATIONS ? (enum rt_generation)generation : DEFAULT_GENERATION,
        .mode = figure(t->text, "mode") == MODE_LOCKSTEP ? MODE_LOCKSTEP : MODE_FREE,
        .procs = (uint32_t)figure(t->text, "procs"),
        .runq_size = 256,
        .has_p = true,
        .slice = 10000000,
        .max_threads = 10000,
        .mechanisms = (1u << DIS_COUNT) - 1,
        .lacks = (uint32_t)figure(t->text, "lacks") | LACKS(KNOW_BEFORE)};
    const char **fn = arena_alloc(a, sizeof *fn * (names->list.n + 1));
    for (size_t i = 0; fn && i < names->list.n; i++)
        if (!strcmp(names->list.v[i].name, HEAD_FN) &&
            (fn[out->programs.nfn] = arena_strndup(a, names->list.v[i].text, names->list.v[i].len)))
            out->programs.nfn++;
    out->programs.fn = fn;
    return !a->lacking;
}

static bool put_head(const struct engine *e, const struct record_to *to, struct run_head *head)
{
    size_t len;
    const struct scenario *sc = e->cfg.scenario;
    if (!sc)
        return put_info(&e->cfg.info, head) && put_how(e, head);
    const char *text = scenario_text(sc, &len), *path = scenario_info(sc)->path;
    return run_head_put(head, HEAD_TEXT, text, len) && run_head_put(head, HEAD_PATH, path, strlen(path)) &&
           run_head_put(head, HEAD_NAME, to->name, strlen(to->name)) && run_head_put(head, HEAD_SETTINGS, to->settings, to->len) &&
           put_how(e, head);
}

static struct run_writer *open_writer(const struct engine *e, const struct record_to *to, char *err, size_t size)
{
    struct run_head head = {0};
    char why[RUN_ERROR] = "";

    struct run_writer *w = put_head(e, to, &head) ? run_writer_new(to->path, &head, why) : NULL;
    run_head_fini(&head);
    if (!w)
        snprintf(err, size, "%s: %s", to->path, why[0] ? why : strerror(ENOMEM));
    return w;
}

/* Writes how the run ended. Without that the file is a cut one. */
static void end_file(const struct engine *e, struct run_writer *w)
{
    struct run_head trailer = {0};
    if (put_end(e, &trailer))
        run_writer_end(w, &trailer);
    run_head_fini(&trailer);
}

static void free_recorder(struct recorder *r)
{
    record_thread_free(r->thread);
    free(r->path);
    free(r);
}

/* Makes the writer the one of the run, with all that has happened so far. Takes it over if it returns true. */
static bool begin(struct engine *e, struct recorder *r, struct run_writer *w)
{
    struct reader reader = {.event = record_event, .record = record_record, .place = record_place, .end = record_end};
    struct run_writer *before = NULL;
    if (e->history) {
        history_flush(e->history);
        if (!history_record(e->history, w, &before))
            return false;
        if (before) /* the older recording goes on until the new one has all that the history has */
            end_file(e, before);
        run_writer_free(before);
        return true;
    }
    engine_record_end(e);
    reader.ctx = r->thread = record_thread_new(w);
    return r->thread && (e->how >= 0 || readers_add(&e->readers, reader));
}

bool engine_record(struct engine *e, const struct record_to *to, char *err, size_t size)
{
    struct run_writer *w = NULL;
    bool zh = to->lang == LANG_ZH;
    if (engine_refuses(e, CAN_RECORD))
        return snprintf(err, size, "%s", refusal_text[REFUSED_IS_FILE].in[to->lang]), false;
    if (e->events && (!e->history || history_oldest(e->history)))
        return snprintf(err, size, "%s",
                        zh ? "这次运行的开头已不再保留（见 --history）" : "the beginning of this run is no longer kept (see --history)"),
               false;
    struct recorder *r = calloc(1, sizeof *r);
    if (!r || !(r->path = strdup(to->path))) {
        free(r);
        return snprintf(err, size, "%s", strerror(ENOMEM)), false;
    }
    if (!make_way(to, err, size) || !(w = open_writer(e, to, err, size))) {
        free_recorder(r);
        return false;
    }
    if (!begin(e, r, w)) {
        int error = e->history ? run_writer_error(w) : ENOMEM;
        snprintf(err, size, "%s: %s", to->path,
                 error ? strerror(error)
                 : zh  ? "较早的事件无法读回"
                       : "an earlier event cannot be read back");
        if (!r->thread)
            run_writer_free(w);
        free_recorder(r);
        return false;
    }
    if (e->recorder)
        free_recorder(e->recorder);
    e->recorder = r;
    recorder_tend(e, true);
    return true;
}

struct recording_status engine_recording(const struct engine *e)
{
    if (!e->recorder)
        return (struct recording_status){.path = NULL};
    const struct run_writer *w = writer_of(e);
    return (struct recording_status){e->recorder->path, run_writer_bytes(w), run_writer_kept(w), run_writer_error(w)};
}

int engine_record_end(struct engine *e)
{
    struct recorder *r = e->recorder;
    if (!r)
        return 0;
    if (!r->thread)
        history_flush(e->history);
    struct run_writer *w = writer_of(e);
    end_file(e, w);
    int error = run_writer_error(w);
    if (r->thread)
        readers_remove(&e->readers, r->thread);
    free_recorder(r);
    e->recorder = NULL;
    return error;
}

struct recorded engine_record_replaced(struct engine *e)
{
    struct recording_status r = engine_recording(e);
    struct recorded all = {.name = ""};
    if (!r.path)
        return all;
    const char *slash = strrchr(r.path, '/');
    snprintf(all.name, sizeof all.name, "%s", slash ? slash + 1 : r.path);
    all.error = engine_record_end(e);
    all.events = all.error ? r.events : e->events;
    return all;
}
