#include "base/test.h"
#include "route/provider.h"

/* Providers of the test's own, which are there or not. */
static const struct provider *fakes[3];
#define providers fakes
#include "route/route.c"
#undef providers

#include "api/documents/offered.c"

#include <stdlib.h>
#include <unistd.h>

#include "service/conf.h"

static bool on_evm(const struct chain *from, const struct chain *to)
{
    return from == to && from->type == CHAIN_EVM;
}

static bool across(const struct chain *from, const struct chain *to)
{
    return from != to && from->type == CHAIN_EVM && to->type == CHAIN_EVM;
}

static bool on_solana(const struct chain *from, const struct chain *to)
{
    return from == to && from->type == CHAIN_SOLANA;
}

static const struct provider evm = { .key = "evm", .supports = on_evm },
                             bridge = { .key = "bridge", .supports = across },
                             solana = { .key = "solana", .supports = on_solana };

static void offers_follow_from_the_settings(void)
{
    static const struct {
        const char *sentence;
        bool alone, with_bridge, with_solana;
    } rows[] = {
        { "swap 1 ETH to USDC on base", true, true, true },
        { "quote 500 USDC to ETH", true, true, true },
        { "swap 1 ETH to USDC on linea", true, true, true },
        { "bridge 100 USDC from base to arbitrum", false, true, false },
        { "swap 1 SOL to USDC on solana", false, false, true },
        { "create a wallet", true, true, true },
        { "create an evm wallet", true, true, true },
        { "create a solana wallet", false, false, true },
        { "show prediction markets about bitcoin", true, true, true },
        { "buy 10 shares of token 1234 at 0.55", true, true, true },
        { "buy 10 YES of market 512347 at 0.40", true, true, true },
        { "execute quote q_7d793037a0760186574b0282f2f435e7", true, true, true },
        { "show my balance", true, true, true },
        { "help", true, true, true },
        { "make me rich", false, false, false },
    };
    static const struct conf conf;
    struct nodes *nodes = nodes_new(&conf);
    struct ctx ctx = { .conf = &conf, .nodes = nodes };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fakes[0] = &evm;
        fakes[1] = NULL;
        CHECK(offered_command(&ctx, rows[i].sentence) == rows[i].alone);
        CHECK(!offered_bridge(&ctx));
        fakes[1] = &bridge;
        CHECK(offered_command(&ctx, rows[i].sentence) == rows[i].with_bridge);
        CHECK(offered_bridge(&ctx));
        fakes[1] = &solana;
        CHECK(offered_command(&ctx, rows[i].sentence) == rows[i].with_solana);
    }
    nodes_free(nodes);
}

static void a_chain_without_a_node_offers_nothing(void)
{
    char path[] = "/tmp/offered-test-XXXXXX";
    int fd = mkstemp(path);
    struct conf *conf;
    struct nodes *nodes;
    struct ctx ctx;

    CHECK(fd >= 0 && write(fd, "rpc.base =\n", 11) == 11 && close(fd) == 0);
    conf = conf_load(path);
    nodes = nodes_new(conf);
    ctx = (struct ctx){ .conf = conf, .nodes = nodes };
    (void)unlink(path);
    fakes[0] = &evm;
    fakes[1] = &bridge;
    CHECK(!offered_command(&ctx, "swap 1 ETH to USDC on base"));
    CHECK(!offered_command(&ctx, "how much USDC do I have on base?"));
    CHECK(!offered_command(&ctx, "bridge 100 USDC from base to arbitrum"));
    CHECK(offered_command(&ctx, "swap 1 ETH to USDC"));
    CHECK(offered_command(&ctx, "how much USDC do I have?"));
    CHECK(offered_command(&ctx, "bridge 100 USDC from ethereum to arbitrum"));
    nodes_free(nodes);
    conf_free(conf);
}

TEST_MAIN(TEST(offers_follow_from_the_settings), TEST(a_chain_without_a_node_offers_nothing))
