/* Numbers as text: what parses prints as itself, leading zeros aside, in decimal and in hex. */
#include <string.h>
#include <strings.h>

#include "codec/u256.h"
#include "fuzz.h"

static const char *without_zeros(const char *digits)
{
    while (digits[0] == '0' && digits[1] != '\0')
        digits++;
    return digits;
}

static void check_decimal(const char *text)
{
    char back[U256_DECIMAL_LEN + 1];
    struct u256 v;

    if (!u256_parse(&v, text))
        return;
    u256_decimal(back, v);
    MUST(strcmp(back, without_zeros(text)) == 0);
}

static void check_hex(const char *text)
{
    char back[U256_HEX_LEN + 1];
    struct u256 v;

    if (!u256_parse_hex(&v, text))
        return;
    u256_hex(back, v);
    MUST(strcasecmp(back + 2, without_zeros(text + 2)) == 0);
}

/* The same bytes as three numbers: division and multiplication undo each other. */
static void check_division(const uint8_t *data, size_t size)
{
    struct u256 a, b, d, quot, rem, back;

    if (size < 3 * U256_BYTES)
        return;
    a = u256_from_be(data);
    b = u256_from_be(data + U256_BYTES);
    d = u256_from_be(data + 2 * U256_BYTES);
    MUST(u256_div(&quot, &rem, a, b) == !u256_is_zero(b));
    if (u256_is_zero(b))
        return;
    MUST(u256_cmp(rem, b) < 0);
    MUST(u256_mul(&back, quot, b) && u256_add(&back, back, rem) && u256_cmp(back, a) == 0);
    MUST(u256_muldiv(&back, a, b, b) && u256_cmp(back, a) == 0);
    if (!u256_muldiv(&quot, a, b, d))
        return;
    /* With a product that fits, the long way round must agree. */
    if (u256_mul(&back, a, b))
        MUST(u256_div(&back, NULL, back, d) && u256_cmp(back, quot) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    MUST(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    check_decimal(text);
    check_hex(text);
    check_division(data, size);
    free(text);
    return 0;
}
