// Section: api, apache
// GET /swap/status/{id}, GET /swaps.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { granted, hasMembers, refused, register } from './lib.mjs';
import { testListFaults } from './lists.mjs';

const ITEM = [
    'id', 'swap_id', 'status', 'tx_hash', 'from_token', 'to_token', 'from_token_address', 'to_token_address', 'chain', 'from_chain', 'to_chain', 'from_amount', 'expected_out', 'to_amount',
    'explorer_url', 'error_code', 'error_message', 'approval_id', 'approval_expires_at', 'created_at', 'updated_at', 'completed_at',
];
const SWAPS = 5;

/** One agent with a few swaps behind it, on which all lists here look. */
const agent = await register();
await agent.wallet('base', 5);
const ids = [];
for (let i = 0; i < SWAPS; i++) ids.push(await agent.swap('ETH', i % 2 === 0 ? 'USDC' : 'DAI', `0.01${i + 1}`, { chain: 'base' }));
for (const id of ids) await agent.completed(id);
const newestFirst = [...ids].reverse();

const page = async (query = '') => granted(await agent.get(`/swaps${query}`));
const idsOf = ({ swaps }) => swaps.map(({ swap_id: id }) => id);

test('a new agent has no swaps', async () => {
    const { swaps, pagination } = granted(await (await register()).get('/swaps'));
    assert.deepEqual([swaps, pagination], [[], { total: 0, limit: 20, offset: 0, has_more: false }]);
});

test('the list has the newest first, each as the status endpoint shows it', async () => {
    const { swaps, pagination } = await page();
    assert.deepEqual(idsOf({ swaps }), newestFirst);
    assert.deepEqual(pagination, { total: SWAPS, limit: 20, offset: 0, has_more: false });
    for (const item of swaps) {
        hasMembers(item, ITEM);
        const { success, transactions, ...shown } = await agent.status(item.swap_id);
        assert.deepEqual([success, Array.isArray(transactions)], [true, true]);
        assert.deepEqual(item, { id: item.swap_id, ...shown });
    }
});

for (const [query, from, to, limit, offset] of [
    ['?limit=2', 0, 2, 2, 0],
    ['?limit=2&offset=2', 2, 4, 2, 2],
    ['?limit=2&offset=4', 4, 5, 2, 4],
    ['?limit=5', 0, 5, 5, 0],
    ['?limit=100&offset=1', 1, 5, 100, 1],
    ['?limit=1&offset=4', 4, 5, 1, 4],
    ['?offset=5', 5, 5, 20, 5],
    ['?offset=1000000', 5, 5, 20, 1_000_000],
    ['?offset=9007199254740992', 5, 5, 20, 2 ** 53],
    ['?status=completed&limit=2&offset=1', 1, 3, 2, 1],
    ['?status=completed', 0, 5, 20, 0],
]) {
    test(`page ${query}`, async () => {
        const found = await page(query);
        assert.deepEqual(idsOf(found), newestFirst.slice(from, to));
        assert.deepEqual(found.pagination, { total: SWAPS, limit, offset, has_more: to < SWAPS });
    });
}

for (const status of ['submitted', 'pending', 'failed']) {
    test(`the list of ${status} swaps is empty after their end`, async () => {
        const { swaps, pagination } = await page(`?status=${status}`);
        assert.deepEqual([swaps, pagination], [[], { total: 0, limit: 20, offset: 0, has_more: false }]);
    });
}

test('a swap in progress is in the list at once, under a status that the filter knows', async () => {
    const other = await register();
    await other.wallet('base', 5);
    const id = await other.swap('ETH', 'USDC', '0.01', { chain: 'base' });
    const { swaps: [item], pagination } = granted(await other.get('/swaps'));
    assert.deepEqual([item.swap_id, pagination.total], [id, 1]);
    assert.match(item.status, /^(pending|submitted|completed)$/);
    await other.completed(id);
});

testListFaults(agent, '/swaps', ['processing', 'expired', 'COMPLETED', 'done', '', 'completed,failed', '1', "'"]);

for (const id of [
    '0', '-1', 'abc', '1.5', '99999999999999999999999', '18446744073709551616', '9223372036854775807', '1e1', '0x1',
    '%20', "1'", '01x', '+1', 'undefined',
]) {
    test(`status of swap ${id}`, async () => {
        refused(await agent.get(`/swap/status/${id}`), 'Swap not found');
    });
}

test('a foreign swap is no swap', async () => {
    refused(await (await register()).get(`/swap/status/${ids[0]}`), 'Swap not found');
});

// ---------------------------------------------------------------- filters

test('chain, token and time narrow the list and its total', async () => {
    const all = (await page()).swaps;
    const between = async (query, wanted) => {
        const { swaps, pagination } = await page(`?${query}`);
        assert.deepEqual([swaps.map(({ swap_id: id }) => id), pagination.total], [wanted.map(({ swap_id: id }) => id), wanted.length], query);
    };
    const of = (symbol) => all.filter(({ to_token: to }) => to === symbol);
    const [first] = of('DAI');
    for (const name of ['DAI', 'dai', first.to_token_address, first.to_token_address.toLowerCase()]) await between(`token=${name}`, of('DAI'));
    await between('token=ETH', all);
    await between('token=NOPE', []);
    for (const name of ['base', 'BASE']) await between(`chain=${name}`, all);
    await between('chain=ethereum', []);
    await between('token=USDC&chain=base&status=completed', of('USDC'));
    await between('token=USDC&status=failed', []);
    const third = all[2].created_at;
    await between(`since=${third}`, all.filter(({ created_at: at }) => at >= third));
    await between(`until=${third}`, all.filter(({ created_at: at }) => at < third));
    await between(`since=${all[3].created_at}&until=${all[1].created_at}&token=ETH`, all.slice(2, 4));
    const { swaps, pagination } = await page('?token=USDC&limit=2&offset=1');
    assert.deepEqual([swaps.map(({ swap_id: id }) => id), pagination.total, pagination.has_more], [of('USDC').slice(1, 3).map(({ swap_id: id }) => id), 3, false]);
});

test('each list of operations takes the same filters, and reports what is wrong with them', async () => {
    for (const path of ['/swaps', '/withdrawals', '/lend/operations', '/perps/transfers', '/predict/transfers']) {
        const { pagination } = granted(await agent.get(`${path}?chain=polygon&token=USDC&status=completed&since=2026-01-01T00:00:00Z&until=2026-01-02T00:00:00Z`));
        assert.equal(pagination.total, 0, path);
        refused(await agent.get(`${path}?chain=nowhere`), "Unknown chain 'nowhere'", ['chain']);
        refused(await agent.get(`${path}?since=yesterday`), 'Validation failed', ['since']);
        refused(await agent.get(`${path}?status=gone`), 'Invalid status filter', ['status']);
    }
});
