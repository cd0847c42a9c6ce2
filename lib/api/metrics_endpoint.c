#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "api/admission/api_call.h"
#include "api/admission/caller.h"
#include "api/admission/traffic.h"
#include "api/documents/documents.h"
#include "api/endpoint/endpoint.h"
#include "api/readiness.h"
#include "base/build.h"
#include "base/clock.h"
#include "base/metrics.h"
#include "chain/rpc/block_time.h"
#include "chain/rpc/node.h"
#include "chain/rpc/node_health.h"
#include "drift/report.h"
#include "exec/bridge.h"
#include "exec/outcome.h"
#include "net/bulkhead.h"
#include "net/scoreboard.h"
#include "net/venues.h"
#include "predict/relayer_quota.h"
#include "route/provider_service.h"
#include "route/provider_state.h"
#include "service/conf.h"
#include "signer/client.h"
#include "store/bridges.h"
#include "store/executions.h"
#include "store/job_runs.h"
#include "store/queues.h"
#include "store/trading_halts.h"
#include "webhook/deliver.h"

enum {
    SERIES_MAX = 2000,
    TEXT_MAX = 512 * 1024,
    US = 1000000, /* in a second */
    MS = 1000,
};

/* ---- the page ---- */

struct metrics {
    struct buf text;
    unsigned series;
    const struct ctx *ctx;
    struct arena *arena;
};

static void page_head(struct metrics *p, const char *name, const char *type, const char *help)
{
    buf_addf(&p->text, "# HELP gateway_%s %s\n# TYPE gateway_%s %s\n", name, help, name, type);
}

/* A name with its labels, and the value. Monitors store every series, so their number is limited. */
#define SERIES(p, ...)                                                                                       \
    do {                                                                                                     \
        if ((p)->series++ < SERIES_MAX)                                                                      \
            buf_addf(&(p)->text, "gateway_" __VA_ARGS__);                                                    \
    } while (0)

/* A counter without labels, or with one. */
static void page_counter(struct metrics *p, const char *name, const char *help)
{
    page_head(p, name, "counter", help);
    SERIES(p, "%s %" PRIu64 "\n", name, metric_read(METRIC(name)));
}

static void page_counters(struct metrics *p, const char *name, const char *help, const char *label,
                          const char *const *values)
{
    page_head(p, name, "counter", help);
    for (; *values != NULL; values++)
        SERIES(p, "%s{%s=\"%s\"} %" PRIu64 "\n", name, label, *values, metric_read(METRIC(name, *values)));
}

static void page_gauge(struct metrics *p, const char *name, const char *help, int64_t value)
{
    page_head(p, name, "gauge", help);
    SERIES(p, "%s %" PRId64 "\n", name, value);
}

/* `unit`: how many of what was observed make a second. `labels`: none, or some with a comma behind. */
static void page_histogram(struct metrics *p, const char *name, const char *labels, struct metric f,
                           metric_scale scale, uint64_t unit)
{
    uint64_t count = 0, sum = metric_sum(f);
    unsigned i = 0;

    for (; i < BUCKETS_MAX && scale[i] != 0; i++) {
        count += metric_bucket(f, i);
        SERIES(p, "%s_bucket{%sle=\"%" PRIu64 ".%06" PRIu64 "\"} %" PRIu64 "\n", name, labels,
               scale[i] / unit, scale[i] % unit * (US / unit), count);
    }
    count += metric_bucket(f, i);
    SERIES(p, "%s_bucket{%sle=\"+Inf\"} %" PRIu64 "\n", name, labels, count);
    SERIES(p, "%s_sum{%.*s} %" PRIu64 ".%06" PRIu64 "\n", name, (int)strlen(labels) - (*labels != '\0'),
           labels, sum / unit, sum % unit * (US / unit));
    SERIES(p, "%s_count{%.*s} %" PRIu64 "\n", name, (int)strlen(labels) - (*labels != '\0'), labels, count);
}

/* ---- the service itself ---- */

static void page_checks(struct metrics *p, const struct readiness *r)
{
    struct readiness_part parts[READINESS_PARTS];

    readiness_parts(r, parts);
    page_head(p, "info", "gauge", "The version that answers.");
    SERIES(p, "info{version=\"%s\"} 1\n", build_version);
    page_gauge(p, "start_time_seconds", "Unix time at which the gateway began.", p->ctx->since_s);
    page_gauge(p, "ready", "Whether /readyz is green.", readiness_is_given(r));
    page_head(p, "check", "gauge", "Whether a part that the gateway cannot do without is in order.");
    for (size_t i = 0; i < READINESS_PARTS; i++)
        SERIES(p, "check{part=\"%s\"} %d\n", parts[i].name, parts[i].fine);
    page_counter(p, "readiness_looks_total", "Looks at what /readyz shows, at most one a second.");
    page_counter(p, "log_lines_lost_total", "Lines of logs that could not be written.");
    page_counters(p, "database_errors_total", "Statements and connections that failed.", "kind",
                  db_error_kinds);
}

static void page_workers(struct metrics *p)
{
    unsigned busy = scoreboard_count(p->ctx->scoreboard, WORKER_BUSY),
             waiting = bulkhead_waiting(p->ctx->waiting);

    page_head(p, "workers", "gauge", "Workers that may wait for third parties.");
    SERIES(p, "workers{state=\"busy\"} %u\n", busy > waiting ? busy - waiting : 0);
    SERIES(p, "workers{state=\"waiting\"} %u\n", waiting);
    SERIES(p, "workers{state=\"idle\"} %u\n", scoreboard_count(p->ctx->scoreboard, WORKER_IDLE));
    page_gauge(p, "workers_max", "As many as there may be.", scoreboard_size(p->ctx->scoreboard));
    page_gauge(p, "waiting_calls",
               "Calls that wait for the end of what they began or show; they hold no worker.",
               scoreboard_parked(p->ctx->scoreboard));
}

static void page_signer(struct metrics *p, const struct readiness *r)
{
    page_gauge(p, "signer_stopped", "Whether the signer's kill switch is set.",
               (r->standing & SIGNER_STOPPED) != 0);
    page_counter(p, "signatures_total", "Transactions and messages that were signed.");
    page_head(p, "signer_refusals_total", "counter", "What was not signed, by the rule against it.");
    SERIES(p, "signer_refusals_total{rule=\"away\"} %" PRIu64 "\n",
           metric_read(METRIC("signer_refusals_total", "away")));
    for (enum signer_rule rule = RULE_NONE; rule < RULES; rule++)
        SERIES(p, "signer_refusals_total{rule=\"%s\"} %" PRIu64 "\n", signer_rule_text(rule),
               metric_read(METRIC("signer_refusals_total", signer_rule_text(rule))));
}

static bool is_asked(const struct endpoint *row)
{
    uint64_t n = 0;

    for (const char *const *code = traffic_codes; *code != NULL; code++)
        n += metric_read(traffic_answers(row, *code));
    return n > 0;
}

static const char *row_labels(const struct metrics *p, const struct endpoint *row)
{
    return row == NULL
               ? "method=\"\",path=\"\","
               : arena_printf(p->arena, "method=\"%s\",path=\"%s\",", method_text(row->method), row->path);
}

static void page_answers(struct metrics *p, const struct endpoint *row)
{
    for (const char *const *code = traffic_codes; *code != NULL; code++) {
        uint64_t n = metric_read(traffic_answers(row, *code));

        if (n > 0)
            SERIES(p, "requests_total{%scode=\"%s\"} %" PRIu64 "\n", row_labels(p, row), *code, n);
    }
}

static void page_times(struct metrics *p, const struct endpoint *row)
{
    if (is_asked(row))
        page_histogram(p, "request_seconds", row_labels(p, row), traffic_times(row), traffic_scale, US);
}

/* These come last, since they are the most; endpoints without requests are left out. Calls to unknown paths
 * have no row. */
static void page_traffic(struct metrics *p)
{
    const struct endpoint *const *row;

    page_head(p, "requests_total", "counter", "Requests by endpoint and status.");
    page_answers(p, NULL);
    for (row = endpoints_all(); *row != NULL; row++)
        page_answers(p, *row);
    page_head(p, "request_seconds", "histogram", "From a request to its answer.");
    page_times(p, NULL);
    for (row = endpoints_all(); *row != NULL; row++)
        page_times(p, *row);
}

/* ---- third parties ---- */

static void page_provider_counts(struct metrics *p, const struct provider *const *on)
{
    static const struct {
        const char *name, *help;
        size_t at;
        unsigned unit;
    } figures[] = {
        { "provider_asked_total", "Questions to providers of routes.",
          offsetof(struct provider_counts, asked), 1 },
        { "provider_answered_total", "Those that were answered.", offsetof(struct provider_counts, answered),
          1 },
        { "provider_seconds_total", "The time that they took.", offsetof(struct provider_counts, took_ms),
          MS },
        { "provider_findings_total", "Transactions that were not what had been offered.",
          offsetof(struct provider_counts, check_reports), 1 },
    };

    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        page_head(p, figures[i].name, "counter", figures[i].help);
        for (const struct provider *const *each = on; *each != NULL; each++) {
            struct provider_counts n = provider_counts(*each);
            uint64_t value;

            memcpy(&value, (const char *)&n + figures[i].at, sizeof value);
            SERIES(p, "%s{provider=\"%s\"} %" PRIu64 ".%03" PRIu64 "\n", figures[i].name, (*each)->key,
                   value / figures[i].unit, value % figures[i].unit);
        }
    }
}

static void page_quotes(struct metrics *p, const struct provider *const *on)
{
    page_head(p, "quotes_total", "counter", "Questions for prices, by what the provider said.");
    for (const struct provider *const *each = on; *each != NULL; each++)
        for (enum ask_end end = ASK_OFFERED; end < ASK_ENDS; end++)
            SERIES(p, "quotes_total{provider=\"%s\",outcome=\"%s\"} %" PRIu64 "\n", (*each)->key,
                   ask_end_text(end), metric_read(METRIC("quotes_total", (*each)->key, ask_end_text(end))));
}

static void page_refusals(struct metrics *p, const struct provider *const *on)
{
    static const char *const kinds[] = { "status", "server", "unreadable", "plan" };

    page_head(p, "provider_refusals_total", "counter",
              "Answers by which a provider of routes refuses this service, which no pair has to do with.");
    for (const struct provider *const *each = on; *each != NULL; each++)
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            SERIES(p, "provider_refusals_total{provider=\"%s\",kind=\"%s\"} %" PRIu64 "\n", (*each)->key,
                   kinds[i], metric_read(METRIC("provider_refusals_total", (*each)->key, kinds[i])));
}

static void page_providers(struct metrics *p)
{
    const struct provider *const *on = providers_on(p->ctx, p->arena);

    page_head(p, "provider_ready", "gauge", "Whether a provider of routes may be asked now.");
    for (const struct provider *const *each = on; *each != NULL; each++)
        SERIES(p, "provider_ready{provider=\"%s\"} %d\n", (*each)->key,
               provider_health(p->ctx, *each) == PROVIDER_READY);
    page_head(p, "provider_refused", "gauge", "Whether a provider of routes refuses this service.");
    for (const struct provider *const *each = on; *each != NULL; each++)
        SERIES(p, "provider_refused{provider=\"%s\"} %d\n", (*each)->key,
               provider_health(p->ctx, *each) == PROVIDER_REFUSED);
    page_refusals(p, on);
    page_provider_counts(p, on);
    page_quotes(p, on);
}

/* ---- venues ---- */

static void page_venues(struct metrics *p)
{
    page_head(p, "venue_refused", "gauge", "Whether a venue refuses this service.");
    for (enum venue_service v = 0; v < VENUE_SERVICES; v++)
        if (venue_is_on(p->ctx->conf, v))
            SERIES(p, "venue_refused{venue=\"%s\"} %d\n", venue_service_name(v), venue_is_refused(v));
    page_head(p, "venue_refusals_total", "counter", "Answers by which a venue refuses this service.");
    for (enum venue_service v = 0; v < VENUE_SERVICES; v++)
        for (const char *const *kind = venue_refusal_kinds; venue_is_on(p->ctx->conf, v) && *kind != NULL;
             kind++)
            SERIES(p, "venue_refusals_total{venue=\"%s\",kind=\"%s\"} %" PRIu64 "\n", venue_service_name(v),
                   *kind, metric_read(METRIC("venue_refusals_total", venue_service_name(v), *kind)));
}

/* ---- known questions ---- */

static void page_drift(struct metrics *p)
{
    struct drift_report *all = ARENA_ARRAY(p->arena, struct drift_report, DRIFT_REPORTS_MAX);
    size_t n = drift_reports(all);

    page_head(p, "drift", "gauge", "Whether a known question is not answered as it was.");
    for (size_t i = 0; i < n; i++)
        SERIES(p, "drift{source=\"%s\",state=\"%s\"} %d\n", all[i].name, drift_state_text(all[i].state),
               drift_is_incident(all[i].state));
    page_head(p, "drift_time_seconds", "gauge", "Unix time of its latest answer.");
    for (size_t i = 0; i < n; i++)
        SERIES(p, "drift_time_seconds{source=\"%s\"} %" PRId64 "\n", all[i].name, all[i].at_ms / MS);
}

/* ---- nodes ---- */

/* A node of a chain by its host: several URLs of one host are one node, for all their purposes. */
struct node_seen {
    const struct chain *chain;
    const char *node;
};
enum { NODES_SHOWN = 80 };
struct node_list {
    struct node_seen of[NODES_SHOWN];
    unsigned count;
};

static void node_list_add(void *arg, const struct chain *c, const char *node)
{
    struct node_list *l = arg;

    for (unsigned i = 0; i < l->count; i++)
        if (l->of[i].chain == c && strcmp(l->of[i].node, node) == 0)
            return;
    if (l->count < NODES_SHOWN)
        l->of[l->count++] = (struct node_seen){ c, node };
}

static uint64_t rpc_count(const struct node_seen *n)
{
    return metric_bucket(METRIC("rpc_milliseconds", n->chain->key, n->node), 0);
}

static void page_rpc(struct metrics *p, const struct node_list *l)
{
    page_head(p, "rpc_seconds", "summary", "Calls to nodes, and the time that they took.");
    for (const struct node_seen *n = l->of; n < l->of + l->count; n++) {
        uint64_t ms = metric_sum(METRIC("rpc_milliseconds", n->chain->key, n->node));

        SERIES(p, "rpc_seconds_sum{chain=\"%s\",node=\"%s\"} %" PRIu64 ".%03" PRIu64 "\n", n->chain->key,
               n->node, ms / MS, ms % MS);
        SERIES(p, "rpc_seconds_count{chain=\"%s\",node=\"%s\"} %" PRIu64 "\n", n->chain->key, n->node,
               rpc_count(n));
    }
    page_head(p, "rpc_errors_total", "counter", "Calls to nodes that brought no answer, or a failure.");
    for (const struct node_seen *n = l->of; n < l->of + l->count; n++)
        SERIES(p, "rpc_errors_total{chain=\"%s\",node=\"%s\"} %" PRIu64 "\n", n->chain->key, n->node,
               metric_read(METRIC("rpc_errors_total", n->chain->key, n->node)));
}

/* Writes one figure for each watched node, by its place in the settings. */
static void page_each_node(struct metrics *p,
                           void (*one)(struct metrics *p, const struct chain *c, size_t place))
{
    for (const struct chain *c = chains; c < chains + chains_count; c++)
        for (size_t i = 0; i < nodes_count(p->ctx->nodes, c); i++)
            one(p, c, i);
}

static void page_node_ready(struct metrics *p, const struct chain *c, size_t place)
{
    if (nodes_watched(p->ctx->nodes, c))
        SERIES(p, "node_ready{chain=\"%s\",place=\"%zu\"} %d\n", c->key, place + 1,
               nodes_health(p->ctx->nodes, c, place) == NODE_READY);
}

static void page_node_up(struct metrics *p, const struct chain *c, size_t place)
{
    if (nodes_looked_at(p->ctx->nodes, c))
        SERIES(p, "node_up{chain=\"%s\",place=\"%zu\",node=\"%s\"} %d\n", c->key, place + 1,
               nodes_name(p->ctx->nodes, c, place), nodes_answers(p->ctx->nodes, c, place));
}

static void page_node_head(struct metrics *p, const struct chain *c, size_t place)
{
    struct node_head head;

    if (nodes_head(p->ctx->nodes, c, place, &head))
        SERIES(p, "node_head_age_seconds{chain=\"%s\",place=\"%zu\",node=\"%s\"} %" PRId64 "\n", c->key,
               place + 1, nodes_name(p->ctx->nodes, c, place), head.age_s);
}

static void page_chain_heads(struct metrics *p)
{
    struct node_head head;
    size_t best;

    page_head(p, "chain_head_age_seconds", "gauge",
              "Age of a chain's newest block, at the best of its nodes.");
    for (const struct chain *c = chains; c < chains + chains_count; c++)
        if (nodes_best(p->ctx->nodes, c, &best, &head))
            SERIES(p, "chain_head_age_seconds{chain=\"%s\"} %" PRId64 "\n", c->key, head.age_s);
}

static void page_block_times(struct metrics *p)
{
    page_head(
        p, "chain_block_seconds", "gauge",
        "How long a chain takes for a block, as its nodes show it, or the table of chains before that.");
    for (const struct chain *c = chains; c < chains + chains_count; c++)
        if (nodes_known(p->ctx->nodes, c))
            SERIES(p, "chain_block_seconds{chain=\"%s\"} %u.%03u\n", c->key, block_time_ms(c) / 1000,
                   block_time_ms(c) % 1000);
}

static void page_nodes(struct metrics *p)
{
    struct node_list *asked = ARENA_NEW(p->arena, struct node_list), used = { .count = 0 };

    *asked = used;
    nodes_each(p->ctx->nodes, node_list_add, asked);
    for (const struct node_seen *n = asked->of; n < asked->of + asked->count; n++)
        if (rpc_count(n) > 0)
            used.of[used.count++] = *n;
    page_rpc(p, &used);
    page_chain_heads(p);
    page_block_times(p);
    page_head(p, "node_ready", "gauge", "Whether a node is asked before those that do not do well.");
    page_each_node(p, page_node_ready);
    page_head(p, "node_up", "gauge", "Whether a node of a chain in use answers.");
    page_each_node(p, page_node_up);
    page_head(p, "node_head_age_seconds", "gauge", "Age of the newest block that a node has named.");
    page_each_node(p, page_node_head);
}

/* ---- trades ---- */

static void page_swaps_by_chain(struct metrics *p, const char *name, const char *help)
{
    page_head(p, name, "counter", help);
    for (const struct chain *c = chains; c < chains + chains_count; c++) {
        uint64_t n = metric_read(METRIC(name, c->key));

        if (nodes_known(p->ctx->nodes, c))
            SERIES(p, "%s{chain=\"%s\"} %" PRIu64 "\n", name, c->key, n);
    }
}

static void page_volume(struct metrics *p)
{
    page_head(p, "swaps_usd_total", "counter",
              "Dollars' worth of what agents gave for accepted swaps, where a price was known.");
    for (const struct chain *c = chains; c < chains + chains_count; c++) {
        uint64_t cents = metric_read(METRIC("swap_cents", c->key));

        if (nodes_known(p->ctx->nodes, c))
            SERIES(p, "swaps_usd_total{chain=\"%s\"} %" PRIu64 ".%02" PRIu64 "\n", c->key, cents / 100,
                   cents % 100);
    }
}

static void page_swap_counts(struct metrics *p)
{
    page_swaps_by_chain(p, "swaps_accepted_total",
                        "Swaps that were signed and recorded, by the chain they leave.");
    page_swaps_by_chain(p, "swaps_completed_total", "Swaps that have completed.");
    page_swaps_by_chain(p, "swaps_failed_total", "Swaps that have failed.");
    page_head(p, "swap_failures_total", "counter", "Why they did.");
    for (const char *const *code = swap_failure_codes;; code++) {
        SERIES(p, "swap_failures_total{reason=\"%s\"} %" PRIu64 "\n", *code,
               metric_read(METRIC("swap_failures_total", *code)));
        if (strcmp(*code, "OTHER") == 0)
            break;
    }
    page_head(p, "swap_seconds", "histogram", "From a swap's acceptance to its completion.");
    page_histogram(p, "swap_seconds", "", METRIC("swap_seconds"), swap_scale, 1);
    page_volume(p);
}

/* One that only a newer program knows goes by its number. */
static const char *chain_label(const struct metrics *p, uint64_t id)
{
    const struct chain *c = chain_by_id(id);

    return c == NULL ? arena_printf(p->arena, "%" PRIu64, id) : c->key;
}

static void page_swaps(struct metrics *p)
{
    struct swaps_in_state *list;
    int n = queues_swaps(p->ctx->db, p->arena, &list);

    page_head(p, "swaps", "gauge",
              "Swaps that have neither completed nor failed, of at most 2000 that are followed.");
    for (int i = 0; i < n; i++)
        SERIES(p, "swaps{chain=\"%s\",state=\"%s\"} %" PRIu64 "\n", chain_label(p, list[i].chain_id),
               exec_status_text(list[i].status), list[i].count);
    page_head(p, "swaps_oldest_seconds", "gauge", "Age of the oldest of them.");
    for (int i = 0; i < n; i++)
        SERIES(p, "swaps_oldest_seconds{chain=\"%s\",state=\"%s\"} %" PRId64 "\n",
               chain_label(p, list[i].chain_id), exec_status_text(list[i].status), list[i].oldest_s);
    page_gauge(p, "swaps_in_flight", "Swaps that are followed on their chains.",
               executions_in_flight(p->ctx->db));
}

/* Until the relayer of the prediction venue takes something of this service again. */
static void page_relayer(struct metrics *p)
{
    int64_t until_ms =
        p->ctx->relayer_key == NULL ? 0 : relayer_quota_until(p->ctx->db, p->arena, p->ctx->relayer_key);

    page_gauge(p, "prediction_relayer_wait_seconds",
               "Until the prediction venue's relayer has quota again; 0: it has.",
               until_ms == 0 ? 0 : until_ms / 1000 - clock_seconds());
}

static void page_bridges(struct metrics *p)
{
    struct bridges_figures f;

    if (!bridges_figures(p->ctx->db, BRIDGE_PATIENCE_MS / 1000, &f))
        return;
    page_gauge(p, "bridges_under_way", "Bridges that have not paid, as far as is known.",
               (int64_t)f.under_way);
    page_gauge(p, "bridges_oldest_seconds", "Age of the oldest of them.", f.oldest_s);
    page_gauge(p, "bridges_contradicted", "Those said to have paid for an hour, which no chain shows.",
               (int64_t)f.contradicted);
}

/* ---- queues and jobs ---- */

static void page_overdue(struct metrics *p, const struct readiness *r)
{
    page_head(p, "overdue_seconds", "gauge", "Age of the oldest due work that is not done yet.");
    SERIES(p, "overdue_seconds{work=\"swaps\"} %" PRId64 "\n", r->executions_overdue);
    SERIES(p, "overdue_seconds{work=\"orders\"} %" PRId64 "\n", r->orders_overdue);
    SERIES(p, "overdue_seconds{work=\"webhooks\"} %" PRId64 "\n", r->webhooks_overdue);
}

static void page_queues(struct metrics *p)
{
    struct queue q;

    if (queue_read(p->ctx->db, p->arena, QUEUE_WEBHOOKS, &q)) {
        page_gauge(p, "webhooks_waiting", "Webhooks still to be delivered, at most 2000 of them.",
                   (int64_t)q.waiting);
        page_gauge(p, "webhooks_oldest_seconds", "Age of the oldest of them.", q.oldest_s);
    }
    if (queue_read(p->ctx->db, p->arena, QUEUE_APPROVALS, &q)) {
        page_gauge(p, "approvals_waiting", "Approvals that the operator has not decided.",
                   (int64_t)q.waiting);
        page_gauge(p, "approvals_oldest_seconds", "Age of the oldest of them.", q.oldest_s);
    }
}

static void page_stops(struct metrics *p)
{
    struct active_halts h;

    if (!trading_halts_count(p->ctx->db, &h))
        return;
    page_gauge(p, "trading_stopped", "Whether all trading is stopped.", h.all);
    page_gauge(p, "database_older", "Whether it is since the database is older than it was.", h.restored);
    page_gauge(p, "agents_stopped", "Agents that the operator has stopped.", (int64_t)h.stopped);
    page_gauge(p, "agents_banned", "Agents that the operator has banned.", (int64_t)h.banned);
}

static void page_runs(struct metrics *p, const char *name, const char *help, size_t member)
{
    struct job_run *runs;
    int n = job_runs_list(p->ctx->db, p->arena, &runs);

    page_head(p, name, "gauge", help);
    for (int i = 0; i < n; i++) {
        int64_t ms;

        memcpy(&ms, (const char *)&runs[i] + member, sizeof ms);
        SERIES(p, "%s{job_name=\"%s\"} %" PRId64 "\n", name, runs[i].job, ms / MS);
    }
}

static void page_work(struct metrics *p, const struct readiness *r)
{
    page_overdue(p, r);
    page_swaps(p);
    page_relayer(p);
    page_bridges(p);
    page_queues(p);
    page_stops(p);
    page_runs(p, "job_last_run_time_seconds", "Unix time at which a job did its work last; 0: never.",
              offsetof(struct job_run, done_ms));
    page_runs(p, "job_last_failure_time_seconds", "Unix time at which it could not; 0: never.",
              offsetof(struct job_run, failed_ms));
}

static void page_write(struct metrics *p)
{
    struct readiness r = readiness_read(p->ctx);

    page_checks(p, &r);
    page_workers(p);
    page_signer(p, &r);
    page_swap_counts(p);
    page_counters(p, "webhook_attempts_total", "Attempts to deliver a webhook, by what came of them.",
                  "outcome", delivery_outcomes);
    if (r.schema)
        page_work(p, &r);
    page_providers(p);
    page_venues(p);
    page_drift(p);
    page_nodes(p);
    page_traffic(p);
}

static struct reply *get_metrics(struct api_call *c, const void *arg)
{
    struct metrics p = { .text = BUF_INIT(TEXT_MAX), .ctx = c->ctx, .arena = c->arena };
    const char *text;

    (void)arg;
    if (!caller_is_from(c, c->ctx->conf->metrics_from))
        return reply_err(c->rq, &E_NOT_FOUND);
    page_write(&p);
    text = arena_strdup(c->arena, buf_text(&p.text));
    buf_free(&p.text);
    return reply_as(c->rq, "text/plain; version=0.0.4; charset=utf-8", text);
}

static const struct endpoint rows[] = {
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

const struct endpoint_group metrics_endpoints = { ENDPOINT_ROWS(rows) };
