/* Answers made of what third parties said, kept for a moment for all workers of all hosts. One worker asks
 * the third party; the others wait for its answer. */
#ifndef STORE_UPSTREAM_CACHE_H
#define STORE_UPSTREAM_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "codec/hash.h"
#include "store/db.h"

enum { UPSTREAM_ANSWER_MAX = 4 * 1024 * 1024 };

enum upstream_answer {
    ANSWER_CACHED, /* *text is it */
    ANSWER_MINE,   /* there is none: the caller has to ask, and to put or to drop it */
    ANSWER_ASKED,  /* another process is asking */
    ANSWER_FAILED, /* the database */
};

/* `question` identifies it; life_ms: how old it may be; lease_ms: how long the process that has to ask may
 * take. `asker` is the caller's own. *age_ms: how old the one that is kept is. */
enum upstream_answer upstream_cache_take(struct db *db, struct arena *a,
                                         const uint8_t question[static HASH_LEN], unsigned life_ms,
                                         unsigned lease_ms, const struct uuid *asker, const char **text,
                                         unsigned *age_ms);

/* The last answer to a question, however old. */
struct upstream_last {
    uint8_t question[HASH_LEN];
    const char *text; /* NULL: there is none */
    int64_t made_ms;
};

enum { UPSTREAM_LAST_MAX = 5 };

/* Reads those to `n` questions at once, and what the database's clock says: 0 where there is none at all. */
bool upstream_cache_last(struct db *db, struct arena *a, struct upstream_last *list, size_t n,
                         int64_t *now_ms);
/* UNCHANGED: the lease was over, and another process is asking. */
enum db_update upstream_cache_put(struct db *db, const uint8_t question[static HASH_LEN],
                                  const struct uuid *asker, const char *text, size_t len);
/* Stores an answer that the caller got without asking here; may be inside a transaction. */
bool upstream_cache_note(struct db *db, const uint8_t question[static HASH_LEN], const char *text,
                         size_t len);
/* There will be none from this asker: the next one may ask. */
bool upstream_cache_drop(struct db *db, const uint8_t question[static HASH_LEN], const struct uuid *asker);
/* Removes up to `max` that were not renewed for an hour. Returns how many. */
int64_t upstream_cache_purge(struct db *db, uint64_t max);

#endif
