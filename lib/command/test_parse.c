#include "command/parse.c"

#include <jansson.h>
#include <stdlib.h>

#include "base/test.h"

static struct arena *arena;

/* ---- a reading as the answer's `parsed` has it ---- */

static void put(json_t *o, const char *name, const char *text)
{
    if (text != NULL)
        json_object_set_new(o, name, json_string(text));
}

static void put_whole(json_t *o, const char *name, uint64_t n)
{
    if (n != 0)
        json_object_set_new(o, name, json_integer((json_int_t)n));
}

static void put_real(json_t *o, const char *name, const char *text)
{
    if (text != NULL)
        json_object_set_new(o, name, json_real(strtod(text, NULL)));
}

static void put_texts(json_t *o, const char *name, const char *const *list)
{
    json_t *all = *list == NULL ? NULL : json_array();

    for (; *list != NULL; list++)
        json_array_append_new(all, json_string(*list));
    if (all != NULL)
        json_object_set_new(o, name, all);
}

static void put_trade(json_t *o, const struct command *c)
{
    put(o, "from_token", c->from->symbol);
    put(o, "to_token", c->to->symbol);
    put(o, "amount", c->amount);
    put(o, "amount_kind", amount_kind_text(c->amount_kind));
    put(o, "amount_of", c->amount_of_to ? "to" : "from");
    if (c->from_chain == c->to_chain) {
        put(o, "chain", c->from_chain->key);
    } else {
        put(o, "from_chain", c->from_chain->key);
        put(o, "to_chain", c->to_chain->key);
    }
    if (c->has_slippage)
        json_object_set_new(o, "slippage", json_real(c->slippage / 1e6));
    put_texts(o, "providers", c->providers);
    put_texts(o, "exclude_providers", c->excluded);
}

static void put_symbols(json_t *o, const struct command *c)
{
    json_t *list = c->symbols_count > 0 ? json_array() : NULL;

    for (unsigned i = 0; i < c->symbols_count; i++)
        json_array_append_new(list, json_string(c->symbols[i]));
    if (list != NULL)
        json_object_set_new(o, "symbols", list);
}

static void put_position(json_t *o, const struct command *c)
{
    put(o, "market", c->market);
    put_real(o, "leverage", c->leverage);
    put_real(o, "notional_usd", c->notional);
    put_real(o, "margin_usd", c->margin);
    put(o, "type", c->order_type);
    put(o, "margin_mode", c->margin_mode);
    put_real(o, "take_profit", c->take_profit);
    put_real(o, "stop_loss", c->stop_loss);
    if (c->reduce_only)
        json_object_set_new(o, "reduce_only", json_true());
    if (c->post_only)
        json_object_set_new(o, "post_only", json_true());
    if (c->market != NULL && c->has_slippage)
        json_object_set_new(o, "slippage", json_real(c->slippage / 1e6));
}

static json_t *parsed(const struct command *c)
{
    json_t *o = json_object();

    if (c->from != NULL)
        put_trade(o, c);
    else if (c->chain != NULL)
        put(o, "chain", c->chain->key);
    put(o, action_has(c->action, ACTION_OF_ASSET) ? "asset" : "token", c->token);
    if (c->action == ACTION_LEND_COLLATERAL)
        json_object_set_new(o, "enabled", json_boolean(c->enabled));
    else if (c->from == NULL && c->amount != NULL) {
        put(o, "amount", c->amount);
        put(o, "amount_kind", amount_kind_text(c->amount_kind));
    }
    put_symbols(o, c);
    put(o, "quote_id", c->quote_id);
    if (c->newest)
        json_object_set_new(o, "newest", json_true());
    put_whole(o, "swap_id", c->swap_id);
    put_whole(o, "limit", c->limit);
    put(o, "status", c->status);
    put(o, "chain_type", c->chain_type);
    put(o, "query", c->query);
    put(o, "category", c->category);
    put(o, "token_id", c->token_id);
    put(o, "side", c->side);
    put_real(o, "price", c->price);
    put_real(o, "size", c->size);
    put(o, "market_id", c->market_id);
    put(o, "outcome", c->outcome);
    put(o, "order_id", c->order_id);
    put_whole(o, "withdrawal_id", c->withdrawal_id);
    put(o, "to", c->recipient);
    put_whole(o, "address_id", c->address_id);
    put(o, "address", c->address);
    put(o, "label", c->label);
    put(o, "protocol", c->protocol);
    put(o, "against", c->against);
    if (c->collateral)
        json_object_set_new(o, "collateral", json_true());
    put_whole(o, "operation_id", c->operation_id);
    put_position(o, c);
    put(o, "approval_id", c->approval_id);
    put(o, "policy", c->policy);
    put(o, c->policy_member, c->policy_value);
    put_whole(o, "timeWindowSeconds", c->window_s);
    return o;
}

/* ---- comparison with the expectation ---- */

static bool equal(const json_t *a, const json_t *b)
{
    double apart;

    if (!json_is_number(a) || !json_is_number(b))
        return json_equal(a, b) != 0;
    apart = json_number_value(a) - json_number_value(b);
    return apart < 1e-12 && apart > -1e-12;
}

static bool is_about(const json_t *got, const char *word)
{
    const char *query = json_string_value(json_object_get(got, "query"));
    const char *category = json_string_value(json_object_get(got, "category"));

    return (query != NULL && strcasestr(query, word) != NULL) ||
           (category != NULL && strcasecmp(category, word) == 0);
}

static bool wanted_all_there(const json_t *got, const json_t *want)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)want, name, value)
    {
        if (strcmp(name, "about") == 0 ? !is_about(got, json_string_value(value))
                                       : !equal(json_object_get(got, name), value))
            return false;
    }
    return true;
}

/* A parsed trade has no member beyond the wanted ones. */
static bool nothing_else(const json_t *got, const json_t *want)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)got, name, value)
    {
        if (json_object_get(want, name) == NULL &&
            (strcmp(name, "amount_of") != 0 || strcmp(json_string_value(value), "from") != 0))
            return false;
    }
    return true;
}

static bool as_expected(const struct command *c, const json_t *expect)
{
    json_t *got = parsed(c);
    const json_t *want = json_object_get(expect, "parsed");
    bool trade = c->action == ACTION_SWAP || c->action == ACTION_QUOTE || c->action == ACTION_WITHDRAW ||
                 action_has(c->action, ACTION_LENDS) || c->action == ACTION_PERPS_QUOTE ||
                 action_has(c->action, ACTION_TRADES_PERPS);
    bool right = strcmp(action_names[c->action], json_string_value(json_object_get(expect, "action"))) == 0 &&
                 wanted_all_there(got, want) && (!trade || nothing_else(got, want));

    json_decref(got);
    return right;
}

static bool one_of(const struct command *c, const json_t *row)
{
    const json_t *alternatives = json_object_get(row, "alt");
    bool right = json_object_get(row, "expect") != NULL && as_expected(c, json_object_get(row, "expect"));

    for (size_t i = 0; !right && i < json_array_size(alternatives); i++)
        right = as_expected(c, json_array_get(alternatives, i));
    return right;
}

static bool acting(enum command_action action)
{
    return action_has(action, ACTION_CHANGES);
}

struct tally {
    unsigned right, wrong;
    unsigned executed; /* wrongly, with an effect */
};

static void judge(const json_t *row, struct tally *t)
{
    struct command c;
    const char *text = json_string_value(json_object_get(row, "command"));
    const struct err *e = command_parse(arena, text, &c);
    bool may_refuse =
        json_is_true(json_object_get(row, "refuse")) || json_is_true(json_object_get(row, "or_refuse"));
    bool right = e != NULL ? may_refuse : one_of(&c, row);
    json_t *got = e == NULL ? parsed(&c) : NULL;
    char *shown = got != NULL ? json_dumps(got, JSON_COMPACT) : NULL;

    t->right += right;
    t->wrong += !right;
    t->executed += !right && e == NULL && acting(c.action);
    if (!right)
        fprintf(stderr, "%s \"%s\": %s %s\n", json_string_value(json_object_get(row, "id")), text,
                e != NULL ? e->text : action_names[c.action], e != NULL ? e->hint : shown);
    free(shown);
    json_decref(got);
    arena_reset(arena);
}

static struct tally judge_file(const char *path)
{
    struct tally t = { 0 };
    char line[8192];
    FILE *f = fopen(path, "r");

    arena = arena_new();
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        json_t *row = json_loads(line, JSON_ALLOW_NUL, NULL);

        CHECK(row != NULL);
        judge(row, &t);
        json_decref(row);
    }
    if (f != NULL)
        fclose(f);
    arena_free(arena);
    fprintf(stderr, "%s: %u right, %u wrong, %u wrongly executed\n", path, t.right, t.wrong, t.executed);
    return t;
}

static void sentences_of_the_reference(void)
{
    struct tally t = judge_file("tests/vectors/nl-dev.jsonl");

    CHECK(t.right == 80 && t.wrong == 0);
}

static void sentences_written_before_the_grammar(void)
{
    struct tally t = judge_file("tests/vectors/nl-heldout.jsonl");

    CHECK(t.right + t.wrong == 330);
    CHECK(t.executed == 0);
    CHECK(t.wrong * 20 <= t.right + t.wrong);
}

static void sentences_looking_for_wrong_readings(void)
{
    struct tally t = judge_file("tests/vectors/nl-more.jsonl");

    CHECK(t.right > 360 && t.wrong == 0);
}

static void sentences_written_before_their_forms(void)
{
    struct tally t = judge_file("tests/vectors/nl-forms.jsonl");

    CHECK(t.right > 360 && t.wrong == 0);
}

static void sentences_that_name_providers(void)
{
    struct tally t = judge_file("tests/vectors/nl-providers.jsonl");

    CHECK(t.right > 20 && t.wrong == 0);
}

static void sentences_about_withdrawals(void)
{
    struct tally t = judge_file("tests/vectors/nl-withdrawals.jsonl");

    CHECK(t.right > 90 && t.wrong == 0);
}

static void sentences_about_lending(void)
{
    struct tally t = judge_file("tests/vectors/nl-lending.jsonl");

    CHECK(t.right > 360 && t.wrong == 0);
}

static void sentences_about_perpetuals(void)
{
    struct tally t = judge_file("tests/vectors/nl-perps.jsonl");

    CHECK(t.right > 250 && t.wrong == 0);
}

static void sentences_written_from_the_documentation(void)
{
    struct tally t = judge_file("tests/vectors/nl-dollars.jsonl");

    CHECK(t.right > 650 && t.wrong == 0);
}

static const char *hint_of(const char *text)
{
    struct command c;
    const struct err *e = command_parse(arena, text, &c);

    return e != NULL ? e->hint : NULL;
}

static void a_hint_names_the_place_but_no_secret(void)
{
    arena = arena_new();
    CHECK_STR(hint_of("swap 1 ETH to USDC tomorrow"), "Not understood from \"tomorrow\" on");
    CHECK_STR(hint_of("swap 1 ETH to"),
              "The command breaks off: say what to get for it, as in \"swap 1 ETH to USDC\"");
    CHECK_STR(hint_of("buy 5 WBTC"),
              "The command breaks off: say what to pay with, as in \"buy 5 WBTC with USDC\"");
    CHECK_STR(hint_of("Please BUY 5 WBTC on base"),
              "The command breaks off: say what to pay with, as in \"buy 5 WBTC with USDC\"");
    CHECK_STR(hint_of("prices for ETH and"), "The command breaks off: something is missing at its end");
    CHECK_STR(hint_of("did my swap go through?"),
              "Say which swap: by its number, as in swap 42, or \"my last swap\"");
    CHECK_STR(hint_of("import c0ffee254729296a45a3885639AC7E10F9d54979deadbeefdeadbeefdeadbeef"),
              "Not understood from \"import\" on");
    CHECK_STR(hint_of("swap c0ffee254729296a45a3885639AC7E10F9d54979deadbeefdeadbeefdeadbeef"),
              "The command has a word that is too long for a name; tokens are named by their symbols");
    arena_free(arena);
}

/* ---- a word too many ---- */

/* The sentence with `more` put in before its `at`-th word; NULL when it has not so many. */
static const char *with_word(const char *text, unsigned at, const char *more)
{
    const char *s = text + strspn(text, " ");

    for (; at > 0 && *s != '\0'; at--) {
        s += strcspn(s, " ");
        s += strspn(s, " ");
    }
    return at > 0 ? NULL
                  : arena_printf(arena, "%.*s%s%s %s", (int)(s - text), text,
                                 s > text && s[-1] != ' ' ? " " : "", more, s);
}

/* The word became part of a name that nothing has: an outcome's of the market, or an address's label; or it
 * says which collateral is meant. */
static bool in_name(const char *name, const char *word)
{
    return name != NULL && strchr(name, ' ') != NULL && strcasestr(name, word) != NULL;
}

/* For perpetuals the word makes another sentence with a single meaning: it closes a part, or orders at that
 * price. */
static bool clear_all_the_same(const struct command *c, const char *word)
{
    bool part = strcmp(word, "half") == 0 || strcmp(word, "7%") == 0 || strcmp(word, "2000") == 0;
    bool price = c->price != NULL && strcmp(word, "$2000") == 0 && strcmp(c->price, "2000") == 0;

    return (c->action == ACTION_PERPS_CLOSE && part) || (c->action == ACTION_PERPS_ORDER && price);
}

static bool harmless(const struct command *c, const char *word)
{
    /* dollars that pay say in which token */
    bool paid = c->from != NULL && c->amount_kind == AMOUNT_USD && strcasecmp(c->from->symbol, word) == 0;

    return paid || in_name(c->outcome, word) || in_name(c->recipient, word) || in_name(c->label, word) ||
           ((c->action == ACTION_ADD_ADDRESS || c->action == ACTION_ADD_POLICY) &&
            strcmp(word, "another") == 0) ||
           (c->against != NULL && strcasecmp(c->against, word) == 0) || clear_all_the_same(c, word);
}

static unsigned try_words(const char *text)
{
    static const char *const words[] = {
        "not",     "never", "no",       "don't", "if",   "unless", "or",   "then",
        "maybe",   "about", "tomorrow", "bob",   "2000", "$2000",  "7%",   "USDT",
        "another", "half",  "-",        ";",     "fake", "except", "send", "should",
    };
    unsigned passed = 0;
    struct command c;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        for (unsigned at = 0; at < 60; at++) {
            const char *changed = with_word(text, at, words[i]);

            if (changed == NULL || command_parse(arena, changed, &c) != NULL || !acting(c.action) ||
                harmless(&c, words[i]))
                continue;
            passed++;
            fprintf(stderr, "carried out: %s\n", changed);
        }
    }
    return passed;
}

/* Tries the sentences of a file. Returns how many. */
static unsigned try_file(const char *path)
{
    char line[8192];
    FILE *f = fopen(path, "r");
    struct command c;
    unsigned tried = 0;

    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        json_t *row = json_loads(line, JSON_ALLOW_NUL, NULL);
        const char *text = json_string_value(json_object_get(row, "command"));

        if (command_parse(arena, text, &c) == NULL && acting(c.action) && c.action != ACTION_WALLET) {
            tried++;
            CHECK(try_words(text) == 0);
        }
        json_decref(row);
        arena_reset(arena);
    }
    if (f != NULL)
        fclose(f);
    return tried;
}

/* An id of a quote is longer than a name may be. */
static void an_id_is_not_wrapped(void)
{
    struct command c;

    arena = arena_new();
    CHECK(command_parse(arena, "buy wrapped q_0123456789abcdef0123456789abcdef", &c) != NULL);
    CHECK(command_parse(arena, "execute quote q_0123456789abcdef0123456789abcdef", &c) == NULL);
    CHECK_STR(c.quote_id, "q_0123456789abcdef0123456789abcdef");
    arena_free(arena);
}

/* Sentences that move money are refused with any extra word in any place that might change their meaning. */
static void a_word_too_many_is_refused(void)
{
    arena = arena_new();
    CHECK(try_file("tests/vectors/nl-heldout.jsonl") > 50);
    CHECK(try_file("tests/vectors/nl-forms.jsonl") > 30);
    CHECK(try_file("tests/vectors/nl-withdrawals.jsonl") > 30);
    CHECK(try_file("tests/vectors/nl-lending.jsonl") > 100);
    CHECK(try_file("tests/vectors/nl-perps.jsonl") > 100);
    CHECK(try_file("tests/vectors/nl-dollars.jsonl") > 150);
    arena_free(arena);
}

static void incomplete_sentences_are_recognised(void)
{
    static const struct {
        const char *text;
        bool lacks;
    } rows[] = {
        { "swap ETH to USDC on base", true },
        { "sell my ETH for USDC", true },
        { "quote ETH to USDC", true },
        { "bridge 100 USDC from base", true },
        { "bridge 100 USDC", true },
        { "swap 1 ETH to USDC on base", false }, /* lacks nothing */
        { "swap 1 ETH to 2 USDC", false },
        { "swap 0 ETH to USDC", false },
        { "sell ETH for 100 USDC", false },
        { "swap 1 ETH to ETH", false },
        { "do not swap ETH to USDC", false },
        { "swap ETH to USDC tomorrow", false },
        { "withdraw 100 USDC to cold", true },
        { "withdraw USDC on base to cold", true },
        { "withdraw 100 USDC on base", false }, /* to whom is no piece */
        { "supply 1 ETH", true },
        { "lend USDC on base", true },
        { "borrow 100 USDC", true },
        { "borrow USDC against my ETH", true },
        { "repay my USDC debt", true },
        { "repay 100 USDC", true },
        { "withdraw USDC from aave", true },
        { "supply 1 ETH on base", false },
        { "supply 100 USDC to morpho", false }, /* which market is no piece */
        { "deposit 1 ETH", false },
        { "borrow half of my USDC on base", false },
        { "swap 1 ETH", false }, /* breaks off: the other token is missing */
        { "swap\a", false },
        { "", false },
    };

    arena = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct command c = { .lacks_a_piece = true };
        const struct err *e = command_parse(arena, rows[i].text, &c);

        CHECK(c.lacks_a_piece == rows[i].lacks);
        CHECK(!rows[i].lacks || (e != NULL && strcmp(e->code, E_COMMAND.code) == 0 && e->hint != NULL));
    }
    arena_free(arena);
}

static const struct err *complete(const char *const *said, struct command *out)
{
    unsigned n = 0;

    while (said[n] != NULL)
        n++;
    return command_complete(arena, said[0], said + 1, n - 1, out);
}

static void pieces_that_were_missing_are_put_in_place(void)
{
    static const struct {
        const char *said[5];
        const char *whole;
    } rows[] = {
        { { "swap ETH to USDC on base", "0.1" }, "swap 0.1 ETH on base to USDC on base" },
        { { "swap ETH to USDC on base", "0.1 ETH" }, "swap 0.1 ETH on base to USDC on base" },
        { { "swap ETH to USDC on base", "half of my ETH" }, "swap 50% of my ETH on base to USDC on base" },
        { { "swap ETH to USDC on base", "half" }, "swap 50% of my ETH on base to USDC on base" },
        { { "swap ETH to USDC on base", "all of it, please!" },
          "swap 100% of my ETH on base to USDC on base" },
        { { "swap ETH to USDC on base", "everything" }, "swap 100% of my ETH on base to USDC on base" },
        { { "swap ETH to USDC on base", "12.5%" }, "swap 12.5% of my ETH on base to USDC on base" },
        { { "supply 1 ETH", "on base" }, "supply 1 ETH on base to aave" },
        { { "supply 1 ETH", "base" }, "supply 1 ETH on base to aave" },
        { { "supply 1 ETH", "to aave" }, "supply 1 ETH on ethereum to aave" },
        { { "lend USDC", "half of it", "on base" }, "supply 50% of my USDC on base to aave" },
        { { "deposit USDC into aave on base", "$50" }, "supply $50 worth of USDC on base to aave" },
        { { "withdraw WETH collateral from aave on base", "all" },
          "withdraw 100% of my WETH collateral on base from aave" },
        { { "borrow USDC against my WETH", "200" }, "borrow 200 USDC on ethereum from aave against WETH" },
        { { "repay my USDC debt on base", "all of it" }, "repay 100% of my USDC on base to aave" },
        { { "use my WETH as collateral", "on base" }, "use WETH as collateral on base" },
        { { "stop using my WETH as collateral", "on aave" }, "stop using WETH as collateral on ethereum" },
        { { "repay 5 USDC", "on base", "with aave" }, "repay 5 USDC on base to aave" },
        { { "swap ETH to USDC on base", "$1.5k" }, "swap $1500 worth of ETH on base to USDC on base" },
        { { "swap ETH to USDC on base", "20 dollars" }, "swap $20 worth of ETH on base to USDC on base" },
        { { "swap ETH to USDC on base", "100 usdc" }, "swap ETH on base to 100 USDC on base" },
        { { "swap ETH to USDC", "0.1 on base" }, "swap 0.1 ETH on base to USDC on base" },
        { { "swap ETH to USDC", "on base", "0.1" }, "swap 0.1 ETH on base to USDC on base" },
        { { "swap ETH to USDC", "0.1 with 0.5% slippage" },
          "swap 0.1 ETH on ethereum to USDC on ethereum with 0.5000% slippage" },
        { { "quote ETH to USDC?", "2" }, "quote 2 ETH on ethereum to USDC on ethereum" },
        { { "please sell my ETH for USDC", "just 0.1" }, "swap 0.1 ETH on ethereum to USDC on ethereum" },
        { { "buy ETH with USDC", "0.1 ETH" }, "swap USDC on ethereum to 0.1 ETH on ethereum" },
        { { "buy ETH with USDC", "100 USDC" }, "swap 100 USDC on ethereum to ETH on ethereum" },
        { { "buy ETH with USDC", "half" }, "swap 50% of my USDC on ethereum to ETH on ethereum" },
        { { "swap USDC.e to USDT", "5", "polygon" }, "swap 5 USDC.e on polygon to USDT on polygon" },
        { { "swap 5 USDC.e to USDT", "on polygon" }, "swap 5 USDC.e on polygon to USDT on polygon" },
        { { "bridge 100 USDC from base", "to arbitrum" }, "swap 100 USDC on base to USDC on arbitrum" },
        { { "bridge 100 USDC from base", "arbitrum" }, "swap 100 USDC on base to USDC on arbitrum" },
        { { "bridge 100 USDC to base", "on mainnet" }, "swap 100 USDC on ethereum to USDC on base" },
        { { "bridge 100 USDC", "from base to arbitrum" }, "swap 100 USDC on base to USDC on arbitrum" },
        { { "bridge 100 USDC", "from base", "arbitrum" }, "swap 100 USDC on base to USDC on arbitrum" },
        { { "withdraw 100 USDC to cold", "on base" }, "withdraw 100 USDC on base to cold" },
        { { "withdraw 100 USDC to cold", "base" }, "withdraw 100 USDC on base to cold" },
        { { "send my USDC to cold on base", "all of it" }, "withdraw 100% of my USDC on base to cold" },
        { { "bridge USDC from base", "to arbitrum", "half of my USDC" },
          "swap 50% of my USDC on base to USDC on arbitrum" },
    };

    arena = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct command c;
        const struct err *e = complete(rows[i].said, &c);

        CHECK_STR(e != NULL ? e->hint : command_text(arena, &c), rows[i].whole);
    }
    arena_free(arena);
}

/* Nothing is made of what does not fit: the trade goes on lacking what it lacks. */
static const struct {
    const char *said[4];
    bool lacks; /* something else is asked for */
} misfits[] = {
    { { "swap ETH to USDC", "on base" }, true },
    { { "swap ETH to USDC", "base" }, true },
    { { "bridge USDC from base", "to arbitrum" }, true },
    { { "bridge USDC from base", "100" }, true },
    { { "bridge 100 USDC", "from base" }, true },
    { { "swap ETH to USDC", "" }, false },
    { { "swap ETH to USDC", "banana" }, false },
    { { "swap ETH to USDC", "yes" }, false },
    { { "swap ETH to USDC", "0" }, false },
    { { "swap ETH to USDC", "-1" }, false },
    { { "swap ETH to USDC", "1e3" }, false },
    { { "swap ETH to USDC", "101%" }, false },
    { { "swap ETH to USDC", "about 0.1" }, false },
    { { "swap ETH to USDC", "0.1 or 0.2" }, false },
    { { "swap ETH to USDC", "0.1 0.2" }, false },
    { { "swap ETH to USDC", "not 0.1" }, false },
    { { "swap ETH to USDC", "0.1?" }, false },
    { { "swap ETH to USDC", "could you 0.1?" }, false },
    { { "swap ETH to USDC", "0.1 tomorrow" }, false },
    { { "swap ETH to USDC", "0.1 WBTC" }, false },
    { { "swap ETH to USDC", "0.1 FOO" }, false },
    { { "swap ETH to USDC", "half of my USDC" }, false },
    { { "swap ETH to USDC", "0.1 ETH to DAI" }, false },
    { { "swap ETH to USDC", "swap 0.1 ETH to USDC" }, false },
    { { "swap ETH to USDC", "0.1 to bob" }, false },
    { { "swap ETH to USDC", "0.1 on mars" }, false },
    { { "swap ETH to USDC", "0.1 on linea on base" }, false },
    { { "swap ETH to USDC on base", "0.1 on ethereum" }, false },
    { { "swap ETH to USDC", "ETH" }, false },
    { { "swap ETH to USDC", "my ETH" }, false },
    { { "swap ETH to USDC", "0.1", "0.2" }, false },
    { { "swap ETH to USDC", "0.1", "100 USDC" }, false },
    { { "swap 0.1 ETH to USDC", "0.2" }, false },
    { { "swap ETH to USDC?", "0.1" }, false },
    { { "swap FOO to USDC", "0.1" }, false },
    { { "buy ETH with USDC", "0.1" }, false },
    { { "buy ETH with USDC", "$100" }, false },
    { { "sell ETH for USDC", "100 USDC" }, false },
    { { "sell my ETH for USDC", "half of my USDC" }, false },
    { { "bridge 100 USDC from base", "base" }, false },
    { { "bridge 100 USDC from base", "from arbitrum" }, false },
    { { "bridge 100 USDC", "base" }, false },
    { { "bridge 100 USDC from base", "to arbitrum or optimism" }, false },
    { { "do not swap ETH to USDC", "0.1" }, false },
    { { "show my balance", "0.1" }, false },
    { { "withdraw 100 USDC to cold", "with 1% slippage" }, false },
    { { "withdraw 100 USDC to cold", "to base" }, false },
    { { "withdraw 100 USDC on base", "to cold" }, false },
    { { "swap ETH to USDC", "0.1 with 1% slippage", "with 2% slippage" }, false },
    { { "swap ETH to USDC", "with aave" }, false },
    { { "withdraw 100 USDC to cold", "from aave" }, false },
    { { "supply 1 ETH", "with 1% slippage" }, false },
    { { "supply 1 ETH", "to base" }, false },
    { { "supply 1 ETH", "only with velora" }, false },
    { { "borrow USDC on base", "half of it" }, false },
    { { "borrow 100 USDC", "to morpho" }, false },
    { { "supply ETH to aave", "0.1", "with morpho" }, false },
    { { "use my WETH as collateral", "half of it" }, false },
    { { "use my WETH as collateral", "with morpho" }, false },
    { { "use my WETH as collateral", "to base" }, false },
};

static void pieces_that_do_not_fit_are_refused(void)
{
    arena = arena_new();
    for (size_t i = 0; i < sizeof misfits / sizeof misfits[0]; i++) {
        struct command c = { .lacks_a_piece = !misfits[i].lacks };
        const struct err *e = complete(misfits[i].said, &c);

        if (e == NULL)
            fprintf(stderr, "understood: %s\n", command_text(arena, &c));
        else if (c.lacks_a_piece != misfits[i].lacks)
            fprintf(stderr, "%s, %s: %s\n", misfits[i].said[0], misfits[i].said[1], e->hint);
        CHECK(e != NULL && c.lacks_a_piece == misfits[i].lacks);
    }
    arena_free(arena);
}

/* Said in full and read again it is the same trade. */
static void trades_are_said_in_full(void)
{
    static const char *const files[] = {
        "tests/vectors/nl-dev.jsonl",       "tests/vectors/nl-heldout.jsonl",
        "tests/vectors/nl-more.jsonl",      "tests/vectors/nl-forms.jsonl",
        "tests/vectors/nl-providers.jsonl", "tests/vectors/nl-withdrawals.jsonl",
        "tests/vectors/nl-lending.jsonl"
    };
    char line[8192];
    unsigned trades = 0;

    arena = arena_new();
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        FILE *f = fopen(files[i], "r");

        while (f != NULL && fgets(line, sizeof line, f) != NULL) {
            json_t *row = json_loads(line, JSON_ALLOW_NUL, NULL);
            struct command c, again;

            if (command_parse(arena, json_string_value(json_object_get(row, "command")), &c) == NULL &&
                (c.from != NULL || c.action == ACTION_WITHDRAW || action_has(c.action, ACTION_LENDS))) {
                const struct err *e = command_parse(arena, command_text(arena, &c), &again);

                trades++;
                CHECK_STR(e != NULL ? e->hint : "", "");
                CHECK(e == NULL && commands_equal(&c, &again));
            }
            json_decref(row);
            arena_reset(arena);
        }
        if (f != NULL)
            fclose(f);
    }
    arena_free(arena);
    CHECK(trades > 300);
}

TEST_MAIN(TEST(pieces_that_were_missing_are_put_in_place), TEST(pieces_that_do_not_fit_are_refused),
          TEST(trades_are_said_in_full), TEST(incomplete_sentences_are_recognised),
          TEST(sentences_of_the_reference), TEST(sentences_written_before_the_grammar),
          TEST(sentences_looking_for_wrong_readings), TEST(sentences_written_before_their_forms),
          TEST(sentences_that_name_providers), TEST(sentences_about_withdrawals),
          TEST(sentences_about_lending), TEST(sentences_about_perpetuals),
          TEST(sentences_written_from_the_documentation), TEST(a_hint_names_the_place_but_no_secret),
          TEST(an_id_is_not_wrapped), TEST(a_word_too_many_is_refused))
