#include "exec/wallet.h"

#include <string.h>

#include "chain/evm/addr.h"
#include "store/wallets.h"

bool wallet_same_address(const char *x, const char *y)
{
    struct evm_addr a, b;

    if (evm_addr_parse(&a, x) && evm_addr_parse(&b, y))
        return evm_addr_eq(a, b);
    return strcmp(x, y) == 0;
}

const struct err *wallet_find(const struct ctx *ctx, uint64_t agent_id, enum wallet_kind kind,
                              const char *address, struct wallet *out)
{
    const struct err *absent = address == NULL ? &E_WALLET_NOT_FOUND : &E_WALLET_NOT_YOURS;
    char text[EVM_ADDR_TEXT_LEN + 1]; /* stored with its checksum */
    struct evm_addr parsed;
    int found;

    if (address != NULL && kind == WALLET_EVM) {
        if (!evm_addr_parse(&parsed, address))
            return absent;
        evm_addr_text(text, parsed);
        address = text;
    }
    found = wallets_pick(ctx->db, agent_id, kind, address, out);
    if (found < 0)
        return &E_INTERNAL;
    return found == 0 ? absent : NULL;
}
