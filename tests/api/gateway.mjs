// Further gateways next to the stack's, with its database, keys and chains but with settings of their own: what a second
// host is, or an operator with other limits.

import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
    chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT, send, stackSettings, until } from './lib.mjs';
import { freePort } from './ports.mjs';

const stack = await stackSettings();

/** They begin and end by the hundred, so the runner may name a build that does so quickly. */
const BIN = process.env.GATEWAY_BESIDE_BIN ?? stack.GATEWAY_BIN;

/** The parent writes its id once it listens. */
function listensAs(pid, directory) {
    try {
        return Number(readFileSync(join(directory, 'gateway.pid'), 'utf8')) === pid;
    } catch {
        return false; // not yet
    }
}

/**
 * Starts a gateway behind a web server of its own, `web`. `lines` are settings on top of the sandbox's own, which has the
 * tiers of production. `counters` is another gateway's, to share its shared memory file. `jobs` run next to it, as long as it
 * does. One that is `held` waits for something before it answers; so does this not. `bin` has the programs.
 */
export async function startGateway(lines = [], {
    counters, jobs = [], wait = true, held = false, web = 'lighttpd', bin = BIN,
} = {}) {
    const port = await freePort();
    const directory = mkdtempSync(join('/tmp', 'agent-gateway-test.'));
    // For workers with a user of their own, and for the web server's group.
    execFileSync('chgrp', [stack.GATEWAY_WEB_GROUP, directory]);
    chmodSync(directory, 0o2711);
    const file = counters ?? join(directory, 'counters');
    mkdirSync(join(directory, 'log'));
    writeFileSync(join(directory, 'gateway.conf'), [
        `include ${ROOT}contrib/sandbox/gateway.conf`,
        `include ${ROOT}tests/no-aggregators.conf`,
        `base_url = http://127.0.0.1:${port}`,
        `fastcgi_socket = ${directory}/gateway.sock`,
        `signer_socket = ${directory}/signer.sock`,
        `signer_dir = ${directory}/signer`,
        `shm_file = ${file}`,
        'workers = 8',
        ...lines, '',
    ].join('\n'));
    const env = {
        ...process.env, ...stack, GATEWAY_PORT: String(port), GATEWAY_RUN: directory, GATEWAY_LOG: join(directory, 'log'), GATEWAY_CONF_DIR: `${ROOT}conf`, AGENT_GATEWAY_STACK: stack.GATEWAY_VAR,
    };
    const log = openSync(join(stack.GATEWAY_LOG, `gateway-${port}.log`), 'a');
    const start = (program, ...args) => spawn('/bin/sh', ['-c', 'umask 007; exec "$0" "$@"', program, ...args], { env, stdio: ['ignore', log, log] });
    const own = ['-c', join(directory, 'gateway.conf')];
    const startParent = () => start(join(bin, 'fcgi', 'gateway'), ...own);
    const programs = [
        startParent(),
        web === 'apache' ? start('apache2', '-D', 'FOREGROUND', '-f', `${ROOT}conf/apache-alone.conf`) : start('lighttpd', '-D', '-f', `${ROOT}conf/lighttpd-alone.conf`),
        ...jobs.map((name) => start(join(BIN, 'jobs', name), ...own, '--for', '3600')),
    ];
    const kill = () => programs.forEach((program) => program.kill());
    process.once('exit', kill);
    const base = `http://127.0.0.1:${port}`;
    // Once it listens: the web server does not look again within a second in which nothing listened, and after a kill it would find
    // workers of the one before, as long as they live.
    const ready = async () => listensAs(programs[0].pid, directory)
        && send('GET', '/readyz', { base, mayBreak: true }).then(({ status }) => !wait || status === 200, () => false);
    if (!held) await until(`a gateway on port ${port}`, ready, { interval: 30 });
    const hasEnded = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;
    const run = (program, ...args) => promisify(execFile)(join(BIN, 'jobs', program), ['-c', join(directory, 'gateway.conf'), ...args], { env });
    const operate = (program) => async (...args) => (await run(program, ...args)).stdout.trimEnd();
    return {
        base,
        counters: file,
        directory,
        get pid() { return programs[0].pid; },
        webPid: programs[1].pid,
        log: join(stack.GATEWAY_LOG, `gateway-${port}.log`),
        ready: () => until(`a gateway on port ${port}`, ready, { interval: 30 }),
        /** The parent alone gets the signal; resolves when it has ended. */
        async end(signal) {
            const ended = hasEnded(programs[0]) || once(programs[0], 'exit');
            programs[0].kill(signal);
            await ended;
        },
        /** Starts it anew after its end. */
        startAgain() {
            programs[0] = startParent();
        },
        /** The operator's commands with this gateway's settings; they resolve to their output. */
        agentctl: operate('agentctl'),
        keyctl: operate('keyctl'),
        /** One pass of a job with them. */
        pass: (job) => operate(job)(),
        /** One pass of a job with them; resolves to its log. */
        logged: async (job) => (await run(job)).stderr,
        async stop() {
            const ends = programs.filter((program) => !hasEnded(program)).map((program) => once(program, 'exit'));
            kill();
            await Promise.all(ends);
            closeSync(log);
            process.off('exit', kill);
            rmSync(directory, { recursive: true, force: true });
        },
    };
}
