/* Simulates a wallet's calls before they are signed: bytecode placed at the wallet's own address for one
 * eth_call (state override) runs the calls in order as the wallet itself, and returns by how much its
 * balance of a token changed and the gas that each call used. */
#ifndef CHAIN_EVM_SIM_H
#define CHAIN_EVM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "chain/evm/addr.h"
#include "codec/u256.h"

enum { SIM_MAX_CALLS = 6 };

struct sim_call {
    struct evm_addr to;
    struct u256 value;
    const uint8_t *data;
    size_t data_len;
};

/* The code. Called with a non-empty calldata (one byte) it runs the calls and returns, as ABI words:
 * word 0 the wallet's balance of `token` (native coin when zero) after all of them less what it was before,
 * modulo 2^256, word 1 + i the gas that call i used inside. The first call that fails makes it revert with
 * that call's revert data. Called with empty calldata (a plain transfer to the wallet) it stops at once. */
bool sim_code(struct buf *out, const struct sim_call *calls, size_t n, struct evm_addr token);

#endif
