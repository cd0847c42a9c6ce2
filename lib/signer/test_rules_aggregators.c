/* Calls of aggregators, as an independent library encodes them: the signer's rules allow the honest ones, and
 * refuse each lie but those that only the promise shows. */
#include "signer/signer_rules.c"

#include <stdio.h>

#include "chain/evm/abi.h"
#include "chain/evm/tx.h"
#include "venue/test_aggregator_rows.h"

static void check_row(const struct aggregator_row *row)
{
    const char *wallet = json_string_value(test_member("wallet")), *why = "not read";
    bool allowed = row->lie == NULL || row->signer;
    struct buf raw = BUF_INIT(MAX_TX);
    struct act act;

    evm_tx_unsigned(&raw, &row->tx);
    if (act_read_evm(&act, (const uint8_t *)raw.data, raw.len, wallet, NO_PROOF, 0)) {
        act.executor_known = strcmp(act.trade.executor, json_string_value(test_member("settler"))) == 0;
        if (row_to_solana(row))
            (void)snprintf(act.far_wallet, sizeof act.far_wallet, "%s",
                           json_string_value(test_member("wallet_on_solana")));
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

/* Without its order it says neither what is paid for it nor to whom. */
static void a_deposit_alone_is_refused(void)
{
    static const char wallet[] = "0x1111111111111111111111111111111111111111";
    struct evm_tx tx = { .type = EVM_TX_FEE_MARKET, .chain_id = 1, .gas_limit = 1 };
    struct buf data = BUF_INIT(256), raw = BUF_INIT(MAX_TX);
    struct act act;

    abi_selector(&data, 0x49290c1c); /* depositNative(address,bytes32) */
    abi_addr(&data, evm_addr_or_zero(wallet));
    abi_u64(&data, 7);
    tx.to = evm_addr_or_zero("0x4cD00E387622C35bDDB9b4c962C136462338BC31");
    tx.value = u256_from_u64(5);
    tx.data = (const uint8_t *)data.data;
    tx.data_len = data.len;
    evm_tx_unsigned(&raw, &tx);
    CHECK(act_read_evm(&act, (const uint8_t *)raw.data, raw.len, wallet, NO_PROOF, 0));
    CHECK_STR(act.trade.refund, wallet);
    CHECK_STR(rules_check(&act, wallet), UNREADABLE);
    buf_free(&data);
    buf_free(&raw);
}

TEST_MAIN(TEST(lies_are_refused), TEST(a_deposit_alone_is_refused))
