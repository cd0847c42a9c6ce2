// 1inch: a quote, and a swap with calldata, both for those with a key. It says why not in words.
//
// True to the Swap API 6.1 as 1inch describes it, and to calldata recorded by komodo-defi-framework and by a trading test: four bytes
// of its own stand behind the arguments.

import { randomUUID } from 'node:crypto';
import { ZeroAddress, concat, isAddress } from 'ethers';
import { COIN } from './aggregator/calls.mjs';
import { Refused, amountOf, factsOf, lessPercent, tokenOf } from './aggregator/service.mjs';

/** For a trade through a few pools, unless it is told that others are not understood: no token bought is named there. */
const UNOSWAP = '0x83800a8e';

const refused = (statusCode, error, description) => new Refused(statusCode, { error, description, statusCode, requestId: randomUUID(), meta: [] });
const bad = (description) => refused(400, 'Bad Request', description);

/** What both questions ask: an offer. */
async function asked(desk, { chain: which, query, headers }) {
    if (!/^Bearer \S+$/.test(headers.authorization ?? '')) throw refused(401, 'Unauthorized', 'Invalid API key');
    const chain = desk.chain(which);
    if (chain === undefined) throw refused(404, 'Not Found', 'no such chain');
    const tokenIn = tokenOf(query.get('src'));
    const tokenOut = tokenOf(query.get('dst'));
    if (tokenIn === undefined || tokenOut === undefined || tokenIn === tokenOut) throw bad('src or dst is not valid');
    const amount = amountOf(query.get('amount'));
    if (amount === undefined) throw bad('amount is not set');
    const offer = await desk.offer(chain, tokenIn, tokenOut, amount);
    if (offer === undefined) throw bad('insufficient liquidity');
    return offer;
}

const tokenShown = (chain, token) => ({ ...factsOf(chain, token), address: (token === ZeroAddress ? COIN : token).toLowerCase() });

/** What both answers say. */
function shown({ chain, tokenIn, tokenOut }, { query }, out) {
    const tokens = { srcToken: tokenShown(chain, tokenIn), dstToken: tokenShown(chain, tokenOut) };
    return { ...(query.get('includeTokensInfo') === 'true' ? tokens : {}), dstAmount: String(out) };
}

async function quote(desk, call) {
    const offer = await asked(desk, call);
    return { json: { ...shown(offer, call, offer.shown), ...(call.query.get('includeGas') === 'true' ? { gas: offer.gas } : {}) } };
}

/** By the share that may be lost, or by the amount itself. */
function minimumOf({ out }, query) {
    const slippage = Number(query.get('slippage') ?? NaN);
    if (query.has('minReturn')) return amountOf(query.get('minReturn'));
    return slippage >= 0 && slippage <= 50 ? lessPercent(out, slippage) : undefined;
}

async function swap(desk, call) {
    const { query } = call;
    const sender = query.get('from');
    const offer = await asked(desk, call);
    if (!isAddress(sender) || query.get('origin') !== sender) throw bad('from or origin is not valid');
    const minimum = minimumOf(offer, query);
    if (minimum === undefined) throw bad('slippage or minReturn is not valid');
    if (query.get('disableEstimate') !== 'true') throw bad('not enough allowance');
    const { to, data, value, from, gas, out } = await desk.transaction(offer, { sender, minimum });
    const plain = query.get('compatibility') === 'true' ? data : concat([UNOSWAP, `0x${data.slice(10)}`]);
    return {
        json: { ...shown(offer, call, out), tx: { from, to, data: plain, value: String(value), gas: gas === offer.gas ? 0 : gas, gasPrice: '1000000000' } },
    };
}

export const oneinch = {
    key: '1inch',
    haircut: 15,
    routes: [['GET', '/swap/v6.1/:chain/quote', quote], ['GET', '/swap/v6.1/:chain/swap', swap]],
    refusal: (status, reason) => refused(status, reason, reason),
    layout: { selectors: [UNOSWAP, '0xe2c95c82', '0xd2d374e5'], offsets: [8], address: 0 },
    lies: [
        'recipient', 'zero_recipient', 'token', 'minimum', 'minimum_zero', 'amount', 'partial', 'flags',
        'pays_less_in_block', 'pays_stranger', 'takes_other', 'gives_back', 'reenters',
        'selector', 'trailing', 'offset_outside', 'offset_into_head', 'offset_odd', 'dirty_address',
        'value', 'target', 'from', 'gas', 'call',
    ],
};
