// The stack's programs in the hands of the harness: jobs on several hosts at once, and what is killed is started again, as
// cron and a service manager would do it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, until } from '../api/lib.mjs';
import { JOBS, processes, settings, signal, sql } from '../jobs/lib.mjs';

const HOSTS = 2;
const SECONDS = '3600';
const AGAIN_MS = 200;

const stack = settings();

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
        this.#running.set(child.pid, { name, child });
        child.on('exit', () => {
            this.#running.delete(child.pid);
            if (this.#wanted) this.#run(name);
        });
    }

    /** Ended in good order. */
    async stop() {
        this.#wanted = false;
        const children = [...this.#running.values()].map(({ child }) => child);
        const ends = children.map((child) => once(child, 'exit'));
        for (const child of children) signal(child.pid, 'SIGTERM');
        await Promise.all(ends);
    }

    get pids() {
        return [...this.#running.keys()];
    }

    /** Of one job, on all hosts. */
    pidsOf(name) {
        return this.pids.filter((pid) => this.#running.get(pid).name === name);
    }
}

// ---------------------------------------------------------------- what is killed and comes back

/** What the kernel says of a process; nothing when it is gone. */
function look(pid, file) {
    try {
        return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
        return '';
    }
}

// As stack-parts.sh starts it: where its arguments were, a program that gave itself a title has that.
const TITLED = {
    upstream: [
        process.execPath, join(ROOT, 'contrib/sandbox/upstream/server.mjs'), stack.SANDBOX_UPSTREAM_PORT,
        `http://127.0.0.1:${stack.SANDBOX_POLYGON_PORT}`, join(stack.GATEWAY_VAR, 'sandbox/upstream'),
        ...['ethereum', 'base', 'polygon', 'arbitrum', 'solana'].map((chain) => [chain, stack[`SANDBOX_${chain.toUpperCase()}_PORT`]])
            .filter(([, port]) => port !== undefined).map(([chain, port]) => `${chain}=http://127.0.0.1:${port}`),
    ],
};

/** A program of the stack that is started again as it was started, whenever it ends. */
export class Kept {
    #killing = false;

    static #all = new Map();

    /** One for each name: two would start it twice. */
    static async of(name) {
        if (!this.#all.has(name)) this.#all.set(name, new Kept(await pidOf(name), name));
        return this.#all.get(name);
    }

    constructor(pid, name) {
        const list = (file) => look(pid, file).split('\0').filter(Boolean);
        const variable = (line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)];
        this.pid = pid;
        this.name = name;
        [this.program, ...this.args] = TITLED[name] ?? list('cmdline');
        this.how = { env: Object.fromEntries(list('environ').map(variable)), cwd: readlinkSync(`/proc/${pid}/cwd`), log: name };
    }

    #start() {
        const child = start(this.program, this.args, this.how);
        this.pid = child.pid;
        child.unref(); // the stack ends it
        // It may find what it needs missing.
        child.on('exit', () => setTimeout(() => { if (this.pid === child.pid && !this.#killing) this.#start(); }, AGAIN_MS).unref());
    }

    /** Killed, and started again; `more` goes into its environment from now on. */
    async kill(name = 'SIGKILL', more = {}) {
        Object.assign(this.how.env, more);
        this.#killing = true;
        const { pid } = this;
        signal(pid, name);
        await until(`${this.name} to end`, () => !/^State:\s*[^Z\s]/m.test(look(pid, 'status')), { interval: 20 });
        this.#killing = false;
        this.#start();
    }

    /** Its children of one name; the gateway's workers are called gateway too. */
    children(name) {
        return look(this.pid, `task/${this.pid}/children`).trim().split(' ').filter((pid) => look(pid, 'comm') === `${name}\n`);
    }
}

// What a client says when the server has gone, before its statement or under it.
const IS_GONE = /^ERROR (1053|1927|2002|2006|2013) /m;

/** What a statement gives that may be made twice: the database may be killed under it, and comes back. */
export async function sqlAgain(statement) {
    const [answer] = await until('the database to come back', () => sql(statement).then((text) => [text], (error) => {
        assert.match(error.message, IS_GONE);
        return false;
    }));
    return answer;
}

/** The database is killed and comes back. */
export async function killDatabase(database, ...how) {
    await database.kill(...how);
    await until('the database to answer', () => sql('SELECT 1').catch(() => false));
}
