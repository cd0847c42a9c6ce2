// check-specification.mjs: tests/specification.md says for each statement of the specification which tests show it, and
// contrib/docs/guarantees.md for each promise. This finds rows with an empty cell or without a test, and tests that do not
// exist. Prints what is wrong; the last line is "N passed, N failed", a row counting as one.
//
// A test is named as `file › title`. `…` in a title stands for what its `${…}` fills in; C tests have their function's
// name, rows of tests/faults the one that the table shows.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
// Tables whose last column names tests, of a whole file or of one section.
const TABLES = [['tests/specification.md', 2], ['contrib/docs/guarantees.md', 3, '## Promises']];
// What follows is said to have no test, with the reason in its place.
const OPEN = '## Not shown yet';

const known = new Map();

/** The titles of a file's tests. */
function titlesOf(file) {
    if (!known.has(file)) known.set(file, new Set(readTitles(file)));
    return known.get(file);
}

function readTitles(file) {
    const source = readFileSync(join(ROOT, file), 'utf8');
    if (file.endsWith('.c')) return [...source.matchAll(/\bTEST\((\w+)\)/g)].map(([, name]) => name);
    const pattern = file.startsWith('tests/faults/')
        ? /\[\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1,\s*(?:async )?[({]/g
        : /\btest\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
    return [...source.matchAll(pattern)]
        .map(([, , title]) => title.replace(/\$\{[^}]*\}/g, '…').replace(/\\(.)/g, '$1'));
}

/** What is wrong with a test that is named. */
function faultOf(name) {
    const [file, title, ...more] = name.split(' › ');
    if (!title || more.length > 0) return `not "file › title": ${name}`;
    if (!existsSync(join(ROOT, file))) return `no such file: ${file}`;
    return titlesOf(file).has(title) ? undefined : `no such test in ${file}: ${title}`;
}

function faultsOfRow(cells, columns, open) {
    if (cells.length !== columns) return [`${cells.length} cells instead of ${columns}`];
    if (cells.some((cell) => cell === '' || cell === '-' || cell === '–')) return ['an empty cell'];
    if (open) return [];
    const names = [...cells[columns - 1].matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    return names.length === 0 ? ['no test'] : names.map(faultOf).filter(Boolean);
}

let [passed, failed] = [0, 0];

function check(table, columns, section) {
    const before = passed + failed;
    let heading;
    readFileSync(join(ROOT, table), 'utf8').split('\n').forEach((line, i, lines) => {
        if (line.startsWith('## ')) heading = line;
        if (section !== undefined && heading !== section) return;
        // Neither heads nor the lines under them.
        if (!line.startsWith('|') || /^\|[-| ]+\|$/.test(line) || /^\|[-| ]+\|$/.test(lines[i + 1] ?? '')) return;
        const cells = line.replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map((cell) => cell.trim());
        const faults = faultsOfRow(cells, columns, heading === OPEN);
        if (faults.length === 0) passed++;
        else failed++;
        for (const fault of faults) console.log(`${table}:${i + 1}: ${fault}`);
    });
    if (passed + failed > before) return;
    failed++;
    console.log(`${table}: no rows`);
}

for (const table of TABLES) check(...table);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
