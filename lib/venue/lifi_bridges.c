#include <stdio.h>
#include <string.h>

#include "chain/evm/abi.h"
#include "chain/tokens.h"
#include "venue/bridges.h"

/* Members of the header; behind it the swaps before, if there are any, and what the bridge itself is told. */
enum {
    SENT = 4, /* the token that is bridged */
    RECEIVER,
    LEAST, /* of it */
    FAR_CHAIN,
    HAS_SWAPS,
    HAS_CALL,
    SWAPS,
    SWAP_SELL = SWAPS + 3,
    SWAP_BUY,
    SWAP_AMOUNT,
    SWAPS_END = SWAPS + 8,
};

/* ---- common parts ---- */

static bool same_word(const uint8_t *a, const uint8_t *b)
{
    return a != NULL && b != NULL && memcmp(a, b, ABI_WORD) == 0;
}

/* With swaps before it, the last of them brings what is bridged. */
static bool swaps_fit(const struct form *f, bool swaps)
{
    return u256_cmp(u256_from_be(f->first[HAS_SWAPS]), u256_from_u64(swaps)) == 0 &&
           (!swaps || same_word(f->last[SWAP_BUY], f->first[SENT]));
}

/* ---- Across V4 ---- */

enum { ACROSS_RECEIVER, REFUND, ACROSS_SENT, BOUGHT, OUTPUT, MULTIPLIER, MESSAGE = 10 };

/* The coin is sent as the token that wraps it. */
static bool across_sends(const struct evm_call *call, const struct form *f, unsigned at)
{
    const struct token *wrapped = token_wrapped_native(call->chain);
    struct evm_addr sent, header;

    if (!abi_get_addr(&header, f->first[SENT], ABI_WORD, 0) ||
        !abi_get_addr(&sent, f->first[at + ACROSS_SENT], ABI_WORD, 0))
        return false;
    if (evm_addr_is_zero(header))
        return wrapped != NULL && evm_addr_eq(sent, token_addr(wrapped));
    return evm_addr_eq(sent, header);
}

/* After a swap the diamond computes the output anew, by the multiplier. */
static bool across_output(struct trade *out, const struct form *f, unsigned at)
{
    static const uint64_t ONE = 1000000000000000000;

    return u256_muldiv(&out->minimum, u256_from_be(f->first[LEAST]), u256_from_be(f->first[at + MULTIPLIER]),
                       u256_from_u64(ONE));
}

void across_pays(struct trade *out)
{
    const struct chain *far = chain_by_id(out->far_chain);
    const struct token *wrapped = token_wrapped_native(far);

    if (far->type == CHAIN_EVM && wrapped != NULL && strcmp(out->buy, wrapped->address_text) == 0)
        (void)snprintf(out->buy, sizeof out->buy, TRADE_COIN);
}

/* In the header, for one who has no address of 20 bytes. */
static const uint8_t ELSEWHERE[ABI_WORD] = { 0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
                                             0,    0x11, 0xf1, 0x11, 0xf1, 0x11, 0xf1, 0x11, 0xf1, 0x11, 0xf1,
                                             0x11, 0xf1, 0x11, 0xf1, 0x11, 0xf1, 0x11, 0xf1, 0x11, 0xf1 };

static bool across_receives(const struct trade *t, const struct form *f, unsigned at)
{
    const struct chain *far = chain_by_id(t->far_chain);

    return same_word(f->first[RECEIVER], far->type == CHAIN_EVM ? f->first[at + ACROSS_RECEIVER] : ELSEWHERE);
}

static bool across_fits(struct trade *out, const struct evm_call *call, const struct form *f, unsigned at)
{
    if (!swaps_fit(f, at == SWAPS_END) || !across_sends(call, f, at) || !across_receives(out, f, at))
        return false;
    across_pays(out);
    return true;
}

static bool check_across(struct trade *out, const struct evm_call *call, const struct form *f)
{
    return across_fits(out, call, f, SWAPS);
}

static bool check_swap_across(struct trade *out, const struct evm_call *call, const struct form *f)
{
    return across_fits(out, call, f, SWAPS_END) && across_output(out, f, SWAPS_END);
}

/* ---- Circle's CCTP: native USDC on both sides, less a fee of at most so much ---- */

static const struct token *circle_dollar(const struct chain *c)
{
    static const char *const served[] = {
        "ethereum", "optimism", "polygon", "arbitrum", "base", "avalanche"
    };

    for (size_t i = 0; c != NULL && i < sizeof served / sizeof served[0]; i++)
        if (strcmp(served[i], c->key) == 0)
            return token_find(c, "USDC");
    return NULL;
}

static bool circle_fits(struct trade *out, const struct evm_call *call, const struct form *f, unsigned fee)
{
    const struct token *sent = circle_dollar(call->chain), *bought;
    struct evm_addr header;

    if (!abi_get_addr(&header, f->first[SENT], ABI_WORD, 0))
        return false;
    bought = circle_dollar(chain_by_id(out->far_chain));
    if (sent == NULL || bought == NULL || !evm_addr_eq(header, token_addr(sent)))
        return false;
    (void)snprintf(out->buy, sizeof out->buy, "%s", bought->address_text);
    return u256_sub(&out->minimum, u256_from_be(f->first[LEAST]), u256_from_be(f->first[fee]));
}

static bool check_circle(struct trade *out, const struct evm_call *call, const struct form *f)
{
    return swaps_fit(f, false) && circle_fits(out, call, f, SWAPS);
}

static bool check_swap_circle(struct trade *out, const struct evm_call *call, const struct form *f)
{
    return swaps_fit(f, true) && circle_fits(out, call, f, SWAPS_END);
}

/* ---- the same by Polymer, which keeps a fee of its own here ---- */

enum { POLYMER_FEE, CIRCLE_FEE, NO_EVM_RECEIVER, SOLANA_RECEIVER, LEFTOVERS = 5, HOOK };

static bool polymer_fits(struct trade *out, const struct evm_call *call, const struct form *f, unsigned at)
{
    return circle_fits(out, call, f, at + CIRCLE_FEE) &&
           u256_sub(&out->minimum, out->minimum, u256_from_be(f->first[at + POLYMER_FEE]));
}

static bool check_polymer(struct trade *out, const struct evm_call *call, const struct form *f)
{
    return swaps_fit(f, false) && polymer_fits(out, call, f, SWAPS);
}

static bool check_swap_polymer(struct trade *out, const struct evm_call *call, const struct form *f)
{
    return swaps_fit(f, true) && polymer_fits(out, call, f, SWAPS_END);
}

/* ---- rows ---- */

#define HEADER  "((bytes32,string,string,address,address,address,uint256,uint256,bool,bool)"
#define SOLD    "(address,address,address,address,uint256,bytes,bool)[]"
#define ACROSS  "(bytes32,bytes32,bytes32,bytes32,uint256,uint128,bytes32,uint32,uint32,uint32,bytes)"
#define CIRCLE  "(uint256,uint32)"
#define POLYMER "(uint256,uint256,bytes32,bytes32,uint32,address,bytes)"
#define SENDS   .far_chain = { WORD, FAR_CHAIN }, .sell = { WORD, SENT }, .amount = { WORD, LEAST }
#define SWAPPED .far_chain = { WORD, FAR_CHAIN }, .sell = { WORD, SWAP_SELL }, .amount = { WORD, SWAP_AMOUNT }
#define ACROSS_AT(at)                                                                                        \
    .buy = { WORD, (at) + BOUGHT }, .minimum = { WORD, (at) + OUTPUT },                                      \
    .recipient = { WORD, (at) + ACROSS_RECEIVER }, .refund = { WORD, (at) + REFUND },                        \
    .zeros = 1U << HAS_CALL | 1U << ((at) + MESSAGE), .coin = TRADE_COIN
#define CIRCLE_TO .recipient = { WORD, RECEIVER }, .zeros = 1U << HAS_CALL
/* The rest of a swap is the wallet's, and the dollars on the other chain are only paid out. */
#define POLYMER_AT(at)                                                                                       \
    .recipient = { WORD, RECEIVER }, .refund = { WORD, (at) + LEFTOVERS },                                   \
    .zeros = 1U << HAS_CALL | 1U << ((at) + NO_EVM_RECEIVER) | 1U << ((at) + SOLANA_RECEIVER) |              \
             1U << ((at) + HOOK)

const struct call_row lifi_bridge_calls[LIFI_BRIDGES + 1] = {
    { 0xa1f1ce43, TRADE_BRIDGE, "startBridgeTokensViaAcrossV4" HEADER "," ACROSS ")", SENDS, ACROSS_AT(SWAPS),
      .check = check_across },
    { 0x1794958f, TRADE_BRIDGE, "swapAndStartBridgeTokensViaAcrossV4" HEADER "," SOLD "," ACROSS ")", SWAPPED,
      ACROSS_AT(SWAPS_END), .check = check_swap_across },
    { 0xe0a4201c, TRADE_BRIDGE, "startBridgeTokensViaCelerCircleBridge" HEADER "," CIRCLE ")", SENDS,
      CIRCLE_TO, .check = check_circle },
    { 0x4f3b0759, TRADE_BRIDGE, "swapAndStartBridgeTokensViaCelerCircleBridge" HEADER "," SOLD "," CIRCLE ")",
      SWAPPED, CIRCLE_TO, .coin = TRADE_COIN, .check = check_swap_circle },
    { 0xf434d6ca, TRADE_BRIDGE, "startBridgeTokensViaPolymerCCTP" HEADER "," POLYMER ")", SENDS,
      POLYMER_AT(SWAPS), .check = check_polymer },
    { 0x17917a4e, TRADE_BRIDGE, "swapAndStartBridgeTokensViaPolymerCCTP" HEADER "," SOLD "," POLYMER ")",
      SWAPPED, POLYMER_AT(SWAPS_END), .coin = TRADE_COIN, .check = check_swap_polymer },
    { 0 },
};
