#include "exec/solana/solana_receipt.c"

#include "chain/solana/test_accounts.h"

#define ME    "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
#define OTHER "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"
#define USDC  "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
#define USDT  "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"
#define COIN  "So11111111111111111111111111111111111111112"

/* A balance of a token, as getTransaction tells it. */
#define HELD(place, owner, mint, amount)                                                                       \
    "{\"accountIndex\":" place ",\"mint\":\"" mint "\",\"owner\":\"" owner                                     \
    "\",\"programId\":\"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA\",\"uiTokenAmount\":{\"amount\":\"" amount \
    "\",\"decimals\":6,\"uiAmount\":1.0,\"uiAmountString\":\"1\"}}"

#define TX(coins_before, coins_after, before, after)                                                         \
    "{\"blockTime\":1780000000,\"meta\":{\"err\":null,\"fee\":5000,\"preBalances\":[" coins_before           \
    "],\"postBalances\":[" coins_after "],\"preTokenBalances\":[" before "],\"postTokenBalances\":[" after   \
    "],\"status\":{\"Ok\":null}},\"slot\":377261141,\"transaction\":{},\"version\":0}"
#define MOVED(before, after) TX("1000000000,2039280", "999995000,2039280", before, after)

/* The arrived amount; -1: unknown. */
static int64_t arrived_of(const char *sold, const char *symbol, const char *mint, const char *json)
{
    const uint64_t solana = chain_find("solana")->id;
    struct execution x = { .from = { .chain_id = solana }, .to = { .chain_id = solana } };
    struct arena *a = arena_new();
    struct rpc_answers answers;
    struct u256 v = U256_ZERO;
    uint64_t n = 0;
    bool told;

    snprintf(x.from.symbol, sizeof x.from.symbol, "%s", sold);
    snprintf(x.from.address, sizeof x.from.address, "%s", COIN);
    snprintf(x.to.symbol, sizeof x.to.symbol, "%s", symbol);
    snprintf(x.to.address, sizeof x.to.address, "%s", mint);
    told = solana_receipt_arrived(&v, answer_of(&answers, a, json), &x, ME);
    CHECK(!told || u256_to_u64(&n, v));
    rpc_answers_free(&answers);
    arena_free(a);
    return told ? (int64_t)n : -1;
}

static int64_t arrived(const char *symbol, const char *mint, const char *json)
{
    return arrived_of("?", symbol, mint, json);
}

static void receipts_are_asked_by_signature(void)
{
    struct buf out = BUF_INIT(1024);
    struct rpc_batch b = rpc_begin(&out);

    solana_receipt_ask(&b, "signature");
    rpc_end(&b);
    CHECK_STR(buf_text(&out),
              "[{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"getTransaction\",\"params\":[\"signature\","
              "{\"commitment\":\"confirmed\",\"encoding\":\"json\",\"maxSupportedTransactionVersion\":0}]}]");
    buf_free(&out);
}

static void tokens_that_arrive(void)
{
    static const struct {
        const char *json;
        int64_t want;
    } rows[] = {
        { MOVED(HELD("1", ME, USDC, "10"), HELD("1", ME, USDC, "52")), 42 },
        { MOVED("", HELD("1", ME, USDC, "42")), 42 }, /* into an account that was opened */
        { MOVED(HELD("1", ME, USDC, "10") "," HELD("2", ME, USDC, "5"),
                HELD("1", ME, USDC, "40") "," HELD("2", ME, USDC, "6")),
          31 },
        { MOVED(HELD("1", ME, USDC, "10"), HELD("1", ME, USDC, "10")), 0 },
        /* of others, and other tokens */
        { MOVED(HELD("2", OTHER, USDC, "7"), HELD("1", ME, USDC, "42") "," HELD("2", OTHER, USDC, "99")),
          42 },
        { MOVED(HELD("1", ME, USDC, "1") "," HELD("2", ME, USDT, "7"),
                HELD("1", ME, USDC, "2") "," HELD("2", ME, USDT, "99")),
          1 },
        { MOVED("", ""), 0 },
        /* less than before, and more than there can be */
        { MOVED(HELD("1", ME, USDC, "10"), HELD("1", ME, USDC, "9")), -1 },
        { MOVED("", HELD("1", ME, USDC, "18446744073709551616")), -1 },
        { MOVED("", HELD("1", ME, USDC, "18446744073709551615") "," HELD("2", ME, USDC, "1")), -1 },
        { MOVED("", HELD("1", ME, USDC, "-1")), -1 },
        { MOVED("", HELD("1", ME, USDC, "1.5")), -1 },
        { MOVED("", HELD("1", ME, USDC, "")), -1 },
        /* not told */
        { MOVED("", "{\"accountIndex\":1,\"mint\":\"" USDC "\",\"owner\":\"" ME "\"}"), -1 },
        { MOVED("", "{\"accountIndex\":1,\"mint\":\"" USDC "\",\"uiTokenAmount\":{\"amount\":\"42\"}}"), -1 },
        { MOVED("", "{\"accountIndex\":1,\"owner\":\"" ME "\",\"uiTokenAmount\":{\"amount\":\"42\"}}"), -1 },
        { MOVED("", "null"), -1 },
        { "{\"slot\":1,\"meta\":null}", -1 },
        { "{\"slot\":1}", -1 },
        { "{\"meta\":{\"fee\":5000,\"preBalances\":[1],\"postBalances\":[1]}}", -1 },
        { "{\"meta\":{\"preTokenBalances\":[],\"postTokenBalances\":null}}", -1 },
        { "null", -1 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t n = arrived("USDC", USDC, rows[i].json);

        CHECK(n == rows[i].want);
        if (n != rows[i].want)
            fprintf(stderr, "row %zu: %lld\n", i, (long long)n);
    }
}

static void coin_that_arrives(void)
{
    static const struct {
        const char *json;
        int64_t want;
    } rows[] = {
        { TX("1000,7", "6000,7", "", ""), 10000 }, /* the fee of 5000 apart */
        { TX("10000,7", "5000,7", "", ""), 0 },
        { TX("10000,7", "4999,7", "", ""), -1 },
        /* what was wrapped before comes out of its account */
        { TX("10000,2039280", "2049380", HELD("1", ME, COIN, "0"), ""), 5100 },
        { TX("10000,0", "7000,2039280", "", HELD("1", ME, COIN, "0")), 2041280 },
        /* of others, and other tokens */
        { TX("10000,7", "7000,99", HELD("1", OTHER, COIN, "7"), HELD("1", OTHER, COIN, "99")), 2000 },
        { TX("10000,7", "7000,99", HELD("1", ME, USDC, "7"), HELD("1", ME, USDC, "99")), 2000 },
        /* a place that is not there, or no number */
        { TX("10000,7", "7000,99", HELD("2", ME, COIN, "7"), ""), -1 },
        { TX("10000,7", "7000,99", HELD("-1", ME, COIN, "7"), ""), -1 },
        { TX("10000,7", "7000,99", HELD("\"1\"", ME, COIN, "7"), ""), -1 },
        { TX("10000,7", "7000,99", "{\"owner\":\"" ME "\",\"mint\":\"" COIN "\"}", ""), -1 },
        /* more than there can be */
        { TX("0", "18446744073709551615", "", ""), -1 },
        { TX("0,1,1,1", "9223372036854775807,9223372036854775807,9223372036854775807,1", "",
             HELD("1", ME, COIN, "1") "," HELD("2", ME, COIN, "1")),
          -1 },
        { TX("0,1", "-1,1", "", ""), -1 },
        { TX("", "", "", ""), -1 },
        { "{\"meta\":{\"preBalances\":[1],\"postBalances\":[9],\"preTokenBalances\":[],"
          "\"postTokenBalances\":[]}}",
          -1 },
        { "{\"meta\":{\"fee\":1,\"preBalances\":[1],\"postBalances\":[9],\"preTokenBalances\":[]}}", -1 },
        { "{\"meta\":{\"fee\":1,\"preBalances\":[1],\"postBalances\":[9]}}", -1 },
        { "{\"slot\":1}", -1 },
        { "null", -1 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t n = arrived("SOL", COIN, rows[i].json);

        CHECK(n == rows[i].want);
        if (n != rows[i].want)
            fprintf(stderr, "row %zu: %lld\n", i, (long long)n);
    }
}

/* Its accounts hold what was wrapped, and none of what the wallet has itself. */
static void wrapped_coin_that_arrives(void)
{
    CHECK(arrived("WSOL", COIN,
                  TX("10000,2039280", "5000,2039380", HELD("1", ME, COIN, "0"),
                     HELD("1", ME, COIN, "100"))) == 100);
}

/* Its account is closed, or has less then. */
static void coin_that_was_wrapped(void)
{
    static const char closed[] = TX("10000,2039380", "2044380,0", HELD("1", ME, COIN, "100"), "");

    CHECK(arrived_of("WSOL", "SOL", COIN, closed) == 100);
    CHECK(arrived_of("WSOL", "SOL", COIN,
                     TX("10000,2039380", "5070,2039310", HELD("1", ME, COIN, "100"),
                        HELD("1", ME, COIN, "30"))) == 70);
    CHECK(arrived_of("WSOL", "SOL", COIN, TX("1,1", "1,1", "", HELD("1", ME, COIN, "100"))) == -1);
}

TEST_MAIN(TEST(receipts_are_asked_by_signature), TEST(tokens_that_arrive), TEST(coin_that_arrives),
          TEST(wrapped_coin_that_arrives), TEST(coin_that_was_wrapped))
