/* The kinds of execution. A new one is a row here, and the functions that it names in a folder of its market.
 */
#include "exec/kind.h"
#include "exec/verdict.h"
#include "lend/operation.h"
#include "model/task.h"
#include "perps/perps_order_kind.h"
#include "perps/perps_transfer.h"
#include "predict/predict_order_kind.h"
#include "predict/predict_transfer.h"
#include "swap/swap_view.h"
#include "transfer/withdrawal.h"

#define BIT(s) (1u << (s))

#define TRANSFER_ROW                                                                                         \
    .event_completed = "predict.transfer.completed", .event_failed = "predict.transfer.failed",              \
    .verdict = transfer_verdict, .read = transfer_own_read, .moved = transfer_moved, .view = transfer_view,  \
    .sentence = transfer_sentence, .waits = true, .done = BIT(EXEC_COMPLETED)

#define LEND_ROW                                                                                             \
    .event_completed = "lend.completed", .event_failed = "lend.failed", .replaceable = true,                 \
    .verdict = verdict_by_spend, .read = lend_own_read, .view = lend_view, .sentence = lend_sentence,        \
    .terms = lend_terms, .done = BIT(EXEC_COMPLETED)

#define PERPS_ORDER_ROW                                                                                      \
    .event_failed = "perps.order.rejected", .verdict = verdict_by_requests, .read = perps_order_own_read,    \
    .moved = perps_order_moved, .view = perps_order_own_view, .sentence = perps_order_own_sentence,          \
    .done = BIT(EXEC_COMPLETED)
#define PERPS_TRANSFER_ROW                                                                                   \
    .event_completed = "perps.transfer.completed", .event_failed = "perps.transfer.failed",                  \
    .verdict = perps_transfer_verdict, .moved = perps_transfer_moved, .view = perps_transfer_view,           \
    .sentence = perps_transfer_sentence, .done = BIT(EXEC_COMPLETED)

static const struct exec_kind kinds[] = {
    [KIND_SWAP] = { .name = "swap",
                    .venue_class = "swap",
                    .listed = true,
                    .event_completed = "swap.completed",
                    .event_failed = "swap.failed",
                    .replaceable = true,
                    .verdict = verdict_by_spend,
                    .read = swap_own_read,
                    .view = swap_view,
                    .sentence = swap_sentence,
                    .terms = swap_terms_text,
                    .done = BIT(EXEC_COMPLETED) },
    /* Shown in the form of a swap of a token into itself. The signer demands the operator's MAC for each. */
    [KIND_TRANSFER] = { .name = "transfer",
                        .halts = HALTED_NEVER,
                        .policies = POLICIES_NONE,
                        .event_completed = "transfer.completed",
                        .event_failed = "transfer.failed",
                        .verdict = verdict_by_spend,
                        .view = swap_view,
                        .sentence = swap_sentence,
                        .done = BIT(EXEC_COMPLETED) },
    /* The placing of an order: completed when the venue has taken it. What becomes of the order then is
     * followed and announced by itself. */
    [KIND_PREDICT_ORDER] = { .name = "order",
                             .venue_class = "predict",
                             .event_failed = "order.rejected",
                             .verdict = verdict_by_requests,
                             .read = order_own_read,
                             .moved = order_moved,
                             .view = order_own_view,
                             .sentence = order_own_sentence,
                             .terms = order_own_terms,
                             .done = BIT(EXEC_COMPLETED) },
    /* Collateral of bets: it stays with the wallet, in or out of its trading address. */
    [KIND_PREDICT_DEPOSIT] = { .name = "deposit",
                               .venue_class = "predict",
                               .policies = POLICIES_WATCH,
                               TRANSFER_ROW },
    [KIND_PREDICT_WITHDRAWAL] = { .name = "withdrawal",
                                  .halts = HALTED_BY_ALL,
                                  .policies = POLICIES_NONE,
                                  TRANSFER_ROW },
    [KIND_PREDICT_REDEMPTION] = { .name = "redemption",
                                  .halts = HALTED_BY_ALL,
                                  .policies = POLICIES_NONE,
                                  TRANSFER_ROW },
    /* To an address of the agent's own, by a record of the signer's. */
    [KIND_WITHDRAWAL] = { .name = "withdrawal",
                          .venue_class = "withdraw",
                          .event_completed = "withdrawal.completed",
                          .event_failed = "withdrawal.failed",
                          .replaceable = true,
                          .verdict = verdict_by_spend,
                          .read = withdrawal_own_read,
                          .moved = withdrawal_moved,
                          .record = withdrawal_record,
                          .view = withdrawal_view,
                          .sentence = withdrawal_sentence,
                          .terms = withdrawal_terms,
                          .done = BIT(EXEC_COMPLETED) },
    /* At a lender, for the wallet itself. */
    [KIND_LEND_SUPPLY] = { .name = "supply", .venue_class = "lend", .gives = true, LEND_ROW },
    [KIND_LEND_WITHDRAW] = { .name = "withdrawal",
                             .venue_class = "lend",
                             .policies = POLICIES_WATCH,
                             LEND_ROW },
    [KIND_LEND_BORROW] = { .name = "borrowing", .venue_class = "lend", .policies = POLICIES_DEBT, LEND_ROW },
    /* No limit may keep a wallet from being saved. */
    [KIND_LEND_REPAY] = { .name = "repayment",
                          .halts = HALTED_BY_ALL,
                          .policies = POLICIES_NONE,
                          .gives = true,
                          LEND_ROW },
    [KIND_LEND_COLLATERAL] = { .name = "collateral",
                               .venue_class = "lend",
                               .policies = POLICIES_WATCH,
                               LEND_ROW },
    /* As orders on prediction markets. What one takes of its wallet is the margin that it binds. */
    [KIND_PERPS_ORDER] = { .name = "order",
                           .venue_class = "perps",
                           .terms = perps_order_own_terms,
                           PERPS_ORDER_ROW },
    /* An order that can only reduce a position: no limit may keep a wallet from that. */
    [KIND_PERPS_CLOSE] = { .name = "closing",
                           .halts = HALTED_BY_ALL,
                           .policies = POLICIES_NONE,
                           PERPS_ORDER_ROW },
    /* The leverage and mode for a market's orders; the caller gets the result at once. */
    [KIND_PERPS_LEVERAGE] = { .name = "leverage",
                              .venue_class = "perps",
                              .policies = POLICIES_WATCH,
                              .verdict = verdict_by_requests,
                              .moved = perps_setting_moved,
                              .view = perps_setting_view,
                              .sentence = perps_leverage_sentence,
                              .done = BIT(EXEC_COMPLETED) },
    /* A key that trades, where nothing else is ordered that it could be approved with: a cancel needs one,
     * which no stop holds back. */
    [KIND_PERPS_KEY] = { .name = "key",
                         .halts = HALTED_NEVER,
                         .policies = POLICIES_NONE,
                         .verdict = verdict_by_requests,
                         .view = perps_setting_view,
                         .sentence = perps_key_sentence,
                         .done = BIT(EXEC_COMPLETED) },
    /* Margin of perpetuals: it leaves the wallet, and comes home to it. */
    [KIND_PERPS_DEPOSIT] = { .name = "deposit",
                             .venue_class = "perps",
                             .replaceable = true,
                             .terms = perps_transfer_terms,
                             PERPS_TRANSFER_ROW },
    [KIND_PERPS_WITHDRAWAL] = { .name = "withdrawal",
                                .halts = HALTED_BY_ALL,
                                .policies = POLICIES_NONE,
                                PERPS_TRANSFER_ROW },
};

const struct exec_kind *exec_kind_of(enum exec_kind_id id)
{
    bool known = id >= KIND_SWAP && id < sizeof kinds / sizeof kinds[0] && kinds[id].name != NULL;

    return known ? &kinds[id] : NULL;
}

bool exec_in_swaps(enum exec_kind_id kind)
{
    const struct exec_kind *k = exec_kind_of(kind);

    return k != NULL && k->listed;
}

enum task_state task_state_of(enum exec_kind_id kind, enum exec_status s)
{
    const struct exec_kind *k = exec_kind_of(kind);

    if (k != NULL && (k->done & BIT(s)) != 0)
        return TASK_COMPLETED;
    switch (s) {
    case EXEC_PENDING:
        return TASK_SUBMITTED;
    case EXEC_SUBMITTED:
    case EXEC_PROCESSING:
        return TASK_WORKING;
    case EXEC_COMPLETED:
        return TASK_COMPLETED;
    case EXEC_FAILED:
    case EXEC_EXPIRED:
        break;
    }
    return TASK_FAILED;
}
