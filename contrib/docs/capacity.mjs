// The models of the capacity page, filled from what `make bench` has measured: a budget of processor time for one machine and
// for several, and Gunther's universal scalability law for the number of workers. performance.mjs calls this.

const BUSY = 0.8; // of the cores; beyond that, answers wait for one another
const MICROS = 1e6;
const ENDPOINTS = {
    chains: 'GET /chains', me: 'GET /me', unknown: 'unknown key', malformed: 'malformed key', swaps: 'GET /swaps, 20 rows', quote: 'POST /quote, one exchange',
    market: 'POST /quote, all exchanges', 'execute.wallets': 'POST /swap/execute, 32 wallets', 'execute.wallet': 'POST /swap/execute, one wallet',
};
const BY_WORKERS = { me: 'GET /me', swaps: 'GET /swaps', market: 'POST /quote' };
const PARTS = ['web', 'service', 'database', 'node'];
const NAMES = { web: 'the web server', service: 'the gateway', database: 'the database', node: 'the chain\'s node' };

// ---------------------------------------------------------------- one machine

/** Of each endpoint that was measured: microseconds of each part for a request, and requests per second. */
function budgets({ figures }) {
    const value = (name) => figures[name]?.median;
    return Object.entries(ENDPOINTS).flatMap(([name, text]) => {
        const own = name.startsWith('execute.') ? (part) => value(`${name}.cpu.${part}`) : (part) => value(`${name}.cpu.${part}.gateway`);
        if (own('web') === undefined) return [];
        const micros = Object.fromEntries(PARTS.map((part) => [part, Math.max(0, own(part))]));
        return [{ text, micros, rate: value(`${name}.rate.gateway`) ?? value(`${name}.rate`), load: value(`${name}.cpu.load.gateway`) }];
    });
}

const sum = (micros, parts) => parts.reduce((total, part) => total + micros[part], 0);

function perMinute(cores, micros) {
    return micros === 0 ? '' : grouped(Number((60 * cores * MICROS * BUSY / micros).toPrecision(2)));
}

/** What a machine carries, with everything on it and with database and nodes elsewhere, and what it runs out of first. */
export function machineTable(results) {
    const { cores } = results.machine;
    return markdown(
        ['', 'µs of processor time', 'per minute, everything on the machine', 'per minute, database and nodes elsewhere', 'most of it is taken by'],
        budgets(results).map(({ text, micros }) => {
            const most = PARTS.reduce((a, b) => (micros[a] >= micros[b] ? a : b));
            return [
                text, sum(micros, PARTS).toFixed(0), perMinute(cores, sum(micros, PARTS)), perMinute(cores, sum(micros, ['web', 'service'])),
                `${NAMES[most]} (${(100 * micros[most] / sum(micros, PARTS)).toFixed(0)} %)`,
            ];
        }),
    );
}

/** The budget against the bench itself, where the load generator shares the cores and nothing is held back. */
export function budgetCheck(results) {
    const { cores } = results.machine;
    return markdown(
        ['', 'measured, requests/s', 'budget: all cores busy', 'measured to budget'],
        budgets(results).filter(({ load }) => load !== undefined).map(({ text, micros, rate, load }) => {
            const most = cores * MICROS / (sum(micros, PARTS) + load);
            return [text, grouped(rate), grouped(most), (rate / most).toFixed(2)];
        }),
    );
}

// ---------------------------------------------------------------- workers

/** Measured points [workers, requests per second] of an endpoint. */
function points({ figures }, name) {
    const pattern = new RegExp(`^capacity\\.${name}\\.rate\\.(\\d+)$`);
    return Object.entries(figures).filter(([figure]) => pattern.test(figure))
        .map(([figure, { median }]) => [Number(pattern.exec(figure)[1]), median]).sort(([a], [b]) => a - b);
}

/**
 * X(N) = a N / (1 + s (N - 1) + k N (N - 1)): a for one worker alone, s the share of work that only one can do at a time, k what
 * each pair of workers costs. N / X(N) is linear in 1/a, s/a and k/a, so that least squares find them; a negative one is not
 * in the data and taken as 0.
 */
export function fitScalability(measured) {
    const terms = [() => 1, (n) => n - 1, (n) => n * (n - 1)];
    let used = [0, 1, 2];
    for (;;) {
        const weights = leastSquares(measured.map(([n]) => used.map((i) => terms[i](n))), measured.map(([n, x]) => n / x));
        const negative = used.filter((i, at) => i > 0 && weights[at] < 0);
        if (negative.length === 0) {
            const [one, serial = 0, pairs = 0] = [0, 1, 2].map((i) => (used.includes(i) ? weights[used.indexOf(i)] : 0));
            return { alone: 1 / one, serial: serial / one, pairs: pairs / one };
        }
        used = used.filter((i) => !negative.includes(i));
    }
}

function predicted({ alone, serial, pairs }, n) {
    return alone * n / (1 + serial * (n - 1) + pairs * n * (n - 1));
}

/** Weights w that make rows * w come closest to the wanted values: the normal equations, by elimination. */
function leastSquares(rows, wanted) {
    const size = rows[0].length;
    const dot = (i, j) => rows.reduce((total, row) => total + row[i] * row[j], 0);
    const matrix = Array.from({ length: size }, (_, i) => [
        ...Array.from({ length: size }, (__, j) => dot(i, j)), rows.reduce((total, row, at) => total + row[i] * wanted[at], 0),
    ]);
    for (let i = 0; i < size; i++) {
        for (let j = 0; j < size; j++) {
            if (j === i) continue;
            const factor = matrix[j][i] / matrix[i][i];
            matrix[j] = matrix[j].map((cell, column) => cell - factor * matrix[i][column]);
        }
    }
    return matrix.map((row, i) => row[size] / row[i]);
}

export function workersTable(results) {
    const fits = Object.entries(BY_WORKERS).map(([name, text]) => ({ text, measured: points(results, name) }))
        .filter(({ measured }) => measured.length >= 3).map((row) => ({ ...row, fit: fitScalability(row.measured) }));
    if (fits.length === 0) return 'Not measured.';
    const header = ['workers', ...fits.flatMap(({ text }) => [`${text}: measured`, 'model'])];
    const rows = fits[0].measured.map(([n], i) => [
        String(n), ...fits.flatMap(({ measured, fit }) => [grouped(measured[i][1]), grouped(predicted(fit, n))]),
    ]);
    const best = ({ serial, pairs }) => (pairs > 0 ? `most at ${Math.max(1, Math.sqrt((1 - serial) / pairs)).toFixed(0)} workers` : 'no maximum in reach');
    const found = fits.map(({ text, fit, measured }) => {
        const off = Math.max(...measured.map(([n, x]) => Math.abs(predicted(fit, n) / x - 1)));
        return `* ${text}: one worker alone ${grouped(fit.alone)}/s, σ ${fit.serial.toFixed(3)}, κ ${fit.pairs.toFixed(5)}, ${best(fit)}; `
            + `the model is off by ${(100 * off).toFixed(0)} % at most.`;
    });
    return `${markdown(header, rows)}\n\n${found.join('\n')}`;
}

// ---------------------------------------------------------------- hosts and database nodes

const ON_HOSTS = { me: 'GET /me', swaps: 'GET /swaps', quote: 'POST /quote, one exchange', execute: 'POST /swap/execute' };
const PLACES = { one: 'one database', galera: 'a Galera node for each' };
const MEASURED_HOSTS = [1, 2, 3];

/** Of an endpoint at a place: the medians at each number of hosts, or undefined. */
function spread({ figures }, place, name) {
    const of = (what, n) => figures[`hosts.${place}.${name}.${what}.${n}`]?.median;
    if (MEASURED_HOSTS.some((n) => of('rate', n) === undefined)) return undefined;
    return MEASURED_HOSTS.map((n) => ({
        hosts: n, rate: of('rate', n), cores: of('cores', n), load: of('cpu.load', n),
        micros: Object.fromEntries(PARTS.map((part) => [part, Math.max(0, of(`cpu.${part}`, n))])),
    }));
}

/**
 * The database's microseconds for a request, summed over n nodes, are `origin` + `apply` (n - 1): what the node that is asked
 * takes, and what each of the others takes to apply the writes. The fit is by least squares, with an `apply` below 0 taken
 * as 0; one database applies nothing.
 */
function fitDatabase(place, points) {
    const mean = (values) => values.reduce((total, value) => total + value, 0) / values.length;
    const average = mean(points.map(({ micros }) => micros.database));
    if (place === 'one') return { origin: average, apply: 0 };
    const others = mean(points.map(({ hosts }) => hosts - 1));
    const slope = points.reduce((total, { hosts, micros }) => total + (hosts - 1 - others) * (micros.database - average), 0)
        / points.reduce((total, { hosts }) => total + (hosts - 1 - others) ** 2, 0);
    const apply = Math.max(0, slope);
    return { origin: average - apply * others, apply };
}

/** What a request takes of web server and gateway, at any number of hosts. */
const ofHost = (points) => points.reduce((total, { micros }) => total + sum(micros, ['web', 'service']), 0) / points.length;

const fits = (results) => Object.entries(PLACES).flatMap(([place, where]) => Object.entries(ON_HOSTS).map(([name, text]) => {
    const points = spread(results, place, name);
    return points && { place, where, name, text, points, host: ofHost(points), database: fitDatabase(place, points) };
})).filter(Boolean);

/** The model next to each measured point. */
export function hostsCheck(results) {
    const found = fits(results);
    if (found.length === 0) return 'Not measured.';
    const rows = found.flatMap(({ where, text, points, host, database: { origin, apply } }) => points.map(({ hosts, rate, cores, load, micros }) => {
        const nodes = origin + apply * (hosts - 1);
        const model = cores * MICROS / (host + nodes + micros.node + load);
        return [
            `${text}, ${where}`, String(hosts), sum(micros, ['web', 'service']).toFixed(0), host.toFixed(0), micros.database.toFixed(0), nodes.toFixed(0),
            cores.toFixed(2), grouped(rate), grouped(model), (rate / model).toFixed(2),
        ];
    }));
    return markdown(['', 'hosts', 'web server and gateway, µs', 'model', 'database, all nodes, µs', 'model', 'cores left to it', 'requests/s', 'model', 'measured to model'], rows);
}

const SITES = [[1, 1], [2, 1], [3, 1], [3, 3], [6, 3], [9, 9]];

/** Requests per minute with so many hosts and database nodes, each a machine like this one, and what is full then. */
export function hostsTable(results) {
    const found = fits(results);
    if (found.length === 0) return 'Not measured.';
    const machine = 60 * results.machine.cores * MICROS * BUSY;
    const cell = (name, hosts, nodes) => {
        const { host, database: { origin, apply } } = found.find((fit) => fit.name === name && fit.place === (nodes > 1 ? 'galera' : 'one'));
        const ofHosts = hosts * machine / host;
        const ofDatabase = nodes * machine / (origin + apply * (nodes - 1));
        return `${grouped(Number(Math.min(ofHosts, ofDatabase).toPrecision(2)))} (${ofHosts < ofDatabase ? 'hosts' : 'database'})`;
    };
    const site = ([hosts, nodes]) => `${hosts} host${hosts > 1 ? 's' : ''}, ${nodes} database node${nodes > 1 ? 's' : ''}`;
    const names = Object.keys(ON_HOSTS).filter((name) => Object.keys(PLACES).every((place) => found.some((fit) => fit.name === name && fit.place === place)));
    return markdown(['', ...names.map((name) => ON_HOSTS[name])], SITES.map((each) => [site(each), ...names.map((name) => cell(name, ...each))]));
}

// ---------------------------------------------------------------- text

export function grouped(n) {
    return n.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ' ');
}

export function markdown(header, rows) {
    const line = (cells) => `| ${cells.join(' | ')} |`;
    return [line(header), `|${header.map((_, i) => (i === 0 ? '---' : '--:')).join('|')}|`, ...rows.map(line)].join('\n');
}
