// Odos: a path by /sor/quote/v3, its calldata by /sor/assemble within a minute. Accounts and tokens need their checksum.

import { randomUUID } from 'node:crypto';
import { ZeroAddress, getAddress, isAddress } from 'ethers';
import { Refused, amountOf, bodyOf, lessPercent, tokenOf } from './aggregator/service.mjs';

const PATH_LIFETIME_MS = 60_000;
const SLIPPAGE_PERCENT = 0.3;
const ERRORS = {
    2000: 'No viable path found',
    4000: 'Invalid request',
    4001: 'Invalid chain id',
    4002: 'Invalid input tokens',
    4003: 'Invalid output tokens',
    4004: 'Invalid user address',
    4010: 'Invalid token address',
    4013: 'The same input and output token',
};

const paths = new Map();

const refused = (status, errorCode, detail) => new Refused(status, { detail, traceId: randomUUID(), errorCode });
const bad = (errorCode) => refused(400, errorCode, ERRORS[errorCode]);
const isChecked = (text) => isAddress(text) && getAddress(text) === text;

/** The one token of a list, with what else stands there of it. */
function only(list, errorCode) {
    if (!Array.isArray(list) || list.length !== 1) throw bad(errorCode);
    if (!isChecked(list[0].tokenAddress)) throw bad(4010);
    return { ...list[0], token: tokenOf(list[0].tokenAddress, ZeroAddress) };
}

async function quote(desk, call) {
    const body = bodyOf(call);
    if (body?.compact !== false) throw bad(4000); // the plain form is the only one here
    const chain = desk.chain(body.chainId);
    if (chain === undefined) throw bad(4001);
    const input = only(body.inputTokens, 4002);
    const output = only(body.outputTokens, 4003);
    const amount = amountOf(input.amount);
    if (amount === undefined) throw bad(4002);
    if (input.token === output.token) throw bad(4013);
    if (body.userAddr !== undefined && !isChecked(body.userAddr)) throw bad(4004);
    const offer = await desk.offer(chain, input.token, output.token, amount);
    if (offer === undefined) throw bad(2000);
    return { json: pathOf(offer, body, await desk.block(chain)) };
}

function pathOf(offer, { userAddr: user, slippageLimitPercent: slippage = SLIPPAGE_PERCENT, ...body }, blockNumber) {
    const pathId = user === undefined ? null : randomUUID();
    if (pathId !== null) paths.set(pathId, { offer, user, slippage, until: Date.now() + PATH_LIFETIME_MS });
    return {
        inTokens: [body.inputTokens[0].tokenAddress], outTokens: [body.outputTokens[0].tokenAddress],
        inAmounts: [String(offer.amount)], outAmounts: [String(offer.shown)],
        gasEstimate: offer.gas + 0.5, dataGasEstimate: 0, gweiPerGas: 0.35, gasEstimateValue: 0.2, inValues: [1], outValues: [1], netOutValue: 0.8,
        priceImpact: -0.01, percentDiff: -0.02, partnerFeePercent: 0, pathId, pathViz: null, blockNumber, traceId: randomUUID(),
    };
}

function taken(id) {
    for (const [each, { until }] of paths) if (until < Date.now()) paths.delete(each);
    return paths.get(id);
}

async function assemble(desk, call) {
    const body = bodyOf(call);
    const path = taken(body?.pathId);
    if (path === undefined) throw bad(4000);
    if (body.userAddr !== path.user) throw bad(4004);
    const { offer, user, slippage } = path;
    const minimum = lessPercent(offer.out, slippage);
    const { to, data, value, from, chainId, out } = await desk.transaction(offer, { sender: user, minimum });
    return {
        json: {
            deprecated: null, blockNumber: await desk.block(offer.chain), gasEstimate: offer.gas, gasEstimateValue: 0.2,
            inputTokens: [{ tokenAddress: offer.tokenIn, amount: String(offer.amount) }], outputTokens: [{ tokenAddress: offer.tokenOut, amount: String(out) }],
            netOutValue: 0.8, outValues: ['1'],
            transaction: { gas: -1, gasPrice: 350_000_000, value: String(value), to, from, data, nonce: 0, chainId },
            simulation: null,
        },
    };
}

export const odos = {
    key: 'odos',
    haircut: 11,
    routes: [['POST', '/sor/quote/v3', quote], ['POST', '/sor/assemble', assemble]],
    refusal: (status, reason) => refused(status, status, reason),
    layout: { selectors: ['0x83bd37f9', '0xfef828dc', '0x57cfd3d4'], offsets: [7], address: 0 },
    lies: [
        'recipient', 'zero_recipient', 'token', 'minimum', 'minimum_zero', 'amount', 'amount_zero', 'fee',
        'pays_less_in_block', 'pays_stranger', 'takes_other', 'gives_back', 'reenters',
        'selector', 'trailing', 'offset_outside', 'offset_into_head', 'offset_odd', 'dirty_address',
        'value', 'target', 'from', 'chain_id', 'call',
    ],
};
