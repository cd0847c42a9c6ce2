#include "venue/contracts.h"

#include <string.h>

#include "venue/aave_calls.h"
#include "venue/aave_state.h"
#include "venue/across_calls.h"
#include "venue/aggregators.h"
#include "venue/bridges.h"
#include "venue/hyperliquid_deposit.h"
#include "venue/morpho_calls.h"
#include "venue/polymarket_calls.h"
#include "venue/uniswap_v2.h"
#include "venue/uniswap_v3.h"
#include "venue/wrapped_native.h"

/* Any kind may be missing on a chain. */
static const struct contract contracts[] = {
    { "ethereum", "wrap", &wrapped_native_contract, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2" },
    { "ethereum", "uniswap", &uniswap_v2_router, "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D" },
    { "ethereum", "uniswap", &uniswap_v2_factory, "0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f" },
    { "ethereum", "uniswap", &uniswap_v3_router, "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45" },
    { "ethereum", "uniswap", &uniswap_v3_quoter, "0x61fFE014bA17989E743c5F6cB21bF9697530B21e" },
    { "ethereum", "uniswap", &uniswap_v3_factory, "0x1F98431c8aD98523631AE4a59f267346ea31F984" },
    { "optimism", "wrap", &wrapped_native_contract, "0x4200000000000000000000000000000000000006" },
    { "optimism", "uniswap", &uniswap_v2_router, "0x4A7b5Da61326A6379179b40d00F57E5bbDC962c2" },
    { "optimism", "uniswap", &uniswap_v2_factory, "0x0c3c1c532F1e39EdF36BE9Fe0bE1410313E074Bf" },
    { "optimism", "uniswap", &uniswap_v3_router, "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45" },
    { "optimism", "uniswap", &uniswap_v3_quoter, "0x61fFE014bA17989E743c5F6cB21bF9697530B21e" },
    { "optimism", "uniswap", &uniswap_v3_factory, "0x1F98431c8aD98523631AE4a59f267346ea31F984" },
    { "bsc", "wrap", &wrapped_native_contract, "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c" },
    { "bsc", "uniswap", &uniswap_v2_router, "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24" },
    { "bsc", "uniswap", &uniswap_v2_factory, "0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6" },
    { "bsc", "uniswap", &uniswap_v3_router, "0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2" },
    { "bsc", "uniswap", &uniswap_v3_quoter, "0x78D78E420Da98ad378D7799bE8f4AF69033EB077" },
    { "bsc", "uniswap", &uniswap_v3_factory, "0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7" },
    { "polygon", "wrap", &wrapped_native_contract, "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270" },
    { "polygon", "uniswap", &uniswap_v2_router, "0xedf6066a2b290C185783862C7F4776A2C8077AD1" },
    { "polygon", "uniswap", &uniswap_v2_factory, "0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C" },
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
    { "arbitrum", "uniswap", &uniswap_v2_factory, "0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9" },
    { "arbitrum", "uniswap", &uniswap_v3_router, "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45" },
    { "arbitrum", "uniswap", &uniswap_v3_quoter, "0x61fFE014bA17989E743c5F6cB21bF9697530B21e" },
    { "arbitrum", "uniswap", &uniswap_v3_factory, "0x1F98431c8aD98523631AE4a59f267346ea31F984" },
    { "base", "wrap", &wrapped_native_contract, "0x4200000000000000000000000000000000000006" },
    { "base", "uniswap", &uniswap_v2_router, "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24" },
    { "base", "uniswap", &uniswap_v2_factory, "0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6" },
    { "base", "uniswap", &uniswap_v3_router, "0x2626664c2603336E57B271c5C0b26F421741e481" },
    { "base", "uniswap", &uniswap_v3_quoter, "0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a" },
    { "base", "uniswap", &uniswap_v3_factory, "0x33128a8fC17869897dcE68Ed026d694621f6FDfD" },
    { "avalanche", "wrap", &wrapped_native_contract, "0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7" },
    { "avalanche", "uniswap", &uniswap_v2_router, "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24" },
    { "avalanche", "uniswap", &uniswap_v2_factory, "0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C" },
    { "avalanche", "uniswap", &uniswap_v3_router, "0xbb00FF08d01D300023C629E8fFfFcb65A5a578cE" },
    { "avalanche", "uniswap", &uniswap_v3_quoter, "0xbe0F5544EC67e9B3b2D979aaA43f18Fd87E6257F" },
    { "avalanche", "uniswap", &uniswap_v3_factory, "0x740b1c1de25031C31FF4fC9A62f554A55cdC1baD" },
    /* Kin of the same form, where the exchange itself is not: SpookySwap on fantom, Sushi's V2 on gnosis and
       scroll. */
    { "fantom", "wrap", &wrapped_native_contract, "0x21be370D5312f44cB42ce377BC9b8a0cEF1A4C83" },
    { "fantom", "uniswap", &uniswap_v2_router, "0xF491e7B69E4244ad4002BC14e878a34207E38c29" },
    { "fantom", "uniswap", &uniswap_v2_factory, "0x152eE697f2E276fA89E96742e9bB9aB1F2E61bE3" },
    { "linea", "wrap", &wrapped_native_contract, "0xe5D7C2a44FfDDf6b295A15c148167daaAf5Cf34f" },
    { "linea", "uniswap", &uniswap_v2_router, "0x8702463e73f74d0b6765aBceb314Ef07aCb92650" },
    { "linea", "uniswap", &uniswap_v2_factory, "0x114A43DF6C5f54EBB8A9d70Cd1951D3dD68004c7" },
    { "linea", "uniswap", &uniswap_v3_router, "0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a" },
    { "linea", "uniswap", &uniswap_v3_quoter, "0x42bE4D6527829FeFA1493e1fb9F3676d2425C3C1" },
    { "linea", "uniswap", &uniswap_v3_factory, "0x31FAfd4889FA1269F7a13A66eE0fB458f27D72A9" },
    { "mantle", "wrap", &wrapped_native_contract, "0x78c1b0C915c4FAA5FffA6CAbf0219DA63d7f4cb8" },
    { "mantle", "uniswap", &uniswap_v3_router, "0x738fD6d10bCc05c230388B4027CAd37f82fe2AF2" },
    { "mantle", "uniswap", &uniswap_v3_quoter, "0xdD489C75be1039ec7d843A6aC2Fd658350B067Cf" },
    { "mantle", "uniswap", &uniswap_v3_factory, "0x0d922Fb1Bc191F64970ac40376643808b4B74Df9" },
    { "gnosis", "wrap", &wrapped_native_contract, "0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d" },
    { "gnosis", "uniswap", &uniswap_v2_router, "0x1b02dA8Cb0d097eB8D57A175b88c7D8b47997506" },
    { "gnosis", "uniswap", &uniswap_v2_factory, "0xc35DADB65012eC5796536bD9864eD8773aBc74C4" },
    { "gnosis", "uniswap", &uniswap_v3_router, "0xc6D25285D5C5b62b7ca26D6092751A145D50e9Be" },
    { "gnosis", "uniswap", &uniswap_v3_quoter, "0x7E9cB3499A6cee3baBe5c8a3D328EA7FD36578f4" },
    { "gnosis", "uniswap", &uniswap_v3_factory, "0xe32F7dD7e3f098D518ff19A22d5f028e076489B1" },
    { "scroll", "wrap", &wrapped_native_contract, "0x5300000000000000000000000000000000000004" },
    { "scroll", "uniswap", &uniswap_v2_router, "0x9B3336186a38E1b6c21955d112dbb0343Ee061eE" },
    { "scroll", "uniswap", &uniswap_v2_factory, "0xB45e53277a7e0F1D35f2a77160e91e25507f1763" },
    { "scroll", "uniswap", &uniswap_v3_router, "0xfc30937f5cDe93Df8d48aCAF7e6f5D8D8A31F636" },
    { "scroll", "uniswap", &uniswap_v3_quoter, "0x2566e082Cb1656d22BCbe5644F5b997D194b5299" },
    { "scroll", "uniswap", &uniswap_v3_factory, "0x70C62C8b8e801124A4Aa81ce07b637A3e83cb919" },
    { "ethereum", "kyberswap", &kyberswap_router, "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5" },
    { "optimism", "kyberswap", &kyberswap_router, "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5" },
    { "bsc", "kyberswap", &kyberswap_router, "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5" },
    { "polygon", "kyberswap", &kyberswap_router, "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5" },
    { "arbitrum", "kyberswap", &kyberswap_router, "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5" },
    { "base", "kyberswap", &kyberswap_router, "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5" },
    { "avalanche", "kyberswap", &kyberswap_router, "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5" },
    { "linea", "kyberswap", &kyberswap_router, "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5" },
    { "mantle", "kyberswap", &kyberswap_router, "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5" },
    { "ethereum", "0x", &zerox_allowance_holder, "0x0000000000001fF3684f28c67538d4D072C22734" },
    { "optimism", "0x", &zerox_allowance_holder, "0x0000000000001fF3684f28c67538d4D072C22734" },
    { "bsc", "0x", &zerox_allowance_holder, "0x0000000000001fF3684f28c67538d4D072C22734" },
    { "polygon", "0x", &zerox_allowance_holder, "0x0000000000001fF3684f28c67538d4D072C22734" },
    { "arbitrum", "0x", &zerox_allowance_holder, "0x0000000000001fF3684f28c67538d4D072C22734" },
    { "base", "0x", &zerox_allowance_holder, "0x0000000000001fF3684f28c67538d4D072C22734" },
    { "avalanche", "0x", &zerox_allowance_holder, "0x0000000000001fF3684f28c67538d4D072C22734" },
    { "linea", "0x", &zerox_allowance_holder, "0x0000000000001fF3684f28c67538d4D072C22734" },
    { "scroll", "0x", &zerox_allowance_holder, "0x0000000000001fF3684f28c67538d4D072C22734" },
    { "mantle", "0x", &zerox_allowance_holder, "0x0000000000005E88410CcDFaDe4a5EfaE4b49562" },
    { "ethereum", "0x", &zerox_registry, "0x00000000000004533Fe15556B1E086BB1A72cEae" },
    { "optimism", "0x", &zerox_registry, "0x00000000000004533Fe15556B1E086BB1A72cEae" },
    { "bsc", "0x", &zerox_registry, "0x00000000000004533Fe15556B1E086BB1A72cEae" },
    { "polygon", "0x", &zerox_registry, "0x00000000000004533Fe15556B1E086BB1A72cEae" },
    { "arbitrum", "0x", &zerox_registry, "0x00000000000004533Fe15556B1E086BB1A72cEae" },
    { "base", "0x", &zerox_registry, "0x00000000000004533Fe15556B1E086BB1A72cEae" },
    { "avalanche", "0x", &zerox_registry, "0x00000000000004533Fe15556B1E086BB1A72cEae" },
    { "linea", "0x", &zerox_registry, "0x00000000000004533Fe15556B1E086BB1A72cEae" },
    { "mantle", "0x", &zerox_registry, "0x00000000000004533Fe15556B1E086BB1A72cEae" },
    { "scroll", "0x", &zerox_registry, "0x00000000000004533Fe15556B1E086BB1A72cEae" },
    { "ethereum", "velora", &velora_augustus, "0x6A000F20005980200259B80c5102003040001068" },
    { "optimism", "velora", &velora_augustus, "0x6A000F20005980200259B80c5102003040001068" },
    { "bsc", "velora", &velora_augustus, "0x6A000F20005980200259B80c5102003040001068" },
    { "polygon", "velora", &velora_augustus, "0x6A000F20005980200259B80c5102003040001068" },
    { "arbitrum", "velora", &velora_augustus, "0x6A000F20005980200259B80c5102003040001068" },
    { "base", "velora", &velora_augustus, "0x6A000F20005980200259B80c5102003040001068" },
    { "avalanche", "velora", &velora_augustus, "0x6A000F20005980200259B80c5102003040001068" },
    { "gnosis", "velora", &velora_augustus, "0x6A000F20005980200259B80c5102003040001068" },
    { "ethereum", "openocean", &openocean_exchange, "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64" },
    { "optimism", "openocean", &openocean_exchange, "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64" },
    { "bsc", "openocean", &openocean_exchange, "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64" },
    { "polygon", "openocean", &openocean_exchange, "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64" },
    { "arbitrum", "openocean", &openocean_exchange, "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64" },
    { "base", "openocean", &openocean_exchange, "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64" },
    { "avalanche", "openocean", &openocean_exchange, "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64" },
    { "fantom", "openocean", &openocean_exchange, "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64" },
    { "linea", "openocean", &openocean_exchange, "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64" },
    { "mantle", "openocean", &openocean_exchange, "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64" },
    { "gnosis", "openocean", &openocean_exchange, "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64" },
    { "scroll", "openocean", &openocean_exchange, "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64" },
    { "ethereum", "1inch", &oneinch_router, "0x111111125421cA6dc452d289314280a0f8842A65" },
    { "optimism", "1inch", &oneinch_router, "0x111111125421cA6dc452d289314280a0f8842A65" },
    { "bsc", "1inch", &oneinch_router, "0x111111125421cA6dc452d289314280a0f8842A65" },
    { "polygon", "1inch", &oneinch_router, "0x111111125421cA6dc452d289314280a0f8842A65" },
    { "arbitrum", "1inch", &oneinch_router, "0x111111125421cA6dc452d289314280a0f8842A65" },
    { "base", "1inch", &oneinch_router, "0x111111125421cA6dc452d289314280a0f8842A65" },
    { "avalanche", "1inch", &oneinch_router, "0x111111125421cA6dc452d289314280a0f8842A65" },
    { "linea", "1inch", &oneinch_router, "0x111111125421cA6dc452d289314280a0f8842A65" },
    { "gnosis", "1inch", &oneinch_router, "0x111111125421cA6dc452d289314280a0f8842A65" },
    { "ethereum", "lifi", &lifi_diamond, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE" },
    { "optimism", "lifi", &lifi_diamond, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE" },
    { "bsc", "lifi", &lifi_diamond, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE" },
    { "polygon", "lifi", &lifi_diamond, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE" },
    { "arbitrum", "lifi", &lifi_diamond, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE" },
    { "base", "lifi", &lifi_diamond, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE" },
    { "avalanche", "lifi", &lifi_diamond, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE" },
    { "mantle", "lifi", &lifi_diamond, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE" },
    { "gnosis", "lifi", &lifi_diamond, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE" },
    { "scroll", "lifi", &lifi_diamond, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE" },
    { "linea", "lifi", &lifi_diamond, "0xDE1E598b81620773454588B85D6b5D4eEC32573e" },
    { "ethereum", "relay", &relay_depository, "0x4cD00E387622C35bDDB9b4c962C136462338BC31" },
    { "optimism", "relay", &relay_depository, "0x4cD00E387622C35bDDB9b4c962C136462338BC31" },
    { "bsc", "relay", &relay_depository, "0x4cD00E387622C35bDDB9b4c962C136462338BC31" },
    { "polygon", "relay", &relay_depository, "0x4cD00E387622C35bDDB9b4c962C136462338BC31" },
    { "arbitrum", "relay", &relay_depository, "0x4cD00E387622C35bDDB9b4c962C136462338BC31" },
    { "base", "relay", &relay_depository, "0x4cD00E387622C35bDDB9b4c962C136462338BC31" },
    { "avalanche", "relay", &relay_depository, "0x4cD00E387622C35bDDB9b4c962C136462338BC31" },
    { "gnosis", "relay", &relay_depository, "0x4cD00E387622C35bDDB9b4c962C136462338BC31" },
    { "scroll", "relay", &relay_depository, "0x4cD00E387622C35bDDB9b4c962C136462338BC31" },
    { "linea", "relay", &relay_depository, "0x59916DA825D2D2eC1BF878D71c88826F6633ecca" },
    { "mantle", "relay", &relay_depository, "0x59916DA825D2D2eC1BF878D71c88826F6633ecca" },
    { "ethereum", "across", &across_spoke_pool, "0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5" },
    { "optimism", "across", &across_spoke_pool, "0x6f26Bf09B1C792e3228e5467807a900A503c0281" },
    { "bsc", "across", &across_spoke_pool, "0x4e8E101924eDE233C13e2D8622DC8aED2872d505" },
    { "polygon", "across", &across_spoke_pool, "0x9295ee1d8C5b022Be115A2AD3c30C72E34e7F096" },
    { "arbitrum", "across", &across_spoke_pool, "0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A" },
    { "base", "across", &across_spoke_pool, "0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64" },
    { "linea", "across", &across_spoke_pool, "0x7E63A5f1a8F0B4d0934B2f2327DAED3F6bb2ee75" },
    { "ethereum", "aave", &aave_pool, "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2" },
    { "optimism", "aave", &aave_pool, "0x794a61358D6845594F94dc1DB02A252b5b4814aD" },
    { "bsc", "aave", &aave_pool, "0x6807dc923806fE8Fd134338EABCA509979a7e0cB" },
    { "polygon", "aave", &aave_pool, "0x794a61358D6845594F94dc1DB02A252b5b4814aD" },
    { "arbitrum", "aave", &aave_pool, "0x794a61358D6845594F94dc1DB02A252b5b4814aD" },
    { "base", "aave", &aave_pool, "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" },
    { "avalanche", "aave", &aave_pool, "0x794a61358D6845594F94dc1DB02A252b5b4814aD" },
    { "linea", "aave", &aave_pool, "0xc47b8C00b0f69a36fa203Ffeac0334874574a8Ac" },
    { "mantle", "aave", &aave_pool, "0x458F293454fE0d67EC0655f3672301301DD51422" },
    { "gnosis", "aave", &aave_pool, "0xb50201558B00496A145fE76f7424749556E326D8" },
    { "scroll", "aave", &aave_pool, "0x11fCfe756c05AD438e312a7fd934381537D3cFfe" },
    { "ethereum", "aave", &aave_provider, "0x2f39d218133AFaB8F2B819B1066c7E434Ad94E9e" },
    { "optimism", "aave", &aave_provider, "0xa97684ead0e402dC232d5A977953DF7ECBaB3CDb" },
    { "bsc", "aave", &aave_provider, "0xff75B6da14FfbbfD355Daf7a2731456b3562Ba6D" },
    { "polygon", "aave", &aave_provider, "0xa97684ead0e402dC232d5A977953DF7ECBaB3CDb" },
    { "arbitrum", "aave", &aave_provider, "0xa97684ead0e402dC232d5A977953DF7ECBaB3CDb" },
    { "base", "aave", &aave_provider, "0xe20fCBdBfFC4Dd138cE8b2E6FBb6CB49777ad64D" },
    { "avalanche", "aave", &aave_provider, "0xa97684ead0e402dC232d5A977953DF7ECBaB3CDb" },
    { "linea", "aave", &aave_provider, "0x89502c3731F69DDC95B65753708A07F8Cd0373F4" },
    { "mantle", "aave", &aave_provider, "0xba50Cd2A20f6DA35D788639E581bca8d0B5d4D5f" },
    { "gnosis", "aave", &aave_provider, "0x36616cf17557639614c1cdDb356b1B83fc0B2132" },
    { "scroll", "aave", &aave_provider, "0x69850D0B276776781C063771b161bd8894BCdD04" },
    { "ethereum", "morpho", &morpho_blue, "0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb" },
    { "base", "morpho", &morpho_blue, "0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb" },
    { "arbitrum", "hyperliquid", &hyperliquid_bridge, "0x2Df1c51E09aECF9cacB7bc98cB1742757f163dF7" },
    { "ethereum", "hyperliquid", &circle_messenger, "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d" },
    { "arbitrum", "hyperliquid", &circle_messenger, "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d" },
    { "base", "hyperliquid", &circle_messenger, "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d" },
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
