#include "signer/polymarket.c"

#include "base/test.h"
#include "venue/erc20.h"

#define WALLET "0x3744d263964A4242B9615dfd4D8528B864422F23"
static const char OTHER[] = "0x2222222222222222222222222222222222222222";
static const int64_t NOW = 1790000000;

static struct polymarket_terms terms;
static struct polymarket_message message;

static struct evm_addr at(const char *text)
{
    struct evm_addr a = { { 0 } };

    CHECK(evm_addr_parse(&a, text));
    return a;
}

static struct evm_addr deposit(void)
{
    return polymarket_wallet_of(at(WALLET), POLYMARKET_WALLET_BEACON);
}

/* Why the message is refused; "" when it is not. */
static const char *flaw(void)
{
    struct buf b = BUF_INIT(POLYMARKET_MESSAGE_MAX);
    struct act act;

    polymarket_message_write(&b, &message);
    CHECK(act_read_polymarket(&act, (const uint8_t *)b.data, b.len, WALLET, &terms, NOW));
    buf_free(&b);
    return act.flaw != NULL ? act.flaw : "";
}

static void order_begin(void)
{
    terms = (struct polymarket_terms){ .trading = true, .builder = { 5 } };
    message = (struct polymarket_message){ .kind = POLYMARKET_ORDER };
    message.order = (struct polymarket_order){ .salt = 7,
                                               .maker = at(WALLET),
                                               .signer = at(WALLET),
                                               .token = u256_from_u64(1),
                                               .maker_amount = u256_from_u64(8000000),
                                               .taker_amount = u256_from_u64(20000000),
                                               .timestamp = 1790000000000 };
}

static void own_orders_are_signed(void)
{
    order_begin();
    CHECK_STR(flaw(), "");
    message.order.builder[0] = 5;
    CHECK_STR(flaw(), "");
    message.order.signature_type = POLYMARKET_DEPOSIT_WALLET;
    message.order.maker = message.order.signer = deposit();
    CHECK_STR(flaw(), "");
    message.order.maker = message.order.signer = polymarket_wallet_of(at(WALLET), POLYMARKET_WALLET_UUPS);
    CHECK_STR(flaw(), "");
}

static void other_makers_are_refused(void)
{
    static const char why[] = "maker is neither the wallet nor its deposit wallet";

    order_begin();
    message.order.maker = at(OTHER);
    CHECK_STR(flaw(), why);
    message.order.signer = at(OTHER);
    CHECK_STR(flaw(), why);
    message.order.maker = at(WALLET);
    CHECK_STR(flaw(), why);
    order_begin();
    message.order.signature_type = POLYMARKET_DEPOSIT_WALLET; /* which makes the wallet's address a
                                                                 contract */
    CHECK_STR(flaw(), why);
    message.order.maker = message.order.signer = polymarket_wallet_of(at(OTHER), POLYMARKET_WALLET_BEACON);
    CHECK_STR(flaw(), why);
    message.order.maker = deposit();
    message.order.signer = at(WALLET);
    CHECK_STR(flaw(), why);
    for (uint8_t type = 1; type < 3; type++) {
        order_begin();
        message.order.signature_type = type;
        CHECK_STR(flaw(), why);
    }
}

static void other_members_are_refused(void)
{
    order_begin();
    message.order.builder[0] = 6;
    CHECK_STR(flaw(), "builder code is not the operator's");
    order_begin();
    message.order.metadata[31] = 1;
    CHECK_STR(flaw(), "members that no order of ours has");
    order_begin();
    message.order.salt = 1ull << 53;
    CHECK_STR(flaw(), "members that no order of ours has");
    order_begin();
    message.order.taker_amount = U256_ZERO;
    CHECK_STR(flaw(), "nothing for something");
    order_begin();
    terms.trading = false;
    CHECK_STR(flaw(), "prediction trading is not configured");
}

/* The amount that a limit counts, and its recipient. */
static void orders_are_counted_by_what_they_cost(void)
{
    struct buf b = BUF_INIT(POLYMARKET_MESSAGE_MAX);
    struct act act;

    order_begin();
    message.exchange = POLYMARKET_NEG_RISK;
    polymarket_message_write(&b, &message);
    CHECK(act_read_polymarket(&act, (const uint8_t *)b.data, b.len, WALLET, &terms, NOW));
    CHECK(act.has_token && act.chain_id == POLYMARKET_CHAIN_ID && act.nonce == 7);
    CHECK_STR(act.trade.sell, POLYMARKET_COLLATERAL);
    CHECK_STR(act.to, "0xe2222d279d744050d28e00520010520000310F59");
    CHECK(u256_cmp(act.trade.amount, u256_from_u64(8000000)) == 0);
    buf_reset(&b);
    message.order.side = POLYMARKET_SELL;
    polymarket_message_write(&b, &message);
    CHECK(act_read_polymarket(&act, (const uint8_t *)b.data, b.len, WALLET, &terms, NOW));
    CHECK(!act.has_token);
    CHECK(!act_read_polymarket(&act, (const uint8_t *)b.data, b.len - 1, WALLET, &terms, NOW));
    buf_free(&b);
}

static void own_credentials_are_proved(void)
{
    order_begin();
    message = (struct polymarket_message){ .kind = POLYMARKET_AUTH, .auth_timestamp = (uint64_t)NOW };
    CHECK_STR(flaw(), "");
    terms.trading = false;
    CHECK_STR(flaw(), "prediction trading is not configured");
}

/* ---- calls of the deposit wallet ---- */

static struct buf data = BUF_INIT(POLYMARKET_CALL_MAX);

static void batch_begin(void)
{
    order_begin();
    buf_reset(&data);
    message = (struct polymarket_message){ .kind = POLYMARKET_BATCH };
    message.batch = (struct polymarket_batch){
        .wallet = deposit(), .nonce = 1, .deadline = (uint64_t)NOW + 600, .calls = message.calls, .count = 1
    };
}

/* The flaw of a batch of the call in `data`, after which that is empty again. */
static const char *call_to(const char *target)
{
    const char *why;

    message.calls[0] =
        (struct polymarket_call){ .target = at(target), .data = (const uint8_t *)data.data, .len = data.len };
    why = flaw();
    buf_reset(&data);
    return why;
}

static const char TOKENS[] = "0x4D97DCd97eC945f40cF65F87097ACe5EA0476045",
                  ONRAMP[] = "0x93070a847efEf7F70739046A929D47a521F5B8ee",
                  OFFRAMP[] = "0x2957922Eb93258b93368531d39fAcCA3B4dC5854",
                  EXCHANGE[] = "0xE111180000d2663C0091e4f400237545B87B996B",
                  ROUTER[] = "0x12121212006e4CD160D18e3f00711DA5c3372600",
                  ADAPTER[] = "0xadA2005600Dec949baf300f4C6120000bDB6eAab",
                  UNISWAP[] = "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45";

static void calls_of_its_own_are_signed(void)
{
    const struct u256 ten = u256_from_u64(10);
    const uint8_t condition[HASH_LEN] = { 3 };

    batch_begin();
    erc20_approve(&data, at(EXCHANGE), ten);
    CHECK_STR(call_to(POLYMARKET_COLLATERAL), "");
    erc20_approve(&data, at(ONRAMP), ten);
    CHECK_STR(call_to(POLYMARKET_DOLLAR), "");
    polymarket_trust(&data, at(EXCHANGE));
    CHECK_STR(call_to(TOKENS), "");
    polymarket_wrap(&data, deposit(), ten);
    CHECK_STR(call_to(ONRAMP), "");
    polymarket_unwrap(&data, at(WALLET), ten);
    CHECK_STR(call_to(OFFRAMP), "");
    polymarket_redeem(&data, condition);
    CHECK_STR(call_to(TOKENS), "");
    polymarket_redeem(&data, condition);
    CHECK_STR(call_to(ADAPTER), "");
    polymarket_redeem_v3(&data, condition, 0, ten);
    CHECK_STR(call_to(ROUTER), "");
    erc20_transfer(&data, at(WALLET), ten);
    CHECK_STR(call_to(POLYMARKET_COLLATERAL), "");
}

static void other_calls_are_refused(void)
{
    const uint8_t condition[HASH_LEN] = { 3 };
    const struct u256 ten = u256_from_u64(10), most = { { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };

    batch_begin();
    erc20_approve(&data, at(OTHER), ten);
    CHECK_STR(call_to(POLYMARKET_COLLATERAL), NOT_LISTED);
    erc20_approve(&data, at(UNISWAP), ten); /* a spender, but none of this venue */
    CHECK_STR(call_to(POLYMARKET_COLLATERAL), NOT_LISTED);
    erc20_approve(&data, at(EXCHANGE), ten);
    CHECK_STR(call_to(OTHER), NOT_LISTED);
    erc20_approve(&data, at(EXCHANGE), most);
    CHECK_STR(call_to(POLYMARKET_COLLATERAL), "allowance without a bound");
    polymarket_trust(&data, at(OTHER));
    CHECK_STR(call_to(TOKENS), NOT_LISTED);
    polymarket_trust(&data, at(ONRAMP)); /* for dollars, not for outcomes */
    CHECK_STR(call_to(TOKENS), NOT_LISTED);
    polymarket_unwrap(&data, at(OTHER), ten);
    CHECK_STR(call_to(OFFRAMP), ELSEWHERE);
    polymarket_wrap(&data, deposit(), ten);
    CHECK_STR(call_to(OTHER), NOT_LISTED);
    polymarket_wrap(&data, at(OTHER), ten);
    CHECK_STR(call_to(ONRAMP), ELSEWHERE);
    polymarket_redeem(&data, condition);
    CHECK_STR(call_to(OTHER), NOT_LISTED);
    polymarket_redeem_v3(&data, condition, 0, ten);
    CHECK_STR(call_to(OTHER), NOT_LISTED);
    erc20_transfer(&data, at(OTHER), ten);
    CHECK_STR(call_to(POLYMARKET_COLLATERAL), ELSEWHERE);
    erc20_transfer(&data, at(WALLET), ten);
    CHECK_STR(call_to(OTHER), ELSEWHERE);
    CHECK_STR(call_to(OTHER), NOT_LISTED); /* a payment of nothing */
}

static void batches_are_of_the_wallet_and_end_soon(void)
{
    batch_begin();
    polymarket_trust(&data, at(EXCHANGE));
    message.calls[0] =
        (struct polymarket_call){ .target = at(TOKENS), .data = (const uint8_t *)data.data, .len = data.len };
    CHECK_STR(flaw(), "");
    message.batch.deadline = (uint64_t)NOW + BATCH_DEADLINE_MAX_S + 1;
    CHECK_STR(flaw(), "deadline too far away");
    message.batch.deadline--;
    CHECK_STR(flaw(), "");
    message.calls[0].value = u256_from_u64(1);
    CHECK_STR(flaw(), "value that is not traded");
    message.calls[0].value = U256_ZERO;
    message.calls[1] = message.calls[0];
    message.calls[1].target = at(OTHER);
    message.batch.count = 2;
    CHECK_STR(flaw(), NOT_LISTED); /* the last counts as well */
    message.batch.count = 1;
    message.batch.wallet = at(WALLET);
    CHECK_STR(flaw(), "not the deposit wallet of the wallet");
    message.batch.wallet = polymarket_wallet_of(at(OTHER), POLYMARKET_WALLET_BEACON);
    CHECK_STR(flaw(), "not the deposit wallet of the wallet");
    buf_free(&data);
}

static void the_operators_code_is_read(void)
{
    struct conf c = { .predict_trading = true, .predict_builder_code = "" };
    struct polymarket_terms t;
    char why[128];

    CHECK(polymarket_terms_read(&t, &c, why, sizeof why) && t.trading && is_zero(t.builder));
    c.predict_builder_code = "0x0500000000000000000000000000000000000000000000000000000000000000";
    CHECK(polymarket_terms_read(&t, &c, why, sizeof why) && t.builder[0] == 5);
    c.predict_builder_code = "0x05";
    CHECK(!polymarket_terms_read(&t, &c, why, sizeof why));
}

TEST_MAIN(TEST(own_orders_are_signed), TEST(other_makers_are_refused), TEST(other_members_are_refused),
          TEST(orders_are_counted_by_what_they_cost), TEST(own_credentials_are_proved),
          TEST(calls_of_its_own_are_signed), TEST(other_calls_are_refused),
          TEST(batches_are_of_the_wallet_and_end_soon), TEST(the_operators_code_is_read))
