/* The API on one page: every endpoint with its caller, its own error wordings, its parameters and its
 * handler. The dispatcher reads this table, and whatever describes the API to others reads it too. */
#ifndef API_ENDPOINTS_H
#define API_ENDPOINTS_H

#include "api/admission/api_call.h"
#include "base/params.h"
#include "http/reply.h"
#include "http/request.h"
#include "swap/quote.h"

#define V1 "/v1/agent"

enum auth {
    AUTH_NONE,   /* no key */
    AUTH_ACTIVE, /* the key of an active agent */
    AUTH_KNOWN,  /* a deactivated agent's too */
};

/* Gets its parameters as a filled struct, or is not called. NULL means the row's internal error. */
typedef struct reply *handler_fn(struct api_call *c, const void *in);

enum endpoint_flag {
    ONCE = 1,  /* takes an Idempotency-Key */
    WAITS = 2, /* waits on a third party: only so many at once */
    /* A protocol with an envelope of its own: its handler gets the call before it is admitted, whatever the
     * body's size and type, and admits each call that is in it (api/admission/operation.h). */
    ENVELOPE = 4,
    GUARDED = 8, /* not for every web page (api/admission/origins.h) */
    LISTS = 16,  /* answers a list that grows, or a document, which no task keeps */
};

struct endpoint {
    enum method method;
    const char *path; /* one segment may be "{name}" */
    enum auth auth;
    const struct err *denied;   /* its 401 */
    const struct err *internal; /* its 500 */
    const struct param *params; /* of the body, or of the query string for GET; NULL: none */
    size_t size;                /* of the struct that they fill */
    handler_fn *handler;
    const char *tool;    /* its name among the protocols' tools, NULL: not offered there */
    const char *summary; /* one line for the documents */
    unsigned flags;      /* of enum endpoint_flag */
};

extern const struct endpoint endpoints[];
extern const size_t endpoints_count;

/* ---- what handlers get ---- */

struct register_in {
    const char *name, *description, *callback_url;
    struct param_text metadata;
};
struct me_change_in {
    struct param_text description, callback_url, metadata;
};
struct tokens_in {
    const char *chain, *search;
    uint64_t limit, offset;
};
struct wallets_in {
    uint64_t limit, offset;
};
struct wallet_in {
    const char *chain_type;
};
/* POST /quote takes the trade alone. */
struct swap_in {
    const char *quote_id;
    struct quote_in trade;
};
struct swap_execute_in {
    const char *quote_id, *approval_id, *wallet_address;
    uint32_t max_impact;
};
struct policy_in {
    const char *type, *wallet_address;
    struct param_text params;
};
struct prices_in {
    const char *symbols;
};
struct portfolio_in {
    const char *wallet_address, *chain;
};
struct swaps_in {
    const char *status;
    uint64_t limit, offset;
};
struct approvals_in {
    const char *status;
    uint64_t limit, offset;
};
struct execute_in {
    const char *command, *wallet_address;
    uint32_t max_impact;
    bool dry_run;
};
struct webhooks_in {
    const char *status, *event_type;
    uint64_t limit, offset;
};

handler_fn ep_register, ep_me, ep_me_change, ep_chains, ep_tokens, ep_wallet_create, ep_wallets, ep_quote,
    ep_swap, ep_swap_execute, ep_swap_status, ep_swaps, ep_webhooks, ep_healthz, ep_readyz;
/* Beyond the specification. */
handler_fn ep_execute, ep_prices, ep_portfolio, ep_swap_simulate, ep_policy_create, ep_policies,
    ep_policy_delete, ep_approvals, ep_approval;
handler_fn ep_deactivate, ep_reactivate, ep_delete, ep_key_rotate, ep_webhook_test, ep_webhook_secret,
    ep_webhook_redeliver;
handler_fn ep_metrics, ep_openapi, ep_llms, ep_llms_full, ep_card, ep_index;
/* Of lib/agentproto. */
handler_fn ep_mcp, ep_a2a;

#endif
