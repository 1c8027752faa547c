/* Taking the terminal and giving it back, signals and all. */
#ifndef GMPSCOPE_UI_TERM_TERMINAL_H
#define GMPSCOPE_UI_TERM_TERMINAL_H

#include "base/text.h"
#include "ui/term/screen.h"

/* Reports on stderr and returns false if stdin or stdout is no terminal. */
bool terminal_there(void);
/* signal_fd: as crash_begin(). Returns NULL, after a message on stderr, if the terminal cannot be used. */
struct screen *terminal_take(const struct screen_config *cfg, int signal_fd);
/* Writes what people should know about the terminal: its type is unknown, or it cannot show the language. False: there is nothing. */
bool terminal_lacks(const struct screen *s, enum lang wanted, bool ascii_wanted, char *out, size_t size);
void terminal_give_back(struct screen *s);
/* To the shell and back, as ^Z does. */
void terminal_suspend(struct screen *s);

#endif
