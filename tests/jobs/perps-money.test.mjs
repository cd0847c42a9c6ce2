// Section: accounts
// Dollars for perpetuals when programs die, the database goes away in a commit and blocks are taken back: what is on record is
// carried out exactly once, and nothing is lost. By Circle's way on base, which the stack's own gateway has.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
    afterEach, before, describe, test,
} from 'node:test';
import { CHAINS as WORLD } from '../../contrib/sandbox/world.mjs';
import {
    balance, fund, give, nonceOf, rpc, units,
} from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    granted, register, until,
} from '../api/lib.mjs';
import { WAYS, falsified } from '../api/lying.mjs';
import { Node } from '../faults/node.mjs';
import {
    arm, disarm, endLeases, forgetEvents, hit, quiet, reorganise, settings, sql, withoutJobs,
} from './lib.mjs';

const CHAIN = 'base', START = '500';
const VENUE = `http://127.0.0.1:${settings().SANDBOX_UPSTREAM_PORT}`;
const HELD = 100; // at the venue
const LIMIT = { patience: 240_000 };

async function control(method, json, path = '') {
    const body = await (await fetch(`${VENUE}/_sandbox${path}`, { method, body: json && JSON.stringify(json) })).json();
    assert.equal(body.error, undefined, JSON.stringify(body));
    return body;
}
const venue = (fault, value, more) => control('POST', { service: 'hyperliquid', fault, value, ...more });
const audit = (table) => control('GET', undefined, `/audit/${table}?service=hyperliquid`);
const worth = async (user) => {
    const response = await fetch(`${VENUE}/hyperliquid/info`, { method: 'POST', body: JSON.stringify({ type: 'clearinghouseState', user }) });
    return Number((await response.json()).marginSummary.accountValue);
};

before(async () => {
    await forgetEvents();
    await quiet();
});
afterEach(async () => {
    disarm();
    await control('DELETE');
});

/** What is asked for, and what there is when it is done once; the gas of Circle's way out is taken at the venue. */
const TRANSFERS = {
    deposit: { path: '/perps/deposit', amount: '50', fee: '0.2065', atVenue: 149.7935, onChain: units(CHAIN, 'USDC', '450') },
    withdrawal: { path: '/perps/withdraw', amount: '40', fee: '0.2', atVenue: 59.9992, onChain: units(CHAIN, 'USDC', '539.8') },
};

/** With dollars on the chain and at the venue. */
async function owner() {
    const agent = await register();
    agent.address = await agent.wallet();
    await fund(CHAIN, agent.address, 10);
    await give(CHAIN, agent.address, 'USDC', START);
    await venue('give', { user: agent.address, amount: String(HELD + 1) });
    return agent;
}

const ask = (agent, { path, amount }) => agent.send('POST', path, { json: { amount, chain: CHAIN }, headers: { 'idempotency-key': 'once' }, mayBreak: true })
    .catch((error) => ({ status: 599, text: error.message }));

/** The same request again, until it is answered. */
const asked = (agent, what) => until('an answer', async () => {
    await endLeases();
    const answer = await ask(agent, what);
    return answer.status === 200 && granted(answer).transfer;
}, LIMIT);

async function doneOnce(agent, { id }, what) {
    const now = await until(`transfer ${id} to end`, async () => {
        const { transfer } = granted(await agent.get(`/perps/transfer/${id}`));
        return /^(completed|failed)$/.test(transfer.status) && transfer;
    }, LIMIT);
    assert.deepEqual([now.status, now.fee, now.error], ['completed', what.fee, null]);
    assert.equal(granted(await agent.get('/perps/transfers')).pagination.total, 1);
    assert.equal(await worth(agent.address), what.atVenue);
    assert.equal(await balance(CHAIN, agent.address, 'USDC'), what.onChain);
    const own = ({ id: row }) => row.startsWith(agent.address.toLowerCase());
    const signed = (await audit('nonces')).filter(own);
    assert.deepEqual(signed.map(({ bodies }) => bodies.length), what === TRANSFERS.withdrawal ? [1] : []);
    assert.equal((await audit('accepted')).filter(own).length, signed.length);
    assert.equal(await nonceOf(CHAIN, agent.address), what === TRANSFERS.deposit ? 2 : 0);
    assert.equal(await sql(`SELECT COUNT(*) FROM perps_transfers WHERE execution_id = ${id} AND proof IS NOT NULL`), '1');
    return now;
}

const WORKERS = [
    ['execute.sign.after', 'kill'], ['execute.store.after', 'kill'], ['market.store.before', 'kill'], ['market.store.after', 'kill'], ['db.commit.before', 'kill'],
    ['db.commit.after', 'kill'], ['db.commit.after', 'error'], ['execute.commit.after', 'kill'], ['offer.post.before', 'kill'], ['offer.post.after', 'kill'], ['execute.send.after', 'kill'],
];
const FOLLOWERS = ['poll.record.before', 'poll.record.after', 'market.move.before', 'market.move.after'].map((point) => [point, 'kill']);
const casesOf = (faults) => Object.entries(TRANSFERS).flatMap(([name, what]) => faults.map(([point, action]) => ({ name, what, point, action })));

/** One after the other, since what is armed is armed for all; a failure is that of the case's own test. */
async function begin(cases, work) {
    await Promise.all(cases.map(async (one) => { one.agent = await owner(); }));
    for (const one of cases) {
        one.transfer = work(one).finally(disarm);
        await one.transfer.catch(() => undefined);
    }
}

const isDoneOnce = async ({ agent, transfer, what }) => doneOnce(agent, await transfer, what);

// What each leaves behind is followed together.
describe('workers that die', { concurrency: true }, () => {
    const cases = casesOf(WORKERS);
    before(() => withoutJobs(() => begin(cases, async ({ agent, what, point, action }) => {
        arm(point, action, 1);
        await ask(agent, what);
        await hit(point);
        disarm();
        return asked(agent, what);
    })));
    for (const one of cases) {
        test(`a ${one.name} is carried out once where the worker meets ${one.action} at ${one.point}`, () => isDoneOnce(one));
    }
});

/** No process follows a transfer for a day, or one does again. */
const putOff = ({ id }) => sql(`UPDATE executions SET due_at = due_at + INTERVAL 1 DAY, lease_until = NULL WHERE id = ${id}`);
const resume = (ids) => sql(`UPDATE executions SET due_at = due_at - INTERVAL 1 DAY WHERE id IN (${ids})`);

describe('followers that die', { concurrency: true }, () => {
    const cases = casesOf(FOLLOWERS);
    before(async () => {
        await quiet();
        const left = [];
        await begin(cases, async ({ agent, what, point, action }) => {
            const transfer = await withoutJobs(async () => {
                const made = await asked(agent, what);
                arm(point, action, 1);
                return made;
            });
            await hit(point);
            disarm();
            await putOff(transfer); // so that the next one's follower is the one that dies
            left.push(transfer.id);
            return transfer;
        });
        await resume(left);
        await endLeases();
    });
    for (const one of cases) {
        test(`a ${one.name} is carried out once where its follower dies at ${one.point}`, () => isDoneOnce(one));
    }
});

test('a deposit whose block is taken back is made again, and credited once', async () => {
    const agent = await owner();
    const what = TRANSFERS.deposit;
    const transfer = await asked(agent, what);
    const { tx_hash: hash } = await until('its block', async () => {
        const now = granted(await agent.get(`/perps/transfer/${transfer.id}`)).transfer;
        return now.tx_hash !== null && await rpc(CHAIN, 'eth_getTransactionReceipt', [now.tx_hash]) !== null && now;
    });
    const { blockNumber } = await rpc(CHAIN, 'eth_getTransactionReceipt', [hash]);
    await reorganise(CHAIN, blockNumber);
    assert.equal(await rpc(CHAIN, 'eth_getTransactionReceipt', [hash]), null);
    await doneOnce(agent, transfer, what);
    assert.equal((await audit('deposits')).filter(({ user }) => user === agent.address.toLowerCase()).length, 1);
});

test('a deposit that reverts is failed, and nothing of it is waited for', async () => {
    const agent = await owner();
    const transfer = await withoutJobs(async () => {
        await rpc(CHAIN, 'evm_setIntervalMining', [0]);
        try {
            const made = await asked(agent, TRANSFERS.deposit);
            await rpc(CHAIN, 'anvil_dealERC20', [agent.address, WORLD[CHAIN].tokens.USDC.address, '0x0']);
            return made;
        } finally {
            await rpc(CHAIN, 'evm_setIntervalMining', [1]);
        }
    });
    const now = await until('its end', async () => {
        const { transfer: each } = granted(await agent.get(`/perps/transfer/${transfer.id}`));
        return /^(completed|failed)$/.test(each.status) && each;
    }, LIMIT);
    assert.deepEqual([now.status, now.error], ['failed', 'The transaction was included and reverted']);
    await until('no process to follow it', async () => await sql(`SELECT in_flight FROM executions WHERE id = ${transfer.id}`) !== '1', LIMIT);
    assert.equal(await sql(`SELECT state FROM requests WHERE execution_id = ${transfer.id}`), '4');
    assert.equal(await worth(agent.address), HELD);
});

// ---------------------------------------------------------------- two nodes

/** What decides of a payout among the logs, and how each may be false. */
const LIES = [
    [[], ['absent', 'type']], [[0], ['absent']], [[0, 'data'], WAYS], [[0, 'blockNumber'], ['absent', 'million', 'type']], [[0, 'address'], ['unit']],
    [[0, 'topics', 1], ['unit']], [[0, 'topics', 2], ['unit']], [[0, 'transactionHash'], ['unit']], [[0, 'logIndex'], ['absent', 'unit', 'type']],
].flatMap(([path, ways]) => ways.map((way) => [path, way]));

test('of two nodes, one that lies about a payout decides nothing', () => withoutJobs(async () => {
    const node = new Node(process.env.BASE_CHAIN_URL), { port } = await node.listen(0);
    const twice = await startGateway([`rpc.${CHAIN} = http://127.0.0.1:${port}/first, http://127.0.0.1:${port}/second`]);
    try {
        const agent = await owner(), what = TRANSFERS.withdrawal;
        const { id } = await asked(agent, what);
        await until('its payout', async () => await balance(CHAIN, agent.address, 'USDC') === what.onChain);
        await rpc(CHAIN, 'anvil_mine', ['0x40', '0x0']);
        const shown = async () => granted(await agent.get(`/perps/transfer/${id}`)).transfer;
        const pass = async () => {
            await sql(`UPDATE executions SET due_at = UTC_TIMESTAMP(3), lease_owner = NULL, lease_until = NULL WHERE id = ${id}`);
            await twice.pass('swap-poll');
        };
        for (const [turn, [path, way]] of LIES.entries()) {
            let told = 0;
            node.misbehave({
                path: turn % 2 === 0 ? '/first' : '/second',
                answers: ({ method }, { result, ...more }) => {
                    if (method !== 'eth_getLogs' || result?.length !== 1) return undefined;
                    told += 1;
                    return { ...more, ...falsified({ result }, ['result', ...path], way) };
                },
            });
            // Once when it is looked for, where it lies to that, and once when both are asked.
            await until('it to lie', async () => { await pass(); return told > 1; }, { interval: 10 });
            const { status, error } = await shown();
            assert.deepEqual([status, error], ['processing', null], `${path.join('.')} ${way}`);
        }
        node.behave();
        const now = await until('it to be completed', async () => { await pass(); const transfer = await shown(); return transfer.status === 'completed' && transfer; }, { interval: 10 });
        assert.equal(now.fee, what.fee);
    } finally {
        await twice.stop();
        node.close();
    }
}));

// ---------------------------------------------------------------- nodes that take few blocks at once

const TAKES = 10;

test('a payout is found where nodes take few blocks at once', async () => {
    const node = new Node(process.env.BASE_CHAIN_URL), { port } = await node.listen(0);
    const urls = ['first', 'second'].map((path) => `http://127.0.0.1:${port}/${path}`).join();
    const agent = await owner(), what = TRANSFERS.withdrawal;
    let refused = 0;
    node.misbehave({
        refuses: ({ method, params }) => {
            if (method !== 'eth_getLogs') return undefined;
            const [{ fromBlock, toBlock }] = params;
            if (toBlock !== 'latest' && Number(toBlock) - Number(fromBlock) < TAKES) return undefined;
            refused += 1;
            return { code: -32005, message: 'Block range limit exceeded.' };
        },
    });
    await withoutJobs(async () => {
        const { id } = await asked(agent, what);
        await until('its payout', async () => await balance(CHAIN, agent.address, 'USDC') === what.onChain);
        await rpc(CHAIN, 'anvil_mine', ['0x80', '0x0']);
        const narrow = await startGateway([`rpc.${CHAIN} = ${urls}`], { jobs: ['swap-poll'] });
        try {
            await doneOnce(agent, { id }, what);
            assert.ok(refused > 0);
            const lines = readFileSync(narrow.log, 'utf8').split('\n').filter((line) => line.includes('event=logs_refused '));
            assert.match(lines[0], /blocks=2000 said="Block range limit exceeded\." chain=base node=rpc\/[12] /);
        } finally {
            await narrow.stop();
            node.close();
        }
    });
});
