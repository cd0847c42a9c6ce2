// house.mjs [--check FILE]: draws the folders of lib/, fcgi/ and jobs/ from the #includes in them, as SVG on standard output.
// A folder stands above everything that it includes; an arrow is left out where a longer way through the house implies it.
// Folders are those that have a line in tests/layers.txt, subfolders included, and are described by the comment above it.
// With --check it compares with FILE instead, and fails if the file is out of date.

import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const WIDTH = 1180;
const MARGIN = 24;
const FLOOR = 104; // from one to the next
const BOX = { width: 158, height: 50 };
const WIRE = 26; // the room that a passing arrow takes on a floor

// ---------------------------------------------------------------- the graph

/** Map from folder to its description. */
function readLayers() {
    const about = new Map();
    let comment = '';
    for (const line of readFileSync(join(ROOT, 'tests/layers.txt'), 'utf8').split('\n')) {
        const name = /^([a-z/]+)\s*->/.exec(line)?.[1];
        if (name !== undefined) about.set(name, comment);
        comment = /^# (.*)/.exec(line)?.[1] ?? '';
    }
    return about;
}

/** The folder that a path below lib/ (or fcgi/, jobs/) belongs to: the deepest that has a line. */
function folderOf(names, path) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
        if (names.has(path.slice(0, at))) return path.slice(0, at);
    return undefined;
}

/** Paths of the C files below a folder, as #includes would name them. */
function sources(folder, below = '') {
    return readdirSync(join(ROOT, folder, below), { withFileTypes: true }).flatMap((entry) => {
        const path = join(below, entry.name);
        if (entry.isDirectory()) return sources(folder, path);
        return /\.[ch]$/.test(entry.name) && !entry.name.startsWith('test_') ? [path] : [];
    });
}

/** All folders, each with the set of those that it includes. */
function readHouse() {
    const about = readLayers();
    const house = new Map([...about].map(([name, text]) => [name, { name, about: text, to: new Set() }]));
    const files = [...sources('lib').map((path) => [path, join('lib', path)]),
        ...['fcgi', 'jobs'].flatMap((top) => sources(top).map((path) => [join(top, path), join(top, path)]))];

    for (const [path, file] of files) {
        const from = house.get(folderOf(about, path));
        for (const [, to] of readFileSync(join(ROOT, file), 'utf8').matchAll(/^\s*#\s*include\s+"([^"]+\/[^"]+)"/gm)) {
            const other = house.get(folderOf(about, to));
            // What a folder includes of its own subfolders is its own affair.
            if (other !== undefined && other !== from && !other.name.startsWith(`${from.name}/`)) from.to.add(other);
        }
    }
    return [...house.values()];
}

/** Floor 0 includes nothing; everything else stands one above the highest that it includes. */
function climb(room, path = []) {
    if (path.includes(room)) throw new Error(`circle: ${[...path, room].map((r) => r.name).join(' -> ')}`);
    room.floor ??= Math.max(-1, ...[...room.to].map((to) => climb(to, [...path, room]))) + 1;
    return room.floor;
}

function reaches(from, to) {
    return [...from.to].some((next) => next === to || reaches(next, to));
}

/** Only the arrows that no longer way implies. */
function arrowsOf(house) {
    return house.flatMap((from) => [...from.to]
        .filter((to) => ![...from.to].some((via) => via !== to && reaches(via, to)))
        .map((to) => ({ from, to })));
}

// ---------------------------------------------------------------- the picture

/** Floors of rooms and of wires: an arrow that passes floors takes a place on each of them. */
function furnish(house, arrows) {
    const floors = [];
    const put = (item) => (floors[item.floor] ??= []).push(item);
    house.forEach((room) => put(Object.assign(room, { width: BOX.width, ties: [] })));
    for (const arrow of arrows) {
        arrow.stops = [arrow.from];
        for (let floor = arrow.from.floor - 1; floor > arrow.to.floor; floor--) {
            const wire = { floor, width: WIRE, ties: [] };
            put(wire);
            arrow.stops.push(wire);
        }
        arrow.stops.push(arrow.to);
        for (let i = 1; i < arrow.stops.length; i++) {
            arrow.stops[i - 1].ties.push(arrow.stops[i]);
            arrow.stops[i].ties.push(arrow.stops[i - 1]);
        }
    }
    return floors;
}

/** Side by side in their order, as near to where each wants to be as the others let it: half way between a row that is
 * filled from the left and one that is filled from the right, which both keep the gaps. */
function spread(row, wish) {
    const used = row.reduce((sum, item) => sum + item.width, 0);
    const gap = Math.max(10, Math.min(36, (WIDTH - 2 * MARGIN - used) / (row.length + 1)));
    const fromRight = new Map();
    let x = MARGIN;
    let limit = WIDTH - MARGIN;
    for (const item of [...row].reverse()) {
        fromRight.set(item, Math.min(wish(item) - item.width / 2, limit - item.width));
        limit = fromRight.get(item) - gap;
    }
    for (const item of row) {
        item.x = Math.max(x, wish(item) - item.width / 2);
        x = item.x + item.width + gap;
    }
    for (const item of row) item.x = (item.x + fromRight.get(item)) / 2;
    const over = Math.max(0, row.at(-1).x + row.at(-1).width - (WIDTH - MARGIN));
    const under = Math.max(0, MARGIN - row[0].x);
    for (const item of row) item.x += under - over;
}

const middle = (item) => item.x + item.width / 2;

function arrange(floors) {
    floors.forEach((row) => spread(row, () => WIDTH / 2));
    for (let round = 0; round < 24; round++) {
        for (const row of round % 2 === 0 ? floors : [...floors].reverse()) {
            const wishes = new Map(row.map((item) =>
                [item, item.ties.reduce((sum, tie) => sum + middle(tie), 0) / (item.ties.length || 1) || WIDTH / 2]));
            row.sort((a, b) => wishes.get(a) - wishes.get(b));
            spread(row, (item) => wishes.get(item));
        }
    }
    floors.forEach((row, floor) => row.forEach((item) => {
        item.y = MARGIN + (floors.length - 1 - floor) * FLOOR;
    }));
}

const n = (x) => Math.round(x);

function drawArrow({ stops }) {
    const points = stops.flatMap((stop, i) => [
        ...(i > 0 ? [[middle(stop), stop.y + (i < stops.length - 1 ? 0 : -3)]] : []),
        ...(i < stops.length - 1 ? [[middle(stop), stop.y + BOX.height]] : [])]);
    let path = '';
    points.forEach(([x, y], i) => {
        const [px, py] = points[i - 1] ?? [];
        if (i === 0) path = `M${n(x)} ${n(y)}`;
        else if (i % 2 === 0) path += `V${n(y)}`;
        else path += `C${n(px)} ${n((py + y) / 2)} ${n(x)} ${n((py + y) / 2)} ${n(x)} ${n(y)}`;
    });
    return `<path d="${path}" marker-end="url(#tip)"/>`;
}

/** At most two lines of words. */
function wrap(text, length) {
    const lines = [''];
    for (const word of text.split(' ')) {
        const last = lines.length - 1;
        if (lines[last] === '' || lines[last].length + word.length < length) lines[last] = `${lines[last]} ${word}`.trim();
        else lines.push(word);
    }
    return lines.slice(0, 2);
}

function drawRoom(room) {
    const lines = wrap(room.about, 30);
    const top = room.y + (lines.length > 1 ? 16 : 21);
    return `<rect x="${n(room.x)}" y="${n(room.y)}" width="${room.width}" height="${BOX.height}" rx="7"/>`
        + `<text class="name" x="${n(middle(room))}" y="${n(top)}">${room.name}</text>`
        + lines.map((line, i) => `<text class="about" x="${n(middle(room))}" y="${n(top + 14 + i * 12)}">${line}</text>`).join('');
}

function draw() {
    const house = readHouse();
    house.forEach((room) => climb(room));
    const arrows = arrowsOf(house);
    const floors = furnish(house, arrows);
    arrange(floors);
    const height = 2 * MARGIN + (floors.length - 1) * FLOOR + BOX.height;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="Helvetica, Arial, sans-serif">
<style>rect{fill:#fff;stroke:#35506b}path{fill:none;stroke:#a9bccd;stroke-width:1.3}text{text-anchor:middle;fill:#1d2b38}.name{font-size:14px;font-weight:bold}.about{font-size:10px;fill:#53697b}</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><polygon points="0,0 8,4 0,8" fill="#8fa6bb"/></marker></defs>
<rect width="${WIDTH}" height="${height}" style="fill:#f6f9fb;stroke:none"/>
${arrows.map(drawArrow).join('\n')}
${house.map(drawRoom).join('\n')}
</svg>
`;
}

if (process.argv[2] !== '--check') {
    process.stdout.write(draw());
} else if (readFileSync(process.argv[3], 'utf8') !== draw()) {
    console.log(`${process.argv[3]} is out of date: node contrib/docs/house.mjs >contrib/docs/house.svg`);
    process.exit(1);
}
