// solana-rpc: a Solana of the sandbox, behind the JSON-RPC of two nodes: http://127.0.0.1:PORT/ and .../second; a third
// one, .../solver, is for the sandbox's solver, whose questions would use up faults: it has only those that name it.
//   node server.mjs PORT STATE
// STATE: files whose names begin so keep the chain from one start to the next. Tests make it drop, revert, fork or forget by
// its door (../upstream/door.mjs), service `solana`; faults that a node has take `path` "/" or "/second".

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { deserialize, serialize } from 'node:v8';
import { bodyOf, send } from '../upstream/answers.mjs';
import { Door } from '../upstream/door.mjs';
import { Store } from '../upstream/store.mjs';
import { Ledger } from './ledger.mjs';
import { Node, RpcError, SLOT_MS, textOf } from './rpc.mjs';
import { addPrograms, buildWorld, fundCoin, fundTokens } from './world.mjs';
import { base58, readTransaction } from './transaction.mjs';

const SAVE_MS = 1000;
const [PORT, STATE] = process.argv.slice(2);

process.title = 'solana-rpc'; // as `stack status` names it

const door = new Door();
const wrong = door.wrongs('solana');
const ledger = open();
const forks = [];
let halted = false;

function open() {
    const file = `${STATE}.machine`;
    const state = existsSync(file) ? deserialize(readFileSync(file)) : undefined;
    const opened = new Ledger({ state, store: new Store(`${STATE}.history.jsonl`) });
    addPrograms(opened);
    if (state === undefined) buildWorld(opened);
    return opened;
}

function save() {
    const file = `${STATE}.machine`;
    writeFileSync(`${file}.new`, serialize(ledger.state()));
    renameSync(`${file}.new`, file);
}

// ---------------------------------------------------------------- time

setInterval(() => {
    if (halted) return;
    ledger.advance();
    while (forks.length > 0 && forks[0].due <= ledger.slot) {
        const { mark, signature } = forks.shift();
        ledger.fork(mark, signature);
    }
}, SLOT_MS);
setInterval(() => {
    if (ledger.takeChanged()) save();
}, SAVE_MS);

// ---------------------------------------------------------------- transactions on their way

/** What becomes of a transaction that a node took; wrongWith(fault, about) tells what goes wrong with it. */
function accept(bytes, wrongWith) {
    const { signatures: [first], keys } = readTransaction(bytes);
    const signature = base58(first), wrongNow = (fault) => wrongWith(fault, keys.join(' '));
    if (wrongNow('drop')) return;
    const late = wrongNow('late');
    if (late) {
        setTimeout(() => land(bytes, signature, wrongNow), late.value ?? 1000);
        return;
    }
    land(bytes, signature, wrongNow);
}

function land(bytes, signature, wrongNow) {
    const fork = ledger.entry(signature) === undefined ? wrongNow('fork') : undefined;
    const mark = fork && ledger.mark();
    const entry = ledger.run(bytes);
    if (mark && entry.refused === undefined) forks.push({ mark, signature, due: ledger.slot + BigInt(fork.value ?? 5) });
}

function nodeOf(wrongWithNode, wrongWithTransaction) {
    const node = new Node(ledger, wrongWithNode);
    node.accept = (bytes) => accept(bytes, wrongWithTransaction);
    node.airdrop = (address, lamports) => {
        fundCoin(ledger, address, lamports);
        return base58(Buffer.alloc(64, 1));
    };
    return node;
}

const SOLVER_PATH = '/solver';
const wrongWithSolver = (fault, about) => wrong(fault, SOLVER_PATH, { named: true, about });
const nodes = { [SOLVER_PATH]: nodeOf(wrongWithSolver, wrongWithSolver) };
for (const path of ['/', '/second']) nodes[path] = nodeOf((fault) => wrong(fault, path), (fault, about) => wrong(fault, undefined, { about }));

function answerOne(node, call) {
    const id = call?.id ?? null;
    try {
        if (call?.jsonrpc !== '2.0' || typeof call.method !== 'string') throw new RpcError(-32600, 'Invalid request');
        return { jsonrpc: '2.0', result: node.call(call.method, call.params), id };
    } catch (error) {
        if (!(error instanceof RpcError)) console.error(error);
        const { code = -32603, data } = error;
        return { jsonrpc: '2.0', error: { code, message: error instanceof RpcError ? error.message : 'Internal error', ...(data === undefined ? {} : { data }) }, id };
    }
}

function answerCall({ path, body }) {
    const node = nodes[path] ?? nodes['/'];
    let calls;
    try {
        calls = JSON.parse(body);
    } catch {
        return { text: textOf({ jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' }, id: null }) };
    }
    return { text: textOf(Array.isArray(calls) ? calls.map((call) => answerOne(node, call)) : answerOne(node, calls)) };
}

// ---------------------------------------------------------------- the door

const slots = (value) => {
    ledger.advance(value ?? 1);
    return { slot: Number(ledger.slot) };
};

door.add('solana', {
    answer: answerCall,
    faults: ['drop', 'late', 'fork', 'behind', 'no_history', 'history_unavailable'],
    acts: {
        advance: slots,
        halt: () => { halted = true; },
        resume: () => { halted = false; },
        forget_blockhash: (hash) => ledger.forget(hash),
        fund({ address, mint, amount }) {
            if (mint === undefined) return fundCoin(ledger, address, BigInt(amount));
            return { account: fundTokens(ledger, address, mint, BigInt(amount)) };
        },
        set_account({ address, lamports, data, owner }) {
            ledger.setAccount(address, { lamports: BigInt(lamports), data: Buffer.from(data ?? '', 'base64'), owner });
        },
    },
    audit: { transactions: () => [] },
});

// ---------------------------------------------------------------- HTTP

const server = createServer((request, response) => {
    handle(request, response).catch((error) => {
        console.error(error);
        response.destroy();
    });
});

async function handle(request, response) {
    const url = new URL(request.url, 'http://solana');
    const body = await bodyOf(request);
    const call = { method: request.method, path: url.pathname, query: url.searchParams, headers: request.headers, body };
    if (url.pathname.startsWith('/_sandbox')) return send(response, await door.answer({ ...call, path: url.pathname.slice('/_sandbox'.length) || '/' }));
    return url.pathname === SOLVER_PATH ? send(response, answerCall(call)) : door.pass('solana', call, response);
}

server.keepAliveTimeout = 60000;
server.listen(Number(PORT), '127.0.0.1', () => console.log(`solana-rpc listens on ${PORT}`));
for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
        save();
        process.exit(0);
    });
}
