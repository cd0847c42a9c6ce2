#include <inttypes.h>
#include <unistd.h>

#include "api/admission/api_call.h"
#include "api/admission/meter.h"
#include "api/documents/documents.h"
#include "api/endpoint/endpoint.h"
#include "service/conf.h"
#include "signer/client.h"
#include "store/events.h"
#include "store/executions.h"
#include "store/migrate.h"

static struct reply *get_healthz(struct api_call *c, const void *arg)
{
    (void)arg;
    return reply_json(c->rq, 200, json_pack("{s:s}", "status", "ok"));
}

struct health {
    bool database, durable, schema, signer;
    unsigned standing; /* the signer's */
    /* Age of the oldest overdue work in seconds; one that grows means that cron does not run the jobs. */
    int64_t executions_overdue, webhooks_overdue;
};

static struct health health_read(const struct ctx *ctx)
{
    struct health h = { .signer = false };

    h.signer = signer_ping(ctx->signer, &h.standing) == SIGNER_OK;
    h.database = db_ready(ctx->db) && db_is_durable(ctx->db, &h.durable);
    h.schema = h.database && migrate_fit(ctx->db) == SCHEMA_FITS;
    if (h.schema) {
        h.executions_overdue = executions_overdue(ctx->db);
        h.webhooks_overdue = events_overdue(ctx->db);
    }
    return h;
}

static bool health_is_ready(const struct health *h)
{
    return h->database && h->durable && h->schema && h->signer;
}

/* What protects the keys from this worker; readiness does not depend on it. */
static const char *keys_protected(unsigned standing)
{
    if (geteuid() == 0)
        return "not from workers that are root";
    return standing & SIGNER_APART ? "from code in a worker" : "in memory only";
}

static json_t *signer_standing(unsigned standing)
{
    return json_pack("{s:s, s:b, s:b}", "keys_protected", keys_protected(standing), "memory_locked",
                     (standing & SIGNER_LOCKED) != 0, "stopped", (standing & SIGNER_STOPPED) != 0);
}

/* Which of the configured servers answers and its state in the cluster, or why none does. */
static json_t *database_view(const struct db *db)
{
    const char *standing;
    unsigned server = db_server(db, &standing);

    if (server == 0)
        return json_pack("{s:n, s:s}", "server", "reason", standing);
    return json_pack("{s:i, s:s}", "server", (int)server, "standing", standing);
}

static struct reply *get_readyz(struct api_call *c, const void *arg)
{
    struct health h = health_read(c->ctx);
    bool ready = health_is_ready(&h);
    json_t *body =
        json_pack("{s:b, s:s, s:{s:b, s:b, s:b, s:b}, s:o}", "success", ready, "status",
                  ready ? "ready" : "not ready", "checks", "database", h.database, "durable", h.durable,
                  "schema", h.schema, "signer", h.signer, "database", database_view(c->ctx->db));

    (void)arg;
    if (h.signer)
        json_object_set_new(body, "signer", signer_standing(h.standing));
    if (h.schema)
        json_object_set_new(body, "overdue_seconds",
                            json_pack("{s:I, s:I}", "swaps", (json_int_t)h.executions_overdue, "webhooks",
                                      (json_int_t)h.webhooks_overdue));
    return reply_json(c->rq, ready ? 200 : 503, body);
}

/* ---- for Prometheus ---- */

/* Behind an untrusted proxy nobody can tell who asks. */
static bool is_passed_on(const struct api_call *c)
{
    static const char *const marks[] = { "HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP",
                                         "HTTP_VIA" };
    bool passed = false;

    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        passed = passed || request_header(c->rq, marks[i]) != NULL;
    return passed;
}

static bool may_read_metrics(const struct api_call *c)
{
    const struct conf *conf = c->ctx->conf;
    const char *remote = request_header(c->rq, "REMOTE_ADDR");

    if (is_passed_on(c) && !ip_address_in_list(ip_address_client(remote, NULL, ""), conf->trusted_proxies))
        return false;
    return ip_address_in_list(ip_address_client(request_header(c->rq, "REMOTE_ADDR"),
                                                request_header(c->rq, "HTTP_X_FORWARDED_FOR"),
                                                conf->trusted_proxies),
                              conf->metrics_from);
}

static void write_metric_head(struct buf *out, const char *name, const char *type, const char *help)
{
    buf_addf(out, "# HELP gateway_%s %s\n# TYPE gateway_%s %s\n", name, help, name, type);
}

static void write_checks(struct buf *out, const struct health *h)
{
    write_metric_head(out, "check", "gauge",
                      "Whether a part that the gateway cannot do without is in order.");
    buf_addf(out, "gateway_check{part=\"database\"} %d\n", h->database);
    buf_addf(out, "gateway_check{part=\"durable\"} %d\n", h->durable);
    buf_addf(out, "gateway_check{part=\"schema\"} %d\n", h->schema);
    buf_addf(out, "gateway_check{part=\"signer\"} %d\n", h->signer);
}

static void write_answers(struct buf *out, struct meter *m)
{
    static const char *const classes[METER_CLASSES] = { "2xx", "3xx", "4xx", "429", "5xx" };
    uint64_t counts[METER_CLASSES];

    meter_answers(m, counts);
    write_metric_head(out, "answers_total", "counter", "Answers of this host by their status.");
    for (int i = 0; i < METER_CLASSES; i++)
        buf_addf(out, "gateway_answers_total{status=\"%s\"} %" PRIu64 "\n", classes[i], counts[i]);
}

static void write_work(struct buf *out, const struct health *h, struct db *db)
{
    write_metric_head(out, "overdue_seconds", "gauge",
                      "Age of the oldest due work that nobody has done yet.");
    buf_addf(out, "gateway_overdue_seconds{work=\"swaps\"} %" PRId64 "\n", h->executions_overdue);
    buf_addf(out, "gateway_overdue_seconds{work=\"webhooks\"} %" PRId64 "\n", h->webhooks_overdue);
    write_metric_head(out, "swaps_in_flight", "gauge", "Swaps that are followed on their chains.");
    buf_addf(out, "gateway_swaps_in_flight %" PRId64 "\n", executions_in_flight(db));
}

static struct reply *get_metrics(struct api_call *c, const void *arg)
{
    struct buf out = BUF_INIT(16 * 1024);
    struct health h;
    const char *text;

    (void)arg;
    if (!may_read_metrics(c))
        return reply_err(c->rq, &E_NOT_FOUND);
    h = health_read(c->ctx);
    write_metric_head(&out, "info", "gauge", "The version that answers.");
    buf_adds(&out, "gateway_info{version=\"" GATEWAY_VERSION "\"} 1\n");
    write_checks(&out, &h);
    write_answers(&out, c->ctx->meter);
    if (h.schema)
        write_work(&out, &h, c->ctx->db);
    text = arena_strdup(c->arena, buf_text(&out));
    buf_free(&out);
    return reply_as(c->rq, "text/plain; version=0.0.4; charset=utf-8", text);
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = "/healthz",
        .auth = AUTH_NONE,
        .limit = LIMIT_NONE,
        .internal = &E_INTERNAL,
        .handler = get_healthz,
        .summary = "Whether the process answers",
    },
    {
        .method = GET,
        .path = "/readyz",
        .auth = AUTH_NONE,
        .limit = LIMIT_NONE,
        .internal = &E_INTERNAL,
        .handler = get_readyz,
        .summary = "Whether it can do its work",
    },
    {
        .method = GET,
        .path = "/metrics",
        .auth = AUTH_NONE,
        .limit = LIMIT_NONE,
        .internal = &E_INTERNAL,
        .handler = get_metrics,
        .summary = "Figures for Prometheus; the operator's alone",
    },
};

const struct endpoint_group health_endpoints = { ENDPOINT_ROWS(rows) };
