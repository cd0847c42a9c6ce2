// Reporter for node's test runner: prints what failed, then "N passed, N failed". A test whose subtests failed is not
// counted beside them; a skipped test, or a file without any test, counts as a failure.

import { progress, pulse } from './progress.mjs';

const MESSAGE_LINES = 30;

const STAGE = process.env.PROGRESS_STAGE ?? 'tests';

const place = (file = '') => file.replace(/^file:\/\//, '').replace(`${process.cwd()}/`, '');

function reason({ details }) {
    const error = details.error?.cause ?? details.error;
    const text = error?.stack ?? error?.message ?? String(error);
    return text.split('\n').filter((line) => !/^\s+at .*node:internal/.test(line)).slice(0, MESSAGE_LINES)
        .map((line) => `    ${line}\n`).join('');
}

export default async function* report(events) {
    let passed = 0;
    let failed = 0;
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
            const name = isFile ? [] : [...parents.slice(0, data.nesting), data.name];
            yield `FAILED ${[file, ...name].join(' > ')}\n${type === 'test:fail' ? reason(data) : '    skipped\n'}`;
        }
    }
    for (const file of files) {
        if (seen.has(file)) continue;
        failed++;
        yield `FAILED ${file}\n    no tests in it\n`;
    }
    yield `${passed} passed, ${failed} failed\n`;
}
