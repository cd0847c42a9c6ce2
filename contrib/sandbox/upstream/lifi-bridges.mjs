// LI.FI between two chains: Across V4 and Circle's CCTP, by Polymer or by Celer, with and without a swap before, and what it says
// of them afterwards. True to the diamond's facets as lifinance/contracts has them (August 2026) and to quotes that others recorded
// (September 2026). The solver (solver.mjs) sees the deposits and pays.
//
// Set by a test, in addition to what LI.FI has on one chain:
//
//   bridge_receiver bridge_refund bridge_token bridge_minimum bridge_chain bridge_message bridge_call bridge_amount bridge_mark
//                     lies about what is to arrive, in the calldata; the last one towards Solana: the header names the
//                     sender, where it has to say that the receiver stands elsewhere
//   status_done       says that it is done, with a transaction of `value` or an unknown one
//   status_foreign    says that it is done, with the payment of another one
//   status_refunded   says that it was paid back, with a transaction of `value` or with none
//   status_failed, status_invalid, status_unknown, status_not_found, status_other
//                     says that it failed, that it is none, an unknown status, that it has not seen it, the outcome of
//                     another one

import { ZeroAddress, ZeroHash, id, zeroPadValue } from 'ethers';
import { ABI, lifiFee, lifiSwap } from './aggregator/calls.mjs';
import { bridgedMost, factsOf, lessBps, scaled } from './aggregator/service.mjs';
import { bytesOf, isSolana, noTransaction, strangerOn } from './families.mjs';

const ONE = 10n ** 18n, PPM = 1_000_000n;
const FEE_BPS = 12, FILL_S = 3600, SECONDS = 3, GAS = 160_000, GAS_OF_SWAP = 420_000;
const CIRCLE = ['ethereum', 'optimism', 'polygon', 'arbitrum', 'base', 'avalanche'];
const NOT_EVM = '0x11f111f111f111F111f111f111F111f111f111F1'; // in the header: the receiver stands in the bridge's own data
const TOOLS = {
    across: { name: 'AcrossV4', method: 'AcrossV4' },
    celercircle: { name: 'CelerCircleBridge', method: 'CelerCircleBridge' },
    polymerStandard: { name: 'Polymer CCTP (Standard)', method: 'PolymerCCTP' },
};
export const FAULTS = [
    'bridge_receiver', 'bridge_refund', 'bridge_token', 'bridge_minimum', 'bridge_chain', 'bridge_message', 'bridge_call', 'bridge_amount', 'bridge_mark',
    'fee_beside', // takes one unit more than what is sold
    'status_done', 'status_foreign', 'status_refunded', 'status_failed', 'status_invalid', 'status_unknown', 'status_not_found', 'status_other',
];

const word = (address) => zeroPadValue(bytesOf(address), 32);
const wrappedOf = ({ pools }) => pools.wrapped;

/** What is sent on one chain so that a token arrives on the other: the token of the same name, the wrapped coin for a coin. */
function sentFor(from, to, tokenOut) {
    if (isSolana(to) && tokenOut !== to.tokens.USDC.address) return undefined;
    const wanted = tokenOut === ZeroAddress ? wrappedOf(to) : tokenOut;
    const { symbol } = factsOf(to, wanted);
    return from.tokens[symbol]?.address;
}

/** Which bridges serve it, in the order of what they give. */
function toolsFor(from, to, sent, tokenOut, allowed) {
    const dollars = (chain) => chain.tokens.USDC?.address;
    const circle = CIRCLE.includes(from.name) && CIRCLE.includes(to.name) && sent === dollars(from) && tokenOut === dollars(to);
    return [...(circle ? ['polymerStandard', 'celercircle'] : []), 'across'].filter((tool) => allowed === undefined || allowed.includes('all') || allowed.includes(tool));
}

/** What a bridge gives: { tool, sent, swap, bridged, least, out, minimum }; undefined for no route. */
export async function bridged(desk, { from, to, tokenIn, tokenOut, amount, ppm, allowed, collected }) {
    const sent = sentFor(from, to, tokenOut);
    if (sent === undefined || desk.wrong('no_route')) return undefined;
    const [tool] = toolsFor(from, to, sent, tokenOut, allowed);
    if (tool === undefined) return undefined;
    const plain = tokenIn === sent || (tokenIn === ZeroAddress && sent === wrappedOf(from));
    const swap = plain ? undefined : await desk.offer(from, tokenIn, sent, amount);
    if (!plain && swap === undefined) return undefined;
    const most = plain ? amount : swap.out, least = plain ? amount : most * (PPM - ppm) / PPM;
    const [near, far] = [factsOf(from, sent).decimals, factsOf(to, tokenOut === ZeroAddress ? wrappedOf(to) : tokenOut).decimals];
    const share = FEE_BPS - Number(desk.wrong('bonus')?.value ?? 0);
    const fee = most - lessBps(most, share);
    const out = tool === 'across' ? lessBps(scaled(most, near, far), share) : most - fee;
    const multiplier = most === 0n ? 0n : out * ONE / most;
    const minimum = plain && !collected ? out : tool === 'across' ? least * multiplier / ONE : least - fee;
    if (most > bridgedMost(from, sent)) return undefined;
    return out <= 0n || minimum <= 0n ? undefined : { tool, sent, swap, plain, most, least, out, minimum, fee, multiplier };
}

/** What the diamond does before it bridges: keeps a fee, trades. */
function stepsBefore({ from, tokenIn, amount, collected }, { sent, swap, plain }, router) {
    const steps = collected === undefined ? [] : [lifiFee({ tokenIn, amount, collected })];
    if (plain) return steps;
    const left = amount - (collected?.fee ?? 0n);
    return [...steps, lifiSwap({ chain: from, router, tokenIn, tokenOut: sent, amount: left, trade: { path: swap.path, share: swap.share, lie: {} } })];
}

/** The call of the diamond that starts a bridge. */
export function bridgeCall(desk, question, offer, transactionId) {
    const { from, to, tokenIn, tokenOut, sender, recipient } = question;
    const { tool, sent, plain, least, out, fee, multiplier } = offer;
    const wrong = Object.fromEntries(FAULTS.slice(0, 9).map((name) => [name, desk.wrong(name)]));
    const receiver = wrong.bridge_receiver ? strangerOn(to) : recipient;
    const headed = isSolana(to) ? (wrong.bridge_mark ? sender : NOT_EVM) : receiver;
    const far = wrong.bridge_chain ? 10 : to.id;
    const least1 = wrong.bridge_amount ? least + 1n : least;
    const router = desk.router(from);
    const steps = stepsBefore(question, offer, router);
    const header = [
        transactionId, tool, 'sandbox', ZeroAddress, plain && tokenIn === ZeroAddress ? ZeroAddress : sent, headed, least1, far, steps.length > 0,
        wrong.bridge_call !== undefined,
    ];
    const received = tokenOut === ZeroAddress ? wrappedOf(to) : tokenOut;
    const other = Object.values(to.tokens).find(({ address }) => address !== received).address;
    const now = Math.floor(Date.now() / 1000);
    const own = tool === 'across'
        ? [
            word(receiver), word(wrong.bridge_refund ? strangerOn(from) : sender), word(sent), word(wrong.bridge_token ? other : received),
            wrong.bridge_minimum ? out / 2n : out, wrong.bridge_minimum ? multiplier / 2n : multiplier, word(ZeroAddress), now, now + FILL_S, 0,
            wrong.bridge_message ? '0x1234' : '0x',
        ]
        : tool === 'polymerStandard'
            ? [0n, wrong.bridge_minimum ? least / 2n : fee, ZeroHash, ZeroHash, 2000, wrong.bridge_refund ? strangerOn(from) : sender, wrong.bridge_message ? '0x1234' : '0x']
            : [wrong.bridge_minimum ? least / 2n : fee, 2000];
    const { method } = TOOLS[tool];
    if (steps.length === 0) return ABI.lifi.encodeFunctionData(`startBridgeTokensVia${method}`, [header, own]);
    return ABI.lifi.encodeFunctionData(`swapAndStartBridgeTokensVia${method}`, [header, steps, own]);
}

export const gasOf = ({ plain }) => (plain ? GAS : GAS_OF_SWAP);
export const SECONDS_NEEDED = SECONDS;
export const nameOf = (tool) => TOOLS[tool].name;

// ---------------------------------------------------------------- afterwards

const side = (desk, chain, token, amount, txHash) => ({
    txHash, chainId: chain.id, amount: String(amount), token: { address: token, chainId: chain.id, symbol: factsOf(chain, token).symbol, decimals: factsOf(chain, token).decimals },
    timestamp: Math.floor(Date.now() / 1000),
});

const said = (status, substatus, sending, receiving) => ({ json: { status, substatus, substatusMessage: '', tool: 'across', transactionId: id(String(sending.txHash)), sending, receiving } });

/** What became of the transaction that is asked about. */
export function statusOf(desk, { query }) {
    const txHash = query.get('txHash');
    const [from, to] = ['fromChain', 'toChain'].map((name) => desk.chain(query.get(name)));
    const found = desk.wrong('status_not_found') ? undefined : desk.solver.found({ transaction: txHash });
    const sending = { txHash, chainId: from?.id };
    if (found === undefined) return said('NOT_FOUND', undefined, sending, { chainId: to?.id });
    const near = desk.chain(found.from.chain), far = desk.chain(found.to.chain);
    const sent = side(desk, near, found.from.token, found.from.amount, found.source);
    const doneBy = (hash) => said('DONE', 'COMPLETED', sent, side(desk, far, found.to.token, found.to.amount, hash));
    const done = desk.wrong('status_done');
    if (done) return doneBy(done.value ?? noTransaction(far));
    if (desk.wrong('status_foreign')) return doneBy(desk.solver.foreign({ chain: far.name, source: found.source }));
    const refunded = desk.wrong('status_refunded');
    if (refunded) return said('DONE', 'REFUNDED', sent, side(desk, near, found.from.token, found.from.amount, refunded.value));
    if (desk.wrong('status_failed')) return said('FAILED', 'UNKNOWN_FAILED_ERROR', sent, { chainId: far.id });
    if (desk.wrong('status_invalid')) return said('INVALID', undefined, sent, { chainId: far.id });
    if (desk.wrong('status_unknown')) return said('ON_ITS_WAY', 'SOMEHOW', sent, { chainId: far.id });
    if (desk.wrong('status_other')) return said('DONE', 'COMPLETED', { ...sent, txHash: noTransaction(near) }, side(desk, far, found.to.token, found.to.amount, noTransaction(far)));
    if (found.state === 'pending') return said('PENDING', 'WAIT_DESTINATION_TRANSACTION', sent, { chainId: far.id });
    const paid = side(desk, desk.chain(found.chain), found.payment.token, found.payment.amount, found.transaction);
    if (found.state === 'refunded') return said('DONE', 'REFUNDED', sent, paid);
    return said('DONE', paysPromised(far, found) ? 'COMPLETED' : 'PARTIAL', sent, paid);
}

/** A wrapped coin is paid out as the coin. */
function paysPromised(far, { payment, to }) {
    const plain = (token) => (token === wrappedOf(far) ? ZeroAddress : token);
    return plain(payment.token) === plain(to.token);
}

/** The bridges, and between which chains they go. */
export function toolsOf(desk, names) {
    const pairs = (served, ends = served) => served.flatMap((a) => ends.filter((b) => b !== a).map((b) => ({ fromChainId: desk.chain(a).id, toChainId: desk.chain(b).id })));
    const served = names.filter((name) => desk.chain(name) !== undefined), ends = desk.chain('solana') === undefined ? served : [...served, 'solana'];
    const circle = served.filter((each) => CIRCLE.includes(each));
    return { json: { bridges: Object.entries(TOOLS).map(([key, { name }]) => ({ key, name, supportedChains: key === 'across' ? pairs(served, ends) : pairs(circle) })), exchanges: [{ key: 'uniswap', name: 'Uniswap', supportedChains: [] }] } };
}
