#include "store/test_store.h"

static void wallets_of_an_agent(void)
{
    struct agent agent = new_agent(NULL), other = new_agent(NULL);
    struct wallet first = new_wallet(&agent, "0xAa01", WALLET_EVM);
    struct wallet second = new_wallet(&agent, "0xAa02", WALLET_EVM);
    struct wallet solana = new_wallet(&agent, "So1", WALLET_SOLANA);
    struct wallet theirs = new_wallet(&other, "0xAa03", WALLET_EVM);
    struct wallet got, *list;

    CHECK(wallets_list(db, a, agent.id, &list) == 3);
    CHECK(list[0].id == first.id && list[1].id == second.id && list[2].id == solana.id);
    CHECK(wallets_pick(db, agent.id, WALLET_EVM, NULL, &got) == FOUND_ONE && got.id == first.id);
    CHECK(wallets_pick(db, agent.id, WALLET_SOLANA, NULL, &got) == FOUND_ONE && got.id == solana.id);
    CHECK(wallets_pick(db, agent.id, WALLET_EVM, "0xAa02", &got) == FOUND_ONE && got.id == second.id);
    CHECK(wallets_pick(db, agent.id, WALLET_EVM, "0xAa03", &got) == FOUND_NONE); /* another agent's */
    CHECK(wallets_pick(db, agent.id, WALLET_SOLANA, "0xAa02", &got) == FOUND_NONE);
    CHECK(wallets_get(db, theirs.id, &got) == FOUND_ONE && got.agent_id == other.id);
    CHECK(wallets_get(db, 999999, &got) == FOUND_NONE);
    CHECK(wallets_lock(db, first.id) == FOUND_ONE && wallets_lock(db, 999999) == FOUND_NONE);
    got = first;
    got.ref.wallet = uuid_random();
    CHECK(wallets_add(db, &got) == DONE_FAILED && db_duplicate(db)); /* an address is one wallet's */
}

static void many_wallets_are_listed(void)
{
    struct agent agent = new_agent(NULL);
    struct wallet *list;

    for (int i = 0; i < 35; i++)
        (void)new_wallet(&agent, arena_printf(a, "0xBb%02d", i), WALLET_EVM);
    CHECK(wallets_list(db, a, agent.id, &list) == 35);
    CHECK_STR(list[34].ref.address, "0xBb34");
    CHECK(wallets_list(db, a, 999999, &list) == 0);
}

static void nonces_never_go_back(void)
{
    uint64_t nonce = 0;

    CHECK(wallets_nonce(db, 501, 1, 7, &nonce) && nonce == 7);
    CHECK(wallets_nonce_set(db, 501, 1, 9));
    CHECK(wallets_nonce(db, 501, 1, 7, &nonce) && nonce == 9);
    CHECK(wallets_nonce(db, 501, 1, 12, &nonce) && nonce == 12); /* the chain has seen more */
    CHECK(wallets_nonce(db, 501, 8453, 0, &nonce) && nonce == 0);
    CHECK(wallets_nonce(db, 502, 1, 0, &nonce) && nonce == 0);
}

STORE_TEST_MAIN(TEST(wallets_of_an_agent), TEST(many_wallets_are_listed), TEST(nonces_never_go_back))
