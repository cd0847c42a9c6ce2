#include "predict/predict_order_venue.h"

#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/incident.h"
#include "base/json_numbers.h"
#include "codec/hex.h"
#include "codec/rand.h"
#include "predict/account.h"
#include "predict/clob_orders.h"
#include "predict/credentials.h"
#include "predict/message_sign.h"
#include "predict/order_body.h"
#include "service/conf.h"
#include "store/orders.h"
#include "store/predict_accounts.h"

enum { DECIMAL_MAX = 20 };

static const uint64_t SALT_MAX = (1ull << 53) - 1;

/* ---- signing ---- */

/* With a salt and a time that no other order has. */
static void order_compose(struct polymarket_order *out, const struct ctx *ctx, const struct order_request *q)
{
    const struct order *o = q->order;
    struct u256 cost = u256_from_u64(order_cost(o)), shares = u256_from_u64(order_shares(o));
    bool buys = o->side == ORDER_BUY;

    *out = (struct polymarket_order){ .maker = account_trading(q->account),
                                      .signer = account_trading(q->account),
                                      .token = o->token,
                                      .maker_amount = buys ? cost : shares,
                                      .taker_amount = buys ? shares : cost,
                                      .side = (enum polymarket_side)o->side,
                                      .signature_type = (uint8_t)account_signature_type(q->account),
                                      .timestamp = (uint64_t)clock_ms() };
    rand_bytes(&out->salt, sizeof out->salt);
    out->salt &= SALT_MAX;
    size_t n;

    if (!hex_decode_0x(out->builder, HASH_LEN, &n, ctx->conf->predict_builder_code) || n != HASH_LEN)
        memset(out->builder, 0, HASH_LEN);
}

static bool order_make(const struct ctx *ctx, struct arena *a, const struct order_request *q,
                       struct venue_request *out)
{
    const struct order *o = q->order;
    struct polymarket_message m = { .kind = POLYMARKET_ORDER,
                                    .exchange = (enum polymarket_exchange)o->exchange };
    struct buf signature = BUF_INIT(POLYMARKET_SIGNATURE_MAX), body = BUF_INIT(ORDER_BODY_MAX);
    const struct order_body parts = { .order = &m.order,
                                      .signature = &signature,
                                      .owner = q->credentials->key,
                                      .type = o->type,
                                      .post_only = o->post_only,
                                      .expiration = (uint64_t)o->expires_ms / 1000 };
    uint8_t sig[MESSAGE_SIGNATURE_LEN];
    bool made;

    order_compose(&m.order, ctx, q);
    made = message_sign(sig, ctx, &q->account->wallet, &m);
    if (made) {
        polymarket_order_hash(out->venue_key, m.exchange, &m.order);
        polymarket_order_signature(&signature, m.exchange, &m.order, sig);
        order_body_write(&body, &parts);
        made = !signature.overflow && !body.overflow;
        out->body = arena_memdup(a, body.data, body.len);
        out->body_len = body.len;
    }
    buf_free(&body);
    buf_free(&signature);
    return made;
}

static bool order_sign(const struct ctx *ctx, struct arena *a, const struct request_signing *in,
                       struct venue_request *out)
{
    return order_make(ctx, a, in->request->order, out);
}

static bool order_renew(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                        const struct venue_request *old, struct venue_request *out)
{
    struct clob_credentials c;
    struct predict_account p;
    struct order o;
    const struct order_request q = { .order = &o, .account = &p, .credentials = &c };
    bool made = orders_of_execution(ctx->db, a, old->effect.execution_id, &o) == LOOKUP_FOUND &&
                predict_accounts_get(ctx->db, w, &p) == LOOKUP_FOUND && credentials_stored(ctx, &p, &c) &&
                order_make(ctx, a, &q, out);

    explicit_bzero(&c, sizeof c);
    return made;
}

static bool order_renewed(struct db *db, const struct venue_request *r)
{
    return orders_renewed(db, r->effect.execution_id, r->venue_key);
}

/* ---- asking ---- */

/* The data of the call that a reader needs besides its answer. */
struct order_call {
    const struct ctx *ctx;
    const struct predict_account *account;
    struct clob_credentials *handed; /* with the request; NULL: by the database */
};

/* The process that has just signed the order still has its account and credentials. */
static bool order_call_handed(struct order_call *asked, const struct venue_request *r)
{
    const struct order_request *q = r->order;

    if (q == NULL || q->credentials->key[0] == '\0')
        return false;
    asked->account = q->account;
    asked->handed = q->credentials;
    return true;
}

static bool order_call_read(struct order_call *asked, struct arena *a, const struct venue_request *r,
                            struct clob_credentials *c)
{
    struct predict_account *account = ARENA_NEW(a, struct predict_account);

    asked->account = account;
    return predict_accounts_of_wallet(asked->ctx->db, r->effect.wallet_id, account) == LOOKUP_FOUND &&
           credentials_of(asked->ctx, a, account, c);
}

static bool order_call_begin(struct call *call, const struct ctx *ctx, struct arena *a,
                             const struct venue_request *r, const char *method, const char *path,
                             const char *query, const char *body)
{
    struct order_call *asked = ARENA_NEW(a, struct order_call);
    struct clob_credentials read;
    bool begun;

    *asked = (struct order_call){ .ctx = ctx };
    begun = (order_call_handed(asked, r) || order_call_read(asked, a, r, &read)) &&
            clob_private(call, ctx, a, asked->account, asked->handed != NULL ? asked->handed : &read, method,
                         path, query, body);
    explicit_bzero(&read, sizeof read);
    if (begun)
        call->owner = asked;
    return begun;
}

/* Credentials that the exchange does not take are derived anew by the next call. */
static void order_call_denied(const struct call *call)
{
    const struct order_call *asked = call->owner;

    credentials_rejected(asked->ctx, asked->account);
    if (asked->handed != NULL)
        explicit_bzero(asked->handed, sizeof *asked->handed);
}

/* ---- sending ---- */

static bool order_ask_send(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                           struct arena *a)
{
    return order_call_begin(call, ctx, a, r, "POST", "/order", NULL,
                            arena_strndup(a, (const char *)r->body, r->body_len));
}

/* Refusals that name what they demand end with it: "breaks minimum tick size rule: 0.01". */
static const struct err *refusal_filled(struct arena *a, const struct clob_error *e)
{
    const char *last = strrchr(e->text, ' ');

    if (e->err != &E_TICK && e->err != &E_MIN_SIZE)
        return e->err;
    if (last == NULL || strlen(last + 1) > DECIMAL_MAX || !json_numbers_plain(last + 1))
        return &E_PREDICT_ORDER_FAILED;
    return err_fmt(a, e->err, last + 1, NULL);
}

/* An answer of success: whether it has taken the order, and has done more with it. */
static void placed_read(const struct call *call, const struct venue_request *r, struct arena *a,
                        struct request_observation *out, struct clob_error *e)
{
    json_t *doc = json_read_texts(call->answer.data, call->answer.len);
    const char *status = json_string_value(json_object_get(doc, "status")),
               *id = json_string_value(json_object_get(doc, "orderID")),
               *wrong = json_string_value(json_object_get(doc, "errorMsg"));
    uint8_t hash[HASH_LEN];

    if (wrong != NULL && *wrong != '\0') {
        clob_error_of_text(a, wrong, e);
    } else if (json_is_true(json_object_get(doc, "success")) && id != NULL && order_id_parse(hash, id) &&
               memcmp(hash, r->venue_key, sizeof hash) == 0) {
        out->says = VENUE_FILLED;
        out->more = status != NULL && strcasecmp(status, "live") != 0;
    }
    json_decref(doc);
}

static void order_read_send(const struct call *call, const struct venue_request *r, struct arena *a,
                            struct request_observation *out)
{
    struct clob_error e;

    clob_error_read(a, call, &e);
    if (e.fault == CLOB_FINE)
        placed_read(call, r, a, out, &e);
    switch (e.fault) {
    case CLOB_DUPLICATED:
        out->says = VENUE_FILLED;
        out->more = true;
        break;
    case CLOB_VERSION:
        out->says = VENUE_OUTDATED;
        out->why = e.err;
        break;
    case CLOB_REFUSED:
        out->says = VENUE_REFUSED;
        out->why = refusal_filled(a, &e);
        break;
    case CLOB_UNAUTHORIZED:
        order_call_denied(call);
        out->again = true;
        break;
    case CLOB_FINE:
    case CLOB_LATER:
    case CLOB_UNKNOWN:
        break;
    }
    if (out->says != VENUE_FILLED)
        log_repeated(
            "order_rejected", "",
            "msg=\"the prediction venue did not take an order\" execution=%llu status=%d said=\"%s\"",
            (unsigned long long)r->effect.execution_id, call->status, e.text);
}

/* ---- looking ---- */

static bool order_ask_status(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                             struct arena *a)
{
    return order_call_begin(call, ctx, a, r, "GET",
                            arena_printf(a, "/data/order/%s", order_id_text(a, r->venue_key)), NULL, NULL);
}

static void order_read_status(const struct call *call, const struct venue_request *r, struct arena *a,
                              struct request_observation *out)
{
    struct clob_order o;
    struct clob_error e;
    bool known;

    clob_error_read(a, call, &e);
    known = e.fault != CLOB_UNKNOWN;
    if (e.fault == CLOB_UNAUTHORIZED)
        order_call_denied(call);
    if (known && (e.fault != CLOB_FINE || !clob_read_order(&call->answer, &o, &known)))
        return;
    if (!known)
        out->says = VENUE_UNKNOWN;
    else if (memcmp(o.hash, r->venue_key, sizeof o.hash) == 0)
        out->says = VENUE_FILLED;
}

/* ---- proving ---- */

/* An order that has ended is no longer known by its id, but its trades are. They are asked for before the
 * venue's second word that it does not know the order ends it. */
static bool order_ask_proof(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                            struct arena *a)
{
    struct order o;

    return r->unknown_ms != 0 &&
           orders_of_execution(ctx->db, a, r->effect.execution_id, &o) == LOOKUP_FOUND &&
           order_call_begin(
               call, ctx, a, r, "GET", "/data/trades",
               clob_trades_query(a, order_id_text(a, o.condition), NULL, o.created_ms, CLOB_FIRST_PAGE),
               NULL);
}

static bool page_has_fill(const struct clob_page *page, const uint8_t hash[static HASH_LEN])
{
    for (size_t i = 0; i < page->count; i++)
        if (memcmp(page->fills[i].order, hash, HASH_LEN) == 0)
            return true;
    return false;
}

/* Without a whole list nothing is proven, and the venue's answer about the order is not believed. */
static void order_read_proof(const struct call *call, const struct venue_request *r, struct arena *a,
                             struct request_observation *out)
{
    struct clob_page page;
    struct clob_error e;
    bool read;

    clob_error_read(a, call, &e);
    if (e.fault == CLOB_UNAUTHORIZED)
        order_call_denied(call);
    read = e.fault == CLOB_FINE && clob_read_trades(a, &call->answer, &page);
    if (read && page_has_fill(&page, r->venue_key))
        out->says = VENUE_FILLED;
    else if ((!read || page.next != NULL) && out->says == VENUE_UNKNOWN)
        out->says = VENUE_UNAVAILABLE;
}

/* ---- cancelling ---- */

static bool order_ask_cancel(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                             struct arena *a)
{
    return order_call_begin(call, ctx, a, r, "DELETE", "/order", NULL, order_cancel_body(a, r->venue_key));
}

static bool order_read_cancel(const struct call *call, const struct venue_request *r, struct arena *a)
{
    struct clob_error e;

    clob_error_read(a, call, &e);
    if (e.fault == CLOB_UNAUTHORIZED)
        order_call_denied(call);
    return e.fault == CLOB_FINE && clob_read_cancel(a, &call->answer, r->venue_key) != CLOB_CANCEL_UNSAID;
}

const struct venue order_venue = { .name = "polymarket",
                                   .forgets = true, /* orders that have ended */
                                   .sign = order_sign,
                                   .ask_send = order_ask_send,
                                   .read_send = order_read_send,
                                   .renew = order_renew,
                                   .renewed = order_renewed,
                                   .ask_status = order_ask_status,
                                   .read_status = order_read_status,
                                   .ask_proof = order_ask_proof,
                                   .read_proof = order_read_proof,
                                   .ask_cancel = order_ask_cancel,
                                   .read_cancel = order_read_cancel };
