#include "perps/perps_transfer.c"

#include "base/test.h"

static struct {
    struct tracked tracked;
    struct execution execution;
    struct transaction tx;
    struct observation observation;
    struct venue_request request;
    struct request_observation request_observation;
} scene;

static struct tracked *scene_begin(enum exec_kind_id kind)
{
    memset(&scene, 0, sizeof scene);
    scene.execution = (struct execution){ .id = 7, .kind = kind, .status = EXEC_SUBMITTED };
    scene.tx = (struct transaction){ .has_nonce = true, .kind = TX_SPEND, .effect = { .accepted = true } };
    scene.request.effect.state = EFFECT_OPEN;
    scene.tracked = (struct tracked){ .execution = &scene.execution,
                                      .txs = &scene.tx,
                                      .observations = &scene.observation,
                                      .count = kind == KIND_PERPS_DEPOSIT,
                                      .requests = &scene.request,
                                      .request_observations = &scene.request_observation,
                                      .request_count = 1 };
    return &scene.tracked;
}

/* Confirmed is not credited. */
static void deposits_end_when_credited(void)
{
    const struct tracked *w = scene_begin(KIND_PERPS_DEPOSIT);

    CHECK(perps_transfer_verdict(w).to == EXEC_SUBMITTED);
    scene.observation = (struct observation){ .block = 9, .succeeded = true };
    CHECK(perps_transfer_verdict(w).to == EXEC_PROCESSING);
    scene.observation.confirmed = scene.observation.settled = true;
    CHECK(perps_transfer_verdict(w).to == EXEC_PROCESSING && !perps_transfer_verdict(w).done);
    scene.request_observation.says = VENUE_HAS;
    CHECK(perps_transfer_verdict(w).to == EXEC_PROCESSING);
    scene.request_observation.says = VENUE_FILLED;
    CHECK(perps_transfer_verdict(w).to == EXEC_COMPLETED);
    /* A credited deposit that is not in a block any more is not done. */
    scene.execution.status = EXEC_COMPLETED;
    scene.observation = (struct observation){ .block = 0 };
    CHECK(perps_transfer_verdict(w).to == EXEC_PROCESSING);
}

static void withdrawals_end_when_paid_out(void)
{
    const struct tracked *w = scene_begin(KIND_PERPS_WITHDRAWAL);

    scene.execution.status = EXEC_PENDING;
    CHECK(perps_transfer_verdict(w).to == EXEC_PENDING);
    scene.request_observation.says = VENUE_HAS;
    CHECK(perps_transfer_verdict(w).to == EXEC_SUBMITTED);
    scene.request_observation.tx_hash.len = 32;
    CHECK(perps_transfer_verdict(w).to == EXEC_PROCESSING);
    scene.request_observation.says = VENUE_FILLED;
    CHECK(perps_transfer_verdict(w).to == EXEC_COMPLETED);
    scene.request_observation = (struct request_observation){ .says = VENUE_REFUSED, .why = &E_BALANCE };
    CHECK(perps_transfer_verdict(w).to == EXEC_FAILED);
}

/* As expected until it is known. */
static void fees_are_the_difference_to_the_arrival(void)
{
    struct execution x = { .kind = KIND_PERPS_DEPOSIT,
                           .amount_in = u256_from_u64(1000),
                           .expected_out = u256_from_u64(970),
                           .amount_out = u256_from_u64(960) };

    CHECK(u256_cmp(fee_of(&x), u256_from_u64(30)) == 0);
    x.has_amount_out = true;
    CHECK(u256_cmp(fee_of(&x), u256_from_u64(40)) == 0);
    CHECK_STR(type_of(&x), "deposit");
    x.kind = KIND_PERPS_WITHDRAWAL;
    CHECK_STR(type_of(&x), "withdrawal");
}

TEST_MAIN(TEST(deposits_end_when_credited), TEST(withdrawals_end_when_paid_out),
          TEST(fees_are_the_difference_to_the_arrival))
