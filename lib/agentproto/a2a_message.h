/* Reads what an A2A client says, of either version: its messages and push configs. Pure: the fuzz target
 * feeds it anything. */
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
    const char *id;      /* NULL: none was chosen */
    const char *url;     /* whether it may be called is judged already */
    const char *scheme;  /* of the authentication, or NULL */
    const char *headers; /* lines for its requests, without those of the content; secrets are in them */
};

struct a2a_message {
    const char *id;          /* messageId */
    const char *context_id;  /* or NULL */
    const char *task_id;     /* or NULL */
    const char *text;        /* its text parts, joined; NULL when there is an operation */
    const char *approval_id; /* which is all that it says, as text or data; or NULL */
    const char *operation;   /* of its data part, or NULL */
    const json_t *arguments; /* an object, borrowed from the operation's part; NULL: none */
    const char *kept;        /* as it goes into the history, JSON without secrets */
    uint8_t id_hash[HASH_LEN], fingerprint[HASH_LEN]; /* of its id, and of all that it asks for */
    bool wait;                                        /* for the end, as long as that is done */
    int history;                                      /* wanted messages; -1: all */
    bool has_push;
    struct a2a_push_config push;
};

/* Params of message/send and SendMessage. NULL when they are sound. 1.0 waits unless told otherwise, 0.3 does
 * not; its clients from before the version was settled send no messageId and are given one. Texts are in the
 * arena. */
const struct err *a2a_message_read(struct a2a_message *out, const json_t *params, enum task_version version,
                                   enum call_guard guard, struct arena *a);
/* A push config of either shape. */
const struct err *a2a_push_read(struct a2a_push_config *out, const json_t *config, enum call_guard guard,
                                struct arena *a);

/* A copy, a new reference, in which every text and every name with a secret in it is SAFE_TEXT_SECRET. */
json_t *a2a_scrubbed(const json_t *v);

/* An id that a client chose, visible ASCII of at most TASK_ID_MAX characters: NULL when the member is absent,
 * null or empty. */
const struct err *a2a_id_read(const char **out, const json_t *object, const char *member, struct arena *a);

#endif
