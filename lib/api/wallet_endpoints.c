#include "store/wallets.h"

#include <string.h>

#include "api/admission/api_call.h"
#include "api/admission/idempotency.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/schemas.h"
#include "api/view.h"
#include "chain/address.h"
#include "chain/chains.h"
#include "model/agent.h"
#include "model/page.h"
#include "route/route.h"
#include "service/conf.h"
#include "signer/client.h"
#include "store/quotas.h"
#include "store/trading_halts.h"

/* ---- parameters ---- */

struct wallet_in {
    const char *chain_type;
};

static const struct param wallet_params[] = {
    { "chain_type", P_TEXT, INTO(struct wallet_in, chain_type), .choices = wallet_types, .dflt = "evm",
      .about = "evm or solana; an EVM wallet works on every EVM chain" },
    { 0 },
};

struct wallets_in {
    uint64_t limit, offset;
};

/* The default page holds all wallets of most agents. */
static const struct param wallets_params[] = {
    { "limit", P_WHOLE, INTO(struct wallets_in, limit), .number = PAGE_MAX, .min = 1, .max = PAGE_MAX,
      .bad = &E_LIMIT, .about = "Page size" },
    { "offset", P_WHOLE, INTO(struct wallets_in, offset), .max = INT64_MAX, .bad = &E_OFFSET,
      .about = "Items to skip" },
    { 0 },
};

/* ---- answers ---- */

/* clang-format off */
static const struct schema wallet_schema = { "Wallet", "A managed wallet: the gateway holds its key", FIELDS {
    { "address",          TEXT(A_WALLET),              "Its address: fund it here" },
    { "chain_type",       CHOICE(wallet_types, "evm"), "What kind of chains it works on" },
    { "supported_chains", TEXTS("base"),               "Keys of the chains on which it can trade here" },
    END } };

static const struct schema wallet_created_schema = { "WalletCreation", "The new wallet", FIELDS {
    SUCCESS,
    { "wallet", OBJECT(wallet_schema), "The wallet" },
    END } };

static const struct schema wallets_schema = { "WalletList", "The agent's wallets, oldest first", FIELDS {
    SUCCESS,
    { "wallets",    LIST(wallet_schema),       "The wallets" },
    { "pagination", OBJECT(pagination_schema), "Which part of all this is" },
    END } };
/* clang-format on */

/* ---- handlers ---- */

static void wallet_write(struct json_writer *w, const struct ctx *ctx, const char *key,
                         const struct wallet *wallet)
{
    enum chain_type type = wallet_chain_type(wallet->ref.kind);

    jw_object(w, key);
    jw_string(w, "address", wallet->ref.address);
    jw_string(w, "chain_type", chain_type_text(type));
    jw_array(w, "supported_chains");
    for (size_t i = 0; i < chains_count; i++)
        if (chains[i].type == type && route_serves(ctx, &chains[i]))
            jw_string(w, NULL, chains[i].key);
    jw_end(w);
    jw_end(w);
}

static struct reply *reply_created(struct api_call *c, const struct wallet *wallet)
{
    struct json_writer *w = reply_open(c->rq, 201);

    wallet_write(w, c->ctx, "wallet", wallet);
    return reply_close(w);
}

struct addition {
    struct wallet wallet;
    uint64_t limit;
    bool *full; /* reset by each run of the transaction */
};

static enum db_update wallet_add(struct db *db, const void *what)
{
    const struct addition *it = what;
    enum db_update room = quotas_room(db, it->wallet.agent_id, QUOTA_WALLETS, 1, it->limit);

    *it->full = room == UNCHANGED;
    return room == UPDATED ? wallets_add(db, &it->wallet, 0) : room;
}

static struct reply *create_wallet(struct api_call *c, const void *arg)
{
    const struct wallet_in *in = arg;
    bool full = false;
    struct addition it = { .wallet.agent_id = c->agent->id,
                           .limit = conf_quota(c->ctx->conf, c->agent->tier, QUOTA_WALLETS),
                           .full = &full };
    struct wallet_ref *ref = &it.wallet.ref;
    enum lookup stopped = trading_halts_check(c->ctx->db, c->agent->id);
    struct reply *rp;

    if (stopped != LOOKUP_NONE)
        return stopped == LOOKUP_ERROR ? NULL : reply_err(c->rq, &E_PAUSED);
    ref->wallet = uuid_random();
    ref->agent = c->agent->uuid;
    ref->kind = strcmp(in->chain_type, "solana") == 0 ? WALLET_SOLANA : WALLET_EVM;
    if (signer_create(c->ctx->signer, ref, it.wallet.sealed) != SIGNER_OK)
        return NULL;
    rp = idempotency_commit(c, reply_created(c, &it.wallet), wallet_add, &it);
    return full ? reply_err(c->rq, &E_QUOTA_WALLETS) : rp;
}

static struct reply *list_wallets(struct api_call *c, const void *arg)
{
    const struct wallets_in *in = arg;
    struct page page = { in->limit, in->offset };
    struct wallet *list = ARENA_ARRAY(c->arena, struct wallet, in->limit);
    uint64_t total = 0;
    int n = wallets_page(c->ctx->db, c->agent->id, &page, list, &total);
    struct json_writer *w;

    if (n < 0)
        return NULL;
    w = reply_open(c->rq, 200);
    jw_array(w, "wallets");
    for (int i = 0; i < n; i++)
        wallet_write(w, c->ctx, NULL, &list[i]);
    jw_end(w);
    view_pagination(w, total, &page, (uint64_t)n);
    return reply_close(w);
}

/* ---- as a sentence ---- */

static const char *wallet_phrase(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%s (%s)", phrase_text(item, "address"), phrase_text(item, "chain_type"));
}

static const char *created_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *made = json_object_get(body, "wallet");

    (void)asked;
    return made == NULL ? "A wallet would be created"
                        : arena_printf(a, "Created the wallet %s", wallet_phrase(a, made));
}

static const char *wallets_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "wallets");
    size_t n = json_array_size(list);

    (void)asked;
    if (n == 0)
        return "There is no wallet yet: say \"create a wallet\"";
    return arena_printf(a, "%zu wallet%s: %s", n, phrase_plural(n),
                        phrase_list(a, list, wallet_phrase, PHRASE_ITEMS_MAX));
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1 "/wallets",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(wallets_params, struct wallets_in),
        .handler = list_wallets,
        .flags = LISTS | CORE,
        .tool = "list_wallets",
        .sentence = wallets_sentence,
        .summary = "List managed wallets",
        .about =
            "Addresses of all wallets, oldest first. Executions use the oldest unless they name another.",
        .tag = TAG_WALLETS,
        .skill = SKILL_WALLETS,
        .status = 200,
        .answer = &wallets_schema,
    },
    {
        .method = POST,
        .path = V1 "/wallets",
        .auth = AUTH_ACTIVE,
        .denied = &E_UNAUTHORIZED,
        .internal = &E_WALLET_CREATION,
        TAKES(wallet_params, struct wallet_in),
        .handler = create_wallet,
        .flags = ONCE | STORES | CORE,
        .tool = "create_wallet",
        .sentence = created_sentence,
        .summary = "Create a managed wallet",
        .about =
            "Needed once before POST /swap/execute. Next: send funds to its `address`, with some of the chain's native coin for fees.",
        .tag = TAG_WALLETS,
        .skill = SKILL_WALLETS,
        .status = 201,
        .answer = &wallet_created_schema,
        .errors = ERRORS{ &E_PAUSED, &E_QUOTA_WALLETS, NULL },
        .hints = HINT_ADDITIVE,
    },
};

const struct endpoint_group wallets_endpoints = { ENDPOINT_ROWS(rows) };
