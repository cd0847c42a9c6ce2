#include "predict/predict_eligibility.h"

#include <ctype.h>
#include <string.h>

#include "base/incident.h"
#include "base/log.h"
#include "predict/credentials.h"
#include "predict/predict_venue.h"
#include "service/conf.h"
#include "store/predict_accounts.h"

enum { ASK_DEADLINE_MS = 2500, GEOBLOCK_LIFE_MS = 30 * 60 * 1000, COUNTRY_MAX = 3 };

/* ---- wallets that may only close positions ---- */

static const struct err *closed_only_ask(const struct ctx *ctx, struct arena *a,
                                         const struct predict_account *p, bool *closed_only)
{
    const struct err *e = &E_PREDICT_ORDER_FAILED;
    struct clob_error said;
    struct call c;

    if (!clob_ask(&c, ctx, a, p, "GET", "/auth/ban-status/closed-only", NULL, ASK_DEADLINE_MS, &said))
        return e;
    if (said.fault == CLOB_FINE && clob_read_closed_only(&c.answer, closed_only))
        e = predict_accounts_set_closed_only(ctx->db, p->wallet.id, *closed_only) ? NULL : &E_INTERNAL;
    else if (said.err == &E_NOT_PERMITTED)
        e = said.err;
    else
        log_repeated(
            "venue_no_answer", "asked=standing",
            "msg=\"the prediction venue does not say whether a wallet may trade\" status=%d why=\"%s\"",
            c.status, c.why);
    call_free(&c);
    return e;
}

/* ---- where this server is ---- */

const char *geoblock_query(const struct ctx *ctx, struct arena *a)
{
    return arena_printf(a, "geoblock\n%s", ctx->conf->predict_geoblock_url);
}

static bool is_country(const char *text)
{
    size_t n = 0;

    while (text != NULL && n <= COUNTRY_MAX && isupper((unsigned char)text[n]))
        n++;
    return n > 0 && n <= COUNTRY_MAX && text[n] == '\0';
}

static const struct err *make_geoblock(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    const json_t *blocked;
    const char *country;
    struct call c;
    json_t *doc = NULL;
    bool ok;

    (void)what;
    call_init(&c, ctx->conf->predict_geoblock_url, MAX_UPSTREAM);
    (void)calls_run(ctx->net, &c, 1, ASK_DEADLINE_MS);
    if (c.result == CALL_ANSWERED && c.status == 200)
        doc = json_loadb(buf_text(&c.answer), c.answer.len, 0, NULL);
    blocked = json_object_get(doc, "blocked");
    country = json_string_value(json_object_get(doc, "country"));
    ok = json_is_boolean(blocked);
    jw_bool(w, "blocked", json_is_true(blocked));
    jw_string_if(w, "country", is_country(country) ? country : NULL);
    if (!ok)
        log_repeated(
            "venue_no_answer", "asked=country",
            "msg=\"it is unknown whether the prediction venue serves this country\" status=%d why=\"%s\"",
            c.status, c.why);
    json_decref(doc);
    call_free(&c);
    return ok ? NULL : &E_UPSTREAM;
}

void geoblock_check(const struct ctx *ctx, struct arena *a)
{
    const struct cache_query q = { &prediction_venue, geoblock_query(ctx, a), GEOBLOCK_LIFE_MS, make_geoblock,
                                   NULL };
    const char *text;

    if (ctx->conf->predict_trading)
        (void)cached_answer(ctx, a, &q, &text);
}

/* A sentence, when the last answer was that it is blocked; else NULL. */
static const char *geoblock_said(const struct ctx *ctx, struct arena *a, const struct cached_answers *known)
{
    const char *text = cached_answers_text(known, geoblock_query(ctx, a), CACHED_EVER), *country,
               *said = NULL;
    json_t *doc = text == NULL ? NULL : json_loads(text, 0, NULL);

    country = json_string_value(json_object_get(doc, "country"));
    if (json_is_true(json_object_get(doc, "blocked")))
        said = arena_printf(a, "Polymarket does not serve this server's country%s%s",
                            country != NULL ? ": " : "", country != NULL ? country : "");
    json_decref(doc);
    return said;
}

/* ---- */

const struct err *eligibility_check(const struct ctx *ctx, struct arena *a,
                                    const struct cached_answers *known, const struct predict_account *p)
{
    const char *blocked = geoblock_said(ctx, a, known);
    bool closed_only = p->closed_only;
    const struct err *e;

    if (blocked != NULL)
        return err_hint(a, &E_NOT_PERMITTED, blocked);
    e = p->closed_only_due ? closed_only_ask(ctx, a, p, &closed_only) : NULL;
    return e != NULL ? e : closed_only ? &E_NOT_PERMITTED : NULL;
}

void eligibility_notes(struct json_writer *w, const struct ctx *ctx)
{
    struct cached_answers known = { .count = 0 };

    if (!ctx->conf->predict_trading)
        return;
    cached_answers_add(&known, geoblock_query(ctx, w->arena));
    cached_answers_read(ctx, w->arena, &known);
    jw_string_if(w, NULL, geoblock_said(ctx, w->arena, &known));
    if (predict_accounts_closed_only(ctx->db) == LOOKUP_FOUND)
        jw_string(w, NULL, "Polymarket lets some wallets only close positions");
}
