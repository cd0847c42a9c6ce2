// What the kernel says of a process.

import { readFileSync } from 'node:fs';

/** A file of /proc/PID; empty where the process has ended, or is closed to this user. */
export function read(pid, file) {
    try {
        return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
        return '';
    }
}

/** The fields of /proc/PID/stat behind the name, which may have spaces and brackets itself; the first is the state. */
export const statOf = (pid) => read(pid, 'stat').replace(/^.*\) /s, '').split(' ');
