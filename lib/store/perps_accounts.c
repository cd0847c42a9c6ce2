#include "store/perps_accounts.h"

#include "store/columns.h"

/* Columns of account `p`, from column `i` of `st` on. */
#define DUE_ROW(FIRST, NEXT)                                                                                 \
    WALLET(FIRST, NEXT, "w", (&p->wallet))                                                                   \
    NEXT("p.fills_since", p->fills_since_ms = col_ms(st, i))                                                 \
    NEXT("p.funding_since", p->funding_since_ms = col_ms(st, i))                                             \
    NEXT("p.funding_at", p->funding_ms = col_ms(st, i))

#define SELECT                                                                                               \
    "SELECT " DUE_ROW(FIRST_NAME, NEXT_NAME) " FROM perps_accounts p JOIN wallets w ON w.id = p.wallet_id"

/* Fills before an account's first order here do not count, but clocks may differ, so a minute before it does.
 * An existing row is not locked. */
static const char ADD[] =
    "INSERT IGNORE INTO perps_accounts (wallet_id, agent_id, fills_since, funding_since, created_at)"
    " SELECT w.id, w.agent_id, UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE, UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE,"
    " UTC_TIMESTAMP(3) FROM wallets w LEFT JOIN perps_accounts p ON p.wallet_id = w.id"
    " WHERE w.id = ? AND p.wallet_id IS NULL";
static const char DUE_IN[] =
    "SELECT due_at IS NOT NULL AND due_at <= UTC_TIMESTAMP(3) + INTERVAL ? * 1000 MICROSECOND"
    " FROM perps_accounts WHERE wallet_id = ?";
static const char CLAIMED[] = SELECT " WHERE p.lease_owner = ? ORDER BY p.wallet_id";
static const char GET[] = SELECT " WHERE p.wallet_id = ?";
static const char READ[] =
    "UPDATE perps_accounts SET fills_since = GREATEST(fills_since, COALESCE(?, fills_since)),"
    " funding_since = GREATEST(funding_since, COALESCE(?, funding_since)),"
    " funding_at = IF(?, UTC_TIMESTAMP(3), funding_at) WHERE wallet_id = ?";

enum db_update perps_accounts_add(struct db *db, uint64_t wallet_id)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_u64(st, wallet_id);
    return db_change(st);
}

enum lookup perps_accounts_due_in(struct db *db, uint64_t wallet_id, unsigned ms, bool *soon)
{
    struct stmt *st = db_prepare(db, DUE_IN);
    enum lookup found;

    bind_u64(st, ms);
    bind_u64(st, wallet_id);
    found = db_one(st);
    *soon = found == LOOKUP_FOUND && col_u64(st, 0) != 0;
    return found;
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

enum lookup perps_accounts_get(struct db *db, uint64_t wallet_id, struct perps_due *out)
{
    struct stmt *st = db_prepare(db, GET);
    enum lookup found;

    bind_u64(st, wallet_id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
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
