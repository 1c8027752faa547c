/* The parts of the manual that no table has: how runs, claims, searches, comparisons and the screen work. */
#include "cli/manual.h"

/* A section of a page, in paragraphs. A paragraph with a term is an item. */
struct guide {
    const char *title; /* NULL: the section goes on */
    const char *term, *text;
};
static const char example[] = "example"; /* as the term: the text is lines to be shown as they are */

static const struct guide of_gmpscope[] = {
    {"RUNS WITHOUT A SCREEN", NULL,
     "With `--headless` the program's output goes to stdout, or every event with `--events`, every event as a sentence with `--narrate` (then which Gs main leaves behind: a G is *leaked* if no G that lives, no timer and no conn could ever release it, else *left*; `--json` lists them, too), or "
     "the summary with `--json`. In `lockstep`, the same scenario, seed and `--choices` give the same events, bit for bit."},
    {NULL, NULL,
     "Every run of a scenario without a screen ends after 10 s of scenario time or 10,000,000 events, and so does a run of `check` or `explore`; `run` lets a Go program run until it ends, and `explore` leaves one of its schedules after 1,000,000 events. In a search (`check`, `explore`, `claim`) the Gs of a Go program compute for 50 ms of scenario time at most, or for `--limit`; a loop that nothing can end, while no other G can run, is a failure of its own (endless loop). If a limit cut the run short, or if its `--break` never "
     "matched, stderr says so. With `--json`, `ended` shows it: it is `limit`, or it is not `break`. `--break` prints the matching event and ends the run. If a condition on a "
     "duration becomes true between two events, it prints a line without an event: `5000711 break pattern=\"when g7.runnable > 5ms\"`."},
    {NULL, NULL, "The first signal shuts gmpscope down. A second one ends it at once, and so does one second without progress."},
    {"GO PROGRAMS", NULL,
     "A FILE may be a Go file, a folder with one package, or a file `x_test.go` with `--test NAME`. `gmpscope help go` says what of Go is supported, which "
     "Go it is, what the exit codes are and how the screen shows it."},
    {"CLAIMS OF CHANGED RUNS", NULL,
     "Claims are about the scenario as it is written. If `--disable` switches a mechanism off, `check` and `explore` judge them: do they still "
     "hold? `run` judges them only with `--strict`. If `--procs` changes the number of Ps, `check` judges them and says so where one fails; "
     "`run` and `explore` do not judge them. That no G of a Go program leaks and nothing races is claimed with any number of Ps. If `--boot`, `--module` or `--enable` make a difference, no command judges them, except with `--strict`."},
    {NULL, NULL,
     "A run that `--limit` or `--max-events` cuts short proves nothing. `explore` reports such runs as `20 cut by the limit, not judged`. "
     "If only the standard limit of a run without a screen cut it short, its claims are judged. A G of a Go program that nothing can release is a leak even "
     "in a schedule that is cut: a deadlock over which a ticker goes on never ends."},
    {NULL, NULL,
     "`check --all-generations` skips a generation that lacks something the scenario uses, and says what is missing. A claim that is narrowed "
     "to other generations does not count as missing."},
    {"EXPLORING", NULL,
     "`explore` runs seed after seed with extra scheduling points (`--fine`). They are directly before each atomic operation of the queues, of the "
     "protocol by which threads park and wake each other, and of everything that goroutines wait for. After each run it checks the "
     "invariants and the claims. Failures are counted by kind: who waits for whom at which lines, or which claim fails. For the first failure of each kind (`--all`: for each failure) it prints the command that replays it. At the end each kind has one line: how often, the first seed, the seed with the fewest events; the line below it opens that run on the screen, at the failure: at the event that breaks the claim, at the data race, where nothing can release the leaked G any more, or else at its end. A run that crashes or hangs loses only its own seed; the search continues."},
    {NULL, NULL,
     "In two of three runs threads are slow, as real ones are (`--stalls 4`): up to four times a thread loses its CPU, for 1 µs to 15 ms, and each "
     "thread that is woken is late. `m_stall` and `m_late` are the events. `--stalls 0` turns that off; a claim with `stalls: no` is not judged in such runs. "
     "The last line says what was varied and what was not."},
    {NULL, NULL,
     "Which thread goes next is decided in one of three ways, drawn from each seed: each thread has the same chance (`uniform`), the thread that runs "
     "mostly continues (`sticky`), or the one with the highest rank runs and ranks change now and then (`ranked`). `--search ranked` uses one of them for all seeds."},
    {NULL, NULL,
     "For a Go program, runs with slow threads come closer to a machine. What the program writes takes time, a sleep ends late, and in three of four such runs "
     "the next thread follows from how fast CPUs are: each thread has a CPU of its own (`parallel`), the same on a busy machine (`loaded`), or all threads "
     "share one CPU (`single`). These times are decisions, too: in `--choices` a `k` is the time of a write and a `z` is how late a sleep ends. Both "
     "number classes: 0 is no time, 1 is 250 ns, and four classes more are twice the time."},
    {NULL, NULL,
     "All seeds are tried, so that a frequent failure hides no rare one. `--failures 3` ends the search when each kind that was found has come three "
     "times; `--failures 1` at the first failure. Failures are printed in the order of their seeds, however many processes search. "
     "Only if time runs out does the result depend on the speed of the machine, and `explore` then says so. `--json` prints the result as one "
     "object. `--junit FILE` also writes it as JUnit XML: a test case for each kind of failure, or one for the whole search; `check` and `claim` "
     "have that, too. An answer that is no proof counts as skipped."},
    {NULL, NULL,
     "If a mechanism is disabled, `explore` also counts a run as failed if that leaves a G waiting while a P is idle (`--strict`). Try "
     "`gmpscope explore whatif-recheck --disable spinning_recheck`."},
    {"MAY, MUST, NEVER", NULL,
     "`claim NAME 'may: X'` asks whether a schedule has X, `'never: X'` whether none has it, `'must: X'` whether each schedule has it before it ends. "
     "X is an event or a condition (`gmpscope help patterns`), `ends: HOW` (main_returned, deadlock, panic, fatal, limit) or `prints: TEXT` (a "
     "whole line). It searches as `explore` does, up to the first schedule that decides the claim."},
    {NULL, "yes, here is one",
     "A schedule with X (must: one that ends without X), with the command that opens it on the screen at that moment. may holds; must and never do "
     "not."},
    {NULL, "no: all N schedules tried",
     "Only with `--exhaust`: may does not hold, must and never do. `--exhaust` tries all schedules of a small program, depth first over its decisions, "
     "and prints what that includes. Schedules that differ only in the order of independent steps (steps that touch no common data) count once. Numbers "
     "that the seed draws must be fixed (`--vary`). A bound "
     "that is met (`--seeds`, `--for`, `--limit`, 32 threads) gives `stopped after N; this is no proof`."},
    {NULL, "not found in N schedules; this is no proof", "The claim is neither shown nor refuted. The exit code is 5, with `--weak` 0."},
    {NULL, NULL,
     "In a scenario, `expect: [{may: X}, {must: X}]` are such claims. `check` searches 1,000 schedules for each, with stalls as "
     "`claim` does (`stalls: no`: without); one that is neither shown nor refuted is not counted as passed."},
    {"SHRINKING", NULL,
     "`explore NAME --shrink` reduces the first failure. Its runs are calm (`--calm`): a thread continues as long as it can, and `--choices` says "
     "where it does not. First no choice is tried, then each single one, then pairs; if none of these fails, delta debugging leaves out as much of "
     "the failing schedule as it can. Last it looks for fewer events. The command that it prints shows the result."},
    {"EXPLORING ON SEVERAL MACHINES", NULL,
     "`--shard 2/8` tries the second of eight parts of the seeds: every eighth seed. The parts can run anywhere and at any time. `--merge` "
     "puts their JSON together, and reports the seeds, failures and values that one process finds if `--failures` does not end it early. It adds "
     "up the processes and the time of the parts. With `--exhaust` (and without `--seeds`) the parts share the tree of all schedules. A part tries all that is its own, so `--failures` and `--for` cannot limit it. All machines need "
     "the same version of gmpscope and the same scenario file: `--merge` refuses parts that differ in the version, in the text of the scenario "
     "(`scenario_hash`), or in the settings."},
    {NULL, NULL, "With GNU parallel, over ssh to machines that have gmpscope; without `--sshlogin` on this machine:"},
    {NULL, example,
     "parallel --sshlogin HOST1,HOST2 --results 'part-{}.out' gmpscope explore NAME --seeds 100000 --json --shard '{}/8' ::: $(seq 8) >/dev/null\n"
     "gmpscope explore --merge part-*.out\n"},
    {NULL, NULL, "As an array of jobs of Slurm:"},
    {NULL, example,
     "sbatch --wait --array=1-8 --output=part-%a.out --error=part-%a.err "
     "--wrap 'gmpscope explore NAME --seeds 100000 --json --shard $SLURM_ARRAY_TASK_ID/8'\n"
     "gmpscope explore --merge part-*.out\n"},
    {NULL, NULL,
     "`claim NAME '\"never: X\"'` in place of `explore NAME`, and `claim --merge`, do the same with a claim: the answer is that of one process. Each "
     "part stops at its first schedule that decides the claim."},
    {NULL, NULL, "A folder of submissions is checked in the same ways; here each line begins with the name of its file:"},
    {NULL, example, "parallel --tag gmpscope check ::: submissions/*.yaml\n"},
    {NULL, NULL, "Or with Slurm, one result for each file:"},
    {NULL, example,
     "ls submissions/*.yaml >list.txt\n"
     "sbatch --wait --array=1-$(wc -l <list.txt) --output=result-%a.txt "
     "--wrap 'gmpscope check \"$(sed -n \"${SLURM_ARRAY_TASK_ID}p\" list.txt)\"'\n"},
    {"INVARIANTS", NULL,
     "Go's scheduler should leave no goroutine waiting while a P is idle. In `lockstep`, gmpscope checks this whenever no thread can continue "
     "and time jumps. A violation ends the run with exit code 4. The screen shows `FAILED: invariant` and the message; after `q`, stderr has "
     "the last 50 events. Where real Go is known to fail, the scenarios `issue-...` and `handoff-race...` show it, and `--json` counts it."},
    {"COMPARING", NULL,
     "`compare` runs two scenarios with one seed, or one scenario with two settings. `--left` and `--right` take the options of `run` that "
     "concern the scheduler, without dashes: `--right \"generation=go1.13 procs=4\"`. With `seed=7` the sides have different seeds. "
     "The screen shows both runs and below them how many Gs have ended, where the runs part, a conclusion, and the counters that differ; `*` and "
     "underlines mark what differs. With `--headless`, settings, results and those counters (`--all`: all of them) are printed in two columns, "
     "then where the runs part and the conclusion; lines that differ begin with `*`. With `--json`, `first` has the two events (null: none, or "
     "the run ended before it) and `conclusion` the sentences, in the language of `--lang`."},
    {NULL, "--first",
     "The runs part at the first event that differs: event n of one run is compared with event n of the other by kind, M, P, G, fields and "
     "printed text, in the order of `--events`. Times and durations do not count. `--first` prints only these two events, then by which "
     "mechanisms the runs differ, whether they end alike, and, if there are several, which of them makes the first difference: the runs are "
     "repeated without each. On the screen `--first` goes to that event."},
    {NULL, "stuck",
     "A run is stuck when no G has done anything for long enough, no timer is set, no G is in a system call or waits for the network, and the "
     "world is not being stopped. Long enough is twice the time slice of preemption and 10 ms, in addition to what a running G may compute in one "
     "pass through its program; a slice of more than 100 ms counts as 10 ms. A timer that has been due for so long, and a stop of the world that "
     "has lasted so long, do not keep a run from being stuck. It is an observation, not a proof, so the conclusion says since when no G has "
     "changed its state. Without a screen the run ends there. On the screen this side stops, and `space` or `s` continues it."},
    {NULL, NULL, "gmpscope-keys(7) describes the screen of two runs."},
    {"THE PAST", NULL,
     "On the screen, gmpscope keeps the whole history: up to 256 MiB in memory (`--history`), older events in an unnamed temporary file of up to "
     "16 times that size, in the folder that `TMPDIR` names (`/tmp` if it is not set). Beyond that, or if the file cannot be written, it drops the "
     "oldest events, and the top line shows the first event that is kept."},
    {"MEMORY", NULL,
     "A few lines of a scenario can ask for more memory than the machine has. So a run ends, with one message and exit code 2, when its program "
     "needs more than `--memory`. The default is 8 GiB, or three quarters of the machine's memory if that is less. 8 GiB are enough for "
     "more than a million Gs. The limit applies to each process of `explore` and to each side of `compare`."},
    {NULL, NULL,
     "These are counted: 5 KiB for a G with its stack, even after the G has ended, and its memory for large arguments and for `select`; channels "
     "with their buffers and all other objects; timers and finalizers; printed lines; 64 KiB for a thread. The file, which has at most 1 MiB, the "
     "history and the event rings are not counted."},
    {"PICTURES", NULL,
     "`--picture FILE` writes the screen when the run is first paused, or ends; `:picture FILE` writes it now. With `--headless` the scenario runs "
     "a second time for the picture, on a screen of 120 columns and 40 rows. In `lockstep` both runs are the same. In `free` mode the second run "
     "may differ from the one that was printed."},
    {"RECORDINGS", NULL,
     "`run --record FILE` also writes the run to FILE, with and without a screen; on the screen `:record FILE` or `e` does so at any time, from the "
     "run's first event on. `check --record` and `explore --record` keep the first run that fails (`check`: the last run, if none fails). The file has "
     "the scenario's text and the settings, so it is all that another machine needs. A file that exists is replaced only if it is a recording; "
     "`:record ! FILE` replaces any file. The top line shows the file's size. If the file cannot be written any more, the run continues, the top line or "
     "the last line of stderr says so, and the exit code is 2 if it would be 0."},
    {NULL, NULL,
     "`replay FILE` shows such a run with the same keys and options, and `replay FILE --headless` prints what the run printed, with the same "
     "exit code; `--json`, `--events` and `--narrate` work, too, whatever the run itself printed. `query FILE QUERY` computes from a recording. "
     "`compare` takes a recording on either side, or on both; a live run beside it has its seed, and gets settings by `--left` or `--right`. What needs "
     "the scheduler itself is refused: choices, another mode, seed or setting, `--audit`. A free run that was recorded without a screen, `--events` or "
     "`--narrate` has core events only. A recording that was cut, because its process was killed or the disk was full, ends where it was cut, and "
     "one line says at which event."},
    {"TRACES OF REAL GO PROGRAMS", NULL,
     "`import FILE` shows an execution trace of Go 1.11 to 1.27, which `runtime/trace`, `go test -trace` or net/http/pprof has written, or a flight recorder "
     "of it; `import -` takes it from a pipe. The screens are those of a run, with timelines, `y` (why is it not running), breakpoints, "
     "searches and the way back; `--headless` alone says what the trace has, with `--events`, `--narrate` or `--json` it prints it. Each event is one that the trace has, in Go's own order. What "
     "the trace does not say is unknown: which queue a goroutine is in, what an idle thread does, what the program prints. It is drawn as `?`, and "
     "`:ledger` lists it. Memory, tasks, regions, logs, CPU samples and stacks are left out; of a stack only the function where the goroutine began, and the one of package sync in which it waits, are read. `--record FILE` and `:record FILE` write a recording of it, which `replay` "
     "takes; `query` takes the recording or the trace."},
    {NULL, NULL,
     "Goroutines have Go's own numbers up to 1,000,000; later ones are numbered from G2000001 in the order in which the trace names them. Threads are numbered "
     "from M0 in that order, since a trace has only the kernel's numbers. A trace of Go 1.11 to 1.21 does not say when a system call that kept its P was over: such a call is shown without "
     "length. If it ends in the middle, it lacks the clock's frequency, the names and the stacks; its times are then ticks of the clock. A goroutine is called by the function in which it began, once the trace has it. "
     "A trace that ends in the middle, because its program died, is shown as far as it goes; it and a damaged one are reported in one line. The exit code is 0, or "
     "2 if nothing of the file can be read."},
    {NULL, NULL,
     "A trace that is still being written is followed: `PROGRAM | gmpscope import -` from a pipe, `import FIFO`, and `import FILE --follow` in a file, which "
     "ends when no process has it open for writing any more. The picture keeps up with what comes, unless `--tempo` says otherwise, and the top line says "
     "how far behind the program it is: Go writes a trace in pieces of about a second, and events are read when their piece is whole. `space` pauses only "
     "the picture: the program runs on. What has come is kept in a file without a name in `$TMPDIR`, so that the way back and `r` work. The end of the pipe is "
     "the end of the trace. A breakpoint may name a function that the trace has not named yet; so no misspelling of one is reported. While it is followed, the names "
     "of the first 1024 functions that start goroutines are known. A running server with net/http/pprof is watched by `curl -sN "
     "'http://HOST/debug/pprof/trace?seconds=60' | gmpscope import -`. With `--headless` events are printed as they come."},
    {NULL, NULL,
     "`watch -- main.go [ARG…]` (a file, a folder, or `x_test.go`) builds a Go program with your own Go, 1.22 or newer, runs it with its tracer on, and follows it. "
     "A file that is added to its package for the build starts the tracer before the program's own `init`, and Go stops it when the program exits; your files stay "
     "as they are. A test binary that is built already (`x.test`) has a flag for its tracer; that of another built binary cannot be switched on from outside. "
     "Here a trace comes in pieces of a tenth of a second. After a panic or a fatal error it ends in its last whole piece. While the tracer is on, Go does not "
     "notice that all goroutines wait for each other: such a program does not end, and the panes show who waits. With `--headless` the program prints on your "
     "stdout and stderr (with `--events`, `--narrate` or `--json` all on stderr); with a screen, what it prints is kept, and written when the screen is closed. "
     "It reads your stdin, unless that is a terminal. When you leave, the program is terminated with all that it has started. The exit code is the program's "
     "own, or 128 and the signal that killed it, if it has ended by itself."},
    {"A LIVE GO PROGRAM", NULL,
     "`attach PID` looks at a Go program of yours that runs, ten times a second: the ring and runnext of each P, the global queue, the idle Ps and Ms in their "
     "order, the state of each G and M, what a G waits for, and the function with which it began. The program is as you built it: stripped, with cgo, position "
     "independent; linux/amd64, Go 1.20 to 1.27, which its build info names. Its variables are found by the code that uses them, and the first look checks "
     "that what was read is a scheduler; if not, attach refuses. Each look is a step, and what it shows is fact. What the program did between two looks is "
     "unknown: there is no event, arrow or sentence of it, and no count grows. `:break when p2.runq > 100` is judged at each look, `--record` keeps them, "
     "`:ledger` says what a look cannot know. An M that is asleep but not in the list of idle Ms waits for something else than work."},
    {NULL, NULL,
     "For a look all threads are stopped at one instant, by ptrace's SEIZE and INTERRUPT and never by SIGSTOP, and let go at once: usually for less than a "
     "millisecond, longer if the machine has no free CPU; `--headless` prints the longest stop. A system call that the kernel cannot restart, such as "
     "epoll_wait, may return early with EINTR, as after any signal; Go tries again. `--no-stop` stops nothing: a look at a state that changes while it is read is "
     "dropped, so of a busy program there may be none for long. Between looks nobody traces the program; when gmpscope leaves, also by kill -9, it runs on. "
     "A thread that is stopped inside of the scheduler leaves a state that contradicts itself; such a look is dropped, too, and the next one is tried at once. "
     "The system must permit it: the program is your own (or you are root), and `kernel.yama.ptrace_scope` is 0; in a container, SYS_PTRACE is needed. The refusal says which."},
};

static const struct guide of_keys[] = {
    {"PAUSE, STEP, GO BACK", NULL,
     "`space` pauses the scheduler itself, not only the picture. `s` and `n` step it. Some rounds take long or never end: the top line then shows "
     "`STEPPING`, and `space` stops the step. At every stop, `*` and underlines mark what changed since the stop before."},
    {NULL, NULL,
     "`b` steps back as often as you like. While you look at the past, the scheduler is paused, and the top line shows how far back you are. "
     "`s`, `n` and `space` go forward again; past the newest event they continue the run. Breakpoints also fire while you replay the past, even "
     "ones that you set later. A selected G, M or P stays selected while it moves."},
    {"CHOOSE WHAT HAPPENS NEXT", NULL,
     "In `lockstep` the seed decides which thread makes the next step, in which order a thief looks at the other Ps, which case of a select is "
     "tried first, and how `randomize` shuffles. While the run is paused, `c` lists the threads that can go next, each with what it is about "
     "to do. Arrows and `enter` choose one, and exactly that thread makes its next step. If that step is a steal order or a select "
     "case, the box lists the outcomes instead. The box stays open from step to step; `c` closes it."},
    {NULL, NULL,
     "You can also decide differently in the past. Step back and press `c`: the list marks the choice of this run. Another choice starts a "
     "branch: gmpscope runs the scenario again up to there and continues differently. `:branches` lists the branches, and `:branch 1` returns to "
     "the first."},
    {NULL, NULL,
     "`:share` shows the command line that reproduces the run. It lists your choices in short form, `--choices 17m2,23s4x3`: at decision 17 M2 "
     "goes next (`m`), and at decisions 23 to 25 the thief uses steal order 4 (`s`). The other letters are `v` for a victim in go1.4, `c` "
     "for a select case, counted from 0, and `r` for a shuffle of `randomize`. A list that does not fit the run is rejected with exit "
     "code 2. A run that used `free` mode can neither be shared nor branched."},
    {"LESSONS", NULL,
     "`gmpscope lesson NAME` plays a lesson; so does `l` in the list of scenarios, and `:lesson` at any time. Each entry waits for the first "
     "event that matches its pattern, after the event of the entry before. The run goes there fast and stops: `PAUSED at lesson 2 of 5`. "
     "`space` continues. The layout `lesson` shows the picture and the whole text; any other layout shows the text in a box above the keys."},
    {NULL, NULL,
     "`1` to `9` answer a question. Then `✓` marks the right choice, and `space` runs on to the event that decides the answer and stops there; "
     "its G or P is selected. An answer counts once, and only before the run has shown it. At the end a card lists the questions, the answers, the score "
     "and what to try next; its keys do that, and `enter` plays the next lesson."},
    {NULL, NULL,
     "`,` and `.` go to the previous and the next text: back through the past, forwards by running on. `i` shows the notes for the teacher. "
     "When you look at the past, you see the text of that moment. An entry stops a run only once; `r` restarts the run and the lesson. "
     "Lessons check a condition with a duration only at the next event."},
    {NULL, "--auto",
     "The lesson plays by itself. Each text stays as long as reading it takes, at `--wpm` words a minute. A question is followed by its "
     "answer. All keys work meanwhile; `space` continues at once."},
    {NULL, "demo",
     "`gmpscope demo` shows real runs with a text below them and presses the keys by itself: a steal, the way back, a comparison, a million Gs, "
     "a lost wake-up, a choice. Any key pauses and continues, `q` ends. `gmpscope lesson --tour` does the same."},
    {"TWO RUNS", NULL,
     "`gmpscope compare` shows two runs on one scenario clock: the side whose next event is earlier goes first. `s`, `n`, `b`, `B`, `g`, `G`, "
     "`space`, `-` and `+` act on both. A side that has ended or failed stays as it is while the other continues."},
    {NULL, "s, n", "A round ends when either side ends one. While one side only spins, that may take many thousands of events."},
    {NULL, ":break",
     "Stops both sides when either matches. A pattern that names a P never matches on a side with `go1.0`, which has no Ps."},
    {NULL, ":mark, :goto", "Move both sides. `:goto 50` goes to event 50 of the left one."},
    {NULL, "r, R, :seed", "Restart both."},
    {NULL, "enter", "Shows the details of the selection, on both sides."},
    {NULL, "w", "Shows both runs at the first events that differ. If the runs have not reached these, they continue until they do."},
    {NULL, "a", "Shows all counters in place of the conclusion, or the conclusion again. `--all` begins with the counters."},
    {NULL, NULL,
     "Keys and commands that need a single run are not available, and neither is `m`: two runs in `free` mode share no clock. The runs are "
     "side by side from 120x19 characters up, and one above the other from 60x35. If only one fits (60x19), `tab` shows the other. The rows "
     "below them belong to the conclusion first, then to the bars, to where the runs part, and to the counters that differ."},
};

static const struct guide of_patterns[] = {
    {"NOTES", NULL,
     "`xN` counts from the start of the run. If the N-th match is already in the past when a breakpoint is set, it fires only on replay. "
     "With `:until`, `xN` counts from the state on the screen."},
    {NULL, NULL,
     "The runtime's own Gs are called `Gs1`, `Gs2` on the screen and in patterns, as in `g_start g=gs1`; their ids are 1000001, 1000002 and so on. A "
     "condition on a duration, such as `when g7.runnable > 5ms`, matches in the nanosecond after that time, whether or not an event happens then."},
    {NULL, NULL,
     "In `free` mode too, the picture shows the state at the match. While a `when` breakpoint is set, each thread waits at its next step until the "
     "picture has caught up with it, so no thread is more than one step ahead. The events of those steps are listed as pending below "
     "the newest sentence, and `s` takes the next of them into the picture."},
};

static const struct guide of_go[] = {
    {"PROGRAMS", NULL,
     "A FILE may be a Go file, a folder with one package, or a file `x_test.go` with `--test NAME`. Words after `--` are the program's arguments: "
     "`gmpscope run main.go -- a b`. A front end reads the program; it is built once, by Go 1.19 or newer. Mistakes are reported as Go's compiler "
     "does."},
    {"WHICH GO", NULL,
     "Generation, module and boot are those of the Go that would build the program: its version, the `go` line of `go.mod` or else that version, and "
     "`fmt` if the program reaches package os, else `print`. The language is that of the `go` line or of that Go. `--generation`, `--module` and "
     "`--boot` change the scheduler's rules only. A run file keeps the program, its source and where each G is, so it is replayed where there is no Go; variables are not recorded."},
    {"OUTPUT AND EXIT CODES", NULL,
     "Without a screen, stdout and stderr have what the program writes there, and the texts of panics, deadlocks and fatal errors are Go's, with "
     "the program's own calls. Where Go exits with 2, the exit code is 3; a program that calls `os.Exit(n)` ends with n. With `--json`, "
     "`go_exit` is the exit code in Go. A Go file alone has claims for `check` and `explore`: main returns, or calls `os.Exit(0)`; no G leaks; "
     "nothing races."},
    {"TIME AND CHANCE", NULL,
     "Timers use the run's own clock, which passes quickly while nothing runs: a program that sleeps for an hour ends at once. `time.Now` begins on "
     "2009-11-10 at 23:00, as on the Go playground, and the only zone is UTC. A simple operation takes 1 ns."},
    {"INPUT AND ENVIRONMENT", NULL,
     "With `run --headless`, `os.Stdin` is standard input. In all other runs, and when a run file is replayed, it is empty. The environment begins empty, "
     "and no signal comes to a program."},
    {NULL, NULL,
     "Where Go is free, a run decides. In `lockstep` the seed does: which thread goes next, which case of a `select` is taken, at which entry a loop over a map "
     "begins, what `math/rand` draws. The same seed gives the same run; `explore` tries many. A loop over a map goes on in the order in which the entries were added; "
     "in Go, a map of more than eight entries has any order. Where the program reads a capacity that Go's compiler chooses, a note on stderr names the line."},
    {"THE SCREEN", NULL,
     "On a screen it starts in the layout `code`: its source, with a mark at the line of each G, and the variables of the G that is selected or that "
     "runs. The boot of the runtime is passed at once, and the run is paused at the first line of the program; `b` goes back into the boot. With `--boot`, "
     "`--lesson` or `--tempo max` it starts at its first event, as a scenario does. `:next line` runs on until that G is at another line. A place such as `main.go:12` is a pattern, so `--break main.go:12` and "
     "`:break main.go:12` stop there, and so does `:break 12` if the program has one file. After stepping back they stop again where a G is at that line between two events. `x` in the pane `program` sets and deletes such a breakpoint. Objects have the names of their variables, "
     "or of their types and fields: `jobs`, `account.mu`, and `account.mu#2` for the second one with this name."},
    {"WHAT IS NOT SUPPORTED", NULL,
     "It is refused before the run, with file, line and column, its name, and what to write instead: `complex` numbers, `unsafe`, cgo, `reflect`, "
     "assembly, and what the stubs below do not declare. Addresses that a program prints are not those of Go."},
    {NULL, NULL,
     "A program ends with a message if its values need more than `--memory` (1 GiB). There is no limit on its time without a screen; Ctrl-C ends it."},
};

static void write_guide(struct manual *m, const struct guide *g, size_t n)
{
    for (const struct guide *end = g + n; g < end; g++) {
        if (g->title)
            manual_section(m, g->title);
        else if (!g->term)
            manual_paragraph(m);
        if (g->term == example)
            manual_example(m, g->text);
        else if (g->term)
            manual_item(m, g->term, "%s", g->text);
        else
            manual_text(m, "%s", g->text);
    }
}

#define GUIDE(page) \
    void manual_guide_##page(struct manual *m) \
    { \
        write_guide(m, of_##page, sizeof of_##page / sizeof *of_##page); \
    }
GUIDE(gmpscope)
GUIDE(go)
GUIDE(keys)
GUIDE(patterns)
