// Section: browser
// The console in a browser, by real clicks: what a newcomer, a reader and an owner do on it, that it is usable by keyboard and
// screen reader and on a narrow screen, and that nothing others wrote becomes markup.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import {
    API, API_KEY, Agent, granted, receiver, register, send, until,
} from '../api/lib.mjs';
import { fund, give } from '../api/chain.mjs';
import {
    NARROW, WIDE, close, open, picture, visit,
} from './browser.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const HOSTILE = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=2</script>';
const MARKUP_TRAP = '"><svg onload=globalThis.hacked=3>';
const REFUSED = 'Failed to load resource'; // what a browser notes of an answer that a test asks for
const { body: api } = await send('GET', `${API}/openapi`);
const operations = Object.values(api.paths).flatMap((methods) => Object.values(methods));

before(open);
after(close);

const button = (page, name) => page.getByRole('button', { name, exact: true });
const settled = (page) => page.waitForFunction(() => document.querySelector('main').childElementCount > 0 && !document.querySelector('[aria-busy="true"]'));

/** That nothing went wrong, and that a screen reader finds its way. */
async function flawless({ page, faults }) {
    await settled(page);
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3).join(' ')}`), [], page.url());
    assert.deepEqual(await faults(), [], page.url());
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
}

async function goTo(page, hash) {
    await page.evaluate((to) => { location.hash = to; }, hash);
    await settled(page);
}

async function signedIn(agent, options) {
    const tab = await visit('/console/#/owner', options);
    await tab.page.getByLabel('API key').fill(agent.key);
    await button(tab.page, 'Sign in').click();
    await button(tab.page, 'Sign out').waitFor();
    await settled(tab.page);
    return tab;
}

const tabOf = (page, name) => page.getByRole('navigation', { name: 'Of this agent' }).getByRole('link', { name, exact: true });

// ---------------------------------------------------------------- newcomers

test('a newcomer gets from / to a completed swap', async () => {
    const tab = await visit('/');
    const { page } = tab;
    await picture(page, 'front');
    await flawless(tab);
    await page.getByRole('link', { name: 'Make a first swap' }).click();
    await page.getByRole('heading', { name: 'First swap', exact: true }).waitFor();
    await page.getByText('Sandbox.').waitFor();
    await flawless(tab);
    await page.getByLabel('Name of the agent').fill(HOSTILE);
    for (const name of ['Register', 'Create wallet', 'Fund', 'Get a quote']) await button(page, name).click();
    await button(page, 'Execute').waitFor();
    assert.match(await page.locator('.countdown').textContent(), /^Good for \d\d s$/);
    await picture(page, 'quote');
    await flawless(tab);
    await button(page, 'Execute').click();
    await page.getByText('completed', { exact: true }).last().waitFor();
    await page.getByText('verified', { exact: true }).waitFor();
    await flawless(tab);
    await picture(page, 'first-swap');
    // The same agent, as the API sees it.
    const key = await page.locator('.secret code').first().textContent();
    assert.match(key, API_KEY);
    const agent = new Agent(key);
    assert.equal(granted(await agent.get('/me')).agent.name, HOSTILE);
    const { swaps: [swap] } = granted(await agent.get('/swaps'));
    assert.equal(swap.status, 'completed');
    assert.ok(await page.getByText(`${swap.to_amount} USDC arrived`).isVisible());
    await tab.close();
});

test('the way through the pages keeps the key of the tab, and a reload forgets it', async () => {
    const tab = await visit('/console/#/first-swap');
    const { page } = tab;
    await button(page, 'Register').click();
    await button(page, 'Create wallet').waitFor();
    await page.getByRole('link', { name: 'Owner' }).first().click();
    await button(page, 'Sign out').waitFor();
    await page.getByRole('link', { name: 'First swap' }).first().click();
    await button(page, 'Create wallet').waitFor();
    await button(page, 'Start over').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget the key' }).click();
    await button(page, 'Register').click();
    await button(page, 'Create wallet').waitFor();
    assert.deepEqual(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]), [0, 0, '']);
    await flawless(tab);
    await page.reload();
    await page.getByRole('link', { name: 'Owner' }).first().click();
    await button(page, 'Sign in').waitFor();
    await tab.close();
});

test('a quote that has expired is not executed, and the next one is', async () => {
    const tab = await visit('/console/#/first-swap');
    const { page } = tab;
    // A shorter life, as the service might tell it.
    await page.route('**/v1/agent/quote', async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, json: { ...await answer.json(), expires_in_seconds: 2 } });
    }, { times: 1 });
    for (const name of ['Register', 'Create wallet', 'Fund', 'Get a quote']) await button(page, name).click();
    await page.getByText('Expired. Get a quote again.').waitFor();
    assert.ok(await button(page, 'Execute').isDisabled());
    await button(page, 'Get a quote').click();
    await page.getByText(/^Good for/).waitFor();
    await button(page, 'Execute').click();
    await page.getByText('verified', { exact: true }).waitFor();
    await flawless(tab);
    await tab.close();
});

test('without a sandbox the page says how to fund, and shows the delivery by the API', async () => {
    const hook = await receiver();
    const tab = await visit('about:blank', { expected: [REFUSED] });
    const { page } = tab;
    await page.route('**/sandbox/**', (route) => route.fulfill({ status: 404, json: { success: false } }));
    await page.goto('/console/#/first-swap');
    await page.getByText('Real chains.').waitFor();
    await page.getByLabel('Callback URL').fill(hook.url);
    await button(page, 'Register').click();
    await button(page, 'Create wallet').click();
    await page.getByText('Send what you want to trade').waitFor();
    await button(page, 'Look for funds').click();
    await page.getByText('Nothing has arrived yet').waitFor();
    await fund('ethereum', await page.locator('[data-step="wallet"] code').first().getAttribute('title'), 2);
    await button(page, 'Look for funds').click();
    await button(page, 'Get a quote').click();
    await button(page, 'Execute').click();
    await page.getByText('delivered', { exact: true }).waitFor();
    await flawless(tab);
    hook.close();
    await tab.close();
});

test('a refusal is shown in the service’s words, and the form can be corrected', async () => {
    const tab = await visit('/console/#/first-swap', { expected: [REFUSED] });
    const { page } = tab;
    for (const name of ['Register', 'Create wallet', 'Fund']) await button(page, name).click();
    await page.getByLabel('Get', { exact: true }).fill('NOPE');
    await button(page, 'Get a quote').click();
    await page.getByText('Unknown token \'NOPE\' on chain \'ethereum\'').first().waitFor();
    await page.getByText('TOKEN_UNKNOWN').waitFor();
    await flawless(tab);
    await page.getByLabel('Get', { exact: true }).fill('USDC');
    await button(page, 'Get a quote').click();
    await button(page, 'Execute').waitFor();
    assert.equal(await page.getByText('TOKEN_UNKNOWN').count(), 0);
    await tab.close();
});

// ---------------------------------------------------------------- readers

test('the reference has every operation with its parameters, errors and the call in three languages', async () => {
    const tab = await visit('/console/#/reference');
    const { page } = tab;
    await settled(page);
    const list = page.getByRole('navigation', { name: 'API reference' });
    assert.equal(await list.locator('a[href^="#/reference/op/"]').count(), operations.length);
    for (const { operationId, summary, parameters = [], requestBody } of operations) {
        await goTo(page, `#/reference/op/${operationId}`);
        await page.getByRole('heading', { level: 1, name: summary, exact: true }).waitFor();
        const text = await page.locator('article').innerText();
        for (const { name } of parameters) assert.ok(text.includes(name), `${operationId}: ${name}`);
        if (requestBody) assert.ok(text.includes('body'), operationId);
        for (const part of ['Try it', 'Answers', 'Errors', 'RATE_LIMITED', 'curl ']) assert.ok(text.includes(part), `${operationId}: ${part}`);
        for (const [language, sign] of [['JavaScript', 'await fetch('], ['Python', 'urllib.request.Request(']]) {
            await page.getByLabel('Language').selectOption(language);
            assert.ok((await page.locator('.columns .code').last().innerText()).includes(sign), `${operationId} in ${language}`);
        }
    }
    await goTo(page, '#/reference/op/getQuote');
    await picture(page, 'reference');
    await flawless(tab);
    await page.getByLabel('Find an operation').fill('rehearse');
    await page.waitForFunction(() => document.querySelectorAll('a[href^="#/reference/op/"]').length < 5);
    await tab.close();
});

test('an operation is tried with the tab’s key', async () => {
    const agent = await register({ name: HOSTILE });
    const tab = await visit('/console/#/reference', { expected: [REFUSED] });
    const { page } = tab;
    await page.getByLabel('API key for trying operations').fill(agent.key);
    await page.getByLabel('API key for trying operations').press('Enter');
    await goTo(page, '#/reference/op/getMe');
    await button(page, 'Send').click();
    await page.locator('.answer').getByText('200', { exact: true }).waitFor();
    assert.match(await page.locator('.answer').innerText(), /onerror=/);
    assert.match(await page.locator('.answer').innerText(), /RateLimit: /);
    await flawless(tab);
    await goTo(page, '#/reference/op/getQuote');
    await page.getByLabel('Body').fill('{"from_token":"ETH","to_token":"USDC","amount":"-1"}');
    assert.match(await page.locator('.columns .code').last().innerText(), /"amount":"-1"/);
    await button(page, 'Send').click();
    await page.locator('.answer').getByText('400', { exact: true }).waitFor();
    await page.getByLabel('Body').fill('{');
    await button(page, 'Send').click();
    await page.getByText('The body is not JSON').first().waitFor();
    // What cannot be undone is asked back.
    await goTo(page, '#/reference/op/deleteMe');
    await button(page, 'Send').click();
    assert.ok(await page.getByRole('dialog').getByRole('button', { name: 'Delete the agent for good' }).isDisabled());
    await page.keyboard.press('Escape');
    granted(await agent.get('/me'));
    await tab.close();
});

test('the calls that the reference writes do what it says', async () => {
    const { curl, javascript, python } = await import('../../contrib/console/snippets.js');
    const { execFile } = await import('node:child_process');
    const { promisify } = await import('node:util');
    const agent = await register();
    const call = { method: 'PATCH', url: `${process.env.GATEWAY_URL ?? 'http://127.0.0.1:8080'}${API}/me`, key: true, headers: { 'X-Request-Id': 'snippet-1' }, body: { description: 'it\'s "true", 1 \\ null', metadata: { flag: true, none: [null], text: 'true' } } };
    for (const [program, ...args] of [['sh', '-c', curl(call)], [process.execPath, '--input-type=module', '-e', javascript(call)], ['python3', '-c', python(call)]]) {
        await agent.patch('/me', { description: 'before', metadata: {} });
        await promisify(execFile)(program, args, { env: { ...process.env, KEY: agent.key } });
        const { agent: { description, metadata } } = granted(await agent.get('/me'));
        assert.deepEqual({ description, metadata }, call.body, program);
    }
});

test('all error codes and the settings for MCP are there', async () => {
    const tab = await visit('/console/#/reference/errors');
    const { page } = tab;
    await settled(page);
    await picture(page, 'errors');
    for (const code of ['QUOTE_EXPIRED', 'POLICY_VIOLATION', 'SERVICE_UNAVAILABLE']) assert.ok(await page.getByText(code, { exact: true }).first().isVisible(), code);
    await flawless(tab);
    await goTo(page, '#/reference/mcp');
    const settings = JSON.parse(await page.locator('article .code code').first().innerText());
    assert.equal(new URL(settings.mcpServers.gateway.url).pathname, '/mcp');
    await flawless(tab);
    await tab.close();
});

// ---------------------------------------------------------------- owners

/** An agent that has something of everything; its receiver refuses what `answer` refuses. */
async function busyOwner(answer) {
    const agent = await register({ name: HOSTILE, description: MARKUP_TRAP });
    agent.hook = await receiver(answer);
    await agent.listen(agent.hook.url);
    agent.address = await agent.wallet('ethereum', 20);
    await give('ethereum', agent.address, 'USDC', 5000);
    return agent;
}

test('an owner sees swaps with filters and a timeline', async () => {
    const agent = await busyOwner();
    const first = await agent.completed(await agent.swap('ETH', 'USDC', '0.5'));
    const second = await agent.completed(await agent.swap('USDC', 'ETH', '100'));
    const tab = await signedIn(agent);
    const { page } = tab;
    assert.equal(await page.getByRole('heading', { level: 2 }).first().innerText(), HOSTILE);
    assert.match(await page.locator('.tiles').innerText(), /\d+ of 100000/);
    await page.getByRole('img', { name: 'Swaps of the last two weeks' }).waitFor();
    await picture(page, 'owner');
    await flawless(tab);
    await tabOf(page, 'Swaps').click();
    const rows = page.locator('tbody tr');
    await page.getByRole('link', { name: `#${second.swap_id}` }).waitFor();
    assert.equal(await rows.count(), 2);
    await flawless(tab);
    await page.getByLabel('Status').selectOption('failed');
    await page.getByText('No swaps').waitFor();
    await page.getByLabel('Status').selectOption('completed');
    await page.getByRole('link', { name: `#${first.swap_id}` }).click();
    await page.getByRole('heading', { name: `Swap #${first.swap_id}` }).waitFor();
    await page.getByText(`${first.to_amount} USDC arrived`).waitFor();
    assert.equal(await page.locator('.timeline code').first().getAttribute('title'), first.tx_hash);
    await flawless(tab);
    await tab.close();
    agent.hook.close();
});

test('an owner sees wallets with their balances, and creates one', async () => {
    const agent = await busyOwner();
    const tab = await signedIn(agent);
    const { page } = tab;
    await tabOf(page, 'Wallets').click();
    await page.getByRole('cell', { name: '5000', exact: true }).first().waitFor();
    await flawless(tab);
    await button(page, 'Create wallet').click();
    await page.waitForFunction(() => document.querySelectorAll('.card').length === 2);
    assert.equal(granted(await agent.get('/wallets')).wallets.length, 2);
    await tab.close();
    agent.hook.close();
});

test('an owner sees deliveries with body and attempts, and sends them again', async () => {
    let broken = true;
    const agent = await busyOwner(() => (broken ? 410 : 200)); // 410: failed at once
    const swap = await agent.completed(await agent.swap('ETH', 'USDC', '0.5'));
    const failed = await until('the delivery to fail', async () => (await agent.events('?status=failed'))[0]);
    const tab = await signedIn(agent);
    const { page } = tab;
    await tabOf(page, 'Deliveries').click();
    await page.getByLabel('Status').selectOption('failed');
    await page.getByRole('link', { name: 'swap.completed' }).click();
    await page.getByRole('heading', { name: 'Attempts' }).waitFor();
    assert.match(await page.locator('tbody').first().innerText(), /410/);
    assert.match(await page.locator('.code').innerText(), new RegExp(`"swap_id": ${swap.swap_id}`));
    await flawless(tab);
    broken = false;
    await button(page, 'Redeliver').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('It is sent again.').first().waitFor();
    await until('the delivery', async () => (await agent.events('?status=delivered')).some(({ id }) => id === failed.id));
    // And all that failed since a time.
    broken = true;
    await agent.completed(await agent.swap('ETH', 'USDC', '0.4'));
    await until('another to fail', async () => (await agent.events('?status=failed')).length > 0);
    broken = false;
    await tabOf(page, 'Deliveries').click();
    await page.getByText('Recovery').click();
    await button(page, 'Send failed ones again').click();
    await page.getByText('1 delivery is sent again.').waitFor();
    await until('it to be delivered', async () => (await agent.events('?status=failed')).length === 0);
    await button(page, 'Send a test').click();
    await page.getByText(/^The receiver took it: 200/).waitFor();
    await flawless(tab);
    await tab.close();
    agent.hook.close();
});

test('an owner sees policies with pending ends, ends one, and sees approvals', async () => {
    const agent = await busyOwner();
    await agent.post('/wallet/policy', { type: 'spending_limit', params: { maxAmountUsd: '5000', timeWindowSeconds: 86400 } });
    await agent.post('/wallet/policy', { type: 'whitelist', params: { allowedChains: ['ethereum', 'base'] } });
    await agent.post('/wallet/policy', { type: 'approval_limit', params: { maxAmountUsd: '1000' } });
    await agent.completed(await agent.swap('ETH', 'USDC', '0.1'));
    const { approval_id: approval } = granted(await agent.execute(await agent.quote('ETH', 'USDC', '0.5')), 202);
    const tab = await signedIn(agent);
    const { page } = tab;
    await tabOf(page, 'Policies').click();
    await page.getByText('at most $5000').waitFor();
    assert.match(await page.getByRole('row', { name: /Spending limit/ }).innerText(), /\d+(\.\d+)? of 5000 USD/);
    await page.getByText('on ethereum, base').waitFor();
    await flawless(tab);
    await page.getByRole('row', { name: /Allowed only/ }).getByRole('button', { name: 'End' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await page.getByRole('row', { name: /Allowed only/ }).getByText(/^ends/).waitFor();
    assert.ok(granted(await agent.get('/wallet/policies')).policies.find(({ type }) => type === 'whitelist').pending);
    await picture(page, 'policies');
    await flawless(tab);
    await tabOf(page, 'Approvals').click();
    await page.getByText('waiting', { exact: true }).last().waitFor();
    assert.equal(await page.locator('tbody code').first().getAttribute('title'), approval);
    await flawless(tab);
    await tab.close();
    agent.hook.close();
});

test('an owner rotates the key, once it is typed that this is meant', async () => {
    const agent = await register();
    const tab = await signedIn(agent);
    const { page } = tab;
    await tabOf(page, 'Key').click();
    await button(page, 'Rotate the key').click();
    const dialog = page.getByRole('dialog');
    assert.ok(await dialog.getByRole('button', { name: 'Rotate' }).isDisabled());
    await dialog.getByLabel('Type rotate to confirm').fill('rotat');
    assert.ok(await dialog.getByRole('button', { name: 'Rotate' }).isDisabled());
    await dialog.getByLabel('Type rotate to confirm').fill('rotate');
    await flawless(tab);
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const key = await page.locator('.secret code').innerText();
    assert.match(key, API_KEY);
    assert.equal((await agent.get('/me')).status, 401);
    granted(await new Agent(key).get('/me'));
    await tabOf(page, 'Overview').click();
    await page.locator('.tiles').waitFor(); // with the new key
    await button(page, 'Sign out').click();
    await button(page, 'Sign in').waitFor();
    await flawless(tab);
    await tab.close();
});

test('an unknown key is refused, and the page says so', async () => {
    const tab = await visit('/console/#/owner', { expected: [REFUSED] });
    const { page } = tab;
    await page.getByLabel('API key').fill(`svc_sk_${'x'.repeat(43)}`);
    await page.getByLabel('API key').press('Enter');
    await page.getByText('Invalid or missing API key').first().waitFor();
    await flawless(tab);
    assert.equal(await button(page, 'Sign out').count(), 0);
    await tab.close();
});

// ---------------------------------------------------------------- keyboard, narrow screens, the dark

test('the keyboard alone is enough', async () => {
    const tab = await visit('/console/#/first-swap');
    const { page } = tab;
    await settled(page);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'skip');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
    await page.keyboard.press('Tab'); // the name of the agent
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Register');
    await page.keyboard.press('Enter');
    await button(page, 'Create wallet').focus();
    await page.keyboard.press('Space');
    await button(page, 'Fund').waitFor();
    await flawless(tab);
    await tab.close();
});

for (const colorScheme of ['light', 'dark']) {
    test(`every page fits 360 pixels and is legible, ${colorScheme}`, async () => {
        const agent = await busyOwner();
        await agent.completed(await agent.swap('ETH', 'USDC', '0.5'));
        await agent.post('/wallet/policy', { type: 'spending_limit', params: { maxAmountUsd: '5000', timeWindowSeconds: 86400 } });
        const tab = await signedIn(agent, { viewport: NARROW, colorScheme });
        const { page } = tab;
        const [{ swap_id: id }] = granted(await agent.get('/swaps')).swaps;
        const [{ id: event }] = await until('its event', async () => { const events = await agent.events(); return events.length > 0 && events; });
        for (const path of ['first-swap', 'reference', 'reference/errors', 'reference/mcp', 'reference/op/createWalletPolicy', 'owner', 'owner/swaps', `owner/swaps/${id}`,
            'owner/wallets', 'owner/deliveries', `owner/deliveries/${event}`, 'owner/policies', 'owner/approvals', 'owner/key']) {
            await goTo(page, `#/${path}`);
            await picture(page, `narrow-${colorScheme}-${path.replaceAll('/', '-').replace(event, 'event').replace(id, 'id')}`);
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= NARROW.width, path);
            await flawless(tab);
            await page.setViewportSize(WIDE);
            await picture(page, `wide-${colorScheme}-${path.replaceAll('/', '-').replace(event, 'event').replace(id, 'id')}`);
            await page.setViewportSize(NARROW);
        }
        await tab.close();
        agent.hook.close();
    });
}
