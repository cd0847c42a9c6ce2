#include "perps/perps_account.h"

#include <string.h>

#include "base/clock.h"
#include "base/json_reader.h"
#include "perps/key_choice.h"
#include "perps/number.h"
#include "perps/perps_lately.h"
#include "perps/perps_markets.h"
#include "perps/perps_venue.h"
#include "perps/venue_ledger.h"
#include "perps/wallet_state.h"
#include "service/conf.h"
#include "store/agent_versions.h"
#include "store/perps_transfers.h"
#include "store/trading_keys.h"

enum {
    STATE_LIFE_MS = 1000,
    OWNER_LIFE_MS = 50 * 60 * 1000,
    STRANGER_LIFE_MS = 30 * 1000, /* of one that has nothing there yet: what it becomes is open */
    AGENT_LIFE_MS = 60 * 1000,
    FEES_LIFE_MS = 10 * 60 * 1000,
    LEDGER_SINCE_MS = 60 * 60 * 1000,
    PRICE_PLACES = 6,
    DOLLAR_PLACES = 6,
};

/* Whom a question is about. */
struct holder {
    const char *address;
    struct evm_addr user;
    const char *key;             /* that trades for it, as far as is known here */
    const struct wallet *wallet; /* NULL: what is public */
};

static struct holder holder_of(const struct wallet *w)
{
    const char *address = w != NULL ? w->ref.address : EVM_ADDR_ZERO;

    return (struct holder){ address, evm_addr_or_zero(address), "", w };
}

static struct cache_query holder_question(const struct ctx *ctx, struct arena *a, const char *what,
                                          const struct holder *h, unsigned life_ms, cache_fill *make)
{
    const char *about = arena_printf(a, "%s%s", h->address, h->key);

    return (struct cache_query){ &perps_venue, perps_cache_key(ctx, a, what, about), life_ms, make, h };
}

static const struct err *holder_kept(const struct ctx *ctx, struct arena *a, const char *what,
                                     const struct holder *h, unsigned life_ms, cache_fill *make,
                                     const char **text)
{
    const struct cache_query q = holder_question(ctx, a, what, h, life_ms, make);

    return cached_answer(ctx, a, &q, text);
}

/* Answers that the wallet's own orders and transfers change are cached under the version that these have
 * left. */
static const struct err *own_kept(const struct ctx *ctx, struct arena *a, const char *what,
                                  const struct wallet *w, const struct holder *h, cache_fill *make,
                                  const char **text)
{
    const char *version = agent_versions_read(ctx->db, a, w->agent_id);

    if (version == NULL)
        return &E_INTERNAL;
    return holder_kept(ctx, a, arena_printf(a, "%s %s", what, version), h, STATE_LIFE_MS, make, text);
}

/* ---- the cached account ---- */

/* With the only answer that says whom it is about: a venue that mistakes the wallet for another is found out.
 */
static const struct err *make_owner(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    const struct holder *h = what;
    const struct err *e;
    struct perps_leverage ignored;
    struct perps_names names;
    struct perps_asking q = { .count = 2 };
    enum perps_mode mode = PERPS_DEFAULT;

    if (!perps_names_of(&names, w->arena, ctx->conf))
        return &E_INTERNAL;
    q.questions[0] = (struct perps_question){ .type = "userAbstraction", .user = &h->user };
    q.questions[1] =
        (struct perps_question){ .type = "activeAssetData", .asset = names.list[0], .user = &h->user };
    e = perps_ask(ctx, w->arena, &q);
    if (e == NULL && !perps_read_mode(&q.calls[0].answer, &mode))
        e = perps_senseless("userAbstraction");
    if (e == NULL && !perps_read_leverage(&q.calls[1].answer, &h->user, names.list[0], &ignored))
        e = perps_senseless("activeAssetData");
    perps_asking_free(&q);
    jw_string(w, "mode", perps_mode_name(mode));
    return e;
}

static const struct err *owner_find(const struct ctx *ctx, struct arena *a, const struct holder *h,
                                    unsigned life_ms, enum perps_mode *out)
{
    const char *text = NULL, *name;
    const struct err *e = holder_kept(ctx, a, "owner", h, life_ms, make_owner, &text);
    json_t *doc;

    if (e != NULL)
        return e;
    doc = json_read(text, strlen(text));
    name = json_string_value(json_object_get(doc, "mode"));
    if (name == NULL || !perps_mode_find(out, name))
        e = &E_INTERNAL;
    json_decref(doc);
    return e;
}

/* ---- its trading keys ---- */

static const char *key_status(const struct perps_agent *agent, int64_t now_ms)
{
    return agent->until_ms == 0 || agent->until_ms > now_ms ? "active" : "expired";
}

static const struct err *make_agent(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    const struct holder *h = what;
    struct perps_asking q = { .questions = { { .type = "extraAgents", .user = &h->user } }, .count = 1 };
    struct perps_agent agent = { .address = NULL };
    const struct err *e = perps_ask(ctx, w->arena, &q);
    bool there = false;

    if (e == NULL && !perps_read_agent(w->arena, &q.calls[0].answer, perps_key_names, &agent, &there))
        e = perps_senseless("extraAgents");
    perps_asking_free(&q);
    jw_object(w, "tradingKey");
    jw_string_or_null(w, "address", agent.address);
    jw_string(w, "status", there ? key_status(&agent, clock_ms()) : "none");
    jw_time(w, "expiresAt", agent.until_ms);
    jw_end(w);
    return e;
}

/* ---- the account ---- */

/* A unified account: dollars by the spot state, and the gain of positions. The perpetuals' own state has only
 * isolated positions then. */
static bool unify(struct arena *a, struct perps_state *s, const struct perps_spot *spot)
{
    s->withdrawable = perps_difference(a, spot->total, spot->hold);
    s->value = perps_sum(a, s->value, spot->total);
    for (size_t i = 0; s->value != NULL && i < s->count; i++)
        if (s->positions[i].is_cross)
            s->value = perps_sum(a, s->value, s->positions[i].gain);
    return s->value != NULL && s->withdrawable != NULL;
}

/* Transfers that were told of a moment ago, and the venue's ledger of the same moment as the rest: where that
 * lacks them, so does the rest. */
struct transfers_lately {
    struct perps_transfer_lately *list;
    int count;
    struct venue_ledger ledger;
};

/* `lately` with no transfer, or NULL: the ledger is not asked. */
static const struct err *state_ask(const struct ctx *ctx, struct arena *a, const struct holder *h,
                                   struct perps_state *state, struct perps_spot *spot,
                                   struct transfers_lately *lately)
{
    struct perps_asking q = { .questions = { { .type = "clearinghouseState", .user = &h->user },
                                             { .type = "spotClearinghouseState", .user = &h->user },
                                             { .type = "userNonFundingLedgerUpdates", .user = &h->user } },
                              .count = spot != NULL ? 2 : 1 };
    const struct err *e;

    if (lately != NULL && lately->count > 0) {
        q.questions[2].since_ms = clock_ms() - LEDGER_SINCE_MS;
        q.count = 3;
    }
    e = perps_ask(ctx, a, &q);

    if (e == NULL && !perps_read_state(a, &q.calls[0].answer, &h->user, state))
        e = perps_senseless("clearinghouseState");
    if (e == NULL && spot != NULL && !perps_read_spot(a, &q.calls[1].answer, spot))
        e = perps_senseless("spotClearinghouseState");
    if (e == NULL && q.count == 3 && !venue_ledger_read(a, &q.calls[2].answer, &h->user, &lately->ledger))
        e = perps_senseless("userNonFundingLedgerUpdates");
    perps_asking_free(&q);
    return e != NULL ? e : perps_lay_lately(ctx, a, h->wallet, state);
}

static bool has_something(const struct perps_state *s, const struct perps_spot *spot)
{
    return s->count > 0 || !perps_is_zero(s->value) || !perps_is_zero(spot->total);
}

static bool transfer_is_shown(const struct transfers_lately *l, const struct perps_transfer_lately *t)
{
    return t->leaves ? venue_ledger_has(&l->ledger, t->nonce) : venue_ledger_has_id(&l->ledger, t->id);
}

static bool transfers_lay(struct arena *a, struct perps_state *s, const struct transfers_lately *l)
{
    for (int i = 0; i < l->count && s->value != NULL && s->withdrawable != NULL; i++) {
        const struct perps_transfer_lately *t = &l->list[i];
        const char *dollars = amount_text(a, (struct amount){ t->amount, DOLLAR_PLACES });

        if (transfer_is_shown(l, t))
            continue;
        s->value = perps_sum(a, s->value, t->leaves ? arena_printf(a, "-%s", dollars) : dollars);
        s->withdrawable = t->leaves ? perps_difference(a, s->withdrawable, dollars)
                                    : perps_sum(a, s->withdrawable, dollars);
    }
    return s->value != NULL && s->withdrawable != NULL;
}

/* How the account is kept. `now`: money is moved by it, so it is not what was kept of before. A wallet whose
 * dollars are all beside its margin may have changed its mode: in a unified one both are one. */
static const struct err *mode_find(const struct ctx *ctx, struct arena *a, const struct holder *h, bool now,
                                   const struct perps_state *s, const struct perps_spot *spot,
                                   enum perps_mode *out)
{
    unsigned usual_ms = has_something(s, spot) ? OWNER_LIFE_MS : STRANGER_LIFE_MS;
    const struct err *e = owner_find(ctx, a, h, now ? 0 : usual_ms, out);
    bool bare = s->count == 0 && perps_is_zero(s->value);

    return e == NULL && !now && bare && !perps_mode_is_unified(*out)
               ? owner_find(ctx, a, h, STRANGER_LIFE_MS, out)
               : e;
}

static const struct err *account_read(const struct ctx *ctx, struct arena *a, const struct holder *h,
                                      bool now, struct perps_state *s, struct perps_spot *spot,
                                      enum perps_mode *mode)
{
    struct transfers_lately lately = { .list = NULL };
    const struct err *e;

    if (h->wallet != NULL)
        lately.count = perps_transfers_lately(ctx->db, a, h->wallet->id, &lately.list);
    if (lately.count < 0)
        return &E_INTERNAL;
    e = state_ask(ctx, a, h, s, spot, &lately);
    if (e == NULL)
        e = mode_find(ctx, a, h, now, s, spot, mode);
    if (e == NULL && perps_mode_is_unified(*mode) && !unify(a, s, spot))
        e = perps_senseless("spotClearinghouseState");
    if (e == NULL && !transfers_lay(a, s, &lately))
        e = perps_senseless("clearinghouseState");
    return e;
}

static const struct err *make_account(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    const struct holder *h = what;
    struct perps_state state;
    struct perps_spot spot;
    enum perps_mode mode;
    const char *key = NULL;
    const struct err *e = account_read(ctx, w->arena, h, false, &state, &spot, &mode);

    if (e == NULL)
        e = holder_kept(ctx, w->arena, "agent", h, AGENT_LIFE_MS, make_agent, &key);
    if (e != NULL)
        return e;
    jw_object(w, "account");
    jw_string(w, "wallet_address", h->address);
    jw_string(w, "mode", perps_mode_name(mode));
    jw_string(w, "accountValue", state.value);
    jw_string(w, "withdrawable", state.withdrawable);
    jw_string(w, "marginUsed", state.margin);
    jw_members(w, key, strlen(key), NULL);
    jw_end(w);
    return NULL;
}

const struct err *perps_account(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                const char **text)
{
    struct holder h = holder_of(w);
    struct trading_key key;
    enum lookup found = trading_keys_approved(ctx->db, w->id, &key);

    if (found == LOOKUP_ERROR)
        return &E_INTERNAL;
    if (found == LOOKUP_FOUND)
        h.key = key.address; /* a new one is asked about anew */
    return own_kept(ctx, a, "account", w, &h, make_account, text);
}

/* One wallet's account, asked now. */
struct account_seen {
    struct perps_state state;
    struct perps_spot spot;
    enum perps_mode mode;
};

static const struct err *account_see(const struct ctx *ctx, struct arena *a, const struct wallet *w, bool now,
                                     struct account_seen *out)
{
    const struct holder h = holder_of(w);

    out->mode = PERPS_DEFAULT;
    return account_read(ctx, a, &h, now, &out->state, &out->spot, &out->mode);
}

const struct err *perps_withdrawable(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                     struct perps_withdrawable *out)
{
    struct account_seen seen;
    const struct err *e = account_see(ctx, a, w, true, &seen);

    if (e != NULL)
        return e;
    *out = (struct perps_withdrawable){ .has_something =
                                            seen.state.count > 0 || !perps_is_zero(seen.state.value),
                                        .unified = perps_mode_is_unified(seen.mode),
                                        .dollars = seen.state.withdrawable };
    return NULL;
}

const struct err *perps_held(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                             struct perps_held *out)
{
    struct account_seen seen;
    const struct err *e = account_see(ctx, a, w, false, &seen);

    if (e != NULL)
        return e;
    *out = (struct perps_held){ .has_something =
                                    has_something(&seen.state, &seen.spot) || seen.spot.coin_count > 0,
                                .dollars = perps_mode_is_unified(seen.mode)
                                               ? seen.state.value
                                               : perps_sum(a, seen.state.value, seen.spot.total),
                                .coins = seen.spot.coins,
                                .coin_count = seen.spot.coin_count };
    return out->dollars != NULL ? NULL : perps_senseless("spotClearinghouseState");
}

/* ---- positions ---- */

/* The price of a position in an unlisted market, by the venue's value of it. */
static const char *price_by_value(struct arena *a, const struct perps_position *p)
{
    struct amount value, size, price = { .decimals = PRICE_PLACES };

    if (!perps_amount(&value, p->value) || !perps_amount(&size, p->size) ||
        !u256_muldiv(&price.raw, value.raw, u256_from_u64(1000000), size.raw))
        return "0";
    return amount_text(a, price);
}

static void position_write(struct json_writer *w, const struct holder *h, const struct perps_position *p,
                           const struct perps_market *m)
{
    const char *market = perps_market_name(w->arena, p->asset);

    jw_object(w, NULL);
    jw_string(w, "id", arena_printf(w->arena, "%s:%s", h->address, market));
    jw_string(w, "market", market);
    jw_string(w, "side", p->is_short ? "short" : "long");
    perps_number_write(w, "size", p->size);
    jw_integer(w, "leverage", p->leverage);
    perps_number_write(w, "entryPrice", p->entry);
    perps_number_write(w, "markPrice", m != NULL ? m->mark : price_by_value(w->arena, p));
    perps_number_write(w, "margin", p->margin);
    perps_number_write(w, "unrealizedPnl", p->gain);
    perps_number_write(w, "liquidationPrice", p->liquidation);
    perps_number_write(w, "fundingRate", m != NULL ? m->funding : "0");
    jw_string(w, "marginMode", p->is_cross ? "cross" : "isolated");
    perps_number_write(w, "fundingPaid", p->funding);
    perps_number_write(w, "positionValue", p->value);
    jw_end(w);
}

static const struct err *make_positions(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    const struct holder *h = what;
    struct perps_list list = { .count = 0 };
    struct perps_state state;
    enum perps_mode ignored;
    const struct err *e = state_ask(ctx, w->arena, h, &state, NULL, NULL);

    if (e == NULL)
        e = owner_find(ctx, w->arena, h, OWNER_LIFE_MS, &ignored);
    if (e == NULL && state.count > 0)
        e = perps_list(ctx, w->arena, &list);
    if (e != NULL)
        return e;
    jw_array(w, "positions");
    for (size_t i = 0; i < state.count; i++)
        position_write(w, h, &state.positions[i], perps_list_find(&list, state.positions[i].asset));
    jw_end(w);
    return NULL;
}

const struct err *perps_positions(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                  const char **text)
{
    const struct holder h = holder_of(w);

    return own_kept(ctx, a, "positions", w, &h, make_positions, text);
}

/* ---- fees ---- */

static const struct err *make_fees(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    const struct holder *h = what;
    struct perps_asking q = { .questions = { { .type = "userFees", .user = &h->user } }, .count = 1 };
    const struct err *e = perps_ask(ctx, w->arena, &q);
    const char *taker = NULL;

    if (e == NULL && !perps_read_fees(w->arena, &q.calls[0].answer, &taker))
        e = perps_senseless("userFees");
    perps_asking_free(&q);
    jw_string_or_null(w, "taker", taker);
    return e;
}

const struct err *perps_taker_fee(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                  struct amount *rate)
{
    const struct holder h = holder_of(w);
    const struct cache_query q = holder_question(ctx, a, "fees", &h, FEES_LIFE_MS, make_fees);
    const char *text = NULL, *taker;
    const struct err *e = cached_answer_often(ctx, a, &q, &text);
    json_t *doc;

    if (e != NULL)
        return e;
    doc = json_read_texts(text, strlen(text));
    taker = perps_number(a, doc, "taker");
    if (taker == NULL || !perps_share(rate, taker))
        e = &E_INTERNAL;
    json_decref(doc);
    return e;
}
