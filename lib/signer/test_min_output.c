#include "signer/min_output.c"

#include "base/test.h"
#include "keys/test_util.h"
#include "signer/operator_file.h"
#include "venue/trade.h"

static const char USDC[] = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                  MINT[] = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
                  DUST[] = "0x1111111111111111111111111111111111111111";

enum { ETHEREUM = 1, SOLANA = 900, NOW = 1700000000, AGE = 900 };

static const struct min_output_terms terms = { { 900000 }, AGE };
static struct test_dir dir;
static char path[512];
static int fd;

static void list_write(const struct buf *text)
{
    CHECK(operator_file_write(path, text));
}

static void list_add(struct buf *text, uint64_t chain_id, const char *token, uint8_t decimals,
                     const char *price)
{
    struct u256 v;

    CHECK(u256_parse(&v, price));
    min_output_add(text, chain_id, token, decimals, v);
}

static struct buf list(void)
{
    struct buf text = BUF_INIT(FLOOR_FILE_MAX);

    min_output_begin(&text, NOW);
    list_add(&text, ETHEREUM, TRADE_COIN, 18, "3000500000000000000000");
    list_add(&text, ETHEREUM, USDC, 6, "999999999999999999");
    list_add(&text, SOLANA, MINT, 6, "1000000000000000000");
    list_add(&text, ETHEREUM, DUST, 36, "1");
    return text;
}

static void min_output_test_begin(void)
{
    struct buf text = list();

    test_dir_make(&dir);
    (void)snprintf(path, sizeof path, "%s.prices", dir.keys);
    fd = operator_file_open(path);
    CHECK(fd >= 0);
    min_output_end(&text);
    list_write(&text);
    buf_free(&text);
}

static void min_output_test_end(void)
{
    (void)close(fd);
    (void)unlink(path);
    test_dir_remove(&dir);
}

static struct min_output_side side(uint64_t chain_id, const char *token, const char *amount)
{
    struct min_output_side s = { .chain_id = chain_id, .token = token };

    CHECK(u256_parse(&s.amount, amount));
    return s;
}

/* "": nothing is wrong. */
static const char *flaw_at(struct min_output_side gives, struct min_output_side brings, int64_t now)
{
    const char *why = min_output_check(&terms, fd, &gives, &brings, now);

    return why == NULL ? "" : why;
}

static const char *flaw(struct min_output_side gives, struct min_output_side brings)
{
    return flaw_at(gives, brings, NOW);
}

#define ONE_ETHER  "1000000000000000000"
#define TOO_LITTLE "minimum is worth too little"
#define BROKEN     "list of prices is broken"

/* 90 % of 3000.5 dollars, in units of a coin that is not quite a dollar; and what 1 USDC is worth in ether:
 * 0.9 * 0.999999999999999999 / 3000.5 * 10^18 = 299950008331944.6 */
static void a_unit_decides(void)
{
    min_output_test_begin();
    CHECK_STR(flaw(side(1, TRADE_COIN, ONE_ETHER), side(1, USDC, "2700450001")), "");
    CHECK_STR(flaw(side(1, TRADE_COIN, ONE_ETHER), side(1, USDC, "2700450000")), TOO_LITTLE);
    CHECK_STR(flaw(side(1, USDC, "1000000"), side(1, TRADE_COIN, "299950008331945")), "");
    CHECK_STR(flaw(side(1, USDC, "1000000"), side(1, TRADE_COIN, "299950008331944")), TOO_LITTLE);
    CHECK_STR(flaw(side(1, TRADE_COIN, ONE_ETHER), side(SOLANA, MINT, "2700450000")), ""); /* a bridge */
    CHECK_STR(flaw(side(1, TRADE_COIN, ONE_ETHER), side(SOLANA, MINT, "2700449999")), TOO_LITTLE);
    CHECK_STR(flaw(side(SOLANA, MINT, "10"), side(SOLANA, MINT, "9")), "");
    CHECK_STR(flaw(side(SOLANA, MINT, "11"), side(SOLANA, MINT, "9")), TOO_LITTLE);
    CHECK_STR(flaw(side(1, TRADE_COIN, ONE_ETHER), side(1, USDC, "1")), TOO_LITTLE);
    min_output_test_end();
}

static void tokens_without_a_price_are_not_traded(void)
{
    static const char none[] = "a token without a price";
    const struct min_output_terms off = { { 0 }, AGE };
    const struct min_output_side gives = side(1, TRADE_COIN, ONE_ETHER), brings = side(1, MINT, ONE_ETHER);

    min_output_test_begin();
    CHECK_STR(flaw(gives, brings), none);
    CHECK_STR(flaw(brings, gives), none);
    CHECK_STR(flaw(gives, side(SOLANA, USDC, ONE_ETHER)), none); /* another's there */
    CHECK_STR(flaw(gives, side(0, USDC, ONE_ETHER)), none);
    CHECK(min_output_check(&off, -1, &gives, &brings, NOW) == NULL);
    min_output_test_end();
}

static void overflows_are_refused(void)
{
    static const char most[] =
        "115792089237316195423570985008687907853269984665640564039457584007913129639935";

    min_output_test_begin();
    CHECK_STR(flaw(side(1, USDC, "1"), side(1, TRADE_COIN, most)), TOO_LITTLE);
    CHECK_STR(flaw(side(1, TRADE_COIN, most), side(1, USDC, most)), TOO_LITTLE);
    /* 10^30 times more when put into the other's places */
    CHECK_STR(flaw(side(1, DUST, "1"), side(1, USDC, "1")), "");
    CHECK_STR(flaw(side(1, DUST, "1"), side(1, USDC, "1000000000000000000000000")), TOO_LITTLE);
    min_output_test_end();
}

static void prices_grow_old(void)
{
    const struct min_output_side gives = side(1, TRADE_COIN, ONE_ETHER), brings = side(1, USDC, "3000000000");

    min_output_test_begin();
    CHECK_STR(flaw_at(gives, brings, NOW + AGE), "");
    CHECK_STR(flaw_at(gives, brings, NOW + AGE + 1), "list of prices is too old");
    CHECK_STR(flaw_at(gives, brings, NOW - AGE - 1), "list of prices is too old");
    min_output_test_end();
}

/* Any byte that is missing or another one; it works again as soon as it is written anew. */
static void only_a_whole_list_counts(void)
{
    const struct min_output_side gives = side(1, TRADE_COIN, ONE_ETHER), brings = side(1, USDC, "3000000000");
    struct buf text = list();

    min_output_test_begin();
    min_output_end(&text);
    for (size_t i = 0; i < text.len; i++) {
        text.data[i] ^= 1;
        list_write(&text);
        CHECK_STR(flaw(gives, brings), BROKEN);
        text.data[i] ^= 1;
        CHECK(ftruncate(fd, (off_t)i) == 0);
        CHECK_STR(flaw(gives, brings), i == 0 ? "no list of prices" : BROKEN);
    }
    buf_adds(&text, "\n");
    list_write(&text);
    CHECK_STR(flaw(gives, brings), BROKEN);
    text.len--;
    list_write(&text);
    CHECK_STR(flaw(gives, brings), "");
    buf_free(&text);
    min_output_test_end();
    fd = -1;
    CHECK_STR(flaw(gives, brings), "no list of prices");
}

/* Malformed lines in a list that is complete. */
static void every_line_is_read(void)
{
    static const char *const bad[] = {
        "1 0x0 18\n",
        "1 0x0 18 1 \n",
        "1 0x0 18 1 2\n",
        "1  0x0 18 1\n",
        " 1 0x0 18 1\n",
        "\n",
        "1 0x0 18 1",
        "1 0x0 37 1\n",
        "1 0x0 -1 1\n",
        "18446744073709551616 0x0 18 1\n",
        "1 0x0 18 0\n",
        "1 0x0 18 -1\n",
        "1 0x0 18 1e3\n",
        "1 0x0 18 1.5\n",
        "1 0x0 18 115792089237316195423570985008687907853269984665640564039457584007913129639936\n",
        "prices 1\n",
    };

    min_output_test_begin();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct buf text = list();

        buf_adds(&text, bad[i]);
        min_output_end(&text);
        list_write(&text);
        CHECK_STR(flaw(side(1, TRADE_COIN, ONE_ETHER), side(1, USDC, "3000000000")), BROKEN);
        buf_free(&text);
    }
    min_output_test_end();
}

TEST_MAIN(TEST(a_unit_decides), TEST(tokens_without_a_price_are_not_traded), TEST(overflows_are_refused),
          TEST(prices_grow_old), TEST(only_a_whole_list_counts), TEST(every_line_is_read))
