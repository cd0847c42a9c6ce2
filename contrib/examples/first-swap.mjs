#!/usr/bin/env node
// first-swap.mjs [AMOUNT [FROM [TO]]]: a new agent with a new wallet swaps 1.5 ETH for USDC. For Node.js 18 or later.
import { setTimeout as sleep } from 'node:timers/promises';

const GATEWAY = process.env.GATEWAY ?? 'http://127.0.0.1:8080';
const [amount = '1.5', from_token = 'ETH', to_token = 'USDC'] = process.argv.slice(2);
let key;

/** The answer of a call; throws the hint of a refusal. */
async function call(method, path, json) {
    const response = await fetch(`${GATEWAY}/v1/agent${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
        body: json && JSON.stringify(json),
    });
    const answer = await response.json();
    if (!answer.success) throw new Error(`${method} ${path}: ${answer.error}. ${answer.hint ?? ''}`);
    return answer;
}

/** 100 ETH and some dollars for a wallet, which the sandbox gives everybody. */
async function fund(address) {
    await fetch(`${GATEWAY}/sandbox/fund`, { method: 'POST', body: JSON.stringify({ address, chain: 'ethereum' }) });
}

async function main() {
    key = (await call('POST', '/register', { name: 'my-agent' })).agent.api_key; // shown this once
    const { wallet } = await call('POST', '/wallets'); // whose key stays with the gateway
    await fund(wallet.address);

    // A price, good for 60 seconds, and the swap.
    const quote = await call('POST', '/quote', { from_token, to_token, amount });
    console.log(`${quote.amount_in} ${quote.from_token.symbol} for ${quote.amount_out} ${quote.to_token.symbol}`);
    let swap = await call('POST', '/swap/execute', { quote_id: quote.quote_id });
    while (!['completed', 'failed'].includes(swap.status)) {
        await sleep(1000);
        swap = await call('GET', `/swap/status/${swap.swap_id}`);
    }
    console.log(`swap ${swap.swap_id}: ${swap.status}, transaction ${swap.tx_hash}`);
    if (swap.status === 'failed') process.exitCode = 1;
}

main().catch((error) => {
    console.error(error.cause?.message ?? error.message);
    process.exitCode = 1;
});
