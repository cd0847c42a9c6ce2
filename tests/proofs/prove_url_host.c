/* url_host, host_kind, text_fault, start_fault of url.c, and what they call there
 * @bounds all texts up to 10 characters, and as if addresses had up to 7
 * @shows no access outside of the text or of what it is copied to; a host lies within its URL
 * @unwind 12
 * @options --unwindset one_of.0:68,copy_bytes.0:18
 * @replace address_verdict:verdict_any
 */
#include "bytewise.h"
#include "spans.h"

#include <arpa/inet.h>
#include <netinet/in.h>

/* So that texts which are too long are among those up to 10. */
#undef INET_ADDRSTRLEN
#undef INET6_ADDRSTRLEN
#define INET_ADDRSTRLEN  8
#define INET6_ADDRSTRLEN 8

#include "net/url.c"

enum { URL_TEXT_MAX = 10 };

int inet_pton(int family, const char *restrict text, void *restrict out)
{
    ANY(bool, is_address);

    MUST(text[INET_ADDRSTRLEN - 1] == '\0' || __CPROVER_r_ok(text, INET_ADDRSTRLEN));
    MUST(__CPROVER_w_ok(out, family == AF_INET ? 4 : ADDR_LEN));
    return is_address;
}

/* Every address has one, as is shown by itself. */
enum verdict verdict_any(const uint8_t addr[static ADDR_LEN])
{
    ANY(enum verdict, verdict);

    MUST(__CPROVER_r_ok(addr, ADDR_LEN));
    SUPPOSE(verdict == PUBLIC || verdict == LOOPBACK || verdict == REFUSED);
    return verdict;
}

void harness(void)
{
    ANY_TEXT(url, len, URL_TEXT_MAX);
    ANY(unsigned, what);
    const char *host;
    size_t n;

    text_end = url + len;
    switch (what) {
    case 0:
        (void)text_fault(url);
        break;
    case 1:
        (void)start_fault(url, true);
        break;
    case 2:
        (void)start_fault(url, false);
        break;
    case 3:
        (void)host_kind(url);
        break;
    default:
        host = url_host(url, &n);
        MUST(host >= url && host + n <= url + len);
    }
}
