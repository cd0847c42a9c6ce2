// Section: operator
// tests/second-look.mjs and what the runner does by it: only what a busy machine does as well is looked at once more.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
    mkdirSync, mkdtempSync, rmSync, writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ROOT } from '../api/lib.mjs';
import {
    isSound, known, mayBeTheMachine, stackAt,
} from '../second-look.mjs';

const FOLDER = mkdtempSync(join(tmpdir(), 'second-look-'));
after(() => rmSync(FOLDER, { recursive: true }));

const told = (message, more = {}) => Object.assign(new Error(message), more);

test('deadlines, refused connections and refusals for the moment may be the machine’s', () => {
    for (const error of [
        told('waited 150000 ms for swap 1 to be completed or failed'),
        told('no answer within 60000 ms'),
        told('connect ECONNREFUSED 127.0.0.1:18080'),
        told('fetch failed', { cause: told('', { code: 'ECONNREFUSED' }) }),
        told('POST /v1/agent/quote ended with 503 (Retry-After: 1) {"success":false}'),
        told('429 (Retry-After: 3) {"success":false,"error":"Rate limit exceeded"}'),
    ]) assert.equal(mayBeTheMachine(error), true, error.message);
});

test('all else is the product’s, and so is what was lost or doubled by a deadline', () => {
    for (const error of [
        undefined,
        told('Expected values to be strictly equal:\n\n400 !== 200\n'),
        told('503 {"success":false}'),
        told('POST /v1/agent/quote ended with 500 {"success":false,"error":"Internal server error"}'),
        told('waited 150000 ms for the lost swap'),
        told('waited 150000 ms for the payment, which came twice'),
        told('connect ECONNREFUSED 127.0.0.1:18080: AddressSanitizer'),
    ]) assert.equal(mayBeTheMachine(error), false, error?.message);
});

test('the list of flaky tests has names and causes', () => {
    assert.deepEqual(known('# a comment\n\na.test.mjs > waits: for long: too long\n'), ['a.test.mjs > waits: for long']);
    for (const name of known()) assert.match(name, /^tests\/\w+\/[\w.-]+\.test\.mjs > \S/);
});

// ---------------------------------------------------------------- the stack

/** A directory as a stack has one, with a process of that name in it. */
function stackWith(name) {
    const directory = mkdtempSync(join(FOLDER, 'stack-'));
    for (const each of ['run', 'log']) mkdirSync(join(directory, each));
    const child = spawn('sleep', ['600'], { stdio: 'ignore' });
    after(() => child.kill());
    writeFileSync(join(directory, 'run', `${name}.pid`), `${child.pid} 1 2\n`);
    writeFileSync(join(directory, 'log', 'gateway.log'), 'event=child_ended before\n');
    return { directory, child };
}

const ended = (child) => new Promise((resolve) => { child.on('exit', resolve); child.kill('SIGKILL'); });

test('a stack is sound while it loses no process and answers', async () => {
    const { directory, child } = stackWith('mariadbd');
    const before = stackAt(directory);
    // Another process: this one waits for the answer.
    const answering = spawn(process.execPath, ['-e', 'require("http").createServer((q, r) => r.end()).listen(0, "127.0.0.1", function () { console.log(this.address().port); })']);
    after(() => answering.kill());
    const port = await new Promise((resolve) => { answering.stdout.once('data', (data) => resolve(Number(data))); });
    assert.equal(isSound(before, [`http://127.0.0.1:${port}`]), true);
    assert.equal(isSound(before, [`http://127.0.0.1:${port}`, `http://127.0.0.1:${await closed()}`]), false);
    writeFileSync(join(directory, 'log', 'gateway.log'), 'event=child_ended what=worker signal=11\n', { flag: 'a' });
    assert.equal(isSound(before, []), false);
    assert.equal(isSound(stackAt(directory), []), true);
    const later = stackAt(directory);
    await ended(child);
    assert.equal(isSound(later, []), false);
});

/** A port on which nothing listens. */
async function closed() {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => { server.once('listening', resolve); });
    const { port } = server.address();
    await new Promise((resolve) => { server.close(resolve); });
    return port;
}

// ---------------------------------------------------------------- the report

/** What the reporter says of a file with these tests, next to a stack that is `sound` or not. */
function reportOf(body, sound) {
    const folder = mkdtempSync(join(FOLDER, 'file-')), file = join(folder, 'some.test.mjs');
    writeFileSync(file, `import { test } from 'node:test';\n${body}\n`);
    writeFileSync(join(folder, 'sound'), sound ? `${file}\n` : '');
    const { NODE_OPTIONS, NODE_TEST_CONTEXT, ...env } = process.env;
    const { stdout } = spawnSync(process.execPath, ['--test', `--test-reporter=${join(ROOT, 'tests', 'report.mjs')}`, file], {
        cwd: ROOT, env: { ...env, SOUND: join(folder, 'sound'), SECTION_PULSE: '', GATEWAY_PROGRESS: '' }, encoding: 'utf8',
    });
    return stdout.replaceAll(file, 'FILE').trimEnd().split('\n');
}

const LATE = 'test("late", () => { throw new Error("waited 5 ms for it"); });';

test('a file is looked at once more if each of its failures may be the machine’s, and the stack was sound', () => {
    assert.deepEqual(reportOf(`${LATE} test("good", () => {});`, true).slice(-2), ['AGAIN FILE 1', '1 passed, 1 failed']);
    const bad = 'test("bad", () => { throw new Error("1 !== 2"); });';
    for (const said of [reportOf(LATE, false), reportOf(`${LATE} ${bad}`, true), reportOf(bad, true)]) {
        assert.equal(said.some((line) => line.startsWith('AGAIN')), false, said.join('\n'));
        assert.match(said.at(-1), / [12] failed$/);
    }
});
