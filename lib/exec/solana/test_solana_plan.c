/* Contents of lookup tables become the proof of a step; how long a plan lasts. */
#define node_ask          node_says
#define chain_unavailable nothing_said
#include "exec/solana/solana_plan.c"

#include "chain/solana/test_accounts.h"
#include "venue/test_solana.h"

enum { TABLE_HEADER = 56, ADDRESSES = 3 };

static const struct solana_addr tables[] = { { { 21 } }, { { 22 } } };

static struct arena *a;
static struct solana_state states[2];
static bool silent;
static unsigned asked;
static const char *garbage; /* instead of an answer; NULL: none */
static const char *hash;    /* asked for instead of tables; NULL: they are */

bool node_says(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
               unsigned deadline_ms, struct arena *arena, struct rpc_answers *out)
{
    char first[SOLANA_ADDR_TEXT_LEN + 1];
    struct buf said = BUF_INIT(MAX_UPSTREAM);

    (void)ctx, (void)c, (void)deadline_ms;
    asked++;
    if (hash != NULL) {
        CHECK(strstr(buf_text(batch->out), "getLatestBlockhash") != NULL);
        (void)answer_of(out, arena, hash);
        return true;
    }
    solana_addr_text(first, &tables[0]);
    CHECK(strstr(buf_text(batch->out), first) != NULL && strstr(buf_text(batch->out), "dataSlice") == NULL);
    buf_adds(&said, "{\"context\":{\"slot\":7},\"value\":[");
    add_account(&said, &states[0]);
    buf_addc(&said, ',');
    add_account(&said, &states[1]);
    buf_adds(&said, "]}");
    if (!silent)
        (void)answer_of(out, arena, garbage != NULL ? garbage : buf_text(&said));
    buf_free(&said);
    return !silent;
}

const struct err *nothing_said(const struct ctx *ctx, struct arena *arena, const struct chain *c)
{
    (void)ctx, (void)arena, (void)c;
    return &E_BUSY;
}

/* A table whose addresses begin with 10 * its number, and so on. */
static struct solana_state table(uint8_t number)
{
    struct buf b = BUF_INIT(512);
    struct solana_state s = { .exists = true, .lamports = 1, .program = SOLANA_LOOKUP_TABLES };

    add_number(&b, 1, 4);
    add_number(&b, UINT64_MAX, 8);
    add_zeros(&b, TABLE_HEADER);
    for (uint8_t i = 0; i < ADDRESSES; i++) {
        const struct solana_addr address = { { (uint8_t)(10 * number + i) } };

        add_key(&b, &address);
    }
    s.data = arena_memdup(a, b.data, b.len);
    s.len = b.len;
    buf_free(&b);
    return s;
}

/* A trade that looks up two addresses of the first table, of which it may write to one, and one of the
 * second. */
static struct step step_with_tables(void)
{
    struct buf b = BUF_INIT(SOLANA_TX_MAX);
    struct scene s;
    struct step out = { .kind = TX_SPEND };

    coin_for_token(&s);
    scene_write(&b, &s, &trader);
    CHECK(b.data[b.len - 1] == 0); /* how many tables */
    b.len--;
    buf_addc(&b, 2);
    add_key(&b, &tables[0]);
    buf_add(&b, "\1\2\1\0", 4);
    add_key(&b, &tables[1]);
    buf_add(&b, "\1\1\0", 3);
    out.data = arena_memdup(a, b.data, b.len);
    out.data_len = b.len;
    buf_free(&b);
    return out;
}

static struct step complete(const struct err *want)
{
    struct plan p = { .chain = chain_find("solana"), .count = 1, .leaves.token.address = "sold" };

    p.steps[0] = step_with_tables();
    CHECK(solana_plan_complete(NULL, a, &p) == want);
    return p.steps[0];
}

static void world_begin(void)
{
    states[0] = table(1);
    states[1] = table(2);
    silent = false;
    garbage = NULL;
    asked = 0;
}

/* Writable addresses come first, of all tables. */
static void looked_up_addresses_are_the_proof(void)
{
    static const uint8_t first_bytes[] = { 12, 21, 10 };
    struct step s;

    world_begin();
    s = complete(NULL);
    CHECK(asked == 1 && s.proof_len == sizeof first_bytes * SOLANA_ADDR_LEN);
    for (size_t i = 0; i < sizeof first_bytes && s.proof_len != 0; i++)
        CHECK(s.proof[i * SOLANA_ADDR_LEN] == first_bytes[i]);
}

static void tables_that_are_none(void)
{
    struct solana_state *t = &states[1];
    uint8_t *data;

    for (unsigned flaw = 0; flaw < 4; flaw++) {
        world_begin();
        data = arena_memdup(a, t->data, t->len);
        t->data = data;
        if (flaw == 0)
            t->exists = false;
        else if (flaw == 1)
            t->program = SOLANA_SYSTEM;
        else if (flaw == 2)
            data[4] = 0; /* it is being closed */
        else
            t->len = TABLE_HEADER + SOLANA_ADDR_LEN; /* it has not as many addresses */
        CHECK(complete(NULL).proof_len == 0);
    }
}

static void nodes_that_do_not_tell(void)
{
    world_begin();
    silent = true;
    CHECK(complete(&E_BUSY).proof_len == 0);
    world_begin();
    garbage = "null";
    CHECK(complete(&E_UPSTREAM).proof_len == 0);
    garbage = "{\"context\":{\"slot\":7},\"value\":[null]}";
    CHECK(complete(&E_UPSTREAM).proof_len == 0);
}

static void nothing_to_look_up(void)
{
    struct plan p = { .chain = chain_find("solana"), .count = 2 };
    struct buf b = BUF_INIT(SOLANA_TX_MAX);
    struct scene s;

    world_begin();
    coin_for_token(&s);
    scene_write(&b, &s, &trader);
    p.steps[0] = (struct step){ .data = (const uint8_t *)b.data, .data_len = b.len };
    p.steps[1] = (struct step){ .data = (const uint8_t *)b.data, .data_len = 7 }; /* no transaction */
    CHECK(solana_plan_complete(NULL, a, &p) == NULL && asked == 0);
    CHECK(p.steps[0].proof_len == 0 && p.steps[1].proof_len == 0);
    buf_free(&b);
}

/* A transaction of our own has no blockhash yet. */
static void a_blockhash_that_is_missing(void)
{
    struct plan p = { .chain = chain_find("solana"), .count = 1, .arrives.token.address = "another" };
    struct buf b = BUF_INIT(SOLANA_TX_MAX);
    struct solana_tx tx;
    struct scene s;

    world_begin();
    coin_for_token(&s);
    scene_write(&b, &s, &trader);
    CHECK(solana_tx_read(&tx, (const uint8_t *)b.data, b.len) == NULL);
    b.data[tx.blockhash - (const uint8_t *)b.data] = 0;
    p.steps[0] = (struct step){ .data = (const uint8_t *)b.data, .data_len = b.len };
    hash =
        "{\"context\":{\"slot\":7},\"value\":{\"blockhash\":\"So11111111111111111111111111111111111111112\"}}";
    CHECK(solana_plan_complete(NULL, a, &p) == NULL && asked == 1);
    CHECK(solana_tx_read(&tx, p.steps[0].data, p.steps[0].data_len) == NULL);
    CHECK(memcmp(tx.blockhash, SOLANA_WRAPPED_COIN.bytes, SOLANA_BLOCKHASH_LEN) == 0);
    p.steps[0].data = (const uint8_t *)b.data;
    hash = "{\"context\":{\"slot\":7},\"value\":{\"blockhash\":\"1\"}}";
    CHECK(solana_plan_complete(NULL, a, &p) == &E_UPSTREAM);
    hash = NULL;
    buf_free(&b);
}

/* No longer than a blockhash. */
static void plans_last_no_longer_than_a_blockhash(void)
{
    struct plan p = { .chain = chain_find("solana"), .deadline = clock_seconds() + 1000 };
    int64_t now = clock_seconds();

    CHECK(solana_plan_complete(NULL, a, &p) == NULL);
    CHECK(p.deadline >= now + LIFE_S && p.deadline <= clock_seconds() + LIFE_S);
    p.deadline = now + 5;
    CHECK(solana_plan_complete(NULL, a, &p) == NULL && p.deadline == now + 5);
}

static void costs_are_the_sum_of_all_steps(void)
{
    struct plan p = { .count = 2 };
    struct chain_state st = { .fees.max_fee = u256_from_u64(5000) };
    struct u256 value, fees;
    uint64_t n;

    p.steps[0].value = u256_from_u64(7);
    p.steps[1].value = u256_from_u64(8);
    CHECK(solana_plan_cost(&p, &st, &value, &fees));
    CHECK(u256_to_u64(&n, value) && n == 15 && u256_to_u64(&n, fees) && n == 10000);
    st.fees.max_fee = (struct u256){ { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };
    CHECK(!solana_plan_cost(&p, &st, &value, &fees));
}

/* The guard lets only trades pass; a plan without one is an internal error here. */
static void plans_without_a_trade_are_not_tried(void)
{
    struct plan p = { .chain = chain_find("solana"), .count = 1, .wallet = "no wallet" };
    char wallet[SOLANA_ADDR_TEXT_LEN + 1];
    struct buf b = BUF_INIT(SOLANA_TX_MAX);
    struct chain_state st;
    struct scene s;

    world_begin();
    p.steps[0] = step_with_tables();
    CHECK(solana_plan_try(NULL, a, &p, &st) == &E_INTERNAL && asked == 0);
    p.count = 0;
    CHECK(solana_plan_try(NULL, a, &p, &st) == &E_INTERNAL && asked == 0 && !st.tried);
    /* One is tried as it stands, and two are not. */
    coin_for_token(&s);
    scene_write(&b, &s, &trader);
    solana_addr_text(wallet, &trader);
    p = (struct plan){ .chain = p.chain, .count = 2, .wallet = wallet };
    p.steps[0] = p.steps[1] = (struct step){ .data = (const uint8_t *)b.data, .data_len = b.len };
    CHECK(solana_plan_try(NULL, a, &p, &st) == &E_INTERNAL && asked == 0);
    buf_free(&b);
}

int main(void)
{
    static const struct test_case cases[] = { TEST(looked_up_addresses_are_the_proof),
                                              TEST(tables_that_are_none),
                                              TEST(nodes_that_do_not_tell),
                                              TEST(nothing_to_look_up),
                                              TEST(a_blockhash_that_is_missing),
                                              TEST(plans_last_no_longer_than_a_blockhash),
                                              TEST(costs_are_the_sum_of_all_steps),
                                              TEST(plans_without_a_trade_are_not_tried) };
    int failed;

    a = arena_new();
    failed = test_run(cases, sizeof cases / sizeof cases[0]);
    arena_free(a);
    return failed;
}
