#include "base/test.h"
#define node_ask_two fake_ask_two
#define node_ask     fake_ask
#define nodes_count  fake_count
#include "chain/rpc/node.h"

#define node_ask_all fake_ask_all
static void fake_ask_all(const struct ctx *ctx, struct node_query *q, unsigned n, unsigned deadline_ms,
                         struct arena *a);

#include "exec/evm/evm_poll.c"
#include "exec/opinion.c"

#include <unistd.h>

#include "chain/evm/evm_rpc_class.h"

enum { HEAD = 100, CONFIRM = 2, SETTLE = 10, NONCE = 5 };

/* If the node reports the final block, that decides, for any number of blocks. */
static void finalized_blocks_are_settled(void)
{
    static const struct {
        uint64_t finalized, block;
        bool settled;
    } rows[] = {
        { 50, 50, true },
        { 50, 51, false },
        { 50, HEAD - SETTLE + 1, false },
        { HEAD, HEAD, true },
        { HEAD, HEAD + 1, false },
        { 50, 0, false },
        { 0, HEAD - SETTLE + 1, true }, /* not told */
        { 0, HEAD - SETTLE + 2, false },
        { 0, 0, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct head h = { .block = HEAD, .settle = SETTLE, .finalized = rows[i].finalized };

        CHECK(block_is_settled(&h, rows[i].block) == rows[i].settled);
    }
}

/* By the depth of their blocks; one that the node does not know yet has none. */
static void depth_confirms_and_settles(void)
{
    static const struct {
        uint64_t block;
        bool confirmed, settled;
    } rows[] = {
        { 0, false, false },
        { 1, true, true },
        { HEAD - SETTLE + 1, true, true },
        { HEAD - SETTLE + 2, true, false },
        { HEAD - 1, true, false },
        { HEAD, false, false },
        { HEAD + 1, false, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct transaction tx = { .has_nonce = true, .nonce = NONCE };
        struct observation observation;
        struct receipt receipt = { .block = rows[i].block, .succeeded = true };
        struct evm_seen seen = { .head = { .block = HEAD, .confirm = CONFIRM, .settle = SETTLE },
                                 .nonces = NONCE + 1,
                                 .receipts = &receipt };
        struct tracked w = { .txs = &tx, .observations = &observation, .count = 1, .seen = &seen };

        observations_set(&w);
        CHECK(observation.block == rows[i].block && observation.succeeded);
        CHECK(observation.confirmed == rows[i].confirmed && observation.settled == rows[i].settled);
        CHECK(observation.taken == (rows[i].block == 0) && !observation.foreign);
        seen.nonces = NONCE;
        observations_set(&w);
        CHECK(!observation.taken);
    }
}

static struct conf *conf_of(const char *text)
{
    char path[] = "/tmp/test_look.XXXXXX";
    int fd = mkstemp(path);
    struct conf *c;

    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
    c = conf_load(path);
    CHECK(unlink(path) == 0);
    return c;
}

/* The tag is asked where chains.c knows it, unless the operator has set a depth. */
static void finalized_is_asked_where_the_tag_is_trusted(void)
{
    static const struct {
        const char *conf, *chain;
        bool asked;
    } rows[] = {
        { "", "ethereum", true },
        { "settle_depth.base = 5\n", "ethereum", true },
        { "settle_depth.ethereum =\n", "ethereum", true },
        { "settle_depth.ethereum = 5\n", "ethereum", false },
        { "", "polygon", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct conf *conf = conf_of(rows[i].conf);
        struct ctx ctx = { .conf = conf };
        const struct chain_batch s = { .chain = chain_find(rows[i].chain) };
        struct evm_poll l = { .at_fees = 0 };

        poll_ask(&ctx, NULL, &l, &s);
        CHECK((l.at_head.finalized != 0) == rows[i].asked);
        CHECK(l.batch.count == (rows[i].asked ? 3 : 2));
        CHECK((strstr(l.body.data, "\"eth_getBlockByNumber\",\"params\":[\"finalized\",false]") != NULL) ==
              rows[i].asked);
        buf_free(&l.body);
        conf_free(conf);
    }
}

/* A wallet's nonce is asked for once, for any number of its executions. */
static void a_wallet_is_asked_about_once(void)
{
    enum { N = 4 };
    static const struct {
        uint64_t wallet;
        unsigned at_nonces, at_receipts;
    } rows[N] = { { 7, 2, 3 }, { 8, 4, 5 }, { 7, 2, 6 }, { 8, 4, 7 } };
    struct conf *conf = conf_of("settle_depth.ethereum = 5\n");
    struct ctx ctx = { .conf = conf };
    struct arena *a = arena_new();
    struct transaction tx = { .nonce = NONCE };
    struct evm_seen seen[N];
    struct tracked w[N];
    const struct chain_batch s = { .chain = chain_find("ethereum"), .w = w, .count = N };
    struct evm_poll l = { .at_fees = 0 };

    for (unsigned i = 0; i < N; i++)
        w[i] = (struct tracked){ .txs = &tx, .count = 1, .wallet.id = rows[i].wallet, .seen = &seen[i] };
    poll_ask(&ctx, a, &l, &s);
    for (unsigned i = 0; i < N; i++)
        CHECK(seen[i].at_nonces == rows[i].at_nonces && seen[i].at_receipts == rows[i].at_receipts);
    CHECK(l.batch.count == 8);
    buf_free(&l.body);
    arena_free(a);
    conf_free(conf);
}

/* A missing or impossible final block leaves the other answers valid. */
static void finalized_answers_are_checked(void)
{
    static const struct {
        const char *answer;
        uint64_t finalized;
    } rows[] = {
        { "\"result\":{\"number\":\"0x32\"}", 50 },
        { "\"result\":{\"number\":\"0x64\"}", HEAD },
        { "\"result\":{\"number\":\"0x65\"}", 0 }, /* above its head */
        { "\"result\":{\"number\":\"0xffffffffffffffff\"}", 0 },
        { "\"result\":{\"number\":\"0x0\"}", 0 },
        { "\"result\":{\"number\":50}", 0 },
        { "\"result\":{}", 0 },
        { "\"result\":\"0x32\"", 0 },
        { "\"result\":null", 0 },
        { "\"error\":{\"code\":-39001,\"message\":\"finalized block not found\"}", 0 },
        { "\"error\":{\"code\":-32602,\"message\":\"invalid block tag\"}", 0 },
    };
    struct conf *conf = conf_of("");
    struct ctx ctx = { .conf = conf };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *a = arena_new();
        struct buf body = BUF_INIT(4096);
        struct evm_seen seen = { .at_nonces = 3 };
        struct tracked w = { .seen = &seen };
        const struct chain_batch s = { .chain = chain_find("gnosis"), .w = &w, .count = 1 };
        struct evm_poll l = { .at_head.finalized = 2, .at_fees = 1 };

        buf_addf(
            &body,
            "[{\"id\":0,\"result\":\"0x64\"},{\"id\":1,\"result\":{\"baseFeePerGas\":[\"0x7\"],\"reward\":[]}},{\"id\":2,%s},{\"id\":3,\"result\":\"0x6\"}]",
            rows[i].answer);
        CHECK(rpc_read(&l.query.answers, a, &body, 4, evm_classify));
        poll_read(&ctx, &s, &l);
        CHECK(w.known && seen.head.block == HEAD && seen.head.settle == 64);
        CHECK(seen.head.finalized == rows[i].finalized);
        rpc_answers_free(&l.query.answers);
        buf_free(&body);
        arena_free(a);
    }
    conf_free(conf);
}

/* An error about one of them makes nothing known: nothing may be concluded from it. */
static void only_whole_answers_count(void)
{
    static const struct {
        const char *count, *receipt;
        bool known;
    } rows[] = {
        { "\"result\":\"0x6\"", "\"result\":null", true },
        { "\"result\":\"0x6\"", "\"result\":{\"blockNumber\":\"0x63\",\"status\":\"0x1\"}", true },
        { "\"result\":\"0x6\"", "\"error\":{\"code\":-32000,\"message\":\"header not found\"}", false },
        { "\"result\":\"0x6\"", "\"result\":{\"blockNumber\":\"0x63\"}", false },
        { "\"result\":\"0x6\"", "\"result\":\"0x\"", false },
        { "\"result\":null", "\"result\":null", false },
        { "\"error\":{\"code\":1}", "\"result\":null", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *a = arena_new();
        struct buf body = BUF_INIT(4096);
        struct rpc_answers answers;
        struct transaction tx = { .has_nonce = true, .nonce = NONCE };
        struct receipt receipt;
        struct evm_seen seen = { .at_receipts = 1, .head = { .block = HEAD }, .receipts = &receipt };
        struct tracked w = { .txs = &tx, .count = 1, .seen = &seen };

        buf_addf(&body, "[{\"id\":1,%s},{\"id\":0,%s}]", rows[i].receipt, rows[i].count);
        CHECK(rpc_read(&answers, a, &body, 2, evm_classify));
        tracked_read(&w, &answers);
        CHECK(w.known == rows[i].known);
        CHECK(!rows[i].known || seen.nonces == 6);
        rpc_answers_free(&answers);
        buf_free(&body);
        arena_free(a);
    }
}

/* ---- two nodes ---- */

static const char *first_says; /* NULL: nothing */

static void fake_ask_all(const struct ctx *ctx, struct node_query *q, unsigned n, unsigned deadline_ms,
                         struct arena *a)
{
    struct buf body = BUF_INIT(4096);

    (void)ctx;
    CHECK(n == 1 && deadline_ms > 0 && q->order == NODE_AS_CONFIGURED);
    q->answered = first_says != NULL;
    if (!q->answered)
        return;
    buf_addf(&body, "[{\"id\":0,\"result\":\"0x64\"},{\"id\":1,%s}]", first_says);
    CHECK(rpc_read(&q->answers, a, &body, 2, evm_classify));
    buf_free(&body);
}

#define RECEIPT(block, status) "\"result\":{\"blockNumber\":\"" block "\",\"status\":\"" status "\"}"

/* A second node's evidence against an execution, in block 90, counts only if the first one shows it too. */
static void failures_need_two_nodes(void)
{
    static const struct {
        const char *first;
        bool disputed;
    } rows[] = {
        { RECEIPT("0x5a", "0x0"), false },       { RECEIPT("0x5a", "0x1"), true },
        { RECEIPT("0x5b", "0x0"), true },        { "\"result\":null", true },
        { "\"error\":{\"code\":-32000}", true }, { NULL, true },
    };
    struct conf *conf = conf_of("settle_depth.ethereum = 10\n");
    struct ctx ctx = { .conf = conf };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *a = arena_new();
        struct transaction tx = { .has_nonce = true, .nonce = NONCE };
        struct observation observation = { .block = 90, .confirmed = true, .settled = true };
        struct evm_seen seen = { .at_receipts = 1 };
        struct tracked w = {
            .txs = &tx, .observations = &observation, .count = 1, .seen = &seen, .known = true
        };
        const struct chain_batch s = {
            .chain = chain_find("ethereum"), .doubted = true, .w = &w, .count = 1
        };
        const struct evm_poll l = { .at_fees = 0 };

        first_says = rows[i].first;
        CHECK(any_speaks_against(&s));
        first_node_compare(&ctx, a, &s, &l);
        CHECK(observation.disputed == rows[i].disputed && observation.settled == !rows[i].disputed);
        CHECK(observation.confirmed == !rows[i].disputed);
        arena_free(a);
    }
    conf_free(conf);
}

/* Only that costs a second question. */
static void only_evidence_of_failure_costs_a_second_question(void)
{
    static const struct {
        enum tx_kind kind;
        uint64_t block;
        bool succeeded, against;
    } rows[] = { { TX_SPEND, 90, true, false },
                 { TX_SPEND, 90, false, true },
                 { TX_SPEND, 0, false, false },
                 { TX_CANCEL, 90, true, true },
                 { TX_CANCEL, 0, true, false } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct transaction tx = { .kind = rows[i].kind };
        struct observation observation = { .block = rows[i].block, .succeeded = rows[i].succeeded };
        struct tracked w = { .txs = &tx, .observations = &observation, .count = 1, .known = true };
        const struct chain_batch s = { .w = &w, .count = 1 };

        CHECK(any_speaks_against(&s) == rows[i].against);
    }
}

static size_t node_count;
static const char *second_says;

size_t fake_count(const struct nodes *n, const struct chain *c)
{
    CHECK(n == NULL && c != NULL);
    return node_count;
}

static bool receipt_answer(struct rpc_answers *out, struct arena *a, const char *says)
{
    struct buf body = BUF_INIT(4096);

    if (says == NULL)
        return false;
    buf_addf(&body, "[{\"id\":0,%s}]", says);
    CHECK(rpc_read(out, a, &body, 1, evm_classify));
    buf_free(&body);
    return true;
}

bool fake_ask(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
              unsigned deadline_ms, struct arena *a, struct rpc_answers *out)
{
    (void)ctx, (void)c, (void)deadline_ms;
    CHECK(node_count == 1 && batch->count == 1);
    return receipt_answer(out, a, first_says);
}

size_t fake_ask_two(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
                    unsigned deadline_ms, struct arena *a, struct rpc_answers out[static NODE_OPINIONS])
{
    size_t n;

    (void)ctx, (void)c, (void)deadline_ms;
    CHECK(node_count == 2 && batch->count == 1);
    n = receipt_answer(&out[0], a, first_says);
    return n + receipt_answer(&out[n], a, second_says);
}

/* Inclusion that frees a reservation has to be shown by both nodes, where there are two. */
static void inclusion_that_frees_a_reservation_needs_two_nodes(void)
{
    static const struct {
        size_t nodes;
        const char *first, *second;
        uint64_t block;
    } rows[] = {
        { 1, RECEIPT("0x5a", "0x1"), NULL, 90 },
        { 1, "\"result\":null", NULL, 0 },
        { 1, "\"error\":{\"code\":-32000}", NULL, 0 },
        { 1, NULL, NULL, 0 },
        { 2, RECEIPT("0x5a", "0x1"), RECEIPT("0x5a", "0x1"), 90 },
        { 2, RECEIPT("0x5a", "0x1"), RECEIPT("0x5b", "0x1"), 91 },
        { 2, RECEIPT("0x5b", "0x1"), RECEIPT("0x5a", "0x1"), 91 },
        { 2, RECEIPT("0x5a", "0x1"), "\"result\":null", 0 },
        { 2, "\"result\":null", RECEIPT("0x5a", "0x1"), 0 },
        { 2, RECEIPT("0x5a", "0x1"), NULL, 0 },
        { 2, NULL, RECEIPT("0x5a", "0x1"), 0 },
    };
    const struct ctx ctx = { .conf = NULL };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *a = arena_new();
        struct unplaced tx = { .id = 1 };
        struct unplaced_list list = { .list = &tx, .count = 1 };

        node_count = rows[i].nodes;
        first_says = rows[i].first;
        second_says = rows[i].second;
        evm_place(&ctx, a, chain_find("ethereum"), &list);
        CHECK(tx.block == rows[i].block);
        arena_free(a);
    }
}

TEST_MAIN(TEST(inclusion_that_frees_a_reservation_needs_two_nodes), TEST(failures_need_two_nodes),
          TEST(only_evidence_of_failure_costs_a_second_question), TEST(only_whole_answers_count),
          TEST(depth_confirms_and_settles), TEST(finalized_blocks_are_settled),
          TEST(finalized_is_asked_where_the_tag_is_trusted), TEST(a_wallet_is_asked_about_once),
          TEST(finalized_answers_are_checked))
