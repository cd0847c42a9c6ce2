// LI.FI: one question for price and transaction, on one chain and between two (lifi-bridges.mjs).

import {
    ZeroAddress, dataSlice, getAddress, id, toQuantity,
} from 'ethers';
import { Refused, amountOf, tokenOf } from './aggregator/service.mjs';
import { addressOn, bytesOf, isSolana } from './families.mjs';
import { FAULTS, SECONDS_NEEDED, bridgeCall, bridged, gasOf, nameOf, statusOf, toolsOf } from './lifi-bridges.mjs';
import { tokensOf } from './token-lists.mjs';
import { CHAINS } from '../world.mjs';

const PPM = 1_000_000n;
const SLIPPAGE = '0.005';
const NO_QUOTE = 1002;

const refused = (status, code, message, errors) => new Refused(status, { message, code, errors });
const refusal = (status, reason) => refused(status, status === 429 ? 1005 : 1003, reason);
const invalid = (what) => refused(400, 1011, `${what} is invalid`);
const noQuote = (code, message) => refused(404, NO_QUOTE, 'No available quotes for the requested transfer', [
    { errorType: 'NO_QUOTE', code, tool: 'uniswap', message },
]);

/** A share of one as millionths. */
function ppmOf(text, name) {
    if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(text)) throw invalid(name);
    return BigInt(Math.floor(Number(text) * Number(PPM)));
}

function chainOf(desk, text, name) {
    const chain = desk.chain(/^sol$/i.test(text) ? 'solana' : text);
    if (chain === undefined) throw invalid(name);
    return chain;
}

function tokenNamed(chain, text, name) {
    const token = isSolana(chain) ? addressOn(chain, text) : tokenOf(text, ZeroAddress);
    if (token === undefined) throw invalid(name);
    return token;
}

function addressNamed(chain, text, name) {
    const address = addressOn(chain, text);
    if (address === undefined || BigInt(bytesOf(address)) === 0n) throw invalid(name);
    return address;
}

/** The account that LI.FI has for one who brings it swaps, by a name; here it follows from that. */
export const integratorOf = (name) => getAddress(dataSlice(id(name), 12));

/** The fee that an integrator takes of the amount: { integrator, fee }, undefined for none, or a refusal. */
function collectedOf({ query }, amount) {
    if (!query.has('fee')) return undefined;
    if (!query.get('integrator')) throw invalid('integrator');
    const fee = amount * ppmOf(query.get('fee'), 'fee') / PPM;
    if (fee >= amount) throw invalid('fee');
    return { integrator: integratorOf(query.get('integrator')), fee };
}

/** What a question asks for, or a refusal. */
function asked(desk, call) {
    const { query } = call;
    const amount = amountOf(query.get('fromAmount'));
    if (amount === undefined) throw invalid('fromAmount');
    const from = chainOf(desk, query.get('fromChain'), 'fromChain'), to = chainOf(desk, query.get('toChain'), 'toChain');
    const sender = addressNamed(from, query.get('fromAddress'), 'fromAddress');
    return {
        amount, sender, from, to,
        recipient: addressNamed(to, query.get('toAddress') ?? sender, 'toAddress'),
        tokenIn: tokenNamed(from, query.get('fromToken'), 'fromToken'),
        tokenOut: tokenNamed(to, query.get('toToken'), 'toToken'),
        slippage: query.get('slippage') ?? SLIPPAGE,
        collected: collectedOf(call, amount),
    };
}

const tokenView = (chain, address) => ({ address, chainId: chain.id, ...describe(chain, address) });

function describe(chain, address) {
    const found = Object.entries(chain.tokens).find(([, token]) => token.address === address);
    return found === undefined ? { symbol: 'ETH', decimals: 18 } : { symbol: found[0], decimals: found[1].decimals };
}

const quote = (desk, call) => {
    const question = asked(desk, call);
    if (isSolana(question.from)) throw noQuote('NO_POSSIBLE_ROUTE', 'nothing is played that starts on Solana');
    const whole = { ...question, ppm: ppmOf(question.slippage, 'slippage') };
    return question.from === question.to ? quoteHere(desk, whole) : quoteAcross(desk, { ...whole, allowed: call.query.get('allowBridges')?.split(',') });
};

/** The answer to a question: the tool, what it gives, and the transaction. */
function answered({ from, to, tokenIn, tokenOut, amount, sender, recipient, slippage, collected }, { tool, name, out, minimum, seconds, transactionId, tx, fee = 0n }) {
    const coin = tokenView(from, ZeroAddress);
    const gas = { price: '1000000000', estimate: String(tx.gas), limit: String(tx.gas), amount: String(BigInt(tx.gas) * 1_000_000_000n), amountUSD: '0' };
    return {
        json: {
            type: 'lifi', id: `${transactionId}:0`, tool, toolDetails: { key: tool, name },
            action: {
                fromChainId: from.id, toChainId: to.id, fromToken: tokenView(from, tokenIn), toToken: tokenView(to, tokenOut), fromAmount: String(amount),
                slippage: Number(slippage), fromAddress: sender, toAddress: recipient,
            },
            estimate: {
                tool, approvalAddress: tx.spender, fromAmount: String(amount), toAmount: String(out), toAmountMin: String(minimum),
                feeCosts: [
                    ...fee === 0n ? [] : [{ name: 'Protocol fee', token: coin, amount: String(fee), included: false }],
                    ...collected === undefined ? [] : [{ name: 'Integrator Fee', token: tokenView(from, tokenIn), amount: String(collected.fee), included: true }],
                ],
                gasCosts: [{ type: 'SEND', ...gas, token: coin }], executionDuration: seconds,
            },
            includedSteps: [],
            transactionId,
            transactionRequest: {
                to: tx.to, from: tx.from, data: tx.data, value: toQuantity(tx.value + fee), gasPrice: toQuantity(1_000_000_000), gasLimit: toQuantity(tx.gas),
                chainId: tx.chainId,
            },
        },
    };
}

/** What is left of the amount to trade. */
const leftOf = ({ amount, collected }) => amount - (collected?.fee ?? 0n);
const newId = (sender) => id(`${sender} ${Date.now()} ${Math.random()}`);

async function quoteHere(desk, question) {
    const { from, tokenIn, tokenOut, amount, sender, recipient, ppm, collected } = question;
    const offer = await desk.offer(from, tokenIn, tokenOut, leftOf(question));
    if (offer === undefined) throw noQuote('INSUFFICIENT_LIQUIDITY', 'no pools');
    const less = (out) => out * (PPM - ppm) / PPM;
    const transactionId = newId(sender);
    const tx = await desk.transaction(offer, {
        sender, recipient, amount, minimum: less(offer.out), reference: transactionId, collected,
    });
    return answered(question, { tool: 'uniswap', name: 'Uniswap', out: offer.shown, minimum: less(offer.shown), seconds: 0, transactionId, tx });
}

async function quoteAcross(desk, question) {
    const { from, tokenIn, amount, sender } = question;
    const offer = await bridged(desk, { ...question, amount: leftOf(question) });
    if (offer === undefined) throw noQuote('NO_POSSIBLE_ROUTE', 'no bridge');
    const transactionId = newId(sender), router = desk.router(from);
    const tx = {
        to: router, spender: router, from: sender, value: tokenIn === ZeroAddress ? amount : 0n, gas: gasOf(offer), chainId: from.id,
        data: bridgeCall(desk, question, offer, transactionId),
    };
    const fee = desk.wrong('fee_beside') === undefined ? 0n : 1n;
    return answered(question, { ...offer, name: nameOf(offer.tool), seconds: SECONDS_NEEDED, transactionId, tx, fee });
}

/** Of the chains that are asked for. */
function tokens(_, { query }) {
    const ids = (query.get('chains') ?? '').split(',');
    return { json: { tokens: Object.fromEntries(ids.map((chainId) => [chainId, tokensOf(Number(chainId)).map((each) => ({ chainId: Number(chainId), ...each, coinKey: each.symbol, priceUSD: '1.00' }))])) } };
}

export const lifi = {
    key: 'lifi',
    haircut: 17,
    solana: 1151111081099710,
    refusal,
    faults: FAULTS,
    routes: [
        ['GET', '/v1/quote', quote], ['GET', '/v1/tokens', tokens], ['GET', '/v1/status', statusOf],
        ['GET', '/v1/tools', (desk) => toolsOf(desk, Object.keys(CHAINS))],
    ],
    // swapTokensSingleV3…(id, integrator, referrer, receiver, minimum, swap)
    layout: { selectors: ['0x4630a0d8'], offsets: [1, 5], address: 3 },
    lies: [
        'recipient', 'zero_recipient', 'token', 'minimum', 'minimum_zero', 'amount', 'pays_less_in_block', 'pays_stranger', 'takes_other', 'gives_back', 'reenters',
        'selector', 'trailing', 'offset_outside', 'offset_into_head', 'offset_odd', 'overlapping', 'dirty_address', 'value', 'target', 'spender', 'from',
        'chain_id', 'gas', 'call',
    ],
};
