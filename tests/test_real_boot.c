/* What real Go says about the start of a program and about the P of a system call: test_boot.c and test_wired_syscall.c expect the same here. */
#include "shell.h"

#include <stdlib.h>
#include <sys/stat.h>

/* The path of a Go whose version begins so. Skips the test, naming it, if there is none. */
static const char *real_go(const char *version)
{
    static const char *const places[] = {"/usr/local/go/bin/go", "/usr/lib/go-1.19/bin/go", "go"};
    static char why[80];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char command[200];
        snprintf(command, sizeof command, "GOTOOLCHAIN=local %s version 2>/dev/null | grep -q 'go%s\\b'", places[i], version);
        if (shell(command)->code == 0)
            return places[i];
    }
    snprintf(why, sizeof why, "no Go %s here", version);
    t_skip(why);
}

/* Builds the program in a module with this go line and runs it. Returns what it writes. */
static const char *real(const char *go, const char *line, const char *program, const char *environment)
{
    char command[1500];
    mkdir(in_tmp("boot"), 0700);
    t_file("boot/main.go", program);
    snprintf(command, sizeof command,
             "cd '%s/boot' && printf 'module boot\n\ngo %s\n' >go.mod && export GOTOOLCHAIN=local GOPROXY=off CGO_ENABLED=0 && "
             "'%s' build -o boot . && { %s timeout 20 ./boot 2>&1; true; }",
             t_tmpdir(), line, go, environment);
    struct result *r = shell(command);
    CHECK_STR(r->err, "");
    CHECK_INT(r->code, 0);
    return r->out;
}

static void says(const char *go, const char *line, const char *imports, const char *use, int number)
{
    char program[500], want[60];
    snprintf(program, sizeof program, "package main\n%s\nfunc main() {\n\t%s\n\tgo func() { panic(\"first\") }()\n\tselect {}\n}\n",
             imports, use);
    snprintf(want, sizeof want, "goroutine %d [running]:", number);
    HAS(real(go, line, program, "GOMAXPROCS=1"), want);
}

#define FMT "import \"fmt\"\n"
#define NET "import \"fmt\"\nimport _ \"net/netip\"\n"

TEST_TIMED(real_go_1_26_gives_the_same_numbers, 300)
{
    const char *go = real_go("1.26");
    says(go, "1.24", "", "", 5);
    says(go, "1.26", "", "", 6);
    says(go, "1.24", FMT, "fmt.Print()", 6);
    says(go, "1.26", FMT, "fmt.Print()", 7);
    says(go, "1.24", NET, "fmt.Print()", 7);
    says(go, "1.26", NET, "fmt.Print()", 8);
}

TEST_TIMED(real_go_1_19_gives_the_numbers_of_go_1_20, 300)
{
    const char *go = real_go("1.19");
    says(go, "1.19", "", "", 5);
    says(go, "1.19", FMT, "fmt.Print()", 6);
}

/* A call of 4 ms, again and again, with an idle P beside it: sysmon leaves the P there for 10 ms, and prints what it sees. */
static const char calls[] =
    "package main\n\nimport \"syscall\"\n\nfunc main() {\n\tfor i := 0; i < 200; i++ {\n"
    "\t\tts := syscall.Timespec{Nsec: 4000000}\n\t\tsyscall.Nanosleep(&ts, nil)\n\t}\n}\n";

/* Asks again where a busy machine has kept sysmon from looking. Returns what the last run said: where it has the text, if one had. */
static const char *asked(const char *go, const char *line, const char *text)
{
    const char *out = "";
    for (int i = 0; i < 12 && !strstr(out, text); i++)
        out = real(go, line, calls, "GOMAXPROCS=2 GODEBUG=schedtrace=1,scheddetail=1");
    HAS(out, "G1: status=3(");
    return out;
}

TEST_TIMED(real_go_1_26_leaves_the_p_with_its_m_in_a_call, 300)
{
    const char *out = asked(real_go("1.26"), "1.26", ": status=1 schedtick");
    HAS(out, ": status=1 schedtick");
    CHECK(!strstr(out, ": status=2 schedtick"));
}

TEST_TIMED(real_go_1_19_leaves_the_p_in_psyscall, 300)
{
    HAS(asked(real_go("1.19"), "1.19", ": status=2 schedtick"), ": status=2 schedtick");
}
