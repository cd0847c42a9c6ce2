#include "venue/morpho_calls.c"

#include "venue/test_loan.h"

#define PAD_12 "000000000000000000000000"
#define PAD_30 "000000000000000000000000000000000000000000000000000000000000"
/* As ethers encodes them. */
#define WORDS_MARKET                                                                                         \
    PAD_12 "a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48" PAD_12                                                 \
           "c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2" PAD_12                                                 \
           "0f948cba8231db7898ef36a4212581ad7b1b4580" PAD_12 "870ac11d48b15db9a138cf899d20f13f79ba00bc"      \
           "0000000000000000000000000000000000000000000000000bef55718ad60000"
#define WORD_WALLET PAD_12 "1111111111111111111111111111111111111111"
#define WORD(four)  PAD_30 four

static struct morpho_market market;
static const struct morpho_quantity seven = { .amount = { { 7 } } }, nine_shares = { .shares = { { 9 } } };

static const struct contract *blue(void)
{
    const struct chain *c = chain_find("ethereum");

    market = (struct morpho_market){
        .loan = address(AT_USDC),
        .collateral = address(AT_WETH),
        .oracle = address("0x0F948CBa8231Db7898ef36A4212581Ad7b1B4580"),
        .rates = address("0x870aC11D48B15DB9a138Cf899d20F13F79Ba00BC"),
        .lltv = u256_from_u64(860000000000000000),
    };
    return contract_of(c, &morpho_blue);
}

/* The market's id on mainnet. */
static void check_market(const struct loan *l)
{
    static const char want[] = "94b823e6bd8ea533b4e33fbc307faea0b307301bc48763acc4d4aa4def7636cd";
    uint8_t id[HASH_LEN], mainnet[HASH_LEN];

    CHECK(hex_decode(mainnet, HASH_LEN, want, 2 * HASH_LEN));
    morpho_market_id(id, &market);
    CHECK(memcmp(id, mainnet, HASH_LEN) == 0 && memcmp(l->market, mainnet, HASH_LEN) == 0);
}

static void check_quantity(const struct loan *l, enum loan_act act, const char *asset, uint64_t amount,
                           uint64_t shares)
{
    CHECK(l->act == act && equals(l->amount, amount) && equals(l->shares, shares));
    CHECK_STR(l->asset, asset);
    check_market(l);
}

static void lending(void)
{
    const struct contract *k = blue();
    struct buf b = BUF_INIT(1024);
    struct loan l;

    morpho_supply(&b, &market, seven, address(AT_WALLET));
    check_hex(&b, "0xa99aad89" WORDS_MARKET WORD("0007") WORD("0000") WORD_WALLET WORD("0120") WORD("0000"));
    check_loan(&l, k, &b);
    check_quantity(&l, LOAN_SUPPLY, AT_USDC, 7, 0);
    CHECK(!reads_with(k, &b, 5, 0)); /* nothing */
    CHECK(!reads_with(k, &b, 6, 1)); /* an amount and shares */
    CHECK(!reads_with(k, &b, 7, 1)); /* for another account */
    buf_reset(&b);
    morpho_supply(&b, &market, nine_shares, address(AT_WALLET));
    CHECK(!reads(k, &b)); /* for who knows how much */
    buf_reset(&b);
    morpho_withdraw(&b, &market, nine_shares, address(AT_WALLET));
    check_hex(&b, "0x5c2bea49" WORDS_MARKET WORD("0000") WORD("0009") WORD_WALLET WORD_WALLET);
    check_loan(&l, k, &b);
    check_quantity(&l, LOAN_WITHDRAW, AT_USDC, 0, 9);
    CHECK(!reads_with(k, &b, 7, 1)); /* of another account */
    CHECK(!reads_with(k, &b, 8, 1)); /* to another account */
    buf_free(&b);
}

static void borrowing(void)
{
    const struct contract *k = blue();
    struct buf b = BUF_INIT(1024);
    struct loan l;

    morpho_borrow(&b, &market, seven, address(AT_WALLET));
    check_hex(&b, "0x50d8cd4b" WORDS_MARKET WORD("0007") WORD("0000") WORD_WALLET WORD_WALLET);
    check_loan(&l, k, &b);
    check_quantity(&l, LOAN_BORROW, AT_USDC, 7, 0);
    CHECK(!reads_with(k, &b, 7, 1)); /* on another account's credit */
    CHECK(!reads_with(k, &b, 8, 1)); /* to another account */
    buf_reset(&b);
    morpho_borrow(&b, &market, nine_shares, address(AT_WALLET));
    CHECK(!reads(k, &b));
    buf_reset(&b);
    morpho_repay(&b, &market, nine_shares, address(AT_WALLET));
    check_hex(&b, "0x20b76e81" WORDS_MARKET WORD("0000") WORD("0009") WORD_WALLET WORD("0120") WORD("0000"));
    check_loan(&l, k, &b);
    check_quantity(&l, LOAN_REPAY, AT_USDC, 0, 9);
    CHECK(!reads_with(k, &b, 7, 1)); /* another account's debt */
    buf_free(&b);
}

static void pledging(void)
{
    const struct contract *k = blue();
    struct buf b = BUF_INIT(1024);
    struct loan l;

    morpho_pledge(&b, &market, u256_from_u64(6), address(AT_WALLET));
    check_hex(&b, "0x238d6579" WORDS_MARKET WORD("0006") WORD_WALLET WORD("0100") WORD("0000"));
    check_loan(&l, k, &b);
    check_quantity(&l, LOAN_PLEDGE, AT_WETH, 6, 0);
    CHECK(!reads_with(k, &b, 5, 0)); /* nothing */
    CHECK(!reads_with(k, &b, 6, 1)); /* for another account */
    buf_reset(&b);
    morpho_release(&b, &market, u256_from_u64(4), address(AT_WALLET));
    check_hex(&b, "0x8720316d" WORDS_MARKET WORD("0004") WORD_WALLET WORD_WALLET);
    check_loan(&l, k, &b);
    check_quantity(&l, LOAN_RELEASE, AT_WETH, 4, 0);
    CHECK(!reads_with(k, &b, 6, 1)); /* of another account */
    CHECK(!reads_with(k, &b, 7, 1)); /* to another account */
    buf_free(&b);
}

/* Calls that supply, repay or pledge with a callback are refused. */
static void callbacks_are_refused(void)
{
    const struct contract *k = blue();
    struct buf b = BUF_INIT(1024);

    abi_selector(&b, SEL_PLEDGE);
    morpho_market_words(&b, &market);
    abi_u64(&b, 6);
    abi_addr(&b, address(AT_WALLET));
    abi_u64(&b, 8 * ABI_WORD);
    abi_bytes_tail(&b, "call", 4);
    CHECK(!reads(k, &b));
    buf_reset(&b);
    encode_quantity(&b, SEL_REPAY, &market, nine_shares, address(AT_WALLET));
    abi_u64(&b, 9 * ABI_WORD);
    abi_bytes_tail(&b, "call", 4);
    CHECK(!reads(k, &b));
    buf_free(&b);
}

TEST_MAIN(TEST(lending), TEST(borrowing), TEST(pledging), TEST(callbacks_are_refused))
