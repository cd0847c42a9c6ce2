/* The contracts that 0x's registry names, for the signer, which has no network and signs for no others. */
#ifndef OPERATOR_ADMIN_SETTLERS_H
#define OPERATOR_ADMIN_SETTLERS_H

#include "chain/chains.h"
#include "operator/operator.h"

/* The report on one chain, in the arena. */
struct settlers_report {
    const struct chain *chain;
    const char *first, *second; /* the present one, and the one before it; "": there is none */
    const char *problem;        /* NULL: they are in the file now */
};
typedef void settlers_report_fn(void *arg, const struct settlers_report *r);

/* Asks each chain's nodes, the second one and the verifying one too, which all have to say the same, and
 * replaces the list in signer_dir. A chain without an answer has none in it afterwards. */
const char *operator_settlers(const struct ctx *ctx, struct arena *a, settlers_report_fn *report, void *arg);

#endif
