// Reporter for node's test runner: prints what failed, then "N passed, N failed". A test whose subtests failed is not
// counted next to them; a skipped test, or a file without any test, counts as a failure. A file that deserves a second look has a
// line "AGAIN FILE FAILED" before the last, with the number of its failures.

import { readFileSync } from 'node:fs';
import { progress, pulse } from './progress.mjs';
import { known, mayBeTheMachine } from './second-look.mjs';

const MESSAGE_LINES = 30;

const STAGE = process.env.PROGRESS_STAGE ?? 'tests';

const place = (file = '') => file.replace(/^file:\/\//, '').replace(`${process.cwd()}/`, '');

const errorOf = ({ details }) => details.error?.cause ?? details.error;

function reason(data) {
    const error = errorOf(data);
    const text = error?.stack ?? error?.message ?? String(error);
    return text.split('\n').filter((line) => !/^\s+at .*node:internal/.test(line)).slice(0, MESSAGE_LINES)
        .map((line) => `    ${line}\n`).join('');
}

/** The files that failed while the stack was sound. */
function sound() {
    try {
        return readFileSync(process.env.SOUND, 'utf8').split('\n').map(place);
    } catch {
        return [];
    }
}

/** Of those, in each of which `failures` has the names and errors, what deserves a second look: [file, how many failed]. */
function deserving(failures) {
    const files = sound(), flaky = known();
    return [...failures].filter(([file, list]) => files.includes(file)
        && list.every(({ name, error }) => mayBeTheMachine(error) && !flaky.includes(name))).map(([file, list]) => [file, list.length]);
}

export default async function* report(events) {
    let passed = 0;
    let failed = 0;
    const failures = new Map();
    const files = new Set();
    const seen = new Set();
    const ended = new Set();
    const parents = [];
    for await (const { type, data } of events) {
        pulse();
        const file = place(data.file);
        const isFile = place(data.name) === file;
        if (type === 'test:enqueue' && isFile && !files.has(file)) {
            files.add(file);
            progress('of', STAGE, 1);
        }
        // Told at once; all else of a file comes when those before it have ended. Older versions of Node have only that.
        if (isFile && ['test:complete', 'test:pass', 'test:fail'].includes(type) && !ended.has(file)) {
            ended.add(file);
            progress('did', STAGE);
        }
        if (type === 'test:start') parents[data.nesting] = data.name;
        if (type === 'test:stderr') yield `${file}: ${data.message}`;
        if (type !== 'test:pass' && type !== 'test:fail') continue;
        seen.add(file);
        if (type === 'test:pass' && data.skip === undefined && data.todo === undefined) {
            passed += isFile ? 0 : 1;
        } else if (data.details.error?.failureType !== 'subtestsFailed') {
            failed++;
            const name = [file, ...(isFile ? [] : [...parents.slice(0, data.nesting), data.name])].join(' > ');
            failures.set(file, [...(failures.get(file) ?? []), { name, error: errorOf(data) }]);
            yield `FAILED ${name}\n${type === 'test:fail' ? reason(data) : '    skipped\n'}`;
        }
    }
    for (const file of files) {
        if (seen.has(file)) continue;
        failed++;
        yield `FAILED ${file}\n    no tests in it\n`;
    }
    for (const [file, count] of deserving(failures)) yield `AGAIN ${file} ${count}\n`;
    yield `${passed} passed, ${failed} failed\n`;
}
