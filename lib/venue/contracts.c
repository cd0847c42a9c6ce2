#include "venue/contracts.h"

#include <string.h>

#include "venue/polymarket_calls.h"
#include "venue/uniswap_v2.h"
#include "venue/uniswap_v3.h"
#include "venue/wrapped_native.h"

/* Any kind may be missing on a chain. */
static const struct contract contracts[] = {
    { "ethereum", "wrap", &wrapped_native_contract, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2" },
    { "ethereum", "uniswap", &uniswap_v2_router, "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D" },
    { "ethereum", "uniswap", &uniswap_v3_router, "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45" },
    { "ethereum", "uniswap", &uniswap_v3_quoter, "0x61fFE014bA17989E743c5F6cB21bF9697530B21e" },
    { "ethereum", "uniswap", &uniswap_v3_factory, "0x1F98431c8aD98523631AE4a59f267346ea31F984" },
    { "optimism", "wrap", &wrapped_native_contract, "0x4200000000000000000000000000000000000006" },
    { "optimism", "uniswap", &uniswap_v2_router, "0x4A7b5Da61326A6379179b40d00F57E5bbDC962c2" },
    { "optimism", "uniswap", &uniswap_v3_router, "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45" },
    { "optimism", "uniswap", &uniswap_v3_quoter, "0x61fFE014bA17989E743c5F6cB21bF9697530B21e" },
    { "optimism", "uniswap", &uniswap_v3_factory, "0x1F98431c8aD98523631AE4a59f267346ea31F984" },
    { "bsc", "wrap", &wrapped_native_contract, "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c" },
    { "bsc", "uniswap", &uniswap_v2_router, "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24" },
    { "bsc", "uniswap", &uniswap_v3_router, "0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2" },
    { "bsc", "uniswap", &uniswap_v3_quoter, "0x78D78E420Da98ad378D7799bE8f4AF69033EB077" },
    { "bsc", "uniswap", &uniswap_v3_factory, "0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7" },
    { "polygon", "wrap", &wrapped_native_contract, "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270" },
    { "polygon", "uniswap", &uniswap_v2_router, "0xedf6066a2b290C185783862C7F4776A2C8077AD1" },
    { "polygon", "uniswap", &uniswap_v3_router, "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45" },
    { "polygon", "uniswap", &uniswap_v3_quoter, "0x61fFE014bA17989E743c5F6cB21bF9697530B21e" },
    { "polygon", "uniswap", &uniswap_v3_factory, "0x1F98431c8aD98523631AE4a59f267346ea31F984" },
    { "polygon", "polymarket", &polymarket_exchange[POLYMARKET_V2],
      "0xE111180000d2663C0091e4f400237545B87B996B" },
    { "polygon", "polymarket", &polymarket_exchange[POLYMARKET_NEG_RISK],
      "0xe2222d279d744050d28e00520010520000310F59" },
    { "polygon", "polymarket", &polymarket_exchange[POLYMARKET_V3],
      "0xe3333700cA9d93003F00f0F71f8515005F6c00Aa" },
    { "polygon", "polymarket", &polymarket_onramp, POLYMARKET_ONRAMP },
    { "polygon", "polymarket", &polymarket_offramp, POLYMARKET_OFFRAMP },
    { "polygon", "polymarket", &polymarket_tokens, POLYMARKET_TOKENS },
    { "polygon", "polymarket", &polymarket_positions, POLYMARKET_POSITIONS },
    { "polygon", "polymarket", &polymarket_adapter, POLYMARKET_ADAPTER },
    { "polygon", "polymarket", &polymarket_neg_risk_adapter, POLYMARKET_NEG_RISK_ADAPTER },
    { "polygon", "polymarket", &polymarket_router, POLYMARKET_ROUTER },
    { "arbitrum", "wrap", &wrapped_native_contract, "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1" },
    { "arbitrum", "uniswap", &uniswap_v2_router, "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24" },
    { "arbitrum", "uniswap", &uniswap_v3_router, "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45" },
    { "arbitrum", "uniswap", &uniswap_v3_quoter, "0x61fFE014bA17989E743c5F6cB21bF9697530B21e" },
    { "arbitrum", "uniswap", &uniswap_v3_factory, "0x1F98431c8aD98523631AE4a59f267346ea31F984" },
    { "base", "wrap", &wrapped_native_contract, "0x4200000000000000000000000000000000000006" },
    { "base", "uniswap", &uniswap_v2_router, "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24" },
    { "base", "uniswap", &uniswap_v3_router, "0x2626664c2603336E57B271c5C0b26F421741e481" },
    { "base", "uniswap", &uniswap_v3_quoter, "0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a" },
    { "base", "uniswap", &uniswap_v3_factory, "0x33128a8fC17869897dcE68Ed026d694621f6FDfD" },
    { "avalanche", "wrap", &wrapped_native_contract, "0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7" },
    { "avalanche", "uniswap", &uniswap_v2_router, "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24" },
    { "avalanche", "uniswap", &uniswap_v3_router, "0xbb00FF08d01D300023C629E8fFfFcb65A5a578cE" },
    { "avalanche", "uniswap", &uniswap_v3_quoter, "0xbe0F5544EC67e9B3b2D979aaA43f18Fd87E6257F" },
    { "avalanche", "uniswap", &uniswap_v3_factory, "0x740b1c1de25031C31FF4fC9A62f554A55cdC1baD" },
};
enum { CONTRACTS = sizeof contracts / sizeof contracts[0] };

static bool contract_is_on(const struct contract *k, const struct chain *c)
{
    return strcmp(k->chain, c->key) == 0;
}

const struct contract *contract_at(const struct chain *c, const char *address)
{
    for (size_t i = 0; i < CONTRACTS; i++)
        if (contract_is_on(&contracts[i], c) && strcmp(contracts[i].address, address) == 0)
            return &contracts[i];
    return NULL;
}

const struct contract *contract_of(const struct chain *c, const struct contract_kind *kind)
{
    for (size_t i = 0; i < CONTRACTS; i++)
        if (contracts[i].kind == kind && contract_is_on(&contracts[i], c))
            return &contracts[i];
    return NULL;
}

struct evm_addr contract_addr(const struct contract *k)
{
    struct evm_addr a = { { 0 } };

    (void)evm_addr_read(&a, k->address);
    return a;
}

bool contracts_on(const struct chain *c)
{
    for (size_t i = 0; i < CONTRACTS; i++)
        if (contract_is_on(&contracts[i], c))
            return true;
    return false;
}
