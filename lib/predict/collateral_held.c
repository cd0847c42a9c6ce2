#include "predict/collateral_held.h"

#include <string.h>

#include "chain/tokens.h"
#include "predict/trading_wallet.h"
#include "service/conf.h"
#include "store/fills.h"
#include "store/predict_accounts.h"
#include "venue/polymarket_calls.h"

static const struct chain *polygon(void)
{
    return chain_by_id(POLYMARKET_CHAIN_ID);
}

static void held_remove(struct holdings *p, const struct token *t, const char *wallet)
{
    size_t kept = 0;

    for (size_t i = 0; i < p->count; i++)
        if (p->held[i].token != t || strcmp(p->held[i].wallet, wallet) != 0)
            p->held[kept++] = p->held[i];
    p->count = kept;
}

static void held_set(struct holdings *p, struct arena *a, const struct token *t, const char *wallet,
                     struct u256 amount)
{
    held_remove(p, t, wallet);
    if (u256_is_zero(amount))
        return;
    holdings_reserve(p, a, 1);
    p->held[p->count++] = (struct holding){
        .chain = polygon(), .token = t, .wallet = wallet, .balance = { amount, t->decimals }
    };
}

static void unread_add(struct holdings *p)
{
    for (size_t i = 0; i < p->unread_count; i++)
        if (p->unread[i] == polygon())
            return;
    p->unread[p->unread_count++] = polygon();
}

/* False: the database failed. */
static bool has_traded_itself(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                              struct predict_account *account, bool *traded)
{
    enum lookup found = predict_accounts_get(ctx->db, w, account);
    struct fill_settled *fills;
    int n = 0;

    if (found == LOOKUP_FOUND && account->kind == PREDICT_EOA)
        n = fills_settled(ctx->db, a, w->id, &fills);
    *traded = n > 0;
    return found != LOOKUP_ERROR && n >= 0;
}

void collateral_held_lay(const struct ctx *ctx, struct arena *a, const struct wallet *wallets, size_t count,
                         const struct chain *only, struct holdings *p)
{
    const struct token *collateral = token_find(polygon(), POLYMARKET_COLLATERAL);

    if (!ctx->conf->predict_trading || (only != NULL && only != polygon()))
        return;
    for (size_t i = 0; i < count; i++) {
        const struct wallet *w = &wallets[i];
        struct predict_account account;
        struct trading_wallet now;
        bool traded = false, known = true;

        if (w->ref.kind == WALLET_EVM)
            known = has_traded_itself(ctx, a, w, &account, &traded);
        if (traded)
            known = trading_wallet_look(ctx, a, &account, &now) == NULL;
        if (!known)
            unread_add(p);
        else if (traded)
            held_set(p, a, collateral, w->ref.address, now.collateral);
    }
}
