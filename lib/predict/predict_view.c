#include "predict/predict_view.h"
#include "base/json_reader.h"

#include <string.h>

/* A decimal as a JSON number, with the digits that it has. */
static void decimal_write(struct json_writer *w, const char *key, const char *decimal)
{
    jw_raw(w, key, decimal, strlen(decimal), NULL);
}

void market_view(struct json_writer *w, const struct market *m)
{
    jw_string(w, "id", m->id);
    jw_string(w, "conditionId", m->condition);
    jw_string(w, "question", m->question);
    jw_string(w, "category", m->category);
    jw_string_or_null(w, "endDate", m->end_date);
    jw_string(w, "volume", m->volume);
    jw_string(w, "liquidity", m->liquidity);
    jw_array(w, "outcomes");
    for (size_t i = 0; i < m->outcome_count; i++) {
        jw_object(w, NULL);
        jw_string(w, "name", m->outcomes[i].name);
        decimal_write(w, "price", m->outcomes[i].price);
        jw_string(w, "tokenId", m->outcomes[i].token);
        jw_end(w);
    }
    jw_end(w);
    jw_array(w, "outcomePrices");
    for (size_t i = 0; i < m->outcome_count; i++)
        decimal_write(w, NULL, m->outcomes[i].price);
    jw_end(w);
    jw_array(w, "tokens");
    for (size_t i = 0; i < m->outcome_count; i++) {
        jw_object(w, NULL);
        jw_string(w, "tokenId", m->outcomes[i].token);
        jw_string(w, "outcome", m->outcomes[i].name);
        jw_end(w);
    }
    jw_end(w);
    jw_bool(w, "active", m->active);
    jw_string(w, "status", market_status_name(m->status));
    jw_string_or_null(w, "exchange", m->has_exchange ? polymarket_exchange_name(m->exchange) : NULL);
}

void market_view_detail(struct json_writer *w, const struct market *m)
{
    market_view(w, m);
    jw_string_or_null(w, "description", m->description);
    jw_string_or_null(w, "createdAt", m->created);
    jw_string_or_null(w, "resolvedOutcome", m->resolved_outcome);
    jw_string_or_null(w, "tickSize", m->tick);
    jw_string_or_null(w, "minOrderSize", m->min_size);
    jw_string_or_null(w, "feeRate", m->fee_rate);
    if (m->fee_rate != NULL)
        jw_integer(w, "feeExponent", m->fee_exponent);
    else
        jw_null(w, "feeExponent");
    jw_bool(w, "negRisk", m->neg_risk);
    jw_bool(w, "closed", m->closed);
}

static void exchange_of_view(struct market *out, const char *name)
{
    for (enum polymarket_exchange e = POLYMARKET_V2; name != NULL && e <= POLYMARKET_V3; e++)
        if (strcmp(name, polymarket_exchange_name(e)) == 0) {
            out->has_exchange = true;
            out->exchange = e;
        }
}

void market_of_view(struct market *out, struct arena *a, const json_t *detail)
{
    const json_t *row;
    size_t i;

    *out = (struct market){ .id = json_text_member(a, detail, "id"),
                            .condition = json_text_member(a, detail, "conditionId"),
                            .question = json_text_member(a, detail, "question"),
                            .tick = json_text_member(a, detail, "tickSize"),
                            .min_size = json_text_member(a, detail, "minOrderSize") };
    exchange_of_view(out, json_string_value(json_object_get(detail, "exchange")));
    json_array_foreach(json_object_get(detail, "outcomes"), i, row)
    {
        if (i < MARKET_OUTCOMES_MAX)
            out->outcomes[out->outcome_count++] =
                (struct outcome){ .name = json_text_member(a, row, "name"),
                                  .token = json_text_member(a, row, "tokenId") };
    }
}

void event_view(struct json_writer *w, const struct market_event *e)
{
    jw_string(w, "id", e->id);
    jw_string(w, "title", e->title);
    jw_string_or_null(w, "description", e->description);
    jw_string(w, "category", e->category);
    jw_string_or_null(w, "endDate", e->end_date);
    jw_string(w, "volume", e->volume);
    jw_string(w, "liquidity", e->liquidity);
    jw_array(w, "markets");
    for (size_t i = 0; i < e->count; i++) {
        jw_object(w, NULL);
        market_view(w, &e->markets[i]);
        jw_end(w);
    }
    jw_end(w);
}

static void levels_write(struct json_writer *w, const char *key, const struct book_level *levels,
                         size_t count)
{
    jw_array(w, key);
    for (size_t i = 0; i < count; i++) {
        jw_object(w, NULL);
        jw_string(w, "price", levels[i].price);
        jw_string(w, "size", levels[i].size);
        jw_end(w);
    }
    jw_end(w);
}

void book_view(struct json_writer *w, const struct market *m, const struct outcome *o, const struct book *b)
{
    jw_string(w, "outcome", o->name);
    jw_string(w, "tokenId", o->token);
    jw_string(w, "market", m->condition);
    jw_string(w, "assetId", o->token);
    levels_write(w, "bids", b->bids, b->bid_count);
    levels_write(w, "asks", b->asks, b->ask_count);
    jw_string_or_null(w, "midpoint", book_midpoint(w->arena, b));
    jw_string_or_null(w, "lastTradePrice", b->last_price);
    jw_string_or_null(w, "tickSize", b->tick != NULL ? b->tick : m->tick);
    jw_string_or_null(w, "minOrderSize", b->min_size != NULL ? b->min_size : m->min_size);
}

void price_view(struct json_writer *w, const struct market *m, const struct outcome *o, const struct book *b)
{
    (void)m;
    jw_string(w, "outcome", o->name);
    jw_string(w, "tokenId", o->token);
    jw_string_or_null(w, "mid", book_midpoint(w->arena, b));
}

void trade_view(struct json_writer *w, const struct market_trade *t)
{
    jw_string(w, "id", t->id);
    jw_string(w, "price", t->price);
    jw_string(w, "size", t->size);
    jw_string(w, "side", t->side);
    jw_time(w, "timestamp", t->time_ms);
    jw_string_or_null(w, "outcome", t->outcome);
    jw_string(w, "tokenId", t->token);
    jw_string(w, "tx_hash", t->tx_hash);
}

static void decimal_or_null_write(struct json_writer *w, const char *key, const char *decimal)
{
    if (decimal != NULL)
        decimal_write(w, key, decimal);
    else
        jw_null(w, key);
}

void position_view(struct json_writer *w, const struct market_position *p)
{
    jw_string(w, "asset", p->token);
    jw_string(w, "conditionId", p->condition);
    decimal_write(w, "size", p->size);
    decimal_write(w, "avgPrice", p->average_price);
    decimal_or_null_write(w, "realizedPnl", p->realized_profit);
    decimal_or_null_write(w, "unrealizedPnl", p->unrealized_profit);
    decimal_write(w, "currentPrice", p->price);
    jw_string_or_null(w, "question", p->question);
    jw_string_or_null(w, "outcome", p->outcome);
}
