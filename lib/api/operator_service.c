#include "api/admission/meter.h"
#include "api/documents/documents.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/schemas.h"
#include "api/operator_call.h"
#include "base/build.h"
#include "base/clock.h"
#include "model/operator_token.h"
#include "net/url.h"
#include "operator/admin_audit.h"
#include "operator/status.h"
#include "store/agents.h"
#include "store/job_runs.h"

enum { LOADS_MAX = 50 };

/* ---- parameters ---- */

struct audit_in {
    const char *agent;
    uint64_t limit;
};

static const struct param audit_params[] = {
    PARAM_OF_AGENT(struct audit_in),
    PARAM_SHOWN(struct audit_in),
    { 0 },
};

/* ---- answers ---- */

/* clang-format off */
static const struct schema openapi_schema = { "OpenApiDocument", "An OpenAPI 3.1 description", FIELDS {
    { "openapi", TEXT("3.1.0"), "Version of OpenAPI" },
    { "info",    FREE,          "Title and version" },
    { "paths",   FREE,          "The operator's endpoints" },
    END }, .open = true };

static const struct schema token_schema = { "Token", "Whose token this is", FIELDS {
    SUCCESS,
    { "name",       TEXT("anna"),  "Its name, which the audit log gives for what is done with it" },
    { "read_only",  FLAG("false"), "It changes nothing" },
    { "created_at", TIME(A_TIME),  "When it was made" },
    { "version",    TEXT("1.0.0"), "The version that answers" },
    END } };

static const struct schema part_schema = { "Part", "A program, a chain, or something that the service needs", FIELDS {
    { "name",     TEXT("swap-poll"),            "What it is" },
    { "ok",       FLAG("true"),                 "Whether it is in order" },
    { "required", FLAG("false"),                "Without it nothing works" },
    { "detail",   TEXT("at work 2 s ago"),      "What it does, or the cause" },
    END } };

static const struct schema incident_schema = { "Trouble", "Something that the programs of this host have in their logs as not over", FIELDS {
    { "event",  TEXT("node_failing"), "As logs.md has it" },
    { "since",  TIME(A_TIME),         "The first time" },
    { "count",  WHOLE("3"),           "How often" },
    { "lasts",  FLAG("true"),         "An error that goes on, no warning" },
    { "detail", TEXT("chain=base"),   "What the latest line says" },
    END } };

static const struct schema node_schema = { "Node", "A node of a chain, asked just now", FIELDS {
    { "chain",      TEXT("base"),          "The chain's key" },
    { "place",      WHOLE("1"),            "Its place in the settings" },
    { "host",       TEXT("base.example"),  "Of its URL" },
    { "latency_ms", WHOLE("35"),           "How long it took" },
    { "head",       WHOLE("1024"),         "Its newest block" },
    { "age_s",      WHOLE("2"),            "Seconds since that block; null: unknown", MAY_BE_NULL },
    { "fresh",      FLAG("true"),          "The chain goes on, as it sees it" },
    { "error",      TEXT("null"),          "Why it did not answer", MAY_BE_NULL },
    END } };

static const struct schema status_schema = { "Status", "How the service stands", FIELDS {
    SUCCESS,
    { "parts",    LIST(part_schema),    "Programs, jobs and chains" },
    { "troubles", LIST(incident_schema), "Of this host, errors first" },
    { "nodes",    LIST(node_schema),    "By chain and place" },
    END } };

static const struct schema queue_schema = { "Queue", "What waits to be done", FIELDS {
    { "name",      TEXT("webhooks"),       "swaps, orders, bridges, webhooks or approvals" },
    { "waiting",   WHOLE("3"),             "How many, of at most 2000 that are counted" },
    { "oldest_s",  WHOLE("12"),            "Seconds since the oldest came" },
    { "overdue_s", WHOLE("0"),             "Seconds since something could have been done for one" },
    { "host",      TEXT("agent.example"),  "Where the oldest webhook goes", MAY_BE_NULL },
    { "error",     TEXT("answered 503"),   "What it met last", MAY_BE_NULL },
    END } };

static const struct schema job_schema = { "Job", "A background job, on whichever host", FIELDS {
    { "name",      TEXT("swap-poll"), "What it is called" },
    { "done_at",   TIME(A_TIME),      "When it did its work last; null: never", MAY_BE_NULL },
    { "failed_at", TIME("null"),      "When it could not, last", MAY_BE_NULL },
    END } };

static const struct schema queues_schema = { "Queues", "What waits, and who works on it", FIELDS {
    SUCCESS,
    { "queues", LIST(queue_schema), "All of them" },
    { "jobs",   LIST(job_schema),   "Those that ever ran" },
    END } };

static const struct schema load_schema = { "Load", "What an agent's requests came to on this host", FIELDS {
    { "agent",    UUID(AN_ID),         "The agent" },
    { "name",     TEXT("trading bot"), "What it calls itself; null: it is deleted", MAY_BE_NULL },
    { "requests", WHOLE("120"),        "In this and the last minute" },
    { "refused",  WHOLE("4"),          "Of them" },
    { "work_ms",  WHOLE("950"),        "The time that workers spent" },
    END } };

static const struct schema loads_schema = { "Loads", "Those that took most work first", FIELDS {
    SUCCESS,
    { "agents", LIST(load_schema), "At most 50" },
    END } };

static const struct schema line_schema = { "AuditLine", "A line of the audit log", FIELDS {
    { "at",     TEXT(A_TIME),                "When" },
    { "host",   TEXT("gateway-1"),           "On which host" },
    { "by",     TEXT("operator"),            "operator or agent" },
    { "token",  TEXT("anna"),                "The token's name; null: at a shell, or no operator", MAY_BE_NULL },
    { "act",    TEXT("tier"),                "What was done" },
    { "detail", TEXT("[\"premium\"]"),       "To whom and how, as JSON; agents by the digests of their ids", MAY_BE_NULL },
    { "reason", TEXT("asked for by mail"),   "Why", MAY_BE_NULL },
    END } };

static const struct schema audit_schema = { "Audit", "The latest line first", FIELDS {
    SUCCESS,
    { "lines", LIST(line_schema), "Of all hosts" },
    END } };
/* clang-format on */

/* ---- handlers ---- */

static struct reply *get_openapi(struct api_call *c, const void *arg)
{
    (void)arg;
    return reply_document(c->rq, &c->ctx->documents->operator);
}

static struct reply *get_token(struct api_call *c, const void *arg)
{
    struct json_writer *w = reply_open(c->rq, 200);

    (void)arg;
    jw_string(w, "name", c->operator->name);
    jw_bool(w, "read_only", c->operator->read_only);
    jw_time(w, "created_at", c->operator->created_ms);
    jw_string(w, "version", build_version);
    return reply_close(w);
}

static void part_write(struct json_writer *w, const struct status_part *p)
{
    jw_object(w, NULL);
    jw_string(w, "name", p->name);
    jw_bool(w, "ok", p->ok);
    jw_bool(w, "required", p->required);
    jw_string(w, "detail", p->detail);
    jw_end(w);
}

static void incident_write(struct json_writer *w, struct arena *a, const struct incident_report *t)
{
    jw_object(w, NULL);
    jw_string(w, "event", t->event);
    jw_time(w, "since", t->since_ms);
    jw_integer(w, "count", t->count);
    jw_bool(w, "lasts", t->lasts);
    jw_string(w, "detail", arena_printf(a, "%s%s%s", t->said, *t->said != '\0' ? " " : "", t->about));
    jw_end(w);
}

static void node_write(struct json_writer *w, const struct node_report *r)
{
    jw_object(w, NULL);
    jw_string(w, "chain", r->chain->key);
    jw_integer(w, "place", (int64_t)r->place);
    jw_string(w, "host", r->host);
    jw_integer(w, "latency_ms", r->latency_ms);
    jw_integer(w, "head", (int64_t)r->head);
    if (r->age_s >= 0)
        jw_integer(w, "age_s", r->age_s);
    else
        jw_null(w, "age_s");
    jw_bool(w, "fresh", node_report_is_fresh(r));
    jw_string_or_null(w, "error", r->error);
    jw_end(w);
}

static struct reply *get_status(struct api_call *c, const void *arg)
{
    struct operator_status *s = ARENA_NEW(c->arena, struct operator_status);
    struct json_writer *w;

    (void)arg;
    operator_status(c->ctx, c->arena, s);
    w = reply_open(c->rq, 200);
    jw_array(w, "parts");
    for (size_t i = 0; i < s->part_count; i++)
        part_write(w, &s->parts[i]);
    jw_end(w);
    jw_array(w, "troubles");
    for (size_t i = 0; i < s->incident_count; i++)
        incident_write(w, c->arena, &s->incidents[i]);
    jw_end(w);
    jw_array(w, "nodes");
    for (size_t i = 0; i < s->node_count; i++)
        node_write(w, &s->nodes[i]);
    jw_end(w);
    return reply_close(w);
}

static void queue_write(struct json_writer *w, const struct queue *q)
{
    char host[URL_HOST_TEXT_LEN] = "";

    if (q->error != NULL)
        url_host_text(host, q->url);
    jw_object(w, NULL);
    jw_string(w, "name", q->name);
    jw_integer(w, "waiting", (int64_t)q->waiting);
    jw_integer(w, "oldest_s", q->oldest_s);
    jw_integer(w, "overdue_s", q->overdue_s);
    jw_string_or_null(w, "host", q->error != NULL ? host : NULL);
    jw_string_or_null(w, "error", q->error);
    jw_end(w);
}

static struct reply *get_queues(struct api_call *c, const void *arg)
{
    struct queue queues[QUEUES];
    struct job_run *runs;
    int n = job_runs_list(c->ctx->db, c->arena, &runs);
    struct json_writer *w;

    (void)arg;
    if (n < 0 || !queues_read(c->ctx->db, c->arena, queues))
        return NULL;
    w = reply_open(c->rq, 200);
    jw_array(w, "queues");
    for (size_t i = 0; i < QUEUES; i++)
        queue_write(w, &queues[i]);
    jw_end(w);
    jw_array(w, "jobs");
    for (int i = 0; i < n; i++) {
        jw_object(w, NULL);
        jw_string(w, "name", runs[i].job);
        jw_time(w, "done_at", runs[i].done_ms);
        jw_time(w, "failed_at", runs[i].failed_ms);
        jw_end(w);
    }
    jw_end(w);
    return reply_close(w);
}

static void load_write(struct json_writer *w, const struct ctx *ctx, struct arena *a,
                       const struct meter_load *load)
{
    struct agent agent = { .name = NULL };
    char id[UUID_TEXT_LEN + 1];

    (void)agents_by_uuid(ctx->db, a, &load->agent, &agent);
    uuid_text(id, load->agent);
    jw_object(w, NULL);
    jw_string(w, "agent", id);
    jw_string_or_null(w, "name", agent.name);
    jw_integer(w, "requests", (int64_t)load->requests);
    jw_integer(w, "refused", (int64_t)load->refused);
    jw_integer(w, "work_ms", (int64_t)load->work_ms);
    jw_end(w);
}

static struct reply *get_load(struct api_call *c, const void *arg)
{
    struct meter_load loads[LOADS_MAX];
    unsigned n = meter_loads(c->ctx->meter, clock_us(), loads, LOADS_MAX);
    struct json_writer *w = reply_open(c->rq, 200);

    (void)arg;
    jw_array(w, "agents");
    for (unsigned i = 0; i < n; i++)
        load_write(w, c->ctx, c->arena, &loads[i]);
    jw_end(w);
    return reply_close(w);
}

static void line_write(struct json_writer *w, const struct operator_audit_line *l)
{
    jw_object(w, NULL);
    jw_string(w, "at", l->at);
    jw_string(w, "host", l->host);
    jw_string(w, "by", l->by);
    jw_string_or_null(w, "token", l->token);
    jw_string(w, "act", l->act);
    jw_string_or_null(w, "detail", l->detail);
    jw_string_or_null(w, "reason", l->reason);
    jw_end(w);
}

static struct reply *list_audit(struct api_call *c, const void *arg)
{
    const struct audit_in *in = arg;
    struct operator_audit_line *lines;
    struct json_writer *w;
    size_t n;
    const struct err *e = operator_call_err(
        c, operator_audit_lines(c->ctx, c->arena, in->agent, (unsigned)in->limit, &lines, &n),
        &E_AGENT_NOT_FOUND);

    if (e != NULL)
        return reply_err(c->rq, e);
    w = reply_open(c->rq, 200);
    jw_array(w, "lines");
    for (size_t i = 0; i < n; i++)
        line_write(w, &lines[i]);
    jw_end(w);
    return reply_close(w);
}

/* ---- endpoints ---- */

#define OF_SERVICE OPERATOR_ROW(TAG_OPERATOR_SERVICE)

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1_OPERATOR "/openapi",
        .auth = AUTH_NONE,
        .limit = LIMIT_NONE,
        .internal = &E_INTERNAL,
        .tag = TAG_OPERATOR_SERVICE,
        .status = 200,
        .handler = get_openapi,
        .flags = LISTS,
        .operation = "get_openapi",
        .summary = "OpenAPI description",
        .about = "This document, which needs no token: it is the same for every service of this version.",
        .answer = &openapi_schema,
    },
    {
        .method = GET,
        .path = V1_OPERATOR "/token",
        OF_SERVICE,
        .handler = get_token,
        .operation = "get_token",
        .summary = "Whose token this is",
        .about = "Under which name the audit log has what is done with it, and whether it may do anything.",
        .answer = &token_schema,
    },
    {
        .method = GET,
        .path = V1_OPERATOR "/status",
        OF_SERVICE,
        .handler = get_status,
        .flags = WAITS,
        .operation = "get_status",
        .summary = "How the service stands",
        .about =
            "Asks programs, database, web server and every node, in a few seconds at most; what is not in order says why.",
        .answer = &status_schema,
    },
    {
        .method = GET,
        .path = V1_OPERATOR "/queues",
        OF_SERVICE,
        .handler = get_queues,
        .operation = "get_queues",
        .summary = "What waits, and the jobs",
        .about =
            "How much of each kind waits, for how long, what the oldest webhook met, and when each job ran last.",
        .answer = &queues_schema,
    },
    {
        .method = GET,
        .path = V1_OPERATOR "/load",
        OF_SERVICE,
        .handler = get_load,
        .operation = "get_load",
        .summary = "Who keeps this host busy",
        .about =
            "Agents by the work that their requests of this and the last minute made on the host that answers.",
        .answer = &loads_schema,
    },
    {
        .method = GET,
        .path = V1_OPERATOR "/audit",
        OF_SERVICE,
        TAKES(audit_params, struct audit_in),
        .handler = list_audit,
        .operation = "list_audit",
        .summary = "The audit log",
        .about =
            "What the operator did and what agents changed about their safety, of all hosts or about one agent.",
        .answer = &audit_schema,
        .errors = ERRORS{ &E_AGENT_NOT_FOUND, NULL },
    },
};

const struct endpoint_group operator_service_endpoints = { ENDPOINT_ROWS(rows) };
