// Section: api
// Each agent for itself: the matrix of operations, keys and other agents' belongings, over MCP, by turns in both generations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matrix } from './matrix.mjs';
import { callTool } from './mcp.mjs';

const covered = await matrix({ name: 'MCP', call: callTool });

test('arguments of tools that name objects of an agent are found', () => {
    for (const each of ['execute_swap quote_id', 'get_swap_status swapId', 'redeliver_webhook id', 'execute_swap Idempotency-Key']) assert.ok(covered.includes(each), each);
});
