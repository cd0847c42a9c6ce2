// Section: operator
// What of Morpho's catalogue is listed: a gateway with none of its markets in its settings, on the sandbox's base.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { ALL_CHAINS } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import { API, granted, send } from '../api/lib.mjs';
import { settings, sql } from './lib.mjs';

const { id: CHAIN_ID, lending: { morpho: { markets: MARKETS } } } = ALL_CHAINS.base;
const IDS = MARKETS.map(({ id }) => id);
const OF_BASE = `chainId_in:[${CHAIN_ID}]`; // as the catalogue is asked
const upstream = `http://127.0.0.1:${settings().SANDBOX_UPSTREAM_PORT}`;
const lies = async (fault) => assert.equal((await fetch(`${upstream}/_sandbox`, { method: 'POST', body: JSON.stringify({ service: 'morpho', fault, wallet: OF_BASE }) })).status, 200);
const honest = () => fetch(`${upstream}/_sandbox?wallet=${encodeURIComponent(OF_BASE)}`, { method: 'DELETE' });

let gateway, without, configured;
before(async () => {
    const catalogue = `lend_morpho_api = ${upstream}/morpho`;
    gateway = await startGateway(['rpc.ethereum =', 'morpho_markets.base =', catalogue]);
    configured = await startGateway(['rpc.ethereum =', `morpho_markets.base = ${IDS[3]}, ${IDS[0]}`, catalogue]);
    without = await startGateway(['rpc.ethereum =', 'morpho_markets.base =']);
});
afterEach(honest);
after(async () => {
    await sql(`DELETE FROM lend_listings WHERE chain_id = ${CHAIN_ID}`);
    for (const each of [gateway, configured, without]) await each?.stop();
});

async function refresh() {
    await gateway.pass('token-refresh');
    await sql('DELETE FROM upstream_cache'); // what was said a moment ago
}
const listed = async ({ base }) => granted(await send('GET', `${API}/lend/markets?chain=base&protocol=morpho`, { base })).markets;
const idsAt = async (at) => (await listed(at)).map(({ id }) => id).sort();
const known = () => sql(`SELECT LOWER(HEX(id)) FROM lend_listings WHERE chain_id = ${CHAIN_ID} ORDER BY place`).then((rows) => rows.split('\n').filter(Boolean).map((id) => `0x${id}`));

test('nothing is listed before the catalogue is fetched, or without one', async () => {
    assert.deepEqual([await idsAt(gateway), await idsAt(without)], [[], []]);
});

test('markets of the catalogue that the chain confirms are listed, with age and warnings', async () => {
    await refresh();
    assert.deepEqual(await known(), IDS);
    assert.deepEqual(await idsAt(gateway), [...IDS].sort());
    assert.deepEqual(await idsAt(without), []);
    const markets = new Map((await listed(gateway)).map((market) => [market.id, market]));
    assert.deepEqual(IDS.map((id) => markets.get(id).warnings), [
        [], [{ type: 'bad_debt_unrealized', level: 'RED' }], ...Array(2).fill([{ type: 'bad_debt_unrealized', level: 'YELLOW' }]),
    ]);
    const ages = [];
    for (const id of IDS) ages.push(granted(await send('GET', `${API}/lend/market/${id}?chain=base`, { base: gateway.base })).createdAt);
    assert.deepEqual(ages, [1, 2, 3, 4].map((day) => `2024-01-0${day}T00:00:00.000Z`));
});

test('the operator lists some first, and the catalogue adds what it knows of them', async () => {
    assert.deepEqual(await idsAt(configured), [...IDS].sort());
    const { createdAt } = granted(await send('GET', `${API}/lend/market/${IDS[3]}`, { base: configured.base }));
    assert.equal(createdAt, '2024-01-04T00:00:00.000Z');
});

for (const [lie, left] of [
    ['foreign_oracle', IDS.slice(1)], ['other_symbol', IDS.slice(1)], ['unlisted', IDS.slice(1)], ['unknown_id', IDS],
]) {
    test(`a catalogue that lies is not believed: ${lie}`, async () => {
        await lies(lie);
        await refresh();
        assert.deepEqual(await known(), left);
        assert.deepEqual(await idsAt(gateway), [...left].sort());
        await honest();
        await refresh();
        assert.deepEqual(await known(), IDS);
    });
}

test('a catalogue without a list changes nothing', async () => {
    for (const fault of ['no_list', 'garbage', 'http_500', 'http_429', 'half_answer', 'endless']) {
        await lies(fault);
        await refresh();
        assert.deepEqual(await known(), IDS, fault);
        await honest();
    }
});
