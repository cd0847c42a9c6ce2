// Section: accounts
// A wallet that trades itself allows the exchange the amount that an order gives, and the order waits for that: if a process
// dies meanwhile, or the chain forgets the allowance, it is placed once.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { ADDRESSES } from '../../contrib/sandbox/polymarket.mjs';
import { provider, rpc } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import { granted, until } from '../api/lib.mjs';
import {
    at, cancel, control, orderBecomes, trader, units,
} from '../api/prediction.mjs';
import {
    arm, disarm, endLeases, hits, withoutBlocks,
} from './lib.mjs';

const DOLLARS = '20';
const polygon = provider('polygon');
afterEach(disarm);

const gateway = await startGateway(['predict_wallet = eoa']);
const bid = { side: 'BUY', price: 0.05, size: 20 };

/** Its kind of trading wallet is that of the gateway where it began to trade; later requests go to the stack's gateway. */
async function newTrader() {
    const agent = await trader(DOLLARS, gateway.base);
    agent.base = undefined;
    const { outcomes: [{ tokenId }] } = granted(await agent.get('/predict/market/9010'));
    return { agent, order: { ...bid, tokenId } };
}

const allowance = (agent) => at(ADDRESSES.collateral).allowance(agent.address, ADDRESSES.exchange);
const allowed = (agent) => until('the allowance', async () => await allowance(agent) === units(DOLLARS));
const ordersOf = async (agent) => granted(await agent.get('/predict/orders?status=all')).orders;

async function isPlacedOnce(agent) {
    const [{ id }, ...others] = await ordersOf(agent);
    assert.deepEqual(others, []);
    await orderBecomes(agent, id, 'open');
    await allowed(agent);
    const { bodies } = (await control('GET', '/audit/orders?service=polymarket')).find(({ order }) => order === id);
    assert.equal(new Set(bodies.map((body) => JSON.stringify(body))).size, 1);
    granted(await cancel(agent, id));
}

// The order's own request is the second that is sent: the venue looks at the balance before.
for (const [point, nth] of [['execute.commit.after', 1], ['execute.send.after', 1], ['offer.post.after', 2]]) {
    test(`killed at ${point}`, async () => {
        const { agent, order } = await newTrader();
        arm(point, 'kill', nth);
        await agent.post('/predict/order', order).catch(() => null);
        await until(`${point} for the ${nth}. time`, () => hits(point) >= nth);
        disarm();
        if (nth > 1) await endLeases(); // it was the job
        await isPlacedOnce(agent);
    });
}

test('a reorganisation takes the allowance back', async () => {
    const { agent, order } = await newTrader();
    const before = await polygon.getBlockNumber();
    granted(await agent.post('/predict/order', order));
    await allowed(agent);
    await withoutBlocks('polygon', async () => rpc('polygon', 'anvil_reorg', [Number(await rpc('polygon', 'eth_blockNumber')) - before, []]));
    assert.equal(await allowance(agent), 0n);
    await isPlacedOnce(agent);
});

test('the gateway stops', () => gateway.stop());
