#include "store/bridges.h"
#include "store/lend_operations.h"
#include "store/lend_watches.h"
#include "store/order_leases.h"
#include "store/order_states.h"
#include "store/orders.h"
#include "store/predict_accounts.h"
#include "store/test_store.h"
#include "store/withdrawals.h"

static int64_t rows_of(const char *table, uint64_t agent_id)
{
    return NUMBER("SELECT COUNT(*) FROM %s WHERE agent_id = %d", table, (int)agent_id);
}

static void remaining_rows_are_purged_in_batches(void)
{
    static const char *const tables[] = { "quotes",       "idempotency",   "webhook_events", "event_totals",
                                          "event_queues", "executions",    "wallets",        "purges",
                                          "tasks",        "task_messages", "task_pushes" };
    struct agent agent = new_agent("https://a.example/"), other = new_agent("https://b.example/");
    struct wallet w = new_wallet(&agent, "0xAa0f", WALLET_EVM);
    struct idem_run run = { .agent_id = agent.id, .owner = uuid_random() };
    struct idem_found found;
    struct execution done = new_swap(agent.id, w.id), flying = new_swap(agent.id, w.id);
    struct execution theirs = new_swap(other.id, 1);
    uint64_t id = 0;

    CHECK(raw("DELETE FROM purges"));
    for (int i = 0; i < 5; i++)
        (void)new_quote(agent.id);
    CHECK(events_add(db, agent.id, "swap.completed", "{}"));
    CHECK(idempotency_take(db, a, &run, 30, QUOTA_NONE, &found) == IDEM_BEGUN);
    CHECK(wallets_nonce_set(db, w.id, 1, 3));
    (void)new_task(&agent, "purged", "https://push.example/");
    (void)add_tx(new_tx(&done, 1, TX_SPEND, 5, 0));
    (void)add_tx(new_tx(&flying, 2, TX_SPEND, 5, 0));
    CHECK(move(&done, EXEC_PENDING, EXEC_COMPLETED) == 1);
    CHECK(executions_settle(db, &done.id, 1, 0, FOLLOW_NOT) == UPDATED &&
          executions_settle(db, &theirs.id, 1, 0, FOLLOW_NOT) == UPDATED);
    CHECK(purges_claim(db, &id) == LOOKUP_NONE);
    CHECK(agents_delete(db, agent.id, NULL, NULL, NULL) == UPDATED);
    CHECK(purges_claim(db, &id) == LOOKUP_FOUND && id == agent.id);
    CHECK(purges_claim(db, &id) == LOOKUP_NONE); /* it is being worked on */

    CHECK(purges_batch(db, agent.id, 2) == 2 + 1 + 1 + 2 + 1 + 1 + 3);
    while (purges_batch(db, agent.id, 2) > 0) {
    }
    CHECK(rows_of("quotes", agent.id) == 0 && rows_of("executions", agent.id) == 1);
    CHECK(NUMBER("SELECT COUNT(*) FROM transactions WHERE execution_id = %d", (int)done.id) == 0);
    CHECK(NUMBER("SELECT COUNT(*) FROM execution_history WHERE execution_id = %d", (int)done.id) == 0);
    CHECK(NUMBER("SELECT COUNT(*) FROM transactions WHERE execution_id = %d", (int)flying.id) == 1);
    CHECK(purges_end(db, agent.id) == UNCHANGED && rows_of("wallets", agent.id) == 1);

    CHECK(executions_settle(db, &flying.id, 1, 0, FOLLOW_NOT) == UPDATED);
    CHECK(purges_batch(db, agent.id, 2) == 1 && purges_batch(db, agent.id, 2) == 0);
    CHECK(purges_end(db, agent.id) == UNCHANGED); /* a request of the agent may still be in progress */
    CHECK(raw("UPDATE purges SET created_at = created_at - INTERVAL 2 MINUTE"));
    CHECK(purges_end(db, agent.id) == UPDATED);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        CHECK(rows_of(tables[i], agent.id) == 0);
    CHECK(NUMBER("SELECT COUNT(*) FROM wallet_nonces WHERE wallet_id = %d", (int)w.id) == 0);
    CHECK(rows_of("executions", other.id) == 1);
}

/* With the execution, and no sooner; what lenders' watch keeps, with the agent. */
static void rows_of_executions_are_purged_with_them(void)
{
    struct agent agent = new_agent(NULL);
    struct wallet w = new_wallet(&agent, "0xAa3f", WALLET_EVM);
    struct execution lent = new_swap(agent.id, w.id), paid = new_swap(agent.id, w.id);
    const struct lend_operation o = { .execution_id = lent.id,
                                      .agent_id = agent.id,
                                      .kind = KIND_LEND_BORROW };
    const struct withdrawal out = { .execution_id = paid.id, .agent_id = agent.id };
    const struct lend_watch_key key = { agent.id, w.id, 1, "aave-v3", "" };
    const struct lend_watch watch = { .agent_id = agent.id, .wallet_id = w.id, .chain_id = 1 };
    const struct tx_hash tx = { { 7 }, 32 };
    const struct execution_move late = { .id = lent.id,
                                         .kind = KIND_LEND_BORROW,
                                         .agent_id = agent.id,
                                         .from = EXEC_PENDING,
                                         .to = EXEC_COMPLETED };

    CHECK(lend_operations_put(db, &o) && withdrawals_put(db, &out));
    CHECK(lend_watches_put(db, &key) && lend_liquidations_add(db, &watch, &tx, 0) == UPDATED);
    CHECK(executions_settle(db, &paid.id, 1, 0, FOLLOW_NOT) == UPDATED &&
          agents_delete(db, agent.id, NULL, NULL, NULL) == UPDATED);
    while (purges_batch(db, agent.id, 10) > 0) {
    }
    CHECK(rows_of("withdrawals", agent.id) == 0 && rows_of("lend_operations", agent.id) == 1);
    CHECK(rows_of("lend_monitors", agent.id) == 0 && rows_of("lend_liquidations", agent.id) == 0);
    CHECK(executions_count(db, &late, 1) == UPDATED && rows_of("execution_totals", agent.id) == 2);
    CHECK(executions_settle(db, &lent.id, 1, 0, FOLLOW_NOT) == UPDATED);
    while (purges_batch(db, agent.id, 10) > 0) {
    }
    CHECK(purges_end(db, agent.id) == UNCHANGED && rows_of("execution_totals", agent.id) == 0);
    CHECK(rows_of("executions", agent.id) == 0 && rows_of("lend_operations", agent.id) == 0);
}

/* A bridge's owed payment is looked for as long as the execution is followed. */
static void bridges_stay_until_they_have_paid(void)
{
    struct agent agent = new_agent(NULL);
    struct wallet w = new_wallet(&agent, "0xAa2f", WALLET_EVM);
    struct execution x = new_swap(agent.id, w.id);
    const struct bridge b = { .execution_id = x.id, .bridge_provider = "relay" };
    const struct tx_hash tx = { { 9 }, 32 };
    const struct arrival_claim claim = { .execution_id = x.id, .chain_id = 10, .tx = &tx, .recipient = "0x" };
    const struct arrival moved = { .log_index = 1 };

    CHECK(bridges_add(db, &b) && arrivals_add(db, &claim, &moved) == UPDATED);
    CHECK(executions_settle(db, &x.id, 1, 0, FOLLOW_BRIDGE) == UPDATED &&
          agents_delete(db, agent.id, NULL, NULL, NULL) == UPDATED);
    while (purges_batch(db, agent.id, 10) > 0) {
    }
    CHECK(rows_of("executions", agent.id) == 1);
    CHECK(NUMBER("SELECT COUNT(*) FROM bridges WHERE execution_id = %d", (int)x.id) == 1);
    CHECK(executions_settle(db, &x.id, 1, 0, FOLLOW_NOT) == UPDATED);
    while (purges_batch(db, agent.id, 10) > 0) {
    }
    CHECK(rows_of("executions", agent.id) == 0);
    CHECK(NUMBER("SELECT COUNT(*) FROM bridges WHERE execution_id = %d", (int)x.id) == 0);
    CHECK(NUMBER("SELECT COUNT(*) FROM bridge_deliveries WHERE execution_id = %d", (int)x.id) == 0);
}

/* Following an open order needs the order, its requests and the account. */
static void open_orders_stay_until_they_are_cancelled(void)
{
    struct agent agent = new_agent(NULL);
    struct wallet w = new_wallet(&agent, "0xAa1f", WALLET_EVM);
    struct predict_account account = { .wallet = w, .kind = PREDICT_EOA };
    struct execution x = new_swap(agent.id, w.id);
    struct order_move placed = { .agent_id = x.agent_id };
    struct order o = { .execution_id = x.id,
                       .agent_id = agent.id,
                       .wallet_id = w.id,
                       .has_hash = true,
                       .market = "1",
                       .outcome = "Yes",
                       .question = "?",
                       .type = ORDER_GTC,
                       .price = 1,
                       .size = 1 };

    CHECK(predict_accounts_add(db, &account) == UPDATED &&
          order_leases_due(db, ORDERS_OF_PREDICTION, w.id, 3600000));
    CHECK(orders_open(db, agent.id) == LOOKUP_NONE);
    CHECK(orders_add(db, &o) && order_states_placed(db, ORDERS_OF_PREDICTION, x.id, &placed) == UPDATED &&
          order_moves_count(db, &placed, 1) && executions_settle(db, &x.id, 1, 0, FOLLOW_NOT) == UPDATED);
    CHECK(orders_open(db, agent.id) == LOOKUP_FOUND);
    CHECK(agents_delete(db, agent.id, NULL, NULL, NULL) == UPDATED);
    CHECK(
        NUMBER(
            "SELECT COUNT(*) FROM predict_orders WHERE execution_id = %d AND cancel_requested_at IS NOT NULL",
            (int)x.id) == 1);
    CHECK(NUMBER("SELECT orders_due_at <= UTC_TIMESTAMP(3) FROM predict_accounts WHERE wallet_id = %d",
                 (int)w.id) == 1);
    while (purges_batch(db, agent.id, 10) > 0) {
    }
    CHECK(rows_of("executions", agent.id) == 1 && rows_of("predict_orders", agent.id) == 1);
    CHECK(purges_end(db, agent.id) == UNCHANGED && rows_of("predict_accounts", agent.id) == 1);
    CHECK(raw("UPDATE predict_orders SET status = 4, final = 1"));
    while (purges_batch(db, agent.id, 10) > 0) {
    }
    CHECK(rows_of("executions", agent.id) == 0 && rows_of("predict_orders", agent.id) == 0);
    (void)purges_end(db, agent.id);
    CHECK(rows_of("predict_accounts", agent.id) == 0);
}

/* The venue may be gone for good. */
static void a_cancel_that_is_not_done_in_a_day_is_given_up(void)
{
    struct agent agent = new_agent(NULL);
    struct execution x = new_swap(agent.id, 1);
    struct order_move placed = { .agent_id = x.agent_id };
    struct order o = { .execution_id = x.id,
                       .agent_id = agent.id,
                       .wallet_id = 1,
                       .has_hash = true,
                       .hash = { 1 },
                       .market = "1",
                       .outcome = "Yes",
                       .question = "?",
                       .type = ORDER_GTC,
                       .price = 1,
                       .size = 1 };

    CHECK(orders_add(db, &o) && order_states_placed(db, ORDERS_OF_PREDICTION, x.id, &placed) == UPDATED &&
          order_moves_count(db, &placed, 1) && executions_settle(db, &x.id, 1, 0, FOLLOW_NOT) == UPDATED);
    CHECK(agents_delete(db, agent.id, NULL, NULL, NULL) == UPDATED);
    while (purges_batch(db, agent.id, 10) > 0) {
    }
    CHECK(rows_of("predict_orders", agent.id) == 1);
    CHECK(raw("UPDATE predict_orders SET cancel_requested_at = cancel_requested_at - INTERVAL 25 HOUR"));
    CHECK(purges_batch(db, agent.id, 10) == 1 && rows_of("predict_orders", agent.id) == 0);
}

static void stuck_executions_are_purged_after_a_day(void)
{
    struct agent agent = new_agent(NULL);
    struct execution s = new_swap(agent.id, 1);

    CHECK(agents_delete(db, agent.id, NULL, NULL, NULL) == UPDATED);
    CHECK(purges_batch(db, agent.id, 10) == 1); /* its place in the line of events */
    CHECK(RAW("UPDATE executions SET valid_until = UTC_TIMESTAMP(3) - INTERVAL 23 HOUR WHERE id = %d",
              (int)s.id));
    CHECK(purges_batch(db, agent.id, 10) == 0);
    CHECK(RAW("UPDATE executions SET valid_until = UTC_TIMESTAMP(3) - INTERVAL 25 HOUR, lease_owner = 'poll',"
              " lease_until = UTC_TIMESTAMP(3) + INTERVAL 9 SECOND WHERE id = %d",
              (int)s.id));
    CHECK(purges_batch(db, agent.id, 10) == 0); /* a process is looking at it */
    CHECK(RAW("UPDATE executions SET lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE id = %d",
              (int)s.id));
    CHECK(purges_batch(db, agent.id, 10) == 1);
}

STORE_TEST_MAIN(TEST(remaining_rows_are_purged_in_batches), TEST(rows_of_executions_are_purged_with_them),
                TEST(bridges_stay_until_they_have_paid), TEST(open_orders_stay_until_they_are_cancelled),
                TEST(a_cancel_that_is_not_done_in_a_day_is_given_up),
                TEST(stuck_executions_are_purged_after_a_day))
