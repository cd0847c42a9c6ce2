#include "venue/solana.h"

#include <string.h>

#include "chain/solana/derived.h"
#include "chain/solana/instruction.h"
#include "chain/solana/solana_programs.h"
#include "venue/relay_calls.h"
#include "venue/relay_solana.h"
#include "venue/wrapped_sol.h"

static const char FEE_TOO_LARGE[] = "a fee beyond what there can be", NOT_PLAIN[] = "not a plain transfer",
                  NOT_LISTED[] = "an instruction that is not on the list";

/* ---- one transaction, instruction by instruction ---- */

/* Which of the wallet's accounts is that of a mint: that takes a while to find out. */
struct own_account {
    const struct solana_addr *program, *mint;
    struct solana_addr at;
};

enum { OWN_MAX = 4 }; /* of more than a trade has, the last is found out each time */

struct reading {
    const struct solana_accounts *accounts;
    const struct solana_addr *wallet;
    struct own_account own[OWN_MAX]; /* of the wallet, as they have been derived so far */
    unsigned own_count;
    struct solana_step swap, opening, payment, deposit; /* the last of each */
    unsigned swaps, opened, payments, deposits;
    const struct solana_addr
        *closed_to;    /* by a transfer: who gets what was in accounts; NULL: none is closed */
    uint64_t wrapping; /* coin that is put into that account */
    bool loose;        /* some of it is not counted as wrapped */
    bool unwraps;      /* and what is in it comes out */
    uint64_t shown;    /* of the wrapped coin: so much was in it at some time, or all fails */
    uint64_t units, price;
    bool has_units;
};

/* Lookup tables travel with a request, and may be forged: what an instruction is about has to be in the
 * message itself. */
static bool is_own(const struct reading *r, const struct solana_addr *a)
{
    return a != NULL && a >= r->accounts->keys && (size_t)(a - r->accounts->keys) < r->accounts->own;
}

static bool is_wallet(const struct reading *r, const struct solana_addr *a)
{
    return is_own(r, a) && solana_addr_eq(a, r->wallet);
}

/* NULL: there is none. */
static const struct solana_addr *own_account(struct reading *r, const struct solana_addr *program,
                                             const struct solana_addr *mint)
{
    struct own_account *o = r->own;

    for (unsigned i = 0; i < r->own_count; i++, o++)
        if (solana_addr_eq(o->program, program) && solana_addr_eq(o->mint, mint))
            return &o->at;
    if (r->own_count == OWN_MAX)
        o = &r->own[--r->own_count];
    o->program = program;
    o->mint = mint;
    if (!solana_token_account(&o->at, r->wallet, program, mint))
        return NULL;
    r->own_count++;
    return &o->at;
}

/* Whether it is the wallet's own account for the mint: then the mint is what it says, too. */
static bool holds(struct reading *r, const struct solana_addr *a, const struct solana_addr *program,
                  const struct solana_addr *mint)
{
    const struct solana_addr *want;

    if (!is_own(r, a) || program == NULL || mint == NULL)
        return false;
    want = own_account(r, program, mint);
    return want != NULL && solana_addr_eq(a, want);
}

static bool is_wrapped_account(struct reading *r, const struct solana_addr *a)
{
    return holds(r, a, &SOLANA_TOKEN, &SOLANA_WRAPPED_COIN);
}

static const char *pay(struct reading *r, const struct solana_step *s)
{
    if (!is_wallet(r, s->owner) || !is_wrapped_account(r, s->destination))
        return "coin for another account";
    r->loose = true;
    return __builtin_add_overflow(r->wrapping, s->amount, &r->wrapping) ? "more coin than there can be"
                                                                        : NULL;
}

static const char *open_account(struct reading *r, const struct solana_step *s)
{
    r->opened++;
    return is_wallet(r, s->source) && is_wallet(r, s->owner) &&
                   holds(r, s->destination, s->token_program, s->buy)
               ? NULL
               : "an account for another owner";
}

static const char *close_account(struct reading *r, const struct solana_step *s)
{
    r->unwraps = true;
    r->loose = false;
    return is_wallet(r, s->owner) && is_wallet(r, s->destination) && is_wrapped_account(r, s->source)
               ? NULL
               : "closes another account";
}

static const char *sync(struct reading *r, const struct solana_step *s)
{
    r->loose = false;
    return is_wrapped_account(r, s->destination) ? NULL : "counts another account";
}

/* Out of the account of the wrapped coin into itself: it moves nothing, but shows what is there. */
static const char *show(struct reading *r, const struct solana_step *s)
{
    if (r->shown != 0 || !is_wallet(r, s->owner) || !is_wrapped_account(r, s->source) ||
        !is_wrapped_account(r, s->destination) || !solana_addr_eq(s->sell, &SOLANA_WRAPPED_COIN))
        return NOT_LISTED;
    r->shown = s->amount;
    return NULL;
}

static const char *swap(struct reading *r, const struct solana_step *s)
{
    if (r->swaps++ > 0)
        return "more than one trade";
    r->swap = *s;
    if (!is_wallet(r, s->owner))
        return "trades for another wallet";
    if (!holds(r, s->source, s->sell_program, s->sell))
        return "sells out of another account";
    return holds(r, s->destination, s->token_program, s->buy) ? NULL : "recipient is not the wallet";
}

static const char *step(struct reading *r, const struct solana_step *s)
{
    switch (s->act) {
    case SOLANA_COMPUTE_LIMIT:
        r->has_units = true;
        r->units = s->amount;
        return NULL;
    case SOLANA_COMPUTE_PRICE:
        r->price = s->amount;
        return NULL;
    case SOLANA_DATA_LIMIT:
    case SOLANA_NOTE:
        return NULL;
    case SOLANA_PAY:
        return pay(r, s);
    case SOLANA_OPEN:
        return open_account(r, s);
    case SOLANA_SYNC:
        return sync(r, s);
    case SOLANA_CLOSE:
        return close_account(r, s);
    case SOLANA_SWAP:
        return swap(r, s);
    case SOLANA_TRANSFER:
        return show(r, s);
    case SOLANA_DEPOSIT:
        r->deposit = *s;
        r->deposits++;
        return NULL;
    case SOLANA_OTHER:
        break;
    }
    return NOT_LISTED;
}

/* ---- the result ---- */

enum {
    SIGNATURE_FEE = 5000,
    UNITS_MAX = 1400000,
    UNITS_EACH = 200000,  /* of an instruction, where the transaction does not say */
    MILLIONTHS = 1000000, /* of a lamport, in which units are priced */
    ACCOUNT_RENT =
        2074080, /* of a token's account, with the extension that most tokens with extensions have */
};

static bool costs_of(struct solana_costs *out, const struct reading *r, unsigned instructions)
{
    uint64_t units = r->has_units ? r->units : (uint64_t)instructions * UNITS_EACH, priority;

    if (units > UNITS_MAX)
        units = UNITS_MAX;
    if (__builtin_mul_overflow(units, r->price, &priority))
        return false;
    out->fee = SIGNATURE_FEE + priority / MILLIONTHS + (priority % MILLIONTHS != 0);
    out->rent = (uint64_t)r->opened * ACCOUNT_RENT;
    return true;
}

static void token_text(char out[static TRADE_ADDRESS_MAX], const struct solana_addr *mint, bool coin)
{
    if (coin)
        memcpy(out, TRADE_COIN, sizeof TRADE_COIN);
    else
        solana_addr_text(out, mint);
}

/* All wrapped coin is sold, and nothing else. */
static const char *trade_of(struct trade *out, const struct reading *r)
{
    const struct solana_step *s = &r->swap;
    bool coin_in = r->wrapping > 0, buys_wrapped = solana_addr_eq(s->buy, &SOLANA_WRAPPED_COIN);

    if (coin_in && (!solana_addr_eq(s->sell, &SOLANA_WRAPPED_COIN) || r->wrapping != s->amount))
        return "value that is not traded";
    token_text(out->sell, s->sell, coin_in);
    token_text(out->buy, s->buy, buys_wrapped && r->unwraps);
    out->amount = u256_from_u64(s->amount);
    out->minimum = u256_from_u64(s->minimum);
    out->value = out->value_spent = u256_from_u64(r->wrapping);
    solana_addr_text(out->recipient, r->wallet);
    if (r->shown != 0)
        return NOT_LISTED;
    if (solana_addr_eq(s->sell, s->buy))
        return "bought for itself";
    return s->amount == 0 ? "sells nothing" : NULL;
}

/* Wrapped coin stays so unless the account is closed; of the amount shown, all comes out but what is put in.
 * In any order of the instructions, the wallet gets at least so much of the one, and as much as it gives of
 * the other: both are its own. */
static const char *conversion_of(struct trade *out, const struct reading *r)
{
    bool wraps = r->shown == 0;
    uint64_t amount = r->wrapping;

    if (r->loose)
        return "coin that is not counted as wrapped";
    if (!wraps && __builtin_sub_overflow(r->shown, r->wrapping, &amount))
        amount = 0;
    if (wraps == r->unwraps || amount == 0)
        return "no trade";
    out->contract = &wrapped_sol_program;
    token_text(out->sell, &SOLANA_WRAPPED_COIN, wraps);
    token_text(out->buy, &SOLANA_WRAPPED_COIN, !wraps);
    out->amount = out->minimum = u256_from_u64(amount);
    if (wraps)
        out->value = out->value_spent = out->amount;
    solana_addr_text(out->recipient, r->wallet);
    return NULL;
}

static const struct contract jupiter = { "solana", "jupiter", NULL,
                                         "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4" },
                             relay = { "solana", "relay", NULL, RELAY_SOLANA_PROGRAM };

/* A deposit that is written as we write it does nothing else, so that nothing else of it is looked at. What
 * it is for is in its order. */
static const char *deposit_of(struct trade *out, struct solana_costs *costs, const struct reading *r,
                              const struct solana_tx *tx, struct trade_proof order)
{
    const struct solana_step *s = &r->deposit;
    struct relay_solana_deposit d;

    relay_solana_take(&d, s);
    if (!is_wallet(r, s->owner) || !relay_solana_is(tx, &d))
        return "not the deposit as it is made by ourselves";
    out->act = TRADE_BRIDGE;
    out->contract = &relay;
    out->amount = u256_from_u64(s->amount);
    if (d.coin)
        out->value = out->value_spent = out->amount;
    else
        costs->rent = ACCOUNT_RENT; /* of the depository's own, if it has none yet */
    token_text(out->sell, &d.mint, d.coin);
    solana_addr_text(out->refund, r->wallet);
    if (s->amount == 0)
        return "sells nothing";
    return relay_order_fits(out, chain_find(relay.chain), order, d.order) ? NULL
                                                                          : "not for the order that it names";
}

/* Calls `judge` with each instruction. */
static const char *read_steps(struct reading *r, const struct solana_tx *tx,
                              const char *(*judge)(struct reading *, const struct solana_step *))
{
    const char *flaw = NULL;

    if (tx->signers != 1 || !solana_addr_eq(&tx->keys[0], r->wallet))
        return "not signed and paid for by the wallet alone";
    for (unsigned i = 0; i < tx->instruction_count && flaw == NULL; i++) {
        struct solana_step s;

        solana_step_read(&s, &tx->instructions[i], r->accounts);
        flaw = is_own(r, s.program) ? judge(r, &s) : "a program that is looked up";
    }
    return flaw;
}

bool solana_proof_read(struct solana_accounts *out, struct trade_proof *order, const struct solana_tx *tx,
                       struct trade_proof proof)
{
    size_t found = (size_t)(tx->account_count - tx->key_count) * SOLANA_ADDR_LEN;

    *order = NO_PROOF;
    if (proof.len > found)
        *order = (struct trade_proof){ proof.p + found, proof.len - found };
    return proof.len >= found && solana_accounts_given(out, tx, proof.p, found);
}

const char *trade_read_solana(struct trade *out, struct solana_costs *costs, const struct solana_tx *tx,
                              const struct solana_accounts *accounts, const struct solana_addr *wallet,
                              struct trade_proof order)
{
    struct reading r = { .accounts = accounts, .wallet = wallet };
    const char *flaw;

    *out = (struct trade){ .act = TRADE_SWAP, .contract = &jupiter };
    *costs = (struct solana_costs){ 0 };
    if ((flaw = read_steps(&r, tx, step)) != NULL)
        return flaw;
    if (!costs_of(costs, &r, tx->instruction_count))
        return FEE_TOO_LARGE;
    if (r.deposits > 0)
        return deposit_of(out, costs, &r, tx, order);
    return r.swaps == 0 ? conversion_of(out, &r) : trade_of(out, &r);
}

/* ---- plain transfers ---- */

/* One that is not empty stays, as the token's program has it, unless it has the wrapped coin. */
static const char *close_emptied(struct reading *r, const struct solana_step *s)
{
    if (!is_wallet(r, s->owner))
        return "closes another wallet's account";
    if (r->closed_to != NULL && !solana_addr_eq(r->closed_to, s->destination))
        return NOT_PLAIN;
    r->closed_to = s->destination;
    r->unwraps = is_wrapped_account(r, s->source) || r->unwraps;
    return NULL;
}

static const char *transfer_step(struct reading *r, const struct solana_step *s)
{
    switch (s->act) {
    case SOLANA_COMPUTE_LIMIT:
    case SOLANA_COMPUTE_PRICE:
        return step(r, s);
    case SOLANA_OPEN:
        r->opening = *s;
        r->opened++;
        return is_wallet(r, s->source) ? NULL : "an account that another one pays";
    case SOLANA_PAY:
    case SOLANA_TRANSFER:
        r->payment = *s;
        r->payments++;
        return is_wallet(r, s->owner) ? NULL : "a transfer by another wallet";
    case SOLANA_CLOSE:
        return close_emptied(r, s);
    case SOLANA_DATA_LIMIT:
    case SOLANA_NOTE:
    case SOLANA_SYNC:
    case SOLANA_SWAP:
    case SOLANA_DEPOSIT:
    case SOLANA_OTHER:
        break;
    }
    return NOT_PLAIN;
}

/* The transfer goes into the opened account, which is the recipient's for this very token. */
static bool opens_its_account(const struct solana_step *open, const struct solana_step *transfer)
{
    struct solana_addr want;

    return solana_addr_eq(open->destination, transfer->destination) &&
           solana_token_account(&want, open->owner, transfer->token_program, transfer->sell) &&
           solana_addr_eq(&want, transfer->destination);
}

static const char *transfer_of(struct trade *out, const struct reading *r)
{
    const struct solana_step *s = &r->payment;
    bool coin = s->act == SOLANA_PAY;

    if (r->payments != 1 || r->opened != (coin ? 0 : 1) || (r->closed_to != NULL && !coin))
        return NOT_PLAIN;
    if (r->closed_to != NULL && !solana_addr_eq(r->closed_to, s->destination))
        return "the closed account's coin goes to another account";
    if (!coin && !opens_its_account(&r->opening, s))
        return "an account that is not the recipient's";
    out->act = coin ? TRADE_PAYMENT : TRADE_TRANSFER;
    token_text(out->sell, s->sell, coin);
    out->amount = u256_from_u64(s->amount);
    if (coin)
        out->value = out->value_spent = out->amount;
    solana_addr_text(out->recipient, coin ? s->destination : r->opening.owner);
    return NULL;
}

const char *transfer_read_solana(struct trade *out, struct solana_costs *costs, const struct solana_tx *tx,
                                 const struct solana_accounts *accounts, const struct solana_addr *wallet)
{
    struct reading r = { .accounts = accounts, .wallet = wallet };
    const char *flaw;

    *out = (struct trade){ .act = TRADE_PAYMENT };
    *costs = (struct solana_costs){ 0 };
    if (tx->lookup_count != 0)
        return NOT_PLAIN;
    if ((flaw = read_steps(&r, tx, transfer_step)) != NULL)
        return flaw;
    costs->unwraps = r.unwraps;
    return costs_of(costs, &r, tx->instruction_count) ? transfer_of(out, &r) : FEE_TOO_LARGE;
}
