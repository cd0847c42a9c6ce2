/* Velora's Augustus V6.2 checks the minimum before its partner's fee leaves: what arrives is less. */
#include <string.h>

#include "chain/evm/abi.h"
#include "venue/aggregators.h"
#include "venue/calls.h"

enum { MINIMUM = 4, PARTNER = 8 };

/* A word: the partner's address, flags, and the fee in basis points. */
enum {
    PARTNER_FLAGS_AT = 12 * 8, /* below it */
    FEE_MASK = 0x3fff,
    FEE_MAX = 200, /* the contract takes no more */
    ALL_BPS = 10000,
};
static const uint64_t SURPLUS_CAPPED = UINT64_C(1) << 28, LISTS_SKIPPED = UINT64_C(1) << 29,
                      REFERRAL = UINT64_C(1) << 30, SURPLUS_TAKEN = UINT64_C(1) << 31;

/* Rounded against the wallet, and a unit less for the contract's own rounding. */
static bool fee_leave(struct u256 *minimum, uint64_t bps)
{
    struct u256 left;

    return u256_muldiv(&left, *minimum, u256_from_u64(ALL_BPS - bps), u256_from_u64(ALL_BPS)) &&
           u256_sub(minimum, left, u256_from_u64(1));
}

/* The named partner gets the fee, which is taken off the minimum. Surplus goes to the operator's only. */
static bool check_partner(struct trade *out, const struct evm_call *call, const struct form *f)
{
    struct u256 word = u256_from_be(f->first[PARTNER]);
    uint64_t fee = word.limb[0], flags = word.limb[1] & UINT32_MAX;
    struct evm_addr partner;

    (void)call;
    if (fee > FEE_MAX || (flags & ~(SURPLUS_CAPPED | LISTS_SKIPPED | REFERRAL | SURPLUS_TAKEN)) != 0)
        return false;
    if ((flags & (REFERRAL | SURPLUS_TAKEN)) != 0) {
        memcpy(partner.bytes, f->first[PARTNER], EVM_ADDR_LEN);
        evm_addr_text(out->fee_receiver, partner);
    }
    return fee_leave(&out->minimum, fee);
}

static const struct call_row calls[] = {
    { 0xe3ead59e, TRADE_SWAP,
      "swapExactAmountIn(address,(address,address,uint256,uint256,uint256,bytes32,address),uint256,bytes,"
      "bytes)",
      .sell = { WORD, 1 }, .amount = { WORD, 3 }, .buy = { WORD, 2 }, .minimum = { WORD, MINIMUM },
      .recipient = { WORD, 7 }, .coin = AGGREGATOR_COIN, .zero_is_sender = true, .zeros = 1 << 9,
      .check = check_partner },
    { 0 },
};

const struct contract_kind velora_augustus = { .calls = calls, .spender = true };
