#include "base/test.h"
#include "exec/evm/evm_payments.c"

#include "chain/evm/evm_rpc_class.h"

#define ME    "0x1111111111111111111111111111111111111111"
#define OTHER "0x2222222222222222222222222222222222222222"
#define TOKEN "0x3333333333333333333333333333333333333333"
#define RIVAL "0x4444444444444444444444444444444444444444"
#define PAD   "0x000000000000000000000000"
#define ONES  "1111111111111111111111111111111111111111"
#define TWOS  "2222222222222222222222222222222222222222"
#define MOVED "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
#define WORD  "0x000000000000000000000000000000000000000000000000000000000000000"

#define LOG(token, from, to, amount, index)                                                                  \
    "{\"address\":\"" token "\",\"topics\":[\"" MOVED "\",\"" PAD from "\",\"" PAD to                        \
    "\"],\"data\":\"" WORD amount "\",\"logIndex\":\"" index "\"}"
#define RECEIPT(block, status, logs)                                                                         \
    "{\"blockNumber\":\"" block "\",\"status\":\"" status "\",\"logs\":[" logs "]}"
#define TX(to, value) "{\"to\":\"" to "\",\"value\":\"" value "\"}"

static const struct head head = { .block = 100, .confirm = 2, .settle = 10 };

static struct arena *a;

/* Reads a receipt and its transaction as a node has answered them. */
static bool payment_answered(struct payment *p, const char *receipt, const char *tx)
{
    struct buf body = BUF_INIT(MAX_TX);
    struct rpc_answers as;
    bool told;

    buf_addf(&body, "[{\"id\":0,%s%s},{\"id\":1,\"result\":%s}]",
             strncmp(receipt, "\"error\"", 7) == 0 ? "" : "\"result\":", receipt, tx);
    CHECK(rpc_read(&as, a, &body, 2, evm_classify));
    told = payment_read(p, a, &head, as.items);
    rpc_answers_free(&as);
    buf_free(&body);
    return told;
}

static bool amount_is(struct u256 v, uint64_t want)
{
    return u256_cmp(v, u256_from_u64(want)) == 0;
}

/* To the recipient, of fungible tokens, by whichever contract; what leaves it at the same time is not paid.
 */
static void tokens_that_arrive(void)
{
    static const struct {
        const char *receipt;
        bool known;
        unsigned count;
        uint64_t amount; /* of the first */
    } rows[] = {
        { RECEIPT("0x63", "0x1", LOG(TOKEN, TWOS, ONES, "7", "0x4")), true, 1, 7 },
        { RECEIPT("0x63", "0x1", LOG(TOKEN, TWOS, ONES, "7", "0x4") "," LOG(RIVAL, TWOS, ONES, "9", "0x5")),
          true, 2, 7 },
        { RECEIPT("0x63", "0x1", LOG(TOKEN, TWOS, TWOS, "7", "0x4")), true, 0, 0 },
        { RECEIPT("0x63", "0x1", LOG(TOKEN, ONES, ONES, "7", "0x4")), true, 0, 0 },
        { RECEIPT("0x63", "0x1", LOG(TOKEN, TWOS, ONES, "7", "0x4") "," LOG(TOKEN, ONES, TWOS, "7", "0x5")),
          true, 0, 0 },
        { RECEIPT("0x63", "0x1", LOG(TOKEN, TWOS, ONES, "7", "0x4") "," LOG(RIVAL, ONES, TWOS, "7", "0x5")),
          true, 1, 7 },
        /* net: what leaves comes off, and a transfer of nothing hides nothing */
        { RECEIPT("0x63", "0x1", LOG(TOKEN, TWOS, ONES, "7", "0x4") "," LOG(TOKEN, ONES, TWOS, "0", "0x5")),
          true, 1, 7 },
        { RECEIPT("0x63", "0x1", LOG(TOKEN, ONES, TWOS, "0", "0x3") "," LOG(TOKEN, TWOS, ONES, "7", "0x4")),
          true, 1, 7 },
        { RECEIPT("0x63", "0x1", LOG(TOKEN, TWOS, ONES, "7", "0x4") "," LOG(TOKEN, ONES, TWOS, "2", "0x5")),
          true, 1, 5 },
        { RECEIPT("0x63", "0x1", LOG(TOKEN, ONES, TWOS, "8", "0x3") "," LOG(TOKEN, TWOS, ONES, "7", "0x4")),
          true, 0, 0 },
        { RECEIPT("0x63", "0x1",
                  LOG(TOKEN, TWOS, ONES, "3", "0x5") "," LOG(TOKEN, TWOS, ONES, "4",
                                                             "0x4") "," LOG(TOKEN, ONES, TWOS, "5", "0x6")),
          true, 1, 2 },
        { RECEIPT("0x63", "0x1", LOG(TOKEN, TWOS, ONES, "0", "0x4")), true, 0, 0 },
        { RECEIPT("0x63", "0x0", ""), true, 0, 0 },
        { RECEIPT("0x63", "0x1", "7,\"x\",{}"), true, 0, 0 },
        { RECEIPT("0x63", "0x1", LOG("token", TWOS, ONES, "7", "0x4")), true, 0, 0 },
        { RECEIPT("0x63", "0x1", LOG(TOKEN, TWOS, ONES, "7", "0xffffffffff")), true, 0, 0 },
        { "null", true, 0, 0 },
        { "{}", false, 0, 0 },
        { "\"error\":{\"code\":-32000,\"message\":\"no\"}", false, 0, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct payment p = { .recipient = ME };

        CHECK(payment_answered(&p, rows[i].receipt, TX(OTHER, "0x5")) && !p.amount_unknown);
        if (p.known != rows[i].known || p.count != rows[i].count)
            fprintf(stderr, "row %zu: %u\n", i, p.count);
        CHECK(p.known == rows[i].known && p.count == rows[i].count);
        CHECK(p.count == 0 ||
              (amount_is(p.arrivals[0].amount, rows[i].amount) && p.arrivals[0].log_index == 4));
    }
}

static void depth_confirms_and_settles_payments(void)
{
    static const struct {
        const char *receipt;
        uint64_t seen_block;
        bool known, confirmed, settled;
    } rows[] = {
        { RECEIPT("0x64", "0x1", ""), 0, true, false, false },
        { RECEIPT("0x63", "0x1", ""), 0, true, true, false },
        { RECEIPT("0x5b", "0x1", ""), 0, true, true, true },
        { RECEIPT("0x65", "0x1", ""), 0, true, false, false }, /* above its head */
        { "null", 100, true, false, false },
        { "null", 101, false, false, false }, /* a node behind the block that has shown it */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct payment p = { .recipient = ME, .seen_block = rows[i].seen_block };

        CHECK(payment_answered(&p, rows[i].receipt, "null") && p.known == rows[i].known);
        CHECK(p.confirmed == rows[i].confirmed && p.settled == rows[i].settled);
    }
}

/* Its own value, or else what the balance tells. */
static void coin_that_arrives(void)
{
    static const struct {
        const char *tx;
        bool told;
        unsigned count;
    } rows[] = {
        { TX(ME, "0x5"), true, 1 },     { TX(ME, "0x0"), true, 0 },
        { TX(OTHER, "0x5"), false, 0 }, { "{\"to\":null,\"value\":\"0x5\"}", false, 0 },
        { "null", false, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct payment p = { .recipient = ME, .coin = true };

        CHECK(payment_answered(&p, RECEIPT("0x63", "0x1", ""), rows[i].tx) == rows[i].told);
        CHECK(p.count == rows[i].count && p.amount_unknown == !rows[i].told);
        CHECK(p.count == 0 || (p.arrivals->log_index == ARRIVAL_COIN && !p.arrivals->of_block &&
                               amount_is(p.arrivals->amount, 5)));
    }
}

/* A transaction of the recipient itself, or a block that the node has forgotten, makes the amount unknown. */
static void balances_show_incoming_coin(void)
{
    static const struct {
        const char *now, *before, *count, *count_before;
        bool amount_unknown;
        uint64_t came;
    } rows[] = {
        { "\"result\":\"0x64\"", "\"result\":\"0x60\"", "\"result\":\"0x7\"", "\"result\":\"0x7\"", false,
          4 },
        { "\"result\":\"0x60\"", "\"result\":\"0x60\"", "\"result\":\"0x7\"", "\"result\":\"0x7\"", false,
          0 },
        { "\"result\":\"0x50\"", "\"result\":\"0x60\"", "\"result\":\"0x7\"", "\"result\":\"0x7\"", false,
          0 },
        { "\"result\":\"0x64\"", "\"result\":\"0x60\"", "\"result\":\"0x8\"", "\"result\":\"0x7\"", true, 0 },
        { "\"result\":\"0x64\"", "\"error\":{\"code\":-32000,\"message\":\"missing trie node\"}",
          "\"result\":\"0x7\"", "\"result\":\"0x7\"", true, 0 },
        { "\"result\":\"0x64\"", "\"result\":\"0x60\"", "\"result\":null", "\"result\":\"0x7\"", true, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct payment p = { .recipient = ME, .coin = true, .amount_unknown = true };
        struct buf body = BUF_INIT(4096);
        struct rpc_answers as;

        buf_addf(&body, "[{\"id\":0,%s},{\"id\":1,%s},{\"id\":2,%s},{\"id\":3,%s}]", rows[i].now,
                 rows[i].before, rows[i].count, rows[i].count_before);
        CHECK(rpc_read(&as, a, &body, COINS_QUESTIONS, evm_classify));
        balances_read(&p, a, as.items);
        CHECK(p.amount_unknown == rows[i].amount_unknown && p.count == (rows[i].came != 0));
        CHECK(p.count == 0 || (p.arrivals->of_block && amount_is(p.arrivals->amount, rows[i].came)));
        rpc_answers_free(&as);
        buf_free(&body);
    }
}

static void payments_test_start(void)
{
    a = arena_new();
}

static void payments_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(payments_test_start), TEST(tokens_that_arrive), TEST(depth_confirms_and_settles_payments),
          TEST(coin_that_arrives), TEST(balances_show_incoming_coin), TEST(payments_test_end))
