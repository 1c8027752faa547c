/* Words that people type for a command whose name they do not know. The command with the nearest spelling would be a wrong answer: "speed" is
 * near to "seed". Such a word carries nothing out: the prompt names the command, which has arguments of its own. */
#include "ui/input/commands.h"

#include <string.h>

const struct synonym synonyms[] = {
    {"speed", "tempo"},       {"rate", "tempo"},  {"pace", "tempo"},     {"slow", "tempo"},  {"slower", "tempo"}, {"fast", "tempo"},
    {"faster", "tempo"},      {"stop", "pause"},  {"continue", "run"},   {"cont", "run"},    {"resume", "run"},   {"play", "run"},
    {"exit", "quit"},         {"jump", "goto"},   {"search", "find"},    {"color", "theme"}, {"colour", "theme"}, {"select", "inspect"},
    {"goroutine", "inspect"}, {"watch", "break"}, {"next-line", "next"},
};
const int nsynonyms = sizeof synonyms / sizeof *synonyms;

const char *command_meant(const char *word)
{
    for (int i = 0; i < nsynonyms; i++)
        if (strcmp(synonyms[i].word, word) == 0)
            return synonyms[i].name;
    return NULL;
}
