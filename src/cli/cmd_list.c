/* gmpscope list: prints the shipped scenarios and layouts, one per line, with the name first; or the scenarios by topic, or those of a path; or the
 * generations. */
#include "cli/commands.h"
#include "engine/catalogue.h"
#include "engine/shipped.h"
#include "ui/panes/pane.h"
#include <errno.h>
#include <string.h>

enum { NAME_W = 20, TEXT_W = 100 };

/* Returns true, after an error message, if the machine lacked something that reading the file needs, such as memory; the content is then
 * unknown. */
static bool lacks(const struct diag *d)
{
    if (d->lack)
        diag_print(d, stderr);
    return d->lack;
}

static void line(const char *name, const struct text *title, enum lang lang)
{
    const char *t = title ? text_in(title, lang) : "has mistakes; gmpscope lint lists them";
    visible_line(stdout, "%-*s  %s", NAME_W, name, t ? t : "");
}

static bool list_layout(const char *name, const char *path, enum lang lang)
{
    struct diag d;
    diag_init(&d, path);
    struct layout *l = layout_load(path, &pane_kinds, &d);
    bool read = !lacks(&d);
    if (read)
        line(name, l ? layout_title(l) : NULL, lang);
    if (l)
        layout_free(l);
    diag_fini(&d);
    return read;
}

static bool list_layouts(struct arena *a, enum lang lang)
{
    size_t n;
    const char **names = shipped_all(a, "layouts", &n);
    for (size_t i = 0; i < n; i++) {
        const char *path = shipped_path(a, "layouts", names[i]);
        if (!path)
            return usage_error("layouts: %s", strerror(ENOMEM)), false;
        if (!list_layout(names[i], path, lang))
            return false;
    }
    return names;
}

/* Prints a text in lines of at most TEXT_W columns, each indented. Chinese may break between any two characters. */
static void paragraph(const char *s)
{
    while (*(s += strspn(s, " "))) {
        size_t n = 0, end = 0;
        int w = 0;
        for (size_t len = strlen(s), k; n < len; n += k) {
            uint32_t cp = utf8_next(s + n, len - n, &k);
            if (cp == ' ' || (n && cp_width(cp) == 2))
                end = n;
            w += cp_width(cp);
            if (w > TEXT_W)
                break;
        }
        n = s[n] && end ? end : n;
        visible_line(stdout, "    %.*s", (int)n, s);
        s += n;
    }
}

static char on_path(const struct catalogue_entry *e, enum scenario_path path, char letter)
{
    return e->paths >> path & 1 ? letter : ' ';
}

static void put_entry(const struct catalogue_entry *e, enum lang lang)
{
    if (e->broken) {
        line(e->name, NULL, lang);
        return;
    }
    visible_line(stdout, "%-*s  %c%c %s", NAME_W, e->name, on_path(e, PATH_PROGRAMMER, 'P'), on_path(e, PATH_RUNTIME, 'R'),
                 text_in(&e->title, lang));
    paragraph(text_in(&e->summary, lang));
}

static void list_topics(struct catalogue *c, enum lang lang)
{
    catalogue_sort(c);
    for (size_t i = 0; i < c->n; i++) {
        const struct catalogue_entry *e = &c->v[i];
        bool first = !i || e[-1].topic != e->topic;
        if (first && i)
            putchar('\n');
        if (first && e->topic < TOPICS)
            visible_line(stdout, "%s", text_in(scenario_topic_title(e->topic), lang));
        put_entry(e, lang);
    }
}

/* Lists the scenarios of a path in its order, with their topics or one a line. Returns false if memory ran out; reported. */
static bool list_path(struct options *o, struct catalogue *c)
{
    const struct catalogue_entry **on;
    catalogue_sort(c);
    size_t n = catalogue_path(&o->arena, c, o->path, &on);
    if (!on)
        return usage_error("%s", strerror(ENOMEM)), false;
    for (size_t i = 0; i < n; i++) {
        bool first = !i || on[i - 1]->topic != on[i]->topic;
        if (o->topics && first && i)
            putchar('\n');
        if (o->topics && first)
            visible_line(stdout, "%s", text_in(scenario_topic_title(on[i]->topic), o->lang));
        if (o->topics)
            put_entry(on[i], o->lang);
        else
            line(on[i]->name, &on[i]->title, o->lang);
    }
    return true;
}

static void list_generations(enum lang lang)
{
    static const struct text brought[GENERATIONS] = {
#define BROUGHT(id, en, zh) [id] = {{en, zh}},
#include "cli/generations.def"
#undef BROUGHT
    };
    for (int i = GENERATIONS - 1; i >= 0; i--)
        visible_line(stdout, "%-8s%s", generation_name[i], text_in(&brought[i], lang));
}

static int list_all(struct options *o)
{
    struct catalogue c;
    if (o->nargs)
        return usage_error("list takes no arguments, got \"%s\"", o->args[0]);
    if (o->generations) {
        list_generations(o->lang);
        return 0;
    }
    if (!catalogue_load(&o->arena, &c))
        return 2;
    if (o->has_path && o->path < PATHS)
        return list_path(o, &c) ? 0 : 2;
    if (o->topics) {
        list_topics(&c, o->lang);
        return 0;
    }
    for (size_t i = 0; i < c.n; i++)
        line(c.v[i].name, c.v[i].broken ? NULL : &c.v[i].title, o->lang);
    return list_layouts(&o->arena, o->lang) ? 0 : 2;
}

int cmd_list(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_LIST, argc, argv))
        code = o.help ? command_help("list", "list scenarios and layouts, one line each", CMD_LIST) : list_all(&o);
    options_fini(&o);
    return code;
}
