/* A node's JSON-RPC over HTTP: requests as one batch, answers matched by id. Pure: bytes in, bytes out. */
#ifndef CHAIN_EVM_RPC_H
#define CHAIN_EVM_RPC_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "chain/evm/addr.h"
#include "chain/evm/rpc_class.h"
#include "codec/u256.h"

/* Features that not every node has. */
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
};

struct rpc_batch rpc_begin(struct buf *out);
/* params_fmt: the JSON text of the params array, with its brackets; callers format only hex and numbers. */
void rpc_add(struct rpc_batch *b, const char *method, const char *params_fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* eth_call on block `latest`; `from` may be NULL. */
void rpc_add_call(struct rpc_batch *b, const struct evm_addr *from, struct evm_addr to,
                  const struct buf *data);
/* The same of code that stands at `at` for this call alone; for nodes with RPC_NEEDS_OVERRIDE. */
void rpc_add_call_of_code(struct rpc_batch *b, struct evm_addr at, const void *code, size_t code_len,
                          const struct buf *data);
/* The form added last is for nodes that have `need`; the others get the form added next. */
void rpc_or(struct rpc_batch *b, enum rpc_need need);
/* The item added last cannot fail: an error means that the node did not run it properly, and is no answer.
 * For the first 64 items of a batch. */
void rpc_cannot_fail(struct rpc_batch *b);
void rpc_end(struct rpc_batch *b);

/* The items of a finished batch one after the other, each in the first form that a node without `lacking` can
 * answer; begin with a zeroed cursor. */
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
    bool awaited;   /* else whatever arrives for it is ignored */
    json_t *result; /* borrowed from the document */
    json_t *error;  /* the whole error object */
    int64_t error_code;
    const char *error_text; /* "" when there is none */
};

struct rpc_answers {
    json_t *docs;             /* owned: rpc_answers_free */
    struct rpc_answer *items; /* in the arena, `count` of them, by id */
    unsigned count;
};

/* Answers to so many items, all awaited and none there yet. */
struct rpc_answers rpc_answers_new(struct arena *a, unsigned count);
/* Merges a node's response, with its HTTP status, into the awaited answers; a final answer is never replaced.
 * False when the bytes are not JSON-RPC at all. */
bool rpc_answers_add(struct rpc_answers *as, const struct buf *body, int status);
void rpc_answers_free(struct rpc_answers *as);

/* One body that answers everything, under status 200; false when it is not JSON-RPC (then *out needs no
 * free).
 */
bool rpc_read(struct rpc_answers *out, struct arena *a, const struct buf *body, unsigned count);

/* Typed access to one answer; false when it is an error or has another form. */
bool rpc_u256(struct u256 *out, const struct rpc_answer *r);
bool rpc_u64(uint64_t *out, const struct rpc_answer *r);
/* The bytes of a hex string result (eth_call, eth_getCode), in the arena. */
bool rpc_bytes(const uint8_t **p, size_t *n, struct arena *a, const struct rpc_answer *r);
/* The revert data of an error answer, in the arena; n is 0 when it has none. */
bool rpc_revert_data(const uint8_t **p, size_t *n, struct arena *a, const struct rpc_answer *r);
/* Hex members of a result object. */
bool rpc_member_u64(uint64_t *out, const json_t *object, const char *name);
bool rpc_member_bytes(uint8_t *out, size_t n, const json_t *object, const char *name); /* exactly n bytes */

#endif
