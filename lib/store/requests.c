#include "store/requests.h"

#include <string.h>

#include "store/columns.h"
#include "store/states.h"

/* Columns of request `r`, from column `i` of `st` on. */
#define REQUEST(FIRST, NEXT)                                                                                 \
    EFFECT(FIRST, NEXT, "r", r->effect)                                                                      \
    NEXT("r.venue", col_string(st, i, r->venue, sizeof r->venue))                                            \
    NEXT("r.venue_key", (void)col_fixed(st, i, r->venue_key, sizeof r->venue_key))                           \
    NEXT("r.signing_key", r->signing_key = col_bytes(st, i, a, &r->signing_key_len))                         \
    NEXT("r.nonce", r->has_nonce = col_maybe_u64(st, i, &r->nonce))                                          \
    NEXT("r.body", r->body = col_bytes(st, i, a, &r->body_len))                                              \
    NEXT("r.expires_at", r->expires_ms = col_ms(st, i))                                                      \
    NEXT("r.unknown_at", r->unknown_ms = col_ms(st, i))                                                      \
    NEXT("r.venue_ref", col_string(st, i, r->venue_ref, sizeof r->venue_ref))                                \
    NEXT("r.tx_hash", col_tx_hash(st, i, &r->tx_hash))                                                       \
    NEXT("r.refusal_code", r->refusal_code = col_text(st, i, a))                                             \
    NEXT("r.refusal", r->refusal = col_text(st, i, a))

#define SELECT "SELECT " REQUEST(FIRST_NAME, NEXT_NAME) " FROM "

static const char ADD[] =
    "INSERT INTO requests (execution_id, wallet_id, venue, venue_key, signing_key, nonce, state, body,"
    " expires_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3))";
static const char OF_EXECUTION[] = SELECT "requests r WHERE r.execution_id = ? ORDER BY r.id";
static const char CLAIMED[] = SELECT "executions e JOIN requests r ON r.execution_id = e.id"
                                     " WHERE e.lease_owner = ? ORDER BY r.execution_id, r.id";
static const char BROADCAST[] =
    "UPDATE requests SET broadcasts = broadcasts + 1, accepted = accepted OR ?, refusals = refusals + ?,"
    " state = IF(accepted AND state = " SQL_OPEN ", " SQL_INCLUDED ", state), last_reply = ?,"
    " broadcast_at = UTC_TIMESTAMP(3) WHERE id = ?";
/* `state` is the new one behind its assignment. */
static const char MOVE[] =
    "UPDATE requests SET state = ?, succeeded = IF(?, ?, NULL), accepted = accepted AND state <> " SQL_OPEN
    ", venue_ref = IF(state = " SQL_OPEN ", NULL, venue_ref) WHERE id = ? AND state = ?";
static const char RENEW[] = "UPDATE requests r JOIN executions e ON e.id = r.execution_id SET r.state = ?"
                            " WHERE r.id = ? AND r.state = ? AND r.broadcasts = 1 AND e.lease_owner IS NULL";
static const char LIVE_UNTIL[] = "UPDATE requests SET expires_at = ? WHERE id = ? AND state = " SQL_OPEN;
static const char SIGN_ANEW[] = "UPDATE requests SET venue_key = ?, body = ?, expires_at = ?"
                                " WHERE id = ? AND state = " SQL_OPEN " AND NOT accepted";
static const char ANSWERED[] =
    "UPDATE requests SET state = " SQL_SETTLED ", succeeded = ?, broadcasts = broadcasts + 1,"
    " accepted = accepted OR ?, refusals = refusals + ?, last_reply = ?, broadcast_at = UTC_TIMESTAMP(3)"
    " WHERE id = ? AND state = ?";
static const char TOLD[] = "UPDATE requests SET venue_ref = COALESCE(?, venue_ref),"
                           " tx_hash = COALESCE(?, tx_hash) WHERE id = ?";
static const char REFUSED[] = "UPDATE requests SET refusal_code = ?, refusal = ? WHERE id = ?";
/* Found by the index while the statement is planned. */
#define LAST_ID "(SELECT MAX(id) FROM requests WHERE wallet_id = ? AND venue = ?)"
static const char LAST[] = SELECT "requests r WHERE r.id = " LAST_ID;
static const char LAST_BRIEF[] = "SELECT r.state, e.kind, e.amount_in, e.updated_at FROM requests r"
                                 " JOIN executions e ON e.id = r.execution_id WHERE r.id = " LAST_ID;
static const char UNKNOWN[] = "UPDATE requests SET unknown_at = UTC_TIMESTAMP(3) WHERE id = ?";

bool requests_add(struct db *db, struct venue_request *r)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_u64(st, r->effect.execution_id);
    bind_u64(st, r->effect.wallet_id);
    bind_text(st, r->venue);
    bind_bytes(st, r->venue_key, sizeof r->venue_key);
    bind_bytes(st, r->signing_key, r->signing_key_len);
    bind_maybe_u64(st, r->has_nonce, r->nonce);
    bind_u64(st, EFFECT_OPEN);
    bind_bytes(st, r->body, r->body_len);
    bind_ms(st, r->expires_ms);
    if (db_exec(st) != 1)
        return false;
    r->effect.id = db_insert_id(db);
    r->effect.state = EFFECT_OPEN;
    return true;
}

static void read_request(struct stmt *st, struct arena *a, struct venue_request *r)
{
    unsigned i = 0;

    *r = (struct venue_request){ .nonce = 0 };
    REQUEST(READ_FIRST, READ_NEXT)
}

static int read_requests(struct stmt *st, struct arena *a, struct venue_request **out)
{
    int n = 0;

    *out = NULL;
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_request(st, a, &(*out)[n++]);
    }
    return n;
}

int requests_of(struct db *db, struct arena *a, uint64_t execution_id, struct venue_request **out)
{
    struct stmt *st = db_prepare(db, OF_EXECUTION);

    bind_u64(st, execution_id);
    return read_requests(st, a, out);
}

int requests_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct venue_request **out)
{
    struct stmt *st = db_prepare(db, CLAIMED);

    bind_uuid(st, owner);
    return read_requests(st, a, out);
}

bool requests_broadcast(struct db *db, const struct broadcast *o)
{
    struct stmt *st = db_prepare(db, BROADCAST);

    bind_broadcast(st, o);
    return db_exec(st) >= 0;
}

enum db_update requests_move(struct db *db, const struct effect *from, enum effect_state to, bool succeeded)
{
    struct stmt *st = db_prepare(db, MOVE);

    bind_u64(st, to);
    bind_u64(st, to == EFFECT_SETTLED);
    bind_u64(st, succeeded);
    bind_u64(st, from->id);
    bind_u64(st, from->state);
    return db_change(st);
}

enum db_update requests_renew(struct db *db, const struct effect *from)
{
    struct stmt *st = db_prepare(db, RENEW);

    bind_u64(st, EFFECT_RENEWED);
    bind_u64(st, from->id);
    bind_u64(st, from->state);
    return db_change(st);
}

bool requests_live_until(struct db *db, uint64_t id, int64_t expires_ms)
{
    struct stmt *st = db_prepare(db, LIVE_UNTIL);

    bind_ms(st, expires_ms);
    bind_u64(st, id);
    return db_exec(st) >= 0;
}

enum db_update requests_sign_anew(struct db *db, const struct venue_request *r)
{
    struct stmt *st = db_prepare(db, SIGN_ANEW);

    bind_bytes(st, r->venue_key, sizeof r->venue_key);
    bind_bytes(st, r->body, r->body_len);
    bind_ms(st, r->expires_ms);
    bind_u64(st, r->effect.id);
    return db_change(st);
}

enum db_update requests_answered(struct db *db, const struct effect *from, bool succeeded,
                                 const struct broadcast *o)
{
    struct stmt *st = db_prepare(db, ANSWERED);

    bind_u64(st, succeeded);
    bind_broadcast(st, o);
    bind_u64(st, from->state);
    return db_change(st);
}

bool requests_told(struct db *db, uint64_t id, const char *venue_ref, const struct tx_hash *tx_hash)
{
    struct stmt *st = db_prepare(db, TOLD);

    bind_bytes(st, venue_ref, venue_ref == NULL ? 0 : strlen(venue_ref));
    bind_tx_hash(st, tx_hash);
    bind_u64(st, id);
    return db_exec(st) >= 0;
}

bool requests_refused(struct db *db, uint64_t id, const char *code, const char *words)
{
    struct stmt *st = db_prepare(db, REFUSED);

    bind_ascii(st, code);
    bind_text(st, words);
    bind_u64(st, id);
    return db_exec(st) >= 0;
}

enum lookup requests_last(struct db *db, struct arena *a, uint64_t wallet_id, const char *venue,
                          struct venue_request *out)
{
    struct stmt *st = db_prepare(db, LAST);
    enum lookup found;

    bind_u64(st, wallet_id);
    bind_ascii(st, venue);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        read_request(st, a, out);
    return found;
}

enum lookup requests_last_brief(struct db *db, uint64_t wallet_id, const char *venue,
                                struct request_brief *out)
{
    struct stmt *st = db_prepare(db, LAST_BRIEF);
    enum lookup found;

    bind_u64(st, wallet_id);
    bind_ascii(st, venue);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        *out = (struct request_brief){ .state = (enum effect_state)col_u64(st, 0),
                                       .kind = (enum exec_kind_id)col_u64(st, 1),
                                       .amount_in = col_u256(st, 2),
                                       .updated_ms = col_ms(st, 3) };
    return found;
}

bool requests_unknown(struct db *db, uint64_t id)
{
    struct stmt *st = db_prepare(db, UNKNOWN);

    bind_u64(st, id);
    return db_exec(st) >= 0;
}
