/* A key that trades perpetuals for a managed wallet, and does nothing else: the signer makes and seals it,
 * and the wallet's own key approves it at the venue. */
#ifndef MODEL_TRADING_KEY_H
#define MODEL_TRADING_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/wallet_ref.h"

enum { TRADING_KEY_NAME_MAX = 16 + 1 };

struct trading_key {
    uint64_t id, agent_id, wallet_id;
    uint64_t execution_id; /* by which it is approved */
    char address[WALLET_ADDR_MAX];
    char name[TRADING_KEY_NAME_MAX]; /* by which the venue knows it: of a wallet's keys the newest has it */
    uint8_t sealed[SEALED_LEN];
    bool approved; /* the venue has said so */
    int64_t valid_until_ms;
    int64_t created_ms;
};

#endif
