// What exists on the sandbox chains: ids, mainnet addresses, tokens, pools. Data only. The prediction markets of polygon
// are in polymarket.mjs.

export const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';
// Of all of its markets, on every chain that has some.
export const MORPHO = '0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb';

// `kind` is the contract that stands in for the token; the wrapped coins are the real WETH9.
const ETHEREUM_TOKENS = {
    WETH: { address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', decimals: 18, kind: 'WETH9' },
    USDC: { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6, kind: 'Token', name: 'USD Coin' },
    USDT: { address: '0xdAC17F958D2ee523a2206206994597C13D831ec7', decimals: 6, kind: 'TetherToken', name: 'Tether USD' },
    WBTC: { address: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', decimals: 8, kind: 'Token', name: 'Wrapped BTC' },
};

const BASE_TOKENS = {
    WETH: { address: '0x4200000000000000000000000000000000000006', decimals: 18, kind: 'WETH9' },
    USDC: { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6, kind: 'Token', name: 'USD Coin' },
    DAI: { address: '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb', decimals: 18, kind: 'Token', name: 'Dai Stablecoin' },
};

// Where mainnet's exchanges have no part of this kind, or it is never used: addresses of our own.
const OWN = {
    positions: '0x0000000000000000000000000000000000905171',
    factoryV2: '0x00000000000000000000000000000000000fAc02',
    routerV2: '0x0000000000000000000000000000000000070302',
    factoryV3: '0x00000000000000000000000000000000000FAc03',
    quoterV3: '0x000000000000000000000000000000000009703E',
    routerV3: '0x0000000000000000000000000000000000070303',
};

const V3_FIRST = ['0x1F98431c8aD98523631AE4a59f267346ea31F984', '0x61fFE014bA17989E743c5F6cB21bF9697530B21e', '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'];
const DOLLARS_IN_A_POOL = 2_000_000;

/**
 * A chain whose pools follow from the price of its coin. `wrapped`: [symbol, address]; `dollars`: rows [symbol, name, address,
 * decimals], USDC first; `v2`: [factory, router]; `v3`: [factory, quoter, router].
 */
function chainOf({ id, coin, price, wrapped: [wrapped, address], dollars, v2, v3, oracle, arbSys, kind = 'Token' }) {
    const tokens = { [wrapped]: { address, decimals: 18, kind: 'WETH9' } };
    for (const [symbol, name, at, decimals] of dollars) tokens[symbol] = { address: at, decimals, kind, name };
    const [first, second] = dollars.map(([symbol]) => symbol);
    const side = (dollar, share) => [wrapped, DOLLARS_IN_A_POOL * share / price, dollar, DOLLARS_IN_A_POOL * share];
    const pools = { v2: [side(first, 1)], v3: [[...side(first, 2), 500], [...side(first, 0.5), 3000]] };
    if (second) {
        pools.v2.push(side(second, 1));
        pools.v3.push([...side(second, 0.5), 3000], [first, DOLLARS_IN_A_POOL, second, DOLLARS_IN_A_POOL, 100]);
    }
    return {
        id, coin, wrapped, price, tokens, pools, oracle, arbSys, dollars: dollars.map(([symbol]) => symbol),
        v2: { factory: v2[0], router: v2[1] },
        v3: { factory: v3[0], quoter: v3[1], router02: v3[2], positions: OWN.positions },
    };
}

// What lending's oracles ask, at addresses of our own, and their prices in dollars: those of the pools.
const FEEDS = {
    WETH: { address: '0x00000000000000000000000000000000000FEED1', price: 3000 },
    WBTC: { address: '0x00000000000000000000000000000000000fEed2', price: 60_000 },
    USDC: { address: '0x00000000000000000000000000000000000FEEd3', price: 1 },
    USDT: { address: '0x00000000000000000000000000000000000FEED4', price: 1 },
    DAI: { address: '0x00000000000000000000000000000000000FEED5', price: 1 },
};

// Lending. Of a reserve of Aave: `creation`, the number of mainnet's configurator's creation that the aToken was; ltv,
// threshold and bonus in basis points; how much is lent to it; caps in whole tokens where there are some. Of a market of
// Morpho: its id, which follows from all else, [loan token, collateral, lltv], the oracle, and how much is lent to it.
const ETHEREUM_LENDING = {
    feeds: FEEDS,
    aave: {
        pool: '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2',
        provider: '0x2f39d218133AFaB8F2B819B1066c7E434Ad94E9e',
        configurator: '0x64b761D848206f447Fe2dd461b0c635Ec39EbB27',
        dataProvider: '0x0a16f2FCC0D44FaE41cc54e079281D84A363bECD',
        oracle: '0x54586bE62E3c3580375aE3723C145253060Ca0C2',
        short: 'Eth', // in the symbols of its tokens
        reserves: {
            WETH: {
                aToken: '0x4d5F47FA6A74757f35C14fD3a6Ef8E3C9BC514E8', debtToken: '0xeA51d7853EEFb32b6ee06b1C12E6dcCA88Be0fFE',
                creation: 1, ltv: 8000, threshold: 8250, bonus: 10500, lent: 20_000,
            },
            WBTC: {
                aToken: '0x5Ee5bf7ae06D1Be5997A1A72006FE6C607eC6DE8', debtToken: '0x40aAbEf1aa8f0eEc637E0E7d92fbfFB2F26A8b7B',
                creation: 7, ltv: 7300, threshold: 7800, bonus: 10500, lent: 1_000, supplyCap: 43_000, borrowCap: 28_000,
            },
            USDC: {
                aToken: '0x98C23E9d8f34FEFb1B7BD6a91B7FF122F4e16F5c', debtToken: '0x72E95b8931767C79bA4EeE721354d6E99a61D004',
                creation: 10, ltv: 7700, threshold: 8000, bonus: 10450, lent: 50_000_000,
            },
            USDT: {
                aToken: '0x23878914EFE38d27C4D67Ab83ed1b93A74D4086a', debtToken: '0x6df1C1E379bC5a00a7b4C6e67A203333772f45A8',
                creation: 25, ltv: 7500, threshold: 7800, bonus: 10450, lent: 50_000_000,
            },
        },
    },
    morpho: {
        irm: '0x870aC11D48B15DB9a138Cf899d20F13F79Ba00BC',
        markets: [
            {
                id: '0x94b823e6bd8ea533b4e33fbc307faea0b307301bc48763acc4d4aa4def7636cd',
                terms: ['USDC', 'WETH', '0.86'], oracle: '0x0F948CBa8231Db7898ef36A4212581Ad7b1B4580', lent: 20_000_000,
            },
            {
                id: '0x3a85e619751152991742810df6ec69ce473daef99e28a64ab2340d7b7ccfee49',
                terms: ['USDC', 'WBTC', '0.86'], oracle: '0xDddd770BADd886dF3864029e4B377B5F6a2B6b83', lent: 10_000_000,
            },
            {
                id: '0xdbffac82c2dc7e8aa781bd05746530b0068d80929f23ac1628580e27810bc0c5',
                terms: ['USDT', 'WETH', '0.915'], oracle: '0xe9eE579684716c7Bb837224F4c7BeEfA4f1F3d7f', lent: 5_000_000,
            },
            {
                id: '0x138eec0e4a1937eb92ebc70043ed539661dd7ed5a89fb92a720b341650288a40',
                terms: ['WETH', 'WBTC', '0.915'], oracle: '0xc29B3Bc033640baE31ca53F8a0Eb892AdF68e663', lent: 2_000,
            },
        ],
    },
};

// On mainnet's base Aave has no DAI, and Morpho no market with it that is in use: all contracts for it are our own.
const BASE_LENDING = {
    feeds: FEEDS,
    aave: {
        pool: '0xA238Dd80C259a72e81d7e4664a9801593F98d1c5',
        provider: '0xe20fCBdBfFC4Dd138cE8b2E6FBb6CB49777ad64D',
        configurator: '0x5731a04B1E775f0fdd454Bf70f3335886e9A96be',
        dataProvider: '0x0F43731EB8d45A581f4a36DD74F5f358bc90C73A',
        oracle: '0x2Cc0Fc26eD4563A5ce5e8bdcfe1A2878676Ae156',
        short: 'Bas',
        reserves: {
            WETH: {
                aToken: '0xD4a0e0b9149BCee3C920d2E00b5dE09138fd8bb7', debtToken: '0x24e6e0795b3c7c71D965fCc4f371803d1c1DcA1E',
                creation: 1, ltv: 8000, threshold: 8250, bonus: 10500, lent: 10_000,
            },
            USDC: {
                aToken: '0x4e65fE4DbA92790696d040ac24Aa414708F5c0AB', debtToken: '0x59dca05b6c26dbd64b5381374aAaC5CD05644C28',
                creation: 13, ltv: 7500, threshold: 7800, bonus: 10500, lent: 30_000_000,
            },
            DAI: {
                aToken: '0x7a82256ce4C2B93208310cecc9Feb7067047ac68', debtToken: '0xCe2f8615E46A12a0Ee6C0124fa149890e5986526',
                creation: 1000, ltv: 7500, threshold: 7800, bonus: 10500, lent: 10_000_000,
            },
        },
    },
    morpho: {
        irm: '0x46415998764C29aB2a25CbeA6254146D50D22687',
        markets: [
            {
                id: '0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda',
                terms: ['USDC', 'WETH', '0.86'], oracle: '0xFEa2D58cEfCb9fcb597723c6bAE66fFE4193aFE4', lent: 20_000_000,
            },
            {
                id: '0x3b3769cfca57be2eaed03fcc5299c25691b77781a1e124e7a8d520eb9a7eabb5',
                terms: ['WETH', 'USDC', '0.86'], oracle: '0xD09048c8B568Dbf5f189302beA26c9edABFC4858', lent: 2_000,
            },
            {
                id: '0x286c92770f331e29819fee7a7ef9213d8050734455caaa8bba7fe10d6d8b72b2',
                terms: ['DAI', 'WETH', '0.86'], oracle: '0x0000000000000000000000000000000000009A1C', lent: 5_000_000,
            },
            {
                id: '0xcb25edcea9ae107639ecfafbd046f4d4a377cd190cd47d4b08a17f7ca5d73b6b',
                terms: ['USDC', 'DAI', '0.945'], oracle: '0x0000000000000000000000000000000000009A1d', lent: 5_000_000,
            },
        ],
    },
};

// Pools are written [token, amount, token, amount, fee tier]; a V2 pool has no tier. All of them agree on 3000 dollars
// for one ETH and 60000 for one WBTC, but differ in depth, so that the best route depends on the pair and on the size.
export const CHAINS = {
    ethereum: {
        id: 1,
        coin: 'ETH',
        wrapped: 'WETH',
        price: 3000, // of the coin, in dollars
        tokens: ETHEREUM_TOKENS,
        v2: {
            factory: '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f',
            router: '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D',
        },
        v3: {
            factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
            positions: '0xC36442b4a4522E871399CD717aBDD847Ab11FE88',
            quoter: '0x61fFE014bA17989E743c5F6cB21bF9697530B21e',
            router: '0xE592427A0AEce92De3Edee1F18E0157C05861564',
            router02: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
        },
        pools: {
            v2: [
                ['WETH', 10_000, 'USDC', 30_000_000],
                ['WETH', 10_000, 'USDT', 30_000_000],
                ['WETH', 20_000, 'WBTC', 1_000],
                ['USDC', 5_000_000, 'USDT', 5_000_000],
                ['WBTC', 20, 'USDC', 1_200_000],
            ],
            v3: [
                ['WETH', 20_000, 'USDC', 60_000_000, 500],
                ['WETH', 5_000, 'USDC', 15_000_000, 3000],
                ['WETH', 500, 'USDT', 1_500_000, 500],
                ['WETH', 2_000, 'USDT', 6_000_000, 3000],
                ['WETH', 1_000, 'WBTC', 50, 500],
                ['WETH', 5_000, 'WBTC', 250, 3000],
                ['USDC', 10_000_000, 'USDT', 10_000_000, 100],
            ],
        },
        // Mainnet's own addresses of two of the pools: proof that the contracts are the real ones.
        knownPools: {
            v2: ['WETH', 'USDC', '0xB4e16d0168e52d35CaCD2c6185b44281Ec28C9Dc'],
            v3: ['WETH', 'USDC', 500, '0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640'],
        },
        dollars: ['USDC', 'USDT'],
        lending: ETHEREUM_LENDING,
    },
    base: {
        id: 8453,
        coin: 'ETH',
        wrapped: 'WETH',
        price: 3000,
        tokens: BASE_TOKENS,
        v2: {
            factory: '0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6',
            router: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24',
        },
        v3: {
            factory: '0x33128a8fC17869897dcE68Ed026d694621f6FDfD',
            positions: '0x03a520b32C04BF3bEEf7BEb72E919cf822Ed34f1',
            quoter: '0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a',
            router02: '0x2626664c2603336E57B271c5C0b26F421741e481',
        },
        oracle: '0x420000000000000000000000000000000000000F',
        pools: {
            v2: [
                ['WETH', 8_000, 'USDC', 24_000_000],
                ['WETH', 6_000, 'DAI', 18_000_000],
            ],
            v3: [
                ['WETH', 25_000, 'USDC', 75_000_000, 500],
                ['WETH', 3_000, 'USDC', 9_000_000, 3000],
                ['WETH', 300, 'DAI', 900_000, 3000],
                ['USDC', 5_000_000, 'DAI', 5_000_000, 100],
            ],
        },
        dollars: ['USDC', 'DAI'],
        lending: BASE_LENDING,
    },
    polygon: chainOf({
        id: 137,
        coin: 'POL',
        price: 0.5,
        kind: 'OpenToken',
        wrapped: ['WMATIC', '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270'],
        dollars: [
            ['USDC', 'USD Coin', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 6],
            ['USDC.e', 'USD Coin (PoS)', '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174', 6],
            ['USDT', 'Tether USD', '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', 6],
        ],
        v2: ['0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C', '0xedf6066a2b290C185783862C7F4776A2C8077AD1'],
        v3: V3_FIRST,
    }),
    optimism: chainOf({
        id: 10,
        coin: 'ETH',
        price: 3000,
        wrapped: ['WETH', '0x4200000000000000000000000000000000000006'],
        dollars: [
            ['USDC', 'USD Coin', '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', 6],
            ['USDT', 'Tether USD', '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58', 6],
            ['USDC.e', 'Bridged USDC', '0x7F5c764cBc14f9669B88837ca1490cCa17c31607', 6],
        ],
        v2: ['0x0c3c1c532F1e39EdF36BE9Fe0bE1410313E074Bf', '0x4A7b5Da61326A6379179b40d00F57E5bbDC962c2'],
        v3: V3_FIRST,
        oracle: '0x420000000000000000000000000000000000000F',
    }),
    bsc: chainOf({
        id: 56,
        coin: 'BNB',
        price: 500,
        wrapped: ['WBNB', '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c'],
        dollars: [
            ['USDC', 'USD Coin', '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', 18],
            ['USDT', 'Tether USD', '0x55d398326f99059fF775485246999027B3197955', 18],
        ],
        v2: ['0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6', '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24'],
        v3: ['0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7', '0x78D78E420Da98ad378D7799bE8f4AF69033EB077', '0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2'],
    }),
    arbitrum: chainOf({
        id: 42161,
        coin: 'ETH',
        price: 3000,
        wrapped: ['WETH', '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1'],
        dollars: [
            ['USDC', 'USD Coin', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 6],
            ['USDT', 'Tether USD', '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', 6],
            ['USDC.e', 'Bridged USDC', '0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8', 6],
        ],
        kind: 'OpenToken',
        v2: ['0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9', '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24'],
        v3: V3_FIRST,
        arbSys: '0x0000000000000000000000000000000000000064',
    }),
    avalanche: chainOf({
        id: 43114,
        coin: 'AVAX',
        price: 25,
        wrapped: ['WAVAX', '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7'],
        dollars: [
            ['USDC', 'USD Coin', '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', 6],
            ['USDT', 'Tether USD', '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7', 6],
            ['USDC.e', 'Bridged USDC', '0xA7D7079b0FEaD91F3e65f86E8915Cb59c1a4C664', 6],
        ],
        v2: ['0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C', '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24'],
        v3: ['0x740b1c1de25031C31FF4fC9A62f554A55cdC1baD', '0xbe0F5544EC67e9B3b2D979aaA43f18Fd87E6257F', '0xbb00FF08d01D300023C629E8fFfFcb65A5a578cE'],
    }),
    fantom: chainOf({
        id: 250,
        coin: 'FTM',
        price: 0.5,
        wrapped: ['WFTM', '0x21be370D5312f44cB42ce377BC9b8a0cEF1A4C83'],
        dollars: [['USDC', 'USD Coin (LayerZero)', '0x28a92dde19D9989F39A49905d7C9C2FAc7799bDf', 6]],
        v2: ['0x152eE697f2E276fA89E96742e9bB9aB1F2E61bE3', '0xF491e7B69E4244ad4002BC14e878a34207E38c29'],
        v3: [OWN.factoryV3, OWN.quoterV3, OWN.routerV3],
    }),
    linea: chainOf({
        id: 59144,
        coin: 'ETH',
        price: 3000,
        wrapped: ['WETH', '0xe5D7C2a44FfDDf6b295A15c148167daaAf5Cf34f'],
        dollars: [
            ['USDC', 'USD Coin', '0x176211869cA2b568f2A7D4EE941E073a821EE1ff', 6],
            ['USDT', 'Tether USD', '0xA219439258ca9da29E9Cc4cE5596924745e12B93', 6],
        ],
        v2: ['0x114A43DF6C5f54EBB8A9d70Cd1951D3dD68004c7', '0x8702463e73f74d0b6765aBceb314Ef07aCb92650'],
        v3: ['0x31FAfd4889FA1269F7a13A66eE0fB458f27D72A9', '0x42bE4D6527829FeFA1493e1fb9F3676d2425C3C1', '0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a'],
    }),
    mantle: chainOf({
        id: 5000,
        coin: 'MNT',
        price: 1,
        wrapped: ['WMNT', '0x78c1b0C915c4FAA5FffA6CAbf0219DA63d7f4cb8'],
        dollars: [
            ['USDC', 'USD Coin', '0x09Bc4E0D864854c6aFB6eB9A9cdF58aC190D0dF9', 6],
            ['USDT', 'Tether USD', '0x201EBa5CC46D216Ce6DC03F6a759e8E766e956aE', 6],
        ],
        v2: [OWN.factoryV2, OWN.routerV2],
        v3: ['0x0d922Fb1Bc191F64970ac40376643808b4B74Df9', '0xdD489C75be1039ec7d843A6aC2Fd658350B067Cf', '0x738fD6d10bCc05c230388B4027CAd37f82fe2AF2'],
        oracle: '0x420000000000000000000000000000000000000F',
    }),
    gnosis: chainOf({
        id: 100,
        coin: 'xDAI',
        price: 1,
        wrapped: ['WXDAI', '0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d'],
        dollars: [
            ['USDC', 'USD Coin', '0xDDAfbb505ad214D7b80b1f830fcCc89B60fb7A83', 6],
            ['USDT', 'Tether USD', '0x4ECaBa5870353805a9F068101A40E0f32ed605C6', 6],
            ['USDC.e', 'Bridged USDC', '0x2a22f9c3b484c3629090FeED35F17Ff8F88f76F0', 6],
        ],
        v2: ['0xc35DADB65012eC5796536bD9864eD8773aBc74C4', '0x1b02dA8Cb0d097eB8D57A175b88c7D8b47997506'],
        v3: ['0xe32F7dD7e3f098D518ff19A22d5f028e076489B1', '0x7E9cB3499A6cee3baBe5c8a3D328EA7FD36578f4', '0xc6D25285D5C5b62b7ca26D6092751A145D50e9Be'],
    }),
    scroll: chainOf({
        id: 534352,
        coin: 'ETH',
        price: 3000,
        wrapped: ['WETH', '0x5300000000000000000000000000000000000004'],
        dollars: [
            ['USDC', 'USD Coin', '0x06eFdBFf2a14a7c8E15944D1F4A48F9F95F663A4', 6],
            ['USDT', 'Tether USD', '0xf55BEC9cafDbE8730f096Aa55dad6D22d44099Df', 6],
        ],
        v2: ['0xB45e53277a7e0F1D35f2a77160e91e25507f1763', '0x9B3336186a38E1b6c21955d112dbb0343Ee061eE'],
        v3: ['0x70C62C8b8e801124A4Aa81ce07b637A3e83cb919', '0x2566e082Cb1656d22BCbe5644F5b997D194b5299', '0xfc30937f5cDe93Df8d48aCAF7e6f5D8D8A31F636'],
        oracle: '0x5300000000000000000000000000000000000002',
    }),
};

/** The description of a chain, or an error that names the choices. */
export function chainNamed(name) {
    if (!Object.hasOwn(CHAINS, name)) {
        throw new Error(`unknown chain ${name}: use ${Object.keys(CHAINS).join(', ')}`);
    }
    return { name, ...CHAINS[name] };
}
