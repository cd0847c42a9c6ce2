/* The signer's client. One connection per process, made again when it breaks. */
#ifndef SIGNER_CLIENT_H
#define SIGNER_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/u256.h"
#include "signer/signer_message.h"

enum {
    SIGNER_DEADLINE_MS = 500,
    SIGNER_KEEP_MS = 2000, /* what the signer keeps waits for the disk: wallets, addresses, approvals */
};

struct signer;

struct signer *signer_new(const char *socket_path); /* connects at the first call */
void signer_free(struct signer *s);

/* `standing`: a set of SIGNER_APART and the like; may be NULL. */
MUST_CHECK enum signer_status signer_ping(struct signer *s, unsigned *standing);
/* Creates a key pair; fills w->address and the sealed key. */
MUST_CHECK enum signer_status signer_create(struct signer *s, struct wallet_ref *w,
                                            uint8_t sealed[static SEALED_LEN]);
/* SIGN, SIGN_TRANSFER, SIGN_MESSAGE, SIGN_WITHDRAWAL or SIGN_ACTION. */
MUST_CHECK enum signer_status signer_sign(struct signer *s, const struct signer_request *rq,
                                          struct signature *sig);
/* The record by which withdrawals to the address are signed in `wait_s` seconds. `operator_mac` (NULL: none)
 * is the operator's word that they are at once (keys/operator_mac.h). */
MUST_CHECK enum signer_status signer_allow_address(struct signer *s, const struct allowlist_address *p,
                                                   const uint8_t *operator_mac, struct address_record *out,
                                                   uint64_t *wait_s);
/* No record that this host's signer has seen, or could have, opens the address any more; only a later one
 * does. `r` shows that it was allowed. Repeating it does no harm. */
MUST_CHECK enum signer_status signer_remove_address(struct signer *s, const struct allowlist_address *p,
                                                    const struct address_record *r);
/* Whether the last request was refused because of the operator's limits or kill switch. */
bool signer_limited(const struct signer *s);
/* Why the last request was refused; RULE_NONE: it was not, or the rule is unknown. */
enum signer_rule signer_rule(const struct signer *s);

#endif
