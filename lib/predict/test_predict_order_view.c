#include "predict/predict_order_view.c"

#include "base/test.h"

static struct arena *a;

static const char *shown(const struct order *o, const struct fill *fills, size_t n)
{
    struct json_writer w;

    jw_init(&w, a, 10000);
    jw_object(&w, NULL);
    order_view(&w, o, fills, n);
    jw_end(&w);
    return jw_finish(&w);
}

static struct order order_of(enum order_status status)
{
    return (struct order){ .has_hash = true,
                           .hash = { 0xab },
                           .market = "512347",
                           .token = u256_from_u64(91),
                           .outcome = "Yes",
                           .side = ORDER_SELL,
                           .type = ORDER_GTD,
                           .price = 4025,
                           .size = 2050,
                           .expires_ms = 1767225600000,
                           .status = status,
                           .created_ms = 1767225600123,
                           .updated_ms = 1767225601000 };
}

#define ID "0xab00000000000000000000000000000000000000000000000000000000000000"

static void an_order_before_anything_happens(void)
{
    struct order o = order_of(ORDER_PENDING);

    a = arena_new();
    CHECK_STR(
        shown(&o, NULL, 0),
        "{\"id\":\"" ID "\",\"tokenId\":\"91\",\"side\":\"SELL\",\"price\":0.4025,\"size\":20.5,"
        "\"status\":\"pending\",\"filled\":0,\"averagePrice\":0,\"fee\":0,\"market\":\"512347\",\"outcome\":\"Yes\","
        "\"type\":\"GTD\",\"expiration\":\"2026-01-01T00:00:00.000Z\",\"tx_hashes\":[],"
        "\"created_at\":\"2026-01-01T00:00:00.123Z\",\"updated_at\":\"2026-01-01T00:00:01.000Z\"}");
    arena_free(a);
}

static void views_show_fills_and_transactions(void)
{
    const struct fill fills[] = { { .has_tx = true, .tx_hash = { 0xab }, .fee = 300 },
                                  { .has_tx = false, .fee = 10 },
                                  { .state = FILL_FAILED, .fee = 7 },
                                  { .has_tx = true, .tx_hash = { 0xab } },
                                  { .has_tx = true } };
    struct order o = order_of(ORDER_OPEN);
    const char *text;

    a = arena_new();
    o.matched = 3000000;
    o.paid = 1000000;
    o.cancel_requested_ms = 1;
    text = shown(&o, fills, 5);
    CHECK(strstr(text, "\"filled\":3,\"averagePrice\":0.333333,\"fee\":0.00031,") != NULL);
    CHECK(strstr(text, "\"tx_hashes\":[\"" ID "\",\"0x0000000000000000000000000000000000000000000000000000"
                       "000000000000\"],\"cancelRequested\":true,") != NULL);
    arena_free(a);
}

static void views_show_spending_of_immediate_orders(void)
{
    struct order o = order_of(ORDER_FILLED);

    a = arena_new();
    o.side = ORDER_BUY;
    CHECK(strstr(shown(&o, NULL, 0), "spent") == NULL);
    o.type = ORDER_FOK;
    o.price = 4500;
    o.size = 1000;
    o.matched = 10975609;
    o.paid = 4499999;
    CHECK(strstr(shown(&o, NULL, 0),
                 "\"size\":10,\"status\":\"filled\",\"filled\":10.975609,\"averagePrice\":"
                 "0.409999,\"fee\":0,\"spent\":4.499999,\"shares\":10.975609,") != NULL);
    arena_free(a);
}

static void why_it_was_rejected(void)
{
    struct order o = order_of(ORDER_REJECTED);
    const char *text;

    a = arena_new();
    o.error_message = "Insufficient balance or allowance";
    o.cancel_requested_ms = 1; /* it is over */
    text = shown(&o, NULL, 0);
    CHECK(strstr(text, "\"error\":\"Insufficient balance or allowance\",\"created_at\"") != NULL);
    arena_free(a);
}

TEST_MAIN(TEST(an_order_before_anything_happens), TEST(views_show_fills_and_transactions),
          TEST(views_show_spending_of_immediate_orders), TEST(why_it_was_rejected))
