#include "command/written_number.h"

#include <string.h>

enum { GROUPS_MAX = 40, GROUP = 3 };

static bool char_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t digits(const char *s)
{
    size_t n = 0;

    while (char_is_digit(s[n]))
        n++;
    return n;
}

/* ---- where it ends ---- */

/* The blanks that group: the space, and its no-break, thin and narrow no-break kin. */
static const char *const blanks[] = { " ", "\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf" };
static const char *const apostrophes[] = { "'", "\xe2\x80\x99" };

/* The length of the mark at `s`, 0 when there is none; *kind is ',', '.', ' ' or '\''. */
static size_t mark_at(const char *s, char *kind)
{
    *kind = *s;
    if (*s == ',' || *s == '.')
        return 1;
    *kind = ' ';
    for (size_t i = 0; i < sizeof blanks / sizeof blanks[0]; i++)
        if (strncmp(s, blanks[i], strlen(blanks[i])) == 0)
            return strlen(blanks[i]);
    *kind = '\'';
    for (size_t i = 0; i < sizeof apostrophes / sizeof apostrophes[0]; i++)
        if (strncmp(s, apostrophes[i], strlen(apostrophes[i])) == 0)
            return strlen(apostrophes[i]);
    return 0;
}

size_t number_span(const char *s)
{
    size_t end = digits(s), group = end;
    bool grouping = end > 0; /* no point or comma yet that a blank cannot follow */
    char kind;

    for (;;) {
        size_t mark = mark_at(s + end, &kind), next = mark == 0 ? 0 : digits(s + end + mark);

        if (next == 0 || (kind == ' ' && (!grouping || group > GROUP || next != GROUP)))
            return end;
        grouping = grouping && kind == ' ';
        end += mark + next;
        group = next;
    }
}

/* ---- its text ---- */

/* Digits between marks. */
struct parts {
    const char *at[GROUPS_MAX];
    size_t len[GROUPS_MAX];
    char mark[GROUPS_MAX]; /* before each but the first */
    size_t count;
};

static bool parts_split(struct parts *p, const char *s, size_t n)
{
    const char *end = s + n;
    size_t len;

    p->count = 0;
    for (p->mark[0] = '\0'; p->count < GROUPS_MAX;) {
        p->at[p->count] = s;
        p->len[p->count] = digits(s);
        s += p->len[p->count++];
        if (s >= end)
            return true;
        if (p->count == GROUPS_MAX)
            break;
        len = mark_at(s, &p->mark[p->count]);
        s += len;
        if (len == 0)
            break;
    }
    return false;
}

/* Parts 0 to count-1 are one whole number in full groups, or there is only one. */
static bool grouped_well(const struct parts *p, size_t count)
{
    bool zero_first = p->len[0] > 0 && *p->at[0] == '0';

    if (count == 1)
        return p->len[0] <= 1 || !zero_first;
    if (p->len[0] == 0 || p->len[0] > GROUP || zero_first)
        return false;
    for (size_t i = 1; i < count; i++)
        if (p->len[i] != GROUP || p->mark[i] != p->mark[1])
            return false;
    return true;
}

enum mark_use { IS_DECIMAL, IS_GROUPING, IS_NEITHER };

static enum mark_use sole_mark_use(const struct parts *p)
{
    bool after_zero = p->len[0] == 1 && *p->at[0] == '0';

    if (p->mark[1] == '.')
        return IS_DECIMAL;
    if (p->mark[1] != ',' || p->len[0] == 0)
        return p->len[0] == 0 ? IS_NEITHER : IS_GROUPING;
    return after_zero || p->len[1] < GROUP ? IS_DECIMAL : IS_GROUPING;
}

/* The use of the last mark. */
static enum mark_use last_mark_use(const struct parts *p)
{
    char last = p->mark[p->count - 1];

    if (p->count == 1)
        return IS_GROUPING;
    if (p->count == 2)
        return sole_mark_use(p);
    if (last == p->mark[p->count - 2])
        return IS_GROUPING;
    /* "1 234,567" might be grouped twice over */
    if (last == ',' && p->mark[1] != '.' && p->len[p->count - 1] == GROUP)
        return IS_NEITHER;
    return last == ',' || last == '.' ? IS_DECIMAL : IS_NEITHER;
}

static void text_append(char *out, size_t *n, const char *s, size_t len)
{
    memcpy(out + *n, s, len);
    *n += len;
}

/* `whole` parts are left of the point, which then moves right by `shift` digits. */
static void write_plain(char *out, const struct parts *p, size_t whole, unsigned shift)
{
    const char *places = whole < p->count ? p->at[whole] : "";
    size_t places_len = whole < p->count ? p->len[whole] : 0, n = 0, zeros;

    for (size_t i = 0; i < whole; i++)
        text_append(out, &n, p->at[i], p->len[i]);
    for (; shift > 0; shift--) {
        out[n++] = places_len > 0 ? *places : '0';
        places += places_len > 0;
        places_len -= places_len > 0;
    }
    for (zeros = 0; zeros + 1 < n && out[zeros] == '0'; zeros++)
        ;
    memmove(out, out + zeros, n - zeros);
    n -= zeros;
    if (n == 0)
        out[n++] = '0';
    while (places_len > 0 && places[places_len - 1] == '0')
        places_len--;
    if (places_len > 0)
        out[n++] = '.';
    text_append(out, &n, places, places_len);
    out[n] = '\0';
}

bool number_plain(char out[static NUMBER_MAX + 1], const char *s, size_t n, unsigned shift)
{
    struct parts p;
    enum mark_use use;
    size_t whole;

    if (n + shift + 2 > NUMBER_MAX || !parts_split(&p, s, n))
        return false;
    use = last_mark_use(&p);
    whole = use == IS_DECIMAL ? p.count - 1 : p.count;
    if (use == IS_NEITHER || !grouped_well(&p, whole) || (shift > 0 && whole > 1))
        return false;
    write_plain(out, &p, whole, shift);
    return true;
}

bool number_is_zero(const char *plain)
{
    return strcmp(plain, "0") == 0;
}
