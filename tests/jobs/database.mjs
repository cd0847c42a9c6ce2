// A database server of a test's own, next to the stack's: MariaDB with data, socket and address of its own.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
    closeSync, mkdirSync, openSync, readFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../api/lib.mjs';

const run = promisify(execFile);

export class Database {
    constructor(directory) {
        this.directory = directory;
        this.socket = join(directory, 'db.sock');
    }

    async install() {
        const tmp = join(this.directory, 'tmp');
        mkdirSync(tmp);
        await run('mariadb-install-db', ['--no-defaults', `--datadir=${join(this.directory, 'data')}`, `--tmpdir=${tmp}`, `--user=${userInfo().username}`,
            '--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve']);
    }

    /** Returns once it answers. --defaults-file or --no-defaults has to be the first option. */
    async start(...options) {
        const log = openSync(join(this.directory, 'db.log'), 'a');
        this.process = spawn('mariadbd', [...options, `--datadir=${join(this.directory, 'data')}`, `--socket=${this.socket}`, `--user=${userInfo().username}`,
            `--pid-file=${join(this.directory, 'db.pid')}`], { stdio: ['ignore', log, log], env: { ...process.env, AGENT_GATEWAY_STACK: process.env.GATEWAY_VAR } });
        closeSync(log);
        await until('the database to answer', async () => {
            assert.equal(this.process.exitCode, null, readFileSync(join(this.directory, 'db.log'), 'utf8').slice(-2000));
            return this.sql('SELECT 1').then(() => true, () => false);
        });
    }

    async stop() {
        const ended = once(this.process, 'exit');
        this.process.kill();
        await ended;
    }

    async sql(statement) {
        const { stdout } = await run('mariadb', ['--no-defaults', `--socket=${this.socket}`, '--user=root', '--batch', '--skip-column-names', '--execute', statement]);
        return stdout.trim();
    }
}
