#include "chain/chains.h"

#include "api/documents/documents.h"

static json_t *chain_view(const struct chain *c)
{
    return json_pack("{s:I, s:s, s:s, s:s, s:s}", "id", (json_int_t)c->id, "key", c->key, "name", c->name,
                     "native_token", c->native, "type", chain_type_text(c->type));
}

json_t *chains_write(void)
{
    json_t *list = json_array();

    for (size_t i = 0; i < chains_count; i++)
        json_array_append_new(list, chain_view(&chains[i]));
    return json_pack("{s:b, s:o}", "success", 1, "chains", list);
}
