// What the logs of the gateway, the signer and the jobs say from a moment on.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from '../jobs/lib.mjs';

const FILES = ['gateway', 'swap-poll', 'order-poll', 'webhook-drain', 'quote-expire', 'agent-purge', 'token-refresh', 'lend-watch', 'drift-watch'];
// Behind what another process could still write of its last line when the disk became full.
const LINE = /^(?:\d{1,4}|\d{4}-.*?)??(\d{4}-\d\d-\d\dT[\d:.]+Z) (info|warn|error|fatal) ([\w-]+)\[\d+\] event=([a-z_]+) (.*)$/;
const MINUTE_MS = 60_000;

const paths = () => FILES.map((name) => join(settings().GATEWAY_LOG, `${name}.log`)).filter((path) => existsSync(path));

/** Where the logs end now. */
export const here = () => new Map(paths().map((path) => [path, statSync(path).size]));

/** The lines since then, in the order of their times; one that is no line of ours fails the test. */
export function since(place) {
    return paths().flatMap((path) => readFileSync(path).subarray(place.get(path) ?? 0).toString('utf8').split('\n').slice(0, -1))
        .filter((line) => line !== '').map((text) => {
            const [, time, level, program, event, message] = LINE.exec(text) ?? [];
            if (event === undefined) throw new Error(`no line of a log: ${text}`);
            return {
                at: Date.parse(time), level, program, event, message, text,
            };
        }).sort((a, b) => a.at - b.at);
}

// What the sandbox lacks at all times.
const OF_OTHER_THINGS = ['token_list_no_answer', 'venue_no_answer'];

/** The fullest minute's lines that need an operator, without requests: each of those is its agent's. */
export function fullestMinute(lines) {
    const alarming = lines.filter(({ level, event }) => level !== 'info' && !OF_OTHER_THINGS.includes(event));
    const minutes = alarming.map(({ at }) => alarming.filter((line) => line.at >= at && line.at < at + MINUTE_MS));
    return minutes.reduce((most, each) => (each.length > most.length ? each : most), []);
}

export const isEnd = ({ level, message }) => level === 'info' && /^msg="over"/.test(message);
