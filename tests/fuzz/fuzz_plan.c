/* A node's answers before a swap is signed: any bytes, and any bytes as what the simulation returned. What is
 * read of them has costs that add up or a refusal, and a verdict that keeps the promised minimum. What
 * they say of the price of gas does not raise a bid above the chain's bound. */
#define node_ask_all      inputs_say
#define changes_block_for no_block
#include "node.h"

#include "exec/evm/evm_plan.c"
#include "exec/evm/fees.c"
#include "swap/swap_plan.h"

static const struct conf conf;
static const struct ctx none = { .conf = &conf };
static const char before_tx_simulation[] =
    "[{\"id\":0,\"result\":\"0x64\"},{\"id\":1,\"result\":\"0xde0b6b3a7640000\"},{\"id\":2,\"result\":\"0x9\"},{\"id\":3,\"result\":{\"baseFeePerGas\":[\"0x3b9aca00\"]}},{\"id\":4,\"result\":\"0x";

bool no_block(const struct ctx *ctx, struct arena *a, const struct plan *p, uint64_t *block)
{
    (void)ctx, (void)a, (void)p;
    *block = 0;
    return true;
}

void inputs_say(const struct ctx *ctx, struct node_query *queries, size_t count, unsigned deadline_ms,
                struct arena *a)
{
    (void)ctx;
    (void)deadline_ms;
    for (size_t i = 0; i < count; i++)
        queries[i].answered = node_answers(queries[i].batch, a, &queries[i].answers);
}

/* 1000 units for at least 900, straight through Uniswap V2; chain 8453 has an oracle of fees besides. */
static struct quote quote_of(uint64_t chain, const char *from, const char *to)
{
    const struct chain *c = chain_by_id(chain);
    const struct token *in = token_find(c, from), *out = token_find(c, to), *weth = token_find(c, "WETH");
    struct evm_addr path[] = { token_addr(token_is_native(in) ? weth : in),
                               token_addr(token_is_native(out) ? weth : out) };
    struct quote q = { .provider = "uniswap",
                       .from = { .chain_id = chain },
                       .to = { .chain_id = chain },
                       .amount_in = u256_from_u64(1000),
                       .min_out = u256_from_u64(900),
                       .gas_units = 115000,
                       .route = { 3, 1 },
                       .route_len = 2 + sizeof path };

    snprintf(q.from.address, sizeof q.from.address, "%s", in->address_text);
    snprintf(q.to.address, sizeof q.to.address, "%s", out->address_text);
    memcpy(q.route + 2, path, sizeof path);
    return q;
}

static void rehearse(struct arena *a, const struct quote *q)
{
    struct chain_state st;
    struct u256 value, fees;
    struct plan p;

    MUST(swap_plan_make(&p, &none, a, q, "0x1111111111111111111111111111111111111111", 1800000000) == NULL);
    if (evm_plan_try(&none, a, &p, &st) != NULL)
        return;
    for (unsigned i = 0; i < p.count; i++)
        MUST(p.steps[i].gas_limit >= 21000 && p.steps[i].gas_limit < 100000000);
    if (plan_verdict(a, &p, &st) == NULL)
        MUST(st.tried && u256_cmp(st.arrives, q->min_out) >= 0);
    if (evm_plan_cost(&p, &st, &value, &fees))
        MUST(u256_cmp(fees, st.l1_fee) >= 0);
    for (const char *s = st.revert; s != NULL && *s != '\0'; s++)
        MUST((uint8_t)*s >= ' ' && *s != 0x7f);
}

static void price(struct arena *a)
{
    const struct chain *bsc = chain_find("bsc");
    struct fees f = { .legacy = true, .max_fee = u256_from_u64(bsc->price_max) };

    f = fees_now(&none, a, bsc, &f);
    MUST(u256_cmp(f.max_fee, u256_from_u64(bsc->price_max)) <= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct quote quotes[] = { quote_of(1, "ETH", "USDC"), quote_of(1, "USDT", "USDC"),
                              quote_of(8453, "USDC", "ETH") };
    struct arena *a = arena_new();

    node_input = data;
    node_input_len = size;
    node_prefix = NULL;
    price(a);
    for (size_t i = 0; i < sizeof quotes / sizeof quotes[0]; i++) {
        node_prefix = NULL;
        rehearse(a, &quotes[i]);
        node_prefix = before_tx_simulation;
        rehearse(a, &quotes[i]);
    }
    arena_free(a);
    return 0;
}
