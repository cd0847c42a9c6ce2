#include "api/admission/api_call.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/schemas.h"
#include "api/left_behind.h"
#include "api/view.h"
#include "chain/rpc/node.h"
#include "exec/opinion.h"
#include "lend/markets.h"
#include "model/agent.h"
#include "net/bulkhead.h"
#include "predict/account.h"
#include "predict/positions.h"
#include "service/conf.h"
#include "store/agents.h"
#include "store/orders.h"
#include "store/trading_halts.h"
#include "store/wallets.h"
#include "swap/wallet_portfolio.h"
#include "webhook/security.h"

enum { LEFT_MAX = 16 * 1024 }; /* of an audit line */

/* ---- parameters ---- */

struct delete_in {
    const char *confirm;
};

static const struct param delete_params[] = {
    { "confirm", P_TEXT, INTO(struct delete_in, confirm), .max = AGENT_NAME_MAX, .queried = true,
      .about =
          "The agent's name, to delete it with all that it holds: only where the answer has asked for it. REST takes it in the query string as well" },
    { 0 },
};

/* ---- answers ---- */

static const char *const agent_statuses[] = { "active", "deactivated", NULL };

/* clang-format off */
static const struct schema held_schema = { "HeldToken", "What the wallets together hold of a token", FIELDS {
    { "chain",  TEXT("base"),  "Key of the chain" },
    { "symbol", TEXT("USDC"),  "The token" },
    { "amount", AMOUNT("100"), "How much" },
    END } };

static const struct schema lifecycle_schema = { "Lifecycle", "The agent's new state", FIELDS {
    SUCCESS,
    { "message", TEXT("Agent deactivated."),            "What this means" },
    { "status",  CHOICE(agent_statuses, "deactivated"), "The state" },
    { "holdings", LIST(held_schema),                    "What the agent's managed wallets hold, as far as it could be read" },
    { "unread",   TEXTS("gnosis"),                      "Keys of the chains whose balances could not all be read" },
    END } };

static const struct schema reactivated_schema = { "Reactivation", "The agent's new state", FIELDS {
    SUCCESS,
    { "message", TEXT("Agent reactivated. Its API key works again."), "What this means" },
    { "status",  CHOICE(agent_statuses, "active"), "The state" },
    END } };

static const char *const deactivated_event[] = { EVENT_AGENT_DEACTIVATED, NULL };
static const char *const reactivated_event[] = { EVENT_AGENT_REACTIVATED, NULL };
static const char *const movers[] = { "agent", "operator", NULL };

static const struct schema move_schema = { "AgentStatusNotice", "Which agent", FIELDS {
    { "agent_id", UUID(AN_ID), "The agent" },
    { "by",       CHOICE(movers, "agent"), "Whose act it was" },
    END } };

static const struct schema agent_deactivated_schema = { "AgentDeactivatedEvent", "The agent's key does nothing but reactivate or delete it: if it was not you, someone else has the key",
    EVENT_OF(deactivated_event, EVENT_AGENT_DEACTIVATED, move_schema, "The agent") };

static const struct schema agent_reactivated_schema = { "AgentReactivatedEvent", "The agent's key works again",
    EVENT_OF(reactivated_event, EVENT_AGENT_REACTIVATED, move_schema, "The agent") };

static const char *const deleted_event[] = { EVENT_AGENT_DELETED, NULL };

static const struct schema deletion_schema = { "AgentDeletion", "Which agent", FIELDS {
    { "agent_id", UUID(AN_ID),      "The agent" },
    { "name",     TEXT("my-agent"), "Its name" },
    END } };

static const struct schema agent_deleted_schema = { "AgentDeletedEvent", "The agent is gone, with its key and wallets",
    EVENT_OF(deleted_event, EVENT_AGENT_DELETED, deletion_schema, "The agent") };
/* clang-format on */

/* ---- handlers ---- */

/* The agent as it is now. */
static enum lookup agent_reread(struct api_call *c, struct agent *now)
{
    return agents_by_key(c->ctx->db, c->arena, c->key_hash, now);
}

static struct json_writer *moved_open(struct api_call *c, const char *status, const char *message)
{
    struct json_writer *w = reply_open(c->rq, 200);

    jw_string(w, "message", message);
    jw_string(w, "status", status);
    return w;
}

/* The database decides which of several requests moves the agent; why this one did not is read
 * afterwards. */
static struct reply *not_moved(struct api_call *c, enum db_update moved, const struct err *already,
                               const struct err *when_shut)
{
    struct agent now;
    enum lookup found = moved == DB_ERROR ? LOOKUP_ERROR : agent_reread(c, &now);

    if (found != LOOKUP_FOUND)
        return found == LOOKUP_ERROR ? NULL : reply_err(c->rq, c->endpoint->denied);
    return reply_err(c->rq, now.status == AGENT_SHUT ? when_shut : already);
}

static const struct security_event *move_event(struct api_call *c, const char *type)
{
    return security_event_about(c->ctx, c->arena, &c->agent->uuid, type, "by", "agent");
}

static struct reply *reactivate_me(struct api_call *c, const void *arg)
{
    enum db_update moved =
        agents_reactivate(c->ctx->db, c->agent->id, move_event(c, EVENT_AGENT_REACTIVATED));

    (void)arg;
    if (moved != UPDATED)
        return not_moved(c, moved, &E_ACTIVE, &E_SHUT);
    security_event_log(&c->agent->uuid, EVENT_AGENT_REACTIVATED, "");
    return reply_close(moved_open(c, "active", "Agent reactivated. Its API key works again."));
}

static bool delete_funded_is(const struct api_call *c, const char *word)
{
    return strcmp(c->ctx->conf->delete_funded, word) == 0;
}

/* ---- POST /me/deactivate ---- */

/* The deposit wallets of `n` wallets, into `out`; how many, -1: the database failed. */
static int deposit_wallets(struct api_call *c, const struct wallet *list, int n, struct wallet *out)
{
    int count = 0;

    for (int i = 0; i < n; i++) {
        enum lookup found = account_deposit_wallet(c->ctx->db, &list[i], &out[count]);

        if (found == LOOKUP_ERROR)
            return -1;
        count += found == LOOKUP_FOUND;
    }
    return count;
}

/* The balances of all wallets together. */
struct left {
    struct holdings held;
    bool unread[BULKHEAD_CHAINS]; /* by the order of the table of chains */
};

static void left_unread(struct left *left, const struct chain *c)
{
    left->unread[c - chains] = true;
}

static void left_add(struct left *left, const struct holding *h)
{
    struct holding *at = left->held.held, *end = at + left->held.count;

    while (at < end && at->token != h->token)
        at++;
    if (at == end) {
        *at = *h;
        left->held.count++;
    } else if (!u256_add(&at->balance.raw, at->balance.raw, h->balance.raw)) {
        left_unread(left, h->chain);
    }
}

static void left_read(struct api_call *c, const struct wallet *list, int n, const struct chain *only,
                      struct left *left)
{
    struct wallet_traces traces;
    struct holdings held;

    for (int at = 0, part; at < n; at += part) {
        part = n - at < PORTFOLIO_MAX_WALLETS ? n - at : PORTFOLIO_MAX_WALLETS;
        portfolio_read(c->ctx, c->arena, list + at, (size_t)part, only, &held);
        if (held.count > 0 && wallets_traces(c->ctx->db, c->arena, c->agent->id, &traces))
            left_behind_note(c, &traces, &held);
        holdings_reserve(&left->held, c->arena, held.count);
        for (size_t i = 0; i < held.count; i++)
            left_add(left, &held.held[i]);
        for (size_t i = 0; i < held.unread_count; i++)
            left_unread(left, held.unread[i]);
    }
}

/* Asks nodes, and so takes a slot; where there is none, every chain is unread. */
static void left_of_agent(struct api_call *c, struct left *left)
{
    struct wallet *list = NULL, *deposit;
    int n = wallets_list(c->ctx->db, c->arena, c->agent->id, &list), deposits;

    *left = (struct left){ .held.count = 0 };
    if (n < 0 || (n > 0 && !bulkhead_enter(c->ctx->bulkhead, c->agent->id))) {
        for (size_t i = 0; i < chains_count; i++)
            left->unread[i] = nodes_known(c->ctx->nodes, &chains[i]);
        return;
    }
    if (n == 0)
        return;
    deposit = ARENA_ARRAY(c->arena, struct wallet, (size_t)n);
    deposits = deposit_wallets(c, list, n, deposit);
    left_read(c, list, n, NULL, left);
    left_read(c, deposit, deposits, chain_by_id(POLYMARKET_CHAIN_ID), left);
    bulkhead_leave(c->ctx->bulkhead);
}

static void left_write(struct json_writer *w, const struct left *left)
{
    jw_array(w, "holdings");
    for (size_t i = 0; i < left->held.count; i++) {
        const struct holding *h = &left->held.held[i];

        jw_object(w, NULL);
        jw_string(w, "chain", h->chain->key);
        jw_string(w, "symbol", h->token->symbol);
        amount_write(w, "amount", h->balance);
        jw_end(w);
    }
    jw_end(w);
    jw_array(w, "unread");
    for (size_t i = 0; i < chains_count; i++)
        if (left->unread[i])
            jw_string(w, NULL, chains[i].key);
    jw_end(w);
}

/* The nodes are asked afterwards: none of them can keep the agent active. */
static struct reply *deactivate_me(struct api_call *c, const void *arg)
{
    enum db_update moved =
        agents_deactivate(c->ctx->db, c->agent->id, move_event(c, EVENT_AGENT_DEACTIVATED));
    struct json_writer *w;
    struct left left;

    (void)arg;
    if (moved == HALTED)
        return reply_err(c->rq, &E_STOPPED);
    if (moved != UPDATED)
        return not_moved(c, moved, &E_DEACTIVATED, err_hint(c->arena, &E_DEACTIVATED, E_SHUT.hint));
    security_event_log(&c->agent->uuid, EVENT_AGENT_DEACTIVATED, "");
    left_of_agent(c, &left);
    w = moved_open(
        c, "deactivated",
        arena_printf(
            c->arena,
            "Agent deactivated. Its data is kept, and POST /reactivate with the same key undoes this. Should you delete the agent (DELETE /me), funds left in its managed wallets and at markets are lost: to take them out first, POST /reactivate, then POST /wallets/withdraw.%s",
            delete_funded_is(c, "confirm")
                ? " While it holds more than a dollar, or something has not ended, DELETE /me asks for its name as `confirm`."
            : delete_funded_is(c, "no") ? " While it holds anything, DELETE /me is refused."
                                        : ""));
    left_write(w, &left);
    return reply_close(w);
}

/* ---- DELETE /me ---- */

/* NULL when the wallets are empty on that chain, or on all, as far as they could be read. */
static const struct err *wallets_read_empty(const struct ctx *ctx, struct arena *a, const struct wallet *list,
                                            int n, const struct chain *only)
{
    struct holdings held;

    for (int at = 0, part; at < n; at += part) {
        part = n - at < PORTFOLIO_MAX_WALLETS ? n - at : PORTFOLIO_MAX_WALLETS;
        portfolio_read(ctx, a, list + at, (size_t)part, only, &held);
        if (held.count > 0 || held.unread_count > 0)
            return held.count > 0 ? &E_FUNDED : &E_FUNDS_UNREAD;
    }
    return NULL;
}

/* Collateral and outcome tokens at the prediction venue; most wallets have no account there. */
static const struct err *deposits_read_empty(struct api_call *c, const struct ctx *ctx,
                                             const struct wallet *list, int n)
{
    struct wallet *deposit = ARENA_ARRAY(c->arena, struct wallet, (size_t)n + 1);
    int count = deposit_wallets(c, list, n, deposit);
    const struct err *e = NULL;

    if (count < 0)
        return c->endpoint->internal;
    for (int i = 0; e == NULL && i < n; i++) {
        enum lookup held = positions_held(ctx, c->arena, &list[i]);

        if (held != LOOKUP_NONE)
            e = held == LOOKUP_FOUND ? &E_FUNDED : &E_FUNDS_UNREAD;
    }
    if (e == NULL)
        e = wallets_read_empty(ctx, c->arena, deposit, count, chain_by_id(POLYMARKET_CHAIN_ID));
    return e != &E_FUNDED ? e
                          : err_hint(c->arena, e,
                                     "GET /predict/account and /predict/positions show what; POST "
                                     "/predict/withdraw brings collateral back");
}

static const struct err *money_read_empty(struct api_call *c, const struct ctx *ctx,
                                          const struct wallet *list, int n)
{
    const struct err *e = wallets_read_empty(ctx, c->arena, list, n, NULL);

    return e != NULL ? e : deposits_read_empty(c, ctx, list, n);
}

/* One node alone does not say that there is nothing: others are asked, whose silence says nothing. */
static const struct err *money_read_empty_again(struct api_call *c, const struct wallet *list, int n)
{
    struct ctx second = opinion_second(c->ctx);
    const struct err *e = opinions_differ_anywhere(c->ctx) ? money_read_empty(c, &second, list, n) : NULL;

    return e == &E_FUNDS_UNREAD ? NULL : e;
}

/* Asks nodes, and so takes a slot. */
static const struct err *wallets_check(struct api_call *c)
{
    struct wallet *list;
    int n = wallets_list(c->ctx->db, c->arena, c->agent->id, &list);
    const struct err *e;

    if (n < 0)
        return c->endpoint->internal;
    if (!bulkhead_enter(c->ctx->bulkhead, c->agent->id))
        return &E_BUSY;
    e = money_read_empty(c, c->ctx, list, n);
    if (e == NULL)
        e = money_read_empty_again(c, list, n);
    bulkhead_leave(c->ctx->bulkhead);
    return e;
}

static const struct err *orders_check(struct api_call *c)
{
    enum lookup open = orders_open(c->ctx->db, c->agent->id);

    return open == LOOKUP_NONE ? NULL : open == LOOKUP_FOUND ? &E_PREDICT_ORDERS_OPEN : c->endpoint->internal;
}

/* Facts of the database are checked first, so that nodes are not asked unnecessarily. */
static const struct err *deletion_check(struct api_call *c)
{
    const struct err *e = orders_check(c);

    return e != NULL ? e : wallets_check(c);
}

static const struct err *halt_check(struct api_call *c)
{
    enum lookup stopped = trading_halts_check(c->ctx->db, c->agent->id);

    return stopped == LOOKUP_NONE ? NULL : stopped == LOOKUP_ERROR ? c->endpoint->internal : &E_STOPPED;
}

/* The second word that the deletion wants, and how to take out first what it would lose. */
static const struct err *confirm_explain(struct api_call *c, const struct err *e)
{
    const struct agent *agent = c->agent;
    json_t *name = json_string(agent->name);
    const char *shown = jw_text_of(c->arena, name, JSON_ENCODE_ANY);

    json_decref(name);
    return err_hint(
        c->arena, e,
        arena_printf(
            c->arena,
            "Nothing was deleted. To delete the agent all the same, which loses all of this for good, repeat with {\"confirm\": %s}, its name, as the body or as ?confirm=. To take it out first:%s POST /wallets/withdraw, /predict/withdraw, /perps/withdraw, /lend/withdraw",
            shown, agent->status == AGENT_ACTIVE ? "" : " POST /reactivate, then"));
}

/* With delete_funded = confirm, until the agent's name is repeated. NULL: nothing stands against it. */
static struct reply *confirm_ask(struct api_call *c)
{
    struct left_behind left;
    struct json_writer *w;
    const struct err *e = left_behind_read(c, &left);

    if (e != NULL)
        return reply_err(c->rq, e);
    e = left_behind_error(&left);
    if (e == NULL)
        return NULL;
    w = reply_err_open(c->rq, confirm_explain(c, e), NULL);
    left_behind_write(w, &left);
    return reply_close(w);
}

/* The refusal of the deletion; NULL: there is none. */
static struct reply *deletion_refuse(struct api_call *c, const struct delete_in *in)
{
    const struct err *e;

    if (in->confirm != NULL && strcmp(in->confirm, c->agent->name) != 0)
        return reply_err(c->rq, err_on(c->arena, &E_CONFIRM, "confirm"));
    if (delete_funded_is(c, "yes"))
        return NULL;
    e = halt_check(c);
    if (e == NULL && delete_funded_is(c, "no"))
        e = deletion_check(c);
    if (e != NULL)
        return reply_err(c->rq, e);
    return delete_funded_is(c, "confirm") && in->confirm == NULL ? confirm_ask(c) : NULL;
}

static void positions_left_write(struct json_writer *w, struct api_call *c, const struct wallet *wallet)
{
    const json_t *doc = NULL, *position;
    size_t i;

    jw_object(w, NULL);
    jw_string(w, "wallet", wallet->ref.address);
    jw_array(w, "positions");
    if (lend_positions(c->ctx, c->arena, NULL, evm_addr_or_zero(wallet->ref.address), &doc) == NULL)
        json_array_foreach(json_object_get(doc, "positions"), i, position) jw_value(w, NULL, position);
    jw_end(w);
    if (doc != NULL)
        jw_value(w, "unavailable", json_object_get(doc, "unavailable"));
    jw_end(w);
}

/* The agent's loans and debts, which are not sold at deletion, as JSON for the audit. NULL: there never were
 * any, or they are unknown: a deletion waits for none of it. */
static const char *lend_op_left(struct api_call *c)
{
    struct json_writer *w = ARENA_NEW(c->arena, struct json_writer);
    struct wallet *list;
    int n;

    if (c->agent->lend_operations == 0 || (n = wallets_list(c->ctx->db, c->arena, c->agent->id, &list)) < 0 ||
        !bulkhead_enter(c->ctx->bulkhead, c->agent->id))
        return NULL;
    jw_init(w, c->arena, LEFT_MAX);
    jw_object(w, NULL);
    jw_array(w, "lending");
    for (int i = 0; i < n; i++)
        if (list[i].ref.kind == WALLET_EVM)
            positions_left_write(w, c, &list[i]);
    jw_end(w);
    jw_end(w);
    bulkhead_leave(c->ctx->bulkhead);
    return jw_finish(w);
}

/* After a lost connection the database says whether the agent was deleted. */
static struct reply *delete_me(struct api_call *c, const void *arg)
{
    const struct delete_in *in = arg;
    struct reply *refusal = deletion_refuse(c, in);
    bool wants_idle = delete_funded_is(c, "confirm") && in->confirm == NULL, busy = false;
    struct agent now;
    enum db_update deleted;

    if (refusal != NULL)
        return refusal;
    deleted = agents_delete(
        c->ctx->db, c->agent->id, lend_op_left(c),
        security_event_about(c->ctx, c->arena, &c->agent->uuid, EVENT_AGENT_DELETED, "name", c->agent->name),
        wants_idle ? &busy : NULL);
    if (deleted == DB_ERROR && agent_reread(c, &now) == LOOKUP_NONE)
        deleted = UPDATED;
    if (deleted == DB_ERROR)
        return NULL;
    if (deleted == HALTED)
        return reply_err(c->rq, &E_STOPPED);
    if (busy) /* something has begun since it was asked */
        return reply_err(c->rq, confirm_explain(c, &E_NOT_ENDED));
    if (deleted != UPDATED)
        return reply_err(c->rq, c->endpoint->denied);
    security_event_log(&c->agent->uuid, EVENT_AGENT_DELETED, "");
    return reply_empty(c->rq, 204);
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = DELETE,
        .path = V1 "/me",
        .auth = AUTH_KNOWN,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(delete_params, struct delete_in),
        .handler = delete_me,
        .flags = MAY_WAIT | CORE,
        .tool = "delete_me",
        .summary = "Delete the agent for good",
        .about =
            "Irreversible: agent, keys and wallets are gone, and with them all that the wallets hold; open orders are cancelled. POST /wallets/withdraw takes that out. An agent that holds more than a dollar, on chains or at markets, or an amount without a price, or of which something has not ended, is asked for its name with 409 WALLETS_FUNDED, which lists all of it.",
        .tag = TAG_AGENTS,
        .status = 204,
        .errors = ERRORS{ &E_CONFIRM, &E_STOPPED, &E_PREDICT_ORDERS_OPEN, &E_FUNDED, &E_NOT_ENDED,
                          &E_FUNDS_UNREAD, NULL },
    },
    {
        .method = POST,
        .path = V1 "/me/deactivate",
        .auth = AUTH_KNOWN,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        .handler = deactivate_me,
        .flags = MAY_WAIT | CORE,
        .tool = "deactivate_me",
        .summary = "Deactivate the agent",
        .about =
            "Stops everything but reactivation and deletion; data stays. `holdings` is what the wallets hold still. POST /reactivate undoes it. DELETE /me of an agent that holds something asks for its name as `confirm`.",
        .tag = TAG_AGENTS,
        .status = 200,
        .answer = &lifecycle_schema,
        .errors = ERRORS{ &E_DEACTIVATED, &E_STOPPED, NULL },
        .hints = HINT_ADDITIVE,
    },
    {
        .method = POST,
        .path = V1 "/reactivate",
        .auth = AUTH_KNOWN,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        .handler = reactivate_me,
        .flags = CORE,
        .tool = "reactivate_me",
        .summary = "Reactivate the agent",
        .about = "Undoes POST /me/deactivate, but not a deactivation by the operator.",
        .tag = TAG_AGENTS,
        .status = 200,
        .answer = &reactivated_schema,
        .errors = ERRORS{ &E_ACTIVE, &E_SHUT, NULL },
        .hints = HINT_ADDITIVE,
    },
};

static const struct endpoint_event events[] = {
    { EVENT_AGENT_DEACTIVATED, "onAgentDeactivated", &agent_deactivated_schema },
    { EVENT_AGENT_REACTIVATED, "onAgentReactivated", &agent_reactivated_schema },
    { EVENT_AGENT_DELETED, "onAgentDeleted", &agent_deleted_schema },
    { .type = NULL },
};

const struct endpoint_group lifecycle_endpoints = { ENDPOINT_ROWS(rows), .events = events };
