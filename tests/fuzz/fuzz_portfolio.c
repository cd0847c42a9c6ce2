/* Nodes' answers about balances: any bytes, and any bytes as what the aggregate returned. Each chain is read
 * whole or named as unread, and no balance is there that is zero. */
#define node_ask_all   input_says
#define changes_blocks no_blocks
#include "node.h"

#include "exec/evm/evm_balances.c"

#define prices_ask no_prices
#include "swap/wallet_portfolio.c"

static const struct conf conf;
static const char before_result[] = "[{\"id\":0,\"result\":\"0x";

bool no_blocks(const struct ctx *ctx, struct arena *a, const char *address, struct account_blocks *out)
{
    (void)ctx, (void)a, (void)address;
    *out = (struct account_blocks){ .count = 0 };
    return true;
}

void no_prices(const struct ctx *ctx, struct arena *a, struct price *list, size_t n)
{
    (void)ctx;
    (void)a;
    (void)list;
    (void)n;
}

void input_says(const struct ctx *ctx, struct node_query *queries, size_t count, unsigned deadline_ms,
                struct arena *a)
{
    (void)ctx;
    (void)deadline_ms;
    for (size_t i = 0; i < count; i++)
        queries[i].answered = node_answers(queries[i].batch, a, &queries[i].answers);
}

static void read_one(const struct ctx *ctx, struct arena *a, const struct chain *only)
{
    struct wallet wallets[2] = { { .ref = { .kind = WALLET_EVM } }, { .ref = { .kind = WALLET_EVM } } };
    struct holdings p;

    for (size_t i = 0; i < 2; i++)
        snprintf(wallets[i].ref.address, sizeof wallets[i].ref.address, "0x%040zu", i + 1);
    portfolio_read(ctx, a, wallets, 2, only, &p);
    for (size_t i = 0; i < p.count; i++)
        MUST(!amount_is_zero(p.held[i].balance) && !p.held[i].priced &&
             p.held[i].balance.decimals == p.held[i].token->decimals);
    MUST(p.unread_count <= chains_count && amount_is_zero(p.total));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nodes *nodes = nodes_new(&conf);
    struct ctx ctx = { .conf = &conf, .nodes = nodes };
    struct arena *a = arena_new();

    node_input = data;
    node_input_len = size;
    node_prefix = NULL;
    read_one(&ctx, a, chain_by_id(1));
    node_prefix = before_result;
    read_one(&ctx, a, chain_by_id(8453));
    arena_free(a);
    nodes_free(nodes);
    return 0;
}
