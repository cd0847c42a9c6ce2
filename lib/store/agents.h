/* Agents: their keys, profiles and kept totals. */
#ifndef STORE_AGENTS_H
#define STORE_AGENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "codec/hash.h"
#include "model/agent.h"
#include "model/execution.h"
#include "store/db.h"

struct security_event;

struct agent_new {
    struct uuid uuid;
    uint8_t key_hash[HASH_LEN];
    const char *name;
    const char *description; /* NULL: none; so with the next four */
    const char *tier;        /* never NULL */
    const char *callback_url;
    const char *metadata;
    const uint8_t *sealed_secret;
    size_t sealed_secret_len;
};
/* *created_ms is the database's time of registration. */
bool agents_add(struct db *db, const struct agent_new *a, int64_t *created_ms);

enum lookup agents_by_key(struct db *db, struct arena *arena, const uint8_t key_hash[static HASH_LEN],
                          struct agent *out);

/* The changes of PATCH /me; a member counts only when its flag is set, NULL then removes the value. */
struct agent_change {
    bool set_description, set_callback, set_metadata;
    const char *description, *callback_url, *metadata;
    const uint8_t *sealed_secret; /* kept only when the agent has none yet */
    size_t sealed_secret_len;
    const struct security_event *told; /* of another callback, to the previous ones */
};
/* One transaction with the outbox: removing the callback fails what is pending. *secret_kept: the sealed
 * secret is now the agent's. UNCHANGED if the agent is gone; HALTED where the callback would have changed,
 * QUOTA_FULL where it has changed too often today. */
enum db_update agents_change(struct db *db, uint64_t id, const struct agent_change *change,
                             bool *secret_kept);

/* By the id that agents see. */
enum lookup agents_by_uuid(struct db *db, struct arena *arena, const struct uuid *uuid, struct agent *out);
enum lookup agents_by_id(struct db *db, struct arena *arena, uint64_t id, struct agent *out);
/* Agents before `before_id` (0: all), the latest first, of one tier unless it is NULL; at most `max` into
 * `out`. Returns how many. */
int agents_newest(struct db *db, struct arena *arena, const char *tier, uint64_t before_id, struct agent *out,
                  unsigned max);
/* Agents after `after_id` in the order of registration, of one tier unless it is NULL; at most `max` into
 * `out`. Returns how many. */
int agents_page(struct db *db, struct arena *arena, const char *tier, uint64_t after_id, struct agent *out,
                unsigned max);
/* True too when nothing changes; then nothing is told. */
bool agents_set_tier(struct db *db, uint64_t id, const char *tier);
bool agents_set_status(struct db *db, uint64_t id, enum agent_status status,
                       const struct security_event *told);
/* Another key in place of the present one, which is dead from then on; `told` is written with it. */
bool agents_set_key(struct db *db, uint64_t id, const uint8_t hash[static HASH_LEN],
                    const struct security_event *told);

/* ---- what agents ask for themselves; HALTED (store/trading_halts.h) while the operator has stopped them.
 * `told` is written with it (store/events.h); NULL: nothing ---- */

/* Another key in place of the one with this hash, which is dead from then on. UNCHANGED if another request
 * was first; QUOTA_FULL if the agent has used up its audit lines of today. */
enum db_update agents_rotate(struct db *db, uint64_t id, const uint8_t old_hash[static HASH_LEN],
                             const uint8_t new_hash[static HASH_LEN], uint64_t audit_lines,
                             const struct security_event *told);

/* A new webhook secret; for a day the previous one signs too. UNCHANGED if the agent is gone; QUOTA_FULL if
 * callback and secret have changed too often today. */
enum db_update agents_renew_secret(struct db *db, uint64_t id, const uint8_t *sealed, size_t sealed_len,
                                   const struct security_event *told);

/* UNCHANGED if it was not active. */
enum db_update agents_deactivate(struct db *db, uint64_t id, const struct security_event *told);
/* Undoes that, for a stopped agent too. UNCHANGED if the agent has not deactivated itself. */
enum db_update agents_reactivate(struct db *db, uint64_t id, const struct security_event *told);

/* Removes the agent for good, in one transaction: its row with key hash, secrets and callback, the keys of
 * its wallets; nothing pending is sent any more, and open orders are marked for their cancel. The rest is
 * left to store/purges. UNCHANGED if it is gone already. The audit's line of it has `left`, JSON of what it
 * leaves behind, or NULL. With `busy` UNCHANGED too, and *busy, while one of its executions has not ended.
 */
enum db_update agents_delete(struct db *db, uint64_t id, const char *left, const struct security_event *told,
                             bool *busy);

/* Adds to the counters of requests; folded in from shared memory. True too for an unknown agent. */
bool agents_count_requests(struct db *db, const struct uuid *uuid, uint64_t requests, int64_t last_active_ms);

/* Inside a transaction that writes a swap: adds to the kept totals, by the status that lists show. The marks
 * in the agent's history (store/execution_marks.h) then count up to `marked_upto` at most. UNCHANGED if the
 * agent is gone. The lock of its row keeps a new swap and the agent's deletion apart. */
enum db_update agents_count_swap(struct db *db, uint64_t id, const int delta[static EXEC_FAILED + 1],
                                 uint64_t marked_upto);
/* Adds to the totals of its orders in the same way. An agent that is gone has none. */
bool agents_count_orders(struct db *db, uint64_t id, const int delta[static ORDER_REJECTED + 1]);
/* Counts `more` operations at lenders; the row's lock and UNCHANGED are as above. */
enum db_update agents_count_lending(struct db *db, uint64_t id, int more);
/* Counts `more` listed orders for perpetuals. An agent that is gone has none. */
bool agents_count_perps_orders(struct db *db, uint64_t id, unsigned more);

#endif
