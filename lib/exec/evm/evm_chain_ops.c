#include "exec/evm/evm_chain_ops.h"

#include "exec/evm/arrived.h"
#include "exec/evm/evm_balances.h"
#include "exec/evm/evm_guard.h"
#include "exec/evm/evm_judge.h"
#include "exec/evm/evm_payments.h"
#include "exec/evm/evm_plan.h"
#include "exec/evm/evm_poll.h"
#include "exec/evm/evm_reconcile.h"
#include "exec/evm/evm_send.h"
#include "exec/evm/evm_sign.h"
#include "exec/evm/evm_stored.h"
#include "exec/evm/evm_token.h"
#include "exec/evm/foreign_nonce.h"
#include "exec/evm/repair.h"

const struct chain_ops evm_chain_ops = {
    .type = CHAIN_EVM,
    .allow = evm_plan_allow,
    .transfer = evm_plan_transfer,
    .try_plan = evm_plan_try,
    .cost = evm_plan_cost,
    .guard = evm_guard_steps,
    .refused_after = evm_refused_after,
    .sign = evm_sign,
    .address_bytes = evm_address_bytes,
    .hash_text = evm_hash_text,
    .hash_read = evm_hash_read,
    .balances = evm_balances,
    .describe_token = evm_describe_token,
    .token_decimals = evm_token_decimals,
    .reconcile = evm_reconcile,
    .recipient_fault = evm_recipient_fault,
    .judge = evm_judge,
    .newest_block = evm_newest_block,
    .payments_begin = evm_payments_begin,
    .payments_end = evm_payments_end,
    .send = evm_send,
    .place = evm_place,
    .poll_questions = 96, /* with those about the chain they fit in a batch */
    .has_nonces = true,
    .poll_begin = evm_poll_begin,
    .poll_end = evm_poll_end,
    .poll_closely = evm_poll_closely,
    .repair = evm_repair,
    .arrived = evm_arrived,
    .changes = evm_changes,
    .poll_free = evm_poll_free,
    .follow_end = evm_follow_end,
};
