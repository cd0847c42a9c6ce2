// Section: api
// POST /a2a: a task over several messages, keys against doing a thing twice, secrets in what is said, deactivated agents, and
// what older clients read.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import {
    granted, refused, register, send, UUID,
} from './lib.mjs';
import { fund } from './chain.mjs';
import {
    A2A, CLIENTS, DIALECTS, fault, post, result,
} from './a2a.mjs';

const CHAIN = 'base';
const VERSIONS = Object.keys(DIALECTS);
const TRADE = { from_token: 'ETH', to_token: 'USDC', amount: '0.01', chain: CHAIN };

const wallets = async (agent) => granted(await agent.get('/wallets')).wallets.map(({ address }) => address);
const swaps = async (agent) => granted(await agent.get('/swaps')).pagination.total;

describe('A2A in turns', { concurrency: 8 }, () => {
    // ---------------------------------------------------------------- idempotency keys

    for (const version of VERSIONS) {
        test(`${version}: an idempotency_key is REST’s Idempotency-Key`, async () => {
            const agent = await register();
            const a2a = new A2A(agent, version);
            const make = (args) => a2a.call('create_wallet', args);
            const first = a2a.answer(await make({ idempotency_key: 'k', chain_type: 'evm' }));
            assert.deepEqual(a2a.answer(await make({ chain_type: 'evm', idempotency_key: 'k' })), first);
            const rest = await agent.send('POST', '/wallets', { json: { chain_type: 'evm' }, headers: { 'idempotency-key': 'k' } });
            assert.deepEqual([rest.body, rest.headers['idempotent-replayed']], [first, 'true']);
            assert.deepEqual(await wallets(agent), [first.wallet.address]);

            const other = a2a.is(await make({ idempotency_key: 'k' }), 'rejected');
            assert.equal(a2a.said(other)[0], 'Idempotency-Key was already used with another body');
            for (const bad of ['', 'x'.repeat(256), 7, {}, 'caf\u00e9']) {
                assert.equal(a2a.said(await make({ idempotency_key: bad }))[0], 'Idempotency-Key must have 1 to 255 characters');
            }
            assert.equal((await wallets(agent)).length, 1);
            await make({});
            await make({ idempotency_key: null });
            assert.equal((await wallets(agent)).length, 3);

            // The other way round: what REST recorded is found here.
            const made = await agent.send('POST', '/wallets', { json: {}, headers: { 'idempotency-key': 'rest' } });
            assert.deepEqual(a2a.answer(await make({ idempotency_key: 'rest' })), made.body);
            // The header is none of A2A's: the message has its id.
            const parts = [{ data: { operation: 'create_wallet' } }];
            for (let i = 0; i < 2; i++) {
                a2a.answer(a2a.words.sent(result(await a2a.post('send', { message: a2a.message(parts) }, { headers: { 'idempotency-key': 'h' } }))));
            }
            assert.equal((await wallets(agent)).length, 6);
        });
    }

    test('a swap under an idempotency_key is one, by messages at once, by data and by text', async () => {
        const agent = await register();
        await agent.wallet(CHAIN, 10);
        const a2a = new A2A(agent);
        const { quote_id } = await a2a.done('get_quote', { ...TRADE, idempotency_key: 'q' });
        assert.equal((await a2a.done('get_quote', { ...TRADE, idempotency_key: 'q' })).quote_id, quote_id);
        const args = { quote_id, idempotency_key: 'once' };
        const answers = await Promise.all(Array.from({ length: 8 }, async () => {
            const message = a2a.message([{ data: { operation: 'execute_swap', arguments: args } }]);
            for (;;) {
                const answer = await a2a.post('send', { message });
                // Another one with the key is at it: the message has become no task, and may come again.
                if (answer.body.error?.code !== -31409) return a2a.words.sent(result(answer));
                assert.equal(answer.status, 409);
            }
        }));
        const done = await Promise.all(answers.map(({ id }) => a2a.ended(id)));
        assert.equal(new Set(done.map(({ id }) => id)).size, 8);
        assert.equal(new Set(done.map((task) => a2a.is(task, 'completed').artifacts[0].parts[0].data.swap_id)).size, 1);
        assert.equal(await swaps(agent), 1);

        const said = { command: `swap 0.01 ETH to USDC on ${CHAIN}`, idempotency_key: 'said' };
        const spoken = [await a2a.call('execute_command', said), await a2a.call('execute_command', said)];
        const [one, two] = await Promise.all(spoken.map(({ id }) => a2a.ended(id)));
        assert.equal(one.artifacts[0].parts[0].data.swap_id, two.artifacts[0].parts[0].data.swap_id);
        assert.equal(await swaps(agent), 2);
    });

    // ---------------------------------------------------------------- secrets

    for (const version of VERSIONS) {
        test(`${version}: secrets that are said are not kept`, async () => {
            const agent = await register();
            const a2a = new A2A(agent, version);
            const { key } = agent;
            const metadata = { note: `mine is ${key}`, deep: { list: [1, { [key]: key.toUpperCase() }] }, plain: 'kept', none: null };
            const texts = [];
            const ask = async (method, params) => {
                const answer = await a2a.post(method, params);
                texts.push(answer.text);
                return result(answer);
            };
            const said = async (parts) => a2a.words.sent(await ask('send', { message: a2a.message(parts, { metadata }) }));
            const spoken = await said([{ text: `my key is ${key}` }, { text: 'remember it' }]);
            a2a.is(spoken, 'rejected');
            const [{ parts: [first, second], metadata: kept }] = spoken.history;
            assert.deepEqual([first.text, second.text], ['<secret>', 'remember it']);
            assert.deepEqual(kept, { note: '<secret>', deep: { list: [1, { '<secret>': '<secret>' }] }, plain: 'kept', none: null });

            const data = await said([{ data: { operation: 'get_tokens', arguments: { chain: key, search: ['whsec_abc'], [key]: 1 } }, metadata: { key } }]);
            assert.equal(data.history[0].parts[0].data.operation, 'get_tokens');
            // It is done as it was said: the description is the agent's own business, and REST shows it too.
            const named = await said([{ data: { operation: 'update_me', arguments: { description: 'I am SVC_SK_EXAMPLE' } } }]);
            texts.pop();
            a2a.is(named, 'completed');
            assert.equal(granted(await agent.get('/me')).agent.description, 'I am SVC_SK_EXAMPLE');
            for (const { id } of [spoken, data, named]) await ask('get', { id });
            await ask('list', { includeArtifacts: true });
            for (const text of texts) {
                assert.doesNotMatch(text, /svc_sk_|whsec_/i);
                assert.match(text, /<secret>/);
            }
        });
    }

    test('messages that differ in their secrets alone are different', async () => {
        const a2a = new A2A(await register());
        const messageId = randomUUID();
        const about = (secret) => ({ message: a2a.message([{ text: `chains svc_sk_${secret}` }], { messageId }) });
        result(await a2a.post('send', about('one')));
        result(await a2a.post('send', about('one')));
        fault(await a2a.post('send', about('two')), -32602);
    });

    // ---------------------------------------------------------------- what is missing

    for (const version of VERSIONS) {
        for (const [text, hint, whole] of [
            ['swap ETH to USDC on base', /^The amount is missing\b/, 'quote 1 ETH to USDC on base'],
            ['please sell my ETH for USDC', /^The amount is missing\b/, 'quote 1 ETH to USDC'],
            ['bridge 100 USDC from base', /^Say which chain it goes from\b/, 'quote 1 ETH to USDC'],
            ['bridge 100 USDC', /^Say which chain it goes from\b/, 'chains'],
        ]) {
            test(`${version}: "${text}" is asked about, and may be said whole`, async () => {
                const agent = await register();
                const a2a = new A2A(agent, version);
                const asking = a2a.is(await a2a.send([{ text }]), 'input-required');
                const [sentence, body] = a2a.said(asking);
                assert.match(sentence, hint);
                assert.deepEqual([body.error, body.hint, asking.artifacts], ['Unable to parse command', sentence, []]);
                const { id: taskId } = asking;
                const task = a2a.is(await a2a.send([{ text: whole }], { taskId }), 'completed');
                assert.deepEqual([task.id, task.history.length], [taskId, 2]);
                // What REST says of it is what it always was.
                assert.equal(refused(await agent.post('/execute', { command: text }), 'Unable to parse command').error_code, 'COMMAND_NOT_UNDERSTOOD');
            });
        }
    }

    for (const version of VERSIONS) {
        for (const [text, pieces, amount_in] of [
            ['swap ETH to USDC on base', ['0.01'], '0.01'],
            ['swap ETH to USDC on base', ['0.01 ETH'], '0.01'],
            ['sell my ETH for USDC', ['on base', 'just 0.01, please'], '0.01'],
            ['buy USDC with ETH on base', ['0.01 ETH'], '0.01'],
            ['swap ETH to USDC on base', ['10% of my ETH'], undefined],
            // A bad piece asks again, and nothing of it stays.
            ['swap ETH to USDC on base', ['banana', '0', '-1', '2 WBTC', '0.1 to bob', '0.01 on mars', '101%', '0.01?', '0.01 tomorrow', '0.01'], '0.01'],
            ['buy USDC with ETH on base', ['0.01', 'of ETH', '0.01 ETH'], '0.01'],
        ]) {
            test(`${version}: "${text}" is completed by ${JSON.stringify(pieces)}`, async () => {
                const agent = await register();
                await agent.wallet(CHAIN, 1);
                const a2a = new A2A(agent, version);
                const { id: taskId } = a2a.is(await a2a.send([{ text }]), 'input-required');
                for (const piece of pieces.slice(0, -1)) {
                    const again = a2a.is(await a2a.send([{ text: piece }], { taskId }), 'input-required');
                    assert.match(a2a.said(again)[0], /\bamount is missing: say how much, such as 0\.1 ETH\b/);
                    assert.equal(await swaps(agent), 0);
                }
                const { id } = await a2a.send([{ text: pieces.at(-1) }], { taskId });
                const done = a2a.is(await a2a.ended(id), 'completed');
                assert.deepEqual([id, done.history.length, await swaps(agent)], [taskId, pieces.length + 1, 1]);
                const { data } = done.artifacts[0].parts[0];
                assert.deepEqual([data.from_token, data.to_token, data.from_chain], ['ETH', 'USDC', 'base']);
                if (amount_in !== undefined) assert.equal(data.from_amount, amount_in);
            });
        }
    }

    test('the ends of a bridge are asked for one by one', async () => {
        const a2a = new A2A(await register());
        const { id: taskId } = a2a.is(await a2a.send([{ text: 'quote bridging 100 USDC' }]), 'input-required');
        for (const [text, hint] of [['from base', /^Say which chain/], ['from arbitrum', /^More chains .*\. Say which chain/], ['on mars', /^Unknown chain 'mars'\. Say/]]) {
            assert.match(a2a.said(a2a.is(await a2a.send([{ text }], { taskId }), 'input-required'))[0], hint, text);
        }
        // It is understood now; there is no such route here.
        assert.equal(a2a.said(a2a.is(await a2a.send([{ text: 'to ethereum' }], { taskId }), 'rejected'))[0], 'Cross-chain route not available');
    });

    test('pieces may come as data, with what else was said; a piece that was refused gives way', async () => {
        const agent = await register();
        const a2a = new A2A(agent);
        const { id: taskId } = a2a.is(await a2a.call('execute_command', { command: 'swap ETH to USDC on base', dry_run: true }), 'input-required');
        a2a.is(await a2a.call('execute_command', { command: 'banana' }, { taskId }), 'input-required');
        const task = await a2a.send([{ text: '0.01' }], { taskId });
        assert.deepEqual([a2a.answer(task).result.amount_in, await swaps(agent)], ['0.01', 0]);

        const other = a2a.is(await a2a.send([{ text: 'swap ETH to USDC on base' }]), 'input-required');
        a2a.is(await a2a.send([{ text: '0.02' }], { taskId: other.id }), 'input-required'); // there is no wallet
        await agent.wallet(CHAIN, 1);
        const swap = a2a.is(await a2a.ended((await a2a.send([{ text: '0.03' }], { taskId: other.id })).id), 'completed');
        assert.equal(swap.artifacts[0].parts[0].data.from_amount, '0.03');
        assert.equal(await swaps(agent), 1);
    });

    test('a word in the middle of an operation’s arguments does not end it', async () => {
        const a2a = new A2A(await register());
        const { id: taskId } = a2a.is(await a2a.call('get_quote', { ...TRADE, amount: undefined }), 'input-required');
        a2a.is(await a2a.send([{ text: '0.01' }], { taskId }), 'input-required');
        assert.equal(a2a.answer(await a2a.call('get_quote', { amount: '0.01' }, { taskId })).amount_in, '0.01');
    });

    test('a piece that comes again is one, and so are pieces at once', async () => {
        const agent = await register();
        await agent.wallet(CHAIN, 1);
        const a2a = new A2A(agent);
        const { id: taskId } = a2a.is(await a2a.send([{ text: 'swap ETH to USDC on base' }]), 'input-required');
        const message = a2a.message([{ text: '0.01' }], { taskId });
        const answers = await Promise.all([message, message, message, a2a.message([{ text: '0.02' }], { taskId })].map((each) => a2a.post('send', { message: each })));
        assert.ok(answers.some(({ body }) => body.result !== undefined));
        a2a.is(await a2a.ended(taskId), 'completed');
        assert.equal(await swaps(agent), 1);
    });

    for (const text of ['do not swap ETH to USDC', 'swap 1 ETH', 'swap ETH to USDC tomorrow', 'swap 1 ETH to 2 USDC', 'bridge 100 USDC from base to', 'from base']) {
        test(`"${text}" stays rejected`, async () => {
            const a2a = new A2A(await register());
            const task = a2a.is(await a2a.send([{ text }]), 'rejected');
            assert.equal(a2a.said(task)[0], 'Unable to parse command');
        });
    }

    test('a piece that was missing may come as data, for the text too', async () => {
        const a2a = new A2A(await register());
        const { id: taskId } = a2a.is(await a2a.send([{ text: 'swap ETH to USDC on base' }]), 'input-required');
        // The text is no arguments: nothing is made of it.
        a2a.is(await a2a.call('get_quote', { amount: '1' }, { taskId }), 'input-required');
        assert.equal((a2a.answer(await a2a.call('get_quote', TRADE, { taskId }))).success, true);
    });

    for (const version of VERSIONS) {
        test(`${version}: arguments of a task that asks are completed, piece by piece`, async () => {
            const a2a = new A2A(await register(), version);
            const { id: taskId } = a2a.is(await a2a.call('get_quote', { from_token: 'ETH', amount: '7', chain: CHAIN }), 'input-required');
            a2a.is(await a2a.call('get_quote', { amount: '0.01' }, { taskId }), 'input-required');
            fault(await a2a.post('send', { message: a2a.message([{ data: { to_token: 'USDC' } }], { taskId }) }), -32602);
            const messageId = randomUUID();
            const task = await a2a.call('get_quote', { to_token: 'USDC' }, { taskId, messageId });
            assert.deepEqual([task.id, task.history.length, a2a.answer(task).amount_in], [taskId, 3, '0.01']);
            // What was said is what is kept, and finds its task again.
            assert.deepEqual(task.history[2].parts[0].data.arguments, { to_token: 'USDC' });
            assert.equal((await a2a.call('get_quote', { to_token: 'USDC' }, { taskId, messageId })).id, taskId);
        });
    }

    test('another operation begins anew, and a secret is not made up', async () => {
        const a2a = new A2A(await register());
        const { id: taskId } = a2a.is(await a2a.call('get_quote', { ...TRADE, to_token: undefined }), 'input-required');
        a2a.is(await a2a.call('execute_swap', {}, { taskId }), 'input-required');
        a2a.is(await a2a.call('get_quote', { to_token: 'USDC' }, { taskId }), 'input-required');
        const agent = await register();
        const other = new A2A(agent);
        const { id } = other.is(await other.call('get_quote', { from_token: agent.key, amount: '1', chain: CHAIN }), 'input-required');
        const again = other.is(await other.call('get_quote', { to_token: 'USDC' }, { taskId: id }), 'input-required');
        assert.equal(other.said(again)[0], 'from_token is required');
    });

    test('a wallet that was missing: the quote need not be named again', async () => {
        const agent = await register();
        const a2a = new A2A(agent);
        const { quote_id } = await a2a.done('get_quote', TRADE);
        const { id: taskId } = a2a.is(await a2a.call('execute_swap', { quote_id }), 'input-required');
        await agent.wallet(CHAIN, 10);
        await a2a.call('execute_swap', {}, { taskId });
        a2a.is(await a2a.ended(taskId), 'completed');
    });

    // ---------------------------------------------------------------- deactivated agents

    for (const version of VERSIONS) {
        test(`${version}: a deactivated agent may come back, or go for good`, async () => {
            const agent = await register();
            const a2a = new A2A(agent, version);
            const before = await a2a.call('get_chains');
            a2a.is(await a2a.call('deactivate_me'), 'completed');
            const again = a2a.is(await a2a.call('deactivate_me'), 'rejected');
            assert.deepEqual([a2a.said(again)[0], a2a.said(again)[1].error_code], ['Agent is already deactivated', 'CONFLICT']);
            const message = (...parts) => ({ message: a2a.message(parts) });
            for (const [method, params] of [
                ['send', message({ data: { operation: 'get_me' } })], ['send', message({ data: { operation: 'create_wallet' } })],
                ['send', message({ text: 'reactivate_me' })], ['send', message({ text: '{"operation":"reactivate_me"}' })],
                ['send', message({ data: { operation: 'get_chains' } })], ['send', message({ data: { operation: 'no_such' } })],
                ['send', {}], ['send', { message: { parts: 'x' } }], ['send', { message: [] }],
                ['get', { id: before.id }], ['cancel', { id: before.id }], ['list', {}], ['stream', message({ data: { operation: 'reactivate_me' } })],
                ['nonsense', message({ data: { operation: 'reactivate_me' } })],
            ]) {
                fault(await a2a.post(method, params), -31401, 1, 401);
            }
            // One that wants more besides gets nothing.
            fault(await a2a.post('send', message({ data: { operation: 'get_me' } }, { data: { operation: 'reactivate_me' } })), -31401, 1, 401);
            fault(await a2a.post('send', message({ data: { operation: 'reactivate_me' } }, { data: { operation: 'get_me' } })), -32602);
            refused(await agent.get('/me'), 'Invalid or missing API key', [], 'AGENT_INACTIVE');

            const back = await a2a.call('reactivate_me');
            assert.equal(a2a.answer(back).status, 'active');
            a2a.is(await a2a.get(back.id), 'completed');
            granted(await agent.get('/me'));
            assert.equal(a2a.said(a2a.is(await a2a.call('reactivate_me'), 'rejected'))[0], 'Agent is already active');

            a2a.is(await a2a.call('deactivate_me'), 'completed');
            a2a.is(await a2a.call('delete_me'), 'completed');
            fault(await a2a.post('send', message({ data: { operation: 'reactivate_me' } })), -31401, 1, 401);
            const unknown = { key: `svc_sk_${'a'.repeat(43)}`, json: { jsonrpc: '2.0', id: 1, method: a2a.words.methods.send, params: message({ data: { operation: 'reactivate_me' } }) } };
            fault(await send('POST', '/a2a', unknown), -31401, 1, 401);
            fault(await send('POST', '/a2a', { ...unknown, key: undefined }), -31401, 1, 401);
        });
    }

    // ---------------------------------------------------------------- what older clients read

    test('0.3: parts have a type too, every task is there twice, and a taskId is an id', async () => {
        const a2a = new A2A(await register(), '0.3');
        const answer = result(await a2a.post('send', { message: a2a.message([{ data: { operation: 'get_chains' } }, { text: 'and a word' }]) }));
        const { task, ...own } = answer;
        assert.deepEqual(task, own);
        assert.equal(own.kind, 'task');
        const parts = [...own.artifacts[0].parts, ...own.status.message.parts, ...own.history[0].parts];
        assert.deepEqual(parts.map(({ kind, type }) => [kind, type]), ['data', 'text', 'text', 'data', 'text'].map((kind) => [kind, kind]));
        assert.deepEqual(result(await a2a.post('get', { taskId: task.id })), answer);
        assert.deepEqual(result(await a2a.post('get', { id: task.id, taskId: randomUUID() })), answer);
        fault(await a2a.post('get', { taskId: randomUUID() }), -32001);
        fault(await a2a.post('get', { taskId: 7 }), -32602);
        const { id: taskId } = await a2a.call('execute_swap', {});
        a2a.is(a2a.words.got(result(await a2a.post('cancel', { taskId }))), 'canceled');

        const now = new A2A(a2a.agent);
        const sent = result(await now.post('send', { message: now.message([{ data: { operation: 'get_chains' } }]) }));
        assert.deepEqual(Object.keys(sent), ['task']);
        assert.ok(sent.task.artifacts[0].parts.every((part) => !('type' in part) && !('kind' in part)));
        fault(await now.post('get', { taskId: task.id }), -32602);
        fault(await now.post('cancel', { taskId: task.id }), -32602);
        // The official client is not led astray.
        const client = await CLIENTS['0.3'](a2a.agent);
        const read = await client.call('get_chains', {});
        assert.deepEqual([read.state, read.artifacts[0].name], ['completed', 'get_chains']);
        assert.deepEqual(await client.get(read.id), read);
    });

    test('0.3: plain English of older clients needs no messageId, and nothing else is without one', async () => {
        const agent = await register();
        const old = (more = {}, method = 'message/send') => post({ key: agent.key, method, params: { message: { role: 'user', parts: [{ type: 'text', text: 'chains' }], ...more } } });
        const tasks = [result(await old()).task, result(await old()).task];
        assert.equal(new Set(tasks.map(({ id }) => id)).size, 2);
        for (const { history: [{ messageId, parts }], status } of tasks) {
            assert.match(messageId, UUID);
            assert.deepEqual([parts.map(({ text }) => text), status.state], [['chains'], 'completed']);
        }
        const text = { type: 'text', text: 'chains' };
        const operation = { operation: 'create_wallet' };
        for (const message of [
            { parts: [{ text: 'chains' }] }, { parts: [{ kind: 'text', text: 'chains' }] }, { parts: [{ ...text, kind: 'text' }] },
            { parts: [{ ...text, kind: null }] }, { parts: [{ ...text, type: 'Text' }] }, { parts: [{ type: 'data', data: operation }] },
            { parts: [text, { type: 'data', data: operation }] }, { parts: [{ type: 'text', data: operation }, { text: 'chains' }] },
            { messageId: null }, { messageId: '' }, { messageId: 7 }, { parts: [] }, { parts: { 0: text } }, { role: 'agent' },
        ]) {
            fault(await old(message), -32602);
        }
        fault(await old({ role: 'ROLE_USER' }, 'SendMessage'), -32602);
        assert.deepEqual([await wallets(agent), result(await new A2A(agent).post('list', {})).totalSize], [[], 2]);
    });

    for (const version of VERSIONS) {
        test(`${version}: artifacts name the action`, async () => {
            const agent = await register();
            await agent.wallet(CHAIN, 10);
            const a2a = new A2A(agent, version);
            const action = (task) => task.artifacts[0].metadata.action;
            for (const [text, name] of [['chains', 'chains'], ['quote 1 ETH to USDC on base', 'quote'], ['help', 'help']]) {
                const task = await a2a.send([{ text }]);
                assert.deepEqual([action(task), a2a.answer(task).action], [name, name]);
            }
            assert.equal(action(await a2a.call('get_chains')), 'get_chains');
            assert.equal(action(await a2a.call('list_chains')), 'get_chains');
            const spoken = await a2a.send([{ text: `swap 0.01 ETH to USDC on ${CHAIN}` }]);
            const { quote_id } = await a2a.done('get_quote', TRADE);
            const called = await a2a.call('execute_swap', { quote_id });
            assert.deepEqual([action(spoken), action(called)], ['swap', 'execute_swap']);
            assert.deepEqual([action(await a2a.ended(spoken.id)), action(await a2a.ended(called.id))], ['swap', 'execute_swap']);
        });

        test(`${version}: the status says the answer in words`, async () => {
            const agent = await register();
            const a2a = new A2A(agent, version);
            const says = async (text, pattern) => {
                const task = a2a.is(await a2a.send([{ text }]), 'completed');
                assert.match(a2a.said(task)[0], pattern, text);
                assert.equal(task.artifacts[0].parts[1].text, a2a.said(task)[0]);
                return task;
            };
            await says('show my balance', /^There is no wallet yet: say "create a wallet"$/);
            await says('list my wallets', /^There is no wallet yet/);
            await says('show my swaps', /^There are no swaps$/);
            const { wallet } = a2a.answer(await says('create a wallet', /^Created the wallet 0x[0-9a-fA-F]{40} \(evm\)$/)).result;
            await says('list my wallets', new RegExp(`^1 wallet: ${wallet.address} \\(evm\\)$`));
            await says('show my balance', /^You hold no tokens$/);
            await fund(CHAIN, wallet.address, 1);
            await says('show my balance', /^You hold 1 ETH on base, worth \$\d+\.\d\d in all$/);
            await says('how much ETH do I have?', /^You hold 1 ETH on base$/);
            await says('how much USDC do I have on base?', /^You hold no USDC on base$/);
            await says('price of ETH', /^ETH is \$\d{4}\.\d\d$/);
            await says('price of SOL', /^SOL is \$\d+\.\d\d$/);
            await says('prices for ETH, TON and USDC', /^ETH is \$\d{4}\.\d\d, USDC is \$(1\.00|0\.9\d{5}); TON cannot be priced now$/);
            const quoted = await says('quote 0.01 ETH to USDC on base', /^0\.01 ETH gives \d+\.\d+ USDC on base, at least \d+\.\d+; quote q_[0-9a-f]{32} is good for 60 seconds$/);
            await says('chains', /^15 chains: ethereum, .*\bbase\b/);
            await says('list tokens on base', /^4 tokens on base: ETH, WETH, USDC, DAI$/);
            await says('list tokens', /^Tokens: 5 on ethereum, /);
            await says('help', /^Say, for example: "swap 1 ETH to USDC/);
            const swap = await a2a.ended((await a2a.send([{ text: `execute quote ${a2a.answer(quoted).result.quote_id}` }])).id);
            assert.match(a2a.said(swap)[0], /^Swap \d+ of ETH to USDC: completed$/);
            await says('did my last swap go through?', /^Swap \d+ of 0\.01 ETH to \d+\.\d+ USDC: completed$/);
            await says('show my swaps', /^1 swap; the newest: \d+ of 0\.01 ETH to USDC completed$/);
            const rehearse = async (command) => a2a.said(await a2a.call('execute_command', { command, dry_run: true }))[0];
            assert.match(await rehearse('swap 0.01 ETH to USDC on base'), /^0\.01 ETH gives /);
            assert.equal(await rehearse('sell half of my DAI for ETH on base'), 'Nothing was done; a real run would answer: Insufficient balance');
            assert.equal(await rehearse('create a wallet'), 'A wallet would be created');
            const { quote_id } = await a2a.done('get_quote', TRADE);
            assert.match(await rehearse(`execute quote ${quote_id}`), /^It would be executed, for \d+\.\d+ USDC$/);
            // What is called by its name says the same.
            assert.match(a2a.said(await a2a.call('get_prices', { symbols: 'ETH' }))[0], /^ETH is \$/);
        });

        test(`${version}: what was canceled says so, and no more`, async () => {
            const a2a = new A2A(await register(), version);
            const { id } = a2a.is(await a2a.call('get_quote', { ...TRADE, amount: undefined }), 'input-required');
            const canceled = a2a.is(result(await a2a.post('cancel', { id })), 'canceled');
            assert.deepEqual(a2a.said(canceled), ['The task was canceled', undefined]);
            assert.deepEqual(a2a.said(await a2a.get(id)), ['The task was canceled', undefined]);
        });
    }

    test('an error about a task names it', async () => {
        const a2a = new A2A(await register());
        const { id } = await a2a.call('get_chains');
        const nobodys = randomUUID();
        const message = (taskId) => ({ message: a2a.message([{ data: { operation: 'get_me' } }], { taskId }) });
        for (const [method, params, code, taskId] of [
            ['get', { id: nobodys }, -32001, nobodys], ['cancel', { id: nobodys }, -32001, nobodys], ['cancel', { id }, -32002, id],
            ['send', message(nobodys), -32001, nobodys], ['send', message(id), -32004, id], ['resubscribe', { id }, -32004, id],
            ['pushGet', { taskId: nobodys, id: 'x' }, -32001, nobodys], ['pushGet', { taskId: id, id: 'x' }, -32001, id],
            ['extendedCard', {}, -32007, undefined], ['get', { id: 'none' }, -32001, undefined],
        ]) {
            const { data } = fault(await a2a.post(method, params), code);
            assert.deepEqual(data[0].metadata, taskId === undefined ? {} : { taskId }, `${method} ${code}`);
        }
    });
});
