#include "base/test.h"
#include "exec/evm/fees.c"

#include <unistd.h>

#include "chain/evm/rpc_class.h"

static struct arena *a;
static struct conf conf; /* nothing set: the chains' own bounds */
static struct ctx ctx = { .conf = &conf };

/* What follows from a node's answer: "max/priority", "legacy max", or "none". */
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

static void what_is_asked(void)
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

static void fees_test_start(void)
{
    a = arena_new();
}

static void fees_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(fees_test_start), TEST(fees_from_the_history), TEST(legacy_prices), TEST(many_tips),
          TEST(bounds_of_the_operators), TEST(what_is_asked), TEST(fees_test_end))
