/* The tokens that open the operator's part of the API, by their digests. */
#ifndef STORE_OPERATOR_TOKENS_H
#define STORE_OPERATOR_TOKENS_H

#include "base/arena.h"
#include "codec/hash.h"
#include "model/operator_token.h"
#include "store/db.h"

enum { OPERATOR_TOKENS_MAX = 100 /* in force at a time */ };

/* UNCHANGED: another one of this name is in force, or as many are as there may be. */
enum db_update operator_tokens_add(struct db *db, const char *name, bool read_only,
                                   const uint8_t digest[static HASH_LEN]);
/* It opens nothing when this returns. UNCHANGED: there is none of this name in force. */
enum db_update operator_tokens_revoke(struct db *db, const char *name);

/* The one in force with this digest, compared in a time that says nothing about it. */
enum lookup operator_tokens_find(struct db *db, const uint8_t digest[static HASH_LEN],
                                 struct operator_token *out);
/* Those in force, then the latest of those that were revoked, newest first; in the arena. Returns how many.
 */
int operator_tokens_list(struct db *db, struct arena *a, struct operator_token **out);

#endif
