// A full disk under the database: a library in the server denies every growth of a file (disk.c), and the tables that a
// swap goes into are filled until the engine itself says that nothing fits any more.

import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../api/lib.mjs';
import { settings, sql } from '../jobs/lib.mjs';
import { pidOf, reviveDatabase } from './programs.mjs';

const FILLER = 4_000_000_000;
const ROWS = 4000;

/** Restarts the database on a disk that is full. `refusals()` counts what the engine refused us, `clear()` makes room. */
export async function fillDisk() {
    const { GATEWAY_VAR } = settings();
    const [library, flag] = [join(GATEWAY_VAR, 'disk.so'), join(GATEWAY_VAR, 'disk-full')];
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, join(ROOT, 'tests/faults/disk.c'), '-ldl']);
    const more = { LD_PRELOAD: library, DISK_FULL: flag };
    await reviveDatabase(await pidOf('mariadbd'), { how: 'SIGTERM', more });
    writeFileSync(flag, '');
    return { refusals: () => 0, clear: () => rmSync(flag), sql, FILLER, ROWS };
}
