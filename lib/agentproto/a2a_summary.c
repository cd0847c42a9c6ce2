#include "agentproto/a2a_summary.h"

#include <string.h>

#include "agentproto/a2a_conversation.h"
#include "model/task.h"

enum { LISTED_MAX = 5 };

/* ---- members ---- */

static const char *text(const json_t *object, const char *member)
{
    const char *s = json_string_value(json_object_get(object, member));

    return s != NULL ? s : "";
}

static const char *symbol(const json_t *object, const char *member)
{
    return text(json_object_get(object, member), "symbol");
}

/* "on base", or nothing. */
static const char *on_chain(struct arena *a, const char *key)
{
    return *key == '\0' ? "" : arena_printf(a, " on %s", key);
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- lists ---- */

typedef const char *item_fn(struct arena *a, const json_t *item);

static const char *item_text(struct arena *a, const json_t *item)
{
    (void)a;
    return json_string_value(item);
}

static const char *item_key(struct arena *a, const json_t *item)
{
    (void)a;
    return text(item, "key");
}

static const char *item_symbol(struct arena *a, const json_t *item)
{
    (void)a;
    return text(item, "symbol");
}

/* "a, b, c and 4 more". */
static const char *listed(struct arena *a, const json_t *list, item_fn *say, size_t max)
{
    const char *out = "";
    size_t n = json_array_size(list);

    for (size_t i = 0; i < n && i < max; i++)
        out = arena_printf(a, "%s%s%s", out, i > 0 ? ", " : "", say(a, json_array_get(list, i)));
    return n <= max ? out : arena_printf(a, "%s and %zu more", out, n - max);
}

/* "; NAMES AFTER", or nothing. */
static const char *besides(struct arena *a, const json_t *names, const char *after)
{
    if (json_array_size(names) == 0)
        return "";
    return arena_printf(a, "; %s %s", listed(a, names, item_text, LISTED_MAX), after);
}

/* ---- prices, balances ---- */

/* Cents, and more places below a dollar. */
static const char *dollars(struct arena *a, const json_t *usd)
{
    double shown = json_number_value(usd);

    return arena_printf(a, "$%.*f", shown < 1 ? 6 : 2, shown);
}

static const char *prices_words(struct arena *a, const json_t *asked, const json_t *body)
{
    const char *out = "", *name;
    json_t *price;

    (void)asked;
    json_object_foreach(json_object_get(body, "prices"), name, price)
    {
        out = arena_printf(a, "%s%s%s is %s", out, *out == '\0' ? "" : ", ", name,
                           dollars(a, json_object_get(price, "usd")));
    }
    out = arena_printf(a, "%s%s%s", out,
                       besides(a, json_object_get(body, "unavailable"), "cannot be priced now"),
                       besides(a, json_object_get(body, "unknown_symbols"), "is not known"));
    return out + (*out == ';' ? 2 : 0);
}

static const char *held(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%s %s on %s", text(item, "balance"), text(item, "symbol"), text(item, "chain"));
}

/* The balances of the token that was asked about, or all. */
static json_t *only_of(const json_t *balances, const char *token)
{
    json_t *list = json_array(), *item;
    size_t i;

    json_array_foreach(balances, i, item)
    {
        if (*token == '\0' || strcmp(text(item, "symbol"), token) == 0)
            json_array_append(list, item);
    }
    return list;
}

static const char *portfolio_words(struct arena *a, const json_t *asked, const json_t *body)
{
    const char *token = text(asked, "token"), *out;
    json_t *list = only_of(json_object_get(body, "balances"), token);

    if (json_is_null(json_object_get(body, "wallet_type")))
        out = "There is no wallet yet: say \"create a wallet\"";
    else if (json_array_size(list) == 0)
        out = arena_printf(a, "You hold no %s%s", *token == '\0' ? "tokens" : token,
                           on_chain(a, text(body, "chain_filter")));
    else
        out = arena_printf(a, "You hold %s", listed(a, list, held, LISTED_MAX));
    if (*token == '\0' && json_array_size(list) > 0)
        out = arena_printf(a, "%s, worth $%s in all", out, text(body, "total_usd"));
    json_decref(list);
    return arena_printf(a, "%s%s", out,
                        besides(a, json_object_get(body, "unavailable"), "could not be read"));
}

/* ---- quotes and swaps ---- */

static const char *quote_words(struct arena *a, const json_t *asked, const json_t *body)
{
    const char *from = text(body, "from_chain"), *to = text(body, "to_chain");

    (void)asked;
    return arena_printf(a, "%s %s%s gives %s %s on %s, at least %s; quote %s is good for %lld seconds",
                        text(body, "amount_in"), symbol(body, "from_token"),
                        strcmp(from, to) == 0 ? "" : on_chain(a, from), text(body, "amount_out"),
                        symbol(body, "to_token"), to, text(body, "amount_out_min"), text(body, "quote_id"),
                        json_integer_value(json_object_get(body, "expires_in_seconds")));
}

static const char *first_failed(const json_t *checks)
{
    const json_t *check;
    size_t i;

    json_array_foreach(checks, i, check)
    {
        if (strcmp(text(check, "status"), "fail") == 0)
            return text(check, "detail");
    }
    return "a check failed";
}

static const char *simulation_words(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *out = json_object_get(body, "expected_output");

    (void)asked;
    if (!json_is_true(json_object_get(body, "would_execute")))
        return arena_printf(a, "It would be refused: %s", first_failed(json_object_get(body, "checks")));
    return arena_printf(a, "It would be executed, for %s %s", text(out, "amount"), text(out, "token"));
}

static const char *swap(struct arena *a, const json_t *item)
{
    const char *got = text(item, "to_amount"), *why = text(item, "error_message");

    return arena_printf(a, "Swap %lld of %s %s to %s%s%s: %s%s%s",
                        json_integer_value(json_object_get(item, "swap_id")), text(item, "from_amount"),
                        text(item, "from_token"), got, *got == '\0' ? "" : " ", text(item, "to_token"),
                        text(item, "status"), *why == '\0' ? "" : ". ", why);
}

static const char *status_words(struct arena *a, const json_t *asked, const json_t *body)
{
    (void)asked;
    return swap(a, body);
}

static const char *swap_in_short(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%lld of %s %s to %s %s", json_integer_value(json_object_get(item, "swap_id")),
                        text(item, "from_amount"), text(item, "from_token"), text(item, "to_token"),
                        text(item, "status"));
}

static const char *history_words(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "swaps");
    long long total = json_integer_value(json_object_get(json_object_get(body, "pagination"), "total"));
    const char *status = text(asked, "status");

    if (json_array_size(list) == 0)
        return arena_printf(a, "There are no %s%sswaps", status, *status == '\0' ? "" : " ");
    return arena_printf(a, "%lld %s%sswap%s; the newest: %s", total, status, *status == '\0' ? "" : " ",
                        plural((size_t)total), listed(a, list, swap_in_short, LISTED_MAX));
}

/* ---- wallets, chains, tokens ---- */

static const char *wallet(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%s (%s)", text(item, "address"), text(item, "chain_type"));
}

static const char *created_words(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *made = json_object_get(body, "wallet");

    (void)asked;
    return made == NULL ? "A wallet would be created"
                        : arena_printf(a, "Created the wallet %s", wallet(a, made));
}

static const char *wallets_words(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "wallets");
    size_t n = json_array_size(list);

    (void)asked;
    if (n == 0)
        return "There is no wallet yet: say \"create a wallet\"";
    return arena_printf(a, "%zu wallet%s: %s", n, plural(n), listed(a, list, wallet, LISTED_MAX));
}

static const char *chains_words(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "chains");
    size_t n = json_array_size(list);

    (void)asked;
    return arena_printf(a, "%zu chain%s: %s", n, plural(n), listed(a, list, item_key, n));
}

static const char *tokens_on(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%zu on %s", json_array_size(json_object_get(item, "tokens")),
                        text(item, "chain"));
}

static const char *tokens_words(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "tokens"), *by_chain = json_object_get(body, "chains");
    size_t n = json_array_size(list);

    (void)asked;
    if (by_chain != NULL)
        return arena_printf(a, "Tokens: %s", listed(a, by_chain, tokens_on, json_array_size(by_chain)));
    return arena_printf(a, "%zu token%s%s: %s", n, plural(n), on_chain(a, text(body, "chain")),
                        listed(a, list, item_symbol, 4 * LISTED_MAX));
}

/* ---- help ---- */

static const char *quoted(struct arena *a, const json_t *item)
{
    return arena_printf(a, "\"%s\"", json_string_value(item));
}

static const char *help_words(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *commands = json_object_get(body, "commands");

    (void)asked;
    return arena_printf(a, "Say, for example: %s", listed(a, commands, quoted, json_array_size(commands)));
}

/* A dry run. */
static const char *rehearsal_words(struct arena *a, const json_t *asked, const json_t *body)
{
    return json_object_get(asked, "quote_id") != NULL ? simulation_words(a, asked, body)
                                                      : quote_words(a, asked, body);
}

/* ---- all of them ---- */

/* By the action of plain English, and by the tool behind it. `asked`: how a command was understood, or NULL.
 */
static const struct words {
    const char *action, *tool;
    const char *(*say)(struct arena *a, const json_t *asked, const json_t *body);
} table[] = {
    { "price", "get_prices", prices_words },         { "prices", "get_prices", prices_words },
    { "balance", "get_portfolio", portfolio_words }, { "quote", "get_quote", quote_words },
    { "swap", "simulate_swap", rehearsal_words },    { "status", "get_swap_status", status_words },
    { "history", "list_swaps", history_words },      { "wallet_create", "create_wallet", created_words },
    { "wallets", "list_wallets", wallets_words },    { "chains", "get_chains", chains_words },
    { "tokens", "get_tokens", tokens_words },        { "help", "", help_words },
};

static const char *find_words(struct arena *a, const struct endpoint *ep, const json_t *body)
{
    bool plain = ep == a2a_plain_operation();
    const char *name = plain ? text(body, "action") : ep->tool;
    const json_t *result = plain ? json_object_get(body, "result") : body;

    if (json_object_get(result, "unavailable") != NULL && json_object_size(result) == 1)
        return arena_printf(a, "Nothing was done; a real run would answer: %s", text(result, "unavailable"));
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(plain ? table[i].action : table[i].tool, name) == 0)
            return table[i].say(a, json_object_get(body, "parsed"), result);
    return NULL;
}

const char *a2a_summary(struct arena *a, const struct endpoint *ep, const json_t *body)
{
    const char *said = find_words(a, ep, body);

    return said != NULL && strlen(said) <= TASK_NOTE_MAX ? said : arena_printf(a, "%s: done", ep->summary);
}
