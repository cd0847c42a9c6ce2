#include "store/perps_accounts.h"

#include "store/columns.h"

#define IN_MS "UTC_TIMESTAMP(3) + INTERVAL ? * 1000 MICROSECOND"

/* Of `p`, at column `i` of `st`. */
#define DUE_ROW(FIRST, NEXT)                                                                                 \
    WALLET(FIRST, NEXT, "w", (&p->wallet))                                                                   \
    NEXT("p.fills_since", p->fills_since_ms = col_ms(st, i))                                                 \
    NEXT("p.funding_since", p->funding_since_ms = col_ms(st, i))                                             \
    NEXT("p.funding_at", p->funding_ms = col_ms(st, i))

#define SELECT                                                                                               \
    "SELECT " DUE_ROW(FIRST_NAME, NEXT_NAME) " FROM perps_accounts p JOIN wallets w ON w.id = p.wallet_id"

/* Clocks may differ: what an account did before its first order here is nobody's business, but for that. */
static const char DUE[] =
    "INSERT INTO perps_accounts (wallet_id, agent_id, fills_since, funding_since, due_at, created_at)"
    " VALUES (?, ?, UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE, UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE, " IN_MS
    ", UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE due_at = LEAST(COALESCE(due_at, VALUES(due_at)), VALUES(due_at))";
static const char CLAIM[] =
    "UPDATE perps_accounts FORCE INDEX (due) SET lease_owner = ?, due_at = UTC_TIMESTAMP(3) +"
    " INTERVAL ? SECOND, leased_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND WHERE due_at <= UTC_TIMESTAMP(3)"
    " AND (leased_until IS NULL OR leased_until <= UTC_TIMESTAMP(3)) ORDER BY due_at LIMIT ?";
static const char CLAIMED[] = SELECT " WHERE p.lease_owner = ? ORDER BY p.wallet_id";
static const char GET[] = SELECT " WHERE p.wallet_id = ?";
static const char READ[] =
    "UPDATE perps_accounts SET fills_since = GREATEST(fills_since, COALESCE(?, fills_since)),"
    " funding_since = GREATEST(funding_since, COALESCE(?, funding_since)),"
    " funding_at = IF(?, UTC_TIMESTAMP(3), funding_at) WHERE wallet_id = ?";
/* A time other than the lease's was set since. */
static const char RELEASE[] =
    "UPDATE perps_accounts SET due_at = IF(due_at = leased_until, " IN_MS ", due_at),"
    " lease_owner = NULL, leased_until = NULL WHERE wallet_id = ? AND lease_owner = ?";
static const char RELEASE_FOR_GOOD[] =
    "UPDATE perps_accounts SET due_at = IF(due_at = leased_until, NULL, due_at),"
    " lease_owner = NULL, leased_until = NULL WHERE wallet_id = ? AND lease_owner = ?";
static const char OVERDUE[] = "SELECT COALESCE(TIMESTAMPDIFF(SECOND, MIN(due_at), UTC_TIMESTAMP(3)), 0)"
                              " FROM perps_accounts WHERE due_at <= UTC_TIMESTAMP(3)";

bool perps_accounts_due(struct db *db, uint64_t wallet_id, uint64_t agent_id, unsigned ms)
{
    struct stmt *st = db_prepare(db, DUE);

    bind_u64(st, wallet_id);
    bind_u64(st, agent_id);
    bind_u64(st, ms);
    return db_exec(st) >= 0;
}

int64_t perps_accounts_claim(struct db *db, const struct uuid *owner, unsigned lease_s, unsigned max)
{
    struct stmt *st = db_prepare(db, CLAIM);

    bind_uuid(st, owner);
    bind_u64(st, lease_s);
    bind_u64(st, lease_s);
    bind_u64(st, max);
    return db_exec(st);
}

static void read_due(struct stmt *st, struct perps_due *p)
{
    unsigned i = 0;

    *p = (struct perps_due){ .funding_ms = 0 };
    DUE_ROW(READ_FIRST, READ_NEXT)
}

int perps_accounts_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct perps_due **out)
{
    struct stmt *st = db_prepare(db, CLAIMED);
    int n = 0;

    *out = NULL;
    bind_uuid(st, owner);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_due(st, &(*out)[n++]);
    }
    return n;
}

enum found perps_accounts_get(struct db *db, uint64_t wallet_id, struct perps_due *out)
{
    struct stmt *st = db_prepare(db, GET);
    enum found found;

    bind_u64(st, wallet_id);
    found = db_one(st);
    if (found == FOUND_ONE)
        read_due(st, out);
    return found;
}

bool perps_accounts_read(struct db *db, uint64_t wallet_id, int64_t fills_since_ms, int64_t funding_since_ms,
                         bool funding_asked)
{
    struct stmt *st = db_prepare(db, READ);

    bind_ms(st, fills_since_ms);
    bind_ms(st, funding_since_ms);
    bind_u64(st, funding_asked);
    bind_u64(st, wallet_id);
    return db_exec(st) >= 0;
}

bool perps_accounts_release(struct db *db, const struct uuid *owner, uint64_t wallet_id, unsigned ms)
{
    struct stmt *st = db_prepare(db, ms == 0 ? RELEASE_FOR_GOOD : RELEASE);

    if (ms != 0)
        bind_u64(st, ms);
    bind_u64(st, wallet_id);
    bind_uuid(st, owner);
    return db_exec(st) >= 0;
}

int64_t perps_accounts_overdue(struct db *db)
{
    struct stmt *st = db_prepare(db, OVERDUE);

    return db_one(st) == FOUND_ONE ? col_i64(st, 0) : -1;
}
