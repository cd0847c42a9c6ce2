#include "exec/evm/seen.h"

bool nonce_in_block(const struct tracked *w, uint64_t nonce)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].nonce == nonce && w->observations[i].block != 0)
            return true;
    return false;
}

bool nonce_taken(const struct tracked *w, uint64_t nonce)
{
    return evm_seen(w)->nonces > nonce && !nonce_in_block(w, nonce);
}
