/* From a REST request to its answer. The checks come in this order: path and method, size and type, key,
 * limit, body, fields; then the handler runs. */
#ifndef API_ADMISSION_DISPATCH_H
#define API_ADMISSION_DISPATCH_H

#include "http/reply.h"
#include "http/request.h"
#include "service/ctx.h"

struct reply *dispatch(struct ctx *ctx, struct request *rq);

#endif
