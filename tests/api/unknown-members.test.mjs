// Section: api
// What a call does not know is refused, never dropped: 200 names of other services, through each interface, of each operation. Nothing
// is done by what is refused.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
    agentctl, API, contract, granted, refused, register, registerUnlimited, send, show,
} from './lib.mjs';
import { A2A, fault, post as postA2A } from './a2a.mjs';
import { OPERATORS } from './contract.mjs';
import { ask, failure, listed, result, use, used } from './mcp.mjs';

/** Names that other services have for terms of trades: of exchanges' libraries, venues, wallets, aggregators, and some invented ones. */
const FOREIGN = `
    sl tp stop stopPrice stop_price stopLossPrice takeProfitPrice triggerPrice trigger_price triggerPx slTriggerPx tpTriggerPx tpPx slPx
    stop_limit_price trailingStop trailing_delta callbackRate activationPrice limit_price limitPrice limitPx limit_px px p entry_price
    worstPrice maxPrice minPrice acceptablePrice qty quantity sz s contracts shares origQty orderQty quoteOrderQty notional notional_usd cost
    stake usd amountUsd amount_usd percent percentage fraction closePercent ratio portion lots coin symbol instrument instId inst_id pair
    trading_pair currencyPair ticker productId product_id marketId contractCode conditionId outcome outcomeId clobTokenId
    asset_id direction positionSide posSide is_buy isBuy isLong orderSide order_type orderType ordType tif force postOnlyFlag post
    makerOnly execInst goodTil goodTillDate expiry expires expires_at validUntil valid_to deadline ttl cancelAfter lev lever
    leverageX multiplier marginType margin_mode_type mgnMode tdMode isolated isIsolated cross crossMargin reduce closeOnly close_position
    closePosition closeOnTrigger clientOrderId client_order_id newClientOrderId clOrdId cloid orderLinkId requestId sell_token buyToken
    tokenIn token_in tokenOut token_out inputMint outputMint fromMint src dst srcToken dstToken source_token destination_token
    fromTokenAddress toTokenAddress sellTokenAddress buyTokenAddress from_asset to_asset fromSymbol toSymbol fromCurrency toCurrency
    base_token quote_token amountIn amount_in amountOut amount_out sellAmount sell_amount buyAmount fromAmount toAmount inAmount wei lamports
    slippage_bps slippageBps slippageTolerance max_slippage maxSlippageBps slippage_pct tolerance min_out minOut min_amount_out
    amountOutMin amount_out_min minReturn minReceived minimum_received otherAmountThreshold priceImpact max_impact
    priceImpactProtection recipient recipient_address receiver toAddress to_address destination destinationAddress dest_address
    dstReceiver beneficiary payee withdraw_address network networkId blockchain chainName chain_key srcChain sourceChain destinationChain
    destination_chain dstChainId toChainId fromChainId target_chain fromAddress from_address sender user userAddress userPublicKey taker
    takerAddress wallet walletId account accountId owner publicKey signer vaultAddress subAccount subaccount_id funder onBehalfOf
    referral referrer integrator partner fee feeBps gasPrice gas_price priorityFee computeUnitPrice nonce permit signature deadlineSeconds
    dryRun simulate preview validateOnly test_mode paper whatIf estimateOnly exchanges excludeExchanges dexes bridges routers tags page
    page_size cursor sort order_by keyword q metadata_extra custom_field zzzz note train_of_thought reasoning
`.trim().split(/\s+/);

const { document } = await contract();
const operator = await contract(`${OPERATORS}/`);
const agent = await registerUnlimited();
const a2a = new A2A(agent);

/** Every operation of a description, with what it knows. */
const operations = ({ paths, components }) => Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).filter(([, { operationId }]) => operationId).map(([method, operation]) => {
    const name = operation.requestBody?.content['application/json'].schema.$ref.split('/').pop();
    const schema = components.schemas[name];
    return {
        id: operation.operationId, method: method.toUpperCase(), path, schema,
        known: [...(operation.parameters ?? []).map((parameter) => parameter.name), ...Object.keys(schema?.properties ?? {})],
    };
}));
const OPERATIONS = operations(document);
const TOOLS = await listed();
const LENIENT = new Set(['registerAgent', 'register_agent']);

const foreignTo = (known) => FOREIGN.filter((name) => !known.includes(name));
const asMembers = (names, value = 'x') => Object.fromEntries(names.map((name) => [name, value]));

/** The refusal names each of them. */
function eachIsNamed(what, { status, error, fields }, names) {
    assert.equal(status, 400, `${what}: ${status} ${error}`);
    assert.deepEqual(names.filter((name) => typeof fields?.[name] !== 'string'), [], `${what} drops`);
}

const whole = ({ status, body }) => ({ status, error: body?.error, fields: body?.fields });

test('there are enough names, each once', () => {
    assert.ok(FOREIGN.length >= 200, String(FOREIGN.length));
    assert.equal(new Set(FOREIGN).size, FOREIGN.length);
});

describe('200 foreign names', { concurrency: 4 }, () => {
    test('over REST, in the body and in the query string', async () => {
        for (const { id, method, path, known } of OPERATIONS.filter(({ id }) => !LENIENT.has(id))) {
            const at = path.replace(/\{\w+\}/, '7');
            const names = foreignTo(known);
            const asked = `?${new URLSearchParams(asMembers(names))}`;
            eachIsNamed(`${id} in its query`, whole(await agent.send(method, at + asked)), names);
            if (method !== 'GET') eachIsNamed(`${id} in its body`, whole(await agent.send(method, at, { json: asMembers(names) })), names);
        }
    });

    test('over MCP', async () => {
        for (const { name, inputSchema } of TOOLS.filter(({ name }) => !LENIENT.has(name))) {
            const names = foreignTo(Object.keys(inputSchema.properties));
            const { isError, body } = await use(name, asMembers(names), agent.key);
            assert.equal(isError, true, name);
            eachIsNamed(name, { status: 400, ...body }, names);
        }
    });

    test('over A2A', async () => {
        for (const { name, inputSchema } of TOOLS.filter(({ name }) => !LENIENT.has(name))) {
            const names = foreignTo(Object.keys(inputSchema.properties));
            const task = await a2a.call(name, asMembers(names));
            assert.ok(['rejected', 'input-required'].map(a2a.words.state).includes(task.status.state), `${name}: ${task.status.state}`);
            eachIsNamed(name, { status: 400, ...a2a.said(task)[1] }, names);
        }
    });

    test('of the operator\'s API are refused', async () => {
        const name = `unknown-${process.pid}`;
        const key = (await agentctl('token', name)).out.trim();
        after(() => agentctl('token', name, '--revoke'));
        for (const { id, method, path, known } of operations(operator.document).filter(({ path }) => path !== '/openapi')) {
            const names = foreignTo(known);
            const asked = `${OPERATORS}${path.replace(/\{\w+\}/, '7')}`;
            eachIsNamed(id, whole(await send(method, method === 'GET' ? `${asked}?${new URLSearchParams(asMembers(names))}` : asked, { key, ...(method !== 'GET' && { json: asMembers(names) }) })), names);
        }
    });

    after(async () => {
        // None of all that was done.
        granted(await agent.get('/me'));
        for (const [path, list] of [['/wallets', 'wallets'], ['/swaps', 'swaps'], ['/perps/orders?status=all', 'orders'], ['/predict/orders?status=all', 'orders'], ['/withdrawals', 'withdrawals'], ['/lend/operations', 'operations'], ['/withdrawal-addresses', 'withdrawal_addresses'], ['/wallet/policies', 'policies']]) {
            assert.deepEqual(granted(await agent.get(path))[list], [], path);
        }
    });
});

test('the descriptions say that there is nothing else', () => {
    for (const { id, schema } of OPERATIONS.filter(({ schema }) => schema)) assert.equal(schema.additionalProperties, LENIENT.has(id) ? undefined : false, id);
    for (const { name, inputSchema } of TOOLS) assert.equal(inputSchema.additionalProperties, LENIENT.has(name) ? undefined : false, name);
});

describe('What is meant', { concurrency: 8 }, () => {
    for (const [path, said, meant] of [
        ['/perps/order', 'sl', 'stopLoss'], ['/perps/order', 'stopPrice', 'stopLoss'], ['/perps/order', 'tp', 'takeProfit'], ['/perps/order', 'limit_price', 'price'],
        ['/perps/order', 'tif', 'timeInForce'], ['/perps/order', 'post_only', 'timeInForce'], ['/perps/order', 'orderType', 'type'], ['/perps/order', 'isIsolated', 'marginMode'],
        ['/perps/order', 'closePosition', 'reduceOnly'], ['/perps/order', 'max_slippage', 'slippage'], ['/perps/order', 'qty', 'size'], ['/perps/order', 'coin', 'market'],
        ['/perps/close', 'percent', 'size'], ['/perps/close', 'fraction', 'size'], ['/perps/withdraw', 'to', undefined],
        ['/predict/order', 'timeInForce', 'type'], ['/predict/order', 'expiry', 'expiration'], ['/predict/order', 'outcome', 'tokenId'], ['/predict/order', 'makerOnly', 'postOnly'],
        ['/quote', 'network', 'chain'], ['/quote', 'slippage_bps', 'slippage'], ['/quote', 'destination_chain', 'to_chain'], ['/quote', 'recipient', 'to_wallet_address'],
        ['/quote', 'token_in', 'from_token'], ['/quote', 'buyToken', 'to_token'], ['/quote', 'minOut', 'slippage'], ['/quote', 'sellAmount', 'amount'], ['/quote', 'dexes', 'providers'],
        ['/wallets', 'chain', 'chain_type'], ['/wallets', 'type', 'chain_type'], ['/wallets/withdraw', 'to_address', 'to'], ['/wallets/withdraw', 'coin', 'token'],
        ['/lend/supply', 'token', 'asset'], ['/execute', 'prompt', 'command'], ['/wallet/policy', 'rules', 'params'],
    ]) {
        test(`${said} of POST ${path}`, async () => {
            const { hint, fields } = (await agent.post(path, { [said]: 'x' })).body;
            assert.equal(fields[said], meant === undefined ? 'is not known here' : `did you mean '${meant}'?`);
            assert.match(hint ?? '', /Known here: |is required/);
        });
    }

    test('names in an object within the body', async () => {
        const { fields } = refused(await agent.post('/wallet/policy', { type: 'spending_limit', params: { max_usd: '5', zzzz: 1 }, window: 5 }), 'Validation failed');
        assert.deepEqual(fields, { 'params.max_usd': "did you mean 'maxAmountUsd'?", 'params.zzzz': 'is not known here', window: 'is not known here' });
    });

    test('unknown names and wrong forms are told together', async () => {
        const { fields } = refused(await agent.post('/quote', { from_token: 7, to_token: 'USDC', amount: '-1', network: 'base', zzzz: 1, slippage: 'much' }), "Unknown field 'network'");
        assert.deepEqual(Object.keys(fields).sort(), ['amount', 'from_token', 'network', 'slippage', 'zzzz']);
    });

    test('a missing member keeps its own message, and unknown ones are named with it', async () => {
        assert.deepEqual(refused(await agent.post('/swap/execute', { zzzz: 1 }), 'quote_id is required').fields, { quote_id: 'is required', zzzz: 'is not known here' });
        assert.deepEqual(refused(await agent.patch('/me', { zzzz: 1 }), 'At least one field must be provided').fields, { zzzz: 'is not known here' });
    });

    test('the path may be said once more, and not otherwise', async () => {
        refused(await agent.get('/swap/status/7?swapId=7'), 'Swap not found');
        assert.deepEqual(refused(await agent.get('/swap/status/7?swapId=8'), 'Validation failed').fields, { swapId: 'differs from the path' });
        assert.deepEqual(refused(await agent.send('DELETE', '/predict/order/0x1', { json: { id: '0x2' } }), 'Validation failed').fields, { id: 'differs from the path' });
    });

    test('the hint lists the known names', async () => {
        const { hint } = refused(await agent.post('/perps/close', { market: 'ETH', zzzz: 1 }), "Unknown field 'zzzz'");
        assert.equal(hint, 'Known here: market, size, slippage, wallet_address, wait');
        assert.equal(refused(await agent.post('/me/deactivate', { zzzz: 1 }), "Unknown field 'zzzz'").hint, 'This call takes no members');
    });

    test('metadata is free', async () => {
        granted(await agent.patch('/me', { metadata: { sl: 1, anything: { at: ['all'] } } }));
        refused(await agent.patch('/me', { metadata: {}, tags: [] }), "Unknown field 'tags'", ['tags']);
    });
});

describe('Rehearsals that would pay', { concurrency: 4 }, () => {
    const MOVES = OPERATIONS.filter(({ method, path, known }) => method === 'POST' && /^\/(swap|perps|predict|lend|wallets|execute)/.test(path) && !known.includes('dry_run'));

    test('dry_run is refused where a call has none, and its refusal names those that rehearse', async () => {
        assert.ok(MOVES.length > 12);
        for (const { path } of MOVES) {
            for (const answer of [await agent.post(path, { dry_run: true }), await agent.post(path, { dryRun: true }), await agent.send('POST', `${path}?dry_run=true`, { json: {} })]) {
                assert.equal(answer.status, 400, `${path} ${show(answer)}`);
                assert.ok((answer.body.fields.dry_run ?? answer.body.fields.dryRun).length > 0, show(answer));
            }
            assert.match((await agent.post(path, { dry_run: true })).body.fields.dry_run, /\/swap\/simulate/);
        }
    });

    test('POST /execute honours it in its body, and refuses it in its query string and in other forms', async () => {
        const command = 'create a wallet';
        const answer = await agent.send('POST', '/execute?dry_run=true', { json: { command } });
        assert.equal(refused(answer, "Unknown field 'dry_run'").fields.dry_run, 'belongs in the body');
        refused(await agent.post('/execute', { command, dry_run: 'true' }), 'Validation failed', ['dry_run']);
        assert.equal(refused(await agent.post('/execute', { command, simulate: true }), "Unknown field 'simulate'").fields.simulate, "did you mean 'dry_run'?");
        granted(await agent.post('/execute', { command, dry_run: true }));
        refused(await agent.post('/execute', { command, max_price_impact: 0.1 }), 'Validation failed', ['max_price_impact']);
        assert.deepEqual(granted(await agent.get('/wallets')).wallets, []);
    });
});

test('terms next to a quote_id or an approval_id are refused', async () => {
    for (const [path, id, terms] of [
        ['/swap', { quote_id: 'q', wallet_address: `0x${'1'.repeat(40)}` }, { from_token: 'ETH', to_token: 'USDC', amount: '1', chain: 'base', from_chain: 'base', to_chain: 'base', slippage: 0.01, to_wallet_address: 'x' }],
        ['/swap/simulate', { quote_id: 'q' }, { amount: '1', slippage: 0.01 }],
        ['/swap/execute', { approval_id: `ap_${'0'.repeat(32)}` }, { quote_id: 'q', wallet_address: 'x' }],
        ['/perps/order', { approval_id: `ap_${'0'.repeat(32)}` }, { market: 'ETH', side: 'long', size: '1', stopLoss: '1', slippage: '0.01', marginMode: 'cross', reduceOnly: false }],
        ['/predict/order', { approval_id: `ap_${'0'.repeat(32)}` }, { tokenId: '1', price: '0.4', size: '5', side: 'BUY' }],
        ['/perps/deposit', { approval_id: `ap_${'0'.repeat(32)}` }, { amount: '5', chain: 'arbitrum' }],
    ]) {
        refused(await agent.post(path, { ...id, ...terms }), 'Validation failed', Object.keys(terms));
    }
});

describe('Registration', () => {
    test('ignores what it does not know, and says so', async () => {
        const body = granted(await send('POST', `${API}/register?utm_source=docs`, { json: { name: 'lenient', team: 'x', zzzz: { a: 1 } } }));
        assert.deepEqual(body.ignored.sort(), ['team', 'utm_source', 'zzzz']);
        assert.equal('ignored' in granted(await send('POST', `${API}/register`, { json: { name: 'plain' } })), false);
        assert.deepEqual((await used('register_agent', { name: 'lenient', team: 'x' })).ignored, ['team']);
    });

    test('refuses what is nearly known', async () => {
        const answer = await send('POST', `${API}/register`, { json: { name: 'x', webhook: 'https://agent.example/', team: 'x' } });
        assert.deepEqual(refused(answer, "Unknown field 'webhook'").fields, { webhook: "did you mean 'callback_url'?", team: 'is not known here' });
    });
});

describe('Query strings', () => {
    test('names that begin with an underscore are no parameters', async () => {
        granted(await agent.get('/wallets?_=1&_cache=2'));
        granted(await agent.send('PATCH', '/me?_=1', { json: { description: 'x' } }));
    });

    test('a parameter given twice with different values is refused', async () => {
        assert.deepEqual(refused(await agent.get('/swaps?limit=5&limit=6'), 'Validation failed').fields, { _root: 'must not have a name twice' });
        granted(await agent.get('/swaps?limit=5&limit=5'));
    });

    test('a protocol reads none', async () => {
        failure(await send('POST', '/mcp?dry_run=true', { json: { jsonrpc: '2.0', id: 1, method: 'ping' } }), 400, -32600, null);
        fault(await postA2A({ key: agent.key, method: 'ListTasks', params: {}, query: '?dry_run=true' }), -32600, null, 400);
    });
});

describe('Beside the arguments', () => {
    test('MCP: arguments beside `arguments`, or under another name', async () => {
        for (const [params, said, meant] of [
            [{ chain_type: 'solana' }, 'params.chain_type', "did you mean 'chain_type'?"], [{ args: { chain_type: 'solana' } }, 'params.args', 'is not known here'],
            [{ arguments: {}, dry_run: true }, 'params.dry_run', 'is not known here'],
        ]) {
            const { isError, content } = result(await ask('tools/call', { name: 'create_wallet', ...params }, { key: agent.key }));
            assert.deepEqual([isError, JSON.parse(content[0].text).fields], [true, { [said]: meant }]);
        }
    });

    test('MCP: what hosts add by themselves has no effect', async () => {
        const fillers = {
            _meta: {}, _placeholder: true, random_string: 'x', toolCallId: 'call_1', tool: 'x', sessionId: 'x', chatInput: 'x', action: 'sendMessage', wait_for_previous: true, security_context: {},
        };
        for (const [tool, args] of [['get_me', {}], ['list_wallets', {}], ['get_chains', {}], ['get_tokens', { chain: 'base' }]]) await used(tool, { ...args, ...fillers }, agent.key);
        const { body } = await use('place_perps_order', { market: 'ETH', action: 'sell', size: '1' }, agent.key);
        assert.equal(body.fields.action, "did you mean 'side'?");
    });

    test('MCP: an older name and the newer one must agree', async () => {
        const { body } = await use('get_swap_status', { swap_id: 1, swapId: 2 }, agent.key);
        assert.deepEqual(body.fields, { swap_id: 'differs from swapId, which is the same' });
        assert.equal((await use('get_swap_status', { swap_id: 1, swapId: '1' }, agent.key)).body.error, 'Swap not found');
    });

    test('A2A: in the data part, the part, the message and the params', async () => {
        const data = { operation: 'create_wallet', arguments: {} };
        const message = (part, more = {}) => ({ message: { ...a2a.message([{ text: 'x' }]), parts: [part], ...more } });
        for (const params of [
            message({ data: { ...data, dry_run: true } }), message({ data: { ...data, chain_type: 'solana' } }), message({ data, dry_run: true }),
            message({ text: 'create a wallet', dry_run: true }), message({ data }, { chain_type: 'solana' }), { ...message({ data }), dry_run: true },
            message({ data: { approval_id: `ap_${'0'.repeat(32)}`, wallet_address: 'x' } }), message({ data: { ...data, approval_id: `ap_${'0'.repeat(32)}` } }),
        ]) {
            fault(await a2a.post('send', params), -32602);
        }
    });

    after(async () => {
        assert.deepEqual(granted(await agent.get('/wallets')).wallets, []);
    });
});

test('GET of a path that is only posted to is 405', async () => {
    for (const path of ['/webhooks/test', '/webhooks/secret', '/webhooks/recover']) {
        const answer = await send('GET', API + path, { key: agent.key });
        assert.equal(answer.status, 405, show(answer));
        assert.equal(answer.headers.allow, 'POST, OPTIONS');
    }
});

test('an id that is a path to others is nowhere', async () => {
    const other = await register();
    for (const path of ['/predict/market/..%2f..%2fme', '/perps/market/..%2F..%2fme', '/lend/market/%2e%2e%2f%2e%2e%2fme', '/predict/market/..%5c..%5cme', '/swap/status/..%2f..%2fprices']) {
        for (const key of [undefined, other.key]) {
            const answer = await send('GET', API + path, { key });
            assert.ok([400, 404].includes(answer.status), `${path}: ${show(answer)}`);
        }
    }
});
