// manual.mjs [--check] [FOLDER]: writes what programs say with --help into their pages of the manual: into a page the lines
// between `.\" usage of PROGRAM` or `.\" options of PROGRAM` and `.\" end`. FOLDER has the programs (build/test). --check
// changes nothing, and names the pages that are out of date.

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { escaped, wrapped } from './roff.mjs';

const PAGES = fileURLToPath(new URL('man/', import.meta.url));
const [CHECK, FOLDER = fileURLToPath(new URL('../../build/test', import.meta.url))] = process.argv[2] === '--check'
    ? [true, process.argv[3]] : [false, process.argv[2]];

/** Names to be replaced are in capitals. */
const marked = (words) => words.split(/([A-Z]{2,})/).filter(Boolean)
    .map((part) => (/^[A-Z]{2,}$/.test(part) ? `\\fI${part}\\fR` : `\\fB${escaped(part)}\\fR`)).join('');

/** { usage: lines, options: [[term, text]], rest: words below them } */
function help(program) {
    const lines = execFileSync(join(FOLDER, program), ['--help'], { encoding: 'utf8' }).trimEnd().split('\n');
    const usage = lines.filter((line) => /^(usage:| {7}\S)/.test(line)).map((line) => line.slice('usage: '.length));
    const options = [];
    const rest = [];
    for (const line of lines.slice(usage.length)) {
        const [, term, text] = /^ {2}(\S.*?)(?: {2,}(.*)|$)/.exec(line) ?? [];
        if (term !== undefined) options.push([term, text ?? '']);
        else if (/^ {3}/.test(line)) options.at(-1)[1] += ` ${line.trim()}`;
        else rest.push(line);
    }
    return { usage, options, rest };
}

const entry = ([term, text]) => `.TP\n${marked(term)}\n${wrapped(escaped(text.trim()))}`;

const WRITERS = {
    usage: ({ usage }) => usage.map((line) => wrapped(marked(line))).join('\n.br\n'),
    options: ({ options, rest }) => [...options.map(entry), ...rest.length > 0 ? ['.PP', wrapped(escaped(rest.join(' ')))] : []].join('\n'),
};

function filled(page) {
    return page.replace(/^\.\\" (usage|options) of (\S+)\n[^]*?^\.\\" end$/gm, (_, what, program) => (
        `.\\" ${what} of ${program}\n${WRITERS[what](help(program))}\n.\\" end`));
}

for (const name of readdirSync(PAGES)) {
    const page = readFileSync(PAGES + name, 'utf8');
    const wanted = filled(page);
    if (wanted === page) continue;
    if (CHECK) console.log(`${name} is out of date: node contrib/docs/manual.mjs`);
    else writeFileSync(PAGES + name, wanted);
}
