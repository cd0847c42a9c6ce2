#include "perps/perps_venue.h"

#include <stdio.h>
#include <string.h>

#include "base/incident.h"
#include "base/json_writer.h"
#include "codec/hex.h"
#include "net/bulkhead.h"
#include "net/venues.h"
#include "service/conf.h"

enum { BODY_MAX = 512, LIGHT_WEIGHT = 2, USUAL_WEIGHT = 20, TOO_MANY = 429, WAIT_MAX_S = 60 };

const struct cache_source perps_venue = {
    .deadline_ms = PERPS_DEADLINE_MS,
    .lane = BULKHEAD_PERPS,
    .busy = "Too many calls are waiting for the venue of perpetuals: try again in a second",
};

/* An address is sent in lower case: in another case the venue takes it for another user's. */
static void user_write(struct json_writer *w, const char *name, const struct evm_addr *user)
{
    char text[EVM_ADDR_TEXT_LEN + 1] = "0x";

    hex_encode(text + 2, user->bytes, sizeof user->bytes);
    jw_string(w, name, text);
}

static void question_write(struct call *c, struct arena *a, const struct perps_question *q)
{
    struct json_writer w;
    const char *text;

    jw_init(&w, a, BODY_MAX);
    jw_object(&w, NULL);
    jw_string(&w, "type", q->type);
    jw_string_if(&w, "coin", q->asset);
    if (q->user != NULL)
        user_write(&w, "user", q->user);
    if (q->source != NULL)
        user_write(&w, "source", q->source);
    jw_string_if(&w, "oid", q->cloid);
    if (q->since_ms != 0)
        jw_integer(&w, "startTime", q->since_ms);
    jw_end(&w);
    text = jw_finish(&w);
    buf_adds(&c->body, text != NULL ? text : "");
}

static void about_write(char out[static INCIDENT_ABOUT_MAX + 1], const char *type)
{
    snprintf(out, INCIDENT_ABOUT_MAX + 1, "asked=%s", type);
}

bool perps_is_answered(const struct call *c, const char *type)
{
    char about[INCIDENT_ABOUT_MAX + 1];

    if (c->result == CALL_ANSWERED && c->status == 200)
        return true;
    about_write(about, type);
    log_repeated("perps_no_answer", about,
                 "msg=\"the venue of perpetuals gave no answer\" status=%d why=\"%s\"", c->status, c->why);
    return false;
}

void perps_question_call(struct call *c, const struct ctx *ctx, struct arena *a,
                         const struct perps_question *q)
{
    call_init(c, arena_printf(a, "%s/info", ctx->conf->perps_url), MAX_UPSTREAM);
    c->headers[0] = "Content-Type: application/json";
    question_write(c, a, q);
}

unsigned perps_question_weight(const char *type)
{
    static const char *const light[] = { "l2Book", "allMids", "clearinghouseState", "orderStatus",
                                         "spotClearinghouseState" };

    for (size_t i = 0; i < sizeof light / sizeof light[0]; i++)
        if (strcmp(light[i], type) == 0)
            return LIGHT_WEIGHT;
    return USUAL_WEIGHT;
}

static unsigned weight_of(const struct perps_asking *q)
{
    unsigned weight = 0;

    for (size_t i = 0; i < q->count; i++)
        weight += perps_question_weight(q->questions[i].type);
    return weight;
}

/* Until it may be asked again, or longer, as it says itself. */
static const struct err *venue_busy(const struct ctx *ctx, struct arena *a, const struct perps_asking *q,
                                    int64_t told_s)
{
    unsigned wait_s = perps_request_budget_wait_s(ctx, weight_of(q), perps_request_budget_asked_for());

    if (told_s > wait_s)
        wait_s = told_s < WAIT_MAX_S ? (unsigned)told_s : WAIT_MAX_S;
    return err_wait(
        a, &E_BUSY, wait_s,
        arena_printf(a, "The venue of perpetuals is asked as much as it allows: try again in %u second%s",
                     wait_s, wait_s == 1 ? "" : "s"));
}

static const struct err *answers_check(const struct ctx *ctx, struct arena *a, const struct perps_asking *q)
{
    const struct err *e = NULL;

    for (size_t i = 0; i < q->count; i++) {
        if (perps_is_answered(&q->calls[i], q->questions[i].type))
            continue;
        if (q->calls[i].status != TOO_MANY) {
            e = e != NULL ? e : venue_failure(a, &q->calls[i], &E_UPSTREAM);
            continue;
        }
        perps_request_budget_refused();
        e = venue_busy(ctx, a, q, q->calls[i].retry_after_s);
    }
    return e;
}

const struct err *perps_ask(const struct ctx *ctx, struct arena *a, struct perps_asking *q)
{
    const struct err *e = venue_check(a, VENUE_PERPS);

    for (size_t i = 0; i < q->count; i++)
        perps_question_call(&q->calls[i], ctx, a, &q->questions[i]);
    if (e != NULL)
        return e;
    if (!perps_request_budget_take(ctx, weight_of(q), perps_request_budget_asked_for())) {
        log_repeated("perps_weight_spent", "",
                     "msg=\"the venue of perpetuals was asked as much as perps_weight allows in a minute\"");
        return venue_busy(ctx, a, q, 0);
    }
    (void)calls_run(ctx->net, q->calls, q->count, PERPS_DEADLINE_MS);
    return answers_check(ctx, a, q);
}

void perps_asking_free(struct perps_asking *q)
{
    for (size_t i = 0; i < q->count; i++)
        call_free(&q->calls[i]);
}

const struct err *perps_senseless(const char *type)
{
    char about[INCIDENT_ABOUT_MAX + 1];

    venue_senseless(VENUE_PERPS);
    about_write(about, type);
    log_repeated("perps_bad_reply", about, "msg=\"the answer of the venue of perpetuals makes no sense\"");
    return &E_UPSTREAM;
}

const char *perps_cache_key(const struct ctx *ctx, struct arena *a, const char *what, const char *about)
{
    return arena_printf(a, "perps %s\n%s\n%s", what, ctx->conf->perps_url, about);
}
