// Section: api
// POST /quote.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    Contract, MaxUint256, ZeroAddress, formatEther, solidityPacked,
} from 'ethers';
import {
    CANONICAL, granted, isAmount, refused, register, registerUnlimited, show,
} from './lib.mjs';
import { CHAINS, provider, text, token, units } from './chain.mjs';

const agent = await registerUnlimited();
const quote = (json) => agent.post('/quote', json);
const ETH_USDC = { from_token: 'ETH', to_token: 'USDC', amount: '1' };
const NO_TOKEN = '0x000000000000000000000000000000000000dEaD';

// ---------------------------------------------------------------- what the pools say

const ROUTER_V2 = ['function getAmountsOut(uint256, address[]) view returns (uint256[])'];
const QUOTER = ['function quoteExactInput(bytes, uint256) returns (uint256 amountOut, uint160[], uint32[], uint256)'];
const TIERS = [100, 500, 3000];

/** The most that one path through the pools gives, asked of the exchanges themselves. */
async function bestOf(chain, from, to, amount) {
    const { v2, v3, tokens } = CHAINS[chain];
    const router = new Contract(v2.router, ROUTER_V2, provider(chain));
    const quoter = new Contract(v3.quoter, QUOTER, provider(chain));
    const end = (symbol) => (symbol === 'ETH' ? tokens.WETH : tokens[symbol]).address;
    const [a, b] = [end(from), end(to)];
    const middles = Object.values(tokens).map(({ address }) => address).filter((address) => address !== a && address !== b);
    const asked = [[a, b], ...middles.map((middle) => [a, middle, b])].flatMap((path) => [
        router.getAmountsOut(amount, path).then((amounts) => amounts.at(-1)),
        ...tierChoices(path.length - 1).map((tiers) => quoter.quoteExactInput.staticCall(packed(path, tiers), amount).then(([out]) => out)),
    ]);
    const found = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled').map(({ value }) => value);
    return found.reduce((best, out) => (out > best ? out : best), 0n);
}

function tierChoices(hops) {
    return hops === 1 ? TIERS.map((tier) => [tier]) : TIERS.flatMap((one) => TIERS.map((two) => [one, two]));
}

function packed(path, tiers) {
    const types = path.flatMap((_, i) => (i === 0 ? ['address'] : ['uint24', 'address']));
    return solidityPacked(types, path.flatMap((address, i) => (i === 0 ? [address] : [tiers[i - 1], address])));
}

// ---------------------------------------------------------------- good quotes

const PAIRS = [
    ['ethereum', 'ETH', 'USDC', '1'],
    ['ethereum', 'ETH', 'USDT', '0.5'],
    ['ethereum', 'ETH', 'WBTC', '2'],
    ['ethereum', 'USDC', 'ETH', '3000'],
    ['ethereum', 'USDT', 'ETH', '1234.56'],
    ['ethereum', 'WBTC', 'ETH', '0.01'],
    ['ethereum', 'WETH', 'USDC', '1'],
    ['ethereum', 'USDC', 'USDT', '1000'],
    ['ethereum', 'USDC', 'WBTC', '60000'],
    ['ethereum', 'WBTC', 'USDT', '0.5'],
    ['ethereum', 'USDT', 'WETH', '10'],
    ['ethereum', 'ETH', 'USDC', '100'],
    ['ethereum', 'ETH', 'USDC', '0.000001'],
    ['ethereum', 'USDC', 'ETH', '0.000001'],
    ['base', 'ETH', 'USDC', '1'],
    ['base', 'ETH', 'DAI', '0.123456789012345678'],
    ['base', 'ETH', 'DAI', '100'],
    ['base', 'USDC', 'ETH', '3000'],
    ['base', 'DAI', 'ETH', '3000.5'],
    ['base', 'DAI', 'USDC', '1000'],
    ['base', 'USDC', 'DAI', '1000'],
    ['base', 'WETH', 'DAI', '1'],
];

for (const [chain, from, to, amount] of PAIRS) {
    test(`${amount} ${from} to ${to} on ${chain}`, async () => {
        const sent = units(chain, from, amount);
        const before = await bestOf(chain, from, to, sent);
        const body = granted(await quote({ from_token: from, to_token: to, amount, chain }));
        const after = await bestOf(chain, from, to, sent);
        for (const [side, symbol] of [[body.from_token, from], [body.to_token, to]]) {
            assert.deepEqual([side.symbol, side.chain, side.address], [symbol, chain, token(chain, symbol).address]);
        }
        assert.equal(body.amount_in, amount);
        assert.deepEqual(
            [body.chain_type, body.from_chain, body.to_chain, body.slippage],
            ['evm', chain, chain, '0.03'],
        );
        assert.ok(body.route.startsWith(`${from} → ${to} via ${body.dex}: `), body.route);
        isAmount(body.amount_out, token(chain, to).decimals, 'amount_out');
        assert.equal(body.expires_in_seconds, 60);
        // A few hundred thousand units of gas at the price of an idle chain.
        isAmount(body.estimated_gas_usd, 6, 'estimated_gas_usd');
        assert.ok(Number(body.estimated_gas_usd) > 0 && Number(body.estimated_gas_usd) < 10, body.estimated_gas_usd);
        assert.equal(body.estimated_time_seconds, { ethereum: 24, base: 1 }[chain]);
        assert.ok(typeof body.quote_id === 'string' && body.quote_id.length >= 22, body.quote_id);
        assert.match(body.exchange_rate, CANONICAL);
        const rate = Number(body.amount_out) / Number(body.amount_in);
        assert.ok(Math.abs(Number(body.exchange_rate) / rate - 1) < 1e-5, `rate ${body.exchange_rate} instead of ${rate}`);
        // The best path net of gas gives at most a little less than the best one, which may move in between.
        const out = units(chain, to, body.amount_out);
        const [low, high] = before < after ? [before, after] : [after, before];
        const market = `${text(chain, to, low)} to ${text(chain, to, high)}`;
        assert.ok(out <= high && out * 1000n >= low * 995n, `${body.amount_out} is not near ${market}`);
    });
}

test('the price is the market\'s, not the pool\'s that happens to be asked', async () => {
    for (const [chain, from, to, amount, wanted] of [
        ['ethereum', 'ETH', 'USDC', '1', 3000], ['base', 'ETH', 'DAI', '1', 3000],
        ['ethereum', 'WBTC', 'USDC', '0.1', 6000], ['base', 'USDC', 'DAI', '100', 100],
    ]) {
        const body = granted(await quote({ from_token: from, to_token: to, amount, chain }));
        assert.ok(Math.abs(Number(body.amount_out) / wanted - 1) < 0.05, `${amount} ${from} for ${body.amount_out} ${to}`);
    }
});

test('ethereum is the chain when none is named', async () => {
    const body = granted(await quote(ETH_USDC));
    assert.deepEqual([body.from_token.chain, body.to_token.chain], ['ethereum', 'ethereum']);
});

for (const [what, json, chain] of [
    ['a chain\'s alias', { chain: 'eth' }, 'ethereum'],
    ['a chain in capitals', { chain: 'BASE' }, 'base'],
    ['both sides\' chains', { from_chain: 'base', to_chain: 'base' }, 'base'],
    ['both sides\' chains, once as an alias', { from_chain: 'eth', to_chain: 'Ethereum' }, 'ethereum'],
    ['sides that override the chain', { chain: 'base', from_chain: 'ethereum', to_chain: 'ethereum' }, 'ethereum'],
    ['one side and the chain that is the same', { chain: 'base', from_chain: 'base' }, 'base'],
    ['one side that is the default chain', { to_chain: 'ethereum' }, 'ethereum'],
    ['null for the chain', { chain: null, from_chain: null, to_chain: null, wallet_address: null, slippage: null }, 'ethereum'],
    ['lower-case symbols', { from_token: 'eth', to_token: 'usdc' }, 'ethereum'],
    ['mixed-case symbols', { from_token: 'Eth', to_token: 'uSdC' }, 'ethereum'],
    ['addresses', { from_token: ZeroAddress, to_token: CHAINS.ethereum.tokens.USDC.address }, 'ethereum'],
    ['lower-case addresses', { from_token: ZeroAddress, to_token: CHAINS.base.tokens.USDC.address.toLowerCase(), chain: 'base' }, 'base'],
    ['a wallet address', { wallet_address: '0x1111111111111111111111111111111111111111' }, 'ethereum'],
    ['no slippage at all', { slippage: 0 }, 'ethereum'],
    ['any slippage', { slippage: 1 }, 'ethereum'],
    ['a small slippage', { slippage: 0.000001 }, 'ethereum'],
    ['a slippage with an exponent', { slippage: 1e-3 }, 'ethereum'],
]) {
    test(`quote with ${what}`, async () => {
        const body = granted(await quote({ ...ETH_USDC, ...json }));
        const sides = [body.from_token, body.to_token].map((side) => [side.symbol, side.chain, side.address]);
        assert.deepEqual(sides, [['ETH', chain, ZeroAddress], ['USDC', chain, CHAINS[chain].tokens.USDC.address]]);
    });
}

test('slippage is never more than was said', async () => {
    for (const [given, taken] of [[0.9999999, '0.999999'], [0.0000006, '0'], [0.0299999, '0.029999']]) {
        const { slippage, amount_out: out, amount_out_min: least } = granted(await quote({ ...ETH_USDC, slippage: given }));
        assert.equal(slippage, taken);
        assert.equal(units('ethereum', 'USDC', least), units('ethereum', 'USDC', out) * BigInt(Math.round((1 - Number(taken)) * 1e6)) / 1_000_000n);
    }
});

test('a number with an exponent in the text of the request is still a slippage', async () => {
    const body = '{"from_token":"ETH","to_token":"USDC","amount":"1","slippage":1e-2}';
    granted(await agent.send('POST', '/quote', { body, headers: { 'content-type': 'application/json' } }));
});

test('whole numbers beyond 64 bits get the wording of the field that they stand in', async () => {
    for (const [member, error] of [
        ['slippage', 'Slippage must be between 0 and 1'], ['from_token', 'Validation failed'],
    ]) {
        for (const digits of ['9223372036854775808', '-9223372036854775809', '100000000000000000000']) {
            const { [member]: _, ...others } = { ...ETH_USDC, amount: '1' };
            const body = `${JSON.stringify(others).slice(0, -1)},"${member}":${digits}}`;
            refused(await agent.send('POST', '/quote', { body, headers: { 'content-type': 'application/json' } }), error, [member]);
        }
    }
    for (const digits of ['-9223372036854775809', '1e101']) { // amounts have any precision
        const body = JSON.stringify(ETH_USDC).replace(/"amount":"[^"]*"/, `"amount":${digits}`);
        refused(await agent.send('POST', '/quote', { body, headers: { 'content-type': 'application/json' } }), 'Amount must be a positive number', ['amount']);
    }
    const body = `${JSON.stringify(ETH_USDC).slice(0, -1)},"unknown":18446744073709551616}`;
    refused(await agent.send('POST', '/quote', { body, headers: { 'content-type': 'application/json' } }), "Unknown field 'unknown'", ['unknown']);
});

for (const [amount, kept] of [['1.50', '1.5'], ['2.000', '2'], ['10', '10'], ['0.10', '0.1'], ['100', '100']]) {
    test(`amount ${amount} leaves as ${kept}`, async () => {
        assert.equal(granted(await quote({ ...ETH_USDC, amount })).amount_in, kept);
    });
}

test('every quote has an id of its own', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => agent.quote('ETH', 'USDC', '0.01')));
    assert.equal(new Set(made.map(({ quote_id: id }) => id)).size, 20);
});

// ---------------------------------------------------------------- refusals

for (const [json, error, fields] of [
    [{}, 'from_token is required', ['from_token', 'to_token', 'amount']],
    [{ to_token: 'USDC', amount: '1' }, 'from_token is required', ['from_token']],
    [{ from_token: null, to_token: 'USDC', amount: '1' }, 'from_token is required', ['from_token']],
    [{ from_token: 'ETH', amount: '1' }, 'to_token is required', ['to_token']],
    [{ from_token: 'ETH', to_token: null, amount: '1' }, 'to_token is required', ['to_token']],
    [{ ...ETH_USDC, amount: '-1', slippage: 7 }, 'Amount must be a positive number', ['amount', 'slippage']],
    [{ to_token: 'USDC', amount: '0', slippage: -1 }, 'from_token is required', ['from_token', 'amount', 'slippage']],
    [{ ...ETH_USDC, chain: 'nowhere' }, "Unknown chain 'nowhere'", ['chain']],
    [{ ...ETH_USDC, from_chain: 'nowhere' }, "Unknown chain 'nowhere'", ['from_chain']],
    [{ ...ETH_USDC, to_chain: 'nowhere' }, "Unknown chain 'nowhere'", ['to_chain']],
    [{ ...ETH_USDC, chain: 'base ' }, "Unknown chain 'base '"],
    [{ ...ETH_USDC, chain: '1' }, "Unknown chain '1'"],
    [{ ...ETH_USDC, chain: "'; --" }, "Unknown chain ''; --'"],
    [{ ...ETH_USDC, from_token: 'NOPE' }, "Unknown token 'NOPE' on chain 'ethereum'", ['from_token']],
    [{ ...ETH_USDC, to_token: 'NOPE' }, "Unknown token 'NOPE' on chain 'ethereum'", ['to_token']],
    [{ ...ETH_USDC, from_token: 'NOPE', chain: 'eth' }, "Unknown token 'NOPE' on chain 'ethereum'"],
    [{ ...ETH_USDC, to_token: 'DAI' }, "Unknown token 'DAI' on chain 'ethereum'"],
    [{ ...ETH_USDC, to_token: 'USDT', chain: 'base' }, "Unknown token 'USDT' on chain 'base'"],
    [{ ...ETH_USDC, to_token: NO_TOKEN }, `Unknown token '${NO_TOKEN}' on chain 'ethereum'`],
    [{ ...ETH_USDC, to_token: '0x123' }, "Unknown token '0x123' on chain 'ethereum'"],
    [{ ...ETH_USDC, to_token: '🚀' }, "Unknown token '🚀' on chain 'ethereum'"],
    [{ ...ETH_USDC, to_token: 'ETH' }, 'from_token and to_token must differ'],
    [{ ...ETH_USDC, to_token: 'eth' }, 'from_token and to_token must differ'],
    [{ ...ETH_USDC, to_token: ZeroAddress }, 'from_token and to_token must differ'],
    [{ ...ETH_USDC, from_chain: 'ethereum', to_chain: 'base' }, 'Cross-chain route not available'],
    [{ ...ETH_USDC, to_chain: 'base' }, 'Cross-chain route not available'],
    [{ ...ETH_USDC, chain: 'base', to_chain: 'ethereum' }, 'Cross-chain route not available'],
    [{ ...ETH_USDC, to_chain: 'fantom' }, 'Cross-chain route not available'],
    [{ ...ETH_USDC, to_chain: 'sui' }, 'Cross-chain route not available'],
    [{ ...ETH_USDC, from_token: 'FTM', chain: 'fantom' }, 'Insufficient liquidity for this trade'],
    [{ ...ETH_USDC, chain: 'optimism' }, 'Insufficient liquidity for this trade'],
    [{ ...ETH_USDC, chain: 'linea' }, 'Insufficient liquidity for this trade'],
    [{ ...ETH_USDC, from_token: 'MNT', chain: 'mantle' }, 'Insufficient liquidity for this trade'],
    [{ ...ETH_USDC, from_token: 'xDAI', chain: 'gnosis' }, 'Insufficient liquidity for this trade'],
    [{ ...ETH_USDC, chain: 'scroll' }, 'Insufficient liquidity for this trade'],
    [{ ...ETH_USDC, from_token: 'SUI', chain: 'sui' }, 'Insufficient liquidity for this trade'],
    [{ ...ETH_USDC, amount: '0.000000000000000001' }, 'Insufficient liquidity for this trade'],
    [{ ...ETH_USDC, amount: formatEther(MaxUint256) }, 'Insufficient liquidity for this trade'],
    [{ ...ETH_USDC, amount: '0.0000000000000000001' }, 'Amount must be a positive number', ['amount']],
    [{ from_token: 'WBTC', to_token: 'ETH', amount: '0.000000001' }, 'Amount must be a positive number', ['amount']],
]) {
    test(`quote ${JSON.stringify(json).slice(0, 110)}: ${error}`, async () => {
        const body = refused(await quote(json), error, fields);
        if (/Insufficient|route/.test(error)) assert.equal(typeof body.hint, 'string');
    });
}

test('a coin and its wrapped form are one to one', async () => {
    for (const [from, to, dex] of [['ETH', 'WETH', 'wrap'], ['WETH', 'ETH', 'unwrap']]) {
        const body = granted(await quote({ from_token: from, to_token: to, amount: '1.5', chain: 'base' }));
        assert.deepEqual([body.amount_out, body.dex, body.route, body.price_impact], ['1.5', dex, `${from} → ${to} via ${dex}: the only offer`, '0']);
        const [{ provider, amount_out, amount_out_min, estimated_gas, selected, fees_usd }] = body.routes;
        assert.deepEqual([body.routes.length, provider, body.routes[0].dex, amount_out, estimated_gas, selected, fees_usd], [1, 'wrapped', dex, '1.5', 45000, true, '0']);
        assert.equal(amount_out_min, body.amount_out_min);
    }
});

test('a refused quote says why: too little, a chain that is not traded here, or a pair without a pool', async () => {
    const hint = async (json) => refused(await quote(json), 'Insufficient liquidity for this trade').hint;
    for (const amount of ['0.000000000000000001', '0.00000000000000001']) assert.match(await hint({ ...ETH_USDC, amount }), /too small to yield anything/);
    assert.match(await hint({ from_token: 'USDC', to_token: 'WBTC', amount: '0.000001', chain: 'ethereum' }), /too small to yield anything/);
    for (const [chain, name] of [['linea', 'Linea'], ['optimism', 'Optimism']]) {
        const told = await hint({ ...ETH_USDC, chain });
        assert.ok(told.startsWith(`${name} is listed, but not traded`) && told.endsWith(': ethereum, polygon, base, solana'), told);
    }
    assert.match(await hint({ ...ETH_USDC, amount: formatEther(MaxUint256) }), /^Try a smaller amount/);
});

test('faults of meaning are gathered as well, each in its own words', async () => {
    for (const [json, fields] of [
        [{ ...ETH_USDC, from_token: 'NOPE', to_token: 'NADA' }, { from_token: "Unknown token 'NOPE' on chain 'ethereum'", to_token: "Unknown token 'NADA' on chain 'ethereum'" }],
        [{ ...ETH_USDC, from_chain: 'nowhere', to_chain: 'utopia' }, { from_chain: "Unknown chain 'nowhere'", to_chain: "Unknown chain 'utopia'" }],
        [{ ...ETH_USDC, from_chain: 'nowhere', to_token: 'NADA' }, { from_chain: "Unknown chain 'nowhere'", to_token: "Unknown token 'NADA' on chain 'ethereum'" }],
        [{ ...ETH_USDC, chain: 'nowhere' }, { chain: "Unknown chain 'nowhere'" }],
        [{ ...ETH_USDC, to_token: 'NADA', amount: '0.0000000000000000001' }, { to_token: "Unknown token 'NADA' on chain 'ethereum'", amount: 'Amount must be a positive number' }],
        [{ ...ETH_USDC, to_token: 'ETH', wallet_address: '0x12' }, { to_token: 'from_token and to_token must differ', wallet_address: 'wallet_address is not a valid address' }],
        [{ ...ETH_USDC, from_token: 'NOPE', to_token: 'NADA', wallet_address: '0x12' }, { from_token: "Unknown token 'NOPE' on chain 'ethereum'", to_token: "Unknown token 'NADA' on chain 'ethereum'", wallet_address: 'wallet_address is not a valid address' }],
    ]) assert.deepEqual(refused(await quote(json), Object.values(fields)[0]).fields, fields);
});

const BAD_AMOUNTS = [
    '0', '0.0', '0.000000000000000000', '-1', '-0', '+1', '1e', 'e3', '1e3.5', '1e101', '1e-101', '1e999999999999', '.5', '5.', '.', '', ' ', ' 1', '1 ',
    '1\n', '1_000', '1,5', '1,000', '0x10',
    '1.2.3', '--1', 'abc', 'NaN', 'Infinity', '١', '１', '1²', '1\u200b', '½', 'null', 'true', "1'; --", '1%', '$1', '1 ETH',
    0, -1, 1e-30, true, false, [], ['1'], {}, { value: '1' },
];

for (const amount of BAD_AMOUNTS) {
    test(`amount ${JSON.stringify(amount)}`, async () => {
        refused(await quote({ ...ETH_USDC, amount }), 'Amount must be a positive number', ['amount']);
    });
}

test('absurdly long amounts', async () => {
    const limit = formatEther(MaxUint256 + 1n);
    for (const amount of [
        limit, '1'.padEnd(78, '0'), '9'.repeat(1000), `${'9'.repeat(60_000)}`, `0.${'0'.repeat(1000)}1`,
        `${'0'.repeat(1000)}`, `1.${'0'.repeat(5000)}1`,
    ]) {
        const answer = await quote({ ...ETH_USDC, amount });
        assert.equal(answer.status, 400, show(answer));
        assert.equal(typeof answer.body.fields?.amount, 'string', show(answer));
        assert.equal(answer.body.error, 'Amount must be a positive number');
    }
});

// As programs make them of floating point, and as JSON numbers, whose digits are not those of a double.
for (const [what, sent, taken, from = 'USDC'] of [
    ['a sum of floating point', '"84993.23079999999"', '84993.230799'], ['zeros that say nothing', '"25.000000000"', '25'], ['zeros in front', '"0025.10"', '25.1'],
    ['more places than the token has', '"1.0000009"', '1'], ["Python's small number", '"1e-05"', '0.00001'], ["JavaScript's", '"1E-6"', '0.000001'], ['a large one', '"1e+02"', '100'],
    ['an exponent that moves the point', '"123.456e-1"', '12.3456'], ['a whole number', '25', '25'], ['a number', '1.5', '1.5'], ['a number with an exponent', '1.25e+1', '12.5'],
    ['a small number', '1e-05', '0.00001'], ['digits that no double has', '1.100000000000000001', '1.100000000000000001', 'ETH'],
]) {
    test(`amount ${sent}: ${what}`, async () => {
        const body = `{"from_token":"${from}","to_token":"${from === 'ETH' ? 'USDC' : 'ETH'}","chain":"base","amount":${sent}}`;
        const answer = await agent.send('POST', '/quote', { body, headers: { 'content-type': 'application/json' } });
        assert.equal(granted(answer).amount_in, taken);
    });
}

test('less than the smallest unit is nothing, and the hint says so', async () => {
    const { hint } = refused(await quote({ from_token: 'USDC', to_token: 'ETH', amount: '9.99e-7' }), 'Amount must be a positive number', ['amount']);
    assert.match(hint, /smallest unit of USDC, which has 6 decimals/);
});

for (const slippage of [-0.1, -1e-9, 1.0000001, 1.1, 2, 3, 50, 1e308, 'abc', '', '2', '-1', true, [], {}, [0.1]]) {
    test(`slippage ${JSON.stringify(slippage)}`, async () => {
        refused(await quote({ ...ETH_USDC, slippage }), 'Slippage must be between 0 and 1', ['slippage']);
    });
}

for (const wallet_address of ['', '0x', '0x123', 'nonsense', `0x${'g'.repeat(40)}`, `0x${'1'.repeat(41)}`, '1'.repeat(40), 'vitalik.eth']) {
    test(`wallet_address ${JSON.stringify(wallet_address)}`, async () => {
        refused(await quote({ ...ETH_USDC, wallet_address }), 'wallet_address is not a valid address', ['wallet_address']);
    });
}

for (const member of ['from_token', 'to_token', 'chain', 'from_chain', 'to_chain', 'wallet_address']) {
    test(`wrong types for ${member}`, async () => {
        for (const value of [1, 1.5, true, false, [], {}, ['ETH'], '']) {
            const answer = await quote({ ...ETH_USDC, [member]: value });
            assert.equal(answer.status, 400, show(answer));
            assert.ok(Object.keys(answer.body.fields).includes(member), show(answer));
        }
        const long = await quote({ ...ETH_USDC, [member]: 'x'.repeat(30_000) });
        assert.equal(long.status, 400);
    });
}

test('a quote is not shown to others', async () => {
    const other = await register();
    const { quote_id: id } = await agent.quote('ETH', 'USDC', '1');
    refused(await other.post('/swap', { quote_id: id, wallet_address: '0x1111111111111111111111111111111111111111' }), 'Invalid quote_id');
});
