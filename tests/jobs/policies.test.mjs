// Section: operator
// What only the operator does about policies: approving, denying, setting and ending them; and the audit log of it all.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import {
    granted, refused, show, until, verified,
} from '../api/lib.mjs';
import { balance, buyCoins, nonceOf, sellCoins, units } from '../api/chain.mjs';
import {
    agentctl, elapse, heard, held, operate, runJob, sql, trader, waiting, withoutBlocks,
} from './lib.mjs';

const REFUSED = 'Refused by a wallet policy';

after(() => operate('resume', 'all'));

/** An agent whose swaps of more than 100 dollars want an approval. */
async function asker() {
    const agent = await trader('ethereum');
    agent.policy = async (type, params) => granted(await agent.post('/wallet/policy', { type, params })).policy;
    await agent.policy('approval_limit', { maxAmountUsd: '100' });
    /** Requests one; the answer, with the quote. */
    agent.ask = async (amount = '0.1') => {
        const quote = await agent.quote('ETH', 'USDC', amount);
        return { ...granted(await agent.execute(quote), 202), quote };
    };
    agent.goOn = ({ approval_id }) => agent.post('/swap/execute', { approval_id });
    return agent;
}

// ---------------------------------------------------------------- approvals

test('an approval is granted, used once, and is the swap that asked', async () => {
    const agent = await asker();
    const asked = await agent.ask();
    const line = (await operate('approvals')).split('\n').find((each) => each.startsWith(asked.approval_id));
    assert.match(line, new RegExp(`${agent.id}  ${agent.address}  swap +${asked.swap_id} .* 0\\.1 ETH for at least [0-9.]+ USDC .*approval_limit.*gives \\d{3}\\.\\d+ USD`));
    await operate('approve', asked.approval_id);
    assert.ok(!(await operate('approvals')).includes(asked.approval_id));
    const answers = await Promise.all(Array.from({ length: 8 }, () => agent.goOn(asked)));
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1, answers.map(show).join('\n'));
    assert.equal(granted(won[0]).swap_id, asked.swap_id);
    for (const answer of answers) if (answer !== won[0]) assert.equal(refused(answer, 'Approval not found').swap_id, asked.swap_id);
    const swap = await agent.completed(asked.swap_id);
    assert.ok(units('ethereum', 'USDC', swap.to_amount) >= units('ethereum', 'USDC', asked.quote.amount_out_min));
    assert.equal(await nonceOf('ethereum', agent.address, 'pending'), 1);
    verified(await agent.hook.delivery(({ raw }) => JSON.parse(raw).type === 'swap.completed'), agent.secret);
    // Each swap wants one of its own.
    await agent.ask();
    agent.hook.close();
});

test('a denied swap ends as failed, and its event is sent', async () => {
    const agent = await asker();
    const [asked, later] = [await agent.ask(), await agent.ask()];
    await operate('deny', asked.approval_id);
    refused(await agent.goOn(asked), 'Approval denied');
    const swap = await agent.status(asked.swap_id);
    assert.deepEqual([swap.status, swap.error_code, swap.tx_hash, swap.transactions], ['failed', 'POLICY_VIOLATION', null, []]);
    await until('the event', () => heard(agent, 'swap.failed', asked.swap_id).length === 1);
    // Also after it was granted.
    await operate('approve', later.approval_id);
    await operate('deny', later.approval_id);
    refused(await agent.goOn(later), 'Approval denied');
    for (const command of ['approve', 'deny']) {
        const { code, err } = await agentctl(command, asked.approval_id);
        assert.deepEqual([code, err], [1, 'agentctl: it is decided, used or over already\n']);
    }
    assert.equal(await nonceOf('ethereum', agent.address, 'pending'), 0);
    assert.deepEqual(granted(await agent.get('/swaps?status=failed')).pagination.total, 2);
    agent.hook.close();
});

test('a request that lapses is expired, in lists and events failed', async () => {
    const agent = await asker();
    const [asked, allowed] = [await agent.ask(), await agent.ask()];
    await operate('approve', allowed.approval_id);
    for (const { swap_id: id } of [asked, allowed])
        await sql(`UPDATE approvals SET expires_at = UTC_TIMESTAMP(3) WHERE execution_id = ${id}; UPDATE executions SET due_at = UTC_TIMESTAMP(3) WHERE id = ${id}`);
    for (const each of [asked, allowed]) {
        refused(await agent.goOn(each), 'Approval expired');
        const swap = await until('the swap to expire', async () => {
            const now = await agent.status(each.swap_id);
            return now.status === 'expired' && now;
        });
        assert.deepEqual([swap.error_code, swap.transactions], ['APPROVAL_EXPIRED', []]);
        await until('the event', () => heard(agent, 'swap.failed', each.swap_id).length === 1);
        refused(await agent.goOn(each), 'Approval expired');
        assert.equal((await agentctl('approve', each.approval_id)).code, 1);
    }
    assert.deepEqual(granted(await agent.get('/swaps?status=failed')).swaps.map(({ status }) => status), ['failed', 'failed']);
    assert.equal(granted(await agent.get('/swaps?status=pending')).pagination.total, 0);
    agent.hook.close();
});

test('never at a worse price than was approved', async () => {
    const agent = await asker();
    const asked = await agent.ask();
    await operate('approve', asked.approval_id);
    await sellCoins('ethereum', 0.03);
    try {
        refused(await agent.goOn(asked), 'Price moved beyond slippage');
        assert.equal(await nonceOf('ethereum', agent.address, 'pending'), 0);
    } finally {
        await buyCoins('ethereum', 0.03);
    }
    // The approval stays until the price is back, or its time is over.
    assert.equal(granted(await agent.goOn(asked)).swap_id, asked.swap_id);
    const swap = await agent.completed(asked.swap_id);
    assert.ok(units('ethereum', 'USDC', swap.to_amount) >= units('ethereum', 'USDC', asked.quote.amount_out_min));
    agent.hook.close();
});

test('an approval is about its limit alone: other policies, the stop and the balance still count', async () => {
    const agent = await asker();
    const asked = await agent.ask();
    await operate('approve', asked.approval_id);
    await operate('stop', agent.id);
    refused(await agent.goOn(asked), 'Trading is paused by the operator');
    await operate('resume', agent.id);
    const { id } = await agent.policy('whitelist', { allowedChains: ['base'] });
    refused(await agent.goOn(asked), REFUSED);
    await operate('unpolicy', agent.id, id);
    assert.equal(granted(await agent.goOn(asked)).swap_id, asked.swap_id);
    await agent.completed(asked.swap_id);
    agent.hook.close();
});

test('approved swaps count in sums', async () => {
    const agent = await asker();
    await agent.policy('spending_limit', { maxAmountUsd: '400', timeWindowSeconds: 3600 });
    const asked = await agent.ask();
    // What waits does not.
    granted(await agent.execute(await agent.quote('ETH', 'USDC', '0.03')));
    await operate('approve', asked.approval_id);
    granted(await agent.goOn(asked));
    refused(await agent.execute(await agent.quote('ETH', 'USDC', '0.03')), REFUSED);
    // Nor does what has failed for good.
    await agent.completed(asked.swap_id);
    await sql(`UPDATE executions SET status = 5, in_flight = 0 WHERE id = ${asked.swap_id}`);
    granted(await agent.execute(await agent.quote('ETH', 'USDC', '0.03')));
    agent.hook.close();
});

// ---------------------------------------------------------------- the operator's policies

const CAP = JSON.stringify({ type: 'whitelist', params: { allowedChains: ['base'] } });

test('the agent sees a policy of the operator\'s, but cannot delete it; the operator ends it at once', async () => {
    const agent = await trader('ethereum');
    const id = (await operate('policy', agent.id, CAP)).trim();
    const [shown] = granted(await agent.get('/wallet/policies')).policies;
    assert.deepEqual([shown.id, shown.set_by], [id, 'operator']);
    refused(await agent.execute(await agent.quote('ETH', 'USDC', '0.01')), REFUSED);
    refused(await agent.send('DELETE', `/wallet/policy/${id}`), "The policy is the operator's");
    assert.match(await operate('policies', agent.id), new RegExp(`^${id}  whitelist +operator `));
    await operate('unpolicy', agent.id, id);
    assert.deepEqual(granted(await agent.get('/wallet/policies')).policies, []);
    granted(await agent.execute(await agent.quote('ETH', 'USDC', '0.01')));
    assert.equal((await agentctl('unpolicy', agent.id, id)).code, 1);
    agent.hook.close();
});

test('a policy that the operator mistypes is none', async () => {
    const agent = await trader('ethereum');
    for (const text of ['', '{', '[]', '{"type":"whitelist"}', '{"type":"none","params":{}}', '{"type":"whitelist","params":{}}', '{"type":"spending_limit","params":{"maxAmountUSD":"1"}}']) {
        const { code, out, err } = await agentctl('policy', agent.id, text);
        assert.deepEqual([code, out], [1, ''], text);
        assert.match(err, /^agentctl: ./);
    }
    assert.equal(await operate('policies', agent.id), '');
    agent.hook.close();
});

test('a deleted policy ends when its day is over', async () => {
    const agent = await trader('ethereum');
    const { id } = granted(await agent.post('/wallet/policy', JSON.parse(CAP))).policy;
    granted(await agent.send('DELETE', `/wallet/policy/${id}`));
    refused(await agent.execute(await agent.quote('ETH', 'USDC', '0.01')), REFUSED);
    await sql(`UPDATE policies SET ends_at = ends_at - INTERVAL 1 DAY WHERE id = UNHEX('${id.replaceAll('-', '')}')`);
    assert.deepEqual(granted(await agent.get('/wallet/policies')).policies, []);
    granted(await agent.execute(await agent.quote('ETH', 'USDC', '0.01')));
    agent.hook.close();
});

test('a policy is answered when what holds its wallet is through', async () => {
    const agent = await trader('ethereum');
    // As an execute does while it signs.
    const letGo = await held(`SELECT id FROM wallets WHERE address = '${agent.address}' FOR UPDATE`);
    let answered = false;
    const answer = agent.post('/wallet/policy', JSON.parse(CAP)).finally(() => { answered = true; });
    await waiting();
    assert.ok(!answered, 'answered while the wallet was held');
    await letGo();
    granted(await answer);
    agent.hook.close();
});

test('a policy that cannot be read allows nothing', async () => {
    for (const damage of ["params = '{'", "params = '{}'", 'type = 9', "params = '{\"allowedChains\":[\"mars\"]}'"]) {
        const agent = await trader('ethereum');
        await operate('policy', agent.id, JSON.stringify({ type: 'whitelist', params: { allowedChains: ['ethereum'] } }));
        const quote = await agent.quote('ETH', 'USDC', '0.01');
        await sql(`UPDATE policies p JOIN agents a ON a.id = p.agent_id SET p.${damage} WHERE a.uuid = UNHEX('${agent.id.replaceAll('-', '')}')`);
        assert.match(refused(await agent.execute(quote), REFUSED).hint, /cannot be read/, damage);
        agent.hook.close();
    }
});

test('a swap that is sped up is not asked about again', async () => {
    const agent = await trader('ethereum');
    await withoutBlocks('ethereum', async () => {
        const id = await agent.swap('ETH', 'USDC', '0.01');
        await operate('policy', agent.id, CAP);
        await until('the node to have it', async () => (await agent.status(id)).status === 'submitted');
        await elapse(id, 61);
        await until('a second attempt', async () => (await agent.status(id)).transactions.length === 2);
    });
    await agent.completed((await agent.get('/swaps')).body.swaps[0].swap_id);
    agent.hook.close();
});

// ---------------------------------------------------------------- the audit log

const digest = (id) => createHash('sha256').update(id).digest('hex');
const lines = async (id) => (await sql(`SELECT line FROM audit WHERE line LIKE '%${digest(id)}%' ORDER BY seq`)).split('\n').filter(Boolean).map((line) => JSON.parse(line.replaceAll('\\\\', '\\')));

test('every act is on record, agents as digests, and stays so when an agent is deleted', async () => {
    const agent = await asker();
    const asked = await agent.ask();
    await operate('approve', asked.approval_id);
    granted(await agent.goOn(asked));
    await agent.completed(asked.swap_id);
    const { id } = await agent.policy('whitelist', { allowedChains: ['base'] });
    granted(await agent.send('DELETE', `/wallet/policy/${id}`));
    await operate('tier', agent.id, 'premium');
    agent.key = granted(await agent.send('POST', '/keys/rotate')).api_key;
    assert.equal((await agent.send('DELETE', '/me?confirm=test')).status, 204);
    const found = await lines(agent.id);
    assert.deepEqual(found.map(({ by, act }) => `${by} ${act}`), [
        'agent policy.create', 'agent approval.request', 'agent approval.use', 'agent policy.create', 'agent policy.delete', 'operator tier', 'agent key.rotate', 'agent agent.delete',
    ]);
    assert.deepEqual(found[1].detail, { approval: asked.approval_id, swap: asked.swap_id });
    assert.deepEqual(found[5].detail, [digest(agent.id), 'premium']);
    assert.equal(await sql(`SELECT COUNT(*) FROM audit WHERE line LIKE '%"act":"approve"%${asked.approval_id}%'`), '1');
    assert.equal(await sql(`SELECT COUNT(*) FROM audit WHERE line LIKE '%${agent.id}%'`), '0');
    agent.hook.close();
});

test('a deleted agent leaves no policy, sum or request', async () => {
    const agent = await asker();
    await agent.policy('spending_limit', { maxAmountUsd: '100000', timeWindowSeconds: 60 });
    await agent.ask();
    await agent.completed(await agent.swap('ETH', 'USDC', '0.01'));
    const number = await sql(`SELECT id FROM agents WHERE uuid = UNHEX('${agent.id.replaceAll('-', '')}')`);
    const rows = () => sql(`SELECT (SELECT COUNT(*) FROM policies WHERE agent_id = ${number}), (SELECT COUNT(*) FROM spends WHERE agent_id = ${number}), (SELECT COUNT(*) FROM approvals WHERE agent_id = ${number})`);
    assert.equal(await rows(), '2\t1\t1');
    assert.equal((await agent.send('DELETE', '/me?confirm=test')).status, 204);
    await runJob('agent-purge');
    await until('all of it to be gone', async () => (await rows()) === '0\t0\t0');
    agent.hook.close();
});

test('audit-verify finds what was changed, removed or cut off', async () => {
    assert.match(await operate('audit-verify'), /^\S+ {2}\d+ lines, sound, the last one is [0-9a-f]{64}$/m);
    const [host, last] = (await sql('SELECT host, seq FROM audit_heads LIMIT 1')).split('\t');
    const middle = Math.ceil(Number(last) / 2);
    const at = (seq) => `host = '${host}' AND seq = ${seq}`;
    for (const [damage, undo, line] of [
        [`UPDATE audit SET line = REPLACE(line, '"by":', '"By":') WHERE ${at(middle)}`, `UPDATE audit SET line = REPLACE(line, '"By":', '"by":') WHERE ${at(middle)}`, middle + 1],
        [`UPDATE audit SET seq = 1000000000 WHERE ${at(middle)}`, `UPDATE audit SET seq = ${middle} WHERE ${at(1000000000)}`, middle],
        [`UPDATE audit SET host = 'elsewhere' WHERE ${at(last)}`, `UPDATE audit SET host = '${host}' WHERE host = 'elsewhere' AND seq = ${last}`, Number(last)],
    ]) {
        await sql(damage);
        try {
            const { code, out } = await agentctl('audit-verify');
            assert.deepEqual([code, out], [1, `${host}  BROKEN at line ${line}\n`], damage);
        } finally {
            await sql(undo);
        }
    }
    await operate('audit-verify');
});

test('nothing changes that is not on record', async () => {
    const agent = await trader('ethereum');
    const before = await balance('ethereum', agent.address, 'ETH');
    await sql('RENAME TABLE audit TO audit_away');
    try {
        assert.equal((await agentctl('tier', agent.id, 'premium')).code, 1);
        assert.equal((await agent.send('POST', '/keys/rotate', { mayBreak: true })).status, 500);
        assert.equal((await agent.send('POST', '/wallet/policy', { json: JSON.parse(CAP), mayBreak: true })).status, 500);
    } finally {
        await sql('RENAME TABLE audit_away TO audit');
    }
    assert.equal(granted(await agent.get('/me')).agent.rate_limit_tier, 'standard');
    assert.deepEqual(granted(await agent.get('/wallet/policies')).policies, []);
    assert.equal(await balance('ethereum', agent.address, 'ETH'), before);
    agent.hook.close();
});
