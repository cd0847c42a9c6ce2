/* amount_form_ok, amount_parse
 * @bounds all texts up to 6 characters, all decimals up to 8
 * @shows digits, with at most one point between them, are taken one after the other, and zeros up to the
 * decimals; all else is refused, and more places than there are decimals
 * @unwind 16
 * @options --unwindset amount_form_ok.0:8,amount_form_ok.1:8,amount_parse.0:8,strlen.0:8,strchr.0:8
 */
#include "model/amount.c"
#include "proof.h"

enum { TEXT_MAX = 6, DECIMALS_MAX = 8, PUSHED_MAX = TEXT_MAX + DECIMALS_MAX };

static struct {
    uint8_t digit[PUSHED_MAX];
    size_t n;
} pushed;

/* That a digit more is exact is shown by itself. Here it is noted which they are. */
bool u256_push_digit(struct u256 *a, uint64_t base, uint64_t digit)
{
    (void)a;
    pushed.digit[pushed.n++] = (uint8_t)digit;
    return base == 10;
}

/* Whether it is an amount, and how many digits are behind its point. */
static bool is_amount(const char *text, size_t n, size_t *places)
{
    bool point = false;

    *places = 0;
    for (size_t i = 0; i < n; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';

        if (!digit && (text[i] != '.' || point || i == 0 || i + 1 == n))
            return false;
        point = point || !digit;
        *places += point && digit;
    }
    return n > 0;
}

static void check(const char *text, size_t n)
{
    ANY(uint8_t, decimals);
    struct amount amount;
    size_t places, digits = 0;
    bool right = is_amount(text, n, &places);
    enum amount_fault fault;

    SUPPOSE(decimals <= DECIMALS_MAX);
    pushed.n = 0;
    fault = amount_parse(&amount, text, decimals);
    MUST(amount_form_ok(text) == right);
    MUST(fault == (!right ? AMOUNT_FORM : places > decimals ? AMOUNT_PLACES : AMOUNT_FINE));
    if (fault != AMOUNT_FINE)
        return;
    for (size_t i = 0; i < n; i++)
        if (text[i] != '.')
            MUST(pushed.digit[digits++] == text[i] - '0');
    MUST(pushed.n == digits + decimals - places && amount.decimals == decimals);
    for (; digits < PUSHED_MAX && digits < pushed.n; digits++)
        MUST(pushed.digit[digits] == 0);
}

EACH_TEXT(check, TEXT_MAX)
