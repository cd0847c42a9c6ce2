/* Any answer of the venue of perpetuals: it is refused, or everything that was read is whole, can be
 * calculated with, and can be written as JSON. The first byte says which answer it is. */
#include <string.h>

#include "perps/perps_account.c"
#include "perps/perps_markets.c"

#include "answers.h"
#include "perps/margin.h"
#include "perps/order_read.h"

enum { ANSWER_MAX = 16 * 1024 * 1024 };

static const struct evm_addr user = { "the holder of all.." };
static const struct perps_names names = { { "BTC", "ETH", "SOL", "kPEPE" }, 4 };

/* What one of the functions below wrote is read again as it is from where it was kept. */
static json_t *written(struct json_writer *w)
{
    const char *text;
    json_t *doc;

    jw_end(w);
    text = jw_finish(w);
    MUST(text != NULL);
    doc = json_read_texts(text, strlen(text));
    MUST(doc != NULL);
    return doc;
}

static void begin(struct json_writer *w, struct arena *a)
{
    jw_init(w, a, ANSWER_MAX);
    jw_array(w, NULL);
}

static void asset_check(struct arena *a, const struct perps_asset *p)
{
    struct perps_asset again;
    struct json_writer w;
    json_t *doc;

    MUST(p->tier_count > 0 && p->tier_count <= PERPS_TIERS_MAX && p->sz_decimals <= PERPS_SIZE_PLACES_MAX);
    MUST(amount_is_zero(p->tiers[0].from) && p->leverage > 0);
    begin(&w, a);
    perps_asset_write(&w, p);
    doc = written(&w);
    MUST(perps_asset_read(a, json_array_get(doc, 0), &again));
    MUST(again.index == p->index && memcmp(again.tiers, p->tiers, sizeof p->tiers) == 0);
    json_decref(doc);
}

static void read_meta(struct arena *a, const struct buf *answer)
{
    struct perps_universe u;

    if (!perps_read_meta(a, answer, &names, &u))
        return;
    MUST(u.count <= names.count);
    for (size_t i = 0; i < u.count; i++)
        asset_check(a, &u.markets[i].asset);
}

static void read_contexts(struct arena *a, const struct buf *answer)
{
    static const struct conf conf = { .perps_max_leverage = PERPS_OWN_LEVERAGE_MAX };
    static const struct ctx ctx = { .conf = &conf };
    struct perps_universe u;
    struct perps_market again;
    struct json_writer w;
    json_t *doc;

    if (!perps_read_contexts(a, answer, &names, &u))
        return;
    begin(&w, a);
    for (size_t i = 0; i < u.count; i++) {
        asset_check(a, &u.markets[i].asset);
        jw_object(&w, NULL);
        market_write(&w, &ctx, &u.markets[i], 1);
        jw_end(&w);
    }
    doc = written(&w);
    for (size_t i = 0; i < u.count; i++) {
        MUST(market_read(a, json_array_get(doc, i), &again));
        MUST(strcmp(again.mark, u.markets[i].mark) == 0 && strcmp(again.funding, u.markets[i].funding) == 0);
        MUST((again.mid == NULL) == (u.markets[i].mid == NULL));
    }
    json_decref(doc);
}

/* Of all that a side has, a position with every leverage. */
static void bets_check(const struct perps_depth *d, bool is_short)
{
    const struct perps_asset p = { .leverage = 40, .tiers = { { .leverage = 40 } }, .tier_count = 1 };
    const struct perps_level *side = is_short ? d->bids : d->asks;
    size_t count = is_short ? d->bid_count : d->ask_count;
    struct perps_bet bet = { .is_short = is_short };
    struct perps_estimate is;

    if (count == 0 || !perps_amount(&bet.size, side[0].size) ||
        !perps_depth_cost(&bet.cost, side, count, bet.size))
        return;
    for (bet.leverage = 1; bet.leverage <= 40; bet.leverage++) {
        if (!perps_estimate(&is, &p, &bet, (struct amount){ { { 45000 } }, PERPS_PLACES }))
            continue;
        MUST(is_short == (u256_cmp(is.liquidation.raw, is.entry.raw) > 0) ||
             u256_cmp(is.liquidation.raw, is.entry.raw) == 0);
    }
}

static void read_depth(struct arena *a, const struct buf *answer)
{
    struct perps_depth d, again;
    struct json_writer w;
    const char *text;

    if (!perps_read_depth(a, answer, "ETH", &d))
        return;
    jw_init(&w, a, ANSWER_MAX);
    jw_object(&w, NULL);
    perps_depth_write(&w, &d);
    jw_end(&w);
    text = jw_finish(&w);
    MUST(text != NULL && perps_depth_of(a, text, &again));
    MUST(again.bid_count == d.bid_count && again.ask_count == d.ask_count);
    bets_check(&d, false);
    bets_check(&d, true);
}

static void read_state(struct arena *a, const struct buf *answer)
{
    const struct holder h = { "0x", user, "", NULL };
    const struct perps_spot spot = { .total = "1.5", .hold = "0.5" };
    struct perps_state s;
    struct json_writer w;
    json_t *doc;

    if (!perps_read_state(a, answer, &user, &s))
        return;
    begin(&w, a);
    for (size_t i = 0; i < s.count; i++)
        position_write(&w, &h, &s.positions[i], NULL);
    doc = written(&w);
    MUST(json_array_size(doc) == s.count);
    json_decref(doc);
    if (unify(a, &s, &spot))
        MUST(s.value != NULL && strcmp(s.withdrawable, "1") == 0);
}

static void read_spot(struct arena *a, const struct buf *answer)
{
    struct perps_spot s;

    if (perps_read_spot(a, answer, &s))
        MUST(*s.total != '-' && *s.hold != '-');
}

static void read_words(struct arena *a, const struct buf *answer)
{
    enum perps_mode mode, again;
    struct perps_agent agent;
    struct evm_addr key;
    const char *taker;
    struct amount rate;
    bool there;

    if (perps_read_mode(answer, &mode))
        MUST(perps_mode_find(&again, perps_mode_name(mode)) && again == mode);
    if (perps_read_fees(a, answer, &taker))
        MUST(perps_share(&rate, taker));
    if (perps_read_agent(a, answer, perps_key_names, &agent, &there) && there) {
        MUST(evm_addr_parse(&key, agent.address) && agent.until_ms >= 0);
        MUST(perps_read_key(answer, &key, &there) && there);
    }
}

static void read_leverage(struct arena *a, const struct buf *answer)
{
    struct perps_leverage l;

    (void)a;
    if (perps_read_leverage(answer, &user, "ETH", &l))
        MUST(l.value > 0 && l.value <= PERPS_LEVERAGE_MAX);
}

static void seen_check(const struct perps_seen *seen)
{
    MUST(seen->asset != NULL && perps_is_name(seen->asset) && seen->left <= seen->size);
    MUST((seen->state == PERPS_REJECTED) == (seen->why != NULL));
}

static void read_orders(struct arena *a, const struct buf *answer)
{
    struct perps_seen one, *list;
    struct perps_page page;
    bool known;
    size_t n;

    if (perps_read_status(a, answer, &one, &known) && known)
        seen_check(&one);
    if (perps_read_open(a, answer, &list, &n, &page))
        for (size_t i = 0; i < n; i++)
            seen_check(&list[i]);
}

static void read_past(struct arena *a, const struct buf *answer)
{
    struct perps_payment *payments;
    struct perps_fill *fills;
    struct perps_page page;
    size_t n;

    if (perps_read_fills(a, answer, &fills, &n, &page))
        for (size_t i = 0; i < n; i++)
            MUST(fills[i].size > 0 && fills[i].price > 0 && perps_is_name(fills[i].asset));
    if (perps_read_payments(a, answer, &payments, &n, &page))
        for (size_t i = 0; i < n; i++)
            MUST(perps_is_name(payments[i].asset) && payments[i].at_ms >= 0);
}

static void read_said(struct arena *a, const struct buf *answer)
{
    struct perps_reply said;

    perps_read_reply(a, answer, &said);
    MUST(said.text != NULL && (said.answer == PERPS_REPLY_REFUSED) == (said.why != NULL));
}

static void read_available(struct arena *a, const struct buf *answer)
{
    struct perps_available av;

    if (perps_read_available(a, answer, &av))
        MUST(av.to_buy.decimals == PERPS_PLACES && av.to_sell.decimals == PERPS_PLACES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static answer_fn *const readers[] = { read_meta, read_contexts, read_depth,    read_state,
                                          read_spot, read_words,    read_leverage, read_orders,
                                          read_past, read_said,     read_available };

    return answers_fuzz(readers, sizeof readers / sizeof readers[0], data, size);
}
