#include "store/transactions.h"

#define TX_COLUMNS                                                                                           \
    "t.id, t.swap_id, t.wallet_id, t.chain_id, t.nonce, t.kind, t.state, t.hash, t.raw, t.gas_limit,"        \
    " t.max_fee, t.priority_fee, t.value, t.token, t.token_amount, t.spender, t.block_number, t.succeeded,"  \
    " t.offers, t.accepted, t.refusals, t.offered_at, t.created_at, t.said"

static const char ADD_TX[] = "INSERT INTO transactions (swap_id, wallet_id, chain_id, nonce, kind, state, "
                             "hash, raw, gas_limit, max_fee,"
                             " priority_fee, value, token, token_amount, spender, created_at)"
                             " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3))";
static const char UNSETTLED[] =
    "SELECT nonce, kind, gas_limit, max_fee, value, token, token_amount FROM transactions"
    " WHERE wallet_id = ? AND chain_id = ? AND state IN (1, 2)"
    " AND (block_number IS NULL OR block_number > ?) ORDER BY nonce";
static const char TXS[] =
    "SELECT " TX_COLUMNS " FROM transactions t WHERE t.swap_id = ? ORDER BY t.nonce, t.id";
static const char CLAIMED_TXS[] = "SELECT " TX_COLUMNS " FROM swaps s JOIN transactions t ON t.swap_id = s.id"
                                  " WHERE s.lease_owner = ? ORDER BY t.swap_id, t.nonce, t.id";
static const char OFFERED[] =
    "UPDATE transactions SET offers = offers + 1, accepted = accepted OR ?, refusals = refusals + ?,"
    " said = ?, offered_at = UTC_TIMESTAMP(3) WHERE id = ?";
static const char IN_BLOCK[] = "UPDATE transactions SET block_number = ?, succeeded = ?, state = IF(?, 2, 1)"
                               " WHERE id = ? AND state IN (1, 2)";
static const char SETTLED[] =
    "UPDATE transactions SET state = IF(id = ?, 3, 4), block_number = IF(id = ?, ?, block_number),"
    " succeeded = IF(id = ?, ?, succeeded) WHERE wallet_id = ? AND chain_id = ?"
    " AND state IN (1, 2, 3, 4) AND nonce = ?";
static const char NONCE_KNOWN[] = "SELECT 1 FROM transactions WHERE wallet_id = ? AND chain_id = ?"
                                  " AND state IN (1, 2, 3, 4) AND nonce = ? LIMIT 1";
static const char LOST[] = "UPDATE transactions SET state = 4 WHERE wallet_id = ? AND chain_id = ?"
                           " AND state IN (1, 2) AND nonce = ?";

bool transactions_add(struct db *db, struct transaction *t)
{
    struct stmt *st = db_prepare(db, ADD_TX);

    bind_u64(st, t->execution_id);
    bind_u64(st, t->wallet_id);
    bind_u64(st, t->chain_id);
    bind_u64(st, t->nonce);
    bind_u64(st, t->kind);
    bind_u64(st, EFFECT_OPEN);
    bind_bytes(st, t->hash, sizeof t->hash);
    bind_bytes(st, t->raw, t->raw_len);
    bind_u64(st, t->gas_limit);
    bind_u256(st, &t->max_fee);
    bind_u256(st, &t->priority_fee);
    bind_u256(st, &t->value);
    bind_bytes(st, t->has_token ? t->token : NULL, sizeof t->token);
    if (t->has_token)
        bind_u256(st, &t->token_amount);
    else
        bind_bytes(st, NULL, 0);
    bind_bytes(st, t->has_token ? t->spender : NULL, sizeof t->spender);
    if (db_exec(st) != 1)
        return false;
    t->id = db_insert_id(db);
    t->state = EFFECT_OPEN;
    return true;
}

/* value + gas limit * max fee of the current row. */
static bool row_cost(struct stmt *st, struct u256 *out)
{
    return u256_mul(out, u256_from_u64(col_u64(st, 2)), col_u256(st, 3)) &&
           u256_add(out, *out, col_u256(st, 4));
}

static bool row_takes_token(struct stmt *st, const uint8_t token[static 20])
{
    uint8_t spent[20];

    return col_u64(st, 1) == TX_SPEND && col_fixed(st, 5, spent, sizeof spent) &&
           memcmp(spent, token, sizeof spent) == 0;
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

bool transactions_reserved(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t seen,
                           const uint8_t token[static 20], struct reservation *out)
{
    struct stmt *st = db_prepare(db, UNSETTLED);
    struct reservation one = { U256_ZERO, U256_ZERO };
    uint64_t nonce = 0;
    bool ok = true;

    *out = one;
    bind_u64(st, wallet_id);
    bind_u64(st, chain_id);
    bind_u64(st, seen);
    if (!db_query(st))
        return false;
    while (db_next(st)) {
        struct u256 cost;

        if (col_u64(st, 0) != nonce) {
            ok = ok && add_nonce(out, &one);
            one = (struct reservation){ U256_ZERO, U256_ZERO };
            nonce = col_u64(st, 0);
        }
        ok = ok && row_cost(st, &cost);
        if (ok)
            raise_to(&one.native, cost);
        if (row_takes_token(st, token))
            raise_to(&one.token, col_u256(st, 6));
    }
    return ok && add_nonce(out, &one);
}

static void read_tx(struct stmt *st, struct arena *a, struct transaction *t)
{
    *t = (struct transaction){
        .id = col_u64(st, 0),
        .execution_id = col_u64(st, 1),
        .wallet_id = col_u64(st, 2),
        .chain_id = col_u64(st, 3),
        .nonce = col_u64(st, 4),
        .kind = (enum tx_kind)col_u64(st, 5),
        .state = (enum effect_state)col_u64(st, 6),
        .gas_limit = col_u64(st, 9),
        .max_fee = col_u256(st, 10),
        .priority_fee = col_u256(st, 11),
        .value = col_u256(st, 12),
        .token_amount = col_u256(st, 14),
        .block_number = col_u64(st, 16),
        .succeeded = col_u64(st, 17) != 0,
        .offers = (unsigned)col_u64(st, 18),
        .accepted = col_u64(st, 19) != 0,
        .refusals = (unsigned)col_u64(st, 20),
        .offered_ms = col_ms(st, 21),
        .created_ms = col_ms(st, 22),
        .said = (enum broadcast_result)col_u64(st, 23),
    };
    (void)col_fixed(st, 7, t->hash, sizeof t->hash);
    t->raw = col_bytes(st, 8, a, &t->raw_len);
    t->has_token = col_fixed(st, 13, t->token, sizeof t->token);
    (void)col_fixed(st, 15, t->spender, sizeof t->spender);
}

static int read_txs(struct stmt *st, struct arena *a, struct transaction **out)
{
    int n = 0;

    *out = NULL;
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_tx(st, a, &(*out)[n++]);
    }
    return n;
}

int transactions_of(struct db *db, struct arena *a, uint64_t execution_id, struct transaction **out)
{
    struct stmt *st = db_prepare(db, TXS);

    bind_u64(st, execution_id);
    return read_txs(st, a, out);
}

int transactions_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct transaction **out)
{
    struct stmt *st = db_prepare(db, CLAIMED_TXS);

    bind_uuid(st, owner);
    return read_txs(st, a, out);
}

bool transactions_broadcast(struct db *db, const struct broadcast *o)
{
    struct stmt *st = db_prepare(db, OFFERED);

    bind_u64(st, o->said == BROADCAST_ACCEPTED);
    bind_u64(st, o->said == BROADCAST_NO_FUNDS || o->said == BROADCAST_REFUSED);
    bind_u64(st, o->said);
    bind_u64(st, o->id);
    return db_exec(st) >= 0;
}

bool transactions_in_block(struct db *db, uint64_t id, uint64_t block, bool succeeded)
{
    struct stmt *st = db_prepare(db, IN_BLOCK);

    bind_u64_or_null(st, block);
    if (block != 0)
        bind_u64(st, succeeded);
    else
        bind_u64_or_null(st, 0);
    bind_u64(st, block != 0);
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
    struct stmt *st = db_prepare(db, SETTLED);

    bind_u64(st, winner->id);
    bind_u64(st, winner->id);
    bind_u64(st, block);
    bind_u64(st, winner->id);
    bind_u64(st, succeeded);
    bind_nonce(st, winner->wallet_id, winner->chain_id, winner->nonce);
    return db_exec(st) >= 0;
}

int transactions_nonce_known(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t nonce)
{
    struct stmt *st = db_prepare(db, NONCE_KNOWN);

    bind_nonce(st, wallet_id, chain_id, nonce);
    return db_one(st);
}

bool transactions_nonce_lost(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t nonce)
{
    struct stmt *st = db_prepare(db, LOST);

    bind_nonce(st, wallet_id, chain_id, nonce);
    return db_exec(st) >= 0;
}
