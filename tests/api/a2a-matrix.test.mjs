// Section: api
// Each agent for itself: the matrix of operations, keys and other agents' belongings, over A2A, by turns in both versions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callOperation } from './a2a.mjs';
import { matrix } from './matrix.mjs';

const covered = await matrix({ name: 'A2A', call: callOperation });

test('arguments of operations that name objects of an agent are found', () => {
    for (const each of ['execute_swap quote_id', 'get_swap_status swapId', 'redeliver_webhook id', 'execute_swap Idempotency-Key']) assert.ok(covered.includes(each), each);
});
