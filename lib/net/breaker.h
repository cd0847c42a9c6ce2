/* A circuit breaker: after several failures in a row a peer is left alone for a moment, then tried by one
 * caller at a time until it answers. One word in memory that the workers of a host share; 0 at first. */
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

/* Whether a call may be made now. While the breaker is open and a trial is due, the caller gets the trial,
 * and no other does until it has failed or has not been reported for one pause. Time is monotonic. */
bool breaker_admits(struct breaker *b, int64_t now_ms);
/* The result that breaker_admits would give, without taking the trial. */
bool breaker_would_admit(const struct breaker *b, int64_t now_ms);
/* Reports how a call ended. */
void breaker_tell(struct breaker *b, bool answered, int64_t now_ms);

#endif
