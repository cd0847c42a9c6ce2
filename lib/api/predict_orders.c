#include "api/predict_orders.h"

#include "api/admission/api_call.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/schemas.h"

#include "api/admission/idempotency.h"
#include "api/admission/terms.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/retry.h"
#include "api/view.h"
#include "exec/commit_approval.h"
#include "model/agent.h"
#include "model/approval.h"
#include "predict/order_cancel.h"
#include "predict/predict_order.h"
#include "predict/predict_order_kind.h"
#include "predict/predict_order_view.h"
#include "predict/predict_quote.h"
#include "store/orders.h"

/* ---- parameters ---- */

#define ONE_ORDER V1 "/predict/order/{id}"

struct place_in {
    struct order_in order;
    const char *wallet_address, *approval_id;
};

static const char *price_check(const char *value, const void *env)
{
    (void)env;
    return order_price_fault(value);
}

static const char *size_check(const char *value, const void *env)
{
    (void)env;
    return order_size_fault(value);
}

static const char *side_check(const char *value, const void *env)
{
    enum order_side side;

    (void)env;
    return order_side_parse(&side, value) ? NULL : "must be BUY or SELL";
}

static const char *type_check(const char *value, const void *env)
{
    enum order_type type;

    (void)env;
    return order_type_parse(&type, value) ? NULL : "must be GTC, GTD, FOK or FAK";
}

/* Those of an order are required unless approval_id is given; the handler checks that. */
static const struct param place_params[] = {
    { "tokenId", P_TEXT, INTO(struct place_in, order.token), .needed = true, .unless = "approval_id",
      .min = 1, .about = "Which outcome: GET /predict/market/{market} lists the tokenId of each",
      .example = A_TOKEN_ID },
    { "price", P_DECIMAL, INTO(struct place_in, order.price), .needed = true, .unless = "approval_id",
      .check = price_check, .bad = &E_PRICE,
      .about = "Dollars for a share, between 0 and 1: a multiple of the market's tickSize",
      .example = "0.4" },
    { "size", P_DECIMAL, INTO(struct place_in, order.size), .needed = true, .unless = "approval_id",
      .check = size_check, .bad = &E_SIZE,
      .about =
          "How many shares, with at most 2 decimals. A BUY of type FOK or FAK spends price x size, rounded down to cents, and brings more shares where the price is better",
      .example = "20" },
    { "side", P_TEXT, INTO(struct place_in, order.side), .needed = true, .unless = "approval_id",
      .check = side_check, .bad = &E_SIDE, .about = "BUY or SELL", .example = "BUY" },
    { "type", P_TEXT, INTO(struct place_in, order.type), .check = type_check, .assumed = "GTC",
      .about =
          "GTC rests until it is cancelled, GTD until its expiration; FOK is filled whole at once or not at all, FAK as far as possible at once" },
    { "expiration", P_DECIMAL, INTO(struct place_in, order.expiration), .bad = &E_EXPIRATION,
      .about = "Of GTD: Unix seconds, at least 180 ahead" },
    { "postOnly", P_FLAG, INTO(struct place_in, order.post_only),
      .about = "Refuses an order that would match at once" },
    PARAM_WALLET(struct place_in),
    { "approval_id", P_TEXT, INTO(struct place_in, approval_id), .min = 1, .max = PARAM_NAME_MAX,
      .beside = PARAM_ALONE,
      .about = "Instead of all else: goes on with an order that waited for the operator's approval" },
    PARAM_WAIT(struct place_in),
    { 0 },
};

static const char *const quote_types[] = { "GTC", "FOK", "FAK", NULL };

static const struct param quote_params[] = {
    { "tokenId", P_TEXT, INTO(struct order_in, token), .required = true, .min = 1,
      .about = "Which outcome: GET /predict/market/{market} lists the tokenId of each",
      .example = A_TOKEN_ID },
    { "side", P_TEXT, INTO(struct order_in, side), .required = true, .check = side_check, .bad = &E_SIDE,
      .about = "BUY or SELL", .example = "BUY" },
    { "size", P_DECIMAL, INTO(struct order_in, size), .required = true, .check = size_check, .bad = &E_SIZE,
      .about = "How many shares, with at most 2 decimals", .example = "20" },
    { "price", P_DECIMAL, INTO(struct order_in, price), .check = price_check, .bad = &E_PRICE,
      .about = "The worst price, as an order has it; without it any" },
    { "type", P_TEXT, INTO(struct order_in, type), .choices = quote_types, .any_case = true, .assumed = "GTC",
      .about =
          "Beside a price: that of the order. A BUY of type FOK or FAK is for price x size in money, FOK for all or nothing" },
    { 0 },
};

struct orders_in {
    const char *status, *market, *token;
    struct list_period created;
    uint64_t limit, offset;
};

static const char *const status_filters[] = { "pending",  "open", "filled", "cancelled",
                                              "rejected", "all",  NULL };

static const struct param orders_params[] = {
    { "status", P_TEXT, INTO(struct orders_in, status), .choices = status_filters, .any_case = true,
      .bad = &E_STATUS_FILTER,
      .about = "pending, open, filled, cancelled, rejected or all; default the first three" },
    { "market", P_TEXT, INTO(struct orders_in, market), .min = 1, .max = PARAM_NAME_MAX,
      .about = "Only those of this market, by its id" },
    { "tokenId", P_TEXT, INTO(struct orders_in, token), .min = 1, .about = "Only those of this outcome" },
    PARAMS_PERIOD(struct orders_in, created),
    PARAMS_PAGE(struct orders_in),
    { 0 },
};

static const struct schema_field order_id = { "id", S_HEX, .example = A_HASH, .about = "The order's id" };

/* ---- answers ---- */

static const char *const order_statuses[] = { "pending", "open", "filled", "cancelled", "rejected", NULL };
static const char *const order_types[] = { "GTC", "GTD", "FOK", "FAK", NULL };
static const char *const filled_event[] = { "order.filled", NULL };
static const char *const partially_filled_event[] = { "order.partially_filled", NULL };
static const char *const cancelled_event[] = { "order.cancelled", NULL };
static const char *const rejected_event[] = { "order.rejected", NULL };

/* clang-format off */
static const struct schema order_schema = { "PredictionOrder", "An order on a prediction market", FIELDS {
    { "id",              HEX(A_HASH),                    "Its hash, by which the venue knows it" },
    { "tokenId",         TEXT(A_TOKEN_ID),               "The outcome that is traded" },
    { "side",            CHOICE(order_sides, "BUY"),     "What it does" },
    { "price",           NUMBER("0.4"),                  "The worst price, in dollars for a share" },
    { "size",            NUMBER("20"),                   "How many shares" },
    { "status",          CHOICE(order_statuses, "open"), "pending: the venue has not said anything definite yet" },
    { "created_at",      TIME(A_TIME),                   "When it was accepted" },
    { "filled",          NUMBER("10"),                   "How many shares are matched; a BUY of type FOK or FAK may bring more than its size" },
    { "averagePrice",    NUMBER("0.4"),                  "What a matched share cost; 0 before there is one" },
    { "fee",             NUMBER("0.09"),                 "The fee of its trades, in dollars, in addition to the price: makers pay none" },
    { "spent",           NUMBER("4.5"),                  "Of a BUY of type FOK or FAK: what was paid, in dollars, without the fee", MAY_BE_ABSENT },
    { "shares",          NUMBER("10.975609"),            "The shares that it brought", MAY_BE_ABSENT },
    { "market",          TEXT("512347"),                 "The market's id" },
    { "outcome",         TEXT("Yes"),                    "The outcome's name" },
    { "type",            CHOICE(order_types, "GTC"),     "How long it rests", FULL_ONLY },
    { "expiration",      TIME("null"),                   "When it ends by itself; null: never", MAY_BE_NULL | FULL_IF_NULL },
    { "tx_hashes",       TEXTS(A_HASH),                  "Transactions that settle its trades", FULL_ONLY },
    { "updated_at",      TIME(LATER),                    "When it changed last", FULL_ONLY },
    { "error",           TEXT("Insufficient balance or allowance"), "Why it was rejected", MAY_BE_ABSENT },
    { "cancelRequested", FLAG("true"),                   "True while a cancel is not confirmed", MAY_BE_ABSENT },
    END } };

static const struct schema order_quote_schema = { "PredictionQuote", "What an order would be matched with now", FIELDS {
    SUCCESS,
    { "tokenId",      TEXT(A_TOKEN_ID),        "The outcome that is traded" },
    { "market",       TEXT("512347"),          "The market's id" },
    { "outcome",      TEXT("Yes"),             "The outcome's name" },
    { "side",         CHOICE(order_sides, "BUY"), "What it does" },
    { "size",         NUMBER("20"),            "How many shares were asked for" },
    { "shares",       NUMBER("20"),            "How many the book has within the price, or what the money brings" },
    { "averagePrice", NUMBER("0.412"),         "What a share costs, on average" },
    { "worstPrice",   NUMBER("0.42"),          "What the last one costs" },
    { "cost",         NUMBER("8.24"),          "Dollars for the shares" },
    { "fee",          NUMBER("0.19"),          "The venue's fee, in dollars" },
    { "total",        NUMBER("8.43"),          "What leaves the wallet with the fee, or what a sale brings without it" },
    { "complete",     FLAG("true"),            "Whether that is all of the size; else the rest would rest, or be let go" },
    END } };

static const struct schema order_found_schema = { "PredictionOrderFound", "One order", FIELDS {
    SUCCESS,
    { "order", OBJECT(order_schema), "The order" },
    END } };

static const struct schema orders_schema = { "PredictionOrderList", "A page of orders, newest first", FIELDS {
    SUCCESS,
    { "orders",     LIST(order_schema),        "The orders" },
    { "pagination", OBJECT(pagination_schema), "Which part of all this is" },
    END } };

static const struct schema order_awaits_schema = { "PredictionOrderApproval", "Nothing is signed yet: the operator has to approve it first", FIELDS {
    SUCCESS,
    AWAITING("Send it to /predict/order instead of the order", "Then it has lapsed, and nothing was signed"),
    END } };

static const struct schema order_told_schema = { "PredictionOrderTold", "An order as events tell of it", FIELDS {
    { "settled",   FLAG("false"), "Whether all that is filled is settled for good; a settlement may still fail" },
    { "corrected", FLAG("true"),  "It takes back what was told before: a settlement failed, or an order that had ended is there", MAY_BE_ABSENT },
    END }, .base = &order_schema };

#define ORDER_EVENT(type) \
    { "type",      CHOICE(type##_event, "order." #type), "What happened" }, \
    { "timestamp", TIME(LATER),                          "When" }, \
    { "data",      OBJECT(order_told_schema),            "The order" }

static const struct schema order_filled_schema = { "OrderFilledEvent", "An order is filled", FIELDS {
    ORDER_EVENT(filled),
    END } };

static const struct schema order_partially_filled_schema = { "OrderPartiallyFilledEvent", "More, or less, of an order is filled", FIELDS {
    ORDER_EVENT(partially_filled),
    END } };

static const struct schema order_cancelled_schema = { "OrderCancelledEvent", "An order is cancelled, or has expired", FIELDS {
    ORDER_EVENT(cancelled),
    END } };

static const struct schema order_rejected_schema = { "OrderRejectedEvent", "The venue never took the order", FIELDS {
    { "type",      CHOICE(rejected_event, "order.rejected"), "What happened" },
    { "timestamp", TIME(LATER),                              "When" },
    { "data",      OBJECT(order_schema),                     "The order" },
    END } };
/* clang-format on */

/* ---- handlers ---- */

static struct reply *reply_order(struct api_call *c, int status, const struct order *o)
{
    struct order_shown shown = { .order = *o };
    struct json_writer *w;

    if (!orders_read_fills(c->ctx->db, c->arena, &shown, 1))
        return NULL;
    w = reply_open(c->rq, status);
    jw_object(w, "order");
    order_view(w, &shown.order, shown.fills, shown.fill_count);
    jw_end(w);
    return reply_close(w);
}

static struct reply *reply_order_awaits(struct api_call *c, const struct commit_result *r)
{
    struct json_writer *w = reply_open(c->rq, 202);

    view_awaiting(w, r);
    return reply_close(w);
}

/* Replies with the order as its row has it; NULL when the database failed. */
static struct reply *reply_placed(struct api_call *c, const struct commit_result *r)
{
    struct order o;

    if (r->awaits)
        return reply_order_awaits(c, r);
    if (orders_of_execution(c->ctx->db, c->arena, r->execution.id, &o) != LOOKUP_FOUND)
        return NULL;
    return reply_order(c, 200, &o);
}

/* If the request dies between commit and answer, a repeat under its key finds the order. */
static enum db_update note_placed(void *c, const struct commit_result *r)
{
    struct reply *rp = reply_placed(c, r);

    return rp != NULL ? idempotency_note(c, rp, true) : DB_ERROR;
}

/* Required fields of an order. */
static const struct err *place_missing(struct arena *a, const struct order_in *in)
{
    const char *name = in->token == NULL   ? "tokenId"
                       : in->price == NULL ? "price"
                       : in->size == NULL  ? "size"
                       : in->side == NULL  ? "side"
                                           : NULL;

    return name == NULL ? NULL : err_on(a, err_fmt(a, &E_REQUIRED, name, NULL), name);
}

static const struct err *place_by_params(struct api_call *c, const struct place_in *in,
                                         struct commit_result *out)
{
    const struct commit_note noted = { note_placed, c }, *note = c->record != NULL ? &noted : NULL;
    const struct err *e;

    *out = (struct commit_result){ .lost_to = 0 };
    if (in->approval_id != NULL)
        return order_place_approved(c->ctx, c->arena, c->agent, in->approval_id, note, out);
    e = place_missing(c->arena, &in->order);
    return e != NULL ? e : order_place(c->ctx, c->arena, c->agent, &in->order, in->wallet_address, note, out);
}

/* A caller who lost the first answer is told which order the approval was used for. */
static struct reply *reply_order_lost(struct api_call *c, const struct err *e, uint64_t execution_id)
{
    struct json_writer *w = reply_err_open(c->rq, e, NULL);
    struct order o;

    if (orders_of_execution(c->ctx->db, c->arena, execution_id, &o) == LOOKUP_FOUND && o.has_hash)
        jw_string(w, "order_id", order_id_text(c->arena, o.hash));
    return reply_close(w);
}

static struct reply *place_order(struct api_call *c, const void *arg)
{
    struct commit_result done;
    const struct err *e = retry_outcome(c, place_by_params(c, arg, &done), &done);

    if (e != NULL && done.lost_to != 0)
        return reply_order_lost(c, e, done.lost_to);
    return e != NULL ? reply_err(c->rq, e) : reply_placed(c, &done);
}

static struct reply *make_quote(struct api_call *c, const void *arg)
{
    const char *text = NULL;
    const struct err *e = predict_quote(c->ctx, c->arena, arg, &text);

    return view_cached(c, e, text);
}

static struct reply *get_order(struct api_call *c, const void *arg)
{
    struct order o;
    const struct err *e =
        order_find(c->ctx, c->arena, c->agent->id, c->captured != NULL ? c->captured : "", &o);

    (void)arg;
    return e != NULL ? reply_err(c->rq, e) : reply_order(c, 200, &o);
}

/* 202 while the venue has not confirmed it. */
static struct reply *cancel_order(struct api_call *c, const void *arg)
{
    struct order o;
    const struct err *e =
        order_cancel(c->ctx, c->arena, c->agent->id, c->captured != NULL ? c->captured : "", &o);

    (void)arg;
    if (retry_found_cancelled(c, e, &E_PREDICT_ORDER_NOT_OPEN) && o.status == ORDER_CANCELLED)
        e = NULL;
    return e != NULL ? reply_err(c->rq, e) : reply_order(c, o.status == ORDER_CANCELLED ? 200 : 202, &o);
}

/* The execution of the order, or of the approval that it waits for. */
static uint64_t order_execution(const struct api_call *c, enum exec_kind_id kind, const json_t *answer)
{
    const char *id = json_string_value(json_object_get(json_object_get(answer, "order"), "id")),
               *approval = json_string_value(json_object_get(answer, "approval_id"));
    uint8_t hash[HASH_LEN];
    struct approval ap;
    struct order o;

    (void)kind;
    if (id != NULL && order_id_parse(hash, id) &&
        orders_get(c->ctx->db, c->arena, c->agent->id, hash, &o) == LOOKUP_FOUND)
        return o.execution_id;
    if (approval != NULL &&
        commit_approval_find(c->ctx, c->arena, c->agent->id, approval, &ap) == LOOKUP_FOUND)
        return ap.execution_id;
    return 0;
}

static unsigned statuses_of(const char *filter)
{
    enum order_status status;

    if (filter == NULL)
        return ORDERS_LISTED;
    return order_status_parse(&status, filter) ? 1u << status : ORDERS_ALL;
}

/* The number of orders with these statuses, from the stored totals. */
static uint64_t orders_total(const struct agent *a, unsigned statuses)
{
    uint64_t total = 0;

    for (unsigned s = ORDER_PENDING; s <= ORDER_REJECTED; s++)
        if (statuses & 1u << s)
            total += a->orders[s];
    return total;
}

static struct reply *list_orders(struct api_call *c, const void *arg)
{
    const struct orders_in *in = arg;
    struct page page = { in->limit, in->offset };
    struct order *orders = ARENA_ARRAY(c->arena, struct order, in->limit + 1);
    struct order_shown *shown = ARENA_ARRAY(c->arena, struct order_shown, in->limit + 1);
    struct order_filter f = { .statuses = statuses_of(in->status),
                              .market = in->market,
                              .created = in->created };
    uint64_t total = orders_total(c->agent, f.statuses);
    struct json_writer *w;
    struct u256 token;
    int n;

    if (in->token != NULL && !u256_parse(&token, in->token))
        return reply_err(c->rq, err_on(c->arena, &E_TOKEN_ID, "tokenId"));
    f.token = in->token != NULL ? &token : NULL;
    n = f.market == NULL && f.token == NULL && list_period_is_open(&f.created)
            ? orders_page(c->ctx->db, c->arena, c->agent->id, f.statuses, &page, orders)
            : orders_filtered(c->ctx->db, c->arena, c->agent->id, &f, &page, orders, &total);
    for (int i = 0; i < n; i++)
        shown[i].order = orders[i];
    if (n < 0 || !orders_read_fills(c->ctx->db, c->arena, shown, (size_t)n))
        return NULL;
    w = reply_open(c->rq, 200);
    jw_array(w, "orders");
    for (int i = 0; i < n; i++) {
        jw_object(w, NULL);
        order_view(w, &shown[i].order, shown[i].fills, shown[i].fill_count);
        jw_end(w);
    }
    jw_end(w);
    view_pagination(w, total, &page, (uint64_t)n);
    return reply_close(w);
}

/* ---- as a sentence ---- */

/* The shares and price of an immediate purchase, in words. */
static const char *spent_phrase(struct arena *a, const json_t *item)
{
    double shares = json_number_value(json_object_get(item, "shares"));

    return shares == 0 ? ""
                       : arena_printf(a, ", %.8g shares for %.8g dollars", shares,
                                      json_number_value(json_object_get(item, "spent")));
}

static const char *order_phrase(struct arena *a, const json_t *item)
{
    const char *why = phrase_text(item, "error");

    return arena_printf(a, "%s %g %s at %g %s%s%s%s (%s)", phrase_text(item, "side"),
                        json_number_value(json_object_get(item, "size")), phrase_text(item, "outcome"),
                        json_number_value(json_object_get(item, "price")), phrase_text(item, "status"),
                        spent_phrase(a, item), *why == '\0' ? "" : ": ", why, phrase_text(item, "id"));
}

static const char *order_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    (void)asked;
    return arena_printf(a, "Order %s", order_phrase(a, json_object_get(body, "order")));
}

static const char *orders_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    (void)asked;
    return phrase_page(a, body, "orders", "order", order_phrase);
}

static const char *quote_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    (void)asked;
    return arena_printf(
        a, "%s %.8g %s at %.8g on average: %.8g dollars, and a fee of %.8g", phrase_text(body, "side"),
        json_number_value(json_object_get(body, "shares")), phrase_text(body, "outcome"),
        json_number_value(json_object_get(body, "averagePrice")),
        json_number_value(json_object_get(body, "cost")), json_number_value(json_object_get(body, "fee")));
}

/* ---- endpoints ---- */

#define ORDER_ROW .auth = AUTH_ACTIVE, .tag = TAG_PREDICTION, .skill = SKILL_PREDICTION_TRADING, .status = 200

static const struct endpoint rows[] = {
    {
        ORDER_ROW,
        .method = POST,
        .path = V1 "/predict/order",
        .denied = &E_UNAUTHORIZED,
        .internal = &E_PREDICT_ORDER_FAILED,
        TAKES(place_params, struct place_in),
        .handler = place_order,
        .terms = terms_of_members,
        .flags = ONCE | WAITS | DECIMALS | CORE,
        .begins = { KIND_PREDICT_ORDER, order_execution, ONE_ORDER },
        .tool = "place_prediction_order",
        .sentence = order_sentence,
        .summary = "Place an order on a prediction market",
        .about =
            "Moves money. The order is signed, stored and given to the venue; it becomes at most one order there. What the venue refuses is `rejected`, with the reason in `error`. Next: GET /predict/order/{id}, or the webhooks.",
        .answer = &order_found_schema,
        .accepted = &order_awaits_schema,
        .errors = ERRORS{ ORDER_ERRORS,
                          &E_PRICE,
                          &E_SIDE,
                          &E_EXPIRATION,
                          &E_EXPIRATION_TYPE,
                          &E_POST_ONLY,
                          &E_PRICE_MOVED,
                          &E_GAS,
                          &E_WOULD_REVERT,
                          &E_BEHIND,
                          &E_PROVIDER_REFUSED,
                          &E_UPSTREAM,
                          &E_WALLET_NOT_FOUND,
                          &E_PAUSED,
                          &E_OPERATOR_LIMIT,
                          &E_POLICY,
                          &E_APPROVAL_COUNT,
                          &E_APPROVAL_NOT_FOUND,
                          &E_APPROVAL_DENIED,
                          &E_APPROVAL_EXPIRED,
                          NULL },
        .hints = HINT_OPEN_WORLD,
    },
    {
        ORDER_ROW,
        .method = POST,
        .path = V1 "/predict/quote",
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(quote_params, struct order_in),
        .handler = make_quote,
        .flags = WAITS | DECIMALS,
        .tool = "quote_prediction",
        .sentence = quote_sentence,
        .summary = "Quote an order on a prediction market",
        .about =
            "What the book gives an order now, with the venue's fee. Nothing is reserved: the book may move.",
        .answer = &order_quote_schema,
        .errors = ERRORS{ &E_TOKEN_ID, &E_PRICE, &E_SIZE, &E_SIZE_PLACES, &E_SIDE, &E_TICK, &E_MIN_SIZE,
                          &E_LEAST_AT_ONCE, &E_MARKET_PAUSED, &E_NO_MATCH, &E_NO_LIQUIDITY,
                          &E_PROVIDER_REFUSED, &E_UPSTREAM, NULL },
        .hints = HINT_READ_ONLY | HINT_OPEN_WORLD,
    },
    {
        ORDER_ROW,
        .method = GET,
        .path = V1 "/predict/orders",
        .denied = &E_UNAUTHORIZED,
        .internal = &E_INTERNAL,
        TAKES(orders_params, struct orders_in),
        .handler = list_orders,
        .flags = LISTS | CORE,
        .tool = "list_prediction_orders",
        .sentence = orders_sentence,
        .summary = "Orders on prediction markets",
        .about = "Orders on prediction markets, newest first.",
        .answer = &orders_schema,
        .errors = ERRORS{ &E_TOKEN_ID, NULL },
    },
    {
        ORDER_ROW,
        .method = GET,
        .path = ONE_ORDER,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(wait_params, struct wait_in),
        .begins = { .execution = order_execution },
        .handler = get_order,
        .tool = "get_prediction_order",
        .sentence = order_sentence,
        .summary = "Order on a prediction market",
        .about =
            "One order, with what is filled of it. Ask again while it is `pending`; webhooks tell the rest.",
        .path_param = &order_id,
        .answer = &order_found_schema,
        .errors = ERRORS{ &E_PREDICT_ORDER_NOT_FOUND, NULL },
    },
    {
        ORDER_ROW,
        .method = DELETE,
        .path = V1 "/predict/order/{id}",
        .denied = &E_UNAUTHORIZED,
        .internal = &E_INTERNAL,
        .handler = cancel_order,
        .flags = ONCE | WAITS | FREES | CORE,
        .tool = "cancel_prediction_order",
        .sentence = order_sentence,
        .summary = "Cancel an order on a prediction market",
        .about =
            "What is filled stays so. A 202 with `cancelRequested`: the venue has not answered yet, and is asked until it has. No stop of the operator holds it back.",
        .path_param = &order_id,
        .answer = &order_found_schema,
        .accepted = &order_found_schema,
        .errors = ERRORS{ &E_PREDICT_ORDER_NOT_FOUND, &E_PREDICT_ORDER_NOT_OPEN, NULL },
        .hints = HINT_OPEN_WORLD,
    },
};

static const struct endpoint_event events[] = {
    { "order.filled", "onOrderFilled", &order_filled_schema },
    { "order.partially_filled", "onOrderPartiallyFilled", &order_partially_filled_schema },
    { "order.cancelled", "onOrderCancelled", &order_cancelled_schema },
    { "order.rejected", "onOrderRejected", &order_rejected_schema },
    { .type = NULL },
};

const struct endpoint_group predict_orders_endpoints = { ENDPOINT_ROWS(rows), .events = events };
