#include "store/executions.h"

#include "base/log.h"
#include "store/agents.h"
#include "store/columns.h"

/* Rows to skip before ids are selected apart. */
enum { PAGE_NEAR_MAX = 100 };

#define SWAP_COLUMNS                                                                                         \
    "s.id, s.agent_id, s.wallet_id, s.quote_id, s.provider, s.status, s.in_flight, s.from_chain, "           \
    "s.to_chain,"                                                                                            \
    " s.from_symbol, s.from_address, s.from_decimals, s.to_symbol, s.to_address, s.to_decimals, "            \
    "s.amount_in,"                                                                                           \
    " s.expected_out, s.min_out, s.amount_out, s.tx_hash, s.error_code, s.error_message, s.created_at,"      \
    " s.updated_at, s.completed_at, s.valid_until, s.corrected, p.id, p.expires_at"
/* Behind the swaps, by themselves or with their index. */
#define ASKED " LEFT JOIN approvals p ON p.swap_id = s.id"

static const char ADD[] =
    "INSERT INTO swaps (agent_id, wallet_id, quote_id, provider, status, from_chain, to_chain, from_symbol,"
    " from_address, from_decimals, to_symbol, to_address, to_decimals, amount_in, expected_out, min_out,"
    " created_at, updated_at, valid_until, next_poll_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), ?,"
    " UTC_TIMESTAMP(3) + INTERVAL ? SECOND)";
/* At the very time that the swap has. */
static const char HISTORY[] = "INSERT INTO swap_history (swap_id, from_status, to_status, why, created_at)"
                              " SELECT id, ?, ?, ?, updated_at FROM swaps WHERE id = ?";
static const char BY_ONCE[] = "SELECT id FROM swaps WHERE quote_id = ? AND agent_id = ?";
static const char GET[] =
    "SELECT " SWAP_COLUMNS " FROM swaps s" ASKED " WHERE s.id = ? AND (? = 0 OR s.agent_id = ?)";
static const char FAILED_AS[] = "SELECT why, created_at FROM swap_history WHERE swap_id = ? AND to_status = 5"
                                " ORDER BY id DESC LIMIT 1";
/* The optimizer otherwise walks the primary key backwards through other agents' rows. Behind a large offset
 * ids are selected first, so that what is skipped is read from the index alone; near the front that would
 * read rows twice. */
#define PAGE_NEAR(index, where)                                                                              \
    "SELECT " SWAP_COLUMNS " FROM swaps s FORCE INDEX (" index ")" ASKED " WHERE " where                     \
    " ORDER BY s.id DESC LIMIT ? OFFSET ?"
#define PAGE_FAR(index, where)                                                                               \
    "SELECT " SWAP_COLUMNS " FROM (SELECT id FROM swaps FORCE INDEX (" index ") WHERE " where                \
    " ORDER BY id DESC LIMIT ? OFFSET ?) i JOIN swaps s ON s.id = i.id" ASKED " ORDER BY s.id DESC"
static const char PAGE[] = PAGE_NEAR("agent_page", "s.agent_id = ?");
static const char FAR_PAGE[] = PAGE_FAR("agent_page", "agent_id = ?");
static const char PAGE_LISTED[] = PAGE_NEAR("agent_listed_page", "s.agent_id = ? AND s.listed = ?");
static const char FAR_PAGE_LISTED[] = PAGE_FAR("agent_listed_page", "agent_id = ? AND listed = ?");
static const char MOVE[] =
    "UPDATE swaps SET corrected = corrected OR ?, status = ?, tx_hash = COALESCE(?, tx_hash), amount_out = "
    "?, error_code = ?,"
    " error_message = ?, updated_at = UTC_TIMESTAMP(3), completed_at = IF(?, UTC_TIMESTAMP(3), NULL),"
    " next_poll_at = UTC_TIMESTAMP(3) WHERE id = ? AND status = ?";
static const char BEGIN[] = "UPDATE swaps SET provider = ?, expected_out = ?, min_out = ?, valid_until = ?,"
                            " updated_at = UTC_TIMESTAMP(3), next_poll_at = UTC_TIMESTAMP(3) + INTERVAL ?"
                            " SECOND WHERE id = ? AND status = 1";
static const char SETTLE[] = "UPDATE swaps SET in_flight = ? WHERE id = ?";
static const char CLAIM[] =
    "UPDATE swaps SET lease_owner = ?, lease_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND"
    " WHERE in_flight = ? AND next_poll_at <= UTC_TIMESTAMP(3)"
    " AND (lease_until IS NULL OR lease_until < UTC_TIMESTAMP(3)) ORDER BY next_poll_at LIMIT ?";
static const char CLAIMED[] =
    "SELECT " SWAP_COLUMNS " FROM swaps s" ASKED " WHERE s.lease_owner = ? ORDER BY s.id";
static const char RELEASE[] =
    "UPDATE swaps SET lease_owner = NULL, lease_until = NULL, next_poll_at = UTC_TIMESTAMP(3) + INTERVAL"
    " CASE WHEN in_flight = 2 THEN ? WHEN status IN (4, 5) THEN 5 WHEN created_at > UTC_TIMESTAMP(3) - "
    "INTERVAL 5 MINUTE THEN 1"
    " ELSE 10 END SECOND WHERE lease_owner = ?";
static const char OVERDUE[] = "SELECT COALESCE(TIMESTAMPDIFF(SECOND, MIN(next_poll_at), UTC_TIMESTAMP(3)), 0)"
                              " FROM swaps WHERE in_flight = 1 AND next_poll_at <= UTC_TIMESTAMP(3)";
static const char IN_FLIGHT[] = "SELECT COUNT(*) FROM swaps WHERE in_flight = 1";

static bool add_history(struct db *db, uint64_t id, int from, enum exec_status to, const char *why)
{
    struct stmt *st = db_prepare(db, HISTORY);

    bind_i64(st, from);
    bind_u64(st, to);
    bind_text(st, why);
    bind_u64(st, id);
    return db_exec(st) == 1;
}

/* +1 where the list shows the swap now, -1 where it did before (from 0: nowhere). 1, 0 the agent is gone, -1.
 */
static int count_move(struct db *db, uint64_t agent_id, int from, enum exec_status to)
{
    int delta[EXEC_FAILED + 1] = { 0 };

    if (from != 0)
        delta[exec_listed((enum exec_status)from)]--;
    delta[exec_listed(to)]++;
    return agents_count_swap(db, agent_id, delta[EXEC_PENDING], delta[EXEC_SUBMITTED], delta[EXEC_COMPLETED],
                             delta[EXEC_FAILED]);
}

int executions_add(struct db *db, struct execution *s, unsigned hands_off_s)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_u64(st, s->agent_id);
    bind_u64(st, s->wallet_id);
    bind_uuid(st, &s->once);
    bind_text(st, s->venue);
    bind_u64(st, EXEC_PENDING);
    bind_u64(st, s->from.chain_id);
    bind_u64(st, s->to.chain_id);
    bind_token(st, &s->from);
    bind_token(st, &s->to);
    bind_u256(st, &s->amount_in);
    bind_u256(st, &s->expected_out);
    bind_u256(st, &s->min_out);
    bind_ms(st, s->valid_until_ms);
    bind_u64(st, hands_off_s);
    if (db_exec(st) != 1)
        return -1;
    s->id = db_insert_id(db);
    s->status = EXEC_PENDING;
    if (!add_history(db, s->id, 0, EXEC_PENDING, "accepted"))
        return -1;
    return count_move(db, s->agent_id, 0, EXEC_PENDING);
}

int executions_begin(struct db *db, const struct execution *s, unsigned hands_off_s)
{
    struct stmt *st = db_prepare(db, BEGIN);
    int64_t begun;

    bind_text(st, s->venue);
    bind_u256(st, &s->expected_out);
    bind_u256(st, &s->min_out);
    bind_ms(st, s->valid_until_ms);
    bind_u64(st, hands_off_s);
    bind_u64(st, s->id);
    begun = db_exec(st);
    if (begun != 1)
        return (int)begun;
    if (!add_history(db, s->id, EXEC_PENDING, EXEC_PENDING, "approved"))
        return -1;
    return count_move(db, s->agent_id, EXEC_PENDING,
                      EXEC_PENDING); /* holds the agent, as executions_add does */
}

int executions_by_once(struct db *db, uint64_t agent_id, const struct uuid *once, uint64_t *id)
{
    struct stmt *st = db_prepare(db, BY_ONCE);
    int found;

    bind_uuid(st, once);
    bind_u64(st, agent_id);
    found = db_one(st);
    if (found == 1)
        *id = col_u64(st, 0);
    return found;
}

static void read_swap(struct stmt *st, struct arena *a, struct execution *s)
{
    *s = (struct execution){
        .id = col_u64(st, 0),
        .agent_id = col_u64(st, 1),
        .wallet_id = col_u64(st, 2),
        .once = col_uuid(st, 3),
        .status = (enum exec_status)col_u64(st, 5),
        .follow = (enum exec_follow)col_u64(st, 6),
        .amount_in = col_u256(st, 15),
        .expected_out = col_u256(st, 16),
        .min_out = col_u256(st, 17),
        .has_amount_out = !col_null(st, 18),
        .amount_out = col_u256(st, 18),
        .error_code = col_text(st, 20, a),
        .error_message = col_text(st, 21, a),
        .created_ms = col_ms(st, 22),
        .updated_ms = col_ms(st, 23),
        .completed_ms = col_ms(st, 24),
        .valid_until_ms = col_ms(st, 25),
        .corrected = col_u64(st, 26) != 0,
        .has_approval = !col_null(st, 27),
        .approval = col_uuid(st, 27),
        .approval_expires_ms = col_ms(st, 28),
    };
    col_string(st, 4, s->venue, sizeof s->venue);
    s->kind = strcmp(s->venue, "sweep") == 0 ? KIND_TRANSFER : KIND_SWAP;
    col_token(st, 7, 9, &s->from);
    col_token(st, 8, 12, &s->to);
    s->has_tx_hash = col_fixed(st, 19, s->tx_hash, sizeof s->tx_hash);
}

int executions_get(struct db *db, struct arena *a, uint64_t agent_id, uint64_t id, struct execution *out)
{
    struct stmt *st = db_prepare(db, GET);
    int found;

    bind_u64(st, id);
    bind_u64(st, agent_id);
    bind_u64(st, agent_id);
    found = db_one(st);
    if (found == 1)
        read_swap(st, a, out);
    return found;
}

int executions_failed_as(struct db *db, struct arena *a, uint64_t id, const char **why, int64_t *at_ms)
{
    struct stmt *st = db_prepare(db, FAILED_AS);
    int found;

    bind_u64(st, id);
    found = db_one(st);
    if (found != 1)
        return found;
    *why = col_text(st, 0, a);
    *at_ms = col_ms(st, 1);
    return 1;
}

static int read_swaps(struct stmt *st, struct arena *a, struct execution **out)
{
    int n = 0;

    *out = NULL;
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_swap(st, a, &(*out)[n++]);
    }
    return n;
}

int executions_page(struct db *db, struct arena *a, uint64_t agent_id, enum exec_status listed,
                    const struct page *p, struct execution *out)
{
    bool far = p->offset > PAGE_NEAR_MAX;
    struct stmt *st = db_prepare(db, listed == 0 ? (far ? FAR_PAGE : PAGE)
                                     : far       ? FAR_PAGE_LISTED
                                                 : PAGE_LISTED);
    int n = 0;

    bind_u64(st, agent_id);
    if (listed != 0)
        bind_u64(st, listed);
    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_swap(st, a, &out[n++]);
    return n;
}

int executions_move(struct db *db, const struct execution_move *m)
{
    struct stmt *st = db_prepare(db, MOVE);
    int64_t moved;

    if (!exec_may_move(m->from, m->to))
        log_fatal("msg=\"move not in the table\" from=%d to=%d", (int)m->from, (int)m->to);
    bind_u64(st, m->from == EXEC_FAILED);
    bind_u64(st, m->to);
    bind_bytes(st, m->tx_hash, 32);
    if (m->amount_out != NULL)
        bind_u256(st, m->amount_out);
    else
        bind_bytes(st, NULL, 0);
    bind_text(st, m->error_code);
    bind_text(st, m->error_message);
    bind_u64(st, m->to == EXEC_COMPLETED || m->to == EXEC_FAILED || m->to == EXEC_EXPIRED);
    bind_u64(st, m->id);
    bind_u64(st, m->from);
    moved = db_exec(st);
    if (moved != 1)
        return (int)moved;
    /* The swaps of a deleted agent go on, without totals. */
    return add_history(db, m->id, (int)m->from, m->to, m->why) &&
                   count_move(db, m->agent_id, (int)m->from, m->to) >= 0
               ? 1
               : -1;
}

bool executions_settle(struct db *db, uint64_t id, enum exec_follow next)
{
    struct stmt *st = db_prepare(db, SETTLE);

    bind_u64(st, next);
    bind_u64(st, id);
    return db_exec(st) >= 0;
}

static int64_t claim(struct db *db, const struct uuid *owner, unsigned lease_s, enum exec_follow which,
                     unsigned max)
{
    struct stmt *st = db_prepare(db, CLAIM);

    bind_uuid(st, owner);
    bind_u64(st, lease_s);
    bind_u64(st, which);
    bind_u64(st, max);
    return db_exec(st);
}

int64_t executions_claim(struct db *db, const struct uuid *owner, unsigned lease_s, unsigned max)
{
    int64_t flying = claim(db, owner, lease_s, FOLLOW_IN_FLIGHT, max), failed;

    if (flying < 0)
        return -1;
    failed = claim(db, owner, lease_s, FOLLOW_ONCE_MORE, max - (unsigned)flying);
    return failed < 0 ? -1 : flying + failed;
}

int executions_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct execution **out)
{
    struct stmt *st = db_prepare(db, CLAIMED);

    bind_uuid(st, owner);
    return read_swaps(st, a, out);
}

bool executions_release(struct db *db, const struct uuid *owner, unsigned second_look_s)
{
    struct stmt *st = db_prepare(db, RELEASE);

    bind_u64(st, second_look_s);
    bind_uuid(st, owner);
    return db_exec(st) >= 0;
}

int64_t executions_overdue(struct db *db)
{
    struct stmt *st = db_prepare(db, OVERDUE);

    return db_one(st) == 1 ? col_i64(st, 0) : -1;
}

int64_t executions_in_flight(struct db *db)
{
    struct stmt *st = db_prepare(db, IN_FLIGHT);

    return db_one(st) == 1 ? col_i64(st, 0) : -1;
}
