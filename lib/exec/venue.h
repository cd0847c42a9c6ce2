/* A venue that takes signed requests instead of transactions, such as an exchange that keeps its order book
 * to itself: one row of functions, all of them pure but `sign`. The engine stores a request before it is
 * sent, runs the calls, sends the same bytes until the venue is known to have them, and asks what became of
 * them. The rows stand above the engine, so they are found by venue_of, which registry/request_venues.c
 * defines. */
#ifndef EXEC_VENUE_H
#define EXEC_VENUE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/lookup.h"
#include "exec/plan.h"
#include "exec/tracked.h"
#include "model/execution.h"
#include "model/wallet.h"
#include "net/call.h"
#include "service/ctx.h"

/* A request on its way to the signer. */
struct request_signing {
    const struct wallet *wallet;
    const struct plan *plan;
    const struct plan_request *request;
    uint64_t nonce;     /* where the venue wants one; else 0 */
    int64_t expires_ms; /* as the request is stored */
};

/* In each pair, `ask` fills in the call's URL, headers and body, and returns false when it has nothing to
 * ask; what it needs to remember goes to call->owner, in the arena. `read` then runs exactly once per call,
 * however the call ended, and releases what `ask` acquired. *out is zeroed: VENUE_UNAVAILABLE unless the
 * answer proves more. The caller frees the call itself. */
struct venue {
    const char *name; /* as requests.venue has it */
    /* Each request bears a nonce that its signing key never used before: milliseconds since 1970, or the last
     * one and 1, whichever is more. */
    bool has_nonces;
    /* A request that it has refused REFUSALS times it never takes any more, even before its expiry: the nonce
     * is used up. */
    bool refuses_for_good;
    /* What it takes it has carried out with that, and may forget: a request that it took, and does not know
     * any more, was carried out. */
    bool forgets;
    /* Through the signer: sets venue_key and body of *out, in the arena; the engine sets all the rest. False
     * when the signer is away or refuses (logged). Runs inside a database transaction: no other call. */
    bool (*sign)(const struct ctx *ctx, struct arena *a, const struct request_signing *in,
                 struct venue_request *out);
    /* Gives the venue the body as it is stored. An answer that it has these very bytes already is VENUE_HAS
     * if that means that it took them, VENUE_UNAVAILABLE if it may have refused them then. */
    bool (*ask_send)(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                     struct arena *a);
    void (*read_send)(const struct call *call, const struct venue_request *r, struct arena *a,
                      struct request_observation *out);
    /* If the venue has changed the form that it accepts: signs another request in place of one that it calls
     * outdated. `old` and *out are as for `sign`; other calls are allowed. `renewed` records it in what the
     * market keeps, inside the transaction that stores it. NULL, both: there is one form. */
    bool (*renew)(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                  const struct venue_request *old, struct venue_request *out);
    bool (*renewed)(struct db *db, const struct venue_request *r);
    /* Until when the venue takes nothing of this service, in milliseconds since 1970; 0: it takes what it
     * gets. NULL: it never says so. */
    int64_t (*held_until)(const struct ctx *ctx, struct arena *a);
    /* For a request that the venue has not taken, and that may live longer by now than its bytes say: signs
     * it again, so that at most one of both can be carried out, and sets expires_ms of *out to the end of the
     * new bytes. `old` and *out are as for `sign`. UNCHANGED: its bytes are good as they are. NULL: its bytes
     * have no end. */
    enum db_update (*prolong)(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                              const struct venue_request *old, struct venue_request *out);
    /* Asks for the state of a request, by its key. */
    bool (*ask_status)(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                       struct arena *a);
    void (*read_status)(const struct call *call, const struct venue_request *r, struct arena *a,
                        struct request_observation *out);
    /* Asks a source other than the venue for proof, such as the chain that the request acts on, at the same
     * time. `read` finds the venue's answer in *out and overrides it; an answer that proves nothing leaves
     * it. NULL: there is no such source. */
    bool (*ask_proof)(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                      struct arena *a);
    void (*read_proof)(const struct call *call, const struct venue_request *r, struct arena *a,
                       struct request_observation *out);
    /* Has the venue refuse it from now on, by its key. `read` returns whether the venue has answered, be it
     * that it does not know it. NULL where every request has an expiry. */
    bool (*ask_cancel)(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                       struct arena *a);
    bool (*read_cancel)(const struct call *call, const struct venue_request *r, struct arena *a);
};

extern const struct venue *const venues[];      /* NULL ends the list */
const struct venue *venue_of(const char *name); /* NULL for one that takes no requests, or is not known */

#endif
