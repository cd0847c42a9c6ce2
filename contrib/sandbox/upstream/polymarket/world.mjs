// What the services share: the markets with their identifiers on the chain, their books and trades.

import { Contract, JsonRpcProvider, Network } from 'ethers';
import { KINDS, conditionId } from '../../polymarket.mjs';
import { EVENTS, MARKETS } from '../markets.mjs';
import { Book, PRICE_ONE, priceOf } from './book.mjs';

const EXCHANGE = ['function outcomeTokens(bytes32) view returns (uint256, uint256)'];
const LEVELS = 5;
const MAKER_SIZE = 20000; // hundredths of a share, at each level
const CHAIN_ATTEMPTS = 300;

/** Each with what identifies it, and where it stands. */
export async function makeWorld(polygonUrl) {
    const provider = new JsonRpcProvider(polygonUrl, new Network('polygon', 137), { staticNetwork: true, batchMaxCount: 1 });
    const markets = [];
    for (const market of MARKETS) markets.push(await makeMarket(provider, market));
    provider.destroy();
    return { markets, events: EVENTS, trades: [], tokens: tokensOf(markets) };
}

async function makeMarket(provider, market) {
    const exchange = new Contract(KINDS[market.kind].exchange, EXCHANGE, provider);
    const tokens = (await patiently(() => exchange.outcomeTokens(conditionId(market)))).map(String);
    const books = tokens.map((token, outcome) => openedBook(market, outcome));
    return { status: 'open', outcomes: ['Yes', 'No'], volume: 0, ...market, conditionId: conditionId(market), tokens, books };
}

/** The chain starts beside this process. */
async function patiently(work) {
    for (let left = CHAIN_ATTEMPTS; ; left--) {
        try {
            return await work();
        } catch (error) {
            if (left === 0) throw error;
            await new Promise((resolve) => setTimeout(resolve, 100));
        }
    }
}

/** Makers on both sides of what they think; none where a market has ended. */
function openedBook(market, outcome) {
    const book = new Book();
    const tick = priceOf(market.tick);
    const first = priceOf(market.price);
    const middle = outcome === 0 ? first : PRICE_ONE - first;
    if (market.status !== undefined && market.status !== 'open') return book;
    for (let level = 1; level <= LEVELS; level++) {
        for (const [side, price] of [['BUY', middle - level * tick], ['SELL', middle + level * tick]]) {
            if (price >= tick && price <= PRICE_ONE - tick) book.rest({ side, price, size: MAKER_SIZE * level });
        }
    }
    return book;
}

function tokensOf(markets) {
    const tokens = new Map();
    for (const market of markets) market.tokens.forEach((token, outcome) => tokens.set(token, { market, outcome }));
    return tokens;
}
