/* State of each provider that the workers and jobs of a host share: how much of its rate is used up, whether
 * it is left alone for a while, and how often and how fast it answered. Providers that ask the chain itself
 * are only counted: nodes have breakers of their own. */
#ifndef ROUTE_PROVIDER_STATE_H
#define ROUTE_PROVIDER_STATE_H

#include "model/provider_counts.h"
#include "route/provider.h"

enum provider_health {
    PROVIDER_READY,
    PROVIDER_SPENT,   /* it was asked as often as its rate allows */
    PROVIDER_PAUSED,  /* it has said that it is asked too often */
    PROVIDER_FAILING, /* it gave no answer several times in a row */
    PROVIDER_SUSPECT, /* what it handed over broke what it had promised, several times */
    PROVIDER_REFUSED, /* it refuses us, a known question too: asked again at growing intervals */
};

/* Before processes are forked; those that name the same file share it (with ".providers" behind its name),
 * and without it each has a memory of its own. It ends with the host's boot. */
void provider_states_share(const char *file);

/* Whether it may be asked now; in a process that asks known questions, always. Takes that question from its
 * rate, of which at most half is for the agent whose request this worker waits for, and the trial where one
 * is due after failures. provider_tell has to follow. */
enum provider_health provider_admits(const struct ctx *ctx, const struct provider *p);
/* The result that provider_admits would give, without taking anything. */
enum provider_health provider_health(const struct ctx *ctx, const struct provider *p);
/* Reports the result of asking it. A call that was held back does not count. */
void provider_tell(const struct provider *p, const struct call *call, enum ask_end end);
/* The bytes that it returned do not keep its promise: a provider that does so three times in ten minutes is
 * not asked for ten minutes. */
void provider_found_lying(const struct provider *p);
/* The bytes that it returned keep its promise. */
void provider_kept_promise(const struct provider *p);

/* ---- who refuses us ----
 * Statuses such as 401 and 404, those from 500 on, answers that cannot be read, and plans that the guard
 * refuses, many in a row: whether all of it is one account's odd requests, a known question tells. */

/* Whether it is to be asked one now: for the first time, or again. */
bool provider_is_in_doubt(const struct provider *p);
/* It serves a known question, or refuses it too, with these words. */
void provider_serves_us(const struct provider *p);
void provider_keeps_refusing(const struct provider *p, const char *said);

/* Since the memory was made. */
struct provider_counts provider_counts(const struct provider *p);
/* The counts since provider_counts_kept; false: none, or another gateway of this host stores them until it
 * ends. */
bool provider_counts_new(const struct provider *p, struct provider_counts *more);
/* Notes that `more` has been added to the database. */
void provider_counts_kept(const struct provider *p, const struct provider_counts *more);

#endif
