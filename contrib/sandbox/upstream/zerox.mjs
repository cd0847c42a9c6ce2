// 0x's Swap API v2 with the AllowanceHolder: indicative prices, and firm quotes with their transaction. Its own fee is in the
// token that is bought, as in what was recorded in 2026; or, with the fault `fee_in_sold`, in the one that is sold, as in its own
// examples of 2024: the amount that it says it sells is less by that.
//
// True to 0x.org/docs and 0xProject/0x-settler of August 2026, to a sale of the coin recorded on Polygon in March 2026, and to
// captures on Base of September 2026.

import { id, isAddress } from 'ethers';
import { Refused, amountOf, lessBps, tokenOf } from './aggregator/service.mjs';

const SLIPPAGE = 100;
const SLIPPAGE_MAX = 10_000;
const FEE_MAX = 1000;
const OWN_FEE = 15; // bps

const zid = () => id(String(Math.random())).slice(0, 26);
const refused = (status, name, message, details) => new Refused(status, { name, message, data: { zid: zid(), details } });
const refusal = (status, reason) => refused(status, status === 429 ? 'RATE_LIMIT_EXCEEDED' : 'RESOURCE_NOT_FOUND', reason);
const invalid = (field, reason) => refused(400, 'INPUT_INVALID', 'The input is invalid', [{ field, reason }]);

/** The cut of the bought amount: { recipient, bps }, undefined where there is none, or a refusal. */
function cutOf({ query }, tokenOut) {
    const [recipient, bps, token] = ['swapFeeRecipient', 'swapFeeBps', 'swapFeeToken'].map((name) => query.get(name) ?? undefined);
    if (recipient === undefined && bps === undefined && token === undefined) return undefined;
    if (!isAddress(recipient)) throw invalid('swapFeeRecipient', 'is no address');
    if (!/^\d+$/.test(bps) || Number(bps) > FEE_MAX) throw invalid('swapFeeBps', 'is out of range');
    if (tokenOf(token) !== tokenOut) throw invalid('swapFeeToken', 'only fees in what is bought are played');
    return { recipient, bps: Number(bps) };
}

/** { chain, tokenIn, tokenOut, amount, slippage, cut } of a question, or a refusal. */
function asked(desk, call) {
    const { query, headers } = call;
    if (!headers['0x-api-key']) throw refused(401, 'UNAUTHORIZED', 'no API key');
    if (headers['0x-version'] !== 'v2') throw invalid('0x-version', 'must be v2');
    const chain = desk.chain(query.get('chainId'));
    if (chain === undefined) throw invalid('chainId', 'is not supported');
    const [tokenIn, tokenOut] = ['sellToken', 'buyToken'].map((name) => {
        const text = query.get(name);
        const token = tokenOf(text);
        if (token === undefined || BigInt(text) === 0n) throw invalid(name, 'is no token');
        return token;
    });
    const amount = amountOf(query.get('sellAmount'));
    if (amount === undefined) throw invalid('sellAmount', 'is no amount');
    const slippage = Number(query.get('slippageBps') ?? SLIPPAGE);
    if (!Number.isInteger(slippage) || slippage < 0 || slippage > SLIPPAGE_MAX) throw invalid('slippageBps', 'is out of range');
    return { chain, tokenIn, tokenOut, amount, slippage, cut: cutOf(call, tokenOut) };
}

const less = (amount, cut) => lessBps(amount, cut?.bps ?? 0);

/** What prices and quotes have in common. */
async function priced(desk, { query }, offer, { slippage, cut }, spender) {
    const bought = less(offer.shown, cut);
    const [taken, token] = desk.wrong('fee_in_sold') ? [offer.amount, query.get('sellToken')] : [offer.shown, query.get('buyToken')];
    const fee = taken - lessBps(taken, OWN_FEE);
    const sold = desk.wrong('fee_in_sold') ? offer.amount - fee : offer.amount;
    const integratorFee = cut === undefined ? null : { amount: String(offer.shown - bought), token: query.get('buyToken').toLowerCase(), type: 'volume' };
    return {
        liquidityAvailable: true, blockNumber: String(await desk.block(offer.chain)), sellToken: query.get('sellToken').toLowerCase(),
        buyToken: query.get('buyToken').toLowerCase(), sellAmount: String(sold), buyAmount: String(bought), minBuyAmount: String(lessBps(bought, slippage)),
        allowanceTarget: spender, totalNetworkFee: String(BigInt(offer.gas) * 1_000_000_000n), mode: 'exact-in',
        fees: { integratorFee, zeroExFee: { amount: String(fee), token: token.toLowerCase(), type: 'volume' }, gasFee: null },
        issues: { allowance: null, balance: null, simulationIncomplete: false, invalidSourcesPassed: [] },
        route: { fills: [{ source: 'Uniswap', proportionBps: '10000' }], tokens: [] },
        tokenMetadata: { buyToken: { buyTaxBps: '0', sellTaxBps: '0' }, sellToken: { buyTaxBps: '0', sellTaxBps: '0' } }, zid: zid(),
    };
}

async function price(desk, call) {
    const { chain, tokenIn, tokenOut, amount, ...terms } = asked(desk, call);
    const offer = await desk.offer(chain, tokenIn, tokenOut, amount);
    if (offer === undefined) return { json: { liquidityAvailable: false, zid: zid() } };
    return { json: { ...await priced(desk, call, offer, terms, desk.router(chain)), gas: String(offer.gas), gasPrice: '1000000000' } };
}

async function quote(desk, call) {
    const { chain, tokenIn, tokenOut, amount, ...terms } = asked(desk, call);
    const taker = call.query.get('taker');
    if (!isAddress(taker) || BigInt(taker) === 0n) throw invalid('taker', 'is required');
    const offer = await desk.offer(chain, tokenIn, tokenOut, amount);
    if (offer === undefined) return { json: { liquidityAvailable: false, zid: zid() } };
    const recipient = call.query.get('recipient') ?? taker;
    const minimum = lessBps(less(offer.out, terms.cut), terms.slippage);
    const tx = await desk.transaction(offer, { sender: taker, recipient, minimum, cut: terms.cut });
    return {
        json: {
            ...await priced(desk, call, offer, terms, tx.spender),
            transaction: { to: tx.to, data: tx.data, gas: String(tx.gas), gasPrice: '1000000000', value: String(tx.value) },
        },
    };
}

export const zerox = {
    key: '0x',
    haircut: 7,
    refusal,
    faults: ['fee_in_sold'],
    routes: [
        ['GET', '/swap/allowance-holder/price', price],
        ['GET', '/swap/allowance-holder/quote', quote],
    ],
    // exec(operator, token, amount, target, data)
    layout: { selectors: ['0x06b8524c'], offsets: [4], address: 3 },
    lies: [
        'recipient', 'zero_recipient', 'token', 'minimum', 'minimum_zero', 'amount', 'leaves_allowance', 'settler', 'pays_less_in_block', 'pays_stranger', 'takes_other', 'gives_back', 'reenters',
        'selector', 'trailing', 'offset_outside', 'offset_into_head', 'offset_odd', 'dirty_address', 'value', 'target', 'spender', 'gas', 'call',
    ],
};
