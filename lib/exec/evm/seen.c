#include "exec/evm/seen.h"

uint64_t block_depth(const struct head *h, uint64_t block)
{
    return block == 0 || block > h->block ? 0 : h->block - block + 1;
}

bool block_is_settled(const struct head *h, uint64_t block)
{
    if (h->finalized != 0)
        return block != 0 && block <= h->finalized;
    return block_depth(h, block) >= h->settle;
}

bool nonce_in_block(const struct watch *w, uint64_t nonce)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].nonce == nonce && w->sights[i].block != 0)
            return true;
    return false;
}

bool nonce_taken(const struct watch *w, uint64_t nonce)
{
    return evm_seen(w)->nonces > nonce && !nonce_in_block(w, nonce);
}
