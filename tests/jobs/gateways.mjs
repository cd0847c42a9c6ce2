// The processes of a gateway, and single requests to it.

import assert from 'node:assert/strict';
import {
    existsSync, readFileSync, readdirSync, readlinkSync,
} from 'node:fs';
import { Agent as Connections, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { API, until } from '../api/lib.mjs';

/** A file of a process in /proc; empty when the process is gone. */
export function read(pid, file) {
    try {
        return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
        return '';
    }
}

export const children = (pid) => read(pid, `task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
export const isAlive = (pid) => /^State:\s*[^ZX]/m.test(read(pid, 'status'));
export const named = (pid, name) => children(pid).filter((child) => read(child, 'comm').trim() === name);

// It ended or closed a file meanwhile, or holds secrets: then only root may look.
const UNSEEN = ['ENOENT', 'ESRCH', ...(process.getuid() === 0 ? [] : ['EACCES'])];

function seen(look) {
    try {
        return look();
    } catch (error) {
        assert.ok(UNSEEN.includes(error.code), error.message);
        return [];
    }
}

/** What a process has open, as far as that can be seen. */
export const openFiles = (pid) => seen(() => readdirSync(`/proc/${pid}/fd`)).flatMap((fd) => seen(() => [readlinkSync(`/proc/${pid}/fd/${fd}`)]));

export const pidFile = ({ directory }) => join(directory, 'gateway.pid');
export const pidIn = (file) => existsSync(file) && Number(readFileSync(file, 'utf8'));
/** The file is written once all children are there. */
export const begun = (each) => until('all to have begun', () => pidIn(pidFile(each)) === each.pid);

/** How many calls wait for the end of an execution. */
export async function waitingCalls({ base }) {
    const page = await (await fetch(`${base}/metrics`)).text();
    return Number(/^gateway_waiting_calls (\d+)$/m.exec(page)[1]);
}

export const logOf = ({ log }) => readFileSync(log, 'utf8');

const kept = new Connections({ keepAlive: true, maxSockets: 64 });

/** One request, never repeated: { status, body }, or an error. */
export function ask(base, method, path, { key, json, agent = kept } = {}) {
    const text = json === undefined ? undefined : JSON.stringify(json);
    const headers = { ...(key && { authorization: `Bearer ${key}` }), ...(text && { 'content-type': 'application/json', 'content-length': text.length }) };
    return new Promise((resolve, reject) => {
        const request = httpRequest(base + API + path, { method, headers, agent }, (response) => {
            const parts = [];
            response.on('data', (part) => parts.push(part));
            response.on('error', reject);
            response.on('end', () => {
                const body = Buffer.concat(parts).toString('utf8');
                resolve({ status: response.statusCode, headers: response.headers, text: body, body: body.startsWith('{') ? JSON.parse(body) : undefined });
            });
        });
        request.on('error', reject);
        request.end(text);
    });
}
