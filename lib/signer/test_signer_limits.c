#include "signer/signer_limits.c"

#include <unistd.h>

#include "base/test.h"

/* Settings from a file, as the signer reads them. */
static bool reads(struct limits *out, const char *lines)
{
    char path[] = "/tmp/limits.XXXXXX";
    int fd = mkstemp(path);
    struct conf *c;
    bool ok;

    CHECK(fd >= 0 && write(fd, lines, strlen(lines)) == (ssize_t)strlen(lines));
    close(fd);
    c = conf_read(path);
    ok = limits_read(out, c) && conf_problems(c) == NULL;
    conf_free(c);
    unlink(path);
    return ok;
}

static const char USDC[] = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

static void unset_is_unlimited(void)
{
    struct limits l;

    CHECK(reads(&l, "workers = 1\n"));
    CHECK(l.count == 0 && limits_allow_chain(&l, 1) && limits_allow_chain(&l, 8453));
    CHECK(limits_find(&l, 1, TRADE_COIN) == NULL);
}

static void amounts_per_token(void)
{
    struct limits l;
    const struct limit *row;

    CHECK(reads(&l, "signer_tx_max.ethereum = ETH 5000000000000000000, usdc 7\n"
                    "signer_day_max.ethereum = USDC 9,0x1111111111111111111111111111111111111111 1\n"
                    "signer_day_max.base = ETH 0\n"));
    CHECK(l.count == 4);
    row = limits_find(&l, 1, TRADE_COIN);
    CHECK(row != NULL && row->per_tx && !row->per_day);
    row = limits_find(&l, 1, USDC);
    CHECK(row != NULL && row->per_tx && row->per_day && u256_cmp(row->tx_max, u256_from_u64(7)) == 0 &&
          u256_cmp(row->day_max, u256_from_u64(9)) == 0);
    row = limits_find(&l, 1, "0x1111111111111111111111111111111111111111");
    CHECK(row != NULL && !row->per_tx && row->per_day);
    row = limits_find(&l, 8453, TRADE_COIN);
    CHECK(row != NULL && row->per_day && u256_is_zero(row->day_max));
    CHECK(limits_find(&l, 8453, USDC) == NULL);
}

/* Coins of every family are found as such, and tokens by what their chain calls them. */
static void tokens_of_other_families(void)
{
    struct limits l;
    const struct limit *row;

    CHECK(reads(&l, "signer_tx_max.solana = SOL 5, USDC 6\n"));
    CHECK(l.count == 2);
    row = limits_find(&l, l.rows[0].chain_id, TRADE_COIN);
    CHECK(row == &l.rows[0] && u256_cmp(row->tx_max, u256_from_u64(5)) == 0);
    row = limits_find(&l, l.rows[0].chain_id, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
    CHECK(row == &l.rows[1] && u256_cmp(row->tx_max, u256_from_u64(6)) == 0);
}

static void chains_that_are_served(void)
{
    struct limits l;

    CHECK(reads(&l, "signer_chains = ethereum , base\n"));
    CHECK(limits_allow_chain(&l, 1) && limits_allow_chain(&l, 8453) && !limits_allow_chain(&l, 10));
}

/* In addition to what a day may take: neither replaces the other. */
static void withdrawals_of_a_day(void)
{
    struct limits l;
    const struct limit *row;

    CHECK(reads(&l, "signer_day_max.ethereum = USDC 9\nwithdraw_day_max.ethereum = USDC 7, ETH 5\n"));
    CHECK(l.count == 3);
    row = limits_find_withdrawn(&l, 1, USDC);
    CHECK(row != NULL && row->withdrawn && row->per_day && u256_cmp(row->day_max, u256_from_u64(7)) == 0);
    row = limits_find(&l, 1, USDC);
    CHECK(row != NULL && !row->withdrawn && u256_cmp(row->day_max, u256_from_u64(9)) == 0);
    CHECK(limits_find(&l, 1, TRADE_COIN) == NULL && limits_find_withdrawn(&l, 1, TRADE_COIN) != NULL);
    CHECK(limits_find_withdrawn(&l, 8453, USDC) == NULL);
}

/* In dollars, of which a row has six places. */
static void dollars_of_perpetuals(void)
{
    struct limits l;
    const struct limit *row;

    CHECK(reads(&l, "perps_order_max =\nperps_day_max =\nperps_withdraw_day_max =\n") && l.count == 0);
    CHECK(reads(&l, "perps_order_max = 25000\nperps_day_max = 0.5\nperps_withdraw_day_max = 7.000001\n"));
    CHECK(l.count == 2);
    row = limits_find(&l, HYPERLIQUID_CHAIN_ID, HYPERLIQUID_DOLLAR);
    CHECK(row != NULL && row->per_tx && u256_cmp(row->tx_max, u256_from_u64(25000000000)) == 0);
    CHECK(row != NULL && row->per_day && u256_cmp(row->day_max, u256_from_u64(500000)) == 0);
    row = limits_find_withdrawn(&l, HYPERLIQUID_CHAIN_ID, HYPERLIQUID_DOLLAR);
    CHECK(row != NULL && row->per_day && !row->per_tx && u256_cmp(row->day_max, u256_from_u64(7000001)) == 0);
    CHECK(reads(&l, "perps_withdraw_day_max = 0\n") && l.count == 1);
}

static void only_a_sandbox_waits_for_seconds(void)
{
    struct limits l;

    CHECK(reads(&l, "withdrawal_delay = 3600\n") && !reads(&l, "withdrawal_delay = 3599\n"));
    CHECK(reads(&l, "withdrawal_delay = 5\nwebhook_allow_http_loopback = yes\n"));
    CHECK(!reads(&l, "withdrawal_delay = 0\nwebhook_allow_http_loopback = yes\n"));
}

static void mistakes_are_named(void)
{
    static const char *const bad[] = {
        "signer_chains = ethereum, etherium\n",
        "signer_tx_max.ethereum = ETH\n",
        "signer_tx_max.ethereum = ETH 1.5\n",
        "signer_tx_max.ethereum = ETH -1\n",
        "signer_tx_max.ethereum = ETH 1 2\n",
        "signer_tx_max.ethereum = NOSUCH 1\n",
        "signer_tx_max.ethereum = 5\n",
        "signer_day_max.nochain = ETH 5\n",
        "withdraw_day_max.ethereum = ETH\n",
        "perps_order_max = -1\n",
        "perps_day_max = much\n",
        "perps_day_max = 0.0000001\n",
        "perps_withdraw_day_max = 1000000000000\n",
        "perps_network = othernet\n",
        "signer_tx_max.ethereum = ETH 1, USDC\n",
        "signer_day_max.ethereum = ETH 1157920892373161954235709850086879078532699846656405640394575840079131296399360\n",
    };
    struct limits l;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!reads(&l, bad[i]));
}

static void tokens_that_may_be_bought(void)
{
    static const char other[] = "0x1111111111111111111111111111111111111111";
    const struct chain *c = chain_by_id(1);
    struct limits l;

    CHECK(reads(&l, "workers = 1\n") && limits_allow_token(&l, c, other));
    CHECK(reads(&l, "signer_tokens = built-in\n") && !limits_allow_token(&l, c, other));
    CHECK(limits_allow_token(&l, c, USDC) && limits_allow_token(&l, c, TRADE_COIN));
    CHECK(!limits_allow_token(&l, chain_by_id(8453), USDC)); /* another's there */
    CHECK(!reads(&l, "signer_tokens = some\n"));
}

#define MARKET "0x94b823e6bd8ea533b4e33fbc307faea0b307301bc48763acc4d4aa4def7636cd"
#define SECOND "0x3a85e619751152991742810df6ec69ce473daef99e28a64ab2340d7b7ccfee49"

static struct loan loan_in(const char *market, enum loan_act act)
{
    struct loan l = { .act = act };
    size_t n;

    CHECK(hex_decode_0x(l.market, HASH_LEN, &n, market) && n == HASH_LEN);
    return l;
}

static bool allows(const struct limits *l, uint64_t chain_id, const char *market, enum loan_act act)
{
    const struct loan loan = loan_in(market, act);

    return limits_allow_loan(l, chain_id, &loan);
}

/* Withdrawing, releasing and repaying are allowed in unlisted markets, too; lenders without markets are
 * listed as such. */
static void markets_that_may_be_entered(void)
{
    static const struct loan pool = { .act = LOAN_SUPPLY };
    struct limits l;

    CHECK(reads(&l, "morpho_markets.ethereum = " MARKET "\n") && allows(&l, 1, SECOND, LOAN_SUPPLY));
    CHECK(reads(&l, "signer_markets = listed\nmorpho_markets.ethereum = " SECOND ", " MARKET "\n"));
    CHECK(allows(&l, 1, MARKET, LOAN_SUPPLY) && allows(&l, 1, SECOND, LOAN_PLEDGE));
    CHECK(!allows(&l, 8453, MARKET, LOAN_SUPPLY)); /* another's there */
    CHECK(reads(&l, "signer_markets = listed\nmorpho_markets.ethereum = " MARKET "\n"));
    CHECK(!allows(&l, 1, SECOND, LOAN_SUPPLY) && !allows(&l, 1, SECOND, LOAN_PLEDGE));
    CHECK(!allows(&l, 1, SECOND, LOAN_BORROW));
    CHECK(allows(&l, 1, SECOND, LOAN_WITHDRAW) && allows(&l, 1, SECOND, LOAN_RELEASE));
    CHECK(allows(&l, 1, SECOND, LOAN_REPAY) && limits_allow_loan(&l, 1, &pool));
    CHECK(!reads(&l, "signer_markets = mine\n"));
    CHECK(!reads(&l, "morpho_markets.ethereum = 0x1234\n") &&
          !reads(&l, "morpho_markets.base = " MARKET "00\n"));
    CHECK(!reads(&l, "morpho_markets.base = " MARKET " " SECOND "\n"));
}

static void the_floor_under_trades(void)
{
    struct limits l;

    CHECK(reads(&l, "workers = 1\n") && l.floor.least.value == 0);
    CHECK(reads(&l, "signer_floor = 0.95\nsigner_floor_age_s = 60\n"));
    CHECK(l.floor.least.value == 950000 && l.floor.max_age_s == 60);
}

TEST_MAIN(TEST(unset_is_unlimited), TEST(amounts_per_token), TEST(tokens_of_other_families),
          TEST(chains_that_are_served), TEST(mistakes_are_named), TEST(tokens_that_may_be_bought),
          TEST(markets_that_may_be_entered), TEST(the_floor_under_trades), TEST(withdrawals_of_a_day),
          TEST(dollars_of_perpetuals), TEST(only_a_sandbox_waits_for_seconds))
