// Section: api
// POST /swap: unsigned transactions, signed and sent here with a wallet of another make.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ZeroAddress } from 'ethers';
import { granted, hasMembers, isAmount, refused, register, registerUnlimited, show } from './lib.mjs';
import {
    APPROVE, CHAINS, balance, erc20, feesPaid, give, mined, outsider, routers, token, units,
} from './chain.mjs';

const agent = await registerUnlimited();
const PAYER = '0x1111111111111111111111111111111111111111';
const HEX = /^0x(0|[1-9a-f][0-9a-f]*)$/;

const build = (json) => agent.post('/swap', json);

/** Checks the form of an answer and returns it. */
function built(answer, chain, from, to, amount, slippage = 0.03) {
    const body = granted(answer);
    const { transaction, meta, approvals } = body;
    const call = (request) => {
        assert.match(request.to, /^0x[0-9a-fA-F]{40}$/);
        assert.match(request.data, /^0x([0-9a-f]{2}){4,}$/);
        assert.match(request.value, HEX);
        assert.match(request.gas_estimate, HEX);
        assert.ok(BigInt(request.gas_estimate) >= 21_000n && BigInt(request.gas_estimate) <= 5_000_000n, request.gas_estimate);
        assert.equal(request.chain_id, CHAINS[chain].id);
        assert.deepEqual([request.type, request.from, request.gas_limit], ['evm', transaction.from, request.gas_estimate]);
        assert.match(request.gas_price, HEX);
        assert.ok(BigInt(request.gas_price) > 0n && BigInt(request.gas_price) < 1_000_000_000_000n, request.gas_price);
    };
    call(transaction);
    hasMembers(transaction, ['type', 'from', 'to', 'data', 'value', 'gas_estimate', 'gas_limit', 'gas_price', 'chain_id']);
    assert.equal(BigInt(transaction.value), from === 'ETH' ? units(chain, 'ETH', amount) : 0n);
    if (from !== 'ETH') assert.equal(transaction.value, '0x0');
    assert.ok(routers(chain).includes(transaction.to), `${transaction.to} is no exchange`);
    hasMembers(meta, ['from_token', 'to_token', 'amount_in', 'expected_out', 'min_out']);
    assert.deepEqual([meta.from_token, meta.to_token, meta.amount_in], [from, to, amount]);
    for (const name of ['expected_out', 'min_out']) isAmount(meta[name], token(chain, to).decimals, name);
    const least = units(chain, to, meta.expected_out) * BigInt(Math.round((1 - slippage) * 1e6)) / 1_000_000n;
    assert.equal(units(chain, to, meta.min_out), least);
    assert.ok(Array.isArray(approvals), show(answer));
    for (const approval of approvals) {
        call(approval);
        assert.equal(approval.to, token(chain, from).address);
        assert.equal(approval.value, '0x0');
    }
    described(body, chain);
    return body;
}

/** What older clients read says the same, and what to do stands there in words, in order. */
function described({ quote_id: id, chain_type: type, swap, meta, approvals, instructions, good_until: until }, chain) {
    assert.match(id, /^q_[0-9a-f]{32}$/);
    assert.equal(type, 'evm');
    assert.deepEqual(swap, {
        from_chain: chain, to_chain: chain, from_token: meta.from_token, to_token: meta.to_token,
        amount_in: meta.amount_in, expected_amount_out: meta.expected_out, minimum_amount_out: meta.min_out,
    });
    assert.equal(instructions.length, approvals.length + 1);
    instructions.slice(0, -1).forEach((said, i) => assert.ok(said.startsWith(`Sign and send approvals[${i}] on ${chain} `), said));
    assert.ok(instructions.at(-1).startsWith(`Sign and send transaction on ${chain} `), instructions.at(-1));
    assert.ok(instructions.at(-1).endsWith(`swaps ${meta.amount_in} ${meta.from_token} for at least ${meta.min_out} ${meta.to_token}`), instructions.at(-1));
    const minutes = (Date.parse(until) - Date.now()) / 60_000;
    assert.ok(minutes > 18 && minutes <= 21, until);
}

const approvedBy = ({ approvals }) => approvals.map(({ data }) => [...APPROVE.decodeFunctionData('approve', data)]);

const request = ({ to, data, value, gas_estimate }) => ({ to, data, value, gasLimit: gas_estimate });

/** Signs and sends what was built and compares the balances with what was promised. */
async function carryOut(wallet, chain, { transaction, approvals, meta }, from, to) {
    const [sentBefore, gotBefore] = [await balance(chain, wallet.address, from), await balance(chain, wallet.address, to)];
    const receipts = [];
    for (const each of [...approvals, transaction]) receipts.push(await mined(wallet, request(each)));
    const fees = await feesPaid(chain, receipts.map(({ hash }) => hash));
    const fee = (symbol) => (symbol === 'ETH' ? fees : 0n);
    assert.equal(sentBefore - await balance(chain, wallet.address, from) - fee(from), units(chain, from, meta.amount_in));
    const got = await balance(chain, wallet.address, to) - gotBefore + fee(to);
    assert.ok(got >= units(chain, to, meta.min_out), `${got} arrived instead of ${meta.min_out}`);
    assert.ok(got * 100n >= units(chain, to, meta.expected_out) * 98n, `${got} arrived instead of ${meta.expected_out}`);
    if (from === 'ETH') return;
    for (const [spender] of approvedBy({ approvals })) assert.equal(await erc20(chain, from).allowance(wallet.address, spender), 0n);
}

const TRADES = [
    ['ethereum', 'ETH', 'USDC', '1.5'],
    ['ethereum', 'USDC', 'ETH', '1500.25'],
    ['ethereum', 'USDT', 'ETH', '700'],
    ['ethereum', 'USDT', 'USDC', '500'],
    ['ethereum', 'USDC', 'WBTC', '9000'],
    ['ethereum', 'WBTC', 'USDT', '0.02'],
    ['base', 'ETH', 'DAI', '0.7'],
    ['base', 'DAI', 'ETH', '2000'],
    ['base', 'USDC', 'DAI', '1000'],
    ['base', 'WETH', 'USDC', '0.25'],
];

async function rich(chain, from, amount) {
    const wallet = await outsider(chain, 10);
    if (from !== 'ETH') await give(chain, wallet.address, from, amount);
    return wallet;
}

test('a transaction built from a quote succeeds when its receiver signs it', { concurrency: true }, async (t) => {
    await Promise.all(TRADES.map(([chain, from, to, amount]) => t.test(`${amount} ${from} to ${to} on ${chain}`, async () => {
        const wallet = await rich(chain, from, amount);
        const quote = await agent.quote(from, to, amount, { chain, slippage: 0.05 });
        const body = built(await build({ quote_id: quote.quote_id, wallet_address: wallet.address }), chain, from, to, amount, 0.05);
        assert.deepEqual([body.meta.expected_out, body.quote_id, body.transaction.from], [quote.amount_out, quote.quote_id, wallet.address]);
        await carryOut(wallet, chain, body, from, to);
    })));
});

test('a transaction built without a quote succeeds when its receiver signs it', { concurrency: true }, async (t) => {
    await Promise.all(TRADES.map(([chain, from, to, amount]) => t.test(`${amount} ${from} to ${to} on ${chain}`, async () => {
        const wallet = await rich(chain, from, amount);
        const answer = await build({
            wallet_address: wallet.address, from_token: from.toLowerCase(), to_token: token(chain, to).address, amount, chain,
        });
        const body = built(answer, chain, from, to, amount);
        const again = built(await build({ quote_id: body.quote_id, wallet_address: wallet.address }), chain, from, to, amount);
        assert.deepEqual([again.quote_id, again.meta], [body.quote_id, body.meta]);
        await carryOut(wallet, chain, body, from, to);
    })));
});

test('approvals are exact, and come only where they are needed', async () => {
    const wallet = await rich('ethereum', 'USDC', '1000');
    const direct = { wallet_address: wallet.address, from_token: 'USDC', to_token: 'ETH', amount: '1000' };
    const first = built(await build(direct), 'ethereum', 'USDC', 'ETH', '1000');
    assert.deepEqual(approvedBy(first), [[first.transaction.to, 1_000_000_000n]]);
    await mined(wallet, request(first.approvals[0]));
    const second = built(await build(direct), 'ethereum', 'USDC', 'ETH', '1000');
    assert.deepEqual(approvedBy(second), []);
    await carryOut(wallet, 'ethereum', second, 'USDC', 'ETH');
    const native = await build({ wallet_address: wallet.address, from_token: 'ETH', to_token: 'USDC', amount: '1' });
    assert.deepEqual(built(native, 'ethereum', 'ETH', 'USDC', '1').approvals, []);
});

test('Tether is set to zero before its allowance is changed', async () => {
    const wallet = await rich('ethereum', 'USDT', '100');
    const direct = { wallet_address: wallet.address, from_token: 'USDT', to_token: 'ETH', amount: '100' };
    const { transaction: { to: spender } } = built(await build(direct), 'ethereum', 'USDT', 'ETH', '100');
    await mined(wallet, { to: token('ethereum', 'USDT').address, data: APPROVE.encodeFunctionData('approve', [spender, 5n]) });
    const body = built(await build(direct), 'ethereum', 'USDT', 'ETH', '100');
    assert.deepEqual(approvedBy(body), [[spender, 0n], [spender, 100_000_000n]]);
    await carryOut(wallet, 'ethereum', body, 'USDT', 'ETH');
});

test('building consumes nothing', async () => {
    const owner = await register();
    const address = await owner.wallet('base', 2);
    const quote = await owner.quote('ETH', 'USDC', '0.1', { chain: 'base' });
    const ask = () => owner.post('/swap', { quote_id: quote.quote_id, wallet_address: address });
    const [one, two] = [granted(await ask()), granted(await ask())];
    assert.deepEqual(one.meta, two.meta);
    const { swap_id: id } = granted(await owner.execute(quote));
    refused(await ask(), 'Invalid quote_id');
    await owner.completed(id);
});

test('an unsigned swap may be for any address, with or without funds', async () => {
    for (const [from, to, amount] of [['ETH', 'USDC', '1'], ['USDC', 'ETH', '1']]) {
        built(await build({ wallet_address: PAYER, from_token: from, to_token: to, amount }), 'ethereum', from, to, amount);
    }
    const quote = await agent.quote('WBTC', 'USDC', '0.1');
    built(await build({ quote_id: quote.quote_id, wallet_address: PAYER }), 'ethereum', 'WBTC', 'USDC', '0.1');
});

for (const slippage of [0, 0.5, 0.001]) {
    test(`min_out with slippage ${slippage}`, async () => {
        const answer = await build({ wallet_address: PAYER, from_token: 'ETH', to_token: 'WBTC', amount: '1', slippage });
        built(answer, 'ethereum', 'ETH', 'WBTC', '1', slippage);
    });
}

const ALL = { from_token: 'ETH', to_token: 'USDC', amount: '1' };
const MODE = 'Provide quote_id or (from_token, to_token, amount)';

for (const [json, error, fields] of [
    [{}, 'wallet_address is required', ['wallet_address']],
    [ALL, 'wallet_address is required', ['wallet_address']],
    [{ quote_id: 'x' }, 'wallet_address is required', ['wallet_address']],
    [{ wallet_address: null, ...ALL }, 'wallet_address is required', ['wallet_address']],
    [{ wallet_address: PAYER }, MODE, ['quote_id']],
    [{ wallet_address: PAYER, quote_id: null }, MODE, ['quote_id']],
    [{ wallet_address: PAYER, from_token: 'ETH' }, MODE, ['to_token', 'amount']],
    [{ wallet_address: PAYER, from_token: 'ETH', to_token: 'USDC' }, MODE, ['amount']],
    [{ wallet_address: PAYER, to_token: 'USDC', amount: '1' }, MODE, ['from_token']],
    [{ wallet_address: PAYER, from_token: 'ETH', amount: '1', to_token: null }, MODE, ['to_token']],
    [{ wallet_address: PAYER, quote_id: 'nonsense' }, 'Invalid quote_id'],
    [{ wallet_address: PAYER, quote_id: `q_${'0'.repeat(32)}` }, 'Invalid quote_id'],
    [{ wallet_address: PAYER, quote_id: 'x'.repeat(20_000) }, 'Invalid quote_id'],
    [{ wallet_address: PAYER, quote_id: "' OR 1=1 --" }, 'Invalid quote_id'],
    [{ wallet_address: 'nonsense', ...ALL }, 'wallet_address is not a valid address', ['wallet_address']],
    [{ wallet_address: '0x11', ...ALL }, 'wallet_address is not a valid address', ['wallet_address']],
    [{ wallet_address: PAYER, ...ALL, amount: '0' }, 'Amount must be a positive number', ['amount']],
    [{ wallet_address: PAYER, ...ALL, amount: '1e101' }, 'Amount must be a positive number', ['amount']],
    [{ wallet_address: PAYER, ...ALL, amount: '0.0000000000000000001' }, 'Amount must be a positive number', ['amount']],
    [{ wallet_address: PAYER, ...ALL, slippage: 1.5 }, 'Slippage must be between 0 and 1', ['slippage']],
    [{ wallet_address: PAYER, ...ALL, chain: 'nowhere' }, "Unknown chain 'nowhere'", ['chain']],
    [{ wallet_address: PAYER, ...ALL, to_token: 'NOPE' }, "Unknown token 'NOPE' on chain 'ethereum'", ['to_token']],
    [{ wallet_address: PAYER, ...ALL, to_token: 'USDT', chain: 'base' }, "Unknown token 'USDT' on chain 'base'", ['to_token']],
    [{ wallet_address: PAYER, ...ALL, to_token: 'ETH' }, 'from_token and to_token must differ'],
    [{ wallet_address: PAYER, ...ALL, amount: '0.000000000000000001' }, 'Insufficient liquidity for this trade'],
    [{ wallet_address: PAYER, ...ALL, chain: 'linea' }, 'Insufficient liquidity for this trade'],
]) {
    test(`swap ${JSON.stringify(json).slice(0, 120)}: ${error}`, async () => {
        refused(await build(json), error, fields);
    });
}

test('swap with members of wrong types', async () => {
    for (const member of ['wallet_address', 'quote_id', 'from_token', 'to_token', 'chain']) {
        for (const value of [1, true, [], {}, ['x']]) {
            const answer = await build({ wallet_address: PAYER, ...ALL, [member]: value });
            assert.equal(answer.status, 400, show(answer));
            assert.ok(member in (answer.body.fields ?? {}), show(answer));
        }
    }
});

test('another agent\'s quote is no quote', async () => {
    const other = await register();
    const { quote_id: id } = await other.quote('ETH', 'USDC', '1');
    refused(await build({ quote_id: id, wallet_address: PAYER }), 'Invalid quote_id');
    granted(await other.post('/swap', { quote_id: id, wallet_address: ZeroAddress.replace(/0$/, '1') }));
});

test('chains may be named as in a quote, and two are never taken for one', async () => {
    const json = { wallet_address: PAYER, from_token: 'ETH', to_token: 'USDC', amount: '0.1' };
    built(await build({ ...json, from_chain: 'base', to_chain: 'base' }), 'base', 'ETH', 'USDC', '0.1');
    refused(await build({ ...json, from_chain: 'base', to_chain: 'ethereum' }), 'Cross-chain route not available');
    refused(await build({ ...json, from_chain: 'mars' }), "Unknown chain 'mars'", ['from_chain']);
});
