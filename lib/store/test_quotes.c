#include "store/test_store.h"

static void quotes_are_kept(void)
{
    struct quote q = new_quote(71), got;
    struct uuid unknown = uuid_random();

    CHECK(quotes_get(db, &q.id, 71, &got) == LOOKUP_FOUND);
    CHECK(u256_cmp(got.amount_in, q.amount_in) == 0 && is(got.amount_out, 3000) && is(got.min_out, 2900));
    CHECK(got.from.chain_id == 1 && got.to.chain_id == 8453 && got.from.decimals == 18 &&
          got.to.decimals == 6);
    CHECK_STR(got.from.symbol, "ETH");
    CHECK_STR(got.to.address, q.to.address);
    CHECK_STR(got.provider, "uniswap");
    CHECK_STR(got.wallet_address, "");
    CHECK(got.slippage.value == 30000 && got.gas_units == 115000);
    CHECK(got.route_len == QUOTE_ROUTE_MAX && memcmp(got.route, q.route, got.route_len) == 0);
    CHECK(got.reference.len == 201 && memcmp(got.reference.bytes, q.reference.bytes, 201) == 0);
    CHECK(!got.consumed && !got.expired);
    CHECK(quotes_get(db, &q.id, 72, &got) == LOOKUP_NONE); /* another agent */
    CHECK(quotes_get(db, &unknown, 71, &got) == LOOKUP_NONE);

    q.id = uuid_random();
    q.route_len = q.reference.len = 0;
    snprintf(q.wallet_address, sizeof q.wallet_address, "0xAa01");
    CHECK(quotes_add(db, &q) && quotes_get(db, &q.id, 71, &got) == LOOKUP_FOUND && got.route_len == 0);
    CHECK(got.reference.len == 0);
    CHECK_STR(got.wallet_address, "0xAa01");
    CHECK_STR(got.recipient, "");
    q.id = uuid_random();
    snprintf(q.recipient, sizeof q.recipient, "So1");
    CHECK(quotes_add(db, &q) && quotes_get(db, &q.id, 71, &got) == LOOKUP_FOUND);
    CHECK_STR(got.recipient, "So1");
}

static void a_quote_is_taken_once(void)
{
    struct quote q = new_quote(73), late = new_quote(73), got;

    CHECK(quotes_take(db, &q.id, 74) == UNCHANGED); /* not theirs */
    CHECK(quotes_take(db, &q.id, 73) == UPDATED);
    CHECK(quotes_take(db, &q.id, 73) == UNCHANGED);
    CHECK(quotes_get(db, &q.id, 73, &got) == LOOKUP_FOUND && got.consumed && !got.expired);
    CHECK(raw("UPDATE quotes SET expires_at = UTC_TIMESTAMP(3) WHERE agent_id = 73"));
    CHECK(quotes_take(db, &late.id, 73) == UNCHANGED);
    CHECK(quotes_get(db, &late.id, 73, &got) == LOOKUP_FOUND && !got.consumed && got.expired);
}

static void old_quotes_go(void)
{
    struct quote q = new_quote(75), got;

    (void)new_quote(75);
    (void)new_quote(75);
    CHECK(raw("UPDATE quotes SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 100 SECOND WHERE agent_id = 75"));
    CHECK(quotes_purge(db, 200, 10) == 0);
    CHECK(quotes_purge(db, 50, 2) == 2);
    CHECK(quotes_purge(db, 50, 2) == 1);
    CHECK(quotes_get(db, &q.id, 75, &got) == LOOKUP_NONE);
}

static void runners_up_of_quotes(void)
{
    struct quote_offer offers[QUOTE_OFFERS_MAX] = { 0 }, got[QUOTE_OFFERS_MAX];
    struct quote q = new_quote(77);
    uint8_t payload[5000];

    memset(payload, 7, sizeof payload);
    for (unsigned i = 0; i < QUOTE_OFFERS_MAX; i++) {
        offers[i] = (struct quote_offer){ .provider = "uniswap",
                                          .amount_out = u256_from_u64(900 - i),
                                          .min_out = u256_from_u64(800 - i),
                                          .gas_units = i,
                                          .payload = payload,
                                          .payload_len = sizeof payload - i };
    }
    CHECK(quote_offers_of(db, a, &q.id, 77, got) == 0);
    q.offers = offers;
    for (q.offer_count = 1; q.offer_count <= QUOTE_OFFERS_MAX; q.offer_count++) {
        q.id = uuid_random();
        CHECK(quotes_add(db, &q) && quote_offers_of(db, a, &q.id, 78, got) == 0); /* another agent */
        CHECK(quote_offers_of(db, a, &q.id, 77, got) == (int)q.offer_count);
    }
    for (unsigned i = 0; i < QUOTE_OFFERS_MAX; i++) {
        CHECK_STR(got[i].provider, "uniswap");
        CHECK(is(got[i].amount_out, 900 - i) && is(got[i].min_out, 800 - i) && got[i].gas_units == i);
        CHECK(got[i].payload_len == sizeof payload - i &&
              memcmp(got[i].payload, payload, got[i].payload_len) == 0);
    }
    CHECK(raw("UPDATE quotes SET offers = SUBSTRING(offers, 1, LENGTH(offers) - 1) WHERE agent_id = 77"));
    CHECK(quote_offers_of(db, a, &q.id, 77, got) == QUOTE_OFFERS_MAX - 1);
}

STORE_TEST_MAIN(TEST(quotes_are_kept), TEST(runners_up_of_quotes), TEST(a_quote_is_taken_once),
                TEST(old_quotes_go))
