/* Transfers as they are planned, completed by a node's answer, and read back. */
#include "base/test.h"

#include "chain/rpc/rpc.h"
#include "chain/solana/solana_dialect.h"

#define node_ask          fake_node_ask
#define chain_unavailable fake_chain_unavailable
#include "exec/solana/solana_transfer.c"

#include "exec/solana/reading.h"
#include "exec/solana/solana_guard.h"

#include "codec/base64.h"

/* Any addresses; YOURS is a wallet's account, and OTHER another one of it. */
#define ME    "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN"
#define YOU   "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263"
#define MINT  "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
#define MINE  "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"
#define OTHER "EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm"
#define HASH  "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo"

static struct arena *a;
static struct buf answers = BUF_INIT(64 * 1024); /* of the node; empty: it says nothing */

bool fake_node_ask(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
                   unsigned deadline_ms, struct arena *arena, struct rpc_answers *out)
{
    (void)ctx, (void)c, (void)deadline_ms;
    return answers.len > 0 && rpc_read(out, arena, &answers, batch->count, solana_dialect.classify);
}

const struct err *fake_chain_unavailable(const struct ctx *ctx, struct arena *arena, const struct chain *c)
{
    (void)ctx, (void)arena, (void)c;
    return &E_UPSTREAM;
}

/* ---- a node's answers ---- */

enum { IN_USE = 1, FROZEN = 2, MARK = 2 /* of an account, behind which extensions stand */ };

/* As a node shows it. */
struct shown_account {
    const char *key;
    const struct solana_addr *program;
    const char *owner;
    uint64_t amount;
    size_t len;
    uint8_t state;
    bool closable;
};

static void say_shown(const struct shown_account *s)
{
    uint8_t data[SOLANA_TOKEN_ACCOUNT_LEN + 64] = { 0 };
    char text[BASE64_LEN(sizeof data) + 1], housekeeper[SOLANA_ADDR_TEXT_LEN + 1];
    const struct solana_addr mint = address_of(MINT), its = address_of(s->owner);

    memcpy(data, mint.bytes, sizeof mint.bytes);
    memcpy(data + 32, its.bytes, sizeof its.bytes);
    for (unsigned i = 0; i < 8; i++)
        data[64 + i] = (uint8_t)(s->amount >> 8 * i);
    data[108] = s->state;
    data[129] = s->closable;
    if (s->len > SOLANA_TOKEN_ACCOUNT_LEN)
        data[SOLANA_TOKEN_ACCOUNT_LEN] = MARK;
    base64_encode(text, data, s->len);
    solana_addr_text(housekeeper, s->program);
    if (s->key != NULL)
        buf_addf(&answers, "{\"pubkey\":\"%s\",\"account\":", s->key);
    buf_addf(&answers, "{\"lamports\":2039280,\"owner\":\"%s\",\"data\":[\"%s\",\"base64\"]}%s", housekeeper,
             text, s->key != NULL ? "}" : "");
}

static void say_account(const char *key, const struct solana_addr *program, const char *owner,
                        uint64_t amount)
{
    say_shown(
        &(struct shown_account){ key, program, owner, amount, SOLANA_TOKEN_ACCOUNT_LEN, IN_USE, false });
}

static void say_hash(const char *hash)
{
    buf_reset(&answers);
    buf_addf(
        &answers,
        "[{\"id\":0,\"jsonrpc\":\"2.0\",\"result\":{\"context\":{\"slot\":9},\"value\":{\"blockhash\":\"%s\"}}},",
        hash);
}

static void say_held(void)
{
    buf_addf(&answers, "{\"id\":1,\"jsonrpc\":\"2.0\",\"result\":{\"context\":{\"slot\":9},\"value\":[");
}

static void say_held_by_the_other(void)
{
    buf_addf(&answers, "]}},{\"id\":2,\"jsonrpc\":\"2.0\",\"result\":{\"context\":{\"slot\":9},\"value\":[");
}

static void say_end(void)
{
    buf_addf(&answers, "]}}]");
}

/* Answers with no accounts of either program. */
static void say_nothing_held(void)
{
    say_held();
    say_held_by_the_other();
    say_end();
}

/* ---- the plans ---- */

static struct plan plan_of(bool coin)
{
    struct plan p = { .chain = chain_find("solana"),
                      .wallet = ME,
                      .recipient = YOU,
                      .leaves = { .token = { .chain_id = chain_find("solana")->id, .decimals = 6 },
                                  .native = coin } };
    const char *token = coin ? "So11111111111111111111111111111111111111112" : MINT;

    (void)snprintf(p.leaves.token.address, sizeof p.leaves.token.address, "%s", token);
    (void)snprintf(p.leaves.token.symbol, sizeof p.leaves.token.symbol, "%s", coin ? "SOL" : "USDC");
    p.arrives.token = p.leaves.token;
    return p;
}

static struct solana_reading reading_of(const struct plan *p)
{
    struct solana_reading r;

    CHECK(p->count == 1 && solana_step_trade(&r, p, &p->steps[0]) == NULL);
    return r;
}

static bool is_key(const struct solana_tx *tx, const char *text)
{
    const struct solana_addr want = address_of(text);

    for (unsigned i = 0; i < tx->key_count; i++)
        if (solana_addr_eq(&tx->keys[i], &want))
            return true;
    return false;
}

static bool has_blockhash(const struct solana_tx *tx, const char *text)
{
    const struct solana_addr want = address_of(text);

    return memcmp(tx->blockhash, want.bytes, SOLANA_BLOCKHASH_LEN) == 0;
}

static void coin_leaves(void)
{
    struct plan p = plan_of(true);
    struct solana_reading r;

    solana_plan_transfer(&p, a, YOU, u256_from_u64(5));
    r = reading_of(&p);
    CHECK(r.trade.act == TRADE_PAYMENT && u256_cmp(r.trade.amount, u256_from_u64(5)) == 0);
    CHECK_STR(r.trade.recipient, YOU);
    CHECK(r.costs.fee == 5100 && r.costs.rent == 0);
    CHECK(u256_cmp(p.steps[0].value, u256_from_u64(5)) == 0 && p.steps[0].token == NULL);
    CHECK(solana_guard_steps(&p) == NULL);
}

static void token_leaves(void)
{
    struct plan p = plan_of(false);
    struct solana_reading r;

    solana_plan_transfer(&p, a, YOU, u256_from_u64(7));
    r = reading_of(&p);
    CHECK(r.trade.act == TRADE_TRANSFER && u256_cmp(r.trade.amount, u256_from_u64(7)) == 0);
    CHECK_STR(r.trade.recipient, YOU);
    CHECK_STR(r.trade.sell, MINT);
    CHECK(r.costs.fee == 20000 && u256_is_zero(p.steps[0].value));
    CHECK_STR(p.steps[0].token, MINT);
    CHECK(u256_cmp(p.steps[0].token_amount, u256_from_u64(7)) == 0 && solana_guard_steps(&p) == NULL);
}

/* The coin's blockhash, for a recipient that is not there yet; what was found out stays, as does what a
 * simulation has left. */
static void coin_is_completed(void)
{
    struct plan p = plan_of(true);
    struct solana_reading r;

    solana_plan_transfer(&p, a, YOU, U256_ZERO);
    say_hash(HASH);
    say_nothing_held();
    CHECK(solana_transfer_complete(NULL, a, &p) == NULL);
    p.steps[0].gas_limit = 1;
    p.steps[0].expiry = 77;
    solana_plan_transfer(&p, a, YOU, u256_from_u64(9));
    r = reading_of(&p);
    CHECK(has_blockhash(&r.tx, HASH) && u256_cmp(r.trade.amount, u256_from_u64(9)) == 0);
    CHECK(p.steps[0].gas_limit == 1 && p.steps[0].expiry == 77);
}

static void token_is_completed(void)
{
    struct plan p = plan_of(false);
    struct solana_reading r;

    solana_plan_transfer(&p, a, YOU, u256_from_u64(42));
    say_hash(HASH);
    say_held();
    say_account(MINE, &SOLANA_TOKEN_2022, ME, 30);
    buf_addf(&answers, ",");
    say_account(OTHER, &SOLANA_TOKEN_2022, ME, 12);
    say_end();
    CHECK(solana_transfer_complete(NULL, a, &p) == NULL);
    CHECK(u256_cmp(p.leaves.amount, u256_from_u64(30)) == 0);
    solana_plan_transfer(&p, a, YOU, u256_from_u64(29));
    r = reading_of(&p);
    CHECK(has_blockhash(&r.tx, HASH) && u256_cmp(r.trade.amount, u256_from_u64(29)) == 0);
    CHECK(is_key(&r.tx, MINE) && !is_key(&r.tx, OTHER));
    CHECK(is_key(&r.tx, "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"));
    CHECK(solana_guard_steps(&p) == NULL);
}

static unsigned closings_of(const struct solana_reading *r)
{
    struct solana_step s;
    unsigned n = 0;

    for (unsigned i = 0; i < r->tx.instruction_count; i++) {
        solana_step_read(&s, &r->tx.instructions[i], &r->accounts);
        n += s.act == SOLANA_CLOSE;
    }
    return n;
}

/* The wallet's empty accounts that it may close go with the coin, also when the coin's amount is given. */
static void empty_accounts_are_closed_with_the_coin(void)
{
    static const char *const keys[] = { MINE, OTHER, YOU, HASH, MINT, ME };
    const struct shown_account rows[] = {
        { NULL, &SOLANA_TOKEN, ME, 0, 165, IN_USE, false },
        { NULL, &SOLANA_TOKEN_2022, ME, 0, 170, IN_USE, false },
        { NULL, &SOLANA_TOKEN, ME, 1, 165, IN_USE, false },      /* not empty */
        { NULL, &SOLANA_TOKEN, YOU, 0, 165, IN_USE, false },     /* another owner's */
        { NULL, &SOLANA_TOKEN, ME, 0, 165, FROZEN, false },      /* nor may it be closed */
        { NULL, &SOLANA_TOKEN_2022, ME, 0, 182, IN_USE, false }, /* fees may be held back in it */
    };
    struct plan p = plan_of(true);
    struct solana_reading r;

    solana_plan_transfer(&p, a, YOU, U256_ZERO);
    say_hash(HASH);
    say_held();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct shown_account s = rows[i];

        s.key = keys[i];
        buf_adds(&answers, i > 0 ? "," : "");
        say_shown(&s);
    }
    say_held_by_the_other();
    say_shown(&(struct shown_account){ OTHER, &SOLANA_TOKEN_2022, ME, 0, 165, IN_USE, true }); /* by others */
    say_end();
    CHECK(solana_transfer_complete(NULL, a, &p) == NULL);
    solana_plan_transfer(&p, a, YOU, u256_from_u64(9));
    r = reading_of(&p);
    CHECK(closings_of(&r) == 2 && is_key(&r.tx, MINE) && is_key(&r.tx, OTHER));
    CHECK(r.trade.act == TRADE_PAYMENT && u256_cmp(r.trade.amount, u256_from_u64(9)) == 0);
    CHECK(r.costs.fee == 5100 + 2 * 1000 && r.costs.rent == 0 && solana_guard_steps(&p) == NULL);
}

/* As many as fit. */
static void many_are_closed_at_once(void)
{
    struct plan p = plan_of(true);
    struct solana_reading r;

    solana_plan_transfer(&p, a, YOU, U256_ZERO);
    say_hash(HASH);
    say_held();
    for (unsigned i = 0; i < 30; i++) {
        struct solana_addr at = { { 1, (uint8_t)i } };
        char key[SOLANA_ADDR_TEXT_LEN + 1];

        solana_addr_text(key, &at);
        buf_adds(&answers, i > 0 ? "," : "");
        say_account(key, i % 2 > 0 ? &SOLANA_TOKEN : &SOLANA_TOKEN_2022, ME, 0);
    }
    say_held_by_the_other();
    say_end();
    CHECK(solana_transfer_complete(NULL, a, &p) == NULL);
    r = reading_of(&p);
    CHECK(closings_of(&r) == 20 && p.steps[0].data_len <= SOLANA_TX_MAX);
}

static void silence_is_no_answer(void)
{
    struct plan p = plan_of(true);

    solana_plan_transfer(&p, a, YOU, U256_ZERO);
    buf_reset(&answers);
    CHECK(solana_transfer_complete(NULL, a, &p) == &E_UPSTREAM);
    say_hash("x");
    say_nothing_held();
    CHECK(solana_transfer_complete(NULL, a, &p) == &E_UPSTREAM);
}

/* ---- the guard ---- */

static void the_guard_holds_it_to_the_plan(void)
{
    struct plan p = plan_of(false), other;

    solana_plan_transfer(&p, a, YOU, u256_from_u64(7));
    CHECK(solana_guard_steps(&p) == NULL);
    other = p;
    other.recipient = OTHER;
    CHECK_STR(solana_guard_steps(&other), "another recipient");
    other = p;
    other.leaves.amount = u256_from_u64(6);
    CHECK_STR(solana_guard_steps(&other), "another input");
    other = p;
    other.leaves.token = plan_of(true).leaves.token;
    CHECK_STR(solana_guard_steps(&other), "another input");
    other = p;
    other.recipient = NULL; /* a trade was wanted */
    CHECK(solana_guard_steps(&other) != NULL);
    other = p;
    other.arrives.amount = u256_from_u64(1);
    CHECK(solana_guard_steps(&other) != NULL);
}

static void begin(void)
{
    a = arena_new();
}

static void end(void)
{
    buf_free(&answers);
    arena_free(a);
}

TEST_MAIN(TEST(begin), TEST(coin_leaves), TEST(token_leaves), TEST(coin_is_completed),
          TEST(token_is_completed), TEST(empty_accounts_are_closed_with_the_coin),
          TEST(many_are_closed_at_once), TEST(silence_is_no_answer), TEST(the_guard_holds_it_to_the_plan),
          TEST(end))
