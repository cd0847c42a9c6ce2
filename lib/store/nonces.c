#include "store/nonces.h"

static const char GET[] = "SELECT top, span, block, hash FROM foreign_nonces"
                          " WHERE wallet_id = ? AND chain_id = ? AND nonce = ?";
static const char PUT[] = "REPLACE INTO foreign_nonces (wallet_id, chain_id, nonce, top, span, block, hash)"
                          " VALUES (?, ?, ?, ?, ?, ?, ?)";
static const char END[] = "DELETE FROM foreign_nonces WHERE wallet_id = ? AND chain_id = ?"
                          " AND nonce BETWEEN ? AND ?";

static struct stmt *nonce_prepare(struct db *db, const char *sql, const struct taken_nonce *n)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, n->wallet_id);
    bind_u64(st, n->chain_id);
    bind_u64(st, n->nonce);
    return st;
}

enum lookup nonces_taken_get(struct db *db, struct taken_nonce *n)
{
    struct stmt *st = nonce_prepare(db, GET, n);
    enum lookup found = db_one(st);

    if (found != LOOKUP_FOUND)
        return found;
    n->top = col_u64(st, 0);
    n->span = col_u64(st, 1);
    n->block = col_u64(st, 2);
    n->found = col_fixed(st, 3, n->hash, sizeof n->hash);
    return LOOKUP_FOUND;
}

bool nonces_taken_put(struct db *db, const struct taken_nonce *n)
{
    struct stmt *st = nonce_prepare(db, PUT, n);

    bind_u64(st, n->top);
    bind_u64(st, n->span);
    bind_u64(st, n->block);
    bind_bytes(st, n->found ? n->hash : NULL, sizeof n->hash);
    return db_exec(st) >= 0;
}

bool nonces_taken_end(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t first, uint64_t last)
{
    struct stmt *st = db_prepare(db, END);

    bind_u64(st, wallet_id);
    bind_u64(st, chain_id);
    bind_u64(st, first);
    bind_u64(st, last);
    return db_exec(st) >= 0;
}
