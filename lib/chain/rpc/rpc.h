/* A node's JSON-RPC over HTTP: requests as one batch, answers matched by id. Pure: bytes in, bytes out. */
#ifndef CHAIN_RPC_RPC_H
#define CHAIN_RPC_RPC_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "chain/rpc/rpc_class.h"

/* Features that not every node has; those of EVM chains, as no other family needs any. */
enum rpc_need {
    RPC_NEEDS_NOTHING = 0,
    RPC_NEEDS_SIMULATE = 1, /* eth_simulateV1 */
    RPC_NEEDS_OVERRIDE = 2, /* state overrides in eth_call */
};

/* Building: begin, one or more rpc_add, end. Ids count from 0 in the order of adding. An item may be added in
 * several forms, of which a node is asked the first one that it can answer. */
struct rpc_batch {
    struct buf *out;
    unsigned count;
    bool another_form; /* of the item added last comes next */
    uint64_t certain;  /* ids of items that cannot fail, as bits */
    unsigned blocks;   /* that its widest question for logs spans; 0: it has none */
};

struct rpc_batch rpc_begin(struct buf *out);
/* params_fmt: the JSON text of the params array, with its brackets; callers format only hex and numbers. */
void rpc_add(struct rpc_batch *b, const char *method, const char *params_fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same in halves: between them the caller writes the array into `out`, without tabs and line ends. */
void rpc_add_begin(struct rpc_batch *b, const char *method);
void rpc_add_end(struct rpc_batch *b);
/* The form added last is for nodes that have `need`; the others get the form added next. */
void rpc_or(struct rpc_batch *b, enum rpc_need need);
/* The same without a further form: nodes that lack `need` are not asked for the item. */
void rpc_or_nothing(struct rpc_batch *b, enum rpc_need need);
/* The item added last cannot fail: an error means that the node did not run it properly, and is no answer.
 * For the first 64 items of a batch. */
void rpc_cannot_fail(struct rpc_batch *b);
void rpc_end(struct rpc_batch *b);

/* The items of a finished batch one after the other, each in the first form that a node without `lacking` can
 * answer, without text where there is none; begin with a zeroed cursor. */
struct rpc_cursor {
    const char *at;
    unsigned next; /* id of the next item */
};
struct rpc_item {
    const char *text; /* not terminated */
    size_t len;
    unsigned id;
    unsigned form; /* 0 is the one added first */
    enum rpc_need need;
};
bool rpc_next(struct rpc_item *out, struct rpc_cursor *c, const struct rpc_batch *b, unsigned lacking);

/* One answer. Exactly one of result and error is set; both NULL when the node left this id out. */
struct rpc_answer {
    enum rpc_class class;
    unsigned form;  /* of the question that was answered, as rpc_or made them */
    bool awaited;   /* else an answer to it is ignored */
    json_t *result; /* borrowed from the document */
    json_t *error;  /* the whole error object */
    int64_t error_code;
    const char *error_text; /* "" when there is none */
};

struct rpc_answers {
    json_t *docs;             /* owned: rpc_answers_free */
    struct rpc_answer *items; /* in the arena, `count` of them, by id */
    unsigned count;
    rpc_classifier *classify; /* what the chain's nodes mean by their errors */
};

/* Answers to so many items, all awaited and none there yet. */
struct rpc_answers rpc_answers_new(struct arena *a, unsigned count, rpc_classifier *classify);
/* Merges a node's response, with its HTTP status, into the awaited answers; a final answer is never replaced.
 * False when the bytes are not JSON-RPC at all. */
bool rpc_answers_add(struct rpc_answers *as, const struct buf *body, int status);
void rpc_answers_free(struct rpc_answers *as);

/* One body that answers everything, under status 200; false when it is not JSON-RPC (then *out needs no
 * free).
 */
bool rpc_read(struct rpc_answers *out, struct arena *a, const struct buf *body, unsigned count,
              rpc_classifier *classify);

#endif
