#include "api/endpoint/common_params.h"

#include "chain/evm/addr.h"
#include "chain/solana/addr.h"
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
    struct evm_addr evm;
    struct solana_addr solana;

    (void)env;
    if (solana_addr_parse(&solana, address) || (evm_addr_parse(&evm, address) && !evm_addr_is_zero(evm)))
        return NULL;
    return "must be an address of 0x and 40 hex digits, or of 32 bytes in Base58 for Solana";
}
