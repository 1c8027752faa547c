/* Topics: each shipped scenario has its place in the list, and names lead to scenarios. */
#include "engine/catalogue.h"
#include "shell.h"

enum { TITLE_W = 36 };

static struct catalogue load(struct arena *a)
{
    struct catalogue c;
    CHECK(catalogue_load(a, &c));
    catalogue_sort(&c);
    return c;
}

TEST(every_shipped_scenario_has_its_place)
{
    struct arena a = {0};
    struct catalogue c = load(&a);
    CHECK(c.n > 60);
    for (size_t i = 0; i < c.n; i++) {
        const struct catalogue_entry *e = &c.v[i];
        bool same = i && e[-1].topic == e->topic && e[-1].order == e->order;
        if (e->broken || e->topic >= TOPICS || e->order == UINT32_MAX || same)
            t_fail(e->path, 0, "no topic or no order of its own");
        if (!*e->watch.in[LANG_EN] || !e->watch.in[LANG_ZH] || !e->summary.in[LANG_ZH])
            t_fail(e->path, 0, "watch and summary need both languages");
        if (text_width(e->title.in[LANG_EN]) > TITLE_W || text_width(e->title.in[LANG_ZH]) > TITLE_W)
            t_fail(e->path, 0, "the title is wider than the list at 80 columns");
        if (e->next && (!catalogue_find(&c, e->next) || !strcmp(e->next, e->name)))
            t_fail(e->path, 0, "no such scenario: next: %s", e->next);
    }
    arena_fini(&a);
}

TEST(no_topic_is_empty_and_an_earlier_name_is_no_present_one)
{
    struct arena a = {0};
    struct catalogue c = load(&a);
    int n[TOPICS] = {0};
    for (size_t i = 0; i < c.n; i++) {
        n[c.v[i].topic]++;
        for (uint32_t k = 0; k < c.v[i].naliases; k++)
            CHECK(catalogue_find(&c, c.v[i].aliases[k]) == &c.v[i]);
    }
    for (int t = 0; t < TOPICS; t++)
        CHECK(n[t] > 0);
    arena_fini(&a);
}

/* Follows `next` from the first lesson, or from the first of a path, and returns how many lessons there are on the way. */
static size_t walk(struct arena *a, const struct catalogue *c, const struct catalogue_entry *e, enum scenario_path path)
{
    size_t n = 0;
    bool *been = arena_alloc(a, c->n * sizeof *been);
    for (size_t i = 0; i < c->n; i++)
        been[i] = false;
    for (; e && n <= c->n; e = catalogue_next(a, c, e, path), n++) {
        if (been[e - c->v] || !e->lesson)
            t_fail(e->path, 0, "the way comes here twice, or there is no lesson");
        been[e - c->v] = true;
    }
    return n;
}

TEST(next_leads_once_through_every_lesson)
{
    struct arena a = {0};
    struct catalogue c = load(&a);
    const struct catalogue_entry **on;
    CHECK_INT(walk(&a, &c, &c.v[0], PATHS), c.n);
    for (int p = 0; p < PATHS; p++) {
        size_t n = catalogue_path(&a, &c, (enum scenario_path)p, &on);
        CHECK_INT(walk(&a, &c, on[0], (enum scenario_path)p), n);
    }
    CHECK_INT(catalogue_path(&a, &c, PATH_RUNTIME, &on), c.n);
    CHECK_INT(catalogue_path(&a, &c, PATH_PROGRAMMER, &on), 18);
    for (int i = 0; i < 10; i++) {
        char scene[20];
        snprintf(scene, sizeof scene, "scene-%02d-", i + 1);
        HAS(c.v[i].name, scene);
        CHECK(c.v[i].topic == TOPIC_TEN_SCENES && (i == 9 || !strcmp(c.v[i].next, c.v[i + 1].name)));
    }
    arena_fini(&a);
}

/* At most one choice of a question, the right one, may have no text that is said to those who take it. */
static void look_at_choices(const struct scenario *sc, uint32_t i)
{
    struct scenario_lesson l;
    int bare = 0;
    scenario_lesson(sc, i, &l);
    for (uint32_t k = 0; k < l.nchoices; k++)
        bare += !*text_in(&l.choice_because[k], LANG_EN) || !l.choice_because[k].in[LANG_ZH];
    if (bare > 1)
        t_fail(scenario_info(sc)->path, 0, "\"%s\": %d choices without a because", l.question.in[LANG_EN], bare);
}

TEST(each_wrong_choice_says_why_it_is_wrong)
{
    struct arena a = {0};
    struct catalogue c = load(&a);
    for (size_t i = 0; i < c.n; i++) {
        struct diag d;
        diag_init(&d, c.v[i].path);
        struct scenario *sc = scenario_load(c.v[i].path, &d);
        CHECK(sc);
        for (uint32_t k = 0; k < scenario_info(sc)->nlesson; k++)
            look_at_choices(sc, k);
        scenario_free(sc);
        diag_fini(&d);
    }
    arena_fini(&a);
}

TEST(the_teacher_has_notes_in_each_lesson_of_the_short_path)
{
    struct arena a = {0};
    struct catalogue c = load(&a);
    const struct catalogue_entry **on;
    size_t n = catalogue_path(&a, &c, PATH_PROGRAMMER, &on);
    for (size_t i = 0; i < n; i++) {
        struct diag d;
        struct scenario_lesson l;
        int notes = 0;
        diag_init(&d, on[i]->path);
        struct scenario *sc = scenario_load(on[i]->path, &d);
        CHECK(sc);
        for (uint32_t k = 0; k < scenario_info(sc)->nlesson; k++) {
            scenario_lesson(sc, k, &l);
            notes += *text_in(&l.notes, LANG_EN) && l.notes.in[LANG_ZH];
        }
        if (!notes)
            t_fail(on[i]->path, 0, "no notes for the teacher");
        scenario_free(sc);
        diag_fini(&d);
    }
    arena_fini(&a);
}

TEST(a_path_is_listed_in_its_order)
{
    struct result r = RUN("list", "--path", "programmer");
    struct arena a = {0};
    struct catalogue c = load(&a);
    const struct catalogue_entry **on;
    const char *at = r.out;
    size_t n = catalogue_path(&a, &c, PATH_PROGRAMMER, &on);
    for (size_t i = 0; i < n; i++, at = strchr(at, '\n') + 1)
        CHECK(!strncmp(at, on[i]->name, strlen(on[i]->name)));
    CHECK_STR(at, "");
    HAS(RUN("list", "--topics").out, "\nfirst-spawn           PR Many Gs");
    HAS(RUN("list", "--topics", "--path", "programmer").out, "\n\nPreemption\nhog ");
    CHECK_STR(RUN("list", "--path", "short").err, "gmpscope: --path: unknown \"short\"; expected one of programmer, runtime, none\n");
    arena_fini(&a);
}

/* Plays ping-pong to its closing card, after the preparation, and prints the scores. */
static const char *play_along(const char *prepare, const char *options)
{
    char line[1000];
    snprintf(line, sizeof line,
             "export XDG_STATE_HOME=$(mktemp -d '%s/state.XXXXXX'); mkdir $XDG_STATE_HOME/gmpscope; cd $XDG_STATE_HOME/gmpscope; %s; "
             "for i in 1 2 3 4 5 6 7 8; do echo space; done | gmpscope lesson ping-pong --linear %s; echo; cat scores",
             t_tmpdir(), prepare, options);
    return shell(line)->out;
}

TEST(the_card_leads_along_the_path_and_the_best_score_is_kept)
{
    const char *out = play_along(":", "--path programmer");
    HAS(out, "play the next lesson: pair\n");
    HAS(out, "\nping-pong 0 1\n");
    HAS(play_along(":", ""), "play the next lesson: chain\n");
    HAS(play_along("echo programmer >path", ""), "play the next lesson: pair\n");
    HAS(play_along("echo nonsense >path", ""), "play the next lesson: chain\n");
    HAS(play_along("ln -s /dev/zero path; mkfifo scores", ""), "play the next lesson: chain\n");
    HAS(play_along("echo ping-pong 1 1 >scores", ""), "\nping-pong 1 1\n");
    HAS(play_along("printf 'pair 1 1\\ngarbage\\n' >scores", ""), "\npair 1 1\nping-pong 0 1\n");
}

TEST(the_list_by_topic_has_every_scenario_with_its_summary)
{
    struct result r = RUN("list", "--topics"), zh = RUN("list", "--topics", "--lang", "zh");
    struct arena a = {0};
    struct catalogue c = load(&a);
    const char *at = r.out;
    CHECK_INT(r.code, 0);
    for (size_t i = 0; i < c.n; i++) {
        char name[80];
        snprintf(name, sizeof name, "\n%s ", c.v[i].name);
        CHECK((at = strstr(at, name)) != NULL); /* in the same order */
    }
    for (int t = 0; t < TOPICS; t++) {
        HAS(r.out, scenario_topic_title((enum scenario_topic)t)->in[LANG_EN]);
        HAS(zh.out, scenario_topic_title((enum scenario_topic)t)->in[LANG_ZH]);
    }
    HAS(r.out, "\nsteal-half             R Half of a neighbour's queue\n    All Gs are queued at P0");
    arena_fini(&a);
}

/* A folder of data with one scenario. */
static void with_data(const char *scenario, const char *command, int code, const char *out, const char *err)
{
    char line[2000];
    snprintf(
        line, sizeof line,
        "d=$(mktemp -d '%s/data.XXXXXX') && mkdir \"$d/scenarios\" \"$d/layouts\" && printf '%s' >\"$d/scenarios/new-name.yaml\" && cd \"$d\" && "
        "GMPSCOPE_DATA=$d gmpscope %s",
        t_tmpdir(), scenario, command);
    struct result *r = shell(line);
    CHECK_STR(r->err, err);
    HAS(r->out, out);
    CHECK_INT(r->code, code);
}

TEST(an_earlier_name_finds_its_scenario)
{
    static const char text[] = "name: new-name\\naliases: [old-name]\\ngoroutines: [{name: main, do: [{print: here}]}]\\n";
    with_data(text, "run old-name --headless", 0, "here\n", "");
    static const char old[] = "name: new-name\\naliases: [old-name, {name: older-name, generation: go1.4}]\\ngoroutines: [{name: main}]\\n";
    with_data(old, "run older-name --headless --json", 0, "\"generation\":\"go1.4\"", "");
    with_data(old, "run old-name --headless --json", 0, "\"generation\":\"go1.20\"", "");
    with_data(old, "run older-name --headless --json --generation go1.13", 0, "\"generation\":\"go1.13\"", "");
    with_data(text, "run new --headless", 2, "", "gmpscope: no scenario \"new\"; did you mean \"new-name\"?\n");
    with_data(text, "run nothing --headless", 2, "", "gmpscope: no scenario \"nothing\"; gmpscope list shows them\n");
    with_data("name: 7 7\\n", "list --topics", 0, "new-name              has mistakes; gmpscope lint lists them\n", "");
}

TEST(a_scenario_without_run_suggests_run)
{
    CHECK_STR(RUN("steal-half").err, "gmpscope: unknown command steal-half; did you mean gmpscope run steal-half?\n");
    char *file = (char *)t_file("mine.yaml", "name: mine\n"), want[600];
    snprintf(want, sizeof want, "gmpscope: unknown command %s; did you mean gmpscope run %s?\n", file, file);
    CHECK_STR(RUN(file).err, want);
    CHECK_STR(RUN("run", "steal").err, "gmpscope: no scenario \"steal\"; did you mean \"steal-half\"?\n");
    CHECK_STR(RUN("lst").err, "gmpscope: unknown command lst; did you mean list?\n");
}
