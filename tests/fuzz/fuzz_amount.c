/* Amounts as text: the first byte is the token's decimals. What parses prints canonically, and that text
 * parses to the same number; shares of it never exceed it. */
#include <string.h>

#include "fuzz.h"
#include "model/amount.h"

static void check_canonical(const char *text, uint8_t decimals)
{
    const char *point = strchr(text, '.');
    size_t n = strlen(text);

    MUST(amount_form_ok(text));
    MUST(text[0] != '0' || text[1] == '\0' || text[1] == '.');
    MUST(point == NULL || (text[n - 1] != '0' && strlen(point + 1) <= decimals));
}

static void check_shares(struct amount v)
{
    for (uint32_t ppm = 0; ppm <= PPM_ONE; ppm += 12345) {
        struct amount less;

        MUST(amount_less_ppm_down(&less, v, (struct ppm){ ppm }));
        MUST(u256_cmp(less.raw, v.raw) <= 0 && less.decimals == v.decimals);
    }
}

static void check(struct arena *a, const char *text, uint8_t decimals)
{
    struct amount v, back;
    const char *canonical;

    MUST((amount_parse(&v, text, decimals) != AMOUNT_FORM) == amount_form_ok(text));
    if (amount_parse(&v, text, decimals) != AMOUNT_FINE)
        return;
    canonical = amount_text(a, v);
    check_canonical(canonical, decimals);
    MUST(amount_parse(&back, canonical, decimals) == AMOUNT_FINE && u256_cmp(back.raw, v.raw) == 0);
    MUST(amount_is_zero(v) == (strcmp(canonical, "0") == 0));
    check_shares(v);
    check_canonical(amount_rate_text(a, v, (struct amount){ u256_from_u64(1000003), 6 }), 18);
    check_canonical(amount_rate_text(a, (struct amount){ u256_from_u64(7), 18 }, v), 18);
    if (!amount_is_zero(v))
        MUST(strcmp(amount_rate_text(a, v, v), "1") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();

    if (size > 0)
        check(a, arena_strndup(a, (const char *)data + 1, size - 1), data[0] % (AMOUNT_MAX_DECIMALS + 1));
    arena_free(a);
    return 0;
}
