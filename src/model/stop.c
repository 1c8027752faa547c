/* See stop.h. */
#include "model/stop.h"
#include <stdio.h>
#include <string.h>

/* The formats below stand in tables by language; both languages of a row take the same arguments. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

void stop_set_text(struct stop *s, const char *text)
{
    size_t len = strlen(text);
    if (len >= sizeof s->text) {
        len = sizeof s->text - 1;
        while (len && ((unsigned char)text[len] & 0xc0) == 0x80)
            len--;
    }
    memcpy(s->text, text, len);
    s->text[len] = '\0';
}

/* Writes why a configured choice is impossible. */
static void refused_words(const struct stop *s, bool zh, char *buf, size_t size)
{
    const struct choice *c = &s->given;
    const char *kind = decision_kind_name[c->kind];
    int n = snprintf(buf, size, zh ? "选择 %llu%c%u：" : "choice %llu%c%u: ", (unsigned long long)c->decision,
                     decision_kind_letter[c->kind], c->pick);
    if (n < 0 || (size_t)n >= size)
        return;
    buf += n;
    size -= (size_t)n;
    if (c->kind == DECIDE_STALL && s->decided == DECIDE_M)
        snprintf(buf, size, zh ? "M%u 在该处不能失去 CPU" : "M%u cannot lose its CPU there", c->pick / STALL_PICK);
    else if (c->kind != s->decided)
        snprintf(buf, size, zh ? "该处的决定不是 %s，而是 %s" : "that decision is not a %s but a %s", kind, decision_kind_name[s->decided]);
    else if (c->kind == DECIDE_M)
        snprintf(buf, size, zh ? "M%u 在该处不能继续；另有 %u 个可以" : "M%u cannot continue there; %u others can", c->pick, s->n);
    else
        snprintf(buf, size, zh ? "该处的 %s 有 %u 种结果，从 0 起" : "that %s has %u outcomes, from 0", kind, s->n);
}

static void lesson_words(const struct stop *s, bool zh, char *buf, size_t size)
{
    const char *answer = !s->answers ? "" : zh ? "：答案" : ": the answer";
    snprintf(buf, size, zh ? "课程 %u / %u%s" : "lesson %u of %u%s", s->entry, s->entries, answer);
}

void stop_words(const struct stop *s, enum lang lang, char *buf, size_t size)
{
    bool zh = lang == LANG_ZH;
    buf[0] = '\0';
    switch (s->kind) {
    case STOP_NONE:
    case STOP_STEP:
    case STOP_LIMIT:
        break;
    case STOP_BREAKPOINT: /* "* x187" only counts to an event, and its number is shown */
        snprintf(buf, size, "%s", strncmp(s->text, "* x", 3) ? s->text : "");
        break;
    case STOP_ENDED:
    case STOP_FAILED:
        snprintf(buf, size, "%s", s->text);
        break;
    case STOP_ROUND:
        snprintf(buf, size, zh ? "P%u 的一轮" : "a round on P%u", s->p);
        break;
    case STOP_LESSON:
        lesson_words(s, zh, buf, size);
        break;
    case STOP_REFUSED:
        refused_words(s, zh, buf, size);
        break;
    }
}
