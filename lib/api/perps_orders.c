#include <string.h>
#include <strings.h>

#include "api/admission/api_call.h"
#include "api/admission/idempotency.h"
#include "api/admission/terms.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/schemas.h"
#include "api/retry.h"
#include "api/view.h"
#include "exec/commit_approval.h"
#include "model/agent.h"
#include "model/approval.h"
#include "perps/perps_cancel.h"
#include "perps/perps_order.h"
#include "perps/perps_order_kind.h"
#include "perps/perps_order_view.h"
#include "perps/perps_terms.h"
#include "store/perps_fills.h"
#include "store/perps_orders.h"

#define A_CLOID "0x5f0d3a7be1c94c02a6f10b9d8e7c6a55"

/* ---- parameters ---- */

#define ONE_ORDER V1 "/perps/order/{id}"

struct place_in {
    struct perps_order_in order;
    const char *wallet_address, *approval_id;
};

static const char *const types[] = { "market", "limit", NULL };
static const char *const modes[] = { "cross", "isolated", NULL };
static const char *const tifs[] = { "GTC", "IOC", "ALO", NULL };

/* clang-format off */
#define PARAM_MARKET(type, member) \
    { "market", P_TEXT, INTO(type, member), .required = true, .min = 1, .max = PARAM_NAME_MAX, \
      .about = "ETH-USD, or the asset alone", .example = "ETH-USD" }
#define PARAM_SLIPPAGE(type, member) \
    { "slippage", P_DECIMAL, INTO(type, member), .check = perps_slippage_fault, .bad = &E_SLIPPAGE, .assumed = "0.05", \
      .about = "Of what meets the book: how much worse than now the price may be; 0.05 is five per cent" }
#define PARAM_MODE(type, member) \
    { "marginMode", P_TEXT, INTO(type, member), .choices = modes, .any_case = true, .bad = &E_PERPS_MARGIN_MODE, \
      .about = "cross shares the margin of the whole account; default as the account has it" }

/* Those of an order are required unless approval_id is given; the handler checks that. */
static const struct param place_params[] = {
    { "market", P_TEXT, INTO(struct place_in, order.market), .needed = true, .unless = "approval_id", .min = 1, .max = PARAM_NAME_MAX,
      .about = "ETH-USD, or the asset alone", .example = "ETH-USD" },
    { "side", P_TEXT, INTO(struct place_in, order.side), .needed = true, .unless = "approval_id", .check = perps_side_fault, .bad = &E_PERPS_SIDE,
      .about = "long buys, short sells", .example = "long" },
    { "size", P_DECIMAL, INTO(struct place_in, order.size), .needed = true, .unless = "approval_id", .check = perps_size_fault, .bad = &E_PERPS_SIZE,
      .about = "How much of the asset, with at most the market's szDecimals", .example = "0.5" },
    { "type", P_TEXT, INTO(struct place_in, order.type), .choices = types, .any_case = true, .bad = &E_PERPS_TYPE,
      .assumed = "market", .about = "market takes what is there, limit has a price" },
    { "price", P_DECIMAL, INTO(struct place_in, order.price), .check = perps_price_fault,
      .about = "Of limit orders: the worst price, in dollars. It is never rounded" },
    { "leverage", P_DECIMAL, INTO(struct place_in, order.leverage),
      .about = "1 to the market's maxLeverage, set before the order goes out; default as the account has it" },
    PARAM_MODE(struct place_in, order.margin_mode),
    { "reduceOnly", P_FLAG, INTO(struct place_in, order.reduce_only),
      .about = "Only reduces a position" },
    { "timeInForce", P_TEXT, INTO(struct place_in, order.tif), .choices = tifs, .any_case = true, .bad = &E_PERPS_TIF,
      .assumed = "GTC",
      .about = "Of limit orders: GTC rests, IOC takes what is there at once, ALO is refused if it would" },
    PARAM_SLIPPAGE(struct place_in, order.slippage),
    { "takeProfit", P_DECIMAL, INTO(struct place_in, order.take_profit), .check = perps_price_fault,
      .about = "Mark price at which the gain is taken" },
    { "stopLoss", P_DECIMAL, INTO(struct place_in, order.stop_loss), .check = perps_price_fault,
      .about = "Mark price at which the loss is stopped" },
    PARAM_WALLET(struct place_in),
    { "approval_id", P_TEXT, INTO(struct place_in, approval_id), .min = 1, .max = PARAM_NAME_MAX,
      .beside = PARAM_ALONE,
      .about = "Instead of all else: goes on with an order that waited for the operator's approval" },
    PARAM_WAIT(struct place_in),
    { 0 },
};

struct close_in {
    const char *market, *size, *slippage, *wallet_address;
};

static const struct param close_params[] = {
    PARAM_MARKET(struct close_in, market),
    { "size", P_DECIMAL, INTO(struct close_in, size), .check = perps_size_fault, .bad = &E_PERPS_SIZE,
      .about = "How much of it; default all" },
    PARAM_SLIPPAGE(struct close_in, slippage),
    PARAM_WALLET(struct close_in),
    PARAM_WAIT(struct close_in),
    { 0 },
};

struct leverage_in {
    const char *market, *leverage, *mode, *wallet_address;
};

static const struct param leverage_params[] = {
    PARAM_MARKET(struct leverage_in, market),
    { "leverage", P_DECIMAL, INTO(struct leverage_in, leverage), .required = true,
      .about = "A whole number, 1 to the market's maxLeverage", .example = "5" },
    PARAM_MODE(struct leverage_in, mode),
    PARAM_WALLET(struct leverage_in),
    { 0 },
};

struct list_in {
    const char *status, *market;
    struct list_period period;
    uint64_t limit, offset;
};

static const char *const filters[] = { "pending", "open", "filled", "cancelled", "rejected", "all", NULL };

#define PARAM_MARKET_FILTER \
    { "market", P_TEXT, INTO(struct list_in, market), .min = 1, .max = PARAM_NAME_MAX, \
      .about = "Only those of that market" }

static const struct param orders_params[] = {
    { "status", P_TEXT, INTO(struct list_in, status), .choices = filters, .any_case = true, .bad = &E_STATUS_FILTER,
      .assumed = "all", .about = "pending, open, filled, cancelled, rejected or all" },
    PARAM_MARKET_FILTER,
    PARAMS_PERIOD(struct list_in, period),
    PARAMS_PAGE(struct list_in),
    { 0 },
};

static const struct param past_params[] = {
    PARAM_MARKET_FILTER,
    PARAMS_PERIOD(struct list_in, period),
    PARAMS_PAGE(struct list_in),
    { 0 },
};

static const struct schema_field order_id = { "id", S_TEXT, .example = A_CLOID, .about = "The order's id" };

/* ---- answers ---- */

static const char *const sides[] = { "long", "short", NULL };
static const char *const shown_types[] = { "market", "limit", "takeProfit", "stopLoss", NULL };
static const char *const roles[] = { "takeProfit", "stopLoss", NULL };
static const char *const statuses[] = { "pending", "open", "filled", "cancelled", "rejected", NULL };
static const char *const filled_event[] = { "perps.order.filled", NULL };
static const char *const partially_filled_event[] = { "perps.order.partially_filled", NULL };
static const char *const cancelled_event[] = { "perps.order.cancelled", NULL };
static const char *const rejected_event[] = { "perps.order.rejected", NULL };
static const char *const liquidated_event[] = { "perps.position.liquidated", NULL };

static const struct schema child_schema = { "PerpsOrderChild", "What ends the position that an order opens", FIELDS {
    { "id",           TEXT(A_CLOID),              "Its id, an order's" },
    { "kind",         CHOICE(roles, "takeProfit"), "Takes the gain, or stops the loss" },
    { "triggerPrice", AMOUNT("3300"),             "Mark price at which it acts" },
    { "status",       CHOICE(statuses, "open"),   "open while it waits" },
    END } };

static const struct schema order_schema = { "PerpsOrder", "An order for a perpetual", FIELDS {
    { "id",              TEXT(A_CLOID),                "Identifier, here and at the venue" },
    { "market",          TEXT("ETH-USD"),              "The market" },
    { "side",            CHOICE(sides, "long"),        "long buys, short sells" },
    { "type",            CHOICE(shown_types, "limit"), "What it is" },
    { "size",            AMOUNT("0.5"),                "How much of the asset" },
    { "price",           AMOUNT("3000"),               "Dollars: the worst price, or where it acts" },
    { "filledSize",      AMOUNT("0.2"),                "How much is filled" },
    { "averagePrice",    AMOUNT("2999.5"),             "Dollars for one of that; null before a trade is known", MAY_BE_NULL | FULL_IF_NULL },
    { "status",          CHOICE(statuses, "open"),     "pending: no definite answer yet; cancelled: maybe filled in part" },
    { "reduceOnly",      FLAG("false"),                "Whether it only reduces a position", FULL_ONLY },
    { "leverage",        WHOLE("5"),                   "Leverage of the order" },
    { "marginMode",      CHOICE(modes, "cross"),       "Margin mode of the order", FULL_ONLY },
    { "timeInForce",     CHOICE(tifs, "GTC"),          "How long it rests", FULL_ONLY },
    { "fee",             TEXT("0.09"),               "Dollars paid so far; below 0: received" },
    { "children",        LIST(child_schema),           "What takes its gain or stops its loss" },
    { "error",           TEXT("null"),                 "Why it was rejected", MAY_BE_NULL | FULL_IF_NULL },
    { "cancelRequested", FLAG("true"),                 "True while a cancel is not confirmed", MAY_BE_ABSENT },
    { "created_at",      TIME(A_TIME),                 "When it was accepted" },
    { "updated_at",      TIME(LATER),                  "When it changed last", FULL_ONLY },
    END } };

static const struct schema order_found_schema = { "PerpsOrderFound", "One order", FIELDS {
    SUCCESS,
    { "order", OBJECT(order_schema), "The order" },
    END } };

static const struct schema order_awaits_schema = { "PerpsOrderApproval", "Nothing is signed yet: the operator has to approve it first", FIELDS {
    SUCCESS,
    AWAITING("Send it to /perps/order instead of the order", "Then it has lapsed, and nothing was signed"),
    END } };

static const struct schema orders_schema = { "PerpsOrderList", "A page of orders, newest first", FIELDS {
    SUCCESS,
    { "orders",     LIST(order_schema),        "The orders" },
    { "pagination", OBJECT(pagination_schema), "Which part of all this is" },
    END } };

static const char *const setting_statuses[] = { "completed", "pending", NULL };

static const struct schema setting_schema = { "PerpsLeverage", "How the next orders in a market are taken", FIELDS {
    SUCCESS,
    { "market",     TEXT("ETH-USD"),                       "The market" },
    { "leverage",   WHOLE("5"),                            "Leverage: position value divided by margin" },
    { "marginMode", CHOICE(modes, "cross"),                "Whose margin it is" },
    { "status",     CHOICE(setting_statuses, "completed"), "pending: the venue has not answered yet" },
    END } };

static const struct schema fill_schema = { "PerpsFill", "A trade in a perpetual", FIELDS {
    { "id",          TEXT("118906512037719"), "The venue's number" },
    { "order",       TEXT(A_CLOID),           "The order that it filled; null: none that was placed here", MAY_BE_NULL },
    { "market",      TEXT("ETH-USD"),         "The market" },
    { "side",        CHOICE(sides, "long"),   "long bought, short sold" },
    { "price",       AMOUNT("3000.5"),        "Dollars for one" },
    { "size",        AMOUNT("0.2"),           "How much of the asset" },
    { "fee",         TEXT("0.27"),          "Dollars; below 0: received" },
    { "closedPnl",   TEXT("12.5"),          "Dollars that the part which it closed has made" },
    { "liquidation", FLAG("false"),           "Whether the venue closed it for want of margin" },
    { "created_at",  TIME(A_TIME),            "When it was made" },
    END } };

static const struct schema fills_schema = { "PerpsFillList", "A page of trades, newest first", FIELDS {
    SUCCESS,
    { "fills",      LIST(fill_schema),         "The trades" },
    { "pagination", OBJECT(pagination_schema), "Which part of all this is" },
    END } };

static const struct schema payment_schema = { "PerpsPayment", "What funding paid a position", FIELDS {
    { "market",     TEXT("ETH-USD"),     "The market" },
    { "rate",       TEXT("0.0000125"), "The share of its worth that longs paid" },
    { "size",       TEXT("0.5"),       "How much of the asset it was about; below 0: short" },
    { "amount",     TEXT("-0.01875"),  "Dollars received; below 0: paid" },
    { "created_at", TIME(A_TIME),        "When" },
    END } };

static const struct schema payments_schema = { "PerpsPaymentList", "A page of payments, newest first", FIELDS {
    SUCCESS,
    { "payments",   LIST(payment_schema),      "The payments" },
    { "pagination", OBJECT(pagination_schema), "Which part of all this is" },
    END } };

#define ORDER_EVENT(name) \
    { "type",      CHOICE(name##_event, "perps.order." #name), "What happened" }, \
    { "timestamp", TIME(LATER),                                "When" }, \
    { "data",      OBJECT(order_schema),                       "The order" }

static const struct schema filled_schema = { "PerpsOrderFilledEvent", "An order is filled", FIELDS {
    ORDER_EVENT(filled),
    END } };

static const struct schema partially_filled_schema = { "PerpsOrderPartiallyFilledEvent", "More of an order is filled", FIELDS {
    ORDER_EVENT(partially_filled),
    END } };

static const struct schema cancelled_schema = { "PerpsOrderCancelledEvent", "An order is cancelled, maybe filled in part", FIELDS {
    ORDER_EVENT(cancelled),
    END } };

static const struct schema rejected_schema = { "PerpsOrderRejectedEvent", "The venue never took the order", FIELDS {
    ORDER_EVENT(rejected),
    END } };

static const struct schema liquidated_schema = { "PerpsPositionLiquidatedEvent", "The venue closed a position for want of margin", FIELDS {
    { "type",      CHOICE(liquidated_event, "perps.position.liquidated"), "What happened" },
    { "timestamp", TIME(LATER),                                           "When" },
    { "data",      OBJECT(fill_schema),                                   "The trade that closed it" },
    END } };
/* clang-format on */

/* ---- handlers ---- */

static struct reply *reply_order(struct api_call *c, int status, const struct perps_order *o)
{
    struct json_writer *w = reply_open(c->rq, status);

    jw_object(w, "order");
    perps_order_view(w, o);
    jw_end(w);
    return reply_close(w);
}

/* NULL when the database failed. */
static struct reply *reply_placed(struct api_call *c, const struct commit_result *r)
{
    struct perps_order o;
    struct json_writer *w;

    if (!r->awaits)
        return perps_orders_of_execution(c->ctx->db, c->arena, r->execution.id, &o) == LOOKUP_FOUND
                   ? reply_order(c, 200, &o)
                   : NULL;
    w = reply_open(c->rq, 202);
    view_awaiting(w, r);
    return reply_close(w);
}

/* If the request dies between commit and answer, a repeat under its key finds the order. */
static enum db_update note_placed(void *c, const struct commit_result *r)
{
    struct reply *rp = reply_placed(c, r);

    return rp != NULL ? idempotency_note(c, rp, true) : DB_ERROR;
}

/* A caller who lost the first answer is told which order the approval was used for. */
static struct reply *reply_lost(struct api_call *c, const struct err *e, uint64_t execution_id)
{
    struct json_writer *w = reply_err_open(c->rq, e, NULL);
    struct perps_order o;

    if (perps_orders_of_execution(c->ctx->db, c->arena, execution_id, &o) == LOOKUP_FOUND &&
        o.status != ORDER_WAITING)
        jw_string(w, "order_id", perps_cloid_text(c->arena, o.cloid));
    return reply_close(w);
}

static struct reply *reply_done(struct api_call *c, const struct err *e, struct commit_result *r)
{
    e = retry_outcome(c, e, r);
    if (e != NULL && r->lost_to != 0)
        return reply_lost(c, e, r->lost_to);
    return e != NULL ? reply_err(c->rq, e) : reply_placed(c, r);
}

/* Required fields of an order. */
static const struct err *place_missing(struct arena *a, const struct perps_order_in *in)
{
    if (in->market == NULL)
        return err_on(a, err_fmt(a, &E_REQUIRED, "market", NULL), "market");
    if (in->side == NULL)
        return err_on(a, &E_PERPS_SIDE, "side");
    return in->size == NULL ? err_on(a, &E_PERPS_SIZE, "size") : NULL;
}

static struct reply *place_order(struct api_call *c, const void *arg)
{
    const struct place_in *in = arg;
    const struct commit_note noted = { note_placed, c }, *note = c->record != NULL ? &noted : NULL;
    struct commit_result done = { .lost_to = 0 };
    const struct err *e;

    if (in->approval_id != NULL)
        e = perps_order_place_approved(c->ctx, c->arena, c->agent, in->approval_id, note, &done);
    else if ((e = place_missing(c->arena, &in->order)) == NULL)
        e = perps_order_place(c->ctx, c->arena, c->agent, &in->order, in->wallet_address, note, &done);
    return reply_done(c, e, &done);
}

static struct reply *close_position(struct api_call *c, const void *arg)
{
    const struct close_in *in = arg;
    const struct commit_note noted = { note_placed, c }, *note = c->record != NULL ? &noted : NULL;
    struct commit_result done = { .lost_to = 0 };
    const struct err *e = perps_close(c->ctx, c->arena, c->agent, in->market, in->size, in->slippage,
                                      in->wallet_address, note, &done);

    return reply_done(c, e, &done);
}

static struct reply *set_leverage(struct api_call *c, const void *arg)
{
    const struct leverage_in *in = arg;
    struct perps_setting is;
    struct json_writer *w;
    const struct err *e = perps_leverage_set(c->ctx, c->arena, c->agent, in->market, in->leverage, in->mode,
                                             in->wallet_address, &is);

    if (e != NULL)
        return reply_err(c->rq, e);
    w = reply_open(c->rq, is.pending ? 202 : 200);
    jw_string(w, "market", is.market);
    jw_integer(w, "leverage", is.leverage);
    jw_string(w, "marginMode", is.isolated ? "isolated" : "cross");
    jw_string(w, "status", is.pending ? "pending" : "completed");
    return reply_close(w);
}

static const char *captured(const struct api_call *c)
{
    return c->captured != NULL ? c->captured : "";
}

static struct reply *get_order(struct api_call *c, const void *arg)
{
    struct perps_order o;
    const struct err *e = perps_order_find(c->ctx, c->arena, c->agent->id, captured(c), &o);

    (void)arg;
    return e != NULL ? reply_err(c->rq, e) : reply_order(c, 200, &o);
}

/* 202 while the venue has not confirmed it. */
static struct reply *cancel_order(struct api_call *c, const void *arg)
{
    struct perps_order o;
    const struct err *e = perps_order_cancel(c->ctx, c->arena, c->agent->id, captured(c), &o);

    (void)arg;
    if (retry_found_cancelled(c, e, &E_PERPS_ORDER_NOT_OPEN) && o.status == ORDER_CANCELLED)
        e = NULL;
    return e != NULL ? reply_err(c->rq, e) : reply_order(c, o.status == ORDER_CANCELLED ? 200 : 202, &o);
}

/* The execution of the order, or of the approval that it waits for. */
static uint64_t order_execution(const struct api_call *c, enum exec_kind_id kind, const json_t *answer)
{
    const char *id = json_string_value(json_object_get(json_object_get(answer, "order"), "id")),
               *approval = json_string_value(json_object_get(answer, "approval_id"));
    uint8_t cloid[PERPS_CLOID_LEN];
    struct perps_order o;
    struct approval ap;

    (void)kind;
    if (id != NULL && perps_cloid_parse(cloid, id) &&
        perps_orders_get(c->ctx->db, c->arena, c->agent->id, cloid, &o) == LOOKUP_FOUND)
        return o.execution_id;
    if (approval != NULL &&
        commit_approval_find(c->ctx, c->arena, c->agent->id, approval, &ap) == LOOKUP_FOUND)
        return ap.execution_id;
    return 0;
}

/* ---- lists ---- */

/* A market is stored by its asset. */
static const char *asset_of(struct arena *a, const char *market)
{
    static const char dollars[] = "-USD";
    size_t n = market != NULL ? strlen(market) : 0, end = strlen(dollars);
    char *asset;

    if (market == NULL)
        return NULL;
    if (n > end && strcasecmp(market + n - end, dollars) == 0)
        n -= end;
    asset = arena_strndup(a, market, n);
    for (char *p = asset; *p != '\0'; p++)
        if (*p >= 'a' && *p <= 'z')
            *p = (char)(*p - 'a' + 'A');
    return asset;
}

static enum order_status status_of(const char *filter)
{
    enum order_status status;

    return filter != NULL && order_status_parse(&status, filter) ? status : 0;
}

static bool orders_total(struct api_call *c, const struct perps_filter *f, uint64_t *total)
{
    *total = c->agent->perps_orders;
    return perps_filter_is_open(f) || perps_orders_count(c->ctx->db, c->agent->id, f, total);
}

static struct reply *list_orders(struct api_call *c, const void *arg)
{
    const struct list_in *in = arg;
    struct page page = { in->limit, in->offset };
    const struct perps_filter f = { status_of(in->status), asset_of(c->arena, in->market), in->period };
    struct perps_order *orders = ARENA_ARRAY(c->arena, struct perps_order, in->limit + 1);
    struct json_writer *w;
    uint64_t total;
    int n = perps_orders_page(c->ctx->db, c->arena, c->agent->id, &f, &page, orders);

    if (n < 0 || !orders_total(c, &f, &total))
        return NULL;
    w = reply_open(c->rq, 200);
    jw_array(w, "orders");
    for (int i = 0; i < n; i++) {
        jw_object(w, NULL);
        perps_order_view(w, &orders[i]);
        jw_end(w);
    }
    jw_end(w);
    view_pagination(w, total, &page, (uint64_t)n);
    return reply_close(w);
}

static struct reply *list_fills(struct api_call *c, const void *arg)
{
    const struct list_in *in = arg;
    struct page page = { in->limit, in->offset };
    struct perps_fill *fills = ARENA_ARRAY(c->arena, struct perps_fill, in->limit + 1);
    const struct perps_past past = { asset_of(c->arena, in->market), in->period };
    struct json_writer *w;
    uint64_t total;
    int n = perps_fills_page(c->ctx->db, c->agent->id, &past, &page, fills, &total);

    if (n < 0)
        return NULL;
    w = reply_open(c->rq, 200);
    jw_array(w, "fills");
    for (int i = 0; i < n; i++) {
        jw_object(w, NULL);
        perps_fill_view(w, &fills[i]);
        jw_end(w);
    }
    jw_end(w);
    view_pagination(w, total, &page, (uint64_t)n);
    return reply_close(w);
}

static struct reply *list_payments(struct api_call *c, const void *arg)
{
    const struct list_in *in = arg;
    struct page page = { in->limit, in->offset };
    struct perps_payment *payments = ARENA_ARRAY(c->arena, struct perps_payment, in->limit + 1);
    const struct perps_past past = { asset_of(c->arena, in->market), in->period };
    struct json_writer *w;
    uint64_t total;
    int n = perps_payments_page(c->ctx->db, c->agent->id, &past, &page, payments, &total);

    if (n < 0)
        return NULL;
    w = reply_open(c->rq, 200);
    jw_array(w, "payments");
    for (int i = 0; i < n; i++) {
        jw_object(w, NULL);
        perps_payment_view(w, &payments[i]);
        jw_end(w);
    }
    jw_end(w);
    view_pagination(w, total, &page, (uint64_t)n);
    return reply_close(w);
}

/* ---- as a sentence ---- */

static const char *order_phrase(struct arena *a, const json_t *item)
{
    const char *why = phrase_text(item, "error"), *average = phrase_text(item, "averagePrice");
    bool is_filled = strcmp(phrase_text(item, "filledSize"), "0") != 0;
    const char *price = perps_price_words(a, strcmp(phrase_text(item, "type"), "market") == 0, is_filled,
                                          phrase_text(item, "price"));
    const char *filled = is_filled ? arena_printf(a, ", %s filled%s%s", phrase_text(item, "filledSize"),
                                                  *average == '\0' ? "" : " at ", average)
                                   : "";

    return arena_printf(a, "%s %s %s at %s %s%s%s%s (%s)", phrase_text(item, "side"),
                        phrase_text(item, "size"), phrase_text(item, "market"), price,
                        phrase_text(item, "status"), filled, *why == '\0' ? "" : ": ", why,
                        phrase_text(item, "id"));
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

static const char *fill_phrase(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%s %s %s at %s", phrase_text(item, "side"), phrase_text(item, "size"),
                        phrase_text(item, "market"), phrase_text(item, "price"));
}

static const char *fills_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    (void)asked;
    return phrase_page(a, body, "fills", "trade", fill_phrase);
}

static const char *payment_phrase(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%s dollars for %s %s", phrase_text(item, "amount"), phrase_text(item, "size"),
                        phrase_text(item, "market"));
}

static const char *payments_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    (void)asked;
    return phrase_page(a, body, "payments", "payment", payment_phrase);
}

static const char *setting_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    (void)asked;
    return arena_printf(a, "%s: %lld times, %s (%s)", phrase_text(body, "market"),
                        (long long)json_integer_value(json_object_get(body, "leverage")),
                        phrase_text(body, "marginMode"), phrase_text(body, "status"));
}

/* ---- endpoints ---- */

#define ORDER_ROW .auth = AUTH_ACTIVE, .tag = TAG_PERPS, .skill = SKILL_PERPS, .status = 200
#define PLACE_ERRORS                                                                                         \
    &E_PERPS_NOT_CONFIGURED, &E_PERPS_MARKET, &E_PERPS_SIZE_PLACES, &E_SLIPPAGE, &E_PERPS_MIN_VALUE,         \
        &E_PERPS_NO_POSITION, &E_PERPS_NOT_FUNDED, &E_NO_LIQUIDITY, &E_WALLET_NOT_FOUND, &E_PAUSED,          \
        &E_OPERATOR_LIMIT, &E_PROVIDER_REFUSED

static const struct endpoint rows[] = {
    {
        ORDER_ROW,
        .method = POST,
        .path = V1 "/perps/order",
        .denied = &E_UNAUTHORIZED,
        .internal = &E_PERPS_FAILED,
        TAKES(place_params, struct place_in),
        .handler = place_order,
        .terms = terms_of_members,
        .flags = ONCE | WAITS | DECIMALS,
        .begins = { KIND_PERPS_ORDER, order_execution, ONE_ORDER },
        .tool = "place_perps_order",
        .sentence = order_sentence,
        .summary = "Place an order for a perpetual",
        .about =
            "Moves money. Signed, stored, then given to the venue: at most one order there. What the venue refuses is `rejected`, with the reason in `error`. Next: GET /perps/order/{id}, or the webhooks.",
        .answer = &order_found_schema,
        .accepted = &order_awaits_schema,
        .errors = ERRORS{ PLACE_ERRORS,
                          &E_PERPS_SIDE,
                          &E_PERPS_SIZE,
                          &E_PERPS_TYPE,
                          &E_PERPS_TIF,
                          &E_PERPS_PRICE_REQUIRED,
                          &E_PERPS_TERM,
                          &E_PERPS_PRICE,
                          &E_PERPS_LEVERAGE,
                          &E_PERPS_MARGIN_MODE,
                          &E_PERPS_ISOLATED,
                          &E_PERPS_TAKE_PROFIT,
                          &E_PERPS_STOP_LOSS,
                          &E_PERPS_MARGIN,
                          &E_PRICE_MOVED,
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
        .path = V1 "/perps/close",
        .denied = &E_UNAUTHORIZED,
        .internal = &E_PERPS_FAILED,
        TAKES(close_params, struct close_in),
        .handler = close_position,
        .terms = terms_of_members,
        .flags = ONCE | WAITS | FREES | DECIMALS,
        .begins = { KIND_PERPS_CLOSE, order_execution, ONE_ORDER },
        .tool = "close_perps_position",
        .sentence = order_sentence,
        .summary = "Close a position in a perpetual",
        .about =
            "Moves money: an order of the other side that only reduces, at what the book gives. No limit and no stop of one agent holds it back.",
        .answer = &order_found_schema,
        .errors = ERRORS{ PLACE_ERRORS, NULL },
        .hints = HINT_OPEN_WORLD,
    },
    {
        ORDER_ROW,
        .method = POST,
        .path = V1 "/perps/leverage",
        .denied = &E_UNAUTHORIZED,
        .internal = &E_PERPS_FAILED,
        TAKES(leverage_params, struct leverage_in),
        .handler = set_leverage,
        .terms = terms_of_members,
        .flags = ONCE | WAITS | DECIMALS,
        .tool = "set_perps_leverage",
        .sentence = setting_sentence,
        .summary = "Set leverage and margin mode of a market",
        .about = "How the wallet's next orders there are taken. A 202 while the venue has not answered.",
        .answer = &setting_schema,
        .accepted = &setting_schema,
        .errors = ERRORS{ &E_PERPS_NOT_CONFIGURED, &E_PERPS_MARKET, &E_PERPS_LEVERAGE, &E_PERPS_MARGIN_MODE,
                          &E_PERPS_ISOLATED, &E_PERPS_MODE, &E_PERPS_LEVERAGE_REFUSED, &E_PERPS_MARGIN,
                          &E_PERPS_NOT_FUNDED, &E_WALLET_NOT_FOUND, &E_PAUSED, &E_POLICY, &E_OPERATOR_LIMIT,
                          &E_PROVIDER_REFUSED, NULL },
        .hints = HINT_OPEN_WORLD,
    },
    {
        ORDER_ROW,
        .method = GET,
        .path = V1 "/perps/orders",
        .denied = &E_UNAUTHORIZED,
        .internal = &E_INTERNAL,
        TAKES(orders_params, struct list_in),
        .handler = list_orders,
        .flags = LISTS,
        .tool = "list_perps_orders",
        .sentence = orders_sentence,
        .summary = "Orders for perpetuals",
        .about =
            "The agent's orders for perpetuals, newest first. With `status` open also the take-profits and stop-losses that rest at the venue, each as an order of its own.",
        .answer = &orders_schema,
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
        .tool = "get_perps_order",
        .sentence = order_sentence,
        .summary = "Order for a perpetual",
        .about = "One order for a perpetual, with what is filled of it.",
        .path_param = &order_id,
        .answer = &order_found_schema,
        .errors = ERRORS{ &E_PERPS_ORDER_NOT_FOUND, NULL },
    },
    {
        ORDER_ROW,
        .method = DELETE,
        .path = V1 "/perps/order/{id}",
        .denied = &E_UNAUTHORIZED,
        .internal = &E_INTERNAL,
        .handler = cancel_order,
        .flags = ONCE | WAITS | FREES,
        .tool = "cancel_perps_order",
        .sentence = order_sentence,
        .summary = "Cancel an order for a perpetual",
        .about =
            "What is filled stays so. A 202 with `cancelRequested`: the venue has not answered yet, and is asked until it has. Nothing holds it back.",
        .path_param = &order_id,
        .answer = &order_found_schema,
        .accepted = &order_found_schema,
        .errors = ERRORS{ &E_PERPS_ORDER_NOT_FOUND, &E_PERPS_ORDER_NOT_OPEN, NULL },
        .hints = HINT_OPEN_WORLD,
    },
    {
        ORDER_ROW,
        .method = GET,
        .path = V1 "/perps/fills",
        .denied = &E_UNAUTHORIZED,
        .internal = &E_INTERNAL,
        TAKES(past_params, struct list_in),
        .handler = list_fills,
        .flags = LISTS,
        .tool = "list_perps_fills",
        .sentence = fills_sentence,
        .summary = "Trades in perpetuals",
        .about = "What the agent's wallets have traded in perpetuals.",
        .answer = &fills_schema,
    },
    {
        ORDER_ROW,
        .method = GET,
        .path = V1 "/perps/funding",
        .denied = &E_UNAUTHORIZED,
        .internal = &E_INTERNAL,
        TAKES(past_params, struct list_in),
        .handler = list_payments,
        .flags = LISTS,
        .tool = "list_perps_funding",
        .sentence = payments_sentence,
        .summary = "Funding payments",
        .about = "What funding has paid the agent's positions, or cost.",
        .answer = &payments_schema,
    },
};

static const struct endpoint_event events[] = {
    { "perps.order.filled", "onPerpsOrderFilled", &filled_schema },
    { "perps.order.partially_filled", "onPerpsOrderPartiallyFilled", &partially_filled_schema },
    { "perps.order.cancelled", "onPerpsOrderCancelled", &cancelled_schema },
    { "perps.order.rejected", "onPerpsOrderRejected", &rejected_schema },
    { "perps.position.liquidated", "onPerpsPositionLiquidated", &liquidated_schema },
    { .type = NULL },
};

const struct endpoint_group perps_orders_endpoints = { ENDPOINT_ROWS(rows), .events = events };
