// Section: jobs
// `wait`: the answers of calls that begin something, or look at it, come when that has ended or their time is over, and the calls
// hold no worker meanwhile. Behind both web servers, with two workers that may wait and one that never does.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { A2A } from '../api/a2a.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    API, granted, refused, register, send, until,
} from '../api/lib.mjs';
import { ask as askMcp, result } from '../api/mcp.mjs';
import {
    begun, isAlive, named, waitingCalls,
} from './gateways.mjs';
import { withoutBlocks } from './lib.mjs';

const CHAIN = 'base';
const LONG_S = 25;
const AN_AGENT = 20;

const gateways = await Promise.all(['lighttpd', 'apache'].map(async (web) => {
    const each = await startGateway(['workers = 2', 'fast_workers = 2', 'a2a_wait_ms = 20000', 'mcp_wait_s = 20'], { web });
    await begun(each);
    return [web, each];
}));

after(() => Promise.all(gateways.map(([, each]) => each.stop())));

/** An agent with coins, by that gateway. */
async function trader({ base }) {
    const agent = await register();
    agent.base = base;
    agent.address = await agent.wallet(CHAIN, 5);
    return agent;
}

const quoted = (agent, amount = '0.01') => agent.quote('ETH', 'USDC', amount, { chain: CHAIN });
const execute = async (agent, more = {}, headers = {}) => (
    agent.send('POST', '/swap/execute', { json: { quote_id: (await quoted(agent)).quote_id, ...more }, headers })
);
const isUnderWay = ({ status }) => /^(pending|submitted)$/.test(status);
const under = (swap) => assert.ok(isUnderWay(swap), JSON.stringify(swap));

/** The process that holds the calls. */
const parker = ({ pid }) => named(pid, 'gateway-parker')[0];
const holds = (each, count) => until(`${count} calls to wait`, async () => await waitingCalls(each) === count);

/** Swaps that cannot end before `during` has. */
async function stalled(agent, during) {
    return withoutBlocks(CHAIN, async () => {
        const { swap_id: id } = granted(await execute(agent));
        return during(id);
    });
}

/** A call that is not awaited yet. */
function later(call) {
    call.catch(() => {});
    return { call };
}

for (const [web, each] of gateways) {
    test(`${web}: a swap that waits answers as its status does, in one call`, async () => {
        const agent = await trader(each);
        const swap = granted(await execute(agent, { wait: LONG_S }));
        assert.equal(swap.status, 'completed', JSON.stringify(swap));
        assert.deepEqual(swap, await agent.status(swap.swap_id));
    });

    test(`${web}: without wait, and with 0, a swap is answered at once`, async () => {
        const agent = await trader(each);
        await withoutBlocks(CHAIN, async () => {
            for (const more of [{}, { wait: 0 }]) {
                const swap = granted(await execute(agent, more));
                assert.match(swap.status, /^(pending|submitted)$/);
                assert.ok('tracking' in swap);
            }
        });
    });

    test(`${web}: the time is over before the end`, async () => {
        const agent = await trader(each);
        await withoutBlocks(CHAIN, async () => {
            const begins = Date.now();
            const swap = granted(await execute(agent, { wait: 2 }));
            assert.match(swap.status, /^(pending|submitted)$/);
            assert.ok(Date.now() - begins >= 2000);
        });
    });

    test(`${web}: a status call waits as well`, async () => {
        const agent = await trader(each);
        const [id, asked] = await withoutBlocks(CHAIN, async () => {
            const { swap_id: begunId } = granted(await execute(agent));
            const call = agent.get(`/swap/status/${begunId}?wait=${LONG_S}`);
            call.catch(() => {});
            return [begunId, call];
        });
        assert.equal(granted(await asked).status, 'completed');
        assert.equal(granted(await agent.get(`/swap/status/${id}?wait=1`)).status, 'completed');
    });

    test(`${web}: calls that wait hold no worker, and the agent's ${AN_AGENT + 1}st is answered at once`, async () => {
        const agent = await trader(each);
        const other = await trader(each);
        const calls = await stalled(agent, async (id) => {
            const waiting = Array.from({ length: AN_AGENT }, () => later(agent.get(`/swap/status/${id}?wait=${LONG_S}`)));
            await holds(each, AN_AGENT);
            under(granted(await agent.get(`/swap/status/${id}?wait=${LONG_S}`)));
            granted(await other.get('/me'));
            await quoted(other);
            waiting.push(later(execute(other, { wait: LONG_S })));
            await holds(each, AN_AGENT + 1);
            return waiting;
        });
        for (const { call } of calls) assert.equal(granted(await call).status, 'completed');
        await holds(each, 0);
    });

    test(`${web}: the process that holds the calls is killed, and nothing is lost`, async () => {
        const agent = await trader(each);
        const key = { 'Idempotency-Key': crypto.randomUUID() };
        const { quote_id: quote } = await quoted(agent);
        const again = () => agent.send('POST', '/swap/execute', { json: { quote_id: quote, wait: LONG_S }, headers: key, mayBreak: true });
        const broken = await withoutBlocks(CHAIN, async () => {
            const { call } = later(again());
            await holds(each, 1);
            const pid = parker(each);
            process.kill(pid, 'SIGKILL');
            await until('another one', () => parker(each) !== undefined && parker(each) !== pid);
            return call.catch(() => undefined);
        });
        assert.ok(broken === undefined || broken.status >= 500, JSON.stringify(broken?.body));
        const swap = granted(await again());
        assert.equal(swap.status, 'completed');
        assert.equal(granted(await agent.get('/swaps')).pagination.total, 1);
    });

    test(`${web}: the process that holds the calls is stopped by itself, and its successor holds the next`, async () => {
        const agent = await trader(each);
        await stalled(agent, async (id) => {
            const { call } = later(agent.get(`/swap/status/${id}?wait=${LONG_S}`));
            await holds(each, 1);
            const pid = parker(each);
            process.kill(pid, 'SIGTERM');
            under(granted(await call));
            await until('another one', () => parker(each) !== undefined && parker(each) !== pid);
            const begins = Date.now();
            under(granted(await agent.get(`/swap/status/${id}?wait=2`)));
            assert.ok(Date.now() - begins >= 2000);
        });
    });

    test(`${web}: a repeat under its Idempotency-Key waits too, with any wait or none`, async () => {
        const agent = await trader(each);
        const key = { 'Idempotency-Key': crypto.randomUUID() };
        const { quote_id: quote } = await quoted(agent);
        const again = (more) => agent.send('POST', '/swap/execute', { json: { quote_id: quote, ...more }, headers: key });
        const first = await withoutBlocks(CHAIN, async () => granted(await again({ wait: 1 })));
        under(first);
        const repeat = await again({ wait: LONG_S });
        assert.deepEqual([granted(repeat).swap_id, repeat.body.status, repeat.headers['idempotent-replayed']], [first.swap_id, 'completed', 'true']);
        const plain = granted(await again({}));
        assert.deepEqual([plain.swap_id, isUnderWay(plain)], [first.swap_id, true]); // the answer as it was recorded
    });

    test(`${web}: the place of a client that leaves is free once its time is over`, async () => {
        const agent = await trader(each);
        await stalled(agent, async (id) => {
            const gone = new AbortController();
            const { call } = later(fetch(`${each.base}${API}/swap/status/${id}?wait=5`, { headers: { authorization: `Bearer ${agent.key}` }, signal: gone.signal }));
            await holds(each, 1);
            gone.abort();
            await call.catch(() => {});
            await holds(each, 0);
        });
    });

    test(`${web}: a restart answers all that wait, as they stand`, async () => {
        const agent = await trader(each);
        await stalled(agent, async (id) => {
            const { call } = later(agent.get(`/swap/status/${id}?wait=${LONG_S}`));
            await holds(each, 1);
            const pid = parker(each);
            process.kill(each.pid, 'SIGHUP');
            under(granted(await call));
            await until('another one', () => parker(each) !== undefined && parker(each) !== pid);
        });
        await until('the restart to end', () => named(each.pid, 'gateway-parker').length === 1);
        granted(await execute(agent, { wait: LONG_S }));
        await holds(each, 0);
    });

    test(`${web}: a key that is renewed meanwhile leaves the answer of what was begun`, async () => {
        const agent = await trader(each);
        const swap = await withoutBlocks(CHAIN, async () => {
            const { call } = later(execute(agent, { wait: 4 }));
            await holds(each, 1);
            granted(await agent.post('/keys/rotate'));
            return granted(await call);
        });
        under(swap);
        assert.ok(Number.isInteger(swap.swap_id));
    });
}

test('a gateway that ends answers all that wait, as they stand', async () => {
    const own = await startGateway(['workers = 2', 'fast_workers = 2']);
    try {
        await begun(own);
        const agent = await trader(own);
        await stalled(agent, async (id) => {
            const calls = Array.from({ length: AN_AGENT }, () => later(agent.get(`/swap/status/${id}?wait=${LONG_S}`)));
            await holds(own, AN_AGENT);
            await own.end('SIGTERM');
            for (const { call } of calls) under(granted(await call));
        });
    } finally {
        await own.stop();
    }
});

test('where the parent is killed, all that wait are answered as they stand', async () => {
    const own = await startGateway(['workers = 2', 'fast_workers = 2']);
    try {
        await begun(own);
        const agent = await trader(own);
        const pid = parker(own);
        await stalled(agent, async (id) => {
            const calls = Array.from({ length: AN_AGENT }, () => later(agent.get(`/swap/status/${id}?wait=${LONG_S}`)));
            await holds(own, AN_AGENT);
            const begins = Date.now();
            await own.end('SIGKILL');
            for (const { call } of calls) under(granted(await call));
            assert.ok(Date.now() - begins < 9000); // no worker is left that could be waited for
        });
        await until('the process that held them to end', () => !isAlive(pid));
    } finally {
        await own.stop();
    }
});

const [, first] = gateways[0];

test('a call that waits is one request of its agent', async () => {
    const agent = await trader(first);
    const counted = async () => JSON.parse(await first.agentctl('--json', 'top')).agents.find(({ agent: id }) => id === agent.id)?.requests ?? 0;
    await stalled(agent, async (id) => {
        const before = await counted();
        under(granted(await agent.get(`/swap/status/${id}?wait=1`)));
        under(granted(await agent.get(`/swap/status/${id}`)));
        assert.equal(await counted(), before + 2);
    });
});

test('a sentence that waits has the end in its result', async () => {
    const agent = await trader(first);
    const done = granted(await agent.post('/execute', { command: `swap 0.01 ETH to USDC on ${CHAIN}`, wait: LONG_S }));
    assert.deepEqual([done.action, done.result.status], ['swap', 'completed'], JSON.stringify(done));
    assert.deepEqual(done.result, await agent.status(done.result.swap_id));
});

test('the compact form is that of the status', async () => {
    const agent = await trader(first);
    const { quote_id: quote } = await quoted(agent);
    const done = granted(await agent.send('POST', '/swap/execute?compact=true', { json: { quote_id: quote, wait: LONG_S } }));
    assert.deepEqual(done, granted(await agent.get(`/swap/status/${done.swap_id}?compact=true`)));
});

test('MCP waits without being told, as long as its host allows, and not where it is told so', async () => {
    const agent = await trader(first);
    const use = async (name, args) => JSON.parse(result(await askMcp('tools/call', { name, arguments: args }, { key: agent.key, base: first.base })).content[0].text);
    const swap = await use('execute_swap', { quote_id: (await quoted(agent)).quote_id });
    assert.equal(swap.status, 'completed', JSON.stringify(swap));
    await withoutBlocks(CHAIN, async () => {
        const at = await use('execute_swap', { quote_id: (await quoted(agent)).quote_id, wait: 0 });
        under(at);
        under(await use('get_swap_status', { swapId: at.swap_id, wait: 1 }));
    });
});

/** The events of a stream, as they come. */
async function* events(answer) {
    let text = '';
    for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
        text += part;
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
            const [, data] = /^event: message\ndata: (.*)$/.exec(text.slice(0, end));
            text = text.slice(end + 2);
            yield JSON.parse(data);
        }
    }
    assert.equal(text, '');
}

for (const [web, each] of gateways) {
    test(`${web}: a client of MCP that asks for it is told of progress, by a web server that streams`, async () => {
        const agent = await trader(each);
        const asked = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'execute_swap', arguments: { quote_id: (await quoted(agent)).quote_id, wait: LONG_S }, _meta: { progressToken: 'token "1"' } } };
        const { answer, stream, told } = await withoutBlocks(CHAIN, async () => {
            const { call } = later(fetch(`${each.base}/mcp`, {
                method: 'POST', body: JSON.stringify(asked), headers: { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
            }));
            await holds(each, 1);
            if (web === 'apache') return { answer: call, told: [] }; // it buffers answers whole
            const begun = await call;
            const all = events(begun);
            const first3 = [];
            for (let i = 0; i < 3; i++) first3.push((await all.next()).value);
            return { answer: call, stream: all, told: first3 };
        });
        const { status, headers } = await answer;
        assert.deepEqual([status, headers.get('content-type')], [200, 'text/event-stream']);
        for await (const event of stream ?? events(await answer)) told.push(event);
        const { id, result: end } = told.pop();
        assert.deepEqual([id, end.structuredContent.status], [7, 'completed'], JSON.stringify(end));
        assert.ok(told.length > 0);
        told.forEach(({ method, params }) => assert.deepEqual([method, params.progressToken, params.total], ['notifications/progress', 'token "1"', LONG_S]));
        const progress = told.map(({ params }) => params.progress);
        assert.deepEqual(progress, [...new Set(progress)].sort((a, b) => a - b));
    });
}

test('a long request is answered at once: what waits lies in memory', async () => {
    const agent = await trader(first);
    await stalled(agent, async (id) => {
        const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_swap_status', arguments: { swapId: id, wait: LONG_S } } };
        const wide = `${JSON.stringify(asked)}${' '.repeat(16 * 1024)}`;
        const began = Date.now();
        const { body } = await send('POST', '/mcp', { body: wide, headers: { 'content-type': 'application/json' }, key: agent.key, base: first.base });
        under(JSON.parse(body.result.content[0].text));
        assert.ok(Date.now() - began < 10_000);
    });
});

test('a batch of MCP is answered at once', async () => {
    const agent = await trader(first);
    await stalled(agent, async (id) => {
        const call = (n) => ({ jsonrpc: '2.0', id: n, method: 'tools/call', params: { name: 'get_swap_status', arguments: { swapId: id, wait: LONG_S } } });
        const began = Date.now();
        const { body } = await send('POST', '/mcp', { json: [call(1), call(2)], key: agent.key, base: first.base });
        assert.deepEqual(body.map((each) => isUnderWay(JSON.parse(each.result.content[0].text))), [true, true]);
        assert.ok(Date.now() - began < 10_000);
    });
});

for (const version of ['1.0', '0.3']) {
    test(`A2A ${version} waits for the end of the task, or as long as it is told`, async () => {
        const agent = await trader(first);
        const a2a = new A2A(agent, version);
        const waits = version === '0.3' ? { blocking: true } : {};
        const task = await a2a.call('execute_swap', { quote_id: (await quoted(agent)).quote_id }, {}, waits);
        a2a.is(task, 'completed');
        await withoutBlocks(CHAIN, async () => {
            a2a.is(await a2a.call('execute_swap', { quote_id: (await quoted(agent)).quote_id, wait: 1 }, {}, waits), 'working');
        });
    });
}

test('wait is a whole number of seconds up to 30', async () => {
    const agent = await trader(first);
    for (const wait of [31, -1, 1.5, 'long', true]) assert.equal(refused(await execute(agent, { wait }), 'Validation failed', ['wait']).fields.wait, 'must be a whole number from 0 to 30');
});
