/* Agents: their keys, profiles and kept totals. */
#ifndef STORE_AGENTS_H
#define STORE_AGENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/hash.h"
#include "model/agent.h"
#include "store/db.h"

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

/* 1 found, 0 unknown key, -1 the database failed. */
int agents_by_key(struct db *db, struct arena *arena, const uint8_t key_hash[static HASH_LEN],
                  struct agent *out);

/* What PATCH /me changes; a member counts only when its flag is set, NULL then removes the value. */
struct agent_change {
    bool set_description, set_callback, set_metadata;
    const char *description, *callback_url, *metadata;
    const uint8_t *sealed_secret; /* kept only when the agent has none yet */
    size_t sealed_secret_len;
};
/* One transaction with the outbox: removing the callback fails what is pending. *secret_kept: the sealed
 * secret is now the agent's. */
bool agents_change(struct db *db, uint64_t id, const struct agent_change *change, bool *secret_kept);

/* By the id that agents see; 1 found, 0 unknown, -1 the database failed. */
int agents_by_uuid(struct db *db, struct arena *arena, const struct uuid *uuid, struct agent *out);
/* Agents behind `after_id` in the order of registration, of one tier unless it is NULL; at most `max` into
 * `out`. Their number, -1 when the database failed. */
int agents_page(struct db *db, struct arena *arena, const char *tier, uint64_t after_id, struct agent *out,
                unsigned max);
/* Unchanged is no failure. */
bool agents_set_tier(struct db *db, uint64_t id, const char *tier);
bool agents_set_status(struct db *db, uint64_t id, enum agent_status status);

/* Adds to the counters of requests; folded in from shared memory. An unknown agent is no failure. */
bool agents_count_requests(struct db *db, const struct uuid *uuid, uint64_t requests, int64_t last_active_ms);

/* Inside a transaction that writes a swap: +1 or -1 for the status that lists show. */
bool agents_count_swap(struct db *db, uint64_t id, int pending, int submitted, int completed, int failed);

#endif
