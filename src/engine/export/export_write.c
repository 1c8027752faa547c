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

bool export_varint(struct export_buf *b, uint64_t n)
{
    bool good = true;
    for (; n > 127; n >>= 7)
        good &= vec_push(b, (uint8_t)(n | 128));
    return vec_push(b, (uint8_t)n) && good;
}

bool export_append(struct export_buf *b, const void *bytes, size_t n)
{
    bool good = true;
    for (size_t i = 0; i < n; i++)
        good &= vec_push(b, ((const uint8_t *)bytes)[i]);
    return good;
}

bool export_next_field(const struct merged_event *at, int *i, struct export_value *out)
{
    const struct ev_field *f;
    while (*i < EV_FIELDS && (f = &ev_desc[at->e->kind].field[*i])->name) {
        int64_t v = ev_value(at->e, at->m, f);
        bool absent = (f->type == FT_HOLDER || f->type == FT_TIMES || f->type == FT_OWN) && v == 0;
        bool none = ((f->type == FT_P || f->type == FT_M) && v == (int64_t)EV_NONE) || (f->type == FT_P && v == EV_NO_P);
        ++*i;
        if (!f->name[0] || f->type == FT_NONE || EV_IS_SEQ(f->type) || !ev_has(at->e, f) || absent)
            continue;
        out->name = f->name;
        out->number = v;
        out->type = none ? VALUE_NONE : f->type == FT_BOOL ? VALUE_BOOL : VALUE_NUMBER;
        if (f->type == FT_TEXT) {
            size_t len = at->text && at->len < sizeof out->text ? at->len : 0;
            memcpy(out->text, len ? at->text : "", len);
            out->text[len] = '\0';
            out->type = VALUE_TEXT;
        } else if (!none && (f->type == FT_FN || ev_word(f->type, v))) {
            event_value(at->md, f, v, NULL, 0, out->text, sizeof out->text);
            out->type = VALUE_TEXT;
        }
        return true;
    }
    return false;
}

void export_fields(struct exporter *x, const struct merged_event *at)
{
    struct export_value v;
    fputc('{', x->out);
    for (int i = 0, n = 0; export_next_field(at, &i, &v); n++) {
        fprintf(x->out, "%s\"%s\":", n ? "," : "", v.name);
        if (v.type == VALUE_TEXT)
            json_string(v.text, x->out);
        else if (v.type == VALUE_NONE)
            fputs("null", x->out);
        else if (v.type == VALUE_BOOL)
            fputs(v.number ? "true" : "false", x->out);
        else
            fprintf(x->out, "%lld", (long long)v.number);
    }
    fputc('}', x->out);
}
