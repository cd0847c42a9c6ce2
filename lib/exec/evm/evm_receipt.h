/* Reading a transaction's receipt. */
#ifndef EXEC_EVM_EVM_RECEIPT_H
#define EXEC_EVM_EVM_RECEIPT_H

#include <jansson.h>

#include "chain/evm/evm_addr.h"
#include "chain/tokens.h"
#include "codec/u256.h"
#include "model/execution.h"
#include "store/account_changes.h"

struct receipt {
    uint64_t block; /* 0: in no block */
    bool succeeded;
    bool has_fee;
    struct u256 fee;    /* that it cost, with what rollups charge for data */
    const json_t *logs; /* borrowed from the answer */
};

/* `result` null: in no block. False when it is neither null nor a receipt. */
bool receipt_read(struct receipt *out, const json_t *result);

/* A token's event Transfer, as its log has it. */
struct receipt_transfer {
    int log_index; /* in the block */
    struct evm_addr token, from, to;
    struct u256 amount;
};
/* False for any other log. */
bool receipt_transfer_read(struct receipt_transfer *out, const json_t *log);

/* The amount of the bought token that arrived, by the receipt's logs: its transfers to the wallet, or for the
 * native coin the unwrapped amount. False when the logs do not show it. */
bool receipt_arrived(struct u256 *out, const struct receipt *r, const struct execution *s,
                     const char *wallet);
/* The amount of the same token that left the wallet by its transfers. False when there are none. */
bool receipt_taken(struct u256 *out, const struct receipt *r, const struct execution *s, const char *wallet);

/* Adds what the logs show of the wallet's tokens; of the coin, what it has unwrapped itself. False when there
 * are more tokens than are kept. */
bool receipt_changes(struct account_change *out, const struct receipt *r, const char *wallet,
                     const struct token *wrapped);

#endif
