// Writes aggregators.json: calls of the aggregators' contracts as ethers encodes them, and the same calls with
// one lie each. `node tests/vectors/aggregators.mjs >tests/vectors/aggregators.json`
import { createRequire } from 'node:module';
import { keyOf } from '../../contrib/sandbox/solana/transaction.mjs';
import { MINTS } from '../../contrib/sandbox/solana/world.mjs';

const { ethers, version } = createRequire(new URL('../package.json', import.meta.url))('ethers');
const coder = ethers.AbiCoder.defaultAbiCoder();

const WALLET = '0x1111111111111111111111111111111111111111';
const STRANGER = '0x2222222222222222222222222222222222222222';
const EXECUTOR = '0x3333333333333333333333333333333333333333';
const SETTLER = '0x5555555555555555555555555555555555555555';
const FORGED = '0x6666666666666666666666666666666666666666';
const ZERO = ethers.ZeroAddress;
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const OTHER = '0x4444444444444444444444444444444444444444'; // a token with the same symbol
const E = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const FANTOM = 250;
const AMOUNT = 1000000n, MINIMUM = 400000n;
const DATA = '0x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef012345';
const WORD32 = ethers.zeroPadValue('0x77', 32);

const KYBER = '(address,address,address[],uint256[],address[],uint256[],address,uint256,uint256,uint256,bytes)';
const SWAP = '(address,address,address,address,uint256,bytes,bool)';

// ---- forms: what an honest service encodes of a trade `t` ----

const kyberDesc = (t) => [t.sell, t.buy, t.inputs.length ? t.inputs.map(() => EXECUTOR) : [], t.inputs, t.feeReceivers,
  t.feeReceivers.map(() => 10n), t.recipient, t.amount, t.minimum, t.flags, t.permit];
const lifi = (kind, single) => ({
  to: '0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE', coin: ZERO,
  name: `swapTokens${single ? 'Single' : 'Multiple'}V3${kind}`,
  types: `(bytes32,string,string,address,uint256,${SWAP}${single ? '' : '[]'})`,
  args: (t) => {
    const step = (sell, buy, amount) => [EXECUTOR, EXECUTOR, sell, buy, amount, DATA, true];
    const steps = [step(t.sell, OTHER, t.amount), step(OTHER, t.buy, 5n)];
    return [WORD32, 'integrator', '', t.recipient, t.minimum, single ? step(t.sell, t.buy, t.amount) : steps];
  },
});
const settle = (t) => ethers.id('execute((address,address,uint256),bytes[],bytes32)').slice(0, 10) +
  coder.encode(['(address,address,uint256)', 'bytes[]', 'bytes32'],
    [[t.recipient, t.buy, t.minimum], [DATA, '0x', '0x1234'], WORD32]).slice(2);

const HOLDER = '0x0000000000001fF3684f28c67538d4D072C22734';
const forms = {
  'kyberswap swap': { to: '0x6131B5fae19EA4f9D964eAc0408E4408b66337b5', coin: E, name: 'swap',
    types: `((address,address,bytes,${KYBER},bytes))`, args: (t) => [[EXECUTOR, EXECUTOR, DATA, kyberDesc(t), '0x1234']],
    flags: 0x220n },
  'kyberswap swapSimpleMode': { to: '0x6131B5fae19EA4f9D964eAc0408E4408b66337b5', coin: E, name: 'swapSimpleMode',
    types: `(address,${KYBER},bytes,bytes)`, args: (t) => [EXECUTOR, kyberDesc(t), DATA, '0x'], flags: 0x20n },
  '1inch swap': { to: '0x111111125421cA6dc452d289314280a0f8842A65', coin: E, name: 'swap', zeroIsSender: true, mark: '1389cc2e',
    types: '(address,(address,address,address,address,uint256,uint256,uint256),bytes)',
    args: (t) => [EXECUTOR, [t.sell, t.buy, EXECUTOR, t.recipient, t.amount, t.minimum, t.flags], DATA] },
  'velora swapExactAmountIn': { to: '0x6A000F20005980200259B80c5102003040001068', coin: E, name: 'swapExactAmountIn',
    zeroIsSender: true,
    types: '(address,(address,address,uint256,uint256,uint256,bytes32,address),uint256,bytes,bytes)',
    // a basis point and a unit for the contract's own rounding on top of what has to arrive
    args: (t) => [EXECUTOR, [t.sell, t.buy, t.amount, t.before ?? (t.minimum && t.minimum + 42n), t.minimum + 50n, WORD32,
      t.recipient], t.partner ?? (BigInt(STRANGER) << 96n) | 1n << 92n | 1n, t.permit, DATA] },
  'openocean swap': { to: '0x6352a56caadC4F1E25CD6c75970Fa768A3304e64', coin: E, name: 'swap', zeroIsSender: true,
    types: '(address,(address,address,address,address,uint256,uint256,uint256,uint256,address,bytes),(uint256,uint256,uint256,bytes)[])',
    args: (t) => [EXECUTOR, [t.sell, t.buy, EXECUTOR, t.recipient, t.amount, t.minimum, t.minimum + 5n,
      t.flags || (t.sell === E ? 0n : 2n), t.referrer ?? ZERO, t.permit], [[1n, 2n, 3n, DATA], [4n, 5n, 6n, '0x']]] },
  '0x exec': { to: HOLDER, coin: E, soldCoin: ZERO, name: 'exec',
    types: '(address,address,uint256,address,bytes)',
    args: (t) => [t.settler ?? SETTLER, t.sell, t.amount, t.target ?? t.settler ?? SETTLER, t.inner ?? settle(t)] },
  '0x execute': { to: SETTLER, coin: E, name: 'execute', only: ['from coin'],
    types: '((address,address,uint256),bytes[],bytes32)',
    args: (t) => [[t.recipient, t.buy, t.minimum], [DATA, '0x'], WORD32] },
};
for (const single of [true, false])
  for (const [kind, what] of [['ERC20ToERC20', 'tokens'], ['ERC20ToNative', 'to coin'], ['NativeToERC20', 'from coin']]) {
    const form = lifi(kind, single);
    forms[`lifi ${form.name}`] = { ...form, only: [what] };
  }

// ---- bridges: to base, whose USDC is bought, or whose coin, by the token that wraps it ----

const FAR = 8453n, FAR_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', FAR_WETH = '0x4200000000000000000000000000000000000006';
// To Solana, to whose addresses the header has no place.
const TO_SOLANA = 'bridge to solana', SOLANA = 1151111081099710n, WALLET_THERE = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const ELSEWHERE = '0x11f111f111f111F111f111f111F111f111f111F1';
const HEADER = '(bytes32,string,string,address,address,address,uint256,uint256,bool,bool)';
const ACROSS = '(bytes32,bytes32,bytes32,bytes32,uint256,uint128,bytes32,uint32,uint32,uint32,bytes)';
const word32 = (address) => ethers.zeroPadValue(address, 32);
const ONE = 10n ** 18n;

function header(t, swaps) {
  return [WORD32, 'bridge', 'integrator', ZERO, t.sent ?? (swaps ? USDC : t.sell), t.headerTo ?? t.recipient, swaps ? 2n * MINIMUM : t.amount, t.far ?? FAR,
    t.claimsSwaps ?? swaps, t.call ?? false];
}
const soldBefore = (t) => [[EXECUTOR, EXECUTOR, t.sell, OTHER, t.amount, DATA, true], [EXECUTOR, EXECUTOR, OTHER, USDC, 5n, DATA, true]];
// After a swap half of what was sent is promised.
const across = (t, swaps) => [word32(t.recipient), word32(t.refund ?? WALLET), word32(t.bridged ?? t.sent ?? (swaps ? USDC : t.sell)), word32(t.buy),
  t.minimum, swaps ? t.minimum * ONE / (2n * MINIMUM) : ONE, word32(ZERO), 1n, 2n, 3n, t.message ?? '0x'];
const circle = (t, swaps) => [(swaps ? 2n * MINIMUM : t.amount) - t.minimum, 1000n];
const POLYMER = '(uint256,uint256,bytes32,bytes32,uint32,address,bytes)', POLYMER_FEE = 3n;
const polymer = (t, swaps) => [POLYMER_FEE, circle(t, swaps)[0] - POLYMER_FEE, t.elsewhere ?? ethers.ZeroHash, t.onSolana ?? ethers.ZeroHash, 2000n,
  t.refund ?? WALLET, t.message ?? '0x'];
const isCircles = (f) => f.bridge === 'circle' || f.bridge === 'polymer';

for (const [bridge, name, types, args] of [['across', 'AcrossV4', ACROSS, across], ['circle', 'CelerCircleBridge', '(uint256,uint32)', circle], ['polymer', 'PolymerCCTP', POLYMER, polymer]]) {
  const common = { to: '0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE', coin: ZERO, only: ['bridge', ...(bridge === 'across' ? ['bridge to coin', TO_SOLANA] : [])], bridge };
  forms[`lifi ${bridge}`] = { ...common, name: `startBridgeTokensVia${name}`, types: `(${HEADER},${types})`,
    args: (t) => [header(t, false), args(t, false)] };
  forms[`lifi swap and ${bridge}`] = { ...common, swaps: true, name: `swapAndStartBridgeTokensVia${name}`, types: `(${HEADER},${SWAP}[],${types})`,
    args: (t) => [header(t, true), soldBefore(t), args(t, true)] };
}

// Into Across' own pool: the coin is called by the token that wraps it, and sent as value.
const DEADLINE = 1800000000n, WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
forms['across deposit'] = { to: '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5', coin: ZERO, bridge: 'pool', name: 'depositV3',
  only: ['bridge', 'bridge to coin', 'bridge from coin'],
  types: '(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)',
  args: (t) => [t.refund ?? WALLET, t.recipient, t.sell, t.buy, t.amount, t.minimum, t.far ?? FAR, EXECUTOR, 1n, t.deadline ?? DEADLINE, 3n, t.message ?? '0x'] };
const fromCoin = (kind) => kind.endsWith('from coin');

// For these, instead of those of trades on one chain.
const bridgeLies = [
  ['another recipient', { recipient: STRANGER }],
  ['no recipient', { recipient: ZERO }],
  ['another recipient in the header', { headerTo: STRANGER }, (f) => f.bridge !== 'pool'],
  ['the wallet in the header', { headerTo: WALLET }, (f, kind) => kind === TO_SOLANA],
  ['the wallet here', { recipient: WALLET }, (f, kind) => kind === TO_SOLANA],
  ['a refund to a stranger', { refund: STRANGER }, (f) => f.bridge !== 'circle'],
  ['a message', { message: '0x01' }, (f) => f.bridge !== 'circle'],
  ['another bought token', { buy: OTHER }, (f) => !isCircles(f)],
  ['another chain', { far: 10n }],
  ['no such chain', { far: 4242n }],
  ['this chain', { far: 1n }],
  ['no minimum', { minimum: 0n }],
  ['a minimum one below the promise', { minimum: MINIMUM - 1n }],
  ['one more of the input', { amount: AMOUNT + 1n }],
  ['another token sold', { sell: OTHER }, (f) => f.swaps || !isCircles(f)],
  ['a call on the other chain', { call: true }, (f) => f.bridge !== 'pool'],
  ['swaps that are not told', (t, f) => ({ claimsSwaps: !f.swaps }), (f) => f.bridge !== 'pool'],
  ['another token bridged', { sent: OTHER }, (f) => f.swaps || isCircles(f)],
  ['a receiver of no EVM chain', { elsewhere: WORD32 }, (f) => f.bridge === 'polymer'],
  ['an account on Solana', { onSolana: WORD32 }, (f) => f.bridge === 'polymer'],
  ['another token in the bridge itself', { bridged: OTHER }, (f) => f.bridge === 'across'],
  ['the zero address as what is sold', { sell: ZERO }, (f) => f.bridge === 'pool'],
  ['the zero address as what is bought', { buy: ZERO }, (f) => f.bridge === 'pool'],
  ['no refund to anybody', { refund: ZERO }, (f) => f.bridge === 'pool'],
  ['another deadline', { deadline: DEADLINE + 1n }, (f) => f.bridge === 'pool'],
  ['a deadline long ago', { deadline: 59n }, (f) => f.bridge === 'pool'],
  ['no deadline', { deadline: 0n }, (f) => f.bridge === 'pool'],
];

function trade(form, kind) {
  if (kind === TO_SOLANA)
    return { sell: USDC, buy: ethers.hexlify(keyOf(MINTS.USDC.mint)), recipient: ethers.hexlify(keyOf(WALLET_THERE)), headerTo: ELSEWHERE, far: SOLANA,
      amount: AMOUNT, minimum: MINIMUM };
  if (form.bridge)
    return { sell: fromCoin(kind) ? WETH : USDC, buy: kind === 'bridge to coin' ? FAR_WETH : FAR_USDC, recipient: WALLET, amount: AMOUNT, minimum: MINIMUM };
  return { sell: kind === 'from coin' ? form.soldCoin ?? form.coin : USDC, buy: kind === 'to coin' ? form.coin : USDT, recipient: WALLET,
    amount: AMOUNT, minimum: MINIMUM, inputs: [AMOUNT - 1n, 1n], feeReceivers: [], flags: form.flags ?? 0n, permit: '0x' };
}

function encode(form, t, mark = form.mark ?? '') {
  const selector = ethers.id(form.name + form.types).slice(0, 10);
  const types = ethers.ParamType.from(`tuple${form.types}`).components;
  return selector + coder.encode(types, form.args(t)).slice(2) + mark;
}

// ---- lies ----

// In a trade's members. Without `where`: for every form.
const tradeLies = [
  ['another recipient', { recipient: STRANGER }],
  ['no recipient', { recipient: ZERO }, (f) => !f.zeroIsSender],
  ['another bought token', { buy: OTHER }, (f, kind) => !(kind === 'to coin' && f.name.startsWith('swapTokens'))],
  ['no minimum', { minimum: 0n }],
  ['a minimum one below the promise', { minimum: MINIMUM - 1n }],
  ['the sold token as the bought one', (t) => ({ buy: t.sell })],
  ['one more of the input', { amount: AMOUNT + 1n }, (f) => f.name !== 'execute'],
  ['all of the input', { amount: 0n }, (f) => f.name !== 'execute'],
  ['another token sold', { sell: OTHER }, (f, kind) => kind !== 'from coin'],
  ['another address for the coin', (t, f) => (t.buy === f.coin ? { buy: ZERO } : { sell: t.sell === E ? ZERO : E }),
    (f, kind) => f.coin === E && kind !== 'tokens' && f.name !== 'execute'],
  ['permit bytes', { permit: '0x01' }, (f, kind, name) => /kyber|velora|openocean/.test(name)],
  ['a partial fill', { flags: 0x221n }, (f, kind, name) => /kyber/.test(name)],
  ...[0x02n, 0x04n, 0x08n, 0x10n, 0x100n, 0x400n, 1n << 64n, 1n << 255n].map((bit) =>
    [`flag 0x${bit.toString(16)}`, { flags: bit }, (f, kind, name) => /kyber/.test(name)]),
  ['a fee without a receiver', { flags: 0x60n }, (f, kind, name) => /kyber/.test(name)],
  ['inputs beyond the amount', { inputs: [AMOUNT, 1n] }, (f, kind, name) => /kyber/.test(name)],
  ['inputs that overflow', { inputs: [AMOUNT, (1n << 256n) - 1n] }, (f, kind, name) => /kyber/.test(name)],
  ...[1n, 2n, 4n, 8n, 1n << 255n].map((bit) =>
    [`flag 0x${bit.toString(16)}`, { flags: bit }, (f, kind, name) => /1inch/.test(name)]),
  ['a partial fill', { flags: 3n }, (f, kind, name) => /openocean/.test(name)],
  ['an unknown flag', { flags: 6n }, (f, kind, name) => /openocean/.test(name)],
  ['nothing claimed', { flags: 4n }, (f, kind, name) => /openocean/.test(name)],
  ['a fee after the check', { partner: (BigInt(STRANGER) << 96n) | 2n }, (f, kind, name) => /velora/.test(name)],
  ['the minimum before the fee', { before: MINIMUM }, (f, kind, name) => /velora/.test(name)],
  ['a fee above all', { partner: (BigInt(STRANGER) << 96n) | 201n, before: MINIMUM * 2n }, (f, kind, name) => /velora/.test(name)],
  ['an unknown bit beside the fee', { partner: (BigInt(STRANGER) << 96n) | 1n << 14n }, (f, kind, name) => /velora/.test(name)],
  ['an unknown bit of the partner', { partner: (BigInt(STRANGER) << 96n) | 1n << 91n }, (f, kind, name) => /velora/.test(name)],
  ['another target than the operator', { target: FORGED }, (f) => f.name === 'exec'],
  ['a forged settler', { settler: FORGED }, (f) => f.name === 'exec'],
  ['no call of the settler', { inner: '0x' }, (f) => f.name === 'exec'],
  ['a call that is no settlement', { inner: '0x12345678' }, (f) => f.name === 'exec'],
  ['a settlement with more behind it', (t) => ({ inner: `${settle(t)}00` }), (f) => f.name === 'exec'],
];

// The signer alone cannot know what was promised; what it does not demand is the guard's to refuse.
const guardsOnly = new Set(['another chain', 'another bought token', 'a minimum one below the promise', 'one more of the input',
  'another token sold', 'another deadline', 'a fee after the check', 'the minimum before the fee']);
// Of the coin, the value tells how much it has to be; of no amount, some would take everything.
const signerAllows = (name, kind, lie) => /of the input$/.test(lie)
  ? !fromCoin(kind) && (lie === 'one more of the input' || !/kyber/.test(name))
  : guardsOnly.has(lie) && !(kind === 'bridge from coin' && lie === 'another token sold') && !(kind === TO_SOLANA && lie === 'another chain');

// Fees for a stranger: a minimum that is enforced after them holds, so the signer does not ask whose they are.
const feeLies = [
  ['a fee for a stranger', { feeReceivers: [STRANGER], flags: 0xa0n }, (f, kind, name) => /kyber/.test(name)],
  ['surplus for a stranger', { partner: (BigInt(STRANGER) << 96n) | 1n << 95n | 1n }, (f, kind, name) => /velora/.test(name)],
  ['a referral for a stranger', { partner: (BigInt(STRANGER) << 96n) | 1n << 94n | 1n }, (f, kind, name) => /velora/.test(name)],
  ['a fee for a stranger', { referrer: STRANGER }, (f, kind, name) => /openocean/.test(name)],
];

// Changes of the bytes, independent of their meaning.
const bytes = (hex) => ethers.getBytes(hex);
const word = (data, i) => ethers.toBigInt(data.slice(4 + 32 * i, 36 + 32 * i));
const put = (i, v) => ({ at: 4 + 32 * i, put: ethers.zeroPadValue(ethers.toBeHex(v), 32) });
const isOffset = (v) => v >= 32n && v < 4096n && v % 32n === 0n;
const isAddress = (v) => v > 1n << 140n && v < 1n << 160n;

function* byteLies(form, honest) {
  const data = bytes(honest), words = Math.floor((data.length - 4) / 32);
  yield ['trailing zeros', { at: data.length, put: ethers.ZeroHash }];
  yield ['a trailing byte', { at: data.length, put: '0x00' }];
  yield ['a byte missing', { cut: data.length - 1 }];
  yield ['only a selector', { cut: 4 }];
  for (let i = 0; i < Math.min(words, 12); i++) {
    const v = word(data, i);
    if (isAddress(v))
      yield [`dirty upper bytes in word ${i}`, put(i, v | 1n << 160n)];
    if (!isOffset(v))
      continue;
    for (const [what, to] of [['in the head', 0n], ['overlapping', v - 32n], ['not aligned', v + 1n], ['behind a gap', v + 32n],
      ['out of range', 1n << 40n], ['beyond all', (1n << 256n) - 32n]])
      yield [`offset ${what} in word ${i}`, put(i, to)];
  }
}

const refused = {
  kyberswap: ['0x59e50fed'], '0x': ['0x06b8524c'],
  '1inch': '0x83800a8e 0xe2c95c82 0x8770ba91 0x19367472 0xa76dfc3b 0x89af926a 0x188ac35d 0x175accdc 0xd2d374e5 0xc4d652af'.split(' '),
  velora: ['0xe8bb3b6c', '0x876a02f6', '0x1a01c532', '0xe37ed256', '0xd85ca173'],
  openocean: ['0x8980041a', '0x6b58f2f0', '0xbc80f1a8'], lifi: [],
  across: ['0xad5425c6', '0x1186ec33'],
};
const always = ['0x095ea7b3', '0xa9059cbb', '0x23b872dd', '0xd505accf', '0x39509351', '0xa22cb465', '0xac9650d8'];

// ---- the file ----

const holds = (lie, form, kind, name) => lie[2] === undefined || lie[2](form, kind, name);
const change = (lie, t, form) => (typeof lie[1] === 'function' ? lie[1](t, form) : lie[1]);
const rows = [];

// `data`: all of it, or what differs from the last row without a lie: bytes to put, or where to cut it off.
function rowOf(name, form, kind, data, lie) {
  const row = { form: name, kind, chain: 1, to: form.to, value: fromCoin(kind) ? AMOUNT.toString() : '0', lie,
    ...(typeof data === 'string' ? { data } : data) };

  rows.push(row);
  return row;
}

for (const [name, form] of Object.entries(forms)) {
  const kinds = form.only ?? ['tokens', 'from coin', 'to coin'], [first] = kinds;

  for (const kind of kinds) {
    const t = trade(form, kind), honest = encode(form, t), provider = name.split(' ')[0];
    if (form.zeroIsSender)
      rowOf(name, form, kind, encode(form, { ...t, recipient: ZERO }));
    if (form.mark)
      rowOf(name, form, kind, encode(form, t, ''));
    rowOf(name, form, kind, honest);
    for (const lie of (form.bridge ? bridgeLies : tradeLies).filter((l) => holds(l, form, kind, name)))
      Object.assign(rowOf(name, form, kind, encode(form, { ...t, ...change(lie, t, form) }), lie[0]),
        signerAllows(name, kind, lie[0]) ? { signer: true } : {});
    for (const lie of feeLies.filter((l) => holds(l, form, kind, name)))
      Object.assign(rowOf(name, form, kind, encode(form, { ...t, minimum: MINIMUM + 100n, ...change(lie, t) }), lie[0]),
        { signer: true });
    for (const [lie, data] of kind === first ? byteLies(form, honest) : [])
      rowOf(name, form, kind, data, lie);
    // What is sent straight to a Settler is the input, so only the promise shows that it is another.
    const value = form.name === 'execute' ? { signer: true } : {};

    Object.assign(rowOf(name, form, kind, {}, 'extra value'), value).value = (fromCoin(kind) ? AMOUNT + 1n : 1n).toString();
    if (fromCoin(kind))
      Object.assign(rowOf(name, form, kind, {}, 'too little value'), value).value = (AMOUNT - 1n).toString();
    rowOf(name, form, kind, {}, 'an unlisted target').to = form.name === 'execute' ? FORGED : EXECUTOR;
    rowOf(name, form, kind, {}, 'a token as the target').to = USDC;
    if (form.name !== 'execute' && provider !== 'openocean') // which is on all of them
      rowOf(name, form, kind, {}, 'a target of other chains only').chain = FANTOM;
    for (const selector of kind === first ? [...refused[provider], ...always] : [])
      rowOf(name, form, kind, { at: 0, put: selector }, `selector ${selector}`);
  }
}

const head = { generator: { ethers: version, node: process.version }, wallet: WALLET, settler: SETTLER, sold: USDC,
  bought: USDT, bought_far: FAR_USDC, bought_on_solana: MINTS.USDC.mint, wallet_on_solana: WALLET_THERE,
  far_deadline: DEADLINE.toString(), amount: AMOUNT.toString(), minimum: MINIMUM.toString() };

console.log(`${JSON.stringify(head, null, 1).slice(0, -2)},
 "rows": [
${rows.map((row) => JSON.stringify(row)).join(',\n')}
 ]
}`);
