#include "venue/hyperliquid_deposit.h"

#include <stdio.h>
#include <string.h>

#include "chain/evm/abi.h"
#include "chain/tokens.h"
#include "codec/packet.h"

static bool is_dollar(const struct chain *c, const char *token)
{
    const struct token *dollar = token_find(c, "USDC");

    return dollar != NULL && strcmp(dollar->address_text, token) == 0;
}

/* ---- the bridge ---- */

const struct contract_kind hyperliquid_bridge = { 0 };

void hyperliquid_transfer_read(struct trade *t, const struct evm_call *call)
{
    const struct contract *k = t->act == TRADE_TRANSFER ? contract_at(call->chain, t->recipient) : NULL;

    if (k == NULL || k->kind != &hyperliquid_bridge || !is_dollar(call->chain, t->sell) ||
        u256_cmp(t->amount, u256_from_u64(HYPERLIQUID_BRIDGE_MIN)) < 0)
        return;
    t->act = TRADE_DEPOSIT;
    t->contract = k;
    t->minimum = t->amount;
    (void)snprintf(t->recipient, sizeof t->recipient, "%s", call->sender);
}

/* ---- CCTP ---- */

enum {
    BURN = 0x779b432d,
    VENUES_DOMAIN = 19,
    FAST = 1000, /* finality that is waited for */
    HOOK_WORDS = 2,
    HOOK_HEAD = 24 + 4,
    HOOK_CONTENT = EVM_ADDR_LEN + 4, /* recipient, where it arrives */
    HOOK_LEN = HOOK_HEAD + 4 + HOOK_CONTENT,
    PERPETUALS = 0,
};
static const uint32_t SPOT = UINT32_MAX;

enum { AMOUNT, DOMAIN, MINTED_FOR, TOKEN, CALLER, MAX_FEE, FINALITY, HOOK, MEMBERS };

static const char SIGNATURE[] =
    "depositForBurnWithHook(uint256,uint32,bytes32,address,bytes32,uint256,uint32,bytes)";

/* The contract at the venue that mints and forwards; it alone may be the burn's destination caller. */
static struct evm_addr forwarder(void)
{
    return evm_addr_or_zero("0xb21D281DEdb17AE5B501F6AA8256fe38C4e45757");
}

static void hook_write(struct buf *out, const struct hyperliquid_burn *b)
{
    static const char word[24] = "cctp-forward";

    buf_add(out, word, sizeof word);
    packet_put_u32(out, 0);
    packet_put_u32(out, HOOK_CONTENT);
    buf_add(out, b->recipient.bytes, EVM_ADDR_LEN);
    packet_put_u32(out, b->spot ? SPOT : PERPETUALS);
}

void hyperliquid_burn_write(struct buf *out, const struct hyperliquid_burn *b)
{
    struct buf hook = BUF_INIT(HOOK_LEN);

    hook_write(&hook, b);
    abi_selector(out, BURN);
    abi_u256(out, b->amount);
    abi_u64(out, VENUES_DOMAIN);
    abi_addr(out, forwarder());
    abi_addr(out, b->token);
    abi_addr(out, forwarder());
    abi_u256(out, b->max_fee);
    abi_u64(out, FAST);
    abi_u64(out, MEMBERS * ABI_WORD);
    abi_bytes_tail(out, hook.data, hook.len);
    buf_free(&hook);
}

static bool hook_read(struct hyperliquid_burn *b, const uint8_t *member)
{
    const uint8_t *p = form_content(member) + HOOK_HEAD + 4;
    uint32_t there;
    struct packet in = { p, HOOK_CONTENT };

    if (form_length(member) != HOOK_LEN || !packet_take(&in, b->recipient.bytes, EVM_ADDR_LEN) ||
        !packet_take_u32(&in, &there))
        return false;
    b->spot = there == SPOT;
    return true;
}

/* All that is not looked at here has to be what our own call has there. */
static bool is_as_written(const struct hyperliquid_burn *b, const struct evm_call *call)
{
    struct buf own = BUF_INIT(ABI_SELECTOR + (MEMBERS + 1 + HOOK_WORDS) * ABI_WORD);
    bool same;

    hyperliquid_burn_write(&own, b);
    same = !own.overflow && own.len == ABI_SELECTOR + call->len &&
           memcmp(own.data + ABI_SELECTOR, call->args, call->len) == 0;
    buf_free(&own);
    return same;
}

static bool check_burn(struct trade *out, const struct evm_call *call, const struct form *f)
{
    struct hyperliquid_burn b = { .amount = out->amount, .max_fee = u256_from_be(f->first[MAX_FEE]) };

    if (!is_dollar(call->chain, out->sell) || !abi_get_addr(&b.token, f->first[TOKEN], ABI_WORD, 0) ||
        !hook_read(&b, f->first[HOOK]) || !is_as_written(&b, call))
        return false;
    evm_addr_text(out->recipient, b.recipient);
    return u256_sub(&out->minimum, b.amount, b.max_fee);
}

static const struct call_row burns[] = {
    { BURN, TRADE_DEPOSIT, SIGNATURE, .sell = { WORD, TOKEN }, .amount = { WORD, AMOUNT },
      .check = check_burn },
    { 0 },
};

const struct contract_kind circle_messenger = { .calls = burns, .spender = true };

/* ---- chains ---- */

static const struct {
    const char *chain;
    uint32_t domain;
} domains[] = { { "ethereum", 0 }, { "arbitrum", 3 }, { "base", 6 } };
enum { DOMAINS = sizeof domains / sizeof domains[0] };

bool hyperliquid_domain(uint32_t *out, const struct chain *c)
{
    for (size_t i = 0; i < DOMAINS; i++) {
        if (strcmp(domains[i].chain, c->key) != 0)
            continue;
        *out = domains[i].domain;
        return true;
    }
    return false;
}

bool hyperliquid_is_domain(uint32_t domain)
{
    bool known = false;

    for (size_t i = 0; i < DOMAINS; i++)
        known = known || domains[i].domain == domain;
    return known;
}
