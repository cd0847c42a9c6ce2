/* Asking the signer. One connection per process, made again when it breaks. */
#ifndef SIGNER_CLIENT_H
#define SIGNER_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/u256.h"
#include "signer/message.h"

enum { SIGNER_DEADLINE_MS = 200 };

struct signer;

struct signer *signer_new(const char *socket_path); /* connects at the first call */
void signer_free(struct signer *s);

/* `standing`: a set of SIGNER_APART and the like; may be NULL. */
MUST_CHECK enum signer_status signer_ping(struct signer *s, unsigned *standing);
/* Makes a key pair; fills w->address and the sealed key. */
MUST_CHECK enum signer_status signer_create(struct signer *s, struct wallet_ref *w,
                                            uint8_t sealed[static SEALED_LEN]);
/* The whole unsigned transaction goes over; 65 bytes r, s, y parity come back. */
MUST_CHECK enum signer_status signer_sign_evm(struct signer *s, const struct wallet_ref *w,
                                              const uint8_t sealed[static SEALED_LEN],
                                              const uint8_t *unsigned_tx, size_t len, uint8_t sig[static 65]);
/* Whether the last request was refused for the operator's limits or by his kill switch. */
bool signer_limited(const struct signer *s);

/* A plain transfer that the operator has ordered; `operator_mac` as of keys/operator_mac.h. */
MUST_CHECK enum signer_status signer_sign_sweep(struct signer *s, const struct wallet_ref *w,
                                                const uint8_t sealed[static SEALED_LEN],
                                                const uint8_t *unsigned_tx, size_t len,
                                                const uint8_t operator_mac[static HASH_LEN],
                                                uint8_t sig[static 65]);

#endif
