/* Why a run failed, in one line: for reports of many runs, which count failures by kind. */
#include "base/hash.h"
#include "base/text.h"
#include "engine/engine.h"
#include <string.h>

enum { CLAUSES = 330 };

/* Returns the key of a text: its numbers count as one, because they vary from run to run. */
static uint64_t key_of(const char *text)
{
    char bare[1024];
    size_t n = 0;
    for (; *text && n < sizeof bare; text++) {
        bool digit = *text >= '0' && *text <= '9';
        if (!digit || !n || bare[n - 1] != '0')
            bare[n++] = digit ? '0' : *text;
    }
    return hash_bytes(bare, n);
}

/* A claim, and the Gs that are leaked: the same claim may fail for several reasons. */
static uint64_t why_claim(struct engine *e, char *buf, size_t size)
{
    char leaked[CLAUSES] = "";
    uint32_t i = expect_first_failed(e->expect);
    bool zh = e->cfg.lang == LANG_ZH;
    uint32_t races;
    const char *text = expect_why(e->expect, i), *between = zh ? "；泄漏：" : "; leaked: ";
    if (e->waits && waits_left(e->waits).leaked)
        waits_kind(e->waits, true, e->cfg.lang, leaked, sizeof leaked);
    if (scenario_info(e->cfg.scenario)->go_file && expect_is_about_leaks(e->expect, i)) {
        snprintf(buf, size, zh ? "泄漏：%s" : "leak: %s", leaked);
        return hash_bytes(leaked, strlen(leaked));
    }
    if (scenario_info(e->cfg.scenario)->go_file && expect_is_about_races(e->expect, i, &races) && e->races.found) {
        race_text(e->cfg.scenario, e->races.v, e->cfg.lang, buf, size);
        return race_kind(e->cfg.scenario, e->races.v);
    }
    const char *names = strstr(text, zh ? "：G" : ": G"); /* a claim about leaks names Gs, whose numbers differ from run to run */
    int len = *leaked && names && expect_is_about_leaks(e->expect, i) ? (int)(names - text) : (int)strcspn(text, "\n");
    snprintf(buf, size, "%.*s%s%s", len, text, *leaked ? between : "", leaked);
    return hash_bytes(leaked, strlen(leaked)) * 31 + i + 1;
}

/* A panic or another death in the words of Go, and at which line. */
static uint64_t why_died(struct engine *e, char *buf, size_t size)
{
    char at[200] = "";
    const char *prefix = e->how == ENDED_PANIC ? "panic: " : rt_generation_fatal(e->cfg.info.generation);
    const struct waits *w = e->fatal_g ? engine_waits(e) : NULL;
    if (w)
        waits_say_place(w, e->fatal_g, NAMES_PROGRAM, e->cfg.lang, at, sizeof at);
    snprintf(buf, size, "%s%.*s%s%s", strncmp(e->fatal, prefix, strlen(prefix)) ? prefix : "", (int)strcspn(e->fatal, "\n"), e->fatal,
             !*at                     ? ""
             : e->cfg.lang == LANG_ZH ? "："
                                      : ": ",
             at);
    return key_of(e->fatal) * 31 + hash_bytes(at, strlen(at));
}

uint64_t engine_why(struct engine *e, int code, char *buf, size_t size)
{
    char clauses[CLAUSES];
    bool zh = e->cfg.lang == LANG_ZH, dead = e->how == ENDED_DEADLOCK && !expect_this_end(e->expect, ENDED_DEADLOCK) && !engine_failed(e);
    const struct waits *w = dead ? engine_waits(e) : NULL;
    buf[0] = '\0';
    if (!code)
        return 0;
    if (w) {
        waits_kind(w, false, e->cfg.lang, clauses, sizeof clauses);
        snprintf(buf, size, zh ? "死锁：%s" : "deadlock: %s",
                 *clauses ? clauses
                 : zh     ? "没有 goroutine 了（main 调用了 runtime.Goexit）"
                          : "no goroutines (main called runtime.Goexit)");
        return hash_bytes(buf, strlen(buf));
    }
    if (e->how == ENDED_ENDLESS && !engine_failed(e)) {
        engine_endless(e, buf, size);
        return hash_bytes(buf, strlen(buf));
    }
    if ((e->how == ENDED_PANIC || e->how == ENDED_FATAL) && e->fatal[0] && !expect_this_end(e->expect, e->how) && !engine_failed(e))
        return why_died(e, buf, size);
    if (code == 1 && !expect_failed(e->expect) && engine_test_failed(e, buf, size))
        return hash_bytes(buf, strlen(buf));
    if (!engine_failed(e) && code == 1)
        return why_claim(e, buf, size);
    if (e->how == ENDED_EXIT && !engine_failed(e))
        snprintf(buf, size, zh ? "程序以 os.Exit(%d) 结束" : "the program ended by os.Exit(%d)", e->exit_code);
    else if (engine_failed(e))
        snprintf(buf, size, "%.*s", (int)strcspn(e->failure, "\n"), e->failure);
    else
        snprintf(buf, size, zh ? "运行的结束方式：%s%s%.300s" : "the run ended by %s%s%.300s", ev_word(FT_END_HOW, e->how),
                 !e->fatal[0] ? ""
                 : zh         ? "："
                              : ": ",
                 e->fatal);
    return key_of(buf);
}
