/* The lesson as a person takes it: answers, the score, moving between entries, reading by itself. */
#ifndef GMPSCOPE_UI_INPUT_PLAYER_H
#define GMPSCOPE_UI_INPUT_PLAYER_H

#include "ui/input/ui.h"

/* Call it after the state was fetched: selects what decided an answer, counts the score, opens the closing card unless a text is unread. */
void player_fetch(struct ui *u);
/* Returns true if the lesson is over, and its closing card was not shown yet. */
bool player_card_waits(const struct ui *u);
/* Opens a card that waits. Returns false if none does. */
bool player_card(struct ui *u);
/* Returns the answer that was given at the entry that is shown, from 0; -1: none. */
int player_answered(const struct ui *u);
/* Answers the question that is shown, from 0. Only the first answer to a question is taken. */
void player_answer(struct ui *u, int choice);
/* Goes to the next entry (by 1) or to the one before (by -1). */
void player_go(struct ui *u, int by);
void player_notes(struct ui *u); /* shows the teacher's notes, or hides them */
/* Reading by itself (ui_config.autoplay): continues when a text has had its time. player_due() returns in how many ms that is; -1: nothing is
 * read by itself. */
void player_turn(struct ui *u);
int player_due(const struct ui *u);
/* Returns how long a person reads a text, in ms. wpm: words a minute; two Chinese characters are a word. */
int player_reading_ms(const char *text, unsigned wpm);

#endif
