/* gmpscope: the table of commands, and nothing else. */
#include "cli/commands.h"
#include <locale.h>
#include <signal.h>

int main(int argc, char **argv)
{
    /* Only how bytes are letters: numbers keep their point (strtod), messages their language. */
    setlocale(LC_CTYPE, "");
    /* A reader that has left is an error of write(), not a death without a word. */
    signal(SIGPIPE, SIG_IGN);
    output_begin();
    return output_finish(dispatch(argc - 1, argv + 1), 0);
}
