/* Stands at Jupiter's id: takes route_v2 and shared_accounts_route_v2 as the real one does, trades against one
 * pool of the sandbox, and fails with 6001 below the minimum.
 *
 * Behind the accounts of the real call come the pool's: its accounts of what is sold and bought, and its
 * authority, which is derived from "pool" and a bump. The route itself is that bump. The pool keeps the
 * product of its two stocks, and takes nothing. */
#include "solana.h"

#define ROUTE_V2        0x14afc431ccfa64bbull
#define SHARED_ROUTE_V2 0xe9d8fe7c935398d1ull
#define BPS             10000

#define BAD_INSTRUCTION 101 /* as Anchor counts them */
#define BELOW_MINIMUM   6001

/* Places of accounts in both calls. */
struct layout {
    u64 numbers; /* in the data */
    u64 wallet, source, destination, sell, buy, sell_program, buy_program, pool;
};

INLINE int read_layout(struct layout *l, const struct work *w)
{
    u64 selector = w->data_len < 34 ? 0 : number(w->data, 8);
    int shared = selector == SHARED_ROUTE_V2;

    l->numbers = shared ? 9 : 8;
    l->wallet = shared ? 1 : 0;
    l->source = shared ? 2 : 1;
    l->destination = shared ? 5 : 2;
    l->sell = shared ? 6 : 3;
    l->buy = shared ? 7 : 4;
    l->sell_program = shared ? 8 : 5;
    l->buy_program = shared ? 9 : 6;
    l->pool = shared ? 12 : 10;
    return (shared || selector == ROUTE_V2) && w->count >= l->pool + 3;
}

/* a * b / d, of which the quotient fits, by long division: the machine has no 128 bits. */
INLINE u64 muldiv(u64 a, u64 b, u64 d)
{
    u64 low = (a & 0xffffffff) * (b & 0xffffffff), high = (a >> 32) * (b >> 32);
    u64 mid = (a >> 32) * (b & 0xffffffff), more = (a & 0xffffffff) * (b >> 32), rest = 0;

    mid += low >> 32;
    more += mid & 0xffffffff;
    high += (mid >> 32) + (more >> 32);
    low = (more << 32) | (low & 0xffffffff);
    for (u64 i = 0; i < 128; i++) {
        rest = rest << 1 | high >> 63;
        high = high << 1 | low >> 63;
        low <<= 1;
        if (rest >= d) {
            rest -= d;
            low |= 1;
        }
    }
    return low;
}

u64 entrypoint(u8 *input)
{
    struct work *w = (struct work *)HEAP;
    struct layout *l = (struct layout *)(HEAP + sizeof *w);
    u64 in, quoted, slippage, fee, out, minimum, failed;

    if (!read_input(w, input) || !read_layout(l, w))
        return BAD_INSTRUCTION;
    in = number(w->data + l->numbers, 8);
    quoted = number(w->data + l->numbers + 8, 8);
    slippage = number(w->data + l->numbers + 16, 2);
    fee = number(w->data + l->numbers + 18, 2);
    if (slippage > BPS || fee > BPS || !w->accounts[l->wallet].is_signer ||
        !is_token_account(&w->accounts[l->source], w->accounts[l->sell].key) ||
        !is_token_account(&w->accounts[l->destination], w->accounts[l->buy].key) ||
        !is_token_account(&w->accounts[l->pool], w->accounts[l->sell].key) ||
        !is_token_account(&w->accounts[l->pool + 1], w->accounts[l->buy].key))
        return BAD_ACCOUNT;
    out = muldiv(token_amount(&w->accounts[l->pool + 1]), in, token_amount(&w->accounts[l->pool]) + in);
    out = out / BPS * (BPS - fee) + out % BPS * (BPS - fee) / BPS;
    minimum = quoted / BPS * (BPS - slippage) + quoted % BPS * (BPS - slippage) / BPS;
    minimum = minimum / BPS * (BPS - fee) + minimum % BPS * (BPS - fee) / BPS;
    if (out < minimum)
        return BELOW_MINIMUM;
    failed = token_transfer(w, &w->accounts[l->sell_program], &w->accounts[l->source], &w->accounts[l->sell],
                            &w->accounts[l->pool], &w->accounts[l->wallet], in, 0);
    if (failed)
        return failed;
    put(w->bytes + 32, 0x6c6f6f70, 4); /* "pool" */
    w->bytes[36] = w->data[w->data_len - 1];
    w->seeds[0].p = w->bytes + 32;
    w->seeds[0].n = 4;
    w->seeds[1].p = w->bytes + 36;
    w->seeds[1].n = 1;
    return token_transfer(w, &w->accounts[l->buy_program], &w->accounts[l->pool + 1], &w->accounts[l->buy],
                          &w->accounts[l->destination], &w->accounts[l->pool + 2], out, 2);
}
