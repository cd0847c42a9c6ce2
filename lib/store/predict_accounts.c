#include "store/predict_accounts.h"

#include "store/columns.h"

/* Of account `p`, at column `i` of `st`. */
#define ACCOUNT(FIRST, NEXT)                                                                                 \
    FIRST("kind", p->kind = (enum predict_account_kind)col_u64(st, i))                                       \
    NEXT("form", p->form = (uint8_t)col_u64(st, i))                                                          \
    NEXT("trading", (void)col_fixed(st, i, p->trading, sizeof p->trading))                                   \
    NEXT("closed_only", p->closed_only = col_u64(st, i) != 0)                                                \
    NEXT("closed_only_at IS NULL OR closed_only_at < UTC_TIMESTAMP(3) - INTERVAL 1 HOUR",                    \
         p->closed_only_due = col_u64(st, i) != 0)

static const char GET[] =
    "SELECT " ACCOUNT(FIRST_NAME, NEXT_NAME) " FROM predict_accounts WHERE wallet_id = ?";
/* The lock keeps an account from being added while the agent is deleted. */
static const char ADD[] =
    "INSERT IGNORE INTO predict_accounts (wallet_id, agent_id, kind, form, trading, created_at)"
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
static const char ANY_CLOSED_ONLY[] = "SELECT 1 FROM predict_accounts WHERE closed_only = 1 LIMIT 1";

enum found predict_accounts_get(struct db *db, const struct wallet *w, struct predict_account *out)
{
    struct predict_account *p = out;
    struct stmt *st = db_prepare(db, GET);
    enum found found;
    unsigned i = 0;

    bind_u64(st, w->id);
    found = db_one(st);
    if (found != FOUND_ONE)
        return found;
    *p = (struct predict_account){ .wallet = *w };
    ACCOUNT(READ_FIRST, READ_NEXT)
    return FOUND_ONE;
}

enum done predict_accounts_add(struct db *db, const struct predict_account *p)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_u64(st, p->kind);
    bind_u64(st, p->form);
    bind_bytes(st, p->trading, sizeof p->trading);
    bind_u64(st, p->wallet.id);
    return (enum done)db_exec(st);
}

enum found predict_accounts_credentials(struct db *db, uint64_t wallet_id,
                                        uint8_t out[static PREDICT_CREDENTIALS_MAX], size_t *n)
{
    struct stmt *st = db_prepare(db, CREDENTIALS);
    enum found found;

    bind_u64(st, wallet_id);
    found = db_one(st);
    if (found == FOUND_ONE)
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

enum done predict_accounts_reject_credentials(struct db *db, uint64_t wallet_id)
{
    struct stmt *st = db_prepare(db, REJECT_CREDENTIALS);

    bind_u64(st, wallet_id);
    return (enum done)db_exec(st);
}

bool predict_accounts_set_closed_only(struct db *db, uint64_t wallet_id, bool closed_only)
{
    struct stmt *st = db_prepare(db, SET_CLOSED_ONLY);

    bind_u64(st, closed_only);
    bind_u64(st, wallet_id);
    return db_exec(st) >= 0;
}

enum found predict_accounts_closed_only(struct db *db)
{
    return db_one(db_prepare(db, ANY_CLOSED_ONLY));
}
