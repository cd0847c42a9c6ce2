// A Galera cluster of MariaDB servers on loopback: each with data, socket and ports of its own.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, cpSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT, until } from '../api/lib.mjs';

const run = promisify(execFile);
const PROVIDER = '/usr/lib/galera/libgalera_smm.so';
const NODES = 3;
const PORTS_EACH = 4; // SQL, group, incremental and full state transfer

/** The first of a run of ports that no program listens on; CLUSTER_PORT says where to begin. */
async function freePorts(count) {
    const first = Number(process.env.CLUSTER_PORT ?? 18300);
    for (let port = first; port < first + 40 * count; port += count) {
        const servers = Array.from({ length: count }, (_, i) => createServer().listen(port + i, '127.0.0.1'));
        const free = await Promise.all(servers.map((server) => once(server, 'listening').then(() => true, () => false)));
        servers.forEach((server) => server.close());
        if (free.every(Boolean)) return port;
    }
    throw new Error('no free ports');
}

class Node {
    constructor(directory, number, ports) {
        Object.assign(this, { directory, number, ports, socket: join(directory, `node${number}.sock`), log: join(directory, `node${number}.log`) });
    }

    /** The state-transfer scripts read the file, so everything stands there. */
    configure(addresses) {
        const [sql, group, incremental, full] = this.ports;
        const data = join(this.directory, `data${this.number}`);
        const common = readFileSync(`${ROOT}conf/my.cnf`, 'utf8').replace(/^skip_networking$/m, '');
        writeFileSync(this.file, `${common}
datadir=${data}
socket=${this.socket}
pid-file=${this.directory}/node${this.number}.pid
port=${sql}
bind-address=127.0.0.1
user=${process.env.USER ?? 'root'}
innodb-data-home-dir=${data}
innodb-log-group-home-dir=${data}
innodb-autoinc-lock-mode=2
binlog-format=ROW
wsrep-on=ON
wsrep-provider=${PROVIDER}
wsrep-cluster-name=agent-gateway-test
wsrep-cluster-address=gcomm://${addresses.join(',')}
wsrep-node-name=node${this.number}
wsrep-node-address=127.0.0.1:${group}
wsrep-sst-method=mariabackup
wsrep-sst-auth=root:
wsrep-sst-receive-address=127.0.0.1:${full}
wsrep-provider-options="gmcast.listen_addr=tcp://127.0.0.1:${group};ist.recv_addr=127.0.0.1:${incremental};gcache.size=64M;evs.suspect_timeout=PT3S;evs.inactive_timeout=PT9S"
`);
    }

    get file() {
        return join(this.directory, `node${this.number}.cnf`);
    }

    async install() {
        await run('mariadb-install-db', ['--no-defaults', `--datadir=${join(this.directory, `data${this.number}`)}`,
            '--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve']);
    }

    /** Starts the server and waits until it is in step with the cluster. */
    async start(...options) {
        const log = openSync(this.log, 'a');
        this.process = spawn('mariadbd', [`--defaults-file=${this.file}`, ...options], { stdio: ['ignore', log, log], env: { ...process.env, AGENT_GATEWAY_STACK: process.env.GATEWAY_VAR ?? '' } });
        closeSync(log);
        try {
            await until(`node ${this.number} to be in step`, async () => {
                assert.equal(this.process.exitCode, null, `node ${this.number} ended`);
                return (await this.status('wsrep_local_state_comment')) === 'Synced';
            });
        } catch (error) {
            error.message += `\n${readFileSync(this.log, 'utf8').split('\n').slice(-30).join('\n')}`;
            throw error;
        }
    }

    async end(signal = 'SIGTERM') {
        if (!this.process || this.process.exitCode !== null || this.process.signalCode !== null) return;
        const ended = once(this.process, 'exit');
        this.process.kill(signal);
        await ended;
    }

    /** Rows of a query, as arrays of texts. */
    async query(sql, database = 'gateway') {
        const { stdout } = await run('mariadb', ['--no-defaults', `--socket=${this.socket}`, '--user=root', '--batch', '--skip-column-names', '--execute', sql, database], { maxBuffer: 1 << 28 });
        return stdout.split('\n').filter((line) => line !== '').map((line) => line.split('\t'));
    }

    /** A status of the server, '' while it does not answer. */
    async status(name) {
        const rows = await this.query(`SHOW GLOBAL STATUS LIKE '${name}'`, '').catch(() => []);
        return rows[0]?.[1] ?? '';
    }
}

/** Starts a cluster of `count` nodes with an empty database `gateway`. */
export async function startCluster(count = NODES) {
    assert.ok(existsSync(PROVIDER), 'Galera is not installed; contrib/sandbox/deps.sh cluster does that');
    const directory = mkdtempSync(join('/tmp', 'agent-gateway-cluster.'));
    chmodSync(directory, 0o711); // for workers with a user of their own
    const first = await freePorts(count * PORTS_EACH);
    const nodes = Array.from({ length: count }, (_, i) => new Node(directory, i + 1,
        Array.from({ length: PORTS_EACH }, (__, j) => first + i * PORTS_EACH + j)));
    for (const node of nodes) node.configure(nodes.map(({ ports }) => `127.0.0.1:${ports[1]}`));
    const kill = () => nodes.forEach((node) => node.process?.kill('SIGKILL'));
    process.once('exit', kill);
    const [one, ...others] = nodes;
    await one.install();
    await one.start('--wsrep-new-cluster');
    await one.query('CREATE DATABASE gateway', '');
    // Copies of what the first one stopped at need no state transfer.
    await one.end();
    for (const { number } of others) cpSync(join(directory, 'data1'), join(directory, `data${number}`), { recursive: true });
    await one.start('--wsrep-new-cluster');
    await Promise.all(others.map((node) => node.start()));
    return {
        directory,
        nodes,
        /** The sum of a status over the nodes. */
        async sum(name) {
            const each = await Promise.all(nodes.map((node) => node.status(name)));
            return each.reduce((sum, value) => sum + Number(value), 0);
        },
        async stop() {
            for (const node of [...nodes].reverse()) await node.end('SIGKILL');
            process.off('exit', kill);
            rmSync(directory, { recursive: true, force: true });
        },
    };
}
