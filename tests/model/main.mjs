// main.mjs all|bounded|deep|PATTERN: checks the engine's model (engine.pml) with SPIN, and that each mutation of it is caught. The last line
// is "N passed, N failed". PATTERN chooses configurations and mutations by their names. Needs spin and a C compiler; works in var/model.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONFIGURATIONS } from './configurations.mjs';
import { MUTATIONS } from './mutations.mjs';
import { differences } from './steps.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(HERE, '../..');
const WORK = join(process.env.MODEL_VAR ?? join(ROOT, 'var'), 'model');
const MEMORY_MB = 6000;
const DEPTH = 2_000_000;
const ALWAYS = ['-E', `-m${DEPTH}`];
const MODEL = readFileSync(join(HERE, 'engine.pml'), 'utf8');

let [passed, failed] = [0, 0];
function result(ok, text) {
    if (ok) passed++;
    else failed++;
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${text}`);
}

// ---------------------------------------------------------------- running SPIN

function statesOfTheCode() {
    const program = join(WORK, 'states');
    // What the file has next to the states, and needs for it, is left out.
    const alone = ['-ffunction-sections', '-fdata-sections', '-Wl,--gc-sections'];
    execFileSync('cc', ['-std=c11', '-D_GNU_SOURCE', `-I${ROOT}/lib`, ...alone, '-o', program, join(HERE, 'states.c'), `${ROOT}/lib/model/execution.c`]);
    return execFileSync(program, { encoding: 'utf8' });
}

const defines = (values) => Object.entries(values).map(([name, value]) => `-D${name}=${value}`);
const said = (pattern, text) => Number(pattern.exec(text)?.[1] ?? NaN);

/** The verifier of one instance: what it found, or what is wrong with the model. `compile` and `search` are options of it. */
function verify(name, model, values, compile, search) {
    const folder = join(WORK, name.replaceAll(/[^a-z]+/gi, '-'));
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'engine.pml'), model);
    writeFileSync(join(folder, 'states.pml'), STATES);
    const run = (command, args) => spawnSync(command, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
    const spin = run('spin', ['-a', ...defines(values), 'engine.pml']);
    const cc = run('cc', ['-w', `-DMEMLIM=${MEMORY_MB}`, '-DVECTORSZ=1024', ...compile, '-o', 'pan', 'pan.c']);
    if (cc.status !== 0) return { broken: spin.stdout + cc.stderr };
    const begun = Date.now();
    const { stdout } = run('./pan', search);
    return {
        folder,
        values,
        errors: said(/errors: (\d+)/, stdout),
        states: said(/^ *([\d.e+]+) states, stored/m, stdout),
        depth: said(/depth reached (\d+)/, stdout),
        memory: said(/([\d.]+)\s+total actual memory usage/, stdout),
        seconds: (Date.now() - begun) / 1000,
        complete: !/Search not completed|max search depth too small|out of memory/.test(stdout),
        broken: /errors:/.test(stdout) ? undefined : stdout.slice(-2000),
    };
}

// ---------------------------------------------------------------- stories

const NAMES = ['spend', 'faster', 'cancel'];
const STATUS = ['', 'pending', 'submitted', 'processing', 'completed', 'failed'];
const transaction = (n) => (n < 14 ? `${NAMES[n % 3]}${n > 2 ? ` of ${Math.floor(n / 3)}` : ''}` : ['foreign', 'nothing'][n - 14]);

/** The processes in the order in which init runs them. */
function actors({ WORKERS, FOLLOWERS, REQUESTS, RENEWS, DRAINS }) {
    const some = (n, what) => Array.from({ length: n }, (_, i) => `${what} ${i + 1}`);
    const world = REQUESTS ? some(1 + RENEWS, 'venue') : ['chain', 'network'];
    return ['init', ...some(WORKERS, 'worker'), ...some(FOLLOWERS, 'follower'), ...world, ...some(DRAINS, 'drain')];
}

/** What happens, and the property that is broken by it, in words. */
function story({ folder, values }) {
    const { stdout } = spawnSync('spin', ['-t', '-T', ...defines(values), 'engine.pml'], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
    const who = actors(values);
    const lines = stdout.split('\n').map((line) => line.trim());
    const at = lines.map((line) => /^spin: engine.pml:(\d+), Error/.exec(line)?.[1]).find(Boolean);
    const broken = at && /\/\* (.*?) \*\//.exec(readFileSync(join(folder, 'engine.pml'), 'utf8').split('\n')[at - 1])?.[1];
    const told = lines.filter((line) => line !== '' && !/^(spin:|ltl |Never claim|#|<<<<<START|\w+(\[\d+\])? = |\d+:\s+proc|\d+ processes|MSC:)/.test(line))
        .map((line) => line
            .replace(/^(\d+) /, (_, pid) => `${who[pid] ?? 'process'} `)
            .replace(/\bfrom (\d) to (\d)$/, (_, from, to) => `from ${STATUS[from]} to ${STATUS[to]}`)
            .replace(/\bin state (\d)$/, (_, state) => `as ${STATUS[state]}`)
            .replace(/\btransaction (\d+)/, (_, n) => `transaction "${transaction(Number(n))}"`)
            .replace(/\bshows (\d+) in block 0 of/, 'shows nothing of it; its newest block is')
            .replace(/\bshows (\d+) in/, (_, n) => `shows "${transaction(Number(n))}" in`));
    return { broken: broken ?? 'it comes to rest', told };
}

function tell(found, most = 60) {
    const { broken, told } = story(found);
    for (const line of told.slice(0, most)) console.log(`           ${line}`);
    if (told.length > most) console.log(`           … ${told.length - most} more`);
    console.log(`           broken: ${broken}`);
}

// ---------------------------------------------------------------- what is checked

const SAFE = ['-DSAFETY', '-DNOCLAIM', '-DCOLLAPSE'];
const LIVE = ['-DNFAIR=8', '-DCOLLAPSE'];
const bounds = (values) => Object.entries(values).filter(([, value]) => value !== 0).map(([name, value]) => `${name}=${value}`).join(' ');
const figures = ({ states, depth, memory, seconds }) => `${states} states, depth ${depth}, ${Math.round(memory)} MB, ${seconds.toFixed(1)} s`;

function check(title, values, compile, search, exhaustive) {
    const found = verify(title, MODEL, values, compile, search);
    if (found.broken !== undefined) return result(false, `${title}: ${found.broken}`);
    result(found.errors === 0 && (found.complete || !exhaustive), `${title}: ${figures(found)}, errors: ${found.errors}${found.complete ? '' : ', not complete'}`);
    console.log(`         ${bounds(values)}`);
    if (found.errors > 0) tell(found);
    return undefined;
}

const { DEEP_MINUTES = '10' } = process.env; // a search that goes on for hours seldom finds what it has not found by then
const QUICK = '-O0'; // where the search takes less than half a minute, more is won by not optimizing
const safe = (each) => check(each.name, each.values, [QUICK, ...SAFE], ALWAYS, true);
const live = (each) => check(`${each.name}, to rest`, each.live, [QUICK, ...LIVE], ['-a', '-f', ...ALWAYS], true);
const deep = ({ name, deep: values }) => check(`${name}, deep`, values, ['-O2', '-DSAFETY', '-DNOCLAIM', '-DBITSTATE'], ['-w32', '-k3', `-Q${DEEP_MINUTES}`, ...ALWAYS], false);

function mutate(name, changes) {
    return changes.reduce((text, [from, to]) => {
        if (text.split(from).length !== 2) throw new Error(`${name}: this is not in engine.pml once: ${from}`);
        return text.replace(from, () => to);
    }, MODEL);
}

/** The shortest way to what breaks; a cycle is looked for only where nothing breaks at any moment. */
function mutation([name, where, ...changes], verbose) {
    const [, how, configured] = /^(stands |dives |)(.*)$/.exec(where);
    const configuration = CONFIGURATIONS.get(configured);
    const model = mutate(name, changes);
    const found = how === 'stands ' ? verify('mutation', model, configuration.live, ['-O0', ...LIVE], ['-a', '-f', ...ALWAYS])
        : verify('mutation', model, configuration.values, ['-O0', ...SAFE, ...(how === '' ? ['-DBFS'] : [])], how === '' ? ['-E'] : ALWAYS);
    const ok = found.broken === undefined && found.errors > 0;
    result(ok, `mutation: ${name} (${configuration.name})${found.broken ?? ''}`);
    if (ok && verbose) tell(found, 40);
    return ok;
}

function mutations(list) {
    const caught = list.filter((each) => mutation(each, true)).length;
    console.log(`mutations: ${caught} of ${list.length} caught`);
}

function steps() {
    const found = differences(MODEL);
    result(found.length === 0, 'each step of the source is in the model or is excused, and the other way round');
    for (const line of found) console.log(`         ${line}`);
}

mkdirSync(WORK, { recursive: true });
const STATES = statesOfTheCode();
const [which = 'all'] = process.argv.slice(2);
const all = [...CONFIGURATIONS.values()];
steps();
if (which === 'configurations') {
    all.filter((each) => !each.large).forEach(safe);
    all.filter((each) => each.live).forEach(live);
} else if (which === 'all') {
    all.filter((each) => !each.large).forEach(safe);
    all.filter((each) => each.live).forEach(live);
    mutations(MUTATIONS);
} else if (which === 'bounded') {
    all.filter((each) => each.bounded).forEach(safe);
    mutations(MUTATIONS.filter(([, where]) => CONFIGURATIONS.get(where)?.bounded).filter((_, i) => i % 4 === 0));
} else if (which === 'mutations') {
    mutations(MUTATIONS);
} else if (which === 'deep') {
    all.forEach(deep);
} else {
    const like = (name) => new RegExp(which).test(name);
    all.filter(({ name }) => like(name)).forEach((each) => { safe(each); if (each.live) live(each); });
    mutations(MUTATIONS.filter(([name]) => like(name)));
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
