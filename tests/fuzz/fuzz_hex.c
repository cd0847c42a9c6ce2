/* The text codecs: hex, base64, Base58, UUIDs, addresses. What is read and written again is the same text. */
#include <string.h>
#include <strings.h>

#include "chain/evm/evm_addr.h"
#include "chain/solana/solana_addr.h"
#include "codec/base58.h"
#include "codec/base64.h"
#include "codec/hex.h"
#include "codec/uuid.h"
#include "fuzz.h"

static void check_hex(const char *text, size_t size, uint8_t *bytes, char *back)
{
    size_t n;

    if (hex_decode(bytes, size / 2, text, size)) {
        hex_encode(back, bytes, size / 2);
        MUST(strcasecmp(back, text) == 0);
    }
    if (hex_decode_0x(bytes, size, &n, text)) {
        hex_encode(back, bytes, n);
        MUST(strcasecmp(back, text + 2) == 0);
        MUST(n == 0 || !hex_decode_0x(bytes, n - 1, &n, text));
    }
}

static void check_base64(const char *text, size_t size, uint8_t *bytes, char *back)
{
    size_t n;

    if (!base64_decode(bytes, size, &n, text, size))
        return;
    base64_encode(back, bytes, n);
    MUST(strcmp(back, text) == 0);
}

static void check_base58(const char *text, size_t size, uint8_t *bytes, char *back)
{
    size_t n;

    if (!base58_decode(bytes, size, &n, text))
        return;
    base58_encode(back, bytes, n);
    MUST(strcmp(back, text) == 0);
    MUST(n == 0 || !base58_decode(bytes, n - 1, &n, text));
}

static void check_names(const char *text)
{
    char uuid[UUID_TEXT_LEN + 1], addr[EVM_ADDR_TEXT_LEN + 1], solana[SOLANA_ADDR_TEXT_LEN + 1];
    struct evm_addr a;
    struct solana_addr s;
    struct uuid u;

    if (uuid_parse(&u, text)) {
        uuid_text(uuid, u);
        MUST(strcasecmp(uuid, text) == 0);
    }
    if (evm_addr_parse(&a, text)) {
        evm_addr_text(addr, a);
        MUST(strcasecmp(addr, text) == 0 && evm_addr_parse(&a, addr));
    }
    if (solana_addr_parse(&s, text)) {
        solana_addr_text(solana, &s);
        MUST(strcmp(solana, text) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), *back = malloc(2 * size + 8);
    uint8_t *bytes = malloc(size + 1);

    MUST(text != NULL && back != NULL && bytes != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    if (strlen(text) == size) {
        check_hex(text, size, bytes, back);
        check_base64(text, size, bytes, back);
        check_base58(text, size, bytes, back);
        check_names(text);
    }
    free(text);
    free(back);
    free(bytes);
    return 0;
}
