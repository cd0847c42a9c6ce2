/* A node's answer to a price request, any bytes; and once more as the return data of the aggregate itself.
 * What comes of it are offers that can be built. */
#include "chain/evm/test_play.h"
#include "codec/hex.h"
#include "fuzz.h"
#include "route/uniswap.c" /* for its shortlists: every input shall find it as new */

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
        .from_addr = token_addr(token_find(chain_by_id(1), from)),
        .to_addr = token_addr(token_find(chain_by_id(1), to)),
        .amount_in = u256_from_u64(1000000000000000000),
    };

    return in;
}

static void check_offer(const struct route_in *in, const struct offer *o)
{
    struct quote q = { .from = in->from,
                       .to = in->to,
                       .amount_in = in->amount_in,
                       .min_out = o->out,
                       .route_len = o->route_len };
    struct evm_addr wallet = { { 1 } };
    struct wallet_call call;

    MUST(!u256_is_zero(o->out) && u256_cmp(o->net, o->out) <= 0 && o->label[0] != '\0');
    MUST(o->provider == &uniswap && o->route_len <= sizeof o->route);
    memcpy(q.route, o->route, o->route_len);
    MUST(uniswap.build(&call, &q, in->from_chain, wallet, 1800000000));
    MUST(call.data.len >= 4 && !call.data.overflow);
    buf_free(&call.data);
}

static void exchange(struct arena *a, const struct route_in *in, struct nodes *nodes, const char *text,
                     size_t n)
{
    struct ctx ctx = { .conf = &conf, .nodes = nodes };
    struct offer offers[OFFERS_MAX];
    struct call call;
    size_t count;

    memset(shortlists, 0, sizeof shortlists);
    MUST(uniswap.supports(in) && uniswap.ask(&call, &ctx, in, a));
    node_plays(&call, text, n);
    count = uniswap.read(&call, in, a, offers, OFFERS_MAX);
    MUST(count <= OFFERS_MAX);
    for (size_t i = 0; i < count; i++)
        check_offer(in, &offers[i]);
    call_free(&call);
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
