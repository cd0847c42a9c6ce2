#include "codec/rand.h"

#include <errno.h>
#include <sys/random.h>

#include "base/log.h"

void rand_bytes(void *out, size_t n)
{
    uint8_t *p = out;

    while (n > 0) {
        ssize_t got = getrandom(p, n, 0);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            log_fatal("no_randomness", "no random bytes: %s", strerror(errno));
        p += got;
        n -= (size_t)got;
    }
}

uint32_t rand_below(uint32_t limit)
{
    uint32_t v, unfair;

    if (limit == 0)
        log_fatal("program_broken", "rand_below(0)");
    unfair = (0U - limit) % limit; /* 2^32 mod limit: that many values have one chance too many */
    do {
        rand_bytes(&v, sizeof v);
    } while (v < unfair);
    return v % limit;
}
