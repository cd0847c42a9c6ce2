/* The nodes of each chain: their URLs, and asking them in turn. A node that does not answer is left alone for
 * a moment, by all processes forked after nodes_new. */
#ifndef CHAIN_RPC_NODE_H
#define CHAIN_RPC_NODE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "chain/chains.h"
#include "chain/rpc/rpc.h"
#include "net/call.h"
#include "service/conf.h"
#include "service/ctx.h"

struct nodes;

/* The roles of nodes. */
enum node_role {
    NODE_READ,   /* "rpc.<chain>" of the settings, else the chain's public nodes */
    NODE_SEND,   /* "send.<chain>", the only nodes that get transactions unless send_fallback is set; else as
                    above */
    NODE_VERIFY, /* "verify.<chain>": a second, independent node; often there is none */
};

/* Facts about a node are stored, and shared with forked processes: whether it serves the right chain (one
 * that does not is never used), how large a batch may be, which methods it lacks. */
struct nodes *nodes_new(const struct conf *conf);
void nodes_free(struct nodes *n);
/* Whether there is one to read from, or to verify with. */
bool nodes_known(const struct nodes *n, const struct chain *c);
bool nodes_verify(const struct nodes *n, const struct chain *c);

/* The number of blocks that one question for logs of the chain may span: `most`, or fewer once a node has
 * refused that many (`blocks` of a batch). */
unsigned node_log_blocks(const struct nodes *n, const struct chain *c, unsigned most);

enum node_order {
    /* Reads: unhealthy ones last (node_health.h). Where the first node takes long, the next one is
     * asked in parallel (`hedge` of net/call.h), and the first answer counts; so it is where transactions are
     * sent, but nodes of "rpc.<chain>" are never asked in parallel to those of "send.<chain>". */
    NODE_BEST_FIRST,
    NODE_AS_CONFIGURED,  /* one after the other: the reference for a second opinion */
    NODE_SECOND_OPINION, /* one after the other, the chain's second node first, where there is one */
    /* Two that no node answers both of: what both of two say, no node says alone. Unhealthy ones
     * come last. */
    NODE_FIRST_ALONE, /* the first node, and none in its place */
    NODE_OTHERS,      /* all that `apart` does not ask, and none in their place; there may be none */
    /* If there are send nodes: the others first, if transactions may go to them at all. */
    NODE_FALLBACK_FIRST,
};

/* A batch for a chain. Its items are sent to the chain's nodes in turn until each has a final answer
 * (rpc_class.h), split as each node requires. Answers may therefore come from several nodes; only within one
 * item do they describe one state. */
struct node_query {
    const struct chain *chain;
    const struct rpc_batch *batch; /* finished */
    enum node_role role;
    enum node_order order;
    unsigned timeout_ms; /* that each node has; 0: as long as all together */
    /* For NODE_OTHERS: the query made before, with NODE_FIRST_ALONE or NODE_BEST_FIRST, whose first node is
     * left out. */
    const struct node_query *apart;
    void *owner; /* the caller's own */
    /* The answers have to know of this block, as long as some node does; 0: any will do. A node that does not
     * is asked again, as its name may stand for several, and then the next one. */
    uint64_t since;
    /* Which one they know of: the newest, in the caller's arena. False: they do not say, and count as they
     * are. */
    bool (*block_of)(uint64_t *out, const struct node_query *q, struct arena *a);
    bool behind;   /* no node did: these are the newest answers */
    bool answered; /* some answer is final; then `answers` must be freed */
    struct rpc_answers answers;
    struct asking *asking; /* node.c's own */
};

/* Runs all of them at once under one deadline: a chain whose nodes are silent delays the others, but does not
 * fail them. */
void node_ask_all(const struct ctx *ctx, struct node_query *queries, size_t count, unsigned deadline_ms,
                  struct arena *a);
/* Queries of one batch to two nodes, the first and another one; there may be one node alone. */
enum { NODE_OPINIONS = 2 };
void node_pair(struct node_query queries[static NODE_OPINIONS], const struct chain *c,
               const struct rpc_batch *batch, unsigned timeout_ms);
/* Runs both. Returns how many have answered: those in `out`, from the first place on, are to be freed. */
size_t node_ask_two(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
                    unsigned deadline_ms, struct arena *a, struct rpc_answers out[static NODE_OPINIONS]);
/* Frees the answers of so many nodes. */
void node_answers_free(struct rpc_answers *answers, size_t count);
/* Reads the answer to a call with one question, made without them. False: it is no JSON-RPC; then *out needs
 * no free. */
bool node_answer_read(struct rpc_answers *out, struct arena *a, const struct call *call,
                      const struct chain *c);
/* Runs one. False when there is no final answer at all; then *out needs no free. */
bool node_ask(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
              unsigned deadline_ms, struct arena *a, struct rpc_answers *out);

/* The same in halves, for callers that run the call themselves (calls_run): node_begin makes the call, whose
 * `owner` is the query; false when the chain has no node. node_end, once it has ended, returns whether it was
 * answered. */
bool node_begin(struct call *call, const struct ctx *ctx, struct node_query *q, struct arena *a);
bool node_end(struct node_query *q);
/* node_end for the query that the call was made for; logs its silence, and frees the call. */
bool node_call_end(struct call *call);

#endif
