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

enum found wallet_of(const struct ctx *ctx, uint64_t agent_id, enum wallet_kind kind, const char *address,
                     struct wallet *out)
{
    char text[EVM_ADDR_TEXT_LEN + 1]; /* stored with its checksum */
    struct evm_addr parsed;

    if (address != NULL && kind == WALLET_EVM) {
        if (!evm_addr_parse(&parsed, address))
            return FOUND_NONE;
        evm_addr_text(text, parsed);
        address = text;
    }
    return wallets_pick(ctx->db, agent_id, kind, address, out);
}

const struct err *wallet_need(const struct ctx *ctx, uint64_t agent_id, enum wallet_kind kind,
                              const char *address, struct wallet *out)
{
    switch (wallet_of(ctx, agent_id, kind, address, out)) {
    case FOUND_ONE:
        return NULL;
    case FOUND_NONE:
        return address == NULL ? &E_WALLET_NOT_FOUND : &E_WALLET_NOT_YOURS;
    case FOUND_FAILED:
        break;
    }
    return &E_INTERNAL;
}
