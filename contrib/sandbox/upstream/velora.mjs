// Velora's (ParaSwap's) Market API 6.2: prices first, whose route comes back with the order to build, unchanged.
//
// True to developers.velora.xyz, to its SDK 9.5.4 and to an answer captured on 2026-09-25.

import { ZeroAddress, getAddress, id, isAddress } from 'ethers';
import { COIN } from './aggregator/calls.mjs';
import { Refused, amountOf, bodyOf, lessBps, tokenOf } from './aggregator/service.mjs';

const VERSION = '6.2';
const SLIPPAGE_MAX = 10_000;
// The recipient of the fee where no partner takes one.
const OWN = { partner: '0x0000000000000000000000000000000000007E10', fee: 1 };
const FEE_MAX = 200;

const refused = (status, error) => new Refused(status, { error });
const refusal = (status, reason) => refused(status, status === 429 ? 'Too many requests' : reason);

/** What makes a changed route known. */
const hmacOf = ({ hmac, ...route }) => id(JSON.stringify(route)).slice(2, 42);

/** A token as Velora takes it: the coin under that one name, in that case. */
function tokenNamed(text, error) {
    const token = tokenOf(text);
    if (token === undefined || getAddress(text) === ZeroAddress || (token === ZeroAddress && text !== COIN)) throw refused(400, error);
    return token;
}

/** { chain, tokenIn, tokenOut, amount } of a question, or a refusal. */
function asked(desk, network, srcToken, destToken, amountText) {
    const chain = desk.chain(network);
    if (chain === undefined) throw refused(422, 'Unsupported network');
    const tokenIn = tokenNamed(srcToken, 'Invalid srcToken');
    const tokenOut = tokenNamed(destToken, 'Invalid destToken');
    const amount = amountOf(amountText);
    if (amount === undefined) throw refused(400, 'Invalid amount');
    return { chain, tokenIn, tokenOut, amount };
}

async function prices(desk, { query }) {
    const [network, srcToken, destToken, srcAmount] = ['network', 'srcToken', 'destToken', 'amount'].map((name) => query.get(name));
    if (query.get('version') !== VERSION || query.get('side') !== 'SELL') throw refused(400, 'Only version 6.2 and side SELL are played');
    const { chain, tokenIn, tokenOut, amount } = asked(desk, network, srcToken, destToken, srcAmount);
    const offer = await desk.offer(chain, tokenIn, tokenOut, amount);
    if (offer === undefined) throw refused(400, 'No routes found with enough liquidity');
    if (offer.shown === 0n) throw refused(400, `Amount ${srcAmount} is too small to proceed`);
    const route = {
        blockNumber: await desk.block(chain), network: chain.id, srcToken, srcDecimals: Number(query.get('srcDecimals')), srcAmount, destToken,
        destDecimals: Number(query.get('destDecimals')), destAmount: String(offer.shown),
        bestRoute: [{ percent: 100, swaps: [{ swapExchanges: [{ exchange: 'Uniswap', percent: 100, srcAmount, destAmount: String(offer.shown) }] }] }],
        gasCostUSD: '0.0', gasCost: String(offer.gas), side: 'SELL', version: VERSION, contractAddress: desk.router(chain), tokenTransferProxy: desk.router(chain),
        contractMethod: 'swapExactAmountIn', partnerFee: OWN.fee / 100, srcUSD: '0.0', destUSD: '0.0', partner: 'anon', maxImpactReached: false,
    };
    return { json: { priceRoute: { ...route, hmac: hmacOf(route) } } };
}

/** The least that may come before the fee: as it is given, or by the slippage. */
function minimumOf({ destAmount, slippage, priceRoute }) {
    if ((destAmount === undefined) === (slippage === undefined)) throw refused(400, 'Specify either slippage or destAmount');
    if (destAmount === undefined) {
        if (!Number.isInteger(slippage) || slippage < 0 || slippage > SLIPPAGE_MAX) throw refused(400, 'Invalid slippage');
        return lessBps(BigInt(priceRoute.destAmount), slippage);
    }
    const minimum = amountOf(destAmount);
    if (minimum === undefined || minimum > BigInt(priceRoute.destAmount)) throw refused(400, 'Invalid destAmount');
    return minimum;
}

function feeOf({ partnerAddress, partnerFeeBps }) {
    if (partnerAddress === undefined) return OWN;
    if (!isAddress(partnerAddress) || !(partnerFeeBps >= 0 && partnerFeeBps <= FEE_MAX)) throw refused(400, 'Invalid partner fee');
    return { partner: partnerAddress, fee: partnerFeeBps };
}

async function transactions(desk, call) {
    const body = bodyOf(call);
    const route = body?.priceRoute;
    if (route === undefined) throw refused(400, 'Missing price route');
    if (route.hmac !== hmacOf(route)) throw refused(400, 'Invalid price route');
    if (!isAddress(body.userAddress)) throw refused(400, 'Invalid userAddress');
    if (body.srcToken !== route.srcToken || body.destToken !== route.destToken || body.srcAmount !== route.srcAmount) throw refused(400, 'Source or destination mismatch');
    const { chain, tokenIn, tokenOut, amount } = asked(desk, call.network, route.srcToken, route.destToken, route.srcAmount);
    const offer = await desk.offer(chain, tokenIn, tokenOut, amount);
    if (offer === undefined) throw refused(400, 'No routes found with enough liquidity');
    const tx = await desk.transaction(offer, {
        sender: body.userAddress, recipient: body.receiver ?? body.userAddress, minimum: minimumOf(body), quoted: BigInt(route.destAmount), ...feeOf(body),
    });
    return { json: { from: tx.from, to: tx.to, value: String(tx.value), data: tx.data, gasPrice: '1000000000', gas: String(tx.gas), chainId: tx.chainId } };
}

export const velora = {
    key: 'velora',
    haircut: 9,
    refusal,
    routes: [
        ['GET', '/prices', prices],
        ['POST', '/transactions/:network', transactions],
    ],
    // swapExactAmountIn(executor, the seven words of the order, partnerAndFee, permit, executorData)
    layout: { selectors: ['0x876a02f6'], offsets: [9, 10], address: 2 },
    lies: [
        'recipient', 'zero_recipient', 'token', 'minimum', 'minimum_zero', 'amount', 'flags', 'fee', 'permit', 'pays_less_in_block', 'pays_stranger', 'takes_other', 'gives_back',
        'reenters', 'selector', 'trailing', 'offset_outside', 'offset_into_head', 'offset_odd', 'overlapping', 'dirty_address', 'value', 'target', 'from',
        'chain_id', 'gas', 'call',
    ],
};
