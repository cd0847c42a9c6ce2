/* Reads what an A2A client of either version sends: messages and push configs. Pure, and fuzzed. */
#ifndef AGENTPROTO_A2A_MESSAGE_H
#define AGENTPROTO_A2A_MESSAGE_H

#include <jansson.h>

#include "base/arena.h"
#include "base/err.h"
#include "codec/hash.h"
#include "model/event.h"
#include "model/task.h"
#include "net/call.h"

enum { A2A_TOKEN_MAX = 256, A2A_SCHEME_MAX = 32, A2A_CREDENTIALS_MAX = 1536 };

struct a2a_push_config {
    const char *id;      /* NULL: the client chose none */
    const char *url;     /* checked: it may be called */
    const char *scheme;  /* of the authentication, or NULL */
    const char *headers; /* lines for its requests besides Content-*; they hold secrets */
};

struct a2a_message {
    const char *id;          /* messageId */
    const char *context_id;  /* or NULL */
    const char *task_id;     /* or NULL */
    const char *text;        /* its text parts, joined; NULL when there is an operation */
    const char *approval_id; /* if it says nothing else, as text or data; or NULL */
    const char *operation;   /* of its data part, or NULL */
    const json_t *arguments; /* an object, borrowed from the data part; NULL: none */
    const char *kept;        /* its form in the history: JSON without secrets */
    uint8_t id_hash[HASH_LEN], fingerprint[HASH_LEN]; /* of its id, and of everything that it says */
    bool wait;                                        /* the client waits for the end, within limits */
    int history;                                      /* number of messages wanted; -1: all */
    bool has_push;
    struct a2a_push_config push;
};

/* Reads the params of message/send and SendMessage; NULL when they are sound. By default 1.0 waits and 0.3
 * does not. Clients that are older than 0.3 send no messageId and get one. Strings are in the arena. */
const struct err *a2a_message_read(struct a2a_message *out, const json_t *params, enum task_version version,
                                   enum call_guard guard, struct arena *a);
/* Reads a push config of either version. */
const struct err *a2a_push_read(struct a2a_push_config *out, const json_t *config, enum call_guard guard,
                                struct arena *a);

/* A copy, a new reference, with SAFE_TEXT_SECRET in place of every string and every name that holds a secret.
 */
json_t *a2a_scrubbed(const json_t *v);

/* Reads an id that a client chose, visible ASCII of at most TASK_ID_MAX characters; *out is NULL when the
 * member is absent, null or empty. */
const struct err *a2a_id_read(const char **out, const json_t *object, const char *member, struct arena *a);

#endif
