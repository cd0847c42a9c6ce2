// renamed.mjs: reads lines of a table and its columns, with commas, as before 1.0.0, and prints them by their names since.

import { readFileSync } from 'node:fs';

const sql = readFileSync(new URL('../../sql/before-1.0.sql', import.meta.url), 'utf8');
const renames = sql.slice(sql.indexOf('-- migration 151_'));

for (const line of readFileSync(0, 'utf8').trim().split('\n')) {
    let [table, columns] = line.split('\t');
    for (const [, of, to, altered, changes] of renames.matchAll(/RENAME TABLE (\w+) TO (\w+)|ALTER TABLE (\w+)([^;]+)/g)) {
        if (of === table) table = to;
        if (altered !== table) continue;
        const names = new Map([...changes.matchAll(/RENAME COLUMN (\w+) TO (\w+)/g)].map(([, from, now]) => [from, now]));
        columns = columns.split(',').map((column) => names.get(column) ?? column).join(',');
    }
    console.log(`${table}\t${columns}`);
}
