#include "exec/solana/guard.c"

#include "venue/test_solana.h"

/* Coin for the token of `some_mint`, or what a test made of it; the step's bytes are in `bytes`. */
struct offer {
    struct plan plan;
    struct buf bytes;
    char wallet[SOLANA_ADDR_TEXT_LEN + 1], other[SOLANA_ADDR_TEXT_LEN + 1];
};

static struct plan_amount so_much(const struct solana_addr *mint, const char *symbol, uint64_t amount)
{
    struct plan_amount out = { .token.chain_id = chain_find("solana")->id, .amount = u256_from_u64(amount) };

    snprintf(out.token.symbol, sizeof out.token.symbol, "%s", symbol);
    solana_addr_text(out.token.address, mint);
    return out;
}

static void offer_begin(struct offer *o, const struct scene *s)
{
    *o = (struct offer){ .bytes = BUF_INIT(SOLANA_TX_MAX) };
    scene_write(&o->bytes, s, &trader);
    solana_addr_text(o->wallet, &trader);
    solana_addr_text(o->other, &outsider);
    o->plan = (struct plan){ .chain = chain_find("solana"),
                             .wallet = o->wallet,
                             .count = 1,
                             .leaves = so_much(&SOLANA_WRAPPED_COIN, "SOL", IN),
                             .arrives = so_much(&some_mint, "", MINIMUM) };
    o->plan.leaves.native = true;
    o->plan.steps[0] = (struct step){ .kind = TX_SPEND,
                                      .data = (const uint8_t *)o->bytes.data,
                                      .data_len = o->bytes.len,
                                      .value = u256_from_u64(IN) };
}

/* What the guard says to it, after a change; "": nothing. */
static const char *verdict_on(const struct scene *s, void (*change)(struct offer *o))
{
    struct offer o;
    const char *why;

    offer_begin(&o, s);
    if (change != NULL)
        change(&o);
    why = solana_guard_steps(&o.plan);
    buf_free(&o.bytes);
    return why == NULL ? "" : why;
}

static const char *changed(void (*change)(struct offer *o))
{
    struct scene s;

    coin_for_token(&s);
    return verdict_on(&s, change);
}

static void sells_more(struct offer *o)
{
    o->plan.leaves.amount = u256_from_u64(IN + 1);
}

static void sells_less(struct offer *o)
{
    o->plan.leaves.amount = u256_from_u64(IN - 1);
}

static void sells_wrapped_coin(struct offer *o)
{
    o->plan.leaves = so_much(&SOLANA_WRAPPED_COIN, "WSOL", IN);
}

static void sells_a_token(struct offer *o)
{
    o->plan.leaves = so_much(&some_mint, "", IN);
}

static void buys_another(struct offer *o)
{
    o->plan.arrives = so_much(&outsider, "", MINIMUM);
}

static void buys_coin(struct offer *o)
{
    o->plan.arrives = so_much(&SOLANA_WRAPPED_COIN, "SOL", MINIMUM);
}

static void wants_more(struct offer *o)
{
    o->plan.arrives.amount = u256_from_u64(MINIMUM + 1);
}

static void wants_less(struct offer *o)
{
    o->plan.arrives.amount = u256_from_u64(MINIMUM - 1);
}

static void has_no_value(struct offer *o)
{
    o->plan.steps[0].value = U256_ZERO;
}

static void has_more_value(struct offer *o)
{
    o->plan.steps[0].value = u256_from_u64(IN + 1);
}

static void is_for_another_wallet(struct offer *o)
{
    o->plan.wallet = o->other;
}

static void pays_another_wallet(struct offer *o)
{
    o->plan.recipient = o->other;
}

static void has_a_proof_of_nothing(struct offer *o)
{
    static const uint8_t key[SOLANA_ADDR_LEN];

    o->plan.steps[0].proof = key;
    o->plan.steps[0].proof_len = sizeof key;
}

static void is_cut_off(struct offer *o)
{
    o->plan.steps[0].data_len--;
}

static void comes_twice(struct offer *o)
{
    o->plan.steps[o->plan.count++] = o->plan.steps[0];
    o->plan.steps[1].value = U256_ZERO;
}

static void the_trade_of_the_plan(void)
{
    CHECK_STR(changed(NULL), "");
    CHECK_STR(changed(wants_less), "");
    CHECK_STR(changed(sells_more), "another input");
    CHECK_STR(changed(sells_less), "another input");
    CHECK_STR(changed(sells_wrapped_coin), "another input");
    CHECK_STR(changed(sells_a_token), "another input");
    CHECK_STR(changed(buys_another), "another output");
    CHECK_STR(changed(buys_coin), "another output");
    CHECK_STR(changed(wants_more), "a lower minimum");
    CHECK_STR(changed(has_no_value), "value that is not traded");
    CHECK_STR(changed(has_more_value), "value that is not traded");
    CHECK_STR(changed(pays_another_wallet), "another recipient");
    CHECK_STR(changed(is_for_another_wallet), "not signed and paid for by the wallet alone");
    CHECK_STR(changed(has_a_proof_of_nothing), "a lookup table that is not as it says");
    CHECK_STR(changed(comes_twice), "value that is not traded");
    CHECK(changed(is_cut_off)[0] != '\0');
}

/* ---- the coin and its wrapped form ---- */

static void wrapped_for_token(struct offer *o)
{
    sells_wrapped_coin(o);
    has_no_value(o);
}

static void token_for_coin(struct offer *o)
{
    o->plan.leaves = so_much(&some_mint, "", IN);
    o->plan.arrives = so_much(&SOLANA_WRAPPED_COIN, "SOL", MINIMUM);
    has_no_value(o);
}

static void token_for_wrapped(struct offer *o)
{
    token_for_coin(o);
    o->plan.arrives = so_much(&SOLANA_WRAPPED_COIN, "WSOL", MINIMUM);
}

static void the_coin_is_not_its_wrapped_form(void)
{
    const struct solana_addr wrapped = held(&trader, &SOLANA_WRAPPED_COIN), token = held(&trader, &some_mint);
    struct scene s = { .count = 0 };

    route(&s, &wrapped, &token, &SOLANA_WRAPPED_COIN, &some_mint, IN, QUOTED);
    CHECK_STR(verdict_on(&s, wrapped_for_token), "");
    CHECK_STR(verdict_on(&s, has_no_value), "another input");
    s = (struct scene){ .count = 0 };
    route(&s, &token, &wrapped, &some_mint, &SOLANA_WRAPPED_COIN, IN, QUOTED);
    CHECK_STR(verdict_on(&s, token_for_wrapped), "");
    CHECK_STR(verdict_on(&s, token_for_coin), "another output");
    close_to(&s, &wrapped, &trader);
    CHECK_STR(verdict_on(&s, token_for_coin), "");
    CHECK_STR(verdict_on(&s, token_for_wrapped), "another output");
}

/* ---- lookup tables ---- */

/* The same bytes, with one address looked up that no instruction uses. */
static void looks_up(struct offer *o)
{
    struct buf *b = &o->bytes;

    CHECK(b->data[b->len - 1] == 0); /* how many tables */
    b->data[b->len - 1] = 1;
    b->max += 64;
    buf_add(b, some_mint.bytes, sizeof some_mint.bytes);
    buf_add(b, "\1\5\0", 3);
    o->plan.steps[0].data = (const uint8_t *)b->data;
    o->plan.steps[0].data_len = b->len;
}

static void looks_up_with_proof(struct offer *o)
{
    looks_up(o);
    has_a_proof_of_nothing(o);
}

static void looks_up_more_than_is_proven(struct offer *o)
{
    looks_up_with_proof(o);
    o->plan.steps[0].proof_len--;
}

static void what_is_looked_up_needs_proof(void)
{
    CHECK_STR(changed(looks_up), "a lookup table that is not as it says");
    CHECK_STR(changed(looks_up_more_than_is_proven), "a lookup table that is not as it says");
    CHECK_STR(changed(looks_up_with_proof), "");
}

/* ---- what may be written to ---- */

/* In this order: two signers, of which one writes; three others, of which two do; two and two looked up. */
static void accounts_that_are_written_to(void)
{
    const bool writes[] = { true, false, true, true, false, true, true, false, false };
    const struct solana_tx tx = { .signers = 2,
                                  .readonly_signers = 1,
                                  .readonly_others = 1,
                                  .key_count = 5,
                                  .lookups = { { .writable_count = 1, .readonly_count = 1 },
                                               { .writable_count = 1, .readonly_count = 1 } },
                                  .lookup_count = 2 };

    for (unsigned i = 0; i < sizeof writes / sizeof writes[0]; i++)
        CHECK(solana_may_write(&tx, i) == writes[i]);
}

TEST_MAIN(TEST(the_trade_of_the_plan), TEST(the_coin_is_not_its_wrapped_form),
          TEST(what_is_looked_up_needs_proof), TEST(accounts_that_are_written_to))
