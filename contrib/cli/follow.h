/* What a call has begun, asked for until it is over. */
#ifndef CLI_FOLLOW_H
#define CLI_FOLLOW_H

#include "contrib/cli/client.h"

enum followed { FOLLOWED_NOTHING, FOLLOWED_DONE, FOLLOWED_FAILED, FOLLOWED_OPEN, FOLLOWED_UNREACHABLE };

/* Polls what the answer to `call` names until it is final or `wait_s` seconds have passed. Replaces `answer`
 * by the last one. FOLLOWED_NOTHING: it has begun nothing that ends by itself. */
enum followed follow(const struct client *c, const struct call *call, struct answer *answer, int64_t wait_s);

#endif
