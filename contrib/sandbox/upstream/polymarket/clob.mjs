// The CLOB. Which request is answered by what, and whose it has to be: everybody's, a key's (L1, checked where it is
// answered), or that of a holder of credentials (L2).

import { closedOnly, checkL2, createKey, deleteKey, deriveKey, listKeys } from './auth.mjs';
import { cancelAll, cancelMany, cancelMarket, cancelOne } from './cancel.mjs';
import { balanceAllowance, updateBalanceAllowance } from './holdings.mjs';
import * as info from './market-info.mjs';
import { postOrder } from './place.mjs';
import { listOrders, listTrades, oneOrder } from './records.mjs';
import { routed, routesOf } from '../routes.mjs';

const ROUTES = routesOf([
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
]);

export function answerClob(world, request) {
    request.seen.verified = [];
    const { handler, level, call } = routed(ROUTES, request);
    return handler(world, call, level === 'L2' ? checkL2(world, call) : undefined);
}
