// check-locks.mjs LOCKFILE...: each installs with the npm and the Node.js of Debian 12: npm refuses one in which it misses a
// package, and leaves out, without a word, an optional package that asks for a newer Node.js. Prints what is wrong, then "N passed, N failed".
// Asks no registry.

import { execFileSync } from 'node:child_process';
import {
    copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const NODE = '18.20.4'; // of Debian 12
const NPM = 'tests/node_modules/npm';

/** What npm says against installing, or nothing. It is asked about a copy: this npm removes node_modules even on a dry run. */
function refusal(folder) {
    const copy = mkdtempSync(join(tmpdir(), 'lock-'));
    try {
        for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
            if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
        }
        execFileSync(process.execPath, [join(process.cwd(), NPM, 'bin/npm-cli.js'), 'ci', '--dry-run', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
            cwd: copy, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'],
        });
        return '';
    } catch ({ stdout, stderr }) {
        return `${stdout}${stderr}`.split('\n').filter((line) => /^npm ERR! (?!code|request|A complete|.*debug-0\.log)./.test(line)).slice(0, 3).join('\n') || `npm ci failed:\n${stdout}${stderr}`;
    } finally {
        rmSync(copy, { recursive: true });
    }
}

/** Optional packages that Debian's Node.js is too old for. */
function leftOut(lock) {
    const { satisfies } = createRequire(join(process.cwd(), NPM, 'package.json'))('semver');
    const { packages } = JSON.parse(readFileSync(lock, 'utf8'));
    return Object.entries(packages).filter(([, { optional, engines }]) => optional && engines?.node && !satisfies(NODE, engines.node))
        .map(([path, { engines }]) => `${path} asks for Node.js ${engines.node}`);
}

if (!existsSync(NPM)) {
    console.log(`${NPM} is not there; contrib/sandbox/deps.sh test installs it\n0 passed, 1 failed`);
    process.exit(1);
}
let [passed, failed] = [0, 0];
for (const lock of process.argv.slice(2)) {
    const faults = [refusal(dirname(lock)), ...leftOut(lock)].filter(Boolean);
    for (const fault of faults) console.log(`${lock}: ${fault}`);
    if (faults.length === 0) passed++;
    else failed++;
}
console.log(`${passed} passed, ${failed} failed`);
