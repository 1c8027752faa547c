/* --still: the time stands while a thread can continue, and yet all that happens is logged in order, in each program that is shipped. */
#include "shell.h"

#include <glob.h>

static void keeps_order(const char *pattern)
{
    glob_t found;
    CHECK_INT(glob(pattern, 0, NULL, &found), 0);
    CHECK(found.gl_pathc >= 40);
    for (size_t i = 0; i < found.gl_pathc; i++)
        for (int fine = 0; fine < 2; fine++) {
            struct result r =
                RUN("run", found.gl_pathv[i], "--headless", "--audit", "--max-events", "20000", "--still", fine ? "--fine" : NULL);
            if (r.code == 2 || r.code == 4)
                t_fail(__FILE__, __LINE__, "%s%s: exit code %d\n%s", found.gl_pathv[i], fine ? " --fine" : "", r.code, r.err);
        }
    globfree(&found);
}

TEST(scenarios_keep_their_order)
{
    keeps_order(SOURCE_DIR "/scenarios/*.yaml");
}

TEST(kernels_keep_their_order)
{
    keeps_order(SOURCE_DIR "/tests/kernels/*.yaml");
}

TEST(a_schedule_without_time_is_searched)
{
    struct result r = RUN("claim", SOURCE_DIR "/tests/kernels/lost-update.yaml", "may: prints: 5", "--exhaust", "--seeds", "300");
    CHECK_INT(r.code, 5);
    CHECK_STR(r.err, "");
}
