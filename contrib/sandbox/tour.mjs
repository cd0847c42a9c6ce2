// Shows one real swap on the running stack, step by step: what is asked, what is answered, what the chain says.
//
//   node tour.mjs
//
// GATEWAY_PORT and SANDBOX_ETHEREUM_PORT say where the stack is. Fails when anything is not as it should be.

import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatUnits, parseEther, parseUnits, toBeHex } from 'ethers';
import { Webhook } from 'standardwebhooks';
import { rpc } from './chain.mjs';
import { chainNamed } from './world.mjs';

const GATEWAY = `http://127.0.0.1:${process.env.GATEWAY_PORT ?? 8080}`;
const API = '/v1/agent';
const CHAIN = `http://127.0.0.1:${process.env.SANDBOX_ETHEREUM_PORT ?? 8545}`;
const { USDC } = chainNamed('ethereum').tokens;

const PURSE = '10';
const AMOUNT = '1';
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

async function balances(address) {
    const call = { to: USDC.address, data: `0x70a08231${address.slice(2).padStart(64, '0')}` };
    return {
        ETH: BigInt(await rpc(CHAIN, 'eth_getBalance', [address, 'latest'])),
        USDC: BigInt(await rpc(CHAIN, 'eth_call', [call, 'latest'])),
    };
}

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

    step(`On this local chain anybody can fund it: ${PURSE} ETH`);
    tell(`anvil_setBalance  ${wallet.address}`);
    await rpc(CHAIN, 'anvil_setBalance', [wallet.address, toBeHex(parseEther(PURSE))]);
    const before = await balances(wallet.address);
    answer(`${shown.ETH(before.ETH)} ETH, ${shown.USDC(before.USDC)} USDC`);
    return { address: wallet.address, before };
}

async function swapped() {
    step('It asks what its ETH is worth: in real Uniswap pools, and to aggregators, which are played here');
    const quote = await ask('POST', '/quote', { from_token: 'ETH', to_token: 'USDC', amount: AMOUNT });
    answer(`${quote.amount_in} ETH for ${quote.amount_out} USDC, good for ${quote.expires_in_seconds} seconds`);
    const best = quote.routes.filter(({ provider, error }, i, all) => !error && all.findIndex((each) => each.provider === provider) === i);
    answer(`best of ${best.map(({ provider, net_out }) => `${provider} ${net_out}`).join(', ')}`);

    step('It takes the offer');
    const accepted = await ask('POST', '/swap/execute', { quote_id: quote.quote_id });
    answer(`swap ${accepted.swap_id}, ${accepted.status}${accepted.tx_hash ? `, transaction ${accepted.tx_hash}` : ''}`);

    step('It watches');
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
    farewell();
}

main().then(
    () => process.exit(0),
    (error) => { console.error(`\ntour.mjs: ${error.message}`); process.exit(1); },
);
