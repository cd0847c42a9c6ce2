/* Any calldata, at a lender: what is read is read whole, so that nothing shorter reads as well, and is of an
 * amount or of shares. The first byte chooses the lender. */
#include <string.h>

#include "chain/evm/abi.h"
#include "fuzz.h"
#include "venue/loan_calls.h"

static const char *const targets[] = {
    "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2", /* Aave's Pool */
    "0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb", /* Morpho */
};
enum { TARGETS = sizeof targets / sizeof targets[0] };

static enum trade_reading read_exact(struct loan *out, const struct evm_tx *sent, const uint8_t *data,
                                     size_t n)
{
    uint8_t *exact = malloc(n + 1); /* so that a sanitizer sees a read past the end */
    struct evm_tx tx = *sent;
    enum trade_reading reading;

    MUST(exact != NULL);
    memcpy(exact, data, n);
    tx.data = exact;
    tx.data_len = n;
    reading = loan_read_evm(out, chain_by_id(1), &tx, "0x1111111111111111111111111111111111111111");
    free(exact);
    return reading;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct evm_tx tx = { .chain_id = 1 };
    struct loan l, shorter;

    if (size < 1 || !evm_addr_parse(&tx.to, targets[data[0] % TARGETS]))
        return 0;
    data++;
    size--;
    if (read_exact(&l, &tx, data, size) != TRADE_READ)
        return 0;
    MUST(strlen(l.asset) == EVM_ADDR_TEXT_LEN);
    MUST(l.act == LOAN_COLLATERAL || u256_is_zero(l.amount) != u256_is_zero(l.shares));
    MUST(size <= ABI_SELECTOR || read_exact(&shorter, &tx, data, size - 1) != TRADE_READ);
    return 0;
}
