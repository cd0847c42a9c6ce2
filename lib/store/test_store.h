/* Shared parts of the store's tests: a real server, which GATEWAY_TEST_DB names by its Unix socket, where
 * root has no password; a database of the test's own, which is dropped at the end; and rows to begin with. */
#ifndef STORE_TEST_STORE_H
#define STORE_TEST_STORE_H

#include <stdlib.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test.h"
#include "codec/hash.h"
#include "codec/rand.h"
#include "store/agents.h"
#include "store/approvals.h"
#include "store/claim.h"
#include "store/events.h"
#include "store/executions.h"
#include "store/idempotency_keys.h"
#include "store/migrate.h"
#include "store/nonces.h"
#include "store/purges.h"
#include "store/quote_offers.h"
#include "store/quotes.h"
#include "store/requests.h"
#include "store/tasks.h"
#include "store/trading_halts.h"
#include "store/transactions.h"
#include "store/wallets.h"

static char database[64];
static struct db_conf conf;
static struct db *db;      /* under test */
static struct db *another; /* another program's; what a migration reads stays allocated with its connection */
static struct db *admin;   /* looks behind their backs */
static struct arena *a;

/* A statement behind the backs of those under test. */
static inline bool raw(const char *sql)
{
    return db_run(admin, sql);
}

#define RAW(...) raw(arena_printf(a, __VA_ARGS__))

/* The value of a query with one column and at most one row; -1 when there is none, -2 when it failed. */
static inline int64_t number_in(const char *sql)
{
    char *whole = arena_printf(a, "SELECT CAST((%s) AS SIGNED)", sql);
    struct stmt *st = db_prepare(admin, whole);
    int64_t n = db_one(st) != LOOKUP_FOUND ? -2 : col_null(st, 0) ? -1 : col_i64(st, 0);

    db_forget(st);
    return n;
}

#define NUMBER(...) number_in(arena_printf(a, __VA_ARGS__))

/* The sum of what SHOW SESSION STATUS says of the connection under test. */
static inline int64_t session_status_sum(const char *show)
{
    struct stmt *st = db_prepare(db, show);
    int64_t sum = 0;

    CHECK(db_query(st));
    while (db_next(st))
        sum += strtoll(col_text(st, 1, a), NULL, 10);
    return sum;
}

static inline bool is(struct u256 v, uint64_t want)
{
    return u256_cmp(v, u256_from_u64(want)) == 0;
}

static uint8_t agents_made;

static inline void key_of(uint8_t n, uint8_t out[static HASH_LEN])
{
    memset(out, n, HASH_LEN);
}

/* A new agent; its key hash is its number, repeated. */
static inline struct agent new_agent(const char *callback)
{
    static const uint8_t secret[] = "sealed secret";
    struct agent_new n = { .uuid = uuid_random(),
                           .name = "bot",
                           .tier = "standard",
                           .callback_url = callback,
                           .sealed_secret = callback != NULL ? secret : NULL,
                           .sealed_secret_len = callback != NULL ? sizeof secret : 0 };
    struct agent out = { .id = 0 };
    int64_t created;

    key_of(++agents_made, n.key_hash);
    CHECK(agents_add(db, &n, &created));
    CHECK(agents_by_key(db, a, n.key_hash, &out) == 1);
    return out;
}

static inline struct agent reread(const struct agent *agent, uint8_t n)
{
    uint8_t hash[HASH_LEN];
    struct agent out = { .id = 0 };

    key_of(n, hash);
    CHECK(agents_by_key(db, a, hash, &out) == 1 && out.id == agent->id);
    return out;
}

static inline struct wallet new_wallet(const struct agent *agent, const char *address, enum wallet_kind kind)
{
    struct wallet w = { .agent_id = agent->id }, out = { .id = 0 };

    w.ref.wallet = uuid_random();
    w.ref.agent = agent->uuid;
    w.ref.kind = kind;
    snprintf(w.ref.address, sizeof w.ref.address, "%s", address);
    rand_bytes(w.sealed, sizeof w.sealed);
    CHECK(wallets_add(db, &w, 0) == UPDATED);
    CHECK(wallets_pick(db, agent->id, kind, address, &out) == 1);
    CHECK(memcmp(out.sealed, w.sealed, sizeof w.sealed) == 0);
    CHECK(memcmp(&out.ref.wallet, &w.ref.wallet, sizeof w.ref.wallet) == 0);
    CHECK(memcmp(&out.ref.agent, &w.ref.agent, sizeof w.ref.agent) == 0);
    CHECK_STR(out.ref.address, address);
    return out;
}

static inline struct quote new_quote(uint64_t agent_id)
{
    struct quote q = {
        .id = uuid_random(),
        .agent_id = agent_id,
        .provider = "uniswap",
        .from = { 1, "ETH", "0x0000000000000000000000000000000000000000", 18 },
        .to = { 8453, "USDC", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", 6 },
        .amount_in = { { 1, 2, 3, UINT64_MAX } },
        .amount_out = u256_from_u64(3000),
        .min_out = u256_from_u64(2900),
        .slippage = { 30000 },
        .gas_units = 115000,
        .route_len = QUOTE_ROUTE_MAX,
    };

    memset(q.route, 0xa5, sizeof q.route);
    route_list_add(&q.reference, q.route, 200);
    CHECK(quotes_add(db, &q));
    return q;
}

static inline void have_agent(uint64_t id)
{
    CHECK(RAW(
        "INSERT IGNORE INTO agents (id, uuid, key_hash, name, created_at, last_active_at) VALUES"
        " (%d, UNHEX(LPAD(HEX(%d), 32, 0)), UNHEX(SHA2(%d, 256)), 'x', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))",
        (int)id, (int)id, (int)id));
}

static inline enum db_update count_new(const struct execution *s)
{
    return executions_count(
        db,
        &(struct execution_move){ .id = s->id, .kind = s->kind, .agent_id = s->agent_id, .to = EXEC_PENDING },
        1);
}

static inline void add_swap(struct execution *s, unsigned hands_off_s)
{
    CHECK(executions_add(db, s, hands_off_s) && count_new(s) == UPDATED);
}

static inline enum db_update move_counted(const struct execution_move *m)
{
    enum db_update moved = executions_move(db, m, 1);

    if (moved == UPDATED)
        CHECK(executions_count(db, m, 1) != DB_ERROR);
    return moved;
}

/* Not stored. */
static inline struct execution swap_terms(uint64_t agent_id, uint64_t wallet_id)
{
    return (struct execution){
        .agent_id = agent_id,
        .wallet_id = wallet_id,
        .kind = KIND_SWAP,
        .once = uuid_random(),
        .venue = "uniswap",
        .from = { 1, "ETH", "0x0000000000000000000000000000000000000000", 18 },
        .to = { 1, "USDC", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", 6 },
        .amount_in = u256_from_u64(1000),
        .expected_out = u256_from_u64(3000),
        .min_out = u256_from_u64(2900),
        .valid_until_ms = 1800000000123,
    };
}

static inline struct execution new_swap(uint64_t agent_id, uint64_t wallet_id)
{
    struct execution s = swap_terms(agent_id, wallet_id);

    have_agent(agent_id);
    add_swap(&s, 0);
    CHECK(s.id != 0 && s.status == EXEC_PENDING);
    return s;
}

static inline int move(const struct execution *s, enum exec_status from, enum exec_status to)
{
    struct execution_move m = {
        .id = s->id, .kind = s->kind, .agent_id = s->agent_id, .from = from, .to = to, .why = "test"
    };

    return move_counted(&m);
}

/* pending, submitted, completed, failed as one number */
static inline uint64_t totals(const struct agent *agent, uint8_t n)
{
    struct agent now = reread(agent, n);

    return now.swaps_pending * 1000 + now.swaps_submitted * 100 + now.swaps_completed * 10 + now.swaps_failed;
}

static inline struct transaction new_tx(const struct execution *s, uint64_t nonce, enum tx_kind kind,
                                        uint64_t max_fee, uint64_t value)
{
    struct transaction t = { .leg = LEG_SOURCE,
                             .effect = { .execution_id = s->id, .wallet_id = s->wallet_id },
                             .chain_id = 1,
                             .has_nonce = true,
                             .nonce = nonce,
                             .kind = kind,
                             .raw = (const uint8_t *)"\2\0raw",
                             .raw_len = 5,
                             .gas_limit = 10,
                             .max_fee = u256_from_u64(max_fee),
                             .priority_fee = u256_from_u64(1),
                             .value = u256_from_u64(value) };

    t.hash.len = 32;
    rand_bytes(t.hash.bytes, t.hash.len);
    return t;
}

static inline struct transaction add_tx(struct transaction t)
{
    CHECK(transactions_add(db, &t) && t.effect.id != 0);
    return t;
}

/* Everything that is followed is due, and what was done about its requests is a while ago. */
static inline void requests_grow_older(void)
{
    CHECK(raw("UPDATE executions SET due_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND, lease_until = NULL"));
    CHECK(raw("UPDATE requests SET broadcast_at = broadcast_at - INTERVAL 10 SECOND,"
              " unknown_at = unknown_at - INTERVAL 10 SECOND"));
}

static inline void requests_run_out(void)
{
    CHECK(raw("UPDATE requests SET expires_at = expires_at - INTERVAL 5 MINUTE"));
}

static inline void requests_know_no_end(void)
{
    CHECK(raw("UPDATE requests SET expires_at = NULL"));
}

/* Nothing that is followed is to be broadcast any more. */
static inline void executions_run_out(void)
{
    CHECK(raw("UPDATE executions SET valid_until = UTC_TIMESTAMP(3) - INTERVAL 5 MINUTE"));
}

/* A process claims the newest execution, and dies. */
static inline void newest_execution_claimed(void)
{
    CHECK(raw("UPDATE executions SET lease_owner = 'another process' ORDER BY id DESC LIMIT 1"));
}

static inline void newest_execution_dropped(void)
{
    CHECK(raw("UPDATE executions SET lease_owner = NULL, in_flight = 0 ORDER BY id DESC LIMIT 1"));
}

static inline uint64_t newest_execution(void)
{
    return (uint64_t)NUMBER("SELECT MAX(id) FROM executions");
}

/* One that the operator never decided about. */
static inline void lapsed_approval(uint64_t agent_id, uint64_t execution_id)
{
    CHECK(RAW("INSERT INTO approvals (id, agent_id, execution_id, state, why, slippage_ppm, created_at,"
              " expires_at) VALUES (UNHEX(LPAD(HEX(%d), 32, 0)), %d, %d, 1, 'x', 0, UTC_TIMESTAMP(3),"
              " UTC_TIMESTAMP(3) - INTERVAL 1 DAY)",
              (int)execution_id, (int)agent_id, (int)execution_id));
}

static struct task_room room = { QUOTA_NONE, QUOTA_NONE, QUOTAS };

static inline struct task_message message_of(const char *id)
{
    struct task_message m = { .body = "{\"messageId\":\"m\",\"parts\":[]}" };

    sha256(m.id, id, strlen(id));
    sha256(m.fingerprint, id, strlen(id));
    return m;
}

static inline struct task_push push_to(const char *url, const char *config_id)
{
    return (struct task_push){ .config_id = config_id,
                               .version = TASK_V10,
                               .url = url,
                               .scheme = "Bearer",
                               .sealed_headers = (const uint8_t *)"sealed headers",
                               .sealed_headers_len = 14 };
}

static struct uuid task_run;

static inline struct task new_task(const struct agent *agent, const char *message, const char *push_url)
{
    struct task t = {
        .id = uuid_random(), .agent_id = agent->id, .context_id = "c", .operation = "get_quote"
    };
    struct task_message m = message_of(message);
    struct task_push p = push_to(push_url, "p");

    task_run = uuid_random();
    CHECK(tasks_add(db, &t, &m, push_url == NULL ? NULL : &p, &task_run, 30, &room) == UPDATED && t.seq != 0);
    return t;
}

static inline int ended(const struct task *t, enum task_state state, uint64_t execution_id,
                        int (*write)(struct db *, const struct task_outcome *))
{
    struct task_outcome o = { t->seq, &task_run, state, execution_id, "note", "{\"a\":1}" };

    return write(db, &o);
}

static inline struct idem_run idem_run(uint8_t scope, uint8_t body)
{
    struct idem_run run = { .agent_id = 42, .owner = uuid_random() };

    memset(run.scope, scope, sizeof run.scope);
    memset(run.fingerprint, body, sizeof run.fingerprint);
    return run;
}

static inline void no_events(void)
{
    CHECK(raw("DELETE FROM webhook_events") && raw("DELETE FROM event_totals") &&
          raw("DELETE FROM event_queues"));
}

static inline unsigned same_for_all(void *share, uint64_t agent_id)
{
    (void)agent_id;
    return *(unsigned *)share;
}

/* A claim for 30 s, of any agent at most `share`. */
static inline int claim_events(const struct uuid *owner, unsigned share, struct event *out, size_t max)
{
    struct claim_in in = { owner, 30000, same_for_all, &share, max };
    int64_t wait_ms;

    return events_claim(db, a, &in, out, &wait_ms);
}

static inline uint64_t total_of_events(uint64_t agent_id, enum event_status status, const char *type)
{
    struct event_filter f = { .status = status, .type = type };
    struct page p = { PAGE_MAX, 0 };
    struct event out[PAGE_MAX];
    uint64_t total = 0;
    int n = events_page(db, a, agent_id, &f, &p, out, &total);

    CHECK(n >= 0 && (uint64_t)n == total); /* the kept totals are those of the rows */
    return total;
}

/* ---- the database ---- */

static inline bool test_store_start(const char *socket)
{
    struct db_conf any = { .servers = { { .socket = socket } }, .count = 1, .user = "root" };
    struct db *server = db_new(&any);
    char sql[128];
    bool ok;

    snprintf(database, sizeof database, "store_test_%d", (int)getpid());
    snprintf(sql, sizeof sql, "CREATE DATABASE %s CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", database);
    ok = db_run(server, sql);
    db_free(server);
    conf =
        (struct db_conf){ .servers = { { .socket = socket } }, .count = 1, .user = "root", .name = database };
    db = db_new(&conf);
    another = db_new(&conf);
    admin = db_new(&conf);
    a = arena_new();
    return ok;
}

static inline bool test_store_end(void)
{
    bool ok = db_ready(db) && db_ready(another) && RAW("DROP DATABASE %s", database);

    db_free(db);
    db_free(another);
    db_free(admin);
    arena_free(a);
    return ok;
}

/* `ready` is what a test wants before its first case. */
static inline int test_store_run(bool (*ready)(void), const struct test_case *cases, size_t n)
{
    const char *socket = getenv("GATEWAY_TEST_DB");
    int status;

    if (socket == NULL || *socket == '\0' || !test_store_start(socket) || !ready()) {
        fprintf(stderr, "GATEWAY_TEST_DB must name the socket of a database server\n");
        printf("0 passed, 1 failed\n");
        return 1;
    }
    status = test_run(cases, n);
    return test_store_end() ? status : 1;
}

static inline bool test_store_migrate(struct db *with, const char *sql_dir, enum migrate_reach reach)
{
    struct migrations *files = migrations_read(sql_dir);
    bool ok = files != NULL && migrate_apply(with, files, reach);

    migrations_free(files);
    return ok;
}

static inline bool test_store_schema(void)
{
    return test_store_migrate(db, "sql", MIGRATE_ALL);
}

static inline bool test_store_empty(void)
{
    return true;
}

#define STORE_TEST_MAIN_FROM(ready, ...)                                                                     \
    int main(void)                                                                                           \
    {                                                                                                        \
        static const struct test_case cases[] = { __VA_ARGS__ };                                             \
                                                                                                             \
        return test_store_run(ready, cases, sizeof cases / sizeof cases[0]);                                 \
    }
#define STORE_TEST_MAIN(...) STORE_TEST_MAIN_FROM(test_store_schema, __VA_ARGS__)

#endif
