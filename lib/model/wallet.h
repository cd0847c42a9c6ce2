/* A managed wallet: the service holds its key, sealed so that only the signer can open it. */
#ifndef MODEL_WALLET_H
#define MODEL_WALLET_H

#include <stdbool.h>
#include <stdint.h>

#include "model/wallet_ref.h"

struct wallet {
    uint64_t id;
    uint64_t agent_id;
    struct wallet_ref ref; /* uuid, agent, kind, address */
    bool has_key;          /* false once its agent is deleted: nothing can be signed any more */
    uint8_t sealed[SEALED_LEN];
    uint64_t turn;  /* changes with every policy that is made for it */
    bool unlimited; /* its agent had no policy when it was picked; false: it had one, or it is unknown */
};

#endif
