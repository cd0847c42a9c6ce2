#include "venue/hyperliquid_action.h"

#include <inttypes.h>
#include <stdio.h>

#include "chain/evm/abi.h"
#include "chain/evm/eip712.h"
#include "codec/hex.h"
#include "codec/packet.h"
#include "venue/hyperliquid_fields.h"

enum { STRUCT_MAX = 16 * ABI_WORD, TYPE_MAX = 512 };

bool hyperliquid_is_trading(enum hyperliquid_kind kind)
{
    return kind <= HYPERLIQUID_NOOP;
}

/* `type` is none of the struct's name, which stands only in typed data. */
static const struct {
    const char *type, *name;
} kinds[] = {
    [HYPERLIQUID_ORDER] = { "order", NULL },
    [HYPERLIQUID_CANCEL] = { "cancelByCloid", NULL },
    [HYPERLIQUID_LEVERAGE] = { "updateLeverage", NULL },
    [HYPERLIQUID_SCHEDULE] = { "scheduleCancel", NULL },
    [HYPERLIQUID_NOOP] = { "noop", NULL },
    [HYPERLIQUID_APPROVE] = { "approveAgent", "ApproveAgent" },
    [HYPERLIQUID_WITHDRAW] = { "withdraw3", "Withdraw" },
    [HYPERLIQUID_CLASS_TRANSFER] = { "usdClassTransfer", "UsdClassTransfer" },
    [HYPERLIQUID_SEND] = { "sendToEvmWithData", "SendToEvmWithData" },
};

const char *hyperliquid_kind_text(enum hyperliquid_kind kind)
{
    return kinds[kind].type;
}

bool hyperliquid_is_trigger(const struct hyperliquid_order *o)
{
    return o->kind >= HYPERLIQUID_TAKE_PROFIT;
}

/* ---- trading ---- */

static void put_limit(struct fields *f, const struct hyperliquid_order *o)
{
    static const char *const forces[] = {
        [HYPERLIQUID_GTC] = "Gtc", [HYPERLIQUID_IOC] = "Ioc", [HYPERLIQUID_ALO] = "Alo"
    };

    fields_map(f, "limit", 1);
    fields_text(f, "tif", forces[o->kind]);
    fields_map_end(f);
}

static void put_trigger(struct fields *f, const struct hyperliquid_order *o)
{
    fields_map(f, "trigger", 3);
    fields_bool(f, "isMarket", o->trigger_is_market);
    fields_decimal(f, "triggerPx", o->trigger_price);
    fields_text(f, "tpsl", o->kind == HYPERLIQUID_TAKE_PROFIT ? "tp" : "sl");
    fields_map_end(f);
}

static void put_order(struct fields *f, const struct hyperliquid_order *o)
{
    fields_map(f, NULL, o->has_cloid ? 7 : 6);
    fields_u32(f, "a", o->asset);
    fields_bool(f, "b", o->buy);
    fields_decimal(f, "p", o->price);
    fields_decimal(f, "s", o->size);
    fields_bool(f, "r", o->reduce_only);
    fields_map(f, "t", 1);
    if (hyperliquid_is_trigger(o))
        put_trigger(f, o);
    else
        put_limit(f, o);
    fields_map_end(f);
    if (o->has_cloid)
        fields_hex(f, "c", o->cloid, sizeof o->cloid);
    fields_map_end(f);
}

static void put_orders(struct fields *f, const struct hyperliquid_action *a)
{
    static const char *const groupings[] = { [HYPERLIQUID_ALONE] = "na",
                                             [HYPERLIQUID_PARENT_FIRST] = "normalTpsl",
                                             [HYPERLIQUID_OF_A_POSITION] = "positionTpsl" };

    fields_list(f, "orders", (uint32_t)a->count);
    for (size_t i = 0; i < a->count; i++)
        put_order(f, &a->orders[i]);
    fields_list_end(f);
    fields_text(f, "grouping", groupings[a->grouping]);
}

static void put_cancels(struct fields *f, const struct hyperliquid_action *a)
{
    fields_list(f, "cancels", (uint32_t)a->count);
    for (size_t i = 0; i < a->count; i++) {
        fields_map(f, NULL, 2);
        fields_u32(f, "asset", a->cancels[i].asset);
        fields_hex(f, "cloid", a->cancels[i].cloid, sizeof a->cancels[i].cloid);
        fields_map_end(f);
    }
    fields_list_end(f);
}

static void put_leverage(struct fields *f, const struct hyperliquid_leverage *l)
{
    fields_u32(f, "asset", l->asset);
    fields_bool(f, "isCross", l->cross);
    fields_u32(f, "leverage", l->leverage);
}

/* Besides `type`. */
static uint32_t trading_members(const struct hyperliquid_action *a)
{
    static const uint32_t counts[] = { [HYPERLIQUID_ORDER] = 2,
                                       [HYPERLIQUID_CANCEL] = 1,
                                       [HYPERLIQUID_LEVERAGE] = 3,
                                       [HYPERLIQUID_SCHEDULE] = 1,
                                       [HYPERLIQUID_NOOP] = 0 };

    return a->kind == HYPERLIQUID_SCHEDULE && a->schedule == 0 ? 0 : counts[a->kind];
}

static void put_trading(struct fields *f, const struct hyperliquid_action *a)
{
    fields_map(f, NULL, 1 + trading_members(a));
    fields_text(f, "type", hyperliquid_kind_text(a->kind));
    if (a->kind == HYPERLIQUID_ORDER)
        put_orders(f, a);
    else if (a->kind == HYPERLIQUID_CANCEL)
        put_cancels(f, a);
    else if (a->kind == HYPERLIQUID_LEVERAGE)
        put_leverage(f, &a->leverage);
    else if (a->kind == HYPERLIQUID_SCHEDULE && a->schedule != 0)
        fields_u64(f, "time", a->schedule);
    fields_map_end(f);
}

/* Packed, then the nonce, no vault, and the end where there is one. */
static void trading_hash(uint8_t out[static HASH_LEN], const struct hyperliquid_action *a)
{
    struct buf packed = BUF_INIT(HYPERLIQUID_ACTION_MAX);
    struct fields f = { .packed = &packed };

    put_trading(&f, a);
    packet_put_u64(&packed, a->nonce);
    buf_addc(&packed, 0);
    if (a->expires_after != 0) {
        buf_addc(&packed, 0);
        packet_put_u64(&packed, a->expires_after);
    }
    keccak256(out, packed.data, packed.len);
    buf_free(&packed);
}

/* The hash as that of a phantom agent. */
static void trading_digest(uint8_t out[static HASH_LEN], const struct hyperliquid_action *a)
{
    static const struct evm_addr zero;
    uint8_t separator[HASH_LEN], connection[HASH_LEN], agent[HASH_LEN];
    struct buf words = BUF_INIT(STRUCT_MAX);

    trading_hash(connection, a);
    eip712_text(&words, "Agent(string source,bytes32 connectionId)");
    eip712_text(&words, a->testnet ? "b" : "a");
    buf_add(&words, connection, sizeof connection);
    eip712_words_hash(agent, &words);
    eip712_separator(separator, "Exchange", "1", HYPERLIQUID_CHAIN_ID, &zero);
    eip712_seal(out, separator, agent);
}

/* ---- messages that the account's own key signs ---- */

/* Arbitrum, as the venue's own page has it; any chain would do. */
enum { SIGNED_ON = 42161, SIGNED_ON_TESTNET = 421614 };

static void put_approval(struct fields *f, const struct hyperliquid_action *a)
{
    const struct hyperliquid_approval *p = &a->approval;
    char name[HYPERLIQUID_NAME_MAX + sizeof " valid_until 18446744073709551615"];

    if (p->valid_until == 0)
        (void)snprintf(name, sizeof name, "%s", p->name);
    else
        (void)snprintf(name, sizeof name, "%s valid_until %" PRIu64, p->name, p->valid_until);
    fields_addr(f, "agentAddress", p->key, false);
    fields_text(f, "agentName", name);
    fields_u64(f, "nonce", a->nonce);
}

static void put_withdrawal(struct fields *f, const struct hyperliquid_action *a)
{
    fields_addr(f, "destination", a->transfer.recipient, true);
    fields_decimal(f, "amount", a->transfer.amount);
    fields_u64(f, "time", a->nonce);
}

static void put_class_transfer(struct fields *f, const struct hyperliquid_action *a)
{
    fields_decimal(f, "amount", a->transfer.amount);
    fields_bool(f, "toPerp", a->transfer.to_perp);
    fields_u64(f, "nonce", a->nonce);
}

static void put_send(struct fields *f, const struct hyperliquid_action *a)
{
    const struct hyperliquid_transfer *t = &a->transfer;

    fields_text(f, "token", HYPERLIQUID_DOLLAR);
    fields_decimal(f, "amount", t->amount);
    fields_text(f, "sourceDex", t->from_spot ? "spot" : "");
    fields_addr(f, "destinationRecipient", t->recipient, true);
    fields_text(f, "addressEncoding", "hex");
    fields_u32(f, "destinationChainId", t->domain);
    fields_u64(f, "gasLimit", t->gas_limit);
    fields_no_bytes(f, "data");
    fields_u64(f, "nonce", a->nonce);
}

static void put_struct(struct fields *f, const struct hyperliquid_action *a)
{
    fields_text(f, "hyperliquidChain", a->testnet ? "Testnet" : "Mainnet");
    if (a->kind == HYPERLIQUID_APPROVE)
        put_approval(f, a);
    else if (a->kind == HYPERLIQUID_WITHDRAW)
        put_withdrawal(f, a);
    else if (a->kind == HYPERLIQUID_CLASS_TRANSFER)
        put_class_transfer(f, a);
    else
        put_send(f, a);
}

static uint64_t signed_on(const struct hyperliquid_action *a)
{
    return a->testnet ? SIGNED_ON_TESTNET : SIGNED_ON;
}

/* The members before those of the struct are not signed. */
static void put_typed(struct buf *json, const struct hyperliquid_action *a)
{
    struct fields f = { .json = json, .comma = true };

    buf_addf(json, "{\"type\":\"%s\",\"signatureChainId\":\"0x%" PRIx64 "\"", hyperliquid_kind_text(a->kind),
             signed_on(a));
    put_struct(&f, a);
    buf_addc(json, '}');
}

static void typed_digest(uint8_t out[static HASH_LEN], const struct hyperliquid_action *a)
{
    static const struct evm_addr zero;
    uint8_t separator[HASH_LEN], contents[HASH_LEN];
    struct buf types = BUF_INIT(TYPE_MAX), type = BUF_INIT(TYPE_MAX), members = BUF_INIT(STRUCT_MAX),
               words = BUF_INIT(STRUCT_MAX);
    struct fields f = { .types = &types, .words = &members };

    put_struct(&f, a);
    buf_addf(&type, "HyperliquidTransaction:%s(%s)", kinds[a->kind].name, buf_text(&types));
    eip712_text(&words, buf_text(&type));
    buf_add(&words, members.data, members.len);
    eip712_words_hash(contents, &words);
    eip712_separator(separator, "HyperliquidSignTransaction", "1", signed_on(a), &zero);
    eip712_seal(out, separator, contents);
    buf_free(&types);
    buf_free(&type);
    buf_free(&members);
}

/* ---- */

void hyperliquid_action_json(struct buf *out, const struct hyperliquid_action *a)
{
    struct fields f = { .json = out };

    if (hyperliquid_is_trading(a->kind))
        put_trading(&f, a);
    else
        put_typed(out, a);
}

void hyperliquid_body(struct buf *out, const struct hyperliquid_action *a, const uint8_t sig[static 65])
{
    struct fields f = { .json = out, .comma = true };

    buf_adds(out, "{\"action\":");
    hyperliquid_action_json(out, a);
    fields_u64(&f, "nonce", a->nonce);
    fields_map(&f, "signature", 3);
    fields_hex(&f, "r", sig, 32);
    fields_hex(&f, "s", sig + 32, 32);
    fields_u32(&f, "v", sig[64]);
    fields_map_end(&f);
    if (a->expires_after != 0)
        fields_u64(&f, "expiresAfter", a->expires_after);
    buf_addc(out, '}');
}

void hyperliquid_action_digest(uint8_t out[static HASH_LEN], const struct hyperliquid_action *a)
{
    if (hyperliquid_is_trading(a->kind))
        trading_digest(out, a);
    else
        typed_digest(out, a);
}
