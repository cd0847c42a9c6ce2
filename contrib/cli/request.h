/* A request made of names and values from the command line. */
#ifndef CLI_REQUEST_H
#define CLI_REQUEST_H

#include "base/arena.h"
#include "contrib/cli/calls.h"

/* One that was given; the name in any spelling of call_member. */
struct given {
    const char *name, *value;
};

struct request {
    const struct call *call;
    const char *path; /* below the API's address, with the query string */
    const char *body; /* JSON; NULL: none */
};

/* Takes of `given` what the call has a member for. Returns NULL, or what is wrong. */
const char *request_make(struct request *out, struct arena *a, const struct call *call,
                         const struct given *given, size_t count);

#endif
