#include "api/sentence.h"

#include <stdlib.h>
#include <string.h>

#include "api/admission/operation.h"
#include "api/documents/offered.h"
#include "api/endpoint/phrase.h"
#include "model/amount.h"

/* ---- the answer ---- */

static void number_write_if(struct json_writer *w, const char *key, const char *plain)
{
    if (plain != NULL)
        jw_real(w, key, strtod(plain, NULL)); /* shown only */
}

static void whole_write_if(struct json_writer *w, const char *key, uint64_t n)
{
    if (n != 0)
        jw_integer(w, key, (int64_t)n);
}

const char *sentence_chain(const struct chain *c)
{
    return c != NULL ? c->key : NULL;
}

static void texts_write_if(struct json_writer *w, const char *key, const char *const *list)
{
    if (*list == NULL)
        return;
    jw_array(w, key);
    for (; *list != NULL; list++)
        jw_string(w, NULL, *list);
    jw_end(w);
}

static void parsed_sum_write(struct json_writer *w, const struct command *c)
{
    jw_string(w, "amount", c->amount);
    jw_string(w, "amount_kind", amount_kind_text(c->amount_kind));
}

static void parsed_trade_write(struct json_writer *w, const struct command *c)
{
    bool one = c->from_chain == c->to_chain;

    jw_string(w, "from_token", c->from->symbol);
    jw_string(w, "to_token", c->to->symbol);
    parsed_sum_write(w, c);
    jw_string(w, "amount_of", c->amount_of_to ? "to" : "from");
    jw_string_if(w, "chain", one ? c->from_chain->key : NULL);
    jw_string_if(w, "from_chain", one ? NULL : c->from_chain->key);
    jw_string_if(w, "to_chain", one ? NULL : c->to_chain->key);
    if (c->has_slippage)
        jw_real(w, "slippage", c->slippage / 1e6);
    texts_write_if(w, "providers", c->providers);
    texts_write_if(w, "exclude_providers", c->excluded);
}

/* Writes the members of a command on perpetuals except side, size and price. */
static void parsed_position_write(struct json_writer *w, const struct command *c)
{
    jw_string_if(w, "market", c->market);
    number_write_if(w, "leverage", c->leverage);
    number_write_if(w, "notional_usd", c->notional);
    number_write_if(w, "margin_usd", c->margin);
    jw_string_if(w, "type", c->order_type);
    jw_string_if(w, "margin_mode", c->margin_mode);
    number_write_if(w, "take_profit", c->take_profit);
    number_write_if(w, "stop_loss", c->stop_loss);
    jw_true_if(w, "reduce_only", c->reduce_only);
    jw_true_if(w, "post_only", c->post_only);
    if (c->market != NULL && c->has_slippage)
        jw_real(w, "slippage", c->slippage / 1e6);
}

static void symbols_write_if(struct json_writer *w, const struct command *c)
{
    if (c->symbols_count == 0)
        return;
    jw_array(w, "symbols");
    for (unsigned i = 0; i < c->symbols_count; i++)
        jw_string(w, NULL, c->symbols[i]);
    jw_end(w);
}

json_t *sentence_policy(const struct command *c)
{
    bool fraction = strcmp(c->policy_member, "maxSlippage") == 0;
    bool whole = strcmp(c->policy_member, "maxLeverage") == 0;
    json_t *value = fraction ? json_real(strtod(c->policy_value, NULL))
                    : whole  ? json_integer(strtoll(c->policy_value, NULL, 10))
                             : json_string(c->policy_value);

    return json_pack("{s:o, s:o*}", c->policy_member, value, "timeWindowSeconds",
                     sentence_whole(c->window_s));
}

static void policy_write_if(struct json_writer *w, const struct command *c)
{
    json_t *params;

    if (c->policy == NULL)
        return;
    params = sentence_policy(c);
    jw_string(w, "policy", c->policy);
    jw_value(w, "params", params);
    json_decref(params);
}

/* Writes the understood members; missing ones are left out. */
static void parsed_write(struct json_writer *w, const struct command *c)
{
    jw_object(w, "parsed");
    jw_string_if(w, action_has(c->action, ACTION_OF_ASSET) ? "asset" : "token", c->token);
    symbols_write_if(w, c);
    jw_string_if(w, "quote_id", c->quote_id);
    jw_string_if(w, "chain", sentence_chain(c->chain));
    whole_write_if(w, "swap_id", c->swap_id);
    whole_write_if(w, "limit", c->limit);
    jw_string_if(w, "status", c->status);
    jw_string_if(w, "chain_type", c->chain_type);
    jw_string_if(w, "query", c->query);
    jw_string_if(w, "category", c->category);
    jw_string_if(w, "token_id", c->token_id);
    jw_string_if(w, "side", c->side);
    jw_string_if(w, "market_id", c->market_id);
    jw_string_if(w, "outcome", c->outcome);
    jw_string_if(w, "order_id", c->order_id);
    number_write_if(w, "price", c->price);
    number_write_if(w, "size", c->size);
    jw_string_if(w, "to", c->recipient);
    whole_write_if(w, "withdrawal_id", c->withdrawal_id);
    whole_write_if(w, "address_id", c->address_id);
    jw_string_if(w, "address", c->address);
    jw_string_if(w, "label", c->label);
    jw_string_if(w, "protocol", c->protocol);
    jw_string_if(w, "against", c->against);
    jw_true_if(w, "collateral", c->collateral);
    whole_write_if(w, "operation_id", c->operation_id);
    if (c->action == ACTION_LEND_COLLATERAL)
        jw_bool(w, "enabled", c->enabled);
    else if (c->from == NULL && c->amount != NULL)
        parsed_sum_write(w, c);
    parsed_position_write(w, c);
    policy_write_if(w, c);
    jw_string_if(w, "approval_id", c->approval_id);
    if (c->from != NULL)
        parsed_trade_write(w, c);
    jw_end(w);
}

struct json_writer *sentence_open(const struct sentence *x, int status)
{
    struct json_writer *w = reply_open(x->call->rq, status);

    jw_string(w, "action", action_names[x->c->action]);
    parsed_write(w, x->c);
    jw_object(w, "result");
    return w;
}

struct reply *sentence_close(struct json_writer *w)
{
    jw_end(w);
    return reply_close(w);
}

/* "Less than the 5 WBTC …" where what is to be received was measured and the quote brings less; NULL: it does
 * not. */
static const char *shortfall_text(const struct sentence *x, struct reply *inner)
{
    const struct command *c = x->c;
    const char *expected = x->expected_out;
    struct amount wanted, brought;

    if (!c->amount_of_to)
        return NULL;
    if (expected == NULL)
        expected = json_string_value(json_object_get(reply_value(inner), "amount_out"));
    if (expected == NULL || amount_parse(&wanted, c->amount, c->to->decimals) != AMOUNT_FINE ||
        amount_parse(&brought, expected, c->to->decimals) != AMOUNT_FINE ||
        u256_cmp(brought.raw, wanted.raw) >= 0)
        return NULL;
    return arena_printf(x->call->arena, "Less than the %s %s asked for is expected: %s", c->amount,
                        c->to->symbol, expected);
}

/* The operation's answer with that among its warnings. */
static json_t *warning_add(const json_t *answer, const char *text)
{
    json_t *copy = json_copy((json_t *)(uintptr_t)answer);
    json_t *list = json_deep_copy(json_object_get(answer, "warnings"));

    if (list == NULL)
        list = json_array();
    json_array_append_new(list, json_string(text));
    json_object_set_new(copy, "warnings", list);
    return copy;
}

/* Makes the sentence's answer from the operation's, and adds what the sentence knows. Only 202 keeps its
 * status. */
static struct reply *sentence_dress(struct reply *inner, const void *with)
{
    const struct sentence *x = with;
    struct json_writer *w = sentence_open(x, reply_status(inner) == 202 ? 202 : 200);
    const char *text = reply_text(inner), *shortfall = shortfall_text(x, inner);
    json_t *warned = shortfall == NULL ? NULL : warning_add(reply_value(inner), shortfall);
    const json_t *value = warned != NULL ? warned : x->call->rq->values ? reply_value(inner) : NULL;

    if (warned != NULL)
        text = jw_text_of(x->call->arena, warned, JSON_REAL_PRECISION(15));
    jw_members(w, text, strlen(text), x->call->rq->values ? value : NULL);
    json_decref(warned);
    jw_string_if(w, "amount_in", x->amount_in);
    jw_string_if(w, "expected_out", x->expected_out);
    return sentence_close(w);
}

struct reply *sentence_finish(const struct sentence *x, struct reply *inner)
{
    const struct err *e = reply_error(inner);
    const json_t *swap;
    struct json_writer *w;

    if (reply_succeeds(inner))
        return sentence_dress(inner, x);
    if (!x->in->dry_run || e == NULL)
        return inner;
    w = sentence_open(x, 200);
    jw_string(w, "unavailable", e->text);
    swap = json_object_get(reply_value(inner), "swap_id"); /* that a quote became */
    if (swap != NULL)
        jw_value(w, "swap_id", swap);
    return sentence_close(w);
}

struct reply *sentence_refuse(const struct sentence *x, const struct err *e)
{
    return sentence_finish(x, reply_err(x->call->rq, e));
}

/* ---- running it ---- */

/* Takes ownership of the arguments. */
static struct reply *call_run(struct api_call *call, json_t *arguments)
{
    struct reply *rp =
        call->endpoint == NULL ? reply_err(call->rq, &E_NOT_CONFIGURED) : operation_call(call, arguments);

    json_decref(arguments);
    return rp;
}

struct reply *sentence_step(const struct sentence *x, const char *tool, json_t *arguments)
{
    struct api_call step = api_call_for(x->call, operation_find(tool));
    struct request *rq = x->call->rq;
    bool values = rq->values;
    struct reply *rp;

    rq->values = true;
    rp = call_run(&step, arguments);
    rq->values = values;
    return rp;
}

struct reply *sentence_work(const struct sentence *x, const char *tool, json_t *arguments)
{
    struct api_call work = api_call_for(x->call, operation_find(tool));

    work.record = x->call->record;
    work.dress = sentence_dress;
    work.dress_with = x;
    return sentence_finish(x, call_run(&work, arguments));
}

struct reply *sentence_act(const struct sentence *x, json_t *arguments)
{
    return sentence_work(x, action_tool(x->c->action), arguments);
}

struct reply *sentence_simulate(const struct sentence *x)
{
    return operation_find(action_tool(x->c->action)) == NULL ? sentence_refuse(x, &E_NOT_CONFIGURED)
                                                             : sentence_close(sentence_open(x, 200));
}

json_t *sentence_whole(uint64_t n)
{
    return n == 0 ? NULL : json_integer((json_int_t)n);
}

json_t *sentence_fraction(uint32_t ppm)
{
    return ppm == PPM_NONE ? NULL : json_real(ppm / 1e6);
}

uint64_t sentence_newest(const struct sentence *x, const char *tool, const char *list, const char *id)
{
    struct reply *page = sentence_step(x, tool, json_pack("{s:i}", "limit", 1));
    const json_t *newest = json_array_get(json_object_get(reply_value(page), list), 0);

    return (uint64_t)json_integer_value(json_object_get(newest, id));
}

json_t *sentence_path(const char *tool, const char *value)
{
    const struct endpoint *ep = operation_find(tool);

    return ep == NULL ? json_object() : json_pack("{s:s}", ep->path_param->name, value);
}

struct reply *sentence_act_on(const struct sentence *x, const char *id)
{
    return sentence_act(x, sentence_path(action_tool(x->c->action), id));
}

struct reply *sentence_act_on_number(const struct sentence *x, uint64_t id)
{
    return sentence_act_on(x, arena_printf(x->call->arena, "%llu", (unsigned long long)id));
}
