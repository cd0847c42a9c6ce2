/* Phrases of the sentences that rows make of their answers (struct endpoint). All in the arena. */
#ifndef API_ENDPOINT_PHRASE_H
#define API_ENDPOINT_PHRASE_H

#include <jansson.h>

#include "base/arena.h"

enum { PHRASE_ITEMS_MAX = 5 /* of a list that may be long */ };

typedef const char *phrase_item_fn(struct arena *a, const json_t *item);

/* A text member, borrowed; "" when there is none. */
const char *phrase_text(const json_t *object, const char *member);
/* " on base"; "" without a key. */
const char *phrase_on_chain(struct arena *a, const char *key);
/* The ending of a noun. */
const char *phrase_plural(size_t n);
/* "a, b, c and 4 more". */
const char *phrase_list(struct arena *a, const json_t *list, phrase_item_fn *say, size_t max);
/* "12 orders: a, b, c, d, e and 15 more", of the page whose list is `member` and holds `what`, a noun; "There
 * are no such orders". */
const char *phrase_page(struct arena *a, const json_t *body, const char *member, const char *what,
                        phrase_item_fn *say);
/* The text of a simulation's first failed check, borrowed; "" when none has failed. */
const char *phrase_failed_check(const json_t *body);
/* "; NAMES AFTER"; "" without names. */
const char *phrase_besides(struct arena *a, const json_t *names, const char *after);

#endif
