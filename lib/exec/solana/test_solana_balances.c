/* Balances of wallets, by a node whose answers a test sets. */
#define node_ask_all   nodes_say
#define changes_blocks blocks_kept
#define changes_since  changes_kept
#include "exec/solana/solana_balances.c"

#include "chain/solana/solana_dialect.h"
#include "chain/solana/test_accounts.h"

#define COIN_LAMPORTS 5000000000

static const struct solana_addr owner = { { 1 } }, unlisted = { { 2 } };

static struct arena *a;
static struct buf said = BUF_INIT(MAX_UPSTREAM);
static char question[2048];

void nodes_say(const struct ctx *ctx, struct node_query *q, size_t count, unsigned deadline_ms,
               struct arena *arena)
{
    uint64_t slot;

    (void)ctx, (void)count, (void)deadline_ms;
    snprintf(question, sizeof question, "%s", buf_text(q->batch->out));
    q->answered =
        said.len > 0 && rpc_read(&q->answers, arena, &said, q->batch->count, solana_dialect.classify);
    q->behind = q->answered && q->since != 0 && q->block_of(&slot, q, arena) && slot < q->since;
}

/* ---- the cached state of the wallet ---- */

static struct account_block cached_block;
static struct account_change kept_change;

bool blocks_kept(const struct ctx *ctx, struct arena *arena, const char *address, struct account_blocks *out)
{
    (void)ctx, (void)arena, (void)address;
    *out = (struct account_blocks){ &cached_block, 1 };
    return true;
}

bool changes_kept(const struct ctx *ctx, struct arena *arena, const char *address, const struct chain *c,
                  uint64_t newest, uint64_t block, struct changes *out)
{
    (void)ctx, (void)arena, (void)address, (void)c, (void)newest;
    *out = (struct changes){ &kept_change, kept_change.block > block };
    return out->count == 0 || kept_change.known;
}

/* ---- the node's answers ---- */

static void say_coin(unsigned id, bool exists)
{
    const struct solana_state coin = { .exists = exists, .lamports = COIN_LAMPORTS };

    buf_addf(&said, "%s{\"id\":%u,\"result\":{\"context\":{\"slot\":7},\"value\":[", id > 0 ? "," : "[", id);
    add_account(&said, &coin);
    buf_adds(&said, "]}}");
}

static void say_token(const struct solana_addr *program, const char *mint, uint64_t amount, bool first)
{
    struct solana_addr of = unlisted;
    const struct cached_token t = { &of, &owner, amount, .state = KEPT_IN_USE };
    struct solana_state s = { .exists = true, .lamports = 2039280, .program = *program };
    struct buf bytes = BUF_INIT(512);

    CHECK(mint == NULL || solana_addr_parse(&of, mint));
    add_token(&bytes, &t);
    s.data = (const uint8_t *)bytes.data;
    s.len = bytes.len;
    buf_adds(&said, first ? "{\"account\":" : ",{\"account\":");
    add_account(&said, &s);
    buf_adds(&said, ",\"pubkey\":\"11111111111111111111111111111111\"}");
    buf_free(&bytes);
}

static void say_tokens_begin(unsigned id)
{
    buf_addf(&said, ",{\"id\":%u,\"result\":{\"context\":{\"slot\":7},\"value\":[", id);
}

static void say_tokens_end(void)
{
    buf_adds(&said, "]}}");
}

static void say_no_tokens(unsigned id)
{
    say_tokens_begin(id);
    say_tokens_end();
}

/* ---- its members ---- */

static struct wallet wallet_of(enum wallet_kind kind)
{
    struct wallet w = { .ref.kind = kind };

    snprintf(w.ref.address, sizeof w.ref.address, "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM");
    return w;
}

static struct holdings balances_of(const struct wallet *wallets, size_t n)
{
    const struct ctx ctx = { .nodes = NULL };
    const struct chain *unread[1];
    struct holdings out = { .unread = unread };

    question[0] = '\0';
    solana_balances(&ctx, a, wallets, n, chain_find("solana"), &out);
    return out;
}

static struct holdings balances(void)
{
    const struct wallet w = wallet_of(WALLET_SOLANA);

    return balances_of(&w, 1);
}

/* -1: it has none of it. */
static int64_t amount(const struct holdings *h, const char *symbol)
{
    uint64_t n;

    for (size_t i = 0; i < h->count; i++)
        if (strcmp(h->held[i].token->symbol, symbol) == 0 && u256_to_u64(&n, h->held[i].balance.raw))
            return (int64_t)n;
    return -1;
}

#define USDC "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
#define USDT "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"
#define WSOL "So11111111111111111111111111111111111111112"

static void accounts_of_both_programs(void)
{
    struct holdings h;

    buf_reset(&said);
    say_coin(0, true);
    say_tokens_begin(1);
    say_token(&SOLANA_TOKEN, USDC, 40, true);
    say_token(&SOLANA_TOKEN, NULL, 99, false);
    say_token(&SOLANA_TOKEN, USDC, 2, false);
    say_token(&SOLANA_TOKEN, WSOL, 7, false);
    say_token(&SOLANA_SYSTEM, USDT, 55, false); /* no token's account at all */
    say_token(&SOLANA_TOKEN, USDT, 0, false);
    say_tokens_end();
    say_tokens_begin(2);
    say_token(&SOLANA_TOKEN_2022, USDC, 100, true);
    say_tokens_end();
    buf_addc(&said, ']');
    h = balances();
    CHECK(h.unread_count == 0 && h.count == 3 && amount(&h, "USDC") == 142 && amount(&h, "WSOL") == 7);
    CHECK(amount(&h, "SOL") == COIN_LAMPORTS && amount(&h, "USDT") == -1);
    CHECK_STR(question, "[{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"getMultipleAccounts\",\"params\":[["
                        "\"4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM\"],{\"commitment\":\"confirmed\","
                        "\"encoding\":\"base64\",\"dataSlice\":{\"offset\":0,\"length\":1}}]},\n"
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"getTokenAccountsByOwner\",\"params\":["
                        "\"4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM\",{\"programId\":"
                        "\"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA\"},{\"commitment\":\"confirmed\","
                        "\"encoding\":\"base64\"}]},\n"
                        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"getTokenAccountsByOwner\",\"params\":["
                        "\"4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM\",{\"programId\":"
                        "\"TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb\"},{\"commitment\":\"confirmed\","
                        "\"encoding\":\"base64\"}]}]");
}

static void a_new_wallet_holds_nothing(void)
{
    struct holdings h;

    buf_reset(&said);
    say_coin(0, false);
    say_no_tokens(1);
    say_no_tokens(2);
    buf_addc(&said, ']');
    h = balances();
    CHECK(h.unread_count == 0 && h.count == 0);
}

/* A missing balance is unknown, and not zero. */
static void missing_answers_are_unknown_not_zero(void)
{
    for (unsigned missing = 0; missing <= 3; missing++) {
        struct holdings h;

        buf_reset(&said);
        say_coin(missing == 0 ? 9 : 0, true);
        said.data[0] = '['; /* whichever it is */
        say_no_tokens(missing == 1 ? 9 : 1);
        say_no_tokens(missing == 2 ? 9 : 2);
        buf_addc(&said, ']');
        h = balances();
        CHECK(h.unread_count == (missing < 3) && (missing < 3 || amount(&h, "SOL") == COIN_LAMPORTS));
        CHECK(missing == 3 || h.count == 0);
    }
    buf_reset(&said);
    CHECK(balances().unread_count == 1);
}

static void accounts_that_cannot_be_read(void)
{
    struct holdings h;

    buf_reset(&said);
    say_coin(0, true);
    say_tokens_begin(1);
    buf_adds(&said, "{\"account\":{\"lamports\":1}}");
    say_tokens_end();
    say_no_tokens(2);
    buf_addc(&said, ']');
    h = balances();
    CHECK(h.unread_count == 1 && h.count == 0);
}

/* Each of them has its own answers; those of other families none. */
static void several_wallets(void)
{
    const struct wallet wallets[] = { wallet_of(WALLET_SOLANA), wallet_of(WALLET_EVM),
                                      wallet_of(WALLET_SOLANA) };
    struct holdings h;

    buf_reset(&said);
    say_coin(0, true);
    say_no_tokens(1);
    say_no_tokens(2);
    say_coin(3, false);
    say_tokens_begin(4);
    say_token(&SOLANA_TOKEN, USDC, 40, true);
    say_tokens_end();
    say_no_tokens(5);
    buf_addc(&said, ']');
    h = balances_of(wallets, 3);
    CHECK(h.unread_count == 0 && h.count == 2);
    CHECK(h.held[0].wallet == wallets[0].ref.address && h.held[1].wallet == wallets[2].ref.address);
    CHECK(amount(&h, "SOL") == COIN_LAMPORTS && amount(&h, "USDC") == 40);

    /* An answer that is missing for the first wallet stays missing, even if the last wallet's is complete. */
    said.data[strlen("[{\"id\":")] = '9';
    h = balances_of(wallets, 3);
    CHECK(h.unread_count == 1 && h.count == 1 && amount(&h, "USDC") == 40);
    h = balances_of(&wallets[1], 1);
    CHECK(h.count == 0 && h.unread_count == 0 && question[0] == '\0');
}

/* The oldest slot of the answers counts. */
static void stored_changes_are_added_to_a_lagging_nodes_balances(void)
{
    struct holdings h;

    buf_reset(&said);
    say_coin(0, true);
    say_tokens_begin(1);
    say_token(&SOLANA_TOKEN, USDC, 40, true);
    say_tokens_end();
    say_no_tokens(2);
    buf_addc(&said, ']');
    cached_block = (struct account_block){ chain_find("solana")->id, 8 };
    kept_change = (struct account_change){ .block = 8, .known = true };
    change_of(&kept_change, "")->left = u256_from_u64(5000);
    change_of(&kept_change, USDC)->left = u256_from_u64(40);
    change_of(&kept_change, USDT)->came = u256_from_u64(39);
    h = balances();
    CHECK(h.unread_count == 0 && h.count == 2 && amount(&h, "USDT") == 39);
    CHECK(amount(&h, "SOL") == COIN_LAMPORTS - 5000);
    kept_change.known = false;
    h = balances();
    CHECK(h.unread_count == 1 && h.count == 0);
    cached_block.block = 7;
    h = balances();
    CHECK(h.unread_count == 0 && amount(&h, "USDC") == 40);
}

int main(void)
{
    static const struct test_case cases[] = { TEST(accounts_of_both_programs),
                                              TEST(a_new_wallet_holds_nothing),
                                              TEST(missing_answers_are_unknown_not_zero),
                                              TEST(accounts_that_cannot_be_read),
                                              TEST(several_wallets),
                                              TEST(stored_changes_are_added_to_a_lagging_nodes_balances) };
    int failed;

    a = arena_new();
    failed = test_run(cases, sizeof cases / sizeof cases[0]);
    buf_free(&said);
    arena_free(a);
    return failed;
}
