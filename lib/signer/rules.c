#include "signer/rules.h"

#include "chain/chains.h"
#include "chain/evm/abi.h"
#include "chain/tokens.h"
#include "chain/venues.h"

enum { CALL_APPROVE = 0x095ea7b3 };
#define CALL_TRANSFER 0xa9059cbbu /* too large for an enumerator */

static const char NOT_LISTED[] = "target or call not on the list", UNREADABLE[] = "call not understood",
                  ELSEWHERE[] = "recipient is not the wallet";

/* The arguments of a call, whose words are read by number. */
struct args {
    const uint8_t *p;
    size_t n;
};

static uint32_t selector_of(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static bool is_at(struct evm_addr a, const char *text)
{
    struct evm_addr listed;

    return text != NULL && evm_addr_parse(&listed, text) && evm_addr_eq(a, listed);
}

static bool word_is(const struct args *a, size_t index, uint64_t want)
{
    uint64_t v;

    return abi_get_u64(&v, a->p, a->n, index) && v == want;
}

static bool goes_to(const struct args *a, size_t index, struct evm_addr wallet)
{
    struct evm_addr to;

    return abi_get_addr(&to, a->p, a->n, index) && evm_addr_eq(to, wallet);
}

/* ---- Tokens' own call ---- */

/* More units than this no swap can need: pools count what they hold in 112 or 128 bits. */
static bool is_unbounded(struct u256 allowance)
{
    static const struct u256 most = { { UINT64_MAX, UINT64_MAX, 0, 0 } };

    return u256_cmp(allowance, most) > 0;
}

/* Of a listed spender alone, and never without a bound: a swap needs exactly its input. */
static const char *check_approve(struct act *out, const struct args *a, const struct venue *v)
{
    struct evm_addr spender;

    out->token = out->to;
    out->has_token = out->grants = a->n == (size_t)2 * ABI_WORD && abi_get_addr(&spender, a->p, a->n, 0) &&
                                   abi_get_u256(&out->amount, a->p, a->n, 1);
    if (!out->has_token)
        return UNREADABLE;
    if (is_unbounded(out->amount))
        return "allowance without a bound";
    return is_at(spender, v->v2_router) || is_at(spender, v->v3_router) ? NULL : "spender not on the list";
}

/* ---- The wrapped coin ---- */

static const char *check_wrapped(struct act *out, const struct args *a)
{
    if (out->selector == SEL_DEPOSIT)
        return a->n == 0 ? NULL : UNREADABLE;
    if (out->selector != SEL_WITHDRAW)
        return NOT_LISTED;
    out->token = out->to;
    out->has_token = a->n == ABI_WORD && abi_get_u256(&out->amount, a->p, a->n, 0);
    return out->has_token ? NULL : UNREADABLE;
}

/* ---- V2 ---- */

/* Input and path stand before the recipient, which stands before the deadline. With the coin as the input
 * there is no amount in front. */
static const char *check_v2(struct act *out, const struct args *a, struct evm_addr wallet)
{
    bool coin_in = out->selector == SEL_ETH_FOR_TOKENS;
    size_t at = coin_in ? 1 : 2; /* of the path's offset */

    if (!coin_in && out->selector != SEL_TOKENS_FOR_ETH && out->selector != SEL_TOKENS_FOR_TOKENS)
        return NOT_LISTED;
    if (!word_is(a, at, (at + 3) * (uint64_t)ABI_WORD))
        return UNREADABLE;
    if (!coin_in)
        out->has_token = abi_get_u256(&out->amount, a->p, a->n, 0) &&
                         abi_get_addr(&out->token, a->p, a->n, at + 4); /* the path's first */
    if (!coin_in && !out->has_token)
        return UNREADABLE;
    return goes_to(a, at + 1, wallet) ? NULL : ELSEWHERE;
}

/* ---- V3: a multicall of one swap, and of what unwraps its output ---- */

/* exactInputSingle's struct stands in line, exactInput's behind its offset. */
static bool read_v3_swap(struct act *out, struct evm_addr *recipient, const struct args *call)
{
    struct args a = { call->p + ABI_SELECTOR, call->n - ABI_SELECTOR };
    const uint8_t *path;
    size_t n;

    if (selector_of(call->p) == SEL_INPUT_SINGLE)
        return abi_get_addr(&out->token, a.p, a.n, 0) && abi_get_addr(recipient, a.p, a.n, 3) &&
               abi_get_u256(&out->amount, a.p, a.n, 4);
    if (selector_of(call->p) != SEL_INPUT_PATH || !word_is(&a, 0, ABI_WORD) ||
        !abi_get_bytes(&path, &n, a.p, a.n, ABI_WORD, ABI_WORD) || n < EVM_ADDR_LEN)
        return false;
    memcpy(out->token.bytes, path, EVM_ADDR_LEN);
    return abi_get_addr(recipient, a.p, a.n, 2) && abi_get_u256(&out->amount, a.p, a.n, 3);
}

/* What the router keeps for a moment has to be unwrapped for the wallet in the same transaction: anybody may
 * take what is left there. */
static const char *check_v3_calls(struct act *out, const struct args call[static 2], size_t n,
                                  struct evm_addr wallet)
{
    static const struct evm_addr the_router = { { [19] = 2 } };
    struct args unwrap = { call[1].p + ABI_SELECTOR, call[1].n - ABI_SELECTOR };
    struct evm_addr recipient;

    out->has_token = read_v3_swap(out, &recipient, &call[0]);
    if (!out->has_token)
        return UNREADABLE;
    if (n == 1)
        return evm_addr_eq(recipient, wallet) ? NULL : ELSEWHERE;
    if (selector_of(call[1].p) != SEL_UNWRAP_WETH9)
        return UNREADABLE;
    return evm_addr_eq(recipient, the_router) && goes_to(&unwrap, 1, wallet) ? NULL : ELSEWHERE;
}

/* multicall(deadline, calls): count, offsets and calls begin at the third word. */
enum { COUNT_AT = 2, CALLS_AT = (COUNT_AT + 1) * ABI_WORD };

static bool read_call(struct args *out, const struct args *a, size_t index)
{
    return abi_get_bytes(&out->p, &out->n, a->p, a->n, CALLS_AT, CALLS_AT + index * ABI_WORD) &&
           out->n >= ABI_SELECTOR;
}

static const char *check_v3(struct act *out, const struct args *a, struct evm_addr wallet)
{
    struct args call[2];
    uint64_t n;

    if (out->selector != SEL_MULTICALL_DEADLINE)
        return NOT_LISTED;
    if (!word_is(a, 1, (uint64_t)COUNT_AT * ABI_WORD) || !abi_get_u64(&n, a->p, a->n, COUNT_AT) || n < 1 ||
        n > 2 || !read_call(&call[0], a, 0))
        return UNREADABLE;
    call[1] = call[0];
    if (n == 2 && !read_call(&call[1], a, 1))
        return UNREADABLE;
    return check_v3_calls(out, call, (size_t)n, wallet);
}

/* ---- All of it ---- */

/* Only a trade of the coin carries any, and no more of it than it trades: V2 takes whatever it gets, V3
 * leaves the rest where anybody may take it. */
static bool value_is_used(const struct act *act, const struct token *wrapped)
{
    if (u256_is_zero(act->value) || !act->has_token)
        return true;
    return act->selector == SEL_MULTICALL_DEADLINE && wrapped != NULL &&
           evm_addr_eq(act->token, token_addr(wrapped)) && u256_cmp(act->value, act->amount) == 0;
}

static const char *check_call(struct act *out, const struct args *a, const struct chain *c,
                              struct evm_addr wallet)
{
    const struct venue *v = venue_of(c);
    const struct token *wrapped = token_wrapped_native(c);
    const char *why = NOT_LISTED;

    if (v == NULL)
        return "no trade on this chain";
    if (out->selector == CALL_APPROVE)
        why = check_approve(out, a, v);
    else if (wrapped != NULL && evm_addr_eq(out->to, token_addr(wrapped)))
        why = check_wrapped(out, a);
    else if (is_at(out->to, v->v2_router))
        why = check_v2(out, a, wallet);
    else if (is_at(out->to, v->v3_router))
        why = check_v3(out, a, wallet);
    return why != NULL || value_is_used(out, wrapped) ? why : "value that is not traded";
}

static bool fill(struct act *out, const struct evm_tx *tx)
{
    *out = (struct act){ .chain_id = tx->chain_id, .nonce = tx->nonce, .to = tx->to, .value = tx->value };
    out->has_selector = tx->data_len >= ABI_SELECTOR;
    if (out->has_selector)
        out->selector = selector_of(tx->data);
    return u256_mul(&out->native, u256_from_u64(tx->gas_limit), tx->max_fee) &&
           u256_add(&out->native, out->native, tx->value);
}

/* What holds for everything that is signed. */
static const char *check_form(struct act *out, const struct evm_tx *tx, const struct chain **c)
{
    *c = chain_by_id(tx->chain_id);
    if (!fill(out, tx))
        return "value and fee exceed what there can be";
    if (*c == NULL || (*c)->type != CHAIN_EVM)
        return "no such chain";
    return tx->create || tx->access_list_len != 0 ? "neither a call nor a payment" : NULL;
}

const char *rules_check(struct act *out, const struct evm_tx *tx, struct evm_addr wallet)
{
    const struct chain *c;
    const char *why = check_form(out, tx, &c);
    struct args a;

    if (why != NULL)
        return why;
    if (out->has_selector) {
        a = (struct args){ tx->data + ABI_SELECTOR, tx->data_len - ABI_SELECTOR };
        return check_call(out, &a, c, wallet);
    }
    /* A nonce that will not be used otherwise. */
    return evm_addr_eq(tx->to, wallet) && u256_is_zero(tx->value) && tx->data_len == 0 ? NULL : NOT_LISTED;
}

const char *rules_check_sweep(struct act *out, const struct evm_tx *tx)
{
    const struct chain *c;
    const char *why = check_form(out, tx, &c);
    struct evm_addr to;

    if (why != NULL)
        return why;
    if (tx->data_len == 0)
        return NULL;
    if (!out->has_selector || out->selector != CALL_TRANSFER || !u256_is_zero(tx->value) ||
        tx->data_len != ABI_SELECTOR + (size_t)2 * ABI_WORD)
        return "not a plain transfer";
    out->token = tx->to;
    out->has_token = abi_get_addr(&to, tx->data + ABI_SELECTOR, (size_t)2 * ABI_WORD, 0) &&
                     abi_get_u256(&out->amount, tx->data + ABI_SELECTOR, (size_t)2 * ABI_WORD, 1);
    return out->has_token ? NULL : UNREADABLE;
}
