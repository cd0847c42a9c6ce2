#include "store/transactions.h"

#include "store/columns.h"
#include "store/executions.h"
#include "store/states.h"

/* Columns of transaction `t`, from column `i` of `st` on. */
#define TRANSACTION(FIRST, NEXT)                                                                             \
    EFFECT(FIRST, NEXT, "t", t->effect)                                                                      \
    NEXT("t.leg", t->leg = (enum tx_leg)col_u64(st, i))                                                      \
    NEXT("t.chain_id", t->chain_id = col_u64(st, i))                                                         \
    NEXT("t.nonce", t->has_nonce = col_maybe_u64(st, i, &t->nonce))                                          \
    NEXT("t.kind", t->kind = (enum tx_kind)col_u64(st, i))                                                   \
    NEXT("t.hash", col_tx_hash(st, i, &t->hash))                                                             \
    NEXT("t.raw", t->raw = col_bytes(st, i, a, &t->raw_len))                                                 \
    NEXT("t.expiry", t->expiry = col_u64(st, i))                                                             \
    NEXT("t.gas_limit", t->gas_limit = col_u64(st, i))                                                       \
    NEXT("t.max_fee", t->max_fee = col_u256(st, i))                                                          \
    NEXT("t.priority_fee", t->priority_fee = col_u256(st, i))                                                \
    NEXT("t.value", t->value = col_u256(st, i))                                                              \
    NEXT("t.token", col_address_bytes(st, i, &t->token))                                                     \
    NEXT("t.token_amount", t->token_amount = col_u256(st, i))                                                \
    NEXT("t.spender", col_address_bytes(st, i, &t->spender))                                                 \
    NEXT("t.block_number", t->block_number = col_u64(st, i))                                                 \
    NEXT("t.submit_via", t->submit_via = col_text(st, i, a))

#define SELECT    "SELECT " TRANSACTION(FIRST_NAME, NEXT_NAME) " FROM "
#define ANY_STATE "state IN (" SQL_OPEN ", " SQL_INCLUDED ", " SQL_SETTLED ", " SQL_LOST ")"

static const char ADD[] =
    "INSERT INTO transactions (execution_id, leg, wallet_id, chain_id, nonce, kind, state, hash, raw,"
    " expiry, gas_limit, max_fee, priority_fee, value, token, token_amount, spender, submit_via, created_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3))";
static const char RESERVED[] =
    "SELECT nonce, kind, gas_limit, max_fee, value, token, token_amount, id FROM transactions"
    " WHERE wallet_id = ? AND chain_id = ? AND state IN " SQL_UNSETTLED
    " AND (block_number IS NULL OR block_number > ?) ORDER BY nonce";
static const char UNPLACED[] =
    "SELECT id, hash FROM transactions WHERE wallet_id = ? AND chain_id = ? AND state IN " SQL_UNSETTLED
    " AND block_number IS NULL AND hash IS NOT NULL ORDER BY nonce, id LIMIT 32";
static const char OF_EXECUTION[] =
    SELECT "transactions t WHERE t.execution_id = ? ORDER BY t.leg, t.nonce, t.id";
static const char OF_EXECUTIONS[] = SELECT "transactions t WHERE t.execution_id IN (" VALUES_16
                                           ") ORDER BY t.execution_id, t.leg, t.nonce, t.id";
static const char CLAIMED[] = SELECT "executions e JOIN transactions t ON t.execution_id = e.id"
                                     " WHERE e.lease_owner = ? ORDER BY t.execution_id, t.leg, t.nonce, t.id";
static const char ALLOWED[] =
    "SELECT token FROM (SELECT nonce, kind, token FROM transactions"
    " WHERE wallet_id = ? AND chain_id = ? AND state = " SQL_SETTLED " ORDER BY nonce DESC LIMIT 64) last"
    " WHERE kind = ? AND token IS NOT NULL ORDER BY nonce DESC";
static const char BROADCAST[] =
    "UPDATE transactions SET broadcasts = broadcasts + 1, accepted = accepted OR ?, refusals = refusals + ?,"
    " last_reply = ?, broadcast_at = UTC_TIMESTAMP(3) WHERE id = ?";
static const char IN_BLOCK[] = "UPDATE transactions SET block_number = ?, succeeded = ?, state = ?"
                               " WHERE id = ? AND state IN " SQL_UNSETTLED;
#define SETTLE                                                                                               \
    "UPDATE transactions SET state = IF(id = ?, " SQL_SETTLED ", " SQL_LOST "),"                             \
    " block_number = IF(id = ?, ?, block_number), succeeded = IF(id = ?, ?, succeeded)"
static const char SETTLE_NONCE[] =
    SETTLE " WHERE wallet_id = ? AND chain_id = ? AND " ANY_STATE " AND nonce = ?";
static const char SETTLE_ALONE[] = SETTLE " WHERE id = ?";
static const char NONCE_KNOWN[] = "SELECT 1 FROM transactions WHERE wallet_id = ? AND chain_id = ?"
                                  " AND " ANY_STATE " AND nonce = ? LIMIT 1";
static const char NONCE_SETTLED[] =
    "SELECT execution_id, COALESCE(block_number, 0) FROM transactions WHERE wallet_id = ? AND chain_id = ?"
    " AND state IN (" SQL_SETTLED ", " SQL_LOST ") AND nonce = ? ORDER BY state LIMIT 1";
static const char OPEN_AGAIN[] =
    "UPDATE transactions SET state = " SQL_OPEN ", block_number = NULL, succeeded = NULL"
    " WHERE execution_id = ? AND state IN (" SQL_SETTLED ", " SQL_LOST ")";
static const char RELY[] =
    "SELECT 1 FROM transactions WHERE wallet_id = ? AND chain_id = ?"
    " AND state IN " SQL_UNSETTLED " AND execution_id <> ? AND token = ? AND spender = ? LIMIT 1";
static const char HASH_KNOWN[] = "SELECT 1 FROM transactions WHERE hash = ?";
static const char NONCE_LOST[] =
    "UPDATE transactions SET state = " SQL_LOST " WHERE wallet_id = ? AND chain_id = ?"
    " AND state IN " SQL_UNSETTLED " AND nonce = ?";
static const char LOST[] =
    "UPDATE transactions SET state = " SQL_LOST " WHERE id = ? AND state IN " SQL_UNSETTLED;

bool transactions_add(struct db *db, struct transaction *t)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_u64(st, t->effect.execution_id);
    bind_u64(st, t->leg);
    bind_u64(st, t->effect.wallet_id);
    bind_u64(st, t->chain_id);
    bind_maybe_u64(st, t->has_nonce, t->nonce);
    bind_u64(st, t->kind);
    bind_u64(st, EFFECT_OPEN);
    bind_tx_hash(st, &t->hash);
    bind_bytes(st, t->raw, t->raw_len);
    bind_u64_or_null(st, t->expiry);
    bind_u64(st, t->gas_limit);
    bind_u256(st, &t->max_fee);
    bind_u256(st, &t->priority_fee);
    bind_u256(st, &t->value);
    bind_address_bytes(st, &t->token);
    bind_maybe_u256(st, t->token.len != 0 ? &t->token_amount : NULL);
    bind_address_bytes(st, &t->spender);
    bind_text(st, t->submit_via);
    if (db_exec(st) != 1)
        return false;
    t->effect.id = db_insert_id(db);
    t->effect.state = EFFECT_OPEN;
    return true;
}

/* value + gas limit * max fee of the current row. */
static bool row_cost(struct stmt *st, struct u256 *out)
{
    return u256_mul(out, u256_from_u64(col_u64(st, 2)), col_u256(st, 3)) &&
           u256_add(out, *out, col_u256(st, 4));
}

static bool row_takes_token(struct stmt *st, const struct address_bytes *token)
{
    struct address_bytes spent;

    col_address_bytes(st, 5, &spent);
    return col_u64(st, 1) == TX_SPEND && spent.len != 0 && address_bytes_equal(&spent, token);
}

static void raise_to(struct u256 *max, struct u256 v)
{
    if (u256_cmp(*max, v) < 0)
        *max = v;
}

static bool add_nonce(struct reservation *sum, const struct reservation *one)
{
    return u256_add(&sum->native, sum->native, one->native) && u256_add(&sum->token, sum->token, one->token);
}

/* The current row, or one that it competes with, has done already what it does to balances at `seen`. */
static bool row_is_placed(struct stmt *st, const struct unplaced_list *placed, uint64_t seen)
{
    uint64_t id = col_u64(st, 7);

    for (unsigned i = 0; i < placed->count; i++)
        if (placed->list[i].id == id)
            return placed->list[i].block != 0 && placed->list[i].block <= seen;
    return false;
}

bool transactions_reserved(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t seen,
                           const struct address_bytes *token, const struct unplaced_list *placed,
                           struct reservation *out)
{
    static const struct reservation none = { { { 0 } }, { { 0 } } };
    struct stmt *st = db_prepare(db, RESERVED);
    struct reservation one = none;
    uint64_t nonce = 0;
    bool has_nonce = false, is_placed = false, ok = true;

    *out = none;
    bind_u64(st, wallet_id);
    bind_u64(st, chain_id);
    bind_u64(st, seen);
    if (!db_query(st))
        return false;
    while (db_next(st)) {
        struct u256 cost;

        if (!has_nonce || col_u64(st, 0) != nonce) { /* without a nonce each is carried out by itself */
            ok = ok && (is_placed || add_nonce(out, &one));
            one = none;
            is_placed = false;
            has_nonce = col_maybe_u64(st, 0, &nonce);
        }
        is_placed = is_placed || row_is_placed(st, placed, seen);
        ok = ok && row_cost(st, &cost);
        if (ok)
            raise_to(&one.native, cost);
        if (row_takes_token(st, token))
            raise_to(&one.token, col_u256(st, 6));
    }
    return ok && (is_placed || add_nonce(out, &one));
}

bool transactions_unplaced(struct db *db, struct arena *a, uint64_t wallet_id, uint64_t chain_id,
                           struct unplaced_list *out)
{
    struct stmt *st = db_prepare(db, UNPLACED);

    *out = (struct unplaced_list){ ARENA_ARRAY(a, struct unplaced, UNPLACED_MAX), 0 };
    bind_u64(st, wallet_id);
    bind_u64(st, chain_id);
    if (!db_query(st))
        return false;
    while (db_next(st) && out->count < UNPLACED_MAX) {
        struct unplaced *u = &out->list[out->count++];

        *u = (struct unplaced){ .id = col_u64(st, 0) };
        col_tx_hash(st, 1, &u->hash);
    }
    return true;
}

static void read_transaction(struct stmt *st, struct arena *a, struct transaction *t)
{
    unsigned i = 0;

    *t = (struct transaction){ .nonce = 0 };
    TRANSACTION(READ_FIRST, READ_NEXT)
}

static int read_transactions(struct stmt *st, struct arena *a, struct transaction **out)
{
    int n = 0;

    *out = NULL;
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_transaction(st, a, &(*out)[n++]);
    }
    return n;
}

int transactions_of(struct db *db, struct arena *a, uint64_t execution_id, struct transaction **out)
{
    struct stmt *st = db_prepare(db, OF_EXECUTION);

    bind_u64(st, execution_id);
    return read_transactions(st, a, out);
}

int transactions_of_all(struct db *db, struct arena *a, const uint64_t *execution_ids, size_t n,
                        struct transaction **out)
{
    struct stmt *st = db_prepare(db, OF_EXECUTIONS);

    bind_ids(st, execution_ids, n, EXECUTIONS_AT_ONCE);
    return read_transactions(st, a, out);
}

int transactions_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct transaction **out)
{
    struct stmt *st = db_prepare(db, CLAIMED);

    bind_uuid(st, owner);
    return read_transactions(st, a, out);
}

bool transactions_broadcast(struct db *db, const struct broadcast *o)
{
    struct stmt *st = db_prepare(db, BROADCAST);

    bind_broadcast(st, o);
    return db_exec(st) >= 0;
}

bool transactions_in_block(struct db *db, uint64_t id, uint64_t block, bool succeeded)
{
    struct stmt *st = db_prepare(db, IN_BLOCK);

    bind_u64_or_null(st, block);
    bind_maybe_u64(st, block != 0, succeeded);
    bind_u64(st, block != 0 ? EFFECT_INCLUDED : EFFECT_OPEN);
    bind_u64(st, id);
    return db_exec(st) >= 0;
}

static void bind_nonce(struct stmt *st, uint64_t wallet_id, uint64_t chain_id, uint64_t nonce)
{
    bind_u64(st, wallet_id);
    bind_u64(st, chain_id);
    bind_u64(st, nonce);
}

bool transactions_settled(struct db *db, const struct transaction *winner, uint64_t block, bool succeeded)
{
    const struct effect *e = &winner->effect;
    struct stmt *st = db_prepare(db, winner->has_nonce ? SETTLE_NONCE : SETTLE_ALONE);

    bind_u64(st, e->id);
    bind_u64(st, e->id);
    bind_u64(st, block);
    bind_u64(st, e->id);
    bind_u64(st, succeeded);
    if (winner->has_nonce)
        bind_nonce(st, e->wallet_id, winner->chain_id, winner->nonce);
    else
        bind_u64(st, e->id);
    return db_exec(st) >= 0;
}

static bool addresses_have(const struct address_bytes *list, unsigned n, const struct address_bytes *one)
{
    while (n > 0 && !address_bytes_equal(&list[n - 1], one))
        n--;
    return n > 0;
}

int transactions_allowed(struct db *db, uint64_t wallet_id, uint64_t chain_id, struct address_bytes *out,
                         unsigned max)
{
    struct stmt *st = db_prepare(db, ALLOWED);
    unsigned n = 0;

    bind_u64(st, wallet_id);
    bind_u64(st, chain_id);
    bind_u64(st, TX_APPROVAL);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        struct address_bytes token;

        col_address_bytes(st, 0, &token);
        if (n < max && !addresses_have(out, n, &token))
            out[n++] = token;
    }
    return (int)n;
}

enum lookup transactions_nonce_known(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t nonce)
{
    struct stmt *st = db_prepare(db, NONCE_KNOWN);

    bind_nonce(st, wallet_id, chain_id, nonce);
    return db_one(st);
}

enum lookup transactions_nonce_settled(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t nonce,
                                       uint64_t *execution_id, uint64_t *block)
{
    struct stmt *st = db_prepare(db, NONCE_SETTLED);
    enum lookup found;

    bind_nonce(st, wallet_id, chain_id, nonce);
    found = db_one(st);
    if (found == LOOKUP_FOUND) {
        *execution_id = col_u64(st, 0);
        *block = col_u64(st, 1);
    }
    return found;
}

bool transactions_open_again(struct db *db, uint64_t execution_id)
{
    struct stmt *st = db_prepare(db, OPEN_AGAIN);

    bind_u64(st, execution_id);
    return db_exec(st) >= 0;
}

enum lookup transactions_rely(struct db *db, uint64_t execution_id, uint64_t wallet_id, uint64_t chain_id,
                              const struct address_bytes *token, const struct address_bytes *spender)
{
    struct stmt *st = db_prepare(db, RELY);

    bind_u64(st, wallet_id);
    bind_u64(st, chain_id);
    bind_u64(st, execution_id);
    bind_address_bytes(st, token);
    bind_address_bytes(st, spender);
    return db_one(st);
}

enum lookup transactions_hash_known(struct db *db, const struct tx_hash *hash)
{
    struct stmt *st = db_prepare(db, HASH_KNOWN);

    bind_tx_hash(st, hash);
    return db_one(st);
}

bool transactions_lost(struct db *db, uint64_t id)
{
    struct stmt *st = db_prepare(db, LOST);

    bind_u64(st, id);
    return db_exec(st) >= 0;
}

bool transactions_nonce_lost(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t nonce)
{
    struct stmt *st = db_prepare(db, NONCE_LOST);

    bind_nonce(st, wallet_id, chain_id, nonce);
    return db_exec(st) >= 0;
}
