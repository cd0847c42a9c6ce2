// What `agentctl status` says, to people and to programs.

import assert from 'node:assert/strict';
import { agentctl } from '../jobs/lib.mjs';

async function said(...args) {
    const { code, out } = await agentctl(...args, 'status');
    assert.equal(code, 0, out);
    return out;
}

/** Rows of a section of it by what stands first in them. */
const rows = (status, section, name) => (status[section] ?? []).filter((row) => Object.values(row)[0] === name);

/** Whether a line of it names the cause, for people and for programs. A part that does is not in order. */
export async function names([section, name, pattern]) {
    const status = JSON.parse(await said('--json'));
    const lines = (await said()).split('\n').filter((line) => line.startsWith(`${name} `));
    return rows(status, section, name).some(({ detail, ok }) => ok !== true && pattern.test(detail ?? '')) &&
        lines.some((line) => pattern.test(line));
}

/** The parts that are not in order. */
export async function ailing() {
    return JSON.parse(await said('--json')).parts.filter(({ ok }) => !ok);
}
