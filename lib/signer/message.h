/* What is said on the signer's socket (SOCK_SEQPACKET, one packet per message): a request and its answer.
 * Integers are big-endian. The signer computes every digest itself; there is no message that signs a digest.
 */
#ifndef SIGNER_MESSAGE_H
#define SIGNER_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/wallet_ref.h"

enum signer_op { SIGNER_PING = 1, SIGNER_CREATE = 2, SIGNER_EVM = 3 };

enum signer_status {
    SIGNER_OK = 0,
    SIGNER_BAD_MESSAGE = 1, /* cannot be decoded */
    SIGNER_REFUSED = 2,     /* decoded, and not signed: not its wallet, or not allowed */
    SIGNER_FAILED = 3,      /* the signer's own trouble */
    SIGNER_AWAY = 4,        /* client side only: no answer within the deadline */
};

struct signer_request {
    enum signer_op op;
    struct wallet_ref wallet;   /* CREATE: address empty */
    uint8_t sealed[SEALED_LEN]; /* EVM */
    const uint8_t *payload;     /* EVM: the unsigned transaction */
    size_t payload_len;
};

struct signer_answer {
    enum signer_status status;
    char address[WALLET_ADDR_MAX]; /* CREATE */
    uint8_t sealed[SEALED_LEN];    /* CREATE */
    uint8_t sig[65];               /* EVM: r, s, y parity */
};

enum { SIGNER_MAX_MESSAGE = MAX_TX + 512 };

void signer_request_write(struct buf *out, const struct signer_request *rq);
bool signer_request_read(struct signer_request *out, const uint8_t *p, size_t n); /* payload leads into p */
void signer_answer_write(struct buf *out, const struct signer_answer *an);
bool signer_answer_read(struct signer_answer *out, const uint8_t *p, size_t n);

#endif
