/* The families of chains. A new one is a row here, and its two folders: chain/<family> and exec/<family>. */
#include "exec/evm/family.h"

static const struct family *const families[] = {
    [CHAIN_EVM] = &evm_family,
    [CHAIN_SOLANA] = NULL,
    [CHAIN_MOVE] = NULL,
    [CHAIN_TON] = NULL,
};

const struct family *family_of(const struct chain *c)
{
    return c == NULL ? NULL : families[c->type];
}
