#include "chain/evm/eip712.h"

#include <string.h>

#include "chain/evm/abi.h"

void eip712_bytes(struct buf *words, const void *p, size_t n)
{
    uint8_t hash[HASH_LEN];

    keccak256(hash, p, n);
    buf_add(words, hash, sizeof hash);
}

void eip712_text(struct buf *words, const char *text)
{
    eip712_bytes(words, text, strlen(text));
}

void eip712_words_hash(uint8_t out[static HASH_LEN], struct buf *words)
{
    keccak256(out, words->data, words->len);
    buf_free(words);
}

void eip712_separator(uint8_t out[static HASH_LEN], const char *name, const char *version, uint64_t chain_id,
                      const struct evm_addr *contract)
{
    struct buf words = BUF_INIT(5 * ABI_WORD);

    eip712_text(&words, contract != NULL ? "EIP712Domain(string name,string version,uint256 chainId,"
                                           "address verifyingContract)"
                                         : "EIP712Domain(string name,string version,uint256 chainId)");
    eip712_text(&words, name);
    eip712_text(&words, version);
    abi_u64(&words, chain_id);
    if (contract != NULL)
        abi_addr(&words, *contract);
    eip712_words_hash(out, &words);
}

void eip712_seal(uint8_t out[static HASH_LEN], const uint8_t separator[static HASH_LEN],
                 const uint8_t struct_hash[static HASH_LEN])
{
    uint8_t text[2 + 2 * HASH_LEN] = { 0x19, 0x01 };

    memcpy(text + 2, separator, HASH_LEN);
    memcpy(text + 2 + HASH_LEN, struct_hash, HASH_LEN);
    keccak256(out, text, sizeof text);
}
