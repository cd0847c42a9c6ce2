// How requests per second grow with workers: the gateway alone, started anew with each number of them in both pools. The
// capacity page fits its model to these points.

import { record } from './figures.mjs';
import { ENDPOINTS, measureOnce } from './requests.mjs';
import { median, table } from './report.mjs';

const WORKERS = [1, 2, 4, 8, 16, 32];
const NAMES = ['me', 'swaps', 'market'];
const ROUNDS = 3;

export async function measureCapacity(stack, gateway, keys, { connections, seconds }) {
    const lines = [];
    for (const workers of WORKERS) {
        await stack.reconfigure(`workers = ${workers}\nfast_workers = ${workers}\n`);
        const cells = [String(workers)];
        for (const name of NAMES) {
            await measureOnce(stack, gateway, ENDPOINTS[name], keys, connections, 1);
            const results = [];
            for (let round = 0; round < ROUNDS; round++) results.push(await measureOnce(stack, gateway, ENDPOINTS[name], keys, connections, seconds));
            const rates = results.map(({ rate, bad, requests }) => rate * (1 - bad / requests));
            const cpu = results.map((result) => result.cpu);
            record(`capacity.${name}.rate.${workers}`, rates, '/s');
            record(`capacity.${name}.cpu.${workers}`, cpu, 'µs');
            cells.push(median(rates).toFixed(0), median(cpu).toFixed(0));
        }
        lines.push(cells);
    }
    await stack.reconfigure('');
    const head = ['workers', ...NAMES.flatMap((name) => [`${name} req/s`, 'CPU µs'])];
    console.log(`${table('By the number of workers in each pool', [head, ...lines])}\n`);
}
