/* For tests: a node that answers a call of node_begin with a text. */
#ifndef CHAIN_EVM_TEST_PLAY_H
#define CHAIN_EVM_TEST_PLAY_H

#include "chain/rpc/node.h"

static inline bool node_says_to(struct call *call, int status, const char *text, size_t n)
{
    buf_reset(&call->answer);
    buf_add(&call->answer, text, n);
    call->result = CALL_ANSWERED;
    call->status = status;
    return call->usable(call);
}

/* The first node is of the chain that it is asked for, and answers with the text; the call ends there. */
static inline void node_plays(struct call *call, const char *text, size_t n)
{
    const struct node_query *q = call->owner;
    char chain[64];
    int len =
        snprintf(chain, sizeof chain, "{\"id\":0,\"result\":\"0x%llx\"}", (unsigned long long)q->chain->id);

    call->url = call->more->url;
    (void)call->prepare(call);
    if (strstr(buf_text(&call->body), "\"eth_chainId\"") != NULL) {
        (void)node_says_to(call, 200, chain, (size_t)len);
        (void)call->prepare(call);
    }
    if (!node_says_to(call, 200, text, n))
        call->result = CALL_FAILED;
}

#endif
