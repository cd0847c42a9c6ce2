#include "signer/signer_rules.c"

#include "base/test.h"
#include "chain/evm/abi.h"
#include "chain/evm/tx.h"
#include "codec/hex.h"
#include "signer/test_signer_rules.h"
#include "venue/erc20.h"
#include "venue/polymarket_wallet.h"

#define ZEROS12  "000000000000000000000000"
#define WALLET   ZEROS12 "1111111111111111111111111111111111111111"
#define OTHER    ZEROS12 "2222222222222222222222222222222222222222"
#define ROUTER2  ZEROS12 "0000000000000000000000000000000000000002" /* V3: keep it for a moment */
#define WETH     ZEROS12 "c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
#define USDC     ZEROS12 "a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
#define V2       ZEROS12 "7a250d5630b4cf539739df2c5dacb4c659f2488d"
#define V3       ZEROS12 "68b3465833fb72a70ecdf485e0e4c7bd8665fc45"
#define DIRTY    "0000000000000000000000017a250d5630b4cf539739df2c5dacb4c659f2488d"
#define N(byte)  "00000000000000000000000000000000000000000000000000000000000000" byte
#define MAX      "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
#define MAX_1    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe"
#define MAX_128  "00000000000000000000000000000000ffffffffffffffffffffffffffffffff"
#define OVER_128 "0000000000000000000000000000000100000000000000000000000000000000"

static const char AT_USDC[] = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                  AT_WETH[] = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
                  AT_V2[] = "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D",
                  AT_V3[] = "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45",
                  AT_COIN[] = "0x0000000000000000000000000000000000000000",
                  AT_WALLET[] = "0x1111111111111111111111111111111111111111",
                  AT_OTHER[] = "0x2222222222222222222222222222222222222222";

/* V2: amount in, least out, path, recipient, deadline. */
#define V2_TOKENS(selector, path, to) "0x" selector N("0a") N("01") path to N("ff") N("02") USDC WETH
#define V2_COIN(path, to)             "0x7ff36ab5" N("01") path to N("ff") N("02") WETH USDC

/* V3, inside of the multicall: token in, token out, fee, recipient, in, least out, limit: 0xe4 bytes. */
#define SINGLE(in, out, to)  "04e45aaf" in out N("64") to N("0a") N("01") N("00")
#define PAD28                "00000000000000000000000000000000000000000000000000000000"
#define UNWRAP(selector, to) selector N("01") to
#define MULTI(count)         "0x5ae401dc" N("ff") N("40") N(count)
#define ONE_CALL(in, to)     MULTI("01") N("20") N("e4") SINGLE(in, USDC, to) PAD28
/* The second call begins behind two offsets, a length and 0x100 bytes. */
#define TWO_CALLS(in, out, to, selector, last)                                                               \
    MULTI("02")                                                                                              \
    N("40")                                                                                                  \
    "0000000000000000000000000000000000000000000000000000000000000160" N("e4") SINGLE(in, out, to)           \
        PAD28 N("44") UNWRAP(selector, last) PAD28
/* A path of 43 bytes, in 64. */
#define PATH_BYTES                                                                                           \
    "a0b86991c6218b36c1d19d4a2e9eb0ce3606eb480001f4c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2000000000000000000000000000000000000000000"
#define BY_PATH(at, to)                                                                                      \
    MULTI("01")                                                                                              \
    N("20")                                                                                                  \
    "0000000000000000000000000000000000000000000000000000000000000104b858183f" at N("80") to N("0a") N("01") \
        N("2b") PATH_BYTES PAD28

static const struct row {
    const char *to;
    uint64_t value;
    const char *data;
    const char *why; /* NULL: allowed */
} rows[] = {
    /* filling a nonce */
    { AT_WALLET, 0, "0x", NULL },
    { AT_WALLET, 1, "0x", NOT_LISTED },
    { AT_WALLET, 0, "0xa9", NOT_LISTED },
    { AT_OTHER, 0, "0x", NOT_LISTED },
    { AT_OTHER, 7, "0x", NOT_LISTED },
    { AT_V2, 0, "0x", NOT_LISTED },
    /* allowances */
    { AT_USDC, 0, "0x095ea7b3" V2 N("0a"), NULL },
    { AT_USDC, 0, "0x095ea7b3" V3 N("0a"), NULL },
    { AT_USDC, 0, "0x095ea7b3" V2 N("00"), NULL },
    { AT_OTHER, 0, "0x095ea7b3" V2 MAX_128, NULL },
    { AT_OTHER, 0, "0x095ea7b3" V2 OVER_128, "allowance without a bound" },
    { AT_USDC, 0, "0x095ea7b3" V2 MAX, "allowance without a bound" },
    { AT_USDC, 0, "0x095ea7b3" V2 MAX_1, "allowance without a bound" },
    { AT_USDC, 0, "0x095ea7b3" OTHER N("0a"), "spender not on the list" },
    { AT_USDC, 0, "0x095ea7b3" WALLET N("0a"), "spender not on the list" },
    { AT_USDC, 0, "0x095ea7b3" DIRTY N("0a"), UNREADABLE },
    { AT_USDC, 0, "0x095ea7b3" V2, UNREADABLE },
    { AT_USDC, 0, "0x095ea7b3" V2 N("0a") "00", UNREADABLE },
    { AT_USDC, 0, "0x095ea7b3" V2 N("0a") N("00"), UNREADABLE },
    { AT_USDC, 0, "0x095ea7b3", UNREADABLE },
    { AT_USDC, 1, "0x095ea7b3" V2 N("0a"), "value that is not traded" },
    /* handing tokens to another address, by any call */
    { AT_USDC, 0, "0xa9059cbb" OTHER N("0a"), NOT_LISTED },
    { AT_USDC, 0, "0x23b872dd" WALLET OTHER N("0a"), NOT_LISTED },
    { AT_USDC, 0, "0x39509351" V2 N("0a"), NOT_LISTED },
    { AT_USDC, 0, "0xd505accf" WALLET V2 N("0a"), NOT_LISTED },
    { AT_WETH, 0, "0xa9059cbb" OTHER N("0a"), NOT_LISTED },
    { AT_OTHER, 0, "0x12345678", NOT_LISTED },
    { AT_V2, 0, "0x12345678" WALLET, NOT_LISTED },
    { AT_V3, 0, "0x12345678" WALLET, NOT_LISTED },
    { AT_V3, 0, "0xac9650d8" N("20") N("00"), NOT_LISTED },
    /* the wrapped coin */
    { AT_WETH, 10, "0xd0e30db0", NULL },
    { AT_WETH, 10, "0xd0e30db0" N("00"), UNREADABLE },
    { AT_WETH, 0, "0x2e1a7d4d" N("0a"), NULL },
    { AT_WETH, 0, "0x2e1a7d4d", UNREADABLE },
    { AT_WETH, 1, "0x2e1a7d4d" N("0a"), "value that is not traded" },
    { AT_USDC, 10, "0xd0e30db0", NOT_LISTED },
    /* V2 */
    { AT_V2, 0, V2_TOKENS("38ed1739", N("a0"), WALLET), NULL },
    { AT_V2, 0, V2_TOKENS("18cbafe5", N("a0"), WALLET), NULL },
    { AT_V2, 10, V2_COIN(N("80"), WALLET), NULL },
    { AT_V2, 0, V2_TOKENS("38ed1739", N("a0"), OTHER), ELSEWHERE },
    { AT_V2, 0, V2_TOKENS("18cbafe5", N("a0"), OTHER), ELSEWHERE },
    { AT_V2, 10, V2_COIN(N("80"), OTHER), ELSEWHERE },
    { AT_V2, 0, V2_TOKENS("38ed1739", N("c0"), WALLET), UNREADABLE },
    { AT_V2, 10, V2_COIN(N("a0"), WALLET), UNREADABLE },
    { AT_V2, 0, "0x38ed1739" N("0a") N("01") N("a0") WALLET N("ff") N("00"), UNREADABLE },
    { AT_V2, 1, V2_TOKENS("38ed1739", N("a0"), WALLET), "value that is not traded" },
    { AT_OTHER, 0, V2_TOKENS("38ed1739", N("a0"), WALLET), NOT_LISTED },
    { AT_V2, 10, "0x7ff36ab5" N("01") N("80") WALLET N("ff") N("01") WETH, UNREADABLE }, /* a path of one */
    { AT_V2, 10, "0x7ff36ab5" N("01") N("80") WALLET N("ff") N("02") WETH DIRTY, UNREADABLE },
    { AT_V2, 10, "0x7ff36ab5" N("01") N("80") DIRTY N("ff") N("02") WETH USDC, UNREADABLE },
    { AT_V2, 0, V2_TOKENS("38ed1739", N("a0"), WALLET) N("00"), UNREADABLE },
    /* V3 */
    { AT_V3, 0, ONE_CALL(WETH, WALLET), NULL },
    { AT_V3, 10, ONE_CALL(WETH, WALLET), NULL },
    { AT_V3, 11, ONE_CALL(WETH, WALLET), "value that is not traded" },
    { AT_V3, 10, ONE_CALL(USDC, WALLET), "value that is not traded" },
    { AT_V3, 0, ONE_CALL(WETH, OTHER), ELSEWHERE },
    { AT_V3, 0, ONE_CALL(WETH, ROUTER2), ELSEWHERE },
    { AT_V3, 0, BY_PATH(N("20"), WALLET), NULL },
    { AT_V3, 0, BY_PATH(N("20"), OTHER), ELSEWHERE },
    { AT_V3, 0, BY_PATH(N("40"), WALLET), UNREADABLE },
    { AT_V3, 0, TWO_CALLS(USDC, WETH, ROUTER2, "49404b7c", WALLET), NULL },
    { AT_V3, 0, TWO_CALLS(USDC, WETH, ROUTER2, "49404b7c", OTHER), ELSEWHERE },
    { AT_V3, 0, TWO_CALLS(USDC, WETH, WALLET, "49404b7c", WALLET), ELSEWHERE },
    { AT_V3, 0, TWO_CALLS(USDC, WETH, ROUTER2, "df2ab5bb", WALLET), UNREADABLE }, /* sweepToken */
    { AT_V3, 0, TWO_CALLS(WETH, USDC, ROUTER2, "49404b7c", WALLET), ELSEWHERE },  /* left for any caller */
    { AT_V3, 0, ONE_CALL(WETH, WALLET) N("00"), UNREADABLE },
    { AT_V3, 0, BY_PATH(N("20"), WALLET) "00", UNREADABLE },
    { AT_V3, 0, MULTI("00"), UNREADABLE },
    { AT_V3, 0, MULTI("01"), UNREADABLE },
    { AT_V3, 0, MULTI("03") N("60") N("60") N("60") N("04") "04e45aaf" PAD28, UNREADABLE },
    { AT_V3, 0, MULTI("01") N("20") N("03") "04e45a00" PAD28, UNREADABLE },
    { AT_V3, 0, MULTI("01") N("20") N("04") "04e45aaf" PAD28, UNREADABLE },
    { AT_V3, 0, "0x5ae401dc" N("ff") N("60") N("01") N("20") N("e4") SINGLE(WETH, USDC, WALLET) PAD28,
      UNREADABLE },
};

static struct evm_addr address(const char *text)
{
    struct evm_addr a = { { 0 } };

    CHECK(evm_addr_parse(&a, text));
    return a;
}

static struct evm_tx row_tx(const struct row *r, uint8_t data[static 1024])
{
    struct evm_tx tx = { .type = EVM_TX_FEE_MARKET, .chain_id = 1, .nonce = 3, .gas_limit = 100 };

    CHECK(hex_decode_0x(data, 1024, &tx.data_len, r->data));
    tx.data = data;
    tx.to = address(r->to);
    tx.value = u256_from_u64(r->value);
    tx.max_fee = u256_from_u64(5);
    return tx;
}

static void rules_allow_listed_calls_only(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t data[1024];
        struct evm_tx tx = row_tx(&rows[i], data);
        struct act act;
        const char *why = rules_check_evm(&act, &tx, AT_WALLET);

        CHECK(why == rows[i].why || (why != NULL && rows[i].why != NULL && strcmp(why, rows[i].why) == 0));
        if (why != rows[i].why)
            fprintf(stderr, "  row %zu: %s\n", i, why == NULL ? "(allowed)" : why);
    }
}

/* Cut anywhere, a call is read to its end and not beyond, which the sanitizer would tell. */
static void calls_that_end_early(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t data[1024];
        struct evm_tx tx = row_tx(&rows[i], data);
        struct act act;

        for (size_t n = tx.data_len; n-- > ABI_SELECTOR;) {
            uint8_t *exact = malloc(n);

            CHECK(exact != NULL);
            memcpy(exact, data, n);
            tx.data = exact;
            tx.data_len = n;
            (void)rules_check_evm(&act, &tx, AT_WALLET);
            CHECK(act.has_selector && act.nonce == 3);
            free(exact);
        }
    }
}

/* Members of a trade that no rule refuses today. */
static void trades_show_what_they_buy(void)
{
    static const struct {
        struct row row;
        const char *buy;
        uint64_t minimum, deadline;
    } shown[] = {
        { { AT_WETH, 10, "0xd0e30db0", NULL }, AT_WETH, 10, 0 },
        { { AT_V2, 0, V2_TOKENS("38ed1739", N("a0"), WALLET), NULL }, AT_WETH, 1, 255 },
        { { AT_V2, 0, V2_TOKENS("18cbafe5", N("a0"), WALLET), NULL }, AT_COIN, 1, 255 },
        { { AT_V3, 0, ONE_CALL(WETH, WALLET), NULL }, AT_USDC, 1, 255 },
        { { AT_V3, 0, BY_PATH(N("20"), WALLET), NULL }, AT_WETH, 1, 255 },
        { { AT_V3, 0, TWO_CALLS(USDC, WETH, ROUTER2, "49404b7c", WALLET), NULL }, AT_COIN, 1, 255 },
    };

    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        uint8_t data[1024];
        struct evm_tx tx = row_tx(&shown[i].row, data);
        struct act act;

        CHECK(rules_check_evm(&act, &tx, AT_WALLET) == NULL);
        CHECK_STR(act.trade.buy, shown[i].buy);
        CHECK(u256_cmp(act.trade.minimum, u256_from_u64(shown[i].minimum)) == 0);
        CHECK(act.trade.deadline == shown[i].deadline);
    }
}

static void trades_show_what_they_sell(void)
{
    static const struct {
        struct row row;
        const char *token;
        bool grants;
    } shown[] = {
        { { AT_USDC, 0, "0x095ea7b3" V2 N("0a"), NULL }, AT_USDC, true },
        { { AT_WETH, 0, "0x2e1a7d4d" N("0a"), NULL }, AT_WETH, false },
        { { AT_V2, 0, V2_TOKENS("38ed1739", N("a0"), WALLET), NULL }, AT_USDC, false },
        { { AT_V3, 0, ONE_CALL(WETH, WALLET), NULL }, AT_WETH, false },
        { { AT_V3, 0, BY_PATH(N("20"), WALLET), NULL }, AT_USDC, false },
    };

    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        uint8_t data[1024];
        struct evm_tx tx = row_tx(&shown[i].row, data);
        struct act act;

        CHECK(rules_check_evm(&act, &tx, AT_WALLET) == NULL);
        CHECK(act.has_token && (act.trade.act == TRADE_ALLOWANCE) == shown[i].grants);
        CHECK_STR(act.trade.sell, shown[i].token);
        CHECK(u256_cmp(act.trade.amount, u256_from_u64(10)) == 0);
        CHECK(u256_cmp(act.native, u256_from_u64(500)) == 0);
        CHECK(act.chain_id == 1 && act.nonce == 3);
    }
}

static void other_chains_and_forms(void)
{
    static const struct row approve = { AT_USDC, 0, "0x095ea7b3" V2 N("0a"), NULL };
    static const uint8_t access_list[] = { 0xd6, 0x94, [2] = 1, [22] = 0xc0 };
    uint8_t data[1024];
    struct evm_tx tx = row_tx(&approve, data);
    struct act act;

    tx.chain_id = 5;
    CHECK_STR(rules_check_evm(&act, &tx, AT_WALLET), "no such chain");
    tx.chain_id = 8453; /* another router there */
    CHECK_STR(rules_check_evm(&act, &tx, AT_WALLET), "spender not on the list");
    tx = row_tx(&approve, data);
    tx.create = true;
    CHECK_STR(rules_check_evm(&act, &tx, AT_WALLET), "neither a call nor a payment");
    tx = row_tx(&approve, data);
    tx.access_list = access_list;
    tx.access_list_len = sizeof access_list;
    CHECK_STR(rules_check_evm(&act, &tx, AT_WALLET), "neither a call nor a payment");
    tx = row_tx(&approve, data);
    tx.gas_limit = UINT64_MAX;
    tx.max_fee = u256_from_be((const uint8_t[32]){ [0] = 1 });
    CHECK(rules_check_evm(&act, &tx, AT_WALLET) != NULL);
}

/* ---- around bets on Polygon ---- */

static const char AT_PUSD[] = POLYMARKET_COLLATERAL, AT_DOLLAR[] = POLYMARKET_DOLLAR,
                  AT_ONRAMP[] = "0x93070a847efEf7F70739046A929D47a521F5B8ee",
                  AT_OFFRAMP[] = "0x2957922Eb93258b93368531d39fAcCA3B4dC5854",
                  AT_OUTCOMES[] = "0x4D97DCd97eC945f40cF65F87097ACe5EA0476045",
                  AT_EXCHANGE[] = "0xE111180000d2663C0091e4f400237545B87B996B",
                  AT_NEG_RISK_EXCHANGE[] = "0xe2222d279d744050d28e00520010520000310F59",
                  AT_EXCHANGE_V3[] = "0xe3333700cA9d93003F00f0F71f8515005F6c00Aa";

static const char *check_on(uint64_t chain_id, const char *to, struct buf *data)
{
    struct evm_tx tx = { .type = EVM_TX_FEE_MARKET, .chain_id = chain_id, .gas_limit = 100000 };
    struct act act;
    const char *why;

    CHECK(evm_addr_parse(&tx.to, to));
    tx.data = (const uint8_t *)data->data;
    tx.data_len = data->len;
    why = rules_check_evm(&act, &tx, AT_WALLET);
    buf_reset(data);
    return why;
}

static void collateral_may_go_to_the_deposit_wallet(void)
{
    const struct u256 ten = u256_from_u64(10);
    const struct evm_addr wallet = evm_addr_or_zero(AT_WALLET), other = evm_addr_or_zero(AT_OTHER);
    struct evm_addr deposit = polymarket_wallet_of(wallet, POLYMARKET_WALLET_BEACON);
    struct buf data = BUF_INIT(1024);

    erc20_transfer(&data, deposit, ten);
    CHECK(check_on(137, AT_PUSD, &data) == NULL);
    polymarket_wrap(&data, deposit, ten);
    CHECK(check_on(137, AT_ONRAMP, &data) == NULL);
    polymarket_wrap(&data, wallet, ten);
    CHECK(check_on(137, AT_ONRAMP, &data) == NULL);
    polymarket_wrap(&data, other, ten);
    CHECK_STR(check_on(137, AT_ONRAMP, &data), ELSEWHERE);
    erc20_transfer(&data, polymarket_wallet_of(other, POLYMARKET_WALLET_BEACON), ten);
    CHECK_STR(check_on(137, AT_PUSD, &data), NOT_LISTED);
    erc20_transfer(&data, deposit, ten); /* another token, and another chain's */
    CHECK_STR(check_on(137, AT_DOLLAR, &data), NOT_LISTED);
    erc20_transfer(&data, deposit, ten);
    CHECK_STR(check_on(1, AT_PUSD, &data), NOT_LISTED);
    polymarket_unwrap(&data, wallet, ten);
    CHECK(check_on(137, AT_OFFRAMP, &data) == NULL);
    polymarket_unwrap(&data, other, ten);
    CHECK_STR(check_on(137, AT_OFFRAMP, &data), ELSEWHERE);
    buf_free(&data);
}

/* Collateral may be taken by listed contracts only, up to a named amount. */
static void collateral_may_be_taken_within_bounds(void)
{
    static const struct {
        const char *token, *spender;
    } wanted[] = { { AT_DOLLAR, AT_ONRAMP },
                   { AT_PUSD, AT_OFFRAMP },
                   { AT_PUSD, AT_EXCHANGE },
                   { AT_PUSD, AT_NEG_RISK_EXCHANGE },
                   { AT_PUSD, AT_EXCHANGE_V3 } };
    const struct u256 ten = u256_from_u64(10), most = { { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };
    struct buf data = BUF_INIT(1024);

    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        erc20_approve(&data, evm_addr_or_zero(wanted[i].spender), ten);
        CHECK(check_on(137, wanted[i].token, &data) == NULL);
        erc20_approve(&data, evm_addr_or_zero(wanted[i].spender), most);
        CHECK_STR(check_on(137, wanted[i].token, &data), "allowance without a bound");
        erc20_approve(&data, evm_addr_or_zero(AT_OTHER), ten);
        CHECK_STR(check_on(137, wanted[i].token, &data), "spender not on the list");
        erc20_approve(&data, evm_addr_or_zero(wanted[i].spender), ten); /* whose place is on Polygon */
        CHECK_STR(check_on(1, wanted[i].token, &data), "spender not on the list");
    }
    buf_free(&data);
}

static void exchanges_may_move_outcomes(void)
{
    const uint8_t condition[HASH_LEN] = { 1 };
    struct buf data = BUF_INIT(1024);

    polymarket_trust(&data, evm_addr_or_zero(AT_EXCHANGE));
    CHECK(check_on(137, AT_OUTCOMES, &data) == NULL);
    polymarket_trust(&data, evm_addr_or_zero(AT_NEG_RISK_EXCHANGE));
    CHECK(check_on(137, AT_OUTCOMES, &data) == NULL);
    polymarket_trust(&data, evm_addr_or_zero(AT_EXCHANGE_V3));
    CHECK(check_on(137, POLYMARKET_POSITIONS, &data) == NULL);
    polymarket_trust(&data, evm_addr_or_zero(AT_EXCHANGE));
    CHECK_STR(check_on(1, AT_OUTCOMES, &data), NOT_LISTED);
    polymarket_trust(&data, evm_addr_or_zero(AT_OTHER));
    CHECK_STR(check_on(137, AT_OUTCOMES, &data), "spender not on the list");
    polymarket_trust(&data, evm_addr_or_zero(AT_ONRAMP));
    CHECK_STR(check_on(137, AT_OUTCOMES, &data), "spender not on the list");
    polymarket_trust(&data, evm_addr_or_zero(AT_EXCHANGE));
    CHECK_STR(check_on(137, AT_OTHER, &data), NOT_LISTED);
    polymarket_redeem(&data, condition);
    CHECK(check_on(137, AT_OUTCOMES, &data) == NULL);
    polymarket_redeem(&data, condition);
    CHECK(check_on(137, POLYMARKET_NEG_RISK_ADAPTER, &data) == NULL);
    polymarket_redeem_v3(&data, condition, 0, u256_from_u64(10));
    CHECK(check_on(137, POLYMARKET_ROUTER, &data) == NULL);
    polymarket_redeem(&data, condition);
    CHECK_STR(check_on(137, AT_OTHER, &data), NOT_LISTED);
    polymarket_redeem_v3(&data, condition, 0, u256_from_u64(10));
    CHECK_STR(check_on(137, AT_OTHER, &data), NOT_LISTED);
    buf_free(&data);
}

TEST_MAIN(TEST(rules_allow_listed_calls_only), TEST(calls_that_end_early), TEST(trades_show_what_they_sell),
          TEST(trades_show_what_they_buy), TEST(other_chains_and_forms),
          TEST(collateral_may_go_to_the_deposit_wallet), TEST(collateral_may_be_taken_within_bounds),
          TEST(exchanges_may_move_outcomes))
