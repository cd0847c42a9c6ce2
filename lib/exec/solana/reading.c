#include "exec/solana/reading.h"

bool solana_is_transfer(const struct plan *p)
{
    return p->recipient != NULL && p->bridge == NULL && u256_is_zero(p->arrives.amount);
}

const char *solana_step_trade(struct solana_reading *out, const struct plan *p, const struct step *s)
{
    const char *why = solana_tx_read(&out->tx, s->data, s->data_len);
    struct trade_proof order;

    if (why != NULL)
        return why;
    if (!solana_addr_parse(&out->wallet, p->wallet))
        return "no wallet";
    if (!solana_proof_read(&out->accounts, &order, &out->tx, (struct trade_proof){ s->proof, s->proof_len }))
        return "a lookup table that is not as it says";
    why = solana_is_transfer(p)
              ? transfer_read_solana(&out->trade, &out->costs, &out->tx, &out->accounts, &out->wallet)
              : trade_read_solana(&out->trade, &out->costs, &out->tx, &out->accounts, &out->wallet, order);
    return why == NULL && order.len > 0 && !out->trade.proven ? "more is shown than it is about" : why;
}

/* The keys: signers that write, signers that do not, others that are written to, others that are not; then
 * what is looked up, in the same order for all tables together. */
bool solana_may_write(const struct solana_tx *tx, unsigned account)
{
    unsigned looked_up = 0;

    if (account < tx->signers)
        return account < tx->signers - tx->readonly_signers;
    if (account < tx->key_count)
        return account < tx->key_count - tx->readonly_others;
    for (unsigned i = 0; i < tx->lookup_count; i++)
        looked_up += (unsigned)tx->lookups[i].writable_count;
    return account - tx->key_count < looked_up;
}
