#include "perps/usdc_routes.h"

#include <string.h>

#include "base/incident.h"
#include "base/json_reader.h"
#include "base/params.h"
#include "net/bulkhead.h"
#include "net/venues.h"
#include "perps/number.h"
#include "perps/perps_venue.h"
#include "service/conf.h"
#include "venue/contracts.h"
#include "venue/hyperliquid_deposit.h"

enum {
    ROUTING_LIFE_MS = 60 * 1000,
    VENUES_DOMAIN = 19, /* Circle's number of the venue */
    FAST = 1000,        /* the finality that is waited for */
    FEE_PLACES = 6,     /* of basis points */
    FEES_MAX = 16,
    ANSWER_MAX = 16 * 1024,
    DOLLAR = 1000000,
    ACTIVATION = DOLLAR,
    BRIDGE_COST = DOLLAR,
    CCTP_COST = DOLLAR / 5,
    SHARE_MAX = 100, /* basis points; as the next, many times what Circle takes anywhere */
    WAY_MAX = 5 * DOLLAR,
    GAS_LEAST = DOLLAR / 100, /* some ten times what was seen to be taken */
    UNITS = 100,              /* of the venue's 10^-8 in a millionth of a dollar */
};

static const char *text_in(const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));

    return text != NULL ? text : "";
}

/* ---- which way ---- */

static bool route_read(enum perps_route *out, const char *name)
{
    *out = strcmp(name, "bridge") == 0 ? PERPS_BRIDGE : PERPS_CCTP;
    return *out == PERPS_BRIDGE || strcmp(name, "cctp") == 0;
}

static const char *route_name(enum perps_route route)
{
    return route == PERPS_BRIDGE ? "bridge" : "cctp";
}

bool usdc_read_routing(const struct buf *answer, enum perps_route *to_venue, enum perps_route *from_venue)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    bool ok = route_read(to_venue, text_in(doc, "depositRoute")) &&
              route_read(from_venue, text_in(doc, "withdrawalRoute"));

    json_decref(doc);
    return ok;
}

static const struct err *make_routing(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    struct perps_asking q = { .questions = { { .type = "usdcRouting" } }, .count = 1 };
    enum perps_route in = PERPS_BRIDGE, out = PERPS_BRIDGE;
    const struct err *e = perps_ask(ctx, w->arena, &q);

    (void)what;
    if (e == NULL && !usdc_read_routing(&q.calls[0].answer, &in, &out))
        e = perps_senseless("usdcRouting");
    perps_asking_free(&q);
    jw_string(w, "in", route_name(in));
    jw_string(w, "out", route_name(out));
    return e;
}

static const struct err *recommended(const struct ctx *ctx, struct arena *a, bool to_venue,
                                     enum perps_route *out)
{
    const struct cache_query q = { &perps_venue, perps_cache_key(ctx, a, "routing", ""), ROUTING_LIFE_MS,
                                   make_routing, NULL };
    const char *text = NULL;
    const struct err *e = cached_answer(ctx, a, &q, &text);
    json_t *doc;

    if (e != NULL)
        return e;
    doc = json_read(text, strlen(text));
    if (!route_read(out, text_in(doc, to_venue ? "in" : "out")))
        e = &E_INTERNAL;
    json_decref(doc);
    return e;
}

const struct err *usdc_route(const struct ctx *ctx, struct arena *a, const struct chain *c, bool to_venue,
                             enum perps_route *out)
{
    bool has_bridge = contract_of(c, &hyperliquid_bridge) != NULL;
    uint32_t domain;

    if (!hyperliquid_domain(&domain, c))
        return err_fmt(a, &E_PERPS_CHAIN, c->key, NULL);
    if (!route_read(out, ctx->conf->perps_route))
        return has_bridge ? recommended(ctx, a, to_venue, out) : NULL; /* "auto"; elsewhere is one way */
    return *out == PERPS_BRIDGE && !has_bridge ? err_fmt(a, &E_PERPS_CHAIN, c->key, NULL) : NULL;
}

/* ---- its cost ---- */

struct u256 usdc_withdrawal_cost(enum perps_route route)
{
    return u256_from_u64(route == PERPS_BRIDGE ? BRIDGE_COST : CCTP_COST);
}

bool usdc_read_gas(struct arena *a, const struct buf *answer, struct u256 *out)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    const char *number = perps_number(a, doc, "fee");
    struct u256 rest = U256_ZERO;
    struct amount fee;
    bool ok = number != NULL && perps_amount(&fee, number) &&
              u256_div(out, &rest, fee.raw, u256_from_u64(UNITS)) &&
              (u256_is_zero(rest) || u256_add(out, *out, u256_from_u64(1)));

    json_decref(doc);
    if (ok && u256_cmp(*out, u256_from_u64(GAS_LEAST)) < 0)
        *out = u256_from_u64(GAS_LEAST);
    return ok;
}

const struct err *usdc_withdrawal_gas(const struct ctx *ctx, struct arena *a, const struct evm_addr *user,
                                      enum perps_route route, struct u256 *out)
{
    struct perps_asking q = { .questions = { { .type = "preTransferCheck", .user = user, .source = user } },
                              .count = 1 };
    const struct err *e;

    *out = U256_ZERO;
    if (route == PERPS_BRIDGE)
        return NULL;
    e = perps_ask(ctx, a, &q);
    if (e == NULL && !usdc_read_gas(a, &q.calls[0].answer, out))
        e = perps_senseless("preTransferCheck");
    perps_asking_free(&q);
    return e;
}

static bool units_read(struct u256 *out, const json_t *fees, const char *name)
{
    return u256_parse(out, text_in(fees, name));
}

/* A share in basis points, with `rest` for what a division leaves. */
static bool share_of(struct u256 *out, struct u256 amount, struct u256 points, bool rest)
{
    struct u256 product, left;

    if (!u256_mul(&product, amount, points) ||
        !u256_div(out, &left, product, u256_from_u64(UINT64_C(10000) * DOLLAR)))
        return false;
    return !rest || u256_is_zero(left) || u256_add(out, *out, u256_from_u64(1));
}

/* Circle alone says what may be taken of the amount, so there is a bound. */
static bool cost_read(const json_t *row, struct u256 amount, struct usdc_cost *out)
{
    const json_t *forward = json_object_get(row, "forwardFee");
    struct u256 usual, high;
    struct amount points;

    return amount_of_number(&points, text_in(row, "minimumFee"), FEE_PLACES) &&
           u256_cmp(points.raw, u256_from_u64(SHARE_MAX * DOLLAR)) <= 0 &&
           units_read(&usual, forward, "med") && units_read(&high, forward, "high") &&
           u256_cmp(usual, high) <= 0 && u256_cmp(high, u256_from_u64(WAY_MAX)) <= 0 &&
           share_of(&out->expected, amount, points.raw, false) &&
           share_of(&out->most, amount, points.raw, true) && u256_add(&out->expected, out->expected, usual) &&
           u256_add(&out->most, out->most, high);
}

bool usdc_read_fees(const struct buf *answer, struct u256 amount, struct usdc_cost *out)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    const json_t *row, *fast = NULL;
    bool ok;
    size_t i;

    json_array_foreach(doc, i, row)
    {
        uint64_t finality;

        if (i < FEES_MAX && params_whole(&finality, text_in(row, "finalityThreshold")) && finality == FAST)
            fast = row;
    }
    ok = fast != NULL && cost_read(fast, amount, out);
    json_decref(doc);
    return ok;
}

char *usdc_fees_url(struct arena *a, const char *base, const struct chain *c)
{
    uint32_t domain = 0;

    if (!hyperliquid_domain(&domain, c))
        return NULL;
    return arena_printf(a, "%s/v2/burn/USDC/fees/%u/%d?forward=true&hyperCoreDeposit=true", base,
                        (unsigned)domain, VENUES_DOMAIN);
}

const struct err *usdc_circle_cost(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                   struct u256 amount, struct usdc_cost *out)
{
    const char *url = usdc_fees_url(a, ctx->conf->perps_circle_url, c);
    const struct err *e;
    struct call call;

    if (url == NULL)
        return err_fmt(a, &E_PERPS_CHAIN, c->key, NULL);
    if ((e = venue_check(a, VENUE_CIRCLE)) != NULL)
        return e;
    call_init(&call, url, ANSWER_MAX);
    call_use_lane(&call, ctx->bulkhead, BULKHEAD_PERPS);
    (void)calls_run(ctx->net, &call, 1, PERPS_DEADLINE_MS);
    if (call.result != CALL_ANSWERED || call.status != 200 || !usdc_read_fees(&call.answer, amount, out)) {
        log_repeated("circle_no_fees", "", "msg=\"Circle tells no fees\" chain=%s status=%d why=\"%s\"",
                     c->key, call.status, call.why);
        if (call.result == CALL_ANSWERED && call.status == 200)
            venue_senseless(VENUE_CIRCLE);
        e = venue_failure(a, &call, &E_UPSTREAM);
    }
    call_free(&call);
    return e;
}

bool usdc_read_role(const struct buf *answer, bool *there)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    const char *role = text_in(doc, "role");
    bool ok = *role != '\0';

    *there = strcmp(role, "missing") != 0;
    json_decref(doc);
    return ok;
}

const struct err *usdc_activation_cost(const struct ctx *ctx, struct arena *a, const struct evm_addr *user,
                                       struct u256 *out)
{
    struct perps_asking q = { .questions = { { .type = "userRole", .user = user } }, .count = 1 };
    const struct err *e = perps_ask(ctx, a, &q);
    bool there = false;

    if (e == NULL && !usdc_read_role(&q.calls[0].answer, &there))
        e = perps_senseless("userRole");
    perps_asking_free(&q);
    *out = u256_from_u64(there ? 0 : ACTIVATION);
    return e;
}
