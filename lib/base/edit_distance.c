#include "base/edit_distance.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LEN = 48, FAR = EDIT_DISTANCE_MAX + 1 };

static bool is_joint(char c)
{
    return c == '_' || c == '-';
}

/* The letters that count; their number, or -1 when it is no name of ours. */
static int letters_of(char out[static NAME_LEN], const char *name)
{
    int n = 0;

    for (; *name != '\0'; name++) {
        if (is_joint(*name))
            continue;
        if (n == NAME_LEN)
            return -1;
        out[n++] = (char)tolower((unsigned char)*name);
    }
    return n;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Optimal string alignment: row[i][j] is the distance of the first i letters of a from the first j of b. */
static unsigned align(const char *a, unsigned n, const char *b, unsigned m)
{
    unsigned row[NAME_LEN + 1][NAME_LEN + 1];

    for (unsigned i = 0; i <= n; i++) {
        for (unsigned j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                row[i][j] = i + j;
                continue;
            }
            row[i][j] =
                least(least(row[i - 1][j], row[i][j - 1]) + 1, row[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[i][j] = least(row[i][j], row[i - 2][j - 2] + 1);
        }
    }
    return row[n][m];
}

unsigned edit_distance(const char *a, const char *b)
{
    char x[NAME_LEN], y[NAME_LEN];
    int n = letters_of(x, a), m = letters_of(y, b);

    if (n < 0 || m < 0 || abs(n - m) > EDIT_DISTANCE_MAX)
        return FAR;
    return least(align(x, (unsigned)n, y, (unsigned)m), FAR);
}

static const char *letter_next(const char *s)
{
    while (is_joint(*s))
        s++;
    return s;
}

/* Whether `s` begins with the letters of `part`; *rest is what follows. */
static bool letters_begin(const char *s, const char *part, const char **rest)
{
    for (;; s++, part++) {
        part = letter_next(part);
        *rest = s = letter_next(s);
        if (*part == '\0')
            return true;
        if (tolower((unsigned char)*s) != tolower((unsigned char)*part))
            return false;
    }
}

bool names_alike(const char *a, const char *b)
{
    const char *rest;

    return letters_begin(a, b, &rest) && *rest == '\0';
}

bool name_contains(const char *name, const char *part)
{
    const char *rest;

    while (*name != '\0' && !letters_begin(name, part, &rest))
        name++;
    return *name != '\0';
}
