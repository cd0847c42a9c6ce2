#include "operator/admin_withdrawal_addresses.h"

#include "chain/address.h"
#include "operator/admin_agents.h"
#include "operator/admin_sweep.h"
#include "signer/client.h"
#include "store/withdrawal_addresses.h"
#include "transfer/address.h"
#include "webhook/security.h"

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
    out->payee.agent = out->agent.uuid;
    return operator_address_read(out->payee.address, &out->payee.type, address)
               ? NULL
               : arena_printf(a, "not an address: %s", address);
}

struct activating {
    const struct ctx *ctx;
    struct arena *arena;
    struct withdrawal_address address;
};

/* Sets wa to the row that there is. */
static enum db_update address_activate(struct db *db, struct withdrawal_address *wa)
{
    struct address_record record = wa->record;
    struct withdrawal_address there;
    enum db_update kept;

    switch (withdrawal_addresses_at(db, wa->agent_id, wa->kind, wa->address, &there)) {
    case LOOKUP_ERROR:
        return DB_ERROR;
    case LOOKUP_NONE:
        return withdrawal_addresses_add(db, wa, 0);
    case LOOKUP_FOUND:
        break;
    }
    kept = withdrawal_addresses_activate(db, there.id, &record);
    if (kept == UPDATED && withdrawal_addresses_get(db, there.agent_id, there.id, wa) != LOOKUP_FOUND)
        kept = DB_ERROR;
    return kept;
}

static enum tx_verdict activating_tx(struct db *db, void *arg)
{
    const struct activating *it = arg;
    struct withdrawal_address wa = it->address;
    enum db_update kept = address_activate(db, &wa);

    if (kept == UNCHANGED)
        return TX_ROLLBACK;
    return kept == UPDATED && address_tell(it->ctx, db, it->arena, EVENT_ADDRESS_ADDED, &wa) ? TX_COMMIT
                                                                                             : TX_FAILED;
}

const char operator_order_over[] =
    "the signer takes no order of that second: the address was removed in it, or the clocks differ";

const char *operator_address_now(const struct ctx *ctx, struct arena *a, const struct address_order *order,
                                 const uint8_t *mac)
{
    struct activating it = { .ctx = ctx, .arena = a };
    uint64_t wait_s;
    const struct err *e =
        address_register(ctx, a, &order->agent, order->payee.address, chain_type_text(order->payee.type),
                         NULL, NULL, mac, &it.address, &wait_s);

    if (e != NULL && signer_rule(ctx->signer) == RULE_ORDER)
        return operator_order_over;
    if (e != NULL)
        return e->hint == NULL ? e->text : arena_printf(a, "%s: %s", e->text, e->hint);
    if (wait_s > 0)
        return "the signer does not take it for the operator's word";
    switch (db_outcome(db_transact(ctx->db, activating_tx, &it))) {
    case UPDATED:
        return NULL;
    case UNCHANGED:
        return "it was removed meanwhile";
    default:
        return OPERATOR_DATABASE_FAILED;
    }
}
