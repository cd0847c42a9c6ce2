/* Polymarket's relayer: it makes deposit wallets and carries out the batches of calls that their owners
 * signed, at the operator's expense. What it is asked, and its answer. Pure. */
#ifndef PREDICT_RELAYER_H
#define PREDICT_RELAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "model/execution.h"
#include "net/call.h"
#include "predict/relayer_key.h"
#include "venue/polymarket_message.h"

/* ---- submissions ---- */

enum { RELAYER_BODY_MAX = 48 * 1024 };

/* The making of the owner's wallet, which needs no signature. */
void relayer_write_creation(struct buf *out, struct evm_addr owner);
/* A batch with its owner's signature (r, s, 27 or 28). Its digest is in there too: by it the relayer's list
 * shows which one is ours. */
void relayer_write_batch(struct buf *out, struct evm_addr owner, const struct polymarket_batch *b,
                         const uint8_t sig[static 65]);

/* Back from a body: what it changes on the chain. */
struct relayer_task {
    bool creates;           /* otherwise it is a batch */
    struct evm_addr wallet; /* that is made, or acts */
    uint64_t nonce;         /* of the batch */
};
bool relayer_read_task(struct relayer_task *out, const uint8_t *body, size_t n);

/* Back from a body: the batch. False for any other body. */
struct relayer_batch {
    struct evm_addr owner;
    struct polymarket_batch batch; /* its calls are the next; their data is in the arena */
    struct polymarket_call calls[POLYMARKET_CALLS_MAX];
};
bool relayer_read_batch(struct relayer_batch *out, struct arena *a, const uint8_t *body, size_t n);

/* ---- the caller ---- */

/* Into a call that has been initialized: the headers by which the relayer knows the operator, in the arena.
 * `path` without query; `body` may be NULL. False when the key cannot sign. */
bool relayer_head(struct call *call, struct arena *a, const struct relayer_key *key, int64_t now,
                  const char *method, const char *path, const char *body);

/* ---- answers: false when there is no valid one ---- */

enum relayer_state {
    RELAYER_HAS,     /* on its way, or done: the chain tells */
    RELAYER_GAVE_UP, /* it failed */
};

struct relayer_row {
    const char *id; /* the relayer's own, in the arena */
    enum relayer_state state;
    struct tx_hash tx_hash; /* none before it was sent */
};

/* Reads the id of a submission. */
bool relayer_read_submitted(struct arena *a, const struct buf *answer, const char **id);
/* Reads from a list, or a single row, the newest that bears this id, or this digest where `id` is ""; row->id
 * is NULL where there is none. */
bool relayer_read_rows(struct arena *a, const struct buf *answer, const char *id,
                       const uint8_t digest[static HASH_LEN], struct relayer_row *row);

#endif
