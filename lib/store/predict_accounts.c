#include "store/predict_accounts.h"

#include "store/columns.h"
#include "store/wallets.h"

/* Columns of account `p`, from column `i` of `st` on. */
#define ACCOUNT(FIRST, NEXT)                                                                                 \
    FIRST("p.kind", p->kind = (enum predict_account_kind)col_u64(st, i))                                     \
    NEXT("proxy_kind", p->form = (uint8_t)col_u64(st, i))                                                    \
    NEXT("trading", (void)col_fixed(st, i, p->trading, sizeof p->trading))                                   \
    NEXT("closed_only", p->closed_only = col_u64(st, i) != 0)                                                \
    NEXT("COALESCE(closed_only, 1) = 1 OR closed_only_at < UTC_TIMESTAMP(3) - INTERVAL 1 HOUR",              \
         p->closed_only_due = col_u64(st, i) != 0)                                                           \
    NEXT("resync_orders", p->resync_orders = col_u64(st, i) != 0)                                            \
    NEXT("IF(rejected_at IS NULL, credentials, NULL)",                                                       \
         p->credentials_len = col_within(st, i, p->credentials, sizeof p->credentials))

static const char GET[] =
    "SELECT " ACCOUNT(FIRST_NAME, NEXT_NAME) " FROM predict_accounts p WHERE wallet_id = ?";
static const char OF_WALLET[] = "SELECT " ACCOUNT(FIRST_NAME, NEXT_NAME) ", " WALLET(
    FIRST_NAME, NEXT_NAME, "w",
    w) " FROM predict_accounts p JOIN wallets w ON w.id = p.wallet_id WHERE p.wallet_id = ?";
#define PICK(which)                                                                                          \
    "SELECT " WALLET_PICKED(FIRST_NAME, NEXT_NAME, "w", w) ", " ACCOUNT(                                     \
        FIRST_NAME,                                                                                          \
        NEXT_NAME) " FROM wallets w LEFT JOIN predict_accounts p ON p.wallet_id = w.id WHERE " which
static const char OLDEST[] = PICK("w.id = " WALLET_OLDEST);
static const char AT[] = PICK("w.agent_id = ? AND w.kind = ? AND w.address = ?");
/* The lock keeps an account from being added while the agent is deleted. */
static const char ADD[] =
    "INSERT IGNORE INTO predict_accounts (wallet_id, agent_id, kind, proxy_kind, trading, created_at)"
    " SELECT id, agent_id, ?, ?, ?, UTC_TIMESTAMP(3) FROM wallets WHERE id = ? AND sealed_key <> ''"
    " LOCK IN SHARE MODE";
static const char CREDENTIALS[] = "SELECT credentials FROM predict_accounts WHERE wallet_id = ?"
                                  " AND credentials IS NOT NULL AND rejected_at IS NULL";
static const char SET_CREDENTIALS[] =
    "UPDATE predict_accounts SET credentials = ?, credentials_at = UTC_TIMESTAMP(3), rejected_at = NULL"
    " WHERE wallet_id = ?";
static const char REJECT_CREDENTIALS[] =
    "UPDATE predict_accounts SET rejected_at = UTC_TIMESTAMP(3) WHERE wallet_id = ? AND rejected_at IS NULL"
    " AND credentials_at < UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE";
static const char SET_CLOSED_ONLY[] =
    "UPDATE predict_accounts SET closed_only = ?, closed_only_at = UTC_TIMESTAMP(3) WHERE wallet_id = ?";
static const char ANY_CLOSED_ONLY[] = "SELECT 1 FROM predict_accounts WHERE closed_only = 1"
                                      " AND closed_only_at > UTC_TIMESTAMP(3) - INTERVAL 1 HOUR LIMIT 1";
static const char CLAIMED[] = "SELECT wallet_id, " ACCOUNT(
    FIRST_NAME, NEXT_NAME) " FROM predict_accounts p WHERE lease_owner = ? ORDER BY wallet_id";
static const char SEEK[] = "UPDATE predict_accounts SET resync_orders = 1, orders_due_at = UTC_TIMESTAMP(3)"
                           " WHERE credentials IS NOT NULL";
enum lookup predict_accounts_get(struct db *db, const struct wallet *w, struct predict_account *out)
{
    struct predict_account *p = out;
    struct stmt *st = db_prepare(db, GET);
    enum lookup found;
    unsigned i = 0;

    bind_u64(st, w->id);
    found = db_one(st);
    if (found != LOOKUP_FOUND)
        return found;
    *p = (struct predict_account){ .wallet = *w };
    ACCOUNT(READ_FIRST, READ_NEXT)
    return LOOKUP_FOUND;
}

enum lookup predict_accounts_of_wallet(struct db *db, uint64_t wallet_id, struct predict_account *out)
{
    struct predict_account *p = out;
    struct wallet *w = &p->wallet;
    struct stmt *st = db_prepare(db, OF_WALLET);
    enum lookup found;
    unsigned i = 0;

    bind_u64(st, wallet_id);
    found = db_one(st);
    if (found != LOOKUP_FOUND)
        return found;
    *p = (struct predict_account){ .closed_only = false };
    ACCOUNT(READ_FIRST, READ_NEXT)
    i++;
    WALLET(READ_FIRST, READ_NEXT, "w", w)
    return LOOKUP_FOUND;
}

enum lookup predict_accounts_pick(struct db *db, uint64_t agent_id, const char *address,
                                  struct predict_account *out)
{
    struct predict_account *p = out;
    struct wallet *w = &p->wallet;
    struct stmt *st = db_prepare(db, address == NULL ? OLDEST : AT);
    enum lookup found;
    unsigned i = 0;

    bind_u64(st, agent_id);
    bind_u64(st, WALLET_EVM);
    if (address != NULL)
        bind_ascii(st, address);
    found = db_one(st);
    if (found != LOOKUP_FOUND)
        return found;
    *p = (struct predict_account){ .closed_only = false };
    WALLET_PICKED(READ_FIRST, READ_NEXT, "w", w)
    i++;
    ACCOUNT(READ_FIRST, READ_NEXT)
    return LOOKUP_FOUND;
}

enum db_update predict_accounts_add(struct db *db, const struct predict_account *p)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_u64(st, p->kind);
    bind_u64(st, p->form);
    bind_bytes(st, p->trading, sizeof p->trading);
    bind_u64(st, p->wallet.id);
    return db_change(st);
}

enum lookup predict_accounts_credentials(struct db *db, uint64_t wallet_id,
                                         uint8_t out[static PREDICT_CREDENTIALS_MAX], size_t *n)
{
    struct stmt *st = db_prepare(db, CREDENTIALS);
    enum lookup found;

    bind_u64(st, wallet_id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        *n = col_within(st, 0, out, PREDICT_CREDENTIALS_MAX);
    return found;
}

bool predict_accounts_set_credentials(struct db *db, uint64_t wallet_id, const uint8_t *sealed, size_t n)
{
    struct stmt *st = db_prepare(db, SET_CREDENTIALS);

    bind_bytes(st, sealed, n);
    bind_u64(st, wallet_id);
    return db_exec(st) >= 0;
}

enum db_update predict_accounts_reject_credentials(struct db *db, uint64_t wallet_id)
{
    struct stmt *st = db_prepare(db, REJECT_CREDENTIALS);

    bind_u64(st, wallet_id);
    return db_change(st);
}

bool predict_accounts_set_closed_only(struct db *db, uint64_t wallet_id, bool closed_only)
{
    struct stmt *st = db_prepare(db, SET_CLOSED_ONLY);

    bind_u64(st, closed_only);
    bind_u64(st, wallet_id);
    return db_exec(st) >= 0;
}

enum lookup predict_accounts_closed_only(struct db *db)
{
    return db_one(db_prepare(db, ANY_CLOSED_ONLY));
}

/* ---- leases of accounts whose orders are polled ---- */

int64_t predict_accounts_resync(struct db *db)
{
    return db_exec(db_prepare(db, SEEK));
}

static int read_claimed(struct stmt *st, struct arena *a, struct predict_account **out)
{
    int n = 0;

    *out = NULL;
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        struct predict_account *p;
        unsigned i = 1;

        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        p = &(*out)[n++];
        *p = (struct predict_account){ .wallet = { .id = col_u64(st, 0) } };
        ACCOUNT(READ_FIRST, READ_NEXT)
    }
    return n;
}

/* Both lists are in the order of the wallets. */
int predict_accounts_claimed(struct db *db, struct arena *a, const struct uuid *owner,
                             struct predict_account **out)
{
    struct stmt *st = db_prepare(db, CLAIMED);
    struct wallet *wallets;
    int n, wallet_count, kept = 0, w = 0;

    bind_uuid(st, owner);
    n = read_claimed(st, a, out);
    wallet_count = wallets_of_accounts(db, a, owner, &wallets);
    if (n < 0 || wallet_count < 0)
        return -1;
    for (int i = 0; i < n; i++) {
        while (w < wallet_count && wallets[w].id < (*out)[i].wallet.id)
            w++;
        if (w == wallet_count || wallets[w].id != (*out)[i].wallet.id)
            continue;
        (*out)[kept] = (*out)[i];
        (*out)[kept++].wallet = wallets[w];
    }
    return kept;
}
