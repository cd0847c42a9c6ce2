#include "perps/perps_order_view.h"

#include "codec/u256.h"
#include "model/amount.h"
#include "perps/number.h"
#include "perps/perps_terms.h"
#include "perps/universe.h"

static char *units_text(struct arena *a, uint64_t units)
{
    return amount_text(a, (struct amount){ u256_from_u64(units), PERPS_PLACES });
}

static void units_write(struct json_writer *w, const char *key, uint64_t units)
{
    jw_string(w, key, units_text(w->arena, units));
}

static const char *side_text(bool sells)
{
    return sells ? PERPS_SHORT : PERPS_LONG;
}

/* Dollars for one, over all that its trades say; NULL before there is one. */
static char *average_text(struct arena *a, const struct perps_order *o)
{
    struct u256 average;

    if (o->filled == 0 || o->paid == 0 ||
        !u256_muldiv(&average, u256_from_u64(o->paid), u256_from_u64(100000000), u256_from_u64(o->filled)))
        return NULL;
    return amount_text(a, (struct amount){ average, PERPS_PLACES });
}

static void child_write(struct json_writer *w, enum perps_role role, const struct perps_child *c)
{
    if (c->status == 0)
        return;
    jw_object(w, NULL);
    jw_string(w, "id", perps_cloid_text(w->arena, c->cloid));
    jw_string(w, "kind", perps_role_text(role));
    units_write(w, "triggerPrice", c->trigger);
    jw_string(w, "status", order_status_text(c->status));
    jw_end(w);
}

void perps_order_view(struct json_writer *w, const struct perps_order *o)
{
    jw_string(w, "id", perps_cloid_text(w->arena, o->cloid));
    jw_string(w, "market", perps_market_name(w->arena, o->asset));
    jw_string(w, "side", side_text(o->sells));
    jw_string(w, "type",
              o->role != PERPS_ORDER ? perps_role_text(o->role)
              : o->is_market         ? "market"
                                     : "limit");
    units_write(w, "size", o->size);
    units_write(w, "price", o->role != PERPS_ORDER ? o->trigger : o->price);
    units_write(w, "filledSize", o->filled);
    jw_string_or_null(w, "averagePrice", average_text(w->arena, o));
    jw_string(w, "status", order_status_text(o->status));
    jw_bool(w, "reduceOnly", o->reduce_only);
    jw_integer(w, "leverage", o->leverage);
    jw_string(w, "marginMode", o->isolated ? "isolated" : "cross");
    jw_string(w, "timeInForce", perps_tif_text(o->tif));
    jw_string(w, "fee", perps_units_text(w->arena, o->fee));
    jw_array(w, "children");
    child_write(w, PERPS_TAKE_PROFIT, &o->gain);
    child_write(w, PERPS_STOP_LOSS, &o->loss);
    jw_end(w);
    jw_string_or_null(w, "error", o->status == ORDER_REJECTED ? o->error_message : NULL);
    jw_true_if(w, "cancelRequested", o->cancel_requested_ms != 0 && order_is_open(o->status));
    jw_time(w, "created_at", o->created_ms);
    jw_time(w, "updated_at", o->updated_ms);
}

static const char *price_words(struct arena *a, const struct perps_order *o)
{
    if (o->role != PERPS_ORDER)
        return units_text(a, o->trigger);
    return perps_price_words(a, o->is_market, o->filled > 0, units_text(a, o->price));
}

static const char *filled_words(struct arena *a, const struct perps_order *o)
{
    const char *average = average_text(a, o);

    if (o->filled == 0)
        return "";
    return arena_printf(a, ", %s filled%s%s", units_text(a, o->filled), average != NULL ? " at " : "",
                        average != NULL ? average : "");
}

const char *perps_price_words(struct arena *a, bool is_market, bool is_filled, const char *price)
{
    if (!is_market)
        return price;
    return is_filled ? "the market" : arena_printf(a, "the market, %s at worst", price);
}

const char *perps_order_text(struct arena *a, const struct perps_order *o)
{
    const char *why = o->status == ORDER_REJECTED ? o->error_message : NULL;

    return arena_printf(a, "%s %s %s at %s: %s%s%s%s", side_text(o->sells), units_text(a, o->size),
                        perps_market_name(a, o->asset), price_words(a, o), order_status_text(o->status),
                        filled_words(a, o), why != NULL ? ". " : "", why != NULL ? why : "");
}

/* ---- the past ---- */

static bool is_ours(const struct perps_fill *f)
{
    for (size_t i = 0; i < PERPS_CLOID_LEN; i++)
        if (f->cloid[i] != 0)
            return true;
    return false;
}

void perps_fill_view(struct json_writer *w, const struct perps_fill *f)
{
    jw_string(w, "id", arena_printf(w->arena, "%llu", (unsigned long long)f->trade));
    jw_string_or_null(w, "order", is_ours(f) ? perps_cloid_text(w->arena, f->cloid) : NULL);
    jw_string(w, "market", perps_market_name(w->arena, f->asset));
    jw_string(w, "side", side_text(f->sells));
    units_write(w, "price", f->price);
    units_write(w, "size", f->size);
    jw_string(w, "fee", perps_units_text(w->arena, f->fee));
    jw_string(w, "closedPnl", perps_units_text(w->arena, f->gain));
    jw_bool(w, "liquidation", f->liquidation);
    jw_time(w, "created_at", f->at_ms);
}

static char *rate_text(struct arena *a, int64_t rate)
{
    uint64_t size = rate < 0 ? 0 - (uint64_t)rate : (uint64_t)rate;

    return arena_printf(a, "%s%s", rate < 0 ? "-" : "",
                        amount_text(a, (struct amount){ u256_from_u64(size), PERPS_SHARE_PLACES }));
}

void perps_payment_view(struct json_writer *w, const struct perps_payment *p)
{
    jw_string(w, "market", perps_market_name(w->arena, p->asset));
    jw_string(w, "rate", rate_text(w->arena, p->rate));
    jw_string(w, "size", perps_units_text(w->arena, p->size));
    jw_string(w, "amount", perps_units_text(w->arena, p->amount));
    jw_time(w, "created_at", p->at_ms);
}
