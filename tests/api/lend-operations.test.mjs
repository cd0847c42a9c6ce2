// Section: api
// What wallets do at lenders, in addition to what the chains say of it: on the stack's chains what is carried out, on chains of the
// tests' own what is refused, since only there a reserve may be frozen or a month pass.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
    after, before, describe, test,
} from 'node:test';
import { Contract, JsonRpcSigner, MaxUint256, formatUnits, parseEther, parseUnits, toBeHex } from 'ethers';
import { BUILDER } from '../../contrib/sandbox/builder.mjs';
import { MORPHO } from '../../contrib/sandbox/world.mjs';
import { sql, withoutBlocks } from '../jobs/lib.mjs';
import { A2A } from './a2a.mjs';
import {
    ALL_CHAINS, balance, erc20, fund, give, nonceOf, provider, rpc, units,
} from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, HASH, granted, hasMembers, isAmount, receiver, refused, register, send, show, until, verified,
} from './lib.mjs';
import {
    DATA_PROVIDER, MONTH_S, MORPHO_ABI, POOL, heldAtMorpho, marketOf, ownLending, refusingPool, userOf,
} from './lending.mjs';

const CHAINS = ['ethereum', 'base'];
const MEMBERS = [
    'id', 'type', 'market', 'protocol', 'chain', 'chainId', 'asset', 'amount', 'collateral', 'status', 'tx_hash', 'healthFactorAfter',
    'created_at', 'completed_at', 'error',
];
const VARIABLE = 2;
const aaveId = (chain, symbol) => `aave-v3:${ALL_CHAINS[chain].id}:${symbol}`;
const morphoOf = (chain, loan, collateral) => ALL_CHAINS[chain].lending.morpho.markets.find(
    ({ terms }) => terms[0] === loan && terms[1] === collateral).id;

const post = (agent, path, json) => agent.post(`/lend/${path}`, json);
const accepted = async (agent, path, json) => granted(await post(agent, path, json)).operation;
const shown = async (agent, id) => granted(await agent.get(`/lend/operation/${id}`)).operation;
const ended = (agent, { id }) => until(`operation ${id} to end`, async () => {
    const now = await shown(agent, id);
    return /^(completed|failed)$/.test(now.status) && now;
});

/** Carries it out; it has to succeed. */
async function done(agent, path, json) {
    const now = await ended(agent, await accepted(agent, path, json));
    assert.equal(now.status, 'completed', JSON.stringify(now));
    return now;
}

async function owner(chain, coins = 20) {
    const agent = await register();
    agent.address = await agent.wallet(chain, coins);
    return agent;
}

const rehearsed = async (agent, json) => granted(await post(agent, 'simulate', json));
const failing = ({ checks }) => checks.filter(({ status }) => status === 'fail').map(({ name }) => name);

/** As the chain has it: { health, supplied(symbol), debt(symbol) } of a wallet at Aave. */
const aave = (chain, wallet) => {
    const { pool, dataProvider } = ALL_CHAINS[chain].lending.aave;
    const data = new Contract(dataProvider, DATA_PROVIDER, provider(chain));
    const held = (symbol) => data.getUserReserveData(ALL_CHAINS[chain].tokens[symbol].address, wallet);
    return {
        health: async () => Number((await new Contract(pool, POOL, provider(chain)).getUserAccountData(wallet)).healthFactor) / 1e18,
        supplied: async (symbol) => (await held(symbol)).supplied,
        debt: async (symbol) => (await held(symbol)).debt,
        allowance: (symbol) => erc20(chain, symbol).allowance(wallet, pool),
    };
};

const accountOf = async (agent, chain, protocol) => (
    granted(await agent.get(`/lend/positions?chain=${chain}`)).accounts.find((each) => each.protocol === protocol));

/** Lines of the audit about an agent, which it knows by a digest. */
async function auditLines(id, act) {
    const digest = createHash('sha256').update(id).digest('hex');
    return (await sql(`SELECT line FROM audit WHERE line LIKE '%${digest}%' ORDER BY seq`)).split('\n').filter(Boolean)
        .map((line) => JSON.parse(line.replaceAll('\\\\', '\\'))).filter((line) => line.act === act);
}

// What a transaction moved of a token, from and to a wallet, by its receipt.
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
async function moved(chain, hash, symbol, wallet) {
    const { logs } = await rpc(chain, 'eth_getTransactionReceipt', [hash]);
    const token = ALL_CHAINS[chain].tokens[symbol].address.toLowerCase(), me = wallet.slice(2).toLowerCase();
    const sum = (place) => logs.filter(({ address, topics }) => address === token && topics[0] === TRANSFER && topics[place].endsWith(me))
        .reduce((all, { data }) => all + BigInt(data), 0n);
    return { given: sum(1), got: sum(2) };
}

// ---------------------------------------------------------------- carried out

describe('an operation', () => {
    for (const chain of CHAINS) {
        test(`at Aave goes from coins to a loan and back to nothing on ${chain}`, async () => {
            const agent = await owner(chain), at = aave(chain, agent.address), hook = await receiver(), secret = await agent.listen(hook.url);
            const supply = await done(agent, 'supply', { chain, asset: 'ETH', amount: '10' });
            hasMembers(supply, [...MEMBERS, 'transactions']);
            assert.deepEqual([supply.type, supply.market, supply.protocol, supply.chainId, supply.asset, supply.amount, supply.healthFactorAfter],
                ['supply', aaveId(chain, 'WETH'), 'aave-v3', ALL_CHAINS[chain].id, 'WETH', '10', null]);
            assert.deepEqual(supply.transactions.map(({ kind, status }) => `${kind} ${status}`), ['wrap completed', 'approval completed', 'supply completed']);
            for (const { tx_hash: hash } of supply.transactions) assert.match(hash, HASH);
            assert.equal(supply.transactions.at(-1).tx_hash, supply.tx_hash);
            assert.deepEqual([await at.allowance('WETH'), await balance(chain, agent.address, 'WETH')], [0n, 0n]);
            assert.ok(await at.supplied('WETH') >= parseEther('10'));

            const terms = { market: aaveId(chain, 'USDC'), amount: '12000' };
            const { wouldExecute, healthFactorBefore, healthFactorAfter, gasUsd } = await rehearsed(agent, { type: 'borrow', ...terms });
            assert.deepEqual([wouldExecute, healthFactorBefore, healthFactorAfter.toFixed(2)], [true, null, '2.06']);
            assert.ok(gasUsd > 0 && gasUsd < 50, `${gasUsd} dollars of gas`);
            const borrow = await done(agent, 'borrow', terms);
            const positions = await accountOf(agent, chain, 'aave-v3');
            assert.deepEqual([borrow.healthFactorAfter.toFixed(2), (await at.health()).toFixed(2), positions.healthFactor.toFixed(2)], ['2.06', '2.06', '2.06']);
            assert.deepEqual([borrow.amount, await balance(chain, agent.address, 'USDC')], ['12000', units(chain, 'USDC', '12000')]);

            await give(chain, agent.address, 'USDC', '12100');
            const repay = await done(agent, 'repay', { market: aaveId(chain, 'USDC'), amount: 'max' });
            assert.deepEqual([await at.debt('USDC'), await at.allowance('USDC'), repay.healthFactorAfter], [0n, 0n, null]);
            assert.deepEqual(repay.transactions.map(({ kind }) => kind), ['approval', 'repay', 'revocation']);
            const { given } = await moved(chain, repay.tx_hash, 'USDC', agent.address);
            assert.equal(units(chain, 'USDC', repay.amount), given);
            assert.equal(await balance(chain, agent.address, 'USDC'), units(chain, 'USDC', '12100') - given);

            const withdraw = await done(agent, 'withdraw', { chain, asset: 'ETH', amount: 'max' });
            assert.deepEqual([await at.supplied('WETH'), withdraw.asset], [0n, 'WETH']);
            const { got } = await moved(chain, withdraw.tx_hash, 'WETH', agent.address);
            assert.deepEqual([parseEther(withdraw.amount), await balance(chain, agent.address, 'WETH')], [got, got]);
            assert.deepEqual(granted(await agent.get(`/lend/positions?chain=${chain}`)).positions, []);

            const ids = [supply, borrow, repay, withdraw].map(({ id }) => id);
            await until('four events', () => hook.deliveries.length === 4);
            const events = hook.deliveries.map((delivery) => verified(delivery, secret));
            assert.deepEqual(events.map(({ type, data }) => [type, data.id]).sort(), ids.map((id) => ['lend.completed', id]).sort());
            const { transactions, ...plain } = borrow;
            assert.ok(transactions.length === 1);
            assert.deepEqual(events.find(({ data }) => data.id === borrow.id).data, plain);
            hook.close();
        });

        test(`at Morpho is against the market's collateral alone on ${chain}`, async () => {
            const agent = await owner(chain), market = morphoOf(chain, 'USDC', 'WETH');
            const blue = new Contract(MORPHO, MORPHO_ABI, provider(chain)), held = () => blue.position(market, agent.address);
            const pledge = await done(agent, 'supply', { market, asset: 'ETH', amount: '10', collateral: true });
            assert.deepEqual([pledge.protocol, pledge.asset, pledge.collateral, pledge.healthFactorAfter], ['morpho', 'WETH', true, null]);
            assert.equal((await held()).collateral, parseEther('10'));
            const terms = { market, amount: '12000' };
            const foreseen = await rehearsed(agent, { type: 'borrow', ...terms });
            assert.equal(foreseen.healthFactorAfter.toFixed(2), '2.15');
            const borrow = await done(agent, 'borrow', terms);
            const { healthFactor } = await accountOf(agent, chain, 'morpho');
            assert.deepEqual([borrow.healthFactorAfter.toFixed(2), healthFactor.toFixed(2), borrow.asset], ['2.15', '2.15', 'USDC']);
            const more = await done(agent, 'supply', { market, asset: 'ETH', amount: '1', collateral: true });
            assert.equal(more.healthFactorAfter.toFixed(2), '2.36');

            await give(chain, agent.address, 'USDC', '13000');
            await done(agent, 'supply', { market, amount: '500' });
            refused(await post(agent, 'withdraw', { market, amount: '501' }), 'Amount exceeds supplied balance');
            const out = await done(agent, 'withdraw', { market, amount: 'max' });
            const { got } = await moved(chain, out.tx_hash, 'USDC', agent.address);
            assert.equal(units(chain, 'USDC', out.amount), got);
            const repay = await done(agent, 'repay', { market, amount: 'max' });
            const { given } = await moved(chain, repay.tx_hash, 'USDC', agent.address);
            assert.equal(units(chain, 'USDC', repay.amount), given);
            const back = await done(agent, 'withdraw', { market, amount: 'max', collateral: true });
            assert.equal(back.amount, '11');
            assert.deepEqual([...await held()], [0n, 0n, 0n]);
            assert.equal(await erc20(chain, 'USDC').allowance(agent.address, MORPHO), 0n);
            assert.deepEqual(granted(await agent.get(`/lend/positions?chain=${chain}`)).positions, []);
        });
    }

    test('with USDT resets its allowance before it sets one, and behind it', async () => {
        const chain = 'ethereum', agent = await owner(chain), at = aave(chain, agent.address);
        await give(chain, agent.address, 'USDT', '1000');
        const supply = await done(agent, 'supply', { chain, asset: 'USDT', amount: '900' });
        assert.deepEqual(supply.transactions.map(({ kind }) => kind), ['revocation', 'approval', 'supply']);
        await done(agent, 'supply', { chain, asset: 'ETH', amount: '5' });
        await done(agent, 'borrow', { chain, asset: 'USDT', amount: '250.5' });
        const repay = await done(agent, 'repay', { chain, asset: 'USDT', amount: 'max' });
        assert.deepEqual(repay.transactions.map(({ kind }) => kind), ['revocation', 'approval', 'repay', 'revocation']);
        await done(agent, 'withdraw', { chain, asset: 'USDT', amount: 'max' });
        assert.deepEqual([await at.debt('USDT'), await at.supplied('USDT'), await at.allowance('USDT')], [0n, 0n, 0n]);
    });

    test('repays with coins, and a part, and never more than is owed', async () => {
        const chain = 'base', agent = await owner(chain, 40), at = aave(chain, agent.address);
        await done(agent, 'supply', { chain, asset: 'ETH', amount: '20' });
        await done(agent, 'borrow', { chain, asset: 'ETH', amount: '2' });
        assert.equal(await balance(chain, agent.address, 'WETH'), parseEther('2'));
        await until('interest to accrue', async () => await at.debt('WETH') > parseEther('2'));
        await done(agent, 'repay', { chain, asset: 'WETH', amount: '0.5' });
        assert.ok(await at.debt('WETH') > parseEther('1.5') && await at.debt('WETH') < parseEther('1.5001'));
        const rest = await done(agent, 'repay', { chain, asset: 'ETH', amount: '10' });
        assert.ok(Number(rest.amount) > 1.5 && Number(rest.amount) < 1.501, rest.amount);
        assert.deepEqual([await at.debt('WETH'), await at.allowance('WETH')], [0n, 0n]);
        refused(await post(agent, 'repay', { chain, asset: 'ETH', amount: 'max' }), 'No debt to repay');
    });

    test('switches collateral on and off', async () => {
        const chain = 'base', agent = await owner(chain), market = aaveId(chain, 'WETH');
        await done(agent, 'supply', { market, asset: 'ETH', amount: '10' });
        const off = await done(agent, 'collateral', { market, enabled: false });
        assert.deepEqual([off.type, off.amount, off.collateral, off.transactions.length], ['collateral', null, false, 1]);
        refused(await post(agent, 'borrow', { chain, asset: 'USDC', amount: '100' }), 'Insufficient collateral');
        await done(agent, 'collateral', { market, enabled: true });
        await done(agent, 'borrow', { chain, asset: 'USDC', amount: '100' });
        refused(await post(agent, 'collateral', { market, enabled: false }), 'Health factor would fall below 1.05');
        assert.deepEqual(failing(await rehearsed(agent, { type: 'collateral', market, enabled: false })), ['eth_call_revert_check']);
    });

    test('with a key is carried out once', async () => {
        const chain = 'base', agent = await owner(chain), json = { chain, asset: 'ETH', amount: '3' }, headers = { 'idempotency-key': 'once' };
        const answers = [];
        for (let i = 0; i < 3; i++) answers.push(granted(await agent.send('POST', '/lend/supply', { json, headers })));
        assert.deepEqual(answers[1], answers[0]);
        assert.deepEqual(answers[2], answers[0]);
        await ended(agent, answers[0].operation);
        assert.equal(await nonceOf(chain, agent.address), 3);
        refused(await agent.send('POST', '/lend/supply', { json: { ...json, amount: '4' }, headers }), 'Idempotency-Key was already used with another body');
    });

    test('is shown by its id and in lists, to its agent alone', async () => {
        const chain = 'base', agent = await owner(chain), other = await register(), market = aaveId(chain, 'WETH');
        const made = [];
        for (const [path, amount] of [['supply', '3'], ['supply', '2'], ['withdraw', '1']]) {
            const { transactions, ...plain } = await done(agent, path, { market, asset: 'ETH', amount });
            assert.ok(transactions.length > 0);
            made.push(plain);
        }
        const list = async (query = '') => granted(await agent.get(`/lend/operations${query}`));
        const { operations, pagination } = await list('?limit=2');
        assert.deepEqual(operations, made.slice(1).reverse());
        assert.deepEqual([pagination.total, pagination.limit, pagination.offset, pagination.has_more], [3, 2, 0, true]);
        assert.deepEqual((await list('?type=withdraw')).operations, [made[2]]);
        assert.deepEqual((await list('?type=supply&status=completed&offset=1')).operations, [made[0]]);
        assert.deepEqual([(await list('?status=failed')).operations, (await list('?type=borrow')).pagination.total], [[], 0]);
        refused(await agent.get('/lend/operations?status=gone'), 'Invalid status filter');
        refused(await agent.get('/lend/operations?type=lend'), 'Validation failed', ['type']);
        for (const id of [made[0].id, 0, 'x']) refused(await other.get(`/lend/operation/${id}`), 'Operation not found');
        assert.deepEqual(granted(await other.get('/lend/operations')).operations, []);
        assert.deepEqual(granted(await agent.get('/swaps')).swaps, []);
    });

    test('is in the portfolio with its debt, which the total is less by', async () => {
        const chain = 'base', agent = await owner(chain);
        const worth = async (query = '') => granted(await agent.get(`/portfolio${query}`));
        await done(agent, 'supply', { chain, asset: 'ETH', amount: '3' });
        await done(agent, 'borrow', { chain, asset: 'USDC', amount: '50' });
        const found = await worth();
        const [supplied, owed] = ['WETH', 'USDC'].map((symbol) => found.positions.find((each) => each.symbol === symbol));
        assert.deepEqual([found.positions.length, supplied.market, supplied.chain, supplied.wallet_address, supplied.debt], [2, 'lend', chain, agent.address, undefined]);
        assert.ok(Number(supplied.amount) >= 3 && Number(supplied.usd_value) > 1000, JSON.stringify(supplied));
        assert.ok(owed.debt && Number(owed.amount) >= 50 && Math.abs(Number(owed.usd_value) + 50) < 1, JSON.stringify(owed));
        const sum = Number(found.wallets_usd) + Number(found.markets_usd) - Number(found.debts_usd);
        assert.ok(Math.abs(Number(found.total_usd) - sum) <= 0.05 && Number(found.debts_usd) >= 49, JSON.stringify(found));
        const dollars = await worth('?token=USDC');
        assert.deepEqual([dollars.balances.map(({ symbol }) => symbol), dollars.positions.map(({ symbol }) => symbol)], [['USDC'], ['USDC']]);
        assert.ok(Math.abs(Number(dollars.total_usd)) < 1, JSON.stringify(dollars));
        assert.deepEqual((await worth('?chain=ethereum')).positions, []);
        assert.deepEqual((await worth(`?chain=${chain}`)).positions.length, 2);
        const a2a = new A2A(agent);
        assert.match(a2a.said(await a2a.send([{ text: 'show my balance' }]))[0], /WETH at lend.*, and owe 50\S* USDC at lend.*, worth \$/);
    });

    test('leaves what a deleted agent still has there, and the audit names it', async () => {
        const chain = 'base', agent = await owner(chain);
        await done(agent, 'supply', { chain, asset: 'ETH', amount: '3' });
        await done(agent, 'borrow', { chain, asset: 'USDC', amount: '50' });
        await fund(chain, agent.address, 0);
        await give(chain, agent.address, 'USDC', '0');
        const { holdings } = refused(await agent.send('DELETE', '/me'), "The agent's wallets still hold something");
        assert.deepEqual(holdings.map(({ place, symbol }) => [place, symbol]), [['lend', 'WETH']]);
        assert.equal((await agent.send('DELETE', '/me?confirm=test')).status, 204);
        const [{ detail }] = await auditLines(agent.id, 'agent.delete');
        assert.deepEqual(detail.lending.map(({ wallet }) => wallet), [agent.address]);
        assert.deepEqual(detail.lending[0].positions.map(({ market }) => market).sort(), [aaveId(chain, 'USDC'), aaveId(chain, 'WETH')]);
        assert.ok(await aave(chain, agent.address).debt('USDC') > 0n);
    });

    test('that has to wait for another one says for which', async () => {
        const chain = 'base', agent = await owner(chain);
        const supply = await withoutBlocks(chain, async () => {
            const { operation } = granted(await post(agent, 'supply', { chain, asset: 'ETH', amount: '10' }));
            for (const [what, asked] of [['borrow', { asset: 'USDC', amount: '100' }], ['repay', { asset: 'USDC', amount: 'max' }], ['withdraw', { asset: 'WETH', amount: 'max' }]]) {
                const { hint } = refused(await post(agent, what, { chain, ...asked }), 'Operation in progress');
                assert.match(hint, new RegExp(`^Operation ${operation.id} .*/lend/operation/${operation.id} `), what);
            }
            return operation;
        });
        await ended(agent, supply);
        await done(agent, 'borrow', { chain, asset: 'USDC', amount: '100' });
    });

    test('that borrows never goes below the floor, however many are asked for at once', async () => {
        const chain = 'base', agent = await owner(chain), at = aave(chain, agent.address);
        await done(agent, 'supply', { chain, asset: 'ETH', amount: '10' });
        const answers = await withoutBlocks(chain, () => Promise.all(
            Array.from({ length: 12 }, () => post(agent, 'borrow', { chain, asset: 'USDC', amount: '11850' }))));
        const won = answers.filter(({ status }) => status === 200);
        assert.equal(won.length, 1, answers.map(show).join('\n'));
        for (const answer of answers.filter(({ status }) => status !== 200)) {
            assert.match(answer.body.error, /^(Operation in progress|Health factor would fall below 1\.05|Insufficient collateral)$/, show(answer));
        }
        assert.ok(answers.some(({ body }) => body.error === 'Operation in progress'), answers.map(show).join('\n'));
        await ended(agent, won[0].body.operation);
        assert.ok(await at.health() > 1.05);
        refused(await post(agent, 'borrow', { chain, asset: 'USDC', amount: '11850' }), 'Health factor would fall below 1.05');
    });
});

// ---------------------------------------------------------------- refused

describe('what cannot be', () => {
    const chain = 'base', market = aaveId(chain, 'WETH');
    let agent, bare;
    before(async () => {
        agent = await owner(chain);
        bare = await register();
    });

    test('is refused in words that say why, and nothing is signed', async () => {
        const loan = morphoOf(chain, 'USDC', 'WETH'), fine = { market, asset: 'ETH', amount: '1' };
        for (const [path, json, error, fields = []] of [
            ['supply', { amount: '1' }, 'market is required', ['market']],
            ['supply', { chain, amount: '1' }, 'asset is required', ['asset']],
            ['supply', { market }, 'amount is required', ['amount']],
            ...['0', '-1', 'max', 'all', '1e101', '', '1,5'].map((amount) => ['supply', { ...fine, amount }, 'Amount must be a positive number']),
            ...['0', '-1', 'all', '1e101'].flatMap((amount) => ['withdraw', 'repay', 'borrow'].map((path) => [path, { ...fine, amount }, 'Amount must be a positive number'])),
            ['borrow', { ...fine, amount: 'max' }, 'Amount must be a positive number'],
            ['supply', { ...fine, amount: '0.0000000000000000001' }, 'Amount must be a positive number'],
            ['borrow', { chain, asset: 'USDC', amount: '0.0000001' }, 'Amount must be a positive number'],
            ['supply', { chain: 'nowhere', asset: 'ETH', amount: '1' }, "Unknown chain 'nowhere'"],
            ['supply', { chainId: 4242, asset: 'ETH', amount: '1' }, "Unknown chain '4242'"],
            ['supply', { chain: 'fantom', asset: 'ETH', amount: '1' }, "Lending is not available on chain 'fantom'"],
            ['supply', { chain, asset: 'NOPE', amount: '1' }, "Unknown token 'NOPE' on chain 'base'"],
            ['supply', { chain, asset: `0x${'1'.repeat(40)}`, amount: '1' }, 'Market not found'],
            ['supply', { market: 'aave-v3:8453:NOPE', amount: '1' }, 'Market not found'],
            ['supply', { market: `0x${'1'.repeat(64)}`, amount: '1' }, 'Market not found'],
            ['supply', { ...fine, asset: 'USDC' }, 'Validation failed', ['asset']],
            ['supply', { ...fine, collateral: true }, 'collateral is not possible in this market'],
            ['withdraw', { ...fine, collateral: true }, 'collateral is not possible in this market'],
            ['collateral', { market: loan, enabled: true }, 'collateral is not possible in this market'],
            ['collateral', { market }, 'enabled is required', ['enabled']],
            ['collateral', { market, enabled: 'perhaps' }, 'Validation failed', ['enabled']],
            ['collateral', { enabled: true }, 'market is required'],
            ['supply', { ...fine, amount: '21' }, 'Insufficient balance'],
            ['supply', { chain, asset: 'USDC', amount: '1' }, 'Insufficient balance'],
            ['supply', { ...fine, amount: '20' }, 'Insufficient gas'],
            ['supply', { market: loan, amount: '1' }, 'Insufficient balance'],
            ['supply', { market: loan, amount: '1', collateral: true }, 'Insufficient balance'],
            ['borrow', { chain, asset: 'USDC', amount: '1' }, 'Insufficient collateral'],
            ['borrow', { market: loan, amount: '1' }, 'Insufficient collateral'],
            ['repay', { chain, asset: 'USDC', amount: '1' }, 'No debt to repay'],
            ['repay', { market: loan, amount: 'max' }, 'No debt to repay'],
            ['withdraw', { chain, asset: 'USDC', amount: '1' }, 'Amount exceeds supplied balance'],
            ['withdraw', { chain, asset: 'USDC', amount: 'max' }, 'Amount exceeds supplied balance'],
            ['withdraw', { market: loan, amount: 'max', collateral: true }, 'Amount exceeds supplied balance'],
            ['withdraw', { market: loan, amount: '1', collateral: true }, 'Amount exceeds supplied balance'],
            ['collateral', { market, enabled: true }, 'Amount exceeds supplied balance'],
            ['supply', { ...fine, wallet_address: `0x${'1'.repeat(40)}` }, 'No managed wallet found'],
            ['supply', { approval_id: 'ap_nothing' }, 'Approval not found'],
            ['simulate', { type: 'lend', ...fine }, 'Validation failed', ['type']],
            ['simulate', fine, 'type is required', ['type']],
        ]) refused(await post(agent, path, json), error, fields);
        for (const chainId of [0, -1, 1.5, 'text', 1e30]) refused(await post(agent, 'supply', { chainId, asset: 'ETH', amount: '1' }), 'Validation failed', ['chainId']);
        assert.equal(await nonceOf(chain, agent.address), 0);
        assert.deepEqual(granted(await agent.get('/lend/operations')).operations, []);
    });

    test('an agent without a wallet of that kind has none', async () => {
        refused(await post(bare, 'supply', { chain, asset: 'ETH', amount: '1' }), 'No managed wallet found');
        const { wallet } = granted(await bare.post('/wallets', { chain_type: 'solana' }), 201);
        refused(await post(bare, 'supply', { chain, asset: 'ETH', amount: '1' }), 'No managed wallet found');
        refused(await post(bare, 'supply', { chain, asset: 'ETH', amount: '1', wallet_address: wallet.address }), 'No managed wallet found');
    });

    test('a wallet without coins lacks gas', async () => {
        const poor = await register(), address = await poor.wallet();
        await give(chain, address, 'USDC', '10');
        refused(await post(poor, 'supply', { chain, asset: 'USDC', amount: '10' }), 'Insufficient gas');
        const { wouldExecute, checks } = await rehearsed(poor, { type: 'supply', chain, asset: 'USDC', amount: '10' });
        assert.deepEqual([wouldExecute, failing({ checks })], [false, ['gas_affordable']]);
    });

    test('a rehearsal says all that would stand in the way, and takes nothing', async () => {
        const { wouldExecute, checks, healthFactorBefore, healthFactorAfter } = await rehearsed(agent, { type: 'supply', ...{ chain, asset: 'USDC', amount: '5' } });
        assert.deepEqual([wouldExecute, healthFactorBefore, healthFactorAfter, failing({ checks })],
            [false, null, null, ['balance_sufficient', 'eth_call_revert_check']]);
        assert.equal(await nonceOf(chain, agent.address), 0);
    });
});

// ---------------------------------------------------------------- on a chain of its own

describe('a lender', () => {
    const CONFIGURATOR = [
        'function setReserveFreeze(address, bool)', 'function setReservePause(address, bool)', 'function setReserveBorrowing(address, bool)',
        'function setSupplyCap(address, uint256)', 'function setBorrowCap(address, uint256)', 'function setReserveActive(address, bool)',
        'function configureReserveAsCollateral(address, uint256, uint256, uint256)',
    ];
    let world, gateway, base, agent, wallet;
    before(async () => {
        world = await ownLending('base');
        base = world.provider;
        gateway = await startGateway([`rpc.base = ${world.url}`, 'rpc.polygon =']);
        agent = await register();
        agent.base = gateway.base;
        wallet = await agent.wallet();
        for (const each of [wallet, BUILDER]) await base.send('anvil_setBalance', [each, toBeHex(parseEther('1000'))]);
        for (const [symbol, amount] of [['USDC', '100000'], ['WETH', '100']]) {
            await base.send('anvil_dealERC20', [wallet, world.chain.tokens[symbol].address, toBeHex(world.units(amount, symbol))]);
        }
        const { pool } = world.chain.lending.aave;
        for (const spender of [pool, MORPHO]) await as(wallet, world.chain.tokens.WETH.address, ['function approve(address, uint256)'], 'approve', spender, MaxUint256);
        await as(wallet, pool, POOL, 'supply', world.chain.tokens.WETH.address, parseEther('10'), wallet, 0);
        await as(wallet, pool, POOL, 'borrow', world.chain.tokens.USDC.address, parseUnits('12000', 6), VARIABLE, 0, wallet);
    });
    after(async () => {
        await gateway?.stop();
        world?.stop();
    });

    /** A transaction of any account. */
    async function as(who, address, abi, name, ...args) {
        await base.send('anvil_impersonateAccount', [who]);
        const sent = await new Contract(address, abi, new JsonRpcSigner(base, who))[name](...args, { gasLimit: 3_000_000n });
        await sent.wait();
        await base.send('anvil_stopImpersonatingAccount', [who]);
    }
    const configure = (name, symbol, ...args) => as(BUILDER, world.chain.lending.aave.configurator, CONFIGURATOR, name, world.chain.tokens[symbol].address, ...args);

    /** What `change` makes of the chain is undone afterwards. */
    async function meanwhile(change, check) {
        const point = await base.send('evm_snapshot', []);
        try {
            await change();
            await check();
        } finally {
            await base.send('evm_revert', [point]);
        }
    }
    const says = async (error, ...calls) => {
        for (const [path, json] of calls) refused(await post(agent, path, { chain: 'base', ...json }), error);
    };
    const weth = (amount) => ({ asset: 'WETH', amount }), usdc = (amount) => ({ asset: 'USDC', amount });

    test('that is closed says how', async () => {
        await meanwhile(() => configure('setReserveFreeze', 'USDC', true), () => says('Market is frozen', ['supply', usdc('1')], ['borrow', usdc('1')]));
        await meanwhile(() => configure('setReservePause', 'WETH', true), () => says('Market is paused', ['supply', weth('1')], ['withdraw', weth('1')]));
        await meanwhile(() => configure('setReserveBorrowing', 'USDC', false), () => says('Borrowing is not enabled for this asset', ['borrow', usdc('1')]));
        await meanwhile(() => configure('setSupplyCap', 'USDC', 1), () => says('Supply cap reached', ['supply', usdc('10')]));
        await meanwhile(() => configure('setBorrowCap', 'USDC', 1), () => says('Borrow cap reached', ['borrow', usdc('10')]));
        // What it lists is seconds old: the lender itself says no.
        const off = { asset: 'DAI', enabled: true };
        await meanwhile(async () => {
            const { DAI } = world.chain.tokens, { pool, reserves: { DAI: { threshold, bonus } } } = world.chain.lending.aave;
            await base.send('anvil_dealERC20', [wallet, DAI.address, toBeHex(world.units('10', 'DAI'))]);
            await configure('configureReserveAsCollateral', 'DAI', 0, threshold, bonus);
            await as(wallet, DAI.address, ['function approve(address, uint256)'], 'approve', pool, MaxUint256);
            await as(wallet, pool, POOL, 'supply', DAI.address, world.units('10', 'DAI'), wallet, 0);
        }, () => says('collateral is not possible in this market', ['collateral', off]));
    });

    test('that has lent all that it has has no liquidity', async () => {
        const { aToken } = world.chain.lending.aave.reserves.USDC, { address } = world.chain.tokens.USDC;
        await meanwhile(() => base.send('anvil_dealERC20', [aToken, address, toBeHex(5n)]),
            () => says('Insufficient liquidity in this market', ['borrow', usdc('10')]));
    });

    test('keeps the health factor above the floor', async () => {
        await says('Health factor would fall below 1.05', ['withdraw', weth('9')], ['withdraw', weth('max')], ['borrow', usdc('11900')], ['collateral', { asset: 'WETH', enabled: false }]);
        await says('Insufficient collateral', ['borrow', usdc('13000')]);
        const strict = await startGateway([`rpc.base = ${world.url}`, 'rpc.polygon =', 'lend_min_health_factor = 1.9']);
        try {
            const there = (path, json) => send('POST', `${API}/lend/${path}`, { key: agent.key, base: strict.base, json: { chain: 'base', ...json } });
            refused(await there('withdraw', weth('1')), 'Health factor would fall below 1.9');
            const { wouldExecute, healthFactorBefore, healthFactorAfter, checks } = granted(await there('simulate', { type: 'borrow', ...usdc('2000') }));
            assert.deepEqual([wouldExecute, failing({ checks }), healthFactorBefore.toFixed(2), healthFactorAfter.toFixed(2)], [false, ['health_factor'], '2.06', '1.77']);
            assert.equal(granted(await there('simulate', { type: 'borrow', ...usdc('500') })).wouldExecute, true);
        } finally {
            await strict.stop();
        }
    });

    test('is understood in the errors of its newer versions', async () => {
        const user = await userOf(world, ['WETH', '1']);
        await meanwhile(async () => { world.stub = await refusingPool(world, user.wallet); }, async () => {
            for (const [selector, error] of [
                ['0x90cd6f24', 'Market is not active'], ['0x6d305815', 'Market is frozen'], ['0xd37f5f1c', 'Market is paused'],
                ['0x53587745', 'Borrowing is not enabled for this asset'], ['0x6679996d', 'Health factor would fall below 1.05'],
                ['0x911ceb81', 'Insufficient collateral'], ['0x77a6a896', 'Borrow cap reached'], ['0xe43ec917', 'Insufficient collateral'],
                ['0x5b263df7', 'Insufficient collateral'],
            ]) {
                await user.act(world.stub, 'refuse', wallet, selector);
                await says(error, ['borrow', usdc('1')]);
            }
            for (const [selector, error, path, json] of [
                ['0xf58f733a', 'Supply cap reached', 'supply', weth('1')], ['0x47bc4b2c', 'Amount exceeds supplied balance', 'withdraw', weth('1')],
                ['0x5fe10377', 'Amount exceeds supplied balance', 'collateral', { asset: 'WETH', enabled: true }],
                ['0xf0788fb2', 'No debt to repay', 'repay', usdc('1')], ['0xb77e1e0f', 'Market not found', 'supply', weth('1')],
                ['0x2c5211c6', 'Amount must be a positive number', 'supply', weth('1')],
            ]) {
                await user.act(world.stub, 'refuse', wallet, selector);
                await says(error, [path, json]);
            }
        });
    });

    test('is owed to the unit what was borrowed and its interest, after a month, by what positions say', async () => {
        const { pool } = world.chain.lending.aave, WETH = world.chain.tokens.WETH.address, blue = marketOf(world, 'USDC', 'WETH');
        const owed = {
            'aave-v3': async (who) => (await world.dataProvider.getUserReserveData(world.chain.tokens.USDC.address, who)).debt,
            morpho: async (who) => (await heldAtMorpho(world, blue, who, (await base.getBlock('latest')).timestamp))[1],
        };
        const pledge = {
            'aave-v3': (who) => as(who, pool, POOL, 'supply', WETH, parseEther('5'), who, 0),
            morpho: (who) => as(who, MORPHO, MORPHO_ABI, 'supplyCollateral', blue.params, parseEther('5'), who, '0x'),
        };
        const borrower = async (protocol, market) => {
            const one = await register();
            one.base = gateway.base;
            const who = await one.wallet();
            await base.send('anvil_setBalance', [who, toBeHex(parseEther('10'))]);
            await base.send('anvil_dealERC20', [who, WETH, toBeHex(parseEther('5'))]);
            await as(who, WETH, ['function approve(address, uint256)'], 'approve', protocol === 'morpho' ? MORPHO : pool, MaxUint256);
            await pledge[protocol](who);
            await accepted(one, 'borrow', { market, amount: '3000' });
            await until('the debt', async () => await owed[protocol](who) > 0n);
            return { one, who, market, protocol, spender: protocol === 'morpho' ? MORPHO : pool };
        };
        let borrowers;
        await meanwhile(async () => {
            borrowers = [await borrower('aave-v3', aaveId('base', 'USDC')), await borrower('morpho', blue.id)];
            await world.pass(MONTH_S);
        }, async () => {
            for (const { one, who, market, protocol, spender } of borrowers) {
                const { positions } = granted(await one.get('/lend/positions?chain=base'));
                const units = parseUnits(positions.find(({ market: id }) => id === market).borrowed, 6);
                assert.equal(units, await owed[protocol](who), protocol);
                assert.ok(units > parseUnits('3001', 6), `${protocol}: ${units}`);
                await base.send('anvil_dealERC20', [who, world.chain.tokens.USDC.address, toBeHex(parseUnits('4000', 6))]);
                const repay = await accepted(one, 'repay', { market, amount: 'max' });
                assert.ok(parseUnits(repay.amount, 6) >= units, repay.amount);
                await until(`the debt at ${protocol} to be gone`, async () => await owed[protocol](who) === 0n);
                await until('the allowance to be gone', async () => await world.at(world.chain.tokens.USDC.address, ['function allowance(address, address) view returns (uint256)'])
                    .allowance(who, spender) === 0n);
            }
        });
    });

    test('counts interest until the block: after a month all can be repaid, and taken out', async () => {
        await meanwhile(() => world.pass(MONTH_S), async () => {
            const debt = async () => (await world.dataProvider.getUserReserveData(world.chain.tokens.USDC.address, wallet)).debt;
            assert.ok(await debt() > parseUnits('12010', 6), formatUnits(await debt(), 6));
            const repay = granted(await post(agent, 'repay', { chain: 'base', ...usdc('max') })).operation;
            assert.ok(Number(repay.amount) > 12010, repay.amount);
            await until('the debt to be gone', async () => await debt() === 0n);
            await until('the allowance to be gone', async () => await world.at(world.chain.tokens.USDC.address, ['function allowance(address, address) view returns (uint256)'])
                .allowance(wallet, world.pool.target) === 0n);
            // No job follows it here.
            const { checks, healthFactorAfter } = await rehearsed(agent, { type: 'withdraw', chain: 'base', ...weth('max') });
            assert.deepEqual([failing({ checks }), healthFactorAfter], [['no_other_operation'], null]);
            refused(await post(agent, 'withdraw', { chain: 'base', ...weth('max') }), 'Operation in progress');
        });
    });
});

test('a node that is silent or lies fails an operation, and nothing is signed', async () => {
    const cut = await startGateway(['rpc.base = http://127.0.0.1:1', 'rpc.polygon =']);
    try {
        const agent = await register();
        await agent.wallet();
        const there = (path, json) => send('POST', `${API}/lend/${path}`, { key: agent.key, base: cut.base, json, mayBreak: true });
        refused(await there('supply', { chain: 'base', asset: 'ETH', amount: '1' }), 'Lending operation failed');
        refused(await there('simulate', { type: 'supply', chain: 'base', asset: 'ETH', amount: '1' }), 'Lending operation failed');
    } finally {
        await cut.stop();
    }
});
