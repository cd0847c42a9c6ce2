// Section: nodes
// Where there is no base fee the bid is the price: no node says alone what gas costs, nor, on any chain, what has succeeded.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { keccak256 } from 'ethers';
import { rpc } from '../../contrib/sandbox/chain.mjs';
import { ownNode } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    granted, register, show, until,
} from '../api/lib.mjs';
import { Node } from '../faults/node.mjs';
import { operate, sql, withoutJobs } from './lib.mjs';

const CHAIN = 'bsc', CHAIN_ID = 56;
const MOST_WEI = 20_000_000_000n; // as the chain has it
const RECIPIENT = `0x${'5a'.repeat(20)}`;
const FUNDS = 10n ** 20n, TRANSFER_GAS = 30_000n;

// The contracts of another chain serve: a withdrawal needs no more than the one that reads balances.
// Blocks come with transactions and with `passing`, so that a block which has paid is among the last ten for as long as a test needs it.
const chain = await ownNode('base', { id: CHAIN_ID });
await rpc(chain.url, 'anvil_setNextBlockBaseFeePerGas', ['0x0']); // as the real one; another would fall with each empty block
const nodes = [new Node(chain.url), new Node(chain.url)];
const urls = [];
for (const node of nodes) urls.push(`http://127.0.0.1:${(await node.listen(0)).port}`);
after(() => {
    nodes.forEach((node) => node.close());
    chain.child.kill();
});

const mine = (blocks) => rpc(chain.url, 'anvil_mine', [`0x${blocks.toString(16)}`]);

/** Waits while blocks pass. */
const passing = (what, ask) => until(what, async () => {
    await mine(1);
    return ask();
});

/** The last block has paid for gas. */
async function pay() {
    const [from] = await rpc(chain.url, 'eth_accounts');
    await rpc(chain.url, 'eth_sendTransaction', [{ from, to: from }]);
}

const held = async (address) => BigInt(await rpc(chain.url, 'eth_getBalance', [address, 'latest']));

/** An agent with coins, and an address to withdraw to, at a gateway that has these nodes; the stack's jobs do not know the chain. */
function withOwner(own, during) {
    return withoutJobs(async () => {
        const gateway = await startGateway([`rpc.${CHAIN} = ${own.join(', ')}`, 'tier.standard = 100000', 'withdrawal_delay = 1'], { jobs: ['swap-poll'] });
        try {
            const agent = Object.assign(await register(), { base: gateway.base });
            const { id } = granted(await agent.post('/withdrawal-addresses', { address: RECIPIENT }), 201).withdrawal_address;
            await until('it to be active', async () => granted(await agent.get('/withdrawal-addresses')).withdrawal_addresses[0].status === 'active');
            agent.address = granted(await agent.send('POST', '/wallets'), 201).wallet.address;
            await rpc(chain.url, 'anvil_setBalance', [agent.address, `0x${FUNDS.toString(16)}`]);
            agent.withdraw = () => agent.send('POST', '/wallets/withdraw', { json: { token: 'BNB', amount: '0.5', chain: CHAIN, address_id: id }, mayBreak: true });
            await during(agent);
            nodes.forEach((node) => node.behave());
            await mine(1024);
            const open = `SELECT COUNT(*) FROM executions WHERE in_flight = 1 AND wallet_id = (SELECT id FROM wallets WHERE address = '${agent.address}')`;
            await until('its withdrawals to be settled', async () => await sql(open) === '0'); // the stack's jobs do not know the chain
        } finally {
            nodes.forEach((node) => node.behave());
            await gateway.stop();
        }
    });
}

const status = async (agent, id) => granted(await agent.get(`/withdrawals/${id}`)).withdrawal.status;
const completed = (agent, id) => passing('the withdrawal to be completed', async () => await status(agent, id) === 'completed');

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

/** A withdrawal, when a block has just paid, that cost no more than that for each gas. */
async function paysAtMost(agent, wei) {
    await pay();
    const before = await held(agent.address), given = await held(RECIPIENT);
    const { withdrawal: { id } } = granted(await agent.withdraw());
    await completed(agent, id);
    const fee = before - await held(agent.address) - (await held(RECIPIENT) - given);
    assert.ok(fee > 0n && fee <= wei * TRANSFER_GAS, `${fee} wei`);
}

/** Nothing is signed, and the answer says why. */
async function refusesFor(agent, reason) {
    await pay();
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
    const honest = BigInt(await rpc(chain.url, 'eth_gasPrice', []));
    nodes[0].misbehave(times(1000n, PRICE));
    await paysAtMost(agent, honest * 4n);
    nodes[0].misbehave(times(1000n, ALL));
    await refusesFor(agent, /gas_price_max\.bsc/);
    nodes[0].behave();
    await paysAtMost(agent, MOST_WEI);
}));

/** A node that takes what it is sent, shows it in a block, and passes nothing on. */
const swallows = () => {
    const taken = new Set();
    return {
        pretends: ({ method, params: [first] = [] }) => {
            if (method !== 'eth_sendRawTransaction') return undefined;
            taken.add(keccak256(first));
            return keccak256(first);
        },
        answers: ({ method, params: [first] = [] }, answer) => {
            if (method === 'eth_getTransactionCount' && taken.size > 0) return { ...answer, result: `0x${(BigInt(answer.result) + 1n).toString(16)}` };
            if (method !== 'eth_getTransactionReceipt' || !taken.has(first) || answer.result !== null) return undefined;
            return { ...answer, result: { transactionHash: first, blockNumber: '0x1', status: '0x1', gasUsed: '0x5208', effectiveGasPrice: '0x1', logs: [] } };
        },
    };
};

for (const [which, node] of nodes.entries()) {
    test(`node ${which + 1} of two lies about what has succeeded: it is not completed, and carried out once`, () => withOwner(urls, async (agent) => {
        const given = await held(RECIPIENT), half = FUNDS / 200n;
        node.misbehave(swallows());
        const { withdrawal: { id } } = granted(await agent.withdraw());
        // The other node gets it, too.
        await passing('it to be paid', async () => {
            const now = await status(agent, id), paid = await held(RECIPIENT) - given;
            assert.ok(now !== 'completed' || paid === half, `${now} ${paid}`);
            return paid === half;
        });
        node.behave();
        await completed(agent, id);
        assert.equal(await held(RECIPIENT) - given, half);
    }));
}

test('a nonce that a node called used is opened again', () => withOwner(urls.slice(0, 1), async (agent) => {
    const given = await held(RECIPIENT), half = FUNDS / 200n;
    const settled = (id) => until('it to be settled', async () => {
        await mine(64);
        return await sql(`SELECT in_flight FROM executions WHERE id = ${id}`) === '0';
    });
    const lied = async () => {
        nodes[0].misbehave(swallows());
        const { withdrawal: { id } } = granted(await agent.withdraw());
        await completed(agent, id);
        await settled(id);
        nodes[0].behave();
        assert.equal(await held(RECIPIENT), given);
        return id;
    };
    const first = await lied();
    // By itself, once something waits behind it.
    const { withdrawal: { id: second } } = granted(await agent.withdraw());
    await sql(`UPDATE transactions SET created_at = created_at - INTERVAL 1 MINUTE WHERE execution_id = ${second}`);
    await passing('both to be paid', async () => await held(RECIPIENT) - given === 2n * half);
    for (const id of [first, second]) {
        await completed(agent, id);
        await settled(id);
    }
    assert.match(await operate('reopen', String(first)), /is followed again/);
    await settled(first);
    assert.deepEqual([await status(agent, first), await held(RECIPIENT) - given], ['completed', 2n * half]);
}));
