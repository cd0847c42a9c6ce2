#include "api/endpoint/common_params.h"

#include <string.h>

#include "base/safe_text.h"
#include "chain/address.h"
#include "chain/chains.h"
#include "chain/tokens.h"
#include "net/url.h"
#include "service/conf.h"
#include "service/ctx.h"

const struct param wait_params[] = { PARAM_WAIT(struct wait_in), { 0 } };

const char *param_callback_fault(const char *url, const void *env)
{
    const struct ctx *ctx = env;

    return url_callback_fault(url, ctx->conf->webhook_allow_http_loopback ? CALL_LOOPBACK : CALL_PUBLIC);
}

const char *param_wallet_fault(const char *address, const void *env)
{
    (void)env;
    return address_fault(address);
}

const char *param_line_fault(const char *text, const void *env)
{
    (void)env;
    return safe_text_ok(text) ? NULL : "must be a line of text";
}

/* A listed token by its own symbol, another one as it is named; in capitals. */
static const char *token_symbol(struct arena *a, const struct chain *c, const char *name)
{
    const struct token *t = c == NULL ? NULL : token_find(c, name);
    char *out;

    for (size_t i = 0; c == NULL && t == NULL && i < chains_count; i++)
        t = token_find(&chains[i], name);
    out = arena_strdup(a, t == NULL ? name : t->symbol);
    for (char *p = out; *p != '\0'; p++)
        if (*p >= 'a' && *p <= 'z')
            *p = (char)(*p - 'a' + 'A');
    return out;
}

/* An EVM address as it is stored, with its checksum; another one as it is. */
static const char *token_address(struct arena *a, const char *address)
{
    char *out = arena_alloc(a, PARAM_NAME_MAX + 1);

    return address_canonical(out, CHAIN_EVM, address) ? out : address;
}

const struct err *list_terms_read(struct list_filter *out, struct arena *a, const struct list_terms *in)
{
    const struct chain *c = in->chain == NULL ? NULL : chain_find(in->chain);

    if (in->chain != NULL && c == NULL)
        return err_on(a, err_fmt(a, &E_CHAIN_UNKNOWN, in->chain, NULL), "chain");
    *out = (struct list_filter){ .chain_id = c != NULL ? c->id : 0, .created = in->created };
    if (in->token != NULL && address_fault(in->token) == NULL)
        out->address = token_address(a, in->token);
    else if (in->token != NULL)
        out->symbol = token_symbol(a, c, in->token);
    return NULL;
}

const char *param_chain_key(const char *name)
{
    const struct chain *c = chain_find(name);

    return c == NULL ? NULL : c->key;
}
