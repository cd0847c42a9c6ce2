#include "venue/polymarket_calls.h"

#include <stdio.h>
#include <string.h>

#include "chain/evm/abi.h"
#include "venue/calls.h"

enum {
    SEL_WRAP = 0x62355638,
    SEL_UNWRAP = 0x8cc7104f,
    SEL_TRUST = 0xa22cb465,
    SEL_REDEEM = 0x01b7037c,
};
static const uint32_t SEL_REDEEM_V3 = 0xd217a3cc;

/* ---- encoding ---- */

static void encode_ramp(struct buf *out, uint32_t selector, struct evm_addr to, struct u256 amount)
{
    abi_selector(out, selector);
    abi_addr(out, evm_addr_or_zero(POLYMARKET_DOLLAR));
    abi_addr(out, to);
    abi_u256(out, amount);
}

void polymarket_wrap(struct buf *out, struct evm_addr to, struct u256 amount)
{
    encode_ramp(out, SEL_WRAP, to, amount);
}

void polymarket_unwrap(struct buf *out, struct evm_addr to, struct u256 amount)
{
    encode_ramp(out, SEL_UNWRAP, to, amount);
}

void polymarket_trust(struct buf *out, struct evm_addr whom)
{
    abi_selector(out, SEL_TRUST);
    abi_addr(out, whom);
    abi_u64(out, 1);
}

void polymarket_redeem(struct buf *out, const uint8_t condition[static HASH_LEN])
{
    abi_selector(out, SEL_REDEEM);
    abi_addr(out, evm_addr_or_zero(POLYMARKET_COLLATERAL));
    abi_u64(out, 0); /* no parent collection */
    buf_add(out, condition, HASH_LEN);
    abi_u64(out, 4 * ABI_WORD);
    abi_u64(out, 2); /* index sets: a bit for each outcome */
    abi_u64(out, 1);
    abi_u64(out, 2);
}

void polymarket_redeem_v3(struct buf *out, const uint8_t condition[static HASH_LEN], unsigned outcome,
                          struct u256 amount)
{
    abi_selector(out, SEL_REDEEM_V3);
    buf_add(out, condition, HASH_LEN);
    abi_u64(out, outcome);
    abi_u256(out, amount);
}

/* ---- reading ---- */

/* Only USDC.e: any other asset could be an arbitrary contract. */
static bool check_wrap(struct trade *out, const struct evm_call *call, const struct form *f)
{
    (void)call;
    (void)f;
    (void)snprintf(out->buy, sizeof out->buy, POLYMARKET_COLLATERAL);
    return strcmp(out->sell, POLYMARKET_DOLLAR) == 0;
}

static bool check_unwrap(struct trade *out, const struct evm_call *call, const struct form *f)
{
    (void)call;
    (void)f;
    (void)snprintf(out->sell, sizeof out->sell, POLYMARKET_COLLATERAL);
    return strcmp(out->buy, POLYMARKET_DOLLAR) == 0;
}

#define TRUST_ROW                                                                                            \
    {                                                                                                        \
        SEL_TRUST, TRADE_TRUST, "setApprovalForAll(address,bool)", .spender = { WORD, 0 }, .amount = {       \
            WORD,                                                                                            \
            1                                                                                                \
        }                                                                                                    \
    }
/* The last words are index sets, which are not checked: only the caller's own shares can be redeemed. */
#define REDEEM_ROW                                                                                           \
    {                                                                                                        \
        SEL_REDEEM, TRADE_REDEEM, "redeemPositions(address,bytes32,bytes32,uint256[])",                      \
            .zeros = 1 << 1, .buy = { WORD, 0 }, .recipient = {                                              \
                SENDER                                                                                       \
            }                                                                                                \
    }

static const struct call_row onramp_calls[] = { { SEL_WRAP, TRADE_SWAP, "wrap(address,address,uint256)",
                                                  .sell = { WORD, 0 }, .recipient = { WORD, 1 },
                                                  .amount = { WORD, 2 }, .minimum = { WORD, 2 },
                                                  .check = check_wrap },
                                                { 0 } },
                             offramp_calls[] = { { SEL_UNWRAP, TRADE_SWAP, "unwrap(address,address,uint256)",
                                                   .buy = { WORD, 0 }, .recipient = { WORD, 1 },
                                                   .amount = { WORD, 2 }, .minimum = { WORD, 2 },
                                                   .check = check_unwrap },
                                                 { 0 } },
                             token_calls[] = { TRUST_ROW, REDEEM_ROW, { 0 } },
                             position_calls[] = { TRUST_ROW, { 0 } }, adapter_calls[] = { REDEEM_ROW, { 0 } },
                             router_calls[] = { { SEL_REDEEM_V3, TRADE_REDEEM,
                                                  "redeem(bytes31,uint256,uint256)",
                                                  .recipient = { SENDER } },
                                                { 0 } };

const struct contract_kind polymarket_exchange[3] = {
    [POLYMARKET_V2] = { .spender = true, .trusted = true, .by_order = true },
    [POLYMARKET_NEG_RISK] = { .spender = true, .trusted = true, .by_order = true },
    [POLYMARKET_V3] = { .spender = true, .trusted = true, .by_order = true },
};
const struct contract_kind polymarket_onramp = { .calls = onramp_calls, .spender = true },
                           polymarket_offramp = { .calls = offramp_calls, .spender = true },
                           polymarket_tokens = { .calls = token_calls },
                           polymarket_positions = { .calls = position_calls },
                           polymarket_adapter = { .calls = adapter_calls, .trusted = true },
                           polymarket_neg_risk_adapter = { .calls = adapter_calls, .trusted = true },
                           polymarket_router = { .calls = router_calls, .trusted = true };
