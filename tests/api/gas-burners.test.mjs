// Section: api
// Pools that burn all the gas of the call that asks for their price, as those without liquidity do: the quote loses
// these pools, and not the others.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Contract, Interface } from 'ethers';
import { Node } from '../faults/node.mjs';
import {
    CHAINS, included, outsider, rpc, token,
} from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, granted, registerUnlimited, send, show, stack,
} from './lib.mjs';

const chain = 'ethereum';
const FACTORY = ['function createPool(address, address, uint24) returns (address)', 'function getPool(address, address, uint24) view returns (address)'];
const POOL = ['function initialize(uint160)'];
const QUOTER = new Interface(['function quoteExactInputSingle((address, address, uint256, uint24, uint160))']);
const ONE_TO_ONE = 2n ** 96n;
const TIERS = [100, 500];
// What a node grants one call.
const GRANTED = 30_000_000;

let node;
let gateway;
let agent;
let unlisted;

/** A pool of V3 with a price and nothing else. */
async function emptyPool(maker, tokens, fee) {
    const factory = new Contract(CHAINS[chain].v3.factory, FACTORY, maker);
    await included(chain, (await factory.createPool(...tokens, fee)).hash);
    const pool = new Contract(await factory.getPool(...tokens, fee), POOL, maker);
    await included(chain, (await pool.initialize(ONE_TO_ONE)).hash);
}

before(async () => {
    unlisted = await stack('token', 'fake-usdc', chain);
    const maker = await outsider(chain, 10);
    const tokens = [unlisted, token(chain, 'WETH').address];
    for (const fee of TIERS) await emptyPool(maker, tokens, fee);
    node = new Node(process.env.ETHEREUM_URL);
    const { port } = await node.listen(0);
    gateway = await startGateway([`rpc.${chain} = http://127.0.0.1:${port}`]);
    agent = await registerUnlimited();
});
after(async () => {
    await gateway?.stop();
    node?.close();
});

const quote = () => send('POST', `${API}/quote`, {
    key: agent.key, base: gateway.base, json: { from_token: unlisted, to_token: 'WETH', amount: '100' }, mayBreak: true,
});

test('an empty pool burns more than its share', async () => {
    const data = QUOTER.encodeFunctionData('quoteExactInputSingle', [[unlisted, token(chain, 'WETH').address, 10n ** 8n, TIERS[0], 0]]);
    await assert.rejects(rpc(chain, 'eth_call', [{ to: CHAINS[chain].v3.quoter, data, gas: `0x${(GRANTED / 4).toString(16)}` }, 'latest']));
});

test('the good pools are quoted all the same', async () => {
    node.behave();
    const { dex } = granted(await quote());
    assert.equal(dex, 'Uniswap V2');
});

test('a node that does not know overrides may run out of gas, which is no lack of liquidity', async () => {
    const asked = [];
    node.misbehave({
        refuses: ({ method, params }) => {
            if (method !== 'eth_call') return undefined;
            asked.push(params.length);
            return params.length > 2 ? { code: -32602, message: 'too many arguments, want at most 2' } : undefined;
        },
    });
    const answer = await quote();
    assert.deepEqual(asked.slice(-2), [3, 2]);
    assert.ok(answer.status === 200 || answer.body.error_code === 'UPSTREAM_ERROR', show(answer));
});
