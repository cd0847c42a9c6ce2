/* Calls of aggregators, as an independent library encodes them: the honest ones pass the guard, and each lie
 * is refused. */
#include "exec/evm/evm_guard.c"

#include <stdio.h>

#include "exec/evm/test_aggregator_plans.h"

static void check_row(const struct aggregator_row *row)
{
    struct plan_bridge bridge;
    const struct plan p = row_plan(row, &bridge);
    const char *why = check_tx(&p, &row->tx, NO_PROOF);
    struct trade t;

    /* Which Settler is genuine, the registry says while the plan is tried. */
    if (why == NULL && trade_read_evm(&t, p.chain, &row->tx, p.wallet, NO_PROOF) == TRADE_READ &&
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
