// Which files of tests are run once more, alone, at the end of a run (tests/run): those of which each failure is what a busy
// machine does as well - a deadline, a refused connection, a 429 or 503 with Retry-After - while the stack under test lost no
// process and still answers. What passes then is told as FLAKY, with its first failure. Never what says that something was lost,
// doubled, wrong, leaked or crashed, and never a test that is named in tests/flaky.

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { statOf } from './proc.mjs';

const OF_A_MACHINE = /^waited \d+ ms for |\bno answer within \d+ ms\b|\bECONNREFUSED\b|\b(429|503) \(Retry-After: \d+\)/;
const OF_THE_PRODUCT = /\b(lost|twice|doubled?|duplicates?|wrong|leak(s|ed|ing)?|crash(es|ed)?|corrupt(ed)?|\w*sanitizer)\b/i;
const ANSWERS_WITHIN_S = '10';

/** Of an error of a test: whether that alone is no reason to call the product broken. */
export function mayBeTheMachine(error) {
    const told = [error?.message, error?.code, error?.cause?.message, error?.cause?.code].filter(Boolean).join(' ');
    return OF_A_MACHINE.test(told) && !OF_THE_PRODUCT.test(told);
}

/** The names in tests/flaky: lines "FILE > NAME: cause". */
export function known(list = readFileSync(fileURLToPath(new URL('flaky', import.meta.url)), 'utf8')) {
    return list.split('\n').filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.slice(0, line.lastIndexOf(': ')));
}

// ---------------------------------------------------------------- the stack

const size = (file) => {
    try {
        return statSync(file).size;
    } catch {
        return 0;
    }
};

/** Of statOf: when a process began, by which it is told from a later one of the same number. */
const START = 19;

/** The stack in that directory at this moment: its processes, and how far its gateway's log is. */
export function stackAt(directory) {
    const run = join(directory, 'run'), log = join(directory, 'log', 'gateway.log');
    let processes = [];
    try {
        processes = readdirSync(run).filter((name) => name.endsWith('.pid')).sort().map((name) => {
            const [pid] = readFileSync(join(run, name), 'utf8').split(/\s/);
            return `${name} ${pid} ${statOf(pid)[START]}`;
        });
    } catch {
        // It is not up, or just going down.
    }
    return { directory, log, processes: processes.join('\n'), told: size(log) };
}

/** Whether it has lost no process since, and all of `urls` answer. */
export function isSound(before, urls) {
    const now = stackAt(before.directory);
    if (now.processes !== before.processes || /undefined$/m.test(now.processes) || now.told < before.told) return false;
    if (readFileSync(before.log).subarray(before.told).includes('event=child_ended')) return false;
    return urls.every((url) => {
        try {
            execFileSync('curl', ['-s', '-o', '/dev/null', '--max-time', ANSWERS_WITHIN_S, url], { stdio: 'ignore' });
            return true;
        } catch {
            return false;
        }
    });
}
