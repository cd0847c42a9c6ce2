/* The dialects of nodes, by the family of their chain. */
#include "chain/evm/evm_dialect.h"
#include "chain/solana/solana_dialect.h"

const struct dialect *dialect_of(const struct chain *c)
{
    return c->type == CHAIN_SOLANA ? &solana_dialect : &evm_dialect;
}
