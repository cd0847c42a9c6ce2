#include "lend/watch_events.h"

#include <string.h>

#include "base/clock.h"
#include "codec/hex.h"
#include "lend/morpho.h"
#include "webhook/payload.h"

static void event_begin(struct json_writer *w, struct arena *a, const char *type,
                        const struct lend_watched *x)
{
    static const struct lend_account nothing = { .health = { { { 0 } }, 0 } };

    payload_open(w, a, type, clock_ms());
    jw_string(w, "wallet_address", x->watch->address);
    jw_string(w, "chain", x->chain->key);
    jw_integer(w, "chainId", (int64_t)x->chain->id);
    jw_string(w, "protocol", x->watch->protocol);
    jw_string(w, "market", x->watch->market);
    lend_standing_write(w, x->account != NULL ? x->account : &nothing);
}

const char *lend_low_body(struct arena *a, const struct lend_watched *x, uint32_t alert)
{
    const char *limit = ppm_text(a, (struct ppm){ alert });
    struct json_writer w;

    event_begin(&w, a, EVENT_LEND_LOW, x);
    jw_raw(&w, "alert", limit, strlen(limit), NULL);
    return payload_close(&w);
}

/* ---- amounts taken ---- */

static bool is_morpho(const struct lend_watched *x)
{
    return strcmp(x->watch->protocol, morpho_lender.protocol) == 0;
}

/* The one of a reserve, or the watched one of Morpho. NULL: it is not known. */
static const struct lend_market *market_of(const struct lend_watched *x, struct evm_addr asset)
{
    for (size_t i = 0; i < x->book->count; i++) {
        const struct lend_market *m = &x->book->markets[i];

        if (strcmp(m->protocol, x->watch->protocol) == 0 &&
            (is_morpho(x) ? strcmp(m->id, x->watch->market) == 0 : evm_addr_eq(m->asset, asset)))
            return m;
    }
    return NULL;
}

struct taken {
    const char *asset, *amount; /* names of the members */
    const struct evm_addr *of;  /* NULL: there is none */
    struct u256 units;
    bool collateral;
};

static void taken_write(struct json_writer *w, const struct lend_watched *x, const struct taken *t)
{
    const struct lend_market *m = t->of != NULL ? market_of(x, *t->of) : NULL;
    bool pledged = t->collateral && is_morpho(x);
    uint8_t decimals = m == NULL ? 0 : pledged ? m->collateral_decimals : m->decimals;

    if (m != NULL)
        jw_string(w, t->asset, pledged ? m->collateral : m->loan);
    else
        jw_string_or_null(w, t->asset, t->of != NULL ? evm_addr_print(w->arena, *t->of) : NULL);
    if (m != NULL && decimals <= AMOUNT_MAX_DECIMALS)
        amount_write(w, t->amount, (struct amount){ t->units, decimals });
    else
        jw_null(w, t->amount);
}

const char *lend_log_body(struct arena *a, const struct lend_watched *x, const struct lend_liquidation *l)
{
    const struct taken collateral = { "collateralAsset", "collateralTaken", &l->collateral, l->taken, true };
    const struct taken debt = { "debtAsset", "debtRepaid", &l->debt, l->repaid, false };
    char hash[2 * TX_HASH_MAX + 3] = "0x";
    struct json_writer w;

    event_begin(&w, a, EVENT_LEND_LIQUIDATED, x);
    taken_write(&w, x, &collateral);
    taken_write(&w, x, &debt);
    hex_encode(hash + 2, l->tx.bytes, l->tx.len);
    jw_string(&w, "tx_hash", hash);
    return payload_close(&w);
}

const char *lend_loss_body(struct arena *a, const struct lend_watched *x, const struct lend_loss *l)
{
    const struct evm_addr *had = l->had_collateral != NULL ? &l->had_collateral->asset : NULL,
                          *owed = l->had_debt != NULL ? &l->had_debt->asset : NULL;
    const struct taken collateral = { "collateralAsset", "collateralTaken", had, l->taken, true };
    const struct taken debt = { "debtAsset", "debtRepaid", owed, l->repaid, false };
    struct json_writer w;

    event_begin(&w, a, EVENT_LEND_LIQUIDATED, x);
    taken_write(&w, x, &collateral);
    taken_write(&w, x, &debt);
    jw_null(&w, "tx_hash");
    return payload_close(&w);
}
