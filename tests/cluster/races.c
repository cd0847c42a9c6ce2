/* What two nodes of a cluster do at once, step by step. CLUSTER_SOCKETS names them, two Unix sockets in a
 * comma list, where root has no password and the database `gateway` has the schema.
 *
 * A node applies the others' commits in their order. Kept busy with a large one it stays behind, so that a
 * transaction which began before collides with a commit that it cannot have seen: what row locks do on a
 * single server, certification has to do here. */
#include "base/test.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codec/rand.h"
#include "model/agent.h"
#include "service/conf.h"
#include "store/agents.h"
#include "store/claim.h"
#include "store/db.h"
#include "store/events.h"
#include "store/executions.h"
#include "store/idempotency_keys.h"
#include "store/migrate.h"
#include "store/policies.h"
#include "store/quotes.h"
#include "store/trading_halts.h"
#include "store/wallets.h"

enum { CHAIN = 8453 };

static struct db *here, *there;
static struct arena *a;

/* Makes `here` lag: it has this to apply before the next commit over there. */
static void fall_behind(void)
{
    CHECK(db_run(there, "INSERT INTO filler (text) SELECT REPEAT('x', 100) FROM seq_1_to_60000"));
}

static struct agent new_agent(void)
{
    struct agent_new n = { .name = "race", .tier = "standard", .callback_url = "http://127.0.0.1:1/" };
    struct agent out = { .id = 0 };
    int64_t created;

    n.uuid = uuid_random();
    rand_bytes(n.key_hash, sizeof n.key_hash);
    CHECK(agents_add(there, &n, &created));
    /* Read on the other node at once: it waits until it is in step. */
    CHECK(agents_by_key(here, a, n.key_hash, &out) == 1);
    return out;
}

static struct quote new_quote(uint64_t agent_id)
{
    struct quote q = { .id = uuid_random(), .agent_id = agent_id, .provider = "none", .gas_units = 1 };

    q.from.chain_id = q.to.chain_id = CHAIN;
    q.amount_in = q.amount_out = q.min_out = u256_from_u64(1);
    CHECK(quotes_add(there, &q));
    return q;
}

/* ---- a unit of work here, into whose first run something comes from there ---- */

struct race {
    int (*work)(struct race *); /* as store verbs return: 1, 0, -1 */
    void (*meanwhile)(struct race *);
    uint64_t agent_id, wallet_id, nonce;
    struct uuid quote_id;
    int runs, last; /* what the last run's work came to */
};

static enum tx_verdict race_tx(struct db *db, void *arg)
{
    struct race *r = arg;

    (void)db;
    r->last = r->work(r);
    if (r->runs++ == 0) {
        fall_behind();
        r->meanwhile(r);
    }
    return r->last < 0 ? TX_FAILED : r->last == 0 ? TX_ROLLBACK : TX_COMMIT;
}

static enum tx_result race(struct race *r)
{
    return db_transact(here, race_tx, r);
}

/* ---- trading stopped ---- */

static int trade(struct race *r)
{
    int stopped = trading_halts_hold(here, r->agent_id);

    if (stopped != 0)
        return stopped < 0 ? -1 : 0;
    return quotes_take(here, &r->quote_id, r->agent_id);
}

static void stop_all(struct race *r)
{
    (void)r;
    CHECK(trading_halts_set(there, HALT_ALL, HALT_TRADING, true));
}

static void stop_one(struct race *r)
{
    CHECK(trading_halts_set(there, r->agent_id, HALT_TRADING, true));
}

static void no_trade_slips_through(void (*stop)(struct race *), bool all)
{
    struct agent agent = new_agent();
    struct race r = { trade, stop, .agent_id = agent.id, .quote_id = new_quote(agent.id).id };

    CHECK(race(&r) == TX_REFUSED && r.runs == 2);
    CHECK(trading_halts_check(here, agent.id) == 1);
    CHECK(trading_halts_set(here, all ? HALT_ALL : agent.id, HALT_TRADING, false) &&
          trading_halts_check(there, agent.id) == 0);
}

static void no_trade_slips_through_a_stop_of_all(void)
{
    no_trade_slips_through(stop_all, true);
}

static void no_trade_slips_through_a_stop_of_one(void)
{
    no_trade_slips_through(stop_one, false);
}

/* ---- policies ---- */

static int trade_where_nothing_forbids(struct race *r)
{
    struct policy *list;
    int stopped = trading_halts_hold(here, r->agent_id), n = policies_list(here, a, r->agent_id, 0, &list);

    if (stopped != 0 || n != 0)
        return stopped < 0 || n < 0 ? -1 : 0;
    return quotes_take(here, &r->quote_id, r->agent_id);
}

static enum tx_verdict add_policy_there(struct db *db, void *arg)
{
    const struct race *r = arg;
    struct policy p = {
        .id = uuid_random(), .agent_id = r->agent_id, .type = POLICY_WHITELIST, .params = "{}"
    };

    return policies_add(db, &p) == 1 ? TX_COMMIT : TX_FAILED;
}

static void set_policy(struct race *r)
{
    CHECK(db_transact(there, add_policy_there, r) == TX_DONE);
}

static void no_trade_slips_past_a_policy(void)
{
    struct agent agent = new_agent();
    struct race r = { trade_where_nothing_forbids, set_policy, .agent_id = agent.id,
                      .quote_id = new_quote(agent.id).id };

    CHECK(race(&r) == TX_REFUSED && r.runs == 2);
}

/* ---- quotes and nonces ---- */

static int take(struct race *r)
{
    return quotes_take(here, &r->quote_id, r->agent_id);
}

static void take_there(struct race *r)
{
    CHECK(quotes_take(there, &r->quote_id, r->agent_id) == 1);
}

static void a_quote_is_taken_once(void)
{
    struct agent agent = new_agent();
    struct race r = { take, take_there, .agent_id = agent.id, .quote_id = new_quote(agent.id).id };

    CHECK(race(&r) == TX_REFUSED && r.runs == 2);
}

static uint64_t new_wallet(void)
{
    struct wallet w = { .agent_id = new_agent().id,
                        .ref = { .wallet = uuid_random(),
                                 .kind = WALLET_EVM,
                                 .address = "0xaa00000000000000000000000000000000000001" } };

    CHECK(wallets_add(there, &w, 0) == UPDATED);
    CHECK(wallets_pick(here, w.agent_id, WALLET_EVM, NULL, &w) == LOOKUP_FOUND);
    return w.id;
}

static int next_nonce(struct race *r)
{
    struct wallet_locked held;

    if (wallets_lock(here, r->wallet_id, CHAIN, &held) != LOOKUP_FOUND)
        return -1;
    r->nonce = held.next_nonce;
    return wallets_nonce_set(here, r->wallet_id, CHAIN, r->nonce + 1) ? 1 : -1;
}

static enum tx_verdict next_nonce_there(struct db *db, void *arg)
{
    struct race *r = arg;
    struct wallet_locked held;

    return wallets_lock(db, r->wallet_id, CHAIN, &held) == LOOKUP_FOUND &&
                   wallets_nonce_set(db, r->wallet_id, CHAIN, held.next_nonce + 1)
               ? TX_COMMIT
               : TX_FAILED;
}

static void nonce_there(struct race *r)
{
    CHECK(db_transact(there, next_nonce_there, r) == TX_DONE);
}

static void a_nonce_is_given_once(void)
{
    struct race r = { next_nonce, nonce_there, .wallet_id = new_wallet() };

    CHECK(race(&r) == TX_DONE && r.runs == 2 && r.nonce == 1); /* the first nonce of the wallet */
    r.runs = 0;
    CHECK(race(&r) == TX_DONE && r.runs == 2 && r.nonce == 3);
}

/* ---- events ---- */

static unsigned share(void *arg, uint64_t agent_id)
{
    (void)arg;
    (void)agent_id;
    return 100;
}

/* All that is due there is claimed and settled. How many were this agent's. */
static int claim_there(uint64_t agent_id)
{
    struct uuid owner = uuid_random();
    struct claim_in in = { .owner = &owner, .lease_ms = 60000, .share = share, .max = 100 };
    struct event out[100];
    int64_t wait;
    int n, sum = 0;

    while ((n = events_claim(there, a, &in, out, &wait)) > 0)
        for (int i = 0; i < n; i++)
            sum += out[i].agent_id == agent_id;
    return n < 0 ? -1 : sum;
}

static int add_event(struct race *r)
{
    return events_add(here, r->agent_id, "swap.completed", "{}") ? 1 : -1;
}

static void settle_queue(struct race *r)
{
    CHECK(claim_there(r->agent_id) == 1);
}

static enum tx_verdict add_event_there(struct db *db, void *arg)
{
    return events_add(db, ((struct race *)arg)->agent_id, "swap.completed", "{}") ? TX_COMMIT : TX_FAILED;
}

static void an_event_is_not_forgotten_beside_a_claim(void)
{
    struct race r = { add_event, settle_queue, .agent_id = new_agent().id };

    CHECK(db_transact(there, add_event_there, &r) == TX_DONE);
    CHECK(race(&r) == TX_DONE && r.runs == 2);
    CHECK(claim_there(r.agent_id) == 1);
}

static int redeliver(struct race *r)
{
    return events_redeliver(here, r->agent_id, r->quote_id);
}

static void remove_callback(struct race *r)
{
    struct agent_change change = { .set_callback = true };
    bool kept;

    CHECK(agents_change(there, r->agent_id, &change, &kept) == 1);
}

static void nothing_is_sent_to_a_callback_that_was_removed(void)
{
    struct event e = { .id = uuid_random(),
                       .agent_id = new_agent().id,
                       .type = "swap.failed",
                       .body = "{}",
                       .callback_url = "http://127.0.0.1:1/",
                       .created_ms = 1000 };
    struct event_result result = { .status = EVENT_DELIVERED, .response_status = 200 };
    struct race r = { redeliver, remove_callback, .agent_id = e.agent_id, .quote_id = e.id };

    CHECK(events_add_ended(there, &e, &result, QUOTA_NONE));
    CHECK(race(&r) == TX_REFUSED && r.runs == 2);
    CHECK(claim_there(r.agent_id) == 0);
}

/* ---- single statements ---- */

static void one_of_two_rotations_wins(void)
{
    struct agent agent = new_agent(), now;
    uint8_t keys[3][HASH_LEN];
    int rotated;

    rand_bytes(keys, sizeof keys);
    CHECK(agents_rotate(here, agent.id, keys[0], keys[1], QUOTA_NONE, NULL) == 0); /* not its key */
    CHECK(db_run(there, arena_printf(a, "UPDATE agents SET key_hash = REPEAT('%c', 32) WHERE id = %llu",
                                     'a' + (int)(agent.id % 26), (unsigned long long)agent.id)));
    memset(keys[0], 'a' + (int)(agent.id % 26), HASH_LEN);
    CHECK(agents_by_key(here, a, keys[0], &now) == 1);
    fall_behind();
    CHECK(agents_rotate(there, agent.id, keys[0], keys[1], QUOTA_NONE, NULL) == 1);
    rotated = agents_rotate(here, agent.id, keys[0], keys[2], QUOTA_NONE, NULL);
    CHECK(rotated == 0);
    CHECK(agents_by_key(here, a, keys[1], &now) == 1 && agents_by_key(here, a, keys[0], &now) == 0);
}

static void a_request_is_taken_once(void)
{
    struct idem_run one = { .agent_id = new_agent().id, .owner = uuid_random() }, two = one;
    struct idem_found recorded;

    two.owner = uuid_random();
    fall_behind();
    CHECK(idempotency_take(there, a, &one, 30, QUOTA_NONE, &recorded) == IDEM_BEGUN);
    CHECK(idempotency_take(here, a, &two, 30, QUOTA_NONE, &recorded) == IDEM_RUNNING);
}

/* ---- what must not be behind ---- */

static void a_key_works_and_dies_everywhere_at_once(void)
{
    struct agent agent = new_agent(), now;
    uint8_t keys[2][HASH_LEN];

    for (int i = 0; i < 3; i++) {
        rand_bytes(keys, sizeof keys);
        CHECK(db_run(
            there, arena_printf(a, "UPDATE agents SET key_hash = UNHEX(SHA2('%d %llu', 256)) WHERE id = %llu",
                                i, (unsigned long long)agent.id, (unsigned long long)agent.id)));
        fall_behind();
        sha256(keys[0], arena_printf(a, "%d %llu", i, (unsigned long long)agent.id),
               strlen(arena_printf(a, "%d %llu", i, (unsigned long long)agent.id)));
        CHECK(agents_rotate(there, agent.id, keys[0], keys[1], QUOTA_NONE, NULL) == 1);
        CHECK(agents_by_key(here, a, keys[0], &now) == 0);
        CHECK(agents_by_key(here, a, keys[1], &now) == 1);
    }
}

static void a_quote_is_known_everywhere_at_once(void)
{
    struct agent agent = new_agent();
    struct quote q, out;

    fall_behind();
    q = new_quote(agent.id);
    CHECK(quotes_get(here, &q.id, agent.id, &out) == 1);
}

static struct db *connect_with(const char *socket);

/* ---- a busy row ---- */

static const char *here_socket, *there_socket;

/* Writes the row from there all the time, in a process of its own. */
static pid_t busy_begin(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        struct db *db = connect_with(there_socket);
        uint16_t pause;

        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) {
            (void)db_run(db, "UPDATE halves SET n = n + 1 WHERE id = 3");
            rand_bytes(&pause, sizeof pause);
            usleep(pause % 1500);
        }
    }
    return pid;
}

static enum tx_verdict halves_write(struct db *db, void *arg)
{
    static const char first[] = "UPDATE halves SET n = n + 1 WHERE id IN (1, 3)",
                      read[] = "SELECT n FROM halves WHERE id = 2",
                      second[] = "UPDATE halves SET n = n + 1 WHERE id = 2";

    (void)arg;
    return db_exec(db_prepare(db, first)) == 2 && db_one(db_prepare(db, read)) == LOOKUP_FOUND &&
                   db_exec(db_prepare(db, second)) == 1
               ? TX_COMMIT
               : TX_FAILED;
}

/* On a connection that has just begun, whose statements are prepared within the transaction. */
static bool halves_add(void)
{
    struct db *db = connect_with(here_socket);
    bool done = db_transact(db, halves_write, NULL) == TX_DONE;

    db_free(db);
    return done;
}

static void a_transaction_is_committed_whole(void)
{
    static const char sums[] = "SELECT n FROM halves WHERE id < 3 ORDER BY id";
    uint64_t done = 0;
    struct stmt *st;
    pid_t busy;

    CHECK(db_run(here, "CREATE OR REPLACE TABLE halves (id INT PRIMARY KEY, n INT UNSIGNED NOT NULL)") &&
          db_run(here, "INSERT INTO halves VALUES (1, 0), (2, 0), (3, 0)"));
    busy = busy_begin();
    for (int i = 0; i < 250; i++)
        done += halves_add();
    (void)kill(busy, SIGKILL);
    (void)waitpid(busy, NULL, 0);
    st = db_prepare(here, sums);
    CHECK(done > 50 && db_query(st));
    CHECK(db_next(st) && col_u64(st, 0) == done);
    CHECK(db_next(st) && col_u64(st, 0) == done);
    CHECK(db_run(here, "DROP TABLE halves"));
}

static struct db *connect_with(const char *socket)
{
    struct db_conf conf = {
        .servers = { { .socket = socket } }, .count = 1, .user = "root", .name = "gateway"
    };

    return db_new(&conf);
}

int main(void)
{
    static const struct test_case cases[] = {
        TEST(no_trade_slips_through_a_stop_of_all),
        TEST(no_trade_slips_through_a_stop_of_one),
        TEST(no_trade_slips_past_a_policy),
        TEST(a_quote_is_taken_once),
        TEST(a_nonce_is_given_once),
        TEST(an_event_is_not_forgotten_beside_a_claim),
        TEST(nothing_is_sent_to_a_callback_that_was_removed),
        TEST(one_of_two_rotations_wins),
        TEST(a_request_is_taken_once),
        TEST(a_key_works_and_dies_everywhere_at_once),
        TEST(a_quote_is_known_everywhere_at_once),
        TEST(a_transaction_is_committed_whole),
    };
    char *sockets = getenv("CLUSTER_SOCKETS"), *second = sockets == NULL ? NULL : strchr(sockets, ',');
    int status = EXIT_FAILURE;

    if (second == NULL) {
        fputs("CLUSTER_SOCKETS names two sockets\n", stderr);
        return EXIT_FAILURE;
    }
    *second++ = '\0';
    a = arena_new();
    here = connect_with(sockets);
    there = connect_with(second);
    here_socket = sockets;
    there_socket = second;
    if (db_ready(here) && db_ready(there) && db_in_cluster(here) &&
        db_run(there, "CREATE TABLE filler (id BIGINT AUTO_INCREMENT PRIMARY KEY, text TEXT)")) {
        status = test_run(cases, sizeof cases / sizeof cases[0]);
        CHECK(db_run(there, "DROP TABLE filler"));
    }
    db_free(here);
    db_free(there);
    arena_free(a);
    return status;
}
