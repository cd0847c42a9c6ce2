#include "chain/address.h"

#include "chain/evm/addr.h"
#include "chain/solana/addr.h"

bool address_is_wallet(enum chain_type family, const char *address)
{
    struct evm_addr evm;
    struct solana_addr solana;

    switch (family) {
    case CHAIN_EVM: /* zero stands for the native coin */
        return evm_addr_parse(&evm, address) && !evm_addr_is_zero(evm);
    case CHAIN_SOLANA:
        return solana_addr_parse(&solana, address);
    case CHAIN_MOVE:
    case CHAIN_TON:
        break;
    }
    return true;
}
