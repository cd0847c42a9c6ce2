// Section: perps
// Dollars for perpetuals, there and back, in addition to what the chains and the venue say of them. The gateways are the tests' own, since
// the stack's has no arbitrum; the venue and the chains are the stack's.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
    Contract, Interface, JsonRpcProvider, formatUnits, parseEther, parseUnits, toBeHex,
} from 'ethers';
import { BRIDGE, MESSENGER } from '../../contrib/sandbox/perps.mjs';
import { CHAINS as WORLD } from '../../contrib/sandbox/world.mjs';
import { Node } from '../faults/node.mjs';
import { networkOf } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, Agent, HASH, ISO_TIME, granted, hasMembers, receiver, refused, register, send, stackSettings, until, verified,
} from './lib.mjs';
import { ask as askMcp, result } from './mcp.mjs';

const MEMBERS = ['id', 'type', 'amount', 'fee', 'chain', 'status', 'tx_hash', 'created_at', 'completed_at', 'error'];
const NAMES = ['arbitrum', 'base', 'ethereum'];
const PAYERS = { bridge: BRIDGE, cctp: MESSENGER };
const AT_ONCE = 10;
const TRANSFER = new Interface(['event Transfer(address indexed from, address indexed to, uint256 value)']);
const LEFT = /^(submitted|processing|completed)$/;

const stack = await stackSettings();
const VENUE = `http://127.0.0.1:${stack.SANDBOX_UPSTREAM_PORT}`;
const made = [];
const open = async (lines) => {
    const gateway = await startGateway(['tier.standard = 100000', ...lines], { jobs: ['swap-poll'] });
    made.push(gateway);
    return gateway;
};
const bridge = await open(['perps_route = bridge']);
const circle = await open(['perps_route = cctp']);
const venues = await open([]);
after(() => Promise.all([control('DELETE'), ...made.map((gateway) => gateway.stop()), ...Object.values(chains).map(({ provider }) => provider.destroy())]));

const chains = Object.fromEntries(NAMES.map((name) => {
    const network = networkOf(name);
    const provider = new JsonRpcProvider(`http://127.0.0.1:${stack[`SANDBOX_${name.toUpperCase()}_PORT`]}`, network, { staticNetwork: network, cacheTimeout: -1 });
    const dollars = new Contract(WORLD[name].tokens.USDC.address, ['function balanceOf(address) view returns (uint256)'], provider);
    return [name, { name, provider, dollars }];
}));
const units = (text) => parseUnits(text, 6);
/** What is kept at the venue for the gas of Circle's way out, and what the venue takes of it. */
const GAS_KEPT = units('0.01'), GAS_TAKEN = units('0.0008');
const dollars = (millionths) => String(Number(formatUnits(millionths, 6)));
const held = (chain, address) => chains[chain].dollars.balanceOf(address);

/** Dollars that a transaction brings to an address. */
async function broughtBy(chain, hash, to) {
    const { provider, dollars } = chains[chain];
    const { logs } = await provider.getTransactionReceipt(hash);
    const transfers = logs.filter(({ address }) => address === dollars.target).map((log) => TRANSFER.parseLog(log)).filter((event) => event?.args.to === to);
    return transfers.reduce((all, { args }) => all + args.value, 0n);
}

// ---------------------------------------------------------------- the venue

async function control(method, json, path = '') {
    const response = await fetch(`${VENUE}/_sandbox${path}`, { method, body: json && JSON.stringify(json) });
    const body = await response.json();
    assert.equal(body.error, undefined, JSON.stringify(body));
    return body;
}
const act = (fault, value) => control('POST', { service: 'hyperliquid', fault, value });
await act('limits', { factor: 0 }); // one host would not ask as much as all tests together
/** Something is wrong, as often as that, where the agent's wallet is concerned. */
const fault = ({ address }, name, value, more = { times: 1 }) => control('POST', { service: 'hyperliquid', fault: name, value, wallet: address, ...more });
const honest = ({ address }) => control('DELETE', undefined, `?wallet=${address}`);
const audit = (table) => control('GET', undefined, `/audit/${table}?service=hyperliquid`);
const info = async (type, user, more) => (await fetch(`${VENUE}/hyperliquid/info`, { method: 'POST', body: JSON.stringify({ type, user, ...more }) })).json();
const worth = async (user) => (await info('clearinghouseState', user)).marginSummary.accountValue;
const ledger = async (user) => (await info('userNonFundingLedgerUpdates', user)).map(({ delta }) => delta);
const requestsOf = async (user) => {
    const accepted = (await audit('accepted')).filter((each) => each.user === user.toLowerCase());
    const bodies = (await audit('nonces')).filter(({ id }) => id.startsWith(user.toLowerCase()));
    return { accepted, bodies };
};

// ---------------------------------------------------------------- agents

/** With a wallet that has coins and so many dollars on a chain; of a gateway. */
async function holder(gateway, chain, dollars, coins = '10') {
    const agent = new Agent((await register()).key);
    agent.base = gateway.base;
    agent.address = await agent.wallet();
    const { provider } = chains[chain];
    await provider.send('anvil_setBalance', [agent.address, toBeHex(parseEther(coins))]);
    if (dollars !== undefined) await provider.send('anvil_dealERC20', [agent.address, WORLD[chain].tokens.USDC.address, toBeHex(units(dollars))]);
    return agent;
}

/** One that has so many dollars at the venue. */
async function funded(gateway, dollars) {
    const agent = await holder(gateway, 'arbitrum', '0');
    await act('give', { user: agent.address, amount: String(Number(dollars) + 1) });
    assert.equal(Number(await worth(agent.address)), Number(dollars));
    return agent;
}

const deposit = (agent, json, options) => agent.send('POST', '/perps/deposit', { json, ...options });
const withdraw = (agent, json, options) => agent.send('POST', '/perps/withdraw', { json, ...options });
const unavailable = ({ status, body }) => assert.deepEqual([status, body.error_code], [500, 'UPSTREAM_ERROR'], JSON.stringify(body));
const shown = async (agent, { id }) => granted(await agent.get(`/perps/transfer/${id}`)).transfer;
const listed = async (agent, query = '') => granted(await agent.get(`/perps/transfers${query}`));
const ended = (agent, transfer) => until(`transfer ${transfer.id} to end`, async () => {
    const now = await shown(agent, transfer);
    return /^(completed|failed)$/.test(now.status) && now;
}, { patience: 180_000 });

/** Carries it out; it has to succeed. */
async function done(agent, make, json) {
    const { transfer } = granted(await make(agent, json));
    hasMembers(transfer, MEMBERS);
    const now = await ended(agent, transfer);
    assert.equal(now.status, 'completed', JSON.stringify(now));
    assert.match(now.tx_hash, HASH);
    assert.match(now.completed_at, ISO_TIME);
    return now;
}

// Each with agents of its own, to whom alone the venue does wrong: they wait together for blocks and for the venue.
describe('transfers', { concurrency: AT_ONCE }, () => {
    // ---------------------------------------------------------------- there and back

    const WAYS = [
        [bridge, 'arbitrum', 'bridge', '1', '1'], ...NAMES.map((name) => [circle, name, 'cctp', '1.33', '0.2']),
    ];

    for (const [gateway, chain, way, cost, costBack] of WAYS) {
        test(`a thousand dollars go by the ${way} from ${chain}, and all comes back`, async () => {
            const agent = await holder(gateway, chain, '1500');
            const { address } = agent;
            const there = await done(agent, deposit, { amount: '1000', chain });
            assert.deepEqual([there.type, there.amount, there.fee, there.chain, there.error], ['deposit', '1000', cost, chain, null]);
            assert.equal(await held(chain, address), units('500'));
            assert.equal(await broughtBy(chain, there.tx_hash, PAYERS[way]), units('1000'));
            const atVenue = formatUnits(units('1000') - units(cost), 6);
            assert.equal(Number(await worth(address)), Number(atVenue));
            assert.equal((await audit('deposits')).find(({ transaction }) => transaction === there.tx_hash).way, way);

            const back = await done(agent, withdraw, { amount: 'max', chain });
            const [kept, taken] = way === 'cctp' ? [GAS_KEPT, GAS_TAKEN] : [0n, 0n];
            assert.deepEqual([back.type, back.amount, back.fee, back.chain, back.error], ['withdrawal', dollars(units(atVenue) - kept), costBack, chain, null]);
            assert.equal(units(await worth(address)), kept - taken);
            assert.equal(await held(chain, address), units('500') + units(back.amount) - units(costBack));
            const paid = (await audit('withdrawals')).filter(({ user }) => user === address.toLowerCase());
            assert.deepEqual(paid.map(({ transaction, rail, destination }) => [transaction, rail, destination]), [[back.tx_hash, way, address.toLowerCase()]]);
            assert.deepEqual((await listed(agent)).transfers.map(({ id }) => id), [back.id, there.id]);
            assert.deepEqual((await audit('reused')).filter(({ id }) => id.startsWith(address.toLowerCase())), []);
        });
    }

    test('a later credit costs nothing, and an account may be emptied by parts', async () => {
        const agent = await holder(bridge, 'arbitrum', '2000');
        assert.equal((await done(agent, deposit, { amount: '100.5' })).fee, '1');
        assert.equal((await done(agent, deposit, { amount: '5' })).fee, '0');
        assert.equal(Number(await worth(agent.address)), 104.5);
        const back = await done(agent, withdraw, { amount: '50.000001' });
        assert.deepEqual([back.amount, back.fee], ['50.000001', '1']);
        assert.equal(Number(await worth(agent.address)), 54.499999);
        assert.equal(await held('arbitrum', agent.address), units('2000') - units('105.5') + units('49.000001'));
    });

    test('two deposits of one amount at once are two credits', async () => {
        const agent = await holder(bridge, 'arbitrum', '1000');
        const both = await Promise.all([deposit(agent, { amount: '70' }), deposit(agent, { amount: '70' })]);
        // Unless the credit has come already.
        const { body: early } = await withdraw(agent, { amount: '1000' });
        if (early.error === 'Perpetuals account is not funded') assert.match(early.hint, /^Deposit \d+ of 70 USDC has not ended: wait until GET \/perps\/transfer\/\d+ shows completed/);
        const ends = await Promise.all(both.map((answer) => ended(agent, granted(answer).transfer)));
        assert.deepEqual(ends.map(({ status }) => status), ['completed', 'completed']);
        assert.deepEqual(ends.map(({ fee }) => fee).sort(), ['0', '1']);
        assert.notEqual(ends[0].tx_hash, ends[1].tx_hash);
        assert.equal(Number(await worth(agent.address)), 139);
    });

    test('one credit completes one deposit: the other waits for its own', async () => {
        const agent = await holder(bridge, 'arbitrum', '1000');
        await act('give', { user: agent.address, amount: '11' });
        const { transfer } = granted(await deposit(agent, { amount: '70' }));
        assert.equal((await ended(agent, transfer)).status, 'completed');
        assert.equal((await done(agent, deposit, { amount: '70' })).fee, '0');
        assert.equal(Number(await worth(agent.address)), 150);
        assert.equal((await ledger(agent.address)).filter(({ type, usdc }) => type === 'deposit' && usdc === '70.0').length, 2);
    });

    test('two withdrawals of one amount at once are paid by two payments', async () => {
        const agent = await funded(bridge, '200');
        const both = await Promise.all([withdraw(agent, { amount: '60' }), withdraw(agent, { amount: '60' })]);
        const ends = await Promise.all(both.map((answer) => ended(agent, granted(answer).transfer)));
        assert.deepEqual(ends.map(({ status }) => status), ['completed', 'completed']);
        assert.notEqual(ends[0].tx_hash, ends[1].tx_hash);
        assert.equal(await held('arbitrum', agent.address), units('118'));
        assert.equal(Number(await worth(agent.address)), 80);
    });

    test('withdrawals at once never take more than there is', async () => {
        const agent = await funded(bridge, '100');
        const answers = await Promise.all(Array.from({ length: 5 }, () => withdraw(agent, { amount: '40' })));
        const good = answers.filter(({ status }) => status === 200);
        for (const answer of answers.filter(({ status }) => status !== 200)) refused(answer, 'Insufficient balance');
        assert.equal(good.length, 2);
        for (const { body } of good) assert.equal((await ended(agent, body.transfer)).status, 'completed');
        assert.equal(Number(await worth(agent.address)), 20);
    });

    test('the way is the one that the venue recommends, where the operator leaves it the choice', async () => {
        const agent = await holder(venues, 'arbitrum', '500');
        await act('routing', { depositRoute: 'cctp', withdrawalRoute: 'cctp' });
        try {
            const there = await until('the venue\'s new word', async () => {
                const now = await done(agent, deposit, { amount: '20' });
                return (await audit('deposits')).find(({ transaction }) => transaction === now.tx_hash).way === 'cctp' && now;
            }, { patience: 240_000 });
            assert.equal(there.status, 'completed');
            const back = await done(agent, withdraw, { amount: '10' });
            assert.equal(back.fee, '0.2');
        } finally {
            await act('routing', { depositRoute: 'bridge', withdrawalRoute: 'bridge' });
        }
    });

    test('to base and ethereum there is one way alone', async () => {
        const agent = await holder(venues, 'base', '500');
        assert.equal((await done(agent, deposit, { amount: '50', chain: 'base' })).fee, '1.2065');
        for (const chain of ['base', 'ethereum']) refused(await deposit(Object.assign(new Agent(agent.key), { base: bridge.base }), { amount: '50', chain }), `Perps transfers are not available on chain '${chain}'`);
    });

    test('a unified account pays out of its balance', async () => {
        for (const [gateway, chain, cost, kept, taken] of [[circle, 'base', '0.2', GAS_KEPT, GAS_TAKEN], [bridge, 'arbitrum', '1', 0n, 0n]]) {
            const agent = await funded(gateway, '100');
            assert.equal(granted(await agent.get('/perps/account')).account.mode, 'default'); // which is kept for a while
            await act('mode', { user: agent.address, mode: 'unifiedAccount' });
            assert.match(refused(await withdraw(agent, { amount: '100.01', chain }), 'Insufficient balance').hint, kept === 0n ? /^100 USDC can/ : /^\d/);
            const account = await until('the mode to be shown', async () => {
                const shown_ = granted(await agent.get('/perps/account')).account;
                return shown_.mode === 'unifiedAccount' && shown_;
            }, { interval: 1000 });
            assert.deepEqual([account.mode, account.accountValue, account.withdrawable], ['unifiedAccount', '100', '100']);
            refused(await withdraw(agent, { amount: '100.01', chain }), 'Insufficient balance');
            const part = await done(agent, withdraw, { amount: '40', chain });
            const back = await done(agent, withdraw, { amount: 'max', chain });
            assert.deepEqual([part.amount, back.amount, back.fee], ['40', dollars(units('60') - kept - taken), cost]);
            assert.equal(await held(chain, agent.address), units('40') + units(back.amount) - 2n * units(cost));
            assert.deepEqual((await info('spotClearinghouseState', agent.address)).balances.map(({ total }) => units(total)), [kept - taken]);
            refused(await withdraw(agent, { amount: 'max', chain }), kept === 0n ? 'Perpetuals account is not funded' : 'Amount must be at least 5 USDC');
            assert.equal((await ledger(agent.address)).filter(({ sourceDex }) => sourceDex === 'spot').length, gateway === circle ? 2 : 0);
        }
    });

    // ---------------------------------------------------------------- events, interfaces

    test('agents are told of the end, once, with the transfer as it is shown', async () => {
        const hook = await receiver();
        const agent = await holder(bridge, 'arbitrum', '500');
        const secret = await agent.listen(hook.url);
        const there = await done(agent, deposit, { amount: '30' });
        const delivery = await hook.delivery(({ raw }) => JSON.parse(raw).data.id === there.id);
        const { type, data } = verified(delivery, secret);
        assert.deepEqual([type, data], ['perps.transfer.completed', there]);
        assert.equal(hook.deliveries.filter(({ raw }) => JSON.parse(raw).data.id === there.id).length, 1);
        hook.close();
    });

    test('a key makes a transfer once', async () => {
        const agent = await holder(bridge, 'arbitrum', '500');
        const once = { headers: { 'idempotency-key': 'one' } };
        const [first, again] = [await deposit(agent, { amount: '30' }, once), await deposit(agent, { amount: '30' }, once)];
        assert.deepEqual(granted(again).transfer.id, granted(first).transfer.id);
        refused(await deposit(agent, { amount: '31' }, once), 'Idempotency-Key was already used with another body');
        await ended(agent, first.body.transfer);
        const back = { headers: { 'idempotency-key': 'two' } };
        const both = await Promise.all([withdraw(agent, { amount: '10' }, back), withdraw(agent, { amount: '10' }, back)]);
        for (const answer of both) assert.ok([200, 409].includes(answer.status), answer.text);
        assert.equal((await ended(agent, both.find(({ status }) => status === 200).body.transfer)).status, 'completed');
        assert.equal(Number(await worth(agent.address)), 19);
        assert.equal((await listed(agent)).pagination.total, 2);
    });

    test('lists are paged, and others see nothing', async () => {
        const agent = await funded(bridge, '100');
        const ids = [];
        for (const amount of ['10', '11', '12']) ids.unshift(granted(await withdraw(agent, { amount })).transfer.id);
        const { transfers, pagination } = await listed(agent, '?limit=2&offset=1');
        assert.deepEqual([transfers.map(({ id }) => id), pagination.total], [ids.slice(1), 3]);
        for (const transfer of transfers) hasMembers(transfer, MEMBERS);
        const other = await holder(bridge, 'arbitrum', '0');
        refused(await other.get(`/perps/transfer/${ids[0]}`), 'Transfer not found');
        for (const id of ['0', 'x', '9'.repeat(30), '-1']) refused(await agent.get(`/perps/transfer/${id}`), 'Transfer not found');
        assert.deepEqual((await listed(other)).transfers, []);
        for (const id of ids) await ended(agent, { id });
    });

    test('tools do what REST does', async () => {
        const agent = await funded(bridge, '100');
        const call = async (name, args) => result(await askMcp('tools/call', { name, arguments: args }, { key: agent.key, base: bridge.base })).structuredContent;
        const { transfer } = await call('withdraw_perps', { amount: '20' });
        assert.deepEqual((await call('list_perps_transfers', {})).transfers.map(({ id }) => id), [transfer.id]);
        assert.equal((await ended(agent, transfer)).status, 'completed');
    });

    // ---------------------------------------------------------------- bad input

    test('an invalid transfer is refused with a reason, and nothing is signed', async () => {
        const agent = await holder(bridge, 'arbitrum', '100');
        const cases = [
            [deposit, { amount: '4.999999' }, 'Amount must be at least 5 USDC'], [deposit, { amount: '0.000001' }, 'Amount must be at least 5 USDC'],
            [deposit, { amount: '0.0000001' }, 'Amount must be a positive number'], [deposit, { amount: '100.000001' }, 'Insufficient balance'],
            [deposit, { amount: '9'.repeat(60) }, 'Insufficient balance'], [deposit, { amount: '50', chain: 'solana' }, 'Perps transfers are not available on chain \'solana\''],
            [deposit, { amount: '50', chain: 'polygon' }, 'Perps transfers are not available on chain \'polygon\''], [deposit, { amount: '50', chain: 'mars' }, 'Unknown chain \'mars\''],
            [withdraw, { amount: '4.999999' }, 'Amount must be at least 5 USDC'], [withdraw, { amount: '50' }, 'Perpetuals account is not funded'], [withdraw, { amount: 'max' }, 'Perpetuals account is not funded'],
            [withdraw, { amount: '50', chain: 'mars' }, 'Unknown chain \'mars\''],
        ];
        for (const [make, json, message] of cases) refused(await make(agent, json), message);
        for (const amount of ['0', '-5', 'NaN', '1e101', '', 'all', '9'.repeat(400), 'Infinity', ' 5', '0x10']) {
            for (const make of [deposit, withdraw]) refused(await make(agent, { amount }), 'Amount must be a positive number');
        }
        refused(await deposit(agent, {}), 'amount is required');
        refused(await withdraw(agent, {}), 'amount is required');
        for (const make of [deposit, withdraw]) refused(await make(agent, { amount: '50', wallet_address: `0x${'1'.repeat(40)}` }), 'No managed wallet found');
        const bare = new Agent((await register()).key);
        bare.base = bridge.base;
        for (const make of [deposit, withdraw]) refused(await make(bare, { amount: '50' }), 'No managed wallet found');
        assert.deepEqual((await listed(agent)).transfers, []);
        assert.deepEqual(await requestsOf(agent.address), { accepted: [], bodies: [] });
        const poor = await holder(bridge, 'arbitrum', '100', '0');
        refused(await deposit(poor, { amount: '50' }), 'Insufficient gas');
        const rich = await funded(bridge, '50');
        const { hint } = refused(await withdraw(rich, { amount: '50.01' }), 'Insufficient balance');
        assert.match(hint, /^50 USDC can be withdrawn/);
        const few = await funded(bridge, '4');
        refused(await withdraw(few, { amount: 'max' }), 'Amount must be at least 5 USDC');
    });

    test('without the operator\'s consent nothing moves, and lists can be read', async () => {
        const off = await open(['perps_trading = no']);
        const agent = await holder(off, 'arbitrum', '100');
        for (const make of [deposit, withdraw]) refused(await make(agent, { amount: '50' }), 'Perps trading is not configured');
        assert.deepEqual((await listed(agent)).transfers, []);
    });

    test('a stop holds deposits back, and no withdrawal', async () => {
        const agent = await funded(bridge, '100');
        await chains.arbitrum.provider.send('anvil_dealERC20', [agent.address, WORLD.arbitrum.tokens.USDC.address, toBeHex(units('100'))]);
        const { agent: { id } } = granted(await agent.get('/me'));
        await bridge.agentctl('stop', id, '--reason', 'a test');
        try {
            refused(await deposit(agent, { amount: '50' }), 'Trading is paused by the operator');
            assert.equal((await done(agent, withdraw, { amount: '10' })).status, 'completed');
        } finally {
            await bridge.agentctl('resume', id, '--reason', 'a test');
        }
    });

    test('no policy holds a withdrawal back, and it counts in none', async () => {
        const agent = await funded(bridge, '100');
        for (const [type, params] of [
            ['spending_limit', { maxAmountUsd: '1' }], ['spending_limit', { maxAmountUsd: '1', venue: 'perps' }], ['approval_limit', { maxAmountUsd: '1' }],
            ['whitelist', { allowedVenues: ['swap'], allowedChains: ['base'], allowedTokens: ['ETH'] }],
        ]) granted(await agent.post('/wallet/policy', { type, params }));
        await chains.arbitrum.provider.send('anvil_dealERC20', [agent.address, WORLD.arbitrum.tokens.USDC.address, toBeHex(units('100'))]);
        refused(await deposit(agent, { amount: '10' }), 'Refused by a wallet policy');
        assert.equal((await done(agent, withdraw, { amount: '10' })).status, 'completed');
    });

    test('the operator\'s limits hold for what is deposited and what is withdrawn', async () => {
        const limited = await open(['perps_route = bridge', 'signer_tx_max.arbitrum = USDC 60000000', 'perps_withdraw_day_max = 50']);
        const agent = await holder(limited, 'arbitrum', '200');
        refused(await deposit(agent, { amount: '60.000001' }), "Refused by the operator's limits");
        assert.equal((await done(agent, deposit, { amount: '60' })).status, 'completed');
        refused(await withdraw(agent, { amount: 'max' }), "Refused by the operator's limits");
        assert.equal((await done(agent, withdraw, { amount: '50' })).status, 'completed');
        refused(await withdraw(agent, { amount: '5' }), "Refused by the operator's limits");
        await limited.keyctl('stop', 'a drill');
        for (const make of [deposit, withdraw]) refused(await make(agent, { amount: '5' }), "Refused by the operator's limits");
        assert.deepEqual((await listed(agent)).transfers.map(({ amount }) => amount), ['50', '60']);
    });

    // ---------------------------------------------------------------- what goes wrong

    test('a venue that is down or sends garbage is an error, and nothing is signed', async () => {
        const agent = await holder(bridge, 'arbitrum', '100');
        const rich = await funded(bridge, '50');
        for (const name of ['http_500', 'garbage']) {
            for (const [who, make] of [[agent, deposit], [rich, withdraw]]) {
                await fault(who, name, undefined, { path: '/info' });
                unavailable(await make(who, { amount: '10' }, { mayBreak: true }));
                await honest(who);
            }
        }
        for (const who of [agent, rich]) assert.deepEqual((await listed(who)).transfers, []);
    });

    const EXCHANGE = { times: 1, path: '/exchange' };
    const MISHAPS = [
        ['lost', 'lost_answer', undefined, EXCHANGE], ['late', 'stall', undefined, EXCHANGE], ['429', 'http_429', undefined, EXCHANGE], ['garbage', 'garbage', undefined, EXCHANGE],
        ['an error', 'status_err'], ['that it was there before', 'duplicate_nonce'], ['that it was there before, which is a lie', 'duplicate_nonce', 'undone'],
    ];

    for (const [title, name, value, more] of MISHAPS) {
        test(`a withdrawal whose answer is ${title} is carried out once`, async () => {
            const agent = await funded(bridge, '100');
            await fault(agent, name, value, more);
            const { transfer } = granted(await withdraw(agent, { amount: '40' }));
            const now = await ended(agent, transfer);
            assert.equal(now.status, 'completed', JSON.stringify(now));
            assert.equal(Number(await worth(agent.address)), 60);
            assert.equal(await held('arbitrum', agent.address), units('39'));
            const { accepted, bodies } = await requestsOf(agent.address);
            assert.equal(accepted.length, 1);
            assert.deepEqual(bodies.map((each) => each.bodies.length), [1]);
        });
    }

    test('a withdrawal that the venue refuses is failed, and its agent told why', async () => {
        const agent = await funded(bridge, '100');
        await fault(agent, 'status_err', 'Insufficient balance for withdrawal');
        const now = await ended(agent, granted(await withdraw(agent, { amount: '40' })).transfer);
        assert.deepEqual([now.status, now.error, now.tx_hash], ['failed', 'Insufficient balance', null]);
        assert.equal(Number(await worth(agent.address)), 100);
        assert.equal((await done(agent, withdraw, { amount: 'max' })).amount, '100');
    });

    test('a withdrawal that was refused with an answer that was lost is failed once the ledger shows nothing', async () => {
        const agent = await funded(bridge, '100');
        await fault(agent, 'status_err', 'Unexpected error (code=148)', { times: 3 });
        const now = await ended(agent, granted(await withdraw(agent, { amount: '40' })).transfer);
        assert.deepEqual([now.status, now.error], ['failed', 'Perps transfer failed']);
        assert.equal(Number(await worth(agent.address)), 100);
    });

    test('reads that lag make no deposit and no withdrawal fail', async () => {
        const agent = await holder(bridge, 'arbitrum', '500');
        await fault(agent, 'lagging_reads', 8000, {});
        const there = await done(agent, deposit, { amount: '100' });
        assert.equal(there.fee, '1');
        await until('the account', async () => Number(await worth(agent.address)) === 99);
        await fault(agent, 'lost_answer', undefined, EXCHANGE);
        const back = await done(agent, withdraw, { amount: '50' });
        assert.equal(back.fee, '1');
        assert.equal((await requestsOf(agent.address)).accepted.length, 1);
    });

    test('the account after deposits and a withdrawal is never shown as before them', async () => {
        const agent = await holder(bridge, 'arbitrum', '1000');
        for (const [how, amount] of [[deposit, '300'], [deposit, '100'], [withdraw, '50']]) {
            const begun = Date.now();
            await until('another moment', () => Date.now() > begun);
            await done(agent, how, { amount });
            const now = await worth(agent.address);
            await fault(agent, 'lagging_reads', { at: begun }, {});
            const { account } = granted(await agent.get('/perps/account'));
            assert.notEqual(await worth(agent.address), now); // it does lag
            await honest(agent);
            assert.deepEqual([Number(account.accountValue), Number(account.withdrawable)], [Number(now), Number(now)]);
        }
    });

    test('the payout of a withdrawal is in the portfolio, behind a node that lags', async () => {
        const agent = await funded(bridge, '100');
        const node = new Node(`http://127.0.0.1:${stack.SANDBOX_ARBITRUM_PORT}`);
        const { port } = await node.listen(0);
        const late = await startGateway(['tier.standard = 100000', 'workers = 2', `rpc.arbitrum = http://127.0.0.1:${port}`]);
        try {
            await done(agent, withdraw, { amount: '40' });
            const now = await held('arbitrum', agent.address);
            node.misbehave({ lag: () => 2 });
            const { balances } = granted(await agent.send('GET', '/portfolio?chain=arbitrum', { base: late.base }));
            assert.equal(units(balances.find(({ symbol }) => symbol === 'USDC')?.balance ?? '0'), now);
        } finally {
            await late.stop();
            node.close();
        }
    });

    test('a payment that comes late is waited for', async () => {
        const agent = await funded(bridge, '100');
        await fault(agent, 'payout_delayed', 3_600_000);
        const { transfer } = granted(await withdraw(agent, { amount: '40' }));
        await until('the venue to have it', async () => LEFT.test((await shown(agent, transfer)).status));
        assert.equal((await ledger(agent.address)).at(-1).type, 'withdraw');
        assert.equal((await shown(agent, transfer)).status, 'submitted');
        await act('hasten', { user: agent.address, what: 'payouts' });
        assert.equal((await ended(agent, transfer)).status, 'completed');
    });

    test('dollars from another account are no payment of the venue\'s', async () => {
        const agent = await funded(bridge, '100');
        await fault(agent, 'payout_delayed', 3_600_000);
        const { transfer } = granted(await withdraw(agent, { amount: '40' }));
        const { provider, dollars } = chains.arbitrum;
        const [from] = await provider.send('eth_accounts', []);
        await provider.send('anvil_dealERC20', [from, dollars.target, toBeHex(units('100'))]);
        const data = new Contract(dollars.target, ['function transfer(address, uint256)']).interface.encodeFunctionData('transfer', [agent.address, units('39')]);
        const hash = await provider.send('eth_sendTransaction', [{ from, to: dollars.target, data }]);
        const { blockNumber } = await until('its block', () => provider.send('eth_getTransactionReceipt', [hash]));
        await until('more blocks', async () => await provider.getBlockNumber() > Number(blockNumber) + 15);
        assert.equal((await shown(agent, transfer)).status, 'submitted');
        await act('hasten', { user: agent.address, what: 'payouts' });
        const now = await ended(agent, transfer);
        assert.deepEqual([now.status, now.tx_hash === hash], ['completed', false]);
        assert.equal(await held('arbitrum', agent.address), units('78'));
    });
});

// By itself, since this goes for everybody.
test('when Circle\'s answer about fees is malformed, nothing is signed', async () => {
    const agent = await holder(circle, 'base', '100');
    await control('POST', { service: 'iris', fault: 'garbage' });
    try {
        unavailable(await deposit(agent, { amount: '10', chain: 'base' }, { mayBreak: true }));
    } finally {
        await control('DELETE');
    }
    assert.deepEqual((await listed(agent)).transfers, []);
    assert.equal(await held('base', agent.address), units('100'));
});

// By itself, since the price moves for everybody.
test('a deposit trades, earns and comes back: chain, venue and gateway agree to the unit', async () => {
    const hook = await receiver();
    const agent = await holder(circle, 'base', '1500');
    const secret = await agent.listen(hook.url);
    const post = async (path, json) => granted(await agent.send('POST', path, { json })).order;
    const get = async (path) => granted(await agent.get(path));
    const stateOf = () => info('clearinghouseState', agent.address);
    await act('funding_hours', { on: false });
    await act('move_price', { coin: 'ETH', price: '3000' });
    try {
        const there = await done(agent, deposit, { amount: '1000', chain: 'base' });
        const wish = { market: 'ETH-USD', side: 'long', size: 1, leverage: 5 };
        const quote = granted(await agent.send('POST', '/perps/quote', { json: wish }));
        const opened = await post('/perps/order', { ...wish, takeProfit: 3300, stopLoss: 2800 });
        assert.deepEqual([opened.status, Number(opened.averagePrice)], ['filled', quote.entryPrice]);

        const [{ positions: [position] }, { account }, state] = [await get('/perps/positions'), await get('/perps/account'), await stateOf()];
        const [{ position: atVenue }] = state.assetPositions;
        assert.deepEqual(
            [position.size, position.entryPrice, position.liquidationPrice, position.margin, position.positionValue, Number(account.marginUsed), Number(account.accountValue)],
            [Number(atVenue.szi), quote.entryPrice, Number(atVenue.liquidationPx), Number(atVenue.marginUsed), Number(atVenue.positionValue), Number(state.marginSummary.totalMarginUsed), Number(state.marginSummary.accountValue)],
        );
        await act('next_funding', { coin: 'ETH', rate: '0.0001' });
        const { payments: [paid] } = await until('funding to be listed', async () => {
            const page = await get('/perps/funding');
            return page.payments.length === 1 && page;
        });
        const half = await post('/perps/close', { market: 'ETH', size: 0.5 });
        assert.deepEqual([half.status, half.filledSize], ['filled', '0.5']);
        await act('move_price', { coin: 'ETH', price: '3310' });
        const taken = await until('gains to be taken', async () => {
            const { order } = await get(`/perps/order/${opened.children[0].id}`);
            return order.status === 'filled' && order;
        });
        assert.equal(taken.filledSize, '0.5');
        const told = async (id, type) => verified(await hook.delivery(({ raw }) => JSON.parse(raw).data.id === id && JSON.parse(raw).type === type), secret).data;
        for (const { id } of [opened, half, taken]) assert.equal((await told(id, 'perps.order.filled')).status, 'filled');
        assert.deepEqual((await get('/perps/positions')).positions, []);

        const { fills } = await until('all trades to be listed', async () => {
            const page = await get('/perps/fills');
            return page.fills.reduce((sum, { size }) => sum + units(size), 0n) === units('2') && page;
        });
        const sum = (rows, member) => rows.reduce((all, row) => all + units(row[member]), 0n);
        const left = units(there.amount) - units(there.fee) + sum(fills, 'closedPnl') - sum(fills, 'fee') + units(paid.amount);
        assert.equal(units(await worth(agent.address)), left);
        const back = await done(agent, withdraw, { amount: 'max', chain: 'base' });
        assert.equal(units(back.amount), left - GAS_KEPT);
        assert.equal(units(await worth(agent.address)), GAS_KEPT - GAS_TAKEN);
        assert.equal(await held('base', agent.address), units('500') + units(back.amount) - units(back.fee));
    } finally {
        await act('move_price', { coin: 'ETH', price: '3000' });
        hook.close();
    }
});

test('the stop of all holds deposits and withdrawals', async () => {
    const agent = await funded(bridge, '100');
    await chains.arbitrum.provider.send('anvil_dealERC20', [agent.address, WORLD.arbitrum.tokens.USDC.address, toBeHex(units('100'))]);
    await bridge.agentctl('stop', 'all', '--reason', 'a test');
    try {
        for (const make of [deposit, withdraw]) refused(await make(agent, { amount: '50' }), 'Trading is paused by the operator');
    } finally {
        await bridge.agentctl('resume', 'all', '--reason', 'a test');
    }
    assert.equal((await listed(agent)).pagination.total, 0);
});
