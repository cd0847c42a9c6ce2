/* Which key signs what a wallet trades. A venue lets a key trade under a name, and a new key of the same name
 * takes the place of the previous one, whose orders on their way it then refuses. So a wallet's keys have two
 * names by turns: what the previous key has signed is taken until that key's own time is over. */
#ifndef PERPS_KEY_CHOICE_H
#define PERPS_KEY_CHOICE_H

#include "model/trading_key.h"
#include "store/db.h"

extern const char *const perps_key_names[]; /* NULL ends the list */

struct key_choice {
    bool is_new;            /* one has to be made, and approved by `name` */
    const char *name;       /* static */
    struct trading_key key; /* otherwise: that one */
};

/* A key whose end is near is replaced, unless its successor is in progress. False: the database failed. */
bool key_choose(struct db *db, uint64_t wallet_id, int64_t now_ms, struct key_choice *out);
bool key_choice_eq(const struct key_choice *a, const struct key_choice *b);

#endif
