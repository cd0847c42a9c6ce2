#include "chain/chains.h"

#include <string.h>

#include "api/admission/api_call.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/shapes.h"

/* ---- what it answers ---- */

static const char *const chain_types[] = { "evm", "solana", "move", "ton", NULL };

/* clang-format off */
static const struct schema chain_schema = { "Chain", "A chain", FIELDS {
    { "id",           WHOLE("8453"),              "EVM chain id; for other chains a number of the gateway's own" },
    { "key",          TEXT("base"),               "What the `chain` parameters take" },
    { "name",         TEXT("Base"),               "Its name" },
    { "native_token", TEXT("ETH"),                "Symbol of the coin that pays fees" },
    { "type",         CHOICE(chain_types, "evm"), "What kind of chain it is" },
    END } };

static const struct schema chains_schema = { "ChainList", "All chains", FIELDS {
    SUCCESS,
    { "chains", LIST(chain_schema), "The chains" },
    END } };

/* clang-format on */

/* ---- handlers ---- */

enum { MAX_AGE_S = 300 };

static json_t *chain_view(const struct chain *c)
{
    return json_pack("{s:I, s:s, s:s, s:s, s:s}", "id", (json_int_t)c->id, "key", c->key, "name", c->name,
                     "native_token", c->native, "type", chain_type_text(c->type));
}

/* Never changes: made once per process. */
static bool chains_document(struct document *d)
{
    json_t *list = json_array();

    for (size_t i = 0; i < chains_count; i++)
        json_array_append_new(list, chain_view(&chains[i]));
    d->value = json_pack("{s:b, s:o}", "success", 1, "chains", list);
    d->body = json_dumps(d->value, JSON_COMPACT);
    d->len = d->body == NULL ? 0 : strlen(d->body);
    return d->body != NULL;
}

static struct reply *get_chains(struct api_call *c, const void *arg)
{
    static struct document document = { .max_age_s = MAX_AGE_S, .content_type = "application/json" };

    (void)arg;
    return document.body != NULL || chains_document(&document) ? reply_document(c->rq, &document) : NULL;
}

/* ---- as a sentence ---- */

static const char *key_phrase(struct arena *a, const json_t *item)
{
    (void)a;
    return phrase_text(item, "key");
}

static const char *chains_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "chains");
    size_t n = json_array_size(list);

    (void)asked;
    return arena_printf(a, "%zu chain%s: %s", n, phrase_plural(n), phrase_list(a, list, key_phrase, n));
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1 "/chains",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = get_chains,
        .tool = "get_chains",
        .sentence = chains_sentence,
        .summary = "List chains",
        .about =
            "The keys that every `chain` parameter takes. It needs no key and changes rarely. Next: GET /tokens.",
        .tag = TAG_DISCOVERY,
        .skill = SKILL_TOKENS,
        .status = 200,
        .answer = &chains_schema,
    },
};

const struct endpoint_group chains_endpoints = { ENDPOINT_ROWS(rows) };
