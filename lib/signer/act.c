#include "signer/act.h"

#include "chain/evm/abi.h"
#include "chain/evm/tx.h"
#include "venue/solana.h"

enum { FAR_DEADLINE_MIN_S = 60 };

static const char TOO_LATE[] = "its time on the other chain is over";

static bool most_native(struct u256 *out, const struct evm_tx *tx)
{
    return u256_mul(out, u256_from_u64(tx->gas_limit), tx->max_fee) && u256_add(out, *out, tx->value);
}

static const char *flaw_of(struct act *act, const struct evm_tx *tx)
{
    if (!most_native(&act->native, tx))
        return "value and fee exceed what there can be";
    if (act->chain == NULL || act->chain->type != CHAIN_EVM)
        return "no such chain";
    return tx->create || tx->access_list_len != 0 ? "neither a call nor a payment" : NULL;
}

/* A deposit for an order that ends before a solver can fill it would only come back. */
static bool is_late(const struct trade *t, int64_t now)
{
    return t->far_deadline != 0 && t->far_deadline <= (uint64_t)now + FAR_DEADLINE_MIN_S;
}

bool act_read_evm(struct act *out, const uint8_t *bytes, size_t len, const char *wallet,
                  struct trade_proof proof, int64_t now)
{
    struct evm_tx tx;

    *out = (struct act){ .reading = TRADE_UNREADABLE };
    if (!evm_tx_decode_unsigned(&tx, bytes, len))
        return false;
    out->chain_id = tx.chain_id;
    out->chain = chain_by_id(tx.chain_id);
    out->has_nonce = true;
    out->nonce = tx.nonce;
    evm_addr_text(out->to, tx.to);
    out->has_selector = tx.data_len >= ABI_SELECTOR;
    out->selector = out->has_selector ? abi_get_selector(tx.data) : 0;
    out->trade.value = tx.value;
    out->flaw = flaw_of(out, &tx);
    if (out->flaw != NULL)
        return true;
    out->reading = trade_read_evm(&out->trade, out->chain, &tx, wallet, proof);
    if (out->reading == TRADE_READ && is_late(&out->trade, now))
        out->flaw = TOO_LATE;
    out->has_token =
        out->reading == TRADE_READ && out->trade.sell[0] != '\0' && !trade_sells_coin(&out->trade);
    return true;
}

static bool solana_native(struct act *act, const struct solana_costs *costs)
{
    struct u256 beside;

    return u256_add(&beside, u256_from_u64(costs->fee), u256_from_u64(costs->rent)) &&
           u256_add(&act->native, act->trade.value, beside);
}

bool act_read_solana(struct act *out, const uint8_t *bytes, size_t len, const char *wallet,
                     struct trade_proof proof, bool transfer, int64_t now)
{
    struct solana_costs costs;
    struct solana_accounts accounts;
    struct trade_proof order;
    struct solana_addr owner;
    struct solana_tx tx;

    *out = (struct act){ .reading = TRADE_UNREADABLE, .chain = chain_find("solana") };
    out->chain_id = out->chain->id;
    if (!solana_addr_parse(&owner, wallet) || solana_tx_read(&tx, bytes, len) != NULL ||
        !solana_proof_read(&accounts, &order, &tx, proof))
        return false;
    out->flaw = transfer ? transfer_read_solana(&out->trade, &costs, &tx, &accounts, &owner)
                         : trade_read_solana(&out->trade, &costs, &tx, &accounts, &owner, order);
    if (out->flaw != NULL)
        return true;
    (void)snprintf(out->to, sizeof out->to, "%s",
                   transfer ? out->trade.recipient : out->trade.contract->address);
    if (!solana_native(out, &costs))
        out->flaw = "value and fee exceed what there can be";
    else if (is_late(&out->trade, now))
        out->flaw = TOO_LATE;
    out->reading = TRADE_READ;
    out->unwraps = costs.unwraps;
    out->has_token = !trade_sells_coin(&out->trade);
    return order.len == 0 || out->trade.proven;
}

bool act_is_trade(const struct act *act)
{
    return act->trade.act == TRADE_SWAP || act->trade.act == TRADE_BRIDGE;
}

const struct chain *act_bought_on(const struct act *act)
{
    return act->trade.act == TRADE_BRIDGE ? chain_by_id(act->trade.far_chain) : act->chain;
}
