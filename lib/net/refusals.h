/* Providers and venues that refuse us: one whose answers leave that in doubt is asked a known question, and
 * one that refuses this too is asked again at growing intervals only. In memory that processes share; times
 * are monotonic. */
#ifndef NET_REFUSALS_H
#define NET_REFUSALS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/call.h"

/* The result of a known question, and its end. */
enum refused {
    REFUSED_NOT,
    REFUSED_ANSWERS, /* a good answer */
    REFUSED_CONTENT, /* content that is as it was promised */
};

enum {
    REFUSALS_MAX = 10, /* in a row: then there is doubt */
    BROKEN_MAX = 3,
    REFUSALS_AGAIN_MS = 60 * 1000,
    REFUSALS_DOUBLINGS = 6, /* about an hour */
};

struct refusals {
    _Atomic unsigned answers; /* that refuse us, since the last good one */
    _Atomic unsigned broken;  /* contents, since the last that was as promised */
    _Atomic int refused;      /* enum refused */
    _Atomic int64_t again_ms; /* then it is asked once more */
    _Atomic unsigned in_vain; /* so often it was asked since it refuses */
};

/* Whether the answer's status says that we are served nothing at all: no or a wrong key, no plan, no such
 * API. */
bool call_refuses_us(const struct call *call);

/* An answer that refuses us, or a content that is not as promised. */
void refusals_add(struct refusals *r, int64_t now_ms);
void refusals_add_broken(struct refusals *r);
/* A good answer, or a good content. */
void refusals_serve(struct refusals *r, enum refused what);

/* Whether it is to be asked a known question now: for the first time, or again. */
bool refusals_in_doubt(const struct refusals *r, int64_t now_ms);
/* It refuses that too. False: as was known. */
bool refusals_confirm(struct refusals *r, int64_t now_ms);
bool refusals_stand(const struct refusals *r);
/* Whether it may be asked: it serves us, or is due to be asked again; then one of those who find so asks. */
bool refusals_admit(struct refusals *r, int64_t now_ms);
/* In how many seconds it is due, 1 at least. */
unsigned refusals_wait_s(const struct refusals *r, int64_t now_ms);

#endif
