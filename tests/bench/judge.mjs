// What it takes to read and judge what providers hand over before it is signed, beside a signature (judge.c).

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { record } from './figures.mjs';
import { median } from './report.mjs';

const ORDER_EXTRA = 30; // µs that an order may take beyond half a signature: it is read from text

/** Calls of aggregators beside secp256k1. */
export async function measureCalls(root, program) {
    const { judged, signed, pairs } = await judge(root, program, 'calls');
    record('fanout.judged', judged, 'µs');
    record('fanout.judged.toSignature', median(pairs.map(([a, b]) => a / b)), '');
    console.log(`Calls of aggregators: read and judged in ${judged.toFixed(1)} us each; a signature takes ${signed.toFixed(1)} us\n`);
}

/** Orders of Jupiter beside Ed25519. */
export async function measureOrderReading(root, program) {
    const { judged, signed, pairs } = await judge(root, program, 'orders');
    record('solana.judged', judged, 'µs');
    record('solana.judged.toAllowed', median(pairs.map(([a, b]) => a / (b / 2 + ORDER_EXTRA))), '');
    console.log(`Orders of Jupiter: read and judged in ${judged.toFixed(1)} us each; a signature takes ${signed.toFixed(1)} us\n`);
}

async function judge(root, program, what) {
    const { stdout } = await promisify(execFile)(program, [what], { cwd: root });
    const pairs = stdout.trim().split('\n').map((line) => line.split(' ').map((ns) => Number(ns) / 1000));
    const [judged, signed] = [0, 1].map((side) => median(pairs.map((pair) => pair[side])));
    return { judged, signed, pairs };
}
