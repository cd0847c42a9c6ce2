// A full disk under the database. A library in the server denies every growth of a file (disk.c); then the history of swaps,
// into which each of them writes, is filled up to the last page that it has. From there on the engine itself refuses.

import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../api/lib.mjs';
import { settings, sql } from '../jobs/lib.mjs';
import { Kept, killDatabase } from './programs.mjs';

const TABLE_IS_FULL = 1114;
const FILLER = '18446744073709551615';
const AT_ONCE = 4096;

const stack = settings();

/** Rows shorter than any of the gateway's, as many as fit. */
async function fill() {
    for (let n = AT_ONCE; n >= 1;) {
        const filled = await sql(`INSERT INTO swap_history (swap_id, from_status, to_status, why, created_at)
            SELECT ${FILLER}, 0, 0, '', UTC_TIMESTAMP(3) FROM seq_1_to_${n}`).then(() => true, (error) => {
            if (!error.message.includes(String(TABLE_IS_FULL))) throw error;
            return false;
        });
        if (!filled) n = Math.floor(n / 2);
    }
}

/** How often the engine refused something of the programs' since this was first asked. */
function refusals() {
    const logs = ['gateway', 'swap-poll'].map((name) => readFileSync(join(stack.GATEWAY_LOG, `${name}.log`), 'utf8'));
    return logs.join('').split(`error=${TABLE_IS_FULL}`).length - 1;
}

/** The disk is full from now on. `refusals()` says how often programs noticed, `clear()` makes room. */
export async function fillDisk() {
    const [library, flag] = [join(stack.GATEWAY_VAR, 'disk.so'), join(stack.GATEWAY_VAR, 'disk-full')];
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, join(ROOT, 'tests/faults/disk.c'), '-ldl']);
    await killDatabase(await Kept.of('mariadbd'), 'SIGTERM', { LD_PRELOAD: library, DISK_FULL: flag });
    writeFileSync(flag, '');
    await fill();
    return {
        refusals,
        async clear() {
            rmSync(flag);
            await sql(`DELETE FROM swap_history WHERE swap_id = ${FILLER}`);
        },
    };
}
