#include "base/clock.h"
#include "exec/chain_ops.h"
#include "net/venues.h"
#include "perps/credit_venue.h"
#include "perps/perps_transfer_plan.h"
#include "perps/usdc_routes.h"
#include "venue/contracts.h"
#include "venue/hyperliquid_deposit.h"

enum { CALL_BYTES = 1024 };

/* Circle's contract takes the amount, and part of it pays for the way. */
static void add_burn(struct perps_margin_op *m, struct u256 max_fee)
{
    const struct contract *messenger = contract_of(m->chain, &circle_messenger);
    const struct hyperliquid_burn burn = { .token = evm_addr_or_zero(m->dollar.address),
                                           .amount = m->transfer.amount,
                                           .max_fee = max_fee,
                                           .recipient = evm_addr_or_zero(m->op.wallet.ref.address) };
    struct buf data = BUF_INIT(CALL_BYTES);
    struct plan *p = &m->op.plan;

    chain_ops_of(m->chain)->allow(p, m->op.arena, m->dollar.address, messenger->address, burn.amount);
    hyperliquid_burn_write(&data, &burn);
    p->spend = p->count++;
    p->steps[p->spend] = (struct step){ .kind = TX_SPEND,
                                        .to = messenger->address,
                                        .data = arena_memdup(m->op.arena, data.data, data.len),
                                        .data_len = data.len,
                                        .token = m->dollar.address,
                                        .spender = messenger->address,
                                        .token_amount = burn.amount };
    buf_free(&data);
}

static const struct err *add_steps(struct perps_margin_op *m, struct usdc_cost *cost)
{
    const struct err *e;

    *cost = (struct usdc_cost){ U256_ZERO, U256_ZERO };
    if (m->transfer.route == PERPS_BRIDGE) {
        chain_ops_of(m->chain)->transfer(&m->op.plan, m->op.arena,
                                         contract_of(m->chain, &hyperliquid_bridge)->address,
                                         m->transfer.amount);
        return NULL;
    }
    e = usdc_circle_cost(m->op.ctx, m->op.arena, m->chain, m->transfer.amount, cost);
    if (e == NULL && u256_cmp(cost->most, m->transfer.amount) >= 0)
        e = &E_PERPS_LEAST;
    if (e == NULL)
        add_burn(m, cost->most);
    return e;
}

/* For the wallet itself, whose account it becomes. */
const struct err *perps_deposit_plan(struct perps_margin_op *m)
{
    struct plan *p = &m->op.plan;
    struct usdc_cost cost;
    const struct err *e;

    *p = (struct plan){ .chain = m->chain,
                        .wallet = m->op.wallet.ref.address,
                        .recipient = m->op.wallet.ref.address,
                        .deadline = clock_seconds() + PLAN_VALID_FOR_S,
                        .leaves = { .token = m->dollar, .amount = m->transfer.amount },
                        .arrives = { .token = m->dollar } };
    if ((e = venue_check(m->op.arena, VENUE_PERPS_EXCHANGE)) != NULL || /* what it brings could not trade */
        (e = usdc_route(m->op.ctx, m->op.arena, m->chain, true, &m->transfer.route)) != NULL ||
        (e = add_steps(m, &cost)) != NULL)
        return e;
    perps_credit_request(p, m->op.arena);
    m->transfer.expected = u256_sub_or_zero(m->transfer.amount, cost.expected);
    m->transfer.least = u256_sub_or_zero(m->transfer.amount, cost.most);
    return NULL;
}
