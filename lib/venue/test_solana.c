#include "venue/solana.c"

#include "venue/test_solana.h"

struct result {
    struct trade trade;
    struct solana_costs costs;
    const char *flaw;
};

typedef const char *reader(struct trade *out, struct solana_costs *costs, const struct solana_tx *tx,
                           const struct solana_accounts *accounts, const struct solana_addr *wallet);

/* Reads a scene as `payer` would sign it, with the last `looked_up` of its keys known only from a table. */
static struct result result_by(reader *read, const struct scene *s, const struct solana_addr *payer,
                               unsigned looked_up)
{
    struct solana_accounts accounts;
    struct buf b = BUF_INIT(SOLANA_TX_MAX);
    struct solana_tx tx;
    struct result r;

    scene_write(&b, s, payer);
    CHECK(solana_tx_read(&tx, (const uint8_t *)b.data, b.len) == NULL);
    CHECK(solana_accounts_given(&accounts, &tx, NULL, 0));
    accounts.own -= looked_up;
    r.flaw = read(&r.trade, &r.costs, &tx, &accounts, &trader);
    buf_free(&b);
    return r;
}

static const char *read_swap(struct trade *out, struct solana_costs *costs, const struct solana_tx *tx,
                             const struct solana_accounts *accounts, const struct solana_addr *wallet)
{
    return trade_read_solana(out, costs, tx, accounts, wallet, NO_PROOF);
}

static struct result result_with(const struct scene *s, const struct solana_addr *payer, unsigned looked_up)
{
    return result_by(read_swap, s, payer, looked_up);
}

static struct result result_of(const struct scene *s)
{
    return result_with(s, &trader, 0);
}

static bool is_address(const char *text, const struct solana_addr *a)
{
    char want[SOLANA_ADDR_TEXT_LEN + 1];

    solana_addr_text(want, a);
    return strcmp(text, want) == 0;
}

/* ---- reads ---- */

static void coin_is_sold(void)
{
    struct scene s;
    struct result r;
    uint64_t n;

    coin_for_token(&s);
    r = result_of(&s);
    CHECK(r.flaw == NULL && r.trade.act == TRADE_SWAP);
    CHECK_STR(r.trade.sell, TRADE_COIN);
    CHECK(is_address(r.trade.buy, &some_mint) && is_address(r.trade.recipient, &trader));
    CHECK(u256_to_u64(&n, r.trade.amount) && n == IN);
    CHECK(u256_to_u64(&n, r.trade.minimum) && n == MINIMUM);
    CHECK(u256_to_u64(&n, r.trade.value) && n == IN && u256_to_u64(&n, r.trade.value_spent) && n == IN);
    /* 300000 units at 2.000001 lamports, rounded up. */
    CHECK(r.costs.fee == 5000 + 600001 && r.costs.rent == 2 * ACCOUNT_RENT);
}

/* The figures of an order of September 2026: its minimum counts the fee that Jupiter keeps of what is quoted,
 * and bytes of steps follow. */
static void an_order_with_a_fee_and_steps(void)
{
    static const struct solana_addr events = { { 9 } };
    const struct solana_addr sold = held(&trader, &some_mint), bought = held(&trader, &SOLANA_WRAPPED_COIN);
    const struct solana_addr *rest[] = { &some_mint,     &SOLANA_WRAPPED_COIN, &SOLANA_TOKEN,
                                         &SOLANA_TOKEN,  &SOLANA_JUPITER,      &events,
                                         &SOLANA_JUPITER };
    struct scene s = { .count = 0 };
    struct result r;
    uint64_t n;

    open_for(&s, &trader, &SOLANA_WRAPPED_COIN);
    call_begin(&s, &SOLANA_JUPITER);
    account_add(&s, &trader, true, true);
    account_add(&s, &sold, false, true);
    account_add(&s, &bought, false, true);
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        account_add(&s, rest[i], false, false);
    put(&s, 0x14afc431ccfa64bb, 8);
    put(&s, 900000, 8);
    put(&s, UINT64_C(26163198477), 8);
    put(&s, 450, 2);
    put(&s, 10, 2);
    put(&s, 0, 2);
    put(&s, 1, 4);      /* one step: */
    put(&s, 0x47, 1);   /* how */
    put(&s, 10000, 2);  /* all of it */
    put(&s, 0x0100, 2); /* from the first to the second */
    call_end(&s);
    r = result_of(&s);
    CHECK(r.flaw == NULL && r.trade.act == TRADE_SWAP);
    CHECK(u256_to_u64(&n, r.trade.amount) && n == 900000);
    CHECK(u256_to_u64(&n, r.trade.minimum) && n == UINT64_C(24960868690));
}

static void coin_is_bought(void)
{
    struct scene s = { .count = 0 };
    const struct solana_addr wrapped = held(&trader, &SOLANA_WRAPPED_COIN), sold = held(&trader, &some_mint);
    struct result r;

    open_for(&s, &trader, &SOLANA_WRAPPED_COIN);
    route(&s, &sold, &wrapped, &some_mint, &SOLANA_WRAPPED_COIN, IN, QUOTED);
    r = result_of(&s);
    CHECK(r.flaw == NULL && is_address(r.trade.sell, &some_mint) &&
          is_address(r.trade.buy, &SOLANA_WRAPPED_COIN));
    CHECK(u256_is_zero(r.trade.value) && r.costs.fee == 5000);
    close_to(&s, &wrapped, &trader);
    r = result_of(&s);
    CHECK(r.flaw == NULL);
    CHECK_STR(r.trade.buy, TRADE_COIN);
}

/* ---- refusals ---- */

static const char *with_call(void (*add)(struct scene *s))
{
    struct scene s;

    coin_for_token(&s);
    add(&s);
    return result_of(&s).flaw;
}

static void pays_a_stranger(struct scene *s)
{
    pay_coin(s, &outsider, 1);
}

static void wraps_more(struct scene *s)
{
    const struct solana_addr wrapped = held(&trader, &SOLANA_WRAPPED_COIN);

    pay_coin(s, &wrapped, 1);
}

static void opens_for_a_stranger(struct scene *s)
{
    open_for(s, &outsider, &some_mint);
}

static void closes_for_a_stranger(struct scene *s)
{
    const struct solana_addr wrapped = held(&trader, &SOLANA_WRAPPED_COIN);

    close_to(s, &wrapped, &outsider);
}

static void closes_another(struct scene *s)
{
    const struct solana_addr other = held(&trader, &some_mint);

    close_to(s, &other, &trader);
}

static void approves(struct scene *s)
{
    const struct solana_addr wrapped = held(&trader, &SOLANA_WRAPPED_COIN);

    call_begin(s, &SOLANA_TOKEN);
    account_add(s, &wrapped, false, true);
    account_add(s, &outsider, false, false);
    account_add(s, &trader, true, false);
    put(s, 4, 1);
    put(s, 1, 8);
    call_end(s);
}

static void calls_a_stranger(struct scene *s)
{
    call_begin(s, &outsider);
    account_add(s, &trader, true, true);
    put(s, 1, 1);
    call_end(s);
}

static void trades_again(struct scene *s)
{
    const struct solana_addr wrapped = held(&trader, &SOLANA_WRAPPED_COIN),
                             bought = held(&trader, &some_mint);

    route(s, &wrapped, &bought, &SOLANA_WRAPPED_COIN, &some_mint, IN, QUOTED);
}

static void instructions_beside_the_trade(void)
{
    CHECK_STR(with_call(pays_a_stranger), "coin for another account");
    CHECK_STR(with_call(wraps_more), "value that is not traded");
    CHECK_STR(with_call(opens_for_a_stranger), "an account for another owner");
    CHECK_STR(with_call(closes_for_a_stranger), "closes another account");
    CHECK_STR(with_call(closes_another), "closes another account");
    CHECK_STR(with_call(approves), "an instruction that is not on the list");
    CHECK_STR(with_call(calls_a_stranger), "an instruction that is not on the list");
    CHECK_STR(with_call(trades_again), "more than one trade");
}

/* A trade alone, from one account into another. */
static const char *routed(const struct solana_addr *source, const struct solana_addr *destination,
                          const struct solana_addr *sell, const struct solana_addr *buy, uint64_t amount)
{
    struct scene s = { .count = 0 };

    route(&s, source, destination, sell, buy, amount, QUOTED);
    return result_of(&s).flaw;
}

static void accounts_of_others(void)
{
    static const struct solana_addr other = { { 4 } };
    const struct solana_addr mine = held(&trader, &some_mint), theirs = held(&outsider, &some_mint),
                             my_other = held(&trader, &other), their_other = held(&outsider, &other);

    CHECK(routed(&mine, &my_other, &some_mint, &other, IN) == NULL);
    CHECK_STR(routed(&theirs, &my_other, &some_mint, &other, IN), "sells out of another account");
    CHECK_STR(routed(&mine, &their_other, &some_mint, &other, IN), "recipient is not the wallet");
    CHECK_STR(routed(&mine, &outsider, &some_mint, &other, IN), "recipient is not the wallet");
    /* The minimum counts another token than is said. */
    CHECK_STR(routed(&mine, &mine, &some_mint, &other, IN), "recipient is not the wallet");
    CHECK_STR(routed(&mine, &mine, &some_mint, &some_mint, IN), "bought for itself");
    CHECK_STR(routed(&mine, &my_other, &some_mint, &other, 0), "sells nothing");
}

/* Facts about one account do not count for another, even with more accounts than are remembered. */
static void accounts_are_told_apart(void)
{
    static const struct solana_addr mints[] = { { { 41 } }, { { 42 } }, { { 43 } }, { { 44 } }, { { 45 } } };
    enum { MINTS = sizeof mints / sizeof mints[0] };
    const struct solana_addr at = held(&trader, &some_mint), last = held(&trader, &mints[MINTS - 1]);
    struct scene s;

    coin_for_token(&s);
    open_at(&s, &at, &trader, &SOLANA_TOKEN_2022, &some_mint);
    CHECK_STR(result_of(&s).flaw, "an account for another owner");
    for (unsigned wrong = 0; wrong < 2; wrong++) {
        s = (struct scene){ .count = 0 };
        for (unsigned i = 0; i < MINTS; i++)
            open_for(&s, &trader, &mints[i]);
        open_for(&s, &trader, &mints[MINTS - 1]);
        open_at(&s, &last, &trader, &SOLANA_TOKEN, &mints[wrong > 0 ? MINTS - 2 : MINTS - 1]);
        CHECK_STR(result_of(&s).flaw, wrong > 0 ? "an account for another owner" : "no trade");
    }
}

/* Only what the message itself names is believed. */
static void tables_are_not_believed(void)
{
    struct scene s;

    coin_for_token(&s);
    CHECK(result_with(&s, &trader, 0).flaw == NULL);
    for (unsigned hidden = 1; hidden < 12; hidden++) {
        const struct result r = result_with(&s, &trader, hidden);

        CHECK(r.flaw != NULL || hidden < 2); /* the last key is not one that matters */
    }
}

static void transactions_of_another_signer_are_refused(void)
{
    struct scene s;

    coin_for_token(&s);
    CHECK_STR(result_with(&s, &outsider, 0).flaw, "not signed and paid for by the wallet alone");
}

static void without_a_trade(void)
{
    struct scene s = { .count = 0 };

    compute(&s, 1, 1);
    CHECK_STR(result_of(&s).flaw, "no trade");
    coin_for_token(&s);
    s.data[6] = s.data[7] = s.data[8] = s.data[9] = s.data[10] = s.data[11] = s.data[12] = s.data[13] = 0xff;
    CHECK_STR(result_of(&s).flaw, "a fee beyond what there can be");
}

/* ---- plain transfers ---- */

static struct result transfer_of_scene(const struct scene *s)
{
    return result_by(transfer_read_solana, s, &trader, 0);
}

static bool amounts_are(const struct trade *t, uint64_t amount, uint64_t value)
{
    return u256_cmp(t->amount, u256_from_u64(amount)) == 0 && u256_cmp(t->minimum, t->amount) == 0 &&
           u256_cmp(t->value, u256_from_u64(value)) == 0 && u256_cmp(t->value_spent, t->value) == 0;
}

static void coin_is_wrapped(void)
{
    struct scene s = { .count = 0 };
    struct result r;

    compute(&s, 150000, 100000);
    wrapping(&s, IN);
    r = result_of(&s);
    CHECK(r.flaw == NULL && r.trade.act == TRADE_SWAP && amounts_are(&r.trade, IN, IN));
    CHECK_STR(r.trade.sell, TRADE_COIN);
    CHECK(is_address(r.trade.buy, &SOLANA_WRAPPED_COIN) && is_address(r.trade.recipient, &trader));
    CHECK_STR(r.trade.contract->address, "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
    CHECK(r.costs.fee == 20000 && r.costs.rent == ACCOUNT_RENT);
}

static void coin_is_unwrapped(void)
{
    struct scene s;
    struct result r;

    unwrapping(&s, IN, 0);
    r = result_of(&s);
    CHECK(r.flaw == NULL && amounts_are(&r.trade, IN, 0) && r.costs.rent == 0);
    CHECK_STR(r.trade.buy, TRADE_COIN);
    CHECK(is_address(r.trade.sell, &SOLANA_WRAPPED_COIN) && is_address(r.trade.recipient, &trader));
    unwrapping(&s, IN, IN - 1);
    r = result_of(&s);
    CHECK(r.flaw == NULL && amounts_are(&r.trade, 1, 0));
}

/* Conversions of our own read as what they are. */
static void conversions_of_our_own(void)
{
    static const uint8_t blockhash[SOLANA_BLOCKHASH_LEN] = { 7 };

    for (unsigned i = 0; i < 3; i++) {
        struct buf b = BUF_INIT(SOLANA_TX_MAX);
        struct solana_accounts accounts;
        struct solana_costs costs;
        struct solana_tx tx;
        struct trade t;

        if (i == 0)
            wrapped_sol_wrap(&b, &trader, IN, blockhash);
        else
            wrapped_sol_unwrap(&b, &trader, IN, i - 1, blockhash);
        CHECK(solana_tx_read(&tx, (const uint8_t *)b.data, b.len) == NULL);
        CHECK(solana_accounts_given(&accounts, &tx, NULL, 0));
        CHECK(trade_read_solana(&t, &costs, &tx, &accounts, &trader, NO_PROOF) == NULL);
        CHECK(amounts_are(&t, IN, i == 0 ? IN : 0) && costs.fee == WRAPPED_SOL_FEE);
        CHECK_STR(i == 0 ? t.sell : t.buy, TRADE_COIN);
        CHECK(memcmp(tx.blockhash, blockhash, sizeof blockhash) == 0);
        buf_free(&b);
    }
}

static void wraps_uncounted(struct scene *s)
{
    const struct solana_addr account = held(&trader, &SOLANA_WRAPPED_COIN);

    unwrapping(s, IN, 0);
    pay_coin(s, &account, 1);
}

static void wraps_and_closes(struct scene *s)
{
    const struct solana_addr account = held(&trader, &SOLANA_WRAPPED_COIN);

    *s = (struct scene){ .count = 0 };
    wrapping(s, IN);
    close_to(s, &account, &trader);
}

static void shows_and_keeps(struct scene *s)
{
    const struct solana_addr account = held(&trader, &SOLANA_WRAPPED_COIN);

    *s = (struct scene){ .count = 0 };
    transfer_of_mint(s, &SOLANA_WRAPPED_COIN, &account, IN);
}

static void shows_twice(struct scene *s)
{
    shows_and_keeps(s);
    s->calls[s->count++] = s->calls[0];
}

static void shows_and_trades(struct scene *s)
{
    const struct solana_addr account = held(&trader, &SOLANA_WRAPPED_COIN);

    coin_for_token(s);
    transfer_of_mint(s, &SOLANA_WRAPPED_COIN, &account, IN);
}

static void wraps_it_all_again(struct scene *s)
{
    unwrapping(s, IN, IN);
}

static void wraps_more_than_was_shown(struct scene *s)
{
    unwrapping(s, IN, IN + 1);
}

static void gives_wrapped_away(struct scene *s)
{
    const struct solana_addr theirs = held(&outsider, &SOLANA_WRAPPED_COIN);

    *s = (struct scene){ .count = 0 };
    transfer_of_mint(s, &SOLANA_WRAPPED_COIN, &theirs, IN);
}

static void shows_another_token(struct scene *s)
{
    const struct solana_addr mine = held(&trader, &some_mint);

    unwrapping(s, IN, 0);
    transfer_to(s, &mine, IN);
}

static void unwraps_to_a_stranger(struct scene *s)
{
    const struct solana_addr account = held(&trader, &SOLANA_WRAPPED_COIN);

    shows_and_keeps(s);
    close_to(s, &account, &outsider);
}

static void flawed_conversions_are_refused(void)
{
    static const struct {
        void (*make)(struct scene *s);
        const char *flaw;
    } rows[] = {
        { wraps_uncounted, "coin that is not counted as wrapped" },
        { wraps_and_closes, "no trade" },
        { shows_and_keeps, "no trade" },
        { shows_twice, "an instruction that is not on the list" },
        { shows_and_trades, "an instruction that is not on the list" },
        { wraps_it_all_again, "no trade" },
        { wraps_more_than_was_shown, "no trade" },
        { gives_wrapped_away, "an instruction that is not on the list" },
        { shows_another_token, "an instruction that is not on the list" },
        { unwraps_to_a_stranger, "closes another account" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;

        rows[i].make(&s);
        CHECK_STR(result_of(&s).flaw, rows[i].flaw);
    }
}

static void transfers(void)
{
    struct scene s;
    struct result r;
    uint64_t n;

    coin_away(&s);
    CHECK_STR(result_of(&s).flaw, "coin for another account");
    r = transfer_of_scene(&s);
    CHECK(r.flaw == NULL && r.trade.act == TRADE_PAYMENT && is_address(r.trade.recipient, &outsider));
    CHECK_STR(r.trade.sell, TRADE_COIN);
    CHECK(u256_to_u64(&n, r.trade.amount) && n == IN && u256_to_u64(&n, r.trade.value) && n == IN);
    CHECK(r.costs.fee == 5100 && r.costs.rent == 0);
    token_away(&s);
    CHECK(result_of(&s).flaw != NULL);
    r = transfer_of_scene(&s);
    CHECK(r.flaw == NULL && r.trade.act == TRADE_TRANSFER && is_address(r.trade.recipient, &outsider));
    CHECK(is_address(r.trade.sell, &some_mint) && u256_is_zero(r.trade.value));
    CHECK(u256_to_u64(&n, r.trade.amount) && n == IN);
    CHECK(r.costs.fee == 20000 && r.costs.rent == ACCOUNT_RENT);
}

/* A token that is traded for nothing is no trade either. */
static void token_is_given_away(struct scene *s)
{
    const struct solana_addr theirs = held(&outsider, &some_mint);

    transfer_to(s, &theirs, 1);
}

static void transfers_are_plain(void)
{
    static const struct solana_addr third = { { 4 } };
    const struct solana_addr theirs = held(&outsider, &some_mint);
    struct scene s;

    CHECK_STR(with_call(token_is_given_away), "an instruction that is not on the list");
    coin_for_token(&s);
    CHECK_STR(transfer_of_scene(&s).flaw, "not a plain transfer");
    coin_away(&s);
    CHECK_STR(result_by(transfer_read_solana, &s, &outsider, 0).flaw,
              "not signed and paid for by the wallet alone");
    pay_coin(&s, &third, 1);
    CHECK_STR(transfer_of_scene(&s).flaw, "not a plain transfer");
    coin_away(&s);
    open_for(&s, &outsider, &some_mint);
    CHECK_STR(transfer_of_scene(&s).flaw, "not a plain transfer");
    token_away(&s);
    pay_coin(&s, &outsider, 1);
    CHECK_STR(transfer_of_scene(&s).flaw, "not a plain transfer");
    token_away(&s);
    transfer_to(&s, &theirs, 1);
    CHECK_STR(transfer_of_scene(&s).flaw, "not a plain transfer");
    token_away(&s);
    approves(&s);
    CHECK_STR(transfer_of_scene(&s).flaw, "not a plain transfer");
}

/* Empty accounts may be closed only next to a payment of coin, and to its recipient. */
static void only_empty_accounts_close_with_the_coin(void)
{
    static const struct solana_addr third = { { 4 } };
    const struct solana_addr mine = held(&trader, &some_mint), wrapped = held(&trader, &SOLANA_WRAPPED_COIN),
                             theirs = held(&outsider, &some_mint);
    struct result r;
    struct scene s;

    coin_away(&s);
    close_to(&s, &mine, &outsider);
    close_to(&s, &wrapped, &outsider);
    r = transfer_of_scene(&s);
    CHECK(r.flaw == NULL && r.trade.act == TRADE_PAYMENT && is_address(r.trade.recipient, &outsider));
    close_to(&s, &theirs, &third);
    CHECK_STR(transfer_of_scene(&s).flaw, "not a plain transfer");
    coin_away(&s);
    close_to(&s, &mine, &third);
    CHECK_STR(transfer_of_scene(&s).flaw, "the closed account's coin goes to another account");
    coin_away(&s);
    close_of(&s, &theirs, &outsider, &outsider);
    CHECK_STR(transfer_of_scene(&s).flaw, "closes another wallet's account");
    token_away(&s);
    close_to(&s, &mine, &outsider);
    CHECK_STR(transfer_of_scene(&s).flaw, "not a plain transfer");
    s = (struct scene){ .count = 0 };
    close_to(&s, &mine, &outsider);
    CHECK_STR(transfer_of_scene(&s).flaw, "not a plain transfer");
}

/* A transfer is refused into an account that is opened for another owner, or that the transaction does not
 * open. */
static void transfers_reach_who_is_named(void)
{
    static const struct solana_addr third = { { 4 } };
    const struct solana_addr theirs = held(&outsider, &some_mint), another = held(&third, &some_mint);
    struct scene s = { .count = 0 };

    transfer_to(&s, &theirs, IN);
    CHECK_STR(transfer_of_scene(&s).flaw, "not a plain transfer");
    s = (struct scene){ .count = 0 };
    open_for(&s, &outsider, &some_mint);
    transfer_to(&s, &another, IN);
    CHECK_STR(transfer_of_scene(&s).flaw, "an account that is not the recipient's");
    s = (struct scene){ .count = 0 };
    open_for(&s, &outsider, &SOLANA_WRAPPED_COIN);
    transfer_to(&s, &theirs, IN);
    CHECK_STR(transfer_of_scene(&s).flaw, "an account that is not the recipient's");
    for (unsigned hidden = 2; hidden < 9; hidden++) {
        token_away(&s);
        CHECK(result_by(transfer_read_solana, &s, &trader, hidden).flaw != NULL);
    }
}

TEST_MAIN(TEST(coin_is_sold), TEST(coin_is_bought), TEST(instructions_beside_the_trade),
          TEST(an_order_with_a_fee_and_steps), TEST(accounts_of_others), TEST(accounts_are_told_apart),
          TEST(tables_are_not_believed), TEST(transactions_of_another_signer_are_refused),
          TEST(without_a_trade), TEST(coin_is_wrapped), TEST(coin_is_unwrapped), TEST(conversions_of_our_own),
          TEST(flawed_conversions_are_refused), TEST(transfers), TEST(transfers_are_plain),
          TEST(only_empty_accounts_close_with_the_coin), TEST(transfers_reach_who_is_named))
