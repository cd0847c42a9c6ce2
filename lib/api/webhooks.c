#include "api/admission/api_call.h"
#include "api/admission/idempotency.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/schemas.h"
#include "api/view.h"
#include "base/clock.h"
#include "model/agent.h"
#include "model/event_attempt.h"
#include "service/conf.h"
#include "store/agents.h"
#include "store/events.h"
#include "store/trading_halts.h"
#include "webhook/deliver.h"
#include "webhook/payload.h"
#include "webhook/security.h"

/* ---- parameters ---- */

struct webhooks_in {
    const char *status, *event_type;
    struct list_period created;
    uint64_t limit, offset;
};

static const char *const event_statuses[] = { "pending", "delivered", "failed", NULL };

static const struct param webhooks_params[] = {
    { "status", P_TEXT, INTO(struct webhooks_in, status), .choices = event_statuses, .bad = &E_STATUS_FILTER,
      .about = "pending, delivered or failed" },
    { "event_type", P_TEXT, INTO(struct webhooks_in, event_type), .about = "such as swap.completed" },
    PARAMS_PERIOD(struct webhooks_in, created),
    PARAMS_PAGE(struct webhooks_in),
    { 0 },
};

struct recover_in {
    int64_t since_ms;
};

static const struct param recover_params[] = {
    { "since", P_TIME, INTO(struct recover_in, since_ms), .required = true,
      .about = "The failed ones that were created at this time or later", .example = A_TIME },
    { 0 },
};

static const struct schema_field event_id = { "id", S_TEXT, .example = "msg_8f14e45fceea4e7fa9c61d2b3c4d5e6f",
                                              .about = "The id of the event in GET /webhooks" };

/* ---- answers ---- */

/* clang-format off */
static const struct schema event_schema = { "WebhookEvent", "A webhook and its delivery", FIELDS {
    { "id",              TEXT("msg_8f14e45fceea4e7fa9c61d2b3c4d5e6f"), "Identifier, equal to the header webhook-id" },
    { "event_type",      TEXT("swap.completed"),              "What happened" },
    { "status",          CHOICE(event_statuses, "delivered"), "Where the delivery stands" },
    { "attempts",        WHOLE("1"),                          "Attempts made" },
    { "last_error",      TEXT("null"),                        "Why the last attempt failed", MAY_BE_NULL },
    { "response_status", WHOLE("200"),                        "HTTP status that the receiver gave", MAY_BE_NULL },
    { "callback_url",    URI("https://agent.example/hook"),   "Where it is sent" },
    { "created_at",      TIME(A_TIME),                        "When it happened" },
    { "delivered_at",    TIME(LATER),                         "When the receiver took it", MAY_BE_NULL },
    { "next_attempt_at", TIME("null"),                        "When it is tried next; null: it is not", MAY_BE_NULL | FULL_IF_NULL },
    END } };

static const struct schema attempt_schema = { "WebhookAttempt", "An attempt at delivering a webhook", FIELDS {
    { "at",              TIME(LATER),   "When it ended" },
    { "response_status", WHOLE("200"),  "HTTP status that the receiver gave; null: none", MAY_BE_NULL },
    { "error",           TEXT("null"),  "Why it failed; null: it did not", MAY_BE_NULL },
    { "ms",              WHOLE("42"),   "Milliseconds that it took" },
    END } };

static const struct schema shown_event_schema = { "WebhookEventDetails", "A webhook with what is sent, and its last attempts", .base = &event_schema, FIELDS {
    { "payload",     FREE,                 "What is sent, as in the body of each delivery" },
    { "attempt_log", LIST(attempt_schema), "The last ten attempts, oldest first" },
    END } };

static const struct schema shown_schema = { "WebhookEventAnswer", "One webhook", FIELDS {
    SUCCESS,
    { "event", OBJECT(shown_event_schema), "The webhook" },
    END } };

static const struct schema webhooks_schema = { "WebhookEventList", "A page of webhooks, newest first", FIELDS {
    SUCCESS,
    { "events",     LIST(event_schema),        "The webhooks" },
    { "pagination", OBJECT(pagination_schema), "Which part of all this is" },
    END } };

static const struct schema webhook_tested_schema = { "WebhookTest", "How the test delivery went", FIELDS {
    { "success",          FLAG("true"),                      "Whether the receiver took it" },
    { "callback_url",     URI("https://agent.example/hook"), "Where it was sent" },
    { "status_code",      WHOLE("200"),                      "HTTP status that the receiver gave; null: none", MAY_BE_NULL },
    { "response_time_ms", WHOLE("42"),                       "Milliseconds until its answer" },
    { "error",            TEXT("HTTP 500"),                  "Why it failed", MAY_BE_ABSENT },
    END } };

static const struct schema webhook_secret_schema = { "WebhookSecret", "The new secret", FIELDS {
    SUCCESS,
    { "webhook_secret", TEXT(A_SECRET), "Secret of webhook signatures: shown this once" },
    END } };

static const struct schema redelivered_schema = { "Redelivery", "The event, waiting again", FIELDS {
    SUCCESS,
    { "event", OBJECT(event_schema), "The event" },
    END } };

static const struct schema recovered_schema = { "Recovery", "How many events wait again", FIELDS {
    SUCCESS,
    { "recovered", WHOLE("12"), "Events that are sent again" },
    END } };
static const char *const renewed_event[] = { EVENT_SECRET_RENEWED, NULL };

static const struct schema renewal_schema = { "WebhookSecretNotice", "Whose secret", FIELDS {
    { "agent_id", UUID(AN_ID), "The agent" },
    END } };

static const struct schema secret_renewed_schema = { "WebhookSecretRenewedEvent", "Signed with the former secret too: if it was not you, ask the operator to stop the agent",
    EVENT_OF(renewed_event, EVENT_SECRET_RENEWED, renewal_schema, "The agent") };
/* clang-format on */

/* ---- handlers ---- */

/* The receiver's; null when it never answered. */
static void status_code_write(struct json_writer *w, const char *key, int status)
{
    if (status != 0)
        jw_integer(w, key, status);
    else
        jw_null(w, key);
}

static void event_write_members(struct json_writer *w, const struct event *e)
{
    char id[EVENT_ID_TEXT_LEN + 1];

    event_id_text(id, e->id);
    jw_string(w, "id", id);
    jw_string(w, "event_type", e->type);
    jw_string(w, "status", event_status_text(e->status));
    jw_integer(w, "attempts", e->attempts);
    jw_string_or_null(w, "last_error", e->last_error);
    status_code_write(w, "response_status", e->response_status);
    jw_string(w, "callback_url", e->callback_url);
    jw_time(w, "created_at", e->created_ms);
    jw_time(w, "delivered_at", e->delivered_ms);
    jw_time(w, "next_attempt_at", e->next_ms);
}

static void event_write(struct json_writer *w, const char *key, const struct event *e)
{
    jw_object(w, key);
    event_write_members(w, e);
    jw_end(w);
}

static void attempts_write(struct json_writer *w, struct arena *a, const char *lines)
{
    struct event_attempt attempts[EVENT_ATTEMPTS_KEPT];
    unsigned n = event_attempts_read(attempts, a, lines);

    jw_array(w, "attempt_log");
    for (unsigned i = 0; i < n; i++) {
        jw_object(w, NULL);
        jw_time(w, "at", attempts[i].at_ms);
        status_code_write(w, "response_status", attempts[i].response_status);
        jw_string_or_null(w, "error", attempts[i].error);
        jw_integer(w, "ms", attempts[i].took_ms);
        jw_end(w);
    }
    jw_end(w);
}

/* The event that the path names. */
static enum lookup event_named(struct api_call *c, struct event *out)
{
    struct uuid id;

    if (c->captured == NULL || !event_id_parse(&id, c->captured))
        return LOOKUP_NONE;
    return events_get(c->ctx->db, c->arena, c->agent->id, id, out);
}

static struct reply *list_webhooks(struct api_call *c, const void *arg)
{
    const struct webhooks_in *in = arg;
    struct page page = { in->limit, in->offset };
    struct event_filter filter = { .type = in->event_type, .created = in->created };
    struct event *events = ARENA_ARRAY(c->arena, struct event, in->limit);
    uint64_t total = 0;
    struct json_writer *w;
    int n;

    if (in->status != NULL && !event_status_parse(&filter.status, in->status))
        return NULL; /* the parameter table accepted a status unknown to the model */
    n = events_page(c->ctx->db, c->arena, c->agent->id, &filter, &page, events, &total);
    if (n < 0)
        return NULL;
    w = reply_open(c->rq, 200);
    jw_array(w, "events");
    for (int i = 0; i < n; i++)
        event_write(w, NULL, &events[i]);
    jw_end(w);
    view_pagination(w, total, &page, (uint64_t)n);
    return reply_close(w);
}

static struct reply *show_webhook(struct api_call *c, const void *arg)
{
    struct json_writer *w;
    struct event e;
    enum lookup found = event_named(c, &e);

    (void)arg;
    if (found == LOOKUP_ERROR)
        return NULL;
    if (found == LOOKUP_NONE)
        return reply_err(c->rq, &E_EVENT_NOT_FOUND);
    w = reply_open(c->rq, 200);
    jw_object(w, "event");
    event_write_members(w, &e);
    jw_stored(w, "payload", e.body);
    attempts_write(w, c->arena, e.attempt_log);
    jw_end(w);
    return reply_close(w);
}

/* ---- POST /webhooks/test ---- */

static const char *test_event_body(struct api_call *c, int64_t now_ms)
{
    struct json_writer w;
    char id[UUID_TEXT_LEN + 1];

    uuid_text(id, c->agent->uuid);
    payload_open(&w, c->arena, "webhook.test", now_ms);
    jw_string(&w, "message", "This is a test event");
    jw_string(&w, "agent_id", id);
    return payload_close(&w);
}

static struct reply *reply_tested(struct api_call *c, const struct delivery *d, const struct event_result *r)
{
    struct json_writer *w = reply_open_bare(c->rq, 200);

    jw_bool(w, "success", r->status == EVENT_DELIVERED);
    jw_string(w, "callback_url", c->agent->callback_url);
    status_code_write(w, "status_code", r->response_status);
    jw_integer(w, "response_time_ms", d->call.took_ms);
    jw_string_if(w, "error", r->error);
    return reply_close(w);
}

/* One attempt, made within the call; then it is listed with its outcome. */
static struct reply *test_event_send(struct api_call *c, struct event *e)
{
    struct ctx *ctx = c->ctx;
    struct delivery d;
    struct event_result result;
    struct reply *rp = NULL;

    delivery_init(&d, e, ctx->conf->webhook_allow_http_loopback ? CALL_LOOPBACK : CALL_PUBLIC);
    deliver_once(&d, ctx->net, ctx->service_key, &result);
    if (events_add_ended(ctx->db, e, &result, conf_quota(ctx->conf, c->agent->tier, QUOTA_EVENTS)))
        rp = reply_tested(c, &d, &result);
    delivery_free(&d);
    return rp;
}

static struct reply *test_webhook(struct api_call *c, const void *arg)
{
    struct event e = {
        .id = uuid_random(),
        .agent_id = c->agent->id,
        .type = "webhook.test",
        .callback_url = c->agent->callback_url,
        .created_ms = clock_ms(),
    };
    enum lookup found;

    (void)arg;
    if (e.callback_url == NULL)
        return reply_err(c->rq, &E_NO_CALLBACK);
    found = events_secrets(c->ctx->db, &e);
    if (found == LOOKUP_NONE) /* deleted meanwhile */
        return reply_err(c->rq, c->endpoint->denied);
    e.body = test_event_body(c, e.created_ms);
    return found == LOOKUP_FOUND && e.body != NULL ? test_event_send(c, &e) : NULL;
}

/* ---- POST /webhooks/secret ---- */

static struct reply *renew_webhook_secret(struct api_call *c, const void *arg)
{
    struct webhook_secret_issued secret;
    struct json_writer *w;
    enum db_update renewed;

    (void)arg;
    webhook_secret_issue(&secret, c->ctx->service_key);
    renewed = agents_renew_secret(
        c->ctx->db, c->agent->id, secret.sealed, sizeof secret.sealed,
        security_event_about(c->ctx, c->arena, &c->agent->uuid, EVENT_SECRET_RENEWED, NULL, NULL));
    if (renewed == DB_ERROR)
        return NULL;
    if (renewed == HALTED)
        return reply_err(c->rq, &E_STOPPED);
    if (renewed == QUOTA_FULL)
        return reply_err(c->rq,
                         err_wait(c->arena, &E_CALLBACK_CHANGES, CALLBACKS_WAIT_S, E_CALLBACK_CHANGES.hint));
    if (renewed == UNCHANGED) /* deleted meanwhile */
        return reply_err(c->rq, c->endpoint->denied);
    security_event_log(&c->agent->uuid, EVENT_SECRET_RENEWED, "");
    w = reply_open(c->rq, 200);
    jw_string(w, "webhook_secret", secret.text);
    return reply_close(w);
}

/* ---- POST /webhooks/{id}/redeliver, POST /webhooks/recover ---- */

struct resending {
    struct api_call *call;
    struct uuid id;       /* of the only one */
    int64_t since_ms;     /* of all that failed */
    struct reply *answer; /* reset by each run of the transaction */
};

static struct reply *reply_event(struct api_call *c, struct uuid id)
{
    struct json_writer *w;
    struct event e;

    if (events_get(c->ctx->db, c->arena, c->agent->id, id, &e) != LOOKUP_FOUND)
        return NULL;
    w = reply_open(c->rq, 200);
    event_write(w, "event", &e);
    return reply_close(w);
}

static struct reply *reply_recovered(struct api_call *c, uint64_t recovered)
{
    struct json_writer *w = reply_open(c->rq, 200);

    jw_integer(w, "recovered", (int64_t)recovered);
    return reply_close(w);
}

/* The answer is noted with the work that it tells of. */
static enum tx_verdict resending_end(struct resending *r)
{
    enum db_update noted;

    if (r->answer == NULL || (noted = idempotency_note(r->call, r->answer, false)) == DB_ERROR)
        return TX_FAILED;
    if (noted == UNCHANGED)
        r->answer = reply_err(r->call->rq, &E_IN_PROGRESS);
    return noted == UPDATED ? TX_COMMIT : TX_ROLLBACK;
}

/* The callback was removed meanwhile, or the database failed. */
static enum tx_verdict resending_refuse(struct resending *r, enum db_update done)
{
    r->answer = reply_err(r->call->rq, &E_NO_CALLBACK);
    return done == DB_ERROR ? TX_FAILED : TX_ROLLBACK;
}

static enum tx_verdict redeliver_tx(struct db *db, void *arg)
{
    struct resending *r = arg;
    enum db_update done = events_redeliver(db, r->call->agent->id, r->id);

    if (done != UPDATED)
        return resending_refuse(r, done);
    r->answer = reply_event(r->call, r->id);
    return resending_end(r);
}

static enum tx_verdict recover_tx(struct db *db, void *arg)
{
    struct resending *r = arg;
    uint64_t recovered;
    enum db_update done = events_recover(db, r->call->agent->id, r->since_ms, &recovered);

    if (done != UPDATED)
        return resending_refuse(r, done);
    r->answer = reply_recovered(r->call, recovered);
    return resending_end(r);
}

static struct reply *resend(struct resending *r, tx_fn *tx)
{
    struct api_call *c = r->call;

    if (c->agent->callback_url == NULL)
        return reply_err(c->rq, &E_NO_CALLBACK);
    switch (db_transact(c->ctx->db, tx, r)) {
    case TX_DONE:
    case TX_REFUSED:
        return r->answer;
    case TX_BROKEN:
    case TX_UNKNOWN:
        break;
    }
    return NULL;
}

static struct reply *redeliver_webhook(struct api_call *c, const void *arg)
{
    struct event e;
    enum lookup found = event_named(c, &e);

    (void)arg;
    if (found == LOOKUP_ERROR)
        return NULL;
    if (found == LOOKUP_NONE)
        return reply_err(c->rq, &E_EVENT_NOT_FOUND);
    return resend(&(struct resending){ .call = c, .id = e.id }, redeliver_tx);
}

static struct reply *recover_webhooks(struct api_call *c, const void *arg)
{
    const struct recover_in *in = arg;

    return resend(&(struct resending){ .call = c, .since_ms = in->since_ms }, recover_tx);
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1 "/webhooks",
        .auth = AUTH_ACTIVE,
        .denied = &E_UNAUTHORIZED,
        .internal = &E_INTERNAL,
        TAKES(webhooks_params, struct webhooks_in),
        .handler = list_webhooks,
        .flags = LISTS | CORE,
        .tool = "list_webhooks",
        .summary = "Webhook deliveries",
        .about = "Every event with its delivery, newest first.",
        .tag = TAG_WEBHOOKS,
        .skill = SKILL_WEBHOOKS,
        .status = 200,
        .answer = &webhooks_schema,
    },
    {
        .method = POST,
        .path = V1 "/webhooks/test",
        .auth = AUTH_ACTIVE,
        .denied = &E_UNAUTHORIZED,
        .internal = &E_INTERNAL,
        .handler = test_webhook,
        .flags = ONCE | TESTS | CORE,
        .tool = "test_webhook",
        .summary = "Send a test webhook",
        .about = "Within the call: success says whether the receiver took it.",
        .tag = TAG_WEBHOOKS,
        .skill = SKILL_WEBHOOKS,
        .status = 200,
        .answer = &webhook_tested_schema,
        .errors = ERRORS{ &E_NO_CALLBACK, NULL },
        .hints = HINT_ADDITIVE | HINT_OPEN_WORLD,
    },
};

const struct endpoint_group webhooks_endpoints = { ENDPOINT_ROWS(rows) };

/* For a secret or an event that got lost; documents list them after everything else. */
static const struct endpoint recovery_rows[] = {
    {
        .method = POST,
        .path = V1 "/webhooks/secret",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        .handler = renew_webhook_secret,
        .tool = "renew_webhook_secret",
        .summary = "Renew the webhook secret",
        .about = "For a day deliveries carry both signatures.",
        .tag = TAG_WEBHOOKS,
        .status = 200,
        .answer = &webhook_secret_schema,
        .errors = ERRORS{ &E_STOPPED, &E_CALLBACK_CHANGES, NULL },
    },
    {
        .method = POST,
        .path = V1 "/webhooks/{id}/redeliver",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        .handler = redeliver_webhook,
        .flags = ONCE,
        .tool = "redeliver_webhook",
        .summary = "Send an event again",
        .about =
            "To the present callback_url, with its id unchanged; a security event to where it went at first.",
        .tag = TAG_WEBHOOKS,
        .skill = SKILL_WEBHOOKS,
        .path_param = &event_id,
        .status = 200,
        .answer = &redelivered_schema,
        .errors = ERRORS{ &E_EVENT_NOT_FOUND, &E_NO_CALLBACK, NULL },
        .hints = HINT_ADDITIVE | HINT_OPEN_WORLD,
    },
    {
        .method = GET,
        .path = V1 "/webhooks/{id}",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        .handler = show_webhook,
        .tool = "get_webhook",
        .summary = "One webhook",
        .about = "Its payload, and how its last attempts went.",
        .tag = TAG_WEBHOOKS,
        .skill = SKILL_WEBHOOKS,
        .path_param = &event_id,
        .status = 200,
        .answer = &shown_schema,
        .errors = ERRORS{ &E_EVENT_NOT_FOUND, NULL },
    },
    {
        .method = POST,
        .path = V1 "/webhooks/recover",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(recover_params, struct recover_in),
        .handler = recover_webhooks,
        .flags = ONCE,
        .tool = "recover_webhooks",
        .summary = "Send failed events again",
        .about = "All since then, likewise: for a receiver that was away.",
        .tag = TAG_WEBHOOKS,
        .skill = SKILL_WEBHOOKS,
        .status = 200,
        .answer = &recovered_schema,
        .errors = ERRORS{ &E_NO_CALLBACK, NULL },
        .hints = HINT_ADDITIVE | HINT_OPEN_WORLD,
    },
};

static const struct endpoint_event recovery_events[] = {
    { EVENT_SECRET_RENEWED, "onWebhookSecretRenewed", &secret_renewed_schema },
    { .type = NULL },
};

const struct endpoint_group webhook_recovery_endpoints = { ENDPOINT_ROWS(recovery_rows),
                                                           .events = recovery_events };
