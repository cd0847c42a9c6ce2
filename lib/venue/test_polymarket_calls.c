#include "venue/polymarket_calls.c"

#include "base/test.h"
#include "chain/chains.h"
#include "venue/test_util.h"

static void selectors_are_right(void)
{
    CHECK(SEL_WRAP == abi_selector_of("wrap(address,address,uint256)"));
    CHECK(SEL_UNWRAP == abi_selector_of("unwrap(address,address,uint256)"));
    CHECK(SEL_TRUST == abi_selector_of("setApprovalForAll(address,bool)"));
    CHECK(SEL_REDEEM == abi_selector_of("redeemPositions(address,bytes32,bytes32,uint256[])"));
    CHECK(SEL_REDEEM_V3 == abi_selector_of("redeem(bytes31,uint256,uint256)"));
}

static enum trade_reading read_polygon(struct trade *t, const struct contract_kind *kind,
                                       const struct buf *data)
{
    const struct chain *c = chain_by_id(POLYMARKET_CHAIN_ID);
    struct evm_tx tx = { .chain_id = c->id, .to = contract_addr(contract_of(c, kind)) };

    tx.data = (const uint8_t *)data->data;
    tx.data_len = data->len;
    return trade_read_evm(t, c, &tx, AT_WALLET, NO_PROOF);
}

static void ramps_are_read_back(void)
{
    struct buf b = BUF_INIT(1024);
    struct trade t;

    polymarket_wrap(&b, address(AT_OTHER), u256_from_u64(7));
    CHECK(read_polygon(&t, &polymarket_onramp, &b) == TRADE_READ && t.act == TRADE_SWAP);
    CHECK_STR(t.sell, POLYMARKET_DOLLAR);
    CHECK_STR(t.buy, POLYMARKET_COLLATERAL);
    CHECK_STR(t.recipient, AT_OTHER);
    CHECK(equals(t.amount, 7) && equals(t.minimum, 7));
    CHECK(read_polygon(&t, &polymarket_offramp, &b) == TRADE_UNLISTED);
    b.data[ABI_SELECTOR + ABI_WORD - 1] ^= 1; /* another asset */
    CHECK(read_polygon(&t, &polymarket_onramp, &b) == TRADE_UNREADABLE);
    buf_reset(&b);
    polymarket_unwrap(&b, address(AT_WALLET), u256_from_u64(8));
    CHECK(read_polygon(&t, &polymarket_offramp, &b) == TRADE_READ && t.act == TRADE_SWAP);
    CHECK_STR(t.sell, POLYMARKET_COLLATERAL);
    CHECK_STR(t.buy, POLYMARKET_DOLLAR);
    CHECK_STR(t.recipient, AT_WALLET);
    b.data[ABI_SELECTOR + ABI_WORD - 1] ^= 1;
    CHECK(read_polygon(&t, &polymarket_offramp, &b) == TRADE_UNREADABLE);
    buf_free(&b);
}

static void trust_is_read_back(void)
{
    struct buf b = BUF_INIT(1024);
    struct trade t;

    polymarket_trust(&b, polymarket_exchange_addr(POLYMARKET_V3));
    CHECK(read_polygon(&t, &polymarket_positions, &b) == TRADE_READ && t.act == TRADE_TRUST);
    CHECK(t.spender_listed && equals(t.amount, 1) && t.sell[0] == '\0');
    CHECK(read_polygon(&t, &polymarket_tokens, &b) == TRADE_READ);
    CHECK(read_polygon(&t, &polymarket_onramp, &b) == TRADE_UNLISTED);
    buf_free(&b);
}

/* With a word missing or too many, or with a parent, the call is unreadable. */
static void redemptions_are_read_back(void)
{
    const uint8_t condition[HASH_LEN] = { 9 };
    struct buf b = BUF_INIT(1024);
    struct trade t;

    polymarket_redeem(&b, condition);
    CHECK(read_polygon(&t, &polymarket_tokens, &b) == TRADE_READ && t.act == TRADE_REDEEM);
    CHECK_STR(t.recipient, AT_WALLET);
    CHECK_STR(t.buy, POLYMARKET_COLLATERAL);
    CHECK(read_polygon(&t, &polymarket_adapter, &b) == TRADE_READ);
    CHECK(read_polygon(&t, &polymarket_neg_risk_adapter, &b) == TRADE_READ);
    CHECK(read_polygon(&t, &polymarket_router, &b) == TRADE_UNLISTED);
    b.len -= ABI_WORD;
    CHECK(read_polygon(&t, &polymarket_tokens, &b) == TRADE_UNREADABLE);
    b.len += ABI_WORD;
    b.data[ABI_SELECTOR + 2 * ABI_WORD - 1] = 1; /* a parent */
    CHECK(read_polygon(&t, &polymarket_tokens, &b) == TRADE_UNREADABLE);
    buf_reset(&b);
    polymarket_redeem_v3(&b, condition, 1, u256_from_u64(2));
    CHECK(read_polygon(&t, &polymarket_router, &b) == TRADE_READ && t.act == TRADE_REDEEM);
    buf_addc(&b, 0);
    CHECK(read_polygon(&t, &polymarket_router, &b) == TRADE_UNREADABLE);
    buf_free(&b);
}

TEST_MAIN(TEST(selectors_are_right), TEST(ramps_are_read_back), TEST(trust_is_read_back),
          TEST(redemptions_are_read_back))
