/* `wait`: the answer of a call that begins an execution, or shows one, may come when that has ended. Such an
 * answer is what the row of that execution shows (struct endpoint.begins). The request is marked for the
 * transport, which parks it (http/request.h) or sends the answer at once; after the wait the same request
 * comes again as a resumed one, whose work is not done again. */
#ifndef API_ADMISSION_WAITING_H
#define API_ADMISSION_WAITING_H

#include "api/admission/api_call.h"

/* The answer of a call that was asked with these members, by that of its work. NULL: it could not be read. */
struct reply *waiting_answer(struct api_call *c, const json_t *object, const void *in, struct reply *rp);
/* The answer of the work that a resumed call did before; NULL: it is no such call, or one that only reads. */
struct reply *waiting_resumed(const struct api_call *c);

#endif
