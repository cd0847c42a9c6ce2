// Each agent for itself: the matrix of operations, keys and other agents' belongings, over MCP, by turns in both generations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matrix } from './matrix.mjs';
import { ask, askModern } from './mcp.mjs';

let calls = 0;

async function call({ tool, parameters }, { 'Idempotency-Key': idempotencyKey, ...args }, key) {
    const how = calls++ % 2 === 0 ? ask : askModern;
    const all = parameters.length === 0 && Object.keys(args).length === 0 ? undefined : { ...args, ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }) };
    const { body: { result, error } } = await how('tools/call', { name: tool, arguments: all }, { key });
    if (error !== undefined) return { ok: false, code: error.data?.error_code, body: error.data };
    const body = JSON.parse(result.content[0].text);
    return { ok: !result.isError, code: body.error_code, body };
}

const covered = await matrix({ name: 'MCP', call });

test('what can belong to another is among the arguments of tools', () => {
    for (const each of ['execute_swap quote_id', 'get_swap_status swapId', 'redeliver_webhook id', 'execute_swap Idempotency-Key']) assert.ok(covered.includes(each), each);
});
