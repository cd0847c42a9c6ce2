// The life of a swap by an official client of MCP. `connect(key)` opens a client of one generation; its requests go through
// the SDK's own checks of messages, and of answers against the shapes that the tools promise.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE = 30;

async function used(client, name, args = {}) {
    const { isError, content: [{ text }], structuredContent } = await client.callTool({ name, arguments: args });
    assert.ok(!isError, `${name}: ${text}`);
    assert.deepEqual(structuredContent, JSON.parse(text));
    return structuredContent;
}

async function settled(client, swapId) {
    for (let i = 0; i < PATIENCE * 4; i++) {
        const swap = await used(client, 'get_swap_status', { swapId });
        if (/^(completed|failed)$/.test(swap.status)) return swap;
        await pause(250);
    }
    throw new Error(`swap ${swapId} did not end within ${PATIENCE} s`);
}

/** `fund(address)` gives the wallet what it needs on base. Returns what happened. */
export async function live(connect, fund) {
    const stranger = await connect();
    const { tools } = await stranger.listTools();
    const { resources } = await stranger.listResources();
    const { contents: [chains] } = await stranger.readResource({ uri: 'gateway://chains' });
    const { prompts } = await stranger.listPrompts();
    const { messages } = await stranger.getPrompt({ name: 'swap_tokens', arguments: { from_token: 'ETH', to_token: 'USDC', amount: '1' } });
    const { completion } = await stranger.complete({ ref: { type: 'ref/prompt', name: 'swap_tokens' }, argument: { name: 'chain', value: 'ba' } });
    const { agent } = await used(stranger, 'register_agent', { name: 'official client' });
    await assert.rejects(stranger.callTool({ name: 'get_me', arguments: {} }), 'a tool that wants a key');
    await assert.rejects(stranger.callTool({ name: 'no_such_tool', arguments: {} }));
    await stranger.close();

    const client = await connect(agent.api_key);
    await client.listTools();
    const { wallet } = await used(client, 'create_wallet');
    await fund(wallet.address);
    const quote = await used(client, 'get_quote', { from_token: 'ETH', to_token: 'USDC', amount: '0.1', chain: 'base' });
    const accepted = await used(client, 'execute_swap', { quote_id: quote.quote_id });
    const swap = await settled(client, accepted.swap_id);
    const again = await client.callTool({ name: 'execute_swap', arguments: { quote_id: quote.quote_id } });
    const { swaps } = await used(client, 'list_swaps');
    const me = await used(client, 'get_me');
    await client.close();
    return {
        tools: tools.length, resources: resources.length, prompts: prompts.length, chains: JSON.parse(chains.text).chains.length,
        prompt: messages[0].content.text, completed: completion.values, agent: agent.id, me: me.agent.id, quote, swap, swaps: swaps.length,
        again: { isError: again.isError, ...JSON.parse(again.content[0].text) },
    };
}

/** Holds what happened to what must. */
export function lived({ tools, resources, prompts, chains, prompt, completed, agent, me, quote, swap, swaps, again }) {
    assert.ok(tools >= 24 && resources >= 4 && prompts >= 3 && chains >= 15);
    assert.match(prompt, /"ETH".*"USDC".*get_quote/s);
    assert.deepEqual(completed, ['base']);
    assert.equal(me, agent);
    assert.deepEqual([swap.status, swap.from_amount, swaps], ['completed', quote.amount_in, 1]);
    assert.ok(Number(swap.to_amount) > 0 && swap.tx_hash.startsWith('0x'));
    assert.deepEqual([again.isError, again.error, again.swap_id], [true, 'Quote not found', swap.swap_id]);
}
