#include "exec/watch.h"

uint64_t block_depth(const struct watch *w, uint64_t block)
{
    return block == 0 || block > w->head.block ? 0 : w->head.block - block + 1;
}

bool block_is_settled(const struct watch *w, uint64_t block)
{
    if (w->head.finalized != 0)
        return block != 0 && block <= w->head.finalized;
    return block_depth(w, block) >= w->head.settle;
}

bool nonce_in_block(const struct watch *w, uint64_t nonce)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].nonce == nonce && w->receipts[i].block != 0)
            return true;
    return false;
}

bool nonce_taken(const struct watch *w, uint64_t nonce)
{
    return w->chain_count > nonce && !nonce_in_block(w, nonce);
}

bool first_of_nonce(const struct watch *w, unsigned i)
{
    return i == 0 || w->txs[i - 1].nonce != w->txs[i].nonce;
}
