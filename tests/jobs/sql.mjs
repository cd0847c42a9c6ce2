// Statements for a database, by clients that stay: a test may ask every moment whether something has come about, and to start
// a client each time would take more of the processors than what it waits for.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

const END = `end-${randomUUID()}`; // what no statement gives

// Longer than the server lets a transaction of the service's stand still, which may hold what a statement waits for.
const PATIENT = '--init-command=SET SESSION innodb_lock_wait_timeout = 30';

class Client {
    #child;

    #out = '';

    #error = '';

    #heard = () => {};

    constructor(options) {
        this.#child = spawn('mariadb', [...options, PATIENT, '--batch', '--skip-column-names', '--unbuffered', '--skip-reconnect'], { stdio: 'pipe' });
        this.#child.stdout.setEncoding('utf8').on('data', (text) => { this.#out += text; this.#heard(); });
        this.#child.stderr.setEncoding('utf8').on('data', (text) => { this.#error += text; });
        this.#child.stdin.on('error', () => {}); // it has ended, and says why
        this.ended = once(this.#child, 'close').then(() => { this.hasEnded = true; });
    }

    /** What a statement gives; who fails is over. */
    async ask(statement) {
        this.#keep('ref');
        this.#out = '';
        const answered = new Promise((resolve) => { this.#heard = () => { if (this.#out.endsWith(`${END}\n`)) resolve(true); }; });
        this.#child.stdin.write(`${statement.replace(/[\s;]+$/, '')}\n;\nSELECT '${END}';\n`);
        if (!await Promise.race([answered, this.ended])) throw new Error(this.#error.trim());
        this.#keep('unref');
        return this.#out.slice(0, -END.length - 1).trim();
    }

    /** A client that no test waits for does not keep a test from ending. */
    #keep(ref) {
        for (const each of [this.#child, ...this.#child.stdio]) each[ref]();
    }
}

const isVictim = (error) => /^ERROR 1213 /m.test(error.message);

/**
 * What asks the database that these options of the client lead to; each statement that is in progress has a client of its own.
 * One that a deadlock with the service's own ended is asked again, as the server says.
 */
export function asker(options) {
    const idle = [];
    const ask = async (statement, tries = 5) => {
        let client = idle.pop();
        // The server may have gone since, and come back.
        while (client !== undefined && (client.hasEnded || !await client.ask('SELECT 1').then(() => true, () => false))) client = idle.pop();
        client ??= new Client(options());
        try {
            const answer = await client.ask(statement);
            idle.push(client);
            return answer;
        } catch (error) {
            if (tries === 1 || !isVictim(error)) throw error;
            return ask(statement, tries - 1);
        }
    };
    return (statement) => ask(statement);
}
