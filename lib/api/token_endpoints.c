#include "chain/tokens.h"

#include <string.h>

#include "api/admission/api_call.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/schemas.h"
#include "chain/chains.h"
#include "store/listed_tokens.h"

/* ---- parameters ---- */

enum { TOKENS_DEFAULT = 100, TOKENS_MAX = 1000 };

struct tokens_in {
    const char *chain, *search;
    uint64_t limit, offset;
};

static const struct param tokens_params[] = {
    { "chain", P_TEXT, INTO(struct tokens_in, chain), .about = "Chain key or alias; absent: all, grouped",
      .example = "base" },
    { "search", P_TEXT, INTO(struct tokens_in, search), .about = "Part of a symbol or name" },
    { "limit", P_WHOLE, INTO(struct tokens_in, limit), .number = TOKENS_DEFAULT, .min = 1, .max = TOKENS_MAX,
      .about = "Page size" },
    { "offset", P_WHOLE, INTO(struct tokens_in, offset), .max = INT64_MAX, .bad = &E_OFFSET,
      .about = "Items to skip" },
    { 0 },
};

/* ---- its answers ---- */

/* clang-format off */
static const struct schema token_schema = { "Token", "A token on a chain", FIELDS {
    { "symbol",   TEXT("USDC"),     "Symbol" },
    { "name",     TEXT("USD Coin"), "Name", FULL_ONLY },
    { "address",  TEXT(A_TOKEN),    "Contract address; the zero address is the native coin" },
    { "decimals", WHOLE("6"),       "Decimal places", FULL_ONLY },
    { "chain",    TEXT("ethereum"), "Key of the chain", FULL_ONLY },
    END } };

static const struct schema chain_tokens_schema = { "ChainTokens", "The tokens of one chain", FIELDS {
    { "chain",    TEXT("ethereum"),   "Key of the chain" },
    { "chain_id", WHOLE("1"),         "Its id" },
    { "tokens",   LIST(token_schema), "Its tokens" },
    END } };

static const struct schema tokens_schema = { "TokenList", "Tokens of the chain asked for", FIELDS {
    SUCCESS,
    { "chain",    TEXT("ethereum"),   "Key of the chain" },
    { "chain_id", WHOLE("1"),         "Its id" },
    { "tokens",   LIST(token_schema), "Its tokens" },
    END } };

static const struct schema tokens_grouped_schema = { "TokenListByChain", "Tokens of all chains, when none was named", FIELDS {
    SUCCESS,
    { "chains", LIST(chain_tokens_schema), "The chains with their tokens" },
    END } };
/* clang-format on */

/* ---- handlers ---- */

/* The compiled-in tokens of a chain come first, then those of the lists. */
struct tokens_page {
    struct api_call *call;
    const struct chain *chain;
    const struct tokens_in *in;
    uint64_t skip, left;
};

static void token_write(struct json_writer *w, const struct chain *c, const struct token_row *t)
{
    jw_object(w, NULL);
    jw_string(w, "symbol", t->ref.symbol);
    jw_string(w, "name", t->name);
    jw_string(w, "address", t->ref.address);
    jw_integer(w, "decimals", t->ref.decimals);
    jw_string(w, "chain", c->key);
    jw_end(w);
}

static bool token_matches(const struct token *t, const struct tokens_page *p)
{
    const char *search = p->in->search;

    return strcmp(t->chain, p->chain->key) == 0 &&
           (search == NULL || strcasestr(t->symbol, search) != NULL || strcasestr(t->name, search) != NULL);
}

static void built_in_write(struct json_writer *w, struct tokens_page *p)
{
    for (size_t i = 0; i < tokens_count && p->left > 0; i++) {
        const struct token_row row = { token_ref_of(&tokens[i]), .name = tokens[i].name };

        if (!token_matches(&tokens[i], p))
            continue;
        if (p->skip > 0) {
            p->skip--;
            continue;
        }
        token_write(w, p->chain, &row);
        p->left--;
    }
}

/* Tokens that were compiled in since their list was taken over are there already. */
static bool listed_write(struct json_writer *w, const struct tokens_page *p)
{
    struct token_row *rows;
    int n;

    if (p->left == 0)
        return true;
    n = tokens_page(p->call->ctx->db, p->call->arena, p->chain->id, p->in->search, p->left, p->skip, &rows);
    for (int i = 0; i < n; i++)
        if (token_find(p->chain, rows[i].ref.address) == NULL)
            token_write(w, p->chain, &rows[i]);
    return n >= 0;
}

static bool tokens_write(struct json_writer *w, struct api_call *call, const struct chain *c,
                         const struct tokens_in *in)
{
    struct tokens_page p = { .call = call, .chain = c, .in = in, .skip = in->offset, .left = in->limit };
    bool read;

    jw_string(w, "chain", c->key);
    jw_integer(w, "chain_id", (int64_t)c->id);
    jw_array(w, "tokens");
    built_in_write(w, &p);
    read = listed_write(w, &p);
    jw_end(w);
    return read;
}

static bool groups_write(struct json_writer *w, struct api_call *call, const struct tokens_in *in)
{
    bool read = true;

    jw_array(w, "chains");
    for (size_t i = 0; i < chains_count && read; i++) {
        jw_object(w, NULL);
        read = tokens_write(w, call, &chains[i], in);
        jw_end(w);
    }
    jw_end(w);
    return read;
}

static struct reply *get_tokens(struct api_call *c, const void *arg)
{
    const struct tokens_in *in = arg;
    const struct chain *chain = in->chain == NULL ? NULL : chain_find(in->chain);
    struct json_writer *w;
    bool read;

    if (in->chain != NULL && chain == NULL)
        return reply_err(c->rq,
                         err_on(c->arena, err_fmt(c->arena, &E_CHAIN_UNKNOWN, in->chain, NULL), "chain"));
    w = reply_open(c->rq, 200);
    read = chain != NULL ? tokens_write(w, c, chain, in) : groups_write(w, c, in);
    return read ? reply_close(w) : NULL;
}

/* ---- as a sentence ---- */

static const char *symbol_phrase(struct arena *a, const json_t *item)
{
    (void)a;
    return phrase_text(item, "symbol");
}

static const char *tokens_phrase(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%zu on %s", json_array_size(json_object_get(item, "tokens")),
                        phrase_text(item, "chain"));
}

static const char *tokens_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "tokens"), *by_chain = json_object_get(body, "chains");
    size_t n = json_array_size(list);

    (void)asked;
    if (by_chain != NULL)
        return arena_printf(a, "Tokens: %s",
                            phrase_list(a, by_chain, tokens_phrase, json_array_size(by_chain)));
    return arena_printf(a, "%zu token%s%s: %s", n, phrase_plural(n),
                        phrase_on_chain(a, phrase_text(body, "chain")),
                        phrase_list(a, list, symbol_phrase, 4 * PHRASE_ITEMS_MAX));
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1 "/tokens",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(tokens_params, struct tokens_in),
        .handler = get_tokens,
        .flags = LISTS | CORE,
        .tool = "get_tokens",
        .sentence = tokens_sentence,
        .summary = "List tokens on a chain",
        .about =
            "Symbols, addresses and decimals; POST /quote takes both. Without `chain`, grouped by chain. Behind the service's own come those of providers' lists, renewed each hour.",
        .tag = TAG_DISCOVERY,
        .skill = SKILL_TOKENS,
        .status = 200,
        .answer = &tokens_schema,
        .or_answer = &tokens_grouped_schema,
        .errors = ERRORS{ &E_CHAIN_UNKNOWN, NULL },
        .hints = HINT_OPEN_WORLD,
    },
};

const struct endpoint_group tokens_endpoints = { ENDPOINT_ROWS(rows) };
