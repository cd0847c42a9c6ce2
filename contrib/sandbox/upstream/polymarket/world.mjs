// What the services share: the markets with their identifiers on the chain, and where they stand.

import { OPERATOR, conditionId } from '../../polymarket.mjs';
import { EVENTS, FEE_RATES, MARKETS } from '../markets.mjs';
import { ONE, textOf, unitsOf } from './amounts.mjs';
import { Book } from './book.mjs';
import { Sender } from '../sender.mjs';
import { Polygon } from './polygon.mjs';

/** `wrong` tells whether to do something wrong (door.mjs). */
export async function makeWorld({ polygon: url, store, wrong }) {
    const polygon = new Polygon(url);
    const markets = await Promise.all(MARKETS.map((market) => makeMarket(polygon, store, market)));
    const operator = new Sender(polygon.provider, OPERATOR.key, store);
    await operator.resume();
    return { store, wrong, polygon, operator, markets, events: EVENTS, tokens: tokensOf(markets), owners: new Map(), outdated: new Set() };
}

async function makeMarket(polygon, store, market) {
    const condition = conditionId(market);
    return {
        status: 'open', outcomes: ['Yes', 'No'], volume: 0n, feeRate: FEE_RATES[market.category] ?? '0', ...market,
        ...store.rows('markets').get(market.id), conditionId: condition,
        tokens: await polygon.outcomeTokens(market.kind, condition), book: new Book(),
    };
}

function tokensOf(markets) {
    const tokens = new Map();
    for (const market of markets) market.tokens.forEach((token, outcome) => tokens.set(token, { market, outcome }));
    return tokens;
}

export const hasEnded = ({ status }) => status === 'closed' || status === 'resolved';

/** What a share of each outcome is worth, decimal. */
export function outcomePrices(market) {
    if (market.status === 'resolved') return [0, 1].map((outcome) => (outcome === market.winner ? '1' : '0'));
    return [market.price, textOf(ONE - unitsOf(market.price))];
}

/** Changes what of a market changes: status, winner, price, volume. */
export function changedMarket(market, changes) {
    const { id, status, winner, price, volume } = Object.assign(market, changes);
    return { id, status, winner, price, volume };
}
