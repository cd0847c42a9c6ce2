// Programs that want a newer Node.js than the tests' own: they run under the one that npm installs.

import { execFile } from 'node:child_process';
import { ROOT } from './lib.mjs';

const WANTED = 22;
const [major] = process.versions.node.split('.').map(Number);
const NODE = major >= WANTED ? process.execPath : `${ROOT}tests/node_modules/node-linux-${process.arch}/bin/node`;

/** Runs a script; resolves to { code, stdout, stderr }. */
export function runNewer(script, args = [], env = {}) {
    return new Promise((resolve) => {
        execFile(NODE, [`${ROOT}tests/${script}`, ...args], { maxBuffer: 1 << 24, timeout: 120_000, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
            resolve({ code: error === null ? 0 : error.code ?? 1, stdout, stderr: error === null ? stderr : `${error.message}\n${stderr}` });
        });
    });
}
