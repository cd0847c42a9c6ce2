#include "predict/predict_quote.h"

#include <string.h>

#include "base/clock.h"
#include "base/incident.h"
#include "base/json_writer.h"
#include "model/amount.h"
#include "net/venues.h"
#include "predict/outcome_token.h"
#include "predict/predict_venue.h"
#include "service/conf.h"

enum { QUOTE_MAX = 4096 };

/* ---- the book ---- */

/* The rest of an order: money of one that spends, else shares. */
struct appetite {
    const struct order *order;
    uint64_t left;
};

/* Shares at a price; false when they do not fit. */
static bool wanted(const struct appetite *w, uint32_t price, uint64_t *out)
{
    struct u256 shares;

    *out = w->left;
    return !order_spends(w->order) || (u256_muldiv(&shares, u256_from_u64(w->left),
                                                   u256_from_u64(ORDER_PRICE_ONE), u256_from_u64(price)) &&
                                       u256_to_u64(out, shares));
}

static bool level_read(const struct book_level *level, uint32_t *price, uint64_t *shares)
{
    struct amount p, s;
    uint64_t n;

    if (!amount_of_number(&p, level->price, ORDER_PRICE_PLACES) ||
        !amount_of_number(&s, level->size, ORDER_UNIT_PLACES) || !u256_to_u64(&n, p.raw) || n == 0 ||
        n >= ORDER_PRICE_ONE || !u256_to_u64(shares, s.raw))
        return false;
    *price = (uint32_t)n;
    return *shares > 0;
}

static bool reaches(const struct order *o, uint32_t price)
{
    return o->side == ORDER_BUY ? price <= o->price : price >= o->price;
}

static bool level_take(struct predict_fill *out, struct appetite *w, const struct clob_market *rules,
                       uint32_t price, uint64_t offered)
{
    struct u256 cost;
    uint64_t shares, paid;

    if (!wanted(w, price, &shares))
        return false;
    if (shares > offered)
        shares = offered;
    if (!u256_muldiv(&cost, u256_from_u64(shares), u256_from_u64(price), u256_from_u64(ORDER_PRICE_ONE)) ||
        !u256_to_u64(&paid, cost))
        return false;
    if (shares == 0 || paid == 0)
        return true;
    w->left -= order_spends(w->order) ? paid : shares;
    out->worst = price;
    return !__builtin_add_overflow(out->shares, shares, &out->shares) &&
           !__builtin_add_overflow(out->paid, paid, &out->paid) &&
           !__builtin_add_overflow(out->fee, clob_fee_charged(rules, price, shares), &out->fee);
}

bool predict_walk(struct predict_fill *out, const struct order *o, const struct clob_market *rules,
                  const struct book *book)
{
    const struct book_level *side = o->side == ORDER_BUY ? book->asks : book->bids;
    size_t count = o->side == ORDER_BUY ? book->ask_count : book->bid_count;
    struct appetite w = { o, order_spends(o) ? order_cost(o) : order_shares(o) };
    uint64_t offered;
    uint32_t price;

    *out = (struct predict_fill){ .shares = 0 };
    for (size_t i = 0; i < count; i++) {
        if (!level_read(&side[i], &price, &offered))
            continue;
        if (!reaches(o, price))
            break;
        if (!level_take(out, &w, rules, price, offered))
            return false;
    }
    out->whole = order_is_whole(o, out->shares, out->paid);
    return true;
}

static const struct err *book_ask(const struct ctx *ctx, struct arena *a, const char *token, struct book *out)
{
    const struct err *e = NULL;
    struct call c;

    call_init(&c, clob_book_url(a, ctx->conf->predict_clob_url, token), MAX_UPSTREAM);
    (void)venue_calls_run(ctx->net, &c, 1, PREDICT_DEADLINE_MS);
    *out = (struct book){ .bid_count = 0 };
    if (c.result == CALL_ANSWERED && c.status == 404)
        e = &E_MARKET_PAUSED;
    else if (c.result != CALL_ANSWERED || c.status != 200 || !clob_read_book(a, &c.answer, out)) {
        log_repeated("venue_no_answer", "asked=book",
                     "msg=\"the prediction venue gave no book\" status=%d why=\"%s\"", c.status, c.why);
        if (c.result == CALL_ANSWERED && c.status == 200)
            venue_senseless(VENUE_CLOB);
        e = venue_failure(a, &c, &E_UPSTREAM);
    }
    call_free(&c);
    return e;
}

/* ---- the quote ---- */

/* Without a price it is an order for shares at any. */
static const struct err *terms_read(const struct ctx *ctx, struct arena *a, const struct order_in *in,
                                    struct predict_token *t, struct order *o)
{
    const struct cached_answers nothing = { .count = 0 };
    struct order_in asked = *in;
    const struct err *e;

    if (in->price == NULL) {
        asked.price = "0.5";
        asked.type = NULL;
    }
    if ((e = order_terms_read(a, &asked, clock_ms(), o)) != NULL)
        return e;
    if ((e = predict_token_read(a, in->token, t)) == NULL)
        e = predict_token_find(ctx, a, &nothing, t);
    if (e != NULL)
        return err_is(e, &E_TOKEN_ID)               ? err_on(a, e, "tokenId")
               : err_is(e, &E_PREDICT_ORDER_FAILED) ? &E_UPSTREAM
                                                    : e;
    if (in->price == NULL)
        o->price = o->side == ORDER_BUY ? ORDER_PRICE_ONE - t->rules.tick : t->rules.tick;
    return order_terms_check(a, t, o);
}

static void number_write(struct json_writer *w, const char *key, uint64_t n, uint8_t places)
{
    const char *text = amount_text(w->arena, (struct amount){ u256_from_u64(n), places });

    jw_raw(w, key, text, strlen(text), NULL);
}

/* In whole millionths, rounded down. */
static uint64_t average_price(const struct predict_fill *f)
{
    struct u256 average;
    uint64_t n;

    return u256_muldiv(&average, u256_from_u64(f->paid), u256_from_u64(1000000), u256_from_u64(f->shares)) &&
                   u256_to_u64(&n, average)
               ? n
               : 0;
}

static const char *quote_write(struct arena *a, const struct order *o, const struct predict_token *t,
                               const struct predict_fill *f)
{
    bool buys = o->side == ORDER_BUY;
    struct json_writer w;

    jw_init(&w, a, QUOTE_MAX);
    jw_object(&w, NULL);
    jw_string(&w, "tokenId", t->text);
    jw_string(&w, "market", t->market);
    jw_string(&w, "outcome", t->outcome);
    jw_string(&w, "side", order_side_text(o->side));
    number_write(&w, "size", o->size, ORDER_SIZE_PLACES);
    number_write(&w, "shares", f->shares, ORDER_UNIT_PLACES);
    number_write(&w, "averagePrice", average_price(f), ORDER_UNIT_PLACES);
    number_write(&w, "worstPrice", f->worst, ORDER_PRICE_PLACES);
    number_write(&w, "cost", f->paid, ORDER_UNIT_PLACES);
    number_write(&w, "fee", f->fee, ORDER_UNIT_PLACES);
    number_write(&w, "total",
                 buys               ? f->paid + f->fee
                 : f->paid > f->fee ? f->paid - f->fee
                                    : 0,
                 ORDER_UNIT_PLACES);
    jw_bool(&w, "complete", f->whole);
    jw_end(&w);
    return jw_finish(&w);
}

static const struct err *too_little_there(struct arena *a)
{
    return err_hint(a, &E_NO_LIQUIDITY, "The visible book has less: GET /predict/market/{id}/book shows it");
}

const struct err *predict_quote(const struct ctx *ctx, struct arena *a, const struct order_in *in,
                                const char **text)
{
    struct predict_token token;
    struct predict_fill fill;
    struct book book;
    struct order o = { .price = 0 };
    const struct err *e = terms_read(ctx, a, in, &token, &o);

    if (e != NULL || (e = book_ask(ctx, a, token.text, &book)) != NULL)
        return e;
    if (!predict_walk(&fill, &o, &token.rules, &book))
        return too_little_there(a);
    if (fill.shares == 0)
        return &E_NO_MATCH;
    if (!fill.whole && (in->price == NULL || o.type == ORDER_FOK))
        return too_little_there(a);
    *text = quote_write(a, &o, &token, &fill);
    return *text != NULL ? NULL : &E_INTERNAL;
}
