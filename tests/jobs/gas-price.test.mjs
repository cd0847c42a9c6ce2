// Section: jobs
// Where there is no base fee the bid is the price: no node says alone what gas costs.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rpc } from '../../contrib/sandbox/chain.mjs';
import { ownNode } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    granted, register, show, until,
} from '../api/lib.mjs';
import { Node } from '../faults/node.mjs';
import { sql, withoutJobs } from './lib.mjs';

const CHAIN = 'bsc', CHAIN_ID = 56;
const MOST_WEI = 20_000_000_000n; // as the chain has it
const RECIPIENT = `0x${'5a'.repeat(20)}`;
const FUNDS = 10n ** 20n, TRANSFER_GAS = 30_000n;

// The contracts of another chain serve: a withdrawal needs no more than the one that reads balances.
const chain = await ownNode('base', { id: CHAIN_ID, options: ['--block-time', '1', '--mixed-mining'] });
const nodes = [new Node(chain.url), new Node(chain.url)];
const urls = [];
for (const node of nodes) urls.push(`http://127.0.0.1:${(await node.listen(0)).port}`);
after(() => {
    nodes.forEach((node) => node.close());
    chain.child.kill();
});

const held = async (address) => BigInt(await rpc(chain.url, 'eth_getBalance', [address, 'latest']));

/** An agent with coins, and an address to withdraw to, at a gateway that has these nodes; the stack's jobs do not know the chain. */
function withOwner(own, during) {
    return withoutJobs(async () => {
        const gateway = await startGateway([`rpc.${CHAIN} = ${own.join(', ')}`, 'tier.standard = 100000'], { jobs: ['swap-poll'] });
        try {
            const agent = Object.assign(await register(), { base: gateway.base });
            const { id } = granted(await agent.post('/withdrawal-addresses', { address: RECIPIENT }), 201).withdrawal_address;
            await until('it to be active', async () => granted(await agent.get('/withdrawal-addresses')).withdrawal_addresses[0].status === 'active');
            agent.address = granted(await agent.send('POST', '/wallets'), 201).wallet.address;
            await rpc(chain.url, 'anvil_setBalance', [agent.address, `0x${FUNDS.toString(16)}`]);
            agent.withdraw = () => agent.send('POST', '/wallets/withdraw', { json: { token: 'BNB', amount: '0.5', chain: CHAIN, address_id: id }, mayBreak: true });
            await during(agent);
            nodes.forEach((node) => node.behave());
            await rpc(chain.url, 'anvil_mine', ['0x400']);
            const open = `SELECT COUNT(*) FROM executions WHERE in_flight = 1 AND wallet_id = (SELECT id FROM wallets WHERE address = '${agent.address}')`;
            await until('its withdrawals to be settled', async () => await sql(open) === '0'); // the stack's jobs do not know the chain
        } finally {
            nodes.forEach((node) => node.behave());
            await gateway.stop();
        }
    });
}

/** What a node that lies about prices says. */
const times = (factor, methods) => ({
    answers: ({ method }, answer) => {
        if (!methods.includes(method)) return undefined;
        const scaled = (text) => `0x${(BigInt(text) * factor).toString(16)}`;
        if (method === 'eth_gasPrice') return { ...answer, result: scaled(answer.result) };
        const { baseFeePerGas, reward, ...rest } = answer.result;
        return { ...answer, result: { ...rest, baseFeePerGas: baseFeePerGas.map(scaled), reward: reward?.map((each) => each.map(scaled)) } };
    },
});
const PRICE = ['eth_gasPrice'], ALL = [...PRICE, 'eth_feeHistory'];

/** A withdrawal that cost no more than that for each gas. */
async function paysAtMost(agent, wei) {
    const before = await held(agent.address), given = await held(RECIPIENT);
    const { withdrawal: { id } } = granted(await agent.withdraw());
    await until('the withdrawal to be completed', async () => granted(await agent.get(`/withdrawals/${id}`)).withdrawal.status === 'completed');
    const fee = before - await held(agent.address) - (await held(RECIPIENT) - given);
    assert.ok(fee > 0n && fee <= wei * TRANSFER_GAS, `${fee} wei`);
}

/** Nothing is signed, and the answer says why. */
async function refusesFor(agent, reason) {
    const stands = async () => [await held(agent.address), await rpc(chain.url, 'eth_getTransactionCount', [agent.address, 'pending'])];
    const before = await stands(), answer = await agent.withdraw();
    assert.deepEqual([answer.status, answer.body.error_code], [500, 'UPSTREAM_ERROR'], show(answer));
    assert.match(answer.body.hint, reason);
    assert.deepEqual(await stands(), before);
}

for (const [which, node] of nodes.entries()) {
    test(`node ${which + 1} of two lies about what gas costs: the other one decides, or nothing is signed`, () => withOwner(urls, async (agent) => {
        await paysAtMost(agent, MOST_WEI);
        node.misbehave(times(1000n, ALL));
        await refusesFor(agent, /disputed/);
        const honest = BigInt(await rpc(chain.url, 'eth_gasPrice', []));
        for (const lie of [times(1000n, PRICE), times(2n, ALL)]) {
            node.misbehave(lie);
            await paysAtMost(agent, honest * 13n / 10n);
        }
        node.misbehave({ dead: () => true });
        await paysAtMost(agent, MOST_WEI);
    }));
}

test('a single node is held against what the last blocks paid, and never pays more than the bound', () => withOwner(urls.slice(0, 1), async (agent) => {
    await paysAtMost(agent, MOST_WEI); // so that a block has paid
    const honest = BigInt(await rpc(chain.url, 'eth_gasPrice', []));
    nodes[0].misbehave(times(1000n, PRICE));
    await paysAtMost(agent, honest * 4n);
    nodes[0].misbehave(times(1000n, ALL));
    await refusesFor(agent, /gas_price_max\.bsc/);
    nodes[0].behave();
    await paysAtMost(agent, MOST_WEI);
}));
