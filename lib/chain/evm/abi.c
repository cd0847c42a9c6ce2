#include "chain/evm/abi.h"

#include "codec/hash.h"

enum { REVERT_TEXT_MAX = 200 };

static const uint32_t ERROR_STRING = 0x08c379a0; /* Error(string) */
static const uint32_t PANIC_UINT = 0x4e487b71;   /* Panic(uint256) */

uint32_t abi_get_selector(const uint8_t p[static ABI_SELECTOR])
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

void abi_selector(struct buf *out, uint32_t selector)
{
    const uint8_t bytes[ABI_SELECTOR] = { (uint8_t)(selector >> 24), (uint8_t)(selector >> 16),
                                          (uint8_t)(selector >> 8), (uint8_t)selector };

    buf_add(out, bytes, sizeof bytes);
}

void abi_u256(struct buf *out, struct u256 v)
{
    uint8_t word[ABI_WORD];

    u256_to_be(word, v);
    buf_add(out, word, sizeof word);
}

void abi_u64(struct buf *out, uint64_t v)
{
    abi_u256(out, u256_from_u64(v));
}

void abi_addr(struct buf *out, struct evm_addr a)
{
    uint8_t word[ABI_WORD] = { 0 };

    memcpy(word + ABI_WORD - EVM_ADDR_LEN, a.bytes, EVM_ADDR_LEN);
    buf_add(out, word, sizeof word);
}

void abi_bytes_tail(struct buf *out, const void *p, size_t n)
{
    static const uint8_t zeros[ABI_WORD];

    abi_u64(out, n);
    buf_add(out, p, n);
    buf_add(out, zeros, (ABI_WORD - n % ABI_WORD) % ABI_WORD);
}

/* The word that starts at a byte; NULL when it would run over the end. */
static const uint8_t *word_at(const uint8_t *data, size_t n, size_t at)
{
    return n >= ABI_WORD && at <= n - ABI_WORD ? data + at : NULL;
}

static const uint8_t *word_by_index(const uint8_t *data, size_t n, size_t index)
{
    return index < n / ABI_WORD ? data + index * ABI_WORD : NULL;
}

bool abi_get_u256(struct u256 *out, const uint8_t *data, size_t n, size_t index)
{
    const uint8_t *word = word_by_index(data, n, index);

    if (word == NULL)
        return false;
    *out = u256_from_be(word);
    return true;
}

bool abi_get_u64(uint64_t *out, const uint8_t *data, size_t n, size_t index)
{
    struct u256 v;

    return abi_get_u256(&v, data, n, index) && u256_to_u64(out, v);
}

bool abi_get_addr(struct evm_addr *out, const uint8_t *data, size_t n, size_t index)
{
    static const uint8_t zeros[ABI_WORD - EVM_ADDR_LEN];
    const uint8_t *word = word_by_index(data, n, index);

    if (word == NULL || memcmp(word, zeros, sizeof zeros) != 0)
        return false;
    memcpy(out->bytes, word + sizeof zeros, EVM_ADDR_LEN);
    return true;
}

/* The word at a byte, as a length or an offset. */
static bool size_at(size_t *out, const uint8_t *data, size_t n, size_t at)
{
    const uint8_t *word = word_at(data, n, at);
    uint64_t v;

    if (word == NULL || !u256_to_u64(&v, u256_from_be(word)) || v > n)
        return false;
    *out = (size_t)v;
    return true;
}

bool abi_get_bytes(const uint8_t **p, size_t *len, const uint8_t *data, size_t n, size_t base, size_t at)
{
    size_t offset, start, count;

    if (base > n || !size_at(&offset, data, n, at) || offset > n - base)
        return false;
    start = base + offset;
    if (!size_at(&count, data, n, start) || count > n - start - ABI_WORD)
        return false;
    *p = data + start + ABI_WORD;
    *len = count;
    return true;
}

/* Bytes of the UTF-8 character at p, 0 when it is none that may be shown. */
static size_t utf8_len(const uint8_t *p, size_t n)
{
    static const struct {
        uint8_t mask, head, low, high; /* the second byte's bounds keep out long forms and surrogates */
    } forms[] = { { 0xff, 0xe0, 0xa0, 0xbf }, { 0xff, 0xed, 0x80, 0x9f }, { 0xff, 0xf0, 0x90, 0xbf },
                  { 0xff, 0xf4, 0x80, 0x8f }, { 0xff, 0xc2, 0xa0, 0xbf }, { 0xe0, 0xc0, 0x80, 0xbf },
                  { 0xf0, 0xe0, 0x80, 0xbf }, { 0xf8, 0xf0, 0x80, 0xbf } };
    size_t want;

    if (p[0] >= 0x20 && p[0] < 0x7f)
        return 1;
    if (p[0] < 0xc2 || p[0] > 0xf4)
        return 0;
    want = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    if (n < want)
        return 0;
    for (size_t i = 2; i < want; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    }
    for (size_t i = 0;; i++) {
        if ((p[0] & forms[i].mask) == forms[i].head)
            return p[1] >= forms[i].low && p[1] <= forms[i].high ? want : 0;
    }
}

/* A contract may return any bytes as text; the result may go into JSON and logs. */
static char *clean_text(struct arena *a, const uint8_t *p, size_t n)
{
    char *text = arena_alloc(a, REVERT_TEXT_MAX + 1);
    size_t used = 0;

    while (n > 0) {
        size_t len = utf8_len(p, n), take = len > 0 ? len : 1;

        if (used + take > REVERT_TEXT_MAX)
            break;
        memcpy(text + used, len > 0 ? (const void *)p : "?", take);
        used += take;
        p += take;
        n -= take;
    }
    return text;
}

char *abi_revert_text(struct arena *a, const uint8_t *data, size_t n)
{
    char code[U256_HEX_LEN + 1];
    const uint8_t *text;
    struct u256 v;
    size_t len;

    if (n < ABI_SELECTOR)
        return NULL;
    if (abi_get_selector(data) == ERROR_STRING &&
        abi_get_bytes(&text, &len, data + ABI_SELECTOR, n - ABI_SELECTOR, 0, 0))
        return clean_text(a, text, len);
    if (abi_get_selector(data) != PANIC_UINT || !abi_get_u256(&v, data + ABI_SELECTOR, n - ABI_SELECTOR, 0))
        return NULL;
    u256_hex(code, v);
    return arena_printf(a, "Panic(%s)", code);
}

uint32_t abi_selector_of(const char *signature)
{
    uint8_t hash[HASH_LEN];

    keccak256(hash, signature, strlen(signature));
    return abi_get_selector(hash);
}
