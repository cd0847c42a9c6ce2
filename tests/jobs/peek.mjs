// peek.c in the hands of tests: what code in a worker could do, next to the gateway's own checks. As root, workers have a user
// of their own, and it runs as that one; otherwise it runs as everybody does.

import { execFile } from 'node:child_process';
import {
    chmodSync, copyFileSync, mkdtempSync, rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { settings, sql } from './lib.mjs';

/** What the signer says to a request. */
export const [OK, BAD_MESSAGE, REFUSED, , OVER_A_LIMIT] = [0, 1, 2, 3, 4];

/** Families of chains, as the signer counts them. */
export const [EVM, SOLANA] = [0, 1];

const STACK = settings();
export const ROOT = process.getuid() === 0;
export const WORKER = Number(STACK.GATEWAY_WORKER_UID);

// Beside the tree, which the workers' user may not be able to enter.
export const directory = mkdtempSync(join(tmpdir(), 'peek.'));
export const PEEK = join(directory, 'peek');
chmodSync(directory, 0o755);
copyFileSync(join(STACK.GATEWAY_BIN, 'peek'), PEEK);
chmodSync(PEEK, 0o755);
process.once('exit', () => rmSync(directory, { recursive: true }));

export const asWorker = { cwd: directory, env: {}, ...(ROOT ? { uid: WORKER, gid: WORKER } : {}) };

export const peek = async (...args) => (await promisify(execFile)(PEEK, args.map(String), asWorker)).stdout.trim();

/** What a worker knows of a wallet from the database, as peek takes it. */
export async function recordOf(address) {
    const row = await sql(`SELECT HEX(uuid), HEX(agent_uuid), HEX(sealed_key) FROM wallets WHERE address = '${address}'`);
    const [uuid, owner, sealed] = row.split('\t');
    return [uuid, owner, address, sealed];
}

const decision = (line) => ({ status: Number(line.split(' ')[0]), rule: line.split(' ')[1] });

/** Registers a withdrawal address as a worker would; with what the signer says to it. */
export async function allow(socket, { agent, family = EVM, address, mac }) {
    const line = await peek('allow', socket, agent, family, address, ...(mac === undefined ? [] : [mac]));
    const [, , wait, record] = line.split(' ');
    return { ...decision(line), wait: Number(wait), record };
}

export const remove = async (socket, { agent, family = EVM, address, record }) => decision(await peek('remove', socket, agent, family, address, record));

/** Asks for signatures of unsigned transactions with the record of an address; what the signer says to each. */
export async function withdraw(socket, wallet, record, payloads, { family = EVM, op = 8 } = {}) {
    const lines = await peek('withdraw', socket, family, ...wallet, record, op, ...payloads);
    return lines.split('\n').map(decision);
}

/** Asks for signatures of unsigned transactions, as for trades; what the signer says to each. */
export const signAll = (socket, wallet, payloads) => withdraw(socket, wallet, '00', payloads, { op: 3 });

/** Has a key made for the wallet of an agent: of another wallet (1), or one that trades for it (3). A key as peek takes it. */
export async function createKey(socket, [wallet, agent], kind) {
    const [status, address, sealed] = (await peek('create', socket, kind, wallet, agent)).split(' ');
    return { status: Number(status), kind, key: [wallet, agent, address, sealed], address };
}

/** Asks a key (of createKey) for signatures of actions, with the record of another key shown; what the signer says to each. */
export async function act(socket, { kind, key }, payloads, { shown, op = 9 } = {}) {
    const far = shown === undefined ? '-' : [shown.kind, shown.key[0], shown.key[2], shown.key[3]].join(':');
    const lines = await peek('action', socket, kind, ...key, op, far, ...payloads);
    return lines.split('\n').map((line) => ({ ...decision(line), signature: line.split(' ')[2] ?? '' }));
}

/** Asks for a signature of a transaction as a worker would; the signer's status. */
export async function sign(socket, wallet, { chain, nonce = 0, to, value = 0, data = '0x' }) {
    return Number(await peek('sign', socket, ...wallet, chain, nonce, to, value, data));
}
