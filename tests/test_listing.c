/* The scenario's programs as text for the screen, with the line of each operation, and the events that say which operation a G has reached. */
#include "load.h"
#include "shell.h"

/* One of each operation that has others inside of it, on lines and in flow style, and operations that Go does not have. */
static const char *const nested =
    "name: nested\n"
    "channels: [c]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do:\n"
    "      - loop: 2\n"
    "        do: [{compute: 1us}, {if: 1, then: [{yield: 1}], else: [{gc: 4us, assist: true}]}]\n"
    "      - {go: sender}\n"
    "      - select: [{recv: c, do: [{print: \"m{m}\"}]}]\n"
    "        default: [{sleep: 1us}]\n"
    "      - {range: c, do: [{stop_the_world: 1us}]}\n"
    "  - name: sender\n"
    "    do: [{send: c}, {close: c}]\n";

TEST(each_operation_has_its_line)
{
    static const char *const line[] = {
        "\tfor n := int64(0); n < 2; n++ {",
        "\t\tcompute(1 * time.Microsecond)",
        "\t\tif 1 != 0 {",
        "\t\t\truntime.Gosched()",
        "\t\t\t// gc: 4us, assist: true",
        "\tgo sender()",
        "\tselect {",
        "\t\tprintLine(text(\"m\"), number(m))",
        "\t\ttime.Sleep(1 * time.Microsecond)",
        "\tfor range c {",
        "\t\t// stop_the_world: 1us",
        "\tc <- 0",
        "\tclose(c)"};
    struct scenario *sc = load(t_file("s.yaml", nested));
    const struct program_text *t = scenario_program(sc);
    CHECK(t && t == scenario_program(sc));
    CHECK_INT(t->nops, sizeof line / sizeof *line);
    for (uint32_t i = 0; i < t->nops; i++)
        CHECK_STR(t->line[t->op[i]], line[i]);
    CHECK_INT(t->nfn, 2);
    CHECK_STR(t->line[t->fn[0]], "func main() {");
    CHECK_STR(t->line[t->fn[1]], "func sender() {");
    CHECK_STR(t->line[0], "var c = make(chan int64)");
    scenario_free(sc);
}

static void has_lines_in_order(const struct scenario *sc, const char *path, void *ctx)
{
    const struct program_text *t = scenario_program(sc);
    (void)ctx;
    CHECK(t);
    for (uint32_t i = 0; i < t->nops; i++)
        if (t->op[i] >= t->nlines || (i && t->op[i] < t->op[i - 1]) || t->op[i] <= t->fn[0] || strstr(t->line[t->op[i]], "oom"))
            t_fail(path, 0, "operation %u is at line %u", i, t->op[i]);
    for (uint32_t i = 0; i < t->nfn; i++)
        if (strncmp(t->line[t->fn[i]], "func ", 5) != 0)
            t_fail(path, 0, "program %u begins at line %u: %s", i, t->fn[i], t->line[t->fn[i]]);
}

TEST(every_shipped_scenario_has_a_listing)
{
    each_scenario(has_lines_in_order, NULL);
}

/* Removes the lines with this word, in place. */
static void drop_lines(char *text, const char *word)
{
    char *to = text;
    for (char *from = text, *next; *from; from = next) {
        next = from + strcspn(from, "\n") + 1;
        char kept = *next;
        *next = '\0';
        bool drop = strstr(from, word) != NULL;
        size_t n = (size_t)(next - from);
        if (!drop)
            memmove(to, from, n);
        *next = kept;
        to += drop ? 0 : n;
    }
    *to = '\0';
}

TEST(the_course_is_the_same_whether_places_are_recorded_or_not)
{
    static const char *const name[] = {"steal-half", "mutex-starving", "select-fair", "chain-1-0", "chain-1-4", "gc-assist"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        char command[200];
        snprintf(command, sizeof command, "gmpscope run %s --headless --events --seed 3", name[i]);
        char *without = strdup(shell(command)->out);
        strcat(command, " --break 'g_op line=1000000'");
        char *with = strdup(shell(command)->out);
        CHECK(!strstr(without, " g_op ") && strstr(with, " g_op "));
        drop_lines(with, " g_op ");
        CHECK_STR(with, without);
        free(with);
        free(without);
    }
}

TEST(a_breakpoint_stops_where_a_g_reaches_a_line)
{
    const char *path = t_file("s.yaml", nested);
    char command[600];
    snprintf(command, sizeof command, "gmpscope run '%s' --headless --narrate --break 'g_op line=13 col=22'", path);
    const struct result *r = shell(command);
    HAS(r->out, "G2 reaches line 13 of the scenario.");
    CHECK_INT(r->code, 0);
}

TEST(a_claim_may_be_about_a_line)
{
    char yaml[1000];
    snprintf(yaml, sizeof yaml, "%sexpect:\n  - {event: \"g_op line=8\", times: 1}\n", nested);
    char command[600];
    snprintf(command, sizeof command, "gmpscope run '%s' --headless --json", t_file("s.yaml", yaml));
    HAS(shell(command)->out, "\"passed\":1");
}
