// The stack's programs in the hands of the harness: jobs on several hosts at once, and what is killed is started again, as
// cron and a service manager would do it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../api/lib.mjs';
import { processes, settings, sql } from '../jobs/lib.mjs';

const JOBS = ['swap-poll', 'webhook-drain'];
const HOSTS = 2;
const SECONDS = '3600';

const stack = settings();

/** True when it was there. */
export function signal(pid, name = 'SIGKILL') {
    try {
        return process.kill(Number(pid), name);
    } catch (error) {
        if (error.code !== 'ESRCH') throw error;
        return false;
    }
}

export async function pidOf(name) {
    return (await processes()).find(([each]) => each === name)?.[1];
}

function start(program, args, { env = process.env, cwd, log }) {
    const out = openSync(join(stack.GATEWAY_LOG, `${log}.log`), 'a');
    // The gateway's socket is for the web server's group too.
    const child = spawn('/bin/sh', ['-c', 'umask 007; exec "$0" "$@"', program, ...args], { env, cwd, stdio: ['ignore', out, out], detached: true });
    closeSync(out);
    return child;
}

// ---------------------------------------------------------------- jobs

/** Cron's stand-in stops; from now on jobs run when they are wanted. */
export async function takeOver() {
    const all = await processes();
    for (const [name, pid] of all) if (name === 'cron') signal(pid, 'SIGSTOP');
    for (const [name, pid] of all) if (JOBS.includes(name)) signal(pid, 'SIGTERM');
    await until('the jobs to end', async () => !(await processes()).some(([name]) => JOBS.includes(name)));
}

/** Each job on each of some hosts; one that ends is started again. */
export class Jobs {
    #running = new Map();

    #wanted = false;

    start(hosts = HOSTS) {
        this.#wanted = true;
        for (const name of JOBS) for (let i = 0; i < hosts; i++) this.#run(name);
    }

    #run(name) {
        const env = { ...process.env, ...stack, AGENT_GATEWAY_STACK: stack.GATEWAY_VAR };
        const child = start(join(stack.GATEWAY_BIN, 'jobs', name), ['--for', SECONDS], { env, log: name });
        this.#running.set(child.pid, child);
        child.on('exit', () => {
            this.#running.delete(child.pid);
            if (this.#wanted) this.#run(name);
        });
    }

    /** Ended in good order. */
    async stop() {
        this.#wanted = false;
        const children = [...this.#running.values()];
        const ends = children.map((child) => once(child, 'exit'));
        for (const child of children) signal(child.pid, 'SIGTERM');
        await Promise.all(ends);
    }

    get pids() {
        return [...this.#running.keys()];
    }
}

// ---------------------------------------------------------------- what is killed and comes back

/** Kills a program and starts it as it was started; `more` goes into its environment. Resolves to the new pid. */
export async function revive(pid, name, { how = 'SIGKILL', more = {} } = {}) {
    const list = (file) => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').filter(Boolean);
    const [program, ...args] = list('cmdline');
    const env = Object.fromEntries(list('environ').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
    const cwd = readlinkSync(`/proc/${pid}/cwd`);
    signal(pid, how);
    await until(`${name} to end`, () => !signal(pid, 0) || /^State:\s*Z/m.test(look(pid, 'status')), 30_000, 20);
    return start(program, args, { env: { ...env, ...more }, cwd, log: name }).pid;
}

/** What the kernel says of a process; nothing when it is gone. */
function look(pid, file) {
    try {
        return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
        return '';
    }
}

/** The database is killed and comes back. */
export async function reviveDatabase(pid, options) {
    const revived = await revive(pid, 'mariadbd', options);
    await until('the database to answer', () => sql('SELECT 1').catch(() => false), 60_000);
    return revived;
}

/** Children of the pool's parent with one name: workers are called gateway too. */
export function childrenOf(parent, name) {
    return look(parent, `task/${parent}/children`).trim().split(' ').filter((pid) => look(pid, 'comm') === `${name}\n`);
}
