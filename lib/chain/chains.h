/* The chains the service knows: one table, in the order in which GET /chains shows them. */
#ifndef CHAIN_CHAINS_H
#define CHAIN_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A rollup's way to charge for the data that it posts to another chain. */
enum data_fee {
    DATA_FEE_NONE,
    DATA_FEE_APART,  /* coins on top of the gas, as the chain's fee oracle says */
    DATA_FEE_IN_GAS, /* more gas: limits must leave room for it, or nodes refuse the transaction */
};

enum chain_type { CHAIN_EVM, CHAIN_SOLANA, CHAIN_MOVE, CHAIN_TON };

struct chain {
    uint64_t id; /* EIP-155 chain id, or ours for other kinds */
    const char *key;
    const char *alias; /* NULL when there is none */
    const char *name;
    const char *native; /* symbol of the native coin, in which fees are paid */
    uint8_t native_decimals;
    enum chain_type type;
    const char *note;        /* that agents should know; NULL: nothing */
    const char *explorer_tx; /* URL that a transaction hash completes, or NULL */
    const char *rpc_default; /* comma-separated public nodes, used when the operator names none */
    uint64_t tip_min;        /* wei; bounds of the priority fee */
    uint64_t tip_max;
    uint64_t gas_max; /* a step that takes more is refused; EVM */
    enum data_fee data_fee;
    const char *fee_oracle; /* contract that tells it; DATA_FEE_APART, and so the next three */
    bool fee_by_bytes; /* it has to be shown the transaction; else its size is enough, as on the OP stack */
    bool fee_in_ether; /* it counts in ether, and says how many of the chain's coins one is worth */
    uint64_t data_fee_max;  /* in the coin's smallest units, of a whole plan: more is refused */
    bool legacy_fees;       /* price by eth_gasPrice, not by EIP-1559 */
    uint64_t price_max;     /* wei per gas, of these: the bid is the price there */
    unsigned block_ms;      /* average time between two blocks: a first guess (chain/rpc/block_time.h) */
    const char *arbsys;     /* contracts see another chain's block number; this one has the chain's own */
    unsigned confirm_depth; /* 1 = the block it is in */
    unsigned settle_depth;  /* deep enough to stop watching */
    bool finality;          /* nodes know the block tag `finalized`, which then says what is settled */
};

extern const struct chain chains[];
extern const size_t chains_count;

const char *chain_type_text(enum chain_type t); /* "evm", "solana", "move", "ton" */
/* By key or alias, any case. NULL when unknown. */
const struct chain *chain_find(const char *text);
const struct chain *chain_by_id(uint64_t id);

#endif
