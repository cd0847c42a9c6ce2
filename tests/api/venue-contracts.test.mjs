// Section: api
// A chain on which another contract stands where the table has one of Uniswap's: its version is left out there, the operator
// is told, and it is used again once the chain shows the right one.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { CHAINS, ownNode } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, granted, registerUnlimited, readiness, send, until,
} from './lib.mjs';

const chain = 'base';
const { v2, v3 } = CHAINS[chain];

let own;
let gateway;
let agent;

async function rpc(method, ...params) {
    const answer = await fetch(own.url, {
        method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return (await answer.json()).result;
}

const codeOf = (address) => rpc('eth_getCode', address, 'latest');

before(async () => {
    own = await ownNode(chain);
    gateway = await startGateway([`rpc.${chain} = ${own.url}`]);
    agent = await registerUnlimited();
});
after(async () => {
    await gateway?.stop();
    own?.child.kill();
});

/** Which of Uniswap's versions make offers. */
async function versions(from = 'ETH', to = 'USDC', amount = '0.1') {
    const json = { from_token: from, to_token: to, amount, chain };
    const { routes, gas_usd: gas } = granted(await send('POST', `${API}/quote`, { key: agent.key, base: gateway.base, json }));
    assert.notEqual(gas, null);
    return [...new Set(routes.map(({ dex }) => /^Uniswap (V\d)/.exec(dex)[1]))].sort();
}

const notes = async () => (await readiness({ base: gateway.base })).body.notes;

test('a version whose contract is another one is left out until the right one is there', async () => {
    const router = await codeOf(v3.router02);
    await rpc('anvil_setCode', v3.router02, await codeOf(v2.router));
    for (let i = 0; i < 4; i++) assert.deepEqual(await versions(), ['V2']);
    assert.deepEqual(await notes(), ["Uniswap V3 is not used on base: its router's factory() names another contract"]);
    assert.equal(readFileSync(gateway.log, 'utf8').match(/not the contracts of the table.*version=V3 chain=base/g).length, 1);
    await rpc('anvil_setCode', v3.router02, router);
    await until('them to be asked again', async () => await versions() && (await notes()).length === 0);
    // Of the pair above the best paths are remembered.
    assert.ok((await versions('USDC', 'ETH', '300')).includes('V3'));
});
