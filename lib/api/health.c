#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "api/admission/api_call.h"
#include "api/admission/meter.h"
#include "api/documents/documents.h"
#include "api/endpoint/endpoint.h"
#include "chain/rpc/node_health.h"
#include "exec/bridge.h"
#include "predict/standing.h"
#include "route/provider_service.h"
#include "route/provider_state.h"
#include "route/uniswap_contracts.h"
#include "service/conf.h"
#include "signer/client.h"
#include "store/bridges.h"
#include "store/events.h"
#include "store/executions.h"
#include "store/migrate.h"
#include "store/predict_accounts.h"

static struct reply *get_healthz(struct api_call *c, const void *arg)
{
    struct json_writer *w = reply_open(c->rq, 200);

    (void)arg;
    jw_string(w, "status", "ok");
    return reply_close(w);
}

struct health {
    bool database, durable, schema, signer;
    unsigned standing; /* the signer's */
    /* Age of the oldest overdue work in seconds; one that grows means that cron does not run the jobs. */
    int64_t executions_overdue, orders_overdue, webhooks_overdue;
};

static struct health health_read(const struct ctx *ctx)
{
    struct health h = { .signer = false };

    h.signer = signer_ping(ctx->signer, &h.standing) == SIGNER_OK;
    h.database = db_ready(ctx->db) && db_is_durable(ctx->db, &h.durable);
    h.schema = h.database && migrate_fit(ctx->db) == SCHEMA_FITS;
    if (h.schema) {
        h.executions_overdue = executions_overdue(ctx->db);
        h.orders_overdue = predict_accounts_overdue(ctx->db);
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

static void checks_write(struct json_writer *w, const struct health *h)
{
    jw_object(w, "checks");
    jw_bool(w, "database", h->database);
    jw_bool(w, "durable", h->durable);
    jw_bool(w, "schema", h->schema);
    jw_bool(w, "signer", h->signer);
    jw_end(w);
}

/* Which of the configured servers answers and its state in the cluster, or why none does. */
static void database_write(struct json_writer *w, const struct db *db)
{
    const char *standing;
    unsigned server = db_server(db, &standing);

    jw_object(w, "database");
    if (server != 0)
        jw_integer(w, "server", server);
    else
        jw_null(w, "server");
    jw_string(w, server != 0 ? "standing" : "reason", standing);
    jw_end(w);
}

static void signer_write(struct json_writer *w, unsigned standing)
{
    jw_object(w, "signer");
    jw_string(w, "keys_protected", keys_protected(standing));
    jw_bool(w, "memory_locked", (standing & SIGNER_LOCKED) != 0);
    jw_bool(w, "stopped", (standing & SIGNER_STOPPED) != 0);
    jw_end(w);
}

static void overdue_write(struct json_writer *w, const struct health *h)
{
    jw_object(w, "overdue_seconds");
    jw_integer(w, "swaps", h->executions_overdue);
    jw_integer(w, "orders", h->orders_overdue);
    jw_integer(w, "webhooks", h->webhooks_overdue);
    jw_end(w);
}

/* ---- providers of routes ---- */

static bool provider_is_on(const struct ctx *ctx, const struct provider *p)
{
    return p->service == NULL || provider_url(ctx, p) != NULL;
}

static void provider_write(struct json_writer *w, const struct ctx *ctx, const struct provider *p)
{
    static const char *const states[] = {
        [PROVIDER_READY] = "ready",     [PROVIDER_SPENT] = "spent",     [PROVIDER_PAUSED] = "paused",
        [PROVIDER_FAILING] = "failing", [PROVIDER_SUSPECT] = "suspect",
    };
    struct provider_counts n = provider_counts(p);

    jw_object(w, NULL);
    jw_string(w, "provider", p->key);
    jw_string(w, "state", states[provider_standing(ctx, p)]);
    if (n.asked > 0)
        jw_integer(w, "latency_ms", (int64_t)(n.took_ms / n.asked));
    jw_integer(w, "findings", (int64_t)n.findings);
    jw_end(w);
}

/* As this host sees them; readiness does not depend on them. */
static void providers_write(struct json_writer *w, const struct ctx *ctx)
{
    jw_array(w, "providers");
    for (const struct provider *const *p = providers; *p != NULL; p++)
        if (provider_is_on(ctx, *p))
            provider_write(w, ctx, *p);
    jw_end(w);
}

/* ---- nodes of chains ---- */

static void node_write(struct json_writer *w, const struct chain *c, size_t place,
                       enum node_standing standing)
{
    jw_object(w, NULL);
    jw_string(w, "chain", c->key);
    jw_integer(w, "place", (int64_t)place + 1);
    jw_string(w, "state", node_standing_text(standing));
    jw_end(w);
}

/* Those that do not do well, by their places in the settings: a key may stand in a URL. Readiness does not
 * depend on them. */
static void nodes_write(struct json_writer *w, const struct nodes *n)
{
    jw_array(w, "nodes");
    for (const struct chain *c = chains; c < chains + chains_count; c++) {
        for (size_t i = 0; i < nodes_count(n, c); i++) {
            enum node_standing standing = nodes_standing(n, c, i);

            if (standing != NODE_READY)
                node_write(w, c, i, standing);
        }
    }
    jw_end(w);
}

/* What the operator should know and readiness does not depend on. */
static void notes_write(struct json_writer *w, const struct ctx *ctx)
{
    jw_array(w, "notes");
    standing_notes(w, ctx);
    uniswap_contracts_notes(w);
    jw_end(w);
}

static struct reply *get_readyz(struct api_call *c, const void *arg)
{
    struct health h = health_read(c->ctx);
    bool ready = health_is_ready(&h);
    struct json_writer *w = reply_open(c->rq, ready ? 200 : 503);

    (void)arg;
    jw_string(w, "status", ready ? "ready" : "not ready");
    checks_write(w, &h);
    database_write(w, c->ctx->db);
    if (h.signer)
        signer_write(w, h.standing);
    if (h.schema) {
        overdue_write(w, &h);
        notes_write(w, c->ctx);
    }
    providers_write(w, c->ctx);
    nodes_write(w, c->ctx->nodes);
    return reply_close(w);
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
    buf_addf(out, "gateway_overdue_seconds{work=\"orders\"} %" PRId64 "\n", h->orders_overdue);
    buf_addf(out, "gateway_overdue_seconds{work=\"webhooks\"} %" PRId64 "\n", h->webhooks_overdue);
    write_metric_head(out, "swaps_in_flight", "gauge", "Swaps that are followed on their chains.");
    buf_addf(out, "gateway_swaps_in_flight %" PRId64 "\n", executions_in_flight(db));
}

static void write_bridges(struct buf *out, struct db *db)
{
    struct bridges_figures f;

    if (!bridges_figures(db, BRIDGE_PATIENCE_MS / 1000, &f))
        return;
    write_metric_head(out, "bridges_under_way", "gauge", "Bridges that have not paid, as far as is known.");
    buf_addf(out, "gateway_bridges_under_way %" PRIu64 "\n", f.under_way);
    write_metric_head(out, "bridges_oldest_seconds", "gauge", "Age of the oldest of them.");
    buf_addf(out, "gateway_bridges_oldest_seconds %" PRIu64 "\n", f.oldest_s);
    write_metric_head(out, "bridges_contradicted", "gauge",
                      "Those said to have paid for an hour, which no chain shows.");
    buf_addf(out, "gateway_bridges_contradicted %" PRIu64 "\n", f.contradicted);
}

static void write_provider_counts(struct buf *out, const struct ctx *ctx)
{
    static const struct {
        const char *name, *help;
        size_t at;
    } figures[] = {
        { "provider_asked_total", "Questions to providers of routes.",
          offsetof(struct provider_counts, asked) },
        { "provider_answered_total", "Those that were answered.",
          offsetof(struct provider_counts, answered) },
        { "provider_milliseconds_total", "The time that they took.",
          offsetof(struct provider_counts, took_ms) },
        { "provider_findings_total", "Transactions that were not what had been offered.",
          offsetof(struct provider_counts, findings) },
    };

    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        write_metric_head(out, figures[i].name, "counter", figures[i].help);
        for (const struct provider *const *p = providers; *p != NULL; p++) {
            struct provider_counts n = provider_counts(*p);
            uint64_t value;

            memcpy(&value, (const char *)&n + figures[i].at, sizeof value);
            if (provider_is_on(ctx, *p))
                buf_addf(out, "gateway_%s{provider=\"%s\"} %" PRIu64 "\n", figures[i].name, (*p)->key, value);
        }
    }
}

static void write_providers(struct buf *out, const struct ctx *ctx)
{
    write_metric_head(out, "provider_ready", "gauge", "Whether a provider of routes may be asked now.");
    for (const struct provider *const *p = providers; *p != NULL; p++)
        if (provider_is_on(ctx, *p))
            buf_addf(out, "gateway_provider_ready{provider=\"%s\"} %d\n", (*p)->key,
                     provider_standing(ctx, *p) == PROVIDER_READY);
    write_provider_counts(out, ctx);
}

static void write_nodes(struct buf *out, const struct nodes *n)
{
    write_metric_head(out, "node_ready", "gauge",
                      "Whether a node is asked before those that do not do well.");
    for (const struct chain *c = chains; c < chains + chains_count; c++)
        for (size_t i = 0; nodes_watched(n, c) && i < nodes_count(n, c); i++)
            buf_addf(out, "gateway_node_ready{chain=\"%s\",place=\"%zu\"} %d\n", c->key, i + 1,
                     nodes_standing(n, c, i) == NODE_READY);
}

static struct reply *get_metrics(struct api_call *c, const void *arg)
{
    struct buf out = BUF_INIT(64 * 1024);
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
    write_providers(&out, c->ctx);
    write_nodes(&out, c->ctx->nodes);
    if (h.schema) {
        write_work(&out, &h, c->ctx->db);
        write_bridges(&out, c->ctx->db);
    }
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
