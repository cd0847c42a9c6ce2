/* What an agent writes as a price and a size, and what the prediction venue answers to an order and to its
 * cancel: nothing is taken for more than it is. The first byte says which it is. */
#include "base/json_numbers.h"
#include "fuzz.h"
#include "model/decimal.h"
#include "predict/clob_private.h"
#include "predict/predict_order_terms.h"
#include "predict/predict_order_venue.h"

static void read_number(struct arena *a, const char *data, size_t size)
{
    const char *text = arena_strndup(a, data, size);
    struct order_in in = { .side = "SELL", .price = text, .size = text, .expiration = text, .type = "GTD" };
    struct order o = { .price = 0 };
    uint64_t n = 0;

    if (decimal_exact(&n, text, 2) == DECIMAL_FINE)
        MUST(n <= 1000000000000000000);
    if (order_price_fault(text) != NULL || order_size_fault(text) != NULL ||
        order_terms_read(a, &in, 0, &o) != NULL)
        return;
    MUST(o.price < ORDER_PRICE_ONE && o.size > 0 && o.expires_ms > 0);
    MUST(order_cost(&o) <= INT64_MAX && order_shares(&o) <= INT64_MAX);
    o.side = ORDER_BUY;
    o.type = ORDER_FOK; /* spends whole cents, at the price as far as four decimals of a share say */
    MUST(order_cost(&o) % 10000 == 0 && order_shares(&o) % 100 == 0);
    MUST(order_shares(&o) <= o.size * ORDER_SIZE_UNITS);
}

/* The credentials are no good, by the status or in words. */
static bool is_denied(struct arena *a, const struct call *c)
{
    json_t *doc = json_read_texts(c->answer.data, c->answer.len);
    const char *wrong = json_string_value(json_object_get(doc, "errorMsg"));
    struct clob_error e;

    clob_error_read(a, c, &e);
    if (e.fault == CLOB_FINE && wrong != NULL)
        clob_error_of_text(a, wrong, &e);
    json_decref(doc);
    return e.fault == CLOB_UNAUTHORIZED;
}

static void read_answer(struct arena *a, int status, const char *data, size_t size)
{
    const struct venue_request r = { .venue_key = { 7 } };
    struct request_observation sent = { .says = VENUE_UNAVAILABLE }, seen = sent;
    struct call c = { .result = CALL_ANSWERED,
                      .status = status,
                      .answer = { .data = (char *)(uintptr_t)data, .len = size } };
    if (is_denied(a, &c)) /* what follows is noted in the database */
        return;
    order_venue.read_send(&c, &r, a, &sent);
    MUST(sent.says == VENUE_UNAVAILABLE || sent.says == VENUE_FILLED || sent.says == VENUE_REFUSED ||
         sent.says == VENUE_OUTDATED);
    MUST((sent.says == VENUE_REFUSED) == (sent.why != NULL));
    order_venue.read_status(&c, &r, a, &seen);
    MUST(seen.says == VENUE_UNAVAILABLE || seen.says == VENUE_UNKNOWN || seen.says == VENUE_FILLED);
    (void)order_venue.read_cancel(&c, &r, a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int statuses[] = { 200, 400, 404, 503 };
    struct arena *a = arena_new();
    const char *text = (const char *)data + 1;

    if (size > 0 && data[0] % 8 < 4)
        read_number(a, text, size - 1);
    else if (size > 0)
        read_answer(a, statuses[data[0] % 4], text, size - 1);
    arena_free(a);
    return 0;
}
