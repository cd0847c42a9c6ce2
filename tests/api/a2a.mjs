// What the tests of A2A share: its requests by hand, in the words of both versions, and the official clients.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as core from '@a2a-js/sdk';
import * as sdk10 from '@a2a-js/sdk/client';
import * as sdk03 from 'a2a-sdk-0.3/client';
import { GATEWAY, send, show, until } from './lib.mjs';

/** One request. `body` goes out as it is; else method and params do, under an id. Resolves to the answer of `send`. */
export async function post({ key, method, params, id = 1, headers = {}, query = '', ...rest }) {
    return send('POST', `/a2a${query}`, { key, headers, json: { jsonrpc: '2.0', id, method, params }, ...rest });
}

/** The answer is a result under the same id; returns it. */
export function result({ status, body, ...rest }, id = 1) {
    assert.equal(status, 200, show({ status, ...rest }));
    assert.deepEqual([body?.jsonrpc, body.id, 'error' in body], ['2.0', id, false], show({ status, ...rest }));
    return body.result;
}

/** The answer is this error and nothing else; returns it. */
export function fault({ status, body, ...rest }, code, id = 1, wanted = 200) {
    assert.deepEqual([status, body?.jsonrpc, body?.id, body?.error?.code, 'result' in (body ?? {})],
        [wanted, '2.0', id, code, false], show({ status, ...rest }));
    assert.ok(body.error.message.length > 0);
    return body.error;
}

/** The task, and for some clients of 0.3 a copy of it as a member. */
function withCopy({ task, ...own }) {
    assert.deepEqual(task, own);
    return own;
}

/** What the versions say differently. */
export const DIALECTS = {
    '1.0': {
        user: 'ROLE_USER',
        methods: {
            send: 'SendMessage', stream: 'SendStreamingMessage', get: 'GetTask', list: 'ListTasks', cancel: 'CancelTask',
            resubscribe: 'SubscribeToTask', extendedCard: 'GetExtendedAgentCard', pushSet: 'CreateTaskPushNotificationConfig',
            pushGet: 'GetTaskPushNotificationConfig', pushList: 'ListTaskPushNotificationConfigs',
            pushDelete: 'DeleteTaskPushNotificationConfig',
        },
        part: (content) => content,
        state: (state) => `TASK_STATE_${state.toUpperCase().replace('-', '_')}`,
        sent: ({ task }) => task,
        got: (task) => task,
        unsupported: -32004,
    },
    '0.3': {
        user: 'user',
        methods: {
            send: 'message/send', stream: 'message/stream', get: 'tasks/get', list: 'tasks/list', cancel: 'tasks/cancel',
            resubscribe: 'tasks/resubscribe', extendedCard: 'agent/getAuthenticatedExtendedCard',
            pushSet: 'tasks/pushNotificationConfig/set', pushGet: 'tasks/pushNotificationConfig/get',
            pushList: 'tasks/pushNotificationConfig/list', pushDelete: 'tasks/pushNotificationConfig/delete',
        },
        part: (content) => ({ kind: Object.keys(content)[0], ...content }),
        state: (state) => state,
        sent: withCopy,
        got: withCopy,
        unsupported: -32002,
    },
};

/** An agent's way to the gateway in one version of A2A. */
export class A2A {
    constructor(agent, version = '1.0') {
        this.agent = agent;
        this.version = version;
        this.words = DIALECTS[version];
    }

    /** By the dialect's short name for the method, or by the method itself. */
    post(method, params, more = {}) {
        return post({ key: this.agent.key, base: this.agent.base, method: this.words.methods[method] ?? method, params, ...more });
    }

    /** A message; `contents` are parts such as { text } and { data }. */
    message(contents, { messageId = randomUUID(), ...more } = {}) {
        return {
            messageId, role: this.words.user, parts: contents.map(this.words.part), ...more,
            ...(this.version === '0.3' && { kind: 'message' }),
        };
    }

    async send(contents, more = {}, configuration = undefined) {
        return this.words.sent(result(await this.post('send', { message: this.message(contents, more), configuration })));
    }

    /** The task of an operation. */
    call(operation, args = {}, more = {}, configuration = undefined) {
        return this.send([{ data: { operation, arguments: args } }], more, configuration);
    }

    /** The body that REST would have answered, of an operation that completes. */
    async done(operation, args) {
        return this.answer(await this.call(operation, args));
    }

    async get(id, more = {}) {
        return this.words.got(result(await this.post('get', { id, ...more })));
    }

    is(task, state) {
        assert.equal(task.status.state, this.words.state(state), JSON.stringify(task).slice(0, 800));
        return task;
    }

    answer(task) {
        this.is(task, 'completed');
        const [{ parts }] = task.artifacts;
        return parts[0].data;
    }

    /** What its status says: the sentence, and the body of a refusal. */
    said(task) {
        const [sentence, body] = task.status.message.parts;
        return [sentence.text, body?.data];
    }

    /** Follows a task to its end. */
    ended(id) {
        return until(`task ${id} to end`, async () => {
            const task = await this.get(id);
            return ['completed', 'failed', 'rejected', 'canceled'].map(this.words.state).includes(task.status.state) && task;
        });
    }
}

// ---------------------------------------------------------------- the official clients

const data = (operation, args) => ({ operation, arguments: args });

async function client(sdk, key) {
    const fetchImpl = (url, init = {}) => fetch(url, {
        ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), authorization: `Bearer ${key}` },
    });
    // They find the endpoint by the card, which needs no key.
    const factory = new sdk.ClientFactory({
        transports: [new sdk.JsonRpcTransportFactory({ fetchImpl })],
        cardResolver: new sdk.DefaultAgentCardResolver({ fetchImpl: (url, init) => fetch(url, init) }),
    });
    return factory.createFromUrl(GATEWAY);
}

/** The official client of each version, with the same few verbs; states are those of 0.3. */
export const CLIENTS = {
    async '1.0'({ key }) {
        const inner = await client(sdk10, key);
        const read = (task) => ({
            id: task.id,
            state: core.taskStateToJSON(task.status.state).replace('TASK_STATE_', '').toLowerCase().replace('_', '-'),
            artifacts: task.artifacts.map(({ name, parts }) => ({ name, data: parts[0].content.value, text: parts[1].content.value })),
            sentence: task.status.message.parts[0].content.value,
            history: task.history.map(({ messageId }) => messageId),
        });
        const request = (content, message) => ({
            tenant: '', configuration: undefined, metadata: undefined,
            message: {
                messageId: randomUUID(), contextId: '', taskId: '', role: core.Role.ROLE_USER, metadata: undefined, extensions: [],
                referenceTaskIds: [], parts: [{ content, metadata: undefined, filename: '', mediaType: '' }], ...message,
            },
        });
        return {
            call: async (operation, args, message) => read(await inner.sendMessage(request({ $case: 'data', value: data(operation, args) }, message))),
            say: async (text) => read(await inner.sendMessage(request({ $case: 'text', value: text }))),
            get: async (id) => read(await inner.getTask({ tenant: '', id })),
            cancel: async (id) => read(await inner.cancelTask({ tenant: '', id, metadata: undefined })),
            list: async () => (await inner.listTasks({ tenant: '', contextId: '', status: 0, pageToken: '', statusTimestampAfter: undefined })).tasks.map(read),
        };
    },
    async '0.3'({ key }) {
        const inner = await client(sdk03, key);
        const read = (task) => ({
            id: task.id,
            state: task.status.state,
            artifacts: task.artifacts.map(({ name, parts }) => ({ name, data: parts[0].data, text: parts[1].text })),
            sentence: task.status.message.parts[0].text,
            history: task.history.map(({ messageId }) => messageId),
        });
        const request = (part, message) => ({ message: { kind: 'message', messageId: randomUUID(), role: 'user', parts: [part], ...message } });
        return {
            call: async (operation, args, message) => read(await inner.sendMessage(request({ kind: 'data', data: data(operation, args) }, message))),
            say: async (text) => read(await inner.sendMessage(request({ kind: 'text', text }))),
            get: async (id) => read(await inner.getTask({ id })),
            cancel: async (id) => read(await inner.cancelTask({ id })),
        };
    },
};

// ---------------------------------------------------------------- operations

const CODES = { '-31401': 'INVALID_API_KEY', '-31429': 'RATE_LIMITED' };
let calls = 0;

/**
 * An operation as matrix.mjs wants it called: by turns in both versions. A messageId is what an Idempotency-Key is to REST.
 */
export async function callOperation({ tool }, { 'Idempotency-Key': idempotencyKey, ...args }, key) {
    const a2a = new A2A({ key }, calls++ % 2 === 0 ? '1.0' : '0.3');
    const messageId = idempotencyKey === undefined ? randomUUID() : `${tool}-${idempotencyKey}`;
    const { body: { result, error } } = await a2a.post('send', { message: a2a.message([{ data: { operation: tool, arguments: args } }], { messageId }) });
    if (error !== undefined) return { ok: false, code: error.data?.[0].reason ?? CODES[error.code], body: { error: error.message } };
    const task = a2a.words.sent(result);
    if (task.artifacts.length === 0) return { ok: false, code: a2a.said(task)[1].error_code, body: a2a.said(task)[1] };
    const [{ name, parts: [{ data }] }] = task.artifacts;
    // A swap goes on after it was begun; what REST answers then is the beginning.
    return { ok: true, body: name === 'swap' ? { success: true, swap_id: data.swap_id } : data };
}
