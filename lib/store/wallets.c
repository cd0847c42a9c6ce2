#include "store/wallets.h"

#include <string.h>

#include "store/columns.h"

#define SELECT        "SELECT " WALLET(FIRST_NAME, NEXT_NAME, "wallets", w) " FROM wallets"
#define SELECT_PICKED "SELECT " WALLET_PICKED(FIRST_NAME, NEXT_NAME, "wallets", w) " FROM wallets"

/* The lock keeps a key from being added while the agent is deleted. */
static const char ADD[] =
    "INSERT INTO wallets (agent_id, uuid, agent_uuid, kind, address, sealed_key, created_at)"
    " SELECT id, ?, ?, ?, ?, ?, COALESCE(?, UTC_TIMESTAMP(3)) FROM agents WHERE id = ? LOCK IN SHARE MODE";
static const char LIST[] = SELECT " WHERE agent_id = ? ORDER BY id LIMIT 1000";
static const char PAGE[] = SELECT " WHERE agent_id = ? ORDER BY id LIMIT ? OFFSET ?";
static const char TOTAL[] = "SELECT COUNT(*) FROM wallets WHERE agent_id = ?";
static const char OLDEST[] = SELECT_PICKED " WHERE wallets.id = " WALLET_OLDEST;
static const char AT[] = SELECT_PICKED " WHERE agent_id = ? AND kind = ? AND address = ?";
static const char AFTER[] = SELECT " WHERE id > ? AND sealed_key <> '' ORDER BY id LIMIT ?";
static const char KNOWN[] = "SELECT 1 FROM wallets WHERE uuid = ?";
static const char GET[] = SELECT " WHERE id = ?";
static const char CLAIMED[] =
    SELECT " WHERE id IN (SELECT wallet_id FROM executions WHERE lease_owner = ?) ORDER BY id";
static const char OF_ACCOUNTS[] =
    SELECT " WHERE id IN (SELECT wallet_id FROM predict_accounts WHERE lease_owner = ?) ORDER BY id";
/* The nonces have no row before the wallet's first transaction. */
static const char LOCK[] =
    "SELECT w.version, n.next_nonce, UTC_TIMESTAMP(3) FROM wallets w"
    " LEFT JOIN wallet_nonces n ON n.wallet_id = w.id AND n.chain_id = ? WHERE w.id = ? AND w.sealed_key <> ''"
    " FOR UPDATE";
static const char NONCE_SET[] = "INSERT INTO wallet_nonces (wallet_id, chain_id, next_nonce) VALUES (?, ?, ?)"
                                " ON DUPLICATE KEY UPDATE next_nonce = VALUES(next_nonce)";

static const char NONCE[] =
    "SELECT COALESCE(MAX(next_nonce), 0) FROM wallet_nonces WHERE wallet_id = ? AND chain_id = ?";
static const char NONCE_RAISE[] =
    "INSERT INTO wallet_nonces (wallet_id, chain_id, next_nonce) VALUES (?, ?, ?)"
    " ON DUPLICATE KEY UPDATE next_nonce = GREATEST(next_nonce, VALUES(next_nonce))";

static const char TRACES[] =
    "(SELECT held_on, 0 FROM wallets WHERE agent_id = ? AND held_on <> '' LIMIT 1000) UNION ALL"
    " (SELECT DISTINCT '', kind FROM execution_totals WHERE agent_id = ?)";
static const char HOLDS_ON[] =
    "UPDATE wallets SET held_on = CONCAT_WS(',', NULLIF(held_on, ''), ?) WHERE agent_id = ? AND address = ?"
    " AND FIND_IN_SET(?, held_on) = 0 AND LENGTH(held_on) < 400";

enum db_update wallets_add(struct db *db, const struct wallet *w, int64_t created_ms)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_uuid(st, &w->ref.wallet);
    bind_uuid(st, &w->ref.agent);
    bind_u64(st, w->ref.kind);
    bind_text(st, w->ref.address);
    bind_bytes(st, w->sealed, sizeof w->sealed);
    bind_ms(st, created_ms);
    bind_u64(st, w->agent_id);
    return db_change(st);
}

static void read_wallet(struct stmt *st, struct wallet *w)
{
    unsigned i = 0;

    *w = (struct wallet){ .id = 0 };
    WALLET(READ_FIRST, READ_NEXT, "wallets", w)
}

static int read_wallets(struct stmt *st, struct arena *a, struct wallet **out)
{
    int n = 0;

    *out = NULL;
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_wallet(st, &(*out)[n++]);
    }
    return n;
}

int wallets_list(struct db *db, struct arena *a, uint64_t agent_id, struct wallet **out)
{
    struct stmt *st = db_prepare(db, LIST);

    bind_u64(st, agent_id);
    return read_wallets(st, a, out);
}

int wallets_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct wallet **out)
{
    struct stmt *st = db_prepare(db, CLAIMED);

    bind_uuid(st, owner);
    return read_wallets(st, a, out);
}

int wallets_of_accounts(struct db *db, struct arena *a, const struct uuid *owner, struct wallet **out)
{
    struct stmt *st = db_prepare(db, OF_ACCOUNTS);

    bind_uuid(st, owner);
    return read_wallets(st, a, out);
}

int wallets_page(struct db *db, uint64_t agent_id, const struct page *p, struct wallet *out, uint64_t *total)
{
    struct stmt *st = db_prepare(db, TOTAL);
    int n = 0;

    bind_u64(st, agent_id);
    if (db_one(st) != LOOKUP_FOUND)
        return -1;
    *total = col_u64(st, 0);
    st = db_prepare(db, PAGE);
    bind_u64(st, agent_id);
    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_wallet(st, &out[n++]);
    return n;
}

enum lookup wallets_pick(struct db *db, uint64_t agent_id, enum wallet_kind kind, const char *address,
                         struct wallet *out)
{
    struct stmt *st = db_prepare(db, address == NULL ? OLDEST : AT);
    struct wallet *w = out;
    enum lookup found;
    unsigned i = 0;

    bind_u64(st, agent_id);
    bind_u64(st, kind);
    if (address != NULL)
        bind_ascii(st, address);
    found = db_one(st);
    if (found != LOOKUP_FOUND)
        return found;
    *w = (struct wallet){ .id = 0 };
    WALLET_PICKED(READ_FIRST, READ_NEXT, "wallets", w)
    return LOOKUP_FOUND;
}

enum lookup wallets_get(struct db *db, uint64_t id, struct wallet *out)
{
    struct stmt *st = db_prepare(db, GET);

    bind_u64(st, id);
    enum lookup found = db_one(st);

    if (found == LOOKUP_FOUND)
        read_wallet(st, out);
    return found;
}

enum lookup wallets_lock(struct db *db, uint64_t id, uint64_t chain_id, struct wallet_locked *out)
{
    struct stmt *st = db_prepare(db, LOCK);
    enum lookup found;

    bind_u64(st, chain_id);
    bind_u64(st, id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        *out = (struct wallet_locked){ .turn = col_u64(st, 0),
                                       .next_nonce = col_u64(st, 1),
                                       .asked_ms = col_ms(st, 2) };
    return found;
}

static bool write_nonce(struct db *db, const char *sql, uint64_t id, uint64_t chain_id, uint64_t next)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, id);
    bind_u64(st, chain_id);
    bind_u64(st, next);
    return db_exec(st) >= 0;
}

bool wallets_nonce_set(struct db *db, uint64_t id, uint64_t chain_id, uint64_t next)
{
    return write_nonce(db, NONCE_SET, id, chain_id, next);
}

bool wallets_nonce_raise(struct db *db, uint64_t id, uint64_t chain_id, uint64_t next)
{
    return write_nonce(db, NONCE_RAISE, id, chain_id, next);
}

bool wallets_nonce(struct db *db, uint64_t id, uint64_t chain_id, uint64_t *next)
{
    struct stmt *st = db_prepare(db, NONCE);

    bind_u64(st, id);
    bind_u64(st, chain_id);
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    *next = col_u64(st, 0);
    return true;
}

int wallets_after(struct db *db, uint64_t after_id, struct wallet *out, unsigned max)
{
    struct stmt *st = db_prepare(db, AFTER);
    int n = 0;

    bind_u64(st, after_id);
    bind_u64(st, max);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_wallet(st, &out[n++]);
    return n;
}

bool wallets_traces(struct db *db, struct arena *a, uint64_t agent_id, struct wallet_traces *out)
{
    struct stmt *st = db_prepare(db, TRACES);

    *out = (struct wallet_traces){ .held_on = "," };
    bind_u64(st, agent_id);
    bind_u64(st, agent_id);
    if (!db_query(st))
        return false;
    while (db_next(st)) {
        const char *places = col_text(st, 0, a);

        if (*places != '\0')
            out->held_on = arena_printf(a, "%s%s,", out->held_on, places);
        else
            out->kinds |= 1u << (col_u64(st, 1) & 31);
    }
    return true;
}

bool wallet_traces_have(const struct wallet_traces *t, struct arena *a, const char *place)
{
    return strstr(t->held_on, arena_printf(a, ",%s,", place)) != NULL;
}

bool wallets_holds_on(struct db *db, uint64_t agent_id, const char *address, const char *place)
{
    struct stmt *st = db_prepare(db, HOLDS_ON);

    bind_ascii(st, place);
    bind_u64(st, agent_id);
    bind_text(st, address);
    bind_ascii(st, place);
    return db_exec(st) >= 0;
}

enum lookup wallets_known(struct db *db, const struct uuid *id)
{
    struct stmt *st = db_prepare(db, KNOWN);

    bind_uuid(st, id);
    return db_one(st);
}
