#include "store/bridges.h"

#include "store/test_store.h"

static const struct tx_hash PAID = { { 7, 7 }, 32 }, OTHER = { { 8, 8 }, 32 };

static struct bridge bridge_of(uint64_t execution_id)
{
    return (struct bridge){ .execution_id = execution_id,
                            .bridge_provider = "relay",
                            .reference = "0xab",
                            .recipient = "0x1111111111111111111111111111111111111111",
                            .deadline_ms = 1767225600000,
                            .seconds = 40,
                            .far_block = 500,
                            .proof = (const uint8_t *)"or\0der",
                            .proof_len = 6,
                            .next_ask_ms = 1767225600005 };
}

static struct execution bridged_swap(uint64_t agent_id)
{
    struct execution s = new_swap(agent_id, 700 + agent_id);
    struct bridge b = bridge_of(s.id);

    CHECK(bridges_add(db, &b));
    return s;
}

static void a_bridge_is_kept(void)
{
    struct execution s = bridged_swap(301);
    struct bridge got;

    CHECK(bridges_get(db, a, s.id, &got) == LOOKUP_FOUND);
    CHECK_STR(got.bridge_provider, "relay");
    CHECK_STR(got.reference, "0xab");
    CHECK_STR(got.recipient, "0x1111111111111111111111111111111111111111");
    CHECK(got.deadline_ms == 1767225600000 && got.seconds == 40 && got.far_block == 500);
    CHECK(got.proof_len == 6 && memcmp(got.proof, "or\0der", 6) == 0);
    CHECK(got.state == BRIDGE_UNKNOWN && got.since_ms == 0 && got.out_tx.len == 0 && got.out_block == 0);
    CHECK(got.delivery == DELIVERY_NONE && got.arrived.chain_id == 0 && got.asks == 0 && got.asked_ms == 0);
    CHECK(got.next_ask_ms != 0);
    CHECK(bridges_get(db, a, 999999, &got) == LOOKUP_NONE);
}

static void bridges_are_recorded(void)
{
    struct execution s = bridged_swap(302);
    struct bridge b = bridge_of(s.id), got;

    b.state = BRIDGE_DONE;
    b.since_ms = 1767225600001;
    b.out_chain_id = 8453;
    b.out_tx = PAID;
    b.out_block = 77;
    b.delivery = DELIVERY_PROVEN;
    b.arrived = (struct token_ref){ .chain_id = 8453, .symbol = "WETH", .address = "0x42", .decimals = 18 };
    b.arrived_amount = u256_from_u64(12);
    b.asks = 1;
    b.asked_ms = 1767225600002;
    b.next_ask_ms = 1767225600003;
    CHECK(bridges_record(db, &b) == UPDATED && bridges_get(db, a, s.id, &got) == LOOKUP_FOUND);
    CHECK(got.state == BRIDGE_DONE && got.since_ms == b.since_ms && got.out_chain_id == 8453);
    CHECK(tx_hash_equal(&got.out_tx, &PAID) && got.out_block == 77 && got.delivery == DELIVERY_PROVEN);
    CHECK(got.arrived.chain_id == 8453 && got.arrived.decimals == 18 && is(got.arrived_amount, 12));
    CHECK_STR(got.arrived.symbol, "WETH");
    CHECK(got.asks == 1 && got.asked_ms == b.asked_ms && got.next_ask_ms == b.next_ask_ms);
    b = bridge_of(s.id);
    b.asks = 1;
    CHECK(bridges_record(db, &b) == UNCHANGED); /* that turn is recorded */
    b.asks = 2;
    CHECK(bridges_record(db, &b) == UPDATED && bridges_get(db, a, s.id, &got) == LOOKUP_FOUND);
    CHECK(got.out_tx.len == 0 && got.arrived.chain_id == 0 && got.seconds == 40);
}

/* A bridge in flight has its proof too: it may have to be signed again. Then it is due with its bridge
 * provider. */
static void claimed_bridges_are_read(void)
{
    struct execution s = bridged_swap(303);
    struct uuid owner = uuid_random();
    struct bridge b = bridge_of(s.id), *got;
    char sql[200];

    executions_run_out();
    CHECK(executions_claim(db, &owner, 30, 200) > 0);
    CHECK(bridges_claimed(db, a, &owner, &got) >= 1);
    while (got->execution_id != s.id)
        got++;
    CHECK(got->proof_len == 6);
    b.next_ask_ms = 1767225600000;
    b.asks = 1;
    CHECK(bridges_record(db, &b) == UPDATED && executions_settle(db, &s.id, 1, 0, FOLLOW_BRIDGE) == UPDATED);
    CHECK(bridges_claimed(db, a, &owner, &got) >= 1);
    while (got->execution_id != s.id)
        got++;
    CHECK(got->proof_len == 0 && executions_release(db, &owner, 60));
    (void)snprintf(sql, sizeof sql,
                   "SELECT COUNT(*) FROM executions WHERE id = %llu AND due_at = '2026-01-01 00:00:00'",
                   (unsigned long long)s.id);
    CHECK(number_in(sql) == 1);
    owner = uuid_random();
    CHECK(executions_claim(db, &owner, 30, 200) >= 1 && bridges_claimed(db, a, &owner, &got) >= 1);
    CHECK(executions_release(db, &owner, 60));
}

static void metrics_count_bridges_in_progress(void)
{
    struct bridges_figures before, now;
    struct execution s;
    struct bridge b;

    CHECK(bridges_figures(db, 3600, &before));
    s = bridged_swap(304);
    b = bridge_of(s.id);
    b.state = BRIDGE_DONE;
    b.since_ms = 1767225600000;
    b.asks = 1;
    CHECK(bridges_record(db, &b) == UPDATED && bridges_figures(db, 3600, &now));
    CHECK(now.under_way == before.under_way + 1 && now.contradicted == before.contradicted + 1);
    b.delivery = DELIVERY_PROVEN;
    b.asks = 2;
    CHECK(bridges_record(db, &b) == UPDATED && bridges_figures(db, 3600, &now));
    CHECK(now.under_way == before.under_way && now.contradicted == before.contradicted);
}

static struct arrival_claim claim_of(uint64_t execution_id, const struct tx_hash *tx)
{
    return (struct arrival_claim){
        .execution_id = execution_id, .chain_id = 8453, .tx = tx, .block = 90, .recipient = "0x11"
    };
}

/* The second claimant of an arrival gets nothing. */
static void an_arrival_proves_one_delivery(void)
{
    const struct arrival third = { .log_index = 3, .amount = u256_from_u64(5) },
                         coin = { .log_index = ARRIVAL_COIN, .amount = u256_from_u64(6) };
    struct arrival_claim first = claim_of(1001, &PAID), second = claim_of(1002, &PAID);
    struct arrival_taken *taken;

    CHECK(arrivals_add(db, &first, &third) == UPDATED && arrivals_add(db, &first, &coin) == UPDATED);
    CHECK(arrivals_add(db, &second, &third) == UNCHANGED && arrivals_add(db, &second, &coin) == UNCHANGED);
    CHECK(arrivals_taken(db, a, &first, &taken) == 0 && arrivals_taken(db, a, &second, &taken) == 2);
    CHECK(taken[0].same_tx && taken[0].log_index == ARRIVAL_COIN && is(taken[0].amount, 6));
    CHECK(taken[1].log_index == 3 && is(taken[1].amount, 5));
    /* Only coin counts from another transaction in the block. */
    second.tx = &OTHER;
    CHECK(arrivals_taken(db, a, &second, &taken) == 1 && !taken->same_tx && is(taken->amount, 6));
    second.recipient = "0x22";
    CHECK(arrivals_taken(db, a, &second, &taken) == 0);
    CHECK(arrivals_remove(db, 1001));
    second = claim_of(1002, &PAID);
    CHECK(arrivals_add(db, &second, &third) == UPDATED);
}

STORE_TEST_MAIN(TEST(a_bridge_is_kept), TEST(bridges_are_recorded), TEST(claimed_bridges_are_read),
                TEST(metrics_count_bridges_in_progress), TEST(an_arrival_proves_one_delivery))
