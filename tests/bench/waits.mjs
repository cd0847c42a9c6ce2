// How much longer what waits for nobody takes while a chain hangs: the node of `base` is stopped, 120 quotes of three agents
// wait for it all the time, and the slowest of a hundred answers of /me and /healthz are set beside those of an idle service, in
// the same run. For a stack that is up (its environment, and GATEWAY_URL); more than 3 is too much.
//   SECONDS=5 node tests/bench/waits.mjs

import {
    API, register, send, stackOutput,
} from '../api/lib.mjs';

const SECONDS = Number(process.env.SECONDS ?? 5);
const WAITING = 120;
const PATHS = ['/healthz', `${API}/me`];

const agents = await Promise.all(['one', 'two', 'three'].map((name) => register({ name })));
const node = Number(/^anvil-base (\d+)$/m.exec(await stackOutput('status'))[1]);
const p99 = (list) => [...list].sort((x, y) => x - y)[Math.floor(list.length * 0.99)];

async function measure(path) {
    const times = [];
    for (const end = Date.now() + SECONDS * 1000; Date.now() < end;) {
        const begun = process.hrtime.bigint();
        const { status } = await send('GET', path, { key: agents[0].key, mayBreak: true, patient: false });
        if (status !== 200 && status !== 429) throw new Error(`${path}: ${status}`);
        times.push(Number(process.hrtime.bigint() - begun) / 1e6);
        await new Promise((resolve) => { setTimeout(resolve, 20); });
    }
    return p99(times);
}

let over = false;
async function quoteOnAndOn(agent) {
    while (!over) {
        await send('POST', `${API}/quote`, {
            key: agent.key, json: { from_token: 'ETH', to_token: 'USDC', amount: '1', chain: 'base' }, mayBreak: true,
        });
        await new Promise((resolve) => { setTimeout(resolve, 1000); }); // as the answer says
    }
}

const idle = [];
for (const path of PATHS) idle.push(await measure(path));
process.kill(node, 'SIGSTOP');
try {
    const quotes = Array.from({ length: WAITING }, (_, i) => quoteOnAndOn(agents[i % agents.length]));
    for (const [i, path] of PATHS.entries()) {
        const busy = await measure(path);
        console.log(`${path}: p99 ${idle[i].toFixed(1)} ms idle, ${busy.toFixed(1)} ms while ${WAITING} quotes wait, ratio ${(busy / idle[i]).toFixed(2)}`);
    }
    over = true;
    process.kill(node, 'SIGCONT');
    await Promise.all(quotes);
} finally {
    process.kill(node, 'SIGCONT');
}
process.exit(0);
