/* Transactions in a simulation, before a node whose chain is a handful of accounts. */
#define changes_block_for block_kept
#define node_ask          world_answers
#define node_ask_all      nodes_answer
#define chain_unavailable world_is_silent
#include "exec/solana/solana_tx_simulation.c"

#include "chain/solana/solana_dialect.h"
#include "chain/solana/test_accounts.h"
#include "venue/test_solana.h"

enum {
    COIN = 500000000, /* of the wallet */
    HAD = 50,         /* of each token */
    GAIN = MINIMUM + 3,
    RENT = 2039280,
    LAST_BLOCK = 3090,
    SLOT = 2792,
};

/* The wallet's accounts, and an account of a third token that a trade may write to. */
enum { WALLET, WRAPPED, TOKEN, BYSTANDER, PLACES };

static const struct solana_addr third_mint = { { 5 } }, third_account = { { 6 } };

static struct arena *a;

bool block_kept(const struct ctx *ctx, struct arena *arena, const struct plan *p, uint64_t *block)
{
    (void)ctx, (void)arena, (void)p;
    *block = 0;
    return true;
}

static struct {
    struct solana_addr key;
    struct solana_state before, after;
} world[PLACES];
static const char *tx_simulation_says, *validity_says, *height_says; /* instead of what they say; NULL */
static const char *heights_say[NODE_OPINIONS]; /* two results of each node; NULL: it is silent */
static unsigned asked, silent_from, trials;
static const char *other_says; /* of the simulation; NULL: there is no other node */
static int other_slot;

static void add_state(struct buf *out, const json_t *key, bool after)
{
    struct solana_state none = { .exists = false };
    const struct solana_state *s = &none;
    struct solana_addr wanted;

    CHECK(solana_addr_parse(&wanted, json_string_value(key)));
    for (unsigned i = 0; i < PLACES; i++)
        if (solana_addr_eq(&wanted, &world[i].key))
            s = after ? &world[i].after : &world[i].before;
    add_account(out, s);
}

static void add_states(struct buf *out, const json_t *keys, bool after)
{
    const json_t *key;
    size_t i;

    buf_addc(out, '[');
    json_array_foreach(keys, i, key)
    {
        buf_adds(out, i > 0 ? "," : "");
        add_state(out, key, after);
    }
    buf_addc(out, ']');
}

static void add_tx_simulation(struct buf *out, const json_t *params)
{
    const json_t *options = json_array_get(params, 1);

    CHECK(json_is_false(json_object_get(options, "replaceRecentBlockhash")));
    CHECK(json_is_false(json_object_get(options, "sigVerify")));
    buf_adds(out, "{\"err\":null,\"logs\":[],\"accounts\":");
    add_states(out, json_object_get(json_object_get(options, "accounts"), "addresses"), true);
    buf_addc(out, '}');
}

static void add_value(struct buf *out, const char *method, const json_t *params)
{
    if (strcmp(method, "getMultipleAccounts") == 0)
        add_states(out, json_array_get(params, 0), false);
    else if (strcmp(method, "simulateTransaction") == 0 && tx_simulation_says == NULL)
        add_tx_simulation(out, params);
    else if (strcmp(method, "simulateTransaction") == 0)
        buf_adds(out, tx_simulation_says);
    else if (strcmp(method, "isBlockhashValid") == 0)
        buf_adds(out, validity_says);
    else
        buf_adds(out, height_says);
}

static void add_answer(struct buf *out, const json_t *item)
{
    buf_addf(out, "{\"id\":%lld,\"result\":{\"context\":{\"slot\":%d},\"value\":",
             json_integer_value(json_object_get(item, "id")), SLOT);
    add_value(out, json_string_value(json_object_get(item, "method")), json_object_get(item, "params"));
    buf_adds(out, "}}");
}

bool world_answers(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
                   unsigned deadline_ms, struct arena *arena, struct rpc_answers *out)
{
    json_t *items = json_loadb(batch->out->data, batch->out->len, 0, NULL);
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    const json_t *item;
    bool ok = asked++ < silent_from;
    size_t i;

    (void)ctx, (void)c, (void)deadline_ms;
    CHECK(json_array_size(items) == batch->count);
    buf_addc(&body, '[');
    json_array_foreach(items, i, item)
    {
        buf_adds(&body, i > 0 ? "," : "");
        add_answer(&body, item);
    }
    buf_addc(&body, ']');
    if (ok)
        CHECK(rpc_read(out, arena, &body, batch->count, solana_dialect.classify));
    buf_free(&body);
    json_decref(items);
    return ok;
}

static bool heights_answer(struct rpc_answers *out, struct arena *arena, const char *results)
{
    struct buf body = BUF_INIT(1024);

    if (results != NULL) {
        buf_adds(&body, results);
        CHECK(rpc_read(out, arena, &body, 2, solana_dialect.classify));
    }
    buf_free(&body);
    return results != NULL;
}

static bool tx_simulation_answer(struct rpc_answers *out, struct arena *arena)
{
    struct buf body = BUF_INIT(1024);

    buf_addf(&body, "[{\"id\":0,\"result\":{\"context\":{\"slot\":%d},\"value\":%s}}]", other_slot,
             other_says);
    CHECK(rpc_read(out, arena, &body, 1, solana_dialect.classify));
    buf_free(&body);
    return true;
}

/* The simulation's, how high each of two nodes says that the chain is, and another node's simulation. */
void nodes_answer(const struct ctx *ctx, struct node_query *queries, size_t count, unsigned deadline_ms,
                  struct arena *arena)
{
    CHECK(count == 2 + NODE_OPINIONS && queries[1].order == NODE_FIRST_ALONE &&
          queries[2].order == NODE_OTHERS && queries[3].apart == &queries[0]);
    trials++;
    queries[0].answered =
        world_answers(ctx, queries[0].chain, queries[0].batch, deadline_ms, arena, &queries[0].answers);
    for (size_t i = 0; i < NODE_OPINIONS; i++)
        queries[1 + i].answered = heights_answer(&queries[1 + i].answers, arena, heights_say[i]);
    if (other_says != NULL)
        queries[3].answered = tx_simulation_answer(&queries[3].answers, arena);
}

const struct err *world_is_silent(const struct ctx *ctx, struct arena *arena, const struct chain *c)
{
    (void)ctx, (void)arena, (void)c;
    return &E_UPSTREAM;
}

/* ---- the fake world ---- */

static struct solana_state coin(uint64_t lamports)
{
    return (struct solana_state){ .exists = true, .lamports = lamports, .program = SOLANA_SYSTEM };
}

static struct solana_state kept(const struct cached_token *t, uint64_t lamports)
{
    struct buf b = BUF_INIT(512);
    struct solana_state s = {
        .exists = true, .lamports = lamports, .program = SOLANA_TOKEN, .len = SOLANA_TOKEN_ACCOUNT_LEN
    };

    add_token(&b, t);
    s.data = arena_memdup(a, b.data, b.len);
    buf_free(&b);
    return s;
}

static struct solana_state token(const struct solana_addr *mint, uint64_t amount)
{
    const struct cached_token t = { mint, &trader, amount, .state = KEPT_IN_USE };

    return kept(&t, RENT);
}

static struct solana_state wrapped(uint64_t amount)
{
    const struct cached_token t = { &SOLANA_WRAPPED_COIN, &trader, amount, .state = KEPT_IN_USE };

    return kept(&t, RENT + amount);
}

static void world_begin(void)
{
    const struct solana_state none = { .exists = false };

    world[WALLET].key = trader;
    world[WRAPPED].key = held(&trader, &SOLANA_WRAPPED_COIN);
    world[TOKEN].key = held(&trader, &some_mint);
    world[BYSTANDER].key = third_account;
    world[WALLET].before = world[WALLET].after = coin(COIN);
    world[WRAPPED].before = world[WRAPPED].after = none;
    world[TOKEN].before = world[TOKEN].after = token(&some_mint, HAD);
    world[BYSTANDER].before = world[BYSTANDER].after = token(&third_mint, HAD);
    tx_simulation_says = NULL;
    validity_says = "true";
    height_says = "{\"blockhash\":\"11111111111111111111111111111111\",\"lastValidBlockHeight\":3090}";
    heights_say[0] = heights_say[1] = NULL;
    asked = 0;
    silent_from = 100;
}

/* ---- trades ---- */

struct result {
    const struct err *e;
    struct chain_state st;
    struct step step;
    uint64_t fee, rent;
};

static struct result try_for(const struct scene *s, const char *recipient)
{
    struct buf bytes = BUF_INIT(SOLANA_TX_MAX);
    struct result out = { .e = NULL };
    struct solana_reading r;
    char wallet[SOLANA_ADDR_TEXT_LEN + 1];
    struct plan p = { .chain = chain_find("solana"), .wallet = wallet, .count = 1, .recipient = recipient };

    scene_write(&bytes, s, &trader);
    solana_addr_text(wallet, &trader);
    solana_addr_text(p.leaves.token.address, &some_mint);
    p.steps[0].data = (const uint8_t *)bytes.data;
    p.steps[0].data_len = bytes.len;
    CHECK(solana_step_trade(&r, &p, &p.steps[0]) == NULL);
    out.e = solana_tx_simulation(NULL, a, &p, &r, &out.st);
    out.step = p.steps[0];
    out.fee = r.costs.fee;
    out.rent = r.costs.rent;
    buf_free(&bytes);
    return out;
}

static struct result try_scene(const struct scene *s)
{
    return try_for(s, NULL);
}

/* The result of the simulation after a change of the world. */
static struct result try_after(void (*make)(struct scene *s), void (*change)(void))
{
    struct scene s;

    world_begin();
    make(&s);
    change();
    return try_scene(&s);
}

static bool is(struct u256 v, uint64_t want)
{
    return u256_cmp(v, u256_from_u64(want)) == 0;
}

static bool went_well(const struct result *r)
{
    return r->e == NULL && r->st.tried && r->st.revert == NULL;
}

/* Coin for the token; the route may write to the account of the third one. */
static void buy(struct scene *s)
{
    const struct solana_addr from = held(&trader, &SOLANA_WRAPPED_COIN), to = held(&trader, &some_mint);

    *s = (struct scene){ .count = 0 };
    open_for(s, &trader, &SOLANA_WRAPPED_COIN);
    pay_coin(s, &from, IN);
    open_for(s, &trader, &some_mint);
    route(s, &from, &to, &SOLANA_WRAPPED_COIN, &some_mint, IN, QUOTED);
    account_add(s, &third_account, false, true);
    close_to(s, &from, &trader);
}

/* The other way; the token is the sold token then. */
static void sell(struct scene *s)
{
    const struct solana_addr to = held(&trader, &SOLANA_WRAPPED_COIN), from = held(&trader, &some_mint);

    *s = (struct scene){ .count = 0 };
    open_for(s, &trader, &SOLANA_WRAPPED_COIN);
    route(s, &from, &to, &some_mint, &SOLANA_WRAPPED_COIN, HAD, QUOTED);
    account_add(s, &third_account, false, true);
    close_to(s, &to, &trader);
}

/* The wrapped coin for the token, as it is. */
static void sell_wrapped(struct scene *s)
{
    const struct solana_addr from = held(&trader, &SOLANA_WRAPPED_COIN), to = held(&trader, &some_mint);

    *s = (struct scene){ .count = 0 };
    route(s, &from, &to, &SOLANA_WRAPPED_COIN, &some_mint, IN, QUOTED);
}

static void wrap(struct scene *s)
{
    *s = (struct scene){ .count = 0 };
    wrapping(s, IN);
}

static void unwrap(struct scene *s)
{
    unwrapping(s, IN, 0);
}

static void unwrap_part(struct scene *s)
{
    unwrapping(s, IN + 7, 7);
}

enum { FEE = 5000 };

static void token_is_bought(void)
{
    world[WALLET].after = coin(COIN - IN - FEE);
    world[TOKEN].after = token(&some_mint, HAD + GAIN);
}

static void account_is_opened(void)
{
    world[WALLET].after = coin(COIN - IN - FEE - RENT);
    world[TOKEN].before.exists = false;
    world[TOKEN].after = token(&some_mint, GAIN);
}

static void account_is_opened_with_more(void)
{
    account_is_opened();
    world[WALLET].after = coin(COIN - IN - FEE - RENT - 1);
    world[TOKEN].after.lamports = RENT + 1;
}

static void wrapped_stays_open(void)
{
    token_is_bought();
    world[WALLET].after = coin(COIN - IN - FEE - RENT);
    world[WRAPPED].after = wrapped(0);
}

static void wrapped_is_used(void)
{
    token_is_bought();
    world[WALLET].after = coin(COIN - IN - FEE + 77);
    world[WRAPPED].before = wrapped(77);
    world[WRAPPED].after = wrapped(0);
}

static void coin_is_bought(void)
{
    world[WALLET].after = coin(COIN - FEE + GAIN);
    world[TOKEN].after = token(&some_mint, 0);
}

static void all_is_unwrapped(void)
{
    world[WRAPPED].before = wrapped(77);
    world[WALLET].after = coin(COIN - FEE + GAIN + RENT + 77);
    world[TOKEN].after = token(&some_mint, 0);
}

static void wrapped_is_sold(void)
{
    world[WALLET].after = coin(COIN - FEE);
    world[WRAPPED].before = wrapped(IN + 1);
    world[WRAPPED].after = wrapped(1);
    world[TOKEN].after = token(&some_mint, HAD + GAIN);
}

static void coin_is_wrapped(void)
{
    world[WALLET].after = coin(COIN - IN - FEE - RENT);
    world[WRAPPED].after = wrapped(IN);
}

static void coin_is_unwrapped(void)
{
    world[WALLET].after = coin(COIN + IN - FEE + RENT);
    world[WRAPPED].before = wrapped(IN);
}

static void part_is_unwrapped(void)
{
    world[WALLET].after = coin(COIN + IN - FEE);
    world[WRAPPED].before = wrapped(IN + 7);
    world[WRAPPED].after = wrapped(7);
}

/* More than fees is gone. */
static void coin_is_lost(void)
{
    coin_is_unwrapped();
    world[WALLET].after = coin(COIN + IN + RENT - FEE - 1);
}

static void wrapping_and_unwrapping_pass(void)
{
    struct result r = try_after(wrap, coin_is_wrapped);

    CHECK(went_well(&r) && is(r.st.arrives, IN) && is(r.st.fees.max_fee, FEE));
    r = try_after(unwrap, coin_is_unwrapped);
    CHECK(went_well(&r) && is(r.st.arrives, IN) && is(r.st.fees.max_fee, FEE));
    r = try_after(unwrap_part, part_is_unwrapped);
    CHECK(went_well(&r) && is(r.st.arrives, IN));
    r = try_after(unwrap, coin_is_lost);
    CHECK(!went_well(&r));
}

static void arrivals_and_costs_are_read(void)
{
    struct result r = try_after(buy, token_is_bought);

    CHECK(went_well(&r) && is(r.st.arrives, GAIN) && is(r.st.fees.max_fee, FEE) && r.fee == FEE);
    CHECK(is(r.st.native_balance, COIN) && is(r.st.token_balance, HAD) && r.st.block == SLOT);
    CHECK(r.step.expiry == LAST_BLOCK + 32 && r.step.gas_limit == 1);

    /* The deposit of a new account is a cost, and neither lost nor arrived. */
    r = try_after(buy, account_is_opened);
    CHECK(went_well(&r) && is(r.st.arrives, GAIN) && is(r.st.fees.max_fee, FEE + RENT));
    r = try_after(buy, wrapped_stays_open);
    CHECK(went_well(&r) && is(r.st.arrives, GAIN) && is(r.st.fees.max_fee, FEE));

    r = try_after(buy, wrapped_is_used);
    CHECK(went_well(&r) && is(r.st.arrives, GAIN) && is(r.st.fees.max_fee, FEE));

    r = try_after(sell, coin_is_bought);
    CHECK(went_well(&r) && is(r.st.arrives, GAIN) && is(r.st.fees.max_fee, FEE));
    r = try_after(sell, all_is_unwrapped);
    CHECK(went_well(&r) && is(r.st.arrives, GAIN));

    r = try_after(sell_wrapped, wrapped_is_sold);
    CHECK(went_well(&r) && is(r.st.arrives, GAIN));
}

/* ---- other effects of a transaction ---- */

static void coin_is_taken(void)
{
    token_is_bought();
    world[WALLET].after.lamports--;
}

static void wallet_is_emptied(void)
{
    token_is_bought();
    world[WALLET].after.exists = false;
}

static void wrapped_coin_is_taken(void)
{
    token_is_bought();
    world[WRAPPED].before = wrapped(77);
}

static void coin_of_an_opened_account_is_taken(void)
{
    account_is_opened();
    world[TOKEN].after.lamports--;
}

static void wallet_gets_a_program(void)
{
    token_is_bought();
    world[WALLET].after.program = outsider;
}

static void wallet_gets_data(void)
{
    static const uint8_t data[1];

    token_is_bought();
    world[WALLET].after.data = data;
    world[WALLET].after.len = sizeof data;
}

static void third_token_is_taken(void)
{
    token_is_bought();
    world[BYSTANDER].after = token(&third_mint, HAD - 1);
}

static void third_account_changes(const struct cached_token *after)
{
    token_is_bought();
    world[BYSTANDER].after = kept(after, RENT);
}

static void third_account_goes(void)
{
    const struct cached_token t = { &third_mint, &outsider, HAD, .state = KEPT_IN_USE };

    third_account_changes(&t);
}

static void third_account_is_closed(void)
{
    token_is_bought();
    world[BYSTANDER].after = coin(0);
}

static void delegate_is_set(void)
{
    const struct cached_token t = { &third_mint,           &trader,        HAD,
                                    .delegate = &outsider, .delegated = 1, .state = KEPT_IN_USE };

    third_account_changes(&t);
}

static void delegate_may_take_more(void)
{
    const struct cached_token t = { &third_mint,           &trader,        HAD,
                                    .delegate = &outsider, .delegated = 1, .state = KEPT_IN_USE };

    delegate_is_set();
    world[BYSTANDER].before = kept(&t, RENT);
    third_account_changes(
        &(struct cached_token){ t.mint, t.owner, HAD, t.delegate, .delegated = 2, .state = KEPT_IN_USE });
}

static void closer_is_set(void)
{
    const struct cached_token t = { &third_mint, &trader, HAD, .closer = &outsider, .state = KEPT_IN_USE };

    third_account_changes(&t);
}

static void closer_is_another(void)
{
    const struct cached_token t = { &third_mint, &trader, HAD, .closer = &some_mint, .state = KEPT_IN_USE };

    closer_is_set();
    world[BYSTANDER].before = kept(&t, RENT);
}

static void mint_is_another(void)
{
    token_is_bought();
    world[BYSTANDER].after = token(&outsider, HAD);
}

static void account_is_frozen(void)
{
    const struct cached_token t = { &some_mint, &trader, HAD + GAIN, .state = KEPT_FROZEN };

    token_is_bought();
    world[TOKEN].after = kept(&t, RENT);
}

static void opened_account_is_delegated(void)
{
    const struct cached_token t = { &some_mint,          &trader, GAIN, .delegate = &outsider, .delegated = 1,
                                    .state = KEPT_IN_USE };

    account_is_opened();
    world[TOKEN].after = kept(&t, RENT);
}

static void opened_account_is_closable(void)
{
    const struct cached_token t = { &some_mint, &trader, GAIN, .closer = &outsider, .state = KEPT_IN_USE };

    account_is_opened();
    world[TOKEN].after = kept(&t, RENT);
}

static void more_is_sold(void)
{
    world[TOKEN].before = token(&some_mint, HAD + 1);
    coin_is_bought();
}

static void more_wrapped_is_sold(void)
{
    wrapped_is_sold();
    world[WRAPPED].after = wrapped(0);
    world[WALLET].after.lamports++;
}

static void coin_goes_with_the_wrapped(void)
{
    wrapped_is_sold();
    world[WALLET].after.lamports--;
}

static void tx_simulations_with_other_losses_fail(void)
{
    static const struct {
        void (*make)(struct scene *s);
        void (*change)(void);
        const char *why;
    } rows[] = {
        { buy, coin_is_taken, "more coin than is sold" },
        { buy, wallet_is_emptied, "more coin than is sold" },
        { buy, wrapped_coin_is_taken, "more coin than is sold" },
        { buy, coin_of_an_opened_account_is_taken, "more coin than is sold" },
        { buy, wallet_gets_a_program, "the wallet is taken away" },
        { buy, account_is_opened_with_more, "a new account holds more than it has to" },
        { buy, wallet_gets_data, "the wallet is taken away" },
        { buy, third_token_is_taken, "a token is taken that is not sold" },
        { buy, third_account_goes, "an account is taken away" },
        { buy, third_account_is_closed, "an account is taken away" },
        { buy, delegate_is_set, "another account gets rights over an account" },
        { buy, delegate_may_take_more, "another account gets rights over an account" },
        { buy, closer_is_set, "another account gets rights over an account" },
        { buy, closer_is_another, "another account gets rights over an account" },
        { buy, mint_is_another, "another account gets rights over an account" },
        { buy, account_is_frozen, "an account is frozen" },
        { buy, opened_account_is_delegated, "another account may take what arrives" },
        { buy, opened_account_is_closable, "another account may take what arrives" },
        { sell, more_is_sold, "more than is sold" },
        { sell_wrapped, more_wrapped_is_sold, "more than is sold" },
        { sell_wrapped, coin_goes_with_the_wrapped, "more coin than is sold" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct result r = try_after(rows[i].make, rows[i].change);

        CHECK(r.e == NULL && !r.st.tried);
        CHECK_STR(r.st.revert, rows[i].why);
    }
}

static void nothing_arrives(void)
{
    world[WALLET].after = coin(COIN - IN - FEE);
    world[TOKEN].after = token(&some_mint, HAD - 1);
}

/* The minimum is the plan's to compare with. */
static void arrivals_may_be_zero(void)
{
    struct result r = try_after(buy, nothing_arrives);

    CHECK(r.e == NULL && is(r.st.arrives, 0));
}

/* ---- the coin is given away, with what emptied accounts hold ---- */

static void accounts_are_closed(void)
{
    world[WALLET].after = coin(COIN - FEE);
    world[WRAPPED].before = wrapped(0);
    world[WRAPPED].after = world[TOKEN].after = (struct solana_state){ .exists = false };
    world[TOKEN].before = token(&some_mint, 0);
    world[BYSTANDER].before = (struct solana_state){ .exists = false };
    world[BYSTANDER].after = coin(2 * (uint64_t)RENT); /* the recipient */
}

static void wrapped_coin_goes_along(void)
{
    accounts_are_closed();
    world[WRAPPED].before = wrapped(1);
}

static void token_goes_along(void)
{
    accounts_are_closed();
    world[TOKEN].before = token(&some_mint, 1);
}

static void coin_goes_along(void)
{
    accounts_are_closed();
    world[WALLET].after.lamports--;
}

static struct result try_closing(void (*change)(void))
{
    const struct solana_addr wrapped_account = held(&trader, &SOLANA_WRAPPED_COIN),
                             token_account = held(&trader, &some_mint);
    struct scene s = { .count = 0 };

    world_begin();
    change();
    close_to(&s, &wrapped_account, &third_account);
    close_to(&s, &token_account, &third_account);
    pay_coin(&s, &third_account, 0);
    return try_for(&s, "the third");
}

static void only_empty_accounts_close_with_the_coin(void)
{
    struct result r = try_closing(accounts_are_closed);

    CHECK(went_well(&r) && is(r.st.fees.max_fee, FEE));
    r = try_closing(wrapped_coin_goes_along);
    CHECK_STR(r.st.revert, "an account is taken away");
    r = try_closing(token_goes_along);
    CHECK_STR(r.st.revert, "an account is taken away");
    r = try_closing(coin_goes_along);
    CHECK_STR(r.st.revert, "more coin than is sold");
}

/* ---- a node's answers ---- */

static void tx_simulations_that_fail(void)
{
    static const struct {
        const char *says;
        bool told, price_moved, short_of_coin;
        const char *advice; /* its first words; NULL: none of its own */
    } rows[] = {
        { "{\"err\":{\"InstructionError\":[3,{\"Custom\":6001}]},\"accounts\":null}", true, true, false,
          NULL },
        { "{\"err\":{\"InstructionError\":[3,{\"Custom\":6024}]}}", true, false, false, "A program" },
        { "{\"err\":{\"InsufficientFundsForRent\":{\"account_index\":0}}}", true, false, true, "Too close" },
        { "{\"err\":{\"InsufficientFundsForRent\":{\"account_index\":2}}}", true, false, true, NULL },
        { "{\"err\":\"InsufficientFundsForFee\"}", true, false, true, NULL },
        { "{\"err\":\"AccountNotFound\"}", true, false, true, NULL },
        { "{\"err\":\"ProgramAccountNotFound\"}", true, false, false, "A program" },
        { "{\"accounts\":[]}", false, false, false, NULL },
        { "{\"err\":null,\"accounts\":null}", false, false, false, NULL },
        { "{\"err\":null,\"accounts\":[null,null]}", false, false, false, NULL },
        { "{\"err\":null,\"accounts\":[null,null,null,{}]}", false, false, false, NULL },
        { "{\"err\":null,\"accounts\":[null,null,null,null,null]}", false, false, false, NULL },
        { "null", false, false, false, NULL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        struct result r;

        world_begin();
        buy(&s);
        tx_simulation_says = rows[i].says;
        r = try_scene(&s);
        CHECK(r.e == (rows[i].told ? NULL : &E_UPSTREAM) && !r.st.tried);
        CHECK(!rows[i].told || (r.st.revert != NULL && is(r.st.fees.max_fee, r.fee + r.rent)));
        CHECK(r.st.price_moved == rows[i].price_moved && r.st.short_of_coin == rows[i].short_of_coin);
        CHECK(!rows[i].told || (r.st.advice != NULL) == (rows[i].advice != NULL));
        CHECK(rows[i].advice == NULL || strncmp(r.st.advice, rows[i].advice, strlen(rows[i].advice)) == 0);
    }
}

/* Whether it will ever be taken is known by its blockhash alone. */
static void blockhashes(void)
{
    static const struct {
        const char *validity, *height;
    } rows[] = {
        { "false", "{\"lastValidBlockHeight\":3090}" },
        { "null", "{\"lastValidBlockHeight\":3090}" },
        { "\"true\"", "{\"lastValidBlockHeight\":3090}" },
        { "true", "{\"lastValidBlockHeight\":\"3090\"}" },
        { "true", "{\"lastValidBlockHeight\":-1}" },
        { "true", "{}" },
        { "true", "null" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;

        world_begin();
        buy(&s);
        token_is_bought();
        validity_says = rows[i].validity;
        height_says = rows[i].height;
        CHECK(try_scene(&s).e == &E_UPSTREAM);
    }
}

#define HEIGHTS(final, last)                                                                                 \
    "[{\"id\":0,\"result\":{\"absoluteSlot\":9,\"blockHeight\":" final                                       \
    "}},{\"id\":1,\"result\":{\"context\":{\"slot\":9},\"value\":{\"lastValidBlockHeight\":" last "}}}]"

/* The latest of all words, with 32 blocks by which a node may be ahead; 0: they cannot all be true. */
static void expiries_take_the_latest_height(void)
{
    static const struct {
        const char *last, *first, *second;
        uint64_t expiry;
    } rows[] = {
        { "3090", NULL, NULL, 3122 },
        { "3090", HEIGHTS("2900", "3085"), NULL, 3122 },
        { "3090", HEIGHTS("2900", "3085"), HEIGHTS("2900", "3091"), 3123 },
        { "3090", HEIGHTS("2990", "3085"), NULL, 3172 }, /* 150 behind what another has as final */
        { "3090", NULL, HEIGHTS("2990", "0"), 3172 },
        { "1", HEIGHTS("1", "1"), HEIGHTS("2940", "3090"), 0 },
        { "1", HEIGHTS("2940", "3090"), HEIGHTS("1", "1"), 0 },
        { "3090", HEIGHTS("2940", "3090"), HEIGHTS("1", "1"), 0 },
        { "3090", HEIGHTS("2940", "3090"), HEIGHTS("1000000000", "1000000150"), 0 },
        { "3090", HEIGHTS("2940", "3090"), HEIGHTS("9223372036854775807", "1"), 0 },
        { "1590", HEIGHTS("2940", "3090"), NULL, 3122 }, /* 1500 are not too many */
        { "1589", HEIGHTS("2940", "3090"), NULL, 0 },
        /* what cannot be read says nothing */
        { "3090", HEIGHTS("-1", "9999"), HEIGHTS("\"2940\"", "9999"), 3122 },
        { "3090", HEIGHTS("9223372036854775808", "1"), HEIGHTS("1", "null"), 3122 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        struct result r;

        world_begin();
        buy(&s);
        token_is_bought();
        height_says = arena_printf(a, "{\"lastValidBlockHeight\":%s}", rows[i].last);
        heights_say[0] = rows[i].first;
        heights_say[1] = rows[i].second;
        r = try_scene(&s);
        CHECK(r.e == (rows[i].expiry == 0 ? &E_UPSTREAM : NULL));
        CHECK(rows[i].expiry == 0 || r.step.expiry == rows[i].expiry);
    }
}

static void whether_it_goes_through_is_not_one_nodes_word(void)
{
    static const char PASSES[] = "{\"err\":null,\"accounts\":[]}",
                      FAILS[] = "{\"err\":{\"InstructionError\":[3,{\"Custom\":6024}]}}";
    static const struct {
        const char *first, *other; /* NULL: it passes, with all that it shows */
        int behind;
        bool disputed;
    } rows[] = {
        { NULL, PASSES, 0, false },
        { FAILS, FAILS, 0, false },
        { NULL, FAILS, 0, true },
        { FAILS, PASSES, 0, true },
        { FAILS, PASSES, -1, true },
        /* one that lags, or says nothing of it, decides nothing */
        { NULL, FAILS, 1, false },
        { FAILS, PASSES, 1, false },
        { NULL, "{\"err\":\"BlockhashNotFound\"}", 0, false },
        { NULL, "{\"accounts\":[]}", 0, false },
        { NULL, "null", 0, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        struct result r;

        world_begin();
        buy(&s);
        token_is_bought();
        tx_simulation_says = rows[i].first;
        other_says = rows[i].other;
        other_slot = SLOT - rows[i].behind;
        trials = 0;
        r = try_scene(&s);
        CHECK((r.e != NULL) == rows[i].disputed && trials == (rows[i].disputed ? 1 + TRIES_MORE : 1));
        CHECK(rows[i].disputed || r.st.tried == (rows[i].first == NULL));
    }
    other_says = NULL;
}

static void silence(void)
{
    for (unsigned n = 0; n < 3; n++) {
        struct scene s;

        world_begin();
        buy(&s);
        token_is_bought();
        silent_from = n;
        CHECK(try_scene(&s).e == (n < 2 ? &E_UPSTREAM : NULL) && asked == (n < 1 ? 1 : 2));
    }
}

int main(void)
{
    static const struct test_case cases[] = { TEST(arrivals_and_costs_are_read),
                                              TEST(wrapping_and_unwrapping_pass),
                                              TEST(tx_simulations_with_other_losses_fail),
                                              TEST(arrivals_may_be_zero),
                                              TEST(only_empty_accounts_close_with_the_coin),
                                              TEST(tx_simulations_that_fail),
                                              TEST(blockhashes),
                                              TEST(expiries_take_the_latest_height),
                                              TEST(whether_it_goes_through_is_not_one_nodes_word),
                                              TEST(silence) };
    int failed;

    a = arena_new();
    failed = test_run(cases, sizeof cases / sizeof cases[0]);
    arena_free(a);
    return failed;
}
