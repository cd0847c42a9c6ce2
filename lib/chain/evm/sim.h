/* Simulates a wallet's calls before they are signed: bytecode placed at the wallet's own address for one
 * eth_call (state override) runs the calls in order as the wallet itself, and returns what a reading call
 * tells before and after them and the gas that each used. */
#ifndef CHAIN_EVM_SIM_H
#define CHAIN_EVM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "chain/evm/evm_addr.h"
#include "codec/u256.h"

enum { SIM_MAX_CALLS = 6, SIM_READING_GAS = 3000000, SIM_READING_MAX = 8192 };

struct sim_call {
    struct evm_addr to;
    struct u256 value;
    const uint8_t *data;
    size_t data_len;
};

/* The code. Called with a non-empty calldata (one byte) it makes the reading call, which changes nothing and
 * gets SIM_READING_GAS, then the calls, then the reading call again, and returns for sim_read. The first call
 * that fails makes it revert with that call's revert data, and so does a reading call that fails or returns
 * more than `room` bytes. Called with empty calldata (a plain transfer to the wallet) it stops at once. */
bool sim_code(struct buf *out, const struct sim_call *calls, size_t n, const struct sim_call *reading,
              size_t room);

/* The code's result: the gas that each call used inside, and both answers to the reading call. */
struct sim_result {
    struct u256 used[SIM_MAX_CALLS];
    const uint8_t *before, *after;
    size_t before_len, after_len;
};
/* False when the bytes are none that it returns. */
bool sim_read(struct sim_result *out, const uint8_t *p, size_t n);

#endif
