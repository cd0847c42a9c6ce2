#include "lend/aave.c"

#include "base/test.h"
#include "chain/evm/abi.h"

enum { ANSWERS = 3, WORDS_OF_ONE = 4, BYTES = 2048 };

/* Multicall3's result of `count` addresses. */
static void answers_write(struct buf *out, const struct evm_addr *list, unsigned count)
{
    abi_u64(out, ABI_WORD);
    abi_u64(out, count);
    for (unsigned i = 0; i < count; i++)
        abi_u64(out, (uint64_t)(count + i * WORDS_OF_ONE) * ABI_WORD);
    for (unsigned i = 0; i < count; i++) {
        abi_u64(out, 1);
        abi_u64(out, (uint64_t)(2 * ABI_WORD));
        abi_u64(out, ABI_WORD);
        abi_addr(out, list[i]);
    }
}

static bool finds(struct lend_chain *c, const struct evm_addr *list, unsigned count)
{
    struct buf bytes = BUF_INIT(BYTES);
    struct lend_answers r = { .next = 0 };
    bool found;

    answers_write(&bytes, list, count);
    r.results = (struct multicall_results){ (const uint8_t *)bytes.data, bytes.len };
    found = aave_found(c, &r);
    buf_free(&bytes);
    return found;
}

/* The provider names its contracts; the Pool has to be the one of the table. */
static void contracts_come_from_the_provider_of_the_table(void)
{
    for (size_t i = 0; i < chains_count; i++) {
        struct lend_chain c = { .chain = &chains[i] };
        struct evm_addr named[ANSWERS] = { { { 0 } }, { { 7 } }, { { 8 } } };

        if (contract_of(&chains[i], &aave_pool) == NULL)
            continue;
        named[0] = address_of(&c, &aave_pool);
        CHECK(finds(&c, named, ANSWERS) && c.why == NULL);
        CHECK(evm_addr_eq(c.data_provider, named[1]) && evm_addr_eq(c.oracle, named[2]));
        CHECK(!finds(&c, named, ANSWERS - 1) && c.why == NULL);
        named[0].bytes[19] ^= 1;
        CHECK(!finds(&c, named, ANSWERS) && c.why != NULL);
    }
}

TEST_MAIN(TEST(contracts_come_from_the_provider_of_the_table))
