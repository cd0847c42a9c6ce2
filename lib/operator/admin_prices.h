/* Prices of tokens for the signer, which has no network and may check trades by them (signer/min_output.h).
 */
#ifndef OPERATOR_ADMIN_PRICES_H
#define OPERATOR_ADMIN_PRICES_H

#include "chain/chains.h"
#include "operator/operator.h"

/* The report on one chain. */
struct prices_report {
    const struct chain *chain;
    size_t count;       /* of its tokens are in the list now */
    const char *absent; /* symbols of those that are not, after a space each; in the arena */
};
typedef void prices_report_fn(void *arg, const struct prices_report *r);

/* Asks the service's own sources and replaces the list in signer_dir. Only prices that no trade within a
 * block moves, and whose sources agree, are in it. */
const char *operator_prices(const struct ctx *ctx, struct arena *a, prices_report_fn *report, void *arg);

#endif
