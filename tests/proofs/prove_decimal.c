/* decimal_exact
 * @bounds all texts up to 4 characters, all places up to 9
 * @shows digits, with at most one point between them and an exponent behind them, are taken one after the
 * other, without zeros in front and with zeros up to the places, and never more than 18; digits beyond
 * these are reported as left, and all else is refused
 * @unwind 7
 * @options --unwindset decimal_exact.0:20,check.0:20,strspn.0:12
 * @replace push_digit:push_noted
 */
#include "model/decimal.c"
#include "proof.h"

enum { TEXT_MAX = 4, PLACES_MAX = 9 };

static struct {
    unsigned digit[UNITS_DIGITS];
    long n;
} pushed;

/* That a digit more is exact is shown by itself. Here it is noted which they are. */
void push_noted(uint64_t *sum, unsigned digit)
{
    (void)sum;
    MUST(pushed.n < UNITS_DIGITS);
    pushed.digit[pushed.n++] = digit;
}

/* What a text says: digits, how many of them are zeros in front, and where the point is. */
struct parse_state {
    unsigned digit[TEXT_MAX];
    long n, zeros, point;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool said_exponent(struct parse_state *out, const char *text, size_t n)
{
    size_t i = text[0] == '-' || text[0] == '+';
    long exponent = 0;

    if (i == n)
        return false;
    for (; i < n; i++) {
        if (!is_digit(text[i]))
            return false;
        exponent = exponent * 10 + (text[i] - '0');
    }
    out->point += text[0] == '-' ? -exponent : exponent;
    return true;
}

static bool said_by(struct parse_state *out, const char *text, size_t n)
{
    bool point = false;

    *out = (struct parse_state){ .n = 0 };
    for (size_t i = 0; i < n; i++) {
        if (is_digit(text[i])) {
            out->zeros += out->zeros == out->n && text[i] == '0';
            out->digit[out->n++] = (unsigned)(text[i] - '0');
            out->point += !point;
        } else if (text[i] == '.' && !point && i > 0 && i + 1 < n && is_digit(text[i + 1])) {
            point = true;
        } else {
            return (text[i] == 'e' || text[i] == 'E') && out->n > 0 &&
                   said_exponent(out, text + i + 1, n - i - 1);
        }
    }
    return n > 0;
}

static void check(const char *text, size_t n)
{
    ANY(unsigned, places);
    struct parse_state said;
    bool right = said_by(&said, text, n), rest = false;
    uint64_t out = UINT64_MAX;
    enum decimal_fault fault;
    long taken;

    SUPPOSE(places <= PLACES_MAX);
    pushed.n = 0;
    fault = decimal_exact(&out, text, places);
    MUST((fault == DECIMAL_FORM) == !right);
    if (!right)
        return;
    taken = said.zeros == said.n ? 0 : said.point - said.zeros + (long)places;
    MUST((fault == DECIMAL_RANGE) == (taken > UNITS_DIGITS));
    MUST((fault == DECIMAL_FORM || fault == DECIMAL_RANGE) == (out == UINT64_MAX));
    if (fault == DECIMAL_RANGE)
        return;
    MUST(pushed.n == (taken > 0 ? taken : 0));
    for (long i = 0; i < UNITS_DIGITS; i++)
        MUST(i >= pushed.n || pushed.digit[i] == (said.zeros + i < said.n ? said.digit[said.zeros + i] : 0));
    for (long i = 0; i < said.n; i++)
        rest = rest || (i >= said.zeros + pushed.n && said.digit[i] != 0);
    MUST((fault == DECIMAL_PLACES) == rest);
}

EACH_TEXT(check, TEXT_MAX)
