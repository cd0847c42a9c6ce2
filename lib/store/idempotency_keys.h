/* Answers under an Idempotency-Key: one row per agent and scope, made before the work begins. */
#ifndef STORE_IDEMPOTENCY_KEYS_H
#define STORE_IDEMPOTENCY_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "codec/hash.h"
#include "store/db.h"

/* One run of a request. */
struct idem_run {
    uint64_t agent_id;
    uint8_t scope[HASH_LEN];       /* method, path and key */
    uint8_t fingerprint[HASH_LEN]; /* the body */
    bool has_terms;                /* what is asked for is known */
    uint8_t terms[HASH_LEN];       /* that, without the ids of what expires */
    struct uuid owner;             /* made for this run alone */
};

enum idem_state {
    IDEM_BEGUN,    /* ours to do, until the lease is over */
    IDEM_RUNNING,  /* another run is working on it */
    IDEM_OTHER,    /* the key was used with other terms */
    IDEM_RECORDED, /* done: here is the answer */
    IDEM_FULL,     /* the agent's records have reached their limit */
    IDEM_BROKEN,   /* the database failed */
};

struct idem_answer {
    int status;
    const char *body; /* in the arena; NULL: none is recorded yet */
};

/* The record under a key that was not taken. */
struct idem_found {
    struct idem_answer answer; /* while another run has it, the one so far */
    struct uuid owner;         /* of the run that has it, or had it last */
    bool running;              /* with IDEM_OTHER too */
};

enum {
    IDEM_ANSWER_MAX = 16 * 1024 /* bytes of an answer, for which room is kept while a run is in progress */
};

/* Takes the key for this run, if the agent's records leave room for its answer below `limit` bytes. A run
 * whose lease is over without an answer is taken over. The same request is one with the same body or the same
 * terms. */
enum idem_state idempotency_take(struct db *db, struct arena *a, const struct idem_run *run, unsigned lease_s,
                                 uint64_t limit, struct idem_found *out);

/* Takes a key whose recorded answer is not final, after the run of `owner`; that answer stays until there is
 * another. UNCHANGED: another run was first. */
enum db_update idempotency_go_on(struct db *db, const struct idem_run *run, const struct uuid *owner,
                                 unsigned lease_s);

/* Records the answer, in the work's own transaction where there is one. It counts in hold_s seconds; until
 * then the run may still record another. UNCHANGED if another run has taken over. */
enum db_update idempotency_record(struct db *db, const struct idem_run *run, const struct idem_answer *answer,
                                  unsigned hold_s);

/* Nothing was done: the key is free again. What was recorded stays, and is answered from now on. */
bool idempotency_drop(struct db *db, const struct idem_run *run);

/* The run has died: its lease ends now, and what it recorded is answered. */
bool idempotency_release(struct db *db, const struct idem_run *run);

/* Removes up to `max` expired rows. Returns how many. */
int64_t idempotency_expire(struct db *db, uint64_t max);

#endif
