// Medians and tables.

export function median(values) {
    const sorted = [...values].sort((a, b) => a - b);
    const middle = sorted.length >> 1;
    return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Lines of cells as text: the first column flush left, the others flush right. */
function table(title, lines) {
    const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
    const shown = lines.map((line) => line.map((cell, column) =>
        (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  '));
    return [title, ...shown.map((line) => `  ${line}`)].join('\n');
}

/**
 * `results` is { endpoint name: { aim, rounds: [[gateway, ideal], ...] } } with measurements of load.mjs,
 * `names` the two sides.
 */
export function reportRequests(names, results) {
    const rows = Object.entries(results).map(([endpoint, { aim, rounds }]) => {
        const both = (field) => [0, 1].map((side) => median(rounds.map((round) => round[side][field])));
        const total = (field) => [0, 1].map((side) => rounds.reduce((sum, round) => sum + round[side][field], 0));
        const ratios = rounds.map(([a, b]) => a.rate / b.rate);
        const own = (side) => side.webCpu + side.responderCpu;
        const cpuRatio = median(rounds.map(([a, b]) => own(a) / own(b)));
        return { endpoint, aim, both, total, ratios, cpuRatio };
    });
    const pair = (values, digits) => values.map((value) => value.toFixed(digits));
    const twice = (what) => names.map((name) => `${what} ${name}`);

    return [
        table('Requests per second, and milliseconds in which 99 of 100 were answered', [
            ['', ...names, 'ratio', 'of rounds', 'aim', ...twice('p99'), ...twice('bad')],
            ...rows.map(({ endpoint, aim, both, total, ratios }) => [
                endpoint, ...pair(both('rate'), 0), median(ratios).toFixed(2),
                `${Math.min(...ratios).toFixed(2)}..${Math.max(...ratios).toFixed(2)}`, aim.toFixed(2),
                ...pair(both('p99Ms'), 1), ...pair(total('bad'), 0),
            ]),
        ]),
        table('CPU microseconds per request; the ratio is that of web server and responders together', [
            ['', ...twice('web'), ...twice('responders'), 'ratio', ...twice('mariadbd'), ...twice('node')],
            ...rows.map(({ endpoint, both, cpuRatio }) => [
                endpoint, ...pair(both('webCpu'), 0), ...pair(both('responderCpu'), 0), cpuRatio.toFixed(2),
                ...pair(both('dbCpu'), 0), ...pair(both('nodeCpu'), 0),
            ]),
        ]),
        table('Database work per request', [
            ['', ...twice('queries'), ...twice('prepares'), ...twice('rows read'), ...twice('connections')],
            ...rows.map(({ endpoint, both }) => [
                endpoint, ...pair(both('queries'), 2), ...pair(both('prepares'), 3), ...pair(both('rows'), 1),
                ...pair(both('connections'), 4),
            ]),
        ]),
    ].join('\n\n');
}

/** `sides` is [[name, [{ pss, private } of each worker]], ...] in kilobytes. */
export function reportMemory(sides) {
    const megabytes = (kilobytes) => (kilobytes / 1024).toFixed(2);
    return table('Memory of a worker after the load, in MB (aim: 1.5 PSS)', [
        ['', 'processes', 'PSS', 'largest', 'private', 'largest', 'PSS of all'],
        ...sides.map(([name, workers]) => {
            const pss = workers.map((worker) => worker.pss);
            const own = workers.map((worker) => worker.private);
            return [
                name, String(workers.length), megabytes(median(pss)), megabytes(Math.max(...pss)),
                megabytes(median(own)), megabytes(Math.max(...own)), megabytes(pss.reduce((a, b) => a + b)),
            ];
        }),
    ]);
}
