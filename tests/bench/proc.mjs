// CPU time and memory of processes, from /proc.

import { readdirSync, readFileSync } from 'node:fs';

/** These processes and all their descendants. */
export function tree(roots) {
    const children = new Map();
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number)) {
        const parent = Number(afterName(pid)?.[1]);
        children.set(parent, [...children.get(parent) ?? [], pid]);
    }
    const found = [];
    const add = (pid) => {
        found.push(pid);
        for (const child of children.get(pid) ?? []) add(child);
    };
    roots.forEach(add);
    return found;
}

export const TICK = 10000; // microseconds, as the kernel counts in stat

/** Microseconds that the threads of these processes ran, and their children that have ended: idle workers do. */
export function cpuMicros(pids) {
    let nanos = 0;
    for (const pid of pids) {
        const [user, system] = afterName(pid)?.slice(13, 15).map(Number) ?? [0, 0];
        nanos += (user + system) * TICK * 1000;
        for (const thread of attempt(() => readdirSync(`/proc/${pid}/task`)) ?? []) {
            const text = attempt(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1'));
            nanos += parseInt(text ?? '0', 10);
        }
    }
    return nanos / 1000;
}

/** Kilobytes: the proportional share of all pages. */
export function pss(pid) {
    const text = attempt(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')) ?? '';
    return Number(/^Pss: +(\d+)/m.exec(text)?.[1] ?? 0);
}

/** The fields of stat that follow the name: state, parent and so on. */
function afterName(pid) {
    return attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/.*\) /s, '').split(' '));
}

/** Processes end at any time. */
function attempt(read) {
    try {
        return read();
    } catch {
        return null;
    }
}
