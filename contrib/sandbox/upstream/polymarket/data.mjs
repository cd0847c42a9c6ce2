// The Data API: what was traded.

import { publicTrades } from './records.mjs';

const LIMIT = 100;

export function answerData(world, { path, query }) {
    if (path !== '/trades') return { status: 404, json: { error: 'not found' } };
    const offset = Number(query.get('offset') ?? 0);
    const rows = publicTrades(world, query.get('takerOnly') !== 'false').filter(({ conditionId }) => !query.has('market') || conditionId === query.get('market'))
        .filter(({ proxyWallet }) => !query.has('user') || proxyWallet.toLowerCase() === query.get('user').toLowerCase()).reverse();
    return { json: rows.slice(offset, offset + Number(query.get('limit') ?? LIMIT)) };
}
