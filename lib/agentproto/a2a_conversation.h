/* The messages of a task, one after the other, and what they add up to: an operation with all the arguments
 * that were given for it, or a question. Pure: no network, no database. */
#ifndef AGENTPROTO_A2A_CONVERSATION_H
#define AGENTPROTO_A2A_CONVERSATION_H

#include <jansson.h>

#include "api/endpoint/endpoint.h"
#include "base/arena.h"
#include "base/err.h"

enum {
    CONVERSATION_MAX = 100 /* messages that are read */,
    CONVERSATION_PIECES_MAX = 8 /* more than a trade has */
};

struct a2a_conversation {
    struct arena *a;
    const struct endpoint *ep; /* NULL: there was no message yet */
    json_t *arguments;         /* owned; without secrets, which are not kept */
    const struct err *asks;    /* the question that the last message leaves; or NULL: it can be carried out */
    const char *sentence;      /* the command in plain English; or NULL */
    const char *pieces[CONVERSATION_PIECES_MAX]; /* that it lacked, and were supplied since */
    unsigned pieces_count;
};

/* Adds a message: an operation with its arguments (borrowed). Text is the operation of plain English with
 * that one argument. The same operation keeps the arguments that it had; another one begins anew. */
void a2a_conversation_add(struct a2a_conversation *t, const struct endpoint *ep, const json_t *arguments);
/* The same for a message from the history. */
void a2a_conversation_add_kept(struct a2a_conversation *t, const char *kept);
/* Releases the arguments. */
void a2a_conversation_end(struct a2a_conversation *t);

/* The operation that takes plain English. */
const struct endpoint *a2a_plain_operation(void);

#endif
