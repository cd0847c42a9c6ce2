/* A node's answer to a price request, any bytes; and once more as the return data of the aggregate itself;
 * each where the exchange's contracts are known, and where they are asked first who they are. What comes of
 * it are offers that can be built. */
#include "base/log.h"
#include "chain/evm/test_play.h"
#include "chain/tokens.h"
#include "codec/hex.h"
#include "fuzz.h"
#include "route/gas_price.c" /* and the shortlists, to forget: every input shall find them as new */
#include "route/question.h"
#include "route/shortlist.c"
#include "route/uniswap.h"
#include "route/wrap.h"

#define log_warn(event, ...) ((void)snprintf(NULL, 0, __VA_ARGS__)) /* once for most inputs */
#include "route/uniswap_contracts.c"

#include "route/test_contracts_state.h"

static const struct conf conf;

static struct token_ref named(const char *symbol)
{
    const struct token *known = token_find(chain_by_id(1), symbol);
    struct token_ref t = { .chain_id = 1, .decimals = known->decimals };

    snprintf(t.symbol, sizeof t.symbol, "%s", known->symbol);
    snprintf(t.address, sizeof t.address, "%s", known->address_text);
    return t;
}

static struct route_in pair(const char *from, const char *to)
{
    struct route_in in = {
        .from_chain = chain_by_id(1),
        .to_chain = chain_by_id(1),
        .from = named(from),
        .to = named(to),
        .amount_in = u256_from_u64(1000000000000000000),
    };

    return in;
}

static void check_offer(const struct question *q, const struct offer *o)
{
    struct tx_in in = {
        .route = q->in, .min_out = o->min_out, .deadline = 1800000000, .payload = o->payload
    };
    struct wallet_call call;
    struct arena *a = arena_new();

    MUST(!u256_is_zero(o->out) && u256_cmp(o->net, o->out) <= 0 && o->label[0] != '\0');
    MUST(u256_cmp(o->min_out, o->out) <= 0);
    MUST(o->provider == q->provider && o->payload.len <= QUOTE_ROUTE_MAX);
    in.route.wallet = "0x1111111111111111111111111111111111111111";
    MUST(q->provider->read_tx(NULL, &in, a, &call) == TX_READY);
    MUST(call.data_len >= 4 && call.to != NULL);
    arena_free(a);
}

static void answered(struct arena *a, const struct route_in *in, struct nodes *nodes, const char *text,
                     size_t n)
{
    struct ctx ctx = { .conf = &conf, .nodes = nodes };
    struct question q;
    struct call call;

    MUST(question_ask(&q, wrap_is_pair(in) ? &wrap : &uniswap, in, &call, &ctx, a));
    node_plays(&call, text, n);
    question_read(&q, a);
    question_rank(&q, &q.answer->gas);
    MUST(q.answer->count <= OFFERS_EACH);
    for (size_t i = 0; i < q.answer->count; i++)
        check_offer(&q, &q.answer->offers[i]);
    call_free(&call);
}

static void forget(void)
{
    shm_cache_clear(&shortlists);
    shm_cache_clear(&cached_gas);
    shm_cache_clear(&standings);
}

static void exchange(struct arena *a, const struct route_in *in, struct nodes *nodes, const char *text,
                     size_t n)
{
    forget();
    answered(a, in, nodes, text, n);
    forget();
    contracts_are_right("ethereum");
    answered(a, in, nodes, text, n);
}

/* The bytes as what the call returned. */
static const char *as_result(struct arena *a, const uint8_t *data, size_t size)
{
    char *hex = arena_alloc(a, 2 * size + 1);

    hex_encode(hex, data, size);
    return arena_printf(a, "[{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":\"0x%s\"}]", hex);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const pairs[][2] = {
        { "ETH", "USDC" }, { "USDT", "WBTC" }, { "USDC", "ETH" }, { "ETH", "WETH" }
    };
    struct nodes *nodes = nodes_new(&conf);
    struct arena *a = arena_new();
    const char *wrapped = as_result(a, data, size);

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct route_in in = pair(pairs[i][0], pairs[i][1]);

        exchange(a, &in, nodes, (const char *)data, size);
        exchange(a, &in, nodes, wrapped, strlen(wrapped));
    }
    arena_free(a);
    nodes_free(nodes);
    return 0;
}
