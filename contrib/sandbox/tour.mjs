// Shows one real swap on the running stack, one to another chain and one on Solana, step by step: what is asked, what is
// answered, what the chains say.
//
//   node tour.mjs
//
// Fails when anything is not as it should be.

import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatUnits, parseEther, parseUnits, toBeHex } from 'ethers';
import { Webhook } from 'standardwebhooks';
import { rpc } from './chain.mjs';
import { urlOf } from './settings.mjs';
import { MINTS } from './solana/world.mjs';
import { chainNamed } from './world.mjs';

const GATEWAY = urlOf('GATEWAY');
const API = '/v1/agent';
const CHAIN = urlOf('SANDBOX_ETHEREUM');
const FAR_CHAIN = urlOf('SANDBOX_BASE');
const SOLANA = urlOf('SANDBOX_SOLANA');
const { USDC } = chainNamed('ethereum').tokens;
const { USDC: FAR_USDC } = chainNamed('base').tokens;

const PURSE = '10';
const AMOUNT = '1';
const MOVED = '100';
const PATIENCE_MS = 30_000;

// ---------------------------------------------------------------- telling

let steps = 0;

function step(title) {
    steps++;
    console.log(`\n${steps}. ${title}`);
}

const tell = (line = '') => console.log(line && `   ${line}`);
const abridged = (text) => (text.length > 20 ? `${text.slice(0, 12)}…${text.slice(-4)}` : text);

function insist(condition, complaint) {
    if (!condition) throw new Error(complaint);
}

// ---------------------------------------------------------------- asking

let key;

/** One request, shown as it is sent. `quiet` leaves it untold. */
async function ask(method, path, json, quiet = false) {
    const headers = {};
    if (key) headers.authorization = `Bearer ${key}`;
    if (json) headers['content-type'] = 'application/json';
    if (!quiet) tell(`${method} ${API}${path}${json ? `  ${JSON.stringify(json)}` : ''}`);
    const response = await fetch(GATEWAY + API + path, { method, headers, body: json && JSON.stringify(json) });
    const body = await response.json();
    insist(body.success, `${method} ${path} was answered with ${response.status} ${JSON.stringify(body)}`);
    return body;
}

const answer = (text) => tell(`→ ${text}`);

async function until(what, look) {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
        const found = await look();
        if (found) return found;
        insist(Date.now() < deadline, `${what} did not come within ${PATIENCE_MS / 1000} seconds`);
        await sleep(200);
    }
}

// ---------------------------------------------------------------- the chain's view

async function dollars(chain, token, address) {
    const call = { to: token.address, data: `0x70a08231${address.slice(2).padStart(64, '0')}` };
    return BigInt(await rpc(chain, 'eth_call', [call, 'latest']));
}

const balances = async (address) => ({
    ETH: BigInt(await rpc(CHAIN, 'eth_getBalance', [address, 'latest'])),
    USDC: await dollars(CHAIN, USDC, address),
});

const decimal = (units, decimals) => formatUnits(units, decimals).replace(/\.0$/, '');
const shown = { ETH: (wei) => decimal(wei, 18), USDC: (units) => decimal(units, USDC.decimals) };

function tellBalances(before, after) {
    const rows = [['', 'before', 'after', 'change']];
    for (const symbol of ['ETH', 'USDC']) {
        const show = shown[symbol];
        const change = after[symbol] - before[symbol];
        rows.push([symbol, show(before[symbol]), show(after[symbol]), (change > 0n ? '+' : '') + show(change)]);
    }
    const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
    for (const row of rows) tell(row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i] + 3))).join(''));
}

/** Fees of all of the swap's transactions. */
async function feesOf({ transactions }) {
    let fees = 0n;
    for (const { tx_hash: hash } of transactions) {
        const receipt = await rpc(CHAIN, 'eth_getTransactionReceipt', [hash]);
        insist(receipt?.status === '0x1', `transaction ${hash} did not succeed`);
        fees += BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
    }
    return fees;
}

// ---------------------------------------------------------------- the receiver of webhooks

async function receiver() {
    const deliveries = [];
    const server = createServer((request, response) => {
        let raw = '';
        request.setEncoding('utf8').on('data', (part) => { raw += part; }).on('end', () => {
            deliveries.push({ headers: request.headers, raw });
            response.end();
        });
    });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    return { deliveries, url: `http://127.0.0.1:${server.address().port}/webhooks`, close: () => server.close() };
}

// ---------------------------------------------------------------- the steps

async function join(hook) {
    step('An agent registers');
    const { agent } = await ask('POST', '/register', { name: 'tour' });
    key = agent.api_key;
    answer(`agent ${agent.id}, API key ${abridged(key)}, shown this once`);

    step('It says where it wants to hear of its swaps');
    const { webhook_secret: secret } = await ask('PATCH', '/me', { callback_url: hook.url });
    insist(secret, 'no webhook_secret came with the first callback_url');
    answer(`signing secret ${abridged(secret)}, shown this once`);
    return secret;
}

async function fundedWallet() {
    step('It gets a wallet, whose key stays with the service');
    const { wallet } = await ask('POST', '/wallets');
    answer(`${wallet.address}, for ${wallet.supported_chains.join(', ')}`);

    step(`On this local chain any program can fund it: ${PURSE} ETH`);
    tell(`anvil_setBalance  ${wallet.address}`);
    await rpc(CHAIN, 'anvil_setBalance', [wallet.address, toBeHex(parseEther(PURSE))]);
    const before = await balances(wallet.address);
    answer(`${shown.ETH(before.ETH)} ETH, ${shown.USDC(before.USDC)} USDC`);
    return { address: wallet.address, before };
}

function tellOffers({ routes }) {
    const best = routes.filter(({ provider, error }, i, all) => !error && all.findIndex((each) => each.provider === provider) === i);
    answer(`best of ${best.map(({ provider, net_out }) => `${provider} ${net_out}`).join(', ')}`);
}

/** Follows a swap that was accepted to its end. */
async function watched(accepted) {
    const begun = Date.now();
    let last;
    const swap = await until('the end of the swap', async () => {
        const now = await ask('GET', `/swap/status/${accepted.swap_id}`, undefined, last !== undefined);
        if (now.status !== last) answer(`${now.status} after ${((Date.now() - begun) / 1000).toFixed(1)} s`);
        last = now.status;
        return /^(completed|failed)$/.test(last) && now;
    });
    insist(swap.status === 'completed', `the swap failed: ${swap.error_message}`);
    return swap;
}

async function swapped() {
    step('It asks what its ETH is worth: in real Uniswap pools, and to aggregators, which are played here');
    const quote = await ask('POST', '/quote', { from_token: 'ETH', to_token: 'USDC', amount: AMOUNT });
    answer(`${quote.amount_in} ETH for ${quote.amount_out} USDC, good for ${quote.expires_in_seconds} seconds`);
    tellOffers(quote);

    step('It takes the offer');
    const accepted = await ask('POST', '/swap/execute', { quote_id: quote.quote_id });
    answer(`swap ${accepted.swap_id}, ${accepted.status}${accepted.tx_hash ? `, transaction ${accepted.tx_hash}` : ''}`);

    step('It watches');
    return watched(accepted);
}

async function settled(swap, { address, before }) {
    step('The chain agrees');
    const { blockNumber } = await rpc(CHAIN, 'eth_getTransactionReceipt', [swap.tx_hash]);
    tell(`transaction ${swap.tx_hash}`);
    tell(`in block ${Number(blockNumber)}`);
    const after = await balances(address);
    const fees = await feesOf(swap);
    tellBalances(before, after);
    insist(after.USDC - before.USDC === parseUnits(swap.to_amount, USDC.decimals), `the swap says that ${swap.to_amount} USDC arrived`);
    insist(before.ETH - after.ETH === parseEther(swap.from_amount) + fees, `the swap says that ${swap.from_amount} ETH left`);
    tell(`the difference to ${swap.from_amount} ETH are the fees, ${shown.ETH(fees)} ETH`);
}

async function heard(hook, secret, swap) {
    step('A signed webhook tells the agent, which need not have watched');
    const { headers, raw } = await until('the webhook', () => hook.deliveries[0]);
    const event = new Webhook(secret).verify(raw, headers);
    insist(event.type === 'swap.completed' && event.data.swap_id === swap.swap_id, `unexpected event ${raw}`);
    tell(`webhook-id: ${headers['webhook-id']}`);
    tell(`webhook-signature: ${abridged(headers['webhook-signature'])}`);
    tell(`${event.type}: swap ${event.data.swap_id}, ${event.data.from_amount} ${event.data.from_token} for ${event.data.to_amount} ${event.data.to_token}`);
    answer('the signature verifies with the library of Standard Webhooks');
}

async function bridged({ address }) {
    step(`It moves ${MOVED} USDC from Ethereum to Base, by a bridge`);
    const terms = { from_chain: 'ethereum', to_chain: 'base', from_token: 'USDC', to_token: 'USDC', amount: MOVED };
    const quote = await ask('POST', '/quote', terms);
    answer(`${quote.amount_out} USDC on base by ${quote.bridge}, in about ${quote.estimated_time_seconds} seconds`);
    tellOffers(quote);
    const before = await dollars(FAR_CHAIN, FAR_USDC, address);
    const swap = await watched(await ask('POST', '/swap/execute', { quote_id: quote.quote_id }));

    step('Both chains agree');
    for (const { chain, kind, tx_hash: hash } of swap.transactions) tell(`${kind} on ${chain}: ${hash}`);
    const arrived = await dollars(FAR_CHAIN, FAR_USDC, address) - before;
    insist(arrived === parseUnits(swap.to_amount, FAR_USDC.decimals), `the swap says that ${swap.to_amount} USDC arrived`);
    answer(`${shown.USDC(arrived)} USDC have arrived on base: ${swap.delivery}`);
}

/** How much of a token's smallest units an address of Solana holds. */
async function solanaUnits(address, { mint }) {
    const { value } = await rpc(SOLANA, 'getTokenAccountsByOwner', [address, { mint }, { encoding: 'jsonParsed', commitment: 'confirmed' }]);
    return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
}

async function swappedOnSolana() {
    step('It gets a wallet on Solana too, and funds it');
    const { wallet } = await ask('POST', '/wallets', { chain_type: 'solana' });
    tell(`requestAirdrop  ${wallet.address}`);
    await rpc(SOLANA, 'requestAirdrop', [wallet.address, Number(PURSE) * 1e9]);
    answer(`${PURSE} SOL`);

    step('It sells SOL there, by Jupiter, which is played here; every instruction of its transaction is read before it is signed');
    const quote = await ask('POST', '/quote', { chain: 'solana', from_token: 'SOL', to_token: 'USDC', amount: AMOUNT });
    answer(`${quote.amount_out} USDC by ${quote.dex}, at least ${quote.amount_out_min}`);
    const swap = await watched(await ask('POST', '/swap/execute', { quote_id: quote.quote_id }));

    step('The chain agrees');
    const arrived = await solanaUnits(wallet.address, MINTS.USDC);
    tell(`transaction ${swap.tx_hash}`);
    insist(arrived === parseUnits(swap.to_amount, MINTS.USDC.decimals), `the swap says that ${swap.to_amount} USDC arrived`);
    answer(`${swap.to_amount} USDC have arrived`);
}

function farewell() {
    console.log(`
The gateway is at ${GATEWAY}. To go on as this agent, in another terminal:

  KEY=${key}
  curl -s ${GATEWAY}${API}/chains
  curl -s ${GATEWAY}${API}/swaps -H "Authorization: Bearer $KEY"
  curl -s ${GATEWAY}${API}/quote -H "Authorization: Bearer $KEY" \\
    --json '{"from_token":"USDC","to_token":"ETH","amount":"100"}'
  curl -s ${GATEWAY}${API}/swap/execute -H "Authorization: Bearer $KEY" \\
    --json '{"quote_id":"…"}'
`);
}

async function main() {
    console.log(`A first swap, through ${GATEWAY} on a local Ethereum`);
    const hook = await receiver();
    const secret = await join(hook);
    const wallet = await fundedWallet();
    const swap = await swapped();
    await settled(swap, wallet);
    await heard(hook, secret, swap);
    hook.close();
    await bridged(wallet);
    await swappedOnSolana();
    farewell();
}

main().then(
    () => process.exit(0),
    (error) => { console.error(`\ntour.mjs: ${error.message}`); process.exit(1); },
);
