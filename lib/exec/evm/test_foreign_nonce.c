#include "base/test.h"
#include "chain/rpc/node.h"
#include "store/transactions.h"

#define transactions_hash_known fake_hash_known
#define node_ask_all            fake_ask_all
static enum lookup fake_hash_known(struct db *db, const struct tx_hash *hash);
static void fake_ask_all(const struct ctx *ctx, struct node_query *q, unsigned n, unsigned deadline_ms,
                         struct arena *a);

#include "exec/evm/foreign_nonce.c"

#include <unistd.h>

#include "chain/evm/evm_rpc_class.h"

#define ME                    "0x1111111111111111111111111111111111111111"
#define OTHER                 "0x2222222222222222222222222222222222222222"
#define HASH                  "0xabababababababababababababababababababababababababababababababab"
#define TX(from, nonce, hash) "{\"from\":\"" from "\",\"nonce\":\"" nonce "\",\"hash\":\"" hash "\"}"
#define BLOCK(number, txs)    "{\"number\":\"" number "\",\"transactions\":[" txs "]}"

enum { NONCE = 7, NUMBER = 100 };

static void blocks_show_who_used_a_nonce(void)
{
    static const struct {
        const char *block;
        enum block_shows want;
    } rows[] = {
        { BLOCK("0x64", TX(OTHER, "0x7", HASH) "," TX(ME, "0x7", HASH)), SHOWS_IT },
        { BLOCK("0x64", TX(OTHER, "0x7", HASH) "," TX(ME, "0x6", HASH)), SHOWS_OTHERS },
        { BLOCK("0x64", ""), SHOWS_OTHERS },
        { BLOCK("0x65", TX(ME, "0x7", HASH)), SHOWS_NOTHING }, /* another block than was asked for */
        { "{\"number\":\"0x64\"}", SHOWS_NOTHING },
        { "null", SHOWS_NOTHING },
        { "[]", SHOWS_NOTHING },
    };
    struct evm_addr me;

    CHECK(evm_addr_parse(&me, ME));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *block = json_loads(rows[i].block, JSON_DECODE_ANY, NULL);
        struct taken_nonce n = { .nonce = NONCE };

        CHECK(block_read(&n, block, me, NUMBER) == rows[i].want);
        CHECK(rows[i].want != SHOWS_IT || (n.hash[0] == 0xab && n.hash[31] == 0xab));
        json_decref(block);
    }
}

/* From the newest block each time, and twice as far down. */
static void searches_begin_anew(void)
{
    struct evm_seen seen = { .head = { .block = 1000 } };
    struct tracked w = { .seen = &seen };
    struct taken_nonce n = { .found = true };

    search_restart(&n, &w);
    CHECK(n.top == 1000 && n.block == 1000 && n.span == SPAN_FIRST && !n.found);
    seen.head.block = 1010;
    search_restart(&n, &w);
    CHECK(n.top == 1010 && n.block == 1010 && n.span == 2 * SPAN_FIRST);
    n.span = SPAN_MAX;
    search_restart(&n, &w);
    CHECK(n.span == SPAN_MAX);
}

static enum lookup stored;

static enum lookup fake_hash_known(struct db *db, const struct tx_hash *hash)
{
    CHECK(db == NULL && hash->len == HASH_LEN && hash->bytes[0] == 0xab);
    return stored;
}

/* The database decides, not what was read of it before; while it is away nothing does. */
static void stored_hashes_are_ours(void)
{
    static const uint8_t hash[HASH_LEN] = { 0xab };

    stored = LOOKUP_FOUND;
    CHECK(!hash_is_foreign(NULL, hash));
    stored = LOOKUP_ERROR;
    CHECK(!hash_is_foreign(NULL, hash));
    stored = LOOKUP_NONE;
    CHECK(hash_is_foreign(NULL, hash));
}

static unsigned second_head;

static void fake_ask_all(const struct ctx *ctx, struct node_query *q, unsigned n, unsigned deadline_ms,
                         struct arena *a)
{
    struct buf body = BUF_INIT(4096);

    (void)ctx;
    CHECK(n == 1 && deadline_ms > 0 && q->order == NODE_SECOND_OPINION);
    buf_addf(&body, "[{\"id\":0,\"result\":%s},{\"id\":1,\"result\":\"0x%x\"}]",
             BLOCK("0x64", TX(ME, "0x7", HASH)), second_head);
    q->answered = rpc_read(&q->answers, a, &body, 2, evm_classify);
    CHECK(q->answered);
    buf_free(&body);
}

/* A node that lags may be on a branch that others have left: its own head says how deep its block is. */
static void the_second_node_counts_for_itself(void)
{
    static const struct {
        unsigned head;
        enum block_shows want;
    } rows[] = { { NUMBER, SHOWS_NOTHING }, { NUMBER + 3, SHOWS_NOTHING }, { NUMBER + 4, SHOWS_IT } };
    char path[] = "/tmp/test_foreign.XXXXXX";
    static const char text[] = "settle_depth.ethereum = 5\n";
    struct taken_nonce n = { .nonce = NONCE, .block = NUMBER };
    struct evm_addr me;
    int fd = mkstemp(path);
    struct ctx ctx = { .db = NULL };
    struct tracked w = { .chain = chain_find("ethereum") };
    struct conf *conf;

    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
    ctx.conf = conf = conf_load(path);
    CHECK(unlink(path) == 0 && evm_addr_parse(&me, ME));
    memset(n.hash, 0xab, sizeof n.hash);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *a = arena_new();

        second_head = rows[i].head;
        CHECK(search_confirm(&ctx, a, &w, &n, me) == rows[i].want);
        arena_free(a);
    }
    conf_free(conf);
}

static void foreign_nonces_are_marked(void)
{
    struct transaction txs[] = { { .nonce = 6, .hash = { { 1 }, 32 } },
                                 { .nonce = 7, .hash = { { 2 }, 32 } } };
    struct observation observations[2] = { { .block = 0 } };
    struct tracked w = { .txs = txs, .observations = observations, .count = 2, .spend = 1 };

    nonce_mark_foreign(&w, 6);
    CHECK(observations[0].foreign && !observations[1].foreign);
    nonce_mark_foreign(&w, 7);
    CHECK(observations[1].foreign);
}

/* A receipt that is there, or a count that has not come so far, leaves nothing to look for. */
static void nothing_is_taken(void)
{
    static const struct ctx nothing = { .conf = NULL };
    struct transaction txs[] = { { .has_nonce = true, .nonce = 6 }, { .has_nonce = true, .nonce = 7 } };
    struct observation observations[2] = { { .block = 50 }, { .block = 0 } };
    struct evm_seen seen = { .nonces = 7 };
    struct tracked w = { .txs = txs, .observations = observations, .count = 2, .seen = &seen };

    CHECK(!nonce_taken(&w, 6) && !nonce_taken(&w, 7));
    evm_poll_closely(&nothing, NULL, &w);
    seen.nonces = 8;
    CHECK(nonce_taken(&w, 7));
}

TEST_MAIN(TEST(blocks_show_who_used_a_nonce), TEST(searches_begin_anew), TEST(foreign_nonces_are_marked),
          TEST(stored_hashes_are_ours), TEST(the_second_node_counts_for_itself), TEST(nothing_is_taken))
