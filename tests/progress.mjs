// Long work that shows itself:
//   node tests/progress.mjs [--make] NAME COMMAND [ARGUMENT...]
// runs the command, whose output, input and exit status stay what they are. Meanwhile it tells on standard error what the
// command is at, how long it has been running and how long it took the last time that it succeeded: on a terminal in one
// line that is always the last and is gone in the end, elsewhere in a new line every half minute. --make is for
// commands that are make: the steps that it has to take are counted beforehand.
//
// The command says where it is by lines in the file that the variable GATEWAY_PROGRESS names (in shell by progress.sh, here by
// `progress`): "stages N" in all; "begin STAGE"; "of STAGE N" steps; "did STAGE", one of them, of a stage that is
// in progress; "end STAGE"; "over",
// after which nothing is told any more. Its processes may all write there. Without the variable they are silent.
//
// SIGINT, SIGTERM and SIGHUP are passed on, and waited for. If this is killed outright, the command gets SIGTERM.
// Environment: PROGRESS_EVERY (30), seconds from line to line where there is no terminal; PROGRESS_KEPT (var/progress),
// where times are kept.

import { spawn, spawnSync } from 'node:child_process';
import {
    appendFileSync, existsSync, fstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const KEPT = process.env.PROGRESS_KEPT ?? fileURLToPath(new URL('../var/progress', import.meta.url));
const EVERY_MS = Number(process.env.PROGRESS_EVERY ?? 30) * 1000;
const LIVE_MS = 1000;
const STRAGGLERS_MS = 500; // for the output of processes that outlive the command
const SETPRIV = '/usr/bin/setpriv';

/** Says where a command is, progress('did', 'api'), and to tests/run that its section gets on. */
export function progress(...words) {
    pulse();
    if (process.env.GATEWAY_PROGRESS) appendFileSync(process.env.GATEWAY_PROGRESS, `${words.join(' ')}\n`);
}

export function pulse() {
    if (process.env.SECTION_PULSE) writeFileSync(process.env.SECTION_PULSE, '');
}

// ---------------------------------------------------------------- where it is

/** What the lines say that have been written so far. */
function whereabouts(file) {
    const at = { stages: 0, ended: 0, over: false, running: new Map() };
    const stage = (name) => {
        if (!at.running.has(name)) at.running.set(name, { did: 0, of: 0 });
        return at.running.get(name);
    };
    const acts = {
        stages: (n) => { at.stages += Number(n); },
        begin: (name) => stage(name),
        of: (name, n) => { stage(name).of += Number(n); },
        did: (name) => { if (at.running.has(name)) stage(name).did++; },
        end: (name) => { at.ended += at.running.delete(name) ? 1 : 0; },
        over: () => { at.over = true; },
    };
    for (const line of readFileSync(file, 'utf8').split('\n')) {
        const [act, ...words] = line.split(' ');
        acts[act]?.(...words);
    }
    return at;
}

const clock = (ms) => {
    const s = Math.floor(ms / 1000);
    return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`;
};

/** All of it in a line. */
function told(name, { stages, ended, running }, elapsed, expected) {
    const at = [...running].map(([stage, { did, of }]) => (of > 0 ? `${stage} ${Math.min(did, of)} of ${of}` : stage));
    const parts = [at.join(', '), stages > 0 && `${ended} of ${stages} done`, `${clock(elapsed)}${expected ? ` of about ${clock(expected)}` : ''}`];
    return `${name}: ${parts.filter(Boolean).join('; ')}`;
}

// ---------------------------------------------------------------- showing it

/** The live line of a terminal: what is written through it comes before the line. */
class LiveLine {
    constructor(stream) {
        this.stream = stream;
        this.shown = false;
        this.atStart = true; // of a line
    }

    clear() {
        if (this.shown) this.stream.write('\r\x1b[K');
        this.shown = false;
    }

    show(text) {
        if (!this.atStart) return; // in the midst of a program's line
        this.clear();
        this.stream.write(text.slice(0, (this.stream.columns || 80) - 1));
        this.shown = true;
    }

    pass(stream, data) {
        this.clear();
        stream.write(data);
        this.atStart = data.at(-1) === 0x0a;
    }
}

/** The same where each line stays. */
class Lines {
    constructor(stream) {
        this.stream = stream;
    }

    clear() {}

    show(text) {
        this.stream.write(`${text}\n`);
    }

    pass(stream, data) {
        stream.write(data);
    }
}

// ---------------------------------------------------------------- running it

const last = (name) => {
    try {
        return Number(readFileSync(join(KEPT, name), 'utf8'));
    } catch {
        return 0;
    }
};

function keep(name, ms) {
    try {
        mkdirSync(KEPT, { recursive: true });
        writeFileSync(join(KEPT, name), `${ms}\n`);
    } catch {
        // The next run will not know what to expect.
    }
}

const isOneFile = (a, b) => {
    const [one, other] = [fstatSync(a), fstatSync(b)];
    return one.dev === other.dev && one.ino === other.ino && one.rdev === other.rdev;
};

/** How many steps make would take: each that reports itself. */
function stepsOf(command, args, env) {
    const { stdout } = spawnSync(command, [...args, '-n'], { env, encoding: 'utf8', maxBuffer: 1 << 28 });
    return stdout?.split('did made').length - 1 || 0;
}

/** The command, with its output in pipes: in one, if it all goes to the same place. */
function started(command, args, env) {
    const line = isOneFile(1, 2) ? ['sh', '-c', 'exec "$@" 2>&1', 'sh', command, ...args] : [command, ...args];
    const [program, ...words] = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'TERM', ...line] : line;
    return spawn(program, words, { env, stdio: ['inherit', 'pipe', 'pipe'] });
}

/** `kill` sends a signal to the command. Terminals send SIGINT to it as well. */
function passOn(kill) {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
        process.on(signal, () => { if (signal !== 'SIGINT' || !process.stdin.isTTY) kill(signal); });
    }
    process.stdout.on('error', () => kill('SIGTERM'));
}

/** Resolves to the exit status, once all output has been passed on. */
function ended(child, output) {
    return new Promise((resolve) => {
        for (const [from, to] of [[child.stdout, process.stdout], [child.stderr, process.stderr]]) {
            from.on('data', (data) => output.pass(to, data));
        }
        child.on('error', (error) => { console.error(`progress.mjs: ${error.message}`); resolve(127); });
        child.on('exit', (code, signal) => {
            const status = code ?? 128 + constants.signals[signal];
            child.on('close', () => resolve(status));
            setTimeout(resolve, STRAGGLERS_MS, status).unref();
        });
    });
}

async function main(words) {
    const counts = words[0] === '--make';
    const [name, command, ...args] = words.slice(counts ? 1 : 0);
    const folder = mkdtempSync(join(tmpdir(), 'progress-'));
    const env = { ...process.env, GATEWAY_PROGRESS: join(folder, 'lines') };
    writeFileSync(env.GATEWAY_PROGRESS, counts ? `of made ${stepsOf(command, args, env)}\n` : '');

    const isLive = process.stderr.isTTY;
    const output = isLive ? new LiveLine(process.stderr) : new Lines(process.stderr);
    const begun = Date.now();
    passOn((signal) => child.kill(signal)); // before there is anything to pass on to
    const child = started(command, args, env);
    const timer = setInterval(() => {
        const at = whereabouts(env.GATEWAY_PROGRESS);
        if (at.over) output.clear();
        else output.show(told(name, at, Date.now() - begun, last(name)));
    }, isLive ? LIVE_MS : EVERY_MS);
    const status = await ended(child, output);
    clearInterval(timer);
    output.clear();
    rmSync(folder, { recursive: true, force: true });
    if (status === 0) keep(name, Date.now() - begun);
    return status;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(await main(process.argv.slice(2)));
