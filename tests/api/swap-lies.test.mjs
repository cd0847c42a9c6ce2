// Section: api
// What aggregators lie about when they hand over a transaction. Lies that bytes or a simulation can tell are never signed,
// and the same bytes given straight to the signer are refused there too, as far as it can know. The others leave the wallet
// with what was promised or with what it had. Gateways are the test's own, a new one for every few lies: a provider
// that lies more often is not asked for a while.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXECUTOR } from '../../contrib/sandbox/aggregators.mjs';
import { kyberswap } from '../../contrib/sandbox/upstream/kyberswap.mjs';
import { lifi } from '../../contrib/sandbox/upstream/lifi.mjs';
import { oneinch } from '../../contrib/sandbox/upstream/oneinch.mjs';
import { openocean } from '../../contrib/sandbox/upstream/openocean.mjs';
import { velora } from '../../contrib/sandbox/upstream/velora.mjs';
import { zerox } from '../../contrib/sandbox/upstream/zerox.mjs';
import {
    OK, REFUSED, recordOf, sign,
} from '../jobs/peek.mjs';
import {
    APPROVE, balance, fund, give, impersonated, nonceOf, token, units,
} from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, granted, register, send, show, stackSettings,
} from './lib.mjs';

const SERVICES = [kyberswap, zerox, velora, openocean, oneinch, lifi];
const CHAIN = 'base';
const CHAIN_ID = 8453;
const [SOLD, BOUGHT, OTHER] = ['USDC', 'DAI', 'WETH'];
const AMOUNT = '50';
const PURSE = '200';
const OWN_NONCES = 1; // the old allowance
const SIGNED_EACH = 2; // the approval and the swap
const PATIENCE = 2; // lies that do not yet make a provider a suspect
const AT_ONCE = 3;

/** Lies that are told in more than one way: values for the control, functions of the quote. */
const VALUES = {
    token: [() => token(CHAIN, OTHER).address],
    minimum: [({ amount_out_min: promised }) => String(units(CHAIN, BOUGHT, promised) - 1n)],
    settler: [() => 'forged', () => 'outdated'],
    takes_other: [() => token(CHAIN, OTHER).address],
};
const PLAIN = [() => undefined];

// By lie, who tells it in vain: gas is the gateway's own estimate, and who calls back gets nothing by it. Some contracts read
// the zero address as the sender. A block that differs from the simulation costs the fee.
const EVERYBODY = SERVICES.map(({ key }) => key);
const IN_VAIN = {
    gas: EVERYBODY,
    pays_less_in_block: EVERYBODY,
    reenters: ['kyberswap', 'velora', 'openocean', '1inch', 'lifi'],
    zero_recipient: ['openocean'],
};

// What the signer cannot know: what was asked and answered, and what contracts do. It reads the zero address as the
// contract does.
const BEYOND_THE_SIGNER = [
    'token', 'minimum', 'amount', 'fee', 'spender', 'from', 'chain_id', 'pays_stranger', 'takes_other', 'leaves_allowance', 'gives_back', 'reenters',
];
const READ_AS_SENDER = ['velora', '1inch'];

const settings = await stackSettings();
const upstream = `http://127.0.0.1:${settings.SANDBOX_UPSTREAM_PORT}`;
const keyFile = join(settings.GATEWAY_VAR, 'swap-lies.key');
writeFileSync(keyFile, 'a-key-of-the-test\n', { mode: 0o600 });
const LINES = ['workers = 4', ...EVERYBODY.flatMap((key) => [
    `provider.${key}.url = ${upstream}/${key}${key === '1inch' ? '/swap/v6.1' : ''}`,
    `provider.${key}.rate = 100/s`,
    ...['0x', '1inch', 'lifi'].includes(key) ? [`provider.${key}.key_file = ${keyFile}`] : [],
])];

const isInVain = (key, lie) => IN_VAIN[lie]?.includes(key) ?? false;
const liesOf = ({ key, lies, ownLies = {} }) => [...lies, ...Object.keys(ownLies)].flatMap((lie) => (VALUES[lie] ?? PLAIN).map((valueOf) => ({ key, lie, valueOf })));
const ALL = SERVICES.map((service) => liesOf(service));
const DETECTED = ALL.map((list) => list.filter(({ key, lie }) => !isInVain(key, lie)));

const signerRefuses = ({ key, lie }) => !BEYOND_THE_SIGNER.includes(lie) && !(lie === 'zero_recipient' && READ_AS_SENDER.includes(key));

async function lying() {
    const gateway = await startGateway(LINES);
    // On polygon, which has no aggregators here, no Settler is registered.
    await gateway.agentctl('settlers').catch(({ stdout }) => assert.match(stdout, /^polygon +none/m));
    return gateway;
}

/** With another token, and an old allowance for it. */
async function trader(base) {
    const agent = await register();
    agent.base = base;
    agent.address = await agent.wallet();
    await fund(CHAIN, agent.address, 1);
    await give(CHAIN, agent.address, SOLD, PURSE);
    await give(CHAIN, agent.address, OTHER, '0.1');
    await impersonated(CHAIN, agent.address, { to: token(CHAIN, OTHER).address, data: APPROVE.encodeFunctionData('approve', [EXECUTOR, 2n ** 255n]) });
    return agent;
}

const quoted = (agent, key) => agent.quote(SOLD, BOUGHT, AMOUNT, { chain: CHAIN, providers: [key] });
const execute = (agent, quote) => send('POST', `${API}/swap/execute`, { key: agent.key, base: agent.base, json: { quote_id: quote.quote_id }, mayBreak: true });

/** Executes a quote while its provider lies to this wallet alone. */
async function executeLied(agent, quote, { key, lie, valueOf }) {
    await fetch(`${upstream}/_sandbox`, { method: 'POST', body: JSON.stringify({ service: key, fault: lie, value: valueOf(quote), wallet: agent.address }) });
    const answer = await execute(agent, quote);
    await fetch(`${upstream}/_sandbox?wallet=${agent.address}`, { method: 'DELETE' });
    return answer;
}

/** The transaction that a provider handed over last for a wallet. */
async function handed(key, address) {
    const all = await (await fetch(`${upstream}/_sandbox/audit/transactions?service=${key}`)).json();
    return all.findLast(({ sender }) => sender.toLowerCase() === address.toLowerCase());
}

/** How many signatures the signer has noted for a wallet. */
const signatures = ({ directory }, address) => readFileSync(join(directory, 'signer', 'audit.log'), 'utf8').split('\n')
    .filter((line) => line.includes(address) && line.includes('"decision":"signed"')).length;

/** A few lies of one provider over a quote, each to worker and signer, and the truth at last. */
async function tried(gateway, few) {
    const [{ key }] = few;
    const agent = await trader(gateway.base);
    const record = await recordOf(agent.address);
    const quote = await quoted(agent, key);
    let given = 0;
    for (const each of few) {
        const answer = await executeLied(agent, quote, each);
        assert.ok(answer.status === 400 || answer.status === 500, `${each.lie}: ${show(answer)}`);
        assert.equal(signatures(gateway, agent.address), given, each.lie);
        assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), OWN_NONCES, each.lie);
        const status = await sign(join(gateway.directory, 'signer.sock'), record, { chain: CHAIN_ID, ...await handed(key, agent.address) });
        assert.equal(status, signerRefuses(each) ? REFUSED : OK, `${each.lie} at the signer`);
        given += status === OK ? 1 : 0;
    }
    granted(await execute(agent, quote));
    assert.equal(signatures(gateway, agent.address), given + SIGNED_EACH);
}

test('lies are not signed, and the truth is', { concurrency: AT_ONCE }, async (t) => {
    const rounds = Math.ceil(Math.max(...DETECTED.map(({ length }) => length)) / PATIENCE);
    await Promise.all(Array.from({ length: rounds }, (_, i) => {
        const round = DETECTED.map((list) => list.slice(i * PATIENCE, (i + 1) * PATIENCE)).filter(({ length }) => length > 0);
        return t.test(`round ${i}`, { concurrency: true }, async (sub) => {
            const gateway = await lying();
            await Promise.all(round.map((few) => sub.test(`${few[0].key}: ${few.map(({ lie }) => lie).join(' and ')}`, () => tried(gateway, few))));
            await gateway.stop();
        });
    }));
});

const holdings = (address) => Promise.all([SOLD, BOUGHT].map((symbol) => balance(CHAIN, address, symbol)));

test('lies in vain: what was promised comes, or everything stays', { concurrency: true }, async (t) => {
    const gateway = await lying();
    await Promise.all(ALL.flat().filter(({ key, lie }) => isInVain(key, lie)).map((each) => t.test(`${each.key}: ${each.lie}`, async () => {
        const agent = await trader(gateway.base);
        const quote = await quoted(agent, each.key);
        const before = await holdings(agent.address);
        const swap = await agent.settled(granted(await executeLied(agent, quote, each)).swap_id);
        const [sold, bought] = (await holdings(agent.address)).map((now, i) => now - before[i]);
        assert.equal(swap.status, each.lie === 'pays_less_in_block' ? 'failed' : 'completed');
        assert.equal(sold, swap.status === 'failed' ? 0n : -units(CHAIN, SOLD, AMOUNT));
        assert.ok(swap.status === 'failed' ? bought === 0n : bought >= units(CHAIN, BOUGHT, quote.amount_out_min), String(bought));
    })));
    await gateway.stop();
});
