/* Themes: one look for each role. Colour-blind people can tell the colours apart, and no meaning depends on colour alone.
 *
 * A colour is readable on some grounds only. A theme for one ground (dark, light) paints that ground itself, unless the terminal is known to
 * have it. `default` stands for `light` or `dark` where the terminal's ground is known. Elsewhere it uses colours that read on black and on
 * white. Strong text is bold in the terminal's own foreground, which reads on its own ground in any case. `safe` has the colours of Okabe
 * and Ito, `projector` is bright and bold for the back row. The eight G colours differ in lightness too.
 */
#include "ui/term/themes.h"

#include <string.h>

#define B LOOK_BOLD
#define D LOOK_DIM
#define R LOOK_REVERSE

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, OWN = -1 };

#define THEME(id, on) [THEME_##id] = {.name = #id, .ground = GROUND_##on}
static const struct theme themes[THEMES] = {
    THEME(default, UNKNOWN), THEME(light, LIGHT), THEME(dark, DARK), THEME(mono, UNKNOWN), THEME(projector, DARK), THEME(safe, DARK),
};

/* One role a row, one theme a column. */
/* clang-format off */
static const struct look looks[ROLES][THEMES] = {
    /*                     default            light              dark                  mono               projector             safe */
    [ROLE_plain]        = {{OWN, OWN, 0},     {OWN, OWN, 0},     {OWN, OWN, 0},        {OWN, OWN, 0},     {255, WHITE, 0},      {OWN, OWN, 0}},
    [ROLE_dim]          = {{244, OWN, D},     {244, OWN, 0},     {244, OWN, D},        {OWN, OWN, D},     {250, WHITE, 0},      {244, OWN, D}},
    [ROLE_title]        = {{OWN, OWN, B},     {OWN, OWN, B},     {OWN, OWN, B},        {OWN, OWN, B},     {231, WHITE, B},      {OWN, OWN, B}},
    [ROLE_border]       = {{243, OWN, D},     {247, BLUE, 0},    {240, BLUE, 0},       {OWN, OWN, 0},     {250, WHITE, 0},      {240, BLUE, 0}},
    [ROLE_focus]        = {{166, RED, B},     {166, RED, B},     {214, YELLOW, B},     {OWN, OWN, B | R}, {226, YELLOW, B},     {214, YELLOW, B}},
    [ROLE_heading]      = {{244, OWN, 0},     {242, BLUE, 0},    {246, CYAN, 0},       {OWN, OWN, D},     {231, WHITE, B},      {246, CYAN, 0}},
    [ROLE_status]       = {{OWN, OWN, 0},     {OWN, OWN, 0},     {OWN, OWN, 0},        {OWN, OWN, 0},     {231, WHITE, B},      {OWN, OWN, 0}},
    [ROLE_paused]       = {{166, RED, B | R}, {166, RED, B | R}, {214, YELLOW, B | R}, {OWN, OWN, B | R}, {226, YELLOW, B | R}, {214, YELLOW, B | R}},
    [ROLE_running]      = {{28, GREEN, B},    {29, BLUE, B},     {79, GREEN, B},       {OWN, OWN, B},     {120, GREEN, B},      {36, GREEN, B}},
    [ROLE_spinning]     = {{163, MAGENTA, B}, {130, RED, B},     {227, YELLOW, B},     {OWN, OWN, B},     {226, YELLOW, B},     {227, YELLOW, B}},
    [ROLE_idle]         = {{244, OWN, D},     {244, OWN, 0},     {244, OWN, D},        {OWN, OWN, 0},     {250, WHITE, 0},      {244, OWN, D}},
    [ROLE_syscall]      = {{134, MAGENTA, B}, {127, MAGENTA, B}, {175, MAGENTA, B},    {OWN, OWN, B},     {213, MAGENTA, B},    {175, MAGENTA, B}},
    [ROLE_netpoll]      = {{32, OWN, 0},      {25, BLUE, 0},     {75, CYAN, 0},        {OWN, OWN, 0},     {123, CYAN, B},       {74, CYAN, 0}},
    [ROLE_changed]      = {{OWN, OWN, B},     {OWN, OWN, B},     {OWN, OWN, B},        {OWN, OWN, B},     {231, WHITE, B | R},  {OWN, OWN, B}},
    [ROLE_arrow]        = {{166, RED, B},     {166, RED, B},     {214, YELLOW, B},     {OWN, OWN, B},     {226, YELLOW, B},     {214, YELLOW, B}},
    [ROLE_arrow_fading] = {{166, RED, 0},     {166, RED, 0},     {172, YELLOW, 0},     {OWN, OWN, 0},     {214, YELLOW, 0},     {172, YELLOW, 0}},
    [ROLE_arrow_old]    = {{243, OWN, D},     {247, OWN, 0},     {240, YELLOW, D},     {OWN, OWN, 0},     {245, WHITE, 0},      {240, YELLOW, D}},
    [ROLE_number]       = {{OWN, OWN, 0},     {OWN, OWN, 0},     {OWN, OWN, 0},        {OWN, OWN, 0},     {231, WHITE, B},      {OWN, OWN, 0}},
    [ROLE_sentence]     = {{OWN, OWN, 0},     {240, OWN, 0},     {248, OWN, 0},        {OWN, OWN, 0},     {252, WHITE, 0},      {248, OWN, 0}},
    [ROLE_sentence_now] = {{OWN, OWN, B},     {OWN, OWN, B},     {OWN, OWN, B},        {OWN, OWN, B},     {231, WHITE, B},      {OWN, OWN, B}},
    [ROLE_key]          = {{166, RED, B},     {166, RED, B},     {214, YELLOW, B},     {OWN, OWN, B},     {226, YELLOW, B},     {214, YELLOW, B}},
    [ROLE_key_text]     = {{OWN, OWN, 0},     {240, OWN, 0},     {248, OWN, 0},        {OWN, OWN, 0},     {255, WHITE, 0},      {248, OWN, 0}},
    [ROLE_error]        = {{160, RED, B},     {160, RED, B},     {203, RED, B},        {OWN, OWN, B | R}, {210, RED, B},        {202, RED, B}},
    [ROLE_g0]           = {{136, GREEN, B},   {58, GREEN, 0},    {180, RED, 0},        {OWN, OWN, 0},     {223, WHITE, B},      {180, RED, 0}},
    [ROLE_g1]           = {{32, BLUE, B},     {25, BLUE, 0},     {75, BLUE, B},        {OWN, OWN, 0},     {117, BLUE, B},       {74, CYAN, B}},
    [ROLE_g2]           = {{28, GREEN, 0},    {29, OWN, 0},      {79, GREEN, 0},       {OWN, OWN, 0},     {120, GREEN, B},      {36, GREEN, 0}},
    [ROLE_g3]           = {{100, OWN, B},     {94, OWN, B},      {149, OWN, B},        {OWN, OWN, 0},     {229, GREEN, 0},      {187, OWN, B}},
    [ROLE_g4]           = {{134, BLUE, 0},    {91, MAGENTA, 0},  {141, MAGENTA, B},    {OWN, OWN, 0},     {183, MAGENTA, B},    {32, BLUE, B}},
    [ROLE_g5]           = {{160, OWN, 0},     {160, BLUE, B},    {209, RED, B},        {OWN, OWN, 0},     {216, RED, B},        {202, RED, B}},
    [ROLE_g6]           = {{168, CYAN, B},    {126, MAGENTA, B}, {218, MAGENTA, 0},    {OWN, OWN, 0},     {219, MAGENTA, B},    {175, MAGENTA, 0}},
    [ROLE_g7]           = {{30, CYAN, 0},     {30, OWN, B},      {123, CYAN, 0},       {OWN, OWN, 0},     {159, CYAN, B},       {252, WHITE, 0}},
};
/* clang-format on */

const struct look *theme_look(const struct theme *t, enum role r)
{
    return &looks[r][t - themes];
}

const struct theme *theme_find(const char *name)
{
    for (size_t i = 0; i < THEMES; i++)
        if (strcmp(themes[i].name, name) == 0)
            return &themes[i];
    return &themes[THEME_default];
}

const struct theme *theme_on(const struct theme *t, enum ground ground)
{
    static const enum theme_id of[] = {[GROUND_UNKNOWN] = THEME_default, [GROUND_DARK] = THEME_dark, [GROUND_LIGHT] = THEME_light};
    return t == &themes[THEME_default] ? &themes[of[ground]] : t;
}

const struct theme *theme_nth(int i)
{
    return i >= 0 && i < THEMES ? &themes[i] : NULL;
}

const struct theme *theme_next(const struct theme *t)
{
    return &themes[(t - themes + 1) % THEMES];
}
