// The settings of the stack, as `stack env` prints them: { GATEWAY_PORT, SANDBOX_ETHEREUM_PORT, … }, of the one that runs, or else
// those that the next one would have.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const STACK = fileURLToPath(new URL('stack', import.meta.url));

let known;

export function stackSettings() {
    known ??= Object.fromEntries(execFileSync(STACK, ['env'], { encoding: 'utf8' }).trim().split('\n')
        .map((line) => /^(\w+)='(.*)'$/.exec(line).slice(1)));
    return known;
}

/** Where a service of it answers: urlOf('GATEWAY'), urlOf('SANDBOX_BASE'). */
export const urlOf = (name) => `http://127.0.0.1:${stackSettings()[`${name}_PORT`]}`;
