/* Solana's transactions: signatures, then the message that they sign, legacy or of version 0. Reading is
 * strict: only what the network takes, and nothing left over. */
#ifndef CHAIN_SOLANA_SOLANA_MESSAGE_H
#define CHAIN_SOLANA_SOLANA_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "chain/solana/solana_addr.h"

enum {
    SOLANA_TX_MAX = 1232,
    SOLANA_SIGNATURE_LEN = 64,
    SOLANA_BLOCKHASH_LEN = 32,
    SOLANA_SIGNERS_MAX = 12, /* more signatures do not fit next to a message */
    SOLANA_ACCOUNTS_MAX = 256,
    SOLANA_INSTRUCTIONS_MAX = 64, /* that we read or write; the network has no such limit */
    SOLANA_LOOKUPS_MAX = 16,      /* that we read or write */
};

/* Accounts are places in the list of all: the message's own keys, then what lookup tables add. */
struct solana_instruction {
    uint8_t program;
    const uint8_t *accounts;
    size_t account_count;
    const uint8_t *data;
    size_t data_len;
};

/* Accounts that a table on the chain adds: its places, which transactions may write to or not. */
struct solana_lookup {
    struct solana_addr table;
    const uint8_t *writable, *readonly;
    size_t writable_count, readonly_count;
};

/* Points into the bytes that were read. */
struct solana_tx {
    const uint8_t *signatures; /* `signers` of them; zero where a signature is missing yet */
    const uint8_t *message;    /* what is signed: everything after the signatures */
    size_t message_len;
    bool legacy;
    unsigned signers, readonly_signers, readonly_others;
    const struct solana_addr *keys; /* the first `signers` sign; the first of all pays the fee */
    unsigned key_count;
    const uint8_t *blockhash;
    struct solana_instruction instructions[SOLANA_INSTRUCTIONS_MAX];
    unsigned instruction_count;
    struct solana_lookup lookups[SOLANA_LOOKUPS_MAX];
    unsigned lookup_count;
    unsigned account_count; /* the keys and all that is looked up */
};

/* NULL, or why the bytes are no transaction that can be signed. */
const char *solana_tx_read(struct solana_tx *out, const uint8_t *p, size_t n);
/* The key's place among the signers; -1: it does not sign. */
int solana_tx_signer(const struct solana_tx *tx, const struct solana_addr *key);

/* ---- writing ---- */

struct solana_account {
    struct solana_addr key;
    bool signs, writes;
};

struct solana_call {
    struct solana_addr program;
    const struct solana_account *accounts;
    size_t account_count;
    const uint8_t *data;
    size_t data_len;
};

/* Appends the unsigned transaction of version 0 that makes these calls, without lookup tables, the signatures
 * zero. False, and nothing is appended: it is larger than the network takes. */
bool solana_tx_write(struct buf *out, const struct solana_addr *payer, const struct solana_call *calls,
                     size_t n, const uint8_t blockhash[static SOLANA_BLOCKHASH_LEN]);

#endif
