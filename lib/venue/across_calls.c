#include "venue/across_calls.h"

#include "chain/evm/abi.h"
#include "venue/bridges.h"

enum {
    DEPOSITOR,
    RECIPIENT,
    SENT,
    BOUGHT,
    AMOUNT,
    OUTPUT,
    FAR_CHAIN,
    RELAYER,
    QUOTED,
    DEADLINE,
    EXCLUSIVE,
    MESSAGE,
    MEMBERS
};

enum { DEPOSIT = 0x7b939232 };

void across_deposit_write(struct buf *out, const struct across_deposit *d)
{
    abi_selector(out, DEPOSIT);
    abi_addr(out, d->depositor);
    abi_addr(out, d->recipient);
    abi_addr(out, d->sent);
    abi_addr(out, d->bought);
    abi_u256(out, d->amount);
    abi_u256(out, d->output);
    abi_u64(out, d->far_chain);
    abi_addr(out, d->relayer);
    abi_u64(out, d->quoted);
    abi_u64(out, d->deadline);
    abi_u64(out, d->exclusive);
    abi_u64(out, MEMBERS * ABI_WORD);
    abi_bytes_tail(out, "", 0);
}

static bool is_u32(const struct form *f, unsigned member, uint64_t *out)
{
    return abi_get_u64(out, f->first[member], ABI_WORD, 0) && *out <= UINT32_MAX;
}

/* Checks the words that no member of a trade names: the pool has to be able to read each of them. */
static bool check_deposit(struct trade *out, const struct evm_call *call, const struct form *f)
{
    struct evm_addr relayer;
    uint64_t time;

    (void)call;
    if (chain_by_id(out->far_chain)->type != CHAIN_EVM || !is_u32(f, QUOTED, &time) ||
        !is_u32(f, EXCLUSIVE, &time) || !is_u32(f, DEADLINE, &out->far_deadline) ||
        !abi_get_addr(&relayer, f->first[RELAYER], ABI_WORD, 0))
        return false;
    across_pays(out);
    return out->far_deadline != 0;
}

/* Sent as value, the coin pays for the token that wraps it. No word stands for a coin, so that no zero
 * address is taken for one. */
static const struct call_row deposits[] = {
    { DEPOSIT, TRADE_BRIDGE,
      "depositV3(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)",
      .sell = { WORD, SENT }, .amount = { WORD, AMOUNT }, .buy = { WORD, BOUGHT },
      .minimum = { WORD, OUTPUT }, .recipient = { WORD, RECIPIENT }, .far_chain = { WORD, FAR_CHAIN },
      .refund = { WORD, DEPOSITOR }, .zeros = 1U << MESSAGE, .takes_coin = true, .check = check_deposit },
    { 0 },
};

const struct contract_kind across_spoke_pool = { .bridges = deposits, .spender = true };
