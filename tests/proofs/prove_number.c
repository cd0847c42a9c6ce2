/* number_span, number_plain
 * @bounds all texts up to 4 bytes with marks of one byte, times powers of ten, as if numbers had up to 6
 * characters
 * @shows no access outside of the text or of what it is copied to; a number ends within it; what is read are
 * its digits at their places, whether its last mark groups them or is the point, without zeros to spare
 * @unwind 7
 * @options --unwindset is_same_number.0:10
 * @replace mark_at:mark_any
 */
#include "bytewise.h"

#include "command/written_number.h"
#include "proof.h"

#define NUMBER_MAX 6

#include "command/written_number.c"

enum { TEXT_MAX = 4, SHIFT_MAX = 3, PLACES_LEFT = 4, PLACES = PLACES_LEFT + TEXT_MAX };

/* Without what is between them. */
struct only_digits {
    char digit[NUMBER_MAX];
    size_t count, behind; /* behind the last mark */
    bool marked;
};

/* That longer ones lie within the text is shown by itself. */
size_t mark_any(const char *s, char *kind)
{
    *kind = *s;
    return *s == ',' || *s == '.' || *s == ' ' || *s == '\'';
}

static struct only_digits digits_of(const char *s, size_t n)
{
    struct only_digits d = { .count = 0 };

    for (size_t i = 0; i < n; i++) {
        if (!char_is_digit(s[i])) {
            d.marked = true;
            d.behind = 0;
            continue;
        }
        d.digit[d.count++] = s[i];
        d.behind += d.marked;
    }
    return d;
}

/* Places are counted from the highest on, of which PLACES_LEFT are left of the point. */
static char digit_at(const struct only_digits *d, size_t left, size_t place)
{
    return place + left < PLACES_LEFT || place + left >= PLACES_LEFT + d->count
               ? '0'
               : d->digit[place + left - PLACES_LEFT];
}

static bool is_same_number(const struct only_digits *a, size_t a_left, const struct only_digits *b,
                           size_t b_left)
{
    for (size_t place = 0; place <= PLACES; place++)
        if (digit_at(a, a_left, place) != digit_at(b, b_left, place))
            return false;
    return true;
}

static void check(const char *text, size_t n)
{
    ANY(unsigned, shift);
    char plain[NUMBER_MAX + 1];
    size_t span = number_span(text), len;
    struct only_digits said, read;

    MUST(span <= n);
    SUPPOSE(shift <= SHIFT_MAX);
    if (!number_plain(plain, text, span, shift))
        return;
    len = strlen(plain);
    said = digits_of(text, span);
    read = digits_of(plain, len);
    MUST(is_same_number(&read, read.count - read.behind, &said, said.count + shift) ||
         is_same_number(&read, read.count - read.behind, &said, said.count - said.behind + shift));
    MUST(read.count == len || (read.count + 1 == len && plain[len - read.behind - 1] == '.'));
    MUST(read.count == len || (read.behind > 0 && read.behind < read.count && plain[len - 1] != '0'));
    MUST(plain[0] != '0' || len == 1 || read.behind + 1 == read.count);
}

EACH_TEXT(check, TEXT_MAX)
