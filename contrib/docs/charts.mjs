// The charts of the documents: bars by endpoint and side, as SVG whose colours are those of the reader's page, light or dark.
// performance.mjs calls this with what `make bench` and `make test-faults` have written.

const WIDTH = 760;
const MARGIN = 20;
const NAMES = 150; // the column of names on the left
const LABELS = 150; // the room for the numbers on the right
const BAR = { height: 16, gap: 4 };
const GROUP_GAP = 18;
const FONT = 'system-ui, -apple-system, \'Segoe UI\', Roboto, sans-serif';

const THEMES = {
    light: {
        text: '#1f2328', faint: '#59636e', line: '#d1d9e0', gateway: '#0b6bcb', ideal: '#8c959f', peer: '#c77b1e',
        web: '#7cb7ef', service: '#0b6bcb', database: '#7a5fd0', node: '#bcc4cc', good: '#2f8f4e', bad: '#c93c37',
    },
    dark: {
        text: '#e6edf3', faint: '#9198a1', line: '#3d444d', gateway: '#58a6ff', ideal: '#7d8590', peer: '#e0a458',
        web: '#9ecbff', service: '#388bfd', database: '#a48bf0', node: '#565f69', good: '#57ab5a', bad: '#e5534b',
    },
};

const SIDES = { gateway: 'gateway', ideal: 'ideal', peer: 'Node.js service' };
const PARTS = { web: 'web server', service: 'service', database: 'database', node: 'chain\'s node' };
const ENDPOINTS = {
    chains: 'GET /chains', me: 'GET /me', unknown: 'unknown key', malformed: 'malformed key', swaps: 'GET /swaps', quote: 'POST /quote',
};

/** Map from file name to SVG. `faults`: the rows of the fault matrix that were run. */
export function drawCharts({ figures }, faults = []) {
    const value = (name) => figures[name]?.median;
    const charts = [throughput(value), latency(value), cpu(value), memory(value), ...faults.length > 0 ? [matrix(faults)] : []];
    return new Map(charts.map((chart) => [`${chart.name}.svg`, draw(chart)]));
}

// ---------------------------------------------------------------- what is shown

/** Groups of one bar for each side, of the endpoints that were measured. */
function bySide(value, figure, text, endpoints = Object.keys(ENDPOINTS)) {
    return endpoints.filter((name) => value(`${name}.${figure}.gateway`) !== undefined).map((name) => ({
        name: ENDPOINTS[name],
        bars: Object.keys(SIDES).map((side) => {
            const n = value(`${name}.${figure}.${side}`);
            return { name: SIDES[side], parts: [{ value: n, kind: side }], text: text(n) };
        }),
    }));
}

function throughput(value) {
    return {
        name: 'throughput',
        title: 'Requests per second',
        note: '32 connections, 2 cores, load generator included. Each endpoint has a scale of its own.',
        groups: bySide(value, 'rate', (n) => grouped(n)),
    };
}

function latency(value) {
    return {
        name: 'latency',
        title: 'Milliseconds in which 99 of 100 requests were answered',
        note: 'Shorter is better. 32 connections that ask again as soon as they are answered.',
        groups: bySide(value, 'p99', (n) => `${n.toFixed(1)} ms`),
    };
}

function cpu(value) {
    const groups = ['me', 'swaps', 'quote'].filter((name) => value(`${name}.rate.gateway`) !== undefined).map((name) => ({
        name: ENDPOINTS[name],
        bars: Object.keys(SIDES).map((side) => {
            const parts = Object.keys(PARTS).map((part) => ({ value: Math.max(0, value(`${name}.cpu.${part}.${side}`)), kind: part }));
            return { name: SIDES[side], parts, text: `${parts.reduce((sum, part) => sum + part.value, 0).toFixed(0)} µs` };
        }),
    }));
    return {
        name: 'cpu', title: 'Processor time of one request', note: 'Microseconds of everything that works for it.', groups, legend: PARTS,
    };
}

function memory(value) {
    const groups = Object.entries({ idle: 'idle', loaded: 'after the load' }).map(([when, name]) => ({
        name,
        bars: Object.keys(SIDES).map((side) => {
            const mb = value(`memory.${when}.${side}`);
            return { name: SIDES[side], parts: [{ value: mb, kind: side }], text: mb === undefined ? '' : `${mb.toFixed(mb < 10 ? 1 : 0)} MB` };
        }),
    })).filter(({ bars }) => bars.every(({ parts: [{ value: mb }] }) => mb !== undefined));
    return { name: 'memory', title: 'Memory of all processes', note: 'Proportional set size, the web server included where there is one.', groups };
}

const OUTCOMES = { good: 'as it had to be', bad: 'not' };

/** What was done under faults, and how much of it came out wrong. */
function matrix(rows) {
    const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
    const bars = [
        ['accepted', sum('accepted'), sum('lost'), 'lost'],
        ['transactions', sum('transactions'), sum('duplicates'), 'duplicates'],
        ['events due', sum('due'), sum('due') - sum('delivered'), 'undelivered'],
        ['rows', rows.length, rows.filter(({ faults: found }) => found > 0).length, 'failed'],
    ].map(([name, all, wrong, word]) => ({
        name,
        parts: [{ value: all - wrong, kind: 'good' }, { value: wrong, kind: 'bad' }],
        text: `${grouped(all)}, ${grouped(wrong)} ${word}`,
    }));
    return {
        name: 'faults', title: `Through ${grouped(rows.length)} rows of the fault matrix`, note: 'What was done meanwhile, and what of it came out wrong.',
        groups: bars.map((bar) => ({ name: bar.name, bars: [{ ...bar, name: '' }] })), legend: OUTCOMES,
    };
}

function grouped(n) {
    return n.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ' ');
}

// ---------------------------------------------------------------- how it is drawn

function draw({ title, note, groups, legend }) {
    const shapes = [
        text(MARGIN, MARGIN + 14, title, { size: 17, kind: 'text', weight: 600 }),
        text(MARGIN, MARGIN + 36, note, { size: 12.5, kind: 'faint' }),
    ];
    let y = MARGIN + 58;
    if (legend) {
        shapes.push(...drawLegend(legend, y));
        y += 28;
    }
    for (const group of groups) {
        shapes.push(...drawGroup(group, y));
        y += 22 + group.bars.length * (BAR.height + BAR.gap) + GROUP_GAP;
    }
    const height = y - GROUP_GAP + MARGIN;
    const described = `${title}. ${groups.map(({ name, bars }) => `${name}: ${bars.map((bar) => `${bar.name} ${bar.text}`.trim()).join(', ')}`).join('. ')}.`;
    return [
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="${FONT}">`,
        `<title>${escaped(described)}</title>`,
        `<style>${colours(THEMES.light)}@media (prefers-color-scheme: dark){${colours(THEMES.dark)}}</style>`,
        ...shapes,
        '</svg>',
        '',
    ].join('\n');
}

/** Each kind of shape is a class. */
function colours({ line, ...fills }) {
    return Object.entries(fills).map(([kind, colour]) => `.${kind}{fill:${colour}}`).join('') + `.line{stroke:${line}}`;
}

function drawLegend(legend, y) {
    let x = MARGIN;
    return Object.entries(legend).flatMap(([kind, name]) => {
        const at = x;
        x += 34 + name.length * 7;
        return [rect(at, y - 10, 11, 11, kind), text(at + 17, y, name, { size: 12.5, kind: 'faint' })];
    });
}

/** The longest bar of a group is as long as there is room. */
function drawGroup({ name, bars }, y) {
    const sum = (parts) => parts.reduce((total, part) => total + part.value, 0);
    const most = Math.max(...bars.map(({ parts }) => sum(parts)));
    const room = WIDTH - 2 * MARGIN - NAMES - LABELS;
    const shapes = [
        text(MARGIN, y + 8, name, { size: 13, kind: 'text', weight: 600 }),
        `<line x1="${MARGIN + NAMES}" y1="${y + 4}" x2="${WIDTH - MARGIN}" y2="${y + 4}" class="line"/>`,
    ];
    bars.forEach((bar, i) => {
        const top = y + 20 + i * (BAR.height + BAR.gap);
        let x = MARGIN + NAMES;
        for (const part of bar.parts) {
            const width = room * part.value / most;
            if (width < 0.5) continue;
            shapes.push(rect(x, top, width, BAR.height, part.kind));
            x += width;
        }
        shapes.push(text(MARGIN, top + 12.5, bar.name, { size: 12.5, kind: 'faint' }));
        shapes.push(text(x + 8, top + 12.5, bar.text, { size: 12.5, kind: 'text' }));
    });
    return shapes;
}

function rect(x, y, width, height, kind) {
    return `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height}" rx="2" class="${kind}"/>`;
}

function text(x, y, content, { size, kind, weight = 400 }) {
    return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${size}" font-weight="${weight}" class="${kind}">${escaped(content)}</text>`;
}

function escaped(content) {
    return content.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
}
