#include "exec/evm/evm_receipt.h"

#include <limits.h>
#include <string.h>

#include "chain/evm/evm_rpc.h"
#include "chain/tokens.h"
#include "codec/hex.h"
#include "exec/changes.h"

enum { OPERATOR_SCALE = 100 };

/* Topics of events: Transfer(address,address,uint256), and of the wrapped coin Deposit(address,uint256) and
 * Withdrawal(address,uint256). */
static const char TRANSFER[] = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
static const char DEPOSIT[] = "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c";
static const char WITHDRAWAL[] = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65";

/* A member that some chains have: 0 where it is not there. */
static bool member_or_zero(uint64_t *out, const json_t *result, const char *name)
{
    *out = 0;
    return !json_is_string(json_object_get(result, name)) || rpc_member_u64(out, result, name);
}

/* Rollups of the OP stack and scroll name the fee for data apart; the others count it as gas. */
static bool add_data_fee(struct u256 *sum, const json_t *result)
{
    uint64_t fee;

    return member_or_zero(&fee, result, "l1Fee") && u256_add(sum, *sum, u256_from_u64(fee));
}

/* The operator of an OP stack takes a hundred times the scalar for each gas, and a constant, since Jovian and
 * Mantle's Arsia (newOperatorCostFunc of op-geth). Receipts have the two numbers only where they are not 0.
 */
static bool add_operator_fee(struct u256 *sum, const json_t *result, uint64_t gas)
{
    uint64_t scalar, constant;
    struct u256 fee;

    return member_or_zero(&scalar, result, "operatorFeeScalar") &&
           member_or_zero(&constant, result, "operatorFeeConstant") &&
           u256_muldiv(&fee, u256_from_u64(gas), u256_from_u64(scalar), u256_from_u64(1)) &&
           u256_muldiv(&fee, fee, u256_from_u64(OPERATOR_SCALE), u256_from_u64(1)) &&
           u256_add(sum, *sum, fee) && u256_add(sum, *sum, u256_from_u64(constant));
}

static bool fee_read(struct u256 *out, const json_t *result)
{
    uint64_t gas, price;

    return rpc_member_u64(&gas, result, "gasUsed") && rpc_member_u64(&price, result, "effectiveGasPrice") &&
           u256_muldiv(out, u256_from_u64(gas), u256_from_u64(price), u256_from_u64(1)) &&
           add_data_fee(out, result) && add_operator_fee(out, result, gas);
}

bool receipt_read(struct receipt *out, const json_t *result)
{
    uint64_t status = 0;

    *out = (struct receipt){ .block = 0 };
    if (json_is_null(result))
        return true;
    if (!json_is_object(result) || !rpc_member_u64(&out->block, result, "blockNumber") ||
        !rpc_member_u64(&status, result, "status"))
        return false;
    out->succeeded = status == 1;
    out->has_fee = fee_read(&out->fee, result);
    out->logs = json_object_get(result, "logs");
    return true;
}

static bool text_is_addr(const char *text, struct evm_addr want)
{
    struct evm_addr a;

    return text != NULL && evm_addr_parse(&a, text) && evm_addr_eq(a, want);
}

static const char *log_topic(const json_t *log, size_t i)
{
    const char *t = json_string_value(json_array_get(json_object_get(log, "topics"), i));

    return t != NULL ? t : "";
}

/* The address in topic i, which is padded to a word of 32 bytes. */
static bool topic_addr(struct evm_addr *out, const json_t *log, size_t i)
{
    uint8_t word[32];
    size_t n;

    if (!hex_decode_0x(word, sizeof word, &n, log_topic(log, i)) || n != sizeof word)
        return false;
    memcpy(out->bytes, word + 12, sizeof out->bytes);
    return true;
}

static bool topic_is_addr(const json_t *log, size_t i, struct evm_addr want)
{
    struct evm_addr at;

    return topic_addr(&at, log, i) && evm_addr_eq(at, want);
}

static bool log_add_data(struct u256 *sum, const json_t *log)
{
    const char *text = json_string_value(json_object_get(log, "data"));
    uint8_t word[32];
    size_t n;

    return text != NULL && hex_decode_0x(word, sizeof word, &n, text) && n == sizeof word &&
           u256_add(sum, *sum, u256_from_be(word));
}

/* A token that is not fungible has a fourth topic in place of the amount. */
bool receipt_transfer_read(struct receipt_transfer *out, const json_t *log)
{
    const char *token = json_string_value(json_object_get(log, "address"));
    uint64_t index;

    *out = (struct receipt_transfer){ .amount = U256_ZERO };
    if (strcmp(log_topic(log, 0), TRANSFER) != 0 || json_array_size(json_object_get(log, "topics")) != 3 ||
        token == NULL || !evm_addr_parse(&out->token, token) || !topic_addr(&out->from, log, 1) ||
        !topic_addr(&out->to, log, 2) || !log_add_data(&out->amount, log) ||
        !rpc_member_u64(&index, log, "logIndex") || index > INT_MAX)
        return false;
    out->log_index = (int)index;
    return true;
}

/* Whether the log shows that something arrived: a transfer of the token to the wallet, or what the wallet
 * itself wrapped. The coin leaves no log of its own but the unwrapping, by any caller. */
static bool log_counts(const json_t *log, struct evm_addr token, struct evm_addr wallet, bool native)
{
    const char *event = log_topic(log, 0);

    if (!text_is_addr(json_string_value(json_object_get(log, "address")), token))
        return false;
    if (native)
        return strcmp(event, WITHDRAWAL) == 0;
    return (strcmp(event, TRANSFER) == 0 && topic_is_addr(log, 2, wallet)) ||
           (strcmp(event, DEPOSIT) == 0 && topic_is_addr(log, 1, wallet));
}

bool receipt_arrived(struct u256 *out, const struct receipt *r, const struct execution *s, const char *wallet)
{
    const struct token *wrapped = token_wrapped_native(chain_by_id(s->to.chain_id));
    struct evm_addr token, me;
    bool native, any = false;
    const json_t *log;
    size_t i;

    if (!evm_addr_parse(&token, s->to.address) || !evm_addr_parse(&me, wallet))
        return false;
    native = evm_addr_is_zero(token);
    if (native && wrapped == NULL)
        return false;
    if (native)
        token = token_addr(wrapped);
    *out = U256_ZERO;
    json_array_foreach(r->logs, i, log)
    {
        if (!log_counts(log, token, me, native))
            continue;
        if (!log_add_data(out, log))
            return false;
        any = true;
    }
    return any;
}

bool receipt_taken(struct u256 *out, const struct receipt *r, const struct execution *s, const char *wallet)
{
    struct receipt_transfer t;
    struct evm_addr token, me;
    bool any = false;
    const json_t *log;
    size_t i;

    *out = U256_ZERO;
    if (!evm_addr_parse(&token, s->to.address) || !evm_addr_parse(&me, wallet))
        return false;
    json_array_foreach(r->logs, i, log)
    {
        if (!receipt_transfer_read(&t, log) || !evm_addr_eq(t.token, token) || !evm_addr_eq(t.from, me))
            continue;
        if (!u256_add(out, *out, t.amount))
            return false;
        any = true;
    }
    return any;
}

/* ---- effects on all tokens of a wallet ---- */

static bool change_add(struct account_change *out, const char *token, struct u256 left, struct u256 came)
{
    struct token_change *t = change_of(out, token);

    return t != NULL && u256_add(&t->left, t->left, left) && u256_add(&t->came, t->came, came);
}

static bool transfer_add(struct account_change *out, const struct receipt_transfer *t, struct evm_addr me)
{
    char token[EVM_ADDR_TEXT_LEN + 1];

    evm_addr_text(token, t->token);
    return change_add(out, token, evm_addr_eq(t->from, me) ? t->amount : U256_ZERO,
                      evm_addr_eq(t->to, me) ? t->amount : U256_ZERO);
}

/* Wrapping and unwrapping, which need not show as transfers. */
static bool wrapping_add(struct account_change *out, const json_t *log, struct evm_addr me,
                         const struct token *wrapped)
{
    bool wraps = strcmp(log_topic(log, 0), DEPOSIT) == 0,
         unwraps = strcmp(log_topic(log, 0), WITHDRAWAL) == 0;
    struct u256 amount = U256_ZERO;

    if (wrapped == NULL || (!wraps && !unwraps) || !topic_is_addr(log, 1, me) ||
        !text_is_addr(json_string_value(json_object_get(log, "address")), token_addr(wrapped)))
        return true;
    if (!log_add_data(&amount, log))
        return false;
    if (wraps)
        return change_add(out, wrapped->address_text, U256_ZERO, amount);
    return change_add(out, wrapped->address_text, amount, U256_ZERO) &&
           change_add(out, "", U256_ZERO, amount);
}

bool receipt_changes(struct account_change *out, const struct receipt *r, const char *wallet,
                     const struct token *wrapped)
{
    struct receipt_transfer t;
    struct evm_addr me;
    const json_t *log;
    size_t i;

    if (!evm_addr_parse(&me, wallet))
        return false;
    json_array_foreach(r->logs, i, log)
    {
        bool moves = receipt_transfer_read(&t, log) && (evm_addr_eq(t.from, me) || evm_addr_eq(t.to, me));

        if (moves ? !transfer_add(out, &t, me) : !wrapping_add(out, log, me, wrapped))
            return false;
    }
    return true;
}
