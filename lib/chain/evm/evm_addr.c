#include "chain/evm/evm_addr.h"

#include "codec/hash.h"
#include "codec/hex.h"

enum { DIGITS = 2 * EVM_ADDR_LEN };

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* EIP-55: the i-th digit, when a letter, is a capital where the i-th digit of the hash of the lower-case text
 * is 8 or more. */
static void set_case(char digits[static DIGITS])
{
    uint8_t hash[HASH_LEN];

    keccak256(hash, digits, DIGITS);
    for (size_t i = 0; i < DIGITS; i++) {
        unsigned nibble = i % 2 == 0 ? hash[i / 2] >> 4 : hash[i / 2] & 15;

        if (is_letter(digits[i]) && nibble >= 8)
            digits[i] = (char)(digits[i] & ~0x20);
    }
}

static bool has_mixed_case(const char *digits)
{
    bool lower = false, upper = false;

    for (; *digits != '\0'; digits++) {
        lower |= is_letter(*digits) && (*digits & 0x20) != 0;
        upper |= is_letter(*digits) && (*digits & 0x20) == 0;
    }
    return lower && upper;
}

bool evm_addr_read(struct evm_addr *out, const char *text)
{
    return strlen(text) == EVM_ADDR_TEXT_LEN && text[0] == '0' && text[1] == 'x' &&
           hex_decode(out->bytes, EVM_ADDR_LEN, text + 2, DIGITS);
}

bool evm_addr_parse(struct evm_addr *out, const char *text)
{
    char right[EVM_ADDR_TEXT_LEN + 1];

    if (!evm_addr_read(out, text))
        return false;
    if (!has_mixed_case(text + 2))
        return true;
    evm_addr_text(right, *out);
    return strcmp(right, text) == 0;
}

struct evm_addr evm_addr_or_zero(const char *text)
{
    struct evm_addr a;

    return text != NULL && evm_addr_parse(&a, text) ? a : (struct evm_addr){ { 0 } };
}

void evm_addr_text(char out[static EVM_ADDR_TEXT_LEN + 1], struct evm_addr a)
{
    out[0] = '0';
    out[1] = 'x';
    hex_encode(out + 2, a.bytes, EVM_ADDR_LEN);
    set_case(out + 2);
}

char *evm_addr_print(struct arena *arena, struct evm_addr a)
{
    char *text = arena_alloc(arena, EVM_ADDR_TEXT_LEN + 1);

    evm_addr_text(text, a);
    return text;
}

bool evm_addr_eq(struct evm_addr a, struct evm_addr b)
{
    return memcmp(a.bytes, b.bytes, EVM_ADDR_LEN) == 0;
}

bool evm_addr_is_zero(struct evm_addr a)
{
    static const struct evm_addr zero;

    return evm_addr_eq(a, zero);
}

struct evm_addr evm_addr_of_pubkey(const uint8_t pubkey[static EVM_PUBKEY_LEN])
{
    uint8_t hash[HASH_LEN];
    struct evm_addr a;

    keccak256(hash, pubkey + 1, EVM_PUBKEY_LEN - 1); /* the leading 0x04 only names the form */
    memcpy(a.bytes, hash + HASH_LEN - EVM_ADDR_LEN, EVM_ADDR_LEN);
    return a;
}

struct evm_addr evm_addr_create2(struct evm_addr maker, const uint8_t salt[static HASH_LEN],
                                 const uint8_t init_code_hash[static HASH_LEN])
{
    uint8_t made[1 + EVM_ADDR_LEN + 2 * HASH_LEN] = { 0xff }, hash[HASH_LEN];
    struct evm_addr a;

    memcpy(made + 1, maker.bytes, EVM_ADDR_LEN);
    memcpy(made + 1 + EVM_ADDR_LEN, salt, HASH_LEN);
    memcpy(made + 1 + EVM_ADDR_LEN + HASH_LEN, init_code_hash, HASH_LEN);
    keccak256(hash, made, sizeof made);
    memcpy(a.bytes, hash + HASH_LEN - EVM_ADDR_LEN, EVM_ADDR_LEN);
    return a;
}
