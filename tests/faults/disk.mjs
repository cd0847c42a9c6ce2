// A full disk under the database. A library in the server denies every growth of a file (disk.c); then the history of swaps,
// into which each of them writes, is filled up to the last page that it has. From there on the engine itself refuses.

import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, until } from '../api/lib.mjs';
import { settings, sql } from '../jobs/lib.mjs';
import { Kept, killDatabase } from './programs.mjs';

/** Files of the table that is filled: where these alone have no room, the engine can take back what it refused. */
export const FILLED = 'execution_history';
const TABLE_IS_FULL = 1114;
const FILLER = '18446744073709551615';
const AT_ONCE = 4096;

const stack = settings();

/** Rows shorter than any of the gateway's, as many as fit. False: the engine ended itself. */
async function fill(most) {
    for (let n = most; n >= 1;) {
        const outcome = await sql(`INSERT INTO ${FILLED} (execution_id, from_status, to_status, why, created_at)
            SELECT ${FILLER}, 0, 0, '', UTC_TIMESTAMP(3) FROM seq_1_to_${n}`).then(
            () => 'filled', (error) => (error.message.includes(`ERROR ${TABLE_IS_FULL} `) ? 'full' : 'gone'));
        if (outcome === 'gone') return false;
        if (outcome === 'full') n = Math.floor(n / 2);
    }
    return true;
}

const answers = () => sql('SELECT 1').then(() => true, () => false);

/** How often the engine refused something of the programs' since this was first asked. */
function refusals() {
    const logs = ['gateway', 'swap-poll'].map((name) => readFileSync(join(stack.GATEWAY_LOG, `${name}.log`), 'utf8'));
    return logs.join('').split(`error=${TABLE_IS_FULL}`).length - 1;
}

/**
 * The disk is full from now on; or, with `part`, it is for files whose path has that in it. `noticed()` says whether programs
 * did; `refusals()`, how often the engine refused them something; `clear()` makes room. An engine that has no room to take
 * rows back in ends itself: where that happens to the filling, it begins anew with fewer rows at once.
 */
export async function fillDisk(part) {
    const [library, flag] = [join(stack.GATEWAY_VAR, 'disk.so'), join(stack.GATEWAY_VAR, 'disk-full')];
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, join(ROOT, 'tests/faults/disk.c'), '-ldl']);
    await killDatabase(await Kept.of('mariadbd'), 'SIGTERM', { LD_PRELOAD: library, DISK_FULL: flag, ...part && { DISK_FULL_FOR: part } });
    const clear = async () => {
        rmSync(flag);
        await until('the database to answer', answers);
        await sql(`DELETE FROM ${FILLED} WHERE execution_id = ${FILLER}`);
    };
    for (let most = AT_ONCE; ; most = Math.ceil(most / 4)) {
        writeFileSync(flag, '');
        if (await fill(most)) break;
        await clear();
        if (most === 1) throw new Error('the disk cannot be filled');
    }
    return { refusals, clear, noticed: async () => refusals() > 0 || !await answers() };
}
