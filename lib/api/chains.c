#include "chain/chains.h"

#include <string.h>

#include "api/endpoints.h"
#include "chain/tokens.h"

enum { MAX_AGE_S = 300 };

static json_t *chain_view(const struct chain *c)
{
    return json_pack("{s:I, s:s, s:s, s:s, s:s}", "id", (json_int_t)c->id, "key", c->key, "name", c->name,
                     "native_token", c->native, "type", chain_type_text(c->type));
}

struct reply *ep_chains(struct api_call *c, const void *arg)
{
    static char *document; /* never changes: made once per process */
    static size_t len;

    (void)arg;
    if (document == NULL) {
        json_t *list = json_array(), *body;

        for (size_t i = 0; i < chains_count; i++)
            json_array_append_new(list, chain_view(&chains[i]));
        body = json_pack("{s:b, s:o}", "success", 1, "chains", list);
        document = json_dumps(body, JSON_COMPACT);
        json_decref(body);
        if (document == NULL)
            return NULL;
        len = strlen(document);
    }
    return reply_static(c->rq, MAX_AGE_S, "application/json", document, len);
}

static json_t *token_view(const struct token *t)
{
    return json_pack("{s:s, s:s, s:s, s:i, s:s}", "symbol", t->symbol, "name", t->name, "address",
                     t->address_text, "decimals", (int)t->decimals, "chain", t->chain);
}

static bool matches(const struct token *t, const struct chain *c, const char *search)
{
    return strcmp(t->chain, c->key) == 0 &&
           (search == NULL || strcasestr(t->symbol, search) != NULL || strcasestr(t->name, search) != NULL);
}

static json_t *tokens_of(const struct chain *c, const struct tokens_in *in)
{
    json_t *list = json_array();
    uint64_t skip = in->offset;

    for (size_t i = 0; i < tokens_count && json_array_size(list) < in->limit; i++) {
        if (!matches(&tokens[i], c, in->search))
            continue;
        if (skip > 0)
            skip--;
        else
            json_array_append_new(list, token_view(&tokens[i]));
    }
    return list;
}

struct reply *ep_tokens(struct api_call *c, const void *arg)
{
    const struct tokens_in *in = arg;
    const struct chain *chain;
    json_t *groups;

    if (in->chain != NULL) {
        chain = chain_find(in->chain);
        if (chain == NULL)
            return reply_err(c->rq,
                             err_on(c->arena, err_fmt(c->arena, &E_CHAIN_UNKNOWN, in->chain, NULL), "chain"));
        return reply_json(c->rq, 200,
                          json_pack("{s:s, s:I, s:o}", "chain", chain->key, "chain_id", (json_int_t)chain->id,
                                    "tokens", tokens_of(chain, in)));
    }
    groups = json_array();
    for (size_t i = 0; i < chains_count; i++)
        json_array_append_new(groups,
                              json_pack("{s:s, s:I, s:o}", "chain", chains[i].key, "chain_id",
                                        (json_int_t)chains[i].id, "tokens", tokens_of(&chains[i], in)));
    return reply_json(c->rq, 200, json_pack("{s:o}", "chains", groups));
}
