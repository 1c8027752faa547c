/* gmpscope lesson, and gmpscope demo, which is lesson --tour: the scenes of tour.def, one run after the other. */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

enum { STEPS_MAX = 64, WORDS_MAX = 24 };

enum row_kind { IS_SCENE, IS_STEP };
static const struct row {
    enum row_kind kind;
    const char *a, *b; /* scene: the command, its words; step: the keys */
    struct text text;
} script[] = {
#define SCENE(command, words) {IS_SCENE, command, words, {{NULL}}},
#define STEP(keys, en, zh) {IS_STEP, keys, NULL, {{en, zh}}},
#include "cli/tour.def"
#undef SCENE
#undef STEP
};
enum { ROWS = sizeof script / sizeof *script };

/* Splits `text` at each |, in place. */
static int split(char *text, char **word)
{
    int n = 0;
    for (char *w = strtok(text, "|"); w && n < WORDS_MAX; w = strtok(NULL, "|"))
        word[n++] = w;
    return n;
}

/* Two runs side by side need a screen. Without one the tour prints its text about them and the end of what `compare --headless` prints. */
static int say_comparison(struct tour_scene *tour, enum lang lang, int n, char **word)
{
    char text[200];
    int at = 0;
    for (int i = 0; i < n && strcmp(word[i], "--tempo"); i++)
        at += snprintf(text + at, sizeof text - (size_t)at, " %s", word[i]);
    visible_line(stdout, "gmpscope compare%s --headless", text);
    for (int i = 0; i < tour->n; i++)
        visible_line(stdout, "%s", text_in(&tour->step[i].text, lang));
    tour->finished = true;
    return 0;
}

static int play(const struct options *o, const struct row *scene, struct tour_scene *tour)
{
    char text[200], *word[WORDS_MAX];
    snprintf(text, sizeof text, "%s", scene->b);
    int n = split(text, word);
    struct tour_look look = {.tour = tour, .from = o};
    const struct started_from from = {o->list, &look};
    if (o->linear && !strcmp(scene->a, "compare"))
        return say_comparison(tour, o->lang, n, word);
    return !strcmp(scene->a, "compare") ? cmd_compare(&from, n, word) : cmd_run(&from, n, word);
}

/* Plays all scenes. Returns: 0, also if a run failed, which belongs to the tour; 2 or the signal if a scene could not be shown. */
static int tour(const struct options *o)
{
    struct tour_step step[STEPS_MAX];
    for (int i = 0; i < ROWS;) {
        const struct row *scene = &script[i++];
        struct tour_scene t = {.step = step};
        for (; i < ROWS && script[i].kind == IS_STEP && t.n < STEPS_MAX; i++)
            step[t.n++] = (struct tour_step){script[i].a, script[i].text};
        int code = play(o, scene, &t);
        if (!t.finished)
            return code == 2 || code > 128 ? code : 0;
    }
    return 0;
}

static int play_lesson(struct options *o)
{
    if (!o->tour)
        return run_parsed(o, "lesson");
    return o->nargs ? usage_error("--tour takes no NAME; unexpected \"%s\"", o->args[0]) : tour(o);
}

int cmd_demo(const struct started_from *from, int argc, char **argv)
{
    struct options o;
    int code = 2;
    bool parsed = options_parse(&o, CMD_DEMO, argc, argv);
    command_started(&o, from);
    if (parsed)
        code = o.help    ? command_help("demo [options]", "watch the most striking two minutes; any key pauses, q ends", CMD_DEMO)
               : o.nargs ? usage_error("demo takes no NAME; unexpected \"%s\"", o.args[0])
                         : tour(&o);
    options_fini(&o);
    return code;
}

int cmd_lesson(const struct started_from *from, int argc, char **argv)
{
    struct options o;
    int code = 2;
    bool parsed = options_parse(&o, CMD_LESSON, argc, argv);
    command_started(&o, from);
    if (parsed)
        code = o.help ? command_help("lesson FILE|NAME [options]", "play a lesson in the terminal", CMD_LESSON) : play_lesson(&o);
    options_fini(&o);
    return code;
}
