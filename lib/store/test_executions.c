/* In addition to the kinds that there are, one that GET /swaps does not list. */
#define exec_in_swaps in_swaps_or_sweeps
#include "store/executions.c"

#include "store/test_store.h"

static const enum exec_kind_id OTHER_KIND = (enum exec_kind_id)8;

bool exec_in_swaps(enum exec_kind_id kind)
{
    return kind == KIND_SWAP || kind == KIND_TRANSFER;
}

static struct execution get(uint64_t id)
{
    struct execution s = { .id = 0 };

    CHECK(executions_get(db, a, 0, id, &s) == LOOKUP_FOUND);
    return s;
}

static void executions_are_read_as_they_were_added(void)
{
    struct agent agent = new_agent(NULL);
    struct execution s = new_swap(agent.id, 1), got = get(s.id);

    CHECK(got.status == EXEC_PENDING && got.follow == FOLLOW_IN_FLIGHT && got.tx_hash.len == 0 &&
          !got.has_amount_out);
    CHECK(got.valid_until_ms == 1800000000123 && got.completed_ms == 0 && got.error_code == NULL);
    CHECK(got.created_ms != 0 && got.created_ms == got.updated_ms && is(got.expected_out, 3000));
    CHECK_STR(got.venue, "uniswap");
    CHECK(got.kind == KIND_SWAP && memcmp(&got.once, &s.once, sizeof s.once) == 0);
}

static void swaps_move_along_the_table(void)
{
    struct agent agent = new_agent(NULL);
    uint8_t n = agents_made;
    struct tx_hash hash = { .len = 64 };
    struct execution s = new_swap(agent.id, 1), got;
    struct u256 arrived = u256_from_u64(2990);
    struct execution_move done = { .id = s.id,
                                   .kind = s.kind,
                                   .agent_id = agent.id,
                                   .from = EXEC_PROCESSING,
                                   .to = EXEC_COMPLETED,
                                   .why = "confirmed",
                                   .tx_hash = &hash,
                                   .amount_out = &arrived };
    struct execution_move failed = { .id = s.id,
                                     .kind = s.kind,
                                     .agent_id = agent.id,
                                     .from = EXEC_PROCESSING,
                                     .to = EXEC_FAILED,
                                     .why = "reverted",
                                     .error_code = "SIMULATION_REVERTED",
                                     .error_message = "no" };

    memset(hash.bytes, 0xcd, hash.len);
    CHECK(totals(&agent, n) == 1000);
    CHECK(move(&s, EXEC_PENDING, EXEC_SUBMITTED) == 1 && totals(&agent, n) == 100);
    CHECK(move(&s, EXEC_PENDING, EXEC_SUBMITTED) == 0 && totals(&agent, n) == 100); /* it was elsewhere */
    CHECK(move(&s, EXEC_SUBMITTED, EXEC_PROCESSING) == 1 && totals(&agent, n) == 1000);
    CHECK(move_counted(&done) == UPDATED && totals(&agent, n) == 10);
    got = get(s.id);
    CHECK(got.status == EXEC_COMPLETED && got.has_amount_out && is(got.amount_out, 2990));
    CHECK(tx_hash_equal(&got.tx_hash, &hash) && got.completed_ms != 0);
    /* reorganised away: what was final is forgotten, the hash stays */
    CHECK(move(&s, EXEC_COMPLETED, EXEC_PROCESSING) == 1 && totals(&agent, n) == 1000);
    got = get(s.id);
    CHECK(!got.has_amount_out && got.completed_ms == 0 && tx_hash_equal(&got.tx_hash, &hash));
    CHECK(move_counted(&failed) == UPDATED && totals(&agent, n) == 1);
    got = get(s.id);
    CHECK(got.completed_ms != 0 && got.follow == FOLLOW_IN_FLIGHT);
    CHECK_STR(got.error_code, "SIMULATION_REVERTED");
    CHECK_STR(got.error_message, "no");

    CHECK(NUMBER("SELECT COUNT(*) FROM execution_history WHERE execution_id = %d", (int)s.id) == 5);
    CHECK(NUMBER("SELECT GROUP_CONCAT(from_status, to_status ORDER BY id SEPARATOR '') FROM execution_history"
                 " WHERE execution_id = %d",
                 (int)s.id) == 1223344335);
    /* not of one that another process has moved */
    CHECK(executions_settle(db, &s.id, 1, EXEC_COMPLETED, FOLLOW_NOT) == UNCHANGED);
    CHECK(get(s.id).follow == FOLLOW_IN_FLIGHT && executions_hold(db, s.id) == LOOKUP_FOUND);
    CHECK(executions_settle(db, &s.id, 1, EXEC_FAILED, FOLLOW_ONCE_MORE) == UPDATED);
    CHECK(get(s.id).follow == FOLLOW_ONCE_MORE && executions_hold(db, s.id) == LOOKUP_NONE);

    /* corrected: what was a failure is none, and known to have been told as one */
    CHECK(!get(s.id).corrected);
    done.from = EXEC_FAILED;
    CHECK(move_counted(&done) == UPDATED && totals(&agent, n) == 10);
    got = get(s.id);
    CHECK(got.status == EXEC_COMPLETED && got.corrected && got.error_code == NULL);
    CHECK(got.error_message == NULL && is(got.amount_out, 2990));
    CHECK(executions_settle(db, &s.id, 1, 0, FOLLOW_NOT) == UPDATED && get(s.id).follow == FOLLOW_NOT);
}

/* Each has a history of its own, and each agent its totals. */
static void swaps_move_together(void)
{
    enum { N = 4 };
    struct agent one = new_agent(NULL);
    uint8_t first = agents_made;
    struct agent two = new_agent(NULL);
    uint8_t second = agents_made;
    struct execution_move moves[N];
    struct execution *got;
    uint64_t ids[N];

    for (int i = 0; i < N; i++) {
        struct execution s = new_swap(i < 3 ? one.id : two.id, 1);

        ids[i] = s.id;
        moves[i] = (struct execution_move){ .id = s.id,
                                            .kind = s.kind,
                                            .agent_id = s.agent_id,
                                            .from = EXEC_PENDING,
                                            .to = EXEC_SUBMITTED,
                                            .why = i == 1 ? "another" : "one" };
    }
    moves[2].to = EXEC_FAILED;
    CHECK(executions_move(db, moves, N) == UPDATED && executions_count(db, moves, N) == UPDATED);
    CHECK(totals(&one, first) == 201 && totals(&two, second) == 100);
    CHECK(NUMBER("SELECT COUNT(*) FROM execution_history WHERE execution_id BETWEEN %d AND %d", (int)ids[0],
                 (int)ids[N - 1]) == N);
    CHECK(NUMBER("SELECT GROUP_CONCAT(to_status ORDER BY execution_id SEPARATOR '') FROM execution_history h"
                 " WHERE execution_id BETWEEN %d AND %d AND from_status = 1 AND created_at ="
                 " (SELECT updated_at FROM executions WHERE id = h.execution_id)",
                 (int)ids[0], (int)ids[N - 1]) == 2252);
    CHECK(NUMBER("SELECT COUNT(*) FROM execution_history WHERE why = 'another' AND execution_id = %d",
                 (int)ids[1]) == 1);
    CHECK(executions_get_all(db, a, ids, N, &got) == N && got[2].status == EXEC_FAILED);
    CHECK(executions_settle(db, ids + 1, 2, 0, FOLLOW_NOT) == UPDATED &&
          get(ids[0]).follow == FOLLOW_IN_FLIGHT);
    CHECK(get(ids[1]).follow == FOLLOW_NOT && get(ids[2]).follow == FOLLOW_NOT);
    moves[0].from = EXEC_SUBMITTED;
    moves[0].to = EXEC_PROCESSING;
    CHECK(executions_move(db, moves, 2) == UNCHANGED); /* the second was elsewhere */
}

static void which_of_those_awaited_have_ended(void)
{
    struct agent agent = new_agent(NULL);
    struct execution first = new_swap(agent.id, 1), second = new_swap(agent.id, 1);
    const struct execution_awaited of[] = {
        { first.id, false }, { second.id, true }, { first.id, true }, { second.id + 1000000, false }
    };
    struct execution_move move = { .id = second.id,
                                   .kind = second.kind,
                                   .agent_id = agent.id,
                                   .from = EXEC_PENDING,
                                   .to = EXEC_FAILED,
                                   .why = "test" };
    bool ended[4] = { true, true, true, false };

    CHECK(executions_ended(db, of, 4, ended));
    CHECK(!ended[0] && !ended[1] && !ended[2] && ended[3]);
    CHECK(executions_move(db, &move, 1) == UPDATED);
    CHECK(executions_ended(db, of, 4, ended));
    CHECK(!ended[0] && ended[1] && !ended[2] && ended[3]);
}

static void a_forbidden_move_ends_the_program(void)
{
    struct execution s = new_swap(98, 1);
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(99);
        (void)move(&s, EXEC_COMPLETED, EXEC_PENDING);
        _exit(0);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 70);
}

static void a_quote_makes_one_swap(void)
{
    struct execution s = new_swap(81, 1), again = s, got;
    uint64_t id = 0;

    CHECK(!executions_add(db, &again, 0) && db_duplicate(db));
    CHECK(executions_by_once(db, 81, &s.once, &id) == LOOKUP_FOUND && id == s.id);
    CHECK(executions_by_once(db, 82, &s.once, &id) == LOOKUP_NONE);
    CHECK(executions_get(db, a, 81, s.id, &got) == LOOKUP_FOUND &&
          executions_get(db, a, 82, s.id, &got) == LOOKUP_NONE);
    CHECK(executions_get(db, a, 81, 999999, &got) == LOOKUP_NONE);
}

static void pages_of_swaps(void)
{
    static const enum exec_status to[] = { EXEC_COMPLETED, EXEC_FAILED, EXEC_PROCESSING, EXEC_SUBMITTED };
    struct agent agent = new_agent(NULL), other = new_agent(NULL);
    struct execution made[5], out[PAGE_MAX];
    struct page all = { 20, 0 }, two = { 2, 1 }, beyond = { 20, 5 };

    for (int i = 0; i < 5; i++)
        made[i] = new_swap(agent.id, 1);
    (void)new_swap(other.id, 1);
    for (int i = 0; i < 4; i++)
        CHECK(move(&made[i], EXEC_PENDING, to[i]) == 1);
    CHECK(executions_page(db, a, agent.id, (enum exec_status)0, &all, out) == 5);
    for (int i = 0; i < 5; i++)
        CHECK(out[i].id == made[4 - i].id); /* newest first */
    CHECK(executions_page(db, a, agent.id, (enum exec_status)0, &two, out) == 2 && out[0].id == made[3].id);
    CHECK(executions_page(db, a, agent.id, (enum exec_status)0, &beyond, out) == 0);
    /* processing is listed as pending */
    CHECK(executions_page(db, a, agent.id, EXEC_PENDING, &all, out) == 2);
    CHECK(out[0].id == made[4].id && out[1].id == made[2].id && out[1].status == EXEC_PROCESSING);
    CHECK(executions_page(db, a, agent.id, EXEC_COMPLETED, &all, out) == 1 && out[0].id == made[0].id);
    CHECK(executions_page(db, a, agent.id, EXEC_FAILED, &all, out) == 1 && out[0].id == made[1].id);
    CHECK(executions_page(db, a, agent.id, EXEC_SUBMITTED, &two, out) == 0);
}

/* Far behind the front another statement is used; it must not skip or repeat anything where they meet. */
static void far_pages_of_swaps(void)
{
    struct agent agent = new_agent(NULL);
    struct execution out[PAGE_MAX], got;
    uint64_t last = UINT64_MAX;
    int seen = 0, n;

    for (int i = 0; i < 107; i++)
        (void)new_swap(agent.id, 1);
    for (uint64_t offset = 95; offset < 120; offset += 5) {
        struct page p = { 5, offset };

        n = executions_page(db, a, agent.id, offset % 2 == 0 ? EXEC_PENDING : (enum exec_status)0, &p, out);
        for (int i = 0; i < n; i++, seen++) {
            CHECK(out[i].id < last && executions_get(db, a, agent.id, out[i].id, &got) == LOOKUP_FOUND);
            last = out[i].id;
        }
    }
    CHECK(seen == 12);
}

static void swaps_are_claimed_and_given_back(void)
{
    struct uuid one = uuid_random(), two = uuid_random();
    struct agent agent = new_agent(NULL);
    struct wallet w = new_wallet(&agent, "0xAa0c1", WALLET_EVM), *wallets;
    struct execution first, second, third, *got;
    struct transaction *txs;

    CHECK(raw("UPDATE executions SET in_flight = 0"));
    first = new_swap(agent.id, w.id);
    second = new_swap(agent.id, w.id);
    third = new_swap(agent.id, 607);
    (void)add_tx(new_tx(&second, 2, TX_SPEND, 1, 0));
    (void)add_tx(new_tx(&first, 1, TX_SPEND, 1, 0));
    (void)add_tx(new_tx(&first, 0, TX_APPROVAL, 1, 0));
    CHECK(RAW("UPDATE executions SET due_at = UTC_TIMESTAMP(3) + INTERVAL 60 SECOND WHERE id = %d",
              (int)third.id));

    CHECK(executions_claim(db, &one, 30, 100) == 2 && executions_claim(db, &two, 30, 100) == 0);
    CHECK(executions_claimed(db, a, &one, &got) == 2 && got[0].id == first.id && got[1].id == second.id);
    CHECK(transactions_claimed(db, a, &one, &txs) == 3);
    CHECK(txs[0].effect.execution_id == first.id && txs[0].nonce == 0 && txs[1].nonce == 1 &&
          txs[2].nonce == 2);
    CHECK(executions_claimed(db, a, &two, &got) == 0 && transactions_claimed(db, a, &two, &txs) == 0);
    CHECK(wallets_claimed(db, a, &one, &wallets) == 1 && wallets[0].id == w.id);
    CHECK(wallets_claimed(db, a, &two, &wallets) == 0);
    /* from one batch to the next: who was looked at is due again later */
    CHECK(RAW("UPDATE executions SET due_at = UTC_TIMESTAMP(3) WHERE id = %d", (int)third.id));
    CHECK(executions_claim_next(db, &one, 600, &two, 30, 100) == 1);
    CHECK(executions_claimed(db, a, &one, &got) == 0 && executions_claimed(db, a, &two, &got) == 1);
    CHECK(got[0].id == third.id && executions_release(db, &two, 600));
    CHECK(RAW("UPDATE executions SET due_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE id <> %d AND"
              " in_flight = 1",
              (int)third.id));
    CHECK(executions_claim(db, &one, 30, 100) == 2);
    /* any process may claim once the lease ran out */
    CHECK(RAW("UPDATE executions SET lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE id = %d",
              (int)first.id));
    CHECK(executions_claim(db, &two, 30, 100) == 1 && executions_claimed(db, a, &one, &got) == 1);
    CHECK(executions_release(db, &one, 600) && executions_release(db, &two, 600));
    CHECK(executions_claimed(db, a, &one, &got) == 0 &&
          executions_claim(db, &one, 30, 100) == 0); /* not due yet */
    CHECK(RAW("UPDATE executions SET due_at = UTC_TIMESTAMP(3) WHERE id = %d", (int)third.id));
    CHECK(executions_claim(db, &one, 30, 100) == 1);
    CHECK(executions_claimed(db, a, &one, &got) == 1 && got[0].id == third.id);
    CHECK(executions_release(db, &one, 600));
    CHECK(raw("UPDATE executions SET due_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND"));
    CHECK(executions_settle(db, &third.id, 1, 0, FOLLOW_NOT) == UPDATED &&
          executions_claim(db, &one, 30, 1) == 1);
    CHECK(executions_claim(db, &two, 30, 100) == 1 && executions_release(db, &one, 600) &&
          executions_release(db, &two, 600));
}

/* Behind those in flight, and after a pause of its own. */
static void failures_are_claimed_once_more(void)
{
    struct uuid owner = uuid_random();
    struct execution flying, failed, *got;

    CHECK(raw("UPDATE executions SET in_flight = 0"));
    flying = new_swap(95, 607);
    failed = new_swap(95, 607);
    CHECK(executions_settle(db, &failed.id, 1, 0, FOLLOW_ONCE_MORE) == UPDATED);
    CHECK(executions_claim(db, &owner, 30, 1) == 1 && executions_claimed(db, a, &owner, &got) == 1);
    CHECK(got[0].id == flying.id && executions_settle(db, &flying.id, 1, 0, FOLLOW_NOT) == UPDATED);
    CHECK(executions_release(db, &owner, 600) && executions_claim(db, &owner, 30, 100) == 1);
    CHECK(executions_claimed(db, a, &owner, &got) == 1 && got[0].id == failed.id);
    CHECK(got[0].follow == FOLLOW_ONCE_MORE && executions_release(db, &owner, 600));
    CHECK(NUMBER("SELECT TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), due_at) > 500 FROM executions WHERE id = %d",
                 (int)failed.id) == 1);
    CHECK(executions_in_flight(db) == 0 && executions_settle(db, &failed.id, 1, 0, FOLLOW_NOT) == UPDATED);
}

static void fresh_swaps_are_left_alone_at_first(void)
{
    struct uuid owner = uuid_random();
    struct execution s = { .agent_id = 96,
                           .wallet_id = 1,
                           .kind = KIND_SWAP,
                           .once = uuid_random(),
                           .venue = "uniswap",
                           .valid_until_ms = 1800000000000 };

    CHECK(raw("UPDATE executions SET in_flight = 0"));
    have_agent(s.agent_id);
    add_swap(&s, 60);
    CHECK(executions_claim(db, &owner, 30, 100) == 0);
    CHECK(move(&s, EXEC_PENDING, EXEC_SUBMITTED) == 1 && executions_claim(db, &owner, 30, 100) == 1);
    CHECK(executions_release(db, &owner, 600));
}

/* The totals of the agent's profile do not count kinds that GET /swaps does not list. */
static void other_kinds_have_totals_of_their_own(void)
{
    struct execution s = new_swap(89, 3);
    struct page all = { .limit = 10 };
    struct execution page[10];

    s.kind = OTHER_KIND;
    s.once = uuid_random();
    s.to = (struct token_ref){ 0 };
    s.created_ms = 1700000000321;
    add_swap(&s, 0);
    CHECK(get(s.id).created_ms == s.created_ms);
    CHECK(NUMBER("SELECT swaps_pending FROM agents WHERE id = 89") == 1);
    CHECK(NUMBER("SELECT n FROM execution_totals WHERE agent_id = 89 AND kind = 8 AND listed = 1") == 1);
    CHECK(NUMBER("SELECT to_chain IS NULL AND to_address IS NULL AND min_out IS NULL FROM executions WHERE"
                 " id = %d",
                 (int)s.id) == 1);
    CHECK(get(s.id).kind == OTHER_KIND && get(s.id).to.chain_id == 0);
    CHECK(executions_page(db, a, 89, 0, &all, page) == 1 && page[0].id != s.id);
    CHECK(move(&s, EXEC_PENDING, EXEC_COMPLETED) == 1);
    CHECK(NUMBER("SELECT swaps_completed FROM agents WHERE id = 89") == 0);
    CHECK(NUMBER("SELECT SUM(n * listed) FROM execution_totals WHERE agent_id = 89") == 4);
}

/* Lists of orders know the order's own status, and its agent counts the order. */
static void kinds_that_place_orders_have_no_totals(void)
{
    static const enum exec_kind_id kinds[] = { KIND_PREDICT_ORDER, KIND_PERPS_ORDER, KIND_PERPS_CLOSE };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct execution s = new_swap(92, 3);

        s.kind = kinds[i];
        s.once = uuid_random();
        s.to = (struct token_ref){ 0 };
        add_swap(&s, 0);
        CHECK(move(&s, EXEC_PENDING, EXEC_COMPLETED) == 1);
    }
    CHECK(NUMBER("SELECT COUNT(*) FROM execution_totals WHERE agent_id = 92") == 0);
    CHECK(NUMBER("SELECT swaps_completed FROM agents WHERE id = 92") == 0);
}

/* To and from trading wallets, newest first. */
static void pages_of_transfers(void)
{
    struct page page = { .limit = 2 };
    const struct agent agent = { .id = 91 }, other = { .id = 92 };
    struct own_listed got[2];
    struct own_filter any = { .listed = 0 }, some = { .more.symbol = "USDC" };
    uint64_t total;

    for (int kind = KIND_PREDICT_ORDER; kind <= KIND_PREDICT_REDEMPTION; kind++) {
        struct execution s = new_swap(91, 3);

        s.kind = (enum exec_kind_id)kind;
        s.once = uuid_random();
        add_swap(&s, 0);
    }
    CHECK(executions_transfers(db, a, &agent, &any, &page, got, &total) == 2 && total == 3);
    CHECK(got[0].execution.kind == KIND_PREDICT_REDEMPTION &&
          got[1].execution.kind == KIND_PREDICT_WITHDRAWAL);
    page.offset = 2;
    CHECK(executions_transfers(db, a, &agent, &any, &page, got, &total) == 1 &&
          got[0].execution.kind == KIND_PREDICT_DEPOSIT);
    page.offset = 0;
    CHECK(executions_transfers(db, a, &agent, &some, &page, got, &total) == 2 && total == 3);
    some.more.created.until_ms = 1;
    CHECK(executions_transfers(db, a, &agent, &some, &page, got, &total) == 0 && total == 0);
    CHECK(executions_transfers(db, a, &other, &any, &page, got, &total) == 0 && total == 0);
}

/* A bridge that has not left yet or has arrived, and an execution on one chain, is not in transit. */
static void executions_in_transit_are_found(void)
{
    static const enum exec_status moves[][4] = {
        { EXEC_PENDING },
        { EXEC_PENDING, EXEC_SUBMITTED, EXEC_PROCESSING },
        { EXEC_PENDING, EXEC_SUBMITTED, EXEC_PROCESSING, EXEC_COMPLETED },
        { EXEC_PENDING, EXEC_SUBMITTED, EXEC_PROCESSING },
    };
    struct execution *got;
    uint64_t ids[4];

    for (int i = 0; i < 4; i++) {
        struct execution s = new_swap(93, 3);

        s.once = uuid_random();
        if (i < 3)
            s.to.chain_id = 8453;
        add_swap(&s, 0);
        ids[i] = s.id;
        for (int j = 1; j < 4 && moves[i][j] != 0; j++)
            CHECK(move(&s, moves[i][j - 1], moves[i][j]) == UPDATED);
    }
    CHECK(executions_in_transit(db, a, 93, &got) == 1 && got[0].id == ids[1]);
    CHECK(executions_in_transit(db, a, 94, &got) == 0);
}

/* An ended execution is not listed, unless its bridge is still followed. */
static void unfinished_executions_are_listed(void)
{
    static const enum exec_status moves[][3] = {
        { EXEC_PENDING },
        { EXEC_PENDING, EXEC_SUBMITTED, EXEC_PROCESSING },
        { EXEC_PENDING, EXEC_SUBMITTED, EXEC_FAILED },
        { EXEC_PENDING, EXEC_SUBMITTED, EXEC_COMPLETED },
    };
    struct agent agent = new_agent(NULL);
    struct execution *got;
    struct execution_place *places;
    uint64_t ids[4];

    for (int i = 0; i < 4; i++) {
        struct execution s = swap_terms(agent.id, 3);

        s.once = uuid_random();
        s.kind = i == 0 ? KIND_LEND_SUPPLY : KIND_SWAP;
        s.to.chain_id = 8453;
        add_swap(&s, 0);
        ids[i] = s.id;
        for (int j = 1; j < 3 && moves[i][j] != 0; j++)
            CHECK(move(&s, moves[i][j - 1], moves[i][j]) == UPDATED);
    }
    CHECK(executions_unended(db, a, agent.id, &got) == 2 && got[0].id == ids[1] && got[1].id == ids[0]);
    CHECK(RAW("UPDATE executions SET in_flight = 3 WHERE id = %d", (int)ids[2]));
    CHECK(executions_unended(db, a, agent.id, &got) == 3 && got[2].id == ids[2]);
    CHECK(executions_unended(db, a, agent.id + 1, &got) == 0);
    CHECK(executions_places(db, a, agent.id, &places) ==
          4); /* of either kind what is given and what arrives */
    CHECK(executions_places(db, a, agent.id + 1, &places) == 0);
}

STORE_TEST_MAIN(TEST(unfinished_executions_are_listed), TEST(executions_are_read_as_they_were_added),
                TEST(swaps_move_along_the_table), TEST(swaps_move_together),
                TEST(which_of_those_awaited_have_ended), TEST(a_forbidden_move_ends_the_program),
                TEST(a_quote_makes_one_swap), TEST(pages_of_swaps), TEST(far_pages_of_swaps),
                TEST(other_kinds_have_totals_of_their_own), TEST(kinds_that_place_orders_have_no_totals),
                TEST(swaps_are_claimed_and_given_back), TEST(failures_are_claimed_once_more),
                TEST(fresh_swaps_are_left_alone_at_first), TEST(pages_of_transfers),
                TEST(executions_in_transit_are_found))
