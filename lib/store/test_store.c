/* All of the store against a real server: GATEWAY_TEST_DB names its Unix socket, where root has no password.
 * A database of the test's own is made there and dropped at the end. */
#include "base/test.h"
#include "store/db.c"
#include "store/migrate.c"

#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codec/hash.h"
#include "codec/rand.h"
#include "store/agents.h"
#include "store/claim.h"
#include "store/events.h"
#include "store/executions.h"
#include "store/idempotency.h"
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

static bool raw(const char *sql)
{
    return simple(admin, sql);
}

#define RAW(...) raw(arena_printf(a, __VA_ARGS__))

/* The first column of the first row as a number; -1 when there is none. */
static int64_t number_in(const char *sql)
{
    int64_t n = -1;
    MYSQL_RES *rows;
    MYSQL_ROW row;

    if (!raw(sql))
        return -2;
    rows = mysql_store_result(admin->handle);
    row = rows == NULL ? NULL : mysql_fetch_row(rows);
    if (row != NULL && row[0] != NULL)
        n = strtoll(row[0], NULL, 10);
    mysql_free_result(rows);
    return n;
}

#define NUMBER(...) number_in(arena_printf(a, __VA_ARGS__))

static bool is(struct u256 v, uint64_t want)
{
    return u256_cmp(v, u256_from_u64(want)) == 0;
}

/* ---- the schema ---- */

static int by_name(const struct dirent **x, const struct dirent **y)
{
    return strcmp((*x)->d_name, (*y)->d_name);
}

/* Stopped between a file and its number, a file runs again. */
static void each_migration_may_run_twice(void)
{
    struct migration m = { .db = db, .dir = "sql", .owner = uuid_random() };
    struct dirent **files;
    int n = scandir("sql", &files, NULL, by_name);
    bool held;

    CHECK(migrate_fit(db) == SCHEMA_OLDER);
    CHECK(make_versions(db) && make_versions(db) && take_lease(db, &m.owner) && read_versions(db, &m.at));
    CHECK(n > SCHEMA_VERSION && m.at.oldest == 0 && m.at.applied == 0);
    for (int i = 0; i < n; i++) {
        const char *name = files[i]->d_name;

        if (file_number(name) > 0)
            CHECK(apply_file(&m, name, MIGRATE_ALL, &held) && apply_file(&m, name, MIGRATE_ALL, &held));
        free(files[i]);
    }
    free(files);
    CHECK(raw("UPDATE schema_version SET lease_until = NULL"));
}

static void a_schema_fits_from_the_oldest_to_the_last(void)
{
    CHECK(migrate_fit(db) == SCHEMA_FITS);
    CHECK(migrate_apply(db, "sql", MIGRATE_ALL) && migrate_fit(db) == SCHEMA_FITS);
    CHECK(NUMBER("SELECT lease_until IS NULL AND applied = %d FROM schema_version", SCHEMA_VERSION) == 1);
    CHECK(raw("UPDATE schema_version SET applied = applied + 2") && migrate_fit(db) == SCHEMA_FITS);
    CHECK(RAW("UPDATE schema_version SET version = %d", SCHEMA_VERSION + 1));
    CHECK(migrate_fit(db) == SCHEMA_NEWER);
    CHECK(RAW("UPDATE schema_version SET version = 46, applied = %d", SCHEMA_VERSION - 1));
    CHECK(migrate_fit(db) == SCHEMA_OLDER);
    /* with another program running, what it cannot live with is held back */
    CHECK(migrate_apply(another, "sql", MIGRATE_AHEAD) && migrate_fit(db) == SCHEMA_OLDER);
    CHECK(NUMBER("SELECT version FROM schema_version") == 46);
    CHECK(migrate_apply(another, "sql", MIGRATE_ALL) && migrate_fit(db) == SCHEMA_FITS);
    CHECK(!migrate_apply(db, "sql/nowhere", MIGRATE_ALL));
}

static void sessions_are_as_promised(void)
{
    static const char sql[] =
        "SELECT @@session.time_zone = '+00:00' AND @@character_set_connection = 'utf8mb4'"
        " AND @@session.innodb_lock_wait_timeout = 5";
    struct stmt *st = db_prepare(db, sql);
    char isolation[32];
    bool durable = false;

    CHECK(db_one(st) == 1 && col_u64(st, 0) == 1);
    show(db->handle,
         "SHOW SESSION VARIABLES WHERE Variable_name IN ('tx_isolation', 'transaction_isolation')", isolation,
         sizeof isolation);
    CHECK(strcmp(isolation, "READ-COMMITTED") == 0);
    CHECK(db_is_durable(db, &durable) && durable);
}

/* Seconds after which the server ends who says nothing. */
static long long silence_limit(void)
{
    char limit[32];

    show(db->handle,
         "SHOW SESSION VARIABLES WHERE Variable_name IN ('wait_timeout', 'idle_transaction_timeout')"
         " AND Value BETWEEN 1 AND 60",
         limit, sizeof limit);
    return strtoll(limit, NULL, 10);
}

static enum tx_verdict look_at_limit(struct db *d, void *arg)
{
    (void)d;
    *(long long *)arg = silence_limit();
    return TX_COMMIT;
}

static void who_stands_still_in_a_transaction_loses_it(void)
{
    long long inside = 0;

    CHECK(db_transact(db, look_at_limit, &inside) == TX_DONE && inside == 10);
    CHECK(db->ends_idle || silence_limit() == 0);
}

/* ---- agents ---- */

static uint8_t agents_made;

static void key_of(uint8_t n, uint8_t out[static HASH_LEN])
{
    memset(out, n, HASH_LEN);
}

/* A new agent; its key hash is its number, repeated. */
static struct agent new_agent(const char *callback)
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

static struct agent reread(const struct agent *agent, uint8_t n)
{
    uint8_t hash[HASH_LEN];
    struct agent out = { .id = 0 };

    key_of(n, hash);
    CHECK(agents_by_key(db, a, hash, &out) == 1 && out.id == agent->id);
    return out;
}

static void agents_are_added_and_found(void)
{
    struct agent_new n = {
        .uuid = uuid_random(),
        .key_hash = { 0xee },
        .name = "n\xc3\xa4me \xf0\x9f\x98\x80'; DROP TABLE agents; --",
        .description = "what",
        .tier = "premium",
        .callback_url = "https://a.example/",
        .metadata = "{\"a\":1}",
        .sealed_secret = (const uint8_t *)"\0\1\2",
        .sealed_secret_len = 3,
    };
    uint8_t unknown[HASH_LEN] = { 0xef };
    int64_t created = 0;
    struct agent got;

    CHECK(agents_add(db, &n, &created));
    CHECK(agents_by_key(db, a, unknown, &got) == 0);
    CHECK(agents_by_key(db, a, n.key_hash, &got) == 1);
    CHECK(memcmp(&got.uuid, &n.uuid, sizeof n.uuid) == 0 && got.status == AGENT_ACTIVE);
    CHECK_STR(got.name, n.name);
    CHECK_STR(got.description, "what");
    CHECK_STR(got.tier, "premium");
    CHECK_STR(got.callback_url, "https://a.example/");
    CHECK_STR(got.metadata, "{\"a\":1}");
    CHECK(got.has_webhook_secret && got.created_ms == created && got.last_active_ms == created);
    CHECK(got.total_requests == 0 && got.swaps_pending == 0 && got.swaps_completed == 0);

    n.uuid = uuid_random(); /* the same key */
    CHECK(!agents_add(db, &n, &created) && db_duplicate(db));

    n = (struct agent_new){
        .uuid = uuid_random(), .key_hash = { 0xed }, .name = "plain", .tier = "standard"
    };
    CHECK(agents_add(db, &n, &created) && agents_by_key(db, a, n.key_hash, &got) == 1);
    CHECK(got.description == NULL && got.callback_url == NULL && got.metadata == NULL);
    CHECK(!got.has_webhook_secret);
}

/* Longer than what a column is fetched with at first. */
static void long_texts_come_back_whole(void)
{
    struct agent_new n = { .uuid = uuid_random(), .key_hash = { 0xec }, .name = "long", .tier = "standard" };
    char *metadata = arena_alloc(a, 16 * 1024 + 1);
    int64_t created;
    struct agent got;

    for (size_t i = 0; i < (size_t)16 * 1024; i++)
        metadata[i] = (char)('a' + i % 26);
    n.metadata = metadata;
    CHECK(agents_add(db, &n, &created) && agents_by_key(db, a, n.key_hash, &got) == 1);
    CHECK_STR(got.metadata, metadata);
}

static void profiles_change(void)
{
    struct agent agent = new_agent(NULL);
    uint8_t n = agents_made;
    struct agent_change change = { .set_description = true, .description = "new" };
    bool kept = true;

    CHECK(agents_change(db, agent.id, &change, &kept) == 1 && !kept);
    CHECK_STR(reread(&agent, n).description, "new");

    /* the first callback brings a secret, which stays the agent's */
    change = (struct agent_change){ .set_callback = true,
                                    .callback_url = "https://a.example/",
                                    .sealed_secret = (const uint8_t *)"one",
                                    .sealed_secret_len = 3 };
    CHECK(agents_change(db, agent.id, &change, &kept) == 1 && kept);
    change.sealed_secret = (const uint8_t *)"two";
    CHECK(agents_change(db, agent.id, &change, &kept) == 1 && !kept);
    CHECK(NUMBER("SELECT webhook_secret = 'one' FROM agents WHERE id = %d", (int)agent.id) == 1);
    CHECK_STR(reread(&agent, n).description, "new");

    change = (struct agent_change){
        .set_callback = true, .set_description = true, .set_metadata = true, .metadata = "{}"
    };
    CHECK(agents_change(db, agent.id, &change, &kept) == 1 && !kept);
    agent = reread(&agent, n);
    CHECK(agent.callback_url == NULL && agent.description == NULL && agent.has_webhook_secret);
    CHECK_STR(agent.metadata, "{}");

    change = (struct agent_change){ .set_metadata = true, .metadata = "{}" };
    CHECK(agents_change(db, agent.id, &change, &kept) == 1); /* nothing new is no failure */
    CHECK(agents_change(db, 999999, &change, &kept) == 0);
}

static void requests_are_counted(void)
{
    struct agent agent = new_agent(NULL);
    uint8_t n = agents_made;

    CHECK(agents_count_requests(db, &agent.uuid, 5, agent.last_active_ms + 1500));
    CHECK(agents_count_requests(db, &agent.uuid, 2, agent.last_active_ms - 1500)); /* another host, late */
    CHECK(reread(&agent, n).total_requests == 7);
    CHECK(reread(&agent, n).last_active_ms == agent.last_active_ms + 1500);
}

static void requests_of_unknown_agents_are_forgotten(void)
{
    struct uuid nobody = uuid_random();

    CHECK(agents_count_requests(db, &nobody, 5, 1800000000000));
}

static void operators_change_agents(void)
{
    struct agent agent = new_agent(NULL), got;
    struct uuid nobody = uuid_random();
    uint8_t n = agents_made;

    CHECK(agents_by_uuid(db, a, &agent.uuid, &got) == 1 && got.id == agent.id);
    CHECK(agents_by_uuid(db, a, &nobody, &got) == 0);
    CHECK(agents_set_tier(db, agent.id, "gold") && agents_set_tier(db, agent.id, "gold"));
    CHECK(agents_set_status(db, agent.id, AGENT_DEACTIVATED));
    got = reread(&agent, n);
    CHECK_STR(got.tier, "gold");
    CHECK(got.status == AGENT_DEACTIVATED);
    CHECK(agents_set_status(db, agent.id, AGENT_ACTIVE) && reread(&agent, n).status == AGENT_ACTIVE);
}

static void agents_are_paged(void)
{
    struct agent first = new_agent(NULL), second = new_agent(NULL), page[3];

    CHECK(agents_page(db, a, NULL, first.id - 1, page, 1) == 1 && page[0].id == first.id);
    CHECK(agents_page(db, a, NULL, first.id - 1, page, 3) == 2 && page[1].id == second.id);
    CHECK(agents_page(db, a, NULL, second.id, page, 3) == 0);
    CHECK(agents_set_tier(db, second.id, "paged"));
    CHECK(agents_page(db, a, "paged", 0, page, 3) == 1 && page[0].id == second.id);
    CHECK(agents_page(db, a, "nobody's", 0, page, 3) == 0);
}

/* ---- the kill switch ---- */

static void halts_are_for_one_or_all(void)
{
    struct agent one = new_agent(NULL), other = new_agent(NULL);

    CHECK(trading_halts_check(db, one.id) == 0 && trading_halts_hold(db, one.id) == 0);
    CHECK(trading_halts_set(db, one.id, HALT_TRADING, true) &&
          trading_halts_set(db, one.id, HALT_TRADING, true));
    CHECK(trading_halts_check(db, one.id) == 1 && trading_halts_hold(db, one.id) == 1 &&
          trading_halts_check(db, other.id) == 0);
    CHECK(trading_halts_set(db, HALT_ALL, HALT_TRADING, true) && trading_halts_check(db, other.id) == 1);
    CHECK(trading_halts_set(db, HALT_ALL, HALT_TRADING, false) && trading_halts_check(db, other.id) == 0 &&
          trading_halts_check(db, one.id) == 1);
    CHECK(trading_halts_set(db, one.id, HALT_TRADING, false) && trading_halts_check(db, one.id) == 0);
}

static void a_ban_and_a_stop_end_each_for_itself(void)
{
    struct agent agent = new_agent(NULL);
    uint8_t n = agents_made;

    CHECK(!agent.banned);
    CHECK(trading_halts_set(db, agent.id, HALT_ACCESS, true) &&
          trading_halts_set(db, agent.id, HALT_TRADING, true));
    CHECK(reread(&agent, n).banned && trading_halts_check(db, agent.id) == 1);
    CHECK(trading_halts_set(db, agent.id, HALT_ACCESS, false) && !reread(&agent, n).banned);
    CHECK(trading_halts_check(db, agent.id) == 1);
    CHECK(trading_halts_set(db, agent.id, HALT_TRADING, false) && trading_halts_check(db, agent.id) == 0);
    CHECK(trading_halts_set(db, agent.id, HALT_ACCESS, true) && trading_halts_hold(db, agent.id) == 1);
    CHECK(trading_halts_set(db, agent.id, HALT_ACCESS, false));
}

static void a_stopped_agent_changes_nothing(void)
{
    struct agent agent = new_agent("https://a.example/");
    uint8_t n = agents_made, key[HASH_LEN], other[HASH_LEN] = { 0xe1 };
    struct agent_change change = { .set_callback = true }, words = { .set_description = true };
    bool kept;

    key_of(n, key);
    CHECK(trading_halts_set(db, agent.id, HALT_TRADING, true));
    CHECK(agents_rotate(db, agent.id, key, other, QUOTA_NONE) == HALTED &&
          agents_deactivate(db, agent.id) == HALTED);
    CHECK(agents_renew_secret(db, agent.id, (const uint8_t *)"new", 3) == HALTED);
    CHECK(agents_change(db, agent.id, &change, &kept) == HALTED && agents_delete(db, agent.id) == HALTED);
    CHECK(agents_change(db, agent.id, &words, &kept) == 1);
    CHECK_STR(reread(&agent, n).callback_url, "https://a.example/");
    CHECK(trading_halts_set(db, agent.id, HALT_TRADING, false) && agents_deactivate(db, agent.id) == 1);
}

struct holding {
    uint64_t agent;
    int ready, go;
    bool ended; /* the stop returned while this was still open */
};

/* Holds, tells that it does, and waits until the other has had time to stop. */
static enum tx_verdict hold_a_while(struct db *on, void *arg)
{
    struct holding *h = arg;
    char byte = 0;
    struct timeval patience = { .tv_usec = 300 * 1000 };
    fd_set fds;

    CHECK(trading_halts_hold(on, h->agent) == 0);
    CHECK(write(h->ready, &byte, 1) == 1);
    FD_ZERO(&fds);
    FD_SET(h->go, &fds);
    h->ended = select(h->go + 1, &fds, NULL, NULL, &patience) == 1;
    return TX_COMMIT;
}

static void a_stop_waits_for_what_is_under_way(void)
{
    struct agent agent = new_agent(NULL);
    int ready[2], done[2], status;
    struct holding h = { .agent = agent.id };
    char byte = 0;
    pid_t pid;

    CHECK(pipe(ready) == 0 && pipe(done) == 0);
    pid = fork();
    if (pid == 0) {
        struct db *own = db_new(&conf);
        bool ok = read(ready[0], &byte, 1) == 1 && trading_halts_set(own, agent.id, HALT_TRADING, true) &&
                  write(done[1], &byte, 1) == 1;

        _exit(ok ? 0 : 1);
    }
    h.ready = ready[1];
    h.go = done[0];
    CHECK(pid > 0 && db_transact(db, hold_a_while, &h) == TX_DONE && !h.ended);
    CHECK(waitpid(pid, &status, 0) == pid && status == 0 && trading_halts_hold(db, agent.id) == 1);
    CHECK(trading_halts_set(db, agent.id, HALT_TRADING, false));
    for (int i = 0; i < 2; i++) {
        close(ready[i]);
        close(done[i]);
    }
}

/* ---- wallets ---- */

static struct wallet new_wallet(const struct agent *agent, const char *address, enum wallet_kind kind)
{
    struct wallet w = { .agent_id = agent->id }, out = { .id = 0 };

    w.ref.wallet = uuid_random();
    w.ref.agent = agent->uuid;
    w.ref.kind = kind;
    snprintf(w.ref.address, sizeof w.ref.address, "%s", address);
    rand_bytes(w.sealed, sizeof w.sealed);
    CHECK(wallets_add(db, &w) == 1);
    CHECK(wallets_pick(db, agent->id, kind, address, &out) == 1);
    CHECK(memcmp(out.sealed, w.sealed, sizeof w.sealed) == 0);
    CHECK(memcmp(&out.ref.wallet, &w.ref.wallet, sizeof w.ref.wallet) == 0);
    CHECK(memcmp(&out.ref.agent, &w.ref.agent, sizeof w.ref.agent) == 0);
    CHECK_STR(out.ref.address, address);
    return out;
}

static void wallets_of_an_agent(void)
{
    struct agent agent = new_agent(NULL), other = new_agent(NULL);
    struct wallet first = new_wallet(&agent, "0xAa01", WALLET_EVM);
    struct wallet second = new_wallet(&agent, "0xAa02", WALLET_EVM);
    struct wallet solana = new_wallet(&agent, "So1", WALLET_SOLANA);
    struct wallet theirs = new_wallet(&other, "0xAa03", WALLET_EVM);
    struct wallet got, *list;

    CHECK(wallets_list(db, a, agent.id, &list) == 3);
    CHECK(list[0].id == first.id && list[1].id == second.id && list[2].id == solana.id);
    CHECK(wallets_pick(db, agent.id, WALLET_EVM, NULL, &got) == 1 && got.id == first.id);
    CHECK(wallets_pick(db, agent.id, WALLET_SOLANA, NULL, &got) == 1 && got.id == solana.id);
    CHECK(wallets_pick(db, agent.id, WALLET_EVM, "0xAa02", &got) == 1 && got.id == second.id);
    CHECK(wallets_pick(db, agent.id, WALLET_EVM, "0xAa03", &got) == 0); /* another agent's */
    CHECK(wallets_pick(db, agent.id, WALLET_SOLANA, "0xAa02", &got) == 0);
    CHECK(wallets_get(db, theirs.id, &got) == 1 && got.agent_id == other.id);
    CHECK(wallets_get(db, 999999, &got) == 0);
    CHECK(wallets_lock(db, first.id) == 1 && wallets_lock(db, 999999) == 0);
    got = first;
    got.ref.wallet = uuid_random();
    CHECK(wallets_add(db, &got) < 0 && db_duplicate(db)); /* an address is one wallet's */
}

static void many_wallets_are_listed(void)
{
    struct agent agent = new_agent(NULL);
    struct wallet *list;

    for (int i = 0; i < 35; i++)
        (void)new_wallet(&agent, arena_printf(a, "0xBb%02d", i), WALLET_EVM);
    CHECK(wallets_list(db, a, agent.id, &list) == 35);
    CHECK_STR(list[34].ref.address, "0xBb34");
    CHECK(wallets_list(db, a, 999999, &list) == 0);
}

static void nonces_never_go_back(void)
{
    uint64_t nonce = 0;

    CHECK(wallets_nonce(db, 501, 1, 7, &nonce) && nonce == 7);
    CHECK(wallets_nonce_set(db, 501, 1, 9));
    CHECK(wallets_nonce(db, 501, 1, 7, &nonce) && nonce == 9);
    CHECK(wallets_nonce(db, 501, 1, 12, &nonce) && nonce == 12); /* the chain has seen more */
    CHECK(wallets_nonce(db, 501, 8453, 0, &nonce) && nonce == 0);
    CHECK(wallets_nonce(db, 502, 1, 0, &nonce) && nonce == 0);
}

/* ---- quotes ---- */

static struct quote new_quote(uint64_t agent_id)
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
    CHECK(quotes_add(db, &q));
    return q;
}

static void quotes_are_kept(void)
{
    struct quote q = new_quote(71), got;
    struct uuid unknown = uuid_random();

    CHECK(quotes_get(db, &q.id, 71, &got) == 1);
    CHECK(u256_cmp(got.amount_in, q.amount_in) == 0 && is(got.amount_out, 3000) && is(got.min_out, 2900));
    CHECK(got.from.chain_id == 1 && got.to.chain_id == 8453 && got.from.decimals == 18 &&
          got.to.decimals == 6);
    CHECK_STR(got.from.symbol, "ETH");
    CHECK_STR(got.to.address, q.to.address);
    CHECK_STR(got.provider, "uniswap");
    CHECK_STR(got.wallet_address, "");
    CHECK(got.slippage.value == 30000 && got.gas_units == 115000);
    CHECK(got.route_len == QUOTE_ROUTE_MAX && memcmp(got.route, q.route, got.route_len) == 0);
    CHECK(!got.consumed && !got.expired);
    CHECK(quotes_get(db, &q.id, 72, &got) == 0); /* another agent */
    CHECK(quotes_get(db, &unknown, 71, &got) == 0);

    q.id = uuid_random();
    q.route_len = 0;
    snprintf(q.wallet_address, sizeof q.wallet_address, "0xAa01");
    CHECK(quotes_add(db, &q) && quotes_get(db, &q.id, 71, &got) == 1 && got.route_len == 0);
    CHECK_STR(got.wallet_address, "0xAa01");
}

static void a_quote_is_taken_once(void)
{
    struct quote q = new_quote(73), late = new_quote(73), got;

    CHECK(quotes_take(db, &q.id, 74) == 0); /* not theirs */
    CHECK(quotes_take(db, &q.id, 73) == 1);
    CHECK(quotes_take(db, &q.id, 73) == 0);
    CHECK(quotes_get(db, &q.id, 73, &got) == 1 && got.consumed && !got.expired);
    CHECK(raw("UPDATE quotes SET expires_at = UTC_TIMESTAMP(3) WHERE agent_id = 73"));
    CHECK(quotes_take(db, &late.id, 73) == 0);
    CHECK(quotes_get(db, &late.id, 73, &got) == 1 && !got.consumed && got.expired);
}

static void old_quotes_go(void)
{
    struct quote q = new_quote(75), got;

    (void)new_quote(75);
    (void)new_quote(75);
    CHECK(raw("UPDATE quotes SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 100 SECOND WHERE agent_id = 75"));
    CHECK(quotes_purge(db, 200, 10) == 0);
    CHECK(quotes_purge(db, 50, 2) == 2);
    CHECK(quotes_purge(db, 50, 2) == 1);
    CHECK(quotes_get(db, &q.id, 75, &got) == 0);
}

static void runners_up_of_quotes(void)
{
    struct quote_offer offers[QUOTE_OFFERS_MAX] = { 0 }, got[QUOTE_OFFERS_MAX];
    struct quote q = new_quote(77);
    uint8_t payload[5000];

    memset(payload, 7, sizeof payload);
    for (unsigned i = 0; i < QUOTE_OFFERS_MAX; i++) {
        offers[i] = (struct quote_offer){ .provider = "uniswap",
                                          .amount_out = u256_from_u64(900 - i),
                                          .min_out = u256_from_u64(800 - i),
                                          .gas_units = i,
                                          .payload = payload,
                                          .payload_len = sizeof payload - i };
    }
    CHECK(quote_offers_of(db, a, &q.id, 77, got) == 0);
    q.offers = offers;
    for (q.offer_count = 1; q.offer_count <= QUOTE_OFFERS_MAX; q.offer_count++) {
        q.id = uuid_random();
        CHECK(quotes_add(db, &q) && quote_offers_of(db, a, &q.id, 78, got) == 0); /* another agent */
        CHECK(quote_offers_of(db, a, &q.id, 77, got) == (int)q.offer_count);
    }
    for (unsigned i = 0; i < QUOTE_OFFERS_MAX; i++) {
        CHECK_STR(got[i].provider, "uniswap");
        CHECK(is(got[i].amount_out, 900 - i) && is(got[i].min_out, 800 - i) && got[i].gas_units == i);
        CHECK(got[i].payload_len == sizeof payload - i &&
              memcmp(got[i].payload, payload, got[i].payload_len) == 0);
    }
    CHECK(raw("UPDATE quotes SET offers = SUBSTRING(offers, 1, LENGTH(offers) - 1) WHERE agent_id = 77"));
    CHECK(quote_offers_of(db, a, &q.id, 77, got) == QUOTE_OFFERS_MAX - 1);
}

/* ---- swaps ---- */

static void have_agent(uint64_t id)
{
    CHECK(RAW(
        "INSERT IGNORE INTO agents (id, uuid, key_hash, name, created_at, last_active_at) VALUES"
        " (%d, UNHEX(LPAD(HEX(%d), 32, 0)), UNHEX(SHA2(%d, 256)), 'x', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))",
        (int)id, (int)id, (int)id));
}

static struct execution new_swap(uint64_t agent_id, uint64_t wallet_id)
{
    struct execution s = {
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

    have_agent(agent_id);
    CHECK(executions_add(db, &s, 0) == 1 && s.id != 0 && s.status == EXEC_PENDING);
    return s;
}

static int move(const struct execution *s, enum exec_status from, enum exec_status to)
{
    struct execution_move m = {
        .id = s->id, .kind = s->kind, .agent_id = s->agent_id, .from = from, .to = to, .why = "test"
    };

    return executions_move(db, &m);
}

static struct execution get(uint64_t id)
{
    struct execution s = { .id = 0 };

    CHECK(executions_get(db, a, 0, id, &s) == 1);
    return s;
}

/* pending, submitted, completed, failed as one number */
static uint64_t totals(const struct agent *agent, uint8_t n)
{
    struct agent now = reread(agent, n);

    return now.swaps_pending * 1000 + now.swaps_submitted * 100 + now.swaps_completed * 10 + now.swaps_failed;
}

static void swaps_move_along_the_table(void)
{
    struct agent agent = new_agent(NULL);
    uint8_t n = agents_made, hash[32];
    struct execution s = new_swap(agent.id, 1), got;
    struct u256 arrived = u256_from_u64(2990);
    struct execution_move done = { .id = s.id,
                                   .kind = s.kind,
                                   .agent_id = agent.id,
                                   .from = EXEC_PROCESSING,
                                   .to = EXEC_COMPLETED,
                                   .why = "confirmed",
                                   .tx_hash = hash,
                                   .amount_out = &arrived };
    struct execution_move failed = { .id = s.id,
                                     .kind = s.kind,
                                     .agent_id = agent.id,
                                     .from = EXEC_PROCESSING,
                                     .to = EXEC_FAILED,
                                     .why = "reverted",
                                     .error_code = "SIMULATION_REVERTED",
                                     .error_message = "no" };

    memset(hash, 0xcd, sizeof hash);
    got = get(s.id);
    CHECK(got.status == EXEC_PENDING && got.follow == FOLLOW_IN_FLIGHT && !got.has_tx_hash &&
          !got.has_amount_out);
    CHECK(got.valid_until_ms == 1800000000123 && got.completed_ms == 0 && got.error_code == NULL);
    CHECK(got.created_ms != 0 && got.created_ms == got.updated_ms && is(got.expected_out, 3000));
    CHECK_STR(got.venue, "uniswap");
    CHECK(got.kind == KIND_SWAP && memcmp(&got.once, &s.once, sizeof s.once) == 0);
    CHECK(totals(&agent, n) == 1000);

    CHECK(move(&s, EXEC_PENDING, EXEC_SUBMITTED) == 1 && totals(&agent, n) == 100);
    CHECK(move(&s, EXEC_PENDING, EXEC_SUBMITTED) == 0 && totals(&agent, n) == 100); /* it was elsewhere */
    CHECK(move(&s, EXEC_SUBMITTED, EXEC_PROCESSING) == 1 && totals(&agent, n) == 1000);
    CHECK(executions_move(db, &done) == 1 && totals(&agent, n) == 10);
    got = get(s.id);
    CHECK(got.status == EXEC_COMPLETED && got.has_amount_out && is(got.amount_out, 2990));
    CHECK(got.has_tx_hash && memcmp(got.tx_hash, hash, 32) == 0 && got.completed_ms != 0);
    /* reorganised away: what was final is forgotten, the hash stays */
    CHECK(move(&s, EXEC_COMPLETED, EXEC_PROCESSING) == 1 && totals(&agent, n) == 1000);
    got = get(s.id);
    CHECK(!got.has_amount_out && got.completed_ms == 0 && got.has_tx_hash);
    CHECK(executions_move(db, &failed) == 1 && totals(&agent, n) == 1);
    got = get(s.id);
    CHECK(got.completed_ms != 0 && got.follow == FOLLOW_IN_FLIGHT);
    CHECK_STR(got.error_code, "SIMULATION_REVERTED");
    CHECK_STR(got.error_message, "no");

    CHECK(NUMBER("SELECT COUNT(*) FROM execution_history WHERE execution_id = %d", (int)s.id) == 6);
    CHECK(NUMBER("SELECT GROUP_CONCAT(from_status, to_status ORDER BY id SEPARATOR '') FROM execution_history"
                 " WHERE execution_id = %d",
                 (int)s.id) == 11223344335);
    CHECK(executions_settle(db, s.id, FOLLOW_ONCE_MORE) && get(s.id).follow == FOLLOW_ONCE_MORE);

    /* corrected: what was a failure is none, and known to have been told as one */
    CHECK(!get(s.id).corrected);
    done.from = EXEC_FAILED;
    CHECK(executions_move(db, &done) == 1 && totals(&agent, n) == 10);
    got = get(s.id);
    CHECK(got.status == EXEC_COMPLETED && got.corrected && got.error_code == NULL);
    CHECK(got.error_message == NULL && is(got.amount_out, 2990));
    CHECK(executions_settle(db, s.id, FOLLOW_NOT) && get(s.id).follow == FOLLOW_NOT);
}

static void a_forbidden_move_ends_the_program(void)
{
    struct execution s = new_swap(98, 1);
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(99);
        (void)move(&s, EXEC_COMPLETED, EXEC_PENDING);
        _exit(0);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 70);
}

static void one_quote_one_swap(void)
{
    struct execution s = new_swap(81, 1), again = s, got;
    uint64_t id = 0;

    CHECK(executions_add(db, &again, 0) < 0 && db_duplicate(db));
    CHECK(executions_by_once(db, 81, &s.once, &id) == 1 && id == s.id);
    CHECK(executions_by_once(db, 82, &s.once, &id) == 0);
    CHECK(executions_get(db, a, 81, s.id, &got) == 1 && executions_get(db, a, 82, s.id, &got) == 0);
    CHECK(executions_get(db, a, 81, 999999, &got) == 0);
}

static void pages_of_swaps(void)
{
    static const enum exec_status to[] = { EXEC_COMPLETED, EXEC_FAILED, EXEC_PROCESSING, EXEC_SUBMITTED };
    struct agent agent = new_agent(NULL), other = new_agent(NULL);
    struct execution made[5], out[PAGE_MAX];
    struct page all = { 20, 0 }, two = { 2, 1 }, beyond = { 20, 5 };

    for (int i = 0; i < 5; i++)
        made[i] = new_swap(agent.id, 1);
    (void)new_swap(other.id, 1);
    for (int i = 0; i < 4; i++)
        CHECK(move(&made[i], EXEC_PENDING, to[i]) == 1);
    CHECK(executions_page(db, a, agent.id, (enum exec_status)0, &all, out) == 5);
    for (int i = 0; i < 5; i++)
        CHECK(out[i].id == made[4 - i].id); /* newest first */
    CHECK(executions_page(db, a, agent.id, (enum exec_status)0, &two, out) == 2 && out[0].id == made[3].id);
    CHECK(executions_page(db, a, agent.id, (enum exec_status)0, &beyond, out) == 0);
    /* processing is listed as pending */
    CHECK(executions_page(db, a, agent.id, EXEC_PENDING, &all, out) == 2);
    CHECK(out[0].id == made[4].id && out[1].id == made[2].id && out[1].status == EXEC_PROCESSING);
    CHECK(executions_page(db, a, agent.id, EXEC_COMPLETED, &all, out) == 1 && out[0].id == made[0].id);
    CHECK(executions_page(db, a, agent.id, EXEC_FAILED, &all, out) == 1 && out[0].id == made[1].id);
    CHECK(executions_page(db, a, agent.id, EXEC_SUBMITTED, &two, out) == 0);
}

/* Far behind the front another statement is used; it must not skip or repeat anything where they meet. */
static void far_pages_of_swaps(void)
{
    struct agent agent = new_agent(NULL);
    struct execution out[PAGE_MAX];
    uint64_t last = UINT64_MAX;
    int seen = 0, n;

    for (int i = 0; i < 107; i++)
        (void)new_swap(agent.id, 1);
    for (uint64_t offset = 95; offset < 120; offset += 5) {
        struct page p = { 5, offset };

        n = executions_page(db, a, agent.id, offset % 2 == 0 ? EXEC_PENDING : (enum exec_status)0, &p, out);
        for (int i = 0; i < n; i++, seen++) {
            CHECK(out[i].id < last && out[i].agent_id == agent.id);
            last = out[i].id;
        }
    }
    CHECK(seen == 12);
}

/* ---- transactions of swaps ---- */

static const uint8_t TOKEN[20] = { 1 }, OTHER_TOKEN[20] = { 2 };

static struct transaction new_tx(const struct execution *s, uint64_t nonce, enum tx_kind kind,
                                 uint64_t max_fee, uint64_t value)
{
    struct transaction t = { .execution_id = s->id,
                             .wallet_id = s->wallet_id,
                             .chain_id = 1,
                             .nonce = nonce,
                             .kind = kind,
                             .raw = (const uint8_t *)"\2\0raw",
                             .raw_len = 5,
                             .gas_limit = 10,
                             .max_fee = u256_from_u64(max_fee),
                             .priority_fee = u256_from_u64(1),
                             .value = u256_from_u64(value) };

    rand_bytes(t.hash, sizeof t.hash);
    return t;
}

static struct transaction add_tx(struct transaction t)
{
    CHECK(transactions_add(db, &t) && t.id != 0);
    return t;
}

static struct transaction with_token(struct transaction t, const uint8_t token[static 20], uint64_t amount)
{
    t.has_token = true;
    memcpy(t.token, token, sizeof t.token);
    memset(t.spender, 9, sizeof t.spender);
    t.token_amount = u256_from_u64(amount);
    return t;
}

static void transactions_are_kept(void)
{
    struct execution s = new_swap(91, 601);
    struct transaction late = add_tx(with_token(new_tx(&s, 8, TX_SPEND, 5, 100), TOKEN, 30));
    struct transaction early = add_tx(new_tx(&s, 7, TX_APPROVAL, 5, 0)), again = early, *got;
    struct broadcast offer = { .id = late.id, .said = BROADCAST_ACCEPTED };

    CHECK(!transactions_add(db, &again) && db_duplicate(db)); /* the same hash */
    CHECK(transactions_of(db, a, s.id, &got) == 2);
    CHECK(got[0].id == early.id && got[1].id == late.id); /* by nonce */
    CHECK(got[1].raw_len == 5 && memcmp(got[1].raw, "\2\0raw", 5) == 0);
    CHECK(memcmp(got[1].hash, late.hash, 32) == 0 && got[1].gas_limit == 10 && is(got[1].max_fee, 5));
    CHECK(got[1].state == EFFECT_OPEN && got[1].kind == TX_SPEND && is(got[1].value, 100));
    CHECK(got[1].has_token && got[1].token[0] == 1 && got[1].spender[0] == 9 && is(got[1].token_amount, 30));
    CHECK(!got[0].has_token && got[0].offers == 0 && !got[0].accepted && got[0].offered_ms == 0);

    CHECK(transactions_broadcast(db, &offer));
    offer = (struct broadcast){ .id = late.id, .said = BROADCAST_NO_FUNDS };
    CHECK(transactions_broadcast(db, &offer));
    CHECK(transactions_of(db, a, s.id, &got) == 2 && got[1].offers == 2 && got[1].accepted);
    CHECK(got[1].refusals == 1 && got[1].offered_ms != 0 && got[0].offers == 0);

    CHECK(transactions_in_block(db, late.id, 50, false));
    CHECK(transactions_of(db, a, s.id, &got) == 2 && got[1].state == EFFECT_INCLUDED &&
          got[1].block_number == 50);
    CHECK(!got[1].succeeded);
    CHECK(transactions_in_block(db, late.id, 0, false));
    CHECK(transactions_of(db, a, s.id, &got) == 2 && got[1].state == EFFECT_OPEN && got[1].block_number == 0);
    CHECK(transactions_of(db, a, 999999, &got) == 0);
}

static void one_of_a_nonce_wins(void)
{
    struct execution s = new_swap(92, 602);
    struct transaction first = add_tx(new_tx(&s, 3, TX_SPEND, 5, 0)),
                       second = add_tx(new_tx(&s, 3, TX_SPEND, 6, 0));
    struct transaction other = add_tx(new_tx(&s, 4, TX_SPEND, 5, 0)), *got;

    CHECK(transactions_nonce_known(db, 602, 1, 3) == 1 && transactions_nonce_known(db, 602, 1, 5) == 0);
    CHECK(transactions_nonce_known(db, 602, 8453, 3) == 0 && transactions_nonce_known(db, 603, 1, 3) == 0);
    CHECK(transactions_in_block(db, second.id, 49, true) && transactions_settled(db, &second, 50, true));
    CHECK(transactions_of(db, a, s.id, &got) == 3);
    CHECK(got[0].id == first.id && got[0].state == EFFECT_LOST && got[1].state == EFFECT_SETTLED &&
          got[1].succeeded);
    CHECK(got[2].id == other.id && got[2].state == EFFECT_OPEN);
    CHECK(transactions_in_block(db, second.id, 60, true)); /* what is settled does not move any more */
    CHECK(transactions_nonce_lost(db, 602, 1, 4));
    CHECK(transactions_of(db, a, s.id, &got) == 3 && got[1].block_number == 50 &&
          got[2].state == EFFECT_LOST);
    CHECK(transactions_nonce_known(db, 602, 1, 4) == 1);
    /* unless it was another one after all */
    CHECK(transactions_settled(db, &first, 51, false));
    CHECK(transactions_of(db, a, s.id, &got) == 3 && got[0].state == EFFECT_SETTLED &&
          got[0].block_number == 51);
    CHECK(!got[0].succeeded && got[1].state == EFFECT_LOST && got[1].block_number == 50 && got[1].succeeded);
}

static void how_far_a_search_has_come(void)
{
    struct taken_nonce n = { 602, 1, 9, 1000, 16, 992, false, { 0 } },
                       got = { 602, 1, 9, 0, 0, 0, true, { 1 } };

    CHECK(nonces_taken_get(db, &got) == 0 && nonces_taken_put(db, &n) && nonces_taken_get(db, &got) == 1);
    CHECK(got.top == 1000 && got.span == 16 && got.block == 992 && !got.found);
    n.found = true;
    n.block = 990;
    memset(n.hash, 0xab, sizeof n.hash);
    CHECK(nonces_taken_put(db, &n) && nonces_taken_get(db, &got) == 1 && got.found && got.block == 990);
    CHECK(memcmp(got.hash, n.hash, sizeof n.hash) == 0);
    CHECK(nonces_taken_end(db, 602, 1, 10, 11) && nonces_taken_end(db, 602, 8453, 9, 9));
    CHECK(nonces_taken_get(db, &got) == 1);
    CHECK(nonces_taken_end(db, 602, 1, 8, 9) && nonces_taken_get(db, &got) == 0);
}

/* What may still leave the wallet: of one nonce the dearest attempt, of what is in a block only what the
 * balances do not show yet. */
static void what_is_reserved(void)
{
    struct execution s = new_swap(93, 604), elsewhere = new_swap(93, 605);
    struct transaction mined, t;
    struct reservation r;

    CHECK(transactions_reserved(db, 604, 1, 0, TOKEN, &r) && is(r.native, 0) && is(r.token, 0));
    (void)add_tx(new_tx(&s, 0, TX_APPROVAL, 1, 0));                              /* 10 */
    (void)add_tx(with_token(new_tx(&s, 10, TX_SPEND, 5, 100), TOKEN, 30));       /* 150 */
    (void)add_tx(with_token(new_tx(&s, 10, TX_SPEND, 7, 100), TOKEN, 30));       /* 170 instead */
    (void)add_tx(new_tx(&s, 10, TX_CANCEL, 9, 0));                               /* 90, less */
    (void)add_tx(with_token(new_tx(&s, 11, TX_APPROVAL, 5, 0), TOKEN, 40));      /* 50; spends none */
    (void)add_tx(with_token(new_tx(&s, 12, TX_SPEND, 5, 0), OTHER_TOKEN, 1000)); /* 50 */
    mined = add_tx(with_token(new_tx(&s, 13, TX_SPEND, 100, 0), TOKEN, 5));      /* 1000 */
    t = add_tx(new_tx(&s, 14, TX_SPEND, 1000, 0));
    CHECK(transactions_in_block(db, t.id, 1, true) && transactions_settled(db, &t, 1, true));
    (void)add_tx(with_token(new_tx(&elsewhere, 10, TX_SPEND, 1000, 0), TOKEN, 1000));
    t = with_token(new_tx(&s, 10, TX_SPEND, 1000, 0), TOKEN, 1000);
    t.chain_id = 8453;
    (void)add_tx(t);

    CHECK(transactions_reserved(db, 604, 1, 60, TOKEN, &r) && is(r.native, 10 + 170 + 50 + 50 + 1000));
    CHECK(is(r.token, 30 + 5));
    CHECK(transactions_in_block(db, mined.id, 50, true));
    CHECK(transactions_reserved(db, 604, 1, 49, TOKEN, &r) && is(r.native, 1280) && is(r.token, 35));
    CHECK(transactions_reserved(db, 604, 1, 50, TOKEN, &r) && is(r.native, 280) && is(r.token, 30));
    CHECK(transactions_in_block(db, mined.id, 0, true)); /* and again when its block is gone */
    CHECK(transactions_reserved(db, 604, 1, 60, TOKEN, &r) && is(r.native, 1280) && is(r.token, 35));
    CHECK(transactions_reserved(db, 604, 1, 60, OTHER_TOKEN, &r) && is(r.token, 1000));
}

static void sums_that_do_not_fit_are_refused(void)
{
    struct execution s = new_swap(94, 606);
    struct transaction t = new_tx(&s, 1, TX_SPEND, 1, 0);
    struct reservation r;

    t.value = (struct u256){ { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };
    (void)add_tx(t);
    CHECK(!transactions_reserved(db, 606, 1, 0, TOKEN, &r));
}

/* ---- the follower's work list ---- */

static void swaps_are_claimed_and_given_back(void)
{
    struct uuid one = uuid_random(), two = uuid_random();
    struct execution first, second, third, *got;
    struct transaction *txs;

    CHECK(raw("UPDATE executions SET in_flight = 0"));
    first = new_swap(95, 607);
    second = new_swap(95, 607);
    third = new_swap(95, 607);
    (void)add_tx(new_tx(&second, 2, TX_SPEND, 1, 0));
    (void)add_tx(new_tx(&first, 1, TX_SPEND, 1, 0));
    (void)add_tx(new_tx(&first, 0, TX_APPROVAL, 1, 0));
    CHECK(RAW("UPDATE executions SET due_at = UTC_TIMESTAMP(3) + INTERVAL 60 SECOND WHERE id = %d",
              (int)third.id));

    CHECK(executions_claim(db, &one, 30, 100) == 2 && executions_claim(db, &two, 30, 100) == 0);
    CHECK(executions_claimed(db, a, &one, &got) == 2 && got[0].id == first.id && got[1].id == second.id);
    CHECK(transactions_claimed(db, a, &one, &txs) == 3);
    CHECK(txs[0].execution_id == first.id && txs[0].nonce == 0 && txs[1].nonce == 1 && txs[2].nonce == 2);
    CHECK(executions_claimed(db, a, &two, &got) == 0 && transactions_claimed(db, a, &two, &txs) == 0);
    /* a lease that ran out is anybody's */
    CHECK(RAW("UPDATE executions SET lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE id = %d",
              (int)first.id));
    CHECK(executions_claim(db, &two, 30, 100) == 1 && executions_claimed(db, a, &one, &got) == 1);
    CHECK(executions_release(db, &one, 600) && executions_release(db, &two, 600));
    CHECK(executions_claimed(db, a, &one, &got) == 0 &&
          executions_claim(db, &one, 30, 100) == 0); /* not due yet */
    CHECK(RAW("UPDATE executions SET due_at = UTC_TIMESTAMP(3) WHERE id = %d", (int)third.id));
    CHECK(executions_claim(db, &one, 30, 100) == 1);
    CHECK(executions_claimed(db, a, &one, &got) == 1 && got[0].id == third.id);
    CHECK(executions_release(db, &one, 600));
    CHECK(raw("UPDATE executions SET due_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND"));
    CHECK(executions_settle(db, third.id, FOLLOW_NOT) && executions_claim(db, &one, 30, 1) == 1);
    CHECK(executions_claim(db, &two, 30, 100) == 1 && executions_release(db, &one, 600) &&
          executions_release(db, &two, 600));
}

/* Behind those in flight, and after a pause of its own. */
static void failures_are_claimed_once_more(void)
{
    struct uuid owner = uuid_random();
    struct execution flying, failed, *got;

    CHECK(raw("UPDATE executions SET in_flight = 0"));
    flying = new_swap(95, 607);
    failed = new_swap(95, 607);
    CHECK(executions_settle(db, failed.id, FOLLOW_ONCE_MORE));
    CHECK(executions_claim(db, &owner, 30, 1) == 1 && executions_claimed(db, a, &owner, &got) == 1);
    CHECK(got[0].id == flying.id && executions_settle(db, flying.id, FOLLOW_NOT));
    CHECK(executions_release(db, &owner, 600) && executions_claim(db, &owner, 30, 100) == 1);
    CHECK(executions_claimed(db, a, &owner, &got) == 1 && got[0].id == failed.id);
    CHECK(got[0].follow == FOLLOW_ONCE_MORE && executions_release(db, &owner, 600));
    CHECK(NUMBER("SELECT TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), due_at) > 500 FROM executions WHERE id = %d",
                 (int)failed.id) == 1);
    CHECK(executions_in_flight(db) == 0 && executions_settle(db, failed.id, FOLLOW_NOT));
}

static void fresh_swaps_are_left_alone_at_first(void)
{
    struct uuid owner = uuid_random();
    struct execution s = { .agent_id = 96,
                           .wallet_id = 1,
                           .kind = KIND_SWAP,
                           .once = uuid_random(),
                           .venue = "uniswap",
                           .valid_until_ms = 1800000000000 };

    CHECK(raw("UPDATE executions SET in_flight = 0"));
    have_agent(s.agent_id);
    CHECK(executions_add(db, &s, 60) == 1 && executions_claim(db, &owner, 30, 100) == 0);
    CHECK(move(&s, EXEC_PENDING, EXEC_SUBMITTED) == 1 && executions_claim(db, &owner, 30, 100) == 1);
    CHECK(executions_release(db, &owner, 600));
}

/* ---- requests ---- */

static struct venue_request new_request(uint64_t execution_id, uint8_t key, uint64_t nonce)
{
    struct venue_request r = { .execution_id = execution_id,
                               .wallet_id = 3,
                               .venue = "exchange",
                               .signing_key = (const uint8_t *)"public key",
                               .signing_key_len = 10,
                               .has_nonce = nonce != 0,
                               .nonce = nonce,
                               .body = (const uint8_t *)"{\"order\":1}",
                               .body_len = 11,
                               .expires_ms = 1800000000123 };

    memset(r.venue_key, key, sizeof r.venue_key);
    return r;
}

static void requests_are_kept_and_counted(void)
{
    struct execution s = new_swap(87, 3);
    struct venue_request first = new_request(s.id, 1, 5), second = new_request(s.id, 2, 0), *got;
    struct broadcast refusal = { .said = BROADCAST_REFUSED };

    CHECK(requests_of(db, a, s.id, &got) == 0 && got == NULL);
    CHECK(requests_add(db, &first) && first.id != 0 && first.state == EFFECT_OPEN);
    second.expires_ms = 0;
    CHECK(requests_add(db, &second) && requests_of(db, a, s.id, &got) == 2);
    CHECK(got[0].id == first.id && got[0].execution_id == s.id && got[0].wallet_id == 3);
    CHECK_STR(got[0].venue, "exchange");
    CHECK(memcmp(got[0].venue_key, first.venue_key, sizeof first.venue_key) == 0);
    CHECK(got[0].signing_key_len == 10 && memcmp(got[0].signing_key, "public key", 10) == 0);
    CHECK(got[0].has_nonce && got[0].nonce == 5 && got[0].expires_ms == 1800000000123);
    CHECK(got[0].body_len == 11 && memcmp(got[0].body, first.body, 11) == 0);
    CHECK(got[0].state == EFFECT_OPEN && got[0].broadcasts == 0 && !got[0].accepted &&
          got[0].created_ms != 0);
    CHECK(!got[1].has_nonce && got[1].expires_ms == 0);

    refusal.id = second.id;
    CHECK(requests_broadcast(db, &(struct broadcast){ .id = first.id, .said = BROADCAST_ACCEPTED }));
    CHECK(requests_broadcast(db, &refusal) && requests_broadcast(db, &refusal));
    CHECK(requests_of(db, a, s.id, &got) == 2 && got[0].accepted && got[0].broadcasts == 1);
    CHECK(got[1].broadcasts == 2 && got[1].refusals == 2 && got[1].said == BROADCAST_REFUSED);
}

static void a_venue_has_a_request_once(void)
{
    struct execution s = new_swap(87, 3), other = new_swap(87, 3);
    struct venue_request r = new_request(s.id, 3, 6), again = new_request(other.id, 3, 7);

    CHECK(requests_add(db, &r));
    CHECK(!requests_add(db, &again) && db_duplicate(db)); /* its key */
    again = new_request(other.id, 4, 6);
    CHECK(!requests_add(db, &again) && db_duplicate(db)); /* its signer's nonce */
    again.signing_key = (const uint8_t *)"another";
    again.signing_key_len = 7;
    CHECK(requests_add(db, &again));
    again = new_request(other.id, 4, 6);
    snprintf(again.venue, sizeof again.venue, "elsewhere");
    CHECK(requests_add(db, &again));
}

static void requests_end_once(void)
{
    struct uuid owner = uuid_random();
    struct execution s = new_swap(88, 3);
    struct venue_request r = new_request(s.id, 5, 0), lost = new_request(s.id, 6, 0), *got;

    CHECK(requests_add(db, &r) && requests_add(db, &lost));
    CHECK(requests_move(db, r.id, EFFECT_INCLUDED, false) && requests_move(db, lost.id, EFFECT_LOST, false));
    CHECK(requests_of(db, a, s.id, &got) == 2 && got[0].state == EFFECT_INCLUDED &&
          got[1].state == EFFECT_LOST);
    CHECK(requests_move(db, r.id, EFFECT_SETTLED, true) && requests_move(db, lost.id, EFFECT_OPEN, false));
    CHECK(requests_move(db, r.id, EFFECT_LOST, false));
    CHECK(RAW("UPDATE executions SET due_at = UTC_TIMESTAMP(3) - INTERVAL 1 DAY WHERE id = %d", (int)s.id));
    CHECK(executions_claim(db, &owner, 30, 1) == 1 && requests_claimed(db, a, &owner, &got) == 2);
    CHECK(got[0].state == EFFECT_SETTLED && got[0].succeeded && got[1].state == EFFECT_LOST);
    CHECK(executions_release(db, &owner, 60));
}

/* Of kinds that GET /swaps does not list, the totals of the agent's profile know nothing. */
static void other_kinds_have_totals_of_their_own(void)
{
    struct execution s = new_swap(89, 3);
    const enum exec_kind_id other = (enum exec_kind_id)7;
    struct page all = { .limit = 10 };
    struct execution page[10];

    s.kind = other;
    s.once = uuid_random();
    s.to = (struct token_ref){ 0 };
    CHECK(executions_add(db, &s, 0) == 1);
    CHECK(NUMBER("SELECT swaps_pending FROM agents WHERE id = 89") == 1);
    CHECK(NUMBER("SELECT n FROM execution_totals WHERE agent_id = 89 AND kind = 7 AND listed = 1") == 1);
    CHECK(NUMBER("SELECT to_chain IS NULL AND to_address IS NULL AND min_out IS NULL FROM executions WHERE"
                 " id = %d",
                 (int)s.id) == 1);
    CHECK(get(s.id).kind == other && get(s.id).to.chain_id == 0);
    CHECK(executions_page(db, a, 89, 0, &all, page) == 1 && page[0].id != s.id);
    CHECK(move(&s, EXEC_PENDING, EXEC_COMPLETED) == 1);
    CHECK(NUMBER("SELECT swaps_completed FROM agents WHERE id = 89") == 0);
    CHECK(NUMBER("SELECT SUM(n * listed) FROM execution_totals WHERE agent_id = 89") == 4);
}

/* ---- the outbox ---- */

static void no_events(void)
{
    CHECK(raw("DELETE FROM webhook_events") && raw("DELETE FROM event_totals") &&
          raw("DELETE FROM event_queues"));
}

static unsigned same_for_all(void *share, uint64_t agent_id)
{
    (void)agent_id;
    return *(unsigned *)share;
}

/* A claim for 30 s, of any agent at most `share`. */
static int claim(const struct uuid *owner, unsigned share, struct event *out, size_t max)
{
    struct claim_in in = { owner, 30000, same_for_all, &share, max };
    int64_t wait_ms;

    return events_claim(db, a, &in, out, &wait_ms);
}

/* Time passes for events: what is written in the past is looked at. */
static bool wake_all(void)
{
    return raw("UPDATE event_queues SET next_at = LEAST(next_at, UTC_TIMESTAMP(3))");
}

/* What store/claim.h promises: no event is due before its agent's row in the queue says so. */
static bool queues_tell(void)
{
    return NUMBER("SELECT COUNT(*) FROM webhook_events w LEFT JOIN event_queues q ON q.agent_id = w.agent_id"
                  " WHERE w.status = 1 AND (q.agent_id IS NULL OR q.next_at > GREATEST(w.next_at,"
                  " COALESCE(w.lease_until, w.next_at), UTC_TIMESTAMP(3) + INTERVAL 50000 MICROSECOND))") ==
           0;
}

static uint64_t total_of_events(uint64_t agent_id, enum event_status status, const char *type)
{
    struct event_filter f = { status, type };
    struct page p = { PAGE_MAX, 0 };
    struct event out[PAGE_MAX];
    uint64_t total = 0;
    int n = events_page(db, a, agent_id, &f, &p, out, &total);

    CHECK(n >= 0 && (uint64_t)n == total); /* the kept totals are those of the rows */
    return total;
}

static void events_need_a_callback(void)
{
    struct agent with = new_agent("https://a.example/"), without = new_agent(NULL);

    no_events();
    CHECK(events_add(db, without.id, "swap.completed", "{}") &&
          events_add(db, 999999, "swap.completed", "{}"));
    CHECK(NUMBER("SELECT COUNT(*) FROM webhook_events") == 0);
    CHECK(events_add(db, with.id, "swap.completed", "{}"));
    CHECK(total_of_events(with.id, (enum event_status)0, NULL) == 1);
    CHECK(total_of_events(without.id, (enum event_status)0, NULL) == 0);
}

static void events_are_claimed_and_recorded(void)
{
    struct agent agent = new_agent("https://a.example/");
    struct uuid one = uuid_random(), two = uuid_random();
    struct event got[8];
    struct event_result results[3];

    no_events();
    for (int i = 0; i < 3; i++)
        CHECK(events_add(db, agent.id, i == 1 ? "swap.failed" : "swap.completed", "{\"a\":\"\xc3\xa4\"}"));
    CHECK(claim(&one, 10, got, 8) == 3);
    CHECK(claim(&two, 10, got, 8) == 0);
    CHECK(claim(&one, 10, got, 8) == 0);
    CHECK(events_release(db, &one, got, 3) && claim(&one, 10, got, 8) == 3);
    CHECK(got[0].seq < got[1].seq && got[1].seq < got[2].seq && got[0].agent_id == agent.id);
    CHECK_STR(got[0].body, "{\"a\":\"\xc3\xa4\"}");
    CHECK_STR(got[1].type, "swap.failed");
    CHECK_STR(got[0].callback_url, "https://a.example/");
    CHECK(got[0].status == EVENT_PENDING && got[0].attempts == 0 && got[0].created_ms != 0);
    CHECK(got[0].sealed_secret_len == sizeof "sealed secret" && got[0].sealed_former_len == 0);
    CHECK(memcmp(got[0].sealed_secret, "sealed secret", got[0].sealed_secret_len) == 0);

    for (int i = 0; i < 3; i++)
        results[i] = (struct event_result){ .seq = got[i].seq, .agent_id = agent.id, .type = got[i].type };
    results[0].status = EVENT_DELIVERED;
    results[0].response_status = 204;
    results[1].status = EVENT_FAILED;
    results[1].response_status = 410;
    results[1].error = "gone";
    results[2].status = EVENT_PENDING;
    results[2].error = "no answer";
    results[2].next_ms = got[2].created_ms + 3600000;
    CHECK(events_record(db, &one, results, 3));
    CHECK(total_of_events(agent.id, EVENT_DELIVERED, "swap.completed") == 1);
    CHECK(total_of_events(agent.id, EVENT_FAILED, "swap.failed") == 1);
    CHECK(total_of_events(agent.id, EVENT_PENDING, NULL) == 1);
    CHECK(events_record(db, &one, results, 3)); /* again: the lease is gone, nothing changes */
    CHECK(total_of_events(agent.id, EVENT_DELIVERED, NULL) == 1);
    CHECK(NUMBER("SELECT SUM(attempts) FROM webhook_events") == 3);
    CHECK(claim(&one, 10, got, 8) == 0); /* the one left is for later */
    CHECK(queues_tell());
    CHECK(raw("UPDATE webhook_events SET next_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND") && wake_all());
    CHECK(claim(&one, 10, got, 8) == 1 && got[0].attempts == 1 && queues_tell());
}

static void a_lost_lease_records_nothing(void)
{
    struct agent agent = new_agent("https://a.example/");
    struct uuid slow = uuid_random(), quick = uuid_random();
    struct event_result r = {
        .agent_id = agent.id, .type = "swap.completed", .status = EVENT_FAILED, .error = "slow"
    };
    struct event got[2];

    no_events();
    CHECK(events_add(db, agent.id, "swap.completed", "{}"));
    CHECK(claim(&slow, 1, got, 2) == 1);
    CHECK(claim(&quick, 1, got, 2) == 0 && queues_tell());
    CHECK(raw("UPDATE webhook_events SET lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND") && wake_all());
    CHECK(claim(&quick, 1, got, 2) == 1);
    r.seq = got[0].seq;
    CHECK(events_record(db, &slow, &r, 1) && total_of_events(agent.id, EVENT_PENDING, NULL) == 1);
    r.status = EVENT_DELIVERED;
    r.error = NULL;
    CHECK(events_record(db, &quick, &r, 1) && total_of_events(agent.id, EVENT_DELIVERED, NULL) == 1);
    CHECK(NUMBER("SELECT last_error IS NULL AND attempts = 1 AND delivered_at IS NOT NULL FROM"
                 " webhook_events") == 1);
}

/* An agent with many events does not keep another's waiting. */
static void claims_are_fair(void)
{
    struct agent busy = new_agent("https://busy.example/"), calm = new_agent("https://calm.example/");
    struct uuid one = uuid_random(), two = uuid_random(), three = uuid_random();
    struct event got[8];

    no_events();
    for (int i = 0; i < 5; i++)
        CHECK(events_add(db, busy.id, "swap.completed", "{}"));
    CHECK(events_add(db, calm.id, "swap.completed", "{}"));
    CHECK(claim(&one, 5, got, 2) == 2); /* in turns */
    CHECK(got[0].agent_id != got[1].agent_id);
    CHECK(events_release(db, &one, got, 2) && queues_tell());
    CHECK(claim(&two, 2, got, 8) == 3);                 /* and each at most its share */
    CHECK(wake_all() && claim(&three, 2, got, 8) == 0); /* which those leases are */
    CHECK(wake_all() && claim(&three, 3, got, 8) == 1 && got[0].agent_id == busy.id);
    CHECK(queues_tell());
}

/* What the connection under test has read so far, of rows and index entries. */
static int64_t rows_read(void)
{
    int64_t sum = 0;
    MYSQL_RES *rows;
    MYSQL_ROW row;

    CHECK(simple(db, "SHOW SESSION STATUS LIKE 'Handler_read_%'"));
    rows = mysql_store_result(db->handle);
    while ((row = mysql_fetch_row(rows)) != NULL)
        sum += strtoll(row[1], NULL, 10);
    mysql_free_result(rows);
    return sum;
}

/* Due events of the agent for some time, without totals. */
static void make_backlog(const struct agent *agent, int64_t n)
{
    CHECK(events_add(db, agent->id, "swap.completed", "{}"));
    while (NUMBER("SELECT COUNT(*) FROM webhook_events WHERE agent_id = %llu",
                  (unsigned long long)agent->id) < n)
        CHECK(
            RAW("INSERT INTO webhook_events (id, agent_id, event_type, status, callback_url, body,"
                " created_at, next_at) SELECT RANDOM_BYTES(16), agent_id, event_type, 1, callback_url, body,"
                " created_at, next_at - INTERVAL 1 HOUR FROM webhook_events WHERE agent_id = %llu LIMIT 4096",
                (unsigned long long)agent->id));
    CHECK(raw("UPDATE event_queues SET next_at = UTC_TIMESTAMP(3) - INTERVAL 1 HOUR"));
}

/* However many are due to one agent: another's are found at once, at the same price. */
static void a_backlog_hides_nobody(void)
{
    enum { OTHERS = 9, SHARE = 24, MAX = 64, BACKLOG = 16384, PART = 2 * MAX / (OTHERS + 1) + 1 };
    struct agent dead = new_agent("https://dead.example/");
    struct event got[MAX];
    struct uuid owners[8];
    int64_t before, others = 0;

    no_events();
    make_backlog(&dead, BACKLOG);
    for (int i = 0; i < OTHERS; i++) {
        struct agent live = new_agent("https://live.example/");

        CHECK(events_add(db, live.id, "swap.completed", "{}"));
    }
    before = rows_read();
    owners[0] = uuid_random();
    CHECK(claim(&owners[0], SHARE, got, MAX) ==
          PART + OTHERS); /* not all that it may: what is read is bounded */
    for (int i = 0; i < PART + OTHERS; i++)
        others += got[i].agent_id != dead.id;
    CHECK(others == OTHERS);
    CHECK(rows_read() - before < 500);
    for (int i = 1; i < 8; i++) { /* and it gets no more than its share, ever so often asked */
        owners[i] = uuid_random();
        CHECK(wake_all() && claim(&owners[i], SHARE, got, MAX) == (i == 1 ? SHARE - PART : 0));
    }
    CHECK(rows_read() - before < 2000);
    CHECK(queues_tell());
}

/* More agents than one claim looks at, and fewer places than agents: everybody gets a turn. */
static void everybody_gets_a_turn(void)
{
    enum { EACH = 3, MANY = 40, MAX = 5 };
    struct event got[MAX];
    int claimed = 0, n;

    no_events();
    for (int i = 0; i < MANY; i++) {
        struct agent agent = new_agent("https://a.example/");

        for (int j = 0; j < EACH; j++)
            CHECK(events_add(db, agent.id, "swap.completed", "{}"));
    }
    for (int i = 0; i < MANY / MAX; i++) {
        struct uuid owner = uuid_random();

        n = claim(&owner, EACH, got, MAX);
        CHECK(n == MAX);
        claimed += n;
    }
    CHECK(claimed == MANY);
    CHECK(NUMBER("SELECT COUNT(DISTINCT agent_id) FROM webhook_events WHERE lease_owner IS NOT NULL") >
          MANY / 2);
    /* who has all it may is looked at now and then, so some claims may find nothing */
    for (int tries = 0; tries < 1000 && claimed < MANY * EACH; tries++) {
        struct uuid owner = uuid_random();

        claimed += claim(&owner, EACH, got, MAX);
    }
    CHECK(claimed == MANY * EACH && queues_tell());
}

/* Deliveries are recorded many at a time. A lease that was lost in the middle of them takes nothing along. */
static void groups_are_recorded(void)
{
    enum { N = 40, LOST = 5, FAILED = 7, RETRIED = 11 };
    struct agent one = new_agent("https://a.example/"), two = new_agent("https://b.example/");
    struct uuid owner = uuid_random();
    struct event got[N];
    struct event_result results[N];

    no_events();
    for (int i = 0; i < N; i++)
        CHECK(events_add(db, i % 2 ? one.id : two.id, i % 3 ? "swap.completed" : "swap.failed", "{}"));
    CHECK(claim(&owner, N, got, N) == N);
    for (int i = 0; i < N; i++)
        results[i] = (struct event_result){
            got[i].seq, got[i].agent_id, got[i].type, EVENT_DELIVERED, i % 4 ? 200 : 204, NULL, 0
        };
    results[FAILED].status = EVENT_FAILED;
    results[FAILED].error = "gone";
    results[RETRIED].status = EVENT_PENDING;
    results[RETRIED].next_ms = got[RETRIED].created_ms + 5000;
    CHECK(RAW("UPDATE webhook_events SET lease_owner = RANDOM_BYTES(16) WHERE seq = %llu",
              (unsigned long long)got[LOST].seq));
    CHECK(events_record(db, &owner, results, N));
    CHECK(
        NUMBER("SELECT COUNT(*) FROM webhook_events WHERE status = 2 AND attempts = 1 AND lease_owner IS NULL"
               " AND lease_until IS NULL AND delivered_at IS NOT NULL") == N - 3);
    CHECK(NUMBER("SELECT COUNT(*) FROM webhook_events WHERE status = 2 AND response_status = 204") == N / 4);
    CHECK(NUMBER(
              "SELECT status = 1 AND attempts = 0 AND lease_owner IS NOT NULL FROM webhook_events WHERE seq ="
              " %llu",
              (unsigned long long)got[LOST].seq) == 1);
    CHECK(total_of_events(one.id, EVENT_PENDING, NULL) + total_of_events(two.id, EVENT_PENDING, NULL) == 2);
    CHECK(total_of_events(one.id, EVENT_FAILED, NULL) + total_of_events(two.id, EVENT_FAILED, NULL) == 1);
    CHECK(total_of_events(one.id, EVENT_DELIVERED, "swap.failed") +
              total_of_events(one.id, EVENT_DELIVERED, "swap.completed") ==
          total_of_events(one.id, EVENT_DELIVERED, NULL));
    CHECK(total_of_events(two.id, (enum event_status)0, NULL) == N / 2);
    CHECK(queues_tell());
    CHECK(events_record(db, &owner, results, N)); /* again: nothing is ours any more */
    CHECK(NUMBER("SELECT SUM(attempts) FROM webhook_events") == N - 1);
}

static void removing_the_callback_fails_what_is_pending(void)
{
    struct agent agent = new_agent("https://a.example/"), other = new_agent("https://b.example/");
    struct agent_change change = { .set_callback = true };
    struct uuid owner = uuid_random();
    struct event_result r = { .agent_id = agent.id, .type = "swap.completed", .status = EVENT_DELIVERED };
    struct event got[8];
    bool kept;

    no_events();
    CHECK(events_add(db, agent.id, "swap.completed", "{}") && events_add(db, agent.id, "swap.failed", "{}"));
    CHECK(events_add(db, other.id, "swap.failed", "{}"));
    CHECK(claim(&owner, 10, got, 8) == 3); /* a delivery is under way */
    CHECK(agents_change(db, agent.id, &change, &kept) == 1);
    CHECK(total_of_events(agent.id, EVENT_FAILED, NULL) == 2);
    CHECK(total_of_events(agent.id, EVENT_PENDING, NULL) == 0);
    CHECK(total_of_events(other.id, EVENT_PENDING, NULL) == 1);
    r.seq = got[0].seq;
    CHECK(events_record(db, &owner, &r, 1) && total_of_events(agent.id, EVENT_FAILED, NULL) == 2);
    CHECK(NUMBER("SELECT COUNT(*) FROM webhook_events WHERE last_error = 'callback_url was removed'") == 2);
}

static void pages_of_events(void)
{
    struct agent agent = new_agent("https://a.example/");
    struct event_filter all = { 0 }, failed_type = { .type = "swap.failed" };
    struct event_filter both = { EVENT_PENDING, "swap.failed" }, none = { EVENT_DELIVERED, NULL };
    struct page two = { 2, 1 }, whole = { PAGE_MAX, 0 };
    struct event got[PAGE_MAX];
    uint64_t total = 99;

    no_events();
    for (int i = 0; i < 4; i++)
        CHECK(events_add(db, agent.id, i == 2 ? "swap.failed" : "swap.completed", "{}"));
    CHECK(events_page(db, a, agent.id, &all, &two, got, &total) == 2 && total == 4);
    CHECK_STR(got[0].type, "swap.failed"); /* newest first, without the newest */
    CHECK(got[0].seq > got[1].seq && got[0].delivered_ms == 0 && got[0].last_error == NULL);
    CHECK(events_page(db, a, agent.id, &failed_type, &whole, got, &total) == 1 && total == 1);
    CHECK(events_page(db, a, agent.id, &both, &whole, got, &total) == 1 && total == 1);
    CHECK(events_page(db, a, agent.id, &none, &whole, got, &total) == 0 && total == 0);
    CHECK(events_page(db, a, 999999, &all, &whole, got, &total) == 0 && total == 0);
}

static void far_pages_of_events(void)
{
    struct agent agent = new_agent("https://a.example/");
    const struct event_filter filters[] = {
        { 0 }, { EVENT_PENDING, NULL }, { .type = "swap.completed" }, { EVENT_PENDING, "swap.completed" }
    };
    struct event got[PAGE_MAX];
    uint64_t total = 0;

    no_events();
    for (int i = 0; i < 104; i++)
        CHECK(events_add(db, agent.id, "swap.completed", "{}"));
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        struct page near = { 3, 100 }, far = { 3, 101 };
        uint64_t second;

        CHECK(events_page(db, a, agent.id, &filters[i], &near, got, &total) == 3 && total == 104);
        second = got[1].seq;
        CHECK(events_page(db, a, agent.id, &filters[i], &far, got, &total) == 3 && total == 104);
        CHECK(got[0].seq == second && got[2].seq < second);
    }
}

/* ---- keys, states, deletion ---- */

static void a_key_is_replaced_once(void)
{
    struct agent agent = new_agent(NULL);
    uint8_t n = agents_made, old[HASH_LEN], one[HASH_LEN], two[HASH_LEN];
    struct agent got;

    key_of(n, old);
    memset(one, 0xa1, sizeof one);
    memset(two, 0xa2, sizeof two);
    CHECK(agents_rotate(db, agent.id + 1, old, one, QUOTA_NONE) == 0);
    CHECK(agents_rotate(db, agent.id, old, one, QUOTA_NONE) == 1);
    CHECK(agents_rotate(db, agent.id, old, two, QUOTA_NONE) == 0); /* the loser of a race */
    CHECK(agents_by_key(db, a, old, &got) == 0 && agents_by_key(db, a, two, &got) == 0);
    CHECK(agents_by_key(db, a, one, &got) == 1 && got.id == agent.id);
}

static void states_are_left_once(void)
{
    struct agent agent = new_agent(NULL);
    uint8_t n = agents_made;

    CHECK(agents_reactivate(db, agent.id) == 0);
    CHECK(agents_deactivate(db, agent.id) == 1);
    CHECK(reread(&agent, n).status == AGENT_DEACTIVATED);
    CHECK(agents_deactivate(db, agent.id) == 0);
    CHECK(agents_reactivate(db, agent.id) == 1);
    CHECK(agents_deactivate(db, 999999) == 0);
    CHECK(agents_set_status(db, agent.id, AGENT_SHUT) && agents_reactivate(db, agent.id) == 0);
}

static void a_renewed_secret_keeps_the_former(void)
{
    struct agent agent = new_agent("https://a.example/");
    struct event e = { .agent_id = agent.id };

    CHECK(agents_renew_secret(db, agent.id, (const uint8_t *)"new", 3) == 1);
    CHECK(events_secrets(db, &e) == 1 && e.sealed_secret_len == 3);
    CHECK(e.sealed_former_len == sizeof "sealed secret");
    CHECK(RAW("UPDATE agents SET former_until = UTC_TIMESTAMP(3) WHERE id = %d", (int)agent.id));
    CHECK(events_secrets(db, &e) == 1 && e.sealed_former_len == 0);
    CHECK(agents_renew_secret(db, 999999, (const uint8_t *)"new", 3) == 0);
    e.agent_id = 999999;
    CHECK(events_secrets(db, &e) == 0);
}

static void deletion_leaves_nothing_to_open(void)
{
    struct agent agent = new_agent("https://a.example/");
    uint8_t hash[HASH_LEN];
    struct wallet w = new_wallet(&agent, "0xAa0d", WALLET_EVM), got;
    struct execution s = new_swap(agent.id, w.id), again = s;
    struct agent gone;

    key_of(agents_made, hash);
    CHECK(events_add(db, agent.id, "swap.completed", "{}"));
    CHECK(agents_delete(db, agent.id) == 1 && agents_delete(db, agent.id) == 0);
    CHECK(agents_by_key(db, a, hash, &gone) == 0);
    CHECK(wallets_get(db, w.id, &got) == 1 && !got.has_key && w.has_key);
    CHECK(wallets_lock(db, w.id) == 0);
    CHECK(NUMBER("SELECT COUNT(*) FROM webhook_events WHERE agent_id = %d AND status = 1", (int)agent.id) ==
          0);
    /* nothing comes into being any more */
    w.ref.wallet = uuid_random();
    snprintf(w.ref.address, sizeof w.ref.address, "0xAa0e");
    CHECK(wallets_add(db, &w) == 0);
    again.once = uuid_random();
    CHECK(executions_add(db, &again, 0) == 0);
    CHECK(RAW("DELETE FROM executions WHERE id = %d", (int)again.id)); /* an execute rolls back */
    CHECK(events_add(db, agent.id, "swap.completed", "{}"));
    /* but what is in flight goes on */
    CHECK(move(&s, EXEC_PENDING, EXEC_COMPLETED) == 1);
}

/* ---- tasks ---- */

static struct task_room room = { QUOTA_NONE, QUOTA_NONE, QUOTAS };

static struct task_message message_of(const char *id)
{
    struct task_message m = { .body = "{\"messageId\":\"m\",\"parts\":[]}" };

    sha256(m.id, id, strlen(id));
    sha256(m.fingerprint, id, strlen(id));
    return m;
}

static struct task_push push_to(const char *url, const char *config_id)
{
    return (struct task_push){ .config_id = config_id,
                               .version = TASK_V10,
                               .url = url,
                               .scheme = "Bearer",
                               .sealed_headers = (const uint8_t *)"sealed headers",
                               .sealed_headers_len = 14 };
}

static struct uuid task_run;

static struct task new_task(const struct agent *agent, const char *message, const char *push_url)
{
    struct task t = {
        .id = uuid_random(), .agent_id = agent->id, .context_id = "c", .operation = "get_quote"
    };
    struct task_message m = message_of(message);
    struct task_push p = push_to(push_url, "p");

    task_run = uuid_random();
    CHECK(tasks_add(db, &t, &m, push_url == NULL ? NULL : &p, &task_run, 30, &room) == 1 && t.seq != 0);
    return t;
}

static struct task read_again(const struct task *t)
{
    struct task got = { .seq = 0 };

    CHECK(tasks_get(db, a, t->agent_id, &t->id, &got) == 1 && got.seq == t->seq);
    return got;
}

static int ended(const struct task *t, enum task_state state, uint64_t execution_id,
                 int (*write)(struct db *, const struct task_outcome *))
{
    struct task_outcome o = { t->seq, &task_run, state, execution_id, "note", "{\"a\":1}" };

    return write(db, &o);
}

static bool leases_are_over(void)
{
    return raw("UPDATE tasks SET lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND");
}

static void a_message_makes_one_task(void)
{
    struct agent agent = new_agent(NULL), other = new_agent(NULL);
    struct task t = new_task(&agent, "m-1", NULL), again = t, got;
    struct task_message m = message_of("m-1");
    struct uuid run = uuid_random();
    bool same = false;

    again.id = uuid_random();
    CHECK(tasks_add(db, &again, &m, NULL, &run, 30, &room) == 0);
    CHECK(NUMBER("SELECT COUNT(*) FROM tasks WHERE agent_id = %d", (int)agent.id) == 1);
    CHECK(tasks_by_message(db, a, agent.id, &m, &got, &same) == 1 && got.seq == t.seq && same);
    m.fingerprint[0] ^= 1;
    CHECK(tasks_by_message(db, a, agent.id, &m, &got, &same) == 1 && !same);
    CHECK(tasks_by_message(db, a, other.id, &m, &got, &same) == 0);
    CHECK(tasks_get(db, a, other.id, &t.id, &got) == 0);
    got = read_again(&t);
    CHECK(got.state == TASK_SUBMITTED && !got.idle && got.answer == NULL && got.execution_id == 0);
    CHECK_STR(got.context_id, "c");
    (void)new_task(&other, "m-1", NULL);
}

static void a_run_that_ended_without_a_word_is_taken_over(void)
{
    struct agent agent = new_agent(NULL);
    struct task t = new_task(&agent, "m", NULL);
    struct uuid second = uuid_random(), third = uuid_random();

    CHECK(tasks_resume(db, t.seq, &second, 30) == 0);
    CHECK(leases_are_over() && read_again(&t).idle);
    CHECK(tasks_resume(db, t.seq, &second, 30) == 1 && tasks_resume(db, t.seq, &third, 30) == 0);
    CHECK(!read_again(&t).idle);
    /* the first one wakes up: it may not commit any more */
    CHECK(ended(&t, TASK_COMPLETED, 0, tasks_keep) == 0 && ended(&t, TASK_COMPLETED, 0, tasks_end) == 0);
    task_run = second;
    CHECK(ended(&t, TASK_COMPLETED, 0, tasks_keep) == 1);
    CHECK(ended(&t, TASK_COMPLETED, 0, tasks_keep) == 1); /* a transaction that is run again */
    CHECK(leases_are_over() && tasks_resume(db, t.seq, &third, 30) == 0);
    CHECK(ended(&t, TASK_FAILED, 0, tasks_end) == 0); /* what was kept with the work stays */
    t = read_again(&t);
    CHECK(t.state == TASK_COMPLETED && !t.idle);
    CHECK_STR(t.answer, "{\"a\":1}");
    CHECK_STR(t.note, "note");
}

static void a_task_moves_with_its_swap(void)
{
    struct agent agent = new_agent(NULL);
    struct task t = new_task(&agent, "m", NULL);
    struct execution s = new_swap(agent.id, 1);

    CHECK(ended(&t, TASK_WORKING, s.id, tasks_keep) == 1);
    CHECK(read_again(&t).state == TASK_SUBMITTED && read_again(&t).execution_id == s.id);
    CHECK(leases_are_over() && !read_again(&t).idle && tasks_cancel(db, agent.id, t.seq) == 0);
    CHECK(move(&s, EXEC_PENDING, EXEC_SUBMITTED) == 1 && read_again(&t).state == TASK_WORKING);
    CHECK(move(&s, EXEC_SUBMITTED, EXEC_COMPLETED) == 1 && read_again(&t).state == TASK_COMPLETED);
    CHECK(move(&s, EXEC_COMPLETED, EXEC_PROCESSING) == 1 && read_again(&t).state == TASK_WORKING);
    CHECK(move(&s, EXEC_PROCESSING, EXEC_FAILED) == 1 && read_again(&t).state == TASK_FAILED);
    CHECK(ended(&t, TASK_COMPLETED, 0, tasks_end) == 0);
}

static void a_task_that_asks_goes_on_or_ends(void)
{
    struct agent agent = new_agent(NULL), other = new_agent(NULL);
    struct task t = new_task(&agent, "first", NULL);
    struct task_message second = message_of("second"), third = message_of("third");
    struct uuid run = uuid_random();
    const char *bodies[4];

    CHECK(tasks_continue(db, &t, &second, &run, 30, &room) == 0);
    CHECK(ended(&t, TASK_INPUT_REQUIRED, 0, tasks_end) == 1);
    CHECK(tasks_continue(db, &t, &second, &run, 30, &room) == 1 &&
          tasks_continue(db, &t, &third, &run, 30, &room) == 0);
    CHECK(read_again(&t).state == TASK_SUBMITTED && read_again(&t).answer == NULL);
    CHECK(tasks_messages(db, a, t.seq, 4, bodies) == 2 && tasks_messages(db, a, t.seq, 1, bodies) == 1);
    /* nothing was done: it asks as before, and the message may come again */
    CHECK(tasks_undo(db, &t, &second, &run) && read_again(&t).state == TASK_INPUT_REQUIRED);
    CHECK(tasks_messages(db, a, t.seq, 4, bodies) == 1);
    CHECK(tasks_cancel(db, other.id, t.seq) == 0);
    CHECK(tasks_cancel(db, agent.id, t.seq) == 1 && tasks_cancel(db, agent.id, t.seq) == 0);
    CHECK(read_again(&t).state == TASK_CANCELED && tasks_continue(db, &t, &second, &run, 30, &room) == 0);
    CHECK(ended(&t, TASK_COMPLETED, 0, tasks_keep) == 0);

    t = new_task(&agent, "undone", NULL);
    second = message_of("undone");
    CHECK(tasks_undo(db, &t, &second, &task_run));
    CHECK(NUMBER("SELECT COUNT(*) FROM tasks WHERE seq = %d", (int)t.seq) == 0);
    (void)new_task(&agent, "undone", NULL);
}

/* MySQL refuses to compare columns of ASCII with it. */
static void what_is_not_ascii_is_in_no_row(void)
{
    static const char foreign[] = "caf\xc3\xa9";
    struct agent agent = new_agent("https://a.example/"), page[1];
    struct task t = new_task(&agent, "first", NULL), tasks[1];
    struct event_filter events = { .type = foreign };
    struct task_filter by_context = { .context_id = foreign };
    struct page p = { .limit = 1 };
    struct event got[1];
    struct wallet w;
    uint64_t total = 1;

    CHECK(events_add(db, agent.id, "swap.completed", "{}"));
    CHECK(events_page(db, a, agent.id, &events, &p, got, &total) == 0 && total == 0);
    CHECK(tasks_page(db, a, agent.id, &by_context, 1, tasks, &total) == 0 && total == 0);
    CHECK(tasks_push_delete(db, t.seq, foreign) == 0);
    CHECK(agents_page(db, a, foreign, 0, page, 1) == 0);
    CHECK(wallets_pick(db, agent.id, WALLET_EVM, foreign, &w) == 0);
}

static void pages_of_tasks(void)
{
    struct agent agent = new_agent(NULL);
    struct task out[8], t[4];
    struct execution s = new_swap(agent.id, 1);
    struct task_filter f = { .context_id = NULL };
    uint64_t total;

    for (int i = 0; i < 4; i++) {
        t[i] = new_task(&agent, arena_printf(a, "page %d", i), NULL);
        CHECK(ended(&t[i], i == 3 ? TASK_REJECTED : TASK_COMPLETED, i == 0 ? s.id : 0, tasks_keep) == 1);
        CHECK(RAW("UPDATE tasks SET updated_at = '2026-01-01 00:00:0%d' WHERE seq = %d", i, (int)t[i].seq));
    }
    CHECK(RAW("UPDATE executions SET updated_at = '2026-01-01 00:00:02.500' WHERE id = %d", (int)s.id));
    CHECK(tasks_page(db, a, agent.id, &f, 8, out, &total) == 4 && total == 4);
    CHECK(out[0].seq == t[3].seq && out[1].seq == t[0].seq && out[2].seq == t[2].seq &&
          out[3].seq == t[1].seq);
    for (int i = 0; i < 4; i++) { /* each from the one before */
        CHECK(tasks_page(db, a, agent.id, &f, 1, out, &total) == 1 && total == 4);
        f.before_ms = out[0].updated_ms;
        f.before_seq = out[0].seq;
    }
    CHECK(out[0].seq == t[1].seq && tasks_page(db, a, agent.id, &f, 1, out, &total) == 0);
    f = (struct task_filter){ .state = TASK_SUBMITTED };
    CHECK(tasks_page(db, a, agent.id, &f, 8, out, &total) == 1 && total == 1 && out[0].seq == t[0].seq);
    f = (struct task_filter){ .since_ms = 1767225602000 };
    CHECK(tasks_page(db, a, agent.id, &f, 8, out, &total) == 3 && total == 3);
    f = (struct task_filter){ .context_id = "another" };
    CHECK(tasks_page(db, a, agent.id, &f, 8, out, &total) == 0 && total == 0);
}

static void pushes_of_a_task(void)
{
    struct agent agent = new_agent(NULL), other = new_agent("https://callback.example/");
    struct task t = new_task(&agent, "pushed", "https://push.example/a");
    struct task_push all[TASK_PUSHES_MAX], p = push_to("https://push.example/b", "p");
    struct uuid owner = uuid_random();
    struct event got[4];

    no_events();
    CHECK(tasks_pushes(db, a, t.seq, all) == 1 && all[0].agent_id == agent.id);
    CHECK(events_add_push(db, agent.id, all[0].seq, "{}"));
    CHECK(events_add_push(db, other.id, all[0].seq, "{}")); /* not theirs: nothing */
    CHECK(tasks_push_set(db, &t, &p, QUOTA_NONE) == 1 && tasks_pushes(db, a, t.seq, all) == 1);
    CHECK_STR(all[0].url, "https://push.example/b");
    /* as it was when the task moved, and whatever becomes of the callback */
    CHECK(events_fail_pending(db, agent.id, false, "callback_url was removed"));
    CHECK(claim(&owner, 10, got, 4) == 1);
    CHECK_STR(got[0].callback_url, "https://push.example/a");
    CHECK(got[0].sealed_headers_len == 14 && memcmp(got[0].sealed_headers, "sealed headers", 14) == 0);
    CHECK(events_fail_pending(db, agent.id, true, "the agent was deleted"));
    CHECK(total_of_events(agent.id, EVENT_FAILED, NULL) == 1);
    for (int i = 1; i < TASK_PUSHES_MAX; i++) {
        p.config_id = arena_printf(a, "p%d", i);
        CHECK(tasks_push_set(db, &t, &p, QUOTA_NONE) == 1);
    }
    p.config_id = "one more";
    CHECK(tasks_push_set(db, &t, &p, QUOTA_NONE) == 0);
    CHECK(tasks_push_delete(db, t.seq, "p") == 1 && tasks_push_delete(db, t.seq, "p") == 0);
    CHECK(tasks_push_set(db, &t, &p, QUOTA_NONE) == 1);
}

static void old_tasks_go(void)
{
    struct agent agent = new_agent(NULL);
    struct task old = new_task(&agent, "old", "https://push.example/"), t = new_task(&agent, "new", NULL);

    CHECK(tasks_expire(db, 100) >= 0 && tasks_expire(db, 100) == 0);
    CHECK(RAW("UPDATE tasks SET updated_at = updated_at - INTERVAL 9 DAY WHERE seq = %d", (int)old.seq));
    CHECK(RAW("UPDATE task_messages SET created_at = created_at - INTERVAL 9 DAY WHERE task_seq = %d",
              (int)old.seq));
    CHECK(RAW("UPDATE task_pushes SET created_at = created_at - INTERVAL 9 DAY WHERE task_seq = %d",
              (int)old.seq));
    CHECK(tasks_expire(db, 100) == 1);
    CHECK(NUMBER("SELECT COUNT(*) FROM tasks WHERE agent_id = %d", (int)agent.id) == 1);
    CHECK(NUMBER("SELECT COUNT(*) FROM task_messages WHERE agent_id = %d", (int)agent.id) == 1);
    CHECK(NUMBER("SELECT COUNT(*) FROM task_pushes WHERE agent_id = %d", (int)agent.id) == 0);
    CHECK(read_again(&t).seq == t.seq);
    (void)new_task(&agent, "old", NULL);
}

static int64_t rows_of(const char *table, uint64_t agent_id)
{
    return NUMBER("SELECT COUNT(*) FROM %s WHERE agent_id = %d", table, (int)agent_id);
}

static void what_is_left_goes_in_batches(void)
{
    static const char *const tables[] = { "quotes",       "idempotency",   "webhook_events", "event_totals",
                                          "event_queues", "executions",    "wallets",        "purges",
                                          "tasks",        "task_messages", "task_pushes" };
    struct agent agent = new_agent("https://a.example/"), other = new_agent("https://b.example/");
    struct wallet w = new_wallet(&agent, "0xAa0f", WALLET_EVM);
    struct idem_run run = { .agent_id = agent.id, .owner = uuid_random() };
    struct idem_answer answer;
    struct execution done = new_swap(agent.id, w.id), flying = new_swap(agent.id, w.id);
    struct execution theirs = new_swap(other.id, 1);
    uint64_t id = 0, nonce;

    CHECK(raw("DELETE FROM purges"));
    for (int i = 0; i < 5; i++)
        (void)new_quote(agent.id);
    CHECK(events_add(db, agent.id, "swap.completed", "{}"));
    CHECK(idempotency_take(db, a, &run, 30, QUOTA_NONE, &answer) == IDEM_BEGUN);
    CHECK(wallets_nonce(db, w.id, 1, 3, &nonce));
    (void)new_task(&agent, "purged", "https://push.example/");
    (void)add_tx(new_tx(&done, 1, TX_SPEND, 5, 0));
    (void)add_tx(new_tx(&flying, 2, TX_SPEND, 5, 0));
    CHECK(executions_settle(db, done.id, FOLLOW_NOT) && executions_settle(db, theirs.id, FOLLOW_NOT));
    CHECK(purges_claim(db, &id) == 0);
    CHECK(agents_delete(db, agent.id) == 1);
    CHECK(purges_claim(db, &id) == 1 && id == agent.id);
    CHECK(purges_claim(db, &id) == 0); /* it is being worked on */

    CHECK(purges_batch(db, agent.id, 2) == 2 + 1 + 1 + 2 + 1 + 1 + 3);
    while (purges_batch(db, agent.id, 2) > 0) {
    }
    CHECK(rows_of("quotes", agent.id) == 0 && rows_of("executions", agent.id) == 1);
    CHECK(NUMBER("SELECT COUNT(*) FROM transactions WHERE execution_id = %d", (int)done.id) == 0);
    CHECK(NUMBER("SELECT COUNT(*) FROM execution_history WHERE execution_id = %d", (int)done.id) == 0);
    CHECK(NUMBER("SELECT COUNT(*) FROM transactions WHERE execution_id = %d", (int)flying.id) == 1);
    CHECK(purges_end(db, agent.id) == 0 && rows_of("wallets", agent.id) == 1);

    CHECK(executions_settle(db, flying.id, FOLLOW_NOT));
    CHECK(purges_batch(db, agent.id, 2) == 1 && purges_batch(db, agent.id, 2) == 0);
    CHECK(purges_end(db, agent.id) == 0); /* a request of the agent may still be under way */
    CHECK(raw("UPDATE purges SET created_at = created_at - INTERVAL 2 MINUTE"));
    CHECK(purges_end(db, agent.id) == 1);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        CHECK(rows_of(tables[i], agent.id) == 0);
    CHECK(NUMBER("SELECT COUNT(*) FROM wallet_nonces WHERE wallet_id = %d", (int)w.id) == 0);
    CHECK(rows_of("executions", other.id) == 1);
}

static void what_is_never_included_is_given_up(void)
{
    struct agent agent = new_agent(NULL);
    struct execution s = new_swap(agent.id, 1);

    CHECK(agents_delete(db, agent.id) == 1);
    CHECK(purges_batch(db, agent.id, 10) == 1); /* its place in the line of events */
    CHECK(RAW("UPDATE executions SET valid_until = UTC_TIMESTAMP(3) - INTERVAL 23 HOUR WHERE id = %d",
              (int)s.id));
    CHECK(purges_batch(db, agent.id, 10) == 0);
    CHECK(RAW("UPDATE executions SET valid_until = UTC_TIMESTAMP(3) - INTERVAL 25 HOUR, lease_owner = 'poll',"
              " lease_until = UTC_TIMESTAMP(3) + INTERVAL 9 SECOND WHERE id = %d",
              (int)s.id));
    CHECK(purges_batch(db, agent.id, 10) == 0); /* somebody looks at it just now */
    CHECK(RAW("UPDATE executions SET lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE id = %d",
              (int)s.id));
    CHECK(purges_batch(db, agent.id, 10) == 1);
}

/* ---- keys of requests ---- */

static struct idem_run idem_run(uint8_t scope, uint8_t body)
{
    struct idem_run run = { .agent_id = 42, .owner = uuid_random() };

    memset(run.scope, scope, sizeof run.scope);
    memset(run.fingerprint, body, sizeof run.fingerprint);
    return run;
}

static enum idem_state take(const struct idem_run *run, struct idem_answer *answer)
{
    return idempotency_take(db, a, run, 30, QUOTA_NONE, answer);
}

static void a_key_is_taken_once(void)
{
    struct idem_run one = idem_run(1, 1), again = idem_run(1, 1), other = idem_run(1, 2),
                    far = idem_run(2, 2);
    struct idem_answer answer = { 201, "{\"a\":1}" }, got = { 0, NULL };

    CHECK(take(&one, &got) == IDEM_BEGUN && take(&far, &got) == IDEM_BEGUN);
    CHECK(take(&again, &got) == IDEM_RUNNING && take(&other, &got) == IDEM_OTHER);
    CHECK(idempotency_record(db, &again, &answer, 0) == 0); /* not its run */
    CHECK(idempotency_record(db, &one, &answer, 5) == 1);
    CHECK(take(&again, &got) == IDEM_RUNNING); /* it may still be bettered */
    answer.body = "{\"a\":2}";
    CHECK(idempotency_record(db, &one, &answer, 0) == 1);
    CHECK(take(&again, &got) == IDEM_RECORDED && got.status == 201);
    CHECK_STR(got.body, "{\"a\":2}");
    CHECK(take(&other, &got) == IDEM_OTHER);
    CHECK(idempotency_drop(db, &one) && take(&again, &got) == IDEM_RECORDED); /* what is recorded stays */
    CHECK(idempotency_drop(db, &far) && take(&far, &got) == IDEM_BEGUN);
}

static void a_lease_runs_out(void)
{
    struct idem_run dead = idem_run(3, 1), next = idem_run(3, 1), other = idem_run(3, 2);
    struct idem_answer answer = { 200, "{}" }, got;

    CHECK(take(&dead, &got) == IDEM_BEGUN);
    CHECK(raw("UPDATE idempotency SET lease_until = UTC_TIMESTAMP(3)"));
    CHECK(take(&other, &got) == IDEM_OTHER && take(&next, &got) == IDEM_BEGUN);
    CHECK(idempotency_record(db, &dead, &answer, 0) == 0); /* too late */
    CHECK(idempotency_drop(db, &dead) && idempotency_record(db, &next, &answer, 0) == 1);
}

static void recorded_answers_go_after_a_day(void)
{
    struct idem_run one = idem_run(4, 1), other = idem_run(4, 2);
    struct idem_answer answer = { 200, "{}" }, got;

    CHECK(take(&one, &got) == IDEM_BEGUN && idempotency_record(db, &one, &answer, 0) == 1);
    CHECK(NUMBER("SELECT MIN(expires_at) > UTC_TIMESTAMP(3) + INTERVAL 1439 MINUTE FROM idempotency") == 1);
    CHECK(idempotency_expire(db, 10) == 0);
    CHECK(raw("UPDATE idempotency SET expires_at = UTC_TIMESTAMP(3), lease_until = UTC_TIMESTAMP(3)"));
    CHECK(take(&other, &got) == IDEM_BEGUN); /* free for anything */
    CHECK(idempotency_expire(db, 1) == 1 && idempotency_expire(db, 100) > 0);
    CHECK(NUMBER("SELECT COUNT(*) FROM idempotency") == 1);
}

/* ---- events that are not the drain's ---- */

static void a_test_event_is_listed_and_left_alone(void)
{
    struct agent agent = new_agent("https://a.example/");
    struct event e = { .id = uuid_random(),
                       .agent_id = agent.id,
                       .type = "webhook.test",
                       .callback_url = "https://a.example/",
                       .body = "{}",
                       .created_ms = 1700000000123 };
    struct event_result r = { .status = EVENT_FAILED, .response_status = 500, .error = "HTTP 500" };
    struct uuid owner = uuid_random();
    struct event got;

    no_events();
    CHECK(events_add_ended(db, &e, &r, QUOTA_NONE));
    CHECK(claim(&owner, 10, &got, 1) == 0);
    CHECK(total_of_events(agent.id, EVENT_FAILED, "webhook.test") == 1);
    CHECK(events_get(db, a, agent.id, e.id, &got) == 1 && got.attempts == 1 && got.response_status == 500);
    CHECK(got.created_ms == 1700000000123 && got.delivered_ms == 0);
    CHECK(events_get(db, a, agent.id + 1, e.id, &got) == 0);
    e.agent_id = 999999; /* deleted meanwhile */
    e.id = uuid_random();
    CHECK(events_add_ended(db, &e, &r, QUOTA_NONE) && NUMBER("SELECT COUNT(*) FROM webhook_events") == 1);
}

static void events_are_sent_again(void)
{
    struct agent agent = new_agent("https://a.example/");
    struct uuid owner = uuid_random(), unknown = uuid_random();
    struct event_result r = { .agent_id = agent.id,
                              .type = "swap.failed",
                              .status = EVENT_FAILED,
                              .response_status = 410,
                              .error = "HTTP 410" };
    struct event got;

    no_events();
    CHECK(events_add(db, agent.id, "swap.failed", "{}"));
    CHECK(claim(&owner, 10, &got, 1) == 1);
    r.seq = got.seq;
    CHECK(events_redeliver(db, agent.id, got.id) == 1); /* under way: it is not sent twice */
    CHECK(claim(&unknown, 10, &got, 1) == 0);
    CHECK(events_record(db, &owner, &r, 1) && total_of_events(agent.id, EVENT_FAILED, NULL) == 1);
    CHECK(RAW("UPDATE agents SET callback_url = 'https://b.example/' WHERE id = %d", (int)agent.id));
    CHECK(events_redeliver(db, agent.id, unknown) == 0 && events_redeliver(db, agent.id + 1, got.id) == 0);
    CHECK(events_redeliver(db, agent.id, got.id) == 1);
    CHECK(total_of_events(agent.id, EVENT_FAILED, NULL) == 0);
    CHECK(total_of_events(agent.id, EVENT_PENDING, NULL) == 1);
    CHECK(claim(&owner, 10, &got, 1) == 1 && got.attempts == 0); /* pauses begin anew, the count does not */
    CHECK_STR(got.callback_url, "https://b.example/");
    CHECK(events_get(db, a, agent.id, got.id, &got) == 1 && got.attempts == 1);
    CHECK(RAW("UPDATE agents SET callback_url = NULL WHERE id = %d", (int)agent.id));
    CHECK(events_redeliver(db, agent.id, got.id) == 0);
}

/* ---- units of work ---- */

static const char BUMP[] = "UPDATE agents SET total_requests = total_requests + 1 WHERE id = ?";

static bool bump(struct db *on, uint64_t id)
{
    struct stmt *st = db_prepare(on, BUMP);

    bind_u64(st, id);
    return db_exec(st) == 1;
}

struct work {
    uint64_t first, second; /* agents */
    int told, tell;         /* pipes: each side waits until the other holds its first row */
    unsigned runs;
    enum tx_verdict verdict;
};

static enum tx_verdict one_then_the_other(struct db *on, void *arg)
{
    struct work *w = arg;
    char byte = 0;

    w->runs++;
    if (!bump(on, w->first))
        return TX_FAILED;
    if (w->runs == 1 && w->tell >= 0 && (write(w->tell, &byte, 1) != 1 || read(w->told, &byte, 1) != 1))
        return TX_ROLLBACK;
    return bump(on, w->second) ? w->verdict : TX_FAILED;
}

static void deadlocks_run_again(void)
{
    struct agent x = new_agent(NULL), y = new_agent(NULL);
    uint8_t n = agents_made;
    int to_child[2], to_parent[2], status;
    struct work w = { x.id, y.id, -1, -1, 0, TX_COMMIT };
    pid_t pid;

    CHECK(pipe(to_child) == 0 && pipe(to_parent) == 0);
    pid = fork();
    if (pid == 0) {
        struct db *own = db_new(&conf);
        struct work other = { y.id, x.id, to_child[0], to_parent[1], 0, TX_COMMIT };

        _exit(db_transact(own, one_then_the_other, &other) == TX_DONE ? (int)other.runs : 99);
    }
    w.told = to_parent[0];
    w.tell = to_child[1];
    CHECK(pid > 0 && db_transact(db, one_then_the_other, &w) == TX_DONE);
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    CHECK(w.runs + (unsigned)WEXITSTATUS(status) == 3); /* one of the two was the victim */
    CHECK(reread(&x, (uint8_t)(n - 1)).total_requests == 2 && reread(&y, n).total_requests == 2);
    for (int i = 0; i < 2; i++) {
        close(to_child[i]);
        close(to_parent[i]);
    }
}

static void what_is_decided_against_is_not_written(void)
{
    struct agent x = new_agent(NULL);
    struct work w = { x.id, x.id, -1, -1, 0, TX_ROLLBACK };

    CHECK(db_transact(db, one_then_the_other, &w) == TX_REFUSED && w.runs == 1);
    w.second = 999999; /* fails for a reason that will not pass: once is enough */
    CHECK(db_transact(db, one_then_the_other, &w) == TX_BROKEN && w.runs == 2);
    CHECK(reread(&x, agents_made).total_requests == 0);
}

static void cut_the_connection(void)
{
    CHECK(RAW("KILL %lu", mysql_thread_id(db->handle)));
}

static enum tx_verdict cut_once(struct db *on, void *arg)
{
    struct work *w = arg;

    w->runs++;
    if (!bump(on, w->first))
        return TX_FAILED;
    if (w->runs == 1)
        cut_the_connection();
    return bump(on, w->first) ? TX_COMMIT : TX_FAILED;
}

static void lost_connections_are_made_again(void)
{
    struct agent x = new_agent(NULL);
    struct work w = { x.id, x.id, -1, -1, 0, TX_COMMIT };
    uint8_t n = agents_made;

    cut_the_connection();
    CHECK(reread(&x, n).total_requests == 0); /* a read runs again by itself */
    cut_the_connection();
    CHECK(db_transact(db, one_then_the_other, &w) == TX_DONE); /* so does what has not begun */
    CHECK(reread(&x, n).total_requests == 2);
    w.runs = 0;
    CHECK(db_transact(db, cut_once, &w) == TX_DONE && w.runs == 2); /* and what was cut in the middle */
    CHECK(reread(&x, n).total_requests == 4);
    cut_the_connection();
    CHECK(db_ready(db));
}

static void servers_are_read_from_a_list(void)
{
    static const struct {
        const char *text;
        const char *socket, *host;
        unsigned port;
    } cases[] = {
        { "/run/mysqld/mysqld.sock", "/run/mysqld/mysqld.sock", NULL, 0 },
        { "db.example.com", NULL, "db.example.com", 3306 },
        { "10.0.0.2:3307", NULL, "10.0.0.2", 3307 },
        { "[fd00::2]", NULL, "fd00::2", 3306 },
        { "[fd00::2]:3307", NULL, "fd00::2", 3307 },
    };
    static const char *const wrong[] = { "db:",     "db:0",     "db:65536", "db:x",
                                         "fd00::2", "[fd00::2", "[a]b",     ":3306" };
    struct db_server s;
    struct db_conf all = { .count = 0 };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(read_server(arena_strdup(a, cases[i].text), &s));
        CHECK(s.port == cases[i].port);
        CHECK_STR(s.socket == NULL ? s.host : s.socket,
                  cases[i].socket == NULL ? cases[i].host : cases[i].socket);
        CHECK((s.socket == NULL) == (cases[i].socket == NULL));
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(!read_server(arena_strdup(a, wrong[i]), &s));
    CHECK(read_servers(arena_strdup(a, "/a, b:1,[::1]"), &all) && all.count == 3);
    all.count = 0;
    CHECK(!read_servers(arena_strdup(a, " , "), &all));
    CHECK(!read_servers(arena_strdup(a, "1,2,3,4,5,6,7,8,9"), &all));
}

static void the_next_server_is_used_when_one_is_away(void)
{
    struct db_conf list = conf;
    struct db *own;
    const char *standing;

    list.servers[1] = list.servers[0];
    list.servers[0] = (struct db_server){ .socket = "/tmp/test_store.no-such-socket" };
    list.count = 2;
    own = db_new(&list);
    CHECK(db_server(own, &standing) == 0);
    CHECK(db_ready(own) && db_server(own, &standing) == 2);
    db_pause(own);
    CHECK(own->handle != NULL); /* for a minute */
    own->since_ms -= AWAY_MS + 1;
    db_pause(own);
    CHECK(own->handle == NULL && db_ready(own) && db_server(own, &standing) == 2);
    db_free(own);
}

static void nothing_is_done_outside_of_a_transaction_that_broke(void)
{
    CHECK(begin(db));
    disconnect(db);
    CHECK(!db_run(db, "SELECT 1"));
    rollback(db);
    CHECK(db_run(db, "DO 1"));
}

static void no_server_is_no_crash(void)
{
    struct db_conf nowhere = { .servers = { { .socket = "/tmp/test_store.no-such-socket" } },
                               .count = 1,
                               .user = "root",
                               .name = database };
    struct db *none = db_new(&nowhere);
    struct work w = { 1, 1, -1, -1, 0, TX_COMMIT };
    uint8_t hash[HASH_LEN] = { 0 };
    struct agent agent;

    CHECK(!db_ready(none) && agents_by_key(none, a, hash, &agent) == -1);
    CHECK(db_transact(none, one_then_the_other, &w) == TX_BROKEN && w.runs == 0);
    CHECK(migrate_fit(none) == SCHEMA_UNKNOWN);
    db_free(none);
}

/* ---- around it ---- */

static bool make_database(const char *socket)
{
    struct db_conf any = { .servers = { { .socket = socket } }, .count = 1, .user = "root" };
    struct db *server = db_new(&any);
    char sql[128];
    bool ok;

    snprintf(database, sizeof database, "test_store_%d", (int)getpid());
    snprintf(sql, sizeof sql, "CREATE DATABASE %s CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", database);
    ok = simple(server, sql);
    db_free(server);
    conf =
        (struct db_conf){ .servers = { { .socket = socket } }, .count = 1, .user = "root", .name = database };
    db = db_new(&conf);
    another = db_new(&conf);
    admin = db_new(&conf);
    a = arena_new();
    return ok;
}

static bool drop_database(void)
{
    bool ok = db_ready(db) && db_ready(another) && RAW("DROP DATABASE %s", database);

    db_free(admin);
    arena_free(a);
    return ok;
}

int main(void)
{
    static const struct test_case cases[] = {
        TEST(each_migration_may_run_twice),
        TEST(a_schema_fits_from_the_oldest_to_the_last),
        TEST(sessions_are_as_promised),
        TEST(who_stands_still_in_a_transaction_loses_it),
        TEST(agents_are_added_and_found),
        TEST(long_texts_come_back_whole),
        TEST(profiles_change),
        TEST(requests_are_counted),
        TEST(requests_of_unknown_agents_are_forgotten),
        TEST(operators_change_agents),
        TEST(agents_are_paged),
        TEST(halts_are_for_one_or_all),
        TEST(a_ban_and_a_stop_end_each_for_itself),
        TEST(a_stopped_agent_changes_nothing),
        TEST(a_stop_waits_for_what_is_under_way),
        TEST(wallets_of_an_agent),
        TEST(many_wallets_are_listed),
        TEST(nonces_never_go_back),
        TEST(quotes_are_kept),
        TEST(runners_up_of_quotes),
        TEST(a_quote_is_taken_once),
        TEST(old_quotes_go),
        TEST(swaps_move_along_the_table),
        TEST(a_forbidden_move_ends_the_program),
        TEST(one_quote_one_swap),
        TEST(pages_of_swaps),
        TEST(far_pages_of_swaps),
        TEST(requests_are_kept_and_counted),
        TEST(a_venue_has_a_request_once),
        TEST(requests_end_once),
        TEST(other_kinds_have_totals_of_their_own),
        TEST(transactions_are_kept),
        TEST(one_of_a_nonce_wins),
        TEST(how_far_a_search_has_come),
        TEST(what_is_reserved),
        TEST(sums_that_do_not_fit_are_refused),
        TEST(swaps_are_claimed_and_given_back),
        TEST(failures_are_claimed_once_more),
        TEST(fresh_swaps_are_left_alone_at_first),
        TEST(events_need_a_callback),
        TEST(events_are_claimed_and_recorded),
        TEST(a_lost_lease_records_nothing),
        TEST(claims_are_fair),
        TEST(removing_the_callback_fails_what_is_pending),
        TEST(a_backlog_hides_nobody),
        TEST(everybody_gets_a_turn),
        TEST(groups_are_recorded),
        TEST(pages_of_events),
        TEST(far_pages_of_events),
        TEST(a_key_is_replaced_once),
        TEST(states_are_left_once),
        TEST(a_renewed_secret_keeps_the_former),
        TEST(deletion_leaves_nothing_to_open),
        TEST(a_message_makes_one_task),
        TEST(a_run_that_ended_without_a_word_is_taken_over),
        TEST(a_task_moves_with_its_swap),
        TEST(a_task_that_asks_goes_on_or_ends),
        TEST(what_is_not_ascii_is_in_no_row),
        TEST(pages_of_tasks),
        TEST(pushes_of_a_task),
        TEST(old_tasks_go),
        TEST(what_is_left_goes_in_batches),
        TEST(what_is_never_included_is_given_up),
        TEST(a_key_is_taken_once),
        TEST(a_lease_runs_out),
        TEST(recorded_answers_go_after_a_day),
        TEST(a_test_event_is_listed_and_left_alone),
        TEST(events_are_sent_again),
        TEST(deadlocks_run_again),
        TEST(what_is_decided_against_is_not_written),
        TEST(lost_connections_are_made_again),
        TEST(servers_are_read_from_a_list),
        TEST(the_next_server_is_used_when_one_is_away),
        TEST(nothing_is_done_outside_of_a_transaction_that_broke),
        TEST(no_server_is_no_crash),
    };
    const char *socket = getenv("GATEWAY_TEST_DB");
    int status;

    if (socket == NULL || *socket == '\0' || !make_database(socket)) {
        fprintf(stderr, "GATEWAY_TEST_DB must name the socket of a database server\n");
        printf("0 passed, 1 failed\n");
        return 1;
    }
    status = test_run(cases, sizeof cases / sizeof cases[0]);
    return drop_database() ? status : 1;
}
