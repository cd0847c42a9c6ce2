#include "predict/outcome_token.h"

#include <string.h>

#include "base/incident.h"
#include "base/json_reader.h"
#include "base/log.h"
#include "base/lookup.h"
#include "codec/hex.h"
#include "net/venues.h"
#include "predict/gamma.h"
#include "predict/predict_venue.h"
#include "service/conf.h"

enum { CONDITION_LIFE_MS = 3600 * 1000, RULES_LIFE_MS = 60 * 1000 };

static const struct err *token_silence(struct arena *a, const struct call *c)
{
    log_repeated("venue_no_answer", "asked=market",
                 "msg=\"the prediction venue gave no answer\" status=%d why=\"%s\"", c->status, c->why);
    return venue_failure(a, c, &E_PREDICT_ORDER_FAILED);
}

static bool call_is_fine(const struct call *c)
{
    return c->result == CALL_ANSWERED && c->status == 200;
}

/* ---- which market it is of ---- */

/* The exchange knows the tokens of all versions; the catalogue lists each only by its market. */
static const struct err *make_condition(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    const char *token = what, *condition;
    const struct err *e = NULL;
    struct call c;

    call_init(&c, arena_printf(w->arena, "%s/markets-by-token/%s", ctx->conf->predict_clob_url, token),
              MAX_UPSTREAM);
    (void)venue_calls_run(ctx->net, &c, 1, PREDICT_DEADLINE_MS);
    if (call_is_fine(&c) && clob_read_condition(w->arena, &c.answer, &condition))
        jw_string(w, "condition", condition);
    else
        e = c.result == CALL_ANSWERED && (c.status == 404 || c.status == 400) ? &E_TOKEN_ID
                                                                              : token_silence(w->arena, &c);
    call_free(&c);
    return e;
}

static const struct err *condition_find(const struct ctx *ctx, struct arena *a, const char *token,
                                        const char **condition)
{
    const struct cache_query q = { &prediction_venue, arena_printf(a, "condition\n%s", token),
                                   CONDITION_LIFE_MS, make_condition, token };
    const char *text;
    const struct err *e = cached_answer(ctx, a, &q, &text);
    json_t *doc;

    if (e != NULL)
        return e;
    doc = json_loads(text, 0, NULL);
    *condition = json_text_member(a, doc, "condition");
    json_decref(doc);
    return *condition != NULL ? NULL : &E_INTERNAL;
}

/* ---- the market and its rules ---- */

/* A market that is open, or one that has ended, the catalogue lists apart. */
enum { CALL_RULES, CALL_OPEN, CALL_ENDED, CALLS };

/* The one of that condition; LOOKUP_ERROR: a list is malformed. */
static enum lookup market_find(struct arena *a, const struct call *calls, const char *condition,
                               struct market *out)
{
    for (unsigned i = CALL_OPEN; i < CALLS; i++) {
        struct market *list;
        size_t n;
        bool more;

        if (!gamma_read_markets(a, &calls[i].answer, &list, &n, &more))
            return LOOKUP_ERROR;
        for (size_t j = 0; j < n; j++)
            if (strcasecmp(list[j].condition, condition) == 0) {
                *out = list[j];
                return LOOKUP_FOUND;
            }
    }
    return LOOKUP_NONE;
}

static const struct err *rules_write(struct json_writer *w, const struct market *m,
                                     const struct clob_market *rules)
{
    if (!m->has_exchange)
        return &E_TOKEN_ID;
    if (m->exchange != POLYMARKET_V3 && rules->neg_risk != (m->exchange == POLYMARKET_NEG_RISK)) {
        log_repeated("venue_bad_reply", "asked=market",
                     "msg=\"the prediction venue contradicts itself about a market\" market=%s", m->id);
        return &E_PREDICT_ORDER_FAILED;
    }
    jw_string(w, "market", m->id);
    jw_string(w, "question", m->question);
    jw_integer(w, "exchange", m->exchange);
    jw_integer(w, "tick", rules->tick);
    jw_integer(w, "min_size", (int64_t)rules->min_size);
    jw_integer(w, "fee_rate", rules->fee_rate);
    jw_integer(w, "fee_exponent", rules->fee_exponent);
    jw_bool(w, "neg_risk", rules->neg_risk);
    jw_bool(w, "accepting", m->status == MARKET_OPEN && !rules->paused);
    jw_array(w, "outcomes");
    for (size_t i = 0; i < m->outcome_count; i++) {
        jw_object(w, NULL);
        jw_string(w, "name", m->outcomes[i].name);
        jw_string(w, "token", m->outcomes[i].token);
        jw_end(w);
    }
    jw_end(w);
    return NULL;
}

static const struct err *rules_read(struct json_writer *w, const struct call *calls, const char *condition)
{
    struct clob_market rules;
    enum lookup found;
    struct market m;

    for (unsigned i = 0; i < CALLS; i++)
        if (!call_is_fine(&calls[i]) && (i != CALL_RULES || calls[i].status != 404))
            return token_silence(w->arena, &calls[i]);
    found = market_find(w->arena, calls, condition, &m);
    if (found == LOOKUP_NONE)
        return &E_TOKEN_ID;
    if (found == LOOKUP_FOUND && calls[CALL_RULES].status == 404)
        return &E_MARKET_PAUSED;
    if (found != LOOKUP_FOUND || !clob_read_market(&calls[CALL_RULES].answer, &rules)) {
        log_repeated("venue_bad_reply", "asked=market",
                     "msg=\"what the prediction venue says of a market makes no sense\" condition=%s",
                     condition);
        return &E_PREDICT_ORDER_FAILED;
    }
    return rules_write(w, &m, &rules);
}

static const struct err *rules_ask(const struct ctx *ctx, struct json_writer *w, const char *condition)
{
    const struct conf *conf = ctx->conf;
    const char *urls[CALLS] = {
        [CALL_RULES] = arena_printf(w->arena, "%s/clob-markets/%s", conf->predict_clob_url, condition),
        [CALL_OPEN] = gamma_condition_url(w->arena, conf->predict_gamma_url, condition, GAMMA_OPEN),
        [CALL_ENDED] = gamma_condition_url(w->arena, conf->predict_gamma_url, condition, GAMMA_ENDED)
    };
    struct call calls[CALLS];
    const struct err *e;

    for (unsigned i = 0; i < CALLS; i++)
        call_init(&calls[i], urls[i], MAX_UPSTREAM);
    (void)venue_calls_run(ctx->net, calls, CALLS, PREDICT_DEADLINE_MS);
    e = rules_read(w, calls, condition);
    for (unsigned i = 0; i < CALLS; i++)
        call_free(&calls[i]);
    return e;
}

static const struct err *make_rules(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    const char *condition;
    const struct err *e = condition_find(ctx, w->arena, what, &condition);

    if (e != NULL)
        return e;
    jw_string(w, "condition", condition);
    return rules_ask(ctx, w, condition);
}

/* ---- */

static int64_t doc_number(const json_t *doc, const char *name)
{
    return json_integer_value(json_object_get(doc, name));
}

/* Reads the text of rules_write; false when the token is none of its outcomes'. */
static bool token_of_doc(struct predict_token *out, struct arena *a, const json_t *doc)
{
    const json_t *row;
    const char *condition = json_string_value(json_object_get(doc, "condition"));
    size_t i, n;

    json_array_foreach(json_object_get(doc, "outcomes"), i, row)
    {
        if (strcmp(json_text_member(a, row, "token"), out->text) == 0)
            out->outcome = json_text_member(a, row, "name");
    }
    out->market = json_text_member(a, doc, "market");
    out->question = json_text_member(a, doc, "question");
    out->exchange = (enum polymarket_exchange)doc_number(doc, "exchange");
    out->accepting = json_is_true(json_object_get(doc, "accepting"));
    out->rules = (struct clob_market){ .tick = (uint32_t)doc_number(doc, "tick"),
                                       .min_size = (uint64_t)doc_number(doc, "min_size"),
                                       .fee_rate = (uint32_t)doc_number(doc, "fee_rate"),
                                       .fee_exponent = (uint32_t)doc_number(doc, "fee_exponent"),
                                       .neg_risk = json_is_true(json_object_get(doc, "neg_risk")),
                                       .paused = !out->accepting };
    return out->outcome != NULL && condition != NULL &&
           hex_decode_0x(out->condition, sizeof out->condition, &n, condition);
}

const char *predict_token_question(struct arena *a, const struct predict_token *t)
{
    return arena_printf(a, "rules\n%s", t->text);
}

static const struct err *rules_find(const struct ctx *ctx, struct arena *a,
                                    const struct cached_answers *known, struct predict_token *out)
{
    const struct cache_query q = { &prediction_venue, predict_token_question(a, out), RULES_LIFE_MS,
                                   make_rules, out->text };
    const char *text = cached_answers_text(known, q.text, RULES_LIFE_MS);
    const struct err *e = NULL;
    json_t *doc;

    if (text == NULL)
        e = cached_answer(ctx, a, &q, &text);
    if (e != NULL)
        return e;
    doc = json_loads(text, 0, NULL);
    if (!token_of_doc(out, a, doc))
        e = &E_TOKEN_ID;
    json_decref(doc);
    return e;
}

/* For an agent, a wait without an answer from another worker is the same as a request without one. */
static const struct err *token_err(const struct err *e)
{
    return e == &E_UPSTREAM ? &E_PREDICT_ORDER_FAILED : e;
}

const struct err *predict_token_read(struct arena *a, const char *token, struct predict_token *out)
{
    char text[U256_DECIMAL_LEN + 1];

    *out = (struct predict_token){ .market = NULL };
    if (strlen(token) > TOKEN_ID_MAX || !u256_parse(&out->id, token))
        return &E_TOKEN_ID;
    u256_decimal(text, out->id);
    out->text = arena_strdup(a, text);
    return NULL;
}

const struct err *predict_token_find(const struct ctx *ctx, struct arena *a,
                                     const struct cached_answers *known, struct predict_token *t)
{
    return token_err(rules_find(ctx, a, known, t));
}
