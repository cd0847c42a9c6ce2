/* Calls of aggregators, as an independent library encodes them: the honest ones pass the guard, and each lie
 * is refused. */
#include "exec/evm/guard.c"

#include <stdio.h>

#include "venue/test_aggregator_rows.h"

static struct plan_amount amount_of(const char *token, const char *amount, bool native)
{
    struct plan_amount out = { .native = native };

    CHECK(u256_parse(&out.amount, json_string_value(test_member(amount))));
    (void)snprintf(out.token.address, sizeof out.token.address, "%s",
                   native ? TRADE_COIN : json_string_value(test_member(token)));
    return out;
}

/* On the same chain, or on Base. */
static struct plan_amount arrives_of(const struct aggregator_row *row)
{
    bool far = strcmp(row->kind, "bridge") == 0;
    struct plan_amount out =
        amount_of(far ? "bought_far" : "bought", "minimum", strcmp(row->kind, "to coin") == 0);

    out.token.chain_id = far ? 8453 : row->tx.chain_id;
    return out;
}

static void check_row(const struct aggregator_row *row)
{
    const struct plan p = { .chain = chain_by_id(row->tx.chain_id),
                            .wallet = json_string_value(test_member("wallet")),
                            .deadline = 1800000000,
                            .leaves = amount_of("sold", "amount", strcmp(row->kind, "from coin") == 0),
                            .arrives = arrives_of(row) };
    const char *why = check_tx(&p, &row->tx);
    struct trade t;

    /* Which Settler is genuine, the registry says while the plan is tried. */
    if (why == NULL && trade_read_evm(&t, p.chain, &row->tx, p.wallet) == TRADE_READ &&
        t.executor[0] != '\0' && strcmp(t.executor, json_string_value(test_member("settler"))) != 0)
        why = "a Settler that is not known";

    if ((why == NULL) != (row->lie == NULL))
        printf("%s, %s, %s: %s\n", row->form, row->kind, row->lie == NULL ? "honest" : row->lie,
               why == NULL ? "passed" : why);
    CHECK((why == NULL) == (row->lie == NULL));
}

static void lies_are_refused(void)
{
    aggregator_rows_each(check_row);
}

TEST_MAIN(TEST(lies_are_refused))
