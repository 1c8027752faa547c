/* The base of the marks: what they compare with while a run plays, when it is stopped, and in between. */
#include "story.h"
#include "ui/panes/parts/diff_base.h"

struct show {
    struct story *s;
    struct diff_base stops;
};

/* Adds 3n events of any kind to the story. Returns the number of events then. */
static uint64_t further(struct show *w, int n)
{
    struct story *s = w->s;
    for (int i = 0; i < 3 * n; i++)
        EVENT(FIND_STAGE, 0, 0, .a = FIND_LOCAL);
    return model_events(w->s->md);
}

/* Shows a picture of `md`; a copy of it is taken. */
static void picture(struct show *w, const struct model *md, bool running, bool still)
{
    diff_base_show(&w->stops, (struct shown_state){model_clone(md), model_events(md)}, running, still);
}

/* Returns the number of events of the state that marks compare with; 0: there are no marks. */
static uint64_t base(const struct show *w)
{
    struct shown_state b = diff_base_base(&w->stops);
    CHECK(!b.md || b.lines == model_events(b.md)); /* the lines belong to the state */
    return b.md ? model_events(b.md) : 0;
}

static struct show begin(void)
{
    return (struct show){.s = story_new(2, 256)};
}

static void end(struct show *w)
{
    diff_base_fini(&w->stops);
    story_free(w->s);
}

TEST(while_it_runs_marks_are_against_the_picture_before)
{
    struct show w = begin();
    uint64_t first = further(&w, 1);
    picture(&w, w.s->md, true, false);
    CHECK_INT(base(&w), 0);
    further(&w, 1);
    picture(&w, w.s->md, true, false);
    CHECK_INT(base(&w), first);
    picture(&w, w.s->md, true, false); /* the same again, because a clock advanced */
    CHECK_INT(base(&w), first);
    further(&w, 10);
    picture(&w, w.s->md, true, false);
    CHECK_INT(base(&w), 0); /* everything is new: marks would say nothing */
    end(&w);
}

TEST(a_stop_is_compared_with_the_stop_before_however_far)
{
    struct show w = begin();
    further(&w, 1);
    picture(&w, w.s->md, true, false);
    uint64_t pause = further(&w, 1);
    picture(&w, w.s->md, false, true);
    CHECK_INT(base(&w), 0); /* there was no stop before, and which frames there were depends on the clock */
    further(&w, 1);
    picture(&w, w.s->md, true, false);
    further(&w, 30);
    picture(&w, w.s->md, false, false); /* on its way to the stop */
    CHECK_INT(base(&w), pause);
    uint64_t second = further(&w, 1);
    picture(&w, w.s->md, false, true);
    CHECK_INT(base(&w), pause);
    picture(&w, w.s->md, false, true);
    CHECK_INT(base(&w), pause);
    further(&w, 1);
    picture(&w, w.s->md, false, true);
    CHECK_INT(base(&w), second);
    end(&w);
}

/* A key may come before the run has settled at its stop. */
TEST(a_stop_that_was_left_before_it_settled_is_a_stop)
{
    struct show w = begin();
    further(&w, 1);
    picture(&w, w.s->md, false, true);
    uint64_t second = further(&w, 20);
    picture(&w, w.s->md, false, false);
    diff_base_leave(&w.stops);
    further(&w, 20);
    picture(&w, w.s->md, true, false);
    diff_base_leave(&w.stops); /* it runs: this is no stop */
    further(&w, 20);
    picture(&w, w.s->md, false, false);
    CHECK_INT(base(&w), second);
    picture(&w, w.s->md, false, true);
    CHECK_INT(base(&w), second);
    end(&w);
}

TEST(a_step_back_is_compared_with_where_it_came_from)
{
    struct show w = begin();
    further(&w, 1);
    picture(&w, w.s->md, false, true);
    struct model *past = model_clone(w.s->md);
    uint64_t present = further(&w, 20);
    picture(&w, w.s->md, false, true);
    picture(&w, past, false, true);
    CHECK_INT(base(&w), present);
    picture(&w, w.s->md, false, true);
    CHECK_INT(base(&w), model_events(past));
    model_free(past);
    end(&w);
}
