#include "store/wallets.h"

#include <string.h>

#include "api/endpoints.h"
#include "api/idempotency.h"
#include "chain/chains.h"
#include "model/agent.h"
#include "signer/client.h"
#include "store/stops.h"

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

static int add(struct db *db, const void *wallet)
{
    return wallets_add(db, wallet);
}

struct reply *ep_wallet_create(struct request *rq, const void *arg)
{
    const struct wallet_in *in = arg;
    struct wallet w = { .agent_id = rq->agent->id };
    int stopped = stops_check(rq->ctx->db, rq->agent->id);

    if (stopped != 0)
        return stopped < 0 ? NULL : reply_err(rq, &E_PAUSED);
    w.ref.wallet = uuid_random();
    w.ref.agent = rq->agent->uuid;
    w.ref.kind = strcmp(in->chain_type, "solana") == 0 ? WALLET_SOLANA : WALLET_EVM;
    if (signer_create(rq->ctx->signer, &w.ref, w.sealed) != SIGNER_OK)
        return NULL;
    return idempotency_commit(rq, reply_json(rq, 201, json_pack("{s:o}", "wallet", wallet_view(&w))), add,
                              &w);
}

struct reply *ep_wallets(struct request *rq, const void *arg)
{
    struct wallet *list;
    int n = wallets_list(rq->ctx->db, rq->arena, rq->agent->id, &list);
    json_t *view = json_array();

    (void)arg;
    for (int i = 0; i < n; i++)
        json_array_append_new(view, wallet_view(&list[i]));
    if (n < 0) {
        json_decref(view);
        return NULL;
    }
    return reply_json(rq, 200, json_pack("{s:o}", "wallets", view));
}
