// The other two sides: the ideal responder behind a lighttpd of its own, and the peer, a service on Node.js. Both use the
// gateway's database server and node, and have its agents and history. A side is { name, base, pids, stop }, pids being
// the roots of its processes: web (where there is one) and service.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { LENT, MARKETS } from './content.mjs';
import { PERPETUALS } from './perps.mjs';
import { call, eventually, freePorts } from './stack.mjs';

const SWAP_COLUMNS = ['status', 'tx_hash', 'from_token', 'to_token'];
const ORDER_COLUMNS = {
    hash: 'id', token: 'tokenId', side: 'side', price: 'price', size: 'size', status: 'status', filled: 'filled', average: 'averagePrice', market: 'market',
    outcome: 'outcome', type: 'type',
};
const OPERATION_COLUMNS = {
    number: 'id', type: 'type', market: 'market', protocol: 'protocol', chain: 'chain', chain_id: 'chainId', asset: 'asset', amount: 'amount',
    status: 'status', tx_hash: 'tx_hash', health: 'healthFactorAfter',
};
const PERPS_COLUMNS = {
    cloid: 'id', market: 'market', side: 'side', type: 'type', size: 'size', price: 'price', filled: 'filledSize', average: 'averagePrice', status: 'status',
    reduce_only: 'reduceOnly', leverage: 'leverage', margin_mode: 'marginMode', tif: 'timeInForce', fee: 'fee', children: 'children', error: 'error',
};
const OTHERS = 100; // agents who have as many orders for perpetuals as the first

/**
 * getAmountsOut(1.5 ether, [WETH, USDC]) of Uniswap V2's router at its mainnet address. Two words of the result are the array's
 * frame, and the last of the two amounts is the price.
 */
const AMOUNTS_OUT = `0xd06ca61f${[
    '14d1120d7b160000', '40', '2', 'c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', 'a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
].map((word) => word.padStart(64, '0')).join('')}`;
const priceCall = (node) => ({
    url: node, headers: ['Content-Type: application/json'], ...hexAt(3),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: '0x7a250d5630b4cf539739df2c5dacb4c659f2488d', data: AMOUNTS_OUT }, 'latest'] }),
});

/** Where in a node's answer a number stands: in which of the words of its result. */
export function hexAt(word) {
    return { mark: '"result":"0x', skip: word * 64 + 48, base: 16 };
}

/**
 * `content` is what the gateway has: { chains, agents: [{ key, profile }], swaps, markets, orders, lent, operations } with the swaps,
 * the open orders and the operations at lenders being those of the first agent, newest first, and the answers of pages of markets;
 * where perpetuals are asked for, too, { perpetuals, perpsOrders } of the same kinds. `calls` are what it asks others for a quote:
 * { url, mark, skip, base, body, headers }, as ideal_calls.h says.
 */
export async function startIdeal(stack, program, processes, content, name = 'ideal', calls = [priceCall(stack.node)]) {
    const side = await prepareSide(stack, name, content);
    writeFileSync(`${side.dir}/chains.json`, JSON.stringify(content.chains));
    writeFileSync(`${side.dir}/calls`, calls.map(({ url, mark, skip, base, body, headers }) => `${[url, mark, skip, base, body, ...headers].join('\t')}\n`).join(''));
    launch(side, 'service', {}, program, `${side.dir}/ideal.sock`, String(processes), stack.settings.GATEWAY_DB_SOCKET, side.schema,
        `${side.dir}/calls`, `${side.dir}/chains.json`);
    launch(side, 'web', { BENCH_PORT: side.port, BENCH_DIR: side.dir }, 'lighttpd', '-D', '-f', `${stack.root}/tests/bench/lighttpd.conf`);
    return whenReady(side);
}

export async function startPeer(stack, content) {
    const side = await prepareSide(stack, 'peer', content);
    launch(side, 'service', {
        PEER_PORT: side.port, PEER_DB_SOCKET: stack.settings.GATEWAY_DB_SOCKET, PEER_SCHEMA: side.schema, PEER_NODE_URL: stack.node,
        NODE_ENV: 'production',
    }, peerNode(stack.root), `${stack.root}/tests/bench/peer/server.mjs`);
    return whenReady(side);
}

/** The Node.js that the peer runs under: the newest at hand. */
export function peerNode(root) {
    const wanted = 22;
    const [major] = process.versions.node.split('.').map(Number);
    return major >= wanted ? process.execPath : `${root}/tests/bench/node_modules/node-linux-${process.arch}/bin/node`;
}

async function prepareSide(stack, name, content) {
    const schema = `bench_${name}`;
    await fill(stack, schema, content);
    // Short, because a socket's path must be.
    const dir = mkdtempSync(`${tmpdir()}/gateway-bench.`);
    const [port] = await freePorts(1);
    const children = [];
    return { name, schema, dir, port, children, base: `http://127.0.0.1:${port}`, pids: {}, stop: () => stop(children, dir) };
}

/**
 * A session of its own, as the stack's programs have: the kernel shares processor time out by sessions. It ends with this
 * process, however that ends.
 */
function launch(side, role, env, ...command) {
    const log = openSync(`${side.dir}/log`, 'a');
    const child = spawn('setpriv', ['--pdeathsig', 'TERM', '--', ...command], {
        detached: true, stdio: ['ignore', log, log], env: { ...process.env, ...env },
    });
    side.children.unshift(child);
    side.pids[role] = child.pid;
}

async function whenReady(side) {
    try {
        await eventually(`the ${side.name} answers`, 20, () => answers(side.base));
    } catch (error) {
        error.message += `\n${readFileSync(`${side.dir}/log`, 'utf8')}`;
        await side.stop();
        throw error;
    }
    return side;
}

async function answers(base) {
    return (await call(base, '/chains').catch(() => ({ status: 0 }))).status === 200;
}

async function stop(children, dir) {
    for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        child.kill('SIGTERM');
        await once(child, 'exit');
    }
    rmSync(dir, { recursive: true, force: true });
}

async function fill(stack, schema, {
    agents, swaps, markets, orders, lent, operations, perpetuals = {}, perpsOrders = [],
}) {
    await stack.sql(`DROP DATABASE IF EXISTS ${schema}; CREATE DATABASE ${schema}`);
    await stack.sql(readFileSync(new URL('reference.sql', import.meta.url), 'utf8'), `--database=${schema}`);
    const agentRows = agents.map(({ key, profile }, i) => `(${[
        i + 1, `UNHEX(SHA2(${literal(key)}, 256))`, ...[profile.id, profile.name, profile.description].map(literal),
        literal(profile.rate_limit_tier), ...[swaps, orders, operations, perpsOrders].map(({ length }) => (i === 0 ? length : 0)),
    ]})`);
    await stack.sql(`INSERT INTO agents (id, key_hash, uuid, name, description, tier, total_swaps, total_orders, total_operations, total_perps)
        VALUES ${agentRows.join()}`, `--database=${schema}`);
    await keepAnswer(stack, schema, MARKETS, markets);
    await keepAnswer(stack, schema, LENT, lent);
    await keepAnswer(stack, schema, PERPETUALS, perpetuals);
    const rowsOf = (list, columns) => list.map((each) => Object.values(columns).map((member) => each[member]));
    await fillHistory(stack, schema, 'swaps', SWAP_COLUMNS, swaps.map((swap) => SWAP_COLUMNS.map((column) => swap[column])));
    await fillHistory(stack, schema, 'orders', Object.keys(ORDER_COLUMNS), rowsOf(orders, ORDER_COLUMNS));
    await fillHistory(stack, schema, 'operations', Object.keys(OPERATION_COLUMNS), rowsOf(operations, OPERATION_COLUMNS));
    const bare = perpsOrders.map((order) => ({ ...order, reduceOnly: Number(order.reduceOnly), children: JSON.stringify(order.children) }));
    await fillHistory(stack, schema, 'perps_orders', Object.keys(PERPS_COLUMNS), rowsOf(bare, PERPS_COLUMNS));
    const columns = Object.keys(PERPS_COLUMNS).join();
    await stack.sql(`INSERT INTO perps_orders (agent_id, ${columns}) SELECT 1000000 + seq, ${columns} FROM perps_orders
        JOIN seq_1_to_${OTHERS} WHERE agent_id = 1 ORDER BY id, seq`, `--database=${schema}`);
    await stack.sql('ANALYZE TABLE agents, swaps, orders, operations, perps_orders', `--database=${schema}`);
}

async function keepAnswer(stack, schema, path, { success, ...members }) {
    await stack.sql(`INSERT INTO answers (question, members)
        VALUES (UNHEX(SHA2(${literal(`/v1/agent${path}`)}, 256)), ${literal(JSON.stringify(members).slice(1, -1))})`, `--database=${schema}`);
}

/** Rows of the first agent, newest first. */
async function fillHistory(stack, schema, table, columns, rows) {
    if (rows.length === 0) return;
    await stack.sql(`INSERT INTO ${table} (agent_id, ${columns})
        VALUES ${rows.toReversed().map((row) => `(1, ${row.map(literal)})`).join()}`, `--database=${schema}`);
}

function literal(value) {
    if (value === null || value === undefined) return 'NULL';
    return `_utf8mb4 x'${Buffer.from(String(value)).toString('hex')}'`;
}
