#include "base/incident.h"
#include "chain/tokens.h"
#include "exec/chain_ops.h"
#include "predict/account.h"
#include "predict/balance_venue.h"
#include "predict/transfer_plan.h"
#include "venue/polymarket_calls.h"

static bool is_collateral(const struct token_ref *t)
{
    const struct token_ref pusd = transfer_collateral();

    return strcmp(t->address, pusd.address) == 0;
}

static const struct err *deposit_token(struct transfer *t, struct token_ref *out)
{
    const struct token *known = token_find(chain_by_id(POLYMARKET_CHAIN_ID), t->asked->token);

    if (known != NULL) {
        *out = token_ref_of(known);
        if (is_collateral(out) || strcmp(out->address, POLYMARKET_DOLLAR) == 0)
            return NULL;
    }
    return err_on(t->op.arena, &E_DEPOSIT_TOKEN, "token");
}

/* USDC.e becomes collateral of the trading address. */
static void deposit_wrap(struct transfer *t)
{
    struct buf data = BUF_INIT(256);

    chain_ops_of(t->op.plan.chain)
        ->allow(&t->op.plan, t->op.arena, POLYMARKET_DOLLAR, POLYMARKET_ONRAMP, t->amount);
    polymarket_wrap(&data, t->trading.address, t->amount);
    transfer_step(t, POLYMARKET_ONRAMP, &data, POLYMARKET_DOLLAR, POLYMARKET_ONRAMP);
}

/* Collateral of a wallet that trades itself is where it has to be. */
static const struct err *deposit_move(struct transfer *t)
{
    if (t->trading.is_contract) {
        chain_ops_of(t->op.plan.chain)->transfer(&t->op.plan, t->op.arena, t->op.plan.recipient, t->amount);
        return NULL;
    }
    t->op.plan.chain = NULL;
    return u256_cmp(t->trading.collateral, t->amount) < 0 ? &E_BALANCE : NULL;
}

/* The allowances with which exchanges settle orders: each may take the wallet's later balance, and no
 * more. */
static void deposit_access(struct transfer *t, struct u256 held)
{
    for (enum polymarket_exchange e = POLYMARKET_V2; e <= POLYMARKET_V3; e++) {
        if (u256_cmp(t->trading.allowance[e], held) != 0)
            trading_batch_allow(&t->batch, t->op.arena, polymarket_exchange_addr(e), held);
        if (!t->trading.trusted[e])
            trading_batch_trust(&t->batch, t->op.arena, outcome_tokens_addr(e), polymarket_exchange_addr(e));
    }
}

/* Then the venue, which has to know of it. */
static const struct err *deposit_requests(struct transfer *t, bool arrived)
{
    struct balance_order *order = ARENA_NEW(t->op.arena, struct balance_order);
    struct u256 held;

    if (!u256_add(&held, t->trading.collateral, t->amount))
        return &E_AMOUNT;
    if (t->trading.is_contract) {
        deposit_access(t, held);
        trading_batch_request(&t->op.plan, t->op.arena, &t->trading, &t->batch,
                              t->op.plan.deadline - BALANCE_S);
    }
    *order = (struct balance_order){ .before = t->trading.collateral, .amount = t->amount };
    if (arrived && !u256_sub(&order->before, t->trading.collateral, t->amount))
        return &E_BALANCE;
    balance_request(&t->op.plan, t->op.arena, order);
    return NULL;
}

/* Money that is paid to an address where no wallet is made is lost: before there is one, its factory has to
 * name the address that was computed. */
static const struct err *deposit_place(const struct transfer *t)
{
    if (!t->trading.is_contract || t->trading.deployed || t->trading.place == PLACE_SAME)
        return NULL;
    log_repeated("deposit_wallet_differs", "",
                 "msg=\"the factory of deposit wallets does not name the address that was computed\" "
                 "wallet=%s computed=%s said=%s",
                 t->op.wallet.ref.address, evm_addr_print(t->op.arena, t->trading.address),
                 t->trading.place == PLACE_OTHER ? "another" : "nothing");
    return err_hint(t->op.arena, &E_TRANSFER_FAILED,
                    "Nothing was paid: the venue's factory does not make the trading wallet at the address "
                    "that is computed for it. The operator has to look; a retry does not help");
}

const struct err *deposit_plan(struct transfer *t)
{
    struct plan *p = &t->op.plan;
    struct token_ref token;
    const struct err *e;
    bool wraps;

    if ((e = deposit_token(t, &token)) != NULL ||
        (e = token_ref_amount(t->op.arena, &token, t->asked->amount, &t->amount)) != NULL ||
        (e = deposit_place(t)) != NULL)
        return e;
    wraps = !is_collateral(&token);
    p->deadline += BALANCE_S;
    p->leaves = (struct plan_amount){ .token = token, .amount = t->amount };
    p->arrives.token = transfer_collateral();
    if (t->trading.is_contract)
        p->recipient = evm_addr_print(t->op.arena, t->trading.address);
    else if (wraps)
        p->arrives.amount = t->amount;
    if (wraps)
        deposit_wrap(t);
    else if ((e = deposit_move(t)) != NULL)
        return e;
    t->terms.from = token;
    t->terms.to = p->arrives.token;
    return deposit_requests(t, p->count == 0);
}
