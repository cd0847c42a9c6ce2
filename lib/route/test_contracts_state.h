/* For tests that include uniswap_contracts.c: a chain whose contracts are those of the table. */
#ifndef ROUTE_TEST_CONTRACTS_STATE_H
#define ROUTE_TEST_CONTRACTS_STATE_H

static inline void contracts_are_right(const char *chain)
{
    const struct chain *c = chain_find(chain);

    for (size_t v = 0; v < VERSIONS; v++)
        note_contracts(&(struct contracts_state){ .chain = c, .is = IS_RIGHT }, versions[v]);
}

#endif
