/* The kinds of execution. A new one is a row in the folder of its market, and its line here. */
#include "exec/kind.h"
#include "lend/operation.h"
#include "perps/perps_order_kind.h"
#include "perps/perps_transfer.h"
#include "predict/predict_order_kind.h"
#include "predict/predict_transfer.h"
#include "swap/swap_view.h"
#include "transfer/sweep.h"
#include "transfer/withdrawal.h"

static const struct exec_kind *const kinds[] = {
    [KIND_SWAP] = &swap_kind,
    [KIND_TRANSFER] = &sweep_kind,
    [KIND_PREDICT_ORDER] = &predict_order_kind,
    [KIND_PREDICT_DEPOSIT] = &predict_deposit_kind,
    [KIND_PREDICT_WITHDRAWAL] = &predict_withdrawal_kind,
    [KIND_PREDICT_REDEMPTION] = &predict_redemption_kind,
    [KIND_WITHDRAWAL] = &withdrawal_kind,
    [KIND_LEND_SUPPLY] = &lend_supply_kind,
    [KIND_LEND_WITHDRAW] = &lend_withdraw_kind,
    [KIND_LEND_BORROW] = &lend_borrow_kind,
    [KIND_LEND_REPAY] = &lend_repay_kind,
    [KIND_LEND_COLLATERAL] = &lend_collateral_kind,
    [KIND_PERPS_ORDER] = &perps_order_kind,
    [KIND_PERPS_CLOSE] = &perps_close_kind,
    [KIND_PERPS_LEVERAGE] = &perps_leverage_kind,
    [KIND_PERPS_KEY] = &perps_key_kind,
    [KIND_PERPS_DEPOSIT] = &perps_deposit_kind,
    [KIND_PERPS_WITHDRAWAL] = &perps_withdrawal_kind,
};

const struct exec_kind *exec_kind_of(enum exec_kind_id id)
{
    return id < sizeof kinds / sizeof kinds[0] ? kinds[id] : NULL;
}

bool exec_in_swaps(enum exec_kind_id kind)
{
    const struct exec_kind *k = exec_kind_of(kind);

    return k != NULL && k->listed;
}
