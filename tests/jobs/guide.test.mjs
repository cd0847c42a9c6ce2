// Section: operator
// "At three in the morning" of the runbook: each case is complete, and its commands do what they are told.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { Wallet, getAddress } from 'ethers';
import { ROOT, granted, until } from '../api/lib.mjs';
import { settings, trader } from './lib.mjs';

const CASES = ['The service does not start', 'A node is down', 'A swap is stuck', 'A receiver is dead', 'The database takes no writes', 'A disk is full', 'A key has leaked', 'An agent misbehaves', 'Answers are slow'];
const PARTS = ['Symptom', 'Look', 'Cause', 'Act'];
const OWN = { agentctl: 'jobs/agentctl', keyctl: 'jobs/keyctl', gateway: 'fcgi/gateway' };
const SYSTEM = ['df', 'systemctl'];
const STATUS = { 'agentctl check': [0, 1], 'gateway --check': [0, 1], 'agentctl reopen SWAP': [0, 1] }; // what these say of a stack is not what is tested

const guide = ['runbook', 'install', 'settings', 'operator', 'backup', 'hosts'].map((name) => readFileSync(`${ROOT}contrib/docs/${name}.md`, 'utf8')).join('\n');
const chapter = /\n## At three in the morning\n([^]*?)\n## /.exec(guide)[1];
const cases = chapter.split(/^### /m).slice(1).map((text) => ({ name: text.split('\n')[0], text }));
const STACK = settings();

const agent = await trader('base');
const swapId = await agent.swap('ETH', 'USDC', '0.01', { chain: 'base' });
await agent.completed(swapId);
granted(await agent.post('/withdrawal-addresses', { address: Wallet.createRandom().address }), 201);
await agent.listen('http://127.0.0.1:9/unreachable');
await agent.completed(await agent.swap('ETH', 'USDC', '0.01', { chain: 'base' }));
const { id: eventId } = await until('an event', async () => (await agent.events())[0]);

const run = (program, args) => new Promise((resolve) => {
    execFile(join(STACK.GATEWAY_BIN, OWN[program]), args, { env: { ...process.env, ...STACK } }, (error, out, err) => resolve({ code: error?.code ?? 0, out, err }));
});

after(() => run('keyctl', ['resume']));

/** The commands of a text, in their order. */
const commandsOf = (text) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code).filter((code) => [...Object.keys(OWN), ...SYSTEM].includes(code.split(' ')[0]));

test('all cases are there, with all of their parts', () => {
    assert.deepEqual(cases.map(({ name }) => name), CASES);
    for (const { name, text } of cases) {
        assert.deepEqual([...text.matchAll(/^\* \*\*(\w+)\.\*\* \S/gm)].map(([, part]) => part), PARTS, name);
        assert.ok(commandsOf(text).length > 0, name);
    }
});

for (const { name, text } of cases) {
    test(`${name}: its commands work as they stand`, async () => {
        for (const command of commandsOf(text)) {
            const [program, ...words] = command.split(' ');
            if (SYSTEM.includes(program)) {
                await promisify(execFile)('sh', ['-c', `command -v ${program}`]);
                continue;
            }
            const args = words.map((word) => ({ AGENT: agent.id, SWAP: String(swapId), EVENT: String(eventId), TEXT: agent.id })[word] ?? word);
            const { code, out, err } = await run(program, args);
            assert.ok((STATUS[command] ?? [0]).includes(code), `${command}: ${code} ${out}${err}`);
            assert.ok(out.trim() !== '' || /^keyctl (stop|resume)|^agentctl reopen|--waiting|--failed|--stuck/.test(command), `${command} says nothing`);
        }
    });
}

test('in the end the agent may trade, by its new key', async () => {
    const { out } = await run('agentctl', ['--json', 'rotate', agent.id]);
    const { api_key: key } = JSON.parse(out);
    await run('agentctl', ['resume', agent.id]);
    await run('keyctl', ['resume']);
    agent.key = key;
    granted(await agent.get('/me'));
    await agent.completed(await agent.swap('ETH', 'USDC', '0.01', { chain: 'base' }));
});

test('addresses in the documents are valid', () => {
    for (const file of ['README.md', ...readdirSync(`${ROOT}contrib/docs`).filter((name) => name.endsWith('.md')).map((name) => `contrib/docs/${name}`)]) {
        for (const [address] of readFileSync(ROOT + file, 'utf8').matchAll(/\b0x[0-9a-fA-F]{40}\b/g)) assert.doesNotThrow(() => getAddress(address), `${address} in ${file}`);
    }
});

test('files and commands that the guide names exist', () => {
    for (const [, name] of guide.matchAll(/`(conf\/[\w.-]+)`/g)) assert.ok(existsSync(ROOT + name), name);
    const known = readFileSync(`${ROOT}conf/gateway.conf`, 'utf8');
    for (const [, name] of chapter.matchAll(/`([a-z]+(?:_[a-z]+)*)(?:\.<chain>)`/g)) assert.match(known, new RegExp(`^#?${name}\\.`, 'm'), name);
    const events = readFileSync(`${ROOT}contrib/docs/logs.md`, 'utf8');
    for (const name of ['node_no_answer', 'node_demoted', 'transaction_rejected', 'database_failed', 'log_not_written']) {
        assert.ok(chapter.includes(`\`${name}\``) && events.includes(`| \`${name}\` |`), name);
    }
});
