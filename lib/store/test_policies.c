#include "store/policies.h"
#include "store/test_store.h"

static uint64_t spend_of(uint64_t agent_id, uint64_t usd, bool margin)
{
    struct execution x = swap_terms(agent_id, 1);
    struct u256 worth = u256_from_u64(usd);
    struct spend_new s = { .agent_id = agent_id, .wallet_id = x.wallet_id, .usd = &worth, .margin = margin };

    add_swap(&x, 0);
    s.execution_id = x.id;
    CHECK(spends_add(db, &s));
    return x.id;
}

static uint64_t spend_some(uint64_t agent_id, uint64_t usd)
{
    return spend_of(agent_id, usd, false);
}

/* As a whole at first; then what is said last counts, and nothing else does. */
static void returned_spends_do_not_count(void)
{
    struct agent agent = new_agent(NULL);
    uint64_t other = spend_some(agent.id, 7), id = spend_some(agent.id, 100);
    uint64_t wallet = (uint64_t)NUMBER("SELECT wallet_id FROM spends WHERE execution_id = %d", (int)id);
    struct spend *list;
    int64_t now;

    CHECK(spends_list(db, a, wallet, &list, &now) == 2 && list[0].part == 1 && list[0].whole == 1);
    CHECK(spends_keep(db, id, 1000, 2000) && spends_keep(db, id, 0, 2000) && spends_keep(db, id, 500, 2000));
    CHECK(spends_keep(db, id, 500, 2000) && spends_keep(db, id + 1, 1, 2));
    CHECK(spends_list(db, a, wallet, &list, &now) == 2);
    CHECK(NUMBER("SELECT part * 10000 + whole FROM spends WHERE execution_id = %d", (int)id) == 5002000);
    CHECK(NUMBER("SELECT part * 10000 + whole FROM spends WHERE execution_id = %d", (int)other) == 10001);
    for (int i = 0; i < 2; i++)
        CHECK(is(list[i].usd, list[i].whole == 1 ? 7 : 100) &&
              list[i].part == (list[i].whole == 1 ? 1 : 500));
}

static void margin_is_told_apart(void)
{
    uint64_t agent_id = new_agent(NULL).id, left = spend_of(agent_id, 7, false),
             bound = spend_of(agent_id, 100, true);
    struct spend *list;
    int64_t now;

    CHECK(raw("DELETE FROM spends WHERE execution_id < (SELECT MAX(id) - 1 FROM executions)"));
    CHECK(left < bound && spends_list(db, a, 1, &list, &now) == 2);
    for (int i = 0; i < 2; i++)
        CHECK(list[i].margin == is(list[i].usd, 100));
}

/* Amounts that reverted or came back were not spent; an amount that a bridge has kept was. */
static void failures_that_cost_something_count(void)
{
    static const struct {
        const char *code;
        int counted;
    } rows[] = { { "SIMULATION_REVERTED", 0 }, { "BRIDGE_REFUNDED", 0 }, { "BRIDGE_FAILED", 1 } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t id = spend_some(new_agent(NULL).id, 100);
        struct spend *list;
        char sql[200];
        int64_t now;

        (void)snprintf(sql, sizeof sql,
                       "UPDATE executions SET status = 5, in_flight = 2, error_code = '%s' WHERE id = %llu",
                       rows[i].code, (unsigned long long)id);
        CHECK(raw("DELETE FROM spends WHERE execution_id <> (SELECT MAX(id) FROM executions)") && raw(sql));
        CHECK(spends_list(db, a, 1, &list, &now) == rows[i].counted);
    }
}

STORE_TEST_MAIN(TEST(returned_spends_do_not_count), TEST(failures_that_cost_something_count),
                TEST(margin_is_told_apart))
