// perps-venue.mjs ORDERS: the venue of perpetuals for the bench of order-poll (venue.mjs). Every wallet has ORDERS open orders and
// no position, as perps-rows.mjs has them.

import { createHash } from 'node:crypto';
import { startVenue } from './venue.mjs';

const ORDERS = Number(process.argv[2]);
const NOTHING = { accountValue: '1000.0', totalNtlPos: '0.0', totalRawUsd: '1000.0', totalMarginUsed: '0.0' };

const lists = new Map();

function orderOf(user, number) {
    const cloid = `0x${createHash('sha256').update(`${user} ${number}`).digest('hex').slice(0, 32)}`;
    return {
        coin: 'ETH', side: 'B', limitPx: '2500.0', sz: '0.5', oid: number + 1, timestamp: 1760000000000, triggerCondition: 'N/A', isTrigger: false,
        triggerPx: '0.0', children: [], isPositionTpsl: false, reduceOnly: false, orderType: 'Limit', origSz: '0.5', tif: 'Gtc', cloid,
    };
}

function listOf(user) {
    if (!lists.has(user)) lists.set(user, JSON.stringify(Array.from({ length: ORDERS }, (_, number) => orderOf(user, number))));
    return lists.get(user);
}

const stateNow = () => JSON.stringify({
    marginSummary: NOTHING, crossMarginSummary: NOTHING, crossMaintenanceMarginUsed: '0.0', withdrawable: '1000.0', assetPositions: [], time: Date.now(),
});

startVenue(({ body }) => {
    const { type, user } = JSON.parse(body);
    if (type === 'frontendOpenOrders') return { text: listOf(user), isLooked: true };
    if (type === 'clearinghouseState') return { text: stateNow(), isLooked: true };
    return { text: '[]' };
});
