/* Whether venues serve this service: what is heard of each by all calls to its URL, in memory that the
 * processes of a host share. Providers of routes have more to be told of (route/provider_state.h), and nodes
 * have breakers. */
#ifndef NET_VENUES_H
#define NET_VENUES_H

#include "base/arena.h"
#include "base/err.h"
#include "net/call.h"

struct conf;

enum venue_service {
    VENUE_GAMMA,
    VENUE_CLOB,
    VENUE_DATA,
    VENUE_RELAYER,
    VENUE_PERPS,
    VENUE_PERPS_EXCHANGE,
    VENUE_CIRCLE,
    VENUE_MORPHO_API,
    VENUE_PRICE_FEED,
    VENUE_SERVICES
};

/* "polymarket-clob" */
const char *venue_service_name(enum venue_service v);
/* Whether the settings have its URL. */
bool venue_is_on(const struct conf *conf, enum venue_service v);

/* Before processes are forked; those that name the same `shm_file` share it (with ".venues" behind its
 * name). Until then nothing is heard. `create` is false for a program that may run as another user than they
 * do. */
void venues_share(const struct conf *conf, bool create);

/* Called for each call that has ended, to any target. */
void venue_hear(const struct call *c);
/* An answer of it has come that its reader makes nothing of. */
void venue_senseless(enum venue_service v);

/* As calls_run; but asks none of them where a venue among those asked is known to refuse this service: all
 * are CALL_HELD then. */
size_t venue_calls_run(struct net *n, struct call *calls, size_t count, unsigned deadline_ms);
/* NULL, or E_PROVIDER_REFUSED with the seconds to wait: it refuses this service, and a known question too. */
const struct err *venue_check(struct arena *a, enum venue_service v);
/* The agent's error for a call without a usable answer: a refusal of this service, if the answer or a known
 * question shows it; else `otherwise`. */
const struct err *venue_failure(struct arena *a, const struct call *c, const struct err *otherwise);

/* As providers have it (route/provider_state.h). */
bool venue_is_in_doubt(enum venue_service v);
bool venue_is_refused(enum venue_service v);
void venue_serves_us(enum venue_service v);
void venue_keeps_refusing(enum venue_service v, const char *said);

/* The kinds of refusals that "venue_refusals_total" counts; NULL ends them. */
extern const char *const venue_refusal_kinds[];

#endif
