/* The ideal responder: the least work with which the measured endpoints can be answered, as the mark that
 * the gateway is measured by. It checks nothing, reconnects to nothing and is no example of anything else.
 *
 *   ideal SOCKET PROCESSES DB_SOCKET SCHEMA CALLS_FILE CHAINS_FILE
 *
 *   /chains  the bytes of CHAINS_FILE
 *   /me      the agent by SHA-256 of its key, limited and counted in shared memory
 *   /swaps   the same, and one page of its history
 *   /predict/orders   the same, and one page of its orders, none of which has trades
 *   /predict/markets  the same, and one page of markets as it is kept
 *   /lend/operations  the same, and one page of its operations at lenders, all of which are completed
 *   /lend/markets     the same, and the markets of lenders as they are kept
 *   /perps/orders     the same, and one page of its orders for perpetuals; what stands behind is kept as text
 *   /perps/markets    the same, and the perpetuals as they are kept
 *   /quote   the same, and the calls of CALLS_FILE (ideal_calls.h), all at once over kept connections, and
 * the best quote stored
 *
 * Answers have the members that the specification names and no others. Any key is looked up, malformed or
 * not; an unknown one is refused. Statements are prepared once for each process; each is a transaction of its
 * own. */
#include <fcgiapp.h>
#include <inttypes.h>
#include <mysql.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ideal_calls.h"

#define TIME_FORMAT "%04u-%02u-%02uT%02u:%02u:%02u.%03luZ"
#define TIME(t)     (t).year, (t).month, (t).day, (t).hour, (t).minute, (t).second, (t).second_part / 1000
#define USDC_FORMAT "%" PRIu64 ".%06" PRIu64
#define USDC(units) (units) / 1000000, (units) % 1000000
#define AMOUNT_IN   "1.5"

enum {
    BACKLOG = 1024,
    PAGE_DEFAULT = 20,
    BODY_MAX = 128 * 1024,
    KEPT_MAX = 64 * 1024,
    AGENTS_MAX = 4096,
    MICROS_BETWEEN = 10,    /* requests of an agent, on average */
    MICROS_BURST = 60000000 /* ahead of that */
};

static const char FIND[] =
    "SELECT id, uuid, name, description, tier, total_requests, total_swaps, total_orders, total_operations, total_perps, created_at, last_active_at FROM agents WHERE key_hash = ?";
static const char PAGE[] =
    "SELECT id, status, tx_hash, from_token, to_token FROM swaps FORCE INDEX (agent_page) WHERE agent_id = ? ORDER BY id DESC LIMIT ?";
static const char ORDERS[] =
    "SELECT hash, token, side, price, size, status, filled, average, market, outcome, type, created_at, updated_at FROM orders FORCE INDEX (agent_page) WHERE agent_id = ? ORDER BY id DESC LIMIT ?";
static const char OPERATIONS[] =
    "SELECT number, type, market, protocol, chain, chain_id, asset, amount, status, tx_hash, health, created_at, completed_at FROM operations FORCE INDEX (agent_page) WHERE agent_id = ? ORDER BY id DESC LIMIT ?";
static const char PERPS[] =
    "SELECT cloid, market, side, type, size, price, filled, average, status, reduce_only, leverage, margin_mode, tif, fee, children, error, created_at, updated_at FROM perps_orders FORCE INDEX (agent_page) WHERE agent_id = ? ORDER BY id DESC LIMIT ?";
static const char KEPT[] =
    "SELECT members FROM answers WHERE question = ? AND made_at > UTC_TIMESTAMP(3) - INTERVAL 1 DAY";
static const char KEEP[] =
    "INSERT INTO quotes (id, agent_id, from_token, to_token, chain, amount_in, amount_out, expires_at) VALUES (?, ?, 'ETH', 'USDC', 'ethereum', '" AMOUNT_IN
    "', ?, UTC_TIMESTAMP(3) + INTERVAL 60 SECOND)";

struct text {
    char s[512];
    unsigned long len;
    my_bool null;
};

/* Of each agent, shared by the processes. */
static struct {
    uint64_t next, requests; /* when its next request is due, in microseconds */
} * usage;

static MYSQL_STMT *find, *page, *orders, *operations, *perps, *kept, *keep;

/* What the statements read and write. */
static unsigned char key_hash[crypto_hash_sha256_BYTES];
static uint64_t limit;
static struct text amount_out, quote_id;
static struct {
    uint64_t id, requests, swaps, orders, operations, perps;
    struct text uuid, name, description, tier;
    MYSQL_TIME created, active;
} agent;
static struct {
    uint64_t id;
    struct text status, tx_hash, from_token, to_token;
} swap;
static struct {
    struct text hash, token, side, price, size, status, filled, average, market, outcome, type;
    MYSQL_TIME created, updated;
} order;
static struct {
    uint64_t number, chain_id;
    struct text type, market, protocol, chain, asset, amount, status, tx_hash, health;
    MYSQL_TIME created, completed;
} operation;
static struct {
    uint64_t reduce_only, leverage;
    struct text cloid, market, side, type, size, price, filled, average, status, margin_mode, tif, fee,
        children, error;
    MYSQL_TIME created, updated;
} perps_order;

static char body[BODY_MAX], chains[BODY_MAX], members[KEPT_MAX];
static unsigned long members_len;
static size_t body_len, chains_len;

static void die(const char *what, const char *why)
{
    fprintf(stderr, "ideal: %s: %s\n", what, why);
    exit(1);
}

/* ---- Database ---- */

static MYSQL_BIND number(uint64_t *n)
{
    return (MYSQL_BIND){ .buffer_type = MYSQL_TYPE_LONGLONG, .is_unsigned = 1, .buffer = n };
}

static MYSQL_BIND bytes(unsigned char *p, unsigned long len)
{
    return (MYSQL_BIND){ .buffer_type = MYSQL_TYPE_BLOB, .buffer = p, .buffer_length = len };
}

static MYSQL_BIND text(struct text *t)
{
    return (MYSQL_BIND){ .buffer_type = MYSQL_TYPE_STRING,
                         .buffer = t->s,
                         .buffer_length = sizeof t->s - 1,
                         .length = &t->len,
                         .is_null = &t->null };
}

static MYSQL_BIND moment(MYSQL_TIME *t)
{
    return (MYSQL_BIND){ .buffer_type = MYSQL_TYPE_DATETIME, .buffer = t };
}

static MYSQL_STMT *prepare(MYSQL *db, const char *sql, MYSQL_BIND *in, MYSQL_BIND *out)
{
    MYSQL_STMT *st = mysql_stmt_init(db);

    if (mysql_stmt_prepare(st, sql, strlen(sql)) != 0 || mysql_stmt_bind_param(st, in) != 0 ||
        (out != NULL && mysql_stmt_bind_result(st, out) != 0))
        die(sql, mysql_stmt_error(st));
    return st;
}

static void prepare_all(MYSQL *db)
{
    MYSQL_BIND agent_out[] = { number(&agent.id),        text(&agent.uuid),      text(&agent.name),
                               text(&agent.description), text(&agent.tier),      number(&agent.requests),
                               number(&agent.swaps),     number(&agent.orders),  number(&agent.operations),
                               number(&agent.perps),     moment(&agent.created), moment(&agent.active) };
    MYSQL_BIND swap_out[] = { number(&swap.id), text(&swap.status), text(&swap.tx_hash),
                              text(&swap.from_token), text(&swap.to_token) };

    MYSQL_BIND order_out[] = { text(&order.hash),     text(&order.token),   text(&order.side),
                               text(&order.price),    text(&order.size),    text(&order.status),
                               text(&order.filled),   text(&order.average), text(&order.market),
                               text(&order.outcome),  text(&order.type),    moment(&order.created),
                               moment(&order.updated) };
    MYSQL_BIND operation_out[] = { number(&operation.number),   text(&operation.type),
                                   text(&operation.market),     text(&operation.protocol),
                                   text(&operation.chain),      number(&operation.chain_id),
                                   text(&operation.asset),      text(&operation.amount),
                                   text(&operation.status),     text(&operation.tx_hash),
                                   text(&operation.health),     moment(&operation.created),
                                   moment(&operation.completed) };
    MYSQL_BIND perps_out[] = {
        text(&perps_order.cloid),         text(&perps_order.market),     text(&perps_order.side),
        text(&perps_order.type),          text(&perps_order.size),       text(&perps_order.price),
        text(&perps_order.filled),        text(&perps_order.average),    text(&perps_order.status),
        number(&perps_order.reduce_only), number(&perps_order.leverage), text(&perps_order.margin_mode),
        text(&perps_order.tif),           text(&perps_order.fee),        text(&perps_order.children),
        text(&perps_order.error),         moment(&perps_order.created),  moment(&perps_order.updated)
    };
    MYSQL_BIND kept_out = { .buffer_type = MYSQL_TYPE_STRING,
                            .buffer = members,
                            .buffer_length = sizeof members,
                            .length = &members_len };

    find = prepare(db, FIND, (MYSQL_BIND[]){ bytes(key_hash, sizeof key_hash) }, agent_out);
    page = prepare(db, PAGE, (MYSQL_BIND[]){ number(&agent.id), number(&limit) }, swap_out);
    orders = prepare(db, ORDERS, (MYSQL_BIND[]){ number(&agent.id), number(&limit) }, order_out);
    operations = prepare(db, OPERATIONS, (MYSQL_BIND[]){ number(&agent.id), number(&limit) }, operation_out);
    perps = prepare(db, PERPS, (MYSQL_BIND[]){ number(&agent.id), number(&limit) }, perps_out);
    kept = prepare(db, KEPT, (MYSQL_BIND[]){ bytes(key_hash, sizeof key_hash) }, &kept_out);
    keep = prepare(db, KEEP, (MYSQL_BIND[]){ text(&quote_id), number(&agent.id), text(&amount_out) }, NULL);
}

static void connect_db(const char *socket, const char *schema)
{
    MYSQL *db = mysql_init(NULL);

    if (mysql_real_connect(db, NULL, "root", NULL, schema, 0, socket, 0) == NULL)
        die(socket, mysql_error(db));
    prepare_all(db);
}

/* ---- Answers ---- */

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    body_len += (size_t)vsnprintf(body + body_len, sizeof body - body_len, format, args);
    va_end(args);
}

static void put_text(const char *name, const struct text *t)
{
    if (t->null)
        put(",\"%s\":null", name);
    else
        put(",\"%s\":\"%.*s\"", name, (int)t->len, t->s);
}

static void put_me(void)
{
    put("{\"success\":true,\"agent\":{\"id\":\"%.*s\"", (int)agent.uuid.len, agent.uuid.s);
    put_text("name", &agent.name);
    put_text("description", &agent.description);
    put_text("rate_limit_tier", &agent.tier);
    put(",\"stats\":{\"total_requests\":%" PRIu64 ",\"total_swaps\":%" PRIu64 "}", agent.requests,
        agent.swaps);
    put(",\"created_at\":\"" TIME_FORMAT "\",\"last_active_at\":\"" TIME_FORMAT "\"}}", TIME(agent.created),
        TIME(agent.active));
}

static void put_swap(void)
{
    put("{\"swap_id\":%" PRIu64, swap.id);
    put_text("status", &swap.status);
    put_text("tx_hash", &swap.tx_hash);
    put_text("from_token", &swap.from_token);
    put_text("to_token", &swap.to_token);
    put("}");
}

/* JSON as it is. */
static void put_json(const char *name, const struct text *t)
{
    put(",\"%s\":%.*s", name, (int)t->len, t->s);
}

static void put_order(void)
{
    put("{\"id\":\"%.*s\"", (int)order.hash.len, order.hash.s);
    put_text("tokenId", &order.token);
    put_text("side", &order.side);
    put_json("price", &order.price);
    put_json("size", &order.size);
    put_text("status", &order.status);
    put_json("filled", &order.filled);
    put_json("averagePrice", &order.average);
    put_text("market", &order.market);
    put_text("outcome", &order.outcome);
    put_text("type", &order.type);
    put(",\"expiration\":null,\"tx_hashes\":[],\"created_at\":\"" TIME_FORMAT
        "\",\"updated_at\":\"" TIME_FORMAT "\"}",
        TIME(order.created), TIME(order.updated));
}

static void put_operation(void)
{
    put("{\"id\":%" PRIu64, operation.number);
    put_text("type", &operation.type);
    put_text("market", &operation.market);
    put_text("protocol", &operation.protocol);
    put_text("chain", &operation.chain);
    put(",\"chainId\":%" PRIu64, operation.chain_id);
    put_text("asset", &operation.asset);
    put_text("amount", &operation.amount);
    put(",\"collateral\":false");
    put_text("status", &operation.status);
    put_text("tx_hash", &operation.tx_hash);
    if (operation.health.null)
        put(",\"healthFactorAfter\":null");
    else
        put_json("healthFactorAfter", &operation.health);
    put(",\"created_at\":\"" TIME_FORMAT "\",\"completed_at\":\"" TIME_FORMAT "\",\"error\":null}",
        TIME(operation.created), TIME(operation.completed));
}

static void put_perps_order(void)
{
    put("{\"id\":\"%.*s\"", (int)perps_order.cloid.len, perps_order.cloid.s);
    put_text("market", &perps_order.market);
    put_text("side", &perps_order.side);
    put_text("type", &perps_order.type);
    put_text("size", &perps_order.size);
    put_text("price", &perps_order.price);
    put_text("filledSize", &perps_order.filled);
    put_text("averagePrice", &perps_order.average);
    put_text("status", &perps_order.status);
    put(",\"reduceOnly\":%s,\"leverage\":%" PRIu64, perps_order.reduce_only ? "true" : "false",
        perps_order.leverage);
    put_text("marginMode", &perps_order.margin_mode);
    put_text("timeInForce", &perps_order.tif);
    put_text("fee", &perps_order.fee);
    put_json("children", &perps_order.children);
    put_text("error", &perps_order.error);
    put(",\"created_at\":\"" TIME_FORMAT "\",\"updated_at\":\"" TIME_FORMAT "\"}", TIME(perps_order.created),
        TIME(perps_order.updated));
}

/* A history of the agent, `total` long. */
static void put_page(const char *query, const char *name, MYSQL_STMT *rows, void (*put_row)(void),
                     uint64_t total)
{
    const char *wanted = strstr(query, "limit=");
    uint64_t n = 0;

    limit = wanted != NULL ? strtoull(wanted + 6, NULL, 10) : PAGE_DEFAULT;
    put("{\"success\":true,\"%s\":[", name);
    mysql_stmt_execute(rows);
    while (mysql_stmt_fetch(rows) == 0) {
        if (n++ > 0)
            put(",");
        put_row();
    }
    mysql_stmt_free_result(rows);
    put("],\"pagination\":{\"total\":%" PRIu64 ",\"limit\":%" PRIu64 ",\"offset\":0,\"has_more\":%s}}", total,
        limit, n < total ? "true" : "false");
}

static void put_quote(uint64_t out)
{
    uint64_t rate = out * 2 / 3;

    put("{\"success\":true,\"quote_id\":\"%s\",\"from_token\":{\"symbol\":\"ETH\",\"chain\":\"ethereum\",\"address\":\"0x0000000000000000000000000000000000000000\"},\"to_token\":{\"symbol\":\"USDC\",\"chain\":\"ethereum\",\"address\":\"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48\"},",
        quote_id.s);
    put("\"amount_in\":\"" AMOUNT_IN "\",\"amount_out\":\"%s\",\"exchange_rate\":\"" USDC_FORMAT
        "\",\"expires_in_seconds\":60}",
        amount_out.s, USDC(rate));
}

/* Under the hash of what is asked; false where nothing is kept. */
static bool put_kept(const char *path)
{
    bool found;

    crypto_hash_sha256(key_hash, (const unsigned char *)path, strlen(path));
    mysql_stmt_execute(kept);
    found = mysql_stmt_fetch(kept) == 0 && members_len <= sizeof members;
    mysql_stmt_free_result(kept);
    if (found)
        put("{\"success\":true,%.*s}", (int)members_len, members);
    return found;
}

/* Random, in the form of a UUID. */
static void make_id(struct text *id)
{
    unsigned char r[16];
    char hex[2 * sizeof r + 1];

    randombytes_buf(r, sizeof r);
    sodium_bin2hex(hex, sizeof hex, r, sizeof r);
    id->len = (unsigned long)snprintf(id->s, sizeof id->s, "%.8s-%.4s-%.4s-%.4s-%s", hex, hex + 8, hex + 12,
                                      hex + 16, hex + 20);
}

/* False when no provider answered. */
static bool make_quote(void)
{
    uint64_t out = calls_best();

    if (out == 0)
        return false;
    amount_out.len = (unsigned long)snprintf(amount_out.s, sizeof amount_out.s, USDC_FORMAT, USDC(out));
    make_id(&quote_id);
    mysql_stmt_execute(keep);
    put_quote(out);
    return true;
}

/* Counts a request of the agent; false when it is over its limit. */
static bool count_request(uint64_t id)
{
    struct timespec t;
    uint64_t now, due, next;

    clock_gettime(CLOCK_REALTIME, &t);
    now = (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
    due = __atomic_load_n(&usage[id % AGENTS_MAX].next, __ATOMIC_RELAXED);
    do {
        next = (due > now ? due : now) + MICROS_BETWEEN;
        if (next > now + MICROS_BURST)
            return false;
    } while (!__atomic_compare_exchange_n(&usage[id % AGENTS_MAX].next, &due, next, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    __atomic_add_fetch(&usage[id % AGENTS_MAX].requests, 1, __ATOMIC_RELAXED);
    return true;
}

/* Looks the agent up; false for an unknown key. */
static bool know_agent(const char *authorization)
{
    const char *key = authorization != NULL && strlen(authorization) > 7 ? authorization + 7 : "";
    bool found;

    crypto_hash_sha256(key_hash, (const unsigned char *)key, strlen(key));
    mysql_stmt_execute(find);
    found = mysql_stmt_fetch(find) == 0;
    mysql_stmt_free_result(find);
    return found;
}

static void reply(FCGX_Stream *out, const char *status, const char *p, size_t len)
{
    FCGX_FPrintF(out, "%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", status, (int)len);
    FCGX_PutStr(p, (int)len, out);
}

static bool starts(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

static bool is_kept(const char *path)
{
    return starts(path, "/v1/agent/predict/markets") || starts(path, "/v1/agent/lend/markets") ||
           starts(path, "/v1/agent/perps/markets");
}

static void respond(FCGX_Request *rq)
{
    const char *path = FCGX_GetParam("REQUEST_URI", rq->envp);
    const char *status = "";
    char input[4096];

    while (FCGX_GetStr(input, sizeof input, rq->in) > 0)
        continue;
    body_len = 0;
    if (starts(path, "/v1/agent/chains")) {
        reply(rq->out, "", chains, chains_len);
        return;
    }
    if (!know_agent(FCGX_GetParam("HTTP_AUTHORIZATION", rq->envp)))
        status = "Status: 401 Unauthorized\r\n";
    else if (!count_request(agent.id))
        status = "Status: 429 Too Many Requests\r\n";
    else if (starts(path, "/v1/agent/me"))
        put_me();
    else if (starts(path, "/v1/agent/swaps"))
        put_page(FCGX_GetParam("QUERY_STRING", rq->envp), "swaps", page, put_swap, agent.swaps);
    else if (starts(path, "/v1/agent/predict/orders"))
        put_page(FCGX_GetParam("QUERY_STRING", rq->envp), "orders", orders, put_order, agent.orders);
    else if (starts(path, "/v1/agent/lend/operations"))
        put_page(FCGX_GetParam("QUERY_STRING", rq->envp), "operations", operations, put_operation,
                 agent.operations);
    else if (starts(path, "/v1/agent/perps/orders"))
        put_page(FCGX_GetParam("QUERY_STRING", rq->envp), "orders", perps, put_perps_order, agent.perps);
    else if (is_kept(path) ? !put_kept(path) : !starts(path, "/v1/agent/quote") || !make_quote())
        status = "Status: 500 Failed\r\n";
    if (*status != '\0')
        put("{\"success\":false,\"error\":\"Refused\"}");
    reply(rq->out, status, body, body_len);
}

/* ---- Processes ---- */

static void serve(int listener, char **argv)
{
    FCGX_Request rq;

    prctl(PR_SET_PDEATHSIG, SIGTERM);
    connect_db(argv[3], argv[4]);
    calls_begin(argv[5]);
    FCGX_InitRequest(&rq, listener, 0);
    while (FCGX_Accept_r(&rq) == 0) {
        respond(&rq);
        FCGX_Finish_r(&rq);
    }
}

static void read_chains(const char *path)
{
    FILE *f = fopen(path, "r");

    if (f == NULL)
        die(path, "cannot be read");
    chains_len = fread(chains, 1, sizeof chains, f);
    fclose(f);
}

int main(int argc, char **argv)
{
    int listener;

    if (argc != 7)
        die("usage", "ideal SOCKET PROCESSES DB_SOCKET SCHEMA CALLS_FILE CHAINS_FILE");
    read_chains(argv[6]);
    usage = mmap(NULL, AGENTS_MAX * sizeof *usage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (usage == MAP_FAILED)
        die("memory", "cannot be shared");
    if (sodium_init() < 0 || FCGX_Init() != 0)
        die("start", "a library failed");
    mysql_library_init(0, NULL, NULL);
    listener = FCGX_OpenSocket(argv[1], BACKLOG);
    if (listener < 0)
        die(argv[1], "cannot be listened on");
    for (int n = atoi(argv[2]); n > 0; n--) {
        if (fork() == 0) {
            serve(listener, argv);
            _exit(0);
        }
    }
    while (wait(NULL) > 0)
        continue;
    return 1;
}
