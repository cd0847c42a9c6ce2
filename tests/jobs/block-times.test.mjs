// Section: nodes
// Chains at the pace that they have today: Base makes a block in 200 ms, BNB Chain in 450. The pace is measured, nodes whose answers
// are two seconds old are as good as others, and what is sent is confirmed and settled.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rpc } from '../../contrib/sandbox/chain.mjs';
import { ownNode } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    granted, readiness, register, send, until,
} from '../api/lib.mjs';
import { Node } from '../faults/node.mjs';
import { sql, withoutJobs } from './lib.mjs';

const FUNDS = 10n ** 20n, RECIPIENT = `0x${'5b'.repeat(20)}`;
const OLD_MS = 2000, BEHIND_MS = 9000; // so old answers may be, and not so old
const ROWS = [['base', 8453, 'ETH', 200], ['bsc', 56, 'BNB', 450]];

const running = [];
after(() => running.forEach((end) => end()));

/** A chain whose blocks come each so many milliseconds, with the contracts of base, and two nodes of it. */
async function paced(id, ms) {
    const chain = await ownNode('base', { id, options: ['--block-time', String(ms / 1000)] });
    const nodes = [new Node(chain.url), new Node(chain.url)];
    running.push(() => chain.child.kill(), ...nodes.map((node) => () => node.close()));
    const urls = await Promise.all(nodes.map(async (node) => `http://127.0.0.1:${(await node.listen(0)).port}`));
    return { url: chain.url, nodes, urls };
}

async function sender(base) {
    const agent = Object.assign(await register(), { base });
    const { id } = granted(await agent.post('/withdrawal-addresses', { address: RECIPIENT }), 201).withdrawal_address;
    await until('the address to be active', async () => granted(await agent.get('/withdrawal-addresses')).withdrawal_addresses[0].status === 'active');
    agent.address = granted(await agent.send('POST', '/wallets'), 201).wallet.address;
    agent.withdraw = (chain, token) => agent.send('POST', '/wallets/withdraw', { json: { token, amount: '0.5', chain, address_id: id } });
    return agent;
}

const open = ({ address }) => `SELECT COUNT(*) FROM executions WHERE in_flight = 1 AND wallet_id = (SELECT id FROM wallets WHERE address = '${address}')`;

async function paysAtPace(name, id, coin, ms) {
    const { url, nodes, urls } = await paced(id, ms);
    const gateway = await startGateway([`rpc.${name} = ${urls.join(', ')}`, 'measure_block_times = yes', 'tier.standard = 100000', 'withdrawal_delay = 1'], { jobs: ['swap-poll'] });
    const standing = async () => (await readiness({ base: gateway.base })).body.nodes.filter(({ chain }) => chain === name);
    const seconds = async () => Number((await send('GET', '/metrics', { base: gateway.base })).text.match(new RegExp(`^gateway_chain_block_seconds\\{chain="${name}"\\} ([\\d.]+)$`, 'm'))?.[1]);
    try {
        const agent = await sender(gateway.base);
        await rpc(url, 'anvil_setBalance', [agent.address, `0x${FUNDS.toString(16)}`]);
        const oldest = Number(await rpc(url, 'eth_blockNumber', [])) + 1 + Math.ceil(OLD_MS / ms);
        await until('the oldest answer to have the funds', async () => Number(await rpc(url, 'eth_blockNumber', [])) >= oldest);
        let turn = 0; // each answer is of another age
        nodes.forEach((node, i) => node.misbehave({ lag: () => Math.floor(((turn += 1 + i) % 5) * OLD_MS / 4 / ms) }));
        const { withdrawal: { id: sent } } = granted(await agent.withdraw(name, coin));
        await until('the payment to be completed', async () => granted(await agent.get(`/withdrawals/${sent}`)).withdrawal.status === 'completed');
        const seen = [];
        await until('the pace to be measured', async () => {
            seen.push(...await standing());
            const measured = await seconds() * 1000;
            return measured !== ms && Math.abs(measured - ms) < ms / 4;
        }, { interval: 500 });
        assert.deepEqual(seen, []);
        await until('the payment to be settled', async () => await sql(open(agent)) === '0');
        nodes[0].misbehave({ lag: () => Math.ceil(BEHIND_MS / ms) });
        nodes[1].behave();
        await until('the first node to be behind', async () => JSON.stringify(await standing()) === JSON.stringify([{ chain: name, place: 1, state: 'behind' }]));
    } finally {
        await gateway.stop();
    }
}

// One after the other: jobs of both would take each other's payments to nodes that do not know them.
for (const row of ROWS) {
    test(`blocks of ${row.at(-1)} ms on ${row[0]}: measured, nodes are ready, and a payment is settled`, () => withoutJobs(() => paysAtPace(...row)));
}
