#include "chain/solana/token_account.c"

#include "chain/solana/test_accounts.h"

static const struct solana_addr mint = { { 1 } }, owner = { { 2 } }, other = { { 3 } };

static const struct cached_token plain = { &mint, &owner, 0x0102030405060708, .state = KEPT_IN_USE };

/* Reads `t` with the byte `kind` after it; 0: none, as in accounts without extensions. */
static bool read_with(struct solana_token_state *out, const struct solana_addr *program,
                      const struct cached_token *t, uint8_t kind)
{
    struct buf b = BUF_INIT(512);
    bool ok;

    add_token(&b, t);
    CHECK(b.len == SOLANA_TOKEN_ACCOUNT_LEN);
    if (kind != 0)
        buf_addc(&b, kind);
    ok = solana_token_state_read(out, program, (const uint8_t *)b.data, b.len);
    buf_free(&b);
    return ok;
}

static void an_account_of_either_program(void)
{
    const struct solana_addr *const programs[] = { &SOLANA_TOKEN, &SOLANA_TOKEN_2022 };

    for (size_t i = 0; i < 2; i++) {
        struct solana_token_state s;

        CHECK(read_with(&s, programs[i], &plain, 0));
        CHECK(solana_addr_eq(&s.mint, &mint) && solana_addr_eq(&s.owner, &owner));
        CHECK(s.amount == 0x0102030405060708 && !s.frozen && !s.delegated && !s.closable);
    }
}

static void delegates_and_closers_are_read(void)
{
    struct solana_token_state s;
    struct cached_token t = plain;

    t.delegate = &other;
    t.delegated = 77;
    CHECK(read_with(&s, &SOLANA_TOKEN, &t, 0) && s.delegated && !s.closable && !s.frozen);
    CHECK(solana_addr_eq(&s.delegate, &other) && s.delegated_amount == 77);
    t = plain;
    t.closer = &other;
    CHECK(read_with(&s, &SOLANA_TOKEN, &t, 0) && s.closable && !s.delegated && !s.frozen);
    CHECK(solana_addr_eq(&s.closer, &other));
    t = plain;
    t.state = KEPT_FROZEN;
    CHECK(read_with(&s, &SOLANA_TOKEN, &t, 0) && s.frozen && !s.delegated && !s.closable);
    for (t.state = 0; t.state < 8; t.state++)
        CHECK(read_with(&s, &SOLANA_TOKEN, &t, 0) == (t.state == KEPT_IN_USE || t.state == KEPT_FROZEN));
}

/* The program takes the mark away, and leaves the key. */
static void rights_that_were_taken_back(void)
{
    static const struct solana_addr zero;
    struct solana_token_state s;
    struct cached_token t = plain;
    struct buf b = BUF_INIT(512);

    t.delegate = t.closer = &other;
    add_token(&b, &t);
    b.data[72] = b.data[129] = 0;
    CHECK(solana_token_state_read(&s, &SOLANA_TOKEN, (const uint8_t *)b.data, b.len));
    CHECK(!s.delegated && solana_addr_eq(&s.delegate, &zero));
    CHECK(!s.closable && solana_addr_eq(&s.closer, &zero));
    buf_free(&b);
}

/* The byte after it names its kind; accounts of the older program have none. */
static void accounts_with_extensions(void)
{
    struct solana_token_state s;

    CHECK(read_with(&s, &SOLANA_TOKEN_2022, &plain, KIND_ACCOUNT) && s.amount == plain.amount);
    CHECK(!read_with(&s, &SOLANA_TOKEN_2022, &plain, KIND_MINT));
    CHECK(!read_with(&s, &SOLANA_TOKEN_2022, &plain, 3));
    CHECK(!read_with(&s, &SOLANA_TOKEN, &plain, KIND_ACCOUNT));
    CHECK(!read_with(&s, &SOLANA_SYSTEM, &plain, 0));
    CHECK(!read_with(&s, &mint, &plain, KIND_ACCOUNT));
}

static void accounts_that_are_cut_off(void)
{
    struct solana_token_state s;
    struct buf b = BUF_INIT(512);

    add_token(&b, &plain);
    for (size_t n = 0; n < SOLANA_TOKEN_ACCOUNT_LEN; n++) {
        CHECK(!solana_token_state_read(&s, &SOLANA_TOKEN, (const uint8_t *)b.data, n));
        CHECK(!solana_token_state_read(&s, &SOLANA_TOKEN_2022, (const uint8_t *)b.data, n));
    }
    buf_free(&b);
}

/* Lists of signers are larger than both, and their creator chooses nearly all of their bytes. */
static void lists_of_signers(void)
{
    const struct solana_addr *const programs[] = { &SOLANA_TOKEN, &SOLANA_TOKEN_2022 };
    struct buf account = BUF_INIT(512), kept = BUF_INIT(512);
    struct solana_token_state s;

    add_token(&account, &plain);
    add_mint(&kept, 6, true);
    add_zeros(&kept, SOLANA_TOKEN_ACCOUNT_LEN);
    buf_addc(&account, KIND_ACCOUNT);
    buf_addc(&kept, KIND_MINT);
    add_zeros(&account, 355);
    add_zeros(&kept, 355);
    for (size_t i = 0; i < 2; i++) {
        CHECK(!solana_token_state_read(&s, programs[i], (const uint8_t *)account.data, account.len));
        CHECK(solana_mint_decimals(programs[i], (const uint8_t *)kept.data, kept.len) == -1);
    }
    /* One byte more, as accounts of that length get, or as much as is read of longer ones. */
    buf_addc(&account, 0);
    buf_addc(&kept, 0);
    CHECK(solana_token_state_read(&s, &SOLANA_TOKEN_2022, (const uint8_t *)account.data, account.len));
    CHECK(solana_mint_decimals(&SOLANA_TOKEN_2022, (const uint8_t *)kept.data, kept.len) == 6);
    CHECK(!solana_token_state_read(&s, &SOLANA_TOKEN, (const uint8_t *)account.data, account.len));
    CHECK(solana_mint_decimals(&SOLANA_TOKEN, (const uint8_t *)kept.data, kept.len) == -1);
    CHECK(SOLANA_TOKEN_HEAD == 356);
    buf_free(&account);
    buf_free(&kept);
}

/* ---- mints ---- */

/* Its decimals when it is kept by the program with so many bytes in all, the one at 165 being `kind`. */
static int decimals_of(const struct solana_addr *program, size_t len, uint8_t kind, bool in_use)
{
    struct buf b = BUF_INIT(512);
    int n;

    add_mint(&b, 9, in_use);
    while (b.len < len)
        buf_addc(&b, b.len == SOLANA_TOKEN_ACCOUNT_LEN ? kind : 0);
    n = solana_mint_decimals(program, (const uint8_t *)b.data, len);
    buf_free(&b);
    return n;
}

static void mints_of_either_program(void)
{
    CHECK(decimals_of(&SOLANA_TOKEN, 82, 0, true) == 9 && decimals_of(&SOLANA_TOKEN_2022, 82, 0, true) == 9);
    CHECK(decimals_of(&SOLANA_TOKEN_2022, 166, KIND_MINT, true) == 9);
    CHECK(decimals_of(&SOLANA_TOKEN_2022, 300, KIND_MINT, true) == 9);
    CHECK(decimals_of(&SOLANA_TOKEN_2022, 300, KIND_ACCOUNT, true) == -1);
    CHECK(decimals_of(&SOLANA_TOKEN_2022, 165, 0, true) == -1);
    CHECK(decimals_of(&SOLANA_TOKEN_2022, 83, 0, true) == -1);
    CHECK(decimals_of(&SOLANA_TOKEN, 166, KIND_MINT, true) == -1);
    CHECK(decimals_of(&SOLANA_TOKEN, 82, 0, false) == -1 && decimals_of(&SOLANA_TOKEN, 81, 0, true) == -1);
    CHECK(decimals_of(&SOLANA_SYSTEM, 82, 0, true) == -1 && decimals_of(&SOLANA_TOKEN, 0, 0, true) == -1);
}

/* An account whose owner's bytes stand where a mint says that it is in use, and with how many decimals. */
static void an_account_is_no_mint(void)
{
    struct solana_addr chosen = owner;
    struct cached_token t = plain;
    struct buf b = BUF_INIT(512);

    chosen.bytes[44 - 32] = 6;
    chosen.bytes[45 - 32] = 1;
    t.owner = &chosen;
    add_token(&b, &t);
    CHECK(solana_mint_decimals(&SOLANA_TOKEN, (const uint8_t *)b.data, b.len) == -1);
    CHECK(solana_mint_decimals(&SOLANA_TOKEN_2022, (const uint8_t *)b.data, b.len) == -1);
    buf_addc(&b, KIND_ACCOUNT);
    CHECK(solana_mint_decimals(&SOLANA_TOKEN_2022, (const uint8_t *)b.data, b.len) == -1);
    buf_free(&b);
}

TEST_MAIN(TEST(an_account_of_either_program), TEST(delegates_and_closers_are_read),
          TEST(rights_that_were_taken_back), TEST(accounts_with_extensions), TEST(accounts_that_are_cut_off),
          TEST(lists_of_signers), TEST(mints_of_either_program), TEST(an_account_is_no_mint))
