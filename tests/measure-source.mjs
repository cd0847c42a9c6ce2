// node tests/measure-source.mjs: the shape of the source in lib, fcgi and jobs, which reviews compare: lines, functions, names, and
// how many files outside of its own folder name a market. clang-format puts the braces of a function, and nothing else, in the first
// column.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const ACTORS = /\b(nobody|somebody|whoever|whatever|anybody)\b/gi;
const MARKETS = {
    perps: /^(perps|lib\/perps)/, lend: /^(lend|lib\/lend)/, predict: /^(predict|lib\/predict)/, withdrawal: /^(withdrawals?|lib\/transfer)/,
};
const SHORT_LINES = 4;

const listed = (...paths) => execFileSync('git', ['ls-files', '--', ...paths], { encoding: 'utf8' }).split('\n').filter(Boolean);
const linesOf = (text) => text.split('\n').length - 1;
const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
const quantile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
const percent = (part, whole) => `${(100 * part / whole).toFixed(1)} %`;

const code = (text) => text.replace(/\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|\/\/.*/g, ' ');

/** The functions that a file defines: { name, isStatic, lines } with the lines of the body between its braces. */
function functionsOf(text) {
    const all = text.split('\n'), found = [];
    for (let open = all.indexOf('{'); open >= 0; open = all.indexOf('{', open + 1)) {
        const close = all.indexOf('}', open);
        let head = open - 1;
        while (head > 0 && all[head - 1] !== '' && !/[;}]$|\*\/$|^#/.test(all[head - 1])) head--;
        const signature = all.slice(head, open).join(' ');
        const name = /(\w+)\(/.exec(signature)?.[1];
        if (name !== undefined && close > open) found.push({ name, isStatic: /^static\b/.test(signature), lines: close - open - 1 });
    }
    return found;
}

const isTest = (path) => basename(path).startsWith('test_');
const sources = listed('lib', 'fcgi', 'jobs').filter((path) => /\.[ch]$/.test(path));
const product = sources.filter((path) => !isTest(path)).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const units = product.filter(({ path }) => path.endsWith('.c'));

const functions = units.flatMap(({ text }) => {
    const words = code(text).match(/\w+/g) ?? [];
    return functionsOf(text).map((each) => ({ ...each, uses: words.filter((word) => word === each.name).length }));
});
const bodies = functions.map(({ lines }) => lines).sort((a, b) => a - b);
const usedOnce = functions.filter(({ isStatic, uses }) => isStatic && uses === 2); // its definition is the other
const names = new Map();
for (const { path } of units) names.set(basename(path), (names.get(basename(path)) ?? 0) + 1);
const shared = [...names.values()].filter((files) => files > 1);

const row = (what, ...figures) => console.log(`${what.padEnd(52)}${figures.join('  ')}`);

row('lines: product, unit tests', sum(product.map(({ text }) => linesOf(text))), sum(sources.filter(isTest).map((path) => linesOf(readFileSync(path, 'utf8')))));
row('files: .c, .h', units.length, product.length - units.length);
row('functions: count, median, p90, p99, longest', functions.length, ...[0.5, 0.9, 0.99, 1].map((part) => quantile(bodies, part)));
row('lines of file per function', (sum(units.map(({ text }) => linesOf(text))) / functions.length).toFixed(1));
row('static and used once', percent(usedOnce.length, functions.length), `(${usedOnce.filter(({ lines }) => lines <= SHORT_LINES).length} of at most ${SHORT_LINES} lines)`);
row('.c files that share their base name', `${sum(shared)} (${shared.length} names)`);
row('.c files under 40 lines', units.filter(({ text }) => linesOf(text) < 40).length);
for (const [market, home] of Object.entries(MARKETS)) {
    const named = product.filter(({ path, text }) => !home.test(path) && !home.test(basename(path)) && new RegExp(`\\b${market}|_${market}`, 'i').test(code(text)));
    row(`files outside of its folder that name ${market}`, named.length);
}
const prose = listed().filter((path) => !/\.(json|jsonl|lock|png|ico)$|^tests\/(fuzz\/corpus|vectors)\//.test(path));
row('actors without a name', sum(prose.map((path) => (readFileSync(path, 'utf8').match(ACTORS) ?? []).length)));
row('tables', new Set(listed('sql').filter((path) => !path.includes('before-')).flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g)].map((m) => m[1]))).size);
row('words of README.md', readFileSync('README.md', 'utf8').split(/\s+/).filter(Boolean).length);
console.log();
const folders = new Map();
for (const { path, text } of product) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + linesOf(text));
for (const [folder, lines] of [...folders].sort((a, b) => b[1] - a[1])) row(folder, String(lines).padStart(6));
