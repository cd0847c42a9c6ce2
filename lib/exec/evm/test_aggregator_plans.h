/* For tests: the plans that the rows of tests/vectors/aggregators.json are steps of. */
#ifndef EXEC_EVM_TEST_AGGREGATOR_PLANS_H
#define EXEC_EVM_TEST_AGGREGATOR_PLANS_H

#include <stdlib.h>

#include "exec/plan.h"
#include "venue/test_aggregator_rows.h"

static inline struct plan_amount row_amount(const char *token, const char *amount, bool native)
{
    struct plan_amount out = { .native = native };

    CHECK(u256_parse(&out.amount, json_string_value(test_member(amount))));
    (void)snprintf(out.token.address, sizeof out.token.address, "%s",
                   native ? TRADE_COIN : json_string_value(test_member(token)));
    return out;
}

static inline bool row_is_bridge(const struct aggregator_row *row)
{
    return strncmp(row->kind, "bridge", 6) == 0;
}

/* On the same chain, on Base, or on Solana. */
static inline struct plan_amount row_arrives(const struct aggregator_row *row)
{
    bool far = row_is_bridge(row), coin = strstr(row->kind, "to coin") != NULL;
    struct plan_amount out = row_amount(row_to_solana(row) ? "bought_on_solana"
                                        : far              ? "bought_far"
                                                           : "bought",
                                        "minimum", coin);

    out.token.chain_id = row_to_solana(row) ? chain_find("solana")->id : far ? 8453 : row->tx.chain_id;
    return out;
}

/* LI.FI's offers say nothing of a deadline. */
static inline int64_t row_deadline(const struct aggregator_row *row)
{
    return strncmp(row->form, "across", 6) == 0
               ? strtoll(json_string_value(test_member("far_deadline")), NULL, 10)
               : 0;
}

/* *bridge has to last as long as the plan. */
static inline struct plan row_plan(const struct aggregator_row *row, struct plan_bridge *bridge)
{
    *bridge = (struct plan_bridge){ .bridge_provider = "lifi", .deadline = row_deadline(row) };
    return (struct plan){ .chain = chain_by_id(row->tx.chain_id),
                          .wallet = json_string_value(test_member("wallet")),
                          .deadline = 1800000000,
                          .leaves = row_amount("sold", "amount", strstr(row->kind, "from coin") != NULL),
                          .arrives = row_arrives(row),
                          .recipient =
                              row_to_solana(row) ? json_string_value(test_member("wallet_on_solana")) : NULL,
                          .bridge = row_is_bridge(row) ? bridge : NULL };
}

#endif
