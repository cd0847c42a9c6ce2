/* The dialects of nodes, by the family of their chain. */
#include "chain/evm/dialect.h"
#include "chain/solana/dialect.h"

const struct dialect *dialect_of(const struct chain *c)
{
    return c->type == CHAIN_SOLANA ? &solana_dialect : &evm_dialect;
}
