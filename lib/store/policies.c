#include "store/policies.h"

#include "store/columns.h"
#include "store/states.h"
#include "store/trading_halts.h"

#define IN_FORCE "(p.ends_at IS NULL OR p.ends_at > UTC_TIMESTAMP(3))"

/* Columns of policy `p`, from column `i` of `st` on. */
#define POLICY(FIRST, NEXT)                                                                                  \
    FIRST("p.id", p->id = col_uuid(st, i))                                                                   \
    NEXT("p.agent_id", p->agent_id = col_u64(st, i))                                                         \
    NEXT("p.wallet_id", p->wallet_id = col_u64(st, i))                                                       \
    NEXT("w.address", col_string(st, i, p->wallet_address, sizeof p->wallet_address))                        \
    NEXT("p.by_operator", p->by_operator = col_u64(st, i) != 0)                                              \
    NEXT("p.type", p->type = (enum policy_type)col_u64(st, i))                                               \
    NEXT("p.params", p->params = col_text(st, i, a))                                                         \
    NEXT("p.created_at", p->created_ms = col_ms(st, i))                                                      \
    NEXT("p.ends_at", p->ends_ms = col_ms(st, i))

/* A value that changes, so that also another node of a cluster notices. */
static const char TURN[] = "UPDATE wallets SET version = version + 1 WHERE agent_id = ? ORDER BY id";
static const char TURN_ONE[] = "UPDATE wallets SET version = version + 1 WHERE id = ?";
static const char ADD[] =
    "INSERT INTO policies (id, agent_id, wallet_id, by_operator, type, params, created_at)"
    " SELECT ?, id, ?, ?, ?, ?, UTC_TIMESTAMP(3) FROM agents WHERE id = ? LOCK IN SHARE MODE";
static const char END[] =
    "UPDATE policies p SET p.ends_at = LEAST(COALESCE(p.ends_at, CAST('9999-01-01' AS DATETIME(3))),"
    " UTC_TIMESTAMP(3) + INTERVAL ? SECOND) WHERE p.id = ? AND p.agent_id = ? AND " IN_FORCE;
#define SELECT                                                                                               \
    "SELECT " POLICY(FIRST_NAME, NEXT_NAME) " FROM policies p LEFT JOIN wallets w ON w.id = p.wallet_id"     \
                                            " WHERE p.agent_id = ? AND " IN_FORCE
static const char GET[] = SELECT " AND p.id = ?";
static const char LIST[] =
    SELECT " AND (? = 0 OR p.wallet_id IS NULL OR p.wallet_id = ?) ORDER BY p.created_at, p.id LIMIT 1000";
/* Columns of spend `s`, and the present time. */
#define SPEND(FIRST, NEXT)                                                                                   \
    FIRST("s.created_at", s->at_ms = col_ms(st, i))                                                          \
    NEXT("e.kind = " SQL_BORROWING, s->borrowed = col_u64(st, i) != 0)                                       \
    TOKEN(NEXT, "e.from", s->from)                                                                           \
    NEXT("e.amount_in", s->amount_in = col_u256(st, i))                                                      \
    NEXT("s.usd", s->has_usd = col_maybe_u256(st, i, &s->usd))                                               \
    NEXT("s.ether", s->has_ether = col_maybe_u256(st, i, &s->ether))                                         \
    NEXT("s.margin", s->margin = col_u64(st, i) != 0)                                                        \
    NEXT("s.part", s->part = col_u64(st, i))                                                                 \
    NEXT("s.whole", s->whole = col_u64(st, i))                                                               \
    NEXT("UTC_TIMESTAMP(3)", *now_ms = col_ms(st, i))
/* A failed execution has cost the wallet nothing, unless a bridge has kept the input. */
static const char SPENDS[] = "SELECT " SPEND(
    FIRST_NAME, NEXT_NAME) " FROM spends s JOIN executions e ON e.id = s.execution_id"
                           " WHERE s.wallet_id = ? AND s.created_at > UTC_TIMESTAMP(3) - INTERVAL ? SECOND"
                           " AND NOT (e.status = " SQL_FAILED " AND e.in_flight <> " SQL_IN_FLIGHT
                           " AND COALESCE(e.error_code, '') <> 'BRIDGE_FAILED')";
static const char SPENDS_ADD[] =
    "INSERT INTO spends (execution_id, agent_id, wallet_id, usd, ether, margin, created_at)"
    " VALUES (?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3))";
static const char SPENDS_KEEP[] = "UPDATE spends SET part = ?, whole = ? WHERE execution_id = ?";
static const char OLD_SPENDS[] =
    "DELETE FROM spends WHERE created_at < UTC_TIMESTAMP(3) - INTERVAL ? SECOND LIMIT ?";
static const char ENDED[] = "DELETE FROM policies WHERE ends_at < UTC_TIMESTAMP(3) - INTERVAL 1 DAY LIMIT ?";

static bool wallet_turn(struct db *db, const char *sql, uint64_t id)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, id);
    return db_exec(st) >= 0;
}

enum db_update policies_add(struct db *db, const struct policy *p)
{
    struct stmt *st;

    if (!trading_halts_pass(db, p->agent_id) || !wallet_turn(db, TURN, p->agent_id))
        return DB_ERROR;
    st = db_prepare(db, ADD);
    bind_uuid(st, &p->id);
    bind_u64_or_null(st, p->wallet_id);
    bind_u64(st, p->by_operator);
    bind_u64(st, p->type);
    bind_text(st, p->params);
    bind_u64(st, p->agent_id);
    return db_change(st);
}

enum db_update policies_end(struct db *db, uint64_t agent_id, const struct uuid *id, unsigned after_s)
{
    struct stmt *st = db_prepare(db, END);

    bind_u64(st, after_s);
    bind_uuid(st, id);
    bind_u64(st, agent_id);
    return db_change(st);
}

static void read_policy(struct stmt *st, struct arena *a, struct policy *p)
{
    unsigned i = 0;

    *p = (struct policy){ .wallet_id = 0 };
    POLICY(READ_FIRST, READ_NEXT)
}

enum lookup policies_get(struct db *db, struct arena *a, uint64_t agent_id, const struct uuid *id,
                         struct policy *out)
{
    struct stmt *st = db_prepare(db, GET);
    enum lookup found;

    bind_u64(st, agent_id);
    bind_uuid(st, id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        read_policy(st, a, out);
    return found;
}

int policies_list(struct db *db, struct arena *a, uint64_t agent_id, uint64_t wallet_id, struct policy **out)
{
    struct stmt *st = db_prepare(db, LIST);
    int n = 0;

    *out = NULL;
    bind_u64(st, agent_id);
    bind_u64(st, wallet_id);
    bind_u64(st, wallet_id);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_policy(st, a, &(*out)[n++]);
    }
    return n;
}

static void read_spend(struct stmt *st, struct spend *s, int64_t *now_ms)
{
    unsigned i = 0;

    *s = (struct spend){ .at_ms = 0 };
    SPEND(READ_FIRST, READ_NEXT)
}

int spends_list(struct db *db, struct arena *a, uint64_t wallet_id, struct spend **out, int64_t *now_ms)
{
    struct stmt *st = db_prepare(db, SPENDS);
    int n = 0;

    *out = NULL;
    *now_ms = 0;
    bind_u64(st, wallet_id);
    bind_u64(st, POLICY_WINDOW_MAX_S);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_spend(st, &(*out)[n++], now_ms);
    }
    return n;
}

bool spends_add(struct db *db, const struct spend_new *s)
{
    struct stmt *st;

    if (!wallet_turn(db, TURN_ONE, s->wallet_id))
        return false;
    st = db_prepare(db, SPENDS_ADD);
    bind_u64(st, s->execution_id);
    bind_u64(st, s->agent_id);
    bind_u64(st, s->wallet_id);
    bind_maybe_u256(st, s->usd);
    bind_maybe_u256(st, s->ether);
    bind_u64(st, s->margin);
    return db_exec(st) == 1;
}

bool spends_keep(struct db *db, uint64_t execution_id, uint64_t part, uint64_t whole)
{
    struct stmt *st = db_prepare(db, SPENDS_KEEP);

    bind_u64(st, part);
    bind_u64(st, whole);
    bind_u64(st, execution_id);
    return db_exec(st) >= 0;
}

int64_t policies_purge(struct db *db, uint64_t max)
{
    struct stmt *st = db_prepare(db, OLD_SPENDS);
    int64_t spends, ended;

    bind_u64(st, POLICY_WINDOW_MAX_S + 24 * 60 * 60);
    bind_u64(st, max);
    spends = db_exec(st);
    st = db_prepare(db, ENDED);
    bind_u64(st, max);
    ended = db_exec(st);
    return spends < 0 || ended < 0 ? -1 : spends > ended ? spends : ended;
}
