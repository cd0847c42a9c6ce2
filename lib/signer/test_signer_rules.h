/* Shared by the tests of rules: a transaction as the signer gets it. */
#ifndef SIGNER_TEST_SIGNER_RULES_H
#define SIGNER_TEST_SIGNER_RULES_H

#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "chain/evm/tx.h"
#include "signer/signer_rules.h"

/* Why the wallet may not sign it; NULL: it may. *act is what was read. */
static const char *rules_check_evm(struct act *act, const struct evm_tx *tx, const char *wallet)
{
    struct buf raw = BUF_INIT(MAX_TX);
    uint8_t *exact; /* so that a sanitizer sees a read past the end */
    const char *why;

    evm_tx_unsigned(&raw, tx);
    exact = malloc(raw.len);
    memcpy(exact, raw.data, raw.len);
    CHECK(act_read_evm(act, exact, raw.len, wallet, NO_PROOF, 0));
    why = rules_check(act, wallet);
    free(exact);
    buf_free(&raw);
    return why;
}

#endif
