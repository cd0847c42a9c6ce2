// Signatures by the signer, with audit, ledger and limits on, beside bare ones of the same library in the same process, in
// turn. No stack is needed: the signer gets keys and settings of its own.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { record } from './figures.mjs';
import { median } from './report.mjs';

const run = promisify(execFile);
const SIGNATURES = 8000;

export async function measureSigner(bin, peek) {
    const directory = mkdtempSync(join(tmpdir(), 'signer-bench.'));
    const conf = join(directory, 'gateway.conf');
    const plenty = `ETH ${10n ** 30n}`;
    writeFileSync(conf, [
        `key_dir = ${directory}/keys`, `service_key_file = ${directory}/service.key`, `signer_dir = ${directory}/signer`,
        `signer_uid = ${process.getuid() === 0 ? 61412 : 0}`, `signer_tx_max.ethereum = ${plenty}`, `signer_day_max.ethereum = ${plenty}`, '',
    ].join('\n'));
    try {
        await run(`${bin}/jobs/keyctl`, ['-c', conf, 'create']);
        const { stdout } = await run(peek, ['bench', `${bin}/fcgi/signer`, conf, `${directory}/socket`, SIGNATURES], { maxBuffer: 1 << 24 });
        const { stdout: verified } = await run(`${bin}/jobs/keyctl`, ['-c', conf, 'audit-verify']);
        report(stdout.trim().split('\n'), Number(/: (\d+) lines/.exec(verified)[1]));
    } finally {
        rmSync(directory, { recursive: true });
    }
}

function report(lines, recorded) {
    const rate = Number(lines.pop().split(' ')[1]);
    const pairs = lines.map((line) => line.split(' ').map((ns) => Number(ns) / 1000));
    const [asked, bare] = [0, 1].map((side) => median(pairs.map((pair) => pair[side])));
    const ratio = median(pairs.map(([a, b]) => a / b));
    const p99 = pairs.map(([a]) => a).sort((a, b) => a - b)[Math.floor(pairs.length * 0.99)];
    record('signer.added', asked, 'µs');
    record('signer.rate', rate, '/s');
    console.log('Signer, with audit, ledger and limits');
    console.log(`  a signature, asked and answered  ${asked.toFixed(0)} us at the median, ${p99.toFixed(0)} us for 99 of 100`);
    console.log(`  a bare one in the same process   ${bare.toFixed(0)} us; ratio ${ratio.toFixed(2)}`);
    console.log(`  8 clients at once                ${rate} signatures/s; ${recorded} lines in the audit file\n`);
}
