#include "venue/polymarket_wallet.h"

#include <string.h>

#include "base/buf.h"
#include "chain/evm/abi.h"
#include "chain/evm/eip712.h"
#include "codec/hex.h"
#include "venue/polymarket_order.h"

#define CALL_TYPE  "Call(address target,uint256 value,bytes data)"
#define BATCH_TYPE "Batch(address wallet,uint256 nonce,uint256 deadline,Call[] calls)" CALL_TYPE

enum { CODE_MAX = 256, BATCH_WORDS_MAX = 64 * 1024 };

/* A proxy's creation code: what it runs is between, its owner follows as arguments. */
static const struct {
    const char *head, *implementation, *tail;
} forms[] = {
    [POLYMARKET_WALLET_BEACON] = { "6100923d8160233d3973", "7a18edfe055488a3128f01f563e5b479d92ffc3a",
                                   "60195155f3363d3d373d3d363d602036600436635c60da1b60e01b36527fa3f0ad74e5423aeb"
                                   "fd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50545afa5036515af43d6000803e60"
                                   "4d573d6000fd5b3d6000f3" },
    [POLYMARKET_WALLET_UUPS] = { "61007d3d8160233d3973", "58ca52ebe0dadfdf531cde7062e76746de4db1eb",
                                 "60095155f3363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920"
                                 "a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3" },
};

struct evm_addr polymarket_wallet_factory(void)
{
    return evm_addr_or_zero("0x00000000000Fb5C9ADea0298D729A0CB3823Cc07");
}

struct evm_addr polymarket_wallet_beacon(void)
{
    struct evm_addr beacon = { { 0 } };

    (void)hex_decode(beacon.bytes, sizeof beacon.bytes, forms[POLYMARKET_WALLET_BEACON].implementation,
                     2 * sizeof beacon.bytes);
    return beacon;
}

static void hex_add(struct buf *out, const char *digits)
{
    uint8_t bytes[CODE_MAX];
    size_t n = strlen(digits) / 2;

    if (n <= sizeof bytes && hex_decode(bytes, n, digits, 2 * n))
        buf_add(out, bytes, n);
}

struct evm_addr polymarket_wallet_of(struct evm_addr owner, enum polymarket_wallet_form form)
{
    struct buf args = BUF_INIT(2 * ABI_WORD), code = BUF_INIT(CODE_MAX);
    uint8_t salt[HASH_LEN], code_hash[HASH_LEN];

    abi_addr(&args, polymarket_wallet_factory());
    abi_addr(&args, owner);
    hex_add(&code, forms[form].head);
    hex_add(&code, forms[form].implementation);
    hex_add(&code, forms[form].tail);
    buf_add(&code, args.data, args.len);
    keccak256(salt, args.data, args.len);
    keccak256(code_hash, code.data, code.len);
    buf_free(&args);
    buf_free(&code);
    return evm_addr_create2(polymarket_wallet_factory(), salt, code_hash);
}

static void call_hash(uint8_t out[static HASH_LEN], const struct polymarket_call *call)
{
    struct buf words = BUF_INIT(8 * ABI_WORD);

    eip712_text(&words, CALL_TYPE);
    abi_addr(&words, call->target);
    abi_u256(&words, call->value);
    eip712_bytes(&words, call->data, call->len);
    eip712_words_hash(out, &words);
}

void polymarket_batch_digest(uint8_t out[static HASH_LEN], const struct polymarket_batch *b)
{
    uint8_t separator[HASH_LEN], hash[HASH_LEN];
    struct buf calls = BUF_INIT(BATCH_WORDS_MAX), words = BUF_INIT(8 * ABI_WORD);

    for (size_t i = 0; i < b->count; i++) {
        call_hash(hash, &b->calls[i]);
        buf_add(&calls, hash, sizeof hash);
    }
    eip712_text(&words, BATCH_TYPE);
    abi_addr(&words, b->wallet);
    abi_u64(&words, b->nonce);
    abi_u64(&words, b->deadline);
    eip712_bytes(&words, calls.data, calls.len);
    eip712_words_hash(hash, &words);
    buf_free(&calls);
    eip712_separator(separator, "DepositWallet", "1", POLYMARKET_CHAIN_ID, &b->wallet);
    eip712_seal(out, separator, hash);
}
