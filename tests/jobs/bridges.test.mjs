// Section: bridges
// How bridges are followed: carriers that lie, fail and come back, payments that prove nothing or too much, a far chain that is
// reorganised or not to be seen, and programs that are killed, on the way to Solana and back, too. The passes are the test's
// own, one by one.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Connection, PublicKey } from '@solana/web3.js';
import { Interface } from 'ethers';
import { MINTS } from '../../contrib/sandbox/solana/world.mjs';
import {
    balance, fund, give, included, mined, nonceOf, outsider, rpc, token, units,
} from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    API, granted, receiver, refused, registerUnlimited, send, stack, stackSettings, until,
} from '../api/lib.mjs';
import { WAYS, falsified } from '../api/lying.mjs';
import { Node } from '../faults/node.mjs';
import {
    arm, brokenExecute, disarm, elapse, hit, hits, onlySwap, reorganise, sql, withoutJobs,
} from './lib.mjs';

const settings = await stackSettings();
const upstream = `http://127.0.0.1:${settings.SANDBOX_UPSTREAM_PORT}`;
const CARRIERS = ['relay', 'lifi'].flatMap((key) => [`provider.${key}.url = ${upstream}/${key}`, `provider.${key}.rate = 1000/s`]);
const FINAL_BLOCKS = '0x10';
const ANY_HASH = `0x${'ab'.repeat(32)}`;

const gateway = await startGateway([...CARRIERS, 'drift_watch = yes']);
after(() => gateway.stop());

// ---------------------------------------------------------------- the world

/** Set through the control interface: from now on, or for the next deposits. */
const wrong = (service, fault, value, times) => send('POST', '/_sandbox', { base: upstream, json: { service, fault, value, times } });
const solanaDoor = (json) => send('POST', '/_sandbox', { base: settings.SANDBOX_SOLANA_URL, json: { service: 'solana', ...json } });
const honest = () => Promise.all([upstream, settings.SANDBOX_SOLANA_URL].map((base) => send('DELETE', '/_sandbox', { base })));
after(honest);
const solana = new Connection(settings.SANDBOX_SOLANA_URL, 'confirmed');

async function bridger() {
    const agent = await registerUnlimited();
    Object.assign(agent, { base: gateway.base, address: await agent.wallet() });
    await fund('ethereum', agent.address, 10);
    await give('ethereum', agent.address, 'USDC', '1000');
    return agent;
}

/** A bridge of 100 dollars from ethereum to base that is deposited, and has not been looked at. */
async function bridge(agent, key = 'lifi', more = {}) {
    const quote = granted(await agent.post('/quote', {
        from_chain: 'ethereum', to_chain: 'base', from_token: 'USDC', to_token: 'USDC', amount: '100', wallet_address: agent.address, providers: [key], ...more,
    }));
    const { swap_id: id, tx_hash: hash } = granted(await agent.execute(quote));
    await until('the deposit', async () => {
        const tx = hash ?? (await agent.status(id)).tx_hash;
        return tx !== null && included('ethereum', tx);
    });
    return id;
}

const paidBySolver = (agent) => until('the payment', async () => await balance('base', agent.address, 'USDC') > 0n);

const ids = (list) => [list].flat().join(', ');

/** One pass, in which it is their turn. */
async function pass(list, by = gateway) {
    await sql(`UPDATE bridges SET next_poll_at = UTC_TIMESTAMP(3) WHERE execution_id IN (${ids(list)});`
        + ` UPDATE executions SET due_at = UTC_TIMESTAMP(3), lease_owner = NULL, lease_until = NULL WHERE id IN (${ids(list)})`);
    await by.pass('swap-poll');
}

/** The deposit is in the books, and settled: the bridge alone is followed. */
async function deposited(list, by = gateway) {
    await rpc('ethereum', 'anvil_mine', [FINAL_BLOCKS, '0x0']);
    await until('the deposits to be settled', async () => {
        await pass(list, by);
        return await sql(`SELECT COUNT(*) FROM executions WHERE id IN (${ids(list)}) AND in_flight <> 1`) === String([list].flat().length);
    });
}

const column = (id, name) => sql(`SELECT ${name} FROM bridges WHERE execution_id = ${id}`);
/** Since the carrier began to say so: on a busy machine it may not have answered in time in any pass so far. */
async function anHourPasses(id) {
    await until('the carrier to say so', async () => {
        if (await column(id, 'since') !== 'NULL') return true;
        await pass(id);
        return false;
    });
    await sql(`UPDATE bridges SET since = since - INTERVAL 1 HOUR WHERE execution_id = ${id}`);
}
/** Passes until the carrier has been heard to say that it has paid. */
const saysDone = (id) => until('the carrier to tell of it', async () => { await pass(id); return await column(id, 'state') === '2'; });
const follow = (id) => sql(`SELECT in_flight FROM executions WHERE id = ${id}`);

async function stays(agent, id, what) {
    for (let i = 0; i < 3; i++) await pass(id);
    const swap = await agent.status(id);
    assert.deepEqual([swap.status, swap.delivery, swap.to_amount], ['processing', null, null], `${what}: ${JSON.stringify(swap)}`);
    assert.equal(await sql(`SELECT COUNT(*) FROM bridge_deliveries WHERE execution_id = ${id}`), '0', what);
}

/** Passes until it ends, which must be so. */
async function ends(agent, id, status) {
    const swap = await until(`swap ${id} to be ${status}`, async () => {
        await pass(id);
        const now = await agent.status(id);
        return now.status === status && now;
    }, { interval: 500 });
    return swap;
}

const TRANSFER = new Interface(['function transfer(address to, uint256 amount)']);

/** The transaction by which an account pays to another one on base. */
async function paidOnBase(to, amount, symbol = 'USDC') {
    const payer = await outsider('base', 1);
    await give('base', payer.address, symbol, amount);
    const data = TRANSFER.encodeFunctionData('transfer', [to, units('base', symbol, amount)]);
    return (await mined(payer, { to: token('base', symbol).address, data })).hash;
}

/** The transaction of a swap of its own on base. */
async function swappedOnBase(agent) {
    await fund('base', agent.address, 5);
    const id = await agent.swap('ETH', 'USDC', '0.1', { chain: 'base' });
    return until('the swap', async () => {
        await gateway.pass('swap-poll');
        const { status, tx_hash: hash } = await agent.status(id);
        return status === 'completed' && hash;
    });
}

const tests = [];
const alone = (name, run) => tests.push([name, run]);

// ---------------------------------------------------------------- carriers that lie

alone('nothing of what a carrier may say completes a bridge that has not paid', async () => {
    const agent = await bridger();
    const older = await paidOnBase(agent.address, '100');
    const elsewhere = await paidOnBase((await outsider('base', 1)).address, '100');
    await wrong('solver', 'never', undefined, 1);
    const id = await bridge(agent);
    await deposited(id);
    const short = await paidOnBase(agent.address, '1');
    const other = await paidOnBase(agent.address, '1', 'WETH');
    const ours = await swappedOnBase(agent);
    const lies = {
        'an unknown transaction': ['status_done', ANY_HASH],
        'an older payment': ['status_done', older],
        'a payment to another address': ['status_done', elsewhere],
        'a short payment': ['status_done', short],
        'another token, which is not named': ['status_done', other],
        'a swap of our own': ['status_done', ours],
        'the deposit itself': ['status_done', (await agent.status(id)).tx_hash],
        'an unknown word': ['status_unknown'],
        'that it is none': ['status_invalid'],
        'that it has not seen it': ['status_not_found'],
        'what became of another one': ['status_other'],
        'that it has failed, so far': ['status_failed'],
        garbage: ['garbage'],
        'that it is broken': ['http_500'],
    };
    for (const [what, [fault, value]] of Object.entries(lies)) {
        await wrong('lifi', fault, value);
        await stays(agent, id, what);
        await honest();
    }
});

alone('a carrier that is contradicted for an hour is told of, and never believed', async () => {
    const agent = await bridger();
    await wrong('solver', 'never', undefined, 1);
    const id = await bridge(agent);
    await deposited(id);
    await wrong('lifi', 'status_done', ANY_HASH);
    await saysDone(id);
    await anHourPasses(id);
    await sql(`UPDATE bridges SET polled_at = since + INTERVAL 59 MINUTE WHERE execution_id = ${id}`);
    await stays(agent, id, 'an hour later');
    const { text } = await send('GET', '/metrics', { base: gateway.base });
    assert.match(text, /^gateway_bridges_contradicted [1-9]/m);
    assert.match(text, /^gateway_bridges_under_way [1-9]/m);
    await honest();
});

alone('one payment proves one bridge, also when a provider names it for another', async () => {
    const agent = await bridger();
    const first = await bridge(agent);
    await paidBySolver(agent);
    await wrong('solver', 'never', undefined, 1);
    const second = await bridge(agent);
    await deposited([first, second]);
    const paid = (await ends(agent, first, 'completed')).transactions.find(({ kind }) => kind === 'bridge_out').tx_hash;
    await wrong('lifi', 'status_done', paid);
    await stays(agent, second, 'a payment that is used');
    await honest();
});

alone('two bridges that claim one payment in one pass: one has it', async () => {
    const agent = await bridger();
    await wrong('solver', 'never', undefined, 2);
    const both = [await bridge(agent), await bridge(agent)];
    await deposited(both);
    await wrong('lifi', 'status_done', await paidOnBase(agent.address, '100'));
    await rpc('base', 'anvil_mine', [FINAL_BLOCKS, '0x0']);
    const statuses = async () => (await Promise.all(both.map(async (id) => (await agent.status(id)).status))).sort();
    await until('one to be completed', async () => {
        await pass(both);
        return (await statuses())[0] === 'completed';
    });
    await pass(both);
    assert.deepEqual(await statuses(), ['completed', 'processing']);
    assert.equal(await sql(`SELECT COUNT(*) FROM bridge_deliveries WHERE execution_id IN (${ids(both)})`), '1');
    await honest();
});

// ---------------------------------------------------------------- carriers that end their service

alone('a carrier that refuses everything is asked about a bridge in progress all the same, and the bridge goes on', async () => {
    const agent = await bridger();
    const id = await bridge(agent, 'relay');
    await deposited(id);
    const stateOf = async () => (await (await fetch(`${gateway.base}/readyz`)).json()).providers.find(({ provider }) => provider === 'relay').state;
    await wrong('relay', 'http_410');
    try {
        await until('the carrier to be called refused', async () => {
            const { body } = await send('POST', `${API}/quote`, {
                key: agent.key, base: gateway.base, mayBreak: true,
                json: { from_chain: 'ethereum', to_chain: 'base', from_token: 'USDC', to_token: 'USDC', amount: '100', providers: ['relay'] },
            });
            assert.equal(body.error_code, 'PROVIDER_REFUSED', JSON.stringify(body));
            await gateway.pass('drift-watch');
            return await stateOf() === 'refused';
        }, { interval: 100 });
        await paidBySolver(agent);
        await stays(agent, id, 'a carrier that answers 410');
    } finally {
        await honest();
    }
    const swap = await ends(agent, id, 'completed');
    assert.equal(swap.delivery, 'proven');
    assert.equal(await stateOf(), 'refused');
    await gateway.agentctl('drift', 'relay').catch(() => {});
});

// ---------------------------------------------------------------- how else they end

for (const key of ['lifi', 'relay']) {
    alone(`${key}: what is paid back is a failure, and shown`, async () => {
        const agent = await bridger();
        const had = await balance('ethereum', agent.address, 'USDC');
        await agent.listen((await receiver()).url);
        await wrong('solver', 'refund', undefined, 1);
        const id = await bridge(agent, key);
        await deposited(id);
        const swap = await ends(agent, id, 'failed');
        assert.deepEqual([swap.error_code, swap.delivery, swap.to_amount], ['BRIDGE_REFUNDED', 'proven', null]);
        assert.deepEqual([swap.received.chain, swap.received.token, swap.received.amount], ['ethereum', 'USDC', '100']);
        assert.deepEqual(swap.transactions.map(({ chain, kind }) => [chain, kind]), [['ethereum', 'approval'], ['ethereum', 'bridge_in'], ['ethereum', 'bridge_out']]);
        assert.equal(await balance('ethereum', agent.address, 'USDC'), had);
        // The event says what the status does.
        const { success, ...shown } = swap;
        const event = JSON.parse(await sql('SELECT body FROM webhook_events ORDER BY seq DESC LIMIT 1'));
        assert.deepEqual([success, event.type, event.data], [true, 'swap.failed', shown]);
    });
}

/** The transaction by which an account pays dollars on ethereum. */
async function paidOnEthereum(to, amount, symbol = 'USDC') {
    const payer = await outsider('ethereum', 1);
    await give('ethereum', payer.address, symbol, amount);
    const data = TRANSFER.encodeFunctionData('transfer', [to, units('ethereum', symbol, amount)]);
    return (await mined(payer, { to: token('ethereum', symbol).address, data })).hash;
}

for (const key of ['lifi', 'relay']) {
    alone(`${key}: less than the deposit is told, ends nothing, and frees that part of the limit alone`, async () => {
        const agent = await bridger();
        granted(await agent.post('/wallet/policy', { type: 'spending_limit', params: { maxAmount: '150', token: 'USDC', timeWindowSeconds: 86400 } }));
        await wrong('solver', 'never', undefined, 1);
        const id = await bridge(agent, key);
        await deposited(id);
        const another = async (amount) => agent.post('/swap/execute', { quote_id: granted(await agent.post('/quote', {
            from_chain: 'ethereum', to_chain: 'base', from_token: 'USDC', to_token: 'USDC', amount, wallet_address: agent.address, providers: [key],
        })).quote_id });
        const dust = await paidOnEthereum(agent.address, '0.000001');
        await wrong(key, 'status_refunded', dust);
        const told = await until('it to be told', async () => { await pass(id); const swap = await agent.status(id); return swap.received && swap; });
        assert.deepEqual([told.status, told.delivery, told.received.chain, told.received.token, told.received.amount], ['processing', null, 'ethereum', 'USDC', '0.000001']);
        assert.equal(told.transactions.at(-1).tx_hash, dust);
        assert.equal((await another('51')).status, 403);
        await anHourPasses(id);
        const failed = await ends(agent, id, 'failed');
        assert.deepEqual([failed.error_code, failed.received.amount, await follow(id)], ['BRIDGE_FAILED', '0.000001', '3']);
        assert.equal((await another('51')).status, 403);
        await honest();
        // Half of it comes back, and half of it is free again.
        await wrong(key, 'status_refunded', await paidOnEthereum(agent.address, '50'));
        await until('half of it', async () => { await pass(id); return (await agent.status(id)).received.amount === '50'; });
        assert.equal(await sql(`SELECT CONCAT(part, '/', whole) FROM spends WHERE execution_id = ${id}`), '500000000/1000000000');
        assert.equal(await sql(`SELECT COUNT(*) FROM bridge_deliveries WHERE execution_id = ${id}`), '1');
        assert.equal((await another('101')).status, 403);
        await honest();
        // All of it does, but for a fee, in another dollar.
        await wrong(key, 'status_refunded', await paidOnEthereum(agent.address, '99', 'USDT'));
        const all = await until('all of it', async () => { await pass(id); const swap = await agent.status(id); return swap.delivery !== null && swap; });
        assert.deepEqual([all.status, all.delivery, all.received.token, all.received.amount], ['failed', 'proven', 'USDT', '99']);
        await honest();
    });
}

alone('a refund that is only said is none, however long it is said', async () => {
    const agent = await bridger();
    await wrong('solver', 'never', undefined, 1);
    const id = await bridge(agent);
    await deposited(id);
    await wrong('lifi', 'status_refunded');
    await until('the carrier to say so', async () => { await pass(id); return await column(id, 'state') === '3'; });
    await anHourPasses(id);
    await stays(agent, id, 'said for an hour');
    await honest();
    await wrong('lifi', 'status_done', await paidOnBase(agent.address, '100'));
    await ends(agent, id, 'completed');
    await honest();
});

/** What came is dollars of another name, and as many. */
async function receivedOtherDollars(agent, id) {
    const swap = await ends(agent, id, 'completed');
    const { chain, token: symbol, token_address: address, amount } = swap.received;
    assert.deepEqual([swap.delivery, swap.to_amount, chain, symbol], ['proven', null, 'base', 'DAI']);
    assert.equal(address, token('base', symbol).address);
    assert.equal(units('base', symbol, amount), await balance('base', agent.address, symbol));
    assert.equal(await balance('base', agent.address, 'USDC'), 0n);
    assert.equal(await sql(`SELECT COUNT(*) FROM bridge_deliveries WHERE execution_id = ${id}`), '1');
}

for (const key of ['lifi', 'relay']) {
    alone(`${key}: another token that came is what was received`, async () => {
        const agent = await bridger();
        await wrong('solver', 'pays_other_token', undefined, 1);
        const id = await bridge(agent, key);
        await deposited(id);
        await receivedOtherDollars(agent, id);
    });

    alone(`${key}: too little of another token is no payment`, async () => {
        const agent = await bridger();
        await wrong('solver', 'pays_other_token', undefined, 1);
        await wrong('solver', 'pays_short', 2000, 1);
        const id = await bridge(agent, key);
        await deposited(id);
        await until('the payment', async () => await balance('base', agent.address, 'DAI') > 0n);
        await stays(agent, id, 'too little');
    });
}

alone('a payment that is short is none', async () => {
    const agent = await bridger();
    await wrong('solver', 'pays_short', 2000, 1);
    const id = await bridge(agent);
    await deposited(id);
    await paidBySolver(agent);
    await stays(agent, id, 'short');
});

alone('a bridge that reports failure for an hour has failed, until it pays after all', async () => {
    const agent = await bridger();
    await wrong('lifi', 'status_failed');
    const id = await bridge(agent);
    await deposited(id);
    await stays(agent, id, 'failed for a moment');
    await anHourPasses(id);
    const failed = await ends(agent, id, 'failed');
    assert.deepEqual([failed.error_code, failed.delivery, await follow(id)], ['BRIDGE_FAILED', null, '3']);
    for (let i = 0; i < 3; i++) await pass(id);
    assert.deepEqual([(await agent.status(id)).status, await follow(id)], ['failed', '3']);
    await honest();
    const swap = await ends(agent, id, 'completed');
    assert.deepEqual([swap.corrected, swap.delivery, swap.error_code], [true, 'proven', null]);
});

alone('a far chain without a node has the word of the carrier', async () => {
    const blind = await startGateway([...CARRIERS, 'rpc.base ='], { wait: false });
    try {
        const agent = await bridger();
        const id = await bridge(agent);
        await paidBySolver(agent);
        await deposited(id, blind);
        const swap = await until('the word of the carrier', async () => { await pass(id, blind); const now = await agent.status(id); return now.status !== 'processing' && now; });
        assert.deepEqual([swap.status, swap.delivery], ['completed', 'reported']);
        assert.equal(units('base', 'USDC', swap.to_amount), await balance('base', agent.address, 'USDC'));
        assert.equal(await follow(id), '0');
    } finally {
        await blind.stop();
    }
});

// ---------------------------------------------------------------- chains that change their mind

alone('a payment that is reorganised away completes nothing any more', async () => {
    const agent = await bridger();
    await wrong('solver', 'never', undefined, 1);
    const id = await bridge(agent);
    await deposited(id);
    const hash = await paidOnBase(agent.address, '100');
    const { blockNumber } = await included('base', hash);
    await wrong('lifi', 'status_done', hash);
    await ends(agent, id, 'completed');
    assert.equal(await follow(id), '3'); // its block is not final
    await reorganise('base', blockNumber);
    await rpc('base', 'anvil_mine', ['0x3', '0x0']);
    await wrong('lifi', 'status_not_found');
    const back = await ends(agent, id, 'processing');
    assert.deepEqual([back.delivery, back.to_amount, back.received], [null, null, undefined]);
    assert.equal(await sql(`SELECT COUNT(*) FROM bridge_deliveries WHERE execution_id = ${id}`), '0');
    await honest();
    await wrong('lifi', 'status_done', await paidOnBase(agent.address, '100'));
    await ends(agent, id, 'completed');
    await rpc('base', 'anvil_mine', [FINAL_BLOCKS, '0x0']);
    await pass(id);
    await pass(id);
    assert.equal(await follow(id), '0');
    await honest();
});

alone('a deposit that is reorganised away is sent again, once', async () => {
    const agent = await bridger();
    await wrong('solver', 'never', undefined, 1);
    const id = await bridge(agent);
    const { tx_hash: hash } = await ends(agent, id, 'processing');
    const { blockNumber } = await included('ethereum', hash);
    await reorganise('ethereum', blockNumber);
    await rpc('ethereum', 'anvil_mine', ['0x3', '0x0']);
    const receipt = () => rpc('ethereum', 'eth_getTransactionReceipt', [hash]);
    assert.equal(await receipt(), null);
    await elapse(id, 10);
    await until('the deposit to be there again', async () => {
        await pass(id);
        assert.match((await agent.status(id)).status, /^(submitted|processing)$/);
        return receipt();
    });
    await deposited(id);
    await wrong('lifi', 'status_done', await paidOnBase(agent.address, '100'));
    const swap = await ends(agent, id, 'completed');
    assert.deepEqual([swap.tx_hash, swap.transactions.map(({ kind }) => kind)], [hash, ['approval', 'bridge_in', 'bridge_out']]);
    assert.equal(await nonceOf('ethereum', agent.address), 2);
    assert.equal(await balance('ethereum', agent.address, 'USDC'), units('ethereum', 'USDC', '900'));
    await honest();
});

// ---------------------------------------------------------------- a follower that is killed

const POINTS = ['bridge.ask', 'bridge.look', 'bridge.record.before', 'bridge.record.after', 'bridge.arrival.before', 'bridge.arrival.after'];
for (const action of ['kill', 'error']) {
    for (const point of POINTS) {
        alone(`${point} ${action}: it is completed once`, async () => {
            const agent = await bridger();
            await wrong('solver', 'delay', 3000, 1);
            const id = await bridge(agent);
            await deposited(id);
            await paidBySolver(agent);
            arm(point, action, 1);
            await pass(id).catch(() => undefined);
            disarm();
            await ends(agent, id, 'completed');
            assert.equal(await sql(`SELECT COUNT(*) FROM execution_history WHERE execution_id = ${id} AND to_status = 4`), '1');
            assert.equal(await sql(`SELECT COUNT(*) FROM bridge_deliveries WHERE execution_id = ${id}`), '1');
            assert.equal(await sql(`SELECT COUNT(*) FROM webhook_events WHERE agent_id = (SELECT agent_id FROM executions WHERE id = ${id})`), '0'); // the agent has no callback URL
            assert.equal(await column(id, 'delivery'), '2');
        });
    }
}

// ---------------------------------------------------------------- to Solana and back

/** On Solana, of those that an account of the wallet's is named in. */
const landed = async (address) => (await solana.getSignaturesForAddress(new PublicKey(address))).filter(({ err }) => err === null).length;

async function dollarsOnSolana(address) {
    const { value } = await solana.getTokenAccountsByOwner(new PublicKey(address), { mint: new PublicKey(MINTS.USDC.mint) });
    return value.reduce((sum, { account }) => sum + account.data.readBigUInt64LE(64), 0n);
}

/** An agent with coins and dollars on Solana, and a wallet on the other chains. */
async function leaver() {
    const agent = await registerUnlimited();
    Object.assign(agent, { base: gateway.base, address: await agent.wallet() });
    agent.solana = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet.address;
    await stack('fund', agent.solana, 'solana');
    agent.quoted = async () => granted(await agent.post('/quote', {
        from_chain: 'solana', to_chain: 'base', from_token: 'SOL', to_token: 'USDC', amount: '1', wallet_address: agent.solana,
    }));
    return agent;
}

const history = (id, state) => sql(`SELECT COUNT(*) FROM execution_history WHERE execution_id = ${id} AND to_status = ${state}`);

/** One deposit, one payment, one end. */
async function deliveredOnce(agent, id) {
    const swap = await ends(agent, id, 'completed');
    assert.deepEqual(swap.transactions.map(({ chain, kind }) => [chain, kind]), [['solana', 'bridge_in'], ['base', 'bridge_out']]);
    assert.deepEqual([await landed(agent.solana), await history(id, 4)], [1, '1']);
    assert.equal(await sql(`SELECT COUNT(*) FROM bridge_deliveries WHERE execution_id = ${id}`), '1');
    assert.equal(await balance('base', agent.address, 'USDC'), units('base', 'USDC', swap.to_amount));
}

for (const point of ['execute.commit.after', 'db.commit.after', 'offer.post.before', 'offer.post.after', 'execute.send.after']) {
    alone(`from Solana, ${point} kill: one deposit, and one payment`, async () => {
        const agent = await leaver(), quote = await agent.quoted();
        arm(point, 'kill', 1);
        await brokenExecute(agent, quote);
        await hit(point);
        disarm();
        const { swap_id: id } = await onlySwap(agent);
        assert.equal(refused(await agent.execute(quote), 'Quote not found').swap_id, id);
        await deliveredOnce(agent, id);
    });
}

alone('from Solana, killed before the commit: nothing has left, and the quote is good', async () => {
    const agent = await leaver(), quote = await agent.quoted();
    arm('execute.sign.after', 'kill', 1);
    await brokenExecute(agent, quote);
    await hit('execute.sign.after');
    disarm();
    assert.equal(await landed(agent.solana), 0);
    await deliveredOnce(agent, granted(await agent.execute(quote)).swap_id);
});

for (const point of ['poll.record.before', 'swap.move.after', 'poll.record.after', 'bridge.arrival.after', 'bridge.record.after']) {
    alone(`from Solana, ${point} kill: it ends once`, async () => {
        const agent = await leaver(), { swap_id: id } = granted(await agent.execute(await agent.quoted()));
        if (point.startsWith('bridge.')) await paidBySolver(agent);
        else await until('the deposit', async () => await landed(agent.solana) === 1);
        arm(point, 'kill', 1);
        await until(`${point} to be hit`, async () => {
            await pass(id).catch(() => undefined);
            return hits(point) > 0;
        });
        disarm();
        await deliveredOnce(agent, id);
    });
}

alone('from Solana, a deposit that no block takes any more has failed, and nothing is owed', async () => {
    const agent = await leaver(), coins = await solana.getBalance(new PublicKey(agent.solana));
    await solanaDoor({ fault: 'drop', wallet: agent.solana });
    const { swap_id: id } = granted(await agent.execute(await agent.quoted()));
    await wrong('relay', 'status_done', await paidOnBase(agent.address, '200'));
    await pass(id);
    assert.match((await agent.status(id)).status, /^(submitted|pending)$/);
    for (let i = 0; i < 2; i++) await solanaDoor({ fault: 'advance', value: 150 });
    const swap = await ends(agent, id, 'failed');
    assert.deepEqual([swap.error_code, swap.delivery, swap.received, swap.to_amount], ['QUOTE_EXPIRED', null, undefined, null]);
    await honest();
    for (let i = 0; i < 3; i++) await pass(id);
    assert.deepEqual([(await agent.status(id)).status, await landed(agent.solana)], ['failed', 0]);
    assert.equal(await sql(`SELECT COUNT(*) FROM bridge_deliveries WHERE execution_id = ${id}`), '0');
    assert.equal(await solana.getBalance(new PublicKey(agent.solana)), coins);
    assert.deepEqual(granted(await agent.get('/portfolio')).in_transit, []);
});

alone('from Solana, another token that came is what was received', async () => {
    const agent = await leaver();
    await wrong('solver', 'pays_other_token', undefined, 1);
    const { swap_id: id } = granted(await agent.execute(await agent.quoted()));
    await receivedOtherDollars(agent, id);
    assert.deepEqual(granted(await agent.get('/portfolio')).in_transit, []);
});

alone('from Solana, dust of another token completes nothing', async () => {
    const agent = await leaver();
    await wrong('solver', 'pays_other_token', undefined, 1);
    await wrong('solver', 'pays_short', 9_999, 1);
    const { swap_id: id } = granted(await agent.execute(await agent.quoted()));
    await until('the payment', async () => { await pass(id); return await balance('base', agent.address, 'DAI') > 0n; });
    await saysDone(id);
    await stays(agent, id, 'dust');
    assert.equal(granted(await agent.get('/portfolio')).in_transit[0].swap_id, id);
});

alone('to Solana, a payment that a fork takes away completes nothing any more, until it is there again', async () => {
    const agent = await bridger();
    agent.solana = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet.address;
    await solanaDoor({ fault: 'fork', path: '/solver', wallet: agent.solana, times: 1, value: 25 });
    const id = await bridge(agent, 'relay', { to_chain: 'solana' });
    await until('the payment', async () => await landed(agent.solana) === 1);
    await solanaDoor({ fault: 'halt' }); // no slot passes, and no fork wins, while it is looked at
    try {
        await ends(agent, id, 'completed');
        await solanaDoor({ fault: 'drop', path: '/solver', wallet: agent.solana });
    } finally {
        await solanaDoor({ fault: 'resume' });
    }
    await until('the fork', async () => await dollarsOnSolana(agent.solana) === 0n);
    const back = await ends(agent, id, 'processing');
    assert.deepEqual([back.delivery, back.to_amount, back.received], [null, null, undefined]);
    assert.equal(await sql(`SELECT COUNT(*) FROM bridge_deliveries WHERE execution_id = ${id}`), '0');
    await honest();
    const swap = await ends(agent, id, 'completed');
    assert.equal(swap.delivery, 'proven');
    assert.equal(await dollarsOnSolana(agent.solana), units('ethereum', 'USDC', swap.to_amount));
    await rpc('ethereum', 'anvil_mine', [FINAL_BLOCKS, '0x0']);
    await until('it to be final', async () => { await pass(id); return await follow(id) === '0'; });
    assert.deepEqual([await landed(agent.solana), await sql(`SELECT COUNT(*) FROM bridge_deliveries WHERE execution_id = ${id}`)], [1, '1']);
});

// ---------------------------------------------------------------- the pace

alone('questions of the follower count toward the rate of quotes', async () => {
    const frugal = await startGateway([...CARRIERS.filter((line) => !line.startsWith('provider.lifi.rate')), 'provider.lifi.rate = 3/h']);
    try {
        const agent = Object.assign(await bridger(), { base: frugal.base });
        await wrong('solver', 'never', undefined, 1);
        const id = await bridge(agent, 'lifi'); // a price, and its transaction
        await pass(id, frugal);
        await pass(id, frugal);
        const { routes } = granted(await agent.post('/quote', {
            from_chain: 'ethereum', to_chain: 'base', from_token: 'USDC', to_token: 'USDC', amount: '100', wallet_address: agent.address,
        }));
        assert.deepEqual(routes.map(({ provider, error }) => [provider, error]), [['relay', undefined], ['lifi', 'RATE_LIMITED']]);
    } finally {
        await frugal.stop();
    }
});

alone('a carrier is asked at its pace, and no oftener', async () => {
    const agent = await bridger();
    await wrong('solver', 'never', undefined, 1);
    const id = await bridge(agent);
    await deposited(id);
    for (const [age, from, to] of [[30, 2, 3], [120, 5, 6], [600, 15, 17], [1800, 60, 68], [7200, 300, 340], [200_000, 3600, 4060]]) {
        await sql(`UPDATE executions SET created_at = UTC_TIMESTAMP(3) - INTERVAL ${age} SECOND WHERE id = ${id}`);
        await pass(id);
        const asks = await column(id, 'polls');
        await gateway.pass('swap-poll');
        assert.equal(await column(id, 'polls'), asks);
        const wait = Number(await sql(`SELECT TIMESTAMPDIFF(MICROSECOND, b.polled_at, e.due_at) / 1e6 FROM bridges b JOIN executions e ON e.id = b.execution_id WHERE e.id = ${id}`));
        assert.ok(wait >= from && wait <= to, `${age}: ${wait}`);
    }
});

// ---------------------------------------------------------------- two nodes of a chain

/** A gateway with two nodes of that chain, and what these say. */
async function withTwoNodes(chain, url, work) {
    const node = new Node(url);
    const { port } = await node.listen(0);
    const twice = await startGateway([...CARRIERS, `rpc.${chain} = http://127.0.0.1:${port}/first, http://127.0.0.1:${port}/second`]);
    try {
        await work(node, twice);
    } finally {
        await twice.stop();
        node.close();
    }
}

/** What decides of a payment in its receipt, and how each may be false. */
const liesOf = (log) => [
    [[], ['absent']], [['status'], ['absent', 'zero', 'type']], [['blockNumber'], ['absent', 'zero', 'unit', 'twice', 'million', 'type']],
    [['logs', log], ['absent']], [['logs', log, 'data'], WAYS], [['logs', log, 'address'], ['unit']], [['logs', log, 'topics', 2], ['zero', 'unit']],
    [['logs', log, 'logIndex'], ['absent', 'unit', 'type']],
].flatMap(([path, ways]) => ways.map((way) => [path, way]));

/** By turns one of the two says otherwise of that transaction. */
const liar = (tx, path, way, turn) => ({
    path: turn % 2 === 0 ? '/first' : '/second',
    answers: ({ method, params }, { result, ...more }) => (
        method === 'eth_getTransactionReceipt' && params[0] === tx ? { ...more, ...(path.length === 0 ? { result: null } : falsified({ result }, ['result', ...path], way)) } : undefined),
});

for (const [what, chain, url, pays, says, status] of [
    ['a payment', 'base', process.env.BASE_CHAIN_URL, paidOnBase, 'status_done', 'completed'],
    ['a refund', 'ethereum', process.env.ETHEREUM_URL, paidOnEthereum, 'status_refunded', 'failed'],
]) {
    alone(`of two nodes, one that lies about ${what} decides nothing, and one that omits it delays it`, () => withTwoNodes(chain, url, async (node, twice) => {
        const agent = await bridger();
        await wrong('solver', 'never', undefined, 4);
        /** One that is deposited, and what its carrier names now. */
        const next = async () => {
            const id = await bridge(agent), tx = await pays(agent.address, '100');
            await deposited(id, twice);
            await rpc(chain, 'anvil_mine', [FINAL_BLOCKS, '0x0']);
            await wrong('lifi', says, tx);
            return [id, tx];
        };
        const isOpen = async (id, lie) => {
            const swap = await agent.status(id);
            assert.deepEqual([swap.status, swap.delivery, swap.received ?? null], ['processing', null, null], `${lie}: ${JSON.stringify(swap)}`);
        };
        const [id, tx] = await next();
        await until('the carrier to tell of it', async () => {
            node.misbehave(liar(tx, [], 'absent', 0));
            await pass(id, twice);
            return await column(id, 'out_tx') !== 'NULL';
        });
        for (const [turn, [path, way]] of liesOf(0).entries()) {
            node.misbehave(liar(tx, path, way, turn));
            await pass(id, twice);
            await isOpen(id, `${path.join('.')} ${way}`);
        }
        node.behave();
        const ended = await until('it to end', async () => { await pass(id, twice); const swap = await agent.status(id); return swap.status === status && swap; });
        assert.deepEqual([ended.delivery, ended.to_amount ?? ended.received.amount], ['proven', '100']);
        await honest();
        const since = (minutes) => (one) => sql(`UPDATE bridges SET since = UTC_TIMESTAMP(3) - INTERVAL ${minutes} MINUTE WHERE execution_id = ${one}`);
        const unknown = (hidden, path) => ({ path, answers: ({ params }, { result, ...more }) => (params?.[0] === hidden ? { ...more, result: null } : undefined) });
        for (const [what, misbehaves, before, after] of [
            ['no receipt', (hidden) => liar(hidden, [], 'absent', 1), since(9), since(11)],
            ['no transaction', (hidden) => unknown(hidden, '/first'), since(59), since(61)],
            ['no answer', () => ({ path: '/second', dead: () => true }), since(0), since(1)],
        ]) {
            const [other, hidden] = await next();
            node.misbehave(misbehaves(hidden));
            await until(`the carrier to tell of it: ${what}`, async () => { await pass(other, twice); return await column(other, 'out_tx') !== 'NULL'; });
            await before(other);
            for (let i = 0; i < 3; i++) await pass(other, twice);
            await isOpen(other, what);
            await after(other);
            const late = await until(`it to end: ${what}`, async () => { await pass(other, twice); const swap = await agent.status(other); return swap.status === status && swap; });
            assert.deepEqual([late.delivery, late.to_amount ?? late.received.amount], ['proven', '100'], what);
            await honest();
        }
    }));
}

test('bridges', async (t) => {
    await withoutJobs(async () => {
        for (const [name, run] of tests) {
            await honest(); // what a test that failed left behind fails no other one
            disarm();
            await t.test(name, run);
        }
    });
});
