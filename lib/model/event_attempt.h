/* The attempts at delivering an event, as they are kept with it: a line each, the oldest first. */
#ifndef MODEL_EVENT_ATTEMPT_H
#define MODEL_EVENT_ATTEMPT_H

#include <stdint.h>

#include "base/arena.h"
#include "model/event.h"

enum {
    EVENT_ATTEMPTS_KEPT = 10, /* the last ones */
    EVENT_ATTEMPT_LINE_MAX = 48 + EVENT_ERROR_MAX,
};

struct event_attempt {
    int64_t at_ms;       /* when its outcome was recorded */
    int response_status; /* 0: no answer */
    unsigned took_ms;
    const char *error; /* NULL: it was delivered */
};

/* "AT STATUS TOOK ERROR", the error last, since it may have spaces. */
void event_attempt_line(char out[static EVENT_ATTEMPT_LINE_MAX + 1], const struct event_attempt *attempt);
/* Reads lines, NULL for none. Returns how many, at most EVENT_ATTEMPTS_KEPT; the errors are in the arena. */
unsigned event_attempts_read(struct event_attempt out[static EVENT_ATTEMPTS_KEPT], struct arena *a,
                             const char *lines);

#endif
