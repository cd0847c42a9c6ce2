// The CLOB. Which request is answered by what, and whose it has to be: everybody's, a key's (L1, checked where it is
// answered), or that of a holder of credentials (L2).

import { closedOnly, checkL2, createKey, deleteKey, deriveKey, listKeys } from './auth.mjs';
import { cancelAll, cancelMany, cancelMarket, cancelOne } from './cancel.mjs';
import { balanceAllowance, updateBalanceAllowance } from './holdings.mjs';
import * as info from './market_info.mjs';
import { postOrder } from './place.mjs';
import { listOrders, listTrades, oneOrder } from './records.mjs';
import { Refusal } from './refusal.mjs';

const ROUTES = [
    ['GET', '/time', info.time],
    ['GET', '/version', info.version],
    ['GET', '/book', info.book],
    ['GET', '/midpoint', info.midpoint],
    ['GET', '/price', info.price],
    ['GET', '/spread', info.spread],
    ['GET', '/last-trade-price', info.lastTradePrice],
    ['GET', '/tick-size', info.tickSize],
    ['GET', '/neg-risk', info.negRisk],
    ['GET', '/fee-rate', info.feeRate],
    ['GET', '/clob-markets/:condition', info.clobMarket],
    ['GET', '/markets-by-token/:token', info.marketByToken],
    ['POST', '/auth/api-key', createKey],
    ['GET', '/auth/derive-api-key', deriveKey],
    ['GET', '/auth/api-keys', listKeys, 'L2'],
    ['DELETE', '/auth/api-key', deleteKey, 'L2'],
    ['GET', '/auth/ban-status/closed-only', closedOnly, 'L2'],
    ['GET', '/balance-allowance', balanceAllowance, 'L2'],
    ['GET', '/balance-allowance/update', updateBalanceAllowance, 'L2'],
    ['POST', '/order', postOrder, 'L2'],
    ['DELETE', '/order', cancelOne, 'L2'],
    ['DELETE', '/orders', cancelMany, 'L2'],
    ['DELETE', '/cancel-all', cancelAll, 'L2'],
    ['DELETE', '/cancel-market-orders', cancelMarket, 'L2'],
    ['GET', '/data/orders', listOrders, 'L2'],
    ['GET', '/data/order/:id', oneOrder, 'L2'],
    ['GET', '/data/trades', listTrades, 'L2'],
].map(([method, path, handler, level]) => ({
    method, handler, level, pattern: new RegExp(`^${path.replace(/:(\w+)/, '(?<$1>[^/]+)')}$`),
}));

export async function answerClob(world, call) {
    call.seen.verified = [];
    try {
        return await route(world, call);
    } catch (error) {
        if (error instanceof Refusal) return error.answer;
        throw error;
    }
}

function route(world, call) {
    for (const { method, pattern, handler, level } of ROUTES) {
        const found = method === call.method && pattern.exec(call.path);
        if (!found) continue;
        const credentials = level === 'L2' ? checkL2(world, call) : undefined;
        return handler(world, { ...call, ...found.groups }, credentials);
    }
    throw new Refusal(404, 'not found');
}
