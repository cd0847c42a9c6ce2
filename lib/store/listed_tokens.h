/* Tokens that the lists of third parties name, in addition to those that are compiled in: a row for each, by
 * chain and address. */
#ifndef STORE_LISTED_TOKENS_H
#define STORE_LISTED_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/execution.h"
#include "store/db.h"

enum { TOKEN_NAME_MAX = 80 };

struct token_row {
    struct token_ref ref;
    const char *name; /* at most TOKEN_NAME_MAX characters; read into the arena */
    bool checked;     /* the chain itself told the decimals */
    unsigned place;   /* in its list, from 0 */
};

/* Those of a chain in the order of their list, whose symbol or name contains `search` (NULL: all), but for
 * the first `offset`; at most `limit`. Returns how many. */
int tokens_page(struct db *db, struct arena *a, uint64_t chain_id, const char *search, uint64_t limit,
                uint64_t offset, struct token_row **out);
/* By address as the chain writes it, else by symbol in any case, those in the order of their list; at most
 * `limit`. Returns how many. */
int tokens_named(struct db *db, struct arena *a, uint64_t chain_id, const char *text, uint64_t limit,
                 struct token_row **out);

/* Keeps for good what a token that no list has says of its decimals, the first time; *kept is what it said
 * then. False when the database failed. */
bool tokens_decimals_keep(struct db *db, const struct token_ref *t, uint8_t *kept);
/* The stored decimals, and since when (may be NULL). */
enum lookup tokens_decimals_get(struct db *db, const struct token_ref *t, uint8_t *kept, int64_t *since_ms);
/* Forgets the decimals, so that the next report counts as the first. UNCHANGED: nothing was stored. */
enum db_update tokens_decimals_forget(struct db *db, const struct token_ref *t);

/* Adds one, or renews it. */
bool tokens_put(struct db *db, const struct token_row *row);
/* Removes those of a chain that were not renewed since `since_ms`, at most 1000. Returns how many. */
int64_t tokens_drop(struct db *db, uint64_t chain_id, int64_t since_ms);

#endif
