// The workers that may wait are as many as are needed: the pool grows while requests wait, shrinks afterwards, and goes on
// with fewer when it cannot grow.

import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { granted, registerUnlimited, until } from '../api/lib.mjs';
import { startGateway } from '../api/gateway.mjs';
import { Node } from '../faults/node.mjs';
import {
    ask, begun, logOf, named,
} from './gateways.mjs';
import { arm, disarm } from './lib.mjs';

const CHAIN = 'base';
const WORKERS = 128;
const SPARE = 4;
const FAST = 3;
const AT_ONCE = WORKERS / 2; // so many of one agent may wait
const SLOW_MS = 700; // an answer of a slow node

const node = new Node(process.env.BASE_CHAIN_URL);
const nodeLine = `rpc.${CHAIN} = http://127.0.0.1:${(await node.listen(0)).port}`;
const behind = await Promise.all(['lighttpd', 'apache'].map(async (web) => {
    const each = await startGateway([`workers = ${WORKERS}`, `fast_workers = ${FAST}`, nodeLine], { web });
    await begun(each);
    return [web, each];
}));
const agent = await registerUnlimited();

after(async () => {
    await Promise.all(behind.map(([, each]) => each.stop()));
    node.close();
});

afterEach(() => {
    disarm();
    node.behave();
});

/** Those that may wait. */
const workers = ({ pid }) => named(pid, 'gateway').length - FAST - 1;
const quote = ({ base }) => ask(base, 'POST', '/quote', { key: agent.key, json: { from_token: 'ETH', to_token: 'USDC', amount: '0.001', chain: CHAIN }, agent: false });
const quotes = (each, count) => Array.from({ length: count }, () => quote(each));
/** Those that stay, and as many that have not worked yet. */
const atRest = (each) => until('the pool to shrink', () => workers(each) <= 2 * SPARE, 20_000);

for (const [web, each] of behind) {
    test(`behind ${web}, the pool grows while quotes wait, and shrinks afterwards`, async () => {
        await atRest(each);
        node.misbehave({ delays: () => SLOW_MS });
        const waiting = quotes(each, AT_ONCE);
        await until('a worker for each', () => workers(each) >= AT_ONCE, 5000, 5);
        node.behave();
        for (const answer of await Promise.all(waiting)) granted(answer);
        const most = workers(each);
        assert.ok(most <= AT_ONCE + 2 * SPARE, `${most} workers`);
        await atRest(each);
        granted(await quote(each));
    });

    test(`behind ${web}, workers that are killed while the pool grows cost no more than what they had in hand`, async () => {
        await atRest(each);
        node.misbehave({ delays: () => SLOW_MS });
        const waiting = quotes(each, AT_ONCE);
        let killed = 0;
        for (let i = 0; i < 8; i++) {
            const all = named(each.pid, 'gateway');
            process.kill(all[Math.floor(all.length / 2)], 'SIGKILL');
            killed += 1;
            await pause(20);
        }
        node.behave();
        const failed = (await Promise.all(waiting)).filter(({ status }) => status !== 200);
        assert.ok(failed.length <= killed, `${failed.length} failed, ${killed} killed`);
        // They hold nothing any more: as many may wait as before.
        for (const answer of await Promise.all(quotes(each, AT_ONCE))) granted(answer);
        await atRest(each);
    });
}

test('a pool that cannot grow goes on with the workers that it has, says so once, and grows later', async () => {
    const [[, each]] = behind;
    await atRest(each);
    const before = workers(each);
    const complaints = () => logOf(each).split('msg="cannot fork"').length - 1;
    const earlier = complaints();
    arm('child.fork', 'error');
    node.misbehave({ delays: () => 100 });
    for (const answer of await Promise.all(quotes(each, 24))) granted(answer);
    assert.deepEqual([workers(each), complaints()], [before, earlier + 1]);
    disarm();
    node.misbehave({ delays: () => SLOW_MS });
    const waiting = quotes(each, 24);
    await until('more workers', () => workers(each) > before, 5000, 5);
    node.behave();
    for (const answer of await Promise.all(waiting)) granted(answer);
});
