/* Checks the members of a call in addition to its approval: the approved terms are carried out, so that any
 * other would be without effect. */
#ifndef API_ADMISSION_APPROVED_TERMS_H
#define API_ADMISSION_APPROVED_TERMS_H

#include "api/admission/api_call.h"
#include "base/params.h"

/* Notes a fault for each member of `object` that differs from what was asked for when the operator's approval
 * was; `in` is what the row's parameters were read into. Nothing where the call names no approval. */
void approved_terms_check(struct api_call *c, const json_t *object, const void *in,
                          struct param_faults *faults);
/* After an answer that says to wait for an approval: keeps what was asked for with it. */
void approved_terms_keep(struct api_call *c, const void *in, struct reply *answer);

#endif
