// How long tests wait for what must come; it costs something only where a test fails. `node patience.mjs` measures how much slower
// than usual this machine works, with all that runs on it, and prints it as SLOWNESS: tests/run sets it for its tests.

import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

const WORK = Buffer.alloc(1 << 20), ROUNDS = 200;
const USUAL_MS = 150;

function slowness() {
    const begun = performance.now();
    const hash = createHash('sha256');
    for (let i = 0; i < ROUNDS; i++) hash.update(WORK);
    return Math.max(1, (performance.now() - begun) / USUAL_MS).toFixed(1);
}

/** Of a time that is enough on the usual machine, what is enough on this one. */
export const enough = (ms) => ms * (Number(process.env.SLOWNESS) || 1);

/** What does not come within this time does not come. */
export const PATIENCE_MS = enough(150_000);

const WORTH_NOTING_MS = 500;

/** What a test has waited for goes to the file that WAITS names: milliseconds, what, and the test's file. */
export function noteWait(what, ms) {
    if (!process.env.WAITS || ms < WORTH_NOTING_MS) return;
    appendFileSync(process.env.WAITS, `${[ms, what, basename(process.argv[1])].join('\t')}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(slowness());
