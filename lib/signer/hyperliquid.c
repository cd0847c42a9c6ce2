#include "signer/hyperliquid.h"

#include <stdio.h>
#include <string.h>

#include "venue/hyperliquid_deposit.h"
#include "venue/hyperliquid_message.h"

static const char NOTHING[] = "price or amount of nothing",
                  NO_PERPETUAL[] = "no perpetual of the venue's own",
                  ELSEWHERE[] = "recipient is not the wallet";

struct hyperliquid_terms hyperliquid_terms_of(const struct conf *c)
{
    return (struct hyperliquid_terms){ .trading = c->perps_trading,
                                       .testnet = strcmp(c->perps_network, "testnet") == 0 };
}

/* ---- trading ---- */

static bool is_perpetual(uint32_t asset)
{
    return asset < HYPERLIQUID_SPOT_ASSETS;
}

/* A trigger that ends a position may leave its size open. */
static bool has_size(const struct hyperliquid_action *a, const struct hyperliquid_order *o)
{
    return o->size != 0 ||
           (a->grouping == HYPERLIQUID_OF_A_POSITION && hyperliquid_is_trigger(o) && o->reduce_only);
}

static const char *order_flaw(const struct hyperliquid_action *a, const struct hyperliquid_order *o)
{
    if (!is_perpetual(o->asset))
        return NO_PERPETUAL;
    if (o->price == 0 || !has_size(a, o) || (hyperliquid_is_trigger(o) && o->trigger_price == 0))
        return NOTHING;
    return NULL;
}

static const char *orders_flaw(const struct hyperliquid_action *a)
{
    const char *why = NULL;

    for (size_t i = 0; why == NULL && i < a->count; i++)
        why = order_flaw(a, &a->orders[i]);
    return why;
}

static const char *cancels_flaw(const struct hyperliquid_action *a)
{
    for (size_t i = 0; i < a->count; i++)
        if (!is_perpetual(a->cancels[i].asset))
            return NO_PERPETUAL;
    return NULL;
}

/* ---- transfers out of the account ---- */

static const char *transfer_flaw(const struct hyperliquid_action *a, const char *wallet)
{
    char recipient[EVM_ADDR_TEXT_LEN + 1];

    if (a->transfer.amount == 0)
        return NOTHING;
    if (a->kind == HYPERLIQUID_CLASS_TRANSFER)
        return NULL;
    evm_addr_text(recipient, a->transfer.recipient);
    if (strcmp(recipient, wallet) != 0)
        return ELSEWHERE;
    return a->kind == HYPERLIQUID_WITHDRAW || hyperliquid_is_domain(a->transfer.domain)
               ? NULL
               : "chain that wallets are not on";
}

/* ---- the amounts that count ---- */

/* Overflows count as more than any limit. */
static const struct u256 most = { { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };

static struct u256 dollars_up(struct u256 v, unsigned places)
{
    uint64_t unit = 1;
    struct u256 rest;

    while (places-- > HYPERLIQUID_DOLLAR_PLACES)
        unit *= 10;
    if (!u256_div(&v, &rest, v, u256_from_u64(unit)) ||
        !u256_add(&v, v, u256_from_u64(u256_is_zero(rest) ? 0 : 1)))
        v = most;
    return v;
}

/* The worth of orders that may open or enlarge a position. */
static struct u256 worth_of(const struct hyperliquid_action *a)
{
    struct u256 sum = U256_ZERO, worth;

    for (size_t i = 0; i < a->count; i++)
        if (!a->orders[i].reduce_only &&
            (!u256_mul(&worth, u256_from_u64(a->orders[i].price), u256_from_u64(a->orders[i].size)) ||
             !u256_add(&sum, sum, worth)))
            return most;
    return dollars_up(sum, 2 * HYPERLIQUID_PLACES);
}

/* ---- */

static const char *members_flaw(const struct hyperliquid_action *a, const char *address)
{
    switch (a->kind) {
    case HYPERLIQUID_ORDER:
        return orders_flaw(a);
    case HYPERLIQUID_CANCEL:
        return cancels_flaw(a);
    case HYPERLIQUID_LEVERAGE:
        return is_perpetual(a->leverage.asset) ? NULL : NO_PERPETUAL;
    case HYPERLIQUID_SCHEDULE:
    case HYPERLIQUID_NOOP:
    case HYPERLIQUID_APPROVE:
        return NULL;
    case HYPERLIQUID_WITHDRAW:
    case HYPERLIQUID_CLASS_TRANSFER:
    case HYPERLIQUID_SEND:
        return transfer_flaw(a, address);
    }
    return "no action";
}

static const char *action_flaw(const struct hyperliquid_action *a, const char *address, enum wallet_kind kind,
                               const struct hyperliquid_terms *terms)
{
    if (!terms->trading)
        return "trading of perpetuals is not configured";
    if (a->testnet != terms->testnet)
        return "another network than the operator's";
    if (hyperliquid_is_trading(a->kind) != (kind == WALLET_TRADING))
        return kind == WALLET_TRADING ? "a trading key only trades" : "only a trading key trades";
    return members_flaw(a, address);
}

bool act_read_hyperliquid(struct act *out, const uint8_t *message, size_t len, const char *address,
                          enum wallet_kind kind, const struct hyperliquid_terms *terms)
{
    struct hyperliquid_action a;

    *out = (struct act){ .chain_id = HYPERLIQUID_CHAIN_ID, .reading = TRADE_READ };
    if (!hyperliquid_message_read(&a, message, len))
        return false;
    out->action = hyperliquid_kind_text(a.kind);
    out->nonce = a.nonce;
    out->flaw = action_flaw(&a, address, kind, terms);
    out->trade.act = TRADE_ORDER;
    struct trade *t = &out->trade;

    (void)snprintf(t->sell, sizeof t->sell, HYPERLIQUID_DOLLAR);
    out->has_token = a.kind == HYPERLIQUID_ORDER;
    out->withdraws = a.kind == HYPERLIQUID_WITHDRAW || a.kind == HYPERLIQUID_SEND;
    t->amount =
        out->has_token ? worth_of(&a) : dollars_up(u256_from_u64(a.transfer.amount), HYPERLIQUID_PLACES);
    if (a.kind == HYPERLIQUID_APPROVE)
        evm_addr_text(out->trading_key, a.approval.key);
    return true;
}
