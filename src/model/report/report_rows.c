/* The words and the rows of reports. */
#include "model/report/report_internal.h"

const struct text report_texts[REPORT_TEXTS] = {
#define SAY(id, ...) [RT_##id] = {{__VA_ARGS__}},
#include "model/report/report_texts.def"
#undef SAY
};

const char *report_text(enum report_text_id id, const char *like, enum lang lang)
{
    (void)like;
    return text_in(&report_texts[id], lang);
}

struct report_row *report_add(struct report_rows *out, int depth, int64_t ns, const char *fmt, ...)
{
    struct report_row row = {.ns = ns, .depth = (uint8_t)depth};
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(row.text, sizeof row.text, fmt, ap);
    va_end(ap);
    if (!out->lacks && !vec_push(&out->row, row))
        out->lacks = true;
    return out->lacks ? NULL : &out->row.v[out->row.n - 1];
}

char *report_line(const struct report_row *row, char buf[REPORT_LINE])
{
    enum { TIME_W = 11 };
    char time[32] = "", share[16] = "";
    if (row->ns < 0) {
        snprintf(buf, REPORT_LINE, "%*s%s", 2 * row->depth, "", row->text);
        return buf;
    }
    duration_text(row->ns, time, sizeof time);
    if (row->of > 0)
        snprintf(share, sizeof share, "%.1f %%", 100.0 * (double)row->ns / (double)row->of);
    int pad = TIME_W - text_width(time);
    snprintf(buf, REPORT_LINE, "%*s%s %8s  %*s%s", pad > 0 ? pad : 0, "", time, share, 2 * row->depth, "", row->text);
    return buf;
}

int64_t report_idle_ps(const struct model *md)
{
    int64_t n = 0;
    if (!model_is_partial(md))
        return model_npidle(md);
    if (model_knows(md, KNOW_PS, 0) == KNOWN_NOT)
        return -1;
    for (uint32_t p = 0; p < model_np(md); p++) {
        uint32_t status = model_p(md, p)->status;
        if (status == P_UNKNOWN)
            return -1;
        n += status == P_IDLE;
    }
    return n;
}
