/* Foreign text that is shown to a person or a model, either of which invisible characters may deceive. */
#ifndef BASE_SAFE_TEXT_H
#define BASE_SAFE_TEXT_H

#include <stdbool.h>

#include "base/arena.h"

/* Replaces text that contains a secret. */
#define SAFE_TEXT_SECRET "<secret>"

/* Whether the UTF-8 text is free of control characters (including line ends), zero-width characters, and
 * characters that change the writing direction. */
bool safe_text_ok(const char *utf8);
/* A copy in which each of those is replaced by U+FFFD. */
char *safe_text_copy(struct arena *a, const char *utf8);
/* The same for a terminal, each replaced by a question mark. */
char *safe_text_terminal(struct arena *a, const char *utf8);
/* Whether the text contains a secret of this service, such as a key put into the wrong member. */
bool safe_text_has_secret(const char *text);

#endif
