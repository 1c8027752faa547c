/* Data races in words, as JSON, and as a recording keeps them. */
#include "base/hash.h"
#include "engine/races.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SITE_TEXT = 160 };

/* "line 9" of a scenario, "main.go:9" of a Go program. */
static const char *site_text(const struct scenario_site *at, enum lang lang, char buf[SITE_TEXT])
{
    if (at->file)
        snprintf(buf, SITE_TEXT, "%s:%u", at->file, at->line);
    else
        snprintf(buf, SITE_TEXT, lang == LANG_ZH ? "第 %u 行" : "line %u", at->line);
    return buf;
}

/* Writes "G2 (worker) writes it at line 9". */
static void access_text(const struct scenario *sc, const struct race_access *a, enum lang lang, char *buf, size_t size)
{
    static const struct text does[] = {{{"reads", "读"}}, {{"writes", "写"}}};
    const struct model_names *names = &scenario_info(sc)->programs;
    const char *label = ev_system_label(a->fn), *fn = a->fn < names->nfn ? names->fn[a->fn] : label ? label : "?";
    struct scenario_site site = {0};
    char g[EV_G_NAME], at[SITE_TEXT];
    scenario_site(sc, a->op, &site);
    ev_g_name(a->g, g);
    site_text(&site, lang, at);
    if (lang == LANG_ZH)
        snprintf(buf, size, site.file ? "%s（%s）在 %s %s它" : "%s（%s）在%s%s它", g, fn, at, text_in(&does[a->write], lang));
    else
        snprintf(buf, size, "%s (%s) %s it at %s", g, fn, text_in(&does[a->write], lang), at);
}

/* The variable as the program writes it where it is first, whichever access came first; a call of the library has no name for it. */
static const char *variable_of(const struct scenario *sc, const struct race *r)
{
    bool in_order = r->first.op < r->second.op;
    uint32_t low = in_order ? r->first.op : r->second.op, high = in_order ? r->second.op : r->first.op;
    const char *name = scenario_shared_name(sc, r->variable, low);
    return strcmp(name, SCENARIO_NAMELESS) ? name : scenario_shared_name(sc, r->variable, high);
}

uint64_t race_kind(const struct scenario *sc, const struct race *r)
{
    const char *name = variable_of(sc, r);
    bool in_order = r->first.fn < r->second.fn;
    uint64_t low = in_order ? r->first.fn : r->second.fn, high = in_order ? r->second.fn : r->first.fn;
    return (hash_bytes(name, strlen(name)) * 31 + low) * 31 + high;
}

void race_text(const struct scenario *sc, const struct race *r, enum lang lang, char *buf, size_t size)
{
    char first[240], second[240], g[EV_G_NAME], site[SITE_TEXT];
    struct scenario_site at;
    bool zh = lang == LANG_ZH;
    const char *name = variable_of(sc, r);
    access_text(sc, &r->first, lang, first, sizeof first);
    access_text(sc, &r->second, lang, second, sizeof second);
    int n = snprintf(buf, size, zh ? "%s 上有数据竞争：%s，%s" : "data race on %s: %s, and %s", name, first, second);
    if (n < 0 || (size_t)n >= size || !r->since_g || !scenario_site(sc, r->since_op, &at))
        return;
    ev_g_name(r->since_g, g);
    site_text(&at, lang, site);
    if (at.file) {
        snprintf(buf + n, size - (size_t)n, zh ? "；在 %s 执行 %s 之后，两者没有先后关系" : "; after %s's %s, nothing orders the two", g,
                 site);
        return;
    }
    const char *space = *at.what ? " " : "";
    if (zh)
        snprintf(buf + n, size - (size_t)n, "；在 %s 执行%s的 %s%s%s 之后，两者没有先后关系", g, site, at.verb, space, at.what);
    else
        snprintf(buf + n, size - (size_t)n, "; after %s's \"%s%s%s\" at %s, nothing orders the two", g, at.verb, space, at.what, site);
}

void races_say(const struct races *r, uint32_t from, const struct scenario *sc, enum lang lang, const char *before, FILE *out)
{
    char text[RACE_TEXT];
    for (uint32_t i = from; i < r->found; i++) {
        race_text(sc, &r->v[i], lang, text, sizeof text);
        visible_line(out, "%s%s", before, text);
    }
    if (r->too_many)
        fprintf(out,
                lang == LANG_ZH ? "%s同时存活的 goroutine 超过 %d 个：其余的没有检查数据竞争\n"
                                : "%smore than %d goroutines were alive at once: the others were not checked for data races\n",
                before, RACES_GS);
}

void races_lines(const struct races *r, const struct scenario *sc, enum lang lang, char *buf, size_t size)
{
    bool zh = lang == LANG_ZH;
    size_t n = 0;
    *buf = '\0';
    for (uint32_t i = 0; i < r->found; i++) {
        char text[160];
        struct scenario_site a = {0}, b = {0};
        scenario_site(sc, r->v[i].first.op, &a);
        scenario_site(sc, r->v[i].second.op, &b);
        bool later = a.line > b.line || (a.file && strcmp(a.file, b.file) > 0);
        const struct scenario_site *low = later ? &b : &a, *high = later ? &a : &b;
        const char *name = variable_of(sc, &r->v[i]);
        char one[SITE_TEXT], two[SITE_TEXT];
        site_text(low, lang, one);
        site_text(high, lang, two);
        int written;
        if (strcmp(one, two) == 0)
            written = snprintf(text, sizeof text, zh ? "%s：%s（两个 goroutine）\t" : "%s: %s in two goroutines\t", name, one);
        else if (a.file)
            written = snprintf(text, sizeof text, zh ? "%s：%s 与 %s\t" : "%s: %s and %s\t", name, one, two);
        else
            written = snprintf(text, sizeof text, zh ? "%s：第 %u 行与第 %u 行\t" : "%s: lines %u and %u\t", name, low->line, high->line);
        if (written < 0 || (size_t)written >= sizeof text || strstr(buf, text))
            continue;
        written = snprintf(buf + n, size - n, "%s%" PRIu64 " %" PRIu32 "\n", text, r->v[i].event + r->by_place, r->v[i].second.g);
        if (written < 0 || (size_t)written >= size - n)
            buf[n] = '\0';
        else
            n += (size_t)written;
    }
}

static void access_json(const struct scenario *sc, const struct race_access *a, FILE *out)
{
    const struct model_names *names = &scenario_info(sc)->programs;
    struct scenario_site site = {0};
    scenario_site(sc, a->op, &site);
    fprintf(out, "{\"g\":%u,\"fn\":", a->g);
    json_string(a->fn < names->nfn ? names->fn[a->fn] : "", out);
    if (site.file) {
        fputs(",\"file\":", out);
        json_string(site.file, out);
    }
    fprintf(out, ",\"access\":\"%s\",\"line\":%u,\"col\":%u}", a->write ? "write" : "read", site.line, site.col);
}

void races_json(const struct races *r, const struct scenario *sc, FILE *out)
{
    fputs("\"races\":[", out);
    for (uint32_t i = 0; i < r->found; i++) {
        const struct race *v = &r->v[i];
        struct scenario_site since;
        fputs(i ? ",{\"variable\":" : "{\"variable\":", out);
        json_string(variable_of(sc, v), out);
        fputs(",\"first\":", out);
        access_json(sc, &v->first, out);
        fputs(",\"second\":", out);
        access_json(sc, &v->second, out);
        if (v->since_g && scenario_site(sc, v->since_op, &since))
            fprintf(out, ",\"since\":{\"g\":%u,\"operation\":\"%s\",\"line\":%u}", v->since_g, since.verb, since.line);
        fprintf(out, ",\"event\":%" PRIu64 "}", v->event);
    }
    fputc(']', out);
}

/* ---- in a recording: a line of numbers for each ------------------------------------------------------------------------ */

void races_write(const struct races *r, FILE *out)
{
    for (uint32_t i = 0; i < r->found; i++) {
        const struct race *v = &r->v[i];
        fprintf(out, "%u %u %u %u %d %u %u %u %d %u %u %" PRIu64 "\n", v->variable, v->first.g, v->first.fn, v->first.op, v->first.write,
                v->second.g, v->second.fn, v->second.op, v->second.write, v->since_g, v->since_op, v->event);
    }
}

bool races_read(struct races *r, const char *text)
{
    enum { FIGURES = 12 };
    for (; *text && r->known < RACES_KEPT; text += strcspn(text, "\n"), text += *text == '\n') {
        uint64_t n[FIGURES] = {0};
        const char *at = text;
        for (int i = 0; i < FIGURES; i++) {
            char *end;
            n[i] = strtoull(at, &end, 10);
            at = end;
        }
        struct race *v = realloc(r->v, (r->known + 1) * sizeof *v);
        if (!v)
            return false;
        r->v = v;
        v[r->known++] = (struct race){
            .variable = (uint32_t)n[0],
            .first = {.g = (uint32_t)n[1], .fn = (uint32_t)n[2], .op = (uint32_t)n[3], .write = n[4] != 0},
            .second = {.g = (uint32_t)n[5], .fn = (uint32_t)n[6], .op = (uint32_t)n[7], .write = n[8] != 0},
            .since_g = (uint32_t)n[9],
            .since_op = (uint32_t)n[10],
            .event = n[11]};
    }
    return true;
}

uint32_t races_until(const struct races *r, uint64_t event)
{
    uint32_t n = 0;
    while (n < r->found && r->v[n].event < event)
        n++;
    return n;
}

static bool reveal(struct races *r, uint64_t event)
{
    while (r->found < r->known && r->v[r->found].event <= event)
        r->found++;
    return true;
}

static bool reveal_event(void *ctx, const struct merged_event *at)
{
    return reveal(ctx, at->number);
}

struct reader races_known_reader(struct races *r)
{
    return (struct reader){.ctx = r, .event = reveal_event};
}
