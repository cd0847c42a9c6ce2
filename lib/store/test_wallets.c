#include "store/test_store.h"

#include "store/policies.h"

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
    CHECK(wallets_pick(db, agent.id, WALLET_EVM, NULL, &got) == LOOKUP_FOUND && got.id == first.id);
    CHECK(wallets_pick(db, agent.id, WALLET_SOLANA, NULL, &got) == LOOKUP_FOUND && got.id == solana.id);
    CHECK(wallets_pick(db, agent.id, WALLET_EVM, "0xAa02", &got) == LOOKUP_FOUND && got.id == second.id);
    CHECK(wallets_pick(db, agent.id, WALLET_EVM, "0xAa03", &got) == LOOKUP_NONE); /* another agent's */
    CHECK(wallets_pick(db, agent.id, WALLET_SOLANA, "0xAa02", &got) == LOOKUP_NONE);
    CHECK(wallets_get(db, theirs.id, &got) == LOOKUP_FOUND && got.agent_id == other.id);
    CHECK(wallets_get(db, 999999, &got) == LOOKUP_NONE);
    got = first;
    got.ref.wallet = uuid_random();
    CHECK(wallets_add(db, &got, 0) == DB_ERROR && db_duplicate(db)); /* an address is one wallet's */
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

static void locked_wallets_show_turn_and_nonce(void)
{
    struct agent agent = new_agent(NULL);
    struct wallet w = new_wallet(&agent, "0xCc01", WALLET_EVM), got;
    struct policy p = { .id = uuid_random(), .agent_id = agent.id, .type = POLICY_WHITELIST, .params = "{}" };
    struct wallet_locked held = { 1, 1, 0 };
    int64_t now_ms;

    CHECK(wallets_lock(db, 999999, 1, &held) == LOOKUP_NONE);
    CHECK(wallets_lock(db, w.id, 1, &held) == LOOKUP_FOUND && held.turn == w.turn && held.next_nonce == 0);
    CHECK(db_clock_ms(db, &now_ms) && held.asked_ms <= now_ms && held.asked_ms > now_ms - 60000);
    CHECK(wallets_nonce_set(db, w.id, 1, 9));
    CHECK(wallets_lock(db, w.id, 1, &held) == LOOKUP_FOUND && held.turn == w.turn && held.next_nonce == 9);
    CHECK(wallets_nonce_set(db, w.id, 1, 9) && wallets_nonce_set(db, w.id, 1, 12));
    CHECK(wallets_lock(db, w.id, 1, &held) == LOOKUP_FOUND && held.next_nonce == 12);
    CHECK(wallets_lock(db, w.id, 8453, &held) == LOOKUP_FOUND && held.next_nonce == 0);
    CHECK(policies_add(db, &p) == UPDATED);
    CHECK(wallets_lock(db, w.id, 1, &held) == LOOKUP_FOUND && held.turn != w.turn);
    CHECK(wallets_get(db, w.id, &got) == LOOKUP_FOUND && got.turn == held.turn);
}

/* A policy for any of the agent's wallets counts: the code that lists policies skips those of other
 * wallets. */
static void whether_policies_limit_it(void)
{
    struct agent agent = new_agent(NULL);
    struct wallet w = new_wallet(&agent, "0xCc11", WALLET_EVM), got;
    struct policy p = { .id = uuid_random(), .agent_id = agent.id, .type = POLICY_WHITELIST, .params = "{}" };

    CHECK(wallets_pick(db, agent.id, WALLET_EVM, NULL, &got) == LOOKUP_FOUND && got.unlimited);
    CHECK(wallets_get(db, w.id, &got) == LOOKUP_FOUND && !got.unlimited); /* not looked up */
    CHECK(policies_add(db, &p) == UPDATED);
    CHECK(wallets_pick(db, agent.id, WALLET_EVM, NULL, &got) == LOOKUP_FOUND && !got.unlimited);
    CHECK(wallets_pick(db, agent.id, WALLET_EVM, "0xCc11", &got) == LOOKUP_FOUND && !got.unlimited);
}

static void nonces_are_raised_and_never_lowered(void)
{
    struct agent agent = new_agent(NULL);
    struct wallet w = new_wallet(&agent, "0xDd01", WALLET_EVM);
    uint64_t next = 1;

    CHECK(wallets_nonce(db, w.id, 1, &next) && next == 0);
    CHECK(wallets_nonce_raise(db, w.id, 1, 7) && wallets_nonce_raise(db, w.id, 1, 5));
    CHECK(wallets_nonce(db, w.id, 1, &next) && next == 7);
    CHECK(wallets_nonce(db, w.id, 8453, &next) && next == 0);
}

static void wallets_come_back_with_their_time(void)
{
    struct agent agent = new_agent(NULL);
    struct wallet w = new_wallet(&agent, "0xEe01", WALLET_EVM), page[2];

    CHECK(wallets_known(db, &w.ref.wallet) == LOOKUP_FOUND);
    w.ref.wallet = uuid_random();
    (void)snprintf(w.ref.address, sizeof w.ref.address, "0xEe02");
    CHECK(wallets_known(db, &w.ref.wallet) == LOOKUP_NONE);
    CHECK(wallets_add(db, &w, 1700000000123) == UPDATED && wallets_known(db, &w.ref.wallet) == LOOKUP_FOUND);
    CHECK(NUMBER("SELECT created_at = '2023-11-14 22:13:20.123' FROM wallets WHERE address = '0xEe02'") == 1);
    CHECK(wallets_after(db, w.id - 1, page, 2) == 2 && page[0].id == w.id);
    CHECK_STR(page[1].ref.address, "0xEe02");
    CHECK(wallets_after(db, page[1].id, page, 2) == 0);
}

static void chains_with_holdings_are_stored(void)
{
    struct agent agent = new_agent(NULL), other = new_agent(NULL);
    struct wallet_traces t;

    (void)new_wallet(&agent, "0xFf01", WALLET_EVM);
    (void)new_wallet(&agent, "0xFf02", WALLET_EVM);
    CHECK(wallets_traces(db, a, agent.id, &t) && t.kinds == 0);
    CHECK_STR(t.held_on, ",");
    CHECK(wallets_holds_on(db, agent.id, "0xFf01", "base") &&
          wallets_holds_on(db, agent.id, "0xFf01", "base"));
    CHECK(wallets_holds_on(db, agent.id, "0xFf01", "perps") &&
          wallets_holds_on(db, agent.id, "0xFf02", "linea"));
    CHECK(wallets_holds_on(db, other.id, "0xFf02", "gnosis"));
    CHECK(raw(arena_printf(a,
                           "INSERT INTO execution_totals (agent_id, kind, listed, n)"
                           " SELECT id, kind, listed, 1 FROM agents, (SELECT 8 AS kind, 1 AS listed"
                           " UNION SELECT 8, 3 UNION SELECT 17, 3) k WHERE id = %llu",
                           (unsigned long long)agent.id)));
    CHECK(wallets_traces(db, a, agent.id, &t) && t.kinds == (1u << 8 | 1u << 17));
    CHECK_STR(t.held_on, ",base,perps,linea,");
    CHECK(wallet_traces_have(&t, a, "perps") && !wallet_traces_have(&t, a, "perp"));
    CHECK(wallets_traces(db, a, other.id, &t) && t.kinds == 0);
    CHECK_STR(t.held_on, ",");
}

STORE_TEST_MAIN(TEST(chains_with_holdings_are_stored), TEST(nonces_are_raised_and_never_lowered),
                TEST(wallets_come_back_with_their_time), TEST(wallets_of_an_agent),
                TEST(many_wallets_are_listed), TEST(locked_wallets_show_turn_and_nonce),
                TEST(whether_policies_limit_it))
