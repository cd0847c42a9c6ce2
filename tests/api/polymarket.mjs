// The sandbox's prediction markets as their traders see them, on a chain of the test's own whose blocks come with each
// transaction. Nothing here asks the gateway.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
    Contract, Interface, JsonRpcProvider, TypedDataEncoder, Wallet, concat, dataSlice, keccak256,
    parseEther, parseUnits, toBeHex, toUtf8Bytes,
} from 'ethers';
import { send } from '../../contrib/sandbox/builder.mjs';
import {
    ADDRESSES, KINDS, OPERATOR, conditionId, questionId,
} from '../../contrib/sandbox/polymarket.mjs';
import { MARKETS } from '../../contrib/sandbox/upstream/markets.mjs';
import { ALL_CHAINS, networkOf, ownNode } from './chain.mjs';
import { ROOT, until } from './lib.mjs';
import { freePort } from './ports.mjs';

export const VECTORS = JSON.parse(readFileSync(`${ROOT}tests/vectors/polymarket.json`, 'utf8'));
export const DOLLARS = ALL_CHAINS.polygon.tokens['USDC.e'].address;
export const [BUY, SELL] = [0, 1];
const ZERO = `0x${'0'.repeat(64)}`;
const CHAIN_ID = 137;
const BLOCK_MS = 200;
const ASK_LIMIT_MS = 10_000;

const ORDER = {
    Order: [
        ['uint256', 'salt'], ['address', 'maker'], ['address', 'signer'], ['uint256', 'tokenId'],
        ['uint256', 'makerAmount'], ['uint256', 'takerAmount'], ['uint8', 'side'], ['uint8', 'signatureType'],
        ['uint256', 'timestamp'], ['bytes32', 'metadata'], ['bytes32', 'builder'],
    ].map(([type, name]) => ({ type, name })),
};
const BATCH = {
    Batch: [
        { type: 'address', name: 'wallet' }, { type: 'uint256', name: 'nonce' },
        { type: 'uint256', name: 'deadline' }, { type: 'Call[]', name: 'calls' },
    ],
    Call: [{ type: 'address', name: 'target' }, { type: 'uint256', name: 'value' }, { type: 'bytes', name: 'data' }],
};
const ORDER_TUPLE = `(${[...ORDER.Order.map(({ type }) => type), 'bytes'].join(',')})`;
const BATCH_TUPLE = '(address,uint256,uint256,(address,uint256,bytes)[])';

const ERC20 = [
    'function balanceOf(address) view returns (uint256)', 'function totalSupply() view returns (uint256)',
    'function approve(address, uint256)', 'function transfer(address, uint256)', 'function mint(address, uint256)',
];
const LEDGER = [
    'function balanceOf(address, uint256) view returns (uint256)', 'function setApprovalForAll(address, bool)',
    // Of one ledger, and of the other.
    'function payoutNumerators(bytes32, uint256) view returns (uint256)', 'function getPayout(uint256, uint256) view returns (uint256)',
];
const EXCHANGE = [
    'error InvalidSignature()', 'error OrderAlreadyFilled()', 'error MakingGtRemaining()', 'error NotOperator()',
    'error MismatchedTokenIds()', 'error NotCrossing()', 'error TooLittleTokensReceived()', 'error FeeTooHigh()',
    'error NoMakerOrders()', 'error MismatchedArrayLengths()',
    'function domainSeparator() view returns (bytes32)',
    `function hashOrder(${ORDER_TUPLE}) view returns (bytes32)`,
    `function validateOrder(${ORDER_TUPLE}) view`,
    'function getOrderStatus(bytes32) view returns ((bool filled, uint248 remaining))',
    'function outcomeTokens(bytes32) view returns (uint256, uint256)',
    `function matchOrders(bytes32, ${ORDER_TUPLE}, ${ORDER_TUPLE}[], uint256, uint256[], uint256, uint256[])`,
    'event OrderFilled(bytes32 indexed orderHash, address indexed maker, address indexed taker, uint8 side, uint256 tokenId, '
        + 'uint256 making, uint256 taking, uint256 fee, bytes32 builder, bytes32 metadata)',
    'event OrdersMatched(bytes32 indexed orderHash, address indexed maker, uint8 side, uint256 tokenId, uint256 making, '
        + 'uint256 taking)',
    'event FeeCharged(address indexed receiver, uint256 amount)',
];
const FACTORY = [
    'error NotOperator()', 'error DeploymentFailed()', 'error NotFactory()', 'error WrongNonce()', 'error DeadlinePassed()',
    'error InvalidSignature()', 'error WrongWallet()',
    'function walletOf(address) view returns (address)', 'function uupsWalletOf(address) view returns (address)',
    'function deploy(address[])', 'function deployUups(address)', `function proxy(${BATCH_TUPLE}[], bytes[])`,
];
const WALLET = [
    'error NotFactory()',
    'function owner() view returns (address)', 'function factory() view returns (address)',
    'function nonce() view returns (uint256)', `function hashBatch(${BATCH_TUPLE}) view returns (bytes32)`,
    `function execute(${BATCH_TUPLE}, bytes)`,
    'function isValidSignature(bytes32, bytes) view returns (bytes4)',
];
const RAMPS = new Interface(['function wrap(address, address, uint256)', 'function unwrap(address, address, uint256)']);
const ORACLES = {
    ctf: new Interface(['function reportPayouts(bytes32, uint256[])']),
    v3: new Interface(['function reportPayouts(bytes32, uint256[2])']),
};
const REDEMPTIONS = new Interface([
    'function redeemPositions(address, bytes32, bytes32, uint256[])', 'function redeem(bytes31, uint256, uint256)',
    'function splitPosition(address, bytes32, bytes32, uint256[], uint256)', 'function split(bytes31, uint256)',
    'function merge(bytes31, uint256)', 'function mergePositions(address, bytes32, bytes32, uint256[], uint256)',
]);
const APPROVALS = new Interface(['function approve(address, uint256)', 'function setApprovalForAll(address, bool)']);

const BEACON_SLOT = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
// What comes after the constructor, without what a wallet carries.
const WALLET_CODE = `0x${VECTORS.deposit_wallet_addresses[0].beacon.init_code.slice(-2 * 0x92, -128)}`;

export const units = (text) => parseUnits(text, 6);

/** The members in the order of the contracts' tuples. */
export const orderTuple = (order, signature) => [...ORDER.Order.map(({ name }) => order[name]), signature];
export const batchTuple = ({ wallet, nonce, deadline, calls }) => (
    [wallet, nonce, deadline, calls.map(({ target, value, data }) => [target, value, data])]);

/** A chain of one's own in the state that the sandbox's starts with: { at, operator, provider, stop }. */
export async function ownChain() {
    const { child, url } = await ownNode('polygon');
    const chain = await chainAt(url);
    return { ...chain, stop: () => { chain.provider.destroy(); child.kill('SIGKILL'); } };
}

/** That of a running node. */
export async function chainAt(url) {
    const network = networkOf('polygon');
    const provider = new JsonRpcProvider(url, network, { staticNetwork: network, cacheTimeout: -1 });
    provider.pollingInterval = 10;
    await provider.send('anvil_autoImpersonateAccount', [true]);
    // One after the other: senders that several use at once would give two transactions the same number.
    let last = Promise.resolve();
    const inTurn = (...args) => {
        const turn = last.then(() => act(url, provider, ...args));
        last = turn.catch(() => {});
        return turn;
    };
    const at = (address, abi) => new Contract(address, abi, provider);
    return {
        url,
        provider,
        at,
        send: inTurn,
        operate: (contract, name, ...args) => (
            inTurn(OPERATOR.address, contract.target, contract.interface.encodeFunctionData(name, args))),
        collateral: at(ADDRESSES.collateral, ERC20),
        dollars: at(DOLLARS, ERC20),
        factory: at(ADDRESSES.walletFactory, FACTORY),
        exchange: (kind) => at(KINDS[kind].exchange, EXCHANGE),
        ledger: (kind) => at(KINDS[kind].ledger, LEDGER),
        wallet: (address) => at(address, WALLET),
        /** A wallet at any address, of any owner: the code of one, with another owner in it. */
        plantWallet: async (address, owner) => {
            const code = concat([WALLET_CODE, toBeHex(ADDRESSES.walletFactory, 32), toBeHex(owner, 32)]);
            await provider.send('anvil_setCode', [address, code]);
            await provider.send('anvil_setStorageAt', [address, BEACON_SLOT, toBeHex(ADDRESSES.walletBeacon, 32)]);
        },
    };
}

/**
 * The venue's services for that chain, which gets a block now and then from then on: { base, ask, control, stop, kill }. With a
 * `state` they go on from what others with that state have kept.
 */
export async function ownUpstream(chain, state) {
    const blocks = setInterval(() => { if (!chain.still) chain.provider.send('evm_mine', []).catch(() => {}); }, BLOCK_MS);
    const port = await freePort();
    const args = [`${ROOT}contrib/sandbox/upstream/server.mjs`, String(port), chain.url, ...(state === undefined ? [] : [state])];
    const program = spawn(process.execPath, args, { stdio: 'ignore' });
    const gone = once(program, 'exit');
    const end = async (signal) => { clearInterval(blocks); program.kill(signal); await gone; };
    process.once('exit', () => program.kill('SIGKILL'));
    const base = `http://127.0.0.1:${port}`;
    const ask = async (method, path, { headers, body } = {}) => {
        const response = await fetch(base + path, { method, headers, body, signal: AbortSignal.timeout(ASK_LIMIT_MS) });
        return { status: response.status, body: await response.json() };
    };
    const control = async (method, body, path = '') => (await ask(method, `/_sandbox${path}`, { body: body && JSON.stringify(body) })).body;
    await until('a venue', () => control('GET').then(() => true, () => false));
    return { base, ask, control, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

/** A transaction of any account, without its key: the receipt, or an error with the contract's words. */
async function act(url, provider, from, to, data) {
    try {
        return await send(url, to, data, 0n, from);
    } catch (error) {
        await provider.call({ from, to, data });
        throw error;
    }
}

/** The first open market of a kind. */
export async function openMarket(chain, kind) {
    return found(chain, MARKETS.find((each) => each.kind === kind && !each.status));
}

/** A market with its condition, its tokens and its contracts. */
export async function found(chain, market) {
    const contract = chain.exchange(market.kind);
    const tokens = await contract.outcomeTokens(conditionId(market));
    return { ...market, ...KINDS[market.kind], condition: conditionId(market), tokens: [...tokens], contract };
}

export async function decide(chain, market, payouts) {
    const codec = ORACLES[market.kind === 'v3' ? 'v3' : 'ctf'];
    const data = codec.encodeFunctionData('reportPayouts', [questionId(market), payouts]);
    await chain.send(OPERATOR.address, market.ledger, data);
}

const domainOf = ({ exchange, version }) => (
    { name: 'Polymarket CTF Exchange', version, chainId: CHAIN_ID, verifyingContract: exchange });

/** A trader with a key of its own, without a wallet contract. */
class KeyTrader {
    signatureType = 0;

    constructor(chain) {
        this.chain = chain;
        this.key = Wallet.createRandom(chain.provider);
        this.address = this.key.address;
    }

    async open() {
        await this.chain.provider.send('anvil_setBalance', [this.key.address, toBeHex(parseEther('100'))]);
        return this;
    }

    /** Carries out [target, data] pairs one after the other. */
    async act(...calls) {
        for (const [to, data] of calls) await this.chain.send(this.address, to, data);
    }

    signed(market, order) {
        return this.key.signTypedData(domainOf(market), ORDER, order);
    }
}

/** A trader whose money is in a deposit wallet. */
export class WalletTrader extends KeyTrader {
    signatureType = 3;

    async open() {
        this.address = await this.chain.factory.walletOf(this.key.address);
        await this.chain.operate(this.chain.factory, 'deploy', [this.key.address]);
        return this;
    }

    async batch(calls, { deadline = 2n ** 40n, nonce } = {}) {
        const batch = {
            wallet: this.address,
            nonce: nonce ?? await this.chain.wallet(this.address).nonce(),
            deadline,
            calls: calls.map(([target, data]) => ({ target, value: 0n, data })),
        };
        const domain = { name: 'DepositWallet', version: '1', chainId: CHAIN_ID, verifyingContract: this.address };
        return [batchTuple(batch), await this.key.signTypedData(domain, BATCH, batch)];
    }

    async act(...calls) {
        const [batch, signature] = await this.batch(calls);
        await this.chain.operate(this.chain.factory, 'proxy', [batch], [signature]);
    }

    signed(market, order) {
        return nested(this.key, this.address, domainOf(market), order);
    }
}

/** The envelope of ERC-7739 around a signature that names the wallet. */
function nested(key, wallet, domain, order) {
    const encoder = TypedDataEncoder.from(ORDER);
    const orderType = toUtf8Bytes(encoder.encodeType('Order'));
    const separator = TypedDataEncoder.hashDomain(domain);
    const contents = encoder.hash(order);
    const typeHash = keccak256(concat([toUtf8Bytes(
        'TypedDataSign(Order contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)',
    ), orderType]));
    const struct = keccak256(concat([
        typeHash, contents, keccak256(toUtf8Bytes('DepositWallet')), keccak256(toUtf8Bytes('1')),
        toBeHex(CHAIN_ID, 32), toBeHex(wallet, 32), ZERO,
    ]));
    const inner = key.signingKey.sign(keccak256(concat(['0x1901', separator, struct]))).serialized;
    return concat([inner, separator, contents, orderType, toBeHex(orderType.length, 2)]);
}

const approve = (token, spender, value) => [token, APPROVALS.encodeFunctionData('approve', [spender, value])];
const allow = (ledger, spender) => [ledger, APPROVALS.encodeFunctionData('setApprovalForAll', [spender, true])];

/** What a deposit wallet allows before it trades in a market. */
export const allowances = ({ exchange, ledger }, amount) => [approve(ADDRESSES.collateral, exchange, amount), allow(ledger, exchange)];

/** What a holder of USDC.e does to have it as collateral of that address. */
export const wrapping = (to, amount) => [
    approve(DOLLARS, ADDRESSES.onramp, amount),
    [ADDRESSES.onramp, RAMPS.encodeFunctionData('wrap', [DOLLARS, to, amount])],
];

/** A trader with so many dollars wrapped, and allowances for all exchanges and adapters. */
export async function newTrader(chain, dollars = '0', Kind = KeyTrader) {
    const trader = await new Kind(chain).open();
    const amount = units(dollars);
    await chain.operate(chain.dollars, 'mint', trader.address, amount);
    await trader.act(
        ...wrapping(trader.address, amount),
        ...[...Object.values(KINDS).map(({ exchange }) => exchange), ADDRESSES.ctfAdapter, ADDRESSES.negRiskAdapter, ADDRESSES.router]
            .map((spender) => approve(ADDRESSES.collateral, spender, 2n ** 255n)),
        ...[ADDRESSES.exchange, ADDRESSES.negRiskExchange, ADDRESSES.ctfAdapter, ADDRESSES.negRiskAdapter]
            .map((spender) => allow(ADDRESSES.conditionalTokens, spender)),
        ...[ADDRESSES.exchangeV3, ADDRESSES.router].map((spender) => allow(ADDRESSES.positionManager, spender)),
    );
    return trader;
}

export const newWalletTrader = (chain, dollars) => newTrader(chain, dollars, WalletTrader);

let salt = 0n;

/** A signed order at a limit price: [order's tuple, hash]. Price and size as decimal texts. */
export async function limitOrder(trader, market, side, outcome, price, size, changes = {}) {
    const shares = units(size);
    const cost = shares * units(price) / units('1');
    const order = {
        salt: ++salt, maker: trader.address, signer: trader.address, tokenId: market.tokens[outcome],
        makerAmount: side === BUY ? cost : shares, takerAmount: side === BUY ? shares : cost,
        side, signatureType: trader.signatureType, timestamp: 1_790_000_000_000n, metadata: ZERO, builder: ZERO, ...changes,
    };
    return orderTuple(order, await trader.signed(market, order));
}

/** Settles a match; fees are zero unless they are given. */
export function settle(chain, market, taker, makers, takerFill, makerFills, takerFee = 0n, makerFees = makers.map(() => 0n)) {
    return chain.operate(market.contract, 'matchOrders', market.condition, taker, makers, takerFill, makerFills, takerFee, makerFees);
}

const narrow = (market) => dataSlice(market.condition, 0, 31);

/** What a deposit wallet calls to have its winning shares as its owner's dollars. */
export const cashingIn = (trader, market, outcome, shares) => [
    allow(market.ledger, market.kind === 'v3' ? ADDRESSES.router : market.adapter),
    redemption(market, outcome, shares),
    ...unwrapping(trader, trader.key.address, shares),
];

/** Call data with which a holder redeems all of an outcome. */
export function redemption(market, outcome, amount) {
    return market.kind === 'v3'
        ? [ADDRESSES.router, REDEMPTIONS.encodeFunctionData('redeem', [narrow(market), outcome, amount])]
        : [market.adapter, REDEMPTIONS.encodeFunctionData('redeemPositions', [ADDRESSES.collateral, ZERO, market.condition, [1, 2]])];
}

export function splitting(market, amount) {
    return market.kind === 'v3'
        ? [ADDRESSES.router, REDEMPTIONS.encodeFunctionData('split', [narrow(market), amount])]
        : [market.adapter, REDEMPTIONS.encodeFunctionData('splitPosition', [ADDRESSES.collateral, ZERO, market.condition, [1, 2], amount])];
}

export function merging(market, amount) {
    return market.kind === 'v3'
        ? [ADDRESSES.router, REDEMPTIONS.encodeFunctionData('merge', [narrow(market), amount])]
        : [market.adapter, REDEMPTIONS.encodeFunctionData('mergePositions', [ADDRESSES.collateral, ZERO, market.condition, [1, 2], amount])];
}

export function unwrapping(trader, to, amount) {
    return [
        approve(ADDRESSES.collateral, ADDRESSES.offramp, amount),
        [ADDRESSES.offramp, RAMPS.encodeFunctionData('unwrap', [DOLLARS, to, amount])],
    ];
}
