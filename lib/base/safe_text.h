/* Text of others that is shown: to a person or to a model, either of which invisible characters may deceive.
 */
#ifndef BASE_SAFE_TEXT_H
#define BASE_SAFE_TEXT_H

#include <stdbool.h>

#include "base/arena.h"

/* Stands for a text that has a secret in it. */
#define SAFE_TEXT_SECRET "<secret>"

/* Whether the UTF-8 text is free of control characters, line ends among them, of those without width, and of
 * those that turn the writing's direction. */
bool safe_text_ok(const char *utf8);
/* A copy in which each of those is the replacement character. */
char *safe_text_copy(struct arena *a, const char *utf8);
/* Whether there is a secret of this service in the text: a key that went into the wrong member. */
bool safe_text_has_secret(const char *text);

#endif
