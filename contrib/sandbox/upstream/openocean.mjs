// OpenOcean: a quote, and the same with calldata. HTTP says 200 to everything; the answer's `code` tells.
//
// True to docs.openocean.finance, v4, and to calldata of optimism and Polygon recorded in 2025.

import { ZeroAddress, isAddress } from 'ethers';
import { COIN } from './aggregator/calls.mjs';
import { Refused, amountOf, factsOf, lessPercent, tokenOf } from './aggregator/service.mjs';
import { tokensOf } from './token-lists.mjs';

const SLIPPAGE = { least: 0.05, most: 50, usual: 1 };

const refused = (code, error) => new Refused(200, { code, error });

/** What both questions ask: { offer, slippage }. */
async function asked(desk, { chain: which, query }) {
    const chain = desk.chain(which);
    if (chain === undefined) throw refused(400, 'Chain not supported');
    const tokenIn = tokenOf(query.get('inTokenAddress'));
    const tokenOut = tokenOf(query.get('outTokenAddress'));
    if (tokenIn === undefined || tokenOut === undefined || tokenIn === tokenOut) throw refused(400, 'Token is not valid');
    const amount = amountOf(query.get('amountDecimals'));
    if (amount === undefined) throw refused(400, 'amountDecimals is not valid');
    if (amountOf(query.get('gasPriceDecimals')) === undefined) throw refused(400, 'gasPriceDecimals is not valid');
    const slippage = Number(query.get('slippage') ?? SLIPPAGE.usual);
    if (!(slippage >= SLIPPAGE.least && slippage <= SLIPPAGE.most)) throw refused(400, 'Slippage is not valid');
    const offer = await desk.offer(chain, tokenIn, tokenOut, amount);
    if (offer === undefined) throw refused(40001, 'No avail liquidity');
    return { offer, slippage };
}

const tokenShown = (chain, token) => ({ ...factsOf(chain, token), address: token === ZeroAddress ? COIN : token });

function shown(desk, { chain, tokenIn, tokenOut, amount, gas, shown: out }) {
    const inToken = tokenShown(chain, tokenIn);
    const units = desk.wrong('old_units') ? amount * 10n ** BigInt(inToken.decimals) : amount;
    return {
        inToken, outToken: tokenShown(chain, tokenOut), inAmount: String(units), outAmount: String(out), estimatedGas: String(gas),
        dexes: [], path: { routes: [] }, save: 0, price_impact: '0.01%',
    };
}

async function quote(desk, call) {
    const { offer } = await asked(desk, call);
    return { json: { code: 200, data: shown(desk, offer) } };
}

async function swap(desk, call) {
    const account = call.query.get('account');
    if (!isAddress(account)) throw refused(400, 'Account is not valid');
    const { offer, slippage } = await asked(desk, call);
    const minimum = lessPercent(offer.out, slippage);
    const { to, data, value, chainId } = await desk.transaction(offer, { sender: account, minimum });
    return {
        json: {
            code: 200,
            data: { ...shown(desk, offer), minOutAmount: String(minimum), from: account, to, value: String(value), gasPrice: '1000000000', data, chainId },
        },
    };
}

const tokenList = (_, { chain }) => ({ json: { code: 200, data: tokensOf(Number(chain)) } });

export const openocean = {
    key: 'openocean',
    haircut: 13,
    routes: [['GET', '/v4/:chain/quote', quote], ['GET', '/v4/:chain/swap', swap], ['GET', '/v4/:chain/tokenList', tokenList]],
    refusal: (status, reason) => new Refused(status === 429 ? 429 : 200, { code: status, error: reason }),
    layout: { selectors: ['0x8980041a', '0x6b58f2f0', '0xbc80f1a8'], offsets: [1, 2], address: 0 },
    faults: ['old_units'], // repeats the amount as the older form of its questions had it
    lies: [
        'recipient', 'zero_recipient', 'token', 'minimum', 'minimum_zero', 'amount', 'partial', 'flags', 'fee', 'permit',
        'pays_less_in_block', 'pays_stranger', 'takes_other', 'gives_back', 'reenters',
        'selector', 'trailing', 'offset_outside', 'offset_into_head', 'offset_odd', 'overlapping', 'dirty_address',
        'value', 'target', 'chain_id', 'call',
    ],
};
