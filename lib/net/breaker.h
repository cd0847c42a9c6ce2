/* A circuit breaker: who failed several times in a row is left alone for a moment, and then tried by one
 * caller at a time until it answers. One word, in memory that the workers of a host share; 0 at first. */
#ifndef NET_BREAKER_H
#define NET_BREAKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    BREAKER_FAILURES = 4,    /* in a row, after which it is open */
    BREAKER_PAUSE_MS = 2000, /* until the next trial */
};

struct breaker {
    _Atomic uint64_t word;
};

/* Whether a call may be made now; while the breaker is open it takes the trial for the caller when one is
 * due, and nobody else gets one until that has failed, or was heard of no more for a pause. Time is
 * monotonic. */
bool breaker_admits(struct breaker *b, int64_t now_ms);
/* What breaker_admits would say, taking nothing. */
bool breaker_would_admit(const struct breaker *b, int64_t now_ms);
/* How a call ended. */
void breaker_tell(struct breaker *b, bool answered, int64_t now_ms);

#endif
