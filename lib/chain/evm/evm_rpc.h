/* Questions to EVM chains' nodes, and readers of their answers: items of a batch (chain/rpc/rpc.h). */
#ifndef CHAIN_EVM_EVM_RPC_H
#define CHAIN_EVM_EVM_RPC_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "chain/evm/evm_addr.h"
#include "chain/rpc/rpc.h"
#include "codec/u256.h"

/* eth_call on block `latest`; `from` may be NULL. */
void rpc_add_call(struct rpc_batch *b, const struct evm_addr *from, struct evm_addr to,
                  const struct buf *data);
/* The same of code that stands at `at` for this call alone; for nodes with RPC_NEEDS_OVERRIDE. */
void rpc_add_call_of_code(struct rpc_batch *b, struct evm_addr at, const void *code, size_t code_len,
                          const struct buf *data);

/* Typed access to one answer; false when it is an error or has another form. */
bool rpc_u256(struct u256 *out, const struct rpc_answer *r);
bool rpc_u64(uint64_t *out, const struct rpc_answer *r);
/* The bytes of a hex string result (eth_call, eth_getCode), in the arena. */
bool rpc_bytes(const uint8_t **p, size_t *n, struct arena *a, const struct rpc_answer *r);
/* The revert data of an error answer, in the arena; n is 0 when it has none. */
bool rpc_revert_data(const uint8_t **p, size_t *n, struct arena *a, const struct rpc_answer *r);
/* Hex members of a result object. */
bool rpc_member_u64(uint64_t *out, const json_t *object, const char *name);
bool rpc_member_bytes(uint8_t *out, size_t n, const json_t *object, const char *name); /* exactly n bytes */

#endif
