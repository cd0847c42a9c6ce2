#include "api/admission/api_call.h"
#include "api/documents/documents.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/schemas.h"
#include "service/ctx.h"

/* ---- its answers ---- */

static const char *const chain_types[] = { "evm", "solana", "move", "ton", NULL };

/* clang-format off */
static const struct schema chain_schema = { "Chain", "A chain", FIELDS {
    { "id",           WHOLE("8453"),              "EVM chain id; for other chains a number of the gateway's own" },
    { "key",          TEXT("base"),               "What the `chain` parameters take" },
    { "name",         TEXT("Base"),               "Its name" },
    { "native_token", TEXT("ETH"),                "Symbol of the coin that pays fees" },
    { "type",         CHOICE(chain_types, "evm"), "What kind of chain it is" },
    { "trading",      TEXTS("swap"),              "What is traded on it here: `swap`, `bridge`; empty: nothing" },
    { "note",         TEXT("Fantom Opera"),       "What to know before trading on it", MAY_BE_ABSENT },
    END } };

static const struct schema chains_schema = { "ChainList", "All chains", FIELDS {
    SUCCESS,
    { "chains", LIST(chain_schema), "The chains" },
    END } };

/* clang-format on */

/* ---- handlers ---- */

static struct reply *get_chains(struct api_call *c, const void *arg)
{
    (void)arg;
    return reply_document(c->rq, &c->ctx->documents->chains);
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
        .flags = CORE,
        .tool = "get_chains",
        .sentence = chains_sentence,
        .summary = "List chains",
        .about = "The keys that every `chain` parameter takes. It changes rarely. Next: GET /tokens.",
        .tag = TAG_DISCOVERY,
        .skill = SKILL_TOKENS,
        .status = 200,
        .answer = &chains_schema,
    },
};

const struct endpoint_group chains_endpoints = { ENDPOINT_ROWS(rows) };
