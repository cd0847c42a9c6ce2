/* Sweeps of wallets whose contents are made up here. */
#include "base/test.h"

#define operator_find_agent    fake_find_agent
#define trading_halts_check    fake_halts_check
#define wallets_list           fake_wallets
#define portfolio_read         fake_portfolio
#define sweep_token            fake_sweep_token
#define account_deposit_wallet fake_deposit_wallet
#include "operator/admin_sweep.c"

#include <string.h>

#define ADDRESS "0x1111111111111111111111111111111111111111"

static struct arena *a;
static const struct ctx ctx;
static int halted = 1, wallets = 2;
static bool unread, has_deposit;
static const struct err *coin_refusal, *token_refusal;
static char log_text[512];

const char *operator_find_agent(const struct ctx *c, struct arena *arena, const char *agent,
                                struct agent *out)
{
    (void)c;
    (void)arena;
    out->id = 5;
    return strcmp(agent, "five") == 0 ? NULL : "no such agent";
}

enum lookup trading_halts_check(struct db *db, uint64_t agent_id)
{
    (void)db;
    CHECK(agent_id == 5);
    return halted;
}

int wallets_list(struct db *db, struct arena *arena, uint64_t agent_id, struct wallet **out)
{
    static struct wallet list[2] = { { .id = 1, .ref.kind = WALLET_SOLANA },
                                     { .id = 2, .ref.kind = WALLET_EVM } };

    (void)db;
    (void)arena;
    CHECK(agent_id == 5);
    *out = list;
    return wallets;
}

enum lookup account_deposit_wallet(struct db *db, const struct wallet *w, struct wallet *out)
{
    (void)db;
    *out = *w;
    out->id = 3;
    return has_deposit ? LOOKUP_FOUND : LOOKUP_NONE;
}

static void deposit_read(const struct wallet *w, const struct chain *only, struct holdings *out)
{
    static struct holding held;

    CHECK(w->id == 3 && strcmp(only->key, "polygon") == 0);
    held = (struct holding){ .chain = only, .token = token_find(only, "pUSD") };
    *out = (struct holdings){ .held = &held, .count = 1 };
}

void portfolio_read(const struct ctx *c, struct arena *arena, const struct wallet *list, size_t count,
                    const struct chain *only, struct holdings *out)
{
    static const struct chain *unread_chain;
    static struct holding held[2];

    (void)c;
    (void)arena;
    if (only != NULL) {
        deposit_read(list, only, out);
        return;
    }
    CHECK(list->id == 2 && count == 1);
    unread_chain = chain_find("base");
    held[0] = (struct holding){ .chain = chain_find("ethereum") };
    held[1] = held[0];
    held[0].token = token_find(held[0].chain, "ETH");
    held[1].token = token_find(held[0].chain, "USDC");
    *out = (struct holdings){
        .held = held, .count = 2, .unread = &unread_chain, .unread_count = unread ? 1 : 0
    };
}

const struct err *sweep_token(const struct sweep *s, const struct chain *c, const struct token *t,
                              struct u256 held, struct execution *out)
{
    (void)c;
    (void)held;
    CHECK(strncmp(s->to, "0x11", 4) == 0);
    *out = (struct execution){ .id = 77 };
    return token_is_native(t) ? coin_refusal : token_refusal;
}

static void report_line(void *arg, const struct sweep_result *r)
{
    static const char *const words[] = { "sent", "refused", "unread", "deposited", "not swept" };
    size_t len = strlen(log_text);

    (void)arg;
    CHECK((r->execution != NULL) == (r->outcome == SWEEP_SENT));
    CHECK(r->execution == NULL || r->execution->id == 77);
    snprintf(log_text + len, sizeof log_text - len, "%llu %s %s %s\n", (unsigned long long)r->wallet->id,
             r->chain != NULL ? r->chain->key : "-", r->token != NULL ? r->token->symbol : "-",
             words[r->outcome]);
}

static bool sweep_five(void)
{
    struct sweep_order order;

    log_text[0] = '\0';
    CHECK(operator_sweep_order(&ctx, a, "five", ADDRESS, &order) == NULL);
    return operator_sweep(&ctx, a, &order, NULL, report_line, NULL);
}

static void sweep_test_start(void)
{
    a = arena_new();
}

static void only_of_an_agent_that_is_stopped(void)
{
    static const char *const wrong[] = { "", "x", "0x0000000000000000000000000000000000000000", "0x11" };
    struct sweep_order order;

    CHECK_STR(operator_sweep_order(&ctx, a, "six", ADDRESS, &order), "no such agent");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK_STR(operator_sweep_order(&ctx, a, "five", wrong[i], &order),
                  arena_printf(a, "not an address: %s", wrong[i]));
    for (halted = -1; halted < 1; halted++)
        CHECK(strstr(operator_sweep_order(&ctx, a, "five", ADDRESS, &order), "stop the agent first") != NULL);
}

static void tokens_are_sent_before_the_coin_that_pays(void)
{
    CHECK(sweep_five());
    CHECK_STR(log_text, "1 - - not swept\n2 ethereum USDC sent\n2 ethereum ETH sent\n");
}

static void empty_balances_are_skipped(void)
{
    token_refusal = &E_BALANCE;
    coin_refusal = &E_GAS;
    CHECK(sweep_five());
    CHECK_STR(log_text, "1 - - not swept\n");
}

static void failures_of_a_sweep_are_reported(void)
{
    token_refusal = &E_GAS;
    coin_refusal = NULL;
    unread = true;
    CHECK(!sweep_five());
    CHECK_STR(log_text, "1 - - not swept\n2 ethereum USDC refused\n2 ethereum ETH sent\n2 base - unread\n");
    token_refusal = NULL;
    CHECK(!sweep_five());
    unread = false;
    CHECK(sweep_five());
    wallets = -1;
    CHECK(!sweep_five());
}

/* Only its owner's withdrawal brings it back. */
static void balances_of_deposit_wallets_are_reported(void)
{
    wallets = 2;
    has_deposit = true;
    CHECK(!sweep_five());
    CHECK_STR(log_text,
              "1 - - not swept\n2 ethereum USDC sent\n2 ethereum ETH sent\n2 polygon pUSD deposited\n");
}

static void sweep_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(sweep_test_start), TEST(only_of_an_agent_that_is_stopped),
          TEST(tokens_are_sent_before_the_coin_that_pays), TEST(empty_balances_are_skipped),
          TEST(failures_of_a_sweep_are_reported), TEST(balances_of_deposit_wallets_are_reported),
          TEST(sweep_test_end))
