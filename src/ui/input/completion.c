/* Finds the candidates in the tables that dispatch and help use, so each comes with its explanation. The menu is above the line and
 * covers at most a third of the screen. */
#include "ui/input/completion.h"

#include "layout/config.h"
#include "model/query/pattern.h"
#include "ui/input/commands.h"
#include "ui/input/requests.h"
#include "ui/term/keycodes.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/* ---- candidates ---- */

struct finding {
    struct ui *u;
    struct completion *to;
    const char *line; /* up to the cursor; a pattern begins at `pattern` */
    size_t pattern;
    const char *word; /* the beginning of the word, of `len` bytes */
    size_t len;
};

static void add(const struct finding *f, const char *name, const char *what)
{
    struct completion *c = f->to;
    if (strncmp(name, f->word, f->len) != 0 || c->n == COMPLETIONS_MAX)
        return;
    for (int i = 0; i < c->n; i++)
        if (strcmp(c->v[i].name, name) == 0)
            return;
    snprintf(c->v[c->n].name, sizeof c->v[c->n].name, "%s", name);
    snprintf(c->v[c->n].what, sizeof c->v[c->n].what, "%s", what);
    c->n++;
}

static void add_text(const struct finding *f, const char *name, enum text_id what)
{
    add(f, name, what == TX_NONE ? "" : tx(f->u->lang, what));
}

/* ---- words of patterns ---- */

/* Explains an event. Chinese has its sentence, in which the names of the fields stand for their values. */
static void explain_event(const struct finding *f, int kind, char *what, size_t size)
{
    size_t n = 0;
    const char *say = text_in(&ev_desc[kind].say, f->u->lang);
    if (f->u->lang == LANG_EN) {
        snprintf(what, size, "%s", ev_desc[kind].meaning);
        return;
    }
    for (; *say && n + 1 < size; say++)
        if (*say != '{' && *say != '}')
            what[n++] = *say;
    what[n] = '\0';
}

static void explain_words(enum ev_ftype type, char *what, size_t size)
{
    size_t n = 0;
    for (int i = 0; i < ev_words(type) && n < size; i++)
        n += (size_t)snprintf(what + n, size - n, "%s%s", i ? " | " : "", ev_word(type, i));
}

static enum text_id type_text(enum ev_ftype type)
{
    static const struct {
        enum ev_ftype type;
        enum text_id text;
    } of[] = {{FT_BOOL, TX_FIELD_BOOL}, {FT_G, TX_FIELD_G},       {FT_M, TX_FIELD_M},      {FT_P, TX_FIELD_P},
              {FT_FN, TX_FIELD_FN},     {FT_TIME, TX_FIELD_TIME}, {FT_DUR, TX_FIELD_TIME}, {FT_TEXT, TX_FIELD_TEXT},
              {FT_OBJ, TX_FIELD_OBJ},   {FT_OWN, TX_FIELD_OBJ},   {FT_HOLDER, TX_FIELD_G}, {FT_SEEN, TX_FIELD_G}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i].type == type)
            return of[i].text;
    return TX_FIELD_NUMBER;
}

/* Returns the event's field of that name, and for a value also with that word; NULL: there is none. The event may have a `*`. */
static const struct ev_field *find_field(const char *event, size_t elen, const char *field, size_t flen, const char *word)
{
    char glob[64];
    snprintf(glob, sizeof glob, "%.*s", (int)elen, event);
    for (int kind = 0; kind < EV_KINDS; kind++) {
        const struct ev_field *of = fnmatch(glob, ev_desc[kind].name, 0) == 0 ? ev_field(kind, field, flen) : NULL;
        if (of && (!word || ev_word_value(of->type, word, strlen(word)) >= 0))
            return of;
    }
    return NULL;
}

/* Adds a word of a pattern: an event, a field, a value or a gauge, by its place. */
static void offer(void *ctx, const char *word)
{
    const struct finding *f = ctx;
    char what[COMPLETION_WHAT] = "";
    const char *all = f->line + f->pattern, *alternative = f->word, *before = f->word;
    while (alternative > all && alternative[-1] != '|')
        alternative--;
    alternative += strspn(alternative, " \t");
    size_t elen = strcspn(alternative, " \t|=!<>()");
    while (before > all && before[-1] == ' ')
        before--;
    bool value = before > all && strchr("=!<>", before[-1]), first = alternative >= f->word;
    const struct ev_field *field = NULL;
    if (strncmp(all + strspn(all, " \t"), "when ", 5) == 0) {
        add_text(f, word, TX_FIELD_GAUGE);
    } else if (first) {
        int kind = ev_kind(word, strlen(word));
        if (kind >= 0)
            explain_event(f, kind, what, sizeof what);
        add(f, word, kind >= 0 ? what : tx(f->u->lang, TX_FIELD_WHEN));
    } else if (value) {
        const char *end = before;
        while (end > all && strchr("=!<> ", end[-1]))
            end--;
        const char *name = end;
        while (name > all && !strchr(" |", name[-1]))
            name--;
        field = find_field(alternative, elen, name, (size_t)(end - name), word);
        add(f, word, field ? ev_say(field->type, ev_word_value(field->type, word, strlen(word)), f->u->lang) : "");
    } else {
        field = find_field(alternative, elen, word, strlen(word), NULL);
        if (field && ev_words(field->type))
            explain_words(field->type, what, sizeof what);
        add(f, word, what[0] ? what : field ? tx(f->u->lang, type_text(field->type)) : "");
    }
}

static void find_in_pattern(struct finding *f, size_t from)
{
    size_t at = strlen(f->line);
    struct finding none = *f;
    none.to = &(struct completion){.n = COMPLETIONS_MAX}; /* the first call asks only where the word begins */
    none.word = f->line;
    f->pattern = none.pattern = from;
    f->to->from = (int)(from + pattern_complete(f->line + from, at - from, offer, &none));
    f->word = f->line + f->to->from;
    f->len = at - (size_t)f->to->from;
    pattern_complete(f->line + from, at - from, offer, f);
}

/* ---- names ---- */

static void find_layouts(const struct finding *f)
{
    const struct layouts *all = &f->u->layouts;
    const char *names[LAYOUTS_MAX + 1];
    size_t n = layouts_names(all, names);
    for (size_t i = 0; i < n; i++) {
        const struct layout *l = all->requested;
        for (int k = 0; k < all->n && strcmp(layout_name(l), names[i]) != 0; k++)
            l = all->other[k];
        add(f, names[i], text_in(layout_title(l), f->u->lang));
    }
}

static void find_marks(const struct finding *f)
{
    char what[40];
    struct session_mark mark[SESSION_MARKS];
    int n = f->u->ops->rewind->marks(f->u->run->session, mark, SESSION_MARKS);
    for (int i = 0; i < n; i++) {
        snprintf(what, sizeof what, tx(f->u->lang, TX_COMPLETE_MARK), (unsigned long long)mark[i].at);
        add(f, mark[i].name, what);
    }
}

static enum text_id switch_text(const char *name)
{
    static const struct {
        const char *name;
        enum text_id what;
    } of[] = {{"runnext", TX_SWITCH_RUNNEXT},          {"fairness_tick", TX_SWITCH_FAIRNESS_TICK},
              {"spinning", TX_SWITCH_SPINNING},        {"spinning_recheck", TX_SWITCH_SPINNING_RECHECK},
              {"stealing", TX_SWITCH_STEALING},        {"steal_runnext_delay", TX_SWITCH_STEAL_RUNNEXT_DELAY},
              {"handoff", TX_SWITCH_HANDOFF},          {"retake", TX_SWITCH_RETAKE},
              {"preemption", TX_SWITCH_PREEMPTION},    {"wakep", TX_SWITCH_WAKEP},
              {"needspinning", TX_SWITCH_NEEDSPINNING}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (strcmp(of[i].name, name) == 0)
            return of[i].what;
    return TX_NONE;
}

static enum text_id ground_text(enum ground ground)
{
    return ground == GROUND_DARK ? TX_THEME_DARK : ground == GROUND_LIGHT ? TX_THEME_LIGHT : TX_THEME_ANY;
}

static void find_names(struct finding *f, enum command_takes takes)
{
    const struct ui *u = f->u;
    if (takes == TAKES_LAYOUT)
        find_layouts(f);
    if (takes == TAKES_MARK)
        find_marks(f);
    for (int i = 0; takes == TAKES_THEME && theme_nth(i); i++)
        add_text(f, theme_nth(i)->name, ground_text(theme_nth(i)->ground));
    for (int i = 0; takes == TAKES_PANE && i < PANES; i++)
        add_text(f, pane_name(i), pane_title(i));
    for (int i = 0; takes == TAKES_SPLIT && i < LAYOUT_SPLITS; i++)
        add_text(f, layout_split_name[i], i == 0 ? TX_SPLIT_ROWS : TX_SPLIT_COLUMNS);
    for (int i = 0; takes == TAKES_MODE && i < MODES; i++)
        add_text(f, mode_name[i], i == MODE_LOCKSTEP ? TX_MODE_LOCKSTEP : TX_MODE_FREE);
    for (int i = takes == TAKES_RUN_SETTING ? CONFIG_SETTINGS_COUNT : 0;
         (takes == TAKES_SETTING || takes == TAKES_RUN_SETTING) && setting_name(i); i++)
        add_text(f, setting_name(i), setting_help(i));
    for (int i = 0; takes == TAKES_GENERATION && i < GENERATIONS; i++)
        add_text(f, generation_name[i], SINCE(GO1_4) >> i & 1 ? TX_GENERATION_P : TX_GENERATION_NO_P);
    for (int i = 0; takes == TAKES_SWITCHES && i < u->cfg->nswitches; i++)
        add_text(f, u->cfg->switches[i], switch_text(u->cfg->switches[i]));
    for (int i = 0; takes == TAKES_LANGUAGE && i < LANGS; i++)
        add(f, lang_name[i], i == LANG_EN ? "English" : "中文");
}

/* The argument of a command: a name, or a setting and then its value. */
static void find_arguments(struct finding *f, enum command_takes takes, size_t arg)
{
    const char *s = f->line + arg;
    size_t len = strcspn(s, " ");
    if (takes == TAKES_SETTING && s[len]) {
        takes = setting_takes(s, len);
        s += len + strspn(s + len, " ");
    }
    f->word = s;
    f->len = strlen(s);
    f->to->from = (int)(s - f->line);
    find_names(f, takes);
}

static void find_commands(struct finding *f, size_t from)
{
    f->word = f->line + from;
    f->len = strlen(f->word);
    f->to->from = (int)from;
    for (int i = 0; i < ncommands; i++)
        if (command_exists(f->u, &commands[i]) && (!ui_two(f->u) || commands[i].for_one == TX_NONE))
            add_text(f, commands[i].name, commands[i].help);
}

static void find_all(struct ui *u, struct completion *c)
{
    char line[PROMPT_BYTES];
    struct finding f = {.u = u, .to = c, .line = line};
    snprintf(line, sizeof line, "%.*s", u->command.prompt.at, u->command.prompt.text);
    size_t name = strspn(line, " "), len = strcspn(line + name, " "), arg = name + len + strspn(line + name + len, " ");
    const struct command *command = command_find(line + name, len);
    c->n = 0;
    if (u->command.prompt.sign == '/')
        find_in_pattern(&f, 0);
    else if (!line[name + len])
        find_commands(&f, name);
    else if (command && command->takes == TAKES_PATTERN)
        find_in_pattern(&f, arg);
    else if (command)
        find_arguments(&f, command->takes, arg);
}

/* ---- keys ---- */

/* Returns how many bytes all candidates share. */
static size_t common(const struct completion *c)
{
    size_t n = strlen(c->v[0].name);
    for (int i = 1; i < c->n; i++)
        for (size_t k = 0; k < n; k++)
            if (c->v[0].name[k] != c->v[i].name[k])
                n = k;
    return n;
}

static void walk(struct ui *u, int by)
{
    struct completion *c = &u->completion;
    c->at = c->at < 0 ? (by > 0 ? 0 : c->n - 1) : (c->at + by + c->n) % c->n;
    prompt_replace(&u->command.prompt, c->from, c->v[c->at].name);
}

static void complete(struct ui *u, int by)
{
    char with[COMPLETION_NAME + 1];
    struct completion *c = &u->completion;
    struct prompt *p = &u->command.prompt;
    p->wrong[0] = p->offer[0] = '\0';
    find_all(u, c);
    if (!c->n)
        return;
    size_t same = common(c), typed = (size_t)(p->at - c->from);
    bool open = c->n == 1 && strchr(".=", c->v[0].name[same - 1]);
    snprintf(c->typed, sizeof c->typed, "%.*s", (int)typed, p->text + c->from);
    snprintf(with, sizeof with, "%.*s%s", (int)same, c->v[0].name, c->n == 1 && !open ? " " : "");
    c->at = -1;
    if (same > typed || c->n == 1)
        prompt_replace(p, c->from, with);
    else
        walk(u, by);
    if (c->n == 1)
        c->n = 0;
}

bool completion_key(struct ui *u, uint32_t code)
{
    struct completion *c = &u->completion;
    bool down = code == KEY_TAB || (c->n && code == KEY_CODE_DOWN), up = code == KEY_CODE_BACKTAB || (c->n && code == KEY_CODE_UP);
    bool back = c->n && code == KEY_ESCAPE;
    if (back && c->at >= 0)
        prompt_replace(&u->command.prompt, c->from, c->typed);
    if ((down || up) && c->n)
        walk(u, down ? 1 : -1);
    else if (down || up)
        complete(u, down ? 1 : -1);
    else
        c->n = 0;
    return down || up || back;
}

/* ---- drawing ---- */

void completion_draw(struct ui *u)
{
    enum { ROWS = 8, GAP = 2 };
    const struct completion *c = &u->completion;
    struct canvas *to = &u->canvas;
    char title[64];
    int rows = c->n < ROWS ? c->n : ROWS, name = 0;
    rows = rows < to->h / 3 ? rows : to->h / 3;
    if (!u->command.prompt.open || !c->n || rows < 1)
        return;
    int top = c->at < rows ? 0 : c->at - rows + 1;
    if (c->at < 0)
        snprintf(title, sizeof title, tx(u->lang, TX_COMPLETE_COUNT), c->n);
    else
        snprintf(title, sizeof title, tx(u->lang, TX_COMPLETE_TITLE), c->at + 1, c->n);
    struct rect r = {0, to->h - 1 - rows - 2, to->w, rows + 2};
    for (int y = r.y; y < r.y + r.h; y++)
        canvas_hline(to, r, r.x, y, r.w, ROLE_plain, ' ');
    struct rect in = canvas_box(to, r, ROLE_focus, title);
    canvas_right(to, r, r.x + r.w - 3, r.y + r.h - 1, ROLE_dim, tx(u->lang, TX_COMPLETE_KEYS));
    for (int i = 0; i < c->n; i++)
        name = text_width(c->v[i].name) > name ? text_width(c->v[i].name) : name;
    name = name < in.w / 2 ? name : in.w / 2;
    for (int i = top; i < top + rows; i++) {
        int y = in.y + i - top;
        struct rect word = {in.x, y, name + GAP, 1};
        if (i == c->at)
            canvas_put(to, in, in.x, y, ROLE_focus, 0x25b6);
        canvas_text(to, word, in.x + GAP, y, i == c->at ? ROLE_sentence_now : ROLE_key, c->v[i].name);
        canvas_text(to, in, in.x + GAP + name + GAP, y, i == c->at ? ROLE_sentence_now : ROLE_plain, c->v[i].what);
    }
}
