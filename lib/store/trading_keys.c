#include "store/trading_keys.h"

#include "store/columns.h"
#include "store/states.h"

/* Columns of key `k`, from column `i` of `st` on. */
#define KEY(FIRST, NEXT)                                                                                     \
    FIRST("k.id", k->id = col_u64(st, i))                                                                    \
    NEXT("k.agent_id", k->agent_id = col_u64(st, i))                                                         \
    NEXT("k.wallet_id", k->wallet_id = col_u64(st, i))                                                       \
    NEXT("k.execution_id", k->execution_id = col_u64(st, i))                                                 \
    NEXT("k.address", col_string(st, i, k->address, sizeof k->address))                                      \
    NEXT("k.name", col_string(st, i, k->name, sizeof k->name))                                               \
    NEXT("k.sealed_key", (void)col_fixed(st, i, k->sealed, sizeof k->sealed))                                \
    NEXT("k.valid_until", k->valid_until_ms = col_ms(st, i))                                                 \
    NEXT("k.created_at", k->created_ms = col_ms(st, i))                                                      \
    NEXT("COALESCE(r.state = " SQL_SETTLED " AND r.succeeded, 0)", k->approved = col_u64(st, i) != 0)

#define SELECT                                                                                               \
    "SELECT " KEY(FIRST_NAME,                                                                                \
                  NEXT_NAME) " FROM trading_keys k LEFT JOIN requests r FORCE INDEX (execution)"             \
                             " ON r.execution_id = k.execution_id AND r.venue = '" TRADING_KEY_VENUE "'"

static const char ADD[] =
    "INSERT INTO trading_keys (agent_id, wallet_id, execution_id, address, name, sealed_key, valid_until, created_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3))";
/* A refused or lost approval leaves no key, and what was signed before stands behind it. */
#define IN_TIME " WHERE k.wallet_id = ? AND k.ended_at IS NULL AND k.valid_until > UTC_TIMESTAMP(3)"
#define NEWEST  " ORDER BY k.id DESC LIMIT 1"

static const char CURRENT[] =
    SELECT IN_TIME " AND (r.id IS NULL OR r.state IN " SQL_UNSETTLED " OR r.succeeded) ORDER BY k.id DESC";
static const char APPROVED[] = SELECT IN_TIME " AND r.state = " SQL_SETTLED " AND r.succeeded" NEWEST;
static const char OF_WALLET[] = SELECT " WHERE k.wallet_id = ?" NEWEST;
static const char GET[] = SELECT " WHERE k.address = ?";
static const char END[] =
    "UPDATE trading_keys SET ended_at = COALESCE(ended_at, UTC_TIMESTAMP(3)) WHERE address = ?";

bool trading_keys_add(struct db *db, struct trading_key *k)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_u64(st, k->agent_id);
    bind_u64(st, k->wallet_id);
    bind_u64(st, k->execution_id);
    bind_text(st, k->address);
    bind_text(st, k->name);
    bind_bytes(st, k->sealed, sizeof k->sealed);
    bind_ms(st, k->valid_until_ms);
    if (db_exec(st) != 1)
        return false;
    k->id = db_insert_id(db);
    return true;
}

static void read_key(struct stmt *st, struct trading_key *k)
{
    unsigned i = 0;

    *k = (struct trading_key){ .id = 0 };
    KEY(READ_FIRST, READ_NEXT)
}

static enum lookup one_key(struct stmt *st, struct trading_key *k)
{
    enum lookup found = db_one(st);

    if (found == LOOKUP_FOUND)
        read_key(st, k);
    return found;
}

static enum lookup key_of_wallet(struct db *db, const char *sql, uint64_t wallet_id, struct trading_key *out)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, wallet_id);
    return one_key(st, out);
}

bool trading_keys_current(struct db *db, uint64_t wallet_id, struct trading_keys *out)
{
    struct stmt *st = db_prepare(db, CURRENT);
    struct trading_key k;

    *out = (struct trading_keys){ .has_newest = false };
    bind_u64(st, wallet_id);
    if (!db_query(st))
        return false;
    while (db_next(st)) {
        read_key(st, &k);
        if (!out->has_newest)
            out->newest = k;
        if (!out->has_approved && k.approved)
            out->approved = k;
        out->has_newest = true;
        out->has_approved = out->has_approved || k.approved;
    }
    return true;
}

enum lookup trading_keys_approved(struct db *db, uint64_t wallet_id, struct trading_key *out)
{
    return key_of_wallet(db, APPROVED, wallet_id, out);
}

enum lookup trading_keys_newest(struct db *db, uint64_t wallet_id, struct trading_key *out)
{
    return key_of_wallet(db, OF_WALLET, wallet_id, out);
}

enum lookup trading_keys_get(struct db *db, const char *address, struct trading_key *out)
{
    struct stmt *st = db_prepare(db, GET);

    bind_ascii(st, address);
    return one_key(st, out);
}

bool trading_keys_end(struct db *db, const char *address)
{
    struct stmt *st = db_prepare(db, END);

    bind_ascii(st, address);
    return db_exec(st) >= 0;
}
