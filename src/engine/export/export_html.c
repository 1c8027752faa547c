/* One page with the run in it, which plays in any browser and needs no network.
 *
 * The page itself is page/ (page.html, page.css, *.js), put together when gmpscope is built. Here the run is written into it: events and the
 * changes of the state (page_state.h) as varints in base64; then the texts they name, as JSON. The page puts the changes in, one event after another,
 * and knows no rule of the scheduler. So it cannot show another state than the model.
 *
 * An event is: how much its number is higher, its sentence, its time since the one before (zigzag), its M and its P plus 1, the numbers of its
 * sentence, the number of changes, the changes. Before the first event: its number minus 1, a time, and the changes to the state before it.
 *
 * Texts of a run come from strangers. They are in a block that browsers do not run, where "<" is written as an escape, and the page shows them as
 * text only. Its security policy allows no script but its own, by its hash, and no network. */
#include "engine/export/export.h"
#include "engine/export/page.h"
#include "engine/export/page_lesson.h"
#include "engine/export/page_state.h"
#include "engine/export/page_words.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ROW = 57 * 16 };

struct html {
    struct page_state state;
    struct page_words texts, sentences;
    struct page_sentence sentence;
    struct export_buf bytes;
    uint64_t last;
    int64_t time;
    bool based;
};

/* ---- the bytes ---- */

static void put_base64(struct exporter *x, const uint8_t *v, size_t n)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        uint32_t three = (uint32_t)v[i] << 16 | (i + 1 < n ? (uint32_t)v[i + 1] << 8 : 0) | (i + 2 < n ? v[i + 2] : 0);
        const char four[4] = {letters[three >> 18], letters[three >> 12 & 63], i + 1 < n ? letters[three >> 6 & 63] : '=',
                              i + 2 < n ? letters[three & 63] : '='};
        export_bytes(x, four, sizeof four);
    }
    export_bytes(x, "\n", 1);
}

/* Writes the bytes that fill rows; all: every one. */
static void flush(struct exporter *x, bool all)
{
    struct html *h = x->state;
    size_t from = 0;
    for (; h->bytes.n - from >= ROW; from += ROW)
        put_base64(x, h->bytes.v + from, ROW);
    if (all && from < h->bytes.n) {
        put_base64(x, h->bytes.v + from, h->bytes.n - from);
        from = h->bytes.n;
    }
    if (from)
        memmove(h->bytes.v, h->bytes.v + from, h->bytes.n - from);
    h->bytes.n -= from;
}

static bool put(struct html *h, uint64_t n)
{
    return export_varint(&h->bytes, n);
}

static bool put_signed(struct html *h, int64_t n)
{
    return put(h, (uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}

static bool put_changes(struct html *h)
{
    bool good = put(h, h->state.nops) && export_append(&h->bytes, h->state.ops.v, h->state.ops.n);
    page_state_written(&h->state);
    return good;
}

/* ---- the page ---- */

static void put_escaped(struct exporter *x, const char *text)
{
    char shown[VISIBLE_BYTES];
    size_t len = strlen(text), n;
    for (size_t i = 0; i < len; i += n) {
        size_t bytes = visible_next(text, i, len, &n, shown);
        if (bytes == 1 && strchr("<>&\"'", shown[0]))
            export_print(x, "&#%d;", shown[0]);
        else
            export_bytes(x, shown, bytes);
    }
}

static bool begin(struct exporter *x)
{
    struct html *h = x->state;
    const char *title = text_in(&x->info->title, LANG_EN);
    export_bytes(x, page_head, page_head_size);
    put_escaped(x, title && *title ? title : x->info->name);
    export_bytes(x, page_body, page_body_size);
    h->state.info = x->info;
    h->state.texts = &h->texts;
    return true;
}

/* Writes the state before the first event. */
static bool put_base(struct html *h, uint64_t number, int64_t time)
{
    h->based = true;
    h->last = number;
    h->time = time;
    return put(h, number) && put_signed(h, time) && put_changes(h);
}

/* An event before the range, or one that the pattern leaves out. Its changes belong to the next one that is written. */
static bool passes(struct exporter *x, const struct merged_event *at)
{
    struct html *h = x->state;
    h->state.info = x->info;
    h->state.texts = &h->texts;
    if (!page_state_event(&h->state, at))
        return false;
    h->last = h->based ? h->last : at->number;
    h->time = h->based ? h->time : at->e->time;
    return true;
}

static bool event(struct exporter *x, const struct merged_event *at)
{
    struct html *h = x->state;
    if (!h->based && !put_base(h, at->number - 1, h->last ? h->time : at->e->time))
        return false;
    page_sentence(&h->sentence, at);
    uint32_t sentence = page_word(&h->sentences, h->sentence.text, h->sentence.len);
    bool good = sentence != PAGE_NO_WORD && page_state_event(&h->state, at) && put(h, at->number - h->last) && put(h, sentence) &&
                put_signed(h, at->e->time - h->time) && put(h, at->m == EV_NONE ? 0 : at->m + UINT64_C(1)) &&
                put(h, at->e->p == EV_NO_P ? 0 : at->e->p + UINT64_C(1));
    for (uint32_t i = 0; i < h->sentence.n; i++)
        good = good && put(h, h->sentence.number[i]);
    h->last = at->number;
    h->time = at->e->time;
    good = good && put_changes(h);
    if (good)
        flush(x, false);
    return good;
}

/* ---- the texts ---- */

static void put_text(const struct text *t, FILE *out)
{
    for (int lang = 0; lang < LANGS; lang++) {
        const char *text = t->in[LANG_EN] ? text_in(t, (enum lang)lang) : "";
        fputs(lang ? "," : "[", out);
        json_string(text, out);
    }
    fputc(']', out);
}

static void put_run(struct exporter *x, FILE *out)
{
    const struct run_info *i = x->info;
    fputs("\"run\":{\"name\":", out);
    json_string(i->name, out);
    fputs(",\"title\":", out);
    put_text(&i->title, out);
    fputs(",\"summary\":", out);
    put_text(&i->summary, out);
    fprintf(out, ",\"generation\":\"%s\",\"mode\":\"%s\",\"seed\":\"%" PRIu64 "\",\"procs\":%" PRIu32 ",\"ring\":%" PRIu32 ",\"hasP\":%s",
            generation_name[i->generation], mode_name[i->mode], i->seed, i->procs, i->runq_size, i->has_p ? "true" : "false");
    fprintf(out, ",\"systemG\":%u,\"systemGs\":%u}", EV_SYSTEM_G, EV_SYSTEM_GS);
}

static void put_program(const struct program_text *t, FILE *out)
{
    fputs(",\"program\":[", out);
    for (uint32_t i = 0; t && i < t->nlines; i++) {
        fputs(i ? "," : "", out);
        json_string(t->line[i], out);
    }
    fputc(']', out);
}

static void put_kinds(FILE *out)
{
    fputs(",\"kinds\":{", out);
    for (int i = 0; i < EV_KINDS; i++) {
        fprintf(out, "%s\"%s\":{\"detail\":%d,\"round\":%d,\"weight\":%d,\"meaning\":", i ? "," : "", ev_desc[i].name,
                ev_desc[i].level == EV_DETAIL, ev_ends_round(i), ev_weight(i));
        json_string(ev_desc[i].meaning, out);
        fputc('}', out);
    }
    fputc('}', out);
}

static void put_tables(struct exporter *x, FILE *out)
{
    struct html *h = x->state;
    fputc('{', out);
    put_run(x, out);
    put_program(x->info->program, out);
    put_kinds(out);
    fputc(',', out);
    page_state_names(out);
    fputs(",\n\"lesson\":", out);
    if (x->lesson)
        page_lesson_json(x->lesson, out);
    else
        fputs("[]", out);
    fputs(",\n\"texts\":[", out);
    for (size_t i = 0; i < h->texts.word.n; i++) {
        fputs(i ? ",\n" : "", out);
        json_string(h->texts.word.v[i].text, out);
    }
    fprintf(out, "],\n\"events\":%" PRIu64 ",\n\"sentences\":[", x->events);
    for (size_t i = 0; i < h->sentences.word.n; i++) {
        fputs(i ? ",\n" : "", out);
        page_sentence_json(&h->sentences.word.v[i], out);
    }
    fputs("]}", out);
}

/* Inside of the block, "<" could begin the end of the block. In JSON it is only in texts, where an escape means the same. */
static void put_json(struct exporter *x, const char *json, size_t len)
{
    for (size_t i = 0, n; i < len; i += n) {
        const char *less = memchr(json + i, '<', len - i);
        n = less ? (size_t)(less - json) - i : len - i;
        export_bytes(x, json + i, n);
        if (less) {
            export_bytes(x, "\\u003c", 6);
            n++;
        }
    }
}

static bool end(struct exporter *x)
{
    struct html *h = x->state;
    char *json = NULL;
    size_t len;
    if (!h->based && !put_base(h, h->last, h->time))
        return false;
    flush(x, true);
    export_bytes(x, page_tables, page_tables_size);
    FILE *out = text_open(&json, &len);
    if (out)
        put_tables(x, out);
    bool good = out && text_close(out) && json;
    if (good)
        put_json(x, json, len);
    free(json);
    export_bytes(x, page_foot, page_foot_size);
    return good;
}

static void fini(struct exporter *x)
{
    struct html *h = x->state;
    page_state_fini(&h->state);
    page_words_fini(&h->texts);
    page_words_fini(&h->sentences);
    free(h->bytes.v);
}

const struct export_ops export_html = {
    .name = "html",
    .what = {{"one page that plays in a browser, without a network", "一个可在浏览器中播放的网页，不需要网络"}},
    .state = sizeof(struct html),
    .places = true,
    .lessons = true,
    .begin = begin,
    .passes = passes,
    .event = event,
    .end = end,
    .fini = fini};
