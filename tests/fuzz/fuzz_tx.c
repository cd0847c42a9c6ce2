/* Unsigned transactions: what is decoded encodes to the same bytes, and has a signed form that is none. */
#include <string.h>

#include "chain/evm/tx.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct evm_sig sig = { .r = { 1 }, .s = { 2 }, .y_parity = 1 };
    struct buf raw = BUF_INIT(MAX_TX), sealed = BUF_INIT(MAX_TX);
    struct evm_tx tx, again;

    if (size <= MAX_TX - 256 && evm_tx_decode_unsigned(&tx, data, size)) {
        evm_tx_unsigned(&raw, &tx);
        MUST(raw.len == size && memcmp(raw.data, data, size) == 0);
        evm_tx_signed(&sealed, &tx, &sig);
        MUST(!sealed.overflow);
        MUST(!evm_tx_decode_unsigned(&again, (const uint8_t *)sealed.data, sealed.len));
    }
    buf_free(&raw);
    buf_free(&sealed);
    return 0;
}
