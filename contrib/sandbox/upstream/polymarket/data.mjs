// The Data API: what was traded.

const LIMIT = 100;

export function answerData(world, { path, query }) {
    if (path !== '/trades') return { status: 404, json: { error: 'not found' } };
    const offset = Number(query.get('offset') ?? 0);
    const rows = [...world.store.rows('trades').values()].filter(({ conditionId }) => !query.has('market') || conditionId === query.get('market')).reverse();
    return { json: rows.slice(offset, offset + Number(query.get('limit') ?? LIMIT)) };
}
