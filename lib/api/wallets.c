#include "store/wallets.h"

#include <string.h>

#include "api/admission/idempotency.h"
#include "api/endpoints.h"
#include "api/view.h"
#include "chain/chains.h"
#include "model/agent.h"
#include "service/conf.h"
#include "signer/client.h"
#include "store/quotas.h"
#include "store/trading_halts.h"

static json_t *wallet_view(const struct wallet *w)
{
    enum chain_type type = w->ref.kind == WALLET_SOLANA ? CHAIN_SOLANA : CHAIN_EVM;
    json_t *served = json_array();

    for (size_t i = 0; i < chains_count; i++)
        if (chains[i].type == type && chains[i].routed)
            json_array_append_new(served, json_string(chains[i].key));
    return json_pack("{s:s, s:s, s:o}", "address", w->ref.address, "chain_type", chain_type_text(type),
                     "supported_chains", served);
}

struct addition {
    struct wallet wallet;
    uint64_t limit;
    bool *full; /* set anew by each run */
};

static int add(struct db *db, const void *what)
{
    const struct addition *it = what;
    int room = quotas_room(db, it->wallet.agent_id, QUOTA_WALLETS, 1, it->limit);

    *it->full = room == 0;
    return room == 1 ? wallets_add(db, &it->wallet) : room;
}

struct reply *ep_wallet_create(struct api_call *c, const void *arg)
{
    const struct wallet_in *in = arg;
    bool full = false;
    struct addition it = { .wallet.agent_id = c->agent->id,
                           .limit = conf_quota(c->ctx->conf, c->agent->tier, QUOTA_WALLETS),
                           .full = &full };
    struct wallet_ref *ref = &it.wallet.ref;
    int stopped = trading_halts_check(c->ctx->db, c->agent->id);
    struct reply *rp;

    if (stopped != 0)
        return stopped < 0 ? NULL : reply_err(c->rq, &E_PAUSED);
    ref->wallet = uuid_random();
    ref->agent = c->agent->uuid;
    ref->kind = strcmp(in->chain_type, "solana") == 0 ? WALLET_SOLANA : WALLET_EVM;
    if (signer_create(c->ctx->signer, ref, it.wallet.sealed) != SIGNER_OK)
        return NULL;
    rp = idempotency_commit(c, reply_json(c->rq, 201, json_pack("{s:o}", "wallet", wallet_view(&it.wallet))),
                            add, &it);
    return full ? reply_err(c->rq, &E_QUOTA_WALLETS) : rp;
}

struct reply *ep_wallets(struct api_call *c, const void *arg)
{
    const struct wallets_in *in = arg;
    struct page page = { in->limit, in->offset };
    struct wallet *list = ARENA_ARRAY(c->arena, struct wallet, in->limit);
    uint64_t total = 0;
    int n = wallets_page(c->ctx->db, c->agent->id, &page, list, &total);
    json_t *view;

    if (n < 0)
        return NULL;
    view = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(view, wallet_view(&list[i]));
    return reply_json(
        c->rq, 200,
        json_pack("{s:o, s:o}", "wallets", view, "pagination", view_pagination(total, &page, (uint64_t)n)));
}
