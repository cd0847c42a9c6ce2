#include "command/parse.c"

#include <jansson.h>
#include <stdlib.h>

#include "core/test.h"

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
}

static json_t *parsed(const struct command *c)
{
    json_t *o = json_object();

    if (c->action == ACTION_SWAP || c->action == ACTION_QUOTE)
        put_trade(o, c);
    else if (c->chain != NULL)
        put(o, "chain", c->chain->key);
    put(o, "token", c->token != NULL ? c->token->symbol : NULL);
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
    return o;
}

/* ---- holding it against what is expected ---- */

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

/* Of a trade nothing may be there that is not wanted. */
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
    bool trade = c->action == ACTION_SWAP || c->action == ACTION_QUOTE;
    bool right = strcmp(action_text(c->action), json_string_value(json_object_get(expect, "action"))) == 0 &&
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

static bool acting(enum action action)
{
    return action == ACTION_SWAP || action == ACTION_WALLET || action == ACTION_ORDER;
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
                e != NULL ? e->text : action_text(c.action), e != NULL ? e->hint : shown);
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

TEST_MAIN(TEST(sentences_of_the_reference), TEST(sentences_written_before_the_grammar))
