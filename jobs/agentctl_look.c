/* The commands of agentctl that look: at the service, at executions, at webhooks, at the audit log. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/admission/meter.h"
#include "base/clock.h"
#include "base/params.h"
#include "codec/base58.h"
#include "codec/hex.h"
#include "jobs/agentctl.h"
#include "net/url.h"
#include "operator/agents.h"
#include "operator/executions.h"
#include "operator/log_lines.h"
#include "operator/status.h"
#include "service/conf.h"
#include "store/agents.h"
#include "store/audit.h"
#include "store/events.h"
#include "store/transactions.h"
#include "swap/view.h"

enum { SHOWN_MAX = 100, LINES_MAX = 20, TOP_MAX = 50, EXIT_WARNING = 1, EXIT_CRITICAL = 2 };

/* The agent that an argument names; *id 0 where it is left out. */
static const char *agent_named(struct env *env, const char *arg, uint64_t *id)
{
    struct agent agent = { .id = 0 };
    const char *problem = arg == NULL ? NULL : operator_find_agent(&env->ctx, env->arena, arg, &agent);

    *id = agent.id;
    return problem;
}

static const char *agent_text(struct env *env, uint64_t id)
{
    struct uuid uuid;
    char *text;

    if (lookup_agent_uuid(env->ctx.db, id, &uuid) != FOUND_ONE)
        return NULL;
    text = arena_alloc(env->arena, UUID_TEXT_LEN + 1);
    uuid_text(text, uuid);
    return text;
}

/* ---- status ---- */

static const struct output_column part_columns[] = { { "name", 14 }, { "ok", 3 }, { "detail", 0 }, { 0 } };
static const struct output_column node_columns[] = {
    { "chain", 9 },  { "place", -5 }, { "host", 28 }, { "latency_ms", -10 },
    { "head", -12 }, { "age_s", -6 }, { "error", 0 }, { 0 },
};
static const struct output_column trouble_columns[] = {
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

static void print_troubles(struct env *env, const struct operator_status *s)
{
    struct output *o = &env->out;

    if (s->trouble_count > 0)
        heading(env);
    output_table(o, "troubles", trouble_columns, s->trouble_count > 0);
    for (size_t i = 0; i < s->trouble_count; i++) {
        const struct trouble_report *t = &s->troubles[i];

        output_row(o, trouble_columns);
        output_text(o, NULL, t->event);
        output_time(o, NULL, t->since_ms);
        output_number(o, NULL, t->count);
        output_text(o, NULL,
                    arena_printf(env->arena, "%s%s%s", t->said, *t->said != '\0' ? " " : "", t->about));
        output_row_end(o);
    }
    output_table_end(o);
}

/* What the oldest of a queue met last, and where; only the host, as a secret may stand in the rest. */
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
    print_troubles(env, &s);
    print_nodes(env, &s);
    if (s.stored) {
        print_queues(env, &s);
        print_stops(env, &s);
    }
    return EXIT_SUCCESS;
}

/* ---- check ---- */

enum { OVERDUE_S = 300 };

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

static void figure_add(struct verdict_line *v, const char *name, const char *what, int64_t n,
                       const char *unit)
{
    v->figures = arena_printf(v->arena, "%s %s%s=%" PRId64 "%s;;;0", v->figures, name, what, n, unit);
}

static void check_queues(struct verdict_line *v, const struct operator_status *s)
{
    for (size_t i = 0; i < QUEUES; i++) {
        const struct queue *q = &s->queues[i];

        figure_add(v, q->name, "", (int64_t)q->waiting, "");
        figure_add(v, q->name, "_oldest", q->oldest_s, "s");
        if (q->overdue_s > OVERDUE_S)
            verdict_add(v, EXIT_WARNING, q->name,
                        arena_printf(v->arena, "overdue by %" PRId64 " s", q->overdue_s));
    }
    figure_add(v, "stops", "", (int64_t)s->halt_count, "");
    if (s->halt_count > 0 && s->halts[0].agent_id == HALT_ALL)
        verdict_add(v, EXIT_WARNING, "trading",
                    is_restored(&s->halts[0]) ? "stopped, " RESTORED : "stopped for all agents");
}

static void check_nodes(struct verdict_line *v, const struct operator_status *s)
{
    for (size_t i = 0; i < s->node_count; i++) {
        const struct node_report *r = &s->nodes[i];

        if (r->error == NULL && r->age_s >= 0)
            figure_add(v, arena_printf(v->arena, "%s_%zu", r->chain->key, r->place), "_head_age", r->age_s,
                       "s");
    }
}

int cmd_check(struct env *env, char **args)
{
    static const char *const words[] = { "OK", "WARNING", "CRITICAL" };
    struct verdict_line v = { env->arena, EXIT_SUCCESS, "", "" };
    struct operator_status s;

    (void)args;
    status_read(env, &s);
    for (size_t i = 0; i < s.part_count; i++)
        if (!s.parts[i].ok)
            verdict_add(&v, s.parts[i].required ? EXIT_CRITICAL : EXIT_WARNING, s.parts[i].name,
                        s.parts[i].detail);
    if (s.stored)
        check_queues(&v, &s);
    check_nodes(&v, &s);
    if (*v.problems == '\0')
        v.problems = arena_printf(env->arena, "%zu parts in order", s.part_count);
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

static const char *print_executions(struct env *env, const uint64_t *ids, int n)
{
    const char *problem = n < 0 ? OPERATOR_DATABASE_FAILED : NULL;
    struct execution_report r;

    output_table(&env->out, "swaps", swap_columns, true);
    for (int i = 0; i < n && problem == NULL; i++) {
        switch (operator_report_execution(&env->ctx, env->arena, ids[i], &r)) {
        case FOUND_ONE:
            print_execution(env, &r);
            break;
        case FOUND_NONE: /* deleted meanwhile */
            break;
        case FOUND_FAILED:
            problem = OPERATOR_DATABASE_FAILED;
            break;
        }
    }
    output_table_end(&env->out);
    return problem;
}

int cmd_swaps(struct env *env, char **args)
{
    enum execution_pick pick = env->options & OPT_STUCK    ? PICK_STUCK
                               : env->options & OPT_FAILED ? PICK_FAILED
                                                           : PICK_ANY;
    uint64_t agent, *ids;
    const char *problem = agent_named(env, args[0], &agent);
    int n;

    if (problem != NULL)
        return agentctl_end(env, problem);
    n = lookup_executions(env->ctx.db, env->arena, agent, pick, SHOWN_MAX, &ids);
    return agentctl_end(env, print_executions(env, ids, n));
}

static const struct output_column history_columns[] = {
    { "at", 24 }, { "from", 10 }, { "to", 10 }, { "why", 0 }, { 0 },
};
static const struct output_column transaction_columns[] = {
    { "hash", 66 },        { "chain", 9 }, { "kind", 10 }, { "state", 8 }, { "nonce", -6 },
    { "broadcasts", -10 }, { "said", 12 }, { "block", 0 }, { 0 },
};

static const char *said_text(enum broadcast_result said)
{
    static const char *const texts[] = {
        [BROADCAST_UNKNOWN] = "nothing",         [BROADCAST_ACCEPTED] = "taken",
        [BROADCAST_UNDERPRICED] = "underpriced", [BROADCAST_NO_FUNDS] = "no funds",
        [BROADCAST_REFUSED] = "refused",
    };

    return texts[said];
}

static const char *state_text(enum effect_state state)
{
    static const char *const texts[] = {
        [EFFECT_OPEN] = "open", [EFFECT_INCLUDED] = "included", [EFFECT_SETTLED] = "settled",
        [EFFECT_LOST] = "lost", [EFFECT_RENEWED] = "renewed",
    };

    return texts[state];
}

static bool print_history(struct env *env, uint64_t id)
{
    struct output *o = &env->out;
    struct execution_step *steps;
    int n = lookup_history(env->ctx.db, env->arena, id, &steps);

    heading(env);
    output_table(o, "history", history_columns, true);
    for (int i = 0; i < n; i++) {
        output_row(o, history_columns);
        output_time(o, NULL, steps[i].at_ms);
        output_text(o, NULL, steps[i].from != 0 ? exec_status_text(steps[i].from) : NULL);
        output_text(o, NULL, exec_status_text(steps[i].to));
        output_text(o, NULL, steps[i].why);
        output_row_end(o);
    }
    output_table_end(o);
    return n >= 0;
}

static void print_transaction(struct env *env, const struct transaction *t)
{
    struct output *o = &env->out;
    const struct chain *c = chain_by_id(t->chain_id);

    output_row(o, transaction_columns);
    output_text(o, NULL, tx_hash_text(env->arena, t->chain_id, &t->hash));
    output_text(o, NULL, c != NULL ? c->key : NULL);
    output_text(o, NULL, transaction_text(t));
    output_text(o, NULL, state_text(t->effect.state));
    output_number(o, NULL, t->has_nonce ? (int64_t)t->nonce : -1);
    output_number(o, NULL, t->effect.broadcasts);
    output_text(o, NULL, said_text(t->effect.said));
    output_number(o, NULL, (int64_t)t->block_number);
    output_row_end(o);
}

static void print_details(struct env *env, const struct execution_report *r, const char *request_id,
                          const struct transaction *txs, int n, const struct execution_due *due)
{
    struct output *o = &env->out;
    char agent[UUID_TEXT_LEN + 1];
    int64_t at_ms;
    const char *next = execution_next(&r->execution, txs, (unsigned)n, due, &at_ms);

    uuid_text(agent, r->agent);
    output_number(o, "id", (int64_t)r->execution.id);
    output_text(o, "agent", agent);
    output_text(o, "request_id", request_id);
    output_text(o, "kind", r->name);
    output_text(o, "venue", r->execution.venue);
    output_text(o, "status", r->status);
    output_text(o, "in", r->in);
    output_text(o, "out", r->out);
    output_text(o, "error", r->execution.error_message);
    output_time(o, "created", r->execution.created_ms);
    output_time(o, "updated", r->execution.updated_ms);
    output_text(o, "next", next);
    output_time(o, "next_at", at_ms);
}

int cmd_swap(struct env *env, char **args)
{
    struct execution_report r;
    struct execution_due due;
    struct transaction *txs;
    const char *request_id;
    enum found found;
    uint64_t id;
    int n;

    found =
        params_whole(&id, args[0]) ? operator_report_execution(&env->ctx, env->arena, id, &r) : FOUND_NONE;
    if (found == FOUND_NONE)
        return agentctl_end(env, arena_printf(env->arena, "no such swap: %s", args[0]));
    n = found == FOUND_ONE ? transactions_of(env->ctx.db, env->arena, id, &txs) : -1;
    if (n < 0 || lookup_due(env->ctx.db, id, &due) != FOUND_ONE ||
        lookup_request(env->ctx.db, env->arena, id, &request_id) != FOUND_ONE)
        return agentctl_end(env, OPERATOR_DATABASE_FAILED);
    print_details(env, &r, request_id, txs, n, &due);
    if (!print_history(env, id))
        return agentctl_end(env, OPERATOR_DATABASE_FAILED);
    heading(env);
    output_table(&env->out, "transactions", transaction_columns, true);
    for (int i = 0; i < n; i++)
        print_transaction(env, &txs[i]);
    output_table_end(&env->out);
    return EXIT_SUCCESS;
}

/* ---- webhooks ---- */

static const struct output_column event_columns[] = {
    { "id", 36 },       { "agent", 36 },        { "type", 20 },    { "status", 9 }, { "attempts", -8 },
    { "response", -8 }, { "next_attempt", 24 }, { "created", 24 }, { "error", 0 },  { 0 },
};

static void print_event(struct env *env, const struct event *e)
{
    struct output *o = &env->out;
    char id[EVENT_ID_TEXT_LEN + 1];

    event_id_text(id, e->id);
    output_row(o, event_columns);
    output_text(o, NULL, id);
    output_text(o, NULL, agent_text(env, e->agent_id));
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
    struct event *events;
    uint64_t agent;
    const char *problem = agent_named(env, args[0], &agent);
    int n;

    if (problem != NULL)
        return agentctl_end(env, problem);
    n = lookup_events(env->ctx.db, env->arena, agent, status, SHOWN_MAX, &events);
    output_table(&env->out, "events", event_columns, true);
    for (int i = 0; i < n; i++)
        print_event(env, &events[i]);
    output_table_end(&env->out);
    return agentctl_end(env, n < 0 ? OPERATOR_DATABASE_FAILED : NULL);
}

/* ---- find ---- */

static const struct output_column found_columns[] = { { "kind", 6 }, { "id", 36 }, { "what", 0 }, { 0 } };

static void print_found(struct env *env, const char *kind, const char *id, const char *what)
{
    struct output *o = &env->out;

    output_row(o, found_columns);
    output_text(o, NULL, kind);
    output_text(o, NULL, id);
    output_text(o, NULL, what);
    output_row_end(o);
}

static int found_agents(struct env *env, const char *why, const uint64_t *ids, int n)
{
    for (int i = 0; i < n; i++)
        print_found(env, "agent", agent_text(env, ids[i]), why);
    return n;
}

static int found_executions(struct env *env, const char *why, const uint64_t *ids, int n)
{
    struct execution_report r;
    int count = 0;

    for (int i = 0; i < n; i++) {
        if (operator_report_execution(&env->ctx, env->arena, ids[i], &r) != FOUND_ONE)
            continue;
        print_found(env, "swap", arena_printf(env->arena, "%" PRIu64, ids[i]),
                    arena_printf(env->arena, "%s%s of %s: %s", why, r.name, r.in, r.status));
        count++;
    }
    return n < 0 ? n : count;
}

static int find_agent(struct env *env, const char *text)
{
    struct agent agent;
    struct uuid uuid;
    uint64_t *ids;
    int n;

    if (uuid_parse(&uuid, text)) {
        if (agents_by_uuid(env->ctx.db, env->arena, &uuid, &agent) != FOUND_ONE)
            return 0;
        print_found(env, "agent", agent_text(env, agent.id), agent.name);
        return 1;
    }
    n = lookup_agents_named(env->ctx.db, env->arena, text, SHOWN_MAX, &ids);
    return found_agents(env, "has this name", ids, n);
}

static int find_wallet(struct env *env, const char *text)
{
    uint64_t *ids;
    int n = lookup_wallet_agents(env->ctx.db, env->arena, text, SHOWN_MAX, &ids);

    return found_agents(env, "has this wallet", ids, n);
}

static int find_transaction(struct env *env, const char *text)
{
    struct tx_hash hash;
    size_t len = 0;
    uint64_t *ids;
    int n;

    if (!hex_decode_0x(hash.bytes, sizeof hash.bytes, &len, text) &&
        !base58_decode(hash.bytes, sizeof hash.bytes, &len, text))
        return 0;
    hash.len = (uint8_t)len;
    n = len > 0 ? lookup_hash_executions(env->ctx.db, env->arena, &hash, SHOWN_MAX, &ids) : 0;
    return n > 0 ? found_executions(env, "its transaction: ", ids, n) : n;
}

static int find_swap(struct env *env, const char *text)
{
    uint64_t id;

    return params_whole(&id, text) ? found_executions(env, "", &id, 1) : 0;
}

static int find_event(struct env *env, const char *text)
{
    struct uuid id;
    uint64_t agent;
    struct event e;

    if (!event_id_parse(&id, text) || lookup_event_agent(env->ctx.db, id, &agent) != FOUND_ONE ||
        events_get(env->ctx.db, env->arena, agent, id, &e) != FOUND_ONE)
        return 0;
    print_found(env, "event", text,
                arena_printf(env->arena, "%s of agent %s: %s", e.type, agent_text(env, agent),
                             event_status_text(e.status)));
    return 1;
}

/* What it made is in the database, and the lines of its failure, or those that it led to, in the logs. */
static int find_request(struct env *env, const char *text)
{
    struct log_line lines[LINES_MAX];
    size_t n = operator_log_lines(&env->ctx, env->arena, text, lines, LINES_MAX);
    uint64_t *ids;
    int count = lookup_request_executions(env->ctx.db, env->arena, text, SHOWN_MAX, &ids);

    for (size_t i = 0; i < n; i++)
        print_found(env, "log", lines[i].file, lines[i].text);
    count = count > 0 ? found_executions(env, "its request: ", ids, count) : count;
    return count < 0 ? count : count + (int)n;
}

int cmd_find(struct env *env, char **args)
{
    static int (*const places[])(struct env * env, const char *text) = {
        find_agent, find_wallet, find_transaction, find_swap, find_event, find_request,
    };
    const char *problem = NULL;
    int count = 0;

    output_table(&env->out, "found", found_columns, false);
    for (size_t i = 0; i < sizeof places / sizeof places[0] && problem == NULL; i++) {
        int n = places[i](env, args[0]);

        problem = n < 0 ? OPERATOR_DATABASE_FAILED : NULL;
        count += n;
    }
    output_table_end(&env->out);
    if (problem == NULL && count == 0)
        problem = arena_printf(env->arena, "nothing is called that: %s", args[0]);
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
    { "at", 24 }, { "host", 12 }, { "by", 8 }, { "act", 16 }, { "detail", 40 }, { "reason", 0 }, { 0 },
};

static void print_line(struct env *env, const struct audit_line *line)
{
    struct output *o = &env->out;
    json_t *v = json_loads(line->line, 0, NULL);
    const json_t *detail = json_object_get(v, "detail");

    output_row(o, audit_columns);
    output_text(o, NULL, json_string_value(json_object_get(v, "at")));
    output_text(o, NULL, line->host);
    output_text(o, NULL, json_string_value(json_object_get(v, "by")));
    output_text(o, NULL, json_string_value(json_object_get(v, "act")));
    output_text(o, NULL,
                detail != NULL && !json_is_null(detail) ? jw_text_of(env->arena, detail, JSON_ENCODE_ANY)
                                                        : NULL);
    output_text(o, NULL, json_string_value(json_object_get(v, "reason")));
    output_row_end(o);
    json_decref(v);
}

int cmd_audit(struct env *env, char **args)
{
    struct agent agent = { .id = 0 };
    const char *problem =
        args[0] == NULL ? NULL : operator_find_agent(&env->ctx, env->arena, args[0], &agent);
    struct audit_line *lines;
    int n;

    if (problem != NULL)
        return agentctl_end(env, problem);
    n = audit_newest(env->ctx.db, env->arena, args[0] != NULL ? &agent.uuid : NULL, SHOWN_MAX, &lines);
    output_table(&env->out, "lines", audit_columns, true);
    for (int i = 0; i < n; i++)
        print_line(env, &lines[i]);
    output_table_end(&env->out);
    return agentctl_end(env, n < 0 ? OPERATOR_DATABASE_FAILED : NULL);
}
