/* The commands of agentctl that look: at the service, at executions, at webhooks, at the audit log. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/admission/meter.h"
#include "base/clock.h"
#include "jobs/agentctl.h"
#include "net/url.h"
#include "operator/admin_audit.h"
#include "operator/admin_events.h"
#include "operator/admin_executions.h"
#include "operator/find.h"
#include "operator/status.h"
#include "service/conf.h"
#include "store/agents.h"
#include "store/transactions.h"
#include "swap/swap_view.h"

enum { SHOWN_MAX = 100, TOP_MAX = 50, EXIT_WARNING = 1, EXIT_CRITICAL = 2 };

/* ---- status ---- */

static const struct output_column part_columns[] = { { "name", 14 }, { "ok", 3 }, { "detail", 0 }, { 0 } };
static const struct output_column node_columns[] = {
    { "chain", 9 },  { "place", -5 }, { "host", 28 }, { "latency_ms", -10 },
    { "head", -12 }, { "age_s", -6 }, { "error", 0 }, { 0 },
};
static const struct output_column incident_columns[] = {
    { "event", 24 }, { "since", 24 }, { "count", -6 }, { "detail", 0 }, { 0 },
};
static const struct output_column queue_columns[] = {
    { "queue", 10 }, { "waiting", -8 }, { "oldest_s", -8 }, { "overdue_s", -9 }, { "detail", 0 }, { 0 },
};
static const struct output_column stop_columns[] = {
    { "agent", 36 }, { "trading", 7 }, { "access", 7 }, { "since", 24 }, { "name", 0 }, { 0 },
};

static void heading(struct env *env)
{
    if (!env->out.json)
        putchar('\n');
}

static void print_parts(struct env *env, const struct operator_status *s)
{
    struct output *o = &env->out;

    output_table(o, "parts", part_columns, true);
    for (size_t i = 0; i < s->part_count; i++) {
        output_row(o, part_columns);
        output_text(o, NULL, s->parts[i].name);
        output_flag(o, NULL, s->parts[i].ok);
        output_text(o, NULL, s->parts[i].detail);
        output_row_end(o);
    }
    output_table_end(o);
}

static void print_nodes(struct env *env, const struct operator_status *s)
{
    struct output *o = &env->out;

    heading(env);
    output_table(o, "nodes", node_columns, true);
    for (size_t i = 0; i < s->node_count; i++) {
        const struct node_report *r = &s->nodes[i];

        output_row(o, node_columns);
        output_text(o, NULL, r->chain->key);
        output_number(o, NULL, (int64_t)r->place);
        output_text(o, NULL, r->host);
        output_number(o, NULL, r->latency_ms);
        output_number(o, NULL, (int64_t)r->head);
        output_number(o, NULL, r->age_s);
        output_text(o, NULL, r->error);
        output_row_end(o);
    }
    output_table_end(o);
}

static void print_incidents(struct env *env, const struct operator_status *s)
{
    struct output *o = &env->out;

    if (s->incident_count > 0)
        heading(env);
    output_table(o, "troubles", incident_columns, s->incident_count > 0);
    for (size_t i = 0; i < s->incident_count; i++) {
        const struct incident_report *t = &s->incidents[i];

        output_row(o, incident_columns);
        output_text(o, NULL, t->event);
        output_time(o, NULL, t->since_ms);
        output_number(o, NULL, t->count);
        output_text(o, NULL,
                    arena_printf(env->arena, "%s%s%s", t->said, *t->said != '\0' ? " " : "", t->about));
        output_row_end(o);
    }
    output_table_end(o);
}

/* The last error of a queue's oldest entry, and its host; not the rest of the URL, which may contain a
 * secret. */
static const char *queue_detail(struct env *env, const struct queue *q)
{
    char host[URL_HOST_TEXT_LEN];

    if (q->error == NULL)
        return NULL;
    url_host_text(host, q->url);
    return arena_printf(env->arena, "%s: %s", host, q->error);
}

static void print_queues(struct env *env, const struct operator_status *s)
{
    struct output *o = &env->out;

    heading(env);
    output_table(o, "queues", queue_columns, true);
    for (size_t i = 0; i < QUEUES; i++) {
        output_row(o, queue_columns);
        output_text(o, NULL, s->queues[i].name);
        output_number(o, NULL, (int64_t)s->queues[i].waiting);
        output_number(o, NULL, s->queues[i].oldest_s);
        output_number(o, NULL, s->queues[i].overdue_s);
        output_text(o, NULL, queue_detail(env, &s->queues[i]));
        output_row_end(o);
    }
    output_table_end(o);
}

#define RESTORED "the database is older than it was: agentctl reconcile"

static bool is_restored(const struct trading_halt *t)
{
    return (t->kinds & HALT_RESTORED) != 0;
}

static void print_stops(struct env *env, const struct operator_status *s)
{
    struct output *o = &env->out;
    char id[UUID_TEXT_LEN + 1];

    if (s->halt_count > 0)
        heading(env);
    output_table(o, "stops", stop_columns, s->halt_count > 0);
    for (size_t i = 0; i < s->halt_count; i++) {
        const struct trading_halt *t = &s->halts[i];

        uuid_text(id, t->agent);
        output_row(o, stop_columns);
        output_text(o, NULL, t->agent_id == HALT_ALL ? "all" : id);
        output_text(o, NULL, t->kinds & (HALT_TRADING | HALT_RESTORED) ? "stopped" : "allowed");
        output_text(o, NULL, t->kinds & HALT_ACCESS ? "banned" : "allowed");
        output_time(o, NULL, t->since_ms);
        output_text(o, NULL, is_restored(t) ? RESTORED : t->name);
        output_row_end(o);
    }
    output_table_end(o);
}

static void status_read(struct env *env, struct operator_status *out)
{
    agentctl_connect(env);
    operator_status(&env->ctx, env->arena, out);
    agentctl_disconnect(env);
}

int cmd_status(struct env *env, char **args)
{
    struct operator_status s;

    (void)args;
    status_read(env, &s);
    print_parts(env, &s);
    print_incidents(env, &s);
    print_nodes(env, &s);
    if (s.stored) {
        print_queues(env, &s);
        print_stops(env, &s);
    }
    return EXIT_SUCCESS;
}

/* ---- check ---- */

enum { OVERDUE_S = 60 };

struct verdict_line {
    struct arena *arena;
    int exit;
    const char *problems; /* after a separator each */
    const char *figures;
};

static void verdict_add(struct verdict_line *v, int exit, const char *what, const char *why)
{
    v->exit = exit > v->exit ? exit : v->exit;
    v->problems =
        arena_printf(v->arena, "%s%s%s: %s", v->problems, *v->problems == '\0' ? "" : "; ", what, why);
}

static void metric_add(struct verdict_line *v, const char *name, const char *what, int64_t n,
                       const char *unit)
{
    v->figures = arena_printf(v->arena, "%s %s%s=%" PRId64 "%s;;;0", v->figures, name, what, n, unit);
}

static void check_queues(struct verdict_line *v, const struct operator_status *s)
{
    for (size_t i = 0; i < QUEUES; i++) {
        const struct queue *q = &s->queues[i];

        metric_add(v, q->name, "", (int64_t)q->waiting, "");
        metric_add(v, q->name, "_oldest", q->oldest_s, "s");
        if (q->overdue_s > OVERDUE_S)
            verdict_add(v, EXIT_WARNING, q->name,
                        arena_printf(v->arena, "overdue by %" PRId64 " s", q->overdue_s));
    }
    metric_add(v, "stops", "", (int64_t)s->halt_count, "");
    if (s->halt_count > 0 && s->halts[0].agent_id == HALT_ALL)
        verdict_add(v, EXIT_WARNING, "trading",
                    is_restored(&s->halts[0]) ? "stopped, " RESTORED : "stopped for all agents");
}

/* Wrong settings end each program at its next start. */
static void check_settings(struct verdict_line *v, const struct conf *conf)
{
    for (const struct conf_problem *p = conf_problems(conf); p != NULL; p = p->next)
        verdict_add(v, EXIT_CRITICAL, "settings",
                    p->line == 0 ? arena_printf(v->arena, "%s: %s", p->what, p->name)
                                 : arena_printf(v->arena, "%s line %u: %s%s%s", p->file, p->line, p->what,
                                                p->name == NULL ? "" : " ", p->name == NULL ? "" : p->name));
}

static void check_parts(struct env *env, struct verdict_line *v, size_t *parts)
{
    struct operator_status s;

    status_read(env, &s);
    *parts = s.part_count;
    for (size_t i = 0; i < s.part_count; i++)
        if (!s.parts[i].ok)
            verdict_add(v, s.parts[i].required ? EXIT_CRITICAL : EXIT_WARNING, s.parts[i].name,
                        s.parts[i].detail);
    if (s.stored)
        check_queues(v, &s);
    for (size_t i = 0; i < s.node_count; i++) {
        const struct node_report *r = &s.nodes[i];

        if (r->error == NULL && r->age_s >= 0)
            metric_add(v, arena_printf(v->arena, "%s_%zu", r->chain->key, r->place), "_head_age", r->age_s,
                       "s");
    }
}

int cmd_check(struct env *env, char **args)
{
    static const char *const words[] = { "OK", "WARNING", "CRITICAL" };
    struct verdict_line v = { env->arena, EXIT_SUCCESS, "", "" };
    size_t parts = 0;

    (void)args;
    if (!conf_lacks(env->ctx.conf, agentctl_needs))
        check_parts(env, &v, &parts);
    check_settings(&v, env->ctx.conf);
    if (*v.problems == '\0')
        v.problems = arena_printf(env->arena, "%zu parts in order", parts);
    if (env->out.json) {
        output_text(&env->out, "state", words[v.exit]);
        output_text(&env->out, "message", v.problems);
    }
    output_done(&env->out, "GATEWAY %s - %s |%s", words[v.exit], v.problems, v.figures);
    return v.exit;
}

/* ---- executions ---- */

static const struct output_column swap_columns[] = {
    { "id", -8 },  { "agent", 36 },   { "kind", 10 },    { "status", 10 }, { "in", 24 },
    { "out", 24 }, { "created", 24 }, { "updated", 24 }, { "error", 0 },   { 0 },
};

static void print_execution(struct env *env, const struct execution_report *r)
{
    struct output *o = &env->out;
    char agent[UUID_TEXT_LEN + 1];

    uuid_text(agent, r->agent);
    output_row(o, swap_columns);
    output_number(o, NULL, (int64_t)r->execution.id);
    output_text(o, NULL, agent);
    output_text(o, NULL, r->name);
    output_text(o, NULL, r->status);
    output_text(o, NULL, r->in);
    output_text(o, NULL, r->out);
    output_time(o, NULL, r->execution.created_ms);
    output_time(o, NULL, r->execution.updated_ms);
    output_text(o, NULL, r->execution.error_message);
    output_row_end(o);
}

int cmd_swaps(struct env *env, char **args)
{
    enum execution_pick pick = env->options & OPT_STUCK    ? PICK_STUCK
                               : env->options & OPT_FAILED ? PICK_FAILED
                                                           : PICK_ANY;
    struct execution_report *list;
    size_t n;
    const char *problem =
        operator_list_executions(&env->ctx, env->arena, args[0], pick, SHOWN_MAX, &list, &n);

    output_table(&env->out, "swaps", swap_columns, true);
    for (size_t i = 0; i < n; i++)
        print_execution(env, &list[i]);
    output_table_end(&env->out);
    return agentctl_end(env, problem);
}

static const struct output_column history_columns[] = {
    { "at", 24 }, { "from", 10 }, { "to", 10 }, { "why", 0 }, { 0 },
};
static const struct output_column transaction_columns[] = {
    { "hash", 66 },        { "chain", 9 }, { "kind", 10 }, { "state", 8 }, { "nonce", -6 },
    { "broadcasts", -10 }, { "said", 12 }, { "block", 0 }, { 0 },
};

static void print_step(struct env *env, const struct execution_step *step)
{
    struct output *o = &env->out;

    output_row(o, history_columns);
    output_time(o, NULL, step->at_ms);
    output_text(o, NULL, step->from != 0 ? exec_status_text(step->from) : NULL);
    output_text(o, NULL, exec_status_text(step->to));
    output_text(o, NULL, step->why);
    output_row_end(o);
}

static void print_transaction(struct env *env, const struct transaction *t)
{
    struct output *o = &env->out;
    const struct chain *c = chain_by_id(t->chain_id);

    output_row(o, transaction_columns);
    output_text(o, NULL, tx_hash_text(env->arena, t->chain_id, &t->hash));
    output_text(o, NULL, c != NULL ? c->key : NULL);
    output_text(o, NULL, transaction_text(t));
    output_text(o, NULL, effect_state_text(t->effect.state));
    output_number(o, NULL, t->has_nonce ? (int64_t)t->nonce : -1);
    output_number(o, NULL, t->effect.broadcasts);
    output_text(o, NULL, broadcast_said_text(t->effect.said));
    output_number(o, NULL, (int64_t)t->block_number);
    output_row_end(o);
}

static void print_details(struct env *env, const struct execution_details *d)
{
    const struct execution_report *r = &d->report;
    struct output *o = &env->out;
    char agent[UUID_TEXT_LEN + 1];

    uuid_text(agent, r->agent);
    output_number(o, "id", (int64_t)r->execution.id);
    output_text(o, "agent", agent);
    output_text(o, "request_id", d->request_id);
    output_text(o, "kind", r->name);
    output_text(o, "venue", r->execution.venue);
    output_text(o, "status", r->status);
    output_text(o, "in", r->in);
    output_text(o, "out", r->out);
    output_text(o, "error", r->execution.error_message);
    output_time(o, "created", r->execution.created_ms);
    output_time(o, "updated", r->execution.updated_ms);
    output_text(o, "next", d->next);
    output_time(o, "next_at", d->next_ms);
}

int cmd_swap(struct env *env, char **args)
{
    struct execution_details d;
    const char *problem = operator_execution_details(&env->ctx, env->arena, args[0], &d);

    if (problem != NULL)
        return agentctl_end(env, problem);
    print_details(env, &d);
    heading(env);
    output_table(&env->out, "history", history_columns, true);
    for (size_t i = 0; i < d.step_count; i++)
        print_step(env, &d.steps[i]);
    output_table_end(&env->out);
    heading(env);
    output_table(&env->out, "transactions", transaction_columns, true);
    for (size_t i = 0; i < d.transaction_count; i++)
        print_transaction(env, &d.transactions[i]);
    output_table_end(&env->out);
    return EXIT_SUCCESS;
}

/* ---- webhooks ---- */

static const struct output_column event_columns[] = {
    { "id", 36 },       { "agent", 36 },        { "type", 20 },    { "status", 9 }, { "attempts", -8 },
    { "response", -8 }, { "next_attempt", 24 }, { "created", 24 }, { "error", 0 },  { 0 },
};

static void print_event(struct env *env, const struct event_report *r)
{
    const struct event *e = &r->event;
    struct output *o = &env->out;
    char id[EVENT_ID_TEXT_LEN + 1];

    event_id_text(id, e->id);
    output_row(o, event_columns);
    output_text(o, NULL, id);
    output_text(o, NULL, r->agent);
    output_text(o, NULL, e->type);
    output_text(o, NULL, event_status_text(e->status));
    output_number(o, NULL, e->attempts);
    output_number(o, NULL, e->response_status);
    output_time(o, NULL, e->next_ms);
    output_time(o, NULL, e->created_ms);
    output_text(o, NULL, e->last_error);
    output_row_end(o);
}

int cmd_events(struct env *env, char **args)
{
    enum event_status status = env->options & OPT_WAITING  ? EVENT_PENDING
                               : env->options & OPT_FAILED ? EVENT_FAILED
                                                           : (enum event_status)0;
    struct event_report *list;
    size_t n;
    const char *problem = operator_list_events(&env->ctx, env->arena, args[0], status, SHOWN_MAX, &list, &n);

    output_table(&env->out, "events", event_columns, true);
    for (size_t i = 0; i < n; i++)
        print_event(env, &list[i]);
    output_table_end(&env->out);
    return agentctl_end(env, problem);
}

/* ---- find ---- */

static const struct output_column found_columns[] = { { "kind", 6 }, { "id", 36 }, { "what", 0 }, { 0 } };

int cmd_find(struct env *env, char **args)
{
    struct thing_found *found;
    struct output *o = &env->out;
    size_t n;
    const char *problem = operator_find(&env->ctx, env->arena, args[0], &found, &n);

    output_table(o, "found", found_columns, false);
    for (size_t i = 0; i < n; i++) {
        output_row(o, found_columns);
        output_text(o, NULL, found[i].kind);
        output_text(o, NULL, found[i].id);
        output_text(o, NULL, found[i].what);
        output_row_end(o);
    }
    output_table_end(o);
    return agentctl_end(env, problem);
}

/* ---- top ---- */

static const struct output_column load_columns[] = {
    { "agent", 36 }, { "requests", -8 }, { "refused", -8 }, { "work_ms", -8 }, { "name", 0 }, { 0 },
};

static void print_load(struct env *env, const struct meter_load *load)
{
    struct output *o = &env->out;
    struct agent agent = { .name = NULL };
    char id[UUID_TEXT_LEN + 1];

    (void)agents_by_uuid(env->ctx.db, env->arena, &load->agent, &agent);
    uuid_text(id, load->agent);
    output_row(o, load_columns);
    output_text(o, NULL, id);
    output_number(o, NULL, (int64_t)load->requests);
    output_number(o, NULL, (int64_t)load->refused);
    output_number(o, NULL, (int64_t)load->work_ms);
    output_text(o, NULL, agent.name);
    output_row_end(o);
}

int cmd_top(struct env *env, char **args)
{
    const char *path = env->ctx.conf->shm_file;
    struct meter_load loads[TOP_MAX];
    struct meter *m;
    unsigned n;

    (void)args;
    if (access(path, R_OK | W_OK) != 0) /* it would be made, and be this user's */
        return agentctl_end(env, arena_printf(env->arena, "%s: %s", path, strerror(errno)));
    m = meter_open(path);
    n = meter_loads(m, clock_us(), loads, TOP_MAX);
    meter_close(m);
    output_table(&env->out, "agents", load_columns, true);
    for (unsigned i = 0; i < n; i++)
        print_load(env, &loads[i]);
    output_table_end(&env->out);
    return EXIT_SUCCESS;
}

/* ---- audit ---- */

static const struct output_column audit_columns[] = {
    { "at", 24 },  { "host", 12 },   { "by", 8 },     { "token", 12 },
    { "act", 16 }, { "detail", 40 }, { "reason", 0 }, { 0 },
};

int cmd_audit(struct env *env, char **args)
{
    struct operator_audit_line *lines;
    struct output *o = &env->out;
    size_t n;
    const char *problem = operator_audit_lines(&env->ctx, env->arena, args[0], SHOWN_MAX, &lines, &n);

    output_table(o, "lines", audit_columns, true);
    for (size_t i = 0; i < n; i++) {
        output_row(o, audit_columns);
        output_text(o, NULL, lines[i].at);
        output_text(o, NULL, lines[i].host);
        output_text(o, NULL, lines[i].by);
        output_text(o, NULL, lines[i].token);
        output_text(o, NULL, lines[i].act);
        output_text(o, NULL, lines[i].detail);
        output_text(o, NULL, lines[i].reason);
        output_row_end(o);
    }
    output_table_end(o);
    return agentctl_end(env, problem);
}
