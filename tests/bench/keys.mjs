// Whether the time of a refusal tells anything about a key: unknown keys whose hash begins like a real key's against unknown
// keys whose hash does not, in turn, over one connection. For a stack that is up (GATEWAY_URL); prints medians and how many
// standard errors the two kinds are apart. Beyond 4 something is wrong, on any machine.
//   ROUNDS=4000 node tests/bench/keys.mjs

import { createHash, randomBytes } from 'node:crypto';
import { API, register, send } from '../api/lib.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 4000);
const KINDS = 16;
const AGREEING_BYTES = 2;

const hashOf = (key) => createHash('sha256').update(key).digest().subarray(0, AGREEING_BYTES);
const randomKey = () => `svc_sk_${randomBytes(32).toString('base64url')}`;

function find(fits) {
    for (;;) {
        const key = randomKey();
        if (fits(hashOf(key))) return key;
    }
}

async function micros(key) {
    const begun = process.hrtime.bigint();
    await send('GET', `${API}/me`, { key });
    return Number(process.hrtime.bigint() - begun) / 1000;
}

/** How many standard errors the sums of ranks are apart. */
function apart(a, b) {
    const ranked = [...a.map((value) => [value, 0]), ...b.map((value) => [value, 1])].sort(([x], [y]) => x - y);
    const sum = ranked.reduce((total, [, kind], i) => total + (kind === 0 ? i + 1 : 0), 0);
    const n = a.length;
    return (sum - (n * (2 * n + 1)) / 2) / Math.sqrt((n * n * (2 * n + 1)) / 12);
}

const median = (list) => [...list].sort((x, y) => x - y)[list.length >> 1];
const { key } = await register({ name: 'bench of keys' });
const real = hashOf(key);
const near = Array.from({ length: KINDS }, () => find((hash) => hash.equals(real)));
const far = Array.from({ length: KINDS }, () => find((hash) => hash[0] !== real[0]));
const times = { near: [], far: [] };
for (let i = 0; i < ROUNDS; i++) {
    const order = randomBytes(1)[0] & 1 ? ['near', 'far'] : ['far', 'near'];
    for (const kind of order) times[kind].push(await micros((kind === 'near' ? near : far)[i % KINDS]));
}
console.log(`near ${median(times.near).toFixed(1)} us, far ${median(times.far).toFixed(1)} us, ${apart(times.near, times.far).toFixed(2)} standard errors apart`);
process.exit(0);
