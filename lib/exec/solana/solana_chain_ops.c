#include "exec/solana/solana_chain_ops.h"

#include "chain/solana/solana_rpc.h"
#include "exec/solana/solana_balances.h"
#include "exec/solana/solana_guard.h"
#include "exec/solana/solana_judge.h"
#include "exec/solana/solana_payments.h"
#include "exec/solana/solana_plan.h"
#include "exec/solana/solana_poll.h"
#include "exec/solana/solana_reconcile.h"
#include "exec/solana/solana_send.h"
#include "exec/solana/solana_sign.h"
#include "exec/solana/solana_stored.h"
#include "exec/solana/solana_token.h"
#include "exec/solana/solana_transfer.h"

const struct chain_ops solana_chain_ops = {
    .type = CHAIN_SOLANA,
    .transfer = solana_plan_transfer,
    .complete = solana_plan_complete,
    .try_plan = solana_plan_try,
    .cost = solana_plan_cost,
    .guard = solana_guard_steps,
    .sign = solana_sign,
    .address_bytes = solana_address_bytes,
    .hash_text = solana_hash_text,
    .hash_read = solana_hash_read,
    .balances = solana_balances,
    .describe_token = solana_describe_token,
    .token_decimals = solana_token_decimals,
    .reconcile = solana_reconcile,
    .recipient_fault = solana_recipient_fault,
    .judge = solana_judge,
    .newest_block = solana_newest_block,
    .payments_begin = solana_payments_begin,
    .payments_end = solana_payments_end,
    .send = solana_send,
    .place = solana_place,
    .poll_questions = SOLANA_STATUSES_MAX,
    .poll_begin = solana_poll_begin,
    .poll_end = solana_poll_end,
    .poll_closely = solana_poll_closely,
    .repair = solana_repair,
    .arrived = solana_arrived,
    .changes = solana_changes,
    .poll_free = solana_poll_free,
    .follow_end = solana_follow_end,
};
