#include "predict/predict_order_venue.c"

#include "base/test.h"

#define ID "0x0700000000000000000000000000000000000000000000000000000000000000"

static struct arena *a;

static struct call answer_of(int status, const char *text)
{
    return (struct call){ .result = CALL_ANSWERED,
                          .status = status,
                          .answer = { .data = (char *)(uintptr_t)text, .len = strlen(text) } };
}

static struct request_observation observation_of(int status, const char *text)
{
    const struct venue_request r = { .venue_key = { 7 } };
    struct request_observation s = { .says = VENUE_UNAVAILABLE };
    struct call c = answer_of(status, text);

    order_read_send(&c, &r, a, &s);
    return s;
}

static void answers_to_sends_become_observations(void)
{
    static const struct {
        int status;
        const char *text;
        enum venue_says says;
        bool more;
        const char *why;
    } rows[] = {
        { 200, "{\"success\":true,\"errorMsg\":\"\",\"orderID\":\"" ID "\",\"status\":\"live\"}",
          VENUE_FILLED, false, "" },
        { 200, "{\"success\":true,\"orderID\":\"" ID "\",\"status\":\"matched\"}", VENUE_FILLED, true, "" },
        { 200, "{\"success\":true,\"orderID\":\"" ID "\",\"status\":\"delayed\"}", VENUE_FILLED, true, "" },
        { 200, "{\"success\":true,\"errorMsg\":\"not enough balance / allowance\",\"orderID\":\"\"}",
          VENUE_REFUSED, false, "Insufficient balance or allowance" },
        /* of another order, of no order, incomplete, and no answer at all */
        { 200, "{\"success\":true,\"orderID\":\"0x08\",\"status\":\"live\"}", VENUE_UNAVAILABLE, false, "" },
        { 200, "{\"success\":true,\"status\":\"live\"}", VENUE_UNAVAILABLE, false, "" },
        { 200, "{\"success\":false,\"orderID\":\"" ID "\"}", VENUE_UNAVAILABLE, false, "" },
        { 200, "{\"success\":true,\"orderID\":\"" ID, VENUE_UNAVAILABLE, false, "" },
        { 200, "<html>", VENUE_UNAVAILABLE, false, "" },
        { 200, "", VENUE_UNAVAILABLE, false, "" },
        { 400, "{\"error\":\"order " ID " is invalid. Duplicated.\"}", VENUE_FILLED, true, "" },
        { 400, "{\"error\":\"order_version_mismatch\"}", VENUE_OUTDATED, false, "Prediction order failed" },
        { 400, "{\"error\":\"order " ID " is invalid. Price (0.405) breaks minimum tick size rule: 0.01\"}",
          VENUE_REFUSED, false, "Price must be a multiple of 0.01" },
        { 400, "{\"error\":\"order " ID " is invalid. Size (1) lower than the minimum: 5\"}", VENUE_REFUSED,
          false, "Size must be at least 5" },
        { 400, "{\"error\":\"order " ID " is invalid. Size (1) lower than the minimum: %s\"}", VENUE_REFUSED,
          false, "Prediction order failed" },
        { 400, "{\"error\":\"invalid amount for a marketable BUY order ($0.98), min size: $1\"}",
          VENUE_REFUSED, false, "A purchase that matches at once must cost at least 1 dollar" },
        { 400,
          "{\"error\":\"invalid amounts, the market buy orders maker amount supports a max accuracy of 2 "
          "decimals, taker amount a max of 4 decimals\"}",
          VENUE_REFUSED, false, "The venue does not take the amounts of price and size" },
        { 400, "{\"error\":\"maker address not allowed, please use the deposit wallet flow\"}", VENUE_REFUSED,
          false, "Trading not permitted for this wallet" },
        { 503, "{\"error\":\"Trading is currently cancel-only.\"}", VENUE_UNAVAILABLE, false, "" },
        { 429, "{\"error\":\"Too Many Requests\"}", VENUE_UNAVAILABLE, false, "" },
        { 500, "{\"error\":\"internal\"}", VENUE_UNAVAILABLE, false, "" },
        { 502, "<html>", VENUE_UNAVAILABLE, false, "" },
    };

    a = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct request_observation s = observation_of(rows[i].status, rows[i].text);

        CHECK(s.says == rows[i].says && s.more == rows[i].more && !s.again);
        CHECK_STR(s.why == NULL ? "" : s.why->text, rows[i].why);
    }
    arena_free(a);
}

static struct request_observation polled(int status, const char *text)
{
    const struct venue_request r = { .venue_key = { 7 } };
    struct request_observation s = { .says = VENUE_UNAVAILABLE };
    struct call c = answer_of(status, text);

    order_read_status(&c, &r, a, &s);
    return s;
}

static void answers_to_polls_become_observations(void)
{
    static const char row[] =
        "{\"id\":\"%s\",\"status\":\"LIVE\",\"original_size\":\"20\",\"size_matched\":\"0\"}";

    a = arena_new();
    CHECK(polled(200, arena_printf(a, row, ID)).says == VENUE_FILLED);
    CHECK(polled(200,
                 arena_printf(a, row, "0x0800000000000000000000000000000000000000000000000000000000000000"))
              .says == VENUE_UNAVAILABLE);
    CHECK(polled(404, "{\"error\":\"order not found\"}").says == VENUE_UNKNOWN);
    CHECK(polled(200, "null").says == VENUE_UNKNOWN);
    CHECK(polled(404, "<html>").says == VENUE_UNAVAILABLE);
    CHECK(polled(200, "{").says == VENUE_UNAVAILABLE && polled(500, "").says == VENUE_UNAVAILABLE);
    arena_free(a);
}

/* The observation says for the second time that the order is not known. */
static enum venue_says proven(int status, const char *text)
{
    const struct venue_request r = { .venue_key = { 7 } };
    struct request_observation s = { .says = VENUE_UNKNOWN };
    struct call c = answer_of(status, text);

    order_read_proof(&c, &r, a, &s);
    return s.says;
}

static void trades_prove_an_order(void)
{
    static const char trade[] = "{\"data\":[{\"id\":\"t\",\"taker_order_id\":\"%s\",\"size\":\"10.97\","
                                "\"price\":\"0.41\",\"status\":\"CONFIRMED\",\"match_time\":\"1700000000\"}],"
                                "\"next_cursor\":\"%s\"}";
    static const char other[] = "0x0800000000000000000000000000000000000000000000000000000000000000";

    a = arena_new();
    CHECK(proven(200, arena_printf(a, trade, ID, "LTE=")) == VENUE_FILLED);
    CHECK(proven(200, arena_printf(a, trade, other, "LTE=")) == VENUE_UNKNOWN);
    CHECK(proven(200, "{\"data\":[],\"next_cursor\":\"LTE=\"}") == VENUE_UNKNOWN);
    CHECK(proven(200, arena_printf(a, trade, other, "MTAw")) == VENUE_UNAVAILABLE); /* there is more */
    CHECK(proven(500, "") == VENUE_UNAVAILABLE && proven(200, "{") == VENUE_UNAVAILABLE);
    arena_free(a);
}

static bool is_definite(int status, const char *text)
{
    const struct venue_request r = { .venue_key = { 7 } };
    struct call c = answer_of(status, text);

    return order_read_cancel(&c, &r, a);
}

static void answers_to_cancels_are_definite_or_not(void)
{
    a = arena_new();
    CHECK(is_definite(200, "{\"canceled\":[\"" ID "\"],\"not_canceled\":{}}"));
    CHECK(
        is_definite(200, "{\"canceled\":[],\"not_canceled\":{\"" ID "\":\"already canceled or matched\"}}"));
    CHECK(!is_definite(200, "{\"canceled\":[],\"not_canceled\":{\"" ID "\":\"try again later\"}}"));
    CHECK(!is_definite(200, "{\"canceled\":[\"0x08\"],\"not_canceled\":{}}"));
    CHECK(!is_definite(200, "{\"canceled\":[7],\"not_canceled\":{\"" ID "\":7}}"));
    CHECK(!is_definite(200, "") && !is_definite(200, "[]") &&
          !is_definite(503, "{\"canceled\":[\"" ID "\"]}"));
    arena_free(a);
}

TEST_MAIN(TEST(answers_to_sends_become_observations), TEST(answers_to_polls_become_observations),
          TEST(trades_prove_an_order), TEST(answers_to_cancels_are_definite_or_not))
