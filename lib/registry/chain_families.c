/* The families of chains. A new one is a row here, and its two folders: chain/<family> and exec/<family>. */
#include "exec/evm/evm_chain_ops.h"
#include "exec/solana/solana_chain_ops.h"

const struct chain_ops *const chain_families[] = { &evm_chain_ops, &solana_chain_ops, NULL };

const struct chain_ops *chain_ops_of(const struct chain *c)
{
    for (size_t i = 0; c != NULL && chain_families[i] != NULL; i++)
        if (chain_families[i]->type == c->type)
            return chain_families[i];
    return NULL;
}
