#include "predict/balance_venue.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/incident.h"
#include "base/json_reader.h"
#include "codec/rand.h"
#include "codec/u256_member.h"
#include "predict/account.h"
#include "predict/credentials.h"
#include "store/predict_accounts.h"

/* ---- its stored form ---- */

/* Nothing is signed: its key only tells it from other requests. */
static bool balance_sign(const struct ctx *ctx, struct arena *a, const struct request_signing *in,
                         struct venue_request *out)
{
    const struct balance_order *order = in->request->order;
    char before[U256_DECIMAL_LEN + 1], amount[U256_DECIMAL_LEN + 1];

    (void)ctx;
    u256_decimal(before, order->before);
    u256_decimal(amount, order->amount);
    rand_bytes(out->venue_key, sizeof out->venue_key);
    out->body = (const uint8_t *)arena_printf(
        a, "{\"before\":\"%s\",\"amount\":\"%s\",\"asset\":%d,\"token\":\"%s\",\"leaves\":%s}", before,
        amount, (int)order->asset, order->token != NULL ? order->token : "",
        order->leaves ? "true" : "false");
    out->body_len = strlen((const char *)out->body);
    return true;
}

/* Bodies of old have neither asset nor token: they are about collateral that comes. */
static bool balance_order_read(struct balance_order *out, struct arena *a, const struct venue_request *r)
{
    json_t *body = json_read((const char *)r->body, r->body_len);
    bool read = u256_member(&out->before, body, "before") && u256_member(&out->amount, body, "amount");
    json_int_t asset = json_integer_value(json_object_get(body, "asset"));
    const char *token = json_string_value(json_object_get(body, "token"));

    out->asset =
        asset >= CLOB_COLLATERAL && asset <= CLOB_SHARES_V3 ? (enum clob_asset)asset : CLOB_COLLATERAL;
    out->leaves = json_is_true(json_object_get(body, "leaves"));
    out->token = token != NULL && *token != '\0' ? arena_strdup(a, token) : NULL;
    json_decref(body);
    return read;
}

/* ---- asking ---- */

struct balance_poll {
    const struct ctx *ctx;
    struct predict_account account;
};

static bool balance_ask(struct call *call, const struct ctx *ctx, struct arena *a,
                        const struct venue_request *r, const char *path)
{
    struct balance_poll *l = ARENA_NEW(a, struct balance_poll);
    struct clob_credentials c;
    struct balance_order o;
    bool asks;

    l->ctx = ctx;
    if (!balance_order_read(&o, a, r) ||
        predict_accounts_of_wallet(ctx->db, r->effect.wallet_id, &l->account) != LOOKUP_FOUND ||
        !credentials_get(ctx, a, &l->account, &c))
        return false;
    asks = clob_private(call, ctx, a, &l->account, &c, "GET", path,
                        clob_balance_query(a, o.asset, o.token, account_signature_type(&l->account)), NULL);
    explicit_bzero(&c, sizeof c);
    call->owner = asks ? l : NULL;
    return asks;
}

/* Whether it was answered at all. */
static bool balance_answered(const struct call *call, struct arena *a)
{
    const struct balance_poll *l = call->owner;
    struct clob_error said;

    clob_error_read(a, call, &said);
    if (said.fault == CLOB_UNAUTHORIZED)
        credentials_rejected(l->ctx, &l->account);
    if (said.fault != CLOB_FINE)
        log_repeated("venue_no_balance", "",
                     "msg=\"the venue shows no balance\" wallet=%s status=%d why=\"%s\"",
                     l->account.wallet.ref.address, call->status, said.text);
    return said.fault == CLOB_FINE;
}

static bool balance_ask_send(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                             struct arena *a)
{
    return balance_ask(call, ctx, a, r, "/balance-allowance/update");
}

static void balance_read_send(const struct call *call, const struct venue_request *r, struct arena *a,
                              struct request_observation *out)
{
    (void)r;
    if (balance_answered(call, a))
        out->says = VENUE_HAS;
}

/* ---- its result ---- */

static bool balance_ask_status(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                               struct arena *a)
{
    if (r->effect.broadcasts == 0 && clock_ms() < r->expires_ms)
        return false;
    return balance_ask(call, ctx, a, r, "/balance-allowance");
}

/* Whether the balance shows the order: an arrival has to be in it. Orders may have spent some of the former
 * balance, but then the venue has looked since. For a payment it is enough that the venue has looked
 * since. */
static bool balance_shows(const struct balance_order *o, struct u256 shown, bool polled)
{
    struct u256 whole;

    if (o->leaves)
        return polled && u256_cmp(shown, o->before) != 0;
    if (u256_add(&whole, o->before, o->amount) && u256_cmp(shown, whole) >= 0)
        return true;
    return polled && u256_cmp(shown, o->amount) >= 0 && u256_cmp(shown, o->before) != 0;
}

/* A balance that the venue was told of, and does not show, is reported again. */
static void balance_read_status(const struct call *call, const struct venue_request *r, struct arena *a,
                                struct request_observation *out)
{
    struct balance_order order;
    struct clob_balance balance;

    if (!balance_answered(call, a) || !balance_order_read(&order, a, r) ||
        !clob_read_balance(&call->answer, (struct evm_addr){ { 0 } }, &balance))
        return;
    if (balance_shows(&order, balance.balance, r->effect.accepted))
        out->says = VENUE_FILLED;
    else
        out->says = r->effect.accepted ? VENUE_DROPPED : VENUE_UNKNOWN;
}

const struct venue balance_venue = { .name = "polymarket_balance",
                                     .sign = balance_sign,
                                     .ask_send = balance_ask_send,
                                     .read_send = balance_read_send,
                                     .ask_status = balance_ask_status,
                                     .read_status = balance_read_status };

void balance_request(struct plan *p, struct arena *a, const struct balance_order *order)
{
    struct plan_request *r = &p->requests[p->request_count++];

    *r = (struct plan_request){ .venue = &balance_venue,
                                .order = order,
                                .signing_key = arena_memdup(a, p->wallet, strlen(p->wallet)),
                                .signing_key_len = strlen(p->wallet),
                                .expires_ms = p->deadline * 1000 };
}
