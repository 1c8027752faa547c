/* The program without a full screen: what a pipe and a dumb terminal get. */
#include "shell.h"
#include "term.h"
#include "ui/panes/pane.h"

/* Types the lines into the program; returns what it writes. */
static const char *typed(const char *lines, const char *args)
{
    char command[2000];
    CHECK((size_t)snprintf(command, sizeof command, "printf '%s' | gmpscope run --linear %s", lines, args) < sizeof command);
    struct result *r = shell(command);
    CHECK_STR(r->err, "");
    CHECK_INT(r->code, 0);
    CHECK(!strchr(r->out, '\x1b'));
    return r->out;
}

TEST(a_run_waits_for_its_first_line_and_ends_with_the_input)
{
    const char *out = typed("", "steal-half");
    HAS(out, "Half of a neighbour's queue");
    HAS(out, "PAUSED. Event 0");
    CHECK(!strstr(out, "\n1: "));
}

TEST(each_event_is_a_numbered_sentence)
{
    const char *out = typed("s\\ns\\n", "steal-half");
    HAS(out, "\n> s\n1: M0 starts: it is the first thread.\nPAUSED. Event 1");
    HAS(out, "\n> s\n2: procresize");
}

TEST(the_ledger_of_a_live_run_has_nothing_unknown)
{
    HAS(typed("s\\nledger\\n", "steal-half"), "Everything is known: this run records what it does.");
    HAS(typed("s\\nledger\\n", "steal-half --lang zh"), "没有未知的内容：这次运行记录了它做的每一件事。");
}

TEST(space_runs_and_the_same_lines_give_the_same_text)
{
    const char *first = typed("break steal\\nspace\\nqueues\\nspace\\n", "steal-half"), *second;
    HAS(first, "PAUSED at steal");
    second = typed("break steal\\nspace\\nqueues\\nspace\\n", "steal-half");
    CHECK_STR(first, second);
}

TEST(the_mode_of_a_run_that_is_over_stays)
{
    const char *out = typed("space\\nm\\nb\\nm\\nmode free\\n", "steal-half");
    CHECK(!strstr(out, "slow motion"));
    HAS(out, "> m\nthe run is over");
    CHECK(strstr(strstr(out, "\n> b\n"), "> m\nthe run is over"));
    HAS(out, "> mode free\nthe run is over");
}

/* No start is said twice, also if the run rests between two of them. Who steps hears of each event. */
TEST(repeated_starts_have_one_sentence)
{
    const char *out = typed("space\\n", "steal-half");
    HAS(out, "\n61: G1 starts G5 to G9 (worker) in the same way: 5 Gs.\n67: G1 starts G10 (busy).\n");
    CHECK(!strstr(out, "G6 becomes"));
    out = typed("break go_create g=7\\nspace\\ns\\ndelete all\\nspace\\n", "steal-half");
    HAS(out, "\n49: G1 starts G5 to G7 (worker) in the same way: 3 Gs.\nPAUSED");
    HAS(out, "\n50: G7 becomes P0");
    HAS(out, "\n61: G1 starts G8 to G9 (worker) in the same way: 2 Gs.\n");
}

TEST(a_run_goes_to_its_end)
{
    const char *out = typed("space\\n", "steal-half");
    HAS(out, "worker 7 ran on");
    HAS(out, "ENDED: main returned");
    CHECK(!strstr(out, "reserves"));
}

TEST(a_line_is_a_key_or_a_command_with_or_without_its_colon)
{
    const char *out = typed(":break steal\\nbreaks\\nspace\\ninspect g3\\nmark here\\n:marks\\nb\\nG\\nshare\\n", "steal-half");
    HAS(out, "stops at steal");
    HAS(out, "Breakpoints\n1");
    HAS(out, "G3 ─ worker");
    HAS(out, "It is the runnext of P0.");
    HAS(out, "BACK at event");
    HAS(out, "gmpscope run steal-half --seed 1 --at "); /* it is at a breakpoint, and G3 is selected */
    HAS(out, " --select g3\n");
    CHECK(!strstr(out, "closes"));
}

TEST(the_queues_are_said_in_words)
{
    const char *out = typed("until steal n>=2\\nqueues\\n", "steal-half");
    HAS(out, "P0: running a G; M0 runs G10; run queue of 3: G7 G8 G9");
    HAS(out, "Global queue: empty");
    HAS(typed("queues\\n", "one-lock-1-0 --lang zh"), "全局队列为空");
}

TEST(choices_are_numbered_and_a_number_takes_one)
{
    const char *out = typed("until steal\\nc\\n1\\nc\\nbranches\\n", "steal-half");
    HAS(out, "which M goes next?\n0) let the seed decide");
    HAS(out, "\n1) M");
    HAS(out, "> 1\n");
    CHECK(strstr(strstr(out, "> 1\n"), "which M goes next?"));
}

/* The card comes after the last text. Its keys are words; an empty line is enter, and the rest of the input is for the next run. */
TEST(choices_come_after_the_sentence_of_the_event_before_them)
{
    const char *out = typed("until steal\\nc\\n1\\n1\\n1\\n2\\n1\\n", "steal-half");
    for (const char *at = out; (at = strstr(at, "\nDecision ")); at++) {
        const char *state = strstr(at, "\nPAUSED. Event ");
        const char *line = state ? strchr(state + 1, '\n') : NULL;
        CHECK(line && strncmp(line, "\n> ", 3) == 0); /* no sentence between the choices and the prompt */
    }
}

TEST(the_card_of_a_lesson_has_keys)
{
    static const char text[] =
        "name: two\ntitle: {en: Two, zh: 二}\ngoroutines: [{name: main, do: [{print: a}]}]\nnext: steal-half\n"
        "compare: {left: \"generation=go1.0\", right: \"generation=go1.4\"}\n"
        "lesson: [{on: print, say: First words}, {on: program_end, say: Last words}]\n";
    char args[400];
    snprintf(args, sizeof args, "%s --lesson", t_file("two.yaml", text));
    const char *out = typed("space\nspace\nspace\nc\n\ns\n", args);
    const char *last = strstr(out, "Last words"), *card = strstr(out, "This lesson asks nothing.");
    CHECK(last && card && last < card);
    HAS(card, "c      compare two runs of it side by side: gmpscope compare two");
    HAS(card, "> c\ntwo runs side by side need a full screen: gmpscope compare two\n");
    HAS(card, "Half of a neighbour's queue");
    HAS(card, "> s\n1: M0 starts");
}

TEST(a_lesson_asks_and_takes_a_number)
{
    const char *out = typed("space\\nspace\\n2\\nspace\\n", "steal-half --lesson");
    HAS(out, "1) 1\n2) 2\n3) 3\n4) 4");
    HAS(out, "Wrong: 2. The answer is 4.");
    HAS(out, "Lesson ─ 3 of ");
}

TEST(a_mistake_in_a_search_names_the_way_to_search_for_text)
{
    HAS(typed("/steals\\n", "steal-half"), "the nearest is \"steal\"; to search for text, quote it: \"steals\"");
    HAS(typed("/\"steals\"\\n", "steal-half"), "\"steals\": not in the");
}

TEST(mistakes_are_said)
{
    const char *out = typed("nonsense\\nbreak stael\\ntab\\n", "steal-half");
    HAS(out, "there is no command \"nonsense\"");
    HAS(out, "stael");
    HAS(out, "needs the full screen: tab");
}

TEST(every_pane_is_printed_without_a_screen)
{
    char lines[1200] = "until steal\\n";
    for (int i = 0; i < PANES; i++)
        snprintf(lines + strlen(lines), sizeof lines - strlen(lines), ":pane %s\\n", pane_name(i));
    const char *out = typed(lines, "steal-half");
    HAS(out, "steals 1, Gs 1, tries 1; last: P1 from P0 (1)\n");
    HAS(out, "thief   P0  P1    all\nP0       ·   ·      0\n"); /* its columns stay below each other */
    HAS(out, "How M2 looks for work ─ findRunnable\n");
    HAS(out, "Metrics\n");
    HAS(out, "mu     mutex     free\n");
    HAS(out, "timers  none is set\n");
    HAS(out, "func worker(i int64) {\n");
    HAS(out, "\nnothing to show now: keys\n");
    CHECK(!strstr(out, "\n\n"));
    HAS(typed("pane metric\\n", "steal-half"), "the nearest is \"metrics\"");
}

TEST(y_says_why_and_again_the_life)
{
    const char *out = typed("until steal\\ninspect g3\\ny\\ny\\ny\\npane goroutine\\ns\\ny\\n", "steal-half");
    const char *why = strstr(out, "G3 worker ─ Why is it not running?\n"), *life = strstr(out, "G3 ─ worker ─ ran 0, was runnable 50 ns");
    CHECK(why && life && why < life);
    HAS(why, "It is the runnext of P0.");
    life = strstr(strstr(life, "Why is it not running?"), "> pane goroutine\nG3 ─ worker ─ ran 0");
    CHECK(life != NULL);
    HAS(life, "> y\nG3 worker ─ Why is it not running?"); /* only the next line turns y round */
}

/* Three events of the same millisecond have three times. */
TEST(the_time_is_as_exact_as_in_the_status_line)
{
    HAS(typed("until 3\\nuntil 4\\n", "steal-half"), "Event 4, time 0.050 µs.");
}

TEST(a_comparison_names_the_command_that_prints_it)
{
    const char *out = typed("s\\n:compare disable=stealing\\ns\\n", "steal-half");
    HAS(out, "as a table: gmpscope compare steal-half --seed 1 --right \"disable=stealing\" --headless\n> s\n2: ");
    HAS(shell("gmpscope compare steal-half --seed 1 --right \"disable=stealing\" --headless")->out, "stealing");
    HAS(typed("layout queues\\n", "steal-half"), "needs the full screen: layout");
}

TEST(a_pane_is_as_wide_as_columns_says)
{
    struct result *r = shell("printf 'until steal\\npane events\\n' | COLUMNS=50 gmpscope run --linear steal-half");
    HAS(strstr(r->out, "> pane events"), "  25  M2 steals G2 from P0 for P1.\n");
    HAS(typed("until steal\\npane events\\n", "steal-half"), "  25     0.370 µs  M2 P1  M2 steals G2 from P0 for P1.\n");
}

TEST(help_has_all_words_and_none_of_the_screen)
{
    const char *out = typed("?\\n", "steal-half");
    HAS(out, "step one event");
    HAS(out, ":inspect [gN|pN|mN]");
    HAS(out, ":pane NAME");
    HAS(out, "why is it not running?");
    CHECK(!strstr(out, ":layout"));
    CHECK(!strstr(out, ":compare"));
    CHECK(!strstr(out, "next pane"));
}

/* ---- lessons ---- */

static const char *lesson(const char *lines, const char *args)
{
    char command[2000];
    CHECK((size_t)snprintf(command, sizeof command, "printf '%s' | gmpscope lesson --linear %s", lines, args) < sizeof command);
    struct result *r = shell(command);
    CHECK_STR(r->err, "");
    CHECK_INT(r->code, 0);
    CHECK(!strchr(r->out, '\x1b'));
    return r->out;
}

static int times(const char *out, const char *part)
{
    int n = 0;
    for (; (out = strstr(out, part)); out++)
        n++;
    return n;
}

static int sentences(const char *out)
{
    int n = 0;
    for (; *out; out += strcspn(out, "\n"), out += *out == '\n')
        n += out[strspn(out, "0123456789")] == ':';
    return n;
}

/* With an answer, without one, and where the run decides the answer after the next text. */
TEST(no_question_is_read_twice)
{
    const char *out = lesson("space\nspace\n2\nspace\nspace\n", "steal-half");
    CHECK_INT(times(out, "How many Gs does it take at once?"), 1);
    HAS(out, "> 2\nLesson ─ 2 of 5 ─ 0 of 1 right\nWrong: 2. The answer is 4.");
    HAS(out, "\nspace: watch it happen\n");
    out = lesson("space\n1\nspace\nspace\nspace\n", "gc-cycle");
    CHECK_INT(times(out, "How many dedicated workers will there be?"), 1);
    HAS(out, "\nThe answer to question 1 is known now.\nPAUSED at lesson 1 of 5: the answer");
    out = lesson("space\nspace\nspace\nspace\n", "gc-cycle");
    CHECK_INT(times(out, "How many dedicated workers will there be?"), 1);
    HAS(out, "\nLesson ─ answer to 1 of 5\nThe answer is 1.");
    out = lesson("space\n1\nspace\nspace\nspace\n", "gc-cycle --lang zh");
    HAS(out, "\n第 1 题的答案已经确定。\n");
}

/* The second question is answered two events before the first one; it waits. */
TEST(late_answers_come_in_the_order_of_the_questions)
{
    const char *path = t_file(
        "order.yaml",
        "name: order\nscheduler: {gomaxprocs: 1}\n"
        "goroutines: [{name: main, do: [{print: a}, {print: b}, {print: c}, {print: d}, {compute: 1us}, {yield: 1}, {print: e}]}]\n"
        "lesson:\n"
        "  - {on: start, say: Look., pause: true}\n"
        "  - {on: print, ask: {question: Fourth?, choices: [c, d], answer: value(print x4 .text)}}\n"
        "  - {on: print, ask: {question: Third?, choices: [c, d], answer: value(print x3 .text)}}\n");
    const char *out = lesson("space\nspace\nspace\nspace\nspace\n", path);
    const char *first = strstr(out, "The answer is d."), *second = strstr(out, "The answer is c.");
    CHECK(first && second && first < second);
    HAS(out, "PAUSED at lesson 1 of 3. Event 2,"); /* the text about P0 waits until there is a P0 */
}

TEST(the_sentence_of_a_detail_is_said_once)
{
    CHECK_INT(times(lesson("\\n\\n\\n", "one-lock --generation go1.0"), "M1 waits for sched.lock."), 1);
}

/* No lesson of the course asks twice, whatever one does at its questions. */
TEST(no_question_of_the_course_is_read_twice)
{
    static const char *const names[] = {
        "scene-09-short-syscall", "why-runnext", "whatif-recheck", "blocking-syscall", "finalizer", "steal-order"};
    static const char *const lines[] = {"\n\n\n\n\n\n\n\n\n\n\n\n\n\n", "\n1\n\n\n1\n\n1\n\n\n1\n\n\n"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < 2; k++) {
            const char *out = lesson(lines[k], names[i]), *last = strstr(out, "\nScore: ");
            char *played = keep(strlen(out) + 1); /* the card lists the questions again */
            strncpy(played, out, last ? (size_t)(last - out) : strlen(out));
            for (const char *choice = played; (choice = strstr(choice, "\n1) ")); choice++) {
                const char *question = choice;
                while (question > played && question[-1] != '\n')
                    question--;
                char *line = keep((size_t)(choice - question) + 1);
                strncpy(line, question, (size_t)(choice - question));
                if (*line && times(played, line) != 1)
                    t_fail(names[i], 0, "is read %d times: %s", times(played, line), line);
            }
        }
}

TEST(a_lesson_says_how_many_events_pass)
{
    const char *out = lesson("space\n", "gc-cycle");
    HAS(out, "> space\n237 events later:\n");
    CHECK(sentences(out) <= 6);
    HAS(out, "\n237: ");
    HAS(lesson("space\n", "gc-cycle --lang zh"), "\n237 个事件之后：\n");
    out = lesson("space\ns\ns\n", "gc-cycle"); /* who steps hears each event */
    HAS(out, "\n238: ");
    out = lesson("space\n", "gc-cycle --narrate");
    CHECK(!strstr(out, "events later"));
    CHECK(sentences(out) > 60);
    CHECK(!strstr(typed("space\n", "steal-half"), "events later"));
}

TEST(an_empty_line_of_a_lesson_is_the_key_space)
{
    CHECK_STR(strstr(lesson("\n\n1\n\n", "steal-half"), "Lesson ─ 1 of 5"), strstr(lesson("\n\n1\n\n", "steal-half"), "Lesson ─ 1 of 5"));
    const char *out = lesson("\ns\n\n\n", "steal-half");
    HAS(out, "PAUSED at lesson 2 of 5");
    HAS(out, "PAUSED at lesson 3 of 5");
    HAS(typed("\n", "steal-half"), "ENDED: main returned"); /* there is no last line to repeat */
}

TEST(the_tour_in_words)
{
    struct result r = RUN("demo", "--linear", "--lang", "en"), again = RUN("lesson", "--tour", "--linear", "--lang", "en");
    CHECK_INT(r.code, 0);
    CHECK(!strchr(r.out, '\x1b'));
    CHECK_STR(r.out, again.out);
    HAS(r.out, "> space\n197 events later:\n");
    HAS(r.out, "Time runs backwards: the Gs go back to P0's queue.\n> b\n193: ");
    HAS(r.out, "gmpscope compare steal-half --right disable=stealing --headless\nThe same instant twice");
    HAS(r.out, "> :goto 3000000\n3000000: ");
    HAS(r.out, "you are the scheduler");
    HAS(r.out, "> 2\n");
    r = RUN("demo", "--linear", "--lang", "zh");
    HAS(r.out, "时间可以倒流");
}

TEST(an_empty_line_repeats_the_last_one)
{
    HAS(typed("s\\n\\n\\n", "steal-half"), "PAUSED. Event 3");
}

TEST(without_utf8_the_output_is_ascii)
{
    struct result *r = shell("printf 'until steal\\ninspect g3\\nqueues\\n?\\n' | LC_ALL=C gmpscope run --linear steal-half --lang zh");
    CHECK_INT(r->code, 0);
    for (const char *s = r->out; *s; s++)
        CHECK((unsigned char)*s < 128);
    HAS(r->out, "time 0.370 us.");
}

/* Nothing can be chosen in a recording, so the greeting does not offer it. */
TEST(a_recording_offers_no_choice)
{
    char command[1024];
    snprintf(command, sizeof command,
             "gmpscope run steal-half --headless --record '%s/run.gmp' >/dev/null && printf 'q\\n' | gmpscope replay '%s/run.gmp' --linear",
             t_tmpdir(), t_tmpdir());
    struct result *r = shell(command);
    CHECK_INT(r->code, 0);
    HAS(r->out, "a lesson an empty line does the same. queues: where the Gs are.");
    r = shell("printf 'q\\n' | gmpscope run steal-half --linear");
    HAS(r->out, "c: choose what happens next. queues: where the Gs are.");
}

TEST(a_dumb_terminal_gets_lines)
{
    struct term *t =
        term_start(40, 120, (const char *const[]){"TERM=dumb", NULL}, (const char *const[]){GMPSCOPE_BIN, "run", "steal-half", NULL});
    term_wait(t, "PAUSED. Event 0");
    CHECK(term_shows(t, "TERM=dumb: this terminal cannot show a full screen"));
    term_keys(t, "s\n");
    term_wait(t, "1: M0 starts: it is the first thread.");
    CHECK(!term_altscreen(t));
    term_keys(t, "q\n");
    CHECK_INT(term_wait_exit(t), 0);
    term_free(t);
}

TEST(a_number_without_a_question_says_so_and_an_empty_line_goes_on_in_the_lesson)
{
    const char *out = typed("1\\nrun\\n9\\n3\\n2\\n1\\n\\n1\\n\\n", "blocking-syscall --lesson");
    HAS(out, "> 1\nthe lesson asks nothing here");
    HAS(out, "> 9\nthe question has the answers 1 to 3");
    HAS(out, "> 2\nthis question has its answer");
    HAS(out, "PAUSED at lesson 2 of 6");
    HAS(out, "PAUSED at lesson 3 of 6");
}

TEST(a_run_that_ends_as_the_one_before_says_so_again)
{
    const char *end = "ENDED: main returned. Event", *out = typed("run\\nr\\nrun\\n", "steal-half");
    const char *first = strstr(out, end);
    CHECK(first && strstr(first + 1, end));
}

TEST(a_terminal_gets_no_broken_words)
{
    static const char *const run[] = {GMPSCOPE_BIN, "run", "steal-half", "--linear", "--lesson", NULL};
    struct term *t = term_start(24, 60, NULL, run);
    term_wait(t, "is busy with a G that does not stop. P1 runs dry and takes");
    term_keys(t, "run\n");
    term_wait(t, "space continues");
    term_wait(t, "P0 will soon have eight Gs in its queue and a busy one");
    term_keys(t, "q\n");
    CHECK_INT(term_wait_exit(t), 0);
    term_free(t);
}

/* As with `| head`: the run ends, although its input is still open, and that is no error. */
TEST(a_reader_that_closes_the_pipe_ends_the_run)
{
    const char *script = t_file("script",
                                "d=$(mktemp -d) && mkfifo $d/in $d/out && exec 4<>$d/in || exit 9\n"
                                ": <$d/out & exec 3>$d/out; wait; rm -r $d\n");
    char command[800];
    snprintf(command, sizeof command, ". '%s'; gmpscope run --linear steal-half <&4 >&3", script);
    struct result *r = shell(command);
    CHECK_INT(r->code, 0);
    CHECK_STR(r->err, "");
}
