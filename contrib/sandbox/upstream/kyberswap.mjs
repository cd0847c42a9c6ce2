// KyberSwap's Aggregator v1: a route first, whose summary comes back with the order to build, unchanged.
//
// True to docs.kyberswap.com, to calldata recorded by a wallet (vultisig-ios) and to an answer of 2026-09-28.

import { id, isAddress } from 'ethers';
import { Refused, amountOf, bodyOf, lessBps, tokenOf } from './aggregator/service.mjs';

const SLIPPAGE_MAX = 2000;
const SLIPPAGE = 50;

const refusal = (status, reason) => new Refused(status, { code: status === 429 ? 429 : 4040, message: reason, requestId: 'sandbox' });
const refused = (status, code, message) => new Refused(status, { code, message, requestId: 'sandbox' });
const answered = (data) => ({ json: { code: 0, message: 'successfully', data, requestId: 'sandbox' } });

/** What makes a changed summary known. */
const checksumOf = ({ checksum, ...summary }) => BigInt(id(JSON.stringify(summary)).slice(0, 18)).toString();

/** { chain, tokenIn, tokenOut, amount } of a question, or a refusal. */
function asked(desk, slug, tokens, amountText) {
    const chain = desk.chain(slug);
    if (chain === undefined) throw refusal(404, 'chain not found');
    const [tokenIn, tokenOut] = tokens.map((text) => tokenOf(text));
    const amount = amountOf(amountText);
    if (amount === undefined) throw refused(400, 4002, 'invalid amountIn');
    if (tokenIn === undefined || tokenOut === undefined) throw refused(400, 4011, 'token not found');
    return { chain, tokenIn, tokenOut, amount };
}

async function routes(desk, { slug, query }) {
    const [tokenIn, tokenOut, amountIn] = ['tokenIn', 'tokenOut', 'amountIn'].map((name) => query.get(name));
    const { chain, amount, ...pair } = asked(desk, slug, [tokenIn, tokenOut], amountIn);
    const offer = await desk.offer(chain, pair.tokenIn, pair.tokenOut, amount);
    if (offer === undefined) throw refused(400, 4008, 'route not found');
    const summary = {
        tokenIn, amountIn, amountInUsd: '0', tokenOut, amountOut: String(offer.shown), amountOutUsd: '0', gas: String(offer.gas), gasPrice: '1000000000',
        gasUsd: '0', l1FeeUsd: '0', extraFee: { feeAmount: '0', chargeFeeBy: '', isInBps: false, feeReceiver: '' },
        route: [[{ pool: offer.path, tokenIn, tokenOut, swapAmount: amountIn, amountOut: String(offer.shown), exchange: 'uniswap' }]],
        routeID: `${await desk.block(chain)}-${offer.path.length}`, timestamp: Math.floor(Date.now() / 1000),
    };
    return answered({ routeSummary: { ...summary, checksum: checksumOf(summary) }, routerAddress: desk.router(chain) });
}

async function build(desk, call) {
    const body = bodyOf(call);
    const summary = body?.routeSummary;
    if (summary === undefined) throw refused(400, 4002, 'unable to parse body');
    if (summary.checksum !== checksumOf(summary)) throw refused(400, 4003, 'invalid swap');
    if (!isAddress(body.sender) || !isAddress(body.recipient)) throw refused(400, 4000, 'invalid sender or recipient');
    const slippage = body.slippageTolerance ?? SLIPPAGE;
    if (!Number.isInteger(slippage) || slippage < 0 || (slippage > SLIPPAGE_MAX && !body.ignoreCappedSlippage)) throw refused(400, 4000, 'invalid slippageTolerance');
    const { chain, tokenIn, tokenOut, amount } = asked(desk, call.slug, [summary.tokenIn, summary.tokenOut], summary.amountIn);
    const offer = await desk.offer(chain, tokenIn, tokenOut, amount);
    if (offer === undefined) throw refused(422, 4222, 'quoted amount is smaller than estimated');
    // The minimum follows from the summary, not from the pools' present prices; an inflated summary would never be met.
    const promised = offer.shown === offer.out ? BigInt(summary.amountOut) : offer.out;
    const tx = await desk.transaction(offer, {
        sender: body.sender, recipient: body.recipient, minimum: lessBps(promised, slippage), quoted: promised, deadline: body.deadline,
    });
    return answered({
        amountIn: summary.amountIn, amountInUsd: '0', amountOut: summary.amountOut, amountOutUsd: '0', gas: String(tx.gas), gasUsd: '0', additionalCostUsd: '0',
        data: tx.data, routerAddress: tx.to, transactionValue: String(tx.value),
    });
}

export const kyberswap = {
    key: 'kyberswap',
    haircut: 5,
    refusal,
    routes: [
        ['GET', '/:slug/api/v1/routes', routes],
        ['POST', '/:slug/api/v1/route/build', build],
    ],
    // swap((callTarget, approveTarget, targetData, desc, clientData)): the head of the one struct begins at word 1.
    layout: { selectors: ['0x59e50fed'], offsets: [3, 4], address: 1 },
    lies: [
        'recipient', 'zero_recipient', 'token', 'minimum', 'minimum_zero', 'amount', 'leaves_allowance', 'partial', 'flags', 'permit', 'pays_less_in_block', 'pays_stranger',
        'gives_back', 'reenters', 'selector', 'trailing', 'offset_outside', 'offset_into_head', 'offset_odd', 'overlapping', 'dirty_address', 'value',
        'target', 'gas', 'call',
    ],
};
