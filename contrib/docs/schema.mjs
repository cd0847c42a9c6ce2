// schema.mjs [--check]: draws the tables of sql/ and the references between them as schema.svg, and fills the lists of tables in
// schema.md between <!-- tables --> and <!-- end of tables -->. Groups, their texts and those of tables are the comments of
// 001_schema.sql; a column refers to the table that its comment begins with, as in 'agents.id'. With --check it names the files
// that are out of date, and changes none.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DOCS = dirname(fileURLToPath(import.meta.url));
const SQL = join(DOCS, '../../sql');
const COLUMNS = 4;
const MARGIN = 20;
const PANEL = { width: 284, head: 34, gap: 22 };
const ROW = 19;
/** Nearly each table refers to these: told by letters instead of lines. */
const OFTEN = { agents: 'A', wallets: 'W', executions: 'E' };

// ---------------------------------------------------------------- the schema

const textOf = (lines) => lines.map((line) => line.slice(2).trim()).join(' ');

function readTable(name, about, body) {
    const columns = [...body.matchAll(/^ {4}([a-z_]+) +[A-Z][^']*?(?:DEFAULT '[^']*')?[^']*? COMMENT '((?:[^']|'')*)'/gm)].map(([, column, comment]) => ({ column, comment: comment.replaceAll("''", "'") }));
    const [, primary] = /^ {4}PRIMARY KEY \(([^)]*)\)/m.exec(body);
    const refers = columns.map(({ comment }) => /^([a-z_]+)\.[a-z_]+\b/.exec(comment)?.[1]);
    return {
        name, about, columns, primary, refers: [...new Set(refers)].filter((other) => other !== undefined && other !== name),
    };
}

/** Groups of tables, in the order of the files. */
function readSchema() {
    const groups = [];
    const text = readdirSync(SQL).filter((name) => /^\d/.test(name)).sort().map((name) => readFileSync(join(SQL, name), 'utf8')).join('\n\n');
    for (const block of text.split(/\n\n+/)) {
        const lines = block.split('\n'), comments = lines.filter((line) => line.startsWith('--'));
        const group = /^-- -+ (.+)/.exec(lines[0])?.[1];
        const made = /^CREATE TABLE IF NOT EXISTS ([a-z_]+) \(\n([^]*)^\)/m.exec(block);
        if (group !== undefined) groups.push({ name: group, about: textOf(comments.slice(1)), tables: [] });
        else if (made !== null) groups.at(-1).tables.push(readTable(made[1], textOf(comments), made[2]));
    }
    const known = new Set(groups.flatMap(({ tables }) => tables.map(({ name }) => name)));
    for (const { tables } of groups) for (const table of tables) table.refers = table.refers.filter((name) => known.has(name));
    return groups;
}

// ---------------------------------------------------------------- the picture

const heightOf = ({ tables }) => PANEL.head + tables.length * ROW + 8;

/** Panels in columns, each below the shortest so far. */
function arrange(groups) {
    const ends = Array(COLUMNS).fill(MARGIN + 26);
    for (const group of groups) {
        const column = ends.indexOf(Math.min(...ends));
        group.x = MARGIN + column * (PANEL.width + PANEL.gap * 2);
        group.y = ends[column];
        ends[column] += heightOf(group) + PANEL.gap;
        group.tables.forEach((table, i) => Object.assign(table, { x: group.x, y: group.y + PANEL.head + i * ROW + ROW / 2 }));
    }
    return Math.max(...ends);
}

/** From the table's left or right side to the other's, whichever is nearer. */
function drawLine(from, to) {
    const side = (table, right) => table.x + (right ? PANEL.width - 8 : 8);
    if (from.x === to.x) {
        const x = side(from, false), bend = 10 + Math.abs(from.y - to.y) / 12;
        return `<path d="M${x} ${from.y}C${x - bend} ${from.y} ${x - bend} ${to.y} ${x} ${to.y}" marker-end="url(#tip)"/>`;
    }
    const right = from.x < to.x, x = side(from, right), end = side(to, !right), middle = (x + end) / 2;
    return `<path d="M${x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${end} ${to.y}" marker-end="url(#tip)"/>`;
}

function drawTable({ name, x, y, refers }) {
    const often = Object.keys(OFTEN).filter((other) => refers.includes(other)).map((other) => OFTEN[other]).join(' ');
    return `<text class="table" x="${x + 16}" y="${y + 4}">${name}</text><text class="often" x="${x + PANEL.width - 16}" y="${y + 4}">${often}</text>`;
}

const drawPanel = (group) => `<rect x="${group.x}" y="${group.y}" width="${PANEL.width}" height="${heightOf(group)}" rx="7"/>`
    + `<text class="group" x="${group.x + 16}" y="${group.y + 22}">${group.name}</text>`;

function draw(groups) {
    const height = arrange(groups) + MARGIN - PANEL.gap, width = 2 * MARGIN + COLUMNS * PANEL.width + (COLUMNS - 1) * PANEL.gap * 2;
    const tables = groups.flatMap((group) => group.tables), byName = new Map(tables.map((table) => [table.name, table]));
    const lines = tables.flatMap((table) => table.refers.filter((name) => !(name in OFTEN)).map((name) => drawLine(table, byName.get(name))));
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="Helvetica, Arial, sans-serif">
<style>rect{fill:#fff;stroke:#35506b}path{fill:none;stroke:#8fa6bb;stroke-width:1.1;opacity:.75}text{fill:#1d2b38}.group{font-size:15px;font-weight:bold}.table{font-size:12px}.often{font-size:11px;fill:#53697b;text-anchor:end}</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><polygon points="0,0 8,4 0,8" fill="#8fa6bb"/></marker></defs>
<rect width="${width}" height="${height}" style="fill:#f6f9fb;stroke:none"/>
<text class="table" x="${MARGIN}" y="${MARGIN + 8}">An arrow: refers to. ${Object.entries(OFTEN).map(([name, letter]) => `${letter}: refers to ${name}`).join('. ')}.</text>
${groups.map(drawPanel).join('\n')}
${lines.join('\n')}
${tables.map(drawTable).join('\n')}
</svg>
`;
}

// ---------------------------------------------------------------- the lists

const list = (groups) => groups.map(({ name, about, tables }) => `## ${name}

${about}

| Table | A row | Primary key |
|---|---|---|
${tables.map((table) => `| \`${table.name}\` | ${table.about.replaceAll('|', '\\|')} | \`${table.primary}\` |`).join('\n')}
`).join('\n');

const filled = (page, text) => page.replace(/(<!-- tables -->\n)[^]*(\n<!-- end of tables -->)/, (_, begin, end) => `${begin}\n${text}${end}`);

const groups = readSchema();
const page = readFileSync(join(DOCS, 'schema.md'), 'utf8');
for (const [name, text] of [['schema.svg', draw(groups)], ['schema.md', filled(page, list(groups))]]) {
    const file = join(DOCS, name);
    if (process.argv[2] !== '--check') writeFileSync(file, text);
    else if (readFileSync(file, 'utf8') !== text) console.log(`contrib/docs/${name} is out of date: node contrib/docs/schema.mjs`);
}
