/* What is said in a task, message after message, and what it comes to: an operation with all the arguments
 * that were given for it, or something to ask. Pure: it knows no network and no database. */
#ifndef AGENTPROTO_A2A_CONVERSATION_H
#define AGENTPROTO_A2A_CONVERSATION_H

#include <jansson.h>

#include "api/endpoint/endpoint.h"
#include "base/arena.h"
#include "base/err.h"

enum {
    CONVERSATION_MAX = 100 /* messages that are looked at */,
    CONVERSATION_PIECES_MAX = 8 /* more than a trade has */
};

struct a2a_conversation {
    struct arena *a;
    const struct endpoint *ep; /* NULL: nothing was said yet */
    json_t *arguments;         /* owned; without those that were secrets */
    const struct err *asks;    /* in answer to the last message, which is not carried out; or NULL */
    const char *sentence;      /* in plain English, of the command; or NULL */
    const char *pieces[CONVERSATION_PIECES_MAX]; /* that it lacked, and were said since */
    unsigned pieces_count;
};

/* One more message: an operation with its arguments (borrowed). A text is the command's operation with that
 * one argument. An operation goes on with the arguments that it had; another one begins anew. */
void a2a_conversation_add(struct a2a_conversation *t, const struct endpoint *ep, const json_t *arguments);
/* The same of a message as the history keeps it. */
void a2a_conversation_add_kept(struct a2a_conversation *t, const char *kept);
/* Gives the arguments free. */
void a2a_conversation_end(struct a2a_conversation *t);

/* The operation that takes plain English, and the one that takes an approval. */
const struct endpoint *a2a_plain_operation(void);
const struct endpoint *a2a_approval_operation(void);

#endif
