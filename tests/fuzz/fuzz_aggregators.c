/* Answers of aggregators of routes, any bytes: to a question for offers, and to the questions for a
 * transaction and about a bridge, all of which get the same. The first byte chooses who is asked. */
#include "chain/tokens.h"
#include "fuzz.h"
#include "route/across.h"
#include "route/kyberswap.h"
#include "route/lifi.h"
#include "route/oneinch.h"
#include "route/openocean.h"
#include "route/provider_service.h"
#include "route/relay.h"
#include "route/token_list.h"
#include "route/velora.h"
#include "route/zerox.h"
#include "service/conf.h"

#define TX "0x5f7a0c2c8d0e3b8d1c2f3e4d5c6b7a8990817263544536271809f0e1d2c3b4a5"

enum { ROUNDS = 3 };

static const struct provider *const asked[] = { &kyberswap, &openocean, &oneinch, &zerox,
                                                &velora,    &lifi,      &relay,   &across };
static const int statuses[] = { 200, 400, 500 };

/* On one chain where the provider trades there, else between two. */
static struct tx_in question(const struct provider *p)
{
    const struct chain *c = chain_by_id(1), *far = p->supports(c, c) ? c : chain_by_id(10);

    return (struct tx_in){ .route = { .from_chain = c,
                                      .to_chain = far,
                                      .from = token_ref_of(token_find(c, "USDC")),
                                      .to = token_ref_of(token_find(far, "USDT")),
                                      .amount_in = u256_from_u64(1000000),
                                      .slippage = { 30000 },
                                      .wallet = "0x1111111111111111111111111111111111111111" },
                           .min_out = u256_from_u64(900000),
                           .deadline = 1800000000 };
}

/* One that needs a key is not asked, and reads all the same. */
static void call_begun(struct call *call, bool begun)
{
    if (!begun)
        call_init(call, "http://127.0.0.1/", MAX_UPSTREAM);
}

static void answered(struct call *call, int status, const uint8_t *data, size_t size)
{
    call->result = CALL_ANSWERED;
    call->status = status;
    buf_add(&call->answer, data, size);
}

static void offers_read(const struct provider *p, const struct ctx *ctx, const struct route_in *in,
                        struct arena *a, int status, const uint8_t *data, size_t size)
{
    struct route_answer *out = ARENA_NEW(a, struct route_answer);
    struct call call;
    enum ask_end end;

    call_begun(&call, p->ask(&call, ctx, in, a));
    answered(&call, status, data, size);
    end = p->read(&call, in, a, out);
    MUST((end == ASK_OFFERED) == (out->count == 1) && (end != ASK_OFFERED || status == 200));
    MUST(out->count == 0 || (!u256_is_zero(out->offers[0].out) && out->offers[0].gas_units > 0));
    call_free(&call);
}

static void tx_read(const struct provider *p, const struct ctx *ctx, const struct tx_in *in, struct arena *a,
                    const uint8_t *data, size_t size)
{
    enum tx_end end = TX_ASKS_MORE;
    struct wallet_call out = { .to = NULL };
    struct call call;

    call_begun(&call, p->ask_tx(&call, ctx, in, a));
    for (unsigned i = 0; i < ROUNDS && end == TX_ASKS_MORE; i++) {
        answered(&call, 200, data, size);
        end = p->read_tx(&call, in, a, &out);
    }
    MUST(end != TX_ASKS_MORE);
    MUST(end != TX_READY || (out.to != NULL && out.data_len >= 4));
    MUST(end != TX_READY || u256_is_zero(out.value) || p == &lifi); /* which charges fees on top */
    call_free(&call);
}

static void status_read(const struct provider *p, const struct ctx *ctx, const struct route_in *route,
                        struct arena *a, const uint8_t *data, size_t size)
{
    const struct bridge_in in = {
        .from_chain = route->from_chain, .to_chain = route->to_chain, .tx = TX, .reference = TX
    };
    struct bridge_status out = { .state = BRIDGE_UNKNOWN };
    struct call call;

    MUST(p->ask_status(&call, ctx, &in, a));
    answered(&call, 200, data, size);
    p->read_status(&call, &in, a, &out);
    MUST(out.state <= BRIDGE_FAILED);
    call_free(&call);
}

/* A list that is read has what a table of tokens may have. */
static void tokens_read(const struct provider *p, const struct chain *c, struct arena *a, const uint8_t *data,
                        size_t size)
{
    struct token_list list;
    struct call call;

    call_init(&call, "http://127.0.0.1/", MAX_UPSTREAM);
    answered(&call, 200, data, size);
    if (p->read_tokens(&call, c, a, &list)) {
        MUST(list.count <= TOKEN_LIST_MAX);
        for (size_t i = 0; i < list.count; i++)
            MUST(strlen(list.tokens[i].address) == 42 && strlen(list.tokens[i].symbol) <= 32 &&
                 strlen(list.tokens[i].name) <= 80);
    }
    call_free(&call);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct conf conf;
    struct provider_services *services;
    struct ctx ctx = { .conf = &conf };
    const struct provider *p;
    struct arena *a;
    struct tx_in in;

    if (size == 0)
        return 0;
    a = arena_new();
    ctx.providers = services = provider_services_new(&conf);
    p = asked[(uint8_t)(*data - '0') % (sizeof asked / sizeof asked[0])];
    in = question(p);
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        offers_read(p, &ctx, &in.route, a, statuses[i], data + 1, size - 1);
    tx_read(p, &ctx, &in, a, data + 1, size - 1);
    if (p->ask_status != NULL)
        status_read(p, &ctx, &in.route, a, data + 1, size - 1);
    if (p->read_tokens != NULL)
        tokens_read(p, in.route.from_chain, a, data + 1, size - 1);
    provider_services_free(services);
    arena_free(a);
    return 0;
}
