/* Free mode at scale: more than a million events, paused and audited a hundred times at random moments. The program's own exit
 * code is 4 when an event is lost, left unfolded or contradicts the state, or when the audit finds a difference; the summary
 * is read as well, so that a silent audit that compared nothing would fail here. */
#include "t.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static char out[262144];

static int run(const char *arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "'%s' run '%s/tests/scenarios/spawn-heavy.yaml' --headless --json --audit %s", GMPSCOPE_BIN, SOURCE_DIR,
             arguments);
    FILE *p = popen(command, "r");
    CHECK(p != NULL);
    out[fread(out, 1, sizeof out - 1, p)] = 0;
    int status = pclose(p);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* The number after "key": in the summary. */
static long long field(const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(out, quoted);
    if (!at)
        t_fail(__FILE__, __LINE__, "no %s in %.300s", quoted, out);
    return atoll(at + strlen(quoted));
}

static void check_summary(void)
{
    CHECK(strstr(out, "\"ended\":\"main_returned\"") != NULL);
    CHECK(strstr(out, "\"output\":[\"all done\"]") != NULL);
    CHECK_INT(field("goroutines"), 80017);
    CHECK(field("events") >= 1000000);
    CHECK_INT(field("events_lost"), 0);
    CHECK_INT(field("mismatches"), 0);
    CHECK_INT(strstr(strstr(out, "\"expect\":"), "\"failed\":0") != NULL, true);
}

TEST(a_million_events_with_pauses)
{
    int runs = (int)t_count(1, 20);
    for (int i = 1; i <= runs; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "--mode free --pauses 100 --limit 600s --seed %d", i);
        CHECK_INT(run(arguments), 0);
        check_summary();
        CHECK(field("compared") >= 100);
        printf("seed %d: %lld events, %lld steals, %lld comparisons, %lld mismatches\n", i, field("events"), field("steals"), field("compared"), field("mismatches"));
        CHECK(field("steals") > 0);
    }
}
