/* A run that is changed from inside its screen: `:set` of the run's settings, `:reload`, `:compare`; and jumps back that say what they passed. */
#include "screen.h"

#include <stdio.h>

static void command(struct term *t, const char *line)
{
    term_keys(t, ":");
    term_keys(t, line);
    term_wait(t, line);
    term_keys(t, "\r");
}

static struct term *at_the_steal(void)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--break", "steal n>=2"));
    term_wait(t, "PAUSED at steal n>=2");
    return t;
}

TEST(settings_of_the_run_start_it_again_on_its_seed)
{
    struct term *t = at_the_steal();
    command(t, "set procs 3");
    term_wait(t, "started again with procs=3, seed 1");
    term_wait(t, "PAUSED at steal n>=2"); /* the breakpoint stays */
    term_wait(t, "P2");
    command(t, "set generation go1.13");
    term_wait(t, "started again with generation=go1.13, seed 1");
    term_wait(t, "PAUSED at steal n>=2");
    CHECK(term_shows(t, "go1.13") && term_shows(t, "P2")); /* the earlier change holds, too */
    command(t, "share");
    term_wait(t, "--procs 3 --generation go1.13");
    term_keys(t, "\033");
    quit(t);
}

TEST(mechanisms_are_disabled_and_enabled_again)
{
    struct term *t = at_the_steal();
    command(t, "set disable runnext,handoff");
    term_wait(t, "started again with disable=runnext,handoff, seed 1");
    term_wait(t, "PAUSED at steal n>=2");
    command(t, "share");
    term_wait(t, "--disable runnext,handoff");
    term_keys(t, "\033");
    command(t, "set enable runnext");
    term_wait(t, "started again with enable=runnext");
    term_wait(t, "PAUSED at steal n>=2");
    command(t, "share");
    term_wait(t, "--disable handoff --enable runnext");
    term_keys(t, "\033");
    command(t, "set disable");
    term_wait(t, "started again with disable=, seed 1");
    term_wait(t, "PAUSED at steal n>=2");
    command(t, "share");
    term_wait(t, "--enable runnext");
    CHECK(!term_shows(t, "--disable"));
    term_keys(t, "\033");
    quit(t);
}

TEST(mode_and_seed_start_it_again)
{
    struct term *t = at_the_steal();
    command(t, "set seed 7");
    term_wait(t, "restarted, seed 7");
    term_wait(t, "seed 7");
    command(t, "set mode free");
    term_wait(t, "started again with mode=free, seed 7");
    term_wait(t, " free ");
    quit(t);
}

/* A recording ends with its run: the screen says so, whatever replaces the run. */
TEST(a_recording_ends_with_its_run)
{
    struct term *t = at_the_steal();
    char line[600];
    snprintf(line, sizeof line, "record %s/a.run", t_tmpdir());
    command(t, line);
    term_wait(t, "recording to");
    term_keys(t, "r");
    term_wait(t, "restarted, seed 1; a.run has the run before this one, up to event");
    CHECK(!term_shows(t, "REC "));
    term_keys(t, " ");
    term_wait(t, "PAUSED at steal n>=2");
    command(t, line);
    term_wait(t, "recording to");
    command(t, "set procs 3");
    term_wait(t, "started again with procs=3, seed 1; a.run has the run before this one");
    term_wait(t, "PAUSED at steal n>=2");
    term_keys(t, "r");
    term_wait(t, "restarted, seed 1");
    CHECK(!term_shows(t, "a.run"));
    quit(t);
}

TEST(a_wrong_value_changes_nothing)
{
    static const char *const wrong[][2] = {
        {"set procs 0", "expected"},
        {"set generation go1.7", "did you mean \"go1.27\"?"},
        {"set disable stealin", "did you mean \"stealing\"?"},
        {"set vary n=6", "n"},
        {"set procs", "procs needs N here"},
        {"set prox 3", "the nearest is \"procs\""},
        {"compare disable=x", "disable"},
        {"compare prox=3", "unknown setting \"prox\""}};
    struct term *t = at_the_steal();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        command(t, wrong[i][0]);
        term_wait(t, wrong[i][1]);
        term_keys(t, "\033");
        term_wait_gone(t, wrong[i][0]);
    }
    CHECK(term_shows(t, "PAUSED at steal n>=2"));
    quit(t);
}

TEST(the_screen_keeps_theme_language_and_layout)
{
    struct term *t = at_the_steal();
    command(t, "set layout compact");
    command(t, "set language zh");
    term_wait(t, "退出");
    command(t, "set procs 3");
    term_wait(t, "已用 procs=3 重新开始，种子 1");
    CHECK_INT(term_find(t, "线程 M", NULL), term_find(t, "全局队列", NULL)); /* side by side in compact only */
    quit(t);
}

TEST(compare_opens_a_comparison_and_q_comes_back)
{
    struct term *t = at_the_steal();
    command(t, "compare disable=stealing");
    term_wait(t, "left: steal-half");
    term_wait(t, "disable=stealing");
    term_keys(t, ":set procs 3\r");
    term_wait(t, "not available while two runs are compared");
    term_keys(t, "q");
    term_wait(t, "PAUSED at steal n>=2");
    CHECK(!term_shows(t, "left: steal-half"));
    quit(t);
}

static const char *write_scenario(const char *main)
{
    char text[400];
    snprintf(text, sizeof text, "name: mine\nwaitgroups: [wg]\ngoroutines:\n  - name: main\n    do: [%s]\n", main);
    return t_file("mine.yaml", text);
}

TEST(reload_reads_the_file_again)
{
    const char *path = write_scenario("{print: one}, {sleep: 10s}");
    struct term *t =
        term_start(40, 120, NULL, (const char *const[]){GMPSCOPE_BIN, "run", path, "--tempo", "max", "--break", "print", NULL});
    term_wait(t, "PAUSED at print");
    write_scenario("{print: two}, {sleep: 10s}");
    command(t, "reload");
    term_wait(t, "read the scenario again and started it, seed 1");
    term_wait(t, "prints \"two\"");
    write_scenario("{prind: three}");
    command(t, "reload");
    term_wait(t, "mine.yaml:5:11: unknown");
    CHECK(term_shows(t, "prints \"two\"")); /* the old run stays */
    quit(t);
}

TEST(set_completes_all_settings_and_their_values)
{
    struct term *t = at_the_steal();
    term_keys(t, ":set \t");
    term_wait(t, "theme       colours of the screen");
    term_wait(t, "generation  the Go version whose rules apply");
    term_keys(t, "\033"); /* back to what was typed */
    term_wait_gone(t, "colours of the screen");
    term_keys(t, "gen\tgo1.1\t");
    term_wait(t, ":set generation go1.13");
    term_keys(t, "\033:set disable stealing\t");
    term_wait(t, ":set disable stealing");
    term_keys(t, "\033:compare dis\t");
    term_wait(t, ":compare disable");
    term_keys(t, "\033");
    quit(t);
}

TEST(a_jump_back_says_what_it_passed)
{
    struct term *t = at_the_steal();
    term_keys(t, "b");
    term_wait(t, "back over 3 detail events to event 193");
    term_wait(t, "BACK at event 193 of ");
    term_keys(t, "B");
    term_wait(t, "back one round, over ");
    term_keys(t, "g");
    term_wait(t, "to event 1, the first one; G leads to the newest");
    term_keys(t, "b");
    term_wait(t, "this is the first event");
    term_keys(t, "G");
    term_wait_gone(t, "this is the first event");
    term_keys(t, "gB");
    term_wait(t, "this is the first event");
    quit(t);
}
