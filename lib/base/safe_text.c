#include "base/safe_text.h"

#include <string.h>

static const struct {
    const char *first, *last; /* in UTF-8, whose order is that of the code points */
} deceiving[] = {
    { "\x01", "\x1f" },                         /* C0 */
    { "\x7f", "\x7f" },                         /* delete */
    { "\xc2\x80", "\xc2\x9f" },                 /* C1 */
    { "\xc2\xad", "\xc2\xad" },                 /* soft hyphen */
    { "\xd8\x9c", "\xd8\x9c" },                 /* Arabic letter mark */
    { "\xe2\x80\x8b", "\xe2\x80\x8f" },         /* zero width, marks of direction */
    { "\xe2\x80\xa8", "\xe2\x80\xae" },         /* separators, embeddings, overrides */
    { "\xe2\x81\xa0", "\xe2\x81\xaf" },         /* joiners, isolates */
    { "\xef\xbb\xbf", "\xef\xbb\xbf" },         /* byte order mark */
    { "\xf3\xa0\x80\x80", "\xf3\xa0\x81\xbf" }, /* tags */
};

/* The bytes of the character at s. ASCII has one, before any other byte: not all text is UTF-8. */
static size_t char_len(const char *s)
{
    size_t n = 1;

    while (((unsigned char)*s & 0x80) != 0 && ((unsigned char)s[n] & 0xc0) == 0x80)
        n++;
    return n;
}

static bool deceives(const char *s, size_t n)
{
    for (size_t i = 0; i < sizeof deceiving / sizeof deceiving[0]; i++)
        if (strlen(deceiving[i].first) == n && memcmp(s, deceiving[i].first, n) >= 0 &&
            memcmp(s, deceiving[i].last, n) <= 0)
            return true;
    return false;
}

bool safe_text_ok(const char *s)
{
    for (size_t n; *s != '\0'; s += n) {
        n = char_len(s);
        if (deceives(s, n))
            return false;
    }
    return true;
}

static char *copy_with(struct arena *a, const char *s, const char *replacement)
{
    size_t len = strlen(replacement);
    char *copy = arena_alloc(a, strlen(s) * len + 1), *to = copy;

    for (size_t n; *s != '\0'; s += n) {
        bool bad;

        n = char_len(s);
        bad = deceives(s, n);
        memcpy(to, bad ? replacement : s, bad ? len : n);
        to += bad ? len : n;
    }
    *to = '\0';
    return copy;
}

char *safe_text_copy(struct arena *a, const char *s)
{
    return copy_with(a, s, "\xef\xbf\xbd");
}

char *safe_text_terminal(struct arena *a, const char *s)
{
    return copy_with(a, s, "?");
}

bool safe_text_has_secret(const char *s)
{
    return strcasestr(s, "svc_sk_") != NULL || strcasestr(s, "svc_op_") != NULL ||
           strcasestr(s, "whsec_") != NULL;
}
