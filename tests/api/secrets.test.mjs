// Section: api
// What a life with everything in it leaves where others may look: in logs, command lines, environments, core files, and
// on the operator's terminal.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { credentialsOf } from '../../contrib/sandbox/upstream/polymarket/auth.mjs';
import { give } from './chain.mjs';
import {
    granted, receiver, refused, register, stackOutput, stackSettings, until,
} from './lib.mjs';

const DUMP_MAX = 1 << 30;
const settings = await stackSettings();

/** All regular files below a folder. */
function filesBelow(folder) {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
    });
}

/** Has collateral at the prediction venue; with what the wallet and the operator are known by there, beyond names. */
async function traded(agent) {
    const wallet = await agent.wallet('polygon', '1');
    await give('polygon', wallet, 'USDC.e', '2');
    const { transfer } = granted(await agent.post('/predict/deposit', { amount: '1', token: 'USDC.e', wallet_address: wallet }));
    await until('the deposit to be completed', async () => granted(await agent.get(`/predict/transfer/${transfer.id}`)).transfer.status === 'completed');
    const { secret, passphrase } = credentialsOf({ address: wallet, nonce: '0' });
    const secrets = [secret, passphrase, ...readFileSync(join(settings.GATEWAY_VAR, 'keys', 'relayer.key'), 'utf8').trim().split(/\s+/).slice(1)];
    for (const path of ['/predict/account', '/predict/transfers', `/predict/transfer/${transfer.id}`, '/me', '/wallets']) {
        const { text } = await agent.get(path);
        for (const each of secrets) assert.ok(!text.includes(each), `a secret in the answer of ${path}`);
    }
    return secrets;
}

/** What the files in which keys are kept have in them, and everything that the service ever gave this agent as a secret. */
async function livedThrough() {
    const keyFiles = filesBelow(join(settings.GATEWAY_VAR, 'keys')).filter((path) => /\.keys?$/.test(path));
    const secrets = keyFiles.flatMap((path) => readFileSync(path, 'utf8').match(path.endsWith('/relayer.key') ? /\S{32,}/g : /[0-9a-f]{40,}/g) ?? []);
    assert.ok(secrets.length >= 2, 'key files have keys');
    const hook = await receiver();
    const agent = await register({ name: 'with everything' });
    secrets.push(agent.key, await agent.listen(hook.url));
    const address = await agent.wallet('base', '1');
    await agent.completed(await agent.swap('ETH', 'USDC', '0.01', { chain: 'base' }));
    await stackOutput('fund', address, 'polygon');
    const { transfer } = granted(await agent.post('/predict/deposit', { amount: '1', token: 'USDC.e' }));
    await until('a deposit', async () => granted(await agent.get(`/predict/transfer/${transfer.id}`)).transfer.status === 'completed');
    await hook.delivery();
    granted(await agent.post('/webhooks/test'));
    secrets.push(granted(await agent.post('/webhooks/secret')).webhook_secret);
    const old = agent.key;
    agent.key = granted(await agent.post('/keys/rotate')).api_key;
    secrets.push(agent.key);
    secrets.push(...await traded(agent));
    // Mistakes with keys: a dead one, one in the path, one in the query.
    refused(await agent.send('GET', '/me', { key: old }), 'Invalid or missing API key');
    refused(await agent.get(`/swap/status/${agent.key}`), 'Swap not found');
    refused(await agent.get(`/swaps?limit=${agent.key}`), 'limit must be between 1 and 100');
    granted(await agent.post('/me/deactivate'));
    granted(await agent.post('/reactivate'));
    hook.close();
    for (const secret of secrets) assert.ok(secret.length >= 32, secret);
    return [...new Set(secrets)];
}

/** [name, pid] of the processes that run now. */
async function processes() {
    const lines = (await stackOutput('status')).split('\n').map((line) => line.split(' '));
    return lines.filter(([, pid]) => /^\d+$/.test(pid));
}

/** A process's file in /proc; empty when the process is gone. */
function procFile(pid, name) {
    try {
        return readFileSync(`/proc/${pid}/${name}`, 'latin1');
    } catch (error) {
        assert.ok(['ENOENT', 'ESRCH', 'EACCES'].includes(error.code), error.message);
        return '';
    }
}

const secrets = await livedThrough();

test('no secret is in a command line or in an environment', async () => {
    let seen = 0;
    for (const [name, pid] of await processes()) {
        for (const file of ['cmdline', 'environ']) {
            const text = procFile(pid, file);
            seen += text.length > 0;
            for (const secret of secrets) assert.ok(!text.includes(secret), `a secret in ${file} of ${name}`);
        }
    }
    assert.ok(seen > 10, `${seen} files seen`);
});

test('no secret is in a log', () => {
    const logs = filesBelow(settings.GATEWAY_LOG);
    assert.ok(logs.length > 3);
    for (const log of logs) {
        // A log that is being moved away is gone for a moment.
        const text = statSync(log, { throwIfNoEntry: false }) === undefined ? '' : readFileSync(log, 'latin1');
        for (const secret of secrets) assert.ok(!text.includes(secret), `a secret in ${log}`);
    }
});

test('no secret is in the database as it is', async () => {
    const options = ['--no-defaults', `--socket=${settings.GATEWAY_DB_SOCKET}`, '--user=root', '--single-transaction', 'gateway'];
    const { stdout } = await promisify(execFile)('mariadb-dump', options, { encoding: 'latin1', maxBuffer: DUMP_MAX });
    assert.match(stdout, /INSERT INTO `predict_accounts`/);
    for (const secret of secrets) assert.ok(!stdout.includes(secret), 'a secret in a dump');
});

test('no process that has keys may leave a core file', async () => {
    const closed = (await processes()).filter(([name]) => /^(gateway|signer|swap-poll|order-poll|webhook-drain)$/.test(name));
    for (const name of ['gateway', 'signer']) assert.ok(closed.some(([each]) => each === name), name);
    // One that has just begun sees to it first.
    for (const [name, pid] of closed) await until(`no core file of ${name} ${pid}`, () => /^(Max core file size +0 +0 .*)?$/m.test(procFile(pid, 'limits')));
});

test('a name cannot steer the operator\'s terminal', async () => {
    const steering = ['\u001b[2J', '\n', '\r', '\u0007', '\u007f', '\u009b2J', '\u202e', '\u2066', '\u200f', '\u2028', '\u061c', '\ufeff'];
    const { id } = await register({ name: `a${steering.join('b')}z 名 é` });
    const shown = await stackOutput('agentctl', 'show', id);
    assert.match(shown, /^name +a.*z 名 é$/m);
    assert.doesNotMatch(shown, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u061c\ufeff]/);
    assert.equal(shown.split('\n').filter((line) => line.startsWith('name')).length, 1);
    const listed = (await stackOutput('agentctl', 'list')).split('\n').filter((line) => line.startsWith(id));
    assert.equal(listed.length, 1);
    assert.match(listed[0], /z 名 é$/);
});
