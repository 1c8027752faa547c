/* What the environment says about language and encoding. */
#include "base/text.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const lang_name[LANGS] = {[LANG_EN] = "en", [LANG_ZH] = "zh"};

/* Returns the first of three variables that is set and not empty, or "". */
static const char *first_set(const char *a, const char *b, const char *c)
{
    const char *const names[] = {a, b, c};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return value;
    }
    return "";
}

bool lang_from_env(enum lang *l)
{
    const char *value = first_set("LC_ALL", "LC_MESSAGES", "LANG");
    *l = value[0] == 'z' && value[1] == 'h' ? LANG_ZH : LANG_EN;
    return *l == LANG_ZH || (value[0] == 'e' && value[1] == 'n');
}

bool locale_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void locale_start(void)
{
    static const char *const others[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8"};
    const char *encoding = strchr(first_set("LC_ALL", "LC_CTYPE", "LANG"), '.');
    setlocale(LC_CTYPE, "");
    if (!encoding || (strncasecmp(encoding, ".utf-8", 6) != 0 && strncasecmp(encoding, ".utf8", 5) != 0))
        return;
    for (size_t i = 0; i < sizeof others / sizeof *others && !locale_utf8(); i++)
        setlocale(LC_CTYPE, others[i]);
}
