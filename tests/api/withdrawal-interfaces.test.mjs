// Section: api
// Withdrawals by plain English, MCP and A2A: each does what REST does, and none pays another address.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Wallet } from 'ethers';
import { A2A } from './a2a.mjs';
import {
    granted, refused, register, send, until,
} from './lib.mjs';
import {
    balance, give, nonceOf, text, units,
} from './chain.mjs';
import { ask, listed, result } from './mcp.mjs';

const NOT_FOUND = 'Withdrawal address not found';
const evmAddress = () => Wallet.createRandom().address;
const say = (agent, command, more = {}) => agent.post('/execute', { command, ...more });
const rehearse = (agent, command) => say(agent, command, { dry_run: true });
const tool = async (agent, name, args = {}) => result(await ask('tools/call', { name, arguments: args }, { key: agent.key }));
const book = async (agent) => granted(await agent.get('/withdrawal-addresses')).withdrawal_addresses;

/** An agent with an active address, "cold", and 10 ETH and 1000 USDC on Base. */
async function owner() {
    const agent = await register();
    agent.cold = evmAddress();
    agent.entry = granted(await agent.post('/withdrawal-addresses', { address: agent.cold, label: 'cold' }), 201).withdrawal_address.id;
    agent.address = await agent.wallet('base', 10);
    await give('base', agent.address, 'USDC', '1000');
    return agent;
}

/** The command was understood as this; returns the result. */
function understood(answer, action, parsed) {
    const body = granted(answer);
    assert.deepEqual([body.action, body.parsed], [action, parsed]);
    return body.result;
}

const completed = (agent, { withdrawal: { id } }) => until(`withdrawal ${id} to end`, async () => {
    const now = granted(await agent.get(`/withdrawals/${id}`)).withdrawal;
    assert.notEqual(now.status, 'failed', now.error);
    return now.status === 'completed' && now;
});

const of = (token, amount, more = {}) => ({ token, amount, amount_kind: 'exact', chain: 'base', to: 'cold', ...more });
const arrived = async (agent, token) => Number(text('base', token, await balance('base', agent.cold, token)));

test('a sentence withdraws to a label, to a wallet of that name, and to the address itself', async () => {
    const agent = await owner();
    const said = [
        ['withdraw 100 USDC on base to cold', 'cold'], ['send 100 USDC from base to my Cold wallet', 'Cold wallet'],
        [`transfer 100 USDC on base to ${agent.cold}`, agent.cold], [`transfer 100 USDC on base to ${agent.cold.toLowerCase()}`, agent.cold],
    ];
    for (const [i, [command, to]] of said.entries()) {
        const done = await completed(agent, understood(await say(agent, command), 'withdraw', of('USDC', '100', { to })));
        assert.deepEqual([done.amount, done.to, done.address_id], ['100', agent.cold, agent.entry]);
        assert.equal(await arrived(agent, 'USDC'), 100 * (i + 1));
    }
});

test('a share is of all that could be withdrawn, dollars are converted, and all leaves nothing but fees', async () => {
    const agent = await owner();
    await completed(agent, understood(await say(agent, 'send half of my USDC on base to cold'), 'withdraw', of('USDC', '50', { amount_kind: 'percent' })));
    assert.equal(await arrived(agent, 'USDC'), 500);
    const worth = await completed(agent, understood(await say(agent, 'withdraw $100 of ETH on base to cold'), 'withdraw', of('ETH', '100', { amount_kind: 'usd' })));
    assert.ok(Number(worth.amount) > 0.01 && Number(worth.amount) < 1, worth.amount);
    await completed(agent, understood(await say(agent, 'withdraw all my ETH on base to cold'), 'withdraw', of('ETH', '100', { amount_kind: 'percent' })));
    assert.ok(await balance('base', agent.cold, 'ETH') > units('base', 'ETH', '9.99'));
    refused(await say(agent, 'send half of my DAI on base to cold'), 'Insufficient balance');
});

test('no label reads as an address, and an address and an id that are sent together agree', async () => {
    const agent = await owner(), other = evmAddress();
    const written = [other, other.toLowerCase(), `${other.slice(0, -1)}0`, 'So11111111111111111111111111111111111111112',
        'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2', ` ${other}`,
        // as ERC-3770 and CAIP-10 write it, and among other words
        `base:${other}`, `eip155:8453:${other}`, 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', `to ${other}`, `(${other})`, `\u{ff10}x${other.slice(2)}`];
    for (const label of written) {
        refused(await agent.post('/withdrawal-addresses', { address: evmAddress(), label }), 'label must not read as an address', ['label']);
    }
    for (const label of [`${other}\u200b`, `${other.slice(0, 9)}\u200b${other.slice(9)}`, 'co\u200bld', 'co\nld', '\u202ecold']) {
        refused(await agent.post('/withdrawal-addresses', { address: evmAddress(), label }), 'Validation failed', ['label']);
    }
    const { isError, content } = await tool(agent, 'add_withdrawal_address', { address: evmAddress(), label: other });
    assert.ok(isError && content[0].text.includes('label must not read as an address'), content[0].text);
    const hot = granted(await agent.post('/withdrawal-addresses', { address: other, label: 'hot' }), 201).withdrawal_address;
    const simulate = (names) => agent.post('/wallets/withdraw/simulate', { token: 'USDC', amount: '1', chain: 'base', ...names });
    for (const to of ['cold', agent.cold, agent.cold.toLowerCase()]) {
        assert.equal(granted(await simulate({ to, address_id: agent.entry })).to, agent.cold);
        refused(await simulate({ to, address_id: hot.id }), 'to and address_id name different addresses', ['address_id']);
    }
});

test('a dry run rehearses and moves nothing', async () => {
    const agent = await owner(), nonce = await nonceOf('base', agent.address, 'pending');
    const rehearsal = understood(await rehearse(agent, 'withdraw 25% of my USDC on base to cold'), 'withdraw', of('USDC', '25', { amount_kind: 'percent' }));
    assert.deepEqual([rehearsal.would_execute, rehearsal.amount, rehearsal.to], [true, '250', agent.cold]);
    assert.deepEqual(understood(await rehearse(agent, 'remove withdrawal address cold'), 'withdrawal_address_remove', { to: 'cold', address_id: agent.entry }), {});
    const address = evmAddress();
    assert.deepEqual(understood(await rehearse(agent, `add withdrawal address ${address} as hot`), 'withdrawal_address_add', { address, label: 'hot' }), {});
    assert.deepEqual([await nonceOf('base', agent.address, 'pending'), (await book(agent)).map(({ status }) => status)], [nonce, ['active']]);
});

test('an address that is not in the list is not paid', async () => {
    const [agent, other] = [await owner(), await owner()];
    const nonce = await nonceOf('base', agent.address, 'pending');
    for (const command of ['send 5 USDC on base to bob', `send 5 USDC on base to ${other.cold}`, 'withdraw all USDC on base to cold and then some', 'withdraw 5 SOL to cold']) {
        const answer = await say(agent, command);
        if (answer.status === 404) assert.match(refused(answer, NOT_FOUND).hint, /POST \/withdrawal-addresses/, command);
        else refused(answer, 'Unable to parse command');
    }
    refused(await say(agent, 'send 5 USDC on base to bob'), NOT_FOUND);
    assert.equal(granted(await rehearse(agent, 'send 5 USDC on base to bob')).result.unavailable, NOT_FOUND);
    for (const [command, hint] of [
        ['send 5 USDC to cold', /on which chain/], ['send 5 USDC', /to whom/], ['withdraw USDC on base to cold', /amount is missing/],
        ['send 5 USDC on ethereum to base', /bridge/], ['remove withdrawal address', /which/],
    ]) assert.match(refused(await say(agent, command), 'Unable to parse command').hint, hint, command);
    assert.equal(await nonceOf('base', agent.address, 'pending'), nonce);
});

test('the list and what was withdrawn are asked for, added to and taken from in words', async () => {
    const agent = await owner(), hot = evmAddress();
    const { withdrawal } = understood(await say(agent, 'withdraw 1 USDC on base to cold'), 'withdraw', of('USDC', '1'));
    await completed(agent, { withdrawal });
    const same = async (command, action, parsed, path) => assert.deepEqual(understood(await say(agent, command), action, parsed), granted(await agent.get(path)), command);
    await same('my withdrawal addresses', 'withdrawal_addresses', {}, '/withdrawal-addresses');
    await same('list my withdrawals', 'withdrawals', {}, '/withdrawals');
    await same('list failed withdrawals', 'withdrawals', { status: 'failed' }, '/withdrawals?status=failed');
    await same(`status of withdrawal ${withdrawal.id}`, 'withdrawal_status', { withdrawal_id: withdrawal.id }, `/withdrawals/${withdrawal.id}`);
    await same('did my last withdrawal go through?', 'withdrawal_status', { withdrawal_id: withdrawal.id }, `/withdrawals/${withdrawal.id}`);
    refused(await say(agent, 'status of withdrawal 999999999'), 'Withdrawal not found');
    const added = understood(await say(agent, `add withdrawal address ${hot} as hot-2`), 'withdrawal_address_add', { address: hot, label: 'hot-2' }).withdrawal_address;
    assert.deepEqual([added.label, added.status], ['hot-2', 'waiting']);
    refused(await say(agent, 'send 1 USDC on base to hot-2'), 'Withdrawal address is not active');
    assert.deepEqual(understood(await say(agent, 'remove withdrawal address hot-2'), 'withdrawal_address_remove', { to: 'hot-2', address_id: added.id }), { success: true });
    refused(await say(agent, 'remove withdrawal address hot-2'), NOT_FOUND);
    understood(await say(agent, `remove withdrawal address #${agent.entry}`), 'withdrawal_address_remove', { address_id: agent.entry });
    assert.deepEqual((await book(agent)).map(({ status }) => status), ['removed', 'removed']);
    refused(await say(agent, 'withdraw 1 USDC on base to cold'), NOT_FOUND);
});

test('a sentence under an Idempotency-Key withdraws once', async () => {
    const agent = await owner();
    const once = { headers: { 'Idempotency-Key': evmAddress() }, json: { command: 'withdraw 7 USDC on base to cold' } };
    const [first, second] = [await agent.send('POST', '/execute', once), await agent.send('POST', '/execute', once)];
    assert.deepEqual(second.body, first.body);
    await completed(agent, granted(first).result);
    assert.equal(await arrived(agent, 'USDC'), 7);
});

test('tools withdraw as REST does', async () => {
    const agent = await owner(), hot = evmAddress();
    const called = async (name, args) => {
        const { isError, structuredContent } = await tool(agent, name, args);
        assert.equal(isError, false, JSON.stringify(structuredContent));
        return structuredContent;
    };
    const fields = { token: 'USDC', amount: '10', chain: 'base', address_id: agent.entry };
    assert.equal((await called('simulate_withdrawal', fields)).would_execute, true);
    const { id } = await completed(agent, await called('withdraw', fields));
    assert.equal((await called('get_withdrawal', { id })).withdrawal.status, 'completed');
    assert.deepEqual((await called('list_withdrawals', {})).withdrawals.map((each) => each.id), [id]);
    const { withdrawal_address: { id: entry } } = await called('add_withdrawal_address', { address: hot });
    await called('remove_withdrawal_address', { id: entry });
    assert.deepEqual((await called('list_withdrawal_addresses', {})).withdrawal_addresses.map(({ status }) => status), ['removed', 'active']);
    assert.equal(await arrived(agent, 'USDC'), 10);
});

test('a task withdraws, and asks for the chain that was not said', async () => {
    const agent = await owner(), a2a = new A2A(agent);
    const told = await a2a.send([{ text: 'withdraw 3 USDC to cold' }]);
    a2a.is(told, 'input-required');
    await a2a.send([{ text: 'on base' }], { taskId: told.id });
    a2a.is(await a2a.ended(told.id), 'completed');
    await a2a.done('withdraw', { token: 'USDC', amount: '4', chain: 'base', address_id: agent.entry });
    await until('both to arrive', async () => await arrived(agent, 'USDC') === 7);
    a2a.is(await a2a.send([{ text: 'send 1 USDC on base to bob' }]), 'rejected');
});

test('every document and every list names all of them', async () => {
    const { key } = await register();
    const tools = await listed('wallets', { key });
    const [card, openapi, llms] = await Promise.all(['/.well-known/agent-card.json', '/v1/agent/openapi', '/llms-full.txt'].map((path) => send('GET', path)));
    const skill = card.body.skills.find(({ id }) => id === 'withdrawals');
    for (const name of ['add_withdrawal_address', 'list_withdrawal_addresses', 'remove_withdrawal_address', 'withdraw', 'simulate_withdrawal', 'list_withdrawals', 'get_withdrawal']) {
        assert.ok(tools.some((each) => each.name === name), name);
        assert.ok(skill.description.includes(name), name);
    }
    for (const path of ['/withdrawal-addresses', '/withdrawal-addresses/{id}', '/wallets/withdraw', '/wallets/withdraw/simulate', '/withdrawals', '/withdrawals/{id}']) {
        assert.ok(path in openapi.body.paths && llms.text.includes(path), path);
    }
});
