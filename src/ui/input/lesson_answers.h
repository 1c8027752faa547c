/* The lesson as a person takes it: answers, the score, moving between entries, reading by itself. */
#ifndef GMPSCOPE_UI_INPUT_LESSON_ANSWERS_H
#define GMPSCOPE_UI_INPUT_LESSON_ANSWERS_H

#include "ui/input/ui.h"

/* Call it after the state was fetched: selects what decided an answer, counts the score, opens the closing card unless a text is unread. */
void lesson_fetch(struct ui *u);
/* Returns true if the lesson is over: space opens its closing card, also again. */
bool lesson_has_card(const struct ui *u);
/* Opens a card that waits. Returns false if none does. */
bool lesson_card(struct ui *u);
/* Returns the answer that was given at the entry that is shown, from 0; -1: none. */
int lesson_answered(const struct ui *u);
/* Answers the question that is shown, from 0. Only the first answer to a question is taken. */
void lesson_answer(struct ui *u, int choice);
/* Goes to the next entry (by 1) or to the one before (by -1). */
void lesson_go(struct ui *u, int by);
void lesson_notes(struct ui *u); /* shows the teacher's notes, or hides them */
/* Reading by itself (ui_config.autoplay): continues when a text has had its time. lesson_due() returns in how many ms that is; -1: nothing is
 * read by itself. */
void lesson_turn(struct ui *u);
int lesson_due(const struct ui *u);
/* Returns how long a person reads a text, in ms. wpm: words a minute; two Chinese characters are a word. */
int lesson_reading_ms(const char *text, unsigned wpm);

#endif
