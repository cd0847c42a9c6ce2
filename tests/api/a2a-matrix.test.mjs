// Each agent for itself: the matrix of operations, keys and other agents' belongings, over A2A, by turns in both versions.
// A messageId is what an Idempotency-Key is to REST.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { A2A } from './a2a.mjs';
import { matrix } from './matrix.mjs';

const CODES = { '-31401': 'INVALID_API_KEY', '-31429': 'RATE_LIMITED' };
let calls = 0;

async function call({ tool }, { 'Idempotency-Key': idempotencyKey, ...args }, key) {
    const a2a = new A2A({ key }, calls++ % 2 === 0 ? '1.0' : '0.3');
    const messageId = idempotencyKey === undefined ? randomUUID() : `${tool}-${idempotencyKey}`;
    const { body: { result, error } } = await a2a.post('send', { message: a2a.message([{ data: { operation: tool, arguments: args } }], { messageId }) });
    if (error !== undefined) return { ok: false, code: CODES[error.code], body: { error: error.message } };
    const task = a2a.words.sent(result);
    if (task.artifacts.length === 0) return { ok: false, code: a2a.said(task)[1].error_code, body: a2a.said(task)[1] };
    const [{ name, parts: [{ data }] }] = task.artifacts;
    // A swap goes on after it was begun; what REST answers then is the beginning.
    return { ok: true, body: name === 'swap' ? { success: true, swap_id: data.swap_id } : data };
}

const covered = await matrix({ name: 'A2A', call });

test('what can belong to another is among the arguments of operations', () => {
    for (const each of ['execute_swap quote_id', 'get_swap_status swapId', 'redeliver_webhook id', 'execute_swap Idempotency-Key']) assert.ok(covered.includes(each), each);
});
