// Section: api
// A member that bounds or directs money is honoured or refused by each call: none is read and dropped. Each of each operation says
// nonsense in turn, and where a call rehearses, something else that makes sense.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Wallet } from 'ethers';
import { fund, give } from './chain.mjs';
import {
    contract, granted, registerUnlimited, show, until,
} from './lib.mjs';

const MONEY = /amount|size|price|slippage|impact|stop|profit|leverage|recipient|^to$|to_wallet|address|chain|token|asset|market|side|^type$|timeInForce|expiration|reduceOnly|postOnly|dry_run|collateral|enabled|marginMode|providers/;
const IDS = /^(quote_id|approval_id)$/; // they stand for all the rest

const { document: { paths, components } } = await contract();
const OPERATIONS = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).filter(([method]) => method === 'post').map(([, { requestBody }]) => {
    const name = requestBody?.content['application/json'].schema.$ref.split('/').pop();
    return { path, members: Object.entries(components.schemas[name]?.properties ?? {}).filter(([each]) => MONEY.test(each) && !IDS.test(each)) };
})).filter(({ members }) => members.length > 0);

const agent = await registerUnlimited();
const [wallet, other] = [await agent.wallet('base', 5), await agent.wallet('base', 5)];
await fund('ethereum', wallet, 4);
for (const [each, dollars] of [[wallet, 1000], [other, 500]]) await give('base', each, 'USDC', dollars);
const [far, farther] = [Wallet.createRandom().address, Wallet.createRandom().address];
const register = async (address) => granted(await agent.post('/withdrawal-addresses', { address }), 201).withdrawal_address.id;
const [, second] = [await register(far), await register(farther)];
await until('its addresses to be active', async () => granted(await agent.get('/withdrawal-addresses')).withdrawal_addresses.every(({ status }) => status === 'active'));

const TRADE = { from_token: 'ETH', to_token: 'USDC', amount: '0.01', chain: 'base', wallet_address: wallet };
const LOAN = { chain: 'base', asset: 'USDC', amount: '5' };
const ORDER = { market: 'ETH-USD', side: 'long', size: '0.01' }, BET = { tokenId: '1', price: '0.4', size: '5', side: 'BUY' };
/** What makes sense to each call; what else says so. */
const SENSE = {
    '/quote': TRADE, '/swap': TRADE, '/swap/simulate': TRADE, '/swap/execute': { quote_id: 'none' }, '/execute': { command: 'quote 0.01 ETH to USDC on base' },
    '/wallets': { chain_type: 'evm' }, '/wallets/withdraw': { token: 'ETH', amount: '0.1', chain: 'base', to: far }, '/wallets/withdraw/simulate': { token: 'ETH', amount: '0.1', chain: 'base', to: far },
    '/withdrawal-addresses': { address: Wallet.createRandom().address }, '/wallet/policy': { type: 'spending_limit', params: { maxAmountUsd: '10', timeWindowSeconds: 60 } },
    '/lend/supply': LOAN, '/lend/withdraw': LOAN, '/lend/borrow': LOAN, '/lend/repay': LOAN, '/lend/collateral': { chain: 'base', asset: 'USDC', enabled: true }, '/lend/simulate': { type: 'supply', ...LOAN },
    '/perps/quote': ORDER, '/perps/order': ORDER, '/perps/close': { market: 'ETH-USD' }, '/perps/leverage': { market: 'ETH-USD', leverage: 3 },
    '/perps/deposit': { amount: '10', chain: 'base' }, '/perps/withdraw': { amount: '10', chain: 'base' },
    '/predict/order': BET, '/predict/quote': BET, '/predict/deposit': { amount: '5' }, '/predict/withdraw': { amount: '5' }, '/predict/redeem': { market: '1' },
};

const nonsense = ({ type }) => ([type].flat().includes('array') ? ['zzzz'] : 'zzzz');

test('every operation and its members are covered', () => {
    assert.deepEqual(OPERATIONS.map(({ path }) => path).filter((path) => SENSE[path] === undefined && path !== '/register'), []);
    assert.ok(OPERATIONS.flatMap(({ members }) => members).length > 120);
});

describe('Nonsense is refused, by its name', { concurrency: 4 }, () => {
    for (const { path, members } of OPERATIONS.filter(({ path }) => SENSE[path] !== undefined)) {
        test(`POST ${path}`, async () => {
            for (const [name, schema] of members) {
                const answer = await agent.post(path, { ...SENSE[path], [name]: nonsense(schema) });
                assert.ok(answer.status >= 400 && answer.status < 500, `${name}: ${show(answer)}`);
                const { error, hint = '', fields = {} } = answer.body;
                assert.ok(fields[name] !== undefined || new RegExp(`${name}|zzzz`, 'i').test(error + hint) || answer.status === 404, `${name}: ${show(answer)}`);
            }
        });
    }
});

describe('Terms that contradict each other, or have no effect, are refused', { concurrency: 4 }, () => {
    for (const [path, terms] of [
        ['/quote', { ...TRADE, from_chain: 'ethereum' }], ['/quote', { ...TRADE, to_wallet_address: far }], ['/swap', { ...TRADE, from_chain: 'ethereum' }],
        ['/swap/simulate', { ...TRADE, to_wallet_address: far }], ['/quote', { ...TRADE, providers: ['uniswap'], exclude_providers: ['uniswap'] }],
        ['/lend/supply', { ...LOAN, chainId: 1 }], ['/lend/supply', { ...LOAN, market: 'aave-v3:8453:WETH' }], ['/lend/supply', { ...LOAN, collateral: true }], ['/lend/withdraw', { ...LOAN, collateral: true }],
        ['/lend/simulate', { type: 'supply', ...LOAN, chainId: 1 }], ['/lend/simulate', { type: 'supply', ...LOAN, enabled: true }], ['/lend/simulate', { type: 'collateral', ...LOAN, enabled: true }],
        ['/lend/simulate', { type: 'borrow', ...LOAN, collateral: true }], ['/lend/supply', { ...LOAN, market: 'aave-v3:8453:USDC', chain: 'ethereum' }],
        ...['/wallets/withdraw', '/wallets/withdraw/simulate'].map((path) => [path, { ...SENSE[path], address_id: second }]),
        ['/perps/order', { ...ORDER, price: '1500' }], ['/perps/order', { ...ORDER, timeInForce: 'IOC' }], ['/perps/order', { ...ORDER, type: 'limit', price: '1500', slippage: '0.01' }],
        ['/predict/order', { ...BET, expiration: '99999999999' }], ['/predict/order', { ...BET, type: 'FOK', postOnly: true }],
        ['/execute', { command: 'quote 0.01 ETH to USDC on base', dry_run: 'yes' }], ['/execute', { command: 'show my swaps', max_price_impact: 0.1 }],
    ]) {
        const [odd] = Object.keys(terms).slice(-1);
        test(`POST ${path}: ${odd}`, async () => {
            const answer = await agent.post(path, terms);
            assert.ok([400, 404].includes(answer.status), show(answer));
        });
    }
});

describe('What makes sense has an effect', { concurrency: 4 }, () => {
    for (const [path, terms, sense = SENSE[path]] of [
        ['/quote', {
            from_token: ['WETH', /"from_token":{"symbol":"WETH"/], to_token: ['DAI', /"to_token":{"symbol":"DAI"/], amount: ['0.02', /"amount_in":"0.02"/], chain: ['ethereum', /"from_chain":"ethereum"/],
            slippage: [0.01, /"slippage":"0.01"/], providers: [['zzzz'], /Unknown provider 'zzzz'/], exclude_providers: [['uniswap'], /^(?!.*"provider":"uniswap")/],
        }],
        ['/quote', { wallet_address: [wallet, /It leaves the wallet without ETH/] }, { ...TRADE, amount: '5', wallet_address: far }],
        ['/swap/simulate', {
            from_token: ['WETH', /0 WETH at hand, 0.01 WETH needed/], to_token: ['DAI', /"expected_output":{"token":"DAI"/], amount: ['0.02', /"amount_in":"0.02"/], chain: ['ethereum', /"4 ETH at hand/],
            slippage: [0.01, /Slippage of 1 % allowed/], wallet_address: [other, new RegExp(other)], max_price_impact: [0, /, 0 % allowed/],
        }],
        ['/wallets/withdraw/simulate', { token: ['USDC', /"token":"USDC"/], amount: ['0.2', /"amount":"0.2"/], chain: ['ethereum', /"chain":"ethereum"/], to: [farther, new RegExp(farther)] }],
        ['/lend/simulate', {
            type: ['withdraw', /"detail":"0 USDC at hand, 0 USDC needed/], chain: ['ethereum', /it has 1000 USDC on base/], asset: ['WETH', /5 WETH needed/], amount: ['6', /6 USDC needed/],
            wallet_address: [other, /500 USDC at hand/],
        }],
        ['/perps/quote', { market: ['BTC-USD', /"market":"BTC-USD"/], side: ['short', /"side":"short"/], size: ['0.02', /"size":0.02/], leverage: ['2', /"leverage":2/] }],
    ]) {
        test(`POST ${path}: ${Object.keys(terms).join(', ')}`, async () => {
            const { text: before } = await agent.post(path, sense);
            for (const [name, [value, effect]] of Object.entries(terms)) {
                const { text: after } = await agent.post(path, { ...sense, [name]: value });
                assert.doesNotMatch(before, effect, name);
                assert.match(after, effect, name);
            }
        });
    }
});
