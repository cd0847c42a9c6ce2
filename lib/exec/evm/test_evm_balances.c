/* Balances as a node of the sandbox's base chain answered them; asking is a function of the test's own. */
#include "base/test.h"

#define node_ask_all   answer_all
#define changes_blocks blocks_kept
#define changes_since  changes_kept
#include "exec/evm/evm_balances.c"

#include "chain/evm/evm_rpc_class.h"
#include "service/conf.h"

/* aggregate3 of the wallet's balances of ETH, WETH, USDC and DAI and of the block, which is 100, and what it
 * returned. */
#define ASKED                                                                                                \
    "0x82ad56cb0000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000000500000000000000000000000000000000000000000000000000000000000000a00000000000000000000000000000000000000000000000000000000000000160000000000000000000000000000000000000000000000000000000000000022000000000000000000000000000000000000000000000000000000000000002e000000000000000000000000000000000000000000000000000000000000003a0000000000000000000000000ca11bde05977b3631167028862be2a173976ca110000000000000000000000000000000000000000000000000000000000000001000000000000000000000000000000000000000000000000000000000000006000000000000000000000000000000000000000000000000000000000000000244d2301cc000000000000000000000000222222222222222222222222222222222222222200000000000000000000000000000000000000000000000000000000000000000000000000000000420000000000000000000000000000000000000600000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000060000000000000000000000000000000000000000000000000000000000000002470a08231000000000000000000000000222222222222222222222222222222222222222200000000000000000000000000000000000000000000000000000000000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda0291300000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000060000000000000000000000000000000000000000000000000000000000000002470a0823100000000000000000000000022222222222222222222222222222222222222220000000000000000000000000000000000000000000000000000000000000000000000000000000050c5725949a6f0c72e6c4a641f24049a917db0cb00000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000060000000000000000000000000000000000000000000000000000000000000002470a08231000000000000000000000000222222222222222222222222222222222222222200000000000000000000000000000000000000000000000000000000000000000000000000000000ca11bde05977b3631167028862be2a173976ca1100000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000060000000000000000000000000000000000000000000000000000000000000000442cbb15c00000000000000000000000000000000000000000000000000000000"

#define ANSWERED                                                                                             \
    "0x0000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000000500000000000000000000000000000000000000000000000000000000000000a0000000000000000000000000000000000000000000000000000000000000012000000000000000000000000000000000000000000000000000000000000001a0000000000000000000000000000000000000000000000000000000000000022000000000000000000000000000000000000000000000000000000000000002a00000000000000000000000000000000000000000000000000000000000000001000000000000000000000000000000000000000000000000000000000000004000000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000de0b6b3a76400010000000000000000000000000000000000000000000000000000000000000001000000000000000000000000000000000000000000000000000000000000004000000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000400000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000040000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000068155a43676e00000000000000000000000000000000000000000000000000000000000000000001000000000000000000000000000000000000000000000000000000000000004000000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000000000000000064"

#define ME "0x2222222222222222222222222222222222222222"

static struct arena *a;
static struct conf conf;
static struct nodes *nodes;
static struct ctx ctx = { .conf = &conf };
static struct holdings p;

/* By chain: the JSON of the answer, NULL where the node is silent. */
static const char *answer_of_base, *answer_of_others;
static unsigned chains_asked;

void node_ask_all(const struct ctx *c, struct node_query *queries, size_t count, unsigned deadline_ms,
                  struct arena *arena)
{
    (void)c;
    CHECK(deadline_ms <= 2500);
    chains_asked = (unsigned)count;
    for (size_t i = 0; i < count; i++) {
        bool base = strcmp(queries[i].chain->key, "base") == 0;
        const char *text = base ? answer_of_base : answer_of_others;
        struct buf bytes = BUF_INIT(65536);

        if (base && queries[i].batch->count == 1)
            CHECK(strstr(buf_text(queries[i].batch->out), ASKED) != NULL);
        if (text != NULL)
            buf_adds(&bytes, text);
        queries[i].answered = text != NULL && rpc_read(&queries[i].answers, arena, &bytes,
                                                       queries[i].batch->count, evm_classify);
        buf_free(&bytes);
    }
}

/* ---- the cached state of the wallet ---- */

static struct account_block cached_block;
static struct account_change kept_change;

bool blocks_kept(const struct ctx *c, struct arena *arena, const char *address, struct account_blocks *out)
{
    (void)c, (void)arena, (void)address;
    *out = (struct account_blocks){ &cached_block, 1 };
    return true;
}

bool changes_kept(const struct ctx *c, struct arena *arena, const char *address, const struct chain *chain,
                  uint64_t newest, uint64_t block, struct changes *out)
{
    (void)c, (void)arena, (void)address, (void)chain;
    *out = (struct changes){ &kept_change, newest > block };
    return out->count == 0 || kept_change.known;
}

static struct wallet wallet(enum wallet_kind kind, const char *address)
{
    struct wallet w = { .ref.kind = kind };

    snprintf(w.ref.address, sizeof w.ref.address, "%s", address);
    return w;
}

static void balances_ask_for(const struct wallet *wallets, size_t n, const char *only)
{
    p = (struct holdings){ .unread = ARENA_ARRAY(a, const struct chain *, chains_count) };
    evm_balances(&ctx, a, wallets, n, only == NULL ? NULL : chain_find(only), &p);
}

static void begin(void)
{
    answer_of_base = "[{\"id\":0,\"result\":\"" ANSWERED "\"}]";
    answer_of_others = NULL;
    chains_asked = 0;
    cached_block = (struct account_block){ 8453, 0 };
}

static void balances_to_the_last_digit(void)
{
    struct wallet w = wallet(WALLET_EVM, ME);

    begin();
    balances_ask_for(&w, 1, "base");
    CHECK(chains_asked == 1 && p.count == 2 && p.unread_count == 0);
    CHECK_STR(p.held[0].token->symbol, "ETH");
    CHECK_STR(amount_text(a, p.held[0].balance), "1.000000000000000001");
    CHECK_STR(p.held[1].token->symbol, "DAI");
    CHECK_STR(amount_text(a, p.held[1].balance), "7.5");
    CHECK_STR(p.held[1].wallet, ME);
}

static void chains_that_say_nothing_are_named(void)
{
    struct wallet w = wallet(WALLET_EVM, ME);

    begin();
    balances_ask_for(&w, 1, NULL);
    CHECK(chains_asked > 5 && p.count == 2 && p.unread_count == chains_asked - 1);
    for (size_t i = 0; i < p.unread_count; i++)
        CHECK(strcmp(p.unread[i]->key, "base") != 0 && p.unread[i]->type == CHAIN_EVM);
}

/* The wallet's DAI fails: what it holds of it is not known, the rest is. */
static void a_failing_token_leaves_the_other_balances(void)
{
    struct wallet w = wallet(WALLET_EVM, ME);
    char *text, *flag;

    begin();
    text = arena_strdup(a, answer_of_base);
    flag = strstr(text, ANSWERED) + 2 + (size_t)64 * (2 + 5 + 3 * 4) + 63; /* of the fourth item */
    CHECK(*flag == '1');
    *flag = '0';
    answer_of_base = text;
    balances_ask_for(&w, 1, "base");
    CHECK(p.count == 1 && p.unread_count == 1);
    CHECK_STR(p.held[0].token->symbol, "ETH");
}

static void answers_that_are_none(void)
{
    static const char *const texts[] = {
        "[{\"id\":0,\"result\":\"0x\"}]",
        "[{\"id\":0,\"result\":\"0x0000000000000000000000000000000000000000000000000000000000000020\"}]",
        "[{\"id\":0,\"error\":{\"code\":3,\"message\":\"execution reverted\"}}]",
        "{\"error\":{\"code\":-32601,\"message\":\"no batches\"}}",
        "[{\"id\":0,\"result\":null}]",
    };
    struct wallet w = wallet(WALLET_EVM, ME);

    begin();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        answer_of_base = texts[i];
        balances_ask_for(&w, 1, "base");
        CHECK(p.count == 0 && p.unread_count == 1);
    }
}

/* 17 wallets take two calls; the second one has the last wallet alone. */
static void many_wallets_take_several_calls(void)
{
    struct wallet w[17];

    begin();
    for (size_t i = 0; i < 17; i++)
        w[i] = wallet(WALLET_EVM, i == 16 ? ME : "0x1111111111111111111111111111111111111111");
    answer_of_base = arena_printf(a, "[{\"id\":1,\"result\":\"%s\"}]", ANSWERED);
    balances_ask_for(w, 17, "base");
    CHECK(p.count == 2 && p.unread_count == 1); /* the first call was not answered */
    CHECK_STR(p.held[0].wallet, ME);
}

static void wallets_of_other_kinds(void)
{
    struct wallet w[] = { wallet(WALLET_SOLANA, "So11111111111111111111111111111111111111112"),
                          wallet(WALLET_EVM, ME) };

    begin();
    balances_ask_for(w, 1, NULL);
    CHECK(chains_asked == 0 && p.unread_count == 0 && p.count == 0);
    balances_ask_for(w, 2, "base");
    CHECK(p.count == 2 && p.unread_count == 0);
}

/* Changes stored above the block of the answer are added to it; balances that contradict them are unknown. */
static void stored_changes_are_added_to_a_lagging_nodes_balances(void)
{
    struct wallet w = wallet(WALLET_EVM, ME);
    struct token_change *coin, *dai, *usdc;

    begin();
    cached_block.block = 101;
    kept_change = (struct account_change){ .block = 101, .known = true };
    coin = change_of(&kept_change, "");
    dai = change_of(&kept_change, "0x50c5725949a6f0c72e6c4a641f24049a917db0cb");
    usdc = change_of(&kept_change, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");
    coin->left = u256_from_u64(2);
    coin->came = u256_from_u64(1);
    CHECK(u256_parse(&dai->left, "7500000000000000000"));
    usdc->came = u256_from_u64(2500000);
    balances_ask_for(&w, 1, "base");
    CHECK(p.count == 2 && p.unread_count == 0);
    CHECK_STR(amount_text(a, p.held[0].balance), "1");
    CHECK_STR(p.held[1].token->symbol, "USDC");
    CHECK_STR(amount_text(a, p.held[1].balance), "2.5");
    dai->left = u256_from_u64(1);
    CHECK(u256_parse(&coin->left, "1000000000000000003"));
    balances_ask_for(&w, 1, "base");
    CHECK(p.unread_count == 1);
    kept_change.known = false;
    balances_ask_for(&w, 1, "base");
    CHECK(p.unread_count == 1 && p.count == 0);
    cached_block.block = 100; /* the answer knows it */
    balances_ask_for(&w, 1, "base");
    CHECK(p.count == 2 && p.unread_count == 0);
}

static void balances_test_start(void)
{
    a = arena_new();
    nodes = nodes_new(&conf);
    ctx.nodes = nodes;
}

static void balances_test_end(void)
{
    nodes_free(nodes);
    arena_free(a);
}

TEST_MAIN(TEST(balances_test_start), TEST(balances_to_the_last_digit),
          TEST(chains_that_say_nothing_are_named), TEST(a_failing_token_leaves_the_other_balances),
          TEST(answers_that_are_none), TEST(many_wallets_take_several_calls), TEST(wallets_of_other_kinds),
          TEST(stored_changes_are_added_to_a_lagging_nodes_balances), TEST(balances_test_end))
