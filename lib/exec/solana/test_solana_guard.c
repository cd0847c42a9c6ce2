#include "exec/solana/solana_guard.c"

#include "venue/relay_calls.h"
#include "venue/relay_solana.h"
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

/* The guard's verdict on it, after a change; "": none. */
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
    CHECK_STR(changed(has_a_proof_of_nothing), "more is shown than it is about");
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

static void lookups_need_proof(void)
{
    CHECK_STR(changed(looks_up), "a lookup table that is not as it says");
    CHECK_STR(changed(looks_up_more_than_is_proven), "a lookup table that is not as it says");
    CHECK_STR(changed(looks_up_with_proof), "");
}

/* ---- deposits for another chain ---- */

enum { DEADLINE = 1800000000 };

/* A deposit of a token, for an order that pays `far` on Base; the step's bytes and proof are in the
 * buffers. */
struct deposit {
    struct plan plan;
    struct plan_bridge bridge;
    struct buf bytes, proof;
    char wallet[SOLANA_ADDR_TEXT_LEN + 1];
};

#define FAR     "0xA100000000000000000000000000000000000000"
#define FAR_BUY "0x8300000000000000000000000000000000000000"

static void deposit_begin(struct deposit *d)
{
    static const uint8_t solver[20] = { 0x51 }, far[20] = { 0xa1 }, bought[20] = { 0x83 };
    static const uint8_t blockhash[SOLANA_BLOCKHASH_LEN] = { 7 };
    struct relay_solana_deposit made = {
        .wallet = trader, .mint = some_mint, .token_program = SOLANA_TOKEN, .amount = IN
    };
    struct relay_order o = { .version = "v1",
                             .solver_chain = "base",
                             .solver = { solver, sizeof solver },
                             .input = { .chain = "solana",
                                        .currency = { some_mint.bytes, SOLANA_ADDR_LEN },
                                        .amount = u256_from_u64(IN),
                                        .weight = u256_from_u64(1),
                                        .refund_count = 1 },
                             .output = { .chain = "base",
                                         .recipient = { far, sizeof far },
                                         .currency = { bought, sizeof bought },
                                         .minimum = u256_from_u64(MINIMUM),
                                         .deadline = DEADLINE } };

    o.input.refunds[0] = (struct relay_refund){ .chain = "solana",
                                                .recipient = { trader.bytes, SOLANA_ADDR_LEN },
                                                .currency = { some_mint.bytes, SOLANA_ADDR_LEN } };
    *d = (struct deposit){ .bytes = BUF_INIT(SOLANA_TX_MAX), .proof = BUF_INIT(RELAY_ORDER_MAX) };
    relay_order_id(made.order, &o);
    relay_order_write(&d->proof, &o);
    CHECK(relay_solana_write(&d->bytes, &made, blockhash));
    solana_addr_text(d->wallet, &trader);
    d->bridge = (struct plan_bridge){ .bridge_provider = "relay", .deadline = DEADLINE };
    d->plan = (struct plan){ .chain = chain_find("solana"),
                             .wallet = d->wallet,
                             .count = 1,
                             .recipient = FAR,
                             .bridge = &d->bridge,
                             .leaves = so_much(&some_mint, "", IN) };
    d->plan.arrives =
        (struct plan_amount){ .token.chain_id = chain_find("base")->id, .amount = u256_from_u64(MINIMUM) };
    (void)snprintf(d->plan.arrives.token.address, sizeof d->plan.arrives.token.address, "%s", FAR_BUY);
    d->plan.steps[0] = (struct step){ .kind = TX_SPEND,
                                      .data = (const uint8_t *)d->bytes.data,
                                      .data_len = d->bytes.len,
                                      .proof = (const uint8_t *)d->proof.data,
                                      .proof_len = d->proof.len };
}

static const char *deposit_verdict(void (*change)(struct deposit *d))
{
    struct deposit d;
    const char *why;

    deposit_begin(&d);
    if (change != NULL)
        change(&d);
    why = solana_guard_steps(&d.plan);
    buf_free(&d.bytes);
    buf_free(&d.proof);
    return why == NULL ? "" : why;
}

static void pays_without_a_named_recipient(struct deposit *d)
{
    d->plan.recipient = NULL;
}

static void pays_a_stranger(struct deposit *d)
{
    d->plan.recipient = FAR_BUY;
}

static void stays_here(struct deposit *d)
{
    d->plan.bridge = NULL;
}

static void goes_elsewhere(struct deposit *d)
{
    d->plan.arrives.token.chain_id = 1;
}

static void is_due_earlier(struct deposit *d)
{
    d->bridge.deadline--;
}

static void brings_more(struct deposit *d)
{
    d->plan.arrives.amount = u256_from_u64(MINIMUM + 1);
}

static void takes_more(struct deposit *d)
{
    d->plan.leaves.amount = u256_from_u64(IN + 1);
}

static void takes_another_token(struct deposit *d)
{
    d->plan.leaves = so_much(&outsider, "", IN);
}

static void shows_no_order(struct deposit *d)
{
    d->plan.steps[0].proof_len = 0;
}

static void goes_with_coin(struct deposit *d)
{
    d->plan.steps[0].value = u256_from_u64(1);
}

static void deposits_of_the_plan(void)
{
    CHECK_STR(deposit_verdict(NULL), "");
    CHECK_STR(deposit_verdict(pays_without_a_named_recipient), "recipient is not the wallet");
    CHECK_STR(deposit_verdict(pays_a_stranger), "another recipient");
    CHECK_STR(deposit_verdict(stays_here), "for another chain");
    CHECK_STR(deposit_verdict(goes_elsewhere), "another output");
    CHECK_STR(deposit_verdict(is_due_earlier), "another deadline on the other chain");
    CHECK_STR(deposit_verdict(brings_more), "a lower minimum");
    CHECK_STR(deposit_verdict(takes_more), "another input");
    CHECK_STR(deposit_verdict(takes_another_token), "another input");
    CHECK_STR(deposit_verdict(shows_no_order), "not for the order that it names");
    CHECK_STR(deposit_verdict(goes_with_coin), "value that is not traded");
}

static void bridges_swap(struct offer *o)
{
    static const struct plan_bridge bridge = { .bridge_provider = "relay" };

    o->plan.bridge = &bridge;
}

static void a_swap_is_no_bridge(void)
{
    CHECK_STR(changed(bridges_swap), "nothing on another chain");
}

/* ---- writable accounts ---- */

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

TEST_MAIN(TEST(the_trade_of_the_plan), TEST(the_coin_is_not_its_wrapped_form), TEST(lookups_need_proof),
          TEST(deposits_of_the_plan), TEST(a_swap_is_no_bridge), TEST(accounts_that_are_written_to))
