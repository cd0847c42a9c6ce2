#include "base/test.h"
#include "exec/evm/fees.c"

#include <unistd.h>

#include "chain/evm/evm_rpc_class.h"
#include "codec/test_liar.h"

static struct arena *a;
static struct conf conf; /* nothing set: the chains' own bounds */
static struct ctx ctx = { .conf = &conf };

/* The fees that follow from a node's answer: "max/priority", "legacy max", or "none". */
static const char *fees_of(const char *chain, const char *answer)
{
    struct buf body = BUF_INIT(8192);
    struct rpc_answers answers;
    struct fees f;
    char max[U256_DECIMAL_LEN + 1], tip[U256_DECIMAL_LEN + 1];
    const char *text = "none";

    buf_addf(&body, "[{\"jsonrpc\":\"2.0\",\"id\":0,%s}]", answer);
    CHECK(rpc_read(&answers, a, &body, 1, evm_classify));
    if (fees_read(&f, &ctx, chain_find(chain), &answers.items[0])) {
        u256_decimal(max, f.max_fee);
        u256_decimal(tip, f.priority_fee);
        text = f.legacy ? arena_printf(a, "legacy %s", max) : arena_printf(a, "%s/%s", max, tip);
    }
    rpc_answers_free(&answers);
    buf_free(&body);
    return text;
}

#define HISTORY(base, reward)                                                                                \
    "\"result\":{\"oldestBlock\":\"0x1\",\"baseFeePerGas\":" base ",\"reward\":" reward "}"
#define ONE_GWEI  "\"0x3b9aca00\""
#define TWO_GWEI  "\"0x77359400\""
#define FIVE_GWEI "\"0x12a05f200\""

/* Twice the next block's base fee, which stands last, and the median tip within the chain's bounds. */
static void fees_from_the_history(void)
{
    static const struct {
        const char *chain, *answer, *want;
    } rows[] = {
        { "ethereum", HISTORY("[\"0x1\"," ONE_GWEI "]", "[[" ONE_GWEI "]]"), "3000000000/1000000000" },
        { "ethereum", HISTORY("[" ONE_GWEI "]", "[[" ONE_GWEI "],[" TWO_GWEI "],[\"0x989680\"]]"),
          "3000000000/1000000000" },
        { "ethereum", HISTORY("[" ONE_GWEI "]", "[[" FIVE_GWEI "]]"), "5000000000/3000000000" }, /* capped */
        { "ethereum", HISTORY("[" ONE_GWEI "]", "[[\"0x0\"]]"), "2010000000/10000000" },         /* raised */
        { "ethereum", HISTORY("[" ONE_GWEI "]", "[]"), "2010000000/10000000" },
        { "ethereum", HISTORY("[" ONE_GWEI "]", "null"), "2010000000/10000000" },
        { "ethereum", HISTORY("[" ONE_GWEI "]", "[[],[null],[7],[\"x\"],{}," ONE_GWEI "]"),
          "2010000000/10000000" },
        { "ethereum", HISTORY("[" ONE_GWEI "]", "[[],[" TWO_GWEI "]]"), "4000000000/2000000000" },
        { "polygon", HISTORY("[" ONE_GWEI "]", "[[" ONE_GWEI "]]"), "32000000000/30000000000" },
        { "arbitrum", HISTORY("[" ONE_GWEI "]", "[[" ONE_GWEI "]]"), "2000000000/0" },
        { "base", HISTORY("[\"0xf4240\"]", "[[\"0x0\"]]"), "3000000/1000000" },
        /* unreadable, or beyond all numbers */
        { "ethereum", HISTORY("[]", "[[" ONE_GWEI "]]"), "none" },
        { "ethereum", HISTORY("null", "[[" ONE_GWEI "]]"), "none" },
        { "ethereum", HISTORY("[null]", "[[" ONE_GWEI "]]"), "none" },
        { "ethereum", HISTORY("[1]", "[[" ONE_GWEI "]]"), "none" },
        { "ethereum", HISTORY("[\"ten\"]", "[[" ONE_GWEI "]]"), "none" },
        { "ethereum",
          HISTORY("[\"0x8000000000000000000000000000000000000000000000000000000000000000\"]", "[]"), "none" },
        { "ethereum", "\"result\":{}", "none" },
        { "ethereum", "\"result\":null", "none" },
        { "ethereum", "\"result\":\"0x1\"", "none" },
        { "ethereum", "\"error\":{\"code\":-32601,\"message\":\"the method does not exist\"}", "none" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_STR(fees_of(rows[i].chain, rows[i].answer), rows[i].want);
}

static void legacy_prices(void)
{
    CHECK_STR(fees_of("bsc", "\"result\":" ONE_GWEI), "legacy 1150000000");
    CHECK_STR(fees_of("bsc", "\"result\":\"0x7\""), "legacy 8"); /* 8.05 */
    CHECK_STR(fees_of("fantom", "\"result\":" FIVE_GWEI), "legacy 5750000000");
    CHECK_STR(fees_of("bsc", "\"result\":null"), "none");
    CHECK_STR(fees_of("bsc", "\"result\":{\"baseFeePerGas\":[\"0x1\"]}"), "none");
    CHECK_STR(fees_of("bsc", "\"error\":{\"code\":1,\"message\":\"x\"}"), "none");
    CHECK_STR(
        fees_of("bsc", "\"result\":\"0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff\""),
        "none");
}

/* A node that sends tips without end must not be believed, nor hurt. */
static void many_tips(void)
{
    struct buf answer = BUF_INIT(8192);

    buf_adds(&answer, "\"result\":{\"baseFeePerGas\":[" ONE_GWEI "],\"reward\":[[" TWO_GWEI "]");
    for (int i = 0; i < 200; i++)
        buf_adds(&answer, ",[" TWO_GWEI "]");
    buf_adds(&answer, "]}");
    CHECK_STR(fees_of("ethereum", buf_text(&answer)), "4000000000/2000000000");
    buf_free(&answer);
}

static void bounds_of_the_operators(void)
{
    static const char text[] = "tip_min.ethereum = 1500000000\ntip_max.polygon = 40000000000\n";
    char path[] = "/tmp/test_fees.XXXXXX";
    int fd = mkstemp(path);
    struct conf *own;

    CHECK(fd >= 0 && write(fd, text, sizeof text - 1) == (ssize_t)sizeof text - 1 && close(fd) == 0);
    own = conf_load(path);
    ctx.conf = own;
    CHECK_STR(fees_of("ethereum", HISTORY("[" ONE_GWEI "]", "[[\"0x1\"]]")), "3500000000/1500000000");
    CHECK_STR(fees_of("polygon", HISTORY("[" ONE_GWEI "]", "[[\"0xffffffffff\"]]")),
              "42000000000/40000000000");
    ctx.conf = &conf;
    conf_free(own);
    CHECK(unlink(path) == 0);
}

/* The final bid for "<max fee>", compared with two nodes' answers; the error's hint where there is one. */
static const char *held(const char *max_fee, const char *first, const char *second)
{
    const char *said[] = { first, second };
    struct node_query q[NODE_OPINIONS];
    struct fees f = { .legacy = true };
    char text[U256_DECIMAL_LEN + 1];
    const struct err *e;

    CHECK(u256_parse(&f.max_fee, max_fee));
    for (size_t i = 0; i < NODE_OPINIONS; i++) {
        struct buf body = BUF_INIT(8192);

        q[i] = (struct node_query){ .answered = said[i] != NULL };
        if (said[i] == NULL)
            continue;
        buf_addf(&body, "[%s]", said[i]);
        CHECK(rpc_read(&q[i].answers, a, &body, 2, evm_classify));
        buf_free(&body);
    }
    e = price_opinions_hold(&f, &ctx, a, chain_find("bsc"), q, NODE_OPINIONS);
    u256_decimal(text, f.max_fee);
    return e == NULL
               ? arena_strdup(a, text)
               : arena_printf(a, "%s: %s", text, strstr(e->hint, "disputed") != NULL ? "disputed" : "above");
}

#define OPINION(price, base, reward)                                                                         \
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":" price "},{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{"         \
    "\"baseFeePerGas\":[" base "],\"reward\":[" reward "]}}"
#define ONE      OPINION(ONE_GWEI, "\"0x0\",\"0x0\"", "[" ONE_GWEI "]")
#define FIVE     OPINION(FIVE_GWEI, "\"0x0\",\"0x0\"", "[" FIVE_GWEI "]")
#define TEN_GWEI "\"0x2540be400\""
#define OF_BLOCKS_NOTHING                                                                                    \
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":" ONE_GWEI                                                     \
    "},{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}"

/* The prices are 15 % above what is said. */
static void gas_prices_are_compared_with_another_nodes(void)
{
    CHECK_STR(held("1150000000", ONE, ONE), "1150000000");
    CHECK_STR(held("2300000000", ONE, ONE), "1150000000");
    CHECK_STR(held("1150000000", ONE, NULL), "1150000000");
    CHECK_STR(held("1150000000", NULL, NULL), "1150000000");
    CHECK_STR(held("1150000000", OF_BLOCKS_NOTHING, ONE), "1150000000");
    /* what the batch itself said counts where it is less */
    CHECK_STR(held("5750000000", ONE, ONE), "1150000000");
    CHECK_STR(held("20000000000", ONE, NULL), "1150000000");
    /* one of two is far from the other, up or down */
    CHECK_STR(held("1150000000", FIVE, ONE), "1150000000: disputed");
    CHECK_STR(held("1150000000", ONE, FIVE), "1150000000: disputed");
    CHECK_STR(held("8", ONE, ONE), "50000000: disputed"); /* below the least that nodes take nothing is bid */
    /* what blocks have paid: those without transactions say nothing */
    CHECK_STR(held("11500000000", OPINION(TEN_GWEI, "\"0x0\"", "[" TWO_GWEI "]"), NULL), "6000000000");
    CHECK_STR(held("11500000000", OPINION(TEN_GWEI, ONE_GWEI, "[" ONE_GWEI "]"), NULL), "6000000000");
    CHECK_STR(held("11500000000", OPINION(TEN_GWEI, "\"0x0\"", "[" ONE_GWEI "]"), ONE), "1150000000");
    CHECK_STR(held("11500000000", OPINION(TEN_GWEI, "\"0x0\"", "[\"0x1\"]"), NULL), "50000000");
    CHECK_STR(held("11500000000", OPINION(TEN_GWEI, ONE_GWEI, "[\"0x0\"]"), NULL), "11500000000");
    /* not an answer of the form */
    CHECK_STR(held("1150000000", OPINION("7", "", ""), OPINION("null", "7", "{}")), "1150000000");
    CHECK_STR(held("20000000000", OPINION("\"0x174876e800\"", "", ""), NULL), "20000000000: above");
    CHECK_STR(held("20000000000", OPINION("\"0x4a817c800\"", "", ""), NULL), "20000000000: above");
}

/* With a base fee no node is asked, and the fees stay. */
static void a_chain_with_a_base_fee(void)
{
    struct fees f = { .max_fee = u256_from_u64(3), .priority_fee = u256_from_u64(1) };
    struct node_query q[NODE_OPINIONS];
    struct price_opinions o;

    CHECK(price_opinions_ask(&o, q, chain_find("base")) == 0);
    CHECK(price_opinions_hold(&f, &ctx, a, chain_find("base"), q, 0) == NULL);
    f = fees_bounded(&ctx, chain_find("ethereum"), fees_now(&ctx, a, chain_find("ethereum"), &f));
    CHECK(u256_cmp(f.max_fee, u256_from_u64(3)) == 0 && u256_cmp(f.priority_fee, u256_from_u64(1)) == 0);
    price_opinions_free(&o);
}

static void a_price_is_never_above_the_bound(void)
{
    CHECK_STR(fees_of("bsc", "\"result\":\"0x174876e800\""), "legacy 20000000000");
    CHECK_STR(fees_of("fantom", "\"result\":\"0x574fbde6000\""), "legacy 2000000000000");
    CHECK_STR(fees_of("scroll", "\"result\":\"0x574fbde6000\""), "legacy 5000000000");
}

static void fees_are_asked_by_kind_of_chain(void)
{
    struct buf body = BUF_INIT(1024);
    struct rpc_batch b = rpc_begin(&body);

    fees_ask(&b, chain_find("ethereum"));
    fees_ask(&b, chain_find("bsc"));
    rpc_end(&b);
    CHECK(b.count == 2);
    CHECK_STR(
        buf_text(&body),
        "[{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"eth_feeHistory\",\"params\":[\"0xa\",\"latest\",[50]]},\n"
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_gasPrice\",\"params\":[]}]");
    buf_free(&body);
}

/* ---- one of two nodes that lies ---- */

/* One node's answers: its price, or the prices that blocks paid, is `said`; the other as it was recorded. */
static void opinion_of(struct node_query *q, const json_t *said, bool of_history)
{
    const json_t *price = of_history ? liar_recorded("gas_price") : said,
                 *history = of_history ? said : liar_recorded("fee_history");
    json_t *answers = json_pack("[{s:i,s:O},{s:i,s:O}]", "id", AT_PRICE, "result", price, "id", AT_HISTORY,
                                "result", history);
    char *text = json_dumps(answers, 0);
    struct buf body = BUF_INIT(65536);

    buf_adds(&body, text);
    *q = (struct node_query){ .answered = true };
    CHECK(rpc_read(&q->answers, a, &body, 2, evm_classify));
    buf_free(&body);
    json_decref(answers);
    free(text);
}

struct liar_bids {
    bool of_history;
    struct u256 truly;
};

/* A lesser bid takes longer. */
static const char *bid_by(const json_t *first, const json_t *second, void *arg)
{
    const json_t *said[] = { json_array_get(first, 0), json_array_get(second, 0) };
    struct fees f = { .legacy = true, .max_fee = u256_from_u64(UINT64_MAX) };
    struct node_query q[NODE_OPINIONS];
    struct liar_bids *bids = arg;

    for (size_t i = 0; i < NODE_OPINIONS; i++)
        opinion_of(&q[i], said[i], bids->of_history);
    if (price_opinions_hold(&f, &ctx, a, chain_find("bsc"), q, NODE_OPINIONS) != NULL)
        return NULL;
    if (u256_is_zero(bids->truly))
        bids->truly = f.max_fee;
    return u256_cmp(f.max_fee, bids->truly) > 0   ? "dearer"
           : u256_cmp(f.max_fee, bids->truly) < 0 ? NULL
                                                  : "the price";
}

static void one_liar_makes_gas_no_dearer(void)
{
    struct liar_bids price = { .of_history = false }, history = { .of_history = true };

    liar_alone_changes_nothing("eth_gasPrice", liar_recorded("gas_price"), bid_by, &price);
    liar_alone_changes_nothing("eth_feeHistory", liar_recorded("fee_history"), bid_by, &history);
}

static void fees_test_start(void)
{
    a = arena_new();
}

static void fees_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(fees_test_start), TEST(fees_from_the_history), TEST(legacy_prices), TEST(many_tips),
          TEST(bounds_of_the_operators), TEST(gas_prices_are_compared_with_another_nodes),
          TEST(a_price_is_never_above_the_bound), TEST(a_chain_with_a_base_fee),
          TEST(fees_are_asked_by_kind_of_chain), TEST(one_liar_makes_gas_no_dearer), TEST(fees_test_end))
