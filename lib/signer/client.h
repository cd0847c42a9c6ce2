/* The signer's client. One connection per process, made again when it breaks. */
#ifndef SIGNER_CLIENT_H
#define SIGNER_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/u256.h"
#include "signer/message.h"

enum {
    SIGNER_DEADLINE_MS = 200,
    SIGNER_CREATE_MS = 2000, /* a new wallet waits for the disk (signer/wallet_file.h) */
};

struct signer;

struct signer *signer_new(const char *socket_path); /* connects at the first call */
void signer_free(struct signer *s);

/* `standing`: a set of SIGNER_APART and the like; may be NULL. */
MUST_CHECK enum signer_status signer_ping(struct signer *s, unsigned *standing);
/* Creates a key pair; fills w->address and the sealed key. */
MUST_CHECK enum signer_status signer_create(struct signer *s, struct wallet_ref *w,
                                            uint8_t sealed[static SEALED_LEN]);
/* SIGN, SIGN_TRANSFER or SIGN_MESSAGE. */
MUST_CHECK enum signer_status signer_sign(struct signer *s, const struct signer_request *rq,
                                          struct signature *sig);
/* Whether the last request was refused because of the operator's limits or kill switch. */
bool signer_limited(const struct signer *s);

#endif
