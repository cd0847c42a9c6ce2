// Section: starts
// The workers that may wait are as many as are needed: the pool grows while requests wait, shrinks afterwards, and goes on
// with fewer when it cannot grow. What they wait for here are the agents' callbacks, which answer when they are told to.

import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import {
    granted, receiver, register, until,
} from '../api/lib.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    ask, begun, logOf, named,
} from './gateways.mjs';
import { arm, disarm } from './lib.mjs';

const SPARE = 4;
const FAST = 3;
const AT_ONCE = 43;
const WORKERS = 8 * AT_ONCE; // an eighth may wait for callbacks, one for each agent
const KILLED = 8;
const STEP = Math.floor((AT_ONCE - KILLED) / KILLED); // so many more wait from one kill to the next

const held = new Set();
let holds = false;

/** What is asked from now on waits. */
function hold() {
    holds = true;
}

function release() {
    holds = false;
    held.forEach((answer) => answer(200));
    held.clear();
}

const hook = await receiver(() => (holds ? new Promise((answer) => { held.add(answer); }) : 200));
const agents = await Promise.all(Array.from({ length: AT_ONCE }, () => register({ callback_url: hook.url })));
const behind = await Promise.all(['lighttpd', 'apache'].map(async (web) => {
    const each = await startGateway([`workers = ${WORKERS}`, `fast_workers = ${FAST}`], { web });
    await begun(each);
    return [web, each];
}));

after(async () => {
    await Promise.all(behind.map(([, each]) => each.stop()));
    hook.close();
});

afterEach(() => {
    disarm();
    release();
});

/** Those that may wait. */
const workers = ({ pid }) => named(pid, 'gateway').length - FAST - 1;
const waiting = ({ base }, count) => Array.from({ length: count }, (_, i) => ask(base, 'POST', '/webhooks/test', { key: agents[i].key, agent: false }));
const atRest = (each) => until('the pool to shrink', () => workers(each) === SPARE);

/** Kills the one in the middle, unless it has ended by itself meanwhile: gives how many it killed. */
function killOne(all) {
    try {
        process.kill(all[Math.floor(all.length / 2)], 'SIGKILL');
        return 1;
    } catch (error) {
        assert.equal(error.code, 'ESRCH');
        return 0;
    }
}

/** Until `count` callbacks wait. A request that is answered meanwhile has not reached its callback: its answer says why. */
async function allWait(asked, count) {
    const early = [];
    asked.forEach((answer) => answer.then((a) => early.push(a)));
    await until('all to wait', () => held.size >= count || early.length > 0, { interval: 5 });
    assert.deepEqual([held.size, early.map(({ status, text }) => [status, text])], [count, []]);
}

async function allAnswered(asked) {
    for (const answer of await Promise.all(asked)) assert.equal(granted(answer).success, true);
}

for (const [web, each] of behind) {
    test(`behind ${web}, the pool grows while requests wait, and shrinks afterwards`, async () => {
        await atRest(each);
        hold();
        const asked = waiting(each, AT_ONCE);
        await allWait(asked, AT_ONCE);
        const most = workers(each);
        assert.ok(most >= AT_ONCE && most <= AT_ONCE + 2 * SPARE, `${most} workers`);
        release();
        await allAnswered(asked);
        await atRest(each);
        await allAnswered(waiting(each, 1));
    });

    test(`behind ${web}, workers that are killed while the pool grows cost no more than what they had in hand`, async () => {
        await atRest(each);
        hold();
        const asked = waiting(each, AT_ONCE);
        let killed = 0;
        for (let i = 0; i < KILLED; i++) {
            await until('more to wait', () => held.size >= i * STEP, { interval: 5 });
            killed += killOne(named(each.pid, 'gateway'));
        }
        await until('all others to wait', () => held.size >= AT_ONCE - killed, { interval: 5 });
        release();
        assert.ok(killed > 0);
        const failed = (await Promise.all(asked)).filter(({ status }) => status !== 200);
        assert.ok(failed.length <= killed, `${failed.length} failed, ${killed} killed`);
        // They hold nothing any more: as many may wait as before.
        hold();
        const again = waiting(each, AT_ONCE);
        await allWait(again, AT_ONCE);
        release();
        await allAnswered(again);
        await atRest(each);
    });
}

test('a pool that cannot grow goes on with the workers that it has, says so once, and grows later', async () => {
    const [[, each]] = behind;
    await atRest(each);
    const times = (text) => logOf(each).split(text).length - 1;
    const complaints = () => times('msg="cannot fork"');
    const attempts = () => times('fault=child.fork');
    const [earlier, before] = [complaints(), attempts()];
    arm('child.fork', 'error');
    hold();
    const asked = waiting(each, 24);
    await until('all workers to wait', () => held.size === SPARE, { interval: 5 });
    await until('a third attempt', () => attempts() >= before + 3); // the second is over
    assert.deepEqual([held.size, workers(each), complaints()], [SPARE, SPARE, earlier + 1]);
    disarm();
    await allWait(asked, 24);
    release();
    await allAnswered(asked);
});
