/* Where a picture is taken: at the first stop of the lesson; else at the first steal, hand-off or overflow; else in the middle of the run. */
#include "cli/door_pictures.h"
#include "engine/engine.h"
#include "engine/signals.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define MOMENT "steal | handoff | runq_overflow"
#define MOMENT_NO_P "g_park | syscall_enter"
enum { MOST_EVENTS = 20000 }; /* no shipped scenario is longer; a person's scenario may never end */
#define MOST_TIME INT64_C(1000000000)

struct picture {
    int entry;
    struct scenario *sc; /* the model borrows its names */
    struct model *md;
    struct door_picture shown;
};

struct door_pictures {
    const struct catalogue *c;
    pthread_t thread;
    pthread_mutex_t lock; /* for the next four */
    pthread_cond_t wanted;
    int want, done; /* entries; done: its picture was made last, or cannot be made */
    bool over;
    struct picture *fresh;
    struct picture *shown; /* the screen's */
    _Atomic int stop;      /* cuts the run that is under way; relaxed: only the flag itself is read */
    int fd;
};

static void picture_free(struct picture *pic)
{
    if (!pic)
        return;
    model_free(pic->md);
    scenario_free(pic->sc);
    free(pic);
}

static struct scenario *load(const char *path)
{
    struct diag d;
    diag_init(&d, path);
    struct scenario *sc = scenario_load(path, &d);
    diag_fini(&d);
    return sc;
}

static struct engine *drive(struct door_pictures *p, const struct scenario *sc, const char *stop, uint64_t events)
{
    char err[200];
    struct engine_config c = {
        .scenario = sc, .rt = scenario_config(sc), .out = OUT_NONE, .limit = MOST_TIME, .max_events = events ? events : MOST_EVENTS};
    c.rt.mode = MODE_LOCKSTEP;
    struct engine *e = engine_new(&c, err, sizeof err);
    if (e && stop)
        engine_break_add(e, stop, false);
    if (e)
        engine_drive(e, &(struct drive){.signal = &p->stop});
    return e;
}

/* Returns a run that is stopped at the moment of its picture; NULL: it cannot run. */
static struct engine *run(struct door_pictures *p, const struct scenario *sc, const struct catalogue_entry *entry)
{
    const char *stop = entry->stop ? entry->stop : rt_generation_has_p(entry->generation) ? MOMENT : MOMENT_NO_P;
    struct engine *e = drive(p, sc, stop, 0);
    if (!e || engine_failed(e) || e->how == ENDED_BREAK)
        return e;
    uint64_t middle = e->events / 2;
    engine_free(e);
    return drive(p, sc, NULL, middle);
}

static void fill_event(const struct engine *e, struct session_event *out)
{
    struct history_event last = last_get(&e->last, e->events);
    if (!e->events)
        return;
    *out = (struct session_event){.number = e->events, .m = last.m, .ev = last.ev};
    snprintf(out->text, sizeof out->text, "%.*s", (int)last.len, last.text);
}

static void fill(struct picture *pic, const struct engine *e)
{
    const struct scenario_info *i = scenario_info(pic->sc);
    pic->md = model_clone(engine_view(e));
    pic->shown = (struct door_picture){
        .md = pic->md,
        .st = {.name = i->name,
               .title = i->title,
               .generation = generation_name[i->generation],
               .no_p = !rt_generation_has_p(i->generation),
               .lockstep = true,
               .paused = true,
               .still = true,
               .events = e->events,
               .newest = e->events,
               .time = pic->md ? model_time(pic->md) : 0}};
    fill_event(e, &pic->shown.ev);
}

/* Returns NULL if there is nothing to see. */
static struct picture *make(struct door_pictures *p, int entry)
{
    const struct catalogue_entry *e = &p->c->v[entry];
    struct picture *pic = e->broken ? NULL : calloc(1, sizeof *pic);
    if (!pic)
        return NULL;
    pic->entry = entry;
    pic->sc = load(e->path);
    struct engine *run_of = pic->sc ? run(p, pic->sc, e) : NULL;
    if (run_of && !engine_failed(run_of))
        fill(pic, run_of);
    engine_free(run_of);
    if (pic->md)
        return pic;
    picture_free(pic);
    return NULL;
}

static void publish(struct door_pictures *p, int entry, struct picture *pic)
{
    picture_free(p->fresh);
    p->fresh = pic;
    p->done = entry;
    uint64_t one = 1;
    ssize_t written = write(p->fd, &one, sizeof one);
    (void)written; /* a failed write means that the screen was woken already */
}

static void *work(void *arg)
{
    struct door_pictures *p = arg;
    pthread_mutex_lock(&p->lock);
    while (!p->over) {
        if (p->want < 0 || p->want == p->done) {
            pthread_cond_wait(&p->wanted, &p->lock);
            continue;
        }
        int entry = p->want;
        pthread_mutex_unlock(&p->lock);
        struct picture *pic = make(p, entry);
        pthread_mutex_lock(&p->lock);
        publish(p, entry, pic);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

struct door_pictures *door_pictures_new(const struct catalogue *c)
{
    sigset_t old;
    struct door_pictures *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    *p = (struct door_pictures){.c = c, .want = -1, .done = -1, .fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wanted, NULL);
    signals_block(&old);
    int err = p->fd < 0 ? errno : pthread_create(&p->thread, NULL, work, p);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (!err)
        return p;
    if (p->fd >= 0)
        close(p->fd);
    free(p);
    errno = err;
    return NULL;
}

void door_pictures_free(struct door_pictures *p)
{
    if (!p)
        return;
    atomic_store_explicit(&p->stop, SIGTERM, memory_order_relaxed);
    pthread_mutex_lock(&p->lock);
    p->over = true;
    pthread_cond_signal(&p->wanted);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    picture_free(p->fresh);
    picture_free(p->shown);
    pthread_cond_destroy(&p->wanted);
    pthread_mutex_destroy(&p->lock);
    close(p->fd);
    free(p);
}

const struct door_picture *door_pictures_get(void *ctx, int entry)
{
    struct door_pictures *p = ctx;
    pthread_mutex_lock(&p->lock);
    if (p->fresh && p->fresh->entry == entry) {
        picture_free(p->shown);
        p->shown = p->fresh;
        p->fresh = NULL;
    }
    bool there = p->shown && p->shown->entry == entry;
    if (!there && p->want != entry) {
        p->want = entry;
        pthread_cond_signal(&p->wanted);
    }
    pthread_mutex_unlock(&p->lock);
    return there ? &p->shown->shown : NULL;
}

int door_pictures_wake_fd(const struct door_pictures *p)
{
    return p->fd;
}
