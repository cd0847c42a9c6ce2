/* Mints, as a node that says what a test wants shows them. */
#define node_ask          node_says
#define node_ask_two      nodes_say
#define nodes_known       node_known
#define chain_unavailable nothing_said
#include "exec/solana/solana_token.c"

#include "chain/solana/solana_programs.h"
#include "chain/solana/test_accounts.h"
#include "codec/test_liar.h"

#define USDC     "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
#define UNLISTED "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"
#define WSOL     "So11111111111111111111111111111111111111112"

static struct arena *a;
static struct buf said = BUF_INIT(MAX_UPSTREAM); /* the accounts, in their order; empty: no node answers */
static const char *second_says;                  /* the accounts, by another node; NULL: it does not answer */
static const json_t *whole[NODE_OPINIONS];       /* all of what each says; NULL: as above */
static char question[1024];
static bool known = true;

bool node_says(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
               unsigned deadline_ms, struct arena *arena, struct rpc_answers *out)
{
    (void)ctx, (void)c, (void)deadline_ms;
    snprintf(question, sizeof question, "%s", buf_text(batch->out));
    if (said.len == 0)
        return false;
    (void)answer_of(out, arena,
                    arena_printf(arena, "{\"context\":{\"slot\":7},\"value\":[%s]}", buf_text(&said)));
    return true;
}

size_t nodes_say(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
                 unsigned deadline_ms, struct arena *arena, struct rpc_answers out[static NODE_OPINIONS])
{
    size_t n = whole[0] != NULL ? 0 : node_says(ctx, c, batch, deadline_ms, arena, out);

    for (size_t i = 0; whole[0] != NULL && i < NODE_OPINIONS; i++) {
        char *text = json_dumps(whole[i], JSON_ENCODE_ANY);

        (void)answer_of(&out[n++], arena, text);
        free(text);
    }
    if (second_says != NULL)
        (void)answer_of(&out[n++], arena,
                        arena_printf(arena, "{\"context\":{\"slot\":7},\"value\":[%s]}", second_says));
    return n;
}

bool node_known(const struct nodes *n, const struct chain *c)
{
    (void)n, (void)c;
    return known;
}

const struct err *nothing_said(const struct ctx *ctx, struct arena *arena, const struct chain *c)
{
    (void)ctx, (void)arena, (void)c;
    return &E_UPSTREAM;
}

static void say_mint(const struct solana_addr *program, uint8_t decimals, bool first)
{
    struct solana_state s = { .exists = true, .lamports = 1, .program = *program };
    struct buf bytes = BUF_INIT(512);

    add_mint(&bytes, decimals, true);
    s.data = (const uint8_t *)bytes.data;
    s.len = bytes.len;
    if (first)
        buf_reset(&said);
    buf_adds(&said, first ? "" : ",");
    add_account(&said, &s);
    buf_free(&bytes);
}

static void decimals_of_several(void)
{
    static const char *const addresses[] = { USDC, "no address", WSOL, USDC };
    const struct ctx ctx = { .nodes = NULL };
    int out[4];

    say_mint(&SOLANA_TOKEN, 6, true);
    buf_adds(&said, ",null");
    say_mint(&SOLANA_TOKEN_2022, 9, false);
    say_mint(&SOLANA_SYSTEM, 9, false);
    CHECK(solana_token_decimals(&ctx, a, chain_find("solana"), addresses, 4, out));
    CHECK(out[0] == 6 && out[1] == -1 && out[2] == 9 && out[3] == -1);
    CHECK_STR(question,
              "[{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"getMultipleAccounts\",\"params\":[[\"" USDC
              "\",\"11111111111111111111111111111111\",\"" WSOL "\",\"" USDC
              "\"],{\"commitment\":\"confirmed\",\"encoding\":\"base64\",\"dataSlice\":{\"offset\":0,"
              "\"length\":356}}]}]");
    CHECK(!solana_token_decimals(&ctx, a, chain_find("solana"), addresses, 3, out));
    buf_reset(&said);
    CHECK(!solana_token_decimals(&ctx, a, chain_find("solana"), addresses, 4, out));
}

static const struct err *describe(const char *address, struct token_ref *out, unsigned *found)
{
    const struct ctx ctx = { .nodes = NULL };

    return solana_describe_token(&ctx, a, chain_find("solana"), address, out, found);
}

static void a_token_by_its_mint(void)
{
    struct token_ref t;
    unsigned found;

    say_mint(&SOLANA_TOKEN, 6, true);
    CHECK(describe(USDC, &t, &found) == NULL && found && t.decimals == 6);
    CHECK(t.chain_id == chain_find("solana")->id);
    CHECK_STR(t.address, USDC);
    CHECK_STR(t.symbol, "USDC");
    CHECK(describe(UNLISTED, &t, &found) == NULL && found && t.symbol[0] == '\0');
    CHECK(describe(WSOL, &t, &found) == NULL && found);
    CHECK_STR(t.symbol, "WSOL");
    CHECK(describe("no address", &t, &found) == NULL && !found);
    say_mint(&SOLANA_TOKEN, AMOUNT_MAX_DECIMALS, true);
    CHECK(describe(USDC, &t, &found) == NULL && found);
    say_mint(&SOLANA_TOKEN, AMOUNT_MAX_DECIMALS + 1, true);
    CHECK(describe(USDC, &t, &found) == NULL && !found);
    buf_reset(&said);
    buf_adds(&said, "null");
    CHECK(describe(USDC, &t, &found) == NULL && !found);
    buf_reset(&said);
    CHECK(describe(USDC, &t, &found) == &E_UPSTREAM && !found);
    known = false;
    CHECK(describe(USDC, &t, &found) == NULL && !found);
}

/* Decimals multiply amounts: of two nodes that differ neither is believed. */
static void a_second_opinion(void)
{
    struct token_ref t;
    unsigned found;

    say_mint(&SOLANA_TOKEN, 6, true);
    second_says = arena_strdup(a, buf_text(&said));
    CHECK(describe(UNLISTED, &t, &found) == NULL && found && t.decimals == 6);
    say_mint(&SOLANA_TOKEN, 9, true);
    CHECK(describe(UNLISTED, &t, &found) == &E_UPSTREAM && !found);
    buf_reset(&said);
    CHECK(describe(UNLISTED, &t, &found) == NULL && found && t.decimals == 6); /* the first is silent */
    buf_adds(&said, "null");
    CHECK(describe(UNLISTED, &t, &found) == &E_UPSTREAM && !found);
    second_says = "null";
    CHECK(describe(UNLISTED, &t, &found) == NULL && !found);
    second_says = "7";
    CHECK(describe(UNLISTED, &t, &found) == NULL && !found);
    second_says = NULL;
}

static const char *decimals_by(const json_t *first, const json_t *second, void *arg)
{
    const struct ctx ctx = { .nodes = NULL };
    struct token_ref t;
    static char text[16];
    unsigned found;

    (void)arg;
    whole[0] = json_array_get(first, 0);
    whole[1] = json_array_get(second, 0);
    known = true;
    if (solana_describe_token(&ctx, a, chain_find("solana"), USDC, &t, &found) != NULL || !found)
        return NULL;
    snprintf(text, sizeof text, "%d", t.decimals);
    return text;
}

static void one_liar_moves_no_point(void)
{
    liar_alone_changes_nothing("getMultipleAccounts", liar_recorded("mint"), decimals_by, NULL);
    whole[0] = whole[1] = NULL;
}

int main(void)
{
    static const struct test_case cases[] = { TEST(decimals_of_several), TEST(a_second_opinion),
                                              TEST(a_token_by_its_mint), TEST(one_liar_moves_no_point) };
    int failed;

    a = arena_new();
    failed = test_run(cases, sizeof cases / sizeof cases[0]);
    buf_free(&said);
    arena_free(a);
    return failed;
}
