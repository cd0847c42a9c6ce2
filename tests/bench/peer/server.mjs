// The peer: what an operator would otherwise put there, a service of the same shape on Node.js with the usual libraries,
// written with care. A cluster of processes, each with a pool of connections and prepared statements; one kept connection
// after another to the node; answers serialised by schema. It limits in memory, and counts each request in its agent's row.
//
// Environment: PEER_PORT, PEER_DB_SOCKET, PEER_SCHEMA, PEER_NODE_URL, PEER_WORKERS;
// PEER_COUNTS=batched: counts in memory, written once a second.

import cluster from 'node:cluster';
import { createHash, randomUUID } from 'node:crypto';
import {
    Contract, FetchRequest, JsonRpcProvider, ZeroAddress, formatUnits, parseUnits,
} from 'ethers';
import Fastify from 'fastify';
import mysql from 'mysql2/promise';

const {
    PEER_PORT, PEER_DB_SOCKET, PEER_SCHEMA, PEER_NODE_URL, PEER_WORKERS = '2', PEER_COUNTS,
} = process.env;
const API = '/v1/agent';
const CONNECTIONS = 8; // of each process
const QUOTE_SECONDS = 60;
const LIMITS = { standard: 120, premium: 600 }; // requests per minute; other tiers have none
const KEY = /^Bearer (svc_sk_[\w-]{25,})$/;

const CHAINS = [
    [1, 'ethereum', 'Ethereum', 'ETH'], [10, 'optimism', 'Optimism', 'ETH'], [56, 'bsc', 'BNB Chain', 'BNB'],
    [137, 'polygon', 'Polygon', 'MATIC'], [42161, 'arbitrum', 'Arbitrum', 'ETH'], [8453, 'base', 'Base', 'ETH'],
    [43114, 'avalanche', 'Avalanche', 'AVAX'], [250, 'fantom', 'Fantom', 'FTM'], [59144, 'linea', 'Linea', 'ETH'],
    [5000, 'mantle', 'Mantle', 'MNT'], [100, 'gnosis', 'Gnosis', 'xDAI'], [534352, 'scroll', 'Scroll', 'ETH'],
    [900, 'solana', 'Solana', 'SOL', 'solana'], [901, 'sui', 'Sui', 'SUI', 'move'], [902, 'ton', 'TON', 'TON', 'ton'],
].map(([id, key, name, token, type = 'evm']) => ({ id, key, name, native_token: token, type }));

const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const TOKENS = {
    ethereum: {
        ETH: { address: ZeroAddress, traded: WETH, decimals: 18 },
        WETH: { address: WETH, traded: WETH, decimals: 18 },
        USDC: { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', traded: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 },
    },
};
const ROUTER = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D';
const ROUTER_ABI = ['function getAmountsOut(uint256, address[]) view returns (uint256[])'];

// ---- Database and node ----

const pool = cluster.isPrimary ? null : mysql.createPool({
    socketPath: PEER_DB_SOCKET, user: 'root', database: PEER_SCHEMA, connectionLimit: CONNECTIONS, timezone: 'Z',
});

const FIND = `SELECT id, uuid, name, description, tier, total_requests, total_swaps, created_at, last_active_at
    FROM agents WHERE key_hash = ?`;
const COUNT = 'UPDATE agents SET total_requests = total_requests + ?, last_active_at = UTC_TIMESTAMP(3) WHERE id = ?';
const PAGE = `SELECT id AS swap_id, status, tx_hash, from_token, to_token FROM swaps
    WHERE agent_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`;
const TOTAL = 'SELECT COUNT(*) AS total FROM swaps WHERE agent_id = ?';
const ORDERS = `SELECT hash AS id, token AS tokenId, side, price + 0E0 AS price, size + 0E0 AS size, status, filled + 0E0 AS filled,
    average + 0E0 AS averagePrice, market, outcome, type, expires_at AS expiration, created_at, updated_at FROM orders
    WHERE agent_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`;
const ORDERS_TOTAL = 'SELECT COUNT(*) AS total FROM orders WHERE agent_id = ?';
const OPERATIONS = `SELECT number AS id, type, market, protocol, chain, chain_id AS chainId, asset, amount, status, tx_hash, health + 0E0 AS healthFactorAfter,
    created_at, completed_at FROM operations WHERE agent_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`;
const OPERATIONS_TOTAL = 'SELECT COUNT(*) AS total FROM operations WHERE agent_id = ?';
const PERPS = `SELECT cloid AS id, market, side, type, size, price, filled AS filledSize, average AS averagePrice, status, reduce_only AS reduceOnly,
    leverage, margin_mode AS marginMode, tif AS timeInForce, fee, children, error, created_at, updated_at FROM perps_orders
    WHERE agent_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`;
const PERPS_TOTAL = 'SELECT COUNT(*) AS total FROM perps_orders WHERE agent_id = ?';
const KEPT = 'SELECT members FROM answers WHERE question = ? AND made_at > UTC_TIMESTAMP(3) - INTERVAL 1 DAY';
const KEEP = `INSERT INTO quotes (id, agent_id, from_token, to_token, chain, amount_in, amount_out, expires_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3) + INTERVAL ${QUOTE_SECONDS} SECOND)`;

function connectNode() {
    const request = new FetchRequest(PEER_NODE_URL);
    const provider = new JsonRpcProvider(request, 1, { staticNetwork: true, batchMaxCount: 1, cacheTimeout: -1 });
    return new Contract(ROUTER, ROUTER_ABI, provider);
}

// ---- Who asks ----

const refusals = { denied: { success: false, error: 'Invalid or missing API key' }, limited: { success: false, error: 'Rate limit exceeded' } };
const buckets = new Map();
const counts = new Map();

/** A leaky bucket, in milliseconds of the agent's next free moment. */
function mayPass({ id, tier }) {
    const perMinute = LIMITS[tier];
    if (!perMinute) return true;
    const now = Date.now();
    const next = Math.max(buckets.get(id) ?? 0, now) + 60000 / perMinute;
    if (next - now > 60000) return false;
    buckets.set(id, next);
    return true;
}

async function authenticate(request, reply) {
    const key = KEY.exec(request.headers.authorization ?? '');
    if (!key) return reply.code(401).send(refusals.denied);
    const [[agent]] = await pool.execute(FIND, [createHash('sha256').update(key[1]).digest()]);
    if (!agent) return reply.code(401).send(refusals.denied);
    if (!mayPass(agent)) return reply.code(429).send(refusals.limited);
    if (PEER_COUNTS === 'batched') counts.set(agent.id, (counts.get(agent.id) ?? 0) + 1);
    else await pool.execute(COUNT, [1, agent.id]);
    request.agent = agent;
    return undefined;
}

async function writeCounts() {
    const due = [...counts];
    counts.clear();
    for (const [id, n] of due) await pool.execute(COUNT, [n, id]);
}

// ---- What they ask ----

async function me({ agent }) {
    return {
        success: true,
        agent: {
            id: agent.uuid,
            name: agent.name,
            description: agent.description,
            rate_limit_tier: agent.tier,
            stats: { total_requests: agent.total_requests, total_swaps: agent.total_swaps },
            created_at: agent.created_at.toISOString(),
            last_active_at: agent.last_active_at.toISOString(),
        },
    };
}

async function swaps({ agent, query: { limit, offset } }) {
    const [[rows], [[{ total }]]] = await Promise.all([
        pool.execute(PAGE, [agent.id, String(limit), String(offset)]), pool.execute(TOTAL, [agent.id]),
    ]);
    return { success: true, swaps: rows, pagination: { total, limit, offset, has_more: offset + rows.length < total } };
}

/** None of them has trades. */
async function orders({ agent, query: { limit, offset } }) {
    const [[rows], [[{ total }]]] = await Promise.all([
        pool.execute(ORDERS, [agent.id, String(limit), String(offset)]), pool.execute(ORDERS_TOTAL, [agent.id]),
    ]);
    const list = rows.map((row) => ({ ...row, tx_hashes: [], created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() }));
    return { success: true, orders: list, pagination: { total, limit, offset, has_more: offset + rows.length < total } };
}

/** All of them are completed. */
async function operations({ agent, query: { limit, offset } }) {
    const [[rows], [[{ total }]]] = await Promise.all([
        pool.execute(OPERATIONS, [agent.id, String(limit), String(offset)]), pool.execute(OPERATIONS_TOTAL, [agent.id]),
    ]);
    const list = rows.map((row) => ({
        ...row, collateral: false, error: null, created_at: row.created_at.toISOString(), completed_at: row.completed_at.toISOString(),
    }));
    return { success: true, operations: list, pagination: { total, limit, offset, has_more: offset + rows.length < total } };
}

/** What stands behind each is kept as text. */
async function perpsOrders({ agent, query: { limit, offset } }) {
    const [[rows], [[{ total }]]] = await Promise.all([
        pool.execute(PERPS, [agent.id, String(limit), String(offset)]), pool.execute(PERPS_TOTAL, [agent.id]),
    ]);
    const list = rows.map((row) => ({
        ...row, children: JSON.parse(row.children), created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString(),
    }));
    return { success: true, orders: list, pagination: { total, limit, offset, has_more: offset + rows.length < total } };
}

/** A page as it is kept, under the hash of what is asked. */
async function markets({ url }, reply) {
    const [[answer]] = await pool.execute(KEPT, [createHash('sha256').update(url).digest()]);
    if (!answer) return reply.code(404).send({ success: false, error: 'Not found' });
    return reply.type('application/json').send(`{"success":true,${answer.members}}`);
}

async function quote(router, { agent, body }, reply) {
    const refuse = (error) => reply.code(400).send({ success: false, error });
    const { from_token: from, to_token: to, amount, chain } = body;
    const tokens = TOKENS[chain];
    if (!tokens) return refuse(`Unknown chain '${chain}'`);
    const unknown = [from, to].find((symbol) => !tokens[symbol]);
    if (unknown) return refuse(`Unknown token '${unknown}' on chain '${chain}'`);
    if (!/^\d+(\.\d+)?$/.test(amount) || Number(amount) === 0) return refuse('Amount must be a positive number');

    const amounts = await router.getAmountsOut(parseUnits(amount, tokens[from].decimals), [tokens[from].traded, tokens[to].traded]);
    const out = formatUnits(amounts[1], tokens[to].decimals);
    const id = randomUUID();
    await pool.execute(KEEP, [id, agent.id, from, to, chain, amount, out]);
    return {
        success: true,
        quote_id: id,
        from_token: { symbol: from, chain, address: tokens[from].address },
        to_token: { symbol: to, chain, address: tokens[to].address },
        amount_in: amount,
        amount_out: out,
        exchange_rate: String(Number(out) / Number(amount)),
        expires_in_seconds: QUOTE_SECONDS,
    };
}

// ---- Schemas, by which answers are written ----

const text = { type: 'string' };
const maybe = { type: ['string', 'null'] };
const whole = { type: 'integer' };
const number = { type: 'number' };
const truth = { type: 'boolean' };
const object = (properties) => ({ type: 'object', properties });
const list = (items) => ({ type: 'array', items });
const answers = (properties) => ({ 200: object({ success: truth, ...properties }) });

const chainsSchema = { response: answers({ chains: list(object({ id: whole, key: text, name: text, native_token: text, type: text })) }) };
const meSchema = {
    response: answers({
        agent: object({
            id: text, name: text, description: maybe, rate_limit_tier: text,
            stats: object({ total_requests: whole, total_swaps: whole }), created_at: text, last_active_at: text,
        }),
    }),
};
const historySchema = (rows) => ({
    querystring: object({
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 }, offset: { type: 'integer', minimum: 0, default: 0 },
    }),
    response: answers({ ...rows, pagination: object({ total: whole, limit: whole, offset: whole, has_more: truth }) }),
});
const swapsSchema = historySchema({ swaps: list(object({ swap_id: whole, status: text, tx_hash: maybe, from_token: text, to_token: text })) });
const ordersSchema = historySchema({
    orders: list(object({
        id: text, tokenId: text, side: text, price: number, size: number, status: text, filled: number, averagePrice: number, market: text, outcome: text,
        type: text, expiration: maybe, tx_hashes: list(text), created_at: text, updated_at: text,
    })),
});
const operationsSchema = historySchema({
    operations: list(object({
        id: whole, type: text, market: text, protocol: text, chain: text, chainId: whole, asset: text, amount: text, collateral: truth, status: text,
        tx_hash: maybe, healthFactorAfter: { type: ['number', 'null'] }, created_at: text, completed_at: text, error: maybe,
    })),
});
const perpsOrdersSchema = historySchema({
    orders: list(object({
        id: text, market: text, side: text, type: text, size: text, price: text, filledSize: text, averagePrice: maybe, status: text, reduceOnly: truth,
        leverage: whole, marginMode: text, timeInForce: text, fee: text, children: list(object({ id: text, kind: text, triggerPrice: text, status: text })),
        error: maybe, created_at: text, updated_at: text,
    })),
});
const tokenSchema = object({ symbol: text, chain: text, address: text });
const quoteSchema = {
    body: {
        ...object({ from_token: text, to_token: text, amount: text, chain: { type: 'string', default: 'ethereum' } }),
        required: ['from_token', 'to_token', 'amount'],
    },
    response: answers({
        quote_id: text, from_token: tokenSchema, to_token: tokenSchema, amount_in: text, amount_out: text, exchange_rate: text,
        expires_in_seconds: whole,
    }),
};

// ---- Processes ----

async function serve() {
    const app = Fastify();
    const router = connectNode();
    app.decorateRequest('agent', null);
    app.setErrorHandler((error, request, reply) => {
        const status = error.statusCode ?? 500;
        return reply.code(status).send({ success: false, error: status < 500 ? error.message : 'Internal server error' });
    });
    app.get(`${API}/chains`, { schema: chainsSchema }, async () => ({ success: true, chains: CHAINS }));
    app.get(`${API}/me`, { schema: meSchema, preHandler: authenticate }, me);
    app.get(`${API}/swaps`, { schema: swapsSchema, preHandler: authenticate }, swaps);
    app.get(`${API}/predict/orders`, { schema: ordersSchema, preHandler: authenticate }, orders);
    app.get(`${API}/predict/markets`, { preHandler: authenticate }, markets);
    app.get(`${API}/lend/operations`, { schema: operationsSchema, preHandler: authenticate }, operations);
    app.get(`${API}/lend/markets`, { preHandler: authenticate }, markets);
    app.get(`${API}/perps/orders`, { schema: perpsOrdersSchema, preHandler: authenticate }, perpsOrders);
    app.get(`${API}/perps/markets`, { preHandler: authenticate }, markets);
    app.post(`${API}/quote`, { schema: quoteSchema, preHandler: authenticate }, (request, reply) => quote(router, request, reply));
    if (PEER_COUNTS === 'batched') setInterval(writeCounts, 1000);
    await app.listen({ port: Number(PEER_PORT), host: '127.0.0.1' });
}

if (cluster.isPrimary) {
    for (let n = Number(PEER_WORKERS); n > 0; n--) cluster.fork();
    cluster.on('exit', () => process.exit(1));
} else {
    await serve();
}
