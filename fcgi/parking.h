/* Calls that wait for the end of an execution (api/admission/waiting.h) hold no worker: the worker hands the
 * connection over to one process of the host, which holds it until then (parker.h). With it go two texts: the
 * request, which that process sends to a worker once more when the wait is over, and the answer as it is now,
 * which the client gets where that fails, or where there is no room to wait.
 *
 * What was handed over stays in the socket between them until that process, or its successor, takes it. */
#ifndef FCGI_PARKING_H
#define FCGI_PARKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/request.h"

/* Calls of the host, of one agent; bytes of the texts that go with one, together: a thousand take 16 MB,
 * however long the requests are that clients send. */
enum { PARKED_MAX = 2048, PARKED_AN_AGENT = 20, PARKED_TEXTS_MAX = 16 * 1024 };

/* Whether the gateway goes on. */
enum parking_future {
    PARKING_STAYS,
    PARKING_RESTARTS, /* other workers answer those who wait */
    PARKING_ENDS,
};

struct parking;

/* A call that was handed over. */
struct parked_call {
    int fd; /* the web server's connection */
    uint64_t agent_id, execution;
    bool order;       /* struct request_wait's */
    int64_t until_ms; /* by clock_mono_ms */
    uint8_t *again;   /* the request as a worker gets it once more, whole; on the heap */
    size_t again_len;
    /* In the same piece of memory, behind that: the answer as it was; the beginning of a stream, and the text
     * of an event that ends with a number (struct request_wait's `progress`): without one, they are empty. */
    uint8_t *now, *head, *progress;
    size_t now_len, head_len, progress_len;
};

/* The same texts. */
struct parking_texts {
    const void *again, *now, *head, *progress;
    size_t again_len, now_len, head_len, progress_len;
};

/* Call before forking. Exits when there is no memory. */
struct parking *parking_new(void);
/* In a worker: it only hands over. */
void parking_own(const struct parking *p);
/* The connection with what goes with it; the caller still closes its own descriptor. False: nothing takes it
 * now. */
bool parking_hand_over(struct parking *p, int fd, const struct request_wait *w,
                       const struct parking_texts *t);
/* In the parent. With anything but PARKING_STAYS workers hand over no more. */
void parking_tell(struct parking *p, enum parking_future future);
/* In the parent, which forks no more, so that parking_take sees that the last worker has ended. */
void parking_close(const struct parking *p);

/* In that process, first: it may have as many connections as there are places. Returns how many. */
unsigned parking_serve(struct parking *p);
enum parking_future parking_future(const struct parking *p);
/* Readable when a call was handed over. */
int parking_fd(const struct parking *p);
/* The next call. 0: none is there now; -1: none can come any more, since parent and workers have ended or
 * left. */
int parking_take(struct parking *p, struct parked_call *out);
/* Wipes its texts: they have the client's key. */
void parked_call_free(struct parked_call *call);

#endif
