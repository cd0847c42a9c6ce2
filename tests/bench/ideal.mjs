// Starts the ideal responder behind the gateway's own lighttpd configuration, on the same database
// server, with the same agents and the same history.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { call, eventually, freePorts } from './stack.mjs';

const SWAP_COLUMNS = [
    'status', 'tx_hash', 'from_token', 'to_token', 'from_chain', 'to_chain', 'from_amount', 'expected_out', 'to_amount',
    'explorer_url',
];

/**
 * `content` is what the gateway has: { chains, agents: [{ key, profile }], swaps } with the swaps being
 * those of the first agent, newest first.
 */
export async function startIdeal(stack, program, processes, content, name = 'ideal') {
    const schema = `bench_${name}`;
    await fill(stack, schema, content);

    // Short, because a socket's path must be.
    const dir = mkdtempSync(`${tmpdir()}/gateway-bench.`);
    writeFileSync(`${dir}/chains.json`, JSON.stringify(content.chains));
    const [port] = await freePorts(1);
    const responders = launch(dir, {}, program, `${dir}/gateway.sock`, String(processes),
        stack.settings.GATEWAY_DB_SOCKET, schema, stack.node, `${dir}/chains.json`);
    const web = launch(dir, { GATEWAY_PORT: port, GATEWAY_RUN: dir, GATEWAY_LOG: dir },
        'lighttpd', '-D', '-f', `${stack.root}/conf/lighttpd.conf`);
    const side = {
        name,
        base: `http://127.0.0.1:${port}`,
        web: web.pid,
        responders: responders.pid,
        stop: () => stop([web, responders], dir),
    };
    try {
        await eventually('the ideal responder answers', 20, () => answers(side.base));
    } catch (error) {
        error.message += `\n${readFileSync(`${dir}/log`, 'utf8')}`;
        await side.stop();
        throw error;
    }
    return side;
}

async function answers(base) {
    return (await call(base, '/chains').catch(() => ({ status: 0 }))).status === 200;
}

/**
 * A session of its own, as the stack's programs have: the kernel shares processor time out by sessions.
 * It ends with this process, however that ends.
 */
function launch(dir, env, ...command) {
    const log = openSync(`${dir}/log`, 'a');
    return spawn('setpriv', ['--pdeathsig', 'TERM', '--', ...command], {
        detached: true,
        stdio: ['ignore', log, log],
        env: { ...process.env, ...env },
    });
}

async function stop(children, dir) {
    for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        child.kill('SIGTERM');
        await once(child, 'exit');
    }
    rmSync(dir, { recursive: true, force: true });
}

async function fill(stack, schema, { agents, swaps }) {
    await stack.sql(`DROP DATABASE IF EXISTS ${schema}; CREATE DATABASE ${schema}`);
    await stack.sql(readFileSync(new URL('ideal.sql', import.meta.url), 'utf8'), `--database=${schema}`);
    const agentRows = agents.map(({ key, profile }, i) => `(${[
        i + 1, `UNHEX(SHA2(${literal(key)}, 256))`, ...[profile.id, profile.name, profile.description].map(literal),
        literal(profile.rate_limit_tier), i === 0 ? swaps.length : 0,
    ]})`);
    await stack.sql(`INSERT INTO agents (id, key_hash, uuid, name, description, tier, total_swaps)
        VALUES ${agentRows.join()}`, `--database=${schema}`);
    if (swaps.length === 0) return;
    const swapRows = swaps.toReversed?.() ?? [...swaps].reverse();
    await stack.sql(`INSERT INTO swaps (agent_id, ${SWAP_COLUMNS})
        VALUES ${swapRows.map((swap) => `(1, ${SWAP_COLUMNS.map((c) => literal(swap[c]))})`).join()}`,
    `--database=${schema}`);
    await stack.sql('ANALYZE TABLE agents, swaps', `--database=${schema}`);
}

function literal(value) {
    if (value === null || value === undefined) return 'NULL';
    return `_utf8mb4 x'${Buffer.from(String(value)).toString('hex')}'`;
}
