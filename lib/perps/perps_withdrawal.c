#include "base/clock.h"
#include "chain/unavailable.h"
#include "exec/chain_ops.h"
#include "net/venues.h"
#include "perps/number.h"
#include "perps/perps_account.h"
#include "perps/perps_transfer_plan.h"
#include "perps/usdc_routes.h"
#include "perps/withdrawal_venue.h"
#include "store/perps_transfers.h"
#include "venue/hyperliquid_action.h"
#include "venue/hyperliquid_deposit.h"

enum {
    UNITS = 100,                 /* of the venue's 10^-8 in a smallest unit of a dollar on chains */
    VALID_FOR_S = 2 * 24 * 3600, /* as long as the venue takes a nonce */
    GAS_LIMIT = 200000,          /* of the contract that is paid: none */
    COST_ABOVE = 2,              /* times as much as expected may be taken, and a dollar more */
    DOLLAR = 1000000,
};

static const struct err *account_mode_read(struct perps_margin_op *m, bool *unified)
{
    struct perps_withdrawable account;
    struct amount at_hand;
    const struct err *e;

    if (!db_clock_ms(m->op.ctx->db, &m->seen_ms))
        return &E_PERPS_TRANSFER_FAILED;
    if ((e = perps_withdrawable(m->op.ctx, m->op.arena, &m->op.wallet, &account)) != NULL)
        return e;
    if (!account.has_something)
        return &E_PERPS_NOT_FUNDED;
    if (!perps_amount(&at_hand, account.dollars) ||
        !u256_div(&m->at_hand, NULL, at_hand.raw, u256_from_u64(UNITS)))
        return &E_PERPS_TRANSFER_FAILED;
    *unified = account.unified;
    const struct evm_addr user = evm_addr_or_zero(m->op.wallet.ref.address);

    return usdc_withdrawal_gas(m->op.ctx, m->op.arena, &user, m->transfer.route, &m->gas);
}

bool perps_withdrawal_left(const struct perps_margin_op *m, struct u256 *out)
{
    struct u256 leaving;

    if (!perps_transfers_leaving(m->op.ctx->db, m->op.wallet.id, m->seen_ms, &leaving))
        return false;
    *out = u256_sub_or_zero(u256_sub_or_zero(m->at_hand, leaving), m->gas);
    return true;
}

const struct err *perps_withdrawal_check(const struct perps_margin_op *m, struct u256 left)
{
    if (u256_cmp(m->transfer.amount, left) <= 0)
        return NULL;
    return err_hint(m->op.arena, &E_BALANCE,
                    arena_printf(m->op.arena, "%s USDC can be withdrawn: lower the amount, or send \"max\"",
                                 amount_text(m->op.arena, (struct amount){ left, m->dollar.decimals })));
}

static const struct err *amount_settle(struct perps_margin_op *m)
{
    struct u256 left;

    if (!perps_withdrawal_left(m, &left))
        return &E_PERPS_TRANSFER_FAILED;
    if (!m->everything)
        return perps_withdrawal_check(m, left);
    m->transfer.amount = left;
    return perps_transfer_least(left);
}

static void arrival_set(struct perps_transfer *t)
{
    uint64_t cost = 0;

    if (!u256_to_u64(&cost, usdc_withdrawal_cost(t->route)))
        return;
    t->expected = u256_sub_or_zero(t->amount, u256_from_u64(cost));
    t->least = u256_sub_or_zero(t->amount, u256_from_u64(COST_ABOVE * cost + DOLLAR));
}

const struct err *perps_withdrawal_plan(struct perps_margin_op *m)
{
    bool unified = false;
    const struct err *e;

    m->op.plan =
        (struct plan){ .wallet = m->op.wallet.ref.address, .deadline = clock_seconds() + VALID_FOR_S };
    if ((e = venue_check(m->op.arena, VENUE_PERPS_EXCHANGE)) != NULL ||
        (e = usdc_route(m->op.ctx, m->op.arena, m->chain, false, &m->transfer.route)) != NULL ||
        (e = account_mode_read(m, &unified)) != NULL || (e = amount_settle(m)) != NULL)
        return e;
    arrival_set(&m->transfer);
    if (chain_ops_of(m->chain)->newest_block(m->op.ctx, m->op.arena, m->chain, &m->transfer.block) !=
        LOOKUP_FOUND)
        return chain_unavailable(m->op.ctx, m->op.arena, m->chain);
    m->op.plan.leaves = (struct plan_amount){ .token = m->dollar, .amount = m->transfer.amount };
    m->op.plan.arrives = (struct plan_amount){ .token = m->dollar, .amount = m->transfer.least };
    struct hyperliquid_action *action = ARENA_NEW(m->op.arena, struct hyperliquid_action);
    struct hyperliquid_transfer *t = &action->transfer;
    struct u256 amount;

    *action = (struct hyperliquid_action){ .kind = m->transfer.route == PERPS_BRIDGE ? HYPERLIQUID_WITHDRAW
                                                                                     : HYPERLIQUID_SEND };
    t->recipient = evm_addr_or_zero(m->op.wallet.ref.address);
    t->from_spot = unified;
    t->gas_limit = GAS_LIMIT;
    if (!hyperliquid_domain(&t->domain, m->chain) ||
        !u256_mul(&amount, m->transfer.amount, u256_from_u64(UNITS)) || !u256_to_u64(&t->amount, amount))
        return &E_AMOUNT;
    perps_withdrawal_request(&m->op.plan, m->op.arena, action);
    return NULL;
}
