// State that outlives the process: tables of JSON rows in one file, which grows by a line for each change. A change is in
// the file before `keep` returns, so all that was answered after it is known again when the process was killed.

import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

export class Store {
    #file;
    #tables = {};

    /** Without a file, nothing outlives the process. */
    constructor(file) {
        this.#file = file;
        if (file === undefined) return;
        if (existsSync(file)) for (const line of wholeLines(readFileSync(file, 'utf8'))) this.#apply(JSON.parse(line, reviver));
        this.#rewrite();
    }

    /** The rows of a table by their `id`, in the order in which they first came. */
    rows(table) {
        this.#tables[table] ??= new Map();
        return this.#tables[table];
    }

    /** Adds or replaces { table: [row, …], … }: all of them or, if the process is killed, none. */
    keep(changes) {
        this.#apply(changes);
        if (this.#file !== undefined) appendFileSync(this.#file, lineOf(changes));
    }

    #apply(changes) {
        for (const [table, rows] of Object.entries(changes)) {
            for (const row of rows) this.rows(table).set(row.id, row);
        }
    }

    /** The file with the present rows alone, and without the half line that a killed process left. */
    #rewrite() {
        const lines = Object.entries(this.#tables).flatMap(([table, rows]) => [...rows.values()].map((row) => lineOf({ [table]: [row] })));
        const temporary = `${this.#file}.tmp`;
        writeFileSync(temporary, lines.join(''));
        renameSync(temporary, this.#file);
    }
}

const wholeLines = (text) => text.split('\n').slice(0, -1);

// Whole numbers of any size are kept as "123n".
const lineOf = (changes) => `${JSON.stringify(changes, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))}\n`;
const reviver = (_, value) => (typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value);
