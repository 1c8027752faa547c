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
#define U LOOK_UNDERLINE

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, OWN = -1 };

/* One role a line. */
/* clang-format off */
#define THEME(id, on) [THEME_##id] = {.name = #id, .ground = GROUND_##on, .look
static const struct theme themes[THEMES] = {
    THEME(default, UNKNOWN) = {
         [ROLE_plain] = {OWN, OWN, 0},
         [ROLE_dim] = {244, OWN, D},
         [ROLE_title] = {OWN, OWN, B},
         [ROLE_border] = {243, OWN, D},
         [ROLE_focus] = {166, RED, B},
         [ROLE_heading] = {244, OWN, 0},
         [ROLE_status] = {OWN, OWN, 0},
         [ROLE_paused] = {166, RED, B | R},
         [ROLE_running] = {28, GREEN, B},
         [ROLE_spinning] = {163, MAGENTA, B},
         [ROLE_idle] = {244, OWN, D},
         [ROLE_syscall] = {134, MAGENTA, B},
         [ROLE_netpoll] = {32, OWN, 0},
         [ROLE_changed] = {OWN, OWN, B},
         [ROLE_arrow] = {166, RED, B},
         [ROLE_arrow_fading] = {166, RED, 0},
         [ROLE_arrow_old] = {243, OWN, D},
         [ROLE_number] = {OWN, OWN, 0},
         [ROLE_sentence] = {OWN, OWN, 0},
         [ROLE_sentence_now] = {OWN, OWN, B},
         [ROLE_key] = {166, RED, B},
         [ROLE_key_text] = {OWN, OWN, 0},
         [ROLE_error] = {160, RED, B},
         [ROLE_g0] = {136, GREEN, B},
         [ROLE_g1] = {32, BLUE, B},
         [ROLE_g2] = {28, GREEN, 0},
         [ROLE_g3] = {100, OWN, B},
         [ROLE_g4] = {134, BLUE, 0},
         [ROLE_g5] = {160, OWN, 0},
         [ROLE_g6] = {168, CYAN, B},
         [ROLE_g7] = {30, CYAN, 0},
     }},
    THEME(light, LIGHT) = {
         [ROLE_plain] = {OWN, OWN, 0},
         [ROLE_dim] = {244, OWN, 0},
         [ROLE_title] = {OWN, OWN, B},
         [ROLE_border] = {247, BLUE, 0},
         [ROLE_focus] = {166, RED, B},
         [ROLE_heading] = {242, BLUE, 0},
         [ROLE_status] = {OWN, OWN, 0},
         [ROLE_paused] = {166, RED, B | R},
         [ROLE_running] = {29, BLUE, B},
         [ROLE_spinning] = {130, RED, B},
         [ROLE_idle] = {244, OWN, 0},
         [ROLE_syscall] = {127, MAGENTA, B},
         [ROLE_netpoll] = {25, BLUE, 0},
         [ROLE_changed] = {OWN, OWN, B},
         [ROLE_arrow] = {166, RED, B},
         [ROLE_arrow_fading] = {166, RED, 0},
         [ROLE_arrow_old] = {247, OWN, 0},
         [ROLE_number] = {OWN, OWN, 0},
         [ROLE_sentence] = {240, OWN, 0},
         [ROLE_sentence_now] = {OWN, OWN, B},
         [ROLE_key] = {166, RED, B},
         [ROLE_key_text] = {240, OWN, 0},
         [ROLE_error] = {160, RED, B},
         [ROLE_g0] = {58, GREEN, 0},
         [ROLE_g1] = {25, BLUE, 0},
         [ROLE_g2] = {29, OWN, 0},
         [ROLE_g3] = {94, OWN, B},
         [ROLE_g4] = {91, MAGENTA, 0},
         [ROLE_g5] = {160, BLUE, B},
         [ROLE_g6] = {126, MAGENTA, B},
         [ROLE_g7] = {30, OWN, B},
     }},
    THEME(dark, DARK) = {
         [ROLE_plain] = {OWN, OWN, 0},
         [ROLE_dim] = {244, OWN, D},
         [ROLE_title] = {OWN, OWN, B},
         [ROLE_border] = {240, BLUE, 0},
         [ROLE_focus] = {214, YELLOW, B},
         [ROLE_heading] = {246, CYAN, 0},
         [ROLE_status] = {OWN, OWN, 0},
         [ROLE_paused] = {214, YELLOW, B | R},
         [ROLE_running] = {79, GREEN, B},
         [ROLE_spinning] = {227, YELLOW, B},
         [ROLE_idle] = {244, OWN, D},
         [ROLE_syscall] = {175, MAGENTA, B},
         [ROLE_netpoll] = {75, CYAN, 0},
         [ROLE_changed] = {OWN, OWN, B},
         [ROLE_arrow] = {214, YELLOW, B},
         [ROLE_arrow_fading] = {172, YELLOW, 0},
         [ROLE_arrow_old] = {240, YELLOW, D},
         [ROLE_number] = {OWN, OWN, 0},
         [ROLE_sentence] = {248, OWN, 0},
         [ROLE_sentence_now] = {OWN, OWN, B},
         [ROLE_key] = {214, YELLOW, B},
         [ROLE_key_text] = {248, OWN, 0},
         [ROLE_error] = {203, RED, B},
         [ROLE_g0] = {180, RED, 0},
         [ROLE_g1] = {75, BLUE, B},
         [ROLE_g2] = {79, GREEN, 0},
         [ROLE_g3] = {149, OWN, B},
         [ROLE_g4] = {141, MAGENTA, B},
         [ROLE_g5] = {209, RED, B},
         [ROLE_g6] = {218, MAGENTA, 0},
         [ROLE_g7] = {123, CYAN, 0},
     }},
    THEME(mono, UNKNOWN) = {
         [ROLE_plain] = {OWN, OWN, 0},
         [ROLE_dim] = {OWN, OWN, D},
         [ROLE_title] = {OWN, OWN, B},
         [ROLE_border] = {OWN, OWN, 0},
         [ROLE_focus] = {OWN, OWN, B | R},
         [ROLE_heading] = {OWN, OWN, D},
         [ROLE_status] = {OWN, OWN, 0},
         [ROLE_paused] = {OWN, OWN, B | R},
         [ROLE_running] = {OWN, OWN, B},
         [ROLE_spinning] = {OWN, OWN, B},
         [ROLE_idle] = {OWN, OWN, 0},
         [ROLE_syscall] = {OWN, OWN, B},
         [ROLE_netpoll] = {OWN, OWN, 0},
         [ROLE_changed] = {OWN, OWN, B},
         [ROLE_arrow] = {OWN, OWN, B},
         [ROLE_arrow_fading] = {OWN, OWN, 0},
         [ROLE_arrow_old] = {OWN, OWN, 0},
         [ROLE_number] = {OWN, OWN, 0},
         [ROLE_sentence] = {OWN, OWN, 0},
         [ROLE_sentence_now] = {OWN, OWN, B},
         [ROLE_key] = {OWN, OWN, B},
         [ROLE_key_text] = {OWN, OWN, 0},
         [ROLE_error] = {OWN, OWN, B | R},
         [ROLE_g0] = {OWN, OWN, 0},
         [ROLE_g1] = {OWN, OWN, 0},
         [ROLE_g2] = {OWN, OWN, 0},
         [ROLE_g3] = {OWN, OWN, 0},
         [ROLE_g4] = {OWN, OWN, 0},
         [ROLE_g5] = {OWN, OWN, 0},
         [ROLE_g6] = {OWN, OWN, 0},
         [ROLE_g7] = {OWN, OWN, 0},
     }},
    THEME(projector, DARK) = {
         [ROLE_plain] = {255, WHITE, 0},
         [ROLE_dim] = {250, WHITE, 0},
         [ROLE_title] = {231, WHITE, B},
         [ROLE_border] = {250, WHITE, 0},
         [ROLE_focus] = {226, YELLOW, B},
         [ROLE_heading] = {231, WHITE, B},
         [ROLE_status] = {231, WHITE, B},
         [ROLE_paused] = {226, YELLOW, B | R},
         [ROLE_running] = {120, GREEN, B},
         [ROLE_spinning] = {226, YELLOW, B},
         [ROLE_idle] = {250, WHITE, 0},
         [ROLE_syscall] = {213, MAGENTA, B},
         [ROLE_netpoll] = {123, CYAN, B},
         [ROLE_changed] = {231, WHITE, B | R},
         [ROLE_arrow] = {226, YELLOW, B},
         [ROLE_arrow_fading] = {214, YELLOW, 0},
         [ROLE_arrow_old] = {245, WHITE, 0},
         [ROLE_number] = {231, WHITE, B},
         [ROLE_sentence] = {252, WHITE, 0},
         [ROLE_sentence_now] = {231, WHITE, B},
         [ROLE_key] = {226, YELLOW, B},
         [ROLE_key_text] = {255, WHITE, 0},
         [ROLE_error] = {210, RED, B},
         [ROLE_g0] = {223, WHITE, B},
         [ROLE_g1] = {117, BLUE, B},
         [ROLE_g2] = {120, GREEN, B},
         [ROLE_g3] = {229, GREEN, 0},
         [ROLE_g4] = {183, MAGENTA, B},
         [ROLE_g5] = {216, RED, B},
         [ROLE_g6] = {219, MAGENTA, B},
         [ROLE_g7] = {159, CYAN, B},
     }},
    THEME(safe, DARK) = {
         [ROLE_plain] = {OWN, OWN, 0},
         [ROLE_dim] = {244, OWN, D},
         [ROLE_title] = {OWN, OWN, B},
         [ROLE_border] = {240, BLUE, 0},
         [ROLE_focus] = {214, YELLOW, B},
         [ROLE_heading] = {246, CYAN, 0},
         [ROLE_status] = {OWN, OWN, 0},
         [ROLE_paused] = {214, YELLOW, B | R},
         [ROLE_running] = {36, GREEN, B},
         [ROLE_spinning] = {227, YELLOW, B},
         [ROLE_idle] = {244, OWN, D},
         [ROLE_syscall] = {175, MAGENTA, B},
         [ROLE_netpoll] = {74, CYAN, 0},
         [ROLE_changed] = {OWN, OWN, B},
         [ROLE_arrow] = {214, YELLOW, B},
         [ROLE_arrow_fading] = {172, YELLOW, 0},
         [ROLE_arrow_old] = {240, YELLOW, D},
         [ROLE_number] = {OWN, OWN, 0},
         [ROLE_sentence] = {248, OWN, 0},
         [ROLE_sentence_now] = {OWN, OWN, B},
         [ROLE_key] = {214, YELLOW, B},
         [ROLE_key_text] = {248, OWN, 0},
         [ROLE_error] = {202, RED, B},
         [ROLE_g0] = {180, RED, 0},
         [ROLE_g1] = {74, CYAN, B},
         [ROLE_g2] = {36, GREEN, 0},
         [ROLE_g3] = {187, OWN, B},
         [ROLE_g4] = {32, BLUE, B},
         [ROLE_g5] = {202, RED, B},
         [ROLE_g6] = {175, MAGENTA, 0},
         [ROLE_g7] = {252, WHITE, 0},
     }},
};
/* clang-format on */

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
