/* The columns of executions, for whoever selects them beside rows of their own. */
#ifndef STORE_EXECUTION_COLUMNS_H
#define STORE_EXECUTION_COLUMNS_H

#include "store/columns.h"

/* Of execution `x`, table `e`, at column `i` of `st`; texts go into arena `a`. */

/* What lists show. */
#define EXECUTION_LISTED(FIRST, NEXT)                                                                        \
    FIRST("e.id", x->id = col_u64(st, i))                                                                    \
    NEXT("e.status", x->status = (enum exec_status)col_u64(st, i))                                           \
    NEXT("e.corrected", x->corrected = col_u64(st, i) != 0)                                                  \
    TOKEN(NEXT, "e.from", x->from)                                                                           \
    NEXT("e.amount_in", x->amount_in = col_u256(st, i))                                                      \
    TOKEN(NEXT, "e.to", x->to)                                                                               \
    NEXT("e.expected_out", x->expected_out = col_u256(st, i))                                                \
    NEXT("e.amount_out", x->has_amount_out = col_maybe_u256(st, i, &x->amount_out))                          \
    NEXT("e.tx_hash", col_tx_hash(st, i, &x->tx_hash))                                                       \
    NEXT("e.error_code", x->error_code = col_text(st, i, a))                                                 \
    NEXT("e.error_message", x->error_message = col_text(st, i, a))                                           \
    NEXT("e.created_at", x->created_ms = col_ms(st, i))                                                      \
    NEXT("e.updated_at", x->updated_ms = col_ms(st, i))                                                      \
    NEXT("e.completed_at", x->completed_ms = col_ms(st, i))                                                  \
    NEXT("e.approval_id", x->has_approval = col_maybe_uuid(st, i, &x->approval))                             \
    NEXT("e.approval_expires_at", x->approval_expires_ms = col_ms(st, i))

/* All of it. */
#define EXECUTION(FIRST, NEXT)                                                                               \
    EXECUTION_LISTED(FIRST, NEXT)                                                                            \
    NEXT("e.agent_id", x->agent_id = col_u64(st, i))                                                         \
    NEXT("e.wallet_id", x->wallet_id = col_u64(st, i))                                                       \
    NEXT("e.kind", x->kind = (enum exec_kind_id)col_u64(st, i))                                              \
    NEXT("e.venue", col_string(st, i, x->venue, sizeof x->venue))                                            \
    NEXT("e.once", x->once = col_uuid(st, i))                                                                \
    NEXT("e.in_flight", x->follow = (enum exec_follow)col_u64(st, i))                                        \
    NEXT("e.min_out", x->min_out = col_u256(st, i))                                                          \
    NEXT("e.valid_until", x->valid_until_ms = col_ms(st, i))

#endif
