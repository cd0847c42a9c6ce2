/* The callbacks that an agent has set, each with the secret of its time, so that security events reach those
 * that a stolen key has replaced. Agents of before this table have no row until their first change. */
#ifndef STORE_CALLBACKS_H
#define STORE_CALLBACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "store/db.h"

enum {
    CALLBACK_CHANGES_A_DAY = 20, /* of the URL and the secret together */
    CALLBACKS_TOLD_MAX = 4,
};

struct callback {
    const char *url;
    uint8_t sealed_secret[128];
    unsigned sealed_secret_len;
};

/* All of these run inside the caller's transaction. */

/* Locks the agent and notes its present callback and secret where that is not done yet. UNCHANGED: it is
 * gone.
 */
enum db_update callbacks_note(struct db *db, uint64_t agent_id);
/* Whether this (NULL: none) is the agent's callback. */
enum lookup callbacks_present(struct db *db, uint64_t agent_id, const char *url);
/* Whether the agent may change its callback or secret once more within a day: UNCHANGED, it may not. */
enum db_update callbacks_room(struct db *db, uint64_t agent_id);
/* Whom a security event is told: the callback that stood `delay_s` ago, the first two URLs set since that
 * have answered 2xx, and the present one, each URL once with the oldest of its secrets. Returns how many, or
 * -1. */
int callbacks_told(struct db *db, struct arena *a, uint64_t agent_id, unsigned delay_s,
                   struct callback out[static CALLBACKS_TOLD_MAX]);
/* Notes that the URL has answered 2xx. */
bool callbacks_answered(struct db *db, uint64_t agent_id, const char *url);
bool callbacks_forget(struct db *db, uint64_t agent_id);

#endif
