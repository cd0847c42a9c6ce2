/* Signed requests to venues: the effects of an execution that are no transactions. */
#ifndef STORE_REQUESTS_H
#define STORE_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/execution.h"
#include "store/db.h"
#include "store/transactions.h"

/* ---- inside the execute transaction ---- */

/* Sets its id and state. Returns false if the database failed, or
 * (db_duplicate) if there is one for the venue with this key, or with this nonce of its signer. */
bool requests_add(struct db *db, struct venue_request *r);

/* ---- reading ---- */

/* Requests of one execution, in the order of signing; bytes in the arena. Returns how many. */
int requests_of(struct db *db, struct arena *a, uint64_t execution_id, struct venue_request **out);
/* Requests of all executions that the owner has claimed, by execution and order of signing. Returns how
 * many. */
int requests_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct venue_request **out);

/* The wallet's newest at the venue. */
enum lookup requests_last(struct db *db, struct arena *a, uint64_t wallet_id, const char *venue,
                          struct venue_request *out);

/* A request without its bytes. */
struct request_brief {
    enum effect_state state;
    enum exec_kind_id kind; /* of its execution, as all that follows */
    struct u256 amount_in;
    int64_t updated_ms;
};
enum lookup requests_last_brief(struct db *db, uint64_t wallet_id, const char *venue,
                                struct request_brief *out);

/* ---- following ---- */

/* An open request that was accepted is EFFECT_INCLUDED from then on. */
bool requests_broadcast(struct db *db, const struct broadcast *o);
/* Stores later news of the venue: its own id, the transaction; NULL: nothing new. */
bool requests_told(struct db *db, uint64_t id, const char *venue_ref, const struct tx_hash *tx_hash);
/* Stores the last refusal. */
bool requests_refused(struct db *db, uint64_t id, const char *code, const char *words);
/* From the state that it has: to EFFECT_INCLUDED when the venue has it, to EFFECT_SETTLED when the venue has
 * done with it, with how it ended, to EFFECT_LOST when the venue never took it and refuses it from now on, or
 * to EFFECT_OPEN when the venue has dropped it: then it was not accepted, and bears no id of the venue's.
 * UNCHANGED if it has another state by now. */
enum db_update requests_move(struct db *db, const struct effect *from, enum effect_state to, bool succeeded);
/* From the state that it has to EFFECT_RENEWED, if it was sent but once and no holder of its execution's
 * lease may be about to send it, or to record that; else UNCHANGED. */
enum db_update requests_renew(struct db *db, const struct effect *from);
/* One that is open lives until then. */
bool requests_live_until(struct db *db, uint64_t id, int64_t expires_ms);
/* Puts other bytes, with their key and end, into the place of those of one that is open and was not taken;
 * else UNCHANGED. */
enum db_update requests_sign_anew(struct db *db, const struct venue_request *r);
/* Records the reply to its sending, and moves it to EFFECT_SETTLED with that, as requests_move. */
enum db_update requests_answered(struct db *db, const struct effect *from, bool succeeded,
                                 const struct broadcast *o);
/* The venue said, past the end of its time, that it does not know it. */
bool requests_unknown(struct db *db, uint64_t id);

#endif
