/* The providers that take transactions that they have built: one for each chain at most. */
#include "exec/submit_via.h"

#include "codec/base64.h"
#include "route/provider.h"

static const struct provider *submit_via_provider(const struct chain *c)
{
    for (size_t i = 0; providers[i] != NULL; i++)
        if (providers[i]->ask_send != NULL && providers[i]->supports(c, c))
            return providers[i];
    return NULL;
}

bool submit_via_ask(struct call *call, const struct ctx *ctx, struct arena *a, const struct transaction *t)
{
    const struct chain *c = chain_by_id(t->chain_id);
    const struct provider *p = c == NULL ? NULL : submit_via_provider(c);
    char *text = arena_alloc(a, BASE64_LEN(t->raw_len) + 1);

    base64_encode(text, t->raw, t->raw_len);
    return p != NULL && p->ask_send(call, ctx, t->submit_via, text, a);
}
