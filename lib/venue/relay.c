#include "venue/relay.h"

#include <string.h>

#include "chain/evm/abi.h"
#include "chain/evm/eip712.h"
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

/* The struct's hash is a word of whatever contains it. */
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

/* Whoever signs one has to be shown the order: the call tells neither what is paid for it nor to whom. The
 * other depositErc20, without an amount, takes all that is allowed. */
static const struct call_row deposits[] = {
    { 0x49290c1c, TRADE_BRIDGE, "depositNative(address,bytes32)", .sell = { COIN }, .amount = { VALUE },
      .refund = { WORD, 0 } },
    { 0xe8017952, TRADE_BRIDGE, "depositErc20(address,address,uint256,bytes32)", .sell = { WORD, 1 },
      .amount = { WORD, 2 }, .refund = { WORD, 0 } },
    { 0 },
};

const struct contract_kind relay_depository = { .bridges = deposits, .spender = true };
