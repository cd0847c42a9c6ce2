#include "base/test.h"
#include "exec/venue_request.c"

enum { NOW = 1000000, ENDED = NOW - OVER_MS - 1, LONG_AGO = NOW - AGREE_MS };

struct request_scene {
    struct tracked tracked;
    struct execution execution;
    struct venue_request requests[3];
    struct request_observation observations[3];
};

static void request_scene_begin(struct request_scene *s)
{
    *s = (struct request_scene){ .execution = {
                                     .id = 7, .follow = FOLLOW_IN_FLIGHT, .valid_until_ms = NOW + 60000 } };
    s->tracked = (struct tracked){ .execution = &s->execution,
                                   .requests = s->requests,
                                   .request_observations = s->observations,
                                   .now_ms = NOW };
}

static void request_scene_add(struct request_scene *s, enum effect_state state, enum venue_says says)
{
    unsigned i = s->tracked.request_count++;

    s->requests[i] = (struct venue_request){ .effect.state = state, .expires_ms = NOW + 30000 };
    s->observations[i].says = says;
}

/* `state` is what is recorded, and what it becomes by the venue's answer. */
static void answers_of_the_venue_move_requests(void)
{
    static const struct {
        enum effect_state state;
        enum venue_says says;
        int64_t expires_ms, unknown_ms;
        bool accepted;
        enum effect_state want;
    } rows[] = {
        { EFFECT_OPEN, VENUE_UNAVAILABLE, ENDED, LONG_AGO, false, EFFECT_OPEN },
        { EFFECT_OPEN, VENUE_UNKNOWN, NOW + 1, LONG_AGO, false, EFFECT_OPEN },
        { EFFECT_OPEN, VENUE_UNKNOWN, ENDED + 1, LONG_AGO, false, EFFECT_OPEN },
        { EFFECT_OPEN, VENUE_UNKNOWN, ENDED, 0, false, EFFECT_OPEN },
        { EFFECT_OPEN, VENUE_UNKNOWN, ENDED, LONG_AGO + 1, false, EFFECT_OPEN },
        { EFFECT_OPEN, VENUE_UNKNOWN, ENDED, LONG_AGO, false, EFFECT_LOST },
        { EFFECT_OPEN, VENUE_UNKNOWN, ENDED, LONG_AGO, true, EFFECT_OPEN },
        { EFFECT_INCLUDED, VENUE_UNKNOWN, ENDED, LONG_AGO, true, EFFECT_INCLUDED },
        { EFFECT_OPEN, VENUE_HAS, ENDED, LONG_AGO, false, EFFECT_INCLUDED },
        { EFFECT_OPEN, VENUE_DROPPED, ENDED, LONG_AGO, false, EFFECT_LOST },
        { EFFECT_INCLUDED, VENUE_DROPPED, ENDED, LONG_AGO, true, EFFECT_OPEN },
        { EFFECT_SETTLED, VENUE_DROPPED, ENDED, LONG_AGO, true, EFFECT_SETTLED },
        { EFFECT_OPEN, VENUE_FILLED, ENDED, LONG_AGO, false, EFFECT_SETTLED },
        { EFFECT_OPEN, VENUE_REFUSED, NOW + 1, 0, false, EFFECT_SETTLED },
        { EFFECT_OPEN, VENUE_EXPIRED, NOW + 1, 0, false, EFFECT_LOST },
        { EFFECT_INCLUDED, VENUE_EXPIRED, NOW + 1, 0, true, EFFECT_SETTLED },
        { EFFECT_LOST, VENUE_UNKNOWN, ENDED, LONG_AGO, false, EFFECT_LOST },
        { EFFECT_LOST, VENUE_UNAVAILABLE, ENDED, LONG_AGO, false, EFFECT_LOST },
        { EFFECT_LOST, VENUE_HAS, ENDED, LONG_AGO, false, EFFECT_INCLUDED },
        { EFFECT_LOST, VENUE_FILLED, ENDED, LONG_AGO, false, EFFECT_SETTLED },
        { EFFECT_SETTLED, VENUE_HAS, ENDED, 0, true, EFFECT_SETTLED },
        { EFFECT_SETTLED, VENUE_UNKNOWN, ENDED, LONG_AGO, true, EFFECT_SETTLED },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct request_scene s;

        request_scene_begin(&s);
        request_scene_add(&s, rows[i].state, rows[i].says);
        s.requests[0].effect.accepted = rows[i].accepted;
        s.requests[0].expires_ms = rows[i].expires_ms;
        s.requests[0].unknown_ms = rows[i].unknown_ms;
        CHECK(request_state(&s.tracked, 0) == rows[i].want);
    }
}

/* If the venue knows no expiry, the time for sending ends with the execution's; then the request is
 * cancelled. */
static void requests_without_expiry_are_cancelled(void)
{
    struct request_scene s;

    request_scene_begin(&s);
    request_scene_add(&s, EFFECT_OPEN, VENUE_UNKNOWN);
    s.requests[0].expires_ms = 0;
    CHECK(!seems_lost(&s.tracked, 0));
    s.execution.valid_until_ms = ENDED;
    CHECK(seems_lost(&s.tracked, 0) && !first_unknown(&s.tracked, 0) && !request_is_news(&s.tracked, 0));
    s.observations[0].cancelled = true;
    CHECK(first_unknown(&s.tracked, 0) && request_is_news(&s.tracked, 0));
    s.requests[0].unknown_ms = LONG_AGO;
    CHECK(!seems_lost(&s.tracked, 0) && request_state(&s.tracked, 0) == EFFECT_LOST);
    s.observations[0].says = VENUE_UNAVAILABLE;
    CHECK(request_state(&s.tracked, 0) == EFFECT_OPEN);
    s.requests[0].unknown_ms = 0;
    s.observations[0].says = VENUE_UNKNOWN;
    s.requests[0].effect.accepted = true;
    CHECK(!seems_lost(&s.tracked, 0));
}

static void requests_are_sent_while_valid(void)
{
    static const struct {
        enum effect_state state;
        enum venue_says says;
        unsigned refusals;
        int64_t expires_ms, valid_until_ms, broadcast_ms;
        bool due;
    } rows[] = {
        { EFFECT_OPEN, VENUE_UNKNOWN, 0, NOW + 1, NOW + 1, 0, true },
        { EFFECT_OPEN, VENUE_UNAVAILABLE, 1, NOW + 1, NOW + 1, 0, true },
        { EFFECT_OPEN, VENUE_UNKNOWN, 0, 0, NOW + 1, 0, true },
        { EFFECT_OPEN, VENUE_UNKNOWN, REFUSALS, NOW + 1, NOW + 1, 0, false },
        { EFFECT_OPEN, VENUE_UNKNOWN, 0, NOW, NOW + 1, 0, false },
        { EFFECT_OPEN, VENUE_UNKNOWN, 0, NOW + 1, NOW, 0, false },
        { EFFECT_OPEN, VENUE_UNKNOWN, 0, NOW + 1, NOW + 1, NOW - SEND_AGAIN_MS, false },
        { EFFECT_OPEN, VENUE_UNKNOWN, 0, NOW + 1, NOW + 1, NOW - SEND_AGAIN_MS - 1, true },
        { EFFECT_OPEN, VENUE_HAS, 0, NOW + 1, NOW + 1, 0, false },
        { EFFECT_INCLUDED, VENUE_UNKNOWN, 0, NOW + 1, NOW + 1, 0, false },
        { EFFECT_LOST, VENUE_UNKNOWN, 0, NOW + 1, NOW + 1, 0, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct request_scene s;

        request_scene_begin(&s);
        request_scene_add(&s, rows[i].state, rows[i].says);
        s.requests[0].effect.refusals = rows[i].refusals;
        s.requests[0].effect.broadcast_ms = rows[i].broadcast_ms;
        s.requests[0].expires_ms = rows[i].expires_ms;
        s.execution.valid_until_ms = rows[i].valid_until_ms;
        CHECK(request_is_due(&s.tracked, 0) == rows[i].due);
    }
}

static void requests_are_sent_in_order(void)
{
    struct request_scene s;

    request_scene_begin(&s);
    request_scene_add(&s, EFFECT_OPEN, VENUE_HAS);
    request_scene_add(&s, EFFECT_OPEN, VENUE_UNKNOWN);
    CHECK(!request_is_due(&s.tracked, 1));
    s.observations[0].says = VENUE_FILLED;
    CHECK(request_is_due(&s.tracked, 1));
    s.observations[0].says = VENUE_UNAVAILABLE;
    s.requests[0].effect.state = EFFECT_SETTLED;
    CHECK(!request_is_due(&s.tracked, 1));
    s.requests[0].effect.succeeded = true;
    CHECK(request_is_due(&s.tracked, 1));
}

/* Whichever attempt at a step is in a block, as long as it is no cancel; a cancel of a foreign gap is none of
 * the plan's steps. */
static void after_the_transactions(void)
{
    struct transaction txs[] = { { .has_nonce = true, .nonce = 4, .kind = TX_CANCEL },
                                 { .has_nonce = true, .nonce = 5, .kind = TX_APPROVAL },
                                 { .has_nonce = true, .nonce = 5, .kind = TX_APPROVAL },
                                 { .has_nonce = true, .nonce = 5, .kind = TX_CANCEL } };
    struct observation observations[4] = { { .block = 0 } };
    struct request_scene s;

    request_scene_begin(&s);
    request_scene_add(&s, EFFECT_OPEN, VENUE_UNKNOWN);
    s.tracked.txs = txs;
    s.tracked.observations = observations;
    s.tracked.count = 4;
    CHECK(!request_is_due(&s.tracked, 0));
    observations[2] = (struct observation){ .block = 9, .succeeded = true };
    CHECK(!request_is_due(&s.tracked, 0));
    observations[2].confirmed = true;
    CHECK(request_is_due(&s.tracked, 0));
    observations[2].succeeded = false;
    CHECK(!request_is_due(&s.tracked, 0));
    observations[2].block = 0;
    observations[3] = (struct observation){ .block = 9, .succeeded = true, .confirmed = true };
    CHECK(!request_is_due(&s.tracked, 0));
}

/* If a refusal uses up the nonce, a request that is refused twice, and unknown by then, never comes. */
static void twice_refused_requests_are_lost(void)
{
    struct request_scene s;

    request_scene_begin(&s);
    request_scene_add(&s, EFFECT_OPEN, VENUE_UNKNOWN);
    s.requests[0].effect.refusals = REFUSALS;
    CHECK(!seems_lost(&s.tracked, 0));
    (void)snprintf(s.requests[0].venue, sizeof s.requests[0].venue, "hyperliquid-withdrawal");
    CHECK(seems_lost(&s.tracked, 0) && request_state(&s.tracked, 0) == EFFECT_OPEN);
    s.requests[0].unknown_ms = LONG_AGO;
    CHECK(request_state(&s.tracked, 0) == EFFECT_LOST);
    s.requests[0].effect.refusals = REFUSALS - 1;
    CHECK(request_state(&s.tracked, 0) == EFFECT_OPEN);
}

/* Once a preceding step has failed for good, seen twice, its request is lost instead of waiting for its
 * turn. */
static void requests_after_a_failed_step_are_lost(void)
{
    struct transaction txs[] = { { .has_nonce = true, .nonce = 5, .kind = TX_SPEND } };
    struct observation observations[1] = { { .block = 9, .confirmed = true } };
    struct request_scene s;

    request_scene_begin(&s);
    request_scene_add(&s, EFFECT_OPEN, VENUE_UNKNOWN);
    s.tracked.txs = txs;
    s.tracked.observations = observations;
    s.tracked.count = 1;
    CHECK(request_state(&s.tracked, 0) == EFFECT_OPEN);
    observations[0].settled = true;
    CHECK(request_state(&s.tracked, 0) == EFFECT_OPEN);
    txs[0].block_number = 9;
    CHECK(request_state(&s.tracked, 0) == EFFECT_LOST);
    s.observations[0].says = VENUE_FILLED;
    CHECK(request_state(&s.tracked, 0) == EFFECT_SETTLED);
    s.observations[0].says = VENUE_UNAVAILABLE;
    s.requests[0].effect.broadcasts = 1;
    CHECK(request_state(&s.tracked, 0) == EFFECT_OPEN);
    s.requests[0].effect.broadcasts = 0;
    observations[0].succeeded = txs[0].effect.succeeded = true;
    CHECK(request_state(&s.tracked, 0) == EFFECT_OPEN);
    observations[0] = (struct observation){ .foreign = true };
    CHECK(request_state(&s.tracked, 0) == EFFECT_LOST);
}

/* A request that ended well is not asked about again, and one that ended otherwise only at the one more
 * poll. */
static void ended_requests_are_asked_about_once_more_at_most(void)
{
    struct request_scene s;

    request_scene_begin(&s);
    request_scene_add(&s, EFFECT_SETTLED, VENUE_UNAVAILABLE);
    CHECK(!request_is_asked(&s.tracked, 0));
    s.execution.follow = FOLLOW_ONCE_MORE;
    CHECK(request_is_asked(&s.tracked, 0));
    s.requests[0].effect.succeeded = true;
    CHECK(!request_is_asked(&s.tracked, 0));
    s.execution.follow = FOLLOW_IN_FLIGHT;
    s.requests[0].effect.state = EFFECT_LOST;
    CHECK(request_is_asked(&s.tracked, 0));
}

TEST_MAIN(TEST(answers_of_the_venue_move_requests), TEST(requests_without_expiry_are_cancelled),
          TEST(requests_are_sent_while_valid), TEST(requests_are_sent_in_order), TEST(after_the_transactions),
          TEST(ended_requests_are_asked_about_once_more_at_most), TEST(requests_after_a_failed_step_are_lost),
          TEST(twice_refused_requests_are_lost))
