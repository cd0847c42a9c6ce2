// Section: bridges
// A node that lies about how long blocks take a transaction, and keeps it meanwhile: nothing is told as failed that can still land.

import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { Connection, PublicKey } from '@solana/web3.js';
import { base58 } from '../../contrib/sandbox/solana/transaction.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    granted, register, show, stack, until,
} from '../api/lib.mjs';
import { Node } from '../faults/node.mjs';
import { settings, withoutJobs } from './lib.mjs';

const { SANDBOX_SOLANA_URL: URL } = settings();
const connection = new Connection(URL, 'confirmed');
const nodes = [new Node(URL), new Node(`${URL}/second`)];
const urls = [];
for (const node of nodes) urls.push(`http://127.0.0.1:${(await node.listen(0)).port}`);
afterEach(async () => {
    nodes.forEach((node) => node.behave());
    await control({ fault: 'resume' });
});
after(() => nodes.forEach((node) => node.close()));

const landed = async ({ address }) => (await connection.getSignaturesForAddress(new PublicKey(address))).length;
const height = () => connection.getBlockHeight('finalized');
const control = (set) => fetch(`${URL}/_sandbox`, { method: 'POST', body: JSON.stringify({ service: 'solana', ...set }) });

/** Takes transactions, and passes none on. */
const pretends = ({ method, params: [raw] }) => (method === 'sendTransaction' ? base58(Buffer.from(raw, 'base64').subarray(1, 65)) : undefined);

/** Says that transactions end so many blocks later, that so many more are final than there are, and that no hash is good. */
const lies = (later, ahead = 0) => ({ method }, answer) => {
    if (method === 'getLatestBlockhash') answer.result.value.lastValidBlockHeight += later;
    if (method === 'getEpochInfo') answer.result.blockHeight += ahead;
    if (method === 'isBlockhashValid' && ahead > 0) answer.result.value = false;
    return answer;
};

/** How often a node was asked whether a hash is good. */
function questions(node) {
    let count = 0;
    node.watch = (_, calls) => { count += calls.filter(({ method }) => method === 'isBlockhashValid').length; };
    return () => count;
}

async function trader(gateway) {
    const agent = Object.assign(await register(), { base: gateway.base });
    agent.address = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet.address;
    await stack('fund', agent.address, 'solana');
    return agent;
}

async function withGateway(own, during) {
    await withoutJobs(async () => {
        const gateway = await startGateway([`rpc.solana = ${own.join(', ')}`], { jobs: ['swap-poll'] });
        try {
            await during(await trader(gateway));
        } finally {
            await gateway.stop();
        }
    });
}

for (const [which, node] of nodes.entries()) {
    test(`node ${which + 1} of two says that transactions end long ago: none is signed`, () => withGateway(urls, async (agent) => {
        await control({ fault: 'advance', value: 2000 }); // long ago is so many blocks
        const quote = await agent.quote('SOL', 'USDC', '0.1', { chain: 'solana' });
        const ago = await height();
        node.misbehave({ answers: lies(-ago, -ago) });
        const refusal = await agent.send('POST', '/swap/execute', { json: { quote_id: quote.quote_id }, mayBreak: true });
        assert.deepEqual([refusal.status, refusal.body.error_code], [500, 'UPSTREAM_ERROR'], show(refusal));
        node.behave();
        assert.equal(await landed(agent), 0);
        const { swap_id: id } = granted(await agent.execute(quote));
        await agent.completed(id);
        assert.equal(await landed(agent), 1);
    }));
}

test('the first node keeps a transaction and says that it is over: it has not failed, and is carried out once', () => withGateway(urls, async (agent) => {
    const quote = await agent.quote('SOL', 'USDC', '0.1', { chain: 'solana' });
    nodes.forEach((node) => node.misbehave({ pretends }));
    const { swap_id: id } = granted(await agent.execute(quote));
    await control({ fault: 'halt' }); // it stays good for as long as this takes
    nodes[0].misbehave({ pretends, answers: lies(0, 100_000) });
    const asked = questions(nodes[1]);
    await until('the honest one to be asked again and again', () => asked() >= 6);
    assert.match((await agent.status(id)).status, /^(pending|submitted)$/);
    nodes.forEach((node) => node.behave());
    await control({ fault: 'resume' });
    await agent.completed(id);
    assert.equal(await landed(agent), 1);
}));

test('a single node is not believed within ten minutes that a transaction can never land', () => withGateway(urls.slice(0, 1), async (agent) => {
    const quote = await agent.quote('SOL', 'USDC', '0.1', { chain: 'solana' });
    nodes[0].misbehave({ pretends });
    const { swap_id: id } = granted(await agent.execute(quote));
    const asked = questions(nodes[0]);
    for (let i = 0; i < 3; i += 1) await control({ fault: 'advance', value: 150 });
    await until('it to be asked again and again', () => asked() >= 6);
    assert.match((await agent.status(id)).status, /^(pending|submitted)$/);
    assert.equal(await landed(agent), 0);
}));
