#include "exec/tracked.h"

bool txs_compete(const struct transaction *a, const struct transaction *b)
{
    return a == b || (a->has_nonce && b->has_nonce && a->chain_id == b->chain_id && a->nonce == b->nonce);
}

bool first_of_place(const struct tracked *w, unsigned i)
{
    return i == 0 || !txs_compete(&w->txs[i - 1], &w->txs[i]);
}

int place_winner(const struct tracked *w, unsigned i)
{
    for (unsigned j = 0; j < w->count; j++)
        if (txs_compete(&w->txs[i], &w->txs[j]) && w->observations[j].block != 0)
            return (int)j;
    return -1;
}

bool seen_before(const struct tracked *w, unsigned i)
{
    const struct transaction *t = &w->txs[i];
    const struct observation *s = &w->observations[i];

    return t->block_number == s->block && t->effect.succeeded == s->succeeded && !s->disputed;
}
