#include "api/endpoint/common_params.h"
#include "api/endpoint/schemas.h"
#include "api/operator_call.h"
#include "chain/chains.h"
#include "operator/admin_events.h"
#include "operator/admin_executions.h"
#include "operator/find.h"
#include "swap/swap_view.h"

/* ---- parameters ---- */

struct swaps_in {
    const char *agent, *pick;
    uint64_t limit;
};

static const char *const picks[] = { "any", "failed", "stuck", NULL }; /* as enum execution_pick */

static const struct param swaps_params[] = {
    PARAM_OF_AGENT(struct swaps_in),
    { "pick", P_TEXT, INTO(struct swaps_in, pick), .choices = picks, .dflt = "any", .bad = &E_STATUS_FILTER,
      .about = "failed, or stuck: those that have neither ended nor moved for ten minutes" },
    PARAM_SHOWN(struct swaps_in),
    { 0 },
};

struct events_in {
    const char *agent, *status;
    uint64_t limit;
};

static const char *const event_statuses[] = { "pending", "delivered", "failed", NULL };

static const struct param events_params[] = {
    PARAM_OF_AGENT(struct events_in),
    { "status", P_TEXT, INTO(struct events_in, status), .choices = event_statuses, .bad = &E_STATUS_FILTER,
      .about = "pending, delivered or failed; default: all" },
    PARAM_SHOWN(struct events_in),
    { 0 },
};

struct find_in {
    const char *text;
};

static const struct param find_params[] = {
    { "text", P_TEXT, INTO(struct find_in, text), .required = true, .min = 1, .max = 128,
      .about =
          "An agent's id or a part of its name, a wallet, a transaction, a swap's number, a webhook's or a request's id",
      .example = "trading bot" },
    { 0 },
};

static const struct schema_field swap_id = { "id", S_TEXT, .example = "42", .about = "The swap's number" };
static const struct schema_field event_id = { "id", S_TEXT, .example = "msg_8f14e45fceea4e7fa9c61d2b3c4d5e6f",
                                              .about = "The webhook's id" };

/* ---- answers ---- */

/* clang-format off */
#define EXECUTION_FIELDS \
    { "id",         WHOLE("42"),                     "Its number" }, \
    { "agent",      UUID(AN_ID),                     "Whose it is" }, \
    { "kind",       TEXT("swap"),                    "What it is: a swap, a transfer, an order" }, \
    { "status",     TEXT("completed"),               "Where it stands" }, \
    { "in",         TEXT("1.5 ETH on base"),         "What was given" }, \
    { "out",        TEXT("4500 USDC on base"),       "What arrived or is expected; null: nothing is", MAY_BE_NULL }, \
    { "error",      TEXT("null"),                    "Why it failed", MAY_BE_NULL }, \
    { "created_at", TIME(A_TIME),                    "When it was accepted" }, \
    { "updated_at", TIME(LATER),                     "When it moved last" }

static const struct schema execution_schema = { "Execution", "A swap, or what else was signed for an agent", FIELDS {
    EXECUTION_FIELDS,
    END } };

static const struct schema executions_schema = { "Executions", "The latest first", FIELDS {
    SUCCESS,
    { "swaps", LIST(execution_schema), "At most as many as were asked for" },
    END } };

static const struct schema step_schema = { "Step", "A move of its status", FIELDS {
    { "at",   TIME(A_TIME),       "When" },
    { "from", TEXT("pending"),    "Where it stood before; null: it came into being", MAY_BE_NULL },
    { "to",   TEXT("submitted"),  "Where it stands since" },
    { "why",  TEXT("accepted"),   "What moved it", MAY_BE_NULL },
    END } };

static const struct schema sent_schema = { "SentTransaction", "One of its transactions", FIELDS {
    { "hash",       TEXT(A_HASH),     "As its chain writes it; null while there is none", MAY_BE_NULL },
    { "chain",      TEXT("base"),     "The chain's key", MAY_BE_NULL },
    { "kind",       TEXT("swap"),     "What it is for" },
    { "state",      TEXT("settled"),  "open, included, settled, lost or renewed" },
    { "nonce",      WHOLE("7"),       "Its place among the wallet's; null where chains have none", MAY_BE_NULL },
    { "broadcasts", WHOLE("1"),       "How often it was sent" },
    { "said",       TEXT("taken"),    "What nodes said to it last" },
    { "block",      WHOLE("1024"),    "The block that it is in; 0: none" },
    END } };

static const struct schema details_schema = { "ExecutionDetails", "What happened to one, and what happens next", FIELDS {
    SUCCESS,
    EXECUTION_FIELDS,
    { "venue",        TEXT("uniswap"),      "Who carries it out" },
    { "request_id",   TEXT("req-7f3a9c21"), "The X-Request-Id of the answer that accepted it", MAY_BE_NULL },
    { "next",         TEXT("nothing: it has ended"), "The next step of the gateway, or of the operator" },
    { "next_at",      TIME("null"),         "When; null: now, or never", MAY_BE_NULL },
    { "history",      LIST(step_schema),    "The oldest first" },
    { "transactions", LIST(sent_schema),    "All that were signed" },
    END } };

static const struct schema event_schema = { "OperatorEvent", "A webhook and how its delivery stands", FIELDS {
    { "id",              TEXT("msg_8f14e45fceea4e7fa9c61d2b3c4d5e6f"), "Its id" },
    { "agent",           UUID(AN_ID),                        "Whose it is; null: it is deleted", MAY_BE_NULL },
    { "type",            TEXT("swap.completed"),             "What it is about" },
    { "status",          CHOICE(event_statuses, "failed"),   "Whether it has arrived" },
    { "attempts",        WHOLE("3"),                         "How often it was sent" },
    { "response_status", WHOLE("503"),                       "What its receiver answered last", MAY_BE_NULL },
    { "error",           TEXT("answered 503"),               "What the last attempt met", MAY_BE_NULL },
    { "next_attempt_at", TIME(LATER),                        "When it is sent again", MAY_BE_NULL },
    { "created_at",      TIME(A_TIME),                       "When it came" },
    END } };

static const struct schema events_schema = { "OperatorEvents", "The latest first", FIELDS {
    SUCCESS,
    { "events", LIST(event_schema), "At most as many as were asked for" },
    END } };

static const char *const thing_kinds[] = { "agent", "swap", "event", "log", NULL };

static const struct schema thing_schema = { "Thing", "Something that goes by a text", FIELDS {
    { "kind", CHOICE(thing_kinds, "agent"), "What it is" },
    { "id",   TEXT(AN_ID),                  "Its id; of a line of a log the file" , MAY_BE_NULL },
    { "what", TEXT("has this name"),        "Why it was found, or the line" },
    END } };

static const struct schema things_schema = { "Things", "All that the text may be the name of", FIELDS {
    SUCCESS,
    { "found", LIST(thing_schema), "Empty: nothing is called that" },
    END } };
/* clang-format on */

/* ---- executions ---- */

static void execution_write(struct json_writer *w, const struct execution_report *r)
{
    char agent[UUID_TEXT_LEN + 1];

    uuid_text(agent, r->agent);
    jw_integer(w, "id", (int64_t)r->execution.id);
    jw_string(w, "agent", agent);
    jw_string(w, "kind", r->name);
    jw_string(w, "status", r->status);
    jw_string(w, "in", r->in);
    jw_string_or_null(w, "out", r->out);
    jw_string_or_null(w, "error", r->execution.error_message);
    jw_time(w, "created_at", r->execution.created_ms);
    jw_time(w, "updated_at", r->execution.updated_ms);
}

static struct reply *list_swaps(struct api_call *c, const void *arg)
{
    const struct swaps_in *in = arg;
    enum execution_pick pick = PICK_ANY;
    struct execution_report *list;
    struct json_writer *w;
    const struct err *e;
    size_t n;

    while (pick < PICK_STUCK && strcmp(picks[pick], in->pick) != 0)
        pick++;
    e = operator_call_err(
        c, operator_list_executions(c->ctx, c->arena, in->agent, pick, (unsigned)in->limit, &list, &n),
        &E_AGENT_NOT_FOUND);
    if (e != NULL)
        return reply_err(c->rq, e);
    w = reply_open(c->rq, 200);
    jw_array(w, "swaps");
    for (size_t i = 0; i < n; i++) {
        jw_object(w, NULL);
        execution_write(w, &list[i]);
        jw_end(w);
    }
    jw_end(w);
    return reply_close(w);
}

static void step_write(struct json_writer *w, const struct execution_step *s)
{
    jw_object(w, NULL);
    jw_time(w, "at", s->at_ms);
    jw_string_or_null(w, "from", s->from != 0 ? exec_status_text(s->from) : NULL);
    jw_string(w, "to", exec_status_text(s->to));
    jw_string_or_null(w, "why", s->why);
    jw_end(w);
}

static void sent_write(struct json_writer *w, struct arena *a, const struct transaction *t)
{
    const struct chain *chain = chain_by_id(t->chain_id);

    jw_object(w, NULL);
    jw_string_or_null(w, "hash", tx_hash_text(a, t->chain_id, &t->hash));
    jw_string_or_null(w, "chain", chain != NULL ? chain->key : NULL);
    jw_string(w, "kind", transaction_text(t));
    jw_string(w, "state", effect_state_text(t->effect.state));
    if (t->has_nonce)
        jw_integer(w, "nonce", (int64_t)t->nonce);
    else
        jw_null(w, "nonce");
    jw_integer(w, "broadcasts", t->effect.broadcasts);
    jw_string(w, "said", broadcast_said_text(t->effect.said));
    jw_integer(w, "block", (int64_t)t->block_number);
    jw_end(w);
}

static void details_write(struct json_writer *w, struct arena *a, const struct execution_details *d)
{
    execution_write(w, &d->report);
    jw_string(w, "venue", d->report.execution.venue);
    jw_string_or_null(w, "request_id", d->request_id);
    jw_string(w, "next", d->next);
    jw_time(w, "next_at", d->next_ms);
    jw_array(w, "history");
    for (size_t i = 0; i < d->step_count; i++)
        step_write(w, &d->steps[i]);
    jw_end(w);
    jw_array(w, "transactions");
    for (size_t i = 0; i < d->transaction_count; i++)
        sent_write(w, a, &d->transactions[i]);
    jw_end(w);
}

static struct reply *get_swap(struct api_call *c, const void *arg)
{
    struct execution_details d;
    struct json_writer *w;
    const struct err *e = operator_call_err(c, operator_execution_details(c->ctx, c->arena, c->captured, &d),
                                            &E_SWAP_NOT_FOUND);

    (void)arg;
    if (e != NULL)
        return reply_err(c->rq, e);
    w = reply_open(c->rq, 200);
    details_write(w, c->arena, &d);
    return reply_close(w);
}

/* ---- webhooks ---- */

static void event_write(struct json_writer *w, const struct event_report *r)
{
    const struct event *e = &r->event;
    char id[EVENT_ID_TEXT_LEN + 1];

    event_id_text(id, e->id);
    jw_object(w, NULL);
    jw_string(w, "id", id);
    jw_string_or_null(w, "agent", r->agent);
    jw_string(w, "type", e->type);
    jw_string(w, "status", event_status_text(e->status));
    jw_integer(w, "attempts", e->attempts);
    if (e->response_status != 0)
        jw_integer(w, "response_status", e->response_status);
    else
        jw_null(w, "response_status");
    jw_string_or_null(w, "error", e->last_error);
    jw_time(w, "next_attempt_at", e->next_ms);
    jw_time(w, "created_at", e->created_ms);
    jw_end(w);
}

static enum event_status status_named(const char *name)
{
    enum event_status status = EVENT_PENDING;

    if (name == NULL)
        return (enum event_status)0;
    while (status < EVENT_FAILED && strcmp(event_status_text(status), name) != 0)
        status++;
    return status;
}

static struct reply *list_events(struct api_call *c, const void *arg)
{
    const struct events_in *in = arg;
    struct event_report *list;
    struct json_writer *w;
    size_t n;
    const struct err *e =
        operator_call_err(c,
                          operator_list_events(c->ctx, c->arena, in->agent, status_named(in->status),
                                               (unsigned)in->limit, &list, &n),
                          &E_AGENT_NOT_FOUND);

    if (e != NULL)
        return reply_err(c->rq, e);
    w = reply_open(c->rq, 200);
    jw_array(w, "events");
    for (size_t i = 0; i < n; i++)
        event_write(w, &list[i]);
    jw_end(w);
    return reply_close(w);
}

static const char *redeliver(const struct ctx *ctx, struct arena *a, const char *event, const char *to)
{
    (void)to;
    return operator_redeliver(ctx, a, event);
}

static const struct operator_act redeliver_act = { "redeliver", .change = redeliver, .missing = &E_NOT_FOUND,
                                                   .done = "sent again" };

/* ---- finding an object by its name ---- */

static struct reply *find(struct api_call *c, const void *arg)
{
    const struct find_in *in = arg;
    struct thing_found *list;
    struct json_writer *w;
    size_t n;
    const char *problem = operator_find(c->ctx, c->arena, in->text, &list, &n);

    if (problem != NULL && n > 0)
        return NULL;
    w = reply_open(c->rq, 200);
    jw_array(w, "found");
    for (size_t i = 0; i < n; i++) {
        jw_object(w, NULL);
        jw_string(w, "kind", list[i].kind);
        jw_string_or_null(w, "id", list[i].id);
        jw_string(w, "what", list[i].what);
        jw_end(w);
    }
    jw_end(w);
    return reply_close(w);
}

/* ---- endpoints ---- */

#define OF_SWAPS OPERATOR_ROW(TAG_OPERATOR_SWAPS)

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1_OPERATOR "/swaps",
        OF_SWAPS,
        TAKES(swaps_params, struct swaps_in),
        .handler = list_swaps,
        .operation = "list_swaps",
        .summary = "What was signed for agents",
        .about = "Executions of every kind, the latest first; those that are stuck are the ones to look at.",
        .answer = &executions_schema,
        .errors = ERRORS{ &E_AGENT_NOT_FOUND, NULL },
    },
    {
        .method = GET,
        .path = V1_OPERATOR "/swaps/{id}",
        OF_SWAPS,
        .handler = get_swap,
        .operation = "get_swap",
        .summary = "One of them",
        .about = "Its history, its transactions with what nodes said to them, what happens next and when.",
        .path_param = &swap_id,
        .answer = &details_schema,
        .errors = ERRORS{ &E_SWAP_NOT_FOUND, NULL },
    },
    {
        .method = GET,
        .path = V1_OPERATOR "/events",
        OF_SWAPS,
        TAKES(events_params, struct events_in),
        .handler = list_events,
        .operation = "list_events",
        .summary = "Webhooks",
        .about = "The latest first, of all agents or of one, with what the last attempt of each met.",
        .answer = &events_schema,
        .errors = ERRORS{ &E_AGENT_NOT_FOUND, NULL },
    },
    {
        .path = V1_OPERATOR "/events/{id}/redeliver",
        OF_SWAPS,
        OPERATOR_ACT(redeliver_act, operator_act_params),
        .operation = "redeliver_event",
        .summary = "Send one again",
        .about = "To the callback that its agent has now, with a new series of attempts.",
        .path_param = &event_id,
        .answer = &operator_done_schema,
        .errors = ERRORS{ &E_NOT_FOUND, &E_REFUSED, NULL },
    },
    {
        .method = GET,
        .path = V1_OPERATOR "/find",
        OF_SWAPS,
        TAKES(find_params, struct find_in),
        .handler = find,
        .flags = WAITS,
        .operation = "find",
        .summary = "Find any object by its id or name",
        .about =
            "Agents, swaps, webhooks and lines of this host's logs that go by a text, such as a request_id.",
        .answer = &things_schema,
    },
};

const struct endpoint_group operator_swaps_endpoints = { ENDPOINT_ROWS(rows) };
