/* The answer to OSC 11 looks like "ESC ] 11 ; rgb:ffff/ffff/ffff", ended by BEL or ESC \. That to DA1 looks like "ESC [ ? 1 ; 2 c". A terminal
 * writes an answer in one go, so no typed key is inside. */
#include "ui/term/ground.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BELL = 7, ESCAPE = 27 };

/* COLORFGBG is "foreground;background" or "foreground;default;background", in numbers of the palette of 16. */
enum ground ground_from_env(const char *term, const char *colorfgbg)
{
    const char *last = colorfgbg ? strrchr(colorfgbg, ';') : NULL;
    char *end = NULL;
    long background = last ? strtol(last + 1, &end, 10) : -1;
    if (last && end != last + 1 && !*end && background >= 0 && background < 16)
        return background == 7 || background > 8 ? GROUND_LIGHT : GROUND_DARK;
    return term && strncmp(term, "linux", 5) == 0 ? GROUND_DARK : GROUND_UNKNOWN; /* the console of Linux is black */
}

/* Returns a channel of 1 to 4 hex digits as 0 to 1. */
static double channel(const char *digits)
{
    size_t n = strspn(digits, "0123456789abcdefABCDEF");
    return n ? (double)strtoul(digits, NULL, 16) / (double)((1ul << 4 * (n > 4 ? 4 : n)) - 1) : 0;
}

/* Perceived lightness, by the weights of ITU-R BT.601. */
static enum ground ground_of(const char *answer)
{
    char r[5], g[5], b[5];
    if (sscanf(answer, "rgb:%4[0-9a-fA-F]/%4[0-9a-fA-F]/%4[0-9a-fA-F]", r, g, b) != 3 &&
        sscanf(answer, "rgba:%4[0-9a-fA-F]/%4[0-9a-fA-F]/%4[0-9a-fA-F]", r, g, b) != 3)
        return GROUND_UNKNOWN;
    return 0.299 * channel(r) + 0.587 * channel(g) + 0.114 * channel(b) > 0.5 ? GROUND_LIGHT : GROUND_DARK;
}

void ground_answer_begin(struct ground_answer *a, bool color)
{
    a->reading = color ? ANSWER_COLOR : ANSWER_END;
    a->n = 0;
}

static void end(struct ground_answer *a)
{
    a->text[a->n] = '\0';
    if (a->reading == ANSWER_COLOR)
        a->ground = ground_of(a->text);
    else
        a->ended = true;
    a->reading = ANSWER_NONE;
}

bool ground_answer_takes(struct ground_answer *a, uint32_t code)
{
    bool escaped = a->n && a->text[a->n - 1] == ESCAPE;
    if (a->reading == ANSWER_NONE)
        return false;
    if (a->reading == ANSWER_COLOR ? code == BELL || (escaped && code == '\\') : code == 'c') {
        end(a);
        return true;
    }
    bool part = code < 0x7f && (code == ESCAPE || code >= ' ') && !escaped && a->n < (int)sizeof a->text - 1;
    if (part)
        a->text[a->n++] = (char)code;
    else
        a->reading = ANSWER_NONE; /* not an answer after all */
    return part;
}
