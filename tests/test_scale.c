/* Free mode at scale: more than a million events, paused and audited a hundred times at random moments. The program's own exit
 * code is 4 when an event is lost, left unfolded or contradicts the state, or when the audit finds a difference; the summary
 * is read as well, so that a silent audit that compared nothing would fail here. */
#include "shell.h"

static const char *out;

static int run(const char *arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "gmpscope run '%s/tests/scenarios/spawn-heavy.yaml' --headless --json --audit %s", SOURCE_DIR,
             arguments);
    struct result *r = shell(command);
    out = r->out;
    return r->code;
}

static void check_summary(void)
{
    CHECK(strstr(out, "\"ended\":\"main_returned\"") != NULL);
    CHECK(strstr(out, "\"output\":[\"all done\"]") != NULL);
    CHECK_INT(json_int(out, "goroutines"), 80017);
    CHECK(json_int(out, "events") >= 1000000);
    CHECK_INT(json_int(out, "events_lost"), 0);
    CHECK_INT(json_int(out, "mismatches"), 0);
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
        CHECK(json_int(out, "compared") >= 100);
        printf("seed %d: %lld events, %lld steals, %lld comparisons, %lld mismatches\n", i, json_int(out, "events"),
               json_int(out, "steals"), json_int(out, "compared"), json_int(out, "mismatches"));
        CHECK(json_int(out, "steals") > 0);
    }
}
