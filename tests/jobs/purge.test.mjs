// Section: operator
// What a deleted agent leaves, and agent-purge.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
    granted, refused, show, until,
} from '../api/lib.mjs';
import { A2A } from '../api/a2a.mjs';
import { nonceOf } from '../api/chain.mjs';
import {
    forgetEvents, held, polled, runJob, sql, trader, waiting, withoutBlocks,
} from './lib.mjs';

const CHAIN = 'base';
const OWNED = [
    'quotes', 'idempotency', 'webhook_events', 'event_totals', 'tasks', 'task_messages', 'task_pushes', 'executions', 'wallets', 'purges',
];

before(forgetEvents);

const idOf = (agent) => sql(`SELECT id FROM agents WHERE uuid = UNHEX(REPLACE('${agent.id}', '-', ''))`);
const count = async (table, id) => Number(await sql(`SELECT COUNT(*) FROM ${table} WHERE agent_id = ${id}`));

async function remove(agent) {
    const answer = await agent.send('DELETE', '/me?confirm=test');
    assert.equal(answer.status, 204, show(answer));
}

/** The job, as if two minutes had passed. */
async function purge(id) {
    await sql(`UPDATE purges SET next_at = UTC_TIMESTAMP(3), created_at = created_at - INTERVAL 2 MINUTE WHERE agent_id = ${id}`);
    await runJob('agent-purge');
}

/** An agent with something in every table, and the ids of its rows there. */
async function busy() {
    const agent = await trader(CHAIN);
    agent.row = await idOf(agent);
    agent.walletRow = await sql(`SELECT id FROM wallets WHERE agent_id = ${agent.row}`);
    granted(await agent.send('POST', '/quote', {
        json: { from_token: 'ETH', to_token: 'USDC', amount: '1', chain: CHAIN }, headers: { 'idempotency-key': 'k' },
    }));
    const push = { taskPushNotificationConfig: { url: 'https://receiver.example/' } };
    await new A2A(agent).call('execute_swap', {}, {}, push);
    return agent;
}

async function left(agent, swap) {
    return {
        owned: Object.fromEntries(await Promise.all(OWNED.map(async (table) => [table, await count(table, agent.row)]))),
        below: await Promise.all(['transactions', 'execution_history'].map((table) => sql(`SELECT COUNT(*) FROM ${table} WHERE execution_id = ${swap}`).then(Number))),
        nonces: Number(await sql(`SELECT COUNT(*) FROM wallet_nonces WHERE wallet_id = ${agent.walletRow}`)),
    };
}

const NOTHING = { owned: Object.fromEntries(OWNED.map((table) => [table, 0])), below: [0, 0], nonces: 0 };

test('all rows of a deleted agent are removed', async () => {
    const agent = await busy();
    const swap = await agent.swap('ETH', 'USDC', '0.01', { chain: CHAIN });
    await agent.completed(swap);
    await until('the event', async () => (await agent.events('?event_type=swap.completed')).length === 1);
    await remove(agent);
    // At once: nothing that opens or sends anything.
    assert.equal(await sql(`SELECT COUNT(*) FROM agents WHERE id = ${agent.row}`), '0');
    assert.equal(await sql(`SELECT COUNT(*) FROM wallets WHERE agent_id = ${agent.row} AND sealed_key <> ''`), '0');
    assert.equal(await sql(`SELECT COUNT(*) FROM webhook_events WHERE agent_id = ${agent.row} AND status = 1 AND security = 0`), '0');
    await until('the purge to end', async () => {
        await purge(agent.row);
        return await count('purges', agent.row) === 0;
    });
    assert.deepEqual(await left(agent, swap), NOTHING);
});

test('a swap in flight is followed to its end, without its key, and then goes', async () => {
    const agent = await busy();
    const swap = await withoutBlocks(CHAIN, async () => {
        const id = await agent.swap('ETH', 'USDC', '0.01', { chain: CHAIN });
        await remove(agent);
        await purge(agent.row);
        const now = await left(agent, id);
        assert.deepEqual([now.owned.executions, now.owned.wallets, now.owned.purges, now.owned.quotes], [1, 1, 1, 0]);
        assert.ok(now.below.every((n) => n > 0));
        return id;
    });
    await until('the swap to be settled', async () => await sql(`SELECT in_flight = 0 AND status = 4 FROM executions WHERE id = ${swap}`) === '1');
    assert.equal(await nonceOf(CHAIN, agent.address), 1);
    assert.deepEqual(new Set(agent.hook.deliveries.map(({ raw }) => JSON.parse(raw).type)), new Set(['agent.deleted']));
    await until('the purge to end', async () => {
        await purge(agent.row);
        return await count('purges', agent.row) === 0;
    });
    assert.deepEqual(await left(agent, swap), NOTHING);
});

test('a swap that will never be included is given up a day after its end; swap-poll bears it until then', async () => {
    const agent = await busy();
    const swap = await withoutBlocks(CHAIN, async () => {
        const id = await agent.swap('ETH', 'USDC', '0.01', { chain: CHAIN });
        await remove(agent);
        // No node has it any more, and its time is over.
        await sql(`UPDATE transactions SET hash = UNHEX(SHA2(RAND(), 256)) WHERE execution_id = ${id};`
            + ` UPDATE wallets SET address = CONCAT('0x', LEFT(SHA2(RAND(), 256), 40)) WHERE agent_id = ${agent.row};`
            + ` UPDATE executions SET valid_until = valid_until - INTERVAL 1 HOUR, due_at = UTC_TIMESTAMP(3) WHERE id = ${id}`);
        return id;
    });
    await polled(swap);
    await purge(agent.row);
    assert.equal(await count('executions', agent.row), 1);
    assert.equal(await sql(`SELECT COUNT(*) FROM transactions WHERE execution_id = ${swap} AND kind = 3`), '0');
    await sql(`UPDATE executions SET valid_until = valid_until - INTERVAL 2 DAY WHERE id = ${swap}`);
    await until('the purge to end', async () => {
        await purge(agent.row);
        return await count('purges', agent.row) === 0;
    });
    assert.deepEqual(await left(agent, swap), NOTHING);
});

for (const [what, meanwhile] of [
    ['the agent is gone', (agent) => `DELETE FROM agents WHERE id = ${agent.row}`],
    ['its key is gone', (agent) => `UPDATE wallets SET sealed_key = '' WHERE agent_id = ${agent.row}`],
]) {
    test(`an execute that comes to its commit when ${what} leaves nothing`, async () => {
        const agent = await busy();
        const quote = await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN });
        // The execute waits for the wallet, which is held meanwhile.
        const letGo = await held(`SELECT id FROM wallets WHERE agent_id = ${agent.row} FOR UPDATE`);
        const answer = agent.execute(quote);
        await waiting();
        await letGo(meanwhile(agent));
        refused(await answer, 'Unauthorized');
        assert.equal(await count('executions', agent.row), 0);
        assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), 0);
        await sql(`DELETE FROM agents WHERE id = ${agent.row}`);
    });
}
