/* A lesson in an emulated terminal: a whole lesson as a student takes it, and as a teacher shows it; what the closing card does; a
 * lesson that plays by itself; the starter that `new` writes. */
#include "screen.h"
#include "shell.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTER "\r"

/* Three questions: before its event, before its event, and one with a literal answer. */
static const char lesson_text[] =
    "name: taken\n"
    "title: {en: A lesson to take, zh: 一课}\n"
    "scheduler: {gomaxprocs: 1, preempt_slice: 10s, without: [{disable: runnext, fails: [1]}]}\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: worker, count: 3}, {yield: 1}, {print: last}]\n"
    "  - name: worker\n"
    "    do: [{print: 'worker {i}'}]\n"
    "expect: [{prints: [worker 2, worker 0, worker 1, last]}]\n"
    "watch: {en: The order of the Gs., zh: 各个 G 的顺序。}\n"
    "next: steal-half\n"
    "lesson:\n"
    "  - {on: start, say: {en: Three workers start., zh: 三个 worker 启动。}, notes: {en: Ask who goes first., zh: 问谁先跑。}}\n"
    "  - on: go_create fn=worker x3\n"
    "    ask:\n"
    "      question: {en: Which G runs next?, zh: 接下来哪个 G 运行？}\n"
    "      choices: [G2, G3, G4]\n"
    "      answer: next(g_start after go_create x3 .g)\n"
    "      because: {en: It is in runnext., zh: 它在 runnext 里。}\n"
    "  - on: g_end\n"
    "    ask:\n"
    "      question: {en: How many more workers print?, zh: 还有几个 worker 打印？}\n"
    "      choices: ['1', '2', '3']\n"
    "      answer: count(g_end) - 1\n"
    "      because: {en: Three less one., zh: 三减一。}\n"
    "  - on: print g=1\n"
    "    ask:\n"
    "      question: {en: Who printed that?, zh: 谁打印的？}\n"
    "      choices: [main, a worker]\n"
    "      answer: main\n"
    "      because: {en: G1 is main., zh: G1 是 main。}\n";

static struct term *play_with(int rows, int columns, const char *const *more)
{
    const char *argv[16] = {GMPSCOPE_BIN, "lesson", t_file("taken.yaml", lesson_text)};
    for (int n = 3; *more; n++)
        argv[n] = *more++;
    return term_start(rows, columns, NULL, argv);
}
#define PLAY(rows, columns, ...) play_with(rows, columns, (const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})

/* Goes on to that entry, one at a time: a key that comes while the run moves is for the same entry. */
static void forward_to(struct term *t, int from, int to)
{
    char text[40];
    for (int i = from; i <= to; i++) {
        snprintf(text, sizeof text, " ─ %d %s 4", i, term_shows(t, "课程") ? "/" : "of");
        term_keys(t, ".");
        term_wait(t, text);
    }
}

/* The last answer comes with the end of the run. The card waits until it is read. */
static void on_to_the_card(struct term *t, const char *score)
{
    term_keys(t, ".");
    term_wait(t, term_shows(t, "课程") ? "答案是 main。" : "The answer is main. G1 is main.");
    term_wait(t, term_shows(t, "课程") ? "space 得分" : "space score");
    CHECK(!term_shows(t, score));
    term_keys(t, " ");
    term_wait(t, score);
}

/* ---- a student ---- */

TEST(a_student_takes_a_lesson)
{
    struct term *t = PLAY(24, 80, "--lang", "en");
    term_wait(t, "Three workers start.");
    CHECK(!term_shows(t, "right"));
    term_keys(t, " ");
    term_wait(t, "Which G runs next?");
    CHECK(!term_shows(t, "✓"));
    term_keys(t, "1"); /* wrong */
    term_wait(t, "✗ 1) G2");
    term_wait(t, "✓ 3) G4");
    term_wait(t, "Wrong: G2. The answer is G4. It is in runnext.");
    term_wait(t, "0 of 1 right");
    term_wait(t, "space: watch it happen");
    term_keys(t, " "); /* to the event that decides it, with the question still there */
    term_wait(t, "▶ ");
    term_wait(t, "P0 takes G4 from runnext.");
    term_wait(t, "space continues");
    CHECK(term_shows(t, "Which G runs next?"));
    term_keys(t, " ");
    term_wait(t, "How many more workers print?");
    term_keys(t, "2"); /* right */
    term_wait(t, "✓ 2) 2");
    term_wait(t, "Right: 2. Three less one.");
    term_wait(t, "1 of 2 right");
    term_keys(t, ","); /* looking back does not score again */
    term_wait(t, "Wrong: G2.");
    term_keys(t, "3");
    term_keys(t, ".");
    term_wait(t, "Right: 2.");
    CHECK(term_shows(t, "1 of 2 right"));
    term_keys(t, "."); /* past what decides it */
    term_wait(t, "Who printed that?");
    term_keys(t, " "); /* without an answer, to the end */
    term_wait(t, "The answer is main. G1 is main.");
    term_wait(t, "space score");
    term_keys(t, " ");
    term_wait(t, "Score: 1 of 3");
    term_wait(t, "✗ Which G runs next?");
    term_wait(t, "your answer: G2");
    term_wait(t, "the answer: G4");
    term_wait(t, "✓ How many more workers print?");
    term_wait(t, "not answered");
    term_wait(t, "Look again at: The order of the Gs.");
    term_wait(t, "play the next lesson: steal-half");
    quit(t);
}

/* A text lies between the answer and the event that decides it. */
TEST(an_answer_is_watched_behind_another_text)
{
    struct term *t = term_start(40, 120, NULL, (const char *const[]){GMPSCOPE_BIN, "lesson", "blocking-syscall", "--lang", "en", NULL});
    term_wait(t, "Lesson ─ 1 of 6");
    term_keys(t, "2");
    term_wait(t, "✗ 2) M1");
    term_keys(t, " ");
    term_wait(t, "Lesson ─ 2 of 6");
    term_keys(t, " ");
    term_wait(t, "Lesson ─ 3 of 6");
    term_keys(t, " ");
    term_wait(t, "Lesson ─ 4 of 6");
    term_keys(t, " ");
    term_wait(t, "Lesson ─ 1 of 6");
    term_wait(t, "PAUSED at lesson 1 of 6: the answer");
    term_wait(t, "P0 takes G2 from the head of its ring.");
    term_wait(t, "✗ 2) M1");
    term_keys(t, "s"); /* the answer stays until the next text */
    term_wait(t, "PAUSED   ");
    CHECK(term_shows(t, "Lesson ─ 1 of 6"));
    CHECK(term_shows(t, "✗ 2) M1"));
    term_keys(t, " ");
    term_wait(t, "Lesson ─ 5 of 6");
    quit(t);
}

TEST(a_student_takes_a_lesson_in_chinese)
{
    struct term *t = PLAY(40, 120, "--lang", "zh");
    term_wait(t, "三个 worker 启动。");
    forward_to(t, 2, 2);
    term_wait(t, "接下来哪个 G 运行？");
    term_keys(t, "3");
    term_wait(t, "✓ 3) G4");
    term_wait(t, "正确：G4。它在 runnext 里。");
    term_wait(t, "空格：看看实际会发生什么");
    forward_to(t, 3, 4);
    on_to_the_card(t, "得分：1 / 3");
    term_wait(t, "关掉 runnext 再运行");
    quit(t);
}

TEST(marks_have_other_letters_in_ascii)
{
    struct term *t = PLAY(24, 80, "--ascii");
    term_wait(t, "Three workers start.");
    term_keys(t, ".");
    term_wait(t, "Which G runs next?");
    term_keys(t, "2");
    term_wait(t, "x 2) G3");
    term_wait(t, "+ 3) G4");
    quit(t);
}

/* Once the run has shown the answer, answering is no prediction. */
TEST(a_late_answer_does_not_count)
{
    struct term *t = PLAY(40, 120, "--lang", "en");
    term_wait(t, "Three workers start.");
    forward_to(t, 2, 3);
    term_keys(t, ",");
    term_wait(t, "Which G runs next?");
    term_keys(t, "3");
    term_wait(t, "✓ 3) G4");
    CHECK(!term_shows(t, "1 of 1"));
    forward_to(t, 3, 4);
    on_to_the_card(t, "Score: 0 of 3");
    term_wait(t, "so it does not count");
    quit(t);
}

/* ---- a teacher ---- */

TEST(notes_before_the_first_text_are_not_there_yet)
{
    const char *path =
        t_file("late.yaml",
               "name: late\n"
               "goroutines: [{name: main, do: [{print: one}]}]\n"
               "lesson: [{on: print, say: {en: It prints, zh: 打印}, notes: {en: Ask., zh: 问。}}]\n");
    struct term *t = term_start(40, 120, NULL, (const char *const[]){GMPSCOPE_BIN, "lesson", path, "--lang", "en", NULL});
    term_wait(t, "It prints");
    term_keys(t, "g");
    term_wait_gone(t, "It prints");
    term_keys(t, "i");
    term_wait(t, "the lesson has no text here yet");
    quit(t);
}

TEST(a_teacher_shows_a_lesson)
{
    struct term *t = PLAY(40, 120, "--lang", "en");
    term_wait(t, "Lesson ─ 1 of 4");
    CHECK(!term_shows(t, "For the teacher"));
    term_keys(t, "i");
    term_wait(t, "For the teacher: Ask who goes first.");
    term_keys(t, ".");
    term_wait(t, "Lesson ─ 2 of 4");
    term_keys(t, "i");
    term_keys(t, ".");
    term_wait(t, "Lesson ─ 3 of 4");
    term_keys(t, ",");
    term_wait(t, "Lesson ─ 2 of 4");
    term_keys(t, ",");
    term_wait(t, "Lesson ─ 1 of 4");
    term_keys(t, ",");
    term_wait(t, "this is the first text of the lesson");
    forward_to(t, 2, 3);
    term_keys(t, "s"); /* other keys work, too */
    term_wait(t, "Lesson ─ 3 of 4");
    term_keys(t, ".");
    term_wait(t, "Lesson ─ 4 of 4");
    on_to_the_card(t, "Score: 0 of 3");
    term_keys(t, "\x1b"); /* look around */
    term_wait_gone(t, "Score:");
    term_keys(t, ",");
    term_wait(t, "Who printed that?");
    quit(t);
}

/* ---- the card ---- */

static struct term *at_the_card(void)
{
    struct term *t = PLAY(40, 120, "--lang", "en");
    term_wait(t, "Three workers start.");
    forward_to(t, 2, 4);
    on_to_the_card(t, "Score: 0 of 3");
    return t;
}

TEST(enter_plays_the_next_lesson)
{
    struct term *t = at_the_card();
    term_keys(t, ENTER);
    term_wait(t, " steal-half ");
    term_wait(t, "Lesson ─ 1 of");
    quit(t); /* and q ends, because no list was shown */
}

TEST(the_card_runs_a_what_if)
{
    struct term *t = at_the_card();
    term_wait(t, "the same without runnext: gmpscope run taken --disable runnext");
    term_keys(t, "w");
    term_wait_gone(t, "Score:");
    term_wait(t, "event ");
    quit(t);
}

TEST(the_card_compares)
{
    struct term *t = at_the_card();
    term_keys(t, "c");
    term_wait(t, "disable=runnext");
    term_wait_gone(t, "Score:");
    quit(t);
}

/* A scenario that says what to compare is compared so. */
TEST(the_card_opens_the_comparison_of_the_scenario)
{
    static const char text[] =
        "name: two\ntitle: {en: Two, zh: 二}\ngoroutines: [{name: main, do: [{print: a}]}]\n"
        "compare: {left: \"generation=go1.0\", right: \"generation=go1.4\"}\n"
        "lesson: [{on: print, say: First words}, {on: program_end, say: Last words}]\n";
    struct term *t = term_start(40, 120, NULL, (const char *const[]){GMPSCOPE_BIN, "run", t_file("two.yaml", text), "--lesson", NULL});
    term_wait(t, "First words");
    term_keys(t, " ");
    term_wait(t, "Last words");
    term_wait(t, "space score");
    term_keys(t, " ");
    term_wait(t, "This lesson asks nothing.");
    term_wait(t, "gmpscope compare two");
    term_keys(t, "c");
    term_wait(t, "generation=go1.0");
    term_wait(t, "generation=go1.4");
    quit(t);
}

TEST(the_card_takes_another_seed)
{
    struct term *t = at_the_card();
    term_keys(t, "R");
    term_wait(t, "seed 2");
    term_wait(t, "Three workers start.");
    quit(t);
}

TEST(a_small_screen_scrolls_the_card)
{
    struct term *t = PLAY(16, 60, "--lang", "en");
    term_wait(t, "Three workers start.");
    forward_to(t, 2, 4);
    on_to_the_card(t, "Score: 0 of 3");
    CHECK(!term_shows(t, "q       quit"));
    for (int i = 0; i < 12; i++)
        term_keys(t, "j");
    term_wait(t, "look around in this run");
    quit(t);
}

/* ---- by itself ---- */

TEST(a_lesson_plays_by_itself)
{
    struct term *t = PLAY(40, 120, "--auto", "--tempo", "max", "--wpm", "20000", "--lang", "en");
    term_wait(t, "Score: 0 of 3");
    quit(t);
    t = term_start(24, 80, NULL, (const char *const[]){GMPSCOPE_BIN, "run", "steal-half", "--auto", NULL});
    term_wait(t, "gmpscope: --auto needs --lesson");
    CHECK_INT(term_wait_exit(t), 2);
    term_free(t);
}

/* ---- the tour ---- */

static struct term *tour(const char *lang, const char *wpm, int rows, int columns)
{
    return term_start(rows, columns, NULL, (const char *const[]){GMPSCOPE_BIN, "demo", "--wpm", wpm, "--lang", lang, NULL});
}

TEST(the_tour_comes_to_its_end)
{
    struct term *t = tour("en", "50000", 40, 120);
    CHECK_INT(term_wait_exit(t), 0);
    term_check_sane(t);
    term_free(t);
}

TEST(the_tour_comes_to_its_end_in_chinese_on_a_small_screen)
{
    struct term *t = tour("zh", "50000", 24, 80);
    CHECK_INT(term_wait_exit(t), 0);
    term_check_sane(t);
    term_free(t);
}

TEST(a_key_pauses_the_tour)
{
    struct term *t = tour("en", "1", 40, 120); /* it never reads to the end of a text */
    term_wait(t, "PAUSED at steal");           /* the picture comes before any text */
    CHECK(!term_shows(t, "any key pauses"));
    term_keys(t, "x");
    term_wait(t, "paused ─ any key continues");
    term_keys(t, " ");
    term_wait_gone(t, "paused ─ any key continues");
    quit(t);
    t = tour("en", "200", 40, 120);
    term_wait(t, "P1 had nothing to run");
    term_wait(t, "any key pauses, q ends");
    term_keys(t, "x");
    term_wait(t, "paused ─ any key continues");
    term_keys(t, " ");
    term_wait(t, "any key pauses, q ends");
    quit(t);
    t = term_start(24, 80, NULL, (const char *const[]){GMPSCOPE_BIN, "lesson", "steal-half", "--tour", NULL});
    term_wait(t, "gmpscope: --tour takes no NAME");
    CHECK_INT(term_wait_exit(t), 2);
    term_free(t);
}

/* ---- new ---- */

static struct result *in_folder(const char *command)
{
    char line[1000];
    snprintf(line, sizeof line, "cd '%s' && %s", t_tmpdir(), command);
    return shell(line);
}

TEST(new_writes_a_scenario_that_passes_everything)
{
    struct result *r = in_folder("gmpscope new first-try");
    CHECK_INT(r->code, 0);
    HAS(r->out, "first-try.yaml is written");
    r = in_folder("gmpscope lint first-try.yaml");
    CHECK_STR(r->out, "first-try.yaml: ok\n");
    r = in_folder("gmpscope check first-try.yaml");
    CHECK_INT(r->code, 0);
    HAS(r->out, "without stealing");
    r = in_folder("gmpscope check --lessons --seeds 20 first-try.yaml");
    CHECK_INT(r->code, 0);
    r = in_folder("gmpscope run first-try.yaml --headless");
    CHECK_INT(r->code, 0);
    HAS(r->out, "worker 3 is done");
    r = in_folder("gmpscope new first-try");
    CHECK_INT(r->code, 2);
    HAS(r->err, "first-try.yaml exists already");
    r = in_folder("gmpscope new a/b");
    CHECK_INT(r->code, 2);
    HAS(r->err, "expected a name of letters");
    r = in_folder("gmpscope new");
    CHECK_INT(r->code, 2);
}
