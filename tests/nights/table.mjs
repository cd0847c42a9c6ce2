// The nights: troubles of the service while no operator watches. Each has a name; `falls` and `dawns`; `load`, the requests
// meanwhile; `says`, [event, what its line has to name] of the logs; `status`, [section, name, words] of `agentctl status`, which
// name the cause, and `checkMs`, the time that `agentctl check` has where a minute is too short; `alert`, which fires within twenty
// minutes, or when it `goesOn` for so many seconds. One that is `brief` is shown in short with every run of the tests; of one that is
// `hidden` the log can only speak when it is over.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
    closeSync, openSync, renameSync, rmSync, writeSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { register, until } from '../api/lib.mjs';
import { rpc } from '../api/chain.mjs';
import { freePort } from '../api/ports.mjs';
import { FILLED, fillDisk } from '../faults/disk.mjs';
import { Node } from '../faults/node.mjs';
import { Kept, pidOf } from '../faults/programs.mjs';
import {
    JOBS, processes, settings, signal, sql,
} from '../jobs/lib.mjs';

const CHAIN = 'base';
const stack = settings();

export const node = new Node(process.env.BASE_CHAIN_URL);
const nodePort = Number(process.env.FAULTS_NODE_PORT);
export const openNode = () => node.listen(nodePort);

const quietly = (promise) => promise.catch(() => {});

// ---------------------------------------------------------------- what is asked for meanwhile

let agent;

export async function prepare() {
    agent = await register();
    await agent.wallet(CHAIN, 100);
}

const ask = (method, path, json) => quietly(agent.send(method, path, { json, mayBreak: true, patient: false, limit: 20_000 }));

async function trades() {
    const answer = await ask('POST', '/quote', {
        from_token: 'ETH', to_token: 'USDC', amount: '0.001', chain: CHAIN,
    });
    if (answer?.body?.quote_id !== undefined) await ask('POST', '/swap/execute', { quote_id: answer.body.quote_id });
}

async function reads() {
    await ask('GET', '/me');
    await ask('GET', '/swaps');
}

// ---------------------------------------------------------------- the troubles

/** Fills the file system of a folder to its last byte, until it is told to make room. */
function fill(folder) {
    const path = join(folder, 'filler');
    const fd = openSync(path, 'w');
    for (let size = 1 << 16; size >= 1;) {
        try {
            if (writeSync(fd, Buffer.alloc(size)) < size) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        } catch (error) {
            assert.equal(error.code, 'ENOSPC');
            size >>= 1;
        }
    }
    closeSync(fd);
    return () => rmSync(path);
}

let room;
const full = (folder) => ({ falls: () => { room = fill(folder); }, dawns: () => room() });

let receiverPort;
let receiver;

/** An agent's events go to a port where no program listens. */
async function loseReceiver() {
    receiverPort = await freePort();
    await agent.listen(`http://127.0.0.1:${receiverPort}/a-secret-path`);
}

async function findReceiver() {
    receiver = createServer((request, response) => request.resume().on('end', () => response.end())).listen(receiverPort, '127.0.0.1');
    receiver.unref();
    await once(receiver, 'listening');
    const own = `agent_id = (SELECT id FROM agents WHERE uuid = UNHEX('${agent.id.replaceAll('-', '')}'))`;
    await sql(`UPDATE webhook_events SET next_at = UTC_TIMESTAMP(3) WHERE status = 1 AND ${own}; UPDATE event_queues SET next_at = UTC_TIMESTAMP(3) WHERE ${own}`);
}

let database;

async function loseDatabase() {
    database = await Kept.of('mariadbd');
    signal(database.pid);
    await until('the database to be gone', () => sql('SELECT 1').then(() => false, () => true));
}

async function findDatabase() {
    await database.kill();
    await until('the database to answer', () => sql('SELECT 1').catch(() => false));
}

let cron;

async function loseJobs() {
    cron = await pidOf('cron');
    signal(cron, 'SIGSTOP');
    for (const [name, pid] of await processes()) if (JOBS.includes(name)) signal(pid, 'SIGTERM');
    await until('the jobs to end', async () => !(await processes()).some(([name]) => JOBS.includes(name)));
}

const masterKey = join(stack.GATEWAY_VAR, 'keys/wallets/master.key');
// It ends in good order, and the next one finds no key.
const endSigner = async () => signal(await pidOf('signer'), 'SIGTERM');

async function loseMasterKey() {
    renameSync(masterKey, `${masterKey}.away`);
    await endSigner();
}

let disk;

export const NIGHTS = [
    {
        name: 'a node is down',
        brief: true,
        falls: () => node.close(),
        dawns: openNode,
        load: trades,
        says: [['node_no_answer', /why="could not connect" chain=base node=rpc\/1 host=127\.0\.0\.1:\d+( |$)/]],
        status: ['parts', 'base', /1 of 2 nodes.*; node 1, 127\.0\.0\.1:\d+: connection refused/],
        alert: 'GatewayNodeDown',
    }, {
        name: 'a node hangs',
        falls: () => node.misbehave({ hangs: () => true }),
        dawns: () => { node.behave(); node.server.closeAllConnections(); },
        load: trades,
        says: [['node_no_answer', /why="timed out after .*chain=base node=rpc\/1/]],
        status: ['parts', 'base', /1 of 2 nodes.*; node 1, 127\.0\.0\.1:\d+: silent: no answer in time/],
        alert: 'GatewayNodeDown',
    }, {
        name: 'a chain is halted',
        falls: () => rpc(CHAIN, 'evm_setIntervalMining', [0]),
        dawns: () => rpc(CHAIN, 'evm_setIntervalMining', [1]),
        load: trades,
        says: [['chain_halted', /chain=base/]],
        status: ['parts', 'base', /no new block for \d+ s/],
        checkMs: 180_000, // a chain's newest block may be two minutes old
        alert: 'GatewayChainBehind',
    }, {
        name: 'a receiver is dead',
        brief: true,
        falls: loseReceiver,
        dawns: findReceiver,
        load: trades,
        says: [['delivery_failed', /id=msg_\w+ type=swap\.\w+ status=0 ms=\d+ next=\S+Z why="could not connect" agent=\S+ host=127\.0\.0\.1:\d+( |$)/]],
        status: ['queues', 'webhooks', /127\.0\.0\.1:\d+: could not connect$/],
        alert: 'GatewayWebhookBacklog',
        goesOn: 7 * 3600,
    }, {
        name: 'the database is gone',
        brief: true,
        falls: loseDatabase,
        dawns: findDatabase,
        load: reads,
        says: [['database_unreachable', /reason="error 2002: no server listens at the socket" user=\S+ database=\S+ server=\S+db\.sock/]],
        status: ['parts', 'mariadbd', /does not answer: error 2002/],
        alert: 'GatewayNotReady',
    }, {
        name: "the database's disk is full",
        // An engine without any room sooner or later ends itself, as often as it is started: that is the night before.
        falls: async () => { disk = await fillDisk(FILLED); },
        dawns: () => disk.clear(),
        load: trades,
        says: [['database_failed', /reason="a table is full, or the server's disk is" .*error=1114/]],
        status: ['parts', 'mariadbd', /fails: .* disk (is|may be full)$/],
        alert: 'GatewayDatabaseFailing',
    }, {
        name: "the signer's disk is full",
        ...full(join(stack.GATEWAY_VAR, 'nights')),
        load: trades,
        says: [['audit_not_written', /reason="No space left on device"/]],
        status: ['parts', 'signer', /cannot write.*: No space left on device$/],
        alert: 'GatewaySignerRefusing',
    }, {
        name: 'the disk of the logs is full',
        hidden: true,
        ...full(stack.GATEWAY_LOG),
        load: async () => { await trades(); await ask('GET', '/nowhere'); },
        says: [['log_not_written', /program=gateway/]],
        status: ['parts', 'logs', /cannot be written/],
        alert: 'GatewayLogsLost',
    }, {
        name: 'jobs are absent',
        falls: loseJobs,
        dawns: () => signal(cron, 'SIGCONT'),
        load: trades,
        says: [['job_not_running', /job=swap-poll/], ['job_not_running', /job=webhook-drain/]],
        status: ['parts', 'cron', /do the timers run/],
        alert: 'GatewayJobsAbsent',
    }, {
        name: 'the master key is unreadable',
        falls: loseMasterKey,
        dawns: () => renameSync(`${masterKey}.away`, masterKey),
        load: trades,
        says: [['key_unreadable', /master\.key: No such file/], ['signer_no_answer', /./]],
        status: ['parts', 'signer', /does not answer: .*master\.key: No such file/],
        alert: 'GatewayNotReady',
    },
];
