#include "predict/predict_transfer.c"

#include "base/test.h"

/* ---- verdicts ---- */

/* A deposit: an approval and the step that it is for, then a request. */
struct transfer_scene {
    struct tracked tracked;
    struct execution execution;
    struct transaction txs[2];
    struct observation observations[2];
    struct venue_request request;
    struct request_observation request_observation;
};

static void scene_begin(struct transfer_scene *s, enum exec_status status)
{
    *s = (struct transfer_scene){ .execution = { .id = 7,
                                                 .kind = KIND_PREDICT_DEPOSIT,
                                                 .status = status,
                                                 .follow = FOLLOW_IN_FLIGHT,
                                                 .valid_until_ms = 2000000 },
                                  .txs = { { .kind = TX_APPROVAL, .has_nonce = true, .nonce = 1 },
                                           { .kind = TX_SPEND, .has_nonce = true, .nonce = 2 } },
                                  .request = { .effect.state = EFFECT_OPEN, .expires_ms = 1500000 } };
    s->tracked = (struct tracked){ .execution = &s->execution,
                                   .chain = chain_by_id(POLYMARKET_CHAIN_ID),
                                   .txs = s->txs,
                                   .observations = s->observations,
                                   .count = 2,
                                   .spend = 1,
                                   .requests = &s->request,
                                   .request_observations = &s->request_observation,
                                   .request_count = 1,
                                   .now_ms = 1000000,
                                   .known = true };
}

static void scene_mine(struct transfer_scene *s, bool succeeded, bool confirmed)
{
    for (int i = 0; i < 2; i++) {
        s->observations[i] = (struct observation){
            .block = 9, .succeeded = i == 0 || succeeded, .confirmed = confirmed, .settled = confirmed
        };
        s->txs[i].block_number = 9;
        s->txs[i].effect.succeeded = s->observations[i].succeeded;
    }
}

static void a_deposit_is_done_with_its_last_request(void)
{
    struct transfer_scene s;

    scene_begin(&s, EXEC_SUBMITTED);
    CHECK(transfer_verdict(&s.tracked).to == EXEC_SUBMITTED);
    scene_mine(&s, true, false);
    CHECK(transfer_verdict(&s.tracked).to == EXEC_PROCESSING);
    scene_begin(&s, EXEC_PROCESSING);
    scene_mine(&s, true, true);
    CHECK(transfer_verdict(&s.tracked).to == EXEC_PROCESSING);
    s.request_observation.says = VENUE_HAS;
    CHECK(transfer_verdict(&s.tracked).to == EXEC_PROCESSING);
    s.request_observation.says = VENUE_FILLED;
    CHECK(transfer_verdict(&s.tracked).to == EXEC_COMPLETED && transfer_verdict(&s.tracked).settled);
}

/* A step that cannot succeed any more ends it at once; so does a request that came to nothing. The steps
 * before it stay done: the failure does not count as a reorganised block. */
static void deposits_fail_with_their_steps_or_requests(void)
{
    struct transfer_scene s;

    scene_begin(&s, EXEC_SUBMITTED);
    scene_mine(&s, false, true);
    CHECK(transfer_verdict(&s.tracked).to == EXEC_FAILED);
    CHECK_STR(transfer_verdict(&s.tracked).error_code, "SIMULATION_REVERTED");
    scene_begin(&s, EXEC_PROCESSING);
    scene_mine(&s, true, true);
    s.request.effect.accepted = true;
    s.request.effect.state = EFFECT_INCLUDED;
    s.request_observation = (struct request_observation){ .says = VENUE_EXPIRED, .why = &E_RELAYER };
    CHECK(transfer_verdict(&s.tracked).to == EXEC_FAILED);
    CHECK_STR(transfer_verdict(&s.tracked).error_message, E_RELAYER.text);
    s.execution.status = EXEC_FAILED;
    CHECK(transfer_verdict(&s.tracked).to == EXEC_FAILED);
}

/* Its block was reorganised away after all was done. */
static void a_deposit_that_is_taken_back(void)
{
    struct transfer_scene s;

    scene_begin(&s, EXEC_COMPLETED);
    s.request.effect = (struct effect){ .state = EFFECT_SETTLED, .succeeded = true };
    CHECK(transfer_verdict(&s.tracked).to == EXEC_PROCESSING);
}

static void a_withdrawal_has_requests_or_steps_alone(void)
{
    struct transfer_scene s;

    scene_begin(&s, EXEC_PENDING);
    s.tracked.count = 0;
    s.tracked.chain = NULL;
    s.request_observation.says = VENUE_HAS;
    CHECK(transfer_verdict(&s.tracked).to == EXEC_SUBMITTED);
    scene_begin(&s, EXEC_SUBMITTED);
    s.tracked.request_count = 0;
    scene_mine(&s, true, true);
    CHECK(transfer_verdict(&s.tracked).to == EXEC_COMPLETED);
}

/* ---- plans ---- */

static struct arena *a;

static struct transfer transfer_of(const struct transfer_asked *asked, const char *collateral)
{
    struct transfer t = { .asked = asked };

    a = a != NULL ? a : arena_new();
    t.op.arena = a;
    t.trading = (struct trading_wallet){
        .address = evm_addr_or_zero("0x5624Cbe021FA88FfaEE857818D62869DE1B5322b"),
        .owner = evm_addr_or_zero("0x3744d263964A4242B9615dfd4D8528B864422F23"),
        .is_contract = true,
        .deployed = true,
        .nonce = 3,
        .trusted = { true, true, true },
    };
    CHECK(u256_parse(&t.trading.collateral, collateral));
    trading_batch_begin(&t.batch, &t.trading);
    t.op.plan = (struct plan){ .chain = chain_by_id(POLYMARKET_CHAIN_ID),
                               .wallet = "0x3744d263964A4242B9615dfd4D8528B864422F23",
                               .deadline = 1000 };
    return t;
}

static void a_withdrawal_lowers_what_exchanges_may_take(void)
{
    const struct transfer_asked asked = { .amount = "30" };
    struct transfer t = transfer_of(&asked, "100000000");

    t.trading.allowance[POLYMARKET_V2] = u256_from_u64(100000000);
    t.trading.allowance[POLYMARKET_NEG_RISK] = u256_from_u64(5000000);
    CHECK(withdrawal_plan(&t) == NULL && t.op.plan.count == 0 && t.op.plan.request_count == 2);
    CHECK(t.batch.count == 3); /* one allowance less, the off-ramp's, the way out */
    CHECK(t.op.plan.requests[0].expires_ms == 1000 * 1000);
    CHECK(t.op.plan.requests[1].venue == &balance_venue && t.op.plan.deadline == 1000 + BALANCE_S);
    t = transfer_of(&asked, "29999999");
    CHECK(withdrawal_plan(&t) == &E_ALLOWANCE);
    t = transfer_of(&asked, "30000000");
    t.trading.deployed = false;
    CHECK(withdrawal_plan(&t) == NULL && t.op.plan.request_count == 3);
}

TEST_MAIN(TEST(a_deposit_is_done_with_its_last_request), TEST(deposits_fail_with_their_steps_or_requests),
          TEST(a_deposit_that_is_taken_back), TEST(a_withdrawal_has_requests_or_steps_alone),
          TEST(a_withdrawal_lowers_what_exchanges_may_take))
