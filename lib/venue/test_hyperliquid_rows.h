/* For tests: rows of tests/vectors/hyperliquid.json as the actions they are of. */
#ifndef VENUE_TEST_HYPERLIQUID_ROWS_H
#define VENUE_TEST_HYPERLIQUID_ROWS_H

#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#define TEST_VECTORS "tests/vectors/hyperliquid.json"
#include "codec/test_vectors.h"
#include "venue/hyperliquid_message.h"

/* A decimal in 10^-8; *exact: it has no more places. */
static inline uint64_t row_decimal(const char *text, bool *exact)
{
    uint64_t v = strtoull(text, NULL, 10) * 100000000, unit = 10000000;
    const char *part = strchr(text, '.');

    *exact = true;
    for (part = part == NULL ? "" : part + 1; *part != '\0'; part++, unit /= 10) {
        v += (uint64_t)(*part - '0') * unit;
        *exact = *exact && (unit != 0 || *part == '0');
    }
    return v;
}

static inline uint64_t row_exact(const json_t *row, const char *name)
{
    bool exact;
    uint64_t v = row_decimal(test_text(row, name), &exact);

    CHECK(exact && test_text(row, name)[0] != '\0');
    return v;
}

static inline uint64_t row_u64(const json_t *row, const char *name)
{
    CHECK(json_is_integer(json_object_get(row, name)));
    return (uint64_t)json_integer_value(json_object_get(row, name));
}

static inline bool row_bool(const json_t *row, const char *name)
{
    CHECK(json_is_boolean(json_object_get(row, name)));
    return json_is_true(json_object_get(row, name));
}

static inline void row_cloid(uint8_t out[static HYPERLIQUID_CLOID_LEN], const json_t *row, const char *name)
{
    size_t n;
    const uint8_t *bytes = test_bytes(row, name, &n);

    CHECK(n == HYPERLIQUID_CLOID_LEN);
    memcpy(out, bytes, HYPERLIQUID_CLOID_LEN);
}

static inline enum hyperliquid_order_kind row_force(const char *tif)
{
    return strcmp(tif, "Gtc") == 0   ? HYPERLIQUID_GTC
           : strcmp(tif, "Ioc") == 0 ? HYPERLIQUID_IOC
                                     : HYPERLIQUID_ALO;
}

static inline struct hyperliquid_order row_order(const json_t *row)
{
    const json_t *t = json_object_get(row, "t"), *trigger = json_object_get(t, "trigger");
    struct hyperliquid_order o = { .asset = (uint32_t)row_u64(row, "a"),
                                   .buy = row_bool(row, "b"),
                                   .reduce_only = row_bool(row, "r"),
                                   .price = row_exact(row, "p"),
                                   .size = row_exact(row, "s"),
                                   .has_cloid = json_object_get(row, "c") != NULL };

    if (o.has_cloid)
        row_cloid(o.cloid, row, "c");
    if (trigger == NULL) {
        o.kind = row_force(test_text(json_object_get(t, "limit"), "tif"));
        return o;
    }
    o.kind = strcmp(test_text(trigger, "tpsl"), "tp") == 0 ? HYPERLIQUID_TAKE_PROFIT : HYPERLIQUID_STOP_LOSS;
    o.trigger_price = row_exact(trigger, "triggerPx");
    o.trigger_is_market = row_bool(trigger, "isMarket");
    return o;
}

static inline void row_orders(struct hyperliquid_action *a, const json_t *action)
{
    const char *grouping = test_text(action, "grouping");
    const json_t *order, *list = json_object_get(action, "orders");
    size_t i;

    a->kind = HYPERLIQUID_ORDER;
    a->grouping = strcmp(grouping, "na") == 0           ? HYPERLIQUID_ALONE
                  : strcmp(grouping, "normalTpsl") == 0 ? HYPERLIQUID_PARENT_FIRST
                                                        : HYPERLIQUID_OF_A_POSITION;
    CHECK(json_array_size(list) <= HYPERLIQUID_ORDERS_MAX);
    json_array_foreach(list, i, order) a->orders[a->count++] = row_order(order);
}

static inline void row_cancels(struct hyperliquid_action *a, const json_t *action)
{
    const json_t *row;
    size_t i;

    a->kind = HYPERLIQUID_CANCEL;
    json_array_foreach(json_object_get(action, "cancels"), i, row)
    {
        a->cancels[a->count].asset = (uint32_t)row_u64(row, "asset");
        row_cloid(a->cancels[a->count++].cloid, row, "cloid");
    }
}

static inline void row_transfer(struct hyperliquid_action *a, enum hyperliquid_kind kind,
                                const json_t *action)
{
    a->kind = kind;
    a->transfer.amount = row_exact(action, "amount");
    if (kind == HYPERLIQUID_WITHDRAW)
        a->transfer.recipient = evm_addr_or_zero(test_text(action, "destination"));
    else
        a->transfer.to_perp = row_bool(action, "toPerp");
}

/* False: it is none that the gateway has. */
static inline bool row_members(struct hyperliquid_action *a, const json_t *action)
{
    const char *type = test_text(action, "type");

    if (strcmp(type, "order") == 0 && json_object_get(action, "builder") == NULL) {
        row_orders(a, action);
    } else if (strcmp(type, "cancelByCloid") == 0) {
        row_cancels(a, action);
    } else if (strcmp(type, "updateLeverage") == 0) {
        a->kind = HYPERLIQUID_LEVERAGE;
        a->leverage = (struct hyperliquid_leverage){ .asset = (uint32_t)row_u64(action, "asset"),
                                                     .cross = row_bool(action, "isCross"),
                                                     .leverage = (uint32_t)row_u64(action, "leverage") };
    } else if (strcmp(type, "scheduleCancel") == 0) {
        a->kind = HYPERLIQUID_SCHEDULE;
        a->schedule = (uint64_t)json_integer_value(json_object_get(action, "time"));
    } else if (strcmp(type, "noop") == 0) {
        a->kind = HYPERLIQUID_NOOP;
    } else if (strcmp(type, "approveAgent") == 0) {
        a->kind = HYPERLIQUID_APPROVE;
        a->approval.key = evm_addr_or_zero(test_text(action, "agentAddress"));
        (void)snprintf(a->approval.name, sizeof a->approval.name, "%s", test_text(action, "agentName"));
    } else if (strcmp(type, "withdraw3") == 0) {
        row_transfer(a, HYPERLIQUID_WITHDRAW, action);
    } else if (strcmp(type, "usdClassTransfer") == 0) {
        row_transfer(a, HYPERLIQUID_CLASS_TRANSFER, action);
    } else {
        return false;
    }
    return true;
}

static inline bool row_action(struct hyperliquid_action *out, const json_t *row)
{
    json_t *action = json_loads(test_text(row, "action_json"), 0, NULL);
    const char *chain = test_text(action, "hyperliquidChain");
    bool ours = json_is_string(json_object_get(row, "vault_address")) == false;

    *out = (struct hyperliquid_action){ .testnet = strcmp(chain, "Testnet") == 0,
                                        .nonce = row_u64(row, "nonce") };
    out->expires_after = (uint64_t)json_integer_value(json_object_get(row, "expires_after"));
    ours = row_members(out, action) && ours;
    json_decref(action);
    return ours;
}

#endif
