#include "api/endpoint/common_params.h"

#include <string.h>

#include "base/safe_text.h"
#include "chain/address.h"
#include "chain/chains.h"
#include "net/url.h"
#include "service/conf.h"
#include "service/ctx.h"

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

const char *param_chain_key(const char *name)
{
    const struct chain *c = chain_find(name);

    return c == NULL ? NULL : c->key;
}
