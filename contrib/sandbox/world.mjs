// What exists on the sandbox chains: ids, mainnet addresses, tokens, pools. Data only. The prediction markets of polygon
// are in polymarket.mjs.

export const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';

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

const POLYGON_TOKENS = {
    WMATIC: { address: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270', decimals: 18, kind: 'WETH9' },
    USDC: { address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', decimals: 6, kind: 'OpenToken', name: 'USD Coin' },
    'USDC.e': { address: '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174', decimals: 6, kind: 'OpenToken', name: 'USD Coin (PoS)' },
    USDT: { address: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', decimals: 6, kind: 'OpenToken', name: 'Tether USD' },
};

// Pools are written [token, amount, token, amount, fee tier]; a V2 pool has no tier. All of them agree on 3000 dollars
// for one ETH and 60000 for one WBTC, but differ in depth, so that the best route depends on the pair and on the size.
export const CHAINS = {
    ethereum: {
        id: 1,
        coin: 'ETH',
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
    },
    base: {
        id: 8453,
        coin: 'ETH',
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
    },
    polygon: {
        id: 137,
        coin: 'POL',
        tokens: POLYGON_TOKENS,
        dollars: ['USDC', 'USDC.e', 'USDT'],
    },
};

/** The description of a chain, or an error that names the choices. */
export function chainNamed(name) {
    if (!Object.hasOwn(CHAINS, name)) {
        throw new Error(`unknown chain ${name}: use ${Object.keys(CHAINS).join(', ')}`);
    }
    return { name, ...CHAINS[name] };
}
