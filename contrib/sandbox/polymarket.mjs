// The prediction markets of polygon: where the contracts stand, what identifies a market, and what build-chain.mjs puts
// there. The markets themselves are in upstream/markets.mjs.

import {
    Interface, Wallet, ZeroHash, id, parseEther, parseUnits, solidityPackedKeccak256, toBeHex,
} from 'ethers';
import { contractAt, send } from './builder.mjs';
import { rpc } from './chain.mjs';
import { CONDITIONAL_TOKENS } from './contracts.mjs';
import { MARKETS } from './upstream/markets.mjs';

export const ADDRESSES = {
    conditionalTokens: '0x4D97DCd97eC945f40cF65F87097ACe5EA0476045',
    collateral: '0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB',
    onramp: '0x93070a847efEf7F70739046A929D47a521F5B8ee',
    offramp: '0x2957922Eb93258b93368531d39fAcCA3B4dC5854',
    ctfAdapter: '0xAdA100Db00Ca00073811820692005400218FcE1f',
    negRiskAdapter: '0xadA2005600Dec949baf300f4C6120000bDB6eAab',
    wrappedCollateral: '0x3A3BD7bb9528E159577F7C2e685CC81A765002E2',
    exchange: '0xE111180000d2663C0091e4f400237545B87B996B',
    negRiskExchange: '0xe2222d279d744050d28e00520010520000310F59',
    exchangeV3: '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa',
    positionManager: '0x006F54F7f9A22e0000CC2AB60031000000ae9fEF',
    router: '0x12121212006e4CD160D18e3f00711DA5c3372600',
    walletFactory: '0x00000000000Fb5C9ADea0298D729A0CB3823Cc07',
    walletImplementation: '0x58CA52ebe0DadfdF531Cde7062e76746de4Db1eB',
    walletBeacon: '0x7A18EDfe055488A3128f01F563e5B479D92ffc3a',
};

/** Matches orders, decides markets, makes wallets, gets the fees: the last of the node's development accounts. */
export const OPERATOR = {
    address: '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
    key: '0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6',
};

/** Whose orders rest in the books from the start: the first one's for the first outcomes, the second one's for the second. */
export const MAKERS = ['first', 'second'].map((which) => new Wallet(id(`the ${which} maker of the sandbox`)));
/** Who trades when trader.mjs is told to. */
export const TRADER = new Wallet(id('the trader of the sandbox'));
const TRADERS_DOLLARS = parseUnits('1000000', 6);
const TRADERS_SHARES = parseUnits('10000', 6); // of each outcome of each open market

/** By a market's kind: its exchange, the version of the exchange's signing domain, and the ledger of its shares. */
export const KINDS = {
    v2: { exchange: ADDRESSES.exchange, version: '2', ledger: ADDRESSES.conditionalTokens, adapter: ADDRESSES.ctfAdapter },
    neg_risk: {
        exchange: ADDRESSES.negRiskExchange, version: '2', ledger: ADDRESSES.conditionalTokens,
        adapter: ADDRESSES.negRiskAdapter,
    },
    v3: { exchange: ADDRESSES.exchangeV3, version: '3', ledger: ADDRESSES.positionManager },
};

// The domain separators on Polygon: proof that name, version, chain and address are the right ones.
const DOMAINS = {
    [ADDRESSES.exchange]: '0x3264e159346253e26a64e00b69032db0e7d32f94628de3e6eecb50304d7af3d2',
    [ADDRESSES.negRiskExchange]: '0x9b858f53327b0bd13af8ec14cfb35234fb9eb7b0504d1a4e61f433840d30e81a',
    [ADDRESSES.exchangeV3]: '0x466c63910185bbd55e8679264200c4e0abdcbb0c6264eb3d41d13326022e095b',
};

// ---------------------------------------------------------------- a market's identifiers

export const questionId = ({ slug }) => id(slug);

/** 32 bytes; of a v3 market the last one is zero. The exchange's `outcomeTokens` has the tokens of both outcomes. */
export function conditionId(market) {
    if (market.kind !== 'v3') {
        return solidityPackedKeccak256(['address', 'bytes32', 'uint256'], [OPERATOR.address, questionId(market), 2]);
    }
    const hash = solidityPackedKeccak256(['address', 'bytes32'], [OPERATOR.address, questionId(market)]);
    return `${hash.slice(0, -2)}00`;
}

// ---------------------------------------------------------------- the chain's making

/** [contract, address on Polygon, constructor arguments] of what the markets need. */
export function inventory({ tokens }, own) {
    const at = ADDRESSES;
    const dollars = tokens['USDC.e'].address;
    const wrappers = [at.onramp, at.offramp, at.ctfAdapter, at.negRiskAdapter];
    return [
        [CONDITIONAL_TOKENS, at.conditionalTokens, []],
        [own.CollateralToken, at.collateral, ['Polymarket USD', 'pUSD', 6, dollars, wrappers]],
        [own.CollateralOnramp, at.onramp, [at.collateral, dollars]],
        [own.CollateralOfframp, at.offramp, [at.collateral, dollars]],
        [own.WrappedCollateral, at.wrappedCollateral, ['Wrapped Collateral', 'WCOL', 6, dollars]],
        [own.CtfCollateralAdapter, at.ctfAdapter, [at.collateral, at.conditionalTokens, dollars, dollars]],
        [own.NegRiskCtfCollateralAdapter, at.negRiskAdapter, [at.collateral, at.conditionalTokens, at.wrappedCollateral, dollars]],
        [own.CtfExchange, at.exchange, [at.collateral, OPERATOR.address, at.ctfAdapter, at.conditionalTokens]],
        [own.CtfExchange, at.negRiskExchange, [at.collateral, OPERATOR.address, at.negRiskAdapter, at.conditionalTokens]],
        [own.PositionManager, at.positionManager, [at.collateral]],
        [own.Router, at.router, [at.collateral, at.positionManager]],
        [own.ExchangeV3, at.exchangeV3, [at.collateral, OPERATOR.address, at.positionManager]],
        [own.DepositWallet, at.walletImplementation, []],
        [own.WalletBeacon, at.walletBeacon, [at.walletImplementation]],
        [own.DepositWalletFactory, at.walletFactory, [OPERATOR.address, at.walletImplementation, at.walletBeacon]],
    ];
}

/** Prepares the conditions of all markets, decides those that are decided from the start, equips those who trade. */
export async function furnish(url, chain, own) {
    await prepareConditions(url, own);
    for (const { address } of [...MAKERS, TRADER]) await equipTrader(url, chain, address);
}

async function prepareConditions(url, own) {
    const ledgers = {
        [ADDRESSES.conditionalTokens]: new Interface(CONDITIONAL_TOKENS.abi),
        [ADDRESSES.positionManager]: new Interface(own.PositionManager.abi),
    };
    for (const market of MARKETS) {
        const { ledger } = KINDS[market.kind];
        const slots = market.kind === 'v3' ? [] : [2];
        const prepare = ledgers[ledger].encodeFunctionData('prepareCondition', [OPERATOR.address, questionId(market), ...slots]);
        await send(url, ledger, prepare);
        if (market.status !== 'resolved') continue;
        const report = ledgers[ledger].encodeFunctionData('reportPayouts', [questionId(market), payouts(market.winner)]);
        await send(url, ledger, report, 0n, OPERATOR.address);
    }
}

const ACTIONS = new Interface([
    'function mint(address, uint256)', 'function approve(address, uint256)', 'function setApprovalForAll(address, bool)',
    'function wrap(address, address, uint256)', 'function splitPosition(address, bytes32, bytes32, uint256[], uint256)',
    'function split(bytes31, uint256)',
]);

/** Collateral, shares of both outcomes of what is open, and allowances for the exchanges. */
async function equipTrader(url, { tokens }, trader) {
    const act = (to, name, ...args) => send(url, to, ACTIONS.encodeFunctionData(name, args), 0n, trader);
    const dollars = tokens['USDC.e'].address;
    await rpc(url, 'anvil_impersonateAccount', [trader]);
    await rpc(url, 'anvil_setBalance', [trader, toBeHex(parseEther('1'))]);
    await act(dollars, 'mint', trader, TRADERS_DOLLARS);
    await act(dollars, 'approve', ADDRESSES.onramp, TRADERS_DOLLARS);
    await act(ADDRESSES.onramp, 'wrap', dollars, trader, TRADERS_DOLLARS);
    for (const spender of [ADDRESSES.ctfAdapter, ADDRESSES.negRiskAdapter, ADDRESSES.router]) {
        await act(ADDRESSES.collateral, 'approve', spender, TRADERS_DOLLARS);
    }
    for (const { exchange, ledger } of Object.values(KINDS)) {
        await act(ADDRESSES.collateral, 'approve', exchange, TRADERS_DOLLARS);
        await act(ledger, 'setApprovalForAll', exchange, true);
    }
    for (const market of MARKETS.filter(({ status }) => status === undefined)) await act(...splitting(market, TRADERS_SHARES));
}

/** A call that turns collateral into shares of both outcomes: [contract, function, arguments]. */
function splitting(market, amount) {
    const condition = conditionId(market);
    if (market.kind === 'v3') return [ADDRESSES.router, 'split', condition.slice(0, -2), amount];
    return [KINDS[market.kind].adapter, 'splitPosition', ADDRESSES.collateral, ZeroHash, condition, [1, 2], amount];
}

/** All for one outcome. */
export const payouts = (winner) => [0, 1].map((outcome) => (outcome === winner ? 1 : 0));

/** Refuses a world in which signatures for Polygon would not hold, or a market cannot be traded. */
export async function verify(url, chain, own) {
    for (const [address, wanted] of Object.entries(DOMAINS)) {
        const found = await contractAt(url, own.CtfExchange, address).call('domainSeparator');
        if (found !== wanted) throw new Error(`domainSeparator() of ${address} is ${found} instead of ${wanted}`);
    }
    const tokens = contractAt(url, CONDITIONAL_TOKENS, ADDRESSES.conditionalTokens);
    for (const market of MARKETS.filter(({ kind }) => kind !== 'v3')) {
        const slots = await tokens.call('getOutcomeSlotCount', [conditionId(market)]);
        if (slots !== 2n) throw new Error(`the condition of ${market.slug} has ${slots} outcomes`);
    }
}
