/* The addresses to which an agent may withdraw. The signer decides from when on one counts, and until
 * when; what the database keeps of it is what agents see. */
#ifndef TRANSFER_ADDRESS_H
#define TRANSFER_ADDRESS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/json_writer.h"
#include "model/agent.h"
#include "model/withdrawal.h"
#include "service/ctx.h"
#include "store/db.h"

/* Reads the agent's address and asks the signer for its record; *wait_s: when it becomes active. Nothing is
 * stored. `chain_type` NULL: by the form of the address; `label` NULL: none; `operator_mac` NULL: the agent
 * asks, else the operator does (signer/client.h); `allow_contract`: keys of chains, NULL: none. */
const struct err *address_register(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                   const char *address, const char *chain_type, const char *label,
                                   const char *const *allow_contract, const uint8_t *operator_mac,
                                   struct withdrawal_address *out, uint64_t *wait_s);

/* The agent's that a text names and that is not removed. An address in full names itself alone, in any form
 * of its family; everything else is a label. */
enum lookup address_named(const struct ctx *ctx, uint64_t agent_id, enum wallet_kind kind, const char *text,
                          struct withdrawal_address *out);

/* Has the signers of all hosts take its removal. E_REMOVAL_FAILED: one did not; then none has to. What the
 * database says of it is still to be changed. */
const struct err *address_revoke(const struct ctx *ctx, const struct withdrawal_address *wa);

/* Takes the addresses that other hosts have asked this one's signer to take. For one process of a host, now
 * and then. */
void address_revocations_take(const struct ctx *ctx, struct arena *a);

/* Inside the transaction that adds it, lets it be paid at once, or removes it: the security event of that
 * type. */
bool address_tell(const struct ctx *ctx, struct db *db, struct arena *a, const char *type,
                  const struct withdrawal_address *wa);

/* Its members as agents see them. */
void withdrawal_address_view(struct json_writer *w, const struct withdrawal_address *wa);

#endif
