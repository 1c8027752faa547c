/* What the screen says of itself: the word for its state and the reason, and the last row; in the real program on an emulated terminal. */
#include "t.h"
#include "term.h"

static struct term *start(int rows, int columns, const char *const *args)
{
    const char *argv[16] = {GMPSCOPE_BIN, "run"};
    for (int i = 0; args[i]; i++)
        argv[i + 2] = args[i];
    struct term *t = term_start(rows, columns, NULL, argv);
    term_wait(t, "go1.20");
    return t;
}
#define START(rows, columns, ...) start(rows, columns, (const char *const[]){__VA_ARGS__, NULL})

static void quit(struct term *t, int code)
{
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), code);
    term_check_sane(t);
    term_free(t);
}

/* Without stealing the round of the M that spins has no end while G10 computes: space stops it, and s, as they stop a run. */
TEST(a_step_under_way_is_told_and_stopped)
{
    struct term *t = START(30, 100, "steal-half", "--disable", "stealing", "--tempo", "max", "--break", "when spinning > 0 and g10.state = running");
    term_wait(t, "PAUSED at when");
    term_keys(t, ":delete all\r");
    for (const char *stop = " s"; *stop; stop++) {
        char key[2] = {*stop, '\0'};
        term_keys(t, ":round 1000\r");
        term_wait(t, "STEPPING");
        term_wait(t, "space pause");
        term_keys(t, key);
        term_wait(t, " PAUSED  ");
        term_wait(t, "space go");
    }
    quit(t, 0);
}
