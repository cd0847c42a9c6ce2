/* Prompts: tasks that a person may pick for a model to do here; and completion of their arguments and of
 * those of resource templates. */
#include <string.h>

#include "agentproto/mcp_internal.h"
#include "api/documents/documents.h"
#include "base/buf.h"
#include "base/safe_text.h"
#include "chain/tokens.h"

enum { ARGUMENTS_MAX = 4, VALUE_MAX = 100, PROMPT_MAX = 4 * 1024, COMPLETIONS_MAX = 100 };

/* "{name}" in the text stands for an argument. */
static const struct prompt {
    const char *name, *title, *about;
    struct {
        const char *name, *about, *dflt; /* dflt NULL: required */
    } arguments[ARGUMENTS_MAX];
    const char *text;
    bool bridges; /* offered only if swaps across chains work */
} prompts[] = {
    { "swap_tokens",
      "Swap tokens",
      "Swaps one token into another, after showing the price",
      { { "from_token", "What to give, such as ETH", NULL },
        { "to_token", "What to get, such as USDC", NULL },
        { "amount", "How much to give, in human units", NULL },
        { "chain", "On which chain", "ethereum" } },
      "Swap \"{amount}\" \"{from_token}\" to \"{to_token}\" on the chain \"{chain}\". Get a quote with get_quote, show me what I give and get, and wait for my yes. Then call execute_swap with the quote_id (a quote lives 60 seconds: get another one if it has expired), and follow it with get_swap_status until it is completed or failed.",
      false },
    { "bridge_tokens",
      "Move tokens to another chain",
      "Swaps across chains, after showing the price",
      { { "token", "What to move, such as USDC", NULL },
        { "amount", "How much, in human units", NULL },
        { "from_chain", "From which chain", NULL },
        { "to_chain", "To which chain", NULL } },
      "Move \"{amount}\" \"{token}\" from the chain \"{from_chain}\" to the chain \"{to_chain}\". Get a quote with get_quote (the same token on both sides, from_chain and to_chain), show me what arrives, and wait for my yes. Then call execute_swap with the quote_id, and follow it with get_swap_status; across chains it may stay pending for minutes.",
      true },
    { "check_portfolio",
      "Check my portfolio",
      "Sums up what the wallets hold",
      { { NULL, NULL, NULL } },
      "Read what my wallets hold with get_portfolio and tell me how much there is of which token on which chain, what it is worth in all, and which chains could not be read. If there is no wallet yet, say that create_wallet makes one.",
      false },
    { "check_swaps",
      "Check my swaps",
      "Sums up the last swaps",
      { { NULL, NULL, NULL } },
      "List my last swaps with list_swaps and tell me which are completed, which are still under way, and which failed and why (get_swap_status has error_code and error_message).",
      false },
    { "research_market",
      "Research a prediction market",
      "Finds markets on a topic, and what they think of it",
      { { "query", "Words of the question, such as bitcoin", NULL } },
      "Find prediction markets about \"{query}\" with search_prediction_markets. Of those that fit best, read the rules with get_prediction_market, the book with get_prediction_book and the last trades with get_prediction_trades. Tell me what each asks exactly, when and how it is decided, what its outcomes cost and how much is offered at that. Place no order.",
      false },
};

enum { PROMPTS = sizeof prompts / sizeof prompts[0] };

static size_t argument_count(const struct prompt *p)
{
    size_t n = 0;

    while (n < ARGUMENTS_MAX && p->arguments[n].name != NULL)
        n++;
    return n;
}

static bool prompt_is_offered(const struct mcp *m, const struct prompt *p)
{
    return !p->bridges || m->bridges;
}

static void prompt_write(struct json_writer *w, const struct prompt *p)
{
    jw_object(w, NULL);
    jw_string(w, "name", p->name);
    jw_string(w, "title", p->title);
    jw_string(w, "description", p->about);
    jw_array(w, "arguments");
    for (size_t i = 0; i < argument_count(p); i++) {
        jw_object(w, NULL);
        jw_string(w, "name", p->arguments[i].name);
        jw_string(w, "description", p->arguments[i].about);
        jw_bool(w, "required", p->arguments[i].dflt == NULL);
        jw_end(w);
    }
    jw_end(w);
    jw_end(w);
}

const char *mcp_prompts_make(struct arena *a, const struct mcp *m)
{
    struct json_writer w;

    jw_init(&w, a, MAX_UPSTREAM);
    jw_array(&w, NULL);
    for (size_t i = 0; i < PROMPTS; i++)
        if (prompt_is_offered(m, &prompts[i]))
            prompt_write(&w, &prompts[i]);
    jw_end(&w);
    return jw_finish(&w);
}

bool mcp_prompts_list(struct mcp_call *c)
{
    return mcp_page(c, "prompts", c->mcp->prompts);
}

static const struct prompt *prompt_find(const struct mcp *m, const char *name)
{
    for (size_t i = 0; name != NULL && i < PROMPTS; i++)
        if (strcmp(prompts[i].name, name) == 0 && prompt_is_offered(m, &prompts[i]))
            return &prompts[i];
    return NULL;
}

/* ---- one prompt ---- */

/* A value goes between quotation marks into a text that a model obeys, and must not get out of them. */
static bool value_is_safe(const json_t *v)
{
    const char *s = json_string_value(v);

    return s != NULL && *s != '\0' && strlen(s) <= VALUE_MAX && strchr(s, '"') == NULL && safe_text_ok(s);
}

/* Reads the values in the order of the prompt's arguments; false after the failure. */
static bool prompt_read_values(struct mcp_call *c, const struct prompt *p, const json_t *arguments,
                               const char *values[ARGUMENTS_MAX])
{
    for (size_t i = 0; i < argument_count(p); i++) {
        const char *name = p->arguments[i].name;
        const json_t *v = json_object_get(arguments, name);
        const char *what = v == NULL ? "is required" : "must be a short text of visible characters";

        values[i] = v == NULL ? p->arguments[i].dflt : value_is_safe(v) ? json_string_value(v) : NULL;
        if (values[i] == NULL) {
            (void)mcp_fail(c, JSONRPC_INVALID_PARAMS, arena_printf(c->api->arena, "%s %s", name, what));
            return false;
        }
    }
    return true;
}

static size_t argument_at(const struct prompt *p, const char *name, size_t len)
{
    size_t i = 0;

    while (strncmp(p->arguments[i].name, name, len) != 0 || p->arguments[i].name[len] != '\0')
        i++;
    return i;
}

static void text_write(struct json_writer *w, const struct prompt *p, const char *const values[ARGUMENTS_MAX])
{
    struct buf out = BUF_INIT(PROMPT_MAX);
    size_t n;

    for (const char *s = p->text; *s != '\0'; s += n) {
        n = *s == '{' ? strcspn(s, "}") + 1 : strcspn(s, "{");
        if (*s == '{')
            buf_adds(&out, values[argument_at(p, s + 1, n - 2)]);
        else
            buf_add(&out, s, n);
    }
    jw_string(w, "text", buf_text(&out));
    buf_free(&out);
}

static void messages_write(struct json_writer *w, const struct prompt *p,
                           const char *const values[ARGUMENTS_MAX])
{
    jw_string(w, "description", p->about);
    jw_array(w, "messages");
    jw_object(w, NULL);
    jw_string(w, "role", "user");
    jw_object(w, "content");
    jw_string(w, "type", "text");
    text_write(w, p, values);
    jw_end(w);
    jw_end(w);
    jw_end(w);
}

bool mcp_prompts_get(struct mcp_call *c)
{
    const struct prompt *p = prompt_find(c->mcp, mcp_text(c, "name"));
    const char *values[ARGUMENTS_MAX] = { NULL };
    json_t *arguments;
    bool ok;

    if (p == NULL)
        return mcp_fail(c, JSONRPC_INVALID_PARAMS, "Unknown prompt");
    arguments = mcp_arguments(c);
    ok = arguments != NULL && prompt_read_values(c, p, arguments, values);
    if (ok)
        messages_write(&c->result, p, values);
    json_decref(arguments);
    return ok;
}

/* ---- completion ---- */

struct completion {
    const char *values[COMPLETIONS_MAX];
    size_t count, total;
    const char *begun;
};

static void completion_add(struct completion *to, const char *value)
{
    if (value == NULL || strncasecmp(value, to->begun, strlen(to->begun)) != 0)
        return;
    for (size_t i = 0; i < to->count; i++)
        if (strcmp(to->values[i], value) == 0)
            return;
    to->total++;
    if (to->count < COMPLETIONS_MAX)
        to->values[to->count++] = value;
}

static void completion_add_chains(struct completion *to)
{
    for (size_t i = 0; i < chains_count; i++) {
        completion_add(to, chains[i].key);
        completion_add(to, chains[i].alias);
    }
}

/* Tokens of the chain that is filled in already, or of all. */
static void completion_add_tokens(struct completion *to, const char *chain)
{
    const struct chain *only = chain == NULL ? NULL : chain_find(chain);

    for (size_t i = 0; i < tokens_count; i++)
        if (only == NULL || strcmp(tokens[i].chain, only->key) == 0)
            completion_add(to, tokens[i].symbol);
}

static void completion_add_sections(struct completion *to, struct arena *a)
{
    for (size_t i = 0; i < TOOLSETS; i++)
        completion_add(to, arena_printf(a, "%s.txt", llms_section_name(i)));
}

/* Whether the prompt or template exists and has that argument. */
static bool reference_is_known(const struct mcp *m, const json_t *ref, const char *argument)
{
    const char *type = json_string_value(json_object_get(ref, "type"));
    const char *uri = json_string_value(json_object_get(ref, "uri"));
    const struct prompt *p;

    if (type != NULL && strcmp(type, "ref/resource") == 0)
        return uri != NULL && mcp_template_has(uri, argument);
    p = prompt_find(m, json_string_value(json_object_get(ref, "name")));
    if (type == NULL || strcmp(type, "ref/prompt") != 0 || p == NULL)
        return false;
    for (size_t i = 0; i < argument_count(p); i++)
        if (strcmp(p->arguments[i].name, argument) == 0)
            return true;
    return false;
}

bool mcp_complete(struct mcp_call *c)
{
    const json_t *argument = json_object_get(c->params, "argument");
    const char *name = json_string_value(json_object_get(argument, "name"));
    const json_t *known = json_object_get(json_object_get(c->params, "context"), "arguments");
    struct completion to = { .begun = json_string_value(json_object_get(argument, "value")) };

    if (name == NULL || to.begun == NULL ||
        !reference_is_known(c->mcp, json_object_get(c->params, "ref"), name))
        return mcp_fail(c, JSONRPC_INVALID_PARAMS, "ref and argument must name what is there to complete");
    if (strstr(name, "chain") != NULL)
        completion_add_chains(&to);
    else if (strstr(name, "token") != NULL)
        completion_add_tokens(&to, json_string_value(json_object_get(
                                       known, strcmp(name, "token") == 0 ? "from_chain" : "chain")));
    else if (strcmp(name, "section") == 0)
        completion_add_sections(&to, c->api->arena);
    jw_object(&c->result, "completion");
    jw_array(&c->result, "values");
    for (size_t i = 0; i < to.count; i++)
        jw_string(&c->result, NULL, to.values[i]);
    jw_end(&c->result);
    jw_integer(&c->result, "total", (int64_t)to.total);
    jw_bool(&c->result, "hasMore", to.total > COMPLETIONS_MAX);
    jw_end(&c->result);
    return true;
}
