#include "http/accept.h"

#include <string.h>
#include <strings.h>

/* Whether it says "q=0", with any number of zeros after the point: not acceptable. */
static bool range_is_refused(const char *range, size_t n)
{
    for (const char *p = range; (p = memchr(p, ';', (size_t)(range + n - p))) != NULL;) {
        p++;
        p += strspn(p, " \t");
        if ((*p == 'q' || *p == 'Q') && p[1] == '=')
            return p[2] == '0' && strspn(p + 2, "0.") == strcspn(p + 2, " \t;,");
    }
    return false;
}

/* The rank of a range by how specific it is; 0: it does not match. */
static size_t range_rank(const char *range, const char *const *ranges, size_t n)
{
    size_t len = strcspn(range, " \t;,");

    for (size_t i = n; i > 0; i--)
        if (len == strlen(ranges[i - 1]) && strncasecmp(range, ranges[i - 1], len) == 0)
            return i;
    return 0;
}

bool accepts(const char *list, const char *const *ranges, size_t n, bool otherwise)
{
    bool accepted = otherwise;
    size_t best = 0;

    for (const char *p = list; p != NULL && *p != '\0'; p += *p == ',') {
        size_t rank;

        p += strspn(p, " \t");
        rank = range_rank(p, ranges, n);
        if (rank > best) {
            best = rank;
            accepted = !range_is_refused(p, strcspn(p, ","));
        }
        p += strcspn(p, ",");
    }
    return accepted;
}
