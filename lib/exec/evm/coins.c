#include "exec/evm/coins.h"

#include <inttypes.h>

#include "chain/evm/evm_rpc.h"

enum { AFTER, BEFORE, COUNT_AFTER, COUNT_BEFORE };

void coins_ask(struct rpc_batch *b, const char *wallet, uint64_t block)
{
    static const char *const methods[] = { "eth_getBalance", "eth_getTransactionCount" };

    for (unsigned i = 0; i < COINS_QUESTIONS; i++)
        rpc_add(b, methods[i / 2], "[\"%s\",\"0x%" PRIx64 "\"]", wallet, block - i % 2);
}

bool coins_read(struct coins *out, const struct rpc_answer *r)
{
    uint64_t count, count_before;

    if (!rpc_u256(&out->after, &r[AFTER]) || !rpc_u256(&out->before, &r[BEFORE]) ||
        !rpc_u64(&count, &r[COUNT_AFTER]) || !rpc_u64(&count_before, &r[COUNT_BEFORE]) ||
        count < count_before)
        return false;
    out->sent = count - count_before;
    return true;
}
