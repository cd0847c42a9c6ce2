// Section: api
// `wait` with each kind of work that a call can begin, besides swaps (jobs/waiting.test.mjs): one call by REST and one by MCP, and
// each has the end in its answer, as the row shows it that shows such work.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Wallet } from 'ethers';
import { sql, withoutBlocks } from '../jobs/lib.mjs';
import { give } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import { granted, register } from './lib.mjs';
import { ask as askMcp, result } from './mcp.mjs';
import { act, trader as perpsTrader, wrong as wrongPerps } from './perps-trading.mjs';
import { holder, trader as bettor, untilFinal, wrong as wrongBets } from './prediction.mjs';

const CHAIN = 'base';
const WAIT = 30;
/** An order that rests at the venue, in a market whose price no other test here moves. */
const LIMIT = { market: 'SOL-USD', side: 'long', size: '1', type: 'limit', price: '120' };

/** With coins, and dollars on the chain. */
async function owner() {
    const agent = await register();
    agent.address = await agent.wallet(CHAIN, 10);
    await give(CHAIN, agent.address, 'USDC', '1000');
    return agent;
}

/** Whose address is active. */
async function withdrawer() {
    const agent = await register();
    agent.cold = granted(await agent.post('/withdrawal-addresses', { address: Wallet.createRandom().address, chain_type: 'evm', label: 'cold' }), 201).withdrawal_address.id;
    agent.address = await agent.wallet(CHAIN, 10);
    return agent;
}

/** Of a market that trades. */
async function openToken(agent) {
    const { markets } = granted(await agent.get('/predict/markets?limit=50'));
    return markets.find(({ exchange, outcomes: [{ price }] }) => exchange === 'v2' && price > 0.3 && price < 0.7).outcomes[0].tokenId;
}

/** The venue's answer to the next order is lost, or late: what became of it is found out later. */
async function slowPerpsTrader() {
    const agent = await perpsTrader(10_000);
    const { order: { id } } = granted(await agent.post('/perps/order', LIMIT)); // so that the venue knows its key
    granted(await agent.send('DELETE', `/perps/order/${id}`));
    await wrongPerps('lost_answer', { path: '/exchange', times: 1, wallet: agent.address });
    return agent;
}

async function slowBettor() {
    const agent = await bettor(50);
    await wrongBets('stall', { method: 'POST', path: '/clob/order', times: 1 });
    return agent;
}

/** What is begun, by whom, and how its answer has it. The orders never rest. */
const KINDS = [
    { title: 'a deposit for prediction markets', agent: () => holder(100), path: '/predict/deposit', tool: 'deposit_prediction', terms: { amount: '10' }, of: 'transfer', shown: '/predict/transfer' },
    { title: 'a deposit for perpetuals', agent: owner, path: '/perps/deposit', tool: 'deposit_perps', terms: { amount: '50', chain: CHAIN }, of: 'transfer', shown: '/perps/transfer' },
    { title: 'a loan', agent: owner, path: '/lend/supply', tool: 'supply_lending', terms: { chain: CHAIN, asset: 'ETH', amount: '1' }, of: 'operation', shown: '/lend/operation' },
    { title: 'a withdrawal', agent: withdrawer, path: '/wallets/withdraw', tool: 'withdraw', terms: (agent) => ({ token: 'ETH', amount: '0.1', chain: CHAIN, address_id: agent.cold }), of: 'withdrawal', shown: '/withdrawals' },
    { title: 'an order for a perpetual', agent: slowPerpsTrader, path: '/perps/order', tool: 'place_perps_order', terms: { market: 'ETH-USD', side: 'long', size: '0.1' }, of: 'order', shown: '/perps/order', ends: /^filled$/ },
    { title: 'an order for a bet', agent: slowBettor, path: '/predict/order', tool: 'place_prediction_order', terms: async (agent) => ({ tokenId: await openToken(agent), side: 'BUY', price: 0.9, size: 10, type: 'FOK' }), of: 'order', shown: '/predict/order', ends: /^filled$/ },
];

/** The ways to ask; each resolves to what has the members of the answer. */
const WAYS = {
    REST: async (agent, { path }, terms) => granted(await agent.post(path, { ...terms, wait: WAIT })),
    'compact REST': async (agent, { path }, terms) => granted(await agent.post(`${path}?compact=true`, { ...terms, wait: WAIT })),
    MCP: async (agent, { tool }, terms) => (
        JSON.parse(result(await askMcp('tools/call', { name: tool, arguments: { ...terms, wait: WAIT } }, { key: agent.key })).content[0].text)),
};

/** The answer of a call, whose chains get the blocks meanwhile that it waits for. */
async function answerOf(call) {
    let done = false;
    const ends = call.finally(() => { done = true; });
    ends.catch(() => {});
    await untilFinal('the call to be answered', () => done);
    return ends;
}

/** How many executions of the agent have not ended: pending, submitted or processing. */
const underWay = async (agent) => {
    const { agent: { id } } = granted(await agent.get('/me'));
    return Number(await sql(`SELECT COUNT(*) FROM executions e JOIN agents a ON a.id = e.agent_id WHERE a.uuid = UNHEX(REPLACE('${id}', '-', '')) AND e.status IN (1, 2, 3)`));
};

const DEAL = { concurrency: 3 };

describe('one call has the end', DEAL, () => {
    for (const kind of KINDS) {
        // One after the other: the venue of bets stalls at the next order, whose agent it does not ask for.
        describe(kind.title, () => {
            for (const [way, ask] of Object.entries(WAYS)) {
                test(`by ${way}`, async () => {
                    const agent = await kind.agent();
                    const terms = typeof kind.terms === 'function' ? await kind.terms(agent) : kind.terms;
                    const { [kind.of]: made } = await answerOf(ask(agent, kind, terms));
                    assert.match(made.status, kind.ends ?? /^completed$/, JSON.stringify(made));
                    assert.equal(await underWay(agent), 0);
                    const { [kind.of]: now } = granted(await agent.get(`${kind.shown}/${made.id}${way !== 'REST' ? '?compact=true' : ''}`));
                    assert.deepEqual(Object.keys(made), Object.keys(now)); // a trade may be settled later
                });
            }
        });
    }

    test('one that fails is answered with its failure', async () => {
        const agent = await perpsTrader(100);
        await wrongPerps('status_err', { value: 'Insufficient balance for withdrawal', wallet: agent.address, times: 1 });
        const { transfer } = await answerOf(WAYS.REST(agent, { path: '/perps/withdraw' }, { amount: '40', chain: CHAIN }));
        assert.deepEqual([transfer.status, transfer.error], ['failed', 'Insufficient balance']);
    });
});

test('an order that rests is answered once it is placed, and its status once it has ended', async () => {
    const agent = await perpsTrader(10_000);
    const { order: { id, status } } = granted(await agent.post('/perps/order', { ...LIMIT, wait: WAIT }));
    assert.equal(status, 'open');
    const begun = Date.now();
    assert.equal(granted(await agent.get(`/perps/order/${id}?wait=2`)).order.status, 'open');
    assert.ok(Date.now() - begun >= 2000);
    const call = agent.get(`/perps/order/${id}?wait=${WAIT}`);
    call.catch(() => {});
    await act('move_price', { coin: 'SOL', price: '110' });
    try {
        assert.equal(granted(await call).order.status, 'filled');
    } finally {
        await act('move_price', { coin: 'SOL', price: '150' });
    }
});

test('keys that were renewed while calls waited count against no address', async () => {
    const agent = await withdrawer();
    const own = await startGateway(['unknown_keys_per_minute = 2']);
    try {
        const calls = await withoutBlocks(CHAIN, async () => {
            const { withdrawal: { id } } = granted(await agent.post('/wallets/withdraw', { token: 'ETH', amount: '0.1', chain: CHAIN, address_id: agent.cold }));
            agent.base = own.base;
            const waiting = Array.from({ length: 6 }, () => agent.get(`/withdrawals/${id}?wait=3`));
            await pause(1000); // they are parked
            granted(await agent.post('/keys/rotate'));
            return Promise.all(waiting);
        });
        for (const answer of calls) granted(answer);
        assert.equal((await agent.get('/me')).status, 401); // and not 429
    } finally {
        await own.stop();
    }
});

test('one whose time is over is answered as it stands', async () => {
    const agent = await withdrawer();
    await withoutBlocks(CHAIN, async () => {
        const begun = Date.now();
        const { withdrawal } = granted(await agent.post('/wallets/withdraw', { token: 'ETH', amount: '0.1', chain: CHAIN, address_id: agent.cold, wait: 2 }));
        assert.match(withdrawal.status, /^(pending|submitted|processing)$/);
        assert.ok(Date.now() - begun >= 2000);
        const again = granted(await agent.get(`/withdrawals/${withdrawal.id}`)).withdrawal;
        assert.deepEqual(withdrawal, again);
    });
});
