/* Events as lines and as sentences. */
#include "model/model.h"
#include "base/text.h"
#include "t.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const programs[] = {"main", "worker"};

static struct model *new_model(void)
{
    struct model *md = model_new(&(struct model_config){.runq_size = 4, .names = {.fn = programs, .nfn = 2}});
    CHECK(md);
    return md;
}

static struct ev make(int64_t time, int kind, uint32_t p, uint32_t g, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (struct ev){.time = time, .kind = (uint8_t)kind, .p = (uint16_t)p, .g = g, .a = a, .b = b, .c = c, .d = d};
}

static void line_is(int at, const char *want, const char *text, uint32_t m, struct ev e)
{
    struct model *md = new_model();
    char buf[400];
    int n = event_line(md, m, &e, text, text ? strlen(text) : 0, buf, sizeof buf);
    t_check_str(__FILE__, at, ev_desc[e.kind].name, buf, want);
    t_check_int(__FILE__, at, "length", n, (long long)strlen(want));
    model_free(md);
}
#define LINE(want, text, m, ...) line_is(__LINE__, want, text, m, make(__VA_ARGS__))

static void sentence_is(int at, int lang, const char *want, const char *text, uint32_t m, struct ev e)
{
    struct model *md = new_model();
    char buf[400];
    int n = event_sentence(md, m, &e, text, text ? strlen(text) : 0, lang, buf, sizeof buf);
    t_check_str(__FILE__, at, ev_desc[e.kind].name, buf, want);
    t_check_int(__FILE__, at, "length", n, (long long)strlen(want));
    model_free(md);
}
#define EN(want, text, m, ...) sentence_is(__LINE__, 0, want, text, m, make(__VA_ARGS__))
#define ZH(want, text, m, ...) sentence_is(__LINE__, 1, want, text, m, make(__VA_ARGS__))

#define NOP EV_NO_P

TEST(lines)
{
    /* the contract's example begins so */
    LINE("1200 M2 P0 steal thief=0 victim=1 n=3 runnext=0 head=7 g=9", NULL, 2, 1200, EV_STEAL, 0, 9, 1, 3 << 1, 7, 4);
    LINE("0 M0 P0 go_create g=2 by=1 fn=worker i=5", NULL, 0, 0, EV_G_CREATE, 0, 2, 1, 1, 5, 0);
    LINE("0 M0 P0 go_create g=2 by=1 fn=7 i=5", NULL, 0, 0, EV_G_CREATE, 0, 2, 1, 7, 5, 0);
    LINE("5 M1 P3 g_start g=2 inherit=1", NULL, 1, 5, EV_G_START, 3, 2, 99, 1, 0, 0);
    LINE("5 M1 P3 g_park g=2 reason=chan_receive obj=4", NULL, 1, 5, EV_G_PARK, 3, 2, 99, WAIT_REASON_CHAN_RECEIVE, 4, 0);
    LINE("5 M1 P3 g_park g=2 reason=200 obj=4", NULL, 1, 5, EV_G_PARK, 3, 2, 99, 200, 4, 0);
    LINE("5 M1 g_end g=2 fn=main", NULL, 1, 5, EV_G_END, NOP, 2, 99, 0, 0, 0);
    LINE("5 M1 m_park", NULL, 1, 5, EV_M_PARK, NOP, 0, 99, 0, 0, 0);
    LINE("5 M0 m_start spinning=0 by=- sysmon=0 template=0", NULL, 0, 5, EV_M_START, NOP, 0, 0, EV_NONE, 0, 0);
    LINE("5 M0 P1 m_wake m=3 by=0 spinning=1 for=2", NULL, 0, 5, EV_M_WAKE, 1, 0, 3, 99, 1, 2);
    LINE("5 M0 P1 m_wake m=3 by=0 spinning=1 for=-", NULL, 0, 5, EV_M_WAKE, 1, 0, 3, 99, 1, NOP);
    LINE("5 M0 P0 globq_put n=3 head_or_tail=head", NULL, 0, 5, EV_GLOBQ_PUT, 0, 0, 3, QUEUE_HEAD, 99, 0);
    LINE("5 M0 P0 globq_get n=3 why=tick61 g=8", NULL, 0, 5, EV_GLOBQ_GET, 0, 8, 3, GLOBQ_TICK61, 99, 0);
    LINE("-5 M0 netpoll_wait delay=-1", NULL, 0, -5, EV_NETPOLL_WAIT, NOP, 0, 0, 0, UINT32_MAX, UINT32_MAX);
    LINE("70 M0 P1 timer_fire when=60 late=10 heap=2 what=wake g=4", NULL, 0, 70, EV_TIMER_FIRE, 1, 4, 99, 2, 60, 0);
    LINE("5 M0 stw_end", NULL, 0, 5, EV_STW_END, NOP, 0, 0, 0, 0, 0);
    LINE("5 M0 procresize old=0 new=4", NULL, 0, 5, EV_PROCRESIZE, NOP, 0, 0, 4, 0, 0);
    LINE("5 M0 P0 runq_put g=3 slot=4294967295", NULL, 0, 5, EV_RUNQ_PUT, 0, 3, UINT32_MAX, 0, 0, 0);
}

TEST(a_line_stays_a_line)
{
    LINE("5 M0 P0 print g=1 text=\"a \\\"b\\\" \\\\ c\\n\\t\\r\"", "a \"b\" \\ c\n\t\r", 0, 5, EV_PRINT, 0, 1, 1, 0, 0, 0);
    LINE("5 M0 P0 print g=1 text=\"\\x01\\x1b[31m\\x7f\"", "\x01\x1b[31m\x7f", 0, 5, EV_PRINT, 0, 1, 1, 0, 0, 0);
    LINE("5 M0 P0 print g=1 text=\"\\xff\\xe4\\xb8\"", "\xff\xe4\xb8", 0, 5, EV_PRINT, 0, 1, 1, 0, 0, 0);
    LINE("5 M0 P0 print g=1 text=\"你好\"", "你好", 0, 5, EV_PRINT, 0, 1, 1, 0, 0, 0);
    LINE("5 M0 P0 print g=1 text=\"\"", NULL, 0, 5, EV_PRINT, 0, 1, 1, 0, 0, 0);
    LINE("5 M0 P0 fatal g=1 text=\"boom\" kind=panic", "boom", 0, 5, EV_FATAL, 0, 1, 0, FATAL_PANIC, 0, 0);
}

TEST(a_line_without_a_model)
{
    struct ev e = make(1, EV_G_CREATE, 0, 2, 1, 1, 5, 0);
    char buf[100];
    event_line(NULL, 0, &e, NULL, 0, buf, sizeof buf);
    CHECK_STR(buf, "1 M0 P0 go_create g=2 by=1 fn=1 i=5");
}

/* snprintf's rules: what fits is written and terminated, the length is that of the whole; no character is cut in
 * two. */
TEST(short_buffers)
{
    struct ev e = make(5, EV_PRINT, 0, 1, 1, 0, 0, 0);
    const char *text = "你好";
    const char *whole = "5 M0 P0 print g=1 text=\"你好\"";
    for (size_t size = 0; size <= strlen(whole) + 2; size++) {
        char buf[64];
        memset(buf, 'x', sizeof buf);
        CHECK_INT(event_line(NULL, 0, &e, text, strlen(text), buf, size), strlen(whole));
        CHECK(buf[size] == 'x');
        if (size == 0)
            continue;
        size_t n = strlen(buf);
        CHECK(n < size && strncmp(buf, whole, n) == 0);
        CHECK((whole[n] & 0xc0) != 0x80);           /* it ends between characters … */
        CHECK(n + 3 >= size || n == strlen(whole)); /* … and no earlier than it must */
    }
}

TEST(sentences)
{
    EN("M2 steals 3 Gs from P1 for P0 and holds G9.", NULL, 2, 1200, EV_STEAL, 0, 9, 1, 3 << 1, 7, 4);
    ZH("M2 为 P0 从 P1 偷走 3 个 G，手里拿着 G9。", NULL, 2, 1200, EV_STEAL, 0, 9, 1, 3 << 1, 7, 4);
    EN("G1 starts G2 (worker).", NULL, 0, 0, EV_G_CREATE, 0, 2, 1, 1, 5, 0);
    EN("The runtime starts G1 (main).", NULL, 0, 0, EV_G_CREATE, 0, 1, 0, 0, 0, 0);
    ZH("运行时创建 G1（main）。", NULL, 0, 0, EV_G_CREATE, 0, 1, 0, 0, 0, 0);
    EN("G2 waits to receive from channel 4.", NULL, 1, 5, EV_G_PARK, 3, 2, 99, WAIT_REASON_CHAN_RECEIVE, 4, 0);
    EN("M0 wakes M3 for P2.", NULL, 0, 5, EV_M_WAKE, 1, 0, 3, 99, 1, 2);
    EN("M0 takes P1.", NULL, 0, 5, EV_P_ACQUIRE, 1, 0, 3, 0, 0, 0);
    EN("M0 takes 2 Gs from the global queue, G8 first (its P's own queue is empty).", NULL, 0, 5, EV_GLOBQ_GET, NOP, 8, 2, GLOBQ_BATCH, 99,
       0);
    EN("M1 waits in the poller for at most 1.5 ms.", NULL, 1, 5, EV_NETPOLL_WAIT, NOP, 0, 0, 0, 1500000, 0);
    EN("M1 waits in the poller, with no timer to end the wait.", NULL, 1, 5, EV_NETPOLL_WAIT, NOP, 0, 0, 0, UINT32_MAX, UINT32_MAX);
    EN("M1 rechecks all queues: a G waits, and there is an idle P for it.", NULL, 1, 5, EV_RECHECK, 0, 0, RECHECK_RUNQS, 1, 0, 0);
    ZH("M1 复查所有队列：没有可由空闲 P 运行的 G。", NULL, 1, 5, EV_RECHECK, 0, 0, RECHECK_RUNQS, 0, 0, 0);
    EN("G1 prints \"a\\nb\".", "a\nb", 0, 5, EV_PRINT, 0, 1, 1, 0, 0, 0);
    EN("fatal error: all goroutines are asleep", "all goroutines are asleep", 0, 5, EV_FATAL, 0, 1, 0, FATAL_FATAL, 0, 0);
    EN("panic: boom", "boom", 0, 5, EV_FATAL, 0, 1, 0, FATAL_PANIC, 0, 0);
    ZH("panic: boom（程序中止）", "boom", 0, 5, EV_FATAL, 0, 1, 0, FATAL_PANIC, 0, 0);
    EN("The program ends: deadlock.", NULL, 0, 5, EV_PROGRAM_END, 0, 0, ENDED_DEADLOCK, 1, 0, 0);
}

/* Numbers and the words after them agree: one G, several Gs. */
TEST(one_thing_has_no_plural)
{
    EN("M1 checks P0's queue: 1 G (pass 2 of 4).", NULL, 1, 5, EV_STEAL_TRY, 0, 0, 0, 2, 1, 0);
    EN("M1 checks P0's queue: 0 Gs (pass 2 of 4).", NULL, 1, 5, EV_STEAL_TRY, 0, 0, 0, 2, 0, 0);
    ZH("M1 查看 P0：1 个 G（第 2/4 轮）。", NULL, 1, 5, EV_STEAL_TRY, 0, 0, 0, 2, 1, 0);
    EN("M1 checks the network: 1 G waits for it.", NULL, 1, 5, EV_FIND_STAGE, 0, 0, FIND_NETPOLL, 1, 0, 0);
    EN("M1 checks the network: 3 Gs wait for it.", NULL, 1, 5, EV_FIND_STAGE, 0, 0, FIND_NETPOLL, 3, 0, 0);
    EN("M1 checks the global queue, which has 1 G.", NULL, 1, 5, EV_FIND_STAGE, 0, 0, FIND_GLOBAL, 0, 1, 0);
}

/* spin_stop has two meanings: an M that spun stops, or a wakep() found no idle P and takes its count back. */
TEST(a_wake_up_that_is_given_back_is_no_spinning)
{
    EN("M0 wants one more M to search for work: a new G.", NULL, 0, 5, EV_WAKEP, 0, 0, WAKEP_NEW_G, 9, 0, 0);
    EN("M0 finds no idle P, so it wakes no thread.", NULL, 0, 5, EV_SPIN_STOP, 0, 0, 0, 9, SPIN_STOP_NO_IDLE_P, 0);
    ZH("M0 没有找到空闲的 P，不唤醒任何线程。", NULL, 0, 5, EV_SPIN_STOP, 0, 0, 0, 9, SPIN_STOP_NO_IDLE_P, 0);
    EN("M2 stops spinning: it found work (1 left).", NULL, 2, 5, EV_SPIN_STOP, 0, 0, 1, 9, SPIN_STOP_FOUND_WORK, 0);
}

/* go1.0 has no Ps, so its sentences mention none. Where a version with Ps does something without a P, the sentence
 * says so. */
TEST(where_there_is_no_p_none_is_mentioned)
{
    EN("M0 runs G1.", NULL, 0, 5, EV_G_START, NOP, 1, 2, 0, 0, 0);
    ZH("M0 运行 G1。", NULL, 0, 5, EV_G_START, NOP, 1, 2, 0, 0, 0);
    EN("M0 runs G1 on P3.", NULL, 0, 5, EV_G_START, 3, 1, 2, 0, 0, 0);
    ZH("G1 进入系统调用。", NULL, 0, 5, EV_SYSCALL_ENTER, NOP, 1, 2, 0, CALL_SYSCALL, 0);
    EN("M0 wakes M3.", NULL, 0, 5, EV_M_WAKE, NOP, 0, 3, 99, 1, NOP);
    EN("A timer for G1 goes onto a heap.", NULL, 0, 5, EV_TIMER_ADD, NOP, 1, 9, 0, 60, 0);
    EN("The timer of G4 is due (10 ns late).", NULL, 0, 70, EV_TIMER_FIRE, NOP, 4, 99, NOP, 60, 0);
    ZH("G4 的定时器在 P2 上到期（迟 10 ns）。", NULL, 0, 70, EV_TIMER_FIRE, 1, 4, 99, 2, 60, 0);
}

/* The generation matters too: 1.4 picks its victims at random and has no passes, and the Go function is that version's. */
TEST(sentences_and_functions_of_a_generation)
{
    struct model_config cfg = {.runq_size = 4};
    struct ev e = make(5, EV_STEAL_TRY, 0, 0, 1, 3, 5, 0);
    char buf[200];
    for (cfg.generation = 0; cfg.generation < 4; cfg.generation++) {
        if (cfg.generation == GO1_0) /* it has no thieves */
            continue;
        bool old = cfg.generation == GO1_4;
        struct model *md = model_new(&cfg);
        event_sentence(md, 2, &e, NULL, 0, 0, buf, sizeof buf);
        CHECK_STR(buf, old ? "M2 checks P1's queue, chosen at random: 5 Gs (try 3 of 2×GOMAXPROCS)."
                           : "M2 checks P1's queue: 5 Gs (pass 3 of 4).");
        CHECK_STR(event_go(md, &e), old || cfg.generation == GO1_13 ? "findrunnable" : "stealWork");
        model_free(md);
    }
}

/* Each template of the table names only fields that its event has: nothing in braces is left over. */
TEST(all_templates_are_filled)
{
    struct model *md = new_model();
    for (int kind = 0; kind < EV_KINDS; kind++)
        for (int i = 0; i < 4; i++) {
            int lang = i % 2;
            uint32_t p = i < 2 ? 0 : NOP;
            struct ev e = make(1000, kind, p, 1, 1, p, 0, p);
            char buf[300];
            event_sentence(md, 0, &e, "text", 4, lang, buf, sizeof buf);
            if (strpbrk(buf, "{}") || !buf[0])
                t_fail(__FILE__, __LINE__, "%s: %s", ev_desc[kind].name, buf);
        }
    model_free(md);
}

/* waitReasonStrings of the version: a wait for a mutex has a reason of its own since 1.20, one for a Cond since 1.6. */
TEST(reasons_of_the_version)
{
    CHECK_STR(ev_go_reason(WAIT_REASON_SEMACQUIRE, 1, 1u << GO1_24), "sync.WaitGroup.Wait");
    CHECK_STR(ev_go_reason(WAIT_REASON_SEMACQUIRE, 0, 1u << GO1_24), "semacquire"); /* the runtime's own */
    CHECK_STR(ev_go_reason(WAIT_REASON_SEMACQUIRE, 1, 1u << GO1_23), "semacquire");
    CHECK_STR(ev_go_reason(WAIT_REASON_MUTEX_LOCK, 0, 1u << GO1_20), "sync.Mutex.Lock");
    CHECK_STR(ev_go_reason(WAIT_REASON_MUTEX_LOCK, 0, 1u << GO1_13), "semacquire");
    CHECK_STR(ev_go_reason(WAIT_REASON_COND_WAIT, 0, 1u << GO1_13), "sync.Cond.Wait");
    CHECK_STR(ev_go_reason(WAIT_REASON_COND_WAIT, 0, 1u << GO1_4), "semacquire");
    CHECK_STR(ev_go_reason(WAIT_REASON_IO_WAIT, 0, 1u << GO1_4), "IO wait");
    CHECK_STR(ev_go_reason(WAIT_REASON_IO_WAIT, 0, 1u << GO1_0), "chan receive");
}

/* A program's listing asks for the position of each line. */
TEST(a_stream_into_memory)
{
    char *text;
    size_t len;
    FILE *f = text_open(&text, &len);
    CHECK(f);
    for (int i = 0; i < 10000; i++) {
        CHECK_INT(ftell(f), 5 * i);
        fprintf(f, "%04d\n", i);
    }
    CHECK(text_close(f));
    CHECK_INT(len, 50000);
    CHECK_INT(strlen(text), 50000);
    CHECK_STR(text + 49990, "9998\n9999\n");
    free(text);
}

/* The formats in two languages of claims, waits and searches. */
static const struct text formats[] = {
#define SAY(id, ...) {{__VA_ARGS__}},
#include "cli/search_texts.def"
#include "model/report/report_texts.def"
#include "model/waits_texts.def"
#include "scenario/claim_texts.def"
#undef SAY
};

/* Writes the types of the values that a format takes, in order: "s", "lu" … */
static void values_of(const char *format, char *out, size_t size)
{
    size_t n = 0;
    for (const char *p = format; (p = strchr(p, '%')) && n + 4 < size; p++) {
        p += 1 + strspn(p + 1, "0123456789.-");
        for (; strchr("lzhj", *p); p++)
            out[n++] = *p;
        out[n++] = *p;
        out[n++] = ' ';
    }
    out[n] = '\0';
}

TEST(both_languages_take_the_same_values)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char en[200], zh[200];
        values_of(formats[i].in[LANG_EN], en, sizeof en);
        values_of(formats[i].in[LANG_ZH], zh, sizeof zh);
        if (strcmp(en, zh) != 0)
            t_fail(__FILE__, __LINE__, "%s: %s, but %s", formats[i].in[LANG_EN], en, zh);
    }
}
