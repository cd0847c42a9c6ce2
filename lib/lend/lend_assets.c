#include "lend/lend_assets.h"

#include <string.h>

#include "base/clock.h"
#include "lend/markets.h"
#include "model/execution.h"

static const char NAME[] = "lend";

/* Dollars as a lender reckons them have other decimals. */
static void part_add(struct assets *out, const struct wallet *w, const struct lend_market *m,
                     struct asset part, struct amount usd)
{
    if (amount_is_zero(part.held.balance))
        return;
    part.market = NAME;
    part.held.chain = m->chain;
    part.held.wallet = w->ref.address;
    part.held.priced = m->listed && amount_rescale_up(&part.held.usd, usd, RATE_PLACES);
    assets_add(out, part);
}

static void position_add(struct assets *out, const struct wallet *w, const struct lend_position *p)
{
    const struct lend_market *m = p->market;
    struct asset supplied = { .what = m->loan, .held.balance = { p->supplied, m->decimals } },
                 owed = { .what = m->loan, .held.balance = { p->borrowed, m->decimals }, .is_debt = true };

    part_add(out, w, m, supplied, lend_worth(m, p->supplied));
    if (strcmp(m->protocol, "morpho") == 0) /* collateral is another token than what is lent */
        part_add(out, w, m, (struct asset){ .what = m->collateral, .held.balance = p->collateral },
                 p->collateral_usd);
    part_add(out, w, m, owed, lend_worth(m, p->borrowed));
}

static void lend_read(const struct ctx *ctx, const struct assets_question *q, struct assets *out)
{
    for (size_t i = 0; i < q->count; i++) {
        const struct wallet *w = &q->wallets[i];
        struct lend_book book;

        if (w->ref.kind != WALLET_EVM)
            continue;
        if (clock_mono_ms() > q->until_ms) {
            assets_add_silent(out, (struct silent_market){ .market = NAME });
            return;
        }
        lend_held(ctx, out->arena, q->only, evm_addr_or_zero(w->ref.address), &book);
        for (size_t k = 0; k < book.position_count; k++)
            position_add(out, w, &book.positions[k]);
        for (size_t k = 0; k < book.unread_count; k++)
            assets_add_silent(out, (struct silent_market){ .market = NAME, .chain = book.unread[k] });
    }
}

const struct asset_source lend_assets = {
    .name = NAME,
    .kinds = 1u << KIND_LEND_SUPPLY | 1u << KIND_LEND_WITHDRAW | 1u << KIND_LEND_BORROW |
             1u << KIND_LEND_REPAY | 1u << KIND_LEND_COLLATERAL,
    .read = lend_read,
};
