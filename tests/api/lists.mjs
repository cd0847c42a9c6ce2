// What GET /swaps and GET /webhooks have in common: the faults of their filters and pages.

import { test } from 'node:test';
import { refused } from './lib.mjs';

const BAD_LIMITS = [
    '0', '101', '-1', '1.5', 'abc', '', '1e1', '0x10', '99999999999999999999', '18446744073709551617', '+5', '%205', '5%20',
];
const BAD_OFFSETS = ['-1', '1.5', 'abc', '', '1e1', '99999999999999999999', '18446744073709551616'];

export function testListFaults(agent, path, badStatuses) {
    for (const [name, values, error] of [
        ['status', badStatuses, 'Invalid status filter'],
        ['limit', BAD_LIMITS, 'limit must be between 1 and 100'],
        ['offset', BAD_OFFSETS, 'offset must be 0 or more'],
    ]) {
        for (const value of values) {
            test(`${name} ${JSON.stringify(value)}`, async () => {
                refused(await agent.get(`${path}?${name}=${value}`), error, [name]);
            });
        }
    }

    test('all that is wrong with a query is explained', async () => {
        const answer = await agent.get(`${path}?offset=-1&limit=0&status=nonsense`);
        refused(answer, 'Invalid status filter', ['status', 'limit', 'offset']);
    });
}
