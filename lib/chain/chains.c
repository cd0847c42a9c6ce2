#include "chain/chains.h"

#include <strings.h>

/* Wei. */
#define GWEI(n)  ((uint64_t)(n)*1000000000U)
#define MGWEI(n) ((uint64_t)(n)*1000000U) /* thousandths of a gwei */

/* The address on every chain of the OP stack. */
#define OP_GAS_PRICE_ORACLE "0x420000000000000000000000000000000000000F"
/* In ether: some dollars were paid when ethereum was at its dearest. */
#define DATA_FEE_MAX GWEI(20000000)

/* The most gas of one transaction on a chain with EIP-7825. */
enum { GAS_OF_ONE = 1 << 24 };

/* The tips are the bounds within which blocks are really bought: none where the sequencer goes by arrival,
 * polygon's 30 gwei because its validators take no less. `finality` stands where the tag `finalized` means
 * minutes: not on polygon, whose tag is not trusted, nor where blocks wait hours for a proof; settle_depth
 * replaces it where a node does not answer. */
const struct chain chains[] = {
    {
        .id = 1,
        .key = "ethereum",
        .alias = "eth",
        .name = "Ethereum",
        .native = "ETH",
        .native_decimals = 18,
        .type = CHAIN_EVM,
        .gas_max = GAS_OF_ONE,
        .explorer_tx = "https://etherscan.io/tx/",
        .rpc_default = "https://ethereum-rpc.publicnode.com,https://eth.drpc.org",
        .tip_min = MGWEI(10),
        .tip_max = GWEI(3),
        .block_ms = 12000,
        .confirm_depth = 2,
        .settle_depth = 64,
        .finality = true,
    },
    {
        .id = 10,
        .key = "optimism",
        .alias = "op",
        .name = "Optimism",
        .native = "ETH",
        .native_decimals = 18,
        .type = CHAIN_EVM,
        .gas_max = GAS_OF_ONE,
        .explorer_tx = "https://optimistic.etherscan.io/tx/",
        .rpc_default = "https://mainnet.optimism.io,https://optimism-rpc.publicnode.com",
        .tip_min = MGWEI(1),
        .tip_max = GWEI(1),
        .block_ms = 2000,
        .data_fee = DATA_FEE_APART,
        .fee_oracle = OP_GAS_PRICE_ORACLE,
        .data_fee_max = DATA_FEE_MAX,
        .confirm_depth = 1,
        .settle_depth = 200,
        .finality = true,
    },
    {
        .id = 56,
        .key = "bsc",
        .alias = "bnb",
        .name = "BNB Chain",
        .native = "BNB",
        .native_decimals = 18,
        .type = CHAIN_EVM,
        .gas_max = GAS_OF_ONE,
        .explorer_tx = "https://bscscan.com/tx/",
        .rpc_default = "https://bsc-dataseed.bnbchain.org,https://bsc-rpc.publicnode.com",
        .tip_min = MGWEI(50),
        .tip_max = GWEI(5),
        .legacy_fees = true,
        .price_max = GWEI(20),
        .block_ms = 450,
        .confirm_depth = 5,
        .settle_depth = 84,
    },
    {
        .id = 137,
        .key = "polygon",
        .alias = "matic",
        .name = "Polygon",
        .native = "MATIC",
        .native_decimals = 18,
        .type = CHAIN_EVM,
        .gas_max = 30000000,
        .explorer_tx = "https://polygonscan.com/tx/",
        .rpc_default = "https://polygon-bor-rpc.publicnode.com,https://polygon.drpc.org",
        .tip_min = GWEI(30),
        .tip_max = GWEI(500),
        .block_ms = 2000,
        .confirm_depth = 5,
        .settle_depth = 500,
    },
    {
        .id = 42161,
        .key = "arbitrum",
        .alias = "arb",
        .name = "Arbitrum",
        .native = "ETH",
        .native_decimals = 18,
        .type = CHAIN_EVM,
        .gas_max = 30000000,
        .explorer_tx = "https://arbiscan.io/tx/",
        .rpc_default = "https://arb1.arbitrum.io/rpc,https://arbitrum-one-rpc.publicnode.com",
        .block_ms = 250,
        .arbsys = "0x0000000000000000000000000000000000000064",
        .data_fee = DATA_FEE_IN_GAS,
        .confirm_depth = 1,
        .settle_depth = 200,
        .finality = true,
    },
    {
        .id = 8453,
        .key = "base",
        .name = "Base",
        .native = "ETH",
        .native_decimals = 18,
        .type = CHAIN_EVM,
        .gas_max = GAS_OF_ONE,
        .explorer_tx = "https://basescan.org/tx/",
        .rpc_default = "https://mainnet.base.org,https://base-rpc.publicnode.com",
        .tip_min = MGWEI(1),
        .tip_max = GWEI(1),
        .block_ms = 200,
        .data_fee = DATA_FEE_APART,
        .fee_oracle = OP_GAS_PRICE_ORACLE,
        .data_fee_max = DATA_FEE_MAX,
        .confirm_depth = 10,
        .settle_depth = 2000,
        .finality = true,
    },
    {
        .id = 43114,
        .key = "avalanche",
        .alias = "avax",
        .name = "Avalanche",
        .native = "AVAX",
        .native_decimals = 18,
        .type = CHAIN_EVM,
        .gas_max = 30000000,
        .explorer_tx = "https://snowtrace.io/tx/",
        .rpc_default = "https://api.avax.network/ext/bc/C/rpc,https://avalanche-c-chain-rpc.publicnode.com",
        .tip_max = GWEI(2),
        .block_ms = 1500,
        .confirm_depth = 1,
        .settle_depth = 10,
    },
    {
        .id = 250,
        .key = "fantom",
        .alias = "ftm",
        .name = "Fantom",
        .note =
            "Fantom Opera. Most of it has moved to Sonic, another chain, which is not served here: expect "
            "few routes and little liquidity.",
        .native = "FTM",
        .native_decimals = 18,
        .type = CHAIN_EVM,
        .gas_max = 30000000,
        .rpc_default = "https://rpcapi.fantom.network,https://fantom.drpc.org",
        .tip_max = GWEI(100),
        .legacy_fees = true,
        .price_max = GWEI(2000),
        .block_ms = 1000,
        .confirm_depth = 1,
        .settle_depth = 5,
    },
    {
        .id = 59144,
        .key = "linea",
        .name = "Linea",
        .native = "ETH",
        .native_decimals = 18,
        .type = CHAIN_EVM,
        .gas_max = 30000000,
        .explorer_tx = "https://lineascan.build/tx/",
        .rpc_default = "https://rpc.linea.build",
        .tip_min = MGWEI(10),
        .tip_max = GWEI(3),
        .block_ms = 2000,
        .confirm_depth = 1,
        .settle_depth = 300,
    },
    {
        .id = 5000,
        .key = "mantle",
        .name = "Mantle",
        .native = "MNT",
        .native_decimals = 18,
        .type = CHAIN_EVM,
        .gas_max = 30000000,
        .explorer_tx = "https://mantlescan.xyz/tx/",
        .rpc_default = "https://rpc.mantle.xyz,https://mantle-rpc.publicnode.com",
        .block_ms = 2000,
        .data_fee = DATA_FEE_APART,
        .fee_oracle = OP_GAS_PRICE_ORACLE,
        .fee_in_ether = true,
        .data_fee_max = GWEI(9000000000), /* its coin is worth less than a dollar */
        .confirm_depth = 1,
        .settle_depth = 1200,
        .finality = true,
    },
    {
        .id = 100,
        .key = "gnosis",
        .name = "Gnosis",
        .native = "xDAI",
        .native_decimals = 18,
        .type = CHAIN_EVM,
        .gas_max = 30000000,
        .explorer_tx = "https://gnosis.blockscout.com/tx/",
        .rpc_default = "https://rpc.gnosischain.com,https://gnosis-rpc.publicnode.com",
        .tip_min = GWEI(1),
        .tip_max = GWEI(3),
        .block_ms = 5000,
        .confirm_depth = 2,
        .settle_depth = 64,
        .finality = true,
    },
    {
        .id = 534352,
        .key = "scroll",
        .name = "Scroll",
        .native = "ETH",
        .native_decimals = 18,
        .type = CHAIN_EVM,
        .gas_max = 30000000,
        .explorer_tx = "https://scrollscan.com/tx/",
        .rpc_default = "https://rpc.scroll.io,https://scroll.drpc.org",
        .tip_max = GWEI(1),
        .legacy_fees = true,
        .price_max = GWEI(5),
        .data_fee = DATA_FEE_APART,
        .fee_oracle = "0x5300000000000000000000000000000000000002",
        .fee_by_bytes = true,
        .data_fee_max = DATA_FEE_MAX,
        .block_ms = 3000,
        .confirm_depth = 1,
        .settle_depth = 100,
    },
    {
        .id = 1151111081099710,
        .key = "solana",
        .alias = "sol",
        .name = "Solana",
        .native = "SOL",
        .native_decimals = 9,
        .type = CHAIN_SOLANA,
        .explorer_tx = "https://solscan.io/tx/",
        .rpc_default = "https://api.mainnet-beta.solana.com",
        .block_ms = 400,
        .confirm_depth = 1,
        .settle_depth = 32,
    },
    {
        .id = 784,
        .key = "sui",
        .name = "Sui",
        .native = "SUI",
        .native_decimals = 9,
        .type = CHAIN_MOVE,
        .explorer_tx = "https://suiscan.xyz/mainnet/tx/",
        .confirm_depth = 1,
        .settle_depth = 1,
    },
    {
        .id = 607,
        .key = "ton",
        .name = "TON",
        .native = "TON",
        .native_decimals = 9,
        .type = CHAIN_TON,
        .explorer_tx = "https://tonviewer.com/transaction/",
        .confirm_depth = 1,
        .settle_depth = 1,
    },
};

const size_t chains_count = sizeof chains / sizeof chains[0];

const char *chain_type_text(enum chain_type t)
{
    switch (t) {
    case CHAIN_EVM:
        return "evm";
    case CHAIN_SOLANA:
        return "solana";
    case CHAIN_MOVE:
        return "move";
    case CHAIN_TON:
        return "ton";
    }
    return "";
}

const struct chain *chain_find(const char *text)
{
    for (size_t i = 0; i < chains_count; i++) {
        if (strcasecmp(text, chains[i].key) == 0 ||
            (chains[i].alias != NULL && strcasecmp(text, chains[i].alias) == 0))
            return &chains[i];
    }
    return NULL;
}

const struct chain *chain_by_id(uint64_t id)
{
    for (size_t i = 0; i < chains_count; i++) {
        if (chains[i].id == id)
            return &chains[i];
    }
    return NULL;
}
