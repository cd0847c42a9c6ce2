/* Payments that leave a managed wallet for good: the addresses that an agent has registered beforehand, and
 * the withdrawals to them. */
#ifndef MODEL_WITHDRAWAL_H
#define MODEL_WITHDRAWAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/u256.h"
#include "model/wallet_ref.h"

enum { ADDRESS_RECORD_MAX = 255, ADDRESS_LABEL_MAX = 64, ADDRESSES_MAX = 20, ADDRESS_CHAINS_MAX = 250 };

/* The signer's statement on an address: sealed, so that no other program can make or change one. */
struct address_record {
    uint8_t bytes[ADDRESS_RECORD_MAX];
    size_t len;
};

struct withdrawal_address {
    uint64_t id;
    uint64_t agent_id;
    struct uuid agent;
    enum wallet_kind kind; /* of the wallets that can pay it */
    char address[WALLET_ADDR_MAX];
    char label[ADDRESS_LABEL_MAX * 4 + 1];       /* "": none */
    char allow_contract[ADDRESS_CHAINS_MAX + 1]; /* keys of chains, with commas; "": none */
    struct address_record record;
    int64_t created_ms, active_ms;
    bool active;  /* by the database's clock: its time has come. What counts is the signer's clock */
    bool removed; /* it can be paid no more */
};

/* "waiting", "active" or "removed". */
const char *withdrawal_address_status(const struct withdrawal_address *wa);

/* Data of a withdrawal in addition to its execution. */
struct withdrawal {
    uint64_t execution_id;
    uint64_t agent_id;
    uint64_t address_id;
    char to[WALLET_ADDR_MAX];
    struct u256 fee; /* of the chain's coin: at most, until the chain has told what it was */
};

#endif
