/* Text of others that is shown: to a person or to a model, either of which invisible characters may deceive.
 */
#ifndef CORE_PLAIN_H
#define CORE_PLAIN_H

#include <stdbool.h>

#include "core/arena.h"

/* Stands for a text that has a secret in it. */
#define PLAIN_SECRET "<secret>"

/* Whether the UTF-8 text is free of control characters, line ends among them, of those without width, and of
 * those that turn the writing's direction. */
bool plain_ok(const char *utf8);
/* A copy in which each of those is the replacement character. */
char *plain_copy(struct arena *a, const char *utf8);
/* Whether there is a secret of this service in the text: a key that went into the wrong member. */
bool plain_has_secret(const char *text);

#endif
