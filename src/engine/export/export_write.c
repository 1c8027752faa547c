/* What the forms write with. */
#include "engine/export/export.h"
#include <stdarg.h>
#include <string.h>

void export_print(struct exporter *x, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vfprintf(x->out, fmt, ap);
    va_end(ap);
}

void export_bytes(struct exporter *x, const void *bytes, size_t n)
{
    fwrite(bytes, 1, n, x->out);
}

void export_fields(struct exporter *x, const struct merged_event *at)
{
    char value[4 * EV_TEXT_MAX], text[EV_TEXT_MAX + 1];
    const char *comma = "";
    fputc('{', x->out);
    for (const struct ev_field *f = ev_desc[at->e->kind].field; f < ev_desc[at->e->kind].field + EV_FIELDS && f->name; f++) {
        int64_t v = ev_value(at->e, at->m, f);
        bool absent = (f->type == FT_HOLDER || f->type == FT_TIMES || f->type == FT_OWN) && v == 0;
        bool none = ((f->type == FT_P || f->type == FT_M) && v == (int64_t)EV_NONE) || (f->type == FT_P && v == EV_NO_P);
        if (!f->name[0] || f->type == FT_NONE || EV_IS_SEQ(f->type) || !ev_has(at->e, f) || absent)
            continue;
        fprintf(x->out, "%s\"%s\":", comma, f->name);
        comma = ",";
        if (f->type == FT_TEXT) {
            size_t len = at->text && at->len < sizeof text ? at->len : 0;
            memcpy(text, len ? at->text : "", len);
            text[len] = '\0';
            json_string(text, x->out);
        } else if (none) {
            fputs("null", x->out);
        } else if (f->type == FT_BOOL) {
            fputs(v ? "true" : "false", x->out);
        } else if (f->type == FT_FN || ev_word(f->type, v)) {
            event_value(at->md, f, v, NULL, 0, value, sizeof value);
            json_string(value, x->out);
        } else {
            fprintf(x->out, "%lld", (long long)v);
        }
    }
    fputc('}', x->out);
}
