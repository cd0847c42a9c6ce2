// The fault points of the test build, found in the source, so that none can be forgotten here.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ALWAYS = ['kill', 'hang'];

function* sources(folder) {
    for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) yield* sources(path);
        else if (entry.name.endsWith('.c') && !entry.name.startsWith('test_')) yield readFileSync(join(ROOT, path), 'utf8');
    }
}

/** Names and what may be done there: a point whose value is cast away has no failing. */
function read() {
    const points = new Map();
    for (const text of ['fcgi', 'jobs', 'lib'].flatMap((folder) => [...sources(folder)])) {
        for (const [, cast, name] of text.matchAll(/(\(void\))?\bFAULT\(\s*"([^"]+)"\)/g)) points.set(name, cast ? ALWAYS : [...ALWAYS, 'error']);
        for (const [, name] of text.matchAll(/\bSTEP\(\s*"([^"]+)",/g)) {
            for (const side of ['before', 'after']) points.set(`${name}.${side}`, [...ALWAYS, 'error']);
        }
    }
    return points;
}

/** What is no part of the main job, and the tests that lead through the points there. */
const ELSEWHERE = [
    [/^(keys|keyfile)\./, 'lib/keys/test_keyring.c'],
    [/^a2a\./, 'tests/jobs/a2a.test.mjs'],
    [/^lend_watch\./, 'tests/jobs/lend-watch.test.mjs'],
    [/^sweep\./, 'tests/jobs/sweep.test.mjs'],
    [/^child\./, 'tests/jobs/pool.test.mjs'],
    [/^restart\./, 'tests/jobs/restart.test.mjs'],
];

/** By its name, or by that of the step whose sides it names one by one. */
const isNamed = (name, text) => text.includes(name) || text.includes(`'${name.replace(/\.(before|after)$/, '')}'`);
const isElsewhere = (name) => ELSEWHERE.some(([names, test]) => names.test(name) && isNamed(name, readFileSync(join(ROOT, test), 'utf8')));

/** Map of names to lists of actions. */
export const POINTS = read();
/** Those that the main job comes by. */
export const OF_THE_JOB = [...POINTS.keys()].filter((name) => !isElsewhere(name));
