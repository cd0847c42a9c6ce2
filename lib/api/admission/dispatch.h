/* From a request to its answer: path and method, size and type, key, limit, body, fields, then the handler.
 */
#ifndef API_ADMISSION_DISPATCH_H
#define API_ADMISSION_DISPATCH_H

#include "http/reply.h"
#include "http/request.h"

struct reply *dispatch(struct request *rq);

#endif
