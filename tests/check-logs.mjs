// Compares contrib/docs/logs.md with the source: each event that a program logs has a line with its level, meaning and act,
// and no line is left over. Prints what differs; the last line is "N passed, N failed".
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCUMENT = 'contrib/docs/logs.md';
const LEVELS = { info: 'info', warn: 'warn', error: 'error', fatal: 'fatal', incident: 'error', expected: 'error', repeated: 'warn ↻' };
const CALL = /\blog_(info|warn|error|fatal|incident|expected|repeated|incident_over)\(\s*([^,]*),/g;
const IN_LOG_ITSELF = /^lib\/base\/(log|incident)\.[ch]$/;

const sources = ['lib', 'fcgi', 'jobs'].flatMap((folder) => readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name)).filter((path) => path.endsWith('.c') && !/(^|\/)test_/.test(path)));

let passed = 0;
const faults = [];
const check = (ok, what) => { if (ok) passed += 1; else faults.push(what); };

const said = new Map();
const ends = new Set();
for (const path of sources) {
    const text = readFileSync(path, 'utf8').replace(/^\s*\/\*.*?\*\//gms, '');
    for (const [, by, first] of text.matchAll(CALL)) {
        const event = first.match(/^"([a-z][a-z_]*[a-z])"$/)?.[1];
        if (IN_LOG_ITSELF.test(path) && event === undefined) continue; // it hands on what it is given
        check(event !== undefined, `${path}: ${first} is no name of an event`);
        if (event === undefined) continue;
        if (by === 'incident_over') { ends.add(event); continue; }
        said.set(event, (said.get(event) ?? new Set()).add(LEVELS[by]));
    }
}

const documented = new Map();
for (const line of readFileSync(DOCUMENT, 'utf8').split('\n')) {
    const [, event, levels, means] = line.match(/^\| `([a-z_]+)` \| ([^|]+) \| ([^|]+) \|/) ?? [];
    if (event === undefined) continue;
    check(!documented.has(event), `${DOCUMENT}: ${event} stands there twice`);
    check(means.trim() !== '', `${DOCUMENT}: ${event} has no meaning`);
    documented.set(event, levels.split(',').map((level) => level.trim()).sort().join(', '));
}

for (const [event, levels] of said) {
    const own = [...levels].sort().join(', ');
    check(documented.get(event) === own, `${DOCUMENT}: ${event} should be there with level ${own}`);
}
for (const event of ends) check(said.get(event)?.has(LEVELS.incident), `${event} ends, and is no incident that begins`);
for (const event of documented.keys()) check(said.has(event), `${DOCUMENT}: no program logs ${event}`);
check(said.size > 80, `only ${said.size} events were found in the source`);

for (const fault of faults) console.log(fault);
console.log(`${passed} passed, ${faults.length} failed`);
