// Section: api
// GET /portfolio: balances to the last digit, as the chains themselves show them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API, granted, hasMembers, isAmount, refused, register, send, show } from './lib.mjs';
import { balance, fund, give, text, token } from './chain.mjs';

const agent = await register();
const address = await agent.wallet();
const second = await agent.wallet();

const HELD = [
    ['ethereum', address, 'ETH', '1.234567890123456789'],
    ['ethereum', address, 'USDC', '1500.25'],
    ['ethereum', address, 'USDT', '0.000001'],
    ['ethereum', address, 'WBTC', '0.00000001'],
    ['ethereum', second, 'WETH', '2'],
    ['base', address, 'ETH', '0.5'],
    ['base', second, 'DAI', '7.000000000000000001'],
];
const MEMBERS = ['success', 'wallet_type', 'chain_filter', 'token_filter', 'total_usd', 'wallets_usd', 'markets_usd', 'debts_usd', 'balances', 'positions', 'in_transit'];
const CENTS = /^(0|[1-9]\d*)\.\d\d$/;
const PRICE = { ETH: 3000, WETH: 3000, USDC: 1, USDT: 1, DAI: 1, WBTC: 60000 };

for (const [chain, wallet, symbol, amount] of HELD) await (symbol === 'ETH' ? fund : give)(...(symbol === 'ETH' ? [chain, wallet, amount] : [chain, wallet, symbol, amount]));

const portfolio = async (query = '') => granted(await agent.get(`/portfolio${query}`));

const rows = ({ balances }) => balances.map(({ chain, wallet_address: wallet, symbol, balance: held }) => [chain, wallet, symbol, held]);

/** Every balance is the chain's own, and all sums are right. */
async function checked(answer) {
    let total = 0;
    for (const each of answer.balances) {
        hasMembers(each, ['symbol', 'name', 'chain', 'address', 'wallet_address', 'balance', 'usd_value'], ['price_source']);
        isAmount(each.balance, token(each.chain, each.symbol).decimals, each.symbol);
        assert.equal(each.balance, text(each.chain, each.symbol, await balance(each.chain, each.wallet_address, each.symbol)).replace(/\.0$/, ''));
        assert.match(each.usd_value, CENTS);
        const worth = Number(each.balance) * PRICE[each.symbol];
        assert.ok(Math.abs(Number(each.usd_value) - worth) <= worth * 0.1 + 0.01, `${each.usd_value} for ${each.balance} ${each.symbol}`);
        total += Number(each.usd_value);
    }
    assert.match(answer.total_usd, CENTS);
    assert.ok(Math.abs(Number(answer.total_usd) - total) <= 0.01 * (answer.balances.length + 1), `${answer.total_usd} instead of ${total}`);
    return answer;
}

test('all wallets on all chains, nothing that is zero', async () => {
    const answer = await checked(await portfolio());
    hasMembers(answer, MEMBERS);
    assert.deepEqual([answer.wallet_type, answer.chain_filter], ['evm', null]);
    assert.deepEqual(rows(answer).sort(), HELD.sort());
});

test('one wallet is chosen by its address in any case', async () => {
    for (const wallet of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]) {
        const answer = await checked(await portfolio(`?wallet_address=${wallet}`));
        assert.equal(answer.wallet_address, address);
        assert.deepEqual(rows(answer).sort(), HELD.filter(([, owner]) => owner === address).sort());
    }
});

for (const [filter, key] of [['base', 'base'], ['BASE', 'base'], ['eth', 'ethereum']]) {
    test(`on ${filter} alone`, async () => {
        const answer = await checked(await portfolio(`?chain=${filter}`));
        assert.equal(answer.chain_filter, key);
        assert.deepEqual(rows(answer).sort(), HELD.filter(([chain]) => chain === key).sort());
        hasMembers(answer, MEMBERS);
    });
}

for (const [name, symbol] of [['USDC', 'USDC'], ['usdc', 'USDC'], [token('ethereum', 'USDC').address, 'USDC']]) {
    test(`of ${name} alone`, async () => {
        const answer = await checked(await portfolio(`?token=${name}`));
        assert.equal(answer.token_filter, name);
        assert.deepEqual(rows(answer).sort(), HELD.filter(([, , held]) => held === symbol).sort());
    });
}

test('of a token and a chain', async () => {
    assert.deepEqual(rows(await checked(await portfolio('?token=ETH&chain=base'))), [['base', address, 'ETH', '0.5']]);
    assert.deepEqual([(await portfolio('?token=DAI&chain=ethereum')).balances, (await portfolio('?token=NOPE')).balances], [[], []]);
});

test('a question for one token is answered with that alone', async () => {
    const { result } = granted(await agent.post('/execute', { command: 'how much USDC do I have?' }));
    assert.deepEqual([result.token_filter, rows(result)], ['USDC', HELD.filter(([, , symbol]) => symbol === 'USDC')]);
});

test('its sums are those of wallets alone for an agent that uses no market', async () => {
    const answer = await portfolio();
    assert.deepEqual([answer.positions, answer.wallets_usd, answer.markets_usd, answer.debts_usd], [[], answer.total_usd, '0.00', '0.00']);
});

test('a chain without a node is named, not shown as empty', async () => {
    const answer = await portfolio('?chain=optimism');
    assert.deepEqual([answer.balances, answer.total_usd, answer.unavailable], [[], '0.00', ['optimism']]);
});

test('an agent without a wallet has an empty portfolio', async () => {
    const answer = await granted(await (await register()).get('/portfolio'));
    assert.deepEqual([answer.balances, answer.total_usd, answer.wallet_type], [[], '0.00', null]);
});

test('many wallets, each with its own', async () => {
    const rich = await register();
    const wallets = [];
    for (let i = 0; i < 20; i++) wallets.push(await rich.wallet('base', `${i}.5`));
    const answer = granted(await rich.get('/portfolio'));
    assert.deepEqual(rows(answer), wallets.map((wallet, i) => ['base', wallet, 'ETH', `${i}.5`]));
});

test('foreign, unknown and malformed wallets', async () => {
    const stranger = await (await register()).wallet();
    for (const wallet of [stranger, `0x${'1'.repeat(40)}`, 'So11111111111111111111111111111111111111112']) {
        const { hint, fields } = refused(await agent.get(`/portfolio?wallet_address=${wallet}`), 'No managed wallet found');
        assert.deepEqual([hint, fields], ['GET /wallets lists the addresses of your wallets', undefined]);
    }
    for (const wallet of ['me', '', '%27', '0x12', '1'.repeat(65)]) {
        refused(await agent.get(`/portfolio?wallet_address=${wallet}`), 'wallet_address is not a valid address', ['wallet_address']);
    }
});

test('an unknown chain', async () => {
    refused(await agent.get('/portfolio?chain=nowhere'), "Unknown chain 'nowhere'", ['chain']);
});

test('without a key', async () => {
    refused(await send('GET', `${API}/portfolio`), 'Invalid or missing API key');
});
