// Section: starts
// tests/progress.mjs: long work shows how far it is, and is otherwise as it would be without.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
    existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ROOT, until } from '../api/lib.mjs';

const FOLDER = mkdtempSync(join(tmpdir(), 'progress-test-'));
after(() => rmSync(FOLDER, { recursive: true }));

const at = (name) => join(FOLDER, name);
const inShell = (script) => ['dash', '-c', `. ${ROOT}tests/progress.sh; ${script}`];
const waitFor = (name) => `until [ -e ${at(name)} ]; do sleep 0.1; done`;
const allow = (name) => writeFileSync(at(name), '');

const children = [];
after(() => children.forEach((child) => child.kill()));

/** A program that runs. `ended` resolves to its status. */
class Program {
    constructor(program, args, env = {}) {
        this.temporary = mkdtempSync(at('tmp-'));
        this.child = spawn(program, args, { env: { ...process.env, GATEWAY_PROGRESS: '', PROGRESS_KEPT: FOLDER, TMPDIR: this.temporary, ...env } });
        children.push(this.child);
        this.out = '';
        this.err = '';
        this.child.stdout.setEncoding('utf8').on('data', (part) => { this.out += part; });
        this.child.stderr.setEncoding('utf8').on('data', (part) => { this.err += part; });
        this.child.stdin.end();
        this.ended = new Promise((resolve, reject) => { this.child.on('error', reject).on('close', (code, signal) => resolve(code ?? signal)); });
    }
}

const PROGRESS = `${ROOT}tests/progress.mjs`;

class Run extends Program {
    constructor(words, { env } = {}) {
        super('node', [PROGRESS, ...words], env);
    }
}

/** On a terminal, all of whose output is `out`. */
const onTerminal = (words) => new Program('script', ['-qec', ['node', PROGRESS, ...words.map((word) => `'${word}'`)].join(' '), '/dev/null']);

/** With output and messages in one, as they are told. */
const inOne = (words, env) => new Program('sh', ['-c', 'exec "$@" 2>&1', 'sh', 'node', PROGRESS, ...words], env);

const isAlive = (pid) => existsSync(`/proc/${pid}`);

/** Waits until a run has looked so often at what its command says: it reads all of it each time. */
function looks({ child: { pid }, temporary }, count) {
    const [folder] = readdirSync(temporary);
    const { size } = statSync(join(temporary, folder, 'lines'));
    const read = () => Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))[1]);
    const enough = read() + count * size;
    return until(`${count} looks`, () => read() > enough);
}

test('status and output are those of the command', async () => {
    for (const status of [0, 1, 7, 127]) {
        const run = new Run(['plain', ...inShell(`echo said; echo complained >&2; exit ${status}`)]);
        assert.equal(await run.ended, status);
        assert.deepEqual([run.out, run.err], ['said\n', 'complained\n']);
        assert.deepEqual(readdirSync(run.temporary), [], 'nothing is left');
    }
    assert.equal(await new Run(['plain', ...inShell('kill -9 $$')]).ended, 137);
    assert.equal(await new Run(['plain', at('no-such-program')]).ended, 127);
});

test('without a terminal it says every half minute where it is, and the closing line stays last', async () => {
    const run = new Run(['half', ...inShell(`progress stages 3; progress begin one; progress end one; progress begin two; progress of two 4; progress did two; ${waitFor('half')}; progress over; echo '2 passed, 0 failed'`)]);
    await until('a line', () => run.err !== '');
    assert.match(run.err, /^half: two 1 of 4; 1 of 3 done; 0:[345]\d\n$/);
    allow('half');
    assert.equal(await run.ended, 0);
    assert.deepEqual([run.out, run.err.match(/\n/g).length], ['2 passed, 0 failed\n', 1]);
});

test('after "over" nothing is told, however long the end takes', async () => {
    const run = inOne(['over', ...inShell(`progress begin one; ${waitFor('begun')}; progress over; echo '1 passed, 0 failed'; ${waitFor('gone')}`)], { PROGRESS_EVERY: '0.02' });
    await until('lines', () => run.out.match(/^over: one; /mg)?.length > 2);
    allow('begun');
    await until('the closing line', () => run.out.includes('failed'));
    await looks(run, 10);
    allow('gone');
    assert.equal(await run.ended, 0);
    assert.match(run.out, /^(over: \d:\d\d\n)*(over: one; \d:\d\d\n){3,}1 passed, 0 failed\n$/); // a shell takes its time to begin one
});

test('the expected time is that of the last run', async () => {
    const env = { PROGRESS_EVERY: '0.05' };
    writeFileSync(at('known'), '754000\n');
    const run = new Run(['known', ...inShell(`progress begin one; ${waitFor('seen')}; exit 1`)], { env });
    await until('a line', () => /^known: one; \d:\d\d of about 12:34$/m.test(run.err));
    allow('seen');
    assert.equal(await run.ended, 1);
    assert.equal(readFileSync(at('known'), 'utf8'), '754000\n', 'a failure says nothing about the time');
    assert.equal(await new Run(['known', 'true'], { env }).ended, 0);
    assert.ok(Number(readFileSync(at('known'), 'utf8')) < 754_000);
});

test('on a terminal one line is rewritten, stays below what is said, and is gone in the end', async () => {
    const run = onTerminal(['live', ...inShell(`progress begin one; ${waitFor('first')}; echo said; progress end one; progress begin two; ${waitFor('second')}; echo 1 passed, 0 failed; ${waitFor('third')}`)]);
    await until('the line, twice', () => run.out.match(/live: one; /g)?.length > 1);
    allow('first');
    await until('the next line', () => run.out.includes('live: two; '));
    allow('second');
    await until('the line below the last', () => /failed\r\nlive: two; /.test(run.out));
    allow('third');
    assert.equal(await run.ended, 0);
    assert.match(run.out, /^live: one; \d:\d\d\r\u001b\[Klive: one; \d:\d\d(\r\u001b\[K[^\r\n]*)*\r\u001b\[Ksaid\r\nlive: two; [^\r\n]*(\r\u001b\[K[^\r\n]*)*\r\u001b\[K1 passed, 0 failed\r\nlive: two; [^\r\n]*(\r\u001b\[K[^\r\n]*)*\r\u001b\[K$/);
    // As the terminal shows it: what was erased is not there.
    assert.equal(run.out.replace(/[^\n]*\r\u001b\[K/g, ''), 'said\r\n1 passed, 0 failed\r\n');
});

test('make is told how much there is to do', async () => {
    writeFileSync(at('Makefile'), `MADE = $(if $(GATEWAY_PROGRESS), && echo did made >>"$$GATEWAY_PROGRESS")\nall: ${['a', 'b', 'c'].map(at).join(' ')}\n${FOLDER}/%: \n\t@true$(MADE)\n\t@[ "$(@F)" = a ] || ${waitFor('made')}\n\t@touch $@\n`);
    const run = new Run(['--make', 'made', 'make', '-s', '-f', at('Makefile')], { env: { PROGRESS_EVERY: '0.05', MAKEFLAGS: '' } });
    await until('the second step', () => /^made: made 2 of 3; /m.test(run.err));
    allow('made');
    assert.equal(await run.ended, 0);
    assert.match(readFileSync(`${ROOT}Makefile`, 'utf8'), /^MADE = \$\(if \$\(GATEWAY_PROGRESS\), && echo did made >>"\$\$GATEWAY_PROGRESS"\)$/m);
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    test(`${signal} is the command's, whose end is awaited`, async () => {
        const [pid, gone] = [at(`${signal}.pid`), at(`${signal}.gone`)];
        const run = new Run(['signal', ...inShell(`trap 'touch ${gone}; exit 5' INT TERM HUP; echo $$ >${pid}; while :; do sleep 0.1; done`)]);
        await until('the command', () => existsSync(pid) && readFileSync(pid, 'utf8') !== '');
        run.child.kill(signal);
        assert.equal(await run.ended, 5);
        assert.ok(existsSync(gone));
        assert.ok(!isAlive(Number(readFileSync(pid, 'utf8'))));
        assert.deepEqual(readdirSync(run.temporary), []);
    });
}

test('the command does not outlive it when it is killed outright', async () => {
    const pid = at('killed.pid');
    const run = new Run(['killed', ...inShell(`echo $$ >${pid}; while :; do sleep 0.1; done`)]);
    await until('the command', () => existsSync(pid) && readFileSync(pid, 'utf8') !== '');
    run.child.kill('SIGKILL');
    assert.equal(await run.ended, 'SIGKILL');
    await until('the end of the command', () => !isAlive(Number(readFileSync(pid, 'utf8'))));
});

test('a process that stays behind with the output does not delay the end', async () => {
    const pid = at('behind.pid');
    const run = new Run(['behind', ...inShell(`sleep 1000 & echo $! >${pid}; echo done`)]);
    await until('the status', async () => await Promise.race([run.ended, new Promise((resolve) => { run.child.on('exit', resolve); })]) === 0);
    assert.equal(run.out, 'done\n');
    process.kill(Number(readFileSync(pid, 'utf8')));
});

test('a script that is not run by progress.mjs prints no progress', async () => {
    const [shell, ...script] = inShell('progress begin one; echo said');
    const run = new Program(shell, script);
    assert.equal(await run.ended, 0);
    assert.deepEqual([run.out, run.err], ['said\n', '']);
});
