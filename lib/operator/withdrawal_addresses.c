#include "operator/withdrawal_addresses.h"

#include "chain/address.h"
#include "operator/agents.h"
#include "operator/sweep.h"
#include "store/withdrawal_addresses.h"
#include "transfer/address.h"

const char *operator_withdrawal_addresses(const struct ctx *ctx, struct arena *a, const char *agent,
                                          const struct withdrawal_address **list, int *n)
{
    struct withdrawal_address *all;
    struct agent found;
    const char *problem = operator_find_agent(ctx, a, agent, &found);

    *n = 0;
    if (problem != NULL)
        return problem;
    *n = withdrawal_addresses_list(ctx->db, a, found.id, &all);
    *list = all;
    return *n < 0 ? OPERATOR_DATABASE_FAILED : NULL;
}

const char *operator_address_order(const struct ctx *ctx, struct arena *a, const char *agent,
                                   const char *address, struct address_order *out)
{
    const char *problem = operator_find_agent(ctx, a, agent, &out->agent);

    if (problem != NULL)
        return problem;
    out->payout.agent = out->agent.uuid;
    return operator_address_read(out->payout.address, &out->payout.type, address)
               ? NULL
               : arena_printf(a, "not an address: %s", address);
}

static enum tx_verdict activating_tx(struct db *db, void *arg)
{
    struct withdrawal_address wa = *(const struct withdrawal_address *)arg, there;
    enum found found = withdrawal_addresses_find(db, wa.agent_id, wa.kind, wa.address, &there);
    enum done kept;

    if (found == FOUND_FAILED)
        return TX_FAILED;
    kept = found == FOUND_ONE ? withdrawal_addresses_activate(db, there.id, &wa.record)
                              : withdrawal_addresses_add(db, &wa, 0);
    return kept == DONE ? TX_COMMIT : kept == DONE_NOT ? TX_ROLLBACK : TX_FAILED;
}

const char *operator_address_now(const struct ctx *ctx, struct arena *a, const struct address_order *order,
                                 const uint8_t *mac)
{
    struct withdrawal_address wa;
    uint64_t wait_s;
    const struct err *e = address_register(ctx, a, &order->agent, order->payout.address,
                                           chain_type_text(order->payout.type), NULL, mac, &wa, &wait_s);

    if (e != NULL)
        return e->hint == NULL ? e->text : arena_printf(a, "%s: %s", e->text, e->hint);
    if (wait_s > 0)
        return "the signer does not take it for the operator's word";
    switch (db_outcome(db_transact(ctx->db, activating_tx, &wa))) {
    case DONE:
        return NULL;
    case DONE_NOT:
        return "it was removed meanwhile";
    default:
        return OPERATOR_DATABASE_FAILED;
    }
}
