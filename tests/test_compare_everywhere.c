/* Every shipped scenario next to itself with one other setting: a step shows an event, and the comparison ends at once, wherever the two
 * worlds are. Without a screen; test_open_everywhere.c has one. A comparison that waits for a world to stop, or for an event that never comes, ends
 * by the test's limit. */
#include "cli/commands.h"
#include "load.h"
#include "session/comparison.h"

#include <stdlib.h>
#include <time.h>

#define STEPS 3

struct pair {
    struct options o[2];
    struct session *s[2];
};

static bool open_side(struct pair *x, int i, const struct scenario *sc, const char *path, char *option, char *value)
{
    char err[200];
    bool lacks;
    char *argv[] = {(char *)path, option, value};
    CHECK(options_parse(&x->o[i], CMD_RUN, option ? 3 : 1, argv));
    if (!command_is_for(sc, &x->o[i], command_generation(sc, &x->o[i]), &lacks, err, sizeof err))
        return false;
    struct session_config c = command_session(sc, &x->o[i]);
    c.paused = true;
    x->s[i] = session_new(&c, err, sizeof err);
    return x->s[i] != NULL;
}

static void await_step(struct comparison *p, struct pair *x, const struct session_status *before)
{
    const struct session_ops *ops = comparison_ops(p);
    for (bool moved = false; !moved;) {
        moved = true;
        for (int i = 0; i < 2; i++) {
            struct session_status st;
            ops->status(x->s[i], &st);
            moved &= st.ended;
        }
        for (int i = 0; i < 2; i++) {
            struct session_status st;
            ops->status(x->s[i], &st);
            moved |= st.events != before[i].events;
        }
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    }
}

static void compare(const struct scenario *sc, const char *path, char *option, char *value)
{
    struct pair x = {0};
    if (open_side(&x, 0, sc, path, NULL, NULL) && open_side(&x, 1, sc, path, option, value)) {
        struct comparison *p = comparison_new(x.s[0], x.s[1], TEMPO_FIXED(1));
        CHECK(p);
        comparison_ops(p)->motion->pause(x.s[0], true);
        for (int n = 0; n < STEPS; n++) {
            struct session_status before[2];
            for (int i = 0; i < 2; i++)
                comparison_ops(p)->status(x.s[i], &before[i]);
            comparison_ops(p)->motion->step(x.s[0], STEP_EVENT, 1);
            await_step(p, &x, before);
        }
        comparison_ops(p)->motion->pause(x.s[0], false); /* it runs while it is ended */
        comparison_free(p);
    }
    for (int i = 0; i < 2; i++) {
        session_free(x.s[i]);
        options_fini(&x.o[i]);
    }
}

static void with_procs(const struct scenario *sc, const char *path, void *ctx)
{
    (void)ctx;
    compare(sc, path, "--procs", "1");
}

static void with_each_generation(const struct scenario *sc, const char *path, void *ctx)
{
    (void)ctx;
    for (int gen = 0; gen < GENERATIONS; gen++)
        if (is_tried(gen))
            compare(sc, path, "--generation", (char *)generation_name[gen]);
}

static void without_each_mechanism(const struct scenario *sc, const char *path, void *ctx)
{
    (void)ctx;
    for (int i = 0; i < DIS_COUNT; i++)
        compare(sc, path, "--disable", (char *)rt_disable_name[i]);
}

TEST(one_p_instead_of_several)
{
    each_scenario(with_procs, NULL);
}

TEST(each_generation)
{
    each_scenario(with_each_generation, NULL);
}

TEST(each_mechanism_disabled)
{
    each_scenario(without_each_mechanism, NULL);
}
