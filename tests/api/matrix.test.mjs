// Section: api
// Each agent for itself: the matrix of operations, keys and other agents' belongings, over REST.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API, send } from './lib.mjs';
import { matrix } from './matrix.mjs';

async function call({ method, path, parameters }, args, key) {
    const at = (place) => parameters.filter((parameter) => parameter.in === place && parameter.name in args);
    const pick = (place) => at(place).map(({ name }) => [name, args[name]]);
    const url = pick('path').reduce((text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)), path);
    const query = pick('query').length === 0 ? '' : `?${new URLSearchParams(pick('query'))}`;
    const { status, body } = await send(method, API + url + query, {
        key,
        json: method === 'GET' ? undefined : Object.fromEntries(pick('body')),
        headers: Object.fromEntries(pick('header')),
    });
    return { ok: status < 300, code: body?.error_code, body };
}

const covered = await matrix({ name: 'REST', call });

test('parameters that name objects of an agent are found in the description', () => {
    for (const each of [
        'build_swap quote_id', 'execute_swap quote_id', 'execute_swap wallet_address', 'simulate_swap quote_id', 'get_portfolio wallet_address',
        'get_swap_status swapId', 'redeliver_webhook id', 'get_webhook id', 'execute_swap Idempotency-Key', 'create_wallet Idempotency-Key',
    ]) assert.ok(covered.includes(each), each);
});
