// What a run has measured: figures by name, each with the values of its rounds. Names go from the thing to the side or the
// ratio: me.rate.gateway, me.rate.toPeer, quote.cpu.web.ideal, memory.idle.peer.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { GOALS, isMet } from './goals.mjs';
import { median } from './report.mjs';
import { peerNode } from './sides.mjs';

const figures = {};

/** Keeps a figure: one value of each round, of which the median counts. */
export function record(name, values, unit) {
    const list = Array.isArray(values) ? values : [values];
    if (!list.every(Number.isFinite)) throw new Error(`${name}: ${list} are not numbers`);
    figures[name] = { unit, median: median(list), min: Math.min(...list), max: Math.max(...list), values: list };
}

/** { goal, figure, met } of every goal whose figure was measured. */
export function judged(from = figures) {
    return GOALS.filter((goal) => from[goal.figure])
        .map((goal) => ({ goal, figure: from[goal.figure], met: isMet(goal, from[goal.figure].median) }));
}

/** Everything there is to know about the run, as an object for JSON. */
export function summary(root, settings) {
    return {
        when: new Date().toISOString(),
        source: printed('git', '-C', root, 'describe', '--always', '--dirty', '--tags'),
        machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), memoryMB: Math.round(totalmem() / 2 ** 20), kernel: release() },
        versions: versions(root),
        settings,
        parts: {},
        figures: Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, rounded(figure)])),
    };
}

/** What the name of a figure, or of what is measured, begins with. */
export const partOf = (figure) => figure.split('.')[0];

/**
 * A later summary put into an earlier one. The figures of a part (me, big: what their names begin with) are all of one run.
 * One of everything replaces what it is put into, but for parts that it has not measured and that a run of their own has; one
 * that is `partial` replaces the parts that it has measured, whose conditions then stand in `parts`.
 */
export function joined(before, later, partial) {
    const { when, source, machine, settings } = later;
    const fresh = new Set(Object.keys(later.figures).map(partOf));
    const entriesOf = (object, wanted) => Object.entries(object ?? {}).filter(([name]) => wanted(partOf(name)));
    const parts = Object.fromEntries(entriesOf(before.parts, (part) => !fresh.has(part)));
    const figures = Object.fromEntries(entriesOf(before.figures, (part) => !fresh.has(part) && (partial || part in parts)));
    if (partial) for (const part of fresh) parts[part] = { when, source, machine, settings };
    return { ...(partial ? before : later), parts, figures: { ...figures, ...later.figures } };
}

/** A summary and its goals as JSON, with a line for each part, figure and goal: runs can be compared line by line. */
export function asText({ when, source, machine, versions: of, settings, parts, figures: all }) {
    const goals = judged(all).map(({ goal: { slack, ...goal }, figure, met }) => JSON.stringify({ ...goal, value: digits(figure.median), met }));
    const named = (object) => Object.entries(object).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
    const inLines = (name, [open, close], list) => ` "${name}": ${open}${list.map((line) => `\n  ${line}`).join()}\n ${close}`;
    const head = JSON.stringify({ when, source, machine, versions: of, settings }, null, 1).slice(0, -2);
    return `${[head, inLines('parts', '{}', named(parts)), inLines('figures', '{}', named(all)), inLines('goals', '[]', goals)].join(',\n')}\n}\n`;
}

function versions(root) {
    const packages = JSON.parse(readFileSync(`${root}/tests/bench/package-lock.json`, 'utf8')).packages;
    const of = (name) => packages[`node_modules/${name}`]?.version;
    return {
        database: printed('mariadbd', '--version').replace(/.*Ver (\S+).*/s, '$1'),
        lighttpd: printed('lighttpd', '-v').replace(/^\S*\/(\S+).*/s, '$1'),
        compiler: printed('gcc', '-dumpfullversion'),
        node: printed(peerNode(root), '--version'),
        fastify: of('fastify'),
        mysql2: of('mysql2'),
        ethers: of('ethers'),
    };
}

function printed(program, ...args) {
    try {
        return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
        return 'unknown';
    }
}

function rounded({ unit, values, ...rest }) {
    const numbers = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, digits(value)]));
    return { unit, ...numbers, values: values.map(digits) };
}

/** Four significant digits are more than any figure deserves. */
function digits(value) {
    return Number(value.toPrecision(4));
}
