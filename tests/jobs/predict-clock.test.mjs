// Section: accounts
// A node of Polygon whose clock is years ahead: what the relayer still has has not failed.

import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { startGateway } from '../api/gateway.mjs';
import { granted, until } from '../api/lib.mjs';
import {
    completed, honest, trader, wrong,
} from '../api/prediction.mjs';
import { Node } from '../faults/node.mjs';
import { withoutJobs } from './lib.mjs';

const DAY_S = 86_400, AHEAD = (2 ** 31).toString(16).padStart(64, '0');

const node = new Node(process.env.POLYGON_URL);
const { port } = await node.listen(0);
afterEach(honest);
after(() => node.close());

/** Every word that tells the present time tells that of 2038. */
const ofTheFuture = (word) => (Math.abs(parseInt(word, 16) - Date.now() / 1000) < DAY_S ? AHEAD : word);
const ahead = ({ method }, answer) => (method === 'eth_call' && typeof answer.result === 'string'
    ? { ...answer, result: `0x${answer.result.slice(2).replace(/[0-9a-f]{64}/g, ofTheFuture)}` } : undefined);

test('the first of two nodes is in 2038 while the relayer takes its time: the withdrawal is completed, and never failed', () => withoutJobs(async () => {
    const gateway = await startGateway([`rpc.polygon = http://127.0.0.1:${port}, ${process.env.POLYGON_URL}`], { jobs: ['swap-poll', 'order-poll'] });
    try {
        const agent = await trader('30', gateway.base);
        let looks = 0;
        node.watch = (_, calls) => { looks += calls.filter(({ method }) => method === 'eth_call').length; };
        await wrong('relay_delayed', { value: 8, times: 1 });
        node.misbehave({ answers: ahead });
        const asked = await agent.post('/predict/withdraw', { amount: '10' });
        const { transfer: { id } } = granted(asked);
        const before = looks;
        await until('the node to be asked again and again', () => looks > before + 5);
        const { transfers } = granted(await agent.get('/predict/transfers'));
        assert.notEqual(transfers.find((each) => each.id === id).status, 'failed');
        assert.equal((await completed(agent, asked)).amount, '10');
    } finally {
        await gateway.stop();
    }
}));
