/* Calls of aggregators, as an independent library encodes them: the signer's rules allow the honest ones, and
 * refuse each lie but those that only the promise shows. */
#include "signer/rules.c"

#include <stdio.h>

#include "chain/evm/tx.h"
#include "venue/test_aggregator_rows.h"

static void check_row(const struct aggregator_row *row)
{
    const char *wallet = json_string_value(test_member("wallet")), *why = "not read";
    bool allowed = row->lie == NULL || row->signer;
    struct buf raw = BUF_INIT(MAX_TX);
    struct act act;

    evm_tx_unsigned(&raw, &row->tx);
    if (act_read_evm(&act, (const uint8_t *)raw.data, raw.len, wallet)) {
        act.executor_known = strcmp(act.trade.executor, json_string_value(test_member("settler"))) == 0;
        why = rules_check(&act, wallet);
    }
    if ((why == NULL) != allowed)
        printf("%s, %s, %s: %s\n", row->form, row->kind, row->lie == NULL ? "honest" : row->lie,
               why == NULL ? "passed" : why);
    CHECK((why == NULL) == allowed);
    buf_free(&raw);
}

static void lies_are_refused(void)
{
    aggregator_rows_each(check_row);
}

TEST_MAIN(TEST(lies_are_refused))
