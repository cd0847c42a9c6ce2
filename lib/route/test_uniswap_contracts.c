#include "route/uniswap_contracts.c"

#include <string.h>

#include "base/test.h"

static struct arena *a;

/* ---- the contracts' answers ---- */

static struct evm_addr named(const char *chain, const struct contract_kind *kind)
{
    return contract_addr(contract_of(chain_find(chain), kind));
}

/* Answers to claims_ask, in order. */
struct play {
    struct buf heads, tails;
    unsigned count;
};

static void play_word(struct play *p, bool ok, const struct evm_addr *word)
{
    abi_u64(&p->heads, p->tails.len);
    abi_u64(&p->tails, ok);
    abi_u64(&p->tails, 64);
    abi_u64(&p->tails, word == NULL ? 0 : ABI_WORD);
    if (word != NULL)
        abi_addr(&p->tails, *word);
    p->count++;
}

static struct multicall_results play_end(struct play *p)
{
    struct buf all = BUF_INIT(8192);
    struct multicall_results r;
    uint64_t offset = 0;

    abi_u64(&all, 32);
    abi_u64(&all, p->count);
    for (unsigned i = 0; i < p->count; i++) {
        CHECK(abi_get_u64(&offset, (const uint8_t *)p->heads.data, p->heads.len, i));
        abi_u64(&all, offset + (uint64_t)p->count * ABI_WORD);
    }
    buf_add(&all, p->tails.data, p->tails.len);
    r = (struct multicall_results){ arena_memdup(a, all.data, all.len), all.len };
    buf_free(&all);
    buf_free(&p->heads);
    buf_free(&p->tails);
    return r;
}

/* All of the table, but one claim: `lie`, of which the contract names another one, or nothing. */
enum lie { NAMES_ANOTHER, NAMES_NOTHING, FAILS };

static struct multicall_results said(const struct uniswap_contracts *at, size_t but, enum lie lie)
{
    static const struct evm_addr other = { "another contract...." };
    struct play p = { BUF_INIT(4096), BUF_INIT(4096), 0 };

    play_word(&p, true, &other); /* a block's number */
    for (size_t i = 0; i < CLAIMS; i++) {
        struct evm_addr right;

        if ((at->asked & bit_of(claims[i].version)) == 0)
            continue;
        right = contract_addr(contract_of(at->chain, claims[i].names));
        play_word(&p, i != but || lie != FAILS, i != but ? &right : lie == NAMES_ANOTHER ? &other : NULL);
    }
    return play_end(&p);
}

/* ---- asking ---- */

/* The number of calls added. */
static unsigned asked(struct uniswap_contracts *at, const char *chain)
{
    struct multicall m = MULTICALL_INIT(4096);
    unsigned n;

    (void)uniswap_contracts_ask(at, chain_find(chain), &m);
    n = m.count;
    multicall_free(&m);
    return n;
}

static bool uses(const struct uniswap_contracts *at, bool v2, bool v3)
{
    return evm_addr_is_zero(at->v2_router) != v2 && evm_addr_is_zero(at->v3_quoter) != v3;
}

static const char *notes(void)
{
    struct json_writer w;

    jw_init(&w, a, 4096);
    jw_array(&w, NULL);
    uniswap_contracts_notes(&w);
    jw_end(&w);
    return jw_finish(&w);
}

static void later(const char *chain, enum uniswap_kind version)
{
    struct contracts_state s = contracts_state_of(chain_find(chain), version);

    s.again_ms = clock_mono_ms();
    shm_cache_write(&standings, standing_place(s.chain, version), &s);
}

static void contracts_are_verified_once(void)
{
    struct uniswap_contracts at;
    struct multicall_results r;

    shm_cache_clear(&standings);
    CHECK(asked(&at, "ethereum") == 1 + CLAIMS && uses(&at, true, true));
    r = said(&at, CLAIMS, FAILS);
    uniswap_contracts_read(&at, &r);
    CHECK(uses(&at, true, true) && evm_addr_eq(at.v2_router, named("ethereum", &uniswap_v2_router)));
    CHECK(asked(&at, "ethereum") == 0 && uses(&at, true, true));
    CHECK(asked(&at, "base") == 1 + CLAIMS);
    CHECK_STR(notes(), "[]");
}

static void those_of_one_version(void)
{
    struct uniswap_contracts at;

    shm_cache_clear(&standings);
    CHECK(asked(&at, "fantom") == 3 && uses(&at, true, false));
    CHECK(asked(&at, "mantle") == 5 && uses(&at, false, true));
    CHECK(asked(&at, "solana") == 0 && uses(&at, false, false) && !uniswap_listed(at.chain));
}

static void one_false_claim_turns_the_version_off(void)
{
    static const enum lie lies[] = { NAMES_ANOTHER, NAMES_NOTHING, FAILS };
    struct uniswap_contracts at;
    struct multicall_results r;

    for (size_t i = 0; i < CLAIMS * 3; i++) {
        bool v2 = claims[i / 3].version == UNISWAP_V2;

        shm_cache_clear(&standings);
        (void)asked(&at, "base");
        r = said(&at, i / 3, lies[i % 3]);
        uniswap_contracts_read(&at, &r);
        CHECK(uses(&at, !v2, v2) && uniswap_is_off(at.chain, claims[i / 3].version));
        CHECK(asked(&at, "base") == 0 && uses(&at, !v2, v2));
        CHECK(uniswap_contracts(&at, at.chain) && uses(&at, !v2, v2));
        CHECK_STR(notes(), arena_printf(a, "[\"Uniswap %s is not used on base: %s names another contract\"]",
                                        v2 ? "V2" : "V3", claims[i / 3].text));
    }
}

static void contracts_are_verified_again_after_a_while(void)
{
    struct uniswap_contracts at;
    struct multicall_results r;

    shm_cache_clear(&standings);
    (void)asked(&at, "mantle");
    r = said(&at, 2, NAMES_ANOTHER);
    uniswap_contracts_read(&at, &r);
    CHECK(!uniswap_contracts(&at, at.chain));
    later("mantle", UNISWAP_V3);
    CHECK(asked(&at, "mantle") == 5 && !uniswap_contracts(&at, at.chain));
    (void)asked(&at, "mantle");
    r = said(&at, 2, NAMES_ANOTHER);
    uniswap_contracts_read(&at, &r);
    CHECK(uses(&at, false, false) && asked(&at, "mantle") == 0);
    later("mantle", UNISWAP_V3);
    (void)asked(&at, "mantle");
    r = said(&at, CLAIMS, FAILS);
    uniswap_contracts_read(&at, &r);
    CHECK(uses(&at, false, true) && !uniswap_is_off(at.chain, UNISWAP_V3) && asked(&at, "mantle") == 0);
    CHECK_STR(notes(), "[]");
}

/* It may be loading the chain still, or have run out of gas. */
static void a_node_that_shows_nothing_proves_nothing(void)
{
    struct uniswap_contracts at;
    struct play p = { BUF_INIT(4096), BUF_INIT(4096), 0 };
    struct multicall_results r = { .len = 0 };

    shm_cache_clear(&standings);
    (void)asked(&at, "base");
    uniswap_contracts_read(&at, &r);
    CHECK(uses(&at, false, false) && asked(&at, "base") == 1 + CLAIMS && uses(&at, true, true));
    for (size_t i = 0; i <= CLAIMS; i++)
        play_word(&p, true, NULL);
    r = play_end(&p);
    uniswap_contracts_read(&at, &r);
    CHECK(uses(&at, false, false) && uniswap_contracts(&at, at.chain) && uses(&at, true, true));
    CHECK_STR(notes(), "[]");
}

static void selectors_are_those_of_their_functions(void)
{
    CHECK(abi_selector_of("factory()") == SEL_FACTORY && abi_selector_of("WETH()") == SEL_WETH);
    CHECK(abi_selector_of("WETH9()") == SEL_WETH9);
    CHECK(abi_selector_of("getBlockNumber()") == SEL_GET_BLOCK_NUMBER);
}

static void all_that_is_claimed_is_listed(void)
{
    for (size_t i = 0; i < chains_count; i++)
        for (size_t k = 0; k < CLAIMS; k++)
            CHECK(priced_by(&chains[i], claims[k].version) == NULL ||
                  (contract_of(&chains[i], claims[k].of) != NULL &&
                   contract_of(&chains[i], claims[k].names) != NULL));
}

static void contracts_test_start(void)
{
    a = arena_new();
}

static void contracts_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(contracts_test_start), TEST(contracts_are_verified_once), TEST(those_of_one_version),
          TEST(one_false_claim_turns_the_version_off), TEST(contracts_are_verified_again_after_a_while),
          TEST(a_node_that_shows_nothing_proves_nothing), TEST(selectors_are_those_of_their_functions),
          TEST(all_that_is_claimed_is_listed), TEST(contracts_test_end))
