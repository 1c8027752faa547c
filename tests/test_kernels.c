/* explore finds the mistake of each kernel, and none in its mended twin (tests/kernels/README.md). */
#include "shell.h"

#include <glob.h>

#define MENDED "-mended.yaml"

/* Calls f with the path of each mended kernel. */
static void each_mended(void (*f)(const char *mended))
{
    glob_t found;
    CHECK_INT(glob(SOURCE_DIR "/tests/kernels/*" MENDED, 0, NULL, &found), 0);
    CHECK(found.gl_pathc >= 40);
    for (size_t i = 0; i < found.gl_pathc; i++)
        f(found.gl_pathv[i]);
    globfree(&found);
}

static void has_the_mistake(const char *mended)
{
    char path[1000];
    snprintf(path, sizeof path, "%.*s.yaml", (int)(strlen(mended) - strlen(MENDED)), mended);
    struct result r = RUN("explore", path, "--seeds", "5000", "--failures", "1");
    if (r.code != 1)
        t_fail(__FILE__, __LINE__, "%s: exit code %d, should be 1\n%s%s", path, r.code, r.out, r.err);
}

static void has_no_mistake(const char *mended)
{
    char seeds[20];
    snprintf(seeds, sizeof seeds, "%ld", t_count(100, 100000));
    struct result r = RUN("explore", (char *)mended, "--seeds", seeds);
    if (r.code != 0)
        t_fail(__FILE__, __LINE__, "%s: exit code %d, should be 0\n%s%s", mended, r.code, r.out, r.err);
}

TEST(each_mistake_is_found)
{
    each_mended(has_the_mistake);
}

TEST_TIMED(the_mended_twins_have_none, 20000)
{
    each_mended(has_no_mistake);
}
