// main.mjs [PATTERN]: has CBMC prove each tests/proofs/prove_*.c, and shows that each proof can fail: its twins, of code that
// mutations.mjs spoils, have to. Two run at a time. The last line is "N passed, N failed". PATTERN chooses by the files' names;
// "table" prints the proofs as contrib/docs/guarantees.md has them, "stale" what they name and the code has no more.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MUTATIONS } from './mutations.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(HERE, '../..');
const WORK = join(ROOT, 'var/proofs');
const AT_A_TIME = Number(process.env.PROOFS_AT_A_TIME ?? 2);
const MEMORY_KB = 6_000_000;
const SECONDS_EACH = Number(process.env.PROOFS_SECONDS_EACH ?? 300);
const CHECKS = ['--pointer-overflow-check', '--no-malloc-may-fail', '--drop-unused-functions', '--slice-formula'];

const read = (file) => readFileSync(join(ROOT, file), 'utf8');

/** What the first comment of a proof says: the functions, then "@bounds all pairs" and the like. */
function statements(name) {
    const [comment] = /^\/\*[^]*?\*\//.exec(read(`tests/proofs/prove_${name}.c`)) ?? [''];
    const lines = comment.split('\n').map((line) => line.replace(/^ ?\/?\*\/? ?/, '').trimEnd());
    const said = { name, functions: lines[0].trim() };
    let last = 'functions';
    for (const line of lines.slice(1)) {
        const [, key, text] = /^@(\w+) (.*)$/.exec(line) ?? [];
        if (key) said[last = key] = text;
        else if (line.trim() !== '') said[last] += ` ${line.trim()}`;
    }
    return said;
}

const words = (text = '') => text.split(' ').filter(Boolean);

/** The processor's time, which the shell prints last: "0m1.5s 0m0.1s". */
const secondsOf = (text) => Number(/(\d+)m([\d.]+)s \S+\s*$/.exec(text)?.slice(1).reduce((sum, part) => sum * 60 + Number(part), 0) ?? NaN);

const running = new Set();

/** Runs a program of the tree to its end; what it printed, and what time of the processor that took. */
function run(args) {
    const child = spawn('sh', ['-c', `ulimit -v ${MEMORY_KB}; ulimit -t ${SECONDS_EACH}; nice tests/proofs/cbmc "$@"; status=$?; times; exit $status`,
        'sh', ...args], { cwd: ROOT, detached: true });
    running.add(child);
    let text = '';
    child.stdout.on('data', (part) => { text += part; });
    child.stderr.on('data', (part) => { text += part; });
    return new Promise((done) => {
        child.on('close', (status) => {
            running.delete(child);
            done({ status, text, seconds: secondsOf(text) });
        });
    });
}

/** Compiles a proof, as the build does but with `spoilt` before lib, and has it checked. */
async function check(proof, spoilt, ...options) {
    const folder = spoilt?.folder ?? join(WORK, proof.name);
    const program = join(folder, 'program');
    mkdirSync(folder, { recursive: true });
    const sources = [`tests/proofs/prove_${proof.name}.c`, 'tests/proofs/library.c', ...words(proof.with)
        .map((file) => (file.startsWith('tests/') ? file : spoilt?.file === file ? `${folder}/${file}` : `lib/${file}`))];
    const compiled = await run(['goto-cc', '-std=c11', '-D_GNU_SOURCE', ...(spoilt ? [`-I${folder}`] : []), '-Itests/proofs', '-Ilib', '-I.',
        ...PACKAGES, '-include', 'base/banned.h', '--function', 'harness', '-o', program, ...sources]);
    if (compiled.status !== 0) return compiled;
    // "@replace f:g": g stands for f wherever f is called.
    for (const pair of words(proof.replace)) {
        const replaced = await run(['goto-instrument', '--replace-calls', pair, program, program]);
        if (replaced.status !== 0) return replaced;
    }
    return run(['cbmc', program, ...CHECKS, '--unwind', proof.unwind, ...words(proof.options), ...options]);
}

const PACKAGES = spawnSync('pkg-config', ['--cflags', 'jansson', 'libcurl', 'libsodium'], { encoding: 'utf8' }).stdout.split(/\s+/).filter(Boolean);

let [passed, failed] = [0, 0];
function result(ok, text) {
    if (ok) passed++;
    else failed++;
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${text}`);
}

// A signal that ends this ends its children.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {
    for (const child of running) process.kill(-child.pid);
    process.exit(1);
});

const failures = (text) => text.split('\n').filter((line) => /: FAILURE$/.test(line)).map((line) => line.replace(/^\[[^\]]*\] */, ''));

async function prove(proof) {
    const { text, seconds } = await check(proof);
    const [, wrong, all] = /^\*\* (\d+) of (\d+) failed/m.exec(text) ?? [];
    const proven = /^VERIFICATION SUCCESSFUL$/m.test(text) && wrong === '0';
    result(proven, `${proof.functions}: ${all ?? 0} properties, ${seconds.toFixed(1)} s`);
    console.log(`         ${proof.bounds}: ${proof.shows}`);
    if (!proven) console.log((failures(text).length > 0 ? failures(text) : text.trim().split('\n').slice(-20)).map((line) => `         ${line}`).join('\n'));
}

/** A twin: the same proof of a file in which one place is another. What it fails by is what the proof shows of that place. */
async function twin([name, file, from, to], index) {
    const proof = PROOFS.find((each) => each.name === name);
    const folder = join(WORK, `${name}-${index}`);
    const parts = read(`lib/${file}`).split(from);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), parts.join(to));
    const { text, seconds } = await check(proof, { file, folder }, '--stop-on-fail');
    const caught = /^VERIFICATION FAILED$/m.test(text);
    const by = /Violated property:\n.*\n +(.*)/.exec(text)?.[1] ?? text.trim().split('\n').at(-1);
    result(caught, `mutation: ${file}, ${from.trim().split('\n')[0]} → ${to.trim().split('\n')[0] || 'nothing'}: ${by}, ${seconds.toFixed(1)} s`);
}

/** What the code has no more: places that are spoilt, which stand there once, and functions that others stand for. */
function stale() {
    const isThere = (name) => files.some(([, text]) => new RegExp(`\\b${name}\\(`).test(text));
    const files = readdirSync(join(ROOT, 'lib'), { recursive: true }).filter((file) => file.endsWith('.c')).map((file) => [file, read(`lib/${file}`)]);
    return [
        ...MUTATIONS.filter(([, file, from]) => read(`lib/${file}`).split(from).length !== 2)
            .map(([name, file, from]) => `mutations.mjs: ${name}: this is not in ${file} once: ${from}`),
        ...PROOFS.flatMap(({ name, replace }) => words(replace).map((pair) => pair.split(':')[0]).filter((each) => !isThere(each))
            .map((each) => `prove_${name}.c: replaces ${each}, which is not in lib`)),
    ];
}

/** As the guarantees have it. */
const table = () => ['| Functions | For | Proven |', '|---|---|---|', ...PROOFS.map(({ functions, bounds, shows }) => `| ${functions} | ${bounds} | ${shows} |`)].join('\n');

const [pattern = ''] = process.argv.slice(2);
const PROOFS = readdirSync(HERE).map((file) => /^prove_(.*)\.c$/.exec(file)?.[1]).filter(Boolean).sort().map(statements);
if (pattern === 'table') {
    console.log(table());
    process.exit(0);
}
const gone = stale();
if (gone.length > 0) console.log(gone.join('\n'));
if (gone.length > 0 || pattern === 'stale') process.exit(gone.length > 0 ? 1 : 0);
result(read('contrib/docs/guarantees.md').includes(table()), 'the guarantees tell of these proofs, and of no others');
for (const [name] of MUTATIONS) if (!PROOFS.some((proof) => proof.name === name)) result(false, `a mutation for ${name}, which is no proof`);
const chosen = PROOFS.filter(({ name }) => new RegExp(pattern).test(name));
const twins = MUTATIONS.map((each, index) => [each, index]).filter(([[name]]) => chosen.some((proof) => proof.name === name));
for (const { name } of chosen.filter((proof) => !twins.some(([[of]]) => of === proof.name))) result(false, `${name}: has no mutation, so it is unknown whether it can fail`);
const work = [...chosen.map((proof) => () => prove(proof)), ...twins.map((each) => () => twin(...each))];
await Promise.all(Array.from({ length: AT_A_TIME }, async () => {
    while (work.length > 0) await work.shift()();
}));
console.log(`mutations: ${twins.length}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
