// Section: api
// POST /a2a: messages become tasks, in the words of both versions of the protocol, with the official clients and by hand.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Webhook } from 'standardwebhooks';
import {
    API_KEY, GATEWAY, ISO_TIME, UUID, granted, receiver, refused, register, send, show, until,
} from './lib.mjs';
import { fund } from './chain.mjs';
import { A2A, CLIENTS, DIALECTS, fault, result } from './a2a.mjs';

const CHAIN = 'base';
const VERSIONS = Object.keys(DIALECTS);
const TRADE = { from_token: 'ETH', to_token: 'USDC', amount: '0.01', chain: CHAIN };

/** An agent with a funded wallet. */
async function trader() {
    const agent = await register();
    agent.address = await agent.wallet(CHAIN, 10);
    return agent;
}

describe('A2A', { concurrency: 8 }, () => {
    // ---------------------------------------------------------------- the official clients

    for (const version of VERSIONS) {
        test(`the official client of ${version} trades: wallet, quote, execution, followed to its end`, async () => {
            const agent = await register();
            const client = await CLIENTS[version](agent);
            const made = await client.call('create_wallet', {});
            assert.equal(made.state, 'completed');
            assert.equal(made.artifacts[0].name, 'create_wallet');
            await fund(CHAIN, made.artifacts[0].data.wallet.address, 10);

            const quoted = await client.call('get_quote', TRADE);
            assert.equal(quoted.state, 'completed');
            const [{ data: quote }] = quoted.artifacts;
            const begun = await client.call('execute_swap', { quote_id: quote.quote_id });
            assert.ok(['submitted', 'working', 'completed'].includes(begun.state), begun.state);

            const task = await until('the task to complete', async () => {
                const now = await client.get(begun.id);
                assert.notEqual(now.state, 'failed', now.sentence);
                return now.state === 'completed' && now;
            });
            const [{ name, data: swap }] = task.artifacts;
            assert.equal(name, 'swap');
            const shown = await agent.status(swap.swap_id);
            assert.deepEqual(swap, shown);
            assert.match(task.sentence, new RegExp(`^Swap ${swap.swap_id} of ETH to USDC: completed$`));
            await assert.rejects(client.cancel(task.id), /cannot be canceled/);
            if (client.list !== undefined) assert.deepEqual((await client.list()).map(({ id }) => id), [task.id, quoted.id, made.id]);
        });

        test(`the official client of ${version} trades in plain English, followed to its end`, async () => {
            const agent = await trader();
            const client = await CLIENTS[version](agent);
            const quoted = await client.say(`Quote 0.01 ETH to USDC on ${CHAIN}`);
            assert.equal(quoted.state, 'completed');
            const [{ name, data: answer }] = quoted.artifacts;
            assert.deepEqual([name, answer.action, answer.parsed.amount], ['execute_command', 'quote', '0.01']);
            granted(await agent.execute(answer.result));

            const begun = await client.say(`Swap 0.01 ETH to USDC on ${CHAIN}`);
            const task = await until('the task to complete', async () => {
                const now = await client.get(begun.id);
                assert.notEqual(now.state, 'failed', now.sentence);
                return now.state === 'completed' && now;
            });
            const [{ data: swap }] = task.artifacts;
            assert.deepEqual(swap, await agent.status(swap.swap_id));
            // To look at it is a task that is done at once, and no swap.
            const looked = await client.say(`status of swap ${swap.swap_id}`);
            assert.deepEqual([looked.state, looked.artifacts[0].data.result.status], ['completed', 'completed']);
            assert.equal(granted(await agent.get('/swaps')).pagination.total, 2);
        });

        test(`the official client of ${version} knows its errors`, async () => {
            const client = await CLIENTS[version](await register());
            await assert.rejects(client.get(randomUUID()), (error) => /TaskNotFound/.test(error.constructor.name));
            await assert.rejects(client.call('no_such_operation', {}), /operation is unknown/);
            const refusal = await client.call('get_quote', { ...TRADE, amount: '-1' });
            assert.deepEqual([refusal.state, refusal.sentence], ['rejected', 'Amount must be a positive number']);
        });
    }

    // ---------------------------------------------------------------- one gateway, several ways in

    test('a quote is the same and is used up once, whichever way it is asked and executed', async () => {
        const agent = await trader();
        const a2a = new A2A(agent);
        // The pools are everybody's: what others trade meanwhile shows in one of both.
        const [mine, theirs] = await until('both to be asked of the same pools', async () => {
            const both = [await a2a.done('get_quote', TRADE), granted(await agent.post('/quote?compact=true', TRADE))];
            return isDeepStrictEqual(...both.map((quote) => ({ ...quote, quote_id: '' }))) && both;
        });
        assert.notEqual(mine.quote_id, theirs.quote_id);

        // Executed by REST, what A2A quoted; then by A2A, what REST quoted.
        const { swap_id: first } = granted(await agent.execute(mine));
        const again = a2a.is(await a2a.call('execute_swap', { quote_id: mine.quote_id }), 'rejected');
        assert.equal(a2a.said(again)[0], 'Quote not found');
        assert.deepEqual([a2a.said(again)[1].error_code, a2a.said(again)[1].swap_id], ['QUOTE_NOT_FOUND', first]);
        const task = await a2a.call('execute_swap', { quote_id: theirs.quote_id });
        assert.equal(refused(await agent.execute(theirs), 'Quote not found').swap_id, task.artifacts[0].parts[0].data.swap_id);
        assert.equal(granted(await agent.get('/swaps')).pagination.total, 2);
    });

    test('every answer is REST’s in its compact form', async () => {
        const agent = await trader();
        const a2a = new A2A(agent, '0.3');
        for (const [operation, path, args] of [
            ['get_chains', '/chains?'], ['list_wallets', '/wallets?'], ['list_swaps', '/swaps?limit=1', { limit: 1 }],
            ['get_tokens', '/tokens?chain=base', { chain: 'base' }], ['list_webhooks', '/webhooks?'],
        ]) {
            assert.deepEqual(await a2a.done(operation, args), granted(await agent.get(`${path}&compact=true`)), operation);
        }
        const missing = a2a.is(await a2a.call('get_swap_status', { swapId: 999999999 }), 'rejected');
        assert.deepEqual(a2a.said(missing)[1].error, 'Swap not found');
        a2a.is(await a2a.call('get_swap_status', {}), 'input-required');
    });

    // ---------------------------------------------------------------- once

    test('a message that comes again finds its task; 16 at once make one swap', async () => {
        const agent = await trader();
        const a2a = new A2A(agent);
        const quote = await a2a.done('get_quote', TRADE);
        const messageId = randomUUID();
        const tasks = await Promise.all(Array.from({ length: 16 }, () => a2a.call('execute_swap', { quote_id: quote.quote_id }, { messageId })));
        assert.equal(new Set(tasks.map(({ id }) => id)).size, 1);
        await a2a.ended(tasks[0].id);
        const later = a2a.is(await a2a.call('execute_swap', { quote_id: quote.quote_id }, { messageId }), 'completed');
        assert.equal(later.id, tasks[0].id);
        assert.equal(later.history.length, 1);
        assert.equal(granted(await agent.get('/swaps')).pagination.total, 1);
        // The other version of the protocol is no other book.
        assert.equal((await new A2A(agent, '0.3').call('execute_swap', { quote_id: quote.quote_id }, { messageId })).id, later.id);

        fault(await a2a.post('send', { message: a2a.message([{ data: { operation: 'get_me' } }], { messageId }) }), -32602);
        // Others choose their ids for themselves.
        const other = new A2A(await register());
        other.is(await other.call('get_me', {}, { messageId }), 'completed');
    });

    test('a wallet is made once for a message', async () => {
        const agent = await register();
        const a2a = new A2A(agent);
        const messageId = randomUUID();
        const tasks = await Promise.all(Array.from({ length: 8 }, () => a2a.call('create_wallet', {}, { messageId })));
        assert.equal(new Set(tasks.map(({ id }) => id)).size, 1);
        const address = a2a.answer(await a2a.ended(tasks[0].id)).wallet.address;
        assert.deepEqual(granted(await agent.get('/wallets')).wallets.map((wallet) => wallet.address), [address]);
    });

    // ---------------------------------------------------------------- tasks

    for (const version of VERSIONS) {
        const { state, unsupported, methods } = DIALECTS[version];

        test(`${version}: a task has all its members`, async () => {
            const a2a = new A2A(await register(), version);
            const contextId = randomUUID();
            const metadata = { from: 'a test' };
            const task = a2a.is(await a2a.call('get_chains', {}, { contextId, metadata }), 'completed');
            const kind = (name) => (version === '0.3' ? { kind: name } : {});
            const type = (name) => (version === '0.3' ? { kind: name, type: name } : {});
            assert.match(task.id, UUID);
            assert.match(task.status.timestamp, ISO_TIME);
            const { messageId } = task.history[0];
            assert.deepEqual(task.history, [{
                messageId, role: DIALECTS[version].user, taskId: task.id, contextId, metadata, ...kind('message'),
                parts: [{ ...type('data'), data: { operation: 'get_chains', arguments: {} } }],
            }]);
            const { message } = task.status;
            assert.deepEqual([message.role, message.taskId, message.contextId], [version === '0.3' ? 'agent' : 'ROLE_AGENT', task.id, contextId]);
            assert.deepEqual(Object.keys(task).sort(), ['artifacts', 'contextId', 'history', 'id', ...Object.keys(kind('task')), 'status'].sort());
            assert.deepEqual(task, await a2a.get(task.id));
            assert.match((await a2a.call('get_chains')).contextId, UUID);
        });

        test(`${version}: a task that lacks something asks for it, and goes on`, async () => {
            const agent = await register();
            const a2a = new A2A(agent, version);
            const quote = await a2a.done('get_quote', TRADE);
            const asking = a2a.is(await a2a.call('execute_swap', {}), 'input-required');
            assert.equal(a2a.said(asking)[0], 'quote_id is required');
            const { id: taskId, contextId } = asking;

            fault(await a2a.post('send', { message: a2a.message([{ data: { operation: 'get_me' } }], { taskId, contextId: 'another' }) }), -32602);
            const walletless = a2a.is(await a2a.call('execute_swap', { quote_id: quote.quote_id }, { taskId, contextId }), 'input-required');
            assert.equal(walletless.id, taskId);
            assert.equal(a2a.said(walletless)[0], 'No managed wallet found');
            await agent.wallet(CHAIN, 10);
            const messageId = randomUUID();
            const swap = await a2a.call('execute_swap', { quote_id: quote.quote_id }, { taskId, messageId });
            assert.equal(swap.id, taskId);
            assert.equal((await a2a.call('execute_swap', { quote_id: quote.quote_id }, { taskId, messageId })).id, taskId);
            const done = a2a.is(await a2a.ended(taskId), 'completed');
            assert.equal(done.history.length, 3);
            assert.equal(done.history[2].messageId, messageId);
            assert.equal((await a2a.get(taskId, { historyLength: 2 })).history.length, 2);
            assert.equal((await a2a.get(taskId, { historyLength: 0 })).history, undefined);
            // It is over now.
            const error = fault(await a2a.post('send', { message: a2a.message([{ data: { operation: 'get_me' } }], { taskId }) }), unsupported);
            assert.match(error.message, /^Unsupported Operation/);
            fault(await a2a.post('cancel', { id: taskId }), -32002);
        });

        test(`${version}: what asks for something can be cancelled, once`, async () => {
            const a2a = new A2A(await register(), version);
            const { id } = a2a.is(await a2a.call('execute_swap', {}), 'input-required');
            a2a.is(result(await a2a.post('cancel', { id })), 'canceled');
            fault(await a2a.post('cancel', { id }), -32002);
            fault(await a2a.post('send', { message: a2a.message([{ data: { operation: 'get_me' } }], { taskId: id }) }), unsupported);
            a2a.is(await a2a.get(id), 'canceled');
        });

        test(`${version}: the list has pages, the newest state first, and filters`, async () => {
            const agent = await trader();
            const a2a = new A2A(agent, version);
            const list = async (params = {}) => result(await a2a.post('list', params));
            const contextId = randomUUID();
            const swap = await a2a.call('execute_swap', { quote_id: (await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN })).quote_id });
            const first = await a2a.call('get_chains', {}, { contextId });
            const second = await a2a.call('get_quote', { ...TRADE, amount: '0' }, { contextId });
            const third = await a2a.call('execute_swap', {});
            await a2a.ended(swap.id);

            const all = await list();
            assert.deepEqual([all.totalSize, all.pageSize, all.nextPageToken], [4, 50, '']);
            const times = all.tasks.map(({ status }) => Date.parse(status.timestamp));
            assert.deepEqual(times, [...times].sort((a, b) => b - a));
            assert.deepEqual(new Set(all.tasks.map(({ id }) => id)), new Set([swap, first, second, third].map(({ id }) => id)));
            assert.ok(all.tasks.every(({ artifacts, history }) => artifacts === undefined && history.length === 1));

            const paged = [];
            for (let pageToken = ''; ;) {
                const page = await list({ pageSize: 1, pageToken, historyLength: 0, includeArtifacts: true });
                assert.deepEqual([page.tasks.length, page.totalSize, page.pageSize], [1, 4, 1]);
                paged.push(page.tasks[0]);
                pageToken = page.nextPageToken;
                if (pageToken === '') break;
                assert.ok(paged.length < 4);
            }
            assert.deepEqual(paged.map(({ id }) => id), all.tasks.map(({ id }) => id));
            assert.ok(paged.every(({ artifacts, history }) => Array.isArray(artifacts) && history === undefined));

            const ids = async (params) => (await list(params)).tasks.map(({ id }) => id).sort();
            assert.deepEqual(await ids({ contextId }), [first.id, second.id].sort());
            assert.deepEqual(await ids({ status: state('completed') }), [swap.id, first.id].sort());
            assert.deepEqual(await ids({ status: state('rejected') }), [second.id]);
            assert.deepEqual(await ids({ status: state('working') }), []);
            assert.deepEqual(await ids({ status: state('input-required'), contextId }), []);
            assert.deepEqual(await ids({ statusTimestampAfter: all.tasks[0].status.timestamp }), [all.tasks[0].id]);
            assert.deepEqual(await ids({ statusTimestampAfter: '2199-01-01T00:00:00Z' }), []);
            assert.equal((await list({ statusTimestampAfter: '2020-01-01T00:00:00+02:00' })).totalSize, 4);
            for (const bad of [
                { pageSize: 0 }, { pageSize: 101 }, { pageSize: '5' }, { pageSize: 1.5 }, { pageToken: 'x' }, { pageToken: '1-' },
                { pageToken: '-1-1' }, { status: 'done' }, { statusTimestampAfter: 'yesterday' }, { statusTimestampAfter: '2020-01-01' },
                { historyLength: -1 }, { historyLength: '1' }, { includeArtifacts: 1 }, { contextId: 7 },
            ]) {
                fault(await a2a.post('list', bad), -32602);
            }
        });

        test(`${version}: another agent’s tasks are not there`, async () => {
            const owner = new A2A(await register(), version);
            const other = new A2A(await register(), version);
            const { id, contextId } = await owner.call('execute_swap', {});
            const params = version === '1.0' ? { taskId: id, id: 'x' } : { id, pushNotificationConfigId: 'x' };
            const config = { url: 'https://receiver.example/' };
            for (const [method, about] of [
                ['get', { id }], ['cancel', { id }], ['pushGet', params], ['pushList', params], ['pushDelete', params],
                ['pushSet', version === '1.0' ? { taskId: id, ...config } : { taskId: id, pushNotificationConfig: config }],
                ['send', { message: other.message([{ data: { operation: 'get_me' } }], { taskId: id, contextId }) }],
            ]) {
                const theirs = fault(await other.post(method, about), -32001);
                const nobodys = fault(await other.post(method, JSON.parse(JSON.stringify(about).replaceAll(id, randomUUID()))), -32001);
                // But for the id that was asked for.
                const nameless = (error) => ({ ...error, data: error.data?.map((each) => ({ ...each, metadata: Object.keys(each.metadata) })) });
                assert.deepEqual(nameless(theirs), nameless(nobodys));
            }
            assert.equal(result(await other.post('list', {})).totalSize, 0);
            owner.is(await owner.get(id), 'input-required');
        });

        test(`${version}: streams and an extended card are not promised, and not there`, async () => {
            const a2a = new A2A(await register(), version);
            const { id } = await a2a.call('get_chains');
            const message = a2a.message([{ data: { operation: 'create_wallet' } }]);
            fault(await a2a.post('stream', { message }), unsupported);
            fault(await a2a.post('resubscribe', { id }), unsupported);
            fault(await a2a.post('extendedCard', {}), -32007);
            assert.deepEqual(granted(await a2a.agent.get('/wallets')).wallets, []);
            assert.ok(methods.stream);
        });
    }

    // ---------------------------------------------------------------- plain English

    for (const [text, error] of [
        ['please make me rich', 'Unable to parse command'],
        [`swap 0.01 ETH to USDC on ${CHAIN} ${'please '.repeat(80)}`, 'Command exceeds 500 character limit'],
        [`swap 0.01 ETH to \u202eCDSU on ${CHAIN}`, 'Unable to parse command'],
        [`swap 0.01 ETH to USDC on ${CHAIN}\u0007`, 'Unable to parse command'],
        [`swap 0.01 \u200bETH to USDC on ${CHAIN}`, 'Unable to parse command'],
        ['{"operation":"create_wallet"}', 'Unable to parse command'],
        ['', 'command is required'],
        [' ', 'Unable to parse command'],
        ['swap 1 ETH to NOSUCH on base', "Unknown token 'NOSUCH' on chain 'base'"],
    ]) {
        test(`a text that is refused: ${JSON.stringify(text.slice(0, 40))}`, async () => {
            const agent = await trader();
            const a2a = new A2A(agent);
            const task = await a2a.send([{ text }]);
            assert.deepEqual([a2a.said(task)[0], task.artifacts], [error, []]);
            a2a.is(task, error === 'command is required' ? 'input-required' : 'rejected');
            assert.equal(granted(await agent.get('/swaps')).pagination.total, 0);
        });
    }

    test('texts are one command, and a data part wins over them', async () => {
        const a2a = new A2A(await register());
        const { action, parsed } = a2a.answer(await a2a.send([{ text: 'Quote 1 ETH' }, { text: 'to USDC on base' }]));
        assert.deepEqual([action, parsed.from_token, parsed.to_token], ['quote', 'ETH', 'USDC']);
        const task = await a2a.send([{ text: 'Create a wallet' }, { data: { operation: 'get_me' } }]);
        assert.equal(task.artifacts[0].name, 'get_me');
        assert.deepEqual(granted(await a2a.agent.get('/wallets')).wallets, []);
    });

    // ---------------------------------------------------------------- secrets

    test('a secret is returned to its caller once, and stored nowhere', async () => {
        const agent = await register();
        const a2a = new A2A(agent);
        const hook = await receiver();
        const messageId = randomUUID();
        const changed = await a2a.call('update_me', { callback_url: hook.url }, { messageId });
        assert.match(a2a.answer(changed).webhook_secret, /^whsec_/);
        assert.equal(a2a.answer(await a2a.call('update_me', { callback_url: hook.url }, { messageId })).webhook_secret, undefined);

        const rotated = await a2a.call('rotate_api_key');
        const { api_key: key } = a2a.answer(rotated);
        assert.match(key, API_KEY);
        fault(await a2a.post('get', { id: rotated.id }), -31401, 1, 401);
        const renewed = new A2A({ key });
        assert.equal(renewed.answer(await renewed.get(rotated.id)).api_key, undefined);
        const everything = await renewed.post('list', { includeArtifacts: true });
        assert.doesNotMatch(everything.text, /svc_sk_|whsec_/);
        const other = renewed.answer(await renewed.call('register_agent', { name: 'another' }));
        assert.match(other.agent.api_key, API_KEY);
        assert.doesNotMatch((await renewed.post('list', { includeArtifacts: true })).text, /svc_sk_/);
        hook.close();
    });

    // ---------------------------------------------------------------- push notifications

    for (const version of VERSIONS) {
        test(`${version}: who asked is told how a swap moves`, async () => {
            const agent = await trader();
            const a2a = new A2A(agent, version);
            const hook = await receiver();
            const schemes = version === '1.0' ? { scheme: 'Bearer' } : { schemes: ['Bearer'] };
            const config = { id: 'mine', url: hook.url, token: 'the-token', authentication: { ...schemes, credentials: 'the credentials' } };
            const quote = await a2a.done('get_quote', TRADE);
            const task = await a2a.call('execute_swap', { quote_id: quote.quote_id }, {}, {
                [version === '1.0' ? 'taskPushNotificationConfig' : 'pushNotificationConfig']: config,
            });
            await a2a.ended(task.id);
            const status = (body) => (version === '1.0' ? body.statusUpdate.status : body.status);
            const last = await hook.delivery(({ raw }) => status(JSON.parse(raw)).state === a2a.words.state('completed'));
            const body = JSON.parse(last.raw);
            if (version === '1.0') assert.deepEqual([body.statusUpdate.taskId, body.statusUpdate.contextId], [task.id, task.contextId]);
            else assert.deepEqual([body.kind, body.id, body.contextId], ['task', task.id, task.contextId]);
            assert.match(status(body).timestamp, ISO_TIME);
            const { headers } = last;
            assert.equal(headers['content-type'], version === '1.0' ? 'application/a2a+json' : 'application/json');
            assert.deepEqual([headers['x-a2a-notification-token'], headers.authorization], ['the-token', 'Bearer the credentials']);
            // An agent without a callback has no secret to sign with.
            assert.equal(headers['webhook-signature'], undefined);
            assert.match(headers['webhook-id'], /^msg_/);
            const events = await until('the delivery to be recorded', async () => {
                const found = await agent.events('?event_type=task.updated');
                return found.every((event) => event.status === 'delivered') && found;
            });
            assert.ok(events.length > 0 && events.every(({ callback_url: url }) => url === hook.url));

            // The configs, whose secrets are not shown again.
            const shown = { id: 'mine', url: hook.url, authentication: schemes };
            const as = (each) => (version === '1.0' ? { ...each, taskId: task.id } : { taskId: task.id, pushNotificationConfig: each });
            const about = (id) => (version === '1.0' ? { taskId: task.id, id } : { id: task.id, pushNotificationConfigId: id });
            const listed = async () => {
                const answer = result(await a2a.post('pushList', version === '1.0' ? { taskId: task.id } : { id: task.id }));
                return version === '1.0' ? answer.configs : answer;
            };
            assert.deepEqual(result(await a2a.post('pushGet', about('mine'))), as(shown));
            const plain = { id: 'other', url: 'https://receiver.example/a' };
            assert.deepEqual(result(await a2a.post('pushSet', as(plain))), as(plain));
            assert.deepEqual(await listed(), [as(shown), as(plain)]);
            assert.deepEqual(result(await a2a.post('pushSet', as({ ...plain, id: 'mine' }))), as({ ...plain, id: 'mine' }));
            result(await a2a.post('pushDelete', about('mine')));
            result(await a2a.post('pushDelete', about('mine')));
            assert.deepEqual(await listed(), [as(plain)]);
            fault(await a2a.post('pushGet', about('mine')), -32001);
            hook.close();
        });

        test(`${version}: a push goes where webhooks may go, and nowhere else`, async () => {
            const a2a = new A2A(await register(), version);
            const { id } = await a2a.call('execute_swap', {});
            const set = (config) => a2a.post('pushSet', version === '1.0' ? { taskId: id, ...config } : { taskId: id, pushNotificationConfig: config });
            for (const url of [
                'http://receiver.example/', 'https://10.0.0.1/', 'https://169.254.169.254/latest', 'https://[::ffff:192.168.0.1]/', 'https://user:word@receiver.example/',
                'ftp://receiver.example/', 'file:///etc/passwd', 'https://receiver.example/#x', '', 'x', 7, null, undefined,
            ]) {
                fault(await set({ url }), -32602);
            }
            const url = 'https://receiver.example/';
            for (const more of [
                { token: 'a\nb: c' }, { token: 'a b' }, { token: 7 }, { token: 'x'.repeat(257) }, { id: 'x'.repeat(129) }, { authentication: [] },
                { authentication: { scheme: 'Bearer\r\nX: y', credentials: 'c' } }, { authentication: { scheme: 'Bearer', credentials: 'c\n' } },
                { authentication: { credentials: 'c' } },
            ]) {
                fault(await set({ url, ...more }), -32602);
            }
            // In a message too; and nothing was done for it.
            const name = version === '1.0' ? 'taskPushNotificationConfig' : 'pushNotificationConfig';
            const message = a2a.message([{ data: { operation: 'create_wallet' } }]);
            fault(await a2a.post('send', { message, configuration: { [name]: { url: 'https://127.0.0.2:1/x#y' } } }), -32602);
            assert.deepEqual(granted(await a2a.agent.get('/wallets')).wallets, []);
            for (let i = 0; i < 8; i++) result(await set({ id: `c${i}`, url }));
            fault(await set({ id: 'c8', url }), -32602);
            result(await set({ id: 'c7', url }));
        });
    }

    test('pushes are signed like webhooks once there is a secret, and outlive the callback', async () => {
        const agent = await trader();
        const callback = await receiver();
        const secret = await agent.listen(callback.url);
        granted(await agent.patch('/me', { callback_url: null }));
        const a2a = new A2A(agent);
        const hook = await receiver();
        const quote = await a2a.done('get_quote', { ...TRADE, amount: '0.02' });
        const config = { taskPushNotificationConfig: { url: hook.url }, returnImmediately: true };
        const task = await a2a.call('execute_swap', { quote_id: quote.quote_id }, {}, config);
        const push = await hook.delivery(({ raw }) => JSON.parse(raw).statusUpdate.status.state === 'TASK_STATE_COMPLETED');
        assert.equal(JSON.parse(push.raw).statusUpdate.taskId, task.id);
        assert.ok(push.headers['webhook-signature'], 'signed');
        assert.doesNotThrow(() => verifiedPush(push, secret));
        // Its end is told too where it comes at once.
        const done = await a2a.call('get_chains', {}, {}, { taskPushNotificationConfig: { url: hook.url } });
        await hook.delivery(({ raw }) => JSON.parse(raw).statusUpdate.taskId === done.id && /COMPLETED/.test(raw));
        assert.ok(callback.deliveries.every(({ raw }) => JSON.parse(raw).type === 'callback.changed'));
        callback.close();
        hook.close();
    });

    const verifiedPush = ({ raw, headers }, secret) => new Webhook(secret).verify(raw, headers);

    // ---------------------------------------------------------------- the card

    test('the card says it in the words of the version that asks, the same at both paths', async () => {
        const paths = ['/.well-known/agent-card.json', '/.well-known/agent.json'];
        const get = (path, headers = {}) => send('GET', path, { headers });
        const [both, same] = await Promise.all(paths.map((path) => get(path)));
        assert.equal(both.text, same.text);
        assert.match(both.headers.vary, /\bA2A-Version\b/);
        const v10 = (await get(paths[0], { 'a2a-version': '1.0' }));
        assert.equal(v10.text, (await get(paths[1], { 'a2a-version': '1.0' })).text);
        const a2a = `${both.body.documentationUrl.replace('/llms.txt', '')}/a2a`;
        assert.deepEqual([both.body.url, both.body.preferredTransport, both.body.protocolVersion], [a2a, 'JSONRPC', '0.3.0']);
        assert.deepEqual(both.body.supportedInterfaces, ['1.0', '0.3'].map((protocolVersion) => ({ url: a2a, protocolBinding: 'JSONRPC', protocolVersion })));
        assert.deepEqual(v10.body.supportedInterfaces, both.body.supportedInterfaces);
        for (const name of ['url', 'preferredTransport', 'protocolVersion', 'security', 'additionalInterfaces']) assert.equal(v10.body[name], undefined, name);
        assert.deepEqual(v10.body.securitySchemes, { apiKey: { httpAuthSecurityScheme: { scheme: 'Bearer' } } });
        assert.deepEqual(v10.body.securityRequirements, [{ schemes: { apiKey: { list: [] } } }]);
        assert.deepEqual(v10.body.skills, both.body.skills);
        assert.deepEqual([both.body.capabilities.streaming, both.body.capabilities.pushNotifications], [false, true]);
        for (const [answer, headers] of [[both, {}], [v10, { 'a2a-version': '1.0' }]]) {
            assert.equal((await get(paths[0], { 'if-none-match': answer.headers.etag, ...headers })).status, 304);
        }
        assert.notEqual(both.headers.etag, v10.headers.etag);
    });

    test('the examples of the card are calls that work', async () => {
        const { body: card } = await send('GET', '/.well-known/agent-card.json');
        const a2a = new A2A(await register());
        for (const { id, examples, inputModes } of card.skills) {
            const calls = examples.filter((example) => example.startsWith('{')).map((example) => JSON.parse(example));
            assert.equal(calls.length, 1, id);
            assert.ok(inputModes.includes('application/json'));
            const task = await a2a.send([{ data: calls[0] }]);
            // The objects that it names do not exist, or not yet.
            for (const text of examples.filter((example) => !example.startsWith('{'))) {
                granted(await a2a.agent.post('/execute', { command: text, dry_run: true }));
            }
            assert.equal(inputModes.includes('text/plain'), examples.length > 1, id);
            assert.doesNotMatch(a2a.said(task)[0], /Validation failed|Amount|Slippage|Unknown|is required/, show({ status: id, text: JSON.stringify(task) }));
        }
        assert.ok(card.url.startsWith(GATEWAY));
    });
});
