#include "venue/contracts.c"

#include "base/test.h"
#include "chain/evm/abi.h"
#include "chain/tokens.h"
#include "venue/calls.h"
#include "venue/loan_calls.h"

static void contracts_are_sound(void)
{
    for (size_t i = 0; i < CONTRACTS; i++) {
        const struct chain *c = chain_find(contracts[i].chain);
        char text[EVM_ADDR_TEXT_LEN + 1];
        struct evm_addr a;

        CHECK(c != NULL && evm_addr_parse(&a, contracts[i].address));
        evm_addr_text(text, a);
        CHECK_STR(text, contracts[i].address);
        CHECK(contract_at(c, contracts[i].address) == &contracts[i]);
        CHECK(contract_of(c, contracts[i].kind) == &contracts[i]);
    }
}

static void wrapped_coins_are_the_tokens(void)
{
    for (size_t i = 0; i < chains_count; i++) {
        const struct contract *k = contract_of(&chains[i], &wrapped_native_contract);

        if (k != NULL)
            CHECK_STR(k->address, token_wrapped_native(&chains[i])->address_text);
    }
}

static void only_routers_get_allowances(void)
{
    CHECK(uniswap_v2_router.spender && uniswap_v3_router.spender);
    CHECK(!uniswap_v3_quoter.spender && !uniswap_v3_factory.spender && !wrapped_native_contract.spender);
    CHECK(zerox_allowance_holder.spender && !zerox_registry.spender);
    CHECK(aave_pool.spender && morpho_blue.spender);
}

static void check_selectors(const struct call_row *r)
{
    for (; r != NULL && r->selector != 0; r++)
        CHECK(abi_selector_of(r->signature) == r->selector);
}

static void check_loan_selectors(const struct loan_row *r)
{
    for (; r != NULL && r->selector != 0; r++)
        CHECK(abi_selector_of(r->signature) == r->selector);
}

static void rows_have_their_signatures_selector(void)
{
    for (size_t i = 0; i < CONTRACTS; i++) {
        check_selectors(contracts[i].kind->calls);
        check_selectors(contracts[i].kind->bridges);
        check_loan_selectors(contracts[i].kind->loans);
    }
}

static void a_contract_is_of_its_chain(void)
{
    static const char base_router[] = "0x2626664c2603336E57B271c5C0b26F421741e481";

    CHECK(contract_at(chain_find("base"), base_router) != NULL);
    CHECK(contract_at(chain_find("ethereum"), base_router) == NULL);
}

TEST_MAIN(TEST(contracts_are_sound), TEST(wrapped_coins_are_the_tokens), TEST(only_routers_get_allowances),
          TEST(rows_have_their_signatures_selector), TEST(a_contract_is_of_its_chain))
