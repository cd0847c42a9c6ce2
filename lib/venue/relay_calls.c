#include "venue/relay_calls.h"

#include <string.h>

#include "chain/evm/abi.h"
#include "chain/evm/eip712.h"
#include "chain/solana/solana_addr.h"
#include "chain/tokens.h"
#include "venue/bridges.h"

/* ---- the order's hash ---- */

#define FEE                                                                                                  \
    "Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)"
#define INPUT         "Input(InputPayment payment,InputRefund[] refunds)"
#define INPUT_PAYMENT "InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)"
#define INPUT_REFUND                                                                                         \
    "InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes " \
    "extraData)"
#define OUTPUT "Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)"
#define OUTPUT_PAYMENT                                                                                       \
    "OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)"
#define ORDER                                                                                                \
    "Order(string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,"    \
    "Fee[] fees)"

enum { WORDS_MAX = 1024 };

static void add_bytes(struct buf *words, struct relay_bytes b)
{
    eip712_bytes(words, b.p, b.n);
}

/* The struct's hash is a word of its container. */
static void add_struct(struct buf *words, struct buf *members)
{
    uint8_t hash[HASH_LEN];

    eip712_words_hash(hash, members);
    buf_add(words, hash, sizeof hash);
}

/* An array is the hash of its elements' words. */
static void add_array(struct buf *words, struct buf *elements)
{
    eip712_bytes(words, elements->data, elements->len);
    buf_free(elements);
}

static void add_refund(struct buf *words, const struct relay_refund *r)
{
    struct buf b = BUF_INIT(WORDS_MAX);

    eip712_text(&b, INPUT_REFUND);
    eip712_text(&b, r->chain);
    add_bytes(&b, r->recipient);
    add_bytes(&b, r->currency);
    abi_u256(&b, r->minimum);
    abi_u64(&b, r->deadline);
    add_bytes(&b, r->extra);
    add_struct(words, &b);
}

static void add_input(struct buf *words, const struct relay_order *o)
{
    struct buf b = BUF_INIT(WORDS_MAX), payment = BUF_INIT(WORDS_MAX), refunds = BUF_INIT(WORDS_MAX);

    eip712_text(&payment, INPUT_PAYMENT);
    eip712_text(&payment, o->input.chain);
    add_bytes(&payment, o->input.currency);
    abi_u256(&payment, o->input.amount);
    abi_u256(&payment, o->input.weight);
    for (size_t i = 0; i < o->input.refund_count; i++)
        add_refund(&refunds, &o->input.refunds[i]);
    eip712_text(&b, INPUT INPUT_PAYMENT INPUT_REFUND);
    add_struct(&b, &payment);
    add_array(&b, &refunds);
    add_struct(words, &b);
}

static void add_output(struct buf *words, const struct relay_order *o)
{
    struct buf b = BUF_INIT(WORDS_MAX), payment = BUF_INIT(WORDS_MAX), payments = BUF_INIT(WORDS_MAX);

    eip712_text(&payment, OUTPUT_PAYMENT);
    add_bytes(&payment, o->output.recipient);
    add_bytes(&payment, o->output.currency);
    abi_u256(&payment, o->output.minimum);
    abi_u256(&payment, o->output.expected);
    add_struct(&payments, &payment);
    eip712_text(&b, OUTPUT OUTPUT_PAYMENT);
    eip712_text(&b, o->output.chain);
    add_array(&b, &payments);
    abi_u64(&b, o->output.deadline);
    eip712_bytes(&b, "", 0); /* no calls */
    add_bytes(&b, o->output.extra);
    add_struct(words, &b);
}

static void add_fee(struct buf *words, const struct relay_fee *f)
{
    struct buf b = BUF_INIT(WORDS_MAX);

    eip712_text(&b, FEE);
    eip712_text(&b, f->recipient_chain);
    add_bytes(&b, f->recipient);
    eip712_text(&b, f->currency_chain);
    add_bytes(&b, f->currency);
    abi_u256(&b, f->amount);
    add_struct(words, &b);
}

void relay_order_id(uint8_t out[static HASH_LEN], const struct relay_order *o)
{
    struct buf b = BUF_INIT(WORDS_MAX), inputs = BUF_INIT(WORDS_MAX), fees = BUF_INIT(WORDS_MAX);
    struct evm_addr solver = { { 0 } };

    memcpy(solver.bytes, o->solver.p, o->solver.n < EVM_ADDR_LEN ? o->solver.n : EVM_ADDR_LEN);
    add_input(&inputs, o);
    for (size_t i = 0; i < o->fee_count; i++)
        add_fee(&fees, &o->fees[i]);
    eip712_text(&b, ORDER FEE INPUT INPUT_PAYMENT INPUT_REFUND OUTPUT OUTPUT_PAYMENT);
    eip712_text(&b, o->version);
    eip712_text(&b, o->solver_chain);
    abi_addr(&b, solver);
    abi_u256(&b, o->salt);
    add_array(&b, &inputs);
    add_output(&b, o);
    add_array(&b, &fees);
    eip712_words_hash(out, &b);
}

/* ---- deposits ---- */

/* Chains are ours by name, but for one. */
static const struct chain *chain_of(const char *name)
{
    return chain_find(strcmp(name, "bnb") == 0 ? "bsc" : name);
}

/* Contracts of Relay's own through which it may pay out; what else stood there would be called. */
static const struct {
    bool younger; /* of linea and mantle, which have addresses of their own */
    struct evm_addr router;
} routers[] = {
    { false, { { 0xb9, 0x2f, 0xe9, 0x25, 0xdc, 0x43, 0xa0, 0xec, 0xde, 0x6c,
                 0x8b, 0x1a, 0x27, 0x09, 0xc1, 0x70, 0xec, 0x4f, 0xff, 0x4f } } },
    { false, { { 0x07, 0x29, 0xe2, 0xa4, 0x71, 0x6d, 0x9f, 0x7d, 0xd1, 0x78,
                 0x58, 0xd5, 0xd5, 0x04, 0x42, 0x6d, 0x22, 0x86, 0x97, 0xf7 } } },
    { true, { { 0x9e, 0xf6, 0xd3, 0xc2, 0xf6, 0x0d, 0x7b, 0x90, 0x08, 0xd7,
                0x4c, 0xab, 0x1f, 0xc0, 0xf8, 0x99, 0xc9, 0x57, 0xc8, 0x19 } } },
    { true, { { 0x63, 0x28, 0xea, 0x02, 0xd2, 0x81, 0x31, 0xe5, 0x8b, 0x28,
                0xe5, 0x5c, 0x62, 0x58, 0x25, 0x8a, 0x30, 0xd9, 0x0e, 0x05 } } },
};

static bool is_younger(const struct chain *c)
{
    return strcmp(c->key, "linea") == 0 || strcmp(c->key, "mantle") == 0;
}

static bool is_own_extra(struct relay_bytes extra, const struct chain *c)
{
    struct evm_addr router;

    if (extra.n == 0)
        return true;
    if (c->type != CHAIN_EVM || extra.n != ABI_WORD || !abi_get_addr(&router, extra.p, extra.n, 0))
        return false;
    for (size_t i = 0; i < sizeof routers / sizeof routers[0]; i++)
        if (routers[i].younger == is_younger(c) && evm_addr_eq(routers[i].router, router))
            return true;
    return false;
}

static bool evm_text(char out[static TRADE_ADDRESS_MAX], struct relay_bytes b)
{
    struct evm_addr a;

    if (b.n != sizeof a.bytes)
        return false;
    memcpy(a.bytes, b.p, sizeof a.bytes);
    evm_addr_text(out, a);
    return true;
}

static bool solana_text(char out[static TRADE_ADDRESS_MAX], struct relay_bytes b)
{
    struct solana_addr a;

    if (b.n != sizeof a.bytes)
        return false;
    memcpy(a.bytes, b.p, sizeof a.bytes);
    solana_addr_text(out, &a);
    return true;
}

/* The address as the chain writes it. */
static bool address_text(char out[static TRADE_ADDRESS_MAX], struct relay_bytes b, const struct chain *c)
{
    return c->type == CHAIN_SOLANA ? solana_text(out, b) : evm_text(out, b);
}

/* The zero address is the chain's coin. */
static bool currency_text(char out[static TRADE_ADDRESS_MAX], struct relay_bytes b, const struct chain *c)
{
    static const uint8_t zero[SOLANA_ADDR_LEN];

    if (!address_text(out, b, c))
        return false;
    if (memcmp(b.p, zero, b.n) == 0)
        (void)snprintf(out, TRADE_ADDRESS_MAX, "%s", TRADE_COIN);
    return true;
}

static bool is_currency(struct relay_bytes b, const char *want, const struct chain *c)
{
    char text[TRADE_ADDRESS_MAX];

    return currency_text(text, b, c) && strcmp(text, want) == 0;
}

static bool is_address(struct relay_bytes b, const char *want, const struct chain *c)
{
    char text[TRADE_ADDRESS_MAX];

    return address_text(text, b, c) && strcmp(text, want) == 0;
}

/* One input: what the call deposits. */
static bool order_takes(const struct relay_order *o, const struct trade *t, const struct chain *c)
{
    return chain_of(o->input.chain) == c && is_currency(o->input.currency, t->sell, c) &&
           u256_cmp(o->input.amount, t->amount) == 0 && u256_cmp(o->input.weight, u256_from_u64(1)) == 0;
}

/* A refund on the other chain goes to the recipient there; between EVM chains, to the wallet. */
static const char *refund_to(const struct trade *t, const struct chain *from, const struct chain *c)
{
    return c->type == from->type ? t->refund : t->recipient;
}

static const struct token *coin_or_token(const struct chain *c, const char *text)
{
    return token_find(c, strcmp(text, TRADE_COIN) == 0 ? c->native : text);
}

/* In what is deposited, or what is worth as much; on the far chain in the bought token, too. */
static bool refund_is_worth(const struct relay_refund *r, const struct trade *t, const struct chain *from,
                            const struct chain *c)
{
    const struct token *sold = coin_or_token(from, t->sell), *back;
    char text[TRADE_ADDRESS_MAX];

    if (!currency_text(text, r->currency, c))
        return false;
    if (strcmp(text, c == from ? t->sell : t->buy) == 0)
        return true;
    back = coin_or_token(c, text);
    return sold != NULL && back != NULL && token_is_worth(back, sold);
}

/* Back to whom the deposit is booked for, on either chain. */
static bool order_refunds(const struct relay_order *o, const struct trade *t, const struct chain *from,
                          const struct chain *to)
{
    for (const struct relay_refund *r = o->input.refunds; r < o->input.refunds + o->input.refund_count; r++) {
        const struct chain *c = chain_of(r->chain);

        if ((c != from && c != to) || !is_address(r->recipient, refund_to(t, from, c), c) ||
            !is_own_extra(r->extra, c) || !refund_is_worth(r, t, from, c))
            return false;
    }
    return o->input.refund_count > 0;
}

static bool order_pays(struct trade *out, const struct relay_order *o, const struct chain *to)
{
    out->far_chain = to->id;
    out->minimum = o->output.minimum;
    out->far_deadline = o->output.deadline;
    return currency_text(out->buy, o->output.currency, to) &&
           address_text(out->recipient, o->output.recipient, to) && is_own_extra(o->output.extra, to);
}

static bool is_read(const struct chain *c)
{
    return c != NULL && (c->type == CHAIN_EVM || c->type == CHAIN_SOLANA);
}

bool relay_order_fits(struct trade *out, const struct chain *from, struct trade_proof proof,
                      const uint8_t id[static HASH_LEN])
{
    uint8_t hash[HASH_LEN];
    const struct chain *to;
    struct relay_order o;

    if (proof.p == NULL || !relay_order_read(&o, proof.p, proof.len))
        return false;
    relay_order_id(hash, &o);
    to = chain_of(o.output.chain);
    out->proven = memcmp(hash, id, sizeof hash) == 0 && strcmp(o.version, "v1") == 0 &&
                  o.solver.n == EVM_ADDR_LEN && is_read(to) && to != from && order_takes(&o, out, from) &&
                  order_pays(out, &o, to) && order_refunds(&o, out, from, to);
    return out->proven;
}

static bool check_coin(struct trade *out, const struct evm_call *call, const struct form *f)
{
    return relay_order_fits(out, call->chain, call->proof, f->first[1]);
}

static bool check_token(struct trade *out, const struct evm_call *call, const struct form *f)
{
    return relay_order_fits(out, call->chain, call->proof, f->first[3]);
}

/* The other depositErc20, without an amount, takes all that is allowed. */
static const struct call_row deposits[] = {
    { 0x49290c1c, TRADE_BRIDGE, "depositNative(address,bytes32)", .sell = { COIN }, .amount = { VALUE },
      .refund = { WORD, 0 }, .check = check_coin },
    { 0xe8017952, TRADE_BRIDGE, "depositErc20(address,address,uint256,bytes32)", .sell = { WORD, 1 },
      .amount = { WORD, 2 }, .refund = { WORD, 0 }, .check = check_token },
    { 0 },
};

const struct contract_kind relay_depository = { .bridges = deposits, .spender = true };
