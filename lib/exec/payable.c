#include "exec/payable.h"

#include <string.h>

#include "chain/address.h"
#include "exec/chain_ops.h"

static const struct chain_ops *chain_ops_of_type(enum chain_type type)
{
    for (size_t i = 0; chain_families[i] != NULL; i++)
        if (chain_families[i]->type == type)
            return chain_families[i];
    return NULL;
}

const char *recipient_fault(enum chain_type type, const char *address)
{
    const struct chain_ops *f = chain_ops_of_type(type);

    return f == NULL ? NULL : f->recipient_fault(address);
}

const struct err *recipient_judge(const struct ctx *ctx, struct arena *a, const struct recipient *r)
{
    const struct chain_ops *f = chain_ops_of(r->chain);
    const char *fault;

    if (f == NULL)
        return NULL;
    fault = f->recipient_fault(r->address);
    if (fault == NULL && r->token != NULL && address_same(r->token, r->address))
        fault = "It is the contract of the token that is sent";
    return fault != NULL ? err_hint(a, &E_RECIPIENT_LOST, fault) : f->judge(ctx, a, r);
}

bool chain_listed(const char *list, const struct chain *c)
{
    size_t len = strlen(c->key);

    for (const char *at = list; at != NULL && *at != '\0'; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, c->key, len) == 0 && (at[len] == ',' || at[len] == '\0'))
            return true;
    }
    return false;
}
